//! Small sheets of one idea each.

use super::super::testing::{read as read_bytes, sheet_text, workbook};
use crate::office::sheets::excel::read_xlsx;
use pensieve_text::model::{HiddenReason, ProblemKind, ReviewReasonKind};

fn cell(reference: &str, text: &str) -> String {
    format!("<c r='{reference}' t='inlineStr'><is><t>{text}</t></is></c>")
}

fn check(rows: &str, expected: &str) {
    assert_eq!(sheet_text(rows), format!("## S\n\n{expected}"));
}

#[test]
fn a_label_over_rows_is_in_each_of_them() {
    let rows = format!(
        "<row>{}{}</row><row>{}{}</row><row>{}</row></sheetData><mergeCells><mergeCell ref='A2:A3'/></mergeCells><sheetData>",
        cell("A1", "Quarter"),
        cell("B1", "Team"),
        cell("A2", "Q1"),
        cell("B2", "Reds"),
        cell("B3", "Blues")
    );
    check(&rows, "| Quarter | Team |\n| - | - |\n| Q1 | Reds |\n| Q1 | Blues |\n");
}

#[test]
fn comments_text_boxes_and_charts_follow_the_rows() {
    let rels = "<R><Relationship Id='c' Type='t/comments' Target='../c.xml'/><Relationship Id='d' Type='t/drawing' Target='../d.xml'/></R>";
    let inner = "<R><Relationship Id='x' Type='t/chart' Target='x.xml'/></R>";
    let comments = "<comments><authors><author>Ann</author></authors><commentList><comment ref='B2' authorId='0'><text><t>doubtful</t></text></comment></commentList></comments>";
    let chart = "<c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title><c:ser><c:tx><c:v>2024</c:v></c:tx><c:cat><c:pt idx='0'><c:v>East</c:v></c:pt></c:cat><c:val><c:pt idx='0'><c:v>22.3</c:v></c:pt></c:val></c:ser>";
    let parts = [
        ("xl/worksheets/_rels/sheet1.xml.rels", rels),
        ("xl/c.xml", comments),
        ("xl/d.xml", "<wsDr><sp><p><r><t>Prices exclude delivery</t></r></p></sp></wsDr>"),
        ("xl/_rels/d.xml.rels", inner),
        ("xl/x.xml", chart),
    ];
    let (text, _) =
        read_bytes(&workbook(&format!("<row>{}</row>", cell("A1", "a")), &parts), read_xlsx).unwrap();
    assert_eq!(text, "## S\n\na\n\nPrices exclude delivery\n\nSales\n\n- B2 Ann: doubtful\n");
}

#[test]
fn powers_have_a_mark_in_cells() {
    let rich = "<r><t>10</t></r><r><rPr><vertAlign val='superscript'/></rPr><t>6</t></r><r><t> ha</t></r>";
    let rows = format!("<row><c t='s'><v>0</v></c><c t='inlineStr'><is>{rich}</is></c></row>");
    let strings = format!("<sst><si>{rich}</si></sst>");
    let (text, _) = read_bytes(&workbook(&rows, &[("xl/sharedStrings.xml", &strings)]), read_xlsx).unwrap();
    assert_eq!(text, "## S\n\n| 10^6 ha | 10^6 ha |\n| - | - |\n");
}

#[test]
fn cells_without_places_follow_each_other() {
    check(
        "<row><c><v>1</v></c><c><v>2</v></c></row><row><c r='B2'><v>3</v></c><c><v>4</v></c></row>",
        "| 1 | 2 |  |\n| - | - | - |\n|  | 3 | 4 |\n",
    );
}

#[test]
fn values_are_those_that_were_calculated_last() {
    check(
        "<row><c><f>1+1</f><v>2</v></c><c t='str'><f>A1&amp;\"x\"</f><v>2x</v></c><c><f>B1</f></c></row>",
        "| 2 | 2x | =B1 |\n| - | - | - |\n",
    );
}

#[test]
fn cells_in_any_order_are_sorted() {
    let row = format!(
        "<row r='1'>{}{}{}</row><row r='2'>{}</row>",
        cell("C1", "c"),
        cell("A1", "a"),
        cell("B1", "b"),
        cell("A2", "x")
    );
    check(&row, "| a | b | c |\n| - | - | - |\n| x |  |  |\n");
}

#[test]
fn blank_cells_leave_nothing() {
    assert_eq!(
        sheet_text("<row><c t='inlineStr'><is><t> </t></is></c><c s='7'/><c><v></v></c></row>"),
        "## S\n"
    );
}

#[test]
fn what_is_broken_gives_what_was_before() {
    let whole = workbook(&format!("<row>{}</row><row>{}", cell("A1", "one"), cell("A2", "two")), &[]);
    let (text, document) = read_bytes(&whole, read_xlsx).unwrap();
    assert!(text.contains("one") && text.contains("two"));
    assert_eq!(document.problems.len(), 0, "the closing tags are there, though not in order");
    let (_, document) =
        read_bytes(&workbook("", &[("xl/styles.xml", "<styleSheet><cellXfs>")]), read_xlsx).unwrap();
    assert_eq!(document.problems.len(), 1);
    assert!(document.review_reasons.iter().any(|reason| reason.kind == ReviewReasonKind::SkippedParts));
    assert_eq!(read_bytes(b"PK\x03\x04", read_xlsx).unwrap_err().kind, ProblemKind::Damaged);
}

#[test]
fn long_cells_are_cut_and_reported() {
    let (text, document) = read_bytes(
        &workbook(&format!("<row>{}</row>", cell("A1", &"word ".repeat(100_000))), &[]),
        read_xlsx,
    )
    .unwrap();
    assert!(text.len() < 300_000);
    assert_eq!(document.problems[0].kind, ProblemKind::SizeLimit);
}

#[test]
fn texts_that_cells_share_do_not_multiply_without_end() {
    let strings = format!("<sst><si><t>{}</t></si></sst>", "word ".repeat(20_000));
    let rows = "<row><c t='s'><v>0</v></c><c t='s'><v>0</v></c></row>".repeat(2_000);
    let (text, document) =
        read_bytes(&workbook(&rows, &[("xl/sharedStrings.xml", &strings)]), read_xlsx).unwrap();
    assert!(text.len() < 40 << 20);
    assert_eq!(document.problems[0].kind, ProblemKind::OutputLimit);
}

#[test]
fn links_and_formulas_without_a_value_are_text() {
    let rels = "<R><Relationship Id='r' Type='t/hyperlink' Target='https://example.org/a' TargetMode='External'/></R>";
    let made = "<c r='B1' t='str'><f>HYPERLINK(\"https://example.org/b\",\"other\")</f><v>other</v></c>";
    let rows = format!(
        "<row>{}{made}<c r='C1'><f>SUM(A2:A3)</f></c><c r='D1'><f>1+1</f><v>2</v></c></row></sheetData><hyperlinks>\
         <hyperlink ref='A1' r:id='r'/></hyperlinks><sheetData>",
        cell("A1", "table")
    );
    let (text, _) =
        read_bytes(&workbook(&rows, &[("xl/worksheets/_rels/sheet1.xml.rels", rels)]), read_xlsx).unwrap();
    let row = "| table (https://example.org/a) | other (https://example.org/b) | =SUM(A2:A3) | 2 |";
    assert_eq!(text, format!("## S\n\n{row}\n| - | - | - | - |\n"));
}

#[test]
fn what_no_cell_shows_is_hidden() {
    let styles = "<styleSheet><numFmts><numFmt numFmtId='200' formatCode=';;;'/></numFmts>\
        <fonts><font/><font><color rgb='FFFFFFFF'/></font></fonts><fills><fill><patternFill patternType='none'/></fill>\
        <fill><patternFill patternType='solid'><fgColor rgb='FF000000'/></patternFill></fill></fills>\
        <cellXfs><xf/><xf numFmtId='200'/><xf fontId='1' fillId='0'/><xf fontId='1' fillId='1'/></cellXfs></styleSheet>";
    let rows = "<row><c s='1'><v>17</v></c><c s='1' t='str'><v>key</v></c><c s='2'><v>4.5</v></c><c s='3'><v>6</v></c>\
        <c><v>7</v></c></row>";
    let read = |after: &str| {
        let rows = format!("{rows}</sheetData>{after}<sheetData>");
        let (text, document) = read_bytes(&workbook(&rows, &[("xl/styles.xml", styles)]), read_xlsx).unwrap();
        let hidden = document.hidden_text.into_iter().map(|words| (words.reason, words.text));
        (text, hidden.collect::<Vec<_>>())
    };
    let unseen = [(HiddenReason::NotDisplayed, "17"), (HiddenReason::NotDisplayed, "key")];
    let unseen = unseen.map(|(reason, text)| (reason, text.to_owned()));
    let white = (HiddenReason::SameColour, "4.5".to_owned());
    let with_white = unseen.iter().cloned().chain([white]).collect();
    assert_eq!(read(""), ("## S\n\n| 6 | 7 |\n| - | - |\n".to_owned(), with_white));
    // Something else may colour the cells.
    let table = read("<tableParts count='1'><tablePart/></tableParts>");
    assert_eq!(table, ("## S\n\n| 4.5 | 6 | 7 |\n| - | - | - |\n".to_owned(), unseen.to_vec()));
}
