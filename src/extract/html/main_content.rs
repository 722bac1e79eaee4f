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
            let is_unseen = tag == Tag::Noscript || cues::is_hidden(tree, at) || cues(tree, at).unseen;
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
            at = if self.dropped[at] { self.tree.end(at) } else { at + 1 };
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
        let cues = cues(self.tree, node);
        let role = self.tree.attribute(node, "role").unwrap_or_default();
        if tag.is_control() {
            return Some(Frame::Control);
        }
        if cues::is_frame_proof(tag) || tag == Tag::A && !cues.frame {
            return None;
        }
        if cues.comments {
            return Some(Frame::Comments);
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
        (tag == Tag::Form).then_some(Frame::Form)
    }

    fn is_inside(&self, node: usize, tag: Tag) -> bool {
        self.tree.ancestors(node).any(|above| self.tree.tag(above) == Some(tag))
    }

    /// A part with the page's title and prose is not its frame.
    fn holds_title(&self, node: usize) -> bool {
        self.measures[node].prose > 400.0 && self.tree.find(node, Tag::H1).is_some()
    }

    /// The element whose text speaks most for itself.
    fn choose_root(&self, body: usize) -> usize {
        let mut best = body;
        for node in self.tree.below(body) {
            let is_candidate = self.tree.tag(node).is_some_and(is_container) && !self.dropped[node];
            if is_candidate && self.measures[node].value >= self.measures[best].value {
                best = node;
            }
        }
        let enough = self.measures[best].prose * if self.is_article { 0.75 } else { 0.9 };
        let mut named = best;
        for node in self.tree.below(best) {
            let Some(tag) = self.tree.tag(node).filter(|&tag| is_container(tag)) else { continue };
            if self.measures[node].prose >= enough && self.is_named_content(node, tag) {
                named = node;
            }
        }
        named
    }

    fn is_named_content(&self, node: usize, tag: Tag) -> bool {
        matches!(tag, Tag::Article | Tag::Main)
            || self.tree.attribute(node, "role").is_some_and(|role| matches!(role, "main" | "article"))
            || self.tree.attribute(node, "itemprop").is_some_and(|name| name.contains("articleBody"))
            || cues(self.tree, node).content
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
        let is_named = cues(self.tree, node).credits || matches!(tag, Tag::Time | Tag::Address) || is_tag;
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
        Tag::Body | Tag::Main | Tag::Article | Tag::Section | Tag::Div | Tag::Td | Tag::Form | Tag::Center | Tag::Blockquote
            | Tag::Table | Tag::Tbody | Tag::Tr | Tag::Fieldset | Tag::Details | Tag::Dd | Tag::Li | Tag::Other | Tag::Font
            | Tag::Span
    )
}
