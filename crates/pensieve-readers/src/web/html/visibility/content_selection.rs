//! Which nodes of a page are text.

use super::concealment::style_sheet::StyleSheet;
use super::hidden::{HiddenNode, hidden_in_chapter, hiding_reason, is_folded, is_for_eyes_only};
use crate::web::html::hints::formula_forms::choose_forms;
use crate::web::html::hints::name_hints::{self, NameHints};
use crate::web::html::hints::prose::{PageTexts, ProseLengths, ProseMeasure};
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;

/// Which nodes of a page are text.
#[derive(Debug)]
pub(crate) struct ContentSelection {
    /// The roots of the text, in document order, not nested.
    pub roots: Vec<usize>,
    /// Nodes whose subtrees are left out.
    pub dropped: Vec<bool>,
    /// Words on buttons are text.
    pub keeps_controls: bool,
    /// Addresses inside sentences are left out.
    pub bare_links: bool,
    /// The nodes of `dropped` that nobody can see, each with the reason.
    pub hidden: Vec<HiddenNode>,
    /// The nodes that are closed until a person opens them, in document order, not nested.
    pub folded: Vec<usize>,
    /// The page is a chapter: addresses inside the book are left out, words of drawings are text.
    pub is_chapter: bool,
}

impl ContentSelection {
    /// True if a node, with all below it, is left out.
    pub fn is_dropped(&self, node: usize) -> bool {
        self.dropped[node]
    }

    /// The whole body, as far as it is shown.
    pub fn whole(tree: &PageTree, source: &str) -> ContentSelection {
        let body = body(tree);
        let texts = PageTexts::read(tree, source, body);
        let unseen = unseen(tree, source, &texts, &name_hints::all_hints(tree, source), body);
        ContentSelection {
            hidden: unseen.hidden,
            folded: unseen.folded,
            ..ContentSelection::shown(body, unseen.dropped)
        }
    }

    /// The whole body without the nodes that are not shown.
    pub fn shown(body: usize, unseen: Vec<bool>) -> ContentSelection {
        ContentSelection {
            roots: vec![body],
            dropped: unseen,
            keeps_controls: true,
            bare_links: false,
            hidden: Vec::new(),
            folded: Vec::new(),
            is_chapter: false,
        }
    }

    /// The whole body of a chapter.
    pub fn chapter(tree: &PageTree, source: &str, linked: &[&StyleSheet<'_>]) -> ContentSelection {
        let is_dropped =
            |node| tree.tag(node).is_some_and(|tag: HtmlTag| tag.is_never_text() && !tag.is_drawing());
        let mut dropped: Vec<bool> = (0..tree.len()).map(is_dropped).collect();
        let mut hidden = hidden_in_chapter(tree, source, linked);
        hidden.iter().for_each(|hidden| dropped[hidden.node] = true);
        choose_forms(tree, source, &mut dropped);
        hidden.retain(|hidden| dropped[hidden.node]);
        let is_closed =
            |&at: &usize| tree.tag(at) == Some(HtmlTag::Details) && tree.attribute(at, "open").is_none();
        let folded = outermost(tree, (0..tree.len()).filter(is_closed));
        ContentSelection { hidden, folded, is_chapter: true, ..ContentSelection::shown(body(tree), dropped) }
    }
}

/// The nodes that are inside of no other one; all in document order.
fn outermost(tree: &PageTree, nodes: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut end = 0;
    let is_outer = |&node: &usize| {
        let is_outer = node >= end;
        end = if is_outer { tree.end(node) } else { end };
        is_outer
    };
    nodes.filter(is_outer).collect()
}

/// The element that contains the page.
pub(crate) fn body(tree: &PageTree) -> usize {
    tree.find(0, HtmlTag::Body).unwrap_or(0)
}

/// A shorter `main` element does not say where the content is.
// Programs that build a page may leave a `main` element for a script to fill.
const MIN_MAIN_CHARS: f32 = 400.0;

/// A hidden part with more of the `main` element is shown later.
// Without this one of 341 pages loses .58 of its word F1.
const MIN_REVEALED_SHARE: f32 = 0.8;

/// Nodes that are not shown.
#[derive(Debug)]
pub(crate) struct UnseenNodes {
    /// True for each of them.
    pub dropped: Vec<bool>,
    /// Those that nobody can see, in document order.
    pub hidden: Vec<HiddenNode>,
    /// Those that are closed until a person opens them.
    pub folded: Vec<usize>,
}

/// Nodes that are never shown. Pages that scripts reveal hide their text first: an element with most of the text, or
/// of the `main` element, does not count as hidden.
pub(crate) fn unseen(
    tree: &PageTree,
    source: &str,
    texts: &PageTexts,
    hints: &[NameHints],
    body: usize,
) -> UnseenNodes {
    let (mut hidden, mut folded) = (Vec::new(), Vec::new());
    let mut dropped = vec![false; tree.len()];
    for node in tree.below(body) {
        dropped[node] = tree.tag(node).is_some_and(HtmlTag::is_never_text);
    }
    let measures = texts.measure(tree, &dropped, ProseLengths::PARAGRAPHS);
    let all = measures[body].chars;
    let main = main_element(tree, &measures, body);
    let sheet = StyleSheet::of(tree, source, &[]);
    let mut at = body + 1;
    while at < tree.end(body) {
        if let Some(tag) = tree.tag(at) {
            // Half: what has more cannot be beside the text.
            let is_small = measures[at].chars < all * 0.5
                && !main.is_some_and(|main| has_most_of(tree, &measures, at, main));
            let is_numbers = || hints[at].line_numbers && !has_letters(tree, source, at);
            let reason = hiding_reason(tree, at, hints[at], &sheet).filter(|_| is_small);
            // It hides nothing: it repeats, or asks for scripts.
            let is_alternative = tag == HtmlTag::Noscript;
            let is_unseen = || {
                let is_skipped = hints[at].unseen || is_for_eyes_only(tree, at, hints[at]);
                is_alternative && !is_only_picture(tree, source, at) || is_skipped || is_numbers()
            };
            if let Some(reason) = reason.filter(|_| !dropped[at] && !is_alternative) {
                hidden.push(HiddenNode { node: at, reason });
            }
            // Names and attributes for programs are wrong at times, so that much text outweighs them.
            dropped[at] |= reason.is_some() || is_small && is_unseen();
            // What cannot be seen at all is reported as hidden, not as folded.
            if !dropped[at] && is_folded(tree, at, hints[at], &sheet) {
                folded.push(at);
            }
        }
        at = if dropped[at] { tree.end(at) } else { at + 1 };
    }
    // The form of a formula that is text may be one that the page hides.
    choose_forms(tree, source, &mut dropped);
    hidden.retain(|hidden| dropped[hidden.node]);
    let folded = outermost(tree, folded.into_iter());
    UnseenNodes { dropped, hidden, folded }
}

/// How many nodes before a part for browsers without scripts may be the picture that it repeats.
const MAX_LAZY_NODES: usize = 8;

/// True for a part for browsers without scripts that has a picture with a description, which the picture before it, that a
/// script loads, does not have.
fn is_only_picture(tree: &PageTree, source: &str, node: usize) -> bool {
    let is_described = |at: usize| {
        tree.tag(at) == Some(HtmlTag::Img)
            && tree.attribute(at, "alt").is_some_and(|alt| !alt.trim().is_empty())
    };
    let is_picture = |at: usize| tree.tag(at) == Some(HtmlTag::Img);
    let before = (node.saturating_sub(MAX_LAZY_NODES)..node).rev().find(|&at| is_picture(at));
    tree.below(node).any(is_described)
        && before.is_some_and(|picture| !is_described(picture))
        && tree.text_below(node, source).trim().is_empty()
}

/// True if a letter is below a node: highlighters of code name the code after the numbers that they add to it.
fn has_letters(tree: &PageTree, source: &str, node: usize) -> bool {
    let mut texts = tree.below(node).filter_map(|at| tree.text(at));
    texts.any(|text| text.resolve(source).contains(char::is_alphabetic))
}

/// The `main` element, if it says where the content is.
fn main_element(tree: &PageTree, measures: &[ProseMeasure], body: usize) -> Option<usize> {
    let is_main =
        |&node: &usize| tree.tag(node) == Some(HtmlTag::Main) || tree.attribute(node, "role") == Some("main");
    tree.below(body).find(is_main).filter(|&main| measures[main].chars > MIN_MAIN_CHARS)
}

/// True if nearly all words of the `main` element are in another element.
fn has_most_of(tree: &PageTree, measures: &[ProseMeasure], node: usize, main: usize) -> bool {
    let is_around = node < main && main < tree.end(node);
    let is_part = main <= node && node < tree.end(main);
    is_around || is_part && measures[node].chars > measures[main].chars * MIN_REVEALED_SHARE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;

    /// If the element `x` counts as not shown.
    #[track_caller]
    fn check(page: &str, expected: bool) {
        let tree = parse(page, false);
        let body = body(&tree);
        let texts = PageTexts::read(&tree, page, body);
        let unseen = unseen(&tree, page, &texts, &name_hints::all_hints(&tree, page), body);
        let node = (0..tree.len()).find(|&node| tree.attribute(node, "id") == Some("x")).unwrap();
        assert_eq!(unseen.dropped[node], expected, "of {page}");
    }

    #[test]
    fn what_is_hidden_is_not_text_unless_it_is_most_of_it() {
        let page = |attributes: &str, inside: usize, outside: usize| {
            let [inside, outside] = [inside, outside].map(|letters| "x".repeat(letters));
            format!("<div id=x {attributes}>{inside}</div><p>{outside}")
        };
        check(&page("hidden", 49, 51), true);
        check(&page("hidden", 50, 50), false);
        check(&page("", 49, 51), false);
        check(&page("class=sronly", 49, 51), true);
        check("<p>bcd<noscript id=x>a</noscript>", true);
        check("<p>b<script id=x>a</script>", true);
        check("<video id=x>abc</video>", true);
        check("<div hidden>a</div><div id=x>b</div><p>cde", false);
    }

    #[test]
    fn numbers_of_lines_are_hidden_and_numbered_code_is_not() {
        let page =
            |numbers: &str| format!("<table><tr><td id=x class=linenos>{numbers}<td>let ten = 10;</table>");
        check(&page("<pre>1\n2 </pre>"), true);
        check(&page("<pre>1\n2a</pre>"), false);
        check(&page("<a data-n=a></a>"), true);
        check("<pre id=x class='line-numbers'><code>a = 1</code></pre><p>and more", false);
    }

    #[test]
    fn what_is_most_of_the_main_element_is_shown_later() {
        let page = |inside: usize, main: usize, outside: usize| {
            let [inside, main, outside] = [inside, main, outside].map(|letters| "x".repeat(letters));
            format!("<main><div id=x hidden>{inside}</div><p>{main}</main><p>{outside}")
        };
        check(&page(320, 81, 1000), true);
        check(&page(410, 90, 1000), false);
        check(&page(390, 110, 1000), true);
        check(&page(390, 10, 1000), true);
        check(&page(400, 100, 1000), true);
        check(&page(390, 11, 1000), false);
        check(&page(410, 90, 1000).replace("<main>", "<div role=main>").replace("</main>", "</div>"), false);
        let around = |main: &str| format!("<div id=x hidden>{main}</div><p>{}", "x".repeat(1000));
        let letters = "x".repeat(410);
        check(&around(&format!("<main>{letters}</main>")), false);
        check(&around(&format!("<div role=main>{letters}</div>")), false);
        check(&around(&format!("<div role=menu>{letters}</div>")), true);
        check(&format!("<div id=x hidden>{letters}</div><main>{letters}</main><p>{letters}"), true);
        check(&format!("<main id=x hidden>{letters}</main><p>{}", "x".repeat(1000)), false);
        check(&format!("<main>{letters}</main>{}", around(&letters)), true);
        check(&format!("{}<main>{letters}</main>", around(&letters)), true);
    }

    #[test]
    fn selections_say_how_a_page_is_read() {
        let page = "<p>aaa<p hidden>b<svg></svg><script></script>";
        let tree = parse(page, false);
        let dropped = |selection: &ContentSelection| -> Vec<HtmlTag> {
            (0..tree.len())
                .filter(|&node| selection.is_dropped(node))
                .filter_map(|node| tree.tag(node))
                .collect()
        };
        let whole = ContentSelection::whole(&tree, page);
        assert_eq!((whole.keeps_controls, whole.bare_links, whole.is_chapter), (true, false, false));
        assert_eq!(dropped(&whole), [HtmlTag::P, HtmlTag::Svg, HtmlTag::Script]);
        let chapter = ContentSelection::chapter(&tree, page, &[]);
        assert_eq!((chapter.keeps_controls, chapter.bare_links, chapter.is_chapter), (true, false, true));
        assert_eq!(dropped(&chapter), [HtmlTag::Head, HtmlTag::P, HtmlTag::Script]);
        assert_eq!([whole.roots, chapter.roots], [[body(&tree)], [body(&tree)]]);
    }
}
