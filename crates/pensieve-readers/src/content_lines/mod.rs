//! Calendars and cards: what iCalendar (RFC 5545) and vCard (RFC 2426, RFC 6350, version 2.1) write in content lines.
//!
//! [`mod@line`] joins folded lines and keeps their bytes, [`value`] reads values. Each event and each contact becomes a
//! heading with its fields as items and its longer texts as paragraphs, so that a chunk of it says whose fields these are.

pub mod calendar;
pub mod card;
mod line;
mod value;

use crate::markdown::{Block, ItemMarker, MarkdownDraft, Words};
use crate::shared::text_file::TextFile;
use crate::shared::xml::LineIndex;
use crate::source::DocumentSource;
use line::ContentLine;
use pensieve_text::model::numbers::{count, counted};
use pensieve_text::model::{Document, MapBuilder, Problem, Segment, SpanMap};
use pensieve_text::text::decode::EncodingHints;
use std::borrow::Cow;
use value::ValueKind;

/// A document of content lines that is being written.
struct FieldsDraft {
    draft: MarkdownDraft,
    index: LineIndex,
    /// Values in base64 that were left out, and their characters.
    left_out: (usize, usize),
}

impl FieldsDraft {
    fn new(source: &str) -> FieldsDraft {
        FieldsDraft { draft: MarkdownDraft::mapped(), index: LineIndex::new(source), left_out: (0, 0) }
    }

    fn heading(&mut self, level: u8, words: Words) {
        self.draft.place(self.index.of_words(&words));
        self.draft.push(&Block::Heading { level, words });
    }

    /// An item `Label: value`; nothing without a value.
    fn field(&mut self, label: &str, value: Words) {
        if value.is_blank() {
            return;
        }
        self.draft.place(self.index.of_words(&value));
        let mut words = Words::plain(format!("{label}: "));
        value.0.into_iter().for_each(|run| words.push(run));
        self.draft.push(&Block::Item { depth: 0, marker: Some(ItemMarker::Bullet), words });
    }

    fn paragraphs(&mut self, paragraphs: Vec<Words>) {
        for words in paragraphs {
            self.draft.place(self.index.of_words(&words));
            self.draft.push(&Block::Paragraph(words));
        }
    }

    /// Counts a picture, sound or key instead of writing it.
    fn leave_out(&mut self, line: &ContentLine) {
        self.left_out.0 += 1;
        self.left_out.1 += line.value().len();
    }

    fn finish(self, decoded: &Segment) -> (Segment, Option<(String, String)>) {
        let (values, characters) = self.left_out;
        let note = || {
            let values = counted(values as u64, "value");
            ("left_out".to_owned(), format!("{values} in base64, {} characters", count(characters as u64)))
        };
        let left_out = (values > 0).then(note);
        (self.draft.finish_mapped(decoded), left_out)
    }
}

/// Reads a document whose blocks `write` writes and whose metadata it returns.
fn read_with(
    source: &mut DocumentSource<'_>,
    write: impl FnOnce(&str, &mut FieldsDraft) -> Vec<(String, String)>,
) -> Result<Document, Problem> {
    let bytes = source.bytes()?;
    let (unfolded, outer) = unfolded(&bytes);
    let mut file = TextFile::of(&unfolded, &EncodingHints::default());
    if let Some(outer) = outer {
        file.decoded.map = std::mem::take(&mut file.decoded.map).through(&outer);
    }
    let decoded = &file.decoded;
    let damage =
        is_cut(&decoded.text).then(|| "the file ends before its last line: it was cut short".to_owned());
    let mut draft = FieldsDraft::new(&decoded.text);
    let mut metadata = write(&decoded.text, &mut draft);
    let (text, left_out) = draft.finish(decoded);
    metadata.extend(left_out);
    Ok(Document { metadata, ..file.document_or_source(text, damage) })
}

/// True if the last line ends nothing although something began.
fn is_cut(text: &str) -> bool {
    let is =
        |line: &str, word: &str| line.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let begins = lines.clone().any(|line| is(line, "BEGIN:"));
    begins && !lines.next_back().is_some_and(|line| is(line, "END:"))
}

/// The bytes without folds inside of a character of UTF-8, and the map to all bytes. RFC 5545 counts bytes, so that
/// programs fold there, and each half alone is no character.
fn unfolded(bytes: &[u8]) -> (Cow<'_, [u8]>, Option<SpanMap>) {
    if std::str::from_utf8(bytes).is_ok() {
        return (Cow::Borrowed(bytes), None);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut map = MapBuilder::new(0);
    let mut done = 0;
    for at in memchr::memchr_iter(b'\n', bytes) {
        let start = if at > 0 && bytes[at - 1] == b'\r' { at - 1 } else { at };
        let is_continued = matches!(bytes.get(at + 1..at + 3), Some([b' ' | b'\t', 0x80..=0xbf]));
        if start > done && is_continued && bytes[start - 1] >= 0x80 {
            out.extend_from_slice(&bytes[done..start]);
            map.copy(start - done);
            // Not blank: the bytes around the fold alone are no character.
            map.skip(at + 2 - start);
            done = at + 2;
        }
    }
    out.extend_from_slice(&bytes[done..]);
    map.copy(bytes.len() - done);
    (Cow::Owned(out), Some(map.finish()))
}

/// Properties with a name for people, and what their values are.
type FieldTable = [(&'static str, &'static str, ValueKind)];

/// The name of a property for people, and the kind of its values.
fn field_of(fields: &FieldTable, name: &str) -> (String, ValueKind) {
    match fields.iter().find(|(field, ..)| *field == name) {
        Some((_, label, kind)) => ((*label).to_owned(), *kind),
        None => (label_of(name), ValueKind::Text),
    }
}

/// The name of a property that no table has, as people write it: `RELATED-TO` becomes `Related to`.
fn label_of(name: &str) -> String {
    let bare = name.strip_prefix("X-").unwrap_or(name).replace(['-', '_'], " ").to_lowercase();
    let mut letters = bare.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
pub(crate) fn read_for_test(read: crate::source::ReadFormat, name: &str, text: &str) -> Document {
    let mut file = std::io::Cursor::new(text.as_bytes());
    let mut source = DocumentSource::new(&mut file, name).unwrap();
    let settings = crate::settings::ReadSettings::default();
    let document = read(&mut source, &settings, &mut crate::source::DiscardingSink).unwrap();
    for run in document.text.map.runs().iter().filter(|run| run.exact) {
        assert_eq!(document.text.text[run.out..run.out_end()], text[run.src..run.src_end()], "of {text}");
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_inside_of_a_character_are_taken_out() {
        let check = |bytes: &[u8], expected: &[u8]| {
            let (found, map) = unfolded(bytes);
            assert_eq!(&*found, expected, "{}", bytes.escape_ascii());
            let map = map.unwrap();
            assert_eq!(map.runs().iter().map(|run| run.src_end()).max(), Some(bytes.len()));
        };
        check(b"caf\xc3\r\n \xa9 au", b"caf\xc3\xa9 au");
        check(b"caf\xc3\n\t\xa9 au", b"caf\xc3\xa9 au");
        check(b"caf\xe9\r\n au", b"caf\xe9\r\n au");
        assert!(unfolded("caf\u{e9}\r\n au".as_bytes()).1.is_none());
    }
}
