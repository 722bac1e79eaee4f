//! The one SQLite file: schema, locking, rows in and out. All SQL of the program lives here.
//!
//! A run writes through one [`Writer`], in batches; a file's old content goes out and its new content comes in within
//! one transaction. A first, large load keeps the index on chunk hashes in memory and builds it, and the search
//! table, at its end ([`load`]); small changes work on the live indexes. Faces read through [`Store`].

mod chunk_pages;
mod chunks;
mod content;
mod dedup;
mod documents;
mod error;
mod file_facts;
mod files;
mod fingerprint;
mod groups;
mod listing;
mod load;
mod lock;
mod mails;
mod members;
mod meta;
mod migrate;
mod open;
mod outcome;
mod owed;
mod overview;
mod places;
mod report;
mod roots;
mod runs;
mod search;
mod serving;
mod stats;
mod task;
mod text_range;
mod texts;
mod time;
mod unspaced;
mod verify;
mod versions;
mod writer;

pub use chunk_pages::{ChunkName, ChunkSource, StoredChunk};
pub use chunks::ChunkRow;
pub use content::TextPart;
pub use documents::{CleanFacts, DocumentFilter, DocumentName, DocumentPlace, DocumentRow};
pub use error::StoreError;
pub use file_facts::FileFacts;
pub use files::{FileState, Group, Known, KnownFile, NewFile, StoredSettings, Totals, Wanted};
pub use groups::Recipes;
pub use listing::{ExportRow, OpenProblem};
pub use lock::lock_path;
pub use mails::{
    Attachment, MailCopy, MailLine, MailView, TRANSFORM, ThreadMail, ThreadPage, ThreadRow, ThreadView,
};
pub use members::NewMember;
pub use meta::CorpusSettings;
pub use migrate::{APPLICATION_ID, SCHEMA};
pub use outcome::{Outcome, VersionRow};
pub use overview::{FormatStatus, ProblemRow};
pub use places::{ChunkPlace, INSIDE, Twin};
pub use report::{Covered, FailedFile, Reviewed, RunRow};
pub use roots::Root;
pub use search::{Found, Hit, MARKS, QueryError, QueryNote, SearchOptions};
pub use serving::Watch;
pub use stats::{Counts, FormatStats, Stats};
pub use task::{Task, TaskKind};
pub use texts::{ContentFacts, Packer, StoredText, TextVersion, Variant};
pub use time::{now, stored_now, stored_time};
pub use verify::{SourceCheck, Violation};
pub use versions::{StoredVersion, TextOwner};
pub use writer::{Added, Writer, WriterOptions};

use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// An open database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    _lock: Option<lock::RunLock>,
}

impl Store {
    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn fail(&self, error: impl Into<StoreError>) -> StoreError {
        error.into().at(&self.path)
    }
}
