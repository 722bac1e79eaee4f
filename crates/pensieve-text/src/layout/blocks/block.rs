//! Blocks: lines that form a paragraph, a heading, an item or a table, by their appearance on the page: blank space,
//! font sizes, weights, typefaces, indents, bullets, and boxes around them.

use crate::layout::furniture::{PageFurniture, candidate_lines};
use crate::layout::input::bidi;
use crate::layout::input::bounds::Bounds;
use crate::layout::input::options::LayoutOptions;
use crate::layout::input::page::{FontFace, PageNote, TextTag};
use crate::layout::input::typefaces::{changes_face, family};
use crate::layout::lines::heading_number::{HeadingNumber, follows, starts_upper};
use crate::layout::lines::index_entry::is_index_entry;
use crate::layout::lines::leaders::has_leader;
use crate::layout::lines::line_measure::LineMeasure;
use crate::layout::lines::list_items::{is_bullet, starts_item, starts_with_dash};
use crate::layout::lines::listings::{self, ListingRule};
use crate::layout::lines::text_line::{RegionEntry, TextLine, is_capitals, leading};
use crate::layout::ordered_page::tables::bands;
use crate::layout::ordered_page::tables::layout_table::LayoutTable;
use crate::layout::ordered_page::{InsetContent, OrderedPage};
use std::sync::Arc;

/// Lines that form a paragraph, a heading or an item, or a table.
#[derive(Debug, Clone, Default)]
pub struct TextBlock {
    /// The page, counted from 1.
    pub page: u64,
    /// The region of its page that was read as one column.
    pub region: usize,
    /// The box of its page that contains it.
    pub boxed: Option<usize>,
    /// Its lines; empty for a table.
    pub lines: Vec<TextLine>,
    /// The rectangle around it.
    pub bounds: Bounds,
    /// Font size of most of it.
    pub size: f32,
    /// Font of most of it.
    pub face: Arc<FontFace>,
    /// True if all of it is bold.
    pub is_bold: bool,
    /// The median distance of its lines, if there are three or more.
    pub leading: Option<f32>,
    /// The same without the space that super- and subscripts need.
    pub(crate) body_leading: Option<f32>,
    /// Characters per font size of width, over its lines.
    pub density: f32,
    /// The left and right edge for the lines around it.
    pub measure: LineMeasure,
    /// True for lines of a program, whose blanks and line ends mean something.
    pub(crate) is_listing: bool,
    /// True for the note of a reviewer.
    pub(crate) is_note: bool,
    pub(crate) table: Option<LayoutTable>,
}

impl TextBlock {
    /// How many characters it has.
    pub fn characters(&self) -> usize {
        self.lines.iter().map(|line| line.text.chars().count()).sum()
    }

    /// How many characters its cells have, if it is a table.
    pub(super) fn table_characters(&self) -> usize {
        let rows = self.table.iter().flat_map(|table| &table.rows);
        rows.flat_map(|row| &row.cells).map(|cell| cell.chars().count()).sum()
    }

    /// Its first line.
    pub fn first_text(&self) -> &str {
        self.lines.first().map_or("", |line| &line.text)
    }

    /// Its last line.
    pub fn last_text(&self) -> &str {
        self.lines.last().map_or("", |line| &line.text)
    }

    /// Its lines, separated by spaces.
    pub fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.text.as_str()).collect();
        lines.join(" ")
    }

    /// Its text as reports show it: a table as Markdown.
    pub fn shown_text(&self) -> String {
        self.table.as_ref().map_or_else(|| self.text(), |table| table.markdown().join("\n"))
    }

    /// What the file says that all its lines are.
    pub(crate) fn tag(&self) -> Option<TextTag> {
        let tag = self.lines.first().and_then(|line| line.tag);
        tag.filter(|_| self.lines.iter().all(|line| line.tag == tag))
    }

    /// Where it starts and ends along its lines.
    pub(crate) fn extent(&self) -> (f32, f32) {
        let is_upright = self.lines.iter().all(|line| line.rotation == 0);
        match is_upright {
            true => (self.bounds.x0 as f32, self.bounds.x1 as f32),
            false => {
                let left = self.lines.iter().map(|line| line.x0).fold(f32::INFINITY, f32::min);
                (left, self.lines.iter().map(|line| line.x1).fold(f32::NEG_INFINITY, f32::max))
            }
        }
    }

    /// The number of lines, without the last one, that were broken because they were full.
    pub fn wrapped_lines(&self) -> usize {
        self.lines.windows(2).filter(|pair| self.measure.wraps(&pair[0], &pair[1])).count()
    }

    fn of_lines(lines: Vec<TextLine>, at: &BlockPosition, measure: LineMeasure) -> TextBlock {
        let mut bounds = Bounds::EMPTY;
        lines.iter().for_each(|line| bounds.add(line.bounds));
        // By its longest line: a short one may be in another type.
        let most = lines.iter().max_by_key(|line| line.text.len());
        let (size, face) = most.map_or_else(Default::default, |line| (line.size, line.face.clone()));
        let leading = median_gap(&lines, |a, b| b.base - a.base);
        let body_leading = median_gap(&lines, TextLine::body_distance);
        let width: f32 = lines.iter().map(|line| line.x1 - line.x0).sum();
        let characters: usize = lines.iter().map(|line| line.text.chars().count()).sum();
        let density = if width > 0.0 { characters as f32 * size / width } else { 0.0 };
        TextBlock {
            page: at.page,
            region: at.region,
            boxed: at.boxed,
            is_bold: lines.iter().all(|line| line.is_bold),
            lines,
            bounds,
            size,
            face,
            leading,
            body_leading,
            density,
            measure,
            is_listing: false,
            is_note: false,
            table: None,
        }
    }

    /// The note of a reviewer: lines of nothing on the page.
    fn of_note(note: &PageNote, at: &BlockPosition) -> TextBlock {
        let bounds = Bounds::of_array(note.bbox);
        let line = |text: &str| TextLine { text: text.trim().to_owned(), bounds, ..TextLine::default() };
        let lines = note.text.lines().filter(|line| !line.trim().is_empty()).map(line).collect();
        let block = TextBlock::of_lines(lines, at, LineMeasure::default());
        TextBlock { bounds, is_note: true, ..block }
    }

    fn of_table(table: LayoutTable, at: &BlockPosition) -> TextBlock {
        let bounds = table.bounds();
        TextBlock {
            page: at.page,
            region: at.region,
            boxed: at.boxed,
            bounds,
            table: Some(table),
            ..TextBlock::default()
        }
    }
}

/// The median distance of lines, if there are three or more.
fn median_gap(lines: &[TextLine], distance: impl Fn(&TextLine, &TextLine) -> f32) -> Option<f32> {
    let mut gaps: Vec<f32> = lines.windows(2).map(|pair| distance(&pair[0], &pair[1])).collect();
    gaps.sort_by(f32::total_cmp);
    gaps.get(gaps.len() / 2).copied().filter(|_| gaps.len() >= 2)
}

/// The position of a block.
#[derive(Debug, Clone, Copy)]
struct BlockPosition {
    page: u64,
    region: usize,
    boxed: Option<usize>,
    /// Which lines of its document are listings.
    listings: ListingRule,
}

/// The blocks of all pages in reading order, without headers and footers.
pub(crate) fn all(
    sheets: Vec<OrderedPage>,
    furniture: &PageFurniture,
    options: &LayoutOptions,
) -> Vec<TextBlock> {
    let mut blocks = Vec::new();
    let rule = ListingRule::of(sheets.iter().flat_map(candidate_lines::lines));
    for sheet in sheets {
        of_sheet(sheet, furniture, options, rule, &mut blocks);
    }
    ignore_backgrounds(&mut blocks);
    blocks
}

/// If most of a document is in boxes, they are only a background of its text.
fn ignore_backgrounds(blocks: &mut [TextBlock]) {
    let boxed: usize = blocks.iter().filter(|b| b.boxed.is_some()).map(TextBlock::characters).sum();
    let all: usize = blocks.iter().map(TextBlock::characters).sum();
    if boxed * 2 > all {
        blocks.iter_mut().for_each(|block| block.boxed = None);
    }
}

fn of_sheet(
    sheet: OrderedPage,
    furniture: &PageFurniture,
    options: &LayoutOptions,
    listings: ListingRule,
    blocks: &mut Vec<TextBlock>,
) {
    let mut insets: Vec<Option<InsetContent>> = sheet.insets.into_iter().map(Some).collect();
    let mut next_region = sheet.regions.len();
    for (region, entries) in join_parts(sheet.regions, listings).into_iter().enumerate() {
        let position = BlockPosition { page: sheet.number, region, boxed: None, listings };
        let mut lines: Vec<TextLine> = Vec::new();
        for entry in entries {
            match entry {
                RegionEntry::Line(line) if furniture.contains(sheet.number, &line) => {}
                RegionEntry::Line(line) => lines.push(line),
                RegionEntry::Inset(at) => {
                    of_lines(std::mem::take(&mut lines), &position, options, blocks);
                    match insets.get_mut(at).and_then(Option::take) {
                        Some(InsetContent::Table(table)) => {
                            blocks.push(TextBlock::of_table(table, &position))
                        }
                        Some(InsetContent::Box(inner)) => {
                            let entries =
                                |lines: Vec<TextLine>| lines.into_iter().map(RegionEntry::Line).collect();
                            let inner = join_parts(inner.into_iter().map(entries).collect(), listings);
                            for entries in inner {
                                let lines = entries.into_iter().filter_map(RegionEntry::into_line);
                                let lines =
                                    lines.filter(|line| !furniture.contains(sheet.number, line)).collect();
                                let position =
                                    BlockPosition { region: next_region, boxed: Some(at), ..position };
                                next_region += 1;
                                of_lines(lines, &position, options, blocks);
                            }
                        }
                        None => {}
                    }
                }
            }
        }
        of_lines(lines, &position, options, blocks);
    }
    for note in &sheet.notes {
        let position = BlockPosition {
            page: sheet.number,
            region: next_region,
            boxed: None,
            listings: ListingRule::Never,
        };
        next_region += 1;
        blocks.push(TextBlock::of_note(note, &position));
    }
}

/// Joins the regions of consecutive rows, and of the parts of a listing. A page is cut at blank space, so that rows far apart
/// and lines around a blank one become separate regions, in which neither can be recognised.
fn join_parts(regions: Vec<Vec<RegionEntry>>, rule: ListingRule) -> Vec<Vec<RegionEntry>> {
    let is_row = |line: &TextLine| line.cells.len() >= 2 && !line.is_turned;
    let are_parts =
        |before: &Vec<RegionEntry>, region: &Vec<RegionEntry>| match (before.last(), region.first()) {
            (Some(RegionEntry::Line(above)), Some(RegionEntry::Line(below))) => {
                is_row(above) && is_row(below)
                    || rule != ListingRule::Never && listings::may_go_on(above, below)
            }
            _ => false,
        };
    let mut whole: Vec<Vec<RegionEntry>> = Vec::new();
    for region in regions {
        match whole.last_mut().filter(|before| are_parts(before, &region)) {
            Some(before) => before.extend(region),
            None => whole.push(region),
        }
    }
    whole
}

/// Splits consecutive lines into blocks.
fn of_lines(lines: Vec<TextLine>, at: &BlockPosition, options: &LayoutOptions, blocks: &mut Vec<TextBlock>) {
    let measures = LineMeasure::of_lines(&lines);
    // If most paragraphs have one line, as in dialogue and lists, most distances are those between paragraphs. So the
    // closest fifth of all distances counts.
    let leading = leading(&lines, 0.2);
    let mut starts: Vec<bool> = Vec::with_capacity(lines.len());
    for (i, line) in lines.iter().enumerate() {
        starts.push(match i.checked_sub(1) {
            None => true,
            Some(before) => {
                let pair = (&lines[before], line);
                starts_block(pair, lines.get(i + 1), leading, &measures[i])
            }
        });
    }
    let listings = listings::find(&lines, &measures, at.listings);
    for listing in &listings {
        starts[listing.clone()].fill(false);
        starts[listing.start] = true;
        starts.get_mut(listing.end).into_iter().for_each(|start| *start = true);
    }
    let is_listed = |line: usize| listings.iter().any(|listing| listing.contains(&line));
    let mut tables = bands::find(&lines, options.table_rows);
    // Columns of a program are no cells.
    tables.retain(|table| !(table.first..table.first + table.count).any(is_listed));
    let mut tables = tables.into_iter().peekable();
    let mut open: Vec<TextLine> = Vec::new();
    let mut measure = LineMeasure::default();
    let (mut skip, mut is_listing) = (0, false);
    for (i, line) in lines.into_iter().enumerate() {
        if let Some(found) = tables.next_if(|found| found.first == i) {
            close(&mut open, (at, measure, is_listing), blocks);
            blocks.push(TextBlock::of_table(found.table, at));
            skip = found.count;
        }
        if skip > 0 {
            skip -= 1;
            continue;
        }
        if starts[i] {
            close(&mut open, (at, measure, is_listing), blocks);
        }
        if open.is_empty() {
            measure = measures[i];
            is_listing = is_listed(i);
        }
        open.push(line);
    }
    close(&mut open, (at, measure, is_listing), blocks);
}

fn close(
    open: &mut Vec<TextLine>,
    (at, measure, is_listing): (&BlockPosition, LineMeasure, bool),
    blocks: &mut Vec<TextBlock>,
) {
    if !open.is_empty() {
        let block = TextBlock::of_lines(std::mem::take(open), at, measure);
        blocks.push(TextBlock { is_listing, ..block });
    }
}

/// True if a line begins a block below the line before it.
fn starts_block(
    (before, line): (&TextLine, &TextLine),
    after: Option<&TextLine>,
    leading: f32,
    measure: &LineMeasure,
) -> bool {
    let size = before.size.max(line.size);
    let wraps = measure.wraps(before, line);
    // A full line goes on below it, though scripts push the next one away.
    let between = if wraps { before.body_distance(line) } else { line.base - before.base };
    let is_back = line.base < before.base;
    // With 2.0, a title of a drawn document ran into the paragraph beside it.
    if between / size > leading * 1.3 + 0.05 || is_back || before.is_turned != line.is_turned {
        return true;
    }
    // An entry of contents ends with the number of its page, Arabic or Roman.
    let is_entry = has_leader(&before.text) && before.text.ends_with(|c: char| c.is_ascii_alphanumeric())
        || is_index_entry(&before.text)
            && [Some(line), after].into_iter().flatten().any(|next| is_index_entry(&next.text));
    // A short last line that ends a sentence ends a paragraph.
    let is_last =
        || !wraps && ends_sentence(&before.text) && measure.is_short(before) && starts_upper(&line.text);
    is_entry
        || changes_type(before, line, wraps)
        || starts_title(before, line, wraps)
        || continues_list((before, line), after, wraps)
        || is_last()
        || is_indented((before, line), after, wraps)
}

/// True if a line is set in other type than the one before, as a title, a caption or a paragraph of another kind is.
fn changes_type(before: &TextLine, line: &TextLine, wraps: bool) -> bool {
    let (smaller, size) = (before.size.min(line.size), before.size.max(line.size));
    if smaller < 0.87 * size {
        return true;
    }
    // Bold words may fill a line of a sentence, which goes on in lower case.
    let goes_on = || {
        let is_inside = line.text.starts_with(char::is_lowercase) && !ends_sentence(&before.text);
        wraps && is_inside && family(&before.face.name) == family(&line.face.name)
    };
    // A line that was bold from end to end was torn out of its paragraph.
    if before.is_bold != line.is_bold && !goes_on() {
        return true;
    }
    // One family in two sizes under two names, as TeX has them, are two types.
    let is_other_size = before.face.name != line.face.name && smaller < 0.96 * size;
    (changes_face(&before.face, &line.face) || is_other_size) && !wraps
}

/// True for a title below a title, and for what follows a title of one line.
fn starts_title(before: &TextLine, line: &TextLine, wraps: bool) -> bool {
    // In manuals and theses two bold titles below each other were read as one.
    let is_second = before.is_bold
        && line.is_bold
        && (follows(&before.text, &line.text) || is_moved(before, line, wraps));
    // A numbered title that is as long as the line ends with its slant or capitals, another one if it is short.
    let changes_style = before.is_italic && !line.is_italic
        || is_capitals(&before.text) && line.text.contains(char::is_lowercase);
    is_second || changes_style && (!wraps || HeadingNumber::starts_title(&before.text))
}

/// True for an item, a turn or a field below another one.
fn continues_list((before, line): (&TextLine, &TextLine), after: Option<&TextLine>, wraps: bool) -> bool {
    let is_beside = |other: &TextLine| (other.x0 - line.x0).abs() <= 0.3 * before.size.max(line.size);
    // After a full line `1.` may be a number in a sentence; a bullet is none.
    if (starts_item(&line.text) || HeadingNumber::starts_title(&line.text)) && !wraps || is_bullet(&line.text)
    {
        return true;
    }
    // Two lines with dashes at one edge are items, though the line above seems full.
    let is_like = |other: &TextLine| starts_with_dash(&other.text) && is_beside(other);
    if starts_with_dash(&line.text) && (is_like(before) || after.is_some_and(is_like)) {
        return true;
    }
    // Turns of a conversation and the fields of a form begin with a name, whether or not the line above is full; and the
    // next item of a list begins a line, though its first word would not have fitted above.
    let are_both = |begins: fn(&str) -> bool| begins(&before.text) && begins(&line.text);
    is_beside(before) && (are_both(starts_label) || are_both(starts_item))
}

/// True for the first line of a paragraph, which is indented while the next one is not, and for a line that begins before
/// the mark of a short item: it is not in the item.
fn is_indented((before, line): (&TextLine, &TextLine), after: Option<&TextLine>, wraps: bool) -> bool {
    let size = before.size.max(line.size);
    let runs_left = line.text.chars().find(|c| c.is_alphabetic()).is_some_and(bidi::is_right_to_left);
    let start = |line: &TextLine| if runs_left { -line.x1 } else { line.x0 };
    let indent = (start(line) - start(before)) / size;
    if indent < -0.7 && !wraps && starts_item(&before.text) && starts_upper(&line.text) {
        return true;
    }
    // What follows a title in another font is not its next line.
    let is_back = after.is_some_and(|after| {
        (start(after) - start(before)).abs() < 0.4 * size
            && after.is_bold == line.is_bold
            && after.size.min(line.size) >= 0.87 * after.size.max(line.size)
    });
    // Below an item, an indent continues the item.
    (0.7..6.0).contains(&indent) && is_back && !starts_item(&before.text)
}

/// Characters of a name before a colon, at most.
const MAX_LABEL_CHARS: usize = 24;

/// True for a line that begins with a name and a colon: `Q: How deep?`, `SPEAKER ONE: Deep.`, `Date: 3 May`.
fn starts_label(text: &str) -> bool {
    let Some((name, words)) = text.split_once(':') else { return false };
    let is_word = |word: &str| {
        word.starts_with(char::is_uppercase) && word.chars().all(|c| c.is_alphanumeric() || c == '.')
    };
    words.starts_with(' ')
        && name.chars().count() <= MAX_LABEL_CHARS
        && !name.is_empty()
        && name.split(' ').all(is_word)
}

/// True for a title below another one that does not share an edge or the middle with it, as a title on the left below one
/// in the middle.
fn is_moved(before: &TextLine, line: &TextLine, wraps: bool) -> bool {
    let size = before.size.max(line.size);
    let apart = [line.x0 - before.x0, line.x1 - before.x1, (line.x0 + line.x1 - before.x0 - before.x1) / 2.0];
    !wraps && apart.iter().all(|apart| apart.abs() > size)
}

/// True for a line drawn by typing one mark again and again, as between the parts of a receipt.
fn is_typed_rule(text: &str) -> bool {
    let mut marks = text.chars().filter(|c| !c.is_whitespace());
    let first = marks.next();
    // A row of dots is a leader.
    let is_mark = first.is_some_and(|c| !c.is_alphanumeric() && c != '.');
    is_mark && marks.clone().nth(1).is_some() && marks.all(|c| Some(c) == first)
}

/// True for text that ends a sentence, apart from closing quotes, brackets and note marks, and for a line typed below one.
pub(crate) fn ends_sentence(text: &str) -> bool {
    if is_typed_rule(text) {
        return true;
    }
    // `study.12` ends a sentence with the mark of a note.
    let text = text.trim_end_matches(|c: char| {
        matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']') || c.is_ascii_digit() || is_superscript(c)
    });
    text.ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '।', ':', ';'])
}

fn is_superscript(c: char) -> bool {
    matches!(c, '\u{b9}' | '\u{b2}' | '\u{b3}' | '\u{2070}'..='\u{2079}' | '*' | '†' | '‡')
}

#[cfg(test)]
mod tests;
