//! Whether a paragraph goes on after the end of a column although its last line there ends a sentence. In justified
//! text the last line of a paragraph hardly ever ends exactly at the right edge, and in documents that indent the first
//! lines of paragraphs a line without an indent begins none.

use super::block::TextBlock;
use super::block_class::{BlockClass, BlockClasses};
use super::lines::TextLine;

/// By how much the ends of justified lines differ, in font sizes.
const SAME_EDGE: f32 = 0.35;

/// The least indent of the first line of a paragraph, in font sizes.
const MIN_INDENT: f32 = 0.7;

/// Percent of the paragraphs of a document that have an indent, if it indents them.
const INDENTED_PERCENT: usize = 60;

/// How the paragraphs of a document look.
pub(super) struct ParagraphFlow {
    /// Most first lines are indented.
    is_indented: bool,
}

impl ParagraphFlow {
    /// Measures the paragraphs that follow another one in the same column.
    pub(super) fn of(blocks: &[TextBlock], classes: &BlockClasses) -> ParagraphFlow {
        let is_main = |at: usize| classes.of[at].0 == BlockClass::Main;
        let follows = |at: usize| {
            let (before, block) = (&blocks[at - 1], &blocks[at]);
            is_main(at) && is_main(at - 1) && before.page == block.page && before.region == block.region
        };
        let (mut all, mut indented) = (0, 0);
        for at in (1..blocks.len()).filter(|at| follows(*at)) {
            let block = &blocks[at];
            if block.lines.len() >= 2 && block.wrapped_lines() >= 1 {
                all += 1;
                indented += usize::from(indent(block) >= MIN_INDENT * block.size);
            }
        }
        ParagraphFlow { is_indented: all > 0 && indented * 100 >= all * INDENTED_PERCENT }
    }

    /// True if a block at the top of a column or page continues the last one of the column before.
    pub(super) fn goes_on(&self, last: &TextBlock, next: &TextBlock) -> bool {
        let is_elsewhere = last.page < next.page
            || last.page == next.page && last.region != next.region && next.bounds.y0 < last.bounds.y0;
        let Some((end, first)) = last.lines.last().zip(next.lines.first()) else { return false };
        let is_start = self.is_indented && indent(next) >= MIN_INDENT * next.size;
        is_elsewhere && !is_start && first.rotation == end.rotation && is_full(last, end)
    }
}

/// How far the first line starts to the right of the others, or of its column.
fn indent(block: &TextBlock) -> f32 {
    let (first, second) = (block.lines.first(), block.lines.get(1));
    let edge = second.map_or(block.measure.left, |line| line.x0);
    first.map_or(0.0, |line| line.x0 - edge)
}

/// True if the last line of a block ends where all its lines end; of a single line that cannot be known.
fn is_full(block: &TextBlock, last: &TextLine) -> bool {
    let near = SAME_EDGE * block.size;
    let right = block.lines.iter().map(|line| line.x1).fold(f32::NEG_INFINITY, f32::max);
    let is_justified = block.lines.iter().all(|line| right - line.x1 <= near);
    block.lines.len() >= 2
        && is_justified
        && right - last.x1 <= near
        && (block.measure.right - right).abs() <= near
}
