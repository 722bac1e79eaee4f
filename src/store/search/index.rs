//! What is searched: one database, or the partitions of a corpus as one.
//!
//! A chunk of a corpus has one id: that of its row in the first partition that has it, with the number of the partition in
//! the upper bits. Its rows in other partitions are hidden ([`super::hidden`]).

use crate::store::places::{ChunkPlace, places_of};
use crate::store::sql::{Queries, count, id_list};
use rusqlite::Connection;
use rustc_hash::FxHashMap;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Bits of a chunk's id that are its row.
const ROW_BITS: u32 = 40;

/// The connections to a corpus.
pub(in crate::store) struct SearchIndex<'c> {
    parts: Vec<&'c Connection>,
}

impl<'c> SearchIndex<'c> {
    /// One database.
    pub fn of(connection: &'c Connection) -> SearchIndex<'c> {
        SearchIndex { parts: vec![connection] }
    }

    /// Partitions whose copies of chunks are hidden.
    pub fn of_parts(parts: Vec<&'c Connection>) -> SearchIndex<'c> {
        SearchIndex { parts }
    }

    /// True if there is one database.
    pub fn is_whole(&self) -> bool {
        self.parts.len() == 1
    }

    /// The databases with their numbers.
    pub fn parts(&self) -> impl Iterator<Item = (usize, &'c Connection)> {
        self.parts.iter().copied().enumerate()
    }

    /// A connection for questions about files: all of them know those of the corpus.
    pub fn files(&self) -> &'c Connection {
        self.parts[0]
    }

    /// The id of a chunk that is given by an id, perhaps one of another row with the same content; `None` if there is no such
    /// chunk in the corpus.
    pub fn known_id(&self, chunk_id: i64) -> rusqlite::Result<Option<i64>> {
        let (part, row) = row_of(chunk_id);
        let Some(connection) = self.parts.get(part).copied() else { return Ok(None) };
        let is_there = connection.has("SELECT 1 FROM chunks WHERE chunk_id = ?1", [row])?;
        Ok(if is_there { self.ids_of(connection, &[row])?.pop() } else { None })
    }

    /// The id of a chunk by the hash of its content.
    pub fn id_of_hash(&self, content_hash: &str) -> rusqlite::Result<Option<i64>> {
        let sql = "SELECT chunk_id FROM chunks WHERE content_hash = ?1";
        for (_, part) in self.parts() {
            let row: Option<i64> = part.first(sql, [content_hash], |row| row.get(0))?;
            if let Some(row) = row
                && let Some(id) = self.ids_of(part, &[row])?.pop()
            {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// The number of chunks.
    pub fn chunks(&self) -> rusqlite::Result<usize> {
        let hidden = if self.is_whole() { "0" } else { "(SELECT count(*) FROM temp.hidden_chunks)" };
        let sql = format!("SELECT count(*) - {hidden} FROM chunks");
        let of_part = |part: &&Connection| part.one(&sql, [], |row| Ok(count(row, 0)? as usize));
        self.parts.iter().map(of_part).sum()
    }

    /// The number of chunks with words that follow each other, those in several databases counted in each.
    pub fn chunks_with_phrase(&self, words: &str) -> rusqlite::Result<u64> {
        let phrase = format!("\"{words}\"");
        let sql = "SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?1";
        self.parts.iter().map(|part| part.one(sql, [&phrase], |row| count(row, 0))).sum()
    }

    /// Passes the hashes of the contents of chunks on.
    pub fn each_hash(&self, chunks: &[i64], each: &mut dyn FnMut(&str)) -> rusqlite::Result<()> {
        let mut rows: Vec<Vec<i64>> = vec![Vec::new(); self.parts.len()];
        for (part, row) in chunks.iter().map(|chunk_id| row_of(*chunk_id)) {
            rows[part].push(row);
        }
        let sql = "SELECT c.content_hash FROM json_each(?1) j CROSS JOIN chunks c ON c.chunk_id = j.value";
        for (part, rows) in self.parts.iter().zip(rows).filter(|(_, rows)| !rows.is_empty()) {
            part.each(sql, [id_list(rows)], |row| {
                each(row.get_ref(0)?.as_str()?);
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(())
    }

    /// The row of a chunk, and the database that has it.
    pub fn row(&self, chunk_id: i64) -> (&'c Connection, i64) {
        let (part, row) = row_of(chunk_id);
        (self.parts[part], row)
    }

    /// The rows of a chunk in all databases.
    pub fn rows(&self, chunk_id: i64) -> rusqlite::Result<Vec<(&'c Connection, i64)>> {
        let (first, row) = row_of(chunk_id);
        let mut rows = vec![(self.parts[first], row)];
        if self.is_whole() {
            return Ok(rows);
        }
        let sql = "SELECT content_hash FROM chunks WHERE chunk_id = ?1";
        let hash: String = self.parts[first].one(sql, [row], |row| row.get(0))?;
        let sql = "SELECT chunk_id FROM chunks WHERE content_hash = ?1";
        for (_, part) in self.parts().filter(|(part, _)| *part != first) {
            rows.extend(part.first(sql, [&hash], |row| row.get(0))?.map(|row| (part, row)));
        }
        Ok(rows)
    }

    /// The database with the content of a file.
    pub fn of_file(&self, file_id: i64) -> rusqlite::Result<&'c Connection> {
        if self.is_whole() {
            return Ok(self.parts[0]);
        }
        let sql = "SELECT part FROM corpus.contents WHERE file_id = ?1";
        let part: i64 = self.files().one(sql, [file_id], |row| row.get(0))?;
        Ok(self.parts[part as usize])
    }

    /// The ids of the chunks with these rows of a database, of a hidden row that of the chunk elsewhere; rows that do not
    /// count are left out.
    pub fn ids_of(&self, part: &Connection, rows: &[i64]) -> rusqlite::Result<Vec<i64>> {
        if self.is_whole() {
            return Ok(rows.to_vec());
        }
        let hidden = self.hidden(part, rows)?;
        let number = self.number_of(part);
        let id = |row: &i64| match hidden.get(row) {
            Some(elsewhere) => *elsewhere,
            None => Some(chunk_id(number, *row)),
        };
        Ok(rows.iter().filter_map(id).collect())
    }

    /// The hidden ones of these rows, each with the id of its chunk if that counts.
    pub fn hidden(&self, part: &Connection, rows: &[i64]) -> rusqlite::Result<FxHashMap<i64, Option<i64>>> {
        if self.is_whole() {
            return Ok(FxHashMap::default());
        }
        let sql = "SELECT h.chunk_id, h.elsewhere FROM json_each(?1) j
                   CROSS JOIN temp.hidden_chunks h ON h.chunk_id = j.value";
        let found = part.rows(sql, [id_list(rows.iter().copied())], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.into_iter().collect())
    }

    /// The number of a database of this index.
    pub fn number_of(&self, part: &Connection) -> usize {
        self.parts.iter().position(|known| std::ptr::eq(*known, part)).unwrap_or_default()
    }

    /// All places of the given chunks, each list sorted by path. A chunk is given by its id and the hash of its content.
    pub fn places(&self, chunks: &[(i64, &str)]) -> rusqlite::Result<HashMap<i64, Vec<ChunkPlace>>> {
        if self.is_whole() {
            return places_of(self.parts[0], chunks);
        }
        let mut found = HashMap::new();
        for (chunk_id, hash) in chunks {
            let mut places = Vec::new();
            for (part, row) in self.rows(*chunk_id)? {
                places.extend(places_of(part, &[(row, hash)])?.into_values().flatten());
            }
            places.sort_by(|a, b| (&a.path, a.at.start).cmp(&(&b.path, b.at.start)));
            found.insert(*chunk_id, places);
        }
        Ok(found)
    }
}

/// The id of a chunk with this row of a database.
pub(in crate::store) fn chunk_id(part: usize, row: i64) -> i64 {
    ((part as i64) << ROW_BITS) | row
}

/// The number of the database of a chunk, and its row there.
pub(in crate::store) fn row_of(chunk_id: i64) -> (usize, i64) {
    ((chunk_id >> ROW_BITS) as usize, chunk_id & ((1 << ROW_BITS) - 1))
}
