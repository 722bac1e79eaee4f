//! The text of a mail, written together with its map: lines stay as they are, soft line ends of flowed text go. Only
//! what Markdown would drop (tags, references) or take for a heading is escaped: Markdown has `*this*` and `> that` from
//! mails. A blank line ends a quotation, which would continue otherwise, and is written before a signature's `-- `.
//! Format of flowed text: RFC 3676.

use super::lines::line_at;
use crate::limits::mail::{MAX_MAP_SPANS, MAX_PLACES};
use pensieve_text::model::{Locator, LocatorMap, MapBuilder, Segment, Span, SpanMap};
use std::ops::Range;
use std::sync::Arc;

/// How flowed text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlowedFormat {
    /// Lines are lines.
    Fixed,
    /// A line that ends with a blank continues on the next one.
    Flowed {
        /// That blank does not belong to the text.
        deletes_space: bool,
    },
}

/// A text that is being written, with the source of its bytes.
#[derive(Debug)]
pub(super) struct MailText {
    text: String,
    map: MapBuilder,
    /// The byte of the source after what was copied last.
    source: usize,
    /// Spans of the source that do not begin where the one before ends; with too many of them there is no map.
    map_spans: usize,
}

impl MailText {
    pub fn new() -> MailText {
        MailText { text: String::new(), map: MapBuilder::new(0), source: 0, map_spans: 0 }
    }

    /// Text that is in the source at `at`, as it is.
    pub fn copy(&mut self, text: &str, at: usize) {
        let mut done = 0;
        for found in memchr::memchr2_iter(b'<', b'&', text.as_bytes()) {
            if !is_dropped(&text[found..]) {
                continue;
            }
            self.copy_unescaped(&text[done..found], at + done);
            let reference = if text.as_bytes()[found] == b'<' { "&lt;" } else { "&amp;" };
            self.replaced(reference, Span::new(at + found, at + found + 1));
            done = found + 1;
        }
        self.copy_unescaped(&text[done..], at + done);
    }

    fn copy_unescaped(&mut self, text: &str, at: usize) {
        self.seek(at);
        self.source = at + text.len();
        if self.map_spans < MAX_MAP_SPANS {
            self.map.copy(text.len());
        }
        self.text.push_str(text);
    }

    fn replaced(&mut self, text: &str, source: Span) {
        self.seek(source.start);
        self.source = source.end;
        self.map_spans += 1;
        if self.map_spans < MAX_MAP_SPANS {
            self.map.replace(text.len(), source.len());
        }
        self.text.push_str(text);
    }

    fn seek(&mut self, at: usize) {
        self.map_spans += usize::from(at != self.source);
        self.map.seek(at);
    }

    /// Text that replaces a span of the source.
    pub fn replace(&mut self, text: &str, source: Span) {
        self.replaced(&escaped(text), source);
    }

    /// Text that the source does not have.
    pub fn put(&mut self, text: &str) {
        if text.trim().is_empty() {
            self.map.insert_blank(text.len());
        } else if self.map_spans < MAX_MAP_SPANS {
            self.map.insert(text.len());
        }
        self.map_spans += 1;
        self.text.push_str(text);
    }

    /// The text with its map.
    pub fn finish(self) -> Segment {
        let map = if self.map_spans < MAX_MAP_SPANS { self.map.finish() } else { SpanMap::default() };
        Segment { text: self.text, map, ..Segment::default() }
    }

    /// True at the start of a line.
    pub fn ends_line(&self) -> bool {
        self.text.is_empty() || self.text.ends_with('\n')
    }

    /// True at the start of the text and after a blank line.
    pub fn ends_paragraph(&self) -> bool {
        self.text.is_empty() || self.text.ends_with("\n\n")
    }

    /// True at the start of a line and after a blank.
    pub fn ends_with_blank(&self) -> bool {
        self.ends_line() || self.text.ends_with(' ')
    }
}

/// Text with everything escaped that Markdown would drop.
pub(super) fn escaped(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    let mut done = 0;
    for found in memchr::memchr2_iter(b'<', b'&', text.as_bytes()) {
        if is_dropped(&text[found..]) {
            page.push_str(&text[done..found]);
            page.push_str(if text.as_bytes()[found] == b'<' { "&lt;" } else { "&amp;" });
            done = found + 1;
        }
    }
    page.push_str(&text[done..]);
    page
}

/// True where a tag or a reference begins. `<a@b.org>` is shown as it is.
fn is_dropped(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes[0] == b'&' {
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'#';
        let name = bytes[1..].iter().take(32).take_while(is_name).count();
        return name > 0 && bytes.get(1 + name) == Some(&b';');
    }
    let is_start = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?');
    if !bytes.get(1).is_some_and(is_start) {
        return false;
    }
    let inside = bytes[1..].iter().take(320).take_while(|byte| !matches!(byte, b'>' | b'<' | b' ' | b'\n'));
    let inside: Vec<u8> = inside.copied().collect();
    !inside.contains(&b'@') || inside.contains(&b'/')
}

/// What the line before was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PreviousLine {
    /// Blank, or there was none.
    Blank,
    Words,
    Quote,
}

/// Writes the text of a part; the map points to `source`.
pub(super) fn plain_text(source: &str, flow: FlowedFormat) -> Segment {
    plain_text_without(source, flow, &[])
}

/// As [`plain_text`], without some of its lines, which are sorted.
pub(super) fn plain_text_without(source: &str, flow: FlowedFormat, left_out: &[Range<usize>]) -> Segment {
    let mut page = MailText::new();
    let mut goes_on: Option<usize> = None;
    let mut before = PreviousLine::Blank;
    let mut at = 0;
    let mut left_out = left_out.iter().peekable();
    while let Some(line) = line_at(source.as_bytes(), at) {
        if let Some(lines) = left_out.next_if(|lines| lines.start == line.start) {
            (at, goes_on) = (lines.end, None);
            continue;
        }
        at = line.next;
        let text = &source[line.start..line.end];
        let FlowedFormat::Flowed { deletes_space } = flow else {
            before = fixed_line(&mut page, text, line.start, before);
            match &source[line.end..line.next] {
                "\n" if page.source == line.end => page.copy("\n", line.end),
                _ => page.put("\n"),
            }
            continue;
        };
        let depth = text.bytes().take_while(|byte| *byte == b'>').count();
        let stuffed = &text[depth..];
        let content = stuffed.strip_prefix(' ').unwrap_or(stuffed);
        let start = line.end - content.len();
        let is_soft = content.ends_with(' ') && content != "-- ";
        let kept = if is_soft && deletes_space { &content[..content.len() - 1] } else { content };
        if goes_on == Some(depth) {
            page.copy(kept, start);
        } else if depth > 0 {
            end_line(&mut page);
            page.copy(&text[..depth], line.start);
            page.put(" ");
            page.copy(kept, start);
            before = PreviousLine::Quote;
        } else {
            end_line(&mut page);
            before = open_line(&mut page, kept, start, before);
        }
        goes_on = Some(depth).filter(|_| is_soft);
        if goes_on.is_none() {
            page.put("\n");
        }
    }
    end_line(&mut page);
    page.finish()
}

fn end_line(page: &mut MailText) {
    if !page.ends_line() {
        page.put("\n");
    }
}

/// Writes a line without its end.
fn fixed_line(page: &mut MailText, text: &str, at: usize, before: PreviousLine) -> PreviousLine {
    let kept = if text == "-- " { text } else { text.trim_end_matches([' ', '\t', '\r']) };
    open_line(page, kept, at, before)
}

/// As [`fixed_line`]. A line of hyphens under words would make a heading of them.
fn open_line(page: &mut MailText, text: &str, at: usize, before: PreviousLine) -> PreviousLine {
    let bare = text.trim();
    if bare.is_empty() {
        page.copy("", at);
        return PreviousLine::Blank;
    }
    let is_rule = bare.bytes().all(|byte| byte == b'-') || bare.bytes().all(|byte| byte == b'=');
    let is_quoted = text.starts_with('>');
    let goes_on = before == PreviousLine::Quote && !is_quoted;
    if goes_on || is_rule && before == PreviousLine::Words {
        page.put("\n");
    }
    if has_heading_marks(bare) {
        let indent = text.len() - text.trim_start().len();
        page.copy(&text[..indent], at);
        page.put("\\");
        page.copy(&text[indent..], at + indent);
    } else {
        page.copy(text, at);
    }
    match (is_quoted, is_rule) {
        (true, _) => PreviousLine::Quote,
        (false, true) => PreviousLine::Blank,
        (false, false) => PreviousLine::Words,
    }
}

/// True for a line that Markdown would take for a heading, if it begins with no blanks.
pub(super) fn has_heading_marks(line: &str) -> bool {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&marks) && matches!(line.as_bytes().get(marks), None | Some(b' ' | b'\t'))
}

/// A text whose map points to the content of a part, as text of the mail: every paragraph has the part and its bytes as
/// its place. Where the file contains the content unchanged, from `base` on, the map points there; else it is dropped.
pub(super) fn placed(mut segment: Segment, number: &Arc<str>, length: usize, base: Option<usize>) -> Segment {
    let least = segment.text.len() / MAX_PLACES;
    let mut places = LocatorMap::default();
    let mut start = 0;
    let mut place = |span: Span| {
        let bytes = segment.map.source(span).map(|source| Span::new(source.start, source.end));
        places.push(span, Locator::part(number.clone(), bytes));
    };
    for end in memchr::memmem::find_iter(segment.text.as_bytes(), b"\n\n").map(|at| at + 2) {
        if end - start > least {
            place(Span::new(start, end));
            start = end;
        }
    }
    if start < segment.text.len() {
        place(Span::new(start, segment.text.len()));
    }
    let marked = segment.places.0.iter().filter_map(|(span, place)| Some((*span, place.visibility()?)));
    places.mark(&marked.collect::<Vec<_>>());
    segment.places = places;
    segment.lines = Vec::new();
    segment.map = match base {
        Some(base) => segment.map.through(&SpanMap::identity(length, base)),
        None => SpanMap::default(),
    };
    segment
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, flow: FlowedFormat, expected: &str) {
        let segment = plain_text(source, flow);
        assert_eq!(segment.text, expected, "{source:?}");
        for (at, c) in segment.text.char_indices() {
            if let Some(found) =
                segment.map.source(Span::new(at, at + c.len_utf8())).filter(|found| found.exact)
            {
                assert_eq!(&source[found.start..found.end], c.to_string(), "at {at} of {source:?}");
            }
        }
    }

    const FLOWED: FlowedFormat = FlowedFormat::Flowed { deletes_space: false };

    #[test]
    fn lines_stay_and_markup_is_escaped() {
        check("a  \r\n\r\n  b\n-- \nme", FlowedFormat::Fixed, "a\n\n  b\n\n-- \nme\n");
        check("# a\n#b\n", FlowedFormat::Fixed, "\\# a\n#b\n");
        check(
            "<b> <a@b.c> a<b <http://x> &amp; & x\n",
            FlowedFormat::Fixed,
            "&lt;b> <a@b.c> a&lt;b &lt;http://x> &amp;amp; & x\n",
        );
        check("*a* > b\n> c", FlowedFormat::Fixed, "*a* > b\n> c\n");
        check("A wrote:\n> b\n>> c\nd\ne\n", FlowedFormat::Fixed, "A wrote:\n> b\n>> c\n\nd\ne\n");
        check("", FlowedFormat::Fixed, "");
    }

    #[test]
    fn flowed_lines_flow() {
        check("one \ntwo\n\nthree\n", FLOWED, "one two\n\nthree\n");
        check("> one \n> two\nthree \n>> four", FLOWED, "> one two\n\nthree \n>> four\n");
        check(" >stuffed\n-- \nme", FLOWED, ">stuffed\n\n-- \nme\n");
        check("one \ntwo", FlowedFormat::Flowed { deletes_space: true }, "onetwo\n");
    }

    #[test]
    fn places_are_bytes_of_the_part() {
        let made = placed(plain_text("one\n\ntwo\n", FlowedFormat::Fixed), &"1".into(), 9, Some(100));
        let span = Span::new(5, 8);
        assert_eq!(made.places.of(span), Some(Locator::part("1", Some(Span::new(5, 9)))));
        assert_eq!(made.map.source(span).map(|found| (found.start, found.exact)), Some((105, true)));
    }
}
