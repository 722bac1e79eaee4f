//! Fonts as far as text needs them: which characters a code stands for, and how far it advances. Outlines are never
//! looked at. Sources: ISO 32000-2, 9.5 to 9.10 (fonts, encodings, extraction of text content).

mod composite;
mod face;
mod names;
mod program;
mod simple;
mod widths;

use super::decoder::StreamDecoder;
use composite::CompositeFont;
use hayro_font::hayro_syntax::object::{Array, Dict, Name};
use hayro_font::{CMapResolverFn, FontCache, FontResolverFn};
use pensieve_text::layout::FontFace;
use program::Programs;
use rustc_hash::FxHashMap;
use simple::SimpleFont;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Bytes that fonts may take, about, after which all fonts are let go and read again where they are used again.
const KEPT: usize = 32 << 20;

/// What a code stands for.
#[derive(Debug, Clone)]
pub(crate) struct Glyph {
    /// Its characters.
    pub(crate) text: GlyphText,
    /// How far it advances in thousandths of the font size: to the right, or in vertical writing upwards.
    pub(crate) advance: f64,
    /// Of vertical writing: where the glyph's own origin lies from the writing position, in thousandths.
    pub(crate) shift: (f64, f64),
}

/// The characters of a glyph.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GlyphText {
    /// Nothing says what it is.
    Unmapped,
    /// One character, as nearly always.
    Char(char),
    /// Several: a ligature.
    Text(Rc<str>),
}

impl GlyphText {
    /// From a text; control characters and placeholders are no text.
    fn new(text: &str) -> GlyphText {
        let is_meaningless =
            |c: char| matches!(c, '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffd}');
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (None, _) => GlyphText::Unmapped,
            (Some(c), None) if is_meaningless(c) => GlyphText::Unmapped,
            (Some(c), None) => GlyphText::Char(if c.is_whitespace() { ' ' } else { c }),
            _ if text.chars().all(is_meaningless) => GlyphText::Unmapped,
            _ => GlyphText::Text(text.chars().filter(|&c| !is_meaningless(c)).collect::<String>().into()),
        }
    }
}

/// A font of the document.
pub(crate) struct Font<'a> {
    kind: Kind<'a>,
    /// What it says about itself.
    pub(crate) face: Arc<FontFace>,
    /// Size of its letters by the font size; not 1 for glyphs drawn by content streams alone.
    pub(crate) scale: f64,
    glyphs: RefCell<FxHashMap<u64, Glyph>>,
}

enum Kind<'a> {
    Simple(SimpleFont<'a>),
    Composite(Box<CompositeFont<'a>>),
}

impl<'a> Font<'a> {
    /// The code at the start of `bytes`, which are not empty, and its length.
    pub(crate) fn next_code(&self, bytes: &[u8]) -> (u32, usize) {
        match &self.kind {
            Kind::Simple(_) => (u32::from(bytes.first().copied().unwrap_or_default()), 1),
            Kind::Composite(font) => font.next_code(bytes),
        }
    }

    /// What a code stands for; each is looked up once.
    pub(crate) fn glyph(&self, code: u32, length: usize) -> Glyph {
        let key = u64::from(code) << 3 | length as u64;
        if let Some(glyph) = self.glyphs.borrow().get(&key) {
            return glyph.clone();
        }
        let glyph = match &self.kind {
            Kind::Simple(font) => font.glyph(code),
            Kind::Composite(font) => font.glyph(code, length),
        };
        self.glyphs.borrow_mut().insert(key, glyph.clone());
        glyph
    }

    /// True where lines run downwards.
    pub(crate) fn is_vertical(&self) -> bool {
        match &self.kind {
            Kind::Simple(_) => false,
            Kind::Composite(font) => font.is_vertical(),
        }
    }
}

/// The fonts of a document: each is read once.
pub(crate) struct Fonts<'a> {
    fonts: FxHashMap<(usize, usize), Rc<Font<'a>>>,
    programs: FontCache<'a>,
    stand_in: FontResolverFn,
    maps: CMapResolverFn,
    characters: Rc<Programs>,
    streams: Rc<StreamDecoder>,
    kept: usize,
}

impl<'a> Fonts<'a> {
    /// No fonts yet.
    pub(crate) fn new(streams: Rc<StreamDecoder>) -> Fonts<'a> {
        // A font file without tables: of fonts that are not embedded only names and widths are asked for.
        let nothing: hayro_font::FontData = Arc::new([0u8, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        Fonts {
            fonts: FxHashMap::default(),
            programs: FontCache::new(),
            stand_in: Arc::new(move |_| Some((nothing.clone(), 0))),
            maps: Arc::new(hayro_cmap::load_embedded),
            characters: Rc::new(Programs::new(streams.clone())),
            streams,
            kept: 0,
        }
    }

    /// The font of a font dictionary.
    pub(crate) fn get(&mut self, dict: &Dict<'a>) -> Rc<Font<'a>> {
        // The data of a dictionary lies where it lies for as long as the document.
        let key = (dict.data().as_ptr() as usize, dict.data().len());
        if let Some(font) = self.fonts.get(&key) {
            return font.clone();
        }
        if self.kept > KEPT {
            (self.fonts, self.programs, self.kept) = (FxHashMap::default(), FontCache::new(), 0);
        }
        let before = self.streams.left();
        let font = Rc::new(self.read(dict));
        self.kept += 4 * before.saturating_sub(self.streams.left()) + dict.data().len() + 1000;
        self.fonts.insert(key, font.clone());
        font
    }

    fn read(&self, dict: &Dict<'a>) -> Font<'a> {
        let subtype = dict.get::<Name<'_>>("Subtype");
        let is_composite = subtype.as_deref() == Some(b"Type0") || dict.contains_key("DescendantFonts");
        let kind = match is_composite {
            true => Kind::Composite(Box::new(CompositeFont::new(dict, self))),
            false => Kind::Simple(SimpleFont::new(dict, self)),
        };
        let scale = if subtype.as_deref() == Some(b"Type3") { type3_scale(dict) } else { 1.0 };
        Font { kind, face: Arc::new(face::read(dict)), scale, glyphs: RefCell::default() }
    }
}

/// Fonts of drawn glyphs have coordinates of their own: TeX's bitmaps count pixels. The box around all glyphs tells how
/// large a letter is, or else twice the mean width does.
fn type3_scale(dict: &Dict<'_>) -> f64 {
    let matrix = dict.get::<[f64; 6]>("FontMatrix").unwrap_or([0.001, 0.0, 0.0, 0.001, 0.0, 0.0]);
    let height = dict
        .get::<[f64; 4]>("FontBBox")
        .map_or(0.0, |bounds| (bounds[3] - bounds[1]).abs() * matrix[3].abs());
    let widths = dict.get::<Array<'_>>("Widths");
    let wide: Vec<f64> = widths.iter().flat_map(|w| w.iter::<f64>()).take(256).filter(|w| *w > 0.0).collect();
    let by_width = 2.0 * matrix[0].abs() * wide.iter().sum::<f64>() / wide.len().max(1) as f64;
    let is_likely = |scale: &f64| *scale > 1e-6 && scale.is_finite();
    let by_box =
        Some(height).filter(is_likely).filter(|h| by_width <= 0.0 || (0.3..4.0).contains(&(h / by_width)));
    by_box.or(Some(by_width).filter(is_likely)).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_say_nothing_are_no_text() {
        assert_eq!(GlyphText::new("\0"), GlyphText::Unmapped);
        assert_eq!(GlyphText::new(""), GlyphText::Unmapped);
        assert_eq!(GlyphText::new("\u{a0}"), GlyphText::Char(' '));
        assert_eq!(GlyphText::new("fi"), GlyphText::Text("fi".into()));
        assert_eq!(GlyphText::new("a\0b"), GlyphText::Text("ab".into()));
    }
}
