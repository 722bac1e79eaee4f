//! The facts of a page: its links, its named elements, and what may be a note.

use super::element::block_of;
use super::link::{LinkFacts, LinkKind, link_of};
use super::note_place::{NotePlaces, PlaceFacts};
use super::raised::{RaisedSign, raised_sign};
use crate::web::html::parse::dialect::PageDialect;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use crate::web::html::{chapter, parse};
use std::collections::HashMap;

/// An element with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named {
    /// Its node.
    pub node: usize,
    /// The block that it is, or that contains it.
    pub block: usize,
}

/// The facts of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageFacts {
    /// Its links inside the book, in order.
    pub links: Vec<LinkFacts>,
    /// Every named element with its block; the body has the empty name.
    pub named: HashMap<String, Named>,
    /// Possible notes, by the names of their elements.
    pub places: HashMap<String, PlaceFacts>,
    /// Notes that their own type declares, in order.
    pub typed: Vec<PlaceFacts>,
    /// Raised signs outside of links, in order.
    pub raised: Vec<RaisedSign>,
    /// Blocks after them that begin with such a sign, in order.
    pub signed: Vec<PlaceFacts>,
}

impl PageFacts {
    /// The facts of a page that is read like a chapter.
    pub fn of_chapter(source: &str) -> PageFacts {
        let dialect = PageDialect::of_chapter(source);
        let mut source = source.to_owned();
        // As the chapter itself is read, so that nodes have the same numbers.
        chapter::blank_declarations(&mut source);
        let tree = parse::parse_as(&source, dialect);
        let places = NotePlaces::new(&tree, &source);
        let mut facts = PageFacts::default();
        let mut is_listed = 0;
        for node in 0..tree.len() {
            let Some(tag) = tree.tag(node) else { continue };
            if tag == HtmlTag::Nav {
                is_listed = is_listed.max(tree.end(node));
            }
            if tag == HtmlTag::A && tree.attribute(node, "href").is_some_and(is_inside) {
                let link = link_of(&tree, &source, node);
                // Links of a table of contents are numbers as well: those of chapters and pages.
                let kind = if node < is_listed { LinkKind::Other } else { link.kind };
                facts.links.push(LinkFacts { kind, ..link });
            }
            if let Some(typed) = places.typed(node) {
                facts.typed.push(typed);
            }
            if tag == HtmlTag::Sup {
                facts.raised.extend(raised_sign(&tree, &source, node));
            // Notes stand after their references.
            } else if !facts.raised.is_empty() {
                facts.signed.extend(places.signed(node));
            }
            if tag == HtmlTag::Body {
                facts.named.insert(String::new(), Named { node, block: node });
            }
            for name in names(&tree, node, tag) {
                // Browsers go to the first of equal names.
                if facts.named.contains_key(name) {
                    continue;
                }
                facts.named.insert(name.to_owned(), Named { node, block: block_of(&tree, node) });
                if let Some(place) = places.at(node) {
                    facts.places.insert(name.to_owned(), place);
                }
            }
        }
        facts
    }
}

/// True for an address without a scheme.
fn is_inside(href: &str) -> bool {
    let scheme = href.split(['/', '#', '?']).next().unwrap_or_default();
    !scheme.contains(':') && href.contains(|c: char| !c.is_whitespace())
}

fn names(tree: &PageTree, node: usize, tag: HtmlTag) -> impl Iterator<Item = &str> {
    let names = [tree.attribute(node, "id"), tree.attribute(node, "name").filter(|_| tag == HtmlTag::A)];
    names.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, expected: &str) {
        let facts = PageFacts::of_chapter(page);
        let found: Vec<String> = facts
            .links
            .iter()
            .map(|link| {
                let traits = [
                    (link.is_raised, "raised"),
                    (link.bracket.is_some(), "bracketed"),
                    (link.is_attached, "attached"),
                    (link.is_cited, "cited"),
                    (link.is_leading, "leading"),
                    (link.leads_back, "back"),
                ];
                let traits: Vec<&str> = traits.iter().filter(|found| found.0).map(|found| found.1).collect();
                format!("{:?} {} {}", link.kind, link.sign, traits.join(" "))
            })
            .collect();
        assert_eq!(found.join("; "), expected, "of {page}");
    }

    #[test]
    fn links_are_found_by_what_is_around_them() {
        check("<p>x<a href='#n'><sup>1</sup></a>", "Plain 1 raised attached");
        check("<p>By Theorem <a href='#n'>(5)</a>", "Plain 5 bracketed cited");
        check("<p>x<sup>[<a href='#n' epub:type='noteref'>2</a>]</sup>", "Typed 2 raised bracketed attached");
        check("<p><a href='#r'>*</a> note <a href='#r'>Return to text</a>", "Plain * leading; Plain  back");
        check(
            "<p>see <a role='doc-biblioref' href='#b'>[2]</a><a href='http://x/#n'>1</a>",
            "Other 2 bracketed",
        );
        check(
            "<p>x<a class='fn-backref' href='#r'>1</a><a class='fnanchor' href='#n'>2</a>",
            "Back 1 attached; Named 2 attached",
        );
        check("<nav><a href='#n'>1</a></nav>", "Other 1 leading");
    }

    #[test]
    fn addresses_inside_the_book_have_no_scheme() {
        for (href, expected) in [
            ("#n", true),
            ("a.html", true),
            ("a.html#b:c", true),
            ("a/b:c", true),
            ("http://x/", false),
            ("mailto:a", false),
            ("", false),
            (" ", false),
        ] {
            assert_eq!(is_inside(href), expected, "of {href}");
        }
    }

    #[test]
    fn lists_of_links_are_no_references() {
        check("<nav><a href='#n'>1</a></nav><p>x<a href='#n'>2</a>", "Other 1 leading; Plain 2 attached");
        check(
            "<nav><nav><a href='#n'>1</a></nav><a href='#n'>2</a></nav>",
            "Other 1 leading; Other 2 attached",
        );
        check("<nav><a href='#n'>1</a></nav><a href='#n'>2</a>", "Other 1 leading; Plain 2 attached");
        check("<p>x<a>1</a><b href='#n'>2</b>", "");
    }

    #[test]
    fn names_lead_to_the_first_element_of_that_name() {
        let page =
            "<body><div id='a'>1<p id='b'>2<a name='c' id='d'>3</a></p></div><p id='a' name='e'>4</p></body>";
        let facts = PageFacts::of_chapter(page);
        let mut names: Vec<(&str, Named)> =
            facts.named.iter().map(|(name, &named)| (name.as_str(), named)).collect();
        names.sort_by_key(|(name, _)| *name);
        // Root, html, head, body, div, 1, p, 2, a.
        let named = |node: usize, block: usize| Named { node, block };
        let expected = [
            ("", named(3, 3)),
            ("a", named(4, 4)),
            ("b", named(6, 6)),
            ("c", named(8, 6)),
            ("d", named(8, 6)),
        ];
        assert_eq!(names, expected);
        let mut places: Vec<&str> = facts.places.keys().map(String::as_str).collect();
        places.sort_unstable();
        assert_eq!(places, ["a", "b"]);
    }

    #[test]
    fn raised_signs_and_typed_notes_are_found_in_order() {
        let facts = PageFacts::of_chapter(
            "<p>one<sup>1</sup> two<sup>2</sup></p><aside epub:type='footnote'>a</aside><aside epub:type='endnote'>b</aside>",
        );
        assert_eq!(facts.raised.iter().map(|raised| raised.sign.as_str()).collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!(facts.typed.iter().map(|place| place.range).collect::<Vec<_>>(), [(11, 13), (13, 15)]);
    }
}
