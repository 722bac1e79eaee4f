//! What all requests of one server share.

use super::token::Token;
use super::{Notice, ServeOptions};
use crate::access::ConnectionPool;
use crate::mcp::HttpEndpoint;
use std::sync::Arc;

/// One running server.
pub struct ServedCorpus {
    /// Its connections.
    pub pool: Arc<ConnectionPool>,
    /// Answers the Model Context Protocol.
    pub mcp: HttpEndpoint,
    /// The token that a client must send.
    pub token: Option<Token>,
    /// The address that it listens on.
    pub bound: std::net::SocketAddr,
    /// The options that it was started with.
    pub options: ServeOptions,
    /// Receives its events.
    pub on_notice: Arc<dyn Fn(&Notice) + Send + Sync>,
}
