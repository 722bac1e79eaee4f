//! Puts headings at the places that the table of contents points to, with its levels.
//!
//! Many books style their chapter titles as plain paragraphs, draw them, or have none; others set everything as `h1`.
//! Each entry claims one heading: the one at its place with its words, a paragraph of exactly its words, or else an
//! added one. Headings between those of the contents move along with the one above them.

mod claims;
mod counting;
mod label;
mod placing;
mod rebuild;

pub(crate) use label::{AnchorConfidence, HeadingDepth, TocLabel};
pub use placing::entitled;
pub(crate) use placing::{claim, key, note, placed, put, titles};
pub(crate) use rebuild::TocRebuilder;

#[cfg(test)]
mod tests;
