//! The layout of paged documents: running prose apart from everything else, in one order that is proved.
//!
//! Pages come in as spans of text with what is drawn around them ([`Page`]), and go out as [`Unit`]s: a section's MAIN,
//! then its AUX, sentence by sentence, each with its page and box. The steps stand in files of their own: a page in
//! reading order ([`Sheet`]), headers and footers, blocks, baselines, headings, classes, ownership, threads, the
//! serializer, the audits. Fixed rules and thresholds only; [`LayoutOptions`] has every number.
//!
//! A document is laid out in parts of a few thousand pages at most ([`Composer`]), so that one without end costs no
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

pub use audit::{Audit, Contents, Violation, coverage, isolation, phase, wrapping};
pub use baseline::{Band, Baseline};
pub use block::Block;
pub use bounds::Bounds;
pub use classify::{Class, Classes, Reason, Rule};
pub use counters::Counters;
pub use furniture::Suppressed;
pub use headings::OutlineEntry;
pub use lines::Line;
pub use options::{LayoutOptions, WindowOptions};
pub use order::{Regression, Serializer};
pub use ownership::SectionHead;
pub use page::{FontFace, Page, Shape, ShapeKind, Span};
pub use plain::{Paragraph, paragraphs};
pub use sheet::Sheet;
pub use tally::Tally;
pub use units::{Glue, OrderKey, Piece, Unit, Writer};

use cues::Cues;
use furniture::Furniture;
use headings::Headings;
use rustc_hash::FxHashMap;

/// Bytes of lines after which a part is laid out: a thousand dense pages.
const PART: usize = 12 << 20;

/// The steps, for those who measure them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
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

impl Stage {
    /// Its name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Reading => "reading",
            Stage::Furniture => "furniture",
            Stage::Blocks => "blocks",
            Stage::Baselines => "baselines",
            Stage::Classes => "classes",
            Stage::Ownership => "ownership",
            Stage::Threads => "threads",
            Stage::Order => "order",
            Stage::Audits => "audits",
        }
    }
}

/// Is told when a step has ended.
pub type Watch<'w> = &'w mut dyn FnMut(Stage);

/// A part of a document, laid out.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// Its sentences, in order.
    pub units: Vec<Unit>,
    /// Its blocks, without furniture.
    pub blocks: Vec<Block>,
    /// What each block is, and why.
    pub classes: Classes,
    /// What was usual, by runs of pages.
    pub baselines: Vec<Baseline>,
    /// What was left out.
    pub suppressed: Vec<Suppressed>,
    /// Words that were made whole.
    pub dehyphenations: usize,
    /// Sections of the document up to here.
    pub sections: u64,
    /// What the proofs found; empty, or the part must not be relied on.
    pub violations: Vec<Violation>,
}

/// Lays out a document, page by page.
#[derive(Debug)]
pub struct Composer {
    options: LayoutOptions,
    outline: Vec<OutlineEntry>,
    cues: Cues,
    sheets: Vec<Sheet>,
    weight: usize,
    sections: u64,
    last: SectionHead,
}

impl Composer {
    /// Before the first page of a document with this outline.
    pub fn new(options: &LayoutOptions, outline: Vec<OutlineEntry>) -> Composer {
        Composer {
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
    pub fn push(&mut self, page: &Page) -> bool {
        let sheet = Sheet::of(page, &self.options);
        self.weight += sheet.weight();
        self.sheets.push(sheet);
        self.weight > PART
    }

    /// Lays out the pages since the last part.
    ///
    /// # Errors
    /// The order of units would go back: a fault of this module.
    pub fn compose(&mut self, watch: Watch<'_>) -> Result<Part, Regression> {
        let sheets = std::mem::take(&mut self.sheets);
        self.weight = 0;
        let options = &self.options;
        let furniture = Furniture::find(&sheets, options);
        watch(Stage::Furniture);
        let pages: Vec<u64> = sheets.iter().map(|sheet| sheet.number).collect();
        let there: FxHashMap<u64, Tally> = sheets.iter().map(|sheet| (sheet.number, sheet.tally)).collect();
        let left_out = furniture.tallies(&sheets);
        let mut blocks = block::all(sheets, &furniture, options);
        watch(Stage::Blocks);
        let baselines = baseline::find(&blocks, &pages, options);
        baseline::settle(&mut blocks, &baselines, options);
        watch(Stage::Baselines);
        let headings = Headings::find(&blocks, &baselines, &self.outline, &self.cues, options);
        let classifier = classify::Classifier {
            blocks: &blocks,
            baselines: &baselines,
            headings: &headings,
            cues: &self.cues,
            options,
        };
        let classes = classifier.run();
        watch(Stage::Classes);
        let owners = ownership::find(&blocks, &classes, &baselines, &self.last);
        watch(Stage::Ownership);
        let (sections, dehyphenations) = thread::sections(&blocks, &classes, &owners);
        watch(Stage::Threads);
        let first = self.sections;
        self.sections += sections.len() as u64;
        self.last = owners.sections.last().cloned().unwrap_or_else(|| self.last.clone());
        let units = order::serialize(sections, first)?;
        watch(Stage::Order);
        let mut violations = audit::order(units.iter().map(|unit| unit.key));
        violations.extend(audit::phase(&units));
        violations.extend(audit::wrapping(units.iter().map(|unit| (unit.role, unit.emitted()))));
        violations.extend(audit::coverage(&there, &left_out, &units));
        watch(Stage::Audits);
        let suppressed = furniture.suppressed;
        let sections = self.sections;
        Ok(Part { units, blocks, classes, baselines, suppressed, dehyphenations, sections, violations })
    }
}

#[cfg(test)]
pub(crate) mod laws;
