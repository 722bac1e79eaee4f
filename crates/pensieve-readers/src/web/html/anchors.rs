//! Names of places inside a chapter, and their positions in its text.
//!
//! The name of a title is the place of the label above it, if the page says that they belong together: `Chapter Two` in
//! one group with the title, or in a paragraph that is called a label.

use super::page::{NEAR_NODES, ParsedPage};
use super::tag::HtmlTag;

/// Parts of the classes of labels above titles.
const LABEL_NAMES: &[&str] =
    &["label", "number", "chapnum", "kicker", "eyebrow", "overline", "pretitle", "ordinal"];

/// Longer paragraphs are no labels.
const MAX_LABEL_BYTES: usize = 80;

/// The names of a chapter, each with the offset of its position in the text.
#[derive(Debug, Default)]
pub(super) struct AnchorList {
    names: Vec<(String, usize)>,
    /// The last group of a title and its labels, or the last label: its extent, and where it begins in the text.
    above: Option<TitleLabel>,
}

/// What titles below it, or inside of it, begin with.
#[derive(Debug, Clone, Copy)]
struct TitleLabel {
    end: usize,
    at: usize,
    is_group: bool,
}

impl AnchorList {
    /// Adds the name of an element of a chapter; web pages do not need them.
    pub fn add(&mut self, page: ParsedPage<'_>, node: usize, tag: HtmlTag, at: usize) {
        if !page.selection().is_chapter {
            return;
        }
        let is_group = tag == HtmlTag::Hgroup;
        if is_group || is_label(page, node, tag) {
            let is_inside = self.above.is_some_and(|above| above.is_group && node < above.end);
            if !is_inside {
                self.above = Some(TitleLabel { end: page.end(node), at, is_group });
            }
        }
        let name = page.attribute(node, "id").or_else(|| match tag {
            HtmlTag::A => page.attribute(node, "name"),
            _ => page.attribute(node, "xml:id"),
        });
        if let Some(name) = name {
            self.names.push((name.to_owned(), self.begin_of(page, node, at)));
        }
    }

    /// Where the title that a node is, or is in, begins.
    fn begin_of(&self, page: ParsedPage<'_>, node: usize, at: usize) -> usize {
        let Some(above) = self.above.filter(|above| node <= above.end + NEAR_NODES) else { return at };
        let is_heading = |&near: &usize| page.tag(near).and_then(HtmlTag::heading_level).is_some();
        let title = std::iter::once(node).chain(page.tree().ancestors(node).take(2)).find(is_heading);
        let belongs = title.is_some_and(|title| match above.is_group {
            true => title < above.end,
            false => above.end <= title && !(above.end..title).any(|between| page.has_words(between)),
        });
        if belongs { above.at } else { at }
    }

    /// Adds the names inside what is written as a whole: rows of a table, lines of code.
    pub fn add_below(&mut self, page: ParsedPage<'_>, node: usize, at: usize) {
        for below in page.tree().below(node) {
            if let Some(tag) = page.tag(below) {
                self.add(page, below, tag, at);
            }
        }
    }

    pub fn into_vec(self) -> Vec<(String, usize)> {
        self.names
    }
}

/// True for a short paragraph whose class says that it is a label.
fn is_label(page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> bool {
    let class = page.attribute(node, "class").unwrap_or_default();
    let is_named = || {
        let class = class.to_ascii_lowercase();
        LABEL_NAMES.iter().any(|name| class.contains(name))
    };
    matches!(tag, HtmlTag::P | HtmlTag::Div)
        && page.end(node) - node <= NEAR_NODES
        && is_named()
        && page.words_below(node).trim().len() <= MAX_LABEL_BYTES
}

#[cfg(test)]
mod tests {
    use super::super::chapter::read_chapter;
    use super::super::chapter::tests::decoded;
    use crate::settings::HtmlOptions;

    #[test]
    fn titles_begin_with_the_labels_above_them() {
        for (page, expected) in [
            ("<p>x</p><p class='chap-label'>Two</p><h2 id=t>Calm</h2>", "Two"),
            ("<p>x</p><div class=number>2</div> <h2><a id=t></a>Calm</h2>", "2"),
            ("<p>x</p><hgroup><p>Two</p><h2 id=t>Calm</h2></hgroup>", "Two"),
            ("<p>x</p><hgroup><h2 id=t>Calm</h2><p>After</p></hgroup>", "## Calm"),
            ("<p>x</p><p>Two</p><h2 id=t>Calm</h2>", "## Calm"),
            ("<p class=label>Two</p><p>x</p><h2 id=t>Calm</h2>", "## Calm"),
            ("<p class=label>Two</p><p id=t>Calm</p>", "Calm"),
        ] {
            let chapter = read_chapter(decoded(page), &HtmlOptions { markdown: true, main_content: false });
            let at = chapter.anchors.iter().find(|(name, _)| name == "t").map(|(_, at)| *at);
            let found = at.map(|at| chapter.text.text[at..].trim_start().lines().next().unwrap_or_default());
            assert_eq!(found, Some(expected), "of {page}");
        }
    }
}
