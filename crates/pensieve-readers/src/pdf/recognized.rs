//! Text that a program has recognised on the pictures of pages, as spans of the pages.

use crate::settings::{ReadSettings, RecognizedLine, RecognizedPage};
use pensieve_text::layout::{FontFace, LayoutPage, TextSpan};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lines whose letters differ less than this from those of most lines have the same size: measured sizes vary.
const SAME_SIZE: f32 = 0.15;

/// Part of the letters' size by which they reach above and below their line together.
const LINE_HEIGHT: f32 = 1.2;

/// The recognised pages of a document, by their numbers.
#[derive(Debug, Default)]
pub(super) struct RecognizedPages {
    pages: BTreeMap<u64, RecognizedPage>,
    /// The size of most letters, as a part of the page's height.
    usual_size: f32,
    font: Arc<FontFace>,
}

impl RecognizedPages {
    /// Of the settings of a reader.
    pub(super) fn new(settings: &ReadSettings) -> RecognizedPages {
        let pages: BTreeMap<u64, RecognizedPage> = settings
            .recognized
            .iter()
            .filter(|page| page.width > 0.0 && page.height > 0.0)
            .map(|page| (page.page, page.clone()))
            .collect();
        let font = FontFace { name: "recognized".to_owned(), weight: 400, ..FontFace::default() };
        RecognizedPages { usual_size: usual_size(&pages), pages, font: Arc::new(font) }
    }

    /// Gives a page without text its recognised text.
    pub(super) fn add_to(&self, page: &mut LayoutPage) {
        if let Some(found) = self.pages.get(&page.number).filter(|_| page.spans.is_empty()) {
            page.spans = found.lines.iter().map(|line| self.span(line, found, page)).collect();
        }
    }

    /// True if the text of the page was recognised.
    pub(super) fn contains(&self, page: u64) -> bool {
        self.pages.contains_key(&page)
    }

    /// The pages; with a box in points for those whose lines have none.
    pub(super) fn boxes(&self) -> BTreeMap<u64, Option<[f32; 4]>> {
        let page_box =
            |page: &RecognizedPage| (!page.has_boxes).then_some([0.0, 0.0, page.width, page.height]);
        self.pages.iter().map(|(number, page)| (*number, page_box(page))).collect()
    }

    fn span(&self, line: &RecognizedLine, found: &RecognizedPage, page: &LayoutPage) -> TextSpan {
        let (across, down) = (page.width / found.width, page.height / found.height);
        let [left, top, right, bottom] = line.bbox;
        let bbox = [left * across, top * down, right * across, bottom * down];
        let usual = self.usual_size * found.height;
        let is_usual = (line.size - usual).abs() <= SAME_SIZE * usual;
        let size = if is_usual { usual } else { line.size } * down;
        TextSpan {
            text: line.text.clone(),
            font: Arc::clone(&self.font),
            size,
            rotation: 0.0,
            origin: [bbox[0], line.baseline * down],
            length: bbox[2] - bbox[0],
            bbox,
            line_height: size * LINE_HEIGHT,
            is_invisible: true,
            is_vertical: false,
            gaps: Vec::new(),
            tag: None,
        }
    }
}

/// The median of the sizes, each line counted as often as it has characters.
fn usual_size(pages: &BTreeMap<u64, RecognizedPage>) -> f32 {
    let line =
        |page: &RecognizedPage, line: &RecognizedLine| (line.size / page.height, line.text.chars().count());
    let mut sizes: Vec<(f32, usize)> =
        pages.values().flat_map(|page| page.lines.iter().map(move |found| line(page, found))).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let middle = sizes.iter().map(|size| size.1).sum::<usize>() / 2;
    let mut before = 0;
    let median = sizes.iter().find(|size| {
        before += size.1;
        before > middle
    });
    median.map_or(0.0, |size| size.0)
}
