//! Headings: short blocks that are set larger or bolder than the body, that the document's outline names, or that have
//! a style of their own (capitals, italics, another typeface) and a number, or that style again and again. Inside boxes,
//! only blocks that the outline names, or that are set like the headings outside, are headings.

use super::block::{TextBlock, ends_sentence, family, starts_item};
use super::block_class::{ClassReason, ClassRule};
use super::body_style::{BodyStyle, of_page};
use super::cues::{CueForm, CueTable};
use super::front_matter::FrontMatter;
use super::heading_levels::{HeadingStyle, levels, style};
use super::heading_number::{HeadingNumber, starts_upper, without_number};
use super::lines::{TextLine, is_capitals};
use super::options::LayoutOptions;
use super::page::TextTag;
use super::section_styles::SectionStyles;
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
pub(super) struct HeadingLevels {
    levels: FxHashMap<usize, (u8, ClassReason)>,
    sections: SectionStyles,
}

/// Dots from which a row of them is a leader; an ellipsis has three, or four with a full stop.
const LEADER_DOTS: usize = 5;

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

    /// True if the titles in the style of this heading divide the document into sections.
    pub(super) fn divides(&self, heading: &TextBlock) -> bool {
        self.sections.contains(heading)
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
            && block.lines.len() <= MAX_HEADING_LINES
            && block.characters() <= MAX_HEADING_CHARACTERS
            && has_word
            && !block.lines.iter().any(is_row)
            && !block.lines.iter().any(|line| has_leader(&line.text))
            && !block.lines.iter().any(|line| line.is_turned)
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

/// True for the entry of a table of contents: dots lead from its title to the number of a page.
fn has_leader(text: &str) -> bool {
    let mut dots = 0;
    text.chars().filter(|c| !c.is_whitespace()).any(|c| {
        dots = if matches!(c, '.' | '·') { dots + 1 } else { 0 };
        dots >= LEADER_DOTS
    })
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
mod tests {
    use super::super::page::FontFace;
    use super::*;

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

    /// The headings of a page whose blocks are a text, a font and whether it is italic.
    fn check(blocks: &[(&str, &str, bool)], expected: &[&str]) {
        let block = |(at, (text, name, is_italic)): (usize, &(&str, &str, bool))| {
            let face = FontFace { name: (*name).to_owned(), is_italic: *is_italic, ..FontFace::default() };
            let (face, base) = (std::sync::Arc::new(face), 20.0 * at as f32);
            let line =
                TextLine { text: (*text).to_owned(), base, is_italic: *is_italic, ..TextLine::default() };
            TextBlock { page: 1, lines: vec![line], size: 10.0, face, ..TextBlock::default() }
        };
        let blocks: Vec<TextBlock> = blocks.iter().enumerate().map(block).collect();
        let face = blocks[blocks.len() - 1].face.clone();
        let run = BodyStyle { pages: (1, 1), size: 10.0, leading: 12.0, face, ..BodyStyle::default() };
        let options = LayoutOptions::default();
        let found = HeadingLevels::find(&blocks, &[run], &[], &CueTable::new(&[]), &options);
        let found = blocks.iter().enumerate().filter(|(at, _)| found.level(*at).is_some());
        assert_eq!(found.map(|(_, block)| block.first_text()).collect::<Vec<_>>(), expected);
    }

    const TEXT: &str = "This is the text below a title, and it is long enough to be one.";

    #[test]
    fn numbers_make_lines_in_another_style_headings() {
        let text = (TEXT, "Serif", false);
        let caps = ("II. RESULTS", "Serif", false);
        check(&[caps, text, ("REFERENCES", "Serif", false), text], &["II. RESULTS", "REFERENCES"]);
        check(&[("A. Samples", "Serif", true), text, ("samples", "Serif", true), text], &["A. Samples"]);
        check(&[("2.1 Samples", "Sans", false), text], &["2.1 Samples"]);
        check(&[("2.1 Samples", "Serif", false), text], &[]);
        // Items in italics follow each other.
        check(&[("1. First", "Serif", true), ("2. Second", "Serif", true), text], &[]);
    }

    #[test]
    fn entries_of_contents_are_no_headings() {
        let text = (TEXT, "Serif", false);
        check(&[("2.1 Samples ......... 14", "Sans", false), text], &[]);
        check(&[("2.1 Samples . . . . . . 14", "Sans", false), text], &[]);
        check(&[("2.1 And then ....", "Sans", false), text], &["2.1 And then ...."]);
    }

    #[test]
    fn styles_that_recur_above_text_are_those_of_headings() {
        let text = (TEXT, "Serif", false);
        let title = |title| (title, "Serif", true);
        let (one, two, three) = (title("Samples"), title("Results"), title("Sources"));
        check(&[one, text, two, text, three, text], &["Samples", "Results", "Sources"]);
        check(&[one, text, two, text], &[]);
        check(&[one, two, three, text], &[]);
    }

    fn lines_of(texts: &[&str]) -> Vec<TextLine> {
        texts.iter().map(|text| TextLine { text: (*text).to_owned(), ..TextLine::default() }).collect()
    }

    fn sized(texts: &[&str], size: f32) -> TextBlock {
        let face = std::sync::Arc::new(FontFace { name: "Serif".to_owned(), ..FontFace::default() });
        TextBlock { page: 1, lines: lines_of(texts), size, face, ..TextBlock::default() }
    }

    /// What is said of a block above the text of a document with a body of size 100.
    fn said<T>(block: &TextBlock, run: &BodyStyle, read: impl Fn(&HeadingFinder<'_>) -> T) -> T {
        let blocks = [block.clone(), sized(&[TEXT], 100.0)];
        read(&HeadingFinder {
            blocks: &blocks,
            baselines: std::slice::from_ref(run),
            cues: &CueTable::new(&[]),
            options: &LayoutOptions::default(),
        })
    }

    fn body() -> BodyStyle {
        BodyStyle {
            pages: (1, 1),
            size: 100.0,
            leading: 10.0,
            face: sized(&[], 1.0).face,
            ..BodyStyle::default()
        }
    }

    #[test]
    fn headings_are_short_and_have_a_word() {
        let check = |block: TextBlock, expected| {
            assert_eq!(said(&block, &body(), |finder| finder.can_be(0)), expected, "{block:?}");
        };
        let title = |text: &str| sized(&[text], 100.0);
        check(title("Ab"), true);
        check(title("A 1 B"), true);
        check(title("A"), false);
        check(sized(&["Ab"; 4], 100.0), true);
        check(sized(&["Ab"; 5], 100.0), false);
        check(title(&"x".repeat(200)), true);
        check(title(&"x".repeat(201)), false);
        check(sized(&["A", "Bc"], 100.0), true);
        check(TextBlock { table: Some(Default::default()), ..title("Ab") }, false);
        for end in [",", ";", "-", "\u{ad}"] {
            check(title(&format!("Ab{end}")), false);
        }
        check(title("Ab ..... 7"), false);
        check(title("Ab .... 7"), true);
        check(title("Figure 3"), false);
        check(title("Exercises"), true);
        let mut turned = title("Ab");
        turned.lines[0].is_turned = true;
        check(turned, false);
    }

    #[test]
    fn a_wide_gap_makes_a_row_unless_it_follows_a_number() {
        let check = |text: &str, start: usize, gap: f32, expected| {
            let cells = vec![(0, -50.0, 0.0), (start, gap, gap + 50.0)];
            let line = TextLine { text: text.to_owned(), size: 16.0, cells, ..TextLine::default() };
            assert_eq!(is_row(&line), expected, "{text} {start} {gap}");
        };
        check("one two", 4, 32.0, false);
        check("one two", 4, 32.5, true);
        check("1.2 Title", 4, 90.0, false);
        check("1.2 Title two", 10, 90.0, true);
    }

    #[test]
    fn larger_or_bold_titles_are_headings() {
        let check = |block: TextBlock, run: &BodyStyle, expected: Option<(f32, f32)>| {
            let found = said(&block, run, |finder| finder.font_evidence(0));
            assert_eq!(found.map(|reason| (reason.found, reason.wanted.0)), expected, "{block:?}");
        };
        let bold = |block| TextBlock { is_bold: true, ..block };
        let title = |size: f32| sized(&["A Title"], size);
        check(title(112.0), &body(), Some((112.0, 112.0)));
        check(title(111.5), &body(), None);
        check(bold(title(111.5)), &body(), Some((111.5, BODY_SIZE)));
        check(bold(title(95.0)), &body(), Some((95.0, BODY_SIZE)));
        check(bold(title(94.5)), &body(), None);
        check(bold(title(100.0)), &BodyStyle { is_bold: true, ..body() }, None);
        check(bold(sized(&["A Title"; 3], 100.0)), &body(), Some((100.0, BODY_SIZE)));
        check(bold(sized(&["A Title"; 4], 100.0)), &body(), None);
        check(sized(&["A Title"; 4], 112.0), &body(), Some((112.0, 112.0)));
    }

    #[test]
    fn words_read_as_a_title_given_their_size() {
        let check = |texts: &[&str], [small, large, larger]: [bool; 3]| {
            let found = [111.5, 112.0, 130.0]
                .map(|size| said(&sized(texts, size), &body(), |finder| finder.reads_as_title(0)));
            assert_eq!(found, [small, large, larger], "{texts:?}");
        };
        check(&["A Title"], [true; 3]);
        check(&["It ends."], [false, true, true]);
        check(&["It begins:"], [false, true, true]);
        check(&["It goes on", "and ends."], [false; 3]);
        check(&["What goes on", "and why?"], [true; 3]);
        check(&["2 It ends."], [true; 3]);
        check(&["Exercises"], [false, true, true]);
        check(&["lower case"], [false, false, true]);
        check(&["• An Item"], [false, false, true]);
        check(&["1. An Item"], [true; 3]);
    }

    #[test]
    fn a_title_in_the_size_of_the_body_has_two_cells_and_one_for_its_number() {
        let check = |text: &str, cells: usize, size: f32, expected| {
            let mut block = sized(&[text], size);
            block.lines[0].cells = vec![(0, 0.0, 0.0); cells];
            assert_eq!(said(&block, &body(), |finder| finder.reads_as_title(0)), expected, "{text} {cells}");
        };
        check("The Title", 2, 100.0, true);
        check("The Title", 3, 100.0, false);
        check("1 The Title", 3, 100.0, true);
        check("1 The Title", 4, 100.0, false);
        check("The Title", 3, 112.0, true);
    }

    #[test]
    fn the_last_block_has_no_text_below_it() {
        let blocks = [sized(&["A Title"], 130.0)];
        let finder = HeadingFinder {
            blocks: &blocks,
            baselines: &[],
            cues: &CueTable::new(&[]),
            options: &LayoutOptions::default(),
        };
        assert!(finder.is_last(0) && !finder.reads_as_title(0) && finder.styled(0).is_none());
        assert_eq!(finder.size_of_body(&blocks[0]), 10.0);
    }

    #[test]
    fn a_style_is_a_weight_capitals_a_slant_or_a_typeface() {
        let check = |block: TextBlock, run: &BodyStyle, expected| {
            let found = said(&block, run, |finder| finder.styled(0).is_some());
            assert_eq!(found, expected, "{block:?}");
        };
        let title = || sized(&["A Title"], 100.0);
        let face =
            |face: FontFace| std::sync::Arc::new(FontFace { name: format!("{}Serif", face.name), ..face });
        let bold = TextBlock { is_bold: true, ..title() };
        let mut italic = title();
        italic.lines[0].is_italic = true;
        check(title(), &body(), false);
        check(bold.clone(), &body(), true);
        check(bold.clone(), &BodyStyle { is_bold: true, ..body() }, false);
        check(italic.clone(), &body(), true);
        let slanted = face(FontFace { is_italic: true, ..FontFace::default() });
        check(italic, &BodyStyle { face: slanted, ..body() }, false);
        check(sized(&["A TITLE"], 100.0), &body(), true);
        let other = face(FontFace { name: "Sans".to_owned(), ..FontFace::default() });
        check(TextBlock { face: other.clone(), ..title() }, &body(), true);
        let code = std::sync::Arc::new(FontFace { is_monospace: true, ..(*other).clone() });
        check(TextBlock { face: code.clone(), ..title() }, &body(), false);
        let all_code = BodyStyle {
            face: std::sync::Arc::new(FontFace { is_monospace: true, ..(*body().face).clone() }),
            ..body()
        };
        check(TextBlock { face: code, ..title() }, &all_code, true);
        check(TextBlock { boxed: Some(0), ..bold.clone() }, &body(), false);
        check(TextBlock { size: 85.0, ..bold.clone() }, &body(), true);
        check(TextBlock { size: 84.5, ..bold.clone() }, &body(), false);
        check(TextBlock { lines: lines_of(&["Ab"; 3]), ..bold.clone() }, &body(), true);
        check(TextBlock { lines: lines_of(&["Ab"; 4]), ..bold }, &body(), false);
    }

    #[test]
    fn a_styled_block_is_described_by_its_surroundings() {
        let check = |above: f32, region: usize, text: usize, size: f32, expected: (bool, bool, bool)| {
            let at = |base: f32, block: TextBlock| {
                let mut block = block;
                block.lines[0].base = base;
                block
            };
            let title = TextBlock { is_bold: true, region, ..sized(&["A Title"], size) };
            let blocks =
                [at(0.0, sized(&["above"], 100.0)), at(above, title), sized(&[&"x".repeat(text)], 100.0)];
            let finder = HeadingFinder {
                blocks: &blocks,
                baselines: &[body()],
                cues: &CueTable::new(&[]),
                options: &LayoutOptions::default(),
            };
            let found = finder.styled(1).map(|found| (found.has_space, found.is_small, found.has_text));
            assert_eq!(found, Some(expected), "{above} {region} {text} {size}");
        };
        check(12.0, 0, 60, 100.0, (true, false, true));
        check(11.5, 0, 60, 100.0, (false, false, true));
        check(1.0, 1, 60, 100.0, (true, false, true));
        check(12.0, 0, 59, 100.0, (true, false, false));
        check(12.0, 0, 60, 95.0, (true, false, true));
        check(12.0, 0, 60, 94.5, (true, true, true));
    }

    #[test]
    fn the_file_names_headings_that_do_not_look_like_the_body() {
        let check = |texts: &[&str], size: f32, name: &str, tag: TextTag, expected| {
            let mut block = sized(texts, size);
            block.face = std::sync::Arc::new(FontFace { name: name.to_owned(), ..FontFace::default() });
            block.lines.iter_mut().for_each(|line| line.tag = Some(tag));
            let found = said(&block, &body(), |finder| finder.tagged_level(0));
            assert_eq!(found, expected, "{texts:?} {size} {name}");
        };
        check(&["A Title"], 110.0, "Serif", TextTag::Heading(3), Some(3));
        check(&["A Title"], 100.25, "Serif", TextTag::Heading(3), None);
        check(&["A Title"], 100.75, "Serif", TextTag::Heading(3), Some(3));
        check(&["A Title"], 100.0, "Sans", TextTag::Heading(2), Some(2));
        check(&["It ends."], 110.0, "Serif", TextTag::Heading(3), None);
        check(&["A Title"], 110.0, "Serif", TextTag::Note, None);
    }

    /// Blocks of one style, each with its number, whether it has space, is small and has text.
    fn recurring_of(blocks: &[(usize, [bool; 4])]) -> Vec<usize> {
        let styled = |(at, [has_number, has_space, is_small, has_text]): &(usize, [bool; 4])| StyledBlock {
            at: *at,
            style: style(&sized(&["Ab"], 100.0)),
            has_number: *has_number,
            has_space: *has_space,
            is_small: *is_small,
            has_text: *has_text,
            reason: reason(100.0, MIN_SIZE),
        };
        let found = recurring(blocks.iter().map(styled).collect(), FxHashSet::default());
        found.into_iter().map(|(at, _)| at).collect()
    }

    #[test]
    fn styles_recur_three_times_with_space_and_text() {
        let plain = [false, true, false, true];
        assert_eq!(recurring_of(&[(0, plain), (2, plain), (4, plain)]), [0, 2, 4]);
        assert!(recurring_of(&[(0, plain), (2, plain)]).is_empty());
        assert!(recurring_of(&[(0, plain), (2, plain), (4, [false, false, false, true])]).is_empty());
        assert!(recurring_of(&[(0, plain), (2, plain), (4, [false, true, false, false])]).is_empty());
        let mixed = [
            (0, plain),
            (2, plain),
            (4, plain),
            (6, [false, true, true, true]),
            (8, [false, false, false, true]),
        ];
        assert_eq!(recurring_of(&mixed), [0, 2, 4]);
        let with_bare = [(0, plain), (2, plain), (4, plain), (6, [false, true, false, false])];
        assert_eq!(recurring_of(&with_bare), [0, 2, 4]);
        assert!(recurring_of(&[(0, plain), (1, plain), (2, plain), (3, plain)]).is_empty());
        assert_eq!(recurring_of(&[(0, plain), (1, plain), (3, plain), (5, plain), (7, plain)]), [3, 5, 7]);
        let numbered = [true, true, false, true];
        assert_eq!(recurring_of(&[(0, numbered), (2, [false, true, true, false])]), [0, 2]);
        assert!(recurring_of(&[(0, [true, false, false, true]), (2, plain)]).is_empty());
        assert!(recurring_of(&[(0, numbered), (1, numbered)]).is_empty());
    }

    #[test]
    fn an_outline_names_titles_on_its_page_or_next_to_it() {
        let entry = |level, title: &str, page| OutlineEntry { level, title: title.to_owned(), page };
        let outline = [
            entry(1, "Lamps", Some(4)),
            entry(2, "Lamps", Some(9)),
            entry(3, "Oil", None),
            entry(4, "X", None),
        ];
        let names = OutlineTitles::new(&outline);
        let level = |text: &str, page| names.level(&TextBlock { page, ..sized(&[text], 10.0) });
        assert_eq!(
            [2, 3, 5, 6, 8, 10, 11].map(|page| level("LAMPS", page)),
            [None, Some(1), Some(1), None, Some(2), Some(2), None]
        );
        assert_eq!((level("Oil", 77), level("X", 4), level("3 Oil", 1)), (Some(3), None, Some(3)));
    }
}
