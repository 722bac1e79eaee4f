//! Progress of a long run on stderr: a bar in a terminal, lines elsewhere, JSON for programs.
//!
//! The work only reports events. A separate thread reads the counters at intervals and draws, so that the work never
//! waits for a terminal; it also confirms an interruption to the user.

use super::colour;
use super::context::LogLevel;
use super::log_lines;
use super::status::ProgressMeter;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pensieve_store::store::stored_now;
use pensieve_text::model::{Observer, ProgressEvent};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The values of `--progress`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ProgressChoice {
    /// A bar in a terminal; elsewhere, as in what cron keeps, lines with their times.
    #[default]
    Auto,
    /// A bar; lines if there is no terminal.
    Bar,
    /// A line every few seconds.
    Plain,
    /// The same, each line with its time.
    Log,
    /// One JSON object per line, on stderr.
    Json,
    /// Problems only.
    Off,
}

/// The form of the display.
#[derive(Debug)]
enum ProgressDisplay {
    Bar(ProgressBar),
    Plain,
    Json,
    Off,
}

/// Interval between two drawings of a bar.
const BAR_INTERVAL: Duration = Duration::from_millis(100);
/// Interval between two states in JSON.
const JSON_INTERVAL: Duration = Duration::from_secs(1);
/// Interval between two lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

/// An observer that shows progress.
#[derive(Debug)]
pub struct Progress<'i> {
    face: ProgressDisplay,
    /// Each line begins with its time.
    has_times: bool,
    level: LogLevel,
    interrupt: &'i AtomicBool,
    meter: ProgressMeter,
    ended: Mutex<bool>,
    wake: Condvar,
}

impl<'i> Progress<'i> {
    /// Creates the requested display, as far as stderr allows it. A quiet log level turns the display off unless it
    /// was requested explicitly.
    pub fn new(choice: ProgressChoice, level: LogLevel, interrupt: &'i AtomicBool) -> Progress<'i> {
        let face = match choice {
            ProgressChoice::Auto if level < LogLevel::Info => ProgressDisplay::Off,
            ProgressChoice::Auto | ProgressChoice::Bar if can_draw() => ProgressDisplay::Bar(new_bar()),
            ProgressChoice::Auto | ProgressChoice::Bar | ProgressChoice::Plain | ProgressChoice::Log => {
                ProgressDisplay::Plain
            }
            ProgressChoice::Json => ProgressDisplay::Json,
            ProgressChoice::Off => ProgressDisplay::Off,
        };
        let has_times = match choice {
            ProgressChoice::Auto => !io::stderr().is_terminal(),
            _ => choice == ProgressChoice::Log,
        };
        Progress {
            face,
            has_times,
            level,
            interrupt,
            meter: ProgressMeter::default(),
            ended: Mutex::new(false),
            wake: Condvar::new(),
        }
    }

    /// Runs the work with the display, and removes the display at the end.
    pub fn during<R>(&self, work: impl FnOnce(&dyn Observer) -> R) -> R {
        thread::scope(|scope| {
            // If the thread cannot be started, the work continues without a display.
            let _ = thread::Builder::new().name("progress".to_owned()).spawn_scoped(scope, || self.watch());
            let _end = EndOnDrop(self);
            work(self)
        })
    }

    fn watch(&self) {
        let mut is_confirmed = false;
        let mut shown = Instant::now();
        while !self.wait(BAR_INTERVAL) {
            if !is_confirmed && self.interrupt.load(Relaxed) {
                is_confirmed = true;
                self.say_stopping();
            }
            let pause = match self.face {
                ProgressDisplay::Bar(_) => BAR_INTERVAL,
                ProgressDisplay::Json => JSON_INTERVAL,
                ProgressDisplay::Plain | ProgressDisplay::Off => PLAIN_INTERVAL,
            };
            if shown.elapsed() >= pause {
                shown = Instant::now();
                self.show();
            }
        }
    }

    /// Waits this long, or until the work has ended; returns true if it has.
    fn wait(&self, pause: Duration) -> bool {
        let ended = self.ended.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match self.wake.wait_timeout_while(ended, pause, |ended| !*ended) {
            Ok((ended, _)) => *ended,
            Err(poisoned) => *poisoned.into_inner().0,
        }
    }

    fn show(&self) {
        let status = self.meter.status();
        match &self.face {
            ProgressDisplay::Bar(bar) => bar.set_message(status.lines(columns()).join("\n")),
            ProgressDisplay::Plain => self.say(&status.to_string()),
            ProgressDisplay::Json => self.say(&log_lines::status_json(&status).to_string()),
            ProgressDisplay::Off => {}
        }
    }

    fn say_stopping(&self) {
        const STOPPING: &str = "stopping: what is done is kept (once more ends at once)";
        match &self.face {
            ProgressDisplay::Bar(bar) => bar.println(STOPPING),
            ProgressDisplay::Json => self.say(&serde_json::json!({"event": "stopping"}).to_string()),
            ProgressDisplay::Plain | ProgressDisplay::Off => self.say(STOPPING),
        }
    }

    fn print_event(&self, event: &ProgressEvent<'_>) {
        if let (ProgressDisplay::Plain, ProgressEvent::PhaseStarted { .. }) = (&self.face, event) {
            self.close_phase();
        }
        match &self.face {
            ProgressDisplay::Json => self.say(&log_lines::json(event).to_string()),
            ProgressDisplay::Bar(bar) => {
                log_lines::text(event).into_iter().for_each(|line| bar.println(colour::on_stderr(&line)))
            }
            ProgressDisplay::Plain | ProgressDisplay::Off => {
                log_lines::text(event).into_iter().for_each(|line| self.say(&colour::on_stderr(&line)))
            }
        }
    }

    /// Prints one line on stderr, with its time if that is asked for.
    fn say(&self, line: &str) {
        match self.has_times {
            true => say(&format!("{} {line}", stored_now())),
            false => say(line),
        }
    }

    /// In line mode, prints a phase with its figures when it has ended.
    fn close_phase(&self) {
        let status = self.meter.status();
        if status.phase.is_some() {
            self.say(&status.closed().to_string());
        }
    }
}

impl Observer for Progress<'_> {
    fn on_event(&self, event: &ProgressEvent<'_>) {
        if log_lines::level(event) <= self.level {
            self.print_event(event);
        }
        self.meter.count(event);
    }

    fn interrupted(&self) -> bool {
        self.interrupt.load(Relaxed)
    }
}

/// Ends the display, even if the work panics.
struct EndOnDrop<'p, 'i>(&'p Progress<'i>);

impl Drop for EndOnDrop<'_, '_> {
    fn drop(&mut self) {
        let progress = self.0;
        *progress.ended.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = true;
        progress.wake.notify_all();
        match &progress.face {
            ProgressDisplay::Bar(bar) => bar.finish_and_clear(),
            ProgressDisplay::Plain if progress.level >= LogLevel::Info => progress.close_phase(),
            _ => {}
        }
    }
}

fn can_draw() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    bar.set_style(ProgressStyle::with_template("{msg}").expect("the template is sound"));
    bar
}

/// The columns of the terminal minus one: some terminals wrap a full line.
fn columns() -> usize {
    let width = terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
    width.saturating_sub(1).max(20)
}

/// Prints one line on stderr; a closed stderr is no error.
fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::RunPhase;

    #[test]
    fn the_work_runs_once_and_its_result_comes_back() {
        let stop = AtomicBool::new(false);
        let progress = Progress::new(ProgressChoice::Off, LogLevel::Error, &stop);
        let result = progress.during(|observer| {
            observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Scan, files: 0, bytes: 0 });
            assert!(!observer.interrupted());
            stop.store(true, Relaxed);
            observer.interrupted()
        });
        assert!(result);
    }

    #[test]
    fn a_panic_of_the_work_ends_the_display_too() {
        let stop = AtomicBool::new(false);
        let progress = Progress::new(ProgressChoice::Off, LogLevel::Error, &stop);
        let work =
            std::panic::AssertUnwindSafe(|| progress.during(|_| std::panic::resume_unwind(Box::new(1))));
        assert!(std::panic::catch_unwind(work).is_err());
    }

    #[test]
    fn the_quiet_see_no_display_unless_they_ask_for_it() {
        let stop = AtomicBool::new(false);
        let face = |choice, level| Progress::new(choice, level, &stop).face;
        assert!(matches!(face(ProgressChoice::Auto, LogLevel::Error), ProgressDisplay::Off));
        assert!(matches!(face(ProgressChoice::Plain, LogLevel::Error), ProgressDisplay::Plain));
        assert!(matches!(face(ProgressChoice::Json, LogLevel::Info), ProgressDisplay::Json));
    }
}
