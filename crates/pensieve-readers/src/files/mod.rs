//! Files of the system: opened without surprises, their facts, the hash of their bytes.
//!
//! A file is opened only if it is a regular file; no FIFO is waited for, no symlink followed unless the caller saw where
//! it leads.

mod open;
mod peek;
mod problem;
mod stat;

pub use open::{FileIdentity, HEAD, identify, open};
pub use peek::{identity_of, read_head, stat_of};
pub use problem::problem;
pub use stat::{FileStat, has_stable_inodes, stat_entry, stat_open};
