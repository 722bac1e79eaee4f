//! What nobody can see on a page: text that is not painted, that is transparent, that has the colour of what lies behind
//! it, that a later area covers, or that is too small. A doubt leaves text visible: a picture, a pattern, a blend or a
//! curved area may show anything.
//!
//! Source: ISO 32000-2, 8.4.5 (graphics state), 8.5.4 (clipping), 8.6 (colours), 9.3.6 (rendering modes), 11.3.5 (blending).

use super::geometry::Bounds;
use super::shapes::{SubPath, THIN};
use crate::limits::pdf::MAX_SHAPES;
use pensieve_text::layout::TextSpan;
use pensieve_text::model::HiddenReason;

/// A colour, as far as it can be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
enum InkColour {
    Rgb([f64; 3]),
    /// A pattern, a spot colour, or one whose numbers mean something that only a profile says.
    Unknown,
}

impl InkColour {
    const WHITE: InkColour = InkColour::Rgb([1.0; 3]);

    /// The colour of one, three or four components: grey, red with green and blue, or inks.
    fn of(components: &[f64]) -> InkColour {
        match *components {
            [grey] => InkColour::Rgb([grey; 3]),
            [red, green, blue] => InkColour::Rgb([red, green, blue]),
            [cyan, magenta, yellow, black] => {
                InkColour::Rgb([cyan, magenta, yellow].map(|ink| 1.0 - (ink + black).min(1.0)))
            }
            _ => InkColour::Unknown,
        }
    }

    fn is_white(self) -> bool {
        matches!(self, InkColour::Rgb(parts) if parts.iter().all(|part| *part >= MIN_WHITE))
    }

    /// True for colours that no eye tells apart.
    fn is_like(self, other: InkColour) -> bool {
        let (InkColour::Rgb(one), InkColour::Rgb(two)) = (self, other) else { return false };
        one.iter().zip(two).all(|(a, b)| (a - b).abs() <= SAME_COLOUR)
    }
}

/// The difference of two components, of 1, that is not seen: five of 255 steps.
const SAME_COLOUR: f64 = 0.02;

/// The components of white, at least: an area in the lightest grey that 255 steps can say is drawn to be seen.
const MIN_WHITE: f64 = 0.995;

/// The opacity, of 1, below which nothing is seen.
const MIN_OPACITY: f64 = 0.02;

/// The colour that fills or strokes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CurrentColour {
    colour: InkColour,
    /// The numbers of a colour in the current colour space if these are grey, red with green and blue, or inks.
    components: Option<usize>,
}

impl CurrentColour {
    const BLACK: CurrentColour = CurrentColour { colour: InkColour::Rgb([0.0; 3]), components: Some(1) };

    /// Enters a colour space, which begins with black.
    pub(super) fn enter(&mut self, components: Option<usize>) {
        let colour = if components.is_some() { CurrentColour::BLACK.colour } else { InkColour::Unknown };
        *self = CurrentColour { colour, components };
    }

    /// Sets the colour by its numbers in the current colour space.
    pub(super) fn set(&mut self, numbers: &[f64]) {
        self.colour = match self.components {
            Some(components) if components == numbers.len() => InkColour::of(numbers),
            _ => InkColour::Unknown,
        };
    }

    /// True for a colour that is visible on white paper.
    pub(super) fn shows(&self) -> bool {
        !self.colour.is_white()
    }
}

/// How paint is applied: a part of the graphics state, which forms inherit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PaintState {
    pub(super) fill: CurrentColour,
    pub(super) stroke: CurrentColour,
    pub(super) opacity: f64,
    /// False where colours blend with what lies behind, or a mask applies.
    pub(super) is_plain: bool,
    /// True inside of a form that is painted so as a whole.
    blends_as_group: bool,
    /// Where paint has an effect.
    pub(super) clip: Bounds,
    /// False if the clip is no rectangle, so that less may be painted.
    pub(super) clip_is_box: bool,
}

impl PaintState {
    pub(super) const START: PaintState = PaintState {
        fill: CurrentColour::BLACK,
        stroke: CurrentColour::BLACK,
        opacity: 1.0,
        is_plain: true,
        blends_as_group: false,
        clip: Bounds { x0: -1e9, y0: -1e9, x1: 1e9, y1: 1e9 },
        clip_is_box: true,
    };

    /// Paints only inside of a path from now on.
    pub(super) fn clip_to(&mut self, path: &[SubPath]) {
        let mut all = Bounds::EMPTY;
        path.iter().for_each(|part| all.add(part.bounds));
        self.clip_to_box(all, matches!(path, [part] if part.is_box()));
    }

    /// Paints only inside of a box from now on, or in less than it if `is_box` is false.
    fn clip_to_box(&mut self, bounds: Bounds, is_box: bool) {
        self.clip = meet(self.clip, bounds);
        self.clip_is_box &= is_box;
    }

    /// How a form begins to paint that is drawn here, inside of a box.
    pub(super) fn of_form(&self, bounds: Option<Bounds>, is_box: bool) -> PaintState {
        let blends_as_group = self.blends_as_group || !self.is_plain || self.opacity < 1.0;
        let mut paint = PaintState { blends_as_group, ..*self };
        bounds.into_iter().for_each(|bounds| paint.clip_to_box(bounds, is_box));
        paint
    }

    /// True if what is painted hides what lies behind it.
    fn is_opaque(&self) -> bool {
        self.clip_is_box && self.is_plain && self.opacity >= 1.0 && !self.blends_as_group
    }
}

/// An area of a page.
#[derive(Debug, Clone, Copy)]
struct PaintedArea {
    bounds: Bounds,
    colour: InkColour,
    /// True if all of it is painted, and nothing shows through.
    is_solid: bool,
    kind: AreaKind,
}

/// What an area is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AreaKind {
    /// A filled rectangle.
    Fill,
    /// Lines and areas of any form.
    Drawing,
    Picture,
}

/// Different colours of areas that are known; a page with more of them is a picture.
const MAX_COLOURS: usize = 64;

/// The areas of a page, in the order in which they are painted.
#[derive(Debug, Default)]
pub(super) struct PaintedAreas {
    painted: Vec<PaintedArea>,
    /// The colours of its rectangles, each once.
    colours: Vec<InkColour>,
    /// Lines without an area between them.
    outlines: Vec<Bounds>,
    /// True if there were too many to know them all.
    is_blind: bool,
}

impl PaintedAreas {
    /// Starts a page.
    pub(super) fn clear(&mut self) {
        *self = PaintedAreas::default();
    }

    /// The number of areas so far.
    pub(super) fn count(&self) -> usize {
        self.painted.len()
    }

    /// Notes that the areas of this page are not known from now on.
    pub(super) fn give_up(&mut self) {
        self.is_blind = true;
    }

    /// Notes the filling of a path.
    pub(super) fn fill(&mut self, path: &[SubPath], paint: &PaintState) {
        let is_box = matches!(path, [part] if part.is_box());
        let colour = paint.fill.colour;
        // A pattern may be the picture of the page.
        let kind = match is_box {
            true if colour == InkColour::Unknown => AreaKind::Picture,
            true => AreaKind::Fill,
            false => AreaKind::Drawing,
        };
        let is_solid = is_box && paint.is_opaque();
        let colour = if is_solid { colour } else { InkColour::Unknown };
        for part in path {
            let bounds = meet(part.bounds, paint.clip);
            // A rule lies behind no letter and covers none.
            if kind == AreaKind::Drawing || bounds.width().min(bounds.height()) >= THIN {
                self.add(PaintedArea { bounds, colour, is_solid, kind });
            }
        }
    }

    /// Notes the lines of a path, which cover nothing.
    pub(super) fn stroke(&mut self, path: &[SubPath], paint: &PaintState) {
        let room = MAX_SHAPES.saturating_sub(self.outlines.len());
        self.outlines.extend(path.iter().take(room).map(|part| meet(part.bounds, paint.clip)));
    }

    /// Notes a picture, a shading or whatever else may show anything.
    pub(super) fn picture(&mut self, bounds: Bounds, paint: &PaintState, is_opaque: bool) {
        let is_solid = is_opaque && paint.is_opaque();
        let bounds = meet(bounds, paint.clip);
        self.add(PaintedArea { bounds, colour: InkColour::Unknown, is_solid, kind: AreaKind::Picture });
    }

    fn add(&mut self, area: PaintedArea) {
        let is_empty = area.bounds.width() <= 0.0 || area.bounds.height() <= 0.0;
        match self.painted.len() < MAX_SHAPES {
            _ if is_empty || !area.bounds.x0.is_finite() => {}
            true => {
                self.painted.push(area);
                if area.is_solid && self.colours.len() < MAX_COLOURS && !self.colours.contains(&area.colour) {
                    self.colours.push(area.colour);
                }
            }
            false => self.is_blind = true,
        }
    }

    /// Why nobody can see text that is painted now, as far as what comes later does not matter. `at` is in the middle of its
    /// first letter.
    pub(super) fn hides(&self, paint: &PaintState, mode: i64, at: (f64, f64)) -> Option<HiddenReason> {
        // Modes above 3 clip besides; stroked text has a colour of its own.
        let is_filled_only = matches!(mode, 0 | 4);
        if mode == 3 || mode == 7 {
            return Some(HiddenReason::NotPainted);
        }
        if !is_filled_only || self.is_blind || !paint.is_plain || paint.blends_as_group {
            return None;
        }
        if paint.opacity < MIN_OPACITY {
            return Some(HiddenReason::Transparent);
        }
        // Most text is in no colour of an area.
        let colour = paint.fill.colour;
        let is_like = |area: &InkColour| colour.is_like(*area);
        let is_certain = self.colours.len() < MAX_COLOURS;
        if is_certain && !is_like(&InkColour::WHITE) && !self.colours.iter().any(is_like) {
            return None;
        }
        let behind = self.painted.iter().rev().find(|area| contains(&area.bounds, at));
        let behind = behind.map_or(InkColour::WHITE, |area| area.colour);
        colour.is_like(behind).then_some(HiddenReason::SameColour)
    }

    /// The same for spans of a whole page, each with what was found when it was painted and the number of areas before its end.
    pub(super) fn hidden(&self, spans: &[TextSpan], found: &[SpanPaint]) -> Vec<Option<HiddenReason>> {
        let usual = usual_size(spans, found);
        let reason = |(span, found): (&TextSpan, &SpanPaint)| match found.hidden {
            // Whatever lies there: it is not painted at this place.
            Some(reason @ (HiddenReason::NotDisplayed | HiddenReason::OffPage | HiddenReason::Clipped)) => {
                Some(reason)
            }
            Some(reason) => (!self.is_recognised(span)).then_some(reason),
            None if self.covers(span, found.areas_before) => Some(HiddenReason::Covered),
            None => (span.size < TINY && usual >= TINY * MIN_RATIO).then_some(HiddenReason::Tiny),
        };
        spans.iter().zip(found).map(reason).collect()
    }

    /// True for text at the place of a picture, or of a drawing about as high as its letters: these may show the same letters,
    /// as scanned pages and signs that are drawn do.
    fn is_recognised(&self, span: &TextSpan) -> bool {
        let [x0, y0, x1, y1] = span.bbox.map(f64::from);
        let at = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
        let is_drawn = |bounds: &Bounds| {
            let met = meet(*bounds, Bounds { x0, y0, x1, y1 });
            met.width() > 0.0
                && met.height() > MIN_SHARED * (y1 - y0)
                && bounds.height() <= MAX_DRAWN_HEIGHT * (y1 - y0)
        };
        let shows = |area: &PaintedArea| match area.kind {
            AreaKind::Picture => contains(&area.bounds, at),
            AreaKind::Drawing => is_drawn(&area.bounds),
            AreaKind::Fill => false,
        };
        self.is_blind || self.painted.iter().any(shows) || self.outlines.iter().any(is_drawn)
    }

    /// True if an area that was painted after these covers a text. Pictures do not count: the text below the picture of a page is
    /// what was recognised on it.
    fn covers(&self, span: &TextSpan, areas: usize) -> bool {
        let [x0, y0, x1, y1] = span.bbox.map(f64::from);
        // The box of a line is higher than its letters.
        let inner = 0.15 * (y1 - y0);
        let corners = [(x0, y0 + inner), (x1, y1 - inner)];
        let later = self.painted.get(areas..).unwrap_or_default();
        later.iter().any(|area| {
            let is_area = area.is_solid && area.kind == AreaKind::Fill && area.colour != InkColour::Unknown;
            is_area && corners.iter().all(|at| contains(&area.bounds, *at))
        })
    }
}

/// The part of a text's height that a drawing of its letters shares, and the most heights that it has.
const MIN_SHARED: f64 = 0.3;
const MAX_DRAWN_HEIGHT: f64 = 2.0;

/// How a span was painted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct SpanPaint {
    /// Why nobody can see it, if that was known when it was painted.
    pub(super) hidden: Option<HiddenReason>,
    /// The number of areas that were painted before its last glyph.
    pub(super) areas_before: usize,
}

/// Text below this size in points is not read by anyone, where other text has `MIN_RATIO` times this size.
const TINY: f32 = 2.0;
const MIN_RATIO: f32 = 3.0;

/// The size of most letters that may be read.
fn usual_size(spans: &[TextSpan], found: &[SpanPaint]) -> f32 {
    let shown = spans.iter().zip(found).filter(|(span, found)| found.hidden.is_none() && span.size >= TINY);
    let mut sizes: Vec<(f32, usize)> = shown.map(|(span, _)| (span.size, span.text.len())).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = sizes.iter().map(|(_, letters)| letters).sum::<usize>() / 2;
    let mut before = 0;
    let middle = sizes.iter().find(|(_, letters)| {
        before += letters;
        before > half
    });
    middle.map_or(0.0, |(size, _)| *size)
}

fn meet(one: Bounds, other: Bounds) -> Bounds {
    Bounds {
        x0: one.x0.max(other.x0),
        y0: one.y0.max(other.y0),
        x1: one.x1.min(other.x1),
        y1: one.y1.min(other.y1),
    }
}

fn contains(bounds: &Bounds, (x, y): (f64, f64)) -> bool {
    (bounds.x0..=bounds.x1).contains(&x) && (bounds.y0..=bounds.y1).contains(&y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_what_paper_shows_of_no_ink() {
        let check = |components, numbers: &[f64], expected: bool| {
            let mut colour = CurrentColour::BLACK;
            colour.enter(components);
            colour.set(numbers);
            assert_eq!(!colour.shows(), expected, "{numbers:?}");
        };
        check(Some(1), &[1.0], true);
        check(Some(1), &[0.99], false);
        check(Some(3), &[1.0; 3], true);
        check(Some(3), &[0.9, 0.9, 1.0], false);
        check(Some(4), &[0.0; 4], true);
        check(Some(4), &[0.0, 0.0, 0.0, 1.0], false);
        // All of a spot colour, and a pattern.
        check(None, &[1.0], false);
        check(None, &[], false);
        check(Some(3), &[1.0], false);
    }
}
