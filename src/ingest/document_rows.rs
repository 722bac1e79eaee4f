//! Single documents without a database: the rows that a run would store of each, for programs that store them elsewhere.

use super::context::ReaderContext;
use super::outbox::WriterMessage;
use super::pipeline::read_one;
use super::processing::ProcessedPart;
use super::reading::FileReader;
use super::recipes::StageRecipes;
use super::settings::{IngestError, IngestSettings};
use pensieve_store::scan::stored_path;
use pensieve_store::store::{
    ChunkRow, DocumentAddress, ExportRow, FileState, NewFile, NewMember, Outcome, Task, TaskKind, now,
};
use pensieve_text::model::{ContentHash, Observer, Problem, ProcessingStatus, ProgressEvent};
use serde::Serialize;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use thiserror::Error;

/// Bundles of messages that wait between reading and printing.
const CHANNEL_BUNDLES: usize = 3;

/// A document to be read.
#[derive(Debug, Clone)]
pub struct DocumentRequest {
    /// Where the file is: an absolute path, or any name if its bytes are given.
    pub location: PathBuf,
    /// Its path below the root of the corpus, in stored form.
    pub relative_path: String,
    /// Its bytes, or why there are none; without them the file is opened.
    pub bytes: Option<Result<Arc<File>, Problem>>,
}

/// What is known of a document, or of a document inside it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentSummary {
    /// Its public id.
    pub doc_uid: String,
    /// The public id of the document that contains it.
    pub parent: Option<String>,
    /// Its path for people.
    pub name: String,
    /// Its path below the root, in stored form.
    pub relative_path: String,
    /// Its absolute path in stored form.
    pub path: String,
    /// SHA-256 of its bytes; null if they could not be read.
    pub hash: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// The MIME type.
    pub mime: Option<String>,
    /// The row of the format table that read it.
    pub format: Option<String>,
    /// Its processing status.
    pub status: Option<&'static str>,
    /// Why it is not `Processed`.
    pub reason: Option<String>,
    /// The encoding of the source.
    pub encoding: Option<String>,
    /// Reader or converter with its version.
    pub extractor: Option<String>,
    /// Tokens of its clean text.
    pub tokens: Option<u64>,
    /// Title, author and so on.
    pub metadata: Vec<(String, String)>,
}

/// A row of the answer for one document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "row", rename_all = "lowercase")]
pub enum DocumentRow {
    /// A chunk of the document, as `export` writes it, with one place.
    Chunk(ExportRow),
    /// Something is wrong with a document.
    Problem {
        /// The public id of the document.
        doc_uid: String,
        /// The kind, as in `errors`.
        kind: &'static str,
        /// What is wrong.
        message: String,
    },
    /// A document has been read; its chunks and problems precede this row.
    Document(Box<DocumentSummary>),
}

/// Why documents could not be read, or their rows not be passed on.
#[derive(Debug, Error)]
pub enum DocumentRowsError {
    /// The settings contradict each other, or the readers cannot start.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// The sink failed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Receives the rows of documents.
pub trait DocumentRowSink {
    /// The answer for the current document begins; what came of it so far does not count.
    fn begin(&mut self) -> io::Result<()>;

    /// The next row.
    fn row(&mut self, row: DocumentRow) -> io::Result<()>;

    /// The answer is complete.
    fn end(&mut self) -> io::Result<()>;
}

/// Reads documents one after the other, and passes the rows of each to `sink`.
///
/// Memory: one document inside another at a time, and a few segments of text.
///
/// # Errors
/// See [`DocumentRowsError`]. A document that cannot be read has rows that say so.
pub fn read_documents(
    settings: &IngestSettings,
    requests: &mut dyn Iterator<Item = DocumentRequest>,
    sink: &mut dyn DocumentRowSink,
) -> Result<(), DocumentRowsError> {
    let corpus = settings.corpus(None)?;
    let recipes = StageRecipes::new(settings, &corpus)?;
    let context = ReaderContext::new(settings, &recipes, None, now(), &Unobserved)?;
    let (work_in, work_out) = sync_channel::<(Task, SyncSender<Vec<WriterMessage>>)>(0);
    let (context, tokenizer) = (&context, corpus.tokenizer.as_str());
    std::thread::scope(|scope| {
        // Dropped when the requests end, which ends the reader.
        let work = work_in;
        let reading = std::thread::Builder::new().name("read".to_owned());
        let reading = reading.spawn_scoped(scope, move || read_all(context, &work_out));
        reading.map_err(IngestError::Start)?;
        for request in requests {
            let (sender, messages) = sync_channel(CHANNEL_BUNDLES);
            if work.send((task_of(&request), sender)).is_err() {
                return Err(IngestError::Start(io::Error::other("the reader ended")).into());
            }
            DocumentPrinter::new(&request, tokenizer, sink).print(&messages)?;
        }
        Ok(())
    })
}

/// Nobody watches the work on single documents.
pub(super) struct Unobserved;

impl Observer for Unobserved {
    fn on_event(&self, _event: &ProgressEvent<'_>) {}
}

fn read_all(
    context: &ReaderContext<'_>,
    work: &Receiver<(Task, SyncSender<Vec<WriterMessage>>)>,
) -> io::Result<()> {
    let mut reader = FileReader::new(context)?;
    for (task, sender) in work {
        // It is always the turn of the only document.
        reader = read_one(reader, context, 0, &task, &sender)?;
    }
    Ok(())
}

/// The work on a file of which nothing is known yet.
fn task_of(request: &DocumentRequest) -> Task {
    let file = FileState::at(request.relative_path.clone(), request.location.clone());
    let (bytes, problem) = match request.bytes.clone() {
        Some(Err(problem)) => (None, Some(problem)),
        given => (given.and_then(Result::ok), None),
    };
    Task { file, kind: TaskKind::Read, problem, bytes }
}

/// A document whose messages are arriving.
struct OpenDocument {
    address: DocumentAddress,
    parent: Option<String>,
    hash: Option<ContentHash>,
    size: Option<u64>,
    mime: Option<String>,
}

impl OpenDocument {
    fn summary(&self, outcome: &Outcome) -> DocumentSummary {
        let DocumentAddress { doc_uid, name, relative_path, path } = self.address.clone();
        DocumentSummary {
            doc_uid,
            parent: self.parent.clone(),
            name,
            relative_path,
            path,
            hash: self.hash.map(|hash| hash.to_hex()),
            size: self.size,
            mime: outcome.mime.clone().or_else(|| self.mime.clone()),
            format: outcome.format.clone(),
            status: outcome.status.map(ProcessingStatus::as_str),
            reason: outcome.reason.clone(),
            encoding: outcome.encoding.clone(),
            extractor: outcome.extractor.clone(),
            tokens: outcome.tokens,
            metadata: outcome.metadata.clone(),
        }
    }
}

/// Turns the messages of one file into rows.
struct DocumentPrinter<'p> {
    request: &'p DocumentRequest,
    tokenizer: &'p str,
    sink: &'p mut dyn DocumentRowSink,
    outer: OpenDocument,
    /// The format of the file, known before its chunks come.
    format: Option<String>,
    /// The document inside the file whose messages come now, and its chunks: its format is known after them.
    member: Option<(OpenDocument, Vec<ChunkRow>)>,
    /// The addresses of the documents inside the file, by their paths in it.
    members: HashMap<String, DocumentAddress>,
}

impl<'p> DocumentPrinter<'p> {
    fn new(
        request: &'p DocumentRequest,
        tokenizer: &'p str,
        sink: &'p mut dyn DocumentRowSink,
    ) -> DocumentPrinter<'p> {
        let outer = outer_document(request, None, None);
        DocumentPrinter {
            request,
            tokenizer,
            sink,
            outer,
            format: None,
            member: None,
            members: HashMap::new(),
        }
    }

    fn print(mut self, messages: &Receiver<Vec<WriterMessage>>) -> io::Result<()> {
        self.sink.begin()?;
        for message in messages.iter().flatten() {
            self.take(message)?;
        }
        self.sink.end()
    }

    fn take(&mut self, message: WriterMessage) -> io::Result<()> {
        match message {
            WriterMessage::Start(kind) => self.start(&kind),
            WriterMessage::Member(member) => {
                self.begin_member(*member);
                Ok(())
            }
            WriterMessage::ProcessedPart(ProcessedPart::Chunks { rows, .. }) => self.add_chunks(rows),
            WriterMessage::ProcessedPart(ProcessedPart::Text(_)) => Ok(()),
            WriterMessage::MemberDone(outcome) => self.finish_member(&outcome),
            WriterMessage::Finish(outcome, _) => finish(self.sink, &self.outer, &outcome),
            WriterMessage::Kept(problem) => {
                let outcome = Outcome {
                    status: Some(ProcessingStatus::Error),
                    reason: Some(problem.message.clone()),
                    problems: vec![problem],
                    ..Outcome::default()
                };
                finish(self.sink, &self.outer, &outcome)
            }
        }
    }

    fn start(&mut self, kind: &TaskKind) -> io::Result<()> {
        let (new, size) = match kind {
            TaskKind::Replace { entry, new } => (Some(&**new), Some(entry.stat.size)),
            _ => (None, None),
        };
        self.outer = outer_document(self.request, new, size);
        self.format = new.and_then(|new| new.format.clone());
        self.member = None;
        self.members.clear();
        self.sink.begin()
    }

    fn begin_member(&mut self, new: NewMember) {
        let parent = new.within.as_ref().and_then(|path| self.members.get(path));
        let parent = parent.unwrap_or(&self.outer.address);
        let address = parent.member(&new.member, &new.name);
        let document = OpenDocument {
            parent: Some(parent.doc_uid.clone()),
            address: address.clone(),
            hash: Some(new.hash),
            size: Some(new.size),
            mime: Some(new.mime),
        };
        self.members.insert(new.path, address);
        self.member = Some((document, Vec::new()));
    }

    fn add_chunks(&mut self, rows: Vec<ChunkRow>) -> io::Result<()> {
        if let Some((_, chunks)) = &mut self.member {
            chunks.extend(rows);
            return Ok(());
        }
        print_chunks(self.sink, &self.outer.address, self.format.as_deref(), self.tokenizer, rows)
    }

    fn finish_member(&mut self, outcome: &Outcome) -> io::Result<()> {
        let Some((document, chunks)) = self.member.take() else { return Ok(()) };
        print_chunks(self.sink, &document.address, outcome.format.as_deref(), self.tokenizer, chunks)?;
        finish(self.sink, &document, outcome)
    }
}

fn outer_document(request: &DocumentRequest, new: Option<&NewFile>, size: Option<u64>) -> OpenDocument {
    let (path, _) = stored_path(request.location.as_os_str());
    OpenDocument {
        address: DocumentAddress::of_file(request.relative_path.clone(), path),
        parent: None,
        hash: new.and_then(|new| new.hash),
        size,
        mime: new.and_then(|new| new.mime.clone()),
    }
}

fn print_chunks(
    sink: &mut dyn DocumentRowSink,
    address: &DocumentAddress,
    format: Option<&str>,
    tokenizer: &str,
    rows: Vec<ChunkRow>,
) -> io::Result<()> {
    rows.into_iter().try_for_each(|row| {
        sink.row(DocumentRow::Chunk(ExportRow::of_place(address, format, tokenizer, row)))
    })
}

fn finish(sink: &mut dyn DocumentRowSink, document: &OpenDocument, outcome: &Outcome) -> io::Result<()> {
    for Problem { kind, message, .. } in &outcome.problems {
        let (doc_uid, message) = (document.address.doc_uid.clone(), message.clone());
        sink.row(DocumentRow::Problem { doc_uid, kind: kind.as_str(), message })?;
    }
    sink.row(DocumentRow::Document(Box::new(document.summary(outcome))))
}
