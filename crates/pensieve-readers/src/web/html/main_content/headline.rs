//! Finds the headline above the main content of a page, and the lead below it.
//!
//! The element that is named as the body of an article often begins after both. A headline is accepted if the page's
//! title repeats it; prose between it and the body is the lead, if it is short.

use super::{ContentSearch, MIN_PROSE};
use crate::web::html::hidden::is_hidden;
use crate::web::html::prose::ProseLengths;
use crate::web::html::tag::HtmlTag;

/// The most blocks of a lead: more are another part of the page.
const MAX_LEAD_BLOCKS: usize = 4;

/// The largest lead, as a share of the prose that it introduces.
const MAX_LEAD_SHARE: f32 = 0.3;

/// The share of the title's words that the headline must have: titles contain names of sites too.
const MIN_TITLE_SHARE: f32 = 0.5;

impl ContentSearch<'_> {
    /// The headline of the chosen element and its lead, in document order.
    pub(super) fn headline_and_lead(&self, root: usize, titles: &[String]) -> Vec<usize> {
        let is_heading = |node| self.tree.tag(node) == Some(HtmlTag::H1) && !self.dropped[node];
        if self.tree.below(root).any(is_heading) {
            return Vec::new();
        }
        let Some(headline) = (0..root).rfind(|&node| self.is_headline(node, titles)) else {
            return Vec::new();
        };
        let mut above = vec![headline];
        above.extend(self.lead(headline, root).unwrap_or_default());
        above
    }

    /// True for a visible first-level heading that a title of the page repeats.
    fn is_headline(&self, node: usize, titles: &[String]) -> bool {
        if self.tree.tag(node) != Some(HtmlTag::H1) || !self.is_shown(node) {
            return false;
        }
        let heading = words(&self.tree.text_below(node, self.source));
        let repeats = |title: &String| {
            let title = words(title);
            let is_most = heading.len() as f32 >= title.len() as f32 * MIN_TITLE_SHARE;
            !heading.is_empty() && is_most && title.windows(heading.len()).any(|part| *part == heading)
        };
        titles.iter().any(repeats)
    }

    /// Boilerplate may contain the headline, but a hidden element cannot.
    fn is_shown(&self, node: usize) -> bool {
        let mut around = std::iter::once(node).chain(self.tree.ancestors(node));
        !around.any(|at| {
            let is_never_text = self.tree.tag(at).is_some_and(HtmlTag::is_never_text);
            is_never_text || self.hints[at].unseen || is_hidden(self.tree, at, self.hints[at])
        })
    }

    /// The blocks of prose between a headline and the main content.
    fn lead(&self, headline: usize, root: usize) -> Option<Vec<usize>> {
        if self.lengths != ProseLengths::PARAGRAPHS {
            return None;
        }
        let mut blocks = Vec::new();
        let mut at = self.tree.end(headline);
        while at < root {
            let Some(tag) = self.tree.tag(at) else {
                at += 1;
                continue;
            };
            let holds_root = self.tree.end(at) > root;
            let part = self.measures[at];
            let is_block = matches!(
                tag,
                HtmlTag::P | HtmlTag::Div | HtmlTag::Section | HtmlTag::Header | HtmlTag::Hgroup
            );
            if holds_root || (is_block && !self.dropped[at] && !self.is_one_block(at)) {
                at += 1;
                continue;
            }
            let is_credit = self.hints[at].credits || self.hints[at].byline;
            let is_said = is_block && !self.dropped[at] && !is_credit && part.density() < 0.3;
            if is_said && part.prose > 0.0 && self.is_kept(at) {
                blocks.push(at);
            }
            at = self.tree.end(at);
        }
        let prose: f32 = blocks.iter().map(|&block| self.measures[block].prose).sum();
        let most = (self.measures[root].prose * MAX_LEAD_SHARE).max(MIN_PROSE);
        (blocks.len() <= MAX_LEAD_BLOCKS && prose < most).then_some(blocks)
    }

    /// True if there is no block inside.
    fn is_one_block(&self, node: usize) -> bool {
        !self.tree.below(node).any(|below| self.tree.tag(below).is_some_and(HtmlTag::is_block))
    }

    /// True if no ancestor is left out.
    fn is_kept(&self, node: usize) -> bool {
        !self.tree.ancestors(node).any(|above| self.dropped[above])
    }
}

/// The words of a heading or a title.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ids_of, paragraph, searched, with_id};
    use super::*;
    use crate::web::html::page_kind::PageKind;

    #[test]
    fn a_title_repeats_the_headline_with_few_words_more() {
        let check = |heading: &str, title: &str, expected: bool| {
            searched(heading, true, PageKind::Other, |search| {
                let titles = ["Elsewhere".to_owned(), title.to_owned()];
                let node = with_id(search.tree, "x");
                assert_eq!(search.is_headline(node, &titles), expected, "of {heading}, {title}");
            });
        };
        check("<h1 id=x>A fox jumps!</h1>", "a FOX jumps | The Daily Fox", true);
        check("<h1 id=x>A fox jumps</h1>", "A fox jumps | News of the", true);
        check("<h1 id=x>A fox jumps</h1>", "A fox jumps | News of the day", false);
        check("<h1 id=x>A fox jumps</h1>", "A fox never jumps", false);
        check("<h1 id=x>A fox jumps over</h1>", "A fox jumps", false);
        check("<h1 id=x> </h1>", "", false);
        check("<h2 id=x>A fox jumps</h2>", "A fox jumps", false);
        check("<h1 id=x hidden>A fox jumps</h1>", "A fox jumps", false);
        check("<div class=sronly><h1 id=x>A fox jumps</h1></div>", "A fox jumps", false);
        check("<video><h1 id=x>A fox jumps</h1></video>", "A fox jumps", false);
        check("<nav><h1 id=x>A fox jumps</h1></nav>", "A fox jumps", true);
    }

    /// The ids of the headline and the lead above the element `r`; those with the class `out` are left out.
    #[track_caller]
    fn check_above(above: &str, inside: &str, expected: &str) {
        let page = format!("{above}<div id=r>{inside}</div>");
        searched(&page, true, PageKind::Other, |mut search| {
            for node in 0..search.tree.len() {
                search.dropped[node] = search.tree.attribute(node, "class") == Some("out");
            }
            let root = with_id(search.tree, "r");
            let found = search.headline_and_lead(root, &["Foxes".to_owned()]);
            assert_eq!(ids_of(search.tree, found), expected, "of {page}");
        });
    }

    const HEADLINE: &str = "<h1 id=h>Foxes</h1>";

    #[test]
    fn the_headline_above_the_text_is_the_last() {
        let text = paragraph(1000);
        check_above(HEADLINE, &text, "h");
        check_above(HEADLINE, &format!("<h1>Other</h1>{text}"), "");
        check_above(HEADLINE, &format!("<h1 class=out>Other</h1>{text}"), "h");
        check_above(&format!("{HEADLINE}<h1 id=i>Foxes</h1>"), &text, "i");
        check_above("<h1 id=h>Hares</h1>", &text, "");
    }

    #[test]
    fn the_lead_is_a_few_short_blocks() {
        let text = paragraph(1000);
        let block = |letters: usize| format!("<p id=p>{}</p>", "x".repeat(letters));
        let check = |above: &str, inside: &str, expected: &str| {
            check_above(&format!("{HEADLINE}{above}"), inside, expected);
        };
        check(&block(80), &text, "h p");
        check(&block(79), &text, "h");
        check(&block(80).repeat(3), &text, "h p p p");
        check(&block(80).repeat(4), &text, "h");
        check(&block(290), &text, "h p");
        check(&block(310), &text, "h");
        check(&block(139), &paragraph(200), "h p");
        check(&block(140), &paragraph(200), "h");
        // Five sentences are more than a lead, however short.
        let sentence = format!("<p id=p>{}.</p>", "x".repeat(40));
        check(&sentence.repeat(4), &text, "h p p p p");
        check(&sentence.repeat(5), &text, "h");
    }

    #[test]
    fn the_lead_is_what_is_said_and_kept() {
        let text = paragraph(1000);
        let words = "x".repeat(100);
        let check = |above: &str, expected: &str| {
            check_above(&format!("{HEADLINE}{above}"), &text, expected);
        };
        for tag in ["p", "div", "section", "header", "hgroup"] {
            check(&format!("<{tag} id=p>{words}</{tag}>"), "h p");
        }
        check(&format!("<ul><li><p id=p>{words}</p></li></ul>"), "h");
        check(&format!("<div id=d> <section id=e><p id=p>{words}</p></section></div>"), "h p");
        check(&format!("<p id=p class=byline>{words}</p>"), "h");
        check(&format!("<p id=p class=date>{words}</p>"), "h");
        check(&format!("<p id=p class=out>{words}</p>"), "h");
        check(&format!("<div class=out><p id=p>{words}</p></div>"), "h");
        let linked = |letters: usize, links: usize| {
            format!("<p id=p>{}<a href=/a>{}</a></p>", "x".repeat(letters), "x".repeat(links))
        };
        check(&linked(71, 29), "h p");
        check(&linked(70, 30), "h");
        check(&format!("and words<p id=p>{words}</p>"), "h p");
    }

    #[test]
    fn the_wrappers_around_the_text_are_no_lead() {
        let lead = format!("<p id=p>{}</p>", "x".repeat(100));
        let page = format!("{HEADLINE}<div id=w>{lead}<div id=r>{}</div></div>", paragraph(1000));
        searched(&page, true, PageKind::Other, |mut search| {
            let root = with_id(search.tree, "r");
            let titles = ["Foxes".to_owned()];
            assert_eq!(ids_of(search.tree, search.headline_and_lead(root, &titles)), "h p");
            search.lengths = ProseLengths::LINES;
            assert_eq!(ids_of(search.tree, search.headline_and_lead(root, &titles)), "h");
        });
    }
}
