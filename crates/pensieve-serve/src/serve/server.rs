//! The server as a process: runtime, socket, connections and shutdown.

use super::api::ApiRequest;
use super::connections::{ConnectionSlot, Connections};
use super::page::{PAGES, PageRoute};
use super::parameter::Values;
use super::problem::{Kind, Problem};
use super::reply::Reply;
use super::routes::{ENDPOINTS, Endpoint};
use super::served_corpus::ServedCorpus;
use super::write_timeout::WriteTimeoutStream;
use super::{Notice, ServeError, ServeOptions, guard, mcp, openapi, page};
use crate::access::ConnectionPool;
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::http::{HeaderMap, Method, Request, Response, Uri};
use axum::routing::{any, get};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use pensieve_store::store::Store;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::timeout;

/// Requests that read the database at the same time.
const MAX_READERS: u32 = 8;

/// How long the head of a request may take, and how long a connection may wait for one.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// Bytes of the head of a request.
const MAX_HEAD_BYTES: usize = 64 << 10;

/// Header lines of a request.
const MAX_HEAD_LINES: usize = 64;

/// How long requests may continue once the server is to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// The time between two checks whether the server is to stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Serves until `stop` is set. Then open requests are finished, and the database becomes one plain file again.
///
/// # Errors
/// The database cannot be used; the system refuses the address; or others can reach the address and there is no token.
pub fn run(
    options: &ServeOptions,
    stop: &AtomicBool,
    on_notice: impl Fn(&Notice) + Send + Sync + 'static,
) -> Result<(), ServeError> {
    if options.token.is_none() && !options.bind.ip().is_loopback() {
        return Err(ServeError::Exposed { address: options.bind });
    }
    // It keeps the database in WAL mode until the server ends.
    let keeper = Store::open_for_serving(&options.database)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(MAX_READERS as usize)
        .thread_name("serve")
        .enable_all()
        .build()
        .map_err(ServeError::Start)?;
    let pool = Arc::new(ConnectionPool::new(&options.database, MAX_READERS, options.timeout));
    let served = runtime.block_on(async {
        let (listener, bound) = listen(options.bind).await?;
        let on_notice: Arc<dyn Fn(&Notice) + Send + Sync> = Arc::new(on_notice);
        let site = ServedCorpus {
            pool: Arc::clone(&pool),
            mcp: mcp::endpoint(options, &pool, Arc::clone(&on_notice)),
            token: options.token.clone(),
            bound,
            options: options.clone(),
            on_notice,
        };
        (site.on_notice)(&Notice::Listening(bound));
        serve(Arc::new(site), listener, stop).await;
        pool.close(SHUTDOWN_TIMEOUT).await;
        Ok(())
    });
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    drop(pool);
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
    let limit = site.options.timeout;
    let router = router(site);
    let shutdown = GracefulShutdown::new();
    let connections = Arc::new(Connections::default());
    while !stop.load(Ordering::Relaxed) {
        match timeout(STOP_CHECK_INTERVAL, listener.accept()).await {
            Ok(Ok((stream, peer))) => {
                let _ = stream.set_nodelay(true);
                let stream = WriteTimeoutStream::new(stream, limit);
                if let Some(slot) = connections.admit(peer.ip()) {
                    serve_connection(stream, limit.min(HEAD_TIMEOUT), router.clone(), &shutdown, slot);
                }
            }
            // Out of descriptors, or the client is already gone: an immediate retry helps in neither case.
            Ok(Err(_)) => tokio::time::sleep(STOP_CHECK_INTERVAL).await,
            Err(_) => {}
        }
    }
    drop(listener);
    let _ = timeout(SHUTDOWN_TIMEOUT, shutdown.shutdown()).await;
}

/// Answers requests on one connection until it ends. The head of each request must arrive in time.
fn serve_connection(
    stream: WriteTimeoutStream,
    head_timeout: Duration,
    router: Router,
    shutdown: &GracefulShutdown,
    slot: Arc<ConnectionSlot>,
) {
    let requests = Arc::clone(&slot);
    let service = service_fn(move |request: Request<Incoming>| {
        let in_progress = requests.begin_request();
        let answer = TowerToHyperService::new(router.clone()).call(request);
        async move {
            let answer = answer.await;
            drop(in_progress);
            answer
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_timeout)
        .max_headers(MAX_HEAD_LINES)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let connection = shutdown.watch(connection);
    tokio::spawn(async move {
        // Errors of a connection concern its client only.
        tokio::select! {
            _ = connection => {}
            () = slot.closed() => {}
        }
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
        .route(mcp::PATH, any(mcp::answer))
        .route("/login", get(page::login_form).post(page::login))
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&site), guard::check))
        .with_state(site)
}

/// The variable parts of a path, decoded.
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
    let reply = run_in_pool(&site, endpoint.run, parts, values).await;
    reply.unwrap_or_else(|problem| logged(&site, endpoint.path, &problem).reply()).into_response()
}

async fn show(
    site: Arc<ServedCorpus>,
    page: &'static PageRoute,
    parts: Parts,
    query: Option<String>,
    headers: HeaderMap,
) -> Response<Body> {
    let values = Values::read_form(&query.unwrap_or_default(), page.parameters);
    let reply = run_in_pool(&site, page.run, parts, values).await;
    reply
        .unwrap_or_else(|problem| {
            page::problem(&site, logged(&site, page.path, &problem), page.path, &headers)
        })
        .into_response()
}

async fn run_in_pool(
    site: &Arc<ServedCorpus>,
    run: fn(&ApiRequest<'_>) -> Result<Reply, Problem>,
    parts: Parts,
    values: Result<Values, Problem>,
) -> Result<Reply, Problem> {
    let (parts, values, corpus) = (decoded(parts)?, values?, Arc::clone(site));
    site.pool.ask(move |store: &Store| run(&ApiRequest { store, site: &corpus, parts: &parts, values })).await
}

/// Logs the internal cause of a problem, which its answer does not contain.
fn logged<'p>(site: &ServedCorpus, target: &str, problem: &'p Problem) -> &'p Problem {
    if let Some(inside) = &problem.inside {
        (site.on_notice)(&Notice::Failed { target: target.to_owned(), inside: inside.clone() });
    }
    problem
}

fn asset(kind: &'static str, text: &'static str) -> Response<Body> {
    Reply::new(kind, text).with("cache-control", "max-age=3600").into_response()
}

async fn nothing(State(site): State<Arc<ServedCorpus>>, uri: Uri, headers: HeaderMap) -> Response<Body> {
    let problem =
        Problem::new(Kind::NotFound, "Nothing has this address; /api/v3/openapi.json lists what there is.");
    page::problem(&site, &problem, uri.path(), &headers).into_response()
}

async fn wrong_method(method: Method) -> Response<Body> {
    let problem =
        Problem::new(Kind::WrongMethod, format!("{method} is not possible here; GET and HEAD are."));
    problem.reply().into_response()
}
