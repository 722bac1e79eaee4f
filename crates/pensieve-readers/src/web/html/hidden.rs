//! Which elements are not shown.

use super::concealment::{Concealment, HidingWay, StyleSheet};
use super::name_hints::NameHints;
use super::tag::HtmlTag;
use super::tree::PageTree;

/// True when an element is not shown: by attribute, or by a style of its own or of the page's style sheets.
///
/// Closed accordions and tabs are shown to who opens them, so their text counts. `aria-hidden` on words is for screen
/// readers, which are given the same words in another form, often below a class for them alone.
pub(super) fn is_hidden(tree: &PageTree, node: usize, hints: NameHints, sheet: &StyleSheet) -> bool {
    if hints.folded || tree.attribute(node, "role") == Some("tabpanel") {
        return false;
    }
    tree.attribute(node, "hidden").is_some_and(|value| value != "until-found")
        || (tree.attribute(node, "aria-hidden") == Some("true")
            && !tree.tag(node).is_some_and(has_words_only))
        || match sheet.declared(tree, node).way() {
            Some(HidingWay::Whole) => true,
            Some(HidingWay::Tiny) => !has_own_size(tree, node),
            None => false,
        }
}

/// True if an element below has a size of type of its own: mails give their tables none, and their texts one.
fn has_own_size(tree: &PageTree, node: usize) -> bool {
    let declares = |at: usize| tree.attribute(at, "style").is_some_and(|style| style.contains("font"));
    let is_large = |at: usize| {
        Concealment::read(tree.attribute(at, "style").unwrap_or_default()).way() != Some(HidingWay::Tiny)
    };
    tree.below(node).any(|at| declares(at) && is_large(at))
}

/// True for elements of words, not of other elements: nobody folds a menu into these.
fn has_words_only(tag: HtmlTag) -> bool {
    matches!(tag, HtmlTag::Span | HtmlTag::A | HtmlTag::P) || tag.heading_level().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;

    #[test]
    fn attributes_and_styles_hide_elements() {
        for (element, expected) in [
            ("<div>", false),
            ("<div hidden>", true),
            ("<div hidden=until-found>", false),
            ("<div hidden role=tabpanel>", false),
            ("<div hidden role=tab>", true),
            ("<div style='color: red; Display : None'>", true),
            ("<div style='visibility: hidden'>", true),
            ("<div style='display: block'>", false),
            ("<div style='display: none' role=tabpanel>", false),
            ("<div aria-hidden=true>", true),
            ("<div aria-hidden=false>", false),
            ("<span aria-hidden=true>", false),
            ("<p aria-hidden=true>", false),
            ("<a aria-hidden=true>", false),
            ("<h3 aria-hidden=true>", false),
            ("<span hidden>", true),
        ] {
            let tree = parse(&format!("<main>{element}a"), false);
            let node = tree.find(0, HtmlTag::Main).unwrap() + 1;
            let sheet = StyleSheet::default();
            let hidden =
                |folded: bool| is_hidden(&tree, node, NameHints { folded, ..NameHints::default() }, &sheet);
            assert_eq!((hidden(false), hidden(true)), (expected, false), "of {element}");
        }
    }
}
