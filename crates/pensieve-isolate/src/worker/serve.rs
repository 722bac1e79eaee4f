//! The child: reads requests until there are no more.

use super::protocol::{ProtocolError, WorkerRequest, write_done, write_event};
use crate::files;
use crate::platform::stat_at_path;
use crate::process::SealError;
use pensieve_readers::event::ReaderEvent;
use pensieve_readers::nested::{self, EventSink};
use pensieve_readers::settings::ReadSettings;
use pensieve_text::model::{Problem, ProblemKind};
use serde::Deserialize;
use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use thiserror::Error;

/// Why a child stops before its input ends: never because of a document.
#[derive(Debug, Error)]
pub enum ServeError {
    /// A request cannot be understood.
    #[error("request {number}: {source}")]
    Request {
        /// Which, from 1.
        number: u64,
        /// What is wrong with it.
        #[source]
        source: ProtocolError,
    },
    /// The process could not be closed before its first request.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// Requests cannot be read, or rows cannot be written.
    #[error("cannot talk to the asker: {0}")]
    Io(#[from] io::Error),
}

/// Answers every request, one after the other, with the events of `read`.
///
/// Readers keep nothing between documents, so that the last document does not affect the next one.
pub fn serve(
    mut input: impl BufRead,
    output: impl Write,
    read: &dyn Fn(&WorkerRequest, EventSink<'_>),
) -> Result<(), ServeError> {
    let mut output = BufWriter::with_capacity(64 * 1024, output);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let request =
            WorkerRequest::from_line(&line).map_err(|source| ServeError::Request { number, source })?;
        let mut written = Ok(());
        let mut on_event = |event: ReaderEvent| {
            written = write_event(&mut output, &request.id, &event);
            // If the child is lost, the parent must know at which document.
            if written.is_ok() && matches!(event, ReaderEvent::Member(_)) {
                written = output.flush();
            }
            written.is_ok()
        };
        read(&request, &mut on_event);
        written?;
        write_done(&mut output, &request.id)?;
        output.flush()?;
    }
    Ok(())
}

/// Opens and reads the document of a request; a failure is an event as well.
pub fn read_request(request: &WorkerRequest, on_event: EventSink<'_>) {
    match open_request(request) {
        Ok(file) => read_open(request, file, on_event),
        Err(problem) => drop(on_event(ReaderEvent::Failed(problem))),
    }
}

/// Reads a document that is open; a failure is an event as well.
pub(super) fn read_open(request: &WorkerRequest, mut file: File, on_event: EventSink<'_>) {
    let settings = match &request.settings {
        serde_json::Value::Null => Ok(ReadSettings::default()),
        other => ReadSettings::deserialize(other),
    };
    match settings {
        Ok(settings) => nested::read_document(&mut file, &request.name, &settings, on_event),
        Err(error) => drop(on_event(ReaderEvent::Failed(failed(format!("settings: {error}"))))),
    }
}

/// Opens the file that a request names, through a symlink too: the caller has decided whether links are followed.
///
/// # Errors
/// As a problem of that file.
pub fn open_request(request: &WorkerRequest) -> Result<File, Problem> {
    let path = request.location().map_err(|error| failed(error.to_string()))?;
    files::open(&path, &stat_at_path(&path).unwrap_or_default())
}

fn failed(what: String) -> Problem {
    Problem::new(ProblemKind::ExtractionFailed, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::{Document, Problem, ProblemKind, Segment};

    fn answer(request: &WorkerRequest, on_event: EventSink<'_>) {
        on_event(match request.name.as_str() {
            "bad" => ReaderEvent::Failed(Problem::new(ProblemKind::Damaged, "bad")),
            name => {
                let text = Segment { text: name.to_owned(), ..Segment::default() };
                ReaderEvent::Document(Box::new(Document { text, ..Document::default() }))
            }
        });
    }

    fn check(input: &str, expected: &[&str]) {
        let mut output = Vec::new();
        serve(input.as_bytes(), &mut output, &answer).unwrap();
        let rows = String::from_utf8(output).unwrap();
        assert_eq!(rows.lines().filter(|row| !row.contains("\"map\"")).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn every_request_is_answered_in_order() {
        let input = "{\"id\":\"a\",\"path\":\"p\",\"name\":\"hello\"}\n\n{\"id\":2,\"path\":\"p\",\"name\":\"bad\"}\n";
        check(
            input,
            &[
                "{\"id\":\"a\",\"row\":\"text\",\"text\":\"hello\"}",
                "{\"id\":\"a\",\"row\":\"document\"}",
                "{\"id\":\"a\",\"row\":\"done\"}",
                "{\"id\":2,\"row\":\"problem\",\"kind\":\"Damaged\",\"message\":\"bad\"}",
                "{\"id\":2,\"row\":\"done\"}",
            ],
        );
        check("", &[]);
    }

    #[test]
    fn a_fault_of_the_protocol_ends_the_child() {
        let failure = serve(&b"{\"id\":1}\n"[..], Vec::new(), &answer).unwrap_err();
        assert!(failure.to_string().starts_with("request 1: not a line of protocol 1"), "{failure}");
    }
}
