//! Widths of composite fonts, kept as the runs in which the file writes them: a run may claim four thousand million
//! glyphs in twenty bytes. Source: ISO 32000-2, 9.7.4.3 (glyph metrics in CIDFonts).

use hayro_font::hayro_syntax::object::{Array, Object};

/// Widths of glyphs by their number.
#[derive(Debug, Default)]
pub(super) struct Widths {
    /// Sorted by the first number.
    runs: Vec<Run>,
    values: Vec<f32>,
    default: f32,
}

#[derive(Debug)]
struct Run {
    first: u32,
    last: u32,
    /// Where the run's own values start; of a run with one width only that one.
    at: usize,
    has_one_width: bool,
}

impl Widths {
    /// From the array of `/W`, with the width of everything that is not in it.
    pub(super) fn new(array: Option<&Array<'_>>, default: f32) -> Widths {
        let mut widths = Widths { default, ..Widths::default() };
        let mut items = array.map(|array| array.flex_iter());
        let mut next = || items.as_mut().and_then(|items| items.next::<Object<'_>>());
        while let (Some(first), Some(second)) = (next().and_then(whole), next()) {
            let at = widths.values.len();
            match second {
                Object::Array(each) => {
                    widths.values.extend(each.iter::<f32>());
                    let count = (widths.values.len() - at) as u32;
                    let last = first.saturating_add(count.saturating_sub(1));
                    widths.runs.push(Run { first, last, at, has_one_width: false });
                }
                other => {
                    let (Some(last), Some(width)) = (whole(other), next().and_then(Object::into_f32)) else {
                        break;
                    };
                    widths.values.push(width);
                    widths.runs.push(Run { first, last, at, has_one_width: true });
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
        let widths = Widths::new(Some(&array), 1000.0);
        let got: Vec<f32> = [5, 6, 10, 11, 12, 20, 4_000_000_000].map(|glyph| widths.get(glyph)).to_vec();
        assert_eq!(got, [100.0, 1000.0, 250.0, 300.0, 1000.0, 500.0, 500.0]);
    }
}
