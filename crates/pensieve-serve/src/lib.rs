//! One database for many callers: the HTTP API and its page, and the Model Context Protocol.
//!
//! Everything that is asked here is answered by `pensieve-store`; this crate is the doors alone, and nothing below it knows
//! HTTP, HTML or the protocol.
//!
//! The modules are listed bottom-up, and a module names only modules above it in this list; a test proves that.
//!
//! - [`access`]: reading for many callers at the same time.
//! - [`mcp`]: the Model Context Protocol.
//! - [`serve`]: the HTTP API and the page over one corpus.

#![forbid(unsafe_code)]

pub mod access;
pub mod mcp;
pub mod serve;
