//! Puts the spans of a page into reading order. A page is cut at a gutter between two columns of text; text across the
//! gutter, such as a heading, is read at its place. A table has gutters as well but stays whole: its cells are short
//! and share baselines. Nothing depends on the order in which the page draws its text.

use super::captions;
use super::margin_notes::{self, Margins};
use super::tables::bands::{self, TableBand};
use crate::layout::input::bidi;
use crate::layout::input::page::TextSpan;
use crate::layout::input::positioned_span::PositionedSpan;
use crate::layout::lines::list_items::is_bullet;
use crate::layout::lines::text_line::{self, RegionEntry, SpanRow, TextLine};

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

/// Lines on both sides of a gutter from which the text around a table is in columns: the heads and notes of a table have
/// fewer.
const MIN_COLUMN_LINES: usize = 8;

/// Texts beyond the edge of a narrow table from which it is in a column: notes in the margin are fewer.
const MIN_TEXTS_BEYOND: usize = 4;

/// A box or table that is read as one.
pub(crate) struct StandIn<'p> {
    /// Spans that represent it as full lines of text.
    pub(crate) spans: &'p [TextSpan],
}

/// Lines and insets in reading order, region by region.
pub(crate) fn read(spans: &[&TextSpan], stand_ins: &[StandIn<'_>]) -> Vec<Vec<RegionEntry>> {
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
    for (at, (_, mut spans)) in frames.into_iter().enumerate() {
        let runs_left = runs_left(&spans);
        let mut margins = if at == 0 { margin_notes::take(&mut spans) } else { Margins::default() };
        // What is beside and below a title would be parts of all columns.
        if !margins.side_heads.is_empty() && best_gutter(&spans).is_some() {
            margins.notes.append(&mut margins.side_heads);
        }
        let cuts = CutDepth { depth: 0, blank: None, runs_left, has_no_table: false };
        for head in margins.side_heads {
            let top = head.iter().map(PositionedSpan::top).fold(f32::INFINITY, f32::min);
            let (above, beside) = spans.into_iter().partition(|span| span.middle() < top);
            spans = beside;
            cut(above, cuts, &mut regions);
            regions.push(head);
        }
        cut(spans, cuts, &mut regions);
        captions::join_tables(&mut regions);
        regions.extend(margins.notes);
        all.extend(regions.drain(..).map(|spans| text_line::of_region(spans, at > 0)));
    }
    text_line::drop_repeated_insets(&mut all, stand_ins.len());
    all
}

/// The lines of some spans, region by region.
pub(crate) fn lines_of(spans: &[&TextSpan]) -> Vec<Vec<TextLine>> {
    let regions = read(spans, &[]).into_iter();
    regions.map(|region| region.into_iter().filter_map(RegionEntry::into_line).collect()).collect()
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
    if spans.is_empty() {
        return;
    }
    // Two columns have two texts each.
    if spans.len() < 4 || spans.len() > MAX_CUT_SPANS || cuts.depth >= MAX_CUT_DEPTH {
        regions.push(spans);
        return;
    }
    if let Some(bands) = if cuts.has_no_table { None } else { divide_at_tables(&spans) } {
        let cuts = CutDepth { has_no_table: true, ..cuts.deeper() };
        for band in bands {
            match band {
                TableBand::Table(spans) => regions.push(spans),
                TableBand::Other(spans) => cut(spans, cuts, regions),
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
    if let Some(gutter) = empty_gutter(&spans) {
        let (left, right) = spans.into_iter().partition(|span| (span.x0 + span.x1) / 2.0 < gutter);
        let [first, second] = if cuts.runs_left { [right, left] } else { [left, right] };
        cut(first, columns, regions);
        cut(second, columns, regions);
        return;
    }
    cut_apart(spans, cuts, regions);
}

/// Lines of a column that is known without lines beside it.
const MIN_LONE_LINES: usize = 3;

/// A gutter that nothing crosses between two columns of text of which only a few lines are at one height, as where a
/// heading begins one column and a caption the other.
fn empty_gutter(spans: &[PositionedSpan<'_>]) -> Option<f32> {
    gutters(spans).into_iter().find(|gutter| {
        let bands = bands(spans, *gutter);
        let is_beside = |band: &RegionBand<'_>| !band.left.is_empty() && !band.right.is_empty();
        let is_empty = bands.iter().all(|band| band.spanning.is_empty());
        is_empty && bands.iter().any(is_beside) && {
            let mut whole = RegionBand::default();
            for band in bands {
                whole.left.extend(band.left);
                whole.right.extend(band.right);
            }
            whole.is_prose(*gutter, MIN_LONE_LINES)
        }
    })
}

/// Divides a region at its tables, before it is cut at its gutters: the labels and the numbers of a table look like columns
/// of text. Where the text around a table is in columns, the table is in one of them, or is found when they are cut.
/// `None` if there is no table.
pub(super) fn divide_at_tables<'p>(spans: &[PositionedSpan<'p>]) -> Option<Vec<TableBand<'p>>> {
    let bands = bands::divide(spans)?;
    let others = bands.iter().filter_map(|band| match band {
        TableBand::Other(spans) => Some(spans.as_slice()),
        TableBand::Table(_) => None,
    });
    let others: Vec<PositionedSpan<'_>> = others.flatten().copied().collect();
    let mut columns = if others.len() < MIN_COLUMN_LINES { Vec::new() } else { gutters_of_columns(&others) };
    columns.retain(|(lines, _)| *lines >= MIN_COLUMN_LINES);
    // A label across the gutter of notes and their marks, say, is in no column.
    let is_across = |spans: &[PositionedSpan<'_>], gutter: f32| {
        let before = spans.iter().filter(|span| span.x1 <= gutter).count();
        let across = spans.iter().filter(|span| span.x0 < gutter && gutter < span.x1).count();
        before > 2 * across && spans.iter().any(|span| span.x0 >= gutter)
    };
    let extent = |spans: &[PositionedSpan<'_>]| {
        let left = spans.iter().map(|span| span.x0).fold(f32::INFINITY, f32::min);
        (left, spans.iter().map(|span| span.x1).fold(f32::NEG_INFINITY, f32::max))
    };
    let (left, right) = extent(spans);
    // A table that fills less than half of the width, with text farther right or left, is in a column of a few lines.
    let is_in_column = |spans: &[PositionedSpan<'_>]| {
        let (x0, x1) = extent(spans);
        let has_words = |span: &&PositionedSpan<'_>| span.source.text.contains(char::is_alphabetic);
        let beyond = others.iter().filter(|span| span.x0 > x1 || span.x1 < x0).filter(has_words);
        2.0 * (x1 - x0) < right - left && beyond.count() >= MIN_TEXTS_BEYOND
    };
    let is_across = |spans: &[PositionedSpan<'_>]| {
        is_in_column(spans) || columns.iter().any(|(_, gutter)| is_across(spans, *gutter))
    };
    let mut parts: Vec<TableBand<'p>> = Vec::new();
    for band in bands {
        let spans = match band {
            TableBand::Table(spans) if !is_across(&spans) => {
                parts.push(TableBand::Table(spans));
                continue;
            }
            TableBand::Table(spans) | TableBand::Other(spans) => spans,
        };
        match parts.last_mut() {
            Some(TableBand::Other(before)) => before.extend(spans),
            _ => parts.push(TableBand::Other(spans)),
        }
    }
    parts.iter().any(|part| matches!(part, TableBand::Table(_))).then_some(parts)
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
    // Below the median: headings and paragraphs only make blanks higher.
    blanks.get(blanks.len() / 3).copied().filter(|_| blanks.len() >= MIN_STRIPS)
}

enum RegionPart<'p> {
    Whole(Vec<PositionedSpan<'p>>),
    Columns(Vec<PositionedSpan<'p>>, Vec<PositionedSpan<'p>>),
}

/// The gutter that separates most lines into columns.
fn best_gutter(spans: &[PositionedSpan<'_>]) -> Option<f32> {
    let found = gutters_of_columns(spans).into_iter();
    found.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, gutter)| gutter)
}

/// The gutters between columns, each with the number of lines that it separates.
fn gutters_of_columns(spans: &[PositionedSpan<'_>]) -> Vec<(usize, f32)> {
    let lines_of = |gutter: f32| {
        let lines = |band: &RegionBand<'_>| match band.verdict(gutter) {
            GutterVerdict::Columns(lines) => lines,
            GutterVerdict::Cells | GutterVerdict::Unclear => 0,
        };
        bands(spans, gutter).iter().map(lines).sum::<usize>()
    };
    let found = gutters(spans).into_iter().map(|gutter| (lines_of(gutter), gutter));
    found.filter(|(lines, _)| *lines > 0).collect()
}

/// Lines of an area from which it may be a figure: the background of a row of a table has one or two.
const MIN_FIGURE_LINES: usize = 4;

/// The boxes whose edges may reach into a gutter: the frame or the background of a figure is often a little wider than the column
/// that it is in.
struct WideFrames(Vec<usize>);

impl WideFrames {
    fn among(spans: &[PositionedSpan<'_>]) -> WideFrames {
        let mut all: Vec<usize> = spans.iter().filter_map(|span| span.stands_for).collect();
        all.sort_unstable();
        let high = all.chunk_by(|a, b| a == b).filter(|lines| lines.len() >= MIN_FIGURE_LINES);
        WideFrames(high.map(|lines| lines[0]).collect())
    }

    /// How far the edges of a span may reach.
    fn overhang(&self, span: &PositionedSpan<'_>) -> f32 {
        match span.stands_for {
            Some(area) if self.0.binary_search(&area).is_ok() => span.size.min((span.x1 - span.x0) / 4.0),
            _ => 0.0,
        }
    }
}

/// Places with less text than on both sides: the middles of the emptiest strips.
fn gutters(spans: &[PositionedSpan<'_>]) -> Vec<f32> {
    let left = spans.iter().map(|span| span.x0).fold(f32::INFINITY, f32::min);
    let right = spans.iter().map(|span| span.x1).fold(f32::NEG_INFINITY, f32::max);
    let mut sizes: Vec<f32> = spans.iter().map(|span| span.size).collect();
    sizes.sort_by(f32::total_cmp);
    let strip = (sizes[sizes.len() / 2] / 4.0).max((right - left) / 2000.0);
    let count = ((right - left) / strip).ceil();
    // Narrower than two font sizes, a region has no columns.
    if !(8.0..=2001.0).contains(&count) {
        return Vec::new();
    }
    let index = |x: f32| (((x - left) / strip) as usize).min(count as usize);
    // The ink of each strip, from the differences at the starts and ends of spans.
    let mut ink = vec![0.0f32; count as usize + 2];
    let frames = WideFrames::among(spans);
    for span in spans {
        let inner = frames.overhang(span);
        ink[index(span.x0 + inner)] += span.size;
        ink[index(span.x1 - inner) + 1] -= span.size;
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
        if text_line::rows(side).len() == 1 {
            self.spanning.append(side);
        }
    }

    /// True if both sides have enough long lines, and the gutter is as wide as one.
    fn is_prose(&self, gutter: f32, lines: usize) -> bool {
        let (left, right) = (text_line::rows(&self.left), text_line::rows(&self.right));
        left.len().min(right.len()) >= lines && self.are_long(&left, &right, gutter)
    }

    fn are_long(&self, left: &[SpanRow<'_>], right: &[SpanRow<'_>], gutter: f32) -> bool {
        let gap = {
            let end = self.left.iter().map(|span| span.x1).fold(f32::NEG_INFINITY, f32::max);
            let start = self.right.iter().map(|span| span.x0).fold(f32::INFINITY, f32::min);
            start.max(gutter) - end.min(gutter)
        };
        let parts = [text_line::typical_part(left), text_line::typical_part(right)];
        // The right side may itself be two columns, each filling less than half of it.
        gap > 0.6 * left[0].size.min(right[0].size)
            && parts
                .iter()
                .zip([0.5, 0.25])
                .all(|((length, filled), fill)| *length >= MIN_PROSE_CHARACTERS && *filled >= fill)
    }

    fn verdict(&self, gutter: f32) -> GutterVerdict {
        let (left, right) = (text_line::rows(&self.left), text_line::rows(&self.right));
        let fewer = left.len().min(right.len());
        if fewer < 2 {
            return GutterVerdict::Unclear;
        }
        let (short, long) = if left.len() <= right.len() { (&left, &right) } else { (&right, &left) };
        let shared = short.iter().filter(|row| row.has_neighbour(long)).count();
        let both = |are: fn(&[SpanRow<'_>]) -> bool| are(&left) && are(&right);
        let is_prose = self.are_long(&left, &right, gutter)
            || both(begin_items)
            || both(are_entries)
            || both(are_index_entries);
        // Columns that were set apart rarely share baselines, cells of a table do.
        let is_apart = fewer >= 3 && shared * 10 < fewer * 5;
        match is_prose || is_apart {
            true => GutterVerdict::Columns(left.len() + right.len()),
            false if shared == fewer => GutterVerdict::Cells,
            false => GutterVerdict::Unclear,
        }
    }
}

/// True for two items and more: lists beside each other are columns.
fn begin_items(rows: &[SpanRow<'_>]) -> bool {
    rows.iter().filter(|row| row.first_text().is_some_and(is_bullet)).nth(1).is_some()
}

/// True for entries of a table of contents: beside each other they are columns.
fn are_entries(rows: &[SpanRow<'_>]) -> bool {
    2 * rows.iter().filter(|row| row.has_leader()).count() > rows.len()
}

/// True for entries of an index: beside each other they are columns.
fn are_index_entries(rows: &[SpanRow<'_>]) -> bool {
    2 * rows.iter().filter(|row| row.is_index_entry()).count() > rows.len()
}

/// The bands of a region, from top to bottom.
fn bands<'p>(spans: &[PositionedSpan<'p>], gutter: f32) -> Vec<RegionBand<'p>> {
    let frames = WideFrames::among(spans);
    let mut sorted: Vec<PositionedSpan<'p>> = spans.to_vec();
    sorted.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
    let mut bands: Vec<RegionBand<'p>> = Vec::new();
    for span in sorted {
        let slack = frames.overhang(&span).max(0.1 * span.size);
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
        // Boxes in rows, such as cards, are read row by row.
        let are_boxes = left.iter().chain(&right).all(|span| span.stands_for.is_some());
        if has_columns && !are_boxes {
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
mod tests;
