//! Lays out a document, batch by batch of its pages.

use super::batch::LayoutBatch;
use super::classify::BlockClassifier;
use super::cues::CueTable;
use super::furniture::PageFurniture;
use super::headings::{HeadingLevels, OutlineEntry};
use super::letter_tally::LetterTally;
use super::line_numbers::LineNumberFinder;
use super::options::LayoutOptions;
use super::ordered_page::OrderedPage;
use super::ownership::SectionHead;
use super::page::LayoutPage;
use super::serializer::{OrderRegression, serialize};
use super::stage::{LayoutStage, StageObserver};
use super::{audit, block, body_style, bullets, ownership, section_text, stems, vertical_lines};
use rustc_hash::FxHashMap;

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
        let vertical = vertical_lines::joined(page);
        let page = vertical.as_ref().unwrap_or(page);
        let marked = bullets::joined(page);
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
        let mut blocks = block::all(sheets, &furniture, options);
        watch(LayoutStage::Blocks);
        let baselines = body_style::find(&blocks, &pages, options);
        body_style::settle(&mut blocks, &baselines, options);
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
        let owners = ownership::find(&blocks, &classes, &baselines, &self.last);
        watch(LayoutStage::Ownership);
        let (sections, dehyphenations) = section_text::sections(&blocks, &classes, &owners);
        watch(LayoutStage::Threads);
        let first = self.sections;
        self.sections += sections.len() as u64;
        self.last = owners.sections.last().cloned().unwrap_or_else(|| self.last.clone());
        let units = serialize(sections, first)?;
        watch(LayoutStage::Order);
        let mut violations = audit::order(units.iter().map(|unit| unit.key));
        violations.extend(audit::phase(&units));
        violations.extend(audit::wrapping(units.iter().map(|unit| (unit.role, unit.emitted()))));
        violations.extend(audit::coverage(&there, &left_out, &units));
        violations.extend(audit::columns(&blocks, &classes));
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
