//! Puts the spans of a page into the order in which they are read. A page is cut where a gutter runs between two
//! columns of text; what spans the gutter, a heading, is read where it stands. A table has gutters as well, and stays
//! whole: its cells stand on common baselines and are short. Nothing is learned, nothing depends on the order of drawing.

use super::lines::{self, RegionEntry};
use super::page::TextSpan;

/// Directions of text on one page.
const MAX_FRAMES: usize = 64;

/// Cuts of cuts.
const MAX_DEPTH: usize = 16;

/// Spans of a region that is cut; more of them are a drawing, and cost too much.
const MAX_CUT: usize = 20_000;

/// Gutters that are tried in a region.
const MAX_GUTTERS: usize = 8;

/// A column of text has at least that many characters a line, where the lines beside it share its baselines.
const PROSE: usize = 16;

/// A span in the frame of its direction: `x` along the baseline, `y` across it, downwards.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'p> {
    /// The span.
    pub(super) span: &'p TextSpan,
    /// Where it starts.
    pub(super) x0: f32,
    /// Where it ends.
    pub(super) x1: f32,
    /// Its baseline.
    pub(super) base: f32,
    /// Its font size.
    pub(super) size: f32,
    /// It stands for this box or table of the page, whose own text is read apart.
    pub(super) stands_for: Option<usize>,
}

impl Item<'_> {
    /// Its upper edge.
    pub(super) fn top(&self) -> f32 {
        self.base - 0.78 * self.size
    }

    /// Its lower edge.
    pub(super) fn bottom(&self) -> f32 {
        self.base + 0.22 * self.size
    }

    fn middle(&self) -> f32 {
        self.base - 0.28 * self.size
    }
}

/// What is read as one, and stands in the place of its text: a box, a table.
pub(super) struct Block<'p> {
    /// Stretches of what looks like full lines of text in its place.
    pub(super) spans: &'p [TextSpan],
}

/// Lines and blocks in the order in which they are read; those of one region stand together.
pub(super) fn read(spans: &[&TextSpan], blocks: &[Block<'_>]) -> Vec<Vec<RegionEntry>> {
    let mut frames: Vec<(i32, Vec<Item<'_>>)> = Vec::new();
    let standing = blocks.iter().enumerate().flat_map(|(at, block)| {
        block.spans.iter().map(move |span| Item { stands_for: Some(at), ..in_frame(span) })
    });
    for item in spans.iter().map(|span| in_frame(span)).chain(standing) {
        let angle = item.span.rotation.round() as i32 % 360;
        match frames.iter().position(|(other, _)| *other == angle) {
            Some(at) => frames[at].1.push(item),
            None if frames.len() < MAX_FRAMES => frames.push((angle, vec![item])),
            None => frames[0].1.push(item),
        }
    }
    // What most of the text does is the page, the rest are notes in its margin.
    frames.sort_by_key(|(angle, items)| {
        (std::cmp::Reverse(items.iter().map(|item| item.span.text.len()).sum::<usize>()), *angle)
    });
    let mut regions = Vec::new();
    let mut all = Vec::new();
    for (at, (_, items)) in frames.into_iter().enumerate() {
        cut(items, 0, &mut regions);
        all.extend(regions.drain(..).map(|items| lines::of_region(items, at > 0)));
    }
    lines::drop_repeated_blocks(&mut all, blocks.len());
    all
}

fn in_frame(span: &TextSpan) -> Item<'_> {
    let (sin, cos) = span.rotation.to_radians().sin_cos();
    let [x, y] = span.origin;
    let x0 = x * cos + y * sin;
    let base = y * cos - x * sin;
    // Upright letters of vertical lines stand on both sides of their baseline.
    let base = if span.is_vertical { base + 0.28 * span.size } else { base };
    Item { span, x0, x1: x0 + span.length, base, size: span.size, stands_for: None }
}

fn cut<'p>(items: Vec<Item<'p>>, depth: usize, regions: &mut Vec<Vec<Item<'p>>>) {
    if items.len() < 4 || items.len() > MAX_CUT || depth >= MAX_DEPTH {
        regions.push(items);
        return;
    }
    if let Some(gutter) = best_gutter(&items) {
        for part in parts(items, gutter) {
            match part {
                Part::Whole(items) => cut_apart(items, depth + 1, regions),
                Part::Columns(left, right) => {
                    cut(left, depth + 1, regions);
                    cut(right, depth + 1, regions);
                }
            }
        }
        return;
    }
    cut_apart(items, depth, regions);
}

/// Cuts at the highest blank that runs through the whole region, if there is one: what lies above it may have other
/// columns than what lies below.
fn cut_apart<'p>(mut items: Vec<Item<'p>>, depth: usize, regions: &mut Vec<Vec<Item<'p>>>) {
    items.sort_by(|a, b| a.top().total_cmp(&b.top()).then(a.x0.total_cmp(&b.x0)));
    let mut best: Option<(f32, usize)> = None;
    let mut bottom = f32::NEG_INFINITY;
    for (at, item) in items.iter().enumerate() {
        let blank = item.top() - bottom;
        if at > 0 && blank > 0.5 * item.size && best.is_none_or(|(widest, _)| blank > widest) {
            best = Some((blank, at));
        }
        bottom = bottom.max(item.bottom());
    }
    match best {
        Some((_, at)) if depth < MAX_DEPTH && items.len() >= 6 => {
            let below = items.split_off(at);
            cut(items, depth + 1, regions);
            cut(below, depth + 1, regions);
        }
        _ => regions.push(items),
    }
}

enum Part<'p> {
    Whole(Vec<Item<'p>>),
    Columns(Vec<Item<'p>>, Vec<Item<'p>>),
}

/// The gutter that parts most lines into columns.
fn best_gutter(items: &[Item<'_>]) -> Option<f32> {
    let mut best: Option<(usize, f32)> = None;
    for gutter in gutters(items) {
        let lines: usize = bands(items, gutter)
            .iter()
            .map(|band| match band.verdict(gutter) {
                Verdict::Columns(lines) => lines,
                Verdict::Cells | Verdict::Unclear => 0,
            })
            .sum();
        if lines > best.map_or(0, |(most, _)| most) {
            best = Some((lines, gutter));
        }
    }
    best.map(|(_, gutter)| gutter)
}

/// Where less is written than on both sides: the middles of the emptiest strips.
fn gutters(items: &[Item<'_>]) -> Vec<f32> {
    let left = items.iter().map(|item| item.x0).fold(f32::INFINITY, f32::min);
    let right = items.iter().map(|item| item.x1).fold(f32::NEG_INFINITY, f32::max);
    let mut sizes: Vec<f32> = items.iter().map(|item| item.size).collect();
    sizes.sort_by(f32::total_cmp);
    let strip = (sizes[sizes.len() / 2] / 4.0).max((right - left) / 2000.0);
    let count = ((right - left) / strip).ceil();
    if !(8.0..=2001.0).contains(&count) {
        return Vec::new();
    }
    let index = |x: f32| (((x - left) / strip) as usize).min(count as usize);
    // Ink of each strip, from the differences where items start and end.
    let mut ink = vec![0.0f32; count as usize + 2];
    for item in items {
        ink[index(item.x0)] += item.size;
        ink[index(item.x1) + 1] -= item.size;
    }
    let mut sum = 0.0;
    ink.iter_mut().for_each(|strip| {
        sum += *strip;
        *strip = sum.max(0.0);
    });
    ink.truncate(count as usize);
    valleys(&ink).into_iter().map(|at| left + (at + 0.5) * strip).collect()
}

/// The middles of the lowest stretches that lie below both sides, the lowest and widest first.
fn valleys(ink: &[f32]) -> Vec<f32> {
    let mut before = vec![0.0f32; ink.len() + 1];
    let mut after = vec![0.0f32; ink.len() + 1];
    for at in 0..ink.len() {
        before[at + 1] = before[at].max(ink[at]);
        let back = ink.len() - 1 - at;
        after[back] = after[back + 1].max(ink[back]);
    }
    let mut found: Vec<(f32, usize, usize)> = Vec::new();
    let mut at = 0;
    while at < ink.len() {
        let end = (at..ink.len()).find(|&i| (ink[i] - ink[at]).abs() > 0.01).unwrap_or(ink.len());
        let sides = before[at].min(after[end]);
        let is_lower = (at == 0 || ink[at - 1] > ink[at]) && (end == ink.len() || ink[end] > ink[at]);
        if is_lower && end - at >= 2 && ink[at] < 0.6 * sides {
            found.push((ink[at] / sides, at, end));
        }
        at = end;
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then((b.2 - b.1).cmp(&(a.2 - a.1))));
    found.truncate(MAX_GUTTERS);
    found.into_iter().map(|(_, start, end)| (start + end - 1) as f32 / 2.0).collect()
}

/// A stretch of a region between blanks that run across it, or between items that span its gutter.
#[derive(Default)]
struct Band<'p> {
    spanning: Vec<Item<'p>>,
    left: Vec<Item<'p>>,
    right: Vec<Item<'p>>,
    bottom: f32,
}

/// What a gutter parts in a band.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    /// Columns of text, of so many lines.
    Columns(usize),
    /// Cells of a table.
    Cells,
    /// Too little to tell.
    Unclear,
}

impl Band<'_> {
    fn verdict(&self, gutter: f32) -> Verdict {
        let (left, right) = (lines::rows(&self.left), lines::rows(&self.right));
        let fewer = left.len().min(right.len());
        if fewer < 2 {
            return Verdict::Unclear;
        }
        let gap = {
            let end = self.left.iter().map(|item| item.x1).fold(f32::NEG_INFINITY, f32::max);
            let start = self.right.iter().map(|item| item.x0).fold(f32::INFINITY, f32::min);
            start.max(gutter) - end.min(gutter)
        };
        let (short, long) = if left.len() <= right.len() { (&left, &right) } else { (&right, &left) };
        let shared = short.iter().filter(|row| row.has_neighbour(long)).count();
        let stretches = [lines::typical_stretch(&left), lines::typical_stretch(&right)];
        // A column on the right may itself be two columns, and fill less than half of what is right of the gutter.
        let is_prose = gap > 0.6 * left[0].size.min(right[0].size)
            && stretches
                .iter()
                .zip([0.5, 0.25])
                .all(|((length, filled), fill)| *length >= PROSE && *filled >= fill);
        let is_apart = fewer >= 3 && shared * 10 < fewer * 5;
        match is_prose || is_apart {
            true => Verdict::Columns(left.len() + right.len()),
            false if shared == fewer => Verdict::Cells,
            false => Verdict::Unclear,
        }
    }
}

/// The region in bands, from top to bottom.
fn bands<'p>(items: &[Item<'p>], gutter: f32) -> Vec<Band<'p>> {
    let mut sorted: Vec<Item<'p>> = items.to_vec();
    sorted.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
    let mut bands: Vec<Band<'p>> = Vec::new();
    for item in sorted {
        let slack = 0.1 * item.size;
        let is_spanning = item.x0 < gutter - slack && item.x1 > gutter + slack;
        let continues = bands.last().is_some_and(|band| match is_spanning {
            true => band.left.is_empty() && band.right.is_empty(),
            false => item.top() - band.bottom < 0.5 * item.size,
        });
        if !continues {
            bands.push(Band { bottom: f32::NEG_INFINITY, ..Band::default() });
        }
        let Some(band) = bands.last_mut() else { continue };
        band.bottom = band.bottom.max(item.bottom());
        match is_spanning {
            true => band.spanning.push(item),
            false if (item.x0 + item.x1) / 2.0 < gutter => band.left.push(item),
            false => band.right.push(item),
        }
    }
    bands
}

/// The region in parts that are read one after the other: columns go on over blanks, until something spans them or a
/// table comes.
fn parts<'p>(items: Vec<Item<'p>>, gutter: f32) -> Vec<Part<'p>> {
    let bands = bands(&items, gutter);
    let verdicts: Vec<Verdict> = bands.iter().map(|band| band.verdict(gutter)).collect();
    let mut parts: Vec<Part<'p>> = Vec::new();
    let mut run: (Vec<Item<'p>>, Vec<Item<'p>>, bool) = Default::default();
    let close = |run: &mut (Vec<Item<'p>>, Vec<Item<'p>>, bool), parts: &mut Vec<Part<'p>>| {
        let (mut left, right, has_columns) = std::mem::take(run);
        if has_columns {
            parts.push(Part::Columns(left, right));
        } else if !(left.is_empty() && right.is_empty()) {
            left.extend(right);
            add_whole(parts, left);
        }
    };
    for (band, verdict) in bands.into_iter().zip(verdicts) {
        if !band.spanning.is_empty() {
            close(&mut run, &mut parts);
            add_whole(&mut parts, band.spanning);
        }
        if verdict == Verdict::Cells {
            close(&mut run, &mut parts);
            add_whole(&mut parts, band.left);
            add_whole(&mut parts, band.right);
            continue;
        }
        run.0.extend(band.left);
        run.1.extend(band.right);
        run.2 |= matches!(verdict, Verdict::Columns(_));
    }
    close(&mut run, &mut parts);
    parts
}

fn add_whole<'p>(parts: &mut Vec<Part<'p>>, items: Vec<Item<'p>>) {
    match parts.last_mut() {
        Some(Part::Whole(whole)) => whole.extend(items),
        _ => parts.push(Part::Whole(items)),
    }
}
