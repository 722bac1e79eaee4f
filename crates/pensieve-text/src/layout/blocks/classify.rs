//! MAIN, heading or AUX: a strict allow-list. A block is MAIN if every rule that applies to it holds; each rule is one
//! comparison of two numbers that the report shows. Rules about lines apply only to blocks with enough lines, because
//! last lines, verse and items may end anywhere. Documents that are not prose (slides, forms, letters) stay in
//! reading order: only their tables and captions are AUX.

use super::block::{TextBlock, ends_sentence};
use super::block_class::{BlockClass, BlockClasses, ClassReason, ClassRule};
use super::body_style::{BodyStyle, TextColumn, of_page};
use super::front_matter::FrontMatter;
use super::headings::HeadingLevels;
use crate::layout::input::cues::{Cue, CueForm, CueTable};
use crate::layout::input::options::LayoutOptions;
use crate::layout::input::page::TextTag;
use crate::layout::lines::list_items::starts_item;
use crate::model::AuxKind;
use rustc_hash::FxHashMap;

/// Minimum characters of a block whose density is meaningful.
const MIN_DENSITY_CHARACTERS: usize = 120;

/// Percent of the body's line distance that the lines of a quotation have, which are often set closer.
const MIN_QUOTE_LEADING: f32 = 45.0;

/// Percent of the width of its column that a quotation has, which is indented on both sides.
const MIN_QUOTE_WIDTH: f32 = 60.0;

/// How far a quotation is indented, in font sizes.
const MIN_QUOTE_INDENT: f32 = 0.8;

/// Percent of the body's font size from which a short line is a title in a document that is not prose.
const MIN_TITLE_SIZE: f32 = 130.0;

/// Percent of the size of full lines from which other text is larger.
const SMALL_PRINT_RATIO: f32 = 115.0;

/// Percent of larger text, of the full lines, from which these are small print.
const MAX_LARGER_SHARE: usize = 25;

/// Maximum characters of a caption or note that only the file names so: some files give one tag to whole pages.
const MAX_TAGGED_CHARACTERS: usize = 1500;

/// Maximum characters of a title or lead-in of a box.
const MAX_LABEL_CHARACTERS: usize = 80;

/// Blocks below a note among which body text is searched for.
const MAX_BLOCKS_BELOW_NOTE: usize = 100;

/// Decides the class of each block.
pub(crate) struct BlockClassifier<'d> {
    pub(crate) blocks: &'d [TextBlock],
    pub(crate) baselines: &'d [BodyStyle],
    pub(crate) headings: &'d HeadingLevels,
    pub(crate) cues: &'d CueTable,
    pub(crate) options: &'d LayoutOptions,
}

impl BlockClassifier<'_> {
    /// The classes of all blocks.
    pub(crate) fn run(&self) -> BlockClasses {
        let mut classes = BlockClasses { is_prose: self.is_prose(), ..BlockClasses::default() };
        let boxes = self.kinds_of_boxes();
        let mut under: Option<(AuxKind, u8)> = None;
        let mut items: Option<AuxKind> = None;
        let front = FrontMatter::find(self.blocks, self.baselines);
        for (at, block) in self.blocks.iter().enumerate() {
            let heading = self.headings.level(at);
            let is_heading = |reason: &ClassReason| {
                classes.is_prose || is_plain_title(block, reason) || self.headings.divides(block)
            };
            let heading = heading.filter(|(_, reason)| is_heading(reason));
            let (class, mut reasons) = match heading {
                // A reviewer's note is no text of the document, whatever it looks like.
                _ if block.is_note => (BlockClass::Aux(AuxKind::Callout), vec![fact(ClassRule::Tag, false)]),
                Some((level, reason)) => (BlockClass::Heading(level), vec![reason]),
                // Before the rules: an abstract has the type of a note.
                None if classes.is_prose && front.contains(self.blocks, at) && self.cue(at).is_none() => {
                    (BlockClass::Main, vec![fact(ClassRule::FrontMatter, true)])
                }
                None if classes.is_prose => self.classify_prose(at, &boxes, &mut classes.labels),
                None => self.classify_plain(at, &mut classes.labels),
            };
            let class = match class {
                BlockClass::Heading(level) => {
                    // Headings inside of `Exercises` do not end it.
                    if under.is_none_or(|(_, of)| level <= of) {
                        under = self.cues.of_heading(&block.text()).map(|kind| (kind, level));
                    }
                    class
                }
                BlockClass::Main
                    if items.is_some() && classes.is_prose && starts_item(block.first_text()) =>
                {
                    reasons.push(fact(ClassRule::Section, false));
                    BlockClass::Aux(items.unwrap_or(AuxKind::Activity))
                }
                BlockClass::Main if classes.is_prose && under.is_some() => {
                    reasons.push(fact(ClassRule::Section, false));
                    BlockClass::Aux(under.map_or(AuxKind::Activity, |(kind, _)| kind))
                }
                _ => class,
            };
            // Items below a title such as `Exercises` have the kind that it names.
            items = match class {
                BlockClass::Aux(kind) if self.cues.of_heading(block.first_text()) == Some(kind) => Some(kind),
                BlockClass::Aux(_) => items,
                _ => None,
            };
            classes.of.push((class, reasons));
        }
        classes
    }

    /// True if enough of the text consists of full lines of body text. They are small print below the rest of a form or
    /// a bill if much of its text is larger.
    fn is_prose(&self) -> bool {
        let (mut running, mut all, mut larger) = (0, 0, 0);
        for block in self.blocks.iter().filter(|block| !block.is_note) {
            // A bill is tables: without their text its small print would be all of it.
            let characters = block.characters() + block.table_characters();
            all += characters;
            let size = block.table.as_ref().map_or(block.size, |table| table.size);
            let run = of_page(self.baselines, block.page);
            if run.is_some_and(|run| size * 100.0 >= run.size * SMALL_PRINT_RATIO) {
                larger += characters;
            }
            let is_body = run.is_some_and(|run| (block.size - run.size).abs() <= 0.1 * run.size);
            if is_body && block.boxed.is_none() && block.wrapped_lines() >= 2 {
                running += characters;
            }
        }
        all > 0
            && running * 100 >= all * self.options.prose_share
            // The terms below a bill are full lines, in a smaller type than the bill.
            && larger * 100 < running * MAX_LARGER_SHARE
    }

    fn classify_plain(
        &self,
        at: usize,
        labels: &mut FxHashMap<usize, String>,
    ) -> (BlockClass, Vec<ClassReason>) {
        let block = &self.blocks[at];
        // Tables and captions alone are AUX, so that a form or a letter stays in the order of its page.
        if block.table.is_some() {
            return (BlockClass::Aux(AuxKind::Table), vec![fact(ClassRule::Table, false)]);
        }
        if let Some(cue) = self.cue(at).filter(|cue| cue.form == CueForm::Label) {
            labels.insert(at, cue.label);
            return (BlockClass::Aux(cue.kind), vec![fact(ClassRule::Cue, false)]);
        }
        (BlockClass::Main, vec![fact(ClassRule::Plain, true)])
    }

    fn classify_prose(
        &self,
        at: usize,
        boxes: &FxHashMap<(u64, usize), AuxKind>,
        labels: &mut FxHashMap<usize, String>,
    ) -> (BlockClass, Vec<ClassReason>) {
        let block = &self.blocks[at];
        if block.table.is_some() {
            return (BlockClass::Aux(AuxKind::Table), vec![fact(ClassRule::Table, false)]);
        }
        // What the file itself says comes before all that is measured.
        let tagged = match block.tag() {
            Some(TextTag::Caption) => Some(AuxKind::Caption),
            Some(TextTag::Note) => Some(AuxKind::Footnote),
            _ => None,
        };
        if let Some(kind) = tagged.filter(|_| block.characters() <= MAX_TAGGED_CHARACTERS) {
            return (BlockClass::Aux(kind), vec![fact(ClassRule::Tag, false)]);
        }
        let mut reasons = vec![fact(ClassRule::Box, block.boxed.is_none())];
        let is_straight = !block.lines.iter().any(|line| line.is_turned);
        reasons.push(fact(ClassRule::Direction, is_straight));
        let cue = self.cue(at);
        reasons.push(fact(ClassRule::Cue, cue.is_none()));
        if let Some(run) = of_page(self.baselines, block.page) {
            // The last lines of a text stand on a page that is otherwise notes, in the style of these.
            match self.main_style().filter(|main| is_continued(block, run, main)) {
                Some(main) => self.measure(block, &main.in_columns_of(run), &mut reasons),
                None => self.measure(block, run, &mut reasons),
            }
            reasons.push(fact(ClassRule::Footnote, !self.is_footnote(at, run)));
        }
        if reasons.iter().all(|reason| reason.holds) {
            return (BlockClass::Main, reasons);
        }
        let fails = |rule: ClassRule| reasons.iter().any(|reason| reason.rule == rule && !reason.holds);
        let kind = match (&cue, block.boxed) {
            // `Figure 2.1` names the kind even in a box; a title such as `Note` only where no box says more.
            (Some(cue), _) if cue.form == CueForm::Label => cue.kind,
            (_, Some(number)) => boxes.get(&(block.page, number)).copied().unwrap_or(AuxKind::Callout),
            (Some(cue), None) => cue.kind,
            _ if fails(ClassRule::Footnote) => AuxKind::Footnote,
            _ if fails(ClassRule::ColumnOverlap) || fails(ClassRule::Direction) => AuxKind::Sidebar,
            _ => AuxKind::Callout,
        };
        if let Some(cue) = cue.filter(|cue| cue.form == CueForm::Label) {
            labels.insert(at, cue.label);
        }
        (BlockClass::Aux(kind), reasons)
    }

    fn measure(&self, block: &TextBlock, run: &BodyStyle, reasons: &mut Vec<ClassReason>) {
        let options = self.options;
        let around = |share: usize| (100.0 - share as f32, 100.0 + share as f32);
        let mut add = |rule, found: f32, wanted: (f32, f32)| {
            let holds = (wanted.0..=wanted.1).contains(&found);
            reasons.push(ClassReason { rule, found, wanted, holds });
        };
        add(ClassRule::FontSize, 100.0 * block.size / run.size, around(options.size_tolerance));
        let band = run.band_of(block, options.column_overlap);
        let is_quoted = run.bands.iter().any(|band| is_quote(block, band));
        let distances = block.body_leading.zip(block.leading).filter(|_| block.lines.len() >= 3);
        if let Some((least, leading)) = distances {
            // Scripts push lines apart; between the two distances, that of the body counts.
            let leading = run.leading.max(least).min(leading);
            let (low, high) = around(options.line_height_tolerance);
            let low = if is_quoted { MIN_QUOTE_LEADING } else { low };
            add(ClassRule::LineHeight, 100.0 * leading / run.leading, (low, high));
        }
        if let Some(band) = band {
            add(ClassRule::ColumnOverlap, band.overlap(block), (options.column_overlap as f32, 100.0));
            // Lines that were broken because they were full show the width of the block.
            if block.wrapped_lines() > 0 && block.wrapped_lines() * 2 >= block.lines.len() - 1 {
                let (left, right) = block.extent();
                let share = 100.0 * (right - left) / band.width().max(1.0);
                let least = options.column_width as f32;
                let least = if is_quoted { least.min(MIN_QUOTE_WIDTH) } else { least };
                add(ClassRule::ColumnWidth, share, (least, f32::INFINITY));
            }
        }
        if block.characters() >= MIN_DENSITY_CHARACTERS {
            let slack = options.density_tolerance as f32 / 100.0;
            let (low, high) = run.density;
            add(ClassRule::Density, block.density, (low * (1.0 - slack), high * (1.0 + slack)));
        }
    }

    /// The cue of a block. A sentence about a figure is not a cue: it has the font size of body text.
    fn cue(&self, at: usize) -> Option<Cue> {
        let block = &self.blocks[at];
        let cue = self.cues.at(block.first_text())?;
        let run = of_page(self.baselines, block.page);
        let is_body = run.is_some_and(|run| (block.size - run.size).abs() <= 0.02 * run.size);
        // `Figure 3 shows that` in the type of the body is a sentence about a figure.
        let is_prose = cue.form == CueForm::Label && cue.starts_sentence && is_body;
        (!is_prose).then_some(cue)
    }

    /// True for small text that starts with a note mark and has no body text below it.
    fn is_footnote(&self, at: usize, run: &BodyStyle) -> bool {
        let block = &self.blocks[at];
        if block.boxed.is_some() || !starts_with_mark(block.first_text()) {
            return false;
        }
        // On a page of notes alone, their size is that of the body.
        if self.is_in_note_list(at) {
            return true;
        }
        // A numbered paragraph in the size of the body is an item.
        if block.size > 0.97 * run.size {
            return false;
        }
        let below = self.blocks[at + 1..].iter().take(MAX_BLOCKS_BELOW_NOTE).take_while(|other| {
            other.page == block.page && other.region == block.region && other.boxed.is_none()
        });
        !below.into_iter().any(|other| other.bounds.y0 > block.bounds.y0 && other.size > 0.97 * run.size)
    }

    /// The style of most of the document.
    fn main_style(&self) -> Option<&BodyStyle> {
        let weight = |run: &&BodyStyle| run.bands.iter().map(|band| band.characters).sum::<usize>();
        self.baselines.iter().max_by_key(weight)
    }

    /// True for a numbered note among others at the end of a document: in smaller type than most of it, and next to the
    /// note with the number before or after.
    fn is_in_note_list(&self, at: usize) -> bool {
        let body = self.main_style().map_or(0.0, |run| run.size);
        let number = |at: usize| {
            let block = self.blocks.get(at)?;
            if block.size > 0.97 * body {
                return None;
            }
            let (number, text) = block.first_text().split_once(' ')?;
            text.starts_with(|c: char| !c.is_lowercase()).then(|| number.parse::<u32>().ok())?
        };
        let Some(own) = number(at) else { return false };
        let before = at.checked_sub(1).and_then(number);
        number(at + 1) == Some(own + 1) || before.is_some_and(|before| before + 1 == own)
    }

    /// The kind of each box: by the cue in its first lines, by the box that it continues, or a sidebar if it is
    /// beside the columns.
    fn kinds_of_boxes(&self) -> FxHashMap<(u64, usize), AuxKind> {
        let mut kinds: FxHashMap<(u64, usize), AuxKind> = FxHashMap::default();
        let mut before: Option<(usize, AuxKind)> = None;
        let mut at = 0;
        while at < self.blocks.len() {
            let block = &self.blocks[at];
            let Some(number) = block.boxed else {
                at += 1;
                continue;
            };
            let len = self.blocks[at..]
                .iter()
                .take_while(|other| other.page == block.page && other.boxed == Some(number))
                .count();
            let inside = &self.blocks[at..at + len];
            let cue = inside.iter().take(2).find_map(|inner| self.cues.at(inner.first_text()));
            let is_beside = of_page(self.baselines, block.page)
                .is_some_and(|run| inside.iter().all(|block| run.is_beside(block)));
            let goes_on = before.filter(|(last, _)| continues_box(&self.blocks[*last], block));
            let kind = match (cue, goes_on) {
                (Some(cue), _) if cue.form == CueForm::Title => cue.kind,
                (_, Some((_, kind))) => kind,
                _ if is_beside => AuxKind::Sidebar,
                _ => AuxKind::Callout,
            };
            kinds.insert((block.page, number), kind);
            at += len;
            before = Some((at - 1, kind));
        }
        kinds
    }
}

/// True for text in the size of most of the document on pages of another size, such as its last lines above its notes.
fn is_continued(block: &TextBlock, run: &BodyStyle, main: &BodyStyle) -> bool {
    let is_near = |size: f32| (block.size - size).abs() <= 0.03 * size;
    !is_near(run.size) && is_near(main.size)
}

/// True for lines that are all indented from the left edge of their column, as those of quotations are.
fn is_quote(block: &TextBlock, band: &TextColumn) -> bool {
    let is_inside = block.extent().1 <= band.right + 1.0;
    // Rows of a table are indented too.
    let rows = block.lines.iter().filter(|line| line.cells.len() > 1).count();
    is_inside
        && rows * 4 <= block.lines.len()
        && block.lines.iter().all(|line| line.x0 - band.left >= MIN_QUOTE_INDENT * block.size)
}

/// True for a title in a document that is not prose: named by the outline, or short and large.
fn is_plain_title(block: &TextBlock, reason: &ClassReason) -> bool {
    // The outline wants no size.
    let is_named = reason.wanted.0 == 0.0;
    is_named || (reason.found >= MIN_TITLE_SIZE && block.lines.len() <= 2)
}

/// True for a box that continues another one: in the next column or on the next page, in the same font size, and not
/// much narrower unless the one before contains only its title.
pub(crate) fn continues_box(last: &TextBlock, first: &TextBlock) -> bool {
    let is_elsewhere =
        last.page + 1 == first.page || (last.page == first.page && first.bounds.y1 < last.bounds.y0);
    let is_alike = (last.size - first.size).abs() < 0.05 * last.size
        && (last.bounds.width() <= first.bounds.width() * 2.0 || is_label(last));
    is_elsewhere && is_alike
}

/// True for a title or lead-in: it ends with a colon, or is short and does not end a sentence.
pub(crate) fn is_label(block: &TextBlock) -> bool {
    let last = block.last_text();
    last.ends_with(':') || (block.characters() <= MAX_LABEL_CHARACTERS && !ends_sentence(last))
}

fn starts_with_mark(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = text[digits..].chars().next();
    let is_number = (1..=3).contains(&digits)
        && after.is_some_and(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | ')' | '“' | '"' | '‘'));
    is_number || text.starts_with(['*', '†', '‡', '§', '¶'])
}

fn fact(rule: ClassRule, holds: bool) -> ClassReason {
    ClassReason { rule, found: f32::from(u8::from(holds)), wanted: (1.0, 1.0), holds }
}

#[cfg(test)]
mod tests;
