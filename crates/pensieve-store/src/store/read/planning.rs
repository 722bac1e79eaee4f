//! Rows from which a run and a dry run are planned: the known files of a root, and the rows to read again.

use super::files::{FileState, states};
use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::rows::sql::{Queries, count};
use pensieve_text::format::{KEY_MIME, by_name};
use pensieve_text::model::{ContentHash, FileType, ProcessingStatus};
use rusqlite::{Row, params};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// What the last run stored about one entry: enough to detect a change without reading the file.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownFile {
    /// Its row.
    pub file_id: i64,
    /// The type of the entry.
    pub file_type: FileType,
    /// Its processing status; `None` for folders, symlinks and special files.
    pub status: Option<ProcessingStatus>,
    /// Bytes.
    pub size: u64,
    /// Modification time: seconds and nanoseconds.
    pub mtime: (i64, i64),
    /// Status change time: seconds and nanoseconds.
    pub ctime: (i64, i64),
    /// Inode number.
    pub inode: u64,
    /// True if the SHA-256 of its bytes is known.
    pub has_hash: bool,
    /// True if it is the file of its group that is read.
    pub is_canonical: bool,
    /// True if it was read once and its folder could not be read since.
    pub is_unreachable: bool,
    /// What was done about its secrets.
    pub secrets: StoredSecrets,
}

/// What a row says about secrets in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StoredSecrets {
    /// Nothing: if it has some, they were read.
    #[default]
    Unnoticed,
    /// The file was left where it is.
    Withheld,
    /// Values are masked.
    Masked,
    /// The file is a private key, which was read.
    Key,
}

/// The stored entries of one root, by path.
#[derive(Debug, Default)]
pub struct KnownFiles {
    files: Vec<KnownFile>,
    by_path: HashMap<u128, u32>,
}

impl KnownFiles {
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

/// The first 128 bits of the path's SHA-256: the paths themselves would take three times the memory.
fn path_key(path: &str) -> u128 {
    let hash = ContentHash::of(path.as_bytes());
    u128::from_be_bytes(hash.0[..16].try_into().expect("a hash has 32 bytes"))
}

/// One combination of the values that a stored result depends on.
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
    /// The MIME type of files without a format.
    pub mime: Option<String>,
}

/// How many files of a root share one content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GroupSize {
    /// Files of the root.
    pub here: i64,
    /// True if a root with a smaller id also has it.
    pub elsewhere: bool,
}

/// Counts of the files of a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileTotals {
    /// Living files.
    pub files: u64,
    /// Different contents.
    pub unique: u64,
    /// Files with the same bytes as another one.
    pub duplicates: u64,
    /// Files that are not read.
    pub skipped: u64,
}

/// Rows for planning a run.
pub struct PlanQueries<'s>(pub(crate) &'s Store);

impl PlanQueries<'_> {
    /// Loads the known entries of a root, without deleted rows.
    ///
    /// Cost: one pass over the root's rows; about 130 bytes of memory per row.
    pub fn known_files(&self, root_id: i64) -> Result<KnownFiles, StoreError> {
        let sql = "SELECT file_id, relative_path, file_type, processing_status, size_bytes, mtime_s, mtime_ns, ctime_s,
                          ctime_ns, inode, hash IS NOT NULL, is_canonical,
                          processing_status = 'Processed' AND status_reason IS NOT NULL, format, mime_type
                   FROM files WHERE root_id = ?1 AND file_type <> 'member' AND processing_status IS NOT 'Deleted'
                   ORDER BY file_id";
        self.0.ask(|connection| {
            let mut known = KnownFiles::default();
            connection.each(sql, [root_id], |row| {
                let key = path_key(row.get_ref(1)?.as_str()?);
                known.by_path.insert(key, known.files.len() as u32);
                known.files.push(known_file(row)?);
                Ok(ControlFlow::Continue(()))
            })?;
            Ok(known)
        })
    }

    /// Rows that failed or lacked a converter, in the order of roots and paths.
    pub fn failed_files(&self) -> Result<Vec<FileState>, StoreError> {
        let condition =
            "file_type IN ('file', 'member') AND processing_status IN ('Skipped_Dependency', 'Error')
             AND (is_canonical OR hash IS NULL) ORDER BY root_id, relative_path";
        self.0.ask(|connection| states(connection, condition, []))
    }

    /// Canonical files for which this size limit, in bytes, decides differently from the limit when they were read, in
    /// the order of roots and paths.
    pub fn resized_files(&self, limit: Option<u64>) -> Result<Vec<FileState>, StoreError> {
        let limit = limit.map_or(i64::MAX, |limit| limit.min(i64::MAX as u64) as i64);
        let condition = "is_canonical AND file_type = 'file'
             AND ((processing_status = 'Skipped_Limit' AND size_bytes <= ?1)
               OR (size_bytes > ?1 AND (processing_status IN ('Processed', 'Error')
                 OR (processing_status = 'Skipped_Dependency' AND format IS NOT NULL))))
             ORDER BY root_id, relative_path";
        self.0.ask(|connection| states(connection, condition, [limit]))
    }

    /// The first `limit` pending canonical rows of a root after a path, by path.
    pub fn pending_files(
        &self,
        root_id: i64,
        after: &str,
        limit: usize,
    ) -> Result<Vec<FileState>, StoreError> {
        let condition =
            "processing_status = 'Pending' AND is_canonical AND root_id = ?1 AND file_type = 'file'
             AND relative_path > ?2 ORDER BY relative_path LIMIT ?3";
        self.0.ask(|connection| states(connection, condition, params![root_id, after, limit as i64]))
    }

    /// True if any file is known, in any root.
    pub fn has_files(&self) -> Result<bool, StoreError> {
        self.0.ask(|connection| connection.has("SELECT 1 FROM files LIMIT 1", []))
    }

    /// The number of pending canonical rows of a root, and their bytes.
    pub fn pending_total(&self, root_id: i64) -> Result<(u64, u64), StoreError> {
        let sql = "SELECT count(*), coalesce(sum(size_bytes), 0) FROM files
                   WHERE processing_status = 'Pending' AND is_canonical AND root_id = ?1 AND file_type = 'file'";
        self.0.ask(|connection| connection.one(sql, [root_id], |row| Ok((count(row, 0)?, count(row, 1)?))))
    }

    /// The combinations of format and settings among the canonical rows that are not pending.
    pub fn settings_in_use(&self) -> Result<Vec<StoredSettings>, StoreError> {
        let sql = "SELECT DISTINCT file_extension, format, processing_status, settings_hash,
                          CASE WHEN format IS NULL THEN mime_type END
                   FROM files WHERE is_canonical AND processing_status NOT IN ('Pending', 'Deleted')
                   ORDER BY 1, 2, 3, 4, 5";
        self.0.ask(|connection| {
            connection.rows(sql, [], |row| {
                let status = ProcessingStatus::from_name(row.get_ref(2)?.as_str()?);
                Ok(StoredSettings {
                    extension: row.get(0)?,
                    format: row.get(1)?,
                    status: status.unwrap_or(ProcessingStatus::Error),
                    settings_hash: row.get(3)?,
                    mime: row.get(4)?,
                })
            })
        })
    }

    /// The canonical rows of one combination.
    pub fn files_with_settings(&self, stored: &StoredSettings) -> Result<Vec<FileState>, StoreError> {
        let condition = "is_canonical AND file_extension = ?1 AND format IS ?2 AND processing_status = ?3
             AND settings_hash IS ?4 AND (format IS NOT NULL OR mime_type IS ?5)";
        let (status, mime) = (stored.status.as_str(), &stored.mime);
        let values = params![stored.extension, stored.format, status, stored.settings_hash, mime];
        self.0.ask(|connection| states(connection, condition, values))
    }

    /// The number of living files of a root for each content.
    pub fn group_sizes(&self, root_id: i64) -> Result<BTreeMap<ContentHash, GroupSize>, StoreError> {
        let sql = "SELECT hash, sum(root_id = ?1), max(root_id < ?1) FROM files
                   WHERE hash IS NOT NULL AND processing_status <> 'Deleted' GROUP BY hash";
        self.0.ask(|connection| {
            let mut sizes = BTreeMap::new();
            connection.each(sql, [root_id], |row| {
                if let Ok(hash) = row.get_ref(0)?.as_str()?.parse() {
                    sizes.insert(hash, GroupSize { here: row.get(1)?, elsewhere: row.get(2)? });
                }
                Ok(ControlFlow::Continue(()))
            })?;
            Ok(sizes)
        })
    }

    /// Counts of the living files of a root.
    pub fn totals(&self, root_id: i64) -> Result<FileTotals, StoreError> {
        let sql = "SELECT count(*), count(*) FILTER (WHERE duplicate_status IS NOT 'duplicate'),
                          count(*) FILTER (WHERE duplicate_status = 'duplicate'),
                          count(*) FILTER (WHERE processing_status LIKE 'Skipped%')
                   FROM files WHERE root_id = ?1 AND file_type = 'file' AND processing_status <> 'Deleted'";
        self.0.ask(|connection| {
            connection.one(sql, [root_id], |row| {
                Ok(FileTotals {
                    files: count(row, 0)?,
                    unique: count(row, 1)?,
                    duplicates: count(row, 2)?,
                    skipped: count(row, 3)?,
                })
            })
        })
    }
}

fn known_file(row: &Row<'_>) -> rusqlite::Result<KnownFile> {
    let status = row.get_ref(3)?.as_str_or_null()?.and_then(ProcessingStatus::from_name);
    let (format, mime) = (row.get_ref(13)?.as_str_or_null()?, row.get_ref(14)?.as_str_or_null()?);
    let secrets = match status {
        Some(ProcessingStatus::SkippedSecret) => StoredSecrets::Withheld,
        _ if format.and_then(by_name).is_some_and(|format| format.is_masked) => StoredSecrets::Masked,
        Some(ProcessingStatus::Processed) if mime == Some(KEY_MIME) => StoredSecrets::Key,
        _ => StoredSecrets::Unnoticed,
    };
    Ok(KnownFile {
        file_id: row.get(0)?,
        file_type: FileType::from_name(row.get_ref(2)?.as_str()?).unwrap_or(FileType::Special),
        status,
        size: row.get::<_, i64>(4)? as u64,
        mtime: (row.get(5)?, row.get(6)?),
        ctime: (row.get(7)?, row.get(8)?),
        inode: row.get::<_, i64>(9)? as u64,
        has_hash: row.get(10)?,
        is_canonical: row.get(11)?,
        is_unreachable: row.get::<_, Option<bool>>(12)? == Some(true),
        secrets,
    })
}

#[cfg(test)]
mod tests;
