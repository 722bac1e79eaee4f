//! Properties of an Outlook item: small ones in one stream, each of the others in a stream of its own, some under
//! numbers that only the file itself defines. Format: [MS-OXMSG] sections 2.1 to 2.4, [MS-OXCDATA] section 2.11.

use crate::limits::mail::{MAX_ITEM_PROPERTIES, MAX_PROPERTY_STREAM_BYTES, MAX_PROPERTY_TEXT_BYTES};
use crate::shared::bytes::has_lost_characters;
use crate::shared::codepage;
use crate::shared::ole::{Compound, filetime_to_iso};
use pensieve_text::model::Problem;
use std::collections::HashMap;

/// A storage with properties: an item, a recipient, an attachment.
#[derive(Debug, Default)]
pub(super) struct PropertyStorage {
    /// The properties that fit into eight bytes, by number.
    fixed: HashMap<u16, (u16, [u8; 8])>,
    /// The others: the entry of their stream, by number and type.
    streams: HashMap<(u16, u16), usize>,
    /// The streams of properties with many values, in the order of their names.
    value_streams: HashMap<(u16, u16), Vec<usize>>,
    /// The storages inside, by name in upper case, in the order of their names.
    pub storages: Vec<(String, usize)>,
    /// The stream of the small properties, which every such storage must have, is missing.
    pub is_broken: bool,
    /// How many recipients and attachments an item declares.
    pub declared: [u32; 2],
    /// The code page of texts that are not Unicode.
    pub code_page: u32,
}

const UNICODE: u16 = 0x001f;
const STRING: u16 = 0x001e;
const BINARY: u16 = 0x0102;
const MANY: u16 = 0x1000;
const TIME: u16 = 0x0040;

impl PropertyStorage {
    /// Reads a storage; `header` bytes come before its small properties.
    ///
    /// # Errors
    /// `Io` if the file cannot be read.
    pub fn open(compound: &mut Compound<'_>, at: usize, header: usize) -> Result<PropertyStorage, Problem> {
        let mut storage = PropertyStorage { code_page: codepage::WESTERN, ..PropertyStorage::default() };
        let mut fixed = None;
        for &child in compound.children(at).iter().take(MAX_ITEM_PROPERTIES) {
            let entry = &compound.entries()[child];
            let name = entry.name.to_ascii_uppercase();
            if entry.is_storage {
                storage.storages.push((name.clone(), child));
            }
            if name == "__PROPERTIES_VERSION1.0" {
                // Lost streams of inner items come after those of the item.
                fixed = fixed.or(Some(child));
            } else if let Some((id, kind)) = name.strip_prefix("__SUBSTG1.0_").and_then(tag_of) {
                if name.len() > "__SUBSTG1.0_00000000".len() {
                    storage.value_streams.entry((id, kind)).or_default().push(child);
                } else {
                    storage.streams.entry((id, kind)).or_insert(child);
                }
            }
        }
        storage.storages.sort();
        storage.is_broken = fixed.is_none();
        if let Some(stream) = fixed {
            let bytes = compound.read_range(stream, 0, MAX_PROPERTY_STREAM_BYTES)?;
            let count = |at: usize| {
                bytes
                    .get(at..at + 4)
                    .map_or(0, |four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
            };
            if header >= 24 {
                storage.declared = [count(16), count(20)];
            }
            for row in bytes.get(header..).unwrap_or_default().chunks_exact(16).take(MAX_ITEM_PROPERTIES) {
                let (kind, id) = (u16::from_le_bytes([row[0], row[1]]), u16::from_le_bytes([row[2], row[3]]));
                let value = [row[8], row[9], row[10], row[11], row[12], row[13], row[14], row[15]];
                storage.fixed.insert(id, (kind, value));
            }
        }
        storage.code_page = storage.number(0x3ffd).filter(|page| *page > 0).map_or_else(
            || {
                storage
                    .number(0x3ff1)
                    .map_or(codepage::WESTERN, |language| codepage::of_language(language as u16))
            },
            |page| page as u32,
        );
        Ok(storage)
    }

    /// A number or a boolean.
    pub fn number(&self, id: u16) -> Option<i32> {
        let (kind, value) = self.fixed.get(&id)?;
        let four = i32::from_le_bytes([value[0], value[1], value[2], value[3]]);
        match kind {
            0x0002 => Some(four as i16 as i32),
            0x0003 => Some(four),
            0x000b => Some(i32::from(four as u16 != 0)),
            _ => None,
        }
    }

    /// A time as ISO 8601, in UTC.
    pub fn time(&self, id: u16) -> Option<String> {
        let (kind, value) = self.fixed.get(&id)?;
        filetime_to_iso(u64::from_le_bytes(*value)).filter(|_| *kind == TIME)
    }

    /// A text on one line, without control characters; `None` if nothing is left.
    pub fn line(&self, compound: &mut Compound<'_>, id: u16) -> Option<String> {
        let text = self.text(compound, id, MAX_PROPERTY_TEXT_BYTES)?;
        Some(super::super::encoded_words::squeezed(&text)).filter(|line| !line.is_empty())
    }

    /// A text of at most `max_bytes`.
    pub fn text(&self, compound: &mut Compound<'_>, id: u16, max_bytes: usize) -> Option<String> {
        let is_short =
            |compound: &Compound<'_>, entry: usize| compound.entries()[entry].size <= max_bytes as u64;
        for (kind, page) in [(UNICODE, 1200), (STRING, self.code_page)] {
            let Some(&stream) = self.streams.get(&(id, kind)) else { continue };
            if !is_short(compound, stream) {
                continue;
            }
            let bytes = read_text(compound, stream).ok()?;
            let bytes = if kind == UNICODE { &bytes[..bytes.len() & !1] } else { &bytes[..] };
            let text = codepage::decode(page, bytes);
            return Some(text.trim_end_matches('\0').to_owned());
        }
        None
    }

    /// Texts on one line each; only one if the property has a single value.
    pub fn lines(&self, compound: &mut Compound<'_>, id: u16) -> Vec<String> {
        let many = [UNICODE, STRING].into_iter().find(|kind| self.streams.contains_key(&(id, MANY | kind)));
        let Some(kind) = many else { return self.line(compound, id).into_iter().collect() };
        let page = if kind == UNICODE { 1200 } else { self.code_page };
        let streams: Vec<usize> = self.value_streams.get(&(id, MANY | kind)).cloned().unwrap_or_default();
        let read = |stream: usize| codepage::decode(page, &read_text(compound, stream).unwrap_or_default());
        let lines = streams.into_iter().map(read).map(|text| super::super::encoded_words::squeezed(&text));
        lines.filter(|line| !line.is_empty()).collect()
    }

    /// True if nothing shows that this is an item.
    pub fn is_empty(&self) -> bool {
        self.is_broken && self.streams.is_empty()
    }

    /// True if there is such a text, of any length.
    pub fn has_text(&self, id: u16) -> bool {
        [UNICODE, STRING].iter().any(|kind| self.streams.contains_key(&(id, *kind)))
    }

    /// The bytes of a property.
    ///
    /// # Errors
    /// As [`Compound::read`].
    pub fn bytes(&self, compound: &mut Compound<'_>, id: u16) -> Result<Option<Vec<u8>>, Problem> {
        self.streams.get(&(id, BINARY)).map(|&stream| compound.read(stream)).transpose()
    }

    /// The size of a property in bytes.
    pub fn size(&self, compound: &Compound<'_>, id: u16) -> u64 {
        self.streams.get(&(id, BINARY)).map_or(0, |&stream| compound.entries()[stream].size)
    }

    /// The storage of a property that is an object.
    pub fn object(&self, id: u16) -> Option<usize> {
        let wanted = format!("__SUBSTG1.0_{id:04X}000D");
        self.storages.iter().find(|(name, _)| *name == wanted).map(|(_, at)| *at)
    }
}

/// The bytes of a text; damage of the file if some of them are lost.
fn read_text(compound: &mut Compound<'_>, stream: usize) -> Result<Vec<u8>, Problem> {
    let bytes = compound.read(stream)?;
    if has_lost_characters(&bytes) {
        compound.note_damage("a block of the text is nothing but zeros");
    }
    Ok(bytes)
}

/// `0037001F`: the number, then the type.
fn tag_of(digits: &str) -> Option<(u16, u16)> {
    let tag = u32::from_str_radix(digits.get(..8)?, 16).ok()?;
    Some(((tag >> 16) as u16, tag as u16))
}

/// The numbers of named properties in this file: above 0x8000, in the file's own order.
#[derive(Debug, Default)]
pub(super) struct NamedProperties {
    numbers: HashMap<u32, u16>,
    words: HashMap<String, u16>,
}

impl NamedProperties {
    /// Reads the names; without them those properties are not found.
    pub fn read(compound: &mut Compound<'_>) -> NamedProperties {
        let mut stream = |name: &str| {
            let read = compound.read_path(&format!("__nameid_version1.0/__substg1.0_{name}0102"));
            read.ok().flatten().unwrap_or_default()
        };
        let (rows, words) = (stream("0003"), stream("0004"));
        let mut names = NamedProperties::default();
        for row in rows.chunks_exact(8).take(MAX_ITEM_PROPERTIES) {
            let name = u32::from_le_bytes([row[0], row[1], row[2], row[3]]);
            let number = 0x8000_u16.checked_add(u16::from_le_bytes([row[6], row[7]]));
            let Some(number) = number else { continue };
            if row[4] & 1 == 0 {
                names.numbers.entry(name).or_insert(number);
            } else if let Some(word) = word_at(&words, name as usize) {
                names.words.entry(word).or_insert(number);
            }
        }
        names
    }

    /// The number of a property with this number in its set.
    pub fn number(&self, name: u32) -> Option<u16> {
        self.numbers.get(&name).copied()
    }

    /// The number of a property with this word as its name.
    pub fn word(&self, name: &str) -> Option<u16> {
        self.words.get(name).copied()
    }
}

/// A length, then UTF-16.
fn word_at(bytes: &[u8], at: usize) -> Option<String> {
    let rest = bytes.get(at..)?;
    let length = u32::from_le_bytes(rest.get(..4)?.try_into().ok()?) as usize;
    let word = rest.get(4..4_usize.checked_add(length)?).filter(|word| word.len() <= 512)?;
    Some(codepage::decode(1200, word))
}
