//! Queries and statements in one call each. Statements are prepared once per connection and cached.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, Params, Row};
use std::ops::ControlFlow;

/// Query helpers on a connection; a function reads each row.
pub(crate) trait Queries {
    /// Every row of a query.
    fn rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>>;

    /// The first row of a query, if it has one.
    fn first<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Option<T>>;

    /// The first row of a query that always has one.
    fn one<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T>;

    /// Passes the rows of a query to `visit` until it stops.
    fn each(
        &self,
        sql: &str,
        values: impl Params,
        visit: impl FnMut(&Row<'_>) -> rusqlite::Result<ControlFlow<()>>,
    ) -> rusqlite::Result<()>;

    /// True when a query has a row.
    fn has(&self, sql: &str, values: impl Params) -> rusqlite::Result<bool>;

    /// Executes a statement and returns the number of changed rows.
    fn run(&self, sql: &str, values: impl Params) -> rusqlite::Result<usize>;
}

impl Queries for Connection {
    fn rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        self.prepare_cached(sql)?.query_map(values, read)?.collect()
    }

    fn first<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Option<T>> {
        self.one(sql, values, read).optional()
    }

    fn one<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        self.prepare_cached(sql)?.query_row(values, read)
    }

    fn each(
        &self,
        sql: &str,
        values: impl Params,
        mut visit: impl FnMut(&Row<'_>) -> rusqlite::Result<ControlFlow<()>>,
    ) -> rusqlite::Result<()> {
        let mut statement = self.prepare_cached(sql)?;
        let mut rows = statement.query(values)?;
        while let Some(row) = rows.next()? {
            if visit(row)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn has(&self, sql: &str, values: impl Params) -> rusqlite::Result<bool> {
        self.prepare_cached(sql)?.exists(values)
    }

    fn run(&self, sql: &str, values: impl Params) -> rusqlite::Result<usize> {
        self.prepare_cached(sql)?.execute(values)
    }
}

/// Continues while `wanted` is true.
pub(crate) fn while_true(wanted: bool) -> ControlFlow<()> {
    if wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// A number that is never negative.
pub(crate) fn count(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(at)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(at, value))
}

/// A length or a place in memory.
pub(crate) fn offset(row: &Row<'_>, at: usize) -> rusqlite::Result<usize> {
    let value: i64 = row.get(at)?;
    usize::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(at, value))
}

/// Ids as a JSON array, which SQLite reads as a table.
pub(crate) fn id_list(ids: impl IntoIterator<Item = i64>) -> String {
    let ids: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
    format!("[{}]", ids.join(","))
}

/// Does work that writes to tables which are SQLite's own.
pub(crate) fn undefended<T>(
    connection: &Connection,
    work: impl FnOnce() -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let is_defended = connection.db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
    let done = work();
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, is_defended)?;
    done
}
