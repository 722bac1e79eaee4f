//! The texts of a table's lines that may be cells, and the columns that they form.

use crate::layout::input::table_frame::{FrameLine, TableFrame};
use crate::layout::lines::text_line::TextLine;

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

/// How far, in font sizes, the end of a code before an implied edge may be from it. Its place is only estimated, by its
/// share of the letters, and digits are wider than most.
const MAX_CODE_SHIFT: f32 = 1.2;

/// Minimum texts that an edge divides which no line shows.
const MIN_CODES: usize = 3;

/// A text between two gaps of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CellPiece<'l> {
    pub(crate) text: &'l str,
    pub(crate) x0: f32,
    pub(crate) x1: f32,
}

impl CellPiece<'_> {
    fn width(&self) -> f32 {
        self.x1 - self.x0
    }

    pub(crate) fn middle(&self) -> f32 {
        (self.x0 + self.x1) / 2.0
    }

    fn is_number(&self) -> bool {
        self.text.chars().any(|c| c.is_ascii_digit())
            // With a unit or a short month.
            && self.text.chars().filter(|c| c.is_alphabetic()).count() <= 3
    }
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TableColumn {
    /// Where its texts start and end.
    pub(crate) x0: f32,
    pub(crate) x1: f32,
    /// The edges of its area; without lines, those of its texts.
    pub(crate) left: f32,
    pub(crate) right: f32,
}

/// The pieces of each line. Words on both sides of a vertical line are two pieces.
pub(crate) fn of_lines<'l>(lines: &[&'l TextLine], frame: &TableFrame) -> Vec<Vec<CellPiece<'l>>> {
    let of_line = |line: &&'l TextLine| {
        let mut pieces = Vec::new();
        let middle = line.middle();
        for (text, x0, x1) in line.pieces().into_iter().filter(|(text, ..)| !text.is_empty()) {
            let mut rest = CellPiece { text, x0, x1 };
            for edge in frame.down.iter().filter(|edge| edge.passes(middle)) {
                // From left to right, so only the rest can be divided again.
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
    // No gap is left that could divide more.
    if line.parts.len() <= pieces.len() {
        return;
    }
    let slack = MAX_OVERLAP * line.size;
    // From the end, because parts take the place of a piece.
    for at in (0..pieces.len()).rev() {
        let piece = pieces[at];
        // Sums of widths differ in the last digits.
        let inside = |part: &CellPiece<'_>| part.x0 >= piece.x0 - 0.1 && part.x1 <= piece.x1 + 0.1;
        let parts = line.fine_pieces().map(|(text, x0, x1)| CellPiece { text, x0, x1 });
        let parts: Vec<CellPiece<'l>> = parts.filter(inside).collect();
        let places: Vec<(usize, usize)> = parts.iter().map(|part| place(columns, part, line.size)).collect();
        // Otherwise the gap is between words of one cell.
        let is_one_each = places.iter().all(|(first, last)| first == last)
            && places.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && parts
                .windows(2)
                .zip(&places)
                // A text that reaches over its column goes on in the next.
                .all(|(pair, (first, _))| pair[0].x1 <= columns[*first].right + slack);
        if parts.len() >= 2 && is_one_each {
            pieces.splice(at..=at, parts);
        }
    }
}

/// Edges between columns that are only a word apart: the texts of some lines begin there, and those of all others have a
/// space there, after a date, a number or a code that fills the narrow column before it.
pub(super) fn implied_edges(lines: &[&TextLine], size: f32) -> Vec<FrameLine> {
    let pieces: Vec<CellPiece<'_>> = of_lines(lines, &TableFrame::default()).concat();
    let mut starts: Vec<f32> = pieces.iter().map(|piece| piece.x0).collect();
    starts.sort_by(f32::total_cmp);
    let mut edges: Vec<FrameLine> = Vec::new();
    let mut at = 0;
    while at < starts.len() {
        let edge = starts[at];
        let count = starts[at..].partition_point(|start| *start <= edge + MAX_OVERLAP * size);
        at += count;
        // A letter on each side at least: texts that touch an edge do not cross it.
        let across = pieces.iter().filter(|piece| piece.x0 < edge - size && piece.x1 > edge + size);
        let divided = across.clone().filter(|piece| {
            split(**piece, edge, size).is_some_and(|(code, _)| {
                let end = code.text.chars().count() as f32 * piece.width()
                    / piece.text.chars().count().max(1) as f32;
                code.text.contains(|c: char| c.is_ascii_digit())
                    && (piece.x0 + end - edge).abs() < MAX_CODE_SHIFT * size
            })
        });
        let across = across.count();
        // One text that does not divide there shows that there is no edge.
        if count >= 2 && across >= MIN_CODES && divided.count() == across {
            edges.push(FrameLine { at: edge, from: f32::NEG_INFINITY, to: f32::INFINITY });
        }
    }
    edges
}

/// Splits a piece at the space that is the nearest to a vertical line. Places of words are known only by their share
/// of the letters.
fn split<'l>(piece: CellPiece<'l>, at: f32, size: f32) -> Option<(CellPiece<'l>, CellPiece<'l>)> {
    // A line at the end of a text is beside it.
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
    // Without a space near it, the line crosses a word: an accident, or a picture.
    let (_, byte) = best.filter(|(distance, _)| *distance <= MAX_SPLIT_DISTANCE * size)?;
    let before = CellPiece { text: piece.text[..byte].trim_end(), x1: at, ..piece };
    Some((before, CellPiece { text: piece.text[byte..].trim_start(), x0: at, ..piece }))
}

/// The columns of a table, from left to right.
pub(crate) fn columns(lines: &[Vec<CellPiece<'_>>], frame: &TableFrame, size: f32) -> Vec<TableColumn> {
    let pieces: Vec<(CellPiece<'_>, usize)> =
        lines.iter().enumerate().flat_map(|(at, line)| line.iter().map(move |piece| (*piece, at))).collect();
    // Text alone must show the columns.
    if !frame.has_columns() {
        // Titles and notes say nothing of columns, and would join all.
        let is_alone = |line: usize| lines[line].len() < 2;
        return clusters(pieces.iter().filter(|(_, line)| !is_alone(*line)).copied().collect(), size);
    }
    let mut columns = Vec::new();
    for edges in frame.edges.windows(2) {
        let (left, right) = (edges[0], edges[1]);
        let inside: Vec<(CellPiece<'_>, usize)> = pieces
            .iter()
            // Texts touch their lines at times; those of several columns are left out.
            .filter(|(piece, _)| piece.x0 > left - 0.3 * size && piece.x1 < right + 0.3 * size)
            .copied()
            .collect();
        let parts = match frame.edges.len() <= MAX_DIVIDED_COLUMNS + 1 {
            true => divided(inside.clone(), size),
            false => Vec::new(),
        };
        match parts.len() {
            // An empty column between drawn lines is a column all the same.
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
    // One line may have a wide gap by chance.
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
        // A single letter or digit is narrower than the overlap.
        let slack = slack.min(piece.width() / 2.0);
        let first = found.partition_point(|column| column.x1 - slack <= piece.x0);
        let end = found.partition_point(|column| column.x0 + slack < piece.x1);
        match end.saturating_sub(first) {
            0 => found.insert(first, ColumnCluster::of(piece, *line)),
            // It overlaps one column only.
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
    // Numbers are columns however near they are.
    if gap < MAX_WORD_GAP * size && last.is_text() && next.is_text() && both * 2 < several {
        return true;
    }
    let slack = MAX_OVERLAP * size;
    let (end, start) = (last.x1 - slack, next.x0 + slack);
    let crossing = across.iter().filter(|(piece, _)| piece.x0 < end && piece.x1 > start);
    let first = last.lines.iter().find(|line| next.lines.binary_search(line).is_ok());
    let below = crossing.clone().filter(|(_, line)| first.is_some_and(|first| line > first)).count();
    // What lies across both below their first row cannot be their heading.
    crossing.count() >= both.max(1) || 2 * below >= both.max(1)
}

/// How many numbers two sorted lists have in common.
fn shared(a: &[usize], b: &[usize]) -> usize {
    a.iter().filter(|at| b.binary_search(at).is_ok()).count()
}

/// The first and last column of a piece.
pub(crate) fn place(columns: &[TableColumn], piece: &CellPiece<'_>, size: f32) -> (usize, usize) {
    let slack = (2.0 * MAX_OVERLAP * size).min(piece.width() / 2.0);
    let first = columns.partition_point(|column| column.right - slack <= piece.x0);
    let end = columns.partition_point(|column| column.left + slack < piece.x1);
    if first < end {
        return (first, end - 1);
    }
    // It is in a gap, and belongs to the nearer column.
    let distance = |at: usize| (columns[at].left - piece.middle()).max(piece.middle() - columns[at].right);
    let before = first.saturating_sub(1);
    // Equally far: the right one, as text begins at its edge.
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

    fn piece(text: &str, x0: f32, x1: f32) -> CellPiece<'_> {
        CellPiece { text, x0, x1 }
    }

    fn column(x0: f32, x1: f32) -> TableColumn {
        TableColumn { x0, x1, left: x0, right: x1 }
    }

    #[test]
    fn numbers_have_digits_and_at_most_three_letters() {
        for (text, expected) in
            [("12", true), ("12 kgs", true), ("12 tons", false), ("kg", false), ("-", false)]
        {
            assert_eq!(piece(text, 0.0, 9.0).is_number(), expected, "{text}");
        }
        assert_eq!((piece("a", 4.0, 10.0).width(), piece("a", 4.0, 10.0).middle()), (6.0, 7.0));
    }

    #[test]
    fn a_piece_is_split_at_the_space_nearest_to_a_line() {
        let check = |text: &str, x1: f32, at: f32, expected: Option<(&str, &str)>| {
            let found = split(piece(text, 0.0, x1), at, 16.0);
            let expected = expected.map(|(before, after)| (piece(before, 0.0, at), piece(after, at, x1)));
            assert_eq!(found, expected, "{text} {at}");
        };
        check("ab cd", 50.0, 25.0, Some(("ab", "cd")));
        check("ab cd", 50.0, 41.0, Some(("ab", "cd")));
        check("ab cd", 50.0, 41.5, None);
        check("ab cd", 50.0, 9.0, Some(("ab", "cd")));
        check("ab cd", 50.0, 8.5, None);
        check("abcde", 50.0, 25.0, None);
        check("a b c d", 70.0, 34.0, Some(("a b", "c d")));
        check("a b c d", 70.0, 26.0, Some(("a b", "c d")));
        check("a b c d", 70.0, 24.0, Some(("a", "b c d")));
        check("a b c d", 70.0, 25.0, Some(("a", "b c d")));
        check("a bbbbbbbb", 20.0, 0.2 * 16.0, Some(("a", "bbbbbbbb")));
        check("a bbbbbbbb", 20.0, 3.1, None);
        check("bbbbbbbb a", 20.0, 20.0 - 0.2 * 16.0, Some(("bbbbbbbb", "a")));
        check("bbbbbbbb a", 20.0, 16.9, None);
    }

    #[test]
    fn lines_between_columns_separate_pieces() {
        let line = TextLine {
            text: "ab cd ef".to_owned(),
            x0: 0.0,
            x1: 80.0,
            base: 20.0,
            size: 10.0,
            ..TextLine::default()
        };
        let down = |at: f32, to: f32| crate::layout::input::table_frame::FrameLine { at, from: 0.0, to };
        let frame = |down| TableFrame { down, ..TableFrame::default() };
        let found = |frame: &TableFrame| {
            let pieces = of_lines(&[&line], frame);
            pieces[0].iter().map(|piece| piece.text).collect::<Vec<_>>()
        };
        assert_eq!(found(&frame(vec![down(25.0, 90.0), down(55.0, 90.0)])), ["ab", "cd", "ef"]);
        assert_eq!(found(&frame(vec![down(25.0, 9.0), down(55.0, 90.0)])), ["ab cd", "ef"]);
        assert_eq!(found(&TableFrame::default()), ["ab cd ef"]);
    }

    #[test]
    fn a_piece_is_in_the_columns_that_it_overlaps_or_in_the_nearest() {
        let columns = [column(0.0, 90.0), column(100.0, 190.0)];
        let check = |x0: f32, x1: f32, expected| {
            assert_eq!(place(&columns, &piece("x", x0, x1), 10.0), expected, "{x0} {x1}");
        };
        check(10.0, 50.0, (0, 0));
        check(110.0, 150.0, (1, 1));
        check(86.5, 150.0, (0, 1));
        check(87.0, 150.0, (1, 1));
        check(50.0, 103.0, (0, 0));
        check(50.0, 103.5, (0, 1));
        check(93.0, 95.0, (0, 0));
        check(94.0, 96.0, (1, 1));
        check(95.0, 97.0, (1, 1));
        check(300.0, 310.0, (1, 1));
        check(-30.0, -20.0, (0, 0));
        check(89.0, 91.0, (0, 0));
        check(98.5, 100.5, (1, 1));
    }

    fn cluster(x0: f32, x1: f32, lines: &[usize], numbers: usize) -> ColumnCluster {
        ColumnCluster { x0, x1, lines: lines.to_vec(), numbers }
    }

    #[test]
    fn a_cluster_is_text_if_less_than_half_of_it_are_numbers() {
        assert!(cluster(0.0, 1.0, &[0, 1, 2], 1).is_text());
        assert!(!cluster(0.0, 1.0, &[0, 1], 1).is_text());
        let mut sum = ColumnCluster::of(&piece("12", 5.0, 9.0), 3);
        sum.add(ColumnCluster::of(&piece("7", 2.0, 8.0), 1));
        sum.add(ColumnCluster::of(&piece("a", 4.0, 10.0), 3));
        assert_eq!((sum.x0, sum.x1, sum.lines.as_slice(), sum.numbers), (2.0, 10.0, [1, 3].as_slice(), 2));
        assert_eq!(sum.column(), column(2.0, 10.0));
        assert_eq!(shared(&[1, 2, 3, 5], &[2, 4, 5]), 2);
    }

    #[test]
    fn neighbours_without_a_common_line_are_one_column_if_they_are_near() {
        let check = |gap: f32, numbers: usize, lines: &[usize], several: usize, expected| {
            let last = cluster(-20.0, 0.0, &[0, 1], numbers);
            let next = cluster(gap, gap + 20.0, lines, 0);
            assert_eq!(
                is_one_column(&last, &next, &[], several, 16.0),
                expected,
                "{gap} {numbers} {lines:?}"
            );
        };
        check(47.5, 2, &[2], 4, true);
        check(48.0, 2, &[2], 4, false);
        check(10.0, 2, &[1, 2], 4, false);
        check(10.0, 0, &[1, 2], 3, true);
        check(10.0, 0, &[1, 2], 2, false);
        check(0.9 * 16.0, 0, &[1, 2], 3, false);
        check(14.0, 0, &[1, 2], 3, true);
    }

    #[test]
    fn texts_across_two_columns_make_them_one() {
        let check = |common: &[usize], across: &[(usize, f32, f32)], expected| {
            let (last, next) = (cluster(-60.0, 0.0, common, 9), cluster(50.0, 90.0, common, 9));
            let across: Vec<(CellPiece<'_>, usize)> =
                across.iter().map(|(line, x0, x1)| (piece("x", *x0, *x1), *line)).collect();
            assert_eq!(is_one_column(&last, &next, &across, 9, 16.0), expected, "{common:?} {across:?}");
        };
        let slack = 0.15 * 16.0;
        check(&[3], &[(0, -10.0, 60.0)], true);
        check(&[3, 4], &[(0, -10.0, 60.0)], false);
        check(&[3, 4], &[(5, -10.0, 60.0)], true);
        check(&[3, 4], &[(3, -10.0, 60.0)], false);
        check(&[3, 4, 5], &[(6, -10.0, 60.0)], false);
        check(&[3, 4, 5], &[(6, -10.0, 60.0), (7, -10.0, 60.0)], true);
        check(&[3], &[(0, -slack, 60.0)], false);
        check(&[3], &[(0, -2.5, 60.0)], true);
        check(&[3], &[(0, -10.0, 50.0 + slack)], false);
        check(&[3], &[(0, -10.0, 52.5)], true);
        check(&[3], &[], false);
    }

    #[test]
    fn text_between_two_lines_is_divided_if_most_lines_have_several_texts() {
        let check = |several: usize, single: usize, expected: usize| {
            let mut pieces = Vec::new();
            for line in 0..several + single {
                pieces.push((piece("12345", 0.0, 20.0), line));
                pieces.extend((line < several).then(|| (piece("67890", 100.0, 120.0), line)));
            }
            assert_eq!(divided(pieces, 10.0).len(), expected, "{several} {single}");
        };
        check(3, 2, 2);
        check(2, 2, 0);
        check(2, 1, 2);
        check(1, 0, 0);
        check(2, 0, 2);
    }

    #[test]
    fn columns_lie_between_the_lines_of_a_frame() {
        let check = |edges: &[f32], lines: &[&[(f32, f32)]], expected: &[(f32, f32, f32, f32)]| {
            let lines: Vec<Vec<CellPiece<'_>>> = lines
                .iter()
                .map(|line| line.iter().map(|(x0, x1)| piece("12", *x0, *x1)).collect())
                .collect();
            let frame = TableFrame { edges: edges.to_vec(), ..TableFrame::default() };
            let found: Vec<(f32, f32, f32, f32)> = columns(&lines, &frame, 10.0)
                .iter()
                .map(|column| (column.x0, column.x1, column.left, column.right))
                .collect();
            assert_eq!(found, expected);
        };
        let row: &[(f32, f32)] = &[(10.0, 30.0), (110.0, 130.0)];
        check(&[0.0, 100.0, 200.0], &[row], &[(10.0, 30.0, 0.0, 100.0), (110.0, 130.0, 100.0, 200.0)]);
        check(&[0.0, 100.0, 200.0], &[&row[..1]], &[(10.0, 30.0, 0.0, 100.0), (200.0, 200.0, 100.0, 200.0)]);
        check(
            &[0.0, 50.0, 100.0],
            &[&[(-2.5, 20.0), (60.0, 102.5)]],
            &[(-2.5, 20.0, 0.0, 50.0), (60.0, 102.5, 50.0, 100.0)],
        );
        check(
            &[0.0, 50.0, 100.0],
            &[&[(-3.0, 20.0), (60.0, 103.0)]],
            &[(50.0, 50.0, 0.0, 50.0), (100.0, 100.0, 50.0, 100.0)],
        );
        let two: &[(f32, f32)] = &[(10.0, 20.0), (60.0, 70.0), (110.0, 120.0)];
        let divided = [(10.0, 20.0, 10.0, 20.0), (60.0, 70.0, 60.0, 70.0), (110.0, 120.0, 100.0, 200.0)];
        check(&[0.0, 100.0, 200.0], &[two, two], &divided);
        let five = [0.0, 100.0, 200.0, 300.0, 400.0];
        assert_eq!(
            columns(
                &[
                    vec![piece("1", 10.0, 20.0), piece("2", 60.0, 70.0)],
                    vec![piece("1", 10.0, 20.0), piece("2", 60.0, 70.0)]
                ],
                &TableFrame { edges: five.to_vec(), ..TableFrame::default() },
                10.0
            )
            .len(),
            4
        );
        assert_eq!(
            columns(
                &[
                    vec![piece("1", 10.0, 20.0), piece("2", 60.0, 70.0)],
                    vec![piece("1", 10.0, 20.0), piece("2", 60.0, 70.0)]
                ],
                &TableFrame { edges: five[..4].to_vec(), ..TableFrame::default() },
                10.0
            )
            .len(),
            4
        );
    }

    #[test]
    fn texts_that_overlap_a_little_are_two_columns() {
        let of = |rows: &[&[(f32, f32)]]| {
            let lines: Vec<Vec<CellPiece<'_>>> =
                rows.iter().map(|line| line.iter().map(|(x0, x1)| piece("12", *x0, *x1)).collect()).collect();
            let found = columns(&lines, &TableFrame::default(), 10.0);
            found.iter().map(|column| (column.x0, column.x1)).collect::<Vec<_>>()
        };
        assert_eq!(
            of(&[&[(0.0, 40.0), (50.0, 90.0)], &[(0.0, 51.5), (60.0, 90.0)]]),
            [(0.0, 51.5), (50.0, 90.0)]
        );
        assert_eq!(of(&[&[(0.0, 40.0), (50.0, 90.0)], &[(100.0, 120.0)]]), [(0.0, 40.0), (50.0, 90.0)]);
        assert_eq!(of(&[&[(100.0, 120.0)]]), []);
    }

    #[test]
    fn a_piece_across_columns_is_divided_at_its_narrow_gaps() {
        let check = |parts: &[(usize, f32, f32)], columns: &[(f32, f32)], expected: &[&str]| {
            let line = TextLine {
                text: "ab cd ef".to_owned(),
                size: 10.0,
                parts: parts.to_vec(),
                ..TextLine::default()
            };
            let mut pieces = vec![piece("ab cd", 0.0, 50.0), piece("ef", 100.0, 120.0)];
            let columns: Vec<TableColumn> = columns.iter().map(|(x0, x1)| column(*x0, *x1)).collect();
            divide_across(&line, &mut pieces, &columns);
            assert_eq!(pieces.iter().map(|piece| piece.text).collect::<Vec<_>>(), expected, "{parts:?}");
        };
        let columns = [(0.0, 22.0), (28.0, 50.0), (100.0, 120.0)];
        let parts = [(0, 0.0, 22.0), (3, 28.0, 50.0), (6, 100.0, 120.0)];
        check(&parts, &columns, &["ab", "cd", "ef"]);
        check(&parts[..2], &columns, &["ab cd", "ef"]);
        check(&parts, &[(0.0, 50.0), (100.0, 120.0)], &["ab cd", "ef"]);
        check(&[(0, 0.0, 30.0), (3, 28.0, 50.0), (6, 100.0, 120.0)], &columns, &["ab cd", "ef"]);
        check(&[(0, -0.2, 22.0), (3, 28.0, 50.0), (6, 100.0, 120.0)], &columns, &["ab cd", "ef"]);
        check(&[(0, 0.0, 22.0), (3, 28.0, 50.2), (6, 100.0, 120.0)], &columns, &["ab cd", "ef"]);
    }
}
