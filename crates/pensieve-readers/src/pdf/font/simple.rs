//! Fonts with codes of one byte: Type 1, TrueType, Type 3. Encodings, glyph names and standard metrics come from
//! `hayro-font`; if these have no character, the font program and the numbers in glyph names are tried. Source: ISO
//! 32000-2, 9.6 (simple fonts).

use super::super::decoder::StreamDecoder;
use super::glyph::{Glyph, GlyphText};
use super::glyph_names;
use super::program::GlyphCharacterCache;
use super::resources::FontResources;
use super::tex_bitmaps::TexEncoding;
use crate::limits::pdf::{MAX_SIMPLE_CMAP_BYTES, MAX_STREAM_BYTES};
use hayro_font::hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_font::{Font, FontGlyph};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// The names of glyphs that `/Differences` gives.
#[derive(Debug, Default)]
struct EncodingDifferences {
    names: FxHashMap<u8, String>,
    /// Each name is the code in decimal digits, and the codes are those of a text.
    are_codes: bool,
}

/// A font with codes of one byte.
pub(super) struct SimpleFont<'a> {
    /// `None` if the font is too broken: its codes are then taken as ASCII.
    font: Option<Font<'a>>,
    dict: Dict<'a>,
    names: OnceCell<EncodingDifferences>,
    tex: OnceCell<Option<TexEncoding>>,
    characters: Rc<GlyphCharacterCache>,
}

impl<'a> SimpleFont<'a> {
    /// Reads a font dictionary.
    pub(super) fn new(dict: &Dict<'a>, resources: &FontResources<'a>) -> SimpleFont<'a> {
        let font = has_admitted_streams(dict, &resources.decoder)
            .then(|| resources.fonts.font(dict, &resources.stand_in, &resources.maps))
            .flatten();
        SimpleFont {
            font,
            dict: dict.clone(),
            names: OnceCell::new(),
            tex: OnceCell::new(),
            characters: resources.characters.clone(),
        }
    }

    /// The glyph of a code.
    pub(super) fn glyph(&self, code: u32) -> Glyph {
        let Some(font) = &self.font else { return unreadable(code) };
        let glyph = font.glyph(font.map_code(code), code);
        let known = match &glyph {
            FontGlyph::Outline(glyph) => glyph.as_unicode(),
            FontGlyph::Type3(glyph) => glyph.as_unicode(),
        };
        let text = known.map(|text| GlyphText::from_map(&text)).filter(|text| *text != GlyphText::Unmapped);
        let advance = font.code_advance(code).x;
        let by_tex = || self.by_tex_encoding(u8::try_from(code).ok()?, advance);
        let text = text.or_else(by_tex).or_else(|| self.by_program(code)).or_else(|| self.by_name(code));
        // Some encodings omit the space, but texts use it anyway.
        let text = text.or_else(|| matches!(code, 9 | 10 | 13 | 32 | 160).then_some(GlyphText::Char(' ')));
        Glyph { text: text.unwrap_or(GlyphText::Unmapped), advance, shift: (0.0, 0.0) }
    }

    /// By the character map of an embedded TrueType program.
    fn by_program(&self, code: u32) -> Option<GlyphText> {
        let descriptor = self.dict.get::<Dict<'_>>("FontDescriptor")?;
        let characters = self.characters.get(&descriptor.get::<Stream<'_>>("FontFile2")?);
        let glyph = self.font.as_ref()?.map_code(code).to_u32();
        let text = characters.get(&glyph).filter(|_| glyph != 0)?;
        Some(text.clone()).filter(|text| *text != GlyphText::Unmapped)
    }

    /// By the encoding of a bitmap font of TeX.
    fn by_tex_encoding(&self, code: u8, advance: f64) -> Option<GlyphText> {
        let encoding = self.tex.get_or_init(|| {
            self.dict.get::<Name<'_>>("Subtype").filter(|subtype| &**subtype == b"Type3")?;
            let font = self.font.as_ref()?;
            TexEncoding::find(&self.names().names, |code| font.code_advance(code.into()).x)
        });
        encoding.as_ref()?.text(code, advance)
    }

    fn names(&self) -> &EncodingDifferences {
        self.names.get_or_init(|| {
            let names = differences(&self.dict);
            EncodingDifferences { are_codes: glyph_names::are_codes(&names), names }
        })
    }

    /// By the number in the name that `/Differences` gives.
    fn by_name(&self, code: u32) -> Option<GlyphText> {
        let EncodingDifferences { names, are_codes } = self.names();
        let code = u8::try_from(code).ok()?;
        let name = names.get(&code)?;
        let character =
            glyph_names::numbered(name).or_else(|| are_codes.then(|| glyph_names::western(code))?);
        character.map(GlyphText::Char)
    }
}

/// Whether the streams that `hayro-font` decodes by itself are within limits.
fn has_admitted_streams(dict: &Dict<'_>, decoder: &StreamDecoder) -> bool {
    let descriptor = dict.get::<Dict<'_>>("FontDescriptor").unwrap_or_default();
    let admits = |dict: &Dict<'_>, key: &str, limit: usize| {
        dict.get::<Stream<'_>>(key).is_none_or(|stream| decoder.admits(&stream, limit))
    };
    admits(dict, "ToUnicode", MAX_SIMPLE_CMAP_BYTES)
        && ["FontFile", "FontFile2", "FontFile3"].iter().all(|key| admits(&descriptor, key, MAX_STREAM_BYTES))
}

fn unreadable(code: u32) -> Glyph {
    let text =
        char::from_u32(code).filter(|c| matches!(c, ' '..='~')).map_or(GlyphText::Unmapped, GlyphText::Char);
    Glyph { text, advance: 500.0, shift: (0.0, 0.0) }
}

fn differences(dict: &Dict<'_>) -> FxHashMap<u8, String> {
    let mut names = FxHashMap::default();
    let list = dict.get::<Dict<'_>>("Encoding").and_then(|encoding| encoding.get::<Array<'_>>("Differences"));
    let mut code: u32 = 0;
    for item in list.iter().flat_map(|list| list.iter::<Object<'_>>()) {
        match item {
            Object::Name(name) => {
                let name: &Name<'_> = &name;
                if let Ok(code) = u8::try_from(code) {
                    names.insert(code, String::from_utf8_lossy(name).into_owned());
                }
                code = code.saturating_add(1);
            }
            other => code = other.into_i32().and_then(|code| u32::try_from(code).ok()).unwrap_or(code),
        }
    }
    names
}
