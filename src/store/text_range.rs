//! Stretches of stored text by characters, without the maps that cleaning and chunking need.

use super::texts::unpack_text;
use super::{Store, StoreError, Variant};
use rusqlite::{OptionalExtension, params};
use std::ops::Range;

impl Store {
    /// So many characters of a text, after so many others: a page of it.
    ///
    /// Cost: as [`Store::each_piece`]; a page of any text takes milliseconds.
    pub fn text_range(
        &self,
        file_id: i64,
        variant: Variant,
        version: &str,
        (offset, limit): (usize, usize),
    ) -> Result<String, StoreError> {
        let mut text = String::new();
        let mut each = |piece: &str| {
            text.push_str(piece);
            true
        };
        self.each_piece(file_id, variant, version, offset..offset.saturating_add(limit), &mut each)?;
        Ok(text)
    }

    /// Hands over the characters of a text that lie in `range`, in pieces; `each` returns false to stop.
    ///
    /// Cost: a search for the first segment, then one segment (at most 1 MiB of text) at a time: a page of a text of
    /// any length takes the time of unpacking a segment or two.
    pub fn each_piece(
        &self,
        file_id: i64,
        variant: Variant,
        version: &str,
        range: Range<usize>,
        each: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(), StoreError> {
        let text = TextName { file_id, variant, version };
        let first = self.segment_at(text, range.start).map_err(|error| self.fail(error))?;
        let mut read = || -> rusqlite::Result<Option<()>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT char_start, content FROM texts
                 WHERE file_id = ?1 AND variant = ?2 AND version = ?3 AND segment >= ?4 ORDER BY segment",
            )?;
            let mut rows = statement.query(params![file_id, variant.as_str(), version, first])?;
            while let Some(row) = rows.next()? {
                let start = row.get::<_, i64>(0)? as usize;
                if start >= range.end {
                    break;
                }
                let Some(text) = unpack_text(row.get_ref(1)?.as_blob()?) else { return Ok(None) };
                let part = characters(&text, range.start.saturating_sub(start), range.end - start);
                if !part.is_empty() && !each(part) {
                    break;
                }
            }
            Ok(Some(()))
        };
        read().map_err(|error| self.fail(error))?.ok_or_else(|| self.text_unreadable(file_id))
    }

    /// The segment that holds a character. Segments are numbered from 0, so that a few looks find it among thousands.
    fn segment_at(&self, text: TextName<'_>, character: usize) -> rusqlite::Result<i64> {
        let TextName { file_id, variant, version } = text;
        let last: Option<i64> = self
            .connection
            .prepare_cached(
                "SELECT max(segment) FROM texts WHERE file_id = ?1 AND variant = ?2 AND version = ?3",
            )?
            .query_row(params![file_id, variant.as_str(), version], |row| row.get(0))?;
        let mut start = self.connection.prepare_cached(
            "SELECT char_start FROM texts WHERE file_id = ?1 AND variant = ?2 AND version = ?3 AND segment = ?4",
        )?;
        let (mut low, mut high) = (0, last.unwrap_or(0));
        while low < high {
            let middle = (low + high + 1) / 2;
            let begins: Option<i64> = start
                .query_row(params![file_id, variant.as_str(), version, middle], |row| row.get(0))
                .optional()?;
            match begins.is_some_and(|begins| begins as usize <= character) {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        Ok(low)
    }
}

/// A stored text.
#[derive(Clone, Copy)]
struct TextName<'v> {
    file_id: i64,
    variant: Variant,
    version: &'v str,
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
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_as_characters() {
        let check = |start, end, expected: &str| assert_eq!(characters("aäß日\n", start, end), expected);
        check(0, 2, "aä");
        check(1, 4, "äß日");
        check(3, usize::MAX, "日\n");
        check(9, 11, "");
        check(2, 2, "");
    }
}
