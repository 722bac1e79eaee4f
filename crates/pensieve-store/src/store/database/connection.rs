//! Connections to a database file: for reading, for writing in WAL mode, and back to one plain file.

use super::error::StoreError;
use super::schema::{self, DatabaseKind};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a connection waits for the transaction of another connection.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// The time between two attempts to enter WAL mode.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// How long closing a database waits for readers.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(200);

/// Chunks and compressed texts are longer than half of SQLite's usual page: larger pages overflow less, and cost fewer writes.
const PAGE_BYTES: i64 = 16_384;

/// The page cache of a connection that reads, in KiB, filled as needed: a question reads some 2,000 pages for the names and texts of its
/// candidates, most of them several times, and SQLite's own 2 MB are 125 pages.
const READ_CACHE_KIB: i64 = 16 * 1024;

/// The page cache of a connection that writes, in KiB.
const WRITE_CACHE_KIB: i64 = 48 * 1024;

/// Bytes of one value or row that are read or written, at most: a list of thirty million ids is the longest that is bound, and
/// no row that the program writes has a quarter. SQLite itself would hold a gigabyte for a database of somebody else.
const MAX_ROW_BYTES: i32 = 256 << 20;

const CACHED_STATEMENTS: usize = 128;

/// The version of SQLite, which is part of the program.
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// Refuses places where no database can be created.
pub(super) fn refuse_place(path: &Path) -> Result<(), StoreError> {
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

/// A connection that cannot write. A run that was killed while SQLite had a rollback journal open leaves that journal,
/// and a connection that may write must roll it back before the database can be read.
pub(super) fn connect_for_reading(path: &Path) -> Result<Connection, StoreError> {
    let reading = || connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let touch = |connection: &Connection| connection.query_row("PRAGMA schema_version", [], |_| Ok(()));
    let mut connection = reading()?;
    if let Err(error) = touch(&connection) {
        if error.sqlite_error_code() != Some(ErrorCode::ReadOnly) {
            // The first real query reports any other error.
            return Ok(connection);
        }
        drop(connection);
        let mending = connect_for_waiting(path)?;
        touch(&mending).map_err(|error| StoreError::from(error).at(path))?;
        drop(mending);
        connection = reading()?;
    }
    // Setting it reads the database, so it comes after what mends that; what fails here fails in the first real query.
    let _ = connection.pragma_update(None, "cache_size", -READ_CACHE_KIB);
    Ok(connection)
}

/// A connection that may write, if the system permits it, and writes only to change the journal mode.
pub(super) fn connect_for_waiting(path: &Path) -> Result<Connection, StoreError> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

/// A connection for a run: WAL mode, current schema, large cache.
pub(super) fn connect_for_writing(path: &Path) -> Result<Connection, StoreError> {
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    prepare_for_writing(&mut connection, path).map_err(|error| error.at(path))?;
    Ok(connection)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let at = |error: rusqlite::Error| StoreError::from(error).at(path);
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(at)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(at)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(at)?;
    distrust(&connection).map_err(at)?;
    // Without it SQLite looks at bound values when it plans, and prepares a cached statement again for each other value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(at)?;
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    Ok(connection)
}

/// Makes SQLite careful with a file that somebody else may have made: no functions with side effects in its schema, no
/// writes to the tables of a search table, sizes of cells are checked when a page is read, no row of a gigabyte.
fn distrust(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES)?;
    connection.pragma_update(None, "cell_size_check", true)
}

fn prepare_for_writing(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let kind = schema::check(connection, path)?;
    if kind == DatabaseKind::Empty {
        connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    }
    enter_wal(connection, path)?;
    // A power cut loses at most the last batches; [`close_wal`] flushes everything.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "cache_size", -WRITE_CACHE_KIB)?;
    connection.pragma_update(None, "wal_autocheckpoint", 4096)?;
    connection.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)?;
    schema::migrate(connection, kind)
}

pub(super) fn enter_wal(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let deadline = Instant::now() + BUSY_TIMEOUT;
    loop {
        let mode = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0));
        match mode {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(_) => {}
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {}
            Err(error) => return Err(error.into()),
        }
        if Instant::now() > deadline {
            return Err(StoreError::Locked { path: path.to_path_buf() });
        }
        std::thread::sleep(RETRY_INTERVAL);
    }
}

/// Flushes everything, and returns to one plain file if no other process has it open.
pub(super) fn close_wal(connection: Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.busy_timeout(CLOSE_TIMEOUT)?;
    let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if busy == 0 {
        let _ = connection.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()));
    }
    connection.close().map_err(|(_, error)| error)
}
