//! Text with the markup of mails before HTML. Formats: RFC 1896 (`text/enriched`), RFC 1341 section 7.1.3
//! (`text/richtext`).

use super::mail_text::{MailText, has_heading_marks};
use pensieve_text::model::{Segment, Span};

/// Which of the two markups a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EnrichedMarkup {
    /// Two line ends are one, `<<` is a character.
    Enriched,
    /// Line ends are blanks, `<nl>` ends a line, `<lt>` is a character.
    Richtext,
}

impl EnrichedMarkup {
    /// By the type of a part.
    pub fn of(kind: &str) -> EnrichedMarkup {
        if kind == "text/richtext" { EnrichedMarkup::Richtext } else { EnrichedMarkup::Enriched }
    }
}

/// Characters of the longest command, `<` and `>` not counted.
const MAX_COMMAND_CHARS: usize = 60;

/// Writes a text without its markup; the map points to `source`.
pub(super) fn enriched_text(source: &str, markup: EnrichedMarkup) -> Segment {
    let mut writer = EnrichedWriter { source, markup, page: MailText::new(), unfilled: 0, quotes: 0 };
    writer.write();
    if !writer.page.ends_line() {
        writer.page.put("\n");
    }
    writer.page.finish()
}

struct EnrichedWriter<'s> {
    source: &'s str,
    markup: EnrichedMarkup,
    page: MailText,
    /// Open commands inside which a line end is a line end.
    unfilled: usize,
    /// Open quotations.
    quotes: usize,
}

/// A command and the byte after it.
struct Command<'s> {
    name: &'s str,
    is_end: bool,
    next: usize,
}

impl<'s> EnrichedWriter<'s> {
    fn write(&mut self) {
        let bytes = self.source.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            at = match bytes[at] {
                b'<' if self.markup == EnrichedMarkup::Enriched && bytes.get(at + 1) == Some(&b'<') => {
                    self.open_line("<");
                    self.page.replace("<", Span::new(at, at + 2));
                    at + 2
                }
                b'<' => match self.command(at) {
                    Some(command) => self.obey(&command, at),
                    None => self.words(at, self.plain_end(at + 1)),
                },
                b'\n' | b'\r' => self.line_ends(at),
                _ => self.words(at, self.plain_end(at)),
            };
        }
    }

    /// The first byte from `at` on that may be markup or ends a line.
    fn plain_end(&self, at: usize) -> usize {
        let rest = &self.source.as_bytes()[at..];
        at + memchr::memchr3(b'<', b'\n', b'\r', rest).unwrap_or(rest.len())
    }

    /// Copies text without markup and returns where it ends. Blanks at the start of a line of filled text mean nothing.
    fn words(&mut self, start: usize, end: usize) -> usize {
        let mut text = &self.source[start..end];
        if self.page.ends_line() && self.unfilled == 0 {
            text = text.trim_start_matches([' ', '\t']);
        }
        if !text.is_empty() {
            self.open_line(text);
            self.page.copy(text, end - text.len());
        }
        end
    }

    /// Writes what is before the first word of a line.
    fn open_line(&mut self, text: &str) {
        if !self.page.ends_line() {
            return;
        }
        if self.quotes > 0 {
            self.page.put(&format!("{} ", ">".repeat(self.quotes)));
        }
        if has_heading_marks(text) {
            self.page.put("\\");
        }
    }

    fn line_ends(&mut self, start: usize) -> usize {
        let rest = &self.source.as_bytes()[start..];
        let length = rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        let ends = self.source[start..start + length].matches('\n').count().max(1);
        match (self.unfilled > 0, self.markup) {
            (true, _) => self.page.put(&"\n".repeat(ends)),
            (false, EnrichedMarkup::Enriched) if ends > 1 => self.page.put(&"\n".repeat(ends - 1)),
            _ if self.page.ends_with_blank() => {}
            _ => self.page.put(" "),
        }
        start + length
    }

    /// The command that begins at `at`.
    fn command(&self, at: usize) -> Option<Command<'s>> {
        let rest = &self.source[at + 1..];
        let length =
            memchr::memchr(b'>', rest.as_bytes().get(..=MAX_COMMAND_CHARS).unwrap_or(rest.as_bytes()))?;
        let inside = &rest[..length];
        let name = inside.strip_prefix('/').unwrap_or(inside);
        let is_name =
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        is_name.then(|| Command { name, is_end: name.len() < length, next: at + length + 2 })
    }

    /// Does what a command says and returns the byte after it, or after what it removes.
    fn obey(&mut self, command: &Command<'s>, at: usize) -> usize {
        let is_richtext = self.markup == EnrichedMarkup::Richtext;
        match command.name.to_ascii_lowercase().as_str() {
            "param" if !is_richtext && !command.is_end => return self.end_of(command).1,
            "comment" if is_richtext && !command.is_end => return self.end_of(command).1,
            "verbatim" if !command.is_end => return self.verbatim(command),
            "nofill" => self.unfilled = step(self.unfilled, command.is_end),
            "excerpt" => self.excerpt(command.is_end),
            "lt" if is_richtext => {
                self.open_line("<");
                self.page.replace("<", Span::new(at, command.next));
            }
            "nl" if is_richtext => self.page.put("\n"),
            "np" | "paragraph" if is_richtext => self.paragraph(),
            _ => {}
        }
        command.next
    }

    /// Where the content of a command ends, and where its end command does: at the end of the text if there is none.
    fn end_of(&self, command: &Command<'s>) -> (usize, usize) {
        let mut at = command.next;
        while let Some(found) = memchr::memchr(b'<', &self.source.as_bytes()[at..]).map(|found| at + found) {
            match self.command(found) {
                Some(other) if other.is_end && other.name.eq_ignore_ascii_case(command.name) => {
                    return (found, other.next);
                }
                _ => at = found + 1,
            }
        }
        (self.source.len(), self.source.len())
    }

    fn verbatim(&mut self, command: &Command<'s>) -> usize {
        let (end, next) = self.end_of(command);
        self.unfilled += 1;
        let mut at = command.next;
        while at < end {
            at = match self.source.as_bytes()[at] {
                b'\n' | b'\r' => self.line_ends(at),
                _ => {
                    let rest = &self.source.as_bytes()[at..end];
                    let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                    self.words(at, at + length)
                }
            };
        }
        self.unfilled -= 1;
        next
    }

    fn excerpt(&mut self, is_end: bool) {
        self.paragraph();
        self.quotes = step(self.quotes, is_end).min(MAX_QUOTES);
    }

    fn paragraph(&mut self) {
        if !self.page.ends_line() {
            self.page.put("\n");
        }
        if !self.page.ends_paragraph() {
            self.page.put("\n");
        }
    }
}

/// Marks of quotations that a line may have.
const MAX_QUOTES: usize = 20;

fn step(open: usize, is_end: bool) -> usize {
    if is_end { open.saturating_sub(1) } else { open + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(markup: EnrichedMarkup, source: &str, expected: &str) {
        let made = enriched_text(source, markup);
        assert_eq!(made.text, expected, "{source:?}");
        for (at, c) in made.text.char_indices() {
            let span = Span::new(at, at + c.len_utf8());
            if let Some(found) = made.map.source(span).filter(|found| found.exact) {
                assert_eq!(&source[found.start..found.end], c.to_string(), "at {at} of {source:?}");
            }
        }
    }

    #[test]
    fn enriched_text_is_read_as_its_standard_says() {
        use EnrichedMarkup::Enriched;
        check(Enriched, "<bold>Now</bold> << then", "Now < then\n");
        check(Enriched, "one\ntwo\n\nthree\n\n\nfour\r\n\r\n\r\nfive", "one two\nthree\n\nfour\n\nfive\n");
        check(
            Enriched,
            "<color><param>red</param>Blood</color> and <fontfamily><param>Times</param>type</fontfamily>",
            "Blood and type\n",
        );
        check(Enriched, "<nofill>a  b\n   c\n</nofill>d\ne", "a  b\n   c\nd e\n");
        check(Enriched, "He said:<excerpt>one\n\ntwo</excerpt>no", "He said:\n\n> one\n> two\n\nno\n");
        check(Enriched, "<verbatim><bold>\n<x></verbatim> y", "&lt;bold>\n&lt;x> y\n");
        check(Enriched, "# no heading", "\\# no heading\n");
    }

    #[test]
    fn richtext_is_read_as_its_standard_says() {
        use EnrichedMarkup::Richtext;
        check(
            Richtext,
            "<bold>Now</bold> is\nthe<nl>time <comment>not <bold>shown</bold></comment>for<np>a <lt> b",
            "Now is the\ntime for\n\na < b\n",
        );
    }

    #[test]
    fn broken_markup_gives_its_words() {
        use EnrichedMarkup::Enriched;
        check(Enriched, "a < b > c, <https://example.org/>", "a < b > c, &lt;https://example.org/>\n");
        check(Enriched, "a <bold", "a &lt;bold\n");
        check(Enriched, "a <", "a <\n");
        check(Enriched, "</nofill></excerpt>a\nb", "a b\n");
        check(Enriched, "a <param>b", "a \n");
        check(Enriched, "", "");
        check(Enriched, &"<excerpt>".repeat(99), "");
        for cut in ["<verbatim>ä", "<nofill>", "\r", "<</", "<param>ä</par"] {
            enriched_text(cut, Enriched);
        }
    }
}
