//! What in a chapter only leads through the book: contents inside the text, links to the next page. And titles of boxes,
//! which head nothing but their box.
//!
//! The contents of the book are written in front of it, with links that live. A list of the same links in the text would
//! be a list of bare words; it goes where it is called contents or navigation and nearly all its words are links
//! to what the contents lead to. An index, or a list with words of its own, stays.

use super::marks::{BookContext, has_word};
use super::render::Renderer;
use super::tag::Tag;

/// Classes and types of what leads through a book.
const NAMES: &[&str] = &[
    "toc",
    "doc-toc",
    "contents",
    "tableofcontents",
    "table-of-contents",
    "toctree-wrapper",
    "localtoc",
    "navigation",
    "related",
    "navheader",
    "navfooter",
    "page-list",
    "doc-pagelist",
    "landmarks",
];

/// Titles of contents, as books write them.
const TITLES: &[&str] = &[
    "contents",
    "table of contents",
    "inhalt",
    "inhaltsverzeichnis",
    "sommaire",
    "table des matières",
    "inhoud",
    "innehåll",
    "spis treści",
    "содержание",
    "оглавление",
    "目录",
    "目錄",
    "目次",
    "차례",
];

/// Classes of boxes.
const BOXES: &[&str] =
    &["admonition", "attention", "caution", "danger", "hint", "important", "note", "tip", "warning"];

/// A list that only a title calls contents has so many links at least.
const LINKS_OF_A_LIST: usize = 3;

/// So many letters of links stand for each other letter.
const LETTERS: usize = 10;

impl Renderer<'_> {
    /// True for what only leads through the book.
    pub(super) fn is_navigation(&self, node: usize, tag: Tag, marks: &BookContext<'_>) -> bool {
        let is_list = matches!(tag, Tag::Ul | Tag::Ol | Tag::Dl | Tag::Div | Tag::Table);
        if !is_list && !matches!(tag, Tag::Nav | Tag::Section | Tag::Aside | Tag::Header | Tag::Footer) {
            return false;
        }
        if has_word(&self.names_of(node), NAMES) {
            return self.leading_links(node, marks) > 0;
        }
        is_list && self.follows_title(node) && self.leading_links(node, marks) >= LINKS_OF_A_LIST
    }

    /// True for a title of contents above what goes.
    pub(super) fn is_title_of_navigation(&self, node: usize, tag: Tag, marks: &BookContext<'_>) -> bool {
        let mut following = self.tree.following(node).take(super::render::NEAR);
        tag.heading_level().is_some()
            && self.is_title(node)
            && following
                .find_map(|next| Some((next, self.tree.tag(next)?)))
                .is_some_and(|(next, tag)| self.is_navigation(next, tag, marks))
    }

    /// How many links there are to what the contents lead to; none where anything else stands among them.
    fn leading_links(&self, node: usize, marks: &BookContext<'_>) -> usize {
        let (mut links, mut inside, mut linked, mut other) = (0, node, 0, 0);
        let mut title = node;
        for below in self.tree.below(node) {
            match self.tree.tag(below) {
                Some(Tag::A) => {
                    if let Some(href) = self.tree.attribute(below, "href") {
                        if !(marks.leads)(href) {
                            return 0;
                        }
                        links += 1;
                        inside = self.tree.end(below);
                    }
                }
                Some(tag) if tag.heading_level().is_some() || self.is_titled(below) => {
                    title = self.tree.end(below);
                }
                Some(_) => {}
                None => {
                    let text = self.tree.piece(below).map_or("", |piece| piece.resolve(self.source));
                    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
                    match below {
                        _ if below < inside => linked += letters,
                        _ if below < title => {}
                        _ => other += letters,
                    }
                }
            }
        }
        if other * LETTERS <= linked { links } else { 0 }
    }

    fn is_titled(&self, node: usize) -> bool {
        let class = self.tree.attribute(node, "class").unwrap_or_default();
        has_word(class, &["title", "topic-title", "caption"])
    }

    /// True where the element before is a title of contents.
    fn follows_title(&self, node: usize) -> bool {
        let parent = self.tree.parent(node);
        let mut before = node;
        for _ in 0..super::render::NEAR {
            // The last node before a subtree belongs to the sibling before it.
            let mut at = before - 1;
            while at > parent && self.tree.parent(at) != parent {
                at = self.tree.parent(at);
            }
            if at <= parent {
                return false;
            }
            if self.tree.tag(at).is_some() {
                return self.is_title(at);
            }
            before = at;
        }
        false
    }

    fn is_title(&self, node: usize) -> bool {
        let short = self.tree.end(node) - node < super::render::NEAR;
        let words = || self.tree.text_below(node, self.source).to_lowercase();
        short
            && TITLES.contains(
                &words().split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches([':', '.']),
            )
    }

    /// Types, roles and classes.
    fn names_of(&self, node: usize) -> String {
        let value = |name: &str| self.tree.attribute(node, name).unwrap_or_default();
        format!("{} {} {}", value("epub:type"), value("role"), value("class"))
    }

    /// True for the title of a box, unless the contents lead to it: what follows the box does not stand below it.
    pub(super) fn is_title_of_box(&self, node: usize, tag: Tag) -> bool {
        let Some(marks) = self.book.filter(|_| tag.heading_level().is_some()) else { return false };
        let parent = self.tree.parent(node);
        let class = self.tree.attribute(parent, "class").unwrap_or_default();
        let is_first =
            || self.tree.children(parent).find(|&child| self.tree.tag(child).is_some()) == Some(node);
        let is_target = |node: usize| self.tree.attribute(node, "id").is_some_and(|id| (marks.is_target)(id));
        has_word(class, BOXES) && is_first() && !is_target(node) && !is_target(parent)
    }
}
