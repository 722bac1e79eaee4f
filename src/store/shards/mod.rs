//! Databases of parts of a corpus, from which one database is made.

mod affected;
mod catalog;
mod contents;
mod copies;
mod facts;
mod partition_changes;
mod partition_export;
mod partitions;
mod pool;

pub use contents::{ShardContents, ShardEntry};
pub use facts::{ShardFacts, ShardQueries};
pub use partitions::PartitionQueries;
pub use pool::ShardPool;
