//! Boxes and grids at the limits of their sizes and distances.

use super::*;

fn page(shapes: &[(ShapeKind, [f32; 4])], spans: Vec<TextSpan>) -> LayoutPage {
    let shapes = shapes.iter().map(|(kind, bbox)| PageShape { kind: *kind, bbox: *bbox }).collect();
    LayoutPage { number: 1, width: 400.0, height: 400.0, spans, shapes, ..LayoutPage::default() }
}

/// A letter of this size whose box has its middle here.
fn letter([x, y]: [f32; 2], size: f32) -> TextSpan {
    TextSpan { bbox: [x - 1.0, y - 1.0, x + 1.0, y + 1.0], ..TextSpan::drawn("x", [x, y], 2.0, size) }
}

/// The boxes of filled areas, each with a letter of this size in its middle.
fn boxes_of(areas: &[[f32; 4]], size: f32) -> Vec<[f32; 4]> {
    let shapes: Vec<(ShapeKind, [f32; 4])> = areas.iter().map(|area| (ShapeKind::Fill, *area)).collect();
    let letters = areas.iter().map(|[x0, y0, x1, y1]| letter([(x0 + x1) / 2.0, (y0 + y1) / 2.0], size));
    let page = page(&shapes, letters.collect());
    boxes(&page, &LayoutOptions::default()).into_iter().map(Bounds::to_array).collect()
}

#[test]
fn a_box_is_neither_small_nor_the_background_of_the_page() {
    let check = |area: [f32; 4], expected: bool| {
        assert_eq!(boxes_of(&[area], 5.0).len(), usize::from(expected), "{area:?}");
    };
    check([100.0, 100.0, 140.0, 110.0], true);
    check([100.0, 100.0, 139.5, 110.0], false);
    check([100.0, 100.0, 140.0, 109.5], false);
    check([10.0, 10.0, 350.0, 410.0], true);
    check([10.0, 10.0, 350.0, 410.5], false);
    check([3.0, 50.0, 397.0, 100.0], false);
    check([3.5, 50.0, 397.0, 100.0], true);
    check([3.0, 50.0, 396.5, 100.0], true);
    check([50.0, 3.0, 100.0, 397.0], false);
    check([50.0, 3.5, 100.0, 397.0], true);
    check([50.0, 3.0, 100.0, 396.5], true);
}

#[test]
fn a_box_is_higher_than_its_letters() {
    let check = |size: f32, expected: bool| {
        assert_eq!(boxes_of(&[[100.0, 100.0, 200.0, 117.0]], size).len(), usize::from(expected), "{size}");
    };
    check(10.0, true);
    check(10.5, false);
    let shapes = [(ShapeKind::Fill, [100.0, 100.0, 200.0, 117.0])];
    let with = |spans| boxes(&page(&shapes, spans), &LayoutOptions::default()).len();
    assert_eq!(with(Vec::new()), 0);
    assert_eq!(with(vec![letter([100.0, 100.0], 5.0)]), 1);
    assert_eq!(with(vec![letter([99.5, 110.0], 5.0)]), 0);
    assert_eq!(with(vec![letter([150.0, 110.0], 5.0), letter([160.0, 110.0], 30.0)]), 0);
}

#[test]
fn a_box_in_another_one_belongs_to_it() {
    let outer = [100.0, 100.0, 300.0, 300.0];
    let check = |inner: [f32; 4], expected: usize| {
        assert_eq!(boxes_of(&[inner, outer], 5.0).len(), expected, "{inner:?}");
        assert_eq!(boxes_of(&[inner, outer], 5.0)[0], outer);
    };
    check([110.0, 110.0, 200.0, 200.0], 1);
    check([97.0, 110.0, 200.0, 200.0], 1);
    check([96.5, 110.0, 200.0, 200.0], 2);
    check([210.0, 110.0, 303.0, 200.0], 1);
    check([210.0, 110.0, 303.5, 200.0], 2);
}

#[test]
fn a_page_has_the_largest_boxes() {
    let at = |at: usize| {
        let (x, y) = (50.0 * (at % 20) as f32, 20.0 * (at / 20) as f32);
        [x, y, x + 45.0, y + 15.0]
    };
    let mut areas: Vec<[f32; 4]> = (0..MAX_BOXES + 1).map(at).collect();
    areas[7][3] -= 1.0;
    let shapes: Vec<(ShapeKind, [f32; 4])> = areas.iter().map(|area| (ShapeKind::Frame, *area)).collect();
    let spans = areas.iter().map(|[x0, y0, ..]| letter([x0 + 10.0, y0 + 5.0], 5.0)).collect();
    let page = LayoutPage { width: 2000.0, height: 2000.0, ..page(&shapes, spans) };
    let found = boxes(&page, &LayoutOptions::default());
    assert_eq!(found.len(), MAX_BOXES);
    assert!(!found.contains(&Bounds::of_array(areas[7])));
}

#[test]
fn slices_of_a_box_are_joined() {
    let check = |areas: &[[f32; 4]], expected: &[[f32; 4]]| {
        let shapes: Vec<(ShapeKind, [f32; 4])> = areas.iter().map(|area| (ShapeKind::Fill, *area)).collect();
        let found: Vec<[f32; 4]> =
            joined_slices(&page(&shapes, Vec::new())).into_iter().map(Bounds::to_array).collect();
        assert_eq!(found, expected);
    };
    let first = [10.0, 10.0, 100.0, 50.0];
    check(&[[10.0, 51.0, 100.0, 90.0], first], &[[10.0, 10.0, 100.0, 90.0]]);
    check(&[first, [10.0, 51.5, 100.0, 90.0]], &[first, [10.0, 51.5, 100.0, 90.0]]);
    check(&[first, [10.4, 40.0, 99.6, 90.0]], &[[10.0, 10.0, 100.0, 90.0]]);
    check(&[first, [11.0, 40.0, 100.0, 90.0]], &[first, [11.0, 40.0, 100.0, 90.0]]);
    check(&[first, [10.0, 40.0, 101.0, 90.0]], &[first, [10.0, 40.0, 101.0, 90.0]]);
}

#[test]
fn lines_on_one_position_that_touch_are_one() {
    let check = |lines: &[[f32; 3]], expected: &[[f32; 3]]| {
        let lines = lines.iter().map(|[at, from, to]| FrameLine { at: *at, from: *from, to: *to }).collect();
        let found: Vec<[f32; 3]> = merged(lines).iter().map(|line| [line.at, line.from, line.to]).collect();
        assert_eq!(found, expected);
    };
    check(&[[5.0, 13.0, 20.0], [5.0, 0.0, 10.0]], &[[5.0, 0.0, 20.0]]);
    check(&[[5.0, 0.0, 10.0], [5.0, 13.5, 20.0]], &[[5.0, 0.0, 10.0], [5.0, 13.5, 20.0]]);
    check(&[[5.0, 0.0, 10.0], [6.0, 10.0, 20.0]], &[[5.0, 0.0, 20.0]]);
    check(&[[5.0, 0.0, 10.0], [6.5, 10.0, 20.0]], &[[5.0, 0.0, 10.0], [6.5, 10.0, 20.0]]);
    check(&[[5.0, 0.0, 20.0], [5.0, 5.0, 10.0]], &[[5.0, 0.0, 20.0]]);
    check(&[[5.0, 0.0, 9.0], [5.75, 0.0, 9.0], [6.5, 0.0, 9.0]], &[[5.0, 0.0, 9.0], [6.5, 0.0, 9.0]]);
}

#[test]
fn positions_that_nearly_agree_are_one() {
    assert_eq!(places([9.0, 3.0, 0.0].into_iter()), [0.0, 3.0, 9.0]);
    assert_eq!(places([2.5, 0.0, 5.0].into_iter()), [0.0, 5.0]);
}

#[test]
fn rules_and_frames_have_edges() {
    let line = |at, from, to| FrameLine { at, from, to };
    let check = |kind, bbox, across: &[FrameLine], down: &[FrameLine]| {
        let (found_across, found_down) = edges(&page(&[(kind, bbox)], Vec::new()));
        assert_eq!((found_across.as_slice(), found_down.as_slice()), (across, down), "{kind:?} {bbox:?}");
    };
    check(ShapeKind::Rule, [10.0, 20.0, 90.0, 22.0], &[line(21.0, 10.0, 90.0)], &[]);
    check(ShapeKind::Rule, [10.0, 20.0, 14.0, 90.0], &[], &[line(12.0, 20.0, 90.0)]);
    check(ShapeKind::Rule, [10.0, 20.0, 14.0, 24.0], &[], &[line(12.0, 20.0, 24.0)]);
    let (across, down) =
        ([line(20.0, 10.0, 90.0), line(70.0, 10.0, 90.0)], [line(10.0, 20.0, 70.0), line(90.0, 20.0, 70.0)]);
    check(ShapeKind::Frame, [10.0, 20.0, 90.0, 70.0], &across, &down);
    check(ShapeKind::Fill, [10.0, 20.0, 90.0, 70.0], &[], &[]);
    check(ShapeKind::Image, [10.0, 20.0, 90.0, 70.0], &[], &[]);
}

#[test]
fn areas_as_high_as_a_row_have_edges() {
    let check = |kind, height: f32, expected: bool| {
        let found = edges_of_rows(&page(&[(kind, [10.0, 100.0, 90.0, 100.0 + height])], Vec::new()));
        let edges = [100.0, 100.0 + height].map(|at| FrameLine { at, from: 10.0, to: 90.0 });
        assert_eq!(found, if expected { edges.to_vec() } else { Vec::new() }, "{kind:?} {height}");
    };
    check(ShapeKind::Fill, 7.0, true);
    check(ShapeKind::Fill, 6.5, false);
    check(ShapeKind::Fill, 59.5, true);
    check(ShapeKind::Fill, 60.0, false);
    check(ShapeKind::Frame, 20.0, false);
    let many = vec![(ShapeKind::Fill, [10.0, 100.0, 90.0, 120.0]); MAX_LINES];
    assert_eq!(edges_of_rows(&page(&many, Vec::new())).len(), MAX_LINES);
}

fn lines(all: &[[f32; 3]]) -> Vec<FrameLine> {
    all.iter().map(|[at, from, to]| FrameLine { at: *at, from: *from, to: *to }).collect()
}

#[test]
fn a_grid_has_at_least_two_rows_and_two_columns() {
    let check = |across: &[[f32; 3]], down: &[[f32; 3]], expected: Option<(&[f32], &[f32])>| {
        let found = grid(&lines(across), &lines(down));
        let found = found.as_ref().map(|grid| (grid.rows.as_slice(), grid.frame.edges.as_slice()));
        assert_eq!(found, expected, "{across:?} {down:?}");
    };
    let across = [[0.0, 0.0, 100.0], [20.0, 0.0, 100.0]];
    check(&across, &[[50.0, 0.0, 40.0]], Some((&[0.0, 20.0, 40.0], &[0.0, 50.0, 100.0])));
    check(&across, &[[50.0, 0.0, 20.0]], None);
    check(&across, &[[0.0, 0.0, 40.0], [100.0, 0.0, 40.0]], None);
    check(&across, &[], None);
    check(&[], &[[50.0, 0.0, 40.0]], None);
}

fn small_grid() -> GridArea {
    let edges = vec![0.0, 50.0, 100.0];
    GridArea { rows: vec![0.0, 20.0, 40.0, 60.0], frame: TableFrame { edges, ..TableFrame::default() } }
}

#[test]
fn a_text_is_in_the_cell_in_which_it_starts() {
    let check = |[x0, x1, y]: [f32; 3], expected: Option<(usize, usize)>| {
        let span = TextSpan { bbox: [x0, y - 3.0, x1, y + 3.0], ..letter([0.0, 0.0], 5.0) };
        assert_eq!(small_grid().cell_of(&span), expected, "{x0} {x1} {y}");
    };
    check([10.0, 90.0, 10.0], Some((0, 0)));
    check([60.0, 90.0, 20.0], Some((1, 1)));
    check([60.0, 90.0, 19.5], Some((0, 1)));
    check([10.0, 20.0, 59.5], Some((2, 0)));
    check([10.0, 20.0, 60.0], None);
    check([10.0, 20.0, -0.5], None);
    check([49.0, 90.0, 10.0], Some((0, 1)));
    check([48.5, 90.0, 10.0], Some((0, 0)));
    check([49.5, 50.5, 10.0], Some((0, 1)));
    check([49.25, 50.25, 10.0], Some((0, 0)));
    check([99.0, 120.0, 10.0], None);
    check([98.5, 120.0, 10.0], Some((0, 1)));
    check([-1.5, 20.0, 10.0], None);
}

#[test]
fn a_grid_is_a_table_if_half_of_its_rows_have_several_texts() {
    let check = |both: usize, one: usize, blank: usize, expected: bool| {
        let count = both + one + blank;
        let rows = (0..=count).map(|row| 20.0 * row as f32).collect();
        let grid = GridArea { rows, ..small_grid() };
        let at = |row: usize, x: f32| letter([x, 20.0 * row as f32 + 10.0], 5.0);
        let mut spans: Vec<TextSpan> = (0..both + one).map(|row| at(row, 25.0)).collect();
        spans.extend((0..both).map(|row| at(row, 75.0)));
        assert_eq!(grid.is_table(&page(&[], spans), &[]), expected, "{both} {one} {blank}");
    };
    check(2, 0, 0, true);
    check(1, 0, 1, false);
    check(2, 2, 3, true);
    check(2, 3, 0, false);
    check(3, 3, 0, true);
    check(3, 4, 0, false);
}

#[test]
fn the_rest_of_the_grid_before_needs_one_full_row() {
    let rows = vec![0.0, 20.0, 40.0];
    let spans = vec![letter([75.0, 10.0], 5.0), letter([25.0, 30.0], 5.0), letter([75.0, 30.0], 5.0)];
    let grid = GridArea { rows, ..small_grid() };
    let edges = grid.frame.edges.clone();
    let moved: Vec<f32> = edges.iter().map(|edge| edge + 4.0).collect();
    for (before, expected) in [(&[][..], false), (&edges, true), (&moved, false), (&edges[1..], false)] {
        assert_eq!(grid.is_table(&page(&[], spans.clone()), before), expected, "{before:?}");
    }
    assert!(!grid.is_table(&page(&[], spans[..2].to_vec()), &edges));
}

/// The lines of a grid of two columns and two rows, 50 points wide and 20 high, and a letter in each cell.
fn grid_at(x: f32, y: f32) -> (Vec<FrameLine>, Vec<FrameLine>, Vec<TextSpan>) {
    let across = [0.0, 20.0, 40.0].map(|down| FrameLine { at: y + down, from: x, to: x + 100.0 });
    let down = [0.0, 50.0, 100.0].map(|right| FrameLine { at: x + right, from: y, to: y + 40.0 });
    let cells = [(25.0, 10.0), (75.0, 10.0), (25.0, 30.0), (75.0, 30.0)];
    let letters = cells.map(|(right, down)| letter([x + right, y + down], 5.0));
    (across.to_vec(), down.to_vec(), letters.to_vec())
}

fn check_grids(at: &[(f32, f32)], expected: &[[f64; 4]]) {
    let (mut across, mut down, mut spans) = (Vec::new(), Vec::new(), Vec::new());
    for (x, y) in at {
        let (rows, columns, letters) = grid_at(*x, *y);
        across.extend(rows);
        down.extend(columns);
        spans.extend(letters);
    }
    let found: Vec<[f64; 4]> = grids(&across, &down, &page(&[], spans), &[])
        .iter()
        .map(|grid| grid.bounds())
        .map(|bounds| [bounds.x0, bounds.y0, bounds.x1, bounds.y1])
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn lines_that_meet_are_one_grid() {
    check_grids(&[(10.0, 10.0)], &[[10.0, 10.0, 110.0, 50.0]]);
    check_grids(&[(10.0, 100.0), (150.0, 10.0)], &[[150.0, 10.0, 250.0, 50.0], [10.0, 100.0, 110.0, 140.0]]);
    check_grids(&[(150.0, 10.0), (10.0, 10.0)], &[[10.0, 10.0, 110.0, 50.0], [150.0, 10.0, 250.0, 50.0]]);
    check_grids(&[(10.0, 10.0), (113.0, 10.0)], &[[10.0, 10.0, 213.0, 50.0]]);
    check_grids(&[(10.0, 10.0), (113.5, 10.0)], &[[10.0, 10.0, 110.0, 50.0], [113.5, 10.0, 213.5, 50.0]]);
    check_grids(&[(10.0, 10.0), (10.0, 53.0)], &[[10.0, 10.0, 110.0, 93.0]]);
    check_grids(&[(10.0, 10.0), (10.0, 53.5)], &[[10.0, 10.0, 110.0, 50.0], [10.0, 53.5, 110.0, 93.5]]);
    check_grids(&[], &[]);
}

#[test]
fn a_table_has_the_area_and_the_lines_of_its_grid() {
    let (across, down, spans) = grid_at(10.0, 20.0);
    let rule = |line: &FrameLine, is_level: bool| match is_level {
        true => (ShapeKind::Rule, [line.from, line.at, line.to, line.at]),
        false => (ShapeKind::Rule, [line.at, line.from, line.at, line.to]),
    };
    let mut shapes: Vec<(ShapeKind, [f32; 4])> = across.iter().map(|line| rule(line, true)).collect();
    shapes.extend(down.iter().map(|line| rule(line, false)));
    let edges = vec![10.0, 60.0, 110.0];
    let bounds = Bounds { x0: 10.0, y0: 20.0, x1: 110.0, y1: 60.0 };
    let table = Inset::Table(bounds, TableFrame { across, down, edges });
    let find = |shapes: &[(ShapeKind, [f32; 4])], spans: &[TextSpan]| {
        find(&page(shapes, spans.to_vec()), &[], &LayoutOptions::default())
    };
    assert_eq!(find(&shapes, &spans), std::slice::from_ref(&table));
    let filled = |bbox: [f32; 4]| [shapes.clone(), vec![(ShapeKind::Fill, bbox)]].concat();
    assert_eq!(find(&filled([7.0, 20.0, 113.0, 62.0]), &spans), std::slice::from_ref(&table));
    let outside = [6.5, 20.0, 110.0, 60.0];
    assert_eq!(find(&filled(outside), &spans), [table, Inset::Box(Bounds::of_array(outside))]);
}

#[test]
fn heads_directly_above_the_lines_of_a_table_are_its_first_row() {
    let frames: Vec<(ShapeKind, [f32; 4])> = (0..3)
        .flat_map(|row| (0..3).map(move |column| (row as f32, column as f32)))
        .map(|(row, column)| {
            let (x, y) = (100.0 + 60.0 * column, 120.0 + 14.0 * row);
            (ShapeKind::Frame, [x, y, x + 60.0, y + 14.0])
        })
        .collect();
    let check = |heads: &[(&str, f32)], base: f32, expected: f64| {
        let text = |text: &str, x: f32, y: f32| TextSpan::drawn(text, [x, y], 30.0, 10.0);
        let cells =
            (0..9).map(|at| text("cell", 110.0 + 60.0 * (at % 3) as f32, 130.0 + 14.0 * (at / 3) as f32));
        let heads = heads.iter().map(|(head, x)| text(head, *x, base));
        let found = tables(&page(&frames, cells.chain(heads).collect()), &[]);
        let tops: Vec<f64> = found.iter().map(|inset| inset.bounds().y0.round()).collect();
        assert_eq!(tops, [expected], "{base}");
    };
    let heads = [("Place", 110.0), ("Keeper", 170.0), ("Oil", 230.0)];
    check(&heads, 116.0, 108.0);
    check(&heads, 105.0, 120.0);
    check(&heads[..2], 116.0, 120.0);
    check(&[("Place", 110.0), ("Keeper", 170.0), ("1871", 230.0)], 116.0, 120.0);
    check(&[("Place", 110.0), ("Keeper", 145.0), ("Oil", 230.0)], 116.0, 120.0);
    check(&[("Place", 110.0), ("Keeper", 170.0), ("Oil", 230.0), ("and more", 300.0)], 116.0, 120.0);
}
