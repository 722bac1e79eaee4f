//! Text that nobody can see in its document: left out of the text, and listed.

use super::closed_list::names;

names! {
    /// Why nobody can see a text: the closed list in `hidden_text.reason`.
    HiddenReason {
        /// A style, an attribute or a property of the document says that it is not shown.
        NotDisplayed = "not_displayed",
        /// Neither filled nor stroked, and no picture lies behind it, of which it would be the recognised text.
        NotPainted = "not_painted",
        /// Painted without opacity.
        Transparent = "transparent",
        /// In the colour of what lies behind it.
        SameColour = "same_colour",
        /// Under an area that was painted later.
        Covered = "covered",
        /// Too small to be read, beside text that is not.
        Tiny = "tiny",
        /// Beside the page, the slide or the window.
        OffPage = "off_page",
        /// Cut away by a clip.
        Clipped = "clipped",
    }
}

impl HiddenReason {
    /// The reason after a number of characters: `9 characters in the colour of their background`.
    pub fn in_words(self) -> &'static str {
        match self {
            HiddenReason::NotDisplayed => "not displayed",
            HiddenReason::NotPainted => "not painted",
            HiddenReason::Transparent => "transparent",
            HiddenReason::SameColour => "in the colour of the background",
            HiddenReason::Covered => "covered",
            HiddenReason::Tiny => "tiny",
            HiddenReason::OffPage => "beside the page",
            HiddenReason::Clipped => "clipped",
        }
    }
}

/// A run of hidden text at one place: a row of `hidden_text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenPassage {
    /// Why nobody can see it.
    pub reason: HiddenReason,
    /// Where it is, as the JSON of a locator.
    pub locator: Option<String>,
    /// Its length in characters, also of what the list does not have.
    pub chars: u64,
    /// Its words, white space folded; the beginning of them if they are many.
    pub text: String,
}
