//! Who sees a text of a document: anybody, who unfolds it, or nobody.

use super::closed_list::names;
use super::hidden_text::HiddenReason;

names! {
    /// How a text is folded, the widest last: the closed list of `"folded"` in a locator.
    FoldKind {
        /// In a comment of Markdown.
        Comment = "comment",
        /// In the speaker's notes of a slide.
        Note = "note",
        /// In an accordion, or another part of a page that opens.
        Accordion = "accordion",
        /// In a hidden row of a sheet.
        Row = "row",
        /// With a cell in a hidden column.
        Column = "column",
        /// On a hidden slide.
        Slide = "slide",
        /// On a hidden sheet.
        Sheet = "sheet",
    }
}

/// Why not everybody sees a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Visibility {
    /// A person can unfold it.
    Folded(FoldKind),
    /// Nobody can see it; it is in the text because the settings want it there.
    Hidden(HiddenReason),
}

/// What hidden reasons are stored with, besides their number.
const HIDDEN: usize = 64;

impl Visibility {
    /// The key of locators, and its value.
    pub(super) fn entry(self) -> (&'static str, &'static str) {
        match self {
            Visibility::Folded(kind) => ("folded", kind.as_str()),
            Visibility::Hidden(reason) => ("hidden", reason.as_str()),
        }
    }

    /// The stored number.
    pub(super) fn number(self) -> usize {
        match self {
            Visibility::Folded(kind) => kind as usize,
            Visibility::Hidden(reason) => HIDDEN + reason as usize,
        }
    }

    /// The value of a stored number.
    pub(super) fn numbered(number: usize) -> Option<Visibility> {
        match number.checked_sub(HIDDEN) {
            Some(reason) => HiddenReason::ALL.get(reason).copied().map(Visibility::Hidden),
            None => FoldKind::ALL.get(number).copied().map(Visibility::Folded),
        }
    }
}
