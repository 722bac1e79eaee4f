//! Where the entries of a ZIP package are: its directory, and where that fails the headers of the entries themselves.
//!
//! Nothing is unpacked here, and nothing is reserved by a number that the package gives.

use super::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Entries that a package may have.
pub(super) const MOST_ENTRIES: usize = 65_536;

/// Bytes that the names of all entries may take.
const LONGEST_NAMES: usize = 16 << 20;

/// How far from the end the directory's last record may begin: its 22 bytes and the longest comment.
const LONGEST_TAIL: u64 = 22 + 65_535;

/// Bytes that are looked at together when entries are found by their headers; the longest header fits in.
const WINDOW: usize = 160 << 10;

/// Longer names are no names.
const LONGEST_NAME: usize = 4096;

pub(super) const LOCAL: &[u8; 4] = b"PK\x03\x04";
pub(super) const CENTRAL: &[u8; 4] = b"PK\x01\x02";
const END: &[u8; 4] = b"PK\x05\x06";
const END_64: &[u8; 4] = b"PK\x06\x06";
const LOCATOR_64: &[u8; 4] = b"PK\x06\x07";
const DESCRIPTOR: &[u8; 4] = b"PK\x07\x08";

/// What a directory or a header says of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub method: u16,
    pub is_encrypted: bool,
    pub crc: Option<u32>,
    pub packed: Option<u64>,
    pub unpacked: Option<u64>,
    /// Where its own header stands.
    pub header: u64,
}

impl Entry {
    /// True when no data of the packed length can have the length that is said: deflate gives at most 1,032 bytes a byte.
    pub fn claims_too_much(&self) -> bool {
        let most = |packed: u64| packed.saturating_mul(1032).saturating_add(64);
        self.packed.zip(self.unpacked).is_some_and(|(packed, unpacked)| unpacked > most(packed))
    }
}

/// What the directory says.
pub(super) struct Directory {
    pub entries: Vec<(String, Entry)>,
    /// It has fewer entries than it should.
    pub is_cut: bool,
}

/// Where a directory is.
struct End {
    start: u64,
    count: u64,
    /// What must be added to the places that it gives: bytes in front of the package.
    shift: i64,
}

/// The directory, if its last record can be found.
pub(super) fn read_directory(file: &mut File<'_>, size: u64) -> io::Result<Option<Directory>> {
    let start = size.saturating_sub(LONGEST_TAIL);
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.by_ref().take(LONGEST_TAIL).read_to_end(&mut tail)?;
    let ends = memchr::memmem::rfind_iter(&tail, END).take(16).collect::<Vec<_>>();
    for at in ends {
        let Some(record) = tail.get(at..at + 22) else { continue };
        if let Some(end) = read_end(file, record, start + at as u64)? {
            return read_entries(file, &end).map(Some);
        }
    }
    Ok(None)
}

/// Checks the last record, or its ZIP64 form, and that a directory stands where it says.
fn read_end(file: &mut File<'_>, record: &[u8], at: u64) -> io::Result<Option<End>> {
    let mut count = u64::from(u16_at(record, 10));
    let mut length = u64::from(u32_at(record, 12));
    let mut offset = u64::from(u32_at(record, 16));
    let mut behind = at;
    if count == 0xffff || length == 0xffff_ffff || offset == 0xffff_ffff {
        let mut locator = [0; 20];
        if at >= 20 && read_at(file, at - 20, &mut locator)? && locator.starts_with(LOCATOR_64) {
            let mut end = [0; 56];
            for place in [u64_at(&locator, 8), (at - 20).saturating_sub(56)] {
                if read_at(file, place, &mut end)? && end.starts_with(END_64) {
                    (count, length, offset) = (u64_at(&end, 32), u64_at(&end, 40), u64_at(&end, 48));
                    behind = place;
                    break;
                }
            }
        }
    }
    if count == 0 && length == 0 {
        return Ok(Some(End { start: behind, count, shift: 0 }));
    }
    let mut magic = [0; 4];
    for start in [behind.checked_sub(length), Some(offset)].into_iter().flatten() {
        if read_at(file, start, &mut magic)? && magic == *CENTRAL {
            return Ok(Some(End { start, count, shift: start as i64 - offset as i64 }));
        }
    }
    Ok(None)
}

fn read_entries(file: &mut File<'_>, end: &End) -> io::Result<Directory> {
    let mut entries = Vec::new();
    let mut names = 0;
    file.seek(SeekFrom::Start(end.start))?;
    let mut record = [0; 46];
    let mut rest = Vec::new();
    while fill(file, &mut record)? && record.starts_with(CENTRAL) {
        let name = usize::from(u16_at(&record, 28));
        let extra = usize::from(u16_at(&record, 30));
        rest.resize(name + extra + usize::from(u16_at(&record, 32)), 0);
        if !fill(file, &mut rest)? {
            break;
        }
        names += name + 64;
        if entries.len() >= MOST_ENTRIES || names > LONGEST_NAMES {
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, "too many entries"));
        }
        let (name, extra) = (&rest[..name], &rest[name..name + extra]);
        let sizes = [u32_at(&record, 24), u32_at(&record, 20), u32_at(&record, 42)];
        let [unpacked, packed, header] = wide(sizes, extra);
        let entry = Entry {
            method: u16_at(&record, 10),
            is_encrypted: u16_at(&record, 8) & 1 != 0,
            crc: Some(u32_at(&record, 16)),
            packed: Some(packed),
            unpacked: Some(unpacked),
            header: header.saturating_add_signed(end.shift),
        };
        entries.push((entry_name(name, extra), entry));
    }
    // An empty directory behind entries is a wrong one.
    let is_cut = (entries.len() as u64) < end.count || (entries.is_empty() && end.start >= 30);
    Ok(Directory { entries, is_cut })
}

/// Every entry whose own header can be found, in the order of the file.
pub(super) fn walk(file: &mut File<'_>, size: u64) -> io::Result<Vec<(String, Entry)>> {
    let mut entries: Vec<(String, Entry)> = Vec::new();
    let mut names = 0;
    let (mut window, mut start) = (Vec::new(), 0);
    let mut at = 0;
    // Data of an entry whose length is not said before it.
    let mut open: Option<u64> = None;
    let mut may_end = false;
    while at < size && entries.len() < MOST_ENTRIES && names < LONGEST_NAMES {
        let has_room = at >= start && at + 70_000 <= start + window.len() as u64;
        if !(has_room || may_end && at >= start) {
            file.seek(SeekFrom::Start(at))?;
            window.clear();
            file.by_ref().take(WINDOW as u64).read_to_end(&mut window)?;
            start = at;
            may_end = start + window.len() as u64 >= size;
        }
        let ahead = window.get((at - start) as usize..).unwrap_or_default();
        let Some(found) = memchr::memmem::find(ahead, b"PK") else {
            at = start + window.len() as u64 - u64::from(!may_end);
            if may_end {
                break;
            }
            continue;
        };
        at += found as u64;
        let ahead = &ahead[found..];
        if ahead.len() < 70_000 && !may_end {
            continue;
        }
        if ahead.starts_with(DESCRIPTOR)
            && let (Some(data), Some(last)) = (open, entries.last_mut())
            && ahead.get(8..12).is_some_and(|length| u64::from(u32_at(length, 0)) == at - data)
        {
            last.1.packed = Some(at - data);
            open = None;
        }
        let Some((name, entry, data)) = local_entry(ahead, at) else {
            at += 2;
            continue;
        };
        open = entry.packed.is_none().then_some(data);
        let behind = data.saturating_add(entry.packed.unwrap_or(0));
        at = if behind <= size { behind } else { data };
        names += name.len() + 64;
        entries.push((name, entry));
    }
    Ok(entries)
}

/// The entry whose header stands at the start of `bytes`, and where its data begins.
fn local_entry(bytes: &[u8], at: u64) -> Option<(String, Entry, u64)> {
    let header = bytes.get(..30).filter(|header| header.starts_with(LOCAL))?;
    let (name, extra) = (usize::from(u16_at(header, 26)), usize::from(u16_at(header, 28)));
    if name == 0 || name > LONGEST_NAME {
        return None;
    }
    let data = 30 + name + extra;
    let name = bytes.get(30..30 + name)?;
    let extra = bytes.get(data - extra..data).unwrap_or_default();
    let flags = u16_at(header, 6);
    let is_said_later = flags & 8 != 0;
    let [unpacked, packed, _] = wide([u32_at(header, 22), u32_at(header, 18), 0], extra);
    let known = |value: u64| Some(value).filter(|&value| !is_said_later || value > 0);
    let entry = Entry {
        method: u16_at(header, 8),
        is_encrypted: flags & 1 != 0,
        crc: (!is_said_later).then(|| u32_at(header, 14)),
        packed: known(packed),
        unpacked: known(unpacked),
        header: at,
    };
    Some((entry_name(name, extra), entry, at + data as u64))
}

/// Unpacked size, packed size and place, each from the ZIP64 field where it does not fit.
pub(super) fn wide(narrow: [u32; 3], extra: &[u8]) -> [u64; 3] {
    let mut rest = field(extra, 1).unwrap_or_default();
    narrow.map(|value| {
        if value != u32::MAX || rest.len() < 8 {
            return u64::from(value);
        }
        let wide = u64_at(rest, 0);
        rest = &rest[8..];
        wide
    })
}

/// The extra field of this number.
fn field(extra: &[u8], wanted: u16) -> Option<&[u8]> {
    let mut rest = extra;
    while rest.len() >= 4 {
        let (id, length) = (u16_at(rest, 0), usize::from(u16_at(rest, 2)));
        let body = rest[4..].get(..length)?;
        if id == wanted {
            return Some(body);
        }
        rest = &rest[4 + length..];
    }
    None
}

/// A name in UTF-8, whether it says so or not; otherwise its Unicode field (Info-ZIP), otherwise characters of CP437.
fn entry_name(name: &[u8], extra: &[u8]) -> String {
    let unicode = || field(extra, 0x7075).and_then(|body| std::str::from_utf8(body.get(5..)?).ok());
    let name = match std::str::from_utf8(name).ok().or_else(unicode) {
        Some(name) => name.replace('\\', "/"),
        None => name.iter().map(|&byte| cp437(byte)).map(|c| if c == '\\' { '/' } else { c }).collect(),
    };
    name.trim_start_matches('/').to_owned()
}

fn cp437(byte: u8) -> char {
    const UPPER: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
    match byte.checked_sub(128) {
        Some(upper) => UPPER.chars().nth(usize::from(upper)).unwrap_or('\u{fffd}'),
        None => char::from(byte),
    }
}

/// Reads at a place; false where the file ends before.
fn read_at(file: &mut File<'_>, at: u64, buffer: &mut [u8]) -> io::Result<bool> {
    file.seek(SeekFrom::Start(at))?;
    fill(file, buffer)
}

pub(super) fn fill(file: &mut File<'_>, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
