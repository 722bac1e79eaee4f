//! A database with many concurrent readers while a server runs; other processes may write to it.
//!
//! In WAL mode readers and a writer do not block each other, so a server switches to it if it may write, and back when
//! it ends. It holds no run lock, so runs are possible meanwhile.

use super::connection::{close_wal, connect_for_reading, connect_for_waiting, enter_wal, require_file};
use super::error::StoreError;
use super::open::Store;
use super::schema::{self, DatabaseKind, SCHEMA_VERSION};
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Steps of SQLite's virtual machine between two checks of the deadline: some tens of microseconds.
const STEPS_BETWEEN_CHECKS: i32 = 4000;

/// The time until which a caller waits for the answer to a query.
#[derive(Debug, Clone)]
pub struct QueryDeadline {
    deadline: Instant,
    is_cancelled: Arc<AtomicBool>,
}

impl QueryDeadline {
    /// Queries are interrupted at this deadline.
    pub fn at(deadline: Instant) -> QueryDeadline {
        QueryDeadline { deadline, is_cancelled: Arc::default() }
    }

    /// Cancels the query: the caller no longer waits.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// True if the caller no longer waits.
    pub fn is_over(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }
}

impl Store {
    /// Prepares a database for a server: current schema, and WAL if this process may write. The store must live as long
    /// as the server: it keeps the database in WAL mode when a run ends meanwhile.
    ///
    /// # Errors
    /// As for reading; also if the database is locked by another process, or its older schema cannot be migrated.
    pub fn open_for_serving(path: &Path) -> Result<Store, StoreError> {
        require_file(path)?;
        let reading = connect_for_reading(path)?;
        let kind = schema::check(&reading, path).map_err(|error| error.at(path))?;
        drop(reading);
        match kind {
            DatabaseKind::Empty => return Err(StoreError::Empty { path: path.to_path_buf() }),
            DatabaseKind::Ours(schema) if schema < SCHEMA_VERSION => Store::open_for_change(path)?.close()?,
            _ => {}
        }
        let keeper = connect_for_waiting(path)?;
        match enter_wal(&keeper, path).map_err(|error| error.at(path)) {
            Ok(()) => {
                // A connection keeps the WAL open only once it has read.
                let touched = keeper.query_row("PRAGMA user_version", [], |_| Ok(()));
                touched.map_err(|error| StoreError::from(error).at(path))?;
                Store::over(keeper, path)
            }
            Err(StoreError::ReadOnly { .. }) => Store::open_for_reading(path),
            Err(error) => Err(error),
        }
    }

    /// Closes the database as one plain file if no other process has it open. Close other stores of this process first.
    pub fn close_after_serving(self) -> Result<(), StoreError> {
        let Store { connection, path, .. } = self;
        if connection.is_readonly("main").unwrap_or(true) {
            return Ok(());
        }
        close_wal(connection).map_err(|error| StoreError::from(error).at(&path))
    }

    /// Interrupts any query of this store once the deadline has passed.
    pub fn set_deadline(&mut self, deadline: QueryDeadline) -> Result<(), StoreError> {
        let set = self.connection.progress_handler(STEPS_BETWEEN_CHECKS, Some(move || deadline.is_over()));
        self.ask(|_| set)
    }

    /// Runs several queries on one snapshot of the database, whatever is written meanwhile.
    pub fn at_one_moment<T, E: From<StoreError>>(
        &self,
        read: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        let snapshot = self.ask(Connection::unchecked_transaction)?;
        let result = read(self);
        // Nothing was written, so a failed rollback loses nothing.
        let _ = snapshot.rollback();
        result
    }
}
