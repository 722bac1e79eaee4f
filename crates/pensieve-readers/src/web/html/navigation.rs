//! Finds navigation in a chapter: tables of contents inside the text, links to the next page. Also finds titles of
//! boxes, which are headings of their box only.
//!
//! The table of contents is written at the start of the book, with working links. A list of the same links in the
//! text would be a list of plain words. It is left out if it is called contents or navigation and nearly all its
//! words are links to targets of the table of contents. An index, or a list with words of its own, stays.

use super::annotations::BookContext;
use super::attributes::has_word;
use super::page::{NEAR_NODES, ParsedPage};
use super::tag::HtmlTag;

/// Classes and types of navigation in a book.
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

/// The least number of links in a list that only its title calls contents.
const MIN_LINKS: usize = 3;

/// How many letters of links there must be for each other letter.
const LINKED_LETTERS: usize = 10;

/// Types of lists that are written before the text, or whose targets are not in it: lists of pages, landmarks.
const LISTS: &[&str] = &["toc", "page-list", "landmarks", "doc-toc", "doc-pagelist"];

/// True for a table of contents, a list of pages or of landmarks.
pub(super) fn is_list_of_places(page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> bool {
    tag == HtmlTag::Nav && page.book().is_some() && has_word(&page.types_of(node), LISTS)
}

/// True for an element that is only navigation, and for its title.
pub(super) fn is_navigation_or_title(page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> bool {
    page.book().is_some_and(|book| {
        is_navigation(page, node, tag, book) || is_title_of_navigation(page, node, tag, book)
    })
}

/// True for the title of a box, unless the table of contents links to it: it is not the heading of what follows the
/// box.
pub(super) fn is_title_of_box(page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> bool {
    let Some(book) = page.book().filter(|_| tag.heading_level().is_some()) else { return false };
    let parent = page.tree().parent(node);
    let class = page.attribute(parent, "class").unwrap_or_default();
    let is_first = || page.tree().children(parent).find(|&child| page.tag(child).is_some()) == Some(node);
    let is_target = |node: usize| page.attribute(node, "id").is_some_and(|id| (book.is_target)(id));
    has_word(class, BOXES) && is_first() && !is_target(node) && !is_target(parent)
}

fn is_navigation(page: ParsedPage<'_>, node: usize, tag: HtmlTag, book: &BookContext<'_>) -> bool {
    use HtmlTag::{Aside, Div, Dl, Footer, Header, Nav, Ol, Section, Table, Ul};
    let is_list = matches!(tag, Ul | Ol | Dl | Div | Table);
    if !is_list && !matches!(tag, Nav | Section | Aside | Header | Footer) {
        return false;
    }
    let class = page.attribute(node, "class").unwrap_or_default();
    if has_word(&page.types_of(node), NAMES) || has_word(class, NAMES) {
        return count_toc_links(page, node, book) > 0;
    }
    is_list && follows_title(page, node) && count_toc_links(page, node, book) >= MIN_LINKS
}

/// True for the title of a table of contents that is left out.
fn is_title_of_navigation(page: ParsedPage<'_>, node: usize, tag: HtmlTag, book: &BookContext<'_>) -> bool {
    let mut following = page.tree().following(node).take(NEAR_NODES);
    tag.heading_level().is_some()
        && is_title(page, node)
        && following
            .find_map(|next| Some((next, page.tag(next)?)))
            .is_some_and(|(next, tag)| is_navigation(page, next, tag, book))
}

/// How many links there are to targets of the table of contents; 0 if there are other links, or too many other words,
/// among them.
fn count_toc_links(page: ParsedPage<'_>, node: usize, book: &BookContext<'_>) -> usize {
    let (mut links, mut link_end, mut linked, mut other) = (0, node, 0, 0);
    let mut title_end = node;
    for below in page.tree().below(node) {
        match page.tag(below) {
            Some(HtmlTag::A) => {
                if let Some(href) = page.attribute(below, "href") {
                    if !(book.has_entry_into)(href) {
                        return 0;
                    }
                    links += 1;
                    link_end = page.end(below);
                }
            }
            Some(tag) if tag.heading_level().is_some() || is_titled(page, below) => {
                title_end = page.end(below);
            }
            Some(_) => {}
            None => {
                let words = page.words(below).unwrap_or_default();
                let letters = words.chars().filter(|c| c.is_alphabetic()).count();
                match below {
                    _ if below < link_end => linked += letters,
                    _ if below < title_end => {}
                    _ => other += letters,
                }
            }
        }
    }
    if other * LINKED_LETTERS <= linked { links } else { 0 }
}

fn is_titled(page: ParsedPage<'_>, node: usize) -> bool {
    let class = page.attribute(node, "class").unwrap_or_default();
    has_word(class, &["title", "topic-title", "caption"])
}

/// True if the element before is the title of a table of contents.
fn follows_title(page: ParsedPage<'_>, node: usize) -> bool {
    let tree = page.tree();
    let parent = tree.parent(node);
    let mut before = node;
    for _ in 0..NEAR_NODES {
        // The last node before a subtree belongs to its previous sibling.
        let mut at = before - 1;
        while at > parent && tree.parent(at) != parent {
            at = tree.parent(at);
        }
        if at <= parent {
            return false;
        }
        if page.tag(at).is_some() {
            return is_title(page, at);
        }
        before = at;
    }
    false
}

fn is_title(page: ParsedPage<'_>, node: usize) -> bool {
    let words = || page.words_below(node).to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    page.end(node) - node < NEAR_NODES && TITLES.contains(&words().trim_end_matches([':', '.']))
}
