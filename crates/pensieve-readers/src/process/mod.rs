//! Finds, launches, limits and ends outside programs. No other module starts a process.
//!
//! Every program is treated as hostile. It gets arguments and never a shell, an empty stdin (workers get a pipe for
//! requests), a session of its own without a terminal, a short environment, limits of the kernel, and, where the kernel
//! can do it, a sandbox: it reads programs only, writes into its private folder only, and reaches no network and no
//! other process. Its output pipes are drained and capped. When its time is up, its whole process tree is
//! ended, including processes that left the group, and a pipe that a process still holds open delays nothing.

#[cfg(unix)]
mod child;
#[cfg(unix)]
mod folder;
mod invocation;
mod level;
mod limits;
mod locate;
#[cfg(unix)]
mod pipes;
mod run;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
))]
mod sandbox;
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
)))]
#[path = "no_sandbox.rs"]
mod sandbox;
mod template;
#[cfg(unix)]
mod tree;
mod version;

#[cfg(unix)]
pub(crate) use child::{ChildInput, ChildProcess};
#[cfg(unix)]
pub(crate) use folder::remove_folder;
pub(crate) use invocation::Invocation;
pub use level::{SandboxLevel, SealError};
pub use limits::ProcessLimits;
pub use locate::locate;
#[cfg(unix)]
pub(crate) use pipes::{ChildPipes, PendingInput, PipeTurn};
pub(crate) use run::{ProcessOutput, RunFailure, run};
pub use sandbox::{sandbox_level, seal_process};
pub use template::{CommandTemplate, CommandTemplateError};
pub use version::{VersionMemory, version_of};
