//! Opening a database for reading or writing, and leaving it as one plain file.

use super::lock::RunLock;
use super::migrate::{self, Kind};
use super::{Store, StoreError};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a connection waits for another's transaction.
const PATIENCE: Duration = Duration::from_secs(10);

/// Chunks and frames are longer than half of SQLite's usual page: larger ones overflow less.
const PAGE_BYTES: i64 = 8192;

/// The page cache of a connection that writes, in KiB.
const WRITE_CACHE_KIB: i64 = 48 * 1024;

impl Store {
    /// Opens an existing database for reading; nothing is written.
    ///
    /// # Errors
    /// Missing, a folder, not ours, newer, or unreadable.
    pub fn open_for_reading(path: &Path) -> Result<Store, StoreError> {
        require_file(path)?;
        let connection = connect_for_reading(path)?;
        let kind = migrate::check(&connection, path).map_err(|error| error.at(path))?;
        match kind {
            Kind::Empty => Err(StoreError::Foreign { path: path.to_path_buf() }),
            _ => Ok(Store { connection, path: path.to_path_buf(), _lock: None }),
        }
    }

    /// As [`Store::open_for_reading`]; `None` where there is no database yet, or one that a run left before it had
    /// written anything.
    ///
    /// # Errors
    /// As for reading, and the refusals of a run: a folder in its place, no folder to hold it.
    pub fn open_if_there(path: &Path) -> Result<Option<Store>, StoreError> {
        refuse_place(path)?;
        if !path.exists() {
            return Ok(None);
        }
        let connection = connect_for_reading(path)?;
        let kind = migrate::check(&connection, path).map_err(|error| error.at(path))?;
        let store = Store { connection, path: path.to_path_buf(), _lock: None };
        Ok(Some(store).filter(|_| !matches!(kind, Kind::Empty)))
    }

    /// Opens an existing database to change it (`forget`, `compact`).
    ///
    /// # Errors
    /// As for reading; locked by another run; read-only.
    pub fn open_for_change(path: &Path) -> Result<Store, StoreError> {
        require_file(path)?;
        Store::open_writable(path)
    }

    /// Opens a database for a run and creates it where there is none.
    ///
    /// # Errors
    /// The folder is missing, the path is a folder, the file is not ours, newer, locked or read-only.
    pub fn open_for_writing(path: &Path) -> Result<Store, StoreError> {
        refuse_place(path)?;
        Store::open_writable(path)
    }

    fn open_writable(path: &Path) -> Result<Store, StoreError> {
        if path.exists() {
            // Look before anything is created beside the file: what is not ours stays untouched.
            let looking = connect_for_reading(path)?;
            migrate::check(&looking, path).map_err(|error| error.at(path))?;
        }
        let lock = RunLock::take(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = connect(path, flags)?;
        prepare_for_writing(&mut connection, path).map_err(|error| error.at(path))?;
        Ok(Store { connection, path: path.to_path_buf(), _lock: Some(lock) })
    }

    /// Leaves one plain file behind: everything flushed, no WAL. Where somebody else still reads, the WAL stays
    /// and the next run converts it.
    pub fn close(self) -> Result<(), StoreError> {
        let Store { connection, path, _lock } = self;
        close_wal(connection).map_err(|error| StoreError::from(error).at(&path))
    }
}

/// Flushes everything, and goes back to one plain file where nobody else has it open.
pub(super) fn close_wal(connection: Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.busy_timeout(Duration::from_millis(200))?;
    let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if busy == 0 {
        let _ = connection.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()));
    }
    connection.close().map_err(|(_, error)| error)
}

/// Refuses places where no database can be made.
fn refuse_place(path: &Path) -> Result<(), StoreError> {
    if path.is_dir() {
        return Err(StoreError::Folder { path: path.to_path_buf() });
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(StoreError::NoFolder { path: path.to_path_buf() });
    }
    Ok(())
}

pub(super) fn require_file(path: &Path) -> Result<(), StoreError> {
    if path.is_dir() {
        return Err(StoreError::Folder { path: path.to_path_buf() });
    }
    if !path.exists() {
        return Err(StoreError::Missing { path: path.to_path_buf() });
    }
    Ok(())
}

/// A connection that cannot write. A run that was killed while SQLite had a rollback journal open leaves it behind, and
/// somebody who may write must roll it back before anybody can read.
pub(super) fn connect_for_reading(path: &Path) -> Result<Connection, StoreError> {
    let reading = || connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let touch = |connection: &Connection| connection.query_row("PRAGMA schema_version", [], |_| Ok(()));
    let connection = reading()?;
    let Err(error) = touch(&connection) else { return Ok(connection) };
    if error.sqlite_error_code() != Some(rusqlite::ErrorCode::ReadOnly) {
        // Whatever else is wrong is told by the first question of substance.
        return Ok(connection);
    }
    drop(connection);
    let mending = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    touch(&mending).map_err(|error| StoreError::from(error).at(path))?;
    drop(mending);
    reading()
}

/// A connection that may write, where the system lets it, and does so only to change the journal.
pub(super) fn connect_for_waiting(path: &Path) -> Result<Connection, StoreError> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let at = |error: rusqlite::Error| StoreError::from(error).at(path);
    let connection = Connection::open_with_flags(path, flags).map_err(at)?;
    connection.busy_timeout(PATIENCE).map_err(at)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(at)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(connection)
}

fn prepare_for_writing(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let kind = migrate::check(connection, path)?;
    if kind == Kind::Empty {
        connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    }
    enter_wal(connection, path)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "cache_size", -WRITE_CACHE_KIB)?;
    connection.pragma_update(None, "wal_autocheckpoint", 8192)?;
    connection.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)?;
    migrate::migrate(connection, kind)
}

pub(super) fn enter_wal(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mode = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0));
        match mode {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(_) => {}
            Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => {}
            Err(error) => return Err(error.into()),
        }
        if Instant::now() > deadline {
            return Err(StoreError::Locked { path: path.to_path_buf() });
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
