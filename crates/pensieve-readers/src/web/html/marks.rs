//! What a chapter says beside its words, when the asker wants it marked: notes, page breaks, pictures, formulas.
//!
//! References to notes become `[^1]`, notes `[^1]: ...`, page breaks `<!-- page 12 -->`, pictures and formulas their
//! alternative texts. Which links and places these are is decided before, where the whole book is known (see
//! [`super::notes`]). A note inside a sentence, a cell or a list is written behind the block that it stands in.

use super::render::Renderer;
use super::tag::Tag;
use crate::markdown::BlockBreak;
use crate::markdown::block_mark::note_reference;
use std::collections::HashMap;

/// What the book knows of a page.
pub struct BookContext<'m> {
    /// What is to be done at its nodes.
    pub page: &'m PageAnnotations,
    /// Whether the contents lead into the page that an address leads to.
    pub leads: &'m dyn Fn(&str) -> bool,
    /// Whether the contents lead to the element of this name.
    pub is_target: &'m dyn Fn(&str) -> bool,
}

/// What is to be done at the nodes of a page.
#[derive(Debug, Clone, Default)]
pub struct PageAnnotations {
    /// References to notes by their numbers; those without one go, like ways back.
    pub references: HashMap<usize, Option<usize>>,
    /// The first node of each note.
    pub notes: HashMap<usize, NoteExtent>,
    /// Bytes at the start of pieces of text that go: the signs of notes.
    pub cuts: HashMap<usize, usize>,
    /// Where printed pages begin, with their numbers.
    pub pages: HashMap<usize, String>,
}

/// A note of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoteExtent {
    /// Its number.
    pub number: usize,
    /// The node behind it.
    pub end: usize,
}

pub(super) fn has_word(kind: &str, words: &[&str]) -> bool {
    kind.split_ascii_whitespace().any(|found| words.contains(&found))
}

impl Renderer<'_> {
    /// Marks an element; true where all of it is marked by that.
    pub(super) fn mark(&mut self, node: usize, tag: Tag) -> bool {
        let Some(marks) = self.book else { return false };
        if let Some(reference) = marks.page.references.get(&node) {
            if let Some(number) = reference {
                self.writer.put_mark(&note_reference(number));
            }
            return true;
        }
        let kind = self.kind_of(node);
        if self.is_page_number(node, tag, &kind) {
            return true;
        }
        // The contents are written in front of the text; lists of pages and landmarks lead to what is not there.
        if tag == Tag::Nav && has_word(&kind, &["toc", "page-list", "landmarks", "doc-toc", "doc-pagelist"]) {
            return true;
        }
        if self.is_navigation(node, tag, marks) || self.is_title_of_navigation(node, tag, marks) {
            self.note_anchors_below(node, self.writer.len());
            return true;
        }
        false
    }

    /// Begins the note that starts at a node; where it cannot stand here, it waits, and the node behind it is told.
    pub(super) fn begin_note(&mut self, node: usize) -> Option<Begun> {
        let note = *self.book?.page.notes.get(&node)?;
        if self.notes.last().is_some_and(|&(start, _)| start == node) {
            return None;
        }
        let is_block = self.tree.tag(node).is_some_and(Tag::is_block);
        if !is_block || self.in_table || !self.writer.is_outermost() {
            self.await_note(node);
            return Some(Begun::Waits(note.end));
        }
        self.writer.end_block(BlockBreak::Paragraph);
        self.open_note(node, note);
        Some(Begun::Here(note.end))
    }

    /// Takes a note out of where it stands, to be written when there is a place for it.
    pub(super) fn await_note(&mut self, node: usize) {
        if !self.waiting.contains(&node) {
            self.waiting.push(node);
        }
    }

    fn open_note(&mut self, node: usize, note: NoteExtent) {
        self.writer.open_note(note.number);
        self.notes.push((node, note.end));
    }

    /// Ends a note.
    pub(super) fn end_note(&mut self) {
        self.writer.end_block(BlockBreak::Paragraph);
        self.writer.close_container();
        self.notes.pop();
    }

    /// Writes the notes that wait, between two blocks that lie in nothing.
    pub(super) fn write_waiting_notes(&mut self) {
        let Some(marks) = self.book else { return };
        while !self.waiting.is_empty() {
            for node in std::mem::take(&mut self.waiting) {
                let Some(&note) = marks.page.notes.get(&node) else { continue };
                self.writer.end_block(BlockBreak::Paragraph);
                self.open_note(node, note);
                self.walk_range(node, note.end);
                self.end_note();
            }
        }
    }

    /// True for an item, a term or its explanation that a note consists of: it has no bullet of its own.
    pub(super) fn is_note_frame(&self, node: usize) -> bool {
        let above = self.tree.parent(node);
        let is_inside = |&(start, end): &(usize, usize)| {
            let is_list = above == start && self.tree.tag(start) == Some(Tag::Dl);
            (start..end).contains(&node) && (above == self.tree.parent(start) || is_list)
        };
        self.notes.last().is_some_and(is_inside)
    }

    /// True where a note starts at a node.
    pub(super) fn is_note(&self, node: usize) -> bool {
        self.book.is_some_and(|marks| marks.page.notes.contains_key(&node))
    }

    /// A piece of text, without the sign of a note.
    pub(super) fn put_piece(&mut self, node: usize) {
        let Some(piece) = self.tree.piece(node) else { return };
        if !piece.resolve(self.source).trim().is_empty() {
            self.put_waiting_page();
        }
        let before_link = piece.resolve(self.source).ends_with('!') && self.is_link(node + 1);
        self.writer.set_before_link(before_link);
        match self.book.and_then(|marks| marks.page.cuts.get(&node)) {
            None => self.writer.words(piece),
            Some(&cut) if piece.decoded.is_some() || cut >= piece.span.len() => {}
            Some(&cut) => {
                let mut rest = piece.clone();
                rest.span.start += cut;
                self.writer.words(&rest);
            }
        }
    }

    pub(super) fn kind_of(&self, node: usize) -> String {
        let value = |name: &str| self.tree.attribute(node, name).unwrap_or_default();
        let (kind, role) = (value("epub:type"), value("role"));
        if kind.is_empty() && role.is_empty() { String::new() } else { format!("{kind} {role}") }
    }

    /// Words that stand for something that is no text.
    pub(super) fn put_alternative(&mut self, words: &str) {
        self.writer.put_text(words);
    }
}

/// How a note begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begun {
    /// Where it stands, up to this node.
    Here(usize),
    /// Later; reading goes on at this node.
    Waits(usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::HtmlOptions;
    use crate::web::html::read_annotated;
    use pensieve_text::model::Segment;

    #[test]
    fn notes_stand_where_they_can() {
        let page = "<p>x<a>1</a> y<span>Note</span> z</p><ul><li>i</li></ul><p>w</p>";
        let decoded = Segment { text: page.to_owned(), ..Segment::default() };
        let options = HtmlOptions { markdown: true, main_content: false };
        let no = |_: &str| false;
        let read = |marks: &PageAnnotations| {
            let book = BookContext { page: marks, leads: &no, is_target: &no };
            read_annotated(decoded.clone(), &options, Some(&book)).text.text
        };
        // The root, html, head and body stand before the first element of the page.
        let marks = |reference: usize, note: usize, end: usize| PageAnnotations {
            references: HashMap::from([(reference, Some(1))]),
            notes: HashMap::from([(note, NoteExtent { number: 1, end })]),
            ..PageAnnotations::default()
        };
        let found = (0..16).map(|node| read(&marks(node, node + 3, node + 5)));
        let expected = "x[^1] y z\n\n[^1]: Note\n\n- i\n\nw\n";
        assert!(found.clone().any(|text| text == expected), "{:?}", found.collect::<Vec<_>>());
    }
}
