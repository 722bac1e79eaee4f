//! Where the time of a run went: by stage over all threads, and by file for the slowest.

use super::report_scope::ReportScope;
use pensieve_text::model::DocumentKind;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// How many slow files a run remembers.
const MAX_SLOW_FILES: usize = 20;

/// Time of the stages, summed over all threads of a run.
#[derive(Debug, Default)]
pub(super) struct StageTimings {
    /// Everything that readers did except waiting: extraction, cleaning, cutting.
    read: AtomicU64,
    clean: AtomicU64,
    chunk: AtomicU64,
}

impl StageTimings {
    /// Adds the time that a reader took for a file.
    pub fn add_read(&self, time: Duration) {
        self.read.fetch_add(micros(time), Relaxed);
    }

    /// Adds the cleaning of a segment.
    pub fn add_clean(&self, time: Duration) {
        self.clean.fetch_add(micros(time), Relaxed);
    }

    /// Adds the cutting and counting of a segment.
    pub fn add_chunk(&self, time: Duration) {
        self.chunk.fetch_add(micros(time), Relaxed);
    }

    /// Seconds by stage; what readers did besides cleaning and cutting is extraction.
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
    /// Time of its reader, including everything inside the file, without waiting.
    pub seconds: f64,
    /// Its size.
    pub bytes: u64,
    /// The row of the format table that read it.
    pub format: Option<String>,
    /// Its status.
    pub status: Option<&'static str>,
}

/// The slowest files of a run, slowest first; attachments separately.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SlowestFiles {
    documents: Vec<SlowFile>,
    attachments: Vec<SlowFile>,
}

impl SlowestFiles {
    /// The slow files of a part of the corpus.
    pub(super) fn files(&self, part: ReportScope) -> Vec<&SlowFile> {
        let (documents, attachments) = (&self.documents, &self.attachments);
        let mut files: Vec<&SlowFile> = match part {
            ReportScope::All => documents.iter().chain(attachments).collect(),
            ReportScope::Documents => documents.iter().collect(),
            ReportScope::Attachments => attachments.iter().collect(),
        };
        files.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        files.truncate(MAX_SLOW_FILES);
        files
    }

    /// Adds a file if it is slow enough.
    pub(super) fn note(&mut self, kind: DocumentKind, file: SlowFile) {
        let files = match kind {
            DocumentKind::Attachment => &mut self.attachments,
            DocumentKind::Document | DocumentKind::Mail => &mut self.documents,
        };
        let at = files.partition_point(|other| other.seconds >= file.seconds);
        if at < MAX_SLOW_FILES {
            files.insert(at, file);
            files.truncate(MAX_SLOW_FILES);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_come_first_and_are_few() {
        let mut slowest = SlowestFiles::default();
        for number in 0..50u64 {
            let kind = if number < 5 { DocumentKind::Attachment } else { DocumentKind::Document };
            let seconds = ((number * 37) % 50) as f64;
            let file = SlowFile { path: number.to_string(), seconds, bytes: 1, format: None, status: None };
            slowest.note(kind, file);
        }
        let check = |part, expected: (usize, f64)| {
            let seconds: Vec<f64> = slowest.files(part).iter().map(|file| file.seconds).collect();
            assert_eq!((seconds.len(), seconds[0]), expected);
            assert!(seconds.is_sorted_by(|a, b| a >= b));
        };
        check(ReportScope::All, (MAX_SLOW_FILES, 49.0));
        check(ReportScope::Documents, (MAX_SLOW_FILES, 49.0));
        check(ReportScope::Attachments, (5, 48.0));
    }

    #[test]
    fn extraction_is_what_is_left_of_reading() {
        let timings = StageTimings::default();
        timings.add_read(Duration::from_secs(10));
        timings.add_clean(Duration::from_secs(3));
        timings.add_chunk(Duration::from_secs(5));
        assert_eq!(timings.stages(), BTreeMap::from([("extract", 2.0), ("clean", 3.0), ("chunk", 5.0)]));
    }

    fn slow(path: &str, seconds: f64) -> SlowFile {
        SlowFile { path: path.to_owned(), seconds, bytes: 1, format: None, status: None }
    }

    #[test]
    fn of_files_that_took_equally_long_the_earlier_ones_stay() {
        let mut slowest = SlowestFiles::default();
        for number in 0..MAX_SLOW_FILES {
            slowest.note(DocumentKind::Mail, slow(&number.to_string(), 1.0));
        }
        slowest.note(DocumentKind::Document, slow("late", 1.0));
        let paths = |slowest: &SlowestFiles| -> Vec<String> {
            slowest.files(ReportScope::Documents).iter().map(|file| file.path.clone()).collect()
        };
        assert_eq!(paths(&slowest), (0..MAX_SLOW_FILES).map(|number| number.to_string()).collect::<Vec<_>>());
        slowest.note(DocumentKind::Document, slow("slower", 2.0));
        let kept = (0..MAX_SLOW_FILES - 1).map(|number| number.to_string());
        assert_eq!(paths(&slowest), ["slower".to_owned()].into_iter().chain(kept).collect::<Vec<_>>());
        assert!(slowest.files(ReportScope::Attachments).is_empty());
    }

    #[test]
    fn times_of_a_stage_are_added() {
        let timings = StageTimings::default();
        for seconds in [2, 5] {
            timings.add_read(Duration::from_secs(seconds * 3));
            timings.add_clean(Duration::from_millis(seconds));
            timings.add_chunk(Duration::from_secs(seconds));
        }
        let expected = [("extract", 13.993), ("clean", 0.007), ("chunk", 7.0)];
        assert_eq!(timings.stages(), BTreeMap::from(expected));
    }
}
