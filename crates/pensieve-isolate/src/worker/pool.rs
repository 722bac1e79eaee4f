//! The parent: a child for each slot, started when needed and replaced when lost.

use super::protocol::WorkerRequest;
use super::session::{RequestOutcome, WorkerSession};
use crate::limits::worker::{READER_OUTPUT_BYTES, READER_SECONDS};
use crate::platform::{ChildInput, ChildPipes, ChildProcess, Invocation, ProcessLimits};
use pensieve_readers::nested::EventSink;
use pensieve_text::model::Problem;
use serde_json::Value;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use thiserror::Error;

/// How often a thread that waits for a slot checks whether the user wants to stop.
const INTERRUPT_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// How a pool runs its children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerPoolOptions {
    /// The program of a child.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Maximum number of children at a time; at least one.
    pub slots: usize,
    /// What a child may use: memory for its life, time and output for each document. Wall time should be several times
    /// the processor time, because a busy machine stretches it.
    pub limits: ProcessLimits,
}

/// Why a document was not read.
#[derive(Debug, Error)]
pub enum WorkerFailure {
    /// The document could not be read; the pool continues.
    #[error("{}", .0.message)]
    Problem(Problem),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The receiver stopped the reader.
    #[error("stopped by the receiver")]
    Refused,
    /// No child can be started.
    #[error("cannot start `{}`: {source}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// A child does not behave like a worker; no document is to blame.
    #[error("`{}` is not a worker: {reason}", program.display())]
    Broken {
        /// The program.
        program: PathBuf,
        /// What it did.
        reason: String,
    },
}

/// Children that read documents for any number of threads.
pub struct WorkerPool {
    options: WorkerPoolOptions,
    slots: Mutex<WorkerSlots>,
    freed: Condvar,
    starter: WorkerStarter,
    next: AtomicU64,
}

#[derive(Default)]
struct WorkerSlots {
    idle: Vec<WorkerSession>,
    taken: usize,
}

impl WorkerPool {
    /// A pool without children yet.
    pub fn new(options: WorkerPoolOptions) -> io::Result<WorkerPool> {
        let options = WorkerPoolOptions { slots: options.slots.max(1), ..options };
        let starter = WorkerStarter::new(&options)?;
        Ok(WorkerPool {
            options,
            slots: Mutex::default(),
            freed: Condvar::new(),
            starter,
            next: AtomicU64::new(1),
        })
    }

    /// Has a child read one document and passes on its events; waits for a free slot. The child gets the open file and
    /// no path, and its position is shared: the caller rewinds before it reads the file itself.
    ///
    /// A document that cannot be read is reported as an event, not as a failure. A child that hangs, crashes or takes
    /// too much memory is ended, and its document gets a [`WorkerFailure::Problem`]; the next request gets another
    /// child. A document that may take more `memory` than a child has gets its own child, and idle children are
    /// ended.
    pub fn read(
        &self,
        document: &File,
        name: &str,
        settings: &Value,
        memory: u64,
        interrupted: &(dyn Fn() -> bool + Sync),
        on_event: EventSink<'_>,
    ) -> Result<(), WorkerFailure> {
        let mut slot = self.take_slot(interrupted)?;
        let is_large = memory > self.options.limits.memory;
        if is_large {
            slot.session = None;
            let idle = std::mem::take(&mut self.lock().idle);
            drop(idle);
        }
        let limits = self.limits_for(document, memory);
        let session = match &mut slot.session {
            Some(session) => session,
            empty => empty.insert(self.start(limits.memory)?),
        };
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let request = WorkerRequest::new(id, Path::new(""), name, settings.clone());
        let (ending, bytes) = session.ask(&request, document, &limits, interrupted, on_event);
        let keeps = !is_large
            && matches!(ending, RequestOutcome::Answered)
            && session.is_fresh(&self.options.limits, bytes);
        if !keeps {
            slot.session = None;
        }
        match ending {
            RequestOutcome::Answered => Ok(()),
            RequestOutcome::Refused => Err(WorkerFailure::Refused),
            RequestOutcome::Lost(problem) => Err(WorkerFailure::Problem(problem)),
            RequestOutcome::Interrupted => Err(WorkerFailure::Interrupted),
            RequestOutcome::Broken(reason) => {
                Err(WorkerFailure::Broken { program: self.options.program.clone(), reason })
            }
        }
    }

    /// Time and output grow with the size of the file.
    fn limits_for(&self, document: &File, memory: u64) -> ProcessLimits {
        let size = document.metadata().map_or(0, |found| found.len());
        let limits = self.options.limits.for_bytes(size);
        ProcessLimits { memory: limits.memory.max(memory), ..limits }
    }

    fn start(&self, memory: u64) -> Result<WorkerSession, WorkerFailure> {
        let failed = |source| WorkerFailure::Start { program: self.options.program.clone(), source };
        let (child, pipes) = self.starter.start(memory).map_err(failed)?;
        Ok(WorkerSession::new(child, pipes))
    }

    /// A slot, with its child if one is alive there.
    fn take_slot(&self, interrupted: &dyn Fn() -> bool) -> Result<WorkerSlot<'_>, WorkerFailure> {
        let mut slots = self.lock();
        while slots.taken >= self.options.slots {
            if interrupted() {
                return Err(WorkerFailure::Interrupted);
            }
            slots = self
                .freed
                .wait_timeout(slots, INTERRUPT_CHECK_INTERVAL)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        slots.taken += 1;
        let session = slots.idle.pop();
        drop(slots);
        Ok(WorkerSlot { pool: self, session: session.filter(|session| !session.is_gone()) })
    }

    fn lock(&self) -> MutexGuard<'_, WorkerSlots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        // Children first: the kernel ends them anyway when the thread that started them is gone.
        self.lock().idle.clear();
    }
}

/// The right to use one child; given back when dropped.
struct WorkerSlot<'p> {
    pool: &'p WorkerPool,
    session: Option<WorkerSession>,
}

impl Drop for WorkerSlot<'_> {
    fn drop(&mut self) {
        let mut slots = self.pool.lock();
        slots.taken -= 1;
        slots.idle.extend(self.session.take());
        drop(slots);
        self.pool.freed.notify_one();
    }
}

type StartResult = io::Result<(ChildProcess, ChildPipes)>;

/// Memory of a new child, and where to send it.
type StartRequest = (u64, Sender<StartResult>);

/// The thread that starts every child. It lives as long as the pool, because the kernel ends a child with the thread
/// that started it, and the threads that ask for documents come and go.
struct WorkerStarter {
    requests: Option<Mutex<Sender<StartRequest>>>,
    thread: Option<JoinHandle<()>>,
}

impl WorkerStarter {
    fn new(options: &WorkerPoolOptions) -> io::Result<WorkerStarter> {
        let invocation = Invocation::new(options.program.clone(), &options.arguments);
        // Processor time is counted for each document and not for the life of a child.
        let limits = ProcessLimits { cpu: None, ..options.limits };
        let (requests, received) = channel();
        let thread = std::thread::Builder::new()
            .name("worker-starter".to_owned())
            .spawn(move || start_children(&received, &invocation, &limits))?;
        Ok(WorkerStarter { requests: Some(Mutex::new(requests)), thread: Some(thread) })
    }

    fn start(&self, memory: u64) -> StartResult {
        let gone = || io::Error::other("the thread that starts workers is gone");
        let (answer, answered) = channel();
        let requests = self.requests.as_ref().ok_or_else(gone)?;
        requests.lock().unwrap_or_else(PoisonError::into_inner).send((memory, answer)).map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())?
    }
}

fn start_children(requests: &Receiver<StartRequest>, invocation: &Invocation, limits: &ProcessLimits) {
    for (memory, answer) in requests {
        // The receiver may be gone; then the child ends when it is dropped.
        let limits = ProcessLimits { memory, ..*limits };
        let _ = answer.send(ChildProcess::start(invocation, &limits, ChildInput::Requests));
    }
}

impl Drop for WorkerStarter {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A pool of children that read documents. `command` is the program with its arguments; this program if it is empty.
///
/// # Errors
/// The running program cannot be found, or the thread that starts children cannot be started.
pub fn worker_pool(command: &[OsString], slots: usize, memory: u64) -> io::Result<WorkerPool> {
    let (program, arguments) = match command.split_first() {
        Some((program, arguments)) => (PathBuf::from(program), arguments.to_vec()),
        None => {
            (this_program()?, ["worker", "--protocol", "1", "--descriptors"].map(OsString::from).to_vec())
        }
    };
    let limits = ProcessLimits {
        wall: Duration::from_secs(READER_SECONDS * 3),
        cpu: Some(Duration::from_secs(READER_SECONDS)),
        memory,
        output: READER_OUTPUT_BYTES,
    };
    WorkerPool::new(WorkerPoolOptions { program, arguments, slots, limits })
}

/// The running program; without /proc, which a container may lack, as the shell has found it.
fn this_program() -> io::Result<PathBuf> {
    std::env::current_exe().or_else(|error| {
        let name = PathBuf::from(std::env::args_os().next().unwrap_or_default());
        let is_path = name.components().count() > 1;
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let mut found = std::env::split_paths(&folders).map(|folder| folder.join(&name));
        match is_path {
            true => std::path::absolute(name),
            false => found.find(|path| path.is_file()).ok_or(error),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::prelude::{BASE64_STANDARD, Engine};
    use pensieve_readers::event::ReaderEvent;
    use pensieve_text::model::{ProblemKind, Segment};

    fn document() -> File {
        File::open("/dev/null").unwrap()
    }

    /// A worker written in shell; the name of the request decides its answer.
    const FAKE: &str = r#"
        while read -r line; do
            id=${line#*\"id\":}; id=${id%%,*}
            case $line in
                *die*) kill -SEGV $$ ;;
                *abort*) echo 'memory allocation of 99 bytes failed' >&2; kill -ABRT $$ ;;
                *quit*) exit 2 ;;
                *hang*) while :; do :; done ;;
                *sleep*) sleep 60 ;;
                *flood*) yes "{\"id\":$id,\"row\":\"text\",\"text\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}" ;;
                *nonsense*) echo hello ;;
                *) echo "{\"id\":$id,\"row\":\"text\",\"text\":\"$$\"}"
                   echo "{\"id\":$id,\"row\":\"map\",\"map\":\"$0\",\"last\":true}"
                   echo "{\"id\":$id,\"row\":\"document\"}"
                   echo "{\"id\":$id,\"row\":\"done\"}" ;;
            esac
        done"#;

    fn pool(slots: usize) -> WorkerPool {
        let limits = ProcessLimits {
            wall: Duration::from_secs(2),
            cpu: Some(Duration::from_millis(500)),
            memory: 256 << 20,
            output: 1 << 20,
        };
        // The encoded empty map is passed as the script's `$0`.
        let map = BASE64_STANDARD.encode(Segment::default().encode_map());
        let arguments = ["-c", FAKE, &map].map(OsString::from).to_vec();
        WorkerPool::new(WorkerPoolOptions { program: "/bin/sh".into(), arguments, slots, limits }).unwrap()
    }

    fn ask(pool: &WorkerPool, name: &str) -> Result<String, WorkerFailure> {
        let mut text = String::new();
        let mut on_event = |event| {
            if let ReaderEvent::Text(segment) = event {
                text.push_str(&segment.text);
            }
            true
        };
        pool.read(&document(), name, &Value::Null, 0, &|| false, &mut on_event)?;
        Ok(text)
    }

    fn check_lost(pool: &WorkerPool, name: &str, expected: ProblemKind) {
        match ask(pool, name) {
            Err(WorkerFailure::Problem(problem)) => assert_eq!(problem.kind, expected, "{name}: {problem:?}"),
            other => panic!("{name}: {other:?}"),
        }
        assert!(ask(pool, "good").is_ok(), "after {name}");
    }

    #[test]
    fn a_child_is_used_again_and_replaced_when_it_is_lost() {
        let pool = pool(1);
        let first = ask(&pool, "a").unwrap();
        assert_eq!(ask(&pool, "b").unwrap(), first);
        check_lost(&pool, "die", ProblemKind::Crashed);
        check_lost(&pool, "abort", ProblemKind::MemoryLimit);
        check_lost(&pool, "quit", ProblemKind::Crashed);
        check_lost(&pool, "hang", ProblemKind::Timeout);
        check_lost(&pool, "sleep", ProblemKind::Timeout);
        check_lost(&pool, "flood", ProblemKind::OutputLimit);
        assert!(matches!(ask(&pool, "nonsense"), Err(WorkerFailure::Broken { .. })));
        assert_ne!(ask(&pool, "c").unwrap(), first);
    }

    #[test]
    fn a_child_that_died_while_idle_costs_no_document() {
        let pool = pool(1);
        let first = ask(&pool, "a").unwrap();
        let pid = rustix::process::Pid::from_raw(first.parse().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        assert_ne!(ask(&pool, "b").unwrap(), first);
    }

    #[test]
    fn a_document_that_needs_more_memory_has_a_child_of_its_own() {
        let pool = pool(2);
        let first = ask(&pool, "a").unwrap();
        let mut large = String::new();
        let mut on_event = |event| {
            if let ReaderEvent::Text(segment) = event {
                large.push_str(&segment.text);
            }
            true
        };
        pool.read(&document(), "b", &Value::Null, 512 << 20, &|| false, &mut on_event).unwrap();
        let after = ask(&pool, "c").unwrap();
        assert!(first != large && large != after && first != after, "{first} {large} {after}");
    }

    #[test]
    fn a_program_that_is_no_worker_is_not_taken_for_a_bad_document() {
        let pool = pool(1);
        assert!(matches!(ask(&pool, "quit"), Err(WorkerFailure::Broken { .. })));
        let options = WorkerPoolOptions { program: "/no/such".into(), ..pool.options.clone() };
        assert!(matches!(ask(&WorkerPool::new(options).unwrap(), "a"), Err(WorkerFailure::Start { .. })));
    }

    #[test]
    fn threads_share_the_slots_and_may_end_before_the_pool() {
        let pool = pool(2);
        let mut pids = Vec::new();
        for _ in 0..2 {
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..6).map(|_| scope.spawn(|| ask(&pool, "a").unwrap())).collect();
                pids.extend(threads.into_iter().map(|thread| thread.join().unwrap()));
            });
        }
        pids.sort();
        pids.dedup();
        assert!(pids.len() <= 2, "{pids:?}");
    }

    #[test]
    fn the_user_can_stop_it() {
        let stopped = pool(1).read(&document(), "sleep", &Value::Null, 0, &|| true, &mut |_| true);
        assert!(matches!(stopped, Err(WorkerFailure::Interrupted)));
    }
}
