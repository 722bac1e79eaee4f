//! Chunks on their way in and out: each content once, with every place that it has.
//!
//! A file whose text is made anew loses its places first and gets its new ones then, and most of the chunks behind them
//! are the same. So a chunk that has lost a place is only noted as loose; those that have found none again go when the
//! transaction ends ([`Chunks::sweep`]), and the others keep their rows, in the search tables too.

use super::dedup::ChunkTable;
use super::{content, unspaced};
use pensieve_text::model::ContentHash;
use rusqlite::{Connection, OptionalExtension, params};

/// Loose chunks that are noted at most before they are looked through: 8 MiB.
const MOST_LOOSE: usize = 1 << 20;

/// One chunk with its place in the file.
#[derive(Debug, Clone)]
pub struct ChunkRow {
    /// SHA-256 of the content.
    pub hash: ContentHash,
    /// The words.
    pub content: String,
    /// Exact count.
    pub tokens: usize,
    /// First byte in the clean text.
    pub start: usize,
    /// First byte behind it.
    pub end: usize,
    /// Source bytes and whether they are exact.
    pub source: Option<pensieve_text::model::SourceSpan>,
    /// JSON.
    pub locator: Option<String>,
    /// `Guide > Install`.
    pub heading_path: Option<String>,
    /// Words that belong before it.
    pub context: Option<String>,
}

/// What all chunks of one call have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Batch<'b> {
    /// The file that they stand in.
    pub file_id: i64,
    /// How they were cut.
    pub strategy: &'b str,
    /// How they were counted.
    pub tokenizer: &'b str,
}

/// What one who writes knows of the chunks beside the database.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    /// During a load: those that are there, by hash.
    pub table: Option<ChunkTable>,
    /// Those that may have no place any more.
    loose: Vec<i64>,
}

impl Chunks {
    /// With the table of a load, where one is open.
    pub fn new(table: Option<ChunkTable>) -> Chunks {
        Chunks { table, loose: Vec::new() }
    }

    /// Takes a file's places away from its chunks.
    pub fn loosen(&mut self, connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
        let before = self.loose.len();
        let mut select =
            connection.prepare_cached("SELECT DISTINCT chunk_id FROM chunk_sources WHERE file_id = ?1")?;
        for chunk in select.query_map([file_id], |row| row.get(0))? {
            self.loose.push(chunk?);
        }
        if self.loose.len() > before {
            connection.prepare_cached("DELETE FROM chunk_sources WHERE file_id = ?1")?.execute([file_id])?;
        }
        match self.loose.len() > MOST_LOOSE {
            true => self.sweep(connection),
            false => Ok(()),
        }
    }

    /// Removes the chunks that no file has any more; to be called before every commit.
    pub fn sweep(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut loose = std::mem::take(&mut self.loose);
        if loose.is_empty() {
            return Ok(());
        }
        loose.sort_unstable();
        loose.dedup();
        let searched = content::has_search(connection)?;
        let mut lost = connection.prepare_cached(
            "SELECT content_hash, content FROM chunks c WHERE chunk_id = ?1
               AND NOT EXISTS (SELECT 1 FROM chunk_sources s WHERE s.chunk_id = c.chunk_id)",
        )?;
        for chunk in loose {
            let row: Option<(String, String)> =
                lost.query_row([chunk], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            if let Some((hash, content)) = row {
                self.remove(connection, chunk, &hash, &content, searched)?;
            }
        }
        Ok(())
    }

    fn remove(
        &mut self,
        connection: &Connection,
        chunk: i64,
        hash: &str,
        content: &str,
        searched: bool,
    ) -> rusqlite::Result<()> {
        if searched {
            unspaced::remove(connection, chunk, content)?;
        }
        // During a load the other table is empty.
        if searched && self.table.is_none() {
            connection
                .prepare_cached(
                    "INSERT INTO chunks_fts(chunks_fts, rowid, content) VALUES('delete', ?1, ?2)",
                )?
                .execute(params![chunk, content])?;
        }
        if let (Some(table), Ok(hash)) = (&mut self.table, hash.parse::<ContentHash>()) {
            table.remove(hash.prefix(), chunk);
        }
        connection.prepare_cached("DELETE FROM chunks WHERE chunk_id = ?1")?.execute([chunk])?;
        Ok(())
    }

    /// Stores the chunks that are not there, and the places of all in the file; tells which no file had before.
    pub fn add(
        &mut self,
        connection: &Connection,
        batch: Batch<'_>,
        rows: &[ChunkRow],
        mut is_new: impl FnMut(&ChunkRow),
    ) -> rusqlite::Result<()> {
        let searched = content::has_search(connection)?;
        // Looked up once for all: the cache of statements hashes their text, which costs as much as a short insert.
        let mut insert = connection.prepare_cached(
            "INSERT INTO chunks(content_hash, content, estimated_tokens, tokenizer_model) VALUES(?1, ?2, ?3, ?4)",
        )?;
        let mut place = connection.prepare_cached(
            "INSERT INTO chunk_sources(chunk_id, file_id, start_index, end_index, chunking_strategy, source_start,
                                       source_end, source_exact, locator, heading_path, context)
             VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?;
        for chunk in rows {
            let chunk_id = match self.find(connection, &chunk.hash)? {
                Some(id) => {
                    recount(connection, id, batch.tokenizer, chunk)?;
                    id
                }
                None => {
                    let row =
                        params![chunk.hash.to_hex(), chunk.content, chunk.tokens as i64, batch.tokenizer];
                    let id = insert.insert(row)?;
                    self.make_findable(connection, id, chunk, searched)?;
                    is_new(chunk);
                    id
                }
            };
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
        }
        Ok(())
    }

    fn find(&self, connection: &Connection, hash: &ContentHash) -> rusqlite::Result<Option<i64>> {
        let Some(table) = &self.table else {
            return connection
                .prepare_cached("SELECT chunk_id FROM chunks WHERE content_hash = ?1")?
                .query_row([hash.to_hex()], |row| row.get(0))
                .optional();
        };
        for id in table.candidates(hash.prefix()) {
            let same = connection
                .prepare_cached("SELECT content_hash = ?2 FROM chunks WHERE chunk_id = ?1")?
                .query_row(params![id, hash.to_hex()], |row| row.get::<_, bool>(0))?;
            if same {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Enters a new chunk where its hash, and where its words are looked for.
    fn make_findable(
        &mut self,
        connection: &Connection,
        id: i64,
        chunk: &ChunkRow,
        searched: bool,
    ) -> rusqlite::Result<()> {
        if let Some(table) = &mut self.table {
            table.insert(chunk.hash.prefix(), id);
        }
        if searched {
            unspaced::add(connection, id, &chunk.content)?;
        }
        if searched && self.table.is_none() {
            connection
                .prepare_cached("INSERT INTO chunks_fts(rowid, content) VALUES(?1, ?2)")?
                .execute(params![id, chunk.content])?;
        }
        Ok(())
    }
}

/// A chunk that is there already may be counted by the tokenizer of before.
fn recount(connection: &Connection, id: i64, tokenizer: &str, chunk: &ChunkRow) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE chunks SET estimated_tokens = ?2, tokenizer_model = ?3
             WHERE chunk_id = ?1 AND tokenizer_model <> ?3",
        )?
        .execute(params![id, chunk.tokens as i64, tokenizer])?;
    Ok(())
}
