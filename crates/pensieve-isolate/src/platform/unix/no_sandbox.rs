//! The sandbox of systems that have neither Landlock nor seccomp: programs run under limits alone.

use crate::platform::invocation::Invocation;
use crate::platform::level::{SandboxLevel, SealError};

/// How far this system can confine programs: not at all.
pub fn sandbox_level() -> SandboxLevel {
    SandboxLevel::default()
}

/// Closes the calling process: nothing can be closed here.
///
/// # Errors
/// None.
pub fn seal_process() -> Result<SandboxLevel, SealError> {
    Ok(SandboxLevel::default())
}

/// A sandbox that restricts nothing.
pub(super) struct Sandbox;

impl Sandbox {
    pub(super) fn prepare(_invocation: &Invocation) -> std::io::Result<Sandbox> {
        Ok(Sandbox)
    }

    pub(super) fn apply(&self) -> std::io::Result<()> {
        Ok(())
    }
}
