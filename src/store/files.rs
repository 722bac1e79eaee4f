//! Rows of `files`: what the last scan knew, and what the present one writes.

use super::roots::{Root, location};
use super::time::stored_time;
use super::{Store, StoreError, groups};
use crate::scan::Entry;
use pensieve_text::format::extension_of;
use pensieve_text::model::{ContentHash, DuplicateStatus, FileType, ProcessingStatus};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, named_params, params};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

/// What the last run knew of one entry: enough to tell without reading whether it changed.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownFile {
    /// Its row.
    pub file_id: i64,
    /// What it was.
    pub file_type: FileType,
    /// What became of it; `None` for folders, symlinks and specials.
    pub status: Option<ProcessingStatus>,
    /// Size, mtime, ctime as seconds and nanoseconds, inode.
    pub size: u64,
    /// Modification, seconds and nanoseconds.
    pub mtime: (i64, i64),
    /// Change of status, seconds and nanoseconds.
    pub ctime: (i64, i64),
    /// Inode number.
    pub inode: u64,
    /// The SHA-256 of its bytes is known.
    pub has_hash: bool,
    /// It is the one of its group that is read.
    pub is_canonical: bool,
}

/// Everything known of one root, by path.
#[derive(Debug, Default)]
pub struct Known {
    files: Vec<KnownFile>,
    by_path: HashMap<u128, u32>,
}

impl Known {
    /// The row of a path in stored form.
    pub fn find(&self, path: &str) -> Option<(usize, &KnownFile)> {
        let at = *self.by_path.get(&path_key(path))? as usize;
        Some((at, &self.files[at]))
    }

    /// Every row, in the order of ids.
    pub fn files(&self) -> &[KnownFile] {
        &self.files
    }
}

/// The first 128 bits of the path's SHA-256: paths themselves would cost three times the memory.
fn path_key(path: &str) -> u128 {
    let hash = ContentHash::of(path.as_bytes());
    u128::from_be_bytes(hash.0[..16].try_into().expect("a hash has 32 bytes"))
}

/// Columns of a new row that the entry itself does not tell.
#[derive(Debug, Clone, Default)]
pub struct NewFile {
    /// SHA-256, where the file could be read.
    pub hash: Option<ContentHash>,
    /// `None` for folders, symlinks and specials.
    pub status: Option<ProcessingStatus>,
    /// Why, where it is not `Processed`.
    pub reason: Option<String>,
    /// The row of the format table, where it is to be read.
    pub format: Option<String>,
    /// The sniffed MIME type.
    pub mime: Option<String>,
    /// Where it stands in its group, where that is known already.
    pub duplicate: Option<DuplicateStatus>,
    /// The canonical file of its group, for `duplicate`.
    pub group: Option<i64>,
    /// The settings that its status depends on.
    pub settings_hash: Option<String>,
}

/// A living row as the grouping and the work need it.
#[derive(Debug, Clone, PartialEq)]
pub struct FileState {
    /// Its row.
    pub file_id: i64,
    /// Its root.
    pub root_id: i64,
    /// Relative path in stored form.
    pub relative_path: String,
    /// Where it lies.
    pub location: PathBuf,
    /// What it is.
    pub file_type: FileType,
    /// Extension, lower case.
    pub extension: String,
    /// Size in bytes.
    pub size: u64,
    /// Modification, seconds and nanoseconds.
    pub mtime: (i64, i64),
    /// Change of status, seconds and nanoseconds.
    pub ctime: (i64, i64),
    /// Inode number.
    pub inode: u64,
    /// Device number.
    pub device: u64,
    /// Of a symlink, followed or not: its target.
    pub symlink_target: Option<String>,
    /// SHA-256.
    pub hash: Option<ContentHash>,
    /// What became of it.
    pub status: Option<ProcessingStatus>,
    /// Why.
    pub reason: Option<String>,
    /// Its format.
    pub format: Option<String>,
    /// Its place in its group.
    pub duplicate: Option<DuplicateStatus>,
    /// It is the one that is read.
    pub is_canonical: bool,
    /// Group id as stored.
    pub group: Option<i64>,
    /// Settings of its stored result.
    pub settings_hash: Option<String>,
    /// What it was decoded from.
    pub encoding: Option<String>,
    /// Reader or converter with its version.
    pub extractor: Option<String>,
    /// Tokens of its clean text.
    pub tokens: Option<i64>,
}

/// The columns that [`file_state`] reads.
pub(super) const STATE: &str = "file_id, root_id, relative_path, full_filepath, path_bytes, file_type, file_extension, \
     size_bytes, mtime_s, mtime_ns, ctime_s, ctime_ns, inode, hash, processing_status, status_reason, format, \
     duplicate_status, is_canonical, duplicate_group_id, settings_hash, device, symlink_target, encoding, \
     extractor, estimated_tokens";

/// Reads the columns named by [`STATE`].
pub(super) fn file_state(row: &Row<'_>) -> rusqlite::Result<FileState> {
    let text = |at: usize| row.get::<_, Option<String>>(at);
    let path: String = row.get(3)?;
    Ok(FileState {
        file_id: row.get(0)?,
        root_id: row.get(1)?,
        relative_path: row.get(2)?,
        location: location(&path, row.get(4)?),
        file_type: FileType::from_name(row.get_ref(5)?.as_str()?).unwrap_or(FileType::Special),
        extension: row.get(6)?,
        size: row.get::<_, i64>(7)? as u64,
        mtime: (row.get::<_, Option<i64>>(8)?.unwrap_or(0), row.get::<_, Option<i64>>(9)?.unwrap_or(0)),
        ctime: (row.get::<_, Option<i64>>(10)?.unwrap_or(0), row.get::<_, Option<i64>>(11)?.unwrap_or(0)),
        inode: row.get::<_, Option<i64>>(12)?.unwrap_or(0) as u64,
        hash: text(13)?.and_then(|hex| hex.parse().ok()),
        status: text(14)?.and_then(|name| ProcessingStatus::from_name(&name)),
        reason: text(15)?,
        format: text(16)?,
        duplicate: text(17)?.and_then(|name| DuplicateStatus::from_name(&name)),
        is_canonical: row.get(18)?,
        group: row.get(19)?,
        settings_hash: text(20)?,
        device: row.get::<_, Option<i64>>(21)?.unwrap_or(0) as u64,
        symlink_target: text(22)?,
        encoding: text(23)?,
        extractor: text(24)?,
        tokens: row.get(25)?,
    })
}

impl Store {
    /// Loads what is known of a root. Deleted rows are left out.
    ///
    /// Cost: one pass over the root's rows; about 130 bytes of memory a row.
    pub fn known(&self, root_id: i64) -> Result<Known, StoreError> {
        let read = || -> rusqlite::Result<Known> {
            let mut known = Known::default();
            let mut statement = self.connection.prepare(
                "SELECT file_id, relative_path, file_type, processing_status, size_bytes, mtime_s, mtime_ns, ctime_s,
                        ctime_ns, inode, hash IS NOT NULL, is_canonical
                 FROM files WHERE root_id = ?1 AND file_type <> 'member' AND processing_status IS NOT 'Deleted'
                 ORDER BY file_id",
            )?;
            let mut rows = statement.query([root_id])?;
            while let Some(row) = rows.next()? {
                let key = path_key(row.get_ref(1)?.as_str()?);
                known.by_path.insert(key, known.files.len() as u32);
                known.files.push(known_file(row)?);
            }
            Ok(known)
        };
        read().map_err(|error| self.fail(error))
    }

    /// The row of a file.
    pub fn file(&self, file_id: i64) -> Result<Option<FileState>, StoreError> {
        state_of(&self.connection, file_id).map_err(|error| self.fail(error))
    }

    /// The row of an absolute path in stored form, living or deleted.
    pub fn file_at(&self, full_path: &str) -> Result<Option<FileState>, StoreError> {
        self.connection
            .prepare_cached(&format!("SELECT {STATE} FROM files WHERE full_filepath = ?1"))
            .and_then(|mut statement| statement.query_row([full_path], file_state).optional())
            .map_err(|error| self.fail(error))
    }

    /// Living rows of one content.
    pub fn files_with_hash(&self, hash: &ContentHash) -> Result<Vec<FileState>, StoreError> {
        groups::with_hash(&self.connection, hash).map_err(|error| self.fail(error))
    }

    /// Canonical rows that a run may have to read or redo, in the order of roots and paths.
    pub fn canonical_files(&self, condition: Wanted) -> Result<Vec<FileState>, StoreError> {
        let read = || -> rusqlite::Result<Vec<FileState>> {
            let sql = match condition {
                Wanted::Retry => {
                    "processing_status IN ('Skipped_Dependency', 'Error') AND (is_canonical OR hash IS NULL)"
                        .to_owned()
                }
                Wanted::Resized { limit } => {
                    let limit = limit.map_or(i64::MAX, |limit| limit.min(i64::MAX as u64) as i64);
                    format!(
                        "is_canonical AND file_type = 'file' AND ((processing_status = 'Skipped_Limit' AND size_bytes <= {limit})
                           OR (size_bytes > {limit} AND (processing_status IN ('Processed', 'Error')
                             OR (processing_status = 'Skipped_Dependency' AND format IS NOT NULL))))"
                    )
                }
            };
            let mut statement = self.connection.prepare(&format!(
                "SELECT {STATE} FROM files WHERE file_type IN ('file', 'member') AND {sql}
                 ORDER BY root_id, relative_path"
            ))?;
            let rows = statement.query_map([], file_state)?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// The first `limit` canonical rows of a root that wait to be read, by path.
    pub fn pending_files(&self, root_id: i64, limit: usize) -> Result<Vec<FileState>, StoreError> {
        let read = || -> rusqlite::Result<Vec<FileState>> {
            let mut statement = self.connection.prepare_cached(&format!(
                "SELECT {STATE} FROM files WHERE processing_status = 'Pending' AND is_canonical AND root_id = ?1
                   AND file_type = 'file' ORDER BY relative_path LIMIT ?2"
            ))?;
            let rows = statement.query_map(params![root_id, limit as i64], file_state)?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// How many canonical rows of a root wait to be read, and their bytes.
    pub fn pending_total(&self, root_id: i64) -> Result<(u64, u64), StoreError> {
        self.connection
            .query_row(
                "SELECT count(*), coalesce(sum(size_bytes), 0) FROM files
                 WHERE processing_status = 'Pending' AND is_canonical AND root_id = ?1 AND file_type = 'file'",
                [root_id],
                |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64)),
            )
            .map_err(|error| self.fail(error))
    }

    /// True when any open problem of the file is one of circumstance.
    pub fn problem_kinds(&self, file_id: i64) -> Result<Vec<String>, StoreError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut statement =
                self.connection.prepare_cached("SELECT error_type FROM errors WHERE file_id = ?1")?;
            let rows = statement.query_map([file_id], |row| row.get(0))?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }
}

/// Which canonical rows [`Store::canonical_files`] lists.
#[derive(Debug, Clone, Copy)]
pub enum Wanted {
    /// Failed or waiting for a converter.
    Retry,
    /// On the other side of the limit on sizes than when they were read.
    Resized {
        /// Bytes that a file may have.
        limit: Option<u64>,
    },
}

/// One combination of what a stored result depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredSettings {
    /// Extension of the files.
    pub extension: String,
    /// Their format.
    pub format: Option<String>,
    /// Their status.
    pub status: ProcessingStatus,
    /// Their settings.
    pub settings_hash: Option<String>,
}

/// The files of one content, as one root sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Group {
    /// Files of the root.
    pub here: i64,
    /// A root that comes before has it too.
    pub elsewhere: bool,
}

/// Files of a root in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Living files.
    pub files: u64,
    /// Different contents.
    pub unique: u64,
    /// Files whose bytes another has.
    pub duplicates: u64,
    /// Files that are not read.
    pub skipped: u64,
}

impl Store {
    /// The combinations of format and settings that canonical, settled rows have.
    pub fn settings_in_use(&self) -> Result<Vec<StoredSettings>, StoreError> {
        let read = || -> rusqlite::Result<Vec<StoredSettings>> {
            let mut statement = self.connection.prepare(
                "SELECT DISTINCT file_extension, format, processing_status, settings_hash FROM files
                 WHERE is_canonical AND processing_status NOT IN ('Pending', 'Deleted')
                 ORDER BY 1, 2, 3, 4",
            )?;
            let rows = statement.query_map([], |row| {
                let status: String = row.get(2)?;
                Ok(StoredSettings {
                    extension: row.get(0)?,
                    format: row.get(1)?,
                    status: ProcessingStatus::from_name(&status).unwrap_or(ProcessingStatus::Error),
                    settings_hash: row.get(3)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// The canonical rows of one combination.
    pub fn files_with_settings(&self, stored: &StoredSettings) -> Result<Vec<FileState>, StoreError> {
        let read = || -> rusqlite::Result<Vec<FileState>> {
            let mut statement = self.connection.prepare(&format!(
                "SELECT {STATE} FROM files WHERE is_canonical AND file_extension = ?1 AND format IS ?2
                   AND processing_status = ?3 AND settings_hash IS ?4"
            ))?;
            let rows = statement.query_map(
                params![stored.extension, stored.format, stored.status.as_str(), stored.settings_hash],
                file_state,
            )?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// The living files of each content, as the root sees them.
    pub fn group_sizes(&self, root_id: i64) -> Result<BTreeMap<ContentHash, Group>, StoreError> {
        let read = || -> rusqlite::Result<BTreeMap<ContentHash, Group>> {
            let mut statement = self.connection.prepare(
                "SELECT hash, sum(root_id = ?1), max(root_id < ?1) FROM files
                 WHERE hash IS NOT NULL AND processing_status <> 'Deleted' GROUP BY hash",
            )?;
            let mut sizes = BTreeMap::new();
            let mut rows = statement.query([root_id])?;
            while let Some(row) = rows.next()? {
                if let Ok(hash) = row.get_ref(0)?.as_str()?.parse() {
                    sizes.insert(hash, Group { here: row.get(1)?, elsewhere: row.get(2)? });
                }
            }
            Ok(sizes)
        };
        read().map_err(|error| self.fail(error))
    }

    /// The living files of a root in numbers.
    pub fn totals(&self, root_id: i64) -> Result<Totals, StoreError> {
        self.connection
            .query_row(
                "SELECT count(*), count(*) FILTER (WHERE duplicate_status IS NOT 'duplicate'),
                        count(*) FILTER (WHERE duplicate_status = 'duplicate'),
                        count(*) FILTER (WHERE processing_status LIKE 'Skipped%')
                 FROM files WHERE root_id = ?1 AND file_type = 'file' AND processing_status <> 'Deleted'",
                [root_id],
                |row| {
                    let count = |at| row.get::<_, i64>(at).map(|number| number as u64);
                    Ok(Totals {
                        files: count(0)?,
                        unique: count(1)?,
                        duplicates: count(2)?,
                        skipped: count(3)?,
                    })
                },
            )
            .map_err(|error| self.fail(error))
    }
}

fn known_file(row: &Row<'_>) -> rusqlite::Result<KnownFile> {
    let status = row.get_ref(3)?.as_str_or_null()?;
    Ok(KnownFile {
        file_id: row.get(0)?,
        file_type: FileType::from_name(row.get_ref(2)?.as_str()?).unwrap_or(FileType::Special),
        status: status.and_then(ProcessingStatus::from_name),
        size: row.get::<_, i64>(4)? as u64,
        mtime: (row.get(5)?, row.get(6)?),
        ctime: (row.get(7)?, row.get(8)?),
        inode: row.get::<_, i64>(9)? as u64,
        has_hash: row.get(10)?,
        is_canonical: row.get(11)?,
    })
}

pub(super) fn state_of(connection: &Connection, file_id: i64) -> rusqlite::Result<Option<FileState>> {
    connection
        .prepare_cached(&format!("SELECT {STATE} FROM files WHERE file_id = ?1"))?
        .query_row([file_id], file_state)
        .optional()
}

/// Adds the row of a new entry, or takes over the tombstone at its path; returns its id.
pub(super) fn add_file(
    connection: &Connection,
    root: &Root,
    entry: &Entry,
    new: &NewFile,
) -> rusqlite::Result<i64> {
    let full = root.full_path(&entry.path);
    let tombstone: Option<i64> = connection
        .prepare_cached("SELECT file_id FROM files WHERE full_filepath = ?1")?
        .query_row([&full], |row| row.get(0))
        .optional()?;
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
    connection
        .prepare_cached(
            "INSERT INTO files(root_id, doc_uid, full_filepath, relative_path, folder_path, filename, file_extension,
                               file_type, size_bytes, depth_level, is_hidden, is_symlink)
             VALUES(?1, ?2, ?3, ?4, '', '', '', 'file', 0, 0, 0, 0)",
        )?
        .execute(params![root.root_id, doc_uid, full, path])?;
    Ok(connection.last_insert_rowid())
}

/// The first name of these for a path that is free.
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

/// The first 128 bits of SHA-256("doc\0" + path + "\0" + n).
pub(super) fn uid_of(path: &str, number: u64) -> String {
    ContentHash::of(format!("doc\0{path}\0{number}").as_bytes()).to_hex()[..32].to_owned()
}

/// True for a name that no row has.
pub(super) fn is_free(connection: &Connection, uid: &str) -> rusqlite::Result<bool> {
    Ok(!connection.prepare_cached("SELECT 1 FROM files WHERE doc_uid = ?1")?.exists([uid])?)
}

/// Writes everything that a look at the entry tells: paths, times, permissions.
pub(super) fn write_entry(
    connection: &Connection,
    file_id: i64,
    root: &Root,
    entry: &Entry,
) -> rusqlite::Result<()> {
    let full = root.full_path(&entry.path);
    let (folder, filename) = full.rsplit_once('/').unwrap_or(("", &full));
    let stat = &entry.stat;
    let time = |moment: (i64, u32)| stored_time(moment.0, moment.1);
    let mut statement: CachedStatement<'_> = connection.prepare_cached(
        "UPDATE files SET root_id = :root, full_filepath = :full, relative_path = :relative, folder_path = :folder,
                filename = :filename, file_extension = :extension, file_type = :type, size_bytes = :size,
                creation_date = :created, modification_date = :modified, access_date = :accessed,
                permissions = :permissions, mtime_s = :mtime_s, mtime_ns = :mtime_ns, ctime_s = :ctime_s,
                ctime_ns = :ctime_ns, inode = :inode, device = :device, depth_level = :depth, is_hidden = :hidden,
                is_symlink = :symlink, symlink_target = :target, path_bytes = :bytes
         WHERE file_id = :id",
    )?;
    statement.execute(named_params! {
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
        ":bytes": whole_path_bytes(root, entry),
    })?;
    Ok(())
}

/// The exact bytes of the whole path, where its stored form is escaped.
fn whole_path_bytes(root: &Root, entry: &Entry) -> Option<Vec<u8>> {
    let whole = root.location.join(&entry.relative);
    crate::scan::stored_path(whole.as_os_str()).1
}

/// Writes what a fresh row has beside its entry; whatever an older row had is forgotten.
pub(super) fn write_new(connection: &Connection, file_id: i64, new: &NewFile) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE files SET hash = ?2, processing_status = ?3, status_reason = ?4, format = ?5, mime_type = ?6,
                    duplicate_status = ?7, is_canonical = ?8, duplicate_group_id = ?9, settings_hash = ?10,
                    encoding = NULL, extractor = NULL, estimated_tokens = NULL
             WHERE file_id = ?1",
        )?
        .execute(params![
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
        ])?;
    Ok(())
}
