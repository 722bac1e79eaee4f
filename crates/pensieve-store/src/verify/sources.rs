//! The sources that are still on disk against the hashes that are stored for them.

use super::report::VerifyReport;
use crate::store::{FileState, Store, StoreError, Violation};
use pensieve_isolate::files;
use pensieve_isolate::files::FileStat;
use pensieve_text::model::Observer;

/// Hashes every source that is still there. A source with the stored size and time of change must have the stored
/// hash; any other has changed since it was read, which is no violation.
///
/// Cost: reads every source once.
pub(super) fn check(
    store: &Store,
    observer: &dyn Observer,
    report: &mut VerifyReport,
    each: &mut dyn FnMut(&mut VerifyReport, Violation),
) -> Result<(), StoreError> {
    let mut last = 0;
    loop {
        let page = store.laws().files_with_hash(last)?;
        let Some(end) = page.last() else { return Ok(()) };
        last = end.file_id;
        for file in &page {
            if observer.interrupted() {
                return Ok(());
            }
            if let Some(violation) = check_file(file, report) {
                each(report, violation);
            }
        }
    }
}

fn check_file(file: &FileState, report: &mut VerifyReport) -> Option<Violation> {
    let expected = FileStat { inode: file.inode, device: file.device, ..FileStat::default() };
    let Ok(identity) = files::identify(&file.location, &expected) else {
        report.sources_missing += 1;
        return None;
    };
    report.sources_hashed += 1;
    if Some(identity.hash) == file.hash {
        return None;
    }
    let stat = &identity.stat;
    let is_as_stored = stat.size == file.size && (stat.mtime_s, stat.mtime_ns) == file.mtime;
    if !is_as_stored {
        report.sources_changed += 1;
        return None;
    }
    let what = "its source has the stored size and time of change, but another hash";
    Some(Violation::of_file(5, &file.relative_path, what))
}
