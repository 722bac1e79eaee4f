//! Pages one after the other: their streams are run, their spans put in order, their paragraphs written and placed.

use super::annotations;
use super::budget::Budget;
use super::font::Fonts;
use super::geometry::Matrix;
use super::interpret::Interpreter;
use super::layers::Layers;
use super::shapes::Shapes;
use super::spans::Spans;
use crate::limits::pdf::{MAX_PAGES, MAX_STREAM_BYTES};
use hayro_font::hayro_syntax::Pdf;
use hayro_font::hayro_syntax::object::{Array, Dict, Stream};
use hayro_font::hayro_syntax::page::Page as PdfPage;
use pensieve_text::layout::{LayoutPage, paragraphs};
use pensieve_text::model::{Locator, Span};

/// Streams of one page's content.
const MAX_STREAMS: usize = 20_000;

/// The text of a page and where its paragraphs stand.
#[derive(Debug, Default)]
pub(super) struct PageText {
    /// Paragraphs with blank lines between.
    pub(super) text: String,
    /// One entry a paragraph.
    pub(super) places: Vec<(Span, Locator)>,
}

/// What was seen in all pages.
#[derive(Debug)]
pub(super) struct Seen {
    /// Glyphs with characters.
    pub(super) mapped: u64,
    /// Glyphs without.
    pub(super) unmapped: u64,
    /// Streams that could not be decoded.
    pub(super) unread_streams: u64,
    /// Something was left out to stay within limits.
    pub(super) is_short: bool,
    /// How many pages there are.
    pub(super) pages: usize,
}

/// The pages of a document as they are read.
pub(super) struct Pages<'a, 'b> {
    pdf: &'a Pdf,
    budget: &'b mut Budget,
    fonts: Fonts<'a>,
    layers: Layers,
    spans: Spans,
    shapes: Shapes,
    next: usize,
}

impl<'a, 'b> Pages<'a, 'b> {
    /// Before the first page.
    pub(super) fn new(pdf: &'a Pdf, budget: &'b mut Budget) -> Pages<'a, 'b> {
        let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
        let layers = Layers::new(&catalog);
        Pages {
            pdf,
            fonts: Fonts::new(budget.streams.clone()),
            budget,
            layers,
            spans: Spans::default(),
            shapes: Shapes::default(),
            next: 0,
        }
    }

    /// The text of the next page.
    pub(super) fn next_text(&mut self) -> Option<PageText> {
        self.next_page().map(|page| text_of(&page))
    }

    /// The next page.
    pub(super) fn next_page(&mut self) -> Option<LayoutPage> {
        let page = self.pdf.pages().get(self.next)?;
        if self.next == MAX_PAGES || self.budget.is_spent() {
            self.budget.is_short = true;
            return None;
        }
        self.next += 1;
        Some(self.spans_of(page))
    }

    /// What was seen so far.
    pub(super) fn seen(&self) -> Seen {
        Seen {
            mapped: self.spans.mapped,
            unmapped: self.spans.unmapped,
            unread_streams: self.spans.unread_streams,
            is_short: self.budget.was_exceeded(),
            pages: self.next,
        }
    }

    fn spans_of(&mut self, page: &'a PdfPage<'a>) -> LayoutPage {
        let (width, height) = page.render_dimensions();
        let matrix = Matrix(page.initial_transform(true).as_coeffs());
        self.budget.start_page();
        self.spans.start_page(f64::from(width), f64::from(height));
        let content = self.content(page);
        let mut interpreter = Interpreter {
            fonts: &mut self.fonts,
            budget: &mut *self.budget,
            layers: &self.layers,
            spans: &mut self.spans,
            shapes: &mut self.shapes,
        };
        interpreter.run(&content, page.resources(), matrix, 0);
        annotations::draw(&mut interpreter, page, &matrix);
        let (spans, shapes) = (self.spans.finish_page(), self.shapes.take());
        LayoutPage { number: self.next as u64, width, height, spans, shapes }
    }

    /// The content streams of a page, one after the other: an operator may start in one and end in the next.
    fn content(&mut self, page: &PdfPage<'a>) -> Vec<u8> {
        let streams = &self.budget.streams;
        let mut content = Vec::new();
        let mut add = |stream: Stream<'_>| match streams.decode(&stream) {
            Ok(data) if content.is_empty() => content = data.into_owned(),
            Ok(data) if content.len() + data.len() <= MAX_STREAM_BYTES => {
                content.push(b'\n');
                content.extend_from_slice(&data);
            }
            Ok(_) => self.budget.is_short = true,
            Err(_) => self.spans.unread_streams += 1,
        };
        if let Some(stream) = page.raw().get::<Stream<'_>>("Contents") {
            add(stream);
        } else if let Some(streams) = page.raw().get::<Array<'_>>("Contents") {
            streams.iter::<Stream<'_>>().take(MAX_STREAMS).for_each(add);
        }
        content
    }
}

/// The paragraphs of a page in reading order.
fn text_of(page: &LayoutPage) -> PageText {
    let mut out = PageText::default();
    for paragraph in paragraphs(page) {
        if !out.text.is_empty() {
            out.text.push_str("\n\n");
        }
        let start = out.text.len();
        out.text.push_str(&paragraph.text);
        let bbox = Some(Box::new(paragraph.bounds.to_array()));
        let place = Locator::Pages { first: page.number, last: page.number, bbox };
        out.places.push((Span::new(start, out.text.len()), place));
    }
    out
}
