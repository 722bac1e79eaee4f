//! The style of body text: font size, line distance, density of lines, and columns, for each run of pages with the same
//! number of columns. Only blocks outside boxes and tables count, and mostly those with full lines.

use super::block::TextBlock;
use crate::layout::input::cjk::is_cjk;
use crate::layout::input::options::LayoutOptions;
use crate::layout::input::page::FontFace;
use crate::layout::lines::listings::is_printed;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Minimum percent of the body's characters of a run of pages that a column contains.
const MIN_COLUMN_SHARE: usize = 5;

/// Minimum percent of the main column's width that a column has.
const MIN_COLUMN_WIDTH: f32 = 60.0;

/// Columns side by side are columns of text from this percent of the main column's width on, if they are alike.
const MIN_PAIR_WIDTH: f32 = 25.0;

/// By how much the widths of such columns may differ, in percent.
const PAIR_TOLERANCE: f32 = 15.0;

/// A block wider than a column by this factor spans columns.
const ACROSS_COLUMNS: f32 = 1.2;

/// A run of pages has its own body size if less than this percent of it has the document's body size.
const FOREIGN_SIZE_PERCENT: usize = 20;

/// A column of text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextColumn {
    /// Left edge.
    pub left: f32,
    /// Right edge.
    pub right: f32,
    /// Characters of body text in it.
    pub characters: usize,
}

impl TextColumn {
    /// Its width.
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Percent of a block's width that lies inside.
    pub(crate) fn overlap(&self, block: &TextBlock) -> f32 {
        let (left, right) = block.extent();
        // A point of slack for letters that reach over the edge.
        let shared = (self.right + 1.0).min(right) - (self.left - 1.0).max(left);
        (100.0 * shared.max(0.0) / (right - left).max(0.1)).min(100.0)
    }
}

/// The style of body text on a run of pages.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BodyStyle {
    /// First and last page.
    pub pages: (u64, u64),
    /// Columns side by side.
    pub columns: usize,
    /// The columns of text, and areas of text that span them.
    pub bands: Vec<TextColumn>,
    /// The direction of the text in degrees.
    pub(crate) rotation: i16,
    /// Font size of the body.
    pub size: f32,
    /// Font of most of it.
    pub face: Arc<FontFace>,
    /// True if most of it is bold.
    pub is_bold: bool,
    /// Distance of its baselines.
    pub leading: f32,
    /// Density of body lines at the lower and the upper percentile: characters per font size of width.
    pub density: (f32, f32),
}

impl BodyStyle {
    /// The narrowest column that contains enough of a block, all columns together for a block that spans them, or the
    /// column that contains most of it.
    pub(super) fn band_of(&self, block: &TextBlock, overlap: usize) -> Option<TextColumn> {
        let holds = |band: &&TextColumn| band.overlap(block) >= overlap as f32;
        let narrow = |a: &&TextColumn, b: &&TextColumn| a.width().total_cmp(&b.width());
        let most = |a: &&TextColumn, b: &&TextColumn| {
            a.overlap(block).total_cmp(&b.overlap(block)).then(narrow(b, a))
        };
        let narrowest = self.bands.iter().filter(holds).min_by(narrow);
        let spread = || self.spread().filter(|_| self.is_across(block)).filter(|spread| holds(&spread));
        narrowest.copied().or_else(spread).or_else(|| self.bands.iter().max_by(most).copied())
    }

    /// This style in the columns of another run of pages.
    pub(super) fn in_columns_of(&self, run: &BodyStyle) -> BodyStyle {
        BodyStyle { bands: run.bands.clone(), columns: run.columns, pages: run.pages, ..self.clone() }
    }

    /// True for a block outside every column.
    pub(crate) fn is_beside(&self, block: &TextBlock) -> bool {
        !self.bands.is_empty()
            && self.bands.iter().all(|band| band.overlap(block) < 50.0)
            && !(self.is_across(block) && self.spread().is_some_and(|spread| spread.overlap(block) >= 50.0))
    }

    /// True for a block that is wider than a column, such as an abstract above two columns.
    fn is_across(&self, block: &TextBlock) -> bool {
        let (left, right) = block.extent();
        self.bands.iter().all(|band| right - left > ACROSS_COLUMNS * band.width())
    }

    /// The area of all columns.
    fn spread(&self) -> Option<TextColumn> {
        self.bands.iter().copied().reduce(|a, b| TextColumn {
            left: a.left.min(b.left),
            right: a.right.max(b.right),
            characters: a.characters + b.characters,
        })
    }
}

/// The styles of body text in a document, by runs of pages.
pub(crate) fn find(blocks: &[TextBlock], pages: &[u64], options: &LayoutOptions) -> Vec<BodyStyle> {
    let free: Vec<&TextBlock> = blocks.iter().filter(|block| is_free(block)).collect();
    // Nothing but boxes and tables: any size serves.
    let size = usual_size(&not_code(&free)).unwrap_or(10.0);
    let by_page: Vec<&[&TextBlock]> = free.chunk_by(|a, b| a.page == b.page).collect();
    let mut runs: Vec<(BodyStyle, Vec<&TextBlock>)> = Vec::new();
    let mut next = by_page.into_iter().peekable();
    for &page in pages {
        let of_page = next.next_if(|blocks| blocks[0].page == page).unwrap_or_default();
        let columns = columns(&bands(of_page, size));
        let rotation = of_page.first().and_then(|block| block.lines.first()).map(|line| line.rotation);
        let is_along = |run: &BodyStyle| rotation.is_none_or(|rotation| run.rotation == rotation);
        match runs.last_mut() {
            Some((run, members))
                // A page of tables or figures has no columns and belongs to the pages around it.
                if (columns == 0 || run.columns == columns || run.columns == 0) && is_along(run) =>
            {
                run.columns = run.columns.max(columns);
                run.pages.1 = page;
                members.extend(of_page);
            }
            _ => {
                let rotation = rotation.unwrap_or_default();
                let run = BodyStyle { pages: (page, page), columns, rotation, ..BodyStyle::default() };
                runs.push((run, of_page.to_vec()));
            }
        }
    }
    runs.into_iter().map(|(run, members)| measured(run, &members, size, options)).collect()
}

fn is_free(block: &TextBlock) -> bool {
    block.boxed.is_none() && block.table.is_none() && !block.lines.iter().any(|line| line.is_turned)
}

/// True for letters of one width, as in listings; those of Chinese and Japanese always have one.
fn is_code(block: &TextBlock) -> bool {
    block.face.is_monospace && !block.first_text().contains(is_cjk)
}

/// The blocks that are not in letters of one width, unless hardly anything else is there: listings are no text, even if
/// they are most of a manual.
fn not_code<'b>(blocks: &[&'b TextBlock]) -> Vec<&'b TextBlock> {
    let ems = |blocks: &[&TextBlock]| blocks.iter().map(|block| ems(block)).sum::<usize>();
    let text: Vec<&TextBlock> = blocks.iter().copied().filter(|block| !is_code(block)).collect();
    let is_enough = is_printed(ems(&text), ems(blocks));
    let has_full_lines = text.iter().any(|block| block.wrapped_lines() > 0);
    if is_enough && has_full_lines { text } else { blocks.to_vec() }
}

/// How much text a block has in any script: the length of its lines, in font sizes.
fn ems(block: &TextBlock) -> usize {
    let length: f32 = block.lines.iter().map(|line| line.x1 - line.x0).sum();
    (length / block.size.max(0.1)) as usize
}

/// The font size in which most text is set.
fn usual_size(blocks: &[&TextBlock]) -> Option<f32> {
    let mut sizes: Vec<(f32, usize)> = blocks.iter().map(|block| (block.size, ems(block))).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Sizes within three percent are one: scaling is seldom exact.
    let groups = sizes.chunk_by(|a, b| b.0 <= a.0 * 1.015);
    let total = |group: &&[(f32, usize)]| group.iter().map(|(_, count)| *count).sum::<usize>();
    let most = groups.max_by_key(total)?;
    most.get(most.len() / 2).map(|(size, _)| *size)
}

/// The font in which most text is set, and whether it is bold.
fn usual_face(blocks: &[&TextBlock]) -> (Arc<FontFace>, bool) {
    let mut faces: FxHashMap<(&FontFace, bool), (usize, &Arc<FontFace>)> = FxHashMap::default();
    for block in blocks {
        faces.entry((&block.face, block.is_bold)).or_insert((0, &block.face)).0 += ems(block);
    }
    let most =
        faces.into_iter().max_by_key(|((face, is_bold), (count, _))| (*count, *is_bold, face.name.clone()));
    most.map(|((_, is_bold), (_, face))| (face.clone(), is_bold)).unwrap_or_default()
}

fn is_body(block: &TextBlock, size: f32) -> bool {
    (block.size - size).abs() <= 0.1 * size
}

fn measured(mut run: BodyStyle, blocks: &[&TextBlock], usual: f32, options: &LayoutOptions) -> BodyStyle {
    let of_size = |size: f32| -> usize {
        blocks.iter().filter(|block| is_body(block, size)).map(|block| block.characters()).sum()
    };
    let all: usize = blocks.iter().map(|block| block.characters()).sum();
    // One page of small print has no style of its own, a part such as an appendix may.
    let is_foreign = run.pages.1 > run.pages.0 && of_size(usual) * 100 < all * FOREIGN_SIZE_PERCENT;
    run.size = if is_foreign { usual_size(&not_code(blocks)).unwrap_or(usual) } else { usual };
    run.bands = bands(blocks, run.size);
    let body: Vec<&TextBlock> = blocks.iter().copied().filter(|block| is_body(block, run.size)).collect();
    (run.face, run.is_bold) = usual_face(&not_code(&body));
    let mut leadings: Vec<(f32, usize)> =
        body.iter().filter(|b| is_running(b)).filter_map(|b| Some((b.leading?, b.lines.len()))).collect();
    leadings.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The usual leading of word processors and TeX.
    run.leading = weighted(&leadings, 50).unwrap_or(1.2 * run.size);
    let mut densities: Vec<(f32, usize)> = body
        .iter()
        .filter(|block| block.lines.len() >= 2)
        .map(|block| (block.density, block.lines.len()))
        .collect();
    densities.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share| weighted(&densities, share);
    run.density = at(options.density_low).zip(at(options.density_high)).unwrap_or((0.0, f32::INFINITY));
    run
}

/// True for a block with mostly full lines.
fn is_running(block: &TextBlock) -> bool {
    // The last line of a paragraph is not full.
    block.wrapped_lines() * 2 + 1 >= block.lines.len()
}

/// Widens the measure of blocks to that of their column, because a short block alone does not show how far lines may
/// run.
pub(crate) fn settle(blocks: &mut [TextBlock], baselines: &[BodyStyle], options: &LayoutOptions) {
    for block in blocks.iter_mut().filter(|block| is_free(block)) {
        let Some(run) = of_page(baselines, block.page) else { continue };
        let band = run.band_of(block, options.column_overlap);
        let band = band.filter(|band| band.overlap(block) >= options.column_overlap as f32);
        if let Some(band) = band.filter(|_| is_body(block, run.size)) {
            block.measure.left = block.measure.left.min(band.left);
            block.measure.right = block.measure.right.max(band.right);
        }
    }
}

/// The value at a percentile of sorted values with weights.
fn weighted(values: &[(f32, usize)], share: usize) -> Option<f32> {
    let total: usize = values.iter().map(|(_, weight)| *weight).sum();
    let mut passed = 0;
    let reached = values.iter().find(|(_, weight)| {
        passed += weight;
        passed * 100 >= total * share
    });
    reached.or(values.last()).map(|(value, _)| *value)
}

/// The columns of full lines of body text; columns that nearly agree are one.
fn bands(blocks: &[&TextBlock], size: f32) -> Vec<TextColumn> {
    let mut bands: Vec<TextColumn> = Vec::new();
    for block in blocks.iter().filter(|block| is_body(block, size) && block.wrapped_lines() > 0) {
        let characters = block.characters();
        let (left, right) = (block.measure.left, block.measure.right);
        let near = |band: &TextColumn| {
            (band.left - left).abs() <= 2.5 * size && (band.right - right).abs() <= 2.5 * size
        };
        match bands.iter().position(near) {
            Some(at) => {
                let band = &mut bands[at];
                band.left = band.left.min(left);
                band.right = band.right.max(right);
                band.characters += characters;
            }
            // Each block is compared with all of them.
            None if bands.len() < 200 => bands.push(TextColumn { left, right, characters }),
            None => {}
        }
    }
    let total: usize = bands.iter().map(|band| band.characters).sum();
    let main = bands.iter().max_by_key(|band| band.characters).map_or(0.0, TextColumn::width);
    let is_pair = |a: &TextColumn, b: &TextColumn| {
        let narrow = a.width().min(b.width());
        (a.right <= b.left || b.right <= a.left)
            && (a.width() - b.width()).abs() * 100.0 <= PAIR_TOLERANCE * narrow
            && narrow * 100.0 >= main * MIN_PAIR_WIDTH
    };
    let all = bands.clone();
    bands.retain(|band| {
        let is_wide = band.width() * 100.0 >= main * MIN_COLUMN_WIDTH;
        band.characters * 100 >= total * MIN_COLUMN_SHARE
            && (is_wide || all.iter().any(|other| is_pair(band, other)))
    });
    bands.sort_by(|a, b| a.left.total_cmp(&b.left).then(a.right.total_cmp(&b.right)));
    bands
}

/// The maximum number of columns side by side.
fn columns(bands: &[TextColumn]) -> usize {
    let mut by_end: Vec<&TextColumn> = bands.iter().collect();
    // The most intervals that do not overlap: greedily, by their ends.
    by_end.sort_by(|a, b| a.right.total_cmp(&b.right));
    let (mut count, mut end) = (0, f32::NEG_INFINITY);
    for band in by_end {
        if band.left >= end {
            count += 1;
            end = band.right;
        }
    }
    count
}

/// The style of body text on a page.
pub(super) fn of_page(baselines: &[BodyStyle], page: u64) -> Option<&BodyStyle> {
    let after = baselines.partition_point(|run| run.pages.1 < page);
    baselines.get(after).or(baselines.last())
}

#[cfg(test)]
mod tests;
