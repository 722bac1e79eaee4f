//! Headers, footers and page numbers: lines in the band at the top or bottom of the page that are the same on many
//! pages, or the same except for numbers, or numbers that count with the pages. Odd and even pages may differ. A line
//! that changes from chapter to chapter is recognised if it is on the baseline of such a line, in its font. Last lines
//! of pages that end above their edge are page numbers if they count with the pages. Lines with the size or weight of
//! headings are furniture only if they are the same on pages near each other, or count with the pages. These lines are
//! omitted from the text and listed, and line numbers with them. Pages that repeat another page, such as copies of a
//! form, do not count. If most pages would lose all their text, the words at their edges stay.

pub(super) mod candidate_lines;
pub(super) mod places;
pub(super) mod running_heads;
pub(super) mod table_rows;

use super::input::cues::{CueForm, CueTable};
use super::input::letter_tally::LetterTally;
use super::input::options::{LayoutOptions, percent};
use super::lines::text_line::TextLine;
use super::ordered_page::{InsetContent, OrderedPage};
use crate::model::names;
use candidate_lines::{
    FurnitureCandidate, MAX_CONTINUED_DISTANCE, MIN_SPACE, SAME_BASELINE_POINTS, candidates, lines, number_in,
};
use running_heads::{TitleStyle, counts, repeats_nearby};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::cell::OnceCell;
use std::hash::{Hash, Hasher};

/// Points by which the place of a header may differ from page to page.
const SAME_PLACE_POINTS: f64 = 6.0;

/// Minimum lines and rows between the bands of a page that can be a copy of another one.
const MIN_COPY_LINES: usize = 6;

/// Percent of these lines that must occur on earlier pages.
const MIN_COPIED_PERCENT: usize = 60;

/// A header, footer or page number, which is omitted from the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressedLine {
    /// Its text on the first of its pages.
    pub text: String,
    /// Its pages.
    pub pages: Vec<u64>,
    /// Where it is on the page.
    pub band: FurnitureBand,
}

names! {
    /// The parts of a page that have furniture.
    FurnitureBand {
        /// At the top.
        Header = "header",
        /// At the bottom.
        Footer = "footer",
        /// Numbers of lines beside the text.
        LineNumbers = "line numbers",
        /// Words across the text.
        Watermark = "watermark",
    }
}

/// The headers, footers and page numbers of a document.
#[derive(Debug, Default)]
pub(crate) struct PageFurniture {
    /// The places of the lines by page, in hundredths of a point.
    places: FxHashMap<u64, FxHashSet<(i64, i64)>>,
    /// Their texts, each one once.
    pub suppressed: Vec<SuppressedLine>,
}

impl PageFurniture {
    /// Finds the repeated lines of these pages.
    pub(super) fn find(sheets: &[OrderedPage], options: &LayoutOptions) -> PageFurniture {
        let search = FurnitureSearch::new(sheets, options);
        let candidates = &search.candidates;
        let mut is_found = vec![false; candidates.len()];
        search.repeated().into_iter().for_each(|at| is_found[at] = true);
        let is_enough = |on: &[usize]| search.is_enough(on);
        for at in places::changing_heads(candidates, &is_found, is_enough, |at| search.is_apart(at)) {
            is_found[at] = true;
        }
        let numbers: Vec<u64> = sheets.iter().map(|sheet| sheet.number).collect();
        // After the bands: what was found there proves that the pages count.
        search.counted_at_ends(&numbers).into_iter().for_each(|at| is_found[at] = true);
        let mut lone = places::lone_numbers(candidates, &is_found, &numbers);
        let is_title = |candidate: &FurnitureCandidate<'_>| search.titles.has(candidate.line);
        lone.extend(places::first_page(candidates, &is_found, is_title));
        lone.into_iter().for_each(|at| is_found[at] = true);
        // Last what takes back: a line that text continues, and pages that would lose all.
        keep_continued(candidates, &mut is_found);
        table_rows::keep_rows(sheets.len(), candidates, &mut is_found);
        table_rows::keep_recurring(sheets, candidates, &mut is_found);
        table_rows::keep_in_columns(sheets, candidates, &mut is_found);
        keep_pages(sheets, candidates, &mut is_found);
        let mut furniture = PageFurniture::default();
        furniture.keep(sheets, candidates, &is_found);
        furniture.keep_watermarks(sheets, |on| search.is_enough(on));
        furniture.suppressed.extend(line_numbers(sheets));
        furniture
    }

    /// True if this line of the page is omitted.
    pub(super) fn contains(&self, page: u64, line: &TextLine) -> bool {
        self.places.get(&page).is_some_and(|places| places.contains(&place(line)))
    }

    /// The tally of the omitted lines, by page.
    pub(super) fn tallies(&self, sheets: &[OrderedPage]) -> FxHashMap<u64, LetterTally> {
        let mut tallies: FxHashMap<u64, LetterTally> = FxHashMap::default();
        for sheet in sheets {
            for number in &sheet.line_numbers {
                tallies.entry(sheet.number).or_default().add(number);
            }
            if !self.places.contains_key(&sheet.number) {
                continue;
            }
            for line in lines(sheet).filter(|line| self.contains(sheet.number, line)) {
                tallies.entry(sheet.number).or_default().add(&line.text);
            }
        }
        tallies
    }

    fn keep(&mut self, sheets: &[OrderedPage], candidates: &[FurnitureCandidate<'_>], is_found: &[bool]) {
        let mut texts: FxHashMap<(&str, bool), usize> = FxHashMap::default();
        let mut by_sheet: Vec<Vec<usize>> = vec![Vec::new(); sheets.len()];
        for (at, candidate) in candidates.iter().enumerate() {
            by_sheet[candidate.sheet].push(at);
        }
        let words = DocumentWords::new(sheets);
        for group in &by_sheet {
            for &at in group {
                let candidate = &candidates[at];
                // A chapter's title beside the page number changes with the chapter, but stands on its
                // baseline.
                let on_baseline = |other: usize| {
                    let other = &candidates[other];
                    let (one, two) = (candidate.line, other.line);
                    f64::from((one.base - two.base).abs()) <= SAME_BASELINE_POINTS
                        && (one.size - two.size).abs() < 0.05 * two.size
                        && one.face == two.face
                };
                if !is_found[at] && !group.iter().any(|&other| is_found[other] && on_baseline(other)) {
                    continue;
                }
                // A line goes as a whole. What only one of its cells says, such as the title of a table after its
                // number, is no furniture.
                let of_line =
                    group.iter().filter(|&&cell| std::ptr::eq(candidates[cell].line, candidate.line));
                let says = |&cell: &usize| !is_found[cell] && !words.repeat(candidates[cell].text);
                if of_line.copied().any(|cell| says(&cell)) {
                    continue;
                }
                let page = sheets[candidate.sheet].number;
                self.places.entry(page).or_default().insert(place(candidate.line));
                let next = self.suppressed.len();
                let known = *texts.entry((&candidate.key, candidate.is_header)).or_insert(next);
                if known == next {
                    let text = candidate.text.to_owned();
                    let band = match candidate.is_header {
                        true => FurnitureBand::Header,
                        false => FurnitureBand::Footer,
                    };
                    self.suppressed.push(SuppressedLine { text, pages: Vec::new(), band });
                }
                let pages = &mut self.suppressed[known].pages;
                if pages.last() != Some(&page) {
                    pages.push(page);
                }
            }
        }
    }

    /// Adds the words across the text that are on enough pages.
    fn keep_watermarks(&mut self, sheets: &[OrderedPage], is_enough: impl Fn(&[usize]) -> bool) {
        let mut texts: FxHashMap<&str, Vec<(usize, &TextLine)>> = FxHashMap::default();
        for (at, sheet) in sheets.iter().enumerate() {
            for line in lines(sheet).filter(|line| line.is_across) {
                texts.entry(&line.text).or_default().push((at, line));
            }
        }
        let mut found: Vec<(&str, Vec<(usize, &TextLine)>)> = texts.into_iter().collect();
        found.sort_by_key(|(text, on)| (on[0].0, *text));
        for (text, on) in found {
            let mut pages: Vec<usize> = on.iter().map(|(sheet, _)| *sheet).collect();
            pages.dedup();
            if !is_enough(&pages) {
                continue;
            }
            for (sheet, line) in on {
                self.places.entry(sheets[sheet].number).or_default().insert(place(line));
            }
            let pages = pages.into_iter().map(|sheet| sheets[sheet].number).collect();
            self.suppressed.push(SuppressedLine {
                text: text.to_owned(),
                pages,
                band: FurnitureBand::Watermark,
            });
        }
    }
}

/// What is known of a document before its furniture is found.
struct FurnitureSearch<'s> {
    sheets: &'s [OrderedPage],
    candidates: Vec<FurnitureCandidate<'s>>,
    /// For each page, whether it repeats another one.
    is_copy: Vec<bool>,
    threshold: PageThreshold<'s>,
    titles: TitleStyle,
    cues: CueTable,
}

impl<'s> FurnitureSearch<'s> {
    fn new(sheets: &'s [OrderedPage], options: &'s LayoutOptions) -> FurnitureSearch<'s> {
        let is_copy = copies(sheets, options);
        let pages = is_copy.iter().filter(|&&is_copy| !is_copy).count();
        FurnitureSearch {
            sheets,
            candidates: candidates(sheets, options),
            is_copy,
            threshold: PageThreshold { pages, options },
            titles: TitleStyle::new(sheets, options),
            cues: CueTable::new(&options.cues),
        }
    }

    /// True if a line on these sheets, of which some may be copies, is on enough pages.
    fn is_enough(&self, on: &[usize]) -> bool {
        self.threshold.is_met(on.iter().filter(|&&sheet| !self.is_copy[sheet]).count())
    }

    /// True for a line with blank space between it and the text of its page.
    fn is_apart(&self, at: usize) -> bool {
        let FurnitureCandidate { sheet, line, is_header, .. } = &self.candidates[at];
        let inwards =
            |other: &TextLine| if *is_header { other.base - line.base } else { line.base - other.base };
        let inner = lines(&self.sheets[*sheet]).map(inwards);
        let inner = inner.filter(|distance| f64::from(*distance) > SAME_BASELINE_POINTS);
        inner.fold(f32::INFINITY, f32::min) >= MIN_SPACE * line.size
    }

    /// Lines of the bands that are the same on enough pages, or the same but for numbers, in one place; numbers that count.
    fn repeated(&self) -> Vec<usize> {
        let candidates = &self.candidates;
        let mut groups: FxHashMap<(&str, bool), Vec<usize>> = FxHashMap::default();
        // A sign between two others, such as the `$` of an amount, shows nothing.
        let shows = |candidate: &FurnitureCandidate<'_>| {
            !candidate.is_inside
                && (candidate.line.cells.len() < 2
                    || candidate.key.contains(|c: char| c == '#' || c.is_alphanumeric()))
        };
        for (at, candidate) in candidates.iter().enumerate().filter(|(_, candidate)| shows(candidate)) {
            groups.entry((&candidate.key, candidate.is_header)).or_default().push(at);
        }
        let runs = groups.into_iter().flat_map(|((key, is_header), group)| {
            let found = match key {
                // A number alone is furniture only if it counts with the pages.
                "#" => counting(&group, candidates, self.sheets),
                key if key.contains('#') && !rises(&group, candidates) => Vec::new(),
                key if key.contains('#') && self.says_something_else(&group) => Vec::new(),
                _ => group,
            };
            let runs = in_one_place(found, candidates).into_iter();
            runs.filter_map(move |run| self.furniture_of(run, key, is_header))
        });
        runs.flatten().collect()
    }

    /// What is furniture of candidates with one text in one place; `None` if they are on too few pages.
    fn furniture_of(&self, mut run: Vec<usize>, key: &str, is_header: bool) -> Option<Vec<usize>> {
        let (candidates, titles) = (&self.candidates, &self.titles);
        // `Chapter 4` at the top of a page is a heading; a running head comes again on pages near it, or
        // counts.
        if key != "#" && is_header {
            let (repeats, counts) = (repeats_nearby(&run, candidates), counts(&run, candidates));
            let is_running = |line| repeats || counts && !titles.is_large(line);
            run.retain(|at| !titles.has(candidates[*at].line) || is_running(candidates[*at].line));
        }
        let mut sheets: Vec<usize> = run.iter().map(|at| candidates[*at].sheet).collect();
        sheets.sort_unstable();
        sheets.dedup();
        if !self.is_enough(&sheets) {
            return None;
        }
        let is_title = run.iter().any(|at| titles.has(candidates[*at].line));
        if self.threshold.pages <= 2 && is_header && is_title && !key.contains('#') && says_something(key) {
            keep_first(&mut run, candidates);
        }
        Some(run)
    }

    /// Last lines of pages that end above their edge, if they count with the pages.
    fn counted_at_ends(&self, numbers: &[u64]) -> Vec<usize> {
        let groups = places::inner_numbers(&self.candidates, numbers, |on| self.is_enough(on));
        let counted = groups.into_iter().filter(|group| !self.says_something_else(group)).flatten();
        counted.filter(|at| self.candidates[*at].is_inside).collect()
    }

    /// True for lines that differ in their numbers and say something besides: labels and sentences.
    fn says_something_else(&self, group: &[usize]) -> bool {
        are_labels(group, &self.candidates, &self.cues) || are_sentences(group, &self.candidates)
    }
}

/// The letters of a document, to find out whether a text is there again.
struct DocumentWords<'s> {
    sheets: &'s [OrderedPage],
    letters: OnceCell<String>,
}

impl DocumentWords<'_> {
    fn new(sheets: &[OrderedPage]) -> DocumentWords<'_> {
        DocumentWords { sheets, letters: OnceCell::new() }
    }

    /// True for a text that says nothing, or that is there in another place.
    fn repeat(&self, text: &str) -> bool {
        if !says_something(text) {
            return true;
        }
        let all = self.letters.get_or_init(|| {
            let mut all = String::new();
            self.sheets.iter().flat_map(lines).for_each(|line| all.extend(letters(&line.text)));
            all
        });
        let wanted: String = letters(text).collect();
        // Once is the text itself.
        memchr::memmem::find_iter(all.as_bytes(), wanted.as_bytes()).nth(1).is_some()
    }
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase)
}

/// True for a text with a word, besides numbers and signs.
fn says_something(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).nth(2).is_some()
}

/// True for labels of figures and tables whose numbers differ.
fn are_labels(group: &[usize], candidates: &[FurnitureCandidate<'_>], cues: &CueTable) -> bool {
    let text = |at: usize| candidates[at].text;
    let first = text(group[0]);
    cues.at(first).is_some_and(|cue| cue.form == CueForm::Label) && group.iter().any(|at| text(*at) != first)
}

/// True for whole sentences that differ in their numbers: they say something, whatever they count.
fn are_sentences(group: &[usize], candidates: &[FurnitureCandidate<'_>]) -> bool {
    let is_sentence = |at: &&usize| {
        let text = candidates[**at].text;
        text.ends_with(['.', '!', '?']) && text.split_whitespace().nth(MIN_SENTENCE_WORDS - 1).is_some()
    };
    group.iter().filter(is_sentence).count() * 2 > group.len()
        && group.iter().any(|at| candidates[*at].text != candidates[group[0]].text)
}

/// Words of a sentence; `Page 3 of 12.` has fewer.
const MIN_SENTENCE_WORDS: usize = 6;

/// Keeps a line on the first of its pages: in the type of titles, on two pages alike, it may be the title of the document.
fn keep_first(run: &mut Vec<usize>, candidates: &[FurnitureCandidate<'_>]) {
    let first = run.iter().map(|at| candidates[*at].sheet).min();
    run.retain(|at| Some(candidates[*at].sheet) != first);
}

/// The line numbers of all pages in one entry.
fn line_numbers(sheets: &[OrderedPage]) -> Option<SuppressedLine> {
    let with: Vec<&OrderedPage> = sheets.iter().filter(|sheet| !sheet.line_numbers.is_empty()).collect();
    let numbers = || with.iter().flat_map(|sheet| &sheet.line_numbers).filter_map(|number| number_in(number));
    let text = format!("{}–{}", numbers().min()?, numbers().max()?);
    let pages = with.iter().map(|sheet| sheet.number).collect();
    Some(SuppressedLine { text, pages, band: FurnitureBand::LineNumbers })
}

/// The number of pages on which a line must be repeated.
struct PageThreshold<'o> {
    pages: usize,
    options: &'o LayoutOptions,
}

impl PageThreshold<'_> {
    /// True for a line on many pages, or on most pages of a short document.
    fn is_met(&self, on: usize) -> bool {
        let most = self.pages * self.options.furniture_share;
        on >= self.options.furniture_pages || (on >= 2 && on * 100 >= most)
    }
}

/// For each page, whether its lines between the bands mostly occur on earlier pages.
fn copies(sheets: &[OrderedPage], options: &LayoutOptions) -> Vec<bool> {
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let is_copy = |sheet: &OrderedPage| {
        let band = percent(sheet.height, options.furniture_band);
        let middle = |line: &&TextLine| (line.bounds.y0 + line.bounds.y1) / 2.0;
        let free = lines(sheet)
            .filter(|line| middle(line) > band && middle(line) < sheet.height - band)
            .map(|line| hash(&line.text));
        let tables = sheet.insets.iter().filter_map(|content| match content {
            InsetContent::Table(table) => Some(table.rows.iter().map(|row| hash(&row.cells))),
            InsetContent::Box(_) => None,
        });
        let own: Vec<u64> = free.chain(tables.flatten()).collect();
        let copied = own.iter().filter(|line| seen.contains(line)).count();
        let is_copy = own.len() >= MIN_COPY_LINES && copied * 100 >= own.len() * MIN_COPIED_PERCENT;
        // A copy teaches nothing to later pages.
        if !is_copy {
            seen.extend(own);
        }
        is_copy
    };
    sheets.iter().map(is_copy).collect()
}

fn hash(line: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    line.hash(&mut hasher);
    hasher.finish()
}

/// Lines directly below the kept lines of a header band continue these, such as the second line of a caption that each page
/// has; a header is nearer to the edge of the page than its text.
fn keep_continued(candidates: &[FurnitureCandidate<'_>], is_found: &mut [bool]) {
    let mut kept: FxHashMap<usize, Vec<&TextLine>> = FxHashMap::default();
    for (candidate, _) in
        candidates.iter().zip(&*is_found).filter(|(candidate, is_found)| candidate.is_header && !**is_found)
    {
        kept.entry(candidate.sheet).or_default().push(candidate.line);
    }
    let continues = |candidate: &FurnitureCandidate<'_>| {
        let line = candidate.line;
        kept.get(&candidate.sheet).is_some_and(|lines| {
            lines.iter().any(|above| {
                let distance = line.base - above.base;
                let is_below = (0.5 * line.size..=MAX_CONTINUED_DISTANCE * line.size).contains(&distance);
                is_below && (line.size - above.size).abs() < 0.05 * line.size && line.face == above.face
            })
        })
    };
    let mut uses: FxHashMap<&str, (usize, usize)> = FxHashMap::default();
    for (candidate, _) in
        candidates.iter().zip(&*is_found).filter(|(candidate, is_found)| candidate.is_header && **is_found)
    {
        let (all, continued) = uses.entry(&candidate.key).or_default();
        (*all, *continued) = (*all + 1, *continued + usize::from(continues(candidate)));
    }
    for (candidate, is_found) in candidates.iter().zip(is_found).filter(|(candidate, _)| candidate.is_header)
    {
        *is_found &= uses.get(candidate.key.as_str()).is_none_or(|(all, continued)| continued * 2 <= *all);
    }
}

/// If most pages would become empty, they keep their words, but not their page numbers.
fn keep_pages(sheets: &[OrderedPage], candidates: &[FurnitureCandidate<'_>], is_found: &mut [bool]) {
    let mut found: Vec<FxHashSet<(i64, i64)>> = vec![FxHashSet::default(); sheets.len()];
    for (candidate, _) in candidates.iter().zip(&*is_found).filter(|(_, is_found)| **is_found) {
        found[candidate.sheet].insert(place(candidate.line));
    }
    let is_emptied = |(sheet, found): (&OrderedPage, &FxHashSet<(i64, i64)>)| {
        let has_tables = sheet.insets.iter().any(|content| matches!(content, InsetContent::Table(_)));
        !found.is_empty() && !has_tables && lines(sheet).all(|line| found.contains(&place(line)))
    };
    let emptied: Vec<bool> = sheets.iter().zip(&found).map(is_emptied).collect();
    if emptied.iter().filter(|&&is_emptied| is_emptied).count() * 2 <= sheets.len() {
        return;
    }
    for (candidate, is_found) in candidates.iter().zip(is_found) {
        *is_found &= !emptied[candidate.sheet] || candidate.key == "#";
    }
}

fn place(line: &TextLine) -> (i64, i64) {
    ((line.bounds.x0 * 100.0) as i64, (line.bounds.y0 * 100.0) as i64)
}

/// Numbers that count with the pages: their distance from the index of the page stays the same.
fn counting(group: &[usize], candidates: &[FurnitureCandidate<'_>], sheets: &[OrderedPage]) -> Vec<usize> {
    let distance = |at: usize| {
        let candidate = &candidates[at];
        Some(number_in(candidate.text)? - sheets[candidate.sheet].number as i64)
    };
    let mut by_distance: FxHashMap<i64, Vec<usize>> = FxHashMap::default();
    for &at in group {
        if let Some(distance) = distance(at) {
            by_distance.entry(distance).or_default().push(at);
        }
    }
    // Front matter may have numbers of its own; two numbers at one distance are page numbers.
    by_distance.into_values().filter(|group| group.len() >= 2).flatten().collect()
}

/// True if the last number of a text mostly stays or rises from page to page, as pages, chapters and dates do. Notes
/// that differ only in their numbers are not furniture.
fn rises(group: &[usize], candidates: &[FurnitureCandidate<'_>]) -> bool {
    let number = |at: &usize| {
        let text = candidates[*at].text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let digits = text.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        digits.parse::<u64>().unwrap_or_default()
    };
    let numbers: Vec<u64> = group.iter().map(number).collect();
    let falls = numbers.windows(2).filter(|pair| pair[1] < pair[0]).count();
    falls * 5 <= numbers.len().saturating_sub(1)
}

/// Groups candidates at nearly the same height of the page.
fn in_one_place(mut group: Vec<usize>, candidates: &[FurnitureCandidate<'_>]) -> Vec<Vec<usize>> {
    let height = |at: &usize| candidates[*at].line.bounds.y0;
    group.sort_by(|a, b| height(a).total_cmp(&height(b)).then(a.cmp(b)));
    group.chunk_by(|a, b| height(b) - height(a) <= SAME_PLACE_POINTS).map(<[usize]>::to_vec).collect()
}

#[cfg(test)]
mod tests;
