//! Threads: which mails belong together.
//!
//! As in Jamie Zawinski's algorithm (<https://www.jwz.org/doc/threading.html>) the chain of `References`, then
//! `In-Reply-To`, then the mail itself binds its members; subjects bind nothing, since equal words prove nothing. Where
//! his trees depend on the order in which mails come, here a thread is all that hangs together by such chains, which
//! does not. It is named after its root: the identifier that stands at the head of chains and answers nothing, whether
//! its mail is here or not. So replies that come or go leave the name alone, and any history of changes ends in the
//! threads of a clean ingest.
//!
//! Triggers note every identifier that a mail brings or takes; before a transaction ends, [`settle`] walks what hangs
//! together with those.

use super::super::{Store, StoreError};
use pensieve_text::model::{ContentHash, MailFacts};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use utoipa::ToSchema;

/// An identifier as it binds mails.
pub(super) type Key = [u8; 16];

fn key(kind: &str, id: &str) -> Key {
    let hash = ContentHash::of(format!("{kind}\0{id}").as_bytes());
    hash.0[..16].try_into().expect("a hash has 32 bytes")
}

/// The key of a mail: of its identifier, or where it has none of its bytes.
pub(super) fn own_key(message_id: Option<&str>, hash: &str) -> Key {
    message_id.map_or_else(|| key("bytes", hash), |id| key("thread", id))
}

/// The keys of a mail from the head of its thread on.
pub(super) fn chain_of(mail: &MailFacts, own: Key) -> impl Iterator<Item = Key> + '_ {
    let answered = mail.in_reply_to.iter().filter(|id| !mail.refs.contains(id));
    mail.refs.iter().chain(answered).map(|id| key("thread", id)).chain([own])
}

/// Finds the threads of all mails that came, went or were bound otherwise in this transaction.
///
/// Cost: one walk over each thread that changed.
pub(in crate::store) fn settle(connection: &Connection) -> rusqlite::Result<()> {
    let mut next = connection.prepare_cached("SELECT id FROM mail_unsettled LIMIT 1")?;
    while let Some(id) = next.query_row([], |row| row.get::<_, Key>(0)).optional()? {
        settle_one(connection, id)?;
    }
    Ok(())
}

/// What hangs together: identifiers, true for those that answer another, and mails.
#[derive(Default)]
struct Bound {
    ids: HashMap<Key, bool>,
    mails: HashSet<i64>,
}

fn settle_one(connection: &Connection, start: Key) -> rusqlite::Result<()> {
    let bound = walk(connection, start)?;
    let root = root_of(&bound.ids);
    let uid = hex(&root);
    let mut look =
        connection.prepare_cached("SELECT date, thread_uid IS NOT ?2 FROM mails WHERE file_id = ?1")?;
    let mut name = connection.prepare_cached("UPDATE mails SET thread_uid = ?2 WHERE file_id = ?1")?;
    let (mut first, mut last): (Option<String>, Option<String>) = (None, None);
    for file_id in &bound.mails {
        let (date, is_new): (Option<String>, bool) =
            look.query_row(params![file_id, uid], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if is_new {
            name.execute(params![file_id, uid])?;
        }
        if first.is_none() || date.is_some() && date < first {
            first.clone_from(&date);
        }
        last = last.max(date);
    }
    let mut done = connection.prepare_cached("DELETE FROM mail_unsettled WHERE id = ?1")?;
    let mut drop = connection.prepare_cached("DELETE FROM mail_threads WHERE thread_uid = ?1")?;
    for id in bound.ids.keys() {
        done.execute([id])?;
        drop.execute([hex(id)])?;
    }
    if bound.mails.is_empty() {
        return Ok(());
    }
    connection
        .prepare_cached(
            "INSERT INTO mail_threads(thread_uid, mails, first_date, last_date) VALUES(?1, ?2, ?3, ?4)",
        )?
        .execute(params![uid, bound.mails.len() as i64, first, last.unwrap_or_default()])?;
    Ok(())
}

fn walk(connection: &Connection, start: Key) -> rusqlite::Result<Bound> {
    let mut holders = connection.prepare_cached("SELECT file_id, is_child FROM mail_ids WHERE id = ?1")?;
    let mut held = connection.prepare_cached("SELECT id FROM mail_ids WHERE file_id = ?1")?;
    let mut bound = Bound::default();
    let mut waiting = vec![start];
    while let Some(id) = waiting.pop() {
        if bound.ids.contains_key(&id) {
            continue;
        }
        let mut is_child = false;
        let mut rows = holders.query([id])?;
        while let Some(row) = rows.next()? {
            is_child |= row.get::<_, bool>(1)?;
            let file_id = row.get(0)?;
            if bound.mails.insert(file_id) {
                for other in held.query_map([file_id], |row| row.get::<_, Key>(0))? {
                    waiting.push(other?);
                }
            }
        }
        bound.ids.insert(id, is_child);
    }
    Ok(bound)
}

/// The identifier that answers none; of several the smallest, and so where they answer each other in a ring.
fn root_of(ids: &HashMap<Key, bool>) -> Key {
    let heads = ids.iter().filter(|(_, is_child)| !**is_child).map(|(id, _)| *id).min();
    heads.or_else(|| ids.keys().min().copied()).unwrap_or_default()
}

fn hex(key: &Key) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A thread of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ThreadSummary)]
pub struct ThreadRow {
    /// The name of the thread; the same in every database that holds its mails.
    pub thread_uid: String,
    /// The subject of its first mail.
    pub subject: Option<String>,
    /// Who wrote its first mail.
    pub from: Option<String>,
    /// How many mails it has, copies included.
    pub mail_count: u64,
    /// When the first was written.
    pub first_date: Option<String>,
    /// When the last was written.
    pub last_date: Option<String>,
}

/// A page of the list of threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadPage {
    /// The latest first.
    pub threads: Vec<ThreadRow>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<String>,
}

impl Store {
    /// Threads, the latest first, from `cursor` on (the `next` of the page before). `None` for a cursor that is none.
    ///
    /// Cost: one look-up a thread of the page, wherever that lies.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn threads(&self, cursor: Option<&str>, limit: usize) -> Result<Option<ThreadPage>, StoreError> {
        let (date, uid) = match cursor.map(|cursor| cursor.split_once('~')) {
            None => ("~", ""),
            Some(None) => return Ok(None),
            Some(Some(place)) => place,
        };
        let read = || -> rusqlite::Result<ThreadPage> {
            let mut statement = self.connection.prepare_cached(
                "SELECT t.thread_uid, m.subject, m.sender, t.mails, t.first_date, nullif(t.last_date, '')
                 FROM (SELECT * FROM mail_threads WHERE (last_date, thread_uid) < (?1, ?2)
                       ORDER BY last_date DESC, thread_uid DESC LIMIT ?3) t
                 JOIN mails m ON m.file_id = (SELECT f.file_id FROM mails f WHERE f.thread_uid = t.thread_uid
                      ORDER BY f.date IS NULL, f.date, f.message_id, f.file_id LIMIT 1)
                 ORDER BY t.last_date DESC, t.thread_uid DESC",
            )?;
            let rows = statement.query_map(params![date, uid, (limit + 1) as i64], |row| {
                Ok(ThreadRow {
                    thread_uid: row.get(0)?,
                    subject: row.get(1)?,
                    from: row.get(2)?,
                    mail_count: row.get::<_, i64>(3)? as u64,
                    first_date: row.get(4)?,
                    last_date: row.get(5)?,
                })
            })?;
            let mut threads: Vec<ThreadRow> = rows.collect::<rusqlite::Result<_>>()?;
            let has_more = threads.len() > limit;
            threads.truncate(limit);
            let place = |row: &ThreadRow| {
                format!("{}~{}", row.last_date.as_deref().unwrap_or_default(), row.thread_uid)
            };
            let next = threads.last().filter(|_| has_more).map(place);
            Ok(ThreadPage { threads, next })
        };
        read().map(Some).map_err(|error| self.fail(error))
    }
}
