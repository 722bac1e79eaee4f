//! Collects glyphs into spans: text in one font on one baseline. Gaps between glyphs separate words, since many files
//! have no spaces; text that is drawn twice, to look bold or to cast a shadow, counts once.

use super::accents;
use super::font::{GlyphText, PdfFont};
use super::geometry::{Bounds, Matrix};
use pensieve_text::layout::bidi;
use pensieve_text::layout::{FontFace, SpanGap, TextSpan, TextTag};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A gap of this share of the font size separates two words. Kerning stays below a tenth, spaces in justified lines
/// above a sixth.
const WORD_GAP: f64 = 0.13;

/// A gap wider than this, in font sizes, ends a span: it may be the gap between two columns.
const SPAN_GAP: f64 = 1.1;

/// A gap wider than this, in font sizes, may separate two cells of a table. Most gaps between words are narrower.
const PART_GAP: f64 = 0.36;

/// A glyph that is drawn again within this share of the font size is the same glyph.
const SAME_PLACE: f64 = 0.12;

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
}

/// Collects the spans of a page and counts the glyphs of all pages.
#[derive(Default)]
pub(super) struct SpanCollector {
    done: Vec<TextSpan>,
    open: Option<OpenSpan>,
    width: f64,
    height: f64,
    seen: FxHashMap<u64, Vec<usize>>,
    actual: ActualTextUse,
    bold: FxHashMap<usize, Arc<FontFace>>,
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

/// A letter with an accent.
enum AccentedLetter {
    /// The accent was there; the letter is still to be added.
    Drawn(char),
    /// The letter was there, and has its accent now.
    Complete,
}

/// A span to which glyphs may still be added.
struct OpenSpan {
    text: String,
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
    /// Spaces that were added because of a gap: their bytes in the text, and the gaps.
    gaps: Vec<(usize, f64)>,
    /// Gaps that may separate cells.
    wide_gaps: Vec<SpanGap>,
    glyphs: usize,
    is_vertical: bool,
    is_invisible: bool,
    tag: Option<TextTag>,
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

impl SpanCollector {
    /// Starts a page of this size.
    pub(super) fn start_page(&mut self, width: f64, height: f64) {
        (self.width, self.height) = (width, height);
        (self.done, self.open, self.actual) = (Vec::new(), None, ActualTextUse::None);
        self.seen.clear();
        self.bold.clear();
    }

    /// The spans of the page.
    pub(super) fn finish_page(&mut self) -> Vec<TextSpan> {
        self.break_here();
        std::mem::take(&mut self.done)
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
        let [a, b, c, d, x, y] = glyph.to_page.0;
        if !(a + b + c + d + x + y).is_finite() {
            return;
        }
        let (along, unit, tall) = match glyph.is_vertical {
            // Lines run against the direction of the letters' height.
            true => ((-c, -d), c.hypot(d), a.hypot(b)),
            false => ((a, b), a.hypot(b), c.hypot(d)),
        };
        let size = if tall > 0.0 { tall } else { unit } * glyph.font.scale;
        if unit <= 0.0 || !(0.01..=1e5).contains(&size) {
            return;
        }
        let along = (along.0 / unit, along.1 / unit);
        let advance = glyph.advance.abs() * unit;
        if self.is_outside(x, y, along, advance, size) {
            return;
        }
        match glyph.text {
            GlyphText::Unmapped => self.unmapped += 1,
            _ => self.mapped += 1,
        }
        let accented = self.open.as_mut().and_then(|open| open.accented(glyph, (x, y), size, advance));
        let accented = match accented {
            None => None,
            Some(AccentedLetter::Complete) => return,
            Some(AccentedLetter::Drawn(letter)) => Some(GlyphText::Char(letter)),
        };
        let glyph = &PlacedGlyph { text: accented.as_ref().unwrap_or(glyph.text), ..*glyph };
        // The accent of a first letter was all that there was.
        self.open.take_if(|open| open.text.is_empty());
        if let Some(open) = &mut self.open
            && open.takes(glyph, (x, y), along, size)
        {
            open.add(glyph, (x, y), advance, glyph.spacing * unit);
            return;
        }
        self.break_here();
        if matches!(glyph.text, GlyphText::Unmapped | GlyphText::Char(' ')) || is_empty(glyph.text) {
            return;
        }
        let face = self.face_of(glyph);
        let mut open = OpenSpan {
            text: String::new(),
            face,
            size,
            along,
            origin: (x, y),
            end: 0.0,
            pen: 0.0,
            last_start: f64::NEG_INFINITY,
            last_advance: 0.0,
            last_text: GlyphText::Unmapped,
            before_last: SpanState::default(),
            has_space_before: false,
            gaps: Vec::new(),
            wide_gaps: Vec::new(),
            glyphs: 0,
            is_vertical: glyph.is_vertical,
            is_invisible: glyph.is_invisible,
            tag: self.tag,
        };
        open.add(glyph, (x, y), advance, glyph.spacing * unit);
        self.open = Some(open);
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

    fn is_outside(&self, x: f64, y: f64, along: (f64, f64), advance: f64, size: f64) -> bool {
        // The middle of the glyph, a quarter of its size above the baseline.
        let (x, y) = (x + along.0 * advance / 2.0, y + along.1 * advance / 2.0);
        let (x, y) = (x + along.1 * size / 4.0, y - along.0 * size / 4.0);
        x < -0.5 || y < -0.5 || x > self.width + 0.5 || y > self.height + 0.5
    }

    /// Ends the span that is being written.
    pub(super) fn break_here(&mut self) {
        let Some(open) = self.open.take() else { return };
        let Some(span) = open.finish() else { return };
        let mut hasher = rustc_hash::FxHasher::default();
        span.text.hash(&mut hasher);
        let same = self.seen.entry(hasher.finish()).or_default();
        let near = SAME_PLACE as f32 * span.size;
        let is_again = same.iter().rev().take(64).any(|&at| {
            let other = &self.done[at];
            other.text == span.text
                && (other.origin[0] - span.origin[0]).abs() < near
                && (other.origin[1] - span.origin[1]).abs() < near
        });
        if !is_again {
            same.push(self.done.len());
            self.done.push(span);
        }
    }
}

impl OpenSpan {
    /// The position of a point: along the baseline from the origin, and across it downwards.
    fn place(&self, point: (f64, f64)) -> (f64, f64) {
        let (x, y) = (point.0 - self.origin.0, point.1 - self.origin.1);
        (x * self.along.0 + y * self.along.1, y * self.along.0 - x * self.along.1)
    }

    /// Joins a letter and its accent, whichever comes first, if they are drawn over each other. An accent that comes first
    /// is removed; one that comes second is added to its letter here.
    fn accented(
        &mut self,
        glyph: &PlacedGlyph<'_, '_>,
        point: (f64, f64),
        size: f64,
        advance: f64,
    ) -> Option<AccentedLetter> {
        let (&GlyphText::Char(last), &GlyphText::Char(next)) = (&self.last_text, glyph.text) else {
            return None;
        };
        let (letter, is_accent_first) = accents::composed(next, last)
            .map(|letter| (letter, true))
            .or_else(|| accents::composed(last, next).map(|letter| (letter, false)))?;
        let (at, across) = self.place(point);
        let last = (self.last_start, self.last_start + self.last_advance);
        let is_over = match is_accent_first {
            true => is_drawn_over(last, (at, at + advance)),
            false => is_drawn_over((at, at + advance), last),
        };
        let is_same = (self.size - size).abs() < 0.02 * size
            && Arc::ptr_eq(&self.face, &glyph.font.face)
            && !glyph.is_vertical
            && across.abs() < ACCENT_RISE * size;
        if !is_over || !is_same {
            return None;
        }
        if is_accent_first {
            self.remove_last();
            return Some(AccentedLetter::Drawn(letter));
        }
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
        (self.last_start, self.last_advance) = (f64::NEG_INFINITY, 0.0);
        self.last_text = GlyphText::Unmapped;
    }

    fn takes(&self, glyph: &PlacedGlyph<'_, '_>, point: (f64, f64), along: (f64, f64), size: f64) -> bool {
        let is_same = (self.size - size).abs() < 0.02 * size
            && (along.0 - self.along.0).abs() + (along.1 - self.along.1).abs() < 0.02
            && self.is_vertical == glyph.is_vertical
            && self.is_invisible == glyph.is_invisible
            && (Arc::ptr_eq(&self.face, &glyph.font.face)
                || (glyph.is_stroked && self.face.name == glyph.font.face.name));
        if !is_same {
            return false;
        }
        let (at, across) = self.place(point);
        let back = if is_mark(glyph.text) { -1.2 } else { -0.3 };
        across.abs() < 0.06 * size
            && (self.is_again(glyph.text, at) || (back * size..SPAN_GAP * size).contains(&(at - self.end)))
    }

    fn is_again(&self, text: &GlyphText, at: f64) -> bool {
        *text == self.last_text && (at - self.last_start).abs() < SAME_PLACE * self.size
    }

    fn add(&mut self, glyph: &PlacedGlyph<'_, '_>, point: (f64, f64), advance: f64, spacing: f64) {
        let at = self.place(point).0;
        if self.is_again(glyph.text, at) {
            return;
        }
        let is_space = matches!(glyph.text, GlyphText::Char(' '));
        if !is_space {
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
        self.pen = at + advance + spacing.max(0.0);
        (self.last_start, self.last_advance, self.last_text) = (at, advance, glyph.text.clone());
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

    fn finish(mut self) -> Option<TextSpan> {
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

fn is_empty(text: &GlyphText) -> bool {
    matches!(text, GlyphText::Text(several) if several.is_empty())
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
