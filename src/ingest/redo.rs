//! Cleaning and cutting again from stored text. No source is opened.

use super::context::ReaderContext;
use super::event_handler::tell;
use super::outbox::{WriterMessage, WriterOutbox};
use super::processing::{KeptTexts, ProcessedDocument, TextProcessor, review_reasons_of};
use crate::store::{Outcome, ReaderFacts, Store, StoredVersion, Task, TaskKind, TextVariant};
use pensieve_text::format::{Format, by_name};
use pensieve_text::layout::LayoutViolation;
use pensieve_text::model::{Problem, ProblemKind, ProcessingStatus, ReviewReason, ReviewReasonKind};
use pensieve_text::text::review::merge_review_reasons;
use std::io;
use std::path::Path;

/// The stored texts of a database, as one reader sees them.
#[derive(Default)]
pub(super) struct StoredTexts(Option<Store>);

impl StoredTexts {
    /// Does a task that needs no source. What cannot be done leaves the file as it is stored.
    pub fn redo<'c>(
        &mut self,
        task: &Task,
        context: &ReaderContext<'c>,
        digester: &mut TextProcessor<'c>,
        outbox: &mut WriterOutbox<'_>,
    ) -> Option<Box<Outcome>> {
        match self.try_redo(task, context, digester, outbox) {
            Ok(outcome) => outcome.map(Box::new),
            Err(error) => {
                // What is stored may be all that is left of the file: it stays as it is.
                let message = format!("stored text cannot be read: {error}");
                outbox.send(WriterMessage::Kept(Problem::new(ProblemKind::Io, message)));
                None
            }
        }
    }

    /// `None` when the text is not there any more: the row went to another file of its group.
    fn try_redo<'c>(
        &mut self,
        task: &Task,
        context: &ReaderContext<'c>,
        digester: &mut TextProcessor<'c>,
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
            // Without raw text nothing tells the review reasons of the reader from those of before.
            facts.review_reasons.clone_from(&text.review_reasons);
        }
        let digested = digest(task, format, text, store, context, digester, outbox)?;
        Ok(Some(outcome(task, format, text, facts, digested, context)))
    }

    /// The database, opened when it is first needed.
    fn store(&mut self, database: &Path) -> io::Result<&Store> {
        if self.0.is_none() {
            self.0 = Some(Store::open_for_reading(database).map_err(io::Error::other)?);
        }
        self.0.as_ref().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// True for the text that a task begins with.
fn is_wanted(stored: &StoredVersion, kind: &TaskKind) -> bool {
    match kind {
        TaskKind::Clean { raw } => stored.variant == TextVariant::Raw && stored.version == *raw,
        TaskKind::Recall { version } => stored.variant == TextVariant::Clean && stored.version == *version,
        _ => stored.variant == TextVariant::Clean && stored.is_current,
    }
}

/// Raw text is cleaned and cut, clean text is cut.
fn digest<'c>(
    task: &Task,
    format: &'static Format,
    text: &StoredVersion,
    store: &Store,
    context: &ReaderContext<'c>,
    digester: &mut TextProcessor<'c>,
    outbox: &mut WriterOutbox<'_>,
) -> io::Result<ProcessedDocument> {
    let (file, is_raw) = (&task.file, text.variant == TextVariant::Raw);
    let kind = context.recipes().document_kind(format, &file.extension, file.size);
    let shape = context.recipes().shape(format, kind);
    let mut digestion = digester.begin(shape, KeptTexts { raw: false, clean: is_raw }).of_file(file.size);
    let mut pushed = Ok(true);
    let read = store.text(file.file_id, text.variant, &text.version).each_segment(&mut |stored| {
        let mut emit = |part| outbox.part(part);
        pushed = match is_raw {
            true => digestion.push(stored.segment, &mut emit),
            false => digestion.push_stored(stored.segment, &mut emit),
        };
        matches!(pushed, Ok(true))
    });
    read.map_err(io::Error::other)?;
    pushed?;
    Ok(digestion.finish(&mut |part| outbox.part(part))?.0)
}

/// What the row says now; what is known of the source stays.
fn outcome(
    task: &Task,
    format: &'static Format,
    text: &StoredVersion,
    facts: ReaderFacts,
    digested: ProcessedDocument,
    context: &ReaderContext<'_>,
) -> Outcome {
    let file = &task.file;
    let stages = context.recipes().stages(Some(format), &file.extension);
    let reached = stages.reached(&task.kind, file.settings_hash.as_deref(), text.settings_hash.as_deref());
    let recut = (text.variant == TextVariant::Clean).then(|| {
        (
            text.version.clone(),
            recut_review_reasons(&text.review_reasons, &facts.review_reasons, &digested.violations),
        )
    });
    let mut outcome = Outcome {
        status: Some(ProcessingStatus::Processed),
        format: file.format.clone(),
        encoding: facts.encoding,
        extractor: facts.extractor,
        review_reasons: facts.review_reasons,
        tokens: Some(digested.tokens),
        settings_hash: Some(reached.to_text()),
        sections: (text.variant == TextVariant::Raw).then_some(digested.sections),
        versions: digested.versions,
        recut,
        keeps_problems: true,
        ..Outcome::default()
    };
    tell(&mut outcome, &digested.violations);
    outcome
}

/// The review reasons of a text that was only cut again: those of before, except what the proofs found
/// in its chunks then, unless its reader had found that too, and for what they find now.
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
    fn a_text_that_is_cut_again_is_looked_at_for_its_chunks_of_now() {
        let audit = ReviewReason::new(ReviewReasonKind::LayoutAudit, "of before");
        let other = ReviewReason::new(ReviewReasonKind::ShortText, "12 characters on 3 pages");
        let now = LayoutViolation {
            audit: LayoutAudit::Coverage,
            detail: "3 sentences are in no chunk".to_owned(),
        };
        let told = ReviewReason::new(ReviewReasonKind::LayoutAudit, now.to_string());
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
        check(&[&other], &[], found, &[&other, &told]);
        check(&[&audit, &other], &[], found, &[&other, &told]);
        check(&[&audit, &other], &[], &[], &[&other]);
        check(&[&audit, &other], &[&audit], &[], &[&audit, &other]);
        check(&[], &[], &[], &[]);
    }
}
