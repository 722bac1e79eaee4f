//! The order of the sheets in the stream, and where each begins.

use super::super::grid::SheetGrid;
use super::biff::BiffStream;
use super::book::{END, XlsWorkbook, version_of};
use super::cells::XlsSheetReader;
use super::fields::{BiffFields, BiffVersion};
use crate::limits::sheets::MAX_SHEETS;
use pensieve_text::model::{Problem, ProblemKind};

const SHEET_HEADER: u16 = 0x8f;
const MERGED_CELLS: u16 = 0xe5;
const LINK: u16 = 0x1b8;

/// The class of an address as links store it ([MS-OSHARED] 2.3.7.6), in bytes as they stand.
const URL_CLASS: [u8; 16] =
    [0xe0, 0xc9, 0xea, 0x79, 0xf9, 0xba, 0xce, 0x11, 0x8c, 0x82, 0x00, 0xaa, 0x00, 0x4b, 0xa9, 0x0b];

/// Reads the sheets into the grid.
///
/// # Errors
/// The grid's and the stream's.
pub(super) fn read_sheets(
    book: &mut XlsWorkbook,
    stream: &mut BiffStream<'_>,
    has_comments: bool,
    grid: &mut SheetGrid<'_>,
) -> Result<(), Problem> {
    if book.sheets.is_empty() {
        return read_unnamed(book, stream, has_comments, grid);
    }
    let sheets: Vec<(String, bool, u64)> = book
        .sheets
        .iter()
        .filter(|sheet| !sheet.is_module)
        .map(|sheet| (sheet.name.clone(), sheet.is_hidden, sheet.at))
        .collect();
    for (name, is_hidden, at) in sheets {
        if grid.is_full() {
            break;
        }
        grid.begin(&name, is_hidden)?;
        find_lists(stream, at, grid)?;
        stream.go_to(at);
        let begins = stream.next()? && version_of(stream.kind, &stream.content).is_some();
        let is_whole = begins && XlsSheetReader::new(book, has_comments).read(stream, grid)?;
        if !is_whole {
            let what = if begins { "is cut" } else { "is not where the workbook says" };
            let message = format!("the sheet `{name}` {what}");
            book.problems.push(Problem::new(ProblemKind::Damaged, message));
        }
    }
    Ok(())
}

/// Finds the labels that are merged over rows, and the links, in the sheet at this place: their records follow those of the
/// cells.
fn find_lists(stream: &mut BiffStream<'_>, at: u64, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
    stream.go_to(at);
    if !stream.next()? || version_of(stream.kind, &stream.content).is_none() {
        return Ok(());
    }
    // Charts are inside sheets.
    let mut inner = 0_usize;
    while stream.next()? {
        match stream.kind {
            END if inner == 0 => break,
            END => inner -= 1,
            kind if version_of(kind, &stream.content).is_some() => inner += 1,
            MERGED_CELLS if inner == 0 => {
                let mut fields = BiffFields::of(&stream.content);
                for _ in 0..fields.u16() {
                    let (first, last, column) = (fields.u16(), fields.u16(), fields.u16());
                    fields.skip(2);
                    grid.merge_down(u32::from(first) + 1, u32::from(column) + 1, u32::from(last) + 1);
                }
            }
            LINK if inner == 0 => {
                let mut fields = BiffFields::of(&stream.content);
                let (row, _, column, _) = (fields.u16(), fields.u16(), fields.u16(), fields.u16());
                if let Some(address) = address_of(fields) {
                    grid.link((u32::from(row) + 1, u32::from(column) + 1), &address);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The address in the rest of a link's record ([MS-OSHARED] 2.3.7.1), if it leads out of the workbook.
fn address_of(mut fields: BiffFields<'_>) -> Option<String> {
    const HAS_MONIKER: u32 = 0x01;
    const HAS_DISPLAY_NAME: u32 = 0x10;
    const HAS_FRAME: u32 = 0x80;
    const IS_TEXT: u32 = 0x100;
    // The class of links, and the version of what follows.
    fields.skip(20);
    let flags = fields.u32();
    for flag in [HAS_DISPLAY_NAME, HAS_FRAME] {
        if flags & flag != 0 {
            let units = fields.u32() as usize;
            fields.skip(units.saturating_mul(2));
        }
    }
    if flags & HAS_MONIKER == 0 {
        return None;
    }
    let bytes = if flags & IS_TEXT != 0 {
        (fields.u32() as usize).saturating_mul(2)
    } else if fields.bytes(URL_CLASS.len()) == URL_CLASS {
        fields.u32() as usize
    } else {
        return None;
    };
    let units = fields.bytes(bytes).chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
    Some(String::from_utf16_lossy(&units.take_while(|&unit| unit != 0).collect::<Vec<u16>>()))
}

/// Reads a stream without names of sheets: the sheets of Excel 2 to 4, or the rest of a damaged later workbook.
fn read_unnamed(
    book: &mut XlsWorkbook,
    stream: &mut BiffStream<'_>,
    has_comments: bool,
    grid: &mut SheetGrid<'_>,
) -> Result<(), Problem> {
    stream.go_to(0);
    let mut number = 0;
    while stream.next()? && number < MAX_SHEETS && !grid.is_full() {
        let name = match stream.kind {
            SHEET_HEADER => {
                let mut fields = BiffFields::of(&stream.content);
                fields.skip(4);
                let name = fields.text(BiffVersion::Biff4, book.code_page, false);
                if !stream.next()? {
                    break;
                }
                Some(name)
            }
            _ => None,
        };
        // 0x100 begins a workbook of Excel 4, 5 the globals of a later one: their sheets follow.
        let is_front = stream.content.get(2..4).is_some_and(|kind| matches!(kind, [0, 1] | [5, 0]));
        if version_of(stream.kind, &stream.content).is_none() || is_front {
            continue;
        }
        number += 1;
        grid.begin(&name.unwrap_or_else(|| format!("Sheet{number}")), false)?;
        XlsSheetReader::new(book, has_comments).read(stream, grid)?;
    }
    if number == 0 {
        book.problems.push(Problem::new(ProblemKind::Damaged, "the workbook has no sheet"));
    }
    Ok(())
}
