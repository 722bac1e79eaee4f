//! How many there are of what the layout tells apart: for reports, and for the metadata of a document.

use super::{BlockClass, LayoutBatch};
use crate::model::AuxKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// The counts of a document, part by part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LayoutCounters {
    /// Blocks, furniture aside.
    pub blocks: usize,
    /// Blocks of running prose.
    pub main: usize,
    /// Headings.
    pub headings: usize,
    /// Blocks of AUX by subtype, those without any too.
    pub aux: BTreeMap<&'static str, usize>,
    /// Headers, footers and page numbers that were left out, each counted once.
    pub suppressed: usize,
    /// Columns of the pages that have most.
    pub columns: usize,
    /// Sections.
    pub sections: u64,
    /// Sentences and rows of tables.
    pub units: usize,
    /// Words that were made whole.
    pub dehyphenations: usize,
    /// False for slides, forms and letters, which are kept in reading order.
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
    /// Counts the next part.
    pub fn add(&mut self, part: &LayoutBatch) {
        for (class, _) in &part.classes.of {
            match class {
                BlockClass::Main => self.main += 1,
                BlockClass::Heading(_) => self.headings += 1,
                BlockClass::Aux(kind) => *self.aux.entry(kind.as_str()).or_default() += 1,
            }
        }
        self.blocks += part.classes.of.len();
        self.suppressed += part.suppressed.len();
        self.columns = part.baselines.iter().map(|run| run.columns).fold(self.columns, usize::max);
        self.sections = part.sections;
        self.units += part.units.len();
        self.dehyphenations += part.dehyphenations;
        self.is_prose |= part.classes.is_prose;
    }
}
