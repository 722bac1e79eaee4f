//! Spans of a stored text: their words and their places.

use crate::store::testing::{only_uid, text_in_segments};
use pensieve_text::model::SourceSpan;

#[test]
fn spans_have_words_and_places_across_segments() {
    let store = text_in_segments(&["one\ntwö\n", "three\n"]);
    let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
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
    assert_eq!(place.at.source, Some(SourceSpan { start: 104, end: 114, exact: true }));
    assert_eq!(place.at.locator_value(), Some(serde_json::json!({"line": [2, 3]})));
    assert_eq!((place.at.start, place.at.end, place.relative_path.as_str()), (4, 14, "a.txt"));
    assert_eq!(store.documents().clean_text("nobody").unwrap().map(|text| text.bytes), None);
}

#[test]
fn the_text_around_a_span_is_cut_between_characters() {
    let store = text_in_segments(&["one\ntwö\n", "three\n"]);
    let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
    let around = |start, end, bytes| text.around(start..end, bytes).unwrap();
    assert_eq!(around(9, 11, 0), (9, "th".to_owned()));
    assert_eq!(around(9, 11, 2), (6, "ö\nthre".to_owned()));
    assert_eq!(around(4, 5, 2), (2, "e\ntw".to_owned()));
    assert_eq!(around(4, 5, 100), (0, "one\ntwö\nthree\n".to_owned()));
    assert_eq!(text.segment_starts().unwrap(), [0, 9]);
    assert_eq!(text.other_versions().unwrap().len(), 0);
}
