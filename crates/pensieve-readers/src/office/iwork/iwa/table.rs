//! Tables of IWA: a model, lists of strings and formats, and tiles of packed rows.
//!
//! Cells are packed in one of two forms: `5`, written since 2019, with numbers as decimal128, and the older ones with
//! doubles. Merged cells are not distinguished from empty ones. Source: `TST` messages of the programs' descriptors;
//! layouts found in files.

use super::super::grid::{Grid, NumberFormat, NumberKind, date, duration, number};
use super::objects::ObjectStore;
use super::wire::ProtobufMessage;
use crate::limits::iwork::{MAX_LIST_ENTRIES, MAX_TABLE_CELLS, MAX_TABLE_TEXT_BYTES};
use std::collections::{HashMap, HashSet};

/// Rows of a tile, if the model does not set the number.
const TILE_ROWS: u64 = 256;

/// A comment on a cell.
pub(super) type CellComment = u64;

/// The content of a table.
#[derive(Default)]
pub(super) struct TableContents {
    pub grid: Grid,
    /// Storages of cells whose text has styles, with the number of the cell in the grid.
    pub rich: Vec<(usize, u64)>,
    /// Comments on cells, by the numbers of their storages.
    pub comments: Vec<CellComment>,
    /// There are more cells than are kept.
    pub is_cut: bool,
    size: usize,
}

/// The lists that cells refer to.
struct SharedLists<'s> {
    strings: HashMap<u64, &'s [u8]>,
    rich: HashMap<u64, u64>,
    formats: HashMap<u64, NumberFormat>,
    comments: HashMap<u64, u64>,
}

/// Reads a table from its model.
///
/// Many tables may share a list: `spend` returns whether this many further bytes may be read.
pub(super) fn read_table(
    store: &ObjectStore,
    model: ProtobufMessage<'_>,
    spend: &mut dyn FnMut(usize) -> bool,
) -> TableContents {
    let data = model.message(4);
    let is_affordable = [4, 17, 22, 11, 19].iter().all(|field| spend(store.follow(data, *field).0.len()));
    if !is_affordable {
        return TableContents { is_cut: true, ..TableContents::default() };
    }
    let lists = SharedLists {
        strings: entries(store, data, 4).filter_map(|(key, entry)| Some((key, entry.bytes(3)?))).collect(),
        rich: entries(store, data, 17).filter_map(|(key, entry)| Some((key, entry.reference(9)?))).collect(),
        formats: entries(store, data, 22)
            .chain(entries(store, data, 11))
            .filter_map(|(key, entry)| Some((key, format_of(entry.message(6))?)))
            .collect(),
        comments: entries(store, data, 19)
            .filter_map(|(key, entry)| Some((key, entry.reference(10)?)))
            .collect(),
    };
    let mut found = TableContents::default();
    found.grid.name = model.text(8).trim().to_owned();
    found.grid.shows_name = model.is(22);
    let storage = data.message(3);
    let tile_rows = storage.number(2).filter(|rows| *rows > 0).unwrap_or(TILE_ROWS);
    let mut tiles: Vec<(u64, u64)> = storage
        .messages(1)
        .filter_map(|tile| Some((tile.number(1).unwrap_or(0), tile.reference(2)?)))
        .collect();
    tiles.sort_unstable();
    let mut seen = HashSet::new();
    for (tile, identifier) in tiles {
        let Some(object) = store.get(identifier).filter(|_| seen.insert(identifier)) else { continue };
        if !spend(object.message.0.len()) {
            found.is_cut = true;
            break;
        }
        let mut rows: Vec<(u64, ProtobufMessage<'_>)> =
            object.message.messages(5).map(|row| (row.number(1).unwrap_or(0), row)).collect();
        rows.sort_by_key(|(row, _)| *row);
        for (row, message) in rows {
            let row = tile.saturating_mul(tile_rows).saturating_add(row);
            let Ok(row) = u32::try_from(row) else { continue };
            if found.grid.cells.len() >= MAX_TABLE_CELLS || found.size > MAX_TABLE_TEXT_BYTES {
                found.is_cut = true;
                return found;
            }
            read_row(row, message, &lists, &mut found);
        }
    }
    found
}

/// The entries of a list and of its segments, by their keys.
fn entries<'s>(
    store: &'s ObjectStore,
    data: ProtobufMessage<'_>,
    field: u32,
) -> impl Iterator<Item = (u64, ProtobufMessage<'s>)> {
    let list = store.follow(data, field);
    let segments = list.references(4).filter_map(|identifier| store.get(identifier));
    let keyed = |entry: ProtobufMessage<'s>| Some((entry.number(1)?, entry));
    list.messages(3)
        .chain(segments.flat_map(|segment| segment.message.messages(3)))
        .filter_map(keyed)
        .take(MAX_LIST_ENTRIES)
}

fn format_of(format: ProtobufMessage<'_>) -> Option<NumberFormat> {
    let kind = match format.number(1)? {
        257 => NumberKind::Currency,
        258 => NumberKind::Percent,
        256 => NumberKind::Plain,
        _ => return None,
    };
    // 253 means all digits.
    let decimals =
        format.number(2).and_then(|places| u8::try_from(places).ok()).filter(|places| *places < 20);
    Some(NumberFormat { kind, decimals, currency: format.text(3).into_owned() })
}

fn read_row(row: u32, message: ProtobufMessage<'_>, lists: &SharedLists<'_>, found: &mut TableContents) {
    let wide = if message.is(8) { 4 } else { 1 };
    let newer = message.bytes(6).zip(message.bytes(7)).filter(|(cells, _)| !cells.is_empty());
    let older = || message.bytes(3).zip(message.bytes(4));
    let Some((cells, offsets)) = newer.or_else(older) else { return };
    for (column, offset) in offsets.as_chunks::<2>().0.iter().enumerate() {
        let offset = u16::from_le_bytes(*offset);
        if offset == u16::MAX {
            continue;
        }
        let Some(cell) = cells.get(usize::from(offset) * wide..) else { continue };
        let Some(cell) = read_cell(cell) else { continue };
        if let Some(comment) = cell.comment.and_then(|key| lists.comments.get(&key)) {
            found.comments.push(*comment);
        }
        let rich = cell.rich.and_then(|key| lists.rich.get(&key));
        let before = found.grid.cells.len();
        let text = if rich.is_some() { "\u{fffc}".to_owned() } else { shown(&cell, lists) };
        found.size += text.len();
        found.grid.push(row, column as u32, 1, text);
        if found.size > MAX_TABLE_TEXT_BYTES {
            return;
        }
        if let (Some(storage), true) = (rich, found.grid.cells.len() > before) {
            found.rich.push((before, *storage));
        }
    }
}

/// A cell, unpacked.
#[derive(Debug, Default, PartialEq)]
struct CellRecord {
    kind: u8,
    decimal: Option<f64>,
    double: Option<f64>,
    seconds: Option<f64>,
    string: Option<u64>,
    rich: Option<u64>,
    format: Option<u64>,
    comment: Option<u64>,
    is_error: bool,
}

fn read_cell(bytes: &[u8]) -> Option<CellRecord> {
    match *bytes.first()? {
        5 => read_newer(bytes),
        0..=4 => read_older(bytes),
        _ => None,
    }
}

/// Version 5: the fields that bits 0 to 19 announce, one after the other.
fn read_newer(bytes: &[u8]) -> Option<CellRecord> {
    let flags = u32::from_le_bytes(*bytes.get(8..12)?.first_chunk()?);
    let mut rest = bytes.get(12..)?;
    let mut cell = CellRecord { kind: *bytes.get(1)?, ..CellRecord::default() };
    for bit in 0..20 {
        if flags & 1 << bit == 0 {
            continue;
        }
        match bit {
            0 => cell.decimal = Some(decimal128(take(&mut rest)?)),
            1 => cell.double = Some(f64::from_le_bytes(take(&mut rest)?)),
            2 => cell.seconds = Some(f64::from_le_bytes(take(&mut rest)?)),
            _ => {
                let value = Some(u64::from(u32::from_le_bytes(take(&mut rest)?)));
                match bit {
                    3 => cell.string = value,
                    4 => cell.rich = value,
                    11 => cell.is_error = true,
                    13 | 14 => cell.format = value,
                    19 => cell.comment = value,
                    _ => {}
                }
            }
        }
    }
    Some(cell)
}

/// Versions 0 to 4: four bytes for each of some bits, followed by the values.
fn read_older(bytes: &[u8]) -> Option<CellRecord> {
    let is_oldest = bytes[0] < 2;
    let flags = u32::from_le_bytes(*bytes.get(4..8)?.first_chunk()?);
    let at = |oldest: u32, later: u32| {
        let (start, mask) = if is_oldest { (8, oldest) } else { (12, later) };
        start + (flags & mask).count_ones() as usize * 4
    };
    let word = |at: usize| Some(u64::from(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    let double = |at: usize| Some(f64::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let mut cell = CellRecord { kind: *bytes.get(2)?, is_error: flags & 0x100 != 0, ..CellRecord::default() };
    if flags & 0x200 != 0 {
        cell.rich = word(at(0x018e, 0x0d8e));
    }
    if flags & 0x10 != 0 {
        cell.string = word(at(0x138e, 0x3f8e));
    }
    // The value of the previous field takes eight bytes: two words.
    let has_double = flags & 0x20 != 0;
    let double_at = at(0x139e, 0x3f9e);
    if has_double {
        cell.double = double(double_at);
    }
    if flags & 0x40 != 0 {
        cell.seconds = double(double_at + if has_double { 8 } else { 0 });
    }
    Some(cell)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (array, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*array)
}

/// IEEE 754 decimal128 in its binary form.
fn decimal128(bytes: [u8; 16]) -> f64 {
    const BIAS: i32 = 6176;
    let exponent = (i32::from(bytes[15] & 0x7f) << 7 | i32::from(bytes[14] >> 1)) - BIAS;
    let mut mantissa = u128::from(bytes[14] & 1);
    for byte in bytes[..14].iter().rev() {
        mantissa = mantissa << 8 | u128::from(*byte);
    }
    let sign = if bytes[15] & 0x80 != 0 { "-" } else { "" };
    format!("{sign}{mantissa}e{exponent}").parse().unwrap_or(f64::NAN)
}

/// The text of a cell.
fn shown(cell: &CellRecord, lists: &SharedLists<'_>) -> String {
    let value = cell.decimal.or(cell.double);
    match cell.kind {
        2 | 10 => value.map(|value| match cell.format.and_then(|key| lists.formats.get(&key)) {
            Some(format) => format.show(value),
            None => number(value),
        }),
        3 => cell
            .string
            .and_then(|key| lists.strings.get(&key))
            .map(|text| String::from_utf8_lossy(text).into_owned()),
        5 => cell.seconds.or(cell.double).map(date),
        6 => value.map(|value| if value > 0.0 { "TRUE".to_owned() } else { "FALSE".to_owned() }),
        7 => cell.double.or(cell.decimal).map(duration),
        _ => None,
    }
    .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_cells_are_unpacked() {
        let mut bytes = vec![5, 2, 0, 0, 0, 0, 0, 0, 0x01, 0x20, 0, 0];
        // 125 times ten to the power of -1.
        bytes.extend_from_slice(&[125, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3e, 0x30]);
        bytes.extend_from_slice(&[7, 0, 0, 0]);
        let cell = read_cell(&bytes).expect("the cell is whole");
        assert_eq!((cell.decimal, cell.format), (Some(12.5), Some(7)));
        assert_eq!(read_cell(&bytes[..20]), None);
        assert_eq!(read_cell(&[9]), None);
    }

    #[test]
    fn older_cells_are_unpacked() {
        let mut bytes = vec![3, 0, 2, 0, 0x22, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend_from_slice(&[1, 0, 0, 0]);
        bytes.extend_from_slice(&2.5_f64.to_le_bytes());
        assert_eq!(read_cell(&bytes).and_then(|cell| cell.double), Some(2.5));
    }

    /// A number as decimal128.
    fn decimal(mantissa: u64, exponent: i32, is_negative: bool) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&mantissa.to_le_bytes());
        let biased = (exponent + 6176) as u16;
        bytes[14] = (biased << 1) as u8;
        bytes[15] = (biased >> 7) as u8 | u8::from(is_negative) << 7;
        bytes
    }

    #[test]
    fn decimal_numbers_are_unpacked() {
        for (mantissa, exponent, is_negative, expected) in [
            (0, 0, false, 0.0),
            (125, -1, false, 12.5),
            (125, -1, true, -12.5),
            (3, 5, false, 300_000.0),
            (0x0102_0304, 0, false, 16_909_060.0),
            (1, 200, false, 1e200),
            (7, -300, true, -7e-300),
        ] {
            assert_eq!(decimal128(decimal(mantissa, exponent, is_negative)), expected);
        }
        let mut large = decimal(0, 0, false);
        large[14] |= 1;
        assert_eq!(decimal128(large), 2f64.powi(112));
        large[13] = 1;
        assert_eq!(decimal128(large), 2f64.powi(112) + 2f64.powi(104));
    }

    /// A cell of version 5 with all the fields of these flags, each its own number in 32 bits.
    fn newer(kind: u8, flags: u32) -> Vec<u8> {
        let mut bytes = vec![5, kind, 0, 0, 0, 0, 0, 0];
        bytes.extend(flags.to_le_bytes());
        for bit in (0..32).filter(|bit| flags & 1 << bit != 0) {
            match bit {
                0 => bytes.extend(decimal(15, -1, false)),
                1 => bytes.extend(2.5f64.to_le_bytes()),
                2 => bytes.extend(3.5f64.to_le_bytes()),
                bit => bytes.extend((100 + bit as u32).to_le_bytes()),
            }
        }
        bytes
    }

    #[test]
    fn fields_of_newer_cells_follow_their_flags() {
        let cell = CellRecord { kind: 3, ..CellRecord::default() };
        let string = CellRecord { kind: 3, string: Some(103), ..CellRecord::default() };
        for (flags, expected) in [
            (0, cell),
            (1 << 3, string),
            (1 << 4, CellRecord { kind: 3, rich: Some(104), ..CellRecord::default() }),
            (1 << 11, CellRecord { kind: 3, is_error: true, ..CellRecord::default() }),
            (1 << 13, CellRecord { kind: 3, format: Some(113), ..CellRecord::default() }),
            (1 << 13 | 1 << 14, CellRecord { kind: 3, format: Some(114), ..CellRecord::default() }),
            (1 << 19 | 1 << 20, CellRecord { kind: 3, comment: Some(119), ..CellRecord::default() }),
        ] {
            assert_eq!(read_cell(&newer(3, flags)), Some(expected), "{flags:x}");
        }
        let all = CellRecord {
            kind: 2,
            decimal: Some(1.5),
            double: Some(2.5),
            seconds: Some(3.5),
            string: Some(103),
            rich: Some(104),
            format: Some(114),
            comment: Some(119),
            is_error: true,
        };
        let bytes = newer(2, 0xf_ffff);
        assert_eq!(read_cell(&bytes), Some(all));
        assert_eq!(read_cell(&bytes[..bytes.len() - 1]), None);
        assert_eq!(read_cell(&newer(2, 0)[..11]), None);
    }

    /// A cell of an older version: its flags, and words of which each is its own number.
    fn older(version: u8, flags: u32, words: u32) -> Vec<u8> {
        let mut bytes = vec![version, 0, 9, 0];
        bytes.extend(flags.to_le_bytes());
        bytes.extend((0..words).flat_map(u32::to_le_bytes));
        bytes
    }

    #[test]
    fn fields_of_older_cells_follow_the_words_of_their_flags() {
        let field = |version: u8, flags: u32| {
            let cell = read_cell(&older(version, flags, 20)).expect("it is whole");
            assert_eq!((cell.kind, cell.is_error), (9, flags & 0x100 != 0));
            (cell.rich, cell.string)
        };
        // The first word is at byte 8, or at byte 12 of the later versions.
        assert_eq!([field(0, 0x200), field(1, 0x10)], [(Some(0), None), (None, Some(0))]);
        assert_eq!([field(2, 0x200), field(4, 0x10)], [(Some(1), None), (None, Some(1))]);
        assert_eq!(field(1, 0x3fff), (Some(5), Some(7)));
        assert_eq!(field(3, 0x3fff), (Some(8), Some(11)));
        assert_eq!(field(1, 0), (None, None));
        assert_eq!(read_cell(&older(5, 0, 0)), None);
        assert_eq!(read_cell(&older(1, 0x200, 0)).map(|cell| cell.rich), Some(None));
    }

    #[test]
    fn values_of_older_cells_take_two_words() {
        let with = |version: u8, flags: u32, words: usize, values: &[f64]| {
            let mut bytes = older(version, flags, 0);
            bytes.resize(bytes.len() + 4 * words, 0);
            values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
            read_cell(&bytes).map(|cell| (cell.double, cell.seconds))
        };
        assert_eq!(with(0, 0x20, 0, &[2.5]), Some((Some(2.5), None)));
        assert_eq!(with(0, 0x40, 0, &[2.5]), Some((None, Some(2.5))));
        assert_eq!(with(0, 0x60, 0, &[2.5, 3.5]), Some((Some(2.5), Some(3.5))));
        assert_eq!(with(3, 0x60, 1, &[2.5, 3.5]), Some((Some(2.5), Some(3.5))));
        assert_eq!(with(1, 0x3fff, 8, &[2.5, 3.5]), Some((Some(2.5), Some(3.5))));
        assert_eq!(with(3, 0x3fff, 12, &[2.5, 3.5]), Some((Some(2.5), Some(3.5))));
    }

    #[test]
    fn cells_show_their_values_by_kind() {
        let percent = NumberFormat { kind: NumberKind::Percent, ..NumberFormat::default() };
        let lists = SharedLists {
            strings: HashMap::from([(7, b"words".as_slice())]),
            rich: HashMap::new(),
            formats: HashMap::from([(8, percent)]),
            comments: HashMap::new(),
        };
        let both = CellRecord { decimal: Some(0.5), double: Some(60.0), ..CellRecord::default() };
        let cell = |kind| CellRecord { kind, seconds: Some(86_400.0), string: Some(7), ..both };
        for (cell, expected) in [
            (cell(2), "0.5"),
            (cell(10), "0.5"),
            (CellRecord { format: Some(8), ..cell(2) }, "50%"),
            (CellRecord { format: Some(9), ..cell(2) }, "0.5"),
            (CellRecord { decimal: None, ..cell(2) }, "60"),
            (cell(3), "words"),
            (CellRecord { string: Some(8), ..cell(3) }, ""),
            (cell(5), "2001-01-02"),
            (CellRecord { seconds: None, ..cell(5) }, "2001-01-01 00:01:00"),
            (cell(6), "TRUE"),
            (CellRecord { decimal: Some(0.0), ..cell(6) }, "FALSE"),
            (cell(7), "1m"),
            (CellRecord { double: None, decimal: Some(3600.0), ..cell(7) }, "1h"),
            (cell(1), ""),
            (CellRecord { kind: 2, ..CellRecord::default() }, ""),
        ] {
            assert_eq!(shown(&cell, &lists), expected, "{cell:?}");
        }
    }
}
