//! The history of runs.

use super::{Store, StoreError, stored_now};
use rusqlite::params;

impl Store {
    /// Opens the row of a new run; runs that never ended are marked as cut off.
    pub fn begin_run(&self, root: &str, settings: &str) -> Result<i64, StoreError> {
        let begin = || {
            self.connection.execute("UPDATE runs SET status = 'killed' WHERE status = 'running'", [])?;
            self.connection.execute(
                "INSERT INTO runs(root, started_at, status, pensieve_version, settings) VALUES(?1, ?2, 'running', ?3, ?4)",
                params![root, stored_now(), env!("CARGO_PKG_VERSION"), settings],
            )?;
            Ok(self.connection.last_insert_rowid())
        };
        begin().map_err(|error: rusqlite::Error| self.fail(error))
    }

    /// Closes the row of a run with its counts as JSON.
    pub fn end_run(&self, run_id: i64, status: &str, counts: &str) -> Result<(), StoreError> {
        self.connection
            .execute(
                "UPDATE runs SET finished_at = ?2, status = ?3, counts = ?4 WHERE run_id = ?1",
                params![run_id, stored_now(), status, counts],
            )
            .map(|_| ())
            .map_err(|error| self.fail(error))
    }
}
