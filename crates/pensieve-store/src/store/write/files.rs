//! Rows of `files` as the writer inserts and updates them.

use super::binder::Binder;
use crate::scan::{ScanEntry, stored_path};
use crate::store::database::changed_files::ChangedFiles;
use crate::store::database::roots::Root;
use crate::store::places::document_address::uid_of;
use crate::store::rows::digests::NewRowColumns;
use crate::store::rows::sql::Queries;
use crate::store::rows::time::stored_time;
use pensieve_text::format::extension_of;
use pensieve_text::model::{ContentHash, DuplicateStatus, FileType, ProcessingStatus};
use rusqlite::Connection;
use rusqlite::types::Value;
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

/// All columns of a new row without its digests.
static COLUMNS: LazyLock<Vec<&str>> = LazyLock::new(|| [&["doc_uid"], ENTRY_COLUMNS, NEW_COLUMNS].concat());
static DIGESTED: LazyLock<NewRowColumns> = LazyLock::new(|| NewRowColumns::of(&COLUMNS));

/// One statement for all columns of a row: each index is changed once.
static INSERT: LazyLock<String> = LazyLock::new(|| format!("INSERT {}", into_files()));
static INSERT_IF_FREE: LazyLock<String> = LazyLock::new(|| format!("INSERT OR IGNORE {}", into_files()));

fn into_files() -> String {
    let (columns, count) = (COLUMNS.join(", "), COLUMNS.len() + 2);
    format!("INTO files({columns}, digest, row_digest) VALUES({})", placeholders(count))
}

static UPDATE_ENTRY: LazyLock<String> = LazyLock::new(|| update_of(ENTRY_COLUMNS));
static UPDATE_NEW: LazyLock<String> = LazyLock::new(|| update_of(NEW_COLUMNS));

fn update_of(columns: &[&str]) -> String {
    let values = placeholders(columns.len());
    format!("UPDATE files SET ({}) = ({values}) WHERE file_id = ?", columns.join(", "))
}

fn placeholders(count: usize) -> String {
    vec!["?"; count].join(", ")
}

/// Adds the row of a new entry with its digests, or reuses the tombstone at its path; returns its id.
pub(super) fn add_file(
    connection: &Connection,
    root: &Root,
    entry: &ScanEntry,
    new: &NewFile,
    changed: &ChangedFiles,
) -> rusqlite::Result<i64> {
    // A path is rarely stored, and its uid rarely taken: SQLite sees that when it writes the row.
    let first_uid = uid_of(&entry.path, 0);
    let file_id = match insert(connection, &INSERT_IF_FREE, first_uid, (root, entry, new), changed)? {
        Some(file_id) => file_id,
        None => {
            let full = root.full_path(&entry.path);
            let sql = "SELECT file_id FROM files WHERE full_filepath = ?1";
            if let Some(file_id) = connection.first(sql, [&full], |row| row.get(0))? {
                write_entry(connection, file_id, root, entry)?;
                write_new(connection, file_id, new)?;
                return Ok(file_id);
            }
            let uid = free_uid(connection, &entry.path)?;
            let inserted = insert(connection, &INSERT, uid, (root, entry, new), changed)?;
            inserted.ok_or(rusqlite::Error::StatementChangedRows(0))?
        }
    };
    if new.duplicate == Some(DuplicateStatus::Canonical) {
        connection.run("UPDATE files SET duplicate_group_id = file_id WHERE file_id = ?1", [file_id])?;
    }
    Ok(file_id)
}

/// Inserts a row with its digests; `None` if it was ignored.
fn insert(
    connection: &Connection,
    sql: &str,
    uid: String,
    (root, entry, new): (&Root, &ScanEntry, &NewFile),
    changed: &ChangedFiles,
) -> rusqlite::Result<Option<i64>> {
    let mut values = vec![Value::from(uid)];
    values.extend(entry_values(root, entry));
    values.extend(new_values(new, None));
    let digests = DIGESTED.digests(&values);
    let mut statement = connection.prepare_cached(sql)?;
    let mut binder = Binder::new(&mut statement);
    values.iter().try_for_each(|value| binder.add(value))?;
    binder.add(digests.file)?;
    binder.add(digests.row)?;
    if statement.raw_execute()? == 0 {
        return Ok(None);
    }
    let file_id = connection.last_insert_rowid();
    changed.forget(file_id);
    Ok(Some(file_id))
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
    let mut binder = Binder::new(&mut statement);
    entry_values(root, entry).iter().try_for_each(|value| binder.add(value))?;
    binder.add(file_id)?;
    statement.raw_execute().map(drop)
}

/// Writes the columns of a new row that do not come from its entry; older values are overwritten.
pub(super) fn write_new(connection: &Connection, file_id: i64, new: &NewFile) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(&UPDATE_NEW)?;
    let mut binder = Binder::new(&mut statement);
    new_values(new, Some(file_id)).iter().try_for_each(|value| binder.add(value))?;
    binder.add(file_id)?;
    statement.raw_execute().map(drop)
}

/// The values of [`ENTRY_COLUMNS`].
fn entry_values(root: &Root, entry: &ScanEntry) -> [Value; ENTRY_COLUMNS.len()] {
    let full = root.full_path(&entry.path);
    let (folder, filename) = full.rsplit_once('/').unwrap_or(("", &full));
    let (folder, filename, extension) = (folder.to_owned(), filename.to_owned(), extension_of(filename));
    let stat = &entry.stat;
    let time = |moment: (i64, u32)| stored_time(moment.0, moment.1);
    [
        root.root_id.into(),
        full.into(),
        entry.path.clone().into(),
        folder.into(),
        filename.into(),
        extension.into(),
        entry.file_type.as_str().to_owned().into(),
        if entry.file_type == FileType::File { stat.size as i64 } else { 0 }.into(),
        stat.created.map(time).into(),
        time((stat.mtime_s, stat.mtime_ns as u32)).into(),
        time(stat.accessed).into(),
        format!("{:o}", stat.permissions).into(),
        stat.mtime_s.into(),
        stat.mtime_ns.into(),
        stat.ctime_s.into(),
        stat.ctime_ns.into(),
        (stat.inode as i64).into(),
        (stat.device as i64).into(),
        (entry.depth as i64).into(),
        entry.hidden.into(),
        entry.symlink_target.is_some().into(),
        entry.symlink_target.clone().into(),
        // The exact bytes of the whole path, if its stored form is escaped.
        stored_path(root.location.join(&entry.relative).as_os_str()).1.into(),
    ]
}

/// The values of [`NEW_COLUMNS`] for the row `file_id`, which is the group of a canonical file.
fn new_values(new: &NewFile, file_id: Option<i64>) -> [Value; NEW_COLUMNS.len()] {
    let text = |value: &str| value.to_owned();
    [
        new.hash.map(|hash| hash.to_hex()).into(),
        new.status.map(|status| text(status.as_str())).into(),
        new.reason.clone().into(),
        new.format.clone().into(),
        new.mime.clone().into(),
        new.duplicate.map(|place| text(place.as_str())).into(),
        matches!(new.duplicate, Some(DuplicateStatus::Unique | DuplicateStatus::Canonical)).into(),
        match new.duplicate {
            Some(DuplicateStatus::Canonical) => file_id,
            _ => new.group,
        }
        .into(),
        new.settings_hash.clone().into(),
        Value::Null,
        Value::Null,
        Value::Null,
    ]
}
