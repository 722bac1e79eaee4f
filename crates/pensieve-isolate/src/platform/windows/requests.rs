//! Requests as a worker receives them: before each line of stdin, one with the number of the handle that the parent has
//! opened here for its document.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, Read, Stdin, StdinLock};
use std::os::windows::io::FromRawHandle;

/// Lines of requests, while the documents that come with them are put aside in the same order.
pub(crate) struct RequestStream<'s> {
    stdin: StdinLock<'static>,
    documents: &'s RefCell<VecDeque<File>>,
    /// What is left of the current request.
    line: io::Cursor<Vec<u8>>,
}

impl<'s> RequestStream<'s> {
    /// The requests on stdin.
    pub(crate) fn new(stdin: &'s Stdin, documents: &'s RefCell<VecDeque<File>>) -> RequestStream<'s> {
        RequestStream { stdin: stdin.lock(), documents, line: io::Cursor::default() }
    }

    fn next_request(&mut self) -> io::Result<Vec<u8>> {
        let (mut number, mut line) = (String::new(), Vec::new());
        if self.stdin.read_line(&mut number)? > 0 {
            let invalid = |_| io::Error::from(io::ErrorKind::InvalidData);
            let handle: usize = number.trim_end().parse().map_err(invalid)?;
            // SAFETY: the parent opened this handle in this process for us, and nobody else uses it.
            let document = unsafe { File::from_raw_handle(std::ptr::with_exposed_provenance_mut(handle)) };
            self.documents.borrow_mut().push_back(document);
            self.stdin.read_until(b'\n', &mut line)?;
        }
        Ok(line)
    }
}

impl Read for RequestStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.line.read(buffer)? {
            0 => {
                self.line = io::Cursor::new(self.next_request()?);
                self.line.read(buffer)
            }
            count => Ok(count),
        }
    }
}
