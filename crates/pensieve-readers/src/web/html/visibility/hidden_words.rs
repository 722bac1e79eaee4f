//! The words of a page that nobody can see.

use super::content_selection::ContentSelection;
use super::hidden::HiddenNode;
use crate::markdown::SourceText;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use pensieve_text::model::HiddenReason;

/// Words that nobody can see.
#[derive(Debug, PartialEq)]
pub(crate) struct HiddenWords {
    pub reason: HiddenReason,
    /// The words, unfolded.
    pub text: String,
    /// Where they begin in the page.
    pub at: usize,
}

/// The words of a selection that nobody can see: those inside of other parts that are left out do not count.
pub(crate) fn hidden_words(tree: &PageTree, source: &str, selection: &ContentSelection) -> Vec<HiddenWords> {
    let mut found = Vec::new();
    let mut hidden = selection.hidden.iter().peekable();
    let mut roots: Vec<usize> = selection.roots.clone();
    // Hidden nodes are in document order; a headline that was put back is not.
    roots.sort_unstable();
    for root in roots {
        let mut at = root;
        while at < tree.end(root) && hidden.peek().is_some() {
            // Those between two roots are no part of the content.
            while hidden.next_if(|hidden| hidden.node < at).is_some() {}
            if let Some(HiddenNode { node, reason }) = hidden.next_if(|hidden| hidden.node == at) {
                let words: Vec<&SourceText> = shown_below(tree, *node).collect();
                let place = words.first().map(|first| first.span.start);
                // Elements may part words without a space.
                let text = words.iter().map(|words| words.resolve(source)).collect::<Vec<_>>().join(" ");
                // Nobody hides separators from a reader.
                let is_text = |_: &usize| text.contains(char::is_alphanumeric);
                found.extend(place.filter(is_text).map(|at| HiddenWords { reason: *reason, text, at }));
            }
            at = if selection.is_dropped(at) { tree.end(at) } else { at + 1 };
        }
    }
    found
}

/// The texts below a node, without scripts, styles and the like.
fn shown_below(tree: &PageTree, node: usize) -> impl Iterator<Item = &SourceText> {
    let mut next = node;
    std::iter::from_fn(move || {
        while next < tree.end(node) {
            let at = next;
            next = if tree.tag(at).is_some_and(HtmlTag::is_never_text) { tree.end(at) } else { at + 1 };
            if let Some(text) = tree.text(at) {
                return Some(text);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;

    #[test]
    fn words_are_those_of_the_selection_without_scripts() {
        let page = "<body><nav><p hidden>a</nav><main><p>b<p hidden>c <b>d</b><script>e</script><p hidden> - <p>fghi jkl";
        let tree = parse(page, false);
        let whole = ContentSelection::whole(&tree, page);
        let found = |selection: &ContentSelection| -> Vec<String> {
            hidden_words(&tree, page, selection).into_iter().map(|words| words.text).collect()
        };
        assert_eq!(found(&whole), ["a", "c  d"]);
        let main = tree.find(0, HtmlTag::Main).unwrap();
        assert_eq!(found(&ContentSelection { roots: vec![main], ..whole }), ["c  d"]);
    }
}
