//! One chunk.

use crate::model::Span;

/// One chunk of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextChunk {
    /// Bytes of the segment's text.
    pub span: Span,
    /// Tokens of these bytes taken alone, exactly.
    pub tokens: usize,
    /// The headings above, such as `Guide > Install`, or the definitions around it, such as `Class > method`. If the chunk
    /// begins above the first of them, the first one inside of it.
    pub heading_path: Option<String>,
    /// Text from elsewhere to repeat before the chunk: the header of a table that was cut. Together with the chunk and
    /// a newline between them, it fits in the maximum size.
    pub context: Option<String>,
}
