//! Leaves out what is boilerplate inside the main content: credits, lists of links, what announces other pages.

use super::ContentSearch;
use crate::web::html::hints::name_hints;
use crate::web::html::hints::page_kind::PageKind;
use crate::web::html::hints::prose::ProseMeasure;
use crate::web::html::parse::tag::HtmlTag;

/// Longer parts about the author of an article are text.
const MAX_BIOGRAPHY_CHARS: f32 = 700.0;

/// A paragraph that announces another page has at least this share of links.
const MIN_ANNOUNCED_LINKS: f32 = 0.4;

/// Below a heading that announces other pages at least this share is links, on a page that is no article.
const MIN_ANNOUNCING_LINKS: f32 = 0.15;

/// Longer headings are text.
const MAX_BARE_CHARS: f32 = 60.0;

impl ContentSearch<'_> {
    /// Leaves out the boilerplate inside the content.
    pub(super) fn drop_inside(&mut self, root: usize) {
        let (all, before) = (self.measures[root], self.dropped.clone());
        // A reference or a page of links may be nothing but such lists.
        if self.is_article || self.kind != PageKind::Other {
            self.drop_where(root, |page, node, tag| {
                page.is_article && page.is_beside_article(root, node, tag, all)
                    || page.is_link_list(node, tag, all)
            });
        }
        self.drop_announced(root);
        if self.is_article {
            self.drop_bare_headings(root, &before);
        }
    }

    /// True for what stands in an article and is no text of it.
    fn is_beside_article(&self, root: usize, node: usize, tag: HtmlTag, all: ProseMeasure) -> bool {
        self.is_credit(node, tag, all)
            || self.is_announced_link(node, tag)
            || self.is_other_article(root, node, tag, all)
    }

    /// True for a paragraph that is a link and a phrase like "Read more:".
    fn is_announced_link(&self, node: usize, tag: HtmlTag) -> bool {
        tag == HtmlTag::P
            && self.measures[node].density() > MIN_ANNOUNCED_LINKS
            && name_hints::is_boilerplate_heading(&self.tree.text_below(node, self.source))
    }

    /// True for a short article inside another below a heading that leads to it: by the standard, a part of its own.
    fn is_other_article(&self, root: usize, node: usize, tag: HtmlTag, all: ProseMeasure) -> bool {
        let is_link = |at: usize| {
            let is_heading = self.tree.tag(at).and_then(HtmlTag::heading_level).is_some();
            is_heading && self.measures[at].density() > 0.5
        };
        tag == HtmlTag::Article
            && (self.tree.tag(root) == Some(HtmlTag::Article) || self.is_inside(node, HtmlTag::Article))
            // Else it may be a part of a live report.
            && self.measures[node].prose < all.prose * 0.1
            && self.tree.below(node).any(is_link)
    }

    /// True for credits (author, date, category): metadata, not text.
    fn is_credit(&self, node: usize, tag: HtmlTag, all: ProseMeasure) -> bool {
        let part = self.measures[node];
        let is_below = |chars: f32, share: f32| part.chars < chars && part.chars < all.chars * share;
        // A class such as `meta` may be around the whole text.
        let is_short = is_below(300.0, 0.3) || self.hints[node].byline && is_below(MAX_BIOGRAPHY_CHARS, 0.2);
        let is_tag = self
            .tree
            .attribute(node, "rel")
            .is_some_and(|rel| rel.split(' ').any(|word| word == "tag" || word == "author"));
        let is_named = self.hints[node].credits || matches!(tag, HtmlTag::Time | HtmlTag::Address) || is_tag;
        is_short
            && is_named
            && !name_hints::holds_everything(tag)
            // Headlines stand in one element with their date and author.
            && self.tree.find(node, HtmlTag::H1).is_none()
    }

    /// True for an element of mostly links to other pages, next to prose.
    fn is_link_list(&self, node: usize, tag: HtmlTag, all: ProseMeasure) -> bool {
        let part = self.measures[node];
        let is_list = matches!(
            tag,
            HtmlTag::Ul
                | HtmlTag::Ol
                | HtmlTag::Div
                | HtmlTag::Section
                | HtmlTag::Table
                | HtmlTag::P
                | HtmlTag::Dl
        );
        // Separators and dates between links are no links.
        // At .5 fifteen pages lose, one of them .43; at .95 eighteen. Without the share of all one loses .20.
        is_list && part.density() > 0.75 && part.chars > 0.0 && part.chars < all.chars * 0.3
    }

    /// Leaves out headings that announce other pages, with the links that follow.
    fn drop_announced(&mut self, root: usize) {
        let all = self.measures[root];
        let mut drops = Vec::new();
        for node in self.tree.below(root).filter(|&node| !self.dropped[node]) {
            if self.tree.tag(node).and_then(HtmlTag::heading_level).is_none() {
                continue;
            }
            if !name_hints::is_boilerplate_heading(&self.tree.text_below(node, self.source)) {
                continue;
            }
            let announced = self.until_heading(node);
            let sum = |measure: fn(&ProseMeasure) -> f32| -> f32 {
                announced.iter().map(|&child| measure(&self.measures[child])).sum()
            };
            let (chars, links, prose) =
                (sum(|part| part.chars), sum(|part| part.links), sum(|part| part.prose));
            // `Related` is also the title of a section of a manual.
            let is_text = !self.is_article && prose > 0.0 && links < chars * MIN_ANNOUNCING_LINKS;
            if prose < all.prose * 0.1 && !is_text {
                drops.push(node);
                drops.extend(announced);
            }
        }
        if drops.is_empty() {
            return;
        }
        for node in drops {
            self.dropped[node] = true;
        }
        self.measure();
    }

    /// Leaves out labels above lists that were left out.
    fn drop_bare_headings(&mut self, root: usize, before: &[bool]) {
        let bare: Vec<usize> = self.tree.below(root).filter(|&node| self.is_bare(node, before)).collect();
        if bare.is_empty() {
            return;
        }
        bare.into_iter().for_each(|node| self.dropped[node] = true);
        self.measure();
    }

    /// True for a short heading of one part if all of this part was left out since `before`.
    fn is_bare(&self, node: usize, before: &[bool]) -> bool {
        let level_of = |node: usize| self.tree.tag(node).and_then(HtmlTag::heading_level);
        // That of the first rank is the title of the page.
        let Some(level) = level_of(node).filter(|&level| level > 1 && !self.dropped[node]) else {
            return false;
        };
        let is_blank = |at: usize| {
            let words = self.tree.text(at).is_some_and(|text| !text.resolve(self.source).trim().is_empty());
            self.dropped[at] || self.measures[at].chars == 0.0 && !words
        };
        let was_dropped = |&at: &usize| (at..self.tree.end(at)).any(|at| self.dropped[at] && !before[at]);
        let below = self.until_heading(node);
        let next = self.tree.following(node).nth(below.len()).and_then(level_of);
        self.measures[node].chars < MAX_BARE_CHARS
            // A title with sections below it has text in them.
            && next.is_none_or(|next| next <= level)
            && below.iter().all(|&at| is_blank(at))
            // A heading that was alone from the start says something by itself.
            && below.iter().any(was_dropped)
    }

    /// The nodes that follow a heading, up to the next heading.
    fn until_heading(&self, heading: usize) -> Vec<usize> {
        let is_heading = |&node: &usize| self.tree.tag(node).and_then(HtmlTag::heading_level).is_some();
        self.tree.following(heading).take_while(|node| !is_heading(node)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ids_of, paragraph, searched, with_id};
    use super::*;

    /// A page whose root `r` has the element `x` and as many letters as to have `all`.
    fn page(element: &str, letters: usize, all: usize) -> String {
        let rest = paragraph(all - letters);
        format!("<article id=r><{element} id=x>{}</{element}>{rest}</article>", "x".repeat(letters))
    }

    /// What a rule says of the element `x` below the root `r`.
    #[track_caller]
    fn check(
        rule: impl Fn(&ContentSearch<'_>, usize, usize, HtmlTag, ProseMeasure) -> bool,
        page: &str,
        expected: bool,
    ) {
        searched(page, true, PageKind::Other, |search| {
            let [root, node] = ["r", "x"].map(|id| with_id(search.tree, id));
            let tag = search.tree.tag(node).unwrap();
            assert_eq!(rule(&search, root, node, tag, search.measures[root]), expected, "of {page}");
        });
    }

    #[test]
    fn credits_are_short_and_named_so() {
        let rule = |search: &ContentSearch<'_>, _: usize, node: usize, tag: HtmlTag, all: ProseMeasure| {
            search.is_credit(node, tag, all)
        };
        let named = |class: &str, letters: usize, all: usize| {
            page("div", letters, all).replacen("<div", &format!("<div {class}"), 1)
        };
        for (page, expected) in [
            (named("class=date", 299, 2000), true),
            (named("class=date", 300, 2000), false),
            (named("class=date", 140, 500), true),
            (named("class=date", 150, 500), false),
            (named("class=byline", 699, 4000), true),
            (named("class=byline", 700, 4000), false),
            (named("class=byline", 590, 3000), true),
            (named("class=byline", 600, 3000), false),
            (named("rel=tag", 9, 500), true),
            (named("rel='nofollow author'", 9, 500), true),
            (named("rel=nofollow", 9, 500), false),
            (named("class=lead", 9, 500), false),
            (page("time", 9, 500), true),
            (page("address", 9, 500), true),
            (page("main", 9, 500).replacen("<main", "<main class=date", 1), false),
            (format!("<div id=r><div class=date id=x><h1>T</h1></div>{}</div>", paragraph(500)), false),
        ] {
            check(rule, &page, expected);
        }
    }

    #[test]
    fn a_paragraph_announces_another_page_by_its_words_and_links() {
        let rule = |search: &ContentSearch<'_>, _: usize, node: usize, tag: HtmlTag, _: ProseMeasure| {
            search.is_announced_link(node, tag)
        };
        for (paragraph, expected) in [
            ("<p id=x>Read more: <a href=/a>foxesx</a></p>", false),
            ("<p id=x>Read more: <a href=/a>foxesxy</a></p>", true),
            ("<div id=x>Read more: <a href=/a>foxesxy</a></div>", false),
            ("<p id=x>Read less: <a href=/a>foxesxy</a></p>", false),
        ] {
            check(rule, &format!("<article id=r>{paragraph}</article>"), expected);
        }
    }

    #[test]
    fn an_article_below_a_heading_with_a_link_is_another_one() {
        let rule = |search: &ContentSearch<'_>, root: usize, node: usize, tag: HtmlTag, all: ProseMeasure| {
            search.is_other_article(root, node, tag, all)
        };
        let heading = "<h3>ab<a href=/a>cde</a></h3>";
        let inner = |heading: &str, letters: usize| {
            format!("<article id=x>{heading}{}</article>{}", paragraph(letters), paragraph(1000 - letters))
        };
        for (page, expected) in [
            (format!("<article id=r>{}</article>", inner(heading, 90)), true),
            (format!("<article id=r>{}</article>", inner(heading, 100)), false),
            (format!("<article id=r>{}</article>", inner("<h3>abc<a href=/a>def</a></h3>", 90)), false),
            (format!("<article id=r>{}</article>", inner("<p>ab<a href=/a>cde</a></p>", 90)), false),
            (format!("<div id=r>{}</div>", inner(heading, 90)), false),
            (format!("<div id=r><article>{}</article></div>", inner(heading, 90)), true),
            (format!("<article id=r><div id=x>{heading}</div>{}</article>", paragraph(900)), false),
        ] {
            check(rule, &page, expected);
        }
    }

    #[test]
    fn lists_of_links_are_short_and_have_hardly_any_other_words() {
        let rule = |search: &ContentSearch<'_>, _: usize, node: usize, tag: HtmlTag, all: ProseMeasure| {
            search.is_link_list(node, tag, all)
        };
        let list = |tag: &str, links: usize, others: usize, rest: usize| {
            let [links, others] = [links, others].map(|letters| "x".repeat(letters));
            let inside = format!("<a href=/a>{links}</a>{others}");
            format!("<div id=r><{tag} id=x>{inside}</{tag}>{}</div>", paragraph(rest))
        };
        for tag in ["ul", "ol", "div", "section", "p", "dl"] {
            check(rule, &list(tag, 76, 24, 900), true);
        }
        for (page, expected) in [
            (list("ul", 75, 25, 900), false),
            (list("blockquote", 76, 24, 900), false),
            (list("ul", 290, 0, 710), true),
            (list("ul", 300, 0, 700), false),
            (list("ul", 0, 0, 690), false),
        ] {
            check(rule, &page, expected);
        }
        let table = format!("<div id=r><table id=x><tr><td><a href=/a>b</a></table>{}</div>", paragraph(90));
        check(rule, &table, true);
    }

    /// The ids of what is left out inside `r`.
    #[track_caller]
    fn check_dropped(page: &str, is_article: bool, kind: PageKind, expected: &str) {
        searched(page, is_article, kind, |mut search| {
            let root = with_id(search.tree, "r");
            search.drop_inside(root);
            let dropped = (0..search.tree.len()).filter(|&node| search.dropped[node]);
            assert_eq!(ids_of(search.tree, dropped), expected, "of {page}");
            let left = search.texts.measure(search.tree, &search.dropped, search.lengths);
            assert!(search.measures == left, "what is left is measured: {page}");
        });
    }

    #[test]
    fn the_kind_of_the_page_decides_what_is_left_out() {
        let page = format!(
            "<div id=r><div class=date id=d>2020</div><ul id=l><li><a href=/a>b</a></ul>{}</div>",
            paragraph(500)
        );
        check_dropped(&page, true, PageKind::Other, "d l");
        check_dropped(&page, true, PageKind::Thread, "d l");
        check_dropped(&page, false, PageKind::Product, "l");
        check_dropped(&page, false, PageKind::Thread, "l");
        check_dropped(&page, false, PageKind::Other, "");
    }

    #[test]
    fn what_a_heading_announces_is_left_out_with_it_if_it_is_short() {
        let page = |heading: &str, letters: usize| {
            let (announced, rest) = ("x".repeat(letters), paragraph(1000 - letters));
            format!(
                "<div id=r>{rest}<h2 id=h>{heading}</h2><p id=a>{announced}</p><ul id=b><li>y</ul><h3 id=c>z</h3></div>"
            )
        };
        check_dropped(&page("Read more", 90), true, PageKind::Other, "h a b");
        check_dropped(&page("Read more", 100), true, PageKind::Other, "");
        check_dropped(&page("Foxes", 90), true, PageKind::Other, "");
        check_dropped(&page("Read more", 90).replace("h2", "p"), true, PageKind::Other, "");
        // What is no article has sections of such names: `Related aspects`. Prose without links announces no pages.
        check_dropped(&page("Read more", 90), false, PageKind::Other, "");
        check_dropped(&page("Read more", 20), false, PageKind::Other, "h a b");
        let linked = |words: usize, links: usize| {
            let announced = format!("{}<a href=/a>{}</a>", "x".repeat(words), "x".repeat(links));
            page("Read more", 99).replace(&"x".repeat(99), &announced)
        };
        check_dropped(&linked(83, 16), false, PageKind::Other, "h a b");
        check_dropped(&linked(85, 14), false, PageKind::Other, "");
    }

    #[test]
    fn a_heading_of_nothing_is_left_out() {
        let list = "<ul id=l><li><a href=/a>b</a></ul>";
        let page = |above: &str, below: &str| format!("<div id=r>{}{above}{below}</div>", paragraph(500));
        let [short, long] = [59, 60].map(|letters| format!("<h2 id=h>{}</h2>", "x".repeat(letters)));
        let heading = "<h2 id=h>Elsewhere</h2>";
        for (page, expected) in [
            (page(heading, list), "h l"),
            (page(heading, &format!(" {list} ")), "h l"),
            (page(heading, &format!("<p></p>{list}")), "h l"),
            (page(&short, list), "h l"),
            (page(&long, list), "l"),
            (page("<h1 id=h>a</h1>", list), "l"),
            (page("<p id=h>a</p>", list), "l"),
            (page(heading, &format!("{list}<h2>b</h2>")), "h l"),
            (page(heading, &format!("{list}<h1>b</h1>")), "h l"),
            (page(heading, &format!("{list}<h3>b</h3>")), "l"),
            (page(heading, &format!("{list} and words")), "l"),
            (page(heading, &format!("{list}<p>words</p>")), "l"),
            (page(heading, &format!("<blockquote>{list}</blockquote>")), "h l"),
            (page(heading, "<p></p>"), ""),
        ] {
            check_dropped(&page, true, PageKind::Other, expected);
        }
        check_dropped(&page(heading, list), false, PageKind::Product, "l");
    }
}
