//! A document as text with its sections: read by a worker, or in this process, with the readers that `ingest` uses.

use super::RagMdError;
use crate::extract::nested::Tell;
use crate::extract::settings::ReadSettings;
use crate::extract::told::{MemberHead, Told};
use crate::extract::worker::{Pool, PoolFailure, Request};
use crate::extract::{self};
use crate::model::{Document, Problem, ProblemKind, Segment};
use std::path::Path;

/// A document that is to be read.
pub(super) struct Asked<'a> {
    pub document: &'a Path,
    /// The row of the format table; found by content and name where it is empty.
    pub format: &'a str,
    pub settings: &'a ReadSettings,
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
}

/// What a reader made of it.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The whole text, with its sections.
    pub text: Segment,
    /// What else is known.
    pub document: Document,
    /// Documents inside it, which are left out.
    pub members: usize,
}

impl Reading {
    /// True for what the reader of EPUB made.
    pub(super) fn is_epub(&self) -> bool {
        self.document.mime.as_deref() == Some("application/epub+zip")
    }
}

impl Asked<'_> {
    /// Reads it.
    pub(super) fn read(&self, pool: Option<&Pool>) -> Result<Reading, RagMdError> {
        let found = std::fs::metadata(self.document).map_err(|error| self.unreadable(&error))?;
        if !found.is_file() {
            return Err(self.failed(Problem::new(ProblemKind::ExtractionFailed, "not a file")));
        }
        let mut heard = Heard::default();
        self.ask(pool, &mut |told| heard.hear(told))?;
        match (heard.failure, heard.document) {
            (Some(problem), _) => Err(self.failed(problem)),
            (None, Some(mut document)) => {
                heard.text.append(std::mem::take(&mut document.text));
                Ok(Reading { text: heard.text, document, members: heard.members })
            }
            (None, None) => Err(self.failed(Problem::new(ProblemKind::ExtractionFailed, "nothing was read"))),
        }
    }

    fn ask(&self, pool: Option<&Pool>, tell: Tell<'_>) -> Result<(), RagMdError> {
        let settings = ReadSettings { format: self.format.to_owned(), ..self.settings.clone() };
        let settings = serde_json::to_value(settings).expect("settings are plain values");
        let name = self.document.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let path = std::path::absolute(self.document).unwrap_or_else(|_| self.document.to_owned());
        let Some(pool) = pool else {
            extract::read_request(&Request::new(0, &path, &name, settings), tell);
            return Ok(());
        };
        match pool.read(&path, &name, &settings, 0, self.interrupted, tell) {
            Ok(()) => Ok(()),
            Err(PoolFailure::Interrupted) => Err(RagMdError::Interrupted),
            Err(PoolFailure::Problem(problem)) => Err(self.failed(problem)),
            Err(PoolFailure::Start { source, .. }) => Err(RagMdError::Start { source }),
            Err(other) => Err(self.failed(Problem::new(ProblemKind::ExtractionFailed, other.to_string()))),
        }
    }

    fn failed(&self, problem: Problem) -> RagMdError {
        RagMdError::Document { path: self.document.to_owned(), problem }
    }

    fn unreadable(&self, error: &std::io::Error) -> RagMdError {
        match error.kind() {
            std::io::ErrorKind::NotFound => RagMdError::NotFound { path: self.document.to_owned() },
            _ => self.failed(Problem::new(ProblemKind::Io, format!("cannot read: {error}"))),
        }
    }
}

/// What is told of one document, put together.
#[derive(Default)]
struct Heard {
    text: Segment,
    document: Option<Document>,
    failure: Option<Problem>,
    members: usize,
    in_member: bool,
}

impl Heard {
    fn hear(&mut self, told: Told) -> bool {
        match told {
            Told::Member(head) => self.begin_member(&head),
            Told::End => self.in_member = false,
            _ if self.in_member => {}
            Told::Text(segment) => self.text.append(segment),
            Told::Document(document) => self.document = Some(*document),
            Told::Failed(problem) => self.failure = Some(problem),
            Told::Bytes(_) => {}
        }
        true
    }

    fn begin_member(&mut self, head: &MemberHead) {
        self.in_member = true;
        self.members += usize::from(head.within.is_none());
    }
}
