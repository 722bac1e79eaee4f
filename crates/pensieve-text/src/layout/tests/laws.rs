//! The laws of the layout on random pages: columns, headings, boxes, figures, notes, headers. Every audit passes on
//! each page, and each audit fails when its input is falsified.

use crate::layout::input::letter_tally::LetterTally;
use crate::layout::output::audit;
use crate::layout::*;
use crate::model::{AuxKind, LayoutRole};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A small deterministic generator, so that failures repeat.
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn words(&mut self, characters: usize) -> String {
        const WORDS: [&str; 12] = [
            "the",
            "reason",
            "of",
            "well-being",
            "Figure",
            "is",
            "never.",
            "only",
            "known",
            "in",
            "part",
            "so",
        ];
        let mut text = String::new();
        while text.len() < characters {
            text.push_str(WORDS[self.below(12) as usize]);
            text.push(' ');
        }
        text.trim_end().to_owned()
    }
}

/// Draws a page line by line.
struct PagePainter {
    page: LayoutPage,
    faces: [Arc<FontFace>; 2],
}

impl PagePainter {
    fn new(number: u64) -> PagePainter {
        let face =
            |name: &str, weight| Arc::new(FontFace { name: name.to_owned(), weight, ..FontFace::default() });
        let page = LayoutPage { number, width: 600.0, height: 800.0, ..LayoutPage::default() };
        PagePainter { page, faces: [face("Serif", 400), face("Sans-Bold", 700)] }
    }

    fn line(&mut self, text: &str, at: (f32, f32), size: f32, is_bold: bool) {
        let (x, y) = at;
        let length = 0.5 * size * text.chars().count() as f32;
        self.page.spans.push(TextSpan {
            text: text.to_owned(),
            font: self.faces[usize::from(is_bold)].clone(),
            size,
            rotation: 0.0,
            origin: [x, y],
            length,
            bbox: [x, y - 0.78 * size, x + length, y + 0.22 * size],
            line_height: size,
            is_invisible: false,
            is_vertical: false,
            gaps: match text.len() % 3 {
                0 => vec![SpanGap { at: text.len() / 2, from: 0.4 * length, to: 0.4 * length + size }],
                _ => Vec::new(),
            },
            tag: None,
        });
    }

    fn shape(&mut self, kind: ShapeKind, bbox: [f32; 4]) {
        self.page.shapes.push(PageShape { kind, bbox });
    }

    /// A column of random content, from `y` down to `end`.
    fn column(&mut self, random: &mut RandomNumbers, x: f32, width: f32, end: f32) {
        let mut y = 80.0;
        let full = (width / 5.0) as usize;
        while y < end {
            match random.below(9) {
                0 => {
                    let title = random.words(full / 2);
                    self.line(&format!("Title {title}"), (x, y + 8.0), 14.0, true);
                    y += 30.0;
                }
                1 => {
                    self.shape(ShapeKind::Fill, [x, y, x + width, y + 50.0]);
                    self.line("Keywords", (x + 6.0, y + 14.0), 9.0, true);
                    let text = random.words(full / 2);
                    self.line(&text, (x + 6.0, y + 30.0), 9.0, false);
                    y += 70.0;
                }
                2 => {
                    self.shape(ShapeKind::Image, [x, y, x + width, y + 60.0]);
                    let text = random.words(full / 2);
                    self.line(&format!("Figure {} {text}", random.below(30)), (x, y + 75.0), 8.0, false);
                    y += 95.0;
                }
                3 => {
                    for row in 0..4 {
                        self.line("cell", (x, y + 12.0 * row as f32), 10.0, false);
                        self.line("12.5", (x + width * 0.6, y + 12.0 * row as f32), 10.0, false);
                    }
                    y += 70.0;
                }
                _ => {
                    for _ in 0..=random.below(6) {
                        let text = random.words(full.saturating_sub(8));
                        self.line(&text, (x, y), 10.0, false);
                        y += 13.0;
                    }
                    let text = random.words(full / 3);
                    self.line(&text, (x, y), 10.0, false);
                    y += 24.0;
                }
            }
        }
    }
}

/// Random pages.
pub(crate) fn document(seed: u64) -> Vec<LayoutPage> {
    let mut random = RandomNumbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let columns = 1 + random.below(3);
    let pages = 1 + random.below(6);
    let mut all = Vec::new();
    for number in 1..=pages {
        let mut painter = PagePainter::new(number);
        painter.line("The Running Head", (60.0, 30.0), 8.0, false);
        painter.line(&number.to_string(), (300.0, 780.0), 8.0, false);
        let width = 480.0 / columns as f32;
        for column in 0..columns {
            painter.column(&mut random, 60.0 + width * column as f32, width - 18.0, 660.0);
        }
        if random.below(3) == 0 {
            painter.line("3A note at the foot of the page.", (60.0, 730.0), 7.0, false);
        }
        all.push(painter.page);
    }
    all
}

/// Random pages with their layout.
pub(crate) fn laid_out(pages: &[LayoutPage]) -> LayoutBatch {
    let mut composer = LayoutComposer::new(&LayoutOptions::default(), Vec::new());
    for page in pages {
        composer.push(page);
    }
    composer.compose(&mut |_| {}).expect("the order rises")
}

fn emitted(part: &LayoutBatch) -> Vec<(LayoutRole, String)> {
    part.units.iter().map(|unit| (unit.role, unit.emitted())).collect()
}

fn wrapping_of(emitted: &[(LayoutRole, String)]) -> Vec<LayoutViolation> {
    wrapping(emitted.iter().map(|(role, text)| (*role, text.as_str())))
}

#[test]
fn every_audit_passes_on_every_page() {
    for seed in 1..400 {
        let part = laid_out(&document(seed));
        assert_eq!(part.violations, [], "document {seed}");
        assert_eq!(wrapping_of(&emitted(&part)), [], "document {seed}");
    }
}

#[test]
fn the_same_pages_give_the_same_units() {
    let pages = document(7);
    assert_eq!(laid_out(&pages).units, laid_out(&pages).units);
}

#[test]
fn heads_and_numbers_are_left_out_and_nothing_else_is() {
    let pages: Vec<LayoutPage> = (1..).map(document).find(|pages| pages.len() >= 4).expect("there is one");
    let part = laid_out(&pages);
    let texts: Vec<&str> = part.suppressed.iter().map(|left_out| left_out.text.as_str()).collect();
    assert_eq!(texts, ["The Running Head", "1"]);
    assert!(part.units.iter().all(|unit| !unit.text.contains("Running Head")));
}

/// The tallies of pages.
fn tallies(pages: &[LayoutPage]) -> FxHashMap<u64, LetterTally> {
    let tally = |page: &LayoutPage| {
        let mut tally = LetterTally::default();
        page.spans.iter().for_each(|span| tally.add(&span.text));
        (page.number, tally)
    };
    pages.iter().map(tally).collect()
}

/// A document of one page without furniture.
fn one_page() -> (FxHashMap<u64, LetterTally>, Vec<LayoutUnit>) {
    let mut painter = PagePainter::new(1);
    painter.line("Title of all", (60.0, 90.0), 16.0, true);
    let text = "Full lines of text that run on and on to the edge of their own column here.";
    for line in 0..12 {
        painter.line(text, (60.0, 120.0 + 13.0 * line as f32), 10.0, false);
    }
    painter.line("Figure 3 Nothing to be seen.", (60.0, 320.0), 8.0, false);
    let pages = [painter.page];
    (tallies(&pages), laid_out(&pages).units)
}

#[test]
fn coverage_fails_when_a_unit_is_lost_doubled_or_changed() {
    let (pages, units) = one_page();
    let none = FxHashMap::default();
    assert_eq!(coverage(&pages, &none, &units), []);
    let check = |falsify: &dyn Fn(&mut Vec<LayoutUnit>)| {
        let mut falsified = units.clone();
        falsify(&mut falsified);
        let found = coverage(&pages, &none, &falsified);
        assert!(found.iter().all(|violation| violation.audit == LayoutAudit::Coverage) && !found.is_empty());
    };
    check(&|units| drop(units.pop()));
    check(&|units| units.push(units[0].clone()));
    check(&|units| units[1].text = units[1].text.replace('F', "f"));
    check(&|units| units[1].places[0].page = 2);
    check(&|units| units[1].places.clear());
}

#[test]
fn order_and_phase_fail_when_units_are_moved() {
    let (_, units) = one_page();
    let keys = |units: &[LayoutUnit]| audit::order(units.iter().map(|unit| unit.key));
    assert!(keys(&units).is_empty() && phase(&units).is_empty());
    let mut swapped = units.clone();
    swapped.swap(1, 2);
    assert_eq!(keys(&swapped)[0].audit, LayoutAudit::Order);
    let mut early = units.clone();
    let aux = early.iter().position(|unit| unit.role == LayoutRole::Aux).expect("the caption is AUX");
    let unit = early.remove(aux);
    early.insert(0, unit);
    assert_eq!(phase(&early)[0].audit, LayoutAudit::Phase);
    let mut wrong = units;
    wrong[0].key.emit_phase = 1;
    assert_eq!(phase(&wrong)[0].audit, LayoutAudit::Phase);
}

#[test]
fn wrapping_fails_when_tags_are_missing_or_too_many() {
    let check = |role, text: &str, is_sound: bool| {
        assert_eq!(wrapping([(role, text)]).is_empty(), is_sound, "{text}");
    };
    check(LayoutRole::Aux, "<aux>One.</aux>", true);
    check(LayoutRole::Aux, "<aux>One.</aux> <aux>Two.</aux>", true);
    check(LayoutRole::Aux, "One.", false);
    check(LayoutRole::Aux, "<aux>One.", false);
    check(LayoutRole::Aux, "<aux>One.</aux> two", false);
    check(LayoutRole::Aux, "<aux><aux>One.</aux></aux>", false);
    check(LayoutRole::Aux, " ", false);
    check(LayoutRole::Main, "One.", true);
    check(LayoutRole::Main, "One. <aux>Two.</aux>", false);
}

#[test]
fn isolation_fails_when_a_chunk_is_mixed() {
    let check = |chunk: &[(LayoutRole, u64, Option<AuxKind>, bool)], is_sound: bool| {
        let sentence = |&(role, section, kind, is_heading)| ChunkSentence { role, section, kind, is_heading };
        assert_eq!(isolation(&[chunk.iter().map(sentence).collect()]).is_empty(), is_sound);
    };
    let (caption, table) = (Some(AuxKind::Caption), Some(AuxKind::Table));
    check(&[(LayoutRole::Main, 1, None, false), (LayoutRole::Main, 1, None, false)], true);
    check(&[(LayoutRole::Aux, 1, caption, false), (LayoutRole::Aux, 1, caption, false)], true);
    check(&[(LayoutRole::Main, 1, None, false), (LayoutRole::Aux, 1, caption, false)], false);
    check(&[(LayoutRole::Main, 1, None, false), (LayoutRole::Main, 2, None, false)], false);
    check(&[(LayoutRole::Main, 1, None, true), (LayoutRole::Main, 2, None, true)], true);
    let main = |section, is_heading| (LayoutRole::Main, section, None, is_heading);
    check(&[main(1, true), main(2, true), main(3, false)], true);
    check(&[main(1, false), main(1, true), main(2, false)], false);
    check(&[main(1, true), main(1, false), main(2, true)], false);
    check(&[main(1, true), (LayoutRole::Aux, 1, caption, false)], false);
    check(&[(LayoutRole::Aux, 1, caption, false), (LayoutRole::Aux, 1, table, false)], false);
}

#[test]
fn tags_in_the_text_of_a_document_are_escaped() {
    let (_, mut units) = one_page();
    units[1].text = "He wrote </aux> and <aux> by hand.".to_owned();
    let emitted: Vec<(LayoutRole, String)> = units.iter().map(|unit| (unit.role, unit.emitted())).collect();
    assert_eq!(wrapping_of(&emitted), []);
}
