//! KF8 books: parts of HTML, each stored as a skeleton and the fragments that belong in it.
//!
//! After the MobileRead wiki ("KF8") and the published notes on its tables: an entry of the skeletons has the number
//! of its fragments (tag 1), its place and length in the text (tag 6); the name of a fragment's entry is the place at
//! which it is inserted, counted in the resulting text; it has the number of its part (tag 3) and its place and
//! length (tag 6); its bytes follow those of the skeleton. Contents name a fragment and an offset in it (tag 6).

use super::header::BookHeader;
use super::index::{BookIndex, decimal};
use super::page::ContentsTarget;
use crate::books::palm_database::PalmDatabase;
use crate::limits::mobi::{
    MAX_CONTENTS_ENTRIES, MAX_DRAWING_BYTES, MAX_DRAWINGS_BYTES, MAX_MOVED_BYTES, MAX_PARTS,
};
use crate::shared::codepage::decode;
use memchr::memmem;
use std::collections::HashMap;

/// A part of a book.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct BookPart {
    /// Its HTML.
    pub html: Vec<u8>,
    /// The entries of the contents that point into it.
    pub targets: Vec<ContentsTarget>,
}

/// A fragment: the place where it is inserted, and its length.
#[derive(Debug, Clone, Copy)]
struct HtmlFragment {
    insert: usize,
    length: usize,
}

/// The parts of a book, and how many of its fragments were not found.
pub(super) fn parts(
    database: &mut PalmDatabase<'_>,
    header: &BookHeader,
    text: &[u8],
) -> (Vec<BookPart>, usize) {
    let flows = header.flows.and_then(|number| database.record(header.base.saturating_add(number)));
    let flows = flows.and_then(|record| super::index::flows(&record)).unwrap_or_default();
    let main = match flows.first() {
        Some(&(start, end)) if start == 0 && end > 0 => &text[..end.min(text.len())],
        _ => text,
    };
    let mut index = |number: Option<usize>| {
        let index = number.and_then(|number| BookIndex::read(database, header.base.saturating_add(number)));
        index.unwrap_or_default()
    };
    let skeletons = index(header.skeletons);
    let fragments = fragments(&index(header.fragments));
    let contents = index(header.contents);
    let (mut parts, placed, missing) = assemble(main, &skeletons, &fragments);
    add_targets(&mut parts, &placed, &contents, header.code_page);
    let mut left = MAX_DRAWINGS_BYTES;
    parts.iter_mut().for_each(|part| put_drawings(part, text, &flows, &mut left));
    (parts, missing)
}

fn fragments(index: &BookIndex) -> Vec<HtmlFragment> {
    let fragment = |entry: &super::index::IndexEntry| HtmlFragment {
        insert: decimal(&entry.name).unwrap_or_default(),
        length: entry.number(6, 1).unwrap_or_default(),
    };
    index.entries.iter().map(fragment).collect()
}

/// Inserts fragments into their skeletons. Returns the part and the byte in it at which each fragment begins.
fn assemble(
    text: &[u8],
    skeletons: &BookIndex,
    fragments: &[HtmlFragment],
) -> (Vec<BookPart>, Vec<(usize, usize)>, usize) {
    let mut parts = Vec::new();
    let mut placed = Vec::new();
    let mut waiting = fragments.iter();
    let (mut missing, mut moved, mut used) = (0, 0, 0);
    for entry in skeletons.entries.iter().take(MAX_PARTS) {
        let (Some(count), Some(start), Some(length)) =
            (entry.number(1, 0), entry.number(6, 0), entry.number(6, 1))
        else {
            continue;
        };
        let mut at = start.saturating_add(length);
        let skeleton = text.get(start.max(used)..at.min(text.len())).unwrap_or_default();
        used = at.max(used);
        let mut out = Vec::new();
        let mut rest = skeleton;
        for fragment in waiting.by_ref().take(count) {
            let end = at.saturating_add(fragment.length);
            // These bytes belong only to this part, so that nothing is read twice.
            let bytes = text.get(at.max(used)..end.min(text.len())).unwrap_or_default();
            missing += usize::from(bytes.len() < fragment.length);
            let insert = fragment.insert.saturating_sub(start);
            let begins = put_in(&mut out, &mut rest, insert, bytes, &mut moved);
            placed.push((parts.len(), begins));
            at = end;
            used = used.max(end.min(text.len()));
        }
        out.extend_from_slice(rest);
        parts.push(BookPart { html: out, targets: Vec::new() });
    }
    if parts.is_empty() {
        parts.push(BookPart { html: text.to_vec(), targets: Vec::new() });
    }
    (parts, placed, missing)
}

/// Inserts a fragment at a byte of the part; returns the byte at which it begins.
fn put_in(out: &mut Vec<u8>, rest: &mut &[u8], insert: usize, bytes: &[u8], moved: &mut usize) -> usize {
    if insert >= out.len() {
        let (front, tail) = rest.split_at((insert - out.len()).min(rest.len()));
        out.extend_from_slice(front);
        *rest = tail;
    }
    *moved += out.len().saturating_sub(insert);
    if insert < out.len() && *moved < MAX_MOVED_BYTES {
        out.splice(insert..insert, bytes.iter().copied());
        return insert;
    }
    let begins = out.len();
    out.extend_from_slice(bytes);
    begins
}

/// Assigns the entries of the contents to the parts that they point into.
fn add_targets(parts: &mut [BookPart], placed: &[(usize, usize)], contents: &BookIndex, code_page: u32) {
    for entry in contents.entries.iter().take(MAX_CONTENTS_ENTRIES) {
        let label = entry.number(3, 0).and_then(|number| contents.string(number));
        let place = entry.number(6, 0).and_then(|fragment| placed.get(fragment));
        let (Some(label), Some(&(part, begins))) = (label, place) else { continue };
        let at = begins.saturating_add(entry.number(6, 1).unwrap_or_default());
        let level = entry.number(4, 0).unwrap_or_default().min(5) + 1;
        if let Some(part) = parts.get_mut(part) {
            let at = at.min(part.html.len().saturating_sub(1));
            part.targets.push(ContentsTarget { level, label: decode(code_page, label), at });
        }
    }
}

/// Inserts drawings where they are shown: an image whose address names a part of the text that is SVG.
fn put_drawings(part: &mut BookPart, text: &[u8], flows: &[(usize, usize)], left: &mut usize) {
    const ADDRESS: &[u8] = b"kindle:flow:";
    let mut shown: HashMap<usize, ()> = HashMap::new();
    let mut out: Vec<u8> = Vec::new();
    let mut done = 0;
    let mut moves: Vec<(usize, usize)> = Vec::new();
    for at in memmem::find_iter(&part.html, ADDRESS) {
        let html = &part.html;
        let Some(start) = memchr::memrchr(b'<', &html[at.saturating_sub(2048)..at]) else { continue };
        let start = at.saturating_sub(2048) + start;
        let Some(end) = memchr::memchr(b'>', &html[at..]).map(|end| at + end + 1) else { continue };
        let number = html.get(at + ADDRESS.len()..at + ADDRESS.len() + 4).and_then(base32);
        let flow = number.and_then(|number| flows.get(number)).filter(|_| html[start..].starts_with(b"<img"));
        let Some(drawing) = flow.and_then(|&(first, last)| text.get(first..last)) else { continue };
        let is_small = drawing.len() <= MAX_DRAWING_BYTES.min(*left);
        let is_drawing = is_small && memmem::find(drawing, b"<svg").is_some();
        let is_new = number.is_some_and(|number| shown.insert(number, ()).is_none());
        if !is_drawing || !is_new || start < done {
            continue;
        }
        *left -= drawing.len();
        out.extend_from_slice(&html[done..start]);
        let from = memmem::find(drawing, b"<svg").unwrap_or_default();
        out.extend_from_slice(&drawing[from..]);
        moves.push((end, out.len()));
        done = end;
    }
    if moves.is_empty() {
        return;
    }
    out.extend_from_slice(&part.html[done..]);
    part.html = out;
    for target in &mut part.targets {
        if let Some((end, new)) = moves.iter().rev().find(|(end, _)| *end <= target.at) {
            target.at = target.at - end + new;
        }
    }
}

/// A number of four digits 0-9 and A-V.
fn base32(digits: &[u8]) -> Option<usize> {
    digits.iter().try_fold(0, |number, &digit| Some(number * 32 + char::from(digit).to_digit(32)? as usize))
}

#[cfg(test)]
mod tests {
    use super::super::index::EntryRow;
    use super::*;

    fn check(list: &[(usize, &str)], skeleton: &str, expected: &str) {
        let (mut out, mut rest, mut moved) = (Vec::new(), skeleton.as_bytes(), 0);
        for (insert, bytes) in list {
            put_in(&mut out, &mut rest, *insert, bytes.as_bytes(), &mut moved);
        }
        out.extend_from_slice(rest);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn fragments_are_put_into_their_skeleton() {
        check(&[(3, "one"), (6, "two")], "<b></b>", "<b>onetwo</b>");
        check(&[(3, "one"), (3, "two")], "<b></b>", "<b>twoone</b>");
        check(&[(99, "one")], "<b></b>", "<b></b>one");
        check(&[], "<b></b>", "<b></b>");
    }

    #[test]
    fn drawings_are_inserted_where_they_are_shown() {
        let text = b"main<svg><text>x</text></svg>";
        let target = ContentsTarget { level: 1, label: "a".to_owned(), at: 50 };
        let html = b"<p><img src=\"kindle:flow:0001?mime=image/svg+xml\"/><i>b</i>".to_vec();
        let mut part = BookPart { html, targets: vec![target] };
        put_drawings(&mut part, text, &[(0, 4), (4, text.len())], &mut 1000);
        assert_eq!(part.html, b"<p><svg><text>x</text></svg><i>b</i>");
        assert_eq!(base32(b"000V"), Some(31));
        assert_eq!(base32(b"00-0"), None);
    }

    /// The parts that skeletons and fragments make of a text, where the fragments begin, and how many are missing.
    fn assembled(
        text: &str,
        skeletons: &[EntryRow<'_>],
        inserted: &[(&str, u32)],
    ) -> (Vec<String>, Vec<(usize, usize)>, usize) {
        let lengths: Vec<[u32; 2]> = inserted.iter().map(|(_, length)| [0, *length]).collect();
        let tags: Vec<[(u8, &[u32]); 1]> = lengths.iter().map(|numbers| [(6, numbers.as_slice())]).collect();
        let entries: Vec<EntryRow<'_>> =
            inserted.iter().zip(&tags).map(|((name, _), tags)| (*name, tags.as_slice())).collect();
        let fragments = fragments(&BookIndex::of(&entries, b""));
        let (parts, placed, missing) = assemble(text.as_bytes(), &BookIndex::of(skeletons, b""), &fragments);
        let html = |part: &BookPart| String::from_utf8_lossy(&part.html).into_owned();
        (parts.iter().map(html).collect(), placed, missing)
    }

    #[test]
    fn parts_are_assembled_in_the_order_of_their_text() {
        let two: [EntryRow<'_>; 2] = [("a", &[(1, &[2]), (6, &[0, 7])]), ("b", &[(1, &[1]), (6, &[14, 4])])];
        let text = "<a></a>12345678<b>xyz?";
        let is = |parts: &[&str], placed: &[(usize, usize)], missing: usize| {
            (parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>(), placed.to_vec(), missing)
        };
        // The places of fragments count in the resulting text, from the start of the skeleton.
        let found = assembled(text, &two, &[("0000000003", 3), ("6", 4), ("0018", 3)]);
        assert_eq!(found, is(&["<a>1234567</a>", "8<b>xyz"], &[(0, 3), (0, 6), (1, 4)], 0));
        // Skeletons without a place are left out.
        let found = assembled(text, &[("a", &[(1, &[2])]), two[1]], &[("17", 3)]);
        assert_eq!(found.0.len(), 1);
        // Without skeletons the text is one part.
        assert_eq!(assembled(text, &[], &[("3", 3)]), is(&[text], &[], 0));
    }

    #[test]
    fn fragments_that_are_cut_are_missing() {
        let one: [EntryRow<'_>; 1] = [("a", &[(1, &[2]), (6, &[0, 3])])];
        let read = |text: &str| assembled(text, &one, &[("3", 4), ("7", 2)]);
        assert_eq!(read("<a>123456"), (vec!["<a>123456".to_owned()], vec![(0, 3), (0, 7)], 0));
        assert_eq!(read("<a>12345"), (vec!["<a>12345".to_owned()], vec![(0, 3), (0, 7)], 1));
        assert_eq!(read("<a>123"), (vec!["<a>123".to_owned()], vec![(0, 3), (0, 6)], 2));
    }

    #[test]
    fn entries_of_the_contents_point_into_fragments() {
        let strings = b"\x83One\x85Two\xe9!";
        let entries: [EntryRow<'_>; 6] = [
            ("0", &[(3, &[0]), (4, &[0]), (6, &[0, 2])]),
            ("1", &[(3, &[4]), (4, &[4]), (6, &[1, 0])]),
            ("2", &[(3, &[0]), (4, &[5]), (6, &[1])]),
            ("3", &[(3, &[0]), (4, &[9]), (6, &[1, 99])]),
            ("4", &[(3, &[0]), (6, &[2, 0])]),
            ("5", &[(6, &[0, 0])]),
        ];
        let part = |html: &str| BookPart { html: html.as_bytes().to_vec(), targets: Vec::new() };
        let mut parts = vec![part("0123456789"), part("01234")];
        add_targets(&mut parts, &[(0, 3), (1, 1)], &BookIndex::of(&entries, strings), 1252);
        let target = |level, label: &str, at| ContentsTarget { level, label: label.to_owned(), at };
        assert_eq!(parts[0].targets, [target(1, "One", 5)]);
        let second = [target(5, "Twoé!", 1), target(6, "One", 1), target(6, "One", 4)];
        assert_eq!(parts[1].targets, second);
    }

    #[test]
    fn drawings_move_what_follows_them() {
        let image = |number: &str| format!("<img src='kindle:flow:{number}'>");
        let text = b"??<svg>one</svg>x<svg>two</svg>";
        let flows = [(0, 2), (2, 16), (16, 31), (0, 1)];
        let check = |html: &str, expected: &str, left: usize, targets: &[(usize, usize)]| {
            let target = |&(at, _): &(usize, usize)| ContentsTarget { level: 1, label: String::new(), at };
            let mut part =
                BookPart { html: html.as_bytes().to_vec(), targets: targets.iter().map(target).collect() };
            let mut left = left;
            put_drawings(&mut part, text, &flows, &mut left);
            assert_eq!(String::from_utf8_lossy(&part.html), expected);
            let places: Vec<usize> = part.targets.iter().map(|target| target.at).collect();
            assert_eq!(places, targets.iter().map(|target| target.1).collect::<Vec<_>>(), "{html}");
        };
        let (one, two) = (image("0001"), image("0002"));
        assert_eq!((one.len(), two.len()), (28, 28));
        let both = format!("<p>{one}a{two}b</p>");
        let shown = "<p><svg>one</svg>a<svg>two</svg>b</p>";
        check(&both, shown, 29, &[(2, 2), (3, 3), (31, 17), (32, 18), (60, 32), (61, 33)]);
        // Only as many bytes as are left.
        check(&both, &format!("<p><svg>one</svg>a{two}b</p>"), 28, &[(31, 17), (60, 46)]);
        check(&both, &both, 13, &[(31, 31)]);
        // A drawing is shown once; what is no drawing, no image or no flow stays.
        check(&format!("{one}{one}"), &format!("<svg>one</svg>{one}"), 99, &[]);
        for html in
            [image("0003"), image("0009"), image("00-1"), one.replace("img", "a"), one[1..].to_owned()]
        {
            check(&html, &html, 99, &[(3, 3)]);
        }
        check("kindle:flow:0001", "kindle:flow:0001", 99, &[]);
        assert_eq!(
            [base32(b"0010"), base32(b"00a1"), base32(b"VVVV")],
            [Some(32), Some(321), Some(1_048_575)]
        );
    }
}
