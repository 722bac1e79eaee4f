//! The lines at the edges of a page, in the form in which they are compared with those of other pages.

use crate::model::Span;
use crate::text::roman::from_roman;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// How many lines at either edge may be a header or footer.
const EDGE_LINES: usize = 4;

/// The maximum length of a header or footer line.
const MAX_LINE_BYTES: usize = 200;

/// Maximum numbers of a line that are compared.
const MAX_NUMBERS: usize = 6;

/// A line at the edge of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EdgeLine {
    /// Its position in the page, without the blanks around it.
    pub(super) span: Span,
    /// A hash of its characters except for its numbers.
    key: u64,
    /// Its numbers, in order.
    numbers: Vec<u64>,
    /// True if it has a letter that belongs to no number.
    pub(super) has_words: bool,
    is_long: bool,
    /// True if it ends a sentence and occurs on its page a second time, except at the opposite edge. A header may be
    /// repeated over each column.
    pub(super) is_inside: bool,
    /// True if the sentence of the line directly above continues here.
    goes_on: bool,
    /// True if it ends like a sentence.
    closes: bool,
}

/// The edges of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct PageEdges {
    /// From the top down.
    pub(super) top: Vec<EdgeLine>,
    /// From the bottom up.
    pub(super) bottom: Vec<EdgeLine>,
    /// True if no lines are between the two edges.
    pub(super) is_all: bool,
}

impl PageEdges {
    /// The edges of a page, which ends before its page break.
    pub(super) fn of(page: &str) -> PageEdges {
        let mut lines = lines(page);
        let top: Vec<EdgeLine> = lines.by_ref().take(EDGE_LINES).collect();
        let bottom: Vec<EdgeLine> = rlines(page).take(EDGE_LINES).collect();
        let is_all = top.len() < EDGE_LINES
            || bottom.last().is_some_and(|last| last.span.start <= top[EDGE_LINES - 1].span.end);
        let mut edges = PageEdges { top, bottom, is_all };
        edges.note_text(page);
        edges
    }

    /// Marks lines that are text and not furniture: they occur on the page twice, or end a sentence of it.
    fn note_text(&mut self, page: &str) {
        let from = self.top.last().map_or(0, |line| line.span.end);
        let to = self.bottom.last().map_or(0, |line| line.span.start).max(from);
        let inner = &page[from..to];
        let are_inside = |lines: &[EdgeLine], opposite: &[EdgeLine]| -> Vec<bool> {
            let words = |line: &EdgeLine| &page[line.span.range()];
            let is_opposite = |at: usize| {
                opposite.iter().position(|line| line.span == lines[at].span).is_some_and(|other| other < at)
            };
            let is_twice = |line: &EdgeLine| {
                let twins = (0..lines.len())
                    .filter(|&at| lines[at].span != line.span && words(&lines[at]) == words(line));
                twins.into_iter().any(|at| !is_opposite(at))
            };
            lines
                .iter()
                // A clause that ended three pages word for word was taken for a footer.
                .map(|line| line.closes && (is_twice(line) || stands_in(inner, words(line))))
                .collect()
        };
        let top = are_inside(&self.top, &self.bottom);
        let bottom = are_inside(&self.bottom, &self.top);
        self.top.iter_mut().zip(top).for_each(|(line, is_inside)| line.is_inside = is_inside);
        self.bottom.iter_mut().zip(bottom).for_each(|(line, is_inside)| line.is_inside = is_inside);
        self.bottom.iter_mut().for_each(|line| line.note_sentence(page));
    }

    /// How many of the first `count` lines at the bottom, which repeat, are footers. A line in which a sentence of
    /// the text ends is not a footer.
    pub(super) fn footers(&self, count: usize) -> usize {
        let mut goes_on = self.bottom[..count].iter().rev().take_while(|line| line.goes_on);
        goes_on.position(|line| line.closes).map_or(count, |end| count - end - 1)
    }
}

/// True if `line` is one of the lines of `text`.
fn stands_in(text: &str, line: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), line.as_bytes()).any(|at| {
        let before = text[..at].trim_end_matches([' ', '\t']);
        let after = text[at + line.len()..].trim_start_matches([' ', '\t']);
        (before.is_empty() || before.ends_with(['\n', '\r']))
            && (after.is_empty() || after.starts_with(['\n', '\r']))
    })
}

/// The lines of a page that are not blank.
fn lines(page: &str) -> impl Iterator<Item = EdgeLine> {
    let mut at = 0;
    page.split(['\n', '\r']).filter_map(move |line| {
        let start = at;
        at += line.len() + 1;
        EdgeLine::of(start, line)
    })
}

fn rlines(page: &str) -> impl Iterator<Item = EdgeLine> {
    let mut end = page.len() + 1;
    page.rsplit(['\n', '\r']).filter_map(move |line| {
        end -= line.len() + 1;
        EdgeLine::of(end, line)
    })
}

impl EdgeLine {
    fn of(start: usize, line: &str) -> Option<EdgeLine> {
        let text = line.trim();
        if text.is_empty() {
            return None;
        }
        let start = start + line.len() - line.trim_start().len();
        let mut edge = EdgeLine {
            span: Span::new(start, start + text.len()),
            key: 0,
            numbers: Vec::new(),
            has_words: false,
            is_long: text.len() > MAX_LINE_BYTES,
            is_inside: false,
            goes_on: false,
            closes: text.ends_with(['.', '!', '?']),
        };
        if !edge.is_long {
            edge.read(text);
        }
        Some(edge)
    }

    fn read(&mut self, text: &str) {
        let mut hasher = FxHasher::default();
        let roman = page_numeral(text.trim_matches(|c: char| !c.is_alphanumeric()));
        for word in text.split_whitespace() {
            let mut rest = word;
            while let Some(c) = rest.chars().next() {
                let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                let (len, mark) = match (digits, roman) {
                    (0, Some(_)) if c.is_ascii_alphabetic() => (1, 0),
                    (0, _) => (c.len_utf8(), c as u32),
                    // All numbers are one sign here; `repeats_in` compares their values.
                    _ => (digits, '#' as u32),
                };
                if digits > 0 && self.numbers.len() < MAX_NUMBERS {
                    // Digits beyond 64 bits count nothing.
                    self.numbers.push(rest[..digits].parse().unwrap_or(u64::MAX));
                }
                self.has_words |= digits == 0 && roman.is_none() && c.is_alphabetic();
                if mark > 0 {
                    hasher.write_u32(mark);
                }
                rest = &rest[len..];
            }
            hasher.write_u32(' ' as u32);
        }
        if let Some(roman) = roman {
            hasher.write_u32('#' as u32);
            self.numbers.push(roman);
        }
        self.key = hasher.finish();
    }

    /// Notes whether the sentence of the line above continues in this line.
    fn note_sentence(&mut self, page: &str) {
        let (before, line) = (&page[..self.span.start], &page[self.span.range()]);
        let above = before.trim_end();
        let is_next = before[above.len()..].replace("\r\n", "\n").matches(['\n', '\r']).count() == 1;
        let is_open = above.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | ';' | '-'));
        self.goes_on = is_next && is_open && line.starts_with(char::is_lowercase);
    }

    /// True if this line and a line of the page `apart` pages later are the same header or footer: they have the same
    /// words, and numbers that are equal or count the pages. A line without words must count the pages.
    pub(super) fn repeats_in(&self, other: &EdgeLine, apart: i64) -> bool {
        if self.is_long || other.is_long || self.key != other.key || self.numbers.len() != other.numbers.len()
        {
            return false;
        }
        let mut counts = false;
        for (&one, &two) in self.numbers.iter().zip(&other.numbers) {
            let is_next = two.checked_signed_diff(one) == Some(apart);
            counts |= is_next;
            if one != two && !is_next {
                return false;
            }
        }
        counts || self.has_words
    }
}

/// The value of a numeral such as `xiv`, all in one case. Page numbers need no letter above C.
fn page_numeral(text: &str) -> Option<u64> {
    let is_short = text.len() <= 9 && !text.contains(['d', 'm', 'D', 'M']);
    from_roman(text).filter(|_| is_short).map(u64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, two: &str, apart: i64, expected: bool) {
        let line = |text: &str| EdgeLine::of(0, text).expect("the line is not blank");
        assert_eq!(line(one).repeats_in(&line(two), apart), expected, "{one:?} {two:?}");
    }

    #[test]
    fn headers_and_numbers_repeat() {
        check("The Mill", "The  Mill", 1, true);
        check("The Mill", "The Hill", 1, false);
        check("Page 3 of 9", "Page 4 of 9", 1, true);
        check("Page 3 of 9", "Page 5 of 9", 1, false);
        check("12", "13", 1, true);
        check("12", "12", 1, false);
        check("- 12 -", "- 15 -", 3, true);
        check("xiv", "xvi", 2, true);
        check("xiv", "xiv", 1, false);
        check("14 The Mill", "15 The Mill", 1, true);
        check("Table 3", "Table 7", 1, false);
    }

    #[test]
    fn edges_are_read_from_both_ends() {
        let edges = PageEdges::of("\n a\n\nb\r\nc\nd\ne\n f \n");
        let spans = |lines: &[EdgeLine]| {
            lines.iter().map(|line| (line.span.start, line.span.end)).collect::<Vec<_>>()
        };
        assert_eq!(spans(&edges.top), [(2, 3), (5, 6), (8, 9), (10, 11)]);
        assert_eq!(spans(&edges.bottom), [(15, 16), (12, 13), (10, 11), (8, 9)]);
        assert!(edges.is_all && PageEdges::of("").top.is_empty());
    }

    fn line(text: &str) -> EdgeLine {
        EdgeLine::of(0, text).expect("the line is not blank")
    }

    #[test]
    fn a_line_has_its_place_its_numbers_and_its_words() {
        let check = |text: &str, span: (usize, usize), numbers: &[u64], has_words: bool, closes: bool| {
            let line = line(text);
            assert_eq!((line.span.start, line.span.end), span, "{text}");
            assert_eq!(
                (line.numbers.as_slice(), line.has_words, line.closes),
                (numbers, has_words, closes),
                "{text}"
            );
        };
        check("  Page 3 of 12. ", (2, 15), &[3, 12], true, true);
        check("12-13", (0, 5), &[12, 13], false, false);
        check("- xiv -", (0, 7), &[14], false, false);
        check("The End!", (0, 8), &[], true, true);
        check("Why?", (0, 4), &[], true, true);
        check("1 2 3 4 5 6 7", (0, 13), &[1, 2, 3, 4, 5, 6], false, false);
        check("99999999999999999999999", (0, 23), &[u64::MAX], false, false);
        assert!(EdgeLine::of(0, " \t ").is_none());
    }

    #[test]
    fn long_lines_are_no_furniture() {
        let words = |length: usize| "x".repeat(length);
        check(&words(MAX_LINE_BYTES), &words(MAX_LINE_BYTES), 1, true);
        check(&words(MAX_LINE_BYTES + 1), &words(MAX_LINE_BYTES + 1), 1, false);
    }

    #[test]
    fn all_numbers_of_lines_that_repeat_are_equal_or_count() {
        check("7 of 9 pages", "8 of 9 pages", 1, true);
        check("7 of 9 pages", "7 of 9 pages", 1, true);
        check("7 of 9 pages", "8 of 10 pages", 1, true);
        check("7 of 9 pages", "8 of 11 pages", 1, false);
        check("7 of 9", "8 of", 1, false);
        check("8", "7", -1, true);
        check("8", "9", -1, false);
        check("7 / 9", "8 / 9", 1, true);
        check("7 / 9", "7 / 9", 1, false);
    }

    #[test]
    fn page_numerals_are_short_and_small() {
        for (text, expected) in [
            ("xiv", Some(14)),
            ("XIV", Some(14)),
            ("c", Some(100)),
            ("lxxxviii", Some(88)),
            ("clxxxviii", Some(188)),
            ("cclxxxviii", None),
            ("d", None),
            ("M", None),
            ("mix", None),
            ("D", None),
            ("word", None),
        ] {
            assert_eq!(page_numeral(text), expected, "{text}");
        }
    }

    #[test]
    fn a_line_stands_in_a_text_as_a_whole() {
        for (text, expected) in [
            ("one\nThe End.\ntwo", true),
            ("The End.", true),
            (" \tThe End. \t\r\n", true),
            ("\rThe End.\r", true),
            ("so The End.\n", false),
            ("\nThe End. so", false),
            ("The End. The End.\n", false),
            ("The End", false),
        ] {
            assert_eq!(stands_in(text, "The End."), expected, "{text:?}");
        }
    }

    #[test]
    fn a_page_of_few_lines_has_nothing_between_its_edges() {
        let all = |lines: usize| PageEdges::of(&vec!["line"; lines].join("\n")).is_all;
        assert_eq!([3, 4, 5, 7, 8, 9].map(all), [true, true, true, true, false, false]);
    }

    #[test]
    fn sentences_that_occur_twice_on_a_page_are_text() {
        let inside = |page: &str| {
            let edges = PageEdges::of(page);
            let of = |lines: &[EdgeLine]| lines.iter().map(|line| line.is_inside).collect::<Vec<_>>();
            (of(&edges.top), of(&edges.bottom))
        };
        let (yes, no) = (true, false);
        assert_eq!(inside("It ends.\nIt ends.\na\nb\nc\nd\ne\nf\ng"), (vec![yes, yes, no, no], vec![no; 4]));
        assert_eq!(inside("It ends\nIt ends\na\nb\nc\nd\ne\nf\ng"), (vec![no; 4], vec![no; 4]));
        assert_eq!(inside("It ends.\na\nb\nc\nIt ends.\nd\ne\nf\ng"), (vec![yes, no, no, no], vec![no; 4]));
        assert_eq!(inside("It ends.\na\nb\nc\nx\nd\ne\nf\nIt ends."), (vec![no; 4], vec![no; 4]));
        assert_eq!(inside("a\nb\nc\nd\nIt ends.\ne\nf\ng\nIt ends."), (vec![no; 4], vec![yes, no, no, no]));
        assert_eq!(inside("It ends.\na\nIt ends."), (vec![no, no, yes], vec![no, no, yes]));
    }

    #[test]
    fn the_last_words_of_a_sentence_are_no_footer() {
        let footers = |page: &str, count: usize| PageEdges::of(page).footers(count);
        assert_eq!(footers("a\nb\nc\nwords of\nit end.\nFoot", 2), 1);
        assert_eq!(footers("a\nb\nc\nwords of\n\nit end.\nFoot", 2), 2);
        assert_eq!(footers("a\nb\nc\nwords of\r\nit end.\nFoot", 2), 1);
        assert_eq!(footers("a\nb\nc\nwords of.\nit end.\nFoot", 2), 2);
        assert_eq!(footers("a\nb\nc\nwords of\nIt ends.\nFoot", 2), 2);
        assert_eq!(footers("a\nb\nc\nwords of\nit goes\nFoot", 2), 2);
        assert_eq!(footers("a\nb\nwords of\nit goes\non and ends.\nFoot", 3), 1);
        for open in ["of", "of,", "of;", "of-", "7"] {
            assert_eq!(footers(&format!("a\nb\nc\nwords {open}\nit end.\nFoot"), 2), 1, "{open}");
        }
    }
}
