//! Reads the pages of a document one after the other: content and annotations become spans and shapes, and, if no
//! layout is requested, paragraphs with their places.

use super::annotations;
use super::budget::DocumentBudget;
use super::font::FontTable;
use super::geometry::Matrix;
use super::interpreter::ContentInterpreter;
use super::layers::LayerVisibility;
use super::recognized::RecognizedPages;
use super::shapes::ShapeCollector;
use super::spans::SpanCollector;
use super::structure::StructureTags;
use super::visibility::{PaintState, PaintedAreas};
use crate::limits::pdf::{MAX_CONTENT_STREAMS, MAX_PAGES, MAX_STREAM_BYTES};
use crate::shared::hidden_text::HiddenText;
use hayro_font::hayro_syntax::Pdf;
use hayro_font::hayro_syntax::object::{Array, Dict, Stream};
use hayro_font::hayro_syntax::page::Page as PdfPage;
use pensieve_text::layout::{LayoutPage, ShapeKind, paragraphs};
use pensieve_text::model::{HiddenReason, Locator, Span};

/// The text of a page and the places of its paragraphs.
#[derive(Debug, Default)]
pub(super) struct PageText {
    /// Paragraphs with blank lines between.
    pub(super) text: String,
    /// One entry for each paragraph.
    pub(super) places: Vec<(Span, Locator)>,
}

/// What the pages read so far contain.
#[derive(Debug)]
pub(super) struct PageCounts {
    /// Glyphs with characters.
    pub(super) mapped: u64,
    /// Glyphs without characters.
    pub(super) unmapped: u64,
    /// Streams that could not be decoded.
    pub(super) unread_streams: u64,
    /// Something was left out because of a limit.
    pub(super) has_left_out: bool,
    /// Pages that were read.
    pub(super) pages: usize,
    /// Pages of these that are a picture without text.
    pub(super) pictures: usize,
}

/// The pages of a document as they are read.
pub(super) struct PageReader<'a, 'b> {
    pdf: &'a Pdf,
    budget: &'b mut DocumentBudget,
    recognized: &'b RecognizedPages,
    fonts: FontTable<'a>,
    layers: LayerVisibility,
    spans: SpanCollector,
    shapes: ShapeCollector,
    areas: PaintedAreas,
    hidden: HiddenText,
    tags: StructureTags,
    next: usize,
    pictures: usize,
}

impl<'a, 'b> PageReader<'a, 'b> {
    /// A reader before the first page. Pages without text have what was recognised on them.
    pub(super) fn new(
        pdf: &'a Pdf,
        budget: &'b mut DocumentBudget,
        recognized: &'b RecognizedPages,
    ) -> PageReader<'a, 'b> {
        let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
        let layers = LayerVisibility::new(&catalog);
        PageReader {
            pdf,
            fonts: FontTable::new(budget.decoder.clone()),
            budget,
            recognized,
            layers,
            spans: SpanCollector::default(),
            shapes: ShapeCollector::default(),
            areas: PaintedAreas::default(),
            hidden: HiddenText::default(),
            tags: StructureTags::new(pdf, &catalog),
            next: 0,
            pictures: 0,
        }
    }

    /// The text of the next page.
    pub(super) fn next_text(&mut self) -> Option<PageText> {
        self.next_page().map(|page| text_of(&page, self.recognized.contains(page.number)))
    }

    /// The next page.
    pub(super) fn next_page(&mut self) -> Option<LayoutPage> {
        let page = self.pdf.pages().get(self.next)?;
        if self.next == MAX_PAGES || self.budget.is_used_up() {
            self.budget.has_left_out = true;
            return None;
        }
        self.next += 1;
        let mut page = self.spans_of(page);
        self.recognized.add_to(&mut page);
        self.pictures += usize::from(page.spans.is_empty() && is_picture(&page));
        Some(page)
    }

    /// The text that nobody can see, so far.
    pub(super) fn take_hidden(&mut self) -> HiddenText {
        std::mem::take(&mut self.hidden)
    }

    /// What was read so far.
    pub(super) fn counts(&self) -> PageCounts {
        PageCounts {
            mapped: self.spans.mapped,
            unmapped: self.spans.unmapped,
            unread_streams: self.spans.unread_streams + self.budget.decoder.damaged(),
            has_left_out: self.budget.was_exceeded(),
            pages: self.next,
            pictures: self.pictures,
        }
    }

    fn spans_of(&mut self, page: &'a PdfPage<'a>) -> LayoutPage {
        let (width, height) = page.render_dimensions();
        let matrix = Matrix(page.initial_transform(true).as_coeffs());
        self.tags.page = self.next as u64;
        self.budget.start_page();
        self.spans.start_page(f64::from(width), f64::from(height));
        self.areas.clear();
        let content = self.content(page);
        let mut interpreter = ContentInterpreter {
            fonts: &mut self.fonts,
            budget: &mut *self.budget,
            layers: &self.layers,
            spans: &mut self.spans,
            shapes: &mut self.shapes,
            tags: &self.tags,
            areas: &mut self.areas,
            paint: PaintState::START,
        };
        interpreter.run(&content, page.resources(), matrix, 0);
        let notes = annotations::draw(&mut interpreter, page, &matrix);
        let (spans, hidden) = self.spans.finish_page(&self.areas);
        let (number, shapes) = (self.next as u64, self.shapes.take());
        let mut page = LayoutPage { number, width, height, spans, shapes, notes };
        // What a picture of a page has beside it and nobody sees is what the picture says.
        let is_scan = page.spans.is_empty() && is_picture(&page);
        let is_on_page = |reason| {
            !matches!(reason, HiddenReason::NotDisplayed | HiddenReason::OffPage | HiddenReason::Clipped)
        };
        for (reason, span) in hidden {
            match is_scan && is_on_page(reason) {
                true => page.spans.push(span),
                false => self.hidden.add(reason, Some(&Locator::page(number)), &span.text),
            }
        }
        page
    }

    /// The content streams of a page, one after the other: an operator may start in one and end in the next.
    fn content(&mut self, page: &PdfPage<'a>) -> Vec<u8> {
        let decoder = &self.budget.decoder;
        let (mut content, mut unread) = (Vec::new(), 0);
        let mut add = |stream: Stream<'_>| match decoder.decode(&stream) {
            Ok(data) if content.is_empty() => content = data.into_owned(),
            Ok(data) if content.len() + data.len() <= MAX_STREAM_BYTES => {
                content.push(b'\n');
                content.extend_from_slice(&data);
            }
            Ok(_) => self.budget.has_left_out = true,
            // The decoder has noted it.
            Err(_) => {}
        };
        if let Some(stream) = page.raw().get::<Stream<'_>>("Contents") {
            add(stream);
        } else if let Some(streams) = page.raw().get::<Array<'_>>("Contents") {
            let named = streams.raw_iter().take(MAX_CONTENT_STREAMS).count();
            let found: Vec<Stream<'_>> = streams.iter().take(MAX_CONTENT_STREAMS).collect();
            let missing = named.saturating_sub(found.len()) as u64;
            found.into_iter().for_each(&mut add);
            unread += missing;
        } else if page.raw().get_ref("Contents").is_some() {
            unread = 1;
        }
        self.spans.unread_streams += unread;
        content
    }
}

/// Percent of a page that a picture covers if it is the picture of the page.
const PICTURE_PERCENT: f32 = 60.0;

/// True if one picture is most of the page.
fn is_picture(page: &LayoutPage) -> bool {
    let area = |[left, top, right, bottom]: [f32; 4]| (right - left).max(0.0) * (bottom - top).max(0.0);
    let whole = page.width * page.height;
    page.shapes
        .iter()
        .any(|shape| shape.kind == ShapeKind::Image && area(shape.bbox) * 100.0 >= whole * PICTURE_PERCENT)
}

/// The paragraphs of a page in reading order; `ocr` if its text was recognised.
fn text_of(page: &LayoutPage, ocr: bool) -> PageText {
    let mut out = PageText::default();
    let notes = page.notes.iter().map(|note| (note.text.clone(), note.bbox));
    let paragraphs =
        paragraphs(page).into_iter().map(|paragraph| (paragraph.text, paragraph.bounds.to_array()));
    for (text, bounds) in paragraphs.chain(notes) {
        if !out.text.is_empty() {
            out.text.push_str("\n\n");
        }
        let start = out.text.len();
        out.text.push_str(&text);
        let bbox = Some(Box::new(bounds));
        let place = Locator::Pages { first: page.number, last: page.number, bbox, ocr };
        out.places.push((Span::new(start, out.text.len()), place));
    }
    out
}
