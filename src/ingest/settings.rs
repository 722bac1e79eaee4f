//! The settings of a run, and the errors that can stop it.

use pensieve_isolate::ocr::OcrSettings;
use pensieve_isolate::process::{ProcessLimits, sandbox_level};
use pensieve_readers::settings::{BookMode, HtmlOptions, OfficeOptions, PdfOptions, ReadSettings};
use pensieve_store::exit::command_error;
use pensieve_store::repetition::{self, RepetitionSettings};
use pensieve_store::scan::{FileList, ScanOptions};
use pensieve_store::store::{CorpusSettings, RAW_VERSION, Store, StoreError, WriterOptions};
use pensieve_text::chunk::ChunkOptions;
use pensieve_text::model::{NoteLevel, Observer, ProgressEvent};
use pensieve_text::text::clean::{CleanOptions, CleanVersion};
use pensieve_text::text::review::ReviewOptions;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// The keys of `[converter_limits]`: what one run of a converter may use.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct ConverterLimits {
    /// Memory of its whole process tree, in bytes.
    pub memory: u64,
    /// Output in bytes.
    pub output: u64,
    /// Time after which it is ended.
    pub timeout_seconds: u64,
}

impl ConverterLimits {
    /// The same for a process.
    pub fn of_process(&self) -> ProcessLimits {
        let wall = Duration::from_secs(self.timeout_seconds);
        ProcessLimits { wall, cpu: Some(wall), memory: self.memory, output: self.output }
    }
}

/// The keys of `[store]`: what is kept of a document, and of a run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct StoreOptions {
    /// Texts that are kept beside the chunks, `raw` and `clean`.
    pub keep: Vec<String>,
    /// Maintain the search table.
    pub fts: bool,
    /// How many runs the journal of changes keeps.
    pub journal: u64,
}

impl StoreOptions {
    /// True if this text is kept, `raw` or `clean`.
    pub fn keeps(&self, variant: &str) -> bool {
        self.keep.iter().any(|kept| kept == variant)
    }
}

/// Which settings of the corpus the user chose; the others are built-in defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PinnedSettings {
    /// The encoding.
    pub tokenizer: bool,
    /// The ceiling of a chunk.
    pub chunk_size: bool,
    /// The overlap.
    pub chunk_overlap: bool,
    /// The recipe of clean text.
    pub clean_version: bool,
}

/// The version that a run of `clean` requests, above every other layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionRequest {
    /// Use this version, and unpin the pinned one.
    Use(String),
    /// Use this version, and keep it in later runs.
    Pin(String),
}

/// Everything that a run depends on.
#[derive(Debug, Clone)]
pub struct IngestSettings {
    /// The folder.
    pub root: PathBuf,
    /// The database.
    pub database: PathBuf,
    /// How the tree is walked, how changes are detected, and what is read.
    pub scan: ScanOptions,
    /// How pages are read.
    pub html: HtmlOptions,
    /// How office documents are read.
    pub office: OfficeOptions,
    /// How PDF files are read.
    pub pdf: PdfOptions,
    /// How text is cleaned.
    pub clean: CleanOptions,
    /// Thresholds beyond which a text needs a review.
    pub review: ReviewOptions,
    /// The version of clean text that `clean` requests.
    pub order: Option<VersionRequest>,
    /// How text is cut.
    pub chunk: ChunkOptions,
    /// Name of the encoding.
    pub tokenizer: String,
    /// Which of these settings the user chose.
    pub pinned: PinnedSettings,
    /// The user's converters: extension to command template.
    pub converters: BTreeMap<String, String>,
    /// Programs that recognise the text of images.
    pub ocr: Option<OcrSettings>,
    /// The limits of converters and of these programs.
    pub limits: ConverterLimits,
    /// Reading threads; 0 is one per core.
    pub threads: usize,
    /// Memory of the whole process tree, in bytes.
    pub max_memory: u64,
    /// Read structured formats in child processes.
    pub isolation: bool,
    /// The command of a worker, with its arguments; if empty, the running program.
    pub worker: Vec<std::ffi::OsString>,
    /// What is kept.
    pub store: StoreOptions,
    /// How repetition between documents is looked for.
    pub repetition: RepetitionSettings,
    /// Read only the files of this list.
    pub list: Option<FileList>,
    /// How long to wait for another run over the database.
    pub wait: Duration,
    /// Compare only, and write nothing.
    pub dry_run: bool,
    /// Read everything again.
    pub force: bool,
    /// Read documents again that failed for lack of time or memory, or whose reader crashed.
    pub retry_costly: bool,
    /// Delete what is gone also if it is everything, or most of a large root.
    pub allow_mass_deletion: bool,
    /// The old path of the root, if it has moved.
    pub moved_from: Option<PathBuf>,
}

/// Why a run could not begin or continue.
#[derive(Debug, Error)]
pub enum IngestError {
    /// The folder is missing or unreadable.
    #[error("cannot read folder `{path}`: {source}")]
    Input {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The path is not a folder.
    #[error("`{path}` is not a folder")]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// A root is inside another.
    #[error("`{new}` overlaps `{known}`, which this database already contains")]
    Overlap {
        /// The folder that was given.
        new: PathBuf,
        /// The root that is known.
        known: PathBuf,
    },
    /// `--moved-from` is not the path of a root.
    #[error("`{path}` is no root of this database")]
    UnknownRoot {
        /// The old place that was given.
        path: PathBuf,
    },
    /// The run would delete all files of a root, or most of them.
    #[error("{deleted} of {known} files of `{root}` are gone or left out now; nothing was changed")]
    MassDeletion {
        /// The root, in stored form.
        root: String,
        /// How many files are gone.
        deleted: u64,
        /// How many the database has.
        known: u64,
    },
    /// Most files of a format, which were read well before, cannot be read again.
    #[error(
        "{failed} of {all} files of the format `{format}` could not be read again; their texts stay as they were"
    )]
    MassFailure {
        /// The format.
        format: String,
        /// How many failed.
        failed: u64,
        /// How many were read again.
        all: u64,
    },
    /// No file has the version to roll back to.
    #[error("no file has clean text of version `{version}`")]
    NoSuchVersion {
        /// The version.
        version: String,
        /// The stored versions, each with its number of files.
        stored: Vec<String>,
    },
    /// The raw text to be cleaned is not stored.
    #[error("{} of {}", no_raw(version.as_deref()), listed(files, *count))]
    NoRawText {
        /// The first of the files.
        files: Vec<String>,
        /// How many files there are.
        count: usize,
        /// The version that was asked for.
        version: Option<String>,
        /// The stored versions of raw text, each with its number of files.
        stored: Vec<String>,
    },
    /// Settings contradict each other or name something that does not exist.
    #[error("{0}")]
    Settings(String),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The scan failed as a whole.
    #[error(transparent)]
    Scan(#[from] pensieve_store::scan::ScanError),
    /// A thread could not be started, or memory for a packer could not be allocated.
    #[error("cannot start the work: {0}")]
    Start(std::io::Error),
}

command_error! { IngestError passes Store, Scan {
    NotAFolder => Input, "pensieve ingests folders: give the folder that contains it";
    Overlap => Input, "ingest it into another database, or take the other root out with `pensieve forget`";
    UnknownRoot => Input, "`pensieve stats` lists the roots of a database";
    MassDeletion => Input,
        "see that the disk is mounted; if the files were deleted or are left out on purpose (an ignore file, scan.exclude, \
         scan.tool_folders), add --allow-mass-deletion";
    MassFailure => Input,
        "see `pensieve errors` and `pensieve check-dependencies`; if it is meant, add --allow-mass-deletion";
    NoSuchVersion { version, stored } if stored.is_empty() && CleanVersion::from_name(version).is_none() => Input;
    NoSuchVersion { version, stored } => Input, version_hint(version, stored);
    NoRawText { version } if version.is_none() => Input,
        "`pensieve ingest` reads the sources again; with \"raw\" under `store.keep` it keeps what it reads";
    NoRawText { stored } if !stored.is_empty() => Input, format!("give --raw-version one of the stored versions: {}", stored.join(", "));
    Input | NoRawText => Input;
    Settings => Configuration;
    Start => Bug;
} }

/// The versions that a rollback can go to, and how to make one that is only a recipe so far.
fn version_hint(version: &str, stored: &[String]) -> String {
    let stored = (!stored.is_empty()).then(|| format!("stored are {}", stored.join(", ")));
    let recipe = CleanVersion::from_name(version)
        .map(|version| format!("`pensieve clean --version {}` makes it from raw text", version.as_str()));
    let parts: Vec<String> = stored.into_iter().chain(recipe).collect();
    parts.join("; ")
}

fn no_raw(version: Option<&str>) -> String {
    match version {
        Some(version) => format!("no raw text of version `{version}` is stored"),
        None => "no raw text is stored".to_owned(),
    }
}

/// Names the first files, and the number of the others.
fn listed(files: &[String], count: usize) -> String {
    let named: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
    let more = count - files.len();
    match more {
        0 => named.join(", "),
        _ => format!("{} and {more} more", named.join(", ")),
    }
}

impl IngestSettings {
    /// The settings of document readers.
    pub(super) fn reading(&self) -> ReadSettings {
        ReadSettings {
            book: BookMode::Text,
            format: String::new(),
            html: self.html.clone(),
            office: self.office.clone(),
            pdf: self.pdf.clone(),
            svg: self.scan.svg,
            skip_archives: !self.scan.archives,
            secrets: self.scan.secrets,
            hidden_text: self.scan.hidden_text,
            ..ReadSettings::default()
        }
    }

    /// The settings of the corpus: the user's, else those of the database, else the defaults.
    pub(super) fn corpus(&self, store: Option<&Store>) -> Result<CorpusSettings, IngestError> {
        let stored = store.map(|store| store.meta().corpus_settings()).transpose()?.flatten();
        let stored = stored.as_ref();
        let keep = |pinned: bool| stored.filter(|_| !pinned);
        let (clean_version, is_pinned) = self.clean_version(stored);
        let corpus = CorpusSettings {
            tokenizer: keep(self.pinned.tokenizer)
                .map_or_else(|| self.tokenizer.clone(), |s| s.tokenizer.clone()),
            chunk_size: keep(self.pinned.chunk_size).map_or(self.chunk.size, |s| s.chunk_size),
            chunk_overlap: keep(self.pinned.chunk_overlap).map_or(self.chunk.overlap, |s| s.chunk_overlap),
            clean_version,
            is_pinned,
        };
        if corpus.chunk_overlap * 2 >= corpus.chunk_size {
            return Err(IngestError::Settings(format!(
                "chunk_overlap {} must be less than half of chunk_size {}; --chunk-overlap {} fits",
                corpus.chunk_overlap,
                corpus.chunk_size,
                corpus.chunk_size / 10
            )));
        }
        Ok(corpus)
    }

    /// The version of clean text and whether it is pinned, from the first of: the request, a pinned rollback, the
    /// user's choice, the database, the default.
    fn clean_version(&self, stored: Option<&CorpusSettings>) -> (String, bool) {
        match (&self.order, stored) {
            (Some(VersionRequest::Use(version)), _) => (version.clone(), false),
            (Some(VersionRequest::Pin(version)), _) => (version.clone(), true),
            (None, Some(stored)) if CleanVersion::from_name(&stored.clean_version).is_some() => {
                match stored.is_pinned || !self.pinned.clean_version {
                    true => (stored.clean_version.clone(), stored.is_pinned),
                    false => (self.clean.version().to_owned(), false),
                }
            }
            _ => (self.clean.version().to_owned(), false),
        }
    }

    /// Warns that a rollback overrides the version in the configuration.
    pub(super) fn warn(&self, corpus: &CorpusSettings, observer: &dyn Observer) {
        let asked = self.clean.version();
        let gives_way = self.pinned.clean_version && corpus.is_pinned && corpus.clean_version != asked;
        if self.order.is_none() && gives_way {
            let text = format!(
                "clean.version = {asked} is not followed: `clean --rollback` has chosen {}; \
                 `clean --version {asked}` chooses again",
                corpus.clean_version
            );
            observer.on_event(&ProgressEvent::Note { level: NoteLevel::Warn, text: &text });
        }
        // Never lowered in silence: documents may be hostile, and the kernel may be old.
        let level = sandbox_level();
        if !level.is_whole() {
            observer.on_event(&ProgressEvent::Note { level: NoteLevel::Warn, text: &level.to_string() });
        }
    }

    /// The settings as JSON for `runs`.
    pub(super) fn describe(&self, command: &str, corpus: &CorpusSettings) -> String {
        serde_json::json!({
            "command": command,
            "tokenizer_model": corpus.tokenizer,
            "chunk_size": corpus.chunk_size,
            "chunk_overlap": corpus.chunk_overlap,
            "clean_version": corpus.clean_version,
            "threads": self.threads,
            "max_memory": self.max_memory,
            "isolation": self.isolation,
            "keep_raw": self.store.keeps("raw"),
            "fts": self.store.fts,
            "html": self.html,
            "converters": self.converters,
            "ocr": self.ocr.as_ref().map(|ocr| ocr.recognizer()),
            "force": self.force,
        })
        .to_string()
    }

    /// The options of the writer of a run.
    pub(super) fn writer_options(
        &self,
        run_id: i64,
        corpus: &CorpusSettings,
        clean_version: &'static str,
        search: bool,
    ) -> WriterOptions {
        WriterOptions {
            run_id,
            tokenizer: corpus.tokenizer.clone(),
            raw_version: RAW_VERSION,
            clean_version,
            search,
            threads: self.readers(),
            journal_runs: self.store.journal,
        }
    }

    /// Brings the ledger of repetition up to date with what a run has written.
    pub(super) fn update_repetition(
        &self,
        store: &Store,
        observer: &dyn Observer,
    ) -> Result<(), IngestError> {
        Ok(repetition::update(store, self.repetition, self.readers(), observer).map(drop)?)
    }

    /// Number of reading threads.
    pub(super) fn readers(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// The absolute path of the folder, which must exist.
pub(super) fn absolute_root(given: &Path) -> Result<PathBuf, IngestError> {
    let fail = |source| IngestError::Input { path: given.to_path_buf(), source };
    let clean = absolute(given)?;
    let meta = std::fs::metadata(&clean).map_err(fail)?;
    if !meta.is_dir() {
        return Err(IngestError::NotAFolder { path: given.to_path_buf() });
    }
    std::fs::read_dir(&clean).map_err(fail)?;
    Ok(clean)
}

/// The absolute path, with `.` and `..` resolved lexically and symbolic links kept.
pub(super) fn absolute(given: &Path) -> Result<PathBuf, IngestError> {
    let fail = |source| IngestError::Input { path: given.to_path_buf(), source };
    let mut clean = PathBuf::new();
    for part in std::path::absolute(given).map_err(fail)?.components() {
        match part {
            std::path::Component::ParentDir => {
                clean.pop();
            }
            std::path::Component::CurDir => {}
            other => clean.push(other),
        }
    }
    Ok(clean)
}
