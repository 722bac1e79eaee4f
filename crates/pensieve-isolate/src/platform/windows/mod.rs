//! The half for Windows. It has no sandbox: [`sandbox_level`] says so, and programs run under the limits of a job alone.
//!
//! What takes the place of what Windows lacks: the volume and file number for device and inode, the change time of NTFS
//! for ctime, `0o666` or `0o444` for permissions, a job object for limits and the process tree, a duplicated handle for
//! a descriptor that is sent, exception codes for signals. There are no FIFO, no devices in folders, no `noatime`.

mod child;
mod errno;
mod files;
mod folder;
mod job;
mod names;
mod pipes;
mod private_folder;
mod requests;
mod sandbox;
mod signals;
mod stat;

pub(crate) use child::ChildProcess;
pub use errno::Errno;
pub(crate) use files::{file_in_memory, hole_bytes, open_file, open_file_through_links};
pub use files::{flush_folder, keep_files_private, open_file_limit, open_folder, read_at};
pub use folder::OpenFolder;
pub use names::{name_from_bytes, path_bytes, path_from_bytes};
pub(crate) use pipes::ChildPipes;
pub(crate) use private_folder::{PrivateFolderUsage, remove_folder};
pub(crate) use requests::RequestStream;
pub use sandbox::{sandbox_level, seal_process};
pub use signals::InterruptSignals;
pub(crate) use signals::{FORBIDDEN_CALL, KILLED, OUT_OF_CPU_TIME, OUTPUT_FILE_TOO_LARGE, signal_of};
pub use stat::{has_stable_inodes, stat_at_path, stat_in_brief, stat_open};
