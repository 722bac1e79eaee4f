//! Finds the tables of a text that streams through.

use super::columns::ColumnKind;
use super::draft::{FoundTable, HeaderAbove, NumberEvidence, TableDraft};
use super::header::scale_of;
use super::reader::is_section_row;
use super::rows::{RowFeed, TableSyntax, cells_of, is_rule, record_bytes};
use crate::chunk::{HEADING_SEPARATOR, HeadingPath};
use crate::layout::is_table_caption;
use crate::model::ChunkStrategy;
use crate::text::markdown::{FencePosition, FenceTracker, atx_heading, heading_words};

/// Lines above a table that may say what it is.
const LINES_ABOVE: usize = 4;
/// Characters of such a line, at most: what is longer is a paragraph.
const MAX_LINE_CHARS: usize = 160;
/// Lines that may stand between a table and the header of the one above that is its header too, at most: `Liabilities`. Statements
/// have one or two titles there; what follows after more is another story.
const MAX_LINES_BETWEEN: usize = 4;
/// Characters of such a line, at most: half a line of a page, so that it is a title.
const MAX_CHARS_BETWEEN: usize = 60;
/// A heading of a caption is below all others.
const CAPTION_LEVEL: usize = 7;
/// Records of a delimited text by which the separator is decided, and what may be one.
const SAMPLE_ROWS: usize = 20;
const DELIMITERS: [char; 4] = ['\t', ';', ',', '|'];

/// Finds the tables of one text, which comes in pieces.
///
/// Cost: one pass over the lines; of a table the first rows and counts for each column are kept.
#[derive(Debug)]
pub struct TableFinder {
    feed: RowFeed,
    lines: LineState,
}

impl TableFinder {
    /// A finder for a text that is cut by a strategy; `None` if such texts have no tables.
    pub fn new(strategy: ChunkStrategy) -> Option<TableFinder> {
        let is_delimited = match strategy {
            ChunkStrategy::Markdown | ChunkStrategy::Layout => false,
            ChunkStrategy::Rows => true,
            _ => return None,
        };
        let lines =
            LineState { is_delimited, is_paged: strategy == ChunkStrategy::Layout, ..LineState::default() };
        Some(TableFinder { feed: RowFeed::new(0), lines })
    }

    /// Takes the next piece of the text.
    pub fn push(&mut self, text: &str) {
        let TableFinder { feed, lines } = self;
        feed.push(text, lines.is_delimited, &mut |at, line| lines.take(at, line));
    }

    /// The tables of the text, in order.
    pub fn finish(mut self) -> Vec<FoundTable> {
        let TableFinder { feed, lines } = &mut self;
        feed.finish(&mut |at, line| lines.take(at, line));
        self.lines.finish()
    }
}

/// A line above, and whether it is apart from the one before.
#[derive(Debug)]
struct LineAbove {
    text: String,
    is_apart: bool,
}

#[derive(Debug, Default)]
struct LineState {
    is_delimited: bool,
    is_paged: bool,
    fences: FenceTracker,
    headings: HeadingPath,
    above: Vec<LineAbove>,
    has_gap: bool,
    /// A line that would be the header if a line of dashes follows.
    candidate: Option<(usize, String)>,
    open: Option<TableDraft>,
    /// A table that ended, and goes on if its header comes again.
    ended: Option<TableDraft>,
    /// True after text in the row of a table: the next row begins another one.
    is_interrupted: bool,
    /// The header of the last table, if the next may have it too.
    header_above: Option<HeaderAbove>,
    /// Records before the separator is known.
    sample: Vec<(usize, String)>,
    found: Vec<FoundTable>,
    undecided: Vec<(usize, usize)>,
    numbers: NumberEvidence,
}

impl LineState {
    fn take(&mut self, at: usize, line: &str) {
        if self.is_delimited {
            return self.record(at, line);
        }
        let words = line.trim();
        if self.fences.read(line) != FencePosition::Outside {
            self.leave();
            return self.settle();
        }
        if words.is_empty() {
            self.leave();
            self.has_gap = true;
            return;
        }
        let is_row = words.contains('|') && !words.starts_with('>');
        // Two tables of a page with text between them may have come as one.
        if is_row && self.is_paged && (self.open.is_some() || self.is_interrupted) && is_prose(words) {
            self.leave();
            self.is_interrupted = true;
            return self.note(words);
        }
        if std::mem::take(&mut self.is_interrupted) && is_row {
            return self.begin(at, line.trim_end(), at + line.trim_end().len());
        }
        if let Some(open) = self.open.as_mut().filter(|_| is_row) {
            if !open.skips(words) {
                open.add(line);
            }
            open.end = at + line.trim_end().len();
            return;
        }
        self.leave();
        if let Some((start, header)) = self.candidate.take() {
            if is_row
                && is_rule(words)
                && cells_of(words, TableSyntax::Pipes).len() <= cells_of(&header, TableSyntax::Pipes).len()
            {
                return self.begin(start, &header, at + line.trim_end().len());
            }
            self.note(&header);
        }
        if is_row {
            self.candidate = Some((at, line.trim_end().to_owned()));
            return;
        }
        if let Some((level, markup)) = atx_heading(words) {
            self.settle();
            self.pass(markup);
            self.headings.enter(level, markup);
            self.above.clear();
            self.has_gap = true;
            return;
        }
        self.note(words);
    }

    /// Remembers a line that is part of no table.
    fn note(&mut self, words: &str) {
        // A table may go on behind a line that says so. One with a pipe would be a row of it.
        let goes_on = words.chars().count() <= MAX_LINE_CHARS
            && words.to_lowercase().contains("continued")
            && !words.contains('|');
        if !goes_on {
            self.settle();
        }
        self.pass(words);
        if self.above.len() == LINES_ABOVE {
            self.above.remove(0);
        }
        let is_apart = std::mem::take(&mut self.has_gap);
        let text = if words.len() > 4 * MAX_LINE_CHARS { String::new() } else { words.trim().to_owned() };
        self.above.push(LineAbove { text, is_apart });
    }

    /// A line between two tables. On a page the second one may be a part of the first (assets, liabilities), below a short line
    /// that names no period or unit of its own.
    fn pass(&mut self, words: &str) {
        let is_short = words.chars().count() <= MAX_CHARS_BETWEEN && !words.ends_with('.');
        let may_go_on = self.is_paged && is_short && !words.contains(|c: char| c.is_ascii_digit());
        self.header_above =
            self.header_above.take().filter(|above| may_go_on && above.lines < MAX_LINES_BETWEEN);
        if let Some(above) = &mut self.header_above {
            above.lines += 1;
        }
    }

    /// Begins a table, or goes on with the one that ended if the header is the same.
    fn begin(&mut self, start: usize, header: &str, end: usize) {
        if let Some(mut ended) =
            self.ended.take_if(|ended| ended.first_line == header.trim() && ended.can_go_on())
        {
            ended.end = end;
            self.open = Some(ended);
            self.above.clear();
            return;
        }
        self.settle();
        let caption = self.caption();
        let mut headings = self.headings.clone();
        if let Some(caption) = &caption {
            headings.enter(CAPTION_LEVEL, caption);
        }
        let path = headings.path();
        let title = caption
            .map(|caption| heading_words(&caption))
            .or_else(|| Some(path.as_deref()?.rsplit(HEADING_SEPARATOR).next()?.to_owned()));
        let short = |line: &&LineAbove| line.text.chars().count() <= MAX_LINE_CHARS;
        let scale = title
            .as_deref()
            .and_then(scale_of)
            .or_else(|| self.above.iter().rev().filter(short).find_map(|line| scale_of(&line.text)));
        let mut draft = TableDraft::new(start, TableSyntax::Pipes, header.trim());
        (draft.title, draft.heading_path, draft.scale) = (title, path, scale);
        draft.is_paged = self.is_paged;
        draft.above = self.header_above.take().filter(|above| self.is_paged || above.is_alone);
        draft.add(header);
        draft.end = end;
        self.above.clear();
        self.open = Some(draft);
    }

    /// The caption of a table that begins here: a line that says so, one in bold, or the only short line since the last heading.
    fn caption(&self) -> Option<String> {
        let last = self
            .above
            .last()
            .filter(|line| !line.text.is_empty() && line.text.chars().count() <= MAX_LINE_CHARS)?;
        let bold = last.text.strip_prefix("**").and_then(|text| text.strip_suffix("**"));
        let is_alone = self.above.len() == 1
            && last.is_apart
            && !last.text.ends_with(['.', ':', ';', ','])
            && !last.text.starts_with(['-', '*', '<', '!']);
        let is_caption =
            is_table_caption(&last.text) || bold.is_some_and(|text| !text.contains("**")) || is_alone;
        is_caption.then(|| last.text.clone())
    }

    /// Ends the table whose rows were read; it may go on.
    fn leave(&mut self) {
        if let Some(open) = self.open.take() {
            self.settle();
            self.ended = Some(open);
            self.has_gap = true;
        }
    }

    /// The table that ended does not go on.
    fn settle(&mut self) {
        let Some(mut draft) = self.ended.take() else { return };
        self.header_above = draft.header_below();
        self.found.extend(draft.finish(self.found.len(), &mut self.undecided, &mut self.numbers));
    }

    fn record(&mut self, at: usize, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        if let Some(open) = &mut self.open {
            open.add(line);
            open.end = at + record_bytes(line);
            return;
        }
        if self.sample.is_empty() && names_separator(line) {
            return;
        }
        self.sample.push((at, line.to_owned()));
        if self.sample.len() == SAMPLE_ROWS {
            self.begin_records();
        }
    }

    /// Begins a table of records if they have a separator; its first row is the first that is as wide as most.
    fn begin_records(&mut self) {
        let sample = std::mem::take(&mut self.sample);
        let Some((mark, width)) = separator(&sample) else { return };
        let syntax = TableSyntax::Delimited(mark);
        let first = sample.iter().position(|(_, line)| cells_of(line, syntax).len() == width).unwrap_or(0);
        let mut draft = TableDraft::new(sample[first].0, syntax, "");
        // Lines before it are a title, as far as they are short.
        let above = sample[..first]
            .iter()
            .map(|(_, line)| line.trim_matches(|c: char| c.is_whitespace() || c == mark || c == '"'));
        draft.scale = above.clone().find_map(scale_of);
        draft.title =
            above.clone().next().filter(|line| line.chars().count() <= MAX_LINE_CHARS).map(str::to_owned);
        for (at, line) in &sample[first..] {
            draft.add(line);
            draft.end = at + record_bytes(line);
        }
        self.open = Some(draft);
    }

    fn finish(mut self) -> Vec<FoundTable> {
        if self.open.is_none() && !self.sample.is_empty() {
            self.begin_records();
        }
        self.leave();
        self.settle();
        let has_commas = self.numbers.comma > self.numbers.point;
        let is_day_first =
            self.numbers.day_first > self.numbers.month_first || self.numbers.month_first == 0 && has_commas;
        for (table, column) in self.undecided {
            let column = &mut self.found[table].layout.columns[column];
            match column.kind {
                ColumnKind::Date => column.day_first = is_day_first,
                _ => column.decimal_comma = has_commas,
            }
        }
        self.found
    }
}

/// True for a row that is a paragraph.
fn is_prose(row: &str) -> bool {
    let cells = cells_of(row, TableSyntax::Pipes);
    is_section_row(&cells) && row[cells[0].range()].chars().count() > MAX_LINE_CHARS
}

/// True for the first line with which a text tells Excel what separates its fields: `sep=;`.
fn names_separator(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim().trim_matches('"');
    let mark = line.get(..4).filter(|name| name.eq_ignore_ascii_case("sep=")).map(|_| &line[4..]);
    mark.is_some_and(|mark| mark.chars().count() <= 1)
}

/// The character that separates the fields of most records, and how many fields they have.
fn separator(sample: &[(usize, String)]) -> Option<(char, usize)> {
    if sample.iter().any(|(_, line)| line.trim_start().starts_with(['{', '<'])) {
        return None;
    }
    let score = |mark: char| {
        let widths: Vec<usize> =
            sample.iter().map(|(_, line)| cells_of(line, TableSyntax::Delimited(mark)).len()).collect();
        let width = widths
            .iter()
            .copied()
            .max_by_key(|width| (widths.iter().filter(|other| *other == width).count(), *width))?;
        let share = widths.iter().filter(|other| **other == width).count();
        // Titles and notes may stand above and below.
        (width >= 2 && share * 3 >= widths.len() * 2).then_some((share, width, mark))
    };
    let best = DELIMITERS.into_iter().filter_map(score).max_by_key(|(share, width, _)| (*share, *width))?;
    Some((best.2, best.1))
}

#[cfg(test)]
mod tests {
    use super::super::columns::TableLayout;
    use super::super::reader::TableReader;
    use super::super::value::CellValue;
    use super::*;

    fn find(text: &str, strategy: ChunkStrategy) -> Vec<FoundTable> {
        let mut finder = TableFinder::new(strategy).unwrap();
        finder.push(text);
        finder.finish()
    }

    /// The rows of a table as JSON would show them.
    fn rows(text: &str, table: &FoundTable) -> Vec<Vec<String>> {
        let mut reader = TableReader::new(&table.layout, table.span.start);
        let mut rows = Vec::new();
        let mut each = |row: super::super::TableRow| {
            assert!(row.cells.iter().all(|cell| cell.span.end <= table.span.end));
            let value = |cell: &super::super::TableCell| match &cell.value {
                CellValue::Number(number) => number.as_f64().to_string(),
                CellValue::Date(date) => date.clone(),
                CellValue::Text => format!("'{}'", cell.shown),
                CellValue::Empty => String::new(),
            };
            rows.push(
                row.section
                    .iter()
                    .map(|section| format!("[{section}]"))
                    .chain(row.cells.iter().map(value))
                    .collect(),
            );
        };
        // Pieces of three bytes: nothing depends on where a text is cut.
        let part = &text[table.span.range()];
        let mut from = 0;
        while from < part.len() {
            let to = (from + 3..part.len()).find(|to| part.is_char_boundary(*to)).unwrap_or(part.len());
            match table.layout.syntax {
                TableSyntax::Pipes => reader.push(&part[from..to], &mut each),
                TableSyntax::Delimited(_) => {}
            }
            from = to;
        }
        if table.layout.syntax != TableSyntax::Pipes {
            reader.push(part, &mut each);
        }
        reader.finish(&mut each);
        assert_eq!(rows.len(), table.rows);
        rows
    }

    fn names(table: &FoundTable) -> Vec<&str> {
        table.layout.columns.iter().map(|column| column.name.as_str()).collect()
    }

    #[test]
    fn a_statement_has_sections_scales_and_currencies_beside_their_numbers() {
        let text = "# Report\n\n## Income\n\n| (Millions) | | 2018 | 2017 |\n| - | - | - | - |\n| Revenue: | | | |\n| Goods | $ | 1,577 | $ (26) |\n| Services | | (13) | — |\n| Total | $ | 1,564 | $ (26) |\n\nText.\n";
        let tables = find(text, ChunkStrategy::Markdown);
        let [table] = &tables[..] else { panic!("{tables:?}") };
        assert_eq!(table.heading_path.as_deref(), Some("Report > Income"));
        assert_eq!(table.title.as_deref(), Some("Income"));
        assert_eq!(names(table), ["label", "2018", "2017"]);
        assert_eq!(table.layout.columns[1].scale, Some(1_000_000));
        assert_eq!(table.layout.columns[1].unit.as_deref(), Some("$"));
        assert_eq!(table.labels, "Revenue:\nGoods\nServices\nTotal");
        assert_eq!(
            rows(text, table),
            [
                vec!["'Revenue:'", "", ""],
                vec!["[Revenue]", "'Goods'", "1577", "-26"],
                vec!["[Revenue]", "'Services'", "-13", ""],
                vec!["[Revenue]", "'Total'", "1564", "-26"],
            ]
        );
    }

    #[test]
    fn a_table_that_goes_on_is_one() {
        let text = "| a | b |\n| - | - |\n| x | 1 |\n\nTable 1 (continued)\n\n| a | b |\n| - | - |\n| y | 2 |\n\n| c | d |\n| - | - |\n| z | 3 |\n";
        let tables = find(text, ChunkStrategy::Layout);
        assert_eq!(tables.iter().map(|table| table.rows).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(rows(text, &tables[0]), [["'x'", "1"], ["'y'", "2"]]);
    }

    #[test]
    fn code_and_prose_are_no_tables() {
        for text in [
            "```\n| a | b |\n| - | - |\n| 1 | 2 |\n```\n",
            "a | b\n\nc | d\n",
            "| a | b |\n| - | - |\n",
            "> | a | b |\n> | - | - |\n> | 1 | 2 |\n",
        ] {
            assert_eq!(find(text, ChunkStrategy::Markdown), [], "{text}");
        }
    }

    #[test]
    fn records_are_one_table() {
        let text = "name;price;date\n\"A; b\";1.234,50;31.12.2020\nC;0,5;01.02.2021\n";
        let tables = find(text, ChunkStrategy::Rows);
        let [table] = &tables[..] else { panic!("{tables:?}") };
        assert_eq!(names(table), ["name", "price", "date"]);
        assert_eq!(rows(text, table), [["'A; b'", "1234.5", "2020-12-31"], ["'C'", "0.5", "2021-02-01"]]);
        let marked = &find("sep=;\nname;price\nrope;3\noar;4\n", ChunkStrategy::Rows)[0];
        assert_eq!((names(marked), marked.rows, marked.title.as_deref()), (vec!["name", "price"], 2, None));
        let codes = "state;n\n01;3\n02;4\n10;5\n";
        assert_eq!(rows(codes, &find(codes, ChunkStrategy::Rows)[0])[2], ["'10'", "5"]);
        assert_eq!(find("{\"a\": 1, \"b\": 2}\n{\"a\": 1, \"b\": 3}\n", ChunkStrategy::Rows), []);
    }

    #[test]
    fn text_between_two_tables_of_a_page_divides_them() {
        let prose = "We match a certain percentage of what employees contribute to the plans with shares of our own. ".repeat(2);
        let text = format!(
            "| Year | | Pensions | Health care | |\n| - | - | - | - | - |\n| 2022 | | $ | 2,049 $ | 906 |\n| 2023 | | | 1,648 | 883 |\n\
             | {prose} | | | | |\n| Year | | Begin | Paid | End |\n| 2020 | | 565 | (248) | 317 |\n| 2021 | | 602 | (258) | 344 |\n"
        );
        let tables = find(&text, ChunkStrategy::Layout);
        let names = |at: usize| {
            let layout: &TableLayout = &tables[at].layout;
            let named = layout.columns.iter().filter(|column| column.kind != ColumnKind::Empty);
            named.map(|column| column.name.as_str()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            (tables.len(), names(0), names(1)),
            (2, "Year Pensions Health care".into(), "Year Begin Paid End".into())
        );
        assert_eq!(rows(&text, &tables[1])[1], ["2021", "", "602", "-258", "344"]);
    }

    #[test]
    fn a_table_without_header_has_that_of_the_table_above() {
        let names = |text: &str, strategy| {
            let tables = find(text, strategy);
            let columns = &tables.last().unwrap().layout.columns;
            columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>().join(" ")
        };
        let assets = "| (in thousands) | 2018 | 2017 |\n| - | - | - |\n| Cash | 1 | 2 |\n| Sum | 3 | 4 |\n";
        let debts = "| Debt | 5 | 6 |\n| - | - | - |\n| Other | 7 | 8 |\n";
        let text = format!("{assets}\nLiabilities\n\n{debts}");
        assert_eq!(names(&text, ChunkStrategy::Layout), "label 2018 2017");
        assert_eq!(find(&text, ChunkStrategy::Layout)[1].layout.columns[1].scale, Some(1000));
        let text = format!("{assets}\nThe liabilities at the end of 2016.\n\n{debts}");
        assert_eq!(names(&text, ChunkStrategy::Layout), "label column_2 column_3");
        // Elsewhere only that of a table that is nothing but a header: a blank row of a sheet is below it.
        assert_eq!(names(&format!("{assets}\n{debts}"), ChunkStrategy::Markdown), "label column_2 column_3");
        let alone = "| n | square |\n| - | - |\n\n| 1 | 1 |\n| - | - |\n| 2 | 4 |\n";
        assert_eq!(names(alone, ChunkStrategy::Markdown), "n square");
    }

    #[test]
    fn a_document_decides_what_its_columns_leave_open() {
        let text = "| a | b |\n| - | - |\n| x | 1.234 |\n| y | 5.678 |\n\n## n\n\n| c | d |\n| - | - |\n| x | 1,5 |\n";
        let tables = find(text, ChunkStrategy::Markdown);
        assert_eq!(rows(text, &tables[0]), [["'x'", "1234"], ["'y'", "5678"]]);
        // Of a report with points, two notes in a column of their own say nothing about the amounts beside them.
        let text = "| a | b |\n| - | - |\n| x | 1.5 |\n| y | 2.25 |\n\n## n\n\n| c | d | |\n| - | - | - |\n| x | 1,147 | 1,2 |\n| y | 1,783 | 1 |\n";
        let tables = find(text, ChunkStrategy::Markdown);
        assert!(!tables[1].layout.columns[1].decimal_comma);
        assert_eq!(rows(text, &tables[1])[1][1], "1783");
    }
}
