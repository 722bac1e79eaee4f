//! A page as spans of text: what a reader knows about a page before the layout orders it. Positions are points from the
//! top left of the page as displayed, after its rotation.

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
    /// Drawn shapes: rules, frames, filled areas, pictures.
    pub shapes: Vec<PageShape>,
    /// Notes of reviewers, which are in no line of the page.
    pub notes: Vec<PageNote>,
}

impl LayoutPage {
    /// The page with another text.
    pub(crate) fn with_spans(&self, spans: Vec<TextSpan>) -> LayoutPage {
        let (shapes, notes) = (self.shapes.clone(), self.notes.clone());
        LayoutPage { spans, shapes, notes, ..*self }
    }
}

/// A note that somebody added to a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PageNote {
    /// Its author and its words; a line for each of its paragraphs.
    pub text: String,
    /// What it is about: left, top, right, bottom.
    pub bbox: [f32; 4],
}

/// A drawn shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageShape {
    /// What it is.
    pub kind: ShapeKind,
    /// The box around it: left, top, right, bottom.
    pub bbox: [f32; 4],
}

/// Kinds of shapes that show which text belongs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeKind {
    /// An area filled with a colour other than white.
    Fill,
    /// A rectangle of lines.
    Frame,
    /// A horizontal or vertical line, or an area as thin as one.
    Rule,
    /// A picture.
    Image,
}

/// Text in one font on one baseline, without a gap wider than that between words.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSpan {
    /// The text in the direction of the baseline: right-to-left scripts are reversed, as on the page.
    pub text: String,
    /// Its font.
    pub font: Arc<FontFace>,
    /// About the height of the letter M as displayed: the font size times every scale.
    pub size: f32,
    /// The direction of the baseline in degrees, clockwise as displayed: 0 runs to the right, 90 downwards.
    pub rotation: f32,
    /// Where the baseline starts.
    pub origin: [f32; 2],
    /// The length of the text along the baseline.
    pub length: f32,
    /// The box around it: left, top, right, bottom.
    pub bbox: [f32; 4],
    /// Ascent and descent together, in points.
    pub line_height: f32,
    /// True if the text is invisible, like that of scanned pages.
    pub is_invisible: bool,
    /// True for vertical writing: lines run downwards, the next line is to the left.
    pub is_vertical: bool,
    /// Gaps in it that may separate cells of a table, because they are wider than most gaps between words.
    pub gaps: Vec<SpanGap>,
    /// What the file itself says that it is.
    pub tag: Option<TextTag>,
}

/// A gap in a span of text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpanGap {
    /// The byte of the text before which it is.
    pub at: usize,
    /// Where it starts along the baseline, from the origin of the span.
    pub from: f32,
    /// Where it ends.
    pub to: f32,
}

/// What a tagged file says that a text is, as far as the layout uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextTag {
    /// A heading of this level.
    Heading(u8),
    /// The caption of a figure or table.
    Caption,
    /// A note.
    Note,
}

/// The properties of a font.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct FontFace {
    /// Its PostScript name without the prefix of a subset.
    pub name: String,
    /// 100 to 900; 400 is regular, 700 bold.
    pub weight: u16,
    /// Italic or oblique.
    pub is_italic: bool,
    /// All glyphs have the same width.
    pub is_monospace: bool,
    /// The width of vertical stems in thousandths of the font size; 0 if it is not known.
    pub stem: u16,
}

#[cfg(test)]
impl TextSpan {
    /// A level text of regular letters.
    pub(crate) fn drawn(text: &str, [x, y]: [f32; 2], length: f32, size: f32) -> TextSpan {
        TextSpan {
            text: text.to_owned(),
            font: Arc::default(),
            size,
            rotation: 0.0,
            origin: [x, y],
            length,
            bbox: [x, y - 0.78 * size, x + length, y + 0.22 * size],
            line_height: size,
            is_invisible: false,
            is_vertical: false,
            gaps: Vec::new(),
            tag: None,
        }
    }
}
