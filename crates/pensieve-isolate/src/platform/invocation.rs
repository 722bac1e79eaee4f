//! A program to launch.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A program to launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Invocation {
    /// The file of the program, as [`locate`](crate::platform::locate()) returns it.
    pub program: PathBuf,
    /// Its arguments, passed unchanged.
    pub arguments: Vec<OsString>,
    /// The only folder that it may write to, in which it also starts and keeps its temporary files. Without one it may
    /// not write at all.
    pub folder: Option<PathBuf>,
}

impl Invocation {
    /// A program and its arguments, with no folder to write to.
    pub fn new<A: AsRef<OsStr>>(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Invocation {
        let arguments = arguments.into_iter().map(|argument| argument.as_ref().to_owned()).collect();
        Invocation { program: program.into(), arguments, folder: None }
    }

    /// The same in a folder of its own.
    pub fn within(self, folder: &Path) -> Invocation {
        Invocation { folder: Some(folder.to_owned()), ..self }
    }
}
