//! Links inside a book: which may be references to notes, by their words and what surrounds them.

use super::element::{block_of, class_of, kind_of};
use super::note_sign::{self, MAX_LINK_CHARS, NoteSign};
use crate::web::html::parse::attributes::has_word;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use crate::web::html::render::page::NEAR_NODES;

/// The kind of a link by its type or class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LinkKind {
    /// Nothing.
    #[default]
    Plain,
    /// A reference to a note, by its type.
    Typed,
    /// A reference to a note, by its classes.
    Named,
    /// A link back from a note.
    Back,
    /// Something else: a source, a term, a table of contents entry.
    Other,
}

/// A link inside the book.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LinkFacts {
    /// Its node.
    pub node: usize,
    /// The block that contains it.
    pub block: usize,
    /// Its address, as it is written.
    pub href: String,
    /// Its kind by its type or class.
    pub kind: LinkKind,
    /// It is a superscript, or contains one.
    pub is_raised: bool,
    /// The bracket before its sign.
    pub bracket: Option<char>,
    /// No space separates it from the words before.
    pub is_attached: bool,
    /// The word before it names the kind of its target: `Theorem`, `Eq.`
    pub is_cited: bool,
    /// Its block begins with it.
    pub is_leading: bool,
    /// Its words as the sign of a note; empty if they are not one.
    pub sign: String,
    /// Its words say that it is a link back: an arrow, `back`, `Return to text`.
    pub leads_back: bool,
}

impl LinkFacts {
    /// It is a reference by its words and its look, whatever its target is.
    pub fn looks_like_reference(&self) -> bool {
        let is_named = matches!(self.kind, LinkKind::Typed | LinkKind::Named);
        let looks_so = self.kind == LinkKind::Plain && self.is_raised && self.is_attached;
        (is_named || looks_so) && !self.sign.is_empty()
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

pub(super) fn link_of(tree: &PageTree, source: &str, node: usize) -> LinkFacts {
    let is_sup = |node: usize| tree.tag(node) == Some(HtmlTag::Sup);
    let block = block_of(tree, node);
    let words = tree.text_below(node, source);
    // One more shows that it is too long.
    let words: String = words.trim().chars().take(MAX_LINK_CHARS + 1).collect();
    let around = LinkSurroundings::of(tree, source, node, block);
    let sign = NoteSign::whole(&words);
    let own_bracket = words.chars().next().filter(|c| "[(".contains(*c));
    LinkFacts {
        node,
        block,
        href: tree.attribute(node, "href").unwrap_or_default().trim().to_owned(),
        kind: link_kind(tree, node),
        // A span or two may be between.
        is_raised: tree.ancestors(node).take(3).any(is_sup)
            || tree.below(node).any(is_sup)
            || note_sign::is_superscript(&words),
        bracket: own_bracket.or(around.bracket),
        is_attached: around.is_attached,
        is_cited: around.is_cited,
        is_leading: around.is_leading,
        sign: sign.unwrap_or_default(),
        leads_back: note_sign::leads_back(&words),
    }
}

fn link_kind(tree: &PageTree, node: usize) -> LinkKind {
    let kind = kind_of(tree, node);
    if has_word(
        &kind,
        &["biblioref", "doc-biblioref", "glossref", "doc-glossref", "pagebreak", "doc-pagebreak"],
    ) {
        return LinkKind::Other;
    }
    // Types say what a link is; classes say how it looks, and come after.
    if has_word(&kind, &["backlink", "doc-backlink"]) {
        return LinkKind::Back;
    }
    if has_word(&kind, &["noteref", "annoref", "doc-noteref"]) {
        return LinkKind::Typed;
    }
    let below = tree.below(node).take(4).map(|below| class_of(tree, below));
    let class = std::iter::once(class_of(tree, node)).chain(below).collect::<Vec<_>>().join(" ");
    let has = |names: &[&str]| names.iter().any(|name| class.contains(name));
    // `footnote-backref` has both words.
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

/// What surrounds a link in its block.
#[derive(Default)]
struct LinkSurroundings {
    bracket: Option<char>,
    is_attached: bool,
    is_cited: bool,
    is_leading: bool,
}

impl LinkSurroundings {
    fn of(tree: &PageTree, source: &str, node: usize, block: usize) -> LinkSurroundings {
        let first = node.saturating_sub(NEAR_NODES).max(block);
        let before: String =
            (first..node).filter_map(|at| tree.text(at)).map(|node_text| node_text.resolve(source)).collect();
        let after = (tree.end(node)..tree.end(block)).take(3).find_map(|at| tree.text(at));
        // A bracket that more than the link is in, is one of the sentence.
        let is_closed = after.is_some_and(|node_text| node_text.resolve(source).starts_with([']', ')']));
        let bracket = before.chars().next_back().filter(|c| is_closed && "[(".contains(*c));
        let words = if bracket.is_some() { &before[..before.len() - 1] } else { before.as_str() };
        LinkSurroundings {
            bracket,
            is_attached: words.chars().next_back().is_some_and(|c| !c.is_whitespace()),
            is_cited: note_sign::names_a_kind(words),
            is_leading: first == block && !words.contains(char::is_alphanumeric),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;

    /// The first link of a page.
    fn link(page: &str) -> LinkFacts {
        let tree = parse(page, false);
        let node = tree.find(0, HtmlTag::A).unwrap();
        link_of(&tree, page, node)
    }

    #[test]
    fn types_and_classes_name_the_kind_of_a_link() {
        use LinkKind::{Back, Named, Other, Plain, Typed};
        for (attributes, expected) in [
            ("", Plain),
            ("epub:type=noteref", Typed),
            ("role=doc-noteref", Typed),
            ("epub:type='x annoref'", Typed),
            ("role=doc-backlink", Back),
            ("epub:type=backlink", Back),
            ("epub:type=biblioref", Other),
            ("role=doc-glossref class=footnote", Other),
            ("epub:type=pagebreak", Other),
            ("class=footnote-back", Back),
            ("class=Citation", Other),
            ("class='x fnref'", Named),
            ("class=note", Plain),
        ] {
            assert_eq!(link(&format!("<p>x<a href=#n {attributes}>1</a>")).kind, expected, "{attributes}");
        }
        assert_eq!(link("<p>x<a href=#n><b><i class=noteref>1</i></b></a>").kind, Named);
        assert_eq!(link("<p>x<a href=#n><b><i><u><s><q class=noteref>1").kind, Plain);
    }

    #[test]
    fn what_surrounds_a_link_belongs_to_it() {
        /// Bracket, attached, cited, leading, raised.
        type Surroundings = (Option<char>, bool, bool, bool, bool);
        let check = |page: &str, expected: Surroundings| {
            let LinkFacts { bracket, is_attached, is_cited, is_leading, is_raised, .. } = link(page);
            assert_eq!((bracket, is_attached, is_cited, is_leading, is_raised), expected, "of {page}");
        };
        check("<p>word<a href=#n>1</a>", (None, true, false, false, false));
        check("<p>word <a href=#n>1</a>", (None, false, false, false, false));
        check("<p><a href=#n>1</a> word", (None, false, false, true, false));
        check("<p>«<a href=#n>1</a> word", (None, true, false, true, false));
        check("<p>word[<a href=#n>1</a>]", (Some('['), true, false, false, false));
        check("<p>word [<a href=#n>1</a>]", (Some('['), false, false, false, false));
        check("<p>word(<a href=#n>1</a> and", (None, true, false, false, false));
        check("<p>word <a href=#n>[1]</a>", (Some('['), false, false, false, false));
        check("<p>word <a href=#n>(1)</a>", (Some('('), false, false, false, false));
        check("<p>see Table (<a href=#n>1</a>)", (Some('('), false, true, false, false));
        check("<p>word<sup><a href=#n>1</a></sup>", (None, true, false, false, true));
        check("<p>word<a href=#n><b><sup>1</sup></b></a>", (None, true, false, false, true));
        check("<p>word<a href=#n>¹</a>", (None, true, false, false, true));
        check("<p>word<sup><b><i><u><a href=#n>1</a>", (None, true, false, false, false));
        check("<p>word<p><a href=#n>1</a>", (None, false, false, true, false));
        let far = "<b></b>".repeat(NEAR_NODES);
        check(&format!("<p>word{far}<a href=#n>1</a>"), (None, false, false, false, false));
    }

    #[test]
    fn links_look_like_references_by_their_words() {
        let facts = |sign: &str, kind: LinkKind, is_raised: bool, is_attached: bool| LinkFacts {
            sign: sign.to_owned(),
            kind,
            is_raised,
            is_attached,
            ..LinkFacts::default()
        };
        use LinkKind::{Back, Named, Other, Plain, Typed};
        for (link, expected) in [
            (facts("1", Typed, false, false), true),
            (facts("1", Named, false, false), true),
            (facts("", Typed, true, true), false),
            (facts("1", Plain, true, true), true),
            (facts("1", Plain, true, false), false),
            (facts("1", Plain, false, true), false),
            (facts("", Plain, true, true), false),
            (facts("1", Other, true, true), false),
            (facts("1", Back, true, true), false),
        ] {
            assert_eq!(link.looks_like_reference(), expected, "of {link:?}");
        }
        for (sign, is_letter, is_star) in [
            ("a", true, false),
            ("1", false, false),
            ("a1", false, false),
            ("*", false, true),
            ("", false, false),
        ] {
            let link = facts(sign, Plain, false, false);
            assert_eq!((link.is_letter(), link.is_star()), (is_letter, is_star), "of {sign}");
        }
        let found = link("<p>x<a href=' #n '> 12. </a>");
        assert_eq!((found.href.as_str(), found.sign.as_str(), found.leads_back), ("#n", "12", false));
        let back = link("<p><a href=#n>back</a>");
        assert_eq!((back.sign.as_str(), back.leads_back), ("", true));
        let back = |letters: usize| link(&format!("<p><a href=#n>Back {}</a>", "x".repeat(letters)));
        assert!(back(MAX_LINK_CHARS - 5).leads_back && !back(MAX_LINK_CHARS - 4).leads_back);
        let long = link(&format!("<p><a href=#n>{}</a>", "↑".repeat(50)));
        assert!(long.leads_back && long.sign.is_empty());
    }
}
