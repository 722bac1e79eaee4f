//! Puts placeholder words for notes into the source of a page, for converters that do not know notes.
//!
//! A reference becomes `PENSIEVEREF1XQ`, the text of a note is between `PENSIEVENOTE1XQ` and `PENSIEVEENDXQ`; signs
//! of notes, links back and page numbers are left out. Words pass through any converter; only text is changed, never
//! a tag.

use crate::web::html::annotations::PageAnnotations;
use crate::web::html::parse::dialect::PageDialect;
use crate::web::html::parse::tree::PageTree;
use crate::web::html::{chapter, parse};
use std::ops::Range;

/// Before the number of a note in a reference.
// Letters and digits only, which converters keep; texts do not have such words.
pub(crate) const REFERENCE: &str = "PENSIEVEREF";

/// Before the number of a note at its start.
pub(crate) const BEGIN: &str = "PENSIEVENOTE";

/// Ends a number.
pub(crate) const CLOSE: &str = "XQ";

/// Ends a note.
pub(crate) const END: &str = "PENSIEVEENDXQ";

/// The source of a chapter with placeholders for its notes.
pub(crate) fn with_note_words(source: &str, marks: &PageAnnotations) -> String {
    let dialect = PageDialect::of_chapter(source);
    let mut blanked = source.to_owned();
    chapter::blank_declarations(&mut blanked);
    let tree = parse::parse_as(&blanked, dialect);
    let mut edits = SourceEdits {
        tree: &tree,
        source: &blanked,
        removed: vec![false; tree.len()],
        replacements: Vec::new(),
    };
    edits.references(marks);
    edits.cuts(marks);
    edits.notes(marks);
    edits.applied(source)
}

/// Which words replace which bytes.
struct SourceEdits<'t> {
    tree: &'t PageTree,
    source: &'t str,
    /// Texts that are left out.
    removed: Vec<bool>,
    replacements: Vec<(Range<usize>, String)>,
}

impl SourceEdits<'_> {
    fn texts(&self, nodes: Range<usize>) -> impl DoubleEndedIterator<Item = (usize, Range<usize>)> {
        nodes.filter_map(|node| Some((node, self.tree.text(node)?.span.range())))
    }

    fn references(&mut self, marks: &PageAnnotations) {
        for (&node, number) in &marks.references {
            let mut word = number.map(|number| format!("{REFERENCE}{number}{CLOSE}"));
            let node_texts: Vec<_> = self.texts(self.tree.below(node)).collect();
            for (node_text, span) in node_texts {
                self.removed[node_text] = true;
                // The first of its texts becomes the word, the others go.
                self.replacements.push((span, word.take().unwrap_or_default()));
            }
        }
    }

    fn cuts(&mut self, marks: &PageAnnotations) {
        for (&node, &cut) in &marks.cuts {
            let Some(node_text) = self.tree.text(node) else { continue };
            // Of a decoded text no part has a place.
            let is_whole = node_text.decoded.is_some() || cut >= node_text.span.len();
            if !self.removed[node] {
                self.removed[node] = is_whole;
                let end = if is_whole { node_text.span.end } else { node_text.span.start + cut };
                self.replacements.push((node_text.span.start..end, String::new()));
            }
        }
    }

    fn notes(&mut self, marks: &PageAnnotations) {
        for (&start, note) in &marks.notes {
            let is_said = |(node, span): &(usize, Range<usize>)| {
                !self.removed[*node] && !self.source[span.clone()].trim().is_empty()
            };
            let first = self.texts(start..note.end).find(is_said);
            let last = self.texts(start..note.end).rfind(is_said);
            let (Some((node, first)), Some((_, last))) = (first, last) else { continue };
            let begin = first.start + marks.cuts.get(&node).copied().unwrap_or(0).min(first.len());
            self.replacements.push((begin..begin, format!("{BEGIN}{}{CLOSE}", note.number)));
            self.replacements.push((last.end..last.end, END.to_owned()));
        }
    }

    fn applied(mut self, source: &str) -> String {
        // Insertions before what is cut at the same place.
        self.replacements.sort_by_key(|(place, _)| (place.start, place.end));
        let mut marked = String::with_capacity(source.len() + self.replacements.len() * 16);
        let mut done = 0;
        for (place, words) in self.replacements {
            // A text that is left out already needs no second cut.
            if place.start >= done {
                marked.push_str(&source[done..place.start]);
                marked.push_str(&words);
                done = place.end;
            }
        }
        marked + &source[done..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::{NoteExtent, PageFacts};

    #[test]
    fn references_and_notes_get_words() {
        let page = "<p>x<a href='#n'>[1]</a> y</p><p id='n'>[1] Note <b>b</b></p>";
        let facts = PageFacts::of_chapter(page);
        let place = &facts.places["n"];
        let mut marks = PageAnnotations::default();
        marks.references.insert(facts.links[0].node, Some(1));
        marks.notes.insert(place.range.0, NoteExtent { number: 1, end: place.range.1 });
        marks.cuts.extend(place.label.iter().copied());
        let expected = "<p>x<a href='#n'>PENSIEVEREF1XQ</a> y</p><p id='n'>PENSIEVENOTE1XQNote <b>bPENSIEVEENDXQ</b></p>";
        assert_eq!(with_note_words(page, &marks), expected);
    }

    /// The page with placeholders for what [`crate::web::html`] knows of it: references by the words of links (`1` is one
    /// to note 1, others are left out), the element `n` as note 1, and how many bytes of its first text are left out.
    #[track_caller]
    fn check(page: &str, cut: Option<usize>, expected: &str) {
        let tree = parse::parse_as(page, PageDialect::of_chapter(page));
        let mut marks = PageAnnotations::default();
        for node in 0..tree.len() {
            if tree.attribute(node, "href").is_some() {
                marks.references.insert(node, tree.text_below(node, page).parse().ok());
            }
            if tree.attribute(node, "id") == Some("n") {
                marks.notes.insert(node, NoteExtent { number: 1, end: tree.end(node) });
                marks.cuts.extend(cut.map(|cut| (node + 1, cut)));
            }
        }
        assert_eq!(with_note_words(page, &marks), expected, "of {page}");
    }

    #[test]
    fn only_words_are_replaced() {
        check("<p>x<a href='#n'><b>1</b></a></p>", None, "<p>x<a href='#n'><b>PENSIEVEREF1XQ</b></a></p>");
        check("<p>x<a href='#n'>back<i> up</i></a> y</p>", None, "<p>x<a href='#n'><i></i></a> y</p>");
        check("<p id='n'> <b>Note</b> </p>", None, "<p id='n'> <b>PENSIEVENOTE1XQNotePENSIEVEENDXQ</b> </p>");
        check("<p id='n'></p>", None, "<p id='n'></p>");
        check("<p id='n'> </p>", Some(1), "<p id='n'></p>");
        check("<p id='n'>1 Note</p>", Some(2), "<p id='n'>PENSIEVENOTE1XQNotePENSIEVEENDXQ</p>");
        check("<p id='n'>1<b>Note</b></p>", Some(1), "<p id='n'><b>PENSIEVENOTE1XQNotePENSIEVEENDXQ</b></p>");
        check("<p id='n'>1<b>Note</b></p>", Some(9), "<p id='n'><b>PENSIEVENOTE1XQNotePENSIEVEENDXQ</b></p>");
        check("<p id='n'>&#49;<b>N</b></p>", Some(1), "<p id='n'><b>PENSIEVENOTE1XQNPENSIEVEENDXQ</b></p>");
        check(
            "<p id='n'>Note <a href='#r'>back</a></p>",
            None,
            "<p id='n'>PENSIEVENOTE1XQNote PENSIEVEENDXQ<a href='#r'></a></p>",
        );
        check(
            "<p id='n'><a href='#r'>up</a>Note</p>",
            None,
            "<p id='n'><a href='#r'></a>PENSIEVENOTE1XQNotePENSIEVEENDXQ</p>",
        );
        check(
            "<!DOCTYPE a [<!ENTITY b 'c'>]><p id='n'>é</p>z",
            None,
            "<!DOCTYPE a [<!ENTITY b 'c'>]><p id='n'>PENSIEVENOTE1XQéPENSIEVEENDXQ</p>z",
        );
    }
}
