//! Text of a source that has markup of its own, with its place.

use pensieve_text::model::Span;

/// Text of a page: its place in the source, and its characters if they differ from the source.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SourceText {
    /// Bytes of the decoded source.
    pub span: Span,
    /// The value of a character reference; `None` if the source has the characters literally.
    pub decoded: Option<Box<str>>,
}

impl SourceText {
    /// The words.
    pub fn resolve<'a>(&'a self, source: &'a str) -> &'a str {
        self.decoded.as_deref().unwrap_or_else(|| &source[self.span.range()])
    }
}
