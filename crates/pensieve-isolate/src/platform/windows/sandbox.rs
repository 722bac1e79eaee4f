//! There is no sandbox: programs run under limits alone.

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
