//! The thresholds of the layout, one field each. Shares are whole percents, so that a report can be checked by hand.
//! Defaults are those of `default.toml`, and a test keeps them equal.

use super::cues;
use crate::model::RecipeLine;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Each threshold with the values that it may have, and its default.
macro_rules! thresholds {
    ($($(#[$doc:meta])* $name:ident: $least:literal..=$most:literal = $default:literal;)+) => {
        /// The thresholds of the layout: keys of `[pdf.layout]`.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct LayoutOptions {
            $($(#[$doc])* pub $name: usize,)+
            /// The user's cues: `word = subtype`.
            pub cues: Vec<String>,
        }

        impl Default for LayoutOptions {
            fn default() -> LayoutOptions {
                LayoutOptions { $($name: $default,)+ cues: Vec::new() }
            }
        }

        impl LayoutOptions {
            /// The keys that are numbers, with their bounds.
            pub const BOUNDS: &[(&str, RangeInclusive<u64>)] =
                &[$((concat!("pdf.layout.", stringify!($name)), $least..=$most)),+];

            /// What the layout of pages depends on.
            pub fn recipe_lines(&self) -> Vec<RecipeLine> {
                let numbers = [$((concat!("pdf.layout.", stringify!($name)), self.$name.to_string())),+];
                numbers.into_iter().chain([("pdf.layout.cues", self.cues.join(", "))]).collect()
            }
        }
    };
}

thresholds! {
    /// Pages on which a line must be repeated to be a header or footer.
    furniture_pages: 2..=1000 = 5;
    /// Percent of the pages that suffice in a short document.
    furniture_share: 0..=100 = 50;
    /// Percent of the page's height, at the top and at the bottom, that can contain headers and footers.
    furniture_band: 0..=50 = 12;
    /// Percent of a block's width that must lie in its column.
    column_overlap: 0..=100 = 90;
    /// Percent of the column's width that wrapped lines must reach.
    column_width: 0..=100 = 80;
    /// Percent by which the font size may differ from the body's.
    size_tolerance: 0..=100 = 10;
    /// Percent by which the distance of lines may differ from the body's.
    line_height_tolerance: 0..=100 = 12;
    /// The percentile of the density of body lines below which a block is too sparse.
    density_low: 0..=100 = 20;
    /// The percentile above which it is too dense.
    density_high: 0..=100 = 80;
    /// Percent by which a block's density may lie outside these percentiles.
    density_tolerance: 0..=1000 = 30;
    /// Percent of the body's font size from which a line of its own is a heading.
    heading_size: 100..=1000 = 112;
    /// Percent of a document's text that must be running lines if it is to count as prose.
    prose_share: 0..=100 = 35;
    /// Maximum percent of the page's area that a box may have.
    box_share: 0..=100 = 85;
    /// Minimum rows of an unruled table.
    table_rows: 2..=1000 = 3;
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
pub(crate) fn percent(of: f64, share: usize) -> f64 {
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
