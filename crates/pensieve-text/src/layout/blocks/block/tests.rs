//! Blocks at the limits of the distances, sizes and indents that separate them.

use super::*;
use crate::layout::input::typefaces::family;
use crate::layout::ordered_page::tables::layout_table::TableRow;

const SIZE: f32 = 16.0;

/// A line of size 16, whose limits are exact.
fn line(text: &str, base: f32, x0: f32, x1: f32) -> TextLine {
    TextLine { text: text.to_owned(), base, x0, x1, size: SIZE, ..TextLine::default() }
}

/// Does the second line start a block, in a column of 200 points?
fn starts(pair: [&TextLine; 2], after: Option<&TextLine>) -> bool {
    starts_block((pair[0], pair[1]), after, 1.0, &LineMeasure { left: 0.0, right: 200.0 })
}

fn before() -> TextLine {
    line("words that go on", 0.0, 0.0, 100.0)
}

fn next() -> TextLine {
    line("and end here", 20.0, 0.0, 100.0)
}

/// Lines that are full, so that the next one continues them.
fn full(text: &str) -> TextLine {
    line(text, 0.0, 0.0, 200.0)
}

#[test]
fn a_gap_or_a_step_back_starts_a_block() {
    let check = |base: f32, expected| {
        assert_eq!(starts([&before(), &TextLine { base, ..next() }], None), expected, "{base}");
    };
    let limit = (1.3 + 0.05) * SIZE;
    check(limit, false);
    check(limit + 0.01, true);
    check(0.0, false);
    check(-0.01, true);
    assert!(!starts(
        [&TextLine { size: 20.0, ..before() }, &TextLine { base: 26.5, size: 18.0, ..next() }],
        None
    ));
    assert!(starts([&before(), &TextLine { is_turned: true, ..next() }], None));
}

#[test]
fn each_line_with_a_name_before_a_colon_starts_a_block() {
    let check = |above: &str, text: &str, expected| {
        let next = TextLine { text: text.to_owned(), ..next() };
        assert_eq!(starts([&full(above), &next], None), expected, "{above} {text}");
    };
    check("Q: How deep is it?", "A: Twelve metres.", true);
    check("SPEAKER ONE: How deep?", "SPEAKER TWO: Deep.", true);
    check("Q: How deep is it?", "and how wide?", false);
    check("words that go on", "A: Twelve metres.", false);
    check("It opens at 10:30", "and it closes at 12:00", false);
}

#[test]
fn what_begins_before_the_mark_of_a_short_item_is_not_in_it() {
    let item = line("• Coil them", 0.0, 20.0, 100.0);
    let check = |item: &TextLine, text: &str, x0: f32, expected| {
        assert_eq!(starts([item, &line(text, 20.0, x0, 100.0)], None), expected, "{text} {x0}");
    };
    check(&item, "Then you are done.", 0.0, true);
    check(&item, "then you are done.", 0.0, false);
    check(&item, "Then you are done.", 30.0, false);
    check(&TextLine { x1: 200.0, ..item.clone() }, "Then you are done.", 0.0, false);
}

#[test]
fn scripts_push_only_full_lines_apart() {
    let below = TextLine { rise: 4.0, base: 24.0, ..next() };
    assert!(starts([&before(), &below], None));
    assert!(!starts([&full("words that go on"), &below], None));
}

#[test]
fn another_size_or_weight_starts_a_block() {
    let sized = |size| [TextLine { size, ..before() }, TextLine { size, ..next() }];
    let check = |size: f32, expected| {
        assert_eq!(starts([&sized(size)[0], &next()], None), expected, "{size}");
        assert_eq!(starts([&before(), &sized(size)[1]], None), expected, "{size}");
    };
    check(0.87 * SIZE, false);
    check(13.9, true);
    assert!(starts([&before(), &TextLine { is_bold: true, ..next() }], None));
    assert!(starts([&TextLine { is_bold: true, ..before() }, &next()], None));
}

#[test]
fn bold_words_may_fill_a_line_of_a_sentence() {
    let check = |before: &str, text: &str, expected: bool| {
        let line = TextLine { text: text.to_owned(), is_bold: true, ..next() };
        assert_eq!(starts([&full(before), &line], None), expected, "{before} {text}");
    };
    check("words that go on", "in bold letters", false);
    check("words that end.", "in bold letters", true);
    check("words that go on", "In bold letters", true);
    let line = |text: &str| TextLine { text: text.to_owned(), is_bold: true, ..next() };
    assert!(starts([&before(), &line("below a short line")], None));
    let face = Arc::new(FontFace { name: "Other-Bold".to_owned(), weight: 700, ..FontFace::default() });
    assert!(starts([&full("words that go on"), &TextLine { face, ..line("in another face") }], None));
}

#[test]
fn what_does_not_continue_a_full_line_starts_a_block() {
    let check = |above: &str, style: fn(TextLine) -> TextLine, below: TextLine, short: bool, filled: bool| {
        let found = [before(), full("")].map(|line| {
            let line = style(TextLine { text: above.to_owned(), ..line });
            starts([&line, &below], None)
        });
        assert_eq!(found, [short, filled], "{above} / {}", below.text);
    };
    let plain: fn(TextLine) -> TextLine = |line| line;
    let italic: fn(TextLine) -> TextLine = |line| TextLine { is_italic: true, ..line };
    let text = |text: &str| TextLine { text: text.to_owned(), ..next() };
    let face = Arc::new(FontFace { name: "Other".to_owned(), ..FontFace::default() });
    check("words go on", plain, next(), false, false);
    check("words go on", plain, TextLine { face, ..next() }, true, false);
    check("words go on", plain, text("1. an item"), true, false);
    check("words go on", plain, text("2.3 Of lamps"), true, false);
    check("words go on", plain, text("2.3 of lamps"), false, false);
    check("words go on", plain, text("• an item"), true, true);
    check("words go on", italic, next(), true, false);
    check("words go on", italic, TextLine { is_italic: true, ..next() }, false, false);
    check("2 Of Lamps", italic, next(), true, true);
    check("ON LAMPS", plain, next(), true, false);
    check("ON LAMPS", plain, text("AND MORE"), false, false);
    check("2 ON LAMPS", plain, next(), true, true);
}

#[test]
fn a_short_line_that_ends_a_sentence_ends_a_block() {
    let check = |above: &str, x1: f32, below: &str, expected| {
        let pair = [line(above, 0.0, 0.0, x1), line(below, 20.0, 0.0, 20.0)];
        assert_eq!(starts([&pair[0], &pair[1]], None), expected, "{above} {x1} {below}");
    };
    check("it ends.", 170.0, "I am", true);
    check("it ends.", 170.0, "i am", false);
    check("it goes on", 170.0, "I am", false);
    check("it ends.", 175.0, "I am", false);
    check("it ends.", 174.5, "I am", true);
    check("it ends.", 190.0, "I am", false);
    check("it ends.", 198.0, "I am", false);
}

#[test]
fn the_first_line_of_a_paragraph_is_indented_and_the_next_one_is_not() {
    let check = |indent: f32, after: Option<(f32, bool, f32)>, expected| {
        let after = after.map(|(x0, is_bold, size)| TextLine { x0, is_bold, size, ..next() });
        let found = starts([&before(), &line("and end here", 20.0, indent, 190.0)], after.as_ref());
        assert_eq!(found, expected, "{indent} {after:?}");
    };
    let back = Some((0.0, false, SIZE));
    check(0.7 * SIZE, back, true);
    check(11.1, back, false);
    check(95.9, back, true);
    check(96.0, back, false);
    check(20.0, None, false);
    check(20.0, Some((6.3, false, SIZE)), true);
    check(20.0, Some((-6.3, false, SIZE)), true);
    check(20.0, Some((0.4 * SIZE, false, SIZE)), false);
    check(20.0, Some((-0.4 * SIZE, false, SIZE)), false);
    check(20.0, Some((0.0, true, SIZE)), false);
    check(20.0, Some((0.0, false, 0.87 * SIZE)), true);
    check(20.0, Some((0.0, false, 13.9)), false);
    check(20.0, Some((0.0, false, SIZE / 0.86)), false);
    let item = TextLine { text: "1. an item".to_owned(), ..before() };
    assert!(!starts([&item, &line("and end", 20.0, 20.0, 190.0)], Some(&next())));
}

#[test]
fn text_that_runs_to_the_left_is_indented_on_the_right() {
    let word = "\u{5d0}\u{5d1}\u{5d2}";
    let at = |base, x1| line(word, base, 100.0, x1);
    let check = |first: f32, indented: f32, last: f32, expected| {
        let found = starts([&at(0.0, first), &at(20.0, indented)], Some(&at(40.0, last)));
        assert_eq!(found, expected, "{first} {indented} {last}");
    };
    check(200.0, 180.0, 200.0, true);
    check(180.0, 200.0, 180.0, false);
    check(200.0, 180.0, 180.0, false);
}

#[test]
fn a_block_has_the_measures_of_its_lines() {
    let styled = |text: &str, base, x1, size, is_bold| {
        let bounds = Bounds { x0: 10.0, y0: f64::from(base) - 8.0, x1: f64::from(x1), y1: f64::from(base) };
        TextLine { bounds, size, is_bold, ..line(text, base, 10.0, x1) }
    };
    let lines = vec![
        styled("Bold", 100.0, 50.0, 12.0, true),
        styled("the longest line", 115.0, 110.0, 10.0, true),
        styled("end", 127.0, 30.0, 12.0, true),
    ];
    let position = BlockPosition { page: 3, region: 2, boxed: Some(1), listings: ListingRule::Never };
    let measure = LineMeasure { left: 10.0, right: 110.0 };
    let block = TextBlock::of_lines(lines, &position, measure);
    assert_eq!((block.page, block.region, block.boxed, block.is_bold), (3, 2, Some(1), true));
    assert_eq!(block.bounds, Bounds { x0: 10.0, y0: 92.0, x1: 110.0, y1: 127.0 });
    assert_eq!((block.size, block.leading, block.body_leading), (10.0, Some(15.0), Some(15.0)));
    assert_eq!((block.density, block.characters(), block.extent()), (23.0 * 10.0 / 160.0, 23, (10.0, 110.0)));
    assert_eq!((block.first_text(), block.last_text()), ("Bold", "end"));
    assert_eq!(block.text(), "Bold the longest line end");
    assert_eq!((block.shown_text(), block.wrapped_lines()), (block.text(), 1));
    let one = TextBlock::of_lines(vec![styled("a", 0.0, 10.0, 9.0, false)], &position, measure);
    assert_eq!((one.density, one.leading, one.is_bold), (0.0, None, false));
}

#[test]
fn the_distance_of_lines_is_the_median_of_at_least_two() {
    let check = |bases: &[f32], expected| {
        let lines: Vec<TextLine> = bases.iter().map(|base| line("a", *base, 0.0, 9.0)).collect();
        assert_eq!(median_gap(&lines, |a, b| b.base - a.base), expected, "{bases:?}");
    };
    check(&[], None);
    check(&[0.0, 10.0], None);
    check(&[0.0, 10.0, 25.0], Some(15.0));
    check(&[0.0, 15.0, 25.0], Some(15.0));
    check(&[0.0, 15.0, 25.0, 37.0], Some(12.0));
}

#[test]
fn turned_blocks_extend_along_their_lines() {
    let mut block = TextBlock {
        lines: vec![line("a", 0.0, 20.0, 70.0), line("b", 12.0, 10.0, 60.0)],
        bounds: Bounds { x0: 1.0, y0: 2.0, x1: 3.0, y1: 4.0 },
        ..TextBlock::default()
    };
    assert_eq!(block.extent(), (1.0, 3.0));
    block.lines[1].rotation = 90;
    assert_eq!(block.extent(), (10.0, 70.0));
}

#[test]
fn a_block_has_the_tag_of_all_its_lines() {
    let tagged = |tags: &[Option<TextTag>]| {
        let lines = tags.iter().map(|tag| TextLine { tag: *tag, ..next() }).collect();
        TextBlock { lines, ..TextBlock::default() }.tag()
    };
    let (note, caption) = (Some(TextTag::Note), Some(TextTag::Caption));
    assert_eq!(tagged(&[note, note]), note);
    assert_eq!(tagged(&[note, caption]), None);
    assert_eq!(tagged(&[None, note]), None);
    assert_eq!(tagged(&[]), None);
}

fn table(cells: &[&str]) -> LayoutTable {
    let bounds = Bounds { x0: 1.0, y0: 2.0, x1: 30.0, y1: 40.0 };
    let rows = vec![TableRow { cells: cells.iter().map(|cell| (*cell).to_owned()).collect(), bounds }];
    LayoutTable { rows, size: 9.0, ..LayoutTable::default() }
}

#[test]
fn a_block_of_a_table_has_its_place_and_its_cells() {
    let position = BlockPosition { page: 3, region: 2, boxed: Some(1), listings: ListingRule::Never };
    let block = TextBlock::of_table(table(&["Ölä", "b"]), &position);
    assert_eq!((block.page, block.region, block.boxed), (3, 2, Some(1)));
    assert_eq!(block.bounds, Bounds { x0: 1.0, y0: 2.0, x1: 30.0, y1: 40.0 });
    assert_eq!((block.table_characters(), block.characters(), block.text()), (4, 0, String::new()));
    assert_eq!(block.shown_text(), "| Ölä | b |\n| --- | --- |");
}

#[test]
fn boxes_with_most_of_a_document_are_its_background() {
    let check = |boxed: usize, free: usize, expected: Option<usize>| {
        let block = |characters: usize, boxed| TextBlock {
            lines: vec![line(&"x".repeat(characters), 0.0, 0.0, 9.0)],
            boxed,
            ..TextBlock::default()
        };
        let mut blocks = vec![block(boxed, Some(7)), block(free, None)];
        ignore_backgrounds(&mut blocks);
        assert_eq!(blocks[0].boxed, expected, "{boxed} {free}");
    };
    check(5, 5, Some(7));
    check(6, 5, None);
    check(5, 6, Some(7));
}

#[test]
fn regions_of_rows_are_joined() {
    let entry = |name: &str, cells: usize, is_turned: bool| {
        let cells = (0..cells).map(|at| (at, 0.0, 0.0)).collect();
        RegionEntry::Line(TextLine { cells, is_turned, ..line(name, 0.0, 0.0, 9.0) })
    };
    let check = |first: RegionEntry, second: RegionEntry, expected: usize| {
        assert_eq!(join_parts(vec![vec![first], vec![second]], ListingRule::Never).len(), expected);
    };
    check(entry("a", 2, false), entry("b", 2, false), 1);
    check(entry("a", 1, false), entry("b", 2, false), 2);
    check(entry("a", 2, false), entry("b", 1, false), 2);
    check(entry("a", 2, true), entry("b", 2, false), 2);
    check(entry("a", 2, false), entry("b", 2, true), 2);
    check(RegionEntry::Inset(0), entry("b", 2, false), 2);
    check(entry("a", 2, false), RegionEntry::Inset(0), 2);
}

#[test]
fn sentences_end_with_a_stop_before_quotes_brackets_and_note_marks() {
    for end in [".", "!", "?", "…", "。", "！", "？", "؟", "।", ":", ";"] {
        for after in
            ["", "\"", "'", "”", "’", "»", ")", "]", "3", "¹", "²", "³", "⁰", "⁹", "*", "†", "‡", ".”12"]
        {
            assert!(ends_sentence(&format!("text{end}{after}")), "{end}{after}");
        }
    }
    assert!(ends_sentence("-----"));
    for text in ["text", "text,", "text 12", "text.x", ""] {
        assert!(!ends_sentence(text), "{text}");
    }
}

#[test]
fn a_rule_is_typed_with_three_equal_marks() {
    for (text, expected) in [
        ("---", true),
        ("* * *", true),
        ("====================", true),
        ("--", false),
        ("...", false),
        ("ooo", false),
        ("--- a", false),
        ("-=-", false),
        ("", false),
    ] {
        assert_eq!(is_typed_rule(text), expected, "{text}");
    }
}

#[test]
fn a_family_has_fonts_of_all_styles_and_sizes() {
    let check = |name: &str, expected: &str| assert_eq!(family(name), expected, "{name}");
    check("Times-Bold", "Times");
    check("Times,Italic", "Times");
    check("CMR10", "CM");
    check("CMBX12", "CM");
    check("SFTI1000", "SF");
    check("LMRoman10-Regular", "LM");
    check("CMSS10", "CMSS");
    check("CMTT9", "CMTT");
    check("LMSans12-Regular", "LMSans");
    check("LMMono9-Regular", "LMMono");
    check("CMCSC10", "CMCSC10");
    check("CMU", "CMU");
}

#[test]
fn a_title_below_another_one_shares_an_edge_or_the_middle_with_it() {
    let check = |(x0, x1): (f32, f32), wraps, expected| {
        let line = |x0, x1| TextLine { x0, x1, size: 10.0, ..TextLine::default() };
        assert_eq!(is_moved(&line(100.0, 200.0), &line(x0, x1), wraps), expected, "{x0}-{x1}");
    };
    check((20.0, 80.0), false, true);
    check((20.0, 80.0), true, false);
    check((100.0, 150.0), false, false);
    check((110.0, 150.0), false, false);
    check((110.1, 150.0), false, true);
    check((150.0, 200.0), false, false);
    check((120.0, 180.0), false, false);
    check((120.0, 160.0), false, false);
    check((120.0, 159.9), false, true);
}

#[test]
fn bold_titles_below_each_other_are_apart() {
    let bold = |line: TextLine| TextLine { is_bold: true, ..line };
    let titles =
        |before: &str, text: &str| [bold(full(before)), bold(TextLine { text: text.to_owned(), ..next() })];
    let check = |[before, line]: [TextLine; 2], expected| {
        assert_eq!(starts([&before, &line], None), expected, "{} / {}", before.text, line.text);
    };
    check(titles("1.1 About", "1.2 Donation"), true);
    check(titles("2 Use", "2.1 First steps"), true);
    check(titles("1.1 About", "2.5 Donation"), false);
    check([full("1.1 About"), line("1.2 Donation", 20.0, 0.0, 100.0)], false);
    // One in the middle of the column, one on its left.
    let left = || bold(line("Participants", 20.0, 0.0, 60.0));
    check([bold(line("Method", 0.0, 80.0, 120.0)), left()], true);
    check([line("Method", 0.0, 80.0, 120.0), TextLine { is_bold: false, ..left() }], false);
}
