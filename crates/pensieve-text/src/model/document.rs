//! What a reader makes of a file.

use super::status::names;
use super::{ContentHash, MailFacts, Problem, Segment, TextKind};

/// A document as a reader gives it: text with its map, before any cleaning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The whole text; of a reader that hands its text over as it goes, what is left of it.
    pub text: Segment,
    /// How white space of the text is to be understood, where the reader decides it (Markdown made from HTML).
    pub kind: Option<TextKind>,
    /// What the file was decoded from, where it is text.
    pub encoding: Option<String>,
    /// The MIME type, where the reader knows better than the sniffer.
    pub mime: Option<String>,
    /// Title, author, language, ... as key and value, in the order found.
    pub metadata: Vec<(String, String)>,
    /// What was wrong though text came out.
    pub problems: Vec<Problem>,
    /// Why somebody should look at the text.
    pub review_reasons: Vec<ReviewReason>,
    /// Of mails: what threads and pages are made of.
    pub mail: Option<Box<MailFacts>>,
}

/// A document inside a document: an attachment, a mail of a mailbox.
#[derive(Debug, Clone, PartialEq)]
pub struct ContainerMember {
    /// Where inside the parent, such as `1.2`; unique there.
    pub member: String,
    /// Its name, as a file name: no separators, never empty.
    pub name: String,
    /// SHA-256 of its bytes.
    pub hash: ContentHash,
    /// Its bytes, unpacked.
    pub bytes: Vec<u8>,
    /// Why it is only named here: it has no bytes then, and its hash is that of what is said of it.
    pub absent: Option<String>,
}

/// A reason to look at a text before it is relied on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewReason {
    /// Which of the closed list.
    pub kind: ReviewReasonKind,
    /// The facts, as a lower-case fragment: `12 of 3400 glyphs`.
    pub detail: String,
}

impl ReviewReason {
    /// A review reason of this kind.
    pub fn new(kind: ReviewReasonKind, detail: impl Into<String>) -> ReviewReason {
        ReviewReason { kind, detail: detail.into() }
    }
}

names! {
    /// The closed list of reasons in `text_versions.review_reasons`.
    ReviewReasonKind {
        /// Glyphs of a font that says nothing about which characters they are.
        UnmappedGlyphs = "unmapped_glyphs",
        /// Bytes that no encoding explains; they are replaced by U+FFFD.
        ReplacedCharacters = "replaced_characters",
        /// Parts of the document that could not be read.
        SkippedParts = "skipped_parts",
        /// The structure was broken, and was pieced together.
        RepairedStructure = "repaired_structure",
        /// Pages that are pictures, without a text layer.
        NoTextLayer = "no_text_layer",
        /// What Project Gutenberg puts around a book could not be told from the book for sure, and was kept.
        Boilerplate = "boilerplate",
        /// The clean text is empty though the raw text is not.
        EmptyClean = "empty_clean",
        /// A text that is extremely short for its pages or for the bytes of its file.
        ShortText = "short_text",
        /// Cleaning took out more than a share.
        MuchRemoved = "much_removed",
        /// Laid out text that failed one of its proofs.
        LayoutAudit = "layout_audit",
    }
}
