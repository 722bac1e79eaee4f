//! Pages through the layout: what a file draws goes in page by page, laid out parts come out, as units or as the text of
//! a document whose places tell role, section and sentence. The layout itself is [`pensieve_text::layout`].

use super::budget::Budget;
use super::render::Pages;
use super::{HAND_OVER, document_of, open, outline, review_reasons};
use crate::settings::{PdfOptions, ReadSettings};
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::layout::{
    LayoutBatch, LayoutComposer, LayoutCounters, LayoutPage, LayoutStage, LayoutViolation, OutlineEntry,
    SuppressedLine, UnitWriter,
};
use pensieve_text::model::{Document, Problem, ProblemKind, ReviewReason, ReviewReasonKind, Segment};
use std::fmt::Write;

/// What was left out is listed up to so many texts.
const MAX_LISTED: usize = 200;

/// What the asker wants of a document while it is laid out.
pub struct Reading<'r> {
    /// Takes each page as it is read.
    pub page: &'r mut dyn FnMut(&LayoutPage),
    /// Takes each part when it is laid out.
    pub part: &'r mut dyn FnMut(LayoutBatch) -> Result<(), Problem>,
    /// Is told when a step has ended.
    pub stage: &'r mut dyn FnMut(LayoutStage),
}

/// Reads a PDF file and lays it out.
///
/// # Errors
/// As [`super::read`], and what the asker says of a part.
pub fn lay_out(bytes: Vec<u8>, options: &PdfOptions, reading: Reading<'_>) -> Result<Document, Problem> {
    let mut budget = Budget::new();
    let pdf = open::open(bytes, &options.passwords, &budget.streams)?;
    let mut document = document_of(&pdf, &budget.streams);
    let mut composer = LayoutComposer::new(&options.thresholds, outline::entries(&pdf));
    let mut pages = Pages::new(&pdf, &mut budget);
    let mut has_text = false;
    while let Some(page) = pages.next_page() {
        has_text |= !page.spans.is_empty();
        (reading.page)(&page);
        let is_full = composer.push(&page);
        (reading.stage)(LayoutStage::Reading);
        if is_full {
            (reading.part)(composed(&mut composer, reading.stage)?)?;
        }
    }
    (reading.part)(composed(&mut composer, reading.stage)?)?;
    document.review_reasons = review_reasons(&pages, has_text);
    Ok(document)
}

fn composed(
    composer: &mut LayoutComposer,
    stage: &mut dyn FnMut(LayoutStage),
) -> Result<LayoutBatch, Problem> {
    composer
        .compose(stage)
        .map_err(|error| Problem::new(ProblemKind::ExtractionFailed, format!("layout: {error}")))
}

/// Reads a PDF file into the text of its units: a section's MAIN, then its AUX.
pub(super) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut text = Segment::default();
    let mut writer = UnitWriter::default();
    let mut suppressed: Vec<SuppressedLine> = Vec::new();
    let mut violations: Vec<LayoutViolation> = Vec::new();
    let mut counters = LayoutCounters::default();
    let mut document = lay_out(
        source.bytes()?,
        &settings.pdf,
        Reading {
            page: &mut |_| {},
            part: &mut |part| {
                counters.add(&part);
                for units in part.units.chunk_by(|a, b| a.key.section_seq == b.key.section_seq) {
                    writer.write(units, &mut text);
                    if text.text.len() >= HAND_OVER {
                        sink.text(std::mem::take(&mut text))?;
                    }
                }
                suppressed.extend(part.suppressed);
                violations.extend(part.violations);
                Ok(())
            },
            stage: &mut |_| {},
        },
    )?;
    if !text.text.is_empty() {
        text.text.push('\n');
    }
    document.text = text;
    let listed = suppressed.iter().take(MAX_LISTED).map(|left_out| ("left_out".to_owned(), shown(left_out)));
    document.metadata.extend(listed);
    if counters.blocks > 0 {
        let counts = serde_json::to_string(&counters).expect("numbers under names can be written");
        document.metadata.push(("layout".to_owned(), counts));
    }
    for violation in &violations {
        document.problems.push(Problem::new(ProblemKind::LayoutAudit, violation.to_string()));
    }
    if let Some(first) = violations.first() {
        document.review_reasons.push(ReviewReason::new(ReviewReasonKind::LayoutAudit, first.to_string()));
    }
    Ok(document)
}

/// A header or footer with the pages that it was left out of: `Contents (header, pages 2, 4-9)`.
fn shown(left_out: &SuppressedLine) -> String {
    let band = if left_out.is_header { "header" } else { "footer" };
    let mut shown = format!("{} ({band}, pages ", left_out.text);
    for (at, run) in left_out.pages.chunk_by(|a, b| a + 1 == *b).enumerate() {
        let comma = if at > 0 { ", " } else { "" };
        let _ = match run {
            [first, .., last] => write!(shown, "{comma}{first}-{last}"),
            _ => write!(shown, "{comma}{}", run[0]),
        };
    }
    shown.push(')');
    shown
}

impl From<outline::Bookmark> for OutlineEntry {
    fn from(bookmark: outline::Bookmark) -> OutlineEntry {
        let page = bookmark.page.map(|page| page as u64);
        OutlineEntry { level: bookmark.level, title: bookmark.title, page }
    }
}
