//! How far launched programs are confined, as `check-dependencies` and every run report it.

use std::fmt;
use thiserror::Error;

/// How far launched programs are confined on this system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SandboxLevel {
    /// A program reads programs only, and writes into its private folder only (Landlock).
    pub read_only: bool,
    /// It cannot reach the network, terminals and the kernel's less common parts (seccomp).
    pub no_network: bool,
    /// It cannot send signals to processes that it did not start (Landlock 6, Linux 6.12).
    pub no_signals: bool,
    /// Workers open no file at all and make only the system calls of a short list (seccomp).
    pub sealed_workers: bool,
}

impl SandboxLevel {
    /// The level of a system that has all of it.
    pub const WHOLE: SandboxLevel =
        SandboxLevel { read_only: true, no_network: true, no_signals: true, sealed_workers: true };

    /// True if nothing is missing.
    pub fn is_whole(self) -> bool {
        self == SandboxLevel::WHOLE
    }
}

/// What programs can do because the system lacks a part, or that nothing is missing.
impl fmt::Display for SandboxLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_whole() {
            return f.write_str("no files, network, terminal or other processes");
        }
        let can = [
            (self.read_only, "converters can read and write any file of the user (no Landlock)"),
            (self.no_network, "converters can reach the network (no seccomp)"),
            (self.no_signals, "converters can send signals to other processes (Landlock below 6)"),
            (self.sealed_workers, "workers can open files (no seccomp)"),
        ];
        let missing: Vec<&str> = can.iter().filter(|(has, _)| !has).map(|(_, what)| *what).collect();
        write!(f, "this system confines programs only in part: {}", missing.join("; "))
    }
}

/// Why a worker could not be sealed in its sandbox, although this system can seal it: it must read no document.
#[derive(Debug, Error)]
pub enum SealError {
    /// The kernel refused a part of the sandbox.
    #[error("cannot seal this worker in its sandbox: {0}")]
    Refused(String),
    /// A file could be opened from inside.
    #[error("the sandbox of this worker is open: `{0}` can be opened")]
    Open(&'static str),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_read_as_claims() {
        assert_eq!(SandboxLevel::WHOLE.to_string(), "no files, network, terminal or other processes");
        let partly = SandboxLevel { no_signals: false, ..SandboxLevel::WHOLE };
        assert!(
            partly
                .to_string()
                .ends_with("in part: converters can send signals to other processes (Landlock below 6)")
        );
        assert_eq!(SandboxLevel::default().to_string().matches("can ").count(), 4);
    }
}
