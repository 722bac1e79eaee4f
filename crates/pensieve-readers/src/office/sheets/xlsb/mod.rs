//! Binary workbooks: `.xlsb`. The package and its drawings are those of `.xlsx`; the sheets are records.
//!
//! Owns the records of the workbook, styles, shared strings, sheets and comments. Formulas are skipped: their last
//! calculated value is stored with them. Source: [MS-XLSB] 2.1.4 (records), 2.4 (their content).
//!
//! The crate `calamine` (0.38) is not a replacement: it returns the value of a cell without its style, so numbers
//! lose their formats; it has no comments; and it panics on our golden workbook, at a record shorter than it expects.

mod records;

use super::annotations::{CellComment, TextAllowance, without_author};
use super::grid::SheetGrid;
use super::number::{CellStyles, DateEpoch, compact_number, error_name, truth_name};
use super::row::{RowCells, clip_name};
use super::strings::SharedStrings;
use super::workbook::{CellContext, SheetEntry, Workbook};
use crate::limits::sheets::MAX_SHEETS;
use pensieve_text::model::Problem;
use records::{XlsbFields, XlsbRecords};
use std::io::Read;

const ROW: u16 = 0;
const COLUMNS: u16 = 60;
const CELL_RK: u16 = 2;
const CELL_RICH: u16 = 62;
const SHORT_BLANK: u16 = 12;
const SHORT_SHARED: u16 = 18;
const SHARED_ITEM: u16 = 19;
const FORMAT: u16 = 44;
const CELL_STYLE: u16 = 47;
const END_SHEET_DATA: u16 = 146;
const MERGED_CELL: u16 = 176;
const LINK: u16 = 494;
const WORKBOOK_PROPERTIES: u16 = 153;
const BUNDLED_SHEET: u16 = 156;
const BEGIN_CELL_STYLES: u16 = 617;
const END_CELL_STYLES: u16 = 618;
const COMMENT_AUTHOR: u16 = 632;
const BEGIN_COMMENT: u16 = 635;
const END_COMMENT: u16 = 636;
const COMMENT_TEXT: u16 = 637;

/// Reads the workbook part.
pub(super) fn read_workbook(source: impl Read) -> Workbook {
    let mut records = XlsbRecords::new(source);
    let mut book = Workbook::default();
    while let Some((kind, mut fields)) = records.next() {
        match kind {
            WORKBOOK_PROPERTIES if fields.u32().is_some_and(|flags| flags & 1 != 0) => {
                book.epoch = DateEpoch::Year1904
            }
            BUNDLED_SHEET if book.sheets.len() < MAX_SHEETS => {
                let is_hidden = fields.u32().is_some_and(|state| state != 0);
                fields.skip(4);
                let relation = clip_name(&fields.string().unwrap_or_default());
                let name = clip_name(&fields.string().unwrap_or_default());
                book.sheets.push(SheetEntry { name, relation, is_hidden });
            }
            _ => {}
        }
    }
    book
}

/// Reads the styles part; returns the reason if it ended early.
pub(super) fn read_styles(source: impl Read, styles: &mut CellStyles) -> Option<String> {
    let mut records = XlsbRecords::new(source);
    let mut in_cells = false;
    while let Some((kind, mut fields)) = records.next() {
        match kind {
            FORMAT => {
                if let (Some(id), Some(code)) = (fields.u16(), fields.string()) {
                    styles.define(u32::from(id), code);
                }
            }
            BEGIN_CELL_STYLES => in_cells = true,
            END_CELL_STYLES => in_cells = false,
            CELL_STYLE if in_cells => {
                fields.skip(2);
                styles.push(u32::from(fields.u16().unwrap_or(0)));
            }
            _ => {}
        }
    }
    records.broken()
}

/// Reads the shared strings; returns the reason if they ended early.
pub(super) fn read_strings(source: impl Read, strings: &mut SharedStrings) -> Option<String> {
    let mut records = XlsbRecords::new(source);
    while let Some((kind, mut fields)) = records.next() {
        if kind == SHARED_ITEM {
            fields.skip(1);
            strings.push_str(&fields.string().unwrap_or_default());
            strings.end();
            if strings.is_full() {
                return None;
            }
        }
    }
    records.broken()
}

/// Reads a sheet into the grid; returns the reason if it ended early.
///
/// # Errors
/// The grid's.
pub(super) fn read_sheet(
    source: impl Read,
    cells: &CellContext<'_>,
    grid: &mut SheetGrid<'_>,
) -> Result<Option<String>, Problem> {
    let mut records = XlsbRecords::new(source);
    let mut row = RowCells::default();
    let mut column = 0_u32;
    while let Some((kind, mut fields)) = records.next() {
        match kind {
            ROW => {
                grid.row(&mut row)?;
                if grid.is_full() {
                    break;
                }
                row.begin(fields.u32().unwrap_or_else(|| row.number()).saturating_add(1));
                // Style, height and a byte of flags precede the one with `fDyZero`.
                fields.skip(7);
                row.is_hidden = fields.u8().is_some_and(|flags| flags & 0x10 != 0);
                column = 0;
            }
            COLUMNS => {
                let (first, last) = (fields.u32().unwrap_or(0), fields.u32().unwrap_or(0));
                fields.skip(8);
                if fields.u16().is_some_and(|flags| flags & 1 != 0) {
                    grid.hide_columns(first.saturating_add(1), last.saturating_add(1));
                }
            }
            1..=11 | CELL_RICH => {
                column = fields.u32().unwrap_or(column).saturating_add(1);
                push_cell(kind, fields, cells, column, &mut row);
            }
            // The cell right of the last one; the kinds are those of the others plus eleven.
            SHORT_BLANK..=SHORT_SHARED => {
                column = column.saturating_add(1);
                let long = [1, CELL_RK, 3, 4, 5, 6, 7];
                push_cell(long[usize::from(kind - SHORT_BLANK)], fields, cells, column, &mut row);
            }
            END_SHEET_DATA => break,
            _ => {}
        }
    }
    grid.row(&mut row)?;
    grid.end_block()?;
    Ok(records.broken())
}

/// Finds the labels that are merged over rows, and the links of cells, whose addresses are relations of the part: their
/// records follow those of the cells.
pub(super) fn find_lists(
    source: impl Read,
    address_of: impl Fn(&str) -> Option<String>,
    grid: &mut SheetGrid<'_>,
) {
    let mut records = XlsbRecords::new(source);
    while let Some((kind, mut fields)) = records.next() {
        if kind == LINK {
            let (row, _) = (fields.u32(), fields.u32());
            let (column, _) = (fields.u32(), fields.u32());
            let address = fields.string().and_then(|id| address_of(&id));
            if let Some(((row, column), address)) = row.zip(column).zip(address) {
                grid.link((row.saturating_add(1), column.saturating_add(1)), &address);
            }
            continue;
        }
        if kind == MERGED_CELL
            && let (Some(first), Some(last), Some(column)) = (fields.u32(), fields.u32(), fields.u32())
        {
            grid.merge_down(first.saturating_add(1), column.saturating_add(1), last.saturating_add(1));
        }
    }
}

/// Writes the value that follows the column.
fn push_cell(
    kind: u16,
    mut fields: XlsbFields<'_>,
    cells: &CellContext<'_>,
    column: u32,
    row: &mut RowCells,
) {
    let out = row.cell(column);
    let style = fields.u32().unwrap_or(0) & 0x00ff_ffff;
    match kind {
        CELL_RK => {
            if let Some(number) = fields.u32() {
                cells.styles.push_number(compact_number(number), style, out);
            }
        }
        3 | 11 => out.push_str(fields.u8().map_or("", error_name)),
        4 | 10 => out.push_str(fields.u8().map_or("", |value| truth_name(value != 0))),
        5 | 9 => {
            if let Some(number) = fields.f64() {
                cells.styles.push_number(number, style, out);
            }
        }
        6 | 8 => cells.styles.push_text(&fields.string().unwrap_or_default(), style, out),
        7 => {
            if let Some(number) = fields.u32() {
                cells.push_shared(number as usize, style, out);
            }
        }
        CELL_RICH => {
            fields.skip(1);
            cells.styles.push_text(&fields.string().unwrap_or_default(), style, out);
        }
        _ => {}
    }
    let is_number = matches!(kind, CELL_RK | 5 | 9);
    if is_number || matches!(kind, 6..=8 | CELL_RICH) {
        row.hide(cells.styles.hides(style, !is_number, false));
    }
}

/// The comments of a sheet.
pub(super) fn read_comments(source: impl Read) -> Vec<CellComment> {
    let mut records = XlsbRecords::new(source);
    let mut authors: Vec<String> = Vec::new();
    let (mut found, mut allowance) = (Vec::new(), TextAllowance::default());
    let mut current = CellComment::default();
    while let Some((kind, mut fields)) = records.next() {
        match kind {
            COMMENT_AUTHOR => {
                let author = clip_name(&fields.string().unwrap_or_default());
                authors.extend(Some(author).filter(|author| allowance.take(author)));
            }
            BEGIN_COMMENT => {
                let author =
                    fields.u32().and_then(|id| authors.get(id as usize)).cloned().unwrap_or_default();
                let row = fields.u32().unwrap_or(0).saturating_add(1);
                fields.skip(4);
                let column = fields.u32().unwrap_or(0).saturating_add(1);
                current = CellComment { row, column, author, text: String::new() };
            }
            COMMENT_TEXT => {
                fields.skip(1);
                current.text = fields.string().unwrap_or_default();
            }
            END_COMMENT => {
                let comment = std::mem::take(&mut current);
                found
                    .extend(Some(comment).filter(|comment| comment.fits(&mut allowance)).map(without_author));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests;
