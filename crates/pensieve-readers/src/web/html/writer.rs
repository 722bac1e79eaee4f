//! Writes the text of a page line by line, with its map to the source and the lines that each block came from.
//!
//! Owns white space, line prefixes (quotes, indentation of list items), emphasis that must hug its words, and escapes.
//! Knows nothing of elements.

mod code;
mod markers;
mod places;
mod words;

pub(super) use markers::{Marker, Ticks};
pub(super) use places::Written;

use markers::Stage;
use pensieve_text::model::{MapBuilder, Span};

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
    /// Where the words of the open line begin, behind its prefixes.
    line_words: usize,
    /// The open line follows another one of the same block.
    follows_line: bool,
    /// Its words begin with a bracket.
    begins_bracket: bool,
    /// A link follows the words that are written.
    before_link: bool,
    /// No word stands yet on this line or in this cell.
    is_fresh: bool,
    /// White space was seen and not written; where, if it is one literal space.
    space: Option<Option<usize>>,
    /// Blocks of what is being written stay on one line: headings, cells.
    flat: usize,
    in_cell: bool,
    /// Line ends and white space of code that wait for words.
    code_lines: usize,
    code_space: Option<Span>,
    has_code: bool,
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
            line_words: 0,
            follows_line: false,
            begins_bracket: false,
            before_link: false,
            is_fresh: true,
            space: None,
            flat: 0,
            in_cell: false,
            code_lines: 0,
            code_space: None,
            has_code: false,
        }
    }

    /// Tells whether a link follows the words to come.
    pub fn set_before_link(&mut self, before_link: bool) {
        self.before_link = before_link;
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// True when Markdown is written.
    pub fn with_markup(&self) -> bool {
        self.with_markup
    }

    /// True inside headings and cells, which are one line.
    pub fn is_flat(&self) -> bool {
        self.flat > 0
    }

    /// True where what is written lies in no heading, cell, quote or item.
    pub fn is_outermost(&self) -> bool {
        !self.is_flat() && self.containers.is_empty()
    }

    /// The same, behind the end of a block.
    pub fn is_between_blocks(&self) -> bool {
        self.is_outermost() && !self.line_is_open
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
        // The first paragraph of an item stands behind its marker.
        let is_first = self.containers.last().is_some_and(|container| container.marker.is_some());
        let wanted = if is_first { Break::Line } else { wanted };
        self.pending = Some(self.pending.map_or(wanted, |pending| pending.max(wanted)));
    }

    /// Ends the block, with a line end only, whatever was wanted before.
    pub fn end_tight_block(&mut self) {
        self.end_block(Break::Line);
        if !self.is_flat() {
            self.pending = Some(Break::Line);
        }
    }

    /// White space before the next word.
    pub fn put_space(&mut self) {
        self.space = self.space.or(Some(None));
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

    /// Ends the line of a note's mark, behind which no fence may open.
    pub fn end_note_marker(&mut self) {
        let marker = self.containers.last().and_then(|container| container.marker.as_deref());
        if marker.is_some_and(|marker| marker.starts_with("[^")) {
            self.end_line();
        }
    }

    /// Begins a line with words of ours, such as a fence.
    pub fn put_line(&mut self, words: &str) {
        self.open_line();
        self.put(words);
        self.end_line();
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
        self.end_line();
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
        let begins_item = self.containers.iter().any(|container| container.marker.is_some());
        self.follows_line = self.pending == Some(Break::Line) && !begins_item;
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
        self.line_words = self.text.len();
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

    /// Ends the line, with a line end to come.
    fn end_line(&mut self) {
        self.open_line();
        self.line_is_open = false;
        self.is_fresh = true;
        self.pending = Some(Break::Line);
    }
}
