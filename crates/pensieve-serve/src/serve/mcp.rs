//! `/mcp`: the Model Context Protocol over HTTP, under the rules of the other endpoints.

use super::problem::{Kind, Problem};
use super::served_corpus::ServedCorpus;
use super::{Notice, ServeOptions};
use crate::access::ConnectionPool;
use crate::mcp::{Corpora, HttpEndpoint, MAX_BODY_BYTES, McpHandler};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use std::sync::Arc;

/// Its path.
pub const PATH: &str = "/mcp";

/// The endpoint over the corpus of a server.
pub fn endpoint(
    options: &ServeOptions,
    pool: &Arc<ConnectionPool>,
    on_notice: Arc<dyn Fn(&Notice) + Send + Sync>,
) -> HttpEndpoint {
    let databases = vec![(options.database.as_path(), Arc::clone(pool))];
    let corpora = Corpora::new(databases, options.show_paths, Arc::clone(&options.embedder));
    let on_failure = move |inside: &str| {
        on_notice(&Notice::Failed { target: PATH.to_owned(), inside: inside.to_owned() });
    };
    HttpEndpoint::new(McpHandler::new(corpora, on_failure))
}

/// Answers a request, whose body must arrive in time.
pub async fn answer(State(site): State<Arc<ServedCorpus>>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let timeout = site.options.timeout;
    match tokio::time::timeout(timeout, axum::body::to_bytes(body, MAX_BODY_BYTES)).await {
        Ok(Ok(bytes)) => site.mcp.answer(Request::from_parts(head, Body::from(bytes))).await,
        Ok(Err(_)) => refused(Kind::TooLarge, format!("At most {MAX_BODY_BYTES} bytes of a body are read.")),
        Err(_) => refused(Kind::SlowRequest, format!("A body may take {} s.", timeout.as_secs())),
    }
}

fn refused(kind: Kind, detail: String) -> Response<Body> {
    // The rest of the body is not read.
    Problem::new(kind, detail).reply().with("connection", "close").into_response()
}
