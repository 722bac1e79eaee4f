//! Finds, launches, limits and ends outside programs. [`crate::platform`] has the calls of each system.
//!
//! Every program is treated as hostile. It gets arguments and never a shell, an empty stdin (workers get a pipe for
//! requests), a session of its own without a terminal, a short environment, limits of the kernel, and, where the kernel
//! can do it, a sandbox: it reads programs only, writes into its private folder only, and reaches no network and no
//! other process. Its output pipes are drained and capped. When its time is up, its whole process tree is
//! ended, including processes that left the group, and a pipe that a process still holds open delays nothing.

mod run;
mod template;
mod version;

pub(crate) use crate::platform::Invocation;
pub use crate::platform::{ProcessLimits, SandboxLevel, SealError, locate, sandbox_level, seal_process};
pub(crate) use run::{ProcessOutput, RunFailure, run};
pub use template::{CommandTemplate, CommandTemplateError};
pub use version::{VersionMemory, version_of};
