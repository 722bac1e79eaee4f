//! Rows of tables at the top or bottom of pages, which look like furniture: the first row of each page of a long table differs
//! from that of the others in its numbers alone, or has a word that they have in the same place, or has their head.

use super::candidate_lines::{
    FurnitureCandidate, MAX_CONTINUED_DISTANCE, SAME_BASELINE_POINTS, cells, key_of, lines,
};
use crate::layout::lines::text_line::TextLine;
use crate::layout::ordered_page::OrderedPage;
use rustc_hash::{FxHashMap, FxHashSet};

/// Lines of a page that are alike but for their numbers, from which they are rows: a header has at most its twin at the bottom.
const MIN_RECURRING: usize = 3;

/// Lines from a head to a row that has its columns, with that: a head has one line or two, and rows a title (`Assets`).
const MAX_HEAD_LINES: usize = 3;

/// Lines of which a page has several, but for their numbers, are rows of what it lists: a table that goes on over pages may begin
/// with such a row on each.
pub(super) fn keep_recurring(
    sheets: &[OrderedPage],
    candidates: &[FurnitureCandidate<'_>],
    is_found: &mut [bool],
) {
    let mut asked: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (at, candidate) in candidates.iter().enumerate() {
        if is_found[at] && candidate.key != "#" && candidate.key.contains('#') {
            asked.entry(candidate.sheet).or_default().push(at);
        }
    }
    for (sheet, asked) in asked {
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        let keys = lines(&sheets[sheet]).flat_map(cells).map(key_of);
        keys.for_each(|key| *counts.entry(key).or_default() += 1);
        for at in asked {
            is_found[at] = counts.get(&candidates[at].key).is_none_or(|count| *count < MIN_RECURRING);
        }
    }
}

/// Rows of a table that fills its page are no furniture, though the first row of the next page has the same words: their texts stand
/// below each other. A header has more space below it, or stands above prose.
pub(super) fn keep_in_columns(
    sheets: &[OrderedPage],
    candidates: &[FurnitureCandidate<'_>],
    is_found: &mut [bool],
) {
    let mut by_sheet: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (at, candidate) in candidates.iter().enumerate().filter(|(at, _)| is_found[*at]) {
        by_sheet.entry(candidate.sheet).or_default().push(at);
    }
    for (sheet, found) in by_sheet {
        let mut rows: Vec<&TextLine> = lines(&sheets[sheet]).filter(|line| !line.is_turned).collect();
        rows.sort_by(|a, b| a.base.total_cmp(&b.base));
        for is_header in [true, false] {
            // From the text to the edge of the page.
            let order: Vec<&TextLine> =
                if is_header { rows.iter().rev().copied().collect() } else { rows.clone() };
            let of_line = |line: &TextLine| {
                let is_of = |at: &usize| {
                    candidates[*at].is_header == is_header && std::ptr::eq(candidates[*at].line, line)
                };
                found.iter().copied().filter(is_of).collect::<Vec<usize>>()
            };
            for (at, outer) in order.iter().enumerate() {
                let of_outer = of_line(outer);
                // The title of some rows may stand between a head and these.
                let inwards =
                    order[..at].iter().rev().take(if of_outer.is_empty() { 0 } else { MAX_HEAD_LINES });
                let mut last = *outer;
                let near = inwards.take_while(|inner| are_near(std::mem::replace(&mut last, **inner), inner));
                let mut kept = near.filter(|inner| of_line(inner).iter().all(|at| !is_found[*at]));
                if kept.any(|inner| are_rows(inner, outer) || is_head_of(inner, outer)) {
                    of_outer.into_iter().for_each(|at| is_found[at] = false);
                }
            }
        }
    }
}

fn are_near(one: &TextLine, other: &TextLine) -> bool {
    let distance = (one.base - other.base).abs();
    (0.5 * one.size..=MAX_CONTINUED_DISTANCE * one.size).contains(&distance)
}

/// True for a line whose texts stand above or below those of a row, or over some of them.
fn are_rows(inner: &TextLine, outer: &TextLine) -> bool {
    let near = outer.size;
    let is_aligned = |(_, x0, x1): &(usize, f32, f32)| {
        inner.cells.iter().any(|(_, from, to)| {
            let middle = (from + to) / 2.0;
            (from - x0).abs() < near || (to - x1).abs() < near || (*x0..=*x1).contains(&middle)
        })
    };
    outer.cells.len() >= 2
        && inner.cells.len() >= outer.cells.len()
        && (inner.size - outer.size).abs() < 0.05 * near
        && outer.cells.iter().all(is_aligned)
}

/// True for one text above some of the texts of a row of amounts or years: `Year ended December 31,`.
fn is_head_of(row: &TextLine, head: &TextLine) -> bool {
    let is_below = |(_, x0, x1): &(usize, f32, f32)| *x0 < head.x1 && *x1 > head.x0;
    head.cells.len() < 2
        && row.cells.len() >= 2
        && row.base > head.base
        && row.cells.iter().any(is_below)
        && is_row(cells(row).into_iter())
}

/// Rows of tables at the top of a few pages are no furniture: statements follow each other with one header (`2021 2020 2019`),
/// and begin with one row (`Net sales $ 14,694`). The line above such a row (`Year ended December 31,`) is of its header.
pub(super) fn keep_rows(pages: usize, candidates: &[FurnitureCandidate<'_>], is_found: &mut [bool]) {
    let mut uses: FxHashMap<(&str, bool), FxHashSet<usize>> = FxHashMap::default();
    let mut by_sheet: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (at, candidate) in candidates.iter().enumerate() {
        if is_found[at] {
            uses.entry((&candidate.key, candidate.is_header)).or_default().insert(candidate.sheet);
        }
        by_sheet.entry(candidate.sheet).or_default().push(at);
    }
    // What a quarter of the pages has is furniture, whatever it looks like: a statement with its notes goes over a few pages of a
    // report of a hundred, and a running head with years over all of a chapter.
    let is_rare = |at: usize| {
        let candidate = &candidates[at];
        uses.get(&(&*candidate.key, candidate.is_header)).is_none_or(|on| on.len() * 4 <= pages)
    };
    for group in by_sheet.values() {
        let line = |at: usize| candidates[at].line;
        let is_near = |one: usize, two: usize, sizes: f32| {
            (0.0..=sizes * line(two).size).contains(&(line(two).base - line(one).base))
        };
        let of_row = |at: usize| {
            let beside = move |other: &usize| {
                f64::from((line(*other).base - line(at).base).abs()) <= SAME_BASELINE_POINTS
            };
            group.iter().copied().filter(beside)
        };
        let rows: Vec<usize> = group
            .iter()
            .copied()
            .filter(|&at| is_found[at] && is_row(of_row(at).map(|other| candidates[other].text)))
            .collect();
        let headers = group
            .iter()
            .copied()
            .filter(|&at| rows.iter().any(|&row| is_near(at, row, MAX_CONTINUED_DISTANCE)));
        let kept: Vec<usize> = headers.filter(|at| is_rare(*at)).collect();
        kept.into_iter().for_each(|at| is_found[at] = false);
    }
}

/// True for the cells of a row with amounts, or with two years.
fn is_row<'t>(cells: impl Iterator<Item = &'t str>) -> bool {
    let mut years: Vec<&str> = Vec::new();
    for word in cells.flat_map(str::split_whitespace) {
        let digits = word.trim_matches(['(', ')', '$']);
        let is_group = |group: &str| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
        if digits.split_once(',').is_some_and(|(_, rest)| rest.split(',').all(is_group)) {
            return true;
        }
        let is_year = word.len() == 4 && matches!(word.parse(), Ok(1900..=2100));
        if is_year && !years.contains(&word) {
            years.push(word);
        }
    }
    years.len() > 1
}
