//! Counts of the results of the layout, for reports and for the metadata of a document.

use super::batch::LayoutBatch;
use crate::layout::blocks::block_class::BlockClass;
use crate::model::AuxKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// The counts of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LayoutCounters {
    /// Blocks, without furniture.
    pub blocks: usize,
    /// Blocks of running prose.
    pub main: usize,
    /// Headings.
    pub headings: usize,
    /// Blocks of AUX by subtype, including subtypes without any.
    pub aux: BTreeMap<&'static str, usize>,
    /// Different headers, footers and page numbers that were omitted.
    pub suppressed: usize,
    /// Columns of the pages with the most columns.
    pub columns: usize,
    /// Sections.
    pub sections: u64,
    /// Sentences and rows of tables.
    pub units: usize,
    /// Words that were joined at a hyphen.
    pub dehyphenations: usize,
    /// False for slides, forms and letters, which stay in reading order.
    pub is_prose: bool,
}

impl Default for LayoutCounters {
    fn default() -> LayoutCounters {
        let kinds = AuxKind::ALL.iter().filter(|kind| **kind != AuxKind::Furniture);
        LayoutCounters {
            blocks: 0,
            main: 0,
            headings: 0,
            aux: kinds.map(|kind| (kind.as_str(), 0)).collect(),
            suppressed: 0,
            columns: 0,
            sections: 0,
            units: 0,
            dehyphenations: 0,
            is_prose: false,
        }
    }
}

impl LayoutCounters {
    /// Counts the next batch.
    pub fn add(&mut self, batch: &LayoutBatch) {
        for (class, _) in &batch.classes.of {
            match class {
                BlockClass::Main => self.main += 1,
                BlockClass::Heading(_) => self.headings += 1,
                BlockClass::Aux(kind) => *self.aux.entry(kind.as_str()).or_default() += 1,
            }
        }
        self.blocks += batch.classes.of.len();
        self.suppressed += batch.suppressed.len();
        self.columns = batch.baselines.iter().map(|run| run.columns).fold(self.columns, usize::max);
        self.sections = batch.sections;
        self.units += batch.units.len();
        self.dehyphenations += batch.dehyphenations;
        self.is_prose |= batch.classes.is_prose;
    }
}
