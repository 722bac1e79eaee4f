//! Databases of parts of a corpus, from which one database is made.

mod contents;
mod copies;
mod facts;
mod pool;

pub use contents::{DuplicateRole, ShardContents, ShardEntry};
pub use facts::{ShardFacts, ShardQueries};
pub use pool::ShardPool;
