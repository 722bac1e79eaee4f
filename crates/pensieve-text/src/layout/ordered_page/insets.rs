//! Boxes and ruled tables of a page, from the shapes around its text. A box is a filled or framed area that contains
//! lines of text; a ruled table is a grid of lines with text in at least two rows and two columns. An area one line
//! high is a highlighted word, and an area nearly as large as the page is its background.

use super::tables::rule_tables;
use crate::layout::input::bounds::Bounds;
use crate::layout::input::options::{LayoutOptions, percent};
use crate::layout::input::page::{LayoutPage, PageShape, ShapeKind, TextSpan};
use crate::layout::input::table_frame::{FrameLine, TableFrame, have_same_columns};

/// Maximum boxes of one page, the largest first.
const MAX_BOXES: usize = 400;

/// Maximum lines of one direction that meet; a net with more is a drawing, which may stand beside a table.
const MAX_GRID_LINES: usize = 300;

/// Maximum lines of one direction on a page, because each is compared with all of the other direction.
const MAX_LINES: usize = 2_000;

/// Maximum gap, in points, between lines that meet.
const MEETING_TOLERANCE: f64 = 3.0;

/// Points from the edge of the page within which an area bleeds over it.
const BLEED_TOLERANCE: f64 = 3.0;

/// Minimum height of a box, in heights of the letters in it.
const MIN_BOX_HEIGHT: f64 = 1.7;

/// Maximum distance, in font sizes, of the middle of heads from the lines of the table below them: a line and its leading.
const MAX_HEAD_DISTANCE: f32 = 1.4;

/// Columns of a table whose heads may stand above its lines, at least: two texts may be anything.
const MIN_HEAD_COLUMNS: usize = 3;

/// Heights, in points, of a filled area that may be a row of a table.
const MIN_ROW_HEIGHT: f32 = 7.0;
const MAX_ROW_HEIGHT: f32 = 60.0;

/// An area apart from the flow of a page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Inset {
    /// A filled or framed area.
    Box(Bounds),
    /// A table with the lines around its cells.
    Table(Bounds, TableFrame),
}

impl Inset {
    /// The area that it covers.
    pub(crate) fn bounds(&self) -> Bounds {
        match self {
            Inset::Box(bounds) | Inset::Table(bounds, _) => *bounds,
        }
    }

    /// True for a table with lines around its cells.
    pub(super) fn is_grid(&self) -> bool {
        matches!(self, Inset::Table(_, frame) if frame.has_columns())
    }
}

/// Boxes and tables of a page, tables first. A box inside another inset belongs to it. `before` are the edges of the columns
/// of the last grid on the page before, which may go on here.
pub(crate) fn find(page: &LayoutPage, before: &[f32], options: &LayoutOptions) -> Vec<Inset> {
    let mut insets = tables(page, before);
    let tables: Vec<Bounds> = insets.iter().map(Inset::bounds).collect();
    let boxes = boxes(page, options).into_iter();
    insets.extend(
        boxes
            .filter(|bounds| !tables.iter().any(|table| table.contains(bounds, MEETING_TOLERANCE)))
            .map(Inset::Box),
    );
    insets
}

fn middle(span: &TextSpan) -> Bounds {
    Bounds::of_array(span.bbox)
}

fn boxes(page: &LayoutPage, options: &LayoutOptions) -> Vec<Bounds> {
    let largest = percent(f64::from(page.width) * f64::from(page.height), options.box_share);
    let mut found = joined_slices(page);
    let (width, height) = (f64::from(page.width), f64::from(page.height));
    // An area from edge to edge is the background of the page.
    let is_background = |area: &Bounds| {
        (area.x0 <= BLEED_TOLERANCE && area.x1 >= width - BLEED_TOLERANCE)
            || (area.y0 <= BLEED_TOLERANCE && area.y1 >= height - BLEED_TOLERANCE)
    };
    found.retain(|area| {
        area.area() <= largest && area.width() >= 40.0 && area.height() >= 10.0 && !is_background(area)
    });
    found.sort_by(|a, b| b.area().total_cmp(&a.area()));
    found.truncate(MAX_BOXES);
    let mut kept: Vec<Bounds> = Vec::new();
    for area in found {
        if kept.iter().any(|outer| outer.contains(&area, MEETING_TOLERANCE)) {
            continue;
        }
        let inside = page.spans.iter().filter(|span| area.contains_middle_of(&middle(span)));
        let (mut characters, mut tallest) = (0, 0.0_f64);
        for span in inside {
            characters += span.text.len();
            tallest = tallest.max(f64::from(span.size));
        }
        if characters > 0 && area.height() >= MIN_BOX_HEIGHT * tallest {
            kept.push(area);
        }
    }
    kept
}

/// Areas; those that continue each other downwards are joined, because boxes are often painted in slices.
fn joined_slices(page: &LayoutPage) -> Vec<Bounds> {
    let is_area = |shape: &&PageShape| matches!(shape.kind, ShapeKind::Fill | ShapeKind::Frame);
    let mut areas: Vec<Bounds> =
        page.shapes.iter().filter(is_area).map(|shape| Bounds::of_array(shape.bbox)).collect();
    let key = |area: &Bounds| (area.x0.round() as i64, area.x1.round() as i64);
    areas.sort_by(|a, b| key(a).cmp(&key(b)).then(a.y0.total_cmp(&b.y0)));
    let mut joined: Vec<Bounds> = Vec::new();
    for area in areas {
        match joined.last_mut() {
            // Slices touch or overlap by rounding.
            Some(above) if key(above) == key(&area) && area.y0 <= above.y1 + 1.0 => above.add(area),
            _ => joined.push(area),
        }
    }
    joined
}

/// Tables by the grids of lines around their cells, and by the horizontal lines between their rows.
fn tables(page: &LayoutPage, before: &[f32]) -> Vec<Inset> {
    let (across, down) = edges(page);
    if across.len().max(down.len()) > MAX_LINES {
        return Vec::new();
    }
    let mut tables = grids(&across, &down, page, before);
    let taken: Vec<Bounds> = tables.iter().map(Inset::bounds).collect();
    let is_taken = |line: &FrameLine| {
        let middle = f64::from(line.from + line.to) / 2.0;
        let at = f64::from(line.at);
        taken.iter().any(|area| {
            (area.x0..=area.x1).contains(&middle)
                && (area.y0 - MEETING_TOLERANCE..=area.y1 + MEETING_TOLERANCE).contains(&at)
        })
    };
    let mut free: Vec<FrameLine> = across.into_iter().chain(edges_of_rows(page)).collect();
    free.retain(|line| !is_taken(line));
    let free = merged(free);
    if free.len() <= MAX_LINES {
        let found = rule_tables::find(page, &free).into_iter();
        tables.extend(found.map(|table| Inset::Table(table.bounds, table.frame)));
    }
    tables
}

/// The upper and lower edges of filled areas as high as a row.
fn edges_of_rows(page: &LayoutPage) -> Vec<FrameLine> {
    let is_row = |shape: &&PageShape| {
        let height = shape.bbox[3] - shape.bbox[1];
        shape.kind == ShapeKind::Fill && (MIN_ROW_HEIGHT..MAX_ROW_HEIGHT).contains(&height)
    };
    let rows = page.shapes.iter().filter(is_row);
    let edges = rows.flat_map(|shape| {
        let [from, y0, to, y1] = shape.bbox;
        [y0, y1].map(|at| FrameLine { at, from, to })
    });
    let edges: Vec<FrameLine> = edges.take(MAX_LINES).collect();
    edges
}

fn grids(across: &[FrameLine], down: &[FrameLine], page: &LayoutPage, before: &[f32]) -> Vec<Inset> {
    if across.is_empty() || down.is_empty() {
        return Vec::new();
    }
    // Lines that meet belong to one grid.
    let mut net: Vec<usize> = (0..across.len() + down.len()).collect();
    for (i, a) in across.iter().enumerate() {
        for (j, d) in down.iter().enumerate() {
            let near = MEETING_TOLERANCE as f32;
            let meets = |edge: &FrameLine, at: f32| edge.from - near <= at && at <= edge.to + near;
            if meets(a, d.at) && meets(d, a.at) {
                let (one, other) = (root(&net, i), root(&net, across.len() + j));
                net[one] = other;
            }
        }
    }
    let of_net: Vec<usize> = (0..net.len()).map(|at| root(&net, at)).collect();
    let mut roots = of_net.clone();
    roots.sort_unstable();
    roots.dedup();
    let members = |edges: &[FrameLine], first: usize, root: usize| -> Vec<FrameLine> {
        let mine = edges.iter().enumerate().filter(|(at, _)| of_net[first + at] == root);
        mine.map(|(_, edge)| *edge).collect()
    };
    let mut grids: Vec<Inset> = roots
        .iter()
        .filter_map(|root| grid(&members(across, 0, *root), &members(down, across.len(), *root)))
        .filter(|grid| grid.is_table(page, before))
        .map(|grid| grid.with_head(page).into_inset())
        .collect();
    grids.sort_by(|a, b| {
        a.bounds().y0.total_cmp(&b.bounds().y0).then(a.bounds().x0.total_cmp(&b.bounds().x0))
    });
    grids
}

/// The grid of some lines. A table that continues on another page has no line where it is cut, and many tables have
/// none at their sides; the other lines show these edges.
fn grid(across: &[FrameLine], down: &[FrameLine]) -> Option<GridArea> {
    let reach = |edges: &[FrameLine]| {
        let from = edges.iter().map(|edge| edge.from).fold(f32::INFINITY, f32::min);
        [from, edges.iter().map(|edge| edge.to).fold(f32::NEG_INFINITY, f32::max)]
    };
    // Counted over the whole page, 300 lines of a drawing cost six statements of one brochure all their
    // tables.
    if across.is_empty() || down.is_empty() || across.len().max(down.len()) > MAX_GRID_LINES {
        return None;
    }
    let rows = places(across.iter().map(|edge| edge.at).chain(reach(down)));
    let columns = places(down.iter().map(|edge| edge.at).chain(reach(across)));
    let frame = TableFrame { across: across.to_vec(), down: down.to_vec(), edges: columns };
    (rows.len() >= 3 && frame.edges.len() >= 3).then_some(GridArea { rows, frame })
}

/// Lines that meet, as a grid.
struct GridArea {
    /// The edges of its rows, from top to bottom.
    rows: Vec<f32>,
    frame: TableFrame,
}

impl GridArea {
    /// True for a grid with text in several columns of at least two rows, or of one row if it has the columns of the grid
    /// before: the rest of that table. Elsewhere a frame above a row of fields is not a table.
    fn is_table(&self, page: &LayoutPage, before: &[f32]) -> bool {
        let mut filled = vec![vec![false; self.frame.edges.len() - 1]; self.rows.len() - 1];
        for span in &page.spans {
            if let Some((row, column)) = self.cell_of(span) {
                filled[row][column] = true;
            }
        }
        let several = filled.iter().filter(|row| row.iter().filter(|cell| **cell).count() >= 2).count();
        let any = filled.iter().filter(|row| row.contains(&true)).count();
        let least = if have_same_columns(before, &self.frame.edges) { 1 } else { 2 };
        // A frame around fields has one text in most of its rows.
        several >= least && several * 2 >= any
    }

    /// The row and column in which a span starts.
    fn cell_of(&self, span: &TextSpan) -> Option<(usize, usize)> {
        let [x0, y0, x1, y1] = span.bbox;
        let place = |edges: &[f32], at: f32| edges.partition_point(|edge| *edge <= at).checked_sub(1);
        let row = place(&self.rows, (y0 + y1) / 2.0).filter(|row| row + 1 < self.rows.len())?;
        let edges = &self.frame.edges;
        // A text belongs to the cell in which it begins; it may reach over the next.
        let column = place(edges, x0 + (x1 - x0).min(2.0) / 2.0).filter(|column| column + 1 < edges.len())?;
        Some((row, column))
    }

    /// The same with the heads of its columns if these stand directly above its lines, one in each column and nothing beside
    /// them.
    fn with_head(mut self, page: &LayoutPage) -> GridArea {
        let (Some(top), Some(left), Some(right)) =
            (self.rows.first().copied(), self.frame.edges.first().copied(), self.frame.edges.last().copied())
        else {
            return self;
        };
        let is_near = |span: &&TextSpan| {
            let middle = (span.bbox[1] + span.bbox[3]) / 2.0;
            middle < top && middle > top - MAX_HEAD_DISTANCE * span.size
        };
        let near = || page.spans.iter().filter(is_near);
        let Some(base) = near().map(|span| span.origin[1]).reduce(f32::max) else { return self };
        let row = || near().filter(|span| (span.origin[1] - base).abs() < 0.2 * span.size);
        let tolerance = MEETING_TOLERANCE as f32;
        let column = |span: &TextSpan| {
            let columns = self.frame.edges.windows(2);
            let [x0, _, x1, _] = span.bbox;
            columns.clone().position(|edges| edges[0] - tolerance <= x0 && x1 <= edges[1] + tolerance)
        };
        let columns: Option<Vec<usize>> = row().map(column).collect();
        let Some(mut columns) = columns else { return self };
        columns.sort_unstable();
        columns.dedup();
        let all = self.frame.edges.len() - 1;
        // Numbers above a table are a row without lines.
        let has_words = row().all(|span| !span.text.bytes().any(|byte| byte.is_ascii_digit()));
        if columns.len() >= MIN_HEAD_COLUMNS && columns.len() == all && has_words {
            let above = row().map(|span| span.bbox[1]).fold(top, f32::min);
            self.rows.insert(0, above);
            self.frame.across.push(FrameLine { at: above, from: left, to: right });
            self.frame.across.sort_by(|a, b| a.at.total_cmp(&b.at));
        }
        self
    }

    fn into_inset(self) -> Inset {
        let ends = |edges: &[f32]| {
            let end = |edge: Option<&f32>| f64::from(edge.copied().unwrap_or_default());
            (end(edges.first()), end(edges.last()))
        };
        let ((x0, x1), (y0, y1)) = (ends(&self.frame.edges), ends(&self.rows));
        Inset::Table(Bounds { x0, y0, x1, y1 }, self.frame)
    }
}

fn root(net: &[usize], mut at: usize) -> usize {
    while net[at] != at {
        at = net[at];
    }
    at
}

/// Different positions, in order.
fn places(all: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut places: Vec<f32> = all.collect();
    places.sort_by(f32::total_cmp);
    places.dedup_by(|b, a| *b - *a < MEETING_TOLERANCE as f32);
    places
}

/// Horizontal and vertical lines; collinear ones are joined.
fn edges(page: &LayoutPage) -> (Vec<FrameLine>, Vec<FrameLine>) {
    let (mut across, mut down) = (Vec::new(), Vec::new());
    for shape in &page.shapes {
        let [x0, y0, x1, y1] = shape.bbox;
        match shape.kind {
            ShapeKind::Rule if x1 - x0 > y1 - y0 => {
                across.push(FrameLine { at: (y0 + y1) / 2.0, from: x0, to: x1 })
            }
            ShapeKind::Rule => down.push(FrameLine { at: (x0 + x1) / 2.0, from: y0, to: y1 }),
            ShapeKind::Frame => {
                across.extend([y0, y1].map(|at| FrameLine { at, from: x0, to: x1 }));
                down.extend([x0, x1].map(|at| FrameLine { at, from: y0, to: y1 }));
            }
            ShapeKind::Fill | ShapeKind::Image => {}
        }
    }
    (merged(across), merged(down))
}

fn merged(mut edges: Vec<FrameLine>) -> Vec<FrameLine> {
    edges.sort_by(|a, b| a.at.total_cmp(&b.at));
    // Positions that nearly agree are one; lines on one position that touch are one.
    let mut start = f32::NEG_INFINITY;
    for edge in &mut edges {
        if edge.at - start > 1.0 {
            start = edge.at;
        }
        edge.at = start;
    }
    edges.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    let mut merged: Vec<FrameLine> = Vec::new();
    for edge in edges {
        match merged.last_mut() {
            Some(last) if last.at == edge.at && edge.from <= last.to + MEETING_TOLERANCE as f32 => {
                last.to = last.to.max(edge.to)
            }
            _ => merged.push(edge),
        }
    }
    merged
}

#[cfg(test)]
mod tests;
