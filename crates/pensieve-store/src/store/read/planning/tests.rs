//! The rows from which a run is planned.

use super::*;
use crate::store::testing::{add, entry, execute, read, root, run, store};
use crate::store::{NewFile, Outcome};

fn paths(files: Vec<FileState>) -> Vec<String> {
    files.into_iter().map(|file| file.relative_path).collect()
}

/// `a.txt` is processed, `b.txt` failed, `c.txt` is pending, `d.txt` has the bytes of `a.txt`, `e.txt` is deleted.
fn sample() -> Store {
    let mut store = store();
    run(&mut store, |writer| {
        let (a, b) = (add(writer, "a.txt", "same"), add(writer, "b.txt", "other"));
        read(writer, a, &["same"], Outcome::default());
        read(writer, b, &[], Outcome { status: Some(ProcessingStatus::Error), ..Outcome::default() });
        add(writer, "c.txt", "waiting");
        add(writer, "d.txt", "same");
        let gone = add(writer, "e.txt", "gone");
        writer.delete_file(gone).unwrap();
        let skipped = NewFile { status: Some(ProcessingStatus::SkippedDependency), ..NewFile::default() };
        writer.add_file(&root(), &entry("f.txt", 8), &skipped).unwrap();
    });
    store
}

#[test]
fn known_files_are_found_by_path() {
    let store = sample();
    let known = store.planning().known_files(1).unwrap();
    assert_eq!(known.files().len(), 5);
    let (at, file) = known.find("a.txt").unwrap();
    assert_eq!((at, file.file_id, file.size, file.has_hash, file.is_canonical), (0, 1, 4, true, true));
    assert_eq!((file.mtime, file.ctime, file.inode), ((5, 6), (7, 8), 9));
    assert_eq!(file.status, Some(ProcessingStatus::Processed));
    assert!(!known.find("d.txt").unwrap().1.is_canonical && !known.find("f.txt").unwrap().1.has_hash);
    assert_eq!(known.find("e.txt"), None);
    assert_eq!(store.planning().known_files(2).unwrap().files(), []);
}

#[test]
fn rows_to_read_again_are_listed() {
    let store = sample();
    let plan = store.planning();
    assert_eq!(paths(plan.failed_files().unwrap()), ["b.txt", "f.txt"]);
    assert_eq!(paths(plan.pending_files(1, "", 9).unwrap()), ["c.txt"]);
    assert_eq!(
        (plan.pending_files(1, "", 0).unwrap().len(), plan.pending_files(2, "", 9).unwrap().len()),
        (0, 0)
    );
    assert_eq!((plan.pending_total(1).unwrap(), plan.pending_total(2).unwrap()), ((1, 7), (0, 0)));
    // Files of 4 and 5 bytes: those above the limit were read without a limit.
    assert_eq!(paths(plan.resized_files(None).unwrap()), [""; 0]);
    assert_eq!(paths(plan.resized_files(Some(4)).unwrap()), ["b.txt"]);
    assert_eq!(paths(plan.resized_files(Some(3)).unwrap()), ["a.txt", "b.txt"]);
    execute(&store, "UPDATE files SET processing_status = 'Skipped_Limit' WHERE file_id = 1");
    assert_eq!(paths(plan.resized_files(Some(3)).unwrap()), ["b.txt"]);
    assert_eq!(paths(plan.resized_files(Some(4)).unwrap()), ["a.txt", "b.txt"]);
    execute(&store, "UPDATE files SET processing_status = 'Skipped_Dependency' WHERE file_id = 2");
    assert_eq!(paths(plan.resized_files(Some(4)).unwrap()), ["a.txt", "b.txt"]);
    execute(&store, "UPDATE files SET format = NULL WHERE file_id = 2");
    assert_eq!(paths(plan.resized_files(Some(4)).unwrap()), ["a.txt"]);
}

#[test]
fn settings_and_groups_are_counted() {
    let store = sample();
    let plan = store.planning();
    let settings = plan.settings_in_use().unwrap();
    let statuses: Vec<ProcessingStatus> = settings.iter().map(|stored| stored.status).collect();
    assert_eq!(statuses, [ProcessingStatus::Error, ProcessingStatus::Processed]);
    assert_eq!(paths(plan.files_with_settings(&settings[1]).unwrap()), ["a.txt"]);
    let other = StoredSettings { settings_hash: None, ..settings[1].clone() };
    assert_eq!(paths(plan.files_with_settings(&other).unwrap()), [""; 0]);
    let hash = ContentHash::of(b"same");
    assert_eq!(plan.group_sizes(1).unwrap()[&hash], GroupSize { here: 2, elsewhere: false });
    assert_eq!(plan.group_sizes(2).unwrap()[&hash], GroupSize { here: 0, elsewhere: true });
    assert_eq!(plan.group_sizes(1).unwrap().len(), 3);
    let totals = FileTotals { files: 5, unique: 4, duplicates: 1, skipped: 1 };
    assert_eq!(plan.totals(1).unwrap(), totals);
}
