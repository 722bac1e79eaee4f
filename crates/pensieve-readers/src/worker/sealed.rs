//! The child of a pool: closed, with documents as open descriptors.

use super::protocol::WorkerRequest;
use super::serve::{ServeError, read_open, serve};
use crate::event::ReaderEvent;
use crate::nested::EventSink;
use crate::process::seal_process;
use pensieve_text::model::{Problem, ProblemKind};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, IoSliceMut, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};

/// Reads one document.
pub type ReadOpenDocument<'r> = &'r dyn Fn(&WorkerRequest, File, EventSink<'_>);

/// Descriptors that one message may carry; a request carries one.
const MAX_DESCRIPTORS: usize = 1;

/// Answers requests from stdin, a Unix socket, until there are no more. Each request comes with its document as an open
/// descriptor. Before the first one the process is closed: it can open no file, start no program and reach nobody.
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
    let requests = RequestSocket { socket: stdin.as_fd(), documents: &documents };
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

/// No program inherits a document. Apple's systems have no such flag, and a worker starts no program.
#[cfg(not(target_vendor = "apple"))]
const RECEIVE_FLAGS: RecvFlags = RecvFlags::CMSG_CLOEXEC;
#[cfg(target_vendor = "apple")]
const RECEIVE_FLAGS: RecvFlags = RecvFlags::empty();

/// Lines of requests, while the descriptors that come with them are put aside in the same order.
struct RequestSocket<'s> {
    socket: BorrowedFd<'s>,
    documents: &'s RefCell<VecDeque<File>>,
}

impl Read for RequestSocket<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
        let mut beside = RecvAncillaryBuffer::new(&mut space);
        let into = &mut [IoSliceMut::new(buffer)];
        let received = recvmsg(self.socket, into, &mut beside, RECEIVE_FLAGS)?;
        for message in beside.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                self.documents.borrow_mut().extend(descriptors.map(File::from));
            }
        }
        Ok(received.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
    use std::io::{IoSlice, Write};
    use std::os::unix::net::UnixStream;

    #[test]
    fn documents_arrive_in_the_order_of_their_requests() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        for text in ["one", "two"] {
            let mut document = tempfile::tempfile().unwrap();
            document.write_all(text.as_bytes()).unwrap();
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut beside = SendAncillaryBuffer::new(&mut space);
            let descriptors = [document.as_fd()];
            beside.push(SendAncillaryMessage::ScmRights(&descriptors));
            sendmsg(&ours, &[IoSlice::new(text.as_bytes())], &mut beside, SendFlags::empty()).unwrap();
        }
        drop(ours);
        let documents = RefCell::new(VecDeque::new());
        let mut lines = String::new();
        RequestSocket { socket: theirs.as_fd(), documents: &documents }.read_to_string(&mut lines).unwrap();
        assert_eq!(lines, "onetwo");
        let texts = documents.into_inner().into_iter().map(|mut document| {
            let mut text = String::new();
            io::Seek::rewind(&mut document).unwrap();
            document.read_to_string(&mut text).unwrap();
            text
        });
        assert_eq!(texts.collect::<Vec<_>>(), ["one", "two"]);
    }
}
