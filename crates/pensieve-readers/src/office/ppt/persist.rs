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

    /// All of its records that are current.
    pub(super) fn current(&self) -> impl Iterator<Item = Record<'a>> {
        let entries = self.slides.iter().chain(&self.notes);
        self.document.into_iter().chain(entries.filter_map(|entry| entry.slide))
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
            directory.is_encrypted |= u32_le(edit.body, 28).is_some_and(|id| id != 0);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Records one after the other.
    #[derive(Default)]
    struct Stream(Vec<u8>);

    impl Stream {
        /// Adds a record and returns its position.
        fn add(&mut self, record: &[u8]) -> u32 {
            let at = self.0.len() as u32;
            self.0.extend_from_slice(record);
            at
        }
    }

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn record(kind: u16, body: &[u8]) -> Vec<u8> {
        let length = body.len() as u32;
        [&[0, 0], kind.to_le_bytes().as_slice(), &length.to_le_bytes(), body].concat()
    }

    fn container(kind: u16, instance: u16, records: &[Vec<u8>]) -> Vec<u8> {
        let mut container = record(kind, &records.concat());
        container[..2].copy_from_slice(&(instance << 4 | 15).to_le_bytes());
        container
    }

    fn edit(before: u32, table: u32, document: u32) -> Vec<u8> {
        record(kinds::USER_EDIT, &words(&[0, 0, before, table, document, 0, 0]))
    }

    /// A table of runs of positions, each with the number of the first.
    fn table(runs: &[(u32, &[u32])]) -> Vec<u8> {
        let run = |(first, places): &(u32, &[u32])| {
            words(&[&[first | (places.len() as u32) << 20], *places].concat())
        };
        record(kinds::PERSIST_DIRECTORY, &runs.iter().flat_map(run).collect::<Vec<u8>>())
    }

    /// The stream of the current user, which names the last edit.
    fn user(edit: u32) -> Vec<u8> {
        words(&[0, 0, 0, 0, edit])
    }

    fn check(stream: &Stream, user: &[u8], places: &[(u32, usize)], document: Option<u32>) {
        let directory = PersistDirectory::read(&stream.0, user);
        let mut found: Vec<(u32, usize)> = directory.places.into_iter().collect();
        found.sort_unstable();
        assert_eq!((found.as_slice(), directory.document), (places, document));
        assert!(!directory.is_encrypted);
    }

    #[test]
    fn later_edits_replace_positions_of_earlier_ones() {
        let mut stream = Stream::default();
        stream.add(&record(kinds::SLIDE, b"x"));
        let old_table = stream.add(&table(&[(1, &[100, 200]), (7, &[700])]));
        let old = stream.add(&edit(0, old_table, 1));
        let new_table = stream.add(&table(&[(2, &[222])]));
        let new = stream.add(&edit(old, new_table, 3));
        stream.add(&record(kinds::SLIDE, b""));
        let (before, both) = ([(1, 100), (2, 200), (7, 700)], [(1, 100), (2, 222), (7, 700)]);
        check(&stream, &user(old), &before, Some(1));
        check(&stream, &user(new), &both, Some(3));
        // The last edit in the file counts if the current user names none.
        check(&stream, &[], &both, Some(3));
        check(&stream, &user(new_table), &both, Some(3));
        check(&Stream::default(), &user(0), &[], None);
    }

    #[test]
    fn edits_end_at_the_first_byte_and_at_a_repetition() {
        let mut stream = Stream::default();
        stream.add(&edit(0, 36, 1));
        assert_eq!(stream.add(&table(&[(1, &[100])])), 36);
        let new_table = stream.add(&table(&[(2, &[200])]));
        let new = stream.add(&edit(0, new_table, 2));
        check(&stream, &user(new), &[(2, 200)], Some(2));
        let own = stream.0.len() as u32;
        stream.add(&edit(own, 36, 3));
        check(&stream, &user(own), &[(1, 100)], Some(3));
    }

    #[test]
    fn broken_tables_give_what_they_have() {
        let mut stream = Stream::default();
        let mut cut = table(&[(1, &[100, 200, 300])]);
        cut[4..8].copy_from_slice(&12_u32.to_le_bytes());
        cut.truncate(20);
        let cut = stream.add(&cut);
        let mut other = table(&[(1, &[100])]);
        other[2..4].copy_from_slice(&kinds::SLIDE.to_le_bytes());
        let other = stream.add(&other);
        let first = stream.add(&edit(0, cut, 1));
        let second = stream.add(&edit(0, other, 1));
        check(&stream, &user(first), &[(1, 100), (2, 200)], Some(1));
        check(&stream, &user(second), &[], Some(1));
    }

    #[test]
    fn encryption_is_known_by_the_user_or_the_edit() {
        let check = |token: u32, session: Option<u32>, expected: bool| {
            let body = [&[0, 0, 0, 0, 1, 0, 0], session.as_slice()].concat();
            let mut stream = Stream::default();
            stream.add(&record(kinds::SLIDE, b""));
            let edit = stream.add(&record(kinds::USER_EDIT, &words(&body)));
            let found = PresentationRecords::find(&stream.0, &words(&[0, 0, 0, token, edit]));
            assert_eq!(found.is_encrypted, expected, "{token:x} {session:?}");
        };
        check(0xe391_c05f, None, false);
        check(0xe391_c05f, Some(0), false);
        check(0xe391_c05f, Some(9), true);
        check(0xf3d1_c4df, None, true);
        check(0xf3d1_c4df, Some(0), true);
        check(0xf3d1_c4df, Some(9), true);
    }

    #[test]
    fn the_last_edit_is_found_between_other_records() {
        let edits = [edit(0, 0, 0), record(kinds::SLIDE, b"abc"), edit(0, 0, 0)].concat();
        for (stream, expected) in [
            (edits.as_slice(), Some(47)),
            (&edits[..47], Some(0)),
            (&edits[..47 + 7], Some(0)),
            (&edits[..47 + 8], Some(47)),
            (&edits[36..47], None),
            (&[], None),
        ] {
            assert_eq!(last_edit(stream), expected);
        }
    }

    /// A slide that names notes.
    fn slide(notes: u32) -> Vec<u8> {
        container(kinds::SLIDE, 0, &[record(kinds::SLIDE_ATOM, &words(&[0, 0, 0, 0, notes, 0]))])
    }

    fn entry(number: u32, id: u32) -> Vec<u8> {
        record(kinds::SLIDE_PERSIST, &words(&[number, 0, 0, id, 0]))
    }

    /// Identifier, whether there is a record, and the number of records of the outline.
    fn facts(entries: &[SlideEntry<'_>]) -> Vec<(u32, bool, usize)> {
        entries.iter().map(|entry| (entry.id, entry.slide.is_some(), entry.outline.len())).collect()
    }

    #[test]
    fn slides_and_notes_are_those_that_the_document_lists() {
        let text = record(kinds::TEXT_BYTES, b"x");
        let lists = [
            container(kinds::SLIDE_LIST, 1, &[entry(2, 100)]),
            container(
                kinds::SLIDE_LIST,
                0,
                &[
                    text.clone(),
                    entry(3, 256),
                    text.clone(),
                    text,
                    entry(4, 257),
                    entry(3, 258),
                    entry(9, 259),
                ],
            ),
            container(kinds::SLIDE_LIST, 2, &[entry(6, 0), entry(5, 900), entry(1, 901)]),
        ];
        let mut stream = Stream::default();
        let mut places = [0; 6];
        places[5] = stream.add(&container(kinds::NOTES, 0, &[]));
        places[0] = stream.add(&container(kinds::DOCUMENT, 0, &lists));
        places[1] = stream.add(&slide(0));
        places[2] = stream.add(&slide(900));
        places[3] = stream.add(&slide(0));
        places[4] = stream.add(&container(kinds::NOTES, 7, &[]));
        stream.add(&container(kinds::DOCUMENT, 0, &[]));
        let directory = stream.add(&table(&[(1, &places)]));
        let edit = stream.add(&edit(0, directory, 1));
        let found = PresentationRecords::find(&stream.0, &user(edit));
        let slides = [(256, true, 2), (257, true, 0), (258, false, 0), (259, false, 0)];
        assert_eq!(facts(&found.slides), slides);
        assert_eq!(facts(&found.notes), [(0, true, 0), (900, true, 0), (901, false, 0)]);
        assert!(!found.is_repaired && !found.is_encrypted);
        let notes: Vec<Option<u16>> =
            found.slides.iter().map(|slide| found.notes_of(slide).map(|notes| notes.instance)).collect();
        assert_eq!(notes, [Some(7), None, None, None]);
    }

    #[test]
    fn without_a_directory_slides_are_in_the_order_of_the_file() {
        let list = |ids: &[u32]| {
            let entries: Vec<Vec<u8>> = ids.iter().map(|id| entry(1, *id)).collect();
            container(kinds::DOCUMENT, 0, &[container(kinds::SLIDE_LIST, 0, &entries)])
        };
        let check = |slides: usize, expected: &[(u32, bool, usize)]| {
            let stream = [list(&[1, 2, 3]), slide(0).repeat(slides), list(&[256, 257])].concat();
            let found = PresentationRecords::find(&stream, &[]);
            assert_eq!(facts(&found.slides), expected);
            assert!(found.is_repaired);
        };
        check(0, &[(256, false, 0), (257, false, 0)]);
        check(1, &[(256, true, 0), (257, false, 0)]);
        check(3, &[(256, true, 0), (257, true, 0), (0, true, 0)]);
        // The directory names the document, but its slides are not where it says.
        let mut stream = Stream::default();
        let document = stream.add(&list(&[256]));
        let directory = stream.add(&table(&[(5, &[document])]));
        let edit = stream.add(&edit(0, directory, 5));
        let found = PresentationRecords::find(&stream.0, &user(edit));
        assert_eq!((facts(&found.slides), found.is_repaired), (vec![(256, false, 0)], false));
        stream.add(&slide(0));
        let found = PresentationRecords::find(&stream.0, &user(edit));
        assert_eq!((facts(&found.slides), found.is_repaired), (vec![(256, true, 0)], true));
    }
}
