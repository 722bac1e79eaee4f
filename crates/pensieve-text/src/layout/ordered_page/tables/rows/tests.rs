//! Rows at the limits of the distances between them.

use super::*;
use crate::layout::input::table_frame::FrameLine;

/// Columns that are 90 points wide and begin every 100 points. A letter is 5 points wide.
fn columns(count: usize) -> Vec<TableColumn> {
    let column = |at: usize| {
        let x0 = 100.0 * at as f32;
        TableColumn { x0, x1: x0 + 90.0, left: x0, right: x0 + 90.0 }
    };
    (0..count).map(column).collect()
}

/// A line of size 10 with these texts; a blank text is no text.
fn line(base: f32, texts: &[&str]) -> PlacedLine {
    let texts = texts.iter().enumerate().filter(|(_, text)| !text.is_empty());
    let pieces = texts.map(|(at, text)| {
        let x0 = 100.0 * at as f32;
        PlacedPiece { text: (*text).to_owned(), x0, x1: x0 + 5.0 * text.len() as f32, first: at, last: at }
    });
    PlacedLine { base, size: 10.0, is_bold: false, pieces: pieces.collect() }
}

/// A text of words that is as wide as its column.
const FULL: &str = "words of full line";

#[test]
fn words_of_one_column_are_one_text() {
    let mut placed = line(0.0, &["a", "b"]);
    let piece =
        |text: &str, x1: f32, first, last| PlacedPiece { text: text.to_owned(), x0: 100.0, x1, first, last };
    placed.add(piece("c", 150.0, 1, 1));
    placed.add(piece("d", 120.0, 1, 1));
    placed.add(piece("e", 300.0, 1, 2));
    placed.add(piece("f", 300.0, 2, 2));
    let found: Vec<(&str, f32)> = placed.pieces.iter().map(|piece| (piece.text.as_str(), piece.x1)).collect();
    assert_eq!(found, [("a", 5.0), ("b c d", 150.0), ("e", 300.0), ("f", 300.0)]);
    assert_eq!(placed.only_in(1).map(|piece| piece.text.as_str()), Some("b c d"));
    assert_eq!(placed.only_in(2).map(|piece| piece.text.as_str()), Some("f"));
    assert_eq!(placed.only_in(3), None);
    assert_eq!((placed.first_column(), line(0.0, &["", "b"]).first_column()), (0, 1));
    assert!((line(50.0, &[]).middle() - 47.2).abs() < 1e-3);
}

#[test]
fn a_cell_is_full_if_the_next_word_does_not_fit() {
    let check = |above: (&str, f32), below: (&str, f32), expected| {
        let column = TableColumn { x0: 0.0, x1: 100.0, left: 0.0, right: 100.0 };
        let piece =
            |(text, x1): (&str, f32)| PlacedPiece { text: text.to_owned(), x0: 0.0, x1, first: 0, last: 0 };
        assert_eq!(wraps(&column, &piece(above), &piece(below)), expected, "{above:?} {below:?}");
    };
    check(("above", 53.5), ("abcd ef", 70.0), true);
    check(("above", 52.5), ("abcd ef", 70.0), false);
    check(("above", 83.5), ("字字", 20.0), true);
    check(("above", 82.5), ("字字", 20.0), false);
    check(("12", 99.0), ("34", 70.0), false);
    check(("12%", 99.0), ("34", 70.0), false);
    check(("12", 99.0), ("a4", 70.0), true);
    check(("a", 99.0), ("34", 70.0), true);
    check(("a", 93.5), ("", 10.0), true);
}

fn finder<T>(lines: &[PlacedLine], read: impl Fn(&RowFinder<'_>) -> T) -> T {
    read(&RowFinder { lines, columns: &columns(4) })
}

#[test]
fn space_separates_rows_if_lines_of_one_cell_are_nearer() {
    let check = |bases: &[f32], expected: Option<&[&[usize]]>| {
        let texts = |at: usize| if at.is_multiple_of(2) { ["a", ""] } else { ["", "b"] };
        let lines: Vec<PlacedLine> =
            bases.iter().enumerate().map(|(at, base)| line(*base, &texts(at))).collect();
        let band: Vec<usize> = (0..lines.len()).collect();
        let found = finder(&lines, |finder| finder.split_at_space(&band));
        let expected = expected.map(|rows| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>());
        assert_eq!(found, expected, "{bases:?}");
    };
    check(&[0.0, 10.0, 24.0, 34.0, 48.0], Some(&[&[0, 1], &[2, 3], &[4]]));
    check(&[0.0, 10.0, 20.0], None);
    check(&[0.0, 10.0, 22.0], Some(&[&[0, 1], &[2]]));
    check(&[0.0, 10.0, 21.5], None);
    check(&[0.0, 22.0, 60.0], None);
    check(&[0.0, 21.5, 60.0], Some(&[&[0, 1], &[2]]));
    check(&[0.0, 20.0, 42.0], Some(&[&[0, 1], &[2]]));
    check(&[0.0, 20.0, 41.5], None);
    check(&[0.0, 8.0, 19.0], None);
    check(&[0.0, 9.0, 20.0], Some(&[&[0, 1], &[2]]));
    check(&[0.0], None);
}

#[test]
fn lines_of_one_size_have_the_least_row_distance() {
    let sized = |base: f32, size: f32| PlacedLine { size, ..line(base, &["a"]) };
    let lines = [sized(0.0, 16.0), sized(0.85 * 16.0, 16.0), sized(0.85 * 16.0 + 17.6, 16.0)];
    let found = finder(&lines, |finder| finder.split_at_space(&[0, 1, 2]).is_some());
    assert!(!found, "texts that do not continue are no cell");
    let lines = [sized(0.0, 20.0), sized(20.0, 10.0), sized(32.0, 10.0)];
    assert_eq!(finder(&lines, |finder| finder.share_of_wraps(0, 1)), Some(0.0));
}

#[test]
fn most_lines_below_each_other_in_spaced_rows_continue_a_cell() {
    let check = |full: usize, spare: usize, expected| {
        let mut lines = Vec::new();
        for row in 0..full + spare {
            let base = 30.0 * row as f32;
            lines.push(line(base, &[if row < full { FULL } else { "a b" }]));
            lines.push(line(base + 10.0, &["more"]));
        }
        let band: Vec<usize> = (0..lines.len()).collect();
        assert_eq!(
            finder(&lines, |finder| finder.split_at_space(&band).is_some()),
            expected,
            "{full} {spare}"
        );
    };
    check(2, 0, true);
    check(7, 3, true);
    check(6, 4, false);
    check(0, 2, false);
}

#[test]
fn texts_wrap_if_the_cells_above_are_full_and_wordy() {
    let check = |above: &[&str], below: &[&str], expected| {
        let lines = [line(0.0, above), line(10.0, below)];
        assert_eq!(finder(&lines, |finder| finder.share_of_wraps(0, 1)), expected, "{above:?} {below:?}");
    };
    check(&[FULL, ""], &["Next", ""], Some(1.0));
    check(&[FULL, "a b"], &["Next", "Next"], Some(0.5));
    check(&["", FULL], &["Next", ""], None);
    check(&["Fullwordofoneline1", ""], &["Next", ""], Some(0.0));
    check(&["Fullwordofoneline1", ""], &["next", ""], Some(1.0));
    check(&["Fullwordofoneline1", ""], &["(next)", ""], Some(1.0));
    check(&["Fullwordofoneline-", ""], &["Next", ""], Some(1.0));
    check(&["Fullwordofonelin1", ""], &["字", ""], Some(1.0));
}

#[test]
fn a_line_continues_the_row_above_it() {
    let check = |distance: f32, above: &[&str], below: &[&str], expected| {
        let lines = [line(0.0, above), line(distance, below)];
        let found = finder(&lines, |finder| finder.continues(&[0], 0, 1));
        assert_eq!(found, expected, "{distance} {above:?} {below:?}");
    };
    check(8.0, &["Key", "Text"], &["Other", "Text"], true);
    check(8.5, &["Key", "Text"], &["Other", "Text"], false);
    check(10.0, &["Key", FULL], &["", "Next"], true);
    check(22.0, &["Key", FULL], &["", "Next"], true);
    check(22.5, &["Key", FULL], &["", "Next"], false);
    check(10.0, &["Key", "a b"], &["", "Next"], false);
    check(10.0, &["Key", FULL], &[""], false);
    check(10.0, &["Key", FULL], &["", "", "Next"], false);
    check(10.0, &[FULL, FULL], &["next", "next"], false);
    check(10.0, &[FULL, FULL, "c"], &["next", "Next"], true);
    check(10.0, &[FULL, "b"], &["next"], true);
    check(10.0, &[FULL, "b"], &["(next"], true);
    check(10.0, &[FULL, "b"], &["Next"], false);
    check(10.0, &["words of full lin-", "b"], &["Next"], true);
    check(10.0, &["", FULL, "c"], &["", "Next"], false);
    check(10.0, &[FULL], &["next"], false);
}

#[test]
fn a_text_alone_goes_on_with_a_row_that_has_its_numbers() {
    let check = |above: &[&str], below: PlacedLine, expected| {
        let lines = [line(0.0, above), below];
        assert_eq!(finder(&lines, |finder| finder.continues(&[0], 0, 1)), expected, "{above:?} {lines:?}");
    };
    let row = ["01/07", "Salary", "2,000.00"];
    check(&row, line(14.0, &["", "ACME CORP"]), true);
    check(&row, line(14.0, &["ACME CORP"]), false);
    check(&row, line(14.0, &["", "7,000"]), false);
    check(&row, line(14.0, &["", "", "ACME"]), false);
    check(&["01/07", "Salary", "paid"], line(14.0, &["", "ACME CORP"]), false);
    // The title of a part, and a text that stands elsewhere in the column.
    check(&row, PlacedLine { is_bold: true, ..line(14.0, &["", "Part Two"]) }, false);
    let mut centred = line(14.0, &["", "Part Two"]);
    centred.pieces[0].x0 += 8.5;
    check(&row, centred, false);
    let with_titles = [line(0.0, &["", "Part One"]), line(14.0, &row), line(28.0, &["", "Part Two"])];
    assert!(!finder(&with_titles, |finder| finder.continues(&[1], 1, 2)));
}

#[test]
fn a_text_across_columns_does_not_continue_a_row() {
    let mut lines = [line(0.0, &["Key", FULL, "c"]), line(10.0, &["", "next"])];
    lines[1].pieces[0].last = 2;
    assert!(!finder(&lines, |finder| finder.continues(&[0], 0, 1)));
}

#[test]
fn a_band_has_several_rows_if_most_of_its_lines_have_the_key() {
    let check = |rows: usize, others: usize, expected| {
        let mut lines = vec![line(0.0, &["Key", "Text"])];
        lines.extend((0..rows).map(|_| line(10.0, &["Key", "Text"])));
        lines.extend((0..others).map(|_| line(10.0, &["", "Text"])));
        let band: Vec<usize> = (0..lines.len()).collect();
        assert_eq!(finder(&lines, |finder| finder.has_several_rows(&band)), expected, "{rows} {others}");
    };
    check(0, 0, false);
    check(1, 0, true);
    check(7, 3, true);
    check(6, 4, false);
    check(0, 1, false);
}

#[test]
fn lines_with_one_text_or_in_full_cells_are_no_rows_of_their_own() {
    let check = |above: &[&str], below: &[&str], expected| {
        let lines = [line(0.0, above), line(10.0, below)];
        assert_eq!(
            finder(&lines, |finder| finder.has_several_rows(&[0, 1])),
            expected,
            "{above:?} {below:?}"
        );
    };
    check(&["Key", "Text"], &["Key", ""], false);
    check(&["Key", FULL], &["Key", "Text"], false);
    check(&["Key", FULL, "c"], &["Key", "Text", "Text"], true);
}

fn rows_of(lines: &[PlacedLine], across: &[f32], edges: usize) -> Vec<Vec<usize>> {
    let frame = TableFrame {
        across: across.iter().map(|at| FrameLine { at: *at, from: 0.0, to: 400.0 }).collect(),
        edges: (0..edges).map(|at| 100.0 * at as f32).collect(),
        ..TableFrame::default()
    };
    find(lines, &columns(4), &frame)
}

#[test]
fn drawn_lines_separate_rows() {
    let lines = [line(10.0, &["a", "b"]), line(20.0, &["", "c"]), line(40.0, &["d", "e"])];
    assert_eq!(rows_of(&lines, &[30.0], 3), [vec![0, 1], vec![2]]);
    assert_eq!(rows_of(&lines, &[30.0], 2), [vec![0], vec![1], vec![2]]);
    assert_eq!(rows_of(&lines, &[], 3), [vec![0, 1, 2]]);
    assert_eq!(rows_of(&lines, &[12.0, 30.0], 3), [vec![0], vec![1], vec![2]]);
    let rows = [line(10.0, &["a", "b"]), line(20.0, &["c", "d"]), line(30.0, &["e", "f"])];
    assert_eq!(rows_of(&rows, &[], 3), [vec![0], vec![1], vec![2]]);
    assert!(rows_of(&[], &[], 0).is_empty());
}

#[test]
fn a_label_of_several_lines_is_in_one_row_with_its_numbers() {
    let line = |base: f32, label: &str, x1: f32, number: Option<&str>| {
        let piece = |text: &str, x0: f32, x1: f32, column: usize| PlacedPiece {
            text: text.to_owned(),
            x0,
            x1,
            first: column,
            last: column,
        };
        let numbers = number.map(|text| piece(text, 200.0, 220.0, 1));
        PlacedLine {
            base,
            size: 10.0,
            is_bold: false,
            pieces: std::iter::once(piece(label, 0.0, x1, 0)).chain(numbers).collect(),
        }
    };
    let columns = [(0.0, 100.0), (200.0, 220.0)].map(|(x0, x1)| TableColumn { x0, x1, left: x0, right: x1 });
    let check = |lines: &[PlacedLine], expected: &[&[usize]]| {
        let rows: Vec<Vec<usize>> = (0..lines.len()).map(|at| vec![at]).collect();
        assert_eq!(with_whole_labels(&rows, lines, &columns), expected);
    };
    let first = || line(10.0, "Dividends on stock ($.6", 99.0, None);
    check(
        &[first(), line(22.0, "per share) and preferred", 98.0, None), line(34.0, "stock", 30.0, Some("7"))],
        &[&[0, 1, 2]],
    );
    // Another label, one after a colon, one below a line that is not full, and one farther away are rows of their own.
    check(&[first(), line(22.0, "Stock", 30.0, Some("7"))], &[&[0], &[1]]);
    check(
        &[line(10.0, "Amounts in other income:", 99.0, None), line(22.0, "net", 30.0, Some("7"))],
        &[&[0], &[1]],
    );
    check(&[line(10.0, "Assets", 30.0, None), line(22.0, "net of tax", 50.0, Some("7"))], &[&[0], &[1]]);
    check(&[first(), line(27.0, "stock", 30.0, Some("7"))], &[&[0], &[1]]);
}
