//! Files that are one text: what their readers do before and after they read it.

use crate::source::DocumentSource;
use pensieve_text::model::{Document, Problem, Segment, TextKind};
use pensieve_text::text::decode::{Encoding, EncodingHints, decode_all, has_zero_block};

/// A file that is one text.
pub(crate) struct TextFile {
    /// The text as it is written.
    pub decoded: Segment,
    encoding: Encoding,
    problems: Vec<Problem>,
    has_zero_block: bool,
}

impl TextFile {
    /// Reads and decodes a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(source: &mut DocumentSource<'_>, hints: &EncodingHints<'_>) -> Result<TextFile, Problem> {
        Ok(TextFile::of(&source.bytes()?, hints))
    }

    /// Decodes the bytes of a file.
    pub fn of(bytes: &[u8], hints: &EncodingHints<'_>) -> TextFile {
        let (decoded, encoding, problems) = decode_all(bytes, hints);
        TextFile { decoded, encoding, problems, has_zero_block: has_zero_block(bytes) }
    }

    /// The document whose text a reader made of it; `damage` is what the reader saw of it.
    pub fn document(self, text: Segment, damage: Option<String>) -> Document {
        let mut document = Document {
            text,
            encoding: Some(self.encoding.name().to_owned()),
            problems: self.problems,
            ..Document::default()
        };
        let zeros = self.has_zero_block.then(|| "a block of the file is nothing but zeros".to_owned());
        zeros.or(damage).into_iter().for_each(|damage| document.note_damage(damage));
        document
    }

    /// The same; what has no text for its reader is kept as it is written.
    pub fn document_or_source(mut self, text: Segment, damage: Option<String>) -> Document {
        if !text.text.is_empty() {
            return self.document(text, damage);
        }
        let decoded = std::mem::take(&mut self.decoded);
        Document { kind: Some(TextKind::Data), ..self.document(decoded, damage) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_text_is_kept_as_it_is_written() {
        let file = || TextFile::of(b"caf\xc3\xa9", &EncodingHints::default());
        let text = Segment { text: "Coffee".to_owned(), ..Segment::default() };
        let read = file().document_or_source(text, Some("it was cut short".to_owned()));
        assert_eq!((read.text.text.as_str(), read.kind), ("Coffee", None));
        assert_eq!(read.problems[0].message, "it was cut short");
        let kept = file().document_or_source(Segment::default(), None);
        assert_eq!((kept.text.text.as_str(), kept.kind), ("café", Some(TextKind::Data)));
        assert_eq!((kept.encoding.as_deref(), kept.problems.len()), (Some("utf-8"), 0));
    }

    #[test]
    fn lost_blocks_are_told_before_what_follows_from_them() {
        let bytes = [b"text".as_slice(), &[0; 4096]].concat();
        let file = TextFile::of(&bytes, &EncodingHints::default());
        let damage: Vec<String> = file
            .document(Segment::default(), Some("it was cut short".to_owned()))
            .review_reasons
            .into_iter()
            .map(|reason| reason.detail)
            .collect();
        assert_eq!(damage, ["a block of the file is nothing but zeros"]);
    }
}
