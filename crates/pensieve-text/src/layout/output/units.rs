//! Units: one per sentence, in the order in which they are emitted, each with its role, its section and its places.

use crate::layout::input::bounds::Bounds;
use crate::model::{AuxKind, LayoutLocator, LayoutRole, Locator, Segment, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What separates a unit from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnitSeparator {
    /// Nothing: sentences of scripts without blanks.
    #[default]
    Nothing,
    /// A blank.
    Blank,
    /// A line end.
    Line,
    /// A blank line: another paragraph.
    Paragraph,
}

impl UnitSeparator {
    /// Its text.
    pub fn as_str(self) -> &'static str {
        match self {
            UnitSeparator::Nothing => "",
            UnitSeparator::Blank => " ",
            UnitSeparator::Line => "\n",
            UnitSeparator::Paragraph => "\n\n",
        }
    }
}

/// A span of a unit's text in one place of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedSpan {
    /// Bytes of the unit's text.
    pub span: Span,
    /// The page, counted from 1.
    pub page: u64,
    /// The box around it.
    pub bounds: Bounds,
}

/// The order in which units are emitted: it only rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct OrderKey {
    /// Counts sections of the document.
    pub section_seq: u64,
    /// Counts paragraphs of the section.
    pub para_seq: u64,
    /// Counts sentences of the paragraph.
    pub sent_seq: u64,
    /// 0 for MAIN, 1 for AUX.
    pub emit_phase: u8,
}

/// The Markdown around a text, which its own words do not have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnitMarks {
    /// What is before it: the mark of a heading or item, a fence, the indent of a line of a program.
    pub before: String,
    /// What is after it: the end of a fence.
    pub after: String,
    /// True if none of its characters would be read as a mark: lines of programs, rows of tables.
    pub is_verbatim: bool,
}

/// A sentence, or a row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct LayoutUnit {
    /// MAIN or AUX.
    pub role: LayoutRole,
    /// The kind of AUX text.
    pub kind: Option<AuxKind>,
    /// The level of a heading; 0 for anything else.
    pub level: u8,
    /// Its text.
    pub text: String,
    /// Its place in the order.
    pub key: OrderKey,
    /// The title of its section; empty before the first heading.
    pub heading: Arc<str>,
    /// What separates it from the unit before.
    pub separator: UnitSeparator,
    /// The Markdown around it.
    pub marks: UnitMarks,
    /// The block in which it begins, counted in reading order.
    pub block: usize,
    /// Its places; never empty.
    pub places: Vec<PlacedSpan>,
}

impl LayoutUnit {
    /// The page on which it starts.
    pub fn page(&self) -> u64 {
        self.places.first().map_or(0, |place| place.page)
    }

    /// Its name in reports: `heading`, or the kind of AUX text.
    pub fn subtype(&self) -> Option<&'static str> {
        match self.kind {
            Some(kind) => Some(kind.as_str()),
            None => (self.level > 0).then_some("heading"),
        }
    }

    /// Its text as it is emitted: AUX is in tags, and text of the document that looks like such a tag is escaped.
    pub fn emitted(&self) -> String {
        // A document that quotes such tags could otherwise end them.
        let text = self.text.replace("<aux", "&lt;aux").replace("</aux", "&lt;/aux");
        match self.role {
            LayoutRole::Main => text,
            LayoutRole::Aux => format!("<aux>{text}</aux>"),
        }
    }
}

/// Writes units as the text of a document, with their places. A form feed between paragraphs of MAIN text marks the
/// start of a page, as in other readers of pages.
#[derive(Debug, Default)]
pub struct UnitWriter {
    page: u64,
    sentence: u64,
    has_text: bool,
    omits_page_breaks: bool,
    in_printed_order: bool,
    recognized: BTreeMap<u64, Option<[f32; 4]>>,
}

impl UnitWriter {
    /// Writes no form feeds, as if cleaning had already removed them.
    pub fn without_page_breaks() -> UnitWriter {
        UnitWriter { omits_page_breaks: true, ..UnitWriter::default() }
    }

    /// Writes each table, caption and box of a section where it is printed, after the paragraph that it interrupts, instead of
    /// after all MAIN of the section.
    pub fn in_printed_order(self) -> UnitWriter {
        UnitWriter { in_printed_order: true, ..self }
    }

    /// Marks the text of pages whose letters were recognised in their pictures. Such a page has one box if those of its lines
    /// are not known.
    pub fn with_recognized(self, pages: BTreeMap<u64, Option<[f32; 4]>>) -> UnitWriter {
        UnitWriter { recognized: pages, ..self }
    }

    /// Appends the units of a section to a segment.
    pub fn write(&mut self, units: &[LayoutUnit], segment: &mut Segment) {
        match self.in_printed_order {
            true => self.write_in_order(&printed_order(units), segment),
            false => self.write_in_order(units, segment),
        }
    }

    fn write_in_order(&mut self, units: &[LayoutUnit], segment: &mut Segment) {
        for unit in units {
            // The first unit of a document has nothing above it.
            if self.has_text {
                segment.text.push_str(unit.separator.as_str());
            }
            if (unit.role == LayoutRole::Main || self.in_printed_order)
                && unit.separator == UnitSeparator::Paragraph
                && unit.page() > self.page
            {
                if self.page > 0 && !self.omits_page_breaks {
                    (self.page..unit.page()).for_each(|_| segment.text.push('\u{c}'));
                }
                // Even if no mark is written: the next one counts from here.
                self.page = unit.page();
            }
            self.has_text = true;
            let start = segment.text.len();
            segment.text.push_str(&unit.marks.before);
            let words = segment.text.len();
            // Text of a page is no Markdown, though it may look like it.
            let escapes = if unit.marks.is_verbatim { Vec::new() } else { block_marks(unit) };
            push_escaped(&mut segment.text, &unit.text, &escapes);
            segment.text.push_str(&unit.marks.after);
            let last = unit.places.len().saturating_sub(1);
            for (at, place) in unit.places.iter().enumerate() {
                let recognized = self.recognized.get(&place.page);
                let page_box = recognized.copied().flatten();
                let laid = LayoutLocator {
                    role: Some(unit.role),
                    kind: unit.kind,
                    section: Some(unit.key.section_seq),
                    level: unit.level,
                    sentence: self.sentence,
                    spots: vec![(place.page, page_box.unwrap_or_else(|| place.bounds.to_array()))],
                    ocr: recognized.is_some(),
                };
                // Places count bytes of the unit; backslashes before them came later.
                let written = |byte: usize| words + byte + escapes.partition_point(|escape| *escape < byte);
                // The marks belong to the words that they are of.
                let from = if at == 0 { start } else { written(place.span.start) };
                let to = if at == last { segment.text.len() } else { written(place.span.end) };
                segment.places.push(Span::new(from, to), Locator::Layout(Box::new(laid)));
            }
            self.sentence += 1;
        }
    }
}

/// The units of a section, its paragraphs by the blocks in which they begin. One that follows another than in the order of
/// emission is a paragraph of its own, not the next item of a list.
fn printed_order(units: &[LayoutUnit]) -> Vec<LayoutUnit> {
    let mut paragraphs: Vec<&[LayoutUnit]> =
        units.chunk_by(|a, b| a.key.para_seq == b.key.para_seq).collect();
    // A stable sort: parts of one block keep their order.
    paragraphs.sort_by_key(|paragraph| paragraph[0].block);
    let mut found: Vec<LayoutUnit> = Vec::with_capacity(units.len());
    for paragraph in paragraphs {
        let follows = found.last().is_some_and(|before| before.key.para_seq + 1 == paragraph[0].key.para_seq);
        let start = found.len();
        found.extend_from_slice(paragraph);
        if !follows {
            found[start].separator = UnitSeparator::Paragraph;
        }
    }
    found
}

/// The bytes of a unit's text before which Markdown needs a backslash, so that no line becomes a heading, an item, a
/// quotation, a fence or a rule.
fn block_marks(unit: &LayoutUnit) -> Vec<usize> {
    let begins_line =
        // The mark of a heading is before its text already.
        matches!(unit.separator, UnitSeparator::Paragraph | UnitSeparator::Line) && unit.level == 0;
    let mut escapes = Vec::new();
    let mut start = 0;
    for line in unit.text.split('\n') {
        if (start > 0 || begins_line) && is_block_mark(line) {
            escapes.push(start);
        }
        start += line.len() + 1;
    }
    escapes
}

/// True for a line that Markdown would read as the start of a block.
fn is_block_mark(line: &str) -> bool {
    let Some(first) = line.chars().next().filter(|c| "#>+-*`~_=".contains(*c)) else { return false };
    let rest = line.trim_start_matches(first);
    let count = line.len() - rest.len();
    let ends_word = rest.is_empty() || rest.starts_with([' ', '\t']);
    match first {
        // CommonMark 4.2: one to six, then a space.
        '#' => count <= 6 && ends_word,
        // CommonMark 5.1: a space is not needed.
        '>' => true,
        // CommonMark 4.5.
        '`' | '~' => count >= 3,
        // A line of them is a rule, or makes a heading of the line above.
        _ => count == 1 && ends_word && first != '_' && first != '=' || rest.trim().is_empty(),
    }
}

fn push_escaped(out: &mut String, text: &str, escapes: &[usize]) {
    let mut done = 0;
    for &at in escapes {
        out.push_str(&text[done..at]);
        out.push('\\');
        done = at;
    }
    out.push_str(&text[done..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(text: &str, separator: UnitSeparator, marks: UnitMarks) -> LayoutUnit {
        let span = Span::new(0, text.len());
        LayoutUnit {
            role: LayoutRole::Main,
            kind: None,
            level: 0,
            text: text.to_owned(),
            key: OrderKey::default(),
            heading: "".into(),
            separator,
            marks,
            block: 0,
            places: vec![PlacedSpan { span, page: 1, bounds: Bounds::EMPTY }],
        }
    }

    #[test]
    fn marks_are_in_the_place_of_their_words() {
        let marks = |before: &str, after: &str| UnitMarks {
            before: before.to_owned(),
            after: after.to_owned(),
            is_verbatim: true,
        };
        let units = [
            unit("One", UnitSeparator::Paragraph, marks("# ", "")),
            unit("a", UnitSeparator::Paragraph, marks("```\n", "")),
            unit("b", UnitSeparator::Line, marks("\n  ", "\n```")),
        ];
        let mut segment = Segment::default();
        UnitWriter::default().write(&units, &mut segment);
        assert_eq!(segment.text, "# One\n\n```\na\n\n  b\n```");
        let places: Vec<&str> =
            segment.places.0.iter().map(|(span, _)| &segment.text[span.range()]).collect();
        assert_eq!(places, ["# One", "```\na", "\n  b\n```"]);
    }

    #[test]
    fn in_printed_order_tables_follow_the_paragraph_that_they_interrupt() {
        let at = |text: &str, para_seq: u64, block: usize, separator| {
            let key = OrderKey { para_seq, ..OrderKey::default() };
            LayoutUnit { key, block, ..unit(text, separator, UnitMarks::default()) }
        };
        let units = [
            at("Begins before the table", 0, 1, UnitSeparator::Paragraph),
            at("and ends behind it.", 0, 3, UnitSeparator::Blank),
            at("First item", 1, 4, UnitSeparator::Paragraph),
            at("Second item", 2, 6, UnitSeparator::Line),
            at("Third item", 3, 7, UnitSeparator::Line),
            at("| A | B |", 4, 2, UnitSeparator::Paragraph),
            at("Caption", 5, 5, UnitSeparator::Paragraph),
        ];
        let mut segment = Segment::default();
        UnitWriter::default().in_printed_order().write(&units, &mut segment);
        let expected = "Begins before the table and ends behind it.\n\n| A | B |\n\nFirst item\n\nCaption\n\n\
                        Second item\nThird item";
        assert_eq!(segment.text, expected);
    }

    #[test]
    fn words_that_look_like_marks_are_escaped_at_the_start_of_a_line() {
        let check = |text: &str, separator, expected: &str| {
            let mut segment = Segment::default();
            UnitWriter::default().write(&[unit(text, separator, UnitMarks::default())], &mut segment);
            assert_eq!(segment.text, expected);
            assert_eq!(segment.places.0[0].0, Span::new(0, expected.len()));
        };
        for text in ["# a", "> a", "- a", "+ a", "* a", "```", "~~~ a", "---", "===", "_ _", "###### a"] {
            let expected = if text == "_ _" { text.to_owned() } else { format!("\\{text}") };
            check(text, UnitSeparator::Paragraph, &expected);
            check(text, UnitSeparator::Blank, text);
            check(&format!("b\n{text}"), UnitSeparator::Blank, &format!("b\n{expected}"));
        }
        for text in ["#a", "-a", "*a*", "####### a", "–", "1. a", "__init__", "=a"] {
            check(text, UnitSeparator::Paragraph, text);
        }
    }
}
