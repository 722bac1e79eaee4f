//! From the cells of a sheet to Markdown: decides which rows form a table, which columns it has, and when it is
//! handed over.
//!
//! Rows come once, from top to bottom, and are not kept: the first rows determine the columns of a table, the others
//! are written immediately. A blank row ends a table. Columns without a cell are left out, and cells that are far
//! apart move together instead of being padded. Knows no file format.

mod output;
mod pending;

use super::annotations::CellComment;
use super::merged_labels::MergedLabels;
use super::row::{RowCells, clip_name, push_link};
use crate::limits::sheets::{
    MAX_CELL_BYTES, MAX_MERGED_LABELS, MAX_ROW_BYTES, MAX_TEXT_BYTES, MAX_TEXT_PER_FILE_BYTE, MAX_WIDENINGS,
    MIN_TEXT_LIMIT_BYTES,
};
use crate::markdown::{Block, ItemMarker, MarkdownDraft, SEGMENT_BYTES, StreamedTable, Words};
use crate::shared::hidden_text::HiddenText;
use crate::source::DocumentSink;
use output::GridOutput;
use pending::{PendingRow, PendingRows};
use pensieve_text::model::{CellRange, FoldKind, Locator, Problem, ProblemKind, Visibility};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// More runs of hidden columns than a person makes are not told apart.
const MAX_HIDDEN_COLUMNS: usize = 1024;

/// A cell longer than this makes its column prose, which is written as paragraphs.
const MIN_PROSE_BYTES: usize = 120;

/// A table that is being written.
struct GridTable {
    table: StreamedTable,
    /// Its columns from left to right; empty if cells move together.
    columns: Vec<u32>,
    header: Vec<(u32, String)>,
    widenings: usize,
    cells: usize,
    padding: usize,
}

/// Writes the sheets of a document.
pub(super) struct SheetGrid<'s> {
    draft: MarkdownDraft,
    sink: &'s mut dyn DocumentSink,
    sheet: Arc<str>,
    is_hidden: bool,
    /// Hidden columns: the last of each run by its first.
    hidden_columns: BTreeMap<u32, u32>,
    pending: PendingRows,
    open: Option<GridTable>,
    last_row: Option<u32>,
    written: u64,
    limit: u64,
    is_row_cut: bool,
    hidden: HiddenText,
    /// Something beside the styles of cells colours the sheet.
    pub is_coloured: bool,
    merged: MergedLabels,
    /// Addresses of links, by the rows and columns of their cells.
    links: BTreeMap<(u32, u32), String>,
}

impl<'s> SheetGrid<'s> {
    /// A grid whose text goes to `sink`, for a document of `size` bytes.
    pub fn new(sink: &'s mut dyn DocumentSink, size: u64) -> SheetGrid<'s> {
        SheetGrid {
            draft: MarkdownDraft::new(),
            sink,
            sheet: "".into(),
            is_hidden: false,
            hidden_columns: BTreeMap::new(),
            pending: PendingRows::default(),
            open: None,
            last_row: None,
            written: 0,
            limit: size.saturating_mul(MAX_TEXT_PER_FILE_BYTE).clamp(MIN_TEXT_LIMIT_BYTES, MAX_TEXT_BYTES),
            is_row_cut: false,
            hidden: HiddenText::default(),
            is_coloured: false,
            merged: MergedLabels::default(),
            links: BTreeMap::new(),
        }
    }

    /// Begins a sheet, which may be hidden.
    pub fn begin(&mut self, name: &str, is_hidden: bool) -> Result<(), Problem> {
        self.end_block()?;
        self.is_hidden = is_hidden;
        self.hidden_columns.clear();
        self.last_row = None;
        self.is_coloured = false;
        self.merged.clear();
        self.links.clear();
        self.sheet = name.into();
        self.draft.place(Some(self.place(1, 1)));
        self.draft.push(&Block::Heading { level: 2, words: Words::plain(name) });
        Ok(())
    }

    /// The columns from `first` to `last` are hidden; known before the rows are added.
    pub fn hide_columns(&mut self, first: u32, last: u32) {
        if self.hidden_columns.len() < MAX_HIDDEN_COLUMNS {
            let end = self.hidden_columns.entry(first).or_default();
            *end = last.max(*end);
        }
    }

    /// How a row is folded, if it or one of its cells is.
    fn fold_of(&self, row: &RowCells) -> Option<FoldKind> {
        let is_hidden = |column: u32| {
            self.hidden_columns.range(..=column).next_back().is_some_and(|(_, last)| column <= *last)
        };
        if self.is_hidden {
            Some(FoldKind::Sheet)
        } else if !self.hidden_columns.is_empty() && row.cells.iter().any(|(column, _)| is_hidden(*column)) {
            Some(FoldKind::Column)
        } else {
            row.is_hidden.then_some(FoldKind::Row)
        }
    }

    /// Adds a row of the sheet.
    pub fn row(&mut self, row: &mut RowCells) -> Result<(), Problem> {
        row.sort();
        let number = row.number();
        for (column, reason, words) in row.unseen.drain(..) {
            self.hidden.add(reason, Some(&self.place(number, column)), &words);
        }
        if self.links.range((number, 0)..=(number, u32::MAX)).next().is_some() {
            row.amend(|column, words| {
                if let Some(address) = self.links.get(&(number, column)) {
                    push_link(words, address);
                }
            });
        }
        self.merged.fill(row);
        self.is_row_cut |= row.is_cut;
        if row.cells.is_empty() || self.is_full() {
            return Ok(());
        }
        if self.last_row.is_some_and(|last| row.number() > last.saturating_add(1)) {
            self.end_block()?;
        }
        self.last_row = Some(row.number());
        let fold = self.fold_of(row);
        if let Some(open) = self.open.take() {
            self.write_row(open, (row.number(), fold), row.iter());
        } else {
            self.pending.push(row, fold);
            if self.pending.is_full() {
                self.decide(false)?;
            }
        }
        self.emit_full_segment()
    }

    /// The cell in this place is merged with those below it, up to the row `last`; known before the rows are added.
    pub fn merge_down(&mut self, row: u32, column: u32, last: u32) {
        self.merged.add(row, column, last);
    }

    /// The cell in this place leads to an address; known before the rows are added.
    pub fn link(&mut self, (row, column): (u32, u32), address: &str) {
        if self.links.len() < MAX_MERGED_LABELS {
            self.links.insert((row, column), clip_name(address));
        }
    }

    /// Ends the table that is being written.
    pub fn end_block(&mut self) -> Result<(), Problem> {
        self.decide(true)?;
        self.open = None;
        Ok(())
    }

    /// Adds a text of a drawing: of a text box, the title of a chart, the description of a picture.
    pub fn drawing(&mut self, text: &str) -> Result<(), Problem> {
        self.block(&Block::Paragraph(Words::plain(text)))
    }

    /// Adds a block of a drawing, such as the numbers of a chart.
    pub fn block(&mut self, block: &Block) -> Result<(), Problem> {
        if self.is_full() {
            return Ok(());
        }
        self.end_block()?;
        self.draft.place(Some(self.place(1, 1)));
        self.draft.push(block);
        self.emit_full_segment()
    }

    /// Adds a comment on a cell.
    pub fn comment(&mut self, comment: &CellComment) -> Result<(), Problem> {
        let cell = one_cell(comment.row, comment.column);
        let who = if comment.author.trim().is_empty() {
            String::new()
        } else {
            format!(" {}", comment.author.trim())
        };
        let text = format!("{}{who}: {}", cell.to_text(), comment.text.trim());
        if self.is_full() {
            return Ok(());
        }
        self.end_block()?;
        let words = Words::plain(text);
        self.draft.place(Some(self.place(comment.row, comment.column)));
        self.draft.push(&Block::Item { depth: 0, marker: Some(ItemMarker::Bullet), words });
        self.emit_full_segment()
    }

    /// The place of a cell.
    fn place(&self, row: u32, column: u32) -> Locator {
        self.range_place(one_cell(row, column), None)
    }

    fn range_place(&self, range: CellRange, fold: Option<FoldKind>) -> Locator {
        let fold = fold.max(self.is_hidden.then_some(FoldKind::Sheet));
        Locator::Cells { sheet: self.sheet.clone(), range }.marked(fold.map(Visibility::Folded))
    }

    /// True if the text has reached its limit; nothing more is written.
    pub fn is_full(&self) -> bool {
        self.written >= self.limit
    }

    /// Ends the text.
    pub fn finish(mut self) -> Result<GridOutput, Problem> {
        self.end_block()?;
        let full = self.is_full().then(|| {
            let message = format!("the text is cut after {} MiB", self.limit >> 20);
            Problem::new(ProblemKind::OutputLimit, message)
        });
        let cut = full.or_else(|| {
            let message =
                format!("cells are longer than {MAX_CELL_BYTES} bytes, or rows than {MAX_ROW_BYTES}");
            self.is_row_cut.then(|| Problem::new(ProblemKind::SizeLimit, message))
        });
        let text = self.draft.finish();
        let has_text = self.written > 0 || !text.text.is_empty();
        Ok(GridOutput { has_text, text, hidden: self.hidden, cut })
    }

    fn emit_full_segment(&mut self) -> Result<(), Problem> {
        if self.draft.len() < SEGMENT_BYTES {
            return Ok(());
        }
        self.written += self.draft.len() as u64;
        self.sink.text(self.draft.take())
    }

    /// Decides on the titles and columns of the pending rows and writes them. `is_whole`: no more rows follow.
    fn decide(&mut self, is_whole: bool) -> Result<(), Problem> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        let rows: Vec<PendingRow<'_>> = pending.iter().collect();
        let titles = count_titles(&rows, is_whole);
        for row in &rows[..titles] {
            for (column, text) in row.iter() {
                self.draft.place(Some(self.range_place(one_cell(row.number, column), row.fold)));
                self.draft.push(&Block::Paragraph(Words::plain(text)));
            }
        }
        let rows = &rows[titles..];
        if rows.is_empty() {
            return Ok(());
        }
        let columns: BTreeSet<u32> =
            rows.iter().flat_map(|row| row.cells).map(|(column, _)| *column).collect();
        let filled: usize = rows.iter().map(|row| row.cells.len()).sum();
        let widest = rows.iter().map(|row| row.cells.len()).max().unwrap_or(1);
        let is_sparse = columns.len() > 64 && columns.len() * rows.len() > 16 * filled;
        let columns: Vec<u32> = if is_sparse { Vec::new() } else { columns.into_iter().collect() };
        let table = self.draft.open_table(if is_sparse { widest } else { columns.len() });
        let header = rows[0].iter().map(|(column, text)| (column, text.to_owned())).collect();
        let mut open = GridTable { table, columns, header, widenings: 0, cells: 0, padding: 0 };
        for row in rows {
            self.write_row(open, (row.number, row.fold), row.iter());
            let Some(back) = self.open.take() else { return Ok(()) };
            open = back;
            self.emit_full_segment()?;
        }
        self.open = Some(open);
        Ok(())
    }

    /// Writes a row into the table, which stays open.
    fn write_row<'t>(
        &mut self,
        mut open: GridTable,
        (number, fold): (u32, Option<FoldKind>),
        cells: impl Iterator<Item = (u32, &'t str)>,
    ) {
        let cells: Vec<(u32, &str)> = cells.collect();
        if !open.columns.is_empty() && !has_all_columns(&open.columns, &cells) {
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
        let place = self.range_place(range(&cells), fold);
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

    /// The table with more columns, under the same header; its cells move together if it was widened too often.
    fn widened(&mut self, open: GridTable, cells: &[(u32, &str)]) -> GridTable {
        let widenings = open.widenings + 1;
        let mut columns: BTreeSet<u32> = open.columns.iter().copied().collect();
        columns.extend(cells.iter().map(|cell| cell.0));
        let columns: Vec<u32> = columns.into_iter().collect();
        if widenings > MAX_WIDENINGS || columns.len() > 4 * open.columns.len() + 64 {
            return GridTable { columns: Vec::new(), widenings, ..open };
        }
        let mut table = self.draft.open_table(columns.len());
        let mut header = open.header.iter().peekable();
        let names = columns.iter().map(|column| match header.next_if(|cell| cell.0 == *column) {
            Some(cell) => cell.1.as_str(),
            None => "",
        });
        self.draft.push_row(&mut table, names, None);
        GridTable { table, columns, widenings, ..open }
    }
}

/// True if every cell has its column.
fn has_all_columns(columns: &[u32], cells: &[(u32, &str)]) -> bool {
    let mut columns = columns.iter();
    cells.iter().all(|cell| columns.any(|column| *column == cell.0))
}

/// How many rows at the start belong to no table: titles of one cell above wider rows, and prose.
fn count_titles(rows: &[PendingRow<'_>], is_whole: bool) -> usize {
    if rows.iter().all(|row| row.cells.len() == 1) {
        let is_prose = rows.len() == 1
            || rows.iter().any(|row| row.iter().any(|(_, text)| text.len() > MIN_PROSE_BYTES))
            || rows.iter().any(|row| row.cells[0].0 != rows[0].cells[0].0);
        return if is_whole && is_prose { rows.len() } else { 0 };
    }
    rows.iter().take_while(|row| row.cells.len() == 1).count()
}

fn one_cell(row: u32, column: u32) -> CellRange {
    CellRange { first_row: row, first_column: column, last_row: row, last_column: column }
}

#[cfg(test)]
mod tests;
