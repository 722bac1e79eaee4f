//! What a reader makes of a file that it must hold whole.

use super::{ContentHash, Problem, Segment, TextKind};

/// A document as a reader gives it: text with its map, before any cleaning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The whole text.
    pub text: Segment,
    /// How white space of the text is to be understood, where the reader decides it (Markdown made from HTML).
    pub kind: Option<TextKind>,
    /// What the file was decoded from, where it is text.
    pub encoding: Option<String>,
    /// The MIME type, where the reader knows better than the sniffer.
    pub mime: Option<String>,
    /// Title, author, language, ... as key and value, in the order found.
    pub metadata: Vec<(String, String)>,
    /// Documents inside the document.
    pub members: Vec<Member>,
    /// What was wrong though text came out.
    pub problems: Vec<Problem>,
}

/// A document inside a document: an attachment, a mail of a mailbox.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Where inside the parent, such as `1.2`.
    pub member: String,
    /// Its name, as a file name.
    pub name: String,
    /// SHA-256 of its bytes.
    pub hash: ContentHash,
    /// Its bytes.
    pub bytes: Vec<u8>,
}
