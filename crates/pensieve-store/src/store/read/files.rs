//! Rows of `files`, as commands and the writer read them.

use super::file_facts::{FileFacts, file_facts};
use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::database::roots::location;
use crate::store::rows::member_names::{MEMBER_SEPARATOR, shown_name};
use crate::store::rows::sql::{Queries, count};
use pensieve_text::format::extension_of;
use pensieve_text::model::{ContentHash, DuplicateStatus, FileType, ProcessingStatus};
use rusqlite::{Connection, Params, Row};
use std::ops::ControlFlow;
use std::path::PathBuf;
use unicode_normalization::UnicodeNormalization;

/// A row of `files`.
#[derive(Debug, Clone, PartialEq)]
pub struct FileState {
    /// Its row.
    pub file_id: i64,
    /// Its root.
    pub root_id: i64,
    /// Relative path in stored form.
    pub relative_path: String,
    /// Its absolute path.
    pub location: PathBuf,
    /// Regular file, folder, symlink, special file or member.
    pub file_type: FileType,
    /// Extension, lower case.
    pub extension: String,
    /// Size in bytes.
    pub size: u64,
    /// Modification time: seconds and nanoseconds.
    pub mtime: (i64, i64),
    /// Status change time: seconds and nanoseconds.
    pub ctime: (i64, i64),
    /// Inode number.
    pub inode: u64,
    /// Device number.
    pub device: u64,
    /// The target of a symlink, whether followed or not.
    pub symlink_target: Option<String>,
    /// SHA-256.
    pub hash: Option<ContentHash>,
    /// Its processing status.
    pub status: Option<ProcessingStatus>,
    /// The reason for that status.
    pub reason: Option<String>,
    /// Its format.
    pub format: Option<String>,
    /// Its part in its duplicate group.
    pub duplicate: Option<DuplicateStatus>,
    /// True if it is the file of its group that is read.
    pub is_canonical: bool,
    /// The stored group id.
    pub group: Option<i64>,
    /// The hash of the settings of its stored result.
    pub settings_hash: Option<String>,
    /// The encoding of the source.
    pub encoding: Option<String>,
    /// Reader or converter with its version.
    pub extractor: Option<String>,
    /// Tokens of its clean text.
    pub tokens: Option<i64>,
}

impl FileState {
    /// A file of which only the place is known; its row, if it has one, is not.
    pub fn at(relative_path: String, location: PathBuf) -> FileState {
        let extension = extension_of(relative_path.rsplit('/').next().unwrap_or_default());
        FileState {
            file_id: 0,
            root_id: 0,
            relative_path,
            location,
            file_type: FileType::File,
            extension,
            size: 0,
            mtime: (0, 0),
            ctime: (0, 0),
            inode: 0,
            device: 0,
            symlink_target: None,
            hash: None,
            status: None,
            reason: None,
            format: None,
            duplicate: None,
            is_canonical: true,
            group: None,
            settings_hash: None,
            encoding: None,
            extractor: None,
            tokens: None,
        }
    }
}

/// The columns that [`file_state`] reads.
pub(crate) const STATE: &str = "file_id, root_id, relative_path, full_filepath, path_bytes, file_type, file_extension, \
     size_bytes, mtime_s, mtime_ns, ctime_s, ctime_ns, inode, hash, processing_status, status_reason, format, \
     duplicate_status, is_canonical, duplicate_group_id, settings_hash, device, symlink_target, encoding, \
     extractor, estimated_tokens";

/// Reads the columns named by [`STATE`].
pub(crate) fn file_state(row: &Row<'_>) -> rusqlite::Result<FileState> {
    let text = |at: usize| row.get::<_, Option<String>>(at);
    let path: String = row.get(3)?;
    Ok(FileState {
        file_id: row.get(0)?,
        root_id: row.get(1)?,
        relative_path: row.get(2)?,
        location: location(&path, row.get(4)?),
        file_type: FileType::from_name(row.get_ref(5)?.as_str()?).unwrap_or(FileType::Special),
        extension: row.get(6)?,
        size: count(row, 7)?,
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

/// The rows that `condition` selects, in the order that it specifies.
pub(super) fn states(
    connection: &Connection,
    condition: &str,
    values: impl Params,
) -> rusqlite::Result<Vec<FileState>> {
    connection.rows(&format!("SELECT {STATE} FROM files WHERE {condition}"), values, file_state)
}

/// The row of a file.
pub(crate) fn state_of(connection: &Connection, file_id: i64) -> rusqlite::Result<Option<FileState>> {
    connection.first(&format!("SELECT {STATE} FROM files WHERE file_id = ?1"), [file_id], file_state)
}

/// Passes the living rows of one content to `visit` until it stops: files on disk before members, then by root and
/// path. The first is canonical. The index `files_by_hash` keeps this order.
pub(crate) fn each_with_hash(
    connection: &Connection,
    hash: &ContentHash,
    mut visit: impl FnMut(FileState) -> ControlFlow<()>,
) -> rusqlite::Result<()> {
    let sql = format!(
        "SELECT {STATE} FROM files WHERE hash = ?1 AND (processing_status = 'Deleted') = 0
         ORDER BY (file_type = 'member'), root_id, relative_path"
    );
    connection.each(&sql, [hash.to_hex()], |row| Ok(visit(file_state(row)?)))
}

/// The same rows as a list.
pub(crate) fn with_hash(connection: &Connection, hash: &ContentHash) -> rusqlite::Result<Vec<FileState>> {
    let mut files = Vec::new();
    each_with_hash(connection, hash, |file| {
        files.push(file);
        ControlFlow::Continue(())
    })?;
    Ok(files)
}

/// The file on disk that contains a member; for any other file, the file itself.
pub(crate) fn outermost(connection: &Connection, mut file_id: i64) -> rusqlite::Result<i64> {
    let sql = "SELECT parent_file_id FROM files WHERE file_id = ?1";
    while let Some(parent) = connection.first(sql, [file_id], |row| row.get::<_, Option<i64>>(0))?.flatten() {
        file_id = parent;
    }
    Ok(file_id)
}

/// Single files.
pub struct FileQueries<'s>(pub(crate) &'s Store);

impl FileQueries<'_> {
    /// The row of a file.
    pub fn get(&self, file_id: i64) -> Result<Option<FileState>, StoreError> {
        self.0.ask(|connection| state_of(connection, file_id))
    }

    /// The row of an absolute path in stored form, living or deleted.
    pub fn at(&self, full_path: &str) -> Result<Option<FileState>, StoreError> {
        self.0.ask(|connection| Ok(states(connection, "full_filepath = ?1", [full_path])?.pop()))
    }

    /// Living rows of one content; the first is canonical.
    pub fn with_hash(&self, hash: &ContentHash) -> Result<Vec<FileState>, StoreError> {
        self.0.ask(|connection| with_hash(connection, hash))
    }

    /// The files that `name` may refer to: by the absolute path, the path below a root, or the end of either. A member
    /// may be named as it is shown, `mail.eml » 2 » report.pdf`. Letters with marks may be one character or two: file
    /// managers copy other forms than file systems have.
    pub fn named(&self, absolute: &str, name: &str) -> Result<Vec<FileState>, StoreError> {
        let plain = |text: &str| text.replace(MEMBER_SEPARATOR, "/");
        let attempts = [
            ("full_filepath = ?1", absolute.to_owned()),
            ("relative_path = ?1", name.to_owned()),
            ("substr(full_filepath, -length(?1) - 1) = '/' || ?1", name.to_owned()),
            ("full_filepath = ?1", plain(absolute)),
            ("substr(full_filepath, -length(?1) - 1) = '/' || ?1", plain(name)),
        ];
        let forms: [fn(&str) -> String; 3] =
            [str::to_owned, |name| name.nfc().collect(), |name| name.nfd().collect()];
        let forms = if absolute.is_ascii() { &forms[..1] } else { &forms[..] };
        for (form, (condition, value)) in
            forms.iter().flat_map(|form| attempts.iter().map(move |attempt| (form, attempt)))
        {
            let condition = format!("{condition} ORDER BY full_filepath");
            let found = self.0.ask(|connection| states(connection, &condition, [form(value)]))?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The canonical file of a file's group, or the file itself.
    pub fn canonical_of(&self, file: &FileState) -> Result<FileState, StoreError> {
        match file.group.filter(|_| !file.is_canonical) {
            Some(canonical) => Ok(self.get(canonical)?.unwrap_or_else(|| file.clone())),
            None => Ok(file.clone()),
        }
    }

    /// The row of the file on disk that contains a member; for any other file, its own.
    pub fn container_of(&self, file_id: i64) -> Result<Option<FileState>, StoreError> {
        self.0.ask(|connection| state_of(connection, outermost(connection, file_id)?))
    }

    /// The facts about a file beyond its row.
    ///
    /// Cost: one look-up for each of its chunks and copies.
    pub fn facts(&self, file_id: i64) -> Result<FileFacts, StoreError> {
        self.0.ask(|connection| file_facts(connection, file_id))
    }

    /// The name of a file for people: its path below its root, or `mail.eml » 2 » report.pdf` for a member.
    pub fn shown_name(&self, file_id: i64) -> Result<String, StoreError> {
        self.0.ask(|connection| shown_name(connection, file_id))
    }
}
