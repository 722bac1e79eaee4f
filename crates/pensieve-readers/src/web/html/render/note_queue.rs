//! The notes of a chapter while it is rendered: a note inside a sentence, a cell or a list is written after the block
//! that contains it.

use super::page::ParsedPage;
use crate::web::html::annotations::NoteExtent;
use crate::web::html::parse::tag::HtmlTag;

/// The open notes, and those that wait to be written.
#[derive(Debug, Default)]
pub(super) struct NoteQueue {
    /// First node, and the one after the last.
    open: Vec<(usize, usize)>,
    waiting: Vec<usize>,
}

/// Where a note is written that starts at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoteStart {
    Here(NoteExtent),
    /// Later; its place ends at this node.
    Later(usize),
}

impl NoteQueue {
    /// Begins the note that starts at a node; if it cannot be written here, it waits.
    pub fn begin(&mut self, page: ParsedPage<'_>, node: usize, is_outermost: bool) -> Option<NoteStart> {
        let note = *page.book()?.page.notes.get(&node)?;
        // It is being written: the walk has come back to its first node.
        if self.open.last().is_some_and(|&(start, _)| start == node) {
            return None;
        }
        if !is_outermost || !page.tag(node).is_some_and(HtmlTag::is_block) {
            self.defer(node);
            return Some(NoteStart::Later(note.end));
        }
        self.open(node, note);
        Some(NoteStart::Here(note))
    }

    /// Defers a note until it can be written.
    pub fn defer(&mut self, node: usize) {
        // A row is deferred by its table and met again by the walk.
        if !self.waiting.contains(&node) {
            self.waiting.push(node);
        }
    }

    pub fn open(&mut self, node: usize, note: NoteExtent) {
        self.open.push((node, note.end));
    }

    pub fn close(&mut self) {
        self.open.pop();
    }

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The notes that wait, in order.
    pub fn take_waiting(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.waiting)
    }

    /// True for an item, a term or a definition that is the whole note: it gets no bullet.
    pub fn is_frame(&self, page: ParsedPage<'_>, node: usize) -> bool {
        let above = page.tree().parent(node);
        let is_inside = |&(start, end): &(usize, usize)| {
            let is_list = above == start && page.tag(start) == Some(HtmlTag::Dl);
            (start..end).contains(&node) && (above == page.tree().parent(start) || is_list)
        };
        self.open.last().is_some_and(is_inside)
    }
}

#[cfg(test)]
mod tests {
    use crate::web::html::chapter::tests::check_book;

    #[test]
    fn notes_stand_between_blocks() {
        for (page, expected) in [
            (
                "<p>One<a id='ref-1'>1</a> two<a id='ref-'>2</a></p><p id='note-1'>Note</p><p>Three</p>",
                "One[^1] two\n\n[^1]: Note\n\nThree",
            ),
            ("<p>One<span id='note-1'>Note</span> two</p><p>Three</p>", "One two\n\n[^1]: Note\n\nThree"),
            ("<div><p>One<span id='note-1'>Note</span></p></div>", "One\n\n[^1]: Note"),
            ("<h2>One<span id='note-1'>Note</span></h2><p>Two</p>", "## One\n\n[^1]: Note\n\nTwo"),
            ("<ul><li>One<span id='note-1'>Note</span></li><li>Two</li></ul>", "- One\n- Two\n\n[^1]: Note"),
            ("<blockquote><p>One</p><p id='note-1'>Note</p></blockquote>", "> One\n\n[^1]: Note"),
            ("<div id='note-1'><p>Note</p><p id='note-2'>Other</p></div>", "[^1]: Note\n\n[^2]: Other"),
            (
                "<p>One<span id='note-1'>Note<b id='note-2'>Other</b></span></p><p>Two</p>",
                "One\n\n[^1]: Note\n\n[^2]: **Other**\n\nTwo",
            ),
            (
                "<p>One<span id='note-2'>Second</span><span id='note-1'>First</span></p>",
                "One\n\n[^2]: Second\n\n[^1]: First",
            ),
        ] {
            check_book(page, expected);
        }
    }

    #[test]
    fn notes_in_tables_stand_below_them() {
        for (page, expected) in [
            (
                "<table><tr><td>a</td><td>b</td></tr><tr id='note-1'><td>1</td><td>Note</td></tr></table>",
                "|  |  |\n| - | - |\n| a | b |\n\n[^1]: 1\n\n    Note",
            ),
            (
                "<table><tr id='note-1'><td>1</td><td>Note</td></tr></table><p>Two</p>",
                "[^1]: 1\n\n    Note\n\nTwo",
            ),
            (
                "<table id='note-1'><tr><td>1</td><td>Note</td></tr></table><p>Two</p>",
                "[^1]: 1\n\n    Note\n\nTwo",
            ),
            (
                "<table><tr><td>a<p id='note-1'>Note</p></td><td>b</td></tr></table>",
                "|  |  |\n| - | - |\n| a | b |\n\n[^1]: Note",
            ),
        ] {
            check_book(page, expected);
        }
    }

    #[test]
    fn an_item_that_is_the_note_has_no_bullet() {
        for (page, expected) in [
            ("<ol><li id='note-1'><p>Note</p></li></ol><p>Two</p>", "[^1]: Note\n\nTwo"),
            ("<li id='note-1'>Note</li><p>Two</p>", "[^1]: Note\n\nTwo"),
            ("<dl id='note-1'><dt>a</dt><dd>Note</dd></dl><p>Two</p>", "[^1]: a\n\n    Note\n\nTwo"),
            ("<div id='note-1'><ol><li>a</li></ol></div><p>Two</p>", "[^1]: 1. a\n\nTwo"),
            ("<ol id='note-1'><li>a</li><li>b</li></ol><p>Two</p>", "[^1]: 1. a\n    2. b\n\nTwo"),
            ("<li id='note-1'>Note<ul><li>a</li></ul></li><p>Two</p>", "[^1]: Note\n\n    - a\n\nTwo"),
        ] {
            check_book(page, expected);
        }
    }

    #[test]
    fn labels_of_notes_are_left_out() {
        check_book("<p id='cut-3'>1. Note</p>", "Note");
        check_book("<p id='cut-6'>1. Note</p>", "e");
        check_book("<p id='cut-7'>1. Note</p>", "");
        check_book("<p id='cut-9'>1. Note</p>", "");
        check_book("<p id='cut-3'>&#49; <b>Note</b></p>", "**Note**");
    }
}
