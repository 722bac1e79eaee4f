//! The notes of a chapter while it is rendered: a note inside a sentence, a cell or a list is written after the block that
//! it stands in.

use super::annotations::NoteExtent;
use super::page::ParsedPage;
use super::tag::HtmlTag;

/// The notes that are open, and those that wait.
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
    /// Begins the note that starts at a node; where it cannot stand here, it waits.
    pub fn begin(&mut self, page: ParsedPage<'_>, node: usize, is_outermost: bool) -> Option<NoteStart> {
        let note = *page.book()?.page.notes.get(&node)?;
        if self.open.last().is_some_and(|&(start, _)| start == node) {
            return None;
        }
        if !is_outermost || !page.tag(node).is_some_and(HtmlTag::is_block) {
            self.put_off(node);
            return Some(NoteStart::Later(note.end));
        }
        self.open(node, note);
        Some(NoteStart::Here(note))
    }

    /// Takes a note out of where it stands, to be written when there is a place for it.
    pub fn put_off(&mut self, node: usize) {
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

    /// True for an item, a term or its explanation that a note consists of: it has no bullet of its own.
    pub fn is_frame(&self, page: ParsedPage<'_>, node: usize) -> bool {
        let above = page.tree().parent(node);
        let is_inside = |&(start, end): &(usize, usize)| {
            let is_list = above == start && page.tag(start) == Some(HtmlTag::Dl);
            (start..end).contains(&node) && (above == page.tree().parent(start) || is_list)
        };
        self.open.last().is_some_and(is_inside)
    }
}
