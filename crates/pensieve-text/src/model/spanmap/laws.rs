//! Compares composition with a model without runs: a map of single bytes.

use super::*;

fn source(map: &SpanMap, start: usize, end: usize) -> Option<(usize, usize, bool)> {
    map.source(Span::new(start, end)).map(|s| (s.start, s.end, s.exact))
}

/// The origin of one output byte: its unit's source and exactness, its place in the unit and the unit's length.
#[derive(Clone, Copy)]
struct Byte {
    src: Option<(usize, usize)>,
    exact: bool,
    at: usize,
    len: usize,
}

/// A map of single bytes: the source of each byte, and whether anything was lost before it (or at the end).
struct Model {
    bytes: Vec<Option<Byte>>,
    lost: Vec<bool>,
}

impl Model {
    fn of(map: &SpanMap, len: usize) -> Model {
        let mut model = Model { bytes: vec![None; len], lost: vec![false; len + 1] };
        for run in map.runs() {
            model.lost[run.out] |= run.out_unit == 0;
            for i in 0..run.units * run.out_unit {
                let (unit, at) = (i / run.out_unit, i % run.out_unit);
                let src = run.src + unit * run.src_unit;
                let src = (run.src_unit > 0).then_some((src, src + run.src_unit));
                model.bytes[run.out + i] = Some(Byte { src, exact: run.exact, at, len: run.out_unit });
            }
        }
        model
    }

    fn source(&self, start: usize, end: usize) -> Option<(usize, usize, bool)> {
        let mut exact = !(start + 1..end).any(|at| self.lost[at]);
        let mut found: Option<(usize, usize)> = None;
        let mut last = 0;
        for (at, byte) in (start..end).filter_map(|at| Some((at, self.bytes[at]?))) {
            exact &= byte.exact && at >= start + byte.at && at + byte.len - byte.at <= end;
            let Some((from, to)) = byte.src else { continue };
            exact &= (byte.at > 0 && at > start) || found.is_none() || from >= last;
            found = Some(found.map_or((from, to), |(a, b)| (a.min(from), b.max(to))));
            last = to;
        }
        found.map(|(a, b)| (a, b, exact))
    }
}

/// A map over `source` bytes, its output length, from a stream of small numbers.
fn random_map(next: &mut impl FnMut(usize) -> usize, source: usize) -> (SpanMap, usize) {
    let mut map = MapBuilder::new(0);
    while map.src() < source {
        let left = source - map.src();
        let len = (1 + next(3)).min(left);
        match next(10) {
            0 => map.skip_blank(len),
            1 => map.skip(len),
            2 => map.replace(1 + next(3), len),
            3 => map.insert(1 + next(2)),
            4 => map.insert_blank(1),
            5 => map.unit(1 + next(3), len),
            6 if left >= 4 => map.units(2, 1 + next(3), 2),
            _ => map.copy(len),
        }
    }
    let len = map.out();
    (map.finish(), len)
}

#[test]
fn composition_is_what_it_is_byte_by_byte() {
    let mut state = 7u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for round in 0..400 {
        let (inner, middle) = random_map(&mut next, 1 + round % 24);
        let (outer, len) = random_map(&mut next, middle);
        let (below, above) = (Model::of(&inner, middle), Model::of(&outer, len));
        let both = outer.through(&inner);
        let seen = Model::of(&both, len);
        for (start, end) in (0..len).flat_map(|a| (a + 1..=len).map(move |b| (a, b))) {
            assert_eq!(source(&inner, 0, middle), below.source(0, middle), "{inner:?}");
            assert_eq!(source(&both, start, end), seen.source(start, end), "{both:?}");
            check_composed(&above, &below, &both, start, end);
        }
    }
}

/// The composed source of a span is the union of the sources of its units, and exact if every step is exact.
fn check_composed(above: &Model, below: &Model, both: &SpanMap, start: usize, end: usize) {
    let mut expected: Option<(usize, usize)> = None;
    let mut exact = above.source(start, end).is_none_or(|(.., exact)| exact);
    let mut source_ranges: Vec<(usize, usize)> = Vec::new();
    for (from, to) in (start..end).filter_map(|at| above.bytes[at].and_then(|byte| byte.src)) {
        match source_ranges.last_mut() {
            Some(last) if last.1 == from => last.1 = to,
            Some(last) if *last == (from, to) => {}
            _ => source_ranges.push((from, to)),
        }
    }
    for (from, to) in source_ranges {
        if let Some((a, b, inner_exact)) = below.source(from, to) {
            exact &= inner_exact;
            expected = Some(expected.map_or((a, b), |(c, d)| (a.min(c), b.max(d))));
        }
    }
    // The source between these ranges was dropped as blank, but its losses count.
    let under = above.source(start, end).map(|(from, to, _)| (from + 1..to, from..to));
    if let Some((places, bytes)) = under {
        exact &= !places.into_iter().any(|at| below.lost[at]);
        exact &= bytes.into_iter().all(|at| below.bytes[at].is_none_or(|byte| byte.exact));
    }
    let found = source(both, start, end);
    assert_eq!(found.map(|(a, b, _)| (a, b)), expected, "{both:?} [{start}, {end})");
    let cuts = |at: usize| above.bytes.get(at).is_some_and(|byte| byte.is_some_and(|byte| byte.at > 0));
    // At the ends of a span, only bytes with a source show which losses are inside.
    let sourced = source(both, start, start + 1).and(source(both, end - 1, end)).is_some();
    let exact = exact || cuts(start) || cuts(end) || !sourced;
    assert!(exact || found.is_none_or(|(.., found)| !found), "{both:?} [{start}, {end}) cannot be exact");
}
