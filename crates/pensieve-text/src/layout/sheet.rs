//! One page, read: its lines in reading order, the boxes and tables that stand among them, and the sum of its letters.
//! What a page draws is forgotten here; a sheet is all that later steps hold of a page.

use super::bounds::Bounds;
use super::insets::{self, Inset};
use super::lines::{RegionEntry, TextLine};
use super::options::LayoutOptions;
use super::page::{LayoutPage, TextSpan};
use super::reading;
use super::table::LayoutTable;
use super::tally::LetterTally;
use std::sync::Arc;

/// A page with so many stretches of text is a drawing: its boxes and tables are not looked for.
const DRAWING: usize = 20_000;

/// The height of the lines that stand for a box or table while the page is put in order.
const STAND_IN: f64 = 12.0;

/// Lines that stand for one box at most.
const STAND_INS: usize = 200;

/// A page in reading order.
#[derive(Debug, Clone, Default)]
pub struct OrderedPage {
    /// Counts from 1.
    pub number: u64,
    /// Width as displayed.
    pub width: f64,
    /// Height as displayed.
    pub height: f64,
    /// Everything that was on it.
    pub tally: LetterTally,
    pub(super) regions: Vec<Vec<RegionEntry>>,
    pub(super) insets: Vec<Content>,
}

/// What a box or table holds.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// Lines in their order, region by region.
    Box(Vec<Vec<TextLine>>),
    /// Rows of cells.
    Table(LayoutTable),
}

impl OrderedPage {
    /// Reads a page.
    ///
    /// Cost: the spans sorted a few times; tables look at the product of at most 300 lines each way.
    pub fn of(page: &LayoutPage, options: &LayoutOptions) -> OrderedPage {
        let mut tally = LetterTally::default();
        page.spans.iter().for_each(|span| tally.add(&span.text));
        let insets = match page.spans.len() <= DRAWING && page.spans.iter().all(|span| !span.is_vertical) {
            true => insets::find(page, options),
            false => Vec::new(),
        };
        let mut held: Vec<Vec<&TextSpan>> = vec![Vec::new(); insets.len()];
        let mut free: Vec<&TextSpan> = Vec::new();
        for span in &page.spans {
            let around = Bounds::of_array(span.bbox);
            match insets.iter().position(|inset| inset.bounds().holds_middle_of(&around)) {
                Some(at) => held[at].push(span),
                None => free.push(span),
            }
        }
        let stand_ins: Vec<Vec<TextSpan>> = insets
            .iter()
            .zip(&held)
            .map(|(inset, held)| if held.is_empty() { Vec::new() } else { stand_in(inset.bounds()) })
            .collect();
        let blocks: Vec<reading::Block<'_>> =
            stand_ins.iter().map(|spans| reading::Block { spans }).collect();
        let regions = reading::read(&free, &blocks);
        let insets = insets.into_iter().zip(held).map(|(inset, held)| content(inset, &held)).collect();
        let (width, height) = (f64::from(page.width), f64::from(page.height));
        OrderedPage { number: page.number, width, height, tally, regions, insets }
    }

    /// Bytes that it holds, about.
    pub fn weight(&self) -> usize {
        let lines = |lines: &[TextLine]| {
            lines
                .iter()
                .map(|line| line.text.len() + line.cells.len() * 16 + size_of::<TextLine>())
                .sum::<usize>()
        };
        let entries = self.regions.iter().flatten().map(|entry| match entry {
            RegionEntry::Line(line) => lines(std::slice::from_ref(line)),
            RegionEntry::Block(_) => 0,
        });
        let insets = self.insets.iter().map(|content| match content {
            Content::Box(regions) => regions.iter().map(|region| lines(region)).sum(),
            Content::Table(table) => table.weight(),
        });
        entries.sum::<usize>() + insets.sum::<usize>() + size_of::<OrderedPage>()
    }
}

fn content(inset: Inset, held: &[&TextSpan]) -> Content {
    match inset {
        Inset::Box(_) => Content::Box(lines_of(held)),
        Inset::Grid { columns, rows } => Content::Table(LayoutTable::ruled(&columns, &rows, held)),
    }
}

/// The lines of some spans alone, region by region.
pub(super) fn lines_of(spans: &[&TextSpan]) -> Vec<Vec<TextLine>> {
    let regions = reading::read(spans, &[]).into_iter();
    regions
        .map(|region| {
            let lines = region.into_iter().filter_map(|entry| match entry {
                RegionEntry::Line(line) => Some(line),
                RegionEntry::Block(_) => None,
            });
            lines.collect()
        })
        .collect()
}

/// Full lines of text in the place of a box, so that a page is cut around it as around a paragraph.
fn stand_in(bounds: Bounds) -> Vec<TextSpan> {
    let count = ((bounds.height() / STAND_IN) as usize).clamp(1, STAND_INS);
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
        }
    };
    (0..count).map(line).collect()
}
