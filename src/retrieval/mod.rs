//! What programs and people take out of a corpus: citations, and context around what was found.
//!
//! A [`Citation`] names words of a document's clean text so that anybody can check them later.

mod citation;

pub use citation::{Citation, CitationError};
