//! Reading one file: open it, check that it is what the scan saw, extract, process, check again.

use super::contents::{FileContent, ScannedEntry};
use super::context::{ConversionResult, DocumentFile, ReaderContext, name_of};
use super::event_handler::ReaderEventHandler;
use super::outbox::{WriterMessage, WriterOutbox};
use super::processing::{DocumentProcessing, TextProcessor};
use super::recipes::SkipReason;
use super::redo::StoredTexts;
use super::toc::new_row;
use pensieve_isolate::files;
use pensieve_isolate::files::FileStat;
use pensieve_isolate::selection::{Converter, SelectedReader};
use pensieve_isolate::worker::{MAX_LOST_MEMBERS, WorkerFailure};
use pensieve_readers::plain_text::{EXTRACTOR, read_text};
use pensieve_readers::registry::{DocumentReader, reads_as_text, size_problem};
use pensieve_readers::settings::{LostMember, ReadSettings};
use pensieve_store::scan::{ScanEntry, path_from_stored, stored_path};
use pensieve_store::store::{NewFile, Outcome, Task, TaskKind};
use pensieve_text::format::{Format, SniffVerdict, by_name};
use pensieve_text::model::{
    ContentHash, ContentHasher, Document, FileType, Problem, ProblemKind, ProcessingStatus,
};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

/// How often a file that changes while it is read is tried.
const MAX_ATTEMPTS: usize = 3;

/// One reader, with the state that is reused between files.
pub(super) struct FileReader<'r> {
    context: &'r ReaderContext<'r>,
    processor: TextProcessor<'r>,
    buffer: Vec<u8>,
    stored: StoredTexts,
}

/// How an attempt ended.
enum ReadAttempt {
    /// The file did not change while it was read.
    Finished(Box<Outcome>),
    /// The file changed; nothing of the attempt counts.
    Moved,
    /// The user stopped it: the file stays as stored.
    Stopped,
    /// It produced more than may wait for the writer before its turn.
    Early,
}

/// A file that is open for reading, and where its text goes.
struct OpenedFile<'t, 'o> {
    task: &'t Task,
    /// Its metadata when its hash was taken.
    expected: FileStat,
    file: File,
    /// The bytes that were read are those of the hash, whatever the file has now.
    is_verified: bool,
    outbox: &'t mut WriterOutbox<'o>,
}

/// Why an attempt has no outcome.
enum ReadInterruption {
    Moved,
    Stopped,
    Early,
    /// A document inside the document ended the worker.
    Lost(LostMember),
    Failed(Problem),
}

impl From<Problem> for ReadInterruption {
    fn from(problem: Problem) -> ReadInterruption {
        ReadInterruption::Failed(problem)
    }
}

impl From<io::Error> for ReadInterruption {
    fn from(error: io::Error) -> ReadInterruption {
        ReadInterruption::Failed(Problem::new(ProblemKind::Io, format!("cannot read: {error}")))
    }
}

impl<'r> FileReader<'r> {
    pub fn new(context: &'r ReaderContext<'r>) -> io::Result<FileReader<'r>> {
        Ok(FileReader {
            context,
            processor: context.new_processor()?,
            buffer: Vec::new(),
            stored: StoredTexts::default(),
        })
    }

    /// Performs one task, number `at` of the list. Unless the user stops it, the channel receives the outcome.
    pub fn read(&mut self, at: usize, task: &Task, sender: &SyncSender<Vec<WriterMessage>>) {
        let (context, begun) = (self.context, Instant::now());
        let mut outbox = WriterOutbox::new(sender, &context.turn, at);
        outbox.begin(&task.kind);
        let outcome = match &task.kind {
            TaskKind::Clean { .. } | TaskKind::Recall { .. } | TaskKind::Chunk => {
                self.stored.redo(task, context, &mut self.processor, &mut outbox)
            }
            TaskKind::Read | TaskKind::Replace { .. } => self.read_source(task, &mut outbox),
        };
        let took = begun.elapsed().saturating_sub(outbox.waited());
        context.recipes().timings.add_read(took);
        if let Some(outcome) = outcome {
            outbox.send(WriterMessage::Finish(outcome, took));
        }
    }

    fn read_source(&mut self, task: &Task, outbox: &mut WriterOutbox<'_>) -> Option<Box<Outcome>> {
        if let Some(problem) = &task.problem {
            return Some(failure(problem.clone()));
        }
        if let TaskKind::Replace { new, .. } = &task.kind
            && new.status != Some(ProcessingStatus::Pending)
        {
            // The verdict of the scan is final. The writer ignores it if the new row has it already; it is needed if
            // the row became the first of a group whose other names have another verdict.
            return Some(self.judged(task, new));
        }
        let mut task = task.clone();
        let mut attempts = 0;
        while attempts < MAX_ATTEMPTS {
            match self.attempt(&mut task, attempts == 0, outbox) {
                ReadAttempt::Finished(outcome) => return Some(outcome),
                ReadAttempt::Stopped => return None,
                ReadAttempt::Moved => attempts += 1,
                ReadAttempt::Early if outbox.wait_for_turn(&|| self.context.observer.interrupted()) => {}
                ReadAttempt::Early => return None,
            }
        }
        let message =
            format!("the file changed while it was read, {MAX_ATTEMPTS} times; the next run tries again");
        Some(failure(Problem::new(ProblemKind::Changed, message)))
    }

    /// Opens the file, checks that it is what the task describes (or updates the task), reads it, checks again. At first a
    /// longer file is taken for a log that has grown; if its beginning has other bytes, it is another file.
    fn attempt(&mut self, task: &mut Task, is_first: bool, outbox: &mut WriterOutbox<'_>) -> ReadAttempt {
        let mut expected = expected_stat(task);
        let opened = self
            .context
            .open(task, &expected)
            .and_then(|file| Ok((files::stat_of(&file)?, file)))
            .and_then(|(now, file)| {
                // What a log has got since the scan is for the next run.
                let is_kept = is_first && now.has_grown_since(&expected) && self.streams(task, expected.size);
                if !(is_kept || now.same_content(&expected)) {
                    *task = self.identified(task, &now)?;
                    expected = expected_stat(task);
                }
                Ok(file)
            });
        outbox.begin(&task.kind);
        let file = match opened {
            Ok(file) => file,
            Err(problem) => return ReadAttempt::Finished(failure(problem)),
        };
        let mut opened = OpenedFile { task, expected, file, is_verified: false, outbox };
        let read = self.extract(&mut opened);
        let is_same = |after: &FileStat| {
            after.same_content(&expected) || opened.is_verified && after.has_grown_since(&expected)
        };
        match (read, files::stat_of(&opened.file)) {
            (Err(ReadInterruption::Stopped), _) => ReadAttempt::Stopped,
            (Err(ReadInterruption::Early), _) => ReadAttempt::Early,
            (Err(ReadInterruption::Moved), _) => ReadAttempt::Moved,
            (_, Ok(after)) if !is_same(&after) => ReadAttempt::Moved,
            (Ok(outcome), _) => ReadAttempt::Finished(outcome),
            (Err(ReadInterruption::Failed(problem)), _) => ReadAttempt::Finished(failure(problem)),
            (Err(ReadInterruption::Lost(lost)), _) => {
                let kind = ProblemKind::from_name(&lost.kind).unwrap_or(ProblemKind::Crashed);
                ReadAttempt::Finished(failure(Problem::new(kind, lost.message)))
            }
        }
    }

    /// The task for the file as it is now: with other bytes than planned, or with the same bytes and another time.
    fn identified(&self, task: &Task, now: &FileStat) -> Result<Task, Problem> {
        let identity = self.context.identify(task, now)?;
        let mut entry = entry_of(task, identity.stat);
        entry.is_wished |= self.context.is_wished(task);
        let (path, recipes) = (full_path(task), self.context.recipes());
        let content = FileContent::judge(&identity, &path, entry.is_wished, recipes);
        let found = ScannedEntry { entry, known: None, content: Some(content), problem: None };
        let new = new_row(&found);
        let kind = TaskKind::Replace { entry: Box::new(found.entry), new: Box::new(new) };
        Ok(Task { kind, problem: None, ..task.clone() })
    }

    /// Extracts and processes the text.
    fn extract(&mut self, opened: &mut OpenedFile<'_, '_>) -> Result<Box<Outcome>, ReadInterruption> {
        let (task, size) = (opened.task, opened.expected.size);
        let extension = &task.file.extension;
        let (format, mime) = match self.known_format(task) {
            Some(format) => (format, None),
            None => {
                let head = files::read_head(&opened.file)?;
                let whole = head.len() as u64 == size;
                let path = full_path(task);
                let sniff = |is_wished| self.context.recipes().sniff(&head, whole, &path, is_wished);
                let sniffed = match sniff(false) {
                    guarded if has_secrets(&guarded.verdict) => sniff(self.context.is_wished(task)),
                    open => open,
                };
                match self.context.recipes().readable(sniffed.verdict, extension) {
                    Ok(format) => (format, Some(sniffed.mime)),
                    Err(refusal) => return Ok(self.skipped(task, sniffed.mime, refusal)),
                }
            }
        };
        let base = Outcome {
            format: Some(format.name.to_owned()),
            mime,
            settings_hash: Some(self.context.recipes().stages(Some(format), extension).to_text()),
            ..Outcome::default()
        };
        if let Some(limit) = self.context.settings.scan.max_size().filter(|&limit| size > limit) {
            let message = format!(
                "{size} bytes, larger than the limit of {limit}; raise `scan.max_file_size` to read it"
            );
            return Ok(limited(base, Problem::new(ProblemKind::SizeLimit, message)));
        }
        self.read_as(opened, format, base)
    }

    /// Reads a file whose format is known: as text, with a reader or with the user's converter.
    fn read_as(
        &mut self,
        opened: &mut OpenedFile<'_, '_>,
        format: &'static Format,
        base: Outcome,
    ) -> Result<Box<Outcome>, ReadInterruption> {
        let size = opened.expected.size;
        match self.context.recipes().way(Some(format), &opened.task.file.extension) {
            SelectedReader::Reader(_) if reads_as_text(format, size) => self.read_text(opened, format, base),
            SelectedReader::Reader(reader) => match size_problem(format, size) {
                Some(problem) => Ok(limited(base, problem)),
                None => self.read_document(opened, reader, format, base),
            },
            SelectedReader::Converter(tool) => {
                let base = Outcome { extractor: Some(tool.name()), ..base };
                match self.convert(tool, opened)? {
                    Ok(document) => self.take_document(document, size, format, base, opened.outbox),
                    Err((status, problem)) => {
                        let (status, reason) = (Some(status), Some(problem.message.clone()));
                        Ok(Box::new(Outcome { status, reason, problems: vec![problem], ..base }))
                    }
                }
            }
            SelectedReader::Text | SelectedReader::Unread => self.read_text(opened, format, base),
        }
    }

    /// The format that the scan found for the same bytes.
    fn known_format(&self, task: &Task) -> Option<&'static Format> {
        let name = match &task.kind {
            TaskKind::Replace { new, .. } => new.format.as_deref(),
            _ if task.file.status == Some(ProcessingStatus::Pending) => task.file.format.as_deref(),
            _ => None,
        };
        // The format of a row from a run with other settings may have no reader now.
        let format = name.and_then(by_name)?;
        let is_read =
            !matches!(self.context.recipes().way(Some(format), &task.file.extension), SelectedReader::Unread);
        (is_read && (!format.is_image || self.context.settings.scan.svg)).then_some(format)
    }

    /// True for a file that is known to be read as a stream of text.
    fn streams(&self, task: &Task, size: u64) -> bool {
        let way = |format| self.context.recipes().way(Some(format), &task.file.extension);
        self.known_format(task).is_some_and(|format| match way(format) {
            SelectedReader::Reader(_) => reads_as_text(format, size),
            SelectedReader::Text => true,
            SelectedReader::Converter(_) | SelectedReader::Unread => false,
        })
    }

    fn judged(&self, task: &Task, new: &NewFile) -> Box<Outcome> {
        Box::new(Outcome {
            status: new.status,
            reason: new.reason.clone(),
            mime: new.mime.clone(),
            settings_hash: Some(self.unread_stages(new.mime.as_deref(), task)),
            ..Outcome::default()
        })
    }

    fn skipped(&self, task: &Task, mime: String, refusal: SkipReason) -> Box<Outcome> {
        Box::new(Outcome {
            status: Some(refusal.status),
            reason: Some(refusal.reason),
            settings_hash: Some(self.unread_stages(Some(&mime), task)),
            mime: Some(mime),
            ..Outcome::default()
        })
    }

    fn unread_stages(&self, mime: Option<&str>, task: &Task) -> String {
        self.context.recipes().unread_stages(mime, &task.file.extension).to_text()
    }

    /// Reads plain text, code and data: in this process, streaming.
    fn read_text(
        &mut self,
        opened: &mut OpenedFile<'_, '_>,
        format: &'static Format,
        base: Outcome,
    ) -> Result<Box<Outcome>, ReadInterruption> {
        let OpenedFile { task, expected, file, is_verified, outbox } = opened;
        let shape = self.context.recipes().shape(format, None);
        let has_grown = files::stat_of(file).is_ok_and(|now| now.has_grown_since(expected));
        let mut hasher = (has_grown || self.is_recent(expected)).then(ContentHasher::new);
        // Files of `/proc` have bytes although their size is 0.
        let mut known = file.take(if expected.size == 0 { u64::MAX } else { expected.size });
        let mut processing = self.processor.begin(shape, self.context.keep()).of_file(expected.size);
        let observer = self.context.observer;
        let read = read_text(&mut known, format, &mut self.buffer, hasher.as_mut(), &mut |segment| {
            Ok(!observer.interrupted() && processing.push(segment, &mut |part| outbox.part(part))?)
        })?;
        let Some(document) = read else { return Err(ReadInterruption::Stopped) };
        let processed = processing.finish(&mut |part| outbox.part(part))?.0;
        if let Some(hasher) = hasher {
            *is_verified = planned_hash(task) == Some(hasher.finish());
            if !*is_verified && planned_hash(task).is_some() {
                return Err(ReadInterruption::Moved);
            }
        }
        Ok(Box::new(Outcome {
            status: Some(ProcessingStatus::Processed),
            encoding: document.encoding,
            extractor: Some(EXTRACTOR.to_owned()),
            tokens: Some(processed.tokens),
            sections: Some(processed.sections),
            problems: document.problems,
            review_reasons: document.review_reasons,
            versions: processed.versions,
            chunk_lines: Some(processed.chunk_lines),
            ..base
        }))
    }

    /// A file that was touched shortly before the scan may have changed after its hash was taken without any trace.
    fn is_recent(&self, stat: &FileStat) -> bool {
        stat.mtime_s.max(stat.ctime_s) >= self.context.scan_started.0 - 2
    }

    /// Reads structured formats: in a worker, handling events as they arrive. A document inside the document at which the worker
    /// is lost is reported, and the others are read again without it.
    fn read_document(
        &mut self,
        opened: &mut OpenedFile<'_, '_>,
        reader: &'static DocumentReader,
        format: &'static Format,
        base: Outcome,
    ) -> Result<Box<Outcome>, ReadInterruption> {
        let mut lost = Vec::new();
        loop {
            match self.read_without(&lost, opened, reader, format, base.clone()) {
                Err(ReadInterruption::Lost(member)) => lost.push(member),
                result => return result,
            }
            opened.file.rewind()?;
            opened.outbox.begin(&opened.task.kind);
        }
    }

    fn read_without(
        &mut self,
        lost: &[LostMember],
        opened: &mut OpenedFile<'_, '_>,
        reader: &'static DocumentReader,
        format: &'static Format,
        base: Outcome,
    ) -> Result<Box<Outcome>, ReadInterruption> {
        let context = self.context;
        let OpenedFile { task, file, outbox, .. } = opened;
        let shape = context.recipes().shape(format, reader.kind(context.recipes().reading()));
        let (path, size) = (task.bytes.is_none().then_some(&*task.file.location), expected_stat(task).size);
        let source = DocumentFile { file, path, name: name_of(task), size };
        let Some(mut recognized) = context.recognize(source, format) else {
            return Err(ReadInterruption::Stopped);
        };
        let settings = context.settings_with(&mut recognized);
        let extractor = context.extractor_of(&reader.name(), format, &recognized);
        let base = Outcome { extractor: Some(extractor), ..base };
        let failed = |problem: Problem| Outcome {
            status: Some(ProcessingStatus::Error),
            reason: Some(problem.message.clone()),
            problems: vec![problem],
            ..base.clone()
        };
        let bytes = expected_stat(task).size;
        let processing = DocumentProcessing::new(&mut self.processor, shape, context.keep()).of_file(bytes);
        outbox.hurry(context.has_workers());
        let mut handler = ReaderEventHandler::new(context, outbox, processing, base.clone());
        let settings = ReadSettings { lost: lost.to_vec(), ..settings };
        let asked = context.ask(source, format, settings, &mut |event| handler.on_event(event));
        let open = handler.open_member().filter(|_| lost.len() < MAX_LOST_MEMBERS);
        let finished = handler.finish();
        match (asked, finished) {
            _ if outbox.gave_up() => Err(ReadInterruption::Early),
            (Err(WorkerFailure::Problem(problem)), _) if open.is_some() => {
                let (kind, path) = (problem.kind.as_str().to_owned(), open.unwrap_or_default());
                Err(ReadInterruption::Lost(LostMember { path, kind, message: problem.message }))
            }
            (Err(WorkerFailure::Interrupted), _) => Err(ReadInterruption::Stopped),
            (Err(WorkerFailure::Problem(problem)), _) | (Ok(()), Err(problem)) => {
                Ok(Box::new(failed(problem)))
            }
            (Err(WorkerFailure::Refused), Err(problem)) => Ok(Box::new(failed(problem))),
            (Err(WorkerFailure::Refused), Ok(_)) | (Ok(()), Ok(None)) => Err(ReadInterruption::Stopped),
            (Err(other), _) => {
                Err(ReadInterruption::Failed(Problem::new(ProblemKind::Io, other.to_string())))
            }
            (Ok(()), Ok(Some(mut outcome))) => {
                context.add_facts(format, &recognized, &mut outcome.metadata, &mut outcome.problems);
                Ok(outcome)
            }
        }
    }

    /// The converter's document, or what happens to the file without one.
    fn convert(
        &self,
        tool: &Converter,
        opened: &OpenedFile<'_, '_>,
    ) -> Result<ConversionResult, ReadInterruption> {
        let path = &opened.task.file.relative_path;
        self.context.convert(tool, path, &opened.file).ok_or(ReadInterruption::Stopped)
    }

    /// Processes a document that arrived as a whole.
    fn take_document(
        &mut self,
        document: Document,
        bytes: u64,
        format: &'static Format,
        base: Outcome,
        outbox: &mut WriterOutbox<'_>,
    ) -> Result<Box<Outcome>, ReadInterruption> {
        let shape = self.context.recipes().shape(format, document.kind);
        let mut processing = self.processor.begin(shape, self.context.keep()).of_file(bytes);
        processing.push(document.text, &mut |part| outbox.part(part))?;
        let processed = processing.finish(&mut |part| outbox.part(part))?.0;
        Ok(Box::new(Outcome {
            status: Some(ProcessingStatus::Processed),
            encoding: document.encoding,
            tokens: Some(processed.tokens),
            metadata: document.metadata,
            hidden_text: document.hidden_text,
            problems: document.problems,
            review_reasons: document.review_reasons,
            sections: Some(processed.sections),
            versions: processed.versions,
            chunk_lines: Some(processed.chunk_lines),
            ..base
        }))
    }
}

/// The outcome for a file that is too large.
fn limited(base: Outcome, problem: Problem) -> Box<Outcome> {
    Box::new(Outcome {
        status: Some(ProcessingStatus::SkippedLimit),
        reason: Some(problem.message.clone()),
        problems: vec![problem],
        ..base
    })
}

fn failure(problem: Problem) -> Box<Outcome> {
    Box::new(Outcome {
        status: Some(ProcessingStatus::Error),
        reason: Some(problem.message.clone()),
        problems: vec![problem],
        ..Outcome::default()
    })
}

/// The absolute path of a task's file in stored form.
fn full_path(task: &Task) -> String {
    stored_path(task.file.location.as_os_str()).0
}

/// True for a file of which a wish of the user would read more.
fn has_secrets(verdict: &SniffVerdict) -> bool {
    match verdict {
        SniffVerdict::Read(format) => format.is_masked,
        SniffVerdict::Secret { .. } => true,
        SniffVerdict::Binary { .. } => false,
    }
}

fn planned_hash(task: &Task) -> Option<ContentHash> {
    match &task.kind {
        TaskKind::Replace { new, .. } => new.hash,
        _ => task.file.hash,
    }
}

/// The metadata of the file when its hash was taken.
fn expected_stat(task: &Task) -> FileStat {
    match &task.kind {
        TaskKind::Replace { entry, .. } => entry.stat,
        _ => FileStat {
            size: task.file.size,
            mtime_s: task.file.mtime.0,
            mtime_ns: task.file.mtime.1,
            ctime_s: task.file.ctime.0,
            ctime_ns: task.file.ctime.1,
            inode: task.file.inode,
            device: task.file.device,
            ..FileStat::default()
        },
    }
}

fn entry_of(task: &Task, stat: FileStat) -> ScanEntry {
    if let TaskKind::Replace { entry, .. } = &task.kind {
        return ScanEntry { stat, ..(**entry).clone() };
    }
    let file = &task.file;
    ScanEntry {
        relative: path_from_stored(&file.relative_path),
        path: file.relative_path.clone(),
        path_bytes: None,
        file_type: FileType::File,
        stat,
        symlink_target: file.symlink_target.clone(),
        depth: file.relative_path.split('/').count(),
        hidden: name_of(task).starts_with('.'),
        is_wished: false,
    }
}
