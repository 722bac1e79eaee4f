//! Every chunk with its places, in a fixed order.

use crate::store::places::chunk_place::{ChunkPlace, places_of, print_places};
use crate::store::places::repetition::PlaceRepetition;
use crate::store::rows::sql::{Queries, offset};
use crate::store::vectors::{VectorModel, print_vector, stored_vector};
use rusqlite::{Connection, Row};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A chunk as `export` writes it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExportRow {
    /// Its public name.
    pub content_hash: String,
    /// Its text, printed as `content` and, as in Parquet files, `text`.
    #[serde(flatten, serialize_with = "print_content")]
    pub content: String,
    /// Its exact token count.
    pub tokens: usize,
    /// The encoding in which it was counted.
    pub tokenizer: String,
    /// Its vector, where it is asked for and stored.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "print_vector")]
    pub vector: Option<Vec<f32>>,
    /// What earlier documents have of it, at the place where that is least; where a ledger of repetition is kept.
    #[serde(flatten)]
    pub repetition: Option<PlaceRepetition>,
    /// One divided by the number of documents that are nearly equal to its own and to each other, where it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// The bytes of the chunk that are left, first and after the last, where sentences that repeat were cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<Vec<(usize, usize)>>,
    /// Every place, by path.
    #[serde(serialize_with = "print_places")]
    pub sources: Vec<ChunkPlace>,
}

fn print_content<S: Serializer>(content: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("content", content)?;
    map.serialize_entry("text", content)?;
    map.end()
}

/// How many chunks have their places read at once.
const EXPORT_BATCH: usize = 256;

/// Every chunk with its first place, in that order: root, path, position.
const CHUNKS_BY_PLACE: &str =
    "SELECT s.chunk_id, min(printf('%010d', r.root_id) || char(9) || f.relative_path || char(9)
                             || printf('%015d%015d', s.start_index, s.end_index))
         FROM chunk_sources s JOIN files f USING(file_id) JOIN roots r USING(root_id)
         GROUP BY s.chunk_id ORDER BY 2";

const CONTENT: &str =
    "SELECT content_hash, content, estimated_tokens, tokenizer_model FROM chunks WHERE chunk_id = ?1";

/// Passes every chunk once to `each`, sorted by its first place: root, path, position; `each` returns false to stop.
pub(super) fn export(
    connection: &Connection,
    vectors: Option<&VectorModel>,
    each: &mut dyn FnMut(ExportRow) -> bool,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(CHUNKS_BY_PLACE)?;
    let mut ids = statement.query_map([], |row| row.get::<_, i64>(0))?;
    loop {
        let batch = ids.by_ref().take(EXPORT_BATCH).collect::<rusqlite::Result<Vec<i64>>>()?;
        if batch.is_empty() {
            return Ok(());
        }
        let row = |id: i64| Ok((id, content_row(connection, id)?));
        let rows = batch.into_iter().map(row).collect::<rusqlite::Result<Vec<(i64, ExportRow)>>>()?;
        let chunks: Vec<(i64, &str)> =
            rows.iter().map(|(id, row)| (*id, row.content_hash.as_str())).collect();
        let mut places = places_of(connection, &chunks)?;
        for (chunk_id, row) in rows {
            let sources = places.remove(&chunk_id).unwrap_or_default();
            let vector = vectors.map(|model| stored_vector(connection, &row.content_hash, model));
            let repetition = least_repeated(&sources).and_then(|place| place.repetition.clone());
            if !each(ExportRow { sources, repetition, vector: vector.transpose()?.flatten(), ..row }) {
                return Ok(());
            }
        }
    }
}

/// The place where a chunk repeats least, where a ledger is kept.
pub fn least_repeated(places: &[ChunkPlace]) -> Option<&ChunkPlace> {
    let share = |place: &ChunkPlace| place.repetition.as_ref().map_or(1.0, |entry| entry.repeats);
    places.iter().min_by(|left, right| share(left).total_cmp(&share(right)))
}

/// A chunk without its places and its vector.
fn content_row(connection: &Connection, chunk_id: i64) -> rusqlite::Result<ExportRow> {
    connection.one(CONTENT, [chunk_id], export_row)
}

fn export_row(row: &Row<'_>) -> rusqlite::Result<ExportRow> {
    Ok(ExportRow {
        content_hash: row.get(0)?,
        content: row.get(1)?,
        tokens: offset(row, 2)?,
        tokenizer: row.get(3)?,
        vector: None,
        repetition: None,
        weight: None,
        kept: None,
        sources: Vec::new(),
    })
}
