//! Finds and removes the header, licence and credits that Project Gutenberg puts around a book, in all the forms that
//! the files have since 1991.
//!
//! Nothing is cut without certainty: the header ends at a marker, the footer begins at one, and the text outside must
//! read like the words of the project. Otherwise, or if hardly any text would be left, the text is kept whole and a
//! [`GutenbergFinding`] reports it. Text inside the book is never changed. There is no specification; the forms are
//! those of the files themselves.

mod body;
mod credits;
mod finding;
mod header;
mod lines;
mod markers;
mod stripper;
mod transcriber_marks;
mod wording;

#[cfg(test)]
mod tests;

pub use body::{GutenbergBody, find_body, read_header, strip_boilerplate};
pub use finding::GutenbergFinding;
pub use header::GutenbergHeader;
pub(crate) use stripper::GutenbergStripper;
pub use transcriber_marks::{TranscriberMarkOptions, drop_transcriber_marks};
