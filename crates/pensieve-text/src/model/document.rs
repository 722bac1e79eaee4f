//! Documents and their members as readers return them.

use super::closed_list::names;
use super::hash::ContentHash;
use super::hidden_text::HiddenPassage;
use super::mail::MailFacts;
use super::problem::{Problem, ProblemKind};
use super::segment::Segment;
use super::status::TextKind;

/// A document as a reader returns it: text with its map, before any cleaning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The whole text, or the part that a streaming reader has not emitted yet.
    pub text: Segment,
    /// The kind of text, if the reader decides it (Markdown made from HTML).
    pub kind: Option<TextKind>,
    /// The encoding of the file, if it is text.
    pub encoding: Option<String>,
    /// The MIME type, where the reader knows better than the sniffer.
    pub mime: Option<String>,
    /// Title, author, language, ... as key and value, in the order found.
    pub metadata: Vec<(String, String)>,
    /// Problems that did not prevent reading.
    pub problems: Vec<Problem>,
    /// Why a person should review the text.
    pub review_reasons: Vec<ReviewReason>,
    /// Text that nobody can see in the document, which is not in its text.
    pub hidden_text: Vec<HiddenPassage>,
    /// The facts of a mail, from which threads and pages are made.
    pub mail: Option<Box<MailFacts>>,
}

impl Document {
    /// Records that the file is damaged and what there is of it was read: a problem, and a reason to review the text.
    pub fn note_damage(&mut self, what: impl Into<String>) {
        let problem = Problem::new(ProblemKind::Damaged, what);
        self.note_repaired(problem.message.clone());
        self.problems.push(problem);
    }

    /// Records a problem for which the text is to be reviewed.
    pub fn report(&mut self, problem: Problem) {
        self.review_reasons.push(ReviewReason::of(&problem));
        self.problems.push(problem);
    }

    /// Records a reason to review the text.
    pub fn note(&mut self, kind: ReviewReasonKind, detail: impl Into<String>) {
        self.review_reasons.push(ReviewReason::new(kind, detail));
    }

    /// Records that parts of the document are not in the text.
    pub fn note_skipped(&mut self, detail: impl Into<String>) {
        self.review_reasons.push(ReviewReason::skipped(detail));
    }

    /// Records that the structure of the document was broken and is a guess.
    pub fn note_repaired(&mut self, detail: impl Into<String>) {
        self.review_reasons.push(ReviewReason::repaired(detail));
    }
}

/// A document inside a document: an attachment, a mail of a mailbox.
#[derive(Debug, Clone, PartialEq)]
pub struct ContainerMember {
    /// Its place inside the parent, such as `1.2`; unique there.
    pub member: String,
    /// Its name, as a file name: no separators, never empty.
    pub name: String,
    /// SHA-256 of its bytes.
    pub hash: ContentHash,
    /// Its bytes, unpacked.
    pub bytes: Vec<u8>,
    /// Why it is only listed. It then has no bytes, and its hash is that of its description.
    pub absent: Option<AbsentContent>,
    /// Why its bytes are not all, if they are not. Without any byte it cannot be read.
    pub problem: Option<Problem>,
}

impl ContainerMember {
    /// A document with these bytes.
    pub fn new(member: String, name: String, bytes: Vec<u8>) -> ContainerMember {
        let hash = ContentHash::of(&bytes);
        ContainerMember { member, name, hash, bytes, absent: None, problem: None }
    }

    /// Something without bytes in the container. Its hash is that of its description.
    pub fn listed(member: String, name: String, description: &str) -> ContainerMember {
        let hash = ContentHash::of(description.as_bytes());
        ContainerMember { member, name, hash, bytes: Vec::new(), absent: None, problem: None }
    }
}

/// What is known of a member whose content is not in its container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsentContent {
    /// Its MIME type.
    pub mime: &'static str,
    /// Why it is not read, in words.
    pub reason: String,
}

/// A reason to review a text before relying on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewReason {
    /// The kind, from the closed list.
    pub kind: ReviewReasonKind,
    /// The facts, as a lower-case fragment: `12 of 3400 glyphs`.
    pub detail: String,
}

impl ReviewReason {
    /// A review reason of this kind.
    pub fn new(kind: ReviewReasonKind, detail: impl Into<String>) -> ReviewReason {
        ReviewReason { kind, detail: detail.into() }
    }

    /// Parts of the document are not in the text.
    pub fn skipped(detail: impl Into<String>) -> ReviewReason {
        ReviewReason::new(ReviewReasonKind::SkippedParts, detail)
    }

    /// The structure of the document was broken and is a guess.
    pub fn repaired(detail: impl Into<String>) -> ReviewReason {
        ReviewReason::new(ReviewReasonKind::RepairedStructure, detail)
    }

    /// What a problem that did not prevent reading means for the text: part of it is missing, unless its kind says otherwise.
    pub fn of(problem: &Problem) -> ReviewReason {
        let kind = match problem.kind {
            ProblemKind::Undecodable => ReviewReasonKind::ReplacedCharacters,
            ProblemKind::LayoutAudit => ReviewReasonKind::LayoutAudit,
            _ => ReviewReasonKind::SkippedParts,
        };
        ReviewReason::new(kind, problem.message.clone())
    }
}

names! {
    /// The closed list of reasons in `text_versions.review_reasons`.
    ReviewReasonKind {
        /// Glyphs of a font that does not tell which characters they are.
        UnmappedGlyphs = "unmapped_glyphs",
        /// Bytes that no encoding explains; they are replaced by U+FFFD.
        ReplacedCharacters = "replaced_characters",
        /// Parts of the document that could not be read.
        SkippedParts = "skipped_parts",
        /// The structure was broken and was repaired.
        RepairedStructure = "repaired_structure",
        /// Pages that are pictures, without a text layer.
        NoTextLayer = "no_text_layer",
        /// A page that has no text until its scripts have run.
        NoTextWithoutScripts = "no_text_without_scripts",
        /// A document without text: it is empty, or its words are in pictures.
        NoText = "no_text",
        /// Project Gutenberg's header or footer could not be separated from the book with certainty, and was kept.
        Boilerplate = "boilerplate",
        /// The clean text is empty though the raw text is not.
        EmptyClean = "empty_clean",
        /// A text that is extremely short for its pages or for the bytes of its file.
        ShortText = "short_text",
        /// Cleaning removed more than a configured share.
        MuchRemoved = "much_removed",
        /// Text that nobody can see in the document, which was left out.
        HiddenText = "hidden_text",
        /// Text with layout that failed one of its audits.
        LayoutAudit = "layout_audit",
    }
}
