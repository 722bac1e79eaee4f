//! Rows of chunks and of their places, many to a statement: starting and ending a statement costs about as much as a row.

use crate::store::rows::place_columns::{PlaceColumns, place_columns};
use crate::store::write::binder::Binder;
use pensieve_text::model::ContentHash;
use rusqlite::Connection;
use rusqlite::types::ToSqlOutput;
use std::sync::LazyLock;

/// Rows that are written together at most; a power of two.
pub(super) const GROUP_ROWS: usize = 16;

/// How many powers of two there are up to [`GROUP_ROWS`].
const WIDTHS: usize = GROUP_ROWS.ilog2() as usize + 1;

/// `OR FAIL`, and no id: else SQLite keeps a copy of every page that a statement with several rows changes, to revert the
/// statement alone. A failure ends the whole transaction.
static CHUNKS: LazyLock<[String; WIDTHS]> =
    LazyLock::new(|| statements("chunks", "content_hash, content, estimated_tokens, tokenizer_model"));
static PLACES: LazyLock<[String; WIDTHS]> = LazyLock::new(|| {
    let columns = concat!("s.chunk_id, s.file_id, s.chunking_strategy, ", place_columns!());
    statements("chunk_sources", &columns.replace("s.", ""))
});

/// The statements for 1, 2, 4 and so on rows of a table.
fn statements(table: &str, columns: &str) -> [String; WIDTHS] {
    let row = format!("({})", vec!["?"; columns.split(',').count()].join(", "));
    std::array::from_fn(|width| {
        let rows = vec![row.as_str(); 1 << width].join(", ");
        format!("INSERT OR FAIL INTO {table}({columns}) VALUES{rows}")
    })
}

/// One chunk with its place in the file.
#[derive(Debug, Clone)]
pub struct ChunkRow {
    /// SHA-256 of the content.
    pub hash: ContentHash,
    /// Its text.
    pub content: String,
    /// Its exact token count.
    pub tokens: usize,
    /// Where it is, and what belongs to it there.
    pub place: PlaceColumns,
}

/// The properties that all chunks of one call share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChunkBatch<'b> {
    /// The file that they belong to.
    pub file_id: i64,
    /// The chunking strategy.
    pub strategy: &'b str,
    /// The tokenizer.
    pub tokenizer: &'b str,
}

/// A chunk of a file, on its way into the tables.
pub(crate) struct PlacedChunk {
    /// The id of its row.
    pub chunk_id: i64,
    /// False if another place has stored its content.
    pub is_new: bool,
    pub chunk: ChunkRow,
}

/// Writes the rows of new chunks, whose ids are the next ones.
pub(super) fn insert_chunks(
    connection: &Connection,
    batch: ChunkBatch<'_>,
    chunks: &[PlacedChunk],
) -> rusqlite::Result<()> {
    let new: Vec<&PlacedChunk> = chunks.iter().filter(|placed| placed.is_new).collect();
    in_groups(connection, &CHUNKS, &new, |bind, placed| {
        bind.add(placed.chunk.hash.to_hex())?;
        bind.add(&placed.chunk.content)?;
        bind.add(placed.chunk.tokens as i64)?;
        bind.add(batch.tokenizer)
    })?;
    debug_assert!(new.last().is_none_or(|last| last.chunk_id == connection.last_insert_rowid()));
    Ok(())
}

/// Writes the places of chunks, which have rows.
pub(super) fn insert_places(
    connection: &Connection,
    batch: ChunkBatch<'_>,
    chunks: &[PlacedChunk],
) -> rusqlite::Result<()> {
    in_groups(connection, &PLACES, chunks, |bind, placed| {
        bind.add(placed.chunk_id)?;
        bind.add(batch.file_id)?;
        bind.add(batch.strategy)?;
        placed.chunk.place.values().into_iter().try_for_each(|value| bind.add(ToSqlOutput::Borrowed(value)))
    })
}

/// Divides rows into groups of powers of two, and executes the statement for each group.
fn in_groups<T>(
    connection: &Connection,
    statements: &[String; WIDTHS],
    mut rows: &[T],
    bind_row: impl Fn(&mut Binder<'_, '_>, &T) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    while !rows.is_empty() {
        let width = rows.len().min(GROUP_ROWS).ilog2();
        let (group, after) = rows.split_at(1 << width);
        let mut statement = connection.prepare_cached(&statements[width as usize])?;
        let mut binder = Binder::new(&mut statement);
        group.iter().try_for_each(|row| bind_row(&mut binder, row))?;
        statement.raw_execute()?;
        rows = after;
    }
    Ok(())
}
