//! No loss without a word: every golden document, and small texts of formats that have an end, is cut, and has a block of
//! zeros written over its middle. If a tenth of its text is lost, a problem says so.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod goldens;

use pensieve_readers::event::{MemberVerdict, ReaderEvent};
use pensieve_readers::nested::read_bytes;
use pensieve_readers::settings::ReadSettings;
use pensieve_text::format::{SniffOptions, SniffVerdict, sniff};
use std::fs;

/// Bytes of text of a document and its members, and whether anything is wrong with them. What is not taken for a document
/// has no problem either.
fn read(bytes: &[u8], name: &str) -> (usize, bool) {
    let (mut text, mut has_problem) = (0, false);
    let settings = ReadSettings { svg: true, ..ReadSettings::default() };
    let options = SniffOptions { svg: true, archives: true, ..SniffOptions::default() };
    let verdict = sniff(bytes, true, name, &options).verdict;
    if matches!(verdict, SniffVerdict::Binary { .. }) {
        return (0, false);
    }
    read_bytes(bytes, name, &settings, &mut |event| {
        match event {
            ReaderEvent::Text(segment) => text += segment.text.replace('\0', "").trim().len(),
            ReaderEvent::Document(document) => {
                text += document.text.text.replace('\0', "").trim().len();
                has_problem |= !document.problems.is_empty();
            }
            ReaderEvent::Failed(_) => has_problem = true,
            ReaderEvent::Member(head) => {
                has_problem |= matches!(head.verdict, MemberVerdict::Skipped { problem: Some(_), .. });
            }
            ReaderEvent::Bytes(_) | ReaderEvent::End => {}
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

const NO_PARTS: &str = "a mail without parts may end anywhere";

/// Losses that leave no trace: the format, the name unless all names are meant, the beginning of the damage, and why.
const UNKNOWABLE: &[(&str, &str, &str, &str)] = &[
    ("mbox", "", "cut", "mails are lines of text, and nothing says how many there are"),
    ("eml", "latin.eml", "cut", NO_PARTS),
    ("eml", "plain.eml", "cut", NO_PARTS),
    ("eml", "quotes.eml", "cut", NO_PARTS),
    ("eml", "signed.eml", "cut", NO_PARTS),
    ("eml", "older.eml", "cut at a tenth", "a header with sender and date looks like a mail without a body"),
    ("eml", "outside.eml", "cut at nine tenths", "text after the last boundary may end anywhere"),
    ("subtitles", "", "cut", "cues are lines of text, and nothing says how many there are"),
    ("webvtt", "", "cut", "cues are lines of text, and nothing says how many there are"),
    ("mdx", "", "cut", "Markdown may end anywhere"),
    ("chat", "_chat.txt", "cut", "messages are lines of text, and nothing says how many there are"),
    ("tcr", "", "cut", "packed text: nothing says how long it is"),
];

fn is_unknowable(format: &str, name: &str, damage: &str) -> bool {
    UNKNOWABLE
        .iter()
        .any(|row| row.0 == format && (row.1.is_empty() || row.1 == name) && damage.starts_with(row.2))
}

/// Texts of formats that say where they end, as name and content; a hole is seen in any text.
fn texts() -> Vec<(String, String, Vec<u8>)> {
    let words = "a sentence of a few plain words,\n";
    let wide = |text: &str| {
        let units = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes);
        units.collect::<Vec<u8>>()
    };
    let many = |item: &str, count: usize| item.repeat(count);
    let xml =
        format!("<?xml version='1.0'?>\n<list>\n{}</list>\n", many(&format!("<item>{words}</item>\n"), 40));
    let json = format!("[{}{{}}]\n", many(&format!("{{\"words\": [\"{}\"]}},\n", words.trim()), 40));
    let texts = [
        ("json", "a.json", json.clone().into_bytes()),
        (
            "jsonl",
            "a.jsonl",
            many(&format!("{{\"words\": [\"{}\"]}}\n", many(words.trim(), 9)), 3).into_bytes(),
        ),
        ("xml", "a.xml", xml.clone().into_bytes()),
        ("xml", "wide.xml", wide(&xml)),
        ("xml", "word2003.doc", xml.replace("list>", "w:wordDocument>").into_bytes()),
        (
            "tex",
            "a.tex",
            format!(
                "\\documentclass{{article}}\n\\begin{{document}}\n{}\\end{{document}}\n",
                many(words, 40)
            )
            .into_bytes(),
        ),
        (
            "ics",
            "a.ics",
            format!("BEGIN:VCALENDAR\n{}END:VCALENDAR\n", many(&format!("DESCRIPTION:{words}"), 40))
                .into_bytes(),
        ),
        (
            "vcard",
            "a.vcf",
            format!("BEGIN:VCARD\n{}END:VCARD\n", many(&format!("NOTE:{words}"), 40)).into_bytes(),
        ),
        (
            "text",
            "a.smi",
            format!("<SAMI>\n<BODY>\n{}</BODY>\n</SAMI>\n", many(&format!("<P>{words}"), 40)).into_bytes(),
        ),
    ];
    texts.map(|(format, name, bytes)| (format.to_owned(), name.to_owned(), bytes)).into()
}

/// The golden documents as format, name and content.
fn golden_documents() -> Vec<(String, String, Vec<u8>)> {
    let read = |(format, path): (String, std::path::PathBuf)| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (format, name, fs::read(&path).unwrap())
    };
    goldens::documents().into_iter().map(read).collect()
}

/// The losses of these documents, and those that no problem names.
fn losses(documents: Vec<(String, String, Vec<u8>)>) -> (usize, Vec<String>) {
    let (mut silent, mut losses) = (Vec::new(), 0);
    for (format, name, bytes) in documents {
        let (whole, has_problem) = read(&bytes, &name);
        if has_problem || whole == 0 || bytes.len() < 100 {
            continue;
        }
        for (damage, bytes) in damaged(&bytes) {
            let (text, has_problem) = read(&bytes, &name);
            let is_loss = text * 10 < whole * 9;
            losses += usize::from(is_loss);
            if is_loss && !has_problem && !is_unknowable(&format, &name, damage) {
                silent.push(format!("{format}/{name} {damage}: {text} of {whole} bytes"));
            }
        }
    }
    (losses, silent)
}

#[test]
fn no_text_of_a_document_is_lost_without_a_problem() {
    let (losses, silent) = losses(golden_documents());
    assert!(losses > 100, "{losses}");
    assert!(silent.is_empty(), "{} of {losses} losses are silent:\n{}", silent.len(), silent.join("\n"));
}

#[test]
fn no_end_of_a_text_is_lost_without_a_problem() {
    let (losses, silent) = losses(texts());
    // Calendars, cards and XML documents have readers of their own and are not among these.
    assert!(losses >= 20, "{losses}");
    assert!(silent.is_empty(), "{} of {losses} losses are silent:\n{}", silent.len(), silent.join("\n"));
}

#[test]
fn no_block_of_a_text_is_lost_without_a_problem() {
    for (name, extension) in
        [("words", "txt"), ("table", "csv"), ("code", "rs"), ("list", "yaml"), ("README", "")]
    {
        let name = format!("{name}.{extension}");
        let bytes = "one, two: three and \"four\"\n".repeat(100).into_bytes();
        for (damage, bytes) in damaged(&bytes).into_iter().filter(|(damage, _)| *damage == "with a hole") {
            assert!(read(&bytes, name.trim_end_matches('.')).1, "{name} {damage}");
        }
    }
}
