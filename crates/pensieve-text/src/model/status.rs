//! The closed lists of states, each with its stored name.

use super::closed_list::names;

names! {
    /// The processing status of a file.
    ProcessingStatus {
        /// Known, not read yet.
        Pending = "Pending",
        /// Read; its text and chunks are stored.
        Processed = "Processed",
        /// Could not be read; the table `errors` has the reason.
        Error = "Error",
        /// Not a document, but an image, an archive, a program, ...
        SkippedBinary = "Skipped_Binary",
        /// The configured converter is not installed.
        SkippedDependency = "Skipped_Dependency",
        /// Larger than a configured limit.
        SkippedLimit = "Skipped_Limit",
        /// A credential store or private key.
        SkippedSecret = "Skipped_Secret",
        /// No longer on disk.
        Deleted = "Deleted",
    }
}

names! {
    /// The kinds of documents by which people filter and count.
    DocumentKind {
        /// A file on disk.
        Document = "document",
        /// A document inside a document.
        Attachment = "attachment",
        /// A mail or a mailbox, on disk or inside another.
        Mail = "mail",
    }
}

impl ProcessingStatus {
    /// True for files that are not read.
    pub fn is_skipped(self) -> bool {
        use ProcessingStatus::*;
        matches!(self, SkippedBinary | SkippedDependency | SkippedLimit | SkippedSecret)
    }
}

names! {
    /// The type of an entry of a folder.
    FileType {
        /// A regular file.
        File = "file",
        /// A folder.
        Folder = "folder",
        /// A symbolic link, which is recorded and not followed.
        Symlink = "symlink",
        /// A FIFO, socket or device, which is never opened.
        Special = "special",
        /// A document inside another: an attachment, a mail of a mailbox.
        Member = "member",
    }
}

names! {
    /// The part of a file among the files with the same hash.
    DuplicateStatus {
        /// No other living file has its bytes.
        Unique = "unique",
        /// The file of its group that is read.
        Canonical = "canonical",
        /// Another file of its group is read in its place.
        Duplicate = "duplicate",
    }
}

names! {
    /// The kind of a text, which decides how white space is read; it comes from the format's row.
    TextKind {
        /// Running text: runs of spaces carry no meaning.
        Prose = "prose",
        /// Markdown and similar markup: indentation, fences, tables and hard breaks carry structure.
        Markup = "markup",
        /// Source code: indentation is content, and blocks end at blank lines.
        Code = "code",
        /// Records: lines are rows, white space is content.
        Data = "data",
    }
}

names! {
    /// How a text is cut into chunks.
    ChunkStrategy {
        /// By paragraphs, lines, sentences, words.
        Recursive = "Recursive",
        /// By headings, fences, tables, lists, then like `Recursive`.
        Markdown = "Markdown",
        /// By double newlines only; paragraphs that are too long like `Recursive`.
        Paragraph = "Paragraph",
        /// By blank lines and block ends of source code.
        Code = "Code",
        /// By rows; the header row is repeated as context.
        Rows = "Rows",
        /// Pages with layout: windows of MAIN sentences, then AUX by kind.
        Layout = "Layout",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_names_read_back() {
        for &status in ProcessingStatus::ALL {
            assert_eq!(ProcessingStatus::from_name(status.as_str()), Some(status));
        }
        assert_eq!(ProcessingStatus::from_name("processed"), None);
    }
}
