//! What a chapter says beside its words, when the asker wants it marked: notes, page breaks, pictures, formulas.
//!
//! References to notes become `[^1]`, notes `[^1]: ...`, page breaks `<!-- page 12 -->`, pictures and formulas their
//! alternative texts. What is a note is told by `epub:type`, by `role` (DPUB-ARIA), and by the ways that books without
//! these have: a small sign that links to the start of a paragraph. Backlinks go.

use super::render::Renderer;
use super::tag::Tag;
use super::writer::Break;
use std::cell::Cell;

/// Signs of a reference at most: `[123]`, `***`.
const LONGEST_SIGN: usize = 6;

/// Elements at the start of a paragraph among which the name of a note may stand.
const LEADING: usize = 6;

/// What the book knows of the notes in a chapter.
pub struct BookMarks<'m> {
    /// The number of the note that an address leads to, as the chapter writes it.
    pub note_of: &'m dyn Fn(&str) -> Option<usize>,
    /// The number of the note that stands at the element of this name.
    pub note_at: &'m dyn Fn(&str) -> Option<usize>,
    /// The number of the next note that nothing refers to.
    pub next: &'m Cell<usize>,
    /// Whether the contents lead into the page that an address leads to.
    pub leads: &'m dyn Fn(&str) -> bool,
    /// Whether the contents lead to the element of this name.
    pub is_target: &'m dyn Fn(&str) -> bool,
}

/// What tells a reference to a note from other links.
#[derive(Debug, Default)]
pub struct ReferenceFacts<'f> {
    /// `epub:type` and `role`.
    pub kind: &'f str,
    /// Its classes.
    pub class: &'f str,
    /// It is raised, or holds what is.
    pub is_raised: bool,
    /// Its words.
    pub words: &'f str,
}

impl ReferenceFacts<'_> {
    /// True for a reference to a note.
    pub fn is_reference(&self) -> bool {
        if has_word(self.kind, &["noteref", "annoref", "doc-noteref"]) {
            return true;
        }
        if has_word(self.kind, &["backlink", "doc-backlink", "pagebreak"]) || !is_sign(self.words) {
            return false;
        }
        let class = self.class.to_ascii_lowercase();
        let is_named = ["noteref", "footnote", "endnote", "fnref", "fnanchor", "note-ref", "fn-ref"]
            .iter()
            .any(|name| class.contains(name));
        let is_bracketed = self.words.trim().starts_with(['[', '(']);
        self.is_raised
            || is_named
            || is_bracketed
            || !self.words.trim().starts_with(|c: char| c.is_alphanumeric())
    }
}

/// True for the types that a note itself has.
pub fn is_note_type(kind: &str) -> bool {
    has_word(kind, &["footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote"])
}

pub(super) fn has_word(kind: &str, words: &[&str]) -> bool {
    kind.split_ascii_whitespace().any(|found| words.contains(&found))
}

/// True for what stands for a note: a number, a letter, an asterisk, a dagger.
fn is_sign(words: &str) -> bool {
    let sign = words.trim().trim_matches(['[', ']', '(', ')', '.']);
    let length = sign.chars().count();
    (1..=LONGEST_SIGN).contains(&length)
        && (sign.chars().all(|c| c.is_ascii_digit())
            || sign.chars().all(|c| "*†‡§¶‖#⁂".contains(c))
            || sign.chars().all(|c| "ivxlc".contains(c))
            || (length == 1 && sign.chars().all(char::is_lowercase))
            || sign.chars().all(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c)))
}

impl Renderer<'_> {
    /// Marks an element; true where all of it is marked by that.
    pub(super) fn mark(&mut self, node: usize, tag: Tag) -> bool {
        let Some(marks) = self.book else { return false };
        let kind = self.kind_of(node);
        if has_word(&kind, &["pagebreak", "doc-pagebreak"]) {
            let page = ["title", "aria-label"].iter().find_map(|name| self.tree.attribute(node, name));
            let page = page.map_or_else(|| self.tree.text_below(node, self.source), str::to_owned);
            let page: String =
                page.chars().filter(|c| c.is_alphanumeric() || " .".contains(*c)).take(20).collect();
            self.writer.put_words(&format!("<!-- page {} -->", page.trim()));
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
        if tag == Tag::A && self.tree.attribute(node, "href").is_some() {
            return self.mark_link(node, marks, &kind);
        }
        if let Some(number) = self.note_number(node, tag, marks, &kind) {
            self.writer.end_block(Break::Paragraph);
            self.writer.open_container(&format!("[^{number}]: "), "    ");
            self.notes.push(node);
        }
        false
    }

    /// Ends a note.
    pub(super) fn end_mark(&mut self, node: usize) {
        if self.notes.pop_if(|note| *note == node).is_some() {
            self.writer.end_block(Break::Paragraph);
            self.writer.close_container();
        }
    }

    fn mark_link(&mut self, node: usize, marks: &super::BookMarks<'_>, kind: &str) -> bool {
        let words = self.tree.text_below(node, self.source);
        let href = self.tree.attribute(node, "href").unwrap_or_default();
        if !self.notes.is_empty() {
            let is_back = has_word(kind, &["backlink", "doc-backlink"])
                || is_sign(&words)
                || words.trim().chars().all(|c| "↩↑↵⏎⮐^←\u{fe0e}\u{a0}[] ".contains(c));
            return is_back && href.contains('#') && !href.contains("://");
        }
        let is_sup = |node: usize| self.tree.tag(node) == Some(Tag::Sup);
        let facts = ReferenceFacts {
            kind,
            class: self.tree.attribute(node, "class").unwrap_or_default(),
            is_raised: self.tree.ancestors(node).take(3).any(is_sup) || self.tree.below(node).any(is_sup),
            words: &words,
        };
        match (marks.note_of)(href).filter(|_| facts.is_reference()) {
            Some(number) => {
                self.writer.put_mark(&format!("[^{number}]"));
                true
            }
            None => false,
        }
    }

    /// The number of the note that begins with an element.
    fn note_number(&self, node: usize, tag: Tag, marks: &super::BookMarks<'_>, kind: &str) -> Option<usize> {
        let is_outer = matches!(tag, Tag::Body | Tag::Table | Tag::Tr | Tag::Td | Tag::Th);
        if !tag.is_block() && tag != Tag::Li || is_outer || tag.heading_level().is_some() {
            return None;
        }
        if !self.notes.is_empty() || self.in_table || self.writer.is_flat() {
            return None;
        }
        let own = self.tree.attribute(node, "id").and_then(|id| (marks.note_at)(id));
        if own.is_some() {
            return own;
        }
        if is_note_type(kind) {
            let number = marks.next.get();
            marks.next.set(number + 1);
            return Some(number);
        }
        let is_paragraph = matches!(tag, Tag::P | Tag::Li | Tag::Dd | Tag::Dt | Tag::Div);
        if is_paragraph { self.leading_note(node, marks) } else { None }
    }

    /// The note whose name stands on an anchor before the first words of a paragraph, or on its number.
    fn leading_note(&self, node: usize, marks: &super::BookMarks<'_>) -> Option<usize> {
        for below in self.tree.below(node).take(LEADING) {
            match self.tree.tag(below) {
                Some(tag) if tag.is_block() => return None,
                Some(_) => {
                    let name = self.tree.attribute(below, "id").or(self.tree.attribute(below, "name"));
                    if let Some(number) = name.and_then(|name| (marks.note_at)(name)) {
                        return Some(number);
                    }
                }
                None => {
                    let words = self.tree.piece(below).map_or("", |piece| piece.text(self.source));
                    if words.contains(char::is_alphabetic) {
                        return None;
                    }
                }
            }
        }
        None
    }

    fn kind_of(&self, node: usize) -> String {
        let value = |name: &str| self.tree.attribute(node, name).unwrap_or_default();
        let (kind, role) = (value("epub:type"), value("role"));
        if kind.is_empty() && role.is_empty() { String::new() } else { format!("{kind} {role}") }
    }

    /// Words that stand for something that is no text.
    pub(super) fn put_alternative(&mut self, words: &str) {
        self.writer.put_text(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, class: &str, is_raised: bool, expected: bool) {
        let facts = ReferenceFacts { words, class, is_raised, kind: "" };
        assert_eq!(facts.is_reference(), expected, "{words} {class} {is_raised}");
    }

    #[test]
    fn references_are_small_signs() {
        check("1", "", true, true);
        check("[12]", "", false, true);
        check("*", "", false, true);
        check("3", "fnanchor pginternal", false, true);
        check("3", "", false, false);
        check("see 3", "", true, false);
        check("Chapter", "footnote", true, false);
    }
}
