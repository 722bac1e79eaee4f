//! Finds the headline above the main content of a page, and the lead below it.
//!
//! The element that is named as the body of an article often begins after both. A headline is accepted if the page's
//! title repeats it; prose between it and the body is the lead, if it is short, and so is a section with a heading of
//! its own (a manual page names its subject above its synopsis).

use super::{ContentSearch, MIN_PROSE};
use crate::web::html::hints::prose::ProseLengths;
use crate::web::html::parse::tag::HtmlTag;

/// The most blocks of a lead: more are another part of the page.
const MAX_LEAD_BLOCKS: usize = 4;

/// The largest lead, as a share of the prose that it introduces.
const MAX_LEAD_SHARE: f32 = 0.3;

/// Longer headings are not compared with titles, so that headings inside each other cost no more than their text.
const MAX_HEADLINE_BYTES: usize = 4_000;

/// The share of the title's words that the headline must have: titles contain names of sites too.
const MIN_TITLE_SHARE: f32 = 0.5;

impl ContentSearch<'_> {
    /// The headline of the chosen element and its lead, in document order.
    pub(super) fn headline_and_lead(&self, root: usize, titles: &[String]) -> Vec<usize> {
        let is_heading = |node: usize| !self.dropped[node] && self.level(node).is_some();
        if self.tree.below(root).any(|node| self.level(node) == Some(1) && is_heading(node)) {
            return Vec::new();
        }
        let titles = title_words(titles);
        // Boilerplate may contain the headline itself, but no other that counts as one.
        // The nearest one above: pages repeat their title in a bar at the top.
        let first = (0..root).rfind(|&node| self.level(node) == Some(1) && self.is_headline(node, &titles));
        // Only without a heading of the first rank, which some sites use for their name.
        let lower = || {
            let found = (0..root).rfind(|&node| is_heading(node) && self.is_headline(node, &titles))?;
            let is_repeated = |node: usize| {
                // The headline is there already.
                is_heading(node) && self.level(node) <= self.level(found) && self.is_headline(node, &titles)
            };
            (!self.tree.below(root).any(is_repeated)).then_some(found)
        };
        let Some(headline) = first.or_else(lower) else { return Vec::new() };
        let mut above = vec![headline];
        above.extend(self.lead(headline, root).unwrap_or_default());
        above
    }

    pub(super) fn level(&self, node: usize) -> Option<usize> {
        self.tree.tag(node).and_then(HtmlTag::heading_level)
    }

    /// True for a visible heading that a title of the page, given in words, repeats, or that repeats such a title.
    pub(super) fn is_headline(&self, node: usize, titles: &[Vec<String>]) -> bool {
        if self.level(node).is_none() {
            return false;
        }
        let mut heading = String::new();
        for text in self.tree.below(node).filter_map(|below| self.tree.text(below)) {
            heading.push_str(text.resolve(self.source));
            if heading.len() > MAX_HEADLINE_BYTES {
                return false;
            }
        }
        let heading = words(&heading);
        // Titles add the site, headlines a subtitle.
        let is_title = |title: &Vec<String>| is_most_of(&heading, title) || is_most_of(title, &heading);
        titles.iter().any(is_title) && self.is_shown(node)
    }

    /// Boilerplate may contain the headline, but a hidden element cannot.
    fn is_shown(&self, node: usize) -> bool {
        !std::iter::once(node).chain(self.tree.ancestors(node)).any(|at| self.unseen[at])
    }

    /// What introduces the main content below a headline: prose, and texts below a heading. Without the latter if that
    /// is too much, and nothing if the prose is too much.
    fn lead(&self, headline: usize, root: usize) -> Option<Vec<usize>> {
        // On pages of lines every label would count as prose.
        if self.lengths != ProseLengths::PARAGRAPHS {
            return None;
        }
        let blocks = self.blocks_between(headline, root);
        let prose = || blocks.iter().copied().filter(|&block| self.measures[block].prose > 0.0).collect();
        // Short texts have leads too.
        let most = (self.measures[root].prose * MAX_LEAD_SHARE).max(MIN_PROSE);
        let is_lead = |blocks: &Vec<usize>| {
            let prose: f32 = blocks.iter().map(|&block| self.measures[block].prose).sum();
            blocks.len() <= MAX_LEAD_BLOCKS && prose < most
        };
        Some(blocks.clone()).filter(is_lead).or_else(|| Some(prose()).filter(is_lead))
    }

    /// The blocks of prose between a headline and the main content, and from the first heading on all blocks of text,
    /// with the headings above them.
    fn blocks_between(&self, headline: usize, root: usize) -> Vec<usize> {
        let mut blocks = Vec::new();
        let (mut heading, mut is_section) = (None, false);
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
            let is_kept = !self.dropped[at] && self.is_kept(at);
            if is_kept && self.level(at).is_some() {
                (heading, is_section) = (Some(at), true);
            }
            let is_credit = self.hints[at].credits || self.hints[at].byline;
            let is_text = part.prose > 0.0 || is_section && part.chars > 0.0;
            // What is a third links is a menu.
            if is_kept && is_block && is_text && !is_credit && part.density() < 0.3 {
                // Only headings with text below them.
                blocks.extend(heading.take());
                blocks.push(at);
            }
            at = self.tree.end(at);
        }
        blocks
    }

    /// True if there is no block inside.
    fn is_one_block(&self, node: usize) -> bool {
        !self.tree.below(node).any(|below| self.tree.tag(below).is_some_and(HtmlTag::is_block))
    }

    /// True if no ancestor is left out.
    pub(super) fn is_kept(&self, node: usize) -> bool {
        !self.tree.ancestors(node).any(|above| self.dropped[above])
    }
}

/// The words of each title, and of each without the name of its site.
pub(super) fn title_words(titles: &[String]) -> Vec<Vec<String>> {
    titles.iter().flat_map(|title| [title.as_str(), without_site(title)]).map(words).collect()
}

/// A title up to the name of its site or book: `Tools | Manual`, `Tools: The Manual`, `Tools - Manual`, `Tools (Manual)`.
fn without_site(title: &str) -> &str {
    let is_end = |(at, c): (usize, char)| {
        let (before, after) = (&title[..at], &title[at + c.len_utf8()..]);
        let is_dash = matches!(c, '-' | '–' | '—' | '·' | '•' | '|' | '»' | '/');
        // Hyphens inside words, colons in times and in names of code have no blanks.
        (is_dash && before.ends_with(' ') || c == ':') && after.starts_with(' ')
    };
    let end = title.char_indices().find(|&place| is_end(place)).map(|(at, _)| at);
    let bracket = || title.rfind(" (").filter(|_| title.ends_with(')'));
    end.or_else(bracket).map_or(title, |at| &title[..at])
}

/// True if some words are a good part of other ones.
fn is_most_of(part: &[String], whole: &[String]) -> bool {
    let is_most = part.len() as f32 >= whole.len() as f32 * MIN_TITLE_SHARE;
    !part.is_empty() && is_most && whole.windows(part.len()).any(|words| words == part)
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
    use crate::web::html::hints::page_kind::PageKind;

    #[test]
    fn a_title_repeats_the_headline_with_few_words_more() {
        let check = |heading: &str, title: &str, expected: bool| {
            searched(heading, true, PageKind::Other, |search| {
                let titles = ["Elsewhere", title].map(words);
                let node = with_id(search.tree, "x");
                assert_eq!(search.is_headline(node, &titles), expected, "of {heading}, {title}");
            });
        };
        check("<h1 id=x>A fox jumps!</h1>", "a FOX jumps | The Daily Fox", true);
        check("<h1 id=x>A fox jumps</h1>", "A fox jumps | News of the", true);
        check("<h1 id=x>A fox jumps</h1>", "A fox jumps | News of the day", false);
        check("<h1 id=x>A fox jumps</h1>", "A fox never jumps", false);
        check("<h1 id=x>Today: a fox jumps over it</h1>", "A fox jumps", true);
        check("<h1 id=x>Today: a fox jumps over it all</h1>", "A fox jumps", false);
        check("<h1 id=x> </h1>", "", false);
        check("<h1 id=x> </h1>", "A fox jumps", false);
        check("<h1 id=x>A fox jumps</h1>", "", false);
        check("<h2 id=x>A fox jumps</h2>", "A fox jumps", true);
        check("<h6 id=x>A fox jumps</h6>", "A fox jumps", true);
        let blanks = |count: usize| format!("<h1 id=x>A fox <b>{}</b>jumps</h1>", " ".repeat(count));
        check(&blanks(MAX_HEADLINE_BYTES - 11), "A fox jumps", true);
        check(&blanks(MAX_HEADLINE_BYTES - 10), "A fox jumps", false);
        check("<p id=x>A fox jumps</p>", "A fox jumps", false);
        let more = "<p>and much more";
        check(&format!("<h1 id=x hidden>A fox jumps</h1>{more}"), "A fox jumps", false);
        check(&format!("<div class=sronly><h1 id=x>A fox jumps</h1></div>{more}"), "A fox jumps", false);
        check("<video><h1 id=x>A fox jumps</h1></video>", "A fox jumps", false);
        check("<nav><h1 id=x>A fox jumps</h1></nav>", "A fox jumps", true);
    }

    #[test]
    fn titles_name_their_site_after_a_sign() {
        let check = |title: &str, expected: &str| assert_eq!(without_site(title), expected, "of {title}");
        check("Tools: The Manual", "Tools");
        check("Tools | Manual - Site", "Tools ");
        for sign in ["-", "–", "—", "·", "•", "|", "»", "/"] {
            check(&format!("Tools {sign} Manual"), "Tools ");
            check(&format!("Tools{sign} Manual"), &format!("Tools{sign} Manual"));
            check(&format!("Tools {sign}Manual"), &format!("Tools {sign}Manual"));
        }
        check("std::tools", "std::tools");
        check("Tools (old) (Manual)", "Tools (old)");
        check("Tools (Manual 2)", "Tools");
        check("Tools (Manual) 2", "Tools (Manual) 2");
        check("tools(1)", "tools(1)");
        check("At 10:30", "At 10:30");
        check("Tools : Manual", "Tools ");
        check("Tools, manual", "Tools, manual");
        check("", "");
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
        // Of a lower level only if there is no other, and the text does not begin with the title itself.
        check_above("<h2 id=h>Foxes</h2>", &text, "h");
        check_above(&format!("{HEADLINE}<h2 id=i>Foxes</h2>"), &text, "h");
        check_above("<h1>Hares</h1><h2 id=h>Foxes</h2>", &text, "h");
        check_above("<h2 id=h>Foxes</h2>", &format!("<h1>Hares</h1>{text}"), "");
        check_above("<h2 id=h>Foxes</h2>", &format!("<h2>Foxes</h2>{text}"), "");
        check_above("<h2 id=h>Foxes</h2>", &format!("<h3>Foxes</h3>{text}"), "h");
        check_above("<h2 id=h>Foxes</h2>", &format!("<h2 class=out>Foxes</h2>{text}"), "h");
        check_above("<h2 id=h>Foxes</h2>", &format!("<h3>Hares</h3>{text}"), "h");
        check_above("<h2 id=h class=out>Foxes</h2>", &text, "");
    }

    #[test]
    fn a_section_below_the_headline_is_part_of_the_lead() {
        let text = paragraph(1000);
        let check = |above: &str, expected: &str| check_above(&format!("{HEADLINE}{above}"), &text, expected);
        check("<h2 id=n>Name</h2><p id=p>fox</p>", "h n p");
        check("<p id=o>fox</p><h2 id=n>Name</h2><div><p id=p>fox</p></div>", "h n p");
        check("<h2 id=n>Name</h2>", "h");
        check("<h2 id=n>Name</h2><p id=p></p>", "h");
        check("<h2 id=n>Name</h2><p id=p><a href=/a>fox</a></p><p id=q>fox</p>", "h n q");
        check("<h2 id=n class=out>Name</h2><p id=p>fox</p>", "h");
        check("<div class=out><h2 id=n>Name</h2></div><p id=p>fox</p>", "h");
        check(
            "<h2 id=m>Kind</h2><h2 id=n>Name</h2><p id=p>fox</p><p id=q>fox</p><p id=s>fox</p>",
            "h n p q s",
        );
        // More than four blocks: the prose of them.
        let prose = "x".repeat(80);
        check(&format!("<p id=o>{prose}</p><h2 id=n>Name</h2><p id=p>fox</p><p id=q>fox</p>"), "h o n p q");
        check(&format!("<p id=o>{prose}</p><h2 id=n>Name</h2>{}", "<p id=p>fox</p>".repeat(3)), "h o");
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
            let wrapper = with_id(search.tree, "w");
            search.dropped[wrapper] = true;
            assert_eq!(ids_of(search.tree, search.headline_and_lead(root, &titles)), "h");
            search.dropped[wrapper] = false;
            search.lengths = ProseLengths::LINES;
            assert_eq!(ids_of(search.tree, search.headline_and_lead(root, &titles)), "h");
        });
    }
}
