//! Sections: the parts of a document that are listed in its own table of contents.

use std::sync::Arc;

/// The beginning of a section, which extends to the next section that is not below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionStart {
    /// Byte of the segment's text at which its heading begins.
    pub out: usize,
    /// Its number in the order of the contents, from 0; the order in the text may differ.
    pub seq: usize,
    /// Its depth in the table of contents, from 1.
    pub level: usize,
    /// Its label in the contents.
    pub label: Arc<str>,
}

/// A section of a whole text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentSection {
    /// Its number in the order of the contents, from 0.
    pub seq: usize,
    /// Its depth in the table of contents, from 1.
    pub level: usize,
    /// Its label in the contents.
    pub label: String,
    /// Its anchor, with which links to it end; unique in the text.
    pub anchor: String,
    /// Its first byte in the text.
    pub start: usize,
    /// The first byte after it and the sections below it.
    pub end: usize,
    /// Where it begins in the source, as stored JSON.
    pub locator: Option<String>,
}
