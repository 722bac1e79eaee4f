//! A chunk with its rank.

use rusqlite::Row;

/// A chunk and its rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RankedChunk {
    pub chunk_id: i64,
    /// The rank, larger is better: BM25, for a question with what its ranking adds.
    pub score: f64,
}

impl RankedChunk {
    /// Reads a row of id and score.
    pub fn read(row: &Row<'_>) -> rusqlite::Result<RankedChunk> {
        Ok(RankedChunk { chunk_id: row.get(0)?, score: row.get(1)? })
    }
}
