//! The records before the sheets: names of sheets, styles, shared strings.

use super::super::number::{CellStyles, DateEpoch};
use super::super::strings::SharedStrings;
use super::biff::BiffStream;
use super::fields::{BiffFields, BiffVersion, ContinuedContent};
use crate::limits::sheets::MAX_SHEETS;
use pensieve_text::model::{Problem, ProblemKind};

const BOUND_SHEET: u16 = 0x85;
const CODE_PAGE: u16 = 0x42;
const DATE_MODE: u16 = 0x22;
const FILE_PASS: u16 = 0x2f;
const SHARED_STRINGS: u16 = 0xfc;
pub(super) const END: u16 = 0x0a;

/// The data that the sheets of a workbook share.
pub(super) struct XlsWorkbook {
    pub version: BiffVersion,
    pub code_page: u32,
    pub styles: CellStyles,
    pub strings: SharedStrings,
    pub sheets: Vec<XlsSheet>,
    pub problems: Vec<Problem>,
    /// The number of formats so far, since the oldest versions number them by their order.
    formats: u32,
}

/// A sheet in the list of the workbook.
pub(super) struct XlsSheet {
    pub name: String,
    pub is_hidden: bool,
    /// The start of its records in the stream.
    pub at: u64,
    /// True for modules of macros, which are not sheets.
    pub is_module: bool,
}

/// The version that the first record of a workbook or sheet names.
pub(super) fn version_of(kind: u16, content: &[u8]) -> Option<BiffVersion> {
    let mut fields = BiffFields::of(content);
    match (kind, fields.u16()) {
        (0x0009, _) => Some(BiffVersion::Biff2),
        (0x0209, _) => Some(BiffVersion::Biff3),
        (0x0409, _) => Some(BiffVersion::Biff4),
        (0x0809, 0x0600) => Some(BiffVersion::Biff8),
        (0x0809, _) => Some(BiffVersion::Biff5),
        _ => None,
    }
}

impl XlsWorkbook {
    /// Reads everything before the sheets.
    ///
    /// # Errors
    /// `Encrypted`; `Damaged` if there is no first record.
    pub fn read(stream: &mut BiffStream<'_>) -> Result<XlsWorkbook, Problem> {
        let damaged =
            || Problem::new(ProblemKind::Damaged, "the workbook stream does not begin with its first record");
        if !stream.next()? {
            return Err(damaged());
        }
        let version = version_of(stream.kind, &stream.content).ok_or_else(damaged)?;
        let mut book = XlsWorkbook {
            version,
            code_page: 1252,
            styles: CellStyles::default(),
            strings: SharedStrings::default(),
            sheets: Vec::new(),
            problems: Vec::new(),
            formats: 0,
        };
        while stream.next()? {
            match stream.kind {
                // Old workbooks are one sheet, or consecutive sheets.
                END if book.version >= BiffVersion::Biff5 => break,
                SHARED_STRINGS => book.shared_strings(stream)?,
                _ => book.global(stream)?,
            }
        }
        book.problems.extend(book.strings.problem());
        Ok(book)
    }

    /// Reads a record before the sheets or, in old versions, before the cells.
    fn global(&mut self, stream: &BiffStream<'_>) -> Result<(), Problem> {
        let mut fields = BiffFields::of(&stream.content);
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
            DATE_MODE if fields.u16() == 1 => self.styles.epoch = DateEpoch::Year1904,
            BOUND_SHEET if self.sheets.len() < MAX_SHEETS => {
                let at = u64::from(fields.u32());
                let (state, kind) = (fields.u8(), fields.u8());
                let name = fields.text(self.version, self.code_page, false);
                self.sheets.push(XlsSheet { name, is_hidden: state & 3 != 0, at, is_module: kind == 6 });
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

    fn format(&mut self, kind: u16, mut fields: BiffFields<'_>) {
        let id = match (kind, self.version) {
            (0x41e, BiffVersion::Biff5 | BiffVersion::Biff8) => u32::from(fields.u16()),
            (0x41e, _) => {
                fields.skip(2);
                self.formats
            }
            _ => self.formats,
        };
        self.formats += 1;
        let code = fields.text(self.version, self.code_page, self.version == BiffVersion::Biff8);
        self.styles.define(id, code);
    }

    fn shared_strings(&mut self, stream: &mut BiffStream<'_>) -> Result<(), Problem> {
        let mut chain = ContinuedContent::new(stream, 8);
        while chain.has_more()? && !self.strings.is_full() {
            self.strings.push_str(&chain.text()?);
            self.strings.end();
        }
        Ok(())
    }
}
