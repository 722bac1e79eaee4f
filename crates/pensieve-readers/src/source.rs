//! What a reader is given and where it puts what it must not keep: the document's bytes, the settings, the sink.

use crate::settings::ReadSettings;
use pensieve_text::format::extension_of;
use pensieve_text::model::{ContainerMember, Document, Problem, ProblemKind, Segment};
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes that can be read from anywhere.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// A document to be read. Its size was compared with the limit of its format before.
pub struct DocumentSource<'a> {
    file: &'a mut dyn ReadSeek,
    size: u64,
    name: &'a str,
}

impl<'a> DocumentSource<'a> {
    /// The document in `file`, from its first byte to its last, under its file name.
    ///
    /// # Errors
    /// The file cannot be sought.
    pub fn new(file: &'a mut dyn ReadSeek, name: &'a str) -> Result<DocumentSource<'a>, Problem> {
        let size = file.seek(SeekFrom::End(0)).and_then(|size| file.rewind().map(|()| size));
        Ok(DocumentSource { size: size.map_err(unreadable)?, file, name })
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Its file name.
    pub fn name(&self) -> &str {
        self.name
    }

    /// The extension of its name in lower case, without the dot; empty where there is none.
    pub fn extension(&self) -> String {
        extension_of(self.name)
    }

    /// All of it. Readers whose format has no limit of its own in the table must not ask for that.
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
}

/// Takes what a reader hands over before its document ends.
pub trait DocumentSink {
    /// The next stretch of the document's text, about a few hundred KiB; for formats whose documents do not fit into
    /// memory. The kind of its white space is that of the format's row.
    ///
    /// # Errors
    /// The reader is to stop, with this problem.
    fn text(&mut self, segment: Segment) -> Result<(), Problem>;

    /// A document inside the document, in the order of its place.
    ///
    /// # Errors
    /// The reader is to stop, with this problem.
    fn member(&mut self, member: ContainerMember) -> Result<(), Problem>;
}

/// Reads one format. The text comes back, or goes to the sink before.
///
/// # Errors
/// As a problem of the document: it is broken beyond repair, encrypted, larger than a limit. A document from which
/// something could be read is no error: what is missing goes into its problems and review reasons.
pub type ReadFormat =
    fn(&mut DocumentSource<'_>, &ReadSettings, &mut dyn DocumentSink) -> Result<Document, Problem>;

fn unreadable(error: io::Error) -> Problem {
    Problem::new(ProblemKind::Io, format!("cannot read: {error}"))
}

/// For tests of readers whose texts come back whole: takes everything and keeps nothing.
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
