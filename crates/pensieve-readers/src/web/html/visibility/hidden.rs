//! Which elements are not shown.

use super::colours::are_alike;
use super::concealment::HidingWay;
use super::concealment::style_sheet::StyleSheet;
use crate::web::html::hints::name_hints::NameHints;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use pensieve_text::model::{HiddenReason, Span};
use std::cell::OnceCell;
use std::ops::Range;

/// An element that nobody can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HiddenNode {
    pub node: usize,
    pub reason: HiddenReason,
}

/// Why an element is not shown, if it is not: by attribute, or by a style of its own or of the page's style sheets.
///
/// Closed accordions and tabs are shown to who opens them, so their text counts.
pub(super) fn hiding_reason(
    tree: &PageTree,
    node: usize,
    hints: NameHints,
    sheet: &StyleSheet,
) -> Option<HiddenReason> {
    if opens(tree, node, hints) {
        return None;
    }
    hiding_declared(tree, node, sheet)
}

/// True for an accordion or a tab, by its name.
fn opens(tree: &PageTree, node: usize, hints: NameHints) -> bool {
    hints.folded || tree.attribute(node, "role") == Some("tabpanel")
}

/// True for a part that is closed until a person opens it.
pub(crate) fn is_folded(tree: &PageTree, node: usize, hints: NameHints, sheet: &StyleSheet) -> bool {
    let is_closed = match tree.tag(node) {
        Some(HtmlTag::Details) => tree.attribute(node, "open").is_none(),
        // Searching in the page opens it (HTML, 6.1).
        _ => tree.attribute(node, "hidden") == Some("until-found"),
    };
    is_closed || opens(tree, node, hints) && hiding_declared(tree, node, sheet).is_some()
}

/// The bytes of a page that stand inside of folded parts, in order. The summary of a part is not folded.
pub(crate) fn folded_spans(tree: &PageTree, folded: &[usize]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for &node in folded {
        let summary = tree.below(node).find(|&at| tree.tag(at) == Some(HtmlTag::Summary));
        let start = summary.map_or(node, |summary| tree.end(summary));
        let texts = (start..tree.end(node)).filter_map(|at| tree.text(at)).map(|text| text.span);
        let Some(span) =
            texts.reduce(|all, next| Span::new(all.start.min(next.start), all.end.max(next.end)))
        else {
            continue;
        };
        match spans.last_mut() {
            // Nodes may be out of the order of their bytes: the parser moves what stands wrongly in tables.
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => spans.push(span),
        }
    }
    spans.sort_unstable();
    spans
}

/// Why an element is not shown, whatever its name.
fn hiding_declared(tree: &PageTree, node: usize, sheet: &StyleSheet) -> Option<HiddenReason> {
    let is_named = tree.attribute(node, "hidden").is_some_and(|value| value != "until-found")
        && !is_streamed(tree, node);
    let declared = sheet.declared(tree, node);
    let by_colour = |reason| (!sheet.has_colour_inside(tree, node)).then_some(reason);
    match declared.way() {
        _ if is_named => Some(HiddenReason::NotDisplayed),
        Some(HidingWay::Whole(reason)) => Some(reason),
        Some(HidingWay::Invisible) => {
            (!sheet.has_visible_below(tree, node)).then_some(HiddenReason::NotDisplayed)
        }
        Some(HidingWay::Colour(reason)) => by_colour(reason),
        Some(HidingWay::Tiny) => (!sheet.has_size_below(tree, node)).then_some(HiddenReason::Tiny),
        None => {
            let colour = declared.bare_colour()?;
            let is_same = |ground| are_alike(colour, ground);
            sheet
                .ground_behind(tree, node)
                .is_some_and(is_same)
                .then(|| by_colour(HiddenReason::SameColour))?
        }
    }
}

/// True for a part that a server sent late, which a script moves to its place on the page: React gives such segments
/// the ids `S:0`, `S:1` and so on (`react-dom/server`, "completeBoundary").
fn is_streamed(tree: &PageTree, node: usize) -> bool {
    let number = tree.attribute(node, "id").and_then(|id| id.strip_prefix("S:"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The elements of a chapter that nobody can see. What has a name may be a note or another place that a link opens, and a
/// part with half of the words of its page is shown by some program for books.
pub(super) fn hidden_in_chapter(
    tree: &PageTree,
    source: &str,
    linked: &[&StyleSheet<'_>],
) -> Vec<HiddenNode> {
    let sheet = StyleSheet::of(tree, source, linked);
    let is_place = |node: usize| {
        ["id", "name", "epub:type", "role"].iter().any(|name| tree.attribute(node, name).is_some())
    };
    let length = |at: usize| tree.text(at).map_or(0, |text| text.resolve(source).trim().len());
    // Bytes of text and places before each node, so that elements inside each other cost nothing.
    let before = OnceCell::new();
    let count = |nodes: Range<usize>| -> (usize, usize) {
        let before: &Vec<(usize, usize)> = before.get_or_init(|| {
            let mut so_far = (0, 0);
            let next = |at| {
                let before = so_far;
                so_far = (so_far.0 + length(at), so_far.1 + usize::from(is_place(at)));
                before
            };
            (0..tree.len()).map(next).collect::<Vec<_>>().into_iter().chain([so_far]).collect()
        });
        let (start, end) = (before[nodes.start], before[nodes.end]);
        (end.0 - start.0, end.1 - start.1)
    };
    let is_part = |at: usize| {
        let (bytes, places) = count(at..tree.end(at));
        places == 0 && bytes * 2 < count(0..tree.len()).0
    };
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tree.len() {
        let reason = match tree.tag(at) {
            // Programs for books show a `nav` as their table of contents, with the entries that the page hides (EPUB 3.3, section
            // 7.4.3): none of it counts as hidden.
            Some(HtmlTag::Nav) => {
                at = tree.end(at);
                continue;
            }
            Some(tag) if !tag.is_never_text() => hiding_reason(tree, at, NameHints::default(), &sheet),
            _ => None,
        };
        let reason = reason.filter(|_| is_part(at));
        found.extend(reason.map(|reason| HiddenNode { node: at, reason }));
        // What is inside a hidden part is reported with it.
        at = if reason.is_some() { tree.end(at) } else { at + 1 };
    }
    found
}

/// True for an element that the page takes from screen readers: a picture in letters, or a menu that is closed. Elements of
/// words are not meant, since screen readers get the same words in another form, often below a class for them alone.
pub(super) fn is_for_eyes_only(tree: &PageTree, node: usize, hints: NameHints) -> bool {
    tree.attribute(node, "aria-hidden") == Some("true")
        && !hints.folded
        // Those not chosen are taken from screen readers as well.
        && tree.attribute(node, "role") != Some("tabpanel")
        && !tree.tag(node).is_some_and(has_words_only)
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
            ("<div hidden id=S:0>", false),
            ("<div hidden id=S:1f>", false),
            ("<div hidden id=S:>", true),
            ("<div hidden id=S:west>", true),
            ("<div style='color: red; Display : None'>", true),
            ("<div style='visibility: hidden'>", true),
            ("<div style='display: block'>", false),
            ("<div style='display: none' role=tabpanel>", false),
            ("<div aria-hidden=true>", false),
            ("<span hidden>", true),
        ] {
            let tree = parse(&format!("<main>{element}a"), false);
            let node = tree.find(0, HtmlTag::Main).unwrap() + 1;
            let sheet = StyleSheet::default();
            let hidden = |folded: bool| {
                hiding_reason(&tree, node, NameHints { folded, ..NameHints::default() }, &sheet)
            };
            let expected = expected.then_some(HiddenReason::NotDisplayed);
            assert_eq!((hidden(false), hidden(true)), (expected, None), "of {element}");
        }
    }

    #[test]
    fn what_screen_readers_skip_is_no_text_unless_it_is_words() {
        for (element, expected) in [
            ("<div aria-hidden=true>", true),
            ("<div aria-hidden=false>", false),
            ("<div aria-hidden=true role=tabpanel>", false),
            ("<span aria-hidden=true>", false),
            ("<p aria-hidden=true>", false),
            ("<a aria-hidden=true>", false),
            ("<h3 aria-hidden=true>", false),
        ] {
            let tree = parse(&format!("<main>{element}a"), false);
            let node = tree.find(0, HtmlTag::Main).unwrap() + 1;
            let skipped =
                |folded: bool| is_for_eyes_only(&tree, node, NameHints { folded, ..NameHints::default() });
            assert_eq!((skipped(false), skipped(true)), (expected, false), "of {element}");
        }
    }
}
