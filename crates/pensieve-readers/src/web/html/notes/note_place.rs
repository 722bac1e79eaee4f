//! The facts of a link's target as a possible note.

use super::element::{block_of, class_of, kind_of};
use super::note_section::{SectionKind, note_sections};
use super::note_sign::NoteSign;
use super::raised::leading_sign;
use crate::web::html::attributes::has_word;
use crate::web::html::tag::HtmlTag;
use crate::web::html::tree::PageTree;

/// How many texts at the start of a block are searched for its sign.
const MAX_SIGN_TEXTS: usize = 12;

/// How many elements around a possible note are examined.
const MAX_ANCESTORS: usize = 12;

/// How many blocks after a note may continue it.
const MAX_BLOCKS: usize = 40;

/// The facts of a possible note.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PlaceFacts {
    /// Its first node and the one after it.
    pub range: (usize, usize),
    /// The same for the element around it, if nothing in that comes before it and it contains no other note.
    pub outer: Option<(usize, usize)>,
    /// Blocks after it that may belong to it, and whether the class or the section of each says so.
    pub following: Vec<(usize, usize, bool)>,
    /// The sign that it begins with.
    pub sign: String,
    /// The texts that the sign covers, each with a count of bytes.
    pub label: Vec<(usize, usize)>,
    /// It is a note by its type or by that of an element around it.
    pub is_typed: bool,
    /// It is among notes by a class, a type or a heading.
    pub is_noted: bool,
    /// It is among sources or terms.
    pub is_source: bool,
    /// It contains a formula.
    pub has_formula: bool,
}

/// Finds the possible notes of a page.
pub(super) struct NotePlaces<'t> {
    tree: &'t PageTree,
    source: &'t str,
    parts: Vec<(usize, usize, SectionKind)>,
}

impl<'t> NotePlaces<'t> {
    pub fn new(tree: &'t PageTree, source: &'t str) -> NotePlaces<'t> {
        NotePlaces { tree, source, parts: note_sections(tree, source) }
    }

    /// The note at an element that its type declares a note.
    pub fn typed(&self, node: usize) -> Option<PlaceFacts> {
        let tag = self.tree.tag(node)?;
        let is_outer = matches!(
            tag,
            HtmlTag::Body | HtmlTag::Html | HtmlTag::A | HtmlTag::Td | HtmlTag::Th | HtmlTag::Sup
        );
        let is_note = !is_outer && tag.heading_level().is_none() && self.is_typed(node);
        is_note.then(|| self.facts((node, self.tree.end(node)), true))
    }

    /// The note at a block without blocks that begins with a raised sign, or with a sign among notes.
    pub fn signed(&self, node: usize) -> Option<PlaceFacts> {
        let tree = self.tree;
        let is_block = |at: usize| tree.tag(at).is_some_and(HtmlTag::is_block);
        let is_holder = matches!(tree.tag(node)?, HtmlTag::P | HtmlTag::Div | HtmlTag::Li | HtmlTag::Dd);
        if !is_holder || tree.below(node).any(is_block) {
            return None;
        }
        let range = (node, tree.end(node));
        if let Some((sign, label)) = leading_sign(tree, self.source, node) {
            return Some(PlaceFacts { sign, label: vec![label], ..self.facts(range, false) });
        }
        let is_noted = self.part(node) == Some(SectionKind::Notes);
        is_noted.then(|| self.facts(range, false)).filter(|place| !place.sign.is_empty())
    }

    /// The possible note at a named element.
    pub fn at(&self, node: usize) -> Option<PlaceFacts> {
        let tree = self.tree;
        let above = || std::iter::once(node).chain(tree.ancestors(node).take(MAX_ANCESTORS));
        if let Some(typed) = above().find_map(|above| self.typed(above)) {
            return Some(typed);
        }
        if above().any(|above| tree.tag(above).is_some_and(HtmlTag::is_preformatted)) {
            return None;
        }
        let block = block_of(tree, node);
        let tag = tree.tag(block)?;
        let is_holder = matches!(
            tag,
            HtmlTag::Body
                | HtmlTag::Html
                | HtmlTag::Main
                | HtmlTag::Nav
                | HtmlTag::Ol
                | HtmlTag::Ul
                | HtmlTag::Dl
                | HtmlTag::Pre
                | HtmlTag::Figure
        );
        let is_late = block != node && !self.is_blank(block + 1..node);
        if is_holder || is_late || self.has_heading(block) {
            return None;
        }
        let start = if matches!(tag, HtmlTag::Td | HtmlTag::Th) { self.row_of(block)? } else { block };
        let range = (start, if tag == HtmlTag::Dt { self.end_of_term(block) } else { tree.end(start) });
        Some(self.facts(range, false))
    }

    fn facts(&self, range: (usize, usize), is_typed: bool) -> PlaceFacts {
        let (sign, label) = self.label(range);
        let has_formula = (range.0..range.1).any(|at| self.tree.tag(at) == Some(HtmlTag::Math));
        let part = self.part(range.0);
        let outer = self.outer(range.0);
        PlaceFacts {
            range,
            outer: outer.filter(|_| !is_typed).map(|outer| (outer, self.tree.end(outer))),
            following: if is_typed { Vec::new() } else { self.following(outer.unwrap_or(range.0)) },
            sign,
            label,
            is_typed,
            is_noted: is_typed || part == Some(SectionKind::Notes),
            is_source: part == Some(SectionKind::Sources),
            has_formula,
        }
    }

    fn is_typed(&self, node: usize) -> bool {
        has_word(
            &kind_of(self.tree, node),
            &["footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote"],
        )
    }

    /// The kind of section by the elements around, the nearest first; else by the heading above.
    fn part(&self, node: usize) -> Option<SectionKind> {
        let around = std::iter::once(node).chain(self.tree.ancestors(node)).take(MAX_ANCESTORS);
        let named = around.filter_map(|above| self.named_part(above)).next();
        let headed = self.parts.iter().rev().find(|(start, end, _)| (*start..*end).contains(&node));
        named.or(headed.map(|headed| headed.2))
    }

    fn named_part(&self, node: usize) -> Option<SectionKind> {
        let (kind, class) = (kind_of(self.tree, node), class_of(self.tree, node));
        let has = |names: &[&str]| names.iter().any(|name| class.contains(name));
        if ["biblio", "glossary", "doc-index"].iter().any(|name| kind.contains(name))
            || has(&["biblio", "bibitem", "citation", "csl-entry", "glossary"])
        {
            return Some(SectionKind::Sources);
        }
        let types = ["footnotes", "endnotes", "rearnotes", "doc-endnotes", "doc-footnotes"];
        let is_noted = has_word(&kind, &types) || has(&["footnote", "endnote", "rearnote"]);
        is_noted.then_some(SectionKind::Notes)
    }

    fn has_heading(&self, node: usize) -> bool {
        let is_heading = |at: usize| self.tree.tag(at).is_some_and(|tag| tag.heading_level().is_some());
        is_heading(node) || self.tree.below(node).any(is_heading)
    }

    /// True if there are no letters or digits.
    fn is_blank(&self, mut nodes: std::ops::Range<usize>) -> bool {
        !nodes.any(|at| {
            let node_text = self.tree.text(at);
            node_text.is_some_and(|node_text| node_text.resolve(self.source).contains(char::is_alphanumeric))
        })
    }

    /// The row whose first cell this is.
    fn row_of(&self, cell: usize) -> Option<usize> {
        let row = self.tree.parent(cell);
        (self.tree.tag(row) == Some(HtmlTag::Tr) && self.is_blank(row + 1..cell)).then_some(row)
    }

    /// The node after the definitions of a term.
    fn end_of_term(&self, term: usize) -> usize {
        let explains = |&at: &usize| self.tree.tag(at) != Some(HtmlTag::Dt);
        self.tree
            .following(term)
            .take_while(explains)
            .last()
            .map_or(self.tree.end(term), |last| self.tree.end(last))
    }

    /// The outermost element that contains one note by its class, or that is the note's list item.
    fn outer(&self, node: usize) -> Option<usize> {
        let mut found = None;
        let mut inner = node;
        for above in self.tree.ancestors(node).take(MAX_ANCESTORS) {
            let tag = self.tree.tag(above)?;
            let class = class_of(self.tree, above);
            let is_one = |word: &str| {
                ["footnote", "endnote", "rearnote", "fnote", "note", "fn"].contains(&word)
                    || ((word.contains("footnote") || word.contains("endnote"))
                        && !["notes", "list", "section", "block", "ref"]
                            .iter()
                            .any(|name| word.contains(name)))
            };
            let is_row = matches!(tag, HtmlTag::Td | HtmlTag::Tr | HtmlTag::Tbody | HtmlTag::Table);
            let is_note = tag == HtmlTag::Li || class.split_ascii_whitespace().any(is_one);
            if !self.is_blank(above + 1..inner) || !(is_note || is_row) || self.has_heading(above) {
                break;
            }
            inner = above;
            if is_note || tag == HtmlTag::Tr {
                found = Some(above);
            }
        }
        found
    }

    /// The blocks after a note, up to what must be something else.
    fn following(&self, node: usize) -> Vec<(usize, usize, bool)> {
        if !matches!(self.tree.tag(node), Some(HtmlTag::P | HtmlTag::Div | HtmlTag::Blockquote)) {
            return Vec::new();
        }
        let is_among = self
            .tree
            .ancestors(node)
            .take(MAX_ANCESTORS)
            .any(|above| self.named_part(above) == Some(SectionKind::Notes));
        let mut found = Vec::new();
        for at in self.tree.following(node).take(MAX_BLOCKS) {
            let Some(tag) = self.tree.tag(at) else { continue };
            let goes_on = matches!(
                tag,
                HtmlTag::P
                    | HtmlTag::Div
                    | HtmlTag::Blockquote
                    | HtmlTag::Ul
                    | HtmlTag::Ol
                    | HtmlTag::Dl
                    | HtmlTag::Pre
            );
            let end = self.tree.end(at);
            if !goes_on || self.has_heading(at) || !self.label((at, end)).0.is_empty() {
                break;
            }
            let class = class_of(self.tree, at);
            let is_named = is_among || ["note", "cont"].iter().any(|name| class.contains(name));
            found.push((at, end, is_named));
        }
        found
    }

    /// The sign at the start of a range, and the texts that it covers.
    fn label(&self, range: (usize, usize)) -> (String, Vec<(usize, usize)>) {
        let node_texts = || {
            let nodes = (range.0..range.1).take(MAX_SIGN_TEXTS * 2);
            nodes.filter_map(|at| Some((at, self.tree.text(at)?.resolve(self.source)))).take(MAX_SIGN_TEXTS)
        };
        let mut text = String::new();
        let mut ends = Vec::new();
        for (_, node_text) in node_texts() {
            if text.len() > 64 {
                break;
            }
            text.push_str(node_text);
            ends.push(text.len());
        }
        let Some(found) = NoteSign::leading(&text) else { return Default::default() };
        // A letter is a sign if it is separated: by a dot, a bracket or an element of its own.
        let is_letter = found.sign.chars().all(char::is_alphabetic);
        let is_apart =
            ends.iter().zip(node_texts()).any(|(end, _)| text[..*end].trim_end().ends_with(&found.sign));
        if is_letter && !found.is_closed && !is_apart {
            return Default::default();
        }
        let mut label = Vec::new();
        let mut start = 0;
        for ((node, node_text), end) in node_texts().zip(ends) {
            if start >= found.len {
                break;
            }
            label.push((node, node_text.len().min(found.len - start)));
            start = end;
        }
        (found.sign, label)
    }
}
