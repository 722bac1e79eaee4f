//! Headings by outline, font, number, style and what is around them, at their limits.

use super::*;
use crate::layout::input::page::FontFace;

#[test]
fn outlines_name_headings_whatever_their_numbers_and_marks() {
    let outline = [OutlineEntry { level: 3, title: "1.2 The  Début".to_owned(), page: Some(4) }];
    let names = OutlineTitles::new(&outline);
    let block = |text: &str, page| TextBlock {
        page,
        lines: vec![crate::layout::lines::text_line::TextLine {
            text: text.to_owned(),
            ..Default::default()
        }],
        ..TextBlock::default()
    };
    assert_eq!(names.level(&block("The Début", 4)), Some(3));
    assert_eq!(names.level(&block("1.2 The Début", 5)), Some(3));
    assert_eq!(names.level(&block("The Début", 9)), None);
    assert_eq!(names.level(&block("The Debut", 4)), None);
}

/// The headings of a page whose blocks are a text, a font and whether it is italic.
fn check(blocks: &[(&str, &str, bool)], expected: &[&str]) {
    let block = |(at, (text, name, is_italic)): (usize, &(&str, &str, bool))| {
        let face = FontFace { name: (*name).to_owned(), is_italic: *is_italic, ..FontFace::default() };
        let (face, base) = (std::sync::Arc::new(face), 20.0 * at as f32);
        let line = TextLine { text: (*text).to_owned(), base, is_italic: *is_italic, ..TextLine::default() };
        TextBlock { page: 1, lines: vec![line], size: 10.0, face, ..TextBlock::default() }
    };
    let blocks: Vec<TextBlock> = blocks.iter().enumerate().map(block).collect();
    let face = blocks[blocks.len() - 1].face.clone();
    let run = BodyStyle { pages: (1, 1), size: 10.0, leading: 12.0, face, ..BodyStyle::default() };
    let options = LayoutOptions::default();
    let found = HeadingLevels::find(&blocks, &[run], &[], &CueTable::new(&[]), &options);
    let found = blocks.iter().enumerate().filter(|(at, _)| found.level(*at).is_some());
    assert_eq!(found.map(|(_, block)| block.first_text()).collect::<Vec<_>>(), expected);
}

const TEXT: &str = "This is the text below a title, and it is long enough to be one.";

#[test]
fn numbers_make_lines_in_another_style_headings() {
    let text = (TEXT, "Serif", false);
    let caps = ("II. RESULTS", "Serif", false);
    check(&[caps, text, ("REFERENCES", "Serif", false), text], &["II. RESULTS", "REFERENCES"]);
    check(&[("A. Samples", "Serif", true), text, ("samples", "Serif", true), text], &["A. Samples"]);
    check(&[("2.1 Samples", "Sans", false), text], &["2.1 Samples"]);
    check(&[("2.1 Samples", "Serif", false), text], &[]);
    // Items in italics follow each other.
    check(&[("1. First", "Serif", true), ("2. Second", "Serif", true), text], &[]);
}

#[test]
fn entries_of_contents_are_no_headings() {
    let text = (TEXT, "Serif", false);
    check(&[("2.1 Samples ......... 14", "Sans", false), text], &[]);
    check(&[("2.1 Samples . . . . . . 14", "Sans", false), text], &[]);
    check(&[("2.1 And then ....", "Sans", false), text], &["2.1 And then ...."]);
}

#[test]
fn styles_that_recur_above_text_are_those_of_headings() {
    let text = (TEXT, "Serif", false);
    let title = |title| (title, "Serif", true);
    let (one, two, three) = (title("Samples"), title("Results"), title("Sources"));
    check(&[one, text, two, text, three, text], &["Samples", "Results", "Sources"]);
    check(&[one, text, two, text], &[]);
    check(&[one, two, three, text], &[]);
}

fn lines_of(texts: &[&str]) -> Vec<TextLine> {
    texts.iter().map(|text| TextLine { text: (*text).to_owned(), ..TextLine::default() }).collect()
}

fn sized(texts: &[&str], size: f32) -> TextBlock {
    let face = std::sync::Arc::new(FontFace { name: "Serif".to_owned(), ..FontFace::default() });
    TextBlock { page: 1, lines: lines_of(texts), size, face, ..TextBlock::default() }
}

/// What is said of a block above the text of a document with a body of size 100.
fn said<T>(block: &TextBlock, run: &BodyStyle, read: impl Fn(&HeadingFinder<'_>) -> T) -> T {
    let blocks = [block.clone(), sized(&[TEXT], 100.0)];
    read(&HeadingFinder {
        blocks: &blocks,
        baselines: std::slice::from_ref(run),
        cues: &CueTable::new(&[]),
        options: &LayoutOptions::default(),
    })
}

fn body() -> BodyStyle {
    BodyStyle {
        pages: (1, 1),
        size: 100.0,
        leading: 10.0,
        face: sized(&[], 1.0).face,
        ..BodyStyle::default()
    }
}

#[test]
fn headings_are_short_and_have_a_word() {
    let check = |block: TextBlock, expected| {
        assert_eq!(said(&block, &body(), |finder| finder.can_be(0)), expected, "{block:?}");
    };
    let title = |text: &str| sized(&[text], 100.0);
    check(title("Ab"), true);
    check(title("A 1 B"), true);
    check(title("A"), false);
    check(sized(&["Ab"; 4], 100.0), true);
    check(sized(&["Ab"; 5], 100.0), false);
    check(title(&"x".repeat(200)), true);
    check(title(&"x".repeat(201)), false);
    check(sized(&["A", "Bc"], 100.0), true);
    check(TextBlock { table: Some(Default::default()), ..title("Ab") }, false);
    for end in [",", ";", "-", "\u{ad}"] {
        check(title(&format!("Ab{end}")), false);
    }
    check(title("Ab ..... 7"), false);
    check(title("Ab .... 7"), true);
    check(title("Figure 3"), false);
    check(title("Exercises"), true);
    let mut turned = title("Ab");
    turned.lines[0].is_turned = true;
    check(turned, false);
}

#[test]
fn a_wide_gap_makes_a_row_unless_it_follows_a_number() {
    let check = |text: &str, start: usize, gap: f32, expected| {
        let cells = vec![(0, -50.0, 0.0), (start, gap, gap + 50.0)];
        let line = TextLine { text: text.to_owned(), size: 16.0, cells, ..TextLine::default() };
        assert_eq!(is_row(&line), expected, "{text} {start} {gap}");
    };
    check("one two", 4, 32.0, false);
    check("one two", 4, 32.5, true);
    check("1.2 Title", 4, 90.0, false);
    check("1.2 Title two", 10, 90.0, true);
}

#[test]
fn larger_or_bold_titles_are_headings() {
    let check = |block: TextBlock, run: &BodyStyle, expected: Option<(f32, f32)>| {
        let found = said(&block, run, |finder| finder.font_evidence(0));
        assert_eq!(found.map(|reason| (reason.found, reason.wanted.0)), expected, "{block:?}");
    };
    let bold = |block| TextBlock { is_bold: true, ..block };
    let title = |size: f32| sized(&["A Title"], size);
    check(title(112.0), &body(), Some((112.0, 112.0)));
    check(title(111.5), &body(), None);
    check(bold(title(111.5)), &body(), Some((111.5, BODY_SIZE)));
    check(bold(title(95.0)), &body(), Some((95.0, BODY_SIZE)));
    check(bold(title(94.5)), &body(), None);
    check(bold(title(100.0)), &BodyStyle { is_bold: true, ..body() }, None);
    check(bold(sized(&["A Title"; 3], 100.0)), &body(), Some((100.0, BODY_SIZE)));
    check(bold(sized(&["A Title"; 4], 100.0)), &body(), None);
    check(sized(&["A Title"; 4], 112.0), &body(), Some((112.0, 112.0)));
}

#[test]
fn words_read_as_a_title_given_their_size() {
    let check = |texts: &[&str], [small, large, larger]: [bool; 3]| {
        let found = [111.5, 112.0, 130.0]
            .map(|size| said(&sized(texts, size), &body(), |finder| finder.reads_as_title(0)));
        assert_eq!(found, [small, large, larger], "{texts:?}");
    };
    check(&["A Title"], [true; 3]);
    check(&["It ends."], [false, true, true]);
    check(&["It begins:"], [false, true, true]);
    check(&["It goes on", "and ends."], [false; 3]);
    check(&["What goes on", "and why?"], [true; 3]);
    check(&["2 It ends."], [true; 3]);
    check(&["Exercises"], [false, true, true]);
    check(&["lower case"], [false, false, true]);
    check(&["• An Item"], [false, false, true]);
    check(&["1. An Item"], [true; 3]);
}

#[test]
fn a_title_in_the_size_of_the_body_has_two_cells_and_one_for_its_number() {
    let check = |text: &str, cells: usize, size: f32, expected| {
        let mut block = sized(&[text], size);
        block.lines[0].cells = vec![(0, 0.0, 0.0); cells];
        assert_eq!(said(&block, &body(), |finder| finder.reads_as_title(0)), expected, "{text} {cells}");
    };
    check("The Title", 2, 100.0, true);
    check("The Title", 3, 100.0, false);
    check("1 The Title", 3, 100.0, true);
    check("1 The Title", 4, 100.0, false);
    check("The Title", 3, 112.0, true);
}

#[test]
fn the_last_block_has_no_text_below_it() {
    let blocks = [sized(&["A Title"], 130.0)];
    let finder = HeadingFinder {
        blocks: &blocks,
        baselines: &[],
        cues: &CueTable::new(&[]),
        options: &LayoutOptions::default(),
    };
    assert!(finder.is_last(0) && !finder.reads_as_title(0) && finder.styled(0).is_none());
    assert_eq!(finder.size_of_body(&blocks[0]), 10.0);
}

#[test]
fn a_style_is_a_weight_capitals_a_slant_or_a_typeface() {
    let check = |block: TextBlock, run: &BodyStyle, expected| {
        let found = said(&block, run, |finder| finder.styled(0).is_some());
        assert_eq!(found, expected, "{block:?}");
    };
    let title = || sized(&["A Title"], 100.0);
    let face = |face: FontFace| std::sync::Arc::new(FontFace { name: format!("{}Serif", face.name), ..face });
    let bold = TextBlock { is_bold: true, ..title() };
    let mut italic = title();
    italic.lines[0].is_italic = true;
    check(title(), &body(), false);
    check(bold.clone(), &body(), true);
    check(bold.clone(), &BodyStyle { is_bold: true, ..body() }, false);
    check(italic.clone(), &body(), true);
    let slanted = face(FontFace { is_italic: true, ..FontFace::default() });
    check(italic, &BodyStyle { face: slanted, ..body() }, false);
    check(sized(&["A TITLE"], 100.0), &body(), true);
    let other = face(FontFace { name: "Sans".to_owned(), ..FontFace::default() });
    check(TextBlock { face: other.clone(), ..title() }, &body(), true);
    let code = std::sync::Arc::new(FontFace { is_monospace: true, ..(*other).clone() });
    check(TextBlock { face: code.clone(), ..title() }, &body(), false);
    let all_code = BodyStyle {
        face: std::sync::Arc::new(FontFace { is_monospace: true, ..(*body().face).clone() }),
        ..body()
    };
    check(TextBlock { face: code, ..title() }, &all_code, true);
    check(TextBlock { boxed: Some(0), ..bold.clone() }, &body(), false);
    check(TextBlock { size: 85.0, ..bold.clone() }, &body(), true);
    check(TextBlock { size: 84.5, ..bold.clone() }, &body(), false);
    check(TextBlock { lines: lines_of(&["Ab"; 3]), ..bold.clone() }, &body(), true);
    check(TextBlock { lines: lines_of(&["Ab"; 4]), ..bold }, &body(), false);
}

#[test]
fn numbers_of_several_parts_make_any_words_a_title() {
    let mono = FontFace { name: "Mono".to_owned(), is_monospace: true, ..FontFace::default() };
    let mono = std::sync::Arc::new(mono);
    let check = |text: &str, is_bold: bool, expected| {
        let block = TextBlock { is_bold, face: mono.clone(), ..sized(&[text], 90.0) };
        let found = said(&block, &body(), |finder| finder.styled(0).map(|found| found.has_number));
        assert_eq!(found, expected, "{text} {is_bold}");
    };
    check("5.4.3 \\command", true, Some(true));
    check("5.4 command", true, Some(true));
    check("5.4.3 \\command", false, None);
    check("5 command", true, None);
    check("\\command", true, None);
}

#[test]
fn bold_letters_of_another_typeface_may_be_smaller() {
    let sans = FontFace { name: "Sans-Bold".to_owned(), ..FontFace::default() };
    let sans = std::sync::Arc::new(sans);
    let check = |block: TextBlock, expected| {
        let found = said(&block, &body(), |finder| finder.styled(0).map(|found| found.is_small));
        assert_eq!(found, Some(expected), "{block:?}");
    };
    let title = || TextBlock { is_bold: true, ..sized(&["A Title"], 90.0) };
    check(title(), true);
    check(TextBlock { face: sans.clone(), ..title() }, false);
    check(TextBlock { face: sans.clone(), is_bold: false, ..title() }, true);
}

#[test]
fn a_styled_block_is_described_by_its_surroundings() {
    let check = |above: f32, region: usize, text: usize, size: f32, expected: (bool, bool, bool)| {
        let at = |base: f32, block: TextBlock| {
            let mut block = block;
            block.lines[0].base = base;
            block
        };
        let title = TextBlock { is_bold: true, region, ..sized(&["A Title"], size) };
        let blocks =
            [at(0.0, sized(&["above"], 100.0)), at(above, title), sized(&[&"x".repeat(text)], 100.0)];
        let finder = HeadingFinder {
            blocks: &blocks,
            baselines: &[body()],
            cues: &CueTable::new(&[]),
            options: &LayoutOptions::default(),
        };
        let found = finder.styled(1).map(|found| (found.has_space, found.is_small, found.has_text));
        assert_eq!(found, Some(expected), "{above} {region} {text} {size}");
    };
    check(12.0, 0, 60, 100.0, (true, false, true));
    check(11.5, 0, 60, 100.0, (false, false, true));
    check(1.0, 1, 60, 100.0, (true, false, true));
    check(12.0, 0, 59, 100.0, (true, false, false));
    check(12.0, 0, 60, 95.0, (true, false, true));
    check(12.0, 0, 60, 94.5, (true, true, true));
}

#[test]
fn the_file_names_headings_that_do_not_look_like_the_body() {
    let check = |texts: &[&str], size: f32, name: &str, tag: TextTag, expected| {
        let mut block = sized(texts, size);
        block.face = std::sync::Arc::new(FontFace { name: name.to_owned(), ..FontFace::default() });
        block.lines.iter_mut().for_each(|line| line.tag = Some(tag));
        let found = said(&block, &body(), |finder| finder.tagged_level(0));
        assert_eq!(found, expected, "{texts:?} {size} {name}");
    };
    check(&["A Title"], 110.0, "Serif", TextTag::Heading(3), Some(3));
    check(&["A Title"], 100.25, "Serif", TextTag::Heading(3), None);
    check(&["A Title"], 100.75, "Serif", TextTag::Heading(3), Some(3));
    check(&["A Title"], 100.0, "Sans", TextTag::Heading(2), Some(2));
    check(&["It ends."], 110.0, "Serif", TextTag::Heading(3), None);
    check(&["A Title"], 110.0, "Serif", TextTag::Note, None);
}

/// Blocks of one style, each with its number, whether it has space, is small and has text.
fn recurring_of(blocks: &[(usize, [bool; 4])]) -> Vec<usize> {
    let styled = |(at, [has_number, has_space, is_small, has_text]): &(usize, [bool; 4])| StyledBlock {
        at: *at,
        style: style(&sized(&["Ab"], 100.0)),
        has_number: *has_number,
        has_space: *has_space,
        is_small: *is_small,
        has_text: *has_text,
        reason: reason(100.0, MIN_SIZE),
    };
    let found = recurring(blocks.iter().map(styled).collect(), FxHashSet::default());
    found.into_iter().map(|(at, _)| at).collect()
}

#[test]
fn styles_recur_three_times_with_space_and_text() {
    let plain = [false, true, false, true];
    assert_eq!(recurring_of(&[(0, plain), (2, plain), (4, plain)]), [0, 2, 4]);
    assert!(recurring_of(&[(0, plain), (2, plain)]).is_empty());
    assert!(recurring_of(&[(0, plain), (2, plain), (4, [false, false, false, true])]).is_empty());
    assert!(recurring_of(&[(0, plain), (2, plain), (4, [false, true, false, false])]).is_empty());
    let mixed = [
        (0, plain),
        (2, plain),
        (4, plain),
        (6, [false, true, true, true]),
        (8, [false, false, false, true]),
    ];
    assert_eq!(recurring_of(&mixed), [0, 2, 4]);
    let with_bare = [(0, plain), (2, plain), (4, plain), (6, [false, true, false, false])];
    assert_eq!(recurring_of(&with_bare), [0, 2, 4]);
    assert!(recurring_of(&[(0, plain), (1, plain), (2, plain), (3, plain)]).is_empty());
    assert_eq!(recurring_of(&[(0, plain), (1, plain), (3, plain), (5, plain), (7, plain)]), [3, 5, 7]);
    let numbered = [true, true, false, true];
    assert_eq!(recurring_of(&[(0, numbered), (2, [false, true, true, false])]), [0, 2]);
    assert!(recurring_of(&[(0, [true, false, false, true]), (2, plain)]).is_empty());
    assert!(recurring_of(&[(0, numbered), (1, numbered)]).is_empty());
}

#[test]
fn an_outline_names_titles_on_its_page_or_next_to_it() {
    let entry = |level, title: &str, page| OutlineEntry { level, title: title.to_owned(), page };
    let outline =
        [entry(1, "Lamps", Some(4)), entry(2, "Lamps", Some(9)), entry(3, "Oil", None), entry(4, "X", None)];
    let names = OutlineTitles::new(&outline);
    let level = |text: &str, page| names.level(&TextBlock { page, ..sized(&[text], 10.0) });
    assert_eq!(
        [2, 3, 5, 6, 8, 10, 11].map(|page| level("LAMPS", page)),
        [None, Some(1), Some(1), None, Some(2), Some(2), None]
    );
    assert_eq!((level("Oil", 77), level("X", 4), level("3 Oil", 1)), (Some(3), None, Some(3)));
}
