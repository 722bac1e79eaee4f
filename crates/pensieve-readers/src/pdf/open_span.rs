//! A span to which glyphs are added: text in one font on one baseline. Gaps between glyphs separate words, since many files
//! have no spaces; a glyph that is drawn twice counts once; accents that are glyphs of their own join their letters.

use super::accents;
use super::font::{GlyphText, PdfFont};
use super::geometry::{Bounds, Matrix};
use super::visibility::SpanPaint;
use pensieve_text::layout::bidi;
use pensieve_text::layout::{FontFace, SpanGap, TextSpan, TextTag};
use pensieve_text::model::HiddenReason;
use std::sync::Arc;

/// A gap of this share of the font size separates two words. Kerning stays below a tenth, spaces in justified lines
/// above a sixth.
const WORD_GAP: f64 = 0.13;

/// A gap wider than this, in font sizes, ends a span: it may be the gap between two columns.
const SPAN_GAP: f64 = 1.1;

/// A gap wider than this, in font sizes, may separate two cells of a table. Most gaps between words are narrower.
const PART_GAP: f64 = 0.36;

/// A glyph that is drawn again within this share of the font size is the same glyph.
pub(super) const SAME_PLACE: f64 = 0.12;

/// An accent may stand this much higher over a capital letter than over a small one, in font sizes.
const ACCENT_RISE: f64 = 0.4;

/// The height of a line above and below the baseline, in font sizes.
const ASCENT: f64 = 0.78;
const DESCENT: f64 = 0.22;

/// A glyph as it is drawn.
#[derive(Clone, Copy)]
pub(super) struct PlacedGlyph<'i, 'a> {
    pub(super) text: &'i GlyphText,
    pub(super) font: &'i PdfFont<'a>,
    /// From font sizes at the glyph's origin to the page as displayed.
    pub(super) to_page: &'i Matrix,
    /// How far it advances, in font sizes.
    pub(super) advance: f64,
    /// What is added to every advance, in font sizes.
    pub(super) spacing: f64,
    /// Lines run downwards.
    pub(super) is_vertical: bool,
    /// Drawn without ink, as under the picture of a scanned page.
    pub(super) is_invisible: bool,
    /// Its outline is drawn as well, which makes it bold.
    pub(super) is_stroked: bool,
    /// Why nobody can see it, as far as that is known.
    pub(super) hidden: Option<HiddenReason>,
    /// Where paint has an effect.
    pub(super) clip: Bounds,
    /// The number of areas that were painted before it.
    pub(super) areas_before: usize,
}

/// Where a glyph is on the page as displayed.
#[derive(Clone, Copy)]
pub(super) struct GlyphPlace {
    pub(super) origin: (f64, f64),
    /// The direction of the baseline.
    pub(super) along: (f64, f64),
    /// The size of the font.
    pub(super) size: f64,
    pub(super) advance: f64,
    /// What is added to the advance.
    pub(super) spacing: f64,
}

impl PlacedGlyph<'_, '_> {
    /// Where the glyph is; none if that cannot be computed, or if its size is out of all proportion.
    pub(super) fn place(&self) -> Option<GlyphPlace> {
        let [a, b, c, d, x, y] = self.to_page.0;
        if !(a + b + c + d + x + y).is_finite() {
            return None;
        }
        let (along, unit, tall) = match self.is_vertical {
            // Lines run against the direction of the letters' height.
            true => ((-c, -d), c.hypot(d), a.hypot(b)),
            false => ((a, b), a.hypot(b), c.hypot(d)),
        };
        let size = if tall > 0.0 { tall } else { unit } * self.font.scale;
        (unit > 0.0 && (0.01..=1e5).contains(&size)).then(|| GlyphPlace {
            origin: (x, y),
            along: (along.0 / unit, along.1 / unit),
            size,
            advance: self.advance.abs() * unit,
            spacing: self.spacing * unit,
        })
    }
}

/// A letter with an accent.
pub(super) enum AccentedLetter {
    /// The accent was there; the letter is still to be added.
    Drawn(char),
    /// The letter was there, and has its accent now.
    Complete,
}

/// A span to which glyphs may still be added.
pub(super) struct OpenSpan {
    pub(super) text: String,
    face: Arc<FontFace>,
    size: f64,
    /// The direction of the baseline.
    along: (f64, f64),
    origin: (f64, f64),
    /// Where the text ends, without and with the spacing after the last glyph, from the origin along the baseline.
    end: f64,
    pen: f64,
    last_start: f64,
    last_advance: f64,
    last_text: GlyphText,
    before_last: SpanState,
    has_space_before: bool,
    spaced: SpacedRun,
    /// True if the last glyph follows another directly.
    is_joined: bool,
    /// Spaces that were added because of a gap: their bytes in the text, and the gaps.
    gaps: Vec<(usize, f64)>,
    /// Gaps that may separate cells.
    wide_gaps: Vec<SpanGap>,
    glyphs: usize,
    is_vertical: bool,
    is_invisible: bool,
    /// How it is painted.
    pub(super) paint: SpanPaint,
    tag: Option<TextTag>,
}

/// Gaps between letters by character spacing, up to the last glyph: their bytes in the text, and the gaps.
#[derive(Default)]
struct SpacedRun {
    gaps: Vec<(usize, f64)>,
    /// True if the run begins inside a word.
    is_inside: bool,
}

/// What a span has before a glyph is added.
#[derive(Clone, Copy, Default)]
struct SpanState {
    text: usize,
    end: f64,
    pen: f64,
    has_space_before: bool,
    gaps: usize,
    wide_gaps: usize,
    glyphs: usize,
}

impl OpenSpan {
    /// A span without text that begins at a glyph.
    pub(super) fn at(
        glyph: &PlacedGlyph<'_, '_>,
        place: &GlyphPlace,
        face: Arc<FontFace>,
        tag: Option<TextTag>,
    ) -> OpenSpan {
        OpenSpan {
            text: String::new(),
            face,
            size: place.size,
            along: place.along,
            origin: place.origin,
            end: 0.0,
            pen: 0.0,
            last_start: f64::NEG_INFINITY,
            last_advance: 0.0,
            last_text: GlyphText::Unmapped,
            before_last: SpanState::default(),
            has_space_before: false,
            spaced: SpacedRun::default(),
            is_joined: false,
            gaps: Vec::new(),
            wide_gaps: Vec::new(),
            glyphs: 0,
            is_vertical: glyph.is_vertical,
            is_invisible: glyph.is_invisible,
            paint: SpanPaint { hidden: glyph.hidden, areas_before: glyph.areas_before },
            tag,
        }
    }

    /// The position of a point: along the baseline from the origin, and across it downwards.
    fn along_and_across(&self, point: (f64, f64)) -> (f64, f64) {
        let (x, y) = (point.0 - self.origin.0, point.1 - self.origin.1);
        (x * self.along.0 + y * self.along.1, y * self.along.0 - x * self.along.1)
    }

    /// Joins a letter and its accent, whichever comes first, if they are drawn over each other. An accent that comes first
    /// is removed; one that comes second is added to its letter here.
    pub(super) fn accented(
        &mut self,
        glyph: &PlacedGlyph<'_, '_>,
        place: &GlyphPlace,
    ) -> Option<AccentedLetter> {
        let (&GlyphText::Char(last), &GlyphText::Char(next)) = (&self.last_text, glyph.text) else {
            return None;
        };
        let (at, across) = self.along_and_across(place.origin);
        if glyph.is_vertical || across.abs() >= ACCENT_RISE * place.size || !self.is_like(glyph, place) {
            return None;
        }
        let (here, before) =
            ((at, at + place.advance), (self.last_start, self.last_start + self.last_advance));
        if let Some(letter) = accents::composed(next, last).filter(|_| is_drawn_over(before, here)) {
            self.remove_last();
            return Some(AccentedLetter::Drawn(letter));
        }
        if !is_drawn_over(here, before) {
            return None;
        }
        if accents::has_accent(last, next) {
            return Some(AccentedLetter::Complete);
        }
        let letter = accents::composed(last, next)?;
        self.text.pop();
        self.text.push(letter);
        self.last_text = GlyphText::Char(letter);
        Some(AccentedLetter::Complete)
    }

    fn state(&self) -> SpanState {
        SpanState {
            text: self.text.len(),
            end: self.end,
            pen: self.pen,
            has_space_before: self.has_space_before,
            gaps: self.gaps.len(),
            wide_gaps: self.wide_gaps.len(),
            glyphs: self.glyphs,
        }
    }

    /// Takes the last glyph back.
    fn remove_last(&mut self) {
        let before = self.before_last;
        self.text.truncate(before.text);
        self.gaps.truncate(before.gaps);
        self.wide_gaps.truncate(before.wide_gaps);
        (self.end, self.pen, self.glyphs) = (before.end, before.pen, before.glyphs);
        self.has_space_before = before.has_space_before;
        self.spaced.gaps.retain(|(at, _)| *at < before.text);
        (self.last_start, self.last_advance) = (f64::NEG_INFINITY, 0.0);
        self.last_text = GlyphText::Unmapped;
    }

    /// True for a glyph of the same font, size, direction and kind.
    fn is_like(&self, glyph: &PlacedGlyph<'_, '_>, place: &GlyphPlace) -> bool {
        (self.size - place.size).abs() < 0.02 * place.size
            && (place.along.0 - self.along.0).abs() + (place.along.1 - self.along.1).abs() < 0.02
            && self.is_vertical == glyph.is_vertical
            && self.is_invisible == glyph.is_invisible
            && self.paint.hidden == glyph.hidden
            && (Arc::ptr_eq(&self.face, &glyph.font.face)
                || (glyph.is_stroked && self.face.name == glyph.font.face.name))
    }

    /// True for a glyph that goes on with the span.
    pub(super) fn takes(&self, glyph: &PlacedGlyph<'_, '_>, place: &GlyphPlace) -> bool {
        let (at, across) = self.along_and_across(place.origin);
        let back = if is_mark(glyph.text) { -1.2 } else { -0.3 };
        let size = place.size;
        self.is_like(glyph, place)
            && across.abs() < 0.06 * size
            && (self.is_again(glyph.text, at) || (back * size..SPAN_GAP * size).contains(&(at - self.end)))
    }

    /// True for a glyph that goes on with its last word.
    pub(super) fn takes_into_word(&self, glyph: &PlacedGlyph<'_, '_>, place: &GlyphPlace) -> bool {
        let gap = self.along_and_across(place.origin).0 - self.end;
        self.takes(glyph, place) && !self.has_space_before && gap <= WORD_GAP * self.size
    }

    /// True if the last glyph is drawn again, or the letter below its accent.
    fn is_again(&self, text: &GlyphText, at: f64) -> bool {
        let is_there = (at - self.last_start).abs() < SAME_PLACE * self.size;
        is_there
            && match (text, &self.last_text) {
                (GlyphText::Char(letter), GlyphText::Char(last)) => {
                    letter == last || accents::is_base(*letter, *last)
                }
                (text, last) => text == last,
            }
    }

    /// Adds a glyph.
    pub(super) fn add(&mut self, glyph: &PlacedGlyph<'_, '_>, place: &GlyphPlace) {
        self.paint.areas_before = glyph.areas_before;
        let (at, advance) = (self.along_and_across(place.origin).0, place.advance);
        if self.is_again(glyph.text, at) {
            return;
        }
        let is_space = matches!(glyph.text, GlyphText::Char(' '));
        if !is_space {
            self.note_spacing(if self.text.is_empty() { f64::INFINITY } else { at - self.end });
            self.before_last = self.state();
            if at - self.end > PART_GAP * self.size && !self.text.is_empty() {
                let (from, to) = (self.end as f32, at as f32);
                self.wide_gaps.push(SpanGap { at: self.text.len(), from, to });
            }
            self.separate(at - self.end.max(self.pen.min(at)), is_mark(glyph.text));
            push_glyph(&mut self.text, glyph.text);
            self.glyphs += 1;
            self.end = self.end.max(at + advance);
        }
        self.has_space_before |= is_space;
        self.pen = at + advance + place.spacing.max(0.0);
        (self.last_start, self.last_advance, self.last_text) = (at, advance, glyph.text.clone());
    }

    /// Notes a gap by character spacing, or settles what the gaps before were.
    fn note_spacing(&mut self, gap: f64) {
        let least = WORD_GAP * self.size;
        let is_joined = std::mem::replace(&mut self.is_joined, gap <= least && !self.has_space_before);
        if gap > least && self.pen - self.end > least && !self.has_space_before {
            if self.spaced.gaps.is_empty() {
                self.spaced.is_inside = is_joined;
            }
            self.spaced.gaps.push((self.text.len(), gap));
            return;
        }
        let is_realised = self.spaced.gaps.last().is_some_and(|(_, spacing)| gap >= spacing / 2.0);
        let is_space = self.spaced.is_inside || self.spaced.gaps.len() == 1;
        self.settle_spacing(is_space && !is_realised && !self.has_space_before);
    }

    /// Makes spaces of gaps by character spacing if they are that. groff moves from `We` to `vary` by spacing `ev`, and goes
    /// back behind the `v`; words that are spaced out have the gap after every letter from the first to the last.
    fn settle_spacing(&mut self, are_spaces: bool) {
        let found = std::mem::take(&mut self.spaced.gaps);
        for (number, (at, gap)) in found.into_iter().enumerate().filter(|_| are_spaces) {
            self.text.insert(at + number, ' ');
            self.gaps.push((at + number, gap));
            self.wide_gaps.iter_mut().filter(|wide| wide.at > at + number).for_each(|wide| wide.at += 1);
        }
    }

    /// Adds a space if there is a gap between the last glyph and the next.
    fn separate(&mut self, gap: f64, is_mark: bool) {
        let was_drawn = std::mem::take(&mut self.has_space_before);
        if self.text.is_empty() || is_mark {
            return;
        }
        if !was_drawn && gap > WORD_GAP * self.size {
            self.gaps.push((self.text.len(), gap));
        }
        if was_drawn || gap > WORD_GAP * self.size {
            self.text.push(' ');
        }
    }

    /// The finished span; none without text.
    pub(super) fn finish(mut self) -> Option<TextSpan> {
        self.settle_spacing(self.spaced.is_inside);
        self.close_spaced_letters();
        if self.text.is_empty() {
            return None;
        }
        let (tall, deep) = match self.is_vertical {
            true => (0.5, 0.5),
            false => (ASCENT, DESCENT),
        };
        let ((x, y), along) = (self.origin, self.along);
        let mut bounds = Bounds::EMPTY;
        for (at, across) in [(0.0, -tall), (0.0, deep), (self.end, -tall), (self.end, deep)] {
            let across = across * self.size;
            let x = x + at * along.0 - across * along.1;
            let y = y + at * along.1 + across * along.0;
            bounds.add(Bounds { x0: x, y0: y, x1: x, y1: y });
        }
        Some(TextSpan {
            text: self.text,
            font: self.face,
            size: self.size as f32,
            rotation: (along.1.atan2(along.0).to_degrees() as f32).rem_euclid(360.0),
            origin: [x as f32, y as f32],
            length: self.end as f32,
            bbox: bounds.to_array(),
            line_height: (self.size * (tall + deep)) as f32,
            is_invisible: self.is_invisible,
            is_vertical: self.is_vertical,
            gaps: self.wide_gaps,
            tag: self.tag,
        })
    }

    /// Removes the spaces between letters that are spaced out: if nearly all glyphs have gaps, only the wide gaps
    /// separate words.
    fn close_spaced_letters(&mut self) {
        if self.glyphs < 4 || self.gaps.len() * 10 < (self.glyphs - 1) * 8 {
            return;
        }
        let mut sorted: Vec<f64> = self.gaps.iter().map(|(_, gap)| *gap).collect();
        sorted.sort_by(f64::total_cmp);
        let widest = 1.6 * sorted[sorted.len() / 2].min(2.0 * sorted[0]);
        if sorted[0] > 0.6 * self.size {
            return;
        }
        for (at, _) in self.gaps.iter().rev().filter(|(_, gap)| *gap < widest) {
            self.text.remove(*at);
        }
        self.wide_gaps.clear();
    }
}

/// Appends a glyph's characters in the order of the line, from left to right: ligatures of right-to-left scripts are
/// stored in reading order, which is backwards here.
fn push_glyph(text: &mut String, glyph: &GlyphText) {
    match glyph {
        GlyphText::Unmapped => {}
        GlyphText::Char(c) => text.push(*c),
        GlyphText::Text(several) if several.chars().any(bidi::is_right_to_left) => {
            text.extend(several.chars().rev())
        }
        GlyphText::Text(several) => text.push_str(several),
    }
}

/// True if at least half of an accent, or the middle of one without a width, lies over a letter: where they begin and end.
fn is_drawn_over(accent: (f64, f64), letter: (f64, f64)) -> bool {
    let overlap = accent.1.min(letter.1) - accent.0.max(letter.0);
    let width = accent.1 - accent.0;
    match width > 0.0 {
        true => overlap * 2.0 >= width,
        // At the edge of two letters it may belong to either.
        false => {
            overlap >= 0.0
                && (accent.0 - letter.0) > 0.15 * (letter.1 - letter.0)
                && letter.1 - accent.0 > 0.15 * (letter.1 - letter.0)
        }
    }
}

/// Accents that are drawn over the glyph before.
fn is_mark(text: &GlyphText) -> bool {
    matches!(text, GlyphText::Char(c) if bidi::is_combining(*c))
}
