//! Maps from a changed text to the bytes that it came from.
//!
//! Every step that changes text (decoding, normalising, cleaning) builds such a map, and maps compose. That makes
//! citations exact instead of approximate. A text that a step leaves unchanged is one run, whatever its length.
//!
//! Two conventions keep maps small. Source bytes between two runs are *blank*: white space, hyphens or byte-order
//! marks, whose loss does not change the wording. Output bytes outside of all runs have no source: inserted blanks, or
//! everything if a reader knows no offsets. Anything else that was dropped, replaced or inserted is a run that is not
//! `exact`.

use super::span::Span;
use thiserror::Error;

/// One run of output: `units` equal units of `out_unit` bytes, each from `src_unit` bytes of the source.
///
/// Copied bytes are units of 1 byte from 1; a Latin-1 `é` is a unit of 2 bytes from 1, UTF-16 ASCII one of 1 from 2, a
/// line end `\r\n` that became `\n` one of 1 from 2. A unit is atomic: a cut inside it has no place in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapRun {
    /// First byte of output.
    pub out: usize,
    /// First byte of source.
    pub src: usize,
    /// The number of units.
    pub units: usize,
    /// Output bytes of a unit; 0 if source was dropped.
    pub out_unit: usize,
    /// Source bytes of a unit; 0 if output was inserted.
    pub src_unit: usize,
    /// True when the output is the decoded, normalised source.
    pub exact: bool,
}

impl MapRun {
    /// First byte of output after the run.
    pub fn out_end(&self) -> usize {
        self.out + self.units * self.out_unit
    }

    /// First byte of source after the run.
    pub fn src_end(&self) -> usize {
        self.src + self.units * self.src_unit
    }

    fn continues(&self, next: &MapRun) -> bool {
        self.out_end() == next.out
            && self.src_end() == next.src
            && self.out_unit == next.out_unit
            && self.src_unit == next.src_unit
            && self.exact == next.exact
    }

    /// The part of the run inside an overlapping output span, and whether the span cuts no unit.
    fn clipped(&self, span: Span) -> (MapRun, bool) {
        if self.out_unit == 0 {
            return (*self, true);
        }
        let start = span.start.max(self.out) - self.out;
        let end = span.end.min(self.out_end()) - self.out;
        let first = start / self.out_unit;
        let last = end.div_ceil(self.out_unit);
        let whole = start.is_multiple_of(self.out_unit) && end.is_multiple_of(self.out_unit);
        if whole {
            let src = self.src + first * self.src_unit;
            return (MapRun { out: self.out + start, src, units: last - first, ..*self }, true);
        }
        let part = MapRun {
            out: self.out + start,
            src: self.src + first * self.src_unit,
            units: 1,
            out_unit: end - start,
            src_unit: (last - first) * self.src_unit,
            exact: false,
        };
        (part, false)
    }

    /// The part of the run inside an overlapping output span. Units that the span cuts, at most one at either end, are
    /// separate from the others.
    fn parts(&self, span: Span) -> impl Iterator<Item = MapRun> {
        let part = |start, end| (start < end).then(|| self.clipped(Span::new(start, end)).0);
        let parts = if self.out_unit == 0 {
            [Some(*self), None, None]
        } else {
            let (start, end) = (span.start.max(self.out), span.end.min(self.out_end()));
            let first = (self.out + (start - self.out).next_multiple_of(self.out_unit)).min(end);
            let last = (end - (end - self.out) % self.out_unit).max(first);
            [part(start, first), part(first, last), part(last, end)]
        };
        parts.into_iter().flatten()
    }
}

/// The source of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceSpan {
    /// First byte of source.
    pub start: usize,
    /// First byte after.
    pub end: usize,
    /// True when these bytes, decoded and normalised, are the text of the span, blanks aside.
    pub exact: bool,
}

/// A map from bytes of an output text to bytes of a source, ordered by output.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpanMap {
    runs: Vec<MapRun>,
}

/// The error for stored bytes that are not a valid map.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("a stored map is broken at byte {at}")]
pub struct MapError {
    /// Where reading stopped.
    pub at: usize,
}

/// Runs of a stored map, at most: twice the bytes of a long segment. They take 200 MB; a map of a few kilobytes may claim more.
const MAX_DECODED_RUNS: usize = 4 << 20;

impl SpanMap {
    /// The map of `len` bytes copied from `source` on.
    pub fn identity(len: usize, source: usize) -> SpanMap {
        let mut map = MapBuilder::new(source);
        map.copy(len);
        map.finish()
    }

    /// The runs, ordered by output.
    pub fn runs(&self) -> &[MapRun] {
        &self.runs
    }

    /// True if no output byte has a source.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The smallest source range that a span of output comes from; `None` if no part of it has a source.
    ///
    /// Cost: a binary search, then one step per run inside the span.
    pub fn source(&self, span: Span) -> Option<SourceSpan> {
        let mut found: Option<SourceSpan> = None;
        let mut exact = true;
        let mut sourced_end = 0;
        for run in self.inside(span) {
            let (part, whole) = run.clipped(span);
            exact &= part.exact && whole;
            if part.src_unit == 0 || part.out_unit == 0 {
                continue;
            }
            found = Some(match found {
                None => SourceSpan { start: part.src, end: part.src_end(), exact: true },
                Some(so_far) => {
                    exact &= part.src >= sourced_end;
                    SourceSpan {
                        start: so_far.start.min(part.src),
                        end: so_far.end.max(part.src_end()),
                        exact: true,
                    }
                }
            });
            sourced_end = part.src_end();
        }
        found.map(|source| SourceSpan { exact, ..source })
    }

    /// The map with a loss wherever source between two runs is not blank, and an insertion wherever words of `text` are
    /// outside of all runs, for readers that collect words from several places. `is_blank` judges a span of the source.
    /// A map without runs stays empty.
    pub fn with_losses(self, text: &str, is_blank: impl Fn(Span) -> bool) -> SpanMap {
        let mut runs: Vec<MapRun> = Vec::with_capacity(self.runs.len());
        let (mut before, mut out) = (None, 0);
        let inserted = |out: usize, end: usize, src: usize| {
            let words = text.get(out..end).is_some_and(|gap| !gap.trim().is_empty());
            words.then(|| MapRun { out, src, units: end - out, out_unit: 1, src_unit: 0, exact: false })
        };
        let last = self.runs.last().copied();
        for run in self.runs {
            runs.extend(inserted(out, run.out, run.src));
            out = run.out_end();
            let is_sourced = run.src_unit > 0 && run.out_unit > 0;
            let gap = before.filter(|&end| is_sourced && end < run.src).map(|end| Span::new(end, run.src));
            if let Some(gap) = gap.filter(|&gap| !is_blank(gap)) {
                let (units, out_unit, src_unit) = (1, 0, gap.len());
                runs.push(MapRun { out: run.out, src: gap.start, units, out_unit, src_unit, exact: false });
            }
            if is_sourced || run.out_unit == 0 {
                before = Some(run.src_end());
            }
            runs.push(run);
        }
        runs.extend(last.and_then(|last| inserted(out, text.len(), last.src_end())));
        SpanMap { runs }
    }

    /// True if a cut of the output at `at` splits no unit.
    pub fn is_boundary(&self, at: usize) -> bool {
        let after = self.runs.partition_point(|run| run.out < at);
        match self.runs[..after].last() {
            Some(run) if run.out_unit > 1 && at < run.out_end() => {
                (at - run.out).is_multiple_of(run.out_unit)
            }
            _ => true,
        }
    }

    /// Runs that share a byte with the span, and drops strictly inside it.
    fn inside(&self, span: Span) -> impl Iterator<Item = &MapRun> {
        let mut first = self.runs.partition_point(|run| run.out <= span.start);
        while first > 0 && self.runs[first - 1].out_end() > span.start {
            first -= 1;
        }
        self.runs[first..]
            .iter()
            .take_while(move |run| run.out < span.end)
            .filter(move |run| run.out_unit > 0 || run.out > span.start)
    }

    /// Appends the map of the text that follows after `by` bytes of output.
    pub fn append(&mut self, next: SpanMap, by: usize) {
        self.runs.reserve(next.runs.len());
        for run in next.runs {
            push_merged(&mut self.runs, MapRun { out: run.out + by, ..run });
        }
    }

    /// Splits the map at an output byte; `self` keeps the part before it.
    pub fn split_off(&mut self, at: usize) -> SpanMap {
        let first = self.runs.partition_point(|run| run.out < at);
        if first == 0 {
            let mut all = std::mem::take(self);
            all.runs.iter_mut().for_each(|run| run.out -= at);
            return all;
        }
        let mut tail = self.runs.split_off(first);
        tail.iter_mut().for_each(|run| run.out -= at);
        if let Some(last) = self.runs.pop_if(|run| run.out_end() > at) {
            self.runs.extend(last.parts(Span::new(last.out, at)));
            let parts = last.parts(Span::new(at, last.out_end()));
            tail.splice(0..0, parts.map(|run| MapRun { out: run.out - at, ..run }));
        }
        release_capacity(&mut self.runs);
        SpanMap { runs: tail }
    }

    /// The composition of two steps: `self` maps to a text that `inner` maps to the source. Losses of `inner` stay
    /// visible, also those before the first run, after the last and between two.
    ///
    /// Cost: linear in the runs of both, plus one look-up for each unit that is not a plain copy; no memory if the
    /// inner step copied everything.
    pub fn through(mut self, inner: &SpanMap) -> SpanMap {
        if self.move_through_copy(inner) {
            return self;
        }
        let lossy = inner.runs.iter().any(|run| !run.exact);
        let mut runs = Vec::with_capacity(self.runs.len() + inner.runs.len());
        let (mut reached, mut out) = (0, 0);
        for run in &self.runs {
            if lossy && reached <= run.src {
                carry_losses(inner, Span::new(reached, run.src), out, &mut runs);
            }
            if run.out_unit == 1 && run.src_unit == 1 && run.exact {
                compose_copy(run, inner, &mut runs);
            } else {
                compose_units(run, inner, lossy, &mut runs);
            }
            (reached, out) = (run.src_end().max(reached), run.out_end());
        }
        if lossy {
            carry_losses(inner, Span::new(reached, usize::MAX), out, &mut runs);
        }
        SpanMap { runs }
    }

    /// The fast path for an inner step that copied everything, which is the usual case: one addition per run. Returns
    /// false for any other inner step.
    fn move_through_copy(&mut self, inner: &SpanMap) -> bool {
        let [copy] = inner.runs[..] else { return false };
        let covers = |run: &MapRun| copy.out <= run.src && run.src_end() <= copy.out_end();
        if copy.out_unit != 1 || copy.src_unit != 1 || !copy.exact || !self.runs.iter().all(covers) {
            return false;
        }
        self.runs.iter_mut().for_each(|run| run.src = run.src - copy.out + copy.src);
        true
    }

    /// Appends the stored form: counts and differences as variable-length integers.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        put(bytes, self.runs.len());
        let (mut out, mut src) = (0, 0);
        for run in &self.runs {
            let plain = run.out_unit == 1 && run.src_unit == 1;
            bytes.push(u8::from(run.exact) | u8::from(plain) << 1 | u8::from(run.out == out) << 2);
            if run.out != out {
                put(bytes, run.out - out);
            }
            put_signed(bytes, run.src as i64 - src as i64);
            put(bytes, run.units);
            if !plain {
                put(bytes, run.out_unit);
                put(bytes, run.src_unit);
            }
            (out, src) = (run.out_end(), run.src_end());
        }
    }

    /// Reads the stored form from `bytes` at `at`, and advances `at` past it.
    pub fn decode(bytes: &[u8], at: &mut usize) -> Result<SpanMap, MapError> {
        let count = take(bytes, at)?;
        if count > MAX_DECODED_RUNS {
            return Err(MapError { at: *at });
        }
        // A run has four bytes at least.
        let mut runs = Vec::with_capacity(count.min(bytes.len() / 4));
        let (mut out, mut src) = (0usize, 0usize);
        for _ in 0..count {
            let flags = *bytes.get(*at).ok_or(MapError { at: *at })?;
            *at += 1;
            if flags & 4 == 0 {
                out = out.checked_add(take(bytes, at)?).ok_or(MapError { at: *at })?;
            }
            let moved = (src as i64).checked_add(take_signed(bytes, at)?);
            src = moved.and_then(|moved| usize::try_from(moved).ok()).ok_or(MapError { at: *at })?;
            let units = take(bytes, at)?;
            let (out_unit, src_unit) =
                if flags & 2 != 0 { (1, 1) } else { (take(bytes, at)?, take(bytes, at)?) };
            let run = MapRun { out, src, units, out_unit, src_unit, exact: flags & 1 != 0 };
            let ends = units
                .checked_mul(out_unit)
                .and_then(|len| len.checked_add(out))
                .zip(units.checked_mul(src_unit).and_then(|len| len.checked_add(src)));
            (out, src) = ends.ok_or(MapError { at: *at })?;
            runs.push(run);
        }
        Ok(SpanMap { runs })
    }
}

/// Composes a run that copies: the inner runs in its range, shifted.
fn compose_copy(run: &MapRun, inner: &SpanMap, runs: &mut Vec<MapRun>) {
    let under = Span::new(run.src, run.src_end());
    for below in inner.inside(under) {
        for part in below.parts(under) {
            push_merged(runs, MapRun { out: part.out - run.src + run.out, ..part });
        }
    }
}

/// Composes a run that changes its text: each unit gets the source range that it came from.
fn compose_units(run: &MapRun, inner: &SpanMap, lossy: bool, runs: &mut Vec<MapRun>) {
    for unit in 0..run.units {
        let out = run.out + unit * run.out_unit;
        let at = run.src + unit * run.src_unit;
        if lossy && unit > 0 {
            carry_losses(inner, Span::new(at, at), out, runs);
        }
        let under = Span::new(at, at + run.src_unit);
        let bare = MapRun { out, src: 0, units: 1, out_unit: run.out_unit, src_unit: 0, exact: false };
        match inner.source(under) {
            Some(source) => {
                let exact = run.exact && source.exact;
                let src_unit = source.end - source.start;
                push_merged(runs, MapRun { src: source.start, src_unit, exact, ..bare });
            }
            None if !run.exact => {
                let src = runs.last().map_or(0, MapRun::src_end);
                push_merged(runs, MapRun { src, ..bare });
            }
            None if lossy => carry_losses(inner, under, out, runs),
            None => {}
        }
    }
}

/// Keeps the losses of the inner step in a gap of the outer one, as drops at `out`: inexact text that the outer step
/// dropped as blank, and drops inside the gap or at its ends, which are inside no run of the outer step.
fn carry_losses(inner: &SpanMap, gap: Span, out: usize, runs: &mut Vec<MapRun>) {
    let mut first = inner.runs.partition_point(|run| run.out < gap.start);
    while first > 0 && inner.runs[first - 1].out_end() > gap.start {
        first -= 1;
    }
    let touching = inner.runs[first..].iter().take_while(|run| run.out <= gap.end);
    for below in touching.filter(|run| !run.exact && (run.out_unit == 0 || run.out < gap.end)) {
        if below.out_unit > 0 && gap.is_empty() {
            continue;
        }
        let (part, _) = below.clipped(gap);
        let src_unit = part.units * part.src_unit;
        push_merged(runs, MapRun { out, src: part.src, units: 1, out_unit: 0, src_unit, exact: false });
    }
}

/// Appends a run; a run that continues the last one is merged with it, and drops at one place are one drop.
fn push_merged(runs: &mut Vec<MapRun>, run: MapRun) {
    let is_drop = |run: &MapRun| run.out_unit == 0 && !run.exact;
    match runs.last_mut() {
        _ if run.units == 0 => {}
        Some(last) if is_drop(last) && is_drop(&run) && last.out == run.out => {
            let (start, end) = (last.src.min(run.src), last.src_end().max(run.src_end()));
            *last = MapRun { src: start, units: 1, src_unit: end - start, ..*last };
        }
        Some(last) if last.continues(&run) && run.out_unit > 0 => last.units += run.units,
        _ => runs.push(run),
    }
}

/// Builds a map together with its text, from left to right.
#[derive(Debug, Clone, Default)]
pub struct MapBuilder {
    runs: Vec<MapRun>,
    out: usize,
    src: usize,
}

impl MapBuilder {
    /// A builder with the source cursor at `source`.
    pub fn new(source: usize) -> MapBuilder {
        MapBuilder { runs: Vec::new(), out: 0, src: source }
    }

    /// Bytes of output so far.
    pub fn out(&self) -> usize {
        self.out
    }

    /// The source cursor.
    pub fn src(&self) -> usize {
        self.src
    }

    /// `len` bytes were copied.
    pub fn copy(&mut self, len: usize) {
        self.push(len, 1, 1, true);
    }

    /// One atomic unit of `out` bytes comes from `src` bytes without loss.
    pub fn unit(&mut self, out: usize, src: usize) {
        self.push(1, out, src, true);
    }

    /// `count` such units.
    pub fn units(&mut self, count: usize, out: usize, src: usize) {
        self.push(count, out, src, true);
    }

    /// `out` bytes replace `src` bytes with different wording.
    pub fn replace(&mut self, out: usize, src: usize) {
        self.push(1, out, src, false);
    }

    /// `out` bytes were inserted that the source does not have, such as markup.
    pub fn insert(&mut self, out: usize) {
        self.push(1, out, 0, false);
    }

    /// `out` bytes of white space were inserted.
    pub fn insert_blank(&mut self, out: usize) {
        self.out += out;
    }

    /// `src` bytes of white space, hyphens or byte-order marks were dropped.
    pub fn skip_blank(&mut self, src: usize) {
        self.src += src;
    }

    /// `src` bytes of anything else were dropped.
    pub fn skip(&mut self, src: usize) {
        self.push(1, 0, src, false);
    }

    /// Moves the source cursor; the skipped bytes count as blank.
    pub fn seek(&mut self, source: usize) {
        self.src = source;
    }

    /// The finished map.
    pub fn finish(self) -> SpanMap {
        SpanMap { runs: self.runs }
    }

    fn push(&mut self, units: usize, out_unit: usize, src_unit: usize, exact: bool) {
        let run = MapRun { out: self.out, src: self.src, units, out_unit, src_unit, exact };
        self.out += units * out_unit;
        self.src += units * src_unit;
        push_merged(&mut self.runs, run);
    }
}

/// Appends an unsigned variable-length integer, seven bits per byte, low bits first.
pub(super) fn put(bytes: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn put_signed(bytes: &mut Vec<u8>, value: i64) {
    put(bytes, ((value << 1) ^ (value >> 63)) as usize);
}

/// Reads what [`put`] wrote.
pub(super) fn take(bytes: &[u8], at: &mut usize) -> Result<usize, MapError> {
    let mut value = 0usize;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at).ok_or(MapError { at: *at })?;
        *at += 1;
        value |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(MapError { at: *at })
}

fn take_signed(bytes: &[u8], at: &mut usize) -> Result<i64, MapError> {
    let value = take(bytes, at)? as u64;
    Ok((value >> 1) as i64 ^ -((value & 1) as i64))
}

/// Releases the unused capacity of a map that was split off from a larger one.
pub(super) fn release_capacity<T>(runs: &mut Vec<T>) {
    if runs.capacity() > 2 * runs.len() + 64 {
        runs.shrink_to_fit();
    }
}

#[cfg(test)]
mod laws;

#[cfg(test)]
mod tests {
    use super::*;

    fn source(map: &SpanMap, start: usize, end: usize) -> Option<(usize, usize, bool)> {
        map.source(Span::new(start, end)).map(|s| (s.start, s.end, s.exact))
    }

    /// `\u{FEFF}a\r\nbé` in Latin-1-like bytes with a three-byte mark, as `a\nbé`.
    fn decoded() -> SpanMap {
        let mut map = MapBuilder::new(0);
        map.skip_blank(3);
        map.copy(1);
        map.unit(1, 2);
        map.copy(1);
        map.unit(2, 1);
        map.finish()
    }

    #[test]
    fn words_left_out_between_runs_are_losses() {
        let source = b"one two  three";
        let mut map = MapBuilder::new(0);
        map.copy(3);
        map.insert_blank(1);
        map.seek(9);
        map.copy(5);
        let blank = |span: Span| source[span.range()].trim_ascii().is_empty();
        let map = map.finish().with_losses("one three", blank);
        let found = map.source(Span::new(0, 9)).unwrap();
        assert_eq!((found.start, found.end, found.exact), (0, 14, false));
        assert!(map.source(Span::new(4, 9)).unwrap().exact && map.source(Span::new(0, 3)).unwrap().exact);
        let mut map = MapBuilder::new(0);
        map.insert_blank(4);
        map.copy(3);
        let map = map.finish().with_losses("put one", blank);
        assert!(!map.source(Span::new(0, 7)).unwrap().exact && map.source(Span::new(4, 7)).unwrap().exact);
    }

    #[test]
    fn spans_lead_to_the_bytes_that_they_came_from() {
        let map = decoded();
        assert_eq!(source(&map, 0, 1), Some((3, 4, true)));
        assert_eq!(source(&map, 1, 3), Some((4, 7, true)));
        assert_eq!(source(&map, 3, 5), Some((7, 8, true)));
        assert_eq!(source(&map, 3, 4), Some((7, 8, false)));
        assert!(map.is_boundary(3) && !map.is_boundary(4) && map.is_boundary(5));
    }

    #[test]
    fn equal_units_are_one_run() {
        let mut map = MapBuilder::new(2);
        for _ in 0..1000 {
            map.unit(1, 2);
        }
        let map = map.finish();
        assert_eq!(map.runs().len(), 1);
        assert!(!map.is_empty());
        assert!(MapBuilder::new(2).finish().is_empty());
        assert_eq!(source(&map, 10, 20), Some((22, 42, true)));
    }

    #[test]
    fn what_was_dropped_or_put_in_is_not_exact() {
        let mut map = MapBuilder::new(0);
        map.copy(4);
        map.skip(3);
        map.copy(4);
        map.insert(2);
        map.copy(1);
        let map = map.finish();
        assert_eq!(source(&map, 0, 4), Some((0, 4, true)));
        assert_eq!(source(&map, 4, 8), Some((7, 11, true)));
        assert_eq!(source(&map, 3, 5), Some((3, 8, false)));
        assert_eq!(source(&map, 8, 10), None);
        assert_eq!(source(&map, 7, 11), Some((10, 12, false)));
    }

    #[test]
    fn maps_compose() {
        let inner = decoded();
        let mut outer = MapBuilder::new(0);
        outer.copy(1);
        outer.insert_blank(1);
        outer.skip_blank(1);
        outer.copy(1);
        outer.unit(3, 2);
        let both = outer.finish().through(&inner);
        assert_eq!(source(&both, 0, 1), Some((3, 4, true)));
        assert_eq!(source(&both, 2, 3), Some((6, 7, true)));
        assert_eq!(source(&both, 3, 6), Some((7, 8, true)));
        assert_eq!(source(&both, 0, 6), Some((3, 8, true)));
    }

    #[test]
    fn a_loss_below_stays_visible_above() {
        let mut inner = MapBuilder::new(0);
        inner.copy(2);
        inner.replace(3, 1);
        inner.copy(2);
        let inner = inner.finish();
        let mut outer = MapBuilder::new(0);
        outer.copy(2);
        outer.skip_blank(3);
        outer.copy(2);
        let both = outer.finish().through(&inner);
        assert_eq!(source(&both, 0, 4), Some((0, 5, false)));
        assert_eq!(source(&both, 2, 4), Some((3, 5, true)));
    }

    #[test]
    fn cutting_and_joining_changes_nothing_at_a_boundary() {
        let map = decoded();
        for at in [0, 1, 2, 3, 5] {
            let mut head = map.clone();
            let tail = head.split_off(at);
            head.append(tail, at);
            assert_eq!(head, map, "cut at {at}");
        }
    }

    #[test]
    fn the_stored_form_reads_back_and_broken_bytes_do_not() {
        let map = decoded();
        let mut bytes = Vec::new();
        map.encode(&mut bytes);
        let mut at = 0;
        assert_eq!(SpanMap::decode(&bytes, &mut at), Ok(map));
        assert_eq!(at, bytes.len());
        for cut in 0..bytes.len() {
            assert!(SpanMap::decode(&bytes[..cut], &mut 0).is_err());
        }
        assert!(SpanMap::decode(&[255; 12], &mut 0).is_err());
    }
}
