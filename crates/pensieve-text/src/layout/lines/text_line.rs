//! Lines of a region: spans on one baseline, joined from left to right and put into reading order, with the boxes and
//! tables among them.

use super::index_entry::is_index_entry;
use super::leaders::has_leader;
use super::scripts;
use super::table_numbers::{closes_number, is_number, opens_number};
use crate::layout::input::bidi;
use crate::layout::input::bounds::Bounds;
use crate::layout::input::cjk::is_cjk;
use crate::layout::input::page::{FontFace, TextSpan, TextTag};
use crate::layout::input::positioned_span::{MIDDLE, PositionedSpan};
use crate::layout::input::typefaces::{family, is_bold};
use std::sync::Arc;

/// A wider gap, in font sizes, separates two words of a line.
const WORD_GAP: f32 = 0.13;

/// Fonts call the sign at the end of a divided word so, and some every hyphen.
const SOFT_HYPHEN: char = '\u{ad}';

/// Maximum large first letters of one region.
const MAX_INITIALS: usize = 40;

/// Lines farther apart than this, in font sizes, are not lines of one text: manuscripts are set with twice the usual
/// distance, which is up to 2.6.
const MAX_LEADING: f32 = 2.7;

/// A wider gap, in font sizes, separates two cells of a table.
const CELL_GAP: f32 = 0.9;

/// A wider gap may separate two cells of narrow columns, if the lines around it have a gap there as well.
const PART_GAP: f32 = 0.36;

/// Maximum gap, in font sizes, between a sign of currency and its number: the sign is at the left edge of the column, which
/// has room for the largest sum of a report (`$ 1,234,567` and `$ —` in one column: 6.2).
const MAX_SIGN_GAP: f32 = 8.0;

/// Maximum gap, in font sizes, between a number and the `)` or `%` after it, which may have a narrow column of its own.
const MAX_CLOSING_GAP: f32 = 2.0;

/// A wider gap is rarely between the words of a cell.
const WIDE_PART_GAP: f32 = 0.45;

/// An entry of a region in reading order.
#[derive(Debug, Clone)]
pub(crate) enum RegionEntry {
    /// A line of text.
    Line(TextLine),
    /// The box or table with this number.
    Inset(usize),
}

impl RegionEntry {
    /// The line; none for a box or table.
    pub(crate) fn into_line(self) -> Option<TextLine> {
        match self {
            RegionEntry::Line(line) => Some(line),
            RegionEntry::Inset(_) => None,
        }
    }
}

/// A line of text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextLine {
    /// Its text in reading order.
    pub text: String,
    /// The rectangle around it on the page.
    pub bounds: Bounds,
    /// Where it starts and ends along the baseline.
    pub x0: f32,
    /// The same at the end of the line.
    pub x1: f32,
    /// Its baseline.
    pub base: f32,
    /// Font size of most of it.
    pub size: f32,
    /// How far superscripts stand out above its letters.
    pub rise: f32,
    /// How far subscripts stand out below them.
    pub drop: f32,
    /// The font of most of it.
    pub face: Arc<FontFace>,
    /// True if all of it is bold.
    pub is_bold: bool,
    /// True if all of its letters have one width.
    pub is_monospace: bool,
    /// True if all of it is italic or oblique.
    pub is_italic: bool,
    /// The narrowest stems of its fonts in thousandths of the font size; 0 if one is not known.
    pub stem: u16,
    /// True if two of its texts in different type are farther apart than words are.
    pub is_mixed: bool,
    /// True if it runs in another direction than most text of its page.
    pub is_turned: bool,
    /// True if it lies across other lines, as watermarks do.
    pub is_across: bool,
    /// The direction of its baseline in degrees, clockwise as displayed.
    pub rotation: i16,
    /// What the file says that all of it is.
    pub tag: Option<TextTag>,
    /// Its parts between wide gaps: first byte of the text, left edge, right edge. Empty if there is one part.
    pub cells: Vec<(usize, f32, f32)>,
    /// The same for narrower gaps, which separate cells only if the lines around it agree.
    pub parts: Vec<(usize, f32, f32)>,
}

impl TextLine {
    /// The height of its middle.
    pub(crate) fn middle(&self) -> f32 {
        self.base - MIDDLE * self.size
    }

    /// Its parts with their left and right edges; the line itself if it has only one.
    pub(crate) fn fine_pieces(&self) -> impl Iterator<Item = (&str, f32, f32)> {
        let whole = self.parts.is_empty().then(|| (self.text.trim(), self.x0, self.x1));
        let ends = self.parts.iter().skip(1).map(|part| part.0).chain([self.text.len()]);
        let part = |(part, end): (&(usize, f32, f32), usize)| (self.slice(part.0, end), part.1, part.2);
        whole.into_iter().chain(self.parts.iter().zip(ends).map(part))
    }

    /// Its parts between gaps that are wider than those between words. Two numbers are parts in any case; a sign belongs
    /// to its number.
    pub(crate) fn pieces(&self) -> Vec<(&str, f32, f32)> {
        let whole = || vec![(self.text.trim(), self.x0, self.x1)];
        let Some(first) = self.parts.first() else { return whole() };
        let mut pieces: Vec<(&str, f32, f32)> = Vec::new();
        let mut open = *first;
        for (at, part) in self.parts.iter().enumerate().skip(1) {
            let end = self.parts.get(at + 1).map_or(self.text.len(), |next| next.0);
            let (before, after) = (self.slice(open.0, part.0), self.slice(part.0, end));
            // The next text is on the left in a line that runs from right to left.
            let gap = (part.1 - open.2).max(open.1 - part.2);
            match is_gap_of_cells(before, after, gap / self.size) {
                true => {
                    pieces.push((before, open.1, open.2));
                    open = *part;
                }
                false => (open.1, open.2) = (open.1.min(part.1), open.2.max(part.2)),
            }
        }
        pieces.push((self.slice(open.0, self.text.len()), open.1, open.2));
        pieces
    }

    fn slice(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or_default().trim()
    }

    /// The number of its pieces.
    pub(crate) fn piece_count(&self) -> usize {
        if self.parts.is_empty() { 1 } else { self.pieces().len() }
    }
}

/// True if a gap, in font sizes, between two parts of a line separates cells.
fn is_gap_of_cells(before: &str, after: &str, gap: f32) -> bool {
    if opens_number(before) && is_number(after) && gap < MAX_SIGN_GAP || is_leader(after) {
        return false;
    }
    if closes_number(after) && is_number(before) && gap < MAX_CLOSING_GAP {
        return false;
    }
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c == '%');
    let are_digits = is_digit(before.chars().next_back()) && is_digit(after.chars().next());
    let are_numbers = is_number(before) && (is_number(after) || opens_number(after));
    are_digits || are_numbers || gap > WIDE_PART_GAP
}

/// True for dots that lead from a text to the number at the end of the line.
fn is_leader(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, '.' | '·' | '…' | ' '))
}

/// The most that scripts of two lines push these apart, in font sizes.
const MAX_SCRIPT_SPACE: f32 = 0.6;

impl TextLine {
    /// The distance of the baselines of this line and the next, without the space that super- and subscripts between
    /// them need: in pages of browsers and word processors they push lines apart.
    pub(crate) fn body_distance(&self, next: &TextLine) -> f32 {
        let space = (self.drop + next.rise).min(MAX_SCRIPT_SPACE * self.size.max(next.size));
        next.base - self.base - space
    }
}

/// Spans on one baseline.
#[derive(Debug, Clone)]
pub(crate) struct SpanRow<'p> {
    spans: Vec<PositionedSpan<'p>>,
    /// Baseline of its largest span.
    pub(crate) base: f32,
    /// Font size of its largest span.
    pub(crate) size: f32,
}

impl<'p> SpanRow<'p> {
    /// Its spans.
    pub(crate) fn spans(&self) -> &[PositionedSpan<'p>] {
        &self.spans
    }

    /// True if one of the rows has the same baseline.
    pub(crate) fn has_neighbour(&self, rows: &[SpanRow<'_>]) -> bool {
        let near = 0.12 * self.size;
        let first = rows.partition_point(|row| row.base < self.base - near);
        rows.get(first).is_some_and(|row| row.base <= self.base + near)
    }

    /// Its first text.
    pub(crate) fn first_text(&self) -> Option<&str> {
        let first = self.spans.iter().min_by(|a, b| a.x0.total_cmp(&b.x0))?;
        Some(first.source.text.trim_start())
    }

    /// True for an entry of a table of contents.
    pub(crate) fn has_leader(&self) -> bool {
        self.spans.iter().any(|span| has_leader(&span.source.text))
    }

    /// True if its first part between wide gaps is an entry of an index.
    pub(crate) fn is_index_entry(&self) -> bool {
        let mut spans: Vec<&PositionedSpan<'_>> = self.spans.iter().collect();
        spans.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        let mut parts = spans.chunk_by(|a, b| b.x0 - a.x1 <= CELL_GAP * self.size);
        let text = |part: &[&PositionedSpan<'_>]| {
            part.iter().map(|span| span.source.text.as_str()).collect::<String>()
        };
        parts.next().is_some_and(|part| is_index_entry(&text(part)))
    }

    /// The left and right edges of its parts between wide gaps.
    pub(crate) fn parts(&self) -> Vec<(f32, f32)> {
        let mut spans: Vec<(f32, f32)> = self.spans.iter().map(|span| (span.x0, span.x1)).collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut parts: Vec<(f32, f32)> = Vec::new();
        for (x0, x1) in spans {
            match parts.last_mut() {
                Some(last) if x0 - last.1 <= CELL_GAP * self.size => last.1 = last.1.max(x1),
                _ => parts.push((x0, x1)),
            }
        }
        parts
    }

    /// The characters of its longest part without a wide gap, and the width of that part.
    fn longest_part(&self) -> (usize, f32) {
        let mut spans = self.spans.clone();
        spans.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        let (mut longest, mut part) = ((0, 0.0), (0, 0.0));
        let mut end = f32::INFINITY;
        for span in &spans {
            if span.x0 - end > 0.9 * self.size {
                part = (0, 0.0);
            }
            part.0 += span.source.text.chars().count();
            part.1 += span.x1 - span.x0;
            end = span.x1;
            if part.0 > longest.0 {
                longest = part;
            }
        }
        longest
    }

    fn takes(&self, span: &PositionedSpan<'_>) -> bool {
        let (small, large) = (self.size.min(span.size), self.size.max(span.size));
        if (self.base - span.base).abs() < 0.2 * small {
            return true;
        }
        let top = (self.base - 0.78 * self.size).max(span.top());
        let bottom = (self.base + 0.22 * self.size).min(span.bottom());
        small > 0.45 * large && bottom - top > 0.55 * small
    }
}

/// The median characters of the rows' longest parts, and the share of the whole width that such a part fills.
pub(crate) fn typical_part(rows: &[SpanRow<'_>]) -> (usize, f32) {
    let parts: Vec<(usize, f32)> = rows.iter().map(SpanRow::longest_part).collect();
    let mut lengths: Vec<usize> = parts.iter().map(|(length, _)| *length).collect();
    let mut widths: Vec<f32> = parts.iter().map(|(_, width)| *width).collect();
    lengths.sort_unstable();
    widths.sort_by(f32::total_cmp);
    let spans = || rows.iter().flat_map(|row| &row.spans);
    let left = spans().map(|span| span.x0).fold(f32::INFINITY, f32::min);
    let right = spans().map(|span| span.x1).fold(f32::NEG_INFINITY, f32::max);
    let width = (right - left).max(1.0);
    let middle = rows.len() / 2;
    (
        lengths.get(middle).copied().unwrap_or_default(),
        widths.get(middle).copied().unwrap_or_default() / width,
    )
}

/// Groups spans by their baselines, from top to bottom.
pub(crate) fn rows<'p>(spans: &[PositionedSpan<'p>]) -> Vec<SpanRow<'p>> {
    let mut sorted = spans.to_vec();
    sorted.sort_by(|a, b| a.base.total_cmp(&b.base).then(a.x0.total_cmp(&b.x0)));
    let mut rows: Vec<SpanRow<'p>> = Vec::new();
    for span in sorted {
        // Spans come in the order of their baselines: rows farther above are complete.
        let from = rows.len().saturating_sub(3);
        match rows[from..].iter_mut().rev().find(|row| row.takes(&span)) {
            Some(row) => {
                if span.size > row.size {
                    (row.base, row.size) = (span.base, span.size);
                }
                row.spans.push(span);
            }
            None => rows.push(SpanRow { base: span.base, size: span.size, spans: vec![span] }),
        }
    }
    rows.sort_by(|a, b| a.base.total_cmp(&b.base));
    rows
}

/// The lines and insets of a region.
pub(crate) fn of_region(mut spans: Vec<PositionedSpan<'_>>, is_turned: bool) -> Vec<RegionEntry> {
    let initials = raise_initials(&mut spans);
    let mut entries = Vec::new();
    for mut row in rows(&spans) {
        let mut blocks: Vec<(f32, usize)> =
            row.spans.iter().filter_map(|span| Some((span.x0, span.stands_for?))).collect();
        row.spans.retain(|span| span.stands_for.is_none());
        blocks.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut line = TextLine { is_turned, ..line(row) };
        // Lines beside a large first letter begin where it does.
        if let Some(initial) = initials.iter().find(|initial| initial.is_beside(&line)) {
            line.x0 = initial.x0;
        }
        let before = blocks.partition_point(|(x0, _)| *x0 <= line.x0 || line.text.is_empty());
        entries.extend(blocks[..before].iter().map(|(_, at)| RegionEntry::Inset(*at)));
        if !line.text.is_empty() {
            entries.push(RegionEntry::Line(line));
        }
        entries.extend(blocks[before..].iter().map(|(_, at)| RegionEntry::Inset(*at)));
    }
    entries
}

/// The lines of an area with cells, from top to bottom; text in another direction counts by the box around it.
pub(crate) fn of_area(spans: &[&TextSpan]) -> Vec<TextLine> {
    let turned = |span: &&TextSpan| span.rotation.round() as i32 % 360 != 0;
    let level: Vec<PositionedSpan<'_>> =
        spans.iter().filter(|span| !turned(span)).map(|span| PositionedSpan::of(span)).collect();
    let mut lines = of_rows(rows(&level));
    for span in spans.iter().filter(|span| turned(span)) {
        let mut row = line(SpanRow { base: 0.0, size: span.size, spans: vec![PositionedSpan::of(span)] });
        (row.x0, row.x1) = (span.bbox[0], span.bbox[2]);
        row.base = (span.bbox[1] + span.bbox[3]) / 2.0 + MIDDLE * span.size;
        row.parts = Vec::new();
        lines.push(row);
    }
    lines.retain(|line| !line.text.is_empty());
    lines.sort_by(|a, b| a.base.total_cmp(&b.base).then(a.x0.total_cmp(&b.x0)));
    lines
}

/// The lines of some rows.
pub(crate) fn of_rows(rows: Vec<SpanRow<'_>>) -> Vec<TextLine> {
    rows.into_iter().map(line).collect()
}

/// Keeps each inset once, at the position of its first line.
pub(crate) fn drop_repeated_insets(regions: &mut [Vec<RegionEntry>], blocks: usize) {
    let mut seen = vec![false; blocks];
    for region in regions {
        region.retain(|entry| match entry {
            RegionEntry::Line(_) => true,
            RegionEntry::Inset(at) => !std::mem::replace(&mut seen[*at], true),
        });
    }
}

/// A large first letter: where it begins and ends, and the baselines of the lines beside it.
struct InitialLetter {
    x0: f32,
    x1: f32,
    first: f32,
    last: f32,
}

impl InitialLetter {
    fn is_beside(&self, line: &TextLine) -> bool {
        (self.first + 0.5..=self.last + 0.3 * line.size).contains(&line.base)
            && (self.x1 - line.size..self.x1 + 2.0 * line.size).contains(&line.x0)
    }
}

/// Moves a large initial that spans several lines to the first of these lines.
fn raise_initials(spans: &mut [PositionedSpan<'_>]) -> Vec<InitialLetter> {
    let mut found = Vec::new();
    let mut sizes: Vec<f32> = spans.iter().map(|span| span.size).collect();
    sizes.sort_by(f32::total_cmp);
    let Some(usual) = sizes.get(sizes.len() / 2).copied() else { return found };
    let is_initial = |span: &PositionedSpan<'_>| {
        // One letter, perhaps with the mark of a quotation before it.
        span.stands_for.is_none() && span.size > 1.6 * usual && span.source.text.chars().nth(2).is_none()
    };
    let initials: Vec<usize> = (0..spans.len()).filter(|&at| is_initial(&spans[at])).collect();
    if initials.len() > MAX_INITIALS {
        return found;
    }
    for at in initials {
        let initial = spans[at];
        let beside = spans.iter().filter(|span| {
            span.size < 0.6 * initial.size
                && span.top() > initial.top() - 0.5 * span.size
                && span.base < initial.base - 0.5 * span.size
                && (initial.x1 - 0.2 * initial.size..initial.x1 + initial.size).contains(&span.x0)
        });
        if let Some(first) = beside.min_by(|a, b| a.base.total_cmp(&b.base)).copied() {
            found.push(InitialLetter {
                x0: initial.x0,
                x1: initial.x1,
                first: first.base,
                last: initial.base,
            });
            (spans[at].base, spans[at].size, spans[at].is_initial) = (first.base, first.size, true);
        }
    }
    found
}

fn line(mut row: SpanRow<'_>) -> TextLine {
    row.spans.sort_by(|a, b| a.x0.total_cmp(&b.x0).then(a.base.total_cmp(&b.base)));
    let mut line = TextLine {
        bounds: Bounds::EMPTY,
        base: row.base,
        is_bold: true,
        is_italic: true,
        is_monospace: true,
        stem: u16::MAX,
        ..TextLine::default()
    };
    let mut end: Option<(f32, f32)> = None;
    let mut has_bold = false;
    let mut is_after_initial = false;
    let mut before: Option<&PositionedSpan<'_>> = None;
    let shifts = scripts::shifts(&row.spans);
    for (at, span) in row.spans.iter().enumerate() {
        let next = span.source.text.trim();
        line.bounds.add(Bounds::of_array(span.source.bbox));
        let is_bold = is_bold(&span.source.font);
        // The number in front of a bold title may be plain.
        let is_number = line.text.is_empty() && next.chars().all(|c| c.is_ascii_digit() || c == '.');
        has_bold |= is_bold;
        line.is_bold &= is_bold || is_number;
        line.is_monospace &= span.source.font.is_monospace;
        // Numbers and signs are often upright in an italic line.
        line.is_italic &= span.source.font.is_italic || !next.contains(char::is_alphabetic);
        line.stem = line.stem.min(if is_bold { u16::MAX } else { span.source.font.stem });
        let mut starts_cell = end.is_none();
        if let Some((end, size)) = end {
            let size = size.min(span.size);
            let gap = span.x0 - end;
            line.is_mixed |= before.is_some_and(|before| is_mixed(before, span, gap));
            let goes_on = is_after_initial && continues_initial(&line.text, next, gap / size);
            starts_cell = gap > CELL_GAP * size && !goes_on;
            match is_apart(&line.text, next, gap, size) && !goes_on {
                true => line.text.push(' '),
                false => line.text.push_str(scripts::mark(&line.text, &row.spans, &shifts, at)),
            }
        }
        match line.cells.last_mut() {
            Some((_, _, x1)) if !starts_cell => *x1 = x1.max(span.x1),
            _ => line.cells.push((line.text.len(), span.x0, span.x1)),
        }
        let gap = end.map_or(f32::INFINITY, |(end, size)| (span.x0 - end) / size.min(span.size));
        add_parts(&mut line, span, if is_after_initial { 0.0 } else { gap });
        is_after_initial = span.is_initial;
        before = Some(span);
        push_text(&mut line.text, next);
        end = Some((end.map_or(span.x1, |(end, _)| end.max(span.x1)), span.size));
    }
    put_in_reading_order(&mut line);
    if line.cells.len() < 2 {
        line.cells = Vec::new();
    }
    if line.parts.len() < 2 {
        line.parts = Vec::new();
    }
    line.is_bold &= has_bold;
    line.x0 = row.spans.first().map_or(0.0, |span| span.x0);
    line.x1 = end.map_or(line.x0, |(end, _)| end);
    let most = row.spans.iter().max_by_key(|span| span.source.text.len());
    line.size =
        most.map_or(row.size, |span| if is_small_capitals(&line.text, &row) { row.size } else { span.size });
    let above = |span: &PositionedSpan<'_>| row.base - 0.78 * row.size - span.top();
    let below = |span: &PositionedSpan<'_>| span.bottom() - row.base - 0.22 * row.size;
    line.rise = row.spans.iter().map(above).fold(0.0, f32::max);
    line.drop = row.spans.iter().map(below).fold(0.0, f32::max);
    let tag = most.and_then(|span| span.source.tag);
    line.tag = tag.filter(|_| row.spans.iter().all(|span| span.source.tag == tag));
    line.rotation = most.map_or(0, |span| span.source.rotation.round() as i16 % 360);
    line.face = most.map_or_else(Arc::default, |span| span.source.font.clone());
    line
}

/// Adds a text to a line. A soft hyphen that is printed inside a line is a hyphen.
fn push_text(line: &mut String, text: &str) {
    if line.ends_with(SOFT_HYPHEN) {
        line.pop();
        line.push('-');
    }
    match text.trim_end_matches(SOFT_HYPHEN).contains(SOFT_HYPHEN) {
        true => {
            let end = text.trim_end_matches(SOFT_HYPHEN).len();
            line.push_str(&text[..end].replace(SOFT_HYPHEN, "-"));
            line.push_str(&text[end..]);
        }
        false => line.push_str(text),
    }
}

/// Puts the text of a line into reading order. Texts between wide gaps are put in order each for itself, since they may be
/// cells; in a line that runs from right to left, the rightmost is the first.
fn put_in_reading_order(line: &mut TextLine) {
    let mut whole = line.text.clone();
    bidi::to_reading_order(&mut whole);
    if whole == line.text {
        return;
    }
    let runs_left = {
        let letters = || line.text.chars().filter(|c| c.is_alphabetic());
        2 * letters().filter(|c| bidi::is_right_to_left(*c)).count() >= letters().count()
    };
    let ends = line.cells.iter().skip(1).map(|cell| cell.0).chain([line.text.len()]);
    let mut texts: Vec<(String, f32, f32)> = line
        .cells
        .iter()
        .zip(ends)
        .map(|(cell, end)| (line.slice(cell.0, end).to_owned(), cell.1, cell.2))
        .collect();
    if runs_left {
        texts.reverse();
    }
    line.cells.clear();
    line.parts.clear();
    if texts.len() < 2 {
        line.text = whole;
        return;
    }
    line.text.clear();
    for (mut text, x0, x1) in texts {
        bidi::to_reading_order(&mut text);
        if !line.text.is_empty() {
            line.text.push(' ');
        }
        line.cells.push((line.text.len(), x0, x1));
        line.text.push_str(&text);
    }
    line.parts = line.cells.clone();
}

/// Adds the parts of a span, `gap` font sizes after the text before it, to a line that ends where its text will begin.
fn add_parts(line: &mut TextLine, span: &PositionedSpan<'_>, gap: f32) {
    // In type of one width every space is as wide.
    let least = if span.source.font.is_monospace { CELL_GAP } else { PART_GAP };
    let start = line.text.len();
    match line.parts.last_mut() {
        Some((_, _, x1)) if gap <= least => *x1 = x1.max(span.x1),
        _ => line.parts.push((start, span.x0, span.x1)),
    }
    let text = span.source.text.trim();
    let skipped = span.source.text.len() - span.source.text.trim_start().len();
    for gap in span.source.gaps.iter().filter(|gap| gap.to - gap.from > least * span.size) {
        let is_inside = |at: &usize| (1..text.len()).contains(at) && text.is_char_boundary(*at);
        let Some(at) = gap.at.checked_sub(skipped).filter(is_inside) else { continue };
        if let Some((_, _, x1)) = line.parts.last_mut().filter(|part| part.0 < start + at) {
            *x1 = span.x0 + gap.from;
            line.parts.push((start + at, span.x0 + gap.to, span.x1));
        }
    }
}

/// True for capitals of two sizes: small capitals that are set as smaller capitals have the size of the large ones.
fn is_small_capitals(text: &str, row: &SpanRow<'_>) -> bool {
    let least = row.spans.iter().map(|span| span.size).fold(f32::INFINITY, f32::min);
    (0.65..0.95).contains(&(least / row.size)) && is_capitals(text)
}

/// By how much, in percent of the larger one, sizes of different type differ.
const OTHER_SIZE_PERCENT: f32 = 8.0;

/// The gap between words and other words in another type, in font sizes. Signs and marks of notes are no words.
const MIXED_GAP: f32 = 1.5;
const MIN_MIXED_LETTERS: usize = 3;

/// True for words after a gap in another size or typeface than those before it.
fn is_mixed(before: &PositionedSpan<'_>, span: &PositionedSpan<'_>, gap: f32) -> bool {
    let larger = before.size.max(span.size);
    let has_words = |span: &PositionedSpan<'_>| {
        span.source.text.chars().filter(|c| c.is_alphabetic()).nth(MIN_MIXED_LETTERS - 1).is_some()
    };
    let is_other = (before.size - span.size).abs() * 100.0 > OTHER_SIZE_PERCENT * larger
        || family(&before.source.font.name) != family(&span.source.font.name);
    gap > MIXED_GAP * larger && is_other && has_words(before) && has_words(span)
}

/// Letters that are words of their own at the start of a sentence.
// Of English, French, Italian, Spanish, Portuguese and Russian.
const WORD_LETTERS: &str = "AIOYEÀÈÓÁÉÚUВКСИЯОАУ";

/// The gap, in font sizes, from which such a letter is a word.
const INITIAL_GAP: f32 = 0.3;

/// True if the text after a large first letter is the rest of its word.
fn continues_initial(initial: &str, next: &str, gap: f32) -> bool {
    let is_word = initial.chars().next_back().is_some_and(|c| WORD_LETTERS.contains(c));
    next.starts_with(char::is_alphabetic) && (!is_word || gap <= INITIAL_GAP)
}

/// True if all letters are capitals, and there are several.
pub(crate) fn is_capitals(text: &str) -> bool {
    text.chars().filter(|c| c.is_uppercase()).nth(2).is_some() && !text.chars().any(char::is_lowercase)
}

/// True if a space separates two spans of a line; some scripts have no spaces. Korean has spaces, but its letters are
/// slightly apart in justified lines.
fn is_apart(before: &str, after: &str, gap: f32, size: f32) -> bool {
    let is_korean = |c: char| matches!(c, '\u{ac00}'..='\u{d7af}');
    let limit = match (before.chars().next_back(), after.chars().next()) {
        (Some(before), Some(after)) if is_cjk(before) && is_cjk(after) => 0.6,
        (Some(before), Some(after)) if is_korean(before) && is_korean(after) => 0.2,
        _ => WORD_GAP,
    };
    // Spans that overlap by more than a letter do not continue each other.
    gap > limit * size || gap < -0.6 * size
}

/// The quantile `share` of the distances between lines, in font sizes; 1.3 if there are none.
pub(crate) fn leading(lines: &[TextLine], share: f32) -> f32 {
    let mut all: Vec<f32> = lines
        .windows(2)
        .map(|pair| (pair[1].base - pair[0].base) / pair[1].size.max(pair[0].size))
        .filter(|leading| (0.8..MAX_LEADING).contains(leading))
        .collect();
    all.sort_by(f32::total_cmp);
    all.get((all.len() as f32 * share) as usize).copied().unwrap_or(1.3)
}

#[cfg(test)]
mod tests;
