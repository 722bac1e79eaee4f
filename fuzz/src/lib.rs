//! What every target of a reader does: reads the bytes as a document of its format, with everything inside it, and
//! asserts that what is told lies inside its text.

use pensieve_readers::nested::read_bytes;
use pensieve_readers::settings::ReadSettings;
use pensieve_readers::event::ReaderEvent;
use pensieve_text::model::Segment;

/// Reads `data` as the format that the table names so.
pub fn read(format: &str, name: &str, data: &[u8]) {
    let settings = ReadSettings { format: format.to_owned(), ..ReadSettings::default() };
    read_bytes(data, name, &settings, &mut |told| {
        match &told {
            ReaderEvent::Text(segment) => check(segment),
            ReaderEvent::Document(document) => check(&document.text),
            ReaderEvent::Failed(problem) => assert!(!problem.message.starts_with("the reader panicked"), "{}", problem.message),
            ReaderEvent::Member(_) | ReaderEvent::Bytes(_) | ReaderEvent::End => {}
        }
        true
    });
}

/// What holds for every segment: places in order inside the text, a map that reads back.
pub fn check(segment: &Segment) {
    let mut before = 0;
    for (span, _) in &segment.places.0 {
        assert!(before <= span.start && span.start < span.end && span.end <= segment.text.len());
        assert!(segment.text.is_char_boundary(span.start) && segment.text.is_char_boundary(span.end));
        before = span.end;
    }
    let decoded = Segment::decode(segment.text.clone(), &segment.encode_map()).expect("what was stored reads back");
    assert_eq!(&decoded, segment);
}
