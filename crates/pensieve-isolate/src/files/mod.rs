//! Files of the system: opens them safely, reads their metadata and hashes their bytes.
//!
//! Only regular files are opened: no FIFO blocks, and a symlink is followed only to the file that the caller found as
//! its target.

mod open;
mod peek;
mod problem;
mod received;

pub use crate::platform::{FileStat, has_stable_inodes};
pub use open::{FileIdentity, HEAD_BYTES, SourceFolder, identify, identify_open, open, open_again};
pub use peek::{read_head, stat_of};
pub use problem::problem;
pub use received::{ReceiveError, receive};
