//! What a page says of its links and its places, as far as notes are concerned: which links may be references, and what
//! the elements are that they might lead to.
//!
//! Owns the facts of one page; which of them make a note is decided where all pages of a book are known. A reference is
//! a link of few signs; a note is a paragraph, an item, a row or a part. Types are those of EPUB SSV and DPUB-ARIA.

mod label;
mod place;
mod section;
pub mod source;

pub use place::PlaceFacts;

use super::chapter;
use super::dialect::Dialect;
use super::parse;
use super::render::NEAR;
use super::tag::Tag;
use super::tree::Tree;
use label::{Sign, has_word};
use place::Places;
use std::collections::HashMap;

/// Characters of a link's words that are looked at.
const LONGEST_WORDS: usize = 40;

/// What a type or a class says of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LinkKind {
    /// Nothing.
    #[default]
    Plain,
    /// It refers to a note, says its type.
    Typed,
    /// It refers to a note, say its classes.
    Named,
    /// It leads back from a note.
    Back,
    /// It is something else: a source, a term, an entry of contents.
    Other,
}

/// A link inside the book.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkFacts {
    /// Its node.
    pub node: usize,
    /// The block that it stands in.
    pub block: usize,
    /// Where it leads, as it is written.
    pub href: String,
    /// What it says of itself.
    pub kind: LinkKind,
    /// It is raised, or holds what is.
    pub is_raised: bool,
    /// The bracket before its sign.
    pub bracket: Option<char>,
    /// No space parts it from the words before.
    pub is_attached: bool,
    /// The word before it names what it leads to: `Theorem`, `Eq.`
    pub is_cited: bool,
    /// Its block begins with it.
    pub is_leading: bool,
    /// The sign of a note that its words are; empty where they are none.
    pub sign: String,
    /// It says that it leads back: an arrow, `back`, `Return to text`.
    pub leads_back: bool,
}

impl LinkFacts {
    /// It is a reference by what it says and looks like, wherever it leads.
    pub fn claims(&self) -> bool {
        let is_told = matches!(self.kind, LinkKind::Typed | LinkKind::Named);
        let looks_so = self.kind == LinkKind::Plain && self.is_raised && self.is_attached;
        (is_told || looks_so) && !self.sign.is_empty()
    }

    /// Its sign is made of letters.
    pub fn is_letter(&self) -> bool {
        self.sign.chars().all(char::is_alphabetic) && !self.sign.is_empty()
    }

    /// It is an asterisk, a dagger or the like.
    pub fn is_star(&self) -> bool {
        !self.sign.is_empty() && !self.sign.contains(char::is_alphanumeric)
    }
}

/// An element with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// Its node.
    pub node: usize,
    /// The block that it is or stands in.
    pub block: usize,
}

/// The facts of a page.
#[derive(Debug, Clone, Default)]
pub struct PageFacts {
    /// Its links inside the book, in order.
    pub links: Vec<LinkFacts>,
    /// Every named element, and the block that it is or stands in; the body has no name.
    pub named: HashMap<String, Named>,
    /// What may be notes, by the names that they are known by.
    pub places: HashMap<String, PlaceFacts>,
    /// Notes by their own type, in order.
    pub typed: Vec<PlaceFacts>,
}

impl PageFacts {
    /// The facts of a page that is read as a chapter is.
    pub fn of_chapter(source: &str) -> PageFacts {
        let dialect = Dialect::of_chapter(source);
        let mut source = source.to_owned();
        chapter::blank_declarations(&mut source);
        let tree = parse::parse_as(&source, dialect);
        let places = Places::new(&tree, &source);
        let mut facts = PageFacts::default();
        let mut is_listed = 0;
        for node in 0..tree.len() {
            let Some(tag) = tree.tag(node) else { continue };
            if tag == Tag::Nav {
                is_listed = is_listed.max(tree.end(node));
            }
            if tag == Tag::A && tree.attribute(node, "href").is_some_and(is_inside) {
                let link = link_of(&tree, &source, node);
                let kind = if node < is_listed { LinkKind::Other } else { link.kind };
                facts.links.push(LinkFacts { kind, ..link });
            }
            if let Some(typed) = places.typed(node) {
                facts.typed.push(typed);
            }
            if tag == Tag::Body {
                facts.named.insert(String::new(), Named { node, block: node });
            }
            for name in names(&tree, node, tag) {
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

fn names(tree: &Tree, node: usize, tag: Tag) -> impl Iterator<Item = &str> {
    let names = [tree.attribute(node, "id"), tree.attribute(node, "name").filter(|_| tag == Tag::A)];
    names.into_iter().flatten()
}

/// The block that an element is, or stands in.
fn block_of(tree: &Tree, node: usize) -> usize {
    let is_block = |node: usize| tree.tag(node).is_some_and(Tag::is_block);
    if is_block(node) { node } else { tree.ancestors(node).find(|&above| is_block(above)).unwrap_or(0) }
}

/// `epub:type` and `role`.
fn kind_of(tree: &Tree, node: usize) -> String {
    let value = |name: &str| tree.attribute(node, name).unwrap_or_default();
    format!("{} {}", value("epub:type"), value("role"))
}

fn class_of(tree: &Tree, node: usize) -> String {
    tree.attribute(node, "class").unwrap_or_default().to_ascii_lowercase()
}

fn link_of(tree: &Tree, source: &str, node: usize) -> LinkFacts {
    let is_sup = |node: usize| tree.tag(node) == Some(Tag::Sup);
    let block = block_of(tree, node);
    let words = tree.text_below(node, source);
    let words: String = words.trim().chars().take(LONGEST_WORDS + 1).collect();
    let around = Around::of(tree, source, node, block);
    let sign = Sign::whole(&words);
    let own_bracket = words.chars().next().filter(|c| "[(".contains(*c));
    LinkFacts {
        node,
        block,
        href: tree.attribute(node, "href").unwrap_or_default().trim().to_owned(),
        kind: link_kind(tree, node),
        is_raised: tree.ancestors(node).take(3).any(is_sup)
            || tree.below(node).any(is_sup)
            || label::is_raised(&words),
        bracket: own_bracket.or(around.bracket),
        is_attached: around.is_attached,
        is_cited: around.is_cited,
        is_leading: around.is_leading,
        sign: sign.unwrap_or_default(),
        leads_back: label::leads_back(&words),
    }
}

fn link_kind(tree: &Tree, node: usize) -> LinkKind {
    let kind = kind_of(tree, node);
    if has_word(
        &kind,
        &["biblioref", "doc-biblioref", "glossref", "doc-glossref", "pagebreak", "doc-pagebreak"],
    ) {
        return LinkKind::Other;
    }
    if has_word(&kind, &["backlink", "doc-backlink"]) {
        return LinkKind::Back;
    }
    if has_word(&kind, &["noteref", "annoref", "doc-noteref"]) {
        return LinkKind::Typed;
    }
    let below = tree.below(node).take(4).map(|below| class_of(tree, below));
    let class = std::iter::once(class_of(tree, node)).chain(below).collect::<Vec<_>>().join(" ");
    let has = |names: &[&str]| names.iter().any(|name| class.contains(name));
    if has(&["back"]) {
        LinkKind::Back
    } else if has(&["citation", "biblio"]) {
        LinkKind::Other
    } else if has(&["noteref", "footnote", "endnote", "fnref", "fnanchor", "note-ref", "fn-ref"]) {
        LinkKind::Named
    } else {
        LinkKind::Plain
    }
}

/// What stands around a link in its block.
#[derive(Default)]
struct Around {
    bracket: Option<char>,
    is_attached: bool,
    is_cited: bool,
    is_leading: bool,
}

impl Around {
    fn of(tree: &Tree, source: &str, node: usize, block: usize) -> Around {
        let first = node.saturating_sub(NEAR).max(block);
        let before: String =
            (first..node).filter_map(|at| tree.piece(at)).map(|piece| piece.resolve(source)).collect();
        let behind = (tree.end(node)..tree.end(block)).take(3).find_map(|at| tree.piece(at));
        let is_closed = behind.is_some_and(|piece| piece.resolve(source).starts_with([']', ')']));
        let bracket = before.chars().next_back().filter(|c| is_closed && "[(".contains(*c));
        let words = if bracket.is_some() { &before[..before.len() - 1] } else { before.as_str() };
        Around {
            bracket,
            is_attached: words.chars().next_back().is_some_and(|c| !c.is_whitespace()),
            is_cited: label::names_a_kind(words),
            is_leading: first == block && !words.contains(char::is_alphanumeric),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, expected: &str) {
        let facts = PageFacts::of_chapter(page);
        let told: Vec<String> = facts
            .links
            .iter()
            .map(|link| {
                let said = [
                    (link.is_raised, "raised"),
                    (link.bracket.is_some(), "bracketed"),
                    (link.is_attached, "attached"),
                    (link.is_cited, "cited"),
                    (link.is_leading, "leading"),
                    (link.leads_back, "back"),
                ];
                let said: Vec<&str> = said.iter().filter(|said| said.0).map(|said| said.1).collect();
                format!("{:?} {} {}", link.kind, link.sign, said.join(" "))
            })
            .collect();
        assert_eq!(told.join("; "), expected, "of {page}");
    }

    #[test]
    fn links_are_told_by_what_is_around_them() {
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
}
