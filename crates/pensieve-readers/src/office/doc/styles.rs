//! The style sheet: which styles are headings, which are bold, which belong to lists.
//! Format: [MS-DOC] sections 2.9.271 to 2.9.276 and 2.9.260.

use super::bytes::{counted_text, slice_at, u8_at};
use super::fib::WordVersion;
use super::properties::{ParagraphFormat, RunModifiers, Sprms};
use crate::limits::doc::MAX_STYLE_DEPTH;
use crate::markdown::BaselineShift;
use crate::office::story::{ParagraphRole, TextLook, role_of};
use crate::shared::bytes::u16_le;
use crate::shared::codepage;

/// A style, with what it inherits from those that it is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ResolvedStyle {
    pub role: ParagraphRole,
    pub strong: bool,
    pub emphasis: bool,
    pub strike: bool,
    pub hidden: bool,
    pub shift: BaselineShift,
    pub look: TextLook,
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
    role: Option<ParagraphRole>,
    format: RunModifiers,
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
    raw.role = (1..=9).contains(&identity).then_some(ParagraphRole::Heading(identity as u8));
    let name = match version {
        WordVersion::Word97 => counted_text(bytes, fixed),
        _ => u8_at(bytes, fixed).map(|length| (String::new(), 1 + usize::from(length))),
    };
    let Some((name, taken)) = name else { return raw };
    if kind == 1 && raw.role.is_none() {
        raw.role = role_of(&name);
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
        raw.role = raw.role.or(Some(ParagraphRole::Heading(outline + 1)));
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
        style.shift = raw.format.shift.unwrap_or(style.shift);
        style.font = raw.format.font.or(style.font);
        style.list = raw.paragraph.list.or(style.list);
        style.level = raw.paragraph.level.or(style.level);
        style.look = raw.format.look.over(style.look);
        style.look.on_colour |= raw.paragraph.on_colour;
        // Body text is no heading, whatever its name; a level is in the role already.
        let outline = raw.paragraph.outline.filter(|outline| *outline > 8);
        style.role = raw.role.unwrap_or(style.role).with_outline(outline);
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

#[cfg(test)]
mod tests {
    use super::WordVersion::{Word6, Word97};
    use super::*;

    /// The base of a style that is based on none.
    const NONE: u16 = 0x0fff;

    fn words(words: &[u16]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn with_properties(mut style: Vec<u8>, properties: &[&[u8]]) -> Vec<u8> {
        for property in properties {
            style.extend(words(&[property.len() as u16]));
            style.extend_from_slice(property);
            style.resize(style.len().next_multiple_of(2), 0);
        }
        style
    }

    /// A style of Word 97: identity, kind, base, name and properties.
    fn style(identity: u16, kind: u16, base: u16, name: &str, properties: &[&[u8]]) -> Vec<u8> {
        let name: Vec<u16> = name.encode_utf16().collect();
        let mut style = words(&[identity, kind | base << 4, properties.len() as u16, 0, 0]);
        style.extend(words(&[name.len() as u16]));
        style.extend(words(&name));
        style.extend([0, 0]);
        with_properties(style, properties)
    }

    /// A paragraph style of Word 6.
    fn old_style(identity: u16, name: &[u8], properties: &[&[u8]]) -> Vec<u8> {
        let mut style = words(&[identity, 1 | NONE << 4, properties.len() as u16, 0]);
        style.push(name.len() as u8);
        style.extend_from_slice(name);
        style.push(0);
        style.resize(style.len().next_multiple_of(2), 0);
        with_properties(style, properties)
    }

    fn check(version: WordVersion, styles: &[Vec<u8>], expected: &[ResolvedStyle]) {
        let fixed = if version == Word97 { 10 } else { 8 };
        let mut table = words(&[6, styles.len() as u16, fixed, 0xffff]);
        for style in styles {
            table.extend(words(&[style.len() as u16]));
            table.extend_from_slice(style);
        }
        assert_eq!(styles_of(&table, version), expected);
    }

    fn heading(level: u8) -> ResolvedStyle {
        ResolvedStyle { role: ParagraphRole::Heading(level), ..ResolvedStyle::default() }
    }

    #[test]
    fn headings_are_known_by_number_name_or_outline() {
        let outline = |level: u8| [0, 0, 0x40, 0x26, level];
        for (style, expected) in [
            (style(0, 1, NONE, "Normal", &[]), None),
            (style(1, 1, NONE, "x", &[]), Some(1)),
            (style(9, 1, NONE, "x", &[]), Some(9)),
            (style(10, 1, NONE, "x", &[]), None),
            (style(0xf002, 1, NONE, "x", &[]), Some(2)),
            (style(0x0ffe, 1, NONE, "heading 3", &[]), Some(3)),
            (style(0x0ffe, 2, NONE, "heading 3", &[]), None),
            (style(2, 1, NONE, "heading 3", &[]), Some(2)),
            (style(0x0ffe, 1, NONE, "x", &[&outline(0)]), Some(1)),
            (style(0x0ffe, 1, NONE, "x", &[&outline(8)]), Some(9)),
            (style(0x0ffe, 1, NONE, "x", &[&outline(9)]), None),
            (style(3, 1, NONE, "x", &[&outline(0)]), Some(3)),
            // The name is missing.
            (words(&[4, 1 | NONE << 4, 0, 0, 0]), Some(4)),
        ] {
            check(Word97, &[style], &[expected.map_or_else(ResolvedStyle::default, heading)]);
        }
    }

    #[test]
    fn properties_belong_to_the_kind_of_the_style() {
        let plain = ResolvedStyle::default();
        let (bold, italic, strike, hidden) =
            (b"\x35\x08\x01", b"\x36\x08\x01", b"\x53\x2a\x01", b"\x3c\x08\x01");
        let strong = ResolvedStyle { strong: true, ..plain };
        let check_one = |style, expected| check(Word97, &[style], &[expected]);
        // One of an odd number of bytes, which a zero follows, and one of an even number.
        let level = ResolvedStyle { level: Some(2), ..strong };
        check_one(style(0, 1, NONE, "x", &[b"\0\0\x0a\x26\x02", bold]), level);
        let list = ResolvedStyle { list: Some(5), emphasis: true, ..plain };
        check_one(style(0, 1, NONE, "x", &[b"\0\0\x0b\x46\x05\0", italic]), list);
        check_one(style(0, 2, NONE, "x", &[strike]), ResolvedStyle { strike: true, ..plain });
        let font = ResolvedStyle { hidden: true, font: Some(7), ..plain };
        check_one(style(0, 2, NONE, "x", &[b"\x3c\x08\x01\x4f\x4a\x07\0"]), font);
        // Further properties are those of other editions.
        check_one(style(0, 1, NONE, "x", &[b"\0\0", bold, italic]), strong);
        check_one(style(0, 2, NONE, "x", &[bold, italic]), strong);
        check_one(style(0, 3, NONE, "x", &[bold, italic]), plain);
        check_one(style(0, 1, NONE, "x", &[hidden.as_slice()]), plain);
        // Only the lower four bits count the properties.
        for count in [1, 0x11] {
            let mut one = style(0, 1, NONE, "x", &[b"\0\0", bold]);
            one[4] = count;
            check_one(one, plain);
        }
    }

    #[test]
    fn styles_inherit_from_their_bases() {
        let first = ResolvedStyle { strong: true, list: Some(5), ..ResolvedStyle::default() };
        let headed = ResolvedStyle { role: ParagraphRole::Heading(2), ..first };
        check(
            Word97,
            &[
                style(0, 1, NONE, "x", &[b"\0\0\x0b\x46\x05\0", b"\x35\x08\x01"]),
                style(0, 1, 0, "x", &[b"\0\0", b"\x35\x08\x81"]),
                style(2, 1, 0, "x", &[]),
                style(0, 1, 2, "x", &[]),
                style(0, 1, 2, "x", &[b"\0\0\x40\x26\x09"]),
                // No style: nothing is inherited.
                Vec::new(),
                // A style that is its own base is followed an even number of times.
                style(0, 1, 6, "x", &[b"\0\0", b"\x35\x08\x81\x36\x08\x01"]),
            ],
            &[
                first,
                ResolvedStyle { strong: false, ..first },
                headed,
                headed,
                first,
                ResolvedStyle::default(),
                ResolvedStyle { emphasis: true, ..ResolvedStyle::default() },
            ],
        );
    }

    #[test]
    fn styles_of_word_6_begin_at_even_bytes() {
        let strong = ResolvedStyle { strong: true, ..ResolvedStyle::default() };
        for name in [b"Body".as_slice(), b"Quote"] {
            check(Word6, &[old_style(0, name, &[b"\0\0", &[85, 1]])], &[strong]);
        }
        check(
            Word6,
            &[old_style(3, b"heading 5", &[]), old_style(0, b"heading 5", &[])],
            &[heading(3), ResolvedStyle::default()],
        );
    }

    /// A font: the fields before its name, and its name.
    fn font(charset: u8, fields: usize, name: &[u8]) -> Vec<u8> {
        let mut font = vec![(fields + name.len()) as u8, 1, 2, 3, charset];
        font.resize(1 + fields, 4);
        font.extend_from_slice(name);
        font
    }

    fn check_fonts(version: WordVersion, table: &[u8], expected: &[(&str, Option<u32>)]) {
        let fonts = fonts_of(table, version);
        let fonts: Vec<_> = fonts.iter().map(|font| (font.name.as_str(), font.code_page)).collect();
        assert_eq!(fonts, expected);
    }

    #[test]
    fn fonts_follow_each_other() {
        let wide = |name: &str| words(&name.encode_utf16().collect::<Vec<u16>>());
        let fonts = [font(204, 39, &wide("Arial\0Helvetica\0")), font(0, 39, &wide("Symbol\0"))].concat();
        let table = [b"\x02\0\0\0".as_slice(), &fonts].concat();
        check_fonts(Word97, &table, &[("Arial", None), ("Symbol", None)]);
        check_fonts(Word97, &[&table, [0].as_slice(), &fonts].concat(), &[("Arial", None), ("Symbol", None)]);
        check_fonts(Word97, &table[..table.len() - 8], &[("Arial", None), ("Sym", None)]);

        let fonts = [font(204, 5, b"Arial Cyr\0"), font(0, 5, b"Courier"), font(5, 5, b"?\0x\0")].concat();
        let cyrillic = ("Arial Cyr", Some(1251));
        let table = |end: usize| [words(&[end as u16]), fonts.clone()].concat();
        check_fonts(Word6, &table(usize::from(u16::MAX)), &[cyrillic, ("Courier", Some(1252)), ("?", None)]);
        // The table ends after the first font.
        check_fonts(Word6, &table(2 + 16), &[cyrillic]);
    }
}
