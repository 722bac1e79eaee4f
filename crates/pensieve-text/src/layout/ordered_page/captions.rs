//! Captions of tables that are wider than a column. Such a caption may stand at the left edge, in the width of the column
//! above it, and would be read with that.

use crate::layout::input::cues::is_table_caption;
use crate::layout::input::positioned_span::PositionedSpan;

/// Maximum lines of a caption.
const MAX_LINES: usize = 4;

/// Maximum distance, in font sizes, of a caption from its table.
const MAX_DISTANCE: f32 = 2.5;

/// Puts captions at the ends of regions before the table below them that reaches beyond their column.
pub(super) fn join_tables(regions: &mut Vec<Vec<PositionedSpan<'_>>>) {
    let mut at = 0;
    while at + 2 < regions.len() {
        if let Some((base, table)) = caption_of(regions, at) {
            let is_above = |span: &PositionedSpan<'_>| span.base < base - 0.5 * span.size;
            let (above, caption) = regions[at].iter().copied().partition(is_above);
            regions[at] = above;
            regions.insert(table, caption);
        }
        at += 1;
    }
    regions.retain(|region| !region.is_empty());
}

/// The baseline from which on a region is a caption, and the region of its table.
fn caption_of(regions: &[Vec<PositionedSpan<'_>>], at: usize) -> Option<(f32, usize)> {
    let region = &regions[at];
    let label = region.iter().filter(|span| span.stands_for.is_none() && is_table_caption(&span.source.text));
    let label = label.max_by(|a, b| a.base.total_cmp(&b.base))?;
    let bottom = extreme(region, |span| span.bottom(), f32::max);
    let right = extreme(region, |span| span.x1, f32::max);
    let is_low = |span: &&PositionedSpan<'_>| span.base > label.base - 0.5 * span.size;
    let lines = region.iter().filter(is_low);
    // What is beside the label on its line, or a box below it, is more than a caption.
    if bottom - label.bottom() > MAX_LINES as f32 * 1.5 * label.size
        || lines.clone().any(|span| span.stands_for.is_some() || span.x0 < label.x0 - label.size)
    {
        return None;
    }
    let is_table = |other: &Vec<PositionedSpan<'_>>| {
        let distance = extreme(other, |span| span.top(), f32::min) - bottom;
        (-0.5 * label.size..MAX_DISTANCE * label.size).contains(&distance)
            && extreme(other, |span| span.x0, f32::min) < label.x0 + label.size
            && extreme(other, |span| span.x1, f32::max) > right + label.size
    };
    // The next region follows anyway.
    let table = (at + 2..regions.len()).find(|other| is_table(&regions[*other]))?;
    Some((label.base, table))
}

fn extreme(
    region: &[PositionedSpan<'_>],
    edge: impl Fn(&PositionedSpan<'_>) -> f32,
    further: fn(f32, f32) -> f32,
) -> f32 {
    region.iter().map(edge).reduce(further).unwrap_or(f32::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::input::page::TextSpan;

    /// A left column that ends with a text, a right column, and a text below both from and to these places: the order in which
    /// they are read.
    fn check(last: &str, below: [f32; 3], expected: &[&str]) {
        let drawn = [
            vec![("left", 10.0, 100.0, 200.0), (last, 10.0, 130.0, 120.0)],
            vec![("right", 220.0, 100.0, 400.0)],
            vec![("rows", below[0], below[2], below[1])],
        ];
        let drawn: Vec<Vec<TextSpan>> = drawn
            .iter()
            .map(|region| {
                let span = |(text, x0, base, x1): &(&str, f32, f32, f32)| {
                    TextSpan::drawn(text, [*x0, *base], x1 - x0, 10.0)
                };
                region.iter().map(span).collect()
            })
            .collect();
        let mut regions: Vec<Vec<PositionedSpan<'_>>> =
            drawn.iter().map(|region| region.iter().map(PositionedSpan::of).collect()).collect();
        join_tables(&mut regions);
        let texts: Vec<&str> = regions.iter().flatten().map(|span| span.source.text.as_str()).collect();
        assert_eq!(texts, expected, "{last} {below:?}");
    }

    #[test]
    fn the_caption_of_a_wide_table_is_read_before_it() {
        let in_place = ["left", "Table 2. Oil", "right", "rows"];
        check("Table 2. Oil", [10.0, 400.0, 150.0], &["left", "right", "Table 2. Oil", "rows"]);
        // A table in the column, one far below, one in the other column, and no caption.
        check("Table 2. Oil", [10.0, 200.0, 150.0], &in_place);
        check("Table 2. Oil", [10.0, 400.0, 180.0], &in_place);
        check("Table 2. Oil", [220.0, 400.0, 150.0], &in_place);
        check("Oil", [10.0, 400.0, 150.0], &["left", "Oil", "right", "rows"]);
    }
}
