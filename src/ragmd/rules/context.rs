//! What rules need to know besides the text.

use pensieve_text::names;
use std::collections::HashSet;

names! {
    /// What happens to footnotes.
    #[derive(Default)]
    Footnotes {
        /// They are removed, and so are the references to them.
        #[default]
        Drop = "drop",
        /// Each is put in brackets at its first reference.
        Inline = "inline",
        /// All are put at the end of the text, as Markdown footnotes.
        End = "end",
    }
}

/// What rules need to know besides the text.
#[derive(Debug, Default)]
pub(super) struct RuleContext {
    pub footnotes: Footnotes,
    pub page_markers: bool,
    /// The anchors of the document.
    pub anchors: HashSet<String>,
}
