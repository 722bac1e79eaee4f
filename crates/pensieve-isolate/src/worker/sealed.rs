//! The child of a pool: closed, with documents that are open already.

use super::protocol::WorkerRequest;
use super::serve::{ServeError, read_open, serve};
use crate::platform::{RequestStream, seal_process};
use pensieve_readers::event::ReaderEvent;
use pensieve_readers::nested::EventSink;
use pensieve_text::model::{Problem, ProblemKind};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader};

/// Reads one document.
pub type ReadOpenDocument<'r> = &'r dyn Fn(&WorkerRequest, File, EventSink<'_>);

/// Answers requests from stdin until there are no more. Each request comes with its open document. Before the first one the
/// process is closed, where the system can do that: it can open no file, start no program and reach nobody.
///
/// # Errors
/// The process could not be closed, and has read nothing; a request does not follow the protocol; the streams fail.
pub fn serve_sealed() -> Result<(), ServeError> {
    serve_sealed_with(&read_open)
}

/// The same with another reader; for tests of the sandbox.
///
/// # Errors
/// See [`serve_sealed`].
pub fn serve_sealed_with(read: ReadOpenDocument<'_>) -> Result<(), ServeError> {
    preload();
    seal_process()?;
    let documents = RefCell::new(VecDeque::new());
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let requests = RequestStream::new(&stdin, &documents);
    serve(BufReader::new(requests), stdout.lock(), &|request, on_event| {
        let document = documents.borrow_mut().pop_front();
        match document {
            Some(document) => read(request, document, on_event),
            None => {
                let problem = Problem::new(ProblemKind::Io, "the request came without its document");
                on_event(ReaderEvent::Failed(problem));
            }
        }
    })
}

/// Does what a reader does once and needs files for: the first regular expression looks up the number of processors.
fn preload() {
    let _ = regex::Regex::new("");
}
