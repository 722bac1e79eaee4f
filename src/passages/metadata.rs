//! What a collection says about its passages.

use super::passage::ScoreStep;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the passages of a document are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CollectionMetadata {
    /// How many passages there are.
    pub total_passages: usize,
    /// When they were extracted: a date.
    pub extraction_date: String,
    /// Books that were read.
    pub books_processed: usize,
    /// Authors of the passages' books, in the order of the manifest.
    pub authors: Vec<String>,
    /// The collection.
    pub collection: String,
    /// In a line.
    pub description: String,
    /// What made them.
    pub generator: String,
    /// Each book that was read.
    pub books: Vec<BookEntry>,
    /// Passages by their context.
    pub passages_by_context: BTreeMap<String, usize>,
    /// Passages by keyword.
    pub passages_by_keyword: BTreeMap<String, usize>,
    /// How scores were lowered to reach the target.
    pub steps: Vec<ScoreStep>,
    /// How many were wanted, at least and at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<(usize, usize)>,
    /// Why there are fewer than were wanted, with the numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortfall: Option<String>,
    /// How `character_names` were found.
    pub character_names_source: String,
}

/// A book of the metadata.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BookEntry {
    /// Its number.
    pub book_id: u32,
    /// Its title.
    pub book_title: String,
    /// Its author.
    pub author_name: String,
    /// Its language.
    pub language: String,
    /// Passages from it.
    pub passages: usize,
    /// SHA-256 of the raw text.
    pub sha256: String,
}
