//! The steps of the layout.

use crate::model::names;

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
