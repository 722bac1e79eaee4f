//! The folders that a database was made from.

use super::{Store, StoreError};
use crate::scan::{path_from_stored, stored_path};
use rusqlite::{Connection, OptionalExtension, params};
use std::path::{Path, PathBuf};

/// A folder that was ingested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Its row.
    pub root_id: i64,
    /// Its absolute path in stored form.
    pub path: String,
    /// Its absolute path as the system knows it.
    pub location: PathBuf,
}

impl Root {
    /// The absolute path of an entry, in stored form.
    pub fn full_path(&self, relative: &str) -> String {
        format!("{}{relative}", self.prefix())
    }

    /// What every absolute path below begins with.
    pub(super) fn prefix(&self) -> String {
        format!("{}/", self.path.trim_end_matches('/'))
    }
}

impl Store {
    /// Every root, in the order of their ids.
    pub fn roots(&self) -> Result<Vec<Root>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Root>> {
            let mut statement =
                self.connection.prepare("SELECT root_id, path, path_bytes FROM roots ORDER BY root_id")?;
            let rows = statement.query_map([], |row| {
                let (path, bytes): (String, Option<Vec<u8>>) = (row.get(1)?, row.get(2)?);
                let location = location(&path, bytes);
                Ok(Root { root_id: row.get(0)?, path, location })
            })?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// The root at this place, if the database knows it.
    pub fn root_at(&self, place: &Path) -> Result<Option<Root>, StoreError> {
        let (path, _) = stored_path(place.as_os_str());
        Ok(self.roots()?.into_iter().find(|root| root.path == path))
    }

    /// Adds a root.
    pub fn add_root(&self, place: &Path) -> Result<Root, StoreError> {
        let (path, bytes) = stored_path(place.as_os_str());
        let add = || {
            self.connection
                .execute("INSERT INTO roots(path, path_bytes) VALUES(?1, ?2)", params![path, bytes])?;
            Ok(self.connection.last_insert_rowid())
        };
        let root_id = add().map_err(|error: rusqlite::Error| self.fail(error))?;
        Ok(Root { root_id, path, location: place.to_path_buf() })
    }

    /// Tells that a root now lies elsewhere: its rows keep their identity under new absolute paths.
    pub fn move_root(&mut self, root: &Root, place: &Path) -> Result<Root, StoreError> {
        let (path, bytes) = stored_path(place.as_os_str());
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "UPDATE roots SET path = ?2, path_bytes = ?3 WHERE root_id = ?1",
            params![root.root_id, path, bytes],
        )?;
        transaction.execute(
            "UPDATE files SET full_filepath = ?2 || '/' || relative_path,
                    folder_path = ?2 || substr(folder_path, length(?3) + 1)
             WHERE root_id = ?1",
            params![root.root_id, path, root.path],
        )?;
        transaction.execute(
            "UPDATE errors SET path = (SELECT full_filepath FROM files f WHERE f.file_id = errors.file_id)
             WHERE file_id IN (SELECT file_id FROM files WHERE root_id = ?1)",
            [root.root_id],
        )?;
        move_bytes(&transaction, root, place)?;
        transaction.commit()?;
        Ok(Root { path, location: place.to_path_buf(), ..root.clone() })
    }

    /// Where a stored file lies on disk, if it is known.
    pub fn location_of(&self, file_id: i64) -> Result<Option<PathBuf>, StoreError> {
        self.connection
            .prepare_cached("SELECT full_filepath, path_bytes FROM files WHERE file_id = ?1")
            .and_then(|mut statement| {
                statement
                    .query_row([file_id], |row| Ok(location(&row.get::<_, String>(0)?, row.get(1)?)))
                    .optional()
            })
            .map_err(|error| self.fail(error))
    }
}

/// The exact bytes of paths that have moved, where their stored form is escaped.
fn move_bytes(connection: &Connection, root: &Root, place: &Path) -> Result<(), rusqlite::Error> {
    let mut select = connection.prepare(
        "SELECT file_id, relative_path FROM files
         WHERE root_id = ?1 AND (path_bytes IS NOT NULL OR full_filepath GLOB '*\\x[0-9a-f][0-9a-f]*')",
    )?;
    let mut update = connection.prepare("UPDATE files SET path_bytes = ?2 WHERE file_id = ?1")?;
    let mut rows = select.query([root.root_id])?;
    let mut moved = Vec::new();
    while let Some(row) = rows.next()? {
        let (file_id, relative): (i64, String) = (row.get(0)?, row.get(1)?);
        let whole = place.join(path_from_stored(&relative));
        moved.push((file_id, stored_path(whole.as_os_str()).1));
    }
    for (file_id, bytes) in moved {
        update.execute(params![file_id, bytes])?;
    }
    Ok(())
}

/// A path as the system knows it, from its stored form and, where that is escaped, its exact bytes.
pub(super) fn location(path: &str, bytes: Option<Vec<u8>>) -> PathBuf {
    match bytes {
        #[cfg(unix)]
        Some(bytes) => {
            use std::os::unix::ffi::OsStringExt;
            PathBuf::from(std::ffi::OsString::from_vec(bytes))
        }
        _ => PathBuf::from(path),
    }
}
