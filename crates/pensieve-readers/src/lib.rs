//! Readers of documents: from a file to its text with places, one reader per format, within limits.
//!
//! Plain text streams in the caller's process ([`plain_text`]). Structured formats are read whole, in worker processes
//! ([`worker`]); the user's own programs read what they are configured for ([`converter`]).
//!
//! The modules are listed bottom-up, and a module names only modules above it in this list; a test proves that.

pub mod limits;
pub mod files;
pub mod process;
pub mod settings;
pub mod source;
pub mod event;
pub mod markdown;
pub mod shared;
pub mod web;
pub mod pdf;
pub mod office;
pub mod books;
pub mod mail;
pub mod plain_text;
pub mod registry;
pub mod converter;
pub mod selection;
pub mod nested;
pub mod worker;
