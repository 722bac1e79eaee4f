//! Furniture that its place shows: running heads that change with every chapter, the number of a page that has it
//! elsewhere, and the footer of a first page, which has a text of its own where other pages have their numbers.

use super::candidate_lines::{FurnitureCandidate, SAME_BASELINE_POINTS, last_number_in, number_in};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Sheets between two occurrences of a running head: odd and even pages may differ.
const NEARBY_SHEETS: usize = 2;

/// Percent of the lines in one place that occur nearby again, if they are running heads.
const MIN_REPEATED_PERCENT: usize = 60;

/// Pages from which heads that change, and feet that count, are known: fewer may be alike by chance.
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
    is_apart: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let is_head = |candidate: &FurnitureCandidate<'_>| candidate.key != "#" && !candidate.is_inside;
    let mut heads: Vec<usize> =
        (0..candidates.len()).filter(|at| is_head(&candidates[*at]) && !is_found[*at]).collect();
    let order = |at: &usize| {
        let FurnitureCandidate { line, is_header, .. } = &candidates[*at];
        (*is_header, (line.size * 20.0).round() as i64, line.face.name.clone())
    };
    heads.sort_by(|a, b| {
        let bases = candidates[*a].line.base.total_cmp(&candidates[*b].line.base);
        // One font and one height: neighbours in this order are in one place.
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
    let running = places.filter(is_running);
    // The first row of a table may stand in this place, so what one page alone has there must have space below it.
    let heads = running.flat_map(|place| {
        let is_one = |at: &usize| is_repeated(*at, &place, candidates) || is_apart(*at);
        place.iter().copied().filter(is_one).collect::<Vec<usize>>()
    });
    heads.collect()
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

/// Numbers of pages whose other numbers are elsewhere, as on the first page of a chapter; and the running head of a page that has
/// nothing else, which is one line with its number.
pub(super) fn lone_numbers(
    candidates: &[FurnitureCandidate<'_>],
    is_found: &[bool],
    numbers: &[u64],
) -> Vec<usize> {
    // Page numbers keep their distance from the index of their page.
    let distance = |text: &str, sheet: usize| Some(number_in(text)? - numbers[sheet] as i64);
    let mut known: FxHashMap<i64, usize> = FxHashMap::default();
    let mut numbered: FxHashSet<usize> = FxHashSet::default();
    let found = found(candidates, is_found);
    for candidate in found.iter().filter(|candidate| candidate.key == "#") {
        distance(candidate.text, candidate.sheet)
            .into_iter()
            .for_each(|distance| *known.entry(distance).or_default() += 1);
        numbered.insert(candidate.sheet);
    }
    let is_counted = |text: &str, sheet: usize| {
        distance(text, sheet).is_some_and(|distance| known.get(&distance).is_some_and(|pages| *pages >= 2))
    };
    let is_head = |candidate: &FurnitureCandidate<'_>| {
        let ends = [candidate.text.split_whitespace().next(), candidate.text.split_whitespace().next_back()];
        ends.into_iter().flatten().any(|word| is_counted(word, candidate.sheet))
            && is_in_place(candidate, &found)
    };
    let is_lone = |at: &usize| {
        let candidate = &candidates[*at];
        !is_found[*at]
            && !numbered.contains(&candidate.sheet)
            && is_outermost(candidate, candidates)
            && match candidate.key.as_str() {
                "#" => is_counted(candidate.text, candidate.sheet),
                _ => is_head(candidate),
            }
    };
    (0..candidates.len()).filter(is_lone).collect()
}

/// Lines below the text that count with the pages at whichever height, as where pages end above their edge; those of each form.
pub(super) fn inner_numbers(
    candidates: &[FurnitureCandidate<'_>],
    numbers: &[u64],
    is_enough: impl Fn(&[usize]) -> bool,
) -> Vec<Vec<usize>> {
    let mut groups: FxHashMap<(&str, i64), Vec<usize>> = FxHashMap::default();
    for (at, candidate) in candidates.iter().enumerate().filter(|(_, candidate)| !candidate.is_header) {
        if let Some(number) = last_number_in(candidate.text) {
            let distance = number - numbers[candidate.sheet] as i64;
            groups.entry((&candidate.key, distance)).or_default().push(at);
        }
    }
    let is_counting = |((key, _), group): &((&str, i64), Vec<usize>)| {
        let sheets: BTreeSet<usize> = group.iter().map(|at| candidates[*at].sheet).collect();
        let sheets: Vec<usize> = sheets.into_iter().collect();
        let range = sheets.last().unwrap_or(&0) - sheets.first().unwrap_or(&0) + 1;
        // With words in it, half of the pages in between have it: 37 printed annual reports had 2,450 page
        // numbers in their text.
        is_enough(&sheets) && (*key == "#" || sheets.len() >= MIN_CHANGING_PAGES && sheets.len() * 2 >= range)
    };
    groups.into_iter().filter(is_counting).map(|(_, group)| group).collect()
}

/// What the first page has in the places where others have furniture.
pub(crate) fn first_page(
    candidates: &[FurnitureCandidate<'_>],
    is_found: &[bool],
    is_title: impl Fn(&FurnitureCandidate<'_>) -> bool,
) -> Vec<usize> {
    let Some(first) = candidates.iter().map(|candidate| candidate.sheet).min() else { return Vec::new() };
    let known = found(candidates, is_found);
    let is_lone = |at: &usize| {
        let candidate = &candidates[*at];
        candidate.sheet == first
            && !is_found[*at]
            && is_outermost(candidate, candidates)
            // The title of a document stands where other pages have their heads.
            && !is_title(candidate)
            && is_in_place(candidate, &known)
    };
    (0..candidates.len()).filter(is_lone).collect()
}

fn found<'c, 's>(
    candidates: &'c [FurnitureCandidate<'s>],
    is_found: &[bool],
) -> Vec<&'c FurnitureCandidate<'s>> {
    candidates.iter().zip(is_found).filter(|(_, is_found)| **is_found).map(|(found, _)| found).collect()
}

/// True for a text where other pages have furniture, and not much larger than that.
fn is_in_place(candidate: &FurnitureCandidate<'_>, found: &[&FurnitureCandidate<'_>]) -> bool {
    let others = found.iter().filter(|other| {
        other.is_header == candidate.is_header
            && other.sheet != candidate.sheet
            && f64::from((other.line.base - candidate.line.base).abs()) <= SAME_BASELINE_POINTS
            && candidate.line.size <= MAX_LARGER * other.line.size
    });
    let sheets: FxHashSet<usize> = others.map(|other| other.sheet).collect();
    sheets.len() >= MIN_OTHER_PAGES
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::lines::text_line::TextLine;

    /// A line in a band: its page, its text, its baseline, and whether it is at the top.
    #[derive(Clone, Copy)]
    struct Placed(usize, &'static str, f32, bool);

    fn lines_of(placed: &[Placed]) -> Vec<TextLine> {
        let line = |Placed(_, text, base, _): &Placed| TextLine {
            text: (*text).to_owned(),
            base: *base,
            size: 10.0,
            ..TextLine::default()
        };
        placed.iter().map(line).collect()
    }

    fn candidates_of<'l>(placed: &[Placed], lines: &'l [TextLine]) -> Vec<FurnitureCandidate<'l>> {
        let candidate = |(Placed(sheet, text, _, is_header), line): (&Placed, &'l TextLine)| {
            let key = if number_in(text).is_some() { "#".to_owned() } else { text.to_lowercase() };
            FurnitureCandidate { sheet: *sheet, line, text, key, is_header: *is_header, is_inside: false }
        };
        placed.iter().zip(lines).map(candidate).collect()
    }

    #[test]
    fn heads_that_change_are_on_four_pages_and_mostly_repeated_nearby() {
        let found_of = |heads: &[(usize, &'static str, f32)], is_apart: bool| {
            let placed: Vec<Placed> =
                heads.iter().map(|(sheet, text, base)| Placed(*sheet, text, *base, true)).collect();
            let lines = lines_of(&placed);
            let mut found = changing_heads(
                &candidates_of(&placed, &lines),
                &vec![false; heads.len()],
                |_| true,
                |_| is_apart,
            );
            found.sort_unstable();
            found
        };
        let check = |heads: &[(usize, &'static str, f32)], expected: &[usize]| {
            assert_eq!(found_of(heads, true), expected, "{heads:?}");
        };
        let four = [(0, "One", 40.0), (1, "One", 40.0), (2, "Two", 40.0), (3, "Two", 40.0)];
        check(&four, &[0, 1, 2, 3]);
        check(&four[..3], &[]);
        check(&[four[0], four[1], four[2], (4, "Two", 40.0)], &[0, 1, 2, 3]);
        check(&[four[0], (3, "One", 40.0), four[2], (5, "Two", 40.0)], &[]);
        check(&[four[0], four[1], four[2], (3, "Two", 42.0)], &[0, 1, 2, 3]);
        check(&[four[0], four[1], four[2], (3, "Two", 42.5)], &[]);
        let with_single = [four[0], four[1], (2, "One", 40.0), (3, "Two", 40.0), (4, "Six", 40.0)];
        check(&with_single, &[0, 1, 2, 3, 4]);
        // Directly above the text they may be rows of tables.
        assert_eq!(found_of(&with_single, false), [0, 1, 2]);
        check(&[four[0], four[1], (2, "Six", 40.0), (3, "Two", 40.0), (4, "Ten", 40.0)], &[]);
        check(&[four[0], four[1], four[2], (3, "7", 40.0)], &[]);
        check(&[(0, "One", 40.0), (0, "One", 40.0), (1, "One", 40.0), (1, "One", 40.0)], &[]);
    }

    #[test]
    fn heads_that_change_have_one_size_font_and_band() {
        let placed = [
            Placed(0, "One", 40.0, true),
            Placed(1, "One", 40.0, true),
            Placed(2, "Two", 40.0, true),
            Placed(3, "Two", 40.0, true),
        ];
        let check =
            |change: fn(&mut TextLine, &mut Placed), is_found: bool, is_enough: bool, expected: usize| {
                let mut placed = placed;
                let mut lines = lines_of(&placed);
                change(&mut lines[3], &mut placed[3]);
                let candidates = candidates_of(&placed, &lines);
                let found = changing_heads(
                    &candidates,
                    &[false, false, false, is_found],
                    |sheets| {
                        assert_eq!(sheets, [0, 1, 2, 3]);
                        is_enough
                    },
                    |_| true,
                );
                assert_eq!(found.len(), expected);
            };
        let face = |line: &mut TextLine, _: &mut Placed| {
            let other = crate::layout::FontFace { name: "Other".to_owned(), ..Default::default() };
            line.face = std::sync::Arc::new(other);
        };
        check(|_, _| (), false, true, 4);
        check(|_, _| (), false, false, 0);
        check(|_, _| (), true, true, 0);
        check(|line, _| line.size = 10.02, false, true, 4);
        check(|line, _| line.size = 10.1, false, true, 0);
        check(|_, placed| placed.3 = false, false, true, 0);
        check(face, false, true, 0);
    }

    #[test]
    fn a_lone_number_counts_with_those_of_other_pages() {
        let check = |lone: &[Placed], expected: &[usize]| {
            let mut placed = vec![Placed(0, "7", 40.0, true), Placed(1, "8", 40.0, true)];
            placed.extend(lone);
            let lines = lines_of(&placed);
            let is_found: Vec<bool> = (0..placed.len()).map(|at| at < 2).collect();
            let found = lone_numbers(&candidates_of(&placed, &lines), &is_found, &[11, 12, 13]);
            assert_eq!(found, expected);
        };
        check(&[Placed(2, "9", 780.0, false)], &[2]);
        check(&[Placed(2, "10", 780.0, false)], &[]);
        check(&[Placed(1, "8", 780.0, false)], &[]);
        check(&[Placed(2, "9", 780.0, false), Placed(2, "Foot", 782.0, false)], &[2]);
        check(&[Placed(2, "9", 780.0, false), Placed(2, "Foot", 782.5, false)], &[]);
        check(&[Placed(2, "9", 780.0, false), Placed(2, "Foot", 700.0, false)], &[2]);
        check(&[Placed(2, "9", 780.0, false), Placed(2, "Head", 790.0, true)], &[2]);
        check(&[Placed(2, "9", 40.0, true), Placed(2, "Head", 38.0, true)], &[2]);
        check(&[Placed(2, "9", 40.0, true), Placed(2, "Head", 37.5, true)], &[]);
        check(&[Placed(2, "Nine", 780.0, false)], &[]);
    }

    #[test]
    fn two_numbers_of_other_pages_are_proof() {
        let placed = [Placed(0, "7", 40.0, true), Placed(1, "9", 780.0, false), Placed(2, "9", 780.0, false)];
        let lines = lines_of(&placed);
        let candidates = candidates_of(&placed, &lines);
        assert!(lone_numbers(&candidates, &[true, false, false], &[11, 12, 13]).is_empty());
        assert!(lone_numbers(&candidates, &[true, false, true], &[11, 12, 13]).is_empty());
    }

    #[test]
    fn the_first_page_has_its_own_text_in_the_place_of_furniture() {
        let check =
            |size: f32, base: f32, is_header: bool, others: &[usize], is_title: bool, expected: usize| {
                let mut placed = vec![Placed(3, "Submitted", base, is_header)];
                placed.extend(others.iter().map(|sheet| Placed(*sheet, "Foot", 780.0, false)));
                let mut lines = lines_of(&placed);
                lines.iter_mut().for_each(|line| line.size = 16.0);
                lines[0].size = size;
                let is_found: Vec<bool> = (0..placed.len()).map(|at| at > 0).collect();
                let found = first_page(&candidates_of(&placed, &lines), &is_found, |_| is_title);
                assert_eq!(found, vec![0; expected], "{size} {base} {is_header} {others:?}");
            };
        check(16.0, 780.0, false, &[4, 5], false, 1);
        check(1.15 * 16.0, 780.0, false, &[4, 5], false, 1);
        check(18.5, 780.0, false, &[4, 5], false, 0);
        check(16.0, 782.0, false, &[4, 5], false, 1);
        check(16.0, 782.5, false, &[4, 5], false, 0);
        check(16.0, 778.0, false, &[4, 5], false, 1);
        check(16.0, 777.5, false, &[4, 5], false, 0);
        check(16.0, 780.0, true, &[4, 5], false, 0);
        check(16.0, 780.0, false, &[4], false, 0);
        check(16.0, 780.0, false, &[4, 4], false, 0);
        check(16.0, 780.0, false, &[3, 4], false, 0);
        check(16.0, 780.0, false, &[4, 5], true, 0);
        assert!(first_page(&[], &[], |_| false).is_empty());
    }
}
