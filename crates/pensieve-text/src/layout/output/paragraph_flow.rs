//! Whether a paragraph goes on after the end of a column although its last line there ends a sentence. In justified
//! text the last line of a paragraph hardly ever ends exactly at the right edge, and in documents that indent the first
//! lines of paragraphs a line without an indent begins none.

use crate::layout::blocks::block::TextBlock;
use crate::layout::blocks::block_class::{BlockClass, BlockClasses};
use crate::layout::lines::text_line::TextLine;

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
    pub(crate) fn of(blocks: &[TextBlock], classes: &BlockClasses) -> ParagraphFlow {
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
    pub(crate) fn goes_on(&self, last: &TextBlock, next: &TextBlock) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::input::bounds::Bounds;
    use crate::layout::lines::line_measure::LineMeasure;

    /// Lines from and to these places in a column of 200 points, in size 16.
    fn block(lines: &[(f32, f32)]) -> TextBlock {
        let line = |(x0, x1): &(f32, f32)| TextLine {
            text: "words".to_owned(),
            x0: *x0,
            x1: *x1,
            size: 16.0,
            ..TextLine::default()
        };
        TextBlock {
            page: 1,
            lines: lines.iter().map(line).collect(),
            size: 16.0,
            measure: LineMeasure { left: 0.0, right: 200.0 },
            ..TextBlock::default()
        }
    }

    #[test]
    fn the_indent_is_that_of_the_first_line() {
        assert_eq!(indent(&block(&[(20.0, 200.0), (5.0, 200.0)])), 15.0);
        assert_eq!(indent(&block(&[(20.0, 200.0)])), 20.0);
        assert_eq!(indent(&block(&[])), 0.0);
    }

    #[test]
    fn a_last_line_is_full_where_all_lines_end() {
        let check = |ends: &[f32], expected| {
            let block = block(&ends.iter().map(|x1| (0.0, *x1)).collect::<Vec<_>>());
            assert_eq!(is_full(&block, &block.lines[block.lines.len() - 1]), expected, "{ends:?}");
        };
        let near = 0.35 * 16.0;
        check(&[200.0, 200.0], true);
        check(&[200.0], false);
        check(&[200.0, 194.5], true);
        check(&[200.0, 194.0], false);
        check(&[194.0, 200.0, 200.0], false);
        check(&[194.5, 194.5], true);
        check(&[194.0, 194.0], false);
        check(&[205.5, 205.5], true);
        check(&[206.0, 206.0], false);
        let mut exact = block(&[(0.0, 0.0), (0.0, -near)]);
        exact.measure.right = 0.0;
        assert!(is_full(&exact, &exact.lines[1]));
    }

    #[test]
    fn paragraphs_go_on_in_the_next_column_or_on_the_next_page() {
        let at = |page, region, y0, x0| TextBlock {
            page,
            region,
            bounds: Bounds { x0: 0.0, y0, x1: 200.0, y1: y0 + 20.0 },
            ..block(&[(x0, 200.0), (0.0, 200.0)])
        };
        let check = |is_indented: bool, next: TextBlock, expected| {
            let flow = ParagraphFlow { is_indented };
            assert_eq!(flow.goes_on(&at(2, 1, 50.0, 0.0), &next), expected, "{next:?}");
        };
        check(true, at(3, 0, 60.0, 0.0), true);
        check(true, at(2, 2, 40.0, 0.0), true);
        check(true, at(2, 2, 50.0, 0.0), false);
        check(true, at(2, 1, 40.0, 0.0), false);
        check(true, at(1, 2, 40.0, 0.0), false);
        check(true, at(3, 0, 60.0, 0.7 * 16.0), false);
        check(true, at(3, 0, 60.0, 11.0), true);
        check(false, at(3, 0, 60.0, 20.0), true);
        let mut turned = at(3, 0, 60.0, 0.0);
        turned.lines[0].rotation = 90;
        check(true, turned, false);
        check(true, TextBlock { lines: Vec::new(), ..at(3, 0, 60.0, 0.0) }, false);
    }

    #[test]
    fn a_document_indents_its_paragraphs_if_most_have_an_indent() {
        let check = |indented: usize, plain: usize, change: fn(&mut TextBlock), expected| {
            let mut blocks = vec![block(&[(0.0, 200.0), (0.0, 90.0)])];
            blocks.extend((0..indented).map(|_| block(&[(0.7 * 16.0, 200.0), (0.0, 90.0)])));
            blocks.extend((0..plain).map(|_| block(&[(11.0, 200.0), (0.0, 90.0)])));
            blocks.iter_mut().skip(1).for_each(change);
            let of = vec![(BlockClass::Main, Vec::new()); blocks.len()];
            let classes = BlockClasses { of, ..BlockClasses::default() };
            assert_eq!(ParagraphFlow::of(&blocks, &classes).is_indented, expected, "{indented} {plain}");
        };
        check(3, 2, |_| (), true);
        check(2, 2, |_| (), false);
        check(1, 0, |_| (), true);
        check(0, 0, |_| (), false);
        check(1, 0, |block| block.region = 1, false);
        check(1, 0, |block| block.page = 2, false);
        check(1, 0, |block| drop(block.lines.pop()), false);
        check(1, 0, |block| block.lines[0].x1 = 50.0, false);
    }

    #[test]
    fn only_text_below_text_shows_whether_paragraphs_are_indented() {
        let check = |first: BlockClass, second: BlockClass, expected| {
            let blocks = [block(&[(0.0, 200.0)]), block(&[(20.0, 200.0), (0.0, 90.0)])];
            let of = vec![(first, Vec::new()), (second, Vec::new())];
            let classes = BlockClasses { of, ..BlockClasses::default() };
            assert_eq!(ParagraphFlow::of(&blocks, &classes).is_indented, expected);
        };
        check(BlockClass::Main, BlockClass::Main, true);
        check(BlockClass::Heading(1), BlockClass::Main, false);
        check(BlockClass::Main, BlockClass::Heading(1), false);
    }
}
