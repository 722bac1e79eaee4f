//! Lines at the ends of documents that many documents of one kind have.

use super::{HeldEdges, LedgerChanges, LedgerWork, MEMORY_BYTES};
use crate::store::{BoilerplateRow, StoreError};
use pensieve_text::text::repetition::{EdgeLines, LineKey, WordList};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// An allowance for the counts of one line, in bytes: a table that has just grown is half empty.
const BYTES_FOR_LINE: usize = 40;

/// Lines by what they are now, and by whether they were something else before.
#[derive(Default)]
struct CountedLines {
    /// Lines that are boilerplate.
    recurring: FxHashSet<LineKey>,
    /// Lines that have become boilerplate, or are it no longer.
    turned: FxHashSet<LineKey>,
}

impl LedgerWork<'_> {
    /// Finds the boilerplate of changed documents, and of those with a line that is boilerplate now or no longer; false if the user
    /// has stopped it.
    ///
    /// Cost: the texts of documents that have boilerplate and are not among `edges` are read once more.
    pub(super) fn compare_lines(
        &self,
        changes: &LedgerChanges,
        edges: &HeldEdges,
    ) -> Result<bool, StoreError> {
        let (ranks, lines) = (self.ranks()?, self.count_lines(changes)?);
        let (mut targets, mut without) = (Vec::new(), Vec::new());
        self.table.each_lines(&mut |file_id, keys| {
            let Some(&rank) = ranks.get(&file_id) else { return };
            let keys: Vec<LineKey> = keys.collect();
            match keys.iter().any(|key| lines.recurring.contains(key)) {
                _ if !changes.is_changed[rank as usize]
                    && !keys.iter().any(|key| lines.turned.contains(key)) => {}
                true => targets.push(rank),
                false => without.push(file_id),
            }
        })?;
        targets.sort_unstable();
        without.into_iter().try_for_each(|file_id| self.table.write_boilerplate(file_id, &[]))?;
        let write = |rank: u32, edges: &EdgeLines| {
            let document = &self.documents[rank as usize];
            let blocks = edges.blocks(document.kind, &|key| lines.recurring.contains(&key)).into_iter();
            let row = |(bytes, hash): (Range<usize>, u64)| BoilerplateRow {
                start: bytes.start,
                end: bytes.end,
                hash: hash as i64,
            };
            self.table.write_boilerplate(document.file_id, &blocks.map(row).collect::<Vec<_>>())
        };
        let (held, others): (Vec<u32>, Vec<u32>) =
            targets.into_iter().partition(|rank| edges.contains_key(rank));
        held.into_iter().try_for_each(|rank| write(rank, &edges[&rank]))?;
        self.map_texts(
            &others,
            |text| EdgeLines::of(text, &WordList::of(text)),
            |rank, edges| write(rank, &edges),
        )
    }

    /// Counts the documents of all lines, now and before.
    fn count_lines(&self, changes: &LedgerChanges) -> Result<CountedLines, StoreError> {
        let ranks = self.ranks()?;
        let mut all = 0;
        self.table.each_lines(&mut |_, keys| all += keys.count())?;
        let passes = (all * BYTES_FOR_LINE).div_ceil(MEMORY_BYTES / 2).max(1) as u64;
        let mut lines = CountedLines::default();
        for pass in 0..passes {
            let mut counts: FxHashMap<LineKey, (u32, u32)> = FxHashMap::default();
            let is_counted = |key: &LineKey| key.0 % passes == pass;
            self.table.each_lines(&mut |file_id, keys| {
                let is_changed = ranks.get(&file_id).is_none_or(|rank| changes.is_changed[*rank as usize]);
                for key in keys.filter(is_counted) {
                    let (now, before) = counts.entry(key).or_default();
                    *now += 1;
                    *before += u32::from(!is_changed);
                }
            })?;
            for key in changes.former.iter().flat_map(|sketch| &sketch.lines).filter(|key| is_counted(key)) {
                counts.entry(*key).or_default().1 += 1;
            }
            for (key, (now, before)) in counts {
                let is_recurring = now >= self.boilerplate;
                if is_recurring {
                    lines.recurring.insert(key);
                }
                if is_recurring != (before >= self.boilerplate) {
                    lines.turned.insert(key);
                }
            }
        }
        Ok(lines)
    }
}
