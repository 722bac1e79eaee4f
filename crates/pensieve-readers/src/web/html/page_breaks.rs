//! Printed pages: where one begins, and which words are nothing but its number.
//!
//! Recognised by `epub:type` and `role`, by the classes that books have for them, and by the book's own list of pages. A mark is
//! `<!-- page 12 -->`; the number itself is no text.

use super::marks::has_word;
use super::render::Renderer;
use super::tag::Tag;

/// Classes of what holds the number of a page.
#[rustfmt::skip]
const CLASSES: &[&str] = &[
    "pagenum", "pagenumber", "page-number", "page_number", "pageno", "page-no", "page-num", "page_num", "pageref-num",
    "page-break", "pagebreak", "page_break", "pb", "x-ebookmaker-pageno", "pagenr", "folio",
];

/// Characters of the number of a page at most, words before it included.
const LONGEST: usize = 24;

/// The number of a page in its words: `[Pg 16]`, `p. xii`, `{20}`.
fn number(words: &str) -> Option<String> {
    let is_around = |c: char| c.is_whitespace() || "[](){}.-–—|\u{a0}".contains(c);
    let words = words.trim_matches(is_around).to_owned();
    let number = words.rsplit(is_around).next().unwrap_or_default();
    let before = words[..words.len() - number.len()].trim_matches(is_around).to_lowercase();
    let number = match before.as_str() {
        "" => number.trim_start_matches(['p', 'P']),
        "p" | "pg" | "pp" | "page" | "seite" | "s" | "página" | "str" => number,
        _ => return None,
    };
    let is_roman = number.chars().all(|c| "ivxlcdmIVXLCDM".contains(c));
    let is_number = number.chars().all(|c| c.is_ascii_digit()) && number.len() <= 5;
    ((is_roman || is_number) && !number.is_empty()).then(|| number.to_owned())
}

fn mark(page: &str) -> String {
    let page: String = page.chars().filter(|c| c.is_alphanumeric() || " .".contains(*c)).take(20).collect();
    format!("<!-- page {} -->", page.trim())
}

impl Renderer<'_> {
    /// Notes that a printed page begins at an element, where the list of pages says so.
    pub(super) fn begin_page(&mut self, node: usize, tag: Tag) {
        let Some(page) = self.book.and_then(|marks| marks.page.pages.get(&node)) else { return };
        match tag.heading_level() {
            // A heading is nothing but its words.
            Some(_) if self.writer.is_outermost() => self.put_page(page),
            _ => self.page = Some(page.clone()),
        }
    }

    /// Marks the page that waits, in front of the next words.
    pub(super) fn put_waiting_page(&mut self) {
        if !self.writer.is_one_line()
            && let Some(page) = self.page.take()
        {
            self.put_page(&page);
        }
    }

    fn put_page(&mut self, page: &str) {
        self.writer.put_words(&mark(page));
    }

    /// True for an element that is nothing but the number of a page, which is marked then.
    pub(super) fn is_page_number(&mut self, node: usize, tag: Tag, kind: &str) -> bool {
        let is_typed = has_word(kind, &["pagebreak", "doc-pagebreak"]);
        let classes = self.tree.attribute(node, "class").unwrap_or_default().to_ascii_lowercase();
        let is_listed = self.page.is_some();
        let may_be = matches!(
            tag,
            Tag::A | Tag::Span | Tag::Div | Tag::P | Tag::Small | Tag::Sup | Tag::I | Tag::Other
        );
        if !is_typed && !(may_be && (is_listed || has_word(&classes, CLASSES))) {
            return false;
        }
        let words = self.tree.text_below(node, self.source);
        let title = ["title", "aria-label"].iter().find_map(|name| self.tree.attribute(node, name));
        let title = title.map(str::to_owned);
        let listed = self.page.clone();
        let is_short = words.trim().chars().count() <= LONGEST;
        let page = match (number(&words).filter(|_| is_short), is_typed) {
            // What is listed as a page or called one is its number only where it has no other words.
            (Some(number), _) => listed.or(title).unwrap_or(number),
            (None, true) if is_short => listed.or(title).unwrap_or(words),
            (None, true) => {
                self.page = title;
                return false;
            }
            (None, false) => return false,
        };
        self.page = None;
        self.put_page(&page);
        true
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
}
