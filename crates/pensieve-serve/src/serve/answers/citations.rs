//! The types of answers about citations, and of the text around a hit.

use crate::access::PathRedactor;
use pensieve_store::retrieval::CheckedCitation;
use pensieve_store::store::{DocumentName, PlaceColumns};
use serde::Serialize;
use std::ops::Range;
use utoipa::ToSchema;

/// What became of a citation.
#[derive(Debug, Serialize, ToSchema)]
pub struct CitedWords {
    /// The citation, as given.
    pub citation: String,
    /// The words; null if it does not hold.
    pub text: Option<String>,
    /// The current clean text of the document has the words.
    pub holds: bool,
    /// It has them at another place.
    pub moved: bool,
    /// Why it does not hold.
    pub reason: Option<String>,
    /// The citation of the words where they are now, if they have moved.
    pub moved_to: Option<String>,
    /// The file on disk is the one that was read; null if that is not known.
    pub source_unchanged: Option<bool>,
    /// How the file differs, or why that is not known.
    pub source_reason: Option<String>,
    /// The document; null if there is none of this id.
    pub document: Option<DocumentName>,
    /// Where the words are now.
    pub place: Option<WordRange>,
    /// Other documents with the same bytes: the first thousand.
    pub duplicates: Vec<DocumentName>,
}

/// The place of words in the text of a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct WordRange {
    /// First byte in the clean text.
    pub start_index: u64,
    /// First byte after it.
    pub end_index: u64,
    /// First character in the clean text, as `/text` counts.
    pub char_start: u64,
    /// First character after it.
    pub char_end: u64,
    /// First byte in the source file, if text of the format maps to bytes.
    pub source_start: Option<u64>,
    /// First byte after it.
    pub source_end: Option<u64>,
    /// True if those bytes, decoded and normalised, are the words.
    pub source_exact: Option<bool>,
    /// Lines, pages, cells, ...: an object whose keys depend on the format.
    #[schema(value_type = Option<Object>)]
    pub locator: Option<serde_json::Value>,
    /// Headings above it.
    pub heading_path: Option<String>,
    /// Text that belongs before the words but is elsewhere in the document: the header of a table.
    pub context: Option<String>,
}

impl CitedWords {
    /// A checked citation as it may be shown, without document and place.
    pub fn of(checked: CheckedCitation, redactor: &PathRedactor) -> CitedWords {
        CitedWords {
            citation: checked.citation.to_string(),
            text: checked.text,
            holds: checked.holds,
            moved: checked.moved,
            reason: checked.reason.map(|reason| redactor.message(&reason)),
            moved_to: checked.moved_to.map(|citation| citation.to_string()),
            source_unchanged: checked.source_unchanged,
            source_reason: checked.source_reason.map(|reason| redactor.message(&reason)),
            document: None,
            place: None,
            duplicates: Vec::new(),
        }
    }
}

impl WordRange {
    /// A place of words, with their characters.
    pub fn of(place: &PlaceColumns, chars: Range<usize>) -> WordRange {
        WordRange {
            start_index: place.start as u64,
            end_index: place.end as u64,
            char_start: chars.start as u64,
            char_end: chars.end as u64,
            source_start: place.source.map(|source| source.start as u64),
            source_end: place.source.map(|source| source.end as u64),
            source_exact: place.source.map(|source| source.exact),
            locator: place.locator_value(),
            heading_path: place.heading_path.clone(),
            context: place.context.clone(),
        }
    }
}
