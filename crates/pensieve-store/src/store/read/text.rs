//! One stored text: its segments with their maps, and parts of it by characters.

use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::rows::sql::{Queries, offset, while_true};
use crate::store::rows::text_packing::{TextVariant, unpack_map, unpack_text};
use pensieve_text::model::Segment;
use rusqlite::{Connection, Row, params};
use std::ops::Range;

/// A segment of a stored text, with its start.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredSegment {
    /// First byte in the whole text.
    pub start: usize,
    /// First character in the whole text.
    pub char_start: usize,
    /// Its text, map, lines and places.
    pub segment: Segment,
}

/// A version of a text of a file.
#[derive(Debug, Clone, Copy)]
pub struct StoredText<'s> {
    pub(crate) store: &'s Store,
    pub(crate) file_id: i64,
    pub(crate) variant: TextVariant,
    pub(crate) version: &'s str,
}

impl StoredText<'_> {
    /// Passes the segments to `each` in order; `each` returns false to stop.
    ///
    /// Cost: one segment (at most 1 MiB of text) in memory at a time.
    pub fn each_segment(&self, each: &mut dyn FnMut(StoredSegment) -> bool) -> Result<(), StoreError> {
        self.each_segment_from(0, each)
    }

    /// The same from the segment that contains byte `from` on.
    pub fn each_segment_from(
        &self,
        from: usize,
        each: &mut dyn FnMut(StoredSegment) -> bool,
    ) -> Result<(), StoreError> {
        let sql = "SELECT t.start_index, t.char_start, t.content, m.content FROM texts t
                   LEFT JOIN text_maps m USING(file_id, variant, version, segment)
                   WHERE t.file_id = ?1 AND t.variant = ?2 AND t.version = ?3 AND t.segment >=
                         (SELECT max(s.segment) FROM texts s WHERE s.file_id = ?1 AND s.variant = ?2
                          AND s.version = ?3 AND s.start_index <= ?4)
                   ORDER BY t.segment";
        let values = params![self.file_id, self.variant.as_str(), self.version, from as i64];
        let mut damage = None;
        self.ask(|connection| {
            connection.each(sql, values, |row| match stored_segment(row)? {
                Ok(segment) => Ok(while_true(each(segment))),
                Err(part) => {
                    damage = Some(part);
                    Ok(while_true(false))
                }
            })
        })?;
        match damage {
            Some(part) => Err(self.unreadable(part)),
            None => Ok(()),
        }
    }

    /// Passes the text without its maps to `each` from the segment that contains byte `from` on, with the first byte of each
    /// segment; `each` returns false to stop.
    ///
    /// Cost: one segment (at most 1 MiB of text) in memory at a time.
    pub fn each_text_from(
        &self,
        from: usize,
        each: &mut dyn FnMut(usize, &str) -> bool,
    ) -> Result<(), StoreError> {
        let sql = "SELECT start_index, content FROM texts
                   WHERE file_id = ?1 AND variant = ?2 AND version = ?3 AND segment >=
                         (SELECT max(s.segment) FROM texts s WHERE s.file_id = ?1 AND s.variant = ?2
                          AND s.version = ?3 AND s.start_index <= ?4)
                   ORDER BY segment";
        let mut is_damaged = false;
        let values = params![self.file_id, self.variant.as_str(), self.version, from as i64];
        self.ask(|connection| {
            connection.each(sql, values, |row| {
                let start = offset(row, 0)?;
                let text = unpack_text(row.get_ref(1)?.as_blob()?);
                is_damaged = text.is_none();
                Ok(while_true(text.is_some_and(|text| each(start, &text))))
            })
        })?;
        if is_damaged { Err(self.unreadable("the text")) } else { Ok(()) }
    }

    /// `limit` characters of the text from character `start` on: a page of it.
    ///
    /// Cost: that of [`StoredText::each_slice`]; a page of any text takes milliseconds.
    pub fn page(&self, (start, limit): (usize, usize)) -> Result<String, StoreError> {
        let mut text = String::new();
        self.each_slice(start..start.saturating_add(limit), &mut |slice| {
            text.push_str(slice);
            true
        })?;
        Ok(text)
    }

    /// Passes the characters of the text that lie in `range` to `each`, slice by slice; `each` returns false to stop.
    ///
    /// Cost: a search for the first segment, then one segment (at most 1 MiB of text) at a time. A page of a text of
    /// any length costs the unpacking of one or two segments.
    pub fn each_slice(
        &self,
        range: Range<usize>,
        each: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(), StoreError> {
        let sql = "SELECT char_start, content FROM texts
                   WHERE file_id = ?1 AND variant = ?2 AND version = ?3 AND segment >= ?4 ORDER BY segment";
        let mut is_damaged = false;
        self.ask(|connection| {
            let first = self.segment_at(connection, range.start)?;
            connection.each(sql, params![self.file_id, self.variant.as_str(), self.version, first], |row| {
                let start = offset(row, 0)?;
                if start >= range.end {
                    return Ok(while_true(false));
                }
                let Some(text) = unpack_text(row.get_ref(1)?.as_blob()?) else {
                    is_damaged = true;
                    return Ok(while_true(false));
                };
                let slice = characters(&text, range.start.saturating_sub(start), range.end - start);
                Ok(while_true(slice.is_empty() || each(slice)))
            })
        })?;
        if is_damaged { Err(self.unreadable("the text")) } else { Ok(()) }
    }

    /// The segment that contains a character. Segments are numbered from 0, so that a few look-ups find it among
    /// thousands.
    fn segment_at(&self, connection: &Connection, character: usize) -> rusqlite::Result<i64> {
        let last = "SELECT max(segment) FROM texts WHERE file_id = ?1 AND variant = ?2 AND version = ?3";
        let start = "SELECT char_start FROM texts
                     WHERE file_id = ?1 AND variant = ?2 AND version = ?3 AND segment = ?4";
        let (file_id, variant, version) = (self.file_id, self.variant.as_str(), self.version);
        let last: Option<i64> = connection.one(last, params![file_id, variant, version], |row| row.get(0))?;
        let (mut low, mut high) = (0, last.unwrap_or(0));
        while low < high {
            let middle = (low + high + 1) / 2;
            let begins =
                connection.first(start, params![file_id, variant, version, middle], |row| offset(row, 0))?;
            match begins.is_some_and(|begins| begins <= character) {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        Ok(low)
    }

    /// The first byte of a character of the text; its length for one after the end.
    ///
    /// Cost: a search for the segment, which is unpacked.
    pub fn byte_of_character(&self, character: usize) -> Result<usize, StoreError> {
        let sql = "SELECT start_index, char_start, content FROM texts
                   WHERE file_id = ?1 AND variant = ?2 AND version = ?3 AND segment = ?4";
        let found = self.ask(|connection| {
            let segment = self.segment_at(connection, character)?;
            let values = params![self.file_id, self.variant.as_str(), self.version, segment];
            connection.first(sql, values, |row| {
                Ok((offset(row, 0)?, offset(row, 1)?, unpack_text(row.get_ref(2)?.as_blob()?)))
            })
        })?;
        let Some((start, char_start, text)) = found else { return Ok(0) };
        let text = text.ok_or_else(|| self.unreadable("the text"))?;
        Ok(start + characters(&text, 0, character - char_start).len())
    }

    /// The number of characters before each byte of the text; the bytes are in ascending order and start a character.
    ///
    /// Cost: unpacks each segment that contains one of them once.
    pub fn characters_before(&self, bytes: &[usize]) -> Result<Vec<usize>, StoreError> {
        let mut found = Vec::with_capacity(bytes.len());
        let mut rest: Option<TextRest> = None;
        for &byte in bytes {
            if !rest.as_ref().is_some_and(|rest| rest.contains(byte)) {
                rest = self.ask(|connection| self.rest_at(connection, byte))?;
            }
            let before = rest.as_mut().and_then(|rest| rest.advance_to(byte));
            found.push(before.ok_or_else(|| self.unreadable("the text"))?);
        }
        Ok(found)
    }

    /// The segment that contains a byte.
    fn rest_at(&self, connection: &Connection, byte: usize) -> rusqlite::Result<Option<TextRest>> {
        let sql = "SELECT start_index, char_start, content FROM texts
                   WHERE file_id = ?1 AND variant = ?2 AND version = ?3 AND segment =
                         (SELECT max(s.segment) FROM texts s WHERE s.file_id = ?1 AND s.variant = ?2
                          AND s.version = ?3 AND s.start_index <= ?4)";
        let values = params![self.file_id, self.variant.as_str(), self.version, byte as i64];
        let rest = connection.first(sql, values, |row| {
            let (start, chars) = (offset(row, 0)?, offset(row, 1)?);
            Ok(unpack_text(row.get_ref(2)?.as_blob()?).map(|text| TextRest { start, chars, text }))
        })?;
        Ok(rest.flatten())
    }

    fn ask<T>(&self, question: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        self.store.ask(question)
    }

    fn unreadable(&self, part: &str) -> StoreError {
        self.store.damaged(format!("{part} of file {} cannot be read", self.file_id))
    }
}

/// The uncounted rest of a segment.
struct TextRest {
    /// First byte in the whole text.
    start: usize,
    /// First character in the whole text.
    chars: usize,
    text: String,
}

impl TextRest {
    fn contains(&self, byte: usize) -> bool {
        (self.start..self.start + self.text.len()).contains(&byte)
    }

    /// The number of characters before a byte. Characters are counted once, also for later bytes.
    fn advance_to(&mut self, byte: usize) -> Option<usize> {
        let length = byte.checked_sub(self.start)?;
        self.chars += self.text.get(..length)?.chars().count();
        self.start = byte;
        self.text.drain(..length);
        Some(self.chars)
    }
}

/// Reads a segment; the error names the part that cannot be unpacked.
fn stored_segment(row: &Row<'_>) -> rusqlite::Result<Result<StoredSegment, &'static str>> {
    let (start, char_start) = (offset(row, 0)?, offset(row, 1)?);
    let Some(text) = unpack_text(row.get_ref(2)?.as_blob()?) else { return Ok(Err("the text")) };
    let segment = match row.get_ref(3)?.as_blob_or_null()? {
        None => Ok(Segment { text, ..Segment::default() }),
        Some(map) => {
            let plain = unpack_map(map, text.len());
            plain.and_then(|plain| Segment::decode(text, &plain).ok()).ok_or("the map")
        }
    };
    Ok(segment.map(|segment| StoredSegment { start, char_start, segment }))
}

/// The characters of a text from one to another.
fn characters(text: &str, start: usize, end: usize) -> &str {
    let byte = |from: usize, count: usize| {
        text[from..].char_indices().nth(count).map_or(text.len(), |(at, _)| from + at)
    };
    let first = byte(0, start);
    &text[first..byte(first, end.saturating_sub(start))]
}

#[cfg(test)]
mod tests;
