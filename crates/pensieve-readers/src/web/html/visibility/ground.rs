//! The colour behind words, as far as a page proves it.
//!
//! It is that of the nearest element around them that has one. Where none has, a page is white, if nothing but what was read
//! can colour it. What may lie on something else (positioned, moved, blended), or on a picture, is on an unknown ground.

use super::colours::{Colour, WHITE, colour_of};
use super::concealment::style_sheet::StyleSheet;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;

impl StyleSheet<'_> {
    /// The colour behind the words of an element; `None` if it is not certain.
    ///
    /// Cost: each element is looked at once, whatever the number of questions.
    pub(super) fn ground_behind(&self, tree: &PageTree, node: usize) -> Option<Colour> {
        let mut passed = Vec::new();
        let mut at = Some(node);
        let ground = loop {
            let Some(here) = at else { break self.is_plain(tree).then_some(WHITE) };
            if let Some(known) = self.grounds.borrow().get(&here) {
                break *known;
            }
            passed.push(here);
            if let Some(own) = self.own_ground(tree, here) {
                break own;
            }
            at = tree.ancestors(here).next();
        };
        let mut grounds = self.grounds.borrow_mut();
        grounds.extend(passed.into_iter().map(|node| (node, ground)));
        ground
    }

    /// What an element says about the ground of its words: nothing, a colour, or that it is not certain.
    fn own_ground(&self, tree: &PageTree, node: usize) -> Option<Option<Colour>> {
        let declared = self.declared(tree, node);
        let has_colour = |tag| {
            matches!(
                tag,
                HtmlTag::Button | HtmlTag::Mark | HtmlTag::Select | HtmlTag::Input | HtmlTag::Textarea
            )
        };
        let colour = tree.attribute(node, "bgcolor").map(|colour| colour_of(&colour.to_ascii_lowercase()));
        match () {
            () if declared.is_uncertain() || tree.tag(node).is_some_and(has_colour) => Some(None),
            () if tree.attribute(node, "background").is_some() => Some(None),
            () => declared.own_ground().or(colour),
        }
    }

    /// True if no script, no other file and no rule that was not read can colour the page.
    fn is_plain(&self, tree: &PageTree) -> bool {
        let is_sheet =
            |node: usize| tree.attribute(node, "rel").is_some_and(|rel| rel.contains("stylesheet"));
        *self.is_plain.get_or_init(|| {
            !self.has_scripts && !self.has_other_grounds && !tree.all(HtmlTag::Link).any(is_sheet)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;

    #[test]
    fn the_ground_is_the_nearest_colour_or_the_paper() {
        let check = |page: &str, expected: Option<Colour>| {
            let page = &format!("<html>{page}");
            let tree = parse(page, false);
            let node = (0..tree.len()).find(|&node| tree.attribute(node, "id") == Some("x")).unwrap();
            assert_eq!(StyleSheet::of(&tree, page, &[]).ground_behind(&tree, node), expected, "{page}");
        };
        let dark = Some([17, 17, 17]);
        check("<p id=x>", Some(WHITE));
        check("<div style='background:#111'><p id=x>", dark);
        check("<body bgcolor='#111'><p id=x>", dark);
        check("<table background='a.png'><tr><td id=x>", None);
        check("<div style='background:url(a.png)'><p id=x>", None);
        check("<div style='position:relative'><p id=x>", None);
        check("<div style='margin-top:-40px'><p id=x>", None);
        check("<button><b id=x>", None);
        check("<link rel=stylesheet href=a.css><p id=x>", None);
        check("<script>1</script><p id=x>", None);
        check("<style>.a{background:#111}</style><div class=a><p id=x>", dark);
        check("<style>:root{background:#111}</style><p id=x>", None);
        check("<style>@media (min-width:1px){body{background:#111}}</style><p id=x>", None);
        check("<style>.a b{color:red}</style><div class=a><p id=x>", None);
    }
}
