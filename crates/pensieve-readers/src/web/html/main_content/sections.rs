//! Finds the other sections of a page of which one was chosen as the main content.
//!
//! Reference manuals have sections that are mostly lists of names and links, which count as menus do. The section with
//! the most prose then wins against the element around all of them.

use super::headline::title_words;
use super::{ContentName, ContentSearch};

/// A section with a smaller share of the prose of the chosen one is none.
const MIN_EQUAL_SHARE: f32 = 0.08;

/// If a larger share of what stands around the chosen element is links, these are menus.
const MAX_LINKS_AROUND: f32 = 0.6;

/// The id that makers of manuals give to what is between their menus.
const CONTENT_ID: &str = "content";

impl ContentSearch<'_> {
    /// The chosen element, or the one around it and the other sections of the page. An article has one text, and is
    /// not widened.
    pub(super) fn with_other_sections(&self, root: usize, body: usize, titles: &[String]) -> usize {
        if self.is_article {
            return root;
        }
        // From the nearest to the widest.
        let root = self.with_equals(root, body);
        let root = self.with_headline_and_headings(root, titles);
        self.within_named(root, body)
    }

    /// The element around the chosen one that is named as the content, unless what it adds is menus.
    fn within_named(&self, root: usize, body: usize) -> usize {
        let mut around = self.tree.ancestors(root).take_while(|&above| above > body);
        let is_content = |&above: &usize| self.tree.attribute(above, "id") == Some(CONTENT_ID);
        let Some(around) = around.find(is_content) else { return root };
        let has_more = self.measures[around].prose > self.measures[root].prose;
        if has_more && self.adds_text(root, around) { around } else { root }
    }

    /// The parent of the chosen element, if that is one of several parts with prose that have the same name.
    fn with_equals(&self, root: usize, body: usize) -> usize {
        let parent = self.tree.parent(root);
        // The body has menus beside them.
        let Some(name) = self.first_name(root).filter(|_| parent > body) else { return root };
        let is_equal = |node: usize| {
            node != root
                && !self.dropped[node]
                && self.tree.tag(node) == self.tree.tag(root)
                && self.first_name(node) == Some(name)
                && self.measures[node].prose > self.measures[root].prose * MIN_EQUAL_SHARE
        };
        if self.tree.children(parent).any(is_equal) { parent } else { root }
    }

    /// The element around the headline and the chosen element, if that has no name of its own, and another heading
    /// stands in it. With the headline alone nothing is missing: that is put back.
    fn with_headline_and_headings(&self, root: usize, titles: &[String]) -> usize {
        let is_named = [ContentName::Main, ContentName::Article, ContentName::Body]
            .into_iter()
            .any(|level| self.is_named(root, level));
        // The page says where its text is.
        if is_named {
            return root;
        }
        let titles = title_words(titles);
        let is_heading =
            |node: usize| self.level(node).is_some() && self.is_kept(node) && !self.dropped[node];
        let is_headline = |&node: &usize| is_heading(node) && self.is_headline(node, &titles);
        if self.tree.below(root).any(|node| is_headline(&node)) {
            return root;
        }
        let Some(headline) = (0..root).rfind(is_headline) else { return root };
        let Some(around) = self.tree.ancestors(root).find(|&above| above < headline) else { return root };
        let is_other = |node: usize| {
            is_heading(node) && node != headline && (node < root || node >= self.tree.end(root))
        };
        if self.adds_text(root, around) && self.tree.below(around).any(is_other) { around } else { root }
    }

    /// True if what stands around the chosen element is no menus.
    fn adds_text(&self, root: usize, around: usize) -> bool {
        let (inner, outer) = (self.measures[root], self.measures[around]);
        outer.links - inner.links < (outer.chars - inner.chars) * MAX_LINKS_AROUND
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{paragraph, searched, with_id};
    use crate::web::html::hints::page_kind::PageKind;
    use crate::web::html::visibility::content_selection::body;

    /// The id of what the element `r` is widened to, in a page called Foxes; what has the class `out` is left out.
    #[track_caller]
    fn check(page: &str, expected: &str) {
        let found = |is_article: bool| {
            searched(page, is_article, PageKind::Other, |mut search| {
                for node in 0..search.tree.len() {
                    search.dropped[node] = search.tree.attribute(node, "class") == Some("out");
                }
                let titles = ["Foxes | Animals".to_owned()];
                let root = search.with_other_sections(with_id(search.tree, "r"), body(search.tree), &titles);
                search.tree.attribute(root, "id").unwrap_or_default().to_owned()
            })
        };
        assert_eq!(found(false), expected, "of {page}");
        assert_eq!(found(true), "r", "of an article {page}");
    }

    #[test]
    fn an_element_named_content_has_all_that_is_prose() {
        let page = |other: &str| {
            format!(
                "<div id=b><div id=content>{other}<div><div id=r>{}</div></div></div></div>",
                paragraph(200)
            )
        };
        let prose = paragraph(80);
        check(&page(&prose), "content");
        check(&page(&paragraph(79)), "r");
        check(&page(&prose).replace("id=content", "id=contents"), "r");
        check(
            &page(&prose).replace("<div id=b>", "<body id=content>").replace("<div id=content>", "<div>"),
            "r",
        );
        let menu = |links: usize| format!("<p><a href=/a>{}</a></p>{prose}", "x".repeat(links));
        check(&page(&menu(119)), "content");
        check(&page(&menu(121)), "r");
    }

    #[test]
    fn sections_of_the_same_name_belong_together() {
        let page = |other: &str, letters: usize| {
            format!("<div id=a><div id=r class='s x'>{}</div>{other}{}", paragraph(1200), paragraph(letters))
        };
        check(&page("<div class='s y'>", 97), "a");
        check(&page("<div class='s y'>", 96), "r");
        check(&page("<div class=s-2>", 97), "a");
        check(&page("<div class=t>", 97), "r");
        check(&page("<section class=s>", 97), "r");
        check(&page("<div class=s><div class=out>", 97), "a");
        check(&page("<div>", 97).replace(" class='s x'", ""), "r");
        check(&page("<div class='s y'>", 97).replace("<div id=a>", "<body id=a>"), "r");
    }

    #[test]
    fn headings_around_show_that_the_text_has_more_sections() {
        let text = paragraph(200);
        let page = |above: &str, inside: &str, below: &str| {
            format!(
                "<div id=b><div id=a>{above}<div id=w><div id=r>{inside}{text}</div></div>{below}</div></div>"
            )
        };
        check(&page("<h1>Foxes</h1><h2>Names</h2><p>Red</p>", "", ""), "a");
        check(&page("<h2>Foxes</h2>", "", "<h3>Names</h3>Red"), "a");
        check(&page("<h1>Foxes</h1>", "", ""), "r");
        check(&page("<h1>Foxes</h1>", "<h2>Names</h2>", ""), "r");
        check(&page("<h1>Hares</h1><h2>Names</h2>Red", "", ""), "r");
        check(&page("<h1>Foxes</h1><h2>Names</h2>Red", "<h2>Foxes</h2>", ""), "r");
        check(&page("<h1 class=out>Foxes</h1><h2>Names</h2>Red", "", ""), "r");
        check(&page("<h1>Foxes</h1><div class=out><h2>Names</h2>Red</div>", "", ""), "r");
        check(&page("<h1>Foxes</h1><h2>Names</h2>Red", "", "").replace("id=r", "id=r role=article"), "r");
    }

    #[test]
    fn menus_around_are_no_sections() {
        let page = |links: usize| {
            let menu = format!("<a href=/a>{}</a>{}", "x".repeat(links), "x".repeat(100 - 10 - links));
            format!("<div id=a><h1>Foxes</h1><h2>Names</h2>{menu}<div id=r>{}</div>", paragraph(200))
        };
        check(&page(59), "a");
        check(&page(61), "r");
    }
}
