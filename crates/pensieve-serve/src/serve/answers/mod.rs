//! The types of answers. Columns of the database keep their names; paths are relative to a root.

mod citations;
mod mails;

pub use citations::{CitedWords, WordRange};
pub use mails::{Thread, ThreadList};

use crate::access::PathRedactor;
use pensieve_store::retrieval::ExpandedText;
use pensieve_store::store::{
    ChunkPlace, CorpusCounts, DocumentName, DocumentRow, FileCopy, FolderRow, StoredChunk,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use utoipa::ToSchema;

/// Copies of a document that are listed.
const MAX_COPIES: usize = 1000;

/// Whether the server works.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    pub status: &'static str,
    /// Version of the program.
    pub version: &'static str,
}

/// A page of the list of documents.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentList {
    /// By path.
    pub docs: Vec<DocumentRow>,
    /// Leads to the next page; null after the last one.
    pub next_cursor: Option<String>,
}

/// The folders in a folder.
#[derive(Debug, Serialize, ToSchema)]
pub struct FolderList {
    /// Number of the root.
    pub root_id: i64,
    /// The folder: its path below that root; empty for the root itself.
    pub relative_path: String,
    /// The folders directly in it, by name: the first ten thousand.
    pub folders: Vec<FolderRow>,
}

/// A reason to check a text.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewReason {
    /// One of a closed list.
    pub reason: String,
    /// The details.
    pub detail: String,
}

/// Text that nobody can see in a document, which its text does not have.
#[derive(Debug, Serialize, ToSchema)]
pub struct HiddenText {
    /// Why, one of a closed list.
    pub reason: String,
    /// Where it is, as JSON.
    pub locator: Option<String>,
    /// Its length in characters.
    pub chars: u64,
    /// Its words; the beginning of them if they are many.
    pub text: String,
    /// All of this for people.
    #[serde(skip)]
    pub in_words: String,
}

/// A problem of a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentProblem {
    /// One of a closed list.
    pub error_type: String,
    /// What happened.
    pub error_message: String,
    /// When it was found, UTC.
    pub timestamp: String,
}

/// The clean text of a document in numbers.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextFacts {
    /// The current version.
    pub version: String,
    /// SHA-256 of the text in UTF-8.
    pub sha256: String,
    /// Its characters (Unicode scalar values).
    pub char_length: u64,
    /// Its bytes in UTF-8.
    pub byte_length: u64,
    /// When it was created, UTC.
    pub created_at: String,
}

/// A document with everything that belongs to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Document {
    /// As in lists.
    #[serde(flatten)]
    pub summary: DocumentRow,
    /// The encoding of the source.
    pub encoding: Option<String>,
    /// Reader or converter with its version.
    pub extractor: Option<String>,
    /// The clean text in numbers; null without text.
    pub text: Option<TextFacts>,
    /// Title, author, language, ...: every value of each key.
    pub metadata: BTreeMap<String, Vec<String>>,
    /// Why the text should be checked.
    pub review_reasons: Vec<ReviewReason>,
    /// Text that nobody can see in the document: the first 200 passages.
    pub hidden_text: Vec<HiddenText>,
    /// Open problems.
    pub errors: Vec<DocumentProblem>,
    /// Other documents with the same bytes: the first thousand.
    pub duplicates: Vec<DocumentName>,
    /// The document that contains this one.
    pub parent: Option<DocumentName>,
    /// Documents directly inside this one: the first thousand.
    pub members: Vec<DocumentName>,
    /// The beginning of the clean text; null without text.
    pub extracted_text_preview: Option<String>,
    /// True if the text continues after the preview.
    pub extracted_text_preview_truncated: bool,
    /// Maximum characters of a preview.
    pub extracted_text_preview_limit_chars: u64,
}

/// A part of a clean text.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextPart {
    /// The document.
    pub doc_uid: String,
    /// The current version; parts of different versions do not fit together.
    pub version: String,
    /// The characters.
    pub text: String,
    /// Characters before it.
    pub offset: u64,
    /// Maximum characters of the part.
    pub limit: u64,
    /// Characters of the whole text.
    pub total_chars: u64,
    /// True if the text continues after this part.
    pub truncated: bool,
}

/// The place of a chunk in the text of a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChunkRange {
    /// The place of its words.
    #[serde(flatten)]
    pub words: WordRange,
    /// How the text was chunked.
    pub chunking_strategy: String,
    /// The citation of the chunk at this place.
    pub citation: String,
}

/// A chunk of one document.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentChunk {
    /// The chunk.
    #[serde(flatten)]
    pub chunk: StoredChunk,
    /// Its place.
    #[serde(flatten)]
    pub range: ChunkRange,
}

/// A page of the chunks of a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChunkList {
    /// The document.
    pub doc_uid: String,
    /// In the order of the text.
    pub chunks: Vec<DocumentChunk>,
    /// Leads to the next page; null after the last one.
    pub next_cursor: Option<String>,
}

/// One place of a chunk.
#[derive(Debug, Serialize, ToSchema)]
pub struct Source {
    /// The document.
    #[serde(flatten)]
    pub document: DocumentName,
    /// The place in its text.
    #[serde(flatten)]
    pub range: ChunkRange,
    /// The title of the document, in hits of a search where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title: Option<String>,
    /// Its authors, in the same way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub author: Option<String>,
    /// Other documents with the same bytes.
    pub duplicates: Vec<DocumentName>,
}

/// A chunk with its places.
#[derive(Debug, Serialize, ToSchema)]
pub struct Chunk {
    /// The chunk.
    #[serde(flatten)]
    pub chunk: StoredChunk,
    /// How many places it has.
    pub source_count: u64,
    /// Its places by path: the first hundred.
    pub sources: Vec<Source>,
}

impl ChunkRange {
    /// The place of a chunk, with its characters.
    pub fn of(place: &ChunkPlace, chars: Range<usize>) -> ChunkRange {
        ChunkRange {
            citation: place.citation.to_string(),
            chunking_strategy: place.strategy.clone(),
            words: WordRange::of(&place.at, chars),
        }
    }
}

impl Source {
    /// A place of a chunk, with its characters.
    pub fn of(place: ChunkPlace, chars: Range<usize>, redactor: &PathRedactor) -> Source {
        let copy = |copy: FileCopy| {
            redactor.name(DocumentName {
                doc_uid: copy.doc_uid,
                root_id: copy.root_id,
                relative_path: copy.relative_path,
                name: copy.name,
                full_path: copy.path,
            })
        };
        Source {
            range: ChunkRange::of(&place, chars),
            document: redactor.name(DocumentName {
                doc_uid: place.doc_uid,
                root_id: place.root_id,
                relative_path: place.relative_path,
                name: place.name,
                full_path: place.path,
            }),
            title: place.title,
            author: place.author,
            duplicates: place.duplicates.into_iter().take(MAX_COPIES).map(copy).collect(),
        }
    }
}

/// The corpus in numbers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Statistics {
    /// Ingested folders.
    pub roots: Vec<RootLink>,
    /// The counts.
    #[serde(flatten)]
    pub counts: CorpusCounts,
}

/// A folder that was ingested.
#[derive(Debug, Serialize, ToSchema)]
pub struct RootLink {
    /// Its number.
    pub root_id: i64,
    /// Absolute path; only if the server was started with `--show-paths`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<String>,
}

/// One chunk that was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchHit {
    /// The chunk.
    #[serde(flatten)]
    pub chunk: StoredChunk,
    /// The rank, larger is better: BM25, for a question with what its ranking adds.
    pub score: f64,
    /// The matching words in brackets, with the text around them.
    pub snippet: String,
    /// Matches in the content: ranges of characters, the end not included.
    pub highlights: Vec<(u64, u64)>,
    /// How many places it has.
    pub source_count: u64,
    /// Its places by path, those that match the filters first: ten at most.
    pub sources: Vec<Source>,
    /// Places of later hits that mostly repeat this one, with `repeats=fold` and a ledger of repetition: ten at most.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Source>,
    /// Chunks before it at its first place, in the order of the text.
    pub before: Vec<String>,
    /// Chunks after it.
    pub after: Vec<String>,
    /// The text around it, with `expand`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expanded: Option<ExpandedText>,
}

/// A page of hits.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchResult {
    /// The search expression.
    pub query: String,
    /// Best first.
    pub hits: Vec<SearchHit>,
    /// Number of all hits.
    pub total: u64,
    /// What hits have of the words of a question: `all`, or `any`.
    #[serde(rename = "match")]
    pub word_match: &'static str,
    /// How hits were found: `words`, `vectors` or `hybrid`.
    pub mode: &'static str,
    /// Parts of the query that may have been understood differently than intended.
    pub notes: Vec<String>,
    /// Leads to the next page; null after the last one.
    pub next_cursor: Option<String>,
}
