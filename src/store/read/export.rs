//! Every chunk with its places, in a fixed order.

use crate::store::places::{ChunkPlace, places_of};
use crate::store::sql::{Queries, offset};
use rusqlite::{Connection, Row};
use serde::Serialize;

/// A chunk as `export` writes it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExportRow {
    /// Its public name.
    pub content_hash: String,
    /// Its text.
    pub content: String,
    /// Its exact token count.
    pub tokens: usize,
    /// The encoding in which it was counted.
    pub tokenizer: String,
    /// Every place, by path.
    pub sources: Vec<ChunkPlace>,
}

/// How many chunks have their places read at once.
const EXPORT_BATCH: usize = 256;

/// Passes every chunk once to `each`, sorted by its first place: root, path, position; `each` returns false to stop.
pub(super) fn export(
    connection: &Connection,
    each: &mut dyn FnMut(ExportRow) -> bool,
) -> rusqlite::Result<()> {
    let content =
        "SELECT content_hash, content, estimated_tokens, tokenizer_model FROM chunks WHERE chunk_id = ?1";
    let mut statement = connection.prepare(
        "SELECT s.chunk_id, min(r.root_id || char(9) || f.relative_path || char(9) || printf('%015d', s.start_index))
         FROM chunk_sources s JOIN files f USING(file_id) JOIN roots r USING(root_id)
         GROUP BY s.chunk_id ORDER BY 2",
    )?;
    let mut ids = statement.query_map([], |row| row.get::<_, i64>(0))?;
    loop {
        let batch = ids.by_ref().take(EXPORT_BATCH).collect::<rusqlite::Result<Vec<i64>>>()?;
        if batch.is_empty() {
            return Ok(());
        }
        let row = |id: i64| connection.one(content, [id], |row| Ok((id, export_row(row)?)));
        let rows = batch.into_iter().map(row).collect::<rusqlite::Result<Vec<(i64, ExportRow)>>>()?;
        let chunks: Vec<(i64, &str)> =
            rows.iter().map(|(id, row)| (*id, row.content_hash.as_str())).collect();
        let mut places = places_of(connection, &chunks)?;
        for (chunk_id, row) in rows {
            let sources = places.remove(&chunk_id).unwrap_or_default();
            if !each(ExportRow { sources, ..row }) {
                return Ok(());
            }
        }
    }
}

fn export_row(row: &Row<'_>) -> rusqlite::Result<ExportRow> {
    Ok(ExportRow {
        content_hash: row.get(0)?,
        content: row.get(1)?,
        tokens: offset(row, 2)?,
        tokenizer: row.get(3)?,
        sources: Vec::new(),
    })
}
