//! The metadata of a collection.

use crate::passage::ScoreStep;
use serde::Serialize;
use std::collections::BTreeMap;

/// Facts about the passages of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CollectionMetadata {
    /// How many passages there are.
    pub total_passages: usize,
    /// The date of extraction.
    pub extraction_date: String,
    /// Number of books that were read.
    pub books_processed: usize,
    /// Authors of the passages' books, in the order of the manifest.
    pub authors: Vec<String>,
    /// The collection.
    pub collection: String,
    /// The description of the collection, one line.
    pub description: String,
    /// The program that made them, with its version.
    pub generator: String,
    /// The books that were read.
    pub books: Vec<BookEntry>,
    /// Number of passages by context.
    pub passages_by_context: BTreeMap<String, usize>,
    /// Number of passages by keyword.
    pub passages_by_keyword: BTreeMap<String, usize>,
    /// How scores were lowered to reach the target.
    pub steps: Vec<ScoreStep>,
    /// How many passages were wanted, at least and at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<(usize, usize)>,
    /// Why there are fewer passages than wanted, with the numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortfall: Option<String>,
    /// How `character_names` were found.
    pub character_names_source: String,
}

/// A book in the metadata.
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
    /// Number of passages from it.
    pub passages: usize,
    /// SHA-256 of the raw text.
    pub sha256: String,
}
