//! The main job: a tree of files in, one database out.
//!
//! [`run`] is the list of its phases: scan the tree and compare it with the database, write the table of contents,
//! read in parallel what needs reading, write it in list order, build the indexes. A dry run ends after the
//! comparison.

mod clean;
mod compare;
mod contents;
mod processing;
mod counts;
mod deletions;
mod document_rows;
mod event_handler;
mod listed;
mod marked;
mod moved;
mod memory;
mod outbox;
mod pipeline;
mod read_ahead;
mod reading;
mod recipes;
mod recognizing;
mod redo;
mod rereads;
mod report;
mod report_scope;
mod context;
mod settings;
mod timings;
mod summary;
mod changed_settings;
mod tasks;
mod text_profile;
mod toc;

pub use clean::{CleanCandidates, CleanRequest, CleanSummary, FileSelection, SelectionSummary, clean};
pub use contents::own_files;
pub use counts::DocumentCounts;
pub use document_rows::{
    DocumentRequest, DocumentRow, DocumentRowSink, DocumentRowsError, DocumentSummary, read_documents,
};
pub use marked::with_page_markers;
pub use memory::{children_share, workers};
pub use report::{RunFacts, RunReporter};
pub use report_scope::ReportScope;
pub use settings::{
    ConverterLimits, IngestError, IngestSettings, PinnedSettings, StoreOptions, VersionRequest,
};
pub use summary::{IngestSummary, PlanLine};
pub use timings::{SlowFile, SlowestFiles};

use pensieve_store::store::{CorpusSettings, Root, Store, StoreError, Task, Writer};
use pensieve_text::format;
use pensieve_text::model::{Observer, ProgressEvent, RunPhase};
use std::path::Path;
use std::time::{Duration, Instant};

/// Ingests `settings.root` into `settings.database`.
///
/// # Errors
/// The folder or the database cannot be used, or the settings contradict each other. Problems with single files are
/// rows of `errors`, never an error here. An interrupted run returns its summary with `interrupted` set.
pub fn run(settings: &IngestSettings, observer: &dyn Observer) -> Result<IngestSummary, IngestError> {
    let started = Instant::now();
    let place = settings::absolute_root(&settings.root)?;
    let mut summary = if settings.dry_run {
        dry_run(settings, &place, observer)?
    } else {
        real_run(settings, &place, started, observer)?
    };
    summary.seconds = started.elapsed().as_secs_f64();
    Ok(summary)
}

/// True if a run would find entries that are not as the database has them: a scan without a run. What failed before and
/// fails again is no change.
///
/// # Errors
/// As for [`run`].
pub fn has_changes(settings: &IngestSettings, observer: &dyn Observer) -> Result<bool, IngestError> {
    let place = settings::absolute_root(&settings.root)?;
    let store = Store::open_if_there(&settings.database)?;
    let root = check(settings, &place, store.as_ref())?;
    let recipes = recipes::StageRecipes::new(settings, &settings.corpus(store.as_ref())?)?;
    if let Some(store) = &store {
        recipes.recall_versions(store)?;
    }
    let plan = compare::plan(settings, &place, store.as_ref(), root.as_ref(), &recipes, observer)?;
    Ok(!plan.is_stopped && plan.has_changes())
}

/// Removes a root from a database; returns the number of files removed. Content that other roots share with it stays.
///
/// # Errors
/// The database cannot be written, or the settings are invalid.
pub fn forget(settings: &IngestSettings, store: &mut Store, root: &Root) -> Result<u64, IngestError> {
    let corpus = settings.corpus(Some(store))?;
    let recipes = recipes::StageRecipes::new(settings, &corpus)?;
    let files = store.maintenance().forget(root, &recipes)?;
    settings.update_repetition(store, &document_rows::Unobserved)?;
    Ok(files)
}

/// Scans and compares; writes nothing, not even an empty database.
fn dry_run(
    settings: &IngestSettings,
    place: &Path,
    observer: &dyn Observer,
) -> Result<IngestSummary, IngestError> {
    let store = Store::open_if_there(&settings.database)?;
    let root = check(settings, place, store.as_ref())?;
    let corpus = settings.corpus(store.as_ref())?;
    settings.warn(&corpus, observer);
    let recipes = recipes::StageRecipes::new(settings, &corpus)?;
    if let Some(store) = &store {
        recipes.recall_versions(store)?;
    }
    let plan = recipes.look_up_beside(store.as_ref(), || {
        compare::plan(settings, place, store.as_ref(), root.as_ref(), &recipes, observer)
    })?;
    if plan.is_stopped {
        return Ok(IngestSummary { dry_run: true, interrupted: true, ..IngestSummary::default() });
    }
    if let Some(store) = &store {
        moved::hint_at_move(&plan, settings, store, place, observer)?;
    }
    let mut summary = plan.counts();
    summary.mass_deletion = plan.check_deletions(settings, root.as_ref()).is_err();
    plan.expect(store.as_ref(), root.as_ref(), &mut summary)?;
    let mut lines = plan.lines(store.as_ref(), root.as_ref())?;
    if let Some((store, root)) = store.as_ref().zip(root.as_ref()) {
        let replaced = plan.replaced();
        let judged = plan.judged_anew.iter().cloned().map(tasks::read).collect();
        let tasks = tasks::list(settings, &recipes, root, judged, store, observer, &mut summary)?;
        let tasks = tasks.iter().filter(|task| !replaced.contains(&task.file.file_id));
        lines.extend(tasks.map(|task| tasks::plan_line(task, &mut summary.done)));
    }
    summary.plan = Some(lines);
    summary.dry_run = true;
    summary.interrupted = observer.interrupted();
    Ok(summary)
}

fn real_run(
    settings: &IngestSettings,
    place: &Path,
    started: Instant,
    observer: &dyn Observer,
) -> Result<IngestSummary, IngestError> {
    check(settings, place, Store::open_if_there(&settings.database)?.as_ref())?;
    let mut store = open(settings, observer)?;
    let result = fill(settings, place, started, &mut store, observer);
    let closed = store.close();
    let summary = result?;
    closed?;
    if !settings.allow_mass_deletion && !summary.interrupted {
        summary.rereads.check()?;
    }
    Ok(summary)
}

/// Interval between two attempts to get the lock of another run.
const LOCK_INTERVAL: Duration = Duration::from_millis(200);

/// Opens the database for writing, after the run that has locked it if the settings say how long to wait.
fn open(settings: &IngestSettings, observer: &dyn Observer) -> Result<Store, IngestError> {
    let deadline = Instant::now() + settings.wait;
    loop {
        match Store::open_for_writing(&settings.database) {
            Err(StoreError::Locked { .. }) if Instant::now() < deadline && !observer.interrupted() => {
                std::thread::sleep(LOCK_INTERVAL);
            }
            opened => return Ok(opened?),
        }
    }
}

/// Rejects settings that cannot work, before anything is written; returns the root's row, if there is one.
fn check(
    settings: &IngestSettings,
    place: &Path,
    store: Option<&Store>,
) -> Result<Option<Root>, IngestError> {
    recipes::StageRecipes::new(settings, &settings.corpus(store)?)?;
    let roots = store.map(|store| store.roots().all()).transpose()?.unwrap_or_default();
    find_root(settings, place, &roots)
}

fn fill(
    settings: &IngestSettings,
    place: &Path,
    started: Instant,
    store: &mut Store,
    observer: &dyn Observer,
) -> Result<IngestSummary, IngestError> {
    let corpus = settings.corpus(Some(store))?;
    settings.warn(&corpus, observer);
    let recipes = recipes::StageRecipes::new(settings, &corpus)?;
    recipes.recall_versions(store)?;
    let root = enter_root(settings, place, store)?;
    store.problems().note_before_first_run()?;
    let run_id = store.runs().begin(&root.path, &settings.describe("ingest", &corpus))?;
    let is_first = store.planning().totals(root.root_id)?.files == 0;
    let mut result = phases(settings, &corpus, &recipes, &root, run_id, store, observer);
    recipes.keep_versions(store)?;
    if let Ok(summary) = &mut result {
        store.tables().update(&|| observer.interrupted())?;
        if !summary.interrupted && settings.list.is_none() {
            store.meta().set_result_settings(&recipes.lines())?;
        }
        // Rows of changed files are replaced after the table of contents has been counted.
        summary.count_files(&store.planning().totals(root.root_id)?);
        summary.run_id = Some(run_id);
        summary.stages = recipes.timings.stages();
        summary.skipped_archives = match settings.scan.archives {
            true => 0,
            false => {
                let mimes: Vec<&str> = format::archive_mimes().collect();
                store.reports().skipped_with_mime(root.root_id, &mimes)?
            }
        };
        summary.skipped_secrets = store.reports().withheld_count(root.root_id)?;
        summary.hidden = if is_first { store.reports().hidden_count(root.root_id)? } else { 0 };
        summary.needs_review = store.reports().review_count(Some(root.root_id))?;
        summary.seconds = started.elapsed().as_secs_f64();
    }
    if result.is_ok() {
        store.problems().note_run(run_id)?;
    }
    let (status, counts) = match &result {
        Ok(summary) if summary.interrupted => ("interrupted", serde_json::to_string(summary)),
        Ok(summary) => ("finished", serde_json::to_string(summary)),
        Err(_) => ("failed", Ok("{}".to_owned())),
    };
    let ended = store.runs().end(run_id, status, &counts.unwrap_or_default());
    let summary = result?;
    ended?;
    Ok(summary)
}

/// The phases of a run, one after the other; a first run reads files while it still writes the table of contents.
fn phases(
    settings: &IngestSettings,
    corpus: &CorpusSettings,
    recipes: &recipes::StageRecipes<'_>,
    root: &Root,
    run_id: i64,
    store: &mut Store,
    observer: &dyn Observer,
) -> Result<IngestSummary, IngestError> {
    let mut clock = PhaseClock::new();
    let known: &Store = store;
    let plan = recipes.look_up_beside(Some(known), || {
        compare::plan(settings, &root.location, Some(known), Some(root), recipes, observer)
    })?;
    plan.check_deletions(settings, Some(root))?;
    moved::hint_at_move(&plan, settings, store, &root.location, observer)?;
    let mut summary = plan.counts();
    clock.stop(RunPhase::Scan, &mut summary);
    observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Compare, files: 0, bytes: 0 });
    let context = context::ReaderContext::new(settings, recipes, Some(root), plan.started, observer)?;
    let ahead = read_ahead::first_tasks(&plan, root, store)?;
    let options = settings.writer_options(run_id, corpus, recipes.clean.version(), settings.store.fts);
    let mut writer = Writer::new(store, options, recipes)?;
    writer.review_again(recipes.review())?;
    let mut tasks = None;
    pipeline::run_ahead(&context, &ahead, &mut writer, observer, &mut summary, |writer, summary| {
        let Some(changed) = write_contents(&context, corpus, root, plan, writer, summary)? else {
            return Ok(None);
        };
        clock.stop(RunPhase::Compare, summary);
        let list = tasks::list(settings, recipes, root, changed, writer.store(), observer, summary)?;
        let has_work = start_reading(&list, root, writer.store(), observer)?;
        tasks = Some((list, has_work));
        tasks::pending(root, writer.store(), settings.list.as_ref()).map(Some)
    })?;
    let Some((tasks, has_work)) = tasks else {
        summary.interrupted = true;
        return Ok(summary);
    };
    if has_work {
        read(&context, tasks, root, &mut writer, observer, &mut summary)?;
    }
    clock.stop(RunPhase::Content, &mut summary);
    summary.interrupted = observer.interrupted();
    if summary.interrupted {
        writer.commit()?;
    } else {
        observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Finish, files: 0, bytes: 0 });
        writer.complete_with(&mut |share| observer.on_event(&ProgressEvent::advanced(share)))?;
        settings.update_repetition(store, observer)?;
        summary.interrupted = observer.interrupted();
    }
    clock.stop(RunPhase::Finish, &mut summary);
    Ok(summary)
}

/// Writes the table of contents; returns the tasks for changed files, or `None` if the user has stopped the run.
fn write_contents(
    context: &context::ReaderContext<'_>,
    corpus: &CorpusSettings,
    root: &Root,
    plan: compare::ScanPlan,
    writer: &mut Writer<'_>,
    summary: &mut IngestSummary,
) -> Result<Option<Vec<Task>>, IngestError> {
    let (list, observer) = (context.settings.list.as_ref(), context.observer);
    let (started, is_stopped) = (plan.started, plan.is_stopped);
    let changed = toc::write(plan, root, list, writer, observer, summary)?;
    writer.commit()?;
    let meta = writer.store().meta();
    meta.set_corpus_settings(corpus)?;
    // Rows of earlier scans keep the time from which their files may have changed without a trace.
    if !(is_stopped || list.is_some()) || meta.last_scan(root.root_id)?.is_none() {
        meta.set_last_scan(root.root_id, started)?;
    }
    if is_stopped || observer.interrupted() {
        return Ok(None);
    }
    announce(writer.store(), root, observer, summary)?;
    Ok(Some(changed))
}

/// Announces the phase in which files are read; false if none are to be read.
fn start_reading(
    tasks: &[Task],
    root: &Root,
    store: &Store,
    observer: &dyn Observer,
) -> Result<bool, IngestError> {
    let (files, bytes) = store.planning().pending_total(root.root_id)?;
    let files = files + tasks.len() as u64;
    let bytes = bytes + tasks.iter().map(|task| task.file.size).sum::<u64>();
    if files > 0 {
        observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Content, files, bytes });
    }
    Ok(files > 0)
}

/// Works through the list, then page by page through the rows that wait to be read, then through files that took over
/// content with old settings meanwhile, until none is left or a round settles none of them.
fn read(
    context: &context::ReaderContext<'_>,
    mut tasks: Vec<Task>,
    root: &Root,
    writer: &mut Writer<'_>,
    observer: &dyn Observer,
    summary: &mut IngestSummary,
) -> Result<(), IngestError> {
    let list = context.settings.list.as_ref();
    let mut first_before = None;
    loop {
        if !tasks.is_empty() {
            pipeline::run(context, &tasks, writer, observer, summary)?;
        }
        tasks = tasks::pending(root, writer.store(), list)?;
        if tasks.is_empty() {
            tasks = tasks::outdated(context.recipes(), root, writer.store(), false, list)?;
            // Each was tried in this run already: it would be reported twice.
            tasks.retain(|task| !tasks::has_failed(&task.file));
        }
        let first = tasks.first().map(|task| task.file.file_id);
        if first.is_none() || first == first_before || observer.interrupted() {
            return Ok(());
        }
        first_before = first;
    }
}

/// Reports the size of the tree, from the table of contents as it is now.
fn announce(
    store: &Store,
    root: &Root,
    observer: &dyn Observer,
    summary: &mut IngestSummary,
) -> Result<(), IngestError> {
    let totals = store.planning().totals(root.root_id)?;
    summary.count_files(&totals);
    observer.on_event(&ProgressEvent::TreeKnown {
        files: totals.files,
        unique: totals.unique,
        duplicates: totals.duplicates,
        skipped: totals.skipped,
    });
    Ok(())
}

/// The root's row: known, moved here, or new.
fn enter_root(settings: &IngestSettings, place: &Path, store: &mut Store) -> Result<Root, IngestError> {
    match (find_root(settings, place, &store.roots().all()?)?, &settings.moved_from) {
        (Some(root), Some(_)) => Ok(store.roots().relocate(&root, place)?),
        (Some(root), None) => Ok(root),
        (None, _) => Ok(store.roots().add(place)?),
    }
}

/// The existing row of the root, found by its old path if it has moved.
fn find_root(settings: &IngestSettings, place: &Path, roots: &[Root]) -> Result<Option<Root>, IngestError> {
    let home = match &settings.moved_from {
        Some(old) => settings::absolute(old)?,
        None => place.to_path_buf(),
    };
    let known = |place: &Path| roots.iter().find(|root| root.location == place);
    if let (None, Some(_), Some(moved)) = (known(&home), &settings.moved_from, known(place)) {
        // A run that was interrupted after the move is repeated.
        return Ok(Some(moved.clone()));
    }
    refuse_overlap(roots, place, &home)?;
    match (known(&home), &settings.moved_from) {
        (None, Some(old)) => Err(IngestError::UnknownRoot { path: old.clone() }),
        (root, _) => Ok(root.cloned()),
    }
}

/// A file may belong to one root only.
fn refuse_overlap(roots: &[Root], place: &Path, home: &Path) -> Result<(), IngestError> {
    for root in roots.iter().filter(|root| root.location != home) {
        if place.starts_with(&root.location) || root.location.starts_with(place) {
            return Err(IngestError::Overlap { new: place.to_path_buf(), known: root.location.clone() });
        }
    }
    Ok(())
}

/// Wall time of the phases.
struct PhaseClock(Instant);

impl PhaseClock {
    fn new() -> PhaseClock {
        PhaseClock(Instant::now())
    }

    fn stop(&mut self, phase: RunPhase, summary: &mut IngestSummary) {
        *summary.phases.entry(phase.as_str()).or_default() += self.0.elapsed().as_secs_f64();
        self.0 = Instant::now();
    }
}
