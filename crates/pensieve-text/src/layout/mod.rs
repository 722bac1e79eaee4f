//! The layout of paged documents: running prose apart from everything else, in one order that is proved.
//!
//! Pages come in as spans of text with what is drawn around them ([`LayoutPage`]), and go out as [`LayoutUnit`]s: a section's MAIN,
//! then its AUX, sentence by sentence, each with its page and box. The steps stand in files of their own: a page in
//! reading order ([`OrderedPage`]), headers and footers, blocks, baselines, headings, classes, ownership, threads, the
//! serializer, the audits. Fixed rules and thresholds only; [`LayoutOptions`] has every number.
//!
//! A document is laid out in parts of a few thousand pages at most ([`LayoutComposer`]), so that one without end costs no
//! memory without end. Nothing here knows files, clocks or the format that the pages came from.

mod audit;
mod baseline;
pub mod bidi;
mod block;
mod bounds;
mod classify;
mod counters;
mod cues;
mod furniture;
mod headings;
mod insets;
mod lines;
mod options;
mod order;
mod ownership;
mod page;
mod plain;
mod reading;
mod sheet;
mod table;
mod tally;
mod thread;
mod units;
mod words;
mod wrap;

pub use audit::{ChunkContents, LayoutAudit, LayoutViolation, coverage, isolation, phase, wrapping};
pub use baseline::{BodyStyle, TextColumn};
pub use block::TextBlock;
pub use bounds::Bounds;
pub use classify::{BlockClass, BlockClasses, ClassReason, ClassRule};
pub use counters::LayoutCounters;
pub use furniture::SuppressedLine;
pub use headings::OutlineEntry;
pub use lines::TextLine;
pub use options::{LayoutOptions, WindowOptions};
pub use order::{OrderRegression, UnitSerializer};
pub use ownership::SectionHead;
pub use page::{FontFace, LayoutPage, PageShape, ShapeKind, TextSpan};
pub use plain::{PlainParagraph, paragraphs};
pub use sheet::OrderedPage;
pub use tally::LetterTally;
pub use units::{LayoutUnit, OrderKey, PlacedSpan, UnitSeparator, UnitWriter};

use cues::Cues;
use furniture::PageFurniture;
use headings::Headings;
use rustc_hash::FxHashMap;

/// Bytes of lines after which a part is laid out: a thousand dense pages.
const PART: usize = 12 << 20;

/// The steps, for those who measure them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayoutStage {
    /// Pages in reading order.
    Reading,
    /// Headers and footers.
    Furniture,
    /// Lines into blocks.
    Blocks,
    /// What is usual.
    Baselines,
    /// Headings and classes.
    Classes,
    /// Sections and what belongs to them.
    Ownership,
    /// Paragraphs and sentences.
    Threads,
    /// Units in order.
    Order,
    /// The proofs.
    Audits,
}

impl LayoutStage {
    /// Its name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            LayoutStage::Reading => "reading",
            LayoutStage::Furniture => "furniture",
            LayoutStage::Blocks => "blocks",
            LayoutStage::Baselines => "baselines",
            LayoutStage::Classes => "classes",
            LayoutStage::Ownership => "ownership",
            LayoutStage::Threads => "threads",
            LayoutStage::Order => "order",
            LayoutStage::Audits => "audits",
        }
    }
}

/// Is told when a step has ended.
pub type StageObserver<'w> = &'w mut dyn FnMut(LayoutStage);

/// A part of a document, laid out.
#[derive(Debug, Clone, Default)]
pub struct LayoutBatch {
    /// Its sentences, in order.
    pub units: Vec<LayoutUnit>,
    /// Its blocks, without furniture.
    pub blocks: Vec<TextBlock>,
    /// What each block is, and why.
    pub classes: BlockClasses,
    /// What was usual, by runs of pages.
    pub baselines: Vec<BodyStyle>,
    /// What was left out.
    pub suppressed: Vec<SuppressedLine>,
    /// Words that were made whole.
    pub dehyphenations: usize,
    /// Sections of the document up to here.
    pub sections: u64,
    /// What the proofs found; empty, or the part must not be relied on.
    pub violations: Vec<LayoutViolation>,
}

/// Lays out a document, page by page.
#[derive(Debug)]
pub struct LayoutComposer {
    options: LayoutOptions,
    outline: Vec<OutlineEntry>,
    cues: Cues,
    sheets: Vec<OrderedPage>,
    weight: usize,
    sections: u64,
    last: SectionHead,
}

impl LayoutComposer {
    /// Before the first page of a document with this outline.
    pub fn new(options: &LayoutOptions, outline: Vec<OutlineEntry>) -> LayoutComposer {
        LayoutComposer {
            options: options.clone(),
            outline,
            cues: Cues::new(&options.cues),
            sheets: Vec::new(),
            weight: 0,
            sections: 0,
            last: SectionHead::default(),
        }
    }

    /// Takes the next page; true when so many are held that a part is due.
    pub fn push(&mut self, page: &LayoutPage) -> bool {
        let sheet = OrderedPage::of(page, &self.options);
        self.weight += sheet.weight();
        self.sheets.push(sheet);
        self.weight > PART
    }

    /// Lays out the pages since the last part.
    ///
    /// # Errors
    /// The order of units would go back: a fault of this module.
    pub fn compose(&mut self, watch: StageObserver<'_>) -> Result<LayoutBatch, OrderRegression> {
        let sheets = std::mem::take(&mut self.sheets);
        self.weight = 0;
        let options = &self.options;
        let furniture = PageFurniture::find(&sheets, options);
        watch(LayoutStage::Furniture);
        let pages: Vec<u64> = sheets.iter().map(|sheet| sheet.number).collect();
        let there: FxHashMap<u64, LetterTally> =
            sheets.iter().map(|sheet| (sheet.number, sheet.tally)).collect();
        let left_out = furniture.tallies(&sheets);
        let mut blocks = block::all(sheets, &furniture, options);
        watch(LayoutStage::Blocks);
        let baselines = baseline::find(&blocks, &pages, options);
        baseline::settle(&mut blocks, &baselines, options);
        watch(LayoutStage::Baselines);
        let headings = Headings::find(&blocks, &baselines, &self.outline, &self.cues, options);
        let classifier = classify::Classifier {
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
        let (sections, dehyphenations) = thread::sections(&blocks, &classes, &owners);
        watch(LayoutStage::Threads);
        let first = self.sections;
        self.sections += sections.len() as u64;
        self.last = owners.sections.last().cloned().unwrap_or_else(|| self.last.clone());
        let units = order::serialize(sections, first)?;
        watch(LayoutStage::Order);
        let mut violations = audit::order(units.iter().map(|unit| unit.key));
        violations.extend(audit::phase(&units));
        violations.extend(audit::wrapping(units.iter().map(|unit| (unit.role, unit.emitted()))));
        violations.extend(audit::coverage(&there, &left_out, &units));
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

#[cfg(test)]
pub(crate) mod laws;
