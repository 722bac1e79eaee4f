//! The child: reads requests until there are no more.

use super::protocol::{ProtocolError, Request, write_answer};
use crate::model::{Document, Problem, ProblemKind};
use std::any::Any;
use std::io::{self, BufRead, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
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
    /// Requests cannot be read, or rows not written.
    #[error("cannot talk to the asker: {0}")]
    Io(#[from] io::Error),
}

/// Answers every request that comes, one after the other, with what `read` makes of it.
///
/// A reader that panics costs its document a `Crashed` problem; the next request finds everything in order, since
/// readers keep nothing between documents.
pub fn serve(
    mut input: impl BufRead,
    output: impl Write,
    read: &dyn Fn(&Request) -> Result<Document, Problem>,
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
        let request = Request::from_line(&line).map_err(|source| ServeError::Request { number, source })?;
        let answer =
            catch_unwind(AssertUnwindSafe(|| read(&request))).unwrap_or_else(|panic| Err(crash(&*panic)));
        write_answer(&mut output, &request.id, &answer)?;
        output.flush()?;
    }
    Ok(())
}

fn crash(panic: &(dyn Any + Send)) -> Problem {
    let said =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    Problem::new(
        ProblemKind::Crashed,
        format!("the reader panicked: {}", said.unwrap_or("it did not say why")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Segment;

    fn answer(request: &Request) -> Result<Document, Problem> {
        match request.name.as_str() {
            "bad" => Err(Problem::new(ProblemKind::Damaged, "bad")),
            "panic" => panic!("index 3 of 2"),
            name => {
                let text = Segment { text: name.to_owned(), ..Segment::default() };
                Ok(Document { text, ..Document::default() })
            }
        }
    }

    fn check(input: &str, expected: &[&str]) {
        let mut output = Vec::new();
        serve(input.as_bytes(), &mut output, &answer).unwrap();
        let rows = String::from_utf8(output).unwrap();
        assert_eq!(rows.lines().filter(|row| !row.contains("\"map\"")).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn every_request_is_answered_in_order() {
        let input = "{\"id\":\"a\",\"path\":\"p\",\"name\":\"hello\"}\n\n{\"id\":2,\"path\":\"p\",\"name\":\"bad\"}\n\
                     {\"id\":3,\"path\":\"p\",\"name\":\"panic\"}";
        check(
            input,
            &[
                "{\"id\":\"a\",\"row\":\"document\"}",
                "{\"id\":\"a\",\"row\":\"text\",\"text\":\"hello\"}",
                "{\"id\":\"a\",\"row\":\"done\"}",
                "{\"id\":2,\"row\":\"problem\",\"kind\":\"Damaged\",\"message\":\"bad\"}",
                "{\"id\":2,\"row\":\"done\"}",
                "{\"id\":3,\"row\":\"problem\",\"kind\":\"Crashed\",\"message\":\"the reader panicked: index 3 of 2\"}",
                "{\"id\":3,\"row\":\"done\"}",
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
