//! Memory budgets: how many child processes may run at once, and how much text may be in flight.

use std::sync::{Condvar, Mutex};

/// What the parent process needs for itself: page cache, dedup table, tokenizer, texts on their way.
const PARENT_SHARE: u64 = 256 << 20;

/// What one reader of structured formats may use.
pub(super) const WORKER_MEMORY: u64 = 128 << 20;

/// Memory that a run of `max_memory` bytes leaves to workers and converters, all together.
pub fn children_share(max_memory: u64) -> u64 {
    max_memory.saturating_sub(PARENT_SHARE.min(max_memory * 5 / 8)).max(64 << 20)
}

/// A fixed number of bytes; who asks for more than is left waits. A request larger than the whole gets the whole.
pub(super) struct MemoryBudget {
    total: u64,
    left: Mutex<u64>,
    freed: Condvar,
}

/// Bytes of a budget; given back when dropped.
pub(super) struct MemoryPermit<'g> {
    gate: &'g MemoryBudget,
    amount: u64,
}

impl MemoryBudget {
    pub fn new(total: u64) -> MemoryBudget {
        MemoryBudget { total, left: Mutex::new(total), freed: Condvar::new() }
    }

    pub fn acquire(&self, amount: u64) -> MemoryPermit<'_> {
        let amount = amount.min(self.total);
        let mut left = self.left.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        while *left < amount {
            left = self.freed.wait(left).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        *left -= amount;
        MemoryPermit { gate: self, amount }
    }
}

impl Drop for MemoryPermit<'_> {
    fn drop(&mut self) {
        let mut left = self.gate.left.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *left += self.amount;
        self.gate.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_waits() {
        let gate = MemoryBudget::new(10);
        let first = gate.acquire(6);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let _share = gate.acquire(6);
            });
            assert!(!second.is_finished());
            drop(first);
        });
        let _everything = gate.acquire(100);
    }
}
