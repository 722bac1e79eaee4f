//! When a run is due after changes: soon after the last one, and not much later than the first one.

use std::time::{Duration, Instant};

/// Gathers changes that follow each other closely. It has no clock of its own.
#[derive(Debug)]
pub(super) struct Debouncer {
    quiet: Duration,
    longest: Duration,
    /// The first and the last change that no run has looked at.
    waiting: Option<(Instant, Instant)>,
}

impl Debouncer {
    /// A run is due when nothing has changed for `quiet`, or `longest` after the first change if changes never end.
    pub fn new(quiet: Duration, longest: Duration) -> Debouncer {
        Debouncer { quiet, longest, waiting: None }
    }

    /// Notes a change at this moment.
    pub fn note(&mut self, now: Instant) {
        let first = self.waiting.map_or(now, |(first, _)| first);
        self.waiting = Some((first, now));
    }

    /// When the next run is due; `None` if nothing has changed.
    pub fn due(&self) -> Option<Instant> {
        self.waiting.map(|(first, last)| (last + self.quiet).min(first + self.longest))
    }

    /// True if a run is due now; what was noted is forgotten then.
    pub fn take(&mut self, now: Instant) -> bool {
        let is_due = self.due().is_some_and(|due| due <= now);
        if is_due {
            self.waiting = None;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Changes at these milliseconds give runs at those.
    #[track_caller]
    fn check(changes: &[u64], expected: &[u64]) {
        let start = Instant::now();
        let at = |milliseconds: u64| start + Duration::from_millis(milliseconds);
        let mut debouncer = Debouncer::new(Duration::from_millis(100), Duration::from_millis(1000));
        let mut runs = Vec::new();
        for now in 0..5000 {
            if changes.contains(&now) {
                debouncer.note(at(now));
            }
            if debouncer.take(at(now)) {
                runs.push(now);
            }
        }
        assert_eq!(runs, expected);
        assert_eq!(debouncer.due(), None);
    }

    #[test]
    fn a_burst_gives_one_run_soon_after_its_last_change() {
        check(&[], &[]);
        check(&[7], &[107]);
        check(&[0, 1, 2, 99, 150], &[250]);
        check(&[0, 101, 3000], &[100, 201, 3100]);
    }

    #[test]
    fn changes_without_end_give_a_run_now_and_then() {
        let endless: Vec<u64> = (0..2500).step_by(10).collect();
        check(&endless, &[1000, 2010, 2590]);
    }
}
