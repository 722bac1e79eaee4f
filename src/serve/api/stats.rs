//! The corpus in numbers, and whether it can be read at all.

use super::Ask;
use crate::serve::answers::{FormatCount, Health, RootLink, Statistics};
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use crate::serve::site::Veil;
use crate::store::Store;

/// `/healthz`
pub fn health(ask: &Ask<'_>) -> Result<Reply, Problem> {
    ask.store.roots()?;
    Ok(Reply::json(&Health { status: "ok", version: env!("CARGO_PKG_VERSION") }))
}

/// `/api/v3/stats`
pub fn stats(ask: &Ask<'_>) -> Result<Reply, Problem> {
    Ok(Reply::json(&counted(ask.store, &ask.veil()?)?))
}

/// Everything counted.
pub fn counted(store: &Store, veil: &Veil) -> Result<Statistics, Problem> {
    let stats = store.stats()?;
    let roots =
        veil.roots().iter().map(|root| RootLink { root_id: root.root_id, path: veil.path(&root.path) });
    let format = |format: crate::store::FormatStats| FormatCount {
        files: format.files,
        bytes: format.bytes,
        tokens: format.tokens,
    };
    Ok(Statistics {
        roots: roots.collect(),
        files: stats.files,
        bytes: stats.bytes,
        duplicates: stats.duplicates,
        duplicate_bytes: stats.duplicate_bytes,
        by_status: stats.by_status,
        by_format: stats.by_format.into_iter().map(|(name, counts)| (name, format(counts))).collect(),
        chunks: stats.chunks,
        sources: stats.sources,
        tokens: stats.tokens,
        tokens_saved: store.tokens_saved()?,
        needs_review: store.review_count(None)?,
        errors: stats.errors,
        settings: stats.settings,
        database_bytes: stats.database_bytes,
        last_run: stats.last_run,
    })
}
