//! Leaves out what is boilerplate inside the main content: credits, lists of links, what announces other pages.

use super::ContentSearch;
use crate::web::html::name_hints;
use crate::web::html::page_kind::PageKind;
use crate::web::html::prose::ProseMeasure;
use crate::web::html::tag::HtmlTag;

/// Longer parts about the author of an article are text.
const MAX_BIOGRAPHY_CHARS: f32 = 700.0;

/// A paragraph that announces another page has at least this share of links.
const MIN_ANNOUNCED_LINKS: f32 = 0.4;

/// Longer headings are text.
const MAX_BARE_CHARS: f32 = 60.0;

impl ContentSearch<'_> {
    /// Leaves out the boilerplate inside the content.
    pub(super) fn drop_inside(&mut self, root: usize) {
        let (all, before) = (self.measures[root], self.dropped.clone());
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
            && self.measures[node].prose < all.prose * 0.1
            && self.tree.below(node).any(is_link)
    }

    /// True for credits (author, date, category): metadata, not text.
    fn is_credit(&self, node: usize, tag: HtmlTag, all: ProseMeasure) -> bool {
        let part = self.measures[node];
        let is_below = |chars: f32, share: f32| part.chars < chars && part.chars < all.chars * share;
        let is_short = is_below(300.0, 0.3) || self.hints[node].byline && is_below(MAX_BIOGRAPHY_CHARS, 0.2);
        let is_tag = self
            .tree
            .attribute(node, "rel")
            .is_some_and(|rel| rel.split(' ').any(|word| word == "tag" || word == "author"));
        let is_named = self.hints[node].credits || matches!(tag, HtmlTag::Time | HtmlTag::Address) || is_tag;
        is_short
            && is_named
            && !name_hints::holds_everything(tag)
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
            let prose: f32 = announced.iter().map(|&child| self.measures[child].prose).sum();
            if prose < all.prose * 0.1 {
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
            && next.is_none_or(|next| next <= level)
            && below.iter().all(|&at| is_blank(at))
            && below.iter().any(was_dropped)
    }

    /// The nodes that follow a heading, up to the next heading.
    fn until_heading(&self, heading: usize) -> Vec<usize> {
        let is_heading = |&node: &usize| self.tree.tag(node).and_then(HtmlTag::heading_level).is_some();
        self.tree.following(heading).take_while(|node| !is_heading(node)).collect()
    }
}
