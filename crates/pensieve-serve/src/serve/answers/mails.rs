//! The types of answers about threads; those of a mail are in the store.

use pensieve_store::store::{ThreadRow, ThreadView};
use serde::Serialize;
use utoipa::ToSchema;

/// A page of the list of threads.
#[derive(Debug, Serialize, ToSchema)]
pub struct ThreadList {
    /// The latest first.
    pub threads: Vec<ThreadRow>,
    /// Leads to the next page; null after the last one.
    pub next_cursor: Option<String>,
}

/// A thread with its mails.
#[derive(Debug, Serialize, ToSchema)]
pub struct Thread {
    /// The thread and a part of its mails.
    #[serde(flatten)]
    pub view: ThreadView,
    /// Leads to the next page; null after the last one.
    pub next_cursor: Option<String>,
}
