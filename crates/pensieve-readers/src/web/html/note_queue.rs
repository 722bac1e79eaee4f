//! The notes of a chapter while it is rendered: a note inside a sentence, a cell or a list is written after the block
//! that contains it.

use super::annotations::NoteExtent;
use super::page::ParsedPage;
use super::tag::HtmlTag;

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
