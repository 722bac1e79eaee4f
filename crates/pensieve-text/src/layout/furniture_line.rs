//! Lines that may be headers, footers or page numbers: those in the band at the top and bottom of the page, and farther
//! inside those with blank space between them and the text, as where margins are wide.

use super::lines::{RegionEntry, TextLine};
use super::options::{LayoutOptions, percent};
use super::ordered_page::{InsetContent, OrderedPage};
use crate::text::roman::from_roman;

/// Maximum lines of one page in each band.
const MAX_BAND_LINES: usize = 12;

/// Maximum cells of one line.
const MAX_CELLS: usize = 8;

/// How much deeper lines may be that blank space separates from the text, in percent of the band.
const OUTER_BAND_PERCENT: usize = 170;

/// That space from baseline to baseline, in font sizes.
const MIN_SPACE: f32 = 1.8;

/// Points by which lines on one baseline may differ.
pub(super) const SAME_BASELINE_POINTS: f64 = 2.0;

/// A line in a band, or a cell of one, separated from the rest by a wide gap.
pub(super) struct FurnitureCandidate<'s> {
    pub(super) sheet: usize,
    pub(super) line: &'s TextLine,
    pub(super) text: &'s str,
    pub(super) key: String,
    pub(super) is_header: bool,
}

/// The lines of all pages that may be furniture, cell by cell.
pub(super) fn candidates<'s>(
    sheets: &'s [OrderedPage],
    options: &LayoutOptions,
) -> Vec<FurnitureCandidate<'s>> {
    let mut candidates = Vec::new();
    for (at, sheet) in sheets.iter().enumerate() {
        let mut lines: Vec<&TextLine> =
            lines(sheet).filter(|line| !line.is_turned || line.rotation == 0).collect();
        lines.sort_by(|a, b| a.bounds.y0.total_cmp(&b.bounds.y0));
        let depth = |line: &TextLine| (line.bounds.y0 + line.bounds.y1) / 2.0;
        let headers = outer(&lines, sheet.height, options, depth);
        lines.reverse();
        let footers = outer(&lines, sheet.height, options, |line| sheet.height - depth(line));
        let all = headers.into_iter().map(|line| (line, true));
        for (line, is_header) in all.chain(footers.into_iter().map(|line| (line, false))) {
            for text in cells(line) {
                let key = key_of(text);
                candidates.push(FurnitureCandidate { sheet: at, line, text, key, is_header });
            }
        }
    }
    candidates
}

/// The first of these lines, which are sorted from an edge of the page: those in the band, and row by row those after
/// which blank space begins.
fn outer<'s>(
    lines: &[&'s TextLine],
    height: f64,
    options: &LayoutOptions,
    depth: impl Fn(&TextLine) -> f64,
) -> Vec<&'s TextLine> {
    let band = percent(height, options.furniture_band);
    let mut found = Vec::new();
    let is_same_row = |a: &TextLine, b: &TextLine| f64::from((a.base - b.base).abs()) <= SAME_BASELINE_POINTS;
    let mut rest = lines;
    while let Some((first, _)) = rest.split_first().filter(|_| found.len() < MAX_BAND_LINES) {
        let (row, below) = rest.split_at(rest.iter().take_while(|line| is_same_row(first, line)).count());
        let is_apart =
            below.first().is_some_and(|next| (next.base - first.base).abs() >= MIN_SPACE * first.size);
        let is_near = is_apart && depth(first) <= percent(band, OUTER_BAND_PERCENT);
        let taken = row.iter().copied().filter(|line| is_near || depth(line) <= band);
        let before = found.len();
        found.extend(taken.take(MAX_BAND_LINES - before));
        if found.len() == before {
            break;
        }
        rest = below;
    }
    found
}

/// The lines of a page, those in boxes last.
pub(super) fn lines(sheet: &OrderedPage) -> impl Iterator<Item = &TextLine> {
    let free = sheet.regions.iter().flatten().filter_map(|entry| match entry {
        RegionEntry::Line(line) => Some(line),
        RegionEntry::Inset(_) => None,
    });
    let boxed = sheet.insets.iter().flat_map(|content| match content {
        InsetContent::Box(regions) => regions.iter().flatten().collect::<Vec<_>>(),
        InsetContent::Table(_) => Vec::new(),
    });
    free.chain(boxed)
}

fn cells(line: &TextLine) -> Vec<&str> {
    if line.cells.is_empty() {
        return vec![line.text.as_str()];
    }
    let ends = line.cells.iter().skip(1).map(|cell| cell.0).chain([line.text.len()]);
    line.cells.iter().zip(ends).take(MAX_CELLS).map(|(cell, end)| line.text[cell.0..end].trim()).collect()
}

/// The text in lower case with `#` for each number; `#` alone for a page number with its ornaments.
fn key_of(text: &str) -> String {
    if number_in(text).is_some() {
        return "#".to_owned();
    }
    let mut key = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            c if c.is_numeric() => {
                if !key.ends_with('#') {
                    key.push('#');
                }
            }
            c if c.is_whitespace() => {
                if !key.ends_with(' ') {
                    key.push(' ');
                }
            }
            c => key.push(c),
        }
    }
    key
}

/// The number, Arabic or Roman, that a text consists of, apart from dashes and brackets around it.
pub(super) fn number_in(text: &str) -> Option<i64> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "-–—|·•[]()./".contains(c));
    if text.is_empty() || text.len() > 8 {
        return None;
    }
    match text.parse::<i64>() {
        Ok(number) if text.bytes().all(|b| b.is_ascii_digit()) => Some(number),
        _ => from_roman(text).map(i64::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals() {
        let all = ["12", "- 3 -", "xiv", "IX", "1999999999", "mix", "Ix", "x1"].map(number_in);
        assert_eq!(all, [Some(12), Some(3), Some(14), Some(9), None, Some(1009), None, None]);
    }
}
