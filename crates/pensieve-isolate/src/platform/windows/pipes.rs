//! The pipes of a launched program. Windows cannot wait for several pipes at once: each has a thread, which ends when its
//! pipe closes. It does when the job is ended, since no process of it is left.

use crate::platform::exchange::{PendingInput, PipeTurn};
use crate::platform::log::HeadTail;
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;
use windows_sys::Win32::Foundation::{DUPLICATE_SAME_ACCESS, DuplicateHandle};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

/// Bytes that are read from a pipe at once; limits are checked in between.
const READ_BUFFER_BYTES: usize = 64 * 1024;

/// Blocks that wait to be taken: the program waits when there are more.
const WAITING_BLOCKS: usize = 4;

/// What a thread has read.
enum PipeBlock {
    Output(Vec<u8>),
    Log(Vec<u8>),
    OutputClosed,
    LogClosed,
}

/// The pipes of one program.
pub(crate) struct ChildPipes {
    process: OwnedHandle,
    stdin: Option<Sender<Vec<u8>>>,
    blocks: Receiver<PipeBlock>,
    /// Keeps the channel open, so that waiting takes its time when both pipes are closed.
    _sender: SyncSender<PipeBlock>,
    has_output: bool,
    has_log: bool,
    log: HeadTail,
}

impl ChildPipes {
    pub(super) fn new(
        process: OwnedHandle,
        stdin: Option<ChildStdin>,
        stdout: Option<ChildStdout>,
        stderr: Option<ChildStderr>,
    ) -> io::Result<ChildPipes> {
        let (sender, blocks) = sync_channel(WAITING_BLOCKS);
        let (has_output, has_log) = (stdout.is_some(), stderr.is_some());
        if let Some(pipe) = stdout {
            spawn(reading(pipe, sender.clone(), PipeBlock::Output, PipeBlock::OutputClosed))?;
        }
        if let Some(pipe) = stderr {
            spawn(reading(pipe, sender.clone(), PipeBlock::Log, PipeBlock::LogClosed))?;
        }
        let stdin = stdin.map(writing).transpose()?;
        let log = HeadTail::default();
        Ok(ChildPipes { process, stdin, blocks, _sender: sender, has_output, has_log, log })
    }

    /// Waits until a pipe has data, at most for `timeout`, and moves it: from `send` into the program, from its output to
    /// `take`, from its stderr into the log.
    ///
    /// # Errors
    /// The document cannot be given to the program.
    pub fn turn(
        &mut self,
        _also: Option<Infallible>,
        send: &mut PendingInput<'_>,
        timeout: Duration,
        take: &mut dyn FnMut(&[u8]),
    ) -> io::Result<PipeTurn> {
        let mut moved = self.feed(send)?;
        let timeout = if moved { Duration::ZERO } else { timeout };
        let first = self.blocks.recv_timeout(timeout).ok();
        let blocks: Vec<PipeBlock> =
            first.into_iter().chain(self.blocks.try_iter().take(WAITING_BLOCKS)).collect();
        for block in blocks {
            moved = true;
            match block {
                PipeBlock::Output(bytes) => take(&bytes),
                PipeBlock::Log(bytes) => self.log.push(&bytes),
                PipeBlock::OutputClosed => self.has_output = false,
                PipeBlock::LogClosed => self.has_log = false,
            }
        }
        Ok(if moved { PipeTurn::Moved } else { PipeTurn::Quiet })
    }

    /// True while a process may still write to stdout or stderr.
    pub fn is_open(&self) -> bool {
        self.has_output || self.has_log
    }

    /// The first and last 4 KiB of stderr so far.
    pub fn log(&self) -> String {
        self.log.to_text()
    }

    /// Discards what was kept of stderr so far.
    pub fn clear_log(&mut self) {
        self.log = HeadTail::default();
    }

    /// Sends a request: a line with the number of the document's handle in the other process, and the request.
    fn feed(&mut self, send: &mut PendingInput<'_>) -> io::Result<bool> {
        let Some(stdin) = self.stdin.as_ref().filter(|_| !send.bytes.is_empty()) else { return Ok(false) };
        let mut bytes = Vec::new();
        if let Some(document) = send.document.take() {
            bytes = format!("{}\n", self.give(document)?).into_bytes();
        }
        bytes.extend_from_slice(send.bytes);
        if stdin.send(bytes).is_err() {
            self.stdin = None;
            return Ok(false);
        }
        send.bytes = &[];
        Ok(true)
    }

    /// Opens a document in the other process too.
    fn give(&self, document: &File) -> io::Result<usize> {
        let mut theirs = std::ptr::null_mut();
        // SAFETY: all handles are open, and the call writes one handle.
        let given = unsafe {
            DuplicateHandle(
                GetCurrentProcess(),
                document.as_raw_handle(),
                self.process.as_raw_handle(),
                &raw mut theirs,
                0,
                0,
                DUPLICATE_SAME_ACCESS,
            )
        };
        if given == 0 { Err(io::Error::last_os_error()) } else { Ok(theirs.addr()) }
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name("pipe".to_owned()).spawn(work).map(|_| ())
}

fn reading(
    mut pipe: impl Read,
    blocks: SyncSender<PipeBlock>,
    block: fn(Vec<u8>) -> PipeBlock,
    closed: PipeBlock,
) -> impl FnOnce() {
    move || {
        let mut buffer = vec![0; READ_BUFFER_BYTES];
        while let Ok(count) = pipe.read(&mut buffer) {
            if count == 0 || blocks.send(block(buffer[..count].to_vec())).is_err() {
                break;
            }
        }
        let _ = blocks.send(closed);
    }
}

fn writing(mut pipe: ChildStdin) -> io::Result<Sender<Vec<u8>>> {
    let (sender, waiting) = channel::<Vec<u8>>();
    spawn(move || while waiting.recv().is_ok_and(|bytes| pipe.write_all(&bytes).is_ok()) {})?;
    Ok(sender)
}
