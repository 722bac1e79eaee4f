//! Lists: their levels, and the numbers that paragraphs show. Format: [MS-DOC] sections 2.9.131, 2.9.132, 2.9.147,
//! 2.9.150; number formats: [MS-OSHARED] section 2.2.1.3.

use super::bytes::{counted_text, slice_at, u8_at};
use crate::limits::doc::MAX_LISTS;
use crate::markdown::ItemMarker;
use crate::shared::bytes::{u16_le, u32_le};
use crate::shared::numerals::numeral;
use std::collections::HashMap;

/// The format of a level.
#[derive(Debug, Clone, Default)]
struct ListLevel {
    start: u32,
    number_format: u8,
    /// The text of a number; characters below 9 represent the number of that level.
    text: String,
}

/// A list override: a list, with start values of its own.
#[derive(Debug, Clone, Default)]
struct ListOverride {
    list: u32,
    starts: Vec<(usize, u32)>,
}

/// The lists of a document and their counters.
#[derive(Debug, Default)]
pub(super) struct ListTable {
    levels: HashMap<u32, Vec<ListLevel>>,
    uses: Vec<ListOverride>,
    counted: HashMap<u32, [Option<u32>; 9]>,
    /// The levels of each override that have begun, as bits.
    started: Vec<u16>,
}

impl ListTable {
    /// Reads the lists from the table stream and the positions of both tables in it.
    pub(super) fn parse(stream: &[u8], lists: (usize, usize), uses: (usize, usize)) -> ListTable {
        let mut levels = HashMap::new();
        let table = slice_at(stream, lists.0, lists.1);
        let count = usize::from(u16_le(table, 0).unwrap_or(0)).min(MAX_LISTS);
        // The levels of all lists follow the table.
        let mut at = lists.0 + lists.1.min(2 + 28 * count);
        for index in 0..count {
            let record = slice_at(table, 2 + 28 * index, 28);
            let (Some(list), Some(flags)) = (u32_le(record, 0), u8_at(record, 26)) else { break };
            let own = if flags & 1 != 0 { 1 } else { 9 };
            let mut found = Vec::with_capacity(own);
            for _ in 0..own {
                let Some((level, length)) = list_level_of(stream, at) else { break };
                found.push(level);
                at += length;
            }
            levels.insert(list, found);
        }
        let uses = uses_of(slice_at(stream, uses.0, uses.1));
        let started = vec![0; uses.len()];
        ListTable { levels, uses, counted: HashMap::new(), started }
    }

    /// Counts the next paragraph of an override at a level and returns its marker; `None` if there is no such list.
    pub(super) fn marker(&mut self, number: i16, level: usize) -> Option<ItemMarker> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        let list = self.uses.get(at)?.list;
        let levels = self.levels.get(&list)?;
        let own = levels.get(level).or_else(|| levels.first())?;
        let counted = self.counted.entry(list).or_default();
        if self.started[at] & 1 << level == 0 {
            self.started[at] |= 1 << level;
            if let Some((_, start)) = self.uses[at].starts.iter().find(|(own, _)| *own == level) {
                counted[level] = start.checked_sub(1);
            }
        }
        for (above, number) in counted[..level].iter_mut().enumerate() {
            number.get_or_insert_with(|| levels.get(above).map_or(1, |level| level.start));
        }
        counted[level] = Some(counted[level].map_or(own.start, |number| number.saturating_add(1)));
        counted[level + 1..].fill(None);
        if matches!(own.number_format, 23 | 255) || own.text.is_empty() {
            return Some(ItemMarker::Bullet);
        }
        let mut text = String::new();
        for c in own.text.chars() {
            match (c as usize, levels.get(c as usize)) {
                (at @ 0..=8, Some(level)) => {
                    number_in(level.number_format, counted[at].unwrap_or(level.start), &mut text);
                }
                _ => text.push(c),
            }
        }
        let text = text.trim();
        Some(if text.chars().any(char::is_alphanumeric) {
            ItemMarker::Number(text.to_owned())
        } else {
            ItemMarker::Bullet
        })
    }
}

/// A level and the number of its bytes.
fn list_level_of(stream: &[u8], at: usize) -> Option<(ListLevel, usize)> {
    let head = stream.get(at..at.checked_add(28)?)?;
    let properties = usize::from(head[24]) + usize::from(head[25]);
    let (text, length) = counted_text(stream, at + 28 + properties)?;
    Some((
        ListLevel { start: u32_le(head, 0)?.min(1_000_000), number_format: head[4], text },
        28 + properties + length,
    ))
}

/// The list overrides, with their start values.
fn uses_of(table: &[u8]) -> Vec<ListOverride> {
    let count = (u32_le(table, 0).unwrap_or(0) as usize).min(MAX_LISTS).min(table.len() / 16);
    let mut uses: Vec<ListOverride> = (0..count)
        .map_while(|at| Some(ListOverride { list: u32_le(table, 4 + 16 * at)?, starts: Vec::new() }))
        .collect();
    let mut at = 4 + 16 * count;
    for index in 0..uses.len() {
        at += 4;
        for _ in 0..u8_at(table, 4 + 16 * index + 12).unwrap_or(0) {
            let (Some(start), Some(flags)) = (u32_le(table, at), u32_le(table, at + 4)) else { return uses };
            at += 8;
            if flags & 0x10 != 0 {
                uses[index].starts.push(((flags & 15).min(8) as usize, start.min(1_000_000)));
            }
            if flags & 0x20 != 0 {
                let Some((_, length)) = list_level_of(table, at) else { return uses };
                at += length;
            }
        }
    }
    uses
}

/// Writes a number in one of Word's number formats.
fn number_in(number_format: u8, number: u32, text: &mut String) {
    match number_format {
        1 | 2 if (1..4000).contains(&number) => {
            let format = if number_format == 1 { "upperRoman" } else { "lowerRoman" };
            text.push_str(&numeral(number, format));
        }
        3 | 4 if (1..=780).contains(&number) => {
            let format = if number_format == 3 { "upperLetter" } else { "lowerLetter" };
            text.push_str(&numeral(number, format));
        }
        22 if number < 10 => text.push_str(&format!("0{number}")),
        23 | 255 => {}
        _ => text.push_str(&number.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_word_does() {
        for (format, number, expected) in [
            (0, 12, "12"),
            (1, 0, "0"),
            (1, 1, "I"),
            (1, 14, "XIV"),
            (1, 3999, "MMMCMXCIX"),
            (1, 4000, "4000"),
            (2, 1999, "mcmxcix"),
            (3, 0, "0"),
            (3, 1, "A"),
            (3, 28, "BB"),
            (4, 28, "bb"),
            (4, 780, "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"),
            (4, 781, "781"),
            (5, 3, "3"),
            (22, 9, "09"),
            (22, 10, "10"),
            (23, 5, ""),
            (255, 5, ""),
        ] {
            let mut text = String::new();
            number_in(format, number, &mut text);
            assert_eq!(text, expected, "{number} in format {format}");
        }
    }

    /// A level in a file: `properties` bytes of both kinds are between its head and its text.
    fn level_bytes(start: u32, number_format: u8, properties: [u8; 2], text: &str) -> Vec<u8> {
        let mut level = vec![0; 28];
        level[..4].copy_from_slice(&start.to_le_bytes());
        level[4] = number_format;
        level[24..26].copy_from_slice(&properties);
        level.resize(28 + properties.iter().map(|length| usize::from(*length)).sum::<usize>(), 0xee);
        let units: Vec<u16> = text.encode_utf16().collect();
        level.extend((units.len() as u16).to_le_bytes());
        level.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
        level
    }

    /// The table of lists: number and flags of each.
    fn list_bytes(lists: &[(u32, u8)]) -> Vec<u8> {
        let mut table = (lists.len() as u16).to_le_bytes().to_vec();
        for (number, flags) in lists {
            let at = table.len();
            table.resize(at + 28, 0);
            table[at..at + 4].copy_from_slice(&number.to_le_bytes());
            table[at + 26] = *flags;
        }
        table
    }

    /// The table of overrides: the list and how many levels each changes; then the changes.
    fn use_bytes(uses: &[(u32, u8)], changes: &[u8]) -> Vec<u8> {
        let mut table = (uses.len() as u32).to_le_bytes().to_vec();
        for (list, count) in uses {
            let at = table.len();
            table.resize(at + 16, 0);
            table[at..at + 4].copy_from_slice(&list.to_le_bytes());
            table[at + 12] = *count;
        }
        [table.as_slice(), changes].concat()
    }

    type LevelRow = (u32, u8, String);

    fn levels_of(lists: &ListTable) -> Vec<(u32, Vec<LevelRow>)> {
        let rows = |levels: &Vec<ListLevel>| {
            levels.iter().map(|level| (level.start, level.number_format, level.text.clone())).collect()
        };
        let mut found: Vec<_> = lists.levels.iter().map(|(list, levels)| (*list, rows(levels))).collect();
        found.sort();
        found
    }

    #[test]
    fn lists_have_one_level_or_nine() {
        let one = level_bytes(3, 4, [2, 5], "\0)");
        let nine: Vec<u8> = (0..9).flat_map(|at| level_bytes(at, at as u8, [0, at as u8], "x")).collect();
        let large = level_bytes(1_000_001, 0, [0, 0], "");
        let table = list_bytes(&[(70, 1), (80, 0), (90, 0xff)]);
        let stream = [b"???".as_slice(), &table, &one, &nine, &large].concat();
        let rows: Vec<LevelRow> = (0..9).map(|at| (at, at as u8, "x".to_owned())).collect();
        let expected = [
            (70, vec![(3, 4, "\0)".to_owned())]),
            (80, rows.clone()),
            (90, vec![(1_000_000, 0, String::new())]),
        ];
        for length in [table.len(), table.len() + 5] {
            let lists = ListTable::parse(&stream, (3, length), (0, 0));
            assert_eq!(levels_of(&lists), expected);
        }
        // Cut in the last text but one.
        let lists = ListTable::parse(&stream[..stream.len() - large.len() - 1], (3, table.len()), (0, 0));
        assert_eq!(levels_of(&lists)[1], (80, rows[..8].to_vec()));
    }

    #[test]
    fn overrides_have_starts_of_their_own() {
        let change = |start: u32, flags: u32| [start.to_le_bytes(), flags.to_le_bytes()].concat();
        let changes = [
            vec![0xff; 4],
            change(5, 0x12),
            // A level that is defined anew, with and without a start.
            change(6, 0x20),
            level_bytes(1, 0, [1, 2], "ab"),
            change(1_000_001, 0x39),
            level_bytes(1, 0, [0, 0], ""),
            vec![0xff; 4],
            vec![0xff; 4],
            change(8, 0x10),
        ]
        .concat();
        let table = use_bytes(&[(70, 3), (80, 0), (90, 1)], &changes);
        let stream = [b"?".as_slice(), &table].concat();
        let lists = ListTable::parse(&stream, (0, 0), (1, table.len()));
        let rows: Vec<_> = lists.uses.iter().map(|one| (one.list, one.starts.clone())).collect();
        assert_eq!(rows, [(70, vec![(2, 5), (8, 1_000_000)]), (80, vec![]), (90, vec![(0, 8)])]);
        assert_eq!(lists.started, [0, 0, 0]);
        let single = use_bytes(&[(7, 1)], &[vec![0; 4], change(4, 0x10)].concat());
        assert_eq!(uses_of(&single)[0].starts, [(0, 4)]);
        // The count is larger than the table.
        let mut table = use_bytes(&[(70, 0), (80, 0)], b"");
        table[..4].copy_from_slice(&9u32.to_le_bytes());
        assert_eq!(uses_of(&table).iter().map(|one| one.list).collect::<Vec<_>>(), [70, 80]);
    }

    fn table_of(levels: &[(u32, u8, &str)], uses: &[&[(usize, u32)]]) -> ListTable {
        let level = |&(start, number_format, text): &(u32, u8, &str)| ListLevel {
            start,
            number_format,
            text: text.to_owned(),
        };
        ListTable {
            levels: HashMap::from([(7, levels.iter().map(level).collect())]),
            uses: uses.iter().map(|starts| ListOverride { list: 7, starts: starts.to_vec() }).collect(),
            started: vec![0; uses.len()],
            ..ListTable::default()
        }
    }

    fn check_markers(mut lists: ListTable, expected: &[(i16, usize, Option<&str>)]) {
        for (number, level, marker) in expected {
            let found = lists.marker(*number, *level).map(|marker| match marker {
                ItemMarker::Number(number) => number,
                ItemMarker::Bullet => "*".to_owned(),
            });
            assert_eq!(found.as_deref(), *marker, "list {number}, level {level}");
        }
    }

    #[test]
    fn markers_show_the_numbers_of_their_levels() {
        let levels = [(3, 0, " \0."), (5, 3, "(\0-\u{1})"), (2, 0, "\u{1}\u{8}")];
        check_markers(
            table_of(&levels, &[&[]]),
            &[
                (1, 1, Some("(3-E)")),
                (1, 1, Some("(3-F)")),
                (1, 0, Some("4.")),
                (1, 1, Some("(4-E)")),
                // The level of which the number is asked for is not there.
                (1, 2, Some("E\u{8}")),
                (1, 5, Some("4.")),
                (2, 0, None),
                (0, 0, None),
                (-1, 0, None),
            ],
        );
        check_markers(table_of(&[], &[&[]]), &[(1, 0, None)]);
        let bullets = [(1, 23, "\u{f0b7}"), (1, 255, "a"), (1, 0, ""), (1, 0, " - "), (1, 0, "\u{4}x")];
        let rows: Vec<_> = (0..4).map(|level| (1, level, Some("*"))).collect();
        check_markers(table_of(&bullets, &[&[]]), &rows);
    }

    #[test]
    fn overrides_count_on_or_from_their_starts() {
        let levels = [(1, 0, "\0"), (1, 0, "\0.\u{1}")];
        check_markers(
            table_of(&levels, &[&[], &[(0, 10), (1, 4)], &[(0, 0)]]),
            &[
                (1, 0, Some("1")),
                (1, 1, Some("1.1")),
                (2, 1, Some("1.4")),
                (2, 1, Some("1.5")),
                (2, 0, Some("10")),
                (2, 0, Some("11")),
                (1, 0, Some("12")),
                (3, 0, Some("1")),
                (3, 0, Some("2")),
            ],
        );
    }

    #[test]
    fn levels_count_on_and_begin_anew() {
        let level = |text: &str| ListLevel { start: 1, number_format: 0, text: text.to_owned() };
        let mut lists = ListTable {
            levels: HashMap::from([(7, vec![level("\0."), level("\0.\u{1}")])]),
            uses: vec![ListOverride { list: 7, starts: Vec::new() }],
            started: vec![0],
            ..ListTable::default()
        };
        let mut next = |level| match lists.marker(1, level) {
            Some(ItemMarker::Number(number)) => number,
            other => panic!("{other:?}"),
        };
        assert_eq!([next(0), next(1), next(1), next(0), next(1)], ["1.", "1.1", "1.2", "2.", "2.1"]);
    }
}
