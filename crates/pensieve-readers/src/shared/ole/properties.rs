//! Property sets of compound files: title, author, dates. Format: [MS-OLEPS], sections 2.15 to 2.21; the properties of
//! documents: [MS-OSHARED] section 2.3.3.

use super::Compound;
use crate::limits::ole::{MAX_PROPERTIES, MAX_PROPERTY_BYTES};
use crate::shared::bytes::u32_le;
use crate::shared::calendar::date_of;
use crate::shared::codepage;

/// A value of a property, of the types that metadata has.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PropertyValue {
    Text(String),
    /// As `YYYY-MM-DDThh:mm:ssZ`.
    Time(String),
}

/// The properties of the first section of a set.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PropertySet {
    /// By number, in the order of the file.
    properties: Vec<(u32, PropertyValue)>,
    /// The code page of their texts and, as a rule, of the document.
    pub code_page: Option<u32>,
}

impl PropertySet {
    /// Reads a set from the bytes of its stream; what cannot be read is left out.
    pub fn parse(bytes: &[u8]) -> PropertySet {
        let section = u32_le(bytes, 44).and_then(|at| bytes.get(at as usize..)).unwrap_or_default();
        let count = (u32_le(section, 4).unwrap_or(0) as usize).min(MAX_PROPERTIES);
        let at =
            |index: usize| Some((u32_le(section, 8 + 8 * index)?, u32_le(section, 12 + 8 * index)? as usize));
        let places: Vec<(u32, usize)> = (0..count).map_while(at).collect();
        let page =
            places.iter().find(|(id, _)| *id == 1).and_then(|&(_, at)| u32_le(section, at.checked_add(4)?));
        let code_page = page.map(|page| page & 0xffff);
        let read = |&(id, at): &(u32, usize)| {
            let bytes = section.get(at..)?;
            Some((id, value_of(bytes, code_page.unwrap_or(codepage::WESTERN))?))
        };
        let properties = places.iter().filter(|(id, _)| *id > 1).filter_map(read).collect();
        PropertySet { properties, code_page }
    }

    /// The value of a property.
    pub fn get(&self, id: u32) -> Option<&PropertyValue> {
        self.properties.iter().find(|(other, _)| *other == id).map(|(_, value)| value)
    }

    /// A property that is text, without the blanks around it; `None` if nothing is left.
    pub fn text(&self, id: u32) -> Option<&str> {
        match self.get(id)? {
            PropertyValue::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }
}

/// The properties in the summary streams of a document, as rows of metadata.
pub(crate) fn metadata(compound: &mut Compound<'_>) -> Vec<(String, String)> {
    const SUMMARY: &[(u32, &str)] = &[
        (2, "title"),
        (3, "subject"),
        (4, "author"),
        (5, "keywords"),
        (6, "description"),
        (12, "created"),
        (13, "modified"),
    ];
    const MORE: &[(u32, &str)] = &[(2, "category"), (14, "manager"), (15, "company"), (28, "language")];
    let mut rows = Vec::new();
    for (stream, keys) in [("\u{5}SummaryInformation", SUMMARY), ("\u{5}DocumentSummaryInformation", MORE)] {
        // A document is read without its metadata rather than not at all.
        let Ok(Some(bytes)) = compound.read_path(stream) else { continue };
        let set = PropertySet::parse(&bytes);
        for (id, key) in keys {
            match (set.get(*id), *key) {
                (Some(PropertyValue::Text(text)), "author") => {
                    let names = text.split(';').map(str::trim).filter(|name| !name.is_empty());
                    rows.extend(names.map(|name| ("author".to_owned(), name.to_owned())));
                }
                (Some(PropertyValue::Time(time)), key) => rows.push((key.to_owned(), time.clone())),
                (Some(PropertyValue::Text(_)), key) => {
                    rows.extend(set.text(*id).map(|text| (key.to_owned(), text.to_owned())));
                }
                _ => {}
            }
        }
    }
    rows
}

fn value_of(bytes: &[u8], code_page: u32) -> Option<PropertyValue> {
    let kind = u32_le(bytes, 0)? & 0xffff;
    let length = || u32_le(bytes, 4).map(|length| (length as usize).min(MAX_PROPERTY_BYTES));
    match kind {
        30 if code_page == 1200 => wide(bytes.get(8..)?, length()? / 2),
        30 => {
            let text = bytes.get(8..)?;
            let text = &text[..text.len().min(length()?)];
            let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
            Some(PropertyValue::Text(codepage::decode(code_page, &text[..end])))
        }
        31 => wide(bytes.get(8..)?, length()?),
        64 => filetime_to_iso(u64::from(u32_le(bytes, 4)?) | u64::from(u32_le(bytes, 8)?) << 32)
            .map(PropertyValue::Time),
        _ => None,
    }
}

fn wide(bytes: &[u8], units: usize) -> Option<PropertyValue> {
    let units = bytes.chunks_exact(2).take(units).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let units: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
    Some(PropertyValue::Text(String::from_utf16_lossy(&units)))
}

/// A FILETIME, hundreds of nanoseconds since 1601, as ISO 8601; `None` before 1900 (durations and rubbish) and after
/// 2200.
pub(crate) fn filetime_to_iso(filetime: u64) -> Option<String> {
    let seconds = filetime / 10_000_000;
    let (days, rest) = ((seconds / 86_400) as i64 - 134_774, seconds % 86_400);
    let date = date_of(days).filter(|date| (1900..2200).contains(&date.year()))?;
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    Some(format!("{date}T{hour:02}:{minute:02}:{second:02}Z"))
}
