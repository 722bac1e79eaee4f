//! Writes the table of contents: a row for every entry, duplicate groups, deletions. One transaction.

use super::compare::ScanPlan;
use super::contents::{FileContent, ScannedEntry};
use super::settings::IngestError;
use super::summary::IngestSummary;
use super::tasks;
use pensieve_store::scan::FileList;
use pensieve_store::store::{FileState, NewFile, Root, Task, TaskKind, Writer};
use pensieve_text::model::{ContentHash, DuplicateStatus, Observer, Problem, ProgressEvent};
use std::collections::{BTreeSet, HashMap};

/// Rows between two reports of progress.
const REPORTED_ROWS: usize = 1000;

/// Writes the plan and returns the tasks for changed files, whose rows stay as they are until their content is
/// replaced. Of a scan that was stopped, the files are written; problems of folders are those of the last whole scan.
pub(super) fn write(
    plan: ScanPlan,
    root: &Root,
    list: Option<&FileList>,
    writer: &mut Writer<'_>,
    observer: &dyn Observer,
    summary: &mut IngestSummary,
) -> Result<Vec<Task>, IngestError> {
    if !plan.is_stopped {
        writer.clear_loose_problems(root, &|path| list.is_none_or(|list| list.touches(path)))?;
    }
    for old in &plan.deleted {
        writer.delete_file(old.file_id)?;
    }
    for (rows, is_reachable) in [(&plan.unreachable, false), (&plan.reachable, true)] {
        rows.iter().try_for_each(|file_id| writer.set_reachable(*file_id, is_reachable))?;
    }
    let mut unsettled = BTreeSet::new();
    for (old, found) in &plan.renamed {
        rename(old, found, root, writer)?;
        unsettled.extend(old.hash);
    }
    for (old, found) in &plan.touched {
        writer.update_entry(old.file_id, root, &found.entry)?;
    }
    let mut new_files = NewFiles::of(&plan, writer)?;
    for (done, found) in plan.new.iter().enumerate() {
        if done % REPORTED_ROWS == 0 {
            observer.on_event(&ProgressEvent::advanced(done as f64 / plan.new.len() as f64));
        }
        new_files.add(found, root, writer, observer, summary)?;
    }
    unsettled.append(&mut new_files.unsettled);
    for hash in &unsettled {
        writer.settle(hash)?;
    }
    for (path, problem) in plan.problems.iter().filter(|_| !plan.is_stopped) {
        summary.done.count_problem(problem);
        observer.on_event(&ProgressEvent::Trouble { path, problem });
        let full = root.full_path(path);
        let row = writer.store().files().at(&full)?;
        writer.add_problem(row.map(|row| row.file_id), &full, problem)?;
    }
    let judged = plan.judged_anew.into_iter().map(tasks::read);
    Ok(plan.changed.iter().map(|(old, found)| replacement(old, found)).chain(judged).collect())
}

fn rename(
    old: &FileState,
    found: &ScannedEntry,
    root: &Root,
    writer: &mut Writer<'_>,
) -> Result<(), IngestError> {
    writer.rename(old.file_id, root, &found.entry)?;
    let Some(content) = &found.content else { return Ok(()) };
    writer.set_mime(old.file_id, &content.mime)?;
    // A row that still waits to be read would keep the format of its old name, and the reader would trust it.
    if old.is_canonical && !is_judged_alike(old, content) {
        writer.reset(old.file_id)?;
    }
    Ok(())
}

/// True when the new name gives the bytes the same verdict as the old one: the same format, or the same refusal.
fn is_judged_alike(old: &FileState, content: &FileContent) -> bool {
    match &content.verdict {
        Ok(format) => old.format.as_deref() == Some(format.name),
        Err(refusal) => {
            old.status == Some(refusal.status) && old.reason.as_deref() == Some(refusal.reason.as_str())
        }
    }
}

/// The task that will replace a changed row and its content in one transaction.
pub(super) fn replacement(old: &FileState, found: &ScannedEntry) -> Task {
    let new = new_row(found);
    let kind = TaskKind::Replace { entry: Box::new(found.entry.clone()), new: Box::new(new) };
    Task { file: old.clone(), kind, problem: found.problem.clone(), bytes: None }
}

/// The columns of a new row.
pub(super) fn new_row(found: &ScannedEntry) -> NewFile {
    let verdict = found.content.as_ref().map(|content| &content.verdict);
    NewFile {
        hash: found.content.as_ref().map(|content| content.hash),
        status: found.first_status(),
        reason: match (verdict, &found.problem) {
            (Some(Err(refusal)), _) => Some(refusal.reason.clone()),
            (_, Some(problem)) => Some(problem.message.clone()),
            _ => None,
        },
        format: found.format().map(str::to_owned),
        mime: found.content.as_ref().map(|content| content.mime.clone()),
        settings_hash: found.content.as_ref().and_then(|content| content.settings_hash.clone()),
        ..NewFile::default()
    }
}

/// Assigns new files to duplicate groups as they are added, in path order; only groups with existing rows need to be
/// settled afterwards.
struct NewFiles {
    sizes: HashMap<ContentHash, u64>,
    heads: HashMap<ContentHash, (i64, NewFile)>,
    unsettled: BTreeSet<ContentHash>,
}

impl NewFiles {
    fn of(plan: &ScanPlan, writer: &Writer<'_>) -> Result<NewFiles, IngestError> {
        let mut sizes: HashMap<ContentHash, u64> = HashMap::new();
        for content in plan.new.iter().filter_map(|found| found.content.as_ref()) {
            *sizes.entry(content.hash).or_default() += 1;
        }
        let mut unsettled = BTreeSet::new();
        for hash in sizes.keys() {
            if writer.has_hash(hash)? {
                unsettled.insert(*hash);
            }
        }
        Ok(NewFiles { sizes, heads: HashMap::new(), unsettled })
    }

    fn add(
        &mut self,
        found: &ScannedEntry,
        root: &Root,
        writer: &mut Writer<'_>,
        observer: &dyn Observer,
        summary: &mut IngestSummary,
    ) -> Result<(), IngestError> {
        let mut new = new_row(found);
        let fresh = new.hash.filter(|hash| !self.unsettled.contains(hash));
        if let Some(hash) = fresh {
            self.place(&hash, &mut new);
        }
        let file_id = writer.add_file(root, &found.entry, &new)?;
        if let Some(hash) = fresh {
            self.heads.entry(hash).or_insert((file_id, new));
        }
        if let Some(problem) = &found.problem {
            report_problem(problem, &found.entry.path, observer, summary);
            let full = root.full_path(&found.entry.path);
            writer.add_problem(Some(file_id), &full, problem)?;
        }
        Ok(())
    }

    fn place(&self, hash: &ContentHash, new: &mut NewFile) {
        let shared = self.sizes.get(hash).is_some_and(|&size| size > 1);
        match self.heads.get(hash) {
            None if shared => new.duplicate = Some(DuplicateStatus::Canonical),
            None => new.duplicate = Some(DuplicateStatus::Unique),
            Some((head, first)) => {
                new.duplicate = Some(DuplicateStatus::Duplicate);
                new.group = Some(*head);
                new.status = first.status;
                new.reason.clone_from(&first.reason);
                new.format = None;
                new.settings_hash = None;
            }
        }
    }
}

fn report_problem(problem: &Problem, path: &str, observer: &dyn Observer, summary: &mut IngestSummary) {
    summary.done.count_problem(problem);
    observer.on_event(&ProgressEvent::Trouble { path, problem });
}
