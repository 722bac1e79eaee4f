//! Bytes to text, raw text to clean text, text to sentences and tokens. Every step that changes text updates its map.
//!
//! Nothing here opens files, reads the clock or uses threads: the same bytes give the same result everywhere.

pub mod clean;
pub mod contents;
pub mod dates;
pub mod decode;
pub mod diff;
mod edits;
pub mod facts;
pub mod fields;
pub mod folds;
pub mod function_words;
pub mod gutenberg;
pub mod languages;
pub mod markdown;
pub mod normalize;
pub mod repetition;
pub mod review;
pub mod roman;
pub mod secrets;
pub mod segmenter;
pub mod sentences;
pub mod tokens;
