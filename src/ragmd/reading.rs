//! A document as text with its sections, and the documents inside it, read in the same way as by `ingest`.
//!
//! Text is read here, documents are read by a worker or in this process, or by a converter if the user configured
//! one. The exception are books, which the requested engine reads: a converter does not provide contents.

use super::error::RagMdError;
use super::member::{MemberDocument, is_source};
use super::tools::ReadingTools;
use pensieve_isolate::files;
use pensieve_isolate::ocr::RecognizedText;
use pensieve_isolate::selection::SelectedReader;
use pensieve_isolate::worker::read_request;
use pensieve_isolate::worker::{WorkerFailure, WorkerRequest};
use pensieve_readers::event::ReaderEvent;
use pensieve_readers::nested::EventSink;
use pensieve_readers::plain_text::read_text;
use pensieve_readers::registry::reader_of;
use pensieve_readers::registry::{no_reader_message, reads_as_text, size_problem};
use pensieve_readers::settings::{BookMode, OcrPass, ReadSettings};
use pensieve_text::format::{Format, ReaderKind, SniffOptions, SniffVerdict, by_name, extension_of, sniff};
use pensieve_text::model::{Document, Problem, ProblemKind, Segment};
use std::fs::File;
use std::io;
use std::path::Path;

/// Maximum number of bytes of text kept in memory; `ingest` reads larger documents.
const MAX_TEXT_BYTES: usize = 256 << 20;

/// The format that has contents, and whose engine the user chooses.
const BOOK: &str = "epub";

/// A document that is to be converted.
#[derive(Debug, Clone, Copy)]
pub struct DocumentInput<'a> {
    /// The file.
    pub path: &'a Path,
    /// The name of its row in the format table; if empty, the format is detected by content and name.
    pub format: &'a str,
    /// Where it was found below a folder, if nobody asked for it by its name.
    pub found_at: Option<&'a str>,
}

impl<'a> DocumentInput<'a> {
    /// A document that somebody has named.
    pub fn named(path: &'a Path) -> DocumentInput<'a> {
        DocumentInput { path, format: "", found_at: None }
    }
}

/// A document to be read.
pub(super) struct DocumentRequest<'a> {
    pub document: &'a Path,
    pub input: DocumentInput<'a>,
    /// How books are read.
    pub book: BookMode,
    pub tools: &'a ReadingTools<'a>,
}

/// The result of reading a document.
#[derive(Debug, Default)]
pub(super) struct DocumentReading {
    /// The whole text, with its sections.
    pub text: Segment,
    /// The language of the text, if it is source code and not Markdown.
    pub source: Option<&'static str>,
    /// Everything else that is known.
    pub document: Document,
    /// Documents inside it.
    pub members: Vec<MemberDocument>,
}

impl DocumentReading {
    /// True for the result of the EPUB reader.
    pub(super) fn is_epub(&self) -> bool {
        self.document.mime.as_deref() == Some("application/epub+zip")
    }
}

/// What a file is that has the name of a book.
fn no_book(size: u64, format: &Format) -> String {
    match (size, format.name) {
        (0, _) => "no EPUB book: the file is empty".to_owned(),
        (_, "html") => "no EPUB book: the file is a web page, such as the answer of a server".to_owned(),
        _ => "no EPUB book: the file is plain text".to_owned(),
    }
}

impl DocumentRequest<'_> {
    /// Reads the document.
    pub(super) fn read(&self) -> Result<DocumentReading, RagMdError> {
        let found = std::fs::metadata(self.document).map_err(|error| self.unreadable(&error))?;
        if !found.is_file() {
            return Err(self.failed(Problem::new(ProblemKind::ExtractionFailed, "not a file")));
        }
        let mut file = File::open(self.document).map_err(|error| self.unreadable(&error))?;
        let (format, size) = (self.format(&file, found.len())?, found.len());
        match self.way(format) {
            SelectedReader::Text => self.read_text(&mut file, format),
            SelectedReader::Reader(_) if reads_as_text(format, size) => self.read_text(&mut file, format),
            SelectedReader::Reader(_) => match size_problem(format, size) {
                Some(problem) => Err(self.failed(problem)),
                None => self.read_document(format),
            },
            SelectedReader::Converter(tool) => match self.tools.convert(tool, &file) {
                Ok(mut document) => Ok(DocumentReading {
                    text: std::mem::take(&mut document.text),
                    document,
                    ..DocumentReading::default()
                }),
                Err(failure) if failure.is_interruption() => Err(RagMdError::Interrupted),
                Err(failure) => Err(self.failed(failure.problem())),
            },
            SelectedReader::Unread => {
                Err(self.failed(Problem::new(ProblemKind::MissingDependency, no_reader_message(format))))
            }
        }
    }

    fn way(&self, format: &'static Format) -> SelectedReader<'_> {
        match format.name {
            BOOK => reader_of(BOOK).map_or(SelectedReader::Unread, SelectedReader::Reader),
            _ => self.tools.converters.select(format, &extension_of(&self.name())),
        }
    }

    fn name(&self) -> String {
        self.document.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The row of the format table for the document.
    fn format(&self, file: &File, size: u64) -> Result<&'static Format, RagMdError> {
        if let Some(format) = by_name(self.input.format) {
            return Ok(format);
        }
        let head = files::read_head(file).map_err(|error| self.unreadable(&error))?;
        let settings = self.tools.settings;
        let name = self.name();
        // Whoever names a document asks for it.
        let (is_named, converters) = (self.input.found_at.is_none(), &settings.converters);
        let svg = settings.svg && is_named;
        let options = SniffOptions { svg, archives: is_named, secrets: is_named, converters };
        let is_book = extension_of(&name) == BOOK;
        let path = self.input.found_at.unwrap_or(&name);
        match sniff(&head, head.len() as u64 == size, path, &options).verdict {
            SniffVerdict::Read(format)
                if is_book && (format.reader == ReaderKind::Text || format.name == "html") =>
            {
                Err(self.failed(Problem::new(ProblemKind::Damaged, no_book(size, format))))
            }
            SniffVerdict::Read(format) if !is_named && format.is_masked => {
                Err(self.no_document("its values may be secrets".to_owned()))
            }
            SniffVerdict::Read(format) => Ok(format),
            SniffVerdict::Binary { reason, .. } | SniffVerdict::Secret { reason } => {
                Err(self.no_document(reason))
            }
        }
    }

    fn no_document(&self, reason: String) -> RagMdError {
        RagMdError::NoDocument { path: self.document.to_owned(), reason }
    }

    fn read_text(&self, file: &mut File, format: &'static Format) -> Result<DocumentReading, RagMdError> {
        let mut text = Segment::default();
        let mut each = |segment| {
            text.append(segment);
            Ok(text.text.len() <= MAX_TEXT_BYTES && !(self.tools.interrupted)())
        };
        let read = read_text(file, format, &mut Vec::new(), None, &mut each);
        match read.map_err(|error| self.unreadable(&error))? {
            Some(document) => Ok(DocumentReading {
                text,
                source: is_source(format).then_some(format.name),
                document,
                members: Vec::new(),
            }),
            None if text.text.len() > MAX_TEXT_BYTES => Err(self.failed(too_much())),
            None => Err(RagMdError::Interrupted),
        }
    }

    fn read_document(&self, format: &Format) -> Result<DocumentReading, RagMdError> {
        let recognized = self.recognize(format)?;
        let settings = ReadSettings { recognized: recognized.pages, ..self.tools.settings.clone() };
        let mut received = ReceivedDocument::default();
        self.ask(format, settings, &mut |event| received.on_event(event))?;
        for inside in &mut received.members {
            inside.convert(self.tools).ok_or(RagMdError::Interrupted)?;
        }
        match (received.failure, received.document) {
            (Some(problem), _) => Err(self.failed(problem)),
            (None, Some(mut document)) => {
                received.text.append(std::mem::take(&mut document.text));
                document.problems.extend(recognized.problems);
                Ok(DocumentReading { text: received.text, source: None, document, members: received.members })
            }
            (None, None) => Err(self.failed(Problem::new(ProblemKind::ExtractionFailed, "nothing was read"))),
        }
    }

    /// What is recognised on pages of a PDF file that have no text; those of documents inside it stay as they are.
    fn recognize(&self, format: &Format) -> Result<RecognizedText, RagMdError> {
        let Some(engine) = self.tools.converters.ocr_of(format.name) else {
            return Ok(RecognizedText::default());
        };
        let mut listed = Document::default();
        let settings = ReadSettings { ocr: OcrPass::Find, ..self.tools.settings.clone() };
        self.ask(format, settings, &mut |event| {
            if let ReaderEvent::Document(found) = event {
                listed = *found;
            }
            true
        })?;
        let file = File::open(self.document).map_err(|error| self.unreadable(&error))?;
        let recognized = engine.recognize(&file, &listed, self.tools.limits, self.tools.interrupted);
        recognized.ok_or(RagMdError::Interrupted)
    }

    fn ask(
        &self,
        format: &Format,
        settings: ReadSettings,
        on_event: EventSink<'_>,
    ) -> Result<(), RagMdError> {
        // With `BookMode::Pages` the text has marks of ours, and nothing removes those from a book attached to a
        // mail.
        let book = if format.name == BOOK { self.book } else { BookMode::Marked };
        let settings = ReadSettings { format: format.name.to_owned(), book, ..settings };
        let settings = serde_json::to_value(settings).expect("settings are plain values");
        let (name, interrupted) = (self.name(), self.tools.interrupted);
        let path = std::path::absolute(self.document).unwrap_or_else(|_| self.document.to_owned());
        let Some(pool) = self.tools.pool else {
            read_request(&WorkerRequest::new(0, &path, &name, settings), on_event);
            return Ok(());
        };
        let document = File::open(&path).map_err(|error| self.unreadable(&error))?;
        match pool.read(&document, &name, &settings, 0, interrupted, on_event) {
            // The events before the refusal contain the reason.
            Ok(()) | Err(WorkerFailure::Refused) => Ok(()),
            Err(WorkerFailure::Interrupted) => Err(RagMdError::Interrupted),
            Err(WorkerFailure::Problem(problem)) => Err(self.failed(problem)),
            Err(WorkerFailure::Start { source, .. }) => Err(RagMdError::Start { source }),
            Err(other) => Err(self.failed(Problem::new(ProblemKind::ExtractionFailed, other.to_string()))),
        }
    }

    fn failed(&self, problem: Problem) -> RagMdError {
        RagMdError::Document { path: self.document.to_owned(), problem }
    }

    fn unreadable(&self, error: &io::Error) -> RagMdError {
        match error.kind() {
            io::ErrorKind::NotFound => RagMdError::NotFound { path: self.document.to_owned() },
            _ => self.failed(Problem::new(ProblemKind::Io, format!("cannot read: {error}"))),
        }
    }
}

fn too_much() -> Problem {
    let message = format!("more than {MAX_TEXT_BYTES} bytes of text; `pensieve ingest` reads it");
    Problem::new(ProblemKind::SizeLimit, message)
}

/// The events of one document, put together.
#[derive(Default)]
struct ReceivedDocument {
    text: Segment,
    document: Option<Document>,
    failure: Option<Problem>,
    members: Vec<MemberDocument>,
    in_member: bool,
    bytes: usize,
}

impl ReceivedDocument {
    fn on_event(&mut self, event: ReaderEvent) -> bool {
        if let ReaderEvent::Text(segment) = &event {
            self.bytes += segment.text.len();
        }
        if self.bytes > MAX_TEXT_BYTES {
            self.failure = Some(too_much());
            return false;
        }
        match event {
            ReaderEvent::Member(head) => {
                self.in_member = true;
                self.members.push(MemberDocument::new(*head));
            }
            ReaderEvent::End => self.in_member = false,
            event => match self.members.last_mut().filter(|_| self.in_member) {
                Some(member) => member.on_event(event),
                None => self.on_outermost_event(event),
            },
        }
        true
    }

    fn on_outermost_event(&mut self, event: ReaderEvent) {
        match event {
            ReaderEvent::Text(segment) => self.text.append(segment),
            ReaderEvent::Document(document) => self.document = Some(*document),
            ReaderEvent::Failed(problem) => self.failure = Some(problem),
            ReaderEvent::Member(_) | ReaderEvent::End | ReaderEvent::Bytes(_) => {}
        }
    }
}
