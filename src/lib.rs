//! Pensieve turns a folder into one SQLite file fit for language models: clean, deduplicated, token-exact, searchable,
//! and cited: every chunk leads back to the bytes, lines or pages that it came from, and `verify` proves it.
//!
//! The modules stand bottom-up, and a module names only modules above it in this list; a test proves that.
//!
//! - [`model`]: the words that all share: hashes, spans and their maps, documents, problems, events.
//! - [`text`]: bytes to text, text to clean text, tokens. Pure.
//! - [`layout`]: running prose of pages apart from everything else. Pure.
//! - [`chunk`]: clean text to chunks. Pure.
//! - [`mod@format`]: one row a format, and the judgement by which a file finds its row. Pure.
//! - [`process`]: outside programs, found, limited, ended.
//! - [`scan`]: every entry below a folder, and the hash of a file's bytes.
//! - [`extract`]: one reader a format; children that read; converters.
//! - [`store`]: the database.
//! - [`verify`]: the laws of a corpus, proved.
//! - [`ingest`]: the main job, phase by phase.
//! - [`ragmd`]: documents to clean Markdown with a table of contents.
//! - [`passages`]: literary collections.
//! - [`serve`]: the HTTP API and the page over one corpus.
//! - [`config`]: settings in layers.
//! - [`cli`]: one file a command.

pub mod model;
pub mod text;
pub mod layout;
pub mod chunk;
pub mod format;
pub mod process;
pub mod scan;
pub mod extract;
pub mod store;
pub mod verify;
pub mod ingest;
pub mod ragmd;
pub mod passages;
pub mod serve;
pub mod config;
pub mod cli;
