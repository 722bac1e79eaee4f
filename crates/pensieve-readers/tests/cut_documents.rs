//! No loss without a word: every golden document of a format with a structure is cut, and has a block of zeros written
//! over its middle. If a tenth of its text is lost, a problem says so.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod goldens;

use pensieve_readers::event::ReaderEvent;
use pensieve_readers::nested::read_bytes;
use pensieve_readers::settings::ReadSettings;
use std::fs;

/// Bytes of text of a document and its members, and whether anything is wrong with them.
fn read(bytes: &[u8], name: &str) -> (usize, bool) {
    let (mut text, mut has_problem) = (0, false);
    let settings = ReadSettings { svg: true, ..ReadSettings::default() };
    read_bytes(bytes, name, &settings, &mut |event| {
        match event {
            ReaderEvent::Text(segment) => text += segment.text.trim().len(),
            ReaderEvent::Document(document) => {
                text += document.text.text.trim().len();
                has_problem |= !document.problems.is_empty();
            }
            ReaderEvent::Failed(_) => has_problem = true,
            ReaderEvent::Member(_) | ReaderEvent::Bytes(_) | ReaderEvent::End => {}
        }
        true
    });
    (text, has_problem)
}

/// The document cut at four places, and with its middle lost.
fn damaged(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let length = bytes.len();
    let block = (length / 10).clamp(64, 4096).min(length - length / 2);
    let mut hole = bytes.to_vec();
    hole[length / 2..length / 2 + block].fill(0);
    vec![
        ("cut at a tenth", bytes[..length / 10].to_vec()),
        ("cut in the middle", bytes[..length / 2].to_vec()),
        ("cut at nine tenths", bytes[..length * 9 / 10].to_vec()),
        ("without its last byte", bytes[..length - 1].to_vec()),
        ("with a hole", hole),
    ]
}

/// Compound files have no checksums, and zeros inside a text of Word or Outlook are as good as other letters.
fn hides_holes(format: &str, name: &str) -> bool {
    matches!(format, "doc" | "msg" | "ppt" | "xls") || name.ends_with(".fods")
}

/// What is lost without a trace: a header that names sender and date looks like a mail without a body, and text after the
/// last boundary may end anywhere.
const UNKNOWABLE: [(&str, &str); 2] =
    [("older.eml", "cut at a tenth"), ("outside.eml", "cut at nine tenths")];

/// Mails without parts and mailboxes are lines of text: nothing in them says where they end. TCR is a packed text.
fn ends_anywhere(format: &str, bytes: &[u8]) -> bool {
    let has_parts = memchr::memmem::find(bytes, b"boundary=").is_some();
    matches!(format, "mbox" | "tcr") || matches!(format, "eml" | "mhtml") && !has_parts
}

#[test]
fn no_text_is_lost_without_a_problem() {
    let (mut silent, mut losses) = (Vec::new(), 0);
    for (format, path) in goldens::documents() {
        let bytes = fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let (whole, has_problem) = read(&bytes, name);
        if has_problem || whole == 0 || bytes.len() < 100 || ends_anywhere(&format, &bytes) {
            continue;
        }
        for (how, bytes) in damaged(&bytes) {
            let (text, has_problem) = read(&bytes, name);
            let is_loss = text * 10 < whole * 9;
            losses += usize::from(is_loss);
            let is_hidden =
                how == "with a hole" && hides_holes(&format, name) || UNKNOWABLE.contains(&(name, how));
            if is_loss && !has_problem && !is_hidden {
                silent.push(format!("{format}/{name} {how}: {text} of {whole} bytes"));
            }
        }
    }
    assert!(losses > 100, "{losses}");
    assert!(silent.is_empty(), "{} of {losses} losses are silent:\n{}", silent.len(), silent.join("\n"));
}
