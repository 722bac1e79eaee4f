//! What a file's text became: stored text, maps, chunks and their sources.

use super::dedup::ChunkTable;
use super::{meta, unspaced};
use crate::model::{ContentHash, Section};
use rusqlite::{Connection, OptionalExtension, params};

/// One stored stretch of a text: at most 1 MiB, compressed, with its map.
#[derive(Debug, Clone)]
pub struct TextPart {
    /// `raw` or `clean`.
    pub variant: &'static str,
    /// Where it begins, in bytes of the whole text.
    pub start: usize,
    /// Where it begins, in characters of the whole text.
    pub char_start: usize,
    /// zstd frame of the text.
    pub frame: Vec<u8>,
    /// Stored form of the map, zstd where that is smaller (told by its first byte).
    pub map: Vec<u8>,
}

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
    pub source: Option<crate::model::Source>,
    /// JSON.
    pub locator: Option<String>,
    /// `Guide > Install`.
    pub heading_path: Option<String>,
    /// Words that belong before it.
    pub context: Option<String>,
}

/// The tables that hold what belongs to one file's content, by `file_id`.
const OWNED: &[&str] = &[
    "texts",
    "text_maps",
    "text_versions",
    "metadata",
    "sections",
    "mails",
    "mail_ids",
    "mail_pages",
    "errors",
];

/// Moves everything stored for one file to another that has the same bytes.
pub(super) fn move_content(connection: &Connection, from: i64, to: i64) -> rusqlite::Result<()> {
    drop_problems(connection, to)?;
    for table in OWNED {
        connection
            .prepare_cached(&format!("UPDATE {table} SET file_id = ?2 WHERE file_id = ?1"))?
            .execute([from, to])?;
    }
    follow_path(connection, to)?;
    connection
        .prepare_cached("UPDATE chunk_sources SET file_id = ?2 WHERE file_id = ?1")?
        .execute([from, to])?;
    connection
        .prepare_cached("UPDATE files SET parent_file_id = ?2 WHERE parent_file_id = ?1")?
        .execute([from, to])?;
    Ok(())
}

/// The open problems of a file name it by the path that it has now.
pub(super) fn follow_path(connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE errors SET path = (SELECT full_filepath FROM files WHERE file_id = ?1) WHERE file_id = ?1",
        )?
        .execute([file_id])?;
    Ok(())
}

/// Removes everything stored for a file but its members, and the chunks that no file has any more.
pub(super) fn drop_content(
    connection: &Connection,
    file_id: i64,
    table: &mut Option<ChunkTable>,
) -> rusqlite::Result<()> {
    drop_chunks(connection, file_id, table)?;
    for owned in OWNED {
        connection.prepare_cached(&format!("DELETE FROM {owned} WHERE file_id = ?1"))?.execute([file_id])?;
    }
    Ok(())
}

/// Removes a file's chunks, those that no other file has altogether.
pub(super) fn drop_chunks(
    connection: &Connection,
    file_id: i64,
    table: &mut Option<ChunkTable>,
) -> rusqlite::Result<()> {
    let chunks: Vec<i64> = connection
        .prepare_cached("SELECT DISTINCT chunk_id FROM chunk_sources WHERE file_id = ?1")?
        .query_map([file_id], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    if chunks.is_empty() {
        return Ok(());
    }
    connection.prepare_cached("DELETE FROM chunk_sources WHERE file_id = ?1")?.execute([file_id])?;
    let searched = has_search(connection)?;
    for chunk in chunks {
        drop_orphan(connection, chunk, searched, table)?;
    }
    Ok(())
}

/// Removes the open problems of a file.
pub(super) fn drop_problems(connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM errors WHERE file_id = ?1")?.execute([file_id])?;
    Ok(())
}

pub(super) fn has_search(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(meta::get(connection, "fts")?.as_deref() != Some("off"))
}

fn drop_orphan(
    connection: &Connection,
    chunk: i64,
    searched: bool,
    table: &mut Option<ChunkTable>,
) -> rusqlite::Result<()> {
    let wanted = connection
        .prepare_cached("SELECT 1 FROM chunk_sources WHERE chunk_id = ?1 LIMIT 1")?
        .exists([chunk])?;
    if wanted {
        return Ok(());
    }
    if searched {
        unspaced::remove(connection, chunk)?;
    }
    // During a load the other table is empty.
    if searched && table.is_none() {
        connection
            .prepare_cached(
                "INSERT INTO chunks_fts(chunks_fts, rowid, content)
                 SELECT 'delete', chunk_id, content FROM chunks WHERE chunk_id = ?1",
            )?
            .execute([chunk])?;
    }
    if let Some(table) = table {
        let hash: String = connection
            .prepare_cached("SELECT content_hash FROM chunks WHERE chunk_id = ?1")?
            .query_row([chunk], |row| row.get(0))?;
        if let Ok(hash) = hash.parse::<ContentHash>() {
            table.remove(hash.prefix(), chunk);
        }
    }
    connection.prepare_cached("DELETE FROM chunks WHERE chunk_id = ?1")?.execute([chunk])?;
    Ok(())
}

/// Stores a stretch of text with its map.
pub(super) fn add_text(
    connection: &Connection,
    file_id: i64,
    version: &str,
    segment: usize,
    part: &TextPart,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO texts(file_id, variant, version, segment, start_index, char_start, content)
             VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            file_id,
            part.variant,
            version,
            segment as i64,
            part.start as i64,
            part.char_start as i64,
            part.frame
        ])?;
    connection
        .prepare_cached(
            "INSERT INTO text_maps(file_id, variant, version, segment, content) VALUES(?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![file_id, part.variant, version, segment as i64, part.map])?;
    Ok(())
}

/// Stores the sections of a file's clean text in the place of those before.
pub(super) fn write_sections(
    connection: &Connection,
    file_id: i64,
    sections: &[Section],
) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM sections WHERE file_id = ?1")?.execute([file_id])?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO sections(file_id, seq, level, label, anchor, start_index, end_index, locator)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for section in sections {
        insert.execute(params![
            file_id,
            section.seq as i64,
            section.level as i64,
            section.label,
            section.anchor,
            section.start as i64,
            section.end as i64,
            section.locator
        ])?;
    }
    Ok(())
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

/// Stores the chunks that are not there, and the places of all in the file; tells which no file had before.
pub(super) fn add_chunks(
    connection: &Connection,
    batch: Batch<'_>,
    chunks: &[ChunkRow],
    table: &mut Option<ChunkTable>,
    mut is_new: impl FnMut(&ChunkRow),
) -> rusqlite::Result<()> {
    let searched = has_search(connection)?;
    // Looked up once for all: the cache of statements hashes their text, which costs as much as a short insert.
    let mut insert = connection.prepare_cached(
        "INSERT INTO chunks(content_hash, content, estimated_tokens, tokenizer_model) VALUES(?1, ?2, ?3, ?4)",
    )?;
    let mut place = connection.prepare_cached(
        "INSERT INTO chunk_sources(chunk_id, file_id, start_index, end_index, chunking_strategy, source_start,
                                   source_end, source_exact, locator, heading_path, context)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    for chunk in chunks {
        let chunk_id = match find_chunk(connection, &chunk.hash, table)? {
            Some(id) => {
                recount(connection, id, batch.tokenizer, chunk)?;
                id
            }
            None => {
                let row = params![chunk.hash.to_hex(), chunk.content, chunk.tokens as i64, batch.tokenizer];
                let id = insert.insert(row)?;
                make_findable(connection, id, chunk, searched, table)?;
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

fn find_chunk(
    connection: &Connection,
    hash: &ContentHash,
    table: &Option<ChunkTable>,
) -> rusqlite::Result<Option<i64>> {
    let Some(table) = table else {
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

/// A chunk that another file still holds may be counted by the tokenizer of before.
fn recount(connection: &Connection, id: i64, tokenizer: &str, chunk: &ChunkRow) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE chunks SET estimated_tokens = ?2, tokenizer_model = ?3
             WHERE chunk_id = ?1 AND tokenizer_model <> ?3",
        )?
        .execute(params![id, chunk.tokens as i64, tokenizer])?;
    Ok(())
}

/// Enters a new chunk where its hash, and where its words are looked for.
fn make_findable(
    connection: &Connection,
    id: i64,
    chunk: &ChunkRow,
    searched: bool,
    table: &mut Option<ChunkTable>,
) -> rusqlite::Result<()> {
    if let Some(table) = table {
        table.insert(chunk.hash.prefix(), id);
    }
    if searched {
        unspaced::add(connection, id, &chunk.content)?;
    }
    if searched && table.is_none() {
        connection
            .prepare_cached("INSERT INTO chunks_fts(rowid, content) VALUES(?1, ?2)")?
            .execute(params![id, chunk.content])?;
    }
    Ok(())
}
