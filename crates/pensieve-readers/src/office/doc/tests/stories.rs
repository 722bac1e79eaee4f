//! Stories with formats that are given, not read from a file.

use super::word6;
use crate::markdown::MarkdownDraft;
use crate::office::doc::fib::Fib;
use crate::office::doc::lists::ListTable;
use crate::office::doc::pieces::TextPiece;
use crate::office::doc::properties::{ParagraphFormat, RunModifiers, ToggleProperty};
use crate::office::doc::property_runs::PropertyRuns;
use crate::office::doc::story::StoryReader;
use crate::office::doc::styles::{FontEntry, ResolvedStyle};
use crate::office::doc::tables::{AnchoredContent, WordDocument};
use crate::office::story::CellShape;
use crate::office::story::{ParagraphRole, TextLook};
use std::collections::HashMap;

/// Where the text begins.
const START: u32 = 0x300;

/// A document of one piece: runs of characters with their formats, and the formats of its paragraphs in their order.
fn document(runs: &[(&str, RunModifiers)], paragraphs: &[ParagraphFormat]) -> WordDocument {
    let bytes = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let text: Vec<u8> = runs.iter().flat_map(|(text, _)| bytes(text)).collect();
    let stream = word6(0xa5dc, 0x0409, &text);
    let mut document = WordDocument::without_tables(Fib::parse(&stream).expect("a head"), stream);
    let mut at = START;
    let mut formats = Vec::new();
    for (text, format) in runs {
        let end = at + bytes(text).len() as u32;
        formats.push((at, end, *format));
        at = end;
    }
    document.character_formats = PropertyRuns::sorted(formats);
    let mut at = START;
    let mut ranges = Vec::new();
    for (part, format) in text.split_inclusive(|byte| matches!(byte, 7 | 12..=14)).zip(paragraphs) {
        ranges.push((at, at + part.len() as u32, format.clone()));
        at += part.len() as u32;
    }
    document.paragraphs = PropertyRuns::sorted(ranges);
    document
}

/// A list of nine levels, of which each shows its own number with a point; its only override is the first.
fn nine_levels() -> ListTable {
    let mut stream = vec![0; 2 + 28];
    stream[0] = 1;
    for level in 0..9 {
        let mut head = [0; 28];
        head[0] = 1;
        stream.extend(head);
        stream.extend([2, 0, level, 0, b'.', 0]);
    }
    let uses = stream.len();
    stream.extend([1, 0, 0, 0]);
    stream.resize(uses + 24, 0);
    ListTable::parse(&stream, (0, 30), (uses, 24))
}

fn markdown_of(document: &WordDocument, references: &[(u32, AnchoredContent)]) -> String {
    let mut draft = MarkdownDraft::new();
    let references: HashMap<_, _> = references.iter().cloned().collect();
    let mut reader = StoryReader::new(document, nine_levels(), references);
    let end = document.pieces.last().map_or(0, |piece| piece.characters.end);
    let read = reader.body(0..end, &mut |blocks| {
        blocks.iter().for_each(|block| block.write(&mut draft));
        Ok(())
    });
    assert_eq!(read, Ok(()));
    draft.finish().text
}

/// The text of a story beside the body.
fn aside_of(document: &WordDocument, range: std::ops::Range<u32>) -> String {
    let mut draft = MarkdownDraft::new();
    let blocks = StoryReader::new(document, ListTable::default(), HashMap::new()).read_story(range);
    blocks.iter().for_each(|block| draft.push(block));
    draft.finish().text
}

const PLAIN: RunModifiers = RunModifiers {
    strong: ToggleProperty::AsStyle,
    emphasis: ToggleProperty::AsStyle,
    strike: ToggleProperty::AsStyle,
    hidden: ToggleProperty::AsStyle,
    shift: None,
    look: TextLook { hidden: None, white: None, tiny: None, on_colour: false },
    is_deleted: false,
    is_special: false,
    style: None,
    font: None,
    symbol: None,
};

fn check_text(text: &str, expected: &str) {
    assert_eq!(markdown_of(&document(&[(text, PLAIN)], &[]), &[]), expected, "{text:?}");
}

#[test]
fn looks_come_from_characters_and_from_both_styles() {
    let plain = ResolvedStyle::default();
    let styles = [
        plain,
        ResolvedStyle { strong: true, ..plain },
        ResolvedStyle { emphasis: true, ..plain },
        ResolvedStyle { strike: true, ..plain },
        ResolvedStyle { hidden: true, ..plain },
    ];
    let toggled = |property: u16, toggle: ToggleProperty| match property {
        1 => RunModifiers { strong: toggle, ..PLAIN },
        2 => RunModifiers { emphasis: toggle, ..PLAIN },
        3 => RunModifiers { strike: toggle, ..PLAIN },
        _ => RunModifiers { hidden: toggle, ..PLAIN },
    };
    for (property, shown) in [(1, "a**b**\n"), (2, "a*b*\n"), (3, "a~~b~~\n"), (4, "a\n")] {
        for (own, named, toggle, has_look) in [
            (0, None, ToggleProperty::AsStyle, false),
            (0, None, ToggleProperty::On, true),
            (property, None, ToggleProperty::AsStyle, true),
            (0, Some(property), ToggleProperty::AsStyle, true),
            (property, Some(property), ToggleProperty::AsStyle, true),
            (property, None, ToggleProperty::Opposite, false),
            (0, Some(property), ToggleProperty::Off, false),
            (0, Some(9), ToggleProperty::AsStyle, false),
        ] {
            let format = RunModifiers { style: named, ..toggled(property, toggle) };
            let paragraph = ParagraphFormat { style: own, ..ParagraphFormat::default() };
            let off = toggled(property, ToggleProperty::Off);
            let mut document = document(&[("a", off), ("b\r", format)], &[paragraph]);
            document.styles = styles.to_vec();
            let expected = if has_look { shown } else { "ab\n" };
            assert_eq!(markdown_of(&document, &[]), expected, "{property}: {own} {named:?} {toggle:?}");
        }
    }
    let deleted = RunModifiers { is_deleted: true, ..PLAIN };
    let document = document(&[("a", PLAIN), ("b", deleted), ("c\r", PLAIN)], &[]);
    assert_eq!(markdown_of(&document, &[]), "ac\n");
}

#[test]
fn bytes_are_read_in_the_code_page_of_the_nearest_font() {
    let font = |code_page| FontEntry { name: String::new(), code_page };
    let styled = |font| ResolvedStyle { font, ..ResolvedStyle::default() };
    for (own, named, format, expected) in [
        (None, None, None, "Ď\n"),
        (None, None, Some(1), "П\n"),
        (None, Some(1), None, "П\n"),
        (Some(1), None, None, "П\n"),
        (Some(1), Some(2), None, "Ο\n"),
        (Some(1), Some(1), Some(2), "Ο\n"),
        // Western fonts and unknown ones are in the code page of the document.
        (None, None, Some(0), "Ď\n"),
        (None, None, Some(3), "Ď\n"),
        (None, None, Some(4), "Ď\n"),
    ] {
        let format = RunModifiers { style: Some(1), font: format, ..PLAIN };
        let mut document = document(&[("\u{cf}\r", format)], &[ParagraphFormat::default()]);
        document.styles = vec![styled(own), styled(named)];
        document.fonts = vec![font(Some(1252)), font(Some(1251)), font(Some(1253)), font(None)];
        document.code_page = 1250;
        assert_eq!(markdown_of(&document, &[]), expected, "{own:?} {named:?} {format:?}");
    }
}

#[test]
fn symbols_are_those_of_their_font() {
    let named = |name: &str| FontEntry { name: name.to_owned(), code_page: None };
    for (font, character, is_special, expected) in [
        (0, 0xf0b7, true, "••\n"),
        (0, 0x61, true, "αα\n"),
        (0, 0xfe, true, "⎭⎭\n"),
        (0, 0x100, true, "ĀĀ\n"),
        (0, 0x2022, true, "••\n"),
        (1, 0x4a, true, "☺☺\n"),
        // A font that is not in the table is the symbol font.
        (2, 0x61, true, "αα\n"),
        (0, 0x61, false, "xy\n"),
    ] {
        let format = RunModifiers { is_special, symbol: Some((font, character)), ..PLAIN };
        let mut document = document(&[("xy", format), ("\r", PLAIN)], &[]);
        document.fonts = vec![named("Symbol"), named("Wingdings")];
        assert_eq!(markdown_of(&document, &[]), expected, "{font} {character:x} {is_special}");
    }
}

#[test]
fn control_characters_have_their_meanings() {
    for (text, expected) in [
        ("a\x0bb\r", "a\\\nb\n"),
        ("a\tb\r", "a b\n"),
        ("a\x1eb\r", "a\u{2011}b\n"),
        ("a\x1fb\r", "ab\n"),
        ("a\x05b\r", "ab\n"),
        ("a\x0bb\x0cc\x0dd\x0ee", "a\\\nb\n\nc\n\nd\n\ne\n"),
        ("a\x0fb\r", "ab\n"),
        ("a b\r", "a b\n"),
        ("\r\r", ""),
    ] {
        check_text(text, expected);
    }
}

#[test]
fn a_deleted_mark_joins_two_paragraphs_but_not_two_cells() {
    let deleted = RunModifiers { is_deleted: true, ..PLAIN };
    let check = |in_table, expected: &str| {
        let paragraphs = vec![ParagraphFormat { in_table, ..ParagraphFormat::default() }; 2];
        let runs = [("a", PLAIN), ("\r", deleted), ("b\r", PLAIN)];
        assert_eq!(markdown_of(&document(&runs, &paragraphs), &[]), expected);
    };
    check(false, "ab\n");
    check(true, "a\n\nb\n");
    assert_eq!(markdown_of(&document(&[("a\rb\r", PLAIN)], &[]), &[]), "a\n\nb\n");
}

#[test]
fn cells_and_rows_end_with_their_marks() {
    let cell = ParagraphFormat { in_table: true, ..ParagraphFormat::default() };
    let shape = |rights: &[i32]| {
        let cells: Vec<CellShape> =
            rights.iter().map(|&right| CellShape { right, ..CellShape::default() }).collect();
        Some(cells.into())
    };
    let row = ParagraphFormat { ends_row: true, shape: shape(&[100, 200]), ..cell.clone() };
    let wide = ParagraphFormat { ends_row: true, shape: shape(&[200]), ..cell.clone() };
    let after = ParagraphFormat::default();
    let rows = [cell.clone(), cell.clone(), row.clone(), cell.clone(), wide, after];
    let runs = [("a\x07b\x07\x07c\x07\x07after\r", PLAIN)];
    let table = "| a | b |\n| - | - |\n| c |  |\n\nafter\n";
    assert_eq!(markdown_of(&document(&runs, &rows), &[]), table);
    // With properties, two marks in a row are a blank cell.
    let rows = [cell.clone(), cell.clone(), row];
    let runs = [("a\x07\x07\x07", PLAIN)];
    assert_eq!(markdown_of(&document(&runs, &rows), &[]), "| a |  |\n| - | - |\n");
}

#[test]
fn tables_inside_end_with_marks_of_paragraphs() {
    let cell = ParagraphFormat { in_table: true, depth: 1, ..ParagraphFormat::default() };
    let inner = ParagraphFormat { depth: 2, ends_inner_cell: true, ..cell.clone() };
    let inner_row = ParagraphFormat { ends_inner_row: true, ..inner.clone() };
    let row = ParagraphFormat { ends_row: true, ..cell.clone() };
    let formats = [inner.clone(), inner.clone(), inner_row, cell, row];
    let runs = [("x\ry\r\rz\x07\x07", PLAIN)];
    let text = markdown_of(&document(&runs, &formats), &[]);
    assert_eq!(text, "| x | y |\n| - | - |\n\nz\n");
}

#[test]
fn fields_show_their_results() {
    let long = |length: usize| format!("\x13{}\tshown\x15.\r", "a".repeat(length));
    for (text, expected) in [
        ("a\x13 DATE \x14today\x15b\r", "atodayb\n"),
        ("a\x13 HYPERLINK \"http://x/\" \x14there\x15 b\r", "a[there](http://x/) b\n"),
        ("a\x13 MACROBUTTON none Click\x15b\r", "aClickb\n"),
        // A result takes the place of the words in the code.
        ("a\x13 MACROBUTTON none Click\x14here\x15b\r", "ahereb\n"),
        ("a\x13 DATE \x15b\r", "ab\n"),
        ("a\x13 IF \x13 DATE \x14now\x15 = 2 \x14yes\x15b\r", "ayesb\n"),
        ("a\x13 DATE \x14x\x13 PAGE \x147\x15y\x15b\r", "ax7yb\n"),
        ("\x13 HYPERLINK http://x/ \x14a\x13 DATE \x14b\x15\x15c\r", "[ab](http://x/)c\n"),
        ("a\x14b\x15c\r", "abc\n"),
        ("a\x13 lost\rb\r", "a\n"),
        (&long(4095), ".\n"),
        (&long(4096), "shown.\n"),
    ] {
        check_text(text, expected);
    }
    // Page numbers are left out beside the body.
    let text = "Page \x13 PAGE \x147\x15 of \x13 DATE \x148\x15\r";
    let document = document(&[(text, PLAIN)], &[]);
    assert_eq!(markdown_of(&document, &[]), "Page 7 of 8\n");
    assert_eq!(aside_of(&document, 0..text.len() as u32), "Page of 8\n");
}

#[test]
fn fields_end_with_their_paragraph_if_the_pieces_were_guessed() {
    let mut document = document(&[("a\x13 lost\rb\r", PLAIN)], &[]);
    document.is_guessed = true;
    assert_eq!(markdown_of(&document, &[]), "a\n\nb\n");
}

#[test]
fn headings_come_from_outlines_and_styles() {
    let plain = ParagraphFormat::default();
    for (outline, style, list, expected) in [
        (None, 0, None, "x\n"),
        (Some(0), 0, None, "# x\n"),
        (Some(5), 0, None, "###### x\n"),
        (Some(9), 1, None, "x\n"),
        (None, 1, None, "## x\n"),
        (Some(2), 1, None, "### x\n"),
        (None, 1, Some(1), "## 1. x\n"),
        (None, 0, Some(1), "1. x\n"),
        (None, 0, Some(0), "x\n"),
        (None, 0, Some(-1), "x\n"),
        (None, 0, Some(2), "x\n"),
        (None, 2, None, "1. x\n"),
        (None, 2, Some(0), "x\n"),
    ] {
        let paragraph = ParagraphFormat { outline, style, list, ..plain.clone() };
        let mut document = document(&[("x\r", PLAIN)], &[paragraph]);
        let styled = ResolvedStyle::default();
        document.styles = vec![
            styled,
            ResolvedStyle { role: ParagraphRole::Heading(2), ..styled },
            ResolvedStyle { list: Some(1), ..styled },
        ];
        assert_eq!(markdown_of(&document, &[]), expected, "{outline:?} {style} {list:?}");
    }
}

#[test]
fn items_count_at_their_level_and_blank_ones_do_not() {
    let item = |level, style| ParagraphFormat { level, style, list: Some(1), ..ParagraphFormat::default() };
    let formats = [item(None, 0), item(None, 0), item(Some(1), 0), item(None, 1), item(Some(0), 1)];
    let mut document = document(&[("a\r\rb\rc\rd\r", PLAIN)], &formats);
    document.styles =
        vec![ResolvedStyle::default(), ResolvedStyle { level: Some(1), ..ResolvedStyle::default() }];
    assert_eq!(markdown_of(&document, &[]), "1. a\n   1. b\n   2. c\n2. d\n");
}

#[test]
fn characters_refer_to_notes_and_boxes() {
    // The body, then a note and the texts of two boxes.
    let text = "a\x02b\x08c\x01\rnote\rbox\rlast\r";
    let note = AnchoredContent::Note("7".into(), 7..12);
    let first = AnchoredContent::TextBox(12..16);
    let last = AnchoredContent::TextBox(16..21);
    let read = |text: &str, references: &[(u32, AnchoredContent)]| {
        let mut document = document(&[(text, PLAIN)], &[]);
        document.pieces[0].characters.end = 7;
        let mut beside = document.pieces[0].clone();
        (beside.characters, beside.start) = (7..21, START + 7);
        document.pieces.push(beside);
        let mut draft = MarkdownDraft::new();
        let references = references.iter().cloned().collect();
        let mut reader = StoryReader::new(&document, ListTable::default(), references);
        let read = reader.body(0..7, &mut |blocks| {
            blocks.iter().for_each(|block| block.write(&mut draft));
            Ok(())
        });
        assert_eq!(read, Ok(()));
        draft.finish().text
    };
    let all = [(1, note.clone()), (3, first.clone()), (5, last.clone())];
    assert_eq!(read(text, &all), "a[^7]bc\n\n[^7]: note\n\nbox\n\nlast\n");
    // To places without such a character nobody refers: what is there follows in its order.
    let lost = [(4, last), (2, first)];
    assert_eq!(read(text, &lost), "abc\n\nbox\n\nlast\n");
    // The code of a field refers to nothing.
    let coded = text.replacen("a\x02b", "\x13\x02b", 1);
    assert_eq!(read(&coded, &[(1, note)]), "[^7]: note\n");
}

#[test]
fn hidden_characters_refer_to_nothing() {
    let hidden = RunModifiers { hidden: ToggleProperty::On, ..PLAIN };
    let document = document(&[("a", PLAIN), ("\x02", hidden), ("b\r", PLAIN)], &[]);
    let range = AnchoredContent::TextBox(2..3);
    assert_eq!(markdown_of(&document, &[(1, range.clone())]), "ab\n\nb\n");
    let document = super::stories::document(&[("a\x02b\r", PLAIN)], &[]);
    assert_eq!(markdown_of(&document, &[(1, range)]), "ab\n\nb\n");
}

#[test]
fn stories_are_parts_of_pieces_of_both_widths() {
    let strong = RunModifiers { strong: ToggleProperty::On, ..PLAIN };
    let mut document = document(&[("abcde\0f\0g\0h\0", PLAIN)], &[]);
    let piece = |characters, start, is_wide| TextPiece { characters, start, is_wide };
    document.pieces = vec![piece(0..4, START, false), piece(4..8, START + 4, true)];
    // The format of the wide characters ends inside of one.
    document.character_formats =
        PropertyRuns::sorted(vec![(START + 1, START + 3, strong), (START + 6, START + 9, strong)]);
    for (range, expected) in [
        (0..8, "a**bc**de**fg**h\n"),
        (2..6, "**c**de**f**\n"),
        (4..6, "e**f**\n"),
        (2..4, "**c**d\n"),
        (3..5, "de\n"),
        (7..9, "h\n"),
        (4..4, ""),
        (8..9, ""),
    ] {
        assert_eq!(aside_of(&document, range.clone()), expected, "{range:?}");
    }
}

#[test]
fn wide_characters_have_symbols_and_controls_too() {
    let wide = |text: &str| -> String {
        let bytes = text.encode_utf16().flat_map(u16::to_le_bytes);
        bytes.map(char::from).collect()
    };
    let read = |text: &str, format: RunModifiers| {
        let mut document = document(&[(&wide(text), format)], &[]);
        document.pieces[0].is_wide = true;
        document.pieces[0].characters.end = text.encode_utf16().count() as u32;
        markdown_of(&document, &[])
    };
    assert_eq!(read("a\u{b}b \u{e9}\t😀\rc\u{1f}d\r", PLAIN), "a\\\nb é 😀\n\ncd\n");
    assert_eq!(read("\u{f061}\u{f0b7}\u{f100}\r", PLAIN), "α•\u{f100}\n");
    let symbol = RunModifiers { is_special: true, symbol: Some((0, 0x62)), ..PLAIN };
    assert_eq!(read("xyz", symbol), "βββ\n");
    // The note refers to the second character, whatever its bytes are.
    let mut document = document(&[(&wide("a\u{2}\r"), PLAIN)], &[]);
    document.pieces = vec![TextPiece { characters: 0..3, start: START, is_wide: true }];
    let note = AnchoredContent::Note("1".into(), 0..1);
    assert_eq!(markdown_of(&document, &[(1, note)]), "a[^1]\n\n[^1]: a\n");
}
