//! Tables of iWork documents: cells by row and column, written as rows of Markdown.
//!
//! Numbers has several tables on a sheet, each with cells from A1 on: places name tables as the program's formulas
//! do, `Sheet 1::Table 1`.

use crate::limits::iwork::{MAX_COLUMNS, MAX_COVERED_COLUMNS};
use crate::markdown::{Block, MarkdownDraft, Words};
use crate::shared::calendar::date_of;
use pensieve_text::model::{CellRange, Locator};
use std::sync::Arc;

/// The most cells for each one with words; sparser tables are written without their gaps.
const MAX_CELLS_PER_FILLED_CELL: usize = 50;

/// Longer cells are not repeated in the columns that they cover.
const MAX_REPEATED_CELL_BYTES: usize = 200;

/// A cell with words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GridCell {
    /// From 0.
    pub row: u32,
    /// From 0.
    pub column: u32,
    /// How many columns it covers.
    pub columns: u32,
    pub text: String,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Grid {
    pub name: String,
    pub shows_name: bool,
    /// In the order of rows, then columns.
    pub cells: Vec<GridCell>,
}

impl Grid {
    /// Adds the next cell; blank ones are left out.
    pub fn push(&mut self, row: u32, column: u32, columns: u32, text: String) {
        if !text.trim().is_empty() && column < MAX_COLUMNS {
            let columns = columns.clamp(1, MAX_COLUMNS - column).min(MAX_COVERED_COLUMNS);
            self.cells.push(GridCell { row, column, columns, text });
        }
    }

    /// Writes the table, below its name if it shows it. Rows are placed by their cells if the sheet is known, else
    /// they have the location of the draft.
    pub fn write(&self, draft: &mut MarkdownDraft, sheet: Option<&str>, level: u8) {
        let columns = self.cells.iter().map(|cell| cell.column + cell.columns).max().unwrap_or(0);
        if columns == 0 {
            return;
        }
        let sheet: Option<Arc<str>> = sheet.map(|sheet| match self.name.is_empty() {
            true => sheet.into(),
            false => format!("{sheet}::{}", self.name).into(),
        });
        let place = |first: &GridCell, last: &GridCell| {
            let range = CellRange {
                first_row: first.row + 1,
                first_column: self.cells.iter().map(|cell| cell.column).min().unwrap_or(0) + 1,
                last_row: last.row + 1,
                last_column: columns,
            };
            Some(Locator::Cells { sheet: sheet.clone()?, range })
        };
        if self.shows_name && !self.name.trim().is_empty() {
            if let (Some(first), Some(last)) = (self.cells.first(), self.cells.last())
                && sheet.is_some()
            {
                draft.place(place(first, last));
            }
            draft.push(&Block::Heading { level, words: Words::plain(&*self.name) });
        }
        let first_column = self.cells.iter().map(|cell| cell.column).min().unwrap_or(0);
        if columns - first_column < 2 {
            for cell in &self.cells {
                if sheet.is_some() {
                    draft.place(Some(row_place(sheet.clone(), cell.row, first_column, columns)));
                }
                draft.push(&Block::Paragraph(Words::plain(&*cell.text)));
            }
            return;
        }
        // A table with few cells far from each other is written without the empty ones between them.
        let rows = self.cells.chunk_by(|a, b| a.row == b.row);
        let width = (columns - first_column) as usize;
        let is_sparse = rows.clone().count() * width > MAX_CELLS_PER_FILLED_CELL * (self.cells.len() + 10);
        let widest = if is_sparse { rows.clone().map(<[GridCell]>::len).max().unwrap_or(1) } else { width };
        let mut table = draft.open_table(widest);
        let mut line: Vec<&str> = Vec::new();
        for row in rows {
            line.clear();
            if is_sparse {
                line.extend(row.iter().map(|cell| cell.text.as_str()));
            }
            line.resize(widest, "");
            for cell in row.iter().filter(|_| !is_sparse) {
                let start = (cell.column - first_column) as usize;
                let repeats =
                    if cell.text.len() <= MAX_REPEATED_CELL_BYTES { cell.columns as usize } else { 1 };
                line[start..start + repeats].fill(&cell.text);
            }
            let place = sheet.is_some().then(|| row_place(sheet.clone(), row[0].row, first_column, columns));
            draft.push_row(&mut table, line.iter().copied(), place);
        }
    }
}

fn row_place(sheet: Option<Arc<str>>, row: u32, first_column: u32, columns: u32) -> Locator {
    let row = row + 1;
    let range =
        CellRange { first_row: row, first_column: first_column + 1, last_row: row, last_column: columns };
    Locator::Cells { sheet: sheet.unwrap_or_default(), range }
}

/// A number without the noise of its binary form.
pub(super) fn number(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        return format!("{}", value as i64);
    }
    // The programs show at most 15 digits.
    let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    match rounded.abs() {
        size if (1e-7..1e15).contains(&size) => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

/// How numbers of a cell are shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct NumberFormat {
    pub kind: NumberKind,
    /// Digits after the point; `None` for all.
    pub decimals: Option<u8>,
    /// The code of a currency.
    pub currency: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum NumberKind {
    #[default]
    Plain,
    Percent,
    Currency,
}

impl NumberFormat {
    /// A number as it is shown.
    pub fn show(&self, value: f64) -> String {
        let digits = |value: f64| match self.decimals {
            Some(decimals) if decimals < 20 => format!("{value:.*}", usize::from(decimals)),
            _ => number(value),
        };
        match self.kind {
            NumberKind::Plain => digits(value),
            NumberKind::Percent => format!("{}%", digits(value * 100.0)),
            NumberKind::Currency => {
                let sign = if value < 0.0 { "-" } else { "" };
                let currency = match self.currency.as_str() {
                    "EUR" => "€",
                    "USD" => "$",
                    "GBP" => "£",
                    "JPY" | "CNY" => "¥",
                    "" => "",
                    code => return format!("{sign}{code} {}", digits(value.abs())),
                };
                format!("{sign}{currency}{}", digits(value.abs()))
            }
        }
    }
}

/// A moment as seconds from the beginning of 2001, as `2009-10-01` or `2009-10-01 12:30:00`.
pub(super) fn date(seconds: f64) -> String {
    if !seconds.is_finite() || seconds.abs() > 3e11 {
        return number(seconds);
    }
    let seconds = seconds.round() as i64;
    let (days, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    match (date_of(days + 11_323), time) {
        (None, _) => number(seconds as f64),
        (Some(date), 0) => date.to_string(),
        (Some(date), _) => format!("{date} {:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60),
    }
}

/// Seconds as a duration.
pub(super) fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds.abs() > 1e12 {
        return number(seconds);
    }
    let sign = if seconds < 0.0 { "-" } else { "" };
    let seconds = seconds.abs().round() as u64;
    let parts = [(seconds / 604_800, "w"), (seconds / 86_400 % 7, "d"), (seconds / 3600 % 24, "h")];
    let parts = parts.into_iter().chain([(seconds / 60 % 60, "m"), (seconds % 60, "s")]);
    let shown: Vec<String> =
        parts.filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count}{unit}")).collect();
    if shown.is_empty() { "0s".to_owned() } else { format!("{sign}{}", shown.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_dates_and_durations_are_shown() {
        assert_eq!([0.0, -0.0, 4650.0, -872.4, 0.1 + 0.2].map(number), ["0", "0", "4650", "-872.4", "0.3"]);
        assert_eq!(
            [0.0, 276_048_000.0, 43_200.0].map(date),
            ["2001-01-01", "2009-10-01", "2001-01-01 12:00:00"]
        );
        assert_eq!([0.0, 90_061.0, -60.0].map(duration), ["0s", "1d 1h 1m 1s", "-1m"]);
        let percent =
            NumberFormat { kind: NumberKind::Percent, decimals: Some(1), ..NumberFormat::default() };
        assert_eq!(percent.show(0.125), "12.5%");
        let euro = NumberFormat { kind: NumberKind::Currency, decimals: Some(2), currency: "EUR".into() };
        assert_eq!(euro.show(-775.0), "-€775.00");
    }

    #[test]
    fn rows_know_their_cells() {
        let mut grid = Grid { name: "T".into(), shows_name: true, cells: Vec::new() };
        grid.push(1, 1, 2, "both".into());
        grid.push(3, 2, 1, "c".into());
        let mut draft = MarkdownDraft::new();
        grid.write(&mut draft, Some("S"), 3);
        let segment = draft.finish();
        assert_eq!(segment.text, "### T\n\n| both | both |\n| - | - |\n|  | c |\n");
        let places: Vec<String> = segment.places.0.iter().map(|(_, place)| place.to_json()).collect();
        assert_eq!(places[0], "{\"cells\":\"B2:C4\",\"sheet\":\"S::T\"}");
        assert_eq!(places[1], "{\"cells\":\"B2:C2\",\"sheet\":\"S::T\"}");
    }

    #[test]
    fn numbers_have_fifteen_digits() {
        for (value, expected) in [
            (999_999_999_999_999.0, "999999999999999"),
            (-999_999_999_999_999.0, "-999999999999999"),
            (1e15, "1e15"),
            (1.5e15, "1.5e15"),
            (123_456_789_012_345.6, "123456789012346"),
            (12_345_678_901_234.75, "12345678901234.8"),
            (1e-7, "0.0000001"),
            (-1e-7, "-0.0000001"),
            (9.9e-8, "9.9e-8"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn dates_and_durations_have_all_their_parts() {
        for (seconds, expected) in [
            (0.5, "2001-01-01 00:00:01"),
            (-1.0, "2000-12-31 23:59:59"),
            (86_399.0, "2001-01-01 23:59:59"),
            (86_400.0 + 3661.0, "2001-01-02 01:01:01"),
            (-86_400.0, "2000-12-31"),
            (2.9e11, "290000000000"),
            (3.1e11, "310000000000"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(date(seconds), expected);
        }
        for (seconds, expected) in [
            (59.0, "59s"),
            (60.0, "1m"),
            (3600.0, "1h"),
            (86_400.0, "1d"),
            (604_799.0, "6d 23h 59m 59s"),
            (604_800.0, "1w"),
            (-93_784.0, "-1d 2h 3m 4s"),
            (0.4, "0s"),
            (1e12, "1653439w 1d 1h 46m 40s"),
            (1e12 + 1.0, "1000000000001"),
            (-1e12 - 1.0, "-1000000000001"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
    }

    #[test]
    fn formats_show_numbers_with_their_signs_and_currencies() {
        use NumberKind::{Currency, Percent, Plain};
        for (kind, decimals, currency, value, expected) in [
            (Plain, None, "", 1.5, "1.5"),
            (Plain, Some(0), "", 2.75, "3"),
            (Plain, Some(19), "", 0.5, "0.5000000000000000000"),
            (Plain, Some(20), "", 0.5, "0.5"),
            (Percent, None, "", 0.5, "50%"),
            (Percent, Some(2), "", -0.125, "-12.50%"),
            (Currency, Some(1), "USD", 3.0, "$3.0"),
            (Currency, Some(1), "GBP", -3.0, "-£3.0"),
            (Currency, Some(0), "JPY", 3.0, "¥3"),
            (Currency, Some(0), "CNY", 3.0, "¥3"),
            (Currency, Some(0), "", -3.0, "-3"),
            (Currency, Some(1), "CHF", -3.0, "-CHF 3.0"),
            (Currency, None, "EUR", 0.0, "€0"),
        ] {
            let format = NumberFormat { kind, decimals, currency: currency.to_owned() };
            assert_eq!(format.show(value), expected, "{format:?}");
        }
    }

    #[test]
    fn cells_stay_within_the_columns_of_a_table() {
        let mut grid = Grid::default();
        for (column, columns, text) in [
            (3, 0, "a"),
            (4, 2, "b"),
            (5, MAX_COVERED_COLUMNS, "c"),
            (6, MAX_COVERED_COLUMNS + 1, "d"),
            (MAX_COLUMNS - 2, 9, "e"),
            (MAX_COLUMNS - 1, 9, "f"),
            (MAX_COLUMNS, 1, "g"),
            (7, 1, " \n"),
        ] {
            grid.push(1, column, columns, text.to_owned());
        }
        let cells: Vec<_> =
            grid.cells.iter().map(|cell| (cell.column, cell.columns, cell.text.as_str())).collect();
        let most = MAX_COVERED_COLUMNS;
        let ends = [(MAX_COLUMNS - 2, 2, "e"), (MAX_COLUMNS - 1, 1, "f")];
        let expected = [(3, 1, "a"), (4, 2, "b"), (5, most, "c"), (6, most, "d"), ends[0], ends[1]];
        assert_eq!(cells, expected);
    }

    /// A table of cells of one column each.
    fn written(name: &str, shows_name: bool, cells: &[(u32, u32, &str)], sheet: Option<&str>) -> String {
        let mut grid = Grid { name: name.to_owned(), shows_name, cells: Vec::new() };
        cells.iter().for_each(|(row, column, text)| grid.push(*row, *column, 1, (*text).to_owned()));
        let mut draft = MarkdownDraft::new();
        grid.write(&mut draft, sheet, 2);
        let segment = draft.finish();
        let places = segment.places.0.iter().map(|(_, place)| format!("\n{}", place.to_json()));
        segment.text.clone() + &places.collect::<String>()
    }

    #[test]
    fn tables_of_one_column_are_paragraphs() {
        let cells = [(4, 2, "a"), (6, 2, "b")];
        assert_eq!(written("T", true, &cells, None), "## T\n\na\n\nb\n");
        assert_eq!(written("T", false, &cells, None), "a\n\nb\n");
        assert_eq!(written(" ", true, &cells, None), "a\n\nb\n");
        assert_eq!(written("T", true, &[], Some("S")), "");
        let places = "\n{\"cells\":\"C5\",\"sheet\":\"S\"}\n{\"cells\":\"C7\",\"sheet\":\"S\"}";
        assert_eq!(written("", true, &cells, Some("S")), format!("a\n\nb\n{places}"));
        let cells = [(4, 2, "a"), (6, 3, "b")];
        assert_eq!(written("", false, &cells, None), "| a |  |\n| - | - |\n|  | b |\n");
    }

    #[test]
    fn few_cells_far_apart_are_written_without_gaps() {
        // Two rows of one cell: 50 cells for each of 12 are 600.
        let text = |last| written("", false, &[(0, 1, "a"), (1, last, "b")], None);
        assert_eq!(text(300).lines().next().map(|line| line.matches('|').count()), Some(301));
        assert_eq!(text(301), "| a |\n| - |\n| b |\n");
    }

    #[test]
    fn long_cells_are_not_repeated() {
        for (length, times) in [(MAX_REPEATED_CELL_BYTES, 2), (MAX_REPEATED_CELL_BYTES + 1, 1)] {
            let mut grid = Grid::default();
            grid.push(0, 0, 2, "x".repeat(length));
            let mut draft = MarkdownDraft::new();
            grid.write(&mut draft, None, 2);
            assert_eq!(draft.finish().text.matches('x').count(), times * length);
        }
    }
}
