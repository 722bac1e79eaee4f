//! Running text: white space collapses, what would be markup is escaped.

use super::{StreamWriter, WaitingSpace};
use crate::markdown::block_mark::cell_separator;
use crate::markdown::escape::{
    LinePlace, Surroundings, WordKind, block_start, escapes, interrupts_paragraph, write_escaped,
};
use crate::markdown::source_text::SourceText;
use pensieve_text::model::Span;
use std::ops::Range;

/// How much of the source after a character reference is examined with it.
const AHEAD_CHARS: usize = 32;

impl StreamWriter<'_> {
    /// Words of the page; white space collapses.
    pub fn words(&mut self, text: &SourceText) {
        let words = text.resolve(self.source);
        let mut at = 0;
        while at < words.len() {
            let rest = &words[at..];
            let blank = rest.len() - rest.trim_start_matches(is_blank).len();
            if blank > 0 {
                let is_literal = blank == 1 && rest.starts_with(' ') && text.decoded.is_none();
                self.space = match is_literal && self.space == WaitingSpace::None {
                    true => WaitingSpace::Literal(text.span.start + at),
                    false => WaitingSpace::Other,
                };
                at += blank;
                continue;
            }
            let len = rest.find(is_blank).unwrap_or(rest.len());
            self.start_word();
            match text.decoded {
                None => self.literal_word(text.span, at..at + len),
                Some(_) => self.decoded_word(&rest[..len], text.span),
            }
            at += len;
        }
    }

    /// Words that the reader adds: a description of an image, a bracket. They may be on a line of their own.
    pub fn put_words(&mut self, words: &str) {
        for (at, word) in words.split(is_blank).filter(|word| !word.is_empty()).enumerate() {
            if at > 0 {
                self.space = WaitingSpace::Other;
            }
            self.put_mark(word);
        }
    }

    /// Words of the page from outside of its text, such as those of a picture.
    pub fn put_text(&mut self, text: &str) {
        let mut at = 0;
        for part in text.split_inclusive(is_blank) {
            let word = at..at + part.trim_end_matches(is_blank).len();
            at += part.len();
            if !word.is_empty() {
                self.start_word();
                let found = self.escapes(text, word.clone());
                self.out.put_escaped(text, word.clone(), &found, false);
                self.is_fresh = false;
            }
            if word.len() < part.len() {
                self.put_space();
            }
        }
    }

    /// The text with the escapes that it needs here, as none of it is markup.
    pub fn escaped(&mut self, text: &str) -> String {
        let mut escaped = String::with_capacity(text.len());
        // The words may become part of emphasis.
        let with_markup = self.with_markup && !self.marks.is_in_code();
        let around = Surroundings { in_emphasis: true, ..self.surroundings() };
        let found = match with_markup {
            true => {
                let kind = WordKind::Text { block_start: self.block_start(text, "") };
                escapes(text, 0..text.len(), kind, || around)
            }
            false => self.escapes(text, 0..text.len()),
        };
        write_escaped(text, 0..text.len(), &found, |part| escaped.push_str(part.as_str()));
        escaped
    }

    /// Puts `mark` directly after what is written, or at the start of the next word.
    pub fn put_mark(&mut self, mark: &str) {
        self.start_word();
        self.out.put(mark);
        self.is_fresh = false;
    }

    /// Puts `mark` after what is written, before any waiting white space.
    pub fn put_end_mark(&mut self, mark: &str) {
        if self.line_is_open {
            self.out.put(mark);
        }
    }

    /// Separates items in one cell, unless punctuation already does.
    pub fn put_separator(&mut self, sign: &str) {
        if self.is_in_row() && !self.is_fresh {
            let sign = cell_separator(self.out.as_str(), sign);
            self.out.put(sign);
            self.space = WaitingSpace::Other;
        }
    }

    fn start_word(&mut self) {
        self.open_line();
        match std::mem::replace(&mut self.space, WaitingSpace::None) {
            WaitingSpace::None => {}
            _ if self.is_fresh => {}
            WaitingSpace::Literal(place) => self.copy(Span::new(place, place + 1)),
            WaitingSpace::Other => self.out.put(" "),
        }
        for opening in self.marks.open() {
            self.out.put(&opening);
        }
    }

    /// Copies bytes of the source.
    pub(super) fn copy(&mut self, source: Span) {
        self.out.skip_to(source.start, self.source);
        self.out.copy(&self.source[source.range()]);
        self.add_origin(source);
    }

    fn add_origin(&mut self, source: Span) {
        if let Some(block) = self.blocks.last_mut().filter(|_| !source.is_empty()) {
            block.add(source);
        }
    }

    fn literal_word(&mut self, text: Span, word: Range<usize>) {
        let words = &self.source[text.range()];
        let found = self.escapes(words, word.clone());
        let source = Span::new(text.start + word.start, text.start + word.end);
        self.out.skip_to(source.start, self.source);
        self.out.put_escaped(words, word, &found, true);
        self.add_origin(source);
        self.is_fresh = false;
    }

    fn decoded_word(&mut self, word: &str, span: Span) {
        self.out.skip_to(span.start, self.source);
        // The source shows what follows: in `&lt;b`, the author writes about a tag.
        let mut ahead = word.to_owned();
        ahead.extend(self.source[span.end..].chars().take(AHEAD_CHARS).take_while(|&c| c != '<'));
        let first = ahead.find(is_blank).unwrap_or(ahead.len());
        let found = self.escapes(&ahead, 0..first);
        let found = if found.first() == Some(&0) { &found[..1] } else { &[] };
        let mut written = String::new();
        write_escaped(&ahead, 0..word.len(), found, |part| written.push_str(part.as_str()));
        let len = if self.out.source_place() > span.start { 0 } else { span.len() };
        self.out.replace(&written, len);
        self.is_fresh = false;
    }

    /// Which bytes of a word of `text` need an escape. What follows the text may be anything.
    fn escapes(&mut self, text: &str, word: Range<usize>) -> Vec<usize> {
        let kind = match self.with_markup && !self.marks.is_in_code() {
            true => WordKind::Text { block_start: self.block_start(&text[word.clone()], &text[word.end..]) },
            false if self.with_markup && self.is_in_row() => WordKind::Verbatim,
            false => return Vec::new(),
        };
        escapes(text, word, kind, || self.surroundings())
    }

    /// The byte at which a word would begin a block at the start of its line, or end a heading.
    fn block_start(&mut self, word: &str, after: &str) -> Option<usize> {
        // The mark of a printed page is no word: what follows it begins the line.
        let line = without_comments(&self.out.as_str()[self.line_words.min(self.out.len())..]);
        self.begins_bracket = if line.is_empty() { word.starts_with('[') } else { line.starts_with('[') };
        if self.is_one_line() {
            return (!self.is_in_row() && word.bytes().all(|byte| byte == b'#')).then_some(0);
        }
        // A number and its full stop may arrive in separate parts.
        let is_number = |line: &str| line.len() < 10 && line.bytes().all(|byte| byte.is_ascii_digit());
        let is_joined = self.before_link && after.is_empty();
        match line.is_empty() {
            true if is_joined => None,
            true => block_start(word, self.line_place()).filter(|_| !is_broken_rule(word, after)),
            false if self.in_paragraph && !interrupts_paragraph(line) => None,
            false => (matches!(word, "." | ")") && is_number(line)).then_some(0),
        }
    }

    fn line_place(&self) -> LinePlace {
        match (self.follows_line, self.in_paragraph) {
            (_, true) => LinePlace::InParagraph,
            (true, false) => LinePlace::AfterLine,
            (false, false) => LinePlace::First,
        }
    }

    fn surroundings(&self) -> Surroundings {
        Surroundings {
            // At a start, nothing but a mark that was just opened.
            before: self
                .out
                .as_str()
                .chars()
                .next_back()
                .filter(|last| !self.is_fresh || "*_~".contains(*last)),
            is_cut: true,
            in_emphasis: self.marks.outer_sign().is_some(),
            before_space: self.before_space,
            in_cell: self.is_in_row(),
            in_link: self.marks.is_in_link(),
            in_heading: self.is_one_line() && !self.is_in_row(),
            begins_bracket: self.begins_bracket,
            before_link: self.before_link,
        }
    }
}

/// A line after the comments at its start.
fn without_comments(line: &str) -> &str {
    let mut rest = line;
    while let Some(end) = rest.strip_prefix("<!--").and_then(|comment| comment.find("-->")) {
        rest = rest[end + 7..].trim_start();
    }
    rest
}

/// True for what would be a rule or an underline, if no words followed.
fn is_broken_rule(word: &str, after: &str) -> bool {
    let sign = word.chars().next().unwrap_or_default();
    word.len() > 1
        && matches!(sign, '-' | '=' | '*' | '_')
        && word.chars().all(|c| c == sign)
        && !after.chars().all(|c| is_blank(c) || c == sign)
}

/// White space that collapses; no-break spaces too, because empty cells and paragraphs contain them.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c' | '\u{a0}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_with_words_after_them_are_no_rule() {
        for (word, after, expected) in [
            ("-", " x", false),
            ("--", " x", true),
            ("==", "\tx", true),
            ("***", "\u{a0}x", true),
            ("__", "x", true),
            ("---", "", false),
            ("---", " --\n", false),
            ("---", " == ", true),
            ("--x", " y", false),
            ("aa", " x", false),
        ] {
            assert_eq!(is_broken_rule(word, after), expected, "{word}{after}");
        }
    }

    #[test]
    fn comments_at_the_start_of_a_line_are_no_words() {
        for (line, expected) in [
            ("", ""),
            ("a<!--b-->", "a<!--b-->"),
            ("<!--a-->b", "b"),
            ("<!--a--> <!--b--> c", "c"),
            ("<!--a", "<!--a"),
        ] {
            assert_eq!(without_comments(line), expected, "{line}");
        }
    }
}
