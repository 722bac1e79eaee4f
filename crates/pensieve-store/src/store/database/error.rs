//! What can go wrong with the database as a whole.

use crate::exit::command_error;
use crate::store::query::unfinished_run::UnfinishedRun;
use std::path::PathBuf;
use thiserror::Error;

/// Why a database cannot be used, or can no longer be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database does not exist.
    #[error("no database at `{path}`")]
    Missing {
        /// The path that was tried.
        path: PathBuf,
    },
    /// The folder that should hold the database does not exist.
    #[error("the folder of `{path}` does not exist")]
    NoFolder {
        /// The database.
        path: PathBuf,
    },
    /// The path names a folder.
    #[error("`{path}` is a folder, not a database file")]
    Folder {
        /// The path.
        path: PathBuf,
    },
    /// The database was made before tables of documents were looked for.
    #[error("`{path}` was made by an earlier version of pensieve, which did not look for tables")]
    NoTables {
        /// The database.
        path: PathBuf,
    },
    /// The file is no database, or the database of another program.
    #[error("`{path}` is not a Pensieve database")]
    Foreign {
        /// The file, left untouched.
        path: PathBuf,
    },
    /// The database was written by a later version.
    #[error("`{path}` has schema {found}, newer than {known}, the newest that this version knows")]
    Newer {
        /// The database, left untouched.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The schema version of this program.
        known: i64,
    },
    /// The schema is not what any version of this program makes.
    #[error("the schema of `{path}` was altered: {object}")]
    Altered {
        /// The database, left untouched.
        path: PathBuf,
        /// The object that differs, and how.
        object: String,
    },
    /// Another run is writing.
    #[error("cannot open `{path}`: locked by another run")]
    Locked {
        /// The database.
        path: PathBuf,
    },
    /// The file or its folder cannot be written.
    #[error("cannot write `{path}`: {reason}")]
    ReadOnly {
        /// The database.
        path: PathBuf,
        /// The error of the system.
        reason: String,
    },
    /// No space left.
    #[error("no space left for `{path}`: what is committed stays, the next run goes on from there")]
    Full {
        /// The database.
        path: PathBuf,
    },
    /// The system could not read or write the file: a failing disk, a quota, a limit of file sizes.
    #[error("reading or writing `{path}` failed: {reason}; what is committed stays")]
    InputOutput {
        /// The database.
        path: PathBuf,
        /// What failed.
        reason: String,
    },
    /// The file has no content: a run was stopped before it wrote its schema.
    #[error("`{path}` is empty: no run has written into it yet")]
    Empty {
        /// The database.
        path: PathBuf,
    },
    /// A run was interrupted during its load, so an index is still missing.
    #[error("`{path}` has an unfinished load{}", run.map(|run| format!(": {run}")).unwrap_or_default())]
    Unfinished {
        /// The database.
        path: PathBuf,
        /// How far the run has come.
        run: Option<UnfinishedRun>,
    },
    /// There was no such run.
    #[error("`{path}` has no run {run}: the last one is {last}")]
    NoRun {
        /// The database.
        path: PathBuf,
        /// The number that was asked for.
        run: i64,
        /// The last run.
        last: i64,
    },
    /// The search tables are not kept.
    #[error("`{path}` has no search table: it was made with `store.fts = false`")]
    NoSearch {
        /// The database.
        path: PathBuf,
    },
    /// The query is invalid.
    #[error("{0}")]
    Query(#[from] crate::store::query::QueryError),
    /// The stored data is inconsistent.
    #[error("`{path}` is damaged: {detail}")]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// The caller has stopped waiting.
    #[error("the work on `{path}` was broken off")]
    Interrupted {
        /// The database.
        path: PathBuf,
    },
    /// Any other error of SQLite.
    #[error("database: {0}")]
    Sqlite(rusqlite::Error),
    /// The lock file or the folder could not be handled.
    #[error("`{path}`: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}

/// What to do where there is no database.
pub const MAKE_DATABASE: &str = "make one with `pensieve ingest <DIR> <DB>`";

command_error! { StoreError {
    Missing => Input, MAKE_DATABASE;
    NoFolder => Database, "create the folder first";
    Folder => Database, "a database is a file: `pensieve ingest <DIR> <DB>` makes one of a folder";
    NoTables => Database, "run `pensieve ingest` with this database, which finds them";
    Foreign => Database, "it was left untouched; choose another path";
    Newer => Database, "it was left untouched; use the version of pensieve that wrote it, or a later one";
    Altered => Database,
        "such objects can run or answer in place of ours, so nothing was read: remove what was added (DROP), or ingest into a \
         new database";
    Locked => Database, "wait until the other run has ended, or stop it; nothing was written";
    ReadOnly => Database, "make the file and its folder writable, or choose another path";
    Full => Database, "free some space and run the same command again";
    InputOutput => Database, "check the disk, quotas and `ulimit -f`, then run the same command again";
    Empty => Database, "run `pensieve ingest` into it, or give another path";
    Unfinished => Database,
        "wait for the run that is going on, or run `pensieve ingest` again if it was broken off";
    NoRun => Usage, "pass `0` for the whole state, or a cursor";
    NoSearch => Database, "set `store.fts = true` and run `pensieve ingest` again";
    Query { 0: error } => Usage, error.cure();
    Damaged => Database, "ingest into a new database, or take one from a backup";
    Interrupted | Sqlite | Io => Database;
} }

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Sqlite(error)
    }
}

impl StoreError {
    /// The variant for an SQLite error of the database at `path`.
    pub(crate) fn at(self, path: &std::path::Path) -> StoreError {
        use rusqlite::ErrorCode;
        let path = path.to_path_buf();
        let StoreError::Sqlite(error) = self else { return self };
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::Foreign { path },
            Some(ErrorCode::DiskFull) => StoreError::Full { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked { path },
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                StoreError::ReadOnly { path, reason: error.to_string() }
            }
            Some(ErrorCode::OperationInterrupted) => StoreError::Interrupted { path },
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged { path, detail: error.to_string() },
            Some(ErrorCode::SystemIoFailure) => StoreError::InputOutput { path, reason: what_failed(&error) },
            _ => StoreError::Sqlite(error),
        }
    }
}

/// SQLite reports a write past a quota or `ulimit -f` as an I/O error too, not as "full".
fn what_failed(error: &rusqlite::Error) -> String {
    const SQLITE_IOERR_READ: i32 = 10 | (1 << 8);
    const SQLITE_IOERR_WRITE: i32 = 10 | (3 << 8);
    const SQLITE_IOERR_FSYNC: i32 = 10 | (4 << 8);
    match error.sqlite_error().map(|inner| inner.extended_code) {
        Some(SQLITE_IOERR_READ) => "it cannot be read".to_owned(),
        Some(SQLITE_IOERR_WRITE) => "it cannot be written".to_owned(),
        Some(SQLITE_IOERR_FSYNC) => "its data cannot be written to the disk".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::ffi;

    #[test]
    fn codes_of_sqlite_become_errors_with_the_path() {
        let check = |code: i32, expected: &str| {
            let error = StoreError::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
            let text = error.at(std::path::Path::new("a.db")).to_string();
            assert!(text.starts_with(expected), "{code}: {text}");
        };
        check(ffi::SQLITE_NOTADB, "`a.db` is not a Pensieve database");
        check(ffi::SQLITE_FULL, "no space left for `a.db`");
        check(ffi::SQLITE_BUSY, "cannot open `a.db`: locked");
        check(ffi::SQLITE_LOCKED, "cannot open `a.db`: locked");
        check(ffi::SQLITE_READONLY, "cannot write `a.db`");
        check(ffi::SQLITE_CANTOPEN, "cannot write `a.db`");
        check(ffi::SQLITE_PERM, "cannot write `a.db`");
        check(ffi::SQLITE_INTERRUPT, "the work on `a.db` was broken off");
        check(ffi::SQLITE_CORRUPT, "`a.db` is damaged");
        check(ffi::SQLITE_IOERR_WRITE, "reading or writing `a.db` failed: it cannot be written");
        check(ffi::SQLITE_IOERR_READ, "reading or writing `a.db` failed: it cannot be read");
        check(ffi::SQLITE_MISUSE, "database: ");
        let other = StoreError::Missing { path: "b.db".into() };
        assert_eq!(other.at(std::path::Path::new("a.db")).to_string(), "no database at `b.db`");
    }
}
