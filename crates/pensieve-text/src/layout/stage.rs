//! The steps of the layout.

/// A step, for measurements of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayoutStage {
    /// Pages in reading order.
    Reading,
    /// Headers and footers.
    Furniture,
    /// Lines into blocks.
    Blocks,
    /// The style of body text.
    Baselines,
    /// Headings and classes.
    Classes,
    /// Sections and what belongs to them.
    Ownership,
    /// Paragraphs and sentences.
    Threads,
    /// Units in order.
    Order,
    /// The audits.
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

/// Called after each step.
pub type StageObserver<'w> = &'w mut dyn FnMut(LayoutStage);
