//! Finds the main content of a page, and the boilerplate inside it.
//!
//! Three steps, each on measures of the tree (characters, links, prose). Elements that names and roles mark as
//! boilerplate are dropped, unless they have too much of the page's prose. Of the rest, the element with the highest
//! value is chosen: prose counts for it, lists of links and short fragments against it, so that neither a menu nor
//! the whole page wins. In a manual that may be one section of several: then the element around all of them is taken
//! ([`sections`]). Boilerplate inside the chosen element is dropped. If the result is small compared with what
//! the page shows, the whole body is taken without menus and footers: losing text is worse than keeping a menu
//! ([`whole_page`]). The headline above the chosen element, and its lead, are put back ([`headline`]).
//!
//! What a page declares itself to be decides what counts: posts of readers are the content of a thread, reviews of
//! buyers are not that of a product ([`PageKind`]).

mod boilerplate;
mod headline;
mod inside;
mod sections;
mod whole_page;

use super::hints::name_hints::{self, NameHints};
use super::hints::page_kind::PageKind;
use super::hints::prose::{PageTexts, ProseLengths, ProseMeasure};
use super::metadata::PageMetadata;
use super::parse::tag::HtmlTag;
use super::parse::tree::PageTree;
use super::visibility::content_selection::{ContentSelection, body, unseen};
use super::visibility::hidden::HiddenNode;
use super::visibility::{known_pictures, repeated_text};

/// Pages with less prose are taken whole: nothing distinguishes content from boilerplate.
// Here and in the other files of the search: changes of word F1 on 341 pages of seven types
// (docs/formats.md), one number varied, without cleaning. At 60 one page loses .56; at 300 one gains .42 and
// one loses .23.
const MIN_PROSE: f32 = 140.0;

/// If a smaller share of the text outside links is in paragraphs, the page is written in lines.
// At .05 one page loses .63, at .4 another .56.
const MIN_PARAGRAPH_SHARE: f32 = 0.2;

/// Selects the main content of a page.
pub(super) fn select_main(tree: &PageTree, source: &str, metadata: &PageMetadata) -> ContentSelection {
    let mut selection = select(tree, source, metadata);
    // Before pictures, whose descriptions are compared with what is left.
    repeated_text::drop_copies(tree, source, &mut selection);
    known_pictures::drop_known_pictures(tree, source, metadata.kind, &mut selection);
    selection
}

fn select(tree: &PageTree, source: &str, metadata: &PageMetadata) -> ContentSelection {
    let body = body(tree);
    let (hints, texts) = (name_hints::all_hints(tree, source), PageTexts::read(tree, source, body));
    let unseen = unseen(tree, source, &texts, &hints, body);
    let mut page = ContentSearch {
        tree,
        source,
        texts,
        formulas: tree.all(HtmlTag::Math).collect(),
        has_readers: ContentSearch::has_texts_of_readers(tree, &hints),
        is_article: metadata.is_article,
        kind: metadata.kind,
        lengths: ProseLengths::PARAGRAPHS,
        dropped: unseen.dropped.clone(),
        unseen: unseen.dropped,
        hidden: unseen.hidden,
        folded: unseen.folded,
        hints,
        measures: Vec::new(),
    };
    page.measure();
    page.adapt(body);
    let shown = page.measures[body];
    if shown.prose < MIN_PROSE {
        return page.without_furniture(body);
    }
    page.drop_boilerplate(body);
    page.adapt(body);
    // After boilerplate went: bylines of other posts are no evidence.
    page.is_article |= page.reads_like_article(body);
    let root = page.with_other_sections(page.choose_root(body), body, &metadata.titles);
    let root = page.widened(root, body);
    page.drop_inside(root);
    let left = page.measures[root];
    // Losing text is worse than keeping a menu.
    // At 0 one page loses .40, at .15 five do, up to .63.
    if left.prose < MIN_PROSE || left.prose < shown.prose * 0.05 {
        return page.without_furniture(body);
    }
    let mut roots = page.headline_and_lead(root, &metadata.titles);
    roots.push(root);
    ContentSelection {
        roots,
        dropped: page.dropped,
        // Buttons beside an article are those of its site.
        keeps_controls: false,
        bare_links: page.is_article,
        hidden: page.hidden,
        folded: page.folded,
        is_chapter: false,
    }
}

/// The search for the content of a page.
struct ContentSearch<'a> {
    tree: &'a PageTree,
    source: &'a str,
    texts: PageTexts,
    /// Every formula, in document order.
    formulas: Vec<usize>,
    /// Texts by readers are on the page, not only what a programmer noted on code.
    has_readers: bool,
    is_article: bool,
    kind: PageKind,
    lengths: ProseLengths,
    dropped: Vec<bool>,
    /// Nodes that are not shown.
    unseen: Vec<bool>,
    /// Those of them that nobody can see.
    hidden: Vec<HiddenNode>,
    folded: Vec<usize>,
    hints: Vec<NameHints>,
    measures: Vec<ProseMeasure>,
}

impl ContentSearch<'_> {
    fn measure(&mut self) {
        self.measures = self.texts.measure(self.tree, &self.dropped, self.lengths);
    }

    /// Counts lines as prose if the page has hardly any paragraphs.
    fn adapt(&mut self, body: usize) {
        let shown = self.measures[body];
        if self.lengths == ProseLengths::PARAGRAPHS
            && shown.prose < (shown.chars - shown.links) * MIN_PARAGRAPH_SHARE
        {
            self.lengths = ProseLengths::LINES;
            self.measure();
        }
    }

    /// Visits the nodes that are not dropped, drops those for which `decide` is true, and measures again.
    fn drop_where(&mut self, root: usize, mut decide: impl FnMut(&Self, usize, HtmlTag) -> bool) {
        let mut at = root + 1;
        while at < self.tree.end(root) {
            if let Some(tag) = self.tree.tag(at).filter(|_| !self.dropped[at]) {
                self.dropped[at] = decide(self, at, tag);
            }
            // Names inside code come from its highlighter, where `comment` is a kind of token.
            let is_code = self.tree.tag(at).is_some_and(HtmlTag::is_preformatted);
            at = if self.dropped[at] || is_code { self.tree.end(at) } else { at + 1 };
        }
        self.measure();
    }

    /// The element that is named most clearly as the content: parts outside of it may be long and still be
    /// boilerplate.
    fn core(&self, body: usize) -> Option<usize> {
        let largest = |level: ContentName| {
            let named = self.tree.below(body).filter(|&node| self.is_named(node, level));
            let prose = |node: usize| self.measures[node].prose;
            let best = named.reduce(|best, node| if prose(node) > prose(best) { node } else { best })?;
            // Short teasers have the same names as what they lead to.
            (prose(best) > MIN_PROSE * 2.0).then_some(best)
        };
        // The closest around the text first.
        [ContentName::Body, ContentName::Article, ContentName::Main].into_iter().find_map(largest)
    }

    fn is_inside(&self, node: usize, tag: HtmlTag) -> bool {
        self.tree.ancestors(node).any(|above| self.tree.tag(above) == Some(tag))
    }

    /// A part with the page's title and prose is not boilerplate.
    fn holds_title(&self, node: usize) -> bool {
        // A header of a site has its title too, with hardly any prose.
        // At 0 one page loses .47.
        self.measures[node].prose > 400.0 && self.tree.find(node, HtmlTag::H1).is_some()
    }

    /// A page that does not declare itself an article counts as one if one element is named as its body, and it has a
    /// byline or a `time` element.
    fn reads_like_article(&self, body: usize) -> bool {
        let all = self.measures[body].prose;
        let largest = |level: ContentName| {
            let named = self.tree.below(body).filter(|&node| self.is_named(node, level));
            named.map(|node| self.measures[node].prose).fold(0.0, f32::max)
        };
        let is_one_text = largest(ContentName::Body).max(largest(ContentName::Article)) > all * 0.6;
        let signs = |node: usize| self.tree.tag(node) == Some(HtmlTag::Time) || self.hints[node].byline;
        is_one_text && self.tree.below(body).any(|node| !self.dropped[node] && signs(node))
    }

    /// The element with the main content.
    fn choose_root(&self, body: usize) -> usize {
        let around = self.narrowed(body, ContentName::Main).unwrap_or(body);
        // Pages that are no articles have several parts, and the site says which are content.
        if around != body && !self.is_article {
            return around;
        }
        let mut best = around;
        for node in self.tree.below(around) {
            let is_candidate = self.tree.tag(node).is_some_and(HtmlTag::is_container) && !self.dropped[node];
            // Of equal ones the innermost.
            if is_candidate && self.measures[node].value >= self.measures[best].value {
                best = node;
            }
        }
        // Bodies may be nested: that of the page, then that of the text.
        for level in [ContentName::Article, ContentName::Body, ContentName::Body] {
            best = self.narrowed(best, level).unwrap_or(best);
        }
        best
    }

    /// The element inside `around` that is named as its content, if it has most of the prose and is not one part of
    /// several.
    fn narrowed(&self, around: usize, level: ContentName) -> Option<usize> {
        let least = match level {
            ContentName::Main | ContentName::Article => 0.5,
            ContentName::Body => 0.6,
        };
        let found: Vec<usize> = self.tree.below(around).filter(|&node| self.is_named(node, level)).collect();
        let prose = |node: usize| self.measures[node].prose;
        let best = found
            .iter()
            .copied()
            .reduce(|best, node| if prose(node) >= prose(best) { node } else { best })?;
        let is_apart = |node: usize| node >= self.tree.end(best) || self.tree.end(node) <= best;
        let is_part = |node: &usize| {
            is_apart(*node)
                && prose(*node) > prose(best) * 0.08
                // Parts of one text have one name; a teaser has another.
                && self.first_name(*node) == self.first_name(best)
        };
        // Elsewhere the body of one part is called the same.
        let least = if self.is_article { least } else { 0.9_f32.max(least) };
        // A page has one main element by the standard, so half is enough for it.
        let least = if level == ContentName::Main { 0.5 } else { least };
        (prose(best) >= prose(around) * least && !found.iter().any(is_part)).then_some(best)
    }

    /// The first of an element's classes without its numbers: `story-body-2` continues `story-body-1`.
    fn first_name(&self, node: usize) -> Option<&str> {
        let first = self.tree.attribute(node, "class")?.split_ascii_whitespace().next()?;
        Some(first.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '_'))
    }

    fn is_named(&self, node: usize, level: ContentName) -> bool {
        let Some(tag) = self.tree.tag(node).filter(|_| !self.dropped[node]) else { return false };
        let has_role = |role: &str| self.tree.attribute(node, "role") == Some(role);
        match level {
            ContentName::Main => tag == HtmlTag::Main || has_role("main"),
            ContentName::Article => tag == HtmlTag::Article || has_role("article"),
            ContentName::Body => {
                let is_item =
                    self.tree.attribute(node, "itemprop").is_some_and(|name| name.contains("articleBody"));
                is_item || (tag.is_container() && self.hints[node].body)
            }
        }
    }
}

/// What names an element as the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentName {
    Main,
    Article,
    Body,
}

#[cfg(test)]
mod tests;
