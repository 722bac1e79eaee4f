//! Finds the part of a page that it was made for, and what in it belongs to the frame.
//!
//! Three steps, each on measures of the tree (characters, links, prose). What names and roles give away as frame goes,
//! unless it holds too much of the page's prose. Of what is left, the element is chosen whose text speaks most for
//! itself: prose counts for it, lists of links and crumbs against it, so that neither a menu's element nor the whole
//! page wins. What remains of the frame inside it goes. Where the result is small beside what the page shows, the
//! whole body is taken: losing text is worse than keeping a menu. The headline over what was chosen, and its lead, are
//! put back ([`above`]).

mod above;

use super::cues::{self, Cues};
use super::measure::{Lengths, Measure, measure};
use super::metadata::Metadata;
use super::tag::Tag;
use super::tree::Tree;

/// Pages with less prose are taken whole: there is nothing to tell content from frame by.
const LITTLE_PROSE: f32 = 140.0;

/// Where less of the text that is no link stands in paragraphs, lines are what the page is written in.
const LEAST_PARAGRAPHS: f32 = 0.2;

/// A part that holds more of the page's prose is no frame, whatever it is called.
const MOST_FRAME: f32 = 0.35;

/// Beside what is named as the content more is allowed.
const MOST_BESIDE: f32 = 0.85;

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
    /// It is a chapter: nothing is hidden, addresses inside the book are left out, words of drawings count.
    pub is_chapter: bool,
}

impl Selection {
    /// True where a node, with all below it, is left out.
    pub fn is_dropped(&self, node: usize) -> bool {
        self.dropped[node]
    }

    /// The whole body, as far as it is shown.
    pub fn whole(tree: &Tree, source: &str) -> Selection {
        let body = body(tree);
        let dropped = unseen(tree, source, &cues::all_cues(tree, source), body);
        Selection { roots: vec![body], dropped, keeps_controls: true, bare_links: false, is_chapter: false }
    }

    /// The whole body of a chapter.
    pub fn chapter(tree: &Tree) -> Selection {
        let is_dropped =
            |node| tree.tag(node).is_some_and(|tag: Tag| tag.is_machinery() && !tag.is_drawing());
        let dropped = (0..tree.len()).map(is_dropped).collect();
        let roots = vec![body(tree)];
        Selection { roots, dropped, keeps_controls: true, bare_links: false, is_chapter: true }
    }

    /// What the page is about.
    pub fn main(tree: &Tree, source: &str, metadata: &Metadata) -> Selection {
        let body = body(tree);
        let cues = cues::all_cues(tree, source);
        let (lengths, dropped) = (Lengths::PARAGRAPHS, unseen(tree, source, &cues, body));
        let is_article = metadata.is_article;
        let mut page = Page { tree, source, is_article, lengths, dropped, cues, measures: Vec::new() };
        page.measure();
        page.adapt(body);
        let shown = page.measures[body];
        if shown.prose < LITTLE_PROSE {
            return Selection::whole(tree, source);
        }
        page.drop_frame(body);
        page.adapt(body);
        page.is_article |= page.reads_like_article(body);
        let root = page.choose_root(body);
        page.clean(root);
        let left = page.measures[root];
        if left.prose < LITTLE_PROSE || left.prose < shown.prose * 0.05 {
            return Selection::whole(tree, source);
        }
        let mut roots = page.above(root, &metadata.titles);
        roots.push(root);
        Selection {
            roots,
            dropped: page.dropped,
            keeps_controls: false,
            bare_links: page.is_article,
            is_chapter: false,
        }
    }
}

fn body(tree: &Tree) -> usize {
    tree.find(0, Tag::Body).unwrap_or(0)
}

/// What is never shown. Pages that show themselves by script hide their text first: what holds most of the text is
/// not taken for hidden.
fn unseen(tree: &Tree, source: &str, cues: &[Cues], body: usize) -> Vec<bool> {
    let mut dropped = vec![false; tree.len()];
    for node in tree.below(body) {
        dropped[node] = tree.tag(node).is_some_and(Tag::is_machinery);
    }
    let measures = measure(tree, source, &dropped, Lengths::PARAGRAPHS);
    let all = measures[body].chars;
    let mut at = body + 1;
    while at < tree.end(body) {
        if let Some(tag) = tree.tag(at) {
            let is_small = measures[at].chars < all * 0.5;
            let is_unseen = tag == Tag::Noscript || cues::is_hidden(tree, at) || cues[at].unseen;
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
    lengths: Lengths,
    dropped: Vec<bool>,
    cues: Vec<Cues>,
    measures: Vec<Measure>,
}

impl Page<'_> {
    fn measure(&mut self) {
        self.measures = measure(self.tree, self.source, &self.dropped, self.lengths);
    }

    /// Takes lines for prose where the page has hardly any paragraphs.
    fn adapt(&mut self, body: usize) {
        let shown = self.measures[body];
        if self.lengths == Lengths::PARAGRAPHS && shown.prose < (shown.chars - shown.links) * LEAST_PARAGRAPHS
        {
            self.lengths = Lengths::LINES;
            self.measure();
        }
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
        let core = self.core(body);
        self.drop_where(body, |page, node, tag| {
            let part = page.measures[node];
            let is_beside =
                core.is_some_and(|core| core >= page.tree.end(node) || page.tree.end(core) <= node);
            let most = match page.frame_kind(node, tag) {
                None => return false,
                Some(Frame::Control) => return true,
                Some(Frame::Form) => 0.2,
                Some(Frame::Comments) => MOST_COMMENTS,
                Some(Frame::Named) if is_beside => MOST_BESIDE,
                Some(Frame::Named) => MOST_FRAME,
            };
            part.prose < all.prose * most && !page.holds_title(node)
        });
    }

    /// What is named most clearly as the content: what stands beside it may be long and yet be frame.
    fn core(&self, body: usize) -> Option<usize> {
        let largest = |level: Level| {
            let named = self.tree.below(body).filter(|&node| self.is_named(node, level));
            let prose = |node: usize| self.measures[node].prose;
            let best = named.reduce(|best, node| if prose(node) > prose(best) { node } else { best })?;
            (prose(best) > LITTLE_PROSE * 2.0).then_some(best)
        };
        [Level::Body, Level::Article, Level::Main].into_iter().find_map(largest)
    }

    fn frame_kind(&self, node: usize, tag: Tag) -> Option<Frame> {
        let mut cues = self.cues[node];
        if !tag.is_block() && tag != Tag::Other && self.is_in_prose(node) {
            cues = Cues::default();
        }
        let role = self.tree.attribute(node, "role").unwrap_or_default();
        if tag.is_control() {
            return Some(Frame::Control);
        }
        if cues::is_frame_proof(tag) {
            return None;
        }
        if cues.comments && (tag.is_block() || tag == Tag::Other) {
            return Some(Frame::Comments);
        }
        if tag == Tag::Blockquote || self.is_formula(node) {
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

    /// A formula in the wrappers of its typesetter, which have menus of their own.
    fn is_formula(&self, node: usize) -> bool {
        self.measures[node].chars < 400.0
            && self.tree.below(node).take(2_000).any(|below| self.tree.tag(below) == Some(Tag::Math))
    }

    /// True inside a block that reads as prose: names of links and spans there are decoration.
    fn is_in_prose(&self, node: usize) -> bool {
        let is_block = |&above: &usize| self.tree.tag(above).is_some_and(Tag::is_block);
        let block = self.tree.ancestors(node).find(is_block);
        block.is_some_and(|block| self.measures[block].prose > self.measures[node].chars)
    }

    fn is_inside(&self, node: usize, tag: Tag) -> bool {
        self.tree.ancestors(node).any(|above| self.tree.tag(above) == Some(tag))
    }

    /// A part with the page's title and prose is not its frame.
    fn holds_title(&self, node: usize) -> bool {
        self.measures[node].prose > 400.0 && self.tree.find(node, Tag::H1).is_some()
    }

    /// A page that does not say so is an article where one element is named as its body, and somebody signed it.
    fn reads_like_article(&self, body: usize) -> bool {
        let all = self.measures[body].prose;
        let largest = |level: Level| {
            let named = self.tree.below(body).filter(|&node| self.is_named(node, level));
            named.map(|node| self.measures[node].prose).fold(0.0, f32::max)
        };
        let is_one_text = largest(Level::Body).max(largest(Level::Article)) > all * 0.6;
        let signs = |node: usize| self.tree.tag(node) == Some(Tag::Time) || self.cues[node].byline;
        is_one_text && self.tree.below(body).any(|node| !self.dropped[node] && signs(node))
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
                let is_item =
                    self.tree.attribute(node, "itemprop").is_some_and(|name| name.contains("articleBody"));
                is_item || (is_container(tag) && self.cues[node].body)
            }
        }
    }

    /// Leaves out what is left of the frame inside the content.
    fn clean(&mut self, root: usize) {
        let all = self.measures[root];
        if self.is_article {
            self.drop_where(root, |page, node, tag| {
                page.is_credit(node, tag, all) || page.is_link_list(node, tag, all)
            });
        }
        self.drop_announced(root);
    }

    /// Who, when and filed under what: metadata, not text.
    fn is_credit(&self, node: usize, tag: Tag, all: Measure) -> bool {
        let part = self.measures[node];
        let is_short = part.chars < 300.0 && part.chars < all.chars * 0.3;
        let is_tag = self
            .tree
            .attribute(node, "rel")
            .is_some_and(|rel| rel.split(' ').any(|word| word == "tag" || word == "author"));
        let is_named = self.cues[node].credits || matches!(tag, Tag::Time | Tag::Address) || is_tag;
        is_short && is_named && !cues::is_frame_proof(tag) && self.tree.find(node, Tag::H1).is_none()
    }

    /// Mostly links to elsewhere, beside prose.
    fn is_link_list(&self, node: usize, tag: Tag, all: Measure) -> bool {
        let part = self.measures[node];
        let is_list =
            matches!(tag, Tag::Ul | Tag::Ol | Tag::Div | Tag::Section | Tag::Table | Tag::P | Tag::Dl);
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

    /// What follows a heading, up to the next.
    fn until_heading(&self, heading: usize) -> Vec<usize> {
        let is_heading = |&node: &usize| self.tree.tag(node).and_then(Tag::heading_level).is_some();
        self.tree.following(heading).take_while(|node| !is_heading(node)).collect()
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

fn is_container(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Body
            | Tag::Main
            | Tag::Article
            | Tag::Section
            | Tag::Div
            | Tag::Td
            | Tag::Form
            | Tag::Center
            | Tag::Blockquote
            | Tag::Table
            | Tag::Tbody
            | Tag::Tr
            | Tag::Fieldset
            | Tag::Details
            | Tag::Dd
            | Tag::Li
            | Tag::Other
            | Tag::Font
            | Tag::Span
    )
}
