//! The work of a run on one file.

use super::files::NewFile;
use crate::scan::ScanEntry;
use crate::store::read::files::FileState;
use pensieve_text::model::Problem;
use std::fs::File;
use std::sync::Arc;

/// The work to do on one file.
#[derive(Debug, Clone)]
pub struct Task {
    /// The row as it was when the work was planned.
    pub file: FileState,
    /// The kind of work.
    pub kind: TaskKind,
    /// Why the file cannot be read, if the scan found that out.
    pub problem: Option<Problem>,
    /// Its bytes, if they are not in a file of a folder.
    pub bytes: Option<Arc<File>>,
}

/// The kinds of work, from the most to the least work.
#[derive(Debug, Clone)]
pub enum TaskKind {
    /// The bytes on disk differ from the row: replace row and content.
    Replace {
        /// The entry as the scan found it.
        entry: Box<ScanEntry>,
        /// The columns of the row; a `hash` of `None` means that the file cannot be read.
        new: Box<NewFile>,
    },
    /// The bytes on disk agree with the row: read them.
    Read,
    /// Clean again from stored raw text.
    Clean {
        /// The version of the raw text.
        raw: String,
    },
    /// Make a stored clean text the current one, and chunk it.
    Recall {
        /// The version of the clean text.
        version: String,
    },
    /// Chunk again from stored clean text.
    Chunk,
}

impl TaskKind {
    /// True if the source is not read.
    pub fn works_on_stored_text(&self) -> bool {
        matches!(self, TaskKind::Clean { .. } | TaskKind::Recall { .. } | TaskKind::Chunk)
    }
}
