//! Names of places inside a chapter, and their positions in its text.
//!
//! The name of a title is the place of the label above it, if the page says that they belong together: `Chapter Two` in
//! one group with the title, or in a paragraph that is called a label.

use super::page::{NEAR_NODES, ParsedPage};
use crate::web::html::parse::tag::HtmlTag;

/// Parts of the classes of labels above titles.
const LABEL_NAMES: &[&str] =
    &["label", "number", "chapnum", "kicker", "eyebrow", "overline", "pretitle", "ordinal"];

/// Longer paragraphs are no labels.
const MAX_LABEL_BYTES: usize = 80;

/// The names of a chapter, each with the offset of its position in the text.
#[derive(Debug, Default)]
pub(super) struct AnchorList {
    names: Vec<(String, usize)>,
    /// The elements around that may hold a title with the labels above it.
    groups: Vec<TitleLabel>,
    /// The last paragraph that is called a label.
    label: Option<TitleLabel>,
}

/// What a title may begin with: an element, and where it begins in the text.
#[derive(Debug, Clone, Copy)]
struct TitleLabel {
    node: usize,
    end: usize,
    at: usize,
}

impl AnchorList {
    /// Adds the name of an element of a chapter; web pages do not need them.
    pub fn add(&mut self, page: ParsedPage<'_>, node: usize, tag: HtmlTag, at: usize) {
        if !page.selection().is_chapter {
            return;
        }
        use HtmlTag::{Article, Div, Header, Hgroup, Section};
        let own = TitleLabel { node, end: page.end(node), at };
        // Groups are nested, so the innermost is last.
        while self.groups.pop_if(|group| group.end <= node).is_some() {}
        if matches!(tag, Article | Div | Header | Hgroup | Section) {
            self.groups.push(own);
        }
        if is_label(page, node, tag) {
            self.label = Some(own);
        }
        let name = page.attribute(node, "id").or_else(|| match tag {
            HtmlTag::A => page.attribute(node, "name"),
            _ => page.attribute(node, "xml:id"),
        });
        if let Some(name) = name {
            // An entry of the contents may lead to either, and the label is part of what it names.
            self.names.push((name.to_owned(), self.begin_of(page, node, at)));
        }
    }

    /// Where the title that a node is, or is in, begins: with a label before it, or with the outermost element around it
    /// that has only a few words before it.
    fn begin_of(&self, page: ParsedPage<'_>, node: usize, at: usize) -> usize {
        // The name may be that of a word or a link inside the title.
        let mut around = std::iter::once(node).chain(page.tree().ancestors(node).take(2));
        let Some(title) = around.find(|&near| is_title(page, near)) else { return at };
        let has_words = |from: usize| (from..title).any(|between| page.has_words(between));
        let label = self
            .label
            .filter(|label| label.end <= title && title - label.end < NEAR_NODES && !has_words(label.end));
        let few_words = |group: &&TitleLabel| {
            let before = group.node + 1..title;
            let is_heading = |at: usize| page.tag(at).and_then(HtmlTag::heading_level).is_some();
            let words = || before.clone().filter_map(|at| page.words(at)).map(|words| words.trim().len());
            // What is far above belongs to other text.
            before.len() < NEAR_NODES
                && !before.clone().any(is_heading)
                // No words: the title is its own first.
                && (1..=MAX_LABEL_BYTES).contains(&words().sum())
        };
        let group = self.groups.iter().find(few_words).map(|group| group.at);
        // The outer one, if a label is in a group.
        group.into_iter().chain(label.map(|label| label.at)).min().unwrap_or(at)
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

/// True for a heading, and for a paragraph that is called a title.
fn is_title(page: ParsedPage<'_>, node: usize) -> bool {
    let is_called = || page.attribute(node, "class").is_some_and(|class| class.contains("title"));
    page.tag(node).is_some_and(|tag| tag.heading_level().is_some() || tag == HtmlTag::P && is_called())
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
    use crate::settings::HtmlOptions;
    use crate::web::html::chapter::read_chapter;
    use crate::web::html::chapter::tests::decoded;

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
            ("<p class=label>Two</p><p class=title id=t>Calm</p>", "Two"),
            ("<p>x</p><section><p>Two</p><h2 id=t>Calm</h2></section>", "Two"),
            ("<p>x</p><section><h1>Part</h1><section><h2 id=t>Calm</h2></section></section>", "## Calm"),
            ("<p>x</p><section><div><p>Two</p></div><header><h2 id=t>Calm</h2></header></section>", "Two"),
        ] {
            let chapter = read_chapter(decoded(page), &HtmlOptions { markdown: true, main_content: false });
            let at = chapter.anchors.iter().find(|(name, _)| name == "t").map(|(_, at)| *at);
            let found = at.map(|at| chapter.text.text[at..].trim_start().lines().next().unwrap_or_default());
            assert_eq!(found, Some(expected), "of {page}");
        }
    }
}
