//! The stored form of texts: segments and their maps, compressed.

use pensieve_text::model::Segment;
use pensieve_text::names;
use std::io::Read;

/// Fast and small enough: level 3 saves a tenth of the bytes, but takes a fifth more time.
const ZSTD_LEVEL: i32 = 1;

/// Maps longer than this are compressed.
const MAX_PLAIN_MAP_BYTES: usize = 64;

/// Bytes of a text in one frame, at most. A segment has 1 MiB; a sequence of marks that is not cut may add 4.
const MAX_TEXT_BYTES: u64 = 8 << 20;

/// Bytes of the map of a text, at most, for each byte of the text and besides: some 20 for each change, of which there is
/// hardly one for each character.
const MAX_MAP_BYTES_PER_BYTE: u64 = 24;
const MIN_MAP_BYTES: u64 = 64 << 10;

names! {
    /// The two texts of a document.
    TextVariant {
        /// The text that the reader returned.
        Raw = "raw",
        /// The cleaned text, into which chunks, search and citations point.
        Clean = "clean",
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

/// Unpacks many texts with one working memory; each thread has its own.
pub struct TextUnpacker {
    decompressor: zstd::bulk::Decompressor<'static>,
    /// Memory for the longest frame; what is not written to is none.
    buffer: Vec<u8>,
}

impl TextUnpacker {
    /// An unpacker.
    pub fn new() -> std::io::Result<TextUnpacker> {
        let buffer = Vec::with_capacity(MAX_TEXT_BYTES as usize);
        Ok(TextUnpacker { decompressor: zstd::bulk::Decompressor::new()?, buffer })
    }

    /// The text of its frames in order; `None` for what no packer wrote.
    pub fn unpack_all(&mut self, frames: &[Vec<u8>]) -> Option<String> {
        let mut text = Vec::new();
        for frame in frames {
            self.decompressor.decompress_to_buffer(frame, &mut self.buffer).ok()?;
            text.extend_from_slice(&self.buffer);
        }
        String::from_utf8(text).ok()
    }
}

/// The text of a frame; `None` for what no packer wrote.
pub(crate) fn unpack_text(frame: &[u8]) -> Option<String> {
    String::from_utf8(unpack(frame, MAX_TEXT_BYTES)?).ok()
}

/// The stored form of the map of a text of so many bytes; `None` for what no packer wrote.
pub(crate) fn unpack_map(bytes: &[u8], text_bytes: usize) -> Option<Vec<u8>> {
    let limit = text_bytes as u64 * MAX_MAP_BYTES_PER_BYTE + MIN_MAP_BYTES;
    match bytes.split_first()? {
        (0, plain) => Some(plain.to_vec()),
        (1, frame) => unpack(frame, limit),
        _ => None,
    }
}

/// Unpacks a frame of at most `limit` bytes: whoever made the database may have packed a gigabyte into a few kilobytes.
fn unpack(frame: &[u8], limit: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut decoder = zstd::Decoder::new(frame).ok()?.take(limit + 1);
    decoder.read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= limit).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::LineAnchor;

    #[test]
    fn maps_longer_than_the_limit_are_compressed() {
        let mut packer = TextPacker::new().unwrap();
        let mut lengths = Vec::new();
        for (count, first) in (0..40).flat_map(|count| [(count, 1), (count, 200)]) {
            let lines = (0..count).map(|at| LineAnchor { out: at, line: first + at as u64 }).collect();
            let segment = Segment { lines, ..Segment::default() };
            let plain = segment.encode_map();
            let packed = packer.pack_map(&segment).unwrap();
            assert_eq!(packed[0], u8::from(plain.len() > MAX_PLAIN_MAP_BYTES), "{}", plain.len());
            assert_eq!(unpack_map(&packed, 0).as_ref(), Some(&plain));
            lengths.push(plain.len());
        }
        assert!(lengths.contains(&MAX_PLAIN_MAP_BYTES) && lengths.contains(&(MAX_PLAIN_MAP_BYTES + 1)));
        assert_eq!((unpack_map(&[], 0), unpack_map(&[2, 1], 0), unpack_map(&[1, 1], 0)), (None, None, None));
    }

    #[test]
    fn a_segment_with_the_same_text_has_the_same_frame_in_both_variants() {
        let mut packer = TextPacker::new().unwrap();
        let segment = |text: &str| Segment { text: text.to_owned(), ..Segment::default() };
        let raw = packer.pack(TextVariant::Raw, 7, 5, &segment("fog over London")).unwrap();
        assert_eq!((raw.variant, raw.start, raw.char_start), ("raw", 7, 5));
        assert_eq!(unpack_text(&raw.frame).as_deref(), Some("fog over London"));
        let clean = packer.pack_like(&raw, TextVariant::Clean, &segment("fog over London")).unwrap();
        assert_eq!((clean.variant, clean.start, clean.char_start), ("clean", 7, 5));
        assert_eq!((clean.frame, clean.map), (raw.frame, raw.map));
        assert_eq!(unpack_text(&[1, 2, 3]), None);
        let bomb = zstd::encode_all(std::io::repeat(b'a').take(MAX_TEXT_BYTES + 1), 1).unwrap();
        assert!(bomb.len() < 10_000 && unpack_text(&bomb).is_none());
    }
}
