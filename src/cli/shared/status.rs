//! The progress of a run: counters that the work increases, and their text form.
//!
//! Nothing is drawn here and no clock is read: a [`ProgressStatus`] is a value, so that tests compare every line as a
//! string.

use super::terminal;
use pensieve_text::model::numbers::{clock, count, counted, mega, percent, rate, time};
use pensieve_text::model::{ProgressEvent, RunPhase};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Counters that many threads increase at once.
///
/// Cost: a few atomic additions per event; the current path is copied only if it is about to be shown.
#[derive(Debug, Default)]
pub struct ProgressMeter {
    files: AtomicU64,
    bytes: AtomicU64,
    behind: AtomicU64,
    errors: AtomicU64,
    chunks: AtomicU64,
    new_chunks: AtomicU64,
    path_wanted: AtomicBool,
    slow: Mutex<SlowCounters>,
}

/// State that changes rarely.
#[derive(Debug, Default)]
struct SlowCounters {
    phase: Option<(RunPhase, Instant)>,
    files_total: u64,
    bytes_total: u64,
    path: String,
}

impl ProgressMeter {
    /// Counts an event.
    pub fn count(&self, event: &ProgressEvent<'_>) {
        match *event {
            ProgressEvent::PhaseStarted { phase, files, bytes } => self.begin(phase, files, bytes),
            ProgressEvent::Scanned { path, hashed } => {
                self.files.fetch_add(1, Relaxed);
                self.bytes.fetch_add(hashed, Relaxed);
                self.remember(path);
            }
            ProgressEvent::Reading { path } => {
                self.behind.store(0, Relaxed);
                self.remember(path);
            }
            ProgressEvent::MemberStored { path, behind, chunks, new_chunks } => {
                self.behind.store(behind, Relaxed);
                self.chunks.fetch_add(chunks, Relaxed);
                self.new_chunks.fetch_add(new_chunks, Relaxed);
                self.remember(path);
            }
            ProgressEvent::Stored { bytes, chunks, new_chunks, .. } => {
                self.behind.store(0, Relaxed);
                self.files.fetch_add(1, Relaxed);
                self.bytes.fetch_add(bytes, Relaxed);
                self.chunks.fetch_add(chunks, Relaxed);
                self.new_chunks.fetch_add(new_chunks, Relaxed);
            }
            ProgressEvent::Advanced { permille } => {
                self.slow().files_total = 1000;
                self.files.store(permille.into(), Relaxed);
            }
            ProgressEvent::Embedded { chunks } => {
                self.files.fetch_add(chunks, Relaxed);
            }
            ProgressEvent::Trouble { .. } => {
                self.errors.fetch_add(1, Relaxed);
            }
            ProgressEvent::TreeKnown { .. } | ProgressEvent::Note { .. } => {}
        }
    }

    /// The current state.
    pub fn status(&self) -> ProgressStatus {
        let slow = self.slow();
        self.path_wanted.store(true, Relaxed);
        ProgressStatus {
            phase: slow.phase.map(|(phase, _)| phase),
            time: slow.phase.map_or(Duration::ZERO, |(_, start)| start.elapsed()),
            files: self.files.load(Relaxed),
            files_total: slow.files_total,
            bytes: self.bytes.load(Relaxed) + self.behind.load(Relaxed),
            bytes_total: slow.bytes_total,
            errors: self.errors.load(Relaxed),
            chunks: self.chunks.load(Relaxed),
            new_chunks: self.new_chunks.load(Relaxed),
            path: slow.path.clone(),
        }
    }

    fn begin(&self, phase: RunPhase, files: u64, bytes: u64) {
        let mut slow = self.slow();
        let path = std::mem::take(&mut slow.path);
        *slow = SlowCounters {
            phase: Some((phase, Instant::now())),
            files_total: files,
            bytes_total: bytes,
            path,
        };
        slow.path.clear();
        self.files.store(0, Relaxed);
        self.bytes.store(0, Relaxed);
        self.behind.store(0, Relaxed);
    }

    fn remember(&self, path: &str) {
        if !self.path_wanted.load(Relaxed) || !self.path_wanted.swap(false, Relaxed) {
            return;
        }
        let mut slow = self.slow();
        slow.path.clear();
        slow.path.push_str(path);
    }

    fn slow(&self) -> std::sync::MutexGuard<'_, SlowCounters> {
        self.slow.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The progress of a run at one moment. `Display` gives one line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProgressStatus {
    /// The current phase.
    pub phase: Option<RunPhase>,
    /// Time since it began.
    pub time: Duration,
    /// Files so far, or entries while scanning.
    pub files: u64,
    /// Total number of files, 0 if unknown.
    pub files_total: u64,
    /// Bytes so far.
    pub bytes: u64,
    /// Total number of bytes, 0 if unknown.
    pub bytes_total: u64,
    /// Problems in the whole run.
    pub errors: u64,
    /// Chunks in the whole run.
    pub chunks: u64,
    /// Chunks that were not stored before.
    pub new_chunks: u64,
    /// A file that is being read.
    pub path: String,
}

/// Width of the bar in characters.
const BAR_CELLS: usize = 16;

impl ProgressStatus {
    /// The completed share of the phase, if its size is known. Bytes predict the time better than files.
    pub fn share(&self) -> Option<f64> {
        match (self.bytes_total, self.files_total) {
            (0, 0) => None,
            (0, files) => Some(self.files as f64 / files as f64),
            (bytes, _) => Some(self.bytes as f64 / bytes as f64),
        }
        .map(|share| share.clamp(0.0, 1.0))
    }

    /// Time to the end of the phase at the current speed.
    pub fn remaining(&self) -> Option<Duration> {
        let share = self.share().filter(|share| *share > 0.0)?;
        Duration::try_from_secs_f64(self.time.as_secs_f64() * (1.0 - share) / share).ok()
    }

    /// Share of the chunks that were already stored.
    pub fn dedup(&self) -> Option<f64> {
        (self.chunks > 0).then(|| 1.0 - self.new_chunks as f64 / self.chunks as f64)
    }

    /// The state for a phase that has ended: its duration, and no totals.
    pub fn closed(self) -> ProgressStatus {
        ProgressStatus { files_total: 0, bytes_total: 0, ..self }
    }

    /// The lines of the progress display, each within this many columns.
    pub fn lines(&self, columns: usize) -> [String; 3] {
        let phase = self.phase.map_or("", RunPhase::as_str);
        let end =
            self.remaining().map_or("ETA -:--".to_owned(), |remaining| format!("ETA {}", clock(remaining)));
        let place = match (self.share(), self.amounts()) {
            (Some(share), amounts) => format!("{phase:<7} {}  {end}  {amounts}", bar(share)),
            (None, amounts) if amounts.is_empty() => format!("{phase:<7} {}", clock(self.time)),
            (None, amounts) => format!("{phase:<7} {amounts}  {}", clock(self.time)),
        };
        let path = terminal::line(&self.path);
        [
            terminal::head(&place, columns).to_owned(),
            terminal::head(&format!("        {}", self.rates("  ")), columns).to_owned(),
            format!("        {}", terminal::tail(&path, columns.saturating_sub(8))),
        ]
    }

    /// `1,200/20,000 files  12.3/310.0 MB`
    fn amounts(&self) -> String {
        let of = |total: u64, text: String| if total > 0 { format!("/{text}") } else { String::new() };
        let what = match self.phase {
            Some(RunPhase::Scan) => "entries",
            Some(RunPhase::Embed) => "chunks",
            _ => "files",
        };
        let files = format!("{}{} {what}", count(self.files), of(self.files_total, count(self.files_total)));
        let bytes = format!("{}{} MB", mega(self.bytes), of(self.bytes_total, mega(self.bytes_total)));
        match self.phase {
            Some(RunPhase::Scan | RunPhase::Content) => format!("{files}  {bytes}"),
            Some(RunPhase::Embed) => files,
            _ => String::new(),
        }
    }

    /// `1,890 files/s  23.4 MB/s  3 errors  dedup 12.3 %`
    fn rates(&self, between: &str) -> String {
        let mut parts = Vec::new();
        if matches!(self.phase, Some(RunPhase::Scan | RunPhase::Content)) {
            parts.push(format!("{} files/s", count(rate(self.files, self.time) as u64)));
            parts.push(format!("{} MB/s", mega(rate(self.bytes, self.time) as u64)));
        }
        if self.phase == Some(RunPhase::Embed) {
            parts.push(format!("{} chunks/s", count(rate(self.files, self.time) as u64)));
        }
        parts.push(counted(self.errors, "error"));
        if let Some(dedup) = self.dedup() {
            parts.push(format!("dedup {}", percent(dedup)));
        }
        parts.join(between)
    }
}

/// One line for logs: `read: 1,200/20,000 files, 12.3/310.0 MB, 1,890 files/s, 23.4 MB/s, 3 errors, ETA 0:12`.
impl fmt::Display for ProgressStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = self.phase.map_or("start", RunPhase::as_str);
        let amounts = self.amounts().replace("  ", ", ");
        write!(f, "{phase}: ")?;
        if !amounts.is_empty() {
            write!(f, "{amounts}, ")?;
        }
        write!(f, "{}", self.rates(", "))?;
        match self.remaining() {
            Some(remaining) => write!(f, ", ETA {}", clock(remaining)),
            None => write!(f, ", {}", time(self.time)),
        }
    }
}

fn bar(share: f64) -> String {
    let full = (share * BAR_CELLS as f64) as usize;
    format!(
        "[{}{}] {:>3.0} %",
        "#".repeat(full),
        "-".repeat(BAR_CELLS - full.min(BAR_CELLS)),
        (share * 100.0).floor()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::{Problem, ProblemKind, ProcessingStatus};

    fn reading() -> ProgressStatus {
        ProgressStatus {
            phase: Some(RunPhase::Content),
            time: Duration::from_secs(10),
            files: 8_211,
            files_total: 20_000,
            bytes: 125_000_000,
            bytes_total: 310_000_000,
            errors: 3,
            chunks: 1000,
            new_chunks: 877,
            path: "serde/src/\u{1b}[2J/de/impls.rs".to_owned(),
        }
    }

    #[test]
    fn a_known_amount_gets_a_bar_and_an_end() {
        assert_eq!(
            reading().lines(80),
            [
                "read    [######----------]  40 %  ETA 0:14  8,211/20,000 files  125.0/310.0 MB",
                "        821 files/s  12.5 MB/s  3 errors  dedup 12.3 %",
                "        serde/src/\\u{1b}[2J/de/impls.rs",
            ]
        );
        assert_eq!(
            reading().to_string(),
            "read: 8,211/20,000 files, 125.0/310.0 MB, 821 files/s, 12.5 MB/s, 3 errors, dedup 12.3 %, ETA 0:14"
        );
    }

    #[test]
    fn every_line_fits_into_the_terminal() {
        for columns in 0..120 {
            for line in reading().lines(columns.max(8)) {
                assert!(line.chars().count() <= columns.max(8), "{columns}: {line}");
            }
        }
    }

    #[test]
    fn an_unknown_amount_gets_neither() {
        let scanning = ProgressStatus {
            phase: Some(RunPhase::Scan),
            time: Duration::from_millis(1500),
            files: 12_000,
            bytes: 45_000_000,
            ..ProgressStatus::default()
        };
        assert_eq!(
            scanning.lines(80),
            [
                "scan    12,000 entries  45.0 MB  0:01",
                "        8,000 files/s  30.0 MB/s  0 errors",
                "        ",
            ]
        );
        assert_eq!(
            scanning.to_string(),
            "scan: 12,000 entries, 45.0 MB, 8,000 files/s, 30.0 MB/s, 0 errors, 1.5 s"
        );
        let finishing = ProgressStatus { phase: Some(RunPhase::Finish), ..ProgressStatus::default() };
        assert_eq!(finishing.to_string(), "finish: 0 errors, 0.0 s");
        assert_eq!(ProgressStatus::default().to_string(), "start: 0 errors, 0.0 s");
    }

    #[test]
    fn work_that_grew_does_not_overflow_the_bar() {
        let status = ProgressStatus { bytes: 400_000_000, ..reading() };
        assert_eq!((status.share(), status.remaining()), (Some(1.0), Some(Duration::ZERO)));
        assert!(status.lines(80)[0].contains("[################] 100 %  ETA 0:00"));
    }

    #[test]
    fn members_move_the_bar_before_their_mailbox_is_done() {
        let meter = ProgressMeter::default();
        meter.count(&ProgressEvent::PhaseStarted { phase: RunPhase::Content, files: 2, bytes: 120 });
        meter.status();
        meter.count(&ProgressEvent::Reading { path: "box" });
        meter.count(&ProgressEvent::MemberStored { path: "box/1", behind: 40, chunks: 2, new_chunks: 1 });
        meter.status();
        meter.count(&ProgressEvent::MemberStored { path: "box/2", behind: 90, chunks: 2, new_chunks: 1 });
        let status = meter.status();
        assert_eq!((status.files, status.bytes, status.chunks, status.path.as_str()), (0, 90, 4, "box/2"));
        let done = ProcessingStatus::Processed;
        meter.count(&ProgressEvent::Stored {
            path: "box",
            status: done,
            bytes: 100,
            chunks: 0,
            new_chunks: 0,
        });
        assert_eq!((meter.status().files, meter.status().bytes), (1, 100));
    }

    #[test]
    fn events_move_the_counters_and_a_new_phase_begins_at_nothing() {
        let meter = ProgressMeter::default();
        meter.count(&ProgressEvent::PhaseStarted { phase: RunPhase::Scan, files: 0, bytes: 0 });
        meter.status();
        meter.count(&ProgressEvent::Scanned { path: "a", hashed: 5 });
        meter.count(&ProgressEvent::Scanned { path: "b", hashed: 5 });
        let status = meter.status();
        assert_eq!((status.files, status.bytes, status.path.as_str()), (2, 10, "a"));
        meter.count(&ProgressEvent::PhaseStarted { phase: RunPhase::Content, files: 9, bytes: 99 });
        let status = ProcessingStatus::Processed;
        meter.count(&ProgressEvent::Stored { path: "a", status, bytes: 7, chunks: 4, new_chunks: 3 });
        meter.count(&ProgressEvent::Trouble { path: "b", problem: &Problem::new(ProblemKind::Io, "x") });
        let status = meter.status();
        assert_eq!((status.files, status.files_total, status.bytes, status.bytes_total), (1, 9, 7, 99));
        assert_eq!((status.errors, status.dedup()), (1, Some(0.25)));
    }
}
