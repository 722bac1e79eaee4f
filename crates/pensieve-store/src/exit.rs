//! How a command ends, for the shell, and what an error that ends it has to say about that.
//!
//! Each error carries its exit code and its hint beside its variants. A problem with a single file never ends a command.

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::process::ExitCode;

/// How a command ended, for the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The command did its job.
    Done,
    /// The command did its job, with problems that the user asked to count.
    Problems,
    /// The command line cannot be understood.
    Usage,
    /// The configuration cannot be used.
    Configuration,
    /// The input does not exist or cannot be read.
    Input,
    /// The database cannot be used.
    Database,
    /// A fault of this program.
    Bug,
    /// The user stopped the command.
    Interrupted,
}

/// Every exit code with its meaning, as shown by `--help` and the manual.
pub const EXIT_CODES: &[(Exit, u8, &str)] = &[
    (Exit::Done, 0, "done; problems of single files are rows of the database"),
    (
        Exit::Problems,
        1,
        "done, with problems, and --strict was given; or verify found violations, eval questions that it could not count, or cite words that are gone",
    ),
    (Exit::Usage, 2, "the command line cannot be understood"),
    (Exit::Configuration, 3, "the configuration cannot be used"),
    (Exit::Input, 4, "what should be read is missing or unreadable"),
    (Exit::Database, 5, "the database is locked, not ours, newer, read-only or full"),
    (Exit::Bug, 70, "a bug"),
    (Exit::Interrupted, 130, "interrupted; the database is consistent, the next run goes on from there"),
];

impl Exit {
    /// The number that the shell receives.
    pub fn code(self) -> u8 {
        EXIT_CODES.iter().find(|(exit, ..)| *exit == self).map_or(70, |(_, code, _)| *code)
    }

    /// This exit, and what the user can do.
    pub fn hint(self, hint: impl Into<Cow<'static, str>>) -> Advice {
        Advice { exit: self, hint: Some(hint.into()) }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// How a command ends because of an error, and what its user can do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// How it ends.
    pub exit: Exit,
    /// What the user can do, if anything.
    pub hint: Option<Cow<'static, str>>,
}

impl From<Exit> for Advice {
    fn from(exit: Exit) -> Advice {
        Advice { exit, hint: None }
    }
}

/// An error that can end a command.
pub trait CommandError: Error + Send + Sync {
    /// The exit code, and what the user can do.
    fn advice(&self) -> Advice;
}

/// Standard output or input failed. A reader that stops reading, such as `head`, is not a failure.
impl CommandError for io::Error {
    fn advice(&self) -> Advice {
        if self.kind() == io::ErrorKind::BrokenPipe { Exit::Done } else { Exit::Input }.into()
    }
}

/// The table of an error: for each variant the exit, and what the user can do if there is anything. The variants after
/// `passes` contain another error, which decides.
#[macro_export]
macro_rules! command_error {
    ($error:ident $(passes $($inner:ident),+)? {
        $($($variant:ident $({ $($field:tt $(: $name:ident)?),+ })?)|+ $(if $guard:expr)? => $exit:ident $(, $hint:expr)?;)+
    }) => {
        impl $crate::exit::CommandError for $error {
            fn advice(&self) -> $crate::exit::Advice {
                match self {
                    $($($error::$inner(error) => $crate::exit::CommandError::advice(error),)+)?
                    $($($error::$variant { $($($field $(: $name)?,)+)? .. })|+ $(if $guard)? => {
                        $crate::exit::Exit::$exit$(.hint($hint))?.into()
                    })+
                }
            }
        }
    };
}
pub use command_error;
