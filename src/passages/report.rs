//! What a run tells: each work, the passages in numbers, what needs a look.

use super::metadata::CollectionMetadata;
use super::supply::TextOrigin;
use serde::Serialize;
use std::collections::BTreeMap;

/// What became of a work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkStatus {
    /// Its text was read.
    Collected,
    /// Its text is another book.
    Refused,
    /// No text was to be had.
    Missing,
    /// Its text would be fetched.
    Planned,
}

/// A work in the report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorkReport {
    /// Its short name.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// Its author.
    pub author_id: String,
    /// The number in the manifest.
    pub gutenberg_id: u32,
    /// What became of it.
    pub status: WorkStatus,
    /// The number of the text that was used.
    pub book_id: Option<u32>,
    /// Where its text came from.
    pub origin: Option<TextOrigin>,
    /// Size of the raw text.
    pub bytes: usize,
    /// SHA-256 of the raw text.
    pub sha256: Option<String>,
    /// What it was decoded from.
    pub encoding: Option<String>,
    /// Words of the book between white space.
    pub words: usize,
    /// How often each keyword stands in the book.
    pub keyword_counts: BTreeMap<String, usize>,
    /// Names of the sections that hold text, in order.
    pub sections: Vec<String>,
    /// Names of those that were left out as malformed.
    pub skipped_sections: Vec<String>,
    /// Passages from it.
    pub passages: usize,
    /// What was found around the book: no header, no footer, doubts.
    pub findings: Vec<String>,
    /// What needs a look.
    pub warnings: Vec<String>,
    /// Why there is no text.
    pub reason: Option<String>,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CollectReport {
    /// The collection.
    pub collection: String,
    /// Nothing was written.
    pub dry_run: bool,
    /// The user stopped it.
    pub interrupted: bool,
    /// How many passages there are.
    pub passages: usize,
    /// Each work of the manifest.
    pub works: Vec<WorkReport>,
    /// What the passages are; none where the run was stopped.
    pub metadata: Option<CollectionMetadata>,
    /// Works without text, and everything else that needs a look.
    pub warnings: Vec<String>,
    /// What was written, from the folder of the collection.
    pub files: Vec<String>,
}

impl CollectReport {
    /// True where somebody who asked to hear of problems should.
    pub fn has_problems(&self) -> bool {
        !self.warnings.is_empty()
            || self.works.iter().any(|work| matches!(work.status, WorkStatus::Missing | WorkStatus::Refused))
    }
}
