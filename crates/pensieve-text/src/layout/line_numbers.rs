//! Line numbers: a column of numbers in the margin that count by a fixed step beside lines of prose, as in drafts for
//! review, in editions of verse, in court papers. They are omitted from the text and listed.

use super::lines::{rows, typical_part};
use super::page::{LayoutPage, TextSpan};
use super::positioned_span::PositionedSpan;

/// Points by which the edges of numbers of one column may differ.
const SAME_EDGE_POINTS: f32 = 2.0;

/// The steps by which line numbers count.
const STEPS: [i64; 4] = [1, 2, 5, 10];

/// Minimum numbers of a column: by step 1 in small type, by step 1 in the type of the text, by other steps, and on
/// pages after a page with such a column.
const MIN_SMALL: usize = 8;
const MIN_EQUAL: usize = 16;
const MIN_STEPPED: usize = 4;
const MIN_KNOWN: usize = 2;

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
pub(super) struct LineNumberFinder {
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
    pub(super) fn split(&mut self, page: &LayoutPage) -> Option<(LayoutPage, Vec<String>)> {
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
        let shapes = page.shapes.clone();
        Some((LayoutPage { spans, shapes, ..*page }, numbers))
    }

    /// True if the last page has numbers that are line numbers if a later page has such a column too.
    pub(super) fn is_unsure(&self) -> bool {
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
                let Some((step, mut column)) = series(&column) else { continue };
                let first = &spans[column[0].0];
                let edge = NumberEdge { x: edge(column[0].0), is_right, size: first.size };
                let is_known = self.known.iter().any(|known| known.is_like(&edge));
                if !text.accepts(spans, &column, step, is_known) {
                    continue;
                }
                let needs_proof = !is_known && step == 1 && !text.is_small(first);
                if needs_proof && !self.seen.iter().any(|seen| seen.is_like(&edge)) {
                    self.seen.push(edge);
                    self.is_unsure = true;
                    continue;
                }
                extend(&mut column, &numbers, spans, step);
                found.extend(column.iter().map(|(at, _)| *at));
                self.known.extend((!is_known).then_some(edge));
            }
        }
        found
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
}
