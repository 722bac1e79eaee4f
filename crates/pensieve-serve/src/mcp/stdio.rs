//! The protocol over standard input and output: one JSON object a line, until the input ends.

use super::corpora::Corpora;
use super::handler::McpHandler;
use crate::access::ConnectionPool;
use pensieve_store::embedding::QuestionEmbedder;
use pensieve_store::exit::command_error;
use pensieve_store::store::{Store, StoreError};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServiceExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use thiserror::Error;
use tokio::io::{Stdin, Stdout};

/// Requests that read one database at the same time.
const MAX_READERS: u32 = 4;

/// The largest message.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The time between two checks whether the server is to stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// How long requests may continue once the server is to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Options of a server over standard input and output.
#[derive(Debug, Clone)]
pub struct StdioOptions {
    /// The databases, each a corpus of its own.
    pub databases: Vec<PathBuf>,
    /// How long an answer may take.
    pub timeout: Duration,
    /// Makes vectors of questions.
    pub embedder: Arc<QuestionEmbedder>,
}

/// Why a server cannot run.
#[derive(Debug, Error)]
pub enum McpError {
    /// A database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system refuses to start threads.
    #[error("cannot start to serve: {0}")]
    Start(std::io::Error),
    /// The client does not follow the protocol.
    #[error("the client did not begin as the protocol asks: {0}")]
    Protocol(String),
}

command_error! { McpError passes Store {
    Start => Bug;
    Protocol => Input, "a client of the Model Context Protocol starts this command; docs/mcp.md says how";
} }

/// Serves until the input ends or `stop` is set.
///
/// # Errors
/// A database cannot be used, or the client does not begin with a request of the protocol.
pub fn run(
    options: &StdioOptions,
    stop: &AtomicBool,
    on_failure: impl Fn(&str) + Send + Sync + 'static,
) -> Result<(), McpError> {
    // They keep the databases in WAL mode, so that runs and readers do not wait for each other.
    let keepers = options.databases.iter().map(|path| Store::open_for_serving(path));
    let keepers = keepers.collect::<Result<Vec<Store>, StoreError>>()?;
    let readers = MAX_READERS as usize * options.databases.len();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // One thread waits for input, one writes.
        .max_blocking_threads(readers + 2)
        .thread_name("mcp")
        .enable_all()
        .build()
        .map_err(McpError::Start)?;
    let pool = |path: &'_ PathBuf| Arc::new(ConnectionPool::new(path, MAX_READERS, options.timeout));
    let pools: Vec<(&Path, Arc<ConnectionPool>)> =
        options.databases.iter().map(|path| (path.as_path(), pool(path))).collect();
    let open = pools.iter().map(|(_, pool)| Arc::clone(pool)).collect::<Vec<_>>();
    let handler = McpHandler::new(Corpora::new(pools, true, Arc::clone(&options.embedder)), on_failure);
    let served = runtime.block_on(async {
        let served = serve(handler, stop).await;
        for pool in open {
            pool.close(SHUTDOWN_TIMEOUT).await;
        }
        served
    });
    // The thread that waits for input cannot be stopped; the process ends without it.
    runtime.shutdown_background();
    for keeper in keepers {
        keeper.close_after_serving()?;
    }
    served
}

async fn serve(handler: McpHandler, stop: &AtomicBool) -> Result<(), McpError> {
    let lines = AsyncRwTransport::new(tokio::io::stdin(), tokio::io::stdout());
    let transport = StdioTransport { lines: lines.with_max_line_length(MAX_LINE_BYTES), has_begun: false };
    tokio::select! {
        served = converse(handler, transport) => served,
        () = stopped(stop) => Ok(()),
    }
}

async fn converse(handler: McpHandler, transport: StdioTransport) -> Result<(), McpError> {
    let running = match handler.serve(transport).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(McpError::Protocol(error.to_string())),
    };
    running.waiting().await.map(drop).map_err(|error| McpError::Protocol(error.to_string()))
}

async fn stopped(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(STOP_CHECK_INTERVAL).await;
    }
}

/// Lines of standard input and output. Until the first request, notifications and responses have no meaning and are
/// ignored, so that they do not end the server.
struct StdioTransport {
    lines: AsyncRwTransport<RoleServer, Stdin, Stdout>,
    has_begun: bool,
}

impl Transport<RoleServer> for StdioTransport {
    type Error = std::io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.lines.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.lines.receive().await?;
            self.has_begun |= matches!(message, ClientJsonRpcMessage::Request(_));
            if self.has_begun {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.lines.close().await
    }
}
