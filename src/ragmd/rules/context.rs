//! What rules need to know besides the text.

use serde::Deserialize;
use std::collections::HashSet;

/// What happens to footnotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Footnotes {
    /// They are removed, and so are the references to them.
    #[default]
    Drop,
    /// Each is put in brackets at its first reference.
    Inline,
    /// All are put at the end of the text, as Markdown footnotes.
    End,
}

/// What rules need to know besides the text.
#[derive(Debug, Default)]
pub(super) struct RuleContext {
    pub footnotes: Footnotes,
    pub page_markers: bool,
    /// The anchors of the document.
    pub anchors: HashSet<String>,
}
