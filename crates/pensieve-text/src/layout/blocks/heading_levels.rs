//! Levels of headings: from the outline, from the numbers in front of titles, from the level that these give to a
//! style, or from the order of styles. A style is a size, a weight, capitals, a slant and a typeface.

use super::block::TextBlock;
use crate::layout::input::typefaces::family;
use crate::layout::lines::heading_number::{HeadingNumber, NumberKind};
use crate::layout::lines::text_line::is_capitals;
use rustc_hash::FxHashMap;

/// The deepest level.
const MAX_LEVEL: usize = 6;

/// Minimum characters of a block that shows that the heading above it has a text.
const MIN_TEXT_CHARACTERS: usize = 60;

/// The properties of a heading that distinguish levels: size in half points, bold, capitals, upright, typeface.
pub(super) type HeadingStyle = (i64, bool, bool, bool, String);

/// The style of a block.
pub(crate) fn style(block: &TextBlock) -> HeadingStyle {
    let size = (block.size * 2.0).round() as i64;
    let is_caps = is_capitals(&block.text());
    (size, block.is_bold, is_caps, !block.face.is_italic, family(&block.face.name).to_owned())
}

/// A heading: its block, and its level if the outline names it.
pub(super) type HeadingBlock = (usize, Option<usize>);

/// The levels of headings, in their order.
pub(crate) fn levels(blocks: &[TextBlock], headings: &[HeadingBlock]) -> Vec<u8> {
    let scheme = LevelScheme::new(blocks, headings);
    let level = |heading: &HeadingBlock| scheme.level(heading).clamp(1, MAX_LEVEL) as u8;
    headings.iter().map(level).collect()
}

struct LevelScheme<'b> {
    blocks: &'b [TextBlock],
    /// Numbers show levels.
    by_number: bool,
    /// The style that most Roman numbers have, if there are any.
    roman: Option<HeadingStyle>,
    by_style: FxHashMap<HeadingStyle, usize>,
    /// By how much the numbers of a style are deeper than they show.
    deeper: FxHashMap<HeadingStyle, usize>,
}

impl<'b> LevelScheme<'b> {
    fn new(blocks: &'b [TextBlock], headings: &[HeadingBlock]) -> LevelScheme<'b> {
        let with_text = styles_with_text(blocks, headings);
        let counts = |at: usize| with_text.contains_key(&style(&blocks[at]));
        let all = headings.iter().filter(|(at, _)| counts(*at)).count();
        let number = |at: usize| HeadingNumber::of(blocks[at].first_text());
        let of_kind = |kind: NumberKind| {
            headings.iter().filter(move |(at, _)| number(*at).is_some_and(|number| number.kind == kind))
        };
        let digits = of_kind(NumberKind::Digits).count();
        let roman = most_common(of_kind(NumberKind::Roman).map(|(at, _)| style(&blocks[*at])));
        let by_number = digits * 2 >= all || roman.is_some();
        let mut scheme = LevelScheme {
            blocks,
            by_number,
            roman,
            by_style: FxHashMap::default(),
            deeper: FxHashMap::default(),
        };
        scheme.by_style = scheme.known_styles(headings);
        scheme.rank_others(headings, &with_text);
        scheme
    }

    fn level(&self, (at, named): &HeadingBlock) -> usize {
        let style = style(&self.blocks[*at]);
        let deeper = self.deeper.get(&style).copied().unwrap_or_default();
        let by_number = || Some(self.level_of_number(*at).filter(|_| self.by_number)? + deeper);
        let by_style = || self.by_style.get(&style).copied();
        named.or_else(by_number).or_else(by_style).unwrap_or(1)
    }

    /// The level that the number of a heading shows. Letters alone show one only below Roman numbers.
    fn level_of_number(&self, at: usize) -> Option<usize> {
        let number = HeadingNumber::of(self.blocks[at].first_text())?;
        match (number.kind, &self.roman) {
            (NumberKind::Digits, None) => Some(number.depth),
            // `I.`, `A.`, `1.` is an outline with three levels of its own.
            (NumberKind::Digits, Some(_)) if number.depth == 1 => Some(3),
            (NumberKind::Digits, Some(_)) => Some(number.depth),
            (NumberKind::Roman, _) => Some(number.depth),
            (NumberKind::Letter, _) if number.depth > 1 => Some(number.depth),
            (NumberKind::Letter, Some(roman)) if number.has_stop => {
                Some(if *roman == style(&self.blocks[at]) { 1 } else { 2 })
            }
            (NumberKind::Letter, _) => None,
        }
    }

    /// The level that the outline, or else the numbers, give to a style holds for its other headings.
    fn known_styles(&mut self, headings: &[HeadingBlock]) -> FxHashMap<HeadingStyle, usize> {
        let mut known: FxHashMap<HeadingStyle, usize> = FxHashMap::default();
        let mut numbered: FxHashMap<HeadingStyle, Vec<usize>> = FxHashMap::default();
        for (at, named) in headings {
            let style = style(&self.blocks[*at]);
            if let Some(level) = named {
                known.entry(style).and_modify(|known| *known = *level.max(known)).or_insert(*level);
            } else if let Some(level) = self.level_of_number(*at).filter(|_| self.by_number) {
                numbered.entry(style).or_default().push(level);
            }
        }
        self.deeper = deeper_styles(&numbered);
        for (style, levels) in numbered {
            if let Some(level) = most_common(levels.into_iter()) {
                let deeper = self.deeper.get(&style).copied().unwrap_or_default();
                known.entry(style).or_insert(level + deeper);
            }
        }
        known
    }

    /// Gives levels to styles of which neither outline nor numbers say anything, by their rank among the others:
    /// larger first, then bold, then capitals, then upright.
    fn rank_others(&mut self, headings: &[HeadingBlock], with_text: &FxHashMap<HeadingStyle, usize>) {
        let mut styles: Vec<HeadingStyle> = headings.iter().map(|(at, _)| style(&self.blocks[*at])).collect();
        styles.sort_by(|a, b| (b.0, b.1, b.2, b.3, &a.4).cmp(&(a.0, a.1, a.2, a.3, &b.4)));
        styles.dedup();
        let mut above = 0;
        for (rank, style) in styles.iter().enumerate() {
            if let Some(level) = self.by_style.get(style) {
                above = *level;
                continue;
            }
            let below = styles[rank + 1..].iter().find_map(|style| self.by_style.get(style)).copied();
            let ceiling = match below {
                Some(below) if above == 0 => below.saturating_sub(1).max(1),
                Some(below) if below > above => below,
                _ => MAX_LEVEL,
            };
            let level = (above + 1).min(ceiling);
            self.by_style.insert(style.clone(), level);
            // Names, dates and other lines under the title have no text of their own and make nothing else deeper.
            if rank == 0 || with_text.contains_key(style) {
                above = level;
            }
        }
    }
}

/// The styles of which a heading has text directly below it, and of how many.
fn styles_with_text(blocks: &[TextBlock], headings: &[HeadingBlock]) -> FxHashMap<HeadingStyle, usize> {
    let is_heading = |at: usize| headings.binary_search_by_key(&at, |(at, _)| *at).is_ok();
    let mut styles = FxHashMap::default();
    for (at, _) in headings {
        let below = blocks.get(at + 1).filter(|_| !is_heading(at + 1));
        if below.is_some_and(|block| block.characters() >= MIN_TEXT_CHARACTERS) {
            *styles.entry(style(&blocks[*at])).or_default() += 1;
        }
    }
    styles
}

/// Styles whose numbers begin anew below titles in a larger style, as the clauses of a licence in a manual do, and by how
/// much they are deeper.
fn deeper_styles(numbered: &FxHashMap<HeadingStyle, Vec<usize>>) -> FxHashMap<HeadingStyle, usize> {
    let level = |levels: &Vec<usize>| most_common(levels.iter().copied()).unwrap_or(1);
    let deeper = |(style, levels): (&HeadingStyle, &Vec<usize>)| {
        let larger =
            numbered.iter().filter(|(other, levels)| other.0 * 10 > style.0 * 11 && levels.len() > 1);
        let above = larger.map(|(_, levels)| level(levels)).max()?;
        Some((style.clone(), (above + 1).checked_sub(level(levels)).filter(|deeper| *deeper > 0)?))
    };
    numbered.iter().filter_map(deeper).collect()
}

fn most_common<T: Ord + Clone>(all: impl Iterator<Item = T>) -> Option<T> {
    let mut all: Vec<T> = all.collect();
    all.sort();
    let most = all.chunk_by(|a, b| a == b).max_by_key(|group| group.len())?;
    most.first().cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::input::page::FontFace;
    use crate::layout::lines::text_line::TextLine;
    use std::sync::Arc;

    fn block(text: &str, size: f32, is_bold: bool, is_italic: bool) -> TextBlock {
        let face = Arc::new(FontFace { is_italic, ..FontFace::default() });
        let line = TextLine { text: text.to_owned(), ..TextLine::default() };
        TextBlock { lines: vec![line], size, is_bold, face, ..TextBlock::default() }
    }

    /// Headings with text below each; a size of 0 is a line without text below it.
    fn check(headings: &[(&str, f32, bool, bool)], expected: &[u8]) {
        let text = || block(&"text ".repeat(20), 10.0, false, false);
        let mut blocks = Vec::new();
        let mut found = Vec::new();
        for (title, size, is_bold, is_italic) in headings {
            found.push((blocks.len(), None));
            blocks.push(block(title, *size, *is_bold, *is_italic));
            if *is_bold || *is_italic || title.chars().all(|c| !c.is_lowercase()) {
                blocks.push(text());
            }
        }
        assert_eq!(levels(&blocks, &found), expected);
    }

    #[test]
    fn numbers_give_levels_to_styles_and_to_headings_without_numbers() {
        let headings = [
            ("A Long Report", 17.0, false, false),
            ("Jane Doe", 12.0, false, false),
            ("1 Introduction", 14.0, true, false),
            ("1.1 Scope", 12.0, true, false),
            ("2 Methods", 14.0, true, false),
            ("A Tables", 14.0, true, false),
            ("References", 14.0, true, false),
        ];
        check(&headings, &[1, 3, 1, 2, 1, 1, 1]);
    }

    #[test]
    fn numbers_in_a_smaller_style_are_deeper() {
        let headings = [
            ("1 Introduction", 14.0, true, false),
            ("1.1 Scope", 12.0, true, false),
            ("2 Licence", 14.0, true, false),
            ("2.1 Terms", 12.0, true, false),
            ("1. COPYING", 10.0, false, false),
            ("2. MODIFICATION", 10.0, false, false),
        ];
        check(&headings, &[1, 2, 1, 2, 3, 3]);
    }

    #[test]
    fn letters_are_below_roman_numbers() {
        let headings = [
            ("I. INTRODUCTION", 10.0, false, false),
            ("A. Scope", 10.0, false, true),
            ("II. METHODS", 10.0, false, false),
            ("C. Samples", 10.0, false, true),
            ("1. Small samples", 9.0, false, true),
            ("REFERENCES", 10.0, false, false),
        ];
        check(&headings, &[1, 2, 1, 2, 3, 1]);
    }

    #[test]
    fn styles_have_an_order_and_names_under_a_title_no_rank() {
        let headings = [
            ("The Title", 17.0, true, false),
            ("Jane Doe", 12.0, false, false),
            ("Methods", 14.0, true, false),
            ("Samples", 12.0, true, false),
            ("Rare Samples", 10.0, true, false),
        ];
        check(&headings, &[1, 4, 2, 3, 4]);
    }
}
