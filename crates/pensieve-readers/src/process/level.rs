//! How far launched programs are confined, as `check-dependencies` shows it.

use std::fmt;

/// How far a launched program is confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SandboxLevel {
    /// It cannot write outside its private folder.
    pub read_only: bool,
    /// It cannot reach the network.
    pub no_network: bool,
}

impl fmt::Display for SandboxLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.read_only, self.no_network) {
            (true, true) => "read-only file system, no network",
            (true, false) => "read-only file system (this system lacks seccomp)",
            (false, true) => "no network (this system lacks Landlock)",
            (false, false) => "limits only (this system lacks Landlock and seccomp)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_read_as_claims() {
        let full = SandboxLevel { read_only: true, no_network: true };
        assert_eq!(full.to_string(), "read-only file system, no network");
    }
}
