//! Documents that are drawn at random, with what they are drawn from: headings, paragraphs, lists, tables of every sort,
//! figures, notes and running heads, in one or two columns. `random.differences` lists where the layout finds anything
//! else than what was drawn: `-` was drawn, `+` was found.
//!
//! `UPDATE_GOLDEN=1` writes the list anew; read the difference before you keep it. A shorter list is better.

use crate::drawing::Drawing;
use crate::support;
use pensieve_text::layout::LayoutBatch;
use std::fmt::Write;
use std::path::Path;

const DOCUMENTS: u64 = 60;

#[test]
fn random_documents_are_found_as_they_were_drawn() {
    let mut list = String::new();
    for seed in 1..=DOCUMENTS {
        let mut document = RandomDocument::new(seed);
        document.draw();
        let found = units(&Drawing::read(&document.out).laid_out());
        let _ = writeln!(list, "== {seed}: {}, {} units", document.style, document.drawn.len());
        differences(&document.drawn, &found, &mut list);
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/layout/random.differences");
    support::compare(&golden, &list);
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
    let mut units = Vec::new();
    for batch in batches {
        for unit in &batch.units {
            let text = unit.emitted().replace("<aux>", "").replace("</aux>", "").replace('\n', " / ");
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

const GUTTER: f32 = 18.0;
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
        self.columns = if self.width > 500.0 { self.one_of(&[1, 1, 2]) } else { 1 };
        self.size = self.one_of(&[9.0, 10.0, 10.5, 11.0, 12.0]);
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
                match self.below(11) {
                    0 => self.list(),
                    8 => self.listing(),
                    9 => self.subheading(section),
                    10 => self.initial(),
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
        (self.width - 2.0 * self.margin - GUTTER * (self.columns - 1) as f32) / self.columns as f32
    }

    fn left(&self) -> f32 {
        self.margin + self.column as f32 * (self.column_width() + GUTTER)
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

    fn title(&mut self) {
        self.line(0.0, "Serif-Bold", self.size + 8.0, "Lamps and harbours", None);
        self.drawn.push("h1 Lamps and harbours".to_owned());
        self.y += 14.0;
    }

    fn heading(&mut self, section: usize) {
        self.reserve(self.leading * 5.0);
        self.y += self.leading;
        self.parts = 0;
        let name = self.one_of(&["Of oil", "The long winter", "Ships and masters", "Wind", "On the quay"]);
        let text = format!("{} {name}", section + 1);
        self.line(0.0, "Serif-Bold", self.size + 3.0, &text, None);
        self.drawn.push(format!("h1 {text}"));
        self.y += self.leading * 0.3;
    }

    fn subheading(&mut self, section: usize) {
        self.reserve(self.leading * 4.0);
        self.y += self.leading * 0.7;
        self.parts += 1;
        let name = self.one_of(&["By day", "By night", "In rain"]);
        let text = format!("{}.{} {name}", section + 1, self.parts);
        self.line(0.0, "Serif-Bold", self.size + 1.0, &text, None);
        self.drawn.push(format!("h2 {text}"));
        self.paragraph();
    }

    fn listing(&mut self) {
        self.reserve(self.leading * 6.0);
        self.y += self.leading * 0.6;
        let size = self.size - 1.0;
        let lines =
            ["for lamp in quay:", "    if lamp.dark():", "        lamp.light()", "    book.write(lamp)"];
        for line in lines {
            let (x, y) = (self.left() + 12.0, self.y);
            let _ = writeln!(self.out, "text {x} {y} {size} Mono {line}");
            self.y += size * 1.2;
        }
        // The beginnings of its lines are lost.
        self.drawn.push(format!("MAIN {}", lines.map(str::trim).join(" / ")));
        self.y += self.leading * 0.6;
    }

    /// A paragraph that begins with a letter two lines high.
    fn initial(&mut self) {
        let text = self.sentence(30);
        self.reserve(self.leading * 5.0);
        self.y += self.leading;
        let (x, y, size) = (self.left(), self.y + self.leading, self.leading + self.size);
        let _ = writeln!(self.out, "run {x} {y} {} {size} Serif - {}", size * 0.69, &text[..1]);
        let width = self.column_width();
        for (at, line) in self.wrapped(&text[1..], width - size * 0.7, self.size, 0.0).iter().enumerate() {
            let margin = if at < 2 { size * 0.7 } else { 0.0 };
            self.line(margin, "Serif", self.size, line, None);
        }
        self.drawn.push(format!("MAIN {text}"));
        self.y += self.leading * 0.6;
    }

    fn paragraph(&mut self) {
        let sentences: Vec<String> = (0..self.below(4) + 2)
            .map(|_| {
                let words = self.below(16) + 5;
                self.sentence(words)
            })
            .collect();
        self.set(&sentences.join(" "), 0.0, self.indent);
        self.drawn.extend(sentences.iter().map(|sentence| format!("MAIN {sentence}")));
    }

    /// Justified lines.
    fn set(&mut self, text: &str, margin: f32, indent: f32) {
        let width = self.column_width() - 2.0 * margin;
        let lines = self.wrapped(text, width, self.size, indent);
        for (at, line) in lines.iter().enumerate() {
            let indent = if at == 0 { indent } else { 0.0 };
            let full = (at + 1 < lines.len()).then_some(width - indent);
            self.line(margin + indent, "Serif", self.size, line, full);
        }
        if self.indent == 0.0 {
            self.y += self.leading * 0.6;
        }
    }

    fn list(&mut self) {
        let is_numbered = self.below(2) == 0;
        for item in 0..self.below(4) + 2 {
            let words = self.below(18) + 3;
            let text = self.sentence(words);
            let mark = if is_numbered { format!("{}.", item + 1) } else { "•".to_owned() };
            let lines = self.wrapped(&text, self.column_width() - 20.0, self.size, 0.0);
            for (at, line) in lines.iter().enumerate() {
                self.reserve(0.0);
                if at == 0 {
                    let (x, y, size) = (self.left() + 6.0, self.y, self.size);
                    let _ = writeln!(self.out, "text {x} {y} {size} Serif {mark}");
                }
                self.line(20.0, "Serif", self.size, line, None);
            }
            self.drawn.push(format!("MAIN {mark} {text}"));
        }
        self.y += self.leading * 0.6;
    }

    fn quote(&mut self) {
        let text = self.sentence(24);
        self.y += self.leading * 0.5;
        self.set(&text, 24.0, 0.0);
        self.drawn.push(format!("MAIN {text}"));
        self.y += self.leading * 0.5;
    }

    fn note(&mut self) {
        self.notes += 1;
        let words = self.below(5) + 5;
        let text = self.sentence(words);
        self.foot.push(format!("{} {text}", self.notes));
        self.drawn.push(format!("footnote {} {text}", self.notes));
    }

    fn figure(&mut self) {
        let height = self.one_of(&[60.0, 90.0, 120.0]);
        self.reserve(height + self.leading * 3.0);
        self.number += 1;
        let (left, top) = (self.left() + 20.0, self.y);
        let right = left + self.column_width() - 40.0;
        let _ = writeln!(self.out, "image {left} {top} {right} {}", top + height);
        self.y += height + self.leading;
        let words = self.sentence(6);
        let text = format!("Figure {}: {words}", self.number);
        self.line(20.0, "Serif", self.size - 1.0, &text, None);
        self.drawn.push(format!("caption {text}"));
        self.y += self.leading;
    }

    /// Cells of a table: names, then words or numbers.
    fn cells(&mut self) -> Vec<Vec<String>> {
        let (columns, rows) = (self.below(3) + 2, self.below(5) + 3);
        let heads = ["Place", "Lit", "Dark", "Oil", "Keeper"];
        let mut cells = vec![heads[..columns].iter().map(|&head| head.to_owned()).collect::<Vec<_>>()];
        for row in 0..rows {
            let place = ["North quay", "Mole", "Bar", "Old quay", "Tower", "Gull Bay", "Inner quay"][row % 7];
            let mut line = vec![place.to_owned()];
            for column in 1..columns {
                line.push(match column {
                    1 => (self.below(900) + 9).to_string(),
                    2 => format!("{}.{}", self.below(90), self.below(10)),
                    3 if self.below(4) == 0 => "–".to_owned(),
                    3 => format!("{} l", self.below(40) + 2),
                    _ if self.below(3) == 0 => "Rosa, then Simon".to_owned(),
                    _ => self.one_of(&["Rosa", "Simon", "Ann"]).to_owned(),
                });
            }
            cells.push(line);
        }
        cells
    }

    fn table(&mut self) {
        let cells = self.cells();
        let height = (cells.len() + 4) as f32 * (self.leading + 3.0);
        self.reserve(height);
        self.number += 1;
        self.y += self.leading;
        let words = self.sentence(5);
        let caption = format!("Table {}: {words}", self.number);
        self.line(0.0, "Serif", self.size - 1.0, &caption, None);
        self.drawn.push(format!("table {caption}"));
        self.y += 4.0;
        let count = cells[0].len();
        let step = (self.column_width() / count as f32).min(110.0);
        let (left, top, row_height) = (self.left(), self.y - self.size, self.leading + 3.0);
        let right = left + step * count as f32;
        let is_right_aligned = self.below(2) == 0;
        for (at, row) in cells.iter().enumerate() {
            let y = self.y;
            for (column, cell) in row.iter().enumerate() {
                let length = cell.chars().count() as f32 * self.size * 0.5;
                let x = match is_right_aligned && (1..=2).contains(&column) {
                    true => left + step * (column + 1) as f32 - length - 8.0,
                    false => left + step * column as f32 + 4.0,
                };
                let font = if at == 0 { "Serif-Bold" } else { "Serif" };
                let _ = writeln!(self.out, "text {x} {y} {} {font} {cell}", self.size);
            }
            self.y += row_height;
        }
        self.rules(left, top, right, cells.len(), count);
        let shown = |row: &Vec<String>| format!("| {} |", row.join(" | "));
        let line = vec!["---".to_owned(); count];
        self.drawn.push(format!("table {} / {}", shown(&cells[0]), shown(&line)));
        self.drawn.extend(cells[1..].iter().map(|row| format!("table {}", shown(row))));
        self.y += self.leading;
    }

    /// The lines and areas of a table.
    fn rules(&mut self, left: f32, top: f32, right: f32, rows: usize, columns: usize) {
        let height = self.leading + 3.0;
        let line = |row: usize| top - 2.0 + row as f32 * height;
        let rules: Vec<usize> = match self.tables {
            TableStyle::Plain => Vec::new(),
            TableStyle::ThreeRules => vec![0, 1, rows],
            TableStyle::RulesBetween | TableStyle::Grid => (0..=rows).collect(),
            TableStyle::Zebra => {
                for row in (0..rows).step_by(2) {
                    let _ = writeln!(self.out, "fill {left} {} {right} {}", line(row), line(row + 1));
                }
                Vec::new()
            }
        };
        for row in rules {
            let _ = writeln!(self.out, "rule {left} {y} {right} {y}", y = line(row));
        }
        if self.tables == TableStyle::Grid {
            for column in 0..=columns {
                let x = left + (right - left) * column as f32 / columns as f32;
                let _ = writeln!(self.out, "rule {x} {} {x} {}", line(0), line(rows));
            }
        }
    }
}
