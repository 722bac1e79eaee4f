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
