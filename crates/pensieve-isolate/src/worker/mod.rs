//! Readers in worker processes, because only a process can be killed: a thread that hangs or overflows its stack takes the
//! whole program with it.
//!
//! [`protocol`] defines the messages, [`serve_sealed()`] is the child, [`WorkerPool`] the parent. Requests are lines of
//! JSON on stdin, each with the open descriptor of its document, answers are rows of NDJSON on stdout. The child closes
//! itself before its first request: it opens no file. [`serve()`] answers requests of other programs, which name paths. Rows contain no clock, host or temporary path: the same bytes and settings
//! give the same rows.

mod answer;
mod pool;
pub mod protocol;
mod serve;
mod sealed;
mod session;

/// Documents inside one file at which a worker may be lost before the whole file is reported.
pub const MAX_LOST_MEMBERS: usize = crate::limits::worker::MAX_LOST_MEMBERS;

/// Bytes of a line with a request of another program.
pub const MAX_REQUEST_BYTES: u64 = crate::limits::worker::MAX_REQUEST_BYTES;

pub use pool::{WorkerFailure, WorkerPool, WorkerPoolOptions, worker_pool};
pub use protocol::{PROTOCOL, ProtocolError, WorkerRequest};
pub use sealed::{ReadOpenDocument, serve_sealed, serve_sealed_with};
pub use serve::{ServeError, open_request, read_request, serve};
