//! Headings and their levels: short blocks that are set larger or bolder than the body, or that the document's outline
//! names. Levels come from the outline, from the numbers in front of titles, or from the order of sizes and weights.
//! Inside boxes, only blocks that the outline names or that are set like the headings outside are headings.

use super::block::{TextBlock, ends_sentence, family, starts_item, starts_upper};
use super::block_class::{ClassReason, ClassRule};
use super::body_style::{BodyStyle, of_page};
use super::cues::{CueForm, CueTable};
use super::options::LayoutOptions;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum characters of a heading.
const MAX_HEADING_CHARACTERS: usize = 200;

/// Maximum lines of a heading.
const MAX_HEADING_LINES: usize = 4;

/// Percent of the body's font size from which a title may start in lower case or like a list item.
const LARGE_SIZE: f32 = 130.0;

/// The deepest level.
const MAX_LEVEL: usize = 6;

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

/// The properties of a heading that distinguish levels: size in half points, bold, capitals, typeface.
type HeadingStyle = (i64, bool, bool, String);

/// The headings of a document, by block.
#[derive(Debug, Default)]
pub(super) struct HeadingLevels {
    levels: FxHashMap<usize, (u8, ClassReason)>,
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
    pub(super) fn level(&self, block: usize) -> Option<(u8, ClassReason)> {
        self.levels.get(&block).cloned()
    }

    /// Finds the headings among the blocks.
    pub(super) fn find(
        blocks: &[TextBlock],
        baselines: &[BodyStyle],
        outline: &[OutlineEntry],
        cues: &CueTable,
        options: &LayoutOptions,
    ) -> HeadingLevels {
        let names = OutlineTitles::new(outline);
        let finder = HeadingFinder { blocks, baselines, cues, options };
        let mut evidence: Vec<(usize, HeadingEvidence)> = Vec::new();
        for (at, block) in blocks.iter().enumerate() {
            if !finder.can_be(at) {
                continue;
            }
            if let Some(level) = names.level(block) {
                evidence.push((at, HeadingEvidence::Outline(level)));
            } else if let Some(reason) = finder.font_evidence(at) {
                evidence.push((at, HeadingEvidence::Font(reason)));
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
        HeadingLevels { levels: levels(blocks, evidence) }
    }
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
            && block.lines.len() <= MAX_HEADING_LINES
            && block.characters() <= MAX_HEADING_CHARACTERS
            && has_word
            && !block.lines.iter().any(|line| line.is_turned)
            && !block.last_text().ends_with([',', ';', '-', '\u{ad}'])
            && self.cues.at(first).is_none_or(|cue| cue.form != CueForm::Label)
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
        let share = 100.0 * block.size / self.size_of_body(block);
        let is_large = self.is_large(block);
        let text = block.last_text();
        let is_sentence = text.ends_with(['.', ':']) && !is_numbered_title(block.first_text());
        let is_long = block.lines.len() > 1 && ends_sentence(text) && !text.ends_with(['?', '!']);
        // A cue in the size of the body is the title of the text below it, not of a section.
        if !is_large && self.cues.of_heading(&block.text()).is_some() {
            return None;
        }
        let starts_low = !starts_upper(without_number(block.first_text())) && share < LARGE_SIZE;
        if is_sentence && (!is_large || is_long) || starts_low || self.is_last(at) {
            return None;
        }
        let is_item = starts_item(block.first_text()) && !is_numbered_title(block.first_text());
        if is_item && share < LARGE_SIZE {
            return None;
        }
        let is_bold = block.is_bold && share >= 95.0 && block.lines.len() <= 2;
        let wanted = if is_large { self.options.heading_size as f32 } else { 95.0 };
        (is_large || is_bold).then_some(ClassReason {
            rule: ClassRule::Heading,
            found: share,
            wanted: (wanted, f32::INFINITY),
            holds: true,
        })
    }

    /// True for the last block, which has no text below it and is therefore not a heading.
    fn is_last(&self, at: usize) -> bool {
        self.blocks.get(at + 1).is_none()
    }
}

fn style(block: &TextBlock) -> HeadingStyle {
    let text = block.first_text();
    let is_caps = text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase);
    ((block.size * 2.0).round() as i64, block.is_bold, is_caps, family(&block.face.name).to_owned())
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
        let is_near = |entry: &&&OutlineEntry| entry.page.is_none_or(|page| page.abs_diff(block.page) <= 1);
        entries.iter().find(is_near).map(|entry| entry.level)
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn without_number(text: &str) -> &str {
    match depth(text) {
        Some((_, at)) => &text[at..],
        None => text,
    }
}

/// The depth of the number in front of a title, and where the title starts: `2.3 Title` has depth 2.
fn depth(text: &str) -> Option<(usize, usize)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].trim_end_matches('.');
    let parts = number.split('.').filter(|part| (1..=3).contains(&part.len())).count();
    let is_number = parts > 0 && parts == number.split('.').count();
    let rest = text[end..].trim_start();
    (is_number && rest.len() < text[end..].len() && !rest.is_empty())
        .then(|| (parts, text.len() - rest.len()))
}

fn is_numbered_title(text: &str) -> bool {
    depth(text).is_some_and(|(_, at)| starts_upper(&text[at..]))
}

fn levels(
    blocks: &[TextBlock],
    evidence: Vec<(usize, HeadingEvidence)>,
) -> FxHashMap<usize, (u8, ClassReason)> {
    let mut styles: Vec<HeadingStyle> = evidence.iter().map(|(at, _)| style(&blocks[*at])).collect();
    // Larger first, then bold, then capitals.
    styles.sort_by(|a, b| (b.0, b.1, b.2, &a.3).cmp(&(a.0, a.1, a.2, &b.3)));
    styles.dedup();
    // The level that the outline gives to a style holds for headings of that style that the outline omits.
    let mut by_style: FxHashMap<HeadingStyle, usize> = FxHashMap::default();
    for (at, found) in &evidence {
        if let HeadingEvidence::Outline(level) = found {
            let level = *level;
            by_style
                .entry(style(&blocks[*at]))
                .and_modify(|known| *known = level.max(*known))
                .or_insert(level);
        }
    }
    let numbered = evidence.iter().filter(|(at, _)| depth(blocks[*at].first_text()).is_some()).count();
    let by_number = numbered * 2 >= evidence.len();
    let level_of = |at: usize, found: &HeadingEvidence| {
        let style = style(&blocks[at]);
        if let HeadingEvidence::Outline(level) = found {
            return *level;
        }
        if let Some((depth, _)) = depth(blocks[at].first_text()).filter(|_| by_number) {
            return depth;
        }
        let rank = styles.iter().position(|other| *other == style).unwrap_or_default() + 1;
        by_style.get(&style).copied().unwrap_or(rank)
    };
    let mut levels = FxHashMap::default();
    for (at, found) in evidence {
        let level = level_of(at, &found).clamp(1, MAX_LEVEL) as u8;
        let named =
            ClassReason { rule: ClassRule::Heading, found: 100.0, wanted: (0.0, f32::INFINITY), holds: true };
        let reason = match found {
            HeadingEvidence::Outline(_) => named,
            HeadingEvidence::Font(reason) => reason,
        };
        levels.insert(at, (level, reason));
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_front_show_the_depth() {
        let check = |text: &str, expected| assert_eq!(depth(text), expected, "{text}");
        check("2.3 Title", Some((2, 4)));
        check("4. Title", Some((1, 3)));
        check("1.2.3.4 Deep", Some((4, 8)));
        check("1984", None);
        check("2.3Title", None);
        check("1984 was a year", None);
        check(". Title", None);
    }

    #[test]
    fn outlines_name_headings_whatever_their_numbers_and_marks() {
        let outline = [OutlineEntry { level: 3, title: "1.2 The  Début".to_owned(), page: Some(4) }];
        let names = OutlineTitles::new(&outline);
        let block = |text: &str, page| TextBlock {
            page,
            lines: vec![super::super::lines::TextLine { text: text.to_owned(), ..Default::default() }],
            ..TextBlock::default()
        };
        assert_eq!(names.level(&block("The Début", 4)), Some(3));
        assert_eq!(names.level(&block("1.2 The Début", 5)), Some(3));
        assert_eq!(names.level(&block("The Début", 9)), None);
        assert_eq!(names.level(&block("The Debut", 4)), None);
    }
}
