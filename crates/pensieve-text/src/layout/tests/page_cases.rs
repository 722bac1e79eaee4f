//! Pages drawn line by line, and what the layout makes of them: one test for each rule about running text.

use crate::layout::*;
use crate::model::LayoutRole;
use std::sync::Arc;

/// A document that is drawn line by line.
#[derive(Default)]
struct DrawnDocument {
    pages: Vec<LayoutPage>,
}

/// The type of a line.
#[derive(Clone, Copy)]
struct LineType {
    size: f32,
    is_bold: bool,
    rotation: f32,
}

const BODY: LineType = LineType { size: 10.0, is_bold: false, rotation: 0.0 };
const TITLE: LineType = LineType { size: 16.0, is_bold: true, rotation: 0.0 };

impl DrawnDocument {
    fn page(&mut self) {
        let number = self.pages.len() as u64 + 1;
        self.pages.push(LayoutPage { number, width: 600.0, height: 800.0, ..LayoutPage::default() });
    }

    /// A line from `x` on, `length` points long, with words added until it has letters of the usual width.
    fn line(&mut self, text: &str, (x, y): (f32, f32), length: f32, line_type: LineType) {
        let LineType { size, is_bold, rotation } = line_type;
        let name = if is_bold { "Serif-Bold" } else { "Serif" };
        let weight = if is_bold { 700 } else { 400 };
        let mut text = text.to_owned();
        let ending = if text.ends_with('.') { text.pop() } else { None };
        while text.len() + 5 <= (length / size / 0.5) as usize {
            text.push_str(" word");
        }
        text.extend(ending);
        let font = Arc::new(FontFace { name: name.to_owned(), weight, ..FontFace::default() });
        let bbox = match rotation == 0.0 {
            true => [x, y - 0.78 * size, x + length, y + 0.22 * size],
            false => [x - 0.22 * size, y, x + 0.78 * size, y + length],
        };
        let page = self.pages.last_mut().expect("a page was begun");
        page.spans.push(TextSpan {
            text,
            font,
            size,
            rotation,
            origin: [x, y],
            length,
            bbox,
            line_height: size,
            is_invisible: false,
            is_vertical: false,
            gaps: Vec::new(),
            tag: None,
        });
    }

    /// Full lines of body text from `y` on, with a last line of half the width that ends a sentence.
    fn paragraph(&mut self, start: &str, (x, y): (f32, f32), lines: usize, width: f32) -> f32 {
        for at in 0..lines {
            let y = y + 12.0 * at as f32;
            match at {
                0 => self.line(start, (x + 15.0, y), width - 15.0, BODY),
                _ if at + 1 == lines => self.line("ends.", (x, y), width / 2.0, BODY),
                _ => self.line("goes on", (x, y), width, BODY),
            }
        }
        y + 12.0 * lines as f32
    }

    fn composed(&self) -> LayoutBatch {
        let mut composer = LayoutComposer::new(&LayoutOptions::default(), Vec::new());
        self.pages.iter().for_each(|page| {
            composer.push(page);
        });
        let batch = composer.compose(&mut |_| {}).expect("the order rises");
        assert_eq!(batch.violations, []);
        batch
    }
}

/// The paragraphs of one role.
fn paragraphs_of(batch: &LayoutBatch, role: LayoutRole) -> Vec<String> {
    let units = batch.units.iter().filter(|unit| unit.role == role && unit.level == 0);
    let units: Vec<&LayoutUnit> = units.collect();
    let whole = units
        .chunk_by(|a, b| (a.key.section_seq, a.key.para_seq) == (b.key.section_seq, b.key.para_seq))
        .map(|units| units.iter().map(|unit| unit.text.as_str()).collect::<Vec<_>>().join(" "));
    whole.collect()
}

#[track_caller]
fn check_main(document: &DrawnDocument, expected: usize) -> Vec<String> {
    let batch = document.composed();
    let main = paragraphs_of(&batch, LayoutRole::Main);
    assert_eq!(paragraphs_of(&batch, LayoutRole::Aux), [] as [&str; 0]);
    assert_eq!(main.len(), expected, "{main:#?}");
    main
}

/// A page of body text, so that the style of the body is known.
fn with_body() -> DrawnDocument {
    let mut document = DrawnDocument::default();
    document.page();
    let mut y = 100.0;
    for _ in 0..6 {
        y = document.paragraph("Ordinary", (100.0, y), 6, 400.0);
    }
    document
}

#[test]
fn lines_with_twice_the_usual_distance_are_one_paragraph() {
    let mut document = DrawnDocument::default();
    document.page();
    for at in 0..14 {
        let length = if at == 13 { 200.0 } else { 400.0 };
        let text = if at == 13 {
            "the last of them."
        } else {
            "a full line of a manuscript with wide spacing and so"
        };
        document.line(text, (100.0, 100.0 + 24.0 * at as f32), length, BODY);
    }
    check_main(&document, 1);
}

#[test]
fn scripts_that_push_lines_apart_do_not_end_a_paragraph() {
    let mut document = with_body();
    document.page();
    let mut y = 100.0;
    for at in 0..8 {
        if at == 3 {
            y += 5.0;
            let raised = LineType { size: 7.0, ..BODY };
            document.line("2", (300.0, y - 4.5), 4.0, raised);
        }
        let text =
            if at == 7 { "The end of it." } else { "Words of a line that is full and goes on below it and" };
        document.line(text, (100.0, y), if at == 7 { 150.0 } else { 400.0 }, BODY);
        y += 12.0;
    }
    let main = check_main(&document, 7);
    assert!(main.iter().any(|text| text.starts_with("Words") && text.ends_with("word.")), "{main:#?}");
}

#[test]
fn a_full_line_at_the_end_of_a_page_goes_on_without_an_indent() {
    let check = |indent: f32, expected: usize| {
        let mut document = with_body();
        for at in 0..4 {
            let text = if at == 3 {
                "the page ends here, with a sentence."
            } else {
                "Its lines are all full and then"
            };
            document.line(text, (100.0, 600.0 + 12.0 * at as f32), 400.0, BODY);
        }
        document.page();
        document.line(
            "A sentence at the top of the next page, that is",
            (100.0 + indent, 100.0),
            400.0 - indent,
            BODY,
        );
        document.line("full, and the last one.", (100.0, 112.0), 150.0, BODY);
        check_main(&document, expected);
    };
    check(0.0, 7);
    check(15.0, 8);
}

#[test]
fn an_abstract_above_two_columns_is_prose() {
    let mut document = DrawnDocument::default();
    document.page();
    document.line("A Title of Some Length", (210.0, 80.0), 190.0, TITLE);
    document.line("Somebody Whose Name", (240.0, 110.0), 120.0, LineType { size: 12.0, ..BODY });
    document.line("A Place", (270.0, 124.0), 35.0, BODY);
    let small = LineType { size: 8.5, ..BODY };
    for at in 0..5 {
        let text = if at == 4 {
            "its end."
        } else {
            "Abstract words in small type which run over both columns of the page and"
        };
        document.line(text, (90.0, 150.0 + 10.0 * at as f32), if at == 4 { 100.0 } else { 420.0 }, small);
    }
    for x in [60.0, 310.0] {
        document.line("1 Heading", (x, 230.0), 70.0, LineType { size: 12.0, is_bold: true, rotation: 0.0 });
        let mut y = 250.0;
        for _ in 0..5 {
            y = document.paragraph("Body", (x, y), 6, 230.0);
        }
    }
    let main = check_main(&document, 13);
    assert!(main.iter().any(|text| text.starts_with("Abstract")), "{main:#?}");
    let batch = document.composed();
    let headings: Vec<&str> =
        batch.units.iter().filter(|unit| unit.level > 0).map(|unit| unit.text.as_str()).collect();
    assert_eq!(headings, ["A Title of Some Length", "1 Heading", "1 Heading"]);
}

#[test]
fn quotations_may_be_set_closer() {
    let mut document = with_body();
    for at in 0..4 {
        let text =
            if at == 3 { "and its end." } else { "a quotation with lines that are closer than those of" };
        document.line(
            text,
            (130.0, 600.0 + 9.6 * at as f32),
            if at == 3 { 90.0 } else { 340.0 },
            LineType { size: 9.5, ..BODY },
        );
    }
    check_main(&document, 7);
}

#[test]
fn pages_on_their_side_are_prose() {
    let mut document = with_body();
    document.page();
    for at in 0..8 {
        let is_last = at == 7;
        let text = if is_last {
            "and its end."
        } else {
            "a line of a page that stands on its side with all its text"
        };
        let x = 500.0 - 12.0 * at as f32;
        document.line(
            text,
            (x, 100.0),
            if is_last { 150.0 } else { 600.0 },
            LineType { rotation: 90.0, ..BODY },
        );
    }
    check_main(&document, 7);
}

#[test]
fn words_of_a_figure_do_not_end_a_paragraph() {
    let mut document = with_body();
    document.line("Here begins a sentence", (100.0, 600.0), 400.0, BODY);
    document.line("that stops at the end of the page with", (100.0, 612.0), 400.0, BODY);
    document.page();
    document.line("hours", (290.0, 100.0), 25.0, BODY);
    document.line("and goes on below a figure and", (100.0, 300.0), 400.0, BODY);
    document.line("then it ends.", (100.0, 312.0), 200.0, BODY);
    let main = check_main(&document, 8);
    assert!(
        main.iter().any(|text| text.starts_with("Here") && text.contains("and goes on below")),
        "{main:#?}"
    );
}

#[test]
fn notes_at_the_end_are_not_prose() {
    let mut document = with_body();
    document.page();
    let small = LineType { size: 8.0, ..BODY };
    for at in 0..6 {
        let y = 100.0 + 30.0 * at as f32;
        document.line(&format!("{} Note of the text that says", at + 1), (100.0, y), 400.0, small);
        document.line("more about it.", (100.0, y + 10.0), 150.0, small);
    }
    let batch = document.composed();
    assert_eq!(paragraphs_of(&batch, LayoutRole::Main).len(), 6);
    assert_eq!(paragraphs_of(&batch, LayoutRole::Aux).len(), 6);
}

#[test]
fn the_right_column_is_first_where_text_runs_to_the_left() {
    let mut document = DrawnDocument::default();
    document.page();
    for (x, word) in [(60.0, "\u{5d1}"), (320.0, "\u{5d0}")] {
        for at in 0..12 {
            let words = vec![word.repeat(4); 9].join(" ");
            document.line(&words, (x, 100.0 + 12.0 * at as f32), 230.0, BODY);
        }
    }
    let text = paragraphs_of(&document.composed(), LayoutRole::Main).concat();
    assert!(text.find('\u{5d0}') < text.find('\u{5d1}'), "{text}");
}

#[test]
fn what_the_file_tags_is_a_heading_a_caption_or_a_note() {
    let mut document = with_body();
    let tagged = [
        ("of lower case", 11.0, TextTag::Heading(2)),
        ("Words below a picture without a label.", 10.0, TextTag::Caption),
        ("A note in the type of the body.", 10.0, TextTag::Note),
    ];
    for (at, (text, size, tag)) in tagged.into_iter().enumerate() {
        document.line(text, (100.0, 600.0 + 40.0 * at as f32), 100.0, LineType { size, ..BODY });
        let page = document.pages.last_mut().expect("a page");
        page.spans.last_mut().expect("a line").tag = Some(tag);
    }
    document.page();
    document.paragraph("Ordinary", (100.0, 100.0), 6, 400.0);
    let batch = document.composed();
    let kinds: Vec<Option<&str>> = batch.units.iter().filter_map(|unit| unit.subtype()).map(Some).collect();
    assert_eq!(kinds, [Some("heading"), Some("caption"), Some("footnote")]);
}

/// Paragraphs of four lines from 150 to 450, and beside the first lines of each a note of `lines` lines at `x`.
fn with_margin_notes(x: f32, lines: usize) -> DrawnDocument {
    let mut document = DrawnDocument::default();
    document.page();
    let small = LineType { size: 7.0, is_bold: true, rotation: 0.0 };
    let mut y = 100.0;
    for _ in 0..8 {
        for at in 0..lines {
            document.line("Note", (x, y + 8.0 * at as f32), 50.0, small);
        }
        y = document.paragraph("Ordinary", (150.0, y), 5, 300.0) + 6.0;
    }
    document
}

#[test]
fn titles_in_the_margin_are_no_words_of_the_lines_beside_them() {
    for (x, lines) in [(470.0, 1), (470.0, 2), (470.0, 3), (80.0, 1), (80.0, 2), (80.0, 3)] {
        let batch = with_margin_notes(x, lines).composed();
        let (main, aux) = (paragraphs_of(&batch, LayoutRole::Main), paragraphs_of(&batch, LayoutRole::Aux));
        assert_eq!(main.len(), 8, "{x} {lines} {main:#?}");
        assert!(!main.iter().any(|text| text.contains("Note")), "{x} {lines} {main:#?}");
        assert_eq!(aux.concat().matches("Note").count(), 8 * lines, "{x} {lines} {aux:#?}");
    }
}

#[test]
fn titles_beside_paragraphs_are_read_before_them() {
    let mut document = DrawnDocument::default();
    document.page();
    let bold = LineType { is_bold: true, ..BODY };
    let mut y = 100.0;
    for term in ["Amortization", "Covenant", "Derivative"] {
        document.line(term, (60.0, y), 30.0, bold);
        y = document.paragraph(&format!("About {term}"), (200.0, y), 5, 300.0) + 6.0;
    }
    let texts: Vec<String> = document.composed().units.into_iter().map(|unit| unit.text).collect();
    let at = |start: &str| texts.iter().position(|text| text.starts_with(start)).expect(start);
    let places = ["Amortization", "About Amortization", "Covenant", "About Covenant", "Derivative"].map(at);
    assert!(places.is_sorted(), "{texts:#?}");
}

#[test]
fn other_type_after_a_gap_in_a_full_line_is_reported() {
    let mut document = with_body();
    let small = LineType { size: 7.0, is_bold: true, rotation: 0.0 };
    for at in 0..5 {
        let y = 600.0 + 12.0 * at as f32;
        match at {
            2 => {
                document.line("a line that stops early and", (100.0, y), 280.0, BODY);
                document.line("Note", (430.0, y), 70.0, small);
            }
            _ => document.line("a full line of the paragraph which goes on and", (100.0, y), 400.0, BODY),
        }
    }
    let mut composer = LayoutComposer::new(&LayoutOptions::default(), Vec::new());
    document.pages.iter().for_each(|page| {
        composer.push(page);
    });
    let batch = composer.compose(&mut |_| {}).expect("the order rises");
    let audits: Vec<LayoutAudit> = batch.violations.iter().map(|violation| violation.audit).collect();
    assert_eq!(audits, [LayoutAudit::Columns]);
}

#[test]
fn large_first_letters_of_several_lines_begin_their_words() {
    for lines in [2, 3, 4] {
        let mut document = with_body();
        document.page();
        // A capital is seven tenths of its size high, and reaches from the baseline of its last line to the top of the first.
        let letter = LineType { size: (12.0 * (lines - 1) as f32 + 7.0) / 0.7, ..BODY };
        let width = 0.6 * letter.size;
        document.line("T", (100.0, 100.0 + 12.0 * (lines - 1) as f32), width, letter);
        for at in 0..7 {
            let x = if at < lines { 100.0 + width + 3.0 } else { 100.0 };
            let start = if at == 0 { "he keeper of the lamp" } else { "goes on" };
            match at {
                6 => document.line("ends.", (x, 100.0 + 12.0 * at as f32), 200.0, BODY),
                _ => document.line(start, (x, 100.0 + 12.0 * at as f32), 500.0 - x, BODY),
            }
        }
        let main = check_main(&document, 7);
        assert!(main[6].starts_with("The keeper of the lamp"), "{lines} {main:#?}");
    }
}

#[test]
fn items_listings_and_headings_are_markdown() {
    let mut document = with_body();
    document.line("A Heading", (100.0, 600.0), 80.0, TITLE);
    for (at, (text, x)) in
        [("• one", 100.0), ("– inner", 120.0), ("– second", 120.0), ("• two", 100.0)].into_iter().enumerate()
    {
        document.line(text, (x, 630.0 + 14.0 * at as f32), 40.0, BODY);
    }
    document.page();
    document.paragraph("Ordinary", (100.0, 100.0), 6, 400.0);
    let face = FontFace { name: "Mono".to_owned(), weight: 400, is_monospace: true, ..FontFace::default() };
    let font = Arc::new(face);
    for (text, x, y) in [("if (a) {", 100.0, 200.0), ("b();", 124.0, 212.0), ("}", 100.0, 236.0)] {
        let length = 6.0 * text.len() as f32;
        let span = TextSpan { font: font.clone(), ..TextSpan::drawn(text, [x, y], length, 10.0) };
        document.pages.last_mut().expect("a page was begun").spans.push(span);
    }
    let mut segment = crate::model::Segment::default();
    UnitWriter::without_page_breaks().write(&document.composed().units, &mut segment);
    let text = &segment.text;
    assert!(text.contains("\n\n# A Heading\n\n- one\n  - inner\n  - second\n- two\n\n"), "{text}");
    assert!(text.ends_with("\n\n```\nif (a) {\n    b();\n\n}\n```"), "{text}");
}
