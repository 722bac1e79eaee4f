//! Running text: white space collapses, what would be markup is escaped.

use super::super::tokenizer::Piece;
use super::markers::Stage;
use super::{Marker, Writer};
use crate::extract::markdown::escape::{Around, is_markup, is_special, line_start};
use crate::model::Span;

impl Writer<'_> {
    /// Words of the page; white space collapses.
    pub fn words(&mut self, piece: &Piece) {
        let text = piece.text(self.source);
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let blank = rest.len() - rest.trim_start_matches(is_blank).len();
            if blank > 0 {
                let is_literal = blank == 1 && rest.starts_with(' ') && piece.decoded.is_none();
                let place = is_literal.then_some(piece.span.start + at).filter(|_| self.space.is_none());
                self.space = Some(place);
                at += blank;
                continue;
            }
            let len = rest.find(is_blank).unwrap_or(rest.len());
            self.start_word();
            match piece.decoded {
                None => self.literal_word(Span::new(piece.span.start + at, piece.span.start + at + len)),
                Some(_) => self.decoded_word(&rest[..len], piece.span),
            }
            at += len;
        }
    }

    /// Words that we put in: a description of an image, a bracket. They may stand on a line of their own.
    pub fn put_words(&mut self, words: &str) {
        for (at, word) in words.split(is_blank).filter(|word| !word.is_empty()).enumerate() {
            if at > 0 {
                self.space = Some(None);
            }
            self.start_word();
            self.put(word);
            self.is_fresh = false;
        }
    }

    /// Puts `mark` directly behind what stands there, or at the start of the next word.
    pub fn put_mark(&mut self, mark: &str) {
        self.start_word();
        self.put(mark);
        self.is_fresh = false;
    }

    /// Puts `mark` behind what stands there, in front of white space that waits.
    pub fn put_end_mark(&mut self, mark: &str) {
        if self.line_is_open {
            self.put(mark);
        }
    }

    fn start_word(&mut self) {
        if !self.line_is_open {
            self.open_line();
        }
        match self.space.take() {
            Some(_) if self.is_fresh => {}
            Some(Some(place)) => {
                self.move_to(place);
                self.copy(1);
            }
            Some(None) => self.put(" "),
            None => {}
        }
        self.write_waiting();
    }

    fn literal_word(&mut self, word: Span) {
        let text = &self.source[word.range()];
        let mut done = 0;
        if self.needs_escapes() {
            // Inside of headings and cells no block begins.
            let begins = self.is_fresh && !self.is_flat();
            let starts_line = if begins { line_start(text) } else { None };
            let around = self.around();
            for (at, byte) in text.bytes().enumerate() {
                let at_start = starts_line == Some(at);
                if at_start || (is_special(byte) && is_markup(text, at, around)) {
                    self.move_to(word.start + done);
                    self.copy(at - done);
                    self.escape(byte, word.start + at);
                    done = at + 1;
                }
            }
        }
        if done < text.len() {
            self.move_to(word.start + done);
            self.copy(text.len() - done);
        }
        self.is_fresh = false;
    }

    fn decoded_word(&mut self, word: &str, span: Span) {
        let first = word.bytes().next().unwrap_or(b' ');
        self.move_to(span.start);
        // What follows stands in the source: `&lt;b` is a tag that somebody wrote about.
        let mut ahead = word.to_owned();
        ahead.extend(self.source[span.end..].chars().take(32));
        let is_markup = self.needs_escapes() && is_special(first) && is_markup(&ahead, 0, self.around());
        let text = match first {
            b'<' if is_markup => "&lt;".to_owned(),
            b'&' if is_markup => "&amp;".to_owned(),
            _ if is_markup => format!("\\{word}"),
            _ => word.to_owned(),
        };
        let len = if self.map.src() > span.start { 0 } else { span.len() };
        self.map.replace(text.len(), len);
        self.text.push_str(&text);
        self.is_fresh = false;
    }

    fn needs_escapes(&self) -> bool {
        self.with_markup
            && !self
                .markers
                .iter()
                .any(|(marker, stage)| *stage != Stage::Spent && matches!(marker, Marker::Code(_)))
    }

    fn around(&self) -> Around {
        let is_open = |stage: Stage| stage == Stage::Written;
        let in_link =
            self.markers.iter().any(|(marker, stage)| is_open(*stage) && matches!(marker, Marker::Link(_)));
        Around { in_cell: self.in_cell, in_link }
    }

    /// Writes the one character at `place` so that it is no markup.
    fn escape(&mut self, byte: u8, place: usize) {
        self.move_to(place);
        let reference = match byte {
            b'<' => "&lt;",
            b'&' => "&amp;",
            _ => {
                self.put("\\");
                self.copy(1);
                return;
            }
        };
        self.map.replace(reference.len(), 1);
        self.text.push_str(reference);
    }
}

/// White space that collapses; a no-break space too: it is what empty cells and paragraphs hold.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c' | '\u{a0}')
}
