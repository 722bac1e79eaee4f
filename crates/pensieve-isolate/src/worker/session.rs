//! One living child and the document that it reads now.

use super::answer::{AnswerDecoder, AnswerStep};
use super::protocol::{ProtocolError, WorkerRequest};
use crate::platform::{
    ChildPipes, ChildProcess, FORBIDDEN_CALL, PendingInput, PipeTurn, ProcessLimits, signal_of,
};
use pensieve_readers::event::ReaderEvent;
use pensieve_readers::nested::{EventSink, unpackable_bytes};
use pensieve_text::model::{Problem, ProblemKind};
use serde_json::Value;
use std::fs::File;
use std::io;
use std::time::{Duration, Instant};

/// How often limits are checked: documents that take less time cost no check.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Small documents that a child reads between two checks of its memory.
const DOCUMENTS_PER_CHECK: u64 = 64;
/// After a larger answer the memory of a child is checked.
const LARGE_ANSWER_BYTES: u64 = 4 << 20;

/// A child that waits for requests, or reads.
pub(super) struct WorkerSession {
    child: ChildProcess,
    pipes: ChildPipes,
    received: Vec<u8>,
    served: u64,
}

/// How a request ended.
pub(super) enum RequestOutcome {
    /// With a complete answer; the child waits for the next request.
    Answered,
    /// Because the receiver of the answer stopped it.
    Refused,
    /// The child was lost because of the document.
    Lost(Problem),
    /// The child was lost, and no document is to blame.
    Broken(String),
    /// Because the user asked to stop.
    Interrupted,
}

impl WorkerSession {
    pub(super) fn new(child: ChildProcess, pipes: ChildPipes) -> WorkerSession {
        WorkerSession { child, pipes, received: Vec::new(), served: 0 }
    }

    /// True if the child ended while it waited for a request.
    pub(super) fn is_gone(&self) -> bool {
        self.child.has_exited()
    }

    /// True if the child can read the next document. A child that keeps much memory cannot: whether a document fits
    /// into the limit must not depend on those before it.
    pub(super) fn is_fresh(&self, limits: &ProcessLimits, answer: u64) -> bool {
        let is_due = answer > LARGE_ANSWER_BYTES || self.served.is_multiple_of(DOCUMENTS_PER_CHECK);
        !is_due || self.child.usage().memory < limits.memory / 2
    }

    /// Sends a request with its open document and follows the child until its answer is complete. Also returns the bytes of the answer.
    pub(super) fn ask(
        &mut self,
        request: &WorkerRequest,
        document: &File,
        limits: &ProcessLimits,
        interrupted: &dyn Fn() -> bool,
        on_event: EventSink<'_>,
    ) -> (RequestOutcome, u64) {
        self.pipes.clear_log();
        self.received.clear();
        let mut exchange = RequestState {
            id: &request.id,
            limits,
            inside: 0,
            max_inside: unpackable_bytes(document.metadata().map_or(0, |found| found.len())),
            answer: AnswerDecoder::default(),
            bytes: 0,
            scanned: 0,
            started: Instant::now(),
            last_check: Instant::now(),
            cpu_before: None,
            received_for: Duration::ZERO,
        };
        let line = request.to_line();
        let input = PendingInput { bytes: &line, document: Some(document) };
        let ending = self.exchange(&mut exchange, input, interrupted, on_event);
        let ending = ending
            .unwrap_or_else(|error| RequestOutcome::Broken(format!("cannot follow the child: {error}")));
        self.served += 1;
        (ending, exchange.bytes)
    }

    fn exchange(
        &mut self,
        exchange: &mut RequestState<'_>,
        mut input: PendingInput<'_>,
        interrupted: &dyn Fn() -> bool,
        on_event: EventSink<'_>,
    ) -> io::Result<RequestOutcome> {
        loop {
            let before = self.received.len();
            let received = &mut self.received;
            let rest = exchange.limits().wall.saturating_sub(exchange.waited()).min(CHECK_INTERVAL);
            let turn = self
                .pipes
                .turn(self.child.exit(), &mut input, rest, &mut |b| received.extend_from_slice(b))?;
            exchange.bytes += (self.received.len() - before) as u64;
            match exchange.take_lines(&mut self.received, on_event) {
                Ok(AnswerStep::Done) => return Ok(RequestOutcome::Answered),
                Ok(AnswerStep::Refused) => return Ok(RequestOutcome::Refused),
                Ok(AnswerStep::More) => {}
                Err(error) => return Ok(RequestOutcome::Broken(error.to_string())),
            }
            if exchange.bytes > exchange.limits().output {
                return Ok(RequestOutcome::Lost(exchange.too_much_output()));
            }
            if turn == PipeTurn::Quiet && self.child.has_exited() {
                return Ok(self.death(exchange));
            }
            if exchange.is_check_due() {
                if interrupted() {
                    return Ok(RequestOutcome::Interrupted);
                }
                if let Some(problem) = exchange.passed_limit(&self.child) {
                    return Ok(RequestOutcome::Lost(problem));
                }
            }
        }
    }

    /// Why a child ended by itself.
    fn death(&mut self, exchange: &RequestState<'_>) -> RequestOutcome {
        let status = self.child.end();
        // It may have written to its log after the last check.
        let timeout = Duration::ZERO;
        while matches!(
            self.pipes.turn(None, &mut PendingInput::default(), timeout, &mut |_| {}),
            Ok(PipeTurn::Moved)
        ) {}
        let log = self.pipes.log();
        let Some(signal) = status.as_ref().and_then(signal_of) else {
            let status = status.map_or_else(|| "an unknown status".to_owned(), |status| status.to_string());
            let last = log.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let message = format!("the worker ended with {status}: {last}");
            // A child that ends at its first request was started wrongly; later a document must be the cause.
            return match self.served {
                0 => RequestOutcome::Broken(message),
                _ => RequestOutcome::Lost(Problem::new(ProblemKind::Crashed, message)),
            };
        };
        if log.contains("memory allocation of") {
            return RequestOutcome::Lost(exchange.too_much_memory());
        }
        if signal == FORBIDDEN_CALL {
            let message = "the reader made a system call that its sandbox forbids";
            return RequestOutcome::Lost(Problem::new(ProblemKind::Forbidden, message));
        }
        let message = match log.contains("overflowed its stack") {
            true => "the reader overflowed its stack".to_owned(),
            false => format!("the reader died of signal {signal}"),
        };
        RequestOutcome::Lost(Problem::new(ProblemKind::Crashed, message))
    }
}

/// What one request to the child has used so far (bytes, time), what it may use, and the decoder of its answer.
struct RequestState<'r> {
    id: &'r Value,
    limits: &'r ProcessLimits,
    /// Bytes of the documents inside the document that have begun, and how many of them count.
    inside: u64,
    max_inside: u64,
    answer: AnswerDecoder,
    bytes: u64,
    scanned: usize,
    started: Instant,
    last_check: Instant,
    cpu_before: Option<Duration>,
    /// Time that the receiver took, during which the child made no progress.
    received_for: Duration,
}

impl RequestState<'_> {
    /// Decodes the complete lines, and leaves the beginning of the next one.
    fn take_lines(
        &mut self,
        received: &mut Vec<u8>,
        on_event: EventSink<'_>,
    ) -> Result<AnswerStep, ProtocolError> {
        let began = Instant::now();
        let mut inside = 0u64;
        let on_event: EventSink<'_> = &mut |event| {
            if let ReaderEvent::Member(head) = &event {
                inside = inside.saturating_add(head.size);
            }
            on_event(event)
        };
        let mut start = 0;
        let mut step = AnswerStep::More;
        while let Some(at) = memchr::memchr(b'\n', &received[self.scanned..]) {
            let end = self.scanned + at;
            step = self.answer.take(&received[start..end], self.id, on_event)?;
            start = end + 1;
            self.scanned = start;
            if step != AnswerStep::More {
                break;
            }
        }
        received.drain(..start);
        self.inside = self.inside.saturating_add(inside).min(self.max_inside);
        self.scanned = received.len();
        self.received_for += began.elapsed();
        Ok(step)
    }

    /// Time and output grow with the documents inside the document, as with its own size.
    fn limits(&self) -> ProcessLimits {
        self.limits.for_bytes(self.inside)
    }

    /// How long the caller has waited for the child.
    fn waited(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.received_for)
    }

    fn is_check_due(&mut self) -> bool {
        let is_due = self.last_check.elapsed() >= CHECK_INTERVAL || self.waited() >= self.limits().wall;
        if is_due {
            self.last_check = Instant::now();
        }
        is_due
    }

    fn passed_limit(&mut self, child: &ChildProcess) -> Option<Problem> {
        let usage = child.usage();
        if usage.memory > self.limits.memory {
            return Some(self.too_much_memory());
        }
        // The processor time is not measured when a document begins, which would cost every small document a check.
        // At the first check, the document's own share is at most the time that has passed.
        let elapsed = self.started.elapsed();
        let before = *self.cpu_before.get_or_insert(usage.cpu.saturating_sub(elapsed));
        let limits = self.limits();
        let limit = limits.cpu.filter(|&limit| usage.cpu.saturating_sub(before) > limit);
        let overdue = (self.waited() >= limits.wall).then_some(limits.wall);
        limit.or(overdue).map(|limit| {
            let message = format!("the reader took longer than {} s", limit.as_secs_f64());
            Problem::new(ProblemKind::Timeout, message)
        })
    }

    fn too_much_memory(&self) -> Problem {
        let message = format!("the reader wanted more than {} bytes of memory", self.limits.memory);
        Problem::new(ProblemKind::MemoryLimit, message)
    }

    fn too_much_output(&self) -> Problem {
        let message = format!("the reader wrote more than {} bytes", self.limits().output);
        Problem::new(ProblemKind::OutputLimit, message)
    }
}
