//! The result of a run.

use serde::Serialize;

/// What a run of `embed` did.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct EmbedSummary {
    /// The model.
    pub model: String,
    /// Numbers in each vector; `None` if no vector was ever received.
    pub dimensions: Option<usize>,
    /// How they are stored.
    pub format: &'static str,
    /// Chunks of the corpus.
    pub chunks: u64,
    /// Chunks without a vector when the run began.
    pub missing: u64,
    /// Chunks that have got one.
    pub embedded: u64,
    /// Chunks of which none could be made: rows in `errors`.
    pub failed: u64,
    /// Tokens of the chunks that have got a vector, as the corpus counts them.
    pub tokens: u64,
    /// Tokens that the service counted, 0 if it says nothing.
    pub billed_tokens: u64,
    /// What these tokens cost, by `embedding.price_per_million`.
    pub price: f64,
    /// Requests, repeated ones included.
    pub requests: u64,
    /// Vectors of chunks that are gone, which were removed.
    pub orphans_dropped: u64,
    /// How long it took.
    pub seconds: f64,
    /// True if the user stopped it.
    pub interrupted: bool,
}
