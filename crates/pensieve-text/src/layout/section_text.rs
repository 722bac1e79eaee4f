//! Builds the paragraphs of each section from blocks: MAIN text continues across columns, pages and intervening text;
//! AUX is collected until its section ends. Full lines are joined, words that were hyphenated at line ends are
//! restored, sentences are found. Each line keeps its page and place.

use super::block::{TextBlock, ends_sentence, starts_item};
use super::block_class::{BlockClass, BlockClasses};
use super::bounds::Bounds;
use super::classify::{continues_box, is_label};
use super::line_measure::is_dense;
use super::lines::TextLine;
use super::ownership::{SectionHead, SectionOwners};
use super::paragraph_flow::ParagraphFlow;
use super::table_captions;
use super::vocabulary::{HyphenAction, Vocabulary};
use crate::model::{AuxKind, Span};
use crate::text::sentences;

/// A section with its text.
#[derive(Debug, Clone, Default)]
pub(super) struct SectionText {
    pub(super) head: SectionHead,
    /// Headings and prose, in reading order.
    pub(super) main: Vec<SectionParagraph>,
    /// AUX by kind, in the order of first appearance.
    pub(super) aux: Vec<(AuxKind, Vec<SectionParagraph>)>,
}

/// A paragraph of a section.
#[derive(Debug, Clone, Default)]
pub(super) struct SectionParagraph {
    /// The level of a heading; 0 for anything else.
    pub(super) level: u8,
    pub(super) text: String,
    /// The places of its lines, in order.
    pub(super) origins: Vec<TextOrigin>,
    /// The starts of its sentences.
    pub(super) starts: Vec<usize>,
    /// Its last block.
    last: usize,
}

/// The place of the text from byte `start` of a paragraph on.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextOrigin {
    pub(super) start: usize,
    pub(super) block: usize,
    pub(super) page: u64,
    pub(super) bounds: Bounds,
}

/// The sections of a document, and how many hyphenated words were joined.
pub(super) fn sections(
    blocks: &[TextBlock],
    classes: &BlockClasses,
    owners: &SectionOwners,
) -> (Vec<SectionText>, usize) {
    let heads = owners.sections.iter().cloned();
    let sections = heads.map(|head| SectionText { head, ..SectionText::default() }).collect();
    let vocabulary = Vocabulary::of(blocks.iter().flat_map(|block| &block.lines));
    let flow = ParagraphFlow::of(blocks, classes);
    let is_prose = classes.is_prose;
    let captions = table_captions::find(blocks, classes, owners);
    let mut builder =
        ParagraphBuilder { blocks, flow, vocabulary: &vocabulary, sections, joined: 0, open: None, is_prose };
    for (at, (class, _)) in classes.of.iter().enumerate() {
        let section = owners.of[at];
        match class {
            BlockClass::Heading(level) => builder.add_heading(at, section, *level),
            BlockClass::Main => builder.add_main(at, section),
            BlockClass::Aux(_) if captions.contains(&at) => builder.add_aux(at, section, AuxKind::Table),
            BlockClass::Aux(kind) => builder.add_aux(at, section, *kind),
        }
    }
    let ParagraphBuilder { mut sections, joined, .. } = builder;
    for section in &mut sections {
        section.main.iter_mut().for_each(SectionParagraph::find_sentences);
        section.aux.iter_mut().flat_map(|(_, all)| all).for_each(SectionParagraph::find_sentences);
    }
    (sections, joined)
}

struct ParagraphBuilder<'d> {
    blocks: &'d [TextBlock],
    flow: ParagraphFlow,
    vocabulary: &'d Vocabulary,
    sections: Vec<SectionText>,
    joined: usize,
    /// The paragraph that MAIN text may continue.
    open: Option<OpenParagraph>,
    is_prose: bool,
}

/// A paragraph of a section that may go on.
#[derive(Clone, Copy)]
struct OpenParagraph {
    section: usize,
    paragraph: usize,
}

/// How a block continues a paragraph.
#[derive(Clone, Copy, PartialEq)]
enum BlockJoin {
    /// In running text.
    Flow,
    /// On a line of its own.
    Line,
}

impl ParagraphBuilder<'_> {
    fn add_heading(&mut self, at: usize, section: usize, level: u8) {
        let mut paragraph = SectionParagraph { level, ..SectionParagraph::default() };
        self.append(&mut paragraph, at, BlockJoin::Flow);
        self.sections[section].main.push(paragraph);
        self.open = None;
    }

    fn add_main(&mut self, at: usize, section: usize) {
        let open = self.open.filter(|open| open.section == section);
        let last = open.map(|open| (open.paragraph, self.sections[section].main[open.paragraph].last));
        let goes_on = last.filter(|(_, last)| self.continues(*last, at)).map(|(paragraph, _)| paragraph);
        let place = goes_on.unwrap_or(self.sections[section].main.len());
        let mut paragraph = match goes_on {
            Some(place) => std::mem::take(&mut self.sections[section].main[place]),
            None => SectionParagraph::default(),
        };
        self.append(&mut paragraph, at, BlockJoin::Flow);
        let main = &mut self.sections[section].main;
        match main.get_mut(place) {
            Some(open) => *open = paragraph,
            None => main.push(paragraph),
        }
        let is_interlude = goes_on.is_none() && last.is_some_and(|(_, last)| self.interrupts(last, at));
        if !is_interlude {
            self.open = Some(OpenParagraph { section, paragraph: place });
        }
    }

    /// True for words of a figure or table between the parts of a paragraph that stopped in the middle of a sentence.
    fn interrupts(&self, before: usize, at: usize) -> bool {
        let (last, next) = (&self.blocks[before], &self.blocks[at]);
        let Some(line) = last.lines.last() else { return false };
        let is_open = !ends_sentence(&line.text) && last.lines.len() >= 2 && !last.measure.is_short(line);
        is_open && next.wrapped_lines() == 0 && !(is_alike(last, next) && continues_edge(last, next))
    }

    fn add_aux(&mut self, at: usize, section: usize, kind: AuxKind) {
        let blocks = self.blocks;
        let kinds = &mut self.sections[section].aux;
        let place = match kinds.iter().position(|(known, _)| *known == kind) {
            Some(place) => place,
            None => {
                kinds.push((kind, Vec::new()));
                kinds.len() - 1
            }
        };
        let last = kinds[place].1.last().map(|paragraph| paragraph.last);
        let join = last.and_then(|last| join_aux(blocks, last, at));
        let mut paragraph = match join {
            Some(_) => kinds[place].1.pop().unwrap_or_default(),
            None => SectionParagraph::default(),
        };
        self.append(&mut paragraph, at, join.unwrap_or(BlockJoin::Flow));
        self.sections[section].aux[place].1.push(paragraph);
    }

    /// True if a MAIN block continues the previous one: it is in another column or after other text, and the previous
    /// one stopped in the middle of a sentence.
    fn continues(&self, before: usize, at: usize) -> bool {
        let (last, next) = (&self.blocks[before], &self.blocks[at]);
        let is_apart = last.page != next.page || last.region != next.region || at > before + 1;
        let Some((line, first)) = last.lines.last().zip(next.lines.first()) else { return false };
        if starts_item(&first.text) {
            return false;
        }
        let is_open = !ends_sentence(&line.text) || without_mark(&line.text).ends_with([';', ',']);
        let starts_lower = first.text.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_lowercase);
        if !is_apart {
            // Something tall, such as a formula, pushed the next line away.
            return is_open && starts_lower && is_alike(last, next) && last.measure.wraps(line, first);
        }
        // A single line cannot be known to be full.
        let is_full = last.lines.len() >= 2 && !last.measure.is_short(line);
        let goes_on = is_open && (starts_lower || ends_in_hyphen(&line.text) || is_full);
        let is_in_line = is_alike(last, next) && continues_edge(last, next);
        is_in_line && goes_on || is_alike(last, next) && self.flow.goes_on(last, next)
    }

    fn append(&mut self, paragraph: &mut SectionParagraph, at: usize, join: BlockJoin) {
        paragraph.last = at;
        let block = &self.blocks[at];
        if let Some(table) = &block.table {
            let rows = match paragraph.text.is_empty() {
                true => table.markdown(),
                false => table.rows_of_continued(),
            };
            paragraph.add_table(at, block.page, rows, table.rows.iter().map(|row| row.bounds));
            return;
        }
        let mut before: Option<&TextLine> = None;
        for line in &block.lines {
            let is_full = match before {
                // Rows of cells are lines of their own where nothing is prose.
                Some(before) if !self.is_prose && before.cells.len() >= 2 && line.cells.len() >= 2 => false,
                Some(before) => block.measure.wraps(before, line) || paragraph.level > 0,
                None => join == BlockJoin::Flow,
            };
            if !paragraph.text.is_empty() {
                match is_full {
                    true => self.joined += usize::from(paragraph.join(&line.text, self.vocabulary)),
                    false => paragraph.text.push('\n'),
                }
            }
            let start = paragraph.text.len();
            paragraph.origins.push(TextOrigin { start, block: at, page: block.page, bounds: line.bounds });
            paragraph.text.push_str(&line.text);
            before = Some(line);
        }
    }
}

/// A text without the mark of a note at its end.
fn without_mark(text: &str) -> &str {
    text.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// True for two blocks in one type.
fn is_alike(last: &TextBlock, next: &TextBlock) -> bool {
    (last.size - next.size).abs() <= 0.05 * last.size && last.is_bold == next.is_bold
}

/// True if the next line starts at an edge of its column, or as far from it as the last one: the words of a figure or a
/// table start anywhere.
fn continues_edge(last: &TextBlock, next: &TextBlock) -> bool {
    let near = 1.5 * next.size;
    let Some((line, first)) = last.lines.last().zip(next.lines.first()) else { return false };
    let (before, after) = (line.x0 - last.measure.left, first.x0 - next.measure.left);
    let at_end = next.measure.right - first.x1;
    after <= near || at_end <= near || (after - before).abs() <= near
}

fn ends_in_hyphen(text: &str) -> bool {
    text.ends_with(['-', '\u{2010}', '\u{ad}'])
}

/// How an AUX block continues the one before: after a title or lead-in, or in a sentence that the end of a column cut.
fn join_aux(blocks: &[TextBlock], before: usize, at: usize) -> Option<BlockJoin> {
    let (last, next) = (&blocks[before], &blocks[at]);
    if let Some((table, rest)) = last.table.as_ref().zip(next.table.as_ref()) {
        let is_first = blocks[at - 1].page < next.page;
        let goes_on = last.page + 1 == next.page && is_first && table.goes_on_with(rest);
        return goes_on.then_some(BlockJoin::Line);
    }
    if last.table.is_some() || next.table.is_some() {
        return None;
    }
    let is_same_box = last.boxed.is_some() && last.page == next.page && last.boxed == next.boxed;
    let is_next_box = last.boxed.is_some() && next.boxed.is_some() && continues_box(last, next);
    let (line, first) = last.lines.last().zip(next.lines.first())?;
    let is_first =
        before.checked_sub(1).and_then(|i| blocks.get(i)).is_none_or(|other| other.boxed != last.boxed);
    let leads = line.text.ends_with(':') || (is_first && is_label(last));
    if (is_same_box || is_next_box) && leads {
        return Some(BlockJoin::Line);
    }
    let starts_lower = first.text.starts_with(char::is_lowercase);
    let is_elsewhere = last.page != next.page || last.region != next.region;
    (is_elsewhere && !ends_sentence(&line.text) && starts_lower).then_some(BlockJoin::Flow)
}

impl SectionParagraph {
    /// Joins the next line with a space, a kept hyphen or nothing; true if a hyphenated word was joined.
    fn join(&mut self, next: &str, vocabulary: &Vocabulary) -> bool {
        match vocabulary.hyphen(&self.text, next) {
            Some(HyphenAction::Drop) => {
                self.text.pop();
                return true;
            }
            Some(HyphenAction::Keep) => {}
            None => {
                let is_within = self.text.chars().next_back().is_some_and(is_dense)
                    && next.chars().next().is_some_and(is_dense);
                if !is_within && !self.text.ends_with(' ') {
                    self.text.push(' ');
                }
            }
        }
        false
    }

    fn add_table(
        &mut self,
        block: usize,
        page: u64,
        rows: Vec<String>,
        bounds: impl Iterator<Item = Bounds>,
    ) {
        for (row, bounds) in rows.into_iter().zip(bounds) {
            if !self.text.is_empty() {
                self.text.push('\n');
            }
            let start = self.text.len();
            self.origins.push(TextOrigin { start, block, page, bounds });
            // A row is cited and cut like a sentence.
            self.starts.push(start);
            self.text.push_str(&row);
        }
    }

    fn find_sentences(&mut self) {
        if !self.starts.is_empty() {
            return;
        }
        self.starts.push(0);
        if self.level == 0 {
            let starts = &mut self.starts;
            sentences::starts(&self.text, Span::new(0, self.text.len()), |at| {
                if starts.last().is_none_or(|last| *last < at) {
                    starts.push(at);
                }
            });
        }
    }
}
