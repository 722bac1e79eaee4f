//! Front matter at the limits of its sizes and lengths.

use super::super::body_style::TextColumn;
use super::*;
use crate::layout::lines::line_measure::LineMeasure;
use crate::layout::ordered_page::tables::layout_table::LayoutTable;

/// Lines from and to these places in a column of 100 points.
fn block(lines: &[(f32, f32)], size: f32) -> TextBlock {
    let line = |(x0, x1): &(f32, f32)| TextLine {
        text: "a line of text".to_owned(),
        x0: *x0,
        x1: *x1,
        size,
        ..TextLine::default()
    };
    let measure = LineMeasure { left: 0.0, right: 100.0 };
    TextBlock { page: 1, lines: lines.iter().map(line).collect(), measure, size, ..TextBlock::default() }
}

const FULL: (f32, f32) = (0.0, 100.0);

fn running(size: f32) -> TextBlock {
    block(&[FULL, FULL, (0.0, 60.0)], size)
}

fn title(size: f32) -> TextBlock {
    block(&[(20.0, 60.0)], size)
}

#[test]
fn running_text_has_full_lines_and_an_edge() {
    let check =
        |lines: &[(f32, f32)], expected| assert_eq!(is_running(&block(lines, 10.0)), expected, "{lines:?}");
    let short = (0.0, 20.0);
    check(&[FULL, FULL, short], true);
    check(&[FULL, FULL], false);
    check(&[FULL, short, short], false);
    check(&[FULL, FULL, short, short, short], true);
    check(&[FULL, FULL, short, short, short, short], false);
    check(&[(50.0, 100.0), FULL, (10.0, 60.0)], true);
    check(&[FULL, FULL, (10.5, 60.0)], false);
    check(&[FULL, FULL, (30.0, 90.0)], true);
    check(&[FULL, FULL, (30.0, 89.5)], false);
    check(&[(0.0, 100.0), (30.0, 100.0), (30.0, 60.0)], true);
}

fn style(size: f32) -> BodyStyle {
    BodyStyle { pages: (1, 9), size, ..BodyStyle::default() }
}

/// The end of the front matter, its largest size, that of the body, and the lines below the title.
fn found(blocks: &[TextBlock], body: f32) -> (usize, f32, f32, std::ops::Range<usize>) {
    let front = FrontMatter::find(blocks, &[style(body)]);
    (front.end, front.largest, front.body, front.bylines)
}

#[test]
fn front_matter_ends_with_the_first_text_in_the_style_of_the_body() {
    let check = |body: TextBlock, expected: usize| {
        let blocks = [title(20.0), title(12.0), body, running(100.0)];
        assert_eq!(found(&blocks, 100.0).0, expected);
    };
    check(running(100.0), 2);
    check(running(97.0), 2);
    check(running(103.0), 2);
    check(running(96.5), 3);
    check(running(103.5), 3);
    check(TextBlock { is_bold: true, ..running(100.0) }, 3);
    check(title(100.0), 3);
    let bands = vec![TextColumn { left: 200.0, right: 300.0, characters: 9 }];
    let beside = BodyStyle { bands, ..style(100.0) };
    let at = |x: f64| {
        let bounds = crate::layout::input::bounds::Bounds { x0: x, y0: 0.0, x1: x + 100.0, y1: 9.0 };
        TextBlock { bounds, ..running(100.0) }
    };
    assert_eq!(FrontMatter::find(&[title(20.0), at(0.0), at(200.0)], &[beside]).end, 2);
}

#[test]
fn front_matter_is_on_the_first_two_pages() {
    let on = |page| TextBlock { page, ..title(20.0) };
    let check = |pages: &[u64], expected| {
        let blocks: Vec<TextBlock> = pages.iter().map(|page| on(*page)).collect();
        assert_eq!(found(&blocks, 10.0).0, expected, "{pages:?}");
    };
    check(&[1, 1, 2, 3], 3);
    check(&[4, 5, 6, 4], 2);
    check(&[4, 4], 2);
    check(&[], 0);
}

#[test]
fn bylines_are_between_the_title_and_the_first_text() {
    let check = |blocks: &[TextBlock], largest: f32, expected: std::ops::Range<usize>| {
        let (_, found_largest, body, bylines) = found(blocks, 10.0);
        assert_eq!((found_largest, body, bylines), (largest, 10.0, expected));
    };
    let byline = || title(12.0);
    check(&[title(20.0), byline(), byline(), running(9.0), byline(), running(10.0)], 20.0, 1..3);
    check(&[title(20.0), title(19.5), byline(), running(10.0)], 20.0, 2..3);
    check(&[title(20.0), title(19.0), byline(), running(10.0)], 20.0, 1..3);
    check(&[title(20.0), byline()], 20.0, 1..2);
    check(&[title(20.0), byline(), TextBlock { page: 2, ..byline() }, byline()], 20.0, 1..2);
    check(&[title(10.0), byline(), running(10.0)], 12.0, 2..2);
    check(&[title(10.0), title(9.0), running(10.0)], 10.0, 0..0);
    let mut turned = title(30.0);
    turned.lines[0].is_turned = true;
    check(&[title(20.0), turned, byline(), running(10.0)], 20.0, 1..3);
}

fn front() -> FrontMatter {
    FrontMatter { end: 2, largest: 32.0, body: 16.0, bylines: 1..3 }
}

#[test]
fn an_abstract_has_about_the_size_of_the_body() {
    let check = |block: TextBlock, at: usize, expected| {
        let mut blocks = vec![title(20.0), title(20.0), title(20.0)];
        let size = block.size;
        blocks[at] = block;
        assert_eq!(front().has_prose(&blocks, at), expected, "{at} {size}");
    };
    check(running(16.0), 1, true);
    check(running(16.0), 2, false);
    check(running(12.0), 1, true);
    check(running(11.9), 1, false);
    check(running(1.3 * 16.0), 1, true);
    check(running(21.0), 1, false);
    check(title(16.0), 1, false);
    let mut turned = running(16.0);
    turned.lines[1].is_turned = true;
    check(turned, 1, false);
}

#[test]
fn text_below_the_title_is_short_and_free() {
    let check = |block: TextBlock, at: usize, expected| {
        let mut blocks = vec![title(20.0); 4];
        blocks[at] = block;
        assert_eq!(front().contains(&blocks, at), expected, "{at}");
    };
    let lines = |count: usize, characters: usize| {
        let mut block = block(&vec![(20.0, 60.0); count], 20.0);
        block.lines.iter_mut().for_each(|line| line.text.clear());
        block.lines[0].text = "x".repeat(characters);
        block
    };
    check(lines(4, 240), 1, true);
    check(lines(4, 240), 2, true);
    check(lines(4, 240), 0, false);
    check(lines(4, 240), 3, false);
    check(lines(5, 240), 1, false);
    check(lines(4, 241), 1, false);
    check(TextBlock { boxed: Some(0), ..lines(4, 240) }, 1, false);
    check(TextBlock { table: Some(LayoutTable::default()), ..lines(4, 240) }, 1, false);
    check(running(16.0), 0, true);
    check(TextBlock { boxed: Some(0), ..running(16.0) }, 0, false);
}

#[test]
fn a_byline_is_smaller_than_titles_and_has_no_text_of_its_own() {
    let check = |largest: f32, size: f32, at: usize, text_at: usize, expected| {
        let mut blocks = vec![title(10.0); 5];
        blocks[text_at] = running(16.0);
        blocks[at].size = size;
        let front = FrontMatter { largest, ..front() };
        assert_eq!(front.is_byline(&blocks, at), expected, "{largest} {size} {at} {text_at}");
    };
    check(32.0, 16.0, 1, 4, true);
    check(32.0, 16.0, 2, 4, true);
    check(32.0, 16.0, 0, 4, false);
    check(32.0, 16.0, 3, 4, false);
    check(32.0, 16.0, 2, 3, false);
    check(32.0, 16.0, 1, 2, true);
    check(32.0, 25.5, 1, 4, true);
    check(32.0, 1.6 * 16.0, 1, 4, false);
    check(16.0, 15.5, 1, 4, true);
    check(16.0, 0.97 * 16.0, 1, 4, false);
}
