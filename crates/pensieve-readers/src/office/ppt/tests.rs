//! Small presentations, each for one rule of the reader.

use super::*;
use crate::shared::ole::testing::compound;
use crate::source::DiscardingSink;
use std::io::Cursor;

const ALL: &[u8] = include_bytes!("../../../tests/golden/ppt/all.ppt");

fn document(bytes: &[u8], settings: &ReadSettings) -> Result<Document, Problem> {
    let mut file = Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, "a.ppt")?;
    read(&mut source, settings, &mut DiscardingSink)
}

#[test]
fn comments_and_footers_are_left_out_when_the_settings_say_so() {
    let text = |settings: &ReadSettings| document(ALL, settings).map(|document| document.text.text);
    let mut settings = ReadSettings::default();
    assert!(
        text(&settings)
            .is_ok_and(|text| text.contains("**Bob Reviewer:** Why?") && text.ends_with("The footer\n"))
    );
    (settings.office.comments, settings.office.headers) = (false, false);
    assert!(text(&settings).is_ok_and(|text| !text.contains("Why?") && !text.contains("footer")));
}

#[test]
fn places_are_numbers_of_slides() {
    let places = document(ALL, &ReadSettings::default()).expect("reads").text.places.0;
    let places: Vec<String> = places.iter().map(|(_, place)| place.to_json()).collect();
    let notes = "{\"folded\":\"note\",\"slide\":1}";
    assert_eq!(places, ["{\"slide\":1}", notes, "{\"slide\":1}", "{\"slide\":2}"]);
}

#[test]
fn zeros_in_place_of_records_or_text_are_a_problem() {
    let check = |lost: std::ops::Range<usize>, expected: &[&str]| {
        let mut bytes = ALL.to_vec();
        bytes[lost].fill(0);
        let found = document(&bytes, &ReadSettings::default()).expect("reads").problems;
        assert_eq!(found.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>(), expected);
    };
    let text = memchr::memmem::find(ALL, b"The title from the outline").expect("it has this text");
    let lost = "a block of the presentation is nothing but zeros";
    check(0..0, &[]);
    check(text..text + 20, &[lost]);
    check(text - 8..text + 26, &[lost]);
}

#[test]
fn files_without_a_presentation_are_refused() {
    let kind = |bytes: &[u8]| document(bytes, &ReadSettings::default()).map_err(|problem| problem.kind);
    assert_eq!(kind(b"words"), Err(ProblemKind::Damaged));
    assert_eq!(kind(&compound(&[("PP40", b"x")])), Err(ProblemKind::ExtractionFailed));
    assert_eq!(kind(&compound(&[("EncryptedPackage", b"x")])), Err(ProblemKind::Encrypted));
    assert_eq!(kind(&compound(&[("PowerPoint Document", b"x")])), Err(ProblemKind::Damaged));
}

/// Truncation at every byte, and flipped bytes: nothing panics.
#[test]
fn damaged_presentations_never_panic() {
    for length in (0..ALL.len()).step_by(397) {
        let _ = document(&ALL[..length], &ReadSettings::default());
    }
    let mut bytes = ALL.to_vec();
    for at in (0..ALL.len()).filter(|&at| ALL[at] != 0).step_by(7) {
        for flipped in [0xff, ALL[at] ^ 0x40] {
            bytes[at] = flipped;
            let _ = document(&bytes, &ReadSettings::default());
        }
        bytes[at] = ALL[at];
    }
}
