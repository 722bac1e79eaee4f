//! A run over a list of files: it reads these alone, and reports the names that it cannot follow.

use super::contents::ScanResult;
use super::settings::IngestSettings;
use pensieve_store::scan::{FileList, explain, path_from_stored};
use pensieve_store::store::KnownFiles;
use pensieve_text::model::numbers::count;
use pensieve_text::model::{NoteLevel, Observer, ProgressEvent};
use std::path::Path;
use std::sync::atomic::Ordering;

/// Faults of a list that are reported one by one.
const MAX_FAULTS: u64 = 20;

/// Reports the names of the list that the scan did not find, each with the reason, and returns their number. Files that
/// the database has and that are gone are not among them: they will be deleted.
pub(super) fn report_faults(
    list: &FileList,
    scan: &ScanResult,
    known: &KnownFiles,
    settings: &IngestSettings,
    place: &Path,
    observer: &dyn Observer,
) -> u64 {
    let mut faults = 0;
    let mut report = |name: &str, reason: &str| {
        faults += 1;
        if faults <= MAX_FAULTS {
            let text = format!("the list names `{name}`, {reason}");
            observer.on_event(&ProgressEvent::Note { level: NoteLevel::Warn, text: &text });
        }
    };
    list.outside.iter().for_each(|name| report(name, "which is not below the folder"));
    for path in list.stored().filter(|path| !is_found(path, scan, known)) {
        if let Some(reason) = fault(&path, scan, known, settings, place) {
            report(&path, &reason);
        }
    }
    if faults > MAX_FAULTS {
        let text = format!(
            "the list names {} more paths that are missing or left out; correct those above, and run again to see them",
            count(faults - MAX_FAULTS)
        );
        observer.on_event(&ProgressEvent::Note { level: NoteLevel::Warn, text: &text });
    }
    faults
}

fn is_found(path: &str, scan: &ScanResult, known: &KnownFiles) -> bool {
    match known.find(path) {
        Some((at, _)) => scan.seen[at].load(Ordering::Relaxed),
        None => scan.found.binary_search_by(|found| found.entry.path.as_bytes().cmp(path.as_bytes())).is_ok(),
    }
}

/// Why a listed path was not found; `None` if that is reported otherwise.
fn fault(
    path: &str,
    scan: &ScanResult,
    known: &KnownFiles,
    settings: &IngestSettings,
    place: &Path,
) -> Option<String> {
    let relative = path_from_stored(path);
    if let Ok(Some(rule)) = explain(place, &settings.scan, &relative) {
        return Some(format!("which is left out by {}:{}: {}", rule.file, rule.line, rule.pattern));
    }
    let is_below = |folder: &str| {
        folder.is_empty()
            || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if known.find(path).is_some() || scan.problems.iter().any(|(folder, _)| is_below(folder)) {
        return None;
    }
    Some(match place.join(relative).symlink_metadata() {
        Ok(_) => "which is left out: it belongs to the database".to_owned(),
        Err(_) => "which is not there".to_owned(),
    })
}
