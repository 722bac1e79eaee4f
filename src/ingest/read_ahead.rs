//! A first run reads files while their rows are added: what the rows will be follows from the scan alone.

use super::compare::ScanPlan;
use super::contents::ScannedEntry;
use super::tasks::PAGE_ROWS;
use super::toc::new_row;
use pensieve_store::store::{FileState, NewFile, Root, Store, StoreError, Task, TaskKind};
use pensieve_text::model::{FileType, ProcessingStatus};
use std::collections::HashSet;

/// The first tasks of a run into a database without files: the first file of each content that can be read, by path.
/// Empty for any other run, in which rows depend on what is stored.
pub(super) fn first_tasks(plan: &ScanPlan, root: &Root, store: &Store) -> Result<Vec<Task>, StoreError> {
    if plan.is_stopped || store.planning().has_files()? {
        return Ok(Vec::new());
    }
    let mut contents = HashSet::new();
    let is_first = |found: &&ScannedEntry| {
        found.content.as_ref().is_some_and(|content| contents.insert(content.hash))
            && found.first_status() == Some(ProcessingStatus::Pending)
    };
    Ok(plan.new.iter().filter(is_first).take(PAGE_ROWS).map(|found| task_of(found, root)).collect())
}

/// The task for a row as it will be, but for its numbers.
fn task_of(found: &ScannedEntry, root: &Root) -> Task {
    let (entry, NewFile { hash, status, format, .. }) = (&found.entry, new_row(found));
    let file = FileState {
        file_type: FileType::File,
        size: entry.stat.size,
        mtime: (entry.stat.mtime_s, entry.stat.mtime_ns),
        ctime: (entry.stat.ctime_s, entry.stat.ctime_ns),
        inode: entry.stat.inode,
        device: entry.stat.device,
        symlink_target: entry.symlink_target.clone(),
        hash,
        status,
        format,
        ..FileState::at(entry.path.clone(), root.location.join(&entry.relative))
    };
    Task { file, kind: TaskKind::Read, problem: None, bytes: None }
}

#[cfg(test)]
mod tests {
    use super::super::contents::FileContent;
    use super::super::pipeline::task_with_row;
    use super::*;
    use pensieve_store::store::testing::{entry, root, run, store};
    use pensieve_text::model::{ContentHash, DuplicateStatus};

    fn found(path: &str, bytes: &str) -> ScannedEntry {
        let content = FileContent {
            hash: ContentHash::of(bytes.as_bytes()),
            verdict: Ok(pensieve_text::format::by_name("markdown").unwrap()),
            mime: "text/markdown".to_owned(),
            settings_hash: None,
        };
        let mut entry = entry(path, bytes.len());
        (entry.stat.mtime_s, entry.stat.ctime_ns, entry.stat.inode, entry.stat.device) = (7, 8, 9, 10);
        entry.symlink_target = Some("aside".to_owned());
        ScannedEntry { entry, known: None, content: Some(content), problem: None }
    }

    #[test]
    fn rows_are_as_expected() {
        let mut store = store();
        let (first, other) = (found("a/\u{e9}.MD", "one"), found("b.md", "two"));
        run(&mut store, |writer| {
            let canonical = NewFile { duplicate: Some(DuplicateStatus::Canonical), ..new_row(&first) };
            writer.add_file(&root(), &first.entry, &canonical).unwrap();
            let unique = NewFile { duplicate: Some(DuplicateStatus::Unique), ..new_row(&other) };
            writer.add_file(&root(), &other.entry, &unique).unwrap();
        });
        let rows = store.planning().pending_files(root().root_id, "", 10).unwrap();
        let task = |file: FileState| Task { file, kind: TaskKind::Read, problem: None, bytes: None };
        let tasks: Vec<Task> = rows.into_iter().map(task).collect();
        for found in [&first, &other] {
            let row = task_with_row(&task_of(found, &root()), &tasks).unwrap();
            assert_eq!(row.file.relative_path, found.entry.path);
        }
        // Another size, another hash, no row.
        let with = |path: &str, bytes: &str| task_of(&found(path, bytes), &root());
        for expected in [with("b.md", "three"), with("b.md", "owt"), with("c.md", "two")] {
            assert!(task_with_row(&expected, &tasks).is_none());
        }
    }
}
