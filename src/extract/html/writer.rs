//! Writes the text of a page line by line, with its map to the source and the lines that each block came from.
//!
//! Owns white space, line prefixes (quotes, indentation of list items), emphasis that must hug its words, and escapes.
//! Knows nothing of elements.

use super::tokenizer::Piece;
use crate::model::{Locator, MapBuilder, Places, Segment, Span, SpanMap};

/// Prefixes of lines grow no longer than this many containers; what is deeper is not indented further.
const DEEPEST_PREFIX: usize = 24;

/// What stands between two blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    /// A line end.
    Line,
    /// A blank line.
    Paragraph,
}

/// Markup around words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Marker {
    /// `**`
    Strong,
    /// `*`
    Emphasis,
    /// `~~`
    Strike,
    /// So many backticks.
    Code(usize),
    /// `[` and `](address)`
    Link(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Written,
    Spent,
}

/// A quote or list item around the lines.
#[derive(Debug)]
struct Container {
    /// Begins the first line.
    marker: Option<String>,
    /// Begins every later line.
    prefix: String,
}

/// The writer.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    source: &'a str,
    with_markup: bool,
    text: String,
    map: MapBuilder,
    blocks: Vec<Block>,
    containers: Vec<Container>,
    markers: Vec<(Marker, Stage)>,
    /// What the next line begins with, behind the prefixes: `## `.
    line_marker: Option<&'static str>,
    pending: Option<Break>,
    rule_waits: bool,
    line_is_open: bool,
    /// No word stands yet on this line or in this cell.
    is_fresh: bool,
    /// White space was seen and not written; where, if it is one literal space.
    space: Option<Option<usize>>,
    /// Blocks of what is being written stay on one line: headings, cells.
    flat: usize,
    in_cell: bool,
}

#[derive(Debug, Clone, Copy)]
struct Block {
    out: usize,
    first: usize,
    last: usize,
}

impl<'a> Writer<'a> {
    /// A writer of text that comes from `source`.
    pub fn new(source: &'a str, with_markup: bool) -> Writer<'a> {
        Writer {
            source,
            with_markup,
            text: String::new(),
            map: MapBuilder::new(0),
            blocks: Vec::new(),
            containers: Vec::new(),
            markers: Vec::new(),
            line_marker: None,
            pending: None,
            rule_waits: false,
            line_is_open: false,
            is_fresh: true,
            space: None,
            flat: 0,
            in_cell: false,
        }
    }

    /// True when Markdown is written.
    pub fn with_markup(&self) -> bool {
        self.with_markup
    }

    /// True inside headings and cells, which are one line.
    pub fn is_flat(&self) -> bool {
        self.flat > 0
    }

    /// True inside the cells of a table.
    pub fn is_in_cell(&self) -> bool {
        self.in_cell
    }

    /// A rule between the blocks, written when there is something to divide.
    pub fn rule(&mut self) {
        self.end_block(Break::Paragraph);
        self.rule_waits = self.with_markup && !self.is_flat();
    }

    /// The last character written, white space that waits aside.
    pub fn last_char(&self) -> Option<char> {
        if self.space.is_some() || self.is_fresh { None } else { self.text.chars().next_back() }
    }

    /// Ends the block; a wider break wins over a narrower one.
    pub fn end_block(&mut self, wanted: Break) {
        if self.is_flat() {
            self.space = self.space.or(Some(None));
            return;
        }
        if self.line_is_open {
            self.close_markers();
            self.line_is_open = false;
            self.pending = None;
        }
        self.space = None;
        self.is_fresh = true;
        self.pending = Some(self.pending.map_or(wanted, |pending| pending.max(wanted)));
    }

    /// Ends the block, with a line end only, whatever was wanted before.
    pub fn end_tight_block(&mut self) {
        self.end_block(Break::Line);
        if !self.is_flat() {
            self.pending = Some(Break::Line);
        }
    }

    /// A line end inside a block.
    pub fn line_break(&mut self) {
        if self.is_flat() {
            self.end_block(Break::Line);
        } else if self.line_is_open {
            self.close_markers();
            self.line_is_open = false;
            self.is_fresh = true;
            self.space = None;
            self.pending = Some(Break::Line);
        } else if self.pending == Some(Break::Line) {
            self.pending = Some(Break::Paragraph);
        }
    }

    /// The next line begins so, behind its prefixes.
    pub fn start_heading(&mut self, level: usize) {
        const MARKS: [&str; 6] = ["# ", "## ", "### ", "#### ", "##### ", "###### "];
        if self.with_markup && !self.is_flat() {
            self.line_marker = Some(MARKS[level.clamp(1, 6) - 1]);
        }
        self.flat += 1;
    }

    /// Ends what [`Writer::start_heading`] began.
    pub fn end_heading(&mut self) {
        self.flat -= 1;
        if !self.is_flat() {
            self.line_marker = None;
        }
    }

    /// Puts the following lines into a container: `marker` begins the first, `prefix` the others.
    pub fn open_container(&mut self, marker: &str, prefix: &str) {
        let is_deep = self.containers.len() >= DEEPEST_PREFIX || !self.with_markup;
        // An item that begins with an item has no line of its own: `- - x` is no way to write.
        let is_item = |marker: &str| marker.trim_end().ends_with(['-', '.']);
        let above = self.containers.last_mut().filter(|above| above.marker.as_deref().is_some_and(is_item));
        if let Some(above) = above.filter(|_| is_item(marker) && self.with_markup) {
            let written = above.marker.take().unwrap_or_default();
            let indent = " ".repeat(written.len() - written.trim_start().len());
            above.marker = Some(indent.clone());
            above.prefix = indent;
        }
        let prefix = if is_deep { String::new() } else { prefix.to_owned() };
        self.containers.push(Container { marker: Some(marker.to_owned()), prefix });
    }

    /// Ends the innermost container.
    pub fn close_container(&mut self) {
        self.containers.pop();
    }

    /// Markup that begins at the next word.
    pub fn open_marker(&mut self, marker: Marker) {
        let is_inside = |other: &Marker| {
            std::mem::discriminant(other) == std::mem::discriminant(&marker) || matches!(other, Marker::Code(_))
        };
        let is_link = matches!(marker, Marker::Link(_));
        let is_spent = !self.with_markup
            || (self.is_flat() && !self.in_cell && !is_link && !matches!(marker, Marker::Code(_)))
            || self.markers.iter().any(|(other, stage)| *stage != Stage::Spent && is_inside(other));
        self.markers.push((marker, if is_spent { Stage::Spent } else { Stage::Waiting }));
    }

    /// Ends the innermost markup, in front of white space that waits.
    pub fn close_marker(&mut self) {
        if let Some((marker, Stage::Written)) = self.markers.pop() {
            self.write_close(&marker);
        }
    }

    fn write_close(&mut self, marker: &Marker) {
        match marker {
            Marker::Strong => self.put("**"),
            Marker::Emphasis => self.put("*"),
            Marker::Strike => self.put("~~"),
            Marker::Code(ticks) => self.put(&"`".repeat(*ticks)),
            Marker::Link(address) => {
                self.put("](");
                self.put(&address.clone());
                self.put(")");
            }
        }
    }

    /// Closes what is open at the end of a line; emphasis goes on in the next.
    fn close_markers(&mut self) {
        for at in (0..self.markers.len()).rev() {
            if self.markers[at].1 == Stage::Written {
                let marker = self.markers[at].0.clone();
                self.write_close(&marker);
                let is_link = matches!(marker, Marker::Link(_));
                self.markers[at].1 = if is_link { Stage::Spent } else { Stage::Waiting };
            }
        }
    }

    fn write_waiting(&mut self) {
        for at in 0..self.markers.len() {
            if self.markers[at].1 == Stage::Waiting {
                self.markers[at].1 = Stage::Written;
                match self.markers[at].0 {
                    Marker::Strong => self.put("**"),
                    Marker::Emphasis => self.put("*"),
                    Marker::Strike => self.put("~~"),
                    Marker::Code(ticks) => self.put(&"`".repeat(ticks)),
                    Marker::Link(_) => self.put("["),
                }
            }
        }
    }

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
            let begins = self.is_fresh && !self.in_cell;
            let starts_line = if begins { self.line_start_escape(text) } else { None };
            for (at, byte) in text.bytes().enumerate() {
                let at_start = starts_line == Some(at);
                if at_start || (is_special(byte) && self.is_markup(text, at, byte)) {
                    self.move_to(word.start + done);
                    self.copy(at - done);
                    self.escape(byte, &text[at..], word.start + at);
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
        let is_markup = self.needs_escapes() && is_special(first) && self.is_markup(&ahead, 0, first);
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
        self.with_markup && !self.markers.iter().any(|(marker, stage)| {
            *stage != Stage::Spent && matches!(marker, Marker::Code(_))
        })
    }

    /// Where a word that begins a line would be read as the start of a block.
    fn line_start_escape(&self, word: &str) -> Option<usize> {
        let bytes = word.as_bytes();
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match bytes[0] {
            b'#' if bytes.len() <= 6 && bytes.iter().all(|&byte| byte == b'#') => Some(0),
            b'>' => Some(0),
            b'-' | b'+' | b'*' if bytes.len() == 1 => Some(0),
            b'-' | b'=' if bytes.len() > 2 && bytes.iter().all(|&byte| byte == bytes[0]) => Some(0),
            b'0'..=b'9' if digits + 1 == bytes.len() && digits < 10 && matches!(bytes[digits], b'.' | b')') => Some(digits),
            _ => None,
        }
    }

    /// True when the character at `at` would be read as markup.
    fn is_markup(&self, word: &str, at: usize, byte: u8) -> bool {
        let before = word[..at].chars().next_back();
        let after = word[at + 1..].chars().next();
        match byte {
            b'`' => true,
            b'|' => self.in_cell,
            // Emphasis begins in front of a word.
            b'*' => after.is_some_and(|c| c != '*') && before.is_none_or(|c| !c.is_alphanumeric() || c == '*'),
            b'_' => after.is_some_and(|c| c != '_') && before.is_none_or(|c| !c.is_alphanumeric()),
            b'<' => after.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?' | '<')),
            b'&' => is_reference(&word[at..]),
            b'[' | b']' => self.markers.iter().any(|(marker, stage)| {
                *stage == Stage::Written && matches!(marker, Marker::Link(_))
            }),
            _ => false,
        }
    }

    fn escape(&mut self, byte: u8, rest: &str, place: usize) {
        self.move_to(place);
        match byte {
            b'<' => self.replace_one("&lt;"),
            b'&' => self.replace_one("&amp;"),
            _ => {
                self.put("\\");
                debug_assert!(rest.is_char_boundary(1));
                self.copy(1);
            }
        }
    }

    fn replace_one(&mut self, text: &str) {
        self.map.replace(text.len(), 1);
        self.text.push_str(text);
    }

    /// Preformatted text: white space is kept, prefixes begin its lines.
    pub fn lines(&mut self, piece: &Piece) {
        let text = piece.text(self.source);
        if piece.decoded.is_some() {
            self.open_line();
            self.move_to(piece.span.start);
            self.map.replace(text.len(), piece.span.len());
            self.text.push_str(text);
            return;
        }
        let mut start = piece.span.start;
        for line in text.split_inclusive('\n') {
            let words = line.trim_end_matches(['\n', '\r']);
            if !words.is_empty() {
                self.open_line();
                self.move_to(start);
                self.copy(words.len());
            }
            if words.len() < line.len() && line.ends_with('\n') {
                self.end_line();
            }
            start += line.len();
        }
    }

    /// Ends a line of preformatted text.
    pub fn end_line(&mut self) {
        self.open_line();
        self.line_is_open = false;
        self.pending = Some(Break::Line);
    }

    /// True when a line of preformatted text has begun.
    pub fn is_in_line(&self) -> bool {
        self.line_is_open
    }

    /// Begins a line with words of ours, such as a fence.
    pub fn put_line(&mut self, words: &str) {
        self.open_line();
        self.put(words);
        self.line_is_open = false;
        self.is_fresh = true;
        self.pending = Some(Break::Line);
    }

    /// Begins a row of a table.
    pub fn open_row(&mut self) {
        self.open_line();
        self.flat += 1;
        self.in_cell = true;
    }

    /// Begins a cell with what stands in front of it.
    pub fn open_cell(&mut self, front: &str) {
        self.space = None;
        self.put(front);
        self.is_fresh = true;
    }

    /// Ends a row.
    pub fn close_row(&mut self, end: &str) {
        self.space = None;
        self.put(end);
        self.flat -= 1;
        self.in_cell = false;
        self.line_is_open = false;
        self.is_fresh = true;
        self.pending = Some(Break::Line);
    }

    fn open_line(&mut self) {
        if self.line_is_open {
            return;
        }
        if !self.text.is_empty() {
            self.end_written_line();
            if std::mem::take(&mut self.rule_waits) {
                self.put_blank_prefix(" ---");
                self.pending = Some(Break::Paragraph);
                self.end_written_line();
            }
        }
        self.rule_waits = false;
        self.pending = None;
        self.blocks.push(Block { out: self.text.len(), first: usize::MAX, last: 0 });
        for at in 0..self.containers.len() {
            let front = match self.containers[at].marker.take() {
                Some(marker) => marker,
                None => self.containers[at].prefix.clone(),
            };
            self.put(&front);
        }
        if let Some(marker) = self.line_marker.take() {
            self.put(marker);
        }
        self.line_is_open = true;
        self.is_fresh = true;
    }

    fn end_written_line(&mut self) {
        self.put("\n");
        if self.pending == Some(Break::Paragraph) {
            self.put_blank_prefix("");
            self.put("\n");
        }
    }

    /// What begins a line between blocks: the containers that go on, and no white space at its end.
    fn put_blank_prefix(&mut self, end: &str) {
        let begun = self.containers.iter().take_while(|container| container.marker.is_none());
        let prefix: String = begun.map(|container| container.prefix.as_str()).collect();
        self.put(prefix.trim_end());
        self.put(if prefix.is_empty() { end.trim_start() } else { end });
    }

    fn move_to(&mut self, place: usize) {
        let at = self.map.src();
        if self.text.is_empty() || place < at {
            self.map.seek(place);
        } else if place > at {
            let between = &self.source[at..place];
            if between.trim_start().is_empty() {
                self.map.skip_blank(place - at);
            } else {
                self.map.skip(place - at);
            }
        }
    }

    fn copy(&mut self, len: usize) {
        if len == 0 {
            return;
        }
        let start = self.map.src();
        self.text.push_str(&self.source[start..start + len]);
        self.map.copy(len);
        if let Some(block) = self.blocks.last_mut() {
            block.first = block.first.min(start);
            block.last = block.last.max(start + len - 1);
        }
    }

    fn put(&mut self, text: &str) {
        if text.trim_start().is_empty() {
            self.map.insert_blank(text.len());
        } else {
            self.map.insert(text.len());
        }
        self.text.push_str(text);
    }

    /// The text with its map to the bytes of the file, and the lines of each block.
    pub fn finish(mut self, decoded: &Segment) -> Segment {
        if !self.text.is_empty() {
            self.put("\n");
        }
        let lines = LineIndex::new(decoded);
        let ends = self.blocks.iter().skip(1).map(|block| block.out).chain([self.text.len()]);
        let mut places = Vec::with_capacity(self.blocks.len());
        for (block, end) in self.blocks.iter().zip(ends) {
            if block.first > block.last || end <= block.out {
                continue;
            }
            if let (Some(first), Some(last)) = (lines.line_at(block.first), lines.line_at(block.last)) {
                places.push((Span::new(block.out, end), Locator::Lines { first, last }));
            }
        }
        let map: SpanMap = self.map.finish().through(&decoded.map);
        Segment { text: self.text, map, lines: Vec::new(), places: Places(places) }
    }
}

/// Looks up lines in any order.
struct LineIndex<'a> {
    decoded: &'a Segment,
    newlines: Vec<usize>,
}

impl LineIndex<'_> {
    fn new(decoded: &Segment) -> LineIndex<'_> {
        LineIndex { decoded, newlines: memchr::memchr_iter(b'\n', decoded.text.as_bytes()).collect() }
    }

    fn line_at(&self, at: usize) -> Option<u64> {
        let passed = self.decoded.lines.partition_point(|anchor| anchor.out <= at);
        let anchor = self.decoded.lines[..passed].last()?;
        let until = |place: usize| self.newlines.partition_point(|&newline| newline < place);
        Some(anchor.line + (until(at) - until(anchor.out)) as u64)
    }
}

/// White space that collapses; a no-break space too: it is what empty cells and paragraphs hold.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c' | '\u{a0}')
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'`' | b'|' | b'*' | b'_' | b'<' | b'&' | b'[' | b']')
}

/// True when a character reference stands at the start.
fn is_reference(text: &str) -> bool {
    let name = text[1..].bytes().take(32).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    name > 0 && text.as_bytes().get(1 + name) == Some(&b';')
}
