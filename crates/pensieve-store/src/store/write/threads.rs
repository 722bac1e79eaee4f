//! Threads: which mails belong together.
//!
//! As in Jamie Zawinski's algorithm (<https://www.jwz.org/doc/threading.html>), each mail forms a chain of identifiers:
//! `References`, then `In-Reply-To`, then its own. Subjects connect nothing, since equal words prove nothing. His trees
//! depend on the order in which mails arrive. Here a thread is a connected component of such chains, which does not. It
//! is named after its root: the identifier at the head of chains that answers no other, whether its mail is stored or
//! not. Adding or removing replies therefore keeps the name, and any history of changes ends in the same threads as a
//! fresh ingest.
//!
//! Triggers note every identifier of an added or removed mail; before a transaction ends, [`settle`] walks the
//! components of these identifiers.

use crate::store::rows::sql::Queries;
use pensieve_text::model::{ContentHash, MailFacts};
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// An identifier that connects mails: the first 128 bits of its hash.
pub(super) type ThreadKey = [u8; 16];

fn key(kind: &str, id: &str) -> ThreadKey {
    let hash = ContentHash::of(format!("{kind}\0{id}").as_bytes());
    hash.0[..16].try_into().expect("a hash has 32 bytes")
}

/// The key of a mail: of its identifier, or of its bytes if it has no identifier.
pub(super) fn own_key(message_id: Option<&str>, hash: &str) -> ThreadKey {
    message_id.map_or_else(|| key("bytes", hash), |id| key("thread", id))
}

/// The keys of a mail's chain, from the head of its thread on.
pub(super) fn chain_of(mail: &MailFacts, own: ThreadKey) -> impl Iterator<Item = ThreadKey> + '_ {
    let answered = mail.in_reply_to.iter().filter(|id| !mail.refs.contains(id));
    mail.refs.iter().chain(answered).map(|id| key("thread", id)).chain([own])
}

/// Finds the threads of all mails that were added, removed or connected differently in this transaction.
///
/// Cost: one walk over each thread that changed.
pub(super) fn settle(connection: &Connection) -> rusqlite::Result<()> {
    let next = "SELECT id FROM mail_unsettled LIMIT 1";
    while let Some(id) = connection.first(next, [], |row| row.get::<_, ThreadKey>(0))? {
        let component = ThreadComponent::around(connection, id)?;
        component.write(connection)?;
    }
    Ok(())
}

/// Connected identifiers and mails.
#[derive(Default)]
struct ThreadComponent {
    /// True for identifiers that answer another.
    ids: HashMap<ThreadKey, bool>,
    mails: HashSet<i64>,
}

impl ThreadComponent {
    /// Everything that is connected to an identifier.
    fn around(connection: &Connection, start: ThreadKey) -> rusqlite::Result<ThreadComponent> {
        let holders = "SELECT file_id, is_child FROM mail_ids WHERE id = ?1";
        let held = "SELECT id FROM mail_ids WHERE file_id = ?1";
        let mut component = ThreadComponent::default();
        let mut waiting = vec![start];
        while let Some(id) = waiting.pop() {
            if component.ids.contains_key(&id) {
                continue;
            }
            let mut is_child = false;
            connection.each(holders, [id], |row| {
                is_child |= row.get::<_, bool>(1)?;
                let file_id = row.get(0)?;
                if component.mails.insert(file_id) {
                    waiting.extend(connection.rows(held, [file_id], |row| row.get::<_, ThreadKey>(0))?);
                }
                Ok(ControlFlow::Continue(()))
            })?;
            component.ids.insert(id, is_child);
        }
        Ok(component)
    }

    /// Writes the thread: its name into each mail, and one row that replaces those of its identifiers.
    fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let uid = hex(&self.root());
        let (first, last) = self.name_mails(connection, &uid)?;
        for id in self.ids.keys() {
            connection.run("DELETE FROM mail_unsettled WHERE id = ?1", [id])?;
            connection.run("DELETE FROM mail_threads WHERE thread_uid = ?1", [hex(id)])?;
        }
        if !self.mails.is_empty() {
            connection.run(
                "INSERT INTO mail_threads(thread_uid, mails, first_date, last_date) VALUES(?1, ?2, ?3, ?4)",
                params![uid, self.mails.len() as i64, first, last.unwrap_or_default()],
            )?;
        }
        Ok(())
    }

    /// Writes the name of the thread into its mails; returns their first and last date.
    fn name_mails(
        &self,
        connection: &Connection,
        uid: &str,
    ) -> rusqlite::Result<(Option<String>, Option<String>)> {
        let (mut first, mut last): (Option<String>, Option<String>) = (None, None);
        for file_id in &self.mails {
            let (date, is_renamed): (Option<String>, bool) = connection.one(
                "SELECT date, thread_uid IS NOT ?2 FROM mails WHERE file_id = ?1",
                params![file_id, uid],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            if is_renamed {
                connection
                    .run("UPDATE mails SET thread_uid = ?2 WHERE file_id = ?1", params![file_id, uid])?;
            }
            if first.is_none() || date.is_some() && date < first {
                first.clone_from(&date);
            }
            last = last.max(date);
        }
        Ok((first, last))
    }

    /// The identifier that answers no other; the smallest if there are several, or if all answer each other in a ring.
    fn root(&self) -> ThreadKey {
        let heads = self.ids.iter().filter(|(_, is_child)| !**is_child).map(|(id, _)| *id).min();
        heads.or_else(|| self.ids.keys().min().copied()).unwrap_or_default()
    }
}

fn hex(key: &ThreadKey) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
