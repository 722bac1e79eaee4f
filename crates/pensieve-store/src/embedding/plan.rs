//! What a run would send, before anything is sent.

use super::error::EmbedError;
use super::settings::EmbeddingSettings;
use crate::store::{Store, StoreError, VectorSet};
use serde::Serialize;

/// What a run would send.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EmbedPlan {
    /// The model.
    pub model: String,
    /// Numbers in each vector, if they are known.
    pub dimensions: Option<usize>,
    /// Chunks of the corpus.
    pub chunks: u64,
    /// Chunks that would be sent, each once however often it occurs.
    pub missing: u64,
    /// Their tokens as the corpus counts them, without the text before each.
    pub tokens: u64,
    /// What they cost, by `embedding.price_per_million`.
    pub price: f64,
}

/// Counts what a run would send.
///
/// # Errors
/// The database cannot be read, or a load is unfinished.
///
/// Cost: one look-up for each chunk.
pub fn plan(store: &Store, settings: &EmbeddingSettings) -> Result<EmbedPlan, EmbedError> {
    store.vectors().require_loaded()?;
    let set = wanted_set(store, settings)?;
    let totals = store.vectors().totals(&set)?;
    Ok(EmbedPlan {
        model: set.model,
        dimensions: set.dimensions,
        chunks: totals.chunks,
        missing: totals.missing,
        tokens: totals.tokens,
        price: settings.price(totals.tokens),
    })
}

/// The vectors that these settings ask for. Where they leave the dimensions to the model, those of its stored vectors count.
pub(super) fn wanted_set(store: &Store, settings: &EmbeddingSettings) -> Result<VectorSet, StoreError> {
    let dimensions = match settings.dimensions {
        Some(dimensions) => Some(dimensions),
        None => store.vectors().native_dimensions(&settings.model)?,
    };
    Ok(VectorSet { model: settings.model.clone(), dimensions, prefix: settings.prefix_document.clone() })
}
