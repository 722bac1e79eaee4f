//! Cleaning and cutting again from stored text. No source is opened.

use super::context::ReaderContext;
use super::event_handler::add_violations;
use super::outbox::{WriterMessage, WriterOutbox};
use super::processing::{KeptTexts, ProcessedDocument, TextProcessor, review_reasons_of};
use pensieve_store::store::{Outcome, ReaderFacts, Store, StoredVersion, Task, TaskKind, TextVariant};
use pensieve_text::format::{Format, by_name};
use pensieve_text::layout::LayoutViolation;
use pensieve_text::model::{Problem, ProblemKind, ProcessingStatus, ReviewReason, ReviewReasonKind};
use pensieve_text::text::review::merge_review_reasons;
use std::io;
use std::path::Path;

/// The stored texts of a database, opened once per reader.
#[derive(Default)]
pub(super) struct StoredTexts(Option<Store>);

impl StoredTexts {
    /// Performs a task that needs no source. If it fails, the file stays as stored.
    pub fn redo<'c>(
        &mut self,
        task: &Task,
        context: &ReaderContext<'c>,
        processor: &mut TextProcessor<'c>,
        outbox: &mut WriterOutbox<'_>,
    ) -> Option<Box<Outcome>> {
        match self.try_redo(task, context, processor, outbox) {
            Ok(outcome) => outcome.map(Box::new),
            Err(error) => {
                // The stored text may be all that is left of the file, so it stays.
                let message = format!("stored text cannot be read: {error}");
                outbox.send(WriterMessage::Kept(Problem::new(ProblemKind::Io, message)));
                None
            }
        }
    }

    /// `None` if the format is unknown, or if the text no longer exists because the row went to another file of its
    /// group.
    fn try_redo<'c>(
        &mut self,
        task: &Task,
        context: &ReaderContext<'c>,
        processor: &mut TextProcessor<'c>,
        outbox: &mut WriterOutbox<'_>,
    ) -> io::Result<Option<Outcome>> {
        let Some(format) = task.file.format.as_deref().and_then(by_name) else { return Ok(None) };
        let store = self.store(&context.settings.database)?;
        let mut facts = store.texts().content_facts(task.file.file_id).map_err(io::Error::other)?;
        let versions = store.texts().versions_of(task.file.file_id).map_err(io::Error::other)?;
        let Some(text) = versions.iter().find(|stored| is_wanted(stored, &task.kind)) else {
            return Ok(None);
        };
        if !versions.iter().any(|stored| stored.variant == TextVariant::Raw) {
            // Without raw text, the review reasons of the reader cannot be told from the other earlier ones.
            facts.review_reasons.clone_from(&text.review_reasons);
        }
        let processed = process(task, format, text, store, context, processor, outbox)?;
        Ok(Some(outcome(task, format, text, facts, processed, context)))
    }

    /// Opens the database when it is first needed.
    fn store(&mut self, database: &Path) -> io::Result<&Store> {
        if self.0.is_none() {
            self.0 = Some(Store::open_for_reading(database).map_err(io::Error::other)?);
        }
        self.0.as_ref().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// True for the text that a task starts from.
fn is_wanted(stored: &StoredVersion, kind: &TaskKind) -> bool {
    match kind {
        TaskKind::Clean { raw } => stored.variant == TextVariant::Raw && stored.version == *raw,
        TaskKind::Recall { version } => stored.variant == TextVariant::Clean && stored.version == *version,
        _ => stored.variant == TextVariant::Clean && stored.is_current,
    }
}

/// Cleans and cuts raw text, or cuts clean text.
fn process<'c>(
    task: &Task,
    format: &'static Format,
    text: &StoredVersion,
    store: &Store,
    context: &ReaderContext<'c>,
    processor: &mut TextProcessor<'c>,
    outbox: &mut WriterOutbox<'_>,
) -> io::Result<ProcessedDocument> {
    let (file, is_raw) = (&task.file, text.variant == TextVariant::Raw);
    let kind = context.recipes().document_kind(format, &file.extension, file.size);
    let shape = context.recipes().shape(format, kind);
    let mut processing = processor.begin(shape, KeptTexts { raw: false, clean: is_raw }).of_file(file.size);
    let mut pushed = Ok(true);
    let read = store.text(file.file_id, text.variant, &text.version).each_segment(&mut |stored| {
        let mut emit = |part| outbox.part(part);
        pushed = match is_raw {
            true => processing.push(stored.segment, &mut emit),
            false => processing.push_stored(stored.segment, &mut emit),
        };
        matches!(pushed, Ok(true))
    });
    read.map_err(io::Error::other)?;
    pushed?;
    Ok(processing.finish(&mut |part| outbox.part(part))?.0)
}

/// The new fields of the row; what is known of the source stays.
fn outcome(
    task: &Task,
    format: &'static Format,
    text: &StoredVersion,
    facts: ReaderFacts,
    processed: ProcessedDocument,
    context: &ReaderContext<'_>,
) -> Outcome {
    let file = &task.file;
    let stages = context.recipes().stages(Some(format), &file.extension);
    let reached = stages.reached(&task.kind, file.settings_hash.as_deref(), text.settings_hash.as_deref());
    let recut = (text.variant == TextVariant::Clean).then(|| {
        (
            text.version.clone(),
            recut_review_reasons(&text.review_reasons, &facts.review_reasons, &processed.violations),
        )
    });
    let mut outcome = Outcome {
        status: Some(ProcessingStatus::Processed),
        format: file.format.clone(),
        encoding: facts.encoding,
        extractor: facts.extractor,
        review_reasons: facts.review_reasons,
        tokens: Some(processed.tokens),
        settings_hash: Some(reached.to_text()),
        sections: (text.variant == TextVariant::Raw).then_some(processed.sections),
        versions: processed.versions,
        chunk_lines: Some(processed.chunk_lines),
        recut,
        keeps_problems: true,
        ..Outcome::default()
    };
    add_violations(&mut outcome, &processed.violations);
    outcome
}

/// The review reasons of a text that was only cut again: the earlier ones, with the old violations in its chunks
/// replaced by the new ones. An old reason that its reader reported too stays.
fn recut_review_reasons(
    stored: &[ReviewReason],
    of_reader: &[ReviewReason],
    violations: &[LayoutViolation],
) -> Vec<ReviewReason> {
    let is_layout = |reason: &&ReviewReason| reason.kind == ReviewReasonKind::LayoutAudit;
    let stays = of_reader.iter().any(|reason| is_layout(&reason));
    let kept: Vec<ReviewReason> =
        stored.iter().filter(|reason| stays || !is_layout(reason)).cloned().collect();
    merge_review_reasons(&kept, &review_reasons_of(violations))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::layout::LayoutAudit;

    #[test]
    fn recut_text_is_reviewed_for_its_current_chunks() {
        let audit = ReviewReason::new(ReviewReasonKind::LayoutAudit, "of before");
        let other = ReviewReason::new(ReviewReasonKind::ShortText, "12 characters on 3 pages");
        let now = LayoutViolation {
            audit: LayoutAudit::Coverage,
            detail: "3 sentences are in no chunk".to_owned(),
        };
        let current = ReviewReason::new(ReviewReasonKind::LayoutAudit, now.to_string());
        let check = |stored: &[&ReviewReason],
                     of_reader: &[&ReviewReason],
                     violations: &[LayoutViolation],
                     expected: &[&ReviewReason]| {
            let all = |review_reasons: &[&ReviewReason]| {
                review_reasons.iter().map(|reason| (*reason).clone()).collect::<Vec<_>>()
            };
            assert_eq!(recut_review_reasons(&all(stored), &all(of_reader), violations), all(expected));
        };
        let found = std::slice::from_ref(&now);
        check(&[&other], &[], found, &[&other, &current]);
        check(&[&audit, &other], &[], found, &[&other, &current]);
        check(&[&audit, &other], &[], &[], &[&other]);
        check(&[&audit, &other], &[&audit], &[], &[&audit, &other]);
        check(&[], &[], &[], &[]);
    }
}
