//! Parts of a book that are not pages, or are too large for a tree: any XML, as paragraphs of its characters.
//!
//! Elements with the names of inline elements stay within a paragraph; every other element begins and ends one.

use crate::limits::epub::MAX_PARAGRAPH_RUNS;
use crate::markdown::{Block, MarkdownDraft, TextRun, Words};
use crate::shared::xml::{LineIndex, XmlEvent, XmlReader};
use pensieve_text::model::{Segment, Span};

/// Elements inside a line; all others begin one.
const INLINE: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "emph", "font",
    "hi", "i", "ins", "kbd", "link", "mark", "q", "ref", "rp", "rt", "ruby", "s", "samp", "small", "span",
    "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr",
];

/// Bytes of text after which a place of its own begins: these parts may have very many paragraphs.
const MIN_PLACE_BYTES: usize = 512;

/// The text of an XML part.
pub(super) fn read(decoded: &Segment) -> Segment {
    let mut text = PlainText {
        draft: MarkdownDraft::mapped(),
        lines: LineIndex::new(&decoded.text),
        placed: 0,
        words: Words::default(),
        heading: None,
    };
    let mut reader = XmlReader::new(&decoded.text);
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => {
                let name = tag.name().to_ascii_lowercase();
                match name.as_str() {
                    "script" | "style" | "head" => reader.pass(),
                    name if INLINE.binary_search(&name).is_ok() => {}
                    name => {
                        text.flush();
                        text.heading = heading_level(name).or(text.heading);
                    }
                }
            }
            XmlEvent::End(name) => {
                let name = name.to_ascii_lowercase();
                if INLINE.binary_search(&name.as_str()).is_err() {
                    text.flush();
                    text.heading = text.heading.filter(|_| heading_level(&name).is_none());
                }
            }
            XmlEvent::Text { text: piece, at, len } => {
                if text.words.0.len() > MAX_PARAGRAPH_RUNS {
                    text.flush();
                }
                let source = (piece.len() == len).then(|| Span::new(at, at + len));
                text.words.push(TextRun { text: piece.into_owned(), source, ..TextRun::default() });
            }
        }
    }
    text.flush();
    text.draft.finish_mapped(decoded)
}

/// The text as it grows.
struct PlainText {
    draft: MarkdownDraft,
    lines: LineIndex,
    /// The length of the text when the last place was added.
    placed: usize,
    words: Words,
    heading: Option<u8>,
}

impl PlainText {
    /// Ends the paragraph.
    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        // Line ends of the source are white space here.
        let words = Words(words.0.into_iter().map(unbroken).collect());
        if self.placed == 0 || self.draft.len() >= self.placed + MIN_PLACE_BYTES {
            self.placed = self.draft.len().max(1);
            self.draft.place(self.lines.of_words(&words));
        }
        self.draft.push(&match self.heading {
            Some(level) => Block::Heading { level, words },
            None => Block::Paragraph(words),
        });
    }
}

fn unbroken(run: TextRun) -> TextRun {
    TextRun { text: run.text.replace(['\n', '\u{b}'], "\r"), ..run }
}

fn heading_level(name: &str) -> Option<u8> {
    let digit = name.strip_prefix('h')?.parse().ok()?;
    (1..=6).contains(&digit).then_some(digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::SpanMap;

    fn check(xml: &str, expected: &str) {
        let map = SpanMap::identity(xml.len(), 0);
        let decoded = Segment { text: xml.to_owned(), map, ..Segment::default() };
        assert_eq!(read(&decoded).text, expected, "of {xml}");
    }

    #[test]
    fn names_are_sorted() {
        assert!(INLINE.is_sorted());
    }

    #[test]
    fn any_xml_becomes_paragraphs() {
        check("<a><title>One</title><x>two\n <b>three</b>.</x><y/>four</a>", "One\n\ntwo three.\n\nfour\n");
        check("<html><head><title>t</title></head><h2>H</h2><p>a<br/>b", "## H\n\na\n\nb\n");
    }
}
