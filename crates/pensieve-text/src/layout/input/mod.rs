//! What the layout works on: pages with their spans, faces and shapes, and the options with the words that mark captions
//! and boxes.

pub mod bidi;
pub(super) mod bounds;
pub(super) mod cjk;
pub(super) mod cues;
pub(super) mod letter_tally;
pub(super) mod options;
pub(super) mod page;
pub(super) mod positioned_span;
pub(super) mod table_frame;
pub(super) mod typefaces;
