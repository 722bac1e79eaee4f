//! The report of a run: each work, the passages in numbers, and what should be checked.

use crate::address_answers::AddressAnswers;
use crate::manifest::Work;
use crate::metadata::CollectionMetadata;
use crate::supply::TextOrigin;
use serde::Serialize;
use std::collections::BTreeMap;

/// The outcome for a work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkStatus {
    /// Its text was read.
    Collected,
    /// Its text is another book.
    Refused,
    /// No text was found.
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
    /// Its number in the manifest.
    pub gutenberg_id: u32,
    /// The outcome.
    pub status: WorkStatus,
    /// The number of the text that was used.
    pub book_id: Option<u32>,
    /// Where its text came from.
    pub origin: Option<TextOrigin>,
    /// Size of the raw text in bytes.
    pub bytes: usize,
    /// SHA-256 of the raw text.
    pub sha256: Option<String>,
    /// The encoding that the text was decoded from.
    pub encoding: Option<String>,
    /// Number of words in the book, as separated by white space.
    pub words: usize,
    /// How often each keyword occurs in the book.
    pub keyword_counts: BTreeMap<String, usize>,
    /// Names of the sections that contain text, in order.
    pub sections: Vec<String>,
    /// Names of the sections that were left out as malformed.
    pub skipped_sections: Vec<String>,
    /// Number of passages from it.
    pub passages: usize,
    /// Findings about the header and the footer: no header, no footer, doubts.
    pub findings: Vec<String>,
    /// What should be checked.
    pub warnings: Vec<String>,
    /// Why there is no text.
    pub reason: Option<String>,
    /// What each address that was asked gave, in order.
    pub answers: AddressAnswers,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CollectReport {
    /// The collection.
    pub collection: String,
    /// True if nothing was written.
    pub dry_run: bool,
    /// True if the user stopped the run.
    pub interrupted: bool,
    /// Number of passages.
    pub passages: usize,
    /// Each work of the manifest.
    pub works: Vec<WorkReport>,
    /// The metadata; `None` if the run was stopped.
    pub metadata: Option<CollectionMetadata>,
    /// Works without text, and everything else that should be checked.
    pub warnings: Vec<String>,
    /// The files that were written, relative to the folder of the collection.
    pub files: Vec<String>,
}

impl CollectReport {
    /// True if `--strict` should fail: a work is missing or refused, or there are warnings.
    pub fn has_problems(&self) -> bool {
        !self.warnings.is_empty()
            || self.works.iter().any(|work| matches!(work.status, WorkStatus::Missing | WorkStatus::Refused))
    }
}

impl WorkReport {
    /// A work of which nothing is known yet.
    pub fn of(work: &Work) -> WorkReport {
        WorkReport {
            slug: work.slug.clone(),
            title: work.title.clone(),
            author_id: work.author_id.clone(),
            gutenberg_id: work.gutenberg_id,
            status: WorkStatus::Collected,
            book_id: None,
            origin: None,
            bytes: 0,
            sha256: None,
            encoding: None,
            words: 0,
            keyword_counts: Default::default(),
            sections: Vec::new(),
            skipped_sections: Vec::new(),
            passages: 0,
            findings: Vec::new(),
            warnings: Vec::new(),
            reason: None,
            answers: AddressAnswers::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_work_without_text_or_a_warning_is_a_problem() {
        let work = |status: WorkStatus| WorkReport {
            slug: String::new(),
            title: String::new(),
            author_id: String::new(),
            gutenberg_id: 1,
            status,
            book_id: None,
            origin: None,
            bytes: 0,
            sha256: None,
            encoding: None,
            words: 0,
            keyword_counts: BTreeMap::new(),
            sections: Vec::new(),
            skipped_sections: Vec::new(),
            passages: 0,
            findings: Vec::new(),
            warnings: Vec::new(),
            reason: None,
            answers: AddressAnswers::default(),
        };
        let has_problems = |statuses: &[WorkStatus], warnings: &[&str]| {
            let report = CollectReport {
                collection: String::new(),
                dry_run: false,
                interrupted: false,
                passages: 0,
                works: statuses.iter().copied().map(work).collect(),
                metadata: None,
                warnings: warnings.iter().map(|warning| (*warning).to_owned()).collect(),
                files: Vec::new(),
            };
            report.has_problems()
        };
        use WorkStatus::{Collected, Missing, Planned, Refused};
        assert!(!has_problems(&[Collected, Planned], &[]));
        assert!(has_problems(&[Collected, Missing], &[]) && has_problems(&[Refused, Collected], &[]));
        assert!(has_problems(&[Collected], &["w"]));
    }
}
