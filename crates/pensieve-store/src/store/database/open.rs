//! [`Store`]: an open database, for reading or for writing.

use super::changed_files::ChangedFiles;
use super::connection::{close_wal, connect_for_reading, connect_for_writing, refuse_place, require_file};
use super::error::StoreError;
use super::lock::RunLock;
use super::schema::{self, DatabaseKind};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// An open database: its connection, its path, and for a run the lock beside it.
///
/// Reading uses one type for each group of queries ([`Store::documents`], [`Store::texts`], ...), writing uses a
/// [`Writer`](crate::store::Writer).
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    /// Rows of `files` that this connection changed since their digests were written.
    pub(crate) changed_files: ChangedFiles,
    lock: Option<RunLock>,
}

impl Store {
    /// Opens an existing database for reading; nothing is written.
    ///
    /// # Errors
    /// The path is missing, a folder, not a Pensieve database, of a newer version, or unreadable.
    pub fn open_for_reading(path: &Path) -> Result<Store, StoreError> {
        require_file(path)?;
        match Store::look_into(path)? {
            (_, DatabaseKind::Empty) => Err(StoreError::Empty { path: path.to_path_buf() }),
            (store, _) => Ok(store),
        }
    }

    /// Like [`Store::open_for_reading`]; `None` if there is no database yet, or only an empty one of a run that ended
    /// before it wrote anything.
    ///
    /// # Errors
    /// As for reading, and those of a run: the path is a folder, or its parent folder is missing.
    pub fn open_if_there(path: &Path) -> Result<Option<Store>, StoreError> {
        refuse_place(path)?;
        if !path.exists() {
            return Ok(None);
        }
        let (store, kind) = Store::look_into(path)?;
        Ok((kind != DatabaseKind::Empty).then_some(store))
    }

    /// Opens an existing database to change it (`forget`, `compact`).
    ///
    /// # Errors
    /// As for reading; also if the database is locked by another run or read-only.
    pub fn open_for_change(path: &Path) -> Result<Store, StoreError> {
        require_file(path)?;
        Store::open_writable(path)
    }

    /// Opens a database for a run and creates it if it does not exist.
    ///
    /// # Errors
    /// The folder is missing, the path is a folder, or the file is not a Pensieve database, newer, locked or read-only.
    pub fn open_for_writing(path: &Path) -> Result<Store, StoreError> {
        refuse_place(path)?;
        Store::open_writable(path)
    }

    /// Opens a new, empty database for writing; what another run left at this path is removed.
    ///
    /// # Errors
    /// The folder is missing, the path is a folder, or the file is not a Pensieve database, locked or read-only.
    pub fn create_anew(path: &Path) -> Result<Store, StoreError> {
        refuse_place(path)?;
        if path.exists() {
            Store::look_into(path)?;
        }
        let lock = RunLock::acquire(path)?;
        for suffix in ["", "-wal", "-shm", "-journal"] {
            remove_if_there(&with_suffix(path, suffix))
                .map_err(|source| StoreError::Io { path: path.to_path_buf(), source })?;
        }
        let store = Store::over(connect_for_writing(path)?, path)?;
        Ok(Store { lock: Some(lock), ..store })
    }

    fn open_writable(path: &Path) -> Result<Store, StoreError> {
        if path.exists() {
            // Checked before anything is created next to the file: files of other programs stay untouched.
            Store::look_into(path)?;
        }
        let lock = RunLock::acquire(path)?;
        let store = Store::over(connect_for_writing(path)?, path)?;
        Ok(Store { lock: Some(lock), ..store })
    }

    fn look_into(path: &Path) -> Result<(Store, DatabaseKind), StoreError> {
        let connection = connect_for_reading(path)?;
        let kind = schema::check(&connection, path).map_err(|error| error.at(path))?;
        Ok((Store::over(connection, path)?, kind))
    }

    /// A store over an open connection, without the lock of a run.
    pub(crate) fn over(mut connection: Connection, path: &Path) -> Result<Store, StoreError> {
        let changed_files = ChangedFiles::watch(&mut connection)?;
        Ok(Store { connection, path: path.to_path_buf(), changed_files, lock: None })
    }

    /// Closes the database as one plain file: everything flushed, no WAL. If another process is still reading, the WAL
    /// stays and the next run converts it.
    pub fn close(self) -> Result<(), StoreError> {
        let Store { connection, path, lock, .. } = self;
        let closed = close_wal(connection).map_err(|error| StoreError::from(error).at(&path));
        drop(lock);
        closed
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Queries the database; an error names its path.
    pub(crate) fn ask<'s, T>(
        &'s self,
        question: impl FnOnce(&'s Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        question(&self.connection).map_err(|error| StoreError::from(error).at(&self.path))
    }

    /// The error for inconsistent stored content.
    pub(crate) fn damaged(&self, detail: String) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), detail }
    }
}

/// The path of a file beside the database.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn remove_if_there(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::SCHEMA_VERSION;
    use super::*;
    use crate::store::QueryDeadline;
    use crate::store::rows::sql::Queries;
    use std::fs;
    use std::time::{Duration, Instant};

    /// What a kill in the middle of a transaction leaves: some of its pages, and the journal that takes them back.
    #[test]
    fn a_database_with_a_journal_left_behind_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let [alive, killed] = ["alive.db", "killed.db"].map(|name| folder.path().join(name));
        Store::open_for_writing(&alive).unwrap().close().unwrap();
        let writing = Connection::open(&alive).unwrap();
        writing.execute_batch("PRAGMA cache_size = 1; BEGIN").unwrap();
        for key in 0..200 {
            let values = (format!("{key}"), "x".repeat(5000));
            writing.execute("INSERT INTO meta(key, value) VALUES(?1, ?2)", values).unwrap();
        }
        for suffix in ["", "-journal"] {
            fs::copy(with_suffix(&alive, suffix), with_suffix(&killed, suffix)).unwrap();
        }
        let store = Store::open_for_reading(&killed).unwrap();
        let left = store
            .connection
            .one("SELECT count(*) FROM meta WHERE length(value) = 5000", [], |row| row.get(0));
        assert_eq!(left, Ok(0));
        let cache = store.connection.one("PRAGMA cache_size", [], |row| row.get::<_, i64>(0));
        assert!(cache.unwrap() < -10_000);
    }

    /// The error of each way to open a path, by its first words.
    #[track_caller]
    fn check(path: &Path, reading: &str, maybe: &str, change: &str, writing: &str) {
        let text = |error: StoreError| error.to_string().replace(&path.display().to_string(), "");
        let outcome = |result: Result<Store, StoreError>| result.map_or_else(text, |_| "open".to_owned());
        assert_eq!(outcome(Store::open_for_reading(path)), reading);
        let found = Store::open_if_there(path);
        assert_eq!(found.map_or_else(text, |found| format!("{}", found.is_some())), maybe);
        assert_eq!(outcome(Store::open_for_change(path)), change);
        assert_eq!(outcome(Store::open_for_writing(path)), writing);
    }

    #[test]
    fn what_is_no_database_is_refused_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (missing, no_folder) = ("no database at ``", "the folder of `` does not exist");
        check(&folder.path().join("x/a.db"), missing, no_folder, missing, no_folder);
        let is_folder = "`` is a folder, not a database file";
        check(folder.path(), is_folder, is_folder, is_folder, is_folder);
        let text = folder.path().join("text.db");
        fs::write(&text, "words ".repeat(200)).unwrap();
        let foreign = "`` is not a Pensieve database";
        check(&text, foreign, foreign, foreign, foreign);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let empty = folder.path().join("empty.db");
        fs::write(&empty, "").unwrap();
        check(&empty, "`` is empty: no run has written into it yet", "false", "open", "open");
    }

    #[test]
    fn one_run_writes_while_others_read_and_one_plain_file_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus.db");
        assert!(Store::open_if_there(&path).unwrap().is_none());
        let writing = Store::open_for_writing(&path).unwrap();
        writing.roots().add(Path::new("/r")).unwrap();
        assert!(matches!(Store::open_for_writing(&path), Err(StoreError::Locked { .. })));
        assert!(matches!(Store::open_for_change(&path), Err(StoreError::Locked { .. })));
        let reading = Store::open_for_reading(&path).unwrap();
        assert_eq!((reading.roots().all().unwrap().len(), reading.path()), (1, path.as_path()));
        assert!(matches!(reading.roots().add(Path::new("/s")), Err(StoreError::ReadOnly { .. })));
        drop(reading);
        writing.close().unwrap();
        let names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["corpus.db"]);
        let pragma = |name: &str| {
            let store = Store::open_for_reading(&path).unwrap();
            store.connection.one(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0)).unwrap()
        };
        assert_eq!(
            (pragma("page_size"), pragma("user_version"), pragma("foreign_keys")),
            (16_384, SCHEMA_VERSION, 1)
        );
    }

    #[test]
    fn an_older_schema_is_brought_up_to_date() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.db");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(include_str!("migrations/0001_corpus.sql")).unwrap();
        connection.pragma_update(None, "application_id", schema::APPLICATION_ID).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        drop(connection);
        let keeper = Store::open_for_serving(&path).unwrap();
        assert_eq!(keeper.mails().threads(None, 1).unwrap().unwrap().threads, []);
        let store = Store::open_for_reading(&path).unwrap();
        let mode = store.connection.one("PRAGMA journal_mode", [], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(mode, "wal");
        drop(store);
        keeper.close_after_serving().unwrap();
        let store = Store::open_for_reading(&path).unwrap();
        let mode = store.connection.one("PRAGMA journal_mode", [], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(mode, "delete");
    }

    #[test]
    fn questions_end_at_their_deadline_and_see_one_moment() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus.db");
        let writing = Store::open_for_writing(&path).unwrap();
        let mut reading = Store::open_for_reading(&path).unwrap();
        let counts = reading.at_one_moment(|store| {
            let before = store.roots().all()?.len();
            writing.roots().add(Path::new("/r"))?;
            Ok::<_, StoreError>((before, store.roots().all()?.len()))
        });
        assert_eq!((counts.unwrap(), reading.roots().all().unwrap().len()), ((0, 0), 1));
        let long = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200000) SELECT max(x) FROM n";
        let ask =
            |store: &Store| store.ask(|connection| connection.one(long, [], |row| row.get::<_, i64>(0)));
        let deadline = QueryDeadline::at(Instant::now() + Duration::from_secs(600));
        reading.set_deadline(deadline.clone()).unwrap();
        assert!(!deadline.is_over());
        assert_eq!(ask(&reading).unwrap(), 200_000);
        deadline.cancel();
        assert!(deadline.is_over());
        assert!(matches!(ask(&reading), Err(StoreError::Interrupted { .. })));
        reading.set_deadline(QueryDeadline::at(Instant::now())).unwrap();
        assert!(matches!(ask(&reading), Err(StoreError::Interrupted { .. })));
    }
}
