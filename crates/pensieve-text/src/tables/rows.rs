//! Lines of a text to rows of cells.

use super::value::{NumberStyle, is_currency, is_nothing, with_number};
use crate::chunk::record_starts;
use crate::model::Span;
use crate::text::markdown::heading_words;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableSyntax {
    /// Lines of Markdown, with cells between pipes.
    Pipes,
    /// Records, with fields between this character.
    Delimited(char),
}

/// More cells of one row are not told apart.
const MAX_CELLS: usize = 4096;

/// The cells of a row, as bytes of its line, without the white space around them.
pub(super) fn cells_of(line: &str, syntax: TableSyntax) -> Vec<Span> {
    match syntax {
        TableSyntax::Pipes => piped_cells(line),
        TableSyntax::Delimited(mark) => fields(line, mark as u8),
    }
}

fn trimmed(line: &str, start: usize, end: usize) -> Span {
    let cell = &line[start..end];
    let from = start + cell.len() - cell.trim_start().len();
    Span::new(from, (from + cell.trim().len()).max(from))
}

fn piped_cells(line: &str) -> Vec<Span> {
    let row = trimmed(line, 0, line.len());
    let bytes = line.as_bytes();
    let mut cells = Vec::new();
    let mut start = row.start + usize::from(bytes.get(row.start) == Some(&b'|'));
    let mut at = start;
    while at < row.end && cells.len() < MAX_CELLS {
        match bytes[at] {
            b'\\' => at += 1,
            b'|' => {
                cells.push(trimmed(line, start, at));
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if start < row.end {
        cells.push(trimmed(line, start, row.end));
    }
    cells
}

/// The bytes of a record without its line end. White space before it may be separators, or keep a quote from being closed.
pub(super) fn record_bytes(line: &str) -> usize {
    line.trim_end_matches(['\n', '\r']).len()
}

/// The fields of a record; those in quotes without them.
fn fields(line: &str, mark: u8) -> Vec<Span> {
    let bytes = &line.as_bytes()[..record_bytes(line)];
    let mut cells = Vec::new();
    let mut at = 0;
    loop {
        let end = field_end(bytes, at, mark);
        let cell = trimmed(line, at, end);
        let is_quoted = cell.len() >= 2 && bytes[cell.start] == b'"' && bytes[cell.end - 1] == b'"';
        cells.push(if is_quoted { Span::new(cell.start + 1, cell.end - 1) } else { cell });
        if end >= bytes.len() || cells.len() == MAX_CELLS {
            return cells;
        }
        at = end + 1;
    }
}

/// The end of the field that begins at `at`. A quote that is never closed is a character like others.
fn field_end(bytes: &[u8], at: usize, mark: u8) -> usize {
    let plain = |from: usize| memchr::memchr(mark, &bytes[from..]).map_or(bytes.len(), |by| from + by);
    if bytes.get(at) != Some(&b'"') {
        return plain(at);
    }
    let mut next = at + 1;
    while let Some(by) = memchr::memchr(b'"', &bytes[next..]) {
        next += by + 1;
        match bytes.get(next) {
            Some(b'"') => next += 1,
            None => return next,
            Some(byte) if *byte == mark => return next,
            Some(_) => return plain(at),
        }
    }
    plain(at)
}

/// How the cells of a page's rows are divided, where its columns stand so near to each other that numbers of several
/// share a cell.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CellDivision {
    /// Into how many cells each cell is divided; the first one into its label and the numbers after it. Empty where nothing is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<usize>,
    /// True if a mark separates groups of digits: then a space never does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_marks: bool,
}

impl CellDivision {
    /// True if all cells stay as they are.
    pub fn is_empty(&self) -> bool {
        self.splits.is_empty()
    }
}

/// The cells of a row, divided.
pub(super) fn divided(line: &str, cells: Vec<Span>, division: &CellDivision) -> Vec<Span> {
    if division.is_empty() {
        return cells;
    }
    if let Some(whole) = whole_row(line, &cells, division) {
        return whole;
    }
    let mut divided: Vec<Span> = Vec::with_capacity(cells.len());
    for (at, cell) in cells.iter().enumerate() {
        let count = division.splits.get(at).copied().unwrap_or(1);
        if count == 1 {
            divided.push(*cell);
            continue;
        }
        let parts = match at {
            0 => label_and_numbers(line, *cell, count - 1),
            _ => numbers_of(line, *cell, true).filter(|parts| parts.len() == count).or_else(|| {
                // Names of the columns, of a word each.
                let words = words_of_cell(line, *cell);
                let has_digits = line[cell.range()].bytes().any(|byte| byte.is_ascii_digit());
                (words.len() == count && !has_digits).then_some(words)
            }),
        };
        match parts {
            Some(parts) => divided.extend(parts),
            None => {
                divided.push(*cell);
                divided.extend(std::iter::repeat_n(Span::new(cell.end, cell.end), count - 1));
            }
        }
    }
    // Elsewhere the cells beside them are empty.
    for at in 1..divided.len() {
        let Some(parts) = numbers_of(line, divided[at], division.has_marks) else { continue };
        let others = parts.len() - 1;
        let is_free = |cells: &[Span]| cells.iter().rev().take_while(|cell| cell.is_empty()).count();
        let before = is_free(&divided[1..at]);
        let after = divided[at + 1..].iter().take_while(|cell| cell.is_empty()).count();
        let first = match (before >= others, after >= others) {
            (true, false) if after == 0 => at - others,
            (false, true) if before == 0 => at,
            _ => continue,
        };
        divided[first..=first + others].copy_from_slice(&parts);
    }
    divided
}

/// The cells of a row that has a number for every column behind its label, in whatever cells they stand. Numbers behind a
/// label are amounts only if they are written as such: `Level 3` and `Tax Act of 2017` are labels.
fn whole_row(line: &str, cells: &[Span], division: &CellDivision) -> Option<Vec<Span>> {
    let columns = division.splits.iter().sum::<usize>();
    let (label, others) = cells.split_first()?;
    let parts = parts_of(line, *label);
    let is_amount = |part: &(Span, bool)| part.1 && is_amount(&line[part.0.range()]);
    let behind = parts.iter().rev().take_while(|part| is_amount(part)).count();
    let mut numbers: Vec<Span> = parts[parts.len() - behind..].iter().map(|part| part.0).collect();
    let mut is_shared = behind > 0;
    for cell in others.iter().filter(|cell| !cell.is_empty()) {
        match numbers_of(line, *cell, division.has_marks) {
            Some(parts) => {
                is_shared = true;
                numbers.extend(parts);
            }
            None => numbers.push(*cell),
        }
    }
    let name = &parts[..parts.len() - behind];
    let label = Span::new(label.start, name.last()?.0.end);
    (is_shared && numbers.len() + 1 == columns).then(|| std::iter::once(label).chain(numbers).collect())
}

/// True for a number that is written as an amount: `1,933`, `$ 5`, `2.6`, `9%`. `5`, `5.` and `2021` may be names.
fn is_amount(text: &str) -> bool {
    let has_mark =
        text.as_bytes().windows(2).any(|pair| matches!(pair[0], b',' | b'.') && pair[1].is_ascii_digit());
    has_mark || text.contains('%') || text.chars().any(|c| is_currency(c.encode_utf8(&mut [0; 4])))
}

/// A label and so many numbers after it.
pub(super) fn label_and_numbers(line: &str, cell: Span, count: usize) -> Option<Vec<Span>> {
    let parts = parts_of(line, cell);
    let name = parts.len().checked_sub(count).filter(|name| *name > 0)?;
    let numbers = &parts[name..];
    let label = Span::new(cell.start, parts[name - 1].0.end);
    numbers
        .iter()
        .all(|part| part.1)
        .then(|| std::iter::once(label).chain(numbers.iter().map(|part| part.0)).collect())
}

/// How many numbers stand after a label at the end of a cell, and whether one of them is an amount for certain.
pub(super) fn numbers_behind(line: &str, cell: Span) -> (usize, bool) {
    let parts = parts_of(line, cell);
    let count = parts.iter().rev().take_while(|part| part.1).count();
    let has_amount = parts[parts.len() - count..].iter().any(|part| is_amount(&line[part.0.range()]));
    if count < parts.len() { (count, has_amount) } else { (0, false) }
}

fn words_of_cell(line: &str, cell: Span) -> Vec<Span> {
    let text = &line[cell.range()];
    let place = |word: &str| cell.start + (word.as_ptr() as usize - text.as_ptr() as usize);
    text.split_whitespace().map(|word| Span::new(place(word), place(word) + word.len())).collect()
}

/// The words of a cell, those of one number together, and whether each is a number.
fn parts_of(line: &str, cell: Span) -> Vec<(Span, bool)> {
    let mut parts: Vec<Span> = Vec::new();
    let mut is_open = false;
    for word in words_of_cell(line, cell) {
        let text = &line[word.range()];
        match parts.last_mut() {
            Some(last) if is_open || matches!(text, "%" | ")" | ")%") => last.end = word.end,
            _ => parts.push(word),
        }
        is_open = is_currency(text) || matches!(text, "(" | "$(");
    }
    let is_number = |part: Span| {
        let text = &line[part.range()];
        is_nothing(text) || with_number(text, |number| number.value(NumberStyle::Point)).flatten().is_some()
    };
    let mut found: Vec<(Span, bool)> = Vec::with_capacity(parts.len());
    for part in parts {
        found.push((part, is_number(part)));
        // A range is one cell. Who writes nothing as such a dash keeps the two numbers around it in one.
        if let [.., first, dash, last] = &found[..]
            && first.1
            && last.1
            && matches!(&line[dash.0.range()], "-" | "–")
        {
            let range = Span::new(first.0.start, last.0.end);
            found.truncate(found.len() - 3);
            found.push((range, false));
        }
    }
    found
}

/// The numbers that stand side by side in a cell, two or more; `None` if there is anything else. Groups of three digits are
/// numbers only if a space separates no groups: `1 234` may be one.
pub(super) fn numbers_of(line: &str, cell: Span, has_marks: bool) -> Option<Vec<Span>> {
    let parts = parts_of(line, cell);
    let is_digits = |part: Span| line[part.range()].bytes().all(|byte| byte.is_ascii_digit());
    let is_group = |(at, (part, _)): (usize, &(Span, bool))| {
        is_digits(*part) && (part.len() == 3 || at == 0 && part.len() < 3)
    };
    let is_whole = || parts.iter().enumerate().all(is_group);
    let is_all = parts.len() > 1 && parts.iter().all(|part| part.1);
    (is_all && (has_marks || !is_whole())).then(|| parts.iter().map(|part| part.0).collect())
}

/// What a person sees in a cell.
pub(super) fn shown(cell: &str, syntax: TableSyntax) -> Cow<'_, str> {
    match syntax {
        TableSyntax::Delimited(_) if cell.contains("\"\"") => Cow::Owned(cell.replace("\"\"", "\"")),
        TableSyntax::Pipes if cell.bytes().any(|byte| matches!(byte, b'\\' | b'*' | b'`' | b'[')) => {
            Cow::Owned(words_of(cell))
        }
        _ => Cow::Borrowed(cell),
    }
}

/// The words of a cell of Markdown; the mark of a footnote and a lone star stay.
fn words_of(cell: &str) -> String {
    let is_plain = |cell: &str| !cell.contains("](") && !cell.contains('`') && !cell.contains("**");
    if is_plain(cell) && !cell.starts_with('*') {
        return cell
            .replace("\\|", "|")
            .replace("\\*", "*")
            .replace("\\_", "_")
            .replace("\\$", "$")
            .replace("\\\\", "\\");
    }
    heading_words(cell)
}

/// True for the line under the header of a table of Markdown.
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains('-')
        && line.contains('|')
        && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// Divides a text that comes in pieces into lines or records, with their places.
#[derive(Debug, Default)]
pub(super) struct RowFeed {
    /// The beginning of a row that is not complete.
    carry: String,
    at: usize,
}

/// A row that is longer is cut: it is no row of a table.
const MAX_ROW_BYTES: usize = 4 << 20;

impl RowFeed {
    /// Rows of a text whose first byte is at `at`.
    pub fn new(at: usize) -> RowFeed {
        RowFeed { carry: String::new(), at }
    }

    /// Passes the rows that are complete to `each`, with the place of their first byte.
    pub fn push(&mut self, text: &str, is_records: bool, each: &mut dyn FnMut(usize, &str)) {
        if self.carry.is_empty() {
            let rest = self.pass(text, is_records, each);
            self.carry.push_str(rest);
            return;
        }
        let mut joined = std::mem::take(&mut self.carry);
        joined.push_str(text);
        let rest = self.pass(&joined, is_records, each).len();
        self.carry = joined.split_off(joined.len() - rest);
    }

    /// Passes the last row.
    pub fn finish(&mut self, each: &mut dyn FnMut(usize, &str)) {
        let rest = std::mem::take(&mut self.carry);
        if !rest.is_empty() {
            each(self.at, &rest);
            self.at += rest.len();
        }
    }

    /// Passes complete rows; returns what is left.
    fn pass<'t>(&mut self, text: &'t str, is_records: bool, each: &mut dyn FnMut(usize, &str)) -> &'t str {
        let mut from = 0;
        let mut row = |from: &mut usize, to: usize| {
            each(self.at, &text[*from..to]);
            self.at += to - *from;
            *from = to;
        };
        match is_records {
            true => record_starts(text).into_iter().for_each(|start| row(&mut from, start)),
            false => memchr::memchr_iter(b'\n', text.as_bytes()).for_each(|end| row(&mut from, end + 1)),
        }
        if from < text.len() && (text.len() - from > MAX_ROW_BYTES || is_records && text.ends_with('\n')) {
            row(&mut from, text.len());
        }
        &text[from..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_their_bytes() {
        let check = |line: &str, syntax, expected: &[&str]| {
            let cells: Vec<String> = cells_of(line, syntax)
                .into_iter()
                .map(|cell| shown(&line[cell.range()], syntax).into_owned())
                .collect();
            assert_eq!(cells, expected, "{line}");
        };
        check("| a | **b** c |\n", TableSyntax::Pipes, &["a", "b c"]);
        check("a | b\\|c |  |", TableSyntax::Pipes, &["a", "b|c", ""]);
        check("| 12.5* | [x](y) |", TableSyntax::Pipes, &["12.5*", "x"]);
        check("a,\"b \"\"q\"\", c\",\n", TableSyntax::Delimited(','), &["a", "b \"q\", c", ""]);
        check("\"open,b", TableSyntax::Delimited(','), &["\"open", "b"]);
        check("é\tß", TableSyntax::Delimited('\t'), &["é", "ß"]);
    }

    #[test]
    fn numbers_that_share_a_cell_are_divided() {
        let check = |line: &str, splits: &[usize], expected: &[&str]| {
            let division = CellDivision { splits: splits.to_vec(), has_marks: line.contains(',') };
            let cells = divided(line, cells_of(line, TableSyntax::Pipes), &division);
            assert_eq!(cells.iter().map(|cell| &line[cell.range()]).collect::<Vec<_>>(), expected, "{line}");
        };
        check("| Total | $ 7,000 $ (7,548) — |", &[1, 3], &["Total", "$ 7,000", "$ (7,548)", "—"]);
        check("| Tax | 860 784 |", &[1, 2], &["Tax", "860", "784"]);
        check("| (Millions) | 2018 2017 |", &[1, 2], &["(Millions)", "2018", "2017"]);
        check("| Tax | none |", &[1, 2], &["Tax", "none", ""]);
        check("| Sum | | 481.4 452.9 |", &[1, 1, 1], &["Sum", "481.4", "452.9"]);
        check("| Sum | 481.4 452.9 | |", &[1, 1, 1], &["Sum", "481.4", "452.9"]);
        check("| Sum | | 481 452 |", &[1, 1, 1], &["Sum", "", "481 452"]);
        check("| Sum | 5 | 481.4 452.9 |", &[1, 1, 1], &["Sum", "5", "481.4 452.9"]);
        check("| Sum | 5 1 | | |", &[1, 1, 1, 1], &["Sum", "5", "1", ""]);
        check("| Sum | | | 5 1 |", &[1, 1, 1, 1], &["Sum", "", "5", "1"]);
        check("| Sum | | 5 1 | |", &[1, 1, 1, 1], &["Sum", "", "5 1", ""]);
        check("| a, b | 228 204 | |", &[1, 1, 1], &["a, b", "228", "204"]);
        check("| Loss | (107) 329 | |", &[1, 1, 1], &["Loss", "(107)", "329"]);
        // Behind the label, in most rows and in one.
        check("| Net income $ 1,933 4,240 | 3,760 |", &[3, 1], &["Net income", "$ 1,933", "4,240", "3,760"]);
        check("| Notes due 2025 75 27 | 15 |", &[3, 1], &["Notes due 2025", "75", "27", "15"]);
        check("| At May 31, | |", &[3, 1], &["At May 31,", "", "", ""]);
        check(
            "| Income 1,933 | 290 2,223 (95) | | | |",
            &[1, 1, 1, 1, 1],
            &["Income", "1,933", "290", "2,223", "(95)"],
        );
        check(
            "| Deduction (2.6) | (170) 21.0 % |  |",
            &[1, 1, 1, 1],
            &["Deduction", "(2.6)", "(170)", "21.0 %"],
        );
        check("| Level 3 | 5.1 | 6.2 | |", &[1, 1, 1, 1], &["Level 3", "5.1", "6.2", ""]);
        check("| Tax Act of 2017 | 5 | |", &[1, 1, 1], &["Tax Act of 2017", "5", ""]);
        check("| Iowa | 1.27 - 1.42 | | |", &[1, 1, 1, 1], &["Iowa", "1.27 - 1.42", "", ""]);
        check("| Iowa | 1.27 – 1.42 | 1.5 |", &[1, 3, 1], &["Iowa", "1.27 – 1.42", "", "", "1.5"]);
        check("| Cash | $ 5 — $ 7 | |", &[1, 3, 1], &["Cash", "$ 5", "—", "$ 7", ""]);
    }

    #[test]
    fn rows_do_not_depend_on_pieces() {
        let text = "a,b\n1,\"x\ny\"\n2,z";
        for cut in 0..=text.len() {
            let mut rows = Vec::new();
            let mut feed = RowFeed::new(0);
            let mut each = |at: usize, row: &str| rows.push((at, row.to_owned()));
            feed.push(&text[..cut], true, &mut each);
            feed.push(&text[cut..], true, &mut each);
            feed.finish(&mut each);
            // A cut after a quoted line end leaves two rows; segments end with whole records.
            if !(5..12).contains(&cut) {
                assert_eq!(rows.iter().map(|(_, row)| row.as_str()).collect::<String>(), text);
                assert_eq!(rows.len(), 3, "{cut} {rows:?}");
            }
        }
    }
}
