//! The corpus in numbers, and whether it can be read at all.

use super::ApiRequest;
use crate::access::PathRedactor;
use crate::serve::answers::{Health, RootLink, Statistics};
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use pensieve_store::store::Store;

/// `/healthz`
pub fn health(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    ask.store.roots().all()?;
    Ok(Reply::json(&Health { status: "ok", version: env!("CARGO_PKG_VERSION") }))
}

/// `/api/v3/stats`
pub fn stats(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    Ok(Reply::json(&counted(ask.store, &ask.redactor()?)?))
}

/// The counts of the corpus.
pub fn counted(store: &Store, redactor: &PathRedactor) -> Result<Statistics, Problem> {
    let roots = redactor
        .roots()
        .iter()
        .map(|root| RootLink { root_id: root.root_id, path: redactor.path(&root.path) });
    Ok(Statistics { roots: roots.collect(), counts: store.statistics().corpus()?.counts })
}
