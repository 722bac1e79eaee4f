//! A table in the making: the lines of an area with their columns and rows, and the tests that tell a table from
//! columns of prose, lists and tables of contents.

use super::grid_cells::{GridCells, SpanningText};
use super::layout_table::{LayoutTable, TableRow};
use super::pieces::{self, CellPiece, TableColumn};
use super::rows::{self, PlacedLine, PlacedPiece};
use crate::layout::input::bidi;
use crate::layout::input::bounds::Bounds;
use crate::layout::input::table_frame::TableFrame;
use crate::layout::lines::table_numbers::is_number;
use crate::layout::lines::text_line::TextLine;
use crate::layout::lines::vocabulary::{HyphenAction, Vocabulary};

/// Characters of a cell up to which an unruled column belongs to a table and not to columns of text.
const MAX_CELL_CHARACTERS: usize = 40;

/// The same for a table between lines, or with three columns.
const MAX_LONG_CELL_CHARACTERS: usize = 90;

/// Words of a typical piece from which a column may be running prose.
const MIN_PROSE_WORDS: usize = 3;

/// Row boundaries at which a column is tested for prose.
const MIN_PROSE_BOUNDARIES: usize = 3;

/// Maximum gap, in font sizes, between a bullet and its item: slides have up to 2.
const MAX_BULLET_GAP: f32 = 2.5;

/// The same for lines beside numbers.
const MIN_PROSE_LINES: usize = 2;

/// Dots in a row that lead to the number of a page.
// Three are an ellipsis.
const LEADER_DOTS: usize = 4;

/// Lines of a possible table.
pub(crate) struct TableDraft<'l> {
    lines: &'l [&'l TextLine],
    columns: Vec<TableColumn>,
    placed: Vec<PlacedLine>,
    rows: Vec<Vec<usize>>,
    /// The cells of its grid, if it has one.
    grid: Option<GridCells>,
    /// The texts of cells of several rows.
    spanning: Vec<SpanningText>,
    /// True for a form, whose cells are no columns.
    is_form: bool,
    size: f32,
}

/// What is known about an area before its text is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TableEvidence {
    /// Its text alone, with the fewest rows of a table.
    Text(usize),
    /// Lines that are drawn around it.
    Frame,
}

impl<'l> TableDraft<'l> {
    /// The columns and rows of some lines, from top to bottom.
    pub(crate) fn of(lines: &'l [&'l TextLine], frame: &TableFrame) -> TableDraft<'l> {
        let mut sizes: Vec<f32> = lines.iter().map(|line| line.size).collect();
        sizes.sort_by(f32::total_cmp);
        // The median: titles above it are large, notes below it small.
        let size = sizes.get(sizes.len() / 2).copied().unwrap_or(10.0);
        let implied;
        let frame = match frame.down.is_empty() {
            true => {
                implied = TableFrame { down: pieces::implied_edges(lines, size), ..frame.clone() };
                &implied
            }
            false => frame,
        };
        let mut pieces = pieces::of_lines(lines, frame);
        let columns = pieces::columns(&pieces, frame, size);
        if columns.is_empty() {
            let (placed, rows, spanning) = (Vec::new(), Vec::new(), Vec::new());
            return TableDraft { lines, columns, placed, rows, grid: None, spanning, is_form: false, size };
        }
        for (line, pieces) in lines.iter().zip(&mut pieces) {
            pieces::divide_across(line, pieces, &columns);
        }
        let mut placed: Vec<PlacedLine> =
            (0..lines.len()).map(|at| place_line(lines, at, &pieces[at], &columns, frame)).collect();
        let grid = frame.has_columns().then(|| GridCells::of(frame));
        let is_form = grid.as_ref().is_some_and(|grid| grid.is_form(&placed));
        let spanning = grid.as_ref().map(|grid| grid.join_texts(&mut placed, &columns)).unwrap_or_default();
        let rows = rows::find(&placed, &columns, frame);
        TableDraft { lines, columns, placed, rows, grid, spanning, is_form, size }
    }

    /// True if its lines are a table.
    pub(crate) fn is_table(&self, evidence: TableEvidence) -> bool {
        let is_framed = evidence == TableEvidence::Frame;
        let (least, share) = match evidence {
            // Where nothing is drawn, alignment is the only evidence, so more of it is asked for.
            TableEvidence::Text(rows) => (rows, 6),
            TableEvidence::Frame => (2, 4),
        };
        let full: Vec<&Vec<usize>> = self.rows.iter().filter(|row| self.filled(row) >= 2).collect();
        // The rest are titles of parts, and cells that go on.
        if self.columns.len() < 2 || full.len() < least || full.len() * 10 < self.rows.len() * share {
            return false;
        }
        let in_column = |column: usize| full.iter().filter(|row| self.has(row, column)).count();
        // A column in which few rows have text may be by chance; two are needed that are not.
        let strong = (0..self.columns.len()).filter(|at| in_column(*at) * 10 >= full.len() * share).count();
        let several = self.placed.iter().filter(|line| line.pieces.len() >= 2);
        let crossing =
            several.clone().filter(|line| line.pieces.iter().any(|piece| piece.first < piece.last));
        strong >= 2
            // Headings of several columns cross them; most rows that do so are prose.
            && crossing.count() * 3 <= several.count()
            && self.has_short_cells(is_framed)
            && !self.is_prose()
            && !self.is_list(is_framed)
            && (is_framed || !self.is_flush())
    }

    /// True if its lines, which have columns of numbers, are a table: its labels are no prose, and its numbers are not those
    /// of pages, equations or lines.
    pub(super) fn is_table_of_numbers(&self) -> bool {
        let labels: Vec<&str> = self.pieces_in(0).collect();
        self.columns.len() >= 2
            && !self.is_prose_beside_numbers()
            && !self.is_directory()
            && !self.is_contents(&labels)
            && !self.is_numbered_list()
    }

    /// True if the text of a column runs on from line to line in lower case, as prose beside a table does. Labels of about one
    /// length are full as well, but begin anew; at most half of them are the second line of one.
    fn is_prose_beside_numbers(&self) -> bool {
        (0..self.columns.len()).any(|column| {
            let (mut all, mut running, mut low) = (0, 0, 0);
            for pair in self.placed.windows(2) {
                if let Some((above, below)) = pair[0].only_in(column).zip(pair[1].only_in(column)) {
                    all += 1;
                    running += usize::from(rows::wraps(&self.columns[column], above, below));
                    low += usize::from(below.text.starts_with(char::is_lowercase));
                }
            }
            self.typical_words(column) >= MIN_PROSE_WORDS
                && all >= MIN_PROSE_LINES
                && running * 10 >= all * 6
                && low * 2 > all
        })
    }

    /// True for a table of contents: dots lead to one number in each line, which never falls.
    fn is_directory(&self) -> bool {
        let leaders = self.lines.iter().filter(|line| has_leader(&line.text)).count();
        let last = |line: &PlacedLine| line.pieces.last().and_then(|piece| number(&piece.text));
        let pages: Vec<u32> = self.placed.iter().filter_map(last).collect();
        leaders * 4 >= self.lines.len()
            && leaders >= 1
            // Titles of several lines have their number in the last.
            && pages.len() * 4 >= self.lines.len() * 3
            && pages.is_sorted()
    }

    /// True if the numbers of the last column count in brackets, as those of equations do.
    fn is_numbered_list(&self) -> bool {
        let labels: Vec<&str> = self.pieces_in(self.columns.len() - 1).collect();
        let marked = labels.iter().filter(|text| text.starts_with(['(', '[']) && is_label(text)).count();
        // In a statement losses have brackets, but not all of its numbers.
        self.columns.len() == 2 && marked == labels.len()
    }

    /// True if nearly every row starts with a short text in the first column, some rows have several lines, and the
    /// text of other columns does not run on from row to row.
    pub(super) fn has_keys(&self) -> bool {
        let keyed = self.rows.iter().filter(|row| self.has(row, 0)).count();
        let long = self.rows.iter().filter(|row| row.len() >= 2).count();
        if self.columns.len() < 2 || long == 0 || keyed * 10 < self.rows.len() * 9 {
            return false;
        }
        let width = |at: usize| self.columns[at].x1 - self.columns[at].x0;
        // A key is a name or a date; what is said of it takes more room.
        let is_narrow = (1..self.columns.len()).any(|at| width(at) > width(0));
        let (all, running) = (1..self.columns.len()).fold((0, 0), |sum, column| {
            let (all, running) = self.boundaries(column);
            (sum.0 + all, sum.1 + running)
        });
        is_narrow && self.typical_words(0) < MIN_PROSE_WORDS && all >= 2 && running * 2 <= all
    }

    /// True if most texts of its first column are numbers.
    pub(crate) fn starts_with_numbers(&self) -> bool {
        let all = self.pieces_in(0).count();
        2 * self.pieces_in(0).filter(|text| is_number(text)).count() > all
    }

    /// How many of its cells have numbers.
    pub(crate) fn cells_with_numbers(&self) -> usize {
        let has_number = |row: &[usize], column: usize| {
            let pieces = row.iter().flat_map(|at| &self.placed[*at].pieces);
            pieces.filter(|piece| piece.first == column).any(|piece| is_number(&piece.text))
        };
        let spanning =
            self.spanning.iter().filter(|text| text.pieces.iter().any(|(_, piece)| is_number(&piece.text)));
        let in_row =
            |row: &Vec<usize>| (0..self.columns.len()).filter(|column| has_number(row, *column)).count();
        self.rows.iter().map(in_row).sum::<usize>() + spanning.count()
    }

    /// Its columns.
    pub(crate) fn shape(&self) -> &[TableColumn] {
        &self.columns
    }

    /// The table.
    pub(crate) fn table(&self) -> LayoutTable {
        let vocabulary = Vocabulary::default();
        // Kept for the notes below it, which are told by their smaller type.
        let mut table = LayoutTable { size: self.size, ..LayoutTable::default() };
        let rows = rows::with_whole_labels(&self.rows, &self.placed, &self.columns);
        for row in &rows {
            let mut cells = vec![String::new(); self.columns.len()];
            let mut bounds = Bounds::EMPTY;
            for at in row {
                bounds.add(self.lines[*at].bounds);
                for piece in &self.placed[*at].pieces {
                    append(&mut cells[piece.first], &piece.text, &vocabulary);
                }
            }
            table.rows.push(TableRow { cells, bounds });
        }
        self.add_spanning(&rows, &mut table);
        match self.is_form {
            // The fields of a form stand in other columns in each row.
            true => table.close_up(),
            false => table.drop_empty_columns(),
        }
        // Cells were placed by their position, so the first in reading is the last.
        if self.runs_left() {
            table.rows.iter_mut().for_each(|row| row.cells.reverse());
        }
        table
    }

    /// Adds the texts of cells of several rows, each in the first of them.
    fn add_spanning(&self, rows: &[Vec<usize>], table: &mut LayoutTable) {
        let Some(grid) = &self.grid else { return };
        let vocabulary = Vocabulary::default();
        let mut rows: Vec<Option<usize>> =
            rows.iter().map(|row| grid.row_at(self.placed[row[0]].middle())).collect();
        for text in &self.spanning {
            // A cell in the middle of several rows has its text where no other may have any.
            let at = rows.partition_point(|row| row.is_some_and(|row| row < text.row));
            if rows.get(at).is_none_or(|row| *row != Some(text.row)) {
                let cells = vec![String::new(); self.columns.len()];
                table.rows.insert(at, TableRow { cells, bounds: Bounds::EMPTY });
                rows.insert(at, Some(text.row));
            }
            let row = &mut table.rows[at];
            for (line, piece) in &text.pieces {
                append(&mut row.cells[text.column], &piece.text, &vocabulary);
                row.bounds.add(self.placed[*line].bounds_of(piece));
            }
        }
    }

    /// True if most of its letters run from right to left: its first column is on the right.
    fn runs_left(&self) -> bool {
        let letters = || self.lines.iter().flat_map(|line| line.text.chars()).filter(|c| c.is_alphabetic());
        // Names in Latin letters are common in Hebrew and Arabic tables.
        2 * letters().filter(|c| bidi::is_right_to_left(*c)).count() > letters().count()
    }

    fn has(&self, row: &[usize], column: usize) -> bool {
        row.iter().any(|at| self.placed[*at].pieces.iter().any(|piece| piece.first == column))
    }

    fn filled(&self, row: &[usize]) -> usize {
        (0..self.columns.len()).filter(|column| self.has(row, *column)).count()
    }

    fn has_short_cells(&self, is_framed: bool) -> bool {
        let several = self.placed.iter().filter(|line| line.pieces.len() >= 2);
        let mut lengths: Vec<usize> =
            several.flat_map(|line| &line.pieces).map(|piece| piece.text.chars().count()).collect();
        lengths.sort_unstable();
        let limit = match is_framed || self.columns.len() >= 3 {
            true => MAX_LONG_CELL_CHARACTERS,
            false => MAX_CELL_CHARACTERS,
        };
        // A quarter may be longer: remarks in the last column.
        lengths.get(lengths.len() * 3 / 4).is_some_and(|length| *length <= limit)
    }

    /// True if the text of a column runs on from row to row, as lines of prose do.
    fn is_prose(&self) -> bool {
        (0..self.columns.len()).any(|column| {
            let (all, running) = self.boundaries(column);
            self.typical_words(column) >= MIN_PROSE_WORDS
                && all >= MIN_PROSE_BOUNDARIES
                && running * 10 >= all * 6
        })
    }

    /// How many words most texts of a column have at least.
    fn typical_words(&self, column: usize) -> usize {
        let mut words: Vec<usize> = self.pieces_in(column).map(|text| text.split(' ').count()).collect();
        words.sort_unstable();
        words.get(words.len() / 2).copied().unwrap_or_default()
    }

    /// The row boundaries of a column with text above and below, and those at which the text may run on.
    fn boundaries(&self, column: usize) -> (usize, usize) {
        let starts = self.rows.iter().skip(1).filter_map(|row| row.first().copied());
        let pairs = starts.filter_map(|at| {
            let above = self.placed[at - 1].only_in(column)?;
            Some((above, self.placed[at].only_in(column)?))
        });
        pairs.fold((0, 0), |(all, running), (above, below)| {
            (all + 1, running + usize::from(rows::wraps(&self.columns[column], above, below)))
        })
    }

    fn pieces_in(&self, column: usize) -> impl Iterator<Item = &str> {
        let all = self.placed.iter().flat_map(|line| &line.pieces);
        all.filter(move |piece| piece.first == column && piece.last == column)
            .map(|piece| piece.text.as_str())
    }

    /// True for entries of a table of contents, and for labels or numbers of lines before their text.
    fn is_list(&self, is_framed: bool) -> bool {
        let leaders = self.lines.iter().filter(|line| has_leader(&line.text)).count();
        // Titles of chapters have none, and neither have the first lines of long titles.
        if leaders * 4 >= self.lines.len() && leaders >= 2 {
            return true;
        }
        // Lines of programs.
        // Comments behind statements stand below each other like a column.
        let code = self.lines.iter().filter(|line| line.text.ends_with([';', '{', '}'])).count();
        if !is_framed && code * 3 >= self.lines.len() {
            return true;
        }
        // Whoever draws lines around a list means a table.
        if !is_framed && (self.has_bullets() || self.is_numbered_list()) {
            return true;
        }
        let labels: Vec<&str> = self.pieces_in(0).collect();
        if self.is_contents(&labels) {
            return true;
        }
        // A list has its labels and its items.
        if self.columns.len() != 2 {
            return false;
        }
        let marked = labels.iter().filter(|text| is_label(text)).count();
        if !is_framed && !labels.is_empty() && marked * 10 >= labels.len() * 8 {
            return true;
        }
        let numbers: Vec<u32> = labels.iter().filter_map(|text| number(text)).collect();
        let counting = numbers.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count();
        // A header above the numbers, or numbers beside them, make a table.
        let has_header = labels.first().is_some_and(|text| number(text).is_none());
        let beside = self.pieces_in(1).filter(|text| !text.contains(char::is_alphabetic)).count();
        !has_header
            && beside * 2 < labels.len()
            && counting >= 1
            && numbers.len() * 10 >= labels.len() * 7
            // One or two numbers may be missing, or be read wrongly.
            && (counting + 1) * 10 >= numbers.len() * 7
    }

    /// True if a column has nothing but bullets, each with its item directly after it: lists side by side. Marks in the
    /// columns of a comparison stand alone.
    fn has_bullets(&self) -> bool {
        (0..self.columns.len()).any(|column| {
            let bullet = |piece: &PlacedPiece| {
                let mut chars = piece.text.chars();
                let mark =
                    chars.next().filter(|c| matches!(c, '•' | '◦' | '▪' | '‣' | '●' | '○' | '■' | '►' | '➢'));
                mark.map(|_| chars.next())
            };
            let has_item = |line: &&PlacedLine| {
                let at = line.pieces.iter().position(|piece| piece.first == column);
                at.is_some_and(|at| match bullet(&line.pieces[at]) {
                    Some(Some(after)) => after.is_whitespace(),
                    Some(None) => line
                        .pieces
                        .get(at + 1)
                        .is_some_and(|item| item.x0 - line.pieces[at].x1 < MAX_BULLET_GAP * line.size),
                    None => false,
                })
            };
            let all = self.pieces_in(column).count();
            all >= 2 && self.placed.iter().filter(has_item).count() * 10 >= all * 8
        })
    }

    /// True for numbered titles with the numbers of their pages, which only rise.
    fn is_contents(&self, labels: &[&str]) -> bool {
        let last = self.columns.len() - 1;
        let pages: Vec<Option<u32>> = self.pieces_in(last).map(number).collect();
        let is_numbered = |text: &&str| text.chars().all(|c| c.is_ascii_digit() || c == '.');
        self.columns.len() == 3
            && labels.len() == pages.len()
            && labels.iter().all(is_numbered)
            && pages.iter().all(Option::is_some)
            && pages.is_sorted()
    }

    /// True for loose lines of prose: most words are in lower case, and the lines reach both edges.
    fn is_flush(&self) -> bool {
        let lines = || self.lines.iter();
        let left = lines().map(|line| line.x0).fold(f32::INFINITY, f32::min);
        let right = lines().map(|line| line.x1).fold(f32::NEG_INFINITY, f32::max);
        let near = |line: &TextLine| 0.3 * line.size;
        let is_full = |line: &&&TextLine| line.x0 - left < near(line) && right - line.x1 < near(line);
        let words = || lines().flat_map(|line| line.text.split_whitespace());
        let low = words().filter(|word| word.starts_with(char::is_lowercase)).count();
        let digits = words().filter(|word| word.contains(|c: char| c.is_ascii_digit())).count();
        lines().filter(is_full).count() * 10 >= self.lines.len() * 8
            && low * 5 >= words().count() * 2
            // Rows with numbers in every line are full as well.
            && digits * 8 <= words().count()
    }
}

/// A number with the mark after it.
fn number(text: &str) -> Option<u32> {
    text.trim_end_matches([':', '.']).parse().ok()
}

fn place_line<'l>(
    lines: &[&'l TextLine],
    at: usize,
    pieces: &[CellPiece<'l>],
    columns: &[TableColumn],
    frame: &TableFrame,
) -> PlacedLine {
    let line = lines[at];
    let next = lines.get(at + 1).map_or(f32::INFINITY, |next| next.middle());
    let place = |piece: &CellPiece<'l>| {
        // By its own place a centred heading covers only the middle of its columns.
        let (mut first, mut last) = pieces::place(columns, piece, line.size);
        // The line below the heading of several columns shows which.
        if let Some(rule) = frame.underline(piece.middle(), line.base, next) {
            let under = |column: &TableColumn| {
                let middle = (column.x0 + column.x1) / 2.0;
                rule.from <= middle && middle <= rule.to
            };
            let count = columns.iter().filter(|column| under(column)).count();
            if let Some(start) =
                // A line below all columns is the rule of the whole head.
                columns.iter().position(under).filter(|_| count < columns.len() && count >= 2)
                && columns[start].x0 < piece.x0 + line.size
                && (first >= start && last < start + count)
                // Over a line that several texts share, none is the heading of all.
                && pieces.iter().filter(|other| rule.passes(other.middle())).count() == 1
                // Beside a cell of several rows the lines below the others end early as well.
                && !frame.divides(columns[start].x1, columns[start + count - 1].x0, line.middle())
            {
                (first, last) = (start, start + count - 1);
            }
        }
        // Dots lead the eye, and say nothing in a cell.
        PlacedPiece { text: without_leader(piece.text).to_owned(), x0: piece.x0, x1: piece.x1, first, last }
    };
    let mut placed =
        PlacedLine { base: line.base, size: line.size, is_bold: line.is_bold, pieces: Vec::new() };
    pieces.iter().map(place).for_each(|piece| placed.add(piece));
    placed
}

/// Continues the text of a cell with its next line.
fn append(cell: &mut String, text: &str, vocabulary: &Vocabulary) {
    match vocabulary.hyphen(cell, text) {
        Some(HyphenAction::Drop) => drop(cell.pop()),
        Some(HyphenAction::Keep) => {}
        // The space that the line end stood for.
        None if !cell.is_empty() => cell.push(' '),
        None => {}
    }
    cell.push_str(text);
}

/// A text without the dots that lead from it to the next cell.
fn without_leader(text: &str) -> &str {
    let is_dot = |c: char| matches!(c, '.' | '·' | '…' | ' ');
    let core = text.trim_end_matches(is_dot);
    if text[core.len()..].chars().filter(|c| *c != ' ').count() >= LEADER_DOTS { core } else { text }
}

/// True for a row of dots.
fn has_leader(text: &str) -> bool {
    let mut dots = 0;
    text.chars().filter(|c| !c.is_whitespace()).any(|c| {
        dots = if matches!(c, '.' | '·' | '…') { dots + 1 } else { 0 };
        dots >= LEADER_DOTS
    })
}

/// True for the label of a list item, a reference or an equation: `•`, `1.`, `(a)`, `[12]`.
fn is_label(text: &str) -> bool {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return false };
    let count = text.chars().count();
    // A bullet; one letter or digit may well be a cell.
    if count == 1 {
        return !first.is_alphanumeric();
    }
    let is_closed = text.ends_with(['.', ')', ']', ':']);
    let core = text.trim_matches(['(', ')', '[', ']', '.', ':']);
    is_closed
        // `(viii)` has six.
        && count <= 6
        && core.chars().all(char::is_alphanumeric)
        && (core.chars().all(|c| c.is_ascii_digit()) || core.chars().count() <= 4)
}

#[cfg(test)]
mod tests;
