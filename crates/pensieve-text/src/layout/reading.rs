//! Puts the spans of a page into reading order. A page is cut at a gutter between two columns of text; text across the
//! gutter, such as a heading, is read at its place. A table has gutters as well but stays whole: its cells are short
//! and share baselines. Nothing depends on the order in which the page draws its text.

use super::bidi;
use super::keyed_tables;
use super::lines::{self, RegionEntry, TextLine};
use super::page::TextSpan;
use super::positioned_span::PositionedSpan;

/// Maximum directions of text on one page.
const MAX_DIRECTIONS: usize = 64;

/// Maximum depth of cuts inside cuts.
const MAX_CUT_DEPTH: usize = 16;

/// Maximum spans of a region that is cut; a region with more is a drawing and would cost too much.
const MAX_CUT_SPANS: usize = 20_000;

/// Maximum gutters that are tried in a region.
const MAX_GUTTERS: usize = 8;

/// Blank strips from which their usual height is known.
const MIN_STRIPS: usize = 4;

/// A strip that is at most this much higher than usual only separates lines.
const MAX_LINE_SPACE: f32 = 1.2;

/// Minimum characters per line of a column of text whose neighbours share its baselines.
const MIN_PROSE_CHARACTERS: usize = 16;

/// A box or table that is read as one.
pub(super) struct StandIn<'p> {
    /// Spans that represent it as full lines of text.
    pub(super) spans: &'p [TextSpan],
}

/// Lines and insets in reading order, region by region.
pub(super) fn read(spans: &[&TextSpan], stand_ins: &[StandIn<'_>]) -> Vec<Vec<RegionEntry>> {
    let mut frames: Vec<(i32, Vec<PositionedSpan<'_>>)> = Vec::new();
    let standing = stand_ins.iter().enumerate().flat_map(|(at, stand_in)| {
        stand_in
            .spans
            .iter()
            .map(move |span| PositionedSpan { stands_for: Some(at), ..PositionedSpan::of(span) })
    });
    for span in spans.iter().map(|span| PositionedSpan::of(span)).chain(standing) {
        let angle = span.source.rotation.round() as i32 % 360;
        match frames.iter().position(|(other, _)| *other == angle) {
            Some(at) => frames[at].1.push(span),
            None if frames.len() < MAX_DIRECTIONS => frames.push((angle, vec![span])),
            None => frames[0].1.push(span),
        }
    }
    // The direction of most text is that of the page; other directions are notes in its margin.
    frames.sort_by_key(|(angle, spans)| {
        (std::cmp::Reverse(spans.iter().map(|span| span.source.text.len()).sum::<usize>()), *angle)
    });
    let mut regions = Vec::new();
    let mut all = Vec::new();
    for (at, (_, spans)) in frames.into_iter().enumerate() {
        let runs_left = runs_left(&spans);
        cut(spans, CutDepth { depth: 0, blank: None, runs_left, has_no_table: false }, &mut regions);
        all.extend(regions.drain(..).map(|spans| lines::of_region(spans, at > 0)));
    }
    lines::drop_repeated_insets(&mut all, stand_ins.len());
    all
}

/// The lines of some spans, region by region.
pub(super) fn lines_of(spans: &[&TextSpan]) -> Vec<Vec<TextLine>> {
    let regions = read(spans, &[]).into_iter();
    regions
        .map(|region| {
            let lines = region.into_iter().filter_map(|entry| match entry {
                RegionEntry::Line(line) => Some(line),
                RegionEntry::Inset(_) => None,
            });
            lines.collect()
        })
        .collect()
}

/// True if most letters belong to scripts that run from right to left.
fn runs_left(spans: &[PositionedSpan<'_>]) -> bool {
    let (mut left, mut all) = (0, 0);
    for span in spans.iter().filter(|span| span.stands_for.is_none()) {
        all += span.source.text.len();
        if !span.source.text.is_ascii() {
            left += span.source.text.chars().filter(|c| bidi::is_right_to_left(*c)).count();
        }
    }
    // Their letters have two bytes.
    left * 4 > all
}

/// How deep a cut is inside others, the blank between the lines of the text around it, and its direction.
#[derive(Clone, Copy)]
struct CutDepth {
    depth: usize,
    blank: Option<f32>,
    /// The column on the right is read first.
    runs_left: bool,
    /// No table without lines is in it: a part of its height has none either, but one of its columns may.
    has_no_table: bool,
}

impl CutDepth {
    fn deeper(self) -> CutDepth {
        CutDepth { depth: self.depth + 1, ..self }
    }
}

fn cut<'p>(spans: Vec<PositionedSpan<'p>>, cuts: CutDepth, regions: &mut Vec<Vec<PositionedSpan<'p>>>) {
    if spans.len() < 4 || spans.len() > MAX_CUT_SPANS || cuts.depth >= MAX_CUT_DEPTH {
        regions.push(spans);
        return;
    }
    let table = if cuts.has_no_table { None } else { keyed_tables::find(&spans) };
    if let Some((top, bottom)) = table {
        let (above, rest): (Vec<_>, Vec<_>) = spans.into_iter().partition(|span| span.base < top);
        let (table, below): (Vec<_>, Vec<_>) = rest.into_iter().partition(|span| span.base <= bottom);
        for (part, is_table) in [(above, false), (table, true), (below, false)] {
            match is_table || part.is_empty() {
                true => regions.push(part),
                false => cut(part, cuts.deeper(), regions),
            }
        }
        return;
    }
    let columns = CutDepth { has_no_table: false, ..cuts.deeper() };
    let cuts = CutDepth { has_no_table: true, ..cuts };
    if let Some(gutter) = best_gutter(&spans) {
        for part in parts(spans, gutter) {
            match part {
                RegionPart::Whole(spans) => cut_apart(spans, cuts.deeper(), regions),
                RegionPart::Columns(left, right) => {
                    let [first, second] = if cuts.runs_left { [right, left] } else { [left, right] };
                    cut(first, columns, regions);
                    cut(second, columns, regions);
                }
            }
        }
        return;
    }
    cut_apart(spans, cuts, regions);
}

/// Cuts at the highest blank strip across the whole region, if there is one, because the columns above it may differ
/// from those below. Where they do not, and the strip is only the space between the lines of a text with wide spacing,
/// the two parts are one.
fn cut_apart<'p>(
    mut spans: Vec<PositionedSpan<'p>>,
    cuts: CutDepth,
    regions: &mut Vec<Vec<PositionedSpan<'p>>>,
) {
    spans.sort_by(|a, b| a.top().total_cmp(&b.top()).then(a.x0.total_cmp(&b.x0)));
    let strips = blank_strips(&spans);
    let widest = strips.iter().copied().filter(|(blank, at)| *blank > 0.5 * size_below(&spans[*at..]));
    let widest = widest.reduce(|a, b| if b.0 > a.0 { b } else { a });
    let Some((blank, at)) = widest.filter(|_| cuts.depth < MAX_CUT_DEPTH && spans.len() >= 6) else {
        regions.push(spans);
        return;
    };
    // Among a few lines, those with lowered letters may be most; then the text around them shows what is usual.
    let own = usual_blank(&strips);
    let usual = own.zip(cuts.blank).map(|(own, around)| own.max(around)).or(own).or(cuts.blank);
    let cuts = CutDepth { blank: usual, ..cuts };
    let below = spans.split_off(at);
    let first = regions.len();
    cut(spans, cuts.deeper(), regions);
    let second = regions.len();
    cut(below, cuts.deeper(), regions);
    let is_line_space = cuts.blank.is_some_and(|usual| blank <= usual * MAX_LINE_SPACE);
    if is_line_space && second == first + 1 && regions.len() == second + 1 {
        let below = regions.pop().unwrap_or_default();
        regions.last_mut().into_iter().for_each(|above| above.extend_from_slice(&below));
    }
}

/// The blank strips across spans that are sorted from top to bottom: their heights, and the first span below each.
fn blank_strips(spans: &[PositionedSpan<'_>]) -> Vec<(f32, usize)> {
    let mut strips = Vec::new();
    let mut bottom = f32::INFINITY;
    for (at, span) in spans.iter().enumerate() {
        if span.top() > bottom {
            strips.push((span.top() - bottom, at));
        }
        bottom = if at == 0 { span.bottom() } else { bottom.max(span.bottom()) };
    }
    strips
}

/// The font size of the line that starts with the first of these spans, which may be a superscript.
fn size_below(spans: &[PositionedSpan<'_>]) -> f32 {
    let bottom = spans.first().map_or(0.0, PositionedSpan::bottom);
    let row = spans.iter().take_while(|span| span.top() < bottom);
    row.map(|span| span.size).fold(0.0, f32::max)
}

/// The height of most blank strips, which are those between the lines of a text; `None` for a few.
fn usual_blank(strips: &[(f32, usize)]) -> Option<f32> {
    let mut blanks: Vec<f32> = strips.iter().map(|(blank, _)| *blank).collect();
    blanks.sort_by(f32::total_cmp);
    blanks.get(blanks.len() / 3).copied().filter(|_| blanks.len() >= MIN_STRIPS)
}

enum RegionPart<'p> {
    Whole(Vec<PositionedSpan<'p>>),
    Columns(Vec<PositionedSpan<'p>>, Vec<PositionedSpan<'p>>),
}

/// The gutter that separates most lines into columns.
fn best_gutter(spans: &[PositionedSpan<'_>]) -> Option<f32> {
    let mut best: Option<(usize, f32)> = None;
    for gutter in gutters(spans) {
        let lines: usize = bands(spans, gutter)
            .iter()
            .map(|band| match band.verdict(gutter) {
                GutterVerdict::Columns(lines) => lines,
                GutterVerdict::Cells | GutterVerdict::Unclear => 0,
            })
            .sum();
        if lines > best.map_or(0, |(most, _)| most) {
            best = Some((lines, gutter));
        }
    }
    best.map(|(_, gutter)| gutter)
}

/// Places with less text than on both sides: the middles of the emptiest strips.
fn gutters(spans: &[PositionedSpan<'_>]) -> Vec<f32> {
    let left = spans.iter().map(|span| span.x0).fold(f32::INFINITY, f32::min);
    let right = spans.iter().map(|span| span.x1).fold(f32::NEG_INFINITY, f32::max);
    let mut sizes: Vec<f32> = spans.iter().map(|span| span.size).collect();
    sizes.sort_by(f32::total_cmp);
    let strip = (sizes[sizes.len() / 2] / 4.0).max((right - left) / 2000.0);
    let count = ((right - left) / strip).ceil();
    if !(8.0..=2001.0).contains(&count) {
        return Vec::new();
    }
    let index = |x: f32| (((x - left) / strip) as usize).min(count as usize);
    // The ink of each strip, from the differences at the starts and ends of spans.
    let mut ink = vec![0.0f32; count as usize + 2];
    for span in spans {
        ink[index(span.x0)] += span.size;
        ink[index(span.x1) + 1] -= span.size;
    }
    let mut sum = 0.0;
    ink.iter_mut().for_each(|strip| {
        sum += *strip;
        *strip = sum.max(0.0);
    });
    ink.truncate(count as usize);
    valleys(&ink).into_iter().map(|at| left + (at + 0.5) * strip).collect()
}

/// The middles of the lowest runs that lie below both sides, the lowest and widest first.
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

/// A part of a region between blank strips, or between spans that cross its gutter.
#[derive(Default)]
struct RegionBand<'p> {
    spanning: Vec<PositionedSpan<'p>>,
    left: Vec<PositionedSpan<'p>>,
    right: Vec<PositionedSpan<'p>>,
    bottom: f32,
}

/// What a gutter separates in a band.
#[derive(Debug, Clone, Copy, PartialEq)]
enum GutterVerdict {
    /// Columns of text, with this many lines.
    Columns(usize),
    /// Cells of a table.
    Cells,
    /// Too little text to decide.
    Unclear,
}

impl RegionBand<'_> {
    /// A short line directly below lines that span the gutter is the last one of their text.
    fn take_last_line(&mut self) {
        if self.spanning.is_empty() || self.left.is_empty() == self.right.is_empty() {
            return;
        }
        let side = if self.left.is_empty() { &mut self.right } else { &mut self.left };
        if lines::rows(side).len() == 1 {
            self.spanning.append(side);
        }
    }

    fn verdict(&self, gutter: f32) -> GutterVerdict {
        let (left, right) = (lines::rows(&self.left), lines::rows(&self.right));
        let fewer = left.len().min(right.len());
        if fewer < 2 {
            return GutterVerdict::Unclear;
        }
        let gap = {
            let end = self.left.iter().map(|span| span.x1).fold(f32::NEG_INFINITY, f32::max);
            let start = self.right.iter().map(|span| span.x0).fold(f32::INFINITY, f32::min);
            start.max(gutter) - end.min(gutter)
        };
        let (short, long) = if left.len() <= right.len() { (&left, &right) } else { (&right, &left) };
        let shared = short.iter().filter(|row| row.has_neighbour(long)).count();
        let parts = [lines::typical_part(&left), lines::typical_part(&right)];
        // The right side may itself be two columns, each filling less than half of it.
        let is_prose = gap > 0.6 * left[0].size.min(right[0].size)
            && parts
                .iter()
                .zip([0.5, 0.25])
                .all(|((length, filled), fill)| *length >= MIN_PROSE_CHARACTERS && *filled >= fill);
        let is_apart = fewer >= 3 && shared * 10 < fewer * 5;
        match is_prose || is_apart {
            true => GutterVerdict::Columns(left.len() + right.len()),
            false if shared == fewer => GutterVerdict::Cells,
            false => GutterVerdict::Unclear,
        }
    }
}

/// The bands of a region, from top to bottom.
fn bands<'p>(spans: &[PositionedSpan<'p>], gutter: f32) -> Vec<RegionBand<'p>> {
    let mut sorted: Vec<PositionedSpan<'p>> = spans.to_vec();
    sorted.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
    let mut bands: Vec<RegionBand<'p>> = Vec::new();
    for span in sorted {
        let slack = 0.1 * span.size;
        let is_spanning = span.x0 < gutter - slack && span.x1 > gutter + slack;
        let continues = bands.last().is_some_and(|band| match is_spanning {
            true => band.left.is_empty() && band.right.is_empty(),
            false => span.top() - band.bottom < 0.5 * span.size,
        });
        if !continues {
            bands.push(RegionBand { bottom: f32::NEG_INFINITY, ..RegionBand::default() });
        }
        let Some(band) = bands.last_mut() else { continue };
        band.bottom = band.bottom.max(span.bottom());
        match is_spanning {
            true => band.spanning.push(span),
            false if (span.x0 + span.x1) / 2.0 < gutter => band.left.push(span),
            false => band.right.push(span),
        }
    }
    bands.iter_mut().for_each(RegionBand::take_last_line);
    bands
}

/// The parts of a region in reading order: columns continue across blank strips, until text spans them or a table
/// comes.
fn parts<'p>(spans: Vec<PositionedSpan<'p>>, gutter: f32) -> Vec<RegionPart<'p>> {
    let bands = bands(&spans, gutter);
    let verdicts: Vec<GutterVerdict> = bands.iter().map(|band| band.verdict(gutter)).collect();
    let mut parts: Vec<RegionPart<'p>> = Vec::new();
    let mut run: (Vec<PositionedSpan<'p>>, Vec<PositionedSpan<'p>>, bool) = Default::default();
    let close = |run: &mut (Vec<PositionedSpan<'p>>, Vec<PositionedSpan<'p>>, bool),
                 parts: &mut Vec<RegionPart<'p>>| {
        let (mut left, right, has_columns) = std::mem::take(run);
        if has_columns {
            parts.push(RegionPart::Columns(left, right));
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
        if verdict == GutterVerdict::Cells {
            close(&mut run, &mut parts);
            add_whole(&mut parts, band.left);
            add_whole(&mut parts, band.right);
            continue;
        }
        run.0.extend(band.left);
        run.1.extend(band.right);
        run.2 |= matches!(verdict, GutterVerdict::Columns(_));
    }
    close(&mut run, &mut parts);
    parts
}

fn add_whole<'p>(parts: &mut Vec<RegionPart<'p>>, spans: Vec<PositionedSpan<'p>>) {
    match parts.last_mut() {
        Some(RegionPart::Whole(whole)) => whole.extend(spans),
        _ => parts.push(RegionPart::Whole(spans)),
    }
}

#[cfg(test)]
mod tests {
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
}
