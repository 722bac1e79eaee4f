//! `pensieve serve`: the HTTP API and the page over one corpus.
//!
//! Everything is read-only, and only clean text is given out. The async runtime lives and ends in [`run`]; questions to
//! the database run on threads of their own, through [`pool`]. Who may ask is decided in [`guard`], what can be asked
//! stands in one table, [`routes`], and what goes wrong is a [`problem`]. There is no TLS: off loopback a token is
//! needed, and a proxy for encryption.

mod answers;
mod api;
mod cursor;
mod guard;
mod host;
mod openapi;
mod page;
mod parameter;
mod write_timeout;
mod pool;
mod problem;
mod reply;
mod routes;
mod server;
mod served_corpus;
mod token;

pub use problem::Kind as ProblemKind;
pub use server::run;

use crate::store::StoreError;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// What to serve, and to whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServeOptions {
    /// The database.
    pub database: PathBuf,
    /// Address and port; port 0 is any free one.
    pub bind: SocketAddr,
    /// What a client must show.
    pub token: Option<String>,
    /// Host names that the server answers to besides `localhost` and addresses.
    pub hosts: Vec<String>,
    /// Give absolute paths too.
    pub show_paths: bool,
    /// How long an answer may take, and how long a client may take to send a request or to take what it asked for.
    pub timeout: Duration,
}

/// What a server tells while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// It answers at this address.
    Listening(SocketAddr),
    /// It was asked something and has answered.
    Answered {
        /// GET, HEAD, ...
        method: String,
        /// Path and query, as they came.
        target: String,
        /// The HTTP status.
        status: u16,
        /// How long it took.
        took: Duration,
    },
    /// Something went wrong inside.
    Failed {
        /// Path, as it came.
        target: String,
        /// What it was.
        inside: String,
    },
}

/// Why a server does not run.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Everybody could read the corpus.
    #[error("`{address}` can be reached from outside, and there is no token")]
    Exposed {
        /// Where it should have listened.
        address: SocketAddr,
    },
    /// A token that nobody could show.
    #[error("the token is empty, or has characters that no HTTP header can have")]
    BadToken,
    /// Nobody can listen there.
    #[error("cannot listen on `{address}`: {source}")]
    Bind {
        /// Where.
        address: SocketAddr,
        /// The system's word.
        source: std::io::Error,
    },
    /// The system gives no threads.
    #[error("cannot start to serve: {0}")]
    Start(std::io::Error),
}
