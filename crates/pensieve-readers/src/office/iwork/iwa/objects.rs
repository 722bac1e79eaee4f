//! The objects of a document: numbered messages in the files of its index.
//!
//! Each object is a length, a `TSP.ArchiveInfo` with its number and the types and lengths of its messages, and the
//! messages. Source: files of Pages, Numbers and Keynote; names as in the programs' own descriptors.

use super::snappy::unpack;
use super::wire::ProtobufMessage;
use super::wire::varint;
use crate::limits::iwork::{MAX_INDEX_BYTES, MAX_OBJECTS};
use crate::shared::archive::Archive;
use std::collections::HashMap;
use std::ops::Range;

/// Types of text storages.
pub(super) const STORAGE_TYPES: &[u32] = &[2001, 2005];

/// Files without text: positions of windows, widths of columns, lists of objects. (Tables are found through the file
/// of the calculation engine.)
const WITHOUT_TEXT: [&str; 4] = ["DocumentMetadata", "HeaderStorageBucket", "Metadata", "ViewState"];

/// The type of an object and its range in the unpacked bytes.
#[derive(Debug, Clone)]
struct ObjectRange {
    kind: u32,
    start: u32,
    end: u32,
}

/// An object.
#[derive(Debug, Clone, Copy)]
pub(super) struct IwaObject<'s> {
    pub kind: u32,
    pub message: ProtobufMessage<'s>,
}

/// Every object that could be read.
#[derive(Default)]
pub(super) struct ObjectStore {
    bytes: Vec<u8>,
    places: HashMap<u64, ObjectRange>,
    /// Identifiers in the order of the files.
    order: Vec<u64>,
    /// Files that could not be read to their end.
    pub broken: Vec<String>,
}

impl ObjectStore {
    /// Reads the index of a package whose entries begin with `folder`.
    pub fn read(archive: &mut Archive<'_>, folder: &str) -> ObjectStore {
        let mut store = ObjectStore::default();
        let names: Vec<String> = archive
            .names()
            .iter()
            .filter(|name| name.starts_with(folder) && name.ends_with(".iwa") && !is_without_text(name))
            .cloned()
            .collect();
        for name in names {
            let is_whole = match archive.salvage(&name) {
                Ok((packed, problem)) => store.add(&packed) && problem.is_none(),
                Err(_) => false,
            };
            if !is_whole {
                store.broken.push(name);
            }
        }
        store
    }

    /// Adds the objects of a file; true if all of it was read.
    pub fn add(&mut self, packed: &[u8]) -> bool {
        let start = self.bytes.len();
        let is_whole = unpack(packed, &mut self.bytes, MAX_INDEX_BYTES);
        self.index(start..self.bytes.len()) && is_whole
    }

    fn index(&mut self, range: Range<usize>) -> bool {
        let mut at = range.start;
        while at < range.end {
            let mut rest = &self.bytes[at..range.end];
            let before = rest.len();
            let Some(length) = varint(&mut rest).and_then(|length| usize::try_from(length).ok()) else {
                return false;
            };
            let Some((info, _)) = rest.split_at_checked(length) else { return false };
            at += before - rest.len() + length;
            let info = ProtobufMessage(info);
            let Some(identifier) = info.number(1) else { return false };
            for (count, part) in info.messages(2).enumerate() {
                let length = part.number(3).and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
                let Some(end) = at.checked_add(length).filter(|end| *end <= range.end) else { return false };
                // Further messages change the first one for other versions of the programs.
                if count == 0 && self.places.len() < MAX_OBJECTS {
                    let kind = part.number(1).and_then(|kind| u32::try_from(kind).ok()).unwrap_or(0);
                    let place = ObjectRange { kind, start: at as u32, end: end as u32 };
                    if self.places.insert(identifier, place).is_none() {
                        self.order.push(identifier);
                    }
                }
                at = end;
            }
        }
        true
    }

    /// The object of a number.
    pub fn get(&self, identifier: u64) -> Option<IwaObject<'_>> {
        let place = self.places.get(&identifier)?;
        let bytes = self.bytes.get(place.start as usize..place.end as usize)?;
        Some(IwaObject { kind: place.kind, message: ProtobufMessage(bytes) })
    }

    /// The message of the object that a field refers to; empty if there is none.
    pub fn follow<'s>(&'s self, message: ProtobufMessage<'_>, field: u32) -> ProtobufMessage<'s> {
        let object = message.reference(field).and_then(|identifier| self.get(identifier));
        object.map(|object| object.message).unwrap_or_default()
    }

    /// Every object of one of the types, in the order of the files.
    pub fn of_kinds(&self, kinds: &'static [u32]) -> impl Iterator<Item = u64> {
        let is_wanted = move |identifier: &&u64| {
            self.places.get(identifier).is_some_and(|place| kinds.contains(&place.kind))
        };
        self.order.iter().filter(is_wanted).copied()
    }

    /// True if nothing could be read.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

fn is_without_text(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    let stem = file.split(['-', '.']).next().unwrap_or_default();
    WITHOUT_TEXT.contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_by_their_numbers() {
        // Object 5 of type 2001 with two bytes, then object 6, which declares more bytes than there are.
        let index = b"\x09\x08\x05\x12\x05\x08\xd1\x0f\x18\x02\x08\x01\x08\x08\x06\x12\x04\x08\x01\x18\x63";
        let mut packed =
            vec![0, index.len() as u8 + 2, 0, 0, index.len() as u8, ((index.len() - 1) << 2) as u8];
        packed.extend_from_slice(index);
        let mut store = ObjectStore::default();
        assert!(!store.add(&packed));
        let object = store.get(5).expect("the first object is whole");
        assert_eq!((object.kind, object.message.number(1)), (2001, Some(1)));
        assert!(store.get(6).is_none());
        assert_eq!(store.of_kinds(&[2001]).collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn files_without_text_are_passed() {
        assert!(is_without_text("Index/ViewState-9068.iwa"));
        assert!(is_without_text("Index/Metadata.iwa"));
        assert!(!is_without_text("Index/Tables/DataList-904492-2.iwa"));
    }
}
