//! What all readers of a run share: settings and recipes, the workers, the converters, and the memory budget of both.

use super::memory::{MemoryBudget, WORKER_MEMORY, children_share, workers};
use super::outbox::WriterTurn;
use super::processing::{KeptTexts, TextProcessor};
use super::recipes::StageRecipes;
use super::settings::{IngestError, IngestSettings};
use crate::scan::ScanError;
use crate::store::{Root, Task};
use pensieve_readers::converter;
use pensieve_readers::files::{self, FileIdentity, FileStat, SourceFolder};
use pensieve_readers::nested::EventSink;
use pensieve_readers::process::ProcessLimits;
use pensieve_readers::selection::Converter;
use pensieve_readers::settings::{LostMember, ReadSettings};
use pensieve_readers::worker::{WorkerFailure, WorkerPool, WorkerRequest};
use pensieve_readers::worker::{read_request, worker_pool};
use pensieve_text::format::Format;
use pensieve_text::model::{Document, NoteLevel, Observer, Problem, ProcessingStatus, ProgressEvent};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The document that a converter made, or what happens to the file without one.
pub(super) type ConversionResult = Result<Document, (ProcessingStatus, Problem)>;

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
        match self.below_root(task) {
            Some((folder, path)) => folder.open_file(path, expected),
            None => files::open(&task.file.location, expected),
        }
    }

    /// Hashes the file of a task.
    pub fn identify(&self, task: &Task, expected: &FileStat) -> Result<FileIdentity, Problem> {
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
        KeptTexts { raw: self.settings.keep_raw, clean: true }
    }

    /// Creates another text processor.
    pub fn new_processor(&self) -> io::Result<TextProcessor<'r>> {
        TextProcessor::new(self.recipes)
    }

    /// Reads a document without the lost members, in a worker if there are any.
    pub fn ask(
        &self,
        task: &Task,
        file: &File,
        format: &Format,
        lost: &[LostMember],
        on_event: EventSink<'_>,
    ) -> Result<(), WorkerFailure> {
        let (format_name, lost) = (format.name.to_owned(), lost.to_vec());
        let settings = ReadSettings { format: format_name, lost, ..self.recipes.reading().clone() };
        let settings = serde_json::to_value(settings).expect("settings are plain values");
        let (path, name) = (&task.file.location, name_of(task));
        let Some(pool) = &self.pool else {
            read_request(&WorkerRequest::new(0, path, name, settings), on_event);
            return Ok(());
        };
        let size = task.file.size;
        let memory = format.memory_of(size).max(WORKER_MEMORY).min(children_share(self.settings.max_memory));
        let _share = self.children.acquire(memory);
        pool.read(file, name, &settings, memory, &|| self.observer.interrupted(), on_event)
    }

    /// The document that the converter of an extension makes, with the converter's name; `None` when the user stopped
    /// it.
    pub fn convert_as(&self, extension: &str, path: &str, file: &File) -> Option<(String, ConversionResult)> {
        let Some(tool) = self.recipes.tool(extension) else {
            let problem = converter::not_installed(extension);
            return Some((extension.to_owned(), Err((ProcessingStatus::SkippedDependency, problem))));
        };
        Some((tool.name(), self.convert(tool, path, file)?))
    }

    /// The document that a converter makes; `None` when the user stopped it. What a converter that succeeds writes on
    /// stderr is a note.
    pub fn convert(&self, tool: &Converter, path: &str, file: &File) -> Option<ConversionResult> {
        let limits = &self.settings.limits;
        let _share = self.children.acquire(limits.memory);
        let limits = ProcessLimits {
            wall: limits.timeout,
            cpu: Some(limits.timeout),
            memory: limits.memory,
            output: limits.output,
        };
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

/// The name of a task's file.
pub(super) fn name_of(task: &Task) -> &str {
    task.file.relative_path.rsplit('/').next().unwrap_or_default()
}
