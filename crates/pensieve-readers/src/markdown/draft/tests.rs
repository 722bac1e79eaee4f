//! What blocks become, one idea a test.

use super::*;
use crate::markdown::{Table, TableCell, TableRow, TextRun, TextStyle};

fn check(blocks: &[Block], expected: &str) {
    let mut draft = MarkdownDraft::new();
    blocks.iter().for_each(|block| draft.push(block));
    assert_eq!(draft.finish().text, expected);
}

fn words(text: &str) -> Words {
    Words::plain(text)
}

fn styled(text: &str, style: TextStyle) -> TextRun {
    TextRun { text: text.to_owned(), style, ..TextRun::default() }
}

#[test]
fn blocks_are_divided_by_blank_lines_and_items_are_not() {
    let item = |depth, text| Block::Item { depth, marker: Some(ItemMarker::Bullet), words: words(text) };
    let number = |text: &str, mark: &str| Block::Item {
        depth: 0,
        marker: Some(ItemMarker::Number(mark.to_owned())),
        words: words(text),
    };
    check(
        &[
            Block::Heading { level: 2, words: words("Title  one") },
            Block::Paragraph(words("A paragraph.")),
            Block::Paragraph(words("  ")),
            item(0, "one"),
            item(1, "inner"),
            item(0, "two"),
            number("three", "3."),
            number("four", "IV."),
            Block::Paragraph(words("After.")),
        ],
        "## Title one\n\nA paragraph.\n\n- one\n  - inner\n- two\n3. three\n- IV. four\n\nAfter.\n",
    );
}

#[test]
fn emphasis_hugs_its_words_and_markup_is_escaped() {
    let strong = TextStyle { strong: true, ..TextStyle::default() };
    let mut line = words("plain ");
    line.push(styled("bold ", strong));
    line.push(styled("on", strong));
    line.push_plain(" *x* a_b <tag");
    check(&[Block::Paragraph(line)], "plain **bold on** \\*x* a_b &lt;tag\n");
    let link = TextRun { text: "site".into(), link: Some("http://x/a b".into()), ..TextRun::default() };
    check(&[Block::Paragraph(Words(vec![link]))], "[site](http://x/a%20b)\n");
    check(&[Block::Paragraph(words("1. not an item\nsecond"))], "1\\. not an item\\\nsecond\n");
}

#[test]
fn tables_repeat_merged_cells() {
    let wide = |text| TableCell { columns: 2, ..TableCell::plain(text) };
    let tall = |text| TableCell { rows: 2, ..TableCell::plain(text) };
    let row = |cells| TableRow { cells, place: None };
    let rows = vec![
        row(vec![TableCell::plain("a|b"), wide("c"), TableCell { columns: 1, ..TableCell::default() }]),
        row(vec![tall("d"), TableCell::plain("e"), wide("f")]),
        row(vec![TableCell::plain("g")]),
        row(vec![TableCell { columns: 4, ..TableCell::plain("all") }]),
    ];
    let expected =
        "| a\\|b | c | c |  |\n| - | - | - | - |\n| d | e | f |  |\n| d | g |  |  |\n| all |  |  |  |\n";
    check(&[Block::Table(Table { rows })], expected);
    let rows = vec![TableRow { cells: vec![TableCell::plain("alone")], place: None }];
    check(&[Block::Table(Table { rows })], "alone\n");
}

#[test]
fn columns_in_which_nothing_begins_are_none() {
    let wide = |text, columns| TableCell { columns, ..TableCell::plain(text) };
    let rows = vec![
        TableRow { cells: vec![wide("a", 7), wide("b", 300)], place: None },
        TableRow {
            cells: vec![wide("c", 7), TableCell { columns: 900, rows: u32::MAX, ..TableCell::plain("d") }],
            place: None,
        },
        TableRow { cells: vec![wide("e", 2)], place: None },
    ];
    check(&[Block::Table(Table { rows })], "| a | b |\n| - | - |\n| c | d |\n| e | d |\n");
    let rows = vec![TableRow { cells: vec![wide("a", 300), wide("b", 300), wide("c", 1)], place: None }];
    check(&[Block::Table(Table { rows })], "a\n\nb\n\nc\n");
}

#[test]
fn notes_follow_with_their_label() {
    let mut line = words("Text");
    line.push_note("1");
    line.push_plain(".");
    let note = Block::Note { label: "1".into(), blocks: vec![Block::Paragraph(words("Said so."))] };
    check(&[Block::Paragraph(line), note], "Text[^1].\n\n[^1]: Said so.\n");
}

#[test]
fn places_and_maps_follow_the_words() {
    let mut draft = MarkdownDraft::mapped();
    draft.place(Some(Locator::page(1)));
    let run = TextRun { text: "one two".into(), source: Some(Span::new(10, 17)), ..TextRun::default() };
    draft.push(&Block::Paragraph(Words(vec![run])));
    draft.place(Some(Locator::page(2)));
    draft.push(&Block::Paragraph(words("three")));
    let segment = draft.finish();
    assert_eq!(segment.text, "one two\n\nthree\n");
    assert_eq!(segment.map.source(Span::new(0, 7)).map(|source| (source.start, source.end)), Some((10, 17)));
    assert_eq!(segment.places.of(Span::new(0, 3)), Some(Locator::page(1)));
    assert_eq!(segment.places.of(Span::new(9, 12)), Some(Locator::page(2)));
}

#[test]
fn what_was_taken_is_followed_by_the_rest() {
    let mut draft = MarkdownDraft::new();
    draft.push(&Block::Paragraph(words("one")));
    let mut text = draft.take().text;
    draft.push(&Block::Paragraph(words("two")));
    text.push_str(&draft.finish().text);
    assert_eq!(text, "one\n\ntwo\n");
}
