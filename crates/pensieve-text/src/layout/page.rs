//! A page as spans of text: what the reader knows about a page before any order is put into it, and what the layout
//! work is fed with. Positions are points from the top left of the page as displayed, after its rotation.

use std::sync::Arc;

/// A page with its text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LayoutPage {
    /// Counts from 1.
    pub number: u64,
    /// Width as displayed.
    pub width: f32,
    /// Height as displayed.
    pub height: f32,
    /// Its text, in the order in which the page draws it.
    pub spans: Vec<TextSpan>,
    /// What is drawn around it: rules, frames, filled areas, pictures.
    pub shapes: Vec<PageShape>,
}

/// Something drawn that is no text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageShape {
    /// What it is.
    pub kind: ShapeKind,
    /// The box around it: left, top, right, bottom.
    pub bbox: [f32; 4],
}

/// What is drawn beside text, as far as it tells how text belongs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeKind {
    /// An area that is filled, but not with white.
    Fill,
    /// A rectangle of lines.
    Frame,
    /// A line along the page, or an area as thin as one.
    Rule,
    /// A picture.
    Image,
}

/// A stretch of text in one font on one baseline, without a gap that is wider than a word's.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSpan {
    /// The text as it runs along the baseline: right-to-left scripts stand reversed here, as on the page.
    pub text: String,
    /// The font of all of it.
    pub font: Arc<FontFace>,
    /// Height of the letter M as displayed, about: the font size times every scale on the way.
    pub size: f32,
    /// The direction of the baseline in degrees, clockwise as displayed: 0 runs to the right, 90 downwards.
    pub rotation: f32,
    /// Where the baseline starts.
    pub origin: [f32; 2],
    /// How far the text advances along the baseline.
    pub length: f32,
    /// The box around it: left, top, right, bottom.
    pub bbox: [f32; 4],
    /// Ascent and descent together, in points.
    pub line_height: f32,
    /// Drawn with no ink, as the text of scanned pages is.
    pub is_invisible: bool,
    /// Lines run downwards and follow each other to the left.
    pub is_vertical: bool,
}

/// What a font says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct FontFace {
    /// Its PostScript name without the prefix of a subset.
    pub name: String,
    /// 100 to 900; 400 is regular, 700 bold.
    pub weight: u16,
    /// Italic or oblique.
    pub is_italic: bool,
    /// Every glyph is as wide as the others.
    pub is_monospace: bool,
}
