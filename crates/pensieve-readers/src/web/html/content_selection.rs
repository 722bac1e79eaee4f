//! Which nodes of a page are text.

use super::hidden::is_hidden;
use super::name_hints::{self, NameHints};
use super::prose::{PageTexts, ProseLengths, ProseMeasure};
use super::tag::HtmlTag;
use super::tree::PageTree;

/// Which nodes of a page are text.
#[derive(Debug)]
pub(super) struct ContentSelection {
    /// The roots of the text, in document order, not nested.
    pub roots: Vec<usize>,
    /// Nodes whose subtrees are left out.
    pub dropped: Vec<bool>,
    /// Words on buttons are text.
    pub keeps_controls: bool,
    /// Addresses inside sentences are left out.
    pub bare_links: bool,
    /// The page is a chapter: nothing is hidden, addresses inside the book are left out, words of drawings are text.
    pub is_chapter: bool,
}

impl ContentSelection {
    /// True if a node, with all below it, is left out.
    pub fn is_dropped(&self, node: usize) -> bool {
        self.dropped[node]
    }

    /// The whole body, as far as it is shown.
    pub fn whole(tree: &PageTree, source: &str) -> ContentSelection {
        let body = body(tree);
        let texts = PageTexts::read(tree, source, body);
        ContentSelection::shown(body, unseen(tree, &texts, &name_hints::all_hints(tree, source), body))
    }

    /// The whole body without the nodes that are not shown.
    pub fn shown(body: usize, unseen: Vec<bool>) -> ContentSelection {
        ContentSelection {
            roots: vec![body],
            dropped: unseen,
            keeps_controls: true,
            bare_links: false,
            is_chapter: false,
        }
    }

    /// The whole body of a chapter.
    pub fn chapter(tree: &PageTree) -> ContentSelection {
        let is_dropped =
            |node| tree.tag(node).is_some_and(|tag: HtmlTag| tag.is_never_text() && !tag.is_drawing());
        let dropped = (0..tree.len()).map(is_dropped).collect();
        let roots = vec![body(tree)];
        ContentSelection { roots, dropped, keeps_controls: true, bare_links: false, is_chapter: true }
    }
}

/// The element that contains the page.
pub(super) fn body(tree: &PageTree) -> usize {
    tree.find(0, HtmlTag::Body).unwrap_or(0)
}

/// A shorter `main` element does not say where the content is.
const MIN_MAIN_CHARS: f32 = 400.0;

/// A hidden part with more of the `main` element is shown later.
const MIN_REVEALED_SHARE: f32 = 0.8;

/// Nodes that are never shown. Pages that scripts reveal hide their text first: an element with most of the text, or
/// of the `main` element, does not count as hidden.
pub(super) fn unseen(tree: &PageTree, texts: &PageTexts, hints: &[NameHints], body: usize) -> Vec<bool> {
    let mut dropped = vec![false; tree.len()];
    for node in tree.below(body) {
        dropped[node] = tree.tag(node).is_some_and(HtmlTag::is_never_text);
    }
    let measures = texts.measure(tree, &dropped, ProseLengths::PARAGRAPHS);
    let all = measures[body].chars;
    let main = main_element(tree, &measures, body);
    let mut at = body + 1;
    while at < tree.end(body) {
        if let Some(tag) = tree.tag(at) {
            let is_small = measures[at].chars < all * 0.5
                && !main.is_some_and(|main| has_most_of(tree, &measures, at, main));
            let is_unseen = tag == HtmlTag::Noscript || is_hidden(tree, at, hints[at]) || hints[at].unseen;
            dropped[at] |= is_unseen && is_small;
        }
        at = if dropped[at] { tree.end(at) } else { at + 1 };
    }
    dropped
}

/// The `main` element, if it says where the content is.
fn main_element(tree: &PageTree, measures: &[ProseMeasure], body: usize) -> Option<usize> {
    let is_main =
        |&node: &usize| tree.tag(node) == Some(HtmlTag::Main) || tree.attribute(node, "role") == Some("main");
    tree.below(body).find(is_main).filter(|&main| measures[main].chars > MIN_MAIN_CHARS)
}

/// True if nearly all words of the `main` element are in another element.
fn has_most_of(tree: &PageTree, measures: &[ProseMeasure], node: usize, main: usize) -> bool {
    let is_around = node < main && main < tree.end(node);
    let is_part = main <= node && node < tree.end(main);
    is_around || is_part && measures[node].chars > measures[main].chars * MIN_REVEALED_SHARE
}
