//! Rows of `files` as the writer inserts and updates them.

use crate::scan::{ScanEntry, stored_path};
use crate::store::document_address::uid_of;
use crate::store::roots::Root;
use crate::store::sql::Queries;
use crate::store::time::stored_time;
use pensieve_text::format::extension_of;
use pensieve_text::model::{ContentHash, DuplicateStatus, FileType, ProcessingStatus};
use rusqlite::{Connection, named_params, params};

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
    let file_id = match tombstone {
        Some(file_id) => file_id,
        None => insert_bare(connection, root, &entry.path, &full)?,
    };
    write_entry(connection, file_id, root, entry)?;
    write_new(connection, file_id, new)?;
    Ok(file_id)
}

fn insert_bare(connection: &Connection, root: &Root, path: &str, full: &str) -> rusqlite::Result<i64> {
    let doc_uid = free_uid(connection, path)?;
    let sql = "INSERT INTO files(root_id, doc_uid, full_filepath, relative_path, folder_path, filename,
                                 file_extension, file_type, size_bytes, depth_level, is_hidden, is_symlink)
               VALUES(?1, ?2, ?3, ?4, '', '', '', 'file', 0, 0, 0, 0)";
    connection.run(sql, params![root.root_id, doc_uid, full, path])?;
    Ok(connection.last_insert_rowid())
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
    let full = root.full_path(&entry.path);
    let (folder, filename) = full.rsplit_once('/').unwrap_or(("", &full));
    let stat = &entry.stat;
    let time = |moment: (i64, u32)| stored_time(moment.0, moment.1);
    let sql = "UPDATE files SET root_id = :root, full_filepath = :full, relative_path = :relative, folder_path = :folder,
                filename = :filename, file_extension = :extension, file_type = :type, size_bytes = :size,
                creation_date = :created, modification_date = :modified, access_date = :accessed,
                permissions = :permissions, mtime_s = :mtime_s, mtime_ns = :mtime_ns, ctime_s = :ctime_s,
                ctime_ns = :ctime_ns, inode = :inode, device = :device, depth_level = :depth, is_hidden = :hidden,
                is_symlink = :symlink, symlink_target = :target, path_bytes = :bytes
         WHERE file_id = :id";
    let values = named_params! {
        ":id": file_id,
        ":root": root.root_id,
        ":full": full,
        ":relative": entry.path,
        ":folder": folder,
        ":filename": filename,
        ":extension": extension_of(filename),
        ":type": entry.file_type.as_str(),
        ":size": if entry.file_type == FileType::File { stat.size as i64 } else { 0 },
        ":created": stat.created.map(time),
        ":modified": time((stat.mtime_s, stat.mtime_ns as u32)),
        ":accessed": time(stat.accessed),
        ":permissions": format!("{:o}", stat.permissions),
        ":mtime_s": stat.mtime_s,
        ":mtime_ns": stat.mtime_ns,
        ":ctime_s": stat.ctime_s,
        ":ctime_ns": stat.ctime_ns,
        ":inode": stat.inode as i64,
        ":device": stat.device as i64,
        ":depth": entry.depth as i64,
        ":hidden": entry.hidden,
        ":symlink": entry.symlink_target.is_some(),
        ":target": entry.symlink_target,
        // The exact bytes of the whole path, if its stored form is escaped.
        ":bytes": stored_path(root.location.join(&entry.relative).as_os_str()).1,
    };
    connection.run(sql, values).map(drop)
}

/// Writes the columns of a new row that do not come from its entry; older values are overwritten.
pub(super) fn write_new(connection: &Connection, file_id: i64, new: &NewFile) -> rusqlite::Result<()> {
    let sql =
        "UPDATE files SET hash = ?2, processing_status = ?3, status_reason = ?4, format = ?5, mime_type = ?6,
                    duplicate_status = ?7, is_canonical = ?8, duplicate_group_id = ?9, settings_hash = ?10,
                    encoding = NULL, extractor = NULL, estimated_tokens = NULL
             WHERE file_id = ?1";
    let values = params![
        file_id,
        new.hash.map(|hash| hash.to_hex()),
        new.status.map(|status| status.as_str()),
        new.reason,
        new.format,
        new.mime,
        new.duplicate.map(|place| place.as_str()),
        matches!(new.duplicate, Some(DuplicateStatus::Unique | DuplicateStatus::Canonical)),
        match new.duplicate {
            Some(DuplicateStatus::Canonical) => Some(file_id),
            _ => new.group,
        },
        new.settings_hash,
    ];
    connection.run(sql, values).map(drop)
}
