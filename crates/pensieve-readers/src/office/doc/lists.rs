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
        let shown = |number_format, number| {
            let mut text = String::new();
            number_in(number_format, number, &mut text);
            text
        };
        assert_eq!(shown(0, 12), "12");
        assert_eq!(shown(1, 14), "XIV");
        assert_eq!(shown(2, 1999), "mcmxcix");
        assert_eq!(shown(4, 28), "bb");
        assert_eq!(shown(22, 7), "07");
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
