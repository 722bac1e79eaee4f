//! Why vectors could not be made.

use super::settings::Endpoint;
use crate::store::StoreError;
use thiserror::Error;

/// Why a run of `embed` ended early. What was received before is stored.
#[derive(Debug, Error)]
pub enum EmbedError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The service does not accept the key, or wants one.
    #[error("{endpoint} refuses the request ({status}): {reason}")]
    Refused {
        /// The service.
        endpoint: Endpoint,
        /// The HTTP status.
        status: u16,
        /// What it says.
        reason: String,
    },
    /// There is no such service at the address, or it does not have the model.
    #[error("{endpoint} makes no vectors: {reason}")]
    WrongAddress {
        /// The address.
        endpoint: Endpoint,
        /// What it answers.
        reason: String,
    },
    /// The service cannot be reached, or has no time, after all retries.
    #[error("{endpoint} cannot be used now: {reason}")]
    Unavailable {
        /// The service.
        endpoint: Endpoint,
        /// The last failure.
        reason: String,
    },
    /// The service answers, but no answer of this run had a vector.
    #[error("{endpoint} gave no vector: {reason}")]
    Unusable {
        /// The service.
        endpoint: Endpoint,
        /// The last failure.
        reason: String,
    },
    /// The user stopped it.
    #[error("stopped")]
    Stopped,
}
