//! Finds navigation in a chapter: tables of contents inside the text, links to the next page. Also finds titles of
//! boxes, which are headings of their box only.
//!
//! The table of contents is written at the start of the book, with working links. A list of the same links in the
//! text would be a list of plain words. It is left out if it is called contents or navigation and nearly all its
//! words are links to targets of the table of contents. An index, or a list with words of its own, stays.

use super::page::{NEAR_NODES, ParsedPage};
use crate::web::html::annotations::BookContext;
use crate::web::html::parse::attributes::has_word;
use crate::web::html::parse::tag::HtmlTag;

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
// One or two links below such a title may be references.
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
    // A heading further down is one of the box's text.
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
        // With a name one link is enough.
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
                    // One link that leads elsewhere makes it a list of the text.
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
                    // Titles of lists are no words of theirs.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::HtmlOptions;
    use crate::web::html::annotations::PageAnnotations;
    use crate::web::html::chapter::read_annotated;
    use crate::web::html::chapter::tests::decoded;

    /// The text of a chapter of a book whose contents lead to addresses that begin with `in`, and to `target`.
    #[track_caller]
    fn check(page: &str, expected: &str) {
        let annotations = PageAnnotations::default();
        let book = BookContext {
            page: &annotations,
            has_entry_into: &|href| href.starts_with("in"),
            is_target: &|id| id == "target",
        };
        let options = HtmlOptions { markdown: true, main_content: false };
        let text = read_annotated(decoded(page), &options, &[], Some(&book)).text.text;
        assert_eq!(text.trim_end(), expected, "of {page}");
    }

    /// If a part between two paragraphs is left out.
    #[track_caller]
    fn check_part(part: &str, expected: &str) {
        let between = if expected.is_empty() { String::new() } else { format!("{expected}\n\n") };
        check(&format!("<p>A</p>{part}<p>Z</p>"), &format!("A\n\n{between}Z"));
    }

    fn link(letters: usize) -> String {
        format!("<a href='in'>{}</a>", "x".repeat(letters))
    }

    #[test]
    fn lists_of_places_are_left_out_by_their_type() {
        check_part("<nav epub:type='toc'><p>Words</p></nav>", "");
        check_part("<nav role='doc-pagelist'><p>Words</p></nav>", "");
        check_part("<nav epub:type='x landmarks'><p>Words</p></nav>", "");
        check_part("<nav epub:type='index'><p>Words</p></nav>", "Words");
        check_part("<nav><p>Words</p></nav>", "Words");
        check_part("<div epub:type='toc'><p>Words</p></div>", "Words");
    }

    #[test]
    fn what_is_named_navigation_has_links_into_the_contents() {
        for tag in ["ul", "ol", "dl", "div", "nav", "section", "aside", "header", "footer"] {
            check_part(&format!("<{tag} class='toc'>{}</{tag}>", link(4)), "");
        }
        check_part(&format!("<table class='toc'><tr><td>{}</td></tr></table>", link(4)), "");
        check_part(&format!("<p class='toc'>{}</p>", link(4)), "xxxx");
        check_part(&format!("<div class='other'>{}</div>", link(4)), "xxxx");
        check_part(&format!("<div epub:type='doc-toc'>{}</div>", link(4)), "");
        check_part(&format!("<div role='doc-toc'>{}</div>", link(4)), "");
        check_part("<div class='toc'>Words</div>", "Words");
        check_part("<div class='toc'><a>Words</a></div>", "Words");
        check_part("<div class='toc'><a href='out'>Words</a></div>", "Words");
        check_part(&format!("<div class='toc'>{} <a href='out'>y</a></div>", link(4)), "xxxx y");
    }

    #[test]
    fn nearly_all_words_of_navigation_are_links() {
        let part = |inside: &str| format!("<div class='toc'>{inside}</div>");
        check_part(&part(&format!("{} yy 12", link(20))), "");
        check_part(&part(&format!("{} yyy", link(20))), &format!("{} yyy", "x".repeat(20)));
        check_part(&part(&format!("yyy {}", link(20))), &format!("yyy {}", "x".repeat(20)));
        check_part(&part(&format!("<h2>Words of a title</h2>{}", link(4))), "");
        check_part(&part(&format!("<p class='title'>Words</p>{}", link(4))), "");
        check_part(&part(&format!("<p class='lead'>Words</p>{}", link(4))), "Words\n\nxxxx");
        check_part(&part(&format!("<h2>Words</h2>and {}", link(4))), "## Words\n\nand xxxx");
        check_part(&part(&format!("<h2><b>{}</b></h2>yy", link(20))), "");
        check_part(&part(&format!("{}yy{}", link(10), link(10))), "");
        check_part(&part(&format!("{}yyy{}", link(10), link(10))), &format!("{0}yyy{0}", "x".repeat(10)));
    }

    #[test]
    fn a_list_below_the_title_of_contents_is_navigation() {
        let list = |tag: &str, links: usize| {
            format!("<{tag}>{}</{tag}>", format!("<li>{}</li>", link(4)).repeat(links))
        };
        let items = |count: usize| vec!["- xxxx"; count].join("\n");
        check_part(&format!("<h2>Contents</h2>{}", list("ul", 3)), "");
        check_part(&format!("<h2>TABLE of\n Contents:</h2> {}", list("ul", 3)), "");
        check_part(&format!("<p>Contents.</p>{}", list("ul", 3)), "Contents.");
        check_part(&format!("<div><p><b>Contents</b></p></div>{}", list("ul", 3)), "**Contents**");
        check_part(&format!("<h2>Contents</h2>{}", list("ul", 2)), &format!("## Contents\n\n{}", items(2)));
        check_part(&format!("<h2>Chapters</h2>{}", list("ul", 3)), &format!("## Chapters\n\n{}", items(3)));
        check_part(
            &format!("<h2>Contents</h2><p>Words</p>{}", list("ul", 3)),
            &format!("## Contents\n\nWords\n\n{}", items(3)),
        );
        check_part(&format!("<div>{}</div>", list("ul", 3)), &items(3));
        check_part(
            &format!("<h2>Contents</h2>{}", list("ul", 3).replace("'in'", "'out'")),
            &format!("## Contents\n\n{}", items(3)),
        );
        // A section is none, and its title stays.
        check_part(
            &format!("<h2>Contents</h2><section>{0}{0}{0}</section>", link(4)),
            "## Contents\n\nxxxxxxxxxxxx",
        );
        let wrapped = |count: usize| format!("<h2>{}Contents</h2>{}", "<b></b>".repeat(count), list("ul", 3));
        check_part(&wrapped(NEAR_NODES - 3), "");
        check_part(&wrapped(NEAR_NODES - 2), &format!("## Contents\n\n{}", items(3)));
    }

    #[test]
    fn titles_of_boxes_are_strong() {
        let boxed = |class: &str, before: &str, id: &str| {
            format!("<div class='{class}'>{before}<h3 id='{id}'>Title</h3><p>x</p></div>")
        };
        check(&boxed("note", " ", "a"), "**Title**\n\nx");
        check(&boxed("x warning", "", "a"), "**Title**\n\nx");
        check(&boxed("notes", "", "a"), "### Title\n\nx");
        check(&boxed("note", "<p>y</p>", "a"), "y\n\n### Title\n\nx");
        check(&boxed("note", "", "target"), "### Title\n\nx");
        check(&boxed("note", "", "a").replacen("<div", "<div id='target'", 1), "### Title\n\nx");
        check(&boxed("note", "", "a").replace("h3", "p"), "Title\n\nx");
        crate::web::html::chapter::tests::check(&boxed("note", "", "a"), "### Title\n\nx");
    }
}
