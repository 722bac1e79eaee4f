//! Requests as a worker receives them: lines on stdin, a Unix socket, with the open documents beside them.

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IoSliceMut, Read, Stdin};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};

/// Descriptors that one message may carry; a request carries one.
const MAX_DESCRIPTORS: usize = 1;

/// No program inherits a document. Apple's systems have no such flag, and a worker starts no program.
#[cfg(not(target_vendor = "apple"))]
const RECEIVE_FLAGS: RecvFlags = RecvFlags::CMSG_CLOEXEC;
#[cfg(target_vendor = "apple")]
const RECEIVE_FLAGS: RecvFlags = RecvFlags::empty();

/// Lines of requests, while the documents that come with them are put aside in the same order.
pub(crate) struct RequestStream<'s> {
    socket: BorrowedFd<'s>,
    documents: &'s RefCell<VecDeque<File>>,
}

impl<'s> RequestStream<'s> {
    /// The requests on stdin.
    pub(crate) fn new(stdin: &'s Stdin, documents: &'s RefCell<VecDeque<File>>) -> RequestStream<'s> {
        RequestStream { socket: stdin.as_fd(), documents }
    }
}

impl Read for RequestStream<'_> {
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
        RequestStream { socket: theirs.as_fd(), documents: &documents }.read_to_string(&mut lines).unwrap();
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
