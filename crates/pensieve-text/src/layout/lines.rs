//! Lines of a region: spans on one baseline, joined from left to right, each as it is read, with the boxes and tables
//! that stand among them.

use super::bidi;
use super::bounds::Bounds;
use super::page::FontFace;
use super::reading::Item;
use std::sync::Arc;

/// A gap of this part of the font size parts two words of a line.
const WORD_GAP: f32 = 0.13;

/// Large first letters of one region.
const MAX_INITIALS: usize = 40;

/// A gap of this part of the font size parts two cells of a table.
const CELL_GAP: f32 = 0.9;

/// What is read next.
#[derive(Debug, Clone)]
pub(super) enum RegionEntry {
    /// A line of text.
    Line(TextLine),
    /// The box or table of this number.
    Block(usize),
}

/// A line of text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextLine {
    /// Its text in reading order.
    pub text: String,
    /// The box around it on the page.
    pub bounds: Bounds,
    /// Where it starts and ends along the baseline.
    pub x0: f32,
    /// The same, at its end.
    pub x1: f32,
    /// Its baseline.
    pub base: f32,
    /// Font size of most of it.
    pub size: f32,
    /// The font of most of it.
    pub face: Arc<FontFace>,
    /// All of it is bold.
    pub is_bold: bool,
    /// It runs in another direction than most of its page.
    pub is_turned: bool,
    /// The direction of its baseline in degrees, clockwise as displayed.
    pub rotation: i16,
    /// Where its stretches start that wide gaps part: byte of the text, left edge, right edge. Empty for one stretch.
    pub cells: Vec<(usize, f32, f32)>,
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

/// The lines and blocks of a region.
pub(super) fn of_region(mut items: Vec<Item<'_>>, is_turned: bool) -> Vec<RegionEntry> {
    raise_initials(&mut items);
    let mut entries = Vec::new();
    for mut row in rows(&items) {
        let mut blocks: Vec<(f32, usize)> =
            row.items.iter().filter_map(|item| Some((item.x0, item.stands_for?))).collect();
        row.items.retain(|item| item.stands_for.is_none());
        blocks.sort_by(|a, b| a.0.total_cmp(&b.0));
        let line = TextLine { is_turned, ..line(row) };
        let before = blocks.partition_point(|(x0, _)| *x0 <= line.x0 || line.text.is_empty());
        entries.extend(blocks[..before].iter().map(|(_, at)| RegionEntry::Block(*at)));
        if !line.text.is_empty() {
            entries.push(RegionEntry::Line(line));
        }
        entries.extend(blocks[before..].iter().map(|(_, at)| RegionEntry::Block(*at)));
    }
    entries
}

/// Each block stands once, where its first line would.
pub(super) fn drop_repeated_blocks(regions: &mut [Vec<RegionEntry>], blocks: usize) {
    let mut seen = vec![false; blocks];
    for region in regions {
        region.retain(|entry| match entry {
            RegionEntry::Line(_) => true,
            RegionEntry::Block(at) => !std::mem::replace(&mut seen[*at], true),
        });
    }
}

/// A large first letter that hangs down over several lines belongs to the first of them.
fn raise_initials(items: &mut [Item<'_>]) {
    let mut sizes: Vec<f32> = items.iter().map(|item| item.size).collect();
    sizes.sort_by(f32::total_cmp);
    let Some(usual) = sizes.get(sizes.len() / 2).copied() else { return };
    let is_initial = |item: &Item<'_>| {
        item.stands_for.is_none() && item.size > 1.6 * usual && item.span.text.chars().nth(2).is_none()
    };
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

fn line(mut row: Row<'_>) -> TextLine {
    row.items.sort_by(|a, b| a.x0.total_cmp(&b.x0).then(a.base.total_cmp(&b.base)));
    let mut line = TextLine { bounds: Bounds::NOTHING, base: row.base, is_bold: true, ..TextLine::default() };
    let mut end: Option<(f32, f32)> = None;
    for item in &row.items {
        let next = item.span.text.trim();
        line.bounds.add(Bounds::of_array(item.span.bbox));
        line.is_bold &= item.span.font.weight >= 600;
        let mut starts_cell = end.is_none();
        if let Some((end, size)) = end {
            let size = size.min(item.size);
            starts_cell = item.x0 - end > CELL_GAP * size;
            if is_apart(&line.text, next, item.x0 - end, size) {
                line.text.push(' ');
            }
        }
        match line.cells.last_mut() {
            Some((_, _, x1)) if !starts_cell => *x1 = x1.max(item.x1),
            _ => line.cells.push((line.text.len(), item.x0, item.x1)),
        }
        line.text.push_str(next);
        end = Some((end.map_or(item.x1, |(end, _)| end.max(item.x1)), item.size));
    }
    let seen = line.text.clone();
    bidi::to_reading_order(&mut line.text);
    if line.cells.len() < 2 || line.text != seen {
        line.cells = Vec::new();
    }
    line.x0 = row.items.first().map_or(0.0, |item| item.x0);
    line.x1 = end.map_or(line.x0, |(end, _)| end);
    let most = row.items.iter().max_by_key(|item| item.span.text.len());
    line.size = most.map_or(row.size, |item| item.size);
    line.rotation = most.map_or(0, |item| item.span.rotation.round() as i16 % 360);
    line.face = most.map_or_else(Arc::default, |item| item.span.font.clone());
    line
}

/// Whether a space stands between two pieces of a line; there is none in scripts that have none. Korean has spaces, and
/// letters that stand a little apart where lines are set to one width.
fn is_apart(before: &str, after: &str, gap: f32, size: f32) -> bool {
    let is_dense = |c: char| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}');
    let is_korean = |c: char| matches!(c, '\u{ac00}'..='\u{d7af}');
    let limit = match (before.chars().next_back(), after.chars().next()) {
        (Some(before), Some(after)) if is_dense(before) && is_dense(after) => 0.6,
        (Some(before), Some(after)) if is_korean(before) && is_korean(after) => 0.2,
        _ => WORD_GAP,
    };
    // Pieces that overlap by more than a letter are no continuation of each other.
    gap > limit * size || gap < -0.6 * size
}

/// The distance between lines, in font sizes, that this share of all distances does not exceed; 1.3 where there is none.
pub(super) fn leading(lines: &[TextLine], share: f32) -> f32 {
    let mut all: Vec<f32> = lines
        .windows(2)
        .map(|pair| (pair[1].base - pair[0].base) / pair[1].size.max(pair[0].size))
        .filter(|leading| (0.8..2.2).contains(leading))
        .collect();
    all.sort_by(f32::total_cmp);
    all.get((all.len() as f32 * share) as usize).copied().unwrap_or(1.3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_part_words_where_the_script_has_spaces() {
        let check = |before, after, gap, expected| assert_eq!(is_apart(before, after, gap, 10.0), expected);
        check("word", "word", 1.5, true);
        check("word", "s", 1.0, false);
        check("모든", "인류", 3.3, true);
        check("인", "류", 1.5, false);
        check("人類", "社会", 3.3, false);
        check("人類", "社会", 8.0, true);
    }
}
