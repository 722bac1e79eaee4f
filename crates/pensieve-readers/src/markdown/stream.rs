//! Markdown, or the plain words of it, from the parts of a page as they come: with the place of each word in the source,
//! and the lines that each block came from.
//!
//! Owns white space, prefixes of lines (quotations, indentation of items), the marks of emphasis around words, and
//! escapes. Knows nothing of HTML elements.

mod code;
mod rows;
mod words;

use super::block_mark;
use super::inline_mark::InlineMark;
use super::mapped_text::MappedText;
use super::mark_stack::MarkStack;
use super::written_text::{BlockOrigin, WrittenText};
use crate::limits::markdown::MAX_INDENTS;
use pensieve_text::model::Span;

/// What separates two blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BlockBreak {
    /// A line end.
    Line,
    /// A blank line.
    Paragraph,
}

/// White space that was read but is not yet written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WaitingSpace {
    None,
    /// One literal space, at this place of the source.
    Literal(usize),
    Other,
}

/// A quotation or an item around the lines.
#[derive(Debug)]
struct Container {
    /// Begins the first line.
    marker: Option<String>,
    /// Begins every later line.
    prefix: String,
}

/// Line ends and white space of code that wait for words: a block of code neither begins nor ends with blank lines.
#[derive(Debug, Default)]
struct CodeLines {
    line_ends: usize,
    space: Option<Span>,
    has_words: bool,
}

/// Where the words of a row go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowState {
    /// In no row.
    Outside,
    /// Before the first cell.
    Open,
    InCell,
}

/// The writer.
#[derive(Debug)]
pub(crate) struct StreamWriter<'a> {
    source: &'a str,
    with_markup: bool,
    out: MappedText,
    blocks: Vec<BlockOrigin>,
    containers: Vec<Container>,
    marks: MarkStack,
    /// What the next line begins with, after the prefixes: `## `.
    line_marker: Option<&'static str>,
    pending: Option<BlockBreak>,
    rule_waits: bool,
    line_is_open: bool,
    /// Where the words of the open line begin, after its prefixes.
    line_words: usize,
    /// The open line follows another one of the same block.
    follows_line: bool,
    /// Its words begin with a bracket.
    begins_bracket: bool,
    /// A link follows the words that are written.
    before_link: bool,
    /// White space or the end of the line follows the words that are written.
    before_space: bool,
    /// The open line continues the paragraph of the line before.
    in_paragraph: bool,
    /// The line before ended inside its paragraph.
    paragraph_goes_on: bool,
    /// This line or cell has no word yet.
    is_fresh: bool,
    space: WaitingSpace,
    /// How many headings and rows are open: what is written stays on one line there.
    one_line: usize,
    row: RowState,
    code: CodeLines,
}

impl<'a> StreamWriter<'a> {
    /// A writer of text that comes from `source`.
    pub fn new(source: &'a str, with_markup: bool) -> StreamWriter<'a> {
        StreamWriter {
            source,
            with_markup,
            out: MappedText::new(true),
            blocks: Vec::new(),
            containers: Vec::new(),
            marks: MarkStack::default(),
            line_marker: None,
            pending: None,
            rule_waits: false,
            line_is_open: false,
            line_words: 0,
            follows_line: false,
            begins_bracket: false,
            before_link: false,
            before_space: false,
            in_paragraph: false,
            paragraph_goes_on: false,
            is_fresh: true,
            space: WaitingSpace::None,
            one_line: 0,
            row: RowState::Outside,
            code: CodeLines::default(),
        }
    }

    /// Sets what follows the words to come: a link, or white space.
    pub fn set_following(&mut self, before_link: bool, before_space: bool) {
        (self.before_link, self.before_space) = (before_link, before_space);
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// True when Markdown is written.
    pub fn with_markup(&self) -> bool {
        self.with_markup
    }

    /// True inside headings and cells, which are one line.
    pub fn is_one_line(&self) -> bool {
        self.one_line > 0
    }

    /// True outside of every heading, cell, quotation and item.
    pub fn is_outermost(&self) -> bool {
        !self.is_one_line() && self.containers.is_empty()
    }

    /// The same, after the end of a block.
    pub fn is_between_blocks(&self) -> bool {
        self.is_outermost() && !self.line_is_open
    }

    /// True inside a row of a table.
    pub fn is_in_row(&self) -> bool {
        self.row != RowState::Outside
    }

    /// A rule between the blocks, written only if blocks precede and follow it.
    pub fn rule(&mut self) {
        self.end_block(BlockBreak::Paragraph);
        self.rule_waits = self.with_markup && !self.is_one_line();
    }

    /// The last character written; `None` if white space waits.
    pub fn last_char(&self) -> Option<char> {
        if self.space != WaitingSpace::None || self.is_fresh {
            return None;
        }
        self.out.as_str().chars().next_back()
    }

    /// The end of what is written, up to white space; nothing if white space waits.
    pub fn last_word(&self) -> &str {
        let out = if self.last_char().is_some() { self.out.as_str() } else { "" };
        out.rsplit(char::is_whitespace).next().unwrap_or_default()
    }

    /// Ends the block; a wider break wins over a narrower one.
    pub fn end_block(&mut self, wanted: BlockBreak) {
        if self.is_one_line() {
            return self.put_space();
        }
        if self.line_is_open {
            self.close_marks();
            self.line_is_open = false;
            self.pending = None;
        }
        self.paragraph_goes_on = false;
        self.space = WaitingSpace::None;
        self.is_fresh = true;
        // The first paragraph of an item follows its marker on the same line.
        let is_first = self.containers.last().is_some_and(|container| container.marker.is_some());
        let wanted = if is_first { BlockBreak::Line } else { wanted };
        self.pending = Some(self.pending.map_or(wanted, |pending| pending.max(wanted)));
    }

    /// Ends the block with a line end only, even if a wider break was requested before.
    pub fn end_tight_block(&mut self) {
        self.end_block(BlockBreak::Line);
        if !self.is_one_line() {
            self.pending = Some(BlockBreak::Line);
        }
    }

    /// White space before the next word.
    pub fn put_space(&mut self) {
        if self.space == WaitingSpace::None {
            self.space = WaitingSpace::Other;
        }
    }

    /// A line end inside a block.
    pub fn line_break(&mut self) {
        if self.is_one_line() {
            self.end_block(BlockBreak::Line);
        } else if self.line_is_open {
            self.close_marks();
            // A tag begins a block of HTML, whose end may be that of the line.
            self.paragraph_goes_on = !self.out.as_str()[self.line_words..].starts_with('<');
            self.line_is_open = false;
            self.is_fresh = true;
            self.space = WaitingSpace::None;
            self.pending = Some(BlockBreak::Line);
        } else if self.pending == Some(BlockBreak::Line) {
            self.pending = Some(BlockBreak::Paragraph);
            self.paragraph_goes_on = false;
        }
    }

    /// Begins a heading with the next line.
    pub fn start_heading(&mut self, level: usize) {
        if self.with_markup && !self.is_one_line() {
            self.line_marker = Some(block_mark::heading(level));
        }
        self.one_line += 1;
    }

    /// Puts a box, ticked or not, before the next words: at the start of their line, if none is open.
    pub fn put_box(&mut self, mark: &'static str) {
        match self.line_is_open || self.is_one_line() {
            true => {
                self.put_words(mark);
                self.put_space();
            }
            false => self.line_marker = Some(mark),
        }
    }

    /// Ends what [`StreamWriter::start_heading`] began.
    pub fn end_heading(&mut self) {
        self.one_line -= 1;
        if !self.is_one_line() {
            self.line_marker = None;
        }
    }

    /// Puts the following lines into a container: `marker` begins the first, `prefix` the others.
    pub fn open_container(&mut self, marker: &str, prefix: &str) {
        let is_deep = self.containers.len() >= MAX_INDENTS || !self.with_markup;
        // An item that begins with an item has no line of its own, to avoid `- - x`.
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

    /// Begins an item with a bullet.
    pub fn open_item(&mut self) {
        self.open_container(block_mark::BULLET, "  ");
    }

    /// Begins an item of this number, such as `3.` or `IV.`; in a cell, which is one line, the number is written as a
    /// word.
    pub fn open_numbered_item(&mut self, number: &str) {
        let (mark, words) = match self.is_in_row() {
            true => (String::new(), number),
            false => block_mark::numbered_item(number),
        };
        self.open_container(&mark, &" ".repeat(mark.len()));
        if !words.is_empty() {
            self.put_words(words);
            self.put_space();
        }
    }

    /// Begins a quotation.
    pub fn open_quote(&mut self) {
        let mark = if self.with_markup { block_mark::QUOTE } else { "" };
        self.open_container(mark, mark);
    }

    /// Begins the text of a note.
    pub fn open_note(&mut self, label: usize) {
        self.open_container(&block_mark::note_start(label), block_mark::NOTE_INDENT);
    }

    /// Ends the innermost container.
    pub fn close_container(&mut self) {
        self.containers.pop();
        self.line_marker = None;
    }

    /// Begins a line with words of ours, such as a fence.
    pub fn put_line(&mut self, words: &str) {
        self.open_line();
        self.out.put(words);
        self.end_line();
    }

    fn open_line(&mut self) {
        if self.line_is_open {
            return;
        }
        if !self.out.is_empty() {
            self.end_written_line();
            if std::mem::take(&mut self.rule_waits) {
                self.put_blank_prefix(&format!(" {}", block_mark::RULE));
                self.pending = Some(BlockBreak::Paragraph);
                self.end_written_line();
            }
        }
        self.rule_waits = false;
        let begins_item = self.containers.iter().any(|container| container.marker.is_some());
        self.follows_line = self.pending == Some(BlockBreak::Line) && !begins_item;
        self.in_paragraph = self.follows_line && std::mem::take(&mut self.paragraph_goes_on);
        self.pending = None;
        self.blocks.push(BlockOrigin::new(self.out.len()));
        for container in &mut self.containers {
            let marker = container.marker.take();
            self.out.put(marker.as_ref().unwrap_or(&container.prefix));
        }
        if let Some(marker) = self.line_marker.take() {
            self.out.put(marker);
        }
        self.line_words = self.out.len();
        self.line_is_open = true;
        self.is_fresh = true;
    }

    fn end_written_line(&mut self) {
        self.out.put("\n");
        if self.pending == Some(BlockBreak::Paragraph) {
            self.put_blank_prefix("");
            self.out.put("\n");
        }
    }

    /// What begins a line between blocks: the containers that go on, and no white space at its end.
    fn put_blank_prefix(&mut self, end: &str) {
        let begun = self.containers.iter().take_while(|container| container.marker.is_none());
        let prefix: String = begun.map(|container| container.prefix.as_str()).collect();
        self.out.put(prefix.trim_end());
        self.out.put(if prefix.is_empty() { end.trim_start() } else { end });
    }

    /// Ends the line, with a line end to come.
    fn end_line(&mut self) {
        self.open_line();
        self.line_is_open = false;
        self.is_fresh = true;
        self.pending = Some(BlockBreak::Line);
    }

    /// Opens a mark at the next word; `None` for words without marks.
    pub fn open_mark(&mut self, mark: Option<InlineMark>) {
        // A heading is strong by itself.
        let is_plain = |mark: &InlineMark| {
            self.is_one_line()
                && !self.is_in_row()
                && !matches!(mark, InlineMark::Link(_) | InlineMark::Code(_))
        };
        let mark = mark.filter(|mark| self.with_markup && !is_plain(mark));
        self.marks.push(mark);
    }

    /// Ends the innermost marks, before any waiting white space.
    pub fn close_mark(&mut self) {
        if let Some(mark) = self.marks.pop() {
            self.out.put(&mark.closing());
        }
    }

    /// The sign of the emphasis around the next words.
    pub fn outer_sign(&self) -> Option<char> {
        self.marks.outer_sign()
    }

    /// True if emphasis with this sign ends directly before the next word.
    pub fn ends_with_sign(&self, sign: char) -> bool {
        let before = self.out.as_str().strip_suffix(sign).filter(|_| self.last_char().is_some());
        before.is_some_and(|before| !before.ends_with('\\'))
    }

    /// Closes the open marks at the end of a line; emphasis continues on the next.
    fn close_marks(&mut self) {
        for closing in self.marks.suspend() {
            self.out.put(&closing);
        }
    }

    /// Ends the last line.
    pub fn finish(mut self) -> WrittenText {
        if !self.out.is_empty() {
            self.out.put("\n");
        }
        let (text, map) = self.out.finish();
        WrittenText::new(text, map, self.blocks)
    }

    /// True where a segment may end: no line is open, and no rule waits for the next block.
    pub fn is_between(&self) -> bool {
        !self.line_is_open && !self.rule_waits
    }

    /// Ends a segment that another one follows, with the pending break between them.
    pub fn finish_segment(mut self) -> WrittenText {
        if self.pending == Some(BlockBreak::Paragraph) && !self.out.is_empty() {
            self.out.put("\n");
        }
        self.finish()
    }
}
