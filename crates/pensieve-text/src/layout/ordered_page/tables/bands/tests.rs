//! Rows of tables among lines: aligned texts, cells of several lines, and columns of numbers.

use super::*;
use crate::layout::input::page::TextSpan;

fn line(base: f32, cells: &[(&str, f32)]) -> TextLine {
    let mut line = TextLine { base, size: 10.0, ..TextLine::default() };
    for (text, x0) in cells {
        if !line.text.is_empty() {
            line.text.push(' ');
        }
        line.parts.push((line.text.len(), *x0, x0 + 5.0 * text.len() as f32));
        line.text.push_str(text);
    }
    line.cells = line.parts.clone();
    line.x0 = cells[0].1;
    line.x1 = line.parts[cells.len() - 1].2;
    line
}

fn check(lines: &[TextLine], expected: &[&[&str]]) {
    let tables = find(lines, 3);
    let found: Vec<Vec<String>> = tables.iter().map(|found| found.table.markdown()).collect();
    assert_eq!(found, expected);
}

#[test]
fn aligned_rows_are_a_table() {
    let lines = [
        line(10.0, &[("Item", 50.0), ("Price", 200.0)]),
        line(22.0, &[("Apples | red", 50.0), ("3.50", 205.0)]),
        line(34.0, &[("Pears", 50.0), ("12.00", 200.0)]),
        line(90.0, &[("Far away", 50.0), ("x", 200.0)]),
    ];
    let expected = ["| Item | Price |\n| --- | --- |", "| Apples \\| red | 3.50 |", "| Pears | 12.00 |"];
    check(&lines, &[&expected]);
}

#[test]
fn lines_of_a_cell_are_one_row() {
    let lines = [
        line(10.0, &[("Term", 50.0), ("Meaning", 120.0), ("Source", 240.0)]),
        line(22.0, &[("Drift", 50.0), ("A slow change of", 120.0), ("Field notes", 240.0)]),
        line(34.0, &[("the mean value", 120.0)]),
        line(46.0, &[("Flow", 50.0), ("Water that passes", 120.0), ("Survey", 240.0)]),
        line(58.0, &[("a section", 120.0)]),
        line(70.0, &[("Decay", 50.0), ("Loss", 120.0), ("Survey", 240.0)]),
    ];
    let expected = [
        "| Term | Meaning | Source |\n| --- | --- | --- |",
        "| Drift | A slow change of the mean value | Field notes |",
        "| Flow | Water that passes a section | Survey |",
        "| Decay | Loss | Survey |",
    ];
    check(&lines, &[&expected]);
}

#[test]
fn columns_of_text_and_lists_are_no_table() {
    let text = "words that go on and on until the line of the column is full";
    let prose: Vec<TextLine> =
        (0..6).map(|at| line(at as f32 * 12.0, &[(text, 0.0), (text, 400.0)])).collect();
    check(&prose, &[]);
    let labels = ["1.", "2.", "3.", "4."];
    let items: Vec<TextLine> =
        (0..4).map(|at| line(at as f32 * 12.0, &[(labels[at], 0.0), ("an item", 30.0)])).collect();
    check(&items, &[]);
}

/// A line with parts between narrow gaps only.
fn narrow(cells: &[(&str, f32)]) -> TextLine {
    TextLine { cells: Vec::new(), ..line(0.0, cells) }
}

#[test]
fn rows_have_cells_or_a_few_words_between_narrow_gaps() {
    let check = |line: TextLine, expected| assert_eq!(is_row(&line), expected, "{line:?}");
    check(line(0.0, &[("words", 0.0), ("and more", 200.0)]), true);
    check(line(0.0, &[("words", 0.0)]), false);
    check(narrow(&[("Ab", 0.0), ("Cd", 20.0)]), true);
    check(narrow(&[("Ab", 0.0), ("Cd", 12.0)]), false);
    check(narrow(&[("Ab", 0.0), ("cd", 20.0)]), true);
    check(narrow(&[("Ab ef", 0.0), ("cd", 40.0)]), false);
    check(narrow(&[("Ab Ef", 0.0), ("cd", 40.0)]), true);
    check(narrow(&[("Ab Ef Gh", 0.0), ("Ij", 60.0)]), true);
    check(narrow(&[("Ab Ef Gh", 0.0), ("Ij Kl", 60.0)]), false);
    check(narrow(&[("Ab Ef Gh", 0.0), ("Ij 7", 60.0)]), true);
    check(narrow(&[("Ab 1 Gh", 0.0), ("Ij Kl", 60.0)]), false);
}

#[test]
fn a_run_has_near_rows_and_what_continues_their_cells() {
    let rows = [line(10.0, &[("A", 50.0), ("B", 200.0)]), line(22.0, &[("C", 50.0), ("D", 200.0)])];
    let check = |third: TextLine, expected: usize| {
        let lines = [&rows[0], &rows[1], &third];
        assert_eq!(run_at(&lines), expected, "{third:?}");
    };
    let row = |base| line(base, &[("E", 50.0), ("F", 200.0)]);
    check(row(51.5), 3);
    check(row(52.0), 2);
    check(row(22.0), 3);
    check(row(21.5), 2);
    check(TextLine { rotation: 90, ..row(34.0) }, 2);
    check(line(34.0, &[("more", 200.0)]), 3);
    check(line(34.0, &[("more", 207.5)]), 3);
    check(line(34.0, &[("more", 192.5)]), 3);
    check(line(34.0, &[("more", 208.0)]), 2);
    check(line(34.0, &[("more", 192.0)]), 2);
    check(line(34.0, &[("more", 50.0)]), 2);
    assert_eq!((run_at(&[]), run_at(&[&line(10.0, &[("one", 50.0)])])), (0, 0));
    let many: Vec<TextLine> = (0..MAX_LINES + 5).map(|at| row(12.0 * at as f32)).collect();
    assert_eq!(run_at(&many.iter().collect::<Vec<_>>()), MAX_LINES);
}

#[test]
fn a_label_behind_a_date_goes_on_below_it() {
    let statement = |more: TextLine| {
        [
            line(10.0, &[("Date", 0.0), ("Text", 50.0), ("Paid", 200.0), ("Balance", 250.0)]),
            line(24.0, &[("01/05", 0.0), ("Card", 50.0), ("45.10", 200.0), ("1,204.90", 250.0)]),
            more,
            line(52.0, &[("01/09", 0.0), ("Rent", 50.0), ("900.00", 200.0), ("304.90", 250.0)]),
            line(66.0, &[("01/12", 0.0), ("Card", 50.0), ("31.00", 200.0), ("273.90", 250.0)]),
            line(80.0, &[("Books", 50.0)]),
        ]
    };
    let numbers = |lines: &[TextLine]| {
        let lines: Vec<&TextLine> = lines.iter().collect();
        let bands = NumberBands::of(&lines, 3).find().into_iter();
        bands.map(|band| (band.start, band.end)).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&statement(line(38.0, &[("Grocer", 50.0)]))), [(0, 6)]);
    // A text that goes on below the numbers is none of a row.
    assert_eq!(numbers(&statement(line(38.0, &[(&"Grocer ".repeat(6), 50.0)]))), [(3, 6)]);
    // A head of two columns of numbers is of no line that has a text column.
    let mut lines = statement(line(38.0, &[("Grocer", 50.0)]));
    lines[0] = line(10.0, &[("Date", 0.0), ("Text", 50.0), ("Both of the columns", 200.0)]);
    assert_eq!(numbers(&lines), [(1, 6)]);
}

#[test]
fn the_first_lines_of_a_run_may_belong_to_what_is_above() {
    let text = "a text that is much too long for a cell of a table, as everybody sees";
    let rows = |above: usize| {
        let mut lines: Vec<TextLine> =
            (0..above).map(|at| line(12.0 * at as f32, &[(text, 0.0), (text, 400.0)])).collect();
        lines.extend((above..above + 4).map(|at| line(12.0 * at as f32, &[("A", 0.0), ("B", 400.0)])));
        find(&lines, 4).first().map(|table| (table.first, table.count))
    };
    assert_eq!(rows(0), Some((0, 4)));
    assert_eq!(rows(2), Some((1, 5)));
    assert_eq!(rows(3), Some((2, 5)));
}

/// Rows of size 10, each with its baseline and the edges of its parts: how many are a run?
fn run_of(rows: &[(f32, &[(f32, f32)])]) -> usize {
    let spans: Vec<TextSpan> = rows
        .iter()
        .flat_map(|(base, parts)| {
            parts.iter().map(|(x0, x1)| TextSpan::drawn("Aa", [*x0, *base], x1 - x0, 10.0))
        })
        .collect();
    let placed: Vec<PositionedSpan<'_>> = spans.iter().map(PositionedSpan::of).collect();
    let rows = text_line::rows(&placed);
    let parts: Vec<Vec<(f32, f32)>> = rows.iter().map(SpanRow::parts).collect();
    keyed_run_at(&rows, &parts)
}

#[test]
fn a_run_has_three_keys_and_two_lines_that_continue_a_row() {
    let key: &[(f32, f32)] = &[(0.0, 40.0), (100.0, 150.0)];
    let more: &[(f32, f32)] = &[(100.0, 150.0)];
    let check = |rows: &[&[(f32, f32)]], expected: usize| {
        let rows: Vec<(f32, &[(f32, f32)])> =
            rows.iter().enumerate().map(|(at, parts)| (12.0 * at as f32, *parts)).collect();
        assert_eq!(run_of(&rows), expected, "{rows:?}");
    };
    check(&[key, more, key, more, key], 5);
    check(&[key, more, key, more, key, more], 6);
    check(&[key, more, more, key], 0);
    check(&[key, more, key, key], 0);
    check(&[more, key, more, key, more, key], 0);
    check(&[key, more, key, more, &[(7.5, 40.0)]], 5);
    check(&[key, more, key, more, &[(8.0, 40.0)]], 0);
    check(&[key, more, key, more, &[(-8.0, 40.0)]], 0);
    check(&[key, more, key, more, key, &[(20.0, 60.0)]], 6);
    check(&[key, more, key, more, key, &[(19.5, 60.0)]], 5);
    check(&[key, more, key, more, &[(0.0, 108.0)]], 5);
    check(&[key, more, key, more, &[(0.0, 108.5)]], 0);
    check(&[key, &[(90.0, 150.0)], key, more, &[(0.0, 98.0)]], 5);
    check(&[key, &[(90.0, 150.0)], key, more, &[(0.0, 98.5)]], 0);
}

#[test]
fn a_run_ends_at_a_wide_space() {
    let key: &[(f32, f32)] = &[(0.0, 40.0), (100.0, 150.0)];
    let more: &[(f32, f32)] = &[(100.0, 150.0)];
    let with = |last: f32| {
        run_of(&[(0.0, key), (12.0, more), (24.0, key), (36.0, more), (48.0, key), (48.0 + last, more)])
    };
    assert_eq!([30.0, 30.5].map(with), [6, 5]);
}

/// Lines in letters 5 points wide, 12 points apart: the tables among them.
fn tables_of(rows: &[&[(&str, f32)]]) -> Vec<Vec<String>> {
    let lines: Vec<TextLine> = rows.iter().enumerate().map(|(at, row)| line(12.0 * at as f32, row)).collect();
    find(&lines, 3).iter().map(|found| found.table.markdown()).collect()
}

#[test]
fn a_statement_is_one_table_with_its_head_and_the_titles_of_its_parts() {
    let found = tables_of(&[
        &[("In the year that ended in May the harbour earned more than in any other before", 50.0)],
        &[("Year", 330.0)],
        &[("2021", 300.0), ("2020", 360.0)],
        &[("Operating activities:", 50.0)],
        &[("Net income", 60.0), ("$", 270.0), ("5,727", 300.0), ("$", 335.0), ("2,539", 360.0)],
        &[("Depreciation", 60.0), ("744", 310.0), ("—", 380.0)],
        &[("Changes in the capital", 60.0)],
        &[("that works", 70.0), ("(12", 310.0), (")", 326.0), ("721", 370.0)],
        &[("Financing activities:", 50.0)],
        &[("Dividends", 60.0), ("(1,638)", 300.0), ("(1,452)", 360.0)],
        &[("4,821", 300.0), ("1,808", 360.0)],
    ]);
    let expected = [
        "| | Year | |\n| --- | --- | --- |",
        "| | 2021 | 2020 |",
        "| Operating activities: | | |",
        "| Net income | $ 5,727 | $ 2,539 |",
        "| Depreciation | 744 | — |",
        "| Changes in the capital that works | (12 ) | 721 |",
        "| Financing activities: | | |",
        "| Dividends | (1,638) | (1,452) |",
        "| | 4,821 | 1,808 |",
    ];
    assert_eq!(found, [expected]);
}

#[test]
fn labels_may_be_far_from_their_numbers_or_led_to_them_by_dots() {
    let far: &[&[(&str, f32)]] = &[
        &[("Cash and what is like it", 50.0), ("1,200", 500.0)],
        &[("Inventories of the yard", 50.0), ("980", 510.0)],
        &[("Loans", 50.0), ("75", 515.0)],
    ];
    let rows = [
        "| Cash and what is like it | 1,200 |\n| --- | --- |",
        "| Inventories of the yard | 980 |",
        "| Loans | 75 |",
    ];
    assert_eq!(tables_of(far), [rows]);
    let dots: &[&[(&str, f32)]] = &[
        &[("Cash and what is like it", 50.0), (". . . . . . . .", 300.0), ("1,200", 500.0)],
        &[("Inventories of the yard", 50.0), (". . . . . . . .", 300.0), ("980", 510.0)],
        &[("Loans", 50.0), (". . . . . . . .", 300.0), ("75", 515.0)],
    ];
    assert_eq!(tables_of(dots), [rows]);
}

#[test]
fn numbers_of_pages_verses_and_equations_make_no_table() {
    let entries: &[&[(&str, f32)]] = &[
        &[("Introduction . . . . . . . . . . .", 50.0), ("1", 500.0)],
        &[("Opening a register . . . . . . . .", 50.0), ("5", 500.0)],
        &[("Dues and ledgers . . . . . . . . .", 50.0), ("9", 500.0)],
        &[("Closing the year . . . . . . . . .", 50.0), ("17", 500.0)],
    ];
    assert_eq!(tables_of(entries), [] as [Vec<String>; 0]);
    let verse: &[(&str, f32)] = &[("The lamp was lit upon the tower", 50.0)];
    let fifth: &[(&str, f32)] = &[("And all the ships came home again", 50.0), ("5", 400.0)];
    let tenth: &[(&str, f32)] = &[("And none was lost to wind or rain", 50.0), ("10", 395.0)];
    let last: &[(&str, f32)] = &[("And no one lit the lamp again", 50.0), ("15", 395.0)];
    let poem = [
        verse, verse, verse, verse, fifth, verse, verse, verse, verse, tenth, verse, verse, verse, verse,
        last,
    ];
    assert_eq!(tables_of(&poem), [] as [Vec<String>; 0]);
    let equations: &[&[(&str, f32)]] = &[
        &[("a = b", 200.0), ("(1)", 500.0)],
        &[("c = d + e", 200.0), ("(2)", 500.0)],
        &[("f = g", 200.0), ("(3)", 500.0)],
    ];
    assert_eq!(tables_of(equations), [] as [Vec<String>; 0]);
}

#[test]
fn lists_beside_each_other_are_no_table() {
    let row =
        |left: &'static str, right: &'static str| [("•", 50.0), (left, 60.0), ("•", 250.0), (right, 260.0)];
    let rows = [row("Two cranes", "One clerk"), row("A basin", "Fuel"), row("Lamps", "Dues")];
    assert_eq!(tables_of(&rows.each_ref().map(|row| row.as_slice())), [] as [Vec<String>; 0]);
}

#[test]
fn a_date_only_a_word_before_its_details_has_a_column_of_its_own() {
    let found = tables_of(&[
        &[("Date", 50.0), ("Details", 105.0), ("Paid", 400.0)],
        &[("07.01.2025 Water", 50.0), ("84.20", 395.0)],
        &[("12.01.2025 Grocer", 50.0), ("31.75", 395.0)],
        &[("21.01.2025 Rent", 50.0), ("950.00", 390.0)],
        &[("Total", 105.0), ("1,065.95", 380.0)],
    ]);
    let expected = [
        "| Date | Details | Paid |\n| --- | --- | --- |",
        "| 07.01.2025 | Water | 84.20 |",
        "| 12.01.2025 | Grocer | 31.75 |",
        "| 21.01.2025 | Rent | 950.00 |",
        "| | Total | 1,065.95 |",
    ];
    assert_eq!(found, [expected]);
}

#[test]
fn rows_with_several_texts_before_their_numbers_are_one_table() {
    let span =
        |text: &str, x: f32, base: f32| TextSpan::drawn(text, [x, base], 5.0 * text.len() as f32, 10.0);
    let row = |at: usize, texts: [&str; 4]| {
        let base = 20.0 + 12.0 * at as f32;
        [50.0, 100.0, 250.0, 400.0]
            .iter()
            .zip(texts)
            .map(|(x, text)| span(text, *x, base))
            .collect::<Vec<_>>()
    };
    let statement = |at: usize| row(at, ["02/07", "BREAKFAST", "SINGAPORE", "4.20"]);
    let side_by_side = |at: usize| row(at, ["Lamps", "12.40", "Pilots", "4.20"]);
    let bands = |row: &dyn Fn(usize) -> Vec<TextSpan>| {
        let spans: Vec<TextSpan> = (0..6).flat_map(row).collect();
        let placed: Vec<PositionedSpan<'_>> = spans.iter().map(PositionedSpan::of).collect();
        divide(&placed).map_or(0, |bands| bands.len())
    };
    assert_eq!(bands(&statement), 1);
    assert_eq!(bands(&side_by_side), 0);
}
