//! Spans of a stored text: their words and their places.

use crate::store::Store;
use crate::store::testing::{add, run, store, task};
use crate::store::{Outcome, TaskKind, TextPacker, TextVariant, VersionRow};
use pensieve_text::model::{ContentHash, LineAnchor, ProcessingStatus, Segment, SpanMap};

/// A file whose clean text has two segments, `one\ntwö\n` and `three\n`, from bytes 100 on of the source.
fn two_segments() -> Store {
    let mut store = store();
    run(&mut store, |writer| {
        let file_id = add(writer, "a.txt", "a");
        let start = task(writer, file_id, TaskKind::Read);
        assert!(writer.start(&start).unwrap());
        let mut packer = TextPacker::new().unwrap();
        let (mut bytes, mut chars, mut line) = (0, 0, 1);
        for text in ["one\ntwö\n", "three\n"] {
            let map = SpanMap::identity(text.len(), 100 + bytes);
            let lines = vec![LineAnchor { out: 0, line }];
            let segment = Segment { text: text.to_owned(), map, lines, ..Segment::default() };
            writer.add_text(&packer.pack(TextVariant::Clean, bytes, chars, &segment).unwrap()).unwrap();
            (bytes, chars, line) = (bytes + text.len(), chars + text.chars().count(), line + 2);
        }
        let clean = VersionRow {
            variant: "clean",
            version: "clean_v1".to_owned(),
            sha256: ContentHash::of("one\ntwö\nthree\n".as_bytes()),
            bytes,
            chars,
            review: Vec::new(),
        };
        let status = Some(ProcessingStatus::Processed);
        writer.finish(&Outcome { status, versions: vec![clean], ..Outcome::default() }).unwrap();
    });
    store
}

#[test]
fn spans_have_words_and_places_across_segments() {
    let store = two_segments();
    let text = store.documents().clean_text(&doc_uid(&store)).unwrap().unwrap();
    assert_eq!((text.bytes, text.chars), (15, 14));
    let words = |start, end| text.words(start..end).unwrap();
    assert_eq!(words(0, 3).as_deref(), Some("one"));
    assert_eq!(words(4, 14).as_deref(), Some("twö\nthree"));
    assert_eq!(words(9, 15).as_deref(), Some("three\n"));
    for (start, end) in [(3, 3), (0, 16), (7, 9), (4, 7)] {
        assert_eq!(words(start, end), None, "{start}..{end}");
        assert_eq!(text.segment(start..end).unwrap(), None, "{start}..{end}");
    }
    let (words, place) = text.place(4..14).unwrap().unwrap();
    assert_eq!(words, "twö\nthree");
    assert_eq!((place.source, place.source_exact), (Some((104, 114)), Some(true)));
    assert_eq!(place.locator, Some(serde_json::json!({"line": [2, 3]})));
    assert_eq!((place.start, place.end, place.relative_path.as_str()), (4, 14, "a.txt"));
    assert_eq!(store.documents().clean_text("nobody").unwrap().map(|text| text.bytes), None);
}

fn doc_uid(store: &Store) -> String {
    store.ask(|connection| connection.query_row("SELECT doc_uid FROM files", [], |row| row.get(0))).unwrap()
}
