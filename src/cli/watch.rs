//! `pensieve watch`: a run over each folder, and another one whenever something in it has changed.
//!
//! Each folder has a thread that waits for its events; one after the other they run.

use super::ingest::{ConfigFlags, configured};
use super::shared::context::absolute;
use super::shared::context::{CommandContext, CommandOutcome, LogLevel};
use super::shared::failure::Failure;
use super::shared::ingest_targets::IngestTargets;
use super::shared::progress::{Progress, ProgressChoice};
use super::shared::{signal, terminal};
use crate::ingest::{self, IngestError, IngestSettings, IngestSummary};
use crate::watch::{self, WatchState, Watcher};
use clap::Args;
use pensieve_store::store::stored_now;
use pensieve_text::model::numbers::{count, counted};
use pensieve_text::model::{NoteLevel, Observer, ProgressEvent};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Ingest folders, and again whenever something in them has changed.
///
/// It begins with the run of `pensieve ingest`; as there, a database alone stands for every folder that it has. One line is
/// printed for each run that changed something. SIGINT or SIGTERM ends it, with exit code 0 if no run is under way.
#[derive(Debug, Args)]
#[command(
    override_usage = "pensieve watch [OPTIONS] <DIR>... <DB>\n       pensieve watch [OPTIONS] <DIR|DB>",
    after_help = "Example: pensieve watch ~/notes notes.db"
)]
pub struct WatchArgs {
    /// The folders to read, then the database to write; it is created if it does not exist.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Look at the folders every so many seconds, instead of waiting for events of the system.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    poll: Option<Duration>,
    /// Delete what is gone even if it is every file of a folder, or most of 100 or more.
    #[arg(long)]
    allow_mass_deletion: bool,
    #[command(flatten)]
    tuning: ConfigFlags,
    /// Print one JSON object for each run, the first included.
    #[arg(long, help_heading = "Messages")]
    json: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let given = text.parse().ok().filter(|seconds| *seconds >= 0.1);
    let interval = given.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    interval.ok_or_else(|| "give seconds, at least 0.1".to_owned())
}

/// Runs the command.
pub fn run(args: &WatchArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let targets = IngestTargets::of("watch", None, &args.paths)?;
    let configured_for = |folder: &PathBuf| {
        let config = args.config.as_deref();
        let settings = configured(&args.tuning, config, folder, &targets.database, context)?;
        Ok(IngestSettings { allow_mass_deletion: args.allow_mass_deletion, ..settings })
    };
    let settings = targets.roots.iter().map(configured_for).collect::<Result<Vec<_>, Failure>>()?;
    let interrupt = signal::watch()?;
    let (turn, is_over) = (Mutex::new(()), AtomicBool::new(false));
    let followers = settings.iter().map(|settings| Follower {
        args,
        settings,
        is_one_of_many: targets.roots.len() > 1,
        context,
        interrupt: &interrupt,
        is_over: &is_over,
        turn: &turn,
        said: HashSet::new().into(),
        waits_for: None,
    });
    follow_all(followers.collect())
}

/// Follows each folder until one of them ends the command.
fn follow_all(followers: Vec<Follower<'_>>) -> Result<CommandOutcome, Failure> {
    let follow = |mut follower: Follower<'_>| {
        let ended = follower.follow();
        follower.is_over.store(true, Relaxed);
        ended
    };
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for follower in followers {
            let named = std::thread::Builder::new().name("watch".to_owned());
            threads.push(named.spawn_scoped(scope, move || follow(follower))?);
        }
        let mut outcome = CommandOutcome::Done;
        for thread in threads {
            match thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))? {
                CommandOutcome::Done => {}
                other => outcome = other,
            }
        }
        Ok(outcome)
    })
}

/// One folder, while the command runs.
struct Follower<'a> {
    args: &'a WatchArgs,
    settings: &'a IngestSettings,
    /// True if the folder of a run has to be named.
    is_one_of_many: bool,
    context: &'a CommandContext,
    interrupt: &'a AtomicBool,
    /// Set when one of the folders has ended the command.
    is_over: &'a AtomicBool,
    /// Held by the folder that is run.
    turn: &'a Mutex<()>,
    /// Notes that were printed: each run would repeat them.
    said: Mutex<HashSet<String>>,
    /// What the last attempt waited for.
    waits_for: Option<String>,
}

impl Follower<'_> {
    /// The first run, then one after each change.
    fn follow(&mut self) -> Result<CommandOutcome, Failure> {
        let mut watcher = Watcher::new(self.settings, self.args.poll);
        let mut state = None;
        loop {
            let began = Instant::now();
            let done = self.attempt_in_turn(state.is_none())?;
            watcher.looked(began.elapsed(), done.is_none());
            match done {
                Some(true) => return Ok(CommandOutcome::Interrupted),
                Some(false) if state.as_ref() != Some(watcher.state()) => {
                    self.say_state(state.as_ref(), watcher.state());
                    state = Some(watcher.state().clone());
                }
                _ => {}
            }
            if !watcher.wait(&|| self.interrupt.load(Relaxed) || self.is_over.load(Relaxed)) {
                return Ok(CommandOutcome::Done);
            }
        }
    }

    fn attempt_in_turn(&mut self, is_first: bool) -> Result<Option<bool>, Failure> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_over.load(Relaxed) || (!is_first && self.interrupt.load(Relaxed)) {
            return Ok(Some(false));
        }
        self.attempt(is_first)
    }

    /// One run, if there is anything to do; true if it was interrupted, `None` if it has to wait for something.
    fn attempt(&mut self, is_first: bool) -> Result<Option<bool>, Failure> {
        let began = Instant::now();
        let result = match is_first {
            true => {
                let progress = Progress::new(ProgressChoice::Auto, self.context.level, self.interrupt);
                progress.during(|observer| ingest::run(self.settings, &self.once(observer))).map(Some)
            }
            false => {
                let level = self.context.level.min(LogLevel::Warn);
                let progress = Progress::new(ProgressChoice::Off, level, self.interrupt);
                progress.during(|observer| watch::update(self.settings, &self.once(observer)))
            }
        };
        match result {
            Ok(summary) => {
                if self.waits_for.take().is_some() {
                    self.context.say("goes on");
                }
                let Some(summary) = summary else { return Ok(Some(false)) };
                self.print(&summary, began.elapsed(), is_first)?;
                Ok(Some(summary.interrupted))
            }
            Err(error) if self.is_reason_to_wait(&error, is_first) => {
                self.say_waiting(&error);
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The only folder is a mistake if it is not there when the command begins; later, and among others, it may come back.
    fn is_reason_to_wait(&self, error: &IngestError, is_first: bool) -> bool {
        let is_locked = matches!(error, IngestError::Store(_));
        watch::is_temporary(error) && (is_locked || !is_first || self.is_one_of_many)
    }

    fn say_waiting(&mut self, error: &IngestError) {
        let reason = error.to_string();
        if self.waits_for.as_ref() != Some(&reason) {
            self.context.warn(&terminal::line(&format!("{reason}; waiting")));
            self.waits_for = Some(reason);
        }
    }

    fn say_state(&self, before: Option<&WatchState>, state: &WatchState) {
        let folder = self.settings.root.display().to_string();
        let folder = terminal::line(&folder);
        match (before, state) {
            (None, WatchState::Events { folders }) => {
                self.context.say(&format!("watching `{folder}`: {}", counted(*folders as u64, "folder")))
            }
            (_, WatchState::Polling { reason: Some(reason) }) => {
                self.context.warn(&format!("`{folder}` is polled: {reason}"))
            }
            (None, WatchState::Polling { reason: None }) => {
                self.context.say(&format!("watching `{folder}`: polled"))
            }
            _ => {}
        }
    }

    fn print(&self, summary: &IngestSummary, took: Duration, is_first: bool) -> Result<(), Failure> {
        let root = self.is_one_of_many.then(|| absolute(&self.settings.root).display().to_string());
        let run = WatchedRun { at: stored_now(), milliseconds: took.as_millis() as u64, root, summary };
        match self.args.json {
            true if is_first || !run.is_empty() => self.context.print_json(&run),
            false if !run.is_empty() => self.context.print(&format!("{run}\n")),
            _ => Ok(()),
        }
    }

    /// The observer, without notes that it has received before.
    fn once<'o>(&'o self, observer: &'o dyn Observer) -> NotesOnce<'o> {
        NotesOnce { observer, said: &self.said }
    }
}

/// Passes each note on once.
struct NotesOnce<'o> {
    observer: &'o dyn Observer,
    said: &'o Mutex<HashSet<String>>,
}

impl Observer for NotesOnce<'_> {
    fn on_event(&self, event: &ProgressEvent<'_>) {
        if let ProgressEvent::Note { level: NoteLevel::Warn, text } = event {
            let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
            if !said.insert((*text).to_owned()) {
                return;
            }
        }
        self.observer.on_event(event);
    }

    fn interrupted(&self) -> bool {
        self.observer.interrupted()
    }
}

/// One run as a line, or as JSON.
#[derive(Debug, Serialize)]
struct WatchedRun<'s> {
    /// When it ended.
    at: String,
    /// From the moment it was due to its end.
    milliseconds: u64,
    /// The folder, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    #[serde(flatten)]
    summary: &'s IngestSummary,
}

impl WatchedRun<'_> {
    /// True if the run has changed nothing but metadata.
    fn is_empty(&self) -> bool {
        let summary = self.summary;
        summary.new + summary.changed + summary.renamed + summary.deleted + summary.done.processed == 0
    }
}

impl fmt::Display for WatchedRun<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        let files = [
            (summary.new, "new"),
            (summary.changed, "changed"),
            (summary.renamed, "renamed"),
            (summary.deleted, "deleted"),
            (summary.retried, "tried again"),
        ];
        write!(f, "{} ", self.at)?;
        for (number, what) in files.into_iter().filter(|(number, _)| *number > 0) {
            write!(f, " {} {what},", count(number))?;
        }
        write!(f, " {}", counted(summary.done.chunks, "chunk"))?;
        if summary.done.errors > 0 {
            write!(f, ", {}", counted(summary.done.errors, "error"))?;
        }
        write!(f, ", {} ms", count(self.milliseconds))?;
        match &self.root {
            Some(root) => write!(f, ", in `{}`", terminal::line(root)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_one_line() {
        let mut summary = IngestSummary { new: 2, deleted: 1000, unchanged: 7, ..IngestSummary::default() };
        fn run(summary: &IngestSummary) -> WatchedRun<'_> {
            WatchedRun { at: "2026-01-02T03:04:05.678Z".to_owned(), milliseconds: 43, root: None, summary }
        }
        assert_eq!(
            run(&summary).to_string(),
            "2026-01-02T03:04:05.678Z  2 new, 1,000 deleted, 0 chunks, 43 ms"
        );
        summary.done.errors = 1;
        assert!(run(&summary).to_string().ends_with(" 0 chunks, 1 error, 43 ms"));
        assert!(!run(&summary).is_empty() && run(&IngestSummary::default()).is_empty());
    }

    #[test]
    fn intervals_are_seconds() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["0", "-1", "x", "1e40", "NaN"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
