//! Documents that another program sends as bytes: each becomes an open file without a name, as a reader needs to move in it.

use crate::limits::worker::{HELD_RECEIVED_BYTES, MAX_RECEIVED_BYTES};
use crate::platform::file_in_memory;
use pensieve_text::model::{Problem, ProblemKind};
use std::fs::File;
use std::io::{self, BufRead, Write};
use thiserror::Error;

/// Why the sender cannot be followed any further.
#[derive(Debug, Error)]
pub enum ReceiveError {
    /// The input ended inside the document.
    #[error("the input ended after {received} of {expected} bytes of a document")]
    Truncated {
        /// Bytes that came.
        received: u64,
        /// Bytes that were announced.
        expected: u64,
    },
    /// The input cannot be read.
    #[error("cannot read the bytes of a document: {0}")]
    Io(#[from] io::Error),
}

/// Takes exactly `length` bytes from the input and returns them as an open file, at any position. A document that is too large, or for
/// which there is no room, is a problem; the input is then behind it too.
///
/// # Errors
/// The input ends or fails before the last byte.
///
/// # Cost
/// One copy of the bytes: in memory up to a limit, above it on disk. The file is gone when it is closed.
pub fn receive(input: &mut dyn BufRead, length: u64) -> Result<Result<File, Problem>, ReceiveError> {
    let mut stored = match length > MAX_RECEIVED_BYTES {
        true => Err(too_large(length)),
        false => unnamed_file(length).map_err(no_room),
    };
    let mut left = length;
    while left > 0 {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            return Err(ReceiveError::Truncated { received: length - left, expected: length });
        }
        let part = &available[..available.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
        if let Ok(file) = &mut stored
            && let Err(error) = file.write_all(part)
        {
            stored = Err(no_room(error));
        }
        let count = part.len();
        left -= count as u64;
        input.consume(count);
    }
    Ok(stored)
}

/// An empty file that no folder lists.
fn unnamed_file(length: u64) -> io::Result<File> {
    match (length <= HELD_RECEIVED_BYTES).then(file_in_memory).flatten() {
        Some(file) => Ok(file),
        None => tempfile::tempfile(),
    }
}

fn too_large(length: u64) -> Problem {
    let message =
        format!("{length} bytes, larger than the limit of {MAX_RECEIVED_BYTES} for documents that are sent");
    Problem::new(ProblemKind::SizeLimit, message)
}

fn no_room(error: io::Error) -> Problem {
    Problem::new(
        ProblemKind::Io,
        format!(
            "the document that was sent cannot be stored: {error}; free space in the folder for temporary files (TMPDIR)"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek};

    fn received(input: &mut dyn BufRead, length: u64) -> Vec<u8> {
        let mut file = receive(input, length).expect("all bytes").expect("room");
        let mut bytes = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("readable");
        bytes
    }

    #[test]
    fn a_document_has_its_bytes_and_no_more() {
        let mut input = &b"onetwo"[..];
        assert_eq!(received(&mut input, 3), b"one");
        assert_eq!(received(&mut input, 0), b"");
        assert_eq!(received(&mut input, 3), b"two");
    }

    #[test]
    fn a_large_document_is_on_disk() {
        let bytes = vec![b'x'; HELD_RECEIVED_BYTES as usize + 1];
        assert_eq!(received(&mut &bytes[..], bytes.len() as u64).len(), bytes.len());
    }

    #[test]
    fn the_end_inside_a_document_is_an_error() {
        let error = receive(&mut &b"on"[..], 3).expect_err("one byte is missing");
        assert_eq!(error.to_string(), "the input ended after 2 of 3 bytes of a document");
    }

    #[test]
    fn a_document_that_is_too_large_is_skipped() {
        let length = MAX_RECEIVED_BYTES + 1;
        let mut input = io::BufReader::new(io::repeat(0).take(1000));
        let error = receive(&mut input, length).expect_err("it has fewer bytes");
        assert!(matches!(error, ReceiveError::Truncated { received: 1000, .. }));
        assert_eq!(too_large(length).kind, ProblemKind::SizeLimit);
    }
}
