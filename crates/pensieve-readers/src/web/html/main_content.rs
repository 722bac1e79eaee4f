//! Finds the main content of a page, and the boilerplate inside it.
//!
//! Three steps, each on measures of the tree (characters, links, prose). Elements that names and roles mark as
//! boilerplate are dropped, unless they have too much of the page's prose. Of the rest, the element with the highest
//! value is chosen: prose counts for it, lists of links and short fragments against it, so that neither a menu nor
//! the whole page wins. Boilerplate inside the chosen element is dropped. If the result is small compared with what
//! the page shows, the whole body is taken without menus and footers: losing text is worse than keeping a menu
//! ([`whole_page`]). The headline above the chosen element, and its lead, are put back ([`headline`]).
//!
//! What a page declares itself to be decides what counts: posts of readers are the content of a thread, reviews of
//! buyers are not that of a product ([`PageKind`]).

mod headline;
mod whole_page;

use super::content_selection::{ContentSelection, body, unseen};
use super::metadata::PageMetadata;
use super::name_hints::{self, NameHints};
use super::page_kind::PageKind;
use super::prose::{ProseLengths, ProseMeasure, measure};
use super::tag::HtmlTag;
use super::tree::PageTree;
use super::{known_pictures, repeated_text};

/// Pages with less prose are taken whole: nothing distinguishes content from boilerplate.
const MIN_PROSE: f32 = 140.0;

/// If a smaller share of the text outside links is in paragraphs, the page is written in lines.
const MIN_PARAGRAPH_SHARE: f32 = 0.2;

/// A part with a larger share of the page's prose is not boilerplate, whatever it is called.
const MAX_BOILERPLATE_SHARE: f32 = 0.35;

/// The same limit for parts outside of the element that is named as the content.
const MAX_BESIDE_SHARE: f32 = 0.85;

/// The same limit for comments, which may be longer than the text that they comment on.
const MAX_COMMENTS_SHARE: f32 = 0.92;

/// The same limit for reviews of a product.
const MAX_REVIEWS_SHARE: f32 = 0.95;

/// The same limit for dialogs: a short page may ask for consent at length.
const MAX_DIALOG_SHARE: f32 = 0.97;

/// Longer parts about who wrote a post are posts.
const MAX_POSTER_CHARS: f32 = 600.0;

/// Selects the main content of a page.
pub(super) fn select_main(tree: &PageTree, source: &str, metadata: &PageMetadata) -> ContentSelection {
    let mut selection = select(tree, source, metadata);
    repeated_text::drop_copies(tree, source, &mut selection);
    known_pictures::drop_known_pictures(tree, source, metadata.kind, &mut selection);
    selection
}

fn select(tree: &PageTree, source: &str, metadata: &PageMetadata) -> ContentSelection {
    let body = body(tree);
    let hints = name_hints::all_hints(tree, source);
    let (lengths, dropped) = (ProseLengths::PARAGRAPHS, unseen(tree, source, &hints, body));
    let (is_article, kind) = (metadata.is_article, metadata.kind);
    let mut page =
        ContentSearch { tree, source, is_article, kind, lengths, dropped, hints, measures: Vec::new() };
    page.measure();
    page.adapt(body);
    let shown = page.measures[body];
    if shown.prose < MIN_PROSE {
        return page.without_furniture(body);
    }
    page.drop_boilerplate(body);
    page.adapt(body);
    page.is_article |= page.reads_like_article(body);
    let root = page.widened(page.choose_root(body), body);
    page.drop_inside(root);
    let left = page.measures[root];
    if left.prose < MIN_PROSE || left.prose < shown.prose * 0.05 {
        return page.without_furniture(body);
    }
    let mut roots = page.headline_and_lead(root, &metadata.titles);
    roots.push(root);
    ContentSelection {
        roots,
        dropped: page.dropped,
        keeps_controls: false,
        bare_links: page.is_article,
        is_chapter: false,
    }
}

/// The search for the content of a page.
struct ContentSearch<'a> {
    tree: &'a PageTree,
    source: &'a str,
    is_article: bool,
    kind: PageKind,
    lengths: ProseLengths,
    dropped: Vec<bool>,
    hints: Vec<NameHints>,
    measures: Vec<ProseMeasure>,
}

impl ContentSearch<'_> {
    fn measure(&mut self) {
        self.measures = measure(self.tree, self.source, &self.dropped, self.lengths);
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
    fn drop_where(&mut self, root: usize, decide: impl Fn(&Self, usize, HtmlTag) -> bool) {
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

    /// Leaves out what names, roles and elements mark as boilerplate.
    fn drop_boilerplate(&mut self, body: usize) {
        let all = self.measures[body];
        let core = self.core(body);
        self.drop_where(body, |page, node, tag| {
            let part = page.measures[node];
            let is_beside =
                core.is_some_and(|core| core >= page.tree.end(node) || page.tree.end(core) <= node);
            let most = match page.boilerplate_kind(node, tag) {
                None => return false,
                Some(BoilerplateKind::Control) => return true,
                Some(BoilerplateKind::Form) => 0.2,
                Some(BoilerplateKind::Comments) => MAX_COMMENTS_SHARE,
                Some(BoilerplateKind::Reviews) => MAX_REVIEWS_SHARE,
                Some(BoilerplateKind::Dialog) => MAX_DIALOG_SHARE,
                Some(BoilerplateKind::Named) if matches!(tag, HtmlTag::Nav | HtmlTag::Footer) => {
                    MAX_BESIDE_SHARE
                }
                Some(BoilerplateKind::Named) if is_beside => MAX_BESIDE_SHARE,
                Some(BoilerplateKind::Named) => MAX_BOILERPLATE_SHARE,
            };
            part.prose < all.prose * most && !page.holds_title(node)
        });
    }

    /// The element that is named most clearly as the content: parts outside of it may be long and still be
    /// boilerplate.
    fn core(&self, body: usize) -> Option<usize> {
        let largest = |level: ContentName| {
            let named = self.tree.below(body).filter(|&node| self.is_named(node, level));
            let prose = |node: usize| self.measures[node].prose;
            let best = named.reduce(|best, node| if prose(node) > prose(best) { node } else { best })?;
            (prose(best) > MIN_PROSE * 2.0).then_some(best)
        };
        [ContentName::Body, ContentName::Article, ContentName::Main].into_iter().find_map(largest)
    }

    fn boilerplate_kind(&self, node: usize, tag: HtmlTag) -> Option<BoilerplateKind> {
        let mut hints = self.hints[node];
        if !tag.is_block() && tag != HtmlTag::Other && self.is_in_prose(node) {
            hints = NameHints::default();
        }
        let role = self.tree.attribute(node, "role").unwrap_or_default();
        if tag.is_control() && !self.tree.is_button_of_heading(node) {
            return Some(BoilerplateKind::Control);
        }
        if name_hints::holds_everything(tag) {
            return None;
        }
        let is_part = tag.is_block() || tag == HtmlTag::Other;
        if hints.reviews && is_part && self.kind == PageKind::Product {
            return Some(BoilerplateKind::Reviews);
        }
        if hints.comments && is_part {
            return (self.kind != PageKind::Thread).then_some(BoilerplateKind::Comments);
        }
        if hints.poster && self.is_about_poster(node) {
            return Some(BoilerplateKind::Named);
        }
        if tag == HtmlTag::Dialog || matches!(role, "dialog" | "alertdialog") {
            // One inside the content has more of it, for those who ask.
            let is_content = self.is_inside(node, HtmlTag::Main);
            return Some(if is_content { BoilerplateKind::Named } else { BoilerplateKind::Dialog });
        }
        if tag == HtmlTag::Blockquote || self.is_formula(node) {
            return None;
        }
        let is_element = match tag {
            HtmlTag::Nav | HtmlTag::Menu | HtmlTag::Search => true,
            HtmlTag::Footer => {
                !self.is_inside(node, HtmlTag::Blockquote) && !self.is_inside(node, HtmlTag::Figure)
            }
            HtmlTag::Header => {
                !self.is_inside(node, HtmlTag::Article) && !self.is_inside(node, HtmlTag::Main)
            }
            HtmlTag::Aside => !hints.note,
            _ => false,
        };
        if is_element
            || (name_hints::is_boilerplate_role(role) && !hints.note)
            || (hints.boilerplate && !hints.note)
        {
            return Some(BoilerplateKind::Named);
        }
        let reads_so = self.measures[node].density() > 0.3 || self.measures[node].prose == 0.0;
        if hints.perhaps_boilerplate && !hints.note && reads_so {
            return Some(BoilerplateKind::Form);
        }
        (tag == HtmlTag::Form).then_some(BoilerplateKind::Form)
    }

    /// True for a short part of a thread about the writer of a post.
    fn is_about_poster(&self, node: usize) -> bool {
        self.kind == PageKind::Thread
            && self.measures[node].chars < MAX_POSTER_CHARS
            && self.tree.find(node, HtmlTag::H1).is_none()
    }

    /// True for a formula in the wrappers of its typesetter, which have menus of their own.
    fn is_formula(&self, node: usize) -> bool {
        self.measures[node].chars < 400.0
            && self.tree.below(node).take(2_000).any(|below| self.tree.tag(below) == Some(HtmlTag::Math))
    }

    /// True inside a block that reads as prose: names of links and spans there are decoration.
    fn is_in_prose(&self, node: usize) -> bool {
        let is_block = |&above: &usize| self.tree.tag(above).is_some_and(HtmlTag::is_block);
        let block = self.tree.ancestors(node).find(is_block);
        block.is_some_and(|block| self.measures[block].prose > self.measures[node].chars)
    }

    fn is_inside(&self, node: usize, tag: HtmlTag) -> bool {
        self.tree.ancestors(node).any(|above| self.tree.tag(above) == Some(tag))
    }

    /// A part with the page's title and prose is not boilerplate.
    fn holds_title(&self, node: usize) -> bool {
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
        if around != body && !self.is_article {
            return around;
        }
        let mut best = around;
        for node in self.tree.below(around) {
            let is_candidate = self.tree.tag(node).is_some_and(HtmlTag::is_container) && !self.dropped[node];
            if is_candidate && self.measures[node].value >= self.measures[best].value {
                best = node;
            }
        }
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
                && self.first_name(*node) == self.first_name(best)
        };
        let least = if self.is_article { least } else { 0.9_f32.max(least) };
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
        let role = self.tree.attribute(node, "role").unwrap_or_default();
        match level {
            ContentName::Main => tag == HtmlTag::Main || role == "main",
            ContentName::Article => tag == HtmlTag::Article || role == "article",
            ContentName::Body => {
                let is_item =
                    self.tree.attribute(node, "itemprop").is_some_and(|name| name.contains("articleBody"));
                is_item || (tag.is_container() && self.hints[node].body)
            }
        }
    }

    /// Leaves out the boilerplate inside the content.
    fn drop_inside(&mut self, root: usize) {
        let all = self.measures[root];
        if self.is_article || self.kind != PageKind::Other {
            self.drop_where(root, |page, node, tag| {
                (page.is_article && page.is_credit(node, tag, all)) || page.is_link_list(node, tag, all)
            });
        }
        self.drop_announced(root);
    }

    /// True for credits (author, date, category): metadata, not text.
    fn is_credit(&self, node: usize, tag: HtmlTag, all: ProseMeasure) -> bool {
        let part = self.measures[node];
        let is_short = part.chars < 300.0 && part.chars < all.chars * 0.3;
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
        for node in drops {
            self.dropped[node] = true;
        }
        self.measure();
    }

    /// The nodes that follow a heading, up to the next heading.
    fn until_heading(&self, heading: usize) -> Vec<usize> {
        let is_heading = |&node: &usize| self.tree.tag(node).and_then(HtmlTag::heading_level).is_some();
        self.tree.following(heading).take_while(|node| !is_heading(node)).collect()
    }
}

/// What names an element as the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentName {
    Main,
    Article,
    Body,
}

/// Why something is boilerplate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BoilerplateKind {
    Named,
    Comments,
    Reviews,
    Dialog,
    Control,
    Form,
}

#[cfg(test)]
mod tests;
