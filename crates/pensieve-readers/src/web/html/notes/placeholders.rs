//! Puts placeholder words for notes into the source of a page, for converters that do not know notes.
//!
//! A reference becomes `PENSIEVEREF1XQ`, the text of a note is between `PENSIEVENOTE1XQ` and `PENSIEVEENDXQ`; signs
//! of notes, links back and page numbers are left out. Words pass through any converter; only text is changed, never
//! a tag.

use crate::web::html::annotations::PageAnnotations;
use crate::web::html::dialect::PageDialect;
use crate::web::html::tree::PageTree;
use crate::web::html::{chapter, parse};
use std::ops::Range;

/// Before the number of a note in a reference.
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
                self.replacements.push((span, word.take().unwrap_or_default()));
            }
        }
    }

    fn cuts(&mut self, marks: &PageAnnotations) {
        for (&node, &cut) in &marks.cuts {
            let Some(node_text) = self.tree.text(node) else { continue };
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
        self.replacements.sort_by_key(|(place, _)| (place.start, place.end));
        let mut marked = String::with_capacity(source.len() + self.replacements.len() * 16);
        let mut done = 0;
        for (place, words) in self.replacements {
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
}
