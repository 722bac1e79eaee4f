//! The rows of a table: lines between drawn lines, lines that are close to each other, and lines that continue the cells
//! above them.

use super::pieces::TableColumn;
use crate::layout::input::bounds::Bounds;
use crate::layout::input::cjk::is_cjk;
use crate::layout::input::positioned_span::MIDDLE;
use crate::layout::input::table_frame::TableFrame;
use crate::layout::lines::table_numbers::{is_measure, is_number};

/// Maximum distance, in font sizes, of the lines of a table that no lines are drawn around.
pub(crate) const MAX_LEADING: f32 = 3.0;

/// Font sizes by which the starts of the texts of its columns may differ.
pub(super) const MAX_EDGE_SHIFT: f32 = 0.8;

/// Lines nearer than this, in font sizes, are of one row: their texts are at different heights of it.
const SAME_ROW: f32 = 0.85;

/// Lines farther apart than this, in font sizes, are not of one cell.
pub(super) const MAX_CELL_LEADING: f32 = 2.2;

/// The same for the lines of a label, of which only the last has numbers: statements are set closely, 1.0 to 1.4.
const MAX_LABEL_LEADING: f32 = 1.6;

/// How much farther apart rows are than the lines of a cell, if space separates them.
const ROW_SPACE: f32 = 1.2;

/// A text with its columns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlacedPiece {
    pub(crate) text: String,
    pub(crate) x0: f32,
    pub(crate) x1: f32,
    /// Its first column.
    pub(crate) first: usize,
    /// Its last column.
    pub(crate) last: usize,
}

/// A line with its pieces.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlacedLine {
    pub(crate) base: f32,
    pub(crate) size: f32,
    pub(crate) is_bold: bool,
    pub(crate) pieces: Vec<PlacedPiece>,
}

impl PlacedLine {
    /// Adds a text; words of one column are one text.
    pub(crate) fn add(&mut self, piece: PlacedPiece) {
        match self.pieces.last_mut().filter(|last| last.first == piece.first && last.last == piece.last) {
            // A gap inside a cell, as in justified text.
            Some(last) => {
                last.text.push(' ');
                last.text.push_str(&piece.text);
                last.x1 = last.x1.max(piece.x1);
            }
            None => self.pieces.push(piece),
        }
    }

    /// The text that is in this column and in no other.
    pub(super) fn only_in(&self, column: usize) -> Option<&PlacedPiece> {
        self.pieces.iter().find(|piece| piece.first == column && piece.last == column)
    }

    /// The place of one of its texts.
    pub(crate) fn bounds_of(&self, piece: &PlacedPiece) -> Bounds {
        let (top, bottom) = (self.middle() - self.size / 2.0, self.middle() + self.size / 2.0);
        Bounds::of_array([piece.x0, top, piece.x1, bottom])
    }

    pub(crate) fn middle(&self) -> f32 {
        self.base - MIDDLE * self.size
    }

    fn first_column(&self) -> usize {
        self.pieces.iter().map(|piece| piece.first).min().unwrap_or_default()
    }
}

/// The lines of each row.
pub(crate) fn find(lines: &[PlacedLine], columns: &[TableColumn], frame: &TableFrame) -> Vec<Vec<usize>> {
    let mut bands: Vec<Vec<usize>> = Vec::new();
    // The text of a line may be in cells of rows above it.
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.pieces.is_empty()) {
        let is_same = |band: &&mut Vec<usize>| {
            band.last().is_some_and(|above| !frame.separates(lines[*above].middle(), line.middle()))
        };
        match bands.last_mut().filter(is_same) {
            Some(band) => band.push(at),
            None => bands.push(vec![at]),
        }
    }
    let finder = RowFinder { lines, columns };
    // In a full grid a band is a row, unless its texts are in line like those of several rows.
    let is_grid = frame.has_columns();
    let mut rows = Vec::new();
    for band in bands {
        match is_grid && !finder.has_several_rows(&band) {
            true => rows.push(band),
            false => finder.split(&band, &mut rows),
        }
    }
    rows
}

/// The rows with those together that one label fills: its first lines have no numbers beside them.
pub(super) fn with_whole_labels(
    rows: &[Vec<usize>],
    lines: &[PlacedLine],
    columns: &[TableColumn],
) -> Vec<Vec<usize>> {
    let finder = RowFinder { lines, columns };
    let mut joined: Vec<Vec<usize>> = Vec::new();
    for row in rows {
        let goes_on = |above: &&mut Vec<usize>| {
            let ends = row.first().and_then(|at| finder.goes_on_with_label(above, *at));
            // A short line before it would have had room: a title of its own.
            ends.is_some_and(|(above, label)| wraps(&columns[above.first], above, label))
        };
        match joined.last_mut().filter(goes_on) {
            Some(above) => above.extend(row),
            None => joined.push(row.clone()),
        }
    }
    joined
}

/// True if the cell above is full, so that the text below may continue it: its first word would not have fitted.
pub(crate) fn wraps(column: &TableColumn, above: &PlacedPiece, below: &PlacedPiece) -> bool {
    // Numbers below each other fill their column, but none goes on in the next line.
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c == '%');
    if is_digit(above.text.chars().next_back()) && is_digit(below.text.chars().next())
        || is_measure(&above.text) && is_measure(&below.text)
    {
        return false;
    }
    let characters = below.text.chars().count().max(1) as f32;
    // The fonts' widths are not known here; the mean of this text is.
    let each = (below.x1 - below.x0) / characters;
    let word = match below.text.chars().next().is_some_and(is_cjk) {
        true => 1,
        false => below.text.split_whitespace().next().map_or(0, |word| word.chars().count()),
    };
    let room = (column.x1 - column.x0) - (above.x1 - above.x0);
    // The word and most of the space before it.
    room < each * (word as f32 + 0.7)
}

struct RowFinder<'t> {
    lines: &'t [PlacedLine],
    columns: &'t [TableColumn],
}

impl RowFinder<'_> {
    /// True if most lines of a band have texts in the columns of its first line, and do not continue it.
    fn has_several_rows(&self, band: &[usize]) -> bool {
        if band.len() < 2 {
            return false;
        }
        let key = band.iter().map(|at| self.lines[*at].first_column()).min().unwrap_or_default();
        let is_row = |pair: &&[usize]| {
            let line = &self.lines[pair[1]];
            let has_key = line.first_column() == key;
            has_key
                && line.pieces.len() >= 2
                && self.share_of_wraps(pair[0], pair[1]).is_none_or(|share| share < 0.5)
        };
        let rows = band.windows(2).filter(is_row).count();
        // Cells of several lines are possible beside them.
        rows * 10 >= (band.len() - 1) * 7
    }

    fn split(&self, band: &[usize], rows: &mut Vec<Vec<usize>>) {
        // Space shows rows better than their texts do.
        if let Some(spaced) = self.split_at_space(band) {
            rows.extend(spaced);
            return;
        }
        let mut row: Vec<usize> = Vec::new();
        for at in band {
            if row
                .last()
                .is_some_and(|above| !self.continues(&row, *above, *at) && !self.completes(&row, *at))
            {
                rows.push(std::mem::take(&mut row));
            }
            row.push(*at);
        }
        rows.push(row);
    }

    /// Rows by the space between them, if lines of one cell are nearer to each other.
    fn split_at_space(&self, band: &[usize]) -> Option<Vec<Vec<usize>>> {
        let pitch = |pair: &[usize]| {
            let (above, below) = (&self.lines[pair[0]], &self.lines[pair[1]]);
            (below.base - above.base) / below.size.max(above.size)
        };
        let pitches: Vec<f32> = band.windows(2).map(pitch).collect();
        // The distance of lines in a cell, whatever it is here.
        let least = pitches.iter().copied().filter(|pitch| *pitch >= SAME_ROW).fold(f32::INFINITY, f32::min);
        let is_near = |pitch: f32| pitch < (least * ROW_SPACE).min(MAX_CELL_LEADING);
        // If all are alike, space tells nothing.
        if pitches.iter().all(|pitch| is_near(*pitch)) || !pitches.iter().any(|pitch| is_near(*pitch)) {
            return None;
        }
        let mut rows: Vec<Vec<usize>> = vec![vec![*band.first()?]];
        for (pitch, at) in pitches.iter().zip(band.iter().skip(1)) {
            match rows.last_mut().filter(|_| is_near(*pitch)) {
                Some(row) => row.push(*at),
                None => rows.push(vec![*at]),
            }
        }
        let inner = rows.iter().flat_map(|row| row.windows(2));
        let (mut tests, mut wrapping) = (0, 0.0);
        for pair in inner {
            if let Some(share) = self.share_of_wraps(pair[0], pair[1]) {
                tests += 1;
                wrapping += share;
            }
        }
        // Space may also part groups of rows, whose cells are not full.
        (tests == 0 || wrapping >= 0.7 * tests as f32).then_some(rows)
    }

    /// The share of texts of a line that may continue the cell above; `None` if none has text above it.
    fn share_of_wraps(&self, above: usize, below: usize) -> Option<f32> {
        let (above, below) = (&self.lines[above], &self.lines[below]);
        let (mut all, mut wrapping) = (0, 0);
        for piece in below.pieces.iter().filter(|piece| piece.first == piece.last) {
            if let Some(over) = above.only_in(piece.first) {
                all += 1;
                wrapping += usize::from(self.is_continued(over, piece));
            }
        }
        (all > 0).then(|| wrapping as f32 / all as f32)
    }

    fn is_continued(&self, above: &PlacedPiece, below: &PlacedPiece) -> bool {
        // A single word fills a narrow column without being broken.
        let is_wordy = above.text.contains(' ')
            || below.text.starts_with(|c: char| c.is_lowercase() || c == '(' || is_cjk(c))
            || above.text.ends_with('-');
        is_wordy && wraps(&self.columns[below.first], above, below)
    }

    /// True if a line has the end of a label that is all of the row above it, and the numbers beside it: in statements they
    /// stand in the last line of the label.
    fn completes(&self, row: &[usize], at: usize) -> bool {
        self.lines[at].pieces.len() >= 2 && self.goes_on_with_label(row, at).is_some()
    }

    /// The end of a label that is all of a row, and what a line below goes on with it; `None` if it does not.
    fn goes_on_with_label(&self, row: &[usize], at: usize) -> Option<(&PlacedPiece, &PlacedPiece)> {
        let (before, line) = (&self.lines[*row.last()?], &self.lines[at]);
        let key = row.iter().map(|at| self.lines[*at].first_column()).min().unwrap_or_default();
        let is_label = row.iter().all(|at| self.lines[*at].pieces.iter().all(|piece| piece.last == key));
        let (above, label) = before.pieces.last().zip(line.only_in(key))?;
        // These end the title of a part.
        let is_open = !above.text.ends_with([':', '.']);
        let goes_on = label.text.starts_with(char::is_lowercase);
        let distance = (line.base - before.base) / line.size.max(before.size);
        (is_label && is_open && goes_on && distance < MAX_LABEL_LEADING).then_some((above, label))
    }

    /// True if a text stands alone in the column of another one, above a row, with none of that column above it: a title of
    /// some rows, so that others may be titles as well.
    fn has_title(&self, text: &PlacedPiece, row: usize) -> bool {
        let stands_alone = |at: usize| match self.lines[at].pieces.as_slice() {
            [only] => only.first == text.first && only.last == text.last,
            _ => false,
        };
        let begins =
            |at: usize| at.checked_sub(1).is_none_or(|above| self.lines[above].only_in(text.first).is_none());
        (0..row).any(|at| stands_alone(at) && begins(at))
    }

    /// True if a line continues cells of the row above it.
    fn continues(&self, row: &[usize], above: usize, at: usize) -> bool {
        let (before, line) = (&self.lines[above], &self.lines[at]);
        let distance = (line.base - before.base) / line.size.max(before.size);
        // A mark above its line, or a cell in the middle of two lines.
        if distance < SAME_ROW {
            return true;
        }
        if distance > MAX_CELL_LEADING {
            return false;
        }
        let is_in_row = |column: usize| {
            row.iter().any(|at| self.lines[*at].pieces.iter().any(|piece| piece.first == column))
        };
        let filled = (0..self.columns.len()).filter(|column| is_in_row(*column)).count();
        // A line with as many cells as the row is a row.
        if line.pieces.is_empty() || line.pieces.len() >= filled {
            return false;
        }
        let key = row.iter().map(|at| self.lines[*at].first_column()).min().unwrap_or_default();
        // A text alone below a text inside of a row, whose key and numbers are there: a description of several lines.
        if let [only] = line.pieces.as_slice() {
            let texts = || row.iter().flat_map(|at| &self.lines[*at].pieces);
            let is_inside =
                key < only.first && texts().any(|text| text.first > only.last && is_number(&text.text));
            let near = MAX_EDGE_SHIFT * line.size;
            let is_below = before
                .only_in(only.first)
                .is_some_and(|above| !is_number(&above.text) && (above.x0 - only.x0).abs() < near);
            // In another type it is the title of what is below.
            let is_alike = !is_number(&only.text) && line.is_bold == before.is_bold;
            if is_inside && is_below && is_alike && !self.has_title(only, row[0]) {
                return true;
            }
        }
        line.pieces.iter().all(|piece| {
            let above = before.only_in(piece.first).filter(|_| piece.first == piece.last);
            let is_low = || piece.text.starts_with(|c: char| c.is_lowercase() || c == '(');
            above.is_some_and(|above| {
                self.is_continued(above, piece)
                    // In the first column a capital begins another row.
                    && (piece.first != key || is_low() || above.text.ends_with('-'))
            })
        })
    }
}

#[cfg(test)]
mod tests;
