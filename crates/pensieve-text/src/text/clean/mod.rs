//! Cleaning: from decoded text to the clean text that is stored, chunked and cited, as a stream.
//!
//! A recipe is an ordered table of named rules. `clean_v0` removes NUL characters and inner byte-order marks,
//! normalises, and then cleans white space by the kind of text. `clean_v1` is [`CLEAN_RULES`], each on or off. Every
//! rule takes segments with maps and returns segments whose maps lead to the source. The result does not depend on
//! how the text was divided into segments, and cleaning clean text changes nothing.

mod base64;
mod byte_scanner;
mod cleaner;
mod controls;
mod escapes;
mod mojibake;
mod options;
mod pages;
mod reflow;
mod report;
mod rules;
mod shapes;
mod white_space;
mod white_space_kinds;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;

pub use cleaner::Cleaner;
pub use controls::without_controls;
pub use escapes::{EscapeSyntax, unicode_escape};
pub use options::{CleanOptions, CleanVersion};
pub use rules::{CLEAN_RULES, CleanRule, CleanRuleRow, CleanRuleSet};
