//! The pipes of a launched program, served by one thread that never blocks on any of them.
//!
//! Reader threads were rejected: a thread that reads a pipe which an escaped process holds open can be neither ended
//! nor joined, while a polled descriptor is simply closed.

use crate::platform::exchange::{PendingInput, PipeTurn};
use crate::platform::log::HeadTail;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use std::io::{self, ErrorKind, IoSlice, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::process::{ChildStderr, ChildStdout};
use std::time::Duration;

/// Bytes that are read from a pipe at once; limits are checked in between.
const READ_BUFFER_BYTES: usize = 64 * 1024;

/// The pipes of one program.
pub(crate) struct ChildPipes {
    stdin: Option<UnixStream>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    log: HeadTail,
    scratch: Vec<u8>,
}

impl ChildPipes {
    pub(super) fn new(
        stdin: Option<UnixStream>,
        stdout: Option<ChildStdout>,
        stderr: Option<ChildStderr>,
    ) -> io::Result<ChildPipes> {
        let ends = [
            stdin.as_ref().map(AsFd::as_fd),
            stdout.as_ref().map(AsFd::as_fd),
            stderr.as_ref().map(AsFd::as_fd),
        ];
        for end in ends.into_iter().flatten() {
            rustix::io::ioctl_fionbio(end, true)?;
        }
        let scratch = vec![0; READ_BUFFER_BYTES];
        Ok(ChildPipes { stdin, stdout, stderr, log: HeadTail::default(), scratch })
    }

    /// Waits until a pipe or `also` is ready, at most for `timeout`, and moves what can be moved at once: from `send`
    /// into the program, from its output to `take`, from its stderr into the log.
    ///
    /// # Errors
    /// Only when the system cannot poll; a pipe that breaks counts as closed.
    pub fn turn(
        &mut self,
        also: Option<BorrowedFd<'_>>,
        send: &mut PendingInput<'_>,
        timeout: Duration,
        take: &mut dyn FnMut(&[u8]),
    ) -> io::Result<PipeTurn> {
        self.wait(also, !send.bytes.is_empty(), timeout)?;
        let mut moved = feed(&mut self.stdin, send);
        moved |= drain(&mut self.stdout, &mut self.scratch, take);
        moved |= drain(&mut self.stderr, &mut self.scratch, &mut |bytes| self.log.push(bytes));
        Ok(if moved { PipeTurn::Moved } else { PipeTurn::Quiet })
    }

    /// True while a process may still write to stdout or stderr.
    pub fn is_open(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some()
    }

    /// The first and last 4 KiB of stderr so far.
    pub fn log(&self) -> String {
        self.log.to_text()
    }

    /// Discards what was kept of stderr so far.
    pub fn clear_log(&mut self) {
        self.log = HeadTail::default();
    }

    fn wait(&self, also: Option<BorrowedFd<'_>>, sending: bool, timeout: Duration) -> io::Result<()> {
        let readable = [self.stdout.as_ref().map(AsFd::as_fd), self.stderr.as_ref().map(AsFd::as_fd), also];
        let mut ends: Vec<PollFd<'_>> =
            readable.into_iter().flatten().map(|end| PollFd::from_borrowed_fd(end, PollFlags::IN)).collect();
        if let (true, Some(stdin)) = (sending, &self.stdin) {
            ends.push(PollFd::new(stdin, PollFlags::OUT));
        }
        let timeout = Timespec::try_from(timeout).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
        match poll(&mut ends, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }
}

/// A program that has closed its input is no reason for a signal. Apple's systems have no such flag; there programs of
/// Rust ignore the signal.
#[cfg(not(target_vendor = "apple"))]
const SEND_FLAGS: SendFlags = SendFlags::NOSIGNAL;
#[cfg(target_vendor = "apple")]
const SEND_FLAGS: SendFlags = SendFlags::empty();

fn feed(stdin: &mut Option<UnixStream>, send: &mut PendingInput<'_>) -> bool {
    let Some(socket) = stdin.as_ref().filter(|_| !send.bytes.is_empty()) else { return false };
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    let document = send.document.map(AsFd::as_fd);
    if let Some(descriptor) = &document {
        beside.push(SendAncillaryMessage::ScmRights(std::slice::from_ref(descriptor)));
    }
    match sendmsg(socket, &[IoSlice::new(send.bytes)], &mut beside, SEND_FLAGS) {
        Ok(0) => false,
        Ok(written) => {
            send.bytes = &send.bytes[written..];
            send.document = None;
            true
        }
        Err(error) if is_temporary(&error.into()) => false,
        Err(_) => {
            *stdin = None;
            false
        }
    }
}

fn drain<R: Read>(pipe: &mut Option<R>, scratch: &mut [u8], take: &mut dyn FnMut(&[u8])) -> bool {
    let Some(end) = pipe else { return false };
    match end.read(scratch) {
        Ok(0) => *pipe = None,
        Ok(count) => {
            take(&scratch[..count]);
            return true;
        }
        Err(error) if is_temporary(&error) => {}
        Err(_) => *pipe = None,
    }
    false
}

fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
