//! The stored chunks by hash, during a large load.
//!
//! While the unique index on hashes is dropped, this table answers for it: open addressing over the first 64 bits of
//! each hash, 12 bytes a slot, so that five million chunks fit into 100 MiB. A hit must be verified against the row.

/// 2^23 slots of 12 bytes stay within the memory that the table may take (128 MiB).
const MAX_SLOTS: usize = 1 << 23;

/// Maps the first 64 bits of a hash to the ids of the chunks whose hash starts with them.
#[derive(Debug, Clone)]
pub(crate) struct ChunkHashTable {
    keys: Vec<u64>,
    ids: Vec<u32>,
    used: usize,
}

/// The id of a slot that was never used.
const FREE: u32 = 0;
/// The id of a slot whose chunk was removed; searches go on past it.
const GONE: u32 = u32::MAX;

impl ChunkHashTable {
    /// An empty table.
    pub fn new() -> ChunkHashTable {
        ChunkHashTable { keys: vec![0; 1024], ids: vec![FREE; 1024], used: 0 }
    }

    /// True when adding `coming` chunks would exceed the memory limit of the table.
    pub fn is_full(&self, coming: usize) -> bool {
        (self.used + coming) * 4 >= MAX_SLOTS * 3
    }

    /// The ids of all chunks whose hash begins with `prefix`: usually one or zero, very rarely several.
    pub fn candidates(&self, prefix: u64) -> impl Iterator<Item = i64> + '_ {
        let mask = self.keys.len() - 1;
        let start = slot(prefix, mask);
        (0..self.keys.len())
            .map(move |step| (start + step) & mask)
            .take_while(|&at| self.ids[at] != FREE)
            .filter(move |&at| self.keys[at] == prefix && self.ids[at] != GONE)
            .map(|at| i64::from(self.ids[at]))
    }

    /// Adds a chunk that is not in the table. Ids are positive, and far below `u32::MAX`, because a load begins with an
    /// empty table.
    pub fn insert(&mut self, prefix: u64, id: i64) {
        if (self.used + 1) * 4 > self.keys.len() * 3 && self.keys.len() < MAX_SLOTS {
            self.grow();
        }
        self.place(prefix, id as u32);
    }

    /// Removes a chunk.
    pub fn remove(&mut self, prefix: u64, id: i64) {
        let mask = self.keys.len() - 1;
        let mut at = slot(prefix, mask);
        while self.ids[at] != FREE {
            if self.keys[at] == prefix && i64::from(self.ids[at]) == id {
                self.ids[at] = GONE;
                return;
            }
            at = (at + 1) & mask;
        }
    }

    fn place(&mut self, prefix: u64, id: u32) {
        let mask = self.keys.len() - 1;
        let mut at = slot(prefix, mask);
        while self.ids[at] != FREE {
            at = (at + 1) & mask;
        }
        self.keys[at] = prefix;
        self.ids[at] = id;
        self.used += 1;
    }

    fn grow(&mut self) {
        let size = self.keys.len() * 2;
        let keys = std::mem::replace(&mut self.keys, vec![0; size]);
        let ids = std::mem::replace(&mut self.ids, vec![FREE; size]);
        self.used = 0;
        for (key, id) in keys.into_iter().zip(ids) {
            if id != FREE && id != GONE {
                self.place(key, id);
            }
        }
    }
}

impl Default for ChunkHashTable {
    fn default() -> ChunkHashTable {
        ChunkHashTable::new()
    }
}

/// Hashes are already uniform, so their low bits choose the slot.
fn slot(prefix: u64, mask: usize) -> usize {
    prefix as usize & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_chunks_are_found_and_removed_ones_are_not() {
        let mut table = ChunkHashTable::new();
        for id in 1..=5000_i64 {
            table.insert((id as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15), id);
        }
        table.insert(7, 6000);
        table.insert(7, 6001);
        assert_eq!(table.candidates(7).collect::<Vec<_>>(), [6000, 6001]);
        table.remove(7, 6000);
        assert_eq!(table.candidates(7).collect::<Vec<_>>(), [6001]);
        for id in 1..=5000_i64 {
            let prefix = (id as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            assert_eq!(table.candidates(prefix).collect::<Vec<_>>(), [id]);
        }
        assert_eq!(table.candidates(8).count(), 0);
    }

    #[test]
    fn a_table_is_full_at_three_quarters_of_its_slots() {
        let mut table = ChunkHashTable::new();
        let most = MAX_SLOTS / 4 * 3;
        assert!(!table.is_full(most - 1) && table.is_full(most));
        table.insert(1, 1);
        assert!(!table.is_full(most - 2) && table.is_full(most - 1));
    }

    #[test]
    fn a_table_grows_and_forgets_what_was_removed() {
        let mut table = ChunkHashTable::new();
        (1..=768).for_each(|id| table.insert(id as u64, id));
        assert_eq!(table.keys.len(), 1024);
        table.remove(5, 5);
        table.remove(6, 7);
        table.insert(1_000_000, 769);
        assert_eq!((table.keys.len(), table.used), (2048, 768));
        assert_eq!((table.candidates(5).count(), table.candidates(6).count()), (0, 1));
    }
}
