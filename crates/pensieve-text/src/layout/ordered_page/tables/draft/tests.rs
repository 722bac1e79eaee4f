//! What tells a table from other lines, at the limits of each test.

use super::*;
use crate::layout::input::table_frame::FrameLine;

/// Lines with texts in columns that are 90 points wide and begin every 100 points. A letter is 5 points wide.
struct DrawnTable {
    lines: Vec<TextLine>,
    placed: Vec<PlacedLine>,
    rows: Vec<Vec<usize>>,
    columns: Vec<TableColumn>,
}

fn column(at: usize) -> TableColumn {
    let x0 = 100.0 * at as f32;
    TableColumn { x0, x1: x0 + 90.0, left: x0, right: x0 + 90.0 }
}

impl DrawnTable {
    /// A row of one line for each of these; a blank text is no text.
    fn of(lines: &[Vec<&str>]) -> DrawnTable {
        let columns = (0..lines.iter().map(Vec::len).max().unwrap_or_default()).map(column).collect();
        let placed = lines.iter().enumerate().map(|(at, texts)| placed_line(at, texts)).collect();
        let rows = (0..lines.len()).map(|at| vec![at]).collect();
        let lines = lines.iter().map(|texts| text_line(&texts.join(" "))).collect();
        DrawnTable { lines, placed, rows, columns }
    }

    fn with<T>(&self, read: impl Fn(&TableDraft<'_>) -> T) -> T {
        let lines: Vec<&TextLine> = self.lines.iter().collect();
        read(&TableDraft {
            lines: &lines,
            columns: self.columns.clone(),
            placed: self.placed.clone(),
            rows: self.rows.clone(),
            grid: None,
            spanning: Vec::new(),
            is_form: false,
            size: 10.0,
        })
    }
}

fn text_line(text: &str) -> TextLine {
    TextLine { text: text.trim().to_owned(), size: 10.0, ..TextLine::default() }
}

fn placed_line(at: usize, texts: &[&str]) -> PlacedLine {
    let texts = texts.iter().enumerate().filter(|(_, text)| !text.is_empty());
    let pieces = texts.map(|(at, text)| {
        let x0 = column(at).x0;
        PlacedPiece { text: (*text).to_owned(), x0, x1: x0 + 5.0 * text.len() as f32, first: at, last: at }
    });
    PlacedLine { base: 12.0 * at as f32, size: 10.0, is_bold: false, pieces: pieces.collect() }
}

/// `full` rows with texts in two columns, and `single` rows with one.
fn pairs(full: usize, single: usize) -> Vec<Vec<&'static str>> {
    let rows = std::iter::repeat_n(vec!["Aa", "Bb"], full);
    rows.chain(std::iter::repeat_n(vec!["Aa", ""], single)).collect()
}

#[test]
fn a_table_has_enough_rows_with_several_texts() {
    let check = |full, single, text, framed| {
        let found = DrawnTable::of(&pairs(full, single)).with(|draft| {
            [TableEvidence::Text(3), TableEvidence::Frame].map(|evidence| draft.is_table(evidence))
        });
        assert_eq!(found, [text, framed], "{full} rows and {single} with one text");
    };
    check(3, 0, true, true);
    check(2, 0, false, true);
    check(1, 0, false, false);
    check(3, 2, true, true);
    check(3, 3, false, true);
    check(2, 3, false, true);
    check(2, 4, false, false);
    check(6, 4, true, true);
    check(6, 5, false, true);
    check(4, 6, false, true);
    check(4, 7, false, false);
}

#[test]
fn a_table_has_two_columns_with_texts_in_most_rows() {
    let check = |rows: &[[&'static str; 4]], expected| {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.to_vec()).collect();
        assert_eq!(DrawnTable::of(&rows).with(|draft| draft.is_table(TableEvidence::Text(3))), expected);
    };
    let second = ["Aa", "Bb", "", ""];
    let third = ["Aa", "", "Cc", ""];
    let fourth = ["Aa", "", "", "Dd"];
    check(&[second, second, second, third, third], true);
    check(&[second, second, third, third, fourth], false);
    check(&[second, second, third, third], false);
    check(&[second, second, second, third], true);
}

#[test]
fn most_lines_of_a_table_have_no_text_across_columns() {
    let check = |plain: usize, across: usize, expected| {
        let row = vec!["Aa", "Bb", "Cc"];
        let mut table = DrawnTable::of(&vec![row; plain + across]);
        table.placed[..across].iter_mut().for_each(|line| line.pieces[1].last = 2);
        let found = table.with(|draft| draft.is_table(TableEvidence::Frame));
        assert_eq!(found, expected, "{plain} {across}");
    };
    check(2, 1, true);
    check(3, 2, false);
    check(4, 2, true);
}

#[test]
fn texts_of_unruled_columns_are_short() {
    let check = |columns: usize, long: usize, length: usize, [text, framed]: [bool; 2]| {
        let texts = [vec!["x".repeat(length); long], vec!["Aa".to_owned(); 4 * columns - long]].concat();
        let rows: Vec<Vec<&str>> =
            texts.chunks(columns).map(|row| row.iter().map(String::as_str).collect()).collect();
        let found = DrawnTable::of(&rows)
            .with(|draft| [false, true].map(|is_framed| draft.has_short_cells(is_framed)));
        assert_eq!(found, [text, framed], "{columns} columns, {long} texts of {length} letters");
    };
    check(2, 2, 40, [true, true]);
    check(2, 2, 41, [false, true]);
    check(2, 1, 91, [true, true]);
    check(2, 2, 90, [false, true]);
    check(2, 2, 91, [false, false]);
    check(3, 3, 90, [true, true]);
    check(3, 3, 91, [false, false]);
    check(3, 2, 91, [true, true]);
    assert!(!DrawnTable::of(&[vec!["Aa"], vec!["Bb"]]).with(|draft| draft.has_short_cells(true)));
}

/// A text of three words that is as wide as its column, and one that leaves space.
const FULL: &str = "Words of full line";
const SPARE: &str = "Ab cd ef";

#[test]
fn a_column_whose_lines_are_full_is_prose() {
    let check = |texts: &[&str], boundaries, expected| {
        let rows: Vec<Vec<&str>> = texts.iter().map(|text| vec!["", *text]).collect();
        let found = DrawnTable::of(&rows).with(|draft| (draft.boundaries(1), draft.is_prose()));
        assert_eq!(found, (boundaries, expected), "{texts:?}");
    };
    check(&[FULL; 4], (3, 3), true);
    check(&[FULL; 3], (2, 2), false);
    check(&[FULL, FULL, FULL, SPARE, SPARE, SPARE], (5, 3), true);
    check(&[FULL, FULL, SPARE, SPARE, SPARE, SPARE], (5, 2), false);
    check(&["Two fullwordsofone"; 4], (3, 3), false);
    check(&[FULL, FULL, "", FULL, FULL], (2, 2), false);
    check(&[], (0, 0), false);
}

#[test]
fn the_words_of_a_typical_text_are_their_median() {
    let check = |texts: &[&str], expected| {
        let rows: Vec<Vec<&str>> = texts.iter().map(|text| vec![*text, "Bb"]).collect();
        assert_eq!(DrawnTable::of(&rows).with(|draft| draft.typical_words(0)), expected);
    };
    check(&["a b c d e", "a", "a b", "a b c"], 3);
    check(&["a b c d e", "a", "a b c d"], 4);
    check(&["a b"], 2);
    check(&["", ""], 0);
}

#[test]
fn rows_with_several_lines_have_keys() {
    /// `keyed` rows of two lines with a key and `others` without, and a second column that is `wider` than the first.
    fn check(keyed: usize, others: usize, wider: f32, expected: bool) {
        let key = [vec!["Key", "Some text"], vec!["", "more"]].concat();
        let other = [vec!["", "Some text"], vec!["", "more"]].concat();
        let rows = [vec![key; keyed], vec![other; others]].concat();
        let lines: Vec<Vec<&str>> = rows.iter().flat_map(|row| row.chunks(2).map(<[&str]>::to_vec)).collect();
        let mut table = DrawnTable::of(&lines);
        table.rows = (0..rows.len()).map(|row| vec![2 * row, 2 * row + 1]).collect();
        table.columns[1].x1 += wider;
        assert_eq!(table.with(|draft| draft.has_keys()), expected, "{keyed} {others} {wider}");
    }
    check(3, 0, 1.0, true);
    check(3, 0, 0.0, false);
    check(3, 0, -1.0, false);
    check(2, 0, 1.0, false);
    check(9, 1, 1.0, true);
    check(8, 1, 1.0, false);
}

#[test]
fn keys_are_short_and_their_rows_do_not_run_on() {
    let check = |key: &str, texts: &[&str], has_long: bool, expected: bool| {
        let mut rows: Vec<Vec<&str>> = texts.iter().map(|text| vec![key, *text]).collect();
        rows.extend(has_long.then(|| vec!["", "more"]));
        let mut table = DrawnTable::of(&rows);
        if has_long {
            table.rows.pop();
            table.rows.last_mut().expect("a row").push(texts.len());
        }
        table.columns[1].x1 += 1.0;
        assert_eq!(table.with(|draft| draft.has_keys()), expected, "{key} {texts:?}");
    };
    check("Key", &[SPARE, SPARE, SPARE], true, true);
    check("Key", &[SPARE, SPARE, SPARE], false, false);
    check("A key", &[SPARE, SPARE, SPARE], true, true);
    check("A long key", &[SPARE, SPARE, SPARE], true, false);
    check("Key", &[FULL, SPARE, SPARE], true, true);
    check("Key", &[FULL, FULL, SPARE], true, false);
    check("Key", &[FULL, FULL, SPARE, SPARE, SPARE], true, true);
    check("Key", &[FULL, FULL, FULL, SPARE, SPARE], true, false);
}

fn check_list(lines: &[Vec<&str>], [text, framed]: [bool; 2]) {
    let found = DrawnTable::of(lines).with(|draft| [false, true].map(|is_framed| draft.is_list(is_framed)));
    assert_eq!(found, [text, framed], "{lines:?}");
}

/// `marked` lines with one text and `plain` ones with another.
fn mixed<'t>(marked: usize, line: &[&'t str], plain: usize, other: &[&'t str]) -> Vec<Vec<&'t str>> {
    [vec![line.to_vec(); marked], vec![other.to_vec(); plain]].concat()
}

#[test]
fn leaders_make_a_table_of_contents() {
    let lines = |marked, plain| mixed(marked, &["Lamps ....", "7"], plain, &["Aa", "Bb"]);
    check_list(&lines(2, 6), [true, true]);
    check_list(&lines(2, 7), [false, false]);
    check_list(&lines(1, 1), [false, false]);
    check_list(&lines(3, 9), [true, true]);
    check_list(&lines(3, 10), [false, false]);
}

#[test]
fn lines_of_programs_are_no_table_unless_they_are_framed() {
    for end in ["a;", "a {", "}"] {
        let lines = |marked, plain| mixed(marked, &["Call", end], plain, &["Aa", "Bb"]);
        check_list(&lines(1, 2), [true, false]);
        check_list(&lines(1, 3), [false, false]);
        check_list(&lines(2, 4), [true, false]);
        check_list(&lines(2, 5), [false, false]);
    }
}

#[test]
fn labels_before_texts_are_a_list_unless_they_are_framed() {
    let lines = |marked, plain| mixed(marked, &["(a)", "Text"], plain, &["Aa", "Bb"]);
    check_list(&lines(4, 1), [true, false]);
    check_list(&lines(3, 1), [false, false]);
    check_list(&lines(8, 2), [true, false]);
    check_list(&lines(7, 3), [false, false]);
    check_list(&mixed(4, &["(a)", "Text", "More"], 1, &["Aa", "Bb", "Cc"]), [false, false]);
    check_list(&[vec!["", "Text"], vec!["", "More"]], [false, false]);
}

#[test]
fn counting_numbers_before_texts_are_line_numbers() {
    let check = |labels: &[&str], numeric: usize, expected: bool| {
        let rows = labels.iter().enumerate();
        let rows: Vec<Vec<&str>> =
            rows.map(|(at, label)| vec![*label, if at < numeric { "5" } else { "Text" }]).collect();
        check_list(&rows, [expected; 2]);
    };
    check(&["1", "2", "3"], 0, true);
    check(&["1", "3", "5"], 0, false);
    check(&["1", "2"], 0, true);
    check(&["1", "2", "3", "4"], 1, true);
    check(&["1", "2", "3", "4"], 2, false);
    check(&["No", "1", "2", "3"], 0, false);
    check(&["1", "2", "3", "4", "5", "6", "7", "A", "B", "C"], 0, true);
    check(&["1", "2", "3", "4", "5", "6", "A", "B", "C"], 0, false);
    check(&["1", "2", "3", "4", "5", "6", "7", "20", "30", "40"], 0, true);
    check(&["1", "2", "3", "4", "5", "6", "20", "30", "40"], 0, false);
}

#[test]
fn numbered_titles_with_rising_pages_are_contents() {
    let check = |rows: &[[&'static str; 3]], expected: bool| {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.to_vec()).collect();
        check_list(&rows, [expected; 2]);
    };
    check(&[["1", "Lamps", "3"], ["1.1", "Oil", "3"], ["2.", "Tides", "8"]], true);
    check(&[["1", "Lamps", "3"], ["1.1", "Oil", "2"], ["2.", "Tides", "8"]], false);
    check(&[["A", "Lamps", "3"], ["1.1", "Oil", "4"], ["2.", "Tides", "8"]], false);
    check(&[["1", "Lamps", "3"], ["", "Oil", "4"], ["2.", "Tides", "8"]], false);
    check(&[["1", "Lamps", "3"], ["1.1", "Oil", "x"], ["2.", "Tides", "8"]], false);
    let four =
        vec![vec!["1", "Lamps", "Of", "3"], vec!["2", "Oil", "Of", "4"], vec!["4", "Tides", "Of", "8"]];
    check_list(&four, [false, false]);
}

/// `full` lines that reach both edges and `short` ones that miss one edge by `miss`.
fn is_flush(text: &str, full: usize, short: usize, [left, right]: [f32; 2]) -> bool {
    let line = |x0, x1| TextLine { x0, x1, ..text_line(text) };
    let lines = [vec![line(0.0, 100.0); full], vec![line(left, 100.0 - right); short]].concat();
    let table = DrawnTable { lines, placed: Vec::new(), rows: Vec::new(), columns: Vec::new() };
    table.with(|draft| draft.is_flush())
}

#[test]
fn loose_lines_of_prose_reach_both_edges() {
    let check = |full, short, misses, expected| {
        assert_eq!(is_flush("words of prose", full, short, misses), expected, "{full} {short} {misses:?}");
    };
    check(4, 1, [50.0, 0.0], true);
    check(3, 1, [50.0, 0.0], false);
    check(4, 1, [0.0, 50.0], true);
    check(3, 1, [0.0, 50.0], false);
    check(3, 1, [2.5, 2.5], true);
    check(3, 1, [3.1, 0.0], false);
    check(3, 1, [0.0, 3.1], false);
    check(3, 1, [0.3_f32 * 10.0, 0.0], false);
    check(8, 2, [50.0, 50.0], true);
    check(7, 2, [50.0, 50.0], false);
}

#[test]
fn most_words_of_loose_prose_are_in_lower_case_and_few_have_digits() {
    let check = |text: &str, expected| assert_eq!(is_flush(text, 3, 0, [0.0; 2]), expected, "{text}");
    check("two low Words Of Five", true);
    check("two low Words Of Six Now", false);
    check("four of ten words Are In Lower Case Here Now", true);
    check("one 1 in these eight words is it", true);
    check("one 1 in these seven words it", false);
    check("two 1 2 in sixteen words so that it is right at the limit of digits", true);
    check("two 1 2 in fifteen words so that it is right at a limit now", false);
}

/// The columns of a heading whose text is from `x0` to `x1`, above a line that is drawn from `from` to `to`.
fn columns_of_heading(
    others: &[(f32, f32)],
    size: f32,
    [x0, x1]: [f32; 2],
    rule: FrameLine,
) -> (usize, usize) {
    let heading = TextLine { text: "Heading".to_owned(), base: 100.0, size, ..TextLine::default() };
    let below = TextLine { base: 120.0, size: 10.0, ..TextLine::default() };
    let piece = |x0, x1| CellPiece { text: "Heading", x0, x1 };
    let mut pieces = vec![piece(x0, x1)];
    pieces.extend(others.iter().map(|(x0, x1)| piece(*x0, *x1)));
    let columns: Vec<TableColumn> = (0..4).map(column).collect();
    let frame = TableFrame { across: vec![rule], ..TableFrame::default() };
    let placed = place_line(&[&heading, &below], 0, &pieces, &columns, &frame);
    assert_eq!((placed.base, placed.size), (100.0, size));
    (placed.pieces[0].first, placed.pieces[0].last)
}

#[test]
fn a_line_below_a_heading_shows_the_columns_of_it() {
    let check = |[x0, x1]: [f32; 2], [at, from, to]: [f32; 3], expected| {
        let found = columns_of_heading(&[], 10.0, [x0, x1], FrameLine { at, from, to });
        assert_eq!(found, expected, "{x0} to {x1} over {from} to {to} at {at}");
    };
    let heading = [110.0, 180.0];
    check(heading, [103.0, 100.0, 290.0], (1, 2));
    check(heading, [103.0, 145.0, 245.0], (1, 2));
    check(heading, [103.0, 145.5, 245.0], (1, 1));
    check(heading, [103.0, 145.0, 244.5], (1, 1));
    check(heading, [103.0, 100.0, 390.0], (1, 3));
    check(heading, [103.0, 0.0, 390.0], (1, 1));
    check(heading, [103.0, 100.0, 190.0], (1, 1));
    check(heading, [103.0, 200.0, 390.0], (1, 1));
    check(heading, [99.0, 100.0, 290.0], (1, 1));
    check(heading, [100.0, 100.0, 290.0], (1, 1));
    check(heading, [117.0, 100.0, 290.0], (1, 2));
    check(heading, [117.2, 100.0, 290.0], (1, 1));
    check([90.0, 180.0], [103.0, 100.0, 290.0], (1, 1));
    check([90.5, 180.0], [103.0, 100.0, 290.0], (1, 2));
    check([210.0, 330.0], [103.0, 100.0, 290.0], (2, 3));
}

#[test]
fn a_line_below_a_row_of_cells_is_not_one_below_a_heading() {
    let heading = TextLine { text: "Heading".to_owned(), base: 100.0, size: 10.0, ..TextLine::default() };
    let piece = CellPiece { text: "Heading", x0: 110.0, x1: 180.0 };
    let columns: Vec<TableColumn> = (0..4).map(column).collect();
    let across = vec![FrameLine { at: 103.0, from: 100.0, to: 290.0 }];
    let check = |at: f32, expected: (usize, usize)| {
        let down = vec![FrameLine { at, from: 80.0, to: 120.0 }];
        let frame = TableFrame { across: across.clone(), down, ..TableFrame::default() };
        let placed = place_line(&[&heading], 0, &[piece], &columns, &frame);
        assert_eq!((placed.pieces[0].first, placed.pieces[0].last), expected, "{at}");
    };
    check(100.0, (1, 2));
    check(195.0, (1, 1));
    check(300.0, (1, 2));
}

#[test]
fn a_heading_stays_in_its_column_beside_the_line_or_beside_another_text() {
    let rule = FrameLine { at: 103.0, from: 46.0, to: 290.0 };
    assert_eq!(columns_of_heading(&[], 20.0, [81.0, 88.0], rule), (0, 0));
    let rule = FrameLine { at: 103.0, from: 100.0, to: 290.0 };
    assert_eq!(columns_of_heading(&[(210.0, 280.0)], 10.0, [110.0, 180.0], rule), (1, 1));
    assert_eq!(columns_of_heading(&[(310.0, 380.0)], 10.0, [110.0, 180.0], rule), (1, 2));
}

#[test]
fn cells_have_the_texts_of_all_lines_of_their_row() {
    let lines = [vec!["Key", "A long exam-", ""], vec!["", "ple of it", ""], vec!["Next", "Text", ""]];
    let mut table = DrawnTable::of(&lines);
    table.rows = vec![vec![0, 1], vec![2]];
    for (at, line) in table.lines.iter_mut().enumerate() {
        let y0 = 12.0 * at as f64;
        line.bounds = Bounds { x0: 5.0, y0, x1: 190.0 + at as f64, y1: y0 + 10.0 };
    }
    let found = table.with(|draft| draft.table());
    let row = |cells: [&str; 2], x1, y0, y1| TableRow {
        cells: cells.map(str::to_owned).to_vec(),
        bounds: Bounds { x0: 5.0, y0, x1, y1 },
    };
    let rows = vec![
        row(["Key", "A long example of it"], 191.0, 0.0, 22.0),
        row(["Next", "Text"], 192.0, 24.0, 34.0),
    ];
    assert_eq!(found, LayoutTable { rows, size: 10.0, ..LayoutTable::default() });
}

#[test]
fn a_row_of_dots_is_a_leader() {
    for (text, expected) in [
        ("Lamps .... 7", true),
        ("Lamps ... 7", false),
        ("Lamps . . . . 7", true),
        ("Lamps · · · · 7", true),
        ("……", false),
        ("…….·", true),
        (".. a ..", false),
        ("... a ... b .....", true),
        ("", false),
    ] {
        assert_eq!(has_leader(text), expected, "{text}");
    }
}

#[test]
fn labels_are_marks_and_short_closed_numbers_or_letters() {
    for (text, expected) in [
        ("", false),
        ("•", true),
        ("a", false),
        ("7", false),
        ("1.", true),
        ("12", false),
        ("(a)", true),
        ("[12]", true),
        ("note:", true),
        ("(note)", true),
        ("(notes", false),
        ("notes:", false),
        ("12345.", true),
        ("123456.", false),
        ("(1234)", true),
        ("a-b.", false),
        ("a1.", true),
    ] {
        assert_eq!(is_label(text), expected, "{text}");
    }
}

#[test]
fn a_number_may_end_with_a_mark() {
    for (text, expected) in
        [("12", Some(12)), ("12.", Some(12)), ("12:", Some(12)), ("12)", None), (".", None), ("1a", None)]
    {
        assert_eq!(number(text), expected, "{text}");
    }
}
