//! What a system has of its own: names as bytes, open folders and files, their metadata, child processes with limits, the
//! sandbox, signals.
//!
//! No other module of the readers names a system call, `std::os` or a crate for one system. The other modules see paths as
//! bytes with `/` between names, folders as [`OpenFolder`], and errors as [`Errno`]. A port to a system that is no Unix is a
//! second half with the items of `unix`.

mod exchange;
mod file_stat;
mod invocation;
mod level;
mod locate;
mod log;
mod process_limits;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub(crate) use exchange::{ChildInput, PendingInput, PipeTurn};
pub use file_stat::FileStat;
pub(crate) use invocation::Invocation;
pub use level::{SandboxLevel, SealError};
pub use locate::locate;
pub use process_limits::ProcessLimits;
#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub(crate) use system::{
    ChildPipes, ChildProcess, FORBIDDEN_CALL, KILLED, OUT_OF_CPU_TIME, OUTPUT_FILE_TOO_LARGE,
    PrivateFolderUsage, RequestStream, remove_folder, signal_of,
};
pub use system::{
    Errno, InterruptSignals, OpenFolder, flush_folder, has_stable_inodes, keep_files_private,
    name_from_bytes, open_file_limit, open_folder, path_bytes, path_from_bytes, read_at, sandbox_level,
    seal_process, stat_at_path, stat_in_brief, stat_open,
};
pub(crate) use system::{file_in_memory, hole_bytes, open_file, open_file_through_links};
