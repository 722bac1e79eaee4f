//! Two orders of chunks as one.
//!
//! Reciprocal rank fusion (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual
//! Rank Learning Methods", 2009): a chunk gets 1 / (60 + rank) from each order that has it. Ranks alone count, because
//! BM25 and cosines have no common scale.

use super::ranked::RankedChunk;
use rustc_hash::FxHashMap;

/// The constant of the formula, as in the paper: how little the first ranks differ.
const RANK_OFFSET: f64 = 60.0;

/// The chunks of several orders, those with the most from all of them first.
pub(super) fn fused(orders: &[&[RankedChunk]]) -> Vec<RankedChunk> {
    let mut scores: FxHashMap<i64, f64> = FxHashMap::default();
    for order in orders {
        for (at, chunk) in order.iter().enumerate() {
            // Ranks begin with 1.
            *scores.entry(chunk.chunk_id).or_default() += 1.0 / (RANK_OFFSET + at as f64 + 1.0);
        }
    }
    scores.into_iter().map(|(chunk_id, score)| RankedChunk { chunk_id, score }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_orders_have_comes_first() {
        let order = |ids: &[i64]| -> Vec<RankedChunk> {
            ids.iter().map(|id| RankedChunk { chunk_id: *id, score: 0.0 }).collect()
        };
        let mut found = fused(&[&order(&[1, 2, 3]), &order(&[4, 3])]);
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk_id.cmp(&b.chunk_id)));
        let ids: Vec<i64> = found.iter().map(|found| found.chunk_id).collect();
        assert_eq!(ids, [3, 1, 4, 2]);
        assert_eq!(found[0].score, 1.0 / 63.0 + 1.0 / 62.0);
    }
}
