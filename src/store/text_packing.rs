//! The stored form of texts: segments and their maps, compressed.

use pensieve_text::model::Segment;

/// Fast and small enough: level 3 saves a tenth of the bytes, but takes a fifth more time.
const ZSTD_LEVEL: i32 = 1;

/// Maps longer than this are compressed.
const MAX_PLAIN_MAP_BYTES: usize = 64;

/// The two texts of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextVariant {
    /// The text that the reader returned.
    Raw,
    /// The cleaned text, into which chunks, search and citations point.
    Clean,
}

impl TextVariant {
    /// The stored name.
    pub fn as_str(self) -> &'static str {
        match self {
            TextVariant::Raw => "raw",
            TextVariant::Clean => "clean",
        }
    }
}

/// One segment of a text as it is stored: at most 1 MiB, compressed, with its map.
#[derive(Debug, Clone)]
pub struct PackedSegment {
    /// `raw` or `clean`.
    pub variant: &'static str,
    /// Its start in the whole text, in bytes.
    pub start: usize,
    /// Its start in the whole text, in characters.
    pub char_start: usize,
    /// zstd frame of the text.
    pub frame: Vec<u8>,
    /// Stored form of the map; its first byte shows whether the rest is a zstd frame.
    pub map: Vec<u8>,
}

/// Compresses texts and maps; each thread has its own.
pub struct TextPacker {
    compressor: zstd::bulk::Compressor<'static>,
}

impl TextPacker {
    /// A packer with its own working memory (about 1 MiB).
    pub fn new() -> std::io::Result<TextPacker> {
        Ok(TextPacker { compressor: zstd::bulk::Compressor::new(ZSTD_LEVEL)? })
    }

    /// Packs a segment that begins at `start` bytes and `char_start` characters of its text.
    pub fn pack(
        &mut self,
        variant: TextVariant,
        start: usize,
        char_start: usize,
        segment: &Segment,
    ) -> std::io::Result<PackedSegment> {
        let frame = self.compressor.compress(segment.text.as_bytes())?;
        let map = self.pack_map(segment)?;
        Ok(PackedSegment { variant: variant.as_str(), start, char_start, frame, map })
    }

    /// Packs a segment whose text is that of `part` as another variant, and reuses its frame.
    pub fn pack_like(
        &mut self,
        part: &PackedSegment,
        variant: TextVariant,
        segment: &Segment,
    ) -> std::io::Result<PackedSegment> {
        let map = self.pack_map(segment)?;
        Ok(PackedSegment { variant: variant.as_str(), map, ..part.clone() })
    }

    fn pack_map(&mut self, segment: &Segment) -> std::io::Result<Vec<u8>> {
        let plain = segment.encode_map();
        let (mark, mut body) = match plain.len() {
            0..=MAX_PLAIN_MAP_BYTES => (0, plain),
            _ => (1, self.compressor.compress(&plain)?),
        };
        body.insert(0, mark);
        Ok(body)
    }
}

pub(super) fn unpack_text(frame: &[u8]) -> Option<String> {
    String::from_utf8(zstd::decode_all(frame).ok()?).ok()
}

pub(super) fn unpack_map(bytes: &[u8]) -> Option<Vec<u8>> {
    match bytes.split_first()? {
        (0, plain) => Some(plain.to_vec()),
        (1, frame) => zstd::decode_all(frame).ok(),
        _ => None,
    }
}
