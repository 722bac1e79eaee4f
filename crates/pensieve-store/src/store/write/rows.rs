//! Prepares the row and the content of a file before a task rewrites them.

use super::content;
use super::files::{self, NewFile};
use super::groups::DuplicateGroups;
use super::task::TaskKind;
use crate::scan::ScanEntry;
use crate::store::database::roots::Root;
use crate::store::read::files::{FileState, state_of};
use crate::store::rows::sql::Queries;
use pensieve_text::model::ProcessingStatus;
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// Replaces the row; true if the content of the file is to be written now.
pub(super) fn replace_row(
    groups: &mut DuplicateGroups<'_>,
    old: &FileState,
    entry: &ScanEntry,
    new: &NewFile,
) -> rusqlite::Result<bool> {
    let path = groups
        .connection
        .one("SELECT path FROM roots WHERE root_id = ?1", [old.root_id], |row| row.get(0))?;
    let root = Root { root_id: old.root_id, path, location: root_location(old) };
    files::write_entry(groups.connection, old.file_id, &root, entry)?;
    files::write_new(groups.connection, old.file_id, new)?;
    groups.leave(old)?;
    let Some(hash) = &new.hash else { return Ok(true) };
    groups.settle(hash)?;
    is_wanted(groups.connection, old.file_id)
}

/// True for a row whose content is to be written: canonical and pending.
pub(super) fn is_wanted(connection: &Connection, file_id: i64) -> rusqlite::Result<bool> {
    let row = state_of(connection, file_id)?;
    Ok(row.is_some_and(|row| row.is_canonical && row.status == Some(ProcessingStatus::Pending)))
}

/// The path of the root, from a file's path and its depth below the root.
fn root_location(file: &FileState) -> PathBuf {
    let depth = file.relative_path.split('/').count();
    file.location.ancestors().nth(depth).map(Path::to_path_buf).unwrap_or_default()
}

/// Removes the content that a task will rewrite.
pub(super) fn clear_for(
    groups: &mut DuplicateGroups<'_>,
    kind: &TaskKind,
    clean: &str,
    file_id: i64,
) -> rusqlite::Result<()> {
    if let TaskKind::Replace { .. } | TaskKind::Read = kind {
        return groups.drop_document(file_id);
    }
    groups.deferred.chunks.detach_chunks(groups.connection, file_id)?;
    match kind {
        TaskKind::Clean { .. } => content::drop_version(groups.connection, file_id, clean),
        TaskKind::Recall { version } => content::make_current(groups.connection, file_id, version),
        _ => Ok(()),
    }
}
