//! Lines that may be headers, footers or page numbers: those in the band at the top and bottom of the page, and farther
//! inside those with blank space between them and the text, as where margins are wide; and the last line of a page that ends
//! above its edge, as where a web page was printed.

use crate::layout::input::options::{LayoutOptions, percent};
use crate::layout::lines::text_line::{RegionEntry, TextLine};
use crate::layout::ordered_page::{InsetContent, OrderedPage};
use crate::text::roman::from_roman;

/// Maximum lines of one page in each band.
const MAX_BAND_LINES: usize = 12;

/// Maximum cells of one line.
const MAX_CELLS: usize = 8;

/// How much deeper lines may be that blank space separates from the text, in percent of the band.
const OUTER_BAND_PERCENT: usize = 170;

/// That space from baseline to baseline, in font sizes.
pub(super) const MIN_SPACE: f32 = 1.8;

/// The distance of two lines of one text or table, in font sizes.
pub(super) const MAX_CONTINUED_DISTANCE: f32 = 1.6;

/// Points by which lines on one baseline may differ.
pub(super) const SAME_BASELINE_POINTS: f64 = 2.0;

/// A line in a band, or a cell of one, separated from the rest by a wide gap.
pub(crate) struct FurnitureCandidate<'s> {
    pub(crate) sheet: usize,
    pub(crate) line: &'s TextLine,
    pub(crate) text: &'s str,
    pub(crate) key: String,
    pub(crate) is_header: bool,
    /// True for the last line of a page that ends above the band.
    pub(crate) is_inside: bool,
}

/// The lines of all pages that may be furniture, cell by cell.
pub(crate) fn candidates<'s>(
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
        // A page that has only its running head would have it as its footer, too.
        if footers.is_empty() && headers.len() < lines.len() {
            candidates.extend(last_line(sheet, at, &lines));
        }
        let all = headers.into_iter().map(|line| (line, true));
        for (line, is_header) in all.chain(footers.into_iter().map(|line| (line, false))) {
            for text in cells(line) {
                let key = key_of(text);
                candidates.push(FurnitureCandidate {
                    sheet: at,
                    line,
                    text,
                    key,
                    is_header,
                    is_inside: false,
                });
            }
        }
    }
    candidates
}

/// The last of the lines of a page, if it has a number, something stands above it, and nothing beside or below it.
fn last_line<'s>(
    sheet: &'s OrderedPage,
    at: usize,
    lines_upwards: &[&'s TextLine],
) -> Option<FurnitureCandidate<'s>> {
    let (line, above) = lines_upwards.split_first()?;
    let tables = || {
        sheet.insets.iter().filter_map(|content| match content {
            InsetContent::Table(table) => Some(table.bounds()),
            InsetContent::Box(_) => None,
        })
    };
    let is_beside = |other: &&TextLine| f64::from((line.base - other.base).abs()) <= SAME_BASELINE_POINTS;
    // A page that is only a number would lose it.
    let has_more_above = above.first().map_or(tables().next().is_some(), |other| !is_beside(other));
    let is_last = has_more_above && tables().all(|bounds| bounds.y1 <= line.bounds.y1);
    let key = key_of(&line.text);
    (is_last && key.contains('#')).then_some(FurnitureCandidate {
        sheet: at,
        line,
        text: &line.text,
        key,
        is_header: false,
        is_inside: true,
    })
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
        // A page may have nothing but a running head.
        let is_alone = row.len() == lines.len();
        let is_apart =
            below.first().map_or(is_alone, |next| (next.base - first.base).abs() >= MIN_SPACE * first.size);
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
pub(crate) fn lines(sheet: &OrderedPage) -> impl Iterator<Item = &TextLine> {
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

/// The texts of a line between wide gaps.
pub(super) fn cells(line: &TextLine) -> Vec<&str> {
    if line.cells.is_empty() {
        return vec![line.text.as_str()];
    }
    let ends = line.cells.iter().skip(1).map(|cell| cell.0).chain([line.text.len()]);
    line.cells.iter().zip(ends).take(MAX_CELLS).map(|(cell, end)| line.text[cell.0..end].trim()).collect()
}

/// The text in lower case with `#` for each number; `#` alone for a page number with its ornaments.
pub(super) fn key_of(text: &str) -> String {
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

/// The last number of a text; of a page number with its ornaments, that.
pub(super) fn last_number_in(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    number_in(text).or_else(|| number_in(digits.rsplit(|c: char| !c.is_ascii_digit()).next()?))
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

    #[test]
    fn numerals_may_have_ornaments_and_few_letters() {
        for (text, expected) in [
            ("[12]", Some(12)),
            ("— 12 —", Some(12)),
            ("• 12.", Some(12)),
            ("(iv)", Some(4)),
            ("12345678", Some(12_345_678)),
            ("123456789", None),
            ("", None),
            ("- -", None),
            ("+12", None),
            ("1 2", None),
        ] {
            assert_eq!(number_in(text), expected, "{text}");
        }
    }

    #[test]
    fn keys_are_alike_where_only_numbers_and_blanks_differ() {
        for (text, expected) in [
            ("12", "#"),
            ("- IV -", "#"),
            ("Page 12  of 345", "page # of #"),
            ("Ch.1.2\tOil", "ch.#.# oil"),
            ("ÄB ½1", "äb #"),
            ("", ""),
        ] {
            assert_eq!(key_of(text), expected, "{text}");
        }
    }

    #[test]
    fn a_line_has_a_text_for_each_of_its_first_cells() {
        let line = |text: &str, starts: &[usize]| TextLine {
            text: text.to_owned(),
            cells: starts.iter().map(|at| (*at, 0.0, 0.0)).collect(),
            ..TextLine::default()
        };
        assert_eq!(cells(&line("one two ", &[])), ["one two "]);
        assert_eq!(cells(&line("one two ", &[0, 4])), ["one", "two"]);
        let starts: Vec<usize> = (0..10).map(|at| 2 * at).collect();
        assert_eq!(cells(&line("a b c d e f g h i j", &starts)), ["a", "b", "c", "d", "e", "f", "g", "h"]);
    }

    /// Lines of size 16 at these depths of their middles and on these baselines: how many are outer ones of a page that
    /// is 1000 points high?
    fn outer_of(lines: &[(f64, f32)]) -> usize {
        let line = |(depth, base): &(f64, f32)| TextLine {
            bounds: crate::layout::Bounds { x0: 0.0, y0: depth - 5.0, x1: 9.0, y1: depth + 5.0 },
            base: *base,
            size: 16.0,
            ..TextLine::default()
        };
        let lines: Vec<TextLine> = lines.iter().map(line).collect();
        let all: Vec<&TextLine> = lines.iter().collect();
        let middle = |line: &TextLine| (line.bounds.y0 + line.bounds.y1) / 2.0;
        outer(&all, 1000.0, &LayoutOptions::default(), middle).len()
    }

    #[test]
    fn outer_lines_are_in_the_band_or_before_blank_space() {
        let check = |lines: &[(f64, f32)], expected| assert_eq!(outer_of(lines), expected, "{lines:?}");
        check(&[], 0);
        check(&[(120.0, 120.0)], 1);
        check(&[(120.5, 120.0)], 1);
        check(&[(204.5, 204.0)], 0);
        check(&[(204.0, 204.0), (400.0, 204.0 + 1.8 * 16.0)], 1);
        check(&[(204.5, 204.0), (400.0, 204.0 + 1.8 * 16.0)], 0);
        check(&[(204.0, 204.0), (400.0, 232.5)], 0);
        check(&[(130.0, 130.0), (135.0, 132.0), (400.0, 400.0)], 2);
        check(&[(130.0, 130.0), (135.0, 132.5), (400.0, 400.0)], 0);
        check(&[(118.0, 118.0), (122.0, 119.0), (123.0, 125.0)], 1);
        check(&[(50.0, 50.0), (60.0, 60.0), (130.0, 130.0)], 2);
        check(&vec![(50.0, 50.0); 13], MAX_BAND_LINES);
        let many: Vec<(f64, f32)> = (0..13).map(|at| (5.0 * f64::from(at), 5.0 * at as f32)).collect();
        check(&many, MAX_BAND_LINES);
    }

    #[test]
    fn candidates_are_the_lines_of_both_bands_from_the_edge_inwards() {
        let entry = |text: &str, y: f64, is_turned: bool, rotation: i16| {
            let bounds = crate::layout::Bounds { x0: 0.0, y0: y, x1: 9.0, y1: y + 10.0 };
            let base = y as f32 + 8.0;
            let text = text.to_owned();
            RegionEntry::Line(TextLine {
                text,
                bounds,
                base,
                size: 10.0,
                is_turned,
                rotation,
                ..TextLine::default()
            })
        };
        let entries = vec![
            entry("Last 3", 780.0, false, 0),
            entry("Text", 400.0, false, 0),
            entry("Second", 30.0, true, 0),
            entry("First", 10.0, false, 90),
            entry("Turned", 20.0, true, 90),
            entry("Foot", 760.0, false, 0),
        ];
        let sheet =
            OrderedPage { number: 4, height: 800.0, regions: vec![entries], ..OrderedPage::default() };
        let sheets = [OrderedPage::default(), sheet];
        let found = candidates(&sheets, &LayoutOptions::default());
        let found: Vec<(usize, &str, &str, bool)> = found
            .iter()
            .map(|found| (found.sheet, found.text, found.key.as_str(), found.is_header))
            .collect();
        let expected = [
            (1, "First", "first", true),
            (1, "Second", "second", true),
            (1, "Last 3", "last #", false),
            (1, "Foot", "foot", false),
        ];
        assert_eq!(found, expected);
    }
}
