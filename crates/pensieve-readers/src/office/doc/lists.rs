//! Lists: their levels, and the numbers that paragraphs show. Format: [MS-DOC] sections 2.9.131, 2.9.132, 2.9.147,
//! 2.9.150; number formats: [MS-OSHARED] section 2.2.1.3.

use super::bytes::{counted_text, slice_at, u8_at};
use crate::limits::doc::MAX_LISTS;
use crate::markdown::ItemMarker;
use crate::office::story::{ListCounters, ListLevel, WORD_FORMATS};
use crate::shared::bytes::{u16_le, u32_le};
use std::collections::HashMap;

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
    counted: HashMap<u32, ListCounters>,
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
        ListTable { levels, uses, counted: HashMap::new() }
    }

    /// Counts the next paragraph of an override at a level and returns its marker; `None` if there is no such list.
    pub(super) fn marker(&mut self, number: i16, level: usize) -> Option<ItemMarker> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        let user = self.uses.get_mut(at)?;
        let levels = self.levels.get(&user.list)?;
        levels.first()?;
        let begun = user.starts.iter().position(|(own, _)| *own == level);
        let start = begun.map(|at| user.starts.swap_remove(at).1);
        let counted = self.counted.entry(user.list).or_default();
        // A list of one level has it for all of them.
        counted.next(level, start, |at| levels.get(at).or_else(|| levels.first().filter(|_| at == level)))
    }
}

/// A level and the number of its bytes.
fn list_level_of(stream: &[u8], at: usize) -> Option<(ListLevel, usize)> {
    let head = stream.get(at..at.checked_add(28)?)?;
    let properties = usize::from(head[24]) + usize::from(head[25]);
    let (text, length) = counted_text(stream, at + 28 + properties)?;
    let format = WORD_FORMATS.get(usize::from(head[4])).copied();
    // 255 is no number.
    let format = format.unwrap_or(if head[4] == u8::MAX { "none" } else { "decimal" });
    let mut level = ListLevel::new(u32_le(head, 0)?.min(1_000_000), format);
    level.set_text(text.chars());
    Some((level, 28 + properties + length))
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

#[cfg(test)]
mod tests {
    use super::*;

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

    fn level(start: u32, format: &str, text: &str) -> ListLevel {
        let mut level = ListLevel::new(start, format);
        level.set_text(text.chars());
        level
    }

    #[test]
    fn lists_have_one_level_or_nine() {
        let one = level_bytes(3, 4, [2, 5], "\0)");
        let nine: Vec<u8> = (0..9).flat_map(|at| level_bytes(at, at as u8, [0, at as u8], "x")).collect();
        let large = level_bytes(1_000_001, 255, [0, 0], "");
        let table = list_bytes(&[(70, 1), (80, 0), (90, 0xff)]);
        let stream = [b"???".as_slice(), &table, &one, &nine, &large].concat();
        let rows: Vec<_> = (0..9).map(|at| level(at, WORD_FORMATS[at as usize], "x")).collect();
        let expected = [
            (70, vec![level(3, "lowerLetter", "\0)")]),
            (80, rows.clone()),
            (90, vec![level(1_000_000, "none", "")]),
        ];
        for length in [table.len(), table.len() + 5] {
            let lists = ListTable::parse(&stream, (3, length), (0, 0));
            assert_eq!(lists.levels, HashMap::from(expected.clone()));
        }
        // Cut in the last text but one.
        let lists = ListTable::parse(&stream[..stream.len() - large.len() - 1], (3, table.len()), (0, 0));
        assert_eq!(lists.levels[&80], rows[..8]);
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
        let single = use_bytes(&[(7, 1)], &[vec![0; 4], change(4, 0x10)].concat());
        assert_eq!(uses_of(&single)[0].starts, [(0, 4)]);
        // The count is larger than the table.
        let mut table = use_bytes(&[(70, 0), (80, 0)], b"");
        table[..4].copy_from_slice(&9u32.to_le_bytes());
        assert_eq!(uses_of(&table).iter().map(|one| one.list).collect::<Vec<_>>(), [70, 80]);
    }

    fn table_of(levels: &[(u32, &str, &str)], uses: &[&[(usize, u32)]]) -> ListTable {
        let levels = levels.iter().map(|(start, format, text)| level(*start, format, text));
        ListTable {
            levels: HashMap::from([(7, levels.collect())]),
            uses: uses.iter().map(|starts| ListOverride { list: 7, starts: starts.to_vec() }).collect(),
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
        let levels =
            [(3, "decimal", " \0."), (5, "upperLetter", "(\0-\u{1})"), (2, "decimal", "\u{1}\u{8}x")];
        check_markers(
            table_of(&levels, &[&[]]),
            &[
                (1, 1, Some("(3-E)")),
                (1, 1, Some("(3-F)")),
                (1, 0, Some("3.")),
                (1, 1, Some("(3-E)")),
                // A level whose number is asked for, and which is not there.
                (1, 2, Some("E1x")),
                (2, 0, None),
                (0, 0, None),
                (-1, 0, None),
            ],
        );
        check_markers(table_of(&[], &[&[]]), &[(1, 0, None)]);
        let bullets =
            [(1, "bullet", "\u{f0b7}"), (1, "decimal", " - "), (1, "none", ""), (1, "bullet", "Note:")];
        let rows = [(1, 0, Some("*")), (1, 1, Some("*")), (1, 2, None), (1, 3, Some("Note:"))];
        check_markers(table_of(&bullets, &[&[]]), &rows);
        // The one level of a list is that of all.
        check_markers(table_of(&[(1, "decimal", "\0.")], &[&[]]), &[(1, 0, Some("1.")), (1, 5, Some("1."))]);
    }

    #[test]
    fn overrides_count_on_or_from_their_starts() {
        let levels = [(1, "decimal", "\0"), (1, "decimal", "\0.\u{1}")];
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
                (3, 0, Some("0")),
                (3, 0, Some("1")),
            ],
        );
    }

    #[test]
    fn levels_count_on_and_begin_anew() {
        let levels = [(1, "decimal", "\0."), (1, "decimal", "\0.\u{1}")];
        let numbers = [(0, "1."), (1, "1.1"), (1, "1.2"), (0, "2."), (1, "2.1")];
        let expected = numbers.map(|(level, number)| (1, level, Some(number)));
        check_markers(table_of(&levels, &[&[]]), &expected);
    }
}
