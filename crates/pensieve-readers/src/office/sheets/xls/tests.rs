//! Small workbooks of one idea each.

use super::super::testing::read as read_bytes;
use crate::office::sheets::excel::read_xls;
use crate::shared::ole::testing::compound;
use pensieve_text::model::{Problem, ProblemKind};

fn record(kind: u16, content: &[u8]) -> Vec<u8> {
    let length = content.len() as u16;
    [&kind.to_le_bytes(), &length.to_le_bytes(), content].concat()
}

/// The first record of a stream of this version.
fn begin(version: u16, kind: u16) -> Vec<u8> {
    record(0x809, &[&version.to_le_bytes()[..], &kind.to_le_bytes(), &[0; 12]].concat())
}

fn label(row: u16, column: u16, text: &[u8]) -> Vec<u8> {
    let head = [row, column, 0, text.len() as u16].map(u16::to_le_bytes).concat();
    record(0x204, &[&head, &[0][..], text].concat())
}

/// A workbook with one sheet.
fn workbook(records: &[Vec<u8>]) -> Vec<u8> {
    let front = begin(0x600, 5);
    let at = front.len() + 4 + 9 + 4;
    let sheet = record(0x85, &[&(at as u32).to_le_bytes()[..], &[0, 0, 1, 0, b'S']].concat());
    [front, sheet, record(10, &[]), begin(0x600, 0x10), records.concat(), record(10, &[])].concat()
}

fn text(stream: &[u8]) -> Result<String, Problem> {
    read_bytes(&compound(&[("Workbook", stream)]), read_xls).map(|(text, _)| text)
}

#[test]
fn a_stream_is_read_in_a_compound_file_and_bare() {
    let stream = workbook(&[label(0, 0, b"a"), label(0, 1, b"b"), label(1, 0, b"c")]);
    let expected = "## S\n\n| a | b |\n| - | - |\n| c |  |\n";
    assert_eq!(text(&stream).unwrap(), expected);
    assert_eq!(read_bytes(&stream, read_xls).unwrap().0, expected);
}

#[test]
fn cells_of_charts_inside_a_sheet_are_no_cells_of_the_sheet() {
    let chart = [begin(0x600, 0x20), label(0, 0, b"chart"), record(10, &[])].concat();
    assert_eq!(
        text(&workbook(&[label(0, 0, b"a"), chart, label(1, 0, b"b")])).unwrap(),
        "## S\n\n| a |\n| - |\n| b |\n"
    );
}

#[test]
fn encrypted_workbooks_and_other_files_are_reported() {
    let stream = [begin(0x600, 5), record(0x2f, &[0; 6])].concat();
    assert_eq!(text(&stream).unwrap_err().kind, ProblemKind::Encrypted);
    let package = compound(&[("EncryptedPackage", b"?")]);
    assert_eq!(read_bytes(&package, read_xls).unwrap_err().kind, ProblemKind::Encrypted);
    assert_eq!(read_bytes(&compound(&[("Other", b"?")]), read_xls).unwrap_err().kind, ProblemKind::Damaged);
    assert_eq!(read_bytes(b"plain words", read_xls).unwrap_err().kind, ProblemKind::Damaged);
}

#[test]
fn a_sheet_that_is_not_there_is_reported() {
    let mut stream = begin(0x600, 5);
    stream.extend(record(0x85, &[&99_u32.to_le_bytes()[..], &[0, 0, 1, 0, b'S']].concat()));
    let (text, document) = read_bytes(&compound(&[("Workbook", &stream)]), read_xls).unwrap();
    assert_eq!(text, "## S\n");
    assert_eq!(document.problems[0].kind, ProblemKind::Damaged);
}

#[test]
fn links_of_cells_have_their_address() {
    let units = |text: &str| text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let counted = |text: &str| [&(text.len() as u32 + 1).to_le_bytes()[..], &units(text)].concat();
    let class = [0xe0, 0xc9, 0xea, 0x79, 0xf9, 0xba, 0xce, 0x11, 0x8c, 0x82, 0, 0xaa, 0, 0x4b, 0xa9, 0x0b];
    let link = |row: u16, flags: u32, rest: &[u8]| {
        let range = [row, row, 0, 0].map(u16::to_le_bytes).concat();
        record(0x1b8, &[&range[..], &[7; 16], &2_u32.to_le_bytes(), &flags.to_le_bytes(), rest].concat())
    };
    let url = |text: &str| [&class[..], &(2 * text.len() as u32 + 2).to_le_bytes(), &units(text)].concat();
    let stream = workbook(&[
        label(0, 0, b"quay"),
        label(1, 0, b"pier"),
        label(2, 0, b"lamp"),
        label(3, 0, b"file"),
        link(0, 0x03, &url("https://quay.example/a")),
        link(1, 0x17, &[counted("shown"), url("mailto:pier@quay.example")].concat()),
        link(2, 0x103, &counted("https://lamp.example")),
        // A place in the workbook, and a class that is no address.
        link(3, 0x08, &counted("Sheet2!A1")),
        link(3, 0x01, &[1; 40]),
        // Cut.
        link(3, 0x01, &class),
    ]);
    let expected = "## S\n\n| quay (https://quay.example/a) |\n| - |\n| pier (mailto:pier@quay.example) |\n\
                    | lamp (https://lamp.example) |\n| file |\n";
    assert_eq!(text(&stream).unwrap(), expected);
}
