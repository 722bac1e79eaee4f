//! The tree of a page, in two forms: linked while it is built, flat ever after.
//!
//! In the flat form a node's number is its place in document order and its subtree is a range of numbers. Walking,
//! skipping a subtree and summing from the leaves up are then plain loops; nothing recurses, whatever the nesting.

use super::tag::Tag;
use super::tokenizer::Piece;
use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use std::ops::Range;

/// Name and value.
pub(super) type Attribute = (LocalName, StrTendril);

/// What a node is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// An element.
    Element(Tag, Vec<Attribute>),
    /// Text, never empty.
    Text(Piece),
}

/// A node in document order.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// What it is.
    pub kind: Kind,
    /// The node above; the root is its own.
    pub parent: usize,
    /// First node behind its subtree.
    pub end: usize,
}

/// A page, node 0 its root.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// How many nodes there are; at least the root.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The element's name; text has none.
    pub fn tag(&self, node: usize) -> Option<Tag> {
        match &self.nodes[node].kind {
            Kind::Element(tag, _) => Some(*tag),
            Kind::Text(_) => None,
        }
    }

    /// The text, where the node is text.
    pub fn piece(&self, node: usize) -> Option<&Piece> {
        match &self.nodes[node].kind {
            Kind::Text(piece) => Some(piece),
            Kind::Element(..) => None,
        }
    }

    /// The value of an attribute.
    pub fn attribute(&self, node: usize, name: &str) -> Option<&str> {
        match &self.nodes[node].kind {
            Kind::Element(_, attributes) => {
                attributes.iter().find(|(known, _)| &**known == name).map(|(_, value)| &**value)
            }
            Kind::Text(_) => None,
        }
    }

    /// The node above; the root is its own.
    pub fn parent(&self, node: usize) -> usize {
        self.nodes[node].parent
    }

    /// First node behind the subtree.
    pub fn end(&self, node: usize) -> usize {
        self.nodes[node].end
    }

    /// The nodes below, in document order.
    pub fn below(&self, node: usize) -> Range<usize> {
        node + 1..self.nodes[node].end
    }

    /// The nodes directly below.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let (mut next, end) = (node + 1, self.nodes[node].end);
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.nodes[child].end;
            Some(child)
        })
    }

    /// The nodes that follow a node under the same parent.
    pub fn following(&self, node: usize) -> impl Iterator<Item = usize> {
        let (mut next, end) = (self.nodes[node].end, self.nodes[self.nodes[node].parent].end);
        std::iter::from_fn(move || {
            let sibling = (next < end).then_some(next)?;
            next = self.nodes[sibling].end;
            Some(sibling)
        })
    }

    /// The nodes above, nearest first.
    pub fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> {
        let mut at = node;
        std::iter::from_fn(move || {
            let parent = self.nodes[at].parent;
            let above = (parent != at).then_some(parent);
            at = parent;
            above
        })
    }

    /// The first element of this name below a node.
    pub fn find(&self, node: usize, tag: Tag) -> Option<usize> {
        self.below(node).find(|&below| self.tag(below) == Some(tag))
    }

    /// All the text below a node, as it stands.
    pub fn text_below(&self, node: usize, source: &str) -> String {
        self.below(node).filter_map(|below| self.piece(below)).map(|piece| piece.text(source)).collect()
    }

    /// Every piece of text, in order.
    #[cfg(test)]
    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        (0..self.len()).filter_map(|node| self.piece(node))
    }

    /// The tree as markup, for tests.
    #[cfg(test)]
    pub fn outline(&self, source: &str) -> String {
        let name = |tag: Tag| format!("{tag:?}").to_lowercase();
        let mut seen = String::new();
        let mut open: Vec<usize> = Vec::new();
        for node in 1..=self.len() {
            while let Some(last) = open.pop_if(|last| self.end(*last) <= node) {
                seen.push_str(&format!("</{}>", name(self.tag(last).unwrap())));
            }
            match self.nodes.get(node).map(|node| &node.kind) {
                Some(Kind::Element(tag, _)) => {
                    seen.push_str(&format!("<{}>", name(*tag)));
                    open.push(node);
                }
                Some(Kind::Text(piece)) => seen.push_str(source.get(piece.span.range()).unwrap_or_default()),
                None => {}
            }
        }
        seen
    }
}

/// No node.
const NONE: usize = usize::MAX;

#[derive(Debug)]
struct Linked {
    kind: Kind,
    parent: usize,
    first: usize,
    last: usize,
    before: usize,
    after: usize,
    depth: usize,
}

/// The tree while it is built; node 0 is the document.
#[derive(Debug)]
pub(super) struct TreeBuilder {
    nodes: Vec<Linked>,
}

impl TreeBuilder {
    /// An empty document.
    pub fn new() -> TreeBuilder {
        let mut builder = TreeBuilder { nodes: Vec::new() };
        builder.element(Tag::Other, Vec::new());
        builder
    }

    /// How many nodes there are, attached or not.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A new element, attached nowhere.
    pub fn element(&mut self, tag: Tag, attributes: Vec<Attribute>) -> usize {
        self.push(Kind::Element(tag, attributes))
    }

    /// A new text, attached nowhere.
    pub fn text(&mut self, piece: Piece) -> usize {
        self.push(Kind::Text(piece))
    }

    fn push(&mut self, kind: Kind) -> usize {
        self.nodes.push(Linked {
            kind,
            parent: NONE,
            first: NONE,
            last: NONE,
            before: NONE,
            after: NONE,
            depth: 0,
        });
        self.nodes.len() - 1
    }

    /// About how deep a node stands: what was moved with its parent is not counted again.
    pub fn depth(&self, node: usize) -> usize {
        self.nodes[node].depth
    }

    /// True when the node is attached.
    pub fn has_parent(&self, node: usize) -> bool {
        self.nodes[node].parent != NONE
    }

    /// Adds attributes that an element does not have yet.
    pub fn add_attributes(&mut self, node: usize, more: impl Iterator<Item = Attribute>) {
        if let Kind::Element(_, attributes) = &mut self.nodes[node].kind {
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
        let last = self.nodes[parent].last;
        self.link(parent, child, last, NONE);
        self.nodes[child].depth
    }

    /// Attaches a node before another.
    pub fn insert_before(&mut self, sibling: usize, child: usize) {
        self.detach(child);
        let (parent, before) = (self.nodes[sibling].parent, self.nodes[sibling].before);
        if parent != NONE {
            self.link(parent, child, before, sibling);
        }
    }

    fn link(&mut self, parent: usize, child: usize, before: usize, after: usize) {
        let depth = self.nodes[parent].depth + 1;
        let node = &mut self.nodes[child];
        (node.parent, node.before, node.after, node.depth) = (parent, before, after, depth);
        match before {
            NONE => self.nodes[parent].first = child,
            before => self.nodes[before].after = child,
        }
        match after {
            NONE => self.nodes[parent].last = child,
            after => self.nodes[after].before = child,
        }
    }

    /// Takes a node out of the tree, with all below it.
    pub fn detach(&mut self, node: usize) {
        let Linked { parent, before, after, .. } = self.nodes[node];
        if parent == NONE {
            return;
        }
        match before {
            NONE => self.nodes[parent].first = after,
            before => self.nodes[before].after = after,
        }
        match after {
            NONE => self.nodes[parent].last = before,
            after => self.nodes[after].before = before,
        }
        let node = &mut self.nodes[node];
        (node.parent, node.before, node.after) = (NONE, NONE, NONE);
    }

    /// Moves all children of a node to the end of another's.
    pub fn move_children(&mut self, from: usize, to: usize) {
        while self.nodes[from].first != NONE {
            let child = self.nodes[from].first;
            self.append(to, child);
        }
    }

    /// The flat form of all that is attached.
    pub fn finish(mut self) -> Tree {
        let mut flat: Vec<Node> = Vec::with_capacity(self.nodes.len());
        let (mut at, mut parent) = (0, 0);
        loop {
            let number = flat.len();
            let nothing = Kind::Element(Tag::Other, Vec::new());
            let kind = std::mem::replace(&mut self.nodes[at].kind, nothing);
            flat.push(Node { kind, parent, end: number + 1 });
            if self.nodes[at].first != NONE {
                (at, parent) = (self.nodes[at].first, number);
                continue;
            }
            while self.nodes[at].after == NONE {
                if at == 0 || self.nodes[at].parent == NONE {
                    return Tree { nodes: flat };
                }
                at = self.nodes[at].parent;
                flat[parent].end = flat.len();
                parent = flat[parent].parent;
            }
            at = self.nodes[at].after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Span;

    #[test]
    fn the_flat_form_is_in_document_order() {
        let mut builder = TreeBuilder::new();
        let (a, b, c) = (
            builder.element(Tag::Div, Vec::new()),
            builder.element(Tag::P, Vec::new()),
            builder.text(Piece { span: Span::new(0, 1), decoded: None }),
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
        let nodes: Vec<usize> =
            [Tag::Div, Tag::P, Tag::B, Tag::I].map(|tag| builder.element(tag, Vec::new())).into();
        builder.append(0, nodes[0]);
        builder.append(0, nodes[1]);
        builder.append(nodes[0], nodes[2]);
        builder.append(nodes[0], nodes[3]);
        builder.move_children(nodes[0], nodes[1]);
        builder.detach(nodes[2]);
        assert_eq!(builder.finish().outline(""), "<div></div><p><i></i></p>");
    }
}
