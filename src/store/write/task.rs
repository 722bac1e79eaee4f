//! What a run may do with one file.

use super::files::NewFile;
use crate::scan::ScanEntry;
use crate::store::read::files::FileState;
use pensieve_text::model::Problem;

/// What is to be done with one file.
#[derive(Debug, Clone)]
pub struct Task {
    /// The row as it was when the work was planned.
    pub file: FileState,
    /// What.
    pub kind: TaskKind,
    /// Why the file cannot be read, where the scan has found that out.
    pub problem: Option<Problem>,
}

/// The kinds of work, from the most to the least.
#[derive(Debug, Clone)]
pub enum TaskKind {
    /// The bytes on disk are others than the row says: old content out, new row, new content in.
    Replace {
        /// The entry as the scan found it.
        entry: Box<ScanEntry>,
        /// The columns of the row; a `hash` of `None` means that the file cannot be read.
        new: Box<NewFile>,
    },
    /// The bytes are as the row says; read them.
    Read,
    /// Clean again from stored raw text.
    Clean {
        /// The version of the raw text.
        raw: String,
    },
    /// Make a stored clean text the current one, and chunk it.
    Recall {
        /// Its version.
        version: String,
    },
    /// Chunk again from stored clean text.
    Chunk,
}

impl TaskKind {
    /// True when the source is not read.
    pub fn works_on_stored_text(&self) -> bool {
        matches!(self, TaskKind::Clean { .. } | TaskKind::Recall { .. } | TaskKind::Chunk)
    }
}
