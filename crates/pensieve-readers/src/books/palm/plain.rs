//! Books that are plain text in records: PalmDOC and zTXT. Their places are lines of the unpacked text.
//!
//! PalmDOC compresses each record separately ([`crate::books::palmdoc_lz`]). zTXT has one zlib stream over all of
//! them, flushed at each record if the book allows random access; a flush does not end the stream, so both are read
//! in the same way. Some programs wrote HTML into PalmDOC: that is read as a page.

use crate::books::palm_database::{PalmDatabase, damaged, refuse_encrypted};
use crate::books::palmdoc_lz as lz;
use crate::limits::palm::{MAX_PAGE_BYTES, MAX_TEXT_BYTES};
use crate::settings::HtmlOptions;
use crate::settings::ReadSettings;
use crate::shared::bytes::{has_lost_characters, u16_be, u32_be};
use crate::web::html::read_html;
use pensieve_text::model::{Document, LineAnchor, Locator, Problem, ProblemKind, Segment, SpanMap, TextKind};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};
use std::io::Read;

/// Unpacked text, and whether it is complete.
#[derive(Debug, Default)]
struct UnpackedText {
    text: Vec<u8>,
    records: usize,
    broken: usize,
    is_cut: bool,
}

/// Reads a PalmDOC book.
pub(super) fn read_palm_doc(
    database: &mut PalmDatabase<'_>,
    settings: &ReadSettings,
) -> Result<Document, Problem> {
    let head = database.record(0).ok_or_else(|| damaged("the database has no header record"))?;
    refuse_encrypted(&head)?;
    let compression = u16_be(&head, 0).unwrap_or_default();
    let mut unpacked = UnpackedText::default();
    for number in 1..=count_of(&head, database) {
        let Some(record) = database.record(number) else {
            unpacked.broken += 1;
            continue;
        };
        unpacked.records += 1;
        match compression {
            1 => unpacked.text.extend_from_slice(&record),
            2 => unpacked.broken += usize::from(!lz::unpack(&record, &mut unpacked.text)),
            other => return Err(damaged(format!("no PalmDOC compression: {other}"))),
        }
        if unpacked.text.len() > MAX_TEXT_BYTES {
            unpacked.is_cut = true;
            break;
        }
    }
    unpacked.finish(database, settings)
}

/// Reads a zTXT book.
pub(super) fn read_ztxt(
    database: &mut PalmDatabase<'_>,
    settings: &ReadSettings,
) -> Result<Document, Problem> {
    let head = database.record(0).ok_or_else(|| damaged("the database has no header record"))?;
    let count = usize::from(u16_be(&head, 2).unwrap_or_default()).min(database.len().saturating_sub(1));
    let expected = u32_be(&head, 4).unwrap_or_default() as usize;
    let mut unpacked = UnpackedText::default();
    let mut packed = Vec::new();
    for number in 1..=count {
        match database.record(number) {
            Some(record) => packed.extend_from_slice(&record),
            None => unpacked.broken += 1,
        }
        unpacked.records += 1;
    }
    let stream = flate2::read::ZlibDecoder::new(packed.as_slice());
    let result = stream.take(MAX_TEXT_BYTES as u64 + 1).read_to_end(&mut unpacked.text);
    unpacked.is_cut = unpacked.text.len() > MAX_TEXT_BYTES;
    unpacked.broken += usize::from(result.is_err() || unpacked.text.len() < expected && !unpacked.is_cut);
    unpacked.finish(database, settings)
}

/// How many records of text there are: the number in the header, limited by the records of the file.
fn count_of(head: &[u8], database: &PalmDatabase<'_>) -> usize {
    let there = database.len().saturating_sub(1);
    match usize::from(u16_be(head, 8).unwrap_or_default()) {
        0 => there,
        count => count.min(there),
    }
}

impl UnpackedText {
    /// The document of the unpacked text.
    fn finish(mut self, database: &PalmDatabase<'_>, settings: &ReadSettings) -> Result<Document, Problem> {
        let mut problems = Vec::new();
        if self.is_cut {
            self.text.truncate(MAX_TEXT_BYTES);
            let message = format!("the book expands beyond {MAX_TEXT_BYTES} bytes: the rest is left out");
            problems.push(Problem::new(ProblemKind::SizeLimit, message));
        }
        if self.text.is_empty() {
            return Err(damaged("no record of its text can be read"));
        }
        let mut document = read_text(&self.text, settings);
        if self.broken > 0 {
            let message =
                format!("{} of {} records of text are missing or broken", self.broken, self.records);
            problems.push(damaged(&message));
            document.note_skipped(message);
        }
        document.problems.extend(problems);
        let title = title_of(&database.name);
        if !title.is_empty() && !document.metadata.iter().any(|(key, _)| key == "title") {
            document.metadata.insert(0, ("title".to_owned(), title));
        }
        document.mime = Some("application/vnd.palm".to_owned());
        Ok(document)
    }
}

/// The name of a database as a title: names have no spaces at their ends, and some have none at all.
pub(super) fn title_of(name: &[u8]) -> String {
    let hints = EncodingHints { declared: None, format: DeclarationFormat::None };
    let text = decode_all(name, &hints).0.text;
    let text = if text.contains(' ') { text } else { text.replace('_', " ") };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Unpacked text as a document: as plain text, or as a page if it is HTML.
pub(crate) fn read_text(bytes: &[u8], settings: &ReadSettings) -> Document {
    let is_page = is_page(bytes) && bytes.len() <= MAX_PAGE_BYTES;
    let format = if is_page { DeclarationFormat::Html } else { DeclarationFormat::None };
    // Readers on Palm ended texts with a zero.
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
    let (mut decoded, encoding, problems) =
        decode_all(&bytes[..end], &EncodingHints { declared: None, format });
    let mut document = if is_page {
        let options = HtmlOptions { main_content: false, ..settings.html.clone() };
        let mut document = read_html(decoded, &options);
        // Places of the page are lines of the unpacked text.
        document.text.map = SpanMap::default();
        document
    } else {
        decoded.map = SpanMap::default();
        Document { text: with_lines(decoded), kind: Some(TextKind::Prose), ..Document::default() }
    };
    document.encoding = Some(encoding.name().to_owned());
    document.problems.extend(problems);
    if has_lost_characters(&bytes[..end]) {
        document.note_damage("a block of the text is nothing but zeros");
    }
    document
}

/// Text whose places are lines counted from the first, instead of the places from the decoder.
fn with_lines(mut segment: Segment) -> Segment {
    if segment.lines.is_empty() && segment.places.0.is_empty() && !segment.text.is_empty() {
        segment.lines.push(LineAnchor { out: 0, line: 1 });
    }
    segment
}

fn is_page(bytes: &[u8]) -> bool {
    let head = bytes[..bytes.len().min(1024)].to_ascii_lowercase();
    let has = |mark: &[u8]| memchr::memmem::find(&head, mark).is_some();
    has(b"<html") || has(b"<body") || has(b"<p>") && has(b"</p>")
}

/// The location of a text in a database: its record.
pub(super) fn in_record(number: usize) -> Locator {
    Locator::spine(format!("record {number}"), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_places_has_lines_from_the_first() {
        let check = |segment: Segment, expected: usize| assert_eq!(with_lines(segment).lines.len(), expected);
        check(Segment { text: "one".to_owned(), ..Segment::default() }, 1);
        check(Segment::default(), 0);
        let lines = vec![LineAnchor { out: 0, line: 4 }, LineAnchor { out: 4, line: 6 }];
        check(Segment { text: "one two".to_owned(), lines, ..Segment::default() }, 2);
    }

    #[test]
    fn zeros_in_a_text_are_a_problem() {
        let problems = |text: &[u8]| read_text(text, &ReadSettings::default()).problems.len();
        assert_eq!(problems(b"words\0and words\0\0"), 0);
        assert_eq!(problems(&[b"words".as_slice(), &[0; 100]].concat()), 0);
        assert_eq!(problems(&[b"words".as_slice(), &[0; 100], b"words"].concat()), 1);
    }

    #[test]
    fn texts_with_tags_at_their_start_are_pages() {
        for (text, expected) in [
            ("<HTML>x", true),
            ("words <body>", true),
            ("<P>x</P>", true),
            ("<p>x", false),
            ("x</p>", false),
            ("words", false),
        ] {
            assert_eq!(is_page(text.as_bytes()), expected, "{text}");
        }
        let after = |spaces: usize| is_page(format!("{}<html>", " ".repeat(spaces)).as_bytes());
        assert_eq!([after(1024 - 5), after(1024 - 4)], [true, false]);
        let page = read_text(b"<html><p>one &amp; two</p></html>\0\0", &ReadSettings::default());
        assert_eq!((page.text.text.as_str(), page.kind), ("one & two\n", Some(TextKind::Markup)));
        let plain = read_text(b"one &amp; two\n\0", &ReadSettings::default());
        assert_eq!((plain.text.text.as_str(), plain.kind), ("one &amp; two\n", Some(TextKind::Prose)));
    }

    #[test]
    fn names_of_databases_are_titles() {
        for (name, expected) in
            [("The_Book", "The Book"), ("The Book_2 ", "The Book_2"), ("  a   b ", "a b"), ("", "")]
        {
            assert_eq!(title_of(name.as_bytes()), expected);
        }
    }
}
