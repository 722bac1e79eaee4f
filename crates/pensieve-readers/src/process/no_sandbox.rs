//! The sandbox of systems that have neither Landlock nor seccomp: programs run under limits alone.

use super::level::SandboxLevel;

/// How far this system can confine programs: not at all.
pub fn sandbox_level() -> SandboxLevel {
    SandboxLevel::default()
}

/// Closes the calling process: nothing can be closed here.
///
/// # Errors
/// None.
pub fn seal_process() -> Result<SandboxLevel, super::SealError> {
    Ok(SandboxLevel::default())
}

/// A sandbox that restricts nothing.
#[cfg(unix)]
pub(super) struct Sandbox;

#[cfg(unix)]
impl Sandbox {
    pub(super) fn prepare(_invocation: &super::Invocation) -> std::io::Result<Sandbox> {
        Ok(Sandbox)
    }

    pub(super) fn apply(&self) -> std::io::Result<()> {
        Ok(())
    }
}
