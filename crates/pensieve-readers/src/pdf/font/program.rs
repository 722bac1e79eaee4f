//! Characters from the font program itself, the last resort for fonts without ToUnicode: its character map in reverse,
//! or the names of its glyphs. Source: OpenType 1.9, `cmap` and `post`.

use super::super::decoder::StreamDecoder;
use super::glyph::GlyphText;
use super::glyph_names;
use crate::limits::pdf::{MAX_CACHED_CHARACTERS, MAX_CMAP_MAPPINGS, MAX_GLYPH_NAMES};
use hayro_font::hayro_syntax::object::Stream;
use rustc_hash::FxHashMap;
use skrifa::{FontRef, GlyphId, GlyphNames, MetadataProvider};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The characters of the glyphs of a program.
type GlyphCharacters = FxHashMap<u32, GlyphText>;

/// The characters of the font programs of a document. Each program is read once, since thousands of fonts can share it.
pub(super) struct GlyphCharacterCache {
    decoder: Rc<StreamDecoder>,
    known: RefCell<FxHashMap<(usize, usize), Rc<GlyphCharacters>>>,
}

impl GlyphCharacterCache {
    /// An empty cache.
    pub(super) fn new(decoder: Rc<StreamDecoder>) -> GlyphCharacterCache {
        GlyphCharacterCache { decoder, known: RefCell::default() }
    }

    /// The characters of the glyphs of the program in a stream.
    pub(super) fn get(&self, stream: &Stream<'_>) -> Rc<GlyphCharacters> {
        // The data of a dictionary stays at its address as long as the document exists.
        let data = stream.dict().data();
        let key = (data.as_ptr() as usize, data.len());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let program = self.decoder.decode(stream).map(|data| data.into_owned()).unwrap_or_default();
        let characters = Rc::new(characters_of_glyphs(program));
        let mut known = self.known.borrow_mut();
        if known.values().map(|program| program.len() + 100).sum::<usize>() > MAX_CACHED_CHARACTERS {
            known.clear();
        }
        known.insert(key, characters.clone());
        characters
    }
}

fn characters_of_glyphs(program: Vec<u8>) -> GlyphCharacters {
    let mut characters = GlyphCharacters::default();
    if let Ok(font) = FontRef::new(&program) {
        for (character, glyph) in font.charmap().mappings().take(MAX_CMAP_MAPPINGS) {
            if let Some(c) = char::from_u32(character) {
                keep_better(&mut characters, glyph, c);
            }
        }
        if characters.is_empty() {
            let names = GlyphNames::new(&font);
            for glyph in (1..names.num_glyphs().min(MAX_GLYPH_NAMES)).map(GlyphId::new) {
                let name = names.get(glyph).filter(|name| !name.is_synthesized());
                if let Some(text) = name.and_then(|name| glyph_names::listed(name.as_str())) {
                    characters.insert(glyph.to_u32(), GlyphText::new(&text));
                }
            }
        }
    } else if let Some(font) = skrifa::Font::new(Arc::new(program) as hayro_font::FontData, 0) {
        for (glyph, name) in font.glyph_names().take(MAX_GLYPH_NAMES as usize) {
            if let Some(text) = glyph_names::listed(name.as_str()) {
                characters.insert(glyph.to_u32(), GlyphText::new(&text));
            }
        }
    }
    characters
}

/// Keeps the better of two characters that share a glyph: best is the lowest that is neither private nor a
/// compatibility form.
fn keep_better(characters: &mut GlyphCharacters, glyph: GlyphId, c: char) {
    let rank = |c: char| match c {
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'.. => 3,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{a0}' | '\u{ad}' => 2,
        '\u{2f00}'..='\u{2fdf}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fb00}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}' => 1,
        _ => 0,
    };
    let known = match characters.get(&glyph.to_u32()) {
        Some(GlyphText::Char(known)) => Some(*known),
        _ => None,
    };
    if known.is_none_or(|known| (rank(c), c) < (rank(known), known)) {
        characters.insert(glyph.to_u32(), GlyphText::new(c.encode_utf8(&mut [0; 4])));
    }
}
