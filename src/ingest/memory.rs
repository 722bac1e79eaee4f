//! Memory budgets: how many child processes may run at once, and how much text may be in flight.

use std::sync::{Condvar, Mutex};

/// Memory of the parent process itself, in bytes: page cache, dedup table, tokenizer, texts in flight.
const PARENT_SHARE: u64 = 256 << 20;

/// Memory limit of one worker, in bytes.
pub(super) const WORKER_MEMORY: u64 = 128 << 20;

/// The part of `max_memory` that workers and converters may use together.
pub fn children_share(max_memory: u64) -> u64 {
    max_memory.saturating_sub(PARENT_SHARE.min(max_memory * 5 / 8)).max(64 << 20)
}

/// How many workers run at once beside this many reading threads, and the memory of each in bytes.
pub fn workers(max_memory: u64, threads: usize) -> (usize, u64) {
    let share = children_share(max_memory);
    ((share / WORKER_MEMORY).clamp(1, threads as u64) as usize, WORKER_MEMORY.min(share))
}

/// A fixed number of bytes; a request for more than is left waits. A request larger than the whole budget gets the
/// whole budget.
pub(super) struct MemoryBudget {
    total: u64,
    left: Mutex<u64>,
    freed: Condvar,
}

/// Bytes of a budget, returned on drop.
pub(super) struct MemoryPermit<'g> {
    budget: &'g MemoryBudget,
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
        MemoryPermit { budget: self, amount }
    }
}

impl Drop for MemoryPermit<'_> {
    fn drop(&mut self) {
        let mut left = self.budget.left.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *left += self.amount;
        self.budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_waits() {
        let budget = MemoryBudget::new(10);
        let first = budget.acquire(6);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let _share = budget.acquire(6);
            });
            assert!(!second.is_finished());
            drop(first);
        });
        let _everything = budget.acquire(100);
    }
}
