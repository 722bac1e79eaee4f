//! [`ToolError`]: what went wrong in a call of a tool, in words that a model can act on.

use crate::access::PoolError;
use pensieve_store::store::StoreError;
use std::fmt;

/// Why a tool has no answer.
///
/// It is a result of the tool, not an error of the protocol: the model reads it and tries something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError {
    /// What is wrong, and what to do.
    pub message: String,
    /// The internal error, only for the log of the server: it may contain paths.
    pub inside: Option<String>,
}

impl ToolError {
    /// An error of the caller.
    pub fn new(message: impl Into<String>) -> ToolError {
        ToolError { message: message.into(), inside: None }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl From<StoreError> for ToolError {
    fn from(error: StoreError) -> ToolError {
        let message = match &error {
            StoreError::Query(error) => {
                return ToolError::new(format!("the query is not valid: {error}: {}", error.cure()));
            }
            StoreError::NoSearch { .. } => {
                "the corpus has no search table; use `list_documents` and `fetch`".to_owned()
            }
            StoreError::Unfinished { run, .. } => {
                let run =
                    run.map_or_else(|| "the first run has not finished".to_owned(), |run| run.to_string());
                format!(
                    "{run}; nothing can be searched until it ends: try again later, or use `list_documents` and `fetch`"
                )
            }
            StoreError::Interrupted { .. } => {
                "the answer took too long; ask for less: rarer words, a `path` or `format`, a smaller `limit`"
                    .to_owned()
            }
            StoreError::Locked { .. } => "the database is locked by another program; try again".to_owned(),
            _ => "the database cannot be read; the log of the server says why".to_owned(),
        };
        ToolError { message, inside: Some(error.to_string()) }
    }
}

impl From<PoolError> for ToolError {
    fn from(error: PoolError) -> ToolError {
        match error {
            PoolError::Busy => ToolError::new("too many questions wait before this one; try again"),
            PoolError::Panicked(_) => ToolError {
                message: "an internal error; the log of the server has it".to_owned(),
                inside: Some(error.to_string()),
            },
        }
    }
}
