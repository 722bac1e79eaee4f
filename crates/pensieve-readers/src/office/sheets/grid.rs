//! From the cells of a sheet to Markdown: which rows form a table, which columns it has, and when it is handed over.
//!
//! Rows come once, from top to bottom, and are not kept: a table is decided on by its first rows, and written on from
//! there. A blank row ends a table. Columns without a cell are left out, and cells that lie far apart move together
//! instead of being padded. Owns the limits of what a sheet may grow to; knows no file format.

use super::row::{LONGEST_CELL, LONGEST_ROW, Room, RowCells};
use crate::markdown::{Block, ItemMarker, MarkdownDraft, SEGMENT_BYTES, StreamedTable, Words};
use crate::source::DocumentSink;
use pensieve_text::model::{
    CellRange, Document, Locator, Problem, ProblemKind, ReviewReason, ReviewReasonKind, Segment,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Rows that are looked at before the columns of a table are decided on.
const ROWS_AHEAD: usize = 1000;

/// Bytes of cells that are looked at before.
const BYTES_AHEAD: usize = 1 << 20;

/// Times that a table may turn out to be wider than it was decided on.
const MOST_WIDENINGS: usize = 40;

/// A cell behind which a column of cells is prose: it is written as paragraphs.
const PROSE_CELL: usize = 120;

/// Comments and drawings of a document that go into its metadata.
const MOST_ASIDES: usize = 2000;

/// Text that any document may have.
const LEAST_TEXT: u64 = 16 << 20;

/// Text for each byte of the file, beyond that: ten million cells that repeat each other reach 30.
const TEXT_RATIO: u64 = 100;

/// Text that no document may have more of.
const MOST_TEXT: u64 = 1 << 30;

/// Rows that wait for a decision, in one text.
#[derive(Debug, Default)]
struct Waiting {
    text: String,
    /// Column and end of each cell.
    cells: Vec<(u32, usize)>,
    /// Number and end of each row.
    rows: Vec<(u32, usize)>,
}

/// A row among those that wait.
#[derive(Clone, Copy)]
struct Line<'w> {
    number: u32,
    cells: &'w [(u32, usize)],
    start: usize,
    text: &'w str,
}

impl<'w> Line<'w> {
    fn iter(self) -> impl Iterator<Item = (u32, &'w str)> {
        let starts = std::iter::once(self.start).chain(self.cells.iter().map(|(_, end)| *end));
        self.cells.iter().zip(starts).map(move |((column, end), start)| (*column, &self.text[start..*end]))
    }
}

impl Waiting {
    fn push(&mut self, row: &RowCells) {
        let start = self.text.len();
        self.text.push_str(&row.text);
        self.cells.extend(row.cells.iter().map(|(column, end)| (*column, end + start)));
        self.rows.push((row.number(), self.cells.len()));
    }

    fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let starts = std::iter::once(0).chain(self.rows.iter().map(|(_, end)| *end));
        self.rows.iter().zip(starts).map(|((number, end), first)| Line {
            number: *number,
            cells: &self.cells[first..*end],
            start: if first == 0 { 0 } else { self.cells[first - 1].1 },
            text: &self.text,
        })
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= ROWS_AHEAD || self.text.len() >= BYTES_AHEAD
    }
}

/// A table that is being written.
struct Open {
    table: StreamedTable,
    /// Its columns from left to right; none where cells move together.
    columns: Vec<u32>,
    header: Vec<(u32, String)>,
    widenings: usize,
    cells: usize,
    padding: usize,
}

/// Where that goes which lies over the cells: comments, text boxes, titles of charts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aside {
    /// Into the text, behind the rows of its sheet.
    Text,
    /// Into the metadata, with its sheet and cell.
    Metadata,
}

/// What is left when the sheets are written.
pub(super) struct Written {
    /// The rest of the text.
    pub text: Segment,
    /// What lies over the cells, where it goes into the metadata.
    pub asides: Vec<(String, String)>,
    /// What became of text that had no room.
    pub cut: Option<Problem>,
    has_text: bool,
}

impl Written {
    /// The document, with what went wrong; where nothing else came out, that is the result.
    ///
    /// # Errors
    /// The first problem of a document without text.
    pub fn into_document(self, mut document: Document) -> Result<Document, Problem> {
        if !self.has_text && !document.problems.is_empty() {
            return Err(document.problems.remove(0));
        }
        document.text = self.text;
        document.metadata.extend(self.asides);
        document.problems.extend(self.cut);
        if !document.problems.is_empty() {
            document
                .review_reasons
                .push(ReviewReason::new(ReviewReasonKind::SkippedParts, "not all of its parts are whole"));
        }
        Ok(document)
    }
}

/// Writes the sheets of a document.
pub(super) struct Grid<'s> {
    draft: MarkdownDraft,
    sink: &'s mut dyn DocumentSink,
    sheet: Arc<str>,
    waiting: Waiting,
    open: Option<Open>,
    last_row: Option<u32>,
    written: u64,
    limit: u64,
    is_row_cut: bool,
    aside: Aside,
    asides: Vec<(String, String)>,
    room: Room,
}

impl<'s> Grid<'s> {
    /// A grid whose text goes to `sink`, of a document of so many bytes.
    pub fn new(sink: &'s mut dyn DocumentSink, size: u64, aside: Aside) -> Grid<'s> {
        Grid {
            draft: MarkdownDraft::new(),
            sink,
            sheet: "".into(),
            waiting: Waiting::default(),
            open: None,
            last_row: None,
            written: 0,
            limit: size.saturating_mul(TEXT_RATIO).clamp(LEAST_TEXT, MOST_TEXT),
            is_row_cut: false,
            aside,
            asides: Vec::new(),
            room: Room::default(),
        }
    }

    /// Begins a sheet.
    pub fn begin(&mut self, name: &str) -> Result<(), Problem> {
        self.end_block()?;
        self.last_row = None;
        self.sheet = name.into();
        self.draft.place(Some(self.place(1, 1)));
        self.draft.push(&Block::Heading { level: 2, words: Words::plain(name) });
        Ok(())
    }

    /// Adds a row of the sheet.
    pub fn row(&mut self, row: &mut RowCells) -> Result<(), Problem> {
        row.sort();
        self.is_row_cut |= row.is_cut;
        if row.cells.is_empty() || self.is_full() {
            return Ok(());
        }
        if self.last_row.is_some_and(|last| row.number() > last.saturating_add(1)) {
            self.end_block()?;
        }
        self.last_row = Some(row.number());
        if let Some(open) = self.open.take() {
            self.write_row(open, row.number(), row.iter());
        } else {
            self.waiting.push(row);
            if self.waiting.is_full() {
                self.decide(false)?;
            }
        }
        self.hand_over()
    }

    /// Ends the table that is being written.
    pub fn end_block(&mut self) -> Result<(), Problem> {
        self.decide(true)?;
        self.open = None;
        Ok(())
    }

    /// What is written over the sheet: in a text box, as the title of a chart, as the description of a picture.
    pub fn drawing(&mut self, text: &str) -> Result<(), Problem> {
        if self.aside == Aside::Metadata {
            let value = format!("{}: {}", self.sheet, text.trim());
            self.tell("drawing", value);
            return Ok(());
        }
        self.end_block()?;
        self.draft.place(Some(self.place(1, 1)));
        self.draft.push(&Block::Paragraph(Words::plain(text)));
        self.hand_over()
    }

    fn tell(&mut self, key: &str, value: String) {
        if self.asides.len() < MOST_ASIDES && self.room.take(&value) {
            self.asides.push((key.to_owned(), value));
        }
    }

    /// A comment on a cell.
    pub fn comment(&mut self, comment: &Comment) -> Result<(), Problem> {
        let cell = one_cell(comment.row, comment.column);
        let who = if comment.author.trim().is_empty() {
            String::new()
        } else {
            format!(" {}", comment.author.trim())
        };
        let text = format!("{}{who}: {}", cell.to_text(), comment.text.trim());
        if self.aside == Aside::Metadata {
            self.tell("comment", format!("{}!{text}", self.sheet));
            return Ok(());
        }
        self.end_block()?;
        let words = Words::plain(text);
        self.draft.place(Some(self.place(comment.row, comment.column)));
        self.draft.push(&Block::Item { depth: 0, marker: Some(ItemMarker::Bullet), words });
        self.hand_over()
    }

    /// The place of a cell; of what stands in none, the first one.
    fn place(&self, row: u32, column: u32) -> Locator {
        Locator::Cells { sheet: self.sheet.clone(), range: one_cell(row, column) }
    }

    /// True when the document has grown beyond what its size allows; nothing more is written.
    pub fn is_full(&self) -> bool {
        self.written >= self.limit
    }

    /// What is left of the text, and what became of the rest.
    pub fn finish(mut self) -> Result<Written, Problem> {
        self.end_block()?;
        let full = self.is_full().then(|| {
            let message = format!("the text is cut behind {} MiB", self.limit >> 20);
            Problem::new(ProblemKind::OutputLimit, message)
        });
        let cut = full.or_else(|| {
            let message = format!("cells are longer than {LONGEST_CELL} bytes, or rows than {LONGEST_ROW}");
            self.is_row_cut.then(|| Problem::new(ProblemKind::SizeLimit, message))
        });
        let text = self.draft.finish();
        Ok(Written { has_text: self.written > 0 || !text.text.is_empty(), text, asides: self.asides, cut })
    }

    fn hand_over(&mut self) -> Result<(), Problem> {
        if self.draft.len() < SEGMENT_BYTES {
            return Ok(());
        }
        self.written += self.draft.len() as u64;
        self.sink.text(self.draft.take())
    }

    /// Decides on what the rows that wait are, and writes them. `is_whole` tells that no more follow.
    fn decide(&mut self, is_whole: bool) -> Result<(), Problem> {
        if self.waiting.rows.is_empty() {
            return Ok(());
        }
        let waiting = std::mem::take(&mut self.waiting);
        let lines: Vec<Line<'_>> = waiting.lines().collect();
        let titles = titles(&lines, is_whole);
        for line in &lines[..titles] {
            for (column, text) in line.iter() {
                self.draft.place(Some(self.place(line.number, column)));
                self.draft.push(&Block::Paragraph(Words::plain(text)));
            }
        }
        let lines = &lines[titles..];
        if lines.is_empty() {
            return Ok(());
        }
        let columns: BTreeSet<u32> =
            lines.iter().flat_map(|line| line.cells).map(|(column, _)| *column).collect();
        let filled: usize = lines.iter().map(|line| line.cells.len()).sum();
        let widest = lines.iter().map(|line| line.cells.len()).max().unwrap_or(1);
        let is_sparse = columns.len() > 64 && columns.len() * lines.len() > 16 * filled;
        let columns: Vec<u32> = if is_sparse { Vec::new() } else { columns.into_iter().collect() };
        let table = self.draft.open_table(if is_sparse { widest } else { columns.len() });
        let header = lines[0].iter().map(|(column, text)| (column, text.to_owned())).collect();
        let mut open = Open { table, columns, header, widenings: 0, cells: 0, padding: 0 };
        for line in lines {
            self.write_row(open, line.number, line.iter());
            let Some(back) = self.open.take() else { return Ok(()) };
            open = back;
            self.hand_over()?;
        }
        self.open = Some(open);
        Ok(())
    }

    /// Writes a row into the table, which is left open.
    fn write_row<'t>(&mut self, mut open: Open, number: u32, cells: impl Iterator<Item = (u32, &'t str)>) {
        let cells: Vec<(u32, &str)> = cells.collect();
        if !open.columns.is_empty() && !holds(&open.columns, &cells) {
            open = self.widened(open, &cells);
        }
        open.cells += cells.len();
        open.padding += open.columns.len().saturating_sub(cells.len());
        if open.padding > 32 * open.cells + 4096 {
            open.columns.clear();
        }
        let range = |cells: &[(u32, &str)]| CellRange {
            first_row: number,
            first_column: cells.first().map_or(1, |cell| cell.0),
            last_row: number,
            last_column: cells.last().map_or(1, |cell| cell.0),
        };
        let place = Locator::Cells { sheet: self.sheet.clone(), range: range(&cells) };
        if open.columns.is_empty() || open.columns.len() == cells.len() {
            self.draft.push_row(&mut open.table, cells.iter().map(|cell| cell.1), Some(place));
        } else {
            let mut rest = cells.iter().peekable();
            let padded = open.columns.iter().map(|column| match rest.next_if(|cell| cell.0 == *column) {
                Some(cell) => cell.1,
                None => "",
            });
            self.draft.push_row(&mut open.table, padded, Some(place));
        }
        self.open = Some(open);
    }

    /// A table that goes on with more columns, under the same header; or with cells that move together, where it was
    /// widened too often.
    fn widened(&mut self, open: Open, cells: &[(u32, &str)]) -> Open {
        let widenings = open.widenings + 1;
        let mut columns: BTreeSet<u32> = open.columns.iter().copied().collect();
        columns.extend(cells.iter().map(|cell| cell.0));
        let columns: Vec<u32> = columns.into_iter().collect();
        if widenings > MOST_WIDENINGS || columns.len() > 4 * open.columns.len() + 64 {
            return Open { columns: Vec::new(), widenings, ..open };
        }
        let mut table = self.draft.open_table(columns.len());
        let mut header = open.header.iter().peekable();
        let names = columns.iter().map(|column| match header.next_if(|cell| cell.0 == *column) {
            Some(cell) => cell.1.as_str(),
            None => "",
        });
        self.draft.push_row(&mut table, names, None);
        Open { table, columns, widenings, ..open }
    }
}

/// True when every cell has its column.
fn holds(columns: &[u32], cells: &[(u32, &str)]) -> bool {
    let mut columns = columns.iter();
    cells.iter().all(|cell| columns.any(|column| *column == cell.0))
}

/// How many rows at the start are no part of a table: titles of one cell above wider rows, and prose.
fn titles(lines: &[Line<'_>], is_whole: bool) -> usize {
    if lines.iter().all(|line| line.cells.len() == 1) {
        let is_prose = lines.len() == 1
            || lines.iter().any(|line| line.iter().any(|(_, text)| text.len() > PROSE_CELL))
            || lines.iter().any(|line| line.cells[0].0 != lines[0].cells[0].0);
        return if is_whole && is_prose { lines.len() } else { 0 };
    }
    lines.iter().take_while(|line| line.cells.len() == 1).count()
}

impl Comment {
    /// True when there is room for it; it is taken then.
    pub fn fits(&self, room: &mut Room) -> bool {
        room.take(&self.text) && room.take(&self.author)
    }
}

fn one_cell(row: u32, column: u32) -> CellRange {
    CellRange { first_row: row, first_column: column, last_row: row, last_column: column }
}

/// What somebody wrote about a cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Comment {
    /// The cell's row, from 1.
    pub row: u32,
    /// The cell's column, from 1.
    pub column: u32,
    /// Who wrote it, if it is told.
    pub author: String,
    /// What it says.
    pub text: String,
}

#[cfg(test)]
mod tests;
