//! The only serializer: sections become units with ascending order keys, first a section's MAIN, then its AUX. A unit
//! with a lower key is an error, so that the order is guaranteed.

use super::section_text::{ParagraphForm, SectionParagraph, SectionText, TextOrigin};
use super::units::{LayoutUnit, OrderKey, PlacedSpan, UnitMarks, UnitSeparator};
use crate::layout::input::bounds::Bounds;
use crate::model::{AuxKind, LayoutRole, Span};
use std::sync::Arc;
use thiserror::Error;

/// The error for a unit out of order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the order goes back from {before:?} to {after:?}")]
pub struct OrderRegression {
    /// The last unit.
    pub before: OrderKey,
    /// The unit that must not follow it.
    pub after: OrderKey,
}

/// Emits units in order.
#[derive(Debug, Default)]
pub(crate) struct UnitSerializer {
    last: Option<OrderKey>,
    units: Vec<LayoutUnit>,
}

impl UnitSerializer {
    /// Appends the next unit.
    ///
    /// # Errors
    /// Its key does not rise, or AUX of its section has begun before.
    pub fn emit(&mut self, unit: LayoutUnit) -> Result<(), OrderRegression> {
        if let Some(before) = self.last {
            let is_back =
                unit.key.section_seq == before.section_seq && unit.key.emit_phase < before.emit_phase;
            if unit.key <= before || is_back {
                return Err(OrderRegression { before, after: unit.key });
            }
        }
        self.last = Some(unit.key);
        self.units.push(unit);
        Ok(())
    }

    /// The units.
    pub fn finish(self) -> Vec<LayoutUnit> {
        self.units
    }
}

/// The units of sections, which are counted from `first` on.
///
/// # Errors
/// The order would go back, which is a bug.
pub(crate) fn serialize(sections: Vec<SectionText>, first: u64) -> Result<Vec<LayoutUnit>, OrderRegression> {
    let mut serializer = UnitSerializer::default();
    for (at, section) in sections.into_iter().enumerate() {
        let heading: Arc<str> = section.head.title.as_deref().unwrap_or_default().into();
        let key = OrderKey { section_seq: first + at as u64, ..OrderKey::default() };
        let mut emitter = SectionEmitter { serializer: &mut serializer, heading, key, is_in_list: false };
        for paragraph in &section.main {
            emitter.add(paragraph, LayoutRole::Main, None)?;
        }
        for (kind, paragraphs) in &section.aux {
            emitter.is_in_list = false;
            for paragraph in paragraphs {
                emitter.add(paragraph, LayoutRole::Aux, Some(*kind))?;
            }
        }
    }
    Ok(serializer.finish())
}

struct SectionEmitter<'s> {
    serializer: &'s mut UnitSerializer,
    heading: Arc<str>,
    key: OrderKey,
    /// The last paragraph was an item.
    is_in_list: bool,
}

impl SectionEmitter<'_> {
    fn add(
        &mut self,
        paragraph: &SectionParagraph,
        role: LayoutRole,
        kind: Option<AuxKind>,
    ) -> Result<(), OrderRegression> {
        let ends = paragraph.starts.iter().skip(1).copied().chain([paragraph.text.len()]);
        let mut sent_seq = 0;
        let is_item = matches!(paragraph.form, ParagraphForm::Item { .. });
        let is_next_item = std::mem::replace(&mut self.is_in_list, is_item) && is_item;
        let mut marks = marks(paragraph);
        for ((start, end), marks) in paragraph.starts.iter().copied().zip(ends).zip(&mut marks) {
            let text = &paragraph.text[start..end];
            let lead = text.len() - text.trim_start().len();
            let span = Span::new(start + lead, start + lead + text.trim().len());
            let places = places(&paragraph.origins, &paragraph.text, span);
            if span.is_empty() || places.is_empty() {
                continue;
            }
            let block = first_origin(&paragraph.origins, span).map_or(0, |at| paragraph.origins[at].block);
            let before = paragraph.text[..span.start].trim_end().len();
            let separator = match &paragraph.text[before..span.start] {
                _ if sent_seq == 0 && is_next_item => UnitSeparator::Line,
                _ if sent_seq == 0 => UnitSeparator::Paragraph,
                "" => UnitSeparator::Nothing,
                blank if blank.contains('\n') => UnitSeparator::Line,
                _ => UnitSeparator::Blank,
            };
            let emit_phase = u8::from(role == LayoutRole::Aux);
            self.serializer.emit(LayoutUnit {
                role,
                kind,
                level: paragraph.level,
                text: paragraph.text[span.range()].to_owned(),
                key: OrderKey { sent_seq, emit_phase, ..self.key },
                heading: self.heading.clone(),
                separator,
                marks: std::mem::take(marks),
                block,
                places,
            })?;
            sent_seq += 1;
        }
        self.key.para_seq += u64::from(sent_seq > 0);
        Ok(())
    }
}

/// The Markdown around each sentence of a paragraph.
fn marks(paragraph: &SectionParagraph) -> Vec<UnitMarks> {
    let is_verbatim = matches!(paragraph.form, ParagraphForm::Listing { .. } | ParagraphForm::Table);
    let mut marks = vec![UnitMarks { is_verbatim, ..UnitMarks::default() }; paragraph.starts.len()];
    let ends = (!marks.is_empty()).then(|| marks.len() - 1);
    match &paragraph.form {
        ParagraphForm::Text if paragraph.level > 0 => {
            let level = usize::from(paragraph.level).min(MAX_MARKDOWN_LEVEL);
            marks.first_mut().into_iter().for_each(|first| first.before = "#".repeat(level) + " ");
        }
        ParagraphForm::Text | ParagraphForm::Table => {}
        ParagraphForm::Item { mark } => {
            marks.first_mut().into_iter().for_each(|first| first.before.clone_from(mark));
        }
        ParagraphForm::Note => {
            marks.first_mut().into_iter().for_each(|first| first.before.push_str("> "));
        }
        ParagraphForm::Listing { leads } => {
            marks.iter_mut().zip(leads).for_each(|(marks, lead)| marks.before.clone_from(lead));
            let fence = fence_of(&paragraph.text);
            marks
                .first_mut()
                .into_iter()
                .for_each(|first| first.before = format!("{fence}\n{}", first.before));
            ends.into_iter().for_each(|last| marks[last].after = format!("\n{fence}"));
        }
    }
    marks
}

/// Headings of Markdown have six levels.
const MAX_MARKDOWN_LEVEL: usize = 6;

/// A fence that no line of a listing closes.
fn fence_of(text: &str) -> String {
    let longest = text.lines().map(|line| line.bytes().take_while(|byte| *byte == b'`').count()).max();
    // Three at least, and more than any run inside (CommonMark 4.5).
    "`".repeat(longest.unwrap_or_default().max(2) + 1)
}

/// The origin in which a span of a paragraph begins.
fn first_origin(origins: &[TextOrigin], span: Span) -> Option<usize> {
    let behind = origins.partition_point(|origin| origin.start <= span.start);
    (!origins.is_empty()).then(|| behind.saturating_sub(1))
}

/// The places of a span of a paragraph; lines of one block are one place.
fn places(origins: &[TextOrigin], text: &str, span: Span) -> Vec<PlacedSpan> {
    let first = first_origin(origins, span);
    let mut places: Vec<(usize, PlacedSpan)> = Vec::new();
    for (at, origin) in origins.iter().enumerate().skip(first.unwrap_or_default()) {
        if origin.start >= span.end {
            break;
        }
        let end = origins.get(at + 1).map_or(text.len(), |next| next.start).min(span.end);
        let start = origin.start.max(span.start);
        let inside = Span::new(start - span.start, end - span.start);
        match places.last_mut() {
            Some((block, place)) if *block == origin.block => {
                place.span.end = inside.end;
                place.bounds.add(origin.bounds);
            }
            _ => places
                .push((origin.block, PlacedSpan { span: inside, page: origin.page, bounds: origin.bounds })),
        }
    }
    places.into_iter().map(|(_, place)| PlacedSpan { bounds: rounded(place.bounds), ..place }).collect()
}

/// Rounded to hundredths of a point, as reports show them.
fn rounded(bounds: Bounds) -> Bounds {
    let round = |value: f64| (value * 100.0).round() / 100.0;
    Bounds { x0: round(bounds.x0), y0: round(bounds.y0), x1: round(bounds.x1), y1: round(bounds.y1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(section_seq: u64, para_seq: u64, sent_seq: u64, emit_phase: u8) -> LayoutUnit {
        LayoutUnit {
            role: if emit_phase == 0 { LayoutRole::Main } else { LayoutRole::Aux },
            kind: None,
            level: 0,
            text: "x".to_owned(),
            key: OrderKey { section_seq, para_seq, sent_seq, emit_phase },
            heading: "".into(),
            separator: UnitSeparator::Paragraph,
            marks: UnitMarks::default(),
            block: 0,
            places: Vec::new(),
        }
    }

    fn check(keys: &[(u64, u64, u64, u8)], is_sound: bool) {
        let mut serializer = UnitSerializer::default();
        let result = keys.iter().try_for_each(|&(a, b, c, d)| serializer.emit(unit(a, b, c, d)));
        assert_eq!(result.is_ok(), is_sound, "{keys:?}");
    }

    #[test]
    fn the_order_only_rises() {
        check(&[(0, 0, 0, 0), (0, 0, 1, 0), (0, 1, 0, 1), (1, 0, 0, 0)], true);
        check(&[(0, 0, 0, 1), (1, 0, 0, 1)], true);
        check(&[(0, 1, 0, 0), (0, 0, 0, 0)], false);
        check(&[(0, 0, 0, 0), (0, 0, 0, 0)], false);
        check(&[(1, 0, 0, 0), (0, 5, 0, 0)], false);
    }

    #[test]
    fn main_text_never_follows_aux_in_its_section() {
        check(&[(0, 0, 0, 0), (0, 1, 0, 1), (0, 2, 0, 0)], false);
    }
}
