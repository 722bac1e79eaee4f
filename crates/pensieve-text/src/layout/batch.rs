//! The result of laying out a batch of pages.

use super::audit::LayoutViolation;
use super::block::TextBlock;
use super::block_class::BlockClasses;
use super::body_style::BodyStyle;
use super::furniture::SuppressedLine;
use super::units::LayoutUnit;

/// A batch of pages, laid out.
#[derive(Debug, Clone, Default)]
pub struct LayoutBatch {
    /// Its sentences, in order.
    pub units: Vec<LayoutUnit>,
    /// Its blocks, without furniture.
    pub blocks: Vec<TextBlock>,
    /// What each block is, and why.
    pub classes: BlockClasses,
    /// The style of body text, by runs of pages.
    pub baselines: Vec<BodyStyle>,
    /// Headers, footers and page numbers, which are left out of the text.
    pub suppressed: Vec<SuppressedLine>,
    /// Words that were joined at a hyphen.
    pub dehyphenations: usize,
    /// Sections of the document up to here.
    pub sections: u64,
    /// What the audits found; if it is not empty, the batch is not reliable.
    pub violations: Vec<LayoutViolation>,
}
