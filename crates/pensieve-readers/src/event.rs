//! What a worker tells of a document, in order: the words between reader and asker, whether a process lies between
//! them or not.

use pensieve_text::model::{ContentHash, Document, Problem, ProcessingStatus, Segment};

/// One thing told. What comes between a [`ReaderEvent::Member`] and its [`ReaderEvent::End`] is about that member; members do not
/// lie inside each other there, and name their parents instead.
#[derive(Debug, Clone, PartialEq)]
pub enum ReaderEvent {
    /// The next stretch of text.
    Text(Segment),
    /// The document has been read: what is left of its text, and all else that is known of it.
    Document(Box<Document>),
    /// The document could not be read.
    Failed(Problem),
    /// A document inside the document begins.
    Member(Box<MemberHead>),
    /// Bytes of the member, for the asker's own converter.
    Bytes(Vec<u8>),
    /// The member ends.
    End,
}

/// What is known of a member before its content.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberHead {
    /// Its place from the outermost document on, such as `3/1.2`: unique.
    pub path: String,
    /// The path of the member that holds it; `None` for the outermost document.
    pub within: Option<String>,
    /// Where inside its parent.
    pub member: String,
    /// Its file name.
    pub name: String,
    /// SHA-256 of its bytes.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub size: u64,
    /// Its MIME type.
    pub mime: String,
    /// What is to become of it.
    pub verdict: MemberVerdict,
}

/// What is to become of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberVerdict {
    /// Its text follows, or why there is none; read as this format.
    Read(String),
    /// Its bytes follow, for the converter of this extension; it is of this format.
    Convert {
        /// The format.
        format: String,
        /// The extension under which the converter is configured.
        extension: String,
    },
    /// Nothing follows.
    Skipped {
        /// What becomes of its row.
        status: ProcessingStatus,
        /// Why.
        reason: String,
    },
}
