//! Passes pages through the layout: pages go in one by one, batches of units come out. They go to a caller that draws
//! or prints them, or become the text of a document whose places name role, section and sentence. The layout itself
//! is [`pensieve_text::layout`].

use super::budget::DocumentBudget;
use super::embedded::EmbeddedFiles;
use super::pages::PageReader;
use super::recognized::RecognizedPages;
use super::{document, file_end, outline};
use crate::limits::pdf::{MAX_LEFT_OUT_ROWS, SEGMENT_BYTES};
use crate::settings::{PdfOptions, ReadSettings};
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::layout::{
    LayoutBatch, LayoutComposer, LayoutCounters, LayoutPage, LayoutStage, LayoutViolation, SuppressedLine,
    UnitWriter,
};
use pensieve_text::model::{Document, Problem, ProblemKind, ReviewReasonKind, Segment, TextKind};
use std::fmt::Write;

/// The callbacks of [`lay_out`].
pub struct LayoutVisitor<'v> {
    /// Called with each page as it is read.
    pub page: &'v mut dyn FnMut(&LayoutPage),
    /// Called with each batch of pages that is laid out.
    pub batch: &'v mut dyn FnMut(LayoutBatch) -> Result<(), Problem>,
    /// Called when a stage has ended.
    pub stage: &'v mut dyn FnMut(LayoutStage),
}

/// Reads a PDF file and lays it out.
///
/// # Errors
/// `Encrypted` if none of the passwords opens it, `Damaged` if no page can be found, and the errors of the visitor.
pub fn lay_out(
    bytes: Vec<u8>,
    options: &PdfOptions,
    visitor: LayoutVisitor<'_>,
) -> Result<Document, Problem> {
    lay_out_with(bytes, options, &RecognizedPages::default(), visitor).map(|(document, _)| document)
}

/// The same with the text of recognised pages, and the files that the document carries.
fn lay_out_with(
    mut bytes: Vec<u8>,
    options: &PdfOptions,
    recognized: &RecognizedPages,
    visitor: LayoutVisitor<'_>,
) -> Result<(Document, EmbeddedFiles), Problem> {
    let mut budget = DocumentBudget::new();
    let damage = file_end::settle(&mut bytes);
    let pdf = document::open(bytes, &options.passwords, &budget.decoder)?;
    let mut document = document::document_of(&pdf, &budget.decoder, TextKind::Markup);
    let mut composer = LayoutComposer::new(&options.thresholds, outline::entries(&pdf));
    let mut pages = PageReader::new(&pdf, &mut budget, recognized);
    let mut has_text = false;
    while let Some(page) = pages.next_page() {
        has_text |= !page.spans.is_empty();
        (visitor.page)(&page);
        let is_full = composer.push(&page);
        (visitor.stage)(LayoutStage::Reading);
        if is_full {
            (visitor.batch)(composed(&mut composer, visitor.stage)?)?;
        }
    }
    (visitor.batch)(composed(&mut composer, visitor.stage)?)?;
    let (counts, hidden) = (pages.counts(), pages.take_hidden());
    let files = EmbeddedFiles::read(&pdf, &budget.decoder);
    document::note_losses(&mut document, &counts, has_text, damage.as_deref());
    files.note_losses(&mut document);
    hidden.note(&mut document);
    Ok((document, files))
}

fn composed(
    composer: &mut LayoutComposer,
    stage: &mut dyn FnMut(LayoutStage),
) -> Result<LayoutBatch, Problem> {
    composer
        .compose(stage)
        .map_err(|error| Problem::new(ProblemKind::ExtractionFailed, format!("layout: {error}")))
}

/// Findings on a document after its batches are written.
#[derive(Default)]
struct LayoutFindings {
    suppressed: Vec<SuppressedLine>,
    violations: Vec<LayoutViolation>,
    counters: LayoutCounters,
}

/// Reads a PDF file into the text of its units: a section's MAIN, then its AUX, or as printed.
pub(super) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut text = Segment::default();
    let recognized = RecognizedPages::new(settings);
    let mut writer = UnitWriter::default().with_recognized(recognized.boxes());
    if settings.printed_order {
        writer = writer.in_printed_order();
    }
    let mut findings = LayoutFindings::default();
    let mut write = |batch: LayoutBatch| {
        findings.counters.add(&batch);
        for units in batch.units.chunk_by(|a, b| a.key.section_seq == b.key.section_seq) {
            writer.write(units, &mut text);
            if text.text.len() >= SEGMENT_BYTES {
                sink.text(std::mem::take(&mut text))?;
            }
        }
        findings.suppressed.extend(batch.suppressed);
        findings.violations.extend(batch.violations);
        Ok(())
    };
    let visitor = LayoutVisitor { page: &mut |_| {}, batch: &mut write, stage: &mut |_| {} };
    let (mut document, files) = lay_out_with(source.bytes()?, &settings.pdf, &recognized, visitor)?;
    files.members.into_iter().try_for_each(|file| sink.member(file))?;
    if !text.text.is_empty() {
        text.text.push('\n');
    }
    document.text = text;
    findings.add_to(&mut document);
    Ok(document)
}

impl LayoutFindings {
    fn add_to(&self, document: &mut Document) {
        let rows = self.suppressed.iter().take(MAX_LEFT_OUT_ROWS);
        document.metadata.extend(rows.map(|line| ("left_out".to_owned(), suppressed_row(line))));
        if self.counters.blocks > 0 {
            let counts = serde_json::to_string(&self.counters).expect("numbers under names can be written");
            document.metadata.push(("layout".to_owned(), counts));
        }
        for violation in &self.violations {
            document.problems.push(Problem::new(ProblemKind::LayoutAudit, violation.to_string()));
        }
        if let Some(first) = self.violations.first() {
            document.note(ReviewReasonKind::LayoutAudit, first.to_string());
        }
    }
}

/// A header or footer with the pages that it was left out of: `Contents (header, pages 2, 4-9)`.
fn suppressed_row(line: &SuppressedLine) -> String {
    let band = line.band.as_str();
    let mut row = format!("{} ({band}, pages ", line.text);
    for (at, run) in line.pages.chunk_by(|a, b| a + 1 == *b).enumerate() {
        let comma = if at > 0 { ", " } else { "" };
        let _ = match run {
            [first, .., last] => write!(row, "{comma}{first}-{last}"),
            _ => write!(row, "{comma}{}", run[0]),
        };
    }
    row.push(')');
    row
}
