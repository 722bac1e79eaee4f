//! What all readers of a run share: settings and recipes, the workers, the converters, and the memory budget of both.

use super::memory::{MemoryBudget, MemoryPermit, WORKER_MEMORY, children_share, workers};
use super::outbox::WriterTurn;
use super::processing::{KeptTexts, TextProcessor};
use super::recipes::StageRecipes;
use super::settings::{IngestError, IngestSettings};
use pensieve_isolate::converter;
use pensieve_isolate::files::{self, FileIdentity, FileStat, SourceFolder};
use pensieve_isolate::process::ProcessLimits;
use pensieve_isolate::selection::Converter;
use pensieve_isolate::worker::{WorkerFailure, WorkerPool, WorkerRequest};
use pensieve_isolate::worker::{read_request, worker_pool};
use pensieve_readers::nested::{EventSink, read_bytes};
use pensieve_readers::settings::{OcrPass, ReadSettings};
use pensieve_store::scan::{ScanError, is_wished, path_from_stored};
use pensieve_store::store::{Root, Task, TaskKind};
use pensieve_text::format::Format;
use pensieve_text::model::{
    Document, NoteLevel, Observer, Problem, ProblemKind, ProcessingStatus, ProgressEvent,
};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

/// The document that a converter made, or what happens to the file without one.
pub(super) type ConversionResult = Result<Document, (ProcessingStatus, Problem)>;

/// A document that is open for reading.
#[derive(Clone, Copy)]
pub(super) struct DocumentFile<'d> {
    pub file: &'d File,
    /// Its path; `None` for a document that is in an unnamed file: inside another one, or sent by another program.
    pub path: Option<&'d Path>,
    pub name: &'d str,
    pub size: u64,
}

/// What all readers share.
pub(super) struct ReaderContext<'r> {
    pub settings: &'r IngestSettings,
    recipes: &'r StageRecipes<'r>,
    pub observer: &'r dyn Observer,
    /// The place of the root whose files are read, and the folder there.
    root: Option<(PathBuf, SourceFolder)>,
    /// When the scan that planned the work began.
    pub scan_started: (i64, u32),
    pool: Option<WorkerPool>,
    children: MemoryBudget,
    /// Which file the writer is taking.
    pub turn: WriterTurn,
}

impl<'r> ReaderContext<'r> {
    pub fn new(
        settings: &'r IngestSettings,
        recipes: &'r StageRecipes<'r>,
        root: Option<&Root>,
        scan_started: (i64, u32),
        observer: &'r dyn Observer,
    ) -> Result<ReaderContext<'r>, IngestError> {
        let root = root.map(|root| {
            let folder = SourceFolder::open(&root.location);
            let folder = folder.map_err(|error| ScanError::unopened(&root.location, error))?;
            Ok::<_, IngestError>((root.location.clone(), folder))
        });
        let root = root.transpose()?;
        let share = children_share(settings.max_memory);
        let (slots, memory) = workers(settings.max_memory, settings.readers());
        let pool = match settings.isolation {
            true => Some(worker_pool(&settings.worker, slots, memory).map_err(IngestError::Start)?),
            false => None,
        };
        let (children, turn) = (MemoryBudget::new(share), WriterTurn::new());
        Ok(ReaderContext { settings, recipes, observer, root, scan_started, pool, children, turn })
    }

    /// The recipes of the run.
    pub fn recipes(&self) -> &'r StageRecipes<'r> {
        self.recipes
    }

    /// Opens the file of a task.
    pub fn open(&self, task: &Task, expected: &FileStat) -> Result<File, Problem> {
        if let Some(bytes) = &task.bytes {
            return files::open_again(bytes);
        }
        match self.below_root(task) {
            Some((folder, path)) => folder.open_file(path, expected),
            None => files::open(&task.file.location, expected),
        }
    }

    /// True if an ignore file asks for the file of a task, so that it is read even if it holds secrets.
    pub fn is_wished(&self, task: &Task) -> bool {
        if let TaskKind::Replace { entry, .. } = &task.kind {
            return entry.is_wished;
        }
        let relative = path_from_stored(&task.file.relative_path);
        self.root.as_ref().is_some_and(|(root, _)| is_wished(root, &self.settings.scan, &relative))
    }

    /// Hashes the file of a task.
    pub fn identify(&self, task: &Task, expected: &FileStat) -> Result<FileIdentity, Problem> {
        if let Some(bytes) = &task.bytes {
            return files::identify_open(bytes, expected);
        }
        match self.below_root(task) {
            Some((folder, path)) => folder.identify(path, expected),
            None => files::identify(&task.file.location, expected),
        }
    }

    fn below_root<'t>(&'t self, task: &'t Task) -> Option<(&'t SourceFolder, &'t Path)> {
        let (place, folder) = self.root.as_ref()?;
        Some((folder, task.file.location.strip_prefix(place).ok()?))
    }

    /// True when documents are read in child processes.
    pub fn has_workers(&self) -> bool {
        self.pool.is_some()
    }

    /// The number of reading threads.
    pub fn readers(&self) -> usize {
        self.settings.readers()
    }

    /// Which texts of a document are stored.
    pub fn keep(&self) -> KeptTexts {
        KeptTexts { raw: self.settings.store.keeps("raw"), clean: true }
    }

    /// Creates another text processor.
    pub fn new_processor(&self) -> io::Result<TextProcessor<'r>> {
        TextProcessor::new(self.recipes)
    }

    /// Reads a document, in a worker if there are any.
    pub fn ask(
        &self,
        document: DocumentFile<'_>,
        format: &Format,
        settings: ReadSettings,
        on_event: EventSink<'_>,
    ) -> Result<(), WorkerFailure> {
        let settings = ReadSettings { format: format.name.to_owned(), ..settings };
        let DocumentFile { file, path, name, size } = document;
        let Some(pool) = &self.pool else {
            match path {
                Some(path) => {
                    let settings = serde_json::to_value(settings).expect("settings are plain values");
                    read_request(&WorkerRequest::new(0, path, name, settings), on_event);
                }
                None => read_bytes(&bytes_of(file)?, name, &settings, on_event),
            }
            return Ok(());
        };
        let settings = serde_json::to_value(settings).expect("settings are plain values");
        let memory = format.memory_of(size).max(WORKER_MEMORY).min(children_share(self.settings.max_memory));
        let _share = self.children.acquire(memory);
        pool.read(file, name, &settings, memory, &|| self.observer.interrupted(), on_event)
    }

    /// What one run of a program of the user's may use.
    pub fn converter_limits(&self) -> ProcessLimits {
        self.settings.limits.of_process()
    }

    /// Waits until the children may use so much memory; it is free again when the answer is dropped.
    pub fn children_share(&self, memory: u64) -> MemoryPermit<'_> {
        self.children.acquire(memory)
    }

    /// The document that the converter of an extension makes, with the converter's name; `None` when the user stopped
    /// it.
    pub fn convert_as(&self, extension: &str, path: &str, file: &File) -> Option<(String, ConversionResult)> {
        let Some(tool) = self.recipes.tool(extension) else {
            if self.recipes.reading().ocr == OcrPass::Read {
                let name = path.rsplit('/').next().unwrap_or_default();
                return self.read_recognized(extension, name, file);
            }
            let problem = converter::not_installed(extension);
            return Some((extension.to_owned(), Err((ProcessingStatus::SkippedDependency, problem))));
        };
        Some((tool.name(), self.convert(tool, path, file)?))
    }

    /// The document that a converter makes; `None` when the user stopped it. What a converter that succeeds writes on
    /// stderr is a note.
    pub fn convert(&self, tool: &Converter, path: &str, file: &File) -> Option<ConversionResult> {
        let limits = self.converter_limits();
        let _share = self.children.acquire(limits.memory);
        match tool.convert(file, limits, &|| self.observer.interrupted()) {
            Ok(converted) => {
                let log = converted.log.trim();
                if !log.is_empty() {
                    let text = format!("{path}: `{}` wrote on stderr: {log}", tool.name());
                    self.observer.on_event(&ProgressEvent::Note { level: NoteLevel::Trace, text: &text });
                }
                Some(Ok(converted.document))
            }
            Err(failure) if failure.is_interruption() => None,
            Err(failure) => Some(Err((failure.status(), failure.problem()))),
        }
    }
}

/// The bytes of a document in an unnamed file.
fn bytes_of(mut file: &File) -> Result<Vec<u8>, WorkerFailure> {
    let mut bytes = Vec::new();
    let read = file.rewind().and_then(|()| file.read_to_end(&mut bytes));
    let failed = |error: io::Error| Problem::new(ProblemKind::Io, format!("cannot read: {error}"));
    read.map(|_| bytes).map_err(|error| WorkerFailure::Problem(failed(error)))
}

/// The name of a task's file.
pub(super) fn name_of(task: &Task) -> &str {
    task.file.relative_path.rsplit('/').next().unwrap_or_default()
}
