//! The records of one sheet.

use super::super::grid::SheetGrid;
use super::super::number::{compact_number, error_name, push_general, truth_name};
use super::super::row::RowCells;
use super::biff::BiffStream;
use super::book::{END, XlsWorkbook, version_of};
use super::fields::{BiffFields, BiffVersion, ContinuedContent};
use super::notes::XlsAnnotations;
use pensieve_text::model::Problem;
use std::collections::HashSet;

/// Reads one sheet.
pub(super) struct XlsSheetReader<'b> {
    book: &'b XlsWorkbook,
    row: RowCells,
    /// Column and style of a formula whose text is in the next record.
    waiting: Option<(u32, u32)>,
    notes: XlsAnnotations,
    /// Hidden rows, told in blocks before their cells.
    hidden_rows: HashSet<u32>,
}

/// The place and style of a cell.
struct CellHeader {
    row: u32,
    column: u32,
    style: u32,
}

impl<'b> XlsSheetReader<'b> {
    pub fn new(book: &'b XlsWorkbook, has_comments: bool) -> XlsSheetReader<'b> {
        let mut row = RowCells::default();
        row.begin(1);
        XlsSheetReader {
            book,
            row,
            waiting: None,
            notes: XlsAnnotations::new(has_comments),
            hidden_rows: HashSet::new(),
        }
    }

    /// Reads the records after the first one of the sheet; false if they end early.
    ///
    /// # Errors
    /// The grid's and the stream's.
    pub fn read(mut self, stream: &mut BiffStream<'_>, grid: &mut SheetGrid<'_>) -> Result<bool, Problem> {
        // Charts are inside sheets, with cells of their own.
        let mut inner = 0_usize;
        let mut is_whole = false;
        while stream.next()? && !grid.is_full() {
            match stream.kind {
                END if inner == 0 => {
                    is_whole = true;
                    break;
                }
                END => inner -= 1,
                kind if version_of(kind, &stream.content).is_some() => inner += 1,
                _ if inner > 0 => self.notes.chart(self.book, stream)?,
                _ => self.record(stream, grid)?,
            }
        }
        grid.row(&mut self.row)?;
        grid.end_block()?;
        self.notes.write(grid)?;
        Ok(is_whole || grid.is_full())
    }

    fn record(&mut self, stream: &mut BiffStream<'_>, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
        let version = self.book.version;
        if matches!(stream.kind, 0x07 | 0x207) {
            return self.formula_text(stream);
        }
        let content = std::mem::take(&mut stream.content);
        let mut fields = BiffFields::of(&content);
        match stream.kind {
            // Numbers.
            0x02 | 0x03 | 0x203 | 0x27e => {
                let head = self.head(&mut fields, stream.kind, grid)?;
                let value = match stream.kind {
                    0x02 => f64::from(fields.u16()),
                    0x27e => compact_number(fields.u32()),
                    _ => fields.f64(),
                };
                self.number(value, &head);
            }
            0xbd => self.numbers(fields, grid)?,
            // Texts.
            0xfd => {
                let head = self.head(&mut fields, stream.kind, grid)?;
                let book = self.book;
                if let Some(text) = book.strings.get(fields.u32() as usize) {
                    self.text(text, &head);
                }
            }
            0x04 | 0x204 | 0xd6 => {
                let head = self.head(&mut fields, stream.kind, grid)?;
                let text = fields.text(version, self.book.code_page, stream.kind != 0x04);
                self.text(&text, &head);
            }
            // Booleans and errors.
            0x05 | 0x205 => {
                let head = self.head(&mut fields, stream.kind, grid)?;
                let (value, is_error) = (fields.u8(), fields.u8() != 0);
                self.row.cell(head.column).push_str(if is_error {
                    error_name(value)
                } else {
                    truth_name(value != 0)
                });
            }
            0x06 | 0x206 | 0x406 => {
                let head = self.head(&mut fields, stream.kind, grid)?;
                self.formula(fields, &head);
            }
            // Properties of rows and of columns.
            0x208 => {
                let row = u32::from(fields.u16()) + 1;
                fields.skip(10);
                if fields.u16() & 0x20 != 0 {
                    self.hidden_rows.insert(row);
                }
            }
            0x7d => {
                let (first, last) = (u32::from(fields.u16()) + 1, u32::from(fields.u16()) + 1);
                fields.skip(4);
                if fields.u16() & 1 != 0 {
                    grid.hide_columns(first, last);
                }
            }
            0x1c | 0x5d => self.notes.record(stream.kind, self.book, fields),
            0x1b6 => {
                stream.content = content;
                return self.notes.text(stream);
            }
            _ => {}
        }
        stream.content = content;
        Ok(())
    }

    /// Row, column and style; a cell of another row ends the current row.
    fn head(
        &mut self,
        fields: &mut BiffFields<'_>,
        kind: u16,
        grid: &mut SheetGrid<'_>,
    ) -> Result<CellHeader, Problem> {
        let (row, column) = (u32::from(fields.u16()) + 1, u32::from(fields.u16()) + 1);
        // Excel 2 has the small kinds; that of formulas is the same in later versions.
        let is_oldest =
            matches!(kind, 0x02..=0x05) || kind == 0x06 && self.book.version == BiffVersion::Biff2;
        let style = match is_oldest {
            true => {
                let style = u32::from(fields.u8() & 0x3f);
                fields.skip(2);
                style
            }
            false => u32::from(fields.u16()),
        };
        self.go_to(row, grid)?;
        Ok(CellHeader { row, column, style })
    }

    fn go_to(&mut self, row: u32, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
        if row != self.row.number() {
            grid.row(&mut self.row)?;
            self.row.begin(row);
        }
        self.row.is_hidden = self.hidden_rows.contains(&row);
        self.waiting = None;
        Ok(())
    }

    fn number(&mut self, value: f64, head: &CellHeader) {
        debug_assert!(head.row == self.row.number());
        let out = self.row.cell(head.column);
        match value.is_finite() {
            true => self.book.styles.push_number(value, head.style, out),
            false => push_general(value, out),
        }
        self.row.hide(self.book.styles.hides(head.style, false, false));
    }

    fn numbers(&mut self, mut fields: BiffFields<'_>, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
        let (row, mut column) = (u32::from(fields.u16()) + 1, u32::from(fields.u16()) + 1);
        self.go_to(row, grid)?;
        // The last column follows the last number.
        while fields.len() >= 6 {
            let (style, number) = (u32::from(fields.u16()), fields.u32());
            self.number(compact_number(number), &CellHeader { row, column, style });
            column += 1;
        }
        Ok(())
    }

    fn text(&mut self, text: &str, head: &CellHeader) {
        let out = self.row.cell(head.column);
        match self.book.styles.of(head.style) {
            Some(format) => format.push_text(text, out),
            None => out.push_str(text),
        }
        self.row.hide(self.book.styles.hides(head.style, true, false));
    }

    /// Writes the last calculated value of a formula.
    fn formula(&mut self, mut fields: BiffFields<'_>, head: &CellHeader) {
        let result = fields.bytes(8);
        match *result {
            [0, .., 0xff, 0xff] => self.waiting = Some((head.column, head.style)),
            [1, _, value, .., 0xff, 0xff] => self.row.cell(head.column).push_str(truth_name(value != 0)),
            [2, _, error, .., 0xff, 0xff] => self.row.cell(head.column).push_str(error_name(error)),
            [_, .., 0xff, 0xff] => {}
            _ => self.number(BiffFields::of(result).f64(), head),
        }
    }

    fn formula_text(&mut self, stream: &mut BiffStream<'_>) -> Result<(), Problem> {
        let Some((column, style)) = self.waiting.take() else { return Ok(()) };
        let text = match self.book.version {
            BiffVersion::Biff8 => ContinuedContent::new(stream, 0).text()?,
            version => BiffFields::of(&stream.content).text(
                version,
                self.book.code_page,
                version > BiffVersion::Biff2,
            ),
        };
        let row = self.row.number();
        self.text(&text, &CellHeader { row, column, style });
        Ok(())
    }
}
