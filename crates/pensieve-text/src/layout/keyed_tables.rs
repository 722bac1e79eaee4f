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
