//! Pages without one element that holds their text: short ones, tables, lists of cards.
//!
//! Measures of prose say nothing there, because the words are links and fragments. What elements and names say about
//! menus, page headers and footers still holds.

use super::boilerplate::BoilerplateKind;
use super::{ContentName, ContentSearch};
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::visibility::content_selection::ContentSelection;

/// A part with a larger share of all words is no furniture.
// At .3 one page loses .60; at 1 nothing gains.
const MAX_FURNITURE_SHARE: f32 = 0.6;

/// If fewer characters, or a smaller share, are left, nothing is left out.
// Of a page that is one word or one link nothing may go.
// At 400 one page keeps its menus and loses .44.
const MIN_CHARS: f32 = 40.0;
// At .3 eight pages keep their menus and lose up to .76.
const MIN_SHARE: f32 = 0.05;

/// Beside a menu of links so many characters outside of links are the content: a sentence.
const MIN_SENTENCE_CHARS: f32 = 16.0;

/// The least share of links in a menu; its title and separators are no links.
const MIN_MENU_LINKS: f32 = 0.85;

/// The least share of the words in the only `main` element for it to be the content.
const MIN_MAIN_SHARE: f32 = 0.3;

/// An element with a smaller share of what is shown is an island beside the content.
// At .1 four pages lose, up to .60; at .7 three do, up to .26.
const MAX_ISLAND_SHARE: f32 = 0.35;

/// The share of what is shown that the content has at least.
// At .6 one page loses .48.
const MIN_CONTENT_SHARE: f32 = 0.85;

impl ContentSearch<'_> {
    /// The whole body without menus, page headers and footers, if much else is left.
    pub(super) fn without_furniture(mut self, body: usize) -> ContentSelection {
        let (unseen, hidden) = (std::mem::take(&mut self.unseen), std::mem::take(&mut self.hidden));
        let folded = std::mem::take(&mut self.folded);
        let whole = ContentSelection { hidden, folded, ..ContentSelection::shown(body, unseen) };
        // From the beginning: measures that chose boilerplate before say nothing here.
        self.dropped.clone_from(&whole.dropped);
        self.measure();
        let shown = self.measures[body].chars;
        let has_menu = self.tree.below(body).any(|node| self.is_menu_of_links(node));
        self.drop_where(body, |page, node, tag| {
            let is_named = matches!(
                page.boilerplate_kind(node, tag),
                Some(BoilerplateKind::Named | BoilerplateKind::Dialog)
            );
            let is_small = page.measures[node].chars < shown * MAX_FURNITURE_SHARE;
            is_named
                && (is_small || page.is_menu_of_links(node))
                // The header of a short page is often all around its title.
                && page.tree.find(node, HtmlTag::H1).is_none()
        });
        let root = self.only_main(body).unwrap_or(body);
        let left = self.measures[root].chars;
        // The page is its menu and a word to its reader: the word is the content.
        let is_sentence = has_menu && left - self.measures[root].links >= MIN_SENTENCE_CHARS;
        if left < shown * MIN_SHARE || left < MIN_CHARS && !is_sentence {
            return whole;
        }
        ContentSelection { roots: vec![root], dropped: self.dropped, ..whole }
    }

    /// True for an element or a role of navigation with nothing but links: a menu, whatever share of the page it is.
    fn is_menu_of_links(&self, node: usize) -> bool {
        let is_navigation = self.tree.tag(node) == Some(HtmlTag::Nav)
            || self.tree.attribute(node, "role") == Some("navigation");
        let links =
            || self.tree.below(node).filter(|&below| self.tree.tag(below) == Some(HtmlTag::A)).count();
        // One or two links are `back` and `next`.
        is_navigation && self.measures[node].density() >= MIN_MENU_LINKS && links() >= 3
    }

    /// The `main` element, if there is one only, with a good part of the words.
    fn only_main(&self, body: usize) -> Option<usize> {
        let mut mains = self.tree.below(body).filter(|&node| self.is_named(node, ContentName::Main));
        // With several of them none is the content.
        let main = mains.next().filter(|_| mains.next().is_none())?;
        (self.measures[main].chars > self.measures[body].chars * MIN_MAIN_SHARE).then_some(main)
    }

    /// The chosen element, or if it is a small part of a page that is no article, the smallest with nearly all that
    /// is shown: in lists of cards all words are links, and a note beside them has all the prose.
    pub(super) fn widened(&self, root: usize, body: usize) -> usize {
        let has_most = |&main: &usize| self.measures[main].chars > self.measures[body].chars * 0.5;
        let main = self.tree.below(body).find(|&node| self.is_named(node, ContentName::Main));
        let around = main.filter(has_most).unwrap_or(body);
        let all = self.measures[around].chars;
        if self.is_article || self.measures[root].chars >= all * MAX_ISLAND_SHARE {
            return root;
        }
        let has_all = |&node: &usize| {
            self.tree.tag(node).is_some_and(HtmlTag::is_container)
                && !self.dropped[node]
                && self.measures[node].chars >= all * MIN_CONTENT_SHARE
        };
        // In document order the last one is the innermost.
        self.tree.below(around).rfind(|node| has_all(node)).unwrap_or(around)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ids_of, paragraph, searched, with_id};
    use crate::web::html::hints::page_kind::PageKind;
    use crate::web::html::visibility::content_selection::body;

    #[test]
    fn furniture_is_left_out_if_much_else_is_left() {
        let check = |page: &str, root: &str, dropped: &str| {
            searched(page, false, PageKind::Other, |search| {
                let (tree, body, len) = (search.tree, body(search.tree), search.tree.len());
                let found = search.without_furniture(body);
                let left_out = (0..len).filter(|&node| found.is_dropped(node));
                let ids = (ids_of(tree, found.roots.iter().copied()), ids_of(tree, left_out));
                assert_eq!((ids.0.as_str(), ids.1.as_str()), (root, dropped), "of {page}");
            });
        };
        let nav = |letters: usize, rest: usize| {
            let [inside, outside] = [letters, rest].map(paragraph);
            format!("<body id=b><nav id=n>{inside}</nav>{outside}")
        };
        check(&nav(590, 410), "b", "n");
        check(&nav(600, 400), "b", "");
        check(&nav(50, 40), "b", "n");
        check(&nav(40, 39), "b", "");
        let dialog = format!("<body id=b><dialog id=d>{}</dialog>{}", paragraph(100), paragraph(100));
        check(&dialog, "b", "d");
        let form = format!("<body id=b><form id=f>{}</form>{}", paragraph(100), paragraph(100));
        check(&form, "b", "");
        let titled = format!("<body id=b><nav id=n><h1>a</h1></nav>{}", paragraph(100));
        check(&titled, "b", "");
        // Two parts of furniture may be nearly the whole page.
        let navs = |each: usize, rest: usize| {
            let inside = paragraph(each);
            format!("<body id=b><nav id=n>{inside}</nav><nav id=o>{inside}</nav>{}", paragraph(rest))
        };
        check(&navs(475, 50), "b", "n o");
        check(&navs(475, 49), "b", "");
        let main = |letters: usize| {
            format!("<body id=b><nav id=n>a</nav><main id=m>{}</main>{}", paragraph(letters), paragraph(700))
        };
        check(&main(310), "m", "n");
        check(&main(300), "b", "n");
        check(&format!("{}<main>a</main>", main(310)), "b", "n");
        let menu = |links: usize, rest: usize| {
            let links = "<a href=/x>Somewhere</a>".repeat(links);
            format!("<body id=b><nav id=n>{links}</nav><p>{}", "word ".repeat(rest))
        };
        check(&menu(20, 4), "b", "n");
        check(&menu(20, 3), "b", "");
        check(
            &menu(20, 4).replace("<nav id=n>", "<div id=n role=navigation>").replace("</nav>", "</div>"),
            "b",
            "n",
        );
        check(&menu(2, 4), "b", "");
    }

    #[test]
    fn a_small_part_of_a_page_is_widened() {
        let check = |page: &str, is_article: bool, expected: &str| {
            searched(page, is_article, PageKind::Other, |search| {
                let found = search.widened(with_id(search.tree, "x"), body(search.tree));
                assert_eq!(ids_of(search.tree, [found]), expected, "of {page}");
            });
        };
        let page = |inside: usize, around: usize, rest: usize| {
            let [inside, around, rest] = [inside, around, rest].map(paragraph);
            format!("<body id=b>{rest}<div id=d><p>{around}</p><div id=x>{inside}</div></div>")
        };
        check(&page(360, 640, 0), false, "x");
        check(&page(340, 660, 0), false, "d");
        check(&page(340, 660, 0), true, "x");
        check(&page(300, 560, 140), false, "d");
        check(&page(300, 540, 160), false, "b");
        let main = |inside: usize, others: usize, rest: usize| {
            let [inside, others, rest] = [inside, others, rest].map(paragraph);
            format!("<body id=b><main id=m><div id=x>{inside}</div>{others}</main>{rest}")
        };
        // The element that is named as the content is searched, if it has most of the words.
        check(&main(200, 320, 480), false, "x");
        check(&main(170, 350, 480), false, "m");
        check(&main(170, 330, 500), false, "b");
        searched(&page(340, 660, 0), false, PageKind::Other, |mut search| {
            let part = with_id(search.tree, "d");
            search.dropped[part] = true;
            let found = search.widened(with_id(search.tree, "x"), body(search.tree));
            assert_eq!(ids_of(search.tree, [found]), "b");
        });
    }
}
