//! Facts of single elements: types, classes, the block that contains them.

use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;

/// The block that an element is, or that contains it.
pub(super) fn block_of(tree: &PageTree, node: usize) -> usize {
    let is_block = |node: usize| tree.tag(node).is_some_and(HtmlTag::is_block);
    if is_block(node) { node } else { tree.ancestors(node).find(|&above| is_block(above)).unwrap_or(0) }
}

/// `epub:type` and `role`.
pub(super) fn kind_of(tree: &PageTree, node: usize) -> String {
    let value = |name: &str| tree.attribute(node, name).unwrap_or_default();
    format!("{} {}", value("epub:type"), value("role"))
}

pub(super) fn class_of(tree: &PageTree, node: usize) -> String {
    tree.attribute(node, "class").unwrap_or_default().to_ascii_lowercase()
}
