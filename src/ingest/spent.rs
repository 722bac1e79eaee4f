//! Where the time of a run went: by stage over all threads, and by file for the slowest.

use crate::model::ProcessingStatus;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// How many of the slowest files a run remembers.
const SLOWEST: usize = 20;

/// Time of the stages, added up by all threads of a run.
#[derive(Debug, Default)]
pub(super) struct Spent {
    /// Everything that readers did but waiting: extraction, cleaning, cutting.
    read: AtomicU64,
    clean: AtomicU64,
    chunk: AtomicU64,
}

impl Spent {
    /// Adds what a reader took for a file.
    pub fn add_read(&self, time: Duration) {
        self.read.fetch_add(micros(time), Relaxed);
    }

    /// Adds the cleaning of a stretch.
    pub fn add_clean(&self, time: Duration) {
        self.clean.fetch_add(micros(time), Relaxed);
    }

    /// Adds the cutting and counting of a stretch.
    pub fn add_chunk(&self, time: Duration) {
        self.chunk.fetch_add(micros(time), Relaxed);
    }

    /// Seconds by stage; what readers did beside cleaning and cutting is extraction.
    pub fn stages(&self) -> BTreeMap<&'static str, f64> {
        let seconds = |micros: u64| micros as f64 / 1e6;
        let (read, clean, chunk) =
            (self.read.load(Relaxed), self.clean.load(Relaxed), self.chunk.load(Relaxed));
        let extract = read.saturating_sub(clean + chunk);
        BTreeMap::from([("extract", seconds(extract)), ("clean", seconds(clean)), ("chunk", seconds(chunk))])
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// A file that took long.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SlowFile {
    /// Path below its root, in stored form.
    pub path: String,
    /// Time of its reader, everything inside the file included, waiting left out.
    pub seconds: f64,
    /// Its bytes.
    pub bytes: u64,
    /// The row of the format table that read it.
    pub format: Option<String>,
    /// What became of it.
    pub status: Option<&'static str>,
}

/// The slowest files of a run, the slowest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Slowest(Vec<SlowFile>);

impl Slowest {
    /// The files.
    pub fn files(&self) -> &[SlowFile] {
        &self.0
    }

    /// Takes a file among them if it belongs there.
    pub(super) fn note(
        &mut self,
        time: Duration,
        path: &str,
        bytes: u64,
        format: Option<&str>,
        status: ProcessingStatus,
    ) {
        let seconds = time.as_secs_f64();
        let at = self.0.partition_point(|file| file.seconds >= seconds);
        if at >= SLOWEST {
            return;
        }
        let format = format.map(str::to_owned);
        let status = Some(status.as_str());
        self.0.insert(at, SlowFile { path: path.to_owned(), seconds, bytes, format, status });
        self.0.truncate(SLOWEST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_come_first_and_are_few() {
        let mut slowest = Slowest::default();
        for number in 0..50u64 {
            let time = Duration::from_millis((number * 37) % 50);
            slowest.note(time, &number.to_string(), number, None, ProcessingStatus::Processed);
        }
        let seconds: Vec<f64> = slowest.files().iter().map(|file| file.seconds).collect();
        assert_eq!((seconds.len(), seconds[0]), (SLOWEST, 0.049));
        assert!(seconds.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn extraction_is_what_is_left_of_reading() {
        let spent = Spent::default();
        spent.add_read(Duration::from_secs(10));
        spent.add_clean(Duration::from_secs(3));
        spent.add_chunk(Duration::from_secs(5));
        assert_eq!(spent.stages(), BTreeMap::from([("extract", 2.0), ("clean", 3.0), ("chunk", 5.0)]));
    }
}
