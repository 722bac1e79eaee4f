//! The shapes of answers about threads; those of a mail are the store's own.

use crate::store::{ThreadRow, ThreadView};
use serde::Serialize;
use utoipa::ToSchema;

/// A page of the list of threads.
#[derive(Debug, Serialize, ToSchema)]
pub struct ThreadList {
    /// The latest first.
    pub threads: Vec<ThreadRow>,
    /// Leads to the next page; null behind the last one.
    pub next_cursor: Option<String>,
}

/// A thread with its mails.
#[derive(Debug, Serialize, ToSchema)]
pub struct Thread {
    /// The thread and a part of it.
    #[serde(flatten)]
    pub view: ThreadView,
    /// Leads to the next page; null behind the last one.
    pub next_cursor: Option<String>,
}
