//! The layout of paged documents: separates running prose from everything else, in one order that audits check.
//!
//! Pages come in as spans of text with the shapes drawn around them ([`LayoutPage`]) and leave as [`LayoutUnit`]s: a
//! section's MAIN, then its AUX, sentence by sentence, each with its page and box. Each step has a file of its own: a
//! page in reading order ([`ordered_page`]), headers and footers, blocks, body style, headings, classes, ownership of
//! sections, paragraphs, the serializer, the audits. There are fixed rules and thresholds only; [`LayoutOptions`]
//! contains every number.
//!
//! [`LayoutComposer`] lays out a document in batches of a few thousand pages at most, so that memory does not grow
//! with the document. Nothing here depends on files, clocks or the format that the pages came from.

mod blocks;
mod furniture;
mod input;
mod lines;
mod ordered_page;
mod output;
mod plain_paragraphs;
mod stems;

#[cfg(test)]
pub(crate) mod tests;

use crate::model::names;
use blocks::classify::BlockClassifier;
use blocks::headings::HeadingLevels;
use blocks::ownership::SectionHead;
use furniture::PageFurniture;
use input::cues::CueTable;
use input::letter_tally::LetterTally;
use lines::line_numbers::LineNumberFinder;
use ordered_page::OrderedPage;
use output::serializer::{OrderRegression, serialize};
use rustc_hash::FxHashMap;

pub use blocks::block_class::{BlockClass, BlockClasses, ClassReason, ClassRule};
pub use blocks::headings::OutlineEntry;
pub use furniture::{FurnitureBand, SuppressedLine};
pub use input::bidi;
pub use input::bounds::Bounds;
pub(crate) use input::cues::is_table_caption;
pub use input::options::{LayoutOptions, WindowOptions};
pub use input::page::{FontFace, LayoutPage, PageNote, PageShape, ShapeKind, SpanGap, TextSpan, TextTag};
pub use output::audit::{
    ChunkContents, ChunkSentence, LayoutAudit, LayoutViolation, coverage, isolation, phase, wrapping,
};
pub use output::batch::LayoutBatch;
pub use output::counters::LayoutCounters;
pub use output::units::{LayoutUnit, OrderKey, PlacedSpan, UnitMarks, UnitSeparator, UnitWriter};
pub use plain_paragraphs::{PlainParagraph, paragraphs};

names! {
    /// A step, for measurements of time.
    LayoutStage {
        /// Pages in reading order.
        Reading = "reading",
        /// Headers and footers.
        Furniture = "furniture",
        /// Lines into blocks.
        Blocks = "blocks",
        /// The style of body text.
        Baselines = "baselines",
        /// Headings and classes.
        Classes = "classes",
        /// Sections and what belongs to them.
        Ownership = "ownership",
        /// Paragraphs and sentences.
        Threads = "threads",
        /// Units in order.
        Order = "order",
        /// The audits.
        Audits = "audits",
    }
}

/// Called after each step.
pub type StageObserver<'w> = &'w mut dyn FnMut(LayoutStage);

/// Bytes of lines after which a batch is processed: a thousand dense pages.
const BATCH_BYTES: usize = 12 << 20;

/// Lays out a document, page by page.
#[derive(Debug)]
pub struct LayoutComposer {
    options: LayoutOptions,
    outline: Vec<OutlineEntry>,
    cues: CueTable,
    sheets: Vec<OrderedPage>,
    /// The columns of the last grid of the page before, if that is not among the sheets.
    grid_columns: Vec<f32>,
    weight: usize,
    line_numbers: LineNumberFinder,
    /// Pages whose numbers may turn out to be line numbers, and their places.
    unsure: Vec<(usize, LayoutPage)>,
    sections: u64,
    last: SectionHead,
}

impl LayoutComposer {
    /// For a document with this outline.
    pub fn new(options: &LayoutOptions, outline: Vec<OutlineEntry>) -> LayoutComposer {
        LayoutComposer {
            options: options.clone(),
            outline,
            cues: CueTable::new(&options.cues),
            sheets: Vec::new(),
            grid_columns: Vec::new(),
            weight: 0,
            line_numbers: LineNumberFinder::default(),
            unsure: Vec::new(),
            sections: 0,
            last: SectionHead::default(),
        }
    }

    /// Adds the next page; true if the batch is full.
    pub fn push(&mut self, page: &LayoutPage) -> bool {
        // First what changes the texts of a page: vertical lines, bullets, line numbers, then its order.
        let vertical = lines::vertical_lines::joined(page);
        let page = vertical.as_ref().unwrap_or(page);
        let marked = lines::bullets::joined(page);
        let page = marked.as_ref().unwrap_or(page);
        let split = self.line_numbers.split(page);
        if split.is_some() {
            self.settle_unsure();
        }
        let before = self.columns_before(self.sheets.len());
        let sheet = match split {
            Some((rest, numbers)) => OrderedPage::without_line_numbers(&rest, numbers, before, &self.options),
            None => OrderedPage::of(page, before, &self.options),
        };
        // In the type of the text, line numbers are certain only when a second page has them.
        if self.line_numbers.is_unsure() {
            self.unsure.push((self.sheets.len(), page.clone()));
        }
        self.weight += sheet.weight();
        self.sheets.push(sheet);
        self.weight > BATCH_BYTES
    }

    /// Takes the line numbers from pages on which they were not certain.
    fn settle_unsure(&mut self) {
        for (at, page) in std::mem::take(&mut self.unsure) {
            if let Some((rest, numbers)) = self.line_numbers.split(&page)
                && at < self.sheets.len()
            {
                let before = self.columns_before(at);
                self.sheets[at] = OrderedPage::without_line_numbers(&rest, numbers, before, &self.options);
            }
        }
    }

    /// The columns of the last grid on the page before a sheet.
    fn columns_before(&self, sheet: usize) -> &[f32] {
        let before = sheet.checked_sub(1).and_then(|before| self.sheets.get(before));
        before.map_or(&self.grid_columns, OrderedPage::grid_columns)
    }

    /// Lays out the pages since the last batch.
    ///
    /// # Errors
    /// The order of units would go back, which is a bug in this module.
    pub fn compose(&mut self, watch: StageObserver<'_>) -> Result<LayoutBatch, OrderRegression> {
        let mut sheets = std::mem::take(&mut self.sheets);
        self.weight = 0;
        self.unsure.clear();
        self.grid_columns = sheets.last().map(|sheet| sheet.grid_columns().to_vec()).unwrap_or_default();
        let options = &self.options;
        // Before furniture and blocks, which compare weights.
        stems::mark_bold(&mut sheets);
        let furniture = PageFurniture::find(&sheets, options);
        watch(LayoutStage::Furniture);
        let pages: Vec<u64> = sheets.iter().map(|sheet| sheet.number).collect();
        let there: FxHashMap<u64, LetterTally> =
            sheets.iter().map(|sheet| (sheet.number, sheet.tally)).collect();
        let left_out = furniture.tallies(&sheets);
        let mut blocks = blocks::block::all(sheets, &furniture, options);
        watch(LayoutStage::Blocks);
        let baselines = blocks::body_style::find(&blocks, &pages, options);
        blocks::body_style::settle(&mut blocks, &baselines, options);
        watch(LayoutStage::Baselines);
        let headings = HeadingLevels::find(&blocks, &baselines, &self.outline, &self.cues, options);
        let classifier = BlockClassifier {
            blocks: &blocks,
            baselines: &baselines,
            headings: &headings,
            cues: &self.cues,
            options,
        };
        let classes = classifier.run();
        watch(LayoutStage::Classes);
        let owners = blocks::ownership::find(&blocks, &classes, &baselines, &self.last);
        watch(LayoutStage::Ownership);
        let (sections, dehyphenations) = output::section_text::sections(&blocks, &classes, &owners);
        watch(LayoutStage::Threads);
        let first = self.sections;
        self.sections += sections.len() as u64;
        self.last = owners.sections.last().cloned().unwrap_or_else(|| self.last.clone());
        let units = serialize(sections, first)?;
        watch(LayoutStage::Order);
        let mut violations = output::audit::order(units.iter().map(|unit| unit.key));
        violations.extend(output::audit::phase(&units));
        violations.extend(output::audit::wrapping(units.iter().map(|unit| (unit.role, unit.emitted()))));
        violations.extend(output::audit::coverage(&there, &left_out, &units));
        violations.extend(output::audit::columns(&blocks, &classes));
        watch(LayoutStage::Audits);
        let suppressed = furniture.suppressed;
        let sections = self.sections;
        Ok(LayoutBatch {
            units,
            blocks,
            classes,
            baselines,
            suppressed,
            dehyphenations,
            sections,
            violations,
        })
    }
}
