//! Widths of composite fonts, kept as the runs of the file: twenty bytes may give a width to four billion glyphs.
//! Source: ISO 32000-2, 9.7.4.3 (glyph metrics in CIDFonts).

use hayro_font::hayro_syntax::object::{Array, Object};

/// The widths of glyphs by their numbers.
#[derive(Debug, Default)]
pub(super) struct GlyphWidths {
    /// Sorted by the first glyph.
    runs: Vec<WidthRun>,
    values: Vec<f32>,
    default: f32,
}

#[derive(Debug)]
struct WidthRun {
    first: u32,
    last: u32,
    /// The index of the run's first value, or of its only one.
    at: usize,
    has_one_width: bool,
}

impl GlyphWidths {
    /// Reads the array of `/W`; `default` is the width of glyphs that are not in it.
    pub(super) fn new(array: Option<&Array<'_>>, default: f32) -> GlyphWidths {
        let mut widths = GlyphWidths { default, ..GlyphWidths::default() };
        let mut items = array.map(|array| array.flex_iter());
        let mut next = || items.as_mut().and_then(|items| items.next::<Object<'_>>());
        while let (Some(first), Some(second)) = (next().and_then(whole), next()) {
            let at = widths.values.len();
            match second {
                Object::Array(each) => {
                    widths.values.extend(each.iter::<f32>());
                    let count = (widths.values.len() - at) as u32;
                    let last = first.saturating_add(count.saturating_sub(1));
                    widths.runs.push(WidthRun { first, last, at, has_one_width: false });
                }
                other => {
                    let (Some(last), Some(width)) = (whole(other), next().and_then(Object::into_f32)) else {
                        break;
                    };
                    widths.values.push(width);
                    widths.runs.push(WidthRun { first, last, at, has_one_width: true });
                }
            }
        }
        widths.runs.sort_by_key(|run| run.first);
        widths
    }

    /// The width of a glyph in thousandths.
    pub(super) fn get(&self, glyph: u32) -> f32 {
        let after = self.runs.partition_point(|run| run.first <= glyph);
        let Some(run) = self.runs[..after].last().filter(|run| glyph <= run.last) else {
            return self.default;
        };
        let at = if run.has_one_width { run.at } else { run.at + (glyph - run.first) as usize };
        self.values.get(at).copied().unwrap_or(self.default)
    }
}

fn whole(object: Object<'_>) -> Option<u32> {
    object.into_f32().filter(|number| (0.0..4.3e9).contains(number)).map(|number| number as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_font::hayro_syntax::object::FromBytes;

    #[test]
    fn runs_are_looked_up_not_unrolled() {
        let array = Array::from_bytes(b"[ 10 [ 250 300 ] 20 4294967295 500 5 [ 100 ] 7 ]").expect("an array");
        let widths = GlyphWidths::new(Some(&array), 1000.0);
        let got: Vec<f32> = [5, 6, 10, 11, 12, 20, 4_000_000_000].map(|glyph| widths.get(glyph)).to_vec();
        assert_eq!(got, [100.0, 1000.0, 250.0, 300.0, 1000.0, 500.0, 500.0]);
    }
}
