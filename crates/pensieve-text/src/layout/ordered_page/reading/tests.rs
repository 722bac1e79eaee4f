//! Regions of pages that are drawn here, and the order in which they are read.

use super::*;

/// `9` is as much ink as there is, `0` none.
fn check(ink: &str, expected: &[f32]) {
    let strips: Vec<f32> = ink.bytes().map(|digit| f32::from(digit - b'0')).collect();
    assert_eq!(valleys(&strips), expected, "{ink}");
}

#[test]
fn gutters_are_the_emptiest_strips_between_text() {
    check("9999000099999", &[5.5]);
    check("9944499", &[3.0]);
    check("9966699", &[]);
    check("99099", &[]);
    check("000999", &[]);
    check("999000", &[]);
    check("", &[]);
    check("9933990009", &[7.0, 2.5]);
    check("9900990000999", &[7.5, 2.5]);
    check("99440044999", &[4.5]);
    check("3300333399", &[2.5]);
}

fn drawn(x0: f32, base: f32, x1: f32, size: f32) -> TextSpan {
    TextSpan::drawn("text", [x0, base], x1 - x0, size)
}

fn placed(spans: &[TextSpan]) -> Vec<PositionedSpan<'_>> {
    spans.iter().map(PositionedSpan::of).collect()
}

#[test]
fn most_letters_decide_the_direction_of_a_page() {
    let check = |texts: &[&str], expected| {
        let spans: Vec<TextSpan> =
            texts.iter().map(|text| TextSpan::drawn(text, [0.0, 0.0], 9.0, 10.0)).collect();
        assert_eq!(runs_left(&placed(&spans)), expected, "{texts:?}");
    };
    check(&["\u{5d0}\u{5d1}", "abc"], true);
    check(&["\u{5d0}\u{5d1}", "abcd"], false);
    check(&["\u{5d0}\u{5d1}", "abcde"], false);
    check(&["éé", "abc"], false);
    check(&[], false);
}

#[test]
fn strips_without_text_have_a_height_and_a_first_text_below() {
    let check = |bases: &[f32], expected: &[(f32, usize)]| {
        let spans: Vec<TextSpan> = bases.iter().map(|base| drawn(0.0, *base, 9.0, 100.0)).collect();
        let found = blank_strips(&placed(&spans));
        assert_eq!(found.len(), expected.len(), "{bases:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found.0 - expected.0).abs() < 0.01 && found.1 == expected.1, "{found:?}");
        }
    };
    check(&[100.0, 250.0, 260.0, 400.0], &[(50.0, 1), (40.0, 3)]);
    check(&[100.0, 190.0], &[]);
    check(&[], &[]);
}

#[test]
fn the_usual_blank_is_the_lower_third_of_at_least_four() {
    let check = |blanks: &[f32], expected| {
        let strips: Vec<(f32, usize)> = blanks.iter().map(|blank| (*blank, 0)).collect();
        assert_eq!(usual_blank(&strips), expected, "{blanks:?}");
    };
    check(&[9.0, 3.0, 5.0], None);
    check(&[9.0, 3.0, 5.0, 7.0], Some(5.0));
    check(&[9.0, 3.0, 5.0, 7.0, 8.0, 4.0], Some(5.0));
    check(&[], None);
}

#[test]
fn lowered_letters_among_a_few_lines_do_not_cut_them() {
    let mut spans: Vec<TextSpan> = (0..8).map(|at| drawn(0.0, 13.7 * at as f32, 200.0, 9.0)).collect();
    let below = |at: usize| 140.0 + 13.7 * at as f32;
    for at in 0..5 {
        let lowered = drawn(90.0, below(at) + 2.0, 96.0, 9.0).clone();
        spans.extend((at % 2 == 0).then_some(lowered));
        spans.push(drawn(0.0, below(at), 80.0, 9.0));
        spans.push(drawn(100.0, below(at), 200.0, 9.0));
    }
    let regions = read(&spans.iter().collect::<Vec<_>>(), &[]);
    assert_eq!(regions.iter().map(Vec::len).collect::<Vec<_>>(), [8, 5]);
}

#[test]
fn the_size_below_a_strip_is_that_of_the_whole_line() {
    let check = |spans: &[(f32, f32)], expected| {
        let spans: Vec<TextSpan> = spans.iter().map(|(base, size)| drawn(0.0, *base, 9.0, *size)).collect();
        assert_eq!(size_below(&placed(&spans)), expected, "{spans:?}");
    };
    check(&[(100.0, 6.0), (104.0, 10.0), (130.0, 30.0)], 10.0);
    check(&[(100.0, 6.0), (110.0, 10.0)], 6.0);
    check(&[], 0.0);
}

/// The bands of texts from and to these places on their baselines: how many span the gutter, are before and after it.
fn check_bands(spans: &[(f32, f32, f32)], expected: &[[usize; 3]]) {
    let spans: Vec<TextSpan> = spans.iter().map(|(x0, x1, base)| drawn(*x0, *base, *x1, 10.0)).collect();
    let found: Vec<[usize; 3]> = bands(&placed(&spans), 100.0)
        .iter()
        .map(|band| [band.spanning.len(), band.left.len(), band.right.len()])
        .collect();
    assert_eq!(found, expected, "{spans:?}");
}

#[test]
fn a_region_has_bands_between_blank_strips_and_what_spans_its_gutter() {
    let row = |base: f32| [(0.0, 90.0, base), (110.0, 200.0, base)];
    let all = |parts: &[&[(f32, f32, f32)]]| parts.concat();
    check_bands(&all(&[&row(10.0), &row(22.0)]), &[[0, 2, 2]]);
    check_bands(&all(&[&row(10.0), &row(24.5)]), &[[0, 2, 2]]);
    check_bands(&all(&[&row(10.0), &row(25.5)]), &[[0, 1, 1], [0, 1, 1]]);
    check_bands(&all(&[&[(0.0, 200.0, 10.0)], &row(22.0)]), &[[1, 1, 1]]);
    check_bands(&all(&[&row(10.0), &[(0.0, 200.0, 22.0)]]), &[[0, 1, 1], [1, 0, 0]]);
    check_bands(&[(99.5, 101.5, 10.0)], &[[0, 0, 1]]);
    check_bands(&[(98.5, 101.5, 10.0)], &[[1, 0, 0]]);
    check_bands(&[(98.5, 100.5, 10.0)], &[[0, 1, 0]]);
    check_bands(&[(0.0, 200.0, 10.0), (0.0, 90.0, 22.0)], &[[2, 0, 0]]);
    check_bands(&[(0.0, 200.0, 10.0), (110.0, 200.0, 22.0)], &[[2, 0, 0]]);
    check_bands(&[(0.0, 200.0, 10.0), (0.0, 90.0, 22.0), (0.0, 90.0, 34.0)], &[[1, 2, 0]]);
}

/// Lines of `characters` letters on both sides of a gutter at 100, `apart` points apart, shifted against each other.
fn verdict(lines: [usize; 2], characters: usize, apart: f32, shift: f32) -> GutterVerdict {
    let text = "x".repeat(characters);
    let side = |count: usize, x: f32, shift: f32| -> Vec<TextSpan> {
        let at = |row: usize| [x, 20.0 * row as f32 + shift];
        (0..count).map(|row| TextSpan::drawn(&text, at(row), 80.0, 10.0)).collect()
    };
    let left = side(lines[0], 100.0 - apart / 2.0 - 80.0, 0.0);
    let right = side(lines[1], 100.0 + apart / 2.0, shift);
    RegionBand { left: placed(&left), right: placed(&right), ..RegionBand::default() }.verdict(100.0)
}

#[test]
fn columns_have_long_lines_or_baselines_of_their_own() {
    assert_eq!(verdict([2, 2], 16, 10.0, 0.0), GutterVerdict::Columns(4));
    assert_eq!(verdict([2, 3], 16, 10.0, 0.0), GutterVerdict::Columns(5));
    assert_eq!(verdict([1, 3], 16, 10.0, 0.0), GutterVerdict::Unclear);
    assert_eq!(verdict([2, 2], 15, 10.0, 0.0), GutterVerdict::Cells);
    assert_eq!(verdict([2, 2], 16, 6.0, 0.0), GutterVerdict::Cells);
    assert_eq!(verdict([2, 2], 16, 6.5, 0.0), GutterVerdict::Columns(4));
    assert_eq!(verdict([2, 2], 15, 10.0, 5.0), GutterVerdict::Unclear);
    assert_eq!(verdict([3, 3], 15, 10.0, 5.0), GutterVerdict::Columns(6));
    assert_eq!(verdict([3, 4], 15, 10.0, 0.0), GutterVerdict::Cells);
}

#[test]
fn half_of_the_lines_of_columns_have_baselines_of_their_own() {
    let check = |bases: &[f32], expected| {
        let side = |x: f32, bases: &[f32]| -> Vec<TextSpan> {
            bases.iter().map(|base| TextSpan::drawn("cell", [x, *base], 40.0, 10.0)).collect()
        };
        let (left, right) = (side(0.0, &[0.0, 20.0, 40.0, 60.0]), side(110.0, bases));
        let band = RegionBand { left: placed(&left), right: placed(&right), ..RegionBand::default() };
        assert_eq!(band.verdict(100.0), expected, "{bases:?}");
    };
    check(&[0.0, 20.0, 50.0, 70.0], GutterVerdict::Unclear);
    check(&[0.0, 30.0, 50.0, 70.0], GutterVerdict::Columns(8));
    check(&[0.0, 20.0, 40.0, 60.0], GutterVerdict::Cells);
    check(&[0.0, 30.0], GutterVerdict::Unclear);
}

#[test]
fn gutters_are_where_little_text_is() {
    let rows = |left: (f32, f32), right: (f32, f32)| -> Vec<TextSpan> {
        let row = |row: usize| [left, right].map(|(x0, x1)| drawn(x0, 20.0 * row as f32, x1, 8.0));
        (0..4).flat_map(row).collect()
    };
    assert_eq!(gutters(&placed(&rows((10.0, 100.0), (120.0, 210.0)))), [111.0]);
    assert_eq!(gutters(&placed(&rows((10.0, 14.0), (20.0, 24.0)))), [] as [f32; 0]);
    assert_eq!(gutters(&placed(&rows((10.0, 14.0), (20.0, 25.0)))), [18.0]);
    assert_eq!(best_gutter(&placed(&rows((10.0, 100.0), (120.0, 210.0)))), None);
}

#[test]
fn the_first_of_the_lowest_valleys_is_the_widest() {
    check("9900099000099", &[8.5, 3.0]);
    check("9911199000099", &[8.5, 3.0]);
    check("990099009900990099009900990099009900990", &[2.5, 6.5, 10.5, 14.5, 18.5, 22.5, 26.5, 30.5]);
}

#[test]
fn the_background_of_a_figure_may_reach_into_a_gutter() {
    let rows = (0..8).map(|at| 100.0 + 12.0 * at as f32);
    let mut spans: Vec<TextSpan> =
        rows.flat_map(|y| [drawn(50.0, y, 300.0, 10.0), drawn(312.0, y, 560.0, 10.0)]).collect();
    spans.extend((0..4).map(|at| drawn(50.0, 200.0 + 12.0 * at as f32, 305.6, 10.0)));
    let figure = |(at, span)| match at < 16 {
        true => PositionedSpan::of(span),
        false => PositionedSpan { stands_for: Some(0), ..PositionedSpan::of(span) },
    };
    let placed: Vec<PositionedSpan<'_>> = spans.iter().enumerate().map(figure).collect();
    let [gutter] = gutters(&placed)[..] else { panic!("one gutter") };
    assert!((300.0..312.0).contains(&gutter), "{gutter}");
    assert!(bands(&placed, gutter).iter().all(|band| band.spanning.is_empty()));
    // The backgrounds of rows are no figures.
    let mut rows = placed.clone();
    rows.iter_mut().enumerate().for_each(|(at, span)| span.stands_for = span.stands_for.map(|_| at));
    assert!(gutters(&rows).is_empty());
}

#[test]
fn entries_of_contents_beside_each_other_are_columns() {
    let entry = |label: &str, x: f32, base: f32| {
        let text = format!("{label} ........................ {base}");
        TextSpan::drawn(&text, [x, base], 180.0, 10.0)
    };
    let spans: Vec<TextSpan> = (1..6)
        .flat_map(|at| {
            [entry("1.1 Left", 0.0, 20.0 * at as f32), entry("2.1 Right", 220.0, 20.0 * at as f32)]
        })
        .collect();
    let spans: Vec<&TextSpan> = spans.iter().collect();
    let lines: Vec<String> = lines_of(&spans).into_iter().flatten().map(|line| line.text).collect();
    let is_left = |line: &String| line.starts_with("1.1 Left");
    assert_eq!(lines.iter().position(|line| !is_left(line)), Some(5), "{lines:?}");
}

#[test]
fn entries_of_an_index_beside_each_other_are_columns() {
    let check = |entries: [&str; 4], expected: usize| {
        let spans: Vec<TextSpan> = (0..6)
            .flat_map(|row| {
                let base = 100.0 + 12.0 * row as f32;
                let [left, right] = [entries[row % 2], entries[2 + row % 2]];
                [
                    TextSpan::drawn(left, [0.0, base], 80.0, 10.0),
                    TextSpan::drawn(right, [220.0, base], 80.0, 10.0),
                ]
            })
            .collect();
        let spans: Vec<&TextSpan> = spans.iter().collect();
        assert_eq!(lines_of(&spans).len(), expected, "{entries:?}");
    };
    check(["coral, 17, 253", "ash, 8\u{2013}9, 12n", "flue, 101", "forge, 166f"], 2);
    check(["Paris, 2021", "Rome, 2020", "Berlin, 2019", "Oslo, 2018"], 1);
    check(["May 31, 21", "May 30, 21", "June 31, 22", "June 30, 22"], 1);
    check(["coral, white", "ash, grey", "flue, 101", "forge, 166"], 1);
}

#[test]
fn boxes_in_rows_are_read_row_by_row() {
    let lines = |x0: f32, y: f32, count: usize| -> Vec<TextSpan> {
        let line = |at: usize| TextSpan::drawn(&"x".repeat(40), [x0, y + 12.0 * at as f32], 160.0, 10.0);
        (0..count).map(line).collect()
    };
    let places = [0, 1, 2, 3, 4, 5].map(|at| (180.0 * (at % 3) as f32, 100.0 + 150.0 * (at / 3) as f32));
    let boxes = places.map(|(x0, y)| lines(x0, y, 8));
    let stand_ins = boxes.each_ref().map(|spans| StandIn { spans });
    let title = drawn(0.0, 60.0, 500.0, 10.0);
    let regions = read(&[&title], &stand_ins);
    let insets = regions.iter().flatten().filter_map(|entry| match entry {
        RegionEntry::Inset(at) => Some(*at),
        RegionEntry::Line(_) => None,
    });
    assert_eq!(insets.collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
}
