//! Mails and threads as faces show them: text, page, what is attached.

use super::super::files::{FileState, STATE, file_state};
use super::super::{Store, StoreError, Variant};
use super::shapes::{Attachment, MailCopy, MailLine, MailView, ThreadMail, ThreadView};
use pensieve_text::model::{Locator, PartOwner, ProcessingStatus};
use pensieve_text::text::markdown::{page_of_markdown, plain_of_markdown};
use rusqlite::{OptionalExtension, Row, params};

/// Characters of the text of one mail: as many as a part of a document's text has at most.
pub const LONGEST_TEXT: usize = 1_000_000;

/// Bytes of mails in one part of a thread: behind the mail that fills it the next part begins.
const LARGEST_PART: usize = 4 << 20;

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
    /// The same letter, as it arrived or was kept in two places.
    fn is_copy_of(&self, other: &MailRow) -> bool {
        let letter = |row: &MailRow| (row.message_id.clone(), row.date.clone(), row.from.clone());
        self.message_id.is_some() && letter(self) == letter(other)
    }
}

/// The text of a mail.
struct Words {
    text: String,
    /// Where the body begins.
    body: usize,
    /// It goes on behind the limit.
    is_cut: bool,
}

impl Store {
    /// The mail that is this document, or whose bytes it has; `None` where there is no such document or it is no mail.
    ///
    /// # Errors
    /// The database cannot be read, or what is stored contradicts itself.
    pub fn mail(&self, doc_uid: &str) -> Result<Option<MailView>, StoreError> {
        let Some(file) = self.document(doc_uid)? else { return Ok(None) };
        let canonical = self.canonical_of(&file)?;
        let Some(row) = self.mail_of(canonical.file_id).map_err(|error| self.fail(error))? else {
            return Ok(None);
        };
        let words = self.words(row.file_id)?;
        let mut mail = self.thread_mail(&row, &words, Vec::new())?;
        let others = self.same_letter(&row).map_err(|error| self.fail(error))?;
        mail.copies = self.copies_of(&row, &others)?;
        Ok(Some(MailView {
            render_html: mail.body_html.clone(),
            mail,
            message_id: row.message_id,
            in_reply_to: row.in_reply_to,
            references: row.refs.iter().flat_map(|refs| refs.split(' ')).map(str::to_owned).collect(),
            thread_uid: row.thread_uid,
            clean_text: plain_of_markdown(&words.text),
            clean_markdown: words.text,
            transform_version: row.transform,
        }))
    }

    /// Mails of a thread in order of date, from number `offset` on; copies of one letter are one mail. Large mails come
    /// a few at a time, whatever `limit` asks for. `None` where there is no such thread.
    ///
    /// # Errors
    /// As for [`Store::mail`].
    pub fn thread(
        &self,
        thread_uid: &str,
        offset: usize,
        limit: usize,
    ) -> Result<Option<ThreadView>, StoreError> {
        let rows = self.mails_of(thread_uid).map_err(|error| self.fail(error))?;
        let mut letters: Vec<Vec<MailRow>> = Vec::new();
        for row in rows {
            // Copies have one date, so that they stand near each other.
            let near = letters.iter_mut().rev().take_while(|letter| letter[0].date == row.date);
            match near.into_iter().find(|letter| row.is_copy_of(&letter[0])) {
                Some(letter) => letter.push(row),
                None => letters.push(vec![row]),
            }
        }
        let Some(first) = letters.first() else { return Ok(None) };
        let (subject, total) = (first[0].subject.clone(), letters.len() as u64);
        let (mut mails, mut weight) = (Vec::new(), 0);
        for letter in letters.iter().skip(offset).take(limit) {
            let words = self.words(letter[0].file_id)?;
            let copies = self.copies_of(&letter[0], &letter[1..])?;
            let mail = self.thread_mail(&letter[0], &words, copies)?;
            weight += mail.weight();
            mails.push(mail);
            if weight >= LARGEST_PART {
                break;
            }
        }
        Ok(Some(ThreadView { thread_uid: thread_uid.to_owned(), subject, total, mails }))
    }

    /// The mails of the thread of this file, in order of date, without their texts; none where it is no mail.
    pub fn thread_lines(&self, file_id: i64, limit: usize) -> Result<Vec<MailLine>, StoreError> {
        let read = || -> rusqlite::Result<Vec<MailLine>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT f.doc_uid, m.subject, m.sender, m.date FROM mails m JOIN files f USING(file_id)
                 WHERE m.thread_uid = (SELECT thread_uid FROM mails WHERE file_id = ?1)
                 ORDER BY m.date IS NULL, m.date, m.message_id, f.root_id, f.relative_path LIMIT ?2",
            )?;
            let rows = statement.query_map(params![file_id, limit as i64], |row| {
                Ok(MailLine {
                    doc_uid: row.get(0)?,
                    subject: row.get(1)?,
                    from: row.get(2)?,
                    date: row.get(3)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// A path below a root as a person reads it: what lies inside a file stands behind `»`.
    pub fn shown_path(&self, file: &FileState) -> Result<String, StoreError> {
        self.shown_name(file.file_id)
    }

    /// The same for a row.
    pub fn shown_name(&self, file_id: i64) -> Result<String, StoreError> {
        let mut parts: Vec<String> = Vec::new();
        let mut at = Some(file_id);
        while let Some(file_id) = at {
            let (parent, member, name, relative): (Option<i64>, Option<String>, String, String) = self
                .connection
                .prepare_cached(
                    "SELECT parent_file_id, member, filename, relative_path FROM files WHERE file_id = ?1",
                )
                .and_then(|mut statement| {
                    statement
                        .query_row([file_id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
                })
                .map_err(|error| self.fail(error))?;
            match (parent, member) {
                (Some(_), Some(member)) => parts.extend([name, member]),
                _ => parts.push(relative),
            }
            at = parent;
        }
        parts.reverse();
        Ok(parts.join(" » "))
    }

    fn document(&self, doc_uid: &str) -> Result<Option<FileState>, StoreError> {
        self.connection
            .prepare_cached(&format!(
                "SELECT {STATE} FROM files WHERE doc_uid = ?1 AND processing_status <> 'Deleted'"
            ))
            .and_then(|mut statement| statement.query_row([doc_uid], file_state).optional())
            .map_err(|error| self.fail(error))
    }

    fn mail_of(&self, file_id: i64) -> rusqlite::Result<Option<MailRow>> {
        self.connection
            .prepare_cached(&format!(
                "SELECT {COLUMNS} FROM mails m JOIN files f USING(file_id) WHERE m.file_id = ?1"
            ))?
            .query_row([file_id], mail_row)
            .optional()
    }

    fn mails_of(&self, thread_uid: &str) -> rusqlite::Result<Vec<MailRow>> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM mails m JOIN files f USING(file_id) WHERE m.thread_uid = ?1
             ORDER BY m.date IS NULL, m.date, m.message_id, f.root_id, f.relative_path"
        ))?;
        let rows = statement.query_map([thread_uid], mail_row)?;
        rows.collect()
    }

    /// Other mails of the thread that are copies of this one.
    fn same_letter(&self, row: &MailRow) -> rusqlite::Result<Vec<MailRow>> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM mails m JOIN files f USING(file_id)
             WHERE m.thread_uid = ?1 AND m.date IS ?2 AND m.message_id = ?3 AND m.file_id <> ?4
             ORDER BY f.root_id, f.relative_path"
        ))?;
        let found =
            statement.query_map(params![row.thread_uid, row.date, row.message_id, row.file_id], mail_row)?;
        let mut rows: Vec<MailRow> = found.collect::<rusqlite::Result<_>>()?;
        rows.retain(|other| other.is_copy_of(row));
        Ok(rows)
    }

    /// Every other document that is the letter: duplicates of the row's file, other files with the letter, and theirs.
    fn copies_of(&self, row: &MailRow, others: &[MailRow]) -> Result<Vec<MailCopy>, StoreError> {
        let mut copies = Vec::new();
        for (at, file_id) in std::iter::once(row).chain(others).map(|row| row.file_id).enumerate() {
            for file in self.group_of(file_id).map_err(|error| self.fail(error))? {
                if at > 0 || file.1.file_id != row.file_id {
                    copies.push(MailCopy { doc_uid: file.0, name: self.shown_path(&file.1)? });
                }
            }
        }
        Ok(copies)
    }

    /// A file and all that have its bytes, with their uids.
    fn group_of(&self, file_id: i64) -> rusqlite::Result<Vec<(String, FileState)>> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT {STATE}, doc_uid FROM files WHERE file_id = ?1 OR duplicate_group_id = ?1
             ORDER BY is_canonical DESC, root_id, relative_path"
        ))?;
        let uid = STATE.split(',').count();
        let rows = statement.query_map([file_id], |row| Ok((row.get(uid)?, file_state(row)?)))?;
        rows.collect()
    }

    fn thread_mail(
        &self,
        row: &MailRow,
        words: &Words,
        copies: Vec<MailCopy>,
    ) -> Result<ThreadMail, StoreError> {
        let missing = || StoreError::Damaged {
            path: self.path.clone(),
            detail: format!("the file of mail {} is missing", row.file_id),
        };
        let file = self.file(row.file_id)?.ok_or_else(missing)?;
        let page = self.stored_page(row.file_id)?;
        let body_markdown = words.text[words.body..].trim_start_matches('\n').to_owned();
        let (raw, sanitised) = page.map_or((None, String::new()), |(raw, shown)| (Some(raw), shown));
        let body_html =
            if sanitised.trim().is_empty() { page_of_markdown(&body_markdown) } else { sanitised };
        Ok(ThreadMail {
            doc_uid: row.doc_uid.clone(),
            name: self.shown_path(&file)?,
            subject: row.subject.clone(),
            from: row.from.clone(),
            to: row.to.clone(),
            cc: row.cc.clone(),
            date: row.date.clone(),
            body_markdown,
            body_html,
            body_html_raw: raw,
            text_truncated: words.is_cut,
            text_limit_chars: LONGEST_TEXT as u64,
            attachments: self.attachments(row.file_id).map_err(|error| self.fail(error))?,
            copies,
        })
    }

    fn attachments(&self, file_id: i64) -> rusqlite::Result<Vec<Attachment>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT a.doc_uid, a.filename, a.member, a.mime_type, a.size_bytes, a.processing_status, a.status_reason,
                    (SELECT c.doc_uid FROM files c WHERE c.file_id = a.duplicate_group_id AND NOT a.is_canonical)
             FROM files a WHERE a.parent_file_id = ?1 AND a.processing_status <> ?2 ORDER BY a.file_id",
        )?;
        let rows = statement.query_map(params![file_id, ProcessingStatus::Deleted.as_str()], |row| {
            Ok(Attachment {
                doc_uid: row.get(0)?,
                filename: row.get(1)?,
                member: row.get(2)?,
                mime_type: row.get(3)?,
                size_bytes: row.get::<_, i64>(4)? as u64,
                processing_status: row.get(5)?,
                status_reason: row.get(6)?,
                canonical_doc_uid: row.get(7)?,
            })
        })?;
        rows.collect()
    }

    /// The mail's own page, and what of it may be shown.
    fn stored_page(&self, file_id: i64) -> Result<Option<(String, String)>, StoreError> {
        let found: Option<(Vec<u8>, Vec<u8>)> = self
            .connection
            .prepare_cached("SELECT raw, sanitised FROM mail_pages WHERE file_id = ?1")
            .and_then(|mut statement| {
                statement.query_row([file_id], |row| Ok((row.get(0)?, row.get(1)?))).optional()
            })
            .map_err(|error| self.fail(error))?;
        let Some((raw, sanitised)) = found else { return Ok(None) };
        let unpacked =
            |frame: &[u8]| zstd::decode_all(frame).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        match (unpacked(&raw), unpacked(&sanitised)) {
            (Some(raw), Some(sanitised)) => Ok(Some((raw, sanitised))),
            _ => Err(StoreError::Damaged {
                path: self.path.clone(),
                detail: format!("the page of file {file_id} cannot be read"),
            }),
        }
    }

    /// The current clean text, as far as the limit. Its head is known by its place in the source, whatever cleaning has
    /// made of it.
    fn words(&self, file_id: i64) -> Result<Words, StoreError> {
        let mut words = Words { text: String::new(), body: 0, is_cut: false };
        let Some(version) = self.text_version(file_id, Variant::Clean)? else { return Ok(words) };
        let mut left = LONGEST_TEXT;
        self.read_text(file_id, Variant::Clean, &version.version, &mut |stored| {
            let places = stored.segment.places.0.iter();
            let heads = places.take_while(|(_, place)| is_head(place));
            if let Some((span, _)) = heads.last() {
                words.body = stored.start + span.end;
            }
            let text = &stored.segment.text;
            let end = text.char_indices().nth(left).map_or(text.len(), |(end, _)| end);
            words.text.push_str(&text[..end]);
            left -= text[..end].chars().count();
            words.is_cut = end < text.len();
            !words.is_cut
        })?;
        words.body = words.text.floor_char_boundary(words.body);
        Ok(words)
    }
}

fn is_head(place: &Locator) -> bool {
    matches!(place, Locator::Part { of: PartOwner::Whole, first, last, .. } if &**first == "HEADER" && first == last)
}
