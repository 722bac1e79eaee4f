//! The messages of one file to the writer, and which file the writer takes now.
//!
//! The writer empties the channels in list order, so a reader that is ahead waits when its channel is full. It must
//! not wait while it holds a worker: the file before it may need that very worker. Such a reader keeps a limited
//! backlog, then gives up and reads its file again when it is the file's turn.

use super::processing::ProcessedPart;
use pensieve_store::store::{NewMember, Outcome, TaskKind};
use pensieve_text::model::Problem;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A message to the writer about one file. A second `Start` discards what came after the first. What comes between
/// `Member` and `MemberDone` belongs to that member.
pub(super) enum WriterMessage {
    Start(TaskKind),
    ProcessedPart(ProcessedPart),
    Member(Box<NewMember>),
    MemberDone(Box<Outcome>),
    /// The outcome, and the time that the reader took, without waiting.
    Finish(Box<Outcome>, Duration),
    /// The file could not be processed; what is stored stays.
    Kept(Problem),
}

impl WriterMessage {
    /// Approximate size in bytes.
    fn weight(&self) -> usize {
        match self {
            WriterMessage::ProcessedPart(ProcessedPart::Text(part)) => part.frame.len() + part.map.len(),
            WriterMessage::ProcessedPart(ProcessedPart::Chunks { rows, .. }) => {
                rows.iter().map(|row| row.content.len()).sum()
            }
            WriterMessage::Member(_) | WriterMessage::MemberDone(_) => 256,
            WriterMessage::Start(_) | WriterMessage::Finish(..) | WriterMessage::Kept(_) => 0,
        }
    }
}

/// A bundle is sent when its parts have this many bytes.
const BUNDLE_BYTES: usize = 128 << 10;

/// Bytes that a reader that may not wait keeps before it gives up.
const BACKLOG_BYTES: usize = 8 << 20;

/// The index of the file that the writer is taking.
pub(super) struct WriterTurn {
    at: Mutex<usize>,
    moved: Condvar,
}

impl WriterTurn {
    pub fn new() -> WriterTurn {
        WriterTurn { at: Mutex::new(0), moved: Condvar::new() }
    }

    /// Sets the file that the writer is taking.
    pub fn set(&self, at: usize) {
        *self.at.lock().unwrap_or_else(PoisonError::into_inner) = at;
        self.moved.notify_all();
    }

    fn has_come(&self, at: usize) -> bool {
        *self.at.lock().unwrap_or_else(PoisonError::into_inner) >= at
    }

    /// Waits until the writer takes this file; returns false if the user stops the run first.
    pub fn wait(&self, at: usize, interrupted: &dyn Fn() -> bool) -> bool {
        let mut now = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        while *now < at {
            if interrupted() {
                return false;
            }
            let poll_interval = Duration::from_millis(100);
            now = self.moved.wait_timeout(now, poll_interval).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

/// The channel for the messages of one file. `Start` is sent with the first part, so that a reader that is
/// interrupted before its first part leaves the stored row unchanged.
pub(super) struct WriterOutbox<'s> {
    sender: &'s SyncSender<Vec<WriterMessage>>,
    turn: &'s WriterTurn,
    at: usize,
    start: Option<TaskKind>,
    is_connected: bool,
    /// Messages that are sent together: waking the writer for each part of a short file costs more than writing its
    /// parts.
    bundle: Vec<WriterMessage>,
    weight: usize,
    backlog: Vec<Vec<WriterMessage>>,
    backlog_weight: usize,
    /// True while it must not wait.
    is_hurried: bool,
    /// True after it gave up because it would have had to wait.
    gave_up: bool,
    /// How long it has waited for the writer.
    waited: Duration,
}

impl<'s> WriterOutbox<'s> {
    pub fn new(
        sender: &'s SyncSender<Vec<WriterMessage>>,
        turn: &'s WriterTurn,
        at: usize,
    ) -> WriterOutbox<'s> {
        WriterOutbox {
            sender,
            turn,
            at,
            start: None,
            is_connected: true,
            bundle: Vec::new(),
            weight: 0,
            backlog: Vec::new(),
            backlog_weight: 0,
            is_hurried: false,
            gave_up: false,
            waited: Duration::ZERO,
        }
    }

    /// Starts a task; discards what was sent for an earlier one.
    pub fn begin(&mut self, task: &TaskKind) {
        self.start = Some(task.clone());
        self.bundle.clear();
        self.backlog.clear();
        (self.weight, self.backlog_weight, self.gave_up) = (0, 0, false);
    }

    /// Sets whether messages must not wait for the writer.
    pub fn hurry(&mut self, is_hurried: bool) {
        self.is_hurried = is_hurried;
    }

    /// True when the last messages were refused because they would have had to wait.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Waits until the writer takes this file.
    pub fn wait_for_turn(&mut self, interrupted: &dyn Fn() -> bool) -> bool {
        let begun = Instant::now();
        let has_come = self.turn.wait(self.at, interrupted);
        self.waited += begun.elapsed();
        has_come
    }

    /// How long it has waited for the writer.
    pub fn waited(&self) -> Duration {
        self.waited
    }

    /// Sends a part; returns false when no more are wanted.
    pub fn part(&mut self, part: ProcessedPart) -> bool {
        self.send(WriterMessage::ProcessedPart(part))
    }

    /// Sends any message after the start; returns false when the receiver is gone.
    pub fn send(&mut self, message: WriterMessage) -> bool {
        if let Some(task) = self.start.take() {
            self.bundle.push(WriterMessage::Start(task));
        }
        self.weight += message.weight();
        let is_last = matches!(message, WriterMessage::Finish(..) | WriterMessage::Kept(_));
        self.bundle.push(message);
        if is_last || self.weight >= BUNDLE_BYTES {
            self.pass_on();
        }
        self.is_connected && !self.gave_up
    }

    fn pass_on(&mut self) {
        let bundle = std::mem::take(&mut self.bundle);
        let weight = std::mem::take(&mut self.weight);
        if !self.is_connected || self.gave_up {
            return;
        }
        if !self.is_hurried || self.turn.has_come(self.at) {
            self.backlog.push(bundle);
            let begun = Instant::now();
            self.is_connected = self.backlog.drain(..).all(|waiting| self.sender.send(waiting).is_ok());
            self.backlog_weight = 0;
            self.waited += begun.elapsed();
            return;
        }
        let refused = match self.backlog.is_empty() {
            true => self.sender.try_send(bundle).err(),
            false => Some(TrySendError::Full(bundle)),
        };
        match refused {
            None => {}
            Some(TrySendError::Disconnected(_)) => self.is_connected = false,
            Some(TrySendError::Full(bundle)) => {
                self.backlog.push(bundle);
                self.backlog_weight += weight;
                self.gave_up = self.backlog_weight > BACKLOG_BYTES;
            }
        }
    }
}
