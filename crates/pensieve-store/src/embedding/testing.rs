//! What the tests of this module share: settings, and an observer who sees nothing.

use super::settings::{ApiKey, EmbeddingSettings, Endpoint};
use crate::store::VectorFormat;
use pensieve_text::model::{Observer, ProgressEvent};
use std::time::Duration;

/// An observer who sees nothing and never stops a run.
pub(super) struct Unobserved;

impl Observer for Unobserved {
    fn on_event(&self, _event: &ProgressEvent<'_>) {}
}

/// Settings of a service that is not there.
pub(super) fn settings() -> EmbeddingSettings {
    EmbeddingSettings {
        endpoint: Endpoint::parse("http://127.0.0.1:1/v1/embeddings").unwrap(),
        model: "m".to_owned(),
        dimensions: None,
        api_key_env: String::new(),
        key: ApiKey::new("sk-123"),
        format: VectorFormat::F32,
        prefix_document: "passage: ".to_owned(),
        prefix_query: "query: ".to_owned(),
        batch: 10,
        concurrency: 1,
        max_tokens_per_minute: None,
        timeout: Duration::from_secs(5),
        retries: 2,
        price_per_million: 0.5,
        keep_orphans: 0,
    }
}
