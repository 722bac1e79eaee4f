//! Characters from the font program itself: the reverse of its character map, and the names of its glyphs. The last
//! resort for fonts without ToUnicode. Source: OpenType 1.9, `cmap` and `post`.

use super::super::decoder::StreamDecoder;
use super::{GlyphText, names};
use hayro_font::hayro_syntax::object::Stream;
use rustc_hash::FxHashMap;
use skrifa::{FontRef, GlyphId, GlyphNames, MetadataProvider};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Entries of a character map that are looked at: maps can claim all of Unicode, many times over.
const MAX_MAPPINGS: usize = 120_000;

/// Glyphs whose names are looked at.
const MAX_NAMES: u32 = 65_536;

/// Which characters the glyphs of a program are.
type Characters = FxHashMap<u32, GlyphText>;

/// Entries of all programs together after which they are let go.
const MAX_KEPT: usize = 300_000;

/// The programs of a document that had to be asked, each once: thousands of fonts can share one file.
pub(super) struct Programs {
    streams: Rc<StreamDecoder>,
    known: RefCell<FxHashMap<(usize, usize), Rc<Characters>>>,
}

impl Programs {
    /// None read yet.
    pub(super) fn new(streams: Rc<StreamDecoder>) -> Programs {
        Programs { streams, known: RefCell::default() }
    }

    /// What the glyphs of the program in a stream are.
    pub(super) fn get(&self, stream: &Stream<'_>) -> Rc<Characters> {
        // The data of a dictionary lies where it lies for as long as the document.
        let data = stream.dict().data();
        let key = (data.as_ptr() as usize, data.len());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let program = self.streams.decode(stream).map(|data| data.into_owned()).unwrap_or_default();
        let characters = Rc::new(characters_of_glyphs(program));
        let mut known = self.known.borrow_mut();
        if known.values().map(|program| program.len() + 100).sum::<usize>() > MAX_KEPT {
            known.clear();
        }
        known.insert(key, characters.clone());
        characters
    }
}

fn characters_of_glyphs(program: Vec<u8>) -> Characters {
    let mut characters = Characters::default();
    if let Ok(font) = FontRef::new(&program) {
        for (character, glyph) in font.charmap().mappings().take(MAX_MAPPINGS) {
            if let Some(c) = char::from_u32(character) {
                keep_better(&mut characters, glyph, c);
            }
        }
        if characters.is_empty() {
            let names = GlyphNames::new(&font);
            for glyph in (1..names.num_glyphs().min(MAX_NAMES)).map(GlyphId::new) {
                let name = names.get(glyph).filter(|name| !name.is_synthesized());
                if let Some(text) = name.and_then(|name| names::listed(name.as_str())) {
                    characters.insert(glyph.to_u32(), GlyphText::new(&text));
                }
            }
        }
    } else if let Some(font) = skrifa::Font::new(Arc::new(program) as hayro_font::FontData, 0) {
        for (glyph, name) in font.glyph_names().take(MAX_NAMES as usize) {
            if let Some(text) = names::listed(name.as_str()) {
                characters.insert(glyph.to_u32(), GlyphText::new(&text));
            }
        }
    }
    characters
}

/// Several characters can share a glyph: one that is not private, no compatibility form and as low as can be is best.
fn keep_better(characters: &mut Characters, glyph: GlyphId, c: char) {
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
