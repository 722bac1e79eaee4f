//! The pure core of Pensieve: bytes to clean text with a map to where it came from, pages to prose in reading order,
//! text to chunks of exact token counts.
//!
//! Nothing here opens files, reads the clock or the environment, starts threads, prints, or knows SQL: the same bytes
//! give the same result on every machine.
//!
//! The modules are listed bottom-up, and a module names only modules above it in this list; a test proves that.
//!
//! - [`model`]: the types that all share: hashes, spans and their maps, documents, problems, events.
//! - [`text`]: bytes to text, text to clean text, tokens.
//! - [`layout`]: the running prose of pages apart from everything else.
//! - [`chunk`]: clean text to chunks.
//! - [`mod@format`]: one row per format, and the decision which row a file belongs to.

pub mod model;
pub mod text;
pub mod layout;
pub mod chunk;
pub mod format;
