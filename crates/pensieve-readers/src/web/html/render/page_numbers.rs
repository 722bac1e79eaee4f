//! Printed pages: where one begins, and which words are only its number.
//!
//! Recognised by `epub:type` and `role`, by the classes that books use for them, and by the book's own list of pages.
//! A mark is `<!-- page 12 -->`; the number itself is not text.

use super::page::ParsedPage;
use crate::markdown::StreamWriter;
use crate::web::html::parse::attributes::has_word;
use crate::web::html::parse::tag::HtmlTag;

/// Classes of elements with the number of a page.
#[rustfmt::skip]
const CLASSES: &[&str] = &[
    "pagenum", "pagenumber", "page-number", "page_number", "pageno", "page-no", "page-num", "page_num", "pageref-num",
    "page-break", "pagebreak", "page_break", "pb", "x-ebookmaker-pageno", "pagenr", "folio",
];

/// Longer texts are not page numbers, including the words before the number.
const MAX_NUMBER_CHARS: usize = 24;

/// The printed page that begins with the next words.
#[derive(Debug, Default)]
pub(super) struct PageNumbers {
    waiting: Option<String>,
}

/// The number of a page in its words: `[Pg 16]`, `p. xii`, `{20}`.
fn number(words: &str) -> Option<String> {
    let is_around = |c: char| c.is_whitespace() || "[](){}.-–—|\u{a0}".contains(c);
    let words = words.trim_matches(is_around).to_owned();
    let number = words.rsplit(is_around).next().unwrap_or_default();
    let before = words[..words.len() - number.len()].trim_matches(is_around).to_lowercase();
    let number = match before.as_str() {
        // `p12` is one word.
        "" => number.trim_start_matches(['p', 'P']),
        "p" | "pg" | "pp" | "page" | "seite" | "s" | "página" | "str" => number,
        _ => return None,
    };
    let is_roman = number.chars().all(|c| "ivxlcdmIVXLCDM".contains(c));
    // No book has more than 99999 pages.
    let is_number = number.chars().all(|c| c.is_ascii_digit()) && number.len() <= 5;
    ((is_roman || is_number) && !number.is_empty()).then(|| number.to_owned())
}

fn mark(page: &str) -> String {
    // So that no mark of a comment's end is in it.
    let page: String = page.chars().filter(|c| c.is_alphanumeric() || " .".contains(*c)).take(20).collect();
    format!("<!-- page {} -->", page.trim())
}

impl PageNumbers {
    /// Records that a printed page begins at an element, if the list of pages names it.
    pub fn begin(&mut self, page: ParsedPage<'_>, writer: &mut StreamWriter<'_>, node: usize, tag: HtmlTag) {
        let Some(number) = page.book().and_then(|book| book.page.pages.get(&node)) else { return };
        match tag.heading_level() {
            // The mark goes before a heading, so that the heading has only its words.
            Some(_) if writer.is_outermost() => writer.put_words(&mark(number)),
            _ => self.waiting = Some(number.clone()),
        }
    }

    /// Writes the waiting page mark before the next words.
    pub fn put_waiting(&mut self, writer: &mut StreamWriter<'_>) {
        // In a cell or a heading it would be read as words.
        if !writer.is_one_line()
            && let Some(number) = self.waiting.take()
        {
            writer.put_words(&mark(&number));
        }
    }

    /// Writes a page mark for an element that is only the number of a page; false for any other element.
    pub fn put_element(
        &mut self,
        page: ParsedPage<'_>,
        writer: &mut StreamWriter<'_>,
        node: usize,
        tag: HtmlTag,
    ) -> bool {
        let number = self.number_of(page, node, tag);
        if let Some(number) = &number {
            // The list named the page, and so does its own element: once is enough.
            self.waiting = None;
            writer.put_words(&mark(number));
        }
        number.is_some()
    }

    /// The page number that is the whole content of an element.
    fn number_of(&mut self, page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> Option<String> {
        let is_typed = has_word(&page.types_of(node), &["pagebreak", "doc-pagebreak"]);
        let classes = page.attribute(node, "class").unwrap_or_default().to_ascii_lowercase();
        use HtmlTag::{A, Div, I, Other, P, Small, Span, Sup};
        // On larger elements such names ask for a break in print.
        let may_be = matches!(tag, A | Span | Div | P | Small | Sup | I | Other);
        if !is_typed && !(may_be && (self.waiting.is_some() || has_word(&classes, CLASSES))) {
            return None;
        }
        let words = page.words_below(node);
        let title = ["title", "aria-label"].iter().find_map(|name| page.attribute(node, name));
        let title = title.map(str::to_owned);
        let listed = self.waiting.clone();
        let is_short = words.trim().chars().count() <= MAX_NUMBER_CHARS;
        match (number(&words).filter(|_| is_short), is_typed) {
            // An element that is listed as a page or named so is only a number if it has no other words.
            (Some(number), _) => Some(listed.or(title).unwrap_or(number)),
            (None, true) if is_short => Some(listed.or(title).unwrap_or(words)),
            // The typed element has the text of the page in it.
            (None, true) => {
                self.waiting = title;
                None
            }
            (None, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_pages_are_told_from_words() {
        for (words, expected) in [
            ("[Pg 16]", Some("16")),
            ("[17]", Some("17")),
            ("{20}", Some("20")),
            ("p. xii", Some("xii")),
            ("Page 3", Some("3")),
            ("p12", Some("12")),
            ("— 4 —", Some("4")),
            ("Chapter 3", None),
            ("word", None),
            ("", None),
        ] {
            assert_eq!(number(words).as_deref(), expected, "{words}");
        }
    }

    use crate::web::html::chapter::tests::check_book;

    #[test]
    fn numbers_are_short_and_alone() {
        for (words, expected) in [
            ("12345", Some("12345")),
            ("123456", None),
            ("mdc", Some("mdc")),
            ("XIV", Some("XIV")),
            ("12a", None),
            ("Seite 4", Some("4")),
            ("pp. 3", Some("3")),
            ("pg-5", Some("5")),
            ("12 13", None),
            ("page", None),
            ("p", None),
            ("p. xyz", None),
        ] {
            assert_eq!(number(words).as_deref(), expected, "{words}");
        }
        assert_eq!(mark("1<2> x. -- abcdefghijklmnopq"), "<!-- page 12 x.  abcdefghijklm -->");
        assert_eq!(mark(" 12 "), "<!-- page 12 -->");
    }

    #[test]
    fn a_listed_page_begins_with_the_next_words() {
        check_book("<p>One</p><p id='page-12'>Two</p>", "One\n\n<!-- page 12 -->Two");
        check_book("<p>One <span id='page-xii'></span>two</p>", "One <!-- page xii -->two");
        check_book("<p>One <span id='page-12'>12</span>two</p>", "One <!-- page 12 -->two");
        check_book("<p>One <span id='page-12'>[Pg 13]</span>two</p>", "One <!-- page 12 -->two");
        check_book("<p>One <span id='page-12'>word</span> two</p>", "One <!-- page 12 -->word two");
        check_book("<h2 id='page-12'>One</h2><p>Two</p>", "<!-- page 12 -->\n\n## One\n\nTwo");
        check_book("<h2><span id='page-12'></span>One</h2><p>Two</p>", "## One\n\n<!-- page 12 -->Two");
        check_book(
            "<blockquote><h2 id='page-12'>One</h2><p>Two</p></blockquote>",
            "> ## One\n>\n> <!-- page 12 -->Two",
        );
        check_book("<p id='page-12'> </p><p>Two</p>", "<!-- page 12 -->Two");
        check_book("<span id='page-12'></span><span id='page-13'></span><p>Two</p>", "<!-- page 13 -->Two");
    }

    #[test]
    fn an_element_that_is_a_number_is_no_text() {
        for (page, expected) in [
            ("<p>One <span class='x PageNum'>[Pg 16]</span>two</p>", "One <!-- page 16 -->two"),
            ("<p>One <span class='pagenum'>sixteen</span> two</p>", "One sixteen two"),
            ("<p>One <b class='pagenum'>16</b> two</p>", "One **16** two"),
            ("<p>One <span>16</span> two</p>", "One 16 two"),
            ("<p>One <span epub:type='pagebreak' title='12'/>two</p>", "One <!-- page 12 -->two"),
            ("<p>One <span epub:type='pagebreak'>12</span>two</p>", "One <!-- page 12 -->two"),
            ("<p>One <span epub:type='pagebreak' title='13'>12</span>two</p>", "One <!-- page 13 -->two"),
            ("<p>One <span role='doc-pagebreak' aria-label='12'/>two</p>", "One <!-- page 12 -->two"),
            ("<p>One <b role='doc-pagebreak' title='12'/>two</p>", "One <!-- page 12 -->two"),
            ("<p>One <span epub:type='pagebreak'>twelve</span> two</p>", "One <!-- page twelve --> two"),
        ] {
            check_book(page, expected);
        }
        let page = |letters: usize| {
            format!("<p>One <b role='doc-pagebreak' title='12'>{}</b> two</p>", "y".repeat(letters))
        };
        check_book(&page(24), "One <!-- page 12 --> two");
        check_book(&page(25), &format!("One **<!-- page 12 -->{}** two", "y".repeat(25)));
    }
}
