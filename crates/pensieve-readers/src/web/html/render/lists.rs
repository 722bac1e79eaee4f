//! Lists: items with bullets or numbers, and terms with their definitions.
//!
//! Markdown has neither letters as numbers nor terms: an item numbered `b.` is a bullet followed by this label, a
//! term is an item of strong words, and its definitions are items below it. Inside a cell, which is one line,
//! semicolons separate items.
//!
//! A list whose items all begin with a heading, with text below it, is how pages lay out their sections (Javadoc,
//! lists of posts): it is written without bullets, so that its headings are headings of the text.

use super::page::ParsedPage;
use crate::markdown::{BlockBreak, InlineMark, StreamWriter};
use crate::shared::numerals::numeral;
use crate::web::html::parse::tag::HtmlTag;

/// How many ancestors of a term are searched for a table of contents.
// DocBook has the class on the `div` around nested lists.
const MAX_ANCESTORS: usize = 6;

/// How many nodes of an item are searched for its heading, and after it for text.
// Lists of thousands of items stay cheap.
const MAX_HEADING_NODES: usize = 40;

/// A list that is open.
#[derive(Debug, Clone, Copy)]
struct OpenList {
    /// The number of its next item.
    next: Option<u32>,
    /// It counts down.
    is_reversed: bool,
    /// The format of its numbers, if they are not decimal.
    format: Option<&'static str>,
    /// What its last item was.
    last: Option<HtmlTag>,
    /// Its items are sections of the page.
    has_sections: bool,
}

impl OpenList {
    fn of(page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> OpenList {
        let attribute = |name: &str| page.attribute(node, name).map(str::trim);
        let is_reversed = attribute("reversed").is_some();
        let first = match attribute("start").and_then(|start| start.parse().ok()) {
            Some(start) => start,
            // By the standard it begins with the number of its items.
            None if is_reversed => {
                let items = page.tree().children(node).filter(|&item| page.tag(item) == Some(HtmlTag::Li));
                u32::try_from(items.count()).unwrap_or(1)
            }
            None => 1,
        };
        let format = match attribute("type").filter(|_| tag == HtmlTag::Ol) {
            Some("a") => Some("lowerLetter"),
            Some("A") => Some("upperLetter"),
            Some("i") => Some("lowerRoman"),
            Some("I") => Some("upperRoman"),
            _ => None,
        };
        // Numbers are text, bullets are decoration.
        let has_sections = tag == HtmlTag::Ul && has_sections(page, node);
        OpenList {
            next: (tag == HtmlTag::Ol).then_some(first),
            is_reversed,
            format,
            last: None,
            has_sections,
        }
    }

    /// The number of the next item as it is shown, if the list is numbered; `own` is the number that the item
    /// declares.
    fn take_number(&mut self, own: Option<u32>) -> Option<String> {
        // A value on an item of a list with bullets means nothing.
        let number = own.or(self.next).filter(|_| self.next.is_some())?;
        self.next = Some(if self.is_reversed { number.saturating_sub(1) } else { number.saturating_add(1) });
        Some(match self.format {
            Some(format) => format!("{}.", numeral(number, format)),
            None => format!("{number}."),
        })
    }
}

/// The lists around, innermost last.
#[derive(Debug, Default)]
pub(super) struct ListStack(Vec<OpenList>);

impl ListStack {
    /// True outside of all lists with bullets or numbers.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|list| list.has_sections)
    }

    /// Begins a list.
    pub fn enter_list(
        &mut self,
        page: ParsedPage<'_>,
        writer: &mut StreamWriter<'_>,
        node: usize,
        tag: HtmlTag,
    ) {
        let mut list = OpenList::of(page, node, tag);
        // In a cell headings are words anyway.
        list.has_sections &= !writer.is_in_row();
        // In the middle of a paragraph only a list that begins with one is a list (CommonMark 0.31, section 5.2).
        let is_inside = !list.has_sections && !self.is_empty();
        let is_tight = is_inside && list.next.is_none_or(|next| next == 1 || list.format.is_some());
        writer.end_block(if is_tight { BlockBreak::Line } else { BlockBreak::Paragraph });
        if is_tight {
            writer.end_tight_block();
        }
        self.0.push(list);
    }

    /// Ends a list. What follows in the item around is no part of its last item.
    pub fn leave_list(&mut self, writer: &mut StreamWriter<'_>) {
        self.0.pop();
        writer.end_block(BlockBreak::Paragraph);
    }

    /// Begins an item, a term or a definition.
    pub fn enter_item(
        &mut self,
        page: ParsedPage<'_>,
        writer: &mut StreamWriter<'_>,
        node: usize,
        tag: HtmlTag,
    ) {
        if self.has_sections() {
            return writer.end_block(BlockBreak::Paragraph);
        }
        let before = self.separate_item(writer, tag);
        match tag {
            // Consecutive terms share their definitions, and are one item.
            HtmlTag::Dt => {
                writer.open_container(if before == Some(HtmlTag::Dt) { "  " } else { "- " }, "  ");
                if is_plain_term(page, node) {
                    writer.open_mark(Some(InlineMark::Strong('*')));
                }
            }
            // One step below its term, which is an item.
            HtmlTag::Dd => writer.open_container("  - ", "    "),
            _ => {
                let own = page.attribute(node, "value").and_then(|value| value.trim().parse().ok());
                match self.0.last_mut().and_then(|list| list.take_number(own)) {
                    Some(number) => writer.open_numbered_item(&number),
                    None => writer.open_item(),
                }
            }
        }
    }

    /// Ends an item, a term or a definition.
    pub fn leave_item(&self, page: ParsedPage<'_>, writer: &mut StreamWriter<'_>, node: usize, tag: HtmlTag) {
        if self.has_sections() {
            return writer.end_block(BlockBreak::Paragraph);
        }
        if tag == HtmlTag::Dt && is_plain_term(page, node) {
            writer.close_mark();
        }
        writer.end_block(BlockBreak::Line);
        writer.close_container();
    }

    fn has_sections(&self) -> bool {
        self.0.last().is_some_and(|list| list.has_sections)
    }

    /// Items follow each other without a blank line. Returns the tag of the item before.
    fn separate_item(&mut self, writer: &mut StreamWriter<'_>, tag: HtmlTag) -> Option<HtmlTag> {
        let before = self.0.last_mut().and_then(|list| list.last.replace(tag));
        if before.is_none() {
            writer.end_block(BlockBreak::Line);
        } else {
            let is_defined = before == Some(HtmlTag::Dt) && tag == HtmlTag::Dd;
            writer.put_separator(if is_defined { ":" } else { ";" });
            writer.end_tight_block();
        }
        before
    }
}

/// True if every item of a list begins with a heading, and one of them has text below it.
fn has_sections(page: ParsedPage<'_>, list: usize) -> bool {
    let items = || page.tree().children(list).filter(|&item| page.tag(item) == Some(HtmlTag::Li));
    let has_text = |item: usize| {
        let text_below =
            |heading| has_words(page, (page.end(heading)..page.end(item)).take(MAX_HEADING_NODES));
        heading_of(page, item).is_some_and(text_below)
    };
    // Without any text it is a list of titles.
    items().all(|item| heading_of(page, item).is_some()) && items().any(has_text)
}

/// The heading that an item begins with.
fn heading_of(page: ParsedPage<'_>, item: usize) -> Option<usize> {
    let is_heading = |&node: &usize| page.tag(node).and_then(HtmlTag::heading_level).is_some();
    let heading = page.tree().below(item).take(MAX_HEADING_NODES).find(is_heading)?;
    (!has_words(page, item..heading)).then_some(heading)
}

/// True if one of these nodes is a text with a letter or digit.
fn has_words(page: ParsedPage<'_>, mut nodes: impl Iterator<Item = usize>) -> bool {
    nodes.any(|node| page.words(node).is_some_and(|words| words.contains(char::is_alphanumeric)))
}

/// True for a term whose words are not all marked already: as code, as strong, as a heading. Tables of contents,
/// which DocBook writes as such lists, have no terms.
fn is_plain_term(page: ParsedPage<'_>, term: usize) -> bool {
    let marks = |tag: HtmlTag| {
        use HtmlTag::{B, Code, Kbd, Pre, Samp, Strong, Tt};
        matches!(tag, Code | Tt | Kbd | Samp | B | Strong | Pre) || tag.heading_level().is_some()
    };
    let is_marked = |node: usize| {
        let mut around = page.tree().ancestors(node).take_while(|&above| above > term);
        around.any(|above| page.tag(above).is_some_and(marks))
    };
    let is_contents = |above: usize| {
        let class = page.attribute(above, "class").unwrap_or_default();
        class.split_ascii_whitespace().any(|name| name.eq_ignore_ascii_case("toc"))
    };
    !page.tree().ancestors(term).take(MAX_ANCESTORS).any(is_contents)
        && page.tree().below(term).any(|node| has_words(page, std::iter::once(node)) && !is_marked(node))
}

#[cfg(test)]
mod tests {
    use crate::web::html::chapter::tests::check;

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
        check("<ul><li>a<h3>b</h3><p>c</p></li></ul>", "- a\n\n  ### b\n\n  c");
    }

    #[test]
    fn items_with_headings_and_text_are_sections() {
        check("<ul><li><h3>a</h3><p>b</p></li></ul>c", "### a\n\nb\n\nc");
        check(
            "<ul><li><section><h2>a</h2><ul><li><h3>b</h3>c<ul><li>d</li></ul></li><li><h3>e</h3></li></ul></section></li></ul>",
            "## a\n\n### b\n\nc\n\n- d\n\n### e",
        );
        // Without text below them they are a list of titles; one item without a heading makes a plain list.
        check("<ul><li><h3>a</h3></li><li><h3>b</h3></li></ul>", "- ### a\n- ### b");
        check("<ul><li><h3>a</h3>b</li><li>c</li></ul>", "- ### a\n\n  b\n- c");
        check("<ol><li><h3>a</h3>b</li></ol>", "1. ### a\n\n   b");
        check(
            "<table><tr><td>x</td><td><ul><li><h3>a</h3>b</li></ul></td></tr></table>",
            "|  |  |\n| - | - |\n| x | a b |",
        );
    }

    #[test]
    fn lists_in_cells_are_one_line() {
        check(
            "<table><tr><td>a</td><td>b: <ul><li>x</li><li>y</li></ul></td></tr><tr><td><ol><li>x</li><li>y</li></ol></td>\
             <td><dl><dt>t</dt><dd>d</dd><dt>u</dt></dl></td></tr></table>",
            "|  |  |\n| - | - |\n| a | b: x; y |\n| 1. x; 2. y | **t**: d; **u** |",
        );
    }

    #[test]
    fn items_have_the_numbers_that_pages_give_them() {
        for (page, expected) in [
            ("<ol><li>a</ol><ol start=2><li>b</ol>", "1. a\n\n2. b"),
            ("<ol reversed><li>a<li value=9>b<li>c</ol>", "3. a\n9. b\n8. c"),
            ("<ul><li value=3>a</ul>", "- a"),
            ("<ol type=i><li value=' 4 '>a</ol>", "- iv. a"),
            ("<ul type=a><li>a</ul>", "- a"),
            ("<ul><li>a<ol type=a start=3><li>b</ol></ul>", "- a\n  - c. b"),
            ("<ul><li>a<ol start=2><li>b</ol></ul>", "- a\n\n  2. b"),
            ("<ul><li>a<ol><li>b</ol></ul>", "- a\n  1. b"),
            ("<p>a<ul><li>b</ul>", "a\n\n- b"),
            ("<p>a<ol start=2><li>b</ol>", "a\n\n2. b"),
            ("<li>a<li>b", "- a\n- b"),
        ] {
            crate::web::html::tests::check(page, expected);
        }
    }

    #[test]
    fn terms_are_strong_unless_their_words_are_marked() {
        for (page, expected) in [
            (
                "<dl><dt>a<dt><b>b</b><dt><h3>c</h3><dt><pre>d</pre><dt><kbd>e</kbd> <samp>f</samp><dt><i>g</i><dt><b>h</b>.</dl>",
                "- **a**\n  **b**\n  ### c\n  ```\n  d\n  ```\n  `e` `f`\n  ***g***\n  **h**.",
            ),
            ("<div class=TOC><dl><dt>a</dl></div>", "- a"),
            ("<div class=toc><div><div><div><div><dl><dt>a</dl></div></div></div></div></div>", "- a"),
            (
                "<div class=toc><div><div><div><div><div><dl><dt>a</dl></div></div></div></div></div></div>",
                "- **a**",
            ),
            (
                "<table><tr><td><dl><dt>a<dd>b<dd>c<dt>d</dl><td><ul><li>e<li>f</ul></table>",
                "| **a**: b; c; **d** | e; f |\n| - | - |",
            ),
            ("<dt>a<dd>b", "- **a**\n  - b"),
        ] {
            crate::web::html::tests::check(page, expected);
        }
    }

    #[test]
    fn marks_around_a_list_go_on_after_its_items() {
        crate::web::html::tests::check("<b><ul><li>a</ul>c</b>", "- **a**\n\n**c**");
    }
}
