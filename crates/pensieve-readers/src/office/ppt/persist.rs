//! Which records of a presentation are current: every save appends records, and the latest edits name the current
//! ones. Format: [MS-PPT] sections 2.1.2, 2.3.2 to 2.3.5, 2.4.14.

use super::records::{Record, Records, kinds};
use crate::limits::ppt::MAX_EDITS;
use crate::shared::bytes::{u16_le, u32_le};
use std::collections::{HashMap, HashSet};

/// A slide, or the notes of one, as the document lists it.
#[derive(Debug, Clone)]
pub(super) struct SlideEntry<'a> {
    /// The record of the slide, if there is one.
    pub slide: Option<Record<'a>>,
    /// Its number, by which notes name it.
    pub id: u32,
    /// The records of its texts in the outline.
    pub outline: Vec<Record<'a>>,
}

/// The current records of a presentation.
#[derive(Debug, Default)]
pub(super) struct PresentationRecords<'a> {
    pub document: Option<Record<'a>>,
    pub slides: Vec<SlideEntry<'a>>,
    pub notes: Vec<SlideEntry<'a>>,
    pub is_encrypted: bool,
    /// The directory was broken; slides were taken in the order of the file.
    pub is_repaired: bool,
}

/// The positions of records by their numbers, according to the latest edits.
struct PersistDirectory {
    places: HashMap<u32, usize>,
    document: Option<u32>,
    is_encrypted: bool,
}

impl<'a> PresentationRecords<'a> {
    /// Finds the current records. `current` is the stream of the current user.
    pub(super) fn find(stream: &'a [u8], current: &[u8]) -> PresentationRecords<'a> {
        let directory = PersistDirectory::read(stream, current);
        let place = |number: u32| directory.places.get(&number).copied();
        let mut presentation =
            PresentationRecords { is_encrypted: directory.is_encrypted, ..PresentationRecords::default() };
        let named = directory.document.and_then(place).and_then(|place| Records::at(stream, place));
        let document = named.filter(|record| record.kind == kinds::DOCUMENT);
        presentation.is_repaired = document.is_none();
        // The last document in the file is the latest one.
        presentation.document =
            document.or_else(|| Records::new(stream).filter(|record| record.kind == kinds::DOCUMENT).last());
        let lists = presentation.document.into_iter().flat_map(Record::inner);
        let mut seen = HashSet::new();
        for list in lists.filter(|record| record.kind == kinds::SLIDE_LIST) {
            let into = match list.instance {
                0 => &mut presentation.slides,
                2 => &mut presentation.notes,
                _ => continue,
            };
            let wanted = if list.instance == 0 { kinds::SLIDE } else { kinds::NOTES };
            for (number, mut entry) in entries_in(list) {
                let place = place(number).filter(|place| seen.insert(*place));
                let found = place.and_then(|place| Records::at(stream, place));
                entry.slide = found.filter(|record| record.kind == wanted);
                into.push(entry);
            }
        }
        if presentation.slides.iter().all(|entry| entry.slide.is_none()) {
            presentation.take_all(stream);
        }
        presentation
    }

    /// Takes every slide of the file in order. They get the outlines of the list in its order, which may differ: a
    /// title at the wrong slide is better than no title.
    fn take_all(&mut self, stream: &'a [u8]) {
        let found: Vec<_> = Records::new(stream).filter(|record| record.kind == kinds::SLIDE).collect();
        if found.is_empty() {
            return;
        }
        self.is_repaired = true;
        let blank = SlideEntry { slide: None, id: 0, outline: Vec::new() };
        self.slides.resize(self.slides.len().max(found.len()), blank);
        self.slides.iter_mut().zip(found).for_each(|(entry, slide)| entry.slide = Some(slide));
    }

    /// The notes of a slide, by the number that the slide names.
    pub(super) fn notes_of(&self, slide: &SlideEntry<'a>) -> Option<Record<'a>> {
        let wanted = slide.slide?.child(kinds::SLIDE_ATOM).and_then(|atom| u32_le(atom.body, 16));
        let wanted = wanted.filter(|id| *id != 0)?;
        self.notes.iter().find(|notes| notes.id == wanted)?.slide
    }
}

/// The slides of a list with the numbers of their records.
fn entries_in(list: Record<'_>) -> Vec<(u32, SlideEntry<'_>)> {
    let mut found: Vec<(u32, SlideEntry<'_>)> = Vec::new();
    for record in list.inner() {
        if record.kind == kinds::SLIDE_PERSIST {
            let number = u32_le(record.body, 0).unwrap_or(0);
            let id = u32_le(record.body, 12).unwrap_or(0);
            found.push((number, SlideEntry { slide: None, id, outline: Vec::new() }));
        } else if let Some((_, entry)) = found.last_mut() {
            entry.outline.push(record);
        }
    }
    found
}

impl PersistDirectory {
    /// Follows the edits from the last one back.
    fn read(stream: &[u8], current: &[u8]) -> PersistDirectory {
        let mut directory = PersistDirectory { places: HashMap::new(), document: None, is_encrypted: false };
        // This token marks the user of an encrypted presentation.
        directory.is_encrypted = u32_le(current, 12) == Some(0xf3d1_c4df);
        let mut next = u32_le(current, 16).map(|place| place as usize);
        let is_edit =
            |place: usize| Records::at(stream, place).is_some_and(|record| record.kind == kinds::USER_EDIT);
        if !next.is_some_and(is_edit) {
            next = last_edit(stream);
        }
        let mut seen = HashSet::new();
        for _ in 0..MAX_EDITS {
            let Some(place) = next.filter(|place| seen.insert(*place)) else { break };
            let Some(edit) = Records::at(stream, place).filter(|record| record.kind == kinds::USER_EDIT)
            else {
                break;
            };
            directory.document = directory.document.or(u32_le(edit.body, 16));
            directory.is_encrypted |=
                edit.body.len() >= 32 && u32_le(edit.body, 28).is_some_and(|id| id != 0);
            if let Some(table) = u32_le(edit.body, 12).and_then(|place| Records::at(stream, place as usize)) {
                directory.add(table);
            }
            next = u32_le(edit.body, 8).map(|place| place as usize).filter(|place| *place != 0);
        }
        directory
    }

    /// Adds a table of positions; positions of later edits are kept.
    fn add(&mut self, table: Record<'_>) {
        if table.kind != kinds::PERSIST_DIRECTORY {
            return;
        }
        let mut at = 0;
        while let Some(head) = u32_le(table.body, at) {
            at += 4;
            for number in (head & 0x000f_ffff..).take((head >> 20) as usize) {
                let Some(place) = u32_le(table.body, at) else { return };
                self.places.entry(number).or_insert(place as usize);
                at += 4;
            }
        }
    }
}

/// The last edit among the records of the file, for presentations without a current user.
fn last_edit(stream: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut last = None;
    while let (Some(kind), Some(length)) = (u16_le(stream, at + 2), u32_le(stream, at + 4)) {
        if kind == kinds::USER_EDIT {
            last = Some(at);
        }
        at = at.checked_add(8 + length as usize)?;
    }
    last
}
