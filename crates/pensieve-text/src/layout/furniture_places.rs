//! Furniture that its place shows: running heads that change with every chapter, the number of a page that has it
//! elsewhere, and the footer of a first page, which has a text of its own where other pages have their numbers.

use super::furniture_line::{FurnitureCandidate, SAME_BASELINE_POINTS, number_in};
use rustc_hash::{FxHashMap, FxHashSet};

/// Sheets between two occurrences of a running head: odd and even pages may differ.
const NEARBY_SHEETS: usize = 2;

/// Percent of the lines in one place that occur nearby again, if they are running heads.
const MIN_REPEATED_PERCENT: usize = 60;

/// Pages from which heads that change are known: fewer may begin alike by chance.
const MIN_CHANGING_PAGES: usize = 4;

/// Pages that have furniture in a place where the first page has another text.
const MIN_OTHER_PAGES: usize = 2;

/// By how much such a text may be larger than the furniture.
const MAX_LARGER: f32 = 1.15;

/// Running heads in one place and one font whose texts differ from chapter to chapter, each repeated on pages near it.
pub(super) fn changing_heads(
    candidates: &[FurnitureCandidate<'_>],
    is_found: &[bool],
    is_enough: impl Fn(&[usize]) -> bool,
) -> Vec<usize> {
    let mut heads: Vec<usize> =
        (0..candidates.len()).filter(|at| !is_found[*at] && candidates[*at].key != "#").collect();
    let order = |at: &usize| {
        let FurnitureCandidate { line, is_header, .. } = &candidates[*at];
        (*is_header, (line.size * 20.0).round() as i64, line.face.name.clone())
    };
    heads.sort_by(|a, b| {
        let bases = candidates[*a].line.base.total_cmp(&candidates[*b].line.base);
        order(a).cmp(&order(b)).then(bases).then(a.cmp(b))
    });
    let is_one_place = |a: &usize, b: &usize| {
        order(a) == order(b)
            && f64::from(candidates[*b].line.base - candidates[*a].line.base) <= SAME_BASELINE_POINTS
    };
    let places = heads.chunk_by(is_one_place).map(|place| place.to_vec());
    let is_running = |place: &Vec<usize>| {
        let mut sheets: Vec<usize> = place.iter().map(|at| candidates[*at].sheet).collect();
        sheets.sort_unstable();
        sheets.dedup();
        let repeated = place.iter().filter(|at| is_repeated(**at, place, candidates)).count();
        sheets.len() >= MIN_CHANGING_PAGES
            && is_enough(&sheets)
            && repeated * 100 >= place.len() * MIN_REPEATED_PERCENT
    };
    places.filter(is_running).flatten().collect()
}

/// True if a page nearby has the same text in the same place.
fn is_repeated(at: usize, place: &[usize], candidates: &[FurnitureCandidate<'_>]) -> bool {
    let this = &candidates[at];
    place.iter().map(|other| &candidates[*other]).any(|other| {
        other.sheet != this.sheet
            && other.sheet.abs_diff(this.sheet) <= NEARBY_SHEETS
            && other.text == this.text
    })
}

/// Numbers of pages whose other numbers are elsewhere, as on the first page of a chapter.
pub(super) fn lone_numbers(
    candidates: &[FurnitureCandidate<'_>],
    is_found: &[bool],
    numbers: &[u64],
) -> Vec<usize> {
    let distance = |candidate: &FurnitureCandidate<'_>| {
        Some(number_in(candidate.text)? - numbers[candidate.sheet] as i64)
    };
    let mut known: FxHashMap<i64, usize> = FxHashMap::default();
    let mut numbered: FxHashSet<usize> = FxHashSet::default();
    let found = candidates.iter().zip(is_found).filter(|(_, is_found)| **is_found);
    for (candidate, _) in found.filter(|(candidate, _)| candidate.key == "#") {
        distance(candidate).into_iter().for_each(|distance| *known.entry(distance).or_default() += 1);
        numbered.insert(candidate.sheet);
    }
    let is_counted = |candidate: &FurnitureCandidate<'_>| {
        distance(candidate).is_some_and(|distance| known.get(&distance).is_some_and(|pages| *pages >= 2))
    };
    let is_lone = |at: &usize| {
        let candidate = &candidates[*at];
        candidate.key == "#"
            && !is_found[*at]
            && !numbered.contains(&candidate.sheet)
            && is_outermost(candidate, candidates)
            && is_counted(candidate)
    };
    (0..candidates.len()).filter(is_lone).collect()
}

/// What the first page has in the places where others have furniture.
pub(super) fn first_page(
    candidates: &[FurnitureCandidate<'_>],
    is_found: &[bool],
    is_title: impl Fn(&FurnitureCandidate<'_>) -> bool,
) -> Vec<usize> {
    let Some(first) = candidates.iter().map(|candidate| candidate.sheet).min() else { return Vec::new() };
    let known: Vec<&FurnitureCandidate<'_>> =
        candidates.iter().zip(is_found).filter(|(_, is_found)| **is_found).map(|(known, _)| known).collect();
    let is_in_place = |candidate: &FurnitureCandidate<'_>| {
        let others = known.iter().filter(|other| {
            other.is_header == candidate.is_header
                && other.sheet != first
                && f64::from((other.line.base - candidate.line.base).abs()) <= SAME_BASELINE_POINTS
                && candidate.line.size <= MAX_LARGER * other.line.size
        });
        let sheets: FxHashSet<usize> = others.map(|other| other.sheet).collect();
        sheets.len() >= MIN_OTHER_PAGES
    };
    let is_lone = |at: &usize| {
        let candidate = &candidates[*at];
        candidate.sheet == first
            && !is_found[*at]
            && is_outermost(candidate, candidates)
            && !is_title(candidate)
            && is_in_place(candidate)
    };
    (0..candidates.len()).filter(is_lone).collect()
}

/// True if no other line of the page is farther from its middle.
fn is_outermost(candidate: &FurnitureCandidate<'_>, candidates: &[FurnitureCandidate<'_>]) -> bool {
    let near = SAME_BASELINE_POINTS as f32;
    let is_outside = |other: &FurnitureCandidate<'_>| match candidate.is_header {
        true => other.line.base < candidate.line.base - near,
        false => other.line.base > candidate.line.base + near,
    };
    let mut same = candidates
        .iter()
        .filter(|other| other.sheet == candidate.sheet && other.is_header == candidate.is_header);
    !same.any(is_outside)
}
