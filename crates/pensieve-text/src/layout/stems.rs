//! Bold by measure: a line whose stems are much wider than those of the body's font is bold, whatever its font is
//! called. Only fonts that state their stems are compared.

use super::input::page::FontFace;
use super::lines::text_line::{RegionEntry, TextLine};
use super::ordered_page::{InsetContent, OrderedPage};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Percent of the body's stems from which a line is bold. Bold cuts have 145 to 170, italic ones and other families up
/// to 130.
const BOLD_PERCENT: u32 = 138;

/// Percent of the body's font size below which stems are wide only because the letters are small.
const MIN_SIZE_PERCENT: f32 = 75.0;

/// Marks the lines as bold whose stems are much wider than those of most text.
pub(super) fn mark_bold(sheets: &mut [OrderedPage]) {
    let Some((body, size)) = body(sheets) else { return };
    for line in sheets.iter_mut().flat_map(lines_mut).filter(|line| !line.is_bold) {
        let is_wide = u32::from(line.stem) * 100 >= u32::from(body) * BOLD_PERCENT;
        line.is_bold = is_wide && line.size * 100.0 >= size * MIN_SIZE_PERCENT;
    }
}

/// The stems and the size of the font in which most characters are set; nothing if it does not state its stems.
fn body(sheets: &[OrderedPage]) -> Option<(u16, f32)> {
    let mut uses: FxHashMap<(&Arc<FontFace>, i64), usize> = FxHashMap::default();
    let free = sheets.iter().flat_map(|sheet| sheet.regions.iter().flatten());
    for entry in free {
        if let RegionEntry::Line(line) = entry {
            *uses.entry((&line.face, (line.size * 10.0) as i64)).or_default() += line.text.len();
        }
    }
    let most = uses.into_iter().max_by_key(|((face, size), count)| (*count, *size, face.name.clone()));
    most.map(|((face, size), _)| (face.stem, size as f32 / 10.0)).filter(|(stem, _)| *stem > 0)
}

fn lines_mut(sheet: &mut OrderedPage) -> impl Iterator<Item = &mut TextLine> {
    let free = sheet.regions.iter_mut().flatten().filter_map(|entry| match entry {
        RegionEntry::Line(line) => Some(line),
        RegionEntry::Inset(_) => None,
    });
    let boxed = sheet.insets.iter_mut().flat_map(|content| match content {
        InsetContent::Box(regions) => regions.iter_mut().flatten().collect::<Vec<_>>(),
        InsetContent::Table(_) => Vec::new(),
    });
    free.chain(boxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_wide_stems_are_bold() {
        let face = |stem| Arc::new(FontFace { name: format!("F{stem}"), stem, ..FontFace::default() });
        let line = |text: &str, stem, size| {
            let text = text.to_owned();
            RegionEntry::Line(TextLine { text, face: face(stem), stem, size, ..TextLine::default() })
        };
        let check = |body: u16, other: u16, size: f32, expected: bool| {
            let lines = vec![line("most of the text of the page", body, 10.0), line("Title", other, size)];
            let mut sheets = [OrderedPage { regions: vec![lines], ..OrderedPage::default() }];
            mark_bold(&mut sheets);
            let found: Vec<bool> = sheets.iter_mut().flat_map(lines_mut).map(|line| line.is_bold).collect();
            assert_eq!(found, [false, expected], "{body} {other} {size}");
        };
        check(69, 114, 10.0, true);
        check(84, 123, 10.0, true);
        check(69, 89, 10.0, false);
        check(69, 106, 5.0, false);
        check(0, 140, 10.0, false);
        check(85, 0, 10.0, false);
    }
}
