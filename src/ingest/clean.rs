//! Cleaning again: makes new clean text from stored raw text, or makes an earlier version current again. No source is
//! opened.
//!
//! The version that a run of [`clean`] makes is the version of the database as soon as the run begins; `is_current`
//! is a fact of each file. A run over some of the files, or one that was interrupted, therefore leaves a database in
//! which every law holds: some files have the new version and others the old, and the next run of `clean` or `ingest`
//! continues with the others. Texts of other versions stay beside the current one until their file is read again.

use super::counts::DocumentCounts;
use super::recipes::StageRecipes;
use super::settings::{IngestError, IngestSettings, PinnedSettings, VersionRequest};
use super::summary::IngestSummary;
use super::timings::SlowestFiles;
use super::{PhaseClock, context, pipeline};
use pensieve_store::scan::PathPatterns;
use pensieve_store::store::{
    CorpusSettings, FileState, Store, StoredVersion, Task, TaskKind, TextVariant, Writer,
};
use pensieve_text::format::document_kind;
use pensieve_text::model::{DocumentKind, Observer, ProgressEvent, RunPhase};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Files whose tasks are in memory at once.
const PAGE_FILES: usize = 2_000;

/// Maximum number of files without raw text that an error names.
const MAX_NAMED_FILES: usize = 20;

/// Which files are cleaned: those that match every field, in the order of roots and paths.
#[derive(Debug)]
pub struct FileSelection {
    /// By their paths.
    pub only: PathPatterns,
    /// By extension or format.
    pub format: Option<String>,
    /// By kind.
    pub kind: Option<DocumentKind>,
    /// Number of matching files to skip.
    pub offset: usize,
    /// At most this many.
    pub limit: Option<usize>,
}

impl FileSelection {
    /// True when it selects every file.
    pub fn is_all(&self) -> bool {
        self.only.is_empty()
            && self.format.is_none()
            && self.kind.is_none()
            && self.offset == 0
            && self.limit.is_none()
    }

    fn choose(&self, store: &Store) -> Result<SelectedFiles, IngestError> {
        let (mut chosen, mut sizes, mut among) = (Vec::new(), Vec::new(), CleanCandidates::default());
        store.texts().owners(&mut |owner| {
            among.files += 1;
            if let Some(format) = owner.format.as_ref().filter(|format| !among.formats.contains(*format)) {
                among.formats.insert(format.clone());
            }
            let format =
                |wanted: &String| owner.extension == *wanted || owner.format.as_ref() == Some(wanted);
            let kind = || document_kind(owner.file_type, owner.mime.as_deref());
            if self.only.choose(&owner.relative_path)
                && self.format.as_ref().is_none_or(format)
                && self.kind.is_none_or(|wanted| wanted == kind())
            {
                chosen.push(owner.file_id);
                sizes.push(owner.size);
            }
        })?;
        let first = self.offset.min(chosen.len());
        let last = first.saturating_add(self.limit.unwrap_or(usize::MAX)).min(chosen.len());
        Ok(SelectedFiles {
            files: chosen[first..last].to_vec(),
            bytes: sizes[first..last].iter().sum(),
            among,
        })
    }
}

/// The selected files.
struct SelectedFiles {
    files: Vec<i64>,
    bytes: u64,
    among: CleanCandidates,
}

/// The files that could be selected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CleanCandidates {
    /// How many have text.
    pub files: u64,
    /// Their formats.
    pub formats: BTreeSet<String>,
}

/// What a run of `clean` is asked to do; the version is in the settings.
#[derive(Debug)]
pub struct CleanRequest {
    /// Which files.
    pub selection: FileSelection,
    /// Also clean files that already have the version.
    pub force: bool,
    /// The version of raw text to clean; if `None`, the current one.
    pub raw_version: Option<String>,
}

/// What a run of `clean` did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CleanSummary {
    /// The version that is current for the files of this run.
    pub version: String,
    /// Files that were chosen.
    pub files: u64,
    /// The files they were chosen from.
    #[serde(skip)]
    pub among: CleanCandidates,
    /// Files that needed no work.
    pub skipped: u64,
    /// What was done. Files that could not be cleaned stay as they were and count among its errors.
    #[serde(flatten)]
    pub done: DocumentCounts,
    /// Files of the database whose text needs a review.
    pub needs_review: u64,
    /// Wall time.
    pub seconds: f64,
    /// Wall time of each phase.
    pub phases: BTreeMap<&'static str, f64>,
    /// Time of the stages, summed over all threads; `extract` is the unpacking of stored text here.
    pub stages: BTreeMap<&'static str, f64>,
    /// The run's row in `runs`.
    pub run_id: i64,
    /// The part of `done` that concerns attachments.
    #[serde(skip)]
    pub attachments: SelectionSummary,
    /// The files that took longest.
    #[serde(skip)]
    pub slowest: SlowestFiles,
    /// True if the user stopped the run; the next one continues it.
    pub interrupted: bool,
}

/// What a run of `clean` did with a part of the corpus.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SelectionSummary {
    /// Files that were chosen.
    pub files: u64,
    /// Files that needed no work.
    pub skipped: u64,
    /// What was done.
    #[serde(flatten)]
    pub done: DocumentCounts,
}

/// Cleans the chosen files of `settings.database` again, from stored text; `settings.root` is not used.
///
/// # Errors
/// The database cannot be used, a chosen file has no raw text, or no file has the version to roll back to.
pub fn clean(
    settings: &IngestSettings,
    request: &CleanRequest,
    observer: &dyn Observer,
) -> Result<CleanSummary, IngestError> {
    let started = Instant::now();
    let settings = &IngestSettings { isolation: false, ..settings.clone() };
    let settings = &match request.selection.is_all() {
        true => settings.clone(),
        // All chunks of a database are cut alike, so a part of the files cannot change how.
        false => IngestSettings {
            pinned: PinnedSettings {
                clean_version: settings.pinned.clean_version,
                ..PinnedSettings::default()
            },
            ..settings.clone()
        },
    };
    let read_only = Store::open_for_reading(&settings.database)?;
    refuse(settings, request, &read_only)?;
    drop(read_only);
    let mut store = Store::open_for_change(&settings.database)?;
    let result = record(settings, request, started, &mut store, observer);
    let closed = store.close();
    let cleaned = result?;
    closed?;
    Ok(cleaned)
}

/// Rejects requests that cannot work, before anything is written.
fn refuse(settings: &IngestSettings, request: &CleanRequest, store: &Store) -> Result<(), IngestError> {
    if let Some(VersionRequest::Pin(version)) = &settings.order
        && !store.texts().has_version(TextVariant::Clean, version)?
    {
        let stored = stored_versions(store, TextVariant::Clean)?;
        return Err(IngestError::NoSuchVersion { version: version.clone(), stored });
    }
    let corpus = settings.corpus(Some(store))?;
    StageRecipes::new(settings, &corpus)?;
    let (mut without, mut count) = (Vec::new(), 0);
    for file_id in request.selection.choose(store)?.files {
        let versions = store.texts().versions_of(file_id)?;
        if raw_of(request, &versions).is_some() || is_recalled(settings, &versions) {
            continue;
        }
        count += 1;
        if without.len() < MAX_NAMED_FILES
            && let Some(file) = store.files().get(file_id)?
        {
            without.push(file.location.to_string_lossy().into_owned());
        }
    }
    match count {
        0 => Ok(()),
        _ => {
            let (version, stored) = (request.raw_version.clone(), stored_versions(store, TextVariant::Raw)?);
            Err(IngestError::NoRawText { files: without, count, version, stored })
        }
    }
}

/// `clean_v0 (3 files)`, for every stored version.
fn stored_versions(store: &Store, variant: TextVariant) -> Result<Vec<String>, IngestError> {
    let described = |(version, files): (String, u64)| {
        format!("{version} ({files} {})", if files == 1 { "file" } else { "files" })
    };
    Ok(store.texts().version_names(variant)?.into_iter().map(described).collect())
}

/// The raw text that is cleaned.
fn raw_of<'v>(request: &CleanRequest, versions: &'v [StoredVersion]) -> Option<&'v StoredVersion> {
    versions.iter().find(|stored| {
        stored.variant == TextVariant::Raw
            && request.raw_version.as_ref().map_or(stored.is_current, |wanted| stored.version == *wanted)
    })
}

/// True when a rollback needs only what is stored for the file.
fn is_recalled(settings: &IngestSettings, versions: &[StoredVersion]) -> bool {
    let Some(VersionRequest::Pin(version)) = &settings.order else { return false };
    versions.iter().any(|stored| stored.variant == TextVariant::Clean && stored.version == *version)
}

/// Performs the run and records it in `runs`.
fn record(
    settings: &IngestSettings,
    request: &CleanRequest,
    started: Instant,
    store: &mut Store,
    observer: &dyn Observer,
) -> Result<CleanSummary, IngestError> {
    let corpus = settings.corpus(Some(store))?;
    settings.warn(&corpus, observer);
    let roots: Vec<String> = store.roots().all()?.into_iter().map(|root| root.path).collect();
    let run_id = store.runs().begin(&roots.join("\n"), &settings.describe("clean", &corpus))?;
    let mut result = phases(settings, request, &corpus, run_id, store, observer);
    if let Ok(cleaned) = &mut result {
        cleaned.run_id = run_id;
        cleaned.seconds = started.elapsed().as_secs_f64();
    }
    let (status, counts) = match &result {
        Ok(cleaned) if cleaned.interrupted => ("interrupted", serde_json::to_string(cleaned)),
        Ok(cleaned) => ("finished", serde_json::to_string(cleaned)),
        Err(_) => ("failed", Ok("{}".to_owned())),
    };
    let ended = store.runs().end(run_id, status, &counts.unwrap_or_default());
    let cleaned = result?;
    ended?;
    Ok(cleaned)
}

/// The phases of a run, one after the other.
fn phases(
    settings: &IngestSettings,
    request: &CleanRequest,
    corpus: &CorpusSettings,
    run_id: i64,
    store: &mut Store,
    observer: &dyn Observer,
) -> Result<CleanSummary, IngestError> {
    let (mut clock, mut summary) = (PhaseClock::new(), IngestSummary::default());
    let recipes = StageRecipes::new(settings, corpus)?;
    let mut cleaned = CleanSummary { version: corpus.clean_version.clone(), ..CleanSummary::default() };
    let SelectedFiles { files: chosen, bytes, among } = request.selection.choose(store)?;
    (cleaned.files, cleaned.among) = (chosen.len() as u64, among);
    store.maintenance().finish_load()?;
    store.meta().set_corpus_settings(corpus)?;
    let search = store.meta().has_search()?;
    let options = settings.writer_options(run_id, corpus, recipes.clean.version(), search);
    let mut writer = Writer::new(store, options, &recipes)?;
    writer.review_again(recipes.review())?;
    let context = context::ReaderContext::new(settings, &recipes, None, (0, 0), observer)?;
    observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Content, files: cleaned.files, bytes });
    for page in chosen.chunks(PAGE_FILES) {
        let mut list = Vec::new();
        for &file_id in page {
            let Some(file) = writer.store().files().get(file_id)? else { continue };
            let is_attachment = u64::from(pipeline::kind_of(&file) == DocumentKind::Attachment);
            cleaned.attachments.files += is_attachment;
            match task(&recipes, settings, request, writer.store(), file)? {
                Some(task) => list.push(task),
                None => {
                    cleaned.skipped += 1;
                    cleaned.attachments.skipped += is_attachment;
                }
            }
        }
        if observer.interrupted() {
            break;
        }
        if !list.is_empty() {
            pipeline::run(&context, &list, &mut writer, observer, &mut summary)?;
        }
    }
    clock.stop(RunPhase::Content, &mut summary);
    observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Finish, files: 0, bytes: 0 });
    writer.complete()?;
    store.tables().update(&|| observer.interrupted())?;
    settings.update_repetition(store, observer)?;
    cleaned.needs_review = store.reports().review_count(None)?;
    cleaned.interrupted = observer.interrupted();
    clock.stop(RunPhase::Finish, &mut summary);
    cleaned.stages = recipes.timings.stages();
    Ok(cleaned.with(summary))
}

/// The task for a file; `None` if there is nothing to do.
fn task(
    recipes: &StageRecipes<'_>,
    settings: &IngestSettings,
    request: &CleanRequest,
    store: &Store,
    file: FileState,
) -> Result<Option<Task>, IngestError> {
    let versions = store.texts().versions_of(file.file_id)?;
    let raw = raw_of(request, &versions).map(|raw| TaskKind::Clean { raw: raw.version.clone() });
    let kind = match as_it_is(recipes, settings, &file, &versions) {
        _ if request.force && raw.is_some() => raw,
        Some(kind) => kind,
        None => raw,
    };
    Ok(kind.map(|kind| Task { file, kind, problem: None, bytes: None }))
}

/// The task for a file whose wanted text is stored: nothing, make it current, or cut it; `None` if it is not stored.
/// A rollback takes the stored text as it is, whatever settings it was made with.
fn as_it_is(
    recipes: &StageRecipes<'_>,
    settings: &IngestSettings,
    file: &FileState,
    versions: &[StoredVersion],
) -> Option<Option<TaskKind>> {
    let stages = recipes.late_stages_of(file);
    let goes_back = matches!(settings.order, Some(VersionRequest::Pin(_)));
    let found = versions.iter().find(|stored| {
        stored.variant == TextVariant::Clean
            && stored.version == recipes.clean.version()
            && (goes_back || stages.cleans_alike(stored.settings_hash.as_deref()))
    })?;
    Some(match (found.is_current, stages.cuts_otherwise(file.settings_hash.as_deref())) {
        (false, _) => Some(TaskKind::Recall { version: found.version.clone() }),
        (true, true) => Some(TaskKind::Chunk),
        (true, false) => None,
    })
}

impl CleanSummary {
    /// Adds what the pipeline has counted.
    fn with(self, summary: IngestSummary) -> CleanSummary {
        CleanSummary {
            done: summary.done,
            attachments: SelectionSummary { done: summary.attachments, ..self.attachments },
            phases: summary.phases,
            slowest: summary.slowest,
            ..self
        }
    }
}
