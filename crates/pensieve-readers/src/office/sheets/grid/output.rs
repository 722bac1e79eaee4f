//! The output of a grid besides the text that it handed over.

use crate::shared::hidden_text::HiddenText;
use pensieve_text::model::{Document, Problem, Segment};

/// What remains after the sheets are written.
pub(in super::super) struct GridOutput {
    /// The rest of the text.
    pub text: Segment,
    /// What nobody can see in it.
    pub hidden: HiddenText,
    /// The report that text was cut, if it was.
    pub cut: Option<Problem>,
    pub has_text: bool,
}

impl GridOutput {
    /// The document with its problems; only the first problem if there is no text.
    ///
    /// # Errors
    /// The first problem of a document without text.
    pub fn into_document(self, mut document: Document) -> Result<Document, Problem> {
        if !self.has_text && !document.problems.is_empty() {
            return Err(document.problems.remove(0));
        }
        document.text = self.text;
        self.hidden.note(&mut document);
        document.problems.extend(self.cut);
        if !document.problems.is_empty() {
            document.note_skipped("not all of its parts are whole");
        }
        Ok(document)
    }
}
