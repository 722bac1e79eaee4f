//! Outside programs: found, launched, limited, ended. Nothing else in Pensieve starts a process.
//!
//! Every program is taken for hostile. It gets arguments and never a shell, an empty stdin, a process group of its
//! own, limits from the kernel, and where the kernel can do it a read-only file system without network. Both its
//! pipes are drained and capped. When its time is up, its whole tree of processes ends, also those that left the
//! group, and a pipe that somebody still holds open keeps nobody waiting.

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
pub use child::{ChildInput, ChildProcess};
pub use level::SandboxLevel;
pub use limits::ProcessLimits;
pub use locate::{locate, version_of};
#[cfg(unix)]
pub use pipes::{ChildPipes, PipeTurn};
pub use run::{Invocation, ProcessOutput, RunFailure, run};
pub use sandbox::sandbox_level;
pub use template::{CommandTemplate, CommandTemplateError};
#[cfg(unix)]
pub use tree::ResourceUsage;
