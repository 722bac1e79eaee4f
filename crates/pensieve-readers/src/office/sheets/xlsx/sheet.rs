//! The cells of a sheet, streamed.

use super::super::grid::SheetGrid;
use super::super::number::{CellStyles, push_general, truth_name};
use super::super::rich_text::RichText;
use super::super::row::{RowCells, cell_reference, column_of, link_of_formula, push_link};
use super::super::stream::{StreamTag, XmlStream, XmlToken, local, resolve};
use super::super::unescape::unescape_characters;
use super::super::workbook::CellContext;
use super::parts::shift_of;
use crate::limits::sheets::MAX_CELL_BYTES;
use pensieve_text::model::Problem;
use std::borrow::Cow;
use std::io::Read;

/// The type of a cell's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum CellType {
    #[default]
    Number,
    Shared,
    Text,
    Truth,
    AsWritten,
}

/// The cell that is being read.
#[derive(Default)]
struct XlsxCell {
    column: u32,
    style: u32,
    kind: CellType,
    /// The text of the value, and of the inline string.
    value: String,
    inline: String,
    runs: RichText,
    formula: String,
    is_formula_open: bool,
    is_value_open: bool,
    is_inline_open: bool,
}

/// Finds the labels that are merged over rows, and the links of cells, whose addresses are relations of the part. Their lists
/// follow the rows, so the part is searched once before it is read: the sheet is unpacked a second time.
pub(super) fn find_lists(
    mut source: impl Read,
    address_of: impl Fn(&str) -> Option<String>,
    grid: &mut SheetGrid<'_>,
) {
    // The longest first; all but merged cells and links may colour any cell.
    const LISTS: [&[u8]; 5] =
        [b"conditionalFormatting", b"mergeCells", b"hyperlinks", b"tableParts", b"<picture"];
    let (mut block, mut kept) = (vec![0; 64 << 10], 0);
    let rest = loop {
        let Ok(count @ 1..) = source.read(&mut block[kept..]) else { return };
        let end = kept + count;
        if let Some(at) = LISTS.iter().filter_map(|list| memchr::memmem::find(&block[..end], list)).min() {
            let is_list = |list: &[u8]| block[at..end].starts_with(list);
            grid.is_coloured |= !is_list(b"mergeCells") && !is_list(b"hyperlinks");
            break block[at..end].to_vec();
        }
        // The word may lie across the border.
        kept = end.min(LISTS[0].len() - 1);
        block.copy_within(end - kept..end, 0);
    };
    let mut stream = XmlStream::new(rest.as_slice().chain(source));
    while let Some(token) = stream.next() {
        let XmlToken::Start(tag) = token else { continue };
        grid.is_coloured |= matches!(tag.name, b"conditionalFormatting" | b"tableParts" | b"picture");
        if tag.name == b"hyperlink" {
            let place = tag.get("ref").and_then(|cell| cell_reference(&cell));
            let address = tag.get("id").and_then(|id| address_of(&id));
            if let Some((place, address)) = place.zip(address) {
                grid.link(place, &address);
            }
        }
        let range = tag.get("ref").filter(|_| tag.name == b"mergeCell");
        let ends = range.as_deref().and_then(|range| range.split_once(':'));
        let ends = ends.and_then(|(first, last)| cell_reference(first).zip(cell_reference(last)));
        if let Some(((row, column), (last, _))) = ends {
            grid.merge_down(row, column, last);
        }
    }
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
    let mut stream = XmlStream::new(source);
    let mut row = RowCells::default();
    let mut cell = XlsxCell::default();
    while let Some(token) = stream.next() {
        match token {
            XmlToken::Start(tag) => match tag.name {
                b"c" => cell.begin(&tag),
                b"col" if is_hidden(&tag, "width") => {
                    if let Some((first, last)) = tag.number("min").zip(tag.number("max")) {
                        grid.hide_columns(first, last);
                    }
                }
                b"v" => cell.is_value_open = true,
                b"t" => cell.is_inline_open = true,
                b"r" => cell.runs.begin_run(),
                b"vertAlign" => cell.runs.shift(shift_of(&tag)),
                b"row" => {
                    let number = tag.number("r").unwrap_or_else(|| row.number().saturating_add(1));
                    row.begin(number);
                    row.is_hidden = is_hidden(&tag, "ht");
                    cell.column = 0;
                }
                b"f" => cell.is_formula_open = true,
                b"rPh" => stream.skip_element(),
                _ => {}
            },
            XmlToken::Text(raw) => cell.push(&text_of(raw)),
            XmlToken::Verbatim(raw) => cell.push(&String::from_utf8_lossy(raw)),
            XmlToken::End(name) => match name {
                b"v" => cell.is_value_open = false,
                b"f" => cell.is_formula_open = false,
                b"t" => cell.is_inline_open = false,
                b"c" => {
                    cell.end(cells, !grid.is_coloured, &mut row);
                    cell.clear();
                }
                b"row" => {
                    grid.row(&mut row)?;
                    let number = row.number();
                    row.begin(number);
                    if grid.is_full() {
                        break;
                    }
                }
                b"sheetData" => break,
                _ => {}
            },
        }
    }
    // A cell and a row without an end count as well.
    cell.end(cells, !grid.is_coloured, &mut row);
    grid.row(&mut row)?;
    grid.end_block()?;
    Ok(stream.broken().map(str::to_owned))
}

/// True for a row or a column that is hidden, or has no height or no width.
fn is_hidden(tag: &StreamTag<'_>, size: &str) -> bool {
    is_on(tag, "hidden") || tag.get(size).is_some_and(|size| size.parse() == Ok(0.0))
}

fn is_on(tag: &StreamTag<'_>, name: &str) -> bool {
    matches!(tag.get(name).as_deref(), Some("1" | "true"))
}

fn text_of(raw: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(raw) {
        Ok(text) if memchr::memchr(b'&', raw).is_none() => text.into(),
        _ => resolve(raw),
    }
}

impl XlsxCell {
    /// Adds characters to the value or to the inline string, whichever is open.
    fn push(&mut self, text: &str) {
        if self.is_formula_open {
            if self.formula.len() <= MAX_CELL_BYTES {
                self.formula.push_str(text);
            }
        } else if self.is_value_open {
            if self.value.len() <= MAX_CELL_BYTES {
                self.value.push_str(text);
            }
        } else if self.is_inline_open && self.inline.len() <= MAX_CELL_BYTES {
            self.runs.push(text, |words| self.inline.push_str(words));
        }
    }

    fn clear(&mut self) {
        self.value.clear();
        self.inline.clear();
        self.formula.clear();
    }

    fn begin(&mut self, tag: &StreamTag<'_>) {
        self.clear();
        (self.style, self.kind) = (0, CellType::Number);
        let mut column = None;
        for (key, value) in tag.attributes() {
            match local(key) {
                b"r" => {
                    let letters = value.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                    column = column_of(&value[..letters]);
                }
                b"s" => {
                    self.style = std::str::from_utf8(value).ok().and_then(|id| id.parse().ok()).unwrap_or(0)
                }
                b"t" => {
                    self.kind = match value {
                        b"s" => CellType::Shared,
                        b"str" | b"inlineStr" => CellType::Text,
                        b"b" => CellType::Truth,
                        b"e" | b"d" => CellType::AsWritten,
                        _ => CellType::Number,
                    }
                }
                _ => {}
            }
        }
        self.column = column.unwrap_or_else(|| self.column.saturating_add(1));
    }

    fn end(&mut self, cells: &CellContext<'_>, is_plain: bool, row: &mut RowCells) {
        self.runs.end(|words| self.inline.push_str(words));
        let has_value = !self.value.is_empty() || !self.inline.is_empty();
        if self.column == 0 || !has_value && self.formula.is_empty() {
            return;
        }
        let out = row.cell(self.column);
        match has_value {
            true => self.push_value(cells, out),
            // Nobody has calculated it yet.
            false => out.push_str(&format!("={}", self.formula)),
        }
        if let Some(address) = link_of_formula(&self.formula).filter(|_| has_value) {
            push_link(out, address);
        }
        let is_text = matches!(self.kind, CellType::Shared | CellType::Text);
        if is_text || self.kind == CellType::Number {
            row.hide(cells.styles.hides(self.style, is_text, is_plain));
        }
    }

    fn push_value(&self, cells: &CellContext<'_>, out: &mut String) {
        let value = self.value.trim();
        match self.kind {
            _ if value.is_empty() => {
                cells.styles.push_text(&unescape_characters(&self.inline), self.style, out)
            }
            CellType::Shared => match value.parse() {
                Ok(number) => cells.push_shared(number, self.style, out),
                Err(_) => out.push_str(value),
            },
            CellType::Text => cells.styles.push_text(&unescape_characters(&self.value), self.style, out),
            CellType::Truth => out.push_str(truth_name(value != "0" && value != "false")),
            CellType::AsWritten => out.push_str(value),
            CellType::Number => push_number(value, cells.styles, self.style, out),
        }
    }
}

/// A number as it is written, if it is also shown that way.
fn push_number(value: &str, styles: &CellStyles, style: u32, out: &mut String) {
    let format = styles.of(style);
    let is_short = value.len() < 16 && value.bytes().all(|byte| byte.is_ascii_digit());
    if format.is_none() && is_short && (!value.starts_with('0') || value == "0") {
        return out.push_str(value);
    }
    match (value.parse(), format) {
        (Ok(number), Some(format)) => format.push_number(number, styles.epoch, out),
        (Ok(number), None) => push_general(number, out),
        (Err(_), _) => out.push_str(value),
    }
}
