//! Items of lists: their marks in Markdown, and their levels. A bullet is whatever sign stands alone before the words; a dash
//! is one only among others or before lines with a hanging indent, because dialogue begins with dashes as well.

use crate::layout::blocks::block::TextBlock;
use crate::layout::lines::list_items::{MAX_NUMBER_DIGITS, bullet_end, digits, starts_with_dash};

/// How far lines hang that continue the item of a dash, in font sizes.
const MIN_HANG: f32 = 0.3;

/// By how much the left edges of items of one level differ, in font sizes.
const SAME_EDGE: f32 = 0.5;

/// Levels inside levels; what is deeper stays at the last one.
const MAX_LEVELS: usize = 6;

/// The mark of an item in Markdown, and where its words begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ItemMark {
    /// `- `, or the number as it is; written in front of the words.
    pub(crate) mark: String,
    /// The byte of its first line at which the words begin.
    pub(crate) words: usize,
}

/// The mark of a block, if it is an item.
pub(super) fn mark_of(blocks: &[TextBlock], at: usize) -> Option<ItemMark> {
    let block = &blocks[at];
    let text = block.first_text();
    if block.table.is_some() || block.is_listing || block.lines.first().is_some_and(|line| line.is_turned) {
        return None;
    }
    let dash = || LeadingDash::of(block).filter(|dash| dash.is_item(blocks, at)).map(|dash| dash.words);
    if let Some(words) = bullet_end(text).or_else(dash) {
        // A bullet without words is the ornament of something else.
        return (words < text.len() || block.lines.len() > 1)
            .then(|| ItemMark { mark: "- ".to_owned(), words });
    }
    let digits = digits(text);
    let rest = text[digits..].strip_prefix(['.', ')'])?;
    let is_number = (1..=MAX_NUMBER_DIGITS).contains(&digits) && rest.starts_with(' ');
    // The number is a word of the page and stays in the text.
    is_number.then(|| ItemMark { mark: String::new(), words: 0 })
}

/// A dash at the start of a block.
struct LeadingDash {
    dash: char,
    words: usize,
}

impl LeadingDash {
    fn of(block: &TextBlock) -> Option<LeadingDash> {
        let text = block.first_text();
        // Speeches begin with em dashes in French, Spanish and Russian.
        let dash = text.chars().next().filter(|_| starts_with_dash(text) && !text.starts_with('—'))?;
        let rest = &text[dash.len_utf8()..];
        Some(LeadingDash { dash, words: text.len() - rest.trim_start().len() })
    }

    /// True for one whose lines hang, or a single line next to another item at the same edge.
    fn is_item(&self, blocks: &[TextBlock], at: usize) -> bool {
        let block = &blocks[at];
        if let [first, second, ..] = &block.lines[..] {
            return second.x0 - first.x0 > MIN_HANG * block.size;
        }
        let is_like = |other: Option<&TextBlock>| {
            other.is_some_and(|other| {
                other.page == block.page
                    && other.region == block.region
                    && other.first_text().starts_with(self.dash)
                    && is_at_one_edge(block, left_of(block), left_of(other))
                    && (other.lines.len() == 1 || other.lines[1].x0 > other.lines[0].x0)
            })
        };
        is_like(blocks.get(at + 1)) || is_like(at.checked_sub(1).map(|before| &blocks[before]))
    }
}

fn left_of(block: &TextBlock) -> f32 {
    block.lines.first().map_or(0.0, |line| line.x0)
}

fn is_at_one_edge(block: &TextBlock, one: f32, other: f32) -> bool {
    (one - other).abs() <= SAME_EDGE * block.size
}

/// The levels of the list that is open: where the items of each begin, and how far the words of a level below are indented.
#[derive(Debug, Default)]
pub(super) struct ListLevels {
    levels: Vec<(f32, usize)>,
    place: (u64, usize),
}

impl ListLevels {
    /// Ends the list.
    pub(crate) fn end(&mut self) {
        self.levels.clear();
    }

    /// The blanks before the mark of the next item.
    pub(crate) fn enter(&mut self, block: &TextBlock, item: &ItemMark) -> usize {
        let left = left_of(block);
        let place = (block.page, block.region);
        let is_known = self.levels.iter().any(|(known, _)| is_at_one_edge(block, *known, left));
        // The edges of another column say nothing about these.
        if place != self.place && !is_known {
            self.levels.clear();
        }
        self.place = place;
        let slack = SAME_EDGE * block.size;
        while self.levels.last().is_some_and(|(known, _)| *known > left + slack) {
            self.levels.pop();
        }
        let is_deeper = self.levels.last().is_none_or(|(known, _)| left - known > slack);
        if is_deeper && self.levels.len() < MAX_LEVELS {
            let above = self.levels.last().map_or(0, |(_, below)| *below);
            // Markdown indents what is inside an item as far as its words.
            let width = if item.mark.is_empty() { digits(block.first_text()) + 2 } else { item.mark.len() };
            self.levels.push((left, above + width));
        }
        self.levels.len().checked_sub(2).map_or(0, |above| self.levels[above].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::lines::text_line::TextLine;

    /// A block of lines that begin at these places, in size 10.
    fn block(lines: &[(&str, f32)]) -> TextBlock {
        let line = |(text, x0): &(&str, f32)| TextLine {
            text: (*text).to_owned(),
            x0: *x0,
            size: 10.0,
            ..TextLine::default()
        };
        TextBlock { lines: lines.iter().map(line).collect(), size: 10.0, ..TextBlock::default() }
    }

    #[test]
    fn bullets_become_dashes_and_numbers_stay() {
        let check = |lines: &[(&str, f32)], expected: Option<(&str, usize)>| {
            let found = mark_of(&[block(lines)], 0);
            assert_eq!(found.as_ref().map(|item| (item.mark.as_str(), item.words)), expected, "{lines:?}");
        };
        check(&[("• a", 0.0)], Some(("- ", 4)));
        check(&[("\u{f0b7}  a", 0.0)], Some(("- ", 5)));
        check(&[("•", 0.0)], None);
        check(&[("•", 0.0), ("a", 8.0)], Some(("- ", 3)));
        check(&[("12. a", 0.0)], Some(("", 0)));
        check(&[("1) a", 0.0)], Some(("", 0)));
        check(&[("a) b", 0.0)], None);
        check(&[("1.5 a", 0.0)], None);
        check(&[("2019. a", 0.0)], None);
    }

    #[test]
    fn a_dash_is_a_mark_where_lines_hang_or_items_follow_each_other() {
        let check = |blocks: &[TextBlock], expected: bool| {
            assert_eq!(mark_of(blocks, 0).is_some(), expected, "{blocks:?}");
        };
        check(&[block(&[("– a word", 0.0), ("that hangs", 8.0)])], true);
        check(&[block(&[("– Said a man", 10.0), ("who left.", 0.0)])], false);
        check(&[block(&[("– a", 0.0)])], false);
        check(&[block(&[("– a", 0.0)]), block(&[("– b", 0.0)])], true);
        check(&[block(&[("– a", 0.0)]), block(&[("– b", 9.0)])], false);
        check(&[block(&[("– a", 0.0)]), block(&[("- b", 0.0)])], false);
        check(&[block(&[("— a", 0.0)]), block(&[("— b", 0.0)])], false);
    }

    #[test]
    fn items_inside_items_are_indented_as_far_as_their_words() {
        let mut levels = ListLevels::default();
        let mut check = |text: &str, x0: f32, expected: usize| {
            let blocks = [block(&[(text, x0)])];
            let item = mark_of(&blocks, 0).expect("an item");
            assert_eq!(levels.enter(&blocks[0], &item), expected, "{text} {x0}");
        };
        check("1. a", 50.0, 0);
        check("• b", 70.0, 3);
        check("• c", 72.0, 3);
        check("▪ d", 90.0, 5);
        check("10. e", 50.0, 0);
        check("• f", 40.0, 0);
    }
}
