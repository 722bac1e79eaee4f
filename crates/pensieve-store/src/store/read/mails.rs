//! Mails and threads for the HTTP API: text, HTML page, attachments.

use super::files::{FileQueries, FileState, STATE, file_state, states};
use super::mail_views::{Attachment, MailCopy, MailSummary, MailView, ThreadMail, ThreadView};
use super::text::StoredText;
use super::texts::TextQueries;
use super::threads::{ThreadPage, threads};
use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::rows::member_names::shown_name;
use crate::store::rows::sql::{Queries, count};
use crate::store::rows::text_packing::{TextVariant, unpack_text};
use pensieve_text::model::{Locator, PartOwner};
use pensieve_text::text::markdown::{page_of_markdown, plain_of_markdown};
use rusqlite::{Connection, Params, Row, params};

/// Maximum characters of the text of one mail: the same as for a part of a document's text.
const MAX_TEXT_CHARS: usize = 1_000_000;

/// Bytes of mails in one page of a thread; the mail that reaches this size ends the page.
const MAX_PART_BYTES: usize = 4 << 20;

/// A row of `mails` with its document.
struct MailRow {
    file_id: i64,
    doc_uid: String,
    subject: Option<String>,
    from: Option<String>,
    to: Option<String>,
    cc: Option<String>,
    date: Option<String>,
    message_id: Option<String>,
    in_reply_to: Option<String>,
    refs: Option<String>,
    thread_uid: Option<String>,
    transform: Option<String>,
}

const COLUMNS: &str =
    "m.file_id, f.doc_uid, m.subject, m.sender, m.recipients, m.copies_to, m.date, m.message_id,
    m.in_reply_to, m.refs, m.thread_uid, m.transform_version";

fn mail_row(row: &Row<'_>) -> rusqlite::Result<MailRow> {
    Ok(MailRow {
        file_id: row.get(0)?,
        doc_uid: row.get(1)?,
        subject: row.get(2)?,
        from: row.get(3)?,
        to: row.get(4)?,
        cc: row.get(5)?,
        date: row.get(6)?,
        message_id: row.get(7)?,
        in_reply_to: row.get(8)?,
        refs: row.get(9)?,
        thread_uid: row.get(10)?,
        transform: row.get(11)?,
    })
}

impl MailRow {
    /// True if both rows are the same mail, stored in two places.
    fn is_copy_of(&self, other: &MailRow) -> bool {
        self.message_id.is_some()
            && (&self.message_id, &self.date, &self.from) == (&other.message_id, &other.date, &other.from)
    }
}

/// The mails that `condition` selects.
fn mail_rows(
    connection: &Connection,
    condition: &str,
    values: impl Params,
) -> rusqlite::Result<Vec<MailRow>> {
    let sql = format!("SELECT {COLUMNS} FROM mails m JOIN files f USING(file_id) WHERE {condition}");
    connection.rows(&sql, values, mail_row)
}

/// The text of a mail.
struct MailText {
    text: String,
    /// First byte of the body.
    body: usize,
    /// True if the text was cut at the limit.
    is_cut: bool,
}

/// Mails and threads.
pub struct MailQueries<'s>(pub(crate) &'s Store);

impl MailQueries<'_> {
    /// The mail of this document, or the one with the same bytes; `None` if the document does not exist or is no mail.
    ///
    /// # Errors
    /// The database cannot be read, or the stored data is inconsistent.
    pub fn get(&self, doc_uid: &str) -> Result<Option<MailView>, StoreError> {
        let condition = "doc_uid = ?1 AND processing_status <> 'Deleted'";
        let Some(file) = self.0.ask(|connection| states(connection, condition, [doc_uid]))?.pop() else {
            return Ok(None);
        };
        let canonical = FileQueries(self.0).canonical_of(&file)?.file_id;
        let found = self.0.ask(|connection| mail_rows(connection, "m.file_id = ?1", [canonical]))?.pop();
        let Some(row) = found else { return Ok(None) };
        let text = self.text_of(row.file_id)?;
        let mut mail = self.thread_mail(&row, &text)?;
        mail.copies = self.0.ask(|connection| copies_of(connection, &row, &same_mails(connection, &row)?))?;
        Ok(Some(MailView {
            render_html: mail.body_html.clone(),
            mail,
            message_id: row.message_id,
            in_reply_to: row.in_reply_to,
            references: row.refs.iter().flat_map(|refs| refs.split(' ')).map(str::to_owned).collect(),
            thread_uid: row.thread_uid,
            clean_text: plain_of_markdown(&text.text),
            clean_markdown: text.text,
            transform_version: row.transform,
        }))
    }

    /// Mails of a thread by date, from number `offset` on; copies of one mail are listed once. A page of large mails
    /// may contain fewer than `limit`. `None` if the thread does not exist.
    ///
    /// # Errors
    /// As for [`MailQueries::get`].
    pub fn thread(
        &self,
        thread_uid: &str,
        offset: usize,
        limit: usize,
    ) -> Result<Option<ThreadView>, StoreError> {
        let groups = self.0.ask(|connection| mails_of(connection, thread_uid))?;
        let Some(first) = groups.first() else { return Ok(None) };
        let (subject, total) = (first[0].subject.clone(), groups.len() as u64);
        let (mut mails, mut bytes) = (Vec::new(), 0);
        for copies in groups.iter().skip(offset).take(limit) {
            let mut mail = self.thread_mail(&copies[0], &self.text_of(copies[0].file_id)?)?;
            mail.copies = self.0.ask(|connection| copies_of(connection, &copies[0], &copies[1..]))?;
            bytes += mail.body_bytes();
            mails.push(mail);
            if bytes >= MAX_PART_BYTES {
                break;
            }
        }
        Ok(Some(ThreadView { thread_uid: thread_uid.to_owned(), subject, total, mails }))
    }

    /// The mails of the thread of this file, by date, without their texts; empty if the file is no mail.
    pub fn thread_summaries(&self, file_id: i64, limit: usize) -> Result<Vec<MailSummary>, StoreError> {
        let sql = "SELECT f.doc_uid, m.subject, m.sender, m.date FROM mails m JOIN files f USING(file_id)
                   WHERE m.thread_uid = (SELECT thread_uid FROM mails WHERE file_id = ?1)
                   ORDER BY m.date IS NULL, m.date, m.message_id, f.root_id, f.relative_path LIMIT ?2";
        self.0.ask(|connection| {
            connection.rows(sql, params![file_id, limit as i64], |row| {
                let (doc_uid, subject) = (row.get(0)?, row.get(1)?);
                Ok(MailSummary { doc_uid, subject, from: row.get(2)?, date: row.get(3)? })
            })
        })
    }

    /// Threads, the latest first, from `cursor` on (the `next` of the previous page). `None` for an invalid cursor.
    ///
    /// Cost: one look-up per thread of the page, whatever its position in the list.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn threads(&self, cursor: Option<&str>, limit: usize) -> Result<Option<ThreadPage>, StoreError> {
        let position = match cursor.map(|cursor| cursor.split_once('~')) {
            None => ("~", ""),
            Some(None) => return Ok(None),
            Some(Some(position)) => position,
        };
        self.0.ask(|connection| threads(connection, position, limit)).map(Some)
    }

    /// A mail without its copies.
    fn thread_mail(&self, row: &MailRow, text: &MailText) -> Result<ThreadMail, StoreError> {
        let body_markdown = text.text[text.body..].trim_start_matches('\n').to_owned();
        let (raw, sanitised) = self.stored_page(row.file_id)?.unzip();
        let sanitised = sanitised.filter(|page| !page.trim().is_empty());
        let body_html = sanitised.unwrap_or_else(|| page_of_markdown(&body_markdown));
        let (name, attachments) = self.0.ask(|connection| {
            Ok((shown_name(connection, row.file_id)?, attachments(connection, row.file_id)?))
        })?;
        Ok(ThreadMail {
            doc_uid: row.doc_uid.clone(),
            name,
            subject: row.subject.clone(),
            from: row.from.clone(),
            to: row.to.clone(),
            cc: row.cc.clone(),
            date: row.date.clone(),
            body_markdown,
            body_html,
            body_html_raw: raw,
            text_truncated: text.is_cut,
            text_limit_chars: MAX_TEXT_CHARS as u64,
            text_next: None,
            attachments,
            copies: Vec::new(),
        })
    }

    /// The mail's own HTML page, and its sanitised form.
    fn stored_page(&self, file_id: i64) -> Result<Option<(String, String)>, StoreError> {
        let sql = "SELECT raw, sanitised FROM mail_pages WHERE file_id = ?1";
        let found = self.0.ask(|connection| {
            connection.first(sql, [file_id], |row| {
                let unpacked = |at| Ok::<_, rusqlite::Error>(unpack_text(row.get_ref(at)?.as_blob()?));
                Ok(unpacked(0)?.zip(unpacked(1)?))
            })
        })?;
        match found {
            Some(None) => Err(self.0.damaged(format!("the page of file {file_id} cannot be read"))),
            found => Ok(found.flatten()),
        }
    }

    /// The current clean text, up to the limit. The end of the head is found by its place in the source, so that
    /// cleaning may change the head.
    fn text_of(&self, file_id: i64) -> Result<MailText, StoreError> {
        let mut mail = MailText { text: String::new(), body: 0, is_cut: false };
        let Some(current) = TextQueries(self.0).current(file_id, TextVariant::Clean)? else {
            return Ok(mail);
        };
        let stored =
            StoredText { store: self.0, file_id, variant: TextVariant::Clean, version: &current.version };
        let mut left = MAX_TEXT_CHARS;
        stored.each_segment(&mut |stored| {
            let places = stored.segment.places.0.iter();
            if let Some((span, _)) = places.take_while(|(_, place)| is_head(place)).last() {
                mail.body = stored.start + span.end;
            }
            let text = &stored.segment.text;
            let end = text.char_indices().nth(left).map_or(text.len(), |(end, _)| end);
            mail.text.push_str(&text[..end]);
            left -= text[..end].chars().count();
            mail.is_cut = end < text.len();
            !mail.is_cut
        })?;
        mail.body = mail.text.floor_char_boundary(mail.body);
        Ok(mail)
    }
}

fn is_head(place: &Locator) -> bool {
    matches!(place, Locator::Part { of: PartOwner::Whole, first, last, .. } if &**first == "HEADER" && first == last)
}

/// The mails of a thread by date, each grouped with its copies.
fn mails_of(connection: &Connection, thread_uid: &str) -> rusqlite::Result<Vec<Vec<MailRow>>> {
    let condition = "m.thread_uid = ?1
         ORDER BY m.date IS NULL, m.date, m.message_id, f.root_id, f.relative_path";
    let mut groups: Vec<Vec<MailRow>> = Vec::new();
    for row in mail_rows(connection, condition, [thread_uid])? {
        // Copies have the same date, so they are close together.
        let mut near = groups.iter_mut().rev().take_while(|copies| copies[0].date == row.date);
        match near.find(|copies| row.is_copy_of(&copies[0])) {
            Some(copies) => copies.push(row),
            None => groups.push(vec![row]),
        }
    }
    Ok(groups)
}

/// The other mails of the thread that are copies of this one.
fn same_mails(connection: &Connection, row: &MailRow) -> rusqlite::Result<Vec<MailRow>> {
    let condition = "m.thread_uid = ?1 AND m.date IS ?2 AND m.message_id = ?3 AND m.file_id <> ?4
         ORDER BY f.root_id, f.relative_path";
    let values = params![row.thread_uid, row.date, row.message_id, row.file_id];
    let mut rows = mail_rows(connection, condition, values)?;
    rows.retain(|other| other.is_copy_of(row));
    Ok(rows)
}

/// All other documents with the mail: duplicates of the row's file, and other files with the mail and their duplicates.
fn copies_of(connection: &Connection, row: &MailRow, others: &[MailRow]) -> rusqlite::Result<Vec<MailCopy>> {
    let mut copies = Vec::new();
    for file_id in std::iter::once(row).chain(others).map(|row| row.file_id) {
        for (doc_uid, file) in group_of(connection, file_id)? {
            if file.file_id != row.file_id {
                copies.push(MailCopy { doc_uid, name: shown_name(connection, file.file_id)? });
            }
        }
    }
    Ok(copies)
}

/// A file and all files with the same bytes, with their uids.
fn group_of(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<(String, FileState)>> {
    let sql = format!(
        "SELECT {STATE}, doc_uid FROM files WHERE file_id = ?1 OR duplicate_group_id = ?1
         ORDER BY is_canonical DESC, root_id, relative_path"
    );
    let uid = STATE.split(',').count();
    connection.rows(&sql, [file_id], |row| Ok((row.get(uid)?, file_state(row)?)))
}

fn attachments(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<Attachment>> {
    let sql = "SELECT a.doc_uid, a.filename, a.member, a.mime_type, a.size_bytes, a.processing_status,
                      a.status_reason, (SELECT c.doc_uid FROM files c
                        WHERE c.file_id = a.duplicate_group_id AND NOT a.is_canonical)
               FROM files a WHERE a.parent_file_id = ?1 AND a.processing_status <> 'Deleted' ORDER BY a.file_id";
    connection.rows(sql, [file_id], |row| {
        Ok(Attachment {
            doc_uid: row.get(0)?,
            filename: row.get(1)?,
            member: row.get(2)?,
            mime_type: row.get(3)?,
            size_bytes: count(row, 4)?,
            processing_status: row.get(5)?,
            status_reason: row.get(6)?,
            canonical_doc_uid: row.get(7)?,
        })
    })
}

#[cfg(test)]
mod tests;
