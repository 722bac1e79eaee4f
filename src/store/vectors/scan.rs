//! The chunks whose vectors are nearest to a question: every vector is compared, so none is missed.
//!
//! The table is read as a stream; memory holds the best so far and nothing else.

use super::format::VectorFormat;
use super::similarity::Direction;
use crate::store::sql::{Queries, id_list};
use rusqlite::{Connection, Row, params};
use rustc_hash::FxHashSet;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// Up to this many chunks, their vectors are looked up one by one; for more, the table is read.
const MAX_LOOKED_UP: usize = 20_000;

/// The vector of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryVector {
    /// The model that made it.
    pub model: String,
    /// The text before each chunk of the vectors that it is compared with.
    pub prefix: String,
    /// Its numbers.
    pub numbers: Vec<f32>,
}

/// A chunk with its nearness.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) struct NearChunk {
    pub chunk_id: i64,
    pub cosine: f32,
}

/// The result of a scan.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::store) struct NearChunks {
    /// The nearest first, equal ones by the hash of their content.
    pub chunks: Vec<NearChunk>,
    /// Chunks that were compared.
    pub compared: usize,
}

/// The `limit` chunks nearest to a question, among all or among the given ones.
///
/// Cost: one pass over the vectors, those of other models included; for few given chunks one look-up each.
pub(in crate::store) fn nearest(
    connection: &Connection,
    question: &QueryVector,
    among: Option<&[i64]>,
    limit: usize,
) -> rusqlite::Result<NearChunks> {
    let orphans = orphans(connection, question)?;
    let mut best = BestVectors::new(question, limit.saturating_add(orphans));
    match among {
        Some(chunks) if chunks.len() <= MAX_LOOKED_UP => best.look_up(connection, question, chunks)?,
        Some(chunks) => {
            best.among = Some(prefixes(connection, chunks)?);
            best.scan(connection, question)?;
        }
        None => best.scan(connection, question)?,
    }
    let compared = best.compared;
    let mut chunks = best.chunks(connection)?;
    chunks.truncate(limit);
    let orphans = if among.is_none() { orphans } else { 0 };
    Ok(NearChunks { chunks, compared: compared.saturating_sub(orphans) })
}

/// Vectors of the question's set whose chunks are gone.
fn orphans(connection: &Connection, question: &QueryVector) -> rusqlite::Result<usize> {
    let sql = "SELECT count(*) FROM vector_orphans o JOIN vectors v ON v.content_hash = o.content_hash
                 AND v.model = ?1 AND v.dimensions = ?2 AND v.prefix = ?3
               WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.content_hash = o.content_hash)";
    let values = params![question.model, question.numbers.len() as i64, question.prefix];
    connection.one(sql, values, |row| Ok(row.get::<_, i64>(0)? as usize))
}

/// The first 64 bits of the hashes of chunks.
fn prefixes(connection: &Connection, chunks: &[i64]) -> rusqlite::Result<FxHashSet<u64>> {
    let sql = "SELECT c.content_hash FROM json_each(?1) j CROSS JOIN chunks c ON c.chunk_id = j.value";
    let mut found = FxHashSet::default();
    connection.each(sql, [id_list(chunks.iter().copied())], |row| {
        found.extend(prefix(row.get_ref(0)?.as_str()?));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(found)
}

fn prefix(hash: &str) -> Option<u64> {
    u64::from_str_radix(hash.get(..16)?, 16).ok()
}

/// A vector with its nearness; a larger one is nearer.
#[derive(Debug, PartialEq)]
struct NearVector {
    cosine: f32,
    content_hash: Reverse<String>,
}

impl Eq for NearVector {}

impl Ord for NearVector {
    fn cmp(&self, other: &NearVector) -> Ordering {
        self.cosine.total_cmp(&other.cosine).then_with(|| self.content_hash.cmp(&other.content_hash))
    }
}

impl PartialOrd for NearVector {
    fn partial_cmp(&self, other: &NearVector) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The nearest vectors so far.
struct BestVectors {
    direction: Direction,
    limit: usize,
    /// The farthest of them on top.
    heap: BinaryHeap<Reverse<NearVector>>,
    among: Option<FxHashSet<u64>>,
    compared: usize,
}

impl BestVectors {
    fn new(question: &QueryVector, limit: usize) -> BestVectors {
        let direction = Direction::of(&question.numbers);
        BestVectors { direction, limit, heap: BinaryHeap::new(), among: None, compared: 0 }
    }

    /// Compares every vector of the set. The plus signs keep SQLite from looking vectors up in the order of an index.
    fn scan(&mut self, connection: &Connection, question: &QueryVector) -> rusqlite::Result<()> {
        let sql = "SELECT content_hash, format, vector FROM vectors
                   WHERE +model = ?1 AND +dimensions = ?2 AND +prefix = ?3";
        let values = params![question.model, question.numbers.len() as i64, question.prefix];
        connection.each(sql, values, |row| self.visit(row))
    }

    fn look_up(
        &mut self,
        connection: &Connection,
        question: &QueryVector,
        chunks: &[i64],
    ) -> rusqlite::Result<()> {
        let sql = "SELECT v.content_hash, v.format, v.vector
                   FROM json_each(?4) j CROSS JOIN chunks c ON c.chunk_id = j.value
                   CROSS JOIN vectors v ON v.content_hash = c.content_hash
                     AND v.model = ?1 AND v.dimensions = ?2 AND v.prefix = ?3";
        let (dimensions, list) = (question.numbers.len() as i64, id_list(chunks.iter().copied()));
        let values = params![question.model, dimensions, question.prefix, list];
        connection.each(sql, values, |row| self.visit(row))
    }

    fn visit(&mut self, row: &Row<'_>) -> rusqlite::Result<ControlFlow<()>> {
        let content_hash = row.get_ref(0)?.as_str()?;
        if let Some(among) = &self.among
            && !prefix(content_hash).is_some_and(|prefix| among.contains(&prefix))
        {
            return Ok(ControlFlow::Continue(()));
        }
        let format: VectorFormat = row.get(1)?;
        if let Some(cosine) = self.direction.cosine(format, row.get_ref(2)?.as_blob()?) {
            self.compared += 1;
            self.add(cosine, content_hash);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn add(&mut self, cosine: f32, content_hash: &str) {
        let is_full = self.heap.len() >= self.limit;
        if is_full && self.heap.peek().is_none_or(|Reverse(farthest)| cosine < farthest.cosine) {
            return;
        }
        self.heap.push(Reverse(NearVector { cosine, content_hash: Reverse(content_hash.to_owned()) }));
        if is_full {
            self.heap.pop();
        }
    }

    /// The chunks of the nearest vectors, without those that are gone.
    fn chunks(self, connection: &Connection) -> rusqlite::Result<Vec<NearChunk>> {
        let sql = "SELECT chunk_id FROM chunks WHERE content_hash = ?1";
        let mut found = Vec::new();
        for Reverse(near) in self.heap.into_sorted_vec() {
            let Reverse(hash) = near.content_hash;
            if let Some(chunk_id) = connection.first(sql, [hash], |row| row.get(0))? {
                found.push(NearChunk { chunk_id, cosine: near.cosine });
            }
        }
        Ok(found)
    }
}
