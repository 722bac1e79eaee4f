//! Outlook packets (`winmail.dat`): the files in them, and their text if the mail has none. Format: [MS-OXTNEF]
//! sections 2.1.3 and 2.1.4.

use crate::limits::mail::MAX_TNEF_FILES;
use crate::shared::bytes::u32_le;
use crate::shared::codepage;

const SIGNATURE: u32 = 0x223e_9f78;
const ATTACH_BEGIN: u32 = 0x0006_9002;
const ATTACH_TITLE: u32 = 0x0001_8010;
const ATTACH_DATA: u32 = 0x0006_800f;
const ATTACH_PROPERTIES: u32 = 0x0006_9005;
const MESSAGE_PROPERTIES: u32 = 0x0006_9003;
const MESSAGE_BODY: u32 = 0x0002_800c;
const CODE_PAGE: u32 = 0x0006_9007;

/// The contents of a packet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TnefContents {
    pub body: Option<TnefBody>,
    pub files: Vec<TnefFile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TnefBody {
    Plain(String),
    /// HTML.
    Page(Vec<u8>),
}

/// A file in a packet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TnefFile {
    pub name: Option<String>,
    /// Its type, if the packet names one.
    pub kind: String,
    pub bytes: Vec<u8>,
}

/// Reads a packet, or as much of it as is there; `None` if the bytes are not a packet.
pub(super) fn read(bytes: &[u8]) -> Option<TnefContents> {
    let mut at = 6;
    (u32_le(bytes, 0)? == SIGNATURE).then_some(())?;
    let mut contents = TnefContents::default();
    let mut page = codepage::WESTERN;
    while let Some((id, data)) = attribute(bytes, &mut at) {
        let count = contents.files.len();
        match (id, contents.files.last_mut()) {
            (CODE_PAGE, _) => page = u32_le(data, 0).unwrap_or(page),
            (MESSAGE_BODY, _) => set_plain(&mut contents, codepage::decode(page, until_nul(data))),
            (MESSAGE_PROPERTIES, _) => message(data, page, &mut contents),
            (ATTACH_BEGIN, _) if count < MAX_TNEF_FILES => contents.files.push(TnefFile::default()),
            (ATTACH_TITLE, Some(file)) if file.name.is_none() => {
                file.name = Some(codepage::decode(page, until_nul(data)));
            }
            (ATTACH_DATA, Some(file)) => file.bytes = data.to_vec(),
            (ATTACH_PROPERTIES, Some(file)) => attachment(data, page, file),
            _ => {}
        }
    }
    contents.files.retain(|file| !file.bytes.is_empty());
    Some(contents)
}

/// Level, number, length, data, checksum.
fn attribute<'b>(bytes: &'b [u8], at: &mut usize) -> Option<(u32, &'b [u8])> {
    let id = u32_le(bytes, *at + 1)?;
    let length = u32_le(bytes, *at + 5)? as usize;
    let start = *at + 9;
    let data = bytes.get(start..start.checked_add(length)?.min(bytes.len()))?;
    *at = start + data.len() + 2;
    Some((id, data))
}

fn message(data: &[u8], page: u32, contents: &mut TnefContents) {
    for (id, kind, value) in TnefProperties::of(data) {
        match id {
            0x1000 => set_plain(contents, text(kind, value, page)),
            0x1013 if !matches!(contents.body, Some(TnefBody::Plain(_))) && !value.is_empty() => {
                contents.body = Some(TnefBody::Page(value.to_vec()));
            }
            _ => {}
        }
    }
}

fn set_plain(contents: &mut TnefContents, text: String) {
    if !text.trim().is_empty() {
        contents.body = Some(TnefBody::Plain(text));
    }
}

fn attachment(data: &[u8], page: u32, file: &mut TnefFile) {
    for (id, kind, value) in TnefProperties::of(data) {
        match id {
            0x3707 => {
                file.name = Some(text(kind, value, page)).filter(|name| !name.is_empty()).or(file.name.take())
            }
            0x370e => file.kind = text(kind, value, page).to_ascii_lowercase(),
            // An object begins with its class.
            0x3701 if file.bytes.is_empty() => {
                file.bytes = if kind == 0x0d { value.get(16..).unwrap_or_default() } else { value }.to_vec();
            }
            _ => {}
        }
    }
}

fn text(kind: u16, value: &[u8], page: u32) -> String {
    match kind {
        0x1f => codepage::decode(1200, value).trim_end_matches('\0').to_owned(),
        _ => codepage::decode(page, until_nul(value)),
    }
}

fn until_nul(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len())]
}

/// Properties one after the other: type, number, name, values.
struct TnefProperties<'b> {
    bytes: &'b [u8],
    at: usize,
    left: u32,
}

impl<'b> TnefProperties<'b> {
    fn of(bytes: &'b [u8]) -> TnefProperties<'b> {
        TnefProperties { bytes, at: 4, left: u32_le(bytes, 0).unwrap_or(0) }
    }

    fn number(&mut self) -> Option<u32> {
        let number = u32_le(self.bytes, self.at)?;
        self.at += 4;
        Some(number)
    }

    /// The next bytes, which are padded to a multiple of four.
    fn padded(&mut self, length: usize) -> Option<&'b [u8]> {
        let value = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at = self.at.checked_add(length.checked_next_multiple_of(4)?)?;
        Some(value)
    }
}

impl<'b> Iterator for TnefProperties<'b> {
    type Item = (u16, u16, &'b [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let head = self.number()?;
        let (kind, id) = (head as u16, (head >> 16) as u16);
        if id >= 0x8000 {
            self.padded(16)?;
            if self.number()? == 0 {
                self.number()?;
            } else {
                let length = self.number()? as usize;
                self.padded(length)?;
            }
        }
        let single = kind & !0x1000;
        let is_variable = matches!(single, 0x0d | 0x1e | 0x1f | 0x102);
        let count = if is_variable || kind & 0x1000 != 0 { self.number()? } else { 1 };
        let mut first: Option<&[u8]> = None;
        for _ in 0..count {
            let length = match single {
                _ if is_variable => self.number()? as usize,
                0x05 | 0x06 | 0x07 | 0x14 | 0x40 => 8,
                0x48 => 16,
                _ => 4,
            };
            first = first.or(Some(self.padded(length)?));
        }
        Some((id, kind, first.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(id: u32, data: &[u8]) -> Vec<u8> {
        [&[1][..], &id.to_le_bytes(), &(data.len() as u32).to_le_bytes(), data, &[0, 0]].concat()
    }

    fn packet() -> Vec<u8> {
        let name: Vec<u8> = "\u{e9}t\u{e9}.txt\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut properties = vec![1, 0, 0, 0, 0x1f, 0, 0x07, 0x37, 1, 0, 0, 0];
        properties.extend((name.len() as u32).to_le_bytes());
        properties.extend(&name);
        properties.resize(properties.len().next_multiple_of(4), 0);
        [
            SIGNATURE.to_le_bytes().to_vec(),
            vec![1, 0],
            attribute(MESSAGE_BODY, b"Hello\0"),
            attribute(ATTACH_BEGIN, &[0; 14]),
            attribute(ATTACH_TITLE, b"ETE.TXT\0"),
            attribute(ATTACH_DATA, b"summer"),
            attribute(ATTACH_PROPERTIES, &properties),
        ]
        .concat()
    }

    #[test]
    fn files_and_text_are_found() {
        let found = read(&packet()).unwrap();
        assert_eq!(found.body, Some(TnefBody::Plain("Hello".to_owned())));
        assert_eq!(found.files.len(), 1);
        assert_eq!(found.files[0].name.as_deref(), Some("\u{e9}t\u{e9}.txt"));
        assert_eq!(found.files[0].bytes, b"summer");
    }

    #[test]
    fn what_is_cut_is_read_as_far_as_it_goes() {
        let whole = packet();
        for cut in 0..whole.len() {
            let _ = read(&whole[..cut]);
        }
        assert_eq!(read(b"no packet"), None);
    }
}
