//! The command line: one file a command, whose doc comments are its help.
//!
//! Commands turn arguments into calls of the library and results into text. Data goes to stdout, talk to stderr. Nothing
//! below this module prints, reads the environment or knows exit codes.

mod check_dependencies;
mod clean;
mod collect;
mod compact;
mod completions;
mod convert;
mod errors;
mod diff;
mod export;
mod failure;
mod fingerprint;
mod forget;
mod ingest;
mod init;
mod layout;
mod log_lines;
mod man;
mod named;
mod place;
mod progress;
mod report;
mod review;
mod search;
mod serve;
mod settings;
mod signal;
mod stats;
mod status;
mod summary;
mod terminal;
mod text;
mod verify;
mod why;
mod worker;

pub use failure::{EXIT_CODES, Exit, Failure};

use crate::config::{Config, ConfigSources, FlagValue, ProjectFile};
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::io::{self, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Turns a folder into one SQLite file fit for language models.
///
/// Every file becomes clean text, every text chunks of exact token counts, every chunk a row that says where it comes
/// from. What several files share is stored once. Running it again reads only what has changed.
#[derive(Debug, Parser)]
#[command(
    name = "pensieve",
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Example: pensieve ingest ~/notes notes.db && pensieve search notes.db 'tax return'"
)]
struct Cli {
    #[command(flatten)]
    talk: Talk,
    #[command(subcommand)]
    command: Command,
}

/// How much is told on stderr.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Messages")]
struct Talk {
    /// How much to tell on stderr.
    #[arg(long, global = true, value_name = "LEVEL")]
    log_level: Option<LogLevel>,
    /// Tell more: as --log-level debug; twice, trace.
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with_all = ["quiet", "log_level"])]
    verbose: u8,
    /// Tell problems only: as --log-level error.
    #[arg(short, long, global = true, conflicts_with = "log_level")]
    quiet: bool,
}

/// What is told: each level, and those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, ValueEnum)]
pub enum LogLevel {
    /// What went wrong.
    Error,
    /// What needs a look.
    Warn,
    /// How it goes on.
    #[default]
    Info,
    /// What became of each file.
    Debug,
    /// Everything.
    Trace,
}

impl Talk {
    fn level(&self) -> LogLevel {
        match (self.quiet, self.verbose, self.log_level) {
            (true, ..) => LogLevel::Error,
            (_, 1, _) => LogLevel::Debug,
            (_, 2.., _) => LogLevel::Trace,
            (_, _, level) => level.unwrap_or_default(),
        }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    Ingest(ingest::IngestArgs),
    Clean(clean::CleanArgs),
    Search(search::SearchArgs),
    Text(text::TextArgs),
    Diff(diff::DiffArgs),
    Review(review::ReviewArgs),
    Layout(layout::LayoutArgs),
    Stats(stats::StatsArgs),
    Errors(errors::ErrorsArgs),
    Why(why::WhyArgs),
    Export(export::ExportArgs),
    Serve(serve::ServeArgs),
    Collect(collect::CollectArgs),
    Convert(convert::ConvertArgs),
    Verify(verify::VerifyArgs),
    Fingerprint(fingerprint::FingerprintArgs),
    Forget(forget::ForgetArgs),
    Compact(compact::CompactArgs),
    Init(init::InitArgs),
    CheckDependencies(check_dependencies::CheckDependenciesArgs),
    Worker(worker::WorkerArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Command {
    fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        match self {
            Command::Ingest(args) => ingest::run(args, context),
            Command::Clean(args) => clean::run(args, context),
            Command::Search(args) => search::run(args, context),
            Command::Text(args) => text::run(args, context),
            Command::Diff(args) => diff::run(args, context),
            Command::Review(args) => review::run(args, context),
            Command::Layout(args) => layout::run(args, context),
            Command::Stats(args) => stats::run(args, context),
            Command::Errors(args) => errors::run(args, context),
            Command::Why(args) => why::run(args, context),
            Command::Export(args) => export::run(args, context),
            Command::Serve(args) => serve::run(args, context),
            Command::Collect(args) => collect::run(args, context),
            Command::Convert(args) => convert::run(args, context),
            Command::Verify(args) => verify::run(args, context),
            Command::Fingerprint(args) => fingerprint::run(args, context),
            Command::Forget(args) => forget::run(args, context),
            Command::Compact(args) => compact::run(args, context),
            Command::Init(args) => init::run(args, context),
            Command::CheckDependencies(args) => check_dependencies::run(args, context),
            Command::Worker(args) => worker::run(args, context),
            Command::Completions(args) => completions::run(args, context),
            Command::Man(args) => man::run(args, context),
        }
    }
}

/// How a command ended that did its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Done,
    /// There are problems that the user asked to hear of.
    Problems,
    /// The user stopped it.
    Interrupted,
}

impl From<Outcome> for Exit {
    fn from(outcome: Outcome) -> Exit {
        match outcome {
            Outcome::Done => Exit::Done,
            Outcome::Problems => Exit::Problems,
            Outcome::Interrupted => Exit::Interrupted,
        }
    }
}

/// The whole program: reads the command line, does what it says, and answers with the exit code.
pub fn run() -> ExitCode {
    failure::install_panic_hook();
    let cli = match parse() {
        Ok(cli) => cli,
        Err(exit) => return exit.into(),
    };
    let context = Context { level: cli.talk.level() };
    let ended = catch_unwind(AssertUnwindSafe(|| cli.command.run(&context)));
    let exit = match ended.unwrap_or_else(|_| Err(failure::bug())) {
        Ok(outcome) => outcome.into(),
        Err(failure) => failure.report(),
    };
    exit.into()
}

/// The definition of every command, for help, completions and the manual.
fn definition() -> clap::Command {
    let codes: String =
        EXIT_CODES.iter().map(|(_, code, meaning)| format!("\n  {code:>3}  {meaning}")).collect();
    let example = Cli::command().get_after_help().map(ToString::to_string).unwrap_or_default();
    Cli::command().after_long_help(format!("{example}\n\nExit codes:{codes}"))
}

fn parse() -> Result<Cli, Exit> {
    let parsed = definition().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    parsed.map_err(|error| {
        let _ = error.print();
        if error.use_stderr() { Exit::Usage } else { Exit::Done }
    })
}

/// What every command knows of the world that it was called in.
#[derive(Debug, Clone)]
pub struct Context {
    /// How much is told on stderr.
    pub level: LogLevel,
}

impl Context {
    /// Reads the configuration: every layer, with these flags on top.
    ///
    /// # Errors
    /// Whatever is wrong in any layer.
    pub fn config(&self, named: Option<&Path>, flags: Vec<FlagValue>) -> Result<Config, Failure> {
        let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let user =
            std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
        let user = user.or_else(|| home.as_ref().map(|home| home.join(".config")));
        let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        let sources = ConfigSources {
            user: user.map(|folder| folder.join("pensieve").join("pensieve.toml")),
            project: Some(match named {
                Some(path) => ProjectFile::Named(path.to_owned()),
                None => ProjectFile::Found(PathBuf::from("./pensieve.toml")),
            }),
            environment: std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect(),
            flags,
            home,
        };
        Ok(crate::config::load(&sources)?)
    }

    /// Puts data on stdout.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    /// Puts one JSON object, or one of many, on stdout.
    pub fn print_json(&self, value: &impl serde::Serialize) -> Result<(), Failure> {
        let mut text = serde_json::to_string(value).map_err(io::Error::from)?;
        text.push('\n');
        self.print(&text)
    }

    /// Puts foreign text on stdout: as it is for a program, made harmless for a terminal.
    pub fn print_foreign(&self, text: &str) -> Result<(), Failure> {
        if io::stdout().is_terminal() { self.print(&terminal::block(text)) } else { self.print(text) }
    }

    /// Tells something on stderr that needs a look.
    pub fn warn(&self, line: &str) {
        if self.level >= LogLevel::Warn {
            let _ = writeln!(io::stderr().lock(), "warning: {line}");
        }
    }

    /// Tells on stderr what went wrong.
    pub fn complain(&self, line: &str) {
        let _ = writeln!(io::stderr().lock(), "{}", terminal::line(line));
    }

    /// Tells something on stderr that is worth knowing.
    pub fn say(&self, line: &str) {
        if self.level >= LogLevel::Info {
            let _ = writeln!(io::stderr().lock(), "{line}");
        }
    }
}

/// The absolute form of a path as given: `.` and `..` resolved in the text, symlinks not.
fn absolute(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
        match part {
            std::path::Component::ParentDir => {
                out.pop();
            }
            std::path::Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        definition().debug_assert();
    }

    #[test]
    fn every_command_shows_one_example_of_itself() {
        for command in definition().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let start = format!("Example: pensieve {}", command.get_name());
            assert!(help.starts_with(&start) && help.lines().count() == 1, "{}: {help}", command.get_name());
            let line = help.trim_start_matches("Example: ").split(" > ").next().unwrap();
            let words = line.split('\'').enumerate().flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            });
            assert!(definition().try_get_matches_from(words).is_ok(), "{help}");
        }
    }

    #[test]
    fn every_flag_and_argument_is_explained() {
        for command in definition().get_subcommands() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument.get_id());
            }
        }
    }

    #[test]
    fn levels_follow_the_flags() {
        let check = |flags: &[&str], level: LogLevel| {
            let words = ["pensieve", "stats", "x.db"].iter().chain(flags);
            let cli = Cli::from_arg_matches(&definition().try_get_matches_from(words).unwrap()).unwrap();
            assert_eq!(cli.talk.level(), level, "{flags:?}");
        };
        check(&[], LogLevel::Info);
        check(&["-v"], LogLevel::Debug);
        check(&["-vv"], LogLevel::Trace);
        check(&["-q"], LogLevel::Error);
        check(&["--log-level", "warn"], LogLevel::Warn);
    }
}
