//! A database that is read by many at once, for as long as a server runs, while others may write it.
//!
//! In WAL mode readers and a writer do not wait for each other, so a server switches to it where it may write, and
//! back when it ends. It holds no run lock: runs are welcome meanwhile.

use super::migrate::{self, Kind, SCHEMA};
use super::open::{close_wal, connect_for_reading, connect_for_waiting, enter_wal, require_file};
use super::{Store, StoreError};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Steps of SQLite's machine between two looks at the clock: some tens of microseconds.
const STEPS_BETWEEN_LOOKS: i32 = 4000;

/// Until when somebody waits for a connection's answer.
#[derive(Debug, Clone)]
pub struct Watch {
    deadline: Instant,
    is_cancelled: Arc<AtomicBool>,
}

impl Watch {
    /// Work that is not done by then is broken off.
    pub fn until(deadline: Instant) -> Watch {
        Watch { deadline, is_cancelled: Arc::default() }
    }

    /// Nobody waits any more.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// True when the work is in vain.
    pub fn is_over(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }
}

impl Store {
    /// Readies a database for a server: the present schema, and WAL where this process may write. The store must live as
    /// long as the server does: it keeps the database in WAL mode when a run ends meanwhile.
    ///
    /// # Errors
    /// As for reading; locked by somebody who does not let go; an older schema that cannot be brought up to date.
    pub fn open_for_serving(path: &Path) -> Result<Store, StoreError> {
        require_file(path)?;
        let looking = connect_for_reading(path)?;
        let kind = migrate::check(&looking, path).map_err(|error| error.at(path))?;
        drop(looking);
        match kind {
            Kind::Empty => return Err(StoreError::Foreign { path: path.to_path_buf() }),
            Kind::Ours(schema) if schema < SCHEMA => Store::open_for_change(path)?.close()?,
            _ => {}
        }
        let keeper = connect_for_waiting(path)?;
        match enter_wal(&keeper, path).map_err(|error| error.at(path)) {
            Ok(()) => {
                // Reading once is what ties a connection to the WAL.
                let touched = keeper.query_row("PRAGMA user_version", [], |_| Ok(()));
                touched.map_err(|error| StoreError::from(error).at(path))?;
                Ok(Store { connection: keeper, path: path.to_path_buf(), _lock: None })
            }
            Err(StoreError::ReadOnly { .. }) => Store::open_for_reading(path),
            Err(error) => Err(error),
        }
    }

    /// Leaves one plain file where nobody else has it open. Other stores of this process must be gone before.
    pub fn close_after_serving(self) -> Result<(), StoreError> {
        let Store { connection, path, .. } = self;
        if connection.is_readonly("main").unwrap_or(true) {
            return Ok(());
        }
        close_wal(connection).map_err(|error| StoreError::from(error).at(&path))
    }

    /// Breaks off whatever this store does once nobody waits for it.
    pub fn watch(&mut self, watch: Watch) -> Result<(), StoreError> {
        let set = self.connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(move || watch.is_over()));
        set.map_err(|error| self.fail(error))
    }

    /// Reads several things of one moment, whatever is written meanwhile.
    pub fn at_one_moment<T, E: From<StoreError>>(
        &self,
        read: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        let moment = self.connection.unchecked_transaction().map_err(|error| self.fail(error))?;
        let result = read(self);
        // Nothing was written: however it ends, it ends well.
        let _ = moment.rollback();
        result
    }
}
