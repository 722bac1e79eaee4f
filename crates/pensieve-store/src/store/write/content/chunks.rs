//! Each chunk is stored once, with all its places.
//!
//! When the text of a file is rewritten, its old places are removed before the new ones are added, and most of its
//! chunks stay the same. A chunk that lost a place is therefore only noted as detached. At the end of the transaction
//! [`ChunkWriter::sweep`] deletes the chunks without any place; the others keep their rows, also in the search tables.

use super::changed_content::ChangedContent;
use super::chunk_rows::{ChunkBatch, ChunkRow, GROUP_ROWS, PlacedChunk, insert_chunks, insert_places};
use crate::store::database::meta;
use crate::store::indexes::load::{Load, last_chunk_id};
use crate::store::indexes::search_builders::SearchBuilders;
use crate::store::indexes::search_tables;
use crate::store::rows::sql::Queries;
use pensieve_text::model::ContentHash;
use rusqlite::{Connection, params};

/// Maximum detached chunks before a sweep: 8 MiB.
const MAX_DETACHED: usize = 1 << 20;

/// Writes chunks and their places.
#[derive(Default)]
pub(crate) struct ChunkWriter {
    /// The open load, if there is one.
    load: Option<Load>,
    /// Chunks that may have no places left.
    detached: Vec<i64>,
    /// Files whose content changed, for their digests.
    pub changed: ChangedContent,
}

impl ChunkWriter {
    /// A writer, during a load if one is open.
    pub fn new(load: Option<Load>) -> ChunkWriter {
        ChunkWriter { load, ..ChunkWriter::default() }
    }

    /// True during a load, while hashes are kept in memory and SQLite has no index on them.
    pub fn is_loading(&self) -> bool {
        self.load.is_some()
    }

    /// True if the table of a load has no room for `coming` more chunks.
    pub fn is_full(&self, coming: usize) -> bool {
        self.load.as_ref().is_some_and(|load| load.hashes.is_full(coming))
    }

    /// The open load, which the caller ends.
    pub fn take_load(&mut self) -> Option<Load> {
        self.load.take()
    }

    /// Removes a file's places from its chunks.
    pub fn detach_chunks(&mut self, connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
        let sql = "SELECT DISTINCT chunk_id FROM chunk_sources WHERE file_id = ?1";
        let chunks: Vec<i64> = connection.rows(sql, [file_id], |row| row.get(0))?;
        if !chunks.is_empty() {
            connection.run("DELETE FROM chunk_sources WHERE file_id = ?1", [file_id])?;
            self.changed.note(file_id);
        }
        self.detached.extend(chunks);
        match self.detached.len() > MAX_DETACHED {
            true => self.sweep(connection),
            false => Ok(()),
        }
    }

    /// Deletes the chunks that no file has any longer; runs before every commit.
    pub fn sweep(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut detached = std::mem::take(&mut self.detached);
        if detached.is_empty() {
            return Ok(());
        }
        detached.sort_unstable();
        detached.dedup();
        let has_search = meta::has_search(connection)?;
        let lost = "SELECT content_hash, content FROM chunks c WHERE chunk_id = ?1
                      AND NOT EXISTS (SELECT 1 FROM chunk_sources s WHERE s.chunk_id = c.chunk_id)";
        for chunk in detached {
            let row: Option<(String, String)> =
                connection.first(lost, [chunk], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let Some((hash, content)) = row else { continue };
            match self.search_builders() {
                Some(builders) => builders.remove(chunk, content),
                None if has_search => search_tables::remove(connection, chunk, &content, self.is_loading())?,
                None => {}
            }
            if let (Some(load), Ok(hash)) = (&mut self.load, hash.parse::<ContentHash>()) {
                load.hashes.remove(hash.prefix(), chunk);
            }
            connection.run("DELETE FROM chunks WHERE chunk_id = ?1", [chunk])?;
        }
        Ok(())
    }

    /// Stores the new chunks, and the places of all chunks in the file; calls `on_new` for each new chunk.
    pub fn add(
        &mut self,
        connection: &Connection,
        batch: ChunkBatch<'_>,
        rows: Vec<ChunkRow>,
        mut on_new: impl FnMut(&ChunkRow),
    ) -> rusqlite::Result<()> {
        let has_search = meta::has_search(connection)?;
        let mut waiting = Vec::new();
        for chunk in rows {
            let stored = self.find(connection, &chunk.hash, &waiting)?;
            let is_new = stored.is_none();
            let chunk_id = match (stored, &mut self.load) {
                (Some(id), _) => {
                    self.recount(connection, id, batch.tokenizer, &chunk)?;
                    id
                }
                (None, Some(load)) => load.add_chunk(&chunk.hash),
                (None, None) => last_chunk_id(connection)? + 1,
            };
            if is_new {
                on_new(&chunk);
            }
            waiting.push(PlacedChunk { chunk_id, is_new, chunk });
            // Without a load the next chunk is looked up in the index, which must have this one.
            if !self.is_loading() || waiting.len() == GROUP_ROWS {
                self.write(connection, batch, &mut waiting, has_search)?;
            }
        }
        self.write(connection, batch, &mut waiting, has_search)
    }

    /// Writes the rows of chunks that wait, and adds the new ones to the search tables.
    fn write(
        &mut self,
        connection: &Connection,
        batch: ChunkBatch<'_>,
        waiting: &mut Vec<PlacedChunk>,
        has_search: bool,
    ) -> rusqlite::Result<()> {
        insert_chunks(connection, batch, waiting)?;
        insert_places(connection, batch, waiting)?;
        for PlacedChunk { chunk_id, chunk, .. } in waiting.drain(..).filter(|placed| placed.is_new) {
            match self.search_builders() {
                Some(builders) => builders.insert(chunk_id, chunk.content),
                None if has_search => {
                    search_tables::insert(connection, chunk_id, &chunk.content, self.is_loading())?;
                }
                None => {}
            }
        }
        Ok(())
    }

    /// The chunk with this content, also if its row is only `waiting` to be written.
    fn find(
        &self,
        connection: &Connection,
        hash: &ContentHash,
        waiting: &[PlacedChunk],
    ) -> rusqlite::Result<Option<i64>> {
        let Some(load) = &self.load else {
            let sql = "SELECT chunk_id FROM chunks WHERE content_hash = ?1";
            return connection.first(sql, [hash.to_hex()], |row| row.get(0));
        };
        let sql = "SELECT content_hash = ?2 FROM chunks WHERE chunk_id = ?1";
        for id in load.hashes.candidates(hash.prefix()) {
            let is_waiting = |placed: &&PlacedChunk| placed.is_new && placed.chunk_id == id;
            if let Some(placed) = waiting.iter().find(is_waiting) {
                if placed.chunk.hash == *hash {
                    return Ok(Some(id));
                }
            } else if connection.one(sql, params![id, hash.to_hex()], |row| row.get::<_, bool>(0))? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// The threads that build the search tables, during a load that has them.
    fn search_builders(&mut self) -> Option<&mut SearchBuilders> {
        self.load.as_mut()?.search.as_mut()
    }

    /// A stored chunk may have been counted by another tokenizer; its count is part of the digests of all its files.
    fn recount(
        &mut self,
        connection: &Connection,
        id: i64,
        tokenizer: &str,
        chunk: &ChunkRow,
    ) -> rusqlite::Result<()> {
        if self.load.as_ref().is_some_and(|load| load.has_one_tokenizer) {
            return Ok(());
        }
        let sql = "UPDATE chunks SET estimated_tokens = ?2, tokenizer_model = ?3
                   WHERE chunk_id = ?1 AND tokenizer_model <> ?3";
        if connection.run(sql, params![id, chunk.tokens as i64, tokenizer])? == 0 {
            return Ok(());
        }
        let sql = "SELECT DISTINCT file_id FROM chunk_sources WHERE chunk_id = ?1";
        for file_id in connection.rows(sql, [id], |row| row.get(0))? {
            self.changed.note(file_id);
        }
        Ok(())
    }
}
