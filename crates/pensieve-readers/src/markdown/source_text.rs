//! Text of a source that has markup of its own, with its place.

use pensieve_text::model::Span;

/// Text of a page: its place in the source, and what it says where that differs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SourceText {
    /// Bytes of the decoded source.
    pub span: Span,
    /// What a character reference stands for; `None` where the source says it literally.
    pub decoded: Option<Box<str>>,
}

impl SourceText {
    /// The words.
    pub fn resolve<'a>(&'a self, source: &'a str) -> &'a str {
        self.decoded.as_deref().unwrap_or_else(|| &source[self.span.range()])
    }
}
