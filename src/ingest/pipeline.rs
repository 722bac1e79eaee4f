//! Reading in parallel, writing in list order.
//!
//! A dispatcher assigns tasks in the order of the list and gives each a channel of its own; the writer empties the
//! channels in that same order. So ids, canonical choices and rows do not depend on how many threads read. Data in
//! flight is bounded in bytes: a task enters with an estimate of its size, and its channel holds only a few parts, so
//! that a huge file streams through while later ones wait.

use super::context::ReaderContext;
use super::memory::{MemoryBudget, MemoryPermit};
use super::outbox::WriterMessage;
use super::processing::ProcessedPart;
use super::reading::FileReader;
use super::rereads;
use super::settings::IngestError;
use super::summary::IngestSummary;
use super::timings::SlowFile;
use pensieve_store::store::{AddedChunks, FileState, NewMember, Outcome, Task, Writer};
use pensieve_text::format::{by_name, document_kind};
use pensieve_text::model::{
    DocumentKind, FileType, Observer, Problem, ProblemKind, ProcessingStatus, ProgressEvent,
};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Source bytes of all files in flight.
const IN_FLIGHT_BYTES: u64 = 24 << 20;

/// Bundles that the channel of one file holds; each is hardly larger than one segment.
const CHANNEL_BUNDLES: usize = 3;

/// The minimum number of bytes that a file counts for: its row, its channel.
const MIN_FILE_BYTES: u64 = 4 << 10;

/// The maximum number of bytes that a file counts for: a larger file streams.
const MAX_FILE_BYTES: u64 = 2 << 20;

/// A file's index, its channel, and its share of the bytes in flight, which it keeps until it is written.
type InFlightFile<'g> = (usize, Receiver<Vec<WriterMessage>>, MemoryPermit<'g>);

/// A file's index and the channel for its messages.
type ReadingJob = (usize, SyncSender<Vec<WriterMessage>>);

/// Works through the list.
pub(super) fn run(
    context: &ReaderContext<'_>,
    tasks: &[Task],
    writer: &mut Writer<'_>,
    observer: &dyn Observer,
    summary: &mut IngestSummary,
) -> Result<(), IngestError> {
    with_readers(context, tasks, observer, |files| {
        write_all(context, files, |at| Some(&tasks[at]), writer, observer, summary)
    })
}

/// Works through a list whose files have no rows yet: they are read while `prepare` adds the rows, and written when it has
/// returned the tasks for them, by path. A file whose row is not as expected is left to a later list. `None` from `prepare`
/// ends the work.
pub(super) fn run_ahead(
    context: &ReaderContext<'_>,
    expected: &[Task],
    writer: &mut Writer<'_>,
    observer: &dyn Observer,
    summary: &mut IngestSummary,
    prepare: impl FnOnce(&mut Writer<'_>, &mut IngestSummary) -> Result<Option<Vec<Task>>, IngestError>,
) -> Result<(), IngestError> {
    if expected.is_empty() {
        return prepare(writer, summary).map(drop);
    }
    with_readers(context, expected, observer, |files| {
        match prepare(writer, summary)? {
            Some(tasks) => {
                let task_at = |at: usize| task_with_row(&expected[at], &tasks);
                write_all(context, files, task_at, writer, observer, summary)
            }
            // The user has stopped the run: nothing of the list is wanted any more.
            None => Ok(expected.len()),
        }
    })
}

/// The task for the row of a file that was expected, if the row is as it was expected to be.
pub(super) fn task_with_row<'t>(expected: &Task, tasks: &'t [Task]) -> Option<&'t Task> {
    let path = expected.file.relative_path.as_bytes();
    let at = tasks.binary_search_by(|task| task.file.relative_path.as_bytes().cmp(path)).ok()?;
    let FileState { file_id, root_id, duplicate, group, .. } = tasks[at].file;
    let expected = FileState { file_id, root_id, duplicate, group, ..expected.file.clone() };
    (tasks[at].file == expected).then_some(&tasks[at])
}

/// Writes the files of a list in its order, except those for which there is no task; returns how many it has taken.
fn write_all<'t>(
    context: &ReaderContext<'_>,
    files: Receiver<InFlightFile<'_>>,
    task_at: impl Fn(usize) -> Option<&'t Task>,
    writer: &mut Writer<'_>,
    observer: &dyn Observer,
    summary: &mut IngestSummary,
) -> Result<usize, IngestError> {
    let mut done = 0;
    for (at, messages, _share) in files {
        done += 1;
        context.turn.set(at);
        if let Some(task) = task_at(at) {
            write_one(task, &messages, writer, observer, summary)?;
        }
    }
    writer.commit()?;
    Ok(done)
}

/// Starts the threads that read the files of the list. `write` empties their channels, in the order of the list, and returns
/// how many of them need no reader any more.
fn with_readers(
    context: &ReaderContext<'_>,
    tasks: &[Task],
    observer: &dyn Observer,
    write: impl FnOnce(Receiver<InFlightFile<'_>>) -> Result<usize, IngestError>,
) -> Result<(), IngestError> {
    context.turn.set(0);
    let budget = MemoryBudget::new(IN_FLIGHT_BYTES);
    let readers = context.readers().min(tasks.len()).max(1);
    let (line_in, line_out) = sync_channel::<InFlightFile<'_>>(1024);
    let (work_in, work_out) = sync_channel::<ReadingJob>(readers);
    // Only the readers own it: when the last one has ended, the dispatcher's send fails.
    let work_out = Arc::new(Mutex::new(work_out));
    let start_error: Mutex<Option<io::Error>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for number in 0..readers {
            let (work, start_error) = (Arc::clone(&work_out), &start_error);
            std::thread::Builder::new()
                .name(format!("read-{number}"))
                .spawn_scoped(scope, move || {
                    if let Err(error) = read_all(context, &work, tasks) {
                        *start_error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    }
                })
                .map_err(IngestError::Start)?;
        }
        drop(work_out);
        std::thread::Builder::new()
            .name("dispatch".to_owned())
            .spawn_scoped(scope, || dispatch(tasks, &budget, line_in, work_in, observer))
            .map_err(IngestError::Start)?;
        // If it fails it drops the channel: the dispatcher's send fails, and it assigns no more.
        let done = write(line_out);
        // Releases readers that wait for their turn, which will not come.
        context.turn.set(usize::MAX);
        let done = done?;
        // Files that no reader has taken wait for the next run.
        match start_error.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) if done < tasks.len() => Err(IngestError::Start(error)),
            _ => Ok(()),
        }
    })
}

/// Assigns tasks in order; ends early when the user stops the run or the writer has ended.
fn dispatch<'g>(
    tasks: &[Task],
    budget: &'g MemoryBudget,
    line: SyncSender<InFlightFile<'g>>,
    work: SyncSender<ReadingJob>,
    observer: &dyn Observer,
) {
    for (at, task) in tasks.iter().enumerate() {
        let share = budget.acquire(task.file.size.clamp(MIN_FILE_BYTES, MAX_FILE_BYTES));
        let (sender, receiver) = sync_channel(CHANNEL_BUNDLES);
        let stopped = observer.interrupted();
        if stopped || line.send((at, receiver, share)).is_err() || work.send((at, sender)).is_err() {
            return;
        }
    }
}

/// The loop of one reading thread.
///
/// # Errors
/// The reader cannot start, or not again after a panic.
fn read_all(
    context: &ReaderContext<'_>,
    work: &Mutex<Receiver<ReadingJob>>,
    tasks: &[Task],
) -> io::Result<()> {
    let mut reader = FileReader::new(context)?;
    loop {
        let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((at, sender)) = next else { return Ok(()) };
        reader = read_one(reader, context, at, &tasks[at], &sender)?;
    }
}

/// Reads one file, and returns the reader for the next.
///
/// # Errors
/// The reader cannot start again after a panic.
pub(super) fn read_one<'r>(
    mut reader: FileReader<'r>,
    context: &'r ReaderContext<'r>,
    at: usize,
    task: &Task,
    sender: &SyncSender<Vec<WriterMessage>>,
) -> io::Result<FileReader<'r>> {
    let read = catch_unwind(AssertUnwindSafe(|| reader.read(at, task, sender)));
    if read.is_ok() {
        return Ok(reader);
    }
    // After a panic the reader's state is undefined; the next file gets a new reader.
    let _ = sender.send(crash(task));
    FileReader::new(context)
}

/// A panic is one problem of its document, like any other failure.
fn crash(task: &Task) -> Vec<WriterMessage> {
    let problem =
        Problem::new(ProblemKind::Crashed, "the reader panicked: a bug, please report it with the file");
    let outcome = Outcome {
        status: Some(ProcessingStatus::Error),
        reason: Some(problem.message.clone()),
        problems: vec![problem],
        ..Outcome::default()
    };
    vec![WriterMessage::Start(task.kind.clone()), WriterMessage::Finish(Box::new(outcome), Duration::ZERO)]
}

/// Writes the messages of one file's channel.
fn write_one(
    task: &Task,
    messages: &Receiver<Vec<WriterMessage>>,
    writer: &mut Writer<'_>,
    observer: &dyn Observer,
    summary: &mut IngestSummary,
) -> Result<(), IngestError> {
    let mut file =
        FileWriter { task, writer, observer, summary, is_accepted: false, member: None, member_bytes: 0 };
    for message in messages.iter().flatten() {
        file.write(message)?;
    }
    // The channel closed before the file's last message: the user stopped the reader.
    Ok(file.writer.abandon()?)
}

/// One file on its way into the database.
struct FileWriter<'a, 'w> {
    task: &'a Task,
    writer: &'a mut Writer<'w>,
    observer: &'a dyn Observer,
    summary: &'a mut IngestSummary,
    /// False until the writer has taken the file, and for a file that it does not take.
    is_accepted: bool,
    member: Option<OpenMember>,
    /// The sizes of the members so far, as a measure of how much of the file is read.
    member_bytes: u64,
}

/// The member of the file whose messages come now.
struct OpenMember {
    kind: DocumentKind,
    /// False where the database has the same bytes, and their text, from elsewhere.
    is_new: bool,
}

impl FileWriter<'_, '_> {
    fn write(&mut self, message: WriterMessage) -> Result<(), IngestError> {
        match message {
            WriterMessage::Start(kind) => {
                self.observer.on_event(&ProgressEvent::Reading { path: &self.task.file.relative_path });
                self.is_accepted = self.writer.start(self.task.file.file_id, &kind)?;
                self.member = None;
            }
            _ if !self.is_accepted => {}
            WriterMessage::Member(member) => self.start_member(&member)?,
            WriterMessage::ProcessedPart(part) => self.add_part(part)?,
            WriterMessage::MemberDone(outcome) => self.finish_member(&outcome)?,
            WriterMessage::Kept(problem) => self.keep(&problem)?,
            WriterMessage::Finish(outcome, took) => self.finish(&outcome, took)?,
        }
        Ok(())
    }

    fn start_member(&mut self, member: &NewMember) -> Result<(), IngestError> {
        if member.within.is_none() {
            self.member_bytes = self.task.file.size.min(self.member_bytes + member.size);
        }
        let is_new = self.writer.start_member(member)?;
        self.member = Some(OpenMember { kind: document_kind(FileType::Member, Some(&member.mime)), is_new });
        Ok(())
    }

    fn add_part(&mut self, part: ProcessedPart) -> Result<(), IngestError> {
        if self.member.as_ref().is_some_and(|member| !member.is_new) {
            return Ok(());
        }
        match part {
            ProcessedPart::Text(text) => self.writer.add_text(&text)?,
            ProcessedPart::Chunks { strategy, rows } => self.writer.add_chunks(&strategy, rows)?,
        }
        Ok(())
    }

    fn finish_member(&mut self, outcome: &Outcome) -> Result<(), IngestError> {
        let Some(OpenMember { kind, is_new: true }) = self.member.take() else { return Ok(()) };
        let path = self.writer.member_path()?;
        let added = self.writer.finish_member(outcome)?;
        self.summary.count(kind, |done| done.members += 1);
        count(&path, kind, (outcome, added), self.observer, self.summary);
        self.observer.on_event(&ProgressEvent::MemberStored {
            path: &path,
            behind: self.member_bytes,
            chunks: added.chunks,
            new_chunks: added.new_chunks,
        });
        Ok(())
    }

    /// The file could not be read; what the database has of it stays.
    fn keep(&mut self, problem: &Problem) -> Result<(), IngestError> {
        self.writer.keep(problem)?;
        self.summary.count(kind_of(&self.task.file), |done| done.count_problem(problem));
        self.observer.on_event(&ProgressEvent::Trouble { path: &self.task.file.relative_path, problem });
        Ok(())
    }

    fn finish(&mut self, outcome: &Outcome, took: Duration) -> Result<(), IngestError> {
        let file = &self.task.file;
        if rereads::is_reread(self.task) {
            let failure = rereads::failure(outcome).filter(|_| self.writer.can_keep());
            self.summary.rereads.note(file, failure.is_some());
            if let Some(problem) = failure {
                return self.keep(&problem);
            }
        }
        let added = self.writer.finish(outcome)?;
        let (kind, status) = (kind_of(file), outcome.status.unwrap_or(ProcessingStatus::Error));
        count(&file.relative_path, kind, (outcome, added), self.observer, self.summary);
        self.summary.count(kind, |done| done.count_file(&self.task.kind, status, file.size));
        self.summary.slowest.note(kind, slow_file(file, outcome, took));
        self.observer.on_event(&ProgressEvent::Stored {
            path: &file.relative_path,
            status,
            bytes: file.size,
            chunks: added.chunks,
            new_chunks: added.new_chunks,
        });
        Ok(())
    }
}

/// Counts the result of one document.
fn count(
    path: &str,
    kind: DocumentKind,
    (outcome, added): (&Outcome, AddedChunks),
    observer: &dyn Observer,
    summary: &mut IngestSummary,
) {
    for problem in &outcome.problems {
        observer.on_event(&ProgressEvent::Trouble { path, problem });
    }
    summary.count(kind, |done| done.count_text(outcome, added));
}

/// The kind of a file: document, attachment or mail.
pub(super) fn kind_of(file: &FileState) -> DocumentKind {
    let format = file.format.as_deref().and_then(by_name);
    document_kind(file.file_type, format.map(|format| format.mime))
}

fn slow_file(file: &FileState, outcome: &Outcome, took: Duration) -> SlowFile {
    SlowFile {
        path: file.relative_path.clone(),
        seconds: took.as_secs_f64(),
        bytes: file.size,
        format: outcome.format.clone(),
        status: outcome.status.map(ProcessingStatus::as_str),
    }
}
