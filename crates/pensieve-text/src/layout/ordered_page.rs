//! A page in reading order: its lines, the boxes and tables among them, and the tally of its letters. Later steps keep
//! nothing else of a page.

pub(super) mod captions;
pub(super) mod insets;
pub(super) mod margin_notes;
pub(super) mod reading;
pub(super) mod tables;
pub(super) mod watermarks;

use super::input::bounds::Bounds;
use super::input::letter_tally::LetterTally;
use super::input::options::LayoutOptions;
use super::input::page::{LayoutPage, PageNote, TextSpan};
use super::input::positioned_span::PositionedSpan;
use super::input::table_frame::TableFrame;
use super::lines::table_numbers::is_number;
use super::lines::text_line::{self, RegionEntry, TextLine};
use insets::Inset;
use std::sync::Arc;
use tables::bands::TableBand;
use tables::draft::TableDraft;
use tables::layout_table::LayoutTable;

/// A page with more spans of text is a drawing; it is not searched for boxes and tables.
const MAX_TEXT_SPANS: usize = 20_000;

/// The height of the lines that replace a box or table while the page is ordered.
const STAND_IN_LINE_HEIGHT: f64 = 12.0;

/// A table with lines is a part of a table of numbers if that has one text beside it for less than this many in it: the
/// numbers of a statement of up to ten columns, with the label of each row.
const MIN_TEXTS_BESIDE: usize = 12;

/// Maximum lines that replace one box.
const MAX_STAND_IN_LINES: usize = 200;

/// A page in reading order.
#[derive(Debug, Clone, Default)]
pub(crate) struct OrderedPage {
    /// Counts from 1.
    pub number: u64,
    /// Height as displayed.
    pub height: f64,
    /// The tally of all its text.
    pub tally: LetterTally,
    /// Its line numbers, which its regions do not contain.
    pub line_numbers: Vec<String>,
    pub(super) regions: Vec<Vec<RegionEntry>>,
    pub(super) insets: Vec<InsetContent>,
    /// The notes of reviewers.
    pub(super) notes: Vec<PageNote>,
}

/// The content of a box or table.
#[derive(Debug, Clone)]
pub(super) enum InsetContent {
    /// Lines in reading order, region by region.
    Box(Vec<Vec<TextLine>>),
    /// Rows of cells.
    Table(LayoutTable),
}

impl OrderedPage {
    /// Puts a page in reading order; `before` are the [`OrderedPage::grid_columns`] of the page before.
    ///
    /// Cost: sorts the spans a few times; tables compare at most 300 lines in each direction.
    pub fn of(page: &LayoutPage, before: &[f32], options: &LayoutOptions) -> OrderedPage {
        let Some((page, watermarks)) = watermarks::take(page) else {
            return OrderedPage::without_watermarks(page, before, options);
        };
        let mut sheet = OrderedPage::without_watermarks(&page, before, options);
        watermarks.iter().for_each(|line| sheet.tally.add(&line.text));
        sheet.regions.extend(watermarks.into_iter().map(|line| vec![RegionEntry::Line(line)]));
        sheet
    }

    fn without_watermarks(page: &LayoutPage, before: &[f32], options: &LayoutOptions) -> OrderedPage {
        let mut tally = LetterTally::default();
        page.spans.iter().for_each(|span| tally.add(&span.text));
        page.notes.iter().for_each(|note| tally.add(&note.text));
        let mut insets =
            // Boxes and tables are looked for among level lines only.
            match page.spans.len() <= MAX_TEXT_SPANS && page.spans.iter().all(|span| !span.is_vertical) {
                true => insets::find(page, before, options),
                false => Vec::new(),
            };
        drop_parts_of_tables(&mut insets, page);
        let mut inside: Vec<Vec<&TextSpan>> = vec![Vec::new(); insets.len()];
        let mut free: Vec<&TextSpan> = Vec::new();
        for span in &page.spans {
            let around = Bounds::of_array(span.bbox);
            match insets.iter().position(|inset| inset.bounds().contains_middle_of(&around)) {
                Some(at) => inside[at].push(span),
                None => free.push(span),
            }
        }
        let stand_ins: Vec<Vec<TextSpan>> = insets
            .iter()
            .zip(&inside)
            .map(|(inset, spans)| if spans.is_empty() { Vec::new() } else { stand_in(inset.bounds()) })
            .collect();
        let blocks: Vec<reading::StandIn<'_>> =
            stand_ins.iter().map(|spans| reading::StandIn { spans }).collect();
        let regions = reading::read(&free, &blocks);
        let insets = insets.into_iter().zip(inside).map(|(inset, spans)| content(inset, &spans)).collect();
        OrderedPage {
            number: page.number,
            height: f64::from(page.height),
            tally,
            line_numbers: Vec::new(),
            regions,
            insets,
            notes: page.notes.clone(),
        }
    }

    /// The edges of the columns of its lowest grid; none without.
    pub(super) fn grid_columns(&self) -> &[f32] {
        let grids = self.insets.iter().filter_map(|content| match content {
            InsetContent::Table(table) if !table.edges.is_empty() => Some(table),
            _ => None,
        });
        let lowest = grids.max_by(|a, b| a.bounds().y1.total_cmp(&b.bounds().y1));
        lowest.map_or(&[], |table| &table.edges)
    }

    /// Puts a page in reading order whose line numbers were taken from it.
    pub fn without_line_numbers(
        page: &LayoutPage,
        numbers: Vec<String>,
        before: &[f32],
        options: &LayoutOptions,
    ) -> OrderedPage {
        let mut sheet = OrderedPage::of(page, before, options);
        numbers.iter().for_each(|number| sheet.tally.add(number));
        OrderedPage { line_numbers: numbers, ..sheet }
    }

    /// About how many bytes it takes in memory.
    pub fn weight(&self) -> usize {
        let lines = |lines: &[TextLine]| {
            lines
                .iter()
                .map(|line| {
                    line.text.len() + (line.cells.len() + line.parts.len()) * 16 + size_of::<TextLine>()
                })
                .sum::<usize>()
        };
        let entries = self.regions.iter().flatten().map(|entry| match entry {
            RegionEntry::Line(line) => lines(std::slice::from_ref(line)),
            RegionEntry::Inset(_) => 0,
        });
        let insets = self.insets.iter().map(|content| match content {
            InsetContent::Box(regions) => regions.iter().map(|region| lines(region)).sum(),
            InsetContent::Table(table) => table.weight(),
        });
        let notes = self.notes.iter().map(|note| note.text.len() + size_of::<PageNote>());
        entries.sum::<usize>() + insets.sum::<usize>() + notes.sum::<usize>() + size_of::<OrderedPage>()
    }
}

fn content(inset: Inset, spans: &[&TextSpan]) -> InsetContent {
    match inset {
        Inset::Box(_) => InsetContent::Box(reading::lines_of(spans)),
        Inset::Table(_, frame) => {
            let lines = text_line::of_area(spans);
            let lines: Vec<&TextLine> = lines.iter().collect();
            let mut table = TableDraft::of(&lines, &frame).table();
            if frame.has_columns() {
                table.edges = frame.edges;
            }
            // The text that showed its columns may reach in from outside and be none of it.
            match table.rows.is_empty() {
                true => InsetContent::Box(reading::lines_of(spans)),
                false => InsetContent::Table(table),
            }
        }
    }
}

/// Removes the boxes and tables between lines that are parts of a table of numbers: shaded rows, sums between two lines,
/// columns that have a colour of their own.
fn drop_parts_of_tables(insets: &mut Vec<Inset>, page: &LayoutPage) {
    if insets.is_empty() {
        return;
    }
    let around = |span: &TextSpan| Bounds::of_array(span.bbox);
    let level = page.spans.iter().filter(|span| span.rotation == 0.0);
    let spans: Vec<PositionedSpan<'_>> = level.map(PositionedSpan::of).collect();
    let bands = reading::divide_at_tables(&spans).into_iter().flatten();
    let tables = bands.filter_map(|band| match band {
        TableBand::Table(spans) => Some(spans),
        TableBand::Other(_) => None,
    });
    let bounds_of = |spans: Vec<PositionedSpan<'_>>| {
        let mut bounds = Bounds::EMPTY;
        spans.iter().for_each(|span| bounds.add(around(span.source)));
        bounds
    };
    let tables: Vec<Bounds> = tables.map(bounds_of).collect();
    let is_part = |inset: &Inset| {
        let area = inset.bounds();
        let (mut inside, mut both, mut outside, mut beside, mut numbers) = (0, 0, 0, 0, 0);
        let is_near = |table: &&Bounds| table.y0 < area.y1 && area.y0 < table.y1;
        let near: Vec<&Bounds> = tables.iter().filter(is_near).collect();
        for span in spans.iter().filter(|_| !near.is_empty()) {
            let is_number = is_number(&span.source.text);
            let span = around(span.source);
            let is_in_table = near.iter().any(|table| table.contains_middle_of(&span));
            let middle = (span.y0 + span.y1) / 2.0;
            match area.contains_middle_of(&span) {
                true => (inside, both) = (inside + 1, both + usize::from(is_in_table)),
                false if is_in_table => {
                    outside += 1;
                    let is_beside = (area.y0..=area.y1).contains(&middle);
                    beside += usize::from(is_beside);
                    numbers += usize::from(is_beside && is_number);
                }
                false => {}
            }
        }
        if both == 0 || both * 10 < inside * 8 {
            return false;
        }
        // Heads above a table with lines around its cells are not lost; labels beside it are.
        let is_grid = inset.is_grid();
        let draft_tells = |tells: fn(&[&TextLine], &TableFrame) -> bool| with_lines(inset, &spans, tells);
        // What is beside it are the numbers of its labels or the labels of its numbers, and not prose.
        let is_narrow = beside * MIN_TEXTS_BESIDE > inside
            && (matches!(inset, Inset::Box(_)) || 2 * numbers > beside || draft_tells(has_no_labels));
        is_narrow || !is_grid && outside > beside || draft_tells(joins_cells)
    };
    insets.retain(|inset| !is_part(inset));
}

/// What the lines of a table with lines tell; nothing of a box.
fn with_lines(
    inset: &Inset,
    spans: &[PositionedSpan<'_>],
    tells: fn(&[&TextLine], &TableFrame) -> bool,
) -> bool {
    let Inset::Table(area, frame) = inset else { return false };
    let inside = spans.iter().map(|span| span.source);
    let inside: Vec<&TextSpan> =
        inside.filter(|span| area.contains_middle_of(&Bounds::of_array(span.bbox))).collect();
    let lines = text_line::of_area(&inside);
    tells(&lines.iter().collect::<Vec<_>>(), frame)
}

/// True if the first column of a table has numbers: its labels are outside.
fn has_no_labels(lines: &[&TextLine], frame: &TableFrame) -> bool {
    TableDraft::of(lines, frame).starts_with_numbers()
}

/// True if the lines drawn in a table join numbers of several rows or columns: a line below a sum, or between two of five
/// columns, does not show all rows and columns.
fn joins_cells(lines: &[&TextLine], frame: &TableFrame) -> bool {
    let cells = |frame: &TableFrame| TableDraft::of(lines, frame).cells_with_numbers();
    cells(&TableFrame::default()) * 4 > cells(frame) * 5
}

/// Full lines of text in place of a box, so that a page is cut around the box as around a paragraph.
fn stand_in(bounds: Bounds) -> Vec<TextSpan> {
    let count = ((bounds.height() / STAND_IN_LINE_HEIGHT) as usize).clamp(1, MAX_STAND_IN_LINES);
    let pitch = bounds.height() / count as f64;
    let size = (pitch * 0.8).min(10.0) as f32;
    let text: Arc<str> = "x".repeat(((bounds.width() / 4.0) as usize).clamp(20, 200)).into();
    let line = |at: usize| {
        let base = (bounds.y0 + pitch * at as f64 + f64::from(size)) as f32;
        let top = base - 0.78 * size;
        TextSpan {
            text: text.to_string(),
            font: Arc::default(),
            size,
            rotation: 0.0,
            origin: [bounds.x0 as f32, base],
            length: bounds.width() as f32,
            bbox: [bounds.x0 as f32, top, bounds.x1 as f32, top + size],
            line_height: size,
            is_invisible: false,
            is_vertical: false,
            gaps: Vec::new(),
            tag: None,
        }
    };
    (0..count).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_lines_stand_in_for_a_box() {
        let spans = stand_in(Bounds { x0: 10.0, y0: 20.0, x1: 210.0, y1: 70.0 });
        let bases: Vec<[f32; 2]> = spans.iter().map(|span| span.origin).collect();
        assert_eq!(bases, [[10.0, 30.0], [10.0, 42.5], [10.0, 55.0], [10.0, 67.5]]);
        let second = &spans[1];
        assert_eq!(
            (second.text.len(), second.length, second.size, second.line_height),
            (50, 200.0, 10.0, 10.0)
        );
        assert_eq!(second.bbox, [10.0, 34.7, 210.0, 44.7]);
    }

    #[test]
    fn boxes_have_at_least_one_line_and_not_too_many() {
        let check = |width: f64, height: f64, expected: (usize, usize, f32)| {
            let spans = stand_in(Bounds { x0: 0.0, y0: 0.0, x1: width, y1: height });
            let found = (spans.len(), spans[0].text.len(), (spans[0].size * 10.0).round() / 10.0);
            assert_eq!(found, expected, "{width} {height}");
        };
        check(40.0, 9.0, (1, 20, 7.2));
        check(84.0, 24.0, (2, 21, 9.6));
        check(900.0, 2412.0, (MAX_STAND_IN_LINES, 200, 9.6));
    }

    #[test]
    fn the_weight_of_a_page_is_that_of_its_lines_boxes_and_tables() {
        let line = TextLine {
            text: "words".to_owned(),
            cells: vec![(0, 0.0, 0.0); 2],
            parts: vec![(0, 0.0, 0.0); 3],
            ..TextLine::default()
        };
        let table = LayoutTable {
            edges: Vec::new(),
            rows: vec![super::tables::layout_table::TableRow {
                cells: vec!["abc".to_owned()],
                bounds: Bounds::EMPTY,
            }],
            size: 10.0,
        };
        let of_line = 5 + 5 * 16 + size_of::<TextLine>();
        let of_table = table.weight();
        let page = OrderedPage {
            regions: vec![vec![RegionEntry::Line(line.clone()), RegionEntry::Inset(0)]],
            insets: vec![InsetContent::Box(vec![vec![line.clone()], vec![line]]), InsetContent::Table(table)],
            ..OrderedPage::default()
        };
        assert_eq!(page.weight(), 3 * of_line + of_table + size_of::<OrderedPage>());
    }

    #[test]
    fn line_numbers_count_in_the_tally_of_their_page() {
        let spans = vec![TextSpan::drawn("abc", [10.0, 20.0], 30.0, 10.0)];
        let page = LayoutPage { number: 3, width: 100.0, height: 90.0, spans, ..LayoutPage::default() };
        let found =
            OrderedPage::without_line_numbers(&page, vec!["12".to_owned()], &[], &LayoutOptions::default());
        let mut tally = LetterTally::default();
        tally.add("abc12");
        assert_eq!((found.number, found.height, found.tally), (3, 90.0, tally));
        assert_eq!(found.line_numbers, ["12"]);
        assert!(matches!(found.regions[0].as_slice(), [RegionEntry::Line(line)] if line.text == "abc"));
    }
}
