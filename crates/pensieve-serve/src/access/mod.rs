//! Reading a database for many callers at the same time: connections with deadlines, and paths as others may see them.
//!
//! The HTTP API and the Model Context Protocol both read through a [`ConnectionPool`], so that a slow query ends with
//! its caller, and show paths through a [`PathRedactor`].

mod connection_pool;
mod parameter_list;
mod path_redactor;

pub use connection_pool::{ConnectionPool, PoolError};
pub use parameter_list::joined;
pub use path_redactor::PathRedactor;
