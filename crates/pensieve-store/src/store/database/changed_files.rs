//! The rows of `files` that a connection changed: SQLite reports each one, whichever statement changed it.

use rusqlite::Connection;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Ids of changed rows whose digests may be out of date.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChangedFiles(Arc<Mutex<BTreeSet<i64>>>);

impl ChangedFiles {
    /// Notes from now on every row of `files` that the connection inserts, updates or deletes.
    pub fn watch(connection: &mut Connection) -> rusqlite::Result<ChangedFiles> {
        let changed = ChangedFiles::default();
        let noted = changed.clone();
        connection.update_hook(Some(move |_, _: &str, table: &str, row_id| {
            if table == "files" {
                noted.ids().insert(row_id);
            }
        }))?;
        Ok(changed)
    }

    /// Takes back the note about a row that was written with its digests.
    pub fn forget(&self, file_id: i64) {
        self.ids().remove(&file_id);
    }

    /// How many rows are noted.
    pub fn len(&self) -> usize {
        self.ids().len()
    }

    /// The noted rows; none is noted afterwards.
    pub fn take(&self) -> BTreeSet<i64> {
        std::mem::take(&mut *self.ids())
    }

    fn ids(&self) -> MutexGuard<'_, BTreeSet<i64>> {
        // A set of numbers is whole after any panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
