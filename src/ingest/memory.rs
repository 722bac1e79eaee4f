//! Shares of memory: how many children may run at once, and how much text may be on its way.

use std::sync::{Condvar, Mutex};

/// What the parent process needs for itself: page cache, dedup table, tokenizer, texts on their way.
const PARENT_SHARE: u64 = 256 << 20;

/// What one reader of structured formats may use.
pub(super) const WORKER_MEMORY: u64 = 128 << 20;

/// Memory that a run of `max_memory` bytes leaves to workers and converters, all together.
pub fn children_share(max_memory: u64) -> u64 {
    max_memory.saturating_sub(PARENT_SHARE.min(max_memory * 5 / 8)).max(64 << 20)
}

/// Hands out a fixed amount of something and makes those wait who come too late. A request larger than everything
/// gets everything.
pub(super) struct Gate {
    total: u64,
    left: Mutex<u64>,
    freed: Condvar,
}

/// What was handed out; goes back when dropped.
pub(super) struct Share<'g> {
    gate: &'g Gate,
    amount: u64,
}

impl Gate {
    pub fn new(total: u64) -> Gate {
        Gate { total, left: Mutex::new(total), freed: Condvar::new() }
    }

    pub fn enter(&self, amount: u64) -> Share<'_> {
        let amount = amount.min(self.total);
        let mut left = self.left.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        while *left < amount {
            left = self.freed.wait(left).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        *left -= amount;
        Share { gate: self, amount }
    }
}

impl Drop for Share<'_> {
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
        let gate = Gate::new(10);
        let first = gate.enter(6);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let _share = gate.enter(6);
            });
            assert!(!second.is_finished());
            drop(first);
        });
        let _everything = gate.enter(100);
    }
}
