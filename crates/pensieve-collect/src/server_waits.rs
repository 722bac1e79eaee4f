//! How long servers ask not to be disturbed (`Retry-After`), and what is left of that.
//!
//! A server that says when to come back is not asked before, whatever the address. A run that would wait too long for
//! it goes on without it.

use crate::manifest::SourceSettings;
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use ureq::http::HeaderMap;

/// A longer wait is taken for this one: no run lasts as long.
const MAX_RETRY_AFTER_SECONDS: u64 = 86_400;

/// The servers that asked to wait, by their base address.
#[derive(Debug, Default)]
pub struct ServerWaits(BTreeMap<String, ServerWait>);

#[derive(Debug)]
struct ServerWait {
    until: Instant,
    /// How often it asked to wait since the current work was begun.
    times: u32,
}

impl ServerWaits {
    /// Begins with another work: each server may ask to wait again.
    pub fn begin_work(&mut self) {
        self.0.values_mut().for_each(|wait| wait.times = 0);
    }

    /// Records that a server asks to wait.
    pub fn add(&mut self, base: &str, wait: Duration) {
        let until = Instant::now() + wait;
        let known = self.0.entry(base.to_owned()).or_insert(ServerWait { until, times: 0 });
        known.until = until;
        known.times += 1;
    }

    /// How long a server must not be asked.
    pub fn left(&self, base: &str) -> Duration {
        self.0.get(base).map_or(Duration::ZERO, |wait| wait.until.saturating_duration_since(Instant::now()))
    }

    /// Why a run does not wait for a server; `None` if it does.
    pub fn refusal(&self, base: &str, sources: &SourceSettings) -> Option<String> {
        let wait = self.0.get(base)?;
        let (left, longest) = (self.left(base).as_secs_f64(), sources.longest_wait_seconds);
        if left > longest {
            return Some(format!(
                "{base} asks to wait {left:.0} s, and a run waits at most {longest} s (`sources.longest_wait_seconds`)"
            ));
        }
        (wait.times > sources.retries).then(|| format!("{base} asked to wait {} times", wait.times))
    }
}

/// The wait that a server asks for, given in seconds or as a date, which is compared with the server's own clock.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let asked = text("retry-after")?;
    if !asked.is_empty() && asked.bytes().all(|byte| byte.is_ascii_digit()) {
        let seconds = asked.parse().unwrap_or(MAX_RETRY_AFTER_SECONDS);
        return Some(Duration::from_secs(seconds.min(MAX_RETRY_AFTER_SECONDS)));
    }
    let date = |text: &str| Some(rfc2822::parse(text).ok()?.timestamp());
    let now = text("date").and_then(date).unwrap_or_else(Timestamp::now);
    let seconds = date(asked)?.as_second().saturating_sub(now.as_second());
    Some(Duration::from_secs(seconds.clamp(0, MAX_RETRY_AFTER_SECONDS as i64) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ureq::http::{HeaderName, HeaderValue};

    fn check(lines: &[(&'static str, &'static str)], expected: Option<u64>) {
        let pairs = lines
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        assert_eq!(retry_after(&pairs.collect()), expected.map(Duration::from_secs), "{lines:?}");
    }

    #[test]
    fn waits_are_seconds_or_dates_on_the_clock_of_the_server() {
        let date = ("date", "Wed, 21 Oct 2015 07:28:00 GMT");
        check(&[], None);
        check(&[("retry-after", "120")], Some(120));
        check(&[("retry-after", " 0 ")], Some(0));
        check(&[("retry-after", "99999999999999999999999")], Some(86_400));
        check(&[("retry-after", "soon")], None);
        check(&[("retry-after", "-5")], None);
        check(&[("retry-after", "Wed, 21 Oct 2015 07:29:30 GMT"), date], Some(90));
        check(&[("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT"), date], Some(0));
        check(&[("retry-after", "Wed, 21 Oct 2015 07:29:30 GMT")], Some(0));
        check(&[("retry-after", "Fri, 01 Jan 2100 00:00:00 GMT")], Some(86_400));
    }

    #[test]
    fn a_run_waits_neither_too_long_nor_too_often() {
        let sources = SourceSettings { retries: 1, longest_wait_seconds: 5.0, ..SourceSettings::default() };
        let mut waits = ServerWaits::default();
        assert_eq!(waits.refusal("http://a", &sources), None);
        waits.add("http://a", Duration::from_secs(4));
        assert_eq!(waits.refusal("http://a", &sources), None);
        assert!(waits.left("http://a") > Duration::from_secs(3) && waits.left("http://b").is_zero());
        waits.add("http://a", Duration::from_secs(4));
        assert_eq!(waits.refusal("http://a", &sources).unwrap(), "http://a asked to wait 2 times");
        waits.begin_work();
        assert_eq!(waits.refusal("http://a", &sources), None);
        waits.add("http://a", Duration::from_secs(60));
        let refusal = waits.refusal("http://a", &sources).unwrap();
        assert_eq!(
            refusal,
            "http://a asks to wait 60 s, and a run waits at most 5 s (`sources.longest_wait_seconds`)"
        );
    }
}
