//! Collects the glyphs of a page into spans. Text that is drawn twice, to look bold or to cast a shadow, counts once.

use super::font::GlyphText;
use super::geometry::Bounds;
use super::open_span::{AccentedLetter, GlyphPlace, OpenSpan, PlacedGlyph, SAME_PLACE};
use super::visibility::{PaintedAreas, SpanPaint};
use pensieve_text::layout::{FontFace, TextSpan, TextTag};
use pensieve_text::model::HiddenReason;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Collects the spans of a page and counts the glyphs of all pages.
#[derive(Default)]
pub(super) struct SpanCollector {
    done: Vec<TextSpan>,
    /// How each of them is painted.
    paints: Vec<SpanPaint>,
    open: Option<OpenSpan>,
    width: f64,
    height: f64,
    seen: FxHashMap<u64, Vec<usize>>,
    actual: ActualTextUse,
    bold: FxHashMap<usize, Arc<FontFace>>,
    /// True while a field of a form is drawn.
    pub(super) is_in_field: bool,
    /// What the file says that the next glyphs are.
    pub(super) tag: Option<TextTag>,
    /// Glyphs with characters, over all pages.
    pub(super) mapped: u64,
    /// Glyphs whose characters are not known, over all pages.
    pub(super) unmapped: u64,
    /// Streams of this document that could not be decoded.
    pub(super) unread_streams: u64,
}

#[derive(Default, PartialEq)]
enum ActualTextUse {
    #[default]
    None,
    Pending,
    Used,
}

impl SpanCollector {
    /// Starts a page of this size.
    pub(super) fn start_page(&mut self, width: f64, height: f64) {
        (self.width, self.height) = (width, height);
        (self.done, self.open, self.actual) = (Vec::new(), None, ActualTextUse::None);
        self.paints.clear();
        self.seen.clear();
        self.bold.clear();
    }

    /// The spans of the page, and those that nobody can see, each with the reason.
    pub(super) fn finish_page(
        &mut self,
        areas: &PaintedAreas,
    ) -> (Vec<TextSpan>, Vec<(HiddenReason, TextSpan)>) {
        self.break_here();
        let reasons = areas.hidden(&self.done, &self.paints);
        let (mut shown, mut hidden) = (Vec::with_capacity(self.done.len()), Vec::new());
        for (span, reason) in std::mem::take(&mut self.done).into_iter().zip(reasons) {
            match reason {
                Some(reason) => hidden.push((reason, span)),
                None => shown.push(span),
            }
        }
        (shown, hidden)
    }

    /// Starts a replacement text; the next glyph gets it.
    pub(super) fn start_actual_text(&mut self) {
        self.actual = ActualTextUse::Pending;
    }

    /// The replacement text for the first glyph that it replaces, nothing for the others.
    pub(super) fn actual_text(&mut self, text: &str) -> GlyphText {
        match std::mem::replace(&mut self.actual, ActualTextUse::Used) {
            ActualTextUse::Pending => GlyphText::Text(text.into()),
            _ => GlyphText::Text("".into()),
        }
    }

    /// Ends the replacement text.
    pub(super) fn end_actual_text(&mut self) {
        self.actual = ActualTextUse::None;
    }

    /// Adds a glyph.
    pub(super) fn add(&mut self, glyph: &PlacedGlyph<'_, '_>) {
        let Some(place) = glyph.place() else { return };
        let is_outside = self.is_outside(&place);
        let hidden = match glyph.hidden {
            _ if is_outside => Some(HiddenReason::OffPage),
            None if self.is_cut_off(glyph, &place) => Some(HiddenReason::Clipped),
            known => known,
        };
        let glyph = &PlacedGlyph { hidden, ..*glyph };
        match glyph.text {
            _ if is_outside => {}
            GlyphText::Unmapped => self.unmapped += 1,
            _ => self.mapped += 1,
        }
        let accented = match self.open.as_mut().and_then(|open| open.accented(glyph, &place)) {
            Some(AccentedLetter::Complete) => return,
            Some(AccentedLetter::Drawn(letter)) => Some(GlyphText::Char(letter)),
            None => None,
        };
        let glyph = &PlacedGlyph { text: accented.as_ref().unwrap_or(glyph.text), ..*glyph };
        // The accent of a first letter was all that there was.
        self.open.take_if(|open| open.text.is_empty());
        if let Some(open) = self.open.as_mut().filter(|open| open.takes(glyph, &place)) {
            open.add(glyph, &place);
            return;
        }
        self.break_here();
        if matches!(glyph.text, GlyphText::Unmapped | GlyphText::Char(' ')) || is_empty(glyph.text) {
            return;
        }
        let mut open = OpenSpan::at(glyph, &place, self.face_of(glyph), self.tag);
        open.add(glyph, &place);
        self.open = Some(open);
    }

    /// True for a glyph that a clip cuts off. The end of a word that begins inside is as good as seen, and a field of a form
    /// can be scrolled.
    fn is_cut_off(&self, glyph: &PlacedGlyph<'_, '_>, place: &GlyphPlace) -> bool {
        !self.is_in_field
            && is_clipped(&glyph.clip, place)
            && !self.open.as_ref().is_some_and(|open| open.takes_into_word(glyph, place))
    }

    /// Adds the value of a form field that no stream draws, as lines in its box.
    pub(super) fn add_value(&mut self, text: &str, bounds: Bounds) {
        let lines = text.lines().count().max(1) as f64;
        let size = (bounds.height() / lines * 0.8).clamp(4.0, 12.0);
        let is_inside =
            bounds.x1 > 0.0 && bounds.y1 > 0.0 && bounds.x0 < self.width && bounds.y0 < self.height;
        if !is_inside || !(bounds.width() * bounds.height()).is_finite() {
            return;
        }
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let base = bounds.y0 + size * (1.2 * at as f64 + 1.0);
            self.mapped += line.chars().count() as u64;
            // A value is shown above all that is painted.
            self.paints.push(SpanPaint { hidden: None, areas_before: usize::MAX });
            self.done.push(TextSpan {
                text: line.trim().to_owned(),
                font: Arc::default(),
                size: size as f32,
                rotation: 0.0,
                origin: [bounds.x0 as f32, base as f32],
                length: (bounds.width().min(size * 0.5 * line.chars().count() as f64)) as f32,
                bbox: bounds.to_array(),
                line_height: size as f32,
                is_invisible: false,
                is_vertical: false,
                gaps: Vec::new(),
                tag: None,
            });
        }
    }

    fn face_of(&mut self, glyph: &PlacedGlyph<'_, '_>) -> Arc<FontFace> {
        if !glyph.is_stroked || glyph.font.face.weight >= 700 {
            return glyph.font.face.clone();
        }
        let key = Arc::as_ptr(&glyph.font.face) as usize;
        let face = &glyph.font.face;
        self.bold
            .entry(key)
            .or_insert_with(|| Arc::new(FontFace { weight: 700, ..FontFace::clone(face) }))
            .clone()
    }

    fn is_outside(&self, place: &GlyphPlace) -> bool {
        let GlyphPlace { origin: (x, y), along, advance, size, .. } = *place;
        // The middle of the glyph, a quarter of its size above the baseline.
        let (x, y) = (x + along.0 * advance / 2.0, y + along.1 * advance / 2.0);
        let (x, y) = (x + along.1 * size / 4.0, y - along.0 * size / 4.0);
        x < -0.5 || y < -0.5 || x > self.width + 0.5 || y > self.height + 0.5
    }

    /// Ends the span that is being written.
    pub(super) fn break_here(&mut self) {
        let Some(open) = self.open.take() else { return };
        let paint = open.paint;
        let Some(span) = open.finish() else { return };
        let mut hasher = rustc_hash::FxHasher::default();
        span.text.hash(&mut hasher);
        let same = self.seen.entry(hasher.finish()).or_default();
        let near = SAME_PLACE as f32 * span.size;
        let again = same.iter().rev().take(64).find(|&&at| {
            let other = &self.done[at];
            other.text == span.text
                && self.paints[at].hidden == paint.hidden
                && (other.origin[0] - span.origin[0]).abs() < near
                && (other.origin[1] - span.origin[1]).abs() < near
        });
        match again {
            // What is drawn again lies above all that was painted between.
            Some(&at) => self.paints[at] = paint,
            None => {
                same.push(self.done.len());
                self.done.push(span);
                self.paints.push(paint);
            }
        }
    }
}

/// True for a glyph that lies outside of an area where paint has an effect, with a margin of its size: letters reach beyond
/// their advance. An area without extent is a path that was not understood.
fn is_clipped(clip: &Bounds, place: &GlyphPlace) -> bool {
    let GlyphPlace { origin: (x, y), along, advance, size, .. } = *place;
    let ends = [x, x + along.0 * advance];
    let heights = [y, y + along.1 * advance];
    clip.width() > 0.0
        && clip.height() > 0.0
        && (ends.iter().all(|x| *x < clip.x0 - size)
            || ends.iter().all(|x| *x > clip.x1 + size)
            || heights.iter().all(|y| *y < clip.y0 - size)
            || heights.iter().all(|y| *y > clip.y1 + size))
}

fn is_empty(text: &GlyphText) -> bool {
    matches!(text, GlyphText::Text(several) if several.is_empty())
}
