//! Divides groups of files into shards of about equal cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The shard of each group. The dearest group goes first, each to the shard that has least so far: no shard has more than
/// 4/3 of what the best division would give it.
pub(super) fn balance(costs: &[u64], shards: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|group| (Reverse(costs[*group]), *group));
    let mut loads: BinaryHeap<Reverse<(u64, usize)>> = (0..shards).map(|shard| Reverse((0, shard))).collect();
    let mut chosen = vec![0; costs.len()];
    for group in order {
        let Some(Reverse((load, shard))) = loads.pop() else { break };
        chosen[group] = shard;
        loads.push(Reverse((load.saturating_add(costs[group]), shard)));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn loads(costs: &[u64], shards: usize) -> Vec<u64> {
        let mut loads = vec![0; shards];
        for (cost, shard) in costs.iter().zip(balance(costs, shards)) {
            loads[shard] += cost;
        }
        loads
    }

    #[test]
    fn the_dearest_go_first() {
        assert_eq!(balance(&[1, 9, 1, 5, 4], 2), [0, 0, 1, 1, 1]);
        assert_eq!(balance(&[], 3), [0; 0]);
        assert_eq!(balance(&[7, 7, 7], 1), [0, 0, 0]);
    }

    proptest! {
        #[test]
        fn no_shard_has_more_than_an_equal_part_and_one_group(
            costs in proptest::collection::vec(0..1000u64, 0..200),
            shards in 1..20usize,
        ) {
            let most = loads(&costs, shards).into_iter().max().unwrap_or(0);
            let bound = costs.iter().sum::<u64>() / shards as u64 + costs.iter().max().unwrap_or(&0) + 1;
            prop_assert!(most <= bound);
        }
    }
}
