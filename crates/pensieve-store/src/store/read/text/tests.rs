//! Texts by segments and by characters.

use super::*;
use crate::store::testing::{add, execute, run, store, task};
use crate::store::{Outcome, TaskKind, TextPacker};
use pensieve_text::model::{LineAnchor, ProcessingStatus, Span, SpanMap};

/// A file whose clean text has three segments: `aäb`, `日本`, `end`.
fn segments() -> Store {
    let mut store = store();
    run(&mut store, |writer| {
        let file_id = add(writer, "a.txt", "a");
        let start = task(writer, file_id, TaskKind::Read);
        assert!(writer.start(start.file.file_id, &start.kind).unwrap());
        let (mut packer, mut bytes, mut chars) = (TextPacker::new().unwrap(), 0, 0);
        for text in ["aäb", "日本", "end"] {
            let map = SpanMap::identity(text.len(), bytes);
            let segment = Segment { text: text.to_owned(), map, ..Segment::default() };
            writer.add_text(&packer.pack(TextVariant::Clean, bytes, chars, &segment).unwrap()).unwrap();
            (bytes, chars) = (bytes + text.len(), chars + text.chars().count());
        }
        let status = Some(ProcessingStatus::Processed);
        writer.finish(&Outcome { status, ..Outcome::default() }).unwrap();
    });
    store
}

#[test]
fn parts_of_a_text_are_counted_in_characters() {
    let store = segments();
    let text = store.text(1, TextVariant::Clean, "clean_v1");
    let check = |start, limit, expected: &str| assert_eq!(text.page((start, limit)).unwrap(), expected);
    check(0, 99, "aäb日本end");
    check(0, 3, "aäb");
    check(1, 3, "äb日");
    check(3, 1, "日");
    check(4, usize::MAX, "本end");
    check(5, 2, "en");
    check(8, 5, "");
    check(2, 0, "");
    let mut slices = Vec::new();
    let mut each = |slice: &str| {
        slices.push(slice.to_owned());
        slices.len() < 2
    };
    text.each_slice(2..8, &mut each).unwrap();
    assert_eq!(slices, ["b", "日本"]);
    assert_eq!(store.text(1, TextVariant::Raw, "clean_v1").page((0, 9)).unwrap(), "");
    assert_eq!(text.characters_before(&[0, 1, 3, 4, 7, 10, 12]).unwrap(), [0, 1, 2, 3, 4, 5, 7]);
    assert_eq!(text.characters_before(&[3, 12]).unwrap(), [2, 7]);
    assert!(text.characters_before(&[2]).is_err(), "the second byte of a character");
}

#[test]
fn segments_come_with_their_maps_and_damage_is_reported() {
    let store = segments();
    let read = |store: &Store, limit: usize| {
        let mut found = Vec::new();
        let read = store.text(1, TextVariant::Clean, "clean_v1").each_segment(&mut |stored| {
            let source = stored.segment.map.source(Span { start: 0, end: 1 });
            found.push((
                stored.start,
                stored.char_start,
                stored.segment.text,
                source.map(|source| source.start),
            ));
            found.len() < limit
        });
        read.map(|()| found).map_err(|error| error.to_string())
    };
    let expected = [(0, 0, "aäb", Some(0)), (4, 3, "日本", Some(4)), (10, 5, "end", Some(10))];
    let expected = expected.map(|(start, chars, text, source)| (start, chars, text.to_owned(), source));
    assert_eq!(read(&store, 9).unwrap(), expected);
    assert_eq!(read(&store, 2).unwrap(), expected[..2]);
    execute(&store, "DELETE FROM text_maps WHERE segment = 1");
    assert_eq!(read(&store, 9).unwrap()[1].3, None);
    execute(&store, "UPDATE text_maps SET content = x'02' WHERE segment = 2");
    assert_eq!(read(&store, 9).unwrap_err(), "`memory.db` is damaged: the map of file 1 cannot be read");
    execute(&store, "UPDATE texts SET content = x'00' WHERE segment = 1");
    assert_eq!(read(&store, 9).unwrap_err(), "`memory.db` is damaged: the text of file 1 cannot be read");
    let text = store.text(1, TextVariant::Clean, "clean_v1");
    assert!(matches!(text.page((0, 9)), Err(StoreError::Damaged { .. })));
    assert!(matches!(text.characters_before(&[5]), Err(StoreError::Damaged { .. })));
    assert_eq!(text.page((0, 3)).unwrap(), "aäb");
}

#[test]
fn characters_are_counted_as_characters() {
    let check = |start, end, expected: &str| assert_eq!(characters("aäß日\n", start, end), expected);
    check(0, 2, "aä");
    check(1, 4, "äß日");
    check(3, usize::MAX, "日\n");
    check(9, 11, "");
    check(2, 2, "");
}

#[test]
fn short_maps_are_stored_plain_and_long_ones_compressed() {
    let mut packer = TextPacker::new().unwrap();
    let mut check = |anchors: usize, mark: u8| {
        let text = "line\n".repeat(anchors);
        let line = |number: usize| LineAnchor { out: 5 * number, line: 7 * number as u64 + 1 };
        let segment = Segment { text, lines: (0..anchors).map(line).collect(), ..Segment::default() };
        let packed = packer.pack(TextVariant::Raw, 3, 2, &segment).unwrap();
        assert_eq!((packed.map[0], packed.start, packed.char_start, packed.variant), (mark, 3, 2, "raw"));
        let plain = unpack_map(&packed.map, segment.text.len()).unwrap();
        assert_eq!(Segment::decode(unpack_text(&packed.frame).unwrap(), &plain).unwrap(), segment);
        let like = packer.pack_like(&packed, TextVariant::Clean, &Segment::default()).unwrap();
        assert_eq!((like.frame, like.variant, like.start), (packed.frame, "clean", 3));
    };
    check(1, 0);
    check(100, 1);
}
