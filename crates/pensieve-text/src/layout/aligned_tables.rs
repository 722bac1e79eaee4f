//! Tables without lines: consecutive lines whose texts are aligned.

use super::lines::TextLine;
use super::table::LayoutTable;
use super::table_draft::{TableDraft, TableEvidence};
use super::table_frame::TableFrame;
use super::table_rows::{MAX_EDGE_SHIFT, MAX_LEADING};

/// Maximum lines of such a table.
const MAX_LINES: usize = 300;

/// Lines at the start of aligned ones that are tried as belonging to what is above.
const MAX_LINES_ABOVE: usize = 3;

/// A table among lines.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AlignedTable {
    /// Its first line.
    pub(super) first: usize,
    /// The number of its lines.
    pub(super) count: usize,
    pub(super) table: LayoutTable,
}

/// The tables among these lines, from top to bottom.
pub(super) fn find(lines: &[TextLine], min_rows: usize) -> Vec<AlignedTable> {
    let all: Vec<&TextLine> = lines.iter().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let run = run_at(&all[at..]);
        if run < min_rows {
            at += run.max(1);
            continue;
        }
        let table = (0..=MAX_LINES_ABOVE.min(run - min_rows)).find_map(|above| {
            let part = &all[at + above..at + run];
            let draft = TableDraft::of(part, &TableFrame::default());
            let evidence = TableEvidence::Text(min_rows);
            let first = at + above;
            draft.is_table(evidence).then(|| AlignedTable { first, count: part.len(), table: draft.table() })
        });
        at = table.as_ref().map_or(at + run, |table| table.first + table.count);
        found.extend(table);
    }
    found
}

/// True for a line with several texts. Narrow gaps are also between the words of a loose line of prose, most of which
/// are in lower case; cells between narrow gaps are numbers or a few words.
fn is_row(line: &TextLine) -> bool {
    if line.cells.len() >= 2 || line.parts.len() < 2 {
        return line.cells.len() >= 2;
    }
    let pieces = line.pieces();
    let words = || line.text.split_whitespace();
    let low = words().filter(|word| word.starts_with(char::is_lowercase)).count();
    let numbers =
        pieces.iter().skip(1).filter(|(text, ..)| text.contains(|c: char| c.is_ascii_digit())).count();
    let is_short = words().count() <= 2 * pieces.len() || numbers * 2 >= pieces.len();
    pieces.len() >= 2 && low * 2 <= words().count() && is_short
}

/// The number of consecutive lines from the first on that may be rows, or continue cells of a row.
fn run_at(lines: &[&TextLine]) -> usize {
    if !lines.first().is_some_and(|line| is_row(line)) {
        return 0;
    }
    let mut row = lines[0];
    let mut count = 1;
    while let Some(line) = lines.get(count).filter(|_| count < MAX_LINES) {
        let before = lines[count - 1];
        let distance = (line.base - before.base) / line.size.max(before.size).max(1.0);
        let is_near = (0.0..MAX_LEADING).contains(&distance) && line.rotation == before.rotation;
        if !is_near || !(is_row(line) || continues(row, line)) {
            break;
        }
        if is_row(line) {
            row = line;
        }
        count += 1;
    }
    count
}

/// True for one text that starts on an edge of a row above, but not on its first one.
fn continues(row: &TextLine, line: &TextLine) -> bool {
    let near = MAX_EDGE_SHIFT * line.size;
    row.pieces().iter().skip(1).any(|(_, x0, _)| (x0 - line.x0).abs() < near)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
