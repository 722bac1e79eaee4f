//! The history of runs: the table `runs`.

use super::error::StoreError;
use super::meta;
use super::open::Store;
use crate::store::query::unfinished_run::UnfinishedRun;
use crate::store::rows::sql::{Queries, count};
use crate::store::rows::time::stored_now;
use rusqlite::{Connection, params};
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

impl Store {
    /// The error of what cannot be asked while a load is unfinished.
    pub(crate) fn unfinished_load(&self) -> StoreError {
        StoreError::Unfinished { path: self.path.clone(), run: self.runs().unfinished().ok().flatten() }
    }
}

/// The table `runs`.
pub struct RunTable<'s>(pub(crate) &'s Store);

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

    /// Stores how a run ended, with its counts as JSON, and how many rows it left: `verify` misses those that go without one.
    pub fn end(&self, run_id: i64, status: &str, counts: &str) -> Result<(), StoreError> {
        let sql = "UPDATE runs SET finished_at = ?2, status = ?3, counts = ?4 WHERE run_id = ?1";
        let rows = "SELECT count(*) FROM files WHERE processing_status IS NOT 'Deleted'";
        self.0.ask(|connection| {
            let rows: i64 = connection.one(rows, [], |row| row.get(0))?;
            meta::set(connection, meta::ROWS, &format!("{rows} after run {run_id}"))?;
            connection.run(sql, params![run_id, stored_now(), status, counts]).map(drop)
        })
    }

    /// What is missing because a run has not finished; `None` if nothing is.
    ///
    /// Cost: two short queries, and a count of all files where a run has not finished.
    pub fn unfinished(&self) -> Result<Option<UnfinishedRun>, StoreError> {
        self.0.ask(unfinished)
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

fn unfinished(connection: &Connection) -> rusqlite::Result<Option<UnfinishedRun>> {
    let is_finished = "SELECT status = 'finished' FROM runs ORDER BY run_id DESC LIMIT 1";
    let is_finished = connection.first(is_finished, [], |row| row.get(0))?.unwrap_or(false);
    let pending = "FROM files WHERE processing_status = 'Pending'";
    if is_finished && !connection.has(&format!("SELECT 1 {pending} LIMIT 1"), [])? {
        return Ok(None);
    }
    let number = |sql: &str| connection.one(sql, [], |row| count(row, 0));
    Ok(Some(UnfinishedRun {
        is_first: !connection.has("SELECT 1 FROM runs WHERE status = 'finished' LIMIT 1", [])?,
        files: number(
            "SELECT count(*) FROM files WHERE file_type IN ('file', 'member')
                       AND processing_status IS NOT 'Deleted'",
        )?,
        pending: number(&format!("SELECT count(*) {pending}"))?,
    }))
}

#[cfg(test)]
mod tests {
    use super::Store;
    use crate::store::testing::{corpus, execute, store};

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

    #[test]
    fn what_an_unfinished_run_leaves_out_is_told() {
        let check = |store: &Store, expected: Option<&str>| {
            let told = store.runs().unfinished().unwrap().map(|run| run.to_string());
            assert_eq!(told.as_deref(), expected);
        };
        let listing = "the first run has not finished: none of its files is stored so far";
        check(&store(), Some(listing));
        let store = corpus(&[("a.txt", &["one"]), ("b.txt", &["two"]), ("c.txt", &["three"])]);
        check(&store, None);
        let rest = "1 of 2 files are read so far, what is in the others may be missing";
        execute(&store, "UPDATE runs SET status = 'killed'");
        execute(&store, "UPDATE files SET processing_status = 'Pending' WHERE relative_path = 'b.txt'");
        execute(&store, "UPDATE files SET processing_status = 'Deleted' WHERE relative_path = 'c.txt'");
        check(&store, Some(&format!("the first run has not finished: {rest}")));
        execute(&store, "UPDATE runs SET status = 'finished'");
        store.runs().begin("/s", "{}").unwrap();
        check(&store, Some(&format!("the last run has not finished: {rest}")));
        execute(&store, "UPDATE files SET processing_status = 'Processed'");
        check(&store, Some("the last run has not finished: what is new or changed may be missing"));
    }
}
