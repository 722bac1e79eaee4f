//! The work list: what must be read, cleaned or chunked, in the order in which it will be written.

use super::changed_settings;
use super::counts::DocumentCounts;
use super::recipes::{RedoStage, StageRecipes};
use super::settings::{IngestError, IngestSettings};
use super::summary::{IngestSummary, PlanLine};
use pensieve_store::scan::FileList;
use pensieve_store::store::{FileState, Root, Store, StoredVersion, Task, TaskKind, TextVariant};
use pensieve_text::model::{FileType, Observer, ProblemKind, ProcessingStatus};
use std::collections::HashSet;

/// Rows waiting to be read that are in memory at once.
pub(super) const PAGE_ROWS: usize = 10_000;

/// The tasks of this run besides reading the rows that wait for it: see [`pending`].
pub(super) fn list(
    settings: &IngestSettings,
    recipes: &StageRecipes<'_>,
    root: &Root,
    changed: Vec<Task>,
    store: &Store,
    observer: &dyn Observer,
    summary: &mut IngestSummary,
) -> Result<Vec<Task>, IngestError> {
    let mut list = TaskList { taken: HashSet::new(), tasks: Vec::new() };
    for task in changed {
        list.add(task);
    }
    let is_here = |file: &FileState| file.root_id == root.root_id && is_listed(file, settings.list.as_ref());
    for file in store.planning().failed_files()?.into_iter().filter(is_here) {
        if file.hash.is_none() || !is_worth_retrying(&file, store, settings)? {
            continue;
        }
        summary.retried += u64::from(file.file_type == FileType::File);
        if !recipes.still_lacks_tool(&file) {
            list.add(read(on_disk(file, store)?));
        }
    }
    for file in store.planning().resized_files(settings.scan.max_size())? {
        if is_here(&file) && !recipes.is_too_large(&file) {
            list.add(read(file));
        }
    }
    let mut outdated = outdated(recipes, root, store, settings.force, settings.list.as_ref())?;
    outdated.retain(|task| !list.taken.contains(&task.file.file_id));
    if !settings.force {
        changed_settings::announce(recipes, store, &outdated, observer)?;
    }
    for task in outdated {
        list.add(task);
    }
    let mut tasks = list.tasks;
    tasks.sort_by(|a, b| key(&a.file).cmp(&key(&b.file)));
    Ok(tasks)
}

/// Rows whose settings are no longer current, or all rows with `force`. A file that takes over content during a run
/// takes its settings too, so this list is checked again at the end.
pub(super) fn outdated(
    recipes: &StageRecipes<'_>,
    root: &Root,
    store: &Store,
    force: bool,
    list: Option<&FileList>,
) -> Result<Vec<Task>, IngestError> {
    let mut tasks = TaskList { taken: HashSet::new(), tasks: Vec::new() };
    for stored in store.planning().settings_in_use()? {
        let has_text = stored.status == ProcessingStatus::Processed;
        let redo = recipes.redo(&stored, has_text);
        let redo = if force { RedoStage::Read } else { redo };
        if redo == RedoStage::Nothing {
            continue;
        }
        for file in store.planning().files_with_settings(&stored)? {
            let task = again(file, redo, recipes, root, store)?;
            // Whatever is stored follows the settings; of the files themselves only listed ones are read.
            let is_wanted = |task: &Task| !matches!(task.kind, TaskKind::Read) || is_listed(&task.file, list);
            if let Some(task) = task.filter(is_wanted) {
                tasks.add(task);
            }
        }
    }
    let mut tasks = tasks.tasks;
    tasks.sort_by(|a, b| key(&a.file).cmp(&key(&b.file)));
    Ok(tasks)
}

/// True for a file that could not be opened, or not be read again: its row has the settings of no reader.
pub(super) fn has_failed(file: &FileState) -> bool {
    // A row that is processed has kept the text of an earlier reading.
    let statuses = [ProcessingStatus::Error, ProcessingStatus::Processed];
    file.status.is_some_and(|status| statuses.contains(&status)) && file.settings_hash.is_none()
}

/// The first canonical rows of the root that wait to be read. After they are read the next ones are first, so that a
/// tree of any size is processed in pages.
///
/// With a list, rows that it does not have stay for a later run.
pub(super) fn pending(root: &Root, store: &Store, list: Option<&FileList>) -> Result<Vec<Task>, IngestError> {
    let mut after = String::new();
    loop {
        let mut page = store.planning().pending_files(root.root_id, &after, PAGE_ROWS)?;
        let Some(last) = page.last() else { return Ok(Vec::new()) };
        after.clone_from(&last.relative_path);
        page.retain(|file| is_listed(file, list));
        if !page.is_empty() {
            return Ok(page.into_iter().map(read).collect());
        }
    }
}

/// True for a file that the run may read.
fn is_listed(file: &FileState, list: Option<&FileList>) -> bool {
    list.is_none_or(|list| list.has(&file.relative_path))
}

/// What a dry run says of a task, which is counted as if it had been done.
pub(super) fn plan_line(task: &Task, counts: &mut DocumentCounts) -> PlanLine {
    counts.processed += 1;
    let what = match task.kind {
        TaskKind::Read | TaskKind::Replace { .. } => "read",
        TaskKind::Clean { .. } => {
            counts.cleaned += 1;
            "clean"
        }
        TaskKind::Recall { .. } => {
            counts.recalled += 1;
            "recall"
        }
        TaskKind::Chunk => {
            counts.rechunked += 1;
            "chunk"
        }
    };
    PlanLine { what, path: task.file.relative_path.clone(), status: None }
}

struct TaskList {
    taken: HashSet<i64>,
    tasks: Vec<Task>,
}

impl TaskList {
    fn add(&mut self, task: Task) -> bool {
        let fresh = self.taken.insert(task.file.file_id);
        if fresh {
            self.tasks.push(task);
        }
        fresh
    }
}

fn key(file: &FileState) -> (i64, &[u8]) {
    (file.root_id, file.relative_path.as_bytes())
}

/// The task of a file that is read where it is.
pub(super) fn read(file: FileState) -> Task {
    Task { file, kind: TaskKind::Read, problem: None, bytes: None }
}

/// A member is read again together with the file that contains it.
fn on_disk(file: FileState, store: &Store) -> Result<FileState, IngestError> {
    if file.file_type != FileType::Member {
        return Ok(file);
    }
    Ok(store.files().container_of(file.file_id)?.unwrap_or(file))
}

fn is_worth_retrying(
    file: &FileState,
    store: &Store,
    settings: &IngestSettings,
) -> Result<bool, IngestError> {
    let is_costly = |kind: ProblemKind| {
        matches!(kind, ProblemKind::Timeout | ProblemKind::MemoryLimit | ProblemKind::Crashed)
    };
    let is_wanted = |kind: ProblemKind| kind.is_circumstance() && (settings.retry_costly || !is_costly(kind));
    let kinds = store.problems().kinds_of(file.file_id)?;
    Ok(kinds.iter().filter_map(|name| ProblemKind::from_name(name)).any(is_wanted))
}

/// The task for a row whose settings are no longer current. If that needs the sources of another root, the text
/// stays; but all chunks of a database are cut alike.
fn again(
    file: FileState,
    redo: RedoStage,
    recipes: &StageRecipes<'_>,
    root: &Root,
    store: &Store,
) -> Result<Option<Task>, IngestError> {
    let stored = match redo {
        RedoStage::Nothing => return Ok(None),
        RedoStage::Chunk => Some(TaskKind::Chunk),
        RedoStage::Clean => from_stored(&file, recipes, &store.texts().versions_of(file.file_id)?),
        RedoStage::Read => None,
    };
    let kind = match stored {
        Some(kind) => kind,
        None if file.root_id == root.root_id => return Ok(Some(read(on_disk(file, store)?))),
        None if recipes.cuts_otherwise(&file) => TaskKind::Chunk,
        None => return Ok(None),
    };
    Ok(Some(Task { file, kind, problem: None, bytes: None }))
}

/// How a file whose current text was cleaned differently gets today's clean text without its source: a stored one is
/// made current again, else raw text is cleaned. `None` if neither is stored.
pub(super) fn from_stored(
    file: &FileState,
    recipes: &StageRecipes<'_>,
    versions: &[StoredVersion],
) -> Option<TaskKind> {
    let stages = recipes.late_stages_of(file);
    let is_wanted = |stored: &&StoredVersion| {
        stored.variant == TextVariant::Clean
            && stored.version == recipes.clean.version()
            && stages.cleans_alike(stored.settings_hash.as_deref())
    };
    if let Some(stored) = versions.iter().find(is_wanted) {
        return Some(TaskKind::Recall { version: stored.version.clone() });
    }
    let raw = versions.iter().find(|stored| stored.variant == TextVariant::Raw && stored.is_current)?;
    Some(TaskKind::Clean { raw: raw.version.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(file_id: i64, path: &str) -> FileState {
        FileState { file_id, ..FileState::at(path.to_owned(), path.into()) }
    }

    #[test]
    fn a_dry_run_says_what_would_be_done() {
        let mut counts = DocumentCounts::default();
        let clean = || TaskKind::Clean { raw: "r".to_owned() };
        let recall = || TaskKind::Recall { version: "v".to_owned() };
        for (kind, what) in [
            (TaskKind::Read, "read"),
            (clean(), "clean"),
            (clean(), "clean"),
            (recall(), "recall"),
            (recall(), "recall"),
            (recall(), "recall"),
            (TaskKind::Chunk, "chunk"),
        ] {
            let line = plan_line(&Task { kind, ..read(file(1, "a/b.md")) }, &mut counts);
            assert_eq!((line.what, line.path.as_str()), (what, "a/b.md"));
        }
        let expected =
            DocumentCounts { processed: 7, cleaned: 2, recalled: 3, rechunked: 1, ..Default::default() };
        assert_eq!(counts, expected);
    }

    #[test]
    fn a_file_has_one_task_the_first() {
        let mut list = TaskList { taken: HashSet::new(), tasks: Vec::new() };
        assert!(list.add(read(file(1, "a"))));
        assert!(list.add(read(file(2, "b"))));
        assert!(!list.add(Task { kind: TaskKind::Chunk, ..read(file(1, "a")) }));
        let paths: Vec<&str> = list.tasks.iter().map(|task| task.file.relative_path.as_str()).collect();
        assert_eq!(paths, ["a", "b"]);
        assert!(matches!(list.tasks[0].kind, TaskKind::Read));
    }

    #[test]
    fn a_file_has_failed_if_it_has_no_settings_after_it_was_read() {
        let settings = || Some("s".to_owned());
        for (status, settings_hash, expected) in [
            (Some(ProcessingStatus::Error), None, true),
            (Some(ProcessingStatus::Error), settings(), false),
            (Some(ProcessingStatus::Processed), None, true),
            (Some(ProcessingStatus::Processed), settings(), false),
            (Some(ProcessingStatus::SkippedLimit), None, false),
            (None, None, false),
        ] {
            let file = FileState { status, settings_hash, ..file(1, "a") };
            assert_eq!(has_failed(&file), expected, "{status:?}");
        }
    }
}
