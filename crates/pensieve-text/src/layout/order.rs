//! The one serializer: sections become units in one order that only rises, first a section's MAIN, then its AUX. What
//! would go back is an error, whatever came before: order is proved here, not hoped for.

use super::bounds::Bounds;
use super::thread::{Mark, Paragraph, Section};
use super::units::{LayoutUnit, OrderKey, PlacedSpan, UnitSeparator};
use crate::model::{AuxKind, LayoutRole, Span};
use std::sync::Arc;
use thiserror::Error;

/// A unit that would come too late.
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
pub struct UnitSerializer {
    last: Option<OrderKey>,
    units: Vec<LayoutUnit>,
}

impl UnitSerializer {
    /// Takes the next unit.
    ///
    /// # Errors
    /// Its key does not rise, or its section has already gone over to AUX.
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

    /// Everything that was emitted.
    pub fn finish(self) -> Vec<LayoutUnit> {
        self.units
    }
}

/// The units of sections, counted from `first` on.
///
/// # Errors
/// Never, as long as sections are numbered here; the serializer says so all the same.
pub(super) fn serialize(sections: Vec<Section>, first: u64) -> Result<Vec<LayoutUnit>, OrderRegression> {
    let mut serializer = UnitSerializer::default();
    for (at, section) in sections.into_iter().enumerate() {
        let heading: Arc<str> = section.head.title.as_deref().unwrap_or_default().into();
        let key = OrderKey { section_seq: first + at as u64, ..OrderKey::default() };
        let mut maker = Maker { serializer: &mut serializer, heading, key };
        for paragraph in &section.main {
            maker.add(paragraph, LayoutRole::Main, None)?;
        }
        for (kind, paragraphs) in &section.aux {
            for paragraph in paragraphs {
                maker.add(paragraph, LayoutRole::Aux, Some(*kind))?;
            }
        }
    }
    Ok(serializer.finish())
}

struct Maker<'s> {
    serializer: &'s mut UnitSerializer,
    heading: Arc<str>,
    key: OrderKey,
}

impl Maker<'_> {
    fn add(
        &mut self,
        paragraph: &Paragraph,
        role: LayoutRole,
        kind: Option<AuxKind>,
    ) -> Result<(), OrderRegression> {
        let ends = paragraph.starts.iter().skip(1).copied().chain([paragraph.text.len()]);
        let mut sent_seq = 0;
        for (start, end) in paragraph.starts.iter().copied().zip(ends) {
            let text = &paragraph.text[start..end];
            let lead = text.len() - text.trim_start().len();
            let span = Span::new(start + lead, start + lead + text.trim().len());
            let pieces = pieces(&paragraph.marks, &paragraph.text, span);
            if span.is_empty() || pieces.is_empty() {
                continue;
            }
            let before = paragraph.text[..span.start].trim_end().len();
            let glue = match &paragraph.text[before..span.start] {
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
                glue,
                pieces,
            })?;
            sent_seq += 1;
        }
        self.key.para_seq += u64::from(sent_seq > 0);
        Ok(())
    }
}

/// The places of a stretch of a paragraph: lines of one block are one.
fn pieces(marks: &[Mark], text: &str, span: Span) -> Vec<PlacedSpan> {
    let first = marks.partition_point(|mark| mark.start <= span.start).saturating_sub(1);
    let mut pieces: Vec<(usize, PlacedSpan)> = Vec::new();
    for (at, mark) in marks.iter().enumerate().skip(first) {
        if mark.start >= span.end {
            break;
        }
        let end = marks.get(at + 1).map_or(text.len(), |next| next.start).min(span.end);
        let start = mark.start.max(span.start);
        let inside = Span::new(start - span.start, end - span.start);
        match pieces.last_mut() {
            Some((block, piece)) if *block == mark.block => {
                piece.span.end = inside.end;
                piece.bounds.add(mark.bounds);
            }
            _ => pieces.push((mark.block, PlacedSpan { span: inside, page: mark.page, bounds: mark.bounds })),
        }
    }
    pieces.into_iter().map(|(_, piece)| PlacedSpan { bounds: rounded(piece.bounds), ..piece }).collect()
}

/// Hundredths of a point are all that is ever shown.
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
            glue: UnitSeparator::Paragraph,
            pieces: Vec::new(),
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
