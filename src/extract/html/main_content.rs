//! Finds the part of a page that it was made for, and what in it belongs to the frame.
//!
//! Three steps, each on measures of the tree (characters, links, prose). What names and roles give away as frame goes,
//! unless it holds too much of the page's prose. Of what is left, the element is chosen whose text speaks most for
//! itself: prose counts for it, lists of links and crumbs against it, so that neither a menu's element nor the whole
//! page wins. What remains of the frame inside it goes. Where the result is small beside what the page shows, the
//! whole body is taken: losing text is worse than keeping a menu.

use super::cues::{self, cues};
use super::measure::{Measure, measure};
use super::tag::Tag;
use super::tree::Tree;

/// Pages with less prose are taken whole: there is nothing to tell content from frame by.
const LITTLE_PROSE: f32 = 140.0;

/// A part that holds more of the page's prose is no frame, whatever it is called.
const MOST_FRAME: f32 = 0.35;

/// What readers wrote may be longer than what they wrote about.
const MOST_COMMENTS: f32 = 0.92;

/// Which nodes of a page are text.
#[derive(Debug)]
pub(super) struct Selection {
    /// Where the text stands, in document order, none inside another.
    pub roots: Vec<usize>,
    /// Nodes whose subtrees are left out.
    pub dropped: Vec<bool>,
    /// Words on buttons count.
    pub keeps_controls: bool,
    /// Addresses inside sentences are left out.
    pub bare_links: bool,
}

impl Selection {
    /// True where a node, with all below it, is left out.
    pub fn is_dropped(&self, node: usize) -> bool {
        self.dropped[node]
    }

    /// The whole body, as far as it is shown.
    pub fn whole(tree: &Tree, source: &str) -> Selection {
        let body = body(tree);
        Selection { roots: vec![body], dropped: unseen(tree, source, body), keeps_controls: true, bare_links: false }
    }

    /// What the page is about.
    pub fn main(tree: &Tree, source: &str, is_article: bool) -> Selection {
        let body = body(tree);
        let mut page = Page { tree, source, is_article, dropped: unseen(tree, source, body), measures: Vec::new() };
        page.measure();
        let shown = page.measures[body];
        if shown.prose < LITTLE_PROSE {
            return Selection::whole(tree, source);
        }
        page.drop_frame(body);
        let root = page.choose_root(body);
        page.clean(root);
        let left = page.measures[root];
        if left.prose < LITTLE_PROSE || left.prose < shown.prose * 0.05 {
            return Selection::whole(tree, source);
        }
        Selection { roots: vec![root], dropped: page.dropped, keeps_controls: false, bare_links: is_article }
    }
}

fn body(tree: &Tree) -> usize {
    tree.find(0, Tag::Body).unwrap_or(0)
}

/// What is never shown. Pages that show themselves by script hide their text first: what holds most of the text is
/// not taken for hidden.
fn unseen(tree: &Tree, source: &str, body: usize) -> Vec<bool> {
    let mut dropped = vec![false; tree.len()];
    for node in tree.below(body) {
        dropped[node] = tree.tag(node).is_some_and(Tag::is_machinery);
    }
    let measures = measure(tree, source, &dropped);
    let all = measures[body].chars;
    let mut at = body + 1;
    while at < tree.end(body) {
        if let Some(tag) = tree.tag(at) {
            let is_small = measures[at].chars < all * 0.5;
            let is_unseen = tag == Tag::Noscript || cues::is_hidden(tree, at) || cues(tree, source, at).unseen;
            dropped[at] |= is_unseen && is_small;
        }
        at = if dropped[at] { tree.end(at) } else { at + 1 };
    }
    dropped
}

/// A page at work.
struct Page<'a> {
    tree: &'a Tree,
    source: &'a str,
    is_article: bool,
    dropped: Vec<bool>,
    measures: Vec<Measure>,
}

impl Page<'_> {
    fn measure(&mut self) {
        self.measures = measure(self.tree, self.source, &self.dropped);
    }

    /// Visits what is not dropped, drops what `decide` says, and measures anew.
    fn drop_where(&mut self, root: usize, decide: impl Fn(&Self, usize, Tag) -> bool) {
        let mut at = root + 1;
        while at < self.tree.end(root) {
            if let Some(tag) = self.tree.tag(at).filter(|_| !self.dropped[at]) {
                self.dropped[at] = decide(self, at, tag);
            }
            // Names inside code are its highlighter's: `comment` is one there.
            let is_code = self.tree.tag(at).is_some_and(Tag::is_preformatted);
            at = if self.dropped[at] || is_code { self.tree.end(at) } else { at + 1 };
        }
        self.measure();
    }

    /// Leaves out what names, roles and elements give away as frame.
    fn drop_frame(&mut self, body: usize) {
        let all = self.measures[body];
        self.drop_where(body, |page, node, tag| {
            let part = page.measures[node];
            match page.frame_kind(node, tag) {
                None => false,
                Some(Frame::Comments) => part.prose < all.prose * MOST_COMMENTS && !page.holds_title(node),
                Some(Frame::Control) => true,
                Some(Frame::Form) => part.prose < all.prose * 0.2,
                Some(Frame::Named) => part.prose < all.prose * MOST_FRAME && !page.holds_title(node),
            }
        });
    }

    fn frame_kind(&self, node: usize, tag: Tag) -> Option<Frame> {
        let cues = cues(self.tree, self.source, node);
        let role = self.tree.attribute(node, "role").unwrap_or_default();
        if tag.is_control() {
            return Some(Frame::Control);
        }
        if cues::is_frame_proof(tag) || tag == Tag::A && !cues.frame {
            return None;
        }
        if cues.comments && (tag.is_block() || tag == Tag::Other) {
            return Some(Frame::Comments);
        }
        if tag == Tag::Blockquote || self.tree.find(node, Tag::Math).is_some() && part_is_small(&self.measures[node]) {
            return None;
        }
        let is_element = match tag {
            Tag::Nav | Tag::Menu | Tag::Search => true,
            Tag::Footer => !self.is_inside(node, Tag::Blockquote) && !self.is_inside(node, Tag::Figure),
            Tag::Header => !self.is_inside(node, Tag::Article) && !self.is_inside(node, Tag::Main),
            Tag::Aside => !cues.note,
            Tag::Dialog => true,
            _ => false,
        };
        if is_element || (cues::is_frame_role(role) && !cues.note) || (cues.frame && !cues.note) {
            return Some(Frame::Named);
        }
        let reads_so = self.measures[node].density() > 0.3 || self.measures[node].prose == 0.0;
        if cues.perhaps_frame && !cues.note && reads_so {
            return Some(Frame::Form);
        }
        (tag == Tag::Form).then_some(Frame::Form)
    }

    fn is_inside(&self, node: usize, tag: Tag) -> bool {
        self.tree.ancestors(node).any(|above| self.tree.tag(above) == Some(tag))
    }

    /// A part with the page's title and prose is not its frame.
    fn holds_title(&self, node: usize) -> bool {
        self.measures[node].prose > 400.0 && self.tree.find(node, Tag::H1).is_some()
    }

    /// The element that the page is about.
    fn choose_root(&self, body: usize) -> usize {
        let around = self.narrowed(body, Level::Main).unwrap_or(body);
        if around != body && !self.is_article {
            return around;
        }
        let mut best = around;
        for node in self.tree.below(around) {
            let is_candidate = self.tree.tag(node).is_some_and(is_container) && !self.dropped[node];
            if is_candidate && self.measures[node].value >= self.measures[best].value {
                best = node;
            }
        }
        for level in [Level::Article, Level::Body, Level::Body] {
            best = self.narrowed(best, level).unwrap_or(best);
        }
        best
    }

    /// The element inside `around` that is named as its content, where it holds most of the prose and is not one part
    /// of several.
    fn narrowed(&self, around: usize, level: Level) -> Option<usize> {
        let least = match level {
            Level::Main | Level::Article => 0.5,
            Level::Body => 0.6,
        };
        let found: Vec<usize> = self.tree.below(around).filter(|&node| self.is_named(node, level)).collect();
        let prose = |node: usize| self.measures[node].prose;
        let best = found.iter().copied().reduce(|best, node| if prose(node) >= prose(best) { node } else { best })?;
        let is_apart = |node: usize| node >= self.tree.end(best) || self.tree.end(node) <= best;
        let is_part = |node: &usize| {
            is_apart(*node)
                && prose(*node) > prose(best) * 0.08
                && self.first_name(*node) == self.first_name(best)
        };
        let least = if self.is_article { least } else { 0.9_f32.max(least) };
        let least = if level == Level::Main { 0.5 } else { least };
        (prose(best) >= prose(around) * least && !found.iter().any(is_part)).then_some(best)
    }

    /// The first of an element's classes, numbers aside: `story-body-2` is the second part of what `story-body-1` is.
    fn first_name(&self, node: usize) -> Option<&str> {
        let first = self.tree.attribute(node, "class")?.split_ascii_whitespace().next()?;
        Some(first.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '_'))
    }

    fn is_named(&self, node: usize, level: Level) -> bool {
        let Some(tag) = self.tree.tag(node).filter(|_| !self.dropped[node]) else { return false };
        let role = self.tree.attribute(node, "role").unwrap_or_default();
        match level {
            Level::Main => tag == Tag::Main || role == "main",
            Level::Article => tag == Tag::Article || role == "article",
            Level::Body => {
                let is_item = self.tree.attribute(node, "itemprop").is_some_and(|name| name.contains("articleBody"));
                is_item || (is_container(tag) && cues(self.tree, self.source, node).body)
            }
        }
    }

    /// Leaves out what is left of the frame inside the content.
    fn clean(&mut self, root: usize) {
        let all = self.measures[root];
        if self.is_article {
            self.drop_where(root, |page, node, tag| page.is_credit(node, tag, all) || page.is_link_list(node, tag, all));
        }
        self.drop_announced(root);
    }

    /// Who, when and filed under what: metadata, not text.
    fn is_credit(&self, node: usize, tag: Tag, all: Measure) -> bool {
        let part = self.measures[node];
        let is_short = part.chars < 300.0 && part.chars < all.chars * 0.3;
        let is_tag = self.tree.attribute(node, "rel").is_some_and(|rel| rel.split(' ').any(|word| word == "tag" || word == "author"));
        let is_named = cues(self.tree, self.source, node).credits || matches!(tag, Tag::Time | Tag::Address) || is_tag;
        is_short && is_named && !cues::is_frame_proof(tag) && self.tree.find(node, Tag::H1).is_none()
    }

    /// Mostly links to elsewhere, beside prose.
    fn is_link_list(&self, node: usize, tag: Tag, all: Measure) -> bool {
        let part = self.measures[node];
        let is_list = matches!(tag, Tag::Ul | Tag::Ol | Tag::Div | Tag::Section | Tag::Table | Tag::P | Tag::Dl);
        is_list && part.density() > 0.75 && part.chars > 0.0 && part.chars < all.chars * 0.3
    }

    /// Leaves out headings that announce other pages, with the links that follow.
    fn drop_announced(&mut self, root: usize) {
        let all = self.measures[root];
        let mut drops = Vec::new();
        for node in self.tree.below(root).filter(|&node| !self.dropped[node]) {
            if self.tree.tag(node).and_then(Tag::heading_level).is_none() {
                continue;
            }
            if !cues::is_frame_heading(&self.tree.text_below(node, self.source)) {
                continue;
            }
            let parent = self.tree.parent(node);
            let rest = self.tree.children(parent).skip_while(|&child| child != node).skip(1);
            let until = rest.take_while(|&child| self.tree.tag(child).and_then(Tag::heading_level).is_none());
            let announced: Vec<usize> = until.collect();
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
}

/// How closely a name says that it is the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Main,
    Article,
    Body,
}

/// Why something is frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    Named,
    Comments,
    Control,
    Form,
}

/// Small enough to be one formula with its wrappers.
fn part_is_small(part: &Measure) -> bool {
    part.chars < 400.0
}

fn is_container(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Body | Tag::Main | Tag::Article | Tag::Section | Tag::Div | Tag::Td | Tag::Form | Tag::Center | Tag::Blockquote
            | Tag::Table | Tag::Tbody | Tag::Tr | Tag::Fieldset | Tag::Details | Tag::Dd | Tag::Li | Tag::Other | Tag::Font
            | Tag::Span
    )
}
