//! Checks every request (host, token, size) and adds headers to every answer.

use super::problem::{Kind, Problem};
use super::reply::Reply;
use super::served_corpus::ServedCorpus;
use super::{Notice, host, mcp};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, header};
use axum::middleware::Next;
use std::sync::Arc;
use std::time::Instant;

/// Bytes of path and query.
const MAX_TARGET_BYTES: usize = 32 << 10;

/// Bytes of a body outside `/mcp`: the largest is a token in a form.
pub const MAX_BODY_BYTES: usize = 16 << 10;

/// Paths that need no token; they contain nothing of the corpus.
const PUBLIC_PATHS: &[&str] = &["/healthz", "/login", "/style.css", "/page.js", "/icon.svg"];

/// Headers of every answer. Pages load nothing from other sites, other sites cannot frame them, browsers do not guess
/// types, and text of the corpus runs no script.
const HEADERS: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("vary", "accept, cookie, authorization"),
];

/// Passes a request on, or answers it with a problem.
pub async fn check(State(site): State<Arc<ServedCorpus>>, request: Request, next: Next) -> Response<Body> {
    let started = Instant::now();
    let (method, target) = (request.method().to_string(), request.uri().to_string());
    let mut response = match refusal(&site, &request) {
        Some(reply) => reply.into_response(),
        None => next.run(request).await,
    };
    add_headers(response.headers_mut());
    let status = response.status().as_u16();
    (site.on_notice)(&Notice::Answered { method, target, status, took: started.elapsed() });
    response
}

fn refusal(site: &ServedCorpus, request: &Request) -> Option<Reply> {
    let (uri, headers) = (request.uri(), request.headers());
    let bound = site.bound;
    let problem = if !host::is_ours(uri, headers, bound, &site.options.hosts) {
        Problem::new(
            Kind::WrongHost,
            "Use the server's address or `localhost`; other names are given to the server with `--host`.",
        )
    } else if uri.path_and_query().is_some_and(|target| target.as_str().len() > MAX_TARGET_BYTES) {
        Problem::new(
            Kind::LongAddress,
            format!("At most {MAX_TARGET_BYTES} bytes of path and query are read."),
        )
    } else if uri.path() == mcp::PATH && !host::comes_from_us(headers, bound, &site.options.hosts) {
        Problem::new(Kind::WrongHost, "Pages of other sites may not use this server.")
    } else if length(headers) > max_body_bytes(uri.path()) as u64 {
        let limit = max_body_bytes(uri.path());
        Problem::new(Kind::TooLarge, format!("At most {limit} bytes of a body are read."))
    } else if !PUBLIC_PATHS.contains(&uri.path())
        && site.token.as_ref().is_some_and(|token| !token.is_shown(headers))
    {
        if wants_page(uri.path(), headers) {
            return Some(Reply::redirect("/login"));
        }
        Problem::new(Kind::NoToken, "Send `Authorization: Bearer TOKEN`.")
    } else {
        return None;
    };
    Some(problem.reply())
}

fn max_body_bytes(path: &str) -> usize {
    if path == mcp::PATH { crate::mcp::MAX_BODY_BYTES } else { MAX_BODY_BYTES }
}

fn length(headers: &HeaderMap) -> u64 {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.map_or(0, |text| text.parse().unwrap_or(u64::MAX))
}

/// True for the request of a browser outside the API.
pub fn wants_page(path: &str, headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    !path.starts_with("/api/")
        && path != mcp::PATH
        && accepts.is_some_and(|accepts| accepts.contains("text/html"))
}

fn add_headers(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
