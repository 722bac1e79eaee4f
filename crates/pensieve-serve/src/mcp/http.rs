//! The protocol over HTTP: one POST for each message, answered with one JSON object.
//!
//! There are no sessions. The specification of 2026-07-28 has none, older clients do not need them, and so a server
//! that is started again, or a client that is gone, leaves nothing to clean up.

use super::handler::McpHandler;
use axum::body::Body;
use axum::http::{Request, Response};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

/// Bytes of the body of a request.
pub const MAX_BODY_BYTES: usize = 64 << 10;

/// The endpoint of a server.
#[derive(Clone)]
pub struct HttpEndpoint(StreamableHttpService<McpHandler, NeverSessionManager>);

impl HttpEndpoint {
    /// An endpoint that answers through a handler. The caller checks hosts, origins and tokens.
    pub fn new(handler: McpHandler) -> HttpEndpoint {
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_sse_keep_alive(None)
            .with_max_request_body_bytes(MAX_BODY_BYTES);
        HttpEndpoint(StreamableHttpService::new(move || Ok(handler.clone()), Arc::default(), config))
    }

    /// Answers a request. If the future is dropped because the client is gone, its queries are interrupted.
    pub async fn answer(&self, request: Request<Body>) -> Response<Body> {
        self.0.handle(request).await.map(Body::new)
    }
}
