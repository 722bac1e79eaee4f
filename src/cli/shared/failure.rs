//! Why a command failed, and how that is printed.

use super::{colour, hints, terminal};
use pensieve_store::exit::{Advice, CommandError, Exit};
use pensieve_store::store::MAKE_DATABASE;
use pensieve_text::model::Problem;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Mutex;
use thiserror::Error;

/// Why a command could not do its work.
#[derive(Debug, Error)]
pub enum Failure {
    /// Flags or arguments that contradict each other.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// An error of what the command does.
    #[error("{0}")]
    Work(Box<dyn CommandError>),
    /// Vectors that the database does not have.
    #[error("`{database}` has no vectors of `{model}`")]
    NoSuchModel {
        /// The model, as given.
        model: String,
        /// The database.
        database: String,
        /// The models that it has vectors of.
        known: Vec<String>,
    },
    /// A file that the database does not have.
    #[error("`{database}` has no file `{file}`")]
    NoSuchFile {
        /// The file, as given.
        file: String,
        /// The database.
        database: String,
        /// What can be given instead.
        hint: String,
    },
    /// A name that matches several files.
    #[error("`{file}` may be any of {}", candidates.join(", "))]
    Ambiguous {
        /// The name, as given.
        file: String,
        /// The first few matches.
        candidates: Vec<String>,
    },
    /// A file without the requested text.
    #[error("`{file}` has no {what}: {reason}")]
    NoText {
        /// The file.
        file: String,
        /// The requested text.
        what: String,
        /// Why it does not exist.
        reason: String,
    },
    /// A folder that the database was not made from.
    #[error("`{database}` has no root `{root}`")]
    NoSuchRoot {
        /// The folder, as given.
        root: String,
        /// The database.
        database: String,
        /// The roots of the database.
        known: Vec<String>,
    },
    /// A file that exists already.
    #[error("`{}` exists already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file that cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file that cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A document that cannot be read.
    #[error("cannot read `{}`: {}: {}", path.display(), problem.kind, problem.message)]
    UnreadableDocument {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A fault of this program.
    #[error("{message} ({place}); this is a bug in pensieve {}", env!("CARGO_PKG_VERSION"))]
    Bug {
        /// The message of the panic.
        message: String,
        /// The place in the source.
        place: String,
    },
}

impl<E: CommandError + 'static> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Work(Box::new(error))
    }
}

impl Failure {
    /// The exit code of the failure.
    pub fn exit(&self) -> Exit {
        self.advice().exit
    }

    /// What the user can do about it, if anything.
    pub fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = self.advice().hint?;
        // Only a command line has arguments that may be swapped.
        let swapped = if hint == MAKE_DATABASE { hints::other_database() } else { None };
        Some(swapped.map_or(hint, Cow::Owned))
    }

    fn advice(&self) -> Advice {
        match self {
            Failure::Work(error) => error.advice(),
            Failure::Usage { hint, .. } => Exit::Usage.hint(hint.clone()),
            Failure::Exists { .. } => Exit::Usage.hint("use --force to overwrite it"),
            Failure::NoSuchFile { hint, .. } => Exit::Input.hint(hint.clone()),
            Failure::Ambiguous { .. } => Exit::Input.hint("give more of the path"),
            Failure::NoText { .. } => Exit::Input.hint("see `pensieve why` for what happened to it"),
            Failure::NoSuchModel { known, .. } if known.is_empty() => {
                Exit::Input.hint("`pensieve embed` makes vectors")
            }
            Failure::NoSuchModel { known, .. } | Failure::NoSuchRoot { known, .. } if !known.is_empty() => {
                Exit::Input.hint(format!("it has {}", known.join(", ")))
            }
            Failure::Bug { .. } => {
                Exit::Bug.hint("please report it with the command that you ran; RUST_BACKTRACE=1 shows more")
            }
            _ => Exit::Input.into(),
        }
    }

    /// The lines printed on stderr: the message, and the hint if there is one. Empty if the reader of stdout has
    /// closed it.
    pub fn message(&self) -> String {
        if self.exit() == Exit::Done {
            return String::new();
        }
        let mut message = format!("error: {}\n", terminal::line(&self.to_string()));
        if let Some(hint) = self.hint() {
            let _ = writeln!(message, "hint: {}", terminal::line(&hint));
        }
        message
    }

    /// Prints it on stderr and returns the exit code.
    pub fn report(&self) -> Exit {
        let _ = io::stderr().lock().write_all(colour::on_stderr(&self.message()).as_bytes());
        self.exit()
    }
}

/// The message and the place of the last panic.
static LAST_PANIC: Mutex<Option<(String, String)>> = Mutex::new(None);

/// Prevents panics from writing to stderr: one that a reader causes becomes a problem of its file, and one that ends
/// the command is reported as a [`Failure::Bug`]. With `RUST_BACKTRACE` set, the usual report is printed as well.
pub fn install_panic_hook() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text =
            text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without words");
        let place = panic.location().map_or_else(|| "nowhere".to_owned(), ToString::to_string);
        // When a scoped thread panics, its scope panics too, with a message that hides the cause.
        if text != "a scoped thread panicked" {
            let mut last = LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            *last = Some((text.to_owned(), place));
        }
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            usual(panic);
        }
    }));
}

/// The failure of a command that panicked.
pub fn bug() -> Failure {
    let last = LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    let (message, place) = last.unwrap_or_else(|| ("a panic without words".to_owned(), "nowhere".to_owned()));
    Failure::Bug { message, place }
}

#[cfg(test)]
mod tests;
