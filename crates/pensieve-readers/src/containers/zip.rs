//! ZIP archives (`.zip`, `.jar`, `.whl`, ...) that are no documents of another format.
//!
//! Entries are found as in packages ([`Archive`]): by the directory, or by their own headers where it is damaged. Symbolic links
//! are listed with their targets. Entries whose data overlap are refused: only archives made to unpack to far more than they
//! hold have such.

use super::entries::{EntryKind, Visit, emit_entries};
use crate::limits::containers::{MAX_DIRECTORY_BYTES, MAX_ENTRIES};
use crate::settings::ReadSettings;
use crate::shared::archive::{Archive, ArchiveLimits};
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{AbsentContent, Document, Problem, ProblemKind};
use std::io::{self, Read};

/// Bytes of the target of a symbolic link that are shown.
const MAX_TARGET_BYTES: u64 = 1024;

/// Reads a ZIP archive.
///
/// # Errors
/// The file cannot be read, its directory is missing or too large, or the sink stops.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let limits = ArchiveLimits { entries: MAX_ENTRIES, directory_bytes: MAX_DIRECTORY_BYTES };
    let mut archive = Archive::open_within(source, limits)?;
    if archive.lacks_start() {
        let message = "the archive was cut short: its last directory is that of an archive inside it";
        return Err(Problem::new(ProblemKind::Damaged, message));
    }
    let overlapping = archive.overlapping();
    emit_entries(sink, &mut |visit| {
        if archive.parts() > 1 {
            let message = format!(
                "the last of {} files of one archive; entries in the others are missing",
                archive.parts()
            );
            visit.problem(Problem::new(ProblemKind::Damaged, message));
        }
        for at in 0..archive.names().len() {
            if visit.is_done() {
                break;
            }
            visit_entry(&mut archive, at, overlapping.contains(&at), visit)?;
        }
        Ok(())
    })
}

fn visit_entry(
    archive: &mut Archive<'_>,
    at: usize,
    overlaps: bool,
    visit: &mut Visit<'_, '_>,
) -> Result<(), Problem> {
    let name = archive.names().get(at).cloned().unwrap_or_default();
    let is_link = archive.is_link(at);
    let nothing = &mut io::empty();
    if name.ends_with('/') {
        return visit.entry(&name, EntryKind::Folder, nothing);
    }
    if overlaps {
        let problem = Problem::new(ProblemKind::Damaged, "its data overlap those of another entry");
        return visit.entry(&name, EntryKind::Unreadable(problem), nothing);
    }
    if !visit.wants_data() {
        return visit.entry(&name, EntryKind::File, nothing);
    }
    match archive.stream_at(at) {
        Ok(mut data) if is_link => {
            let mut target = Vec::new();
            // A target that is damaged is shown as far as it goes.
            let _ = (&mut data).take(MAX_TARGET_BYTES).read_to_end(&mut target);
            let reason = format!("a symbolic link to `{}`", super::names::name_text(&target));
            let absent = AbsentContent { mime: "inode/symlink", reason };
            visit.entry(&name, EntryKind::Special(absent), nothing)
        }
        Ok(mut data) => visit.entry(&name, EntryKind::File, &mut data),
        Err(problem) => visit.entry(&name, EntryKind::Unreadable(problem), nothing),
    }
}

#[cfg(test)]
mod tests;
