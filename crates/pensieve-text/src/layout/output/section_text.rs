//! Builds the paragraphs of each section from blocks: MAIN text continues across columns, pages and intervening text;
//! AUX is collected until its section ends. Full lines are joined, words that were hyphenated at line ends are
//! restored, sentences are found. Each line keeps its page and place.

use super::list_levels::{self, ListLevels};
use super::paragraph_flow::ParagraphFlow;
use super::table_captions;
use crate::layout::blocks::block::{TextBlock, ends_sentence};
use crate::layout::blocks::block_class::{BlockClass, BlockClasses};
use crate::layout::blocks::classify::{continues_box, is_label};
use crate::layout::blocks::ownership::{SectionHead, SectionOwners};
use crate::layout::input::bounds::Bounds;
use crate::layout::input::cjk::is_cjk;
use crate::layout::lines::index_entry::is_index_entry;
use crate::layout::lines::leaders::{self, has_leader};
use crate::layout::lines::list_items::starts_item;
use crate::layout::lines::listings::{ListingGrid, ListingLine};
use crate::layout::lines::text_line::TextLine;
use crate::layout::lines::vocabulary::{HyphenAction, Vocabulary};
use crate::model::{AuxKind, Span};
use crate::text::sentences;

/// A section with its text.
#[derive(Debug, Clone, Default)]
pub(crate) struct SectionText {
    pub(crate) head: SectionHead,
    /// Headings and prose, in reading order.
    pub(crate) main: Vec<SectionParagraph>,
    /// AUX by kind, in the order of first appearance.
    pub(crate) aux: Vec<(AuxKind, Vec<SectionParagraph>)>,
}

/// What a paragraph is in Markdown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum ParagraphForm {
    /// Running text, or a heading.
    #[default]
    Text,
    /// An item of a list, with its mark.
    Item { mark: String },
    /// The note of a reviewer, as a quotation.
    Note,
    /// Lines of a program, with what is written before each.
    Listing { leads: Vec<String> },
    /// Rows of a table.
    Table,
}

/// A paragraph of a section.
#[derive(Debug, Clone, Default)]
pub(crate) struct SectionParagraph {
    /// The level of a heading; 0 for anything else.
    pub(crate) level: u8,
    pub(crate) form: ParagraphForm,
    pub(crate) text: String,
    /// The places of its lines, in order.
    pub(super) origins: Vec<TextOrigin>,
    /// The starts of its sentences.
    pub(crate) starts: Vec<usize>,
    /// Its last block.
    last: usize,
}

/// The place of the text from byte `start` of a paragraph on.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextOrigin {
    pub(crate) start: usize,
    pub(crate) block: usize,
    pub(crate) page: u64,
    pub(crate) bounds: Bounds,
}

/// The sections of a document, and how many hyphenated words were joined.
pub(crate) fn sections(
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
    let mut builder = ParagraphBuilder {
        blocks,
        flow,
        vocabulary: &vocabulary,
        sections,
        joined: 0,
        open: None,
        is_prose,
        list: ListLevels::default(),
    };
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
    list: ListLevels,
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
        if self.blocks[at].is_listing {
            return self.add_listing(at, section);
        }
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
        let join = last.and_then(|last| match blocks[at].is_listing {
            true => continues_listing(blocks, last, at).then_some(BlockJoin::Line),
            false => join_aux(blocks, last, at),
        });
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
        if starts_item(&first.text) || is_index_entry(&line.text) || is_index_entry(&first.text) {
            return false;
        }
        // A semicolon ends an item, but no paragraph.
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

    /// Lines of a program are never running text, nor do they end a paragraph that goes on after them.
    fn add_listing(&mut self, at: usize, section: usize) {
        let main = &mut self.sections[section].main;
        let goes_on = main.last().is_some_and(|last| continues_listing(self.blocks, last.last, at));
        let mut paragraph =
            if goes_on { main.pop().unwrap_or_default() } else { SectionParagraph::default() };
        self.append(&mut paragraph, at, BlockJoin::Line);
        self.sections[section].main.push(paragraph);
    }

    fn append(&mut self, paragraph: &mut SectionParagraph, at: usize, join: BlockJoin) {
        let before = std::mem::replace(&mut paragraph.last, at);
        let block = &self.blocks[at];
        if block.is_listing {
            let before = (!paragraph.text.is_empty()).then(|| &self.blocks[before]);
            return paragraph.add_listing(before, block, at);
        }
        let mut words = 0;
        if paragraph.text.is_empty() && paragraph.level == 0 {
            words = self.begin(paragraph, at);
        }
        if let Some(table) = &block.table {
            let rows = match paragraph.text.is_empty() {
                true => table.markdown(),
                false => table.rows_of_continued(),
            };
            paragraph.add_table(at, block.page, rows, table.rows.iter().map(|row| row.bounds));
            return;
        }
        let mut before: Option<&TextLine> = None;
        let breaks = block.lines.len().saturating_sub(1);
        let runs_on = breaks >= MIN_BREAKS && block.wrapped_lines() * 100 >= breaks * MIN_RUNNING_PERCENT;
        for line in &block.lines {
            let text = &line.text[std::mem::take(&mut words)..];
            let entry = has_leader(text).then(|| leaders::shortened(text));
            let text = entry.as_deref().unwrap_or(text);
            let is_full = match before {
                // Rows of cells are lines of their own where nothing is prose.
                Some(before) if !self.is_prose && before.cells.len() >= 2 && line.cells.len() >= 2 => false,
                Some(_) if block.is_note => false,
                Some(before) => {
                    block.measure.wraps(before, line)
                        || paragraph.level > 0
                        || is_divided(&before.text, text)
                        || runs_on && is_inside_sentence(before, text) && !block.measure.is_short(before)
                }
                None => join == BlockJoin::Flow,
            };
            if !paragraph.text.is_empty() {
                match is_full {
                    true => self.joined += usize::from(paragraph.join(text, self.vocabulary)),
                    false => paragraph.text.push('\n'),
                }
            }
            let start = paragraph.text.len();
            // The dots of an entry of a table of contents end no sentence.
            if entry.is_some() && paragraph.starts.is_empty() {
                paragraph.starts.push(0);
            }
            paragraph.origins.push(TextOrigin { start, block: at, page: block.page, bounds: line.bounds });
            paragraph.text.push_str(text);
            before = Some(line);
        }
    }

    /// Decides what a new paragraph is, and where the words of its first line begin.
    fn begin(&mut self, paragraph: &mut SectionParagraph, at: usize) -> usize {
        if self.blocks[at].is_note {
            self.list.end();
            paragraph.form = ParagraphForm::Note;
            return 0;
        }
        let Some(item) = list_levels::mark_of(self.blocks, at) else {
            self.list.end();
            return 0;
        };
        let indent = self.list.enter(&self.blocks[at], &item);
        paragraph.form = ParagraphForm::Item { mark: " ".repeat(indent) + &item.mark };
        item.words
    }
}

/// Line ends of a paragraph, at least, that show how its lines are broken.
const MIN_BREAKS: usize = 3;

/// Percent of the line ends of a paragraph that come because the next word has no room, if it is running text: a word may be
/// a little too long for a line that seems to have room for it, since lines of other fonts were measured. Verses have
/// hardly any.
const MIN_RUNNING_PERCENT: usize = 70;

/// True if a line ends inside a sentence that the next one continues.
fn is_inside_sentence(before: &TextLine, next: &str) -> bool {
    let ends = before.text.trim_end().ends_with(['.', '!', '?', ':', ';']);
    !ends && next.starts_with(char::is_lowercase)
}

/// True for a listing that goes on directly below another one, or at the top of the next page or column.
fn continues_listing(blocks: &[TextBlock], before: usize, at: usize) -> bool {
    let (last, next) = (&blocks[before], &blocks[at]);
    let is_alike =
        (last.size - next.size).abs() <= 0.05 * last.size && last.boxed.is_some() == next.boxed.is_some();
    let is_near = match last.page == next.page {
        true => next.bounds.y0 - last.bounds.y1 <= f64::from(MAX_LISTING_GAP * next.size),
        false => last.page + 1 == next.page,
    };
    last.is_listing && before + 1 == at && is_alike && is_near
}

/// Blank space, in font sizes, between two parts of a listing: two blank lines.
const MAX_LISTING_GAP: f32 = 3.0;

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

/// True if a word is divided between two lines, however far the first one is from being full.
fn is_divided(line: &str, next: &str) -> bool {
    let before = line.trim_end_matches(['-', '\u{2010}', '\u{ad}']);
    let is_hyphen = line.chars().count() == before.chars().count() + 1;
    is_hyphen && before.ends_with(char::is_alphabetic) && next.starts_with(char::is_lowercase)
}

fn ends_in_hyphen(text: &str) -> bool {
    text.ends_with(['-', '\u{2010}', '\u{ad}'])
}

/// How an AUX block continues the one before: after a title or lead-in, or in a sentence that the end of a column cut.
fn join_aux(blocks: &[TextBlock], before: usize, at: usize) -> Option<BlockJoin> {
    let (last, next) = (&blocks[before], &blocks[at]);
    if let Some((table, rest)) = last.table.as_ref().zip(next.table.as_ref()) {
        // Anything above it on its page would have ended the table.
        let is_first = blocks[at - 1].page < next.page;
        let goes_on = last.page + 1 == next.page && is_first && table.goes_on_with(rest);
        return goes_on.then_some(BlockJoin::Line);
    }
    if last.table.is_some() || next.table.is_some() || last.is_note || next.is_note {
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
                let is_within = self.text.chars().next_back().is_some_and(is_cjk)
                    && next.chars().next().is_some_and(is_cjk);
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
        self.form = ParagraphForm::Table;
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

    /// Adds the lines of a listing, below those of the block before if there is one.
    fn add_listing(&mut self, before: Option<&TextBlock>, block: &TextBlock, at: usize) {
        let ParagraphForm::Listing { mut leads } = std::mem::take(&mut self.form) else {
            self.form = ParagraphForm::Listing { leads: Vec::new() };
            return self.add_listing(before, block, at);
        };
        let above = before.filter(|before| before.page == block.page && before.bounds.y0 < block.bounds.y0);
        let lines = above.iter().flat_map(|above| &above.lines).chain(&block.lines);
        let grid = ListingGrid::of(lines);
        let mut before = above.and_then(|above| above.lines.last());
        for line in &block.lines {
            let blank_lines = before.map_or(0, |before| grid.blank_lines(before, line));
            let ListingLine { lead, text } = grid.line(line, blank_lines);
            if !self.text.is_empty() {
                self.text.push('\n');
            }
            let start = self.text.len();
            self.origins.push(TextOrigin { start, block: at, page: block.page, bounds: line.bounds });
            // A line is cited and cut like a sentence.
            self.starts.push(start);
            self.text.push_str(&text);
            leads.push(lead);
            before = Some(line);
        }
        self.form = ParagraphForm::Listing { leads };
    }

    fn find_sentences(&mut self) {
        if !self.starts.is_empty() {
            return;
        }
        self.starts.push(0);
        // A heading is one sentence, whatever stops it has.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::lines::line_measure::LineMeasure;
    use crate::layout::ordered_page::tables::layout_table::{LayoutTable, TableRow};

    /// Lines of size 16 in a column of 200 points: their texts, and where they start and end.
    fn block(lines: &[(&str, f32, f32)]) -> TextBlock {
        let line = |(text, x0, x1): &(&str, f32, f32)| TextLine {
            text: (*text).to_owned(),
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
    fn blocks_in_one_type_are_alike() {
        let at = |size: f32, is_bold: bool| TextBlock { size, is_bold, ..block(&[]) };
        let check = |size: f32, is_bold: bool, expected| {
            assert_eq!(is_alike(&at(20.0, false), &at(size, is_bold)), expected, "{size} {is_bold}");
        };
        check(20.0, false, true);
        check(21.0, false, true);
        check(19.0, false, true);
        check(21.1, false, false);
        check(18.9, false, false);
        check(20.0, true, false);
        assert!(is_alike(&at(20.0, true), &at(20.0, true)));
    }

    #[test]
    fn text_goes_on_at_an_edge_or_as_far_from_it_as_before() {
        let check = |before: f32, (x0, x1): (f32, f32), expected| {
            let (last, next) = (block(&[("a", before, 90.0)]), block(&[("b", x0, x1)]));
            assert_eq!(continues_edge(&last, &next), expected, "{before} {x0} {x1}");
        };
        check(0.0, (24.0, 100.0), true);
        check(0.0, (24.5, 100.0), false);
        check(0.0, (50.0, 176.0), true);
        check(0.0, (50.0, 175.5), false);
        check(26.0, (50.0, 100.0), true);
        check(25.5, (50.0, 100.0), false);
        check(74.0, (50.0, 100.0), true);
        check(74.5, (50.0, 100.0), false);
        let next =
            TextBlock { measure: LineMeasure { left: 300.0, right: 500.0 }, ..block(&[("b", 350.0, 400.0)]) };
        assert!(continues_edge(&block(&[("a", 50.0, 90.0)]), &next));
        assert!(!continues_edge(&block(&[]), &next) && !continues_edge(&next, &block(&[])));
    }

    #[test]
    fn marks_of_notes_and_hyphens_end_a_text() {
        assert_eq!(["word;12", "word", "7"].map(without_mark), ["word;", "word", ""]);
        let ends = ["exam-", "exam\u{2010}", "exam\u{ad}", "exam", "a-b"].map(ends_in_hyphen);
        assert_eq!(ends, [true, true, true, false, false]);
        let pairs = [
            ("inter-", "national"),
            ("inter-", "National"),
            ("1990-", "to"),
            ("and --", "so"),
            ("inter", "so"),
        ];
        assert_eq!(pairs.map(|(line, next)| is_divided(line, next)), [true, false, false, false, false]);
    }

    #[test]
    fn lines_are_joined_with_a_blank_unless_their_script_has_none() {
        let check = |text: &str, next: &str, expected: (&str, bool)| {
            let mut paragraph = SectionParagraph { text: text.to_owned(), ..SectionParagraph::default() };
            let is_joined = paragraph.join(next, &Vocabulary::default());
            assert_eq!((paragraph.text.as_str(), is_joined), expected, "{text} {next}");
        };
        check("one", "two", ("one ", false));
        check("one ", "two", ("one ", false));
        check("exam-", "ple", ("exam", true));
        check("self-", "made", ("self-", false));
        check("字", "字", ("字", false));
        check("字", "a", ("字 ", false));
        check("a", "字", ("a ", false));
    }

    /// How the second of two AUX blocks goes on.
    fn joined(last: TextBlock, next: TextBlock) -> Option<&'static str> {
        join_aux(&[last, next], 0, 1).map(|join| if join == BlockJoin::Flow { "flow" } else { "line" })
    }

    #[test]
    fn notes_go_on_in_the_next_column_in_the_middle_of_a_sentence() {
        let check = |last: &str, next: &str, page, region, expected| {
            let next = TextBlock { page, region, ..block(&[(next, 0.0, 90.0)]) };
            assert_eq!(joined(block(&[(last, 0.0, 200.0)]), next), expected, "{last} {page} {region}");
        };
        check("goes", "on here", 2, 0, Some("flow"));
        check("goes", "on here", 1, 1, Some("flow"));
        check("goes", "on here", 1, 0, None);
        check("ends.", "on here", 2, 0, None);
        check("goes", "On here", 2, 0, None);
    }

    #[test]
    fn text_of_a_box_follows_its_title_on_a_line_of_its_own() {
        let bounds = Bounds { x0: 0.0, y0: 10.0, x1: 200.0, y1: 20.0 };
        let boxed = |text: &str, number: usize| TextBlock {
            boxed: Some(number),
            bounds,
            ..block(&[(text, 0.0, 90.0)])
        };
        assert_eq!(joined(boxed("Title", 0), boxed("Text.", 0)), Some("line"));
        assert_eq!(joined(boxed("It ends.", 0), boxed("Text.", 0)), None);
        assert_eq!(joined(boxed("Title", 0), boxed("Text.", 1)), None);
        assert_eq!(joined(boxed("Title", 0), TextBlock { page: 2, ..boxed("Text.", 5) }), Some("line"));
        assert_eq!(joined(block(&[("Title", 0.0, 9.0)]), block(&[("Text.", 0.0, 9.0)])), None);
        let three = |text: &str| [boxed("Title", 0), boxed(text, 0), boxed("Text.", 0)];
        assert!(join_aux(&three("Not first"), 1, 2).is_none());
        assert!(join_aux(&three("It is:"), 1, 2) == Some(BlockJoin::Line));
    }

    #[test]
    fn a_table_goes_on_at_the_top_of_the_next_page() {
        let table = |page: u64, cell: &str| {
            let bounds = Bounds { x0: 0.0, y0: 0.0, x1: 9.0, y1: 9.0 };
            let rows = vec![TableRow { cells: vec![cell.to_owned()], bounds }];
            TextBlock {
                page,
                table: Some(LayoutTable { rows, size: 9.0, ..LayoutTable::default() }),
                ..block(&[])
            }
        };
        assert_eq!(joined(table(1, "a"), table(2, "b")), Some("line"));
        assert_eq!(joined(table(1, "a"), table(1, "b")), None);
        assert_eq!(joined(table(1, "a"), table(3, "b")), None);
        assert_eq!(joined(table(1, "a"), table(2, "a")), None);
        assert_eq!(joined(table(1, "a"), block(&[("on", 0.0, 9.0)])), None);
        assert_eq!(joined(block(&[("goes", 0.0, 9.0)]), table(2, "a")), None);
        let between = TextBlock { page: 2, ..block(&[("Text.", 0.0, 9.0)]) };
        assert!(join_aux(&[table(1, "a"), between, table(2, "b")], 0, 2).is_none());
    }

    #[test]
    fn rows_of_a_table_are_sentences_with_places() {
        let mut paragraph = SectionParagraph { text: "above".to_owned(), ..SectionParagraph::default() };
        let bounds = [1.0, 2.0].map(|x0| Bounds { x0, y0: 0.0, x1: 9.0, y1: 9.0 });
        paragraph.add_table(4, 7, vec!["| a |".to_owned(), "| b |".to_owned()], bounds.into_iter());
        assert_eq!(
            (paragraph.text.as_str(), paragraph.starts.as_slice()),
            ("above\n| a |\n| b |", [6, 12].as_slice())
        );
        let places: Vec<(usize, usize, u64, f64)> = paragraph
            .origins
            .iter()
            .map(|place| (place.start, place.block, place.page, place.bounds.x0))
            .collect();
        assert_eq!(places, [(6, 4, 7, 1.0), (12, 4, 7, 2.0)]);
        paragraph.find_sentences();
        assert_eq!(paragraph.starts, [6, 12]);
    }

    #[test]
    fn sentences_of_text_begin_paragraphs_and_headings_are_one() {
        let starts = |level: u8| {
            let text = "It is so. It was so.".to_owned();
            let mut paragraph = SectionParagraph { level, text, ..SectionParagraph::default() };
            paragraph.find_sentences();
            paragraph.starts
        };
        assert_eq!((starts(0), starts(1)), (vec![0, 10], vec![0]));
    }
}
