//! Resources that the fonts of a document share while they are read.

use super::super::decoder::StreamDecoder;
use super::program::GlyphCharacterCache;
use super::weight::ProgramStyleCache;
use hayro_font::{CMapResolverFn, FontCache, FontData, FontResolverFn};
use std::rc::Rc;
use std::sync::Arc;

/// Resources that the fonts of a document share.
pub(super) struct FontResources<'a> {
    /// Fonts and font programs that `hayro-font` has read.
    pub(super) fonts: FontCache<'a>,
    /// Finds the program of a font that is not embedded.
    pub(super) stand_in: FontResolverFn,
    /// Finds predefined character maps.
    pub(super) maps: CMapResolverFn,
    pub(super) characters: Rc<GlyphCharacterCache>,
    /// Weight and slant of font programs.
    pub(super) styles: ProgramStyleCache,
    pub(super) decoder: Rc<StreamDecoder>,
}

impl FontResources<'_> {
    /// Nothing is read yet.
    pub(super) fn new(decoder: Rc<StreamDecoder>) -> Self {
        // A font file without tables: of fonts that are not embedded only names and widths are used.
        let empty: FontData = Arc::new([0u8, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        FontResources {
            fonts: FontCache::new(),
            stand_in: Arc::new(move |_| Some((empty.clone(), 0))),
            maps: Arc::new(hayro_cmap::load_embedded),
            characters: Rc::new(GlyphCharacterCache::new(decoder.clone())),
            styles: ProgramStyleCache::new(decoder.clone()),
            decoder,
        }
    }
}
