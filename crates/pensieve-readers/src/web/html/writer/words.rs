//! Running text: white space collapses, what would be markup is escaped.

use super::super::tokenizer::Piece;
use super::markers::Stage;
use super::{Marker, Writer};
use crate::markdown::escape::{Around, is_markup, is_special, line_start, reference_for};
use pensieve_text::model::Span;
use std::ops::Range;

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
                None => self.literal_word(piece.span, at..at + len),
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

    /// Words of the page that stand elsewhere than in its text, such as those of a picture.
    pub fn put_text(&mut self, text: &str) {
        let mut at = 0;
        for word in text.split(is_blank) {
            let here = at..at + word.len();
            at = here.end + text[here.end..].chars().next().map_or(0, char::len_utf8);
            if word.is_empty() {
                self.put_space();
                continue;
            }
            self.start_word();
            let mut done = here.start;
            for escape in self.escapes(text, here.clone(), true) {
                let reference = reference_for(text.as_bytes()[escape]);
                self.put(&text[done..escape]);
                self.put(reference.unwrap_or("\\"));
                done = escape + usize::from(reference.is_some());
            }
            self.put(&text[done..here.end]);
            self.is_fresh = false;
            if here.end < text.len() {
                self.put_space();
            }
        }
    }

    /// A text in which nothing is markup, as it would be written here.
    pub fn escaped(&mut self, text: &str) -> String {
        let mut escaped = String::with_capacity(text.len());
        let mut done = 0;
        for at in self.escapes(text, 0..text.len(), true) {
            escaped.push_str(&text[done..at]);
            escaped.push('\\');
            done = at;
        }
        escaped + &text[done..]
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

    /// Divides items that stand in one cell, unless a sign already does.
    pub fn put_separator(&mut self, sign: &str) {
        let is_divided = self.text.ends_with([';', ':', ',', '.', '!', '?']);
        if self.in_cell && !self.is_fresh {
            if !is_divided {
                self.put(sign);
            }
            self.space = Some(None);
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

    fn literal_word(&mut self, piece: Span, word: Range<usize>) {
        let text = &self.source[piece.range()];
        let mut done = word.start;
        for at in self.escapes(text, word.clone(), true) {
            self.move_to(piece.start + done);
            self.copy(at - done);
            self.move_to(piece.start + at);
            done = at;
            match reference_for(text.as_bytes()[at]) {
                Some(reference) => {
                    self.map.replace(reference.len(), 1);
                    self.text.push_str(reference);
                    done += 1;
                }
                None => self.put("\\"),
            }
        }
        if done < word.end {
            self.move_to(piece.start + done);
            self.copy(word.end - done);
        }
        self.is_fresh = false;
    }

    fn decoded_word(&mut self, word: &str, span: Span) {
        self.move_to(span.start);
        // What follows stands in the source: `&lt;b` is a tag that somebody wrote about.
        let mut ahead = word.to_owned();
        ahead.extend(self.source[span.end..].chars().take(32).take_while(|&c| c != '<'));
        let first = ahead.find(is_blank).unwrap_or(ahead.len());
        let is_markup = self.escapes(&ahead, 0..first, true).first() == Some(&0);
        let text = match reference_for(ahead.as_bytes()[0]) {
            Some(reference) if is_markup => reference.to_owned(),
            _ if is_markup => format!("\\{word}"),
            _ => word.to_owned(),
        };
        let len = if self.map.src() > span.start { 0 } else { span.len() };
        self.map.replace(text.len(), len);
        self.text.push_str(&text);
        self.is_fresh = false;
    }

    /// Which bytes of a word of `text` need a backslash. `is_cut`: what follows the text may be anything.
    fn escapes(&mut self, text: &str, word: Range<usize>, is_cut: bool) -> Vec<usize> {
        let needs_all = self.needs_escapes();
        let mut found = Vec::new();
        if !(needs_all || self.with_markup && self.in_cell) {
            return found;
        }
        let begins = if needs_all { self.begins_block(&text[word.clone()], &text[word.end..]) } else { None };
        let begins = begins.map(|at| word.start + at);
        let mut around = None;
        for (at, &byte) in text.as_bytes()[..word.end].iter().enumerate().skip(word.start) {
            let is_wanted = if needs_all { is_special(byte) } else { byte == b'|' };
            let mut asks = || is_markup(text, at, *around.get_or_insert_with(|| self.around(is_cut)));
            if begins == Some(at) || is_wanted && asks() {
                found.push(at);
            }
        }
        found
    }

    /// Where a word would begin a block at the start of its line, or end a heading.
    fn begins_block(&mut self, word: &str, behind: &str) -> Option<usize> {
        let line = &self.text[self.line_words.min(self.text.len())..];
        self.begins_bracket = if line.is_empty() { word.starts_with('[') } else { line.starts_with('[') };
        if self.is_flat() {
            return (!self.in_cell && word.bytes().all(|byte| byte == b'#')).then_some(0);
        }
        // A number and its full stop may come in pieces.
        let is_number = |line: &str| line.len() < 10 && line.bytes().all(|byte| byte.is_ascii_digit());
        match line.is_empty() {
            true => line_start(word, self.follows_line).filter(|_| !is_broken_rule(word, behind)),
            false => (matches!(word, "." | ")") && is_number(line)).then_some(0),
        }
    }

    fn needs_escapes(&self) -> bool {
        self.with_markup
            && !self
                .markers
                .iter()
                .any(|(marker, stage)| *stage != Stage::Spent && matches!(marker, Marker::Code(_)))
    }

    fn around(&self, is_cut: bool) -> Around {
        let is_open = |stage: Stage| stage == Stage::Written;
        let in_link =
            self.markers.iter().any(|(marker, stage)| is_open(*stage) && matches!(marker, Marker::Link(_)));
        Around {
            // At a start, nothing but a mark that was just opened.
            before: self.text.chars().next_back().filter(|last| !self.is_fresh || "*_~".contains(*last)),
            is_cut,
            in_cell: self.in_cell,
            in_link,
            in_heading: self.is_flat() && !self.in_cell,
            begins_bracket: self.begins_bracket,
            before_link: self.before_link,
        }
    }
}

/// True for what would be a rule or an underline, if no words followed.
fn is_broken_rule(word: &str, behind: &str) -> bool {
    let sign = word.chars().next().unwrap_or_default();
    word.len() > 1
        && matches!(sign, '-' | '=' | '*' | '_')
        && word.chars().all(|c| c == sign)
        && !behind.chars().all(|c| is_blank(c) || c == sign)
}

/// White space that collapses; a no-break space too: it is what empty cells and paragraphs hold.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c' | '\u{a0}')
}
