//! Text storages: what styles, lists, fields and placeholders make of their characters.

use super::{TestObject, check, inside, number, object, refer, text};
use crate::limits::iwork::MAX_STYLE_DEPTH;

/// A document of Pages whose body is this storage, with other objects.
fn body(storage: &[Vec<u8>], more: &[TestObject]) -> Vec<TestObject> {
    let root = object(1, 10000, &[inside(15, &[]), refer(4, 10)]);
    [&[root, object(10, 2001, storage)], more].concat()
}

/// A table of a storage: characters, and the objects that apply from them on; none for 0.
fn table(field: u64, entries: &[(u64, u64)]) -> Vec<u8> {
    let entry = |(index, object): &(u64, u64)| {
        let mut entry = vec![number(1, *index)];
        entry.extend((*object > 0).then(|| refer(2, *object)));
        inside(1, &entry)
    };
    inside(field, &entries.iter().map(entry).collect::<Vec<_>>())
}

/// A character style with properties: bold 1, italic 2, struck through 12.
fn look(identifier: u64, properties: &[(u64, u64)], base: u64) -> TestObject {
    let properties: Vec<Vec<u8>> = properties.iter().map(|(field, value)| number(*field, *value)).collect();
    let mut style = vec![inside(11, &properties)];
    style.extend((base > 0).then(|| inside(1, &[refer(3, base)])));
    object(identifier, 2021, &style)
}

fn named(identifier: u64, name: &str, id: &str) -> TestObject {
    object(identifier, 2022, &[inside(1, &[text(1, name), text(2, id)])])
}

#[test]
fn styles_apply_from_a_character_on() {
    let styles = [look(20, &[(1, 1)], 0), look(21, &[(2, 1)], 0), look(22, &[(12, 1)], 0)];
    let marks = table(8, &[(1, 20), (2, 21), (4, 0), (6, 22)]);
    check(&body(&[text(3, "abcdefg"), marks], &styles), "a**b***cd*ef~~g~~\n");
    // Positions count pairs of surrogates twice.
    let marks = table(8, &[(2, 20), (3, 0)]);
    check(&body(&[text(3, "😀bc"), marks], &styles), "😀**b**c\n");
    // A style that goes on in the next paragraph, and the order of the table does not matter.
    let marks = table(8, &[(6, 0), (1, 20)]);
    check(&body(&[text(3, "ab\ncdefg"), marks], &styles), "a**b**\n\n**cde**fg\n");
}

#[test]
fn styles_inherit_what_they_do_not_say() {
    let styles = [
        look(20, &[(1, 1), (2, 1)], 0),
        look(21, &[(2, 0)], 20),
        look(22, &[(12, 1)], 21),
        look(23, &[(1, 0)], 23),
    ];
    for (style, expected) in
        [(20, "***ab***\n"), (21, "**ab**\n"), (22, "**~~ab~~**\n"), (23, "ab\n"), (99, "ab\n")]
    {
        check(&body(&[text(3, "ab"), table(8, &[(0, style)])], &styles), expected);
    }
    let chain = |length: u64| {
        let base = |at: u64| if at + 1 < length { 31 + at } else { 0 };
        let bold = |at: u64| u64::from(at + 1 == length);
        let styles: Vec<TestObject> = (0..length)
            .map(|at| match bold(at) {
                1 => look(30 + at, &[(1, 1)], 0),
                _ => look(30 + at, &[], base(at)),
            })
            .collect();
        body(&[text(3, "ab"), table(8, &[(0, 30)])], &styles)
    };
    check(&chain(MAX_STYLE_DEPTH as u64), "**ab**\n");
    check(&chain(MAX_STYLE_DEPTH as u64 + 1), "ab\n");
}

#[test]
fn paragraph_styles_make_headings() {
    let styles = [
        named(20, "Title", ""),
        named(21, "Heading", ""),
        named(22, "Heading 4", ""),
        named(23, "Heading x", ""),
        named(24, "Body", "style-Heading 3"),
        named(25, "Body", "a_b_Title"),
        named(26, "Body", "Heading-x"),
        look(27, &[(1, 1)], 0),
        look(28, &[], 22),
    ];
    for (style, expected) in [
        (20, "# a\n\nb\n"),
        (21, "# a\n\nb\n"),
        (22, "#### a\n\nb\n"),
        (23, "a\n\nb\n"),
        (24, "### a\n\nb\n"),
        (25, "# a\n\nb\n"),
        (26, "a\n\nb\n"),
        (27, "**a**\n\nb\n"),
        (28, "#### a\n\nb\n"),
    ] {
        check(&body(&[text(3, "a\nb"), table(5, &[(0, style), (2, 0)])], &styles), expected);
    }
}

#[test]
fn characters_end_paragraphs_or_lines() {
    for (words, expected) in [
        ("a\nb\rc", "a\n\nb\n\nc\n"),
        ("a\u{2029}b\u{4}c\u{5}d\u{c}e", "a\n\nb\n\nc\n\nd\n\ne\n"),
        ("a\u{2028}b\u{b}c", "a\\\nb\\\nc\n"),
        ("a\tb\u{1}c\u{6}d", "a bcd\n"),
        ("\n \na", "a\n"),
    ] {
        check(&body(&[text(3, words)], &[]), expected);
    }
}

#[test]
fn deleted_characters_are_left_out() {
    let marks = table(22, &[(1, 20), (3, 0)]);
    check(&body(&[text(3, "abcd"), marks], &[]), "ad\n");
}

#[test]
fn links_and_readings_belong_to_their_characters() {
    let link = |identifier: u64, kind: u32, address: &str| object(identifier, kind, &[text(2, address)]);
    let fields = |address: &str, kind: u32| {
        body(&[text(3, "abc"), table(11, &[(1, 20), (2, 0)])], &[link(20, kind, address)])
    };
    check(&fields("http://x/", 2032), "a[b](http://x/)c\n");
    check(&fields("#place", 2032), "abc\n");
    check(&fields("?place", 2032), "abc\n");
    check(&fields("", 2032), "abc\n");
    check(&fields("http://x/", 2031), "abc\n");
    let rubies =
        |reading: &str| body(&[text(3, "abc"), table(18, &[(1, 20), (2, 0)])], &[link(20, 2033, reading)]);
    check(&rubies("x"), "ab(x)c\n");
    check(&rubies(""), "abc\n");
    let last = body(&[text(3, "abc"), table(18, &[(2, 20)])], &[link(20, 2033, "x")]);
    check(&last, "abc(x)\n");
}

/// A list style: the kinds of its levels, and their formats of numbers.
fn list(identifier: u64, kinds: &[u64], formats: &[u64]) -> TestObject {
    let mut style: Vec<Vec<u8>> = kinds.iter().map(|kind| number(11, *kind)).collect();
    style.extend(formats.iter().map(|format| number(15, *format)));
    object(identifier, 2023, &style)
}

/// The levels of paragraphs.
fn levels(entries: &[(u64, u64)]) -> Vec<u8> {
    let entries: Vec<Vec<u8>> =
        entries.iter().map(|(index, level)| inside(1, &[number(1, *index), number(2, *level)])).collect();
    inside(6, &entries)
}

#[test]
fn numbers_have_the_format_of_their_level() {
    for (format, expected) in [
        (0, "2. y"),
        (1, "- (2) y"),
        (2, "2) y"),
        (3, "- II. y"),
        (4, "- (II) y"),
        (5, "- II) y"),
        (6, "- ii. y"),
        (7, "- (ii) y"),
        (8, "- ii) y"),
        (9, "- B. y"),
        (10, "- (B) y"),
        (11, "- B) y"),
        (12, "- b. y"),
        (13, "- (b) y"),
        (14, "- b) y"),
        (15, "2. y"),
        (16, "2. y"),
    ] {
        let objects = body(&[text(3, "x\ny"), table(7, &[(0, 20)])], &[list(20, &[3], &[format])]);
        let (found, _, _) = super::read_all(&objects, &crate::settings::OfficeOptions::default());
        assert_eq!(found.lines().last(), Some(expected), "{format}");
    }
}

#[test]
fn items_count_by_level_until_their_list_ends() {
    let styles = [list(20, &[3, 3, 1], &[0, 9, 0]), list(21, &[2, 0, 5], &[])];
    let read = |words: &str, lists: &[(u64, u64)], at: &[(u64, u64)], expected: &str| {
        check(&body(&[text(3, words), table(7, lists), levels(at)], &styles), expected);
    };
    read(
        "a\nb\nc\nd\ne",
        &[(0, 20)],
        &[(2, 1), (6, 0), (8, 1)],
        "1. a\n   - A. b\n   - B. c\n2. d\n   - A. e\n",
    );
    // A paragraph without a list, or with a level without a marker, begins anew.
    read("a\nb\nc", &[(0, 20), (2, 0), (4, 20)], &[], "1. a\n\nb\n\n1. c\n");
    read("a\nb\nc\nd", &[(0, 21)], &[(2, 1), (4, 2), (6, 3)], "- a\n\nb\n\nc\n\nd\n");
    read("a\nb", &[(0, 20)], &[(0, 2), (2, 9)], "- a\n\nb\n");
    read("a\nb", &[(0, 99)], &[], "a\n\nb\n");
}

#[test]
fn placeholders_stand_for_fields_and_notes() {
    let storage = |field: u64| {
        let marks = table(field, &[(1, 20)]);
        [text(3, "a\u{fffc}b"), marks]
    };
    let note = object(20, 2008, &[refer(2, 21)]);
    let words = |words: &str| object(21, 2001, &[text(3, words)]);
    check(&body(&storage(16), &[note.clone(), words("why")]), "a[^1]b\n\n[^1]: why\n");
    check(&body(&storage(9), &[note.clone(), words("why")]), "a[^1]b\n\n[^1]: why\n");
    check(&body(&storage(9), &[note, words(" ")]), "ab\n");
    for kind in [2004, 2007, 2009, 14] {
        check(&body(&storage(9), &[object(20, kind, &[text(1, "x")])]), "axb\n");
        check(&body(&storage(9), &[object(20, kind, &[text(1, "x"), number(2, 1)])]), "ab\n");
    }
    for (format, expected) in [(None, "axb\n"), (Some(0), "ab\n"), (Some(1), "ab\n"), (Some(2), "axb\n")] {
        let inner: Vec<Vec<u8>> = format.map(|format| number(2, format)).into_iter().collect();
        let field = object(20, 2043, &[inside(1, &inner), text(3, "x")]);
        check(&body(&storage(9), &[field]), expected);
    }
    check(&body(&storage(9), &[object(20, 2005, &[text(1, "x")])]), "ab\n");
    // Without an object at exactly its place, a placeholder is nothing.
    let other = [text(3, "a\u{e}b"), table(9, &[(0, 20)])];
    check(&body(&other, &[object(20, 2004, &[text(1, "x")])]), "ab\n");
}
