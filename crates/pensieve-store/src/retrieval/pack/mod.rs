//! The best context for a question within a budget of tokens.
//!
//! Hits are extended to whole paragraphs and joined where they touch ([`hits`], [`packer`]), text that the pack has
//! already is left out ([`shingles`]), passages grow until the budget is filled ([`widen`]), and the whole is counted in
//! the form in which it is printed ([`render`], [`finish`]).

mod blocks;
mod finish;
mod hits;
mod options;
mod packer;
mod piece;
mod reader;
mod render;
mod request;
mod shingles;
mod widen;

pub use options::{PackError, PackFormat, PackOptions};
pub use piece::{Pack, PackPiece};
pub use render::{fenced, source_heading};
pub use request::pack;
