//! Pensieve turns a folder into one SQLite file fit for language models: clean, deduplicated, token-exact, searchable,
//! and cited: every chunk leads back to the bytes, lines or pages that it came from, and `verify` proves it.
//!
//! Three crates below this one do the reading: [`pensieve_text`] (pure: text with maps, layout, chunks, the format table),
//! [`pensieve_readers`] (one reader per format) and [`pensieve_isolate`] (worker processes, converters, sandbox).
//!
//! The modules are listed bottom-up, and a module names only modules above it in this list; a test proves that.
//!
//! - [`exit`]: how a command ends, and what its errors have to say.
//! - [`scan`]: every entry below a folder, and the hash of a file's bytes.
//! - [`store`]: the database.
//! - [`repetition`]: which passages and documents repeat earlier ones.
//! - [`verify`]: the laws of a corpus, proved.
//! - [`ingest`]: the main job, phase by phase.
//! - [`watch`]: a database that follows its folder.
//! - [`shards`]: one corpus from many machines.
//! - [`ragmd`]: documents to clean Markdown with a table of contents.
//! - [`passages`]: literary collections.
//! - [`export`]: chunks as Parquet files.
//! - [`embedding`]: vectors of chunks and of questions, from a service.
//! - [`retrieval`]: citations, and context for language models.
//! - [`access`]: reading for many callers at the same time.
//! - [`mcp`]: the Model Context Protocol.
//! - [`serve`]: the HTTP API and the page over one corpus.
//! - [`config`]: settings in layers.
//! - [`cli`]: one file a command.

#![forbid(unsafe_code)]

pub mod exit;
pub mod scan;
pub mod store;
pub mod verify;
pub mod repetition;
pub mod ingest;
pub mod watch;
pub mod shards;
pub mod ragmd;
pub mod passages;
pub mod export;
pub mod embedding;
pub mod retrieval;
pub mod access;
pub mod mcp;
pub mod serve;
pub mod config;
pub mod cli;
