//! The front matter of a document: what is printed before the first text in the style of the body, on its first pages.
//! An abstract is running text there, whatever its type; names, places and dates are no headings.

use super::block::TextBlock;
use super::body_style::{BodyStyle, of_page};
use crate::layout::lines::text_line::TextLine;

/// Pages from the first one on that front matter may fill.
const MAX_PAGES: u64 = 2;

/// Minimum lines of running text.
const MIN_LINES: usize = 3;

/// Percent of the body's font size that an abstract at least has.
const MIN_SIZE: f32 = 75.0;

/// Percent by which the font size of the body may differ.
const SAME_SIZE: f32 = 3.0;

/// The share of the size of a title that its other lines have.
const SAME_AS_TITLE: f32 = 0.97;

/// The most lines of an entry below the title.
const MAX_BYLINE_LINES: usize = 4;

/// What is larger than this, in font sizes of the body, is a title too.
const MAX_BYLINE_SIZE: f32 = 1.6;

/// The most characters of one.
const MAX_BYLINE_CHARACTERS: usize = 240;

/// By how much the edges of lines may differ, in font sizes.
const SAME_EDGE: f32 = 1.0;

/// Where the front matter of a document is.
pub(crate) struct FrontMatter {
    /// The block with which the body begins.
    end: usize,
    /// The font size of its largest text.
    largest: f32,
    /// The font size of the body.
    body: f32,
    /// The lines between the title and the first running text or heading below it.
    bylines: std::ops::Range<usize>,
}

impl FrontMatter {
    /// Finds it: the blocks before the first running text in the style of the body.
    pub(crate) fn find(blocks: &[TextBlock], baselines: &[BodyStyle]) -> FrontMatter {
        let first_page = blocks.first().map_or(1, |block| block.page);
        let is_body = |block: &&TextBlock| {
            let run = of_page(baselines, block.page);
            run.is_some_and(|run| {
                let share = 100.0 * block.size / run.size;
                (share - 100.0).abs() <= SAME_SIZE
                    && block.is_bold == run.is_bold
                    && is_running(block)
                    && !run.is_beside(block)
            })
        };
        let is_early = |block: &&TextBlock| block.page < first_page + MAX_PAGES;
        let early = blocks.iter().take_while(is_early).count();
        let end = blocks.iter().take(early).position(|block| is_body(&block)).unwrap_or(early);
        let front = &blocks[..end];
        let is_straight = |block: &&TextBlock| block.lines.iter().all(|line| !line.is_turned);
        let largest = front.iter().filter(is_straight).map(|block| block.size).fold(0.0, f32::max);
        let body = of_page(baselines, first_page).map_or(10.0, |run| run.size);
        let title =
            front.iter().rposition(|block| is_straight(&block) && block.size >= SAME_AS_TITLE * largest);
        // Without anything larger than the body there is no title, and nothing stands below it.
        let bylines = title.filter(|_| largest > body).map_or(0..0, |title| {
            let page = blocks[title].page;
            let is_over = |block: &TextBlock| block.page != page || is_running(block);
            let names = front[title + 1..].iter().position(is_over);
            title + 1..names.map_or(end, |names| title + 1 + names)
        });
        FrontMatter { end, largest, body, bylines }
    }

    /// True for a name, a place or a date below the title.
    fn has_byline(&self, blocks: &[TextBlock], at: usize) -> bool {
        let block = &blocks[at];
        let is_short = block.lines.len() <= MAX_BYLINE_LINES && block.characters() <= MAX_BYLINE_CHARACTERS;
        self.bylines.contains(&at) && is_short
    }

    /// True for text that belongs to the document's own text before its body begins.
    pub(crate) fn contains(&self, blocks: &[TextBlock], at: usize) -> bool {
        let block = &blocks[at];
        let is_free = block.boxed.is_none() && block.table.is_none();
        is_free && (self.has_prose(blocks, at) || self.has_byline(blocks, at))
    }

    /// True for running text before the body, such as an abstract.
    fn has_prose(&self, blocks: &[TextBlock], at: usize) -> bool {
        let block = &blocks[at];
        at < self.end
            && 100.0 * block.size >= MIN_SIZE * self.body
            // What is larger is a title or a subtitle.
            && block.size <= 1.3 * self.body
            && block.lines.iter().all(|line| !line.is_turned)
            && is_running(block)
    }

    /// True for a line between the title of a document and its text that has no text of its own: a name, a place, a
    /// date.
    pub(super) fn is_byline(&self, blocks: &[TextBlock], at: usize) -> bool {
        let is_large = blocks[at].size >= (SAME_AS_TITLE * self.largest).min(MAX_BYLINE_SIZE * self.body);
        // The last line above running text may be the heading of it.
        let has_text = self.bylines.end == at + 1 && blocks.get(at + 1).is_some_and(is_running);
        self.bylines.contains(&at) && !is_large && !has_text
    }
}

/// True for several lines, most of which are full and which share an edge: the lines of a title page are centred.
fn is_running(block: &TextBlock) -> bool {
    let wrapped = block.wrapped_lines();
    let edge = |edge: fn(&TextLine) -> f32| {
        // The first line of a paragraph is indented.
        let edges = block.lines.iter().skip(1).map(edge);
        let (least, most) =
            edges.fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), at| (least.min(at), most.max(at)));
        most - least <= SAME_EDGE * block.size
    };
    block.lines.len() >= MIN_LINES
        && wrapped >= 2
        && wrapped * 2 >= block.lines.len() - 1
        && (edge(|line| line.x0) || edge(|line| line.x1))
}

#[cfg(test)]
mod tests;
