//! Classes at the limits of the sizes, shares and distances that decide them.

use super::*;
use crate::layout::input::bounds::Bounds;
use crate::layout::lines::line_measure::LineMeasure;
use crate::layout::lines::text_line::TextLine;
use crate::layout::ordered_page::tables::layout_table::{LayoutTable, TableRow};

/// Lines of these texts in a column of 200 points; all but the last one are full.
fn block(texts: &[&str], size: f32) -> TextBlock {
    let line = |(at, text): (usize, &&str)| {
        let x1 = if at + 1 < texts.len() { 200.0 } else { 100.0 };
        TextLine { text: (*text).to_owned(), x1, size, ..TextLine::default() }
    };
    TextBlock {
        page: 1,
        lines: texts.iter().enumerate().map(line).collect(),
        bounds: Bounds { x0: 0.0, y0: 10.0, x1: 200.0, y1: 20.0 },
        size,
        measure: LineMeasure { left: 0.0, right: 200.0 },
        ..TextBlock::default()
    }
}

fn style(size: f32) -> BodyStyle {
    let bands = vec![TextColumn { left: 0.0, right: 200.0, characters: 100 }];
    BodyStyle {
        pages: (1, 9),
        columns: 1,
        bands,
        size,
        leading: 12.0,
        density: (2.0, 4.0),
        ..BodyStyle::default()
    }
}

/// What is said of some blocks whose body has this style.
fn with<T>(blocks: &[TextBlock], style: &BodyStyle, read: impl Fn(&BlockClassifier<'_>) -> T) -> T {
    read(&BlockClassifier {
        blocks,
        baselines: std::slice::from_ref(style),
        headings: &HeadingLevels::default(),
        cues: &CueTable::new(&[]),
        options: &LayoutOptions::default(),
    })
}

/// Three lines with so many characters, of which the first two are full.
fn body(characters: usize, size: f32) -> TextBlock {
    let first = "x".repeat(characters - 20);
    block(&[&first, &"y".repeat(10), &"z".repeat(10)], size)
}

fn other(characters: usize, size: f32) -> TextBlock {
    block(&[&"x".repeat(characters)], size)
}

fn table(characters: usize, size: f32) -> TextBlock {
    let cells = vec!["x".repeat(characters)];
    let rows = vec![TableRow { cells, bounds: Bounds::EMPTY }];
    TextBlock {
        page: 1,
        table: Some(LayoutTable { rows, size, ..LayoutTable::default() }),
        ..TextBlock::default()
    }
}

#[test]
fn enough_full_lines_of_body_text_make_prose() {
    let check = |blocks: &[TextBlock], expected| {
        assert_eq!(with(blocks, &style(10.0), |classifier| classifier.is_prose()), expected, "{blocks:#?}");
    };
    check(&[], false);
    check(&[body(35, 10.0), other(65, 10.0)], true);
    check(&[body(35, 10.0), other(66, 10.0)], false);
    check(&[body(35, 10.0), table(65, 10.0)], true);
    check(&[body(35, 10.0), table(66, 10.0)], false);
    check(&[body(40, 11.0)], true);
    check(&[body(40, 11.25)], false);
    check(&[body(40, 9.0)], true);
    check(&[body(40, 8.75)], false);
    check(&[TextBlock { boxed: Some(0), ..body(40, 10.0) }], false);
    check(&[block(&["of two lines", "the first one is full"], 10.0)], false);
}

#[test]
fn full_lines_below_larger_text_are_small_print() {
    let check = |blocks: &[TextBlock], expected| {
        assert_eq!(with(blocks, &style(10.0), |classifier| classifier.is_prose()), expected);
    };
    check(&[body(40, 10.0), other(9, 11.5)], true);
    check(&[body(40, 10.0), other(10, 11.5)], false);
    check(&[body(40, 10.0), other(10, 11.4)], true);
    check(&[body(40, 10.0), table(9, 11.5)], true);
    check(&[body(40, 10.0), table(10, 11.5)], false);
    check(&[body(40, 10.0), table(10, 11.4)], true);
}

#[test]
fn a_sentence_about_a_figure_in_the_type_of_the_body_is_no_caption() {
    let check = |text: &str, size: f32, expected| {
        let found = with(&[block(&[text], size)], &style(16.0), |classifier| classifier.cue(0).is_some());
        assert_eq!(found, expected, "{text} {size}");
    };
    check("Figure 3 shows that", 16.0, false);
    check("Figure 3 shows that", 16.25, false);
    check("Figure 3 shows that", 15.75, false);
    check("Figure 3 shows that", 16.5, true);
    check("Figure 3 shows that", 15.5, true);
    check("Figure 3 Shows that", 16.0, true);
    check("Exercises", 16.0, true);
    check("Words of prose", 16.0, false);
}

#[test]
fn notes_are_small_and_have_a_mark_and_no_body_text_below_them() {
    let check = |note: TextBlock, below: TextBlock, expected| {
        let blocks = [note, below];
        let style = style(16.0);
        assert_eq!(
            with(&blocks, &style, |classifier| classifier.is_footnote(0, &style)),
            expected,
            "{blocks:#?}"
        );
    };
    let limit = 0.97 * 16.0;
    let note = || block(&["1 a note"], limit);
    let below = |y0: f64, size: f32| TextBlock {
        bounds: Bounds { x0: 0.0, y0, x1: 9.0, y1: 90.0 },
        ..other(9, size)
    };
    check(note(), below(50.0, 8.0), true);
    check(block(&["1 a note"], 15.75), below(50.0, 8.0), false);
    check(block(&["a note"], limit), below(50.0, 8.0), false);
    check(TextBlock { boxed: Some(0), ..note() }, below(50.0, 8.0), false);
    check(note(), below(50.0, 16.0), false);
    check(note(), below(50.0, limit), true);
    check(note(), below(10.0, 16.0), true);
    check(note(), below(10.5, 16.0), false);
    check(note(), TextBlock { page: 2, ..below(50.0, 16.0) }, true);
    check(note(), TextBlock { region: 1, ..below(50.0, 16.0) }, true);
    check(note(), TextBlock { boxed: Some(0), ..below(50.0, 16.0) }, true);
}

#[test]
fn body_text_far_below_a_note_does_not_count() {
    let check = |between: usize, expected| {
        let mut blocks = vec![block(&["1 a note"], 8.0)];
        blocks.extend((0..between).map(|_| other(9, 8.0)));
        blocks.push(TextBlock { bounds: Bounds { x0: 0.0, y0: 50.0, x1: 9.0, y1: 60.0 }, ..other(9, 16.0) });
        let style = style(16.0);
        assert_eq!(
            with(&blocks, &style, |classifier| classifier.is_footnote(0, &style)),
            expected,
            "{between}"
        );
    };
    check(MAX_BLOCKS_BELOW_NOTE - 1, false);
    check(MAX_BLOCKS_BELOW_NOTE, true);
}

#[test]
fn notes_at_the_end_are_next_to_the_note_before_or_after() {
    let check = |texts: [&str; 3], size: f32, expected: [bool; 3]| {
        let blocks = texts.map(|text| block(&[text], size));
        let found =
            with(&blocks, &style(16.0), |classifier| [0, 1, 2].map(|at| classifier.is_in_note_list(at)));
        assert_eq!(found, expected, "{texts:?} {size}");
    };
    let limit = 0.97 * 16.0;
    check(["1 Lamps", "2 Oil", "3 Tides"], limit, [true; 3]);
    check(["1 Lamps", "2 Oil", "3 Tides"], 15.75, [false; 3]);
    check(["1 Lamps", "2 Oil", "4 Tides"], limit, [true, true, false]);
    check(["1 Lamps", "3 Oil", "4 Tides"], limit, [false, true, true]);
    check(["1 Lamps", "2 oil", "3 Tides"], limit, [false; 3]);
    check(["3 Lamps", "2 Oil", "1 Tides"], limit, [false; 3]);
    check(["1 Lamps", "Oil", "2 Tides"], limit, [false; 3]);
    check(["1 Lamps", "1 Oil", "x Tides"], limit, [false; 3]);
}

#[test]
fn most_of_the_document_has_the_style_with_the_most_characters() {
    let of = |size: f32, characters: &[usize]| {
        let bands =
            characters.iter().map(|characters| TextColumn { left: 0.0, right: 9.0, characters: *characters });
        BodyStyle { bands: bands.collect(), ..style(size) }
    };
    let styles = [of(8.0, &[50]), of(9.0, &[30, 30]), of(10.0, &[55])];
    let classifier = BlockClassifier {
        blocks: &[],
        baselines: &styles,
        headings: &HeadingLevels::default(),
        cues: &CueTable::new(&[]),
        options: &LayoutOptions::default(),
    };
    assert_eq!(classifier.main_style().map(|style| style.size), Some(9.0));
}

/// The reasons for a block as reports show them.
fn measured(block: &TextBlock, style: &BodyStyle) -> Vec<String> {
    with(&[], style, |classifier| {
        let mut reasons = Vec::new();
        classifier.measure(block, style, &mut reasons);
        reasons.iter().map(ToString::to_string).collect()
    })
}

/// Three lines of forty characters in the style of the body.
fn prose() -> TextBlock {
    let text = "word ".repeat(8);
    let leading = Some(12.0);
    TextBlock { leading, body_leading: leading, density: 3.0, ..block(&[&text, &text, &text], 10.0) }
}

#[test]
fn each_measure_of_a_block_is_compared_with_the_body() {
    let all = [
        "font_size 100 in 90..110 holds",
        "line_height 100 in 88..112 holds",
        "column_overlap 100 in 90..100 holds",
        "column_width 100 in 80..any holds",
        "density 3 in 1.4..5.2 holds",
    ];
    let check = |block: TextBlock, expected: &[&str]| assert_eq!(measured(&block, &style(10.0)), expected);
    check(prose(), &all);
    check(TextBlock { size: 11.5, ..prose() }, &[&["font_size 115 in 90..110 fails"], &all[1..]].concat());
    check(TextBlock { density: 1.0, ..prose() }, &[&all[..4], &["density 1 in 1.4..5.2 fails"]].concat());
    check(TextBlock { density: 5.5, ..prose() }, &[&all[..4], &["density 5.5 in 1.4..5.2 fails"]].concat());
    let mut few = prose();
    few.lines[0].text.pop();
    check(few, &all[..4]);
    let two = TextBlock { lines: prose().lines[1..].to_vec(), ..prose() };
    check(two, &[all[0], all[2], all[3]]);
    let mut short = prose();
    short.lines.iter_mut().for_each(|line| line.x1 = 100.0);
    check(short, &[all[0], all[1], all[2], all[4]]);
    let bounds = Bounds { x1: 150.0, ..prose().bounds };
    check(
        TextBlock { bounds, ..prose() },
        &[&all[..3], &["column_width 75 in 80..any fails"], &all[4..]].concat(),
    );
    let bounds = Bounds { x0: -49.0, x1: 151.0, ..prose().bounds };
    let beside = ["column_overlap 76 in 90..100 fails", "column_width 100 in 80..any holds"];
    check(TextBlock { bounds, ..prose() }, &[&all[..2], &beside, &all[4..]].concat());
}

#[test]
fn the_distance_of_the_body_counts_between_those_with_and_without_scripts() {
    let check = |least: f32, leading: f32, expected: &str| {
        let block = TextBlock { body_leading: Some(least), leading: Some(leading), ..prose() };
        assert_eq!(measured(&block, &style(10.0))[1], expected);
    };
    check(10.0, 14.0, "line_height 100 in 88..112 holds");
    check(15.0, 18.0, "line_height 125 in 88..112 fails");
    check(9.0, 10.5, "line_height 87.5 in 88..112 fails");
}

#[test]
fn quotations_may_be_closer_and_narrower() {
    let quoted = |indent: f32, width: f64| {
        let mut block = prose();
        block.lines.iter_mut().for_each(|line| line.x0 = indent);
        let bounds = Bounds { x0: 20.0, x1: 20.0 + width, ..block.bounds };
        measured(&TextBlock { bounds, leading: Some(6.0), body_leading: Some(6.0), ..block }, &style(10.0))
    };
    let found = quoted(20.0, 130.0);
    assert_eq!(found[1], "line_height 50 in 45..112 holds");
    assert_eq!(found[3], "column_width 65 in 60..any holds");
    let found = quoted(2.0, 130.0);
    assert_eq!(found[1], "line_height 50 in 88..112 fails");
    assert_eq!(found[3], "column_width 65 in 80..any fails");
}

#[test]
fn all_lines_of_a_quotation_are_indented_in_its_column() {
    let band = TextColumn { left: 0.0, right: 200.0, characters: 9 };
    let check = |indents: &[f32], rows: usize, right: f64, expected| {
        let mut quote = block(&vec!["text"; indents.len()], 16.0);
        quote.bounds.x1 = right;
        for (at, (line, indent)) in quote.lines.iter_mut().zip(indents).enumerate() {
            line.x0 = *indent;
            line.cells = vec![(0, 0.0, 9.0); if at < rows { 2 } else { 1 }];
        }
        assert_eq!(is_quote(&quote, &band), expected, "{indents:?} {rows} {right}");
    };
    let least = 0.8 * 16.0;
    check(&[least, 20.0], 0, 201.0, true);
    check(&[12.5, 20.0], 0, 201.0, false);
    check(&[20.0, 12.5], 0, 201.0, false);
    check(&[20.0, 20.0], 0, 201.5, false);
    check(&[20.0; 4], 1, 200.0, true);
    check(&[20.0; 3], 1, 200.0, false);
    check(&[20.0; 8], 2, 200.0, true);
}

#[test]
fn text_in_the_size_of_the_document_continues_it_on_pages_of_another_size() {
    let check = |size: f32, run: f32, main: f32, expected| {
        let found = is_continued(&other(9, size), &style(run), &style(main));
        assert_eq!(found, expected, "{size} {run} {main}");
    };
    check(10.0, 12.0, 10.0, true);
    check(10.0, 10.0, 10.0, false);
    check(10.0, 12.0, 12.0, false);
    check(10.0, 10.25, 10.0, false);
    check(10.0, 9.75, 10.0, false);
    check(10.0, 10.5, 10.25, true);
    check(10.0, 9.5, 9.75, true);
    check(10.0, 12.0, 10.5, false);
    check(10.0, 12.0, 9.5, false);
}

#[test]
fn titles_of_other_documents_are_named_or_large() {
    let check = |found: f32, wanted: f32, lines: usize, expected| {
        let reason = ClassReason { rule: ClassRule::Heading, found, wanted: (wanted, 0.0), holds: true };
        assert_eq!(is_plain_title(&block(&vec!["Title"; lines], 10.0), &reason), expected);
    };
    check(100.0, 0.0, 5, true);
    check(130.0, 112.0, 2, true);
    check(129.5, 112.0, 2, false);
    check(130.0, 112.0, 3, false);
}

#[test]
fn a_box_goes_on_in_the_next_column_or_on_the_next_page() {
    let at = |page, size, [x1, y0, y1]: [f64; 3]| TextBlock {
        page,
        bounds: Bounds { x0: 0.0, y0, x1, y1 },
        ..block(&["It ends here."], size)
    };
    let check = |first: TextBlock, expected| {
        assert_eq!(continues_box(&at(3, 16.0, [100.0, 50.0, 60.0]), &first), expected, "{first:?}");
    };
    check(at(4, 16.0, [100.0, 70.0, 80.0]), true);
    check(at(5, 16.0, [100.0, 70.0, 80.0]), false);
    check(at(2, 16.0, [100.0, 10.0, 20.0]), false);
    check(at(3, 16.0, [100.0, 40.0, 49.5]), true);
    check(at(3, 16.0, [100.0, 40.0, 50.0]), false);
    check(at(4, 16.5, [100.0, 70.0, 80.0]), true);
    check(at(4, 15.5, [100.0, 70.0, 80.0]), true);
    check(at(4, 17.0, [100.0, 70.0, 80.0]), false);
    check(at(4, 15.0, [100.0, 70.0, 80.0]), false);
    check(at(4, 16.0, [50.0, 70.0, 80.0]), true);
    check(at(4, 16.0, [49.5, 70.0, 80.0]), false);
    let label = TextBlock { lines: block(&["On lamps"], 16.0).lines, ..at(3, 16.0, [100.0, 50.0, 60.0]) };
    assert!(continues_box(&label, &at(4, 16.0, [40.0, 70.0, 80.0])));
}

#[test]
fn labels_are_short_or_end_with_a_colon() {
    let check = |text: &str, expected| assert_eq!(is_label(&block(&[text], 10.0)), expected, "{text}");
    check(&"x".repeat(80), true);
    check(&"x".repeat(81), false);
    check(&format!("{}:", "x".repeat(90)), true);
    check("It ends.", false);
    check("On lamps", true);
}

#[test]
fn notes_start_with_a_mark() {
    for (text, expected) in [
        ("1 a", true),
        ("12a", true),
        ("123. a", true),
        ("1234 a", false),
        ("1) a", true),
        ("1“a", true),
        ("1\"a", true),
        ("1‘a", true),
        ("1-a", false),
        ("1", false),
        ("* a", true),
        ("† a", true),
        ("‡ a", true),
        ("§ a", true),
        ("¶ a", true),
        ("a", false),
        ("", false),
    ] {
        assert_eq!(starts_with_mark(text), expected, "{text}");
    }
}

/// The kinds of the boxes of some blocks, by page and number.
fn kinds(blocks: &[TextBlock]) -> Vec<((u64, usize), AuxKind)> {
    let kinds = with(blocks, &style(10.0), |classifier| classifier.kinds_of_boxes());
    let mut kinds: Vec<((u64, usize), AuxKind)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(place, _)| *place);
    kinds
}

#[test]
fn a_box_has_the_kind_that_its_title_or_its_place_shows() {
    let boxed = |text: &str, page, number, x0: f64| TextBlock {
        page,
        boxed: Some(number),
        bounds: Bounds { x0, y0: 10.0, x1: x0 + 100.0, y1: 20.0 },
        ..block(&[text], 10.0)
    };
    let text = "It ends here.";
    let (activity, callout, sidebar) = (AuxKind::Activity, AuxKind::Callout, AuxKind::Sidebar);
    assert_eq!(kinds(&[boxed("Exercises", 1, 0, 0.0), boxed(text, 1, 0, 0.0)]), [((1, 0), activity)]);
    assert_eq!(kinds(&[boxed(text, 1, 0, 0.0), boxed("Exercises", 1, 0, 0.0)]), [((1, 0), activity)]);
    let third = [boxed(text, 1, 0, 0.0), boxed(text, 1, 0, 0.0), boxed("Exercises", 1, 0, 0.0)];
    assert_eq!(kinds(&third), [((1, 0), callout)]);
    assert_eq!(kinds(&[boxed(text, 1, 0, 300.0)]), [((1, 0), sidebar)]);
    assert_eq!(kinds(&[boxed(text, 1, 0, 300.0), boxed(text, 1, 0, 0.0)]), [((1, 0), callout)]);
    let next =
        [boxed("Exercises", 1, 0, 0.0), other(9, 10.0), boxed(text, 2, 0, 0.0), boxed(text, 2, 3, 0.0)];
    assert_eq!(kinds(&next), [((1, 0), activity), ((2, 0), activity), ((2, 3), callout)]);
    assert_eq!(kinds(&[boxed("Figure 1", 1, 0, 0.0)]), [((1, 0), callout)]);
    assert_eq!(kinds(&[other(9, 10.0)]), []);
}
