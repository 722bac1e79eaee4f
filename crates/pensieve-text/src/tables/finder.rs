//! Finds the tables of a text that streams through.

use super::columns::{CellShape, ColumnKind, ColumnTally, TableColumn, TableLayout};
use super::header::{column_names, header_rows, scale_of, unit_of};
use super::reader::is_section_row;
use super::rows::{RowFeed, TableSyntax, cells_of, divided, is_rule, numbers_of, shown};
use crate::chunk::{HEADING_SEPARATOR, HeadingPath};
use crate::layout::is_table_caption;
use crate::model::{ChunkStrategy, Span};
use crate::text::markdown::{FencePosition, FenceTracker, atx_heading, heading_words};
use std::collections::BTreeSet;

/// Rows by which the header is decided. More than a page of a statement has before its first number.
const HEAD_ROWS: usize = 16;
/// Lines above a table that may say what it is.
const LINES_ABOVE: usize = 4;
/// Characters of such a line, at most: what is longer is a paragraph.
const MAX_LINE_CHARS: usize = 160;
/// Bytes of labels that are kept for finding a table.
const MAX_LABEL_BYTES: usize = 1500;
/// A heading of a caption is below all others.
const CAPTION_LEVEL: usize = 7;
/// Records of a delimited text by which the separator is decided, and what may be one.
const SAMPLE_ROWS: usize = 20;
const DELIMITERS: [char; 4] = ['\t', ';', ',', '|'];

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTable {
    /// Its bytes of the text, from the first row of its header to its last row.
    pub span: Span,
    /// Its caption, or what stands above it.
    pub title: Option<String>,
    /// The headings above it.
    pub heading_path: Option<String>,
    /// How its cells are read.
    pub layout: TableLayout,
    /// Its rows, without those of the header.
    pub rows: usize,
    /// The labels of its rows, one a line, as far as they are kept.
    pub labels: String,
    /// True if the cells of a column are numbers and words by turns.
    pub is_mixed: bool,
}

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
    /// Records before the separator is known.
    sample: Vec<(usize, String)>,
    found: Vec<FoundTable>,
    undecided: Vec<(usize, usize)>,
    numbers: NumberEvidence,
}

/// How the numbers and dates of a whole document are written.
#[derive(Debug, Default)]
struct NumberEvidence {
    point: usize,
    comma: usize,
    day_first: usize,
    month_first: usize,
}

impl NumberEvidence {
    fn add(&mut self, tally: &ColumnTally) {
        self.point += tally.point;
        self.comma += tally.comma;
        self.day_first += tally.day_first;
        self.month_first += tally.month_first;
    }
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
            self.headings.enter(level, markup);
            self.above.clear();
            self.has_gap = true;
            return;
        }
        self.note(words);
    }

    /// Remembers a line that is part of no table.
    fn note(&mut self, words: &str) {
        // A table may go on behind a line that says so.
        let goes_on = words.chars().count() <= MAX_LINE_CHARS && words.to_lowercase().contains("continued");
        if !goes_on {
            self.settle();
        }
        if self.above.len() == LINES_ABOVE {
            self.above.remove(0);
        }
        let is_apart = std::mem::take(&mut self.has_gap);
        let text = if words.len() > 4 * MAX_LINE_CHARS { String::new() } else { words.trim().to_owned() };
        self.above.push(LineAbove { text, is_apart });
    }

    /// Begins a table, or goes on with the one that ended if the header is the same.
    fn begin(&mut self, start: usize, header: &str, end: usize) {
        if let Some(ended) =
            self.ended.take_if(|ended| ended.first_line == header.trim() && ended.can_go_on())
        {
            self.open = Some(TableDraft { end, ..ended });
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
        if let Some(table) = self
            .ended
            .take()
            .and_then(|draft| draft.finish(self.found.len(), &mut self.undecided, &mut self.numbers))
        {
            self.found.push(table);
        }
    }

    fn record(&mut self, at: usize, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        if let Some(open) = &mut self.open {
            open.add(line);
            open.end = at + line.trim_end().len();
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
            draft.end = at + line.trim_end().len();
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

/// A table whose rows are being read.
#[derive(Debug)]
struct TableDraft {
    start: usize,
    end: usize,
    syntax: TableSyntax,
    first_line: String,
    title: Option<String>,
    heading_path: Option<String>,
    scale: Option<u64>,
    /// The first rows, until it is decided which are the header; then the header.
    head: Vec<Vec<String>>,
    head_lines: Vec<String>,
    header_rows: Option<usize>,
    /// True on pages, where columns may share cells; then into how many each cell is divided.
    is_paged: bool,
    splits: Vec<usize>,
    /// True after the first line of a header, under which there is a line of dashes.
    expects_rule: bool,
    tallies: Vec<ColumnTally>,
    rows: usize,
    sections: usize,
    labels: BTreeSet<String>,
    label_text: String,
}

impl TableDraft {
    fn new(start: usize, syntax: TableSyntax, first_line: &str) -> TableDraft {
        TableDraft {
            start,
            end: start,
            syntax,
            first_line: first_line.to_owned(),
            title: None,
            heading_path: None,
            scale: None,
            head: Vec::new(),
            head_lines: Vec::new(),
            header_rows: None,
            is_paged: false,
            splits: Vec::new(),
            expects_rule: false,
            tallies: Vec::new(),
            rows: 0,
            sections: 0,
            labels: BTreeSet::new(),
            label_text: String::new(),
        }
    }

    /// True if an equal first line is its header, not a row that happens to come again.
    fn can_go_on(&self) -> bool {
        self.header_rows.unwrap_or_else(|| header_rows(&self.head, true)) > 0
    }

    /// True for lines that only repeat the header.
    fn skips(&mut self, words: &str) -> bool {
        let is_rule = is_rule(words) && std::mem::take(&mut self.expects_rule);
        let repeated = self.header_rows.and_then(|_| self.head_lines.iter().position(|known| known == words));
        self.expects_rule = repeated == Some(0);
        is_rule || repeated.is_some()
    }

    fn add(&mut self, line: &str) {
        if self.header_rows.is_some() {
            let spans = divided(line, cells_of(line, self.syntax), &self.splits);
            let is_section = is_section_row(&spans);
            let cells = spans.into_iter().map(|cell| shown(&line[cell.range()], self.syntax));
            let first = count_row(&mut self.tallies, cells);
            return self.count(&first, is_section);
        }
        self.head.push(self.cells(line));
        self.head_lines.push(line.trim().to_owned());
        if self.head.len() == HEAD_ROWS {
            self.decide();
        }
    }

    fn cells(&self, line: &str) -> Vec<String> {
        let spans = divided(line, cells_of(line, self.syntax), &self.splits);
        spans.into_iter().map(|cell| shown(&line[cell.range()], self.syntax).into_owned()).collect()
    }

    /// Into how many cells each is to be divided: as many as most of those with anything have numbers.
    fn find_splits(&self) -> Vec<usize> {
        let width = self.head.iter().map(Vec::len).max().unwrap_or(0);
        let mut counts: Vec<Vec<usize>> = vec![Vec::new(); width];
        for line in self.head_lines.iter().skip(1) {
            for (cell, counts) in
                cells_of(line, self.syntax).into_iter().zip(&mut counts).filter(|(cell, _)| !cell.is_empty())
            {
                counts.push(numbers_of(line, cell, true).map_or(1, |numbers| numbers.len()));
            }
        }
        let most = |counts: &Vec<usize>| {
            let count = counts
                .iter()
                .copied()
                .max_by_key(|count| counts.iter().filter(|other| *other == count).count());
            count
                .filter(|count| counts.iter().filter(|other| *other == count).count() * 2 > counts.len())
                .unwrap_or(1)
        };
        counts.iter().map(most).collect()
    }

    /// Decides which rows are the header, and counts the others.
    fn decide(&mut self) {
        if self.is_paged {
            self.splits = self.find_splits();
            self.head = self.head_lines.iter().map(|line| self.cells(line)).collect();
        }
        let rows = header_rows(&self.head, self.syntax == TableSyntax::Pipes);
        self.header_rows = Some(rows);
        let body = self.head.split_off(rows.min(self.head.len()));
        let lines = self.head_lines.split_off(self.head.len());
        for (row, line) in body.iter().zip(lines) {
            // As in the rows after them, a line that repeats the header is none.
            if self.syntax == TableSyntax::Pipes && self.head_lines.contains(&line) {
                continue;
            }
            let is_section = row.len() > 1 && !row[0].is_empty() && row[1..].iter().all(String::is_empty);
            let first = count_row(&mut self.tallies, row.iter().map(String::as_str));
            self.count(&first, is_section);
        }
    }

    fn count(&mut self, label: &str, is_section: bool) {
        self.rows += 1;
        self.sections += usize::from(is_section);
        let has_letters = label.chars().any(char::is_alphabetic);
        if has_letters
            && self.label_text.len() + label.len() < MAX_LABEL_BYTES
            && self.labels.insert(label.to_owned())
        {
            if !self.label_text.is_empty() {
                self.label_text.push('\n');
            }
            self.label_text.push_str(label);
        }
    }

    /// The table; `None` for what has no rows, or one column.
    fn finish(
        mut self,
        number: usize,
        undecided: &mut Vec<(usize, usize)>,
        numbers: &mut NumberEvidence,
    ) -> Option<FoundTable> {
        if self.header_rows.is_none() {
            self.decide();
        }
        let width = self.tallies.len().max(self.head.iter().map(Vec::len).max().unwrap_or(0));
        self.tallies.resize_with(width, ColumnTally::default);
        if self.rows == 0 || width < 2 {
            return None;
        }
        let groups = self.groups();
        let names = column_names(&self.head, &groups);
        let mut columns = Vec::with_capacity(groups.len());
        let mut own = NumberEvidence::default();
        self.tallies.iter().for_each(|tally| own.add(tally));
        self.tallies.iter().for_each(|tally| numbers.add(tally));
        let header_scale = self.head.iter().flatten().find_map(|cell| scale_of(cell));
        let mut is_mixed = false;
        // Who separates groups by a mark does not separate them by a space.
        let is_spaced = self.tallies.iter().all(|tally| tally.grouped == 0);
        for (name, cells) in names.into_iter().zip(groups) {
            let tally = main_tally(&self.tallies[cells.0..=cells.1]);
            let kind = tally.kind();
            is_mixed |= kind == ColumnKind::Mixed;
            let named_unit = unit_of(&name).map(str::to_owned);
            let kind = if kind == ColumnKind::Number && named_unit.as_deref() == Some("%") {
                ColumnKind::Percent
            } else {
                kind
            };
            let is_number = matches!(kind, ColumnKind::Number | ColumnKind::Mixed);
            let symbol = || self.tallies[cells.0..=cells.1].iter().find_map(|tally| tally.symbol.clone());
            let unit = tally.unit().or(named_unit).filter(|_| is_number);
            let unit = if is_number { unit.or_else(symbol) } else { None };
            let is_year = tally.years * 2 > tally.numbers;
            let spaced = is_spaced && tally.spaced > 0;
            let scale =
                if is_number && !is_year { scale_of(&name).or(header_scale).or(self.scale) } else { None };
            let is_open = match kind {
                ColumnKind::Date => tally.day_first == tally.month_first,
                _ => tally.either > 0 && tally.point == tally.comma,
            };
            let (comma, day) = if is_open {
                (own.comma > own.point, own.day_first > own.month_first)
            } else {
                (tally.comma > tally.point, tally.day_first > tally.month_first)
            };
            let is_settled = if kind == ColumnKind::Date {
                own.day_first != own.month_first
            } else {
                own.comma != own.point
            };
            if is_open && !is_settled {
                undecided.push((number, columns.len()));
            }
            columns.push(TableColumn {
                name,
                kind,
                unit,
                scale,
                decimal_comma: comma,
                spaced,
                day_first: day && kind == ColumnKind::Date,
                cells,
            });
        }
        let has_numbers =
            columns.iter().any(|column| matches!(column.kind, ColumnKind::Number | ColumnKind::Percent));
        let has_sections = self.syntax == TableSyntax::Pipes
            && has_numbers
            && self.sections > 0
            && self.sections * 2 <= self.rows;
        let layout = TableLayout {
            syntax: self.syntax,
            columns,
            header_rows: self.head.len(),
            splits: self.splits,
            has_sections,
        };
        let (title, heading_path) = (self.title, self.heading_path);
        Some(FoundTable {
            span: Span::new(self.start, self.end),
            title,
            heading_path,
            layout,
            rows: self.rows,
            labels: self.label_text,
            is_mixed,
        })
    }

    /// The cells of a row that make one column: a currency belongs to the number on its right, what closes a number to the one on its
    /// left.
    fn groups(&self) -> Vec<(usize, usize)> {
        let mut groups: Vec<(usize, usize)> = Vec::with_capacity(self.tallies.len());
        let mut opens = None;
        for (at, tally) in self.tallies.iter().enumerate() {
            // The cells between them may have a name and nothing else.
            let next = self.tallies[at + 1..].iter().find(|tally| !tally.is_empty());
            let next_is_number = next.is_some_and(ColumnTally::is_numeric);
            if (tally.has_only_currencies() || opens.is_some() && tally.is_empty()) && next_is_number {
                opens = opens.or(Some(at));
            } else if tally.has_only_closings() && at > 0 && self.tallies[at - 1].is_numeric() {
                if let Some(last) = groups.last_mut() {
                    last.1 = at;
                }
            } else {
                groups.push((opens.take().unwrap_or(at), at));
            }
        }
        groups
    }
}

/// Counts the cells of a row; returns its first cell.
fn count_row<T: AsRef<str>>(tallies: &mut Vec<ColumnTally>, cells: impl Iterator<Item = T>) -> String {
    let mut first = String::new();
    for (at, cell) in cells.enumerate() {
        if at == tallies.len() {
            tallies.push(ColumnTally::default());
        }
        let shape = tallies[at].add(cell.as_ref());
        if at == 0 && shape == CellShape::Text {
            cell.as_ref().trim().clone_into(&mut first);
        }
    }
    first
}

/// The counts of the cells that have values.
fn main_tally(group: &[ColumnTally]) -> &ColumnTally {
    group.iter().max_by_key(|tally| tally.filled).unwrap_or(&group[0])
}

#[cfg(test)]
mod tests {
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
        assert_eq!(find("{\"a\": 1, \"b\": 2}\n{\"a\": 1, \"b\": 3}\n", ChunkStrategy::Rows), []);
    }

    #[test]
    fn a_document_decides_what_its_columns_leave_open() {
        let text = "| a | b |\n| - | - |\n| x | 1.234 |\n| y | 5.678 |\n\n## n\n\n| c | d |\n| - | - |\n| x | 1,5 |\n";
        let tables = find(text, ChunkStrategy::Markdown);
        assert_eq!(rows(text, &tables[0]), [["'x'", "1234"], ["'y'", "5678"]]);
    }
}
