//! Documents that are drawn at random, with what they are drawn from: headings, paragraphs, lists, tables of every sort,
//! figures, notes and running heads, in one or two columns. `random.differences` lists where the layout finds anything
//! else than what was drawn: `-` was drawn, `+` was found. `changed` counts what the layout finds in the document with random
//! changes.
//!
//! `UPDATE_GOLDEN=1` writes the list anew; read the difference before you keep it. A shorter list is better.

mod prose;
mod tables;

use crate::drawing::{Drawing, change_line};
use crate::support;
use pensieve_text::layout::LayoutBatch;
use pensieve_text::model::AuxKind;
use std::fmt::Write;
use std::path::Path;

const DOCUMENTS: u64 = 150;
const CHANGED_VERSIONS: usize = 16;
const CHANGES: usize = 25;

#[test]
fn random_documents_are_found_as_they_were_drawn() {
    let mut list = String::new();
    for seed in 1..=DOCUMENTS {
        let mut document = RandomDocument::new(seed);
        document.draw();
        let batches = Drawing::read(&document.out).laid_out();
        let found = units(&batches);
        let (style, drawn) = (&document.style, document.drawn.len());
        let _ = write!(list, "== {seed}: {style}, {drawn} units; ");
        let _ = writeln!(list, "{}", changed(&mut document));
        differences(&document.drawn, &found, &mut list);
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/layout/random.differences");
    support::compare(&golden, &list);
}

/// What becomes of a document of which lines are moved a little, left out or repeated.
fn changed(document: &mut RandomDocument) -> String {
    let (mut found, mut violations) = (0, 0);
    for _ in 0..CHANGED_VERSIONS {
        let mut changed = document.out.clone();
        for _ in 0..CHANGES {
            changed = change_line(&changed, &mut |limit| document.below(limit.max(1)));
        }
        let batches = Drawing::read(&changed).laid_out();
        found += batches.iter().map(|batch| batch.units.len()).sum::<usize>();
        violations += batches.iter().map(|batch| batch.violations.len()).sum::<usize>();
    }
    format!("changed: {found} units, {violations} violations")
}

/// What is in one list only, and the first unit out of order.
fn differences(drawn: &[String], found: &[String], list: &mut String) {
    let mut rest: Vec<&String> = found.iter().collect();
    let mut common = Vec::new();
    for unit in drawn {
        match rest.iter().position(|other| *other == unit) {
            Some(at) => {
                rest.remove(at);
                common.push(unit);
            }
            None => _ = writeln!(list, "- {unit}"),
        }
    }
    rest.iter().for_each(|unit| _ = writeln!(list, "+ {unit}"));
    let prose = |unit: &&String| unit.starts_with("MAIN") || unit.starts_with('h');
    let mut expected = common.iter().copied().filter(prose);
    let ordered = found.iter().filter(|unit| common.contains(unit)).filter(prose);
    if let Some((unit, _)) = ordered.map(|unit| (unit, expected.next())).find(|(a, b)| Some(*a) != *b) {
        let _ = writeln!(list, "out of order: {unit}");
    }
}

/// The units as the drawing names them.
fn units(batches: &[LayoutBatch]) -> Vec<String> {
    let mut units: Vec<String> = Vec::new();
    for batch in batches {
        for unit in &batch.units {
            let text = unit.emitted().replace("<aux>", "").replace("</aux>", "").replace('\n', " / ");
            // Each line of a listing is a unit.
            let is_listing = unit.marks.is_verbatim && unit.kind != Some(AuxKind::Table);
            if let Some(before) = units.last_mut().filter(|_| is_listing && unit.key.sent_seq > 0) {
                let _ = write!(before, " / {text}");
                continue;
            }
            let text = if unit.marks.before.trim() == "-" { format!("• {text}") } else { text };
            let role = match (unit.level, unit.kind) {
                (0, None) => unit.role.as_str().to_owned(),
                (0, Some(kind)) => kind.as_str().to_owned(),
                (level, _) => format!("h{level}"),
            };
            units.push(format!("{role} {text}"));
        }
        units.extend(batch.suppressed.iter().map(|line| format!("left out {}", line.text)));
        units.extend(batch.violations.iter().map(|violation| format!("violation {violation:?}")));
    }
    units
}

/// How the tables of a document are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
enum TableStyle {
    Plain,
    ThreeRules,
    RulesBetween,
    Grid,
    Zebra,
}

/// A document in the making: instructions, and the units that they draw.
struct RandomDocument {
    state: u64,
    out: String,
    drawn: Vec<String>,
    style: String,
    page: u64,
    y: f32,
    column: usize,
    width: f32,
    height: f32,
    margin: f32,
    columns: usize,
    gutter: f32,
    size: f32,
    leading: f32,
    indent: f32,
    tables: TableStyle,
    number: usize,
    /// Parts of the section.
    parts: usize,
    notes: usize,
    /// Lines for the foot of the page.
    foot: Vec<String>,
    has_heads: bool,
}

const EVEN_HEAD: &str = "The lamps of the harbour";
const ODD_HEAD: &str = "A book for keepers";
const WORDS: [&str; 31] = [
    "keepers", "count", "the", "lamps", "of", "a", "harbour", "and", "nobody", "writes", "what", "they",
    "found", "in", "winter", "or", "summer", "because", "oil", "is", "dear", "when", "ships", "come", "from",
    "north", "with", "barrels", "that", "were", "lost",
];

impl RandomDocument {
    fn new(seed: u64) -> RandomDocument {
        let mut document = RandomDocument {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            out: String::new(),
            drawn: Vec::new(),
            style: String::new(),
            page: 0,
            y: 0.0,
            column: 0,
            width: 0.0,
            height: 0.0,
            margin: 0.0,
            columns: 1,
            gutter: 0.0,
            size: 0.0,
            leading: 0.0,
            indent: 0.0,
            tables: TableStyle::Plain,
            number: 0,
            parts: 0,
            notes: 0,
            foot: Vec::new(),
            has_heads: false,
        };
        document.choose_style();
        document
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % limit
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn choose_style(&mut self) {
        (self.width, self.height) = self.one_of(&[(612.0, 792.0), (595.0, 842.0), (420.0, 595.0)]);
        self.size = self.one_of(&[9.0, 10.0, 10.5, 11.0, 12.0]);
        let columns: &[usize] = if self.size <= 10.0 { &[1, 2, 3] } else { &[1, 1, 2] };
        self.columns = if self.width > 500.0 { self.one_of(columns) } else { 1 };
        self.gutter = self.one_of(&[14.0, 18.0, 24.0, 36.0]);
        self.leading = (self.size * self.one_of(&[1.15, 1.2, 1.3, 1.4])).round();
        self.margin = self.one_of(&[48.0, 60.0, 72.0]);
        self.indent = self.one_of(&[0.0, 12.0, 18.0]);
        self.has_heads = self.below(3) > 0;
        self.tables = self.one_of(&[
            TableStyle::Plain,
            TableStyle::ThreeRules,
            TableStyle::RulesBetween,
            TableStyle::Grid,
            TableStyle::Zebra,
        ]);
        self.style =
            format!("{} columns of {} on {}, {:?}", self.columns, self.size, self.leading, self.tables);
        self.out.push_str("font Serif 400 80\nfont Serif-Bold 700 140\nfont Serif-Italic 400 75 italic\nfont Mono 400 60 mono\n");
    }

    fn draw(&mut self) {
        self.new_page();
        self.title();
        for section in 0..9 {
            self.heading(section);
            self.paragraph();
            for _ in 0..self.below(4) + 1 {
                match self.below(17) {
                    0 => self.list(),
                    8 => self.listing(),
                    9 => self.subheading(section),
                    10 => self.initial(),
                    11 => self.wide_table(),
                    12 => self.framed(),
                    13 => self.keys(),
                    14 => self.verse(),
                    15 => self.lead_in(),
                    16 => self.divided(),
                    1 | 2 => self.table(),
                    3 => self.figure(),
                    4 => self.quote(),
                    5 => self.note(),
                    _ => self.paragraph(),
                }
            }
            self.paragraph();
        }
        self.end_page();
        self.drawn.push("left out 1".to_owned());
        if self.has_heads {
            self.drawn.extend([ODD_HEAD, EVEN_HEAD].map(|head| format!("left out {head}")));
        }
    }

    fn column_width(&self) -> f32 {
        (self.width - 2.0 * self.margin - self.gutter * (self.columns - 1) as f32) / self.columns as f32
    }

    fn left(&self) -> f32 {
        self.margin + self.column as f32 * (self.column_width() + self.gutter)
    }

    fn bottom(&self) -> f32 {
        self.height - self.margin - 24.0 - self.foot.len() as f32 * 9.0
    }

    fn new_page(&mut self) {
        self.page += 1;
        let _ = writeln!(self.out, "page {} {}", self.width, self.height);
        if self.has_heads && self.page > 1 {
            let head = if self.page.is_multiple_of(2) { EVEN_HEAD } else { ODD_HEAD };
            let _ = writeln!(self.out, "text {} {} 8 Serif-Italic {head}", self.margin, self.margin - 20.0);
        }
        (self.y, self.column) = (self.margin + self.size, 0);
    }

    fn end_page(&mut self) {
        let (middle, mut y) = (self.width / 2.0, self.bottom() + 14.0);
        for line in std::mem::take(&mut self.foot) {
            let _ = writeln!(self.out, "text {} {y} 7 Serif {line}", self.margin);
            y += 9.0;
        }
        let _ =
            writeln!(self.out, "text {middle} {} 8 Serif {}", self.height - self.margin + 16.0, self.page);
    }

    /// Goes to the next column if there is no place for this height.
    fn reserve(&mut self, height: f32) {
        if self.y + height <= self.bottom() {
            return;
        }
        if self.column + 1 < self.columns {
            self.column += 1;
            self.y = self.margin + self.size;
        } else {
            self.end_page();
            self.new_page();
        }
    }

    fn line(&mut self, indent: f32, font: &str, size: f32, words: &str, full: Option<f32>) {
        self.reserve(0.0);
        let x = self.left() + indent;
        let length = full.unwrap_or(words.chars().count() as f32 * size * 0.5);
        let _ = writeln!(self.out, "run {x} {} {length} {size} {font} - {words}", self.y);
        self.y += self.leading.max(size * 1.15);
    }

    /// A sentence with its end.
    fn sentence(&mut self, words: usize) -> String {
        let mut sentence: Vec<&str> = (0..words).map(|_| WORDS[self.below(WORDS.len())]).collect();
        // A sentence does not end in an article or in what may be an abbreviation.
        sentence[words - 1] = self.one_of(&["keepers", "winter", "lost", "barrels"]);
        let first = sentence[0][..1].to_uppercase() + &sentence[0][1..];
        sentence[0] = &first;
        sentence.join(" ") + "."
    }

    /// Words in lines of a width, the first of which is shorter by `first`.
    fn wrapped(&self, text: &str, width: f32, size: f32, first: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in text.split(' ') {
            let room = if lines.len() == 1 { width - first } else { width };
            let line = lines.last_mut().expect("it begins with one");
            let length = (line.len() + 1 + word.len()) as f32 * size * 0.5;
            match line.is_empty() {
                true => line.push_str(word),
                false if length <= room => _ = write!(line, " {word}"),
                false => lines.push(word.to_owned()),
            }
        }
        lines
    }
}
