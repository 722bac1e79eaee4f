//! Finds, launches, limits and ends outside programs. No other module starts a process.
//!
//! Every program is treated as hostile. It gets arguments and never a shell, an empty stdin (workers get a pipe for
//! requests), a process group of its own, limits of the kernel, and, where the kernel can do it, a read-only file
//! system without network. Its output pipes are drained and capped. When its time is up, its whole process tree is
//! ended, including processes that left the group, and a pipe that a process still holds open delays nothing.

#[cfg(unix)]
mod child;
mod level;
mod limits;
mod locate;
#[cfg(unix)]
mod pipes;
mod run;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(not(target_os = "linux"))]
#[path = "no_sandbox.rs"]
mod sandbox;
mod template;
#[cfg(unix)]
mod tree;

#[cfg(unix)]
pub(crate) use child::{ChildInput, ChildProcess};
pub use level::SandboxLevel;
pub use limits::ProcessLimits;
pub use locate::{locate, version_of};
#[cfg(unix)]
pub(crate) use pipes::{ChildPipes, PipeTurn};
pub(crate) use run::{Invocation, RunFailure, run};
pub use sandbox::sandbox_level;
pub use template::{CommandTemplate, CommandTemplateError};
