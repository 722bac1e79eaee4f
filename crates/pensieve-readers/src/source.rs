//! The input and output of a reader: the document's bytes, the settings, and the sink for text and members.

use crate::limits::containers::MAX_HELD_BYTES;
use crate::settings::ReadSettings;
use pensieve_text::format::extension_of;
use pensieve_text::model::{
    ContainerMember, ContentHash, Document, Problem, ProblemKind, ReviewReason, ReviewReasonKind, Segment,
};
use std::io::{self, Read, Seek, SeekFrom};

/// A document that can be read from any position.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// The document that a reader reads. Its size is within the limit of its format.
pub struct DocumentSource<'a> {
    file: &'a mut dyn ReadSeek,
    size: u64,
    name: &'a str,
    review_reasons: Vec<ReviewReason>,
}

impl<'a> DocumentSource<'a> {
    /// The document in `file`, from its first byte to its last, under its file name.
    ///
    /// # Errors
    /// The file cannot be sought.
    pub fn new(file: &'a mut dyn ReadSeek, name: &'a str) -> Result<DocumentSource<'a>, Problem> {
        let size = file.seek(SeekFrom::End(0)).and_then(|size| file.rewind().map(|()| size));
        Ok(DocumentSource { size: size.map_err(unreadable)?, file, name, review_reasons: Vec::new() })
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Its file name.
    pub fn name(&self) -> &str {
        self.name
    }

    /// The extension of its name in lower case, without the dot; empty if there is none.
    pub fn extension(&self) -> String {
        extension_of(self.name)
    }

    /// All bytes. Only for readers whose format has a size limit in the table of formats.
    pub fn bytes(&mut self) -> Result<Vec<u8>, Problem> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.size).unwrap_or_default());
        self.file.rewind().and_then(|()| self.file.read_to_end(&mut bytes)).map_err(unreadable)?;
        Ok(bytes)
    }

    /// The file itself, at its first byte.
    pub fn file(&mut self) -> Result<&mut dyn ReadSeek, Problem> {
        self.file.rewind().map_err(unreadable)?;
        Ok(&mut *self.file)
    }

    /// The file, and what to review in its document because of the file itself: a package with a damaged directory.
    pub(crate) fn file_and_review_reasons(
        &mut self,
    ) -> Result<(&mut dyn ReadSeek, &mut Vec<ReviewReason>), Problem> {
        self.file.rewind().map_err(unreadable)?;
        Ok((&mut *self.file, &mut self.review_reasons))
    }

    /// Moves the review reasons of the file to its document, each once: readers that look into the file twice find the
    /// same. What the file lacks is a problem of the document too.
    pub(crate) fn report(&mut self, document: &mut Document) {
        for reason in self.review_reasons.drain(..) {
            if document.review_reasons.contains(&reason) {
                continue;
            }
            if reason.kind == ReviewReasonKind::SkippedParts {
                document.problems.push(Problem::new(ProblemKind::Damaged, reason.detail.clone()));
            }
            document.review_reasons.push(reason);
        }
    }
}

/// Receives text and members from a reader before its document ends.
pub trait DocumentSink {
    /// The next segment of the document's text, a few hundred KiB long; for formats whose documents do not fit into
    /// memory. Its white space has the kind that the row of the format names.
    ///
    /// # Errors
    /// The reader must stop and return this problem.
    fn text(&mut self, segment: Segment) -> Result<(), Problem>;

    /// The next document inside the document.
    ///
    /// # Errors
    /// The reader must stop and return this problem.
    fn member(&mut self, member: ContainerMember) -> Result<(), Problem>;

    /// The next document inside the document, which is too large to be held in memory: its first bytes decide whether
    /// it is read as a stream.
    ///
    /// # Errors
    /// The reader must stop and return this problem.
    fn stream(&mut self, _: StreamedMember, _: &mut dyn Read) -> Result<(), Problem> {
        Ok(())
    }

    /// Counts bytes that a reader has unpacked from an archive.
    ///
    /// # Errors
    /// The reader must stop: the outermost document and what it contains have unpacked to their limit.
    fn unpacked(&mut self, _: u64) -> Result<(), Problem> {
        Ok(())
    }

    /// Bytes of a document inside this one that may be held in memory.
    fn room(&self) -> usize {
        MAX_HELD_BYTES
    }
}

/// A document inside an archive that is too large to be held in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamedMember {
    /// Its place inside its parent; unique there.
    pub member: String,
    /// Its name, as a file name.
    pub name: String,
    /// SHA-256 of its bytes.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub size: u64,
    /// Why its bytes are not all, if they are not.
    pub problem: Option<Problem>,
}

/// Reads one format. The text is returned, or was passed to the sink before.
///
/// # Errors
/// As a problem of the document: it is broken beyond repair, encrypted, or larger than a limit. A document that could
/// be read in part is no error: what is missing is listed in its problems and review reasons.
pub(crate) type ReadFormat =
    fn(&mut DocumentSource<'_>, &ReadSettings, &mut dyn DocumentSink) -> Result<Document, Problem>;

pub(crate) fn unreadable(error: io::Error) -> Problem {
    Problem::new(ProblemKind::Io, format!("cannot read: {error}"))
}

/// Discards everything; for tests of readers that return their text.
#[cfg(test)]
pub(crate) struct DiscardingSink;

#[cfg(test)]
impl DocumentSink for DiscardingSink {
    fn text(&mut self, _: Segment) -> Result<(), Problem> {
        Ok(())
    }

    fn member(&mut self, _: ContainerMember) -> Result<(), Problem> {
        Ok(())
    }
}
