//! Fonts with codes of several bytes: Type 0 over a CIDFont. The characters of a code come from, in this order, the
//! font's ToUnicode map, the Unicode in the name of its encoding, the published lists of its character collection, the
//! character map of the embedded font. Source: ISO 32000-2, 9.7 (composite fonts) and 9.10.2.

use super::super::decoder::StreamDecoder;
use super::glyph::{Glyph, GlyphText};
use super::program::GlyphCharacterCache;
use super::resources::FontResources;
use super::widths::GlyphWidths;
use crate::limits::pdf::MAX_CMAP_BYTES;
use hayro_cmap::{CMap, CMapName, CidFamily, WritingMode};
use hayro_font::CMapResolverFn;
use hayro_font::hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};
use std::cell::OnceCell;
use std::rc::Rc;

/// A font with codes of several bytes.
pub(super) struct CompositeFont<'a> {
    encoding: CodeEncoding,
    unicode: UnicodeForm,
    is_vertical: bool,
    is_true_type: bool,
    to_unicode: Option<CMap>,
    collection: OnceCell<Option<CMap>>,
    family: Option<CidFamily>,
    widths: GlyphWidths,
    /// In vertical writing: how far the glyph's origin is above the writing position, and the advance.
    vertical: (f32, f32),
    glyph_of_cid: Option<Vec<u8>>,
    program: Option<Stream<'a>>,
    characters: Rc<GlyphCharacterCache>,
    maps: CMapResolverFn,
}

enum CodeEncoding {
    Identity,
    Map(Box<CMap>),
}

/// The form of Unicode that the codes of a predefined encoding are written in.
#[derive(Clone, Copy, PartialEq)]
enum UnicodeForm {
    None,
    Utf8,
    Utf16,
    Utf32,
}

impl<'a> CompositeFont<'a> {
    /// Reads a font dictionary.
    pub(super) fn new(dict: &Dict<'a>, resources: &FontResources<'a>) -> CompositeFont<'a> {
        let (maps, decoder) = (&resources.maps, &resources.decoder);
        let inner =
            dict.get::<Array<'a>>("DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'a>>().next());
        let inner = inner.or_else(|| dict.get::<Dict<'a>>("DescendantFonts")).unwrap_or_default();
        let name = dict.get::<Name<'_>>("Encoding").map(|name| String::from_utf8_lossy(&name).into_owned());
        let name = name.unwrap_or_default();
        let encoding = read_encoding(dict, maps, decoder);
        let metadata = match &encoding {
            CodeEncoding::Identity => None,
            CodeEncoding::Map(map) => Some(map.metadata().clone()),
        };
        let stated = metadata.as_ref().and_then(|metadata| metadata.character_collection.as_ref());
        let family = stated.map(|collection| collection.family.clone());
        let family = family.filter(|family| family.ucs2_cmap().is_some()).or_else(|| read_family(&inner));
        let is_vertical = name.ends_with("-V")
            || name == "V"
            || metadata.as_ref().is_some_and(|metadata| metadata.writing_mode == Some(WritingMode::Vertical));
        let descriptor = inner.get::<Dict<'a>>("FontDescriptor").unwrap_or_default();
        let vertical = inner.get::<[f32; 2]>("DW2").unwrap_or([880.0, -1000.0]);
        let to_unicode = read_to_unicode(dict, maps, decoder);
        CompositeFont {
            unicode: unicode_form(&name),
            is_vertical,
            is_true_type: inner.get::<Name<'_>>("Subtype").as_deref() == Some(b"CIDFontType2"),
            family,
            collection: OnceCell::new(),
            widths: GlyphWidths::new(
                inner.get::<Array<'_>>("W").as_ref(),
                inner.get::<f32>("DW").unwrap_or(1000.0),
            ),
            vertical: (vertical[0], vertical[1]),
            glyph_of_cid: decoded(&inner, "CIDToGIDMap", decoder),
            program: ["FontFile2", "FontFile3"].iter().find_map(|key| descriptor.get::<Stream<'a>>(key)),
            characters: resources.characters.clone(),
            to_unicode,
            encoding,
            maps: maps.clone(),
        }
    }

    /// True if lines run downwards.
    pub(super) fn is_vertical(&self) -> bool {
        self.is_vertical
    }

    /// The code at the start of `bytes` and its length.
    pub(super) fn next_code(&self, bytes: &[u8]) -> (u32, usize) {
        let code_of = |length: usize| {
            bytes.get(..length).map(|bytes| bytes.iter().fold(0, |code, byte| code << 8 | u32::from(*byte)))
        };
        let CodeEncoding::Map(map) = &self.encoding else {
            return code_of(2).map_or_else(|| (code_of(1).unwrap_or_default(), 1), |code| (code, 2));
        };
        for length in 1..=4 {
            let Some(code) = code_of(length) else { break };
            if map.lookup_cid_code(code, length as u8).is_some() {
                return (code, length);
            }
        }
        let length = match self.unicode {
            UnicodeForm::None | UnicodeForm::Utf8 => 1,
            UnicodeForm::Utf16 => 2,
            UnicodeForm::Utf32 => 4,
        };
        let length = length.min(bytes.len()).max(1);
        (code_of(length).unwrap_or_default(), length)
    }

    /// The glyph of a code.
    pub(super) fn glyph(&self, code: u32, length: usize) -> Glyph {
        let cid = self.cid(code, length);
        let known = |text: &GlyphText| *text != GlyphText::Unmapped;
        let mapped = self.to_unicode.as_ref().and_then(|map| map.lookup_bf_string(code));
        let text = mapped.map(|text| GlyphText::from_map(&text)).filter(known);
        let text = text.or_else(|| self.by_encoding(code, length).filter(known));
        let text = text.or_else(|| self.by_collection(cid).filter(known));
        let text = text.or_else(|| self.by_program(cid).filter(known)).or_else(|| self.by_usual_order(cid));
        let text = text.unwrap_or(GlyphText::Unmapped);
        let width = f64::from(self.widths.get(cid));
        match self.is_vertical {
            false => Glyph { text, advance: width, shift: (0.0, 0.0) },
            true => {
                let (above, advance) = self.vertical;
                Glyph { text, advance: f64::from(advance), shift: (-width / 2.0, -f64::from(above)) }
            }
        }
    }

    fn cid(&self, code: u32, length: usize) -> u32 {
        match &self.encoding {
            CodeEncoding::Identity => code,
            CodeEncoding::Map(map) => map.lookup_cid_code(code, length as u8).unwrap_or_default(),
        }
    }

    fn by_encoding(&self, code: u32, length: usize) -> Option<GlyphText> {
        let bytes = code.to_be_bytes();
        let bytes = bytes.get(4usize.checked_sub(length)?..)?;
        let text = match self.unicode {
            UnicodeForm::None => return None,
            UnicodeForm::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            UnicodeForm::Utf32 => char::from_u32(code)?.to_string(),
            UnicodeForm::Utf16 => {
                let units: Vec<u16> =
                    bytes.chunks(2).map(|pair| pair.iter().fold(0, |a, b| a << 8 | u16::from(*b))).collect();
                String::from_utf16_lossy(&units)
            }
        };
        Some(GlyphText::new(&text))
    }

    fn by_collection(&self, cid: u32) -> Option<GlyphText> {
        let map = self.collection.get_or_init(|| {
            let data = (self.maps)(self.family.as_ref()?.ucs2_cmap()?)?;
            CMap::parse(data, hayro_cmap::load_embedded)
        });
        map.as_ref()?.lookup_bf_string(cid).map(|text| GlyphText::from_map(&text))
    }

    fn by_program(&self, cid: u32) -> Option<GlyphText> {
        let characters = self.characters.get(self.program.as_ref()?);
        let glyph = match &self.glyph_of_cid {
            None => cid,
            Some(map) => {
                let at = (cid as usize).checked_mul(2)?;
                u32::from(*map.get(at)?) << 8 | u32::from(*map.get(at + 1)?)
            }
        };
        characters.get(&glyph).cloned()
    }
}

impl CompositeFont<'_> {
    /// By the usual order of the first glyphs of TrueType fonts for Windows and the Macintosh: nearly every font that is
    /// not embedded is one of these.
    fn by_usual_order(&self, cid: u32) -> Option<GlyphText> {
        let is_plain =
            matches!(self.encoding, CodeEncoding::Identity) && self.program.is_none() && self.is_true_type;
        let code = cid.checked_add(29).filter(|_| is_plain && (3..=97).contains(&cid))?;
        char::from_u32(code).map(GlyphText::Char)
    }
}

fn read_encoding(dict: &Dict<'_>, maps: &CMapResolverFn, decoder: &StreamDecoder) -> CodeEncoding {
    let parse = |data: &[u8]| {
        let map = CMap::parse(data, hayro_cmap::load_embedded)?;
        Some(CodeEncoding::Map(Box::new(map)))
    };
    let read = match dict.get::<Object<'_>>("Encoding") {
        Some(Object::Name(name)) => match CMapName::from_bytes(&name) {
            CMapName::IdentityH | CMapName::IdentityV => None,
            name => maps(name).and_then(parse),
        },
        Some(Object::Stream(stream)) => decoder
            .decode(&stream)
            .ok()
            .filter(|data| data.len() <= MAX_CMAP_BYTES)
            .and_then(|data| parse(&data)),
        _ => None,
    };
    // An unknown or broken encoding is nearly always the identity.
    read.unwrap_or(CodeEncoding::Identity)
}

fn read_to_unicode(dict: &Dict<'_>, maps: &CMapResolverFn, decoder: &StreamDecoder) -> Option<CMap> {
    match dict.get::<Object<'_>>("ToUnicode")? {
        Object::Stream(stream) => {
            let data = decoder.decode(&stream).ok().filter(|data| data.len() <= MAX_CMAP_BYTES)?;
            CMap::parse(&data, hayro_cmap::load_embedded)
        }
        Object::Name(name) => CMap::parse(maps(CMapName::from_bytes(&name))?, hayro_cmap::load_embedded),
        _ => None,
    }
}

fn read_family(inner: &Dict<'_>) -> Option<CidFamily> {
    let info = inner.get::<Dict<'_>>("CIDSystemInfo")?;
    let (registry, ordering) =
        (info.get::<PdfString<'_>>("Registry")?, info.get::<PdfString<'_>>("Ordering")?);
    Some(CidFamily::from_registry_ordering(&registry, &ordering))
}

fn unicode_form(name: &str) -> UnicodeForm {
    let is_one = |form: &str| name.starts_with("Uni") && name.contains(form);
    match () {
        () if is_one("UTF8") => UnicodeForm::Utf8,
        () if is_one("UTF16") || is_one("UCS2") => UnicodeForm::Utf16,
        () if is_one("UTF32") => UnicodeForm::Utf32,
        () => UnicodeForm::None,
    }
}

fn decoded(dict: &Dict<'_>, key: &str, decoder: &StreamDecoder) -> Option<Vec<u8>> {
    Some(decoder.decode(&dict.get::<Stream<'_>>(key)?).ok()?.into_owned())
}
