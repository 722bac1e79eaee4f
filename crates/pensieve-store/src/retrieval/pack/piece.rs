//! The result: pieces of documents with their places.

use crate::store::ChunkPlace;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Context for a question within a budget of tokens.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Pack {
    /// The question.
    pub question: String,
    /// Maximum tokens of the whole output.
    pub budget: usize,
    /// Exact tokens of the whole output as text: of an object, those of the Markdown that it describes.
    pub tokens: usize,
    /// The encoding by which tokens were counted.
    pub tokenizer: String,
    /// What was done to find answers, and why a pack is empty or not filled.
    pub notes: Vec<String>,
    /// The pieces: documents in the order of their best hits, the pieces of a document in the order of its text.
    pub pieces: Vec<PackPiece>,
    /// The whole output in the chosen format, with the last line end.
    #[serde(skip)]
    #[schema(ignore)]
    pub output: String,
}

/// A part of a document's clean text.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PackPiece {
    /// Counts from 1, in the order of the output.
    pub number: usize,
    /// The bytes `start..end` of the clean text, unaltered.
    pub text: String,
    /// Tokens of the text alone.
    pub tokens: usize,
    /// Names the text in a short form, for `pensieve cite`.
    pub citation: String,
    /// The identifier of the document.
    pub doc_uid: String,
    /// Its database, if several were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    pub corpus: Option<String>,
    /// Path below the root; of a document inside another, after the path of that one.
    pub relative_path: String,
    /// The path for people (`mail.eml » 2 » report.pdf`), if that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// Absolute path; from a server, only if it was started with `--show-paths`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<String>,
    /// The format that it was read as.
    pub format: Option<String>,
    /// First byte in the clean text.
    pub start: usize,
    /// First byte after it.
    pub end: usize,
    /// Bytes of the source file, if the format has them: the first, and the first after them.
    pub source: Option<(usize, usize)>,
    /// True if those bytes, decoded and normalised, are the text.
    pub source_exact: Option<bool>,
    /// Lines, pages, cells, ...: an object whose keys depend on the format, without the places of single sentences.
    #[schema(value_type = Option<Object>)]
    pub locator: Option<Value>,
    /// Headings above it.
    pub heading_path: Option<String>,
    /// Text that belongs before the piece but is elsewhere in the document: the header of a table.
    pub context: Option<String>,
}

impl PackPiece {
    /// The piece at a place, not yet numbered and counted.
    pub(super) fn new(text: String, place: ChunkPlace, hides_paths: bool) -> PackPiece {
        PackPiece {
            number: 0,
            tokens: 0,
            citation: place.citation.to_string(),
            name: (place.name != place.relative_path).then_some(place.name),
            doc_uid: place.doc_uid,
            corpus: None,
            relative_path: place.relative_path,
            path: (!hides_paths).then_some(place.path),
            format: place.format,
            start: place.at.start,
            end: place.at.end,
            source: place.at.source.map(|source| (source.start, source.end)),
            source_exact: place.at.source.map(|source| source.exact),
            locator: place.at.locator_value().map(without_sentences),
            heading_path: place.at.heading_path,
            context: place.at.context,
            text,
        }
    }

    /// The name of the document for people.
    pub fn shown_name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.relative_path)
    }
}

/// A locator lists the place of each sentence of a page: more tokens than the sentences themselves have.
fn without_sentences(mut locator: Value) -> Value {
    if let Some(keys) = locator.as_object_mut() {
        keys.remove("sentences");
    }
    locator
}
