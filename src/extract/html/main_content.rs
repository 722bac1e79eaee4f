//! Finds the part of a page that it was made for, and what in it belongs to the frame.

use super::tag::Tag;
use super::tree::Tree;

/// Which nodes of a page are text.
#[derive(Debug)]
pub(super) struct Selection {
    /// Where the text stands, in document order, none inside another.
    pub roots: Vec<usize>,
    /// Nodes whose subtrees are left out.
    pub dropped: Vec<bool>,
    /// Words on buttons count.
    pub keeps_controls: bool,
}

impl Selection {
    /// True where a node, with all below it, is left out.
    pub fn is_dropped(&self, node: usize) -> bool {
        self.dropped[node]
    }

    /// The whole body.
    pub fn whole(tree: &Tree) -> Selection {
        let body = tree.find(0, Tag::Body).unwrap_or(0);
        Selection { roots: vec![body], dropped: vec![false; tree.len()], keeps_controls: true }
    }
}
