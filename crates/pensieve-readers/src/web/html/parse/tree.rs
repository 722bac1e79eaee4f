//! The tree of a page, in two forms: linked while it is built, flat afterwards.
//!
//! In the flat form a node's number is its position in document order and its subtree is a range of numbers. Walking,
//! skipping a subtree and summing from the leaves up are then plain loops without recursion, however deep the
//! nesting.

use super::tag::HtmlTag;
use crate::markdown::SourceText;
use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use std::ops::Range;

/// Name and value.
pub(super) type HtmlAttribute = (LocalName, StrTendril);

/// What a node is.
#[derive(Debug, Clone)]
pub(super) enum NodeKind {
    /// An element.
    Element(HtmlTag, Vec<HtmlAttribute>),
    /// Text, never empty.
    Text(SourceText),
}

impl NodeKind {
    fn tag(&self) -> Option<HtmlTag> {
        match self {
            NodeKind::Element(tag, _) => Some(*tag),
            NodeKind::Text(_) => None,
        }
    }

    fn text(&self) -> Option<&SourceText> {
        match self {
            NodeKind::Text(node_text) => Some(node_text),
            NodeKind::Element(..) => None,
        }
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        match self {
            NodeKind::Element(_, attributes) => {
                attributes.iter().find(|(known, _)| &**known == name).map(|(_, value)| &**value)
            }
            NodeKind::Text(_) => None,
        }
    }
}

/// The position of a node in the tree. Numbers of nodes fit into 32 bits, since a page has no more bytes than that.
#[derive(Debug, Clone, Copy)]
struct NodePlace {
    /// The parent; the root is its own parent.
    parent: u32,
    /// First node after its subtree.
    end: u32,
}

/// A page, node 0 its root, in document order.
#[derive(Debug, Clone)]
pub(crate) struct PageTree {
    kinds: Vec<NodeKind>,
    places: Vec<NodePlace>,
}

impl PageTree {
    /// How many nodes there are; at least the root.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The element's name; `None` for text.
    pub fn tag(&self, node: usize) -> Option<HtmlTag> {
        self.kinds[node].tag()
    }

    /// The text, if the node is text.
    pub fn text(&self, node: usize) -> Option<&SourceText> {
        self.kinds[node].text()
    }

    /// The value of an attribute.
    pub fn attribute(&self, node: usize, name: &str) -> Option<&str> {
        self.kinds[node].attribute(name)
    }

    /// The parent; the root is its own parent.
    pub fn parent(&self, node: usize) -> usize {
        self.places[node].parent as usize
    }

    /// First node after the subtree.
    pub fn end(&self, node: usize) -> usize {
        self.places[node].end as usize
    }

    /// The nodes below, in document order.
    pub fn below(&self, node: usize) -> Range<usize> {
        node + 1..self.end(node)
    }

    /// The nodes directly below.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let (mut next, end) = (node + 1, self.end(node));
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.end(child);
            Some(child)
        })
    }

    /// The nodes that follow a node under the same parent.
    pub fn following(&self, node: usize) -> impl Iterator<Item = usize> {
        let (mut next, end) = (self.end(node), self.end(self.parent(node)));
        std::iter::from_fn(move || {
            let sibling = (next < end).then_some(next)?;
            next = self.end(sibling);
            Some(sibling)
        })
    }

    /// The nodes above, nearest first.
    pub fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> {
        let mut at = node;
        std::iter::from_fn(move || {
            let parent = self.parent(at);
            let above = (parent != at).then_some(parent);
            at = parent;
            above
        })
    }

    /// True for a box that is ticked or not.
    pub fn is_check_box(&self, node: usize) -> bool {
        let is_box = |kind: &str| kind.eq_ignore_ascii_case("checkbox");
        self.tag(node) == Some(HtmlTag::Input) && self.attribute(node, "type").is_some_and(is_box)
    }

    /// True for a button that is a heading: it opens what follows.
    pub fn is_button_of_heading(&self, node: usize) -> bool {
        let is_heading = |above: usize| self.tag(above).and_then(HtmlTag::heading_level).is_some();
        // Frameworks wrap the button in a span or two.
        self.tag(node) == Some(HtmlTag::Button) && self.ancestors(node).take(3).any(is_heading)
    }

    /// All elements of this name.
    pub fn all(&self, tag: HtmlTag) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(move |&node| self.tag(node) == Some(tag))
    }

    /// The first element of this name below a node.
    pub fn find(&self, node: usize, tag: HtmlTag) -> Option<usize> {
        self.below(node).find(|&below| self.tag(below) == Some(tag))
    }

    /// All the text below a node, unchanged.
    pub fn text_below(&self, node: usize, source: &str) -> String {
        self.below(node)
            .filter_map(|below| self.text(below))
            .map(|node_text| node_text.resolve(source))
            .collect()
    }

    /// Every text, in order.
    #[cfg(test)]
    pub fn texts(&self) -> impl Iterator<Item = &SourceText> {
        (0..self.len()).filter_map(|node| self.text(node))
    }

    /// The tree as markup, for tests.
    #[cfg(test)]
    pub fn outline(&self, source: &str) -> String {
        let name = |tag: HtmlTag| format!("{tag:?}").to_lowercase();
        let mut seen = String::new();
        let mut open: Vec<usize> = Vec::new();
        for node in 1..=self.len() {
            while let Some(last) = open.pop_if(|last| self.end(*last) <= node) {
                seen.push_str(&format!("</{}>", name(self.tag(last).unwrap())));
            }
            match self.kinds.get(node) {
                Some(NodeKind::Element(tag, _)) => {
                    seen.push_str(&format!("<{}>", name(*tag)));
                    open.push(node);
                }
                Some(NodeKind::Text(node_text)) => {
                    seen.push_str(source.get(node_text.span.range()).unwrap_or_default())
                }
                None => {}
            }
        }
        seen
    }
}

/// No node.
const NONE: u32 = u32::MAX;

/// The neighbours of a node while the tree is built.
#[derive(Debug, Clone, Copy)]
struct NodeLinks {
    parent: u32,
    first: u32,
    last: u32,
    before: u32,
    after: u32,
    depth: u32,
}

/// The tree while it is built; node 0 is the document.
#[derive(Debug)]
pub(super) struct TreeBuilder {
    kinds: Vec<NodeKind>,
    links: Vec<NodeLinks>,
}

impl TreeBuilder {
    /// An empty document.
    pub fn new() -> TreeBuilder {
        let mut builder = TreeBuilder { kinds: Vec::new(), links: Vec::new() };
        builder.element(HtmlTag::Other, Vec::new());
        builder
    }

    /// How many nodes there are, attached or not.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// A new, unattached element.
    pub fn element(&mut self, tag: HtmlTag, attributes: Vec<HtmlAttribute>) -> usize {
        self.push(NodeKind::Element(tag, attributes))
    }

    /// A new, unattached text.
    pub fn text(&mut self, node_text: SourceText) -> usize {
        self.push(NodeKind::Text(node_text))
    }

    fn push(&mut self, kind: NodeKind) -> usize {
        self.kinds.push(kind);
        self.links.push(NodeLinks {
            parent: NONE,
            first: NONE,
            last: NONE,
            before: NONE,
            after: NONE,
            depth: 0,
        });
        self.kinds.len() - 1
    }

    /// The approximate depth of a node: nodes that were moved with their parent are not counted again.
    pub fn depth(&self, node: usize) -> usize {
        self.links[node].depth as usize
    }

    /// True when the node is attached.
    pub fn has_parent(&self, node: usize) -> bool {
        self.links[node].parent != NONE
    }

    /// The element's name; `None` for text.
    pub fn tag(&self, node: usize) -> Option<HtmlTag> {
        self.kinds[node].tag()
    }

    /// The text, if the node is text.
    pub fn text_of(&self, node: usize) -> Option<&SourceText> {
        self.kinds[node].text()
    }

    /// The value of an attribute.
    pub fn attribute(&self, node: usize, name: &str) -> Option<&str> {
        self.kinds[node].attribute(name)
    }

    /// Makes an element another one, with the same attributes.
    pub fn rename(&mut self, node: usize, tag: HtmlTag) {
        if let NodeKind::Element(own, _) = &mut self.kinds[node] {
            *own = tag;
        }
    }

    /// The parent of an attached node.
    pub fn parent(&self, node: usize) -> Option<usize> {
        known(self.links[node].parent)
    }

    /// The node before it under the same parent.
    pub fn before(&self, node: usize) -> Option<usize> {
        known(self.links[node].before)
    }

    /// The last node directly below.
    pub fn last_child(&self, node: usize) -> Option<usize> {
        known(self.links[node].last)
    }

    /// The nodes directly below.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(known(self.links[node].first), |&child| known(self.links[child].after))
    }

    /// Adds attributes that an element does not have yet.
    pub fn add_attributes(&mut self, node: usize, more: impl Iterator<Item = HtmlAttribute>) {
        if let NodeKind::Element(_, attributes) = &mut self.kinds[node] {
            for (name, value) in more {
                if !attributes.iter().any(|(known, _)| *known == name) {
                    attributes.push((name, value));
                }
            }
        }
    }

    /// Attaches a node as the last child; returns its depth.
    pub fn append(&mut self, parent: usize, child: usize) -> usize {
        self.detach(child);
        let last = self.links[parent].last;
        self.link(number(parent), number(child), last, NONE);
        self.depth(child)
    }

    /// Attaches a node before another.
    pub fn insert_before(&mut self, sibling: usize, child: usize) {
        self.detach(child);
        let NodeLinks { parent, before, .. } = self.links[sibling];
        if parent != NONE {
            self.link(parent, number(child), before, number(sibling));
        }
    }

    fn link(&mut self, parent: u32, child: u32, before: u32, after: u32) {
        let depth = self.at(parent).depth + 1;
        let node = self.at(child);
        (node.parent, node.before, node.after, node.depth) = (parent, before, after, depth);
        match before {
            NONE => self.at(parent).first = child,
            before => self.at(before).after = child,
        }
        match after {
            NONE => self.at(parent).last = child,
            after => self.at(after).before = child,
        }
    }

    /// Takes a node out of the tree, with all below it.
    pub fn detach(&mut self, node: usize) {
        let NodeLinks { parent, before, after, .. } = self.links[node];
        if parent == NONE {
            return;
        }
        match before {
            NONE => self.at(parent).first = after,
            before => self.at(before).after = after,
        }
        match after {
            NONE => self.at(parent).last = before,
            after => self.at(after).before = before,
        }
        let node = &mut self.links[node];
        (node.parent, node.before, node.after) = (NONE, NONE, NONE);
    }

    /// Moves all children of a node to the end of another's.
    pub fn move_children(&mut self, from: usize, to: usize) {
        while self.links[from].first != NONE {
            let child = self.links[from].first as usize;
            self.append(to, child);
        }
    }

    fn at(&mut self, node: u32) -> &mut NodeLinks {
        &mut self.links[node as usize]
    }

    /// The flat form of all that is attached. Nodes are reordered in place, so that a page is never in memory twice.
    pub fn finish(self) -> PageTree {
        let TreeBuilder { mut kinds, links } = self;
        let (places, mut order) = flattened(&links);
        drop(links);
        // Each swap puts one node in its final position, then continues with the node that was there.
        for start in 0..order.len() {
            let mut at = start;
            while order[at] as usize != start {
                let from = order[at] as usize;
                kinds.swap(at, from);
                order[at] = number(at);
                at = from;
            }
            order[at] = number(at);
        }
        // Detached nodes are at the end now.
        kinds.truncate(places.len());
        kinds.shrink_to_fit();
        PageTree { kinds, places }
    }
}

fn known(node: u32) -> Option<usize> {
    (node != NONE).then_some(node as usize)
}

fn number(node: usize) -> u32 {
    u32::try_from(node).expect("a page that fits into memory has fewer nodes")
}

/// The positions of the attached nodes in document order, and for each index of the list the node that belongs there:
/// unattached nodes come last.
fn flattened(links: &[NodeLinks]) -> (Vec<NodePlace>, Vec<u32>) {
    let mut places: Vec<NodePlace> = Vec::with_capacity(links.len());
    let mut order: Vec<u32> = Vec::with_capacity(links.len());
    let mut is_attached = vec![false; links.len()];
    let (mut at, mut parent) = (0, 0);
    'nodes: loop {
        let own = number(places.len());
        places.push(NodePlace { parent, end: own + 1 });
        order.push(at);
        is_attached[at as usize] = true;
        if links[at as usize].first != NONE {
            (at, parent) = (links[at as usize].first, own);
            continue;
        }
        while links[at as usize].after == NONE {
            if at == 0 || links[at as usize].parent == NONE {
                break 'nodes;
            }
            at = links[at as usize].parent;
            places[parent as usize].end = number(places.len());
            parent = places[parent as usize].parent;
        }
        at = links[at as usize].after;
    }
    order.extend((0..links.len()).filter(|&node| !is_attached[node]).map(number));
    (places, order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::Span;

    #[test]
    fn the_flat_form_is_in_document_order() {
        let mut builder = TreeBuilder::new();
        let (a, b, c) = (
            builder.element(HtmlTag::Div, Vec::new()),
            builder.element(HtmlTag::P, Vec::new()),
            builder.text(SourceText { span: Span::new(0, 1), decoded: None }),
        );
        builder.append(0, b);
        builder.append(b, c);
        builder.insert_before(b, a);
        let tree = builder.finish();
        assert_eq!(tree.outline("x"), "<div></div><p>x</p>");
        assert_eq!((tree.end(0), tree.end(1), tree.end(2), tree.parent(3)), (4, 2, 4, 2));
        assert_eq!(tree.children(0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(tree.ancestors(3).collect::<Vec<_>>(), [2, 0]);
    }

    #[test]
    fn children_move_and_detach() {
        let mut builder = TreeBuilder::new();
        let nodes: Vec<usize> = [HtmlTag::Div, HtmlTag::P, HtmlTag::B, HtmlTag::I]
            .map(|tag| builder.element(tag, Vec::new()))
            .into();
        builder.append(0, nodes[0]);
        builder.append(0, nodes[1]);
        builder.append(nodes[0], nodes[2]);
        builder.append(nodes[0], nodes[3]);
        builder.move_children(nodes[0], nodes[1]);
        builder.detach(nodes[2]);
        assert_eq!(builder.finish().outline(""), "<div></div><p><i></i></p>");
    }

    fn text(start: usize, end: usize) -> SourceText {
        SourceText { span: Span::new(start, end), decoded: None }
    }

    #[test]
    fn neighbours_are_found_in_the_flat_form() {
        let source = "<main id=m><p class=a>1<b>2</b></p>3<p lang=c>4</p></main>5";
        let tree = crate::web::html::parse::parse(source, false);
        // Root, html, head, body, main, p, 1, b, 2, 3, p, 4, 5.
        assert_eq!((tree.len(), tree.parent(0), tree.end(0)), (13, 0, 13));
        assert_eq!((tree.below(4), tree.below(8), tree.end(5)), (5..12, 9..9, 9));
        assert_eq!(tree.children(4).collect::<Vec<_>>(), [5, 9, 10]);
        assert_eq!(tree.children(8).next(), None);
        assert_eq!(tree.following(5).collect::<Vec<_>>(), [9, 10]);
        assert_eq!(tree.following(4).collect::<Vec<_>>(), [12]);
        assert_eq!(tree.following(8).next(), None);
        assert_eq!(tree.ancestors(8).collect::<Vec<_>>(), [7, 5, 4, 3, 1, 0]);
        assert_eq!(tree.ancestors(0).next(), None);
        assert_eq!(tree.all(HtmlTag::P).collect::<Vec<_>>(), [5, 10]);
        assert_eq!(tree.find(0, HtmlTag::P), Some(5));
        assert_eq!(tree.find(5, HtmlTag::P), None);
        assert_eq!(tree.find(4, HtmlTag::Main), None);
        assert_eq!(
            (tree.text_below(4, source), tree.text_below(6, source)),
            ("1234".to_owned(), String::new())
        );
        assert_eq!((tree.tag(7), tree.tag(8)), (Some(HtmlTag::B), None));
        assert_eq!((tree.text(7), tree.text(8)), (None, Some(&text(26, 27))));
        assert_eq!([4, 5, 8, 10].map(|node| tree.attribute(node, "class")), [None, Some("a"), None, None]);
        assert_eq!(tree.attribute(10, "lang"), Some("c"));
    }

    #[test]
    fn buttons_of_headings_are_near_them() {
        for (page, expected) in [
            ("<h2><button>a", true),
            ("<h2><b><i><button>a", true),
            ("<h2><b><i><u><button>a", false),
            ("<div><button>a", false),
        ] {
            let tree = crate::web::html::parse::parse(page, false);
            let button = tree.find(0, HtmlTag::Button).unwrap();
            assert_eq!(tree.is_button_of_heading(button), expected, "of {page}");
            assert!(!tree.is_button_of_heading(button - 1), "of {page}");
        }
    }

    #[test]
    fn nodes_are_attached_and_detached() {
        let mut builder = TreeBuilder::new();
        assert_eq!(builder.len(), 1);
        let [a, b, c, d] = [HtmlTag::Div, HtmlTag::P, HtmlTag::B, HtmlTag::I]
            .map(|tag| builder.element(tag, vec![(LocalName::from("id"), "1".into())]));
        assert_eq!([a, b, c, d], [1, 2, 3, 4]);
        assert_eq!(builder.text(text(0, 1)), 5);
        assert_eq!([builder.append(0, a), builder.append(a, b), builder.append(b, c)], [1, 2, 3]);
        assert_eq!([builder.depth(a), builder.depth(c), builder.depth(d)], [1, 3, 0]);
        assert_eq!(
            [builder.has_parent(c), builder.has_parent(d), builder.has_parent(0)],
            [true, false, false]
        );
        // Nothing is inserted before what is not attached.
        builder.insert_before(d, c);
        assert!(!builder.has_parent(c));
        builder.insert_before(b, c);
        builder.append(a, 5);
        builder.append(a, d);
        // In the middle, at the start and at the end.
        builder.detach(b);
        assert_eq!((builder.has_parent(b), builder.len()), (false, 6));
        let more = [("id", "2"), ("class", "3"), ("class", "4")];
        let attribute = |(name, value): (&str, &str)| (LocalName::from(name), value.into());
        builder.add_attributes(a, more.into_iter().map(attribute));
        builder.add_attributes(5, more.into_iter().map(attribute));
        let tree = builder.finish();
        assert_eq!(tree.outline("x"), "<div><b></b>x<i></i></div>");
        assert_eq!((tree.attribute(1, "id"), tree.attribute(1, "class")), (Some("1"), Some("3")));
    }

    #[test]
    fn children_are_detached_wherever_they_stand() {
        for (detached, expected) in [
            (vec![0], "<b></b><i></i>"),
            (vec![1], "<p></p><i></i>"),
            (vec![2], "<p></p><b></b>"),
            (vec![0, 1], "<i></i>"),
            (vec![2, 1, 0], ""),
            (vec![], "<p></p><b></b><i></i>"),
        ] {
            let mut builder = TreeBuilder::new();
            let nodes = [HtmlTag::P, HtmlTag::B, HtmlTag::I].map(|tag| builder.element(tag, Vec::new()));
            for node in nodes {
                builder.append(0, node);
            }
            for &at in &detached {
                builder.detach(nodes[at]);
            }
            assert_eq!(builder.finish().outline(""), expected, "of {detached:?}");
        }
    }
}
