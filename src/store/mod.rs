//! The one SQLite file: schema, locking, rows in and out. All SQL of the program lives here.
//!
//! A run writes through one [`Writer`], in batches; a file's old content goes out and its new content comes in within
//! one transaction. A first, large load keeps the index on chunk hashes in memory and builds it, and the search
//! table, at its end ([`load`]); small changes work on the live indexes. Everybody else reads through a [`Store`], which
//! has one type for each group of questions ([`queries`]).

mod chunk_hashes;
mod connection;
mod error;
mod load;
mod lock;
mod member_names;
mod meta;
mod migrate;
mod open;
mod places;
mod queries;
mod query;
mod read;
mod roots;
mod runs;
mod search;
mod search_tables;
mod serving;
mod sql;
#[cfg(test)]
mod testing;
mod text_packing;
mod time;
mod write;

pub use error::StoreError;
pub use lock::lock_path;
pub use member_names::MEMBER_SEPARATOR;
pub use meta::CorpusSettings;
pub use open::Store;
pub use places::{ChunkPlace, FileCopy};
pub use query::{QueryError, QueryNote};
pub use read::*;
pub use roots::Root;
pub use runs::RunRow;
pub use search::{HIGHLIGHT_MARKS, Hit, SearchOptions, SearchResults};
pub use serving::QueryDeadline;
pub use text_packing::{PackedSegment, TextPacker, Variant};
pub use time::{now, stored_now, stored_time};
pub use write::*;
