//! The style of the body: columns, sizes, faces, and what is measured of them.

use super::*;
use crate::layout::lines::text_line::TextLine;

#[test]
fn columns_are_what_stands_beside_each_other() {
    let band = |left, right| TextColumn { left, right, characters: 1 };
    let check = |bands: &[TextColumn], expected| assert_eq!(columns(bands), expected);
    check(&[], 0);
    check(&[band(50.0, 290.0), band(310.0, 550.0)], 2);
    check(&[band(50.0, 290.0), band(50.0, 550.0), band(310.0, 550.0)], 2);
    check(&[band(50.0, 550.0), band(60.0, 540.0)], 1);
}

#[test]
fn percentiles_count_weights() {
    let values = [(1.0, 1), (2.0, 8), (3.0, 1)];
    let at = [10, 11, 90, 91, 100].map(|share| weighted(&values, share));
    assert_eq!(at, [Some(1.0), Some(2.0), Some(2.0), Some(3.0), Some(3.0)]);
    assert_eq!(weighted(&[], 50), None);
}

/// The size of the body among blocks of a size, a number of full lines, their text, and whether it is a listing.
fn check_size(blocks: &[(f32, usize, &str, bool)], expected: Option<f32>) {
    let block = |(size, lines, text, is_monospace): &(f32, usize, &str, bool)| {
        let face = Arc::new(FontFace { is_monospace: *is_monospace, ..FontFace::default() });
        let line = TextLine { text: (*text).to_owned(), x1: 100.0, size: *size, ..TextLine::default() };
        let measure = crate::layout::lines::line_measure::LineMeasure { left: 0.0, right: 100.0 };
        TextBlock { lines: vec![line; *lines], size: *size, face, measure, ..TextBlock::default() }
    };
    let blocks: Vec<TextBlock> = blocks.iter().map(block).collect();
    let blocks: Vec<&TextBlock> = blocks.iter().collect();
    assert_eq!(usual_size(&not_code(&blocks)), expected);
}

#[test]
fn listings_are_not_the_body_of_a_document_that_has_text() {
    let text = |lines| (10.0, lines, "text", false);
    check_size(&[text(10), (8.0, 20, "code", true)], Some(10.0));
    check_size(&[text(10), (8.0, 20, "text", false)], Some(8.0));
    // A title over a listing is no text, and little text in a book of listings is none either.
    check_size(&[text(1), (8.0, 2, "code", true)], Some(8.0));
    check_size(&[text(3), (8.0, 8, "code", true)], Some(8.0));
    check_size(&[(10.0, 10, "文字", true), (8.0, 11, "code", true)], Some(10.0));
}

fn band(left: f32, right: f32, characters: usize) -> TextColumn {
    TextColumn { left, right, characters }
}

fn from_to(x0: f64, x1: f64) -> TextBlock {
    let bounds = crate::layout::input::bounds::Bounds { x0, y0: 0.0, x1, y1: 9.0 };
    TextBlock { bounds, ..TextBlock::default() }
}

/// Full lines of so many characters in a column, and a last one.
fn lines(count: usize, characters: usize, (left, right): (f32, f32), size: f32) -> TextBlock {
    let line = |at: usize| crate::layout::lines::text_line::TextLine {
        text: if at == 0 { "x".repeat(characters) } else { String::new() },
        x0: left,
        x1: if at + 1 < count { right } else { left },
        size,
        ..Default::default()
    };
    let measure = crate::layout::lines::line_measure::LineMeasure { left, right };
    TextBlock { page: 1, lines: (0..count).map(line).collect(), size, measure, ..TextBlock::default() }
}

#[test]
fn the_share_of_a_block_in_a_column_has_a_point_of_slack() {
    let check = |x0: f64, x1: f64, expected: f32| {
        assert_eq!(band(100.0, 200.0, 1).overlap(&from_to(x0, x1)), expected, "{x0} {x1}");
    };
    check(120.0, 180.0, 100.0);
    check(99.0, 201.0, 100.0);
    check(79.0, 119.0, 50.0);
    check(171.0, 211.0, 75.0);
    check(150.0, 150.0, 0.0);
    check(10.0, 60.0, 0.0);
    assert_eq!(band(100.0, 250.0, 1).width(), 150.0);
}

#[test]
fn a_block_is_in_the_narrowest_column_or_across_all() {
    let style = |bands: &[TextColumn]| BodyStyle { bands: bands.to_vec(), ..BodyStyle::default() };
    let check = |bands: &[TextColumn], x0: f64, x1: f64, expected: Option<(f32, f32)>| {
        let found = style(bands).band_of(&from_to(x0, x1), 90).map(|band| (band.left, band.right));
        assert_eq!(found, expected, "{x0} {x1}");
    };
    let two = [band(0.0, 100.0, 10), band(120.0, 220.0, 10)];
    check(&two, 10.0, 90.0, Some((0.0, 100.0)));
    check(&two, 130.0, 200.0, Some((120.0, 220.0)));
    check(&two, 10.0, 200.0, Some((0.0, 220.0)));
    check(&two, 60.0, 140.0, Some((0.0, 100.0)));
    check(&two, 80.0, 190.0, Some((120.0, 220.0)));
    check(&[band(0.0, 220.0, 10), two[0]], 10.0, 90.0, Some((0.0, 100.0)));
    check(&two, 300.0, 500.0, Some((120.0, 220.0)));
    check(&[two[0], band(120.0, 200.0, 10)], 300.0, 500.0, Some((120.0, 200.0)));
    check(&[band(0.0, 80.0, 10), two[1]], 300.0, 500.0, Some((0.0, 80.0)));
    check(&[], 0.0, 9.0, None);
    let style = style(&two);
    assert_eq!(style.spread(), Some(band(0.0, 220.0, 20)));
    let across = [120.0, 121.0].map(|width| style.is_across(&from_to(0.0, width)));
    assert_eq!(across, [false, true]);
}

#[test]
fn what_is_outside_every_column_is_beside_them() {
    let style = BodyStyle { bands: vec![band(0.0, 100.0, 1), band(120.0, 220.0, 1)], ..BodyStyle::default() };
    let check =
        |x0: f64, x1: f64, expected| assert_eq!(style.is_beside(&from_to(x0, x1)), expected, "{x0} {x1}");
    check(10.0, 90.0, false);
    check(81.0, 121.0, false);
    check(82.0, 118.5, false);
    check(201.0, 241.0, false);
    check(202.0, 242.0, true);
    check(230.0, 300.0, true);
    check(10.0, 210.0, false);
    check(101.0, 341.0, false);
    check(102.0, 342.0, true);
    assert!(!BodyStyle::default().is_beside(&from_to(0.0, 9.0)));
}

#[test]
fn the_usual_size_is_that_of_most_text() {
    let check = |sizes: &[(f32, usize)], expected| {
        let blocks: Vec<TextBlock> =
            sizes.iter().map(|(size, count)| lines(count + 1, 1, (0.0, 9.0), *size)).collect();
        assert_eq!(usual_size(&blocks.iter().collect::<Vec<_>>()), expected, "{sizes:?}");
    };
    check(&[(9.0, 10), (10.0, 30), (12.0, 20)], Some(10.0));
    check(&[(10.0, 10), (10.125, 15), (12.0, 20)], Some(10.125));
    check(&[(10.0, 10), (10.25, 15), (12.0, 20)], Some(12.0));
    check(&[], None);
}

#[test]
fn sizes_within_a_tenth_are_those_of_the_body() {
    let check =
        |size: f32, expected| assert_eq!(is_body(&lines(1, 1, (0.0, 9.0), size), 10.0), expected, "{size}");
    check(9.0, true);
    check(11.0, true);
    check(8.9, false);
    check(11.1, false);
}

#[test]
fn most_lines_of_running_text_are_full() {
    let full = |count, short: usize| {
        let mut block = lines(count, 9, (0.0, 200.0), 10.0);
        block.lines.iter_mut().take(short).for_each(|line| line.x1 = 0.0);
        block.lines.iter_mut().for_each(|line| line.text = "word ".repeat(8));
        is_running(&block)
    };
    assert!(full(1, 0) && full(3, 0) && full(3, 1));
    assert!(full(5, 2) && !full(6, 3) && full(6, 2) && !full(2, 1));
}

fn bands_of(columns: &[(f32, f32, usize)]) -> Vec<(f32, f32, usize)> {
    let blocks: Vec<TextBlock> = columns
        .iter()
        .map(|(left, right, characters)| lines(3, *characters, (*left, *right), 10.0))
        .collect();
    let found = bands(&blocks.iter().collect::<Vec<_>>(), 10.0);
    found.iter().map(|band| (band.left, band.right, band.characters)).collect()
}

#[test]
fn columns_that_nearly_agree_are_one() {
    assert_eq!(bands_of(&[(0.0, 100.0, 5), (25.0, 125.0, 6)]), [(0.0, 125.0, 11)]);
    assert_eq!(bands_of(&[(0.0, 100.0, 5), (25.5, 100.0, 6)]), [(0.0, 100.0, 5), (25.5, 100.0, 6)]);
    assert_eq!(bands_of(&[(0.0, 100.0, 5), (0.0, 125.5, 6)]), [(0.0, 100.0, 5), (0.0, 125.5, 6)]);
    assert_eq!(bands_of(&[(125.0, 225.0, 6), (0.0, 100.0, 5)]), [(0.0, 100.0, 5), (125.0, 225.0, 6)]);
}

#[test]
fn columns_have_enough_text_and_width() {
    assert_eq!(bands_of(&[(0.0, 100.0, 95), (200.0, 300.0, 5)]).len(), 2);
    assert_eq!(bands_of(&[(0.0, 100.0, 96), (200.0, 300.0, 5)]).len(), 1);
    assert_eq!(bands_of(&[(0.0, 100.0, 50), (200.0, 260.0, 40)]).len(), 2);
    assert_eq!(bands_of(&[(0.0, 100.0, 50), (200.0, 259.5, 40)]).len(), 1);
    let main = (0.0, 400.0, 90);
    assert_eq!(bands_of(&[main, (500.0, 600.0, 20), (610.0, 725.0, 20)]).len(), 3);
    assert_eq!(bands_of(&[main, (500.0, 600.0, 20), (610.0, 725.5, 20)]).len(), 1);
    assert_eq!(bands_of(&[main, (500.0, 599.5, 20), (610.0, 710.0, 20)]).len(), 1);
    assert_eq!(bands_of(&[main, (500.0, 600.0, 20), (600.0, 700.0, 20)]).len(), 3);
    assert_eq!(bands_of(&[main, (500.0, 600.0, 20), (590.0, 690.0, 20)]).len(), 1);
}

#[test]
fn pages_without_a_style_have_that_of_the_last_ones() {
    let style = |first, last| BodyStyle { pages: (first, last), ..BodyStyle::default() };
    let styles = [style(1, 3), style(4, 6)];
    let of = |page| of_page(&styles, page).map(|style| style.pages);
    assert_eq!([1, 3, 4, 6, 9].map(of), [(1, 3), (1, 3), (4, 6), (4, 6), (4, 6)].map(Some));
    assert_eq!(of_page(&[], 1), None);
}
