//! Small spreadsheets of one idea each.

use super::super::testing::read as read_bytes;
use super::*;
use crate::shared::archive::testing::package;

fn content(sheet: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><table:table table:name='S'>{sheet}</table:table></office:document-content>"
    );
    package(&[("content.xml", content.as_bytes())])
}

fn row(cells: &str, more: &str) -> String {
    format!("<table:table-row {more}>{cells}</table:table-row>")
}

#[test]
fn rows_and_cells_that_are_repeated_come_as_often_up_to_a_limit() {
    let cell = "<table:table-cell table:number-columns-repeated='2'><text:p>x</text:p></table:table-cell>";
    let (text, document) = read_bytes(&content(&row(cell, "table:number-rows-repeated='2'")), read).unwrap();
    assert_eq!(text, "## S\n\n| x | x |\n| - | - |\n| x | x |\n");
    assert!(document.problems.is_empty());
    let (text, document) =
        read_bytes(&content(&row(cell, "table:number-rows-repeated='4294967295'")), read).unwrap();
    assert!(text.len() < 4 << 20);
    assert_eq!(document.problems[0].kind, ProblemKind::SizeLimit);
}

#[test]
fn deleted_cells_and_tables_inside_cells_are_skipped() {
    let cell = "<table:table-cell><text:p>kept</text:p><table:table><table:table-row><table:table-cell><text:p>inner</text:p>\
                </table:table-cell></table:table-row></table:table></table:table-cell>";
    let tracked = "<table:tracked-changes><table:deletion><text:p>deleted</text:p></table:deletion></table:tracked-changes>";
    assert_eq!(
        read_bytes(&content(&(tracked.to_owned() + &row(cell, ""))), read).unwrap().0,
        "## S\n\nkept\n"
    );
}

#[test]
fn zeros_in_a_document_without_a_package_are_a_problem() {
    let check = |zeros: usize, expected: &[&str]| {
        let cell = format!("<table:table-cell><text:p>a{}b</text:p></table:table-cell>", "\0".repeat(zeros));
        let sheet = row(&cell, "");
        let document = format!("<office:document><table:table>{sheet}</table:table></office:document>");
        let problems = read_bytes(document.as_bytes(), read).unwrap().1.problems;
        assert_eq!(problems.iter().map(|problem| &problem.message).collect::<Vec<_>>(), expected);
    };
    check(0, &[]);
    check(64, &["a block of the document is nothing but zeros"]);
}

#[test]
fn encrypted_and_foreign_files_are_distinguished() {
    let manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>";
    let bytes = package(&[("META-INF/manifest.xml", manifest.as_bytes()), ("content.xml", b"?")]);
    assert_eq!(read_bytes(&bytes, read).unwrap_err().kind, ProblemKind::Encrypted);
    assert_eq!(read_bytes(b"<html/>", read).unwrap_err().kind, ProblemKind::Damaged);
    assert_eq!(read_bytes(&package(&[("a.xml", b"")]), read).unwrap_err().kind, ProblemKind::Damaged);
}

#[test]
fn links_and_formulas_without_a_value_are_text() {
    let cells = "<table:table-cell><text:p>see <text:a xlink:href='https://example.org/a'>table</text:a> now</text:p></table:table-cell>\
                 <table:table-cell table:formula='of:=SUM([.A2:.A3])'/>\
                 <table:table-cell table:formula='of:=1+1' office:value-type='float' office:value='2'><text:p>2</text:p></table:table-cell>";
    let (text, _) = read_bytes(&content(&row(cells, "")), read).unwrap();
    let line = "| see table (https://example.org/a) now | =SUM([.A2:.A3]) | 2 |";
    assert_eq!(text, format!("## S\n\n{line}\n| - | - | - |\n"));
}
