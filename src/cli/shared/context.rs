//! What every command receives: the log level, the configuration, output to stdout and stderr.

use super::failure::Failure;
use super::{colour, settings, terminal};
use crate::config::{Config, ConfigSources, FlagValue, ProjectConfigFile, UserConfigFile};
use clap::{ArgAction, Args, ValueEnum};
use pensieve_store::embedding::QuestionEmbedder;
use pensieve_store::exit::Exit;
use pensieve_store::store::{SearchMode, Store};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The user's own file, below the folder of configurations.
const USER_FILE: &str = "pensieve/pensieve.toml";

/// Flags for how much is printed on stderr.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct MessageArgs {
    /// How much to print on stderr.
    #[arg(long, global = true, value_name = "LEVEL")]
    log_level: Option<LogLevel>,
    /// Print more: as --log-level debug; twice, trace.
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with_all = ["quiet", "log_level"])]
    verbose: u8,
    /// Print problems only: as --log-level error.
    #[arg(short, long, global = true, conflicts_with = "log_level")]
    quiet: bool,
}

/// What is printed on stderr: each level includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, ValueEnum)]
pub enum LogLevel {
    /// Failures.
    Error,
    /// What should be checked.
    Warn,
    /// The progress of the run.
    #[default]
    Info,
    /// The outcome for each file.
    Debug,
    /// Everything.
    Trace,
}

impl MessageArgs {
    /// The level that the flags choose.
    pub fn level(&self) -> LogLevel {
        match (self.quiet, self.verbose, self.log_level) {
            (true, ..) => LogLevel::Error,
            (_, 1, _) => LogLevel::Debug,
            (_, 2.., _) => LogLevel::Trace,
            (_, _, level) => level.unwrap_or_default(),
        }
    }
}

/// How a command ended that did its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandOutcome {
    /// Without problems, or with problems that the user did not ask to count.
    Done,
    /// With problems, and the user asked for them to count.
    Problems,
    /// The user stopped it.
    Interrupted,
}

impl From<CommandOutcome> for Exit {
    fn from(outcome: CommandOutcome) -> Exit {
        match outcome {
            CommandOutcome::Done => Exit::Done,
            CommandOutcome::Problems => Exit::Problems,
            CommandOutcome::Interrupted => Exit::Interrupted,
        }
    }
}

/// What every command receives besides its arguments.
#[derive(Debug, Clone)]
pub struct CommandContext {
    /// How much is printed on stderr.
    pub level: LogLevel,
    /// Returns the definition of every command, for completions and the manual.
    pub definition: fn() -> clap::Command,
}

impl CommandContext {
    /// Reads the configuration: every layer, with these flags above the others.
    ///
    /// # Errors
    /// The first error in any layer.
    pub fn config(&self, named: Option<&Path>, flags: Vec<FlagValue>) -> Result<Config, Failure> {
        let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let named_folder =
            std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
        let user = match (named_folder, &home) {
            (Some(folder), _) => Some(UserConfigFile::Named(folder.join(USER_FILE))),
            (None, Some(home)) => Some(UserConfigFile::Home(home.join(".config").join(USER_FILE))),
            (None, None) => None,
        };
        let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        let sources = ConfigSources {
            user,
            project: Some(match named {
                Some(path) => ProjectConfigFile::Named(path.to_owned()),
                None => ProjectConfigFile::Found(PathBuf::from("./pensieve.toml")),
            }),
            environment: std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect(),
            flags,
            home,
        };
        let config = crate::config::load(&sources)?;
        config.warnings.iter().for_each(|line| self.warn(&terminal::line(line)));
        Ok(config)
    }

    /// What makes vectors of questions about a database. The configuration is read only where it may be needed: a mode is
    /// asked for, or the database has vectors. One that was not named and cannot be used is a reason to answer by words.
    ///
    /// # Errors
    /// The database cannot be read, or the configuration that was named cannot be used.
    pub fn embedder(
        &self,
        store: &Store,
        asked: Option<SearchMode>,
        named: Option<&Path>,
    ) -> Result<QuestionEmbedder, Failure> {
        match asked {
            Some(SearchMode::Words) => Ok(QuestionEmbedder::none()),
            None if named.is_none() && !store.vectors().has_any()? => Ok(QuestionEmbedder::none()),
            _ => self.embedder_for_all(named),
        }
    }

    /// The same for any database.
    ///
    /// # Errors
    /// The configuration that was named cannot be used.
    pub fn embedder_for_all(&self, named: Option<&Path>) -> Result<QuestionEmbedder, Failure> {
        match self.config(named, Vec::new()) {
            Ok(config) => {
                let mode = config.is_chosen("search.mode").then_some(config.search.mode);
                let embedding = settings::embedding(&config).map_err(|failure| failure.to_string());
                Ok(QuestionEmbedder::new(embedding, mode))
            }
            Err(failure) if named.is_some() => Err(failure),
            Err(failure) => Ok(QuestionEmbedder::new(Err(failure.to_string()), None)),
        }
    }

    /// Prints data on stdout.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    /// Prints one JSON object, or one of many, on stdout.
    pub fn print_json(&self, value: &impl serde::Serialize) -> Result<(), Failure> {
        let mut text = serde_json::to_string(value).map_err(io::Error::from)?;
        text.push('\n');
        self.print(&text)
    }

    /// Prints foreign text on stdout: unchanged to a program, escaped for a terminal.
    pub fn print_foreign(&self, text: &str) -> Result<(), Failure> {
        if io::stdout().is_terminal() { self.print(&terminal::block(text)) } else { self.print(text) }
    }

    /// Rejects converters that cannot work, and warns of those whose extension may be misspelt.
    pub fn check_converters(&self, config: &Config) -> Result<(), Failure> {
        for warning in config.converter_warnings() {
            self.warn(&warning);
        }
        Ok(config.check_converters()?)
    }

    /// Prints a warning on stderr.
    pub fn warn(&self, line: &str) {
        if self.level >= LogLevel::Warn {
            let _ = writeln!(io::stderr().lock(), "{}", colour::on_stderr(&format!("warning: {line}")));
        }
    }

    /// Prints an error on stderr.
    pub fn complain(&self, line: &str) {
        let _ = writeln!(io::stderr().lock(), "{}", terminal::line(line));
    }

    /// Prints a notice on stderr.
    pub fn say(&self, line: &str) {
        if self.level >= LogLevel::Info {
            let _ = writeln!(io::stderr().lock(), "{line}");
        }
    }

    /// Prints foreign text on stderr if everything is asked for.
    pub fn trace(&self, text: &str) {
        if self.level >= LogLevel::Trace {
            let _ = writeln!(io::stderr().lock(), "{}", terminal::line(text));
        }
    }
}

/// The absolute form of a path as given: `.` and `..` resolved in the text, symlinks not.
pub(crate) fn absolute(path: &Path) -> PathBuf {
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
