//! Turns the reader events of one file, and of everything inside it, into messages for the writer.

use super::context::ReaderContext;
use super::outbox::{WriterMessage, WriterOutbox};
use super::processing::{DocumentProcessing, TextProcessor};
use pensieve_readers::event::{MemberHead, MemberVerdict, ReaderEvent};
use pensieve_readers::plain_text::EXTRACTOR;
use pensieve_readers::registry::reader_of;
use pensieve_store::store::{NewMember, Outcome};
use pensieve_text::format::{Format, by_name, extension_of};
use pensieve_text::layout::LayoutViolation;
use pensieve_text::model::{Document, Problem, ProblemKind, ProcessingStatus, Segment};
use std::fs::File;
use std::io::{self, Seek, Write};

/// A member whose events are arriving.
struct OpenMember<'r> {
    path: String,
    processing: Option<DocumentProcessing<'r, Box<TextProcessor<'r>>>>,
    format: Option<&'static Format>,
    /// The extension of its converter, if it has one.
    converter: Option<String>,
    /// The fields of its row, as far as they are known.
    outcome: Outcome,
}

/// Handles the reader events of one file.
pub(super) struct ReaderEventHandler<'l, 'o, 'r> {
    context: &'l ReaderContext<'r>,
    outbox: &'l mut WriterOutbox<'o>,
    outer: Option<DocumentProcessing<'r, &'l mut TextProcessor<'r>>>,
    /// The processor for members; reused from one to the next.
    spare: Option<Box<TextProcessor<'r>>>,
    inner: Option<OpenMember<'r>>,
    /// The row of the current member, until it is sent.
    new: Option<NewMember>,
    outcome: Outcome,
    failure: Option<Problem>,
    /// Members for converters: these run after the worker is free, because they need its memory.
    waiting: Vec<PendingConversion<'r>>,
}

/// A member that waits for its converter; its bytes are in an unnamed temporary file.
struct PendingConversion<'r> {
    new: NewMember,
    inner: OpenMember<'r>,
    file: File,
}

impl<'l, 'o, 'r> ReaderEventHandler<'l, 'o, 'r> {
    /// Creates a handler for a file whose text goes through `outer`; `base` contains the fields that its row has in
    /// any case.
    pub fn new(
        context: &'l ReaderContext<'r>,
        outbox: &'l mut WriterOutbox<'o>,
        outer: DocumentProcessing<'r, &'l mut TextProcessor<'r>>,
        base: Outcome,
    ) -> ReaderEventHandler<'l, 'o, 'r> {
        ReaderEventHandler {
            context,
            outbox,
            outer: Some(outer),
            spare: None,
            inner: None,
            new: None,
            outcome: base,
            failure: None,
            waiting: Vec::new(),
        }
    }

    /// Handles one event; returns false when no more are wanted.
    pub fn on_event(&mut self, event: ReaderEvent) -> bool {
        match self.take(event) {
            Ok(goes_on) => goes_on,
            Err(error) => {
                self.failure = Some(unpackable(&error));
                false
            }
        }
    }

    /// The path of the member whose events have begun and not ended.
    pub fn open_member(&self) -> Option<String> {
        self.inner.as_ref().map(|inner| inner.path.clone())
    }

    /// The outcome of the file, after converters have read the members that waited for them; `None` when its events
    /// were incomplete. Messages sent here may wait for the writer.
    pub fn finish(mut self) -> Result<Option<Box<Outcome>>, Problem> {
        let is_read = self.outcome.status.is_some() && self.failure.is_none() && !self.outbox.gave_up();
        self.outbox.hurry(false);
        for waiting in std::mem::take(&mut self.waiting).into_iter().filter(|_| is_read) {
            match self.convert(waiting) {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(error) => return Err(unpackable(&error)),
            }
        }
        match self.failure {
            Some(problem) => Err(problem),
            None => Ok(self.outcome.status.is_some().then(|| Box::new(self.outcome))),
        }
    }

    fn take(&mut self, event: ReaderEvent) -> io::Result<bool> {
        match (event, self.inner.is_some()) {
            (ReaderEvent::Member(head), _) => self.begin_member(*head),
            (ReaderEvent::End, _) => self.end_member(),
            (ReaderEvent::Text(segment), true) => self.member_text(segment),
            (ReaderEvent::Document(document), true) => self.member_document(*document),
            (ReaderEvent::Bytes(bytes), _) => self.keep_for_converter(&bytes),
            (ReaderEvent::Failed(problem), true) => {
                if let Some(inner) = &mut self.inner {
                    inner.outcome = failed(problem, std::mem::take(&mut inner.outcome));
                }
                Ok(true)
            }
            (ReaderEvent::Text(segment), false) => self.text(segment),
            (ReaderEvent::Document(document), false) => self.document(*document),
            (ReaderEvent::Failed(problem), false) => {
                self.failure = Some(problem);
                Ok(true)
            }
        }
    }

    fn text(&mut self, segment: Segment) -> io::Result<bool> {
        let Some(outer) = &mut self.outer else { return Ok(false) };
        outer.push(segment, &mut |part| self.outbox.part(part))
    }

    fn document(&mut self, document: Document) -> io::Result<bool> {
        let Some(mut outer) = self.outer.take() else { return Ok(false) };
        let mut emit = |part| self.outbox.part(part);
        if !outer.push(document.text.clone(), &mut emit)? {
            return Ok(false);
        }
        let (processed, _) = outer.finish(&mut emit)?;
        self.outcome = read(document, std::mem::take(&mut self.outcome));
        add_violations(&mut self.outcome, &processed.violations);
        self.outcome.tokens = Some(processed.tokens);
        self.outcome.versions = processed.versions;
        self.outcome.chunk_lines = Some(processed.chunk_lines);
        self.outcome.sections = Some(processed.sections);
        Ok(!self.outbox.gave_up())
    }

    fn begin_member(&mut self, head: MemberHead) -> io::Result<bool> {
        let recipes = self.context.recipes();
        let extension = extension_of(&head.name);
        let mut inner = OpenMember {
            path: head.path.clone(),
            processing: None,
            format: None,
            converter: None,
            outcome: Outcome { mime: Some(head.mime.clone()), ..Outcome::default() },
        };
        match &head.verdict {
            MemberVerdict::Read(name) => {
                inner.format = by_name(name);
                let reader = reader_of(name).map(|reader| reader.name());
                inner.outcome.extractor = Some(reader.unwrap_or_else(|| EXTRACTOR.to_owned()));
            }
            MemberVerdict::Convert { format, extension } => {
                inner.format = by_name(format);
                inner.converter = Some(extension.clone());
            }
            MemberVerdict::Skipped { status, reason, problem } => {
                inner.outcome.status = Some(*status);
                inner.outcome.reason = Some(reason.clone());
                inner.outcome.problems.extend(problem.map(|kind| Problem::new(kind, reason.clone())));
            }
        }
        inner.outcome.format = inner.format.map(|format| format.name.to_owned());
        let stages = match inner.format {
            Some(_) => recipes.stages(inner.format, &extension),
            None => recipes.unread_stages(Some(&head.mime), &extension),
        };
        inner.outcome.settings_hash = Some(stages.to_text());
        if let Some(format) = inner.format {
            let shape = recipes.shape(format, recipes.document_kind(format, &extension, head.size));
            let processor = match self.spare.take() {
                Some(processor) => processor,
                None => Box::new(self.context.new_processor()?),
            };
            inner.processing =
                Some(DocumentProcessing::new(processor, shape, self.context.keep()).of_file(head.size));
        }
        let waits = inner.converter.is_some();
        self.inner = Some(inner);
        let new = NewMember {
            path: head.path,
            within: head.within,
            member: head.member,
            name: head.name,
            hash: head.hash,
            size: head.size,
            mime: head.mime,
        };
        if waits {
            self.new = Some(new);
            return Ok(true);
        }
        Ok(self.outbox.send(WriterMessage::Member(Box::new(new))))
    }

    fn member_text(&mut self, segment: Segment) -> io::Result<bool> {
        let Some(processing) = self.inner.as_mut().and_then(|inner| inner.processing.as_mut()) else {
            return Ok(true);
        };
        processing.push(segment, &mut |part| self.outbox.part(part))
    }

    fn member_document(&mut self, document: Document) -> io::Result<bool> {
        let Some(inner) = &mut self.inner else { return Ok(true) };
        let Some(mut processing) = inner.processing.take() else { return Ok(true) };
        let mut emit = |part| self.outbox.part(part);
        let is_wanted = processing.push(document.text.clone(), &mut emit)?;
        let (processed, processor) = processing.finish(&mut emit)?;
        self.spare = Some(processor);
        inner.outcome = read(document, std::mem::take(&mut inner.outcome));
        add_violations(&mut inner.outcome, &processed.violations);
        inner.outcome.tokens = Some(processed.tokens);
        inner.outcome.versions = processed.versions;
        inner.outcome.chunk_lines = Some(processed.chunk_lines);
        inner.outcome.sections = Some(processed.sections);
        Ok(is_wanted && !self.outbox.gave_up())
    }

    /// Stores the bytes of a member for the user's converter.
    fn keep_for_converter(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let (Some(inner), Some(new)) = (self.inner.take(), self.new.take()) else { return Ok(true) };
        let mut file = tempfile::tempfile()?;
        file.write_all(bytes)?;
        file.rewind()?;
        self.waiting.push(PendingConversion { new, inner, file });
        Ok(true)
    }

    /// Runs the converter of a member.
    fn convert(&mut self, waiting: PendingConversion<'r>) -> io::Result<bool> {
        let PendingConversion { new, mut inner, file } = waiting;
        let extension = inner.converter.take().unwrap_or_default();
        let path = new.path.clone();
        if !self.outbox.send(WriterMessage::Member(Box::new(new))) {
            return Ok(false);
        }
        let Some((extractor, converted)) = self.context.convert_as(&extension, &path, &file) else {
            return Ok(false);
        };
        inner.outcome.extractor = Some(extractor);
        let goes_on = match converted {
            Ok(document) => {
                self.inner = Some(inner);
                self.member_document(document)?
            }
            Err((status, problem)) => {
                let status = Some(status);
                inner.outcome = Outcome { status, ..failed(problem, std::mem::take(&mut inner.outcome)) };
                self.inner = Some(inner);
                true
            }
        };
        Ok(goes_on && self.end_member()?)
    }

    fn end_member(&mut self) -> io::Result<bool> {
        let Some(inner) = self.inner.take() else { return Ok(true) };
        if let (Some(processing), None) = (inner.processing, &self.spare) {
            // The text that it has processed does not count; the processor starts again with the next member.
            self.spare = processing.finish(&mut |_| true).ok().map(|(_, processor)| processor);
        }
        Ok(self.outbox.send(WriterMessage::MemberDone(Box::new(inner.outcome))))
    }
}

/// Adds the violations in the chunks of a document to its problems; they are also a review reason of its clean text.
pub(super) fn add_violations(outcome: &mut Outcome, violations: &[LayoutViolation]) {
    let problem = |violation: &LayoutViolation| Problem::new(ProblemKind::LayoutAudit, violation.to_string());
    outcome.problems.extend(violations.iter().map(problem));
}

/// The outcome of a document that was read.
fn read(document: Document, base: Outcome) -> Outcome {
    Outcome {
        status: Some(ProcessingStatus::Processed),
        reason: None,
        encoding: document.encoding,
        mime: document.mime.or(base.mime),
        metadata: document.metadata,
        hidden_text: document.hidden_text,
        mail: document.mail,
        problems: document.problems,
        review_reasons: document.review_reasons,
        ..base
    }
}

/// The outcome of a document that could not be read.
fn failed(problem: Problem, base: Outcome) -> Outcome {
    Outcome {
        status: Some(ProcessingStatus::Error),
        reason: Some(problem.message.clone()),
        problems: vec![problem],
        ..base
    }
}

fn unpackable(error: &io::Error) -> Problem {
    Problem::new(ProblemKind::Io, format!("cannot store what was read: {error}"))
}
