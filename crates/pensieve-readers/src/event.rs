//! The events of a reader, in order: the interface between reader and caller, in one process or across two.

use pensieve_text::model::{ContentHash, Document, Problem, ProblemKind, ProcessingStatus, Segment};

/// One event. Events between a [`ReaderEvent::Member`] and its [`ReaderEvent::End`] concern that member. Members do not
/// nest in this stream; they name their parents instead.
#[derive(Debug, Clone, PartialEq)]
pub enum ReaderEvent {
    /// The next segment of text.
    Text(Segment),
    /// The document has been read: the rest of its text, and everything else that is known about it.
    Document(Box<Document>),
    /// The document could not be read.
    Failed(Problem),
    /// A document inside the document begins.
    Member(Box<MemberHead>),
    /// Bytes of the member, for a converter of the caller.
    Bytes(Vec<u8>),
    /// The member ends.
    End,
}

/// A member without its content.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberHead {
    /// Its place from the outermost document on, such as `3/1.2`; unique.
    pub path: String,
    /// The path of the member that contains it; `None` for the outermost document.
    pub within: Option<String>,
    /// Its place inside its parent.
    pub member: String,
    /// Its file name.
    pub name: String,
    /// SHA-256 of its bytes.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub size: u64,
    /// Its MIME type.
    pub mime: String,
    /// What to do with it.
    pub verdict: MemberVerdict,
}

/// What to do with a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberVerdict {
    /// It is read as this format: its text follows, or the reason why there is none.
    Read(String),
    /// Its bytes follow, for the converter of this extension.
    Convert {
        /// The format.
        format: String,
        /// The extension under which the converter is configured.
        extension: String,
    },
    /// Nothing follows.
    Skipped {
        /// The status of its row.
        status: ProcessingStatus,
        /// Why.
        reason: String,
        /// The kind of the problem that it is, if it is one.
        problem: Option<ProblemKind>,
    },
}
