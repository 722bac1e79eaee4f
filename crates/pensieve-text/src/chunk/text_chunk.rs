//! One chunk.

use crate::model::Span;

/// One chunk of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextChunk {
    /// Bytes of the segment's text.
    pub span: Span,
    /// Tokens of these bytes taken alone, exactly.
    pub tokens: usize,
    /// The headings above, such as `Guide > Install`.
    pub heading_path: Option<String>,
    /// Words that belong before the chunk but stand elsewhere: the header of a table that was cut. With a newline
    /// between, it fits in the size along with the chunk.
    pub context: Option<String>,
}
