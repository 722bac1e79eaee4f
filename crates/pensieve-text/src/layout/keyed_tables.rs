//! Tables without lines whose cells have several lines: each row starts with a text in the first column, and the lines
//! below it have none there. They are found before a page is cut at its gutters, because their columns look like columns
//! of prose.

use super::lines::{self, SpanRow, TextLine};
use super::positioned_span::PositionedSpan;
use super::table_draft::{TableDraft, TableEvidence};
use super::table_frame::TableFrame;
use super::table_rows::{MAX_EDGE_SHIFT, MAX_LEADING};

/// Minimum rows of such a table, with its header.
const MIN_ROWS: usize = 3;

/// Minimum lines that continue a row.
const MIN_CONTINUED_LINES: usize = 2;

/// Minimum width of the first column in font sizes.
const MIN_KEY_WIDTH: f32 = 2.0;

/// Maximum rows of spans that are searched.
const MAX_ROWS: usize = 400;

/// The baselines between which the first such table of a region lies, with half a font size around them.
pub(super) fn find(spans: &[PositionedSpan<'_>]) -> Option<(f32, f32)> {
    if spans.len() < 2 * MIN_ROWS || spans.iter().any(|span| span.stands_for.is_some()) && spans.len() < 8 {
        return None;
    }
    let rows = lines::rows(spans);
    if rows.len() > MAX_ROWS {
        return None;
    }
    let parts: Vec<Vec<(f32, f32)>> = rows.iter().map(SpanRow::parts).collect();
    let mut at = 0;
    while at < rows.len() {
        let count = run_at(&rows[at..], &parts[at..]);
        if count > 0 && is_table(&rows[at..at + count]) {
            let (first, last) = (&rows[at], &rows[at + count - 1]);
            return Some((first.base - 0.5 * first.size, last.base + 0.5 * last.size));
        }
        at += count.max(1);
    }
    None
}

/// The number of rows from the first on that start in its first column, or in no line of that column; 0 if they are too
/// few.
fn run_at(rows: &[SpanRow<'_>], parts: &[Vec<(f32, f32)>]) -> usize {
    let Some([(key, _), (second, _), ..]) = parts.first().map(Vec::as_slice) else { return 0 };
    let (mut second, mut keys, mut continued, mut count) = (*second, 1, 0, 1);
    while let Some(row) = rows.get(count) {
        let near = MAX_EDGE_SHIFT * row.size;
        let Some((start, end)) = parts[count].first().copied() else { break };
        if row.base - rows[count - 1].base > MAX_LEADING * row.size {
            break;
        }
        let is_key = (start - key).abs() < near;
        if let Some((next, _)) = parts[count].get(usize::from(is_key)) {
            second = second.min(*next);
        }
        match is_key {
            true if end > second + near => break,
            true => keys += 1,
            false if start < key + MIN_KEY_WIDTH * row.size => break,
            false => continued += 1,
        }
        count += 1;
    }
    if keys >= MIN_ROWS && continued >= MIN_CONTINUED_LINES { count } else { 0 }
}

fn is_table(rows: &[SpanRow<'_>]) -> bool {
    let lines = lines::of_rows(rows.to_vec());
    let lines: Vec<&TextLine> = lines.iter().collect();
    let draft = TableDraft::of(&lines, &TableFrame::default());
    draft.is_table(TableEvidence::Text(MIN_ROWS)) && draft.has_keys()
}

#[cfg(test)]
mod tests {
    use super::super::page::TextSpan;
    use super::*;

    /// Rows of size 10, each with its baseline and the edges of its parts: how many are a run?
    fn run_of(rows: &[(f32, &[(f32, f32)])]) -> usize {
        let spans: Vec<TextSpan> = rows
            .iter()
            .flat_map(|(base, parts)| {
                parts.iter().map(|(x0, x1)| TextSpan::drawn("Aa", [*x0, *base], x1 - x0, 10.0))
            })
            .collect();
        let placed: Vec<PositionedSpan<'_>> = spans.iter().map(PositionedSpan::of).collect();
        let rows = lines::rows(&placed);
        let parts: Vec<Vec<(f32, f32)>> = rows.iter().map(SpanRow::parts).collect();
        run_at(&rows, &parts)
    }

    #[test]
    fn a_run_has_three_keys_and_two_lines_that_continue_a_row() {
        let key: &[(f32, f32)] = &[(0.0, 40.0), (100.0, 150.0)];
        let more: &[(f32, f32)] = &[(100.0, 150.0)];
        let check = |rows: &[&[(f32, f32)]], expected: usize| {
            let rows: Vec<(f32, &[(f32, f32)])> =
                rows.iter().enumerate().map(|(at, parts)| (12.0 * at as f32, *parts)).collect();
            assert_eq!(run_of(&rows), expected, "{rows:?}");
        };
        check(&[key, more, key, more, key], 5);
        check(&[key, more, key, more, key, more], 6);
        check(&[key, more, more, key], 0);
        check(&[key, more, key, key], 0);
        check(&[more, key, more, key, more, key], 0);
        check(&[key, more, key, more, &[(7.5, 40.0)]], 5);
        check(&[key, more, key, more, &[(8.0, 40.0)]], 0);
        check(&[key, more, key, more, &[(-8.0, 40.0)]], 0);
        check(&[key, more, key, more, key, &[(20.0, 60.0)]], 6);
        check(&[key, more, key, more, key, &[(19.5, 60.0)]], 5);
        check(&[key, more, key, more, &[(0.0, 108.0)]], 5);
        check(&[key, more, key, more, &[(0.0, 108.5)]], 0);
        check(&[key, &[(90.0, 150.0)], key, more, &[(0.0, 98.0)]], 5);
        check(&[key, &[(90.0, 150.0)], key, more, &[(0.0, 98.5)]], 0);
    }

    #[test]
    fn a_run_ends_at_a_wide_space() {
        let key: &[(f32, f32)] = &[(0.0, 40.0), (100.0, 150.0)];
        let more: &[(f32, f32)] = &[(100.0, 150.0)];
        let with = |last: f32| {
            run_of(&[(0.0, key), (12.0, more), (24.0, key), (36.0, more), (48.0, key), (48.0 + last, more)])
        };
        assert_eq!([30.0, 30.5].map(with), [6, 5]);
    }
}
