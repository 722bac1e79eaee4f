//! Tables between horizontal lines of one width: lines above and below the header and at the end, between all rows, or
//! the edges of filled rows. Lines also stand over and under titles, abstracts and listings, so the text between
//! them decides.

use super::draft::{TableDraft, TableEvidence};
use crate::layout::input::bounds::Bounds;
use crate::layout::input::page::{LayoutPage, TextSpan};
use crate::layout::input::table_frame::{FrameLine, TableFrame};
use crate::layout::lines::text_line::{self, TextLine};

/// Minimum length, in points, of the lines around a table.
const MIN_LENGTH: f32 = 40.0;

/// Points from the edge of the page within which a line bleeds over it.
const MAX_BLEED: f32 = 3.0;

/// Points by which the ends of the lines of one table may differ.
const MAX_END_SHIFT: f32 = 4.0;

/// Points between two lines that are one double line.
const MAX_DOUBLE_LINE: f32 = 6.0;

/// Maximum height, in font sizes, of a title between two lines of a table.
const MAX_TITLE_HEIGHT: f32 = 2.6;

/// Maximum blank, in font sizes, between the lines of a table and its text.
const MAX_BLANK: f32 = 2.2;

/// How far outside the lines, in font sizes, rows are searched, and how far from each other they are.
const MAX_ROWS_OUTSIDE: f32 = 10.0;
const MAX_ROW_DISTANCE: f32 = 1.6;

/// Share of the width from which a text alone in its line may be prose.
const WIDE_TEXT: f32 = 0.6;

/// A table between horizontal lines.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RuleTable {
    pub(crate) bounds: Bounds,
    pub(crate) frame: TableFrame,
}

/// The tables between these horizontal lines, from top to bottom.
pub(crate) fn find(page: &LayoutPage, across: &[FrameLine]) -> Vec<RuleTable> {
    // Lines from edge to edge of the page belong to its background.
    let is_rule = |line: &&FrameLine| {
        line.to - line.from >= MIN_LENGTH && (line.from > MAX_BLEED || line.to < page.width - MAX_BLEED)
    };
    let mut rules: Vec<FrameLine> = across.iter().filter(is_rule).copied().collect();
    rules.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut is_used = vec![false; rules.len()];
    let mut found: Vec<RuleTable> = Vec::new();
    let mut text: Vec<&TextSpan> = Vec::new();
    for at in 0..rules.len() {
        if is_used[at] {
            continue;
        }
        let mut group: Vec<FrameLine> = Vec::new();
        for other in at..rules.len() {
            let is_same = (rules[other].from - rules[at].from).abs() <= MAX_END_SHIFT
                && (rules[other].to - rules[at].to).abs() <= MAX_END_SHIFT;
            if is_same {
                is_used[other] = true;
                group.push(rules[other]);
            }
        }
        if group.len() < 2 {
            continue;
        }
        if text.is_empty() {
            text = page.spans.iter().filter(|span| span.rotation.round() as i32 % 360 == 0).collect();
            text.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
        }
        TablesOfWidth { text: &text, across, group: &group }.find(&mut found);
    }
    found.sort_by(|a, b| a.bounds.y0.total_cmp(&b.bounds.y0).then(a.bounds.x0.total_cmp(&b.bounds.x0)));
    found
}

fn middle(span: &TextSpan) -> f32 {
    (span.bbox[1] + span.bbox[3]) / 2.0
}

/// What is between two lines.
#[derive(Debug, Clone, Copy, PartialEq)]
enum SlabContent {
    /// Nothing: a double line.
    Nothing,
    /// A title across the table.
    Title,
    /// Lines with several texts, among others.
    Rows,
    /// Anything else.
    Other,
}

struct TablesOfWidth<'p> {
    /// The text of the page, from top to bottom.
    text: &'p [&'p TextSpan],
    across: &'p [FrameLine],
    /// Lines of one width, from top to bottom.
    group: &'p [FrameLine],
}

impl TablesOfWidth<'_> {
    fn find(&self, found: &mut Vec<RuleTable>) {
        let contents: Vec<SlabContent> =
            self.group.windows(2).map(|pair| self.content(pair[0].at, pair[1].at)).collect();
        let mut at = 0;
        while at < contents.len() {
            let run = contents[at..].iter().take_while(|content| **content != SlabContent::Other).count();
            if run == 0 {
                at += 1;
                continue;
            }
            let is_rows = |content: &SlabContent| *content == SlabContent::Rows;
            let slabs = &contents[at..at + run];
            if let Some((first, last)) = slabs.iter().position(is_rows).zip(slabs.iter().rposition(is_rows)) {
                found.extend(self.table(at + first, at + last + 1));
            }
            at += run;
        }
    }

    /// The table between two lines of the group.
    fn table(&self, first: usize, last: usize) -> Option<RuleTable> {
        let (mut top, mut bottom) = (self.group[first].at, self.group[last].at);
        let lines = self.lines(top, bottom);
        let all: Vec<&TextLine> = lines.iter().collect();
        if !TableDraft::of(&all, &self.frame(top, bottom)).is_table(TableEvidence::Frame) {
            return None;
        }
        // A header may stand above the first line, and sums below the last one.
        let size = lines.iter().map(|line| line.size).fold(0.0, f32::max);
        for row in self.lines(top - MAX_ROWS_OUTSIDE * size, top).iter().rev() {
            if !self.is_row(&lines, row, top) {
                break;
            }
            top = row.bounds.y0 as f32 - 1.0;
        }
        for row in self.lines(bottom, bottom + MAX_ROWS_OUTSIDE * size) {
            if !self.is_row(&lines, &row, bottom) {
                break;
            }
            bottom = row.bounds.y1 as f32 + 1.0;
        }
        let (x0, x1) = (f64::from(self.group[0].from), f64::from(self.group[0].to));
        let bounds = Bounds { x0, y0: f64::from(top), x1, y1: f64::from(bottom) };
        Some(RuleTable { bounds, frame: self.frame(top, bottom) })
    }

    /// True if a line next to the edge of a table has texts in several of its columns, and none elsewhere.
    fn is_row(&self, table: &[TextLine], row: &TextLine, edge: f32) -> bool {
        let [left, right] = [self.group[0].from - MAX_END_SHIFT, self.group[0].to + MAX_END_SHIFT];
        let is_near = (row.middle() - edge).abs() <= MAX_ROW_DISTANCE * row.size;
        if !is_near || row.cells.len() < 2 || row.x0 < left || row.x1 > right {
            return false;
        }
        let columns = |lines: &[&TextLine]| TableDraft::of(lines, &TableFrame::default()).shape().len();
        let inside: Vec<&TextLine> = table.iter().collect();
        let mut all: Vec<&TextLine> = inside.iter().copied().chain([row]).collect();
        all.sort_by(|a, b| a.base.total_cmp(&b.base));
        columns(&inside) == columns(&all)
    }

    fn frame(&self, top: f32, bottom: f32) -> TableFrame {
        let [left, right] = [self.group[0].from - MAX_END_SHIFT, self.group[0].to + MAX_END_SHIFT];
        let is_inside = |line: &&FrameLine| {
            line.from >= left && line.to <= right && (top - 1.0..=bottom + 1.0).contains(&line.at)
        };
        let mut across: Vec<FrameLine> = self.across.iter().filter(is_inside).copied().collect();
        across.sort_by(|a, b| a.at.total_cmp(&b.at));
        TableFrame { across, ..TableFrame::default() }
    }

    fn content(&self, top: f32, bottom: f32) -> SlabContent {
        let [left, right] = [self.group[0].from, self.group[0].to];
        let lines = self.lines(top, bottom);
        let size = lines.first().map_or(0.0, |line| line.size);
        let sticks_out =
            lines.iter().any(|line| line.x0 < left - 0.6 * line.size || line.x1 > right + 0.6 * line.size);
        let several = lines.iter().filter(|line| line.piece_count() >= 2).count();
        let is_wide =
            |line: &&TextLine| line.piece_count() < 2 && line.x1 - line.x0 > WIDE_TEXT * (right - left);
        let wide = lines.iter().filter(is_wide).count();
        // Far from its lines, or after a blank, is other text.
        let places = lines.iter().map(|line| (line.base - 0.78 * line.size, line.base + 0.22 * line.size));
        let mut end = top;
        let mut blank = 0.0_f32;
        for (start, stop) in places.chain([(bottom, bottom)]) {
            blank = blank.max(start - end);
            end = end.max(stop);
        }
        match lines.len() {
            0 if bottom - top <= MAX_DOUBLE_LINE => SlabContent::Nothing,
            0 => SlabContent::Other,
            _ if sticks_out || blank > MAX_BLANK * size => SlabContent::Other,
            1 if several == 0 && bottom - top <= MAX_TITLE_HEIGHT * size => SlabContent::Title,
            // An abstract between two lines consists of full lines.
            _ if several == 0 || wide * 2 >= lines.len() => SlabContent::Other,
            _ => SlabContent::Rows,
        }
    }

    /// The lines between two heights.
    fn lines(&self, top: f32, bottom: f32) -> Vec<TextLine> {
        let first = self.text.partition_point(|span| middle(span) < top);
        let end = first + self.text[first..].partition_point(|span| middle(span) <= bottom);
        let [left, right] = [self.group[0].from, self.group[0].to];
        let inside = |span: &&&TextSpan| span.bbox[2] > left && span.bbox[0] < right;
        let spans: Vec<&TextSpan> = self.text[first..end].iter().filter(inside).copied().collect();
        text_line::of_area(&spans)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of one width from 100 to 300.
    fn rules(at: &[f32]) -> Vec<FrameLine> {
        at.iter().map(|at| FrameLine { at: *at, from: 100.0, to: 300.0 }).collect()
    }

    /// A text of size 10 from and to these places.
    fn text(x0: f32, x1: f32, base: f32) -> TextSpan {
        TextSpan::drawn("Aa", [x0, base], x1 - x0, 10.0)
    }

    /// A row of two short cells.
    fn row(base: f32) -> [TextSpan; 2] {
        [text(110.0, 140.0, base), text(210.0, 240.0, base)]
    }

    fn content(spans: &[TextSpan], top: f32, bottom: f32) -> SlabContent {
        let group = rules(&[top, bottom]);
        let text: Vec<&TextSpan> = spans.iter().collect();
        TablesOfWidth { text: &text, across: &group, group: &group }.content(top, bottom)
    }

    #[test]
    fn nothing_or_a_title_is_between_near_lines() {
        assert_eq!(
            [6.0, 6.5].map(|bottom| content(&[], 0.0, bottom)),
            [SlabContent::Nothing, SlabContent::Other]
        );
        let title = [text(110.0, 160.0, 15.0)];
        assert_eq!(
            [26.0, 26.5].map(|bottom| content(&title, 0.0, bottom)),
            [SlabContent::Title, SlabContent::Other]
        );
        assert_eq!(content(&row(15.0), 0.0, 26.0), SlabContent::Rows);
    }

    #[test]
    fn text_that_sticks_out_is_no_table() {
        let check = |x0: f32, x1: f32, expected| {
            let spans = [[text(x0, 140.0, 15.0), text(210.0, x1, 15.0)], row(27.0)].concat();
            assert_eq!(content(&spans, 0.0, 35.0), expected, "{x0} {x1}");
        };
        check(94.0, 306.0, SlabContent::Rows);
        check(93.5, 306.0, SlabContent::Other);
        check(94.0, 306.5, SlabContent::Other);
    }

    #[test]
    fn a_blank_separates_text_from_the_lines() {
        let check = |bases: [f32; 2], bottom: f32, expected| {
            let spans = [row(bases[0]), row(bases[1])].concat();
            assert_eq!(content(&spans, 0.0, bottom), expected, "{bases:?} {bottom}");
        };
        check([29.5, 41.5], 50.0, SlabContent::Rows);
        check([30.0, 42.0], 50.0, SlabContent::Other);
        check([20.0, 51.5], 60.0, SlabContent::Rows);
        check([20.0, 52.5], 60.0, SlabContent::Other);
        check([20.0, 32.0], 56.0, SlabContent::Rows);
        check([20.0, 32.0], 56.5, SlabContent::Other);
    }

    #[test]
    fn fewer_than_half_of_the_lines_are_wide() {
        let check = |wide: usize, width: f32, rows: usize, expected| {
            let base = |at: usize| 15.0 + 12.0 * at as f32;
            let mut spans: Vec<TextSpan> = (0..wide).map(|at| text(110.0, 110.0 + width, base(at))).collect();
            spans.extend((wide..wide + rows).flat_map(|at| row(base(at))));
            assert_eq!(content(&spans, 0.0, base(wide + rows)), expected, "{wide} {width} {rows}");
        };
        check(1, 150.0, 1, SlabContent::Other);
        check(1, 150.0, 2, SlabContent::Rows);
        check(2, 150.0, 3, SlabContent::Rows);
        check(2, 150.0, 2, SlabContent::Other);
        check(1, 120.0, 1, SlabContent::Rows);
        check(1, 120.5, 1, SlabContent::Other);
        check(2, 50.0, 0, SlabContent::Other);
    }

    #[test]
    fn lines_of_a_table_are_between_its_ends() {
        let group = rules(&[0.0, 50.0]);
        let spans = [
            text(80.0, 100.0, 20.0),
            text(80.0, 100.5, 20.0),
            text(299.5, 320.0, 20.0),
            text(300.0, 320.0, 20.0),
        ];
        let of = |spans: &[TextSpan], top: f32, bottom: f32| {
            let text: Vec<&TextSpan> = spans.iter().collect();
            let lines = TablesOfWidth { text: &text, across: &group, group: &group }.lines(top, bottom);
            lines.first().map(|line| (line.x0, line.x1))
        };
        assert_eq!(of(&spans, 0.0, 50.0), Some((80.0, 320.0)));
        assert_eq!(of(&spans[..1], 0.0, 50.0), None);
        assert_eq!(of(&spans[3..], 0.0, 50.0), None);
        let one = [text(110.0, 140.0, 20.0)];
        let at = middle(&one[0]);
        assert!((at - 17.2).abs() < 0.01);
        assert!(of(&one, at, 50.0).is_some() && of(&one, at + 0.01, 50.0).is_none());
        assert!(of(&one, 0.0, at).is_some() && of(&one, 0.0, at - 0.01).is_none());
    }

    fn found(across: &[FrameLine], spans: Vec<TextSpan>) -> Vec<[f64; 4]> {
        let page = LayoutPage { number: 1, width: 400.0, height: 400.0, spans, ..LayoutPage::default() };
        let tables = find(&page, across);
        tables
            .iter()
            .map(|table| [table.bounds.x0, table.bounds.y0, table.bounds.x1, table.bounds.y1])
            .collect()
    }

    fn table() -> Vec<TextSpan> {
        [row(112.0), row(132.0), row(144.0)].concat()
    }

    #[test]
    fn a_table_stands_between_lines_of_one_width() {
        let line = |at, from, to| FrameLine { at, from, to };
        let check = |second: FrameLine, expected: bool| {
            let across = [line(100.0, 100.0, 300.0), second, line(150.0, 100.0, 300.0)];
            let bounds = [100.0, 100.0, 300.0, 150.0];
            assert_eq!(
                found(&across, table()),
                if expected { vec![bounds] } else { Vec::new() },
                "{second:?}"
            );
        };
        check(line(118.0, 100.0, 300.0), true);
        check(line(118.0, 104.0, 296.0), true);
        assert_eq!(found(&[line(100.0, 100.0, 300.0), line(150.0, 104.0, 304.0)], table()).len(), 1);
        assert!(found(&[line(100.0, 100.0, 300.0), line(150.0, 104.5, 300.0)], table()).is_empty());
        assert!(found(&[line(100.0, 100.0, 300.0), line(150.0, 100.0, 304.5)], table()).is_empty());
        assert!(found(&[line(100.0, 100.0, 300.0)], table()).is_empty());
    }

    #[test]
    fn short_lines_and_lines_across_the_page_are_no_rules() {
        let check = |from: f32, to: f32, width: f32, expected: usize| {
            let across = [100.0, 150.0].map(|at| FrameLine { at, from, to });
            let cells = |base: f32| [text(from + 2.0, from + 12.0, base), text(to - 12.0, to - 2.0, base)];
            let spans = [cells(112.0), cells(132.0), cells(144.0)].concat();
            let page = LayoutPage { number: 1, width, height: 400.0, spans, ..LayoutPage::default() };
            assert_eq!(find(&page, &across).len(), expected, "{from} {to} {width}");
        };
        check(100.0, 140.0, 400.0, 1);
        check(100.0, 139.5, 400.0, 0);
        check(3.0, 397.0, 400.0, 0);
        check(3.5, 397.0, 400.0, 1);
        check(3.0, 396.5, 400.0, 1);
    }

    #[test]
    fn rows_above_and_below_the_lines_belong_to_the_table() {
        let check = |outside: &[TextSpan], expected: [f64; 2]| {
            let spans = [table(), outside.to_vec()].concat();
            let found = found(&rules(&[100.0, 150.0]), spans);
            assert_eq!(found.len(), 1);
            let [_, y0, _, y1] = found[0];
            assert!((y0 - expected[0]).abs() < 0.01 && (y1 - expected[1]).abs() < 0.01, "{found:?}");
        };
        check(&[], [100.0, 150.0]);
        check(&row(95.0), [95.0 - 7.8 - 1.0, 150.0]);
        check(&row(160.0), [100.0, 160.0 + 2.2 + 1.0]);
        check(&row(87.0), [87.0 - 7.8 - 1.0, 150.0]);
        check(&row(86.0), [100.0, 150.0]);
        check(&row(168.5), [100.0, 168.5 + 2.2 + 1.0]);
        check(&row(169.5), [100.0, 150.0]);
        check(&row(95.0)[..1], [100.0, 150.0]);
        check(&[text(96.5, 140.0, 95.0), text(210.0, 303.5, 95.0)], [95.0 - 7.8 - 1.0, 150.0]);
        check(&[text(95.5, 140.0, 95.0), text(210.0, 300.0, 95.0)], [100.0, 150.0]);
        check(&[text(110.0, 140.0, 95.0), text(210.0, 304.5, 95.0)], [100.0, 150.0]);
        check(&[text(110.0, 140.0, 95.0), text(160.0, 180.0, 95.0)], [100.0, 150.0]);
    }

    #[test]
    fn a_double_line_and_a_title_belong_to_the_table_between_them() {
        let rule = |at| FrameLine { at, from: 100.0, to: 300.0 };
        let across = [rule(60.0), rule(80.0), rule(84.0), rule(120.0), rule(150.0)];
        let spans =
            [vec![text(110.0, 160.0, 74.0)], [row(96.0), row(108.0), row(132.0), row(144.0)].concat()]
                .concat();
        let found = found(&across, spans);
        assert_eq!(found, [[100.0, 84.0, 300.0, 150.0]]);
    }
}
