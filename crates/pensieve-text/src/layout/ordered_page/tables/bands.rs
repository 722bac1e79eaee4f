//! The lines of a region that are rows of a table without lines around it. Baselines make rows, and gaps that persist from
//! row to row make columns.
//!
//! A table of numbers, as a statement, is known by its columns of numbers to the right of a column of labels: the labels
//! may be long, indented and wrapped, titles of its parts stand between the rows, heads stand above the numbers. Any other table
//! is consecutive lines with aligned texts.

use super::draft::{TableDraft, TableEvidence};
use super::layout_table::LayoutTable;
use super::rows::{MAX_CELL_LEADING, MAX_EDGE_SHIFT, MAX_LEADING};
use crate::layout::input::positioned_span::PositionedSpan;
use crate::layout::input::table_frame::TableFrame;
use crate::layout::lines::leaders;
use crate::layout::lines::table_numbers::is_number;
use crate::layout::lines::text_line::{self, SpanRow, TextLine};
use std::ops::Range;

/// Maximum lines of a table. A page of the smallest print has about 150.
const MAX_LINES: usize = 300;

/// Lines at the start of aligned ones that are tried as belonging to what is above.
const MAX_LINES_ABOVE: usize = 3;

/// Consecutive lines without numbers between two rows with numbers: a label of five lines, or the title of a part with two
/// levels below it. Paragraphs between two tables are longer, or wider than the labels.
const MAX_LINES_BETWEEN: usize = 5;

/// Maximum distance, in font sizes, of two rows with several numbers each: with a blank line between rows it is up to 3.6.
const MAX_ROW_DISTANCE: f32 = 4.2;

/// Maximum lines of the head above the first numbers.
const MAX_HEAD_LINES: usize = 8;

/// How far outside the numbers, in font sizes, their heads may begin and end: heads are centred above narrow numbers.
const MAX_HEAD_SHIFT: f32 = 4.0;

/// How far, in font sizes, a text may be from a column of numbers and yet be in it: numbers of different lengths, signs
/// and notes beside them.
const MAX_COLUMN_SHIFT: f32 = 1.0;

/// The part of lines that are no table after which the rest is tried anew.
const MAX_PARTS_TRIED: usize = 4;

/// Maximum rows of spans of a region that is searched before it is cut.
const MAX_ROWS: usize = 400;

/// Minimum rows of a table whose cells have several lines, with its header.
const MIN_KEYED_ROWS: usize = 3;

/// Minimum lines that continue a row of such a table.
const MIN_CONTINUED_LINES: usize = 2;

/// Minimum width of the first column of such a table in font sizes.
const MIN_KEY_WIDTH: f32 = 2.0;

/// A table among lines.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundTable {
    /// Its first line.
    pub(crate) first: usize,
    /// The number of its lines.
    pub(crate) count: usize,
    pub(crate) table: LayoutTable,
}

/// The tables among these lines, from top to bottom.
pub(crate) fn find(lines: &[TextLine], min_rows: usize) -> Vec<FoundTable> {
    let all: Vec<&TextLine> = lines.iter().collect();
    let numeric = NumberBands::of(&all, min_rows).find();
    let mut numeric = numeric.into_iter().peekable();
    let mut found: Vec<FoundTable> = Vec::new();
    let mut at = 0;
    while at < all.len() {
        while numeric.next_if(|band| band.start < at).is_some() {}
        let band = numeric.peek().cloned().unwrap_or(all.len()..all.len());
        let run = run_at(&all[at..]);
        // Aligned lines may have a table of numbers among them; if it goes on below them, it is a table of its own.
        let end = if at + run >= band.end { at + run } else { (at + run).min(band.start) };
        let table = if end >= at + min_rows { aligned(&all, at, end, min_rows) } else { None };
        if let Some(table) = table {
            at = table.first + table.count;
            found.push(table);
        } else if at + run.max(1) > band.start {
            let table = TableDraft::of(&all[band.clone()], &TableFrame::default()).table();
            found.push(FoundTable { first: band.start, count: band.len(), table });
            at = band.end;
        } else {
            at += run.max(1);
        }
    }
    found
}

/// The table that some aligned lines are; the first ones may belong to what is above.
fn aligned(all: &[&TextLine], start: usize, end: usize, min_rows: usize) -> Option<FoundTable> {
    (start..=(start + MAX_LINES_ABOVE).min(end - min_rows)).find_map(|first| {
        let part = &all[first..end];
        let draft = TableDraft::of(part, &TableFrame::default());
        let evidence = TableEvidence::Text(min_rows);
        draft.is_table(evidence).then(|| FoundTable { first, count: part.len(), table: draft.table() })
    })
}

/// A part of a region.
pub(crate) enum TableBand<'p> {
    /// A table, which stays whole.
    Table(Vec<PositionedSpan<'p>>),
    /// Anything else.
    Other(Vec<PositionedSpan<'p>>),
}

/// Divides a region at its tables. `None` if it has no table.
pub(crate) fn divide<'p>(spans: &[PositionedSpan<'p>]) -> Option<Vec<TableBand<'p>>> {
    if spans.len() < 4 {
        return None;
    }
    let rows = text_line::rows(spans);
    if rows.len() > MAX_ROWS {
        return None;
    }
    let bands = bands_of_rows(&rows);
    if bands.is_empty() {
        return None;
    }
    let collect =
        |rows: &[SpanRow<'p>]| rows.iter().flat_map(|row| row.spans().iter().copied()).collect::<Vec<_>>();
    let mut parts = Vec::new();
    let mut at = 0;
    for band in bands {
        parts.push(TableBand::Other(collect(&rows[at..band.start])));
        parts.push(TableBand::Table(collect(&rows[band.clone()])));
        at = band.end;
    }
    parts.push(TableBand::Other(collect(&rows[at..])));
    parts.retain(|part| !matches!(part, TableBand::Other(spans) if spans.is_empty()));
    Some(parts)
}

/// The tables of numbers and of keys among the rows of a region.
fn bands_of_rows(rows: &[SpanRow<'_>]) -> Vec<Range<usize>> {
    let is_stand_in = |row: &SpanRow<'_>| row.spans().iter().any(|span| span.stands_for.is_some());
    let all: Vec<TextLine> = text_line::of_rows(rows.to_vec());
    let mut found = Vec::new();
    let mut start = 0;
    // A box or a table with lines is no row.
    while start < rows.len() {
        let end = (start..rows.len()).find(|at| is_stand_in(&rows[*at])).unwrap_or(rows.len());
        let part: Vec<&TextLine> = all[start..end].iter().collect();
        let finder = NumberBands::of(&part, MIN_KEYED_ROWS);
        let bands = finder.find().into_iter().filter(|band| finder.is_one_table(band));
        found.extend(bands.map(|band| start + band.start..start + band.end));
        start = end + 1;
    }
    let mut at = 0;
    let mut keyed_tables = Vec::new();
    for band in found.iter().cloned().chain(std::iter::once(rows.len()..rows.len())) {
        keyed(&rows[at..band.start], at, &mut keyed_tables);
        at = band.end;
    }
    found.extend(keyed_tables);
    found.sort_by_key(|band| band.start);
    found
}

/// A text of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BandPiece {
    x0: f32,
    x1: f32,
    is_number: bool,
}

/// Finds tables of numbers.
struct NumberBands<'l> {
    lines: &'l [&'l TextLine],
    pieces: Vec<Vec<BandPiece>>,
    min_rows: usize,
}

/// What a line is for the table of numbers above it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum BandLine {
    /// It has numbers in the columns.
    Row,
    /// It may be the title of a part, a label of several lines, or a head.
    Between,
    /// It is no part of the table.
    Other,
}

/// The columns of numbers so far.
#[derive(Debug, Clone, PartialEq)]
struct NumberColumns {
    /// Where the numbers of each are, from left to right.
    columns: Vec<(f32, f32)>,
    /// Where the labels start.
    left: f32,
}

impl NumberColumns {
    fn start(&self) -> f32 {
        self.columns.first().map_or(f32::INFINITY, |column| column.0)
    }

    fn end(&self) -> f32 {
        self.columns.last().map_or(f32::NEG_INFINITY, |column| column.1)
    }

    fn has(&self, piece: &BandPiece, slack: f32) -> bool {
        self.columns.iter().any(|column| piece.x0 < column.1 + slack && piece.x1 > column.0 - slack)
    }

    /// True if a text may be the head of some of the columns.
    fn is_below(&self, head: &BandPiece, size: f32) -> bool {
        let shift = MAX_HEAD_SHIFT * size;
        self.has(head, MAX_COLUMN_SHIFT * size)
            && head.x0 > self.start() - shift
            && head.x1 < self.end() + shift
    }

    fn add(&mut self, piece: &BandPiece) {
        let (mut x0, mut x1) = (piece.x0, piece.x1);
        self.columns.retain(|column| {
            let is_apart = column.1 <= x0 || column.0 >= x1;
            if !is_apart {
                (x0, x1) = (x0.min(column.0), x1.max(column.1));
            }
            is_apart
        });
        let at = self.columns.partition_point(|column| column.0 < x0);
        self.columns.insert(at, (x0, x1));
    }
}

impl<'l> NumberBands<'l> {
    fn of(lines: &'l [&'l TextLine], min_rows: usize) -> NumberBands<'l> {
        let pieces_of = |line: &&TextLine| {
            // Entries beside each other are in the columns of a table of contents.
            if leaders::count(&line.text) >= 2 {
                return Vec::new();
            }
            let all = match is_row(line) {
                true => line.pieces(),
                // The words of a loose line are no cells.
                false => vec![(line.text.trim(), line.x0, line.x1)],
            };
            let all = all.into_iter().filter(|(text, ..)| !text.is_empty());
            all.map(|(text, x0, x1)| BandPiece { x0, x1, is_number: is_number(text) }).collect()
        };
        NumberBands { lines, pieces: lines.iter().map(pieces_of).collect(), min_rows }
    }

    /// The lines of each table, from top to bottom.
    fn find(&self) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while at < self.lines.len() {
            // A table of numbers begins with numbers; its head is found from them.
            if self.numbers(at).is_empty() {
                at += 1;
                continue;
            }
            let above = found.last().map_or(0, |band| band.end);
            let (rows, end, columns) = self.grow(at);
            // A line is of one table only: the head cannot reach into the table above.
            let first = self.head(above, at, &columns);
            let end = self.tail(end, &columns);
            if !self.has_enough_rows(first..end, rows, &columns) {
                at += 1;
            } else if TableDraft::of(&self.lines[first..end], &TableFrame::default()).is_table_of_numbers() {
                found.push(first..end);
                at = end;
            } else {
                // The rest may be a table, but not every rest of a long page is tried.
                at += ((end - at) / MAX_PARTS_TRIED).max(1);
            }
        }
        found
    }

    /// The numbers of a line behind its label; all, if it has only numbers.
    fn numbers(&self, at: usize) -> &[BandPiece] {
        let pieces = &self.pieces[at];
        let label = pieces.iter().position(|piece| !piece.is_number);
        match label {
            Some(label) => {
                let after = &pieces[label + 1..];
                let first = after.iter().position(|piece| piece.is_number).unwrap_or(after.len());
                &after[first..]
            }
            // One number alone may be that of a page, a note or an equation.
            None if pieces.len() >= 2 => pieces,
            None => &[],
        }
    }

    fn is_near(&self, above: usize, below: usize, limit: f32) -> bool {
        let (above, below) = (self.lines[above], self.lines[below]);
        // Files may say that text has no size.
        let distance = (below.base - above.base) / above.size.max(below.size).max(1.0);
        (0.0..limit).contains(&distance) && above.rotation == below.rotation
    }

    /// The rows from a line on: how many have numbers, where they end, and their columns.
    fn grow(&self, first: usize) -> (usize, usize, NumberColumns) {
        let mut columns = NumberColumns { columns: Vec::new(), left: self.lines[first].x0 };
        self.add(first, &mut columns);
        let (mut rows, mut end) = (1, first + 1);
        for at in first + 1..self.lines.len().min(first + MAX_LINES) {
            let line = self.line(at, end == at, &columns);
            // Groups of rows have space between them; one number far below may be of something else.
            let is_sure = line == BandLine::Row && self.numbers(at).len() >= 2;
            if !self.is_near(at - 1, at, if is_sure { MAX_ROW_DISTANCE } else { MAX_LEADING }) {
                break;
            }
            match line {
                BandLine::Row => {
                    self.add(at, &mut columns);
                    (rows, end) = (rows + 1, at + 1);
                }
                BandLine::Between if at + 1 - end <= MAX_LINES_BETWEEN => {}
                BandLine::Between | BandLine::Other => break,
            }
        }
        (rows, end, columns)
    }

    fn add(&self, at: usize, columns: &mut NumberColumns) {
        self.numbers(at).iter().filter(|piece| piece.is_number).for_each(|piece| columns.add(piece));
        // Labels of parts are indented, so the first row is not always the leftmost.
        columns.left = columns.left.min(self.lines[at].x0);
    }

    fn line(&self, at: usize, follows_row: bool, columns: &NumberColumns) -> BandLine {
        let (line, pieces) = (self.lines[at], &self.pieces[at]);
        let slack = MAX_COLUMN_SHIFT * line.size;
        let is_in = |piece: &BandPiece| columns.has(piece, slack);
        let is_beside =
            |piece: &BandPiece| piece.x0 > columns.start() - slack && piece.x1 < columns.end() + slack;
        let numbers = self.numbers(at);
        if numbers.iter().any(|piece| piece.is_number) {
            let fitting = numbers.iter().filter(|piece| is_in(piece) || is_beside(piece)).count();
            // A line of prose with a number in it covers columns; the label of a row ends before them.
            let covers = |piece: &BandPiece, column: &(f32, f32)| piece.x0 < column.0 && piece.x1 > column.1;
            let label = pieces.iter().find(|piece| !piece.is_number);
            let is_prose = columns.columns.len() >= 2
                && label.is_some_and(|label| columns.columns.iter().any(|column| covers(label, column)));
            // A cell may be wider than any before, and a note stand beyond the last column.
            return if fitting * 2 >= numbers.len() && !is_prose { BandLine::Row } else { BandLine::Other };
        }
        match pieces.as_slice() {
            [] => BandLine::Other,
            // A sum below its column, without a label.
            [only] if only.is_number && is_in(only) => BandLine::Row,
            [only] if only.x1 < columns.start() + slack && self.is_below_text(at, only) => BandLine::Between,
            // The title of a part may be longer than the labels.
            [only] if only.x0 < columns.start() - slack => {
                let is_at_left = only.x0 < columns.left + MAX_HEAD_SHIFT * line.size;
                let is_label = only.x1 < columns.start() + slack;
                let is_long_title = follows_row && only.x1 < (columns.start() + columns.end()) / 2.0;
                if is_at_left && (is_label || is_long_title) { BandLine::Between } else { BandLine::Other }
            }
            all => {
                // Heads of a part, with or without a label before them.
                let after = if all[0].x1 < columns.start() + slack { &all[1..] } else { all };
                let is_over = after.iter().all(|piece| columns.is_below(piece, line.size));
                if is_over { BandLine::Between } else { BandLine::Other }
            }
        }
    }

    /// True for a text that starts where one of the line above does: the label of a row that starts with a date or a number
    /// goes on below it.
    fn is_below_text(&self, at: usize, only: &BandPiece) -> bool {
        let near = MAX_EDGE_SHIFT * self.lines[at].size;
        let above = at.checked_sub(1).map_or(&[][..], |above| &self.pieces[above]);
        above.iter().any(|piece| !piece.is_number && (piece.x0 - only.x0).abs() < near)
    }

    /// The first line of the head above the first numbers.
    fn head(&self, above: usize, first: usize, columns: &NumberColumns) -> usize {
        let mut top = first;
        for at in (above.max(first.saturating_sub(MAX_HEAD_LINES))..first).rev() {
            if !self.is_near(at, at + 1, MAX_LEADING) {
                break;
            }
            let (line, pieces) = (self.lines[at], &self.pieces[at]);
            let slack = MAX_COLUMN_SHIFT * line.size;
            let is_label =
                |piece: &BandPiece| piece.x1 < columns.start() + slack && piece.x0 < columns.start() - slack;
            let is_head = |piece: &BandPiece| columns.is_below(piece, line.size);
            // Between the first column and the numbers there may be others, such as a description behind a date. A head of
            // several columns of numbers stands beside no such text.
            let begins_column = |piece: &BandPiece| {
                let near = MAX_EDGE_SHIFT * line.size;
                let is_over = |column: &&(f32, f32)| piece.x0 < column.1 && piece.x1 > column.0;
                let starts = |text: &BandPiece| (text.x0 - piece.x0).abs() < near;
                match is_head(piece) {
                    true => columns.columns.iter().filter(is_over).count() <= 1,
                    false => is_label(piece) && self.pieces[first].iter().any(starts),
                }
            };
            let is_far = |piece: &BandPiece| piece.x0 < columns.left - MAX_HEAD_SHIFT * line.size;
            // A title stands in the middle of the whole table, or begins where the table does.
            let is_title = |piece: &BandPiece| {
                let off = (piece.x0 + piece.x1 - columns.left - columns.end()) / 2.0;
                let begins = piece.x0 < columns.left + slack && piece.x1 > columns.start() + slack;
                (off.abs() < slack || begins) && columns.left < columns.start() - slack
            };
            match pieces.as_slice() {
                // A title is no head: it would be the first row of all columns.
                [only] if is_title(only) => break,
                // The label of the first part, which is of the table if a head is above it.
                [only] if is_label(only) && !is_far(only) && !is_head(only) => {}
                [label, heads @ ..]
                    if is_label(label)
                        && heads.iter().any(is_head)
                        && (heads.iter().all(is_head) || heads.iter().all(begins_column)) =>
                {
                    top = at
                }
                heads if heads.iter().all(is_head) => top = at,
                _ => break,
            }
        }
        top
    }

    /// The end of the table, with the lines that continue the last label.
    fn tail(&self, end: usize, columns: &NumberColumns) -> usize {
        let goes_on = |at: &usize| {
            let line = self.lines[*at];
            let is_label =
                line.x1 < columns.start() && (line.x0 - columns.left).abs() < MAX_HEAD_SHIFT * line.size;
            // A label that begins with a capital would be another row, or the text below.
            let is_low = line.text.starts_with(|c: char| c.is_lowercase() || c == '(');
            let distance = (line.base - self.lines[*at - 1].base) / line.size.max(1.0);
            let [only] = self.pieces[*at].as_slice() else { return false };
            // Text below the table begins where its first column does.
            let is_inner = only.x1 < columns.start()
                && only.x0 > columns.left + MIN_KEY_WIDTH * line.size
                && self.is_below_text(*at, only);
            is_label && is_low && distance < 1.5 || is_inner && distance < MAX_CELL_LEADING
        };
        end + (end..self.lines.len()).take(MAX_LINES_BETWEEN).take_while(goes_on).count()
    }

    /// True if most rows have all their texts before their numbers. With texts behind numbers, a row may be one of two tables
    /// side by side, or have prose beside it in the next column, and gutters tell.
    fn is_one_table(&self, band: &Range<usize>) -> bool {
        let rows = || band.clone().filter(|at| !self.numbers(*at).is_empty());
        // A date, or the number of the row, may be the first.
        let ends_with_numbers = |at: &usize| {
            let texts = self.pieces[*at].iter().skip_while(|piece| piece.is_number);
            texts.skip_while(|piece| !piece.is_number).all(|piece| piece.is_number)
        };
        2 * rows().filter(ends_with_numbers).count() > rows().count()
    }

    /// True if enough of these lines have numbers.
    fn has_enough_rows(&self, band: Range<usize>, rows: usize, columns: &NumberColumns) -> bool {
        let numbers = |at: usize| self.numbers(at).iter().filter(|piece| piece.is_number).count();
        let cells: usize = band.clone().map(numbers).sum();
        let (least, least_cells) = match columns.columns.len() {
            // Numbers below each other are also those of lines, items and equations.
            0 | 1 => (self.min_rows, self.min_rows),
            // Two by two is the least that has columns and rows.
            _ => (2, 4),
        };
        // Every fifth verse has a number.
        rows >= least && cells >= least_cells && rows * 3 >= band.len()
    }
}

/// True for a line with several texts. Narrow gaps are also between the words of a loose line of prose, most of which
/// are in lower case; cells between narrow gaps are numbers or a few words.
fn is_row(line: &TextLine) -> bool {
    // A wide gap is enough.
    if line.cells.len() >= 2 || line.parts.len() < 2 {
        return line.cells.len() >= 2;
    }
    let pieces = line.pieces();
    let words = || line.text.split_whitespace();
    let low = words().filter(|word| word.starts_with(char::is_lowercase)).count();
    let numbers =
        pieces.iter().skip(1).filter(|(text, ..)| text.contains(|c: char| c.is_ascii_digit())).count();
    let is_short = words().count() <= 2 * pieces.len() || numbers * 2 >= pieces.len();
    pieces.len() >= 2 && low * 2 <= words().count() && is_short
}

/// The number of consecutive lines from the first on that may be rows, or continue cells of a row.
fn run_at(lines: &[&TextLine]) -> usize {
    if !lines.first().is_some_and(|line| is_row(line)) {
        return 0;
    }
    let mut row = lines[0];
    let mut count = 1;
    while let Some(line) = lines.get(count).filter(|_| count < MAX_LINES) {
        let before = lines[count - 1];
        let distance = (line.base - before.base) / line.size.max(before.size).max(1.0);
        // A line that stands above the one before is of another column.
        let is_near = (0.0..MAX_LEADING).contains(&distance) && line.rotation == before.rotation;
        if !is_near || !(is_row(line) || continues(row, line)) {
            break;
        }
        if is_row(line) {
            row = line;
        }
        count += 1;
    }
    count
}

/// True for one text that starts on an edge of a row above, but not on its first one.
fn continues(row: &TextLine, line: &TextLine) -> bool {
    let near = MAX_EDGE_SHIFT * line.size;
    // On the first edge prose below a table begins as well.
    row.pieces().iter().skip(1).any(|(_, x0, _)| (x0 - line.x0).abs() < near)
}

/// Adds the tables whose cells have several lines among these rows, the first of which is row `start`: each row starts with
/// a text in the first column, and the lines below it have none there.
fn keyed(rows: &[SpanRow<'_>], start: usize, found: &mut Vec<Range<usize>>) {
    let parts: Vec<Vec<(f32, f32)>> = rows.iter().map(SpanRow::parts).collect();
    let mut at = 0;
    while at < rows.len() {
        let count = keyed_run_at(&rows[at..], &parts[at..]);
        if count > 0 && is_keyed_table(&rows[at..at + count]) {
            found.push(start + at..start + at + count);
        }
        at += count.max(1);
    }
}

/// The number of rows from the first on that start in its first column, or in no line of that column; 0 if they are too
/// few.
fn keyed_run_at(rows: &[SpanRow<'_>], parts: &[Vec<(f32, f32)>]) -> usize {
    let Some([(key, _), (second, _), ..]) = parts.first().map(Vec::as_slice) else { return 0 };
    let (mut second, mut keys, mut continued, mut count) = (*second, 1, 0, 1);
    while let Some(row) = rows.get(count) {
        let near = MAX_EDGE_SHIFT * row.size;
        let Some((start, end)) = parts[count].first().copied() else { break };
        // What is far below is another table, or the text.
        if row.base - rows[count - 1].base > MAX_LEADING * row.size {
            break;
        }
        let is_key = (start - key).abs() < near;
        if let Some((next, _)) = parts[count].get(usize::from(is_key)) {
            second = second.min(*next);
        }
        match is_key {
            // Text that reaches into the second column has no columns.
            true if end > second + near => break,
            true => keys += 1,
            // An indent of the first column, as lists have.
            false if start < key + MIN_KEY_WIDTH * row.size => break,
            false => continued += 1,
        }
        count += 1;
    }
    if keys >= MIN_KEYED_ROWS && continued >= MIN_CONTINUED_LINES { count } else { 0 }
}

fn is_keyed_table(rows: &[SpanRow<'_>]) -> bool {
    let lines = text_line::of_rows(rows.to_vec());
    let lines: Vec<&TextLine> = lines.iter().collect();
    let draft = TableDraft::of(&lines, &TableFrame::default());
    draft.is_table(TableEvidence::Text(MIN_KEYED_ROWS)) && draft.has_keys()
}

#[cfg(test)]
mod tests;
