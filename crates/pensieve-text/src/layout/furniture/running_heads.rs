//! Titles at the top of pages apart from running heads: what has the size or weight of a title is a running head only
//! if it is the same on pages near each other, or counts with the pages.

use super::candidate_lines::{FurnitureCandidate, lines, number_in};
use crate::layout::input::options::LayoutOptions;
use crate::layout::lines::text_line::TextLine;
use crate::layout::ordered_page::OrderedPage;
use rustc_hash::FxHashMap;

/// What the lines of headings have and those of the text do not: size or weight.
pub(super) struct TitleStyle {
    size: f32,
    is_bold: bool,
}

impl TitleStyle {
    /// The style of these pages.
    pub(crate) fn new(sheets: &[OrderedPage], options: &LayoutOptions) -> TitleStyle {
        let mut uses: FxHashMap<(i64, bool), usize> = FxHashMap::default();
        for line in sheets.iter().flat_map(lines) {
            *uses.entry(((line.size * 10.0) as i64, line.is_bold)).or_default() += line.text.len();
        }
        let most = uses.into_iter().max_by_key(|(style, uses)| (*uses, *style)).map(|(style, _)| style);
        let (size, is_bold) = most.unwrap_or_default();
        TitleStyle { size: size as f32 / 1000.0 * options.heading_size as f32, is_bold }
    }

    /// True for a line that is larger or bolder than the text.
    pub(crate) fn has(&self, line: &TextLine) -> bool {
        self.is_large(line) || line.is_bold && !self.is_bold
    }

    /// True for a line that is larger.
    pub(crate) fn is_large(&self, line: &TextLine) -> bool {
        line.size >= self.size
    }
}

/// True if most lines have the same text as others on at least a third of the pages from the first to the last of
/// these, as running heads do. `Chapter 4` occurs once, and `Exercises` every twenty pages.
pub(super) fn repeats_nearby(run: &[usize], candidates: &[FurnitureCandidate<'_>]) -> bool {
    let mut sheets: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for candidate in run.iter().map(|at| &candidates[*at]) {
        sheets.entry(candidate.text).or_default().push(candidate.sheet);
    }
    let is_cjk = |sheets: &Vec<usize>| {
        let range = sheets.iter().min().zip(sheets.iter().max()).map_or(0, |(first, last)| last - first + 1);
        sheets.len() >= 2 && sheets.len() * 3 >= range
    };
    let dense: usize = sheets.values().filter(|sheets| is_cjk(sheets)).map(Vec::len).sum();
    dense * 2 > run.len()
}

/// True if the first number of most lines counts with the pages. So do chapters of one page, in large type.
pub(crate) fn counts(run: &[usize], candidates: &[FurnitureCandidate<'_>]) -> bool {
    let mut distances: FxHashMap<i64, usize> = FxHashMap::default();
    for candidate in run.iter().map(|at| &candidates[*at]) {
        let mut numbers = candidate.text.split(|c: char| !c.is_ascii_digit()).filter_map(number_in);
        if let Some(number) = numbers.next() {
            *distances.entry(number - candidate.sheet as i64).or_default() += 1;
        }
    }
    distances.values().any(|lines| *lines * 2 > run.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a function says of lines on pages.
    fn said(function: fn(&[usize], &[FurnitureCandidate<'_>]) -> bool, lines: &[(usize, &str)]) -> bool {
        let line = TextLine::default();
        let candidates: Vec<FurnitureCandidate<'_>> = lines
            .iter()
            .map(|(sheet, text)| FurnitureCandidate {
                sheet: *sheet,
                line: &line,
                text,
                key: (*text).to_owned(),
                is_header: true,
                is_inside: false,
            })
            .collect();
        function(&(0..lines.len()).collect::<Vec<_>>(), &candidates)
    }

    #[test]
    fn running_heads_repeat_on_pages_near_each_other() {
        let check = |expected: bool, lines: &[(usize, &str)]| {
            assert_eq!(said(repeats_nearby, lines), expected, "{lines:?}");
        };
        check(true, &[(0, "Lamps"), (2, "Lamps")]);
        check(true, &[(4, "Lamps"), (9, "Lamps")]);
        check(false, &[(4, "Lamps"), (10, "Lamps")]);
        check(true, &[(4, "Lamps"), (10, "Lamps"), (12, "Lamps")]);
        check(false, &[(0, "Chapter 1"), (1, "Chapter 2")]);
        check(true, &[(0, "Lamps"), (2, "Lamps"), (3, "Oil")]);
        check(false, &[(0, "Lamps"), (2, "Lamps"), (3, "Oil"), (5, "Keepers")]);
        check(false, &[]);
    }

    #[test]
    fn folios_count_with_the_pages() {
        let check = |expected: bool, lines: &[(usize, &str)]| {
            assert_eq!(said(counts, lines), expected, "{lines:?}");
        };
        check(true, &[(0, "7"), (1, "8"), (2, "9")]);
        check(true, &[(0, "Lamps 7"), (2, "9 of 12"), (3, "Lamps")]);
        check(false, &[(0, "7"), (2, "9"), (3, "Lamps"), (4, "Oil")]);
        check(false, &[(0, "7"), (1, "7"), (2, "7")]);
        check(false, &[(0, "Lamps"), (1, "Lamps")]);
    }
}
