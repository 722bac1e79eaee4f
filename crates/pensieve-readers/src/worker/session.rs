//! One living child and the document that it reads now.

use super::answer::{Answer, Step};
use super::protocol::{ProtocolError, WorkerRequest};
use crate::nested::EventSink;
use crate::process::{ChildPipes, ChildProcess, PipeTurn, ProcessLimits};
use pensieve_text::model::{Problem, ProblemKind};
use serde_json::Value;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

/// How often limits are looked at: documents that take less cost no look at all.
const LOOK: Duration = Duration::from_millis(100);
/// How many small documents a child reads between two looks at its memory.
const DOCUMENTS_A_LOOK: u64 = 64;
/// Answers larger than this make a look worth its cost.
const LARGE_ANSWER: u64 = 4 << 20;

/// A child that waits for requests, or reads.
pub(super) struct Session {
    child: ChildProcess,
    pipes: ChildPipes,
    received: Vec<u8>,
    served: u64,
}

/// How a request ended.
pub(super) enum Ending {
    /// With a whole answer; the child waits for the next request.
    Answered,
    /// Because the receiver of the answer wanted no more.
    Refused,
    /// With the child, and it is the document's fault.
    Lost(Problem),
    /// With the child, and no document is to blame.
    Broken(String),
    /// Because the user asked to stop.
    Interrupted,
}

impl Session {
    pub(super) fn new(child: ChildProcess, pipes: ChildPipes) -> Session {
        Session { child, pipes, received: Vec::new(), served: 0 }
    }

    /// True when the child went away while nobody asked it anything.
    pub(super) fn is_gone(&self) -> bool {
        self.child.has_exited()
    }

    /// True when the child is fit for the next document. One that holds on to much memory is not: whether a document
    /// fits into the limit must not depend on those before it.
    pub(super) fn is_fresh(&self, limits: &ProcessLimits, answer: u64) -> bool {
        let look = answer > LARGE_ANSWER || self.served.is_multiple_of(DOCUMENTS_A_LOOK);
        !look || self.child.usage().memory < limits.memory / 2
    }

    /// Sends a request and follows the child until its answer is whole. The number of bytes of the answer comes
    /// along.
    pub(super) fn ask(
        &mut self,
        request: &WorkerRequest,
        limits: &ProcessLimits,
        interrupted: &dyn Fn() -> bool,
        on_event: EventSink<'_>,
    ) -> (Ending, u64) {
        self.pipes.clear_log();
        self.received.clear();
        let mut exchange = Exchange {
            id: &request.id,
            limits,
            answer: Answer::default(),
            bytes: 0,
            scanned: 0,
            started: Instant::now(),
            looked: Instant::now(),
            cpu_before: None,
            received_for: Duration::ZERO,
        };
        let line = request.to_line();
        let ending = self.exchange(&mut exchange, &line, interrupted, on_event);
        let ending =
            ending.unwrap_or_else(|error| Ending::Broken(format!("cannot follow the child: {error}")));
        self.served += 1;
        (ending, exchange.bytes)
    }

    fn exchange(
        &mut self,
        exchange: &mut Exchange<'_>,
        mut line: &[u8],
        interrupted: &dyn Fn() -> bool,
        on_event: EventSink<'_>,
    ) -> io::Result<Ending> {
        loop {
            let before = self.received.len();
            let received = &mut self.received;
            let rest = exchange.limits.wall.saturating_sub(exchange.waited()).min(LOOK);
            let turn = self
                .pipes
                .turn(self.child.exit(), &mut line, rest, &mut |b| received.extend_from_slice(b))?;
            exchange.bytes += (self.received.len() - before) as u64;
            match exchange.take_lines(&mut self.received, on_event) {
                Ok(Step::Done) => return Ok(Ending::Answered),
                Ok(Step::Refused) => return Ok(Ending::Refused),
                Ok(Step::More) => {}
                Err(error) => return Ok(Ending::Broken(error.to_string())),
            }
            if exchange.bytes > exchange.limits.output {
                return Ok(Ending::Lost(exchange.too_much_output()));
            }
            if turn == PipeTurn::Quiet && self.child.has_exited() {
                return Ok(self.death(exchange));
            }
            if exchange.is_time_to_look() {
                if interrupted() {
                    return Ok(Ending::Interrupted);
                }
                if let Some(problem) = exchange.passed_limit(&self.child) {
                    return Ok(Ending::Lost(problem));
                }
            }
        }
    }

    /// Why a child is no more that was not ended by us.
    fn death(&mut self, exchange: &Exchange<'_>) -> Ending {
        let status = self.child.end();
        // Its last words may have come after the last look.
        let quick = Duration::ZERO;
        while matches!(self.pipes.turn(None, &mut &[][..], quick, &mut |_| {}), Ok(PipeTurn::Moved)) {}
        let log = self.pipes.log();
        let Some(signal) = status.and_then(|status| status.signal()) else {
            let status = status.map_or_else(|| "an unknown status".to_owned(), |status| status.to_string());
            let last = log.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let message = format!("the worker ended with {status}: {last}");
            // Who ends by itself at the first request was started wrongly; later on a document must have done it.
            return match self.served {
                0 => Ending::Broken(message),
                _ => Ending::Lost(Problem::new(ProblemKind::Crashed, message)),
            };
        };
        if log.contains("memory allocation of") {
            return Ending::Lost(exchange.too_much_memory());
        }
        let message = match log.contains("overflowed its stack") {
            true => "the reader overflowed its stack".to_owned(),
            false => format!("the reader died of signal {signal}"),
        };
        Ending::Lost(Problem::new(ProblemKind::Crashed, message))
    }
}

/// The state of one request.
struct Exchange<'r> {
    id: &'r Value,
    limits: &'r ProcessLimits,
    answer: Answer,
    bytes: u64,
    scanned: usize,
    started: Instant,
    looked: Instant,
    cpu_before: Option<Duration>,
    /// What the receiver took for itself: the child stood still then.
    received_for: Duration,
}

impl Exchange<'_> {
    /// Takes the lines that are whole, and leaves the beginning of the next.
    fn take_lines(&mut self, received: &mut Vec<u8>, on_event: EventSink<'_>) -> Result<Step, ProtocolError> {
        let began = Instant::now();
        let mut start = 0;
        let mut step = Step::More;
        while let Some(at) = memchr::memchr(b'\n', &received[self.scanned..]) {
            let end = self.scanned + at;
            step = self.answer.take(&received[start..end], self.id, on_event)?;
            start = end + 1;
            self.scanned = start;
            if step != Step::More {
                break;
            }
        }
        received.drain(..start);
        self.scanned = received.len();
        self.received_for += began.elapsed();
        Ok(step)
    }

    /// How long the child has been waited for.
    fn waited(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.received_for)
    }

    fn is_time_to_look(&mut self) -> bool {
        let due = self.looked.elapsed() >= LOOK || self.waited() >= self.limits.wall;
        if due {
            self.looked = Instant::now();
        }
        due
    }

    fn passed_limit(&mut self, child: &ChildProcess) -> Option<Problem> {
        let usage = child.usage();
        if usage.memory > self.limits.memory {
            return Some(self.too_much_memory());
        }
        // The processor time before this document is not asked for when it begins, which would cost every small
        // document a look: by the first look, its own share is at most the time that has passed.
        let elapsed = self.started.elapsed();
        let before = *self.cpu_before.get_or_insert(usage.cpu.saturating_sub(elapsed));
        let limit = self.limits.cpu.filter(|&limit| usage.cpu.saturating_sub(before) > limit);
        let overdue = (self.waited() >= self.limits.wall).then_some(self.limits.wall);
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
        let message = format!("the reader wrote more than {} bytes", self.limits.output);
        Problem::new(ProblemKind::OutputLimit, message)
    }
}
