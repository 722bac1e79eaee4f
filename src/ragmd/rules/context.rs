//! What rules need to know beside the text.

use std::collections::HashSet;

/// What becomes of footnotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Footnotes {
    /// They are left out, and so are the references to them.
    #[default]
    Drop,
    /// Each stands in brackets where it is first referred to.
    Inline,
    /// All stand at the end of the text, as Markdown's footnotes.
    End,
}

/// What rules need to know.
#[derive(Debug, Default)]
pub(super) struct RuleContext {
    pub footnotes: Footnotes,
    pub page_markers: bool,
    /// The anchors of the document.
    pub anchors: HashSet<String>,
}
