//! Rows of another database, as they are copied into this one: of a file, of its content, of its chunks.

use super::content::chunk_rows::ChunkRow;
use super::files::{free_uid, is_free};
use crate::store::rows::place_columns::{PlaceColumns, place_columns};
use crate::store::rows::sql::{Queries, offset};
use pensieve_text::model::ContentHash;
use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, Row, Statement, ToSql, params};
use std::ops::ControlFlow;

/// Copies of rows are passed on in portions of this many chunks, or of this much text.
const MAX_CHUNKS: usize = 1024;
const MAX_CHUNK_BYTES: usize = 4 * 1024 * 1024;

/// The columns of a file that do not depend on the database that it is in.
const FILE: &str =
    "relative_path, full_filepath, folder_path, filename, file_extension, file_type, size_bytes, hash,
     creation_date, modification_date, access_date, permissions, mtime_s, mtime_ns, ctime_s, ctime_ns, inode, device,
     depth_level, is_hidden, is_symlink, symlink_target, path_bytes, mime_type, status_reason, processing_status";

/// The tables with the content of a file: the copied columns, in the order in which rows are read.
const CONTENT: &[(&str, &str, &str)] = &[
    ("texts", "variant, version, segment, start_index, char_start, content", "variant, version, segment"),
    ("text_maps", "variant, version, segment, content", "variant, version, segment"),
    (
        "text_versions",
        "variant, version, is_current, sha256, byte_length, char_length, needs_review, review_reasons, extractor,
         settings_hash, created_at, maps_sha256, review_counts, text_facts",
        "variant, version",
    ),
    ("metadata", "key, value", "rowid"),
    ("document_fields", "seq, field, value", "seq"),
    ("hidden_text", "seq, reason, locator, chars, text", "seq"),
    ("sections", "seq, level, label, anchor, start_index, end_index, locator", "seq"),
    (
        "mails",
        "message_id, in_reply_to, refs, date, subject, sender, recipients, copies_to, transform_version",
        "file_id",
    ),
    ("mail_ids", "id, is_child", "id"),
    ("mail_pages", "raw, sanitised", "file_id"),
];

/// The open problems of a file; a number of its run means nothing elsewhere.
const PROBLEMS: (&str, &str, &str) = ("errors", "path, timestamp, error_type, error_message", "error_id");

/// Adds a row of another database to a root of this one, without its part in a group of duplicates. It keeps its uid if
/// that is free.
pub(super) fn copy_row(
    from: &Connection,
    to: &Connection,
    file_id: i64,
    root_id: i64,
) -> rusqlite::Result<i64> {
    let sql = "SELECT doc_uid, relative_path FROM files WHERE file_id = ?1";
    let (uid, path): (String, String) = from.one(sql, [file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let uid = if is_free(to, &uid)? { uid } else { free_uid(to, &path)? };
    let select = format!("SELECT {FILE} FROM files WHERE file_id = ?1");
    let insert = format!(
        "INSERT INTO files(root_id, doc_uid, {FILE}) VALUES(?, ?{})",
        ", ?".repeat(FILE.split(',').count())
    );
    let mut insert = to.prepare_cached(&insert)?;
    from.one(&select, [file_id], |row| copy_values(row, &[&root_id, &uid], &mut insert))?;
    Ok(to.last_insert_rowid())
}

/// Copies everything that is stored for a file, except its chunks and members; returns the copied bytes of text.
pub(super) fn copy_content(
    from: &Connection,
    to: &Connection,
    file_id: i64,
    new_id: i64,
) -> rusqlite::Result<usize> {
    let bytes = "SELECT coalesce(sum(length(content)), 0) FROM texts WHERE file_id = ?1";
    for table in CONTENT {
        copy_table(from, to, *table, file_id, new_id)?;
    }
    from.one(bytes, [file_id], |row| offset(row, 0))
}

/// Copies the open problems of a file.
pub(super) fn copy_problems(
    from: &Connection,
    to: &Connection,
    file_id: i64,
    new_id: i64,
    run_id: i64,
) -> rusqlite::Result<()> {
    copy_table(from, to, PROBLEMS, file_id, new_id)?;
    to.run("UPDATE errors SET run_id = ?2 WHERE file_id = ?1", [new_id, run_id]).map(drop)
}

fn copy_table(
    from: &Connection,
    to: &Connection,
    (table, columns, order): (&str, &str, &str),
    file_id: i64,
    new_id: i64,
) -> rusqlite::Result<()> {
    let select = format!("SELECT {columns} FROM {table} WHERE file_id = ?1 ORDER BY {order}");
    let insert = format!(
        "INSERT INTO {table}(file_id, {columns}) VALUES(?{})",
        ", ?".repeat(columns.split(',').count())
    );
    let mut insert = to.prepare_cached(&insert)?;
    from.each(&select, [file_id], |row| {
        copy_values(row, &[&new_id], &mut insert)?;
        Ok(ControlFlow::Continue(()))
    })
}

/// Executes an insert with these values first, and then all columns of a row.
fn copy_values(row: &Row<'_>, first: &[&dyn ToSql], insert: &mut Statement<'_>) -> rusqlite::Result<()> {
    for (at, value) in first.iter().enumerate() {
        insert.raw_bind_parameter(at + 1, *value)?;
    }
    for column in 0..row.as_ref().column_count() {
        let value = ToSqlOutput::Borrowed(row.get_ref(column)?);
        insert.raw_bind_parameter(first.len() + column + 1, value)?;
    }
    insert.raw_execute().map(drop)
}

/// The result of a file that is copied with its content.
#[derive(Debug, Clone)]
pub(super) struct CopiedResult {
    status: Option<String>,
    reason: Option<String>,
    format: Option<String>,
    encoding: Option<String>,
    extractor: Option<String>,
    tokens: Option<i64>,
    /// `None` if the file is to be read again by the next run.
    pub settings_hash: Option<String>,
}

impl CopiedResult {
    /// Reads the result of a file.
    pub fn read(from: &Connection, file_id: i64) -> rusqlite::Result<CopiedResult> {
        let sql = "SELECT processing_status, status_reason, format, encoding, extractor, estimated_tokens,
                          settings_hash FROM files WHERE file_id = ?1";
        from.one(sql, [file_id], |row| {
            Ok(CopiedResult {
                status: row.get(0)?,
                reason: row.get(1)?,
                format: row.get(2)?,
                encoding: row.get(3)?,
                extractor: row.get(4)?,
                tokens: row.get(5)?,
                settings_hash: row.get(6)?,
            })
        })
    }

    /// Writes it into the row of a file.
    pub fn write(&self, to: &Connection, file_id: i64) -> rusqlite::Result<()> {
        let sql = "UPDATE files SET processing_status = ?2, status_reason = ?3, format = ?4, encoding = ?5,
                          extractor = ?6, estimated_tokens = ?7, settings_hash = ?8 WHERE file_id = ?1";
        let CopiedResult { status, reason, format, encoding, extractor, tokens, settings_hash } = self;
        let values = params![file_id, status, reason, format, encoding, extractor, tokens, settings_hash];
        to.run(sql, values).map(drop)
    }
}

/// Passes the chunks of a file to `visit` with their strategy, in portions, in the order of their places.
pub(super) fn each_chunk_portion<E>(
    from: &Connection,
    file_id: i64,
    mut visit: impl FnMut(&str, Vec<ChunkRow>) -> Result<(), E>,
) -> rusqlite::Result<Result<(), E>> {
    let sql = concat!(
        "SELECT chunking_strategy, content_hash, content, estimated_tokens, ",
        place_columns!(),
        " FROM chunk_sources s CROSS JOIN chunks c ON c.chunk_id = s.chunk_id
          WHERE s.file_id = ?1 ORDER BY start_index, end_index, content_hash"
    );
    let (mut strategy, mut rows, mut bytes) = (String::new(), Vec::new(), 0);
    let mut ended = Ok(());
    from.each(sql, [file_id], |row| {
        let next = row.get_ref(0)?.as_str()?;
        if next != strategy || rows.len() >= MAX_CHUNKS || bytes >= MAX_CHUNK_BYTES {
            ended = if rows.is_empty() { Ok(()) } else { visit(&strategy, std::mem::take(&mut rows)) };
            bytes = 0;
            next.clone_into(&mut strategy);
        }
        let chunk = chunk_row(row)?;
        bytes += chunk.content.len();
        rows.push(chunk);
        Ok(if ended.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    Ok(match rows.is_empty() {
        false if ended.is_ok() => visit(&strategy, rows),
        _ => ended,
    })
}

fn chunk_row(row: &Row<'_>) -> rusqlite::Result<ChunkRow> {
    let hash = row.get_ref(1)?.as_str()?.parse::<ContentHash>();
    Ok(ChunkRow {
        hash: hash.map_err(|_| rusqlite::Error::InvalidQuery)?,
        content: row.get(2)?,
        tokens: offset(row, 3)?,
        place: PlaceColumns::read(row, 4)?,
    })
}
