//! Fonts as far as text needs them: the characters of a code, and how far it advances. Outlines are never read.
//! Sources: ISO 32000-2, 9.5 to 9.10 (fonts, encodings, extraction of text content).

mod composite;
mod face;
mod glyph;
mod glyph_names;
mod program;
mod resources;
mod simple;
mod tex_bitmaps;
mod weight;
mod widths;

use super::decoder::StreamDecoder;
use crate::limits::pdf::MAX_FONT_BYTES;
use crate::shared::symbols::SymbolFont;
use composite::CompositeFont;
pub(crate) use glyph::{Glyph, GlyphText};
use hayro_font::FontCache;
use hayro_font::hayro_syntax::object::{Array, Dict, Name};
use pensieve_text::layout::FontFace;
use resources::FontResources;
use rustc_hash::FxHashMap;
use simple::SimpleFont;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A font of the document.
pub(crate) struct PdfFont<'a> {
    kind: FontKind<'a>,
    /// Its name, weight and slant.
    pub(crate) face: Arc<FontFace>,
    /// The size of its letters in font sizes; 1 unless its glyphs are drawn by content streams.
    pub(crate) scale: f64,
    symbols: Option<SymbolFont>,
    glyphs: RefCell<FxHashMap<u64, Glyph>>,
}

enum FontKind<'a> {
    Simple(SimpleFont<'a>),
    Composite(Box<CompositeFont<'a>>),
}

impl<'a> PdfFont<'a> {
    /// The code at the start of `bytes`, which are not empty, and its length.
    pub(crate) fn next_code(&self, bytes: &[u8]) -> (u32, usize) {
        match &self.kind {
            FontKind::Simple(_) => (u32::from(bytes.first().copied().unwrap_or_default()), 1),
            FontKind::Composite(font) => font.next_code(bytes),
        }
    }

    /// The glyph of a code; each is looked up once.
    pub(crate) fn glyph(&self, code: u32, length: usize) -> Glyph {
        let key = u64::from(code) << 3 | length as u64;
        if let Some(glyph) = self.glyphs.borrow().get(&key) {
            return glyph.clone();
        }
        let glyph = match &self.kind {
            FontKind::Simple(font) => font.glyph(code),
            FontKind::Composite(font) => font.glyph(code, length),
        };
        let glyph = Glyph { text: self.symbol(glyph.text), ..glyph };
        self.glyphs.borrow_mut().insert(key, glyph.clone());
        glyph
    }

    /// The character of a symbol: fonts of symbols have theirs in the private use area, or in place of letters.
    fn symbol(&self, text: GlyphText) -> GlyphText {
        let (Some(symbols), &GlyphText::Char(c)) = (self.symbols, &text) else { return text };
        let is_private = matches!(u32::from(c), 0xf020..=0xf0ff);
        // The letters of Symbol are known as Greek ones already.
        let is_letter = symbols != SymbolFont::Symbol && matches!(u32::from(c), 0x21..=0xff);
        let found = (is_private || is_letter).then(|| symbols.symbol(u32::from(c))).flatten();
        found.map_or(text, GlyphText::Char)
    }

    /// True if lines run downwards.
    pub(crate) fn is_vertical(&self) -> bool {
        match &self.kind {
            FontKind::Simple(_) => false,
            FontKind::Composite(font) => font.is_vertical(),
        }
    }
}

/// The fonts of a document. Each is read once.
pub(crate) struct FontTable<'a> {
    fonts: FxHashMap<(usize, usize), Rc<PdfFont<'a>>>,
    resources: FontResources<'a>,
    /// About how many bytes the fonts take.
    bytes: usize,
}

impl<'a> FontTable<'a> {
    /// No fonts yet.
    pub(crate) fn new(decoder: Rc<StreamDecoder>) -> FontTable<'a> {
        FontTable { fonts: FxHashMap::default(), resources: FontResources::new(decoder), bytes: 0 }
    }

    /// The font of a font dictionary.
    pub(crate) fn get(&mut self, dict: &Dict<'a>) -> Rc<PdfFont<'a>> {
        // The data of a dictionary stays at its address as long as the document exists.
        let key = (dict.data().as_ptr() as usize, dict.data().len());
        if let Some(font) = self.fonts.get(&key) {
            return font.clone();
        }
        if self.bytes > MAX_FONT_BYTES {
            (self.fonts, self.bytes) = (FxHashMap::default(), 0);
            self.resources.fonts = FontCache::new();
        }
        let before = self.resources.decoder.left();
        let font = Rc::new(self.read(dict));
        self.bytes += 4 * before.saturating_sub(self.resources.decoder.left()) + dict.data().len() + 1000;
        self.fonts.insert(key, font.clone());
        font
    }

    fn read(&self, dict: &Dict<'a>) -> PdfFont<'a> {
        let subtype = dict.get::<Name<'_>>("Subtype");
        let is_composite = subtype.as_deref() == Some(b"Type0") || dict.contains_key("DescendantFonts");
        let kind = match is_composite {
            true => FontKind::Composite(Box::new(CompositeFont::new(dict, &self.resources))),
            false => FontKind::Simple(SimpleFont::new(dict, &self.resources)),
        };
        let scale = if subtype.as_deref() == Some(b"Type3") { type3_scale(dict) } else { 1.0 };
        let face = Arc::new(face::read(dict, &self.resources.styles));
        PdfFont { kind, symbols: symbol_font(&face.name), face, scale, glyphs: RefCell::default() }
    }
}

/// The font of symbols of this PostScript name: `SymbolMT`, `Wingdings-Regular`, `Wingdings2`.
fn symbol_font(name: &str) -> Option<SymbolFont> {
    let name = name.split([',', '-']).next().unwrap_or(name);
    let name = name.strip_suffix("MT").unwrap_or(name).replace(' ', "");
    match name.strip_prefix("Wingdings") {
        Some(number @ ("2" | "3")) => SymbolFont::of(&format!("Wingdings {number}")),
        _ => SymbolFont::of(&name),
    }
}

/// The size of the letters of a Type 3 font, which has coordinates of its own (TeX's bitmaps count pixels): the height
/// of the box around all glyphs, or else twice the mean width.
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
