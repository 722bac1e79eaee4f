//! What holds for the tables of any text, whatever its cells contain.

use super::{CellValue, FoundTable, TableFinder, TableReader, TableRow};
use crate::model::ChunkStrategy;
use proptest::prelude::*;

/// What tables are made of, and what is near to it: signs of several bytes beside digits, dates that are none, marks without a
/// partner.
const PIECES: [&str; 64] = [
    "|",
    "|",
    "|",
    "|",
    "\n",
    "\n",
    "\n",
    " ",
    " ",
    ",",
    ";",
    "\t",
    "---",
    "| --- | --- |",
    "\n| a | b |\n| - | - |\n",
    "1",
    "27",
    "1,577",
    "(36,000)",
    "1.234,50",
    "−5",
    "12:30",
    "T12:30:00Z",
    "+02:00",
    "Z",
    "é",
    "年",
    "月",
    "日",
    "2024",
    "2024-05-31",
    "31/12/99",
    "Mai",
    "März",
    "Q3",
    "FY",
    "%",
    "‰",
    "$",
    "€",
    "kr",
    "in millions",
    "Table 2: Sales",
    "(continued)",
    "#",
    "## ",
    "**",
    "```",
    "\"",
    "\"\"",
    "\\|",
    "<br>",
    "&amp;",
    "\u{a0}",
    "\u{202f}",
    "'",
    "’",
    "٣",
    "१२",
    "–",
    "—",
    "n/a",
    "total",
    "*†",
];

fn find(text: &str, strategy: ChunkStrategy, cuts: &[usize]) -> Vec<FoundTable> {
    let mut finder = TableFinder::new(strategy).expect("these texts have tables");
    parts(text, cuts).for_each(|part| finder.push(part));
    finder.finish()
}

fn rows(text: &str, table: &FoundTable, cuts: &[usize]) -> Vec<TableRow> {
    let mut reader = TableReader::new(&table.layout, table.span.start);
    let mut rows = Vec::new();
    parts(&text[table.span.range()], cuts).for_each(|part| reader.push(part, &mut |row| rows.push(row)));
    reader.finish(&mut |row| rows.push(row));
    rows
}

/// A text in pieces of these lengths, over and over.
fn parts<'t>(text: &'t str, cuts: &'t [usize]) -> impl Iterator<Item = &'t str> {
    let mut lengths = cuts.iter().cycle();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        at = text.ceil_char_boundary((start + lengths.next()?).min(text.len()));
        (start < at).then(|| &text[start..at])
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn rows_and_cells_are_places_of_the_text(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..120),
        strategy in prop::sample::select(&[ChunkStrategy::Markdown, ChunkStrategy::Layout, ChunkStrategy::Rows][..]),
        cuts in prop::collection::vec(1..40_usize, 1..4),
    ) {
        let text = pieces.concat();
        // Records come whole, and a quote may be closed anywhere.
        let cuts = if strategy == ChunkStrategy::Rows { vec![text.len().max(1)] } else { cuts };
        let tables = find(&text, strategy, &[text.len().max(1)]);
        prop_assert_eq!(format!("{:?}", find(&text, strategy, &cuts)), format!("{tables:?}"));
        let mut end = 0;
        for table in &tables {
            prop_assert!(end <= table.span.start && table.span.end <= text.len());
            end = table.span.end;
            let read = rows(&text, table, &[text.len()]);
            prop_assert_eq!(&rows(&text, table, &cuts), &read);
            prop_assert_eq!(read.len(), table.rows);
            for (row, number) in read.iter().zip(1..) {
                prop_assert_eq!(row.number, number);
                prop_assert_eq!(row.cells.len(), table.layout.columns.len());
                prop_assert!(table.span.start <= row.span.start && row.span.end <= table.span.end);
                for cell in &row.cells {
                    prop_assert!(row.span.start <= cell.span.start && cell.span.end <= row.span.end);
                    prop_assert!(text.get(cell.span.range()).is_some(), "{:?} is in the middle of a letter", cell.span);
                    let is_empty = cell.shown.is_empty() && cell.value == CellValue::Empty;
                    prop_assert!(is_empty || !cell.span.is_empty(), "{:?}", cell);
                }
            }
        }
    }
}
