//! Rows of `files` as the writer inserts and updates them.

use crate::scan::{ScanEntry, stored_path};
use crate::store::document_address::uid_of;
use crate::store::roots::Root;
use crate::store::sql::Queries;
use crate::store::time::stored_time;
use pensieve_text::format::extension_of;
use pensieve_text::model::{ContentHash, DuplicateStatus, FileType, ProcessingStatus};
use rusqlite::types::{Null, ToSql};
use rusqlite::{Connection, Statement};
use std::sync::LazyLock;

/// The columns of a new row that do not come from its scan entry.
#[derive(Debug, Clone, Default)]
pub struct NewFile {
    /// SHA-256, if the file could be read.
    pub hash: Option<ContentHash>,
    /// `None` for folders, symlinks and special files.
    pub status: Option<ProcessingStatus>,
    /// Why it is not `Processed`.
    pub reason: Option<String>,
    /// The row of the format table, if the file is to be read.
    pub format: Option<String>,
    /// The sniffed MIME type.
    pub mime: Option<String>,
    /// Its part in its duplicate group, if already known.
    pub duplicate: Option<DuplicateStatus>,
    /// The canonical file of its group, for `duplicate`.
    pub group: Option<i64>,
    /// The settings that its status depends on.
    pub settings_hash: Option<String>,
}

/// The columns that a scan entry fills.
const ENTRY_COLUMNS: &[&str] = &[
    "root_id",
    "full_filepath",
    "relative_path",
    "folder_path",
    "filename",
    "file_extension",
    "file_type",
    "size_bytes",
    "creation_date",
    "modification_date",
    "access_date",
    "permissions",
    "mtime_s",
    "mtime_ns",
    "ctime_s",
    "ctime_ns",
    "inode",
    "device",
    "depth_level",
    "is_hidden",
    "is_symlink",
    "symlink_target",
    "path_bytes",
];

/// The columns that a [`NewFile`] fills; what an earlier reading of the row left in the last three goes.
const NEW_COLUMNS: &[&str] = &[
    "hash",
    "processing_status",
    "status_reason",
    "format",
    "mime_type",
    "duplicate_status",
    "is_canonical",
    "duplicate_group_id",
    "settings_hash",
    "encoding",
    "extractor",
    "estimated_tokens",
];

/// One statement for all columns of a row: each index is changed once.
static INSERT: LazyLock<String> = LazyLock::new(|| {
    let columns = [&["doc_uid"], ENTRY_COLUMNS, NEW_COLUMNS].concat();
    format!("INSERT INTO files({}) VALUES({})", columns.join(", "), placeholders(columns.len()))
});
static UPDATE_ENTRY: LazyLock<String> = LazyLock::new(|| update_of(ENTRY_COLUMNS));
static UPDATE_NEW: LazyLock<String> = LazyLock::new(|| update_of(NEW_COLUMNS));

fn update_of(columns: &[&str]) -> String {
    let values = placeholders(columns.len());
    format!("UPDATE files SET ({}) = ({values}) WHERE file_id = ?", columns.join(", "))
}

fn placeholders(count: usize) -> String {
    vec!["?"; count].join(", ")
}

/// Binds the values of a statement one after the other.
struct Binder<'s, 'c> {
    statement: &'s mut Statement<'c>,
    bound: usize,
}

impl Binder<'_, '_> {
    fn add(&mut self, value: impl ToSql) -> rusqlite::Result<()> {
        self.bound += 1;
        self.statement.raw_bind_parameter(self.bound, value)
    }
}

/// Adds the row of a new entry, or reuses the tombstone at its path; returns its id.
pub(super) fn add_file(
    connection: &Connection,
    root: &Root,
    entry: &ScanEntry,
    new: &NewFile,
) -> rusqlite::Result<i64> {
    let full = root.full_path(&entry.path);
    let tombstone =
        connection.first("SELECT file_id FROM files WHERE full_filepath = ?1", [&full], |row| row.get(0))?;
    if let Some(file_id) = tombstone {
        write_entry(connection, file_id, root, entry)?;
        write_new(connection, file_id, new)?;
        return Ok(file_id);
    }
    let doc_uid = free_uid(connection, &entry.path)?;
    let mut statement = connection.prepare_cached(&INSERT)?;
    let mut binder = Binder { statement: &mut statement, bound: 0 };
    binder.add(doc_uid)?;
    bind_entry(&mut binder, root, entry)?;
    bind_new(&mut binder, new, None)?;
    statement.raw_execute()?;
    let file_id = connection.last_insert_rowid();
    if new.duplicate == Some(DuplicateStatus::Canonical) {
        connection.run("UPDATE files SET duplicate_group_id = file_id WHERE file_id = ?1", [file_id])?;
    }
    Ok(file_id)
}

/// The first free uid for a path.
pub(super) fn free_uid(connection: &Connection, path: &str) -> rusqlite::Result<String> {
    let mut number = 0u64;
    loop {
        let uid = uid_of(path, number);
        if is_free(connection, &uid)? {
            return Ok(uid);
        }
        number += 1;
    }
}

/// True if no row has this uid.
pub(super) fn is_free(connection: &Connection, uid: &str) -> rusqlite::Result<bool> {
    Ok(!connection.has("SELECT 1 FROM files WHERE doc_uid = ?1", [uid])?)
}

/// Writes everything that the scan found about an entry: paths, times, permissions.
pub(super) fn write_entry(
    connection: &Connection,
    file_id: i64,
    root: &Root,
    entry: &ScanEntry,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(&UPDATE_ENTRY)?;
    let mut binder = Binder { statement: &mut statement, bound: 0 };
    bind_entry(&mut binder, root, entry)?;
    binder.add(file_id)?;
    statement.raw_execute().map(drop)
}

/// Writes the columns of a new row that do not come from its entry; older values are overwritten.
pub(super) fn write_new(connection: &Connection, file_id: i64, new: &NewFile) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(&UPDATE_NEW)?;
    let mut binder = Binder { statement: &mut statement, bound: 0 };
    bind_new(&mut binder, new, Some(file_id))?;
    binder.add(file_id)?;
    statement.raw_execute().map(drop)
}

/// Binds the values of [`ENTRY_COLUMNS`].
fn bind_entry(binder: &mut Binder<'_, '_>, root: &Root, entry: &ScanEntry) -> rusqlite::Result<()> {
    let full = root.full_path(&entry.path);
    let (folder, filename) = full.rsplit_once('/').unwrap_or(("", &full));
    let stat = &entry.stat;
    let time = |moment: (i64, u32)| stored_time(moment.0, moment.1);
    binder.add(root.root_id)?;
    binder.add(&full)?;
    binder.add(&entry.path)?;
    binder.add(folder)?;
    binder.add(filename)?;
    binder.add(extension_of(filename))?;
    binder.add(entry.file_type.as_str())?;
    binder.add(if entry.file_type == FileType::File { stat.size as i64 } else { 0 })?;
    binder.add(stat.created.map(time))?;
    binder.add(time((stat.mtime_s, stat.mtime_ns as u32)))?;
    binder.add(time(stat.accessed))?;
    binder.add(format!("{:o}", stat.permissions))?;
    binder.add(stat.mtime_s)?;
    binder.add(stat.mtime_ns)?;
    binder.add(stat.ctime_s)?;
    binder.add(stat.ctime_ns)?;
    binder.add(stat.inode as i64)?;
    binder.add(stat.device as i64)?;
    binder.add(entry.depth as i64)?;
    binder.add(entry.hidden)?;
    binder.add(entry.symlink_target.is_some())?;
    binder.add(&entry.symlink_target)?;
    // The exact bytes of the whole path, if its stored form is escaped.
    binder.add(stored_path(root.location.join(&entry.relative).as_os_str()).1)
}

/// Binds the values of [`NEW_COLUMNS`] for the row `file_id`, which is the group of a canonical file.
fn bind_new(binder: &mut Binder<'_, '_>, new: &NewFile, file_id: Option<i64>) -> rusqlite::Result<()> {
    binder.add(new.hash.map(|hash| hash.to_hex()))?;
    binder.add(new.status.map(|status| status.as_str()))?;
    binder.add(&new.reason)?;
    binder.add(&new.format)?;
    binder.add(&new.mime)?;
    binder.add(new.duplicate.map(|place| place.as_str()))?;
    binder.add(matches!(new.duplicate, Some(DuplicateStatus::Unique | DuplicateStatus::Canonical)))?;
    binder.add(match new.duplicate {
        Some(DuplicateStatus::Canonical) => file_id,
        _ => new.group,
    })?;
    binder.add(&new.settings_hash)?;
    (0..3).try_for_each(|_| binder.add(Null))
}
