//! The records in front of the sheets: names of sheets, styles, shared strings; and the order of everything.

use super::super::grid::Grid;
use super::super::number::{Epoch, Styles};
use super::super::strings::SharedStrings;
use super::biff::Stream;
use super::cells::SheetReader;
use super::text::{Chain, Edition, Fields};
use pensieve_text::model::{Problem, ProblemKind};

const BOUND_SHEET: u16 = 0x85;
const SHEET_HEADER: u16 = 0x8f;
const CODE_PAGE: u16 = 0x42;
const DATE_MODE: u16 = 0x22;
const FILE_PASS: u16 = 0x2f;
const SHARED_STRINGS: u16 = 0xfc;
pub(super) const END: u16 = 0x0a;

/// Sheets that a workbook may have.
const MOST_SHEETS: usize = 10_000;

/// What the sheets of a workbook share.
pub(super) struct Book {
    pub edition: Edition,
    pub code_page: u32,
    pub styles: Styles,
    pub strings: SharedStrings,
    pub sheets: Vec<Sheet>,
    pub problems: Vec<Problem>,
    /// How many formats were numbered by their order, as the oldest editions do.
    formats: u32,
}

/// A sheet as the workbook names it.
pub(super) struct Sheet {
    pub name: String,
    pub is_hidden: bool,
    at: u64,
    /// True for modules of macros, which are no sheets.
    is_module: bool,
}

/// The edition that the first record of a workbook or sheet tells.
pub(super) fn edition_of(kind: u16, content: &[u8]) -> Option<Edition> {
    let mut fields = Fields::of(content);
    match (kind, fields.u16()) {
        (0x0009, _) => Some(Edition::Biff2),
        (0x0209, _) => Some(Edition::Biff3),
        (0x0409, _) => Some(Edition::Biff4),
        (0x0809, 0x0600) => Some(Edition::Biff8),
        (0x0809, _) => Some(Edition::Biff5),
        _ => None,
    }
}

impl Book {
    /// Reads everything in front of the sheets.
    ///
    /// # Errors
    /// `Encrypted`; `Damaged` where the records do not begin.
    pub fn read(stream: &mut Stream<'_>) -> Result<Book, Problem> {
        let damaged =
            || Problem::new(ProblemKind::Damaged, "the workbook stream does not begin with its first record");
        if !stream.next()? {
            return Err(damaged());
        }
        let edition = edition_of(stream.kind, &stream.content).ok_or_else(damaged)?;
        let mut book = Book {
            edition,
            code_page: 1252,
            styles: Styles::default(),
            strings: SharedStrings::default(),
            sheets: Vec::new(),
            problems: Vec::new(),
            formats: 0,
        };
        while stream.next()? {
            match stream.kind {
                // Old workbooks are one sheet, or sheets one behind the other.
                END if book.edition >= Edition::Biff5 => break,
                SHARED_STRINGS => book.shared_strings(stream)?,
                _ => book.global(stream)?,
            }
        }
        book.problems.extend(book.strings.problem());
        Ok(book)
    }

    /// A record that may stand in front of the sheets or, in old editions, in front of the cells.
    fn global(&mut self, stream: &Stream<'_>) -> Result<(), Problem> {
        let mut fields = Fields::of(&stream.content);
        match stream.kind {
            FILE_PASS => {
                return Err(Problem::new(
                    ProblemKind::Encrypted,
                    "the workbook is encrypted with a password",
                ));
            }
            CODE_PAGE => {
                self.code_page = match fields.u16() {
                    0x8000 => 10_000,
                    0x8001 => 1252,
                    page => u32::from(page),
                };
            }
            DATE_MODE if fields.u16() == 1 => self.styles.epoch = Epoch::Year1904,
            BOUND_SHEET if self.sheets.len() < MOST_SHEETS => {
                let at = u64::from(fields.u32());
                let (state, kind) = (fields.u8(), fields.u8());
                let name = fields.text(self.edition, self.code_page, false);
                self.sheets.push(Sheet { name, is_hidden: state & 3 != 0, at, is_module: kind == 6 });
            }
            0x1e | 0x41e => self.format(stream.kind, fields),
            0xe0 => {
                fields.skip(2);
                self.styles.push(u32::from(fields.u16()));
            }
            0x243 | 0x443 => {
                fields.skip(1);
                self.styles.push(u32::from(fields.u8()));
            }
            0x43 => {
                fields.skip(2);
                self.styles.push(u32::from(fields.u8() & 0x3f));
            }
            _ => {}
        }
        Ok(())
    }

    fn format(&mut self, kind: u16, mut fields: Fields<'_>) {
        let id = match (kind, self.edition) {
            (0x41e, Edition::Biff5 | Edition::Biff8) => u32::from(fields.u16()),
            (0x41e, _) => {
                fields.skip(2);
                self.formats
            }
            _ => self.formats,
        };
        self.formats += 1;
        let code = fields.text(self.edition, self.code_page, self.edition == Edition::Biff8);
        self.styles.define(id, code);
    }

    fn shared_strings(&mut self, stream: &mut Stream<'_>) -> Result<(), Problem> {
        let mut chain = Chain::new(stream, 8);
        while chain.has_more()? && !self.strings.is_full() {
            self.strings.push_str(&chain.text()?);
            self.strings.end();
        }
        Ok(())
    }

    /// Reads the sheets into the grid.
    ///
    /// # Errors
    /// The grid's and the stream's.
    pub fn read_sheets(
        &mut self,
        stream: &mut Stream<'_>,
        has_comments: bool,
        grid: &mut Grid<'_>,
    ) -> Result<(), Problem> {
        if self.sheets.is_empty() {
            return self.read_bare(stream, has_comments, grid);
        }
        let sheets: Vec<(String, u64)> = self
            .sheets
            .iter()
            .filter(|sheet| !sheet.is_module)
            .map(|sheet| (sheet.name.clone(), sheet.at))
            .collect();
        for (name, at) in sheets {
            if grid.is_full() {
                break;
            }
            grid.begin(&name)?;
            stream.go_to(at);
            let begins = stream.next()? && edition_of(stream.kind, &stream.content).is_some();
            let is_whole = begins && SheetReader::new(self, has_comments).read(stream, grid)?;
            if !is_whole {
                let what = if begins { "is cut" } else { "is not where the workbook says" };
                let message = format!("the sheet `{name}` {what}");
                self.problems.push(Problem::new(ProblemKind::Damaged, message));
            }
        }
        Ok(())
    }

    /// A stream without names of sheets: the sheets of Excel 2 to 4, or what is left of a later workbook.
    fn read_bare(
        &mut self,
        stream: &mut Stream<'_>,
        has_comments: bool,
        grid: &mut Grid<'_>,
    ) -> Result<(), Problem> {
        stream.go_to(0);
        let mut number = 0;
        while stream.next()? && number < MOST_SHEETS && !grid.is_full() {
            let name = match stream.kind {
                SHEET_HEADER => {
                    let mut fields = Fields::of(&stream.content);
                    fields.skip(4);
                    let name = fields.text(Edition::Biff4, self.code_page, false);
                    if !stream.next()? {
                        break;
                    }
                    Some(name)
                }
                _ => None,
            };
            // 0x100 is a workbook of Excel 4, and 5 the front of a later one: their sheets follow.
            let is_front = stream.content.get(2..4).is_some_and(|kind| matches!(kind, [0, 1] | [5, 0]));
            if edition_of(stream.kind, &stream.content).is_none() || is_front {
                continue;
            }
            number += 1;
            grid.begin(&name.unwrap_or_else(|| format!("Sheet{number}")))?;
            SheetReader::new(self, has_comments).read(stream, grid)?;
        }
        if number == 0 {
            self.problems.push(Problem::new(ProblemKind::Damaged, "the workbook has no sheet"));
        }
        Ok(())
    }
}
