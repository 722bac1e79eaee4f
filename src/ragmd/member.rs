//! Documents inside a document: the mails of a mailbox, what is attached to a mail, embedded files.
//!
//! Files that are not documents (pictures, archives) are named in the report.

use super::tools::ReadingTools;
use pensieve_isolate::converter;
use pensieve_readers::event::{MemberHead, MemberVerdict, ReaderEvent};
use pensieve_text::format::{Format, ReaderKind, by_name};
use pensieve_text::model::{Document, Problem, ProblemKind, ProcessingStatus, Segment, TextKind};
use serde::Serialize;
use std::fs::File;
use std::io::Write;

/// A document inside the converted one, as far as it has been read.
#[derive(Debug)]
pub(super) struct MemberDocument {
    pub(super) head: MemberHead,
    pub(super) text: Segment,
    document: Document,
    failure: Option<Problem>,
    /// Its bytes, if a converter is to read them.
    bytes: Option<File>,
}

/// The outcome for a document inside the converted one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MemberOutcome {
    /// Its place from the outermost document inwards, such as `3/1.2`.
    pub path: String,
    /// Its file name.
    pub name: String,
    /// Its MIME type.
    pub mime: String,
    /// The anchor of its section; `None` where it has none.
    pub anchor: Option<String>,
    /// Why it has no section.
    pub reason: Option<String>,
}

/// True if the text of a file of this format is not Markdown when read as it is: code, data, other markup.
pub(super) fn is_source(format: &Format) -> bool {
    format.kind != TextKind::Prose && !format.is_markdown()
}

impl MemberDocument {
    pub(super) fn new(head: MemberHead) -> MemberDocument {
        let failure = match &head.verdict {
            MemberVerdict::Skipped { status: ProcessingStatus::SkippedBinary, .. } => None,
            MemberVerdict::Skipped { reason, problem, .. } => {
                Some(Problem::new(problem.unwrap_or(ProblemKind::MissingDependency), reason.clone()))
            }
            MemberVerdict::Read(_) | MemberVerdict::Convert { .. } => None,
        };
        MemberDocument { head, text: Segment::default(), document: Document::default(), failure, bytes: None }
    }

    /// Handles one of its events.
    pub(super) fn on_event(&mut self, event: ReaderEvent) {
        match event {
            ReaderEvent::Text(segment) => self.text.append(segment),
            ReaderEvent::Document(document) => self.take(*document),
            ReaderEvent::Failed(problem) => self.failure = Some(problem),
            ReaderEvent::Bytes(bytes) => match staged(&bytes) {
                Ok(file) => self.bytes = Some(file),
                Err(error) => {
                    let message = format!("cannot hand it to its converter: {error}");
                    self.failure = Some(Problem::new(ProblemKind::Io, message));
                }
            },
            ReaderEvent::Member(_) | ReaderEvent::End => {}
        }
    }

    fn take(&mut self, mut document: Document) {
        self.text.append(std::mem::take(&mut document.text));
        self.document = document;
    }

    /// Lets its converter read it, if it has one; `None` when the user stopped the command.
    pub(super) fn convert(&mut self, tools: &ReadingTools<'_>) -> Option<()> {
        let (MemberVerdict::Convert { extension, .. }, Some(file)) = (&self.head.verdict, self.bytes.take())
        else {
            return Some(());
        };
        let Some(tool) = tools.converters.get(extension) else {
            self.failure = Some(converter::not_installed(extension));
            return Some(());
        };
        match tools.convert(tool, &file) {
            Ok(document) => self.take(document),
            Err(failure) if failure.is_interruption() => return None,
            Err(failure) => self.failure = Some(failure.problem()),
        }
        Some(())
    }

    /// The title of its section: the subject of a mail, otherwise the file name.
    pub(super) fn title(&self) -> String {
        let subject = self.document.mail.as_ref().and_then(|_| value(&self.document, "subject"));
        one_line(subject.unwrap_or(&self.head.name)).unwrap_or_else(|| self.head.path.clone())
    }

    /// Why it has no section.
    pub(super) fn reason(&self) -> Option<String> {
        match (&self.failure, &self.head.verdict) {
            (Some(problem), _) => Some(problem.message.clone()),
            (None, MemberVerdict::Skipped { reason, .. }) => Some(reason.clone()),
            (None, _) => None,
        }
    }

    /// Its problems.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        let event = self.document.problems.iter().map(|problem| &problem.message);
        let event = event.chain(self.document.review_reasons.iter().map(|reason| &reason.detail));
        let failure = self.failure.iter().map(|problem| &problem.message);
        failure.chain(event).map(|message| format!("{}, inside it: {message}", self.head.name))
    }

    /// The language of its text, if that is source code or data.
    pub(super) fn language(&self) -> Option<&'static str> {
        let MemberVerdict::Read(name) = &self.head.verdict else { return None };
        let format = by_name(name)?;
        (format.reader == ReaderKind::Text && is_source(format)).then_some(format.name)
    }
}

pub(super) fn value<'d>(document: &'d Document, key: &str) -> Option<&'d str> {
    document.metadata.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
}

/// The words of a title on one line; `None` if there are none.
pub(super) fn one_line(title: &str) -> Option<String> {
    let words = title.split(|c: char| c.is_whitespace() || c.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    Some(line).filter(|line| !line.is_empty())
}

/// Stores bytes in a temporary file.
fn staged(bytes: &[u8]) -> std::io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    Ok(file)
}
