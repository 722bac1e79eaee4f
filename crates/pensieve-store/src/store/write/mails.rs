//! The facts of mails apart from their text: rows of `mails`, the identifiers that connect them into threads, and their
//! HTML pages. Clean text depends only on its own file; facts that span several mails are stored only here.

use super::threads::{chain_of, own_key};
use crate::store::rows::sql::Queries;
use pensieve_text::model::{MailFacts, MailHtml};
use rusqlite::{Connection, params};

/// The version of the recipe that turns a mail into text and sanitises its page.
const MAIL_TRANSFORM: &str = "mail_v1";

/// A high level, because pages are seldom read.
const ZSTD_LEVEL: i32 = 3;

/// Replaces the stored facts of a mail. [`settle`](super::threads::settle) determines its thread before the transaction
/// ends.
pub(super) fn write_mail(connection: &Connection, file_id: i64, mail: &MailFacts) -> rusqlite::Result<()> {
    connection.run("DELETE FROM mail_ids WHERE file_id = ?1", [file_id])?;
    connection.run(
        "INSERT OR REPLACE INTO mails(file_id, message_id, in_reply_to, refs, date, subject, sender, recipients,
                copies_to, transform_version)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            file_id,
            mail.message_id,
            mail.in_reply_to,
            Some(mail.refs.join(" ")).filter(|refs| !refs.is_empty()),
            mail.date,
            mail.subject,
            mail.from,
            mail.to,
            mail.cc,
            MAIL_TRANSFORM
        ],
    )?;
    let hash: Option<String> =
        connection.one("SELECT hash FROM files WHERE file_id = ?1", [file_id], |row| row.get(0))?;
    let own = own_key(mail.message_id.as_deref(), &hash.unwrap_or_default());
    for (place, key) in chain_of(mail, own).enumerate() {
        let sql = "INSERT OR IGNORE INTO mail_ids(id, file_id, is_child) VALUES(?1, ?2, ?3)";
        connection.run(sql, params![key, file_id, place > 0])?;
    }
    match &mail.page {
        Some(page) => write_page(connection, file_id, page),
        None => Ok(()),
    }
}

fn write_page(connection: &Connection, file_id: i64, page: &MailHtml) -> rusqlite::Result<()> {
    // Compression in memory fails only if memory runs out; the page is then omitted, but the text is stored anyway.
    let packed = |text: &str| zstd::bulk::compress(text.as_bytes(), ZSTD_LEVEL).ok();
    let (Some(raw), Some(sanitised)) = (packed(&page.raw), packed(&page.sanitised)) else { return Ok(()) };
    let sql = "INSERT OR REPLACE INTO mail_pages(file_id, raw, sanitised) VALUES(?1, ?2, ?3)";
    connection.run(sql, params![file_id, raw, sanitised]).map(drop)
}
