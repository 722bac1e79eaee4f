//! Pensieve turns a folder into one SQLite file fit for language models: clean, deduplicated, token-exact, searchable,
//! and cited: every chunk leads back to the bytes, lines or pages that it came from, and `verify` proves it.
//!
//! This crate is the jobs and the command line. Below it, bottom-up:
//!
//! - [`pensieve_text`]: pure: text with maps, layout, chunks, the format table.
//! - [`pensieve_readers`]: one reader per format.
//! - [`pensieve_isolate`]: worker processes, converters, sandbox.
//! - [`pensieve_store`]: scan, database, search, proof, citations.
//! - [`pensieve_collect`]: literary collections.
//! - [`pensieve_serve`]: the HTTP API, the page, the Model Context Protocol.
//!
//! The modules are listed bottom-up, and a module names only modules above it in this list; a test proves that.
//!
//! - [`ingest`]: the main job, phase by phase.
//! - [`watch`]: a database that follows its folder.
//! - [`shards`]: one corpus from many machines.
//! - [`ragmd`]: documents to clean Markdown with a table of contents.
//! - [`export`]: chunks as Parquet files.
//! - [`config`]: settings in layers.
//! - [`cli`]: one file a command.

#![forbid(unsafe_code)]

pub mod ingest;
pub mod watch;
pub mod shards;
pub mod ragmd;
pub mod export;
pub mod config;
pub mod cli;
