//! Small sheets of one idea each.

use super::super::row::column_of;
use super::super::testing::CollectingSink;
use super::super::testing::sheet_text;
use super::*;

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

/// The text of a sheet with these rows, each with its number and its cells by their columns.
fn written(rows: &[(u32, Vec<(u32, String)>)]) -> String {
    let mut sink = CollectingSink(String::new());
    let mut grid = SheetGrid::new(&mut sink, 0);
    let mut row = RowCells::default();
    for (number, cells) in rows {
        row.begin(*number);
        cells.iter().for_each(|(column, text)| row.cell(*column).push_str(text));
        assert_eq!(grid.row(&mut row), Ok(()));
    }
    let rest = grid.finish().map(|output| output.text.text).unwrap_or_default();
    sink.0 + &rest
}

fn row(number: u32, columns: impl IntoIterator<Item = u32>) -> (u32, Vec<(u32, String)>) {
    (number, columns.into_iter().map(|column| (column, "x".to_owned())).collect())
}

/// How many cells the lines of a table have.
fn widths(text: &str) -> Vec<usize> {
    text.lines().map(|line| line.matches('|').count().saturating_sub(1)).collect()
}

#[test]
fn many_columns_with_few_cells_move_together() {
    let steps = |count: u32| (1..=count).map(|at| row(at, [at, at + 1])).collect::<Vec<_>>();
    assert_eq!(widths(&written(&steps(63)))[0], 64);
    assert_eq!(widths(&written(&steps(64)))[0], 2);
    // One cell of sixteen is enough, one of seventeen is not.
    let mut rows: Vec<_> = (0..16).map(|at| row(at + 1, 5 * at + 1..=5 * at + 5)).collect();
    assert_eq!(widths(&written(&rows))[0], 80);
    rows.push(row(17, [1, 2]));
    assert_eq!(widths(&written(&rows))[0], 5);
    assert_eq!(widths(&written(&[row(1, 1..=65)]))[0], 65);
}

#[test]
fn tables_are_widened_up_to_a_limit() {
    let decided = || (1..=1000).map(|at| row(at, [1, 2])).collect::<Vec<_>>();
    let last = |columns: u32| {
        let mut rows = decided();
        rows.push(row(1001, 1..=columns));
        widths(&written(&rows)).pop()
    };
    // Four times the columns and 64 more are allowed.
    assert_eq!(last(72), Some(72));
    let mut rows = decided();
    rows.push(row(1001, [1, 2, 3]));
    rows.push(row(1002, [1, 3]));
    let text = written(&rows);
    assert!(text.ends_with("| x | x |\n\n| x | x |  |\n| - | - | - |\n| x | x | x |\n| x |  | x |\n"));
    let mut rows = decided();
    rows.push(row(1001, 1..=73));
    rows.push(row(1002, [5, 7]));
    let text = written(&rows);
    assert_eq!(text.matches("| - |").count(), 1, "no other header");
    assert!(text.ends_with("| x | x |\n"));
}

#[test]
fn a_table_that_is_widened_too_often_moves_together() {
    let mut rows: Vec<_> = (1..=1000).map(|at| row(at, [1, 2])).collect();
    rows.extend((1..=MAX_WIDENINGS as u32 + 2).map(|at| row(1000 + at, [1, 2 + at])));
    let text = written(&rows);
    // The first header, and one for each widening.
    assert_eq!(text.lines().filter(|line| line.starts_with("| - |")).count(), MAX_WIDENINGS + 1);
}

#[test]
fn titles_are_cells_above_wider_rows() {
    let text = |text: &str| vec![(2, text.to_owned())];
    let rows = [(1, text("one")), (2, text("two")), row(3, [2, 3]), (4, text("four"))];
    assert_eq!(written(&rows), "one\n\ntwo\n\n| x | x |\n| - | - |\n| four |  |\n");
    for (length, expected) in [(120, "| a |\n| - |\n| "), (121, "a\n\n")] {
        let rows = [(1, text("a")), (2, text(&"b".repeat(length)))];
        assert!(written(&rows).starts_with(expected), "{length}");
    }
    // Cells in different columns are no table.
    assert_eq!(written(&[row(1, [2]), row(2, [3])]), "x\n\nx\n");
    assert_eq!(written(&[row(1, [2]), row(2, [2])]), "| x |\n| - |\n| x |\n");
    assert_eq!(written(&[row(1, [2])]), "x\n");
}

#[test]
fn rows_that_are_missing_end_a_table() {
    assert_eq!(
        written(&[row(1, [1, 2]), row(2, [1, 2]), row(4, [1, 2])]),
        "| x | x |\n| - | - |\n| x | x |\n\n| x | x |\n| - | - |\n"
    );
    // Rows that come back are rows of the same table.
    assert_eq!(written(&[row(5, [1, 2]), row(2, [1, 2])]), "| x | x |\n| - | - |\n| x | x |\n");
}

#[test]
fn padding_ends_if_it_outgrows_the_cells() {
    let mut rows = vec![row(1, 1..=60)];
    rows.extend((2..=300).map(|at| row(at, [1])));
    let text = written(&rows);
    // 59 cells are added to each row; at the 223rd they are more than 32 for each cell and 4,096.
    let padded = text.lines().skip(2).filter(|line| line.matches('|').count() == 61).count();
    assert_eq!(padded, 222);
}

#[test]
fn comments_and_drawings_follow_the_rows() {
    let mut sink = CollectingSink(String::new());
    let mut grid = SheetGrid::new(&mut sink, 0);
    assert_eq!(grid.begin("S", false), Ok(()));
    let comment =
        |author: &str| CellComment { row: 3, column: 2, author: author.to_owned(), text: " why ".to_owned() };
    assert_eq!(grid.comment(&comment(" Ann ")), Ok(()));
    assert_eq!(grid.comment(&comment(" ")), Ok(()));
    assert_eq!(grid.drawing(" box "), Ok(()));
    let text = grid.finish().map(|output| output.text.text).unwrap_or_default();
    assert_eq!(text, "## S\n\n- B3 Ann: why\n- B3: why\n\nbox\n");
}
