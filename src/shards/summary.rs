//! A merge in numbers.

use serde::Serialize;

/// What a merge did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct MergeSummary {
    /// Databases that were merged.
    pub shards: u64,
    /// Files on disk that they have.
    pub files: u64,
    /// Files with the same bytes as another one.
    pub duplicates: u64,
    /// Files whose content was copied in this run.
    pub copied: u64,
    /// Their members.
    pub members: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Places of chunks that were copied in this run.
    pub chunks: u64,
    /// Chunks that were new to the database.
    pub unique_chunks: u64,
    /// Vectors that were copied.
    pub vectors: u64,
    /// Members whose text none of the shards has: the next run of `ingest` reads their containers.
    pub unread: u64,
    /// Wall time.
    pub seconds: f64,
    /// True if the merge went on from where another one was stopped.
    pub resumed: bool,
    /// True if the user stopped it; the same command goes on from there.
    pub interrupted: bool,
    /// The fingerprint of the new database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}
