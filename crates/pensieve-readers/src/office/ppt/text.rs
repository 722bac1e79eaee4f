//! Texts of shapes: characters, levels and formats of their paragraphs, links. Format: [MS-PPT] sections 2.9.37 to
//! 2.9.46 and 2.9.20; placeholder characters for dates and numbers: 2.9.47 to 2.9.52.

use super::records::{Record, kinds, units};
use crate::limits::ppt::MAX_TEXT_RUNS;
use crate::markdown::{BaselineShift, Block, ItemMarker, TextRun, TextStyle, Words};
use crate::shared::bytes::{u16_le, u32_le};
use crate::shared::symbols;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The targets of a presentation's links, by their numbers.
pub(super) type LinkTargets = HashMap<u32, Arc<str>>;

/// The role of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum TextRole {
    /// The title of a slide.
    Title,
    /// The points of a slide.
    Body,
    /// Anything else.
    #[default]
    Other,
}

/// The text of a shape.
#[derive(Debug, Clone, Default)]
pub(super) struct ShapeText {
    pub role: TextRole,
    units: Vec<u16>,
    paragraphs: Vec<(usize, u8, Option<bool>)>,
    looks: Vec<(usize, TextStyle)>,
    links: Vec<(Range<usize>, u32)>,
    fields: Vec<usize>,
}

/// The texts in a sequence of records: each begins with its header.
pub(super) fn texts_in<'a>(records: impl Iterator<Item = Record<'a>>) -> Vec<ShapeText> {
    let mut texts: Vec<ShapeText> = Vec::new();
    let mut link = None;
    for record in records {
        if record.kind == kinds::TEXT_HEADER {
            let role = match u32_le(record.body, 0) {
                Some(0 | 6) => TextRole::Title,
                Some(1 | 5 | 7 | 8) => TextRole::Body,
                _ => TextRole::Other,
            };
            texts.push(ShapeText { role, ..ShapeText::default() });
            continue;
        }
        let Some(text) = texts.last_mut() else { continue };
        match record.kind {
            kinds::TEXT_CHARS => text.units = units(record.body),
            kinds::TEXT_BYTES => text.units = record.body.iter().map(|byte| u16::from(*byte)).collect(),
            kinds::TEXT_STYLES => text.read_styles(record.body),
            kinds::INTERACTION => {
                link = record.child(kinds::INTERACTION_ATOM).and_then(|atom| u32_le(atom.body, 4));
            }
            kinds::TEXT_INTERACTION => {
                if let (Some(start), Some(end), Some(link)) =
                    (u32_le(record.body, 0), u32_le(record.body, 4), link.take())
                    && text.links.len() < MAX_TEXT_RUNS
                {
                    text.links.push((start as usize..end as usize, link));
                }
            }
            kinds::SLIDE_NUMBER
            | kinds::DATE
            | kinds::GENERIC_DATE
            | kinds::FOOTER
            | kinds::HEADER
            | kinds::TIME_FORMAT => text.fields.extend(u32_le(record.body, 0).map(|at| at as usize)),
            _ => {}
        }
    }
    for text in &mut texts {
        text.fields.sort_unstable();
        text.links.sort_by_key(|(range, _)| range.start);
    }
    texts
}

impl ShapeText {
    /// A text without formats.
    pub(super) fn plain(words: &str) -> ShapeText {
        ShapeText { units: words.encode_utf16().collect(), ..ShapeText::default() }
    }

    /// Its paragraphs as blocks.
    pub(super) fn blocks(&self, links: &LinkTargets) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut start = 0;
        let mut shape = RunCursor::new(self.paragraphs.iter().map(|run| (run.0, (run.1, run.2))));
        for end in (0..=self.units.len()).filter(|&end| self.units.get(end).is_none_or(|unit| *unit == 0x0d))
        {
            let words = self.words(start..end, links);
            let (level, bullet) = shape.at(start).unwrap_or((0, None));
            let is_item = bullet.unwrap_or(self.role == TextRole::Body);
            if words.is_blank() {
                // An empty line of a slide is only spacing.
            } else if is_item && self.role != TextRole::Title {
                blocks.push(Block::Item { depth: level.min(8), marker: Some(ItemMarker::Bullet), words });
            } else {
                blocks.push(Block::Paragraph(words));
            }
            start = end + 1;
        }
        blocks
    }

    /// All its words in one line, for titles.
    pub(super) fn title(&self, links: &LinkTargets) -> Words {
        Words::joined(&self.blocks(links))
    }

    fn words(&self, range: Range<usize>, links: &LinkTargets) -> Words {
        let mut words = Words::default();
        let mut at = range.start;
        let mut looks = RunCursor::new(self.looks.iter().map(|run| (run.0, run.1)));
        while at < range.end {
            let style = looks.at(at).unwrap_or_default();
            let mut end = looks.end().min(range.end);
            let after = self.links.partition_point(|(link, _)| link.start <= at);
            let link = after.checked_sub(1).map(|index| &self.links[index]).filter(|(link, _)| at < link.end);
            end = end.min(self.links.get(after).map_or(usize::MAX, |(link, _)| link.start));
            if let Some((link, _)) = link {
                end = end.min(link.end);
            }
            let end = end.max(at + 1);
            let link = link.and_then(|(_, number)| links.get(number)).cloned();
            words.push(TextRun { text: self.text(at..end), style, link, ..TextRun::default() });
            at = end;
        }
        words
    }

    /// Characters without the placeholders for dates and numbers.
    fn text(&self, range: Range<usize>) -> String {
        let own = self.fields.partition_point(|field| *field < range.start);
        let mut fields = self.fields[own..].iter().copied().peekable();
        let kept = range.filter(|at| {
            while fields.next_if(|field| field < at).is_some() {}
            fields.peek() != Some(at)
        });
        char::decode_utf16(kept.map(|at| self.units[at]))
            .filter_map(|c| match c {
                Ok('\u{b}') => Some('\n'),
                Ok('\t') => Some('\t'),
                Ok(c) if c < ' ' => None,
                Ok(c @ '\u{f000}'..='\u{f0ff}') => Some(symbols::char_of(c as u32 as u8, "Symbol")),
                Ok(c) => Some(c),
                Err(_) => Some(char::REPLACEMENT_CHARACTER),
            })
            .collect()
    }

    /// Reads runs of paragraphs, then runs of characters; the mask of each run names the properties that follow.
    fn read_styles(&mut self, bytes: &[u8]) {
        let mut at = 0;
        let length = self.units.len() + 1;
        let mut done = 0;
        while done < length && self.paragraphs.len() < MAX_TEXT_RUNS {
            let (Some(count), Some(level), Some(mask)) =
                (u32_le(bytes, at), u16_le(bytes, at + 4), u32_le(bytes, at + 6))
            else {
                return;
            };
            at += 10;
            let bullet = (mask & 1 != 0).then(|| u16_le(bytes, at).unwrap_or(0) & 1 != 0);
            done = done.saturating_add(count.max(1) as usize);
            self.paragraphs.push((done, level as u8, bullet));
            at += paragraph_length(mask, &bytes[at.min(bytes.len())..]);
        }
        done = 0;
        while done < length && self.looks.len() < MAX_TEXT_RUNS {
            let (Some(count), Some(mask)) = (u32_le(bytes, at), u32_le(bytes, at + 4)) else { return };
            at += 8;
            // If there are no flags, the mask names none of these two.
            let look = u32::from(u16_le(bytes, at).unwrap_or(0)) & mask;
            done = done.saturating_add(count.max(1) as usize);
            let length = character_length(mask);
            // The distance from the line, a percentage, comes last.
            let shift = (mask & 0x8_0000 != 0).then(|| u16_le(bytes, at + length - 2)).flatten().unwrap_or(0);
            let shift = BaselineShift::of(i32::from(shift as i16));
            let (strong, emphasis) = (look & 1 != 0, look & 2 != 0);
            self.looks.push((done, TextStyle { strong, emphasis, shift, ..TextStyle::default() }));
            at += length;
        }
    }
}

/// Bytes of the properties of a paragraph that its mask names.
fn paragraph_length(mask: u32, bytes: &[u8]) -> usize {
    let mut length = 0;
    length += if mask & 0xf != 0 { 2 } else { 0 };
    for (bit, size) in [(0x80, 2), (0x10, 2), (0x40, 2), (0x20, 4), (0x800, 2), (0x1000, 2), (0x2000, 2)] {
        length += if mask & bit != 0 { size } else { 0 };
    }
    for bit in [0x4000, 0x100, 0x400, 0x8000] {
        length += if mask & bit != 0 { 2 } else { 0 };
    }
    if mask & 0x10_0000 != 0 {
        length += 2 + 4 * usize::from(u16_le(bytes, length).unwrap_or(0));
    }
    for bits in [0x1_0000, 0xe_0000, 0x20_0000] {
        length += if mask & bits != 0 { 2 } else { 0 };
    }
    length
}

/// Bytes of the properties of characters that their mask names.
fn character_length(mask: u32) -> usize {
    let mut length = if mask & 0x3eb7 != 0 { 2 } else { 0 };
    for (bit, size) in [
        (0x1_0000, 2),
        (0x20_0000, 2),
        (0x40_0000, 2),
        (0x80_0000, 2),
        (0x2_0000, 2),
        (0x4_0000, 4),
        (0x8_0000, 2),
    ] {
        length += if mask & bit != 0 { size } else { 0 };
    }
    length
}

/// Finds the run of a position; positions must be in order.
struct RunCursor<I: Iterator> {
    runs: I,
    current: Option<I::Item>,
}

impl<T: Copy, I: Iterator<Item = (usize, T)>> RunCursor<I> {
    fn new(mut runs: I) -> RunCursor<I> {
        let current = runs.next();
        RunCursor { runs, current }
    }

    fn at(&mut self, position: usize) -> Option<T> {
        while self.current.is_some_and(|(end, _)| end <= position) {
            self.current = self.runs.next();
        }
        self.current.map(|(_, value)| value)
    }

    /// The end of the run that was found last.
    fn end(&self) -> usize {
        self.current.map_or(usize::MAX, |(end, _)| end)
    }
}

#[cfg(test)]
mod tests;
