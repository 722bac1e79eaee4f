//! Sections: the parts of a document that its own table of contents names.

use std::sync::Arc;

/// The beginning of a section, which reaches to the next one that is not below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionStart {
    /// Byte of the segment's text at which its heading begins.
    pub out: usize,
    /// Its number in the order of the contents, from 0; the text may have another order.
    pub seq: usize,
    /// Its depth in the table of contents, from 1.
    pub level: usize,
    /// What the contents call it.
    pub label: Arc<str>,
}

/// A section of a whole text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentSection {
    /// Its number in the order of the contents, from 0.
    pub seq: usize,
    /// Its depth in the table of contents, from 1.
    pub level: usize,
    /// What the contents call it.
    pub label: String,
    /// What links to it end with; no other section of the text has it.
    pub anchor: String,
    /// Its first byte in the text.
    pub start: usize,
    /// The first byte after it and the sections below it.
    pub end: usize,
    /// Where it begins in the source, as stored JSON.
    pub locator: Option<String>,
}
