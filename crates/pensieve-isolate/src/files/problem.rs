//! Errors of the system as problems of a file.

use crate::platform::Errno;
use pensieve_text::model::{Problem, ProblemKind};

/// A failed call as a problem of the file or folder concerned.
pub fn problem(error: Errno, what: &str) -> Problem {
    let (kind, why) = match error {
        Errno::ACCESS | Errno::PERM => (ProblemKind::Permissions, "permission denied".to_owned()),
        Errno::NOENT | Errno::NOTDIR | Errno::STALE => {
            (ProblemKind::Vanished, "it is no longer there".to_owned())
        }
        Errno::LOOP => (ProblemKind::Changed, "it has become a symlink".to_owned()),
        Errno::NAMETOOLONG => (ProblemKind::PathTooLong, "the path is too long for this system".to_owned()),
        error => (ProblemKind::Io, error.to_string()),
    };
    Problem::new(kind, format!("{what}: {why}"))
}
