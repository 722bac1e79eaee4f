//! The folders that were ingested into a database.

use super::error::StoreError;
use super::open::Store;
use crate::scan::{path_from_stored, stored_path};
use crate::store::rows::sql::Queries;
use pensieve_isolate::platform::path_from_bytes;
use rusqlite::{Connection, params};
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

    /// The prefix of every absolute path below it.
    fn prefix(&self) -> String {
        format!("{}/", self.path.trim_end_matches('/'))
    }
}

/// The table `roots`.
pub struct RootTable<'s>(pub(crate) &'s Store);

impl RootTable<'_> {
    /// Every root, in the order of their ids.
    pub fn all(&self) -> Result<Vec<Root>, StoreError> {
        let sql = "SELECT root_id, path, path_bytes FROM roots ORDER BY root_id";
        self.0.ask(|connection| {
            connection.rows(sql, [], |row| {
                let (path, bytes): (String, Option<Vec<u8>>) = (row.get(1)?, row.get(2)?);
                let location = location(&path, bytes);
                Ok(Root { root_id: row.get(0)?, path, location })
            })
        })
    }

    /// The root at this place, if the database knows it.
    pub fn at(&self, place: &Path) -> Result<Option<Root>, StoreError> {
        let (path, _) = stored_path(place.as_os_str());
        Ok(self.all()?.into_iter().find(|root| root.path == path))
    }

    /// Adds a root.
    pub fn add(&self, place: &Path) -> Result<Root, StoreError> {
        let (path, bytes) = stored_path(place.as_os_str());
        let root_id = self.0.ask(|connection| {
            connection.run("INSERT INTO roots(path, path_bytes) VALUES(?1, ?2)", params![path, bytes])?;
            Ok(connection.last_insert_rowid())
        })?;
        Ok(Root { root_id, path, location: place.to_path_buf() })
    }

    /// Moves a root to another path: its rows keep their ids and get new absolute paths.
    pub fn relocate(&self, root: &Root, place: &Path) -> Result<Root, StoreError> {
        let (path, bytes) = stored_path(place.as_os_str());
        self.0.ask(|connection| {
            let transaction = connection.unchecked_transaction()?;
            transaction.run(
                "UPDATE roots SET path = ?2, path_bytes = ?3 WHERE root_id = ?1",
                params![root.root_id, path, bytes],
            )?;
            transaction.run(
                "UPDATE files SET full_filepath = ?2 || '/' || relative_path,
                        folder_path = ?2 || substr(folder_path, length(?3) + 1)
                 WHERE root_id = ?1",
                params![root.root_id, path, root.path],
            )?;
            transaction.run(
                "UPDATE errors SET path = (SELECT full_filepath FROM files f WHERE f.file_id = errors.file_id)
                 WHERE file_id IN (SELECT file_id FROM files WHERE root_id = ?1)",
                [root.root_id],
            )?;
            move_bytes(&transaction, root, place)?;
            transaction.commit()
        })?;
        Ok(Root { path, location: place.to_path_buf(), ..root.clone() })
    }
}

/// Writes the exact bytes of those paths below a moved root whose stored form is escaped.
fn move_bytes(connection: &Connection, root: &Root, place: &Path) -> rusqlite::Result<()> {
    let moved = connection.rows(
        "SELECT file_id, relative_path FROM files
         WHERE root_id = ?1 AND (path_bytes IS NOT NULL OR full_filepath GLOB '*\\x[0-9a-f][0-9a-f]*')",
        [root.root_id],
        |row| {
            let whole = place.join(path_from_stored(&row.get::<_, String>(1)?));
            Ok((row.get::<_, i64>(0)?, stored_path(whole.as_os_str()).1))
        },
    )?;
    for (file_id, bytes) in moved {
        connection.run("UPDATE files SET path_bytes = ?2 WHERE file_id = ?1", params![file_id, bytes])?;
    }
    Ok(())
}

/// A path as the system knows it, from its stored form or, if that is escaped, from its exact bytes.
pub(crate) fn location(path: &str, bytes: Option<Vec<u8>>) -> PathBuf {
    match bytes {
        Some(bytes) => path_from_bytes(bytes),
        None => PathBuf::from(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{root, store};

    #[test]
    fn a_root_is_found_by_its_place_and_moves_with_its_files() {
        let store = store();
        let other = store.roots().add(Path::new("/other")).unwrap();
        store
            .connection
            .execute_batch(
                "INSERT INTO files(file_id, root_id, doc_uid, full_filepath, relative_path, folder_path, filename,
                                   file_extension, file_type, size_bytes, depth_level, is_hidden, is_symlink)
                 VALUES(1, 1, 'a', '/r/d/a', 'd/a', '/r/d', 'a', '', 'file', 0, 2, 0, 0),
                       (2, 2, 'b', '/other/b', 'b', '/other', 'b', '', 'file', 0, 1, 0, 0),
                       (3, 1, 'c', '/r/\\x80', '\\x80', '/r', '\\x80', '', 'file', 0, 1, 0, 0);
                 INSERT INTO errors(file_id, path, timestamp, error_type, error_message)
                 VALUES(1, '/r/d/a', 't', 'k', 'm'), (2, '/other/b', 't', 'k', 'm')",
            )
            .unwrap();
        assert_eq!(store.roots().at(Path::new("/other")).unwrap(), Some(other.clone()));
        assert_eq!(store.roots().at(Path::new("/oth")).unwrap(), None);
        let moved = store.roots().relocate(&root(), Path::new("/new")).unwrap();
        assert_eq!(store.roots().all().unwrap(), [moved.clone(), other]);
        assert_eq!((moved.root_id, moved.full_path("d/a")), (1, "/new/d/a".to_owned()));
        let rows = "SELECT f.full_filepath || ' ' || folder_path || ' ' || coalesce(e.path, '-')
                    FROM files f LEFT JOIN errors e USING(file_id) ORDER BY file_id";
        let rows: Vec<String> = store.connection.rows(rows, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, ["/new/d/a /new/d /new/d/a", "/other/b /other /other/b", "/new/\\x80 /new -"]);
        let bytes = "SELECT path_bytes FROM files ORDER BY file_id";
        let bytes: Vec<Option<Vec<u8>>> = store.connection.rows(bytes, [], |row| row.get(0)).unwrap();
        assert_eq!(bytes, [None, None, Some(b"/new/\x80".to_vec())]);
    }
}
