//! The chunks whose vectors are nearest to a question: every vector is compared, so none is missed.
//!
//! The table is read as a stream; memory holds the best so far and nothing else.

use super::format::VectorFormat;
use super::similarity::Direction;
use crate::store::rows::sql::Queries;
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

/// The chunks whose vectors are compared.
#[derive(Debug)]
pub(crate) enum ComparedChunks {
    All,
    /// Those with these hashes, which are looked up one by one.
    Few(Vec<String>),
    /// Those with these [`hash_prefix`]es, for which the whole table is read.
    Many(FxHashSet<u64>),
}

/// A chunk with its nearness.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NearChunk {
    pub content_hash: String,
    pub cosine: f32,
}

/// The result of a scan.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct NearChunks {
    /// The nearest first, equal ones by the hash of their content.
    pub chunks: Vec<NearChunk>,
    /// Chunks that were compared.
    pub compared: usize,
}

impl ComparedChunks {
    /// The chunks with the hashes that `each_hash` passes on, `count` of them.
    pub fn of<E>(
        count: usize,
        each_hash: impl FnOnce(&mut dyn FnMut(&str)) -> Result<(), E>,
    ) -> Result<ComparedChunks, E> {
        if count <= MAX_LOOKED_UP {
            let mut hashes = Vec::with_capacity(count);
            each_hash(&mut |hash| hashes.push(hash.to_owned()))?;
            return Ok(ComparedChunks::Few(hashes));
        }
        let mut prefixes = FxHashSet::default();
        each_hash(&mut |hash| prefixes.extend(hash_prefix(hash)))?;
        Ok(ComparedChunks::Many(prefixes))
    }
}

/// The `limit` chunks nearest to a question.
///
/// Cost: one pass over the vectors, those of other models included; for few given chunks one look-up each.
pub(crate) fn nearest(
    connection: &Connection,
    question: &QueryVector,
    among: &ComparedChunks,
    limit: usize,
) -> rusqlite::Result<NearChunks> {
    let gone = orphans(connection, question)?.iter().filter_map(|hash| hash_prefix(hash)).collect();
    let mut best = BestVectors::new(gone, question, among, limit);
    match among {
        ComparedChunks::Few(hashes) => best.look_up(connection, question, hashes)?,
        ComparedChunks::All | ComparedChunks::Many(_) => best.scan(connection, question)?,
    }
    Ok(best.found())
}

/// The hashes of the vectors of the question's set whose chunks are gone.
fn orphans(connection: &Connection, question: &QueryVector) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT o.content_hash FROM vector_orphans o JOIN vectors v ON v.content_hash = o.content_hash
                 AND v.model = ?1 AND v.dimensions = ?2 AND v.prefix = ?3
               WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.content_hash = o.content_hash)";
    let values = params![question.model, question.numbers.len() as i64, question.prefix];
    connection.rows(sql, values, |row| row.get(0))
}

/// The first 64 bits of the hash of a chunk.
fn hash_prefix(hash: &str) -> Option<u64> {
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
struct BestVectors<'v> {
    /// Chunks that are gone, by [`hash_prefix`].
    gone: FxHashSet<u64>,
    among: Option<&'v FxHashSet<u64>>,
    direction: Direction,
    limit: usize,
    /// The farthest of them on top.
    heap: BinaryHeap<Reverse<NearVector>>,
    compared: usize,
}

impl<'v> BestVectors<'v> {
    fn new(
        gone: FxHashSet<u64>,
        question: &QueryVector,
        among: &'v ComparedChunks,
        limit: usize,
    ) -> BestVectors<'v> {
        let among = match among {
            ComparedChunks::Many(prefixes) => Some(prefixes),
            ComparedChunks::All | ComparedChunks::Few(_) => None,
        };
        let direction = Direction::of(&question.numbers);
        BestVectors { gone, among, direction, limit, heap: BinaryHeap::new(), compared: 0 }
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
        hashes: &[String],
    ) -> rusqlite::Result<()> {
        let sql = "SELECT content_hash, format, vector FROM vectors
                   WHERE content_hash = ?1 AND model = ?2 AND dimensions = ?3 AND prefix = ?4";
        let dimensions = question.numbers.len() as i64;
        for hash in hashes {
            let values = params![hash, question.model, dimensions, question.prefix];
            connection.each(sql, values, |row| self.visit(row))?;
        }
        Ok(())
    }

    fn visit(&mut self, row: &Row<'_>) -> rusqlite::Result<ControlFlow<()>> {
        let content_hash = row.get_ref(0)?.as_str()?;
        if !self.is_wanted(content_hash) {
            return Ok(ControlFlow::Continue(()));
        }
        let format: VectorFormat = row.get(1)?;
        if let Some(cosine) = self.direction.cosine(format, row.get_ref(2)?.as_blob()?) {
            self.compared += 1;
            self.add(cosine, content_hash);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn is_wanted(&self, content_hash: &str) -> bool {
        if self.among.is_none() && self.gone.is_empty() {
            return true;
        }
        let Some(prefix) = hash_prefix(content_hash) else { return false };
        self.among.is_none_or(|among| among.contains(&prefix)) && !self.gone.contains(&prefix)
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

    fn found(self) -> NearChunks {
        let nearest = self.heap.into_sorted_vec().into_iter();
        let chunk = |Reverse(near): Reverse<NearVector>| {
            let Reverse(content_hash) = near.content_hash;
            NearChunk { content_hash, cosine: near.cosine }
        };
        NearChunks { chunks: nearest.map(chunk).collect(), compared: self.compared }
    }
}
