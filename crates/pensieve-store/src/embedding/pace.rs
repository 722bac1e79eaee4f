//! When the next request may be sent: limits of tokens in a minute, and waits that the service asks for.

use super::error::EmbedError;
use pensieve_text::model::Observer;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time over which tokens are counted.
const WINDOW: Duration = Duration::from_secs(60);

/// The time between two checks whether the user wants to stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Shared by all threads that send.
pub(super) struct Pace<'o> {
    limit: Option<u64>,
    observer: &'o dyn Observer,
    state: Mutex<PaceState>,
}

#[derive(Default)]
struct PaceState {
    /// What was sent in the last minute: when, and how many tokens.
    sent: VecDeque<(Instant, u64)>,
    /// The service wants no request before.
    pause_until: Option<Instant>,
}

impl<'o> Pace<'o> {
    /// A pace with at most this many tokens in any minute.
    pub fn new(limit: Option<u64>, observer: &'o dyn Observer) -> Pace<'o> {
        Pace { limit, observer, state: Mutex::default() }
    }

    /// Waits until so many tokens may be sent, and counts them. More than the limit are sent alone.
    ///
    /// # Errors
    /// The user stopped it.
    pub fn wait_for(&self, tokens: u64) -> Result<(), EmbedError> {
        loop {
            let now = Instant::now();
            let wait = self.state().reserve(now, tokens, self.limit);
            match wait {
                None => return Ok(()),
                Some(wait) => self.sleep(wait)?,
            }
        }
    }

    /// Lets all threads wait this long before their next request.
    pub fn pause(&self, wait: Duration) {
        let until = Instant::now() + wait;
        let mut state = self.state();
        state.pause_until = Some(state.pause_until.map_or(until, |before| before.max(until)));
    }

    /// Sleeps; an interruption ends it.
    pub fn sleep(&self, wait: Duration) -> Result<(), EmbedError> {
        let end = Instant::now() + wait;
        loop {
            if self.observer.interrupted() {
                return Err(EmbedError::Stopped);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(STOP_CHECK_INTERVAL));
        }
    }

    fn state(&self) -> MutexGuard<'_, PaceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PaceState {
    /// Counts the tokens as sent now, or says how long to wait first.
    fn reserve(&mut self, now: Instant, tokens: u64, limit: Option<u64>) -> Option<Duration> {
        if let Some(until) = self.pause_until.filter(|until| *until > now) {
            return Some(until - now);
        }
        let limit = limit?;
        while self.sent.front().is_some_and(|(at, _)| now.duration_since(*at) >= WINDOW) {
            self.sent.pop_front();
        }
        let recent: u64 = self.sent.iter().map(|(_, tokens)| tokens).sum();
        match self.sent.front() {
            Some((first, _)) if recent + tokens > limit => {
                Some(WINDOW.saturating_sub(now.duration_since(*first)))
            }
            _ => {
                self.sent.push_back((now, tokens));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_minute_has_more_tokens_than_the_limit() {
        let start = Instant::now();
        let mut state = PaceState::default();
        let mut check = |second: u64, tokens: u64, wait: Option<u64>| {
            let waits = state.reserve(start + Duration::from_secs(second), tokens, Some(100));
            assert_eq!(waits, wait.map(Duration::from_secs), "second {second}");
        };
        check(0, 60, None);
        check(10, 40, None);
        check(20, 1, Some(40));
        check(60, 60, None);
        check(69, 1, Some(1));
        check(70, 40, None);
        // A chunk above the limit is sent when nothing else was.
        check(131, 500, None);
        check(132, 1, Some(59));
    }

    #[test]
    fn a_pause_holds_for_all() {
        let now = Instant::now();
        let mut state = PaceState { pause_until: Some(now + Duration::from_secs(3)), ..PaceState::default() };
        assert_eq!(state.reserve(now, 1, None), Some(Duration::from_secs(3)));
        assert_eq!(state.reserve(now + Duration::from_secs(3), 1, None), None);
    }

    #[test]
    fn a_pause_is_never_shortened() {
        let pace = Pace::new(None, &super::super::testing::Unobserved);
        let until = || pace.state().pause_until.unwrap();
        pace.pause(Duration::from_secs(500));
        let first = until();
        assert!(first > Instant::now() + Duration::from_secs(400));
        pace.pause(Duration::from_secs(5));
        assert_eq!(until(), first);
        pace.pause(Duration::from_secs(1_000));
        assert!(until() > first);
    }

    #[test]
    fn whoever_stops_a_run_does_not_wait() {
        struct Stopped;
        impl Observer for Stopped {
            fn on_event(&self, _event: &pensieve_text::model::ProgressEvent<'_>) {}
            fn interrupted(&self) -> bool {
                true
            }
        }
        let pace = Pace::new(Some(10), &Stopped);
        assert!(pace.wait_for(10).is_ok());
        assert!(matches!(pace.wait_for(1), Err(EmbedError::Stopped)));
        let pace = Pace::new(Some(10), &super::super::testing::Unobserved);
        let began = Instant::now();
        pace.sleep(Duration::from_millis(60)).unwrap();
        assert!(began.elapsed() >= Duration::from_millis(60));
    }
}
