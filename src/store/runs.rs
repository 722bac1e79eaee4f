//! The history of runs: the table `runs`.

use super::sql::Queries;
use super::{Store, StoreError, stored_now};
use rusqlite::params;
use serde::Serialize;

/// One row of `runs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunRow {
    /// Its number.
    pub run_id: i64,
    /// The roots that it worked on.
    pub roots: Vec<String>,
    /// When it began.
    pub started_at: String,
    /// When it ended.
    pub finished_at: Option<String>,
    /// `finished`, `interrupted`, `failed`, `killed`, `running`.
    pub status: String,
    /// The program's version.
    pub pensieve_version: String,
}

/// The table `runs`.
pub struct RunTable<'s>(pub(super) &'s Store);

impl RunTable<'_> {
    /// Inserts the row of a new run and returns its number; runs that never ended are marked as killed.
    pub fn begin(&self, root: &str, settings: &str) -> Result<i64, StoreError> {
        self.0.ask(|connection| {
            connection.run("UPDATE runs SET status = 'killed' WHERE status = 'running'", [])?;
            connection.run(
                "INSERT INTO runs(root, started_at, status, pensieve_version, settings)
                 VALUES(?1, ?2, 'running', ?3, ?4)",
                params![root, stored_now(), env!("CARGO_PKG_VERSION"), settings],
            )?;
            Ok(connection.last_insert_rowid())
        })
    }

    /// Stores how a run ended, with its counts as JSON.
    pub fn end(&self, run_id: i64, status: &str, counts: &str) -> Result<(), StoreError> {
        let sql = "UPDATE runs SET finished_at = ?2, status = ?3, counts = ?4 WHERE run_id = ?1";
        self.0.ask(|connection| connection.run(sql, params![run_id, stored_now(), status, counts]).map(drop))
    }

    /// The row of a run.
    pub fn get(&self, run_id: i64) -> Result<RunRow, StoreError> {
        let sql = "SELECT run_id, root, started_at, finished_at, status, pensieve_version
                   FROM runs WHERE run_id = ?1";
        self.0.ask(|connection| {
            connection.one(sql, [run_id], |row| {
                Ok(RunRow {
                    run_id: row.get(0)?,
                    roots: row.get::<_, String>(1)?.lines().map(str::to_owned).collect(),
                    started_at: row.get(2)?,
                    finished_at: row.get(3)?,
                    status: row.get(4)?,
                    pensieve_version: row.get(5)?,
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::store::testing::store;

    #[test]
    fn a_run_that_never_ended_was_killed() {
        let store = store();
        let first = store.runs().begin("/r\n/s", "{}").unwrap();
        let running = store.runs().get(first).unwrap();
        assert_eq!((running.status.as_str(), running.finished_at), ("running", None));
        assert_eq!(running.roots, ["/r", "/s"]);
        let second = store.runs().begin("/r", "{}").unwrap();
        assert_eq!(store.runs().get(first).unwrap().status, "killed");
        store.runs().end(second, "finished", "{}").unwrap();
        let ended = store.runs().get(second).unwrap();
        assert_eq!((ended.run_id, ended.status.as_str()), (second, "finished"));
        assert!(ended.finished_at.is_some_and(|end| end >= ended.started_at));
        assert!(store.runs().get(99).is_err());
    }
}
