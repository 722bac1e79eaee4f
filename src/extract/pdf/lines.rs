//! Lines of a region: spans on one baseline, joined from left to right, each as it is read.

use super::bidi;
use super::geometry::Bounds;
use super::order::Item;

/// A gap of this part of the font size parts two words of a line.
const WORD_GAP: f32 = 0.13;

/// Large first letters of one region.
const MAX_INITIALS: usize = 40;

/// A line of text.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Its text in reading order.
    pub(super) text: String,
    /// The box around it on the page.
    pub(super) bounds: Bounds,
    /// Where it starts along the baseline.
    pub(super) x0: f32,
    /// Its baseline.
    pub(super) base: f32,
    /// Font size of most of it.
    pub(super) size: f32,
    /// All of it is bold.
    pub(super) is_bold: bool,
}

/// Items on one baseline.
#[derive(Debug, Clone)]
pub(super) struct Row<'p> {
    items: Vec<Item<'p>>,
    /// Baseline of its largest item.
    pub(super) base: f32,
    /// Font size of its largest item.
    pub(super) size: f32,
}

impl Row<'_> {
    /// True when one of the rows has the same baseline.
    pub(super) fn has_neighbour(&self, rows: &[Row<'_>]) -> bool {
        let near = 0.12 * self.size;
        let first = rows.partition_point(|row| row.base < self.base - near);
        rows.get(first).is_some_and(|row| row.base <= self.base + near)
    }

    /// Characters of its longest stretch without a wide gap, and how wide that is.
    fn longest_stretch(&self) -> (usize, f32) {
        let mut items = self.items.clone();
        items.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        let (mut longest, mut stretch) = ((0, 0.0), (0, 0.0));
        let mut end = f32::INFINITY;
        for item in &items {
            if item.x0 - end > 0.9 * self.size {
                stretch = (0, 0.0);
            }
            stretch.0 += item.span.text.chars().count();
            stretch.1 += item.x1 - item.x0;
            end = item.x1;
            if stretch.0 > longest.0 {
                longest = stretch;
            }
        }
        longest
    }

    fn takes(&self, item: &Item<'_>) -> bool {
        let (small, large) = (self.size.min(item.size), self.size.max(item.size));
        if (self.base - item.base).abs() < 0.2 * small {
            return true;
        }
        let top = (self.base - 0.78 * self.size).max(item.top());
        let bottom = (self.base + 0.22 * self.size).min(item.bottom());
        small > 0.45 * large && bottom - top > 0.55 * small
    }
}

/// Characters of a middling row's longest stretch, and which part of the width of all of them it fills.
pub(super) fn typical_stretch(rows: &[Row<'_>]) -> (usize, f32) {
    let stretches: Vec<(usize, f32)> = rows.iter().map(Row::longest_stretch).collect();
    let mut lengths: Vec<usize> = stretches.iter().map(|(length, _)| *length).collect();
    let mut widths: Vec<f32> = stretches.iter().map(|(_, width)| *width).collect();
    lengths.sort_unstable();
    widths.sort_by(f32::total_cmp);
    let items = || rows.iter().flat_map(|row| &row.items);
    let left = items().map(|item| item.x0).fold(f32::INFINITY, f32::min);
    let right = items().map(|item| item.x1).fold(f32::NEG_INFINITY, f32::max);
    let width = (right - left).max(1.0);
    let middle = rows.len() / 2;
    (
        lengths.get(middle).copied().unwrap_or_default(),
        widths.get(middle).copied().unwrap_or_default() / width,
    )
}

/// Items by their baselines, from top to bottom.
pub(super) fn rows<'p>(items: &[Item<'p>]) -> Vec<Row<'p>> {
    let mut sorted = items.to_vec();
    sorted.sort_by(|a, b| a.base.total_cmp(&b.base).then(a.x0.total_cmp(&b.x0)));
    let mut rows: Vec<Row<'p>> = Vec::new();
    for item in sorted {
        let from = rows.len().saturating_sub(3);
        match rows[from..].iter_mut().rev().find(|row| row.takes(&item)) {
            Some(row) => {
                if item.size > row.size {
                    (row.base, row.size) = (item.base, item.size);
                }
                row.items.push(item);
            }
            None => rows.push(Row { base: item.base, size: item.size, items: vec![item] }),
        }
    }
    rows.sort_by(|a, b| a.base.total_cmp(&b.base));
    rows
}

/// The lines of a region.
pub(super) fn of_region(mut items: Vec<Item<'_>>) -> Vec<Line> {
    raise_initials(&mut items);
    rows(&items).into_iter().map(line).filter(|line| !line.text.is_empty()).collect()
}

/// A large first letter that hangs down over several lines belongs to the first of them.
fn raise_initials(items: &mut [Item<'_>]) {
    let mut sizes: Vec<f32> = items.iter().map(|item| item.size).collect();
    sizes.sort_by(f32::total_cmp);
    let Some(usual) = sizes.get(sizes.len() / 2).copied() else { return };
    let is_initial = |item: &Item<'_>| item.size > 1.6 * usual && item.span.text.chars().nth(2).is_none();
    let initials: Vec<usize> = (0..items.len()).filter(|&at| is_initial(&items[at])).collect();
    if initials.len() > MAX_INITIALS {
        return;
    }
    for at in initials {
        let initial = items[at];
        let beside = items.iter().filter(|item| {
            item.size < 0.6 * initial.size
                && item.top() > initial.top() - 0.5 * item.size
                && item.base < initial.base - 0.5 * item.size
                && (initial.x1 - 0.2 * initial.size..initial.x1 + initial.size).contains(&item.x0)
        });
        if let Some(first) = beside.min_by(|a, b| a.base.total_cmp(&b.base)).copied() {
            (items[at].base, items[at].size) = (first.base, first.size);
        }
    }
}

fn line(mut row: Row<'_>) -> Line {
    row.items.sort_by(|a, b| a.x0.total_cmp(&b.x0).then(a.base.total_cmp(&b.base)));
    let mut text = String::new();
    let mut bounds = Bounds::NOTHING;
    let mut end: Option<(f32, f32)> = None;
    let mut is_bold = true;
    for item in &row.items {
        let next = item.span.text.trim();
        let [x0, y0, x1, y1] = item.span.bbox.map(f64::from);
        bounds.add(Bounds { x0, y0, x1, y1 });
        is_bold &= item.span.font.weight >= 600;
        if let Some((end, size)) = end
            && is_apart(&text, next, item.x0 - end, size.min(item.size))
        {
            text.push(' ');
        }
        text.push_str(next);
        end = Some((end.map_or(item.x1, |(end, _)| end.max(item.x1)), item.size));
    }
    bidi::to_reading_order(&mut text);
    let x0 = row.items.first().map_or(0.0, |item| item.x0);
    let size = row.items.iter().max_by_key(|item| item.span.text.len()).map_or(row.size, |item| item.size);
    Line { text, bounds, x0, base: row.base, size, is_bold }
}

/// Whether a space stands between two pieces of a line; there is none in scripts that have none.
fn is_apart(before: &str, after: &str, gap: f32, size: f32) -> bool {
    let is_dense = |c: Option<char>| {
        c.is_some_and(|c| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}'))
    };
    let limit = match is_dense(before.chars().next_back()) && is_dense(after.chars().next()) {
        true => 0.6,
        false => WORD_GAP,
    };
    // Pieces that overlap by more than a letter are no continuation of each other.
    gap > limit * size || gap < -0.6 * size
}
