//! The list of threads.

use crate::store::rows::sql::{Queries, count};
use rusqlite::{Connection, Row, params};
use serde::Serialize;
use utoipa::ToSchema;

/// A thread of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ThreadSummary)]
pub struct ThreadRow {
    /// The name of the thread; the same in every database that contains its mails.
    pub thread_uid: String,
    /// The subject of its first mail.
    pub subject: Option<String>,
    /// Who wrote its first mail.
    pub from: Option<String>,
    /// How many mails it has, copies included.
    pub mail_count: u64,
    /// The date of the first mail.
    pub first_date: Option<String>,
    /// The date of the last mail.
    pub last_date: Option<String>,
}

/// A page of the list of threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadPage {
    /// The threads, the latest first.
    pub threads: Vec<ThreadRow>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<String>,
}

/// The first `limit` threads after a position, the latest first; a position is the date and the name of a thread.
pub(super) fn threads(
    connection: &Connection,
    (date, uid): (&str, &str),
    limit: usize,
) -> rusqlite::Result<ThreadPage> {
    let sql = "SELECT t.thread_uid, m.subject, m.sender, t.mails, t.first_date, nullif(t.last_date, '')
               FROM (SELECT * FROM mail_threads WHERE (last_date, thread_uid) < (?1, ?2)
                     ORDER BY last_date DESC, thread_uid DESC LIMIT ?3) t
               JOIN mails m ON m.file_id = (SELECT f.file_id FROM mails f WHERE f.thread_uid = t.thread_uid
                    ORDER BY f.date IS NULL, f.date, f.message_id, f.file_id LIMIT 1)
               ORDER BY t.last_date DESC, t.thread_uid DESC";
    let mut threads = connection.rows(sql, params![date, uid, (limit + 1) as i64], thread_row)?;
    let has_more = threads.len() > limit;
    threads.truncate(limit);
    let position =
        |row: &ThreadRow| format!("{}~{}", row.last_date.as_deref().unwrap_or_default(), row.thread_uid);
    let next = threads.last().filter(|_| has_more).map(position);
    Ok(ThreadPage { threads, next })
}

fn thread_row(row: &Row<'_>) -> rusqlite::Result<ThreadRow> {
    Ok(ThreadRow {
        thread_uid: row.get(0)?,
        subject: row.get(1)?,
        from: row.get(2)?,
        mail_count: count(row, 3)?,
        first_date: row.get(4)?,
        last_date: row.get(5)?,
    })
}
