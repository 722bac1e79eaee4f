//! Writing: the single writer of a run, the groups of duplicates, and work on the whole database.

mod binder;
mod content;
mod copied;
mod digests;
mod files;
mod flush;
mod groups;
mod mails;
mod maintenance;
mod members;
mod outcome;
mod progress;
mod review;
mod rows;
mod task;
mod threads;
mod writer;

pub use content::chunk_lines::ChunkLines;
pub use content::chunk_rows::ChunkRow;
pub use files::NewFile;
pub use groups::Recipes;
pub use maintenance::Maintenance;
pub use members::NewMember;
pub use outcome::{Outcome, RAW_VERSION, VersionRow};
pub use progress::AddedChunks;
pub use task::{Task, TaskKind};
pub use writer::{CopiedDocument, ShardFile, Writer, WriterOptions};
