//! Small sheets of one idea each.

use super::super::row::column_of;
use super::super::testing::sheet_text;

fn cells(row: u32, cells: &[(&str, &str)]) -> String {
    let cells = cells.iter().map(|(column, text)| format!("<c r='{column}{row}' t='str'><v>{text}</v></c>"));
    format!("<row r='{row}'>{}</row>", cells.collect::<String>())
}

fn check(rows: &[String], expected: &str) {
    assert_eq!(sheet_text(&rows.concat()), format!("## S\n\n{expected}"));
}

#[test]
fn blank_rows_divide_tables_and_titles_stand_before_them() {
    check(
        &[
            cells(3, &[("B", "Title")]),
            cells(4, &[("C", "a"), ("E", "b")]),
            cells(5, &[("C", "1"), ("E", "2")]),
            cells(9, &[("A", "c"), ("B", "d")]),
            cells(11, &[("A", "alone")]),
        ],
        "Title\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n| c | d |\n| - | - |\n\nalone\n",
    );
}

#[test]
fn one_column_is_a_table_or_prose() {
    check(&[cells(1, &[("A", "h")]), cells(2, &[("A", "x")])], "| h |\n| - |\n| x |\n");
    let long = "words ".repeat(30);
    check(&[cells(1, &[("A", "h")]), cells(2, &[("A", &long)])], &format!("h\n\n{}\n", long.trim()));
}

#[test]
fn tables_that_turn_out_wider_go_on_under_the_same_header() {
    let mut rows = vec![cells(1, &[("A", "h"), ("B", "i")])];
    rows.extend((2..=1200).map(|row| cells(row, &[("A", "x"), ("B", "y")])));
    rows.push(cells(1201, &[("A", "x"), ("D", "z")]));
    let text = sheet_text(&rows.concat());
    assert!(text.ends_with("| x | y |\n\n| h | i |  |\n| - | - | - |\n| x |  | z |\n"));
}

#[test]
fn cells_far_apart_move_together() {
    let letters = |mut column: u32| {
        let mut letters = Vec::new();
        while column > 0 {
            letters.insert(0, char::from(b'A' + ((column - 1) % 26) as u8));
            column = (column - 1) / 26;
        }
        letters.into_iter().collect::<String>()
    };
    let rows = (1..=16_384).map(|row| cells(row, &[("A", "x"), (&letters(row + 1), "y")]));
    assert!(sheet_text(&rows.collect::<String>()).len() < 300_000);
    assert_eq!(column_of(letters(16_384).as_bytes()), Some(16_384));
}
