//! Lines at the limits of their gaps, sizes and places.

use super::*;
use crate::layout::input::page::SpanGap;

/// A text whose limits are exact: its size is a power of two, and places are measured from zero.
const SIZE: f32 = 16.0;

fn row_of<'p>(spans: &'p [TextSpan], base: f32, size: f32) -> SpanRow<'p> {
    SpanRow { spans: spans.iter().map(PositionedSpan::of).collect(), base, size }
}

fn drawn(text: &str, x: f32, base: f32, length: f32, size: f32) -> TextSpan {
    TextSpan::drawn(text, [x, base], length, size)
}

fn face(weight: u16, is_italic: bool, stem: u16) -> Arc<FontFace> {
    Arc::new(FontFace { name: "Serif".to_owned(), weight, is_italic, stem, ..FontFace::default() })
}

#[test]
fn gaps_separate_words_if_the_script_has_spaces() {
    let check = |before, after, gap, expected| assert_eq!(is_apart(before, after, gap, 10.0), expected);
    check("word", "word", 1.5, true);
    check("word", "s", 1.0, false);
    check("모든", "인류", 3.3, true);
    check("인", "류", 1.5, false);
    check("人類", "社会", 3.3, false);
    check("人類", "社会", 8.0, true);
}

#[test]
fn the_least_gap_between_words_depends_on_both_letters() {
    for (before, after, limit) in [
        ("a", "b", 0.13),
        ("", "b", 0.13),
        ("a", "", 0.13),
        ("人", "社", 0.6),
        ("人", "b", 0.13),
        ("a", "社", 0.13),
        ("\u{fa00}", "\u{ff01}", 0.6),
        ("\u{20000}", "\u{3ffff}", 0.6),
        ("인", "류", 0.2),
        ("인", "b", 0.13),
        ("a", "류", 0.13),
    ] {
        let at = |gap| is_apart(before, after, gap, SIZE);
        assert_eq!([at(limit * SIZE), at(limit * SIZE + 0.01)], [false, true], "{before} {after}");
        assert_eq!([at(-0.6 * SIZE), at(-0.6 * SIZE - 0.01)], [false, true], "{before} {after}");
    }
}

/// Two texts on a line, the second one `gap` after the first: the line, and the numbers of its cells and parts.
fn check_gap(sizes: [f32; 2], gap: f32, text: &str, cells: usize, parts: usize) {
    let spans = [drawn("a", -20.0, 0.0, 20.0, sizes[0]), drawn("b", gap, 0.0, 20.0, sizes[1])];
    let found = line(row_of(&spans, 0.0, SIZE));
    assert_eq!((found.text.as_str(), found.cells.len(), found.parts.len()), (text, cells, parts), "{gap}");
    assert_eq!((found.x0, found.x1), (-20.0, gap + 20.0));
}

#[test]
fn gaps_separate_words_parts_and_cells() {
    for sizes in [[SIZE, SIZE], [SIZE, 32.0], [32.0, SIZE]] {
        check_gap(sizes, WORD_GAP * SIZE, "ab", 0, 0);
        check_gap(sizes, WORD_GAP * SIZE + 0.01, "a b", 0, 0);
        check_gap(sizes, PART_GAP * SIZE, "a b", 0, 0);
        check_gap(sizes, PART_GAP * SIZE + 0.01, "a b", 0, 2);
        check_gap(sizes, CELL_GAP * SIZE, "a b", 0, 2);
        check_gap(sizes, CELL_GAP * SIZE + 0.01, "a b", 2, 2);
    }
}

#[test]
fn texts_that_overlap_make_one_part_with_the_farther_edge() {
    let spans = [
        drawn("wide", 0.0, 0.0, 50.0, 10.0),
        drawn("in", 20.0, 0.0, 10.0, 10.0),
        drawn("far", 80.0, 0.0, 9.0, 10.0),
    ];
    let found = line(row_of(&spans, 0.0, 10.0));
    assert_eq!((found.x0, found.x1), (0.0, 89.0));
    assert_eq!(found.text, "wide in far");
    assert_eq!(found.cells, [(0, 0.0, 50.0), (8, 80.0, 89.0)]);
    assert_eq!(found.parts, found.cells);
}

#[test]
fn in_type_of_one_width_only_wide_gaps_make_parts() {
    let check = |gap: f32, parts| {
        let mut spans = [drawn("a", -20.0, 0.0, 20.0, SIZE), drawn("b", gap, 0.0, 20.0, SIZE)];
        spans[1].font = Arc::new(FontFace { is_monospace: true, ..FontFace::default() });
        assert_eq!(line(row_of(&spans, 0.0, SIZE)).parts.len(), parts, "{gap}");
    };
    check(CELL_GAP * SIZE, 0);
    check(CELL_GAP * SIZE + 0.01, 2);
}

#[test]
fn gaps_inside_a_text_make_parts() {
    let check = |text: &str, gaps: &[(usize, f32)], expected: &[(usize, f32, f32)]| {
        let mut spans = [drawn("x", -30.0, 0.0, 20.0, SIZE), drawn(text, 0.0, 0.0, 100.0, SIZE)];
        spans[1].gaps =
            gaps.iter().map(|(at, width)| SpanGap { at: *at, from: 40.0, to: 40.0 + width }).collect();
        assert_eq!(line(row_of(&spans, 0.0, SIZE)).parts, expected, "{text} {gaps:?}");
    };
    let one = [(0, -30.0, -10.0), (2, 0.0, 100.0)];
    let two = [(0, -30.0, -10.0), (2, 0.0, 40.0), (5, 48.0, 100.0)];
    check("ab cd", &[(3, 8.0)], &two);
    check("  ab cd ", &[(5, 8.0)], &two);
    check("ab cd", &[(3, 8.0), (3, 8.0)], &two);
    check("ab cd", &[(3, 5.75)], &one);
    check("ab cd", &[(3, 5.8)], &[one[0], (2, 0.0, 40.0), (5, 45.8, 100.0)]);
    check("ab cd", &[(0, 8.0)], &one);
    check("ab cd", &[(5, 8.0)], &one);
    check(" ab cd", &[(0, 8.0), (1, 8.0)], &one);
    check("ab cd", &[(4, 8.0)], &[one[0], (2, 0.0, 40.0), (6, 48.0, 100.0)]);
    check("ab cd", &[(1, 8.0)], &[one[0], (2, 0.0, 40.0), (3, 48.0, 100.0)]);
    check("é cd", &[(1, 8.0)], &one);
}

#[test]
fn a_line_has_the_properties_of_its_texts() {
    let mut spans = [
        drawn("Bold", 10.0, 100.0, 20.0, 10.0),
        drawn("2", 30.5, 94.0, 4.0, 6.0),
        drawn("3", 35.0, 104.0, 4.0, 6.0),
    ];
    spans[0].font = face(600, true, 90);
    spans[1].font = face(700, false, 80);
    spans[2].font = face(700, true, 70);
    let found = line(row_of(&spans, 100.0, 10.0));
    assert_eq!((found.text.as_str(), found.base, found.size, found.rotation), ("Bold^2_3", 100.0, 10.0, 0));
    assert_eq!((found.is_bold, found.is_italic, found.stem), (true, true, u16::MAX));
    assert!((found.rise - 2.88).abs() < 1e-3 && (found.drop - 3.12).abs() < 1e-3, "{found:?}");
    assert_eq!(found.face, spans[0].font);
    let around = Bounds::of_array([10.0, 94.0 - 0.78 * 6.0, 39.0, 104.0 + 0.22 * 6.0]);
    assert_eq!(found.bounds, around);
    spans[1].font = face(599, false, 80);
    let found = line(row_of(&spans, 100.0, 10.0));
    assert_eq!((found.is_bold, found.is_italic, found.stem), (false, true, 80));
    spans[1].text = "x".to_owned();
    spans[2].font = face(400, true, 70);
    let found = line(row_of(&spans, 100.0, 10.0));
    assert_eq!((found.is_bold, found.is_italic, found.stem), (false, false, 70));
}

#[test]
fn a_bold_title_may_have_a_plain_number_in_front() {
    let check = |texts: [(&str, u16); 2], expected| {
        let at = |at: usize| TextSpan {
            font: face(texts[at].1, false, 80),
            ..drawn(texts[at].0, 30.0 * at as f32, 100.0, 25.0, 10.0)
        };
        assert_eq!(line(row_of(&[at(0), at(1)], 100.0, 10.0)).is_bold, expected, "{texts:?}");
    };
    check([("1.", 400), ("Title", 700)], true);
    check([("2.13", 400), ("Title", 700)], true);
    check([("1.", 400), ("Title", 400)], false);
    check([("1.", 400), ("2.", 400)], false);
    check([("1:", 400), ("else", 700)], false);
    check([("See", 400), ("Title", 700)], false);
    check([("Title", 700), ("12", 400)], false);
}

#[test]
fn a_line_has_a_tag_that_all_its_texts_have_and_the_direction_of_most() {
    let check = |tags: [Option<TextTag>; 2], rotations: [f32; 2], expected| {
        let mut spans = [drawn("some text", 0.0, 0.0, 50.0, 10.0), drawn("more", 55.0, 0.0, 20.0, 10.0)];
        for (at, span) in spans.iter_mut().enumerate() {
            (span.tag, span.rotation) = (tags[at], rotations[at]);
        }
        let found = line(row_of(&spans, 0.0, 10.0));
        assert_eq!((found.tag, found.rotation), expected);
    };
    let (note, caption) = (Some(TextTag::Note), Some(TextTag::Caption));
    check([note, note], [0.0, 90.0], (note, 0));
    check([note, caption], [90.4, 0.0], (None, 90));
    check([note, None], [360.0, 0.0], (None, 0));
    check([None, note], [269.6, 0.0], (None, 270));
}

#[test]
fn capitals_of_two_sizes_have_the_larger_one() {
    let check = |first: &str, rest: &str, small: f32, expected: f32| {
        let spans = [drawn(first, 0.0, 0.0, 20.0, SIZE), drawn(rest, 20.0, 0.0, 50.0, small)];
        assert_eq!(line(row_of(&spans, 0.0, SIZE)).size, expected, "{first}{rest} {small}");
    };
    check("T", "ITLE", 12.0, SIZE);
    check("T", "itle", 12.0, 12.0);
    check("T", "I1", 12.0, 12.0);
    check("T", "ITLE", 0.65 * SIZE, SIZE);
    check("T", "ITLE", 10.3, 10.3);
    check("T", "ITLE", 0.95 * SIZE, 0.95 * SIZE);
    check("T", "ITLE", 15.1, SIZE);
}

#[test]
fn text_that_runs_to_the_left_is_in_reading_order_with_the_right_cell_first() {
    let spans = [drawn("\u{5d1}", 0.0, 0.0, 20.0, 10.0), drawn("\u{5d0}", 60.0, 0.0, 20.0, 10.0)];
    let found = line(row_of(&spans, 0.0, 10.0));
    assert_eq!((found.text.as_str(), found.x0, found.x1), ("\u{5d0} \u{5d1}", 0.0, 80.0));
    assert_eq!(found.pieces(), [("\u{5d0}", 60.0, 80.0), ("\u{5d1}", 0.0, 20.0)]);
    let near = [drawn("\u{5d1}", 0.0, 0.0, 20.0, 10.0), drawn("\u{5d0}", 25.0, 0.0, 20.0, 10.0)];
    let found = line(row_of(&near, 0.0, 10.0));
    assert_eq!((found.text.as_str(), found.cells, found.parts), ("\u{5d0} \u{5d1}", Vec::new(), Vec::new()));
}

fn with_parts(text: &str, parts: &[(usize, f32, f32)]) -> TextLine {
    TextLine {
        text: text.to_owned(),
        x0: 1.0,
        x1: 99.0,
        size: SIZE,
        parts: parts.to_vec(),
        ..TextLine::default()
    }
}

#[test]
fn pieces_are_parts_between_wide_gaps_or_numbers() {
    let check = |text: &str, parts: &[(usize, f32, f32)], expected: &[(&str, f32, f32)]| {
        let line = with_parts(text, parts);
        assert_eq!(line.pieces(), expected);
        assert_eq!(line.piece_count(), expected.len());
    };
    let wide = WIDE_PART_GAP * SIZE;
    check(" one ", &[], &[("one", 1.0, 99.0)]);
    check("ab cd", &[(0, -9.0, 0.0), (3, wide, 20.0)], &[("ab cd", -9.0, 20.0)]);
    check(
        "ab cd",
        &[(0, -9.0, 0.0), (3, wide + 0.01, 20.0)],
        &[("ab", -9.0, 0.0), ("cd", wide + 0.01, 20.0)],
    );
    check("a1 2d", &[(0, -9.0, 0.0), (3, 6.0, 20.0)], &[("a1", -9.0, 0.0), ("2d", 6.0, 20.0)]);
    check("1% 2d", &[(0, -9.0, 0.0), (3, 6.0, 20.0)], &[("1%", -9.0, 0.0), ("2d", 6.0, 20.0)]);
    check("a1 bd", &[(0, -9.0, 0.0), (3, 6.0, 20.0)], &[("a1 bd", -9.0, 20.0)]);
    check("ab 2d", &[(0, -9.0, 0.0), (3, 6.0, 20.0)], &[("ab 2d", -9.0, 20.0)]);
    check(
        "ab cd ef",
        &[(0, -9.0, 0.0), (3, 6.0, 20.0), (6, 28.0, 40.0)],
        &[("ab cd", -9.0, 20.0), ("ef", 28.0, 40.0)],
    );
    check(
        "ab cd ef",
        &[(0, -9.0, 0.0), (3, 8.0, 20.0), (6, 26.0, 40.0)],
        &[("ab", -9.0, 0.0), ("cd ef", 8.0, 40.0)],
    );
}

#[test]
fn fine_pieces_are_all_parts() {
    let check = |text: &str, parts: &[(usize, f32, f32)], expected: &[(&str, f32, f32)]| {
        assert_eq!(with_parts(text, parts).fine_pieces().collect::<Vec<_>>(), expected);
    };
    check(" one ", &[], &[("one", 1.0, 99.0)]);
    check("ab cd", &[(0, -9.0, 0.0), (3, 5.0, 20.0)], &[("ab", -9.0, 0.0), ("cd", 5.0, 20.0)]);
}

#[test]
fn scripts_between_two_lines_need_some_space() {
    let line = |base, size, drop, rise| TextLine { base, size, drop, rise, ..TextLine::default() };
    let check = |above: TextLine, below: TextLine, expected: f32| {
        let found = above.body_distance(&below);
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    };
    check(line(100.0, 10.0, 1.0, 9.0), line(115.0, 12.0, 9.0, 2.0), 12.0);
    check(line(100.0, 10.0, 8.0, 0.0), line(115.0, 12.0, 0.0, 5.0), 7.8);
    check(line(100.0, 12.0, 8.0, 0.0), line(115.0, 10.0, 0.0, 5.0), 7.8);
    let line = TextLine { base: 50.0, size: 20.0, ..TextLine::default() };
    assert!((line.middle() - 44.4).abs() < 1e-3);
}

#[test]
fn rows_on_one_baseline_are_neighbours() {
    let near = 0.12 * SIZE;
    let row = |base| SpanRow { spans: Vec::new(), base, size: SIZE };
    for (base, expected) in
        [(0.0, true), (near, true), (near + 0.01, false), (-near, true), (-near - 0.01, false)]
    {
        assert_eq!(row(0.0).has_neighbour(&[row(-90.0), row(base), row(90.0)]), expected, "{base}");
    }
    assert!(!row(0.0).has_neighbour(&[]));
}

#[test]
fn the_parts_of_a_row_are_between_wide_gaps() {
    let check = |gap: f32, expected: &[(f32, f32)]| {
        let spans = [
            drawn("b", gap, 0.0, 30.0, SIZE),
            drawn("a", -20.0, 0.0, 20.0, SIZE),
            drawn("c", -15.0, 0.0, 2.0, SIZE),
        ];
        assert_eq!(row_of(&spans, 0.0, SIZE).parts(), expected);
    };
    let wide = CELL_GAP * SIZE;
    check(wide, &[(-20.0, wide + 30.0)]);
    check(wide + 0.01, &[(-20.0, 0.0), (wide + 0.01, wide + 30.01)]);
}

#[test]
fn the_longest_part_of_a_row_has_the_most_characters() {
    let check = |gap: f32, texts: [&str; 3], expected: (usize, f32)| {
        let spans = [
            drawn(texts[2], gap, 0.0, 40.0, SIZE),
            drawn(texts[0], -60.0, 0.0, 30.0, SIZE),
            drawn(texts[1], -25.0, 0.0, 25.0, SIZE),
        ];
        assert_eq!(row_of(&spans, 0.0, SIZE).longest_part(), expected, "{gap} {texts:?}");
    };
    let wide = 0.9 * SIZE;
    check(wide, ["ab", "cde", "fghi"], (9, 95.0));
    check(wide + 0.01, ["ab", "cde", "fghi"], (5, 55.0));
    check(wide + 0.01, ["ab", "c", "fghi"], (4, 40.0));
    check(wide + 0.01, ["ab", "cd", "fghi"], (4, 55.0));
}

#[test]
fn the_typical_part_is_the_median_of_all_rows() {
    let check = |rows: &[(&str, f32, f32)], expected| {
        let spans: Vec<TextSpan> =
            rows.iter().map(|(text, x, length)| drawn(text, *x, 0.0, *length, 10.0)).collect();
        let rows: Vec<SpanRow<'_>> = spans.chunks(1).map(|spans| row_of(spans, 0.0, 10.0)).collect();
        assert_eq!(typical_part(&rows), expected);
    };
    check(&[("abcd", 10.0, 20.0), ("a", 10.0, 50.0), ("abc", 60.0, 30.0)], (3, 0.375));
    check(&[("abcd", 10.0, 20.0), ("a", 10.0, 40.0)], (4, 1.0));
    check(&[("ab", 10.0, 0.5)], (2, 0.5));
    check(&[], (0, 0.0));
}

#[test]
fn a_row_takes_what_is_on_its_baseline_or_overlaps_it() {
    let check = |row: (f32, f32), span: (f32, f32), expected| {
        let spans = [drawn("a", 0.0, span.0, 10.0, span.1)];
        let taken =
            SpanRow { spans: Vec::new(), base: row.0, size: row.1 }.takes(&PositionedSpan::of(&spans[0]));
        assert_eq!(taken, expected, "{row:?} {span:?}");
    };
    let fifth = 0.2 * SIZE;
    check((0.0, 64.0), (fifth - 0.01, SIZE), true);
    check((0.0, 64.0), (fifth, SIZE), false);
    check((0.0, 64.0), (-fifth, SIZE), false);
    check((fifth, SIZE), (0.0, 64.0), false);
    check((0.0, SIZE), (fifth - 0.01, 64.0), true);
    let small = 0.45 * 64.0;
    check((0.0, 64.0), (-20.0, small), false);
    check((0.0, 64.0), (-20.0, small + 0.01), true);
    check((-20.0, small), (0.0, 64.0), false);
    check((-20.0, small + 0.01), (0.0, 64.0), true);
    for (distance, expected) in [(4.4, true), (4.6, false), (-4.4, true), (-4.6, false)] {
        check((100.0, 10.0), (100.0 + distance, 10.0), expected);
    }
    check((100.0, 12.0), (106.0, 8.0), false);
    check((100.0, 12.0), (104.0, 8.0), true);
    check((100.0, 12.0), (94.0, 8.0), true);
    check((100.0, 12.0), (92.0, 8.0), false);
}

#[test]
fn rows_have_the_baseline_and_the_size_of_their_largest_text() {
    let check = |spans: &[(f32, f32)], expected: &[(f32, f32, usize)]| {
        let spans: Vec<TextSpan> = spans
            .iter()
            .enumerate()
            .map(|(at, (base, size))| drawn("a", at as f32, *base, 9.0, *size))
            .collect();
        let placed: Vec<PositionedSpan<'_>> = spans.iter().map(PositionedSpan::of).collect();
        let found: Vec<(f32, f32, usize)> =
            rows(&placed).iter().map(|row| (row.base, row.size, row.spans.len())).collect();
        assert_eq!(found, expected);
    };
    check(&[(100.0, 10.0), (101.0, 10.0)], &[(100.0, 10.0, 2)]);
    check(&[(100.0, 10.0), (101.0, 12.0)], &[(101.0, 12.0, 2)]);
    check(&[(112.0, 10.0), (100.0, 10.0)], &[(100.0, 10.0, 1), (112.0, 10.0, 1)]);
    check(&[], &[]);
}

#[test]
fn insets_stand_where_their_lines_are() {
    let check = |inset_at: &[f32], has_text: bool, expected: &str| {
        let source = drawn("x", 0.0, 0.0, 9.0, 10.0);
        let text = drawn("text", 50.0, 0.0, 20.0, 10.0);
        let mut spans: Vec<PositionedSpan<'_>> = inset_at
            .iter()
            .enumerate()
            .map(|(at, x0)| PositionedSpan { x0: *x0, stands_for: Some(at), ..PositionedSpan::of(&source) })
            .collect();
        spans.extend(has_text.then(|| PositionedSpan::of(&text)));
        let entries = of_region(spans, true);
        let shown = entries.iter().map(|entry| match entry {
            RegionEntry::Line(line) => {
                assert!(line.is_turned);
                line.text.clone()
            }
            RegionEntry::Inset(at) => at.to_string(),
        });
        assert_eq!(shown.collect::<Vec<_>>().join(" "), expected);
    };
    check(&[50.0], true, "0 text");
    check(&[50.1], true, "text 0");
    check(&[90.0, 10.0], true, "1 text 0");
    check(&[90.0, 10.0], false, "1 0");
}

#[test]
fn text_in_another_direction_counts_by_the_box_around_it() {
    let level = [
        drawn("b", 60.0, 50.0, 9.0, 10.0),
        drawn(" ", 200.0, 90.0, 9.0, 10.0),
        drawn("a", 20.0, 50.0, 9.0, 10.0),
    ];
    let turned =
        TextSpan { rotation: 90.0, bbox: [30.0, 10.0, 38.0, 40.0], ..drawn("up", 32.0, 10.0, 30.0, 8.0) };
    let whole = TextSpan { rotation: 360.2, ..drawn("c", 5.0, 80.0, 9.0, 10.0) };
    let spans = [&level[0], &level[1], &level[2], &turned, &whole];
    let found: Vec<(String, f32, f32, f32)> =
        of_area(&spans).into_iter().map(|line| (line.text, line.x0, line.x1, line.base)).collect();
    let texts: Vec<&str> = found.iter().map(|line| line.0.as_str()).collect();
    assert_eq!(texts, ["up", "a b", "c"]);
    assert_eq!((found[0].1, found[0].2), (30.0, 38.0));
    assert!((found[0].3 - 27.24).abs() < 1e-3, "{found:?}");
}

/// A large letter of size 32 that ends at zero on baseline zero, and a text beside it: is the letter raised to it?
fn is_raised(letter: (&str, f32), beside: (f32, f32, f32)) -> bool {
    let (x, base, size) = beside;
    let mut spans = vec![drawn(letter.0, -32.0, 0.0, 32.0, letter.1), drawn("beside", x, base, 90.0, size)];
    spans.extend((0..3).map(|at| drawn("far", 500.0, 10.0 * at as f32, 40.0, 10.0)));
    let mut placed: Vec<PositionedSpan<'_>> = spans.iter().map(PositionedSpan::of).collect();
    raise_initials(&mut placed);
    assert!(placed[1..].iter().zip(&spans[1..]).all(|(placed, span)| placed.base == span.origin[1]));
    let after = (placed[0].base, placed[0].size);
    assert!(after == (base, size) || after == (0.0, letter.1), "{after:?}");
    after == (base, size)
}

#[test]
fn a_large_first_letter_belongs_to_the_first_line_beside_it() {
    let check = |x, base, size, expected| {
        assert_eq!(is_raised(("W", 32.0), (x, base, size)), expected, "{x} {base} {size}");
    };
    check(2.0, -18.0, 10.0, true);
    check(-0.2 * 32.0, -18.0, 10.0, true);
    check(-6.5, -18.0, 10.0, false);
    check(31.9, -18.0, 10.0, true);
    check(32.0, -18.0, 10.0, false);
    check(2.0, -5.1, 10.0, true);
    check(2.0, -5.0, 10.0, false);
    check(2.0, -22.0, 10.0, true);
    check(2.0, -22.3, 10.0, false);
    check(2.0, -18.0, 19.0, true);
    check(2.0, -18.0, 0.6 * 32.0, false);
}

#[test]
fn a_first_letter_is_much_larger_than_most_text_and_has_at_most_one_mark() {
    let check = |text, size, expected| {
        assert_eq!(is_raised((text, size), (2.0, -5.5, 8.0)), expected, "{text} {size}");
    };
    check("W", 32.0, true);
    check("“W", 32.0, true);
    check("Who", 32.0, false);
    check("W", 16.5, true);
    check("W", 1.6 * 10.0, false);
}

#[test]
fn a_page_with_many_large_letters_has_no_first_letters() {
    let check = |count: usize, expected: f32| {
        let mut spans = vec![drawn("beside", 2.0, -18.0, 90.0, 10.0)];
        spans.extend((0..count).map(|at| drawn("W", -32.0, 100.0 * at as f32, 32.0, 32.0)));
        spans.extend((0..count).map(|_| drawn("far", 500.0, 10.0, 40.0, 10.0)));
        let mut placed: Vec<PositionedSpan<'_>> = spans.iter().map(PositionedSpan::of).collect();
        raise_initials(&mut placed);
        assert_eq!(placed[1].base, expected, "{count}");
    };
    check(MAX_INITIALS, -18.0);
    check(MAX_INITIALS + 1, 0.0);
}

#[test]
fn the_leading_is_a_quantile_of_near_distances() {
    let check = |distances: &[f32], share: f32, expected: f32| {
        let mut base = 0.0;
        let mut lines = vec![TextLine { size: 10.0, ..TextLine::default() }];
        for distance in distances {
            base += distance;
            lines.push(TextLine { base, size: 10.0, ..TextLine::default() });
        }
        assert_eq!(leading(&lines, share), expected, "{distances:?} {share}");
    };
    check(&[15.0, 10.0, 20.0, 12.5, 25.0], 0.4, 1.5);
    check(&[15.0, 10.0, 20.0, 12.5, 25.0], 0.2, 1.25);
    check(&[15.0, 10.0, 20.0, 12.5, 25.0], 0.0, 1.0);
    check(&[8.0], 0.5, 0.8);
    check(&[7.5], 0.5, 1.3);
    check(&[26.5], 0.5, 2.65);
    check(&[27.0], 0.5, 1.3);
    check(&[-12.0, 40.0], 0.5, 1.3);
    let line = |base, size| TextLine { base, size, ..TextLine::default() };
    assert_eq!(leading(&[line(10.0, 10.0), line(30.0, 20.0)], 0.5), 1.0);
    assert_eq!(leading(&[line(10.0, 20.0), line(30.0, 10.0)], 0.5), 1.0);
}

#[test]
fn capitals_are_three_and_no_small_letters() {
    for (text, expected) in [("ABC", true), ("AB", false), ("AB 12", false), ("ABCd", false), ("A-B C", true)]
    {
        assert_eq!(is_capitals(text), expected, "{text}");
    }
}

#[test]
fn repeated_insets_stay_at_their_first_place() {
    let mut regions = vec![
        vec![RegionEntry::Inset(1), RegionEntry::Line(TextLine::default()), RegionEntry::Inset(1)],
        vec![RegionEntry::Inset(0), RegionEntry::Inset(1), RegionEntry::Line(TextLine::default())],
    ];
    drop_repeated_insets(&mut regions, 2);
    let shown = |region: &Vec<RegionEntry>| {
        region.iter().map(|entry| matches!(entry, RegionEntry::Inset(_))).collect::<Vec<_>>()
    };
    assert_eq!(regions.iter().map(shown).collect::<Vec<_>>(), [vec![true, false], vec![true, false]]);
}

#[test]
fn a_soft_hyphen_inside_a_line_is_a_hyphen() {
    let check = |texts: &[&str], expected: &str| {
        let mut line = String::new();
        texts.iter().for_each(|text| push_text(&mut line, text));
        assert_eq!(line, expected, "{texts:?}");
    };
    check(&["pseudo\u{ad}Avicenne"], "pseudo-Avicenne");
    check(&["pseudo\u{ad}", "Avicenne"], "pseudo-Avicenne");
    check(&["Arabo\u{ad}Islamic pseu\u{ad}"], "Arabo-Islamic pseu\u{ad}");
}
