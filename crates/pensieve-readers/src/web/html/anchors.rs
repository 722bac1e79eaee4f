//! Names of places inside a chapter, and their positions in its text.

use super::page::ParsedPage;
use super::tag::HtmlTag;

/// The names of a chapter, each with the offset of its position in the text.
#[derive(Debug, Default)]
pub(super) struct AnchorList(Vec<(String, usize)>);

impl AnchorList {
    /// Adds the name of an element of a chapter; web pages do not need them.
    pub fn add(&mut self, page: ParsedPage<'_>, node: usize, tag: HtmlTag, at: usize) {
        if !page.selection().is_chapter {
            return;
        }
        let name = page.attribute(node, "id").or_else(|| match tag {
            HtmlTag::A => page.attribute(node, "name"),
            _ => page.attribute(node, "xml:id"),
        });
        if let Some(name) = name {
            self.0.push((name.to_owned(), at));
        }
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
        self.0
    }
}
