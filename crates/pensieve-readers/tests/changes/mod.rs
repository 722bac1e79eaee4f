//! Random changes of documents, the same on every machine: of the elements of a text, of the bytes of anything else, and of
//! one file of a ZIP package.

use crate::random::Random;
use std::io::{Cursor, Read, Write};
use zip::{ZipArchive, ZipWriter};

/// What is done to a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// Elements or bytes are left out.
    Drop,
    /// Elements or bytes stand twice.
    Repeat,
    /// Elements or bytes change places.
    Exchange,
    /// Numbers and words become other ones.
    Values,
    /// Characters that mean something to writers and readers are put in.
    Insert,
}

impl Change {
    pub const ALL: [Change; 5] =
        [Change::Drop, Change::Repeat, Change::Exchange, Change::Values, Change::Insert];
}

/// The document with so many changes.
pub fn change(bytes: &[u8], change: Change, count: usize, random: &mut Random) -> Vec<u8> {
    if let Some(changed) = change_package(bytes, change, count, random) {
        return changed;
    }
    let mut bytes = bytes.to_vec();
    for _ in 0..count {
        bytes = if is_text(&bytes) {
            change_text(&bytes, change, random)
        } else {
            change_bytes(bytes, change, random)
        };
    }
    bytes
}

fn is_text(bytes: &[u8]) -> bool {
    let begin = &bytes[..bytes.len().min(1024)];
    !begin.iter().any(|byte| *byte < 9) && begin.iter().filter(|byte| **byte > 127).count() * 3 < begin.len()
}

/// The package with one file changed; its entries are stored as they are.
fn change_package(bytes: &[u8], how: Change, count: usize, random: &mut Random) -> Option<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).ok()?;
        let mut content = Vec::new();
        entry.read_to_end(&mut content).ok()?;
        entries.push((entry.name().ok()?.into_owned(), content));
    }
    for _ in 0..count {
        let chosen = random.below(entries.len());
        match (how, random.below(12)) {
            (Change::Drop, 0) => _ = entries.remove(chosen),
            (Change::Exchange, 0) => {
                let other = random.below(entries.len());
                let content = entries[other].1.clone();
                entries[chosen].1 = content;
            }
            _ => entries[chosen].1 = change(&entries[chosen].1.clone(), how, 2, random),
        }
        if entries.is_empty() {
            break;
        }
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in entries {
        writer.start_file(name, options).ok()?;
        writer.write_all(&content).ok()?;
    }
    Some(writer.finish().ok()?.into_inner())
}

/// Where elements begin: at a mark of a markup language, at a line, at a word.
fn elements(text: &[u8]) -> Vec<(usize, usize)> {
    let mut starts = vec![0];
    for at in 1..text.len() {
        let (before, here) = (text[at - 1], text[at]);
        let begins = matches!(here, b'<' | b'\\' | b'{' | b'&' | b' ' | b'=') && before != here;
        if begins || matches!(before, b'>' | b'\n' | b'}' | b';' | b'"') {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).collect()
}

const INSERTED: [&str; 48] = [
    "\n\n",
    "\n",
    "\t",
    "  ",
    "*",
    "_",
    "#",
    "|",
    "[x](y)",
    "`",
    "<",
    "&",
    "- ",
    "1. ",
    "\n\n# ",
    "\n> ",
    "\\",
    "&nbsp;",
    "&#8212;",
    "\u{e9}",
    "\u{200b}",
    "\u{ad}",
    "<br/>",
    "</p>",
    "<p>",
    "<b>",
    "<table>",
    "<tr><td>",
    "</td>",
    "<li>",
    "<ul>",
    "</div>",
    "<pre>",
    "<!-- ",
    "]]>",
    "\\par ",
    "{\\b ",
    "}",
    "\\'e9",
    "\\u8212?",
    "\\tab ",
    "=?utf-8?q?=C3=A9?=",
    "\r\n",
    "=\n",
    "--",
    "\"",
    ":",
    "\u{0}",
];

fn change_text(text: &[u8], change: Change, random: &mut Random) -> Vec<u8> {
    let elements = elements(text);
    let (start, end) = elements[random.below(elements.len())];
    let until = elements.get(random.below(elements.len())).map_or(end, |other| other.1);
    let (other_start, other_end) = elements[random.below(elements.len())];
    let (element, other) = (&text[start..end], &text[other_start..other_end]);
    match change {
        Change::Drop if until > end && until - end < 200 => [&text[..start], &text[until..]].concat(),
        Change::Drop => [&text[..start], &text[end..]].concat(),
        Change::Repeat => [&text[..end], element, &text[end..]].concat(),
        Change::Exchange if other_start >= end => {
            [&text[..start], other, &text[end..other_start], element, &text[other_end..]].concat()
        }
        Change::Exchange => [&text[..start], other, &text[end..]].concat(),
        Change::Values => change_value(text, random),
        Change::Insert => [&text[..start], random.one_of(&INSERTED).as_bytes(), &text[start..]].concat(),
    }
}

/// Another number of as many digits in place of one, or another letter in a word; lengths stay, so that files that count
/// their bytes can still be read.
fn change_value(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut changed = text.to_vec();
    let is_number = random.below(4) > 0;
    let is_wanted = |byte: u8| if is_number { byte.is_ascii_digit() } else { byte.is_ascii_alphabetic() };
    let places: Vec<usize> = (0..text.len()).filter(|at| is_wanted(text[*at])).collect();
    if let Some(&at) = places.get(random.below(places.len())) {
        let all: &[u8] = if is_number { b"0123456789" } else { b"aefiIMoPstVwXz" };
        changed[at] = all[random.below(all.len())];
    }
    changed
}

const MAX_BLOCK: usize = 24;

fn change_bytes(mut bytes: Vec<u8>, change: Change, random: &mut Random) -> Vec<u8> {
    let length = 1 + random.below(MAX_BLOCK);
    if bytes.len() <= 2 * MAX_BLOCK {
        return bytes;
    }
    // What says how a file is built has zeros in it, so most places are near to one.
    let mut at = random.below(bytes.len() - MAX_BLOCK);
    while random.below(8) > 0 && !bytes[at..at + 4].contains(&0) {
        at = random.below(bytes.len() - MAX_BLOCK);
    }
    match change {
        Change::Drop => bytes[at..at + length].fill(0),
        Change::Repeat => _ = bytes.splice(at..at, bytes[at..at + length].to_vec()),
        Change::Exchange => {
            let from = random.below(bytes.len() - MAX_BLOCK);
            bytes.copy_within(from..from + length, at);
        }
        Change::Values => {
            let step = [1, 255, 2, 128, 16][random.below(5)];
            bytes[at] = bytes[at].wrapping_add(step);
        }
        Change::Insert => bytes[at] = [0, 1, 255, 127, 32][random.below(5)],
    }
    bytes
}
