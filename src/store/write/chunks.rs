//! Each chunk is stored once, with all its places.
//!
//! When the text of a file is rewritten, its old places are removed before the new ones are added, and most of its
//! chunks stay the same. A chunk that lost a place is therefore only noted as detached. At the end of the transaction
//! [`ChunkWriter::sweep`] deletes the chunks without any place; the others keep their rows, also in the search tables.

use super::changed_content::ChangedContent;
use crate::store::load::Load;
use crate::store::search_builders::SearchBuilders;
use crate::store::sql::Queries;
use crate::store::{meta, search_tables};
use pensieve_text::model::{ContentHash, SourceSpan};
use rusqlite::{Connection, params};

/// Maximum detached chunks before a sweep: 8 MiB.
const MAX_DETACHED: usize = 1 << 20;

/// One chunk with its place in the file.
#[derive(Debug, Clone)]
pub struct ChunkRow {
    /// SHA-256 of the content.
    pub hash: ContentHash,
    /// Its text.
    pub content: String,
    /// Its exact token count.
    pub tokens: usize,
    /// First byte in the clean text.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// Source bytes, and whether they are exact.
    pub source: Option<SourceSpan>,
    /// The locator as JSON: lines, pages, cells.
    pub locator: Option<String>,
    /// `Guide > Install`.
    pub heading_path: Option<String>,
    /// Text to repeat before the chunk.
    pub context: Option<String>,
}

/// The properties that all chunks of one call share.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChunkBatch<'b> {
    /// The file that they belong to.
    pub file_id: i64,
    /// The chunking strategy.
    pub strategy: &'b str,
    /// The tokenizer.
    pub tokenizer: &'b str,
}

/// Writes chunks and their places.
#[derive(Default)]
pub(super) struct ChunkWriter {
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
        // Prepared once for all: the statement cache hashes their text, which costs as much as a short insert.
        let mut insert = connection.prepare_cached(
            "INSERT INTO chunks(content_hash, content, estimated_tokens, tokenizer_model) VALUES(?1, ?2, ?3, ?4)",
        )?;
        let mut place = connection.prepare_cached(
            "INSERT INTO chunk_sources(chunk_id, file_id, start_index, end_index, chunking_strategy, source_start,
                                       source_end, source_exact, locator, heading_path, context)
             VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?;
        for chunk in rows {
            let stored = self.find(connection, &chunk.hash)?;
            let chunk_id = match stored {
                Some(id) => id,
                None => insert.insert(params![
                    chunk.hash.to_hex(),
                    chunk.content,
                    chunk.tokens as i64,
                    batch.tokenizer
                ])?,
            };
            if stored.is_some() {
                self.recount(connection, chunk_id, batch.tokenizer, &chunk)?;
            } else {
                on_new(&chunk);
            }
            place.execute(params![
                chunk_id,
                batch.file_id,
                chunk.start as i64,
                chunk.end as i64,
                batch.strategy,
                chunk.source.map(|source| source.start as i64),
                chunk.source.map(|source| source.end as i64),
                chunk.source.map(|source| source.exact),
                chunk.locator,
                chunk.heading_path,
                chunk.context
            ])?;
            if stored.is_none() {
                self.index(connection, chunk_id, chunk, has_search)?;
            }
        }
        Ok(())
    }

    fn find(&self, connection: &Connection, hash: &ContentHash) -> rusqlite::Result<Option<i64>> {
        let Some(load) = &self.load else {
            let sql = "SELECT chunk_id FROM chunks WHERE content_hash = ?1";
            return connection.first(sql, [hash.to_hex()], |row| row.get(0));
        };
        let sql = "SELECT content_hash = ?2 FROM chunks WHERE chunk_id = ?1";
        for id in load.hashes.candidates(hash.prefix()) {
            if connection.one(sql, params![id, hash.to_hex()], |row| row.get::<_, bool>(0))? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Adds a new chunk to the table of a load and to the search tables.
    fn index(
        &mut self,
        connection: &Connection,
        id: i64,
        chunk: ChunkRow,
        has_search: bool,
    ) -> rusqlite::Result<()> {
        if let Some(load) = &mut self.load {
            load.hashes.insert(chunk.hash.prefix(), id);
        }
        match self.search_builders() {
            Some(builders) => builders.insert(id, chunk.content),
            None if has_search => {
                search_tables::insert(connection, id, &chunk.content, self.is_loading())?;
            }
            None => {}
        }
        Ok(())
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
