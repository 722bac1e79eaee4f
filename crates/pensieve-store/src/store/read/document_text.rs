//! The current clean text of a document, and the place of any span of it.

use super::documents::{DocumentQueries, DocumentRow};
use super::texts::StoredVersion;
use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::places::chunk_place::{ChunkPlace, copies_of};
use crate::store::places::citation::Citation;
use crate::store::read::text::StoredText;
use crate::store::rows::place_columns::{PlaceColumns, place_columns};
use crate::store::rows::sql::{Queries, offset};
use crate::store::rows::text_packing::TextVariant;
use pensieve_text::model::{Segment, Span};
use rusqlite::{Connection, params};
use std::ops::Range;

/// The current clean text of a document. Positions are bytes of that text.
#[derive(Debug, Clone)]
pub struct DocumentText<'s> {
    store: &'s Store,
    /// The document; a duplicate has the text of its canonical file.
    pub document: DocumentRow,
    /// The version of the text.
    pub version: String,
    /// Its bytes.
    pub bytes: usize,
    /// Its characters.
    pub chars: usize,
}

/// One chunk of a document: where it is, and how the text was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkSpan {
    /// Where it is.
    pub place: PlaceColumns,
    /// How the text was cut.
    pub strategy: String,
}

/// A section of a document's own table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionSpan {
    /// 1 for the outermost.
    pub level: usize,
    /// Its title.
    pub label: String,
    /// First byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl<'s> DocumentQueries<'s> {
    /// The current clean text of a document; `None` if there is no such document, or it has no text.
    pub fn clean_text(&self, doc_uid: &str) -> Result<Option<DocumentText<'s>>, StoreError> {
        let Some(document) = self.get(doc_uid)? else { return Ok(None) };
        let store: &'s Store = self.0;
        let Some(facts) = store.texts().clean_facts(document.text_id)? else { return Ok(None) };
        let (bytes, chars) = (facts.bytes as usize, facts.chars as usize);
        Ok(Some(DocumentText { store, document, version: facts.version, bytes, chars }))
    }
}

impl<'s> DocumentText<'s> {
    fn stored(&self) -> StoredText<'_> {
        self.store.text(self.document.text_id, TextVariant::Clean, &self.version)
    }

    /// The words of a span; `None` if it is empty, reaches beyond the text, or cuts a character.
    ///
    /// Cost: unpacks the segments (at most 1 MiB of text each) that the span touches.
    pub fn words(&self, span: Range<usize>) -> Result<Option<String>, StoreError> {
        if span.start >= span.end || span.end > self.bytes {
            return Ok(None);
        }
        let mut words = String::with_capacity(span.len());
        let mut is_cut = false;
        self.each_text(span.start, &mut |start, text| {
            let from = span.start.saturating_sub(start);
            let to = (span.end - start).min(text.len());
            match text.get(from..to) {
                Some(part) => words.push_str(part),
                None => is_cut = true,
            }
            !is_cut && start + text.len() < span.end
        })?;
        Ok((!is_cut && words.len() == span.len()).then_some(words))
    }

    /// Passes the text to `each` from the segment that contains byte `from` on, with the first byte of each segment;
    /// `each` returns false to stop.
    ///
    /// Cost: one segment (at most 1 MiB of text) in memory at a time.
    pub fn each_text(
        &self,
        from: usize,
        each: &mut dyn FnMut(usize, &str) -> bool,
    ) -> Result<(), StoreError> {
        self.stored().each_text_from(from, each)
    }

    /// The text around a span, with up to `bytes` on each side, and its first byte; cut between characters.
    ///
    /// Cost: unpacks the segments that it touches.
    pub fn around(&self, span: Range<usize>, bytes: usize) -> Result<(usize, String), StoreError> {
        let (from, to) = (span.start.saturating_sub(bytes), span.end.saturating_add(bytes).min(self.bytes));
        let (mut first, mut found) = (from, String::new());
        self.each_text(from, &mut |start, text| {
            let cut = text.floor_char_boundary(from.saturating_sub(start));
            if found.is_empty() {
                first = start + cut;
            }
            found.push_str(&text[cut..text.floor_char_boundary(to.saturating_sub(start)).max(cut)]);
            start + text.len() < to
        })?;
        Ok((first, found))
    }

    /// Where the segments of the text start, in order.
    pub fn segment_starts(&self) -> Result<Vec<usize>, StoreError> {
        let sql = "SELECT start_index FROM texts WHERE file_id = ?1 AND variant = 'clean' AND version = ?2
                   ORDER BY segment";
        let values = params![self.document.text_id, self.version];
        self.store.ask(|connection| connection.rows(sql, values, |row| offset(row, 0)))
    }

    /// The other stored versions of the document's clean text.
    pub fn other_versions(&self) -> Result<Vec<DocumentText<'s>>, StoreError> {
        let stored = self.store.texts().versions_of(self.document.text_id)?;
        let others = stored
            .into_iter()
            .filter(|stored| stored.variant == TextVariant::Clean && stored.version != self.version);
        let text = |stored: StoredVersion| DocumentText {
            version: stored.version,
            bytes: stored.bytes,
            chars: stored.chars,
            ..self.clone()
        };
        Ok(others.map(text).collect())
    }

    /// The number of characters before two bytes, in ascending order; a byte after the end counts as the end.
    ///
    /// Cost: unpacks the segments that contain them.
    pub fn characters_before(&self, bytes: [usize; 2]) -> Result<[usize; 2], StoreError> {
        let inside: Vec<usize> = bytes.into_iter().filter(|byte| *byte < self.bytes).collect();
        let mut counts = self.stored().characters_before(&inside)?;
        counts.resize(2, self.chars);
        Ok([counts[0], counts[1]])
    }

    /// The first byte of a character; the length of the text for one after its end.
    ///
    /// Cost: unpacks one segment.
    pub fn byte_of_character(&self, character: usize) -> Result<usize, StoreError> {
        match character < self.chars {
            true => self.stored().byte_of_character(character),
            false => Ok(self.bytes),
        }
    }

    /// The words of a span with their map; `None` as for [`DocumentText::words`].
    ///
    /// Cost: unpacks the segments that the span touches, and their maps.
    pub fn segment(&self, span: Range<usize>) -> Result<Option<Segment>, StoreError> {
        if span.start >= span.end || span.end > self.bytes {
            return Ok(None);
        }
        let (mut found, mut is_cut) = (Segment::default(), false);
        self.stored().each_segment_from(span.start, &mut |stored| {
            let mut segment = stored.segment;
            let text_end = stored.start + segment.text.len();
            let (from, to) = (span.start.saturating_sub(stored.start), span.end.min(text_end) - stored.start);
            is_cut = !segment.text.is_char_boundary(from) || !segment.text.is_char_boundary(to);
            if is_cut {
                return false;
            }
            segment.split_off(to);
            found.append(if from > 0 { segment.split_off(from) } else { segment });
            text_end < span.end
        })?;
        Ok((!is_cut && found.text.len() == span.len()).then_some(found))
    }

    /// The words of a span with their place, in the shape of a chunk's place; `None` as for [`DocumentText::words`].
    pub fn place(&self, span: Range<usize>) -> Result<Option<(String, ChunkPlace)>, StoreError> {
        let Some(segment) = self.segment(span.clone())? else { return Ok(None) };
        let all = Span { start: 0, end: segment.text.len() };
        let chunk = self.chunk_at(span.start)?;
        let context = chunk.as_ref().and_then(|chunk| chunk.place.context.clone());
        let context = match &chunk {
            // What is repeated before a chunk belongs to its first block.
            Some(chunk) if context.is_some() && chunk.place.start < span.start => {
                let before = self.words(chunk.place.start..span.start)?;
                context.filter(|_| before.is_some_and(|before| !before.contains("\n\n")))
            }
            _ => context,
        };
        let copies = self.store.ask(|connection| {
            Ok(copies_of(connection, vec![self.document.file_id])?.remove(&self.document.file_id))
        })?;
        let document = &self.document;
        let place = ChunkPlace {
            doc_uid: document.doc_uid.clone(),
            name: document.name.clone(),
            relative_path: document.relative_path.clone(),
            path: document.full_path.clone(),
            format: document.format.clone(),
            at: PlaceColumns {
                start: span.start,
                end: span.end,
                source: segment.map.source(all),
                locator: segment.locate(all).map(|locator| locator.to_json()),
                heading_path: chunk.and_then(|chunk| chunk.place.heading_path),
                context,
            },
            citation: Citation::new(&document.doc_uid, span.start, &segment.text),
            title: None,
            author: None,
            repetition: None,
            table: None,
            duplicates: copies.unwrap_or_default(),
            file_id: document.text_id,
            root_id: document.root_id,
            strategy: String::new(),
        };
        Ok(Some((segment.text, place)))
    }

    /// The last chunk that begins at or before a byte, or the first chunk.
    pub fn chunk_at(&self, at: usize) -> Result<Option<ChunkSpan>, StoreError> {
        let before = self.chunks_where("start_index <= ?2 ORDER BY start_index DESC", at, 1)?;
        match before.is_empty() {
            true => Ok(self.chunks_where("start_index >= ?2 ORDER BY start_index", at, 1)?.pop()),
            false => Ok(before.into_iter().next()),
        }
    }

    /// Up to `limit` chunks that begin before a byte, the nearest first.
    pub fn chunks_before(&self, at: usize, limit: usize) -> Result<Vec<ChunkSpan>, StoreError> {
        self.chunks_where("start_index < ?2 ORDER BY start_index DESC", at, limit)
    }

    /// Up to `limit` chunks that begin at or after a byte, in order.
    pub fn chunks_from(&self, at: usize, limit: usize) -> Result<Vec<ChunkSpan>, StoreError> {
        self.chunks_where("start_index >= ?2 ORDER BY start_index", at, limit)
    }

    fn chunks_where(&self, condition: &str, at: usize, limit: usize) -> Result<Vec<ChunkSpan>, StoreError> {
        let sql = format!(
            "SELECT chunking_strategy, {} FROM chunk_sources s WHERE file_id = ?1 AND {condition} LIMIT ?3",
            place_columns!()
        );
        let values = params![self.document.text_id, at as i64, limit as i64];
        self.store.ask(|connection: &Connection| {
            connection.rows(&sql, values, |row| {
                Ok(ChunkSpan { strategy: row.get(0)?, place: PlaceColumns::read(row, 1)? })
            })
        })
    }

    /// The sections of the document's own contents, in order.
    pub fn sections(&self) -> Result<Vec<SectionSpan>, StoreError> {
        let sql = "SELECT level, label, start_index, end_index FROM sections WHERE file_id = ?1 ORDER BY seq";
        self.store.ask(|connection| {
            connection.rows(sql, [self.document.text_id], |row| {
                Ok(SectionSpan {
                    level: offset(row, 0)?,
                    label: row.get(1)?,
                    start: offset(row, 2)?,
                    end: offset(row, 3)?,
                })
            })
        })
    }
}

#[cfg(test)]
mod tests;
