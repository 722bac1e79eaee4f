//! Stored text: packing it, and reading it back with its maps.

use super::{Store, StoreError, TextPart};
use pensieve_text::model::{ContentHash, ReviewReason, ReviewReasonKind, Segment};
use rusqlite::{OptionalExtension, params};

/// Fast and small enough: level 3 saves a tenth of the bytes for a fifth more time.
const LEVEL: i32 = 1;

/// A map longer than this is worth compressing.
const PLAIN_MAP: usize = 64;

/// The two texts that a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// What the reader gave.
    Raw,
    /// What cleaning made of it; chunks, search and citations stand on it.
    Clean,
}

impl Variant {
    /// The stored name.
    pub fn as_str(self) -> &'static str {
        match self {
            Variant::Raw => "raw",
            Variant::Clean => "clean",
        }
    }
}

/// Compresses texts and maps; one a thread.
pub struct Packer {
    compressor: zstd::bulk::Compressor<'static>,
}

impl Packer {
    /// A packer with its own working memory (about 1 MiB).
    pub fn new() -> std::io::Result<Packer> {
        Ok(Packer { compressor: zstd::bulk::Compressor::new(LEVEL)? })
    }

    /// Packs a segment that begins at `start` bytes and `char_start` characters of its text.
    pub fn pack(
        &mut self,
        variant: Variant,
        start: usize,
        char_start: usize,
        segment: &Segment,
    ) -> std::io::Result<TextPart> {
        let frame = self.compressor.compress(segment.text.as_bytes())?;
        let map = self.pack_map(segment)?;
        Ok(TextPart { variant: variant.as_str(), start, char_start, frame, map })
    }

    /// Packs a segment whose text is that of `part`, under another name: the frame is used again.
    pub fn pack_like(
        &mut self,
        part: &TextPart,
        variant: Variant,
        segment: &Segment,
    ) -> std::io::Result<TextPart> {
        let map = self.pack_map(segment)?;
        Ok(TextPart { variant: variant.as_str(), map, ..part.clone() })
    }

    fn pack_map(&mut self, segment: &Segment) -> std::io::Result<Vec<u8>> {
        let plain = segment.encode_map();
        let (mark, mut body) = match plain.len() {
            0..=PLAIN_MAP => (0, plain),
            _ => (1, self.compressor.compress(&plain)?),
        };
        body.insert(0, mark);
        Ok(body)
    }
}

pub(super) fn unpack_text(frame: &[u8]) -> Option<String> {
    String::from_utf8(zstd::decode_all(frame).ok()?).ok()
}

fn unpack_map(bytes: &[u8]) -> Option<Vec<u8>> {
    match bytes.split_first()? {
        (0, plain) => Some(plain.to_vec()),
        (1, frame) => zstd::decode_all(frame).ok(),
        _ => None,
    }
}

/// A segment as it is stored, with where it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredText {
    /// First byte in the whole text.
    pub start: usize,
    /// First character in the whole text.
    pub char_start: usize,
    /// Text, map, lines, places.
    pub segment: Segment,
}

/// What a file was read with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContentFacts {
    /// What it was decoded from.
    pub encoding: Option<String>,
    /// Reader or converter with its version.
    pub extractor: Option<String>,
    /// Why somebody should look at the text.
    pub review_reasons: Vec<ReviewReason>,
}

/// Review reasons from their stored form. Those of raw text are its reader's alone; what is told of clean text follows anew.
pub(super) fn stored_review_reasons(reasons: &str) -> Vec<ReviewReason> {
    let reasons: Vec<serde_json::Value> = serde_json::from_str(reasons).unwrap_or_default();
    let reason = |reason: &serde_json::Value| {
        let kind = ReviewReasonKind::from_name(reason.get("reason")?.as_str()?)?;
        Some(ReviewReason::new(kind, reason.get("detail")?.as_str()?))
    };
    reasons.iter().filter_map(reason).collect()
}

/// One version of one text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextVersion {
    /// `raw_v1`, `clean_v0`.
    pub version: String,
    /// SHA-256 of the text.
    pub sha256: ContentHash,
    /// Bytes.
    pub bytes: usize,
    /// Characters.
    pub chars: usize,
}

impl Store {
    /// The current version of a text, if it is stored.
    pub fn text_version(&self, file_id: i64, variant: Variant) -> Result<Option<TextVersion>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT version, sha256, byte_length, char_length FROM text_versions
                 WHERE file_id = ?1 AND variant = ?2 AND is_current",
            )
            .and_then(|mut statement| {
                statement
                    .query_row(params![file_id, variant.as_str()], |row| {
                        let hex: String = row.get(1)?;
                        Ok(TextVersion {
                            version: row.get(0)?,
                            sha256: hex.parse().unwrap_or(ContentHash([0; 32])),
                            bytes: row.get::<_, i64>(2)? as usize,
                            chars: row.get::<_, i64>(3)? as usize,
                        })
                    })
                    .optional()
            })
            .map_err(|error| self.fail(error))
    }

    /// What a file was read with: encoding and extractor.
    pub fn content_facts(&self, file_id: i64) -> Result<ContentFacts, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT encoding, extractor, (SELECT review_reasons FROM text_versions v
                     WHERE v.file_id = f.file_id AND v.variant = 'raw' AND v.is_current)
                 FROM files f WHERE file_id = ?1",
            )
            .and_then(|mut statement| {
                statement.query_row([file_id], |row| {
                    let reasons: Option<String> = row.get(2)?;
                    let review_reasons = stored_review_reasons(&reasons.unwrap_or_default());
                    Ok(ContentFacts { encoding: row.get(0)?, extractor: row.get(1)?, review_reasons })
                })
            })
            .map_err(|error| self.fail(error))
    }

    /// Hands over the stored segments of a text in order; `each` returns false to stop.
    ///
    /// Cost: one segment (at most 1 MiB of text) in memory at a time.
    pub fn read_text(
        &self,
        file_id: i64,
        variant: Variant,
        version: &str,
        each: &mut dyn FnMut(StoredText) -> bool,
    ) -> Result<(), StoreError> {
        self.read_text_from(file_id, variant, version, 0, each)
    }

    /// The same, from the segment on that holds the character at `char_start`.
    pub fn read_text_from(
        &self,
        file_id: i64,
        variant: Variant,
        version: &str,
        char_start: usize,
        each: &mut dyn FnMut(StoredText) -> bool,
    ) -> Result<(), StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT t.start_index, t.char_start, t.content, m.content, t.segment FROM texts t
                 LEFT JOIN text_maps m USING(file_id, variant, version, segment)
                 WHERE t.file_id = ?1 AND t.variant = ?2 AND t.version = ?3 AND t.segment >=
                       (SELECT coalesce(max(s.segment), 0) FROM texts s WHERE s.file_id = ?1 AND s.variant = ?2
                        AND s.version = ?3 AND s.char_start <= ?4)
                 ORDER BY t.segment",
            )
            .map_err(|error| self.fail(error))?;
        let mut rows = statement
            .query(params![file_id, variant.as_str(), version, char_start as i64])
            .map_err(|error| self.fail(error))?;
        while let Some(row) = rows.next().map_err(|error| self.fail(error))? {
            let stored = self.stored_text(row, file_id)?;
            if !each(stored) {
                break;
            }
        }
        Ok(())
    }

    /// A text that is not as it was stored.
    pub(super) fn text_unreadable(&self, file_id: i64) -> StoreError {
        self.damaged(format!("the text of file {file_id} cannot be read"))
    }

    fn damaged(&self, detail: String) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), detail }
    }

    fn stored_text(&self, row: &rusqlite::Row<'_>, file_id: i64) -> Result<StoredText, StoreError> {
        let damaged = |what: &str| self.damaged(format!("{what} of file {file_id} cannot be read"));
        let start: i64 = row.get(0).map_err(|error| self.fail(error))?;
        let char_start: i64 = row.get(1).map_err(|error| self.fail(error))?;
        let frame: Vec<u8> = row.get(2).map_err(|error| self.fail(error))?;
        let map: Option<Vec<u8>> = row.get(3).map_err(|error| self.fail(error))?;
        let text = unpack_text(&frame).ok_or_else(|| damaged("the text"))?;
        let segment = match map {
            None => Segment { text, ..Segment::default() },
            Some(map) => {
                let plain = unpack_map(&map).ok_or_else(|| damaged("the map"))?;
                Segment::decode(text, &plain).map_err(|_| damaged("the map"))?
            }
        };
        Ok(StoredText { start: start as usize, char_start: char_start as usize, segment })
    }
}
