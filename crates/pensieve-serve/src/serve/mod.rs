//! `pensieve serve`: the HTTP API and the web pages of one corpus.
//!
//! Everything is read-only, and only clean text is returned. The async runtime starts and ends in [`run`]; queries of
//! the database run on threads of their own, through a [`ConnectionPool`](crate::access::ConnectionPool). [`guard`] decides which requests are allowed,
//! [`routes`] is the table of all endpoints, and errors are answered as a [`problem`]. There is no TLS: an address
//! that others can reach needs a token, and a proxy for encryption.

mod answers;
mod api;
mod connections;
mod cursor;
mod guard;
mod host;
mod mcp;
mod openapi;
mod page;
mod parameter;
mod write_timeout;
mod problem;
mod reply;
mod routes;
mod server;
mod served_corpus;
mod token;

pub use problem::Kind as ProblemKind;
pub use server::run;
pub use token::Token;

use pensieve_store::embedding::QuestionEmbedder;
use pensieve_store::exit::command_error;
use pensieve_store::store::StoreError;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Options of a server.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The database.
    pub database: PathBuf,
    /// Address and port; port 0 is any free one.
    pub bind: SocketAddr,
    /// The token that a client must send.
    pub token: Option<Token>,
    /// Host names that the server answers to besides `localhost` and addresses.
    pub hosts: Vec<String>,
    /// The name of the corpus on its pages.
    pub title: String,
    /// The originals of documents are given too, where they are as they were read.
    pub sources: bool,
    /// Answers contain absolute paths too.
    pub show_paths: bool,
    /// How long an answer may take, and how long a client may take to send a request or to receive its answer.
    pub timeout: Duration,
    /// Makes vectors of questions.
    pub embedder: Arc<QuestionEmbedder>,
}

/// An event of a running server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// It listens on this address.
    Listening(SocketAddr),
    /// It has answered a request.
    Answered {
        /// GET, HEAD, ...
        method: String,
        /// Path and query, as received.
        target: String,
        /// The HTTP status.
        status: u16,
        /// How long it took.
        took: Duration,
    },
    /// An internal error occurred.
    Failed {
        /// Path of the endpoint or page.
        target: String,
        /// The error.
        inside: String,
    },
}

/// Why a server cannot run.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Others could read the corpus.
    #[error("`{address}` can be reached from outside, and there is no token")]
    Exposed {
        /// The address to listen on.
        address: SocketAddr,
    },
    /// A token that no client can send.
    #[error("the token of {origin} is empty, or has blanks or other characters that no HTTP header can have")]
    BadToken {
        /// Where it was given.
        origin: String,
    },
    /// The system refuses the address.
    #[error("cannot listen on `{address}`: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The system refuses to start threads.
    #[error("cannot start to serve: {0}")]
    Start(std::io::Error),
}

command_error! { ServeError passes Store {
    Exposed => Usage, "give a --token-file, or bind to 127.0.0.1";
    BadToken => Usage, "use one line of letters, digits and signs without blanks";
    Bind => Input, "choose another port with --bind; port 0 takes a free one";
    Start => Bug;
} }
