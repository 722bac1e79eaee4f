//! From the tree to Markdown or plain text: how each element is written.

pub(super) mod anchors;
pub(super) mod check_boxes;
pub(super) mod code;
pub(super) mod drawing;
pub(super) mod emphasis;
pub(super) mod formulas;
pub(super) mod inline_elements;
pub(super) mod lists;
pub(super) mod navigation;
pub(super) mod note_queue;
pub(super) mod page;
pub(super) mod page_numbers;
pub(super) mod pictures;
pub(super) mod superscript;
pub(super) mod table;
pub(super) mod table_writer;
pub(super) mod unmarked_verse;
pub(super) mod verse;

use super::annotations::NoteExtent;
use super::hints::mail_marks::MailMarks;
use super::parse::tag::HtmlTag;
use crate::limits::web::MAX_TABLES_AS_ITEMS;
use crate::markdown::block_mark::note_reference;
use crate::markdown::table_layout::RepeatBudget;
use crate::markdown::{BaselineShift, BlockBreak, InlineMark, SourceText, StreamWriter, WrittenText};
use crate::shared::formula::MathElement;
use anchors::AnchorList;
use check_boxes::check_box;
use code::{is_line, write_code_in_cell, write_preformatted};
use drawing::{enter_drawn, leave_drawn};
use emphasis::{enter_mark, leave_mark};
use formulas::{put_words, write_formula};
use inline_elements::{is_link, is_permalink, mark_of};
use lists::ListStack;
use navigation::{is_list_of_places, is_navigation_or_title, is_title_of_box};
use note_queue::{NoteQueue, NoteStart};
use page::ParsedPage;
use page_numbers::PageNumbers;
use pictures::{is_chosen_case, write_image};
use superscript::{note_mark, script_mark};
use table::{TableCells, note_rows};
use table_writer::{ElementWriter, TableState, write_play, write_table};
use verse::{OpenPoem, is_play};

/// Bytes that repeated cells may add to a small page; to a larger one they may add as many as the page has.
const SMALL_REPEAT_BYTES: usize = 64 << 10;

/// Whether the walk enters an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WalkStep {
    Into,
    Over,
}

/// What has to be closed when the walk reaches its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenPart {
    Element(usize),
    /// A quotation that has no element.
    Quote,
    Note,
}

/// Renders the selected parts of a page.
pub(super) struct Renderer<'a> {
    page: ParsedPage<'a>,
    writer: StreamWriter<'a>,
    lists: ListStack,
    tables: TableState,
    anchors: AnchorList,
    mail: MailMarks,
    notes: NoteQueue,
    page_numbers: PageNumbers,
    poem: OpenPoem,
}

impl<'a> Renderer<'a> {
    /// A renderer into `writer`.
    pub fn new(page: ParsedPage<'a>, writer: StreamWriter<'a>) -> Renderer<'a> {
        let budget = RepeatBudget::new(page.source().len() + SMALL_REPEAT_BYTES);
        Renderer {
            page,
            writer,
            lists: ListStack::default(),
            tables: TableState { is_inside: false, items_around: 0, budget },
            anchors: AnchorList::default(),
            mail: MailMarks::default(),
            notes: NoteQueue::default(),
            page_numbers: PageNumbers::default(),
            poem: OpenPoem::default(),
        }
    }

    /// The same for the page of a mail, with the marks of its mail program.
    pub fn with_mail_marks(self, mail: MailMarks) -> Renderer<'a> {
        Renderer { mail, ..self }
    }

    /// Renders everything selected; also returns the names of places in a chapter, with their offsets in the text.
    pub fn finish(mut self) -> (WrittenText, Vec<(String, usize)>) {
        for &root in &self.page.selection().roots {
            self.write_element(root);
            self.writer.end_block(BlockBreak::Paragraph);
        }
        self.write_waiting_notes();
        (self.writer.finish(), self.anchors.into_vec())
    }

    /// Renders consecutive nodes, each with all that is below it.
    fn walk(&mut self, mut at: usize, end: usize) {
        let mut open: Vec<(usize, OpenPart)> = Vec::new();
        loop {
            while let Some((_, part)) = open.pop_if(|(end, _)| *end <= at) {
                self.close(part);
            }
            if at >= end {
                return;
            }
            if self.page.is_dropped(at) {
                at = self.page.end(at);
                continue;
            }
            if self.notes.is_waiting() && self.is_between_blocks() {
                self.write_waiting_notes();
            }
            let Some(tag) = self.page.tag(at) else {
                self.put_text(at);
                at += 1;
                continue;
            };
            match self.notes.begin(self.page, at, self.is_outermost()) {
                Some(NoteStart::Later(after)) => {
                    at = after;
                    continue;
                }
                Some(NoteStart::Here(note)) => {
                    self.open_note(note);
                    open.push((note.end, OpenPart::Note));
                }
                None => {}
            }
            if let Some(end) = self.begin_element(at, tag) {
                open.push((end, OpenPart::Quote));
            }
            match self.enter(at, tag) {
                WalkStep::Into => {
                    open.push((self.page.end(at), OpenPart::Element(at)));
                    at += 1;
                }
                WalkStep::Over => at = self.page.end(at),
            }
        }
    }

    /// Writes quotations and signatures that begin at an element; returns the end of a quotation that has no element.
    fn begin_element(&mut self, node: usize, tag: HtmlTag) -> Option<usize> {
        self.page_numbers.begin(self.page, &mut self.writer, node, tag);
        self.anchors.add(self.page, node, tag, self.writer.len());
        if self.mail.begins_signature(node) {
            // The line before a signature (RFC 3676, section 4.3).
            self.writer.end_block(BlockBreak::Paragraph);
            self.writer.put_words("--");
            self.writer.end_block(BlockBreak::Paragraph);
        }
        let end = self.mail.quote_end(node);
        if end.is_some() {
            self.enter_quote();
        }
        end
    }

    fn close(&mut self, part: OpenPart) {
        match part {
            OpenPart::Element(node) => self.leave(node),
            OpenPart::Quote => self.leave_quote(),
            OpenPart::Note => self.close_note(),
        }
    }

    fn enter(&mut self, node: usize, tag: HtmlTag) -> WalkStep {
        // That of an item goes behind its bullet.
        if let Some(mark) = check_box(self.page, node, tag).filter(|_| tag != HtmlTag::Li) {
            self.writer.put_box(mark);
            if tag == HtmlTag::TaskStatus
                || !self.page.tree().below(node).any(|below| self.page.has_words(below))
            {
                return WalkStep::Over;
            }
        }
        // Before what is left out: the script of a formula is its source.
        let is_written = write_formula(self.page, &mut self.writer, node, tag);
        if is_written || self.is_left_out(node, tag) || self.annotate(node, tag) {
            return WalkStep::Over;
        }
        if tag == HtmlTag::A {
            let mark = note_mark(self.page, node, self.writer.last_word());
            if !mark.is_empty() {
                self.writer.put_mark(mark);
            }
        }
        if let Some(mark) = mark_of(self.page, node, tag) {
            enter_mark(self.page, &mut self.writer, node, mark);
            return WalkStep::Into;
        }
        match tag {
            HtmlTag::Br => self.writer.line_break(),
            HtmlTag::LinkedPage | HtmlTag::LinkedPost => self.put_linked_title(node),
            HtmlTag::Hr => self.writer.rule(),
            HtmlTag::Img => write_image(self.page, &mut self.writer, node),
            HtmlTag::Table => {
                let before = self.writer.len();
                if self.table(node) {
                    self.anchors.add_below(self.page, node, before);
                    return WalkStep::Over;
                }
                self.enter_block(node, tag);
            }
            HtmlTag::Span if self.poem.enter_span(self.page, &mut self.writer, node) => {
                return WalkStep::Over;
            }
            // A fence needs lines of its own, which a cell has not.
            _ if tag.is_preformatted() && self.writer.is_in_row() => {
                write_code_in_cell(self.page, &mut self.writer, node);
                return WalkStep::Over;
            }
            _ if tag.is_preformatted() && !self.writer.is_one_line() => {
                self.writer.end_block(BlockBreak::Paragraph);
                self.anchors.add_below(self.page, node, self.writer.len());
                write_preformatted(self.page, &mut self.writer, node);
                self.writer.end_block(BlockBreak::Paragraph);
                return WalkStep::Over;
            }
            HtmlTag::Span if is_line(self.page, node) => self.writer.put_space(),
            // A box of its own in the line.
            _ if tag.is_control() => self.writer.put_space(),
            HtmlTag::Q => self.writer.put_mark("“"),
            HtmlTag::Sup => self.put_script_mark(node, BaselineShift::Raised),
            HtmlTag::Sub => self.put_script_mark(node, BaselineShift::Lowered),
            HtmlTag::Rt if !self.has_ruby_parentheses(node) => self.writer.put_mark("("),
            _ => self.enter_block(node, tag),
        }
        WalkStep::Into
    }

    /// The title of the page that a link of Confluence leads to, if the link has no words of its own.
    fn put_linked_title(&mut self, node: usize) {
        let has_words = !self.page.words_below(self.page.tree().parent(node)).trim().is_empty();
        if let Some(title) = self.page.attribute(node, "ri:content-title").filter(|_| !has_words) {
            self.writer.put_text(title);
        }
    }

    /// The mark of a power, or of a number below the line.
    fn put_script_mark(&mut self, node: usize, shift: BaselineShift) {
        let mark = script_mark(self.page, node, shift, self.writer.last_word());
        if !mark.is_empty() {
            self.writer.put_mark(mark);
        }
    }

    /// True for an element for which nothing is written.
    fn is_left_out(&self, node: usize, tag: HtmlTag) -> bool {
        let selection = self.page.selection();
        let is_drawn = selection.is_chapter && tag.is_drawing();
        match tag {
            HtmlTag::Title | HtmlTag::Annotation | HtmlTag::Formula(MathElement::Unseen) => true,
            HtmlTag::A => is_permalink(self.page, node),
            HtmlTag::Case | HtmlTag::DefaultCase => !is_chosen_case(self.page, node),
            _ => {
                tag.is_never_text() && !is_drawn
                    || tag.is_control()
                        && !selection.keeps_controls
                        && !self.page.tree().is_button_of_heading(node)
            }
        }
    }

    /// Writes the annotations of an element; true if nothing else is written for it.
    fn annotate(&mut self, node: usize, tag: HtmlTag) -> bool {
        let Some(book) = self.page.book() else { return false };
        if let Some(reference) = book.page.references.get(&node) {
            if let Some(number) = reference {
                self.writer.put_mark(&note_reference(number));
            }
            return true;
        }
        if self.page_numbers.put_element(self.page, &mut self.writer, node, tag)
            || is_list_of_places(self.page, node, tag)
        {
            return true;
        }
        let is_navigation = is_navigation_or_title(self.page, node, tag);
        if is_navigation {
            self.anchors.add_below(self.page, node, self.writer.len());
        }
        is_navigation
    }

    fn enter_block(&mut self, node: usize, tag: HtmlTag) {
        let tag = if is_title_of_box(self.page, node, tag) { HtmlTag::Summary } else { tag };
        if self.poem.enter(self.page, node, tag) {
            return self.writer.end_block(BlockBreak::Line);
        }
        match tag {
            HtmlTag::Ul | HtmlTag::Ol | HtmlTag::Menu | HtmlTag::Dir | HtmlTag::Dl => {
                self.lists.enter_list(self.page, &mut self.writer, node, tag);
            }
            HtmlTag::Li | HtmlTag::Dt | HtmlTag::Dd if self.notes.is_frame(self.page, node) => {
                self.writer.end_block(BlockBreak::Paragraph);
            }
            HtmlTag::Li | HtmlTag::Dt | HtmlTag::Dd => {
                self.lists.enter_item(self.page, &mut self.writer, node, tag);
                if let Some(mark) = check_box(self.page, node, tag) {
                    self.writer.put_box(mark);
                }
            }
            HtmlTag::Blockquote => self.enter_quote(),
            HtmlTag::Summary => {
                self.writer.end_block(BlockBreak::Paragraph);
                if !self.page.holds_blocks(node) {
                    self.writer.open_mark(Some(InlineMark::Strong('*')));
                }
            }
            HtmlTag::Tr => {
                self.writer.put_separator(";");
                self.writer.end_block(BlockBreak::Line);
            }
            HtmlTag::P if self.writer.is_in_row() => {
                // A paragraph that begins with a small letter goes on with a sentence.
                let text = self.page.tree().text_below(node, self.page.source());
                if !text.trim_start().starts_with(char::is_lowercase) {
                    self.writer.put_separator(";");
                }
                self.writer.end_block(BlockBreak::Paragraph);
            }
            HtmlTag::SvgText | HtmlTag::SvgSpan => enter_drawn(self.page, &mut self.writer, node, tag),
            // An inner table is one cell: commas between its cells, semicolons between its rows.
            HtmlTag::Td | HtmlTag::Th if self.writer.is_in_row() => self.writer.put_separator(","),
            _ => {
                if tag.is_block() {
                    self.writer.end_block(BlockBreak::Paragraph);
                }
                if let Some(level) = tag.heading_level() {
                    self.writer.start_heading(level);
                }
            }
        }
    }

    fn leave(&mut self, node: usize) {
        let Some(tag) = self.page.tag(node) else { return };
        if mark_of(self.page, node, tag).is_some() {
            return leave_mark(self.page, &mut self.writer, node);
        }
        let tag = if is_title_of_box(self.page, node, tag) { HtmlTag::Summary } else { tag };
        if self.poem.leave(self.page, node, tag) {
            return self.writer.end_block(BlockBreak::Line);
        }
        match tag {
            HtmlTag::Ul | HtmlTag::Ol | HtmlTag::Menu | HtmlTag::Dir | HtmlTag::Dl => {
                self.lists.leave_list(&mut self.writer);
            }
            HtmlTag::Li | HtmlTag::Dt | HtmlTag::Dd if self.notes.is_frame(self.page, node) => {
                self.writer.end_block(BlockBreak::Paragraph);
            }
            HtmlTag::Li | HtmlTag::Dt | HtmlTag::Dd => {
                self.lists.leave_item(self.page, &mut self.writer, node, tag);
            }
            HtmlTag::Blockquote => self.leave_quote(),
            // A full stop after the last line of several belongs to it.
            HtmlTag::Span if is_line(self.page, node) => {
                let tree = self.page.tree();
                if tree.end(node) < tree.end(tree.parent(node)) {
                    self.writer.put_space();
                }
            }
            // What ends a sentence may follow a button.
            _ if tag.is_control() && tag != HtmlTag::Button => self.writer.put_space(),
            HtmlTag::Summary => {
                if !self.page.holds_blocks(node) {
                    self.writer.close_mark();
                }
                self.writer.end_block(BlockBreak::Paragraph);
            }
            HtmlTag::Q => self.writer.put_end_mark("”"),
            HtmlTag::Rt if !self.has_ruby_parentheses(node) => self.writer.put_end_mark(")"),
            HtmlTag::Tr => self.writer.end_block(BlockBreak::Line),
            HtmlTag::Svg | HtmlTag::SvgText => leave_drawn(self.page, &mut self.writer, node, tag),
            _ => {
                if tag.heading_level().is_some() {
                    self.writer.end_heading();
                }
                if tag.is_block() {
                    self.writer.end_block(BlockBreak::Paragraph);
                }
            }
        }
    }

    fn enter_quote(&mut self) {
        self.writer.end_block(BlockBreak::Paragraph);
        self.writer.open_quote();
    }

    fn leave_quote(&mut self) {
        self.writer.end_block(BlockBreak::Paragraph);
        self.writer.close_container();
    }

    /// Writes a text without the label of a note.
    fn put_text(&mut self, node: usize) {
        let Some(text) = self.page.text(node) else { return };
        if self.page.has_words(node) {
            self.page_numbers.put_waiting(&mut self.writer);
        }
        // Before a link `!` would make a picture of it, and `#` begins no heading.
        let before_link = text.resolve(self.page.source()).ends_with(['!', '#']) && self.is_before_link(node);
        self.writer.set_following(before_link, self.page.is_before_space(node));
        match self.page.book().and_then(|book| book.page.cuts.get(&node)) {
            None => put_words(self.page, &mut self.writer, node, text),
            Some(&cut) if text.decoded.is_some() || cut >= text.span.len() => {}
            Some(&cut) => {
                let mut span = text.span;
                span.start += cut;
                self.writer.words(&SourceText { span, decoded: None });
            }
        }
    }

    /// True for a text that a link follows, without white space between them.
    fn is_before_link(&self, node: usize) -> bool {
        is_link(self.page, node + 1)
            && self.page.words_below(node + 1).starts_with(|c: char| !c.is_whitespace())
    }

    /// Writes a table of data or a play; false for any other table.
    fn table(&mut self, node: usize) -> bool {
        // Markdown has no tables in headings, cells or notes.
        if self.writer.is_one_line() || self.tables.is_inside || self.page.is_note(node) {
            return false;
        }
        let notes: Vec<usize> = note_rows(self.page, node).collect();
        notes.iter().for_each(|&row| self.notes.defer(row));
        let cells = TableCells::of(self.page, node);
        // All of its rows are notes.
        if !notes.is_empty() && cells.rows().is_empty() {
            return true;
        }
        if is_play(self.page, node) {
            write_play(self, cells.rows());
            return true;
        }
        // Each level indents all text in it once more.
        let may_be_items = self.tables.items_around < MAX_TABLES_AS_ITEMS;
        let table = cells.data(may_be_items, &mut self.tables.budget);
        if let Some(table) = &table {
            write_table(self, node, table);
        }
        table.is_some()
    }

    fn open_note(&mut self, note: NoteExtent) {
        self.writer.end_block(BlockBreak::Paragraph);
        self.writer.open_note(note.number);
    }

    fn close_note(&mut self) {
        self.writer.end_block(BlockBreak::Paragraph);
        self.writer.close_container();
        self.notes.close();
    }

    /// Writes the waiting notes, between two outermost blocks.
    fn write_waiting_notes(&mut self) {
        let Some(book) = self.page.book() else { return };
        // Notes may have notes.
        while self.notes.is_waiting() {
            for node in self.notes.take_waiting() {
                let Some(&note) = book.page.notes.get(&node) else { continue };
                self.open_note(note);
                self.notes.open(node, note);
                self.walk(node, note.end);
                self.close_note();
            }
        }
    }

    fn is_outermost(&self) -> bool {
        !self.tables.is_inside && self.writer.is_outermost()
    }

    fn is_between_blocks(&self) -> bool {
        self.lists.is_empty() && !self.tables.is_inside && self.writer.is_between_blocks()
    }

    fn has_ruby_parentheses(&self, node: usize) -> bool {
        let end = self.page.end(self.page.tree().parent(node));
        let next = self.page.end(node);
        // White space may be before it.
        (next..end.min(next + 2)).any(|after| self.page.tag(after) == Some(HtmlTag::Rp))
    }
}

impl<'a> ElementWriter<'a> for Renderer<'a> {
    fn page(&self) -> ParsedPage<'a> {
        self.page
    }

    fn writer(&mut self) -> &mut StreamWriter<'a> {
        &mut self.writer
    }

    fn table_state(&mut self) -> &mut TableState {
        &mut self.tables
    }

    fn write_element(&mut self, node: usize) {
        self.walk(node, self.page.end(node));
    }

    fn write_inside(&mut self, node: usize) {
        self.walk(node + 1, self.page.end(node));
    }
}
