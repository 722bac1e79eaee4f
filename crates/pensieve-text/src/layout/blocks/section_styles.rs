//! The styles of titles that divide a document into sections even if little of it is running prose, as a manual with
//! many lists and listings. A style is one of them if it has hardly any other text than titles, and its titles are
//! numbered in order, or stand above text again and again.

use super::block::TextBlock;
use super::heading_levels::{HeadingStyle, style};
use crate::layout::lines::heading_number::{HeadingNumber, follows};
use rustc_hash::{FxHashMap, FxHashSet};

/// Minimum percent of a style's characters that are in titles, if these are numbered in order, and if not.
const MIN_NUMBERED_SHARE: usize = 40;
const MIN_TITLE_SHARE: usize = 75;

/// Minimum titles of a style whose numbers follow each other.
const MIN_IN_ORDER: usize = 2;

/// Minimum titles of a style that have text below them.
const MIN_ABOVE_TEXT: usize = 2;

/// Minimum characters of that text.
const MIN_TEXT_CHARACTERS: usize = 60;

/// The styles whose titles divide a document into sections.
#[derive(Debug, Default)]
pub(super) struct SectionStyles {
    styles: FxHashSet<HeadingStyle>,
}

/// What is known of a style.
#[derive(Debug, Default, Clone, Copy)]
struct StyleUse {
    characters: usize,
    in_titles: usize,
    in_order: usize,
    above_text: usize,
}

impl StyleUse {
    fn divides(&self) -> bool {
        let has = |share: usize| self.in_titles * 100 >= self.characters * share;
        self.in_order >= MIN_IN_ORDER && has(MIN_NUMBERED_SHARE)
            || self.above_text >= MIN_ABOVE_TEXT && has(MIN_TITLE_SHARE)
    }
}

impl SectionStyles {
    /// Finds them, given the blocks that may be titles, from first to last.
    pub(crate) fn find(blocks: &[TextBlock], titles: &[usize]) -> SectionStyles {
        let mut uses: FxHashMap<HeadingStyle, StyleUse> = FxHashMap::default();
        for block in blocks.iter().filter(|block| block.table.is_none()) {
            uses.entry(style(block)).or_default().characters += block.characters();
        }
        let in_order = numbered_in_order(blocks, titles);
        for at in titles {
            let block = &blocks[*at];
            let is_title = |at: &usize| titles.binary_search(at).is_ok();
            let below = Some(at + 1).filter(|below| !is_title(below)).and_then(|below| blocks.get(below));
            let has_text = below.is_some_and(|below| below.characters() >= MIN_TEXT_CHARACTERS);
            let found = uses.entry(style(block)).or_default();
            found.in_titles += block.characters();
            found.in_order += usize::from(in_order.contains(at));
            found.above_text += usize::from(has_text);
        }
        let styles = uses.into_iter().filter(|(_, found)| found.divides()).map(|(style, _)| style).collect();
        SectionStyles { styles }
    }

    /// True if the titles in the style of this block divide the document.
    pub(crate) fn contains(&self, block: &TextBlock) -> bool {
        self.styles.contains(&style(block))
    }
}

/// The titles whose numbers follow that of the numbered title before them, and these.
fn numbered_in_order(blocks: &[TextBlock], titles: &[usize]) -> FxHashSet<usize> {
    let is_numbered = |at: &&usize| HeadingNumber::starts_title(blocks[**at].first_text());
    let numbered: Vec<usize> = titles.iter().filter(is_numbered).copied().collect();
    let text = |at: usize| blocks[at].first_text();
    let pairs = numbered.windows(2).filter(|pair| follows(text(pair[0]), text(pair[1])));
    pairs.flat_map(|pair| [pair[0], pair[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::lines::text_line::TextLine;

    /// The titles that divide a document: its blocks are a font size, a weight, and a text. Titles start with `#`.
    fn check(blocks: &[(f32, bool, &str)], expected: &[&str]) {
        let block = |(size, is_bold, text): &(f32, bool, &str)| {
            let text = text.trim_start_matches('#').to_owned();
            let line = TextLine { text, ..TextLine::default() };
            TextBlock { lines: vec![line], size: *size, is_bold: *is_bold, ..TextBlock::default() }
        };
        let titles: Vec<usize> = (0..blocks.len()).filter(|at| blocks[*at].2.starts_with('#')).collect();
        let blocks: Vec<TextBlock> = blocks.iter().map(block).collect();
        let found = SectionStyles::find(&blocks, &titles);
        let dividing = titles.iter().map(|at| &blocks[*at]).filter(|block| found.contains(block));
        assert_eq!(dividing.map(TextBlock::first_text).collect::<Vec<_>>(), expected);
    }

    const TEXT: (f32, bool, &str) =
        (10.0, false, "This is the text below a title, and it is long enough to be one.");
    const SHORT: (f32, bool, &str) =
        (10.0, false, "It is a line of no more than fifty-nine characters, this.");

    #[test]
    fn numbers_in_order_divide_a_document() {
        check(&[(12.0, true, "#1 One"), SHORT, (12.0, true, "#2 Two"), SHORT], &["1 One", "2 Two"]);
        check(&[(12.0, true, "#1 One"), SHORT, (12.0, true, "#4 Four"), SHORT], &[]);
        let parts = [
            (14.0, true, "#2 Two"),
            (12.0, true, "#2.1 One"),
            (12.0, true, "#2.2 Two"),
            (14.0, true, "#3 Three"),
        ];
        check(&parts, &["2 Two", "2.1 One", "2.2 Two", "3 Three"]);
    }

    #[test]
    fn titles_above_text_divide_a_document_from_the_second_on() {
        check(&[(12.0, true, "#One"), TEXT, (12.0, true, "#Two"), TEXT], &["One", "Two"]);
        check(&[(12.0, true, "#One"), TEXT, (14.0, true, "#Two"), TEXT], &[]);
        check(&[(12.0, true, "#One"), SHORT, (12.0, true, "#Two"), SHORT], &[]);
        check(&[(12.0, true, "#One"), (12.0, true, "#Two"), TEXT, (12.0, true, "#Three")], &[]);
    }

    #[test]
    fn styles_of_other_text_divide_nothing() {
        let titles =
            [(10.0, false, "#Twenty characters 20"), TEXT, (10.0, false, "#And twenty-one others"), TEXT];
        check(&titles, &[]);
        // Of 100 characters of a style, 75 are enough, and 40 of numbered titles.
        let other = |count| (12.0, true, &"other text that is no title "[..count]);
        let title = (12.0, true, "#Titles of 25 characters, ");
        let of_three = |count| [title, TEXT, title, TEXT, title, TEXT, other(count)];
        check(&of_three(25), &[&title.2[1..]; 3]);
        check(&of_three(26), &[]);
        let numbered = |count| [(12.0, true, "#1 Titles"), (12.0, true, "#2 Letter"), other(count)];
        check(&numbered(24), &["1 Titles", "2 Letter"]);
        check(&numbered(25), &[]);
    }
}
