//! Binary workbooks: `.xlsb`. The package and its drawings are those of `.xlsx`; the sheets are records.
//!
//! Owns the records of the workbook, styles, shared strings, sheets and comments. Formulas are passed over: the value
//! that was calculated last stands beside them. Source: [MS-XLSB] 2.1.4 (records), 2.4 (their content).

mod records;

use super::grid::{Comment, Grid};
use super::number::{Epoch, Styles, error_name, truth_name};
use super::package::without_author;
use super::row::{Room, RowCells, short};
use super::strings::SharedStrings;
use super::xlsx::{Cells, Entry, Sheets};
use pensieve_text::model::Problem;
use records::{Fields, Records};
use std::io::Read;

const ROW: u16 = 0;
const CELL_RK: u16 = 2;
const CELL_RICH: u16 = 62;
const SHORT_BLANK: u16 = 12;
const SHORT_SHARED: u16 = 18;
const SHARED_ITEM: u16 = 19;
const FORMAT: u16 = 44;
const CELL_STYLE: u16 = 47;
const END_SHEET_DATA: u16 = 146;
const WORKBOOK_PROPERTIES: u16 = 153;
const BUNDLED_SHEET: u16 = 156;
const BEGIN_CELL_STYLES: u16 = 617;
const END_CELL_STYLES: u16 = 618;
const COMMENT_AUTHOR: u16 = 632;
const BEGIN_COMMENT: u16 = 635;
const END_COMMENT: u16 = 636;
const COMMENT_TEXT: u16 = 637;

/// Sheets that a workbook may have.
const MOST_SHEETS: usize = 10_000;

/// Reads the workbook part.
pub(super) fn workbook(source: impl Read) -> Sheets {
    let mut records = Records::new(source);
    let mut book = Sheets::default();
    while let Some((kind, mut fields)) = records.next() {
        match kind {
            WORKBOOK_PROPERTIES if fields.u32().is_some_and(|flags| flags & 1 != 0) => {
                book.epoch = Epoch::Year1904
            }
            BUNDLED_SHEET if book.sheets.len() < MOST_SHEETS => {
                let is_hidden = fields.u32().is_some_and(|state| state != 0);
                fields.skip(4);
                let relation = short(&fields.string().unwrap_or_default());
                let name = short(&fields.string().unwrap_or_default());
                book.sheets.push(Entry { name, relation, is_hidden });
            }
            _ => {}
        }
    }
    book
}

/// Reads the styles part; gives the reason why it ended early.
pub(super) fn styles(source: impl Read, styles: &mut Styles) -> Option<String> {
    let mut records = Records::new(source);
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

/// Reads the shared strings; gives the reason why they ended early.
pub(super) fn strings(source: impl Read, strings: &mut SharedStrings) -> Option<String> {
    let mut records = Records::new(source);
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

/// Reads a sheet into the grid; gives the reason why it ended early.
///
/// # Errors
/// The grid's.
pub(super) fn sheet(
    source: impl Read,
    cells: &Cells<'_>,
    grid: &mut Grid<'_>,
) -> Result<Option<String>, Problem> {
    let mut records = Records::new(source);
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
                column = 0;
            }
            1..=11 | CELL_RICH => {
                column = fields.u32().unwrap_or(column).saturating_add(1);
                push_cell(kind, fields, cells, row.cell(column));
            }
            // The cell behind the last one; their kinds are those of the others, moved by eleven.
            SHORT_BLANK..=SHORT_SHARED => {
                column = column.saturating_add(1);
                let long = [1, CELL_RK, 3, 4, 5, 6, 7];
                push_cell(long[usize::from(kind - SHORT_BLANK)], fields, cells, row.cell(column));
            }
            END_SHEET_DATA => break,
            _ => {}
        }
    }
    grid.row(&mut row)?;
    grid.end_block()?;
    Ok(records.broken())
}

/// Writes the value behind the column.
fn push_cell(kind: u16, mut fields: Fields<'_>, cells: &Cells<'_>, out: &mut String) {
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
        6 | 8 => cells.push_text(&fields.string().unwrap_or_default(), style, out),
        7 => {
            if let Some(number) = fields.u32() {
                cells.push_shared(number as usize, style, out);
            }
        }
        CELL_RICH => {
            fields.skip(1);
            cells.push_text(&fields.string().unwrap_or_default(), style, out);
        }
        _ => {}
    }
}

/// A number in four bytes: an integer or the upper half of a double, perhaps a hundred times too large.
pub(super) fn compact_number(raw: u32) -> f64 {
    let number = match raw & 2 {
        0 => f64::from_bits(u64::from(raw & !3) << 32),
        _ => f64::from((raw as i32) >> 2),
    };
    if raw & 1 == 1 { number / 100.0 } else { number }
}

/// The comments of a sheet.
pub(super) fn comments(source: impl Read) -> Vec<Comment> {
    let mut records = Records::new(source);
    let mut authors: Vec<String> = Vec::new();
    let (mut found, mut room) = (Vec::new(), Room::default());
    let mut current = Comment::default();
    while let Some((kind, mut fields)) = records.next() {
        match kind {
            COMMENT_AUTHOR => {
                let author = short(&fields.string().unwrap_or_default());
                authors.extend(Some(author).filter(|author| room.take(author)));
            }
            BEGIN_COMMENT => {
                let author =
                    fields.u32().and_then(|id| authors.get(id as usize)).cloned().unwrap_or_default();
                let row = fields.u32().unwrap_or(0).saturating_add(1);
                fields.skip(4);
                let column = fields.u32().unwrap_or(0).saturating_add(1);
                current = Comment { row, column, author, text: String::new() };
            }
            COMMENT_TEXT => {
                fields.skip(1);
                current.text = fields.string().unwrap_or_default();
            }
            END_COMMENT => {
                let comment = std::mem::take(&mut current);
                found.extend(Some(comment).filter(|comment| comment.fits(&mut room)).map(without_author));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests;
