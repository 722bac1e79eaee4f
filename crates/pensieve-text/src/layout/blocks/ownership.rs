//! The section of each block. Sections begin at headings. A block in the flow belongs to the nearest heading before
//! it; a block beside the columns to the heading at its height; a figure at the top or bottom of a column to the
//! section that names it first. In documents that are not prose, a section ends as soon as text follows its tables,
//! so that they stay in place.

use super::block::TextBlock;
use super::block_class::{BlockClass, BlockClasses};
use super::body_style::{BodyStyle, of_page};
use super::classify::continues_box;
use rustc_hash::FxHashMap;

/// Blocks around a figure among which text is searched for.
const MAX_BLOCKS_AROUND: usize = 400;

/// A section of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SectionHead {
    /// Its title; `None` before the first heading.
    pub title: Option<String>,
    /// The level of its heading; 0 without one.
    pub level: u8,
    /// True if it continues the previous section, which had to end.
    pub goes_on: bool,
}

/// The sections, and the section of each block.
#[derive(Debug, Clone, Default)]
pub(crate) struct SectionOwners {
    /// In order.
    pub sections: Vec<SectionHead>,
    /// The section of each block.
    pub of: Vec<usize>,
}

/// Finds the sections.
pub(crate) fn find(
    blocks: &[TextBlock],
    classes: &BlockClasses,
    baselines: &[BodyStyle],
    before: &SectionHead,
) -> SectionOwners {
    let mut owners = in_flow(blocks, classes, before);
    let beside: Vec<bool> = blocks
        .iter()
        .zip(&classes.of)
        .map(|(block, (class, _))| matches!(class, BlockClass::Aux(_)) && is_beside(block, baselines))
        .collect();
    place_beside(blocks, classes, &beside, &mut owners);
    place_floats(blocks, classes, &mut owners);
    owners
}

/// Sections by the headings in reading order.
fn in_flow(blocks: &[TextBlock], classes: &BlockClasses, before: &SectionHead) -> SectionOwners {
    let mut owners = SectionOwners::default();
    let mut has_aux = false;
    for (at, (block, (class, _))) in blocks.iter().zip(&classes.of).enumerate() {
        match class {
            BlockClass::Heading(level) => {
                let title = Some(title_of(block));
                owners.sections.push(SectionHead { title, level: *level, goes_on: false });
                has_aux = false;
            }
            // The section of the batch before goes on.
            _ if at == 0 => {
                owners.sections.push(SectionHead { goes_on: before.title.is_some(), ..before.clone() })
            }
            BlockClass::Main if has_aux && !classes.is_prose => {
                let last = owners.sections.last().cloned().unwrap_or_default();
                owners.sections.push(SectionHead { goes_on: true, ..last });
                has_aux = false;
            }
            _ => {}
        }
        has_aux |= matches!(class, BlockClass::Aux(_));
        owners.of.push(owners.sections.len().saturating_sub(1));
    }
    owners
}

/// The title of a heading as one line.
pub(crate) fn title_of(block: &TextBlock) -> String {
    let mut title = String::new();
    for line in &block.lines {
        match title.ends_with(['-', '\u{ad}', '\u{2010}']) && line.text.starts_with(char::is_lowercase) {
            true => title.truncate(title.len() - title.chars().next_back().map_or(0, char::len_utf8)),
            false if !title.is_empty() => title.push(' '),
            false => {}
        }
        title.push_str(line.text.trim());
    }
    title
}

/// True for a block outside every column of its pages.
fn is_beside(block: &TextBlock, baselines: &[BodyStyle]) -> bool {
    of_page(baselines, block.page).is_some_and(|run| run.is_beside(block))
}

/// Blocks beside the columns belong to the heading at their height, or to the section with which their page begins; a
/// box that continues one of the page before stays in its section.
fn place_beside(blocks: &[TextBlock], classes: &BlockClasses, beside: &[bool], owners: &mut SectionOwners) {
    let mut last: Option<usize> = None;
    let mut before_page = 0;
    let mut at = 0;
    while at < blocks.len() {
        let page = blocks[at].page;
        let end = at + blocks[at..].iter().take_while(|block| block.page == page).count();
        let headings: Vec<usize> =
            (at..end).filter(|i| matches!(classes.of[*i].0, BlockClass::Heading(_)) && !beside[*i]).collect();
        let mut top: Option<(usize, f64)> = None;
        for i in (at..end).filter(|i| beside[*i]) {
            let block = &blocks[i];
            // All blocks of a box belong to the section at its top.
            let is_same_box = |j: usize| {
                blocks[j].boxed.is_some() && blocks[j].boxed == block.boxed && blocks[j].page == page
            };
            let y = match top {
                Some((j, y)) if is_same_box(j) => y,
                _ => block.bounds.y0,
            };
            top = Some((i, y));
            let slack = f64::from(block.size);
            let above = headings.iter().rev().find(|h| blocks[**h].bounds.y0 <= y + slack);
            let goes_on = last.filter(|j| blocks[*j].page < page && continues_box(&blocks[*j], block));
            owners.of[i] = match (above, goes_on) {
                (None, Some(j)) => owners.of[j],
                (Some(heading), _) => owners.of[*heading],
                (None, None) => before_page.min(owners.sections.len().saturating_sub(1)),
            };
            last = Some(i);
        }
        if let Some(flowing) = (at..end).rev().find(|i| !beside[*i]) {
            before_page = owners.of[flowing];
        }
        at = end;
    }
}

/// Figures and tables at the edge of a column belong to the section that names them first, if that is near.
fn place_floats(blocks: &[TextBlock], classes: &BlockClasses, owners: &mut SectionOwners) {
    if classes.labels.is_empty() {
        return;
    }
    let named = references(blocks, classes, owners);
    let mut labels: Vec<(&usize, &String)> = classes.labels.iter().collect();
    labels.sort_unstable();
    for (&at, label) in labels {
        let Some(places) = named.get(&normal(label)) else { continue };
        if !is_at_edge(blocks, classes, at) {
            continue;
        }
        let near = |(_, page): &&(usize, u64)| page.abs_diff(blocks[at].page) <= 1;
        let is_own = places.iter().any(|(section, _)| *section == owners.of[at]);
        if let Some((section, _)) = places.iter().find(near).filter(|_| !is_own) {
            let old = owners.of[at];
            owners.of[at] = *section;
            // A table follows its caption.
            for other in [at.wrapping_sub(1), at + 1] {
                let is_table = blocks.get(other).is_some_and(|block| block.table.is_some());
                if is_table && label.starts_with("tab") && owners.of[other] == old {
                    owners.of[other] = *section;
                }
            }
        }
    }
}

/// True for the first or last text of its column.
fn is_at_edge(blocks: &[TextBlock], classes: &BlockClasses, at: usize) -> bool {
    let same =
        |other: &&(usize, &TextBlock)| other.1.page == blocks[at].page && other.1.region == blocks[at].region;
    let is_text = |other: &(usize, &TextBlock)| !matches!(classes.of[other.0].0, BlockClass::Aux(_));
    let before = (0..at)
        .rev()
        .take(MAX_BLOCKS_AROUND)
        .map(|i| (i, &blocks[i]))
        .take_while(|other| same(&other))
        .any(|o| is_text(&o));
    let after = (at + 1..blocks.len())
        .take(MAX_BLOCKS_AROUND)
        .map(|i| (i, &blocks[i]))
        .take_while(|o| same(&o))
        .any(|o| is_text(&o));
    !before || !after
}

/// The places where MAIN text names each label: sections with pages, in order.
fn references(
    blocks: &[TextBlock],
    classes: &BlockClasses,
    owners: &SectionOwners,
) -> FxHashMap<String, Vec<(usize, u64)>> {
    let wanted: FxHashMap<String, ()> = classes.labels.values().map(|label| (normal(label), ())).collect();
    let mut named: FxHashMap<String, Vec<(usize, u64)>> = FxHashMap::default();
    for (at, block) in blocks.iter().enumerate() {
        if classes.of[at].0 != BlockClass::Main {
            continue;
        }
        let mut before = String::new();
        for word in block.lines.iter().flat_map(|line| line.text.split_whitespace()) {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            if word.starts_with(|c: char| c.is_ascii_digit()) && !before.is_empty() {
                let key = normal(&format!("{before} {word}"));
                if wanted.contains_key(&key) {
                    named.entry(key).or_default().push((owners.of[at], block.page));
                }
            }
            before = word;
        }
    }
    named
}

/// `Fig. 2` and `Figures 2` name `Figure 2`.
fn normal(label: &str) -> String {
    let (word, number) = label.rsplit_once(' ').unwrap_or((label, ""));
    let word = word.trim_end_matches(['.', 's']);
    let word = ["fig", "tab", "abb"].iter().find(|short| word.starts_with(**short)).copied().unwrap_or(word);
    format!("{word} {number}")
}
