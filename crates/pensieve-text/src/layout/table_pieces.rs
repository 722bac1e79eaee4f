//! The texts of a table's lines that may be cells, and the columns that they form.

use super::lines::TextLine;
use super::table_frame::TableFrame;

/// Font sizes by which texts of neighbouring columns may overlap.
const MAX_OVERLAP: f32 = 0.15;

/// Columns that vertical lines separate are divided further only if they are at most this many: a table with more has
/// a line between all of its columns.
const MAX_DIVIDED_COLUMNS: usize = 3;

/// Font sizes between two columns that are one, if no line has text in both.
const MAX_SHIFT: f32 = 3.0;

/// Font sizes between two columns that may be the space between words.
const MAX_WORD_GAP: f32 = 0.9;

/// Font sizes by which a vertical line may miss the space between two words.
const MAX_SPLIT_DISTANCE: f32 = 1.0;

/// A text between two gaps of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CellPiece<'l> {
    pub(super) text: &'l str,
    pub(super) x0: f32,
    pub(super) x1: f32,
}

impl CellPiece<'_> {
    fn width(&self) -> f32 {
        self.x1 - self.x0
    }

    pub(super) fn middle(&self) -> f32 {
        (self.x0 + self.x1) / 2.0
    }

    fn is_number(&self) -> bool {
        self.text.chars().any(|c| c.is_ascii_digit())
            && self.text.chars().filter(|c| c.is_alphabetic()).count() <= 3
    }
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TableColumn {
    /// Where its texts start and end.
    pub(super) x0: f32,
    pub(super) x1: f32,
    /// The edges of its area; without lines, those of its texts.
    pub(super) left: f32,
    pub(super) right: f32,
}

/// The pieces of each line. Words on both sides of a vertical line are two pieces.
pub(super) fn of_lines<'l>(lines: &[&'l TextLine], frame: &TableFrame) -> Vec<Vec<CellPiece<'l>>> {
    let of_line = |line: &&'l TextLine| {
        let mut pieces = Vec::new();
        let middle = line.middle();
        for (text, x0, x1) in line.pieces().into_iter().filter(|(text, ..)| !text.is_empty()) {
            let mut rest = CellPiece { text, x0, x1 };
            for edge in frame.down.iter().filter(|edge| edge.passes(middle)) {
                if let Some((before, after)) = split(rest, edge.at, line.size) {
                    pieces.push(before);
                    rest = after;
                }
            }
            pieces.push(rest);
        }
        pieces
    };
    lines.iter().map(of_line).collect()
}

/// Divides the pieces of a line that cross columns at their narrow gaps, if the parts are each in another column.
pub(super) fn divide_across<'l>(
    line: &'l TextLine,
    pieces: &mut Vec<CellPiece<'l>>,
    columns: &[TableColumn],
) {
    if line.parts.len() <= pieces.len() {
        return;
    }
    let slack = MAX_OVERLAP * line.size;
    for at in (0..pieces.len()).rev() {
        let piece = pieces[at];
        let inside = |part: &CellPiece<'_>| part.x0 >= piece.x0 - 0.1 && part.x1 <= piece.x1 + 0.1;
        let parts = line.fine_pieces().map(|(text, x0, x1)| CellPiece { text, x0, x1 });
        let parts: Vec<CellPiece<'l>> = parts.filter(inside).collect();
        let places: Vec<(usize, usize)> = parts.iter().map(|part| place(columns, part, line.size)).collect();
        let is_one_each = places.iter().all(|(first, last)| first == last)
            && places.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && parts
                .windows(2)
                .zip(&places)
                .all(|(pair, (first, _))| pair[0].x1 <= columns[*first].right + slack);
        if parts.len() >= 2 && is_one_each {
            pieces.splice(at..=at, parts);
        }
    }
}

/// Splits a piece at the space that is the nearest to a vertical line. Places of words are known only by their share
/// of the letters.
fn split<'l>(piece: CellPiece<'l>, at: f32, size: f32) -> Option<(CellPiece<'l>, CellPiece<'l>)> {
    if at < piece.x0 + 0.2 * size || at > piece.x1 - 0.2 * size {
        return None;
    }
    let each = piece.width() / piece.text.chars().count().max(1) as f32;
    let mut best: Option<(f32, usize)> = None;
    for (count, (byte, _)) in piece.text.char_indices().enumerate().filter(|(_, (_, c))| *c == ' ') {
        let distance = (piece.x0 + each * (count as f32 + 0.5) - at).abs();
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, byte));
        }
    }
    let (_, byte) = best.filter(|(distance, _)| *distance <= MAX_SPLIT_DISTANCE * size)?;
    let before = CellPiece { text: piece.text[..byte].trim_end(), x1: at, ..piece };
    Some((before, CellPiece { text: piece.text[byte..].trim_start(), x0: at, ..piece }))
}

/// The columns of a table, from left to right.
pub(super) fn columns(lines: &[Vec<CellPiece<'_>>], frame: &TableFrame, size: f32) -> Vec<TableColumn> {
    let pieces: Vec<(CellPiece<'_>, usize)> =
        lines.iter().enumerate().flat_map(|(at, line)| line.iter().map(move |piece| (*piece, at))).collect();
    if !frame.has_columns() {
        let is_alone = |line: usize| lines[line].len() < 2;
        return clusters(pieces.iter().filter(|(_, line)| !is_alone(*line)).copied().collect(), size);
    }
    let mut columns = Vec::new();
    for edges in frame.edges.windows(2) {
        let (left, right) = (edges[0], edges[1]);
        let inside: Vec<(CellPiece<'_>, usize)> = pieces
            .iter()
            .filter(|(piece, _)| piece.x0 > left - 0.3 * size && piece.x1 < right + 0.3 * size)
            .copied()
            .collect();
        let parts = match frame.edges.len() <= MAX_DIVIDED_COLUMNS + 1 {
            true => divided(inside.clone(), size),
            false => Vec::new(),
        };
        match parts.len() {
            0 | 1 => {
                let x0 = inside.iter().map(|(piece, _)| piece.x0).fold(right, f32::min);
                let x1 = inside.iter().map(|(piece, _)| piece.x1).fold(left, f32::max);
                columns.push(TableColumn { x0, x1: x1.max(x0), left, right });
            }
            _ => columns.extend(parts),
        }
    }
    columns
}

/// The columns of text between two vertical lines, if most of its lines have text in several.
fn divided(pieces: Vec<(CellPiece<'_>, usize)>, size: f32) -> Vec<TableColumn> {
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for (_, line) in &pieces {
        match counts.iter_mut().find(|(known, _)| known == line) {
            Some((_, count)) => *count += 1,
            None => counts.push((*line, 1)),
        }
    }
    let several = counts.iter().filter(|(_, count)| *count >= 2).count();
    match several >= 2 && several * 10 >= counts.len() * 6 {
        true => clusters(pieces, size),
        false => Vec::new(),
    }
}

/// Texts that overlap.
struct ColumnCluster {
    x0: f32,
    x1: f32,
    /// The lines that have text in it, in order.
    lines: Vec<usize>,
    /// How many of its texts are numbers.
    numbers: usize,
}

impl ColumnCluster {
    fn of(piece: &CellPiece<'_>, line: usize) -> ColumnCluster {
        let numbers = usize::from(piece.is_number());
        ColumnCluster { x0: piece.x0, x1: piece.x1, lines: vec![line], numbers }
    }

    fn add(&mut self, other: ColumnCluster) {
        (self.x0, self.x1) = (self.x0.min(other.x0), self.x1.max(other.x1));
        self.numbers += other.numbers;
        self.lines.extend(other.lines);
        self.lines.sort_unstable();
        self.lines.dedup();
    }

    /// True if most of its texts are words.
    fn is_text(&self) -> bool {
        self.numbers * 2 < self.lines.len()
    }

    fn column(&self) -> TableColumn {
        TableColumn { x0: self.x0, x1: self.x1, left: self.x0, right: self.x1 }
    }
}

/// The columns of pieces that overlap.
fn clusters(mut pieces: Vec<(CellPiece<'_>, usize)>, size: f32) -> Vec<TableColumn> {
    let mut counts: Vec<usize> = Vec::new();
    for (_, line) in &pieces {
        counts.resize(counts.len().max(line + 1), 0);
        counts[*line] += 1;
    }
    // The lines with the most texts show the columns best, and there the shortest texts.
    pieces.sort_by(|a, b| counts[b.1].cmp(&counts[a.1]).then(a.0.width().total_cmp(&b.0.width())));
    let slack = MAX_OVERLAP * size;
    let mut found: Vec<ColumnCluster> = Vec::new();
    let mut across: Vec<(CellPiece<'_>, usize)> = Vec::new();
    for (piece, line) in &pieces {
        let slack = slack.min(piece.width() / 2.0);
        let first = found.partition_point(|column| column.x1 - slack <= piece.x0);
        let end = found.partition_point(|column| column.x0 + slack < piece.x1);
        match end.saturating_sub(first) {
            0 => found.insert(first, ColumnCluster::of(piece, *line)),
            1 => found[first].add(ColumnCluster::of(piece, *line)),
            _ => across.push((*piece, *line)),
        }
    }
    let several = counts.iter().filter(|count| **count >= 2).count();
    let mut columns: Vec<ColumnCluster> = Vec::new();
    for next in found {
        match columns.last_mut().filter(|last| is_one_column(last, &next, &across, several, size)) {
            Some(last) => last.add(next),
            None => columns.push(next),
        }
    }
    columns.iter().map(ColumnCluster::column).collect()
}

/// True if neighbours are one column: no line has text in both, or as many lines have one text across them as have
/// one in each. Headings of several columns lie across them as well, but above, and are fewer.
fn is_one_column(
    last: &ColumnCluster,
    next: &ColumnCluster,
    across: &[(CellPiece<'_>, usize)],
    several: usize,
    size: f32,
) -> bool {
    let both = shared(&last.lines, &next.lines);
    let gap = next.x0 - last.x1;
    if both == 0 && gap < MAX_SHIFT * size {
        return true;
    }
    // The words of loose lines are rarely above each other.
    if gap < MAX_WORD_GAP * size && last.is_text() && next.is_text() && both * 2 < several {
        return true;
    }
    let slack = MAX_OVERLAP * size;
    let (end, start) = (last.x1 - slack, next.x0 + slack);
    let crossing = across.iter().filter(|(piece, _)| piece.x0 < end && piece.x1 > start);
    let first = last.lines.iter().find(|line| next.lines.binary_search(line).is_ok());
    let below = crossing.clone().filter(|(_, line)| first.is_some_and(|first| line > first)).count();
    crossing.count() >= both.max(1) || 2 * below >= both.max(1)
}

/// How many numbers two sorted lists have in common.
fn shared(a: &[usize], b: &[usize]) -> usize {
    a.iter().filter(|at| b.binary_search(at).is_ok()).count()
}

/// The first and last column of a piece.
pub(super) fn place(columns: &[TableColumn], piece: &CellPiece<'_>, size: f32) -> (usize, usize) {
    let slack = (2.0 * MAX_OVERLAP * size).min(piece.width() / 2.0);
    let first = columns.partition_point(|column| column.right - slack <= piece.x0);
    let end = columns.partition_point(|column| column.left + slack < piece.x1);
    if first < end {
        return (first, end - 1);
    }
    // It is in a gap, and belongs to the nearer column.
    let distance = |at: usize| (columns[at].left - piece.middle()).max(piece.middle() - columns[at].right);
    let before = first.saturating_sub(1);
    let nearest = match first < columns.len() && distance(first) <= distance(before) {
        true => first,
        false => before,
    };
    (nearest, nearest)
}
#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&[(&str, f32)]], expected: &[(f32, f32)]) {
        let lines: Vec<Vec<CellPiece<'_>>> = lines
            .iter()
            .map(|line| {
                line.iter()
                    .map(|(text, x0)| CellPiece { text, x0: *x0, x1: x0 + 5.0 * text.len() as f32 })
                    .collect()
            })
            .collect();
        let found = columns(&lines, &TableFrame::default(), 10.0);
        let found: Vec<(f32, f32)> = found.iter().map(|column| (column.x0, column.x1)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_heading_over_two_columns_does_not_join_them() {
        check(
            &[
                &[("Depth of water", 230.0), ("Ships", 360.0)],
                &[("Quay", 60.0), ("Low", 200.0), ("High", 280.0), ("Number", 360.0)],
                &[("First", 60.0), ("4.1", 200.0), ("6.0", 280.0), ("12", 360.0)],
                &[("Second", 60.0), ("3.8", 200.0), ("5.9", 280.0), ("7", 360.0)],
            ],
            &[(60.0, 90.0), (200.0, 215.0), (230.0, 300.0), (360.0, 390.0)],
        );
    }
}
