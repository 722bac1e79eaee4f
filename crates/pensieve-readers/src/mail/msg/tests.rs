//! Tests of Outlook items; whole ones with recipients and attachments are golden files.

use super::*;
use crate::shared::ole::testing::compound;
use std::io::Cursor;

struct NoEvents;

impl DocumentSink for NoEvents {
    fn text(&mut self, _: Segment) -> Result<(), Problem> {
        Ok(())
    }

    fn member(&mut self, _: ContainerMember) -> Result<(), Problem> {
        Ok(())
    }
}

fn item(bytes: &[u8]) -> Result<Document, Problem> {
    let mut file = Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, "a.msg").unwrap();
    super::read(&mut source, &ReadSettings::default(), &mut NoEvents)
}

/// A number in the stream of small properties.
fn row(tag: u32, value: u64) -> Vec<u8> {
    [&tag.to_le_bytes()[..], &6u32.to_le_bytes(), &value.to_le_bytes()].concat()
}

fn check(rows: &[Vec<u8>], streams: &[(&str, &[u8])], expected: &str) {
    let properties = [vec![0; 32], rows.concat()].concat();
    let mut all = vec![("__properties_version1.0", properties.as_slice())];
    all.extend(streams);
    assert_eq!(item(&compound(&all)).unwrap().text.text, expected);
}

#[test]
fn properties_of_a_lost_inner_item_do_not_replace_those_of_the_item() {
    let lost = [vec![0; 32], row(0x3ffd_0003, 1252)].concat();
    let lost = ("__properties_version1.0", lost.as_slice());
    let title = ("__substg1.0_0037001E", b"\xd2\xe5\xec\xe0".as_slice());
    check(&[row(0x3ffd_0003, 1251)], &[lost, title], "# \u{422}\u{435}\u{43c}\u{430}\n");
}

#[test]
fn texts_are_read_in_their_code_page() {
    let page = row(0x3ffd_0003, 1251);
    check(&[page], &[("__substg1.0_0037001E", b"\xd2\xe5\xec\xe0")], "# \u{422}\u{435}\u{43c}\u{430}\n");
    let russian = row(0x3ff1_0003, 0x419);
    check(&[russian], &[("__substg1.0_0037001E", b"\xd2\xe5\xec\xe0")], "# \u{422}\u{435}\u{43c}\u{430}\n");
    check(&[], &[("__substg1.0_0037001F", b"\xe9\0t\0\xe9\0")], "# \u{e9}t\u{e9}\n");
}

#[test]
fn the_first_body_that_is_there_is_read() {
    let page = ("__substg1.0_10130102", &b"<p>a <b>page</b>"[..]);
    check(&[], &[("__substg1.0_1000001E", b"plain\r\n"), page], "plain\n");
    check(&[], &[("__substg1.0_1000001E", b" \r\n"), page], "a **page**\n");
    check(&[], &[("__substg1.0_0037001E", b"s")], "# s\n");
}

#[test]
fn the_header_of_the_transport_fills_what_is_missing() {
    let header = b"From: a@b.c\r\nDate: Tue, 3 Jun 2025 09:15:00 +0200\r\n\r\n";
    let sent = row(0x0039_0040, 133_934_085_000_000_000);
    let expected = "From: a@b.c\nDate: Tue, 3 Jun 2025 09:15:00 +0200\n";
    check(std::slice::from_ref(&sent), &[("__substg1.0_007D001E", header)], expected);
    check(&[sent], &[], "Date: 2025-06-03T07:15:00Z\n");
}

#[test]
fn zeros_in_a_text_are_a_problem() {
    let check = |text: &[u8], expected: &[&str]| {
        let streams = [("__properties_version1.0", &[0; 32][..]), ("__substg1.0_1000001F", text)];
        let document = item(&compound(&streams)).unwrap();
        let problems: Vec<&str> = document.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(problems, expected);
        assert_eq!(document.review_reasons.len(), expected.len());
    };
    // Small streams of the test file would be filled up with zeros.
    let words = b"w\0o\0r\0d\0".repeat(600);
    check(&words, &[]);
    check(&[&words, b"\0\0\0\0".as_slice(), &words].concat(), &[]);
    check(&[&words, [0; 20].as_slice(), &words].concat(), &["a block of the text is nothing but zeros"]);
}

#[test]
fn a_file_without_an_item_is_refused_and_a_truncated_one_is_read() {
    assert_eq!(item(&compound(&[("WordDocument", b"x")])).unwrap_err().kind, ProblemKind::Damaged);
    assert_eq!(item(b"no compound file").unwrap_err().kind, ProblemKind::Damaged);
    let whole = compound(&[("__properties_version1.0", &[0; 32]), ("__substg1.0_1000001E", b"words")]);
    for cut in (0..whole.len()).step_by(64) {
        let _ = item(&whole[..cut]);
    }
}
