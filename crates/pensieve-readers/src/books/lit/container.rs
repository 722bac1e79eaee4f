//! The container of LIT books, ITOLITLS: a directory of named streams, most of which are inside packed and sealed
//! sections.
//!
//! After the published notes on the ITSS family (Microsoft's InfoTech Storage, Matthew Russotto and Jed Wing) and on
//! LIT (openebook "ITOLITLS"): numbers are little endian; five blocks, of which the second is the directory, in
//! chunks `AOLL` of entries (name, section, place, size, with numbers of seven bits per byte); a header after the
//! blocks, whose part `ITSF` has the start of the content. Section 0 is the file itself; the others have a list of
//! their transforms: LZX, a cipher.

use super::section::SectionTransforms;
use crate::books::palm_database::damaged;
use crate::limits::lit::{MAX_DIRECTORY_ENTRIES, MAX_NAME_BYTES, MAX_SECTIONS};
use crate::shared::bytes::{u16_le, usize_le};
use pensieve_text::model::Problem;
use std::collections::BTreeMap;

/// The place of a stream: its section, its offset there, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StreamLocation {
    section: usize,
    at: usize,
    size: usize,
}

/// An open container.
#[derive(Debug)]
pub(super) struct LitContainer<'f> {
    file: &'f [u8],
    content: usize,
    streams: BTreeMap<String, StreamLocation>,
    /// Names of sections, with their content once it is unpacked.
    sections: Vec<(String, Option<Vec<u8>>)>,
    /// The key that the book is sealed with, when it is known.
    pub key: Option<[u8; 8]>,
    /// Sections that are incomplete.
    pub broken: Vec<String>,
}

impl<'f> LitContainer<'f> {
    /// Opens a container: reads its directory.
    ///
    /// # Errors
    /// It is not such a container, or its directory cannot be read.
    pub(super) fn open(file: &'f [u8]) -> Result<LitContainer<'f>, Problem> {
        if !file.starts_with(b"ITOLITLS") {
            return Err(damaged("no LIT book: its mark is missing"));
        }
        let mut container = LitContainer {
            file,
            content: 0,
            streams: BTreeMap::new(),
            sections: Vec::new(),
            key: None,
            broken: Vec::new(),
        };
        container.read_header().ok_or_else(|| damaged("the header of the book cannot be read"))?;
        if container.streams.is_empty() {
            return Err(damaged("the directory of the book cannot be read"));
        }
        container.read_section_names();
        Ok(container)
    }

    fn read_header(&mut self) -> Option<()> {
        let file = self.file;
        let (pieces, count, length) = (usize_le(file, 12)?, usize_le(file, 16)?, usize_le(file, 20)?);
        let header = pieces.checked_add(count.min(64) * 16)?;
        let header = file.get(header..header.checked_add(length)?.min(file.len()))?;
        let block = memchr::memmem::find(header, b"ITSF")?;
        self.content = usize_le(header, block + 16)?;
        let piece = pieces.checked_add(16)?;
        let (start, size) = (usize_le(file, piece)?, usize_le(file, piece.checked_add(8)?)?);
        let directory = file.get(start..start.checked_add(size)?.min(file.len()))?;
        self.read_directory(directory)
    }

    fn read_directory(&mut self, directory: &[u8]) -> Option<()> {
        if directory.get(..4) != Some(b"IFCM") {
            return None;
        }
        let chunk = usize_le(directory, 8)?.clamp(64, 1 << 20);
        for chunk in directory.get(32..)?.chunks(chunk) {
            if chunk.get(..4) != Some(b"AOLL") || chunk.len() < 50 {
                continue;
            }
            let free = usize_le(chunk, 4)?;
            let end = chunk.len().saturating_sub(free).max(48);
            let mut at = 48;
            while at < end && self.streams.len() < MAX_DIRECTORY_ENTRIES {
                let Some((name, stream)) = entry(&chunk[..end], &mut at) else { break };
                self.streams.entry(name).or_insert(stream);
            }
        }
        Some(())
    }

    fn read_section_names(&mut self) {
        let list = self.stream("::DataSpace/NameList").unwrap_or_default();
        let count = u16_le(&list, 2).map_or(0, usize::from).min(MAX_SECTIONS);
        let mut at = 4;
        for _ in 0..count {
            let Some(length) = u16_le(&list, at).map(usize::from) else { break };
            let Some(name) = list.get(at + 2..at + 2 + length * 2) else { break };
            let units: Vec<u16> =
                name.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
            self.sections.push((String::from_utf16_lossy(&units), None));
            at += length * 2 + 4;
        }
    }

    /// True if there is such a stream.
    pub(super) fn has(&self, name: &str) -> bool {
        self.streams.contains_key(name)
    }

    /// The names of all streams.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.streams.keys().map(String::as_str)
    }

    /// The bytes of a stream, as far as they are there.
    pub(super) fn stream(&mut self, name: &str) -> Option<Vec<u8>> {
        let stream = *self.streams.get(name)?;
        if stream.section == 0 {
            let start = self.content.checked_add(stream.at)?;
            let rest = self.file.get(start..)?;
            return Some(rest[..stream.size.min(rest.len())].to_vec());
        }
        let (section, content) = self.sections.get(stream.section)?;
        if content.is_none() {
            let section = section.clone();
            let content = self.unpack(&section);
            self.sections.get_mut(stream.section)?.1 = Some(content);
        }
        let rest = self.sections.get(stream.section)?.1.as_ref()?.get(stream.at..)?;
        (stream.size == 0 || !rest.is_empty()).then(|| rest[..stream.size.min(rest.len())].to_vec())
    }

    /// The bytes of a stream; `None` if some of them are missing, or their section is broken.
    pub(super) fn whole_stream(&mut self, name: &str) -> Option<Vec<u8>> {
        let stream = *self.streams.get(name)?;
        let bytes = self.stream(name).filter(|bytes| bytes.len() == stream.size)?;
        let section = self.sections.get(stream.section).map(|section| section.0.as_str());
        let is_broken = section.is_some_and(|name| self.broken.iter().any(|broken| broken == name));
        (!is_broken).then_some(bytes)
    }

    /// The unpacked content of a section. The streams that describe it are outside of all sections.
    fn unpack(&mut self, section: &str) -> Vec<u8> {
        let path = |name: &str| format!("::DataSpace/Storage/{section}/{name}");
        let mut plain = |name: &str| {
            let path = path(name);
            let is_outside = self.streams.get(&path).is_some_and(|stream| stream.section == 0);
            if is_outside { self.stream(&path).unwrap_or_default() } else { Vec::new() }
        };
        let content = plain("Content");
        let list = plain("Transform/List");
        let control = plain("ControlData");
        let resets = plain("Transform/{0A9007C6-4076-11D3-8789-0000F8105754}/InstanceData/ResetTable");
        let transforms = SectionTransforms { list: &list, control: &control, resets: &resets, key: self.key };
        let (content, is_whole) = transforms.undo(content);
        if !is_whole {
            self.broken.push(section.to_owned());
        }
        content
    }
}

/// An entry of the directory.
fn entry(chunk: &[u8], at: &mut usize) -> Option<(String, StreamLocation)> {
    let length = number(chunk, at)?;
    let name = chunk.get(*at..at.checked_add(length.min(MAX_NAME_BYTES))?)?;
    *at += length;
    let stream =
        StreamLocation { section: number(chunk, at)?, at: number(chunk, at)?, size: number(chunk, at)? };
    Some((String::from_utf8_lossy(name).into_owned(), stream))
}

/// A number with seven bits per byte, the highest first; every byte but the last has the eighth bit.
fn number(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut number: u64 = 0;
    for _ in 0..9 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return usize::try_from(number).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read() {
        let check = |bytes: &[u8], expected: Option<(&str, usize, usize, usize)>| {
            let found = entry(bytes, &mut 0);
            let found =
                found.as_ref().map(|(name, stream)| (name.as_str(), stream.section, stream.at, stream.size));
            assert_eq!(found, expected);
        };
        check(b"\x05/meta\x00\x81\x00\x07", Some(("/meta", 0, 128, 7)));
        check(b"\x05/met", None);
        check(b"\x01a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", None);
    }

    #[test]
    fn files_that_are_no_container_are_refused() {
        let message = |bytes: &[u8]| LitContainer::open(bytes).unwrap_err().message;
        assert_eq!(message(b"ITOL"), "no LIT book: its mark is missing");
        assert_eq!(message(b"ITOLITLS"), "the header of the book cannot be read");
        let mut bytes = b"ITOLITLS".to_vec();
        bytes.resize(4096, 0xff);
        assert_eq!(message(&bytes), "the header of the book cannot be read");
    }

    fn numbers(numbers: &[u32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// A container of these streams: name, section, place and size of each; then its content.
    fn container(streams: &[(&str, u8, u8, u8)], content: &[u8]) -> Vec<u8> {
        let mut chunk = b"AOLL\x05\0\0\0".to_vec();
        chunk.resize(48, 0xee);
        for (name, section, at, size) in streams {
            chunk.push(name.len() as u8);
            chunk.extend_from_slice(name.as_bytes());
            chunk.extend([*section, *at, *size]);
        }
        // Free bytes that look like an entry.
        chunk.extend(b"\x01x\0\0\0");
        let mut directory = [b"IFCM\0\0\0\0".as_slice(), &numbers(&[4096])].concat();
        directory.resize(32, 0xee);
        directory.extend_from_slice(&chunk);
        let (start, size) = (102, directory.len() as u32);
        let mut file = [b"ITOLITLS\0\0\0\0".as_slice(), &numbers(&[48, 2, 22])].concat();
        file.resize(64, 0xee);
        file.extend(numbers(&[start, 0, size, 0]));
        file.extend_from_slice(b"??ITSF");
        file.resize(98, 0xee);
        file.extend(numbers(&[start + size]));
        [file.as_slice(), &directory, content].concat()
    }

    #[test]
    fn streams_lie_in_the_file() {
        let bytes =
            container(&[("/a", 0, 2, 3), ("/b", 0, 5, 9), ("/c", 0, 9, 1), ("/d", 3, 0, 1)], b"01234567");
        let mut container = LitContainer::open(&bytes).unwrap();
        assert_eq!(container.names().collect::<Vec<_>>(), ["/a", "/b", "/c", "/d"]);
        assert_eq!([container.has("/a"), container.has("x")], [true, false]);
        let mut read = |name: &str| (container.stream(name), container.whole_stream(name));
        assert_eq!(read("/a"), (Some(b"234".to_vec()), Some(b"234".to_vec())));
        assert_eq!(read("/b"), (Some(b"567".to_vec()), None));
        assert_eq!(read("/c"), (None, None));
        assert_eq!(read("/d"), (None, None));
        assert_eq!(read("/e"), (None, None));
    }

    #[test]
    fn streams_of_sections_lie_in_their_unpacked_content() {
        const DES: &[u8] = b"\xa2\xe4\xf6\x67\xbf\x60\xd3\x11\x85\x40\x00\xc0\x4f\x58\xc3\xcf";
        let names = b"??\x02\0\x01\0U\0??\x02\0S\0T\0??";
        let sealed = b"twelve bytes and four more bytes";
        let content = [names.as_slice(), DES, sealed].concat();
        let streams = [
            ("::DataSpace/NameList", 0, 0, 18),
            ("::DataSpace/Storage/ST/Transform/List", 0, 18, 16),
            ("::DataSpace/Storage/ST/Content", 0, 34, 32),
            ("/a", 1, 2, 3),
            ("/b", 1, 30, 9),
            ("/c", 1, 32, 0),
            ("/d", 1, 32, 1),
            ("/e", 1, 33, 0),
        ];
        let bytes = container(&streams, &content);
        let key = [1, 2, 3, 4, 5, 6, 7, 8];
        let mut plain = sealed.to_vec();
        crate::books::lit::cipher::LitCipher::new(key).decipher(&mut plain);
        let mut container = LitContainer::open(&bytes).unwrap();
        container.key = Some(key);
        let mut read = |name: &str| (container.stream(name), container.whole_stream(name));
        assert_eq!(read("/a"), (Some(plain[2..5].to_vec()), Some(plain[2..5].to_vec())));
        assert_eq!(read("/b"), (Some(plain[30..].to_vec()), None));
        assert_eq!(read("/c"), (Some(Vec::new()), Some(Vec::new())));
        assert_eq!((read("/d"), read("/e")), ((None, None), (None, None)));
        assert!(container.broken.is_empty());
        // Without its key the section is broken.
        let mut container = LitContainer::open(&bytes).unwrap();
        assert_eq!((container.stream("/a"), container.stream("/c")), (None, None));
        assert_eq!(container.broken, ["ST"]);
    }

    #[test]
    fn numbers_end_with_a_byte_without_the_eighth_bit() {
        for (bytes, expected, length) in [
            (b"\x07x".as_slice(), Some(7), 1),
            (b"\x81\x02", Some(130), 2),
            (b"\xff\x7f", Some(16_383), 2),
            (b"\x81\x80\x80\x80\x03", Some((1 << 28) + 3), 5),
            (b"\x81\x80\x80\x80\x80\x80\x80\x80\x00", Some(1 << 56), 9),
            (b"\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00", None, 9),
            (b"\x81", None, 1),
        ] {
            let mut at = 0;
            assert_eq!((number(bytes, &mut at), at), (expected, length), "{bytes:x?}");
        }
    }
}
