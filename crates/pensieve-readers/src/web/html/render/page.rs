//! A parsed page as input of the rendering rules: its tree, its source, the selection of its text, and the
//! annotations from its book.

use crate::markdown::SourceText;
use crate::web::html::annotations::BookContext;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use crate::web::html::visibility::content_selection::ContentSelection;

/// How many nodes around a link or a picture are searched for words.
// Words of one sentence are nearer, and a page of many links is not walked through for each.
pub(crate) const NEAR_NODES: usize = 30;

/// A page that is rendered.
#[derive(Clone, Copy)]
pub(crate) struct ParsedPage<'a> {
    tree: &'a PageTree,
    source: &'a str,
    selection: &'a ContentSelection,
    book: Option<&'a BookContext<'a>>,
    is_chapter: bool,
}

impl<'a> ParsedPage<'a> {
    pub fn new(tree: &'a PageTree, source: &'a str, selection: &'a ContentSelection) -> ParsedPage<'a> {
        ParsedPage { tree, source, selection, book: None, is_chapter: false }
    }

    /// The same page as a part of a book, with the annotations from there.
    pub fn with_book(self, book: Option<&'a BookContext<'a>>) -> ParsedPage<'a> {
        ParsedPage { book, is_chapter: true, ..self }
    }

    /// True for a part of a book.
    pub fn is_chapter(self) -> bool {
        self.is_chapter
    }

    pub fn tree(self) -> &'a PageTree {
        self.tree
    }

    pub fn source(self) -> &'a str {
        self.source
    }

    pub fn selection(self) -> &'a ContentSelection {
        self.selection
    }

    pub fn book(self) -> Option<&'a BookContext<'a>> {
        self.book
    }

    pub fn tag(self, node: usize) -> Option<HtmlTag> {
        self.tree.tag(node)
    }

    pub fn end(self, node: usize) -> usize {
        self.tree.end(node)
    }

    pub fn attribute(self, node: usize, name: &str) -> Option<&'a str> {
        self.tree.attribute(node, name)
    }

    /// The text of a text node, with its place.
    pub fn text(self, node: usize) -> Option<&'a SourceText> {
        self.tree.text(node)
    }

    /// The words of a text node.
    pub fn words(self, node: usize) -> Option<&'a str> {
        self.text(node).map(|text| text.resolve(self.source))
    }

    /// True for text that is not blank.
    pub fn has_words(self, node: usize) -> bool {
        self.words(node).is_some_and(|words| !words.trim().is_empty())
    }

    /// All words below a node.
    pub fn words_below(self, node: usize) -> String {
        self.tree.text_below(node, self.source)
    }

    /// True if a node, with all below it, is left out.
    pub fn is_dropped(self, node: usize) -> bool {
        self.selection.is_dropped(node)
    }

    /// `epub:type` and `role`; empty if there is neither.
    pub fn types_of(self, node: usize) -> String {
        let value = |name: &str| self.attribute(node, name).unwrap_or_default();
        let (kind, role) = (value("epub:type"), value("role"));
        if kind.is_empty() && role.is_empty() { String::new() } else { format!("{kind} {role}") }
    }

    /// True if a note of the book starts at a node.
    pub fn is_note(self, node: usize) -> bool {
        self.book.is_some_and(|book| book.page.notes.contains_key(&node))
    }

    /// True for a reference to a note of the book.
    pub fn is_reference(self, node: usize) -> bool {
        self.book.is_some_and(|book| book.page.references.contains_key(&node))
    }

    /// True for an element with blocks inside.
    pub fn holds_blocks(self, node: usize) -> bool {
        self.tree.below(node).any(|below| self.tag(below).is_some_and(HtmlTag::is_block))
    }

    /// True for a text that white space or the end of its line follows.
    pub fn is_before_space(self, node: usize) -> bool {
        let begins_line = |tag: HtmlTag| tag == HtmlTag::Br || tag.is_block();
        let next = node + 1;
        self.block_around(node).is_some_and(|block| self.end(block) == next)
            || next < self.tree.len() && self.tag(next).is_some_and(begins_line)
            || next < self.tree.len()
                && self.words(next).is_some_and(|words| words.starts_with(char::is_whitespace))
    }

    /// The block that contains an element or a text.
    pub fn block_around(self, node: usize) -> Option<usize> {
        self.tree.ancestors(node).find(|&above| self.tag(above).is_some_and(HtmlTag::is_block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;

    #[test]
    fn white_space_or_the_end_of_a_line_follows_a_text() {
        for (page, expected) in [
            ("<p>a", true),
            ("<p>a</p>b", true),
            ("<p>a<br>b", true),
            ("<p>a&#32;b", true),
            ("<div>a<p>b", true),
            ("<p>a&amp;b", false),
            ("<p>a<b>b", false),
            ("<p>a<b> b", false),
            ("<p><b>a</b></p>b", true),
            ("<p><b>a</b>b", false),
            ("<p><b>a</b> b", true),
        ] {
            let tree = parse(page, false);
            let selection = ContentSelection::chapter(&tree, page, &[]);
            let parsed = ParsedPage::new(&tree, page, &selection);
            let node = (0..tree.len()).find(|&node| parsed.words(node) == Some("a")).unwrap();
            assert_eq!(parsed.is_before_space(node), expected, "of {page}");
        }
    }

    #[test]
    fn types_are_those_of_books_and_roles() {
        for (attributes, expected) in [
            ("", ""),
            ("epub:type=toc", "toc "),
            ("role=doc-toc", " doc-toc"),
            ("epub:type='a b' role=c", "a b c"),
        ] {
            let page = format!("<p {attributes}>a");
            let tree = parse(&page, false);
            let selection = ContentSelection::chapter(&tree, &page, &[]);
            let node = tree.find(0, HtmlTag::P).unwrap();
            assert_eq!(ParsedPage::new(&tree, &page, &selection).types_of(node), expected);
        }
    }

    #[test]
    fn words_and_blocks_of_nodes_are_found() {
        let page = "<div>a<p>b<b> </b></p></div>";
        let tree = parse(page, false);
        let selection = ContentSelection::chapter(&tree, page, &[]);
        let parsed = ParsedPage::new(&tree, page, &selection);
        let [div, p, b] = [HtmlTag::Div, HtmlTag::P, HtmlTag::B].map(|tag| tree.find(0, tag).unwrap());
        assert_eq!(
            [div + 1, p + 1, b + 1, p].map(|node| parsed.words(node)),
            [Some("a"), Some("b"), Some(" "), None]
        );
        assert_eq!([div + 1, b + 1, b].map(|node| parsed.has_words(node)), [true, false, false]);
        assert_eq!([div, p].map(|node| parsed.holds_blocks(node)), [true, false]);
        assert_eq!([p, b, b + 1].map(|node| parsed.block_around(node)), [Some(div), Some(p), Some(p)]);
        assert!(parsed.with_book(None).is_chapter() && !parsed.is_chapter());
        assert!(!parsed.is_note(p) && !parsed.is_reference(p));
    }
}
