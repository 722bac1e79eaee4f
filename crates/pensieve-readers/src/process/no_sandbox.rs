//! The sandbox of systems that have neither Landlock nor seccomp: programs run under limits alone.

use super::level::SandboxLevel;

/// How far this system can confine programs: not at all.
pub fn sandbox_level() -> SandboxLevel {
    SandboxLevel::default()
}

/// A sandbox that restricts nothing.
#[cfg(unix)]
pub(super) struct Sandbox;

#[cfg(unix)]
impl Sandbox {
    pub(super) fn prepare(_writable: Option<&std::path::Path>) -> Sandbox {
        Sandbox
    }

    pub(super) fn apply(&self) {}
}
