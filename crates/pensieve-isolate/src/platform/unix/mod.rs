//! The half for Unix. Linux has a sandbox, `openat2`, `statx` and the whole process tree; other systems do with less.

mod beneath;
mod child;
mod files;
mod folder;
mod limits;
mod names;
mod pipes;
mod private_folder;
mod requests;
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
mod signals;
mod stat;
mod tree;

pub(crate) use child::ChildProcess;
pub(crate) use files::{file_in_memory, hole_bytes, open_file, open_file_through_links};
pub use files::{flush_folder, keep_files_private, open_file_limit, open_folder, read_at};
pub use folder::OpenFolder;
pub use names::{name_from_bytes, path_bytes, path_from_bytes};
pub(crate) use pipes::ChildPipes;
pub(crate) use private_folder::{PrivateFolderUsage, remove_folder};
pub(crate) use requests::RequestStream;
pub use rustix::io::Errno;
pub use sandbox::{sandbox_level, seal_process};
pub use signals::InterruptSignals;
pub(crate) use signals::{FORBIDDEN_CALL, KILLED, OUT_OF_CPU_TIME, OUTPUT_FILE_TOO_LARGE, signal_of};
pub use stat::{has_stable_inodes, stat_at_path, stat_in_brief, stat_open};
