//! The style sheet: which styles are headings, which are bold, which belong to lists.
//! Format: [MS-DOC] sections 2.9.271 to 2.9.276 and 2.9.260.

use super::bytes::{counted_text, slice_at, u8_at};
use super::fib::WordVersion;
use super::properties::{CharacterFormat, ParagraphFormat, Sprms};
use crate::limits::doc::MAX_STYLE_DEPTH;
use crate::office::rtf::heading_level_of;
use crate::shared::bytes::u16_le;
use crate::shared::codepage;

/// A style, with what it inherits from those that it is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ResolvedStyle {
    /// Level of a heading, from 1.
    pub heading: Option<u8>,
    pub strong: bool,
    pub emphasis: bool,
    pub strike: bool,
    pub hidden: bool,
    pub list: Option<i16>,
    pub level: Option<u8>,
    pub font: Option<u16>,
}

/// A font, as far as it determines the meaning of bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FontEntry {
    pub name: String,
    /// The code page of text with one byte per character, in Word 6.
    pub code_page: Option<u32>,
}

/// A style as the file defines it.
#[derive(Debug, Clone, Default)]
struct StyleRecord {
    base: usize,
    heading: Option<u8>,
    format: CharacterFormat,
    paragraph: ParagraphFormat,
}

/// The styles by their numbers.
pub(super) fn styles_of(table: &[u8], version: WordVersion) -> Vec<ResolvedStyle> {
    let head = usize::from(u16_le(table, 0).unwrap_or(0));
    let count = usize::from(u16_le(table, 2).unwrap_or(0));
    let fixed = usize::from(u16_le(table, 4).unwrap_or(10));
    let mut raw = Vec::new();
    let mut at = 2 + head;
    for _ in 0..count {
        let Some(length) = u16_le(table, at).map(usize::from) else { break };
        raw.push(style_of(slice_at(table, at + 2, length), fixed, version));
        at += 2 + length;
    }
    (0..raw.len()).map(|at| resolved(&raw, at)).collect()
}

fn style_of(bytes: &[u8], fixed: usize, version: WordVersion) -> StyleRecord {
    let word = |at| u16_le(bytes, at).unwrap_or(0);
    let identity = word(0) & 0x0fff;
    let kind = word(2) & 15;
    let mut raw = StyleRecord { base: usize::from(word(2) >> 4), ..StyleRecord::default() };
    if bytes.is_empty() {
        return StyleRecord { base: 0x0fff, ..raw };
    }
    raw.heading = (1..=9).contains(&identity).then_some(identity as u8);
    let name = match version {
        WordVersion::Word97 => counted_text(bytes, fixed),
        _ => u8_at(bytes, fixed).map(|length| (String::new(), 1 + usize::from(length))),
    };
    let Some((name, taken)) = name else { return raw };
    if kind == 1 && raw.heading.is_none() {
        raw.heading = heading_level_of(&name);
    }
    // A zero ends the name.
    let mut at = fixed + taken + if version == WordVersion::Word97 { 2 } else { 1 };
    at += at % 2 * usize::from(version != WordVersion::Word97);
    let count = usize::from(word(4) & 15).min(3);
    for index in 0..count {
        let Some(length) = u16_le(bytes, at).map(usize::from) else { break };
        let properties = slice_at(bytes, at + 2, length);
        match (kind, index) {
            (1, 0) => {
                raw.paragraph.apply(Sprms { bytes: properties.get(2..).unwrap_or_default(), version });
            }
            (1, 1) | (2, 0) => raw.format.apply(Sprms { bytes: properties, version }),
            _ => {}
        }
        at += 2 + length + length % 2;
    }
    if let Some(outline) = raw.paragraph.outline.filter(|outline| *outline < 9) {
        raw.heading = raw.heading.or(Some(outline + 1));
    }
    raw
}

/// A style with what it inherits.
fn resolved(raw: &[StyleRecord], at: usize) -> ResolvedStyle {
    let mut chain = Vec::new();
    let mut next = at;
    while let Some(style) = raw.get(next).filter(|_| chain.len() < MAX_STYLE_DEPTH) {
        chain.push(style);
        next = style.base;
    }
    let mut style = ResolvedStyle::default();
    for raw in chain.into_iter().rev() {
        style.strong = raw.format.strong.over(style.strong);
        style.emphasis = raw.format.emphasis.over(style.emphasis);
        style.strike = raw.format.strike.over(style.strike);
        style.hidden = raw.format.hidden.over(style.hidden);
        style.font = raw.format.font.or(style.font);
        style.list = raw.paragraph.list.or(style.list);
        style.level = raw.paragraph.level.or(style.level);
        style.heading = match raw.paragraph.outline {
            Some(9..) => None,
            _ => raw.heading.or(style.heading),
        };
    }
    style
}

/// The fonts by their numbers. Format: [MS-DOC] section 2.9.286.
pub(super) fn fonts_of(table: &[u8], version: WordVersion) -> Vec<FontEntry> {
    let is_modern = version == WordVersion::Word97;
    let (mut at, end) = match is_modern {
        true => (4, table.len()),
        false => (2, usize::from(u16_le(table, 0).unwrap_or(0)).min(table.len())),
    };
    let mut fonts = Vec::new();
    while at < end {
        let Some(length) = u8_at(table, at).map(usize::from).filter(|length| *length > 0) else { break };
        let record = slice_at(table, at + 1, length);
        let name = match is_modern {
            true => super::bytes::wide_text(record.get(39..).unwrap_or_default()),
            false => codepage::decode(codepage::WESTERN, record.get(5..).unwrap_or_default()),
        };
        let name = name.split('\0').next().unwrap_or_default().to_owned();
        let code_page = u8_at(record, 3).and_then(codepage::of_charset).filter(|_| !is_modern);
        fonts.push(FontEntry { name, code_page });
        at += 1 + length;
    }
    fonts
}
