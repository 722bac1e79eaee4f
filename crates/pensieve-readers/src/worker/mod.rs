//! Readers in worker processes, because only a process can be killed: a thread that hangs or overflows its stack takes the
//! whole program with it.
//!
//! [`protocol`] defines the messages, [`serve()`] is the child, [`WorkerPool`] the parent. Requests are lines of JSON on
//! stdin, answers are rows of NDJSON on stdout. Rows contain no clock, host or temporary path: the same bytes and settings
//! give the same rows.

#[cfg(unix)]
mod answer;
#[cfg(unix)]
mod pool;
pub mod protocol;
mod serve;
#[cfg(unix)]
mod session;

#[cfg(unix)]
pub use pool::{WorkerFailure, WorkerPool, WorkerPoolOptions, worker_pool};
pub use protocol::{PROTOCOL, WorkerRequest};
pub use serve::{ServeError, read_request, serve};
