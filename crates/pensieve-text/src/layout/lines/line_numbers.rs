//! Line numbers: a column of numbers in the margin that count by a fixed step beside lines of prose, as in drafts for
//! review, in editions of verse, in court papers. They are omitted from the text and listed.

use super::listings::is_printed;
use super::text_line::{rows, typical_part};
use crate::layout::input::page::{LayoutPage, TextSpan};
use crate::layout::input::positioned_span::PositionedSpan;

/// Points by which the edges of numbers of one column may differ.
const SAME_EDGE_POINTS: f32 = 2.0;

/// The steps by which line numbers count.
// Drafts and court papers count by one, editions of verse by five or ten.
const STEPS: [i64; 4] = [1, 2, 5, 10];

/// Minimum numbers of a column: by step 1 in small type, by step 1 in the type of the text, by other steps, and on
/// pages after a page with such a column.
const MIN_SMALL: usize = 8;
const MIN_EQUAL: usize = 16;
const MIN_STEPPED: usize = 4;
const MIN_KNOWN: usize = 2;

/// Minimum numbers of a listing.
const MIN_LISTING: usize = 3;

/// Maximum numbers of a page; one with more is a table of figures, and the search is quadratic.
const MAX_NUMBERS: usize = 2_000;

/// Percent of the text's font size up to which numbers are in small type.
const SMALL_PERCENT: f32 = 85.0;

/// Minimum characters of the lines beside them: rows of tables and entries of contents are shorter.
const MIN_LINE_CHARACTERS: usize = 25;

/// Minimum percent of the height of the text beside which they are.
const MIN_HEIGHT_PERCENT: f32 = 50.0;

/// Maximum percent of other text that may be on the far side of them, or across them if they are small.
const MAX_BEYOND_PERCENT: usize = 3;

/// Lines of text for each number and step: numbered paragraphs have more.
const LINES_PER_STEP: std::ops::RangeInclusive<f32> = 0.4..=2.3;

/// Finds the line numbers of a document, page by page.
#[derive(Debug, Default)]
pub(crate) struct LineNumberFinder {
    known: Vec<NumberEdge>,
    /// Columns in the type of the text, of which one page alone is no proof.
    seen: Vec<NumberEdge>,
    is_unsure: bool,
}

/// The edge at which the numbers of a column are aligned.
#[derive(Debug, Clone, Copy)]
struct NumberEdge {
    x: f32,
    is_right: bool,
    size: f32,
}

/// Numbers at one edge, from top to bottom: the index of each span, and its value.
type NumberColumn = Vec<(usize, i64)>;

impl LineNumberFinder {
    /// The page without its line numbers, and these; nothing if it has none.
    pub(crate) fn split(&mut self, page: &LayoutPage) -> Option<(LayoutPage, Vec<String>)> {
        let found = self.find(&page.spans);
        if found.is_empty() {
            return None;
        }
        let (mut spans, mut numbers) = (Vec::with_capacity(page.spans.len()), Vec::new());
        for (at, span) in page.spans.iter().enumerate() {
            match found.contains(&at) {
                true => numbers.push(span.text.trim().to_owned()),
                false => spans.push(span.clone()),
            }
        }
        Some((page.with_spans(spans), numbers))
    }

    /// True if the last page has numbers that are line numbers if a later page has such a column too.
    pub(crate) fn is_unsure(&self) -> bool {
        self.is_unsure
    }

    fn find(&mut self, spans: &[TextSpan]) -> Vec<usize> {
        self.is_unsure = false;
        let numbers: NumberColumn =
            spans.iter().enumerate().filter_map(|(at, span)| Some((at, number(span)?))).collect();
        if !(MIN_KNOWN..=MAX_NUMBERS).contains(&numbers.len()) {
            return Vec::new();
        }
        let text = PageText::new(spans, &numbers);
        let mut found: Vec<usize> = Vec::new();
        for is_right in [true, false] {
            let edge = |at: usize| edge(&spans[at], is_right);
            let mut sorted = numbers.clone();
            sorted.retain(|(at, _)| !found.contains(at));
            sorted.sort_by(|a, b| edge(a.0).total_cmp(&edge(b.0)));
            for column in sorted.chunk_by(|a, b| edge(b.0) - edge(a.0) <= SAME_EDGE_POINTS) {
                let mut column = column.to_vec();
                column.sort_by(|a, b| spans[a.0].origin[1].total_cmp(&spans[b.0].origin[1]));
                found.extend(self.column(spans, &text, &numbers, &column, is_right).into_iter().flatten());
                // Each listing of a page counts from one.
                let left: NumberColumn =
                    column.iter().copied().filter(|(at, _)| !found.contains(at)).collect();
                for part in left.chunk_by(|a, b| b.1 > a.1) {
                    if text.is_beside_listing(spans, part) {
                        found.extend(part.iter().map(|(at, _)| *at));
                    }
                }
            }
        }
        found
    }

    /// The line numbers among the numbers at one edge.
    fn column(
        &mut self,
        spans: &[TextSpan],
        text: &PageText<'_>,
        numbers: &NumberColumn,
        column: &NumberColumn,
        is_right: bool,
    ) -> Option<Vec<usize>> {
        let (step, mut column) = series(column)?;
        let first = &spans[column[0].0];
        let edge = NumberEdge { x: edge(first, is_right), is_right, size: first.size };
        let is_known = self.known.iter().any(|known| known.is_like(&edge));
        if !text.accepts(spans, &column, step, is_known) {
            return None;
        }
        // The first column of a table counts by one in the type of the text, too.
        let needs_proof = !is_known && step == 1 && !text.is_small(first);
        if needs_proof && !self.seen.iter().any(|seen| seen.is_like(&edge)) {
            self.seen.push(edge);
            self.is_unsure = true;
            return None;
        }
        extend(&mut column, numbers, spans, step);
        self.known.extend((!is_known).then_some(edge));
        Some(column.into_iter().map(|(at, _)| at).collect())
    }
}

impl NumberEdge {
    fn is_like(&self, other: &NumberEdge) -> bool {
        self.is_right == other.is_right
            && (self.x - other.x).abs() <= SAME_EDGE_POINTS
            && (self.size - other.size).abs() < 0.05 * self.size
    }
}

/// The text of a page that is no number.
struct PageText<'s> {
    spans: Vec<&'s TextSpan>,
    /// The font size of most of it.
    size: f32,
}

impl<'s> PageText<'s> {
    fn new(spans: &'s [TextSpan], numbers: &[(usize, i64)]) -> PageText<'s> {
        let is_number = |at: usize| numbers.binary_search_by_key(&at, |(at, _)| *at).is_ok();
        let text = spans.iter().enumerate().filter(|(at, span)| !is_number(*at) && span.rotation == 0.0);
        let spans: Vec<&TextSpan> = text.map(|(_, span)| span).collect();
        let mut sizes: Vec<f32> = spans.iter().map(|span| span.size).collect();
        sizes.sort_by(f32::total_cmp);
        let size = sizes.get(sizes.len() / 2).copied().unwrap_or_default();
        PageText { spans, size }
    }

    fn is_small(&self, number: &TextSpan) -> bool {
        number.size * 100.0 <= SMALL_PERCENT * self.size
    }

    /// True if a series of numbers is in the margin of prose.
    fn accepts(&self, spans: &[TextSpan], column: &NumberColumn, step: i64, is_known: bool) -> bool {
        let is_small = self.is_small(&spans[column[0].0]);
        let least = match (is_known, step) {
            (true, _) => MIN_KNOWN,
            (false, 1) if is_small => MIN_SMALL,
            (false, 1) => MIN_EQUAL,
            (false, _) => MIN_STEPPED,
        };
        if column.len() < least {
            return false;
        }
        let numbers = || column.iter().map(|(at, _)| &spans[*at]);
        let left = numbers().map(|span| span.origin[0]).fold(f32::INFINITY, f32::min);
        let right = numbers().map(|span| span.origin[0] + span.length).fold(f32::NEG_INFINITY, f32::max);
        let (top, bottom) = (spans[column[0].0].origin[1], spans[column[column.len() - 1].0].origin[1]);
        let near = self.size.max(1.0);
        let beside: Vec<&TextSpan> = self
            .spans
            .iter()
            .copied()
            .filter(|span| (top - near..=bottom + near).contains(&span.origin[1]))
            .collect();
        let before = beside.iter().filter(|span| span.origin[0] < right).count();
        let after = beside.iter().filter(|span| span.origin[0] + span.length > left).count();
        // Between columns of text, only small numbers that no text crosses.
        let across = beside.iter().filter(|span| reaches(span, left, right)).count();
        let beyond = if is_small { across } else { before.min(after) };
        let is_apart = !beside.is_empty() && beyond * 100 <= beside.len() * MAX_BEYOND_PERCENT;
        is_apart && (is_known || self.is_prose(&beside, column.len(), step, bottom - top))
    }

    /// True for numbers that count the lines of a listing: one more each line, on the left of letters of one width, each on
    /// the baseline of a line or of a blank one. Where all of a page is typed, such as a transcript, numbers in the same
    /// letters are no sign of a listing.
    fn is_beside_listing(&self, spans: &[TextSpan], column: &[(usize, i64)]) -> bool {
        let counts = column.windows(2).all(|pair| pair[1].1 == pair[0].1 + 1);
        if column.len() < MIN_LISTING || !counts {
            return false;
        }
        let numbers = || column.iter().map(|(at, _)| &spans[*at]);
        let right = numbers().map(|span| span.origin[0] + span.length).fold(f32::NEG_INFINITY, f32::max);
        let (top, bottom) = (spans[column[0].0].origin[1], spans[column[column.len() - 1].0].origin[1]);
        let near = 0.5 * self.size.max(1.0);
        let beside =
            || self.spans.iter().filter(|span| (top - near..=bottom + near).contains(&span.origin[1]));
        let is_code = |span: &&&TextSpan| span.font.is_monospace && span.origin[0] >= right;
        let is_at = |base: f32| numbers().any(|number| (number.origin[1] - base).abs() <= near);
        let (all, code) = (beside().count(), beside().filter(is_code).count());
        let letters = |span: &&TextSpan| span.text.chars().filter(|c| c.is_alphabetic()).count();
        let typed: usize = self.spans.iter().filter(|span| span.font.is_monospace).map(letters).sum();
        let printed: usize = self.spans.iter().filter(|span| !span.font.is_monospace).map(letters).sum();
        let is_typed_throughout =
            !is_printed(printed, printed + typed) && numbers().all(|number| number.font.is_monospace);
        !is_typed_throughout
            && code * 2 >= column.len()
            && all == code
            && beside().all(|span| is_at(span.origin[1]))
    }

    /// True for text with about as many lines as the numbers count, long ones, over much of the page.
    fn is_prose(&self, beside: &[&TextSpan], numbers: usize, step: i64, height: f32) -> bool {
        let positioned: Vec<PositionedSpan<'_>> =
            beside.iter().map(|span| PositionedSpan::of(span)).collect();
        let rows = rows(&positioned);
        let base = |span: &&TextSpan| span.origin[1];
        let top = self.spans.iter().map(base).fold(f32::INFINITY, f32::min);
        let bottom = self.spans.iter().map(base).fold(f32::NEG_INFINITY, f32::max);
        LINES_PER_STEP.contains(&(rows.len() as f32 / (numbers as f32 * step as f32)))
            && typical_part(&rows).0 >= MIN_LINE_CHARACTERS
            && height * 100.0 >= (bottom - top) * MIN_HEIGHT_PERCENT
    }
}

/// Adds the numbers before and after a series that are above or below it at another edge, as are those with fewer
/// digits in a centred column.
fn extend(column: &mut NumberColumn, numbers: &[(usize, i64)], spans: &[TextSpan], step: i64) {
    let next = |(at, value): (usize, i64), step: i64| {
        let span = &spans[at];
        let is_next = |(other, found): &&(usize, i64)| {
            let is_below = spans[*other].origin[1] > span.origin[1];
            *found == value + step
                && is_below == (step > 0)
                && reaches(&spans[*other], span.origin[0], span.origin[0] + span.length)
        };
        numbers.iter().find(is_next).copied()
    };
    while let Some(first) = column.first().and_then(|first| next(*first, -step)) {
        column.insert(0, first);
    }
    while let Some(last) = column.last().and_then(|last| next(*last, step)) {
        column.push(last);
    }
}

/// True if a part of a span lies between two edges.
fn reaches(span: &TextSpan, left: f32, right: f32) -> bool {
    span.origin[0] < right && span.origin[0] + span.length > left
}

fn edge(span: &TextSpan, is_right: bool) -> f32 {
    span.origin[0] + if is_right { span.length } else { 0.0 }
}

/// The number that a span consists of.
fn number(span: &TextSpan) -> Option<i64> {
    let text = span.text.trim();
    let is_number = (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| is_number && span.rotation == 0.0 && !span.is_vertical)
}

/// The numbers that count by one step, and the step. Some may be missing between them.
fn series(column: &[(usize, i64)]) -> Option<(i64, NumberColumn)> {
    let counts = |step: i64| column.windows(2).filter(|pair| pair[1].1 - pair[0].1 == step).count();
    let step = STEPS.into_iter().max_by_key(|step| counts(*step)).filter(|step| counts(*step) > 0)?;
    let follows = |at: usize| at > 0 && column.get(at).is_some_and(|next| next.1 - column[at - 1].1 == step);
    let members = (0..column.len()).filter(|at| follows(*at) || follows(*at + 1)).map(|at| column[at]);
    let members: NumberColumn = members.collect();
    let rises = members.windows(2).all(|pair| pair[1].1 > pair[0].1);
    (rises && members.len() * 10 >= column.len() * 9).then_some((step, members))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str, x: f32, y: f32, size: f32) -> TextSpan {
        let length = 0.5 * size * text.len() as f32;
        TextSpan {
            text: text.to_owned(),
            font: Default::default(),
            size,
            rotation: 0.0,
            origin: [x, y],
            length,
            bbox: [x, y - size, x + length, y],
            line_height: size,
            is_invisible: false,
            is_vertical: false,
            gaps: Vec::new(),
            tag: None,
        }
    }

    /// Thirty lines of text; `number` gives the number beside the line, its place and its size.
    fn page(text: &str, number: impl Fn(usize) -> Option<(String, f32, f32)>) -> LayoutPage {
        let mut spans = Vec::new();
        for line in 0..30 {
            let y = 100.0 + 12.0 * line as f32;
            spans.push(span(text, 100.0, y, 10.0));
            if let Some((text, x, size)) = number(line) {
                spans.push(span(&text, x - 0.5 * size * text.len() as f32, y, size));
            }
        }
        LayoutPage { number: 1, width: 600.0, height: 800.0, spans, ..LayoutPage::default() }
    }

    const PROSE: &str = "a full line of the running text of a page, which is long";

    fn check(page: &LayoutPage, expected: usize) {
        let found = LineNumberFinder::default().split(page);
        let numbers = found.map(|(rest, numbers)| {
            assert_eq!(rest.spans.len() + numbers.len(), page.spans.len());
            numbers.len()
        });
        assert_eq!(numbers.unwrap_or_default(), expected);
    }

    #[test]
    fn numbers_in_the_margin_of_prose_are_line_numbers() {
        let each = |line: usize| Some((format!("{}", line + 95), 80.0, 5.0));
        check(&page(PROSE, each), 30);
        check(&page(PROSE, |line| Some((format!("{}", line + 1), 550.0, 5.0))), 30);
        let fifth = |line: usize| (line % 5 == 4).then(|| (format!("{}", line + 1), 80.0, 10.0));
        check(&page(PROSE, fifth), 6);
    }

    #[test]
    fn other_numbers_stay() {
        let each = |line: usize| Some((format!("{}", line + 1), 80.0, 10.0));
        check(&page("Name  12", each), 0);
        let paragraphs =
            |line: usize| line.is_multiple_of(4).then(|| (format!("{}", line / 4 + 1), 80.0, 10.0));
        check(&page(PROSE, paragraphs), 0);
        check(&page(PROSE, |line| Some((format!("{}", line * line), 80.0, 5.0))), 0);
        check(&page(PROSE, |line| Some((format!("{}", line + 1), 300.0, 5.0))), 0);
        check(&page(PROSE, |line| Some((format!("{}", line + 1), 300.0, 10.0))), 0);
        let mut figures = page(PROSE, |line| Some((format!("{}", line + 1), 80.0, 5.0)));
        figures.spans.extend((0..MAX_NUMBERS).map(|at| span("7", 590.0, 100.0 + 0.1 * at as f32, 5.0)));
        check(&figures, 0);
    }

    #[test]
    fn numbers_in_the_type_of_the_text_need_a_second_page() {
        let first = page(PROSE, |line| Some((format!("{}", line + 1), 80.0, 10.0)));
        let mut finder = LineNumberFinder::default();
        assert!(finder.split(&first).is_none() && finder.is_unsure());
        assert!(finder.split(&first).is_some() && !finder.is_unsure());
    }

    #[test]
    fn a_short_last_page_goes_on_with_the_column() {
        let each = |line: usize| Some((format!("{}", line + 1), 80.0, 5.0));
        let mut finder = LineNumberFinder::default();
        assert!(finder.split(&page(PROSE, each)).is_some());
        let mut last = page(PROSE, |line| Some((format!("{}", line + 31), 80.0, 5.0)));
        last.spans.truncate(6);
        let found = finder.split(&last).map(|(_, numbers)| numbers);
        assert_eq!(found, Some(vec!["31".to_owned(), "32".to_owned(), "33".to_owned()]));
    }

    fn number_at(value: &str, x: f32, y: f32, length: f32) -> TextSpan {
        TextSpan::drawn(value, [x, y], length, 10.0)
    }

    #[test]
    fn a_number_has_up_to_five_digits_and_is_level() {
        let check = |text: &str, rotation: f32, is_vertical: bool, expected| {
            let span = TextSpan { rotation, is_vertical, ..number_at(text, 0.0, 0.0, 9.0) };
            assert_eq!(number(&span), expected, "{text} {rotation}");
        };
        check(" 12 ", 0.0, false, Some(12));
        check("12345", 0.0, false, Some(12345));
        check("123456", 0.0, false, None);
        check("", 0.0, false, None);
        check("+1", 0.0, false, None);
        check("-1", 0.0, false, None);
        check("1", 90.0, false, None);
        check("1", 0.0, true, None);
    }

    #[test]
    fn numbers_of_a_series_count_by_one_step() {
        let check = |values: &[i64], expected: Option<(i64, usize)>| {
            let column: NumberColumn = values.iter().copied().enumerate().collect();
            let found = series(&column).map(|(step, members)| (step, members.len()));
            assert_eq!(found, expected, "{values:?}");
        };
        check(&[1, 2, 3], Some((1, 3)));
        check(&[2, 4, 6], Some((2, 3)));
        check(&[5, 10, 15], Some((5, 3)));
        check(&[10, 20, 30], Some((10, 3)));
        check(&[1, 4, 7], None);
        check(&[3, 2, 1], None);
        check(&[7], None);
        check(&[1, 2, 7, 8], Some((1, 4)));
        check(&[5, 6, 1, 2], None);
        check(&[1, 2, 3, 20], None);
        check(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 50], Some((1, 9)));
        check(&[1, 2, 3, 4, 5, 6, 7, 8, 50, 70], None);
        check(&[50, 1, 2, 3, 4, 5, 6, 7, 8, 9], Some((1, 9)));
    }

    #[test]
    fn a_series_goes_on_above_and_below_at_another_edge() {
        let check = |others: &[(&str, f32, f32)], expected: &[i64]| {
            let all = [[("9", 50.0, 100.0)].as_slice(), others].concat();
            let spans: Vec<TextSpan> = all.iter().map(|(text, x, y)| number_at(text, *x, *y, 10.0)).collect();
            let numbers: NumberColumn =
                spans.iter().enumerate().filter_map(|(at, span)| Some((at, number(span)?))).collect();
            let mut column = vec![numbers[0]];
            extend(&mut column, &numbers, &spans, 1);
            assert_eq!(column.iter().map(|(_, value)| *value).collect::<Vec<_>>(), expected, "{others:?}");
        };
        check(
            &[("10", 45.0, 112.0), ("8", 45.0, 88.0), ("11", 40.0, 124.0), ("7", 45.0, 76.0)],
            &[7, 8, 9, 10, 11],
        );
        check(&[("10", 45.0, 88.0), ("8", 45.0, 112.0)], &[9]);
        check(&[("10", 60.0, 112.0), ("8", 40.0, 88.0)], &[9]);
        check(&[("10", 59.0, 112.0), ("8", 41.0, 88.0)], &[8, 9, 10]);
        check(&[("11", 50.0, 112.0), ("7", 50.0, 88.0)], &[9]);
        check(&[("10", 50.0, 100.0)], &[9]);
    }

    #[test]
    fn edges_are_alike_in_place_side_and_size() {
        let check = |x: f32, is_right: bool, size: f32, expected: bool| {
            let known = NumberEdge { x: 0.0, is_right: true, size: 16.0 };
            assert_eq!(known.is_like(&NumberEdge { x, is_right, size }), expected, "{x} {is_right} {size}");
        };
        check(2.0, true, 16.0, true);
        check(2.1, true, 16.0, false);
        check(-2.0, true, 16.0, true);
        check(-2.1, true, 16.0, false);
        check(0.0, false, 16.0, false);
        check(0.0, true, 15.5, true);
        check(0.0, true, 16.5, true);
        check(0.0, true, 15.0, false);
        check(0.0, true, 17.0, false);
        assert_eq!(edge(&number_at("7", 20.0, 0.0, 9.0), true), 29.0);
        assert_eq!(edge(&number_at("7", 20.0, 0.0, 9.0), false), 20.0);
    }

    #[test]
    fn a_page_has_the_size_of_most_of_its_level_text() {
        let mut spans: Vec<TextSpan> = [30.0, 10.0, 12.0]
            .into_iter()
            .map(|size| TextSpan::drawn("text", [0.0, 0.0], 9.0, size))
            .collect();
        spans.push(TextSpan { rotation: 90.0, ..TextSpan::drawn("turned", [0.0, 0.0], 9.0, 40.0) });
        spans.push(TextSpan::drawn("7", [0.0, 0.0], 9.0, 50.0));
        let text = PageText::new(&spans, &[(4, 7)]);
        assert_eq!((text.size, text.spans.len()), (12.0, 3));
        let small = |size| {
            PageText { spans: Vec::new(), size: 10.0 }.is_small(&TextSpan::drawn("1", [0.0; 2], 5.0, size))
        };
        assert_eq!([8.5, 8.6].map(small), [true, false]);
    }

    /// `lines` lines of prose, and numbers that count by `step` beside the first lines.
    fn stepped(lines: usize, numbers: usize, step: usize, size: f32) -> LayoutPage {
        let mut page = page(PROSE, |line| {
            let is_numbered = line % step == 0 && line / step < numbers;
            is_numbered.then(|| (format!("{}", line + step), 80.0, size))
        });
        page.spans.retain(|span| span.origin[1] < 100.0 + 12.0 * lines as f32);
        page
    }

    #[test]
    fn small_or_stepped_numbers_need_half_the_height_and_enough_numbers() {
        check(&stepped(15, 8, 1, 5.0), 8);
        check(&stepped(16, 8, 1, 5.0), 0);
        check(&stepped(13, 7, 1, 5.0), 0);
        check(&stepped(16, 4, 5, 10.0), 4);
        check(&stepped(30, 4, 5, 10.0), 4);
        check(&stepped(11, 3, 5, 10.0), 0);
    }

    #[test]
    fn numbers_in_the_type_of_the_text_are_sixteen() {
        let check = |lines, numbers, expected: usize| {
            let page = stepped(lines, numbers, 1, 10.0);
            let mut finder = LineNumberFinder::default();
            assert!(finder.split(&page).is_none());
            assert_eq!(finder.is_unsure(), expected > 0);
            assert_eq!(finder.split(&page).map_or(0, |(_, numbers)| numbers.len()), expected);
        };
        check(30, 16, 16);
        check(29, 15, 0);
    }

    #[test]
    fn lines_beside_numbers_are_as_many_as_they_count_and_long() {
        let check = |rows: usize, numbers, step, characters: usize, height, expected| {
            let text = "x".repeat(characters);
            let spans: Vec<TextSpan> =
                (0..rows).map(|at| TextSpan::drawn(&text, [100.0, 12.0 * at as f32], 200.0, 10.0)).collect();
            let page = PageText { spans: spans.iter().collect(), size: 10.0 };
            let beside = page.spans.clone();
            assert_eq!(page.is_prose(&beside, numbers, step, height), expected, "{rows} {numbers} {step}");
        };
        check(23, 10, 1, 25, 132.0, true);
        check(24, 10, 1, 25, 200.0, false);
        check(4, 10, 1, 25, 200.0, true);
        check(3, 10, 1, 25, 200.0, false);
        check(20, 5, 10, 25, 200.0, true);
        check(19, 5, 10, 25, 200.0, false);
        check(23, 10, 1, 24, 132.0, false);
        check(23, 10, 1, 25, 131.5, false);
    }

    #[test]
    fn little_text_is_beyond_the_numbers() {
        /// Two known numbers from 60 to 70 beside `lines` lines, and another text from `x` to `end` at the height `y`.
        fn check(lines: usize, [x, end, y]: [f32; 3], size: f32, expected: bool) {
            let last = 100.0 + 12.0 * (lines - 1) as f32;
            let numbers = [100.0, last].map(|y| TextSpan::drawn("1", [60.0, y], 10.0, size));
            let mut spans = numbers.to_vec();
            spans.extend(
                (0..lines).map(|at| TextSpan::drawn(PROSE, [100.0, 100.0 + 12.0 * at as f32], 200.0, 10.0)),
            );
            spans.push(TextSpan::drawn("other", [x, y], end - x, 10.0));
            let text = PageText { spans: spans[2..].iter().collect(), size: 10.0 };
            let found = text.accepts(&spans, &vec![(0, 1), (1, 2)], 1, true);
            assert_eq!(found, expected, "{lines} {x} {end} {y} {size}");
        }
        let last = 100.0 + 12.0 * 31.0;
        check(33, [65.0, 68.0, 100.0], 5.0, true);
        check(32, [65.0, 68.0, 100.0], 5.0, false);
        check(32, [65.0, 68.0, 90.0], 5.0, false);
        check(32, [65.0, 68.0, 89.9], 5.0, true);
        check(32, [65.0, 68.0, last + 10.0], 5.0, false);
        check(32, [65.0, 68.0, last + 10.1], 5.0, true);
        check(32, [30.0, 60.0, 100.0], 5.0, true);
        check(32, [30.0, 60.5, 100.0], 5.0, false);
        check(32, [70.0, 80.0, 100.0], 5.0, true);
        check(32, [69.5, 80.0, 100.0], 5.0, false);
        check(32, [30.0, 60.0, 100.0], 10.0, false);
        check(33, [30.0, 60.0, 100.0], 10.0, true);
        check(32, [69.5, 80.0, 100.0], 10.0, false);
        check(32, [70.0, 80.0, 100.0], 10.0, true);
    }

    #[test]
    fn numbers_of_one_column_share_an_edge() {
        let shifted = |shift: f32| {
            page(PROSE, move |line| {
                let x = if line % 3 == 0 { 80.0 + shift } else { 80.0 };
                Some((format!("{}", line + 10), x, 5.0))
            })
        };
        check(&shifted(2.0), 30);
        check(&shifted(2.25), 21);
    }
}
