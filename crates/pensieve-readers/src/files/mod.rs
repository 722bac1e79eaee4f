//! Files of the system: opens them safely, reads their metadata and hashes their bytes.
//!
//! Only regular files are opened: no FIFO blocks, and a symlink is followed only to the file that the caller found as
//! its target.

mod beneath;
mod open;
mod peek;
mod problem;
mod received;
mod stat;

pub use beneath::open_beneath;
pub use open::{FileIdentity, HEAD_BYTES, SourceFolder, identify, identify_open, open, open_again};
pub use peek::{identity_of, read_head, stat_of};
pub use problem::problem;
pub use received::{ReceiveError, receive};
pub use stat::{FileStat, has_stable_inodes, stat_entry, stat_open, synthetic_file_system};
