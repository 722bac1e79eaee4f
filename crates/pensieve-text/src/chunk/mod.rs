//! Cuts clean text into chunks: with exact token counts, along the structure of the text, and *local*.
//!
//! Local means that a chunk depends only on its own text and the text near it: a sentence inserted at the top of a book
//! leaves the later chunks unchanged, byte for byte, so that nothing is embedded twice. `best_cut` explains how. Each
//! strategy builds a `SegmentOutline` (places to cut with ranks, spans to protect, headings); `packer` cuts by it, the
//! same way for all strategies, and finds finer places if an outline leaves spans that are too long.
//!
//! This module counts with the tokenizer's index and never tokenizes candidates. It uses no files, and no settings
//! except [`ChunkOptions`].

mod best_cut;
mod boundary;
mod chunker;
mod code_lines;
mod definitions;
mod code;
mod emitted_text;
mod fine_boundaries;
mod front_matter;
mod heading_path;
mod lines;
mod markdown;
mod markdown_lines;
mod markup_headings;
mod options;
mod outline;
mod packer;
mod paragraphs;
mod recursive;
mod rows;
mod section_borders;
mod text_chunk;
mod windows;

#[cfg(test)]
mod laws;

pub use chunker::Chunker;
pub use definitions::defined_names;
pub use emitted_text::{EmittedText, layout_violations};
pub use heading_path::HEADING_SEPARATOR;
pub(crate) use heading_path::HeadingPath;
pub use markup_headings::{HeadingSyntax, heading_titles};
pub use options::{ChunkOptions, StrategyChoice, strategy_for, strategy_name};
pub(crate) use rows::record_starts;
pub use text_chunk::TextChunk;
