//! The thresholds of the layout, one field each. Shares are whole percents, so that a report can be checked by hand.
//! Defaults are those of `default.toml`, and a test keeps them equal.

use super::cues;
use crate::model::RecipeLine;
use serde::{Deserialize, Serialize};

/// The thresholds of the layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LayoutOptions {
    /// Pages on which a line must be repeated to be a header or footer.
    pub furniture_pages: usize,
    /// Percent of the pages that suffice in a short document.
    pub furniture_share: usize,
    /// Percent of the page's height, at the top and at the bottom, that can contain headers and footers.
    pub furniture_band: usize,
    /// Percent of a block's width that must lie in its column.
    pub column_overlap: usize,
    /// Percent of the column's width that wrapped lines must reach.
    pub column_width: usize,
    /// Percent by which the font size may differ from the body's.
    pub size_tolerance: usize,
    /// Percent by which the distance of lines may differ from the body's.
    pub line_height_tolerance: usize,
    /// The percentile of the density of body lines below which a block is too sparse.
    pub density_low: usize,
    /// The percentile above which it is too dense.
    pub density_high: usize,
    /// Percent by which a block's density may lie outside these percentiles.
    pub density_tolerance: usize,
    /// Percent of the body's font size from which a line of its own is a heading.
    pub heading_size: usize,
    /// Percent of a document's text that must be running lines if it is to count as prose.
    pub prose_share: usize,
    /// Maximum percent of the page's area that a box may have.
    pub box_share: usize,
    /// Minimum rows of an unruled table.
    pub table_rows: usize,
    /// The user's cues: `word = subtype`.
    pub cues: Vec<String>,
}

impl LayoutOptions {
    /// What the layout of pages depends on.
    pub fn recipe_lines(&self) -> Vec<RecipeLine> {
        // Every field by name: a new one must be here too.
        let LayoutOptions {
            furniture_pages,
            furniture_share,
            furniture_band,
            column_overlap,
            column_width,
            size_tolerance,
            line_height_tolerance,
            density_low,
            density_high,
            density_tolerance,
            heading_size,
            prose_share,
            box_share,
            table_rows,
            cues,
        } = self;
        let numbers = [
            ("pdf.layout.furniture_pages", furniture_pages),
            ("pdf.layout.furniture_share", furniture_share),
            ("pdf.layout.furniture_band", furniture_band),
            ("pdf.layout.column_overlap", column_overlap),
            ("pdf.layout.column_width", column_width),
            ("pdf.layout.size_tolerance", size_tolerance),
            ("pdf.layout.line_height_tolerance", line_height_tolerance),
            ("pdf.layout.density_low", density_low),
            ("pdf.layout.density_high", density_high),
            ("pdf.layout.density_tolerance", density_tolerance),
            ("pdf.layout.heading_size", heading_size),
            ("pdf.layout.prose_share", prose_share),
            ("pdf.layout.box_share", box_share),
            ("pdf.layout.table_rows", table_rows),
        ];
        let mut lines: Vec<RecipeLine> =
            numbers.into_iter().map(|(name, number)| (name, number.to_string())).collect();
        lines.push(("pdf.layout.cues", cues.join(", ")));
        lines
    }
}

impl Default for LayoutOptions {
    fn default() -> LayoutOptions {
        LayoutOptions {
            furniture_pages: 5,
            furniture_share: 50,
            furniture_band: 12,
            column_overlap: 90,
            column_width: 80,
            size_tolerance: 10,
            line_height_tolerance: 12,
            density_low: 20,
            density_high: 80,
            density_tolerance: 30,
            heading_size: 112,
            prose_share: 35,
            box_share: 85,
            table_rows: 3,
            cues: Vec::new(),
        }
    }
}

impl LayoutOptions {
    /// The first of the user's cues that is not `word = subtype`.
    pub fn malformed_cue(&self) -> Option<&str> {
        self.cues.iter().map(String::as_str).find(|entry| cues::parsed(entry).is_none())
    }
}

/// How the chunks of a document with layout are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct WindowOptions {
    /// Maximum tokens of a window.
    #[serde(rename = "window_tokens")]
    pub window: usize,
    /// Maximum tokens that a window repeats from the previous one.
    #[serde(rename = "overlap_tokens")]
    pub overlap: usize,
    /// Minimum tokens that it repeats, if sentences allow.
    #[serde(rename = "min_overlap_tokens")]
    pub min_overlap: usize,
}

impl Default for WindowOptions {
    fn default() -> WindowOptions {
        WindowOptions { window: 500, overlap: 80, min_overlap: 40 }
    }
}

impl WindowOptions {
    /// These options limited to `ceiling` tokens per window, and to overlaps of less than half a window.
    pub fn under(self, ceiling: usize) -> WindowOptions {
        let window = self.window.clamp(1, ceiling.max(1));
        let overlap = self.overlap.min(window.saturating_sub(1) / 2);
        WindowOptions { window, overlap, min_overlap: self.min_overlap.min(overlap) }
    }
}

/// Percent of a number.
pub(super) fn percent(of: f64, share: usize) -> f64 {
    of * share as f64 / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cue_is_a_word_and_a_subtype() {
        let check = |entry: &str, is_sound: bool| {
            let options = LayoutOptions { cues: vec![entry.to_owned()], ..LayoutOptions::default() };
            assert_eq!(options.malformed_cue().is_none(), is_sound, "{entry}");
        };
        check("Merksatz = callout", true);
        check("In a nutshell=list-of-terms", true);
        check("Merksatz", false);
        check("= callout", false);
        check("Merksatz =", false);
        check("Merksatz = merksatz", false);
        check("Merksatz = furniture", false);
        check(&format!("{} = callout", "long ".repeat(10)), false);
    }

    #[test]
    fn the_ceiling_limits_windows_and_windows_limit_overlaps() {
        let check = |window, overlap, ceiling, expected| {
            let under = WindowOptions { window, overlap, min_overlap: 40 }.under(ceiling);
            assert_eq!((under.window, under.overlap, under.min_overlap), expected);
        };
        check(500, 80, 512, (500, 80, 40));
        check(500, 80, 128, (128, 63, 40));
        check(500, 80, 16, (16, 7, 7));
        check(0, 80, 0, (1, 0, 0));
        check(500, 400, 512, (500, 249, 40));
    }
}
