//! Why vectors could not be made.

use super::settings::Endpoint;
use crate::exit::command_error;
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

command_error! { EmbedError passes Store {
    Refused => Configuration, "set the environment variable that `embedding.api_key_env` names to a valid key";
    WrongAddress => Configuration, "check `embedding.endpoint`, the full address such as http://127.0.0.1:8080/v1/embeddings, \
                                    and `embedding.model`";
    Unavailable => Input, "see that it runs, and run the same command again: what is stored is not sent again";
    Unusable => Input, "see what the service logs";
    Stopped => Interrupted;
} }
