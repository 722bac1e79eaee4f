//! The result of laying out a batch of pages.

use super::audit::LayoutViolation;
use super::units::LayoutUnit;
use crate::layout::blocks::block::TextBlock;
use crate::layout::blocks::block_class::BlockClasses;
use crate::layout::blocks::body_style::BodyStyle;
use crate::layout::furniture::SuppressedLine;

/// A batch of pages with layout.
#[derive(Debug, Clone, Default)]
pub struct LayoutBatch {
    /// Its sentences, in order.
    pub units: Vec<LayoutUnit>,
    /// Its blocks, without furniture.
    pub blocks: Vec<TextBlock>,
    /// The class of each block, and the reasons.
    pub classes: BlockClasses,
    /// The style of body text, by runs of pages.
    pub baselines: Vec<BodyStyle>,
    /// Headers, footers and page numbers, which are omitted from the text.
    pub suppressed: Vec<SuppressedLine>,
    /// Number of words that were joined at a hyphen.
    pub dehyphenations: usize,
    /// Number of sections of the document so far.
    pub sections: u64,
    /// The failed audits; if there are any, the batch is not reliable.
    pub violations: Vec<LayoutViolation>,
}
