//! Lists: items with bullets or numbers, and terms with what is said of them.
//!
//! Markdown knows no letters as numbers and no terms: an item that is called `b.` is a bullet with this name, a term is an item
//! of strong words, and its definitions are items below it. Inside of a cell, which is one line, items are divided by
//! semicolons.

use super::render::Renderer;
use super::tag::Tag;
use crate::markdown::{BlockBreak, InlineMark};
use crate::shared::numerals::numeral;

/// Elements above a term among which a list of contents is looked for.
const NEAR: usize = 6;

/// A list that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    /// The number of its next item.
    next: Option<u32>,
    /// It counts down.
    is_reversed: bool,
    /// The format of its numbers, where they are not decimal.
    format: Option<&'static str>,
    /// What its last item was.
    last: Option<Tag>,
}

impl Renderer<'_> {
    /// Begins a list.
    pub(super) fn enter_list(&mut self, node: usize, tag: Tag) {
        let list = self.list(node, tag);
        // In the middle of a paragraph only a list that begins with one is a list (CommonMark 0.31, section 5.2).
        let is_tight =
            !self.lists.is_empty() && list.next.is_none_or(|next| next == 1 || list.format.is_some());
        self.writer.end_block(if is_tight { BlockBreak::Line } else { BlockBreak::Paragraph });
        if is_tight {
            self.writer.end_tight_block();
        }
        self.lists.push(list);
    }

    fn list(&self, node: usize, tag: Tag) -> List {
        let attribute = |name: &str| self.tree.attribute(node, name).map(str::trim);
        let is_reversed = attribute("reversed").is_some();
        let first = match attribute("start").and_then(|start| start.parse().ok()) {
            Some(start) => start,
            None if is_reversed => {
                let items = self.tree.children(node).filter(|&item| self.tree.tag(item) == Some(Tag::Li));
                u32::try_from(items.count()).unwrap_or(1)
            }
            None => 1,
        };
        let format = match attribute("type").filter(|_| tag == Tag::Ol) {
            Some("a") => Some("lowerLetter"),
            Some("A") => Some("upperLetter"),
            Some("i") => Some("lowerRoman"),
            Some("I") => Some("upperRoman"),
            _ => None,
        };
        List { next: (tag == Tag::Ol).then_some(first), is_reversed, format, last: None }
    }

    /// Ends a list. What follows in the item around is no part of its last item.
    pub(super) fn leave_list(&mut self) {
        self.lists.pop();
        self.writer.end_block(BlockBreak::Paragraph);
    }

    /// Items follow each other without a blank line. What the item before was.
    fn separate_item(&mut self, tag: Tag) -> Option<Tag> {
        let before = self.lists.last_mut().and_then(|list| list.last.replace(tag));
        if before.is_none() {
            self.writer.end_block(BlockBreak::Line);
        } else {
            let is_defined = before == Some(Tag::Dt) && tag == Tag::Dd;
            self.writer.put_separator(if is_defined { ":" } else { ";" });
            self.writer.end_tight_block();
        }
        before
    }

    /// Begins an item of a list.
    pub(super) fn enter_item(&mut self, node: usize) {
        self.separate_item(Tag::Li);
        let own = self.tree.attribute(node, "value").and_then(|value| value.trim().parse().ok());
        let list = self.lists.last_mut();
        let numbered = list.and_then(|list| {
            let number = own.or(list.next).filter(|_| list.next.is_some())?;
            list.next =
                Some(if list.is_reversed { number.saturating_sub(1) } else { number.saturating_add(1) });
            Some((number, list.format))
        });
        match numbered {
            Some((number, Some(format))) => {
                self.writer.open_numbered_item(&format!("{}.", numeral(number, format)));
            }
            Some((number, None)) => self.writer.open_numbered_item(&format!("{number}.")),
            None => self.writer.open_item(),
        }
    }

    /// Begins a term. Terms beside each other have their definitions in common, and are one item.
    pub(super) fn enter_term(&mut self, node: usize) {
        let shares = self.separate_item(Tag::Dt) == Some(Tag::Dt);
        self.writer.open_container(if shares { "  " } else { "- " }, "  ");
        if self.is_plain_term(node) {
            self.writer.open_mark(Some(InlineMark::Strong('*')));
        }
    }

    /// Begins a definition.
    pub(super) fn enter_definition(&mut self) {
        self.separate_item(Tag::Dd);
        self.writer.open_container("  - ", "    ");
    }

    /// Ends an item, a term or a definition.
    pub(super) fn leave_item(&mut self, node: usize, tag: Tag) {
        if tag == Tag::Dt && self.is_plain_term(node) {
            self.writer.close_mark();
        }
        self.writer.end_block(BlockBreak::Line);
        self.writer.close_container();
    }

    /// True for a term whose words are not all marked already: as code, as strong, as a heading. Lists of contents,
    /// which DocBook writes so, hold no terms.
    fn is_plain_term(&self, term: usize) -> bool {
        let is_marked = |node: usize| {
            self.tree.ancestors(node).take_while(|&above| above > term).any(|above| {
                self.tree.tag(above).is_some_and(|tag| {
                    matches!(
                        tag,
                        Tag::Code | Tag::Tt | Tag::Kbd | Tag::Samp | Tag::B | Tag::Strong | Tag::Pre
                    ) || tag.heading_level().is_some()
                })
            })
        };
        let has_words = |node: usize| {
            self.tree
                .piece(node)
                .is_some_and(|piece| piece.resolve(self.source).contains(char::is_alphanumeric))
        };
        let is_contents = |above: usize| {
            let class = self.tree.attribute(above, "class").unwrap_or_default();
            class.split_ascii_whitespace().any(|name| name.eq_ignore_ascii_case("toc"))
        };
        !self.tree.ancestors(term).take(NEAR).any(is_contents)
            && self.tree.below(term).any(|node| has_words(node) && !is_marked(node))
    }
}

#[cfg(test)]
mod tests {
    use super::super::chapter::tests::check;

    #[test]
    fn terms_are_strong_and_their_definitions_stand_below() {
        check(
            "<dl><dt>T1</dt> <dt>T2</dt> <dd><p>D1</p><pre>code</pre></dd><dt><code>f(x)</code></dt><dd>D3</dd><dd>D4</dd></dl>",
            "- **T1**\n  **T2**\n  - D1\n\n    ```\n    code\n    ```\n- `f(x)`\n  - D3\n  - D4",
        );
        check(
            "<dl><dt><b>a</b>:</dt><dd>b</dd><dt><code>c</code> d</dt></dl>",
            "- **a**:\n  - b\n- **`c` d**",
        );
        check("<div class='toc'><dl><dt><a href='#x'>a</a></dt></dl></div>", "- a");
        check("<dl><dt>a</dt><dd><dl><dt>b</dt><dd>c</dd></dl></dd></dl>", "- **a**\n  - **b**\n    - c");
    }

    #[test]
    fn lists_have_their_own_numbers() {
        check("<ol start='5'><li>a</li><li>b<ol type='a'><li>c</li></ol></li></ol>", "5. a\n6. b\n   - a. c");
        check("<ol type='I' start='4'><li>a</li></ol>", "- IV. a");
        check("<ol reversed=''><li>a</li><li>b</li></ol>", "2. a\n1. b");
        check("<ol><li/><li>b</li></ol>", "2. b");
        check("<ul><li>a<ol start='3'><li>b</li></ol></li></ul>", "- a\n\n  3. b");
    }

    #[test]
    fn what_follows_a_list_is_not_its_last_item() {
        check("<ul><li>a<ul><li>b</li></ul>c</li><li>d</li></ul>", "- a\n  - b\n\n  c\n- d");
        check("<ul><li><h3>a</h3><p>b</p></li></ul>", "- ### a\n\n  b");
    }

    #[test]
    fn lists_in_cells_are_one_line() {
        check(
            "<table><tr><td>a</td><td>b: <ul><li>x</li><li>y</li></ul></td></tr><tr><td><ol><li>x</li><li>y</li></ol></td>\
             <td><dl><dt>t</dt><dd>d</dd><dt>u</dt></dl></td></tr></table>",
            "| a | b: x; y |\n| - | - |\n| 1. x; 2. y | **t**: d; **u** |",
        );
    }
}
