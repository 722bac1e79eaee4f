//! The server as a process: runtime, socket, connections, and an orderly end.

use super::api::ApiRequest;
use super::page::{PAGES, PageRoute};
use super::parameter::Values;
use super::pool::Pool;
use super::problem::{Kind, Problem};
use super::reply::Reply;
use super::routes::{ENDPOINTS, Endpoint};
use super::served_corpus::ServedCorpus;
use super::token::Token;
use super::write_timeout::WriteTimeoutStream;
use super::{Notice, ServeError, ServeOptions, guard, openapi, page};
use crate::store::Store;
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::http::{HeaderMap, Method, Response, Uri};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Questions that are read at once.
const READERS: u32 = 8;

/// Connections that are open at once; more wait in the system's queue.
const CONNECTIONS: usize = 256;

/// Bytes of a request's head.
const HEAD_BYTES: usize = 64 << 10;

/// Header lines of a request.
const HEAD_LINES: usize = 64;

/// How long requests may go on once the server has been asked to end.
const LAST_TIME: Duration = Duration::from_secs(5);

/// Between two looks at whether the server was asked to end.
const TICK: Duration = Duration::from_millis(50);

/// Serves until `stop` is set. Requests that are under way then are finished, the database becomes one plain file again.
///
/// # Errors
/// The database cannot be used; the address cannot be listened on, or is open to others and there is no token.
pub fn run(
    options: &ServeOptions,
    stop: &AtomicBool,
    tell: impl Fn(&Notice) + Send + Sync + 'static,
) -> Result<(), ServeError> {
    let token =
        options.token.as_deref().map(|token| Token::new(token).ok_or(ServeError::BadToken)).transpose()?;
    if token.is_none() && !options.bind.ip().is_loopback() {
        return Err(ServeError::Exposed { address: options.bind });
    }
    let keeper = Store::open_for_serving(&options.database)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(READERS as usize)
        .thread_name("serve")
        .enable_all()
        .build()
        .map_err(ServeError::Start)?;
    let pool = Arc::new(Pool::new(&options.database, READERS, options.timeout));
    let served = runtime.block_on(async {
        let (listener, bound) = listen(options.bind).await?;
        let site = ServedCorpus {
            pool: Arc::clone(&pool),
            token,
            bound,
            options: options.clone(),
            tell: Box::new(tell),
        };
        (site.tell)(&Notice::Listening(bound));
        serve(Arc::new(site), listener, stop).await;
        pool.close(LAST_TIME).await;
        Ok(())
    });
    runtime.shutdown_timeout(LAST_TIME);
    keeper.close_after_serving()?;
    served
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let at = |source| ServeError::Bind { address, source };
    let listener = TcpListener::bind(address).await.map_err(at)?;
    let bound = listener.local_addr().map_err(at)?;
    Ok((listener, bound))
}

async fn serve(site: Arc<ServedCorpus>, listener: TcpListener, stop: &AtomicBool) {
    let patience = site.options.timeout;
    let router = router(site);
    let ending = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    while !stop.load(Ordering::Relaxed) {
        let Ok(Ok(place)) = timeout(TICK, Arc::clone(&room).acquire_owned()).await else { continue };
        match timeout(TICK, listener.accept()).await {
            Ok(Ok((stream, _))) => {
                let _ = stream.set_nodelay(true);
                attend(WriteTimeoutStream::new(stream, patience), patience, router.clone(), &ending, place);
            }
            // Out of descriptors, or the client is gone already: neither is helped by haste.
            Ok(Err(_)) => tokio::time::sleep(TICK).await,
            Err(_) => {}
        }
    }
    drop(listener);
    let _ = timeout(LAST_TIME, ending.shutdown()).await;
}

/// Answers one connection until it ends; a request's head must come in time, and so must the next one's.
fn attend(
    stream: WriteTimeoutStream,
    patience: Duration,
    router: Router,
    ending: &GracefulShutdown,
    place: OwnedSemaphorePermit,
) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_headers(HEAD_LINES)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let connection = ending.watch(connection);
    tokio::spawn(async move {
        // What a client does to its connection is its own affair.
        let _ = connection.await;
        drop(place);
    });
}

fn router(site: Arc<ServedCorpus>) -> Router {
    let mut router = Router::new();
    for endpoint in ENDPOINTS {
        let answer =
            move |State(site): State<Arc<ServedCorpus>>,
                  parts: Result<RawPathParams, RawPathParamsRejection>,
                  RawQuery(query): RawQuery| answer(site, endpoint, parts, query);
        router = router.route(endpoint.path, get(answer));
    }
    for page in PAGES {
        let show = move |State(site): State<Arc<ServedCorpus>>,
                         parts: Result<RawPathParams, RawPathParamsRejection>,
                         RawQuery(query): RawQuery,
                         headers: HeaderMap| show(site, page, parts, query, headers);
        router = router.route(page.path, get(show));
    }
    router
        .route("/page.js", get(async || asset("text/javascript; charset=utf-8", page::SCRIPT)))
        .route("/api/v3/openapi.json", get(async || openapi::document().into_response()))
        .route("/style.css", get(async || asset("text/css; charset=utf-8", page::STYLE)))
        .route("/icon.svg", get(async || asset("image/svg+xml", page::ICON)))
        .route("/login", get(page::login_form).post(page::login))
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&site), guard::check))
        .with_state(site)
}

/// The varying parts of a path, decoded.
type Parts = Result<RawPathParams, RawPathParamsRejection>;

fn decoded(parts: Parts) -> Result<Vec<(String, String)>, Problem> {
    let parts = parts.map_err(|_| Problem::new(Kind::NotFound, "The path is no UTF-8."))?;
    Ok(parts.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

async fn answer(
    site: Arc<ServedCorpus>,
    endpoint: &'static Endpoint,
    parts: Parts,
    query: Option<String>,
) -> Response<Body> {
    let values = Values::read(&query.unwrap_or_default(), endpoint.parameters);
    let reply = asked(&site, endpoint.run, parts, values).await;
    reply.unwrap_or_else(|problem| refused(&site, endpoint.path, &problem).reply()).into_response()
}

async fn show(
    site: Arc<ServedCorpus>,
    page: &'static PageRoute,
    parts: Parts,
    query: Option<String>,
    headers: HeaderMap,
) -> Response<Body> {
    let values = Values::read_form(&query.unwrap_or_default(), page.parameters);
    let reply = asked(&site, page.run, parts, values).await;
    reply
        .unwrap_or_else(|problem| page::problem(refused(&site, page.path, &problem), page.path, &headers))
        .into_response()
}

async fn asked(
    site: &Arc<ServedCorpus>,
    run: fn(&ApiRequest<'_>) -> Result<Reply, Problem>,
    parts: Parts,
    values: Result<Values, Problem>,
) -> Result<Reply, Problem> {
    let (parts, values, site_there) = (decoded(parts)?, values?, Arc::clone(site));
    site.pool
        .ask(move |store: &Store| run(&ApiRequest { store, site: &site_there, parts: &parts, values }))
        .await
}

/// A problem that is given as an answer; what happened inside is told to those who run the server.
fn refused<'p>(site: &ServedCorpus, target: &str, problem: &'p Problem) -> &'p Problem {
    if let Some(inside) = &problem.inside {
        (site.tell)(&Notice::Failed { target: target.to_owned(), inside: inside.clone() });
    }
    problem
}

fn asset(kind: &'static str, text: &'static str) -> Response<Body> {
    Reply::new(kind, text).with("cache-control", "max-age=3600").into_response()
}

async fn nothing(uri: Uri, headers: HeaderMap) -> Response<Body> {
    let problem = Problem::new(
        Kind::NotFound,
        "Nothing has this address; what has one stands in /api/v3/openapi.json.",
    );
    page::problem(&problem, uri.path(), &headers).into_response()
}

async fn wrong_method(method: Method) -> Response<Body> {
    let problem =
        Problem::new(Kind::WrongMethod, format!("{method} is not possible here; GET and HEAD are."));
    problem.reply().into_response()
}
