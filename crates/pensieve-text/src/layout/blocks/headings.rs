//! Headings: short blocks that are set larger or bolder than the body, that the document's outline names, or that have
//! a style of their own (capitals, italics, another typeface) and a number, or that style again and again. Inside boxes,
//! only blocks that the outline names, or that are set like the headings outside, are headings.

use super::block::{TextBlock, ends_sentence};
use super::block_class::{ClassReason, ClassRule};
use super::body_style::{BodyStyle, of_page};
use super::front_matter::FrontMatter;
use super::heading_levels::{HeadingStyle, levels, style};
use super::section_styles::SectionStyles;
use crate::layout::input::cues::{CueForm, CueTable};
use crate::layout::input::options::LayoutOptions;
use crate::layout::input::page::TextTag;
use crate::layout::input::typefaces::family;
use crate::layout::lines::heading_number::{HeadingNumber, starts_upper, without_number};
use crate::layout::lines::leaders::has_leader;
use crate::layout::lines::list_items::starts_item;
use crate::layout::lines::text_line::{TextLine, is_capitals};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum characters of a heading.
const MAX_HEADING_CHARACTERS: usize = 200;

/// Maximum lines of a heading.
const MAX_HEADING_LINES: usize = 4;

/// Maximum lines of a heading in the size of the body.
const MAX_BODY_SIZE_LINES: usize = 3;

/// Percent of the body's font size from which a title may start in lower case or like a list item.
const LARGE_SIZE: f32 = 130.0;

/// Percent of the body's font size from which a title has its size.
const BODY_SIZE: f32 = 95.0;

/// Percent of the body's font size that a numbered title at least has.
const MIN_SIZE: f32 = 85.0;

/// Distances between body lines that are above a heading that only its style shows.
const SPACE_ABOVE: f32 = 1.2;

/// Headings without numbers that a style needs if no others have it.
const MIN_RECURRENCES: usize = 3;

/// The widest gap inside a title, in font sizes.
const MAX_TITLE_GAP: f32 = 2.0;

/// Minimum characters of the text below such a heading.
const MIN_TEXT_CHARACTERS: usize = 60;

/// A bookmark of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineEntry {
    /// 1 at the top.
    pub level: usize,
    /// Its text.
    pub title: String,
    /// The page to which it points.
    pub page: Option<u64>,
}

/// The headings of a document, by block.
#[derive(Debug, Default)]
pub(crate) struct HeadingLevels {
    levels: FxHashMap<usize, (u8, ClassReason)>,
    sections: SectionStyles,
}

/// Why a block may be a heading.
enum HeadingEvidence {
    /// The outline names it, at this level.
    Outline(usize),
    /// Its font shows it.
    Font(ClassReason),
}

impl HeadingLevels {
    /// The level of a block that is a heading, and the reason.
    pub(crate) fn level(&self, block: usize) -> Option<(u8, ClassReason)> {
        self.levels.get(&block).cloned()
    }

    /// True if the titles in the style of this heading divide the document into sections.
    pub(crate) fn divides(&self, heading: &TextBlock) -> bool {
        self.sections.contains(heading)
    }

    /// Finds the headings among the blocks.
    pub(crate) fn find(
        blocks: &[TextBlock],
        baselines: &[BodyStyle],
        outline: &[OutlineEntry],
        cues: &CueTable,
        options: &LayoutOptions,
    ) -> HeadingLevels {
        let names = OutlineTitles::new(outline);
        let finder = HeadingFinder { blocks, baselines, cues, options };
        let mut evidence: Vec<(usize, HeadingEvidence)> = Vec::new();
        let mut styled: Vec<StyledBlock> = Vec::new();
        for (at, block) in blocks.iter().enumerate() {
            if !finder.can_be(at) {
                continue;
            }
            if let Some(level) = names.level(block).or_else(|| finder.tagged_level(at)) {
                evidence.push((at, HeadingEvidence::Outline(level)));
            } else if let Some(reason) = finder.font_evidence(at) {
                evidence.push((at, HeadingEvidence::Font(reason)));
            } else if let Some(block) = finder.styled(at) {
                styled.push(block);
            }
        }
        let outside: FxHashSet<HeadingStyle> = evidence
            .iter()
            .filter(|(at, _)| blocks[*at].boxed.is_none())
            .map(|(at, _)| style(&blocks[*at]))
            .collect();
        evidence.retain(|(at, found)| {
            let block = &blocks[*at];
            let is_known = || outside.contains(&style(block)) && finder.is_large(block);
            block.boxed.is_none() || matches!(found, HeadingEvidence::Outline(_)) || is_known()
        });
        evidence.extend(recurring(styled, outside));
        evidence.sort_by_key(|(at, _)| *at);
        let front = FrontMatter::find(blocks, baselines);
        drop_bylines(&mut evidence, blocks, &front);
        let titles: Vec<usize> = evidence.iter().map(|(at, _)| *at).collect();
        let sections = SectionStyles::find(blocks, &titles);
        HeadingLevels { levels: with_levels(blocks, evidence), sections }
    }
}

/// Names, places and dates below the title are no headings, unless they are numbered or have the style of headings.
fn drop_bylines(evidence: &mut Vec<(usize, HeadingEvidence)>, blocks: &[TextBlock], front: &FrontMatter) {
    let is_byline = |at: usize| front.is_byline(blocks, at);
    let others = evidence.iter().filter(|(at, _)| !is_byline(*at));
    let styles: FxHashSet<HeadingStyle> = others.map(|(at, _)| style(&blocks[*at])).collect();
    evidence.retain(|(at, found)| {
        matches!(found, HeadingEvidence::Outline(_))
            || !is_byline(*at)
            || styles.contains(&style(&blocks[*at]))
            || HeadingNumber::starts_title(blocks[*at].first_text())
    });
}

/// A block in a style of its own, in the size of the body.
struct StyledBlock {
    at: usize,
    style: HeadingStyle,
    has_number: bool,
    has_space: bool,
    /// Smaller than the body.
    is_small: bool,
    has_text: bool,
    reason: ClassReason,
}

/// The blocks whose number or style shows that they are headings: numbered ones, those in the style of headings, and
/// those whose style recurs over text.
fn recurring(styled: Vec<StyledBlock>, mut known: FxHashSet<HeadingStyle>) -> Vec<(usize, HeadingEvidence)> {
    // Two lines of one style without text between them are a list, not titles.
    let is_run = |at: usize| {
        let next = styled.get(at + 1).filter(|next| next.at == styled[at].at + 1);
        next.is_some_and(|next| next.style == styled[at].style)
    };
    let is_in_list: Vec<bool> = (0..styled.len()).map(|at| is_run(at) || at > 0 && is_run(at - 1)).collect();
    let mut uses: FxHashMap<&HeadingStyle, usize> = FxHashMap::default();
    for (block, _) in styled.iter().zip(&is_in_list).filter(|(_, is_in_list)| !**is_in_list) {
        if block.has_number && block.has_space {
            known.insert(block.style.clone());
        }
        if block.has_space && block.has_text {
            *uses.entry(&block.style).or_default() += 1;
        }
    }
    let is_heading = |block: &StyledBlock| {
        let is_used = uses.get(&block.style).is_some_and(|uses| *uses >= MIN_RECURRENCES);
        let recurs = is_used && block.has_text && !block.is_small;
        block.has_space && (block.has_number || known.contains(&block.style) || recurs)
    };
    let found =
        styled.iter().zip(&is_in_list).filter(|(block, is_in_list)| !**is_in_list && is_heading(block));
    found.map(|(block, _)| (block.at, HeadingEvidence::Font(block.reason.clone()))).collect()
}

struct HeadingFinder<'d> {
    blocks: &'d [TextBlock],
    baselines: &'d [BodyStyle],
    cues: &'d CueTable,
    options: &'d LayoutOptions,
}

impl HeadingFinder<'_> {
    fn can_be(&self, at: usize) -> bool {
        let block = &self.blocks[at];
        let first = block.first_text();
        let has_word =
            block.lines.iter().any(|line| line.text.chars().filter(|c| c.is_alphabetic()).count() >= 2);
        block.table.is_none()
            && !block.is_listing
            && !block.is_note
            && block.lines.len() <= MAX_HEADING_LINES
            && block.characters() <= MAX_HEADING_CHARACTERS
            && has_word
            && !block.lines.iter().any(is_row)
            && !block.lines.iter().any(|line| has_leader(&line.text))
            && !block.lines.iter().any(|line| line.is_turned)
            // The line goes on.
            && !block.last_text().ends_with([',', ';', '-', '\u{ad}'])
            && self.cues.at(first).is_none_or(|cue| cue.form != CueForm::Label)
    }

    /// The level that the file gives to a block, which must not look like the text of the body.
    fn tagged_level(&self, at: usize) -> Option<usize> {
        let block = &self.blocks[at];
        let Some(TextTag::Heading(level)) = block.tag() else { return None };
        let run = of_page(self.baselines, block.page)?;
        let is_body = block.face == run.face && self.share(block).round() == 100.0;
        (!is_body && !ends_sentence(block.last_text()) && !self.is_last(at)).then_some(usize::from(level))
    }

    fn size_of_body(&self, block: &TextBlock) -> f32 {
        of_page(self.baselines, block.page).map_or(10.0, |run| run.size)
    }

    fn is_large(&self, block: &TextBlock) -> bool {
        100.0 * block.size >= self.options.heading_size as f32 * self.size_of_body(block)
    }

    /// The reason if the font of a block makes it a heading: larger than the body, or as large and bold.
    fn font_evidence(&self, at: usize) -> Option<ClassReason> {
        let block = &self.blocks[at];
        let (share, is_large) = (self.share(block), self.is_large(block));
        if !self.reads_as_title(at) {
            return None;
        }
        let is_body_bold = of_page(self.baselines, block.page).is_some_and(|run| run.is_bold);
        // In a bold text bold says nothing.
        let is_bold = block.is_bold && !is_body_bold && share >= BODY_SIZE;
        let is_bold = is_bold && block.lines.len() <= MAX_BODY_SIZE_LINES;
        let wanted = if is_large { self.options.heading_size as f32 } else { BODY_SIZE };
        (is_large || is_bold).then(|| reason(share, wanted))
    }

    /// A block in about the size of the body that differs from it in weight, capitals, slant or typeface.
    fn styled(&self, at: usize) -> Option<StyledBlock> {
        let block = &self.blocks[at];
        let run = of_page(self.baselines, block.page)?;
        let share = self.share(block);
        let is_other = share < MIN_SIZE || block.lines.len() > MAX_BODY_SIZE_LINES || block.boxed.is_some();
        let has_parts = block.is_bold && HeadingNumber::has_parts(block.first_text());
        // Letters of one width are code unless the number says otherwise.
        let is_code = block.face.is_monospace && !run.face.is_monospace && !has_parts;
        if is_other || is_code || !self.reads_as_title(at) {
            return None;
        }
        let face = &block.face;
        let is_other_family = family(&face.name) != family(&run.face.name);
        let has_style = block.is_bold && !run.is_bold
            || is_capitals(&block.text())
            || block.lines.iter().all(|line| line.is_italic) && !run.face.is_italic
            || is_other_family;
        let next = self.blocks.get(at + 1)?;
        has_style.then(|| StyledBlock {
            at,
            style: style(block),
            has_number: has_parts || HeadingNumber::starts_title(block.first_text()),
            has_space: self.space_above(at) >= SPACE_ABOVE * run.leading,
            // Letters without serifs are larger than others of their size.
            is_small: share < BODY_SIZE && !(block.is_bold && is_other_family),
            has_text: next.table.is_none() && next.characters() >= MIN_TEXT_CHARACTERS,
            reason: reason(share, MIN_SIZE),
        })
    }

    fn share(&self, block: &TextBlock) -> f32 {
        100.0 * block.size / self.size_of_body(block)
    }

    /// True for words that a title may have, given its size: no sentence, no list item, no cue.
    fn reads_as_title(&self, at: usize) -> bool {
        let block = &self.blocks[at];
        let (share, is_large) = (self.share(block), self.is_large(block));
        let (first, last) = (block.first_text(), block.last_text());
        let has_number = HeadingNumber::starts_title(first);
        let cells = block.lines.iter().map(|line| line.cells.len()).max().unwrap_or_default();
        if !is_large && cells > 2 + usize::from(has_number) {
            return false;
        }
        // A numbered title may end with a stop.
        let is_sentence = last.ends_with(['.', ':']) && !has_number;
        let is_long = block.lines.len() > 1 && ends_sentence(last) && !last.ends_with(['?', '!']);
        // A cue in the size of the body is the title of the text below it, not of a section.
        if !is_large && self.cues.of_heading(&block.text()).is_some() {
            return false;
        }
        let has_parts = HeadingNumber::has_parts(first) && (is_large || block.is_bold);
        let starts_low = !starts_upper(without_number(first)) && share < LARGE_SIZE && !has_parts;
        if is_sentence && (!is_large || is_long) || starts_low || self.is_last(at) {
            return false;
        }
        share >= LARGE_SIZE || has_number || !starts_item(first)
    }

    /// The distance to the line above in the same column.
    fn space_above(&self, at: usize) -> f32 {
        let block = &self.blocks[at];
        let above = at.checked_sub(1).map(|above| &self.blocks[above]);
        let above = above.filter(|above| above.page == block.page && above.region == block.region);
        let last = above.and_then(|above| above.lines.last());
        last.zip(block.lines.first()).map_or(f32::INFINITY, |(last, first)| first.base - last.base)
    }

    /// True for the last block, which has no text below it and is therefore not a heading.
    fn is_last(&self, at: usize) -> bool {
        self.blocks.get(at + 1).is_none()
    }
}

/// True for the cells of a row: a title has no wide gap but that after its number.
fn is_row(line: &TextLine) -> bool {
    let number = HeadingNumber::of(&line.text).map(|number| number.title);
    let is_wide = |pair: &[(usize, f32, f32)]| {
        pair[1].1 - pair[0].2 > MAX_TITLE_GAP * line.size && Some(pair[1].0) != number
    };
    line.cells.windows(2).any(is_wide)
}

fn reason(share: f32, wanted: f32) -> ClassReason {
    ClassReason { rule: ClassRule::Heading, found: share, wanted: (wanted, f32::INFINITY), holds: true }
}

/// The outline entries, by the letters of their titles.
struct OutlineTitles<'o> {
    by_letters: FxHashMap<String, Vec<&'o OutlineEntry>>,
}

impl<'o> OutlineTitles<'o> {
    fn new(outline: &'o [OutlineEntry]) -> OutlineTitles<'o> {
        let mut by_letters: FxHashMap<String, Vec<&OutlineEntry>> = FxHashMap::default();
        for entry in outline {
            for key in [letters(&entry.title), letters(without_number(&entry.title))] {
                if key.chars().nth(1).is_some() {
                    by_letters.entry(key).or_default().push(entry);
                }
            }
        }
        OutlineTitles { by_letters }
    }

    fn level(&self, block: &TextBlock) -> Option<usize> {
        if self.by_letters.is_empty() {
            return None;
        }
        let text = block.text();
        let entries = self
            .by_letters
            .get(&letters(&text))
            .or_else(|| self.by_letters.get(&letters(without_number(&text))))?;
        // Bookmarks may point to the end of the page before.
        let is_near = |entry: &&&OutlineEntry| entry.page.is_none_or(|page| page.abs_diff(block.page) <= 1);
        entries.iter().find(is_near).map(|entry| entry.level)
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn with_levels(
    blocks: &[TextBlock],
    evidence: Vec<(usize, HeadingEvidence)>,
) -> FxHashMap<usize, (u8, ClassReason)> {
    let headings: Vec<_> = evidence
        .iter()
        .map(|(at, found)| match found {
            HeadingEvidence::Outline(level) => (*at, Some(*level)),
            HeadingEvidence::Font(_) => (*at, None),
        })
        .collect();
    let reasons = evidence.into_iter().map(|(_, found)| match found {
        HeadingEvidence::Outline(_) => reason(100.0, 0.0),
        HeadingEvidence::Font(reason) => reason,
    });
    let levels = levels(blocks, &headings).into_iter().zip(reasons);
    headings.iter().map(|(at, _)| *at).zip(levels).collect()
}

#[cfg(test)]
mod tests;
