//! Units: one per sentence, in the order in which they are emitted, each with its role, its section and its places.

use super::bounds::Bounds;
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
    recognized: BTreeMap<u64, Option<[f32; 4]>>,
}

impl UnitWriter {
    /// Writes no form feeds, as if cleaning had already removed them.
    pub fn without_page_breaks() -> UnitWriter {
        UnitWriter { omits_page_breaks: true, ..UnitWriter::default() }
    }

    /// Marks the text of pages whose letters were recognised in their pictures. Such a page has one box if those of its lines
    /// are not known.
    pub fn with_recognized(self, pages: BTreeMap<u64, Option<[f32; 4]>>) -> UnitWriter {
        UnitWriter { recognized: pages, ..self }
    }

    /// Appends units to a segment.
    pub fn write(&mut self, units: &[LayoutUnit], segment: &mut Segment) {
        for unit in units {
            if self.has_text {
                segment.text.push_str(unit.separator.as_str());
            }
            if unit.role == LayoutRole::Main
                && unit.separator == UnitSeparator::Paragraph
                && unit.page() > self.page
            {
                if self.page > 0 && !self.omits_page_breaks {
                    (self.page..unit.page()).for_each(|_| segment.text.push('\u{c}'));
                }
                self.page = unit.page();
            }
            self.has_text = true;
            let start = segment.text.len();
            segment.text.push_str(&unit.text);
            for place in &unit.places {
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
                segment.places.push(place.span.shifted(start), Locator::Layout(Box::new(laid)));
            }
            self.sentence += 1;
        }
    }
}
