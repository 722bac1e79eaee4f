//! The logical content of a corpus as one hash: same tree, same settings, same fingerprint.

use crate::store::sql::Queries;
use pensieve_text::model::{ContentHash, ContentHasher};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use std::ops::ControlFlow;

/// Each query returns lines; its first column is the sort key.
const PARTS: &[(&str, &str)] = &[
    (
        "file",
        "SELECT r.rank, f.relative_path, f.file_type, f.hash, f.size_bytes, f.is_canonical, f.duplicate_status,
                f.processing_status, f.estimated_tokens, f.mime_type, f.format
         FROM files f JOIN (SELECT root_id, row_number() OVER (ORDER BY root_id) AS rank FROM roots) r USING(root_id)
         WHERE f.processing_status IS NOT 'Deleted' ORDER BY r.rank, f.relative_path, f.member",
    ),
    (
        "chunk",
        "SELECT r.rank, f.relative_path, s.start_index, s.end_index, c.content_hash, s.chunking_strategy,
                s.source_start, s.source_end, s.source_exact, s.locator, s.heading_path, s.context,
                c.estimated_tokens, c.tokenizer_model
         FROM chunk_sources s JOIN chunks c USING(chunk_id) JOIN files f USING(file_id)
         JOIN (SELECT root_id, row_number() OVER (ORDER BY root_id) AS rank FROM roots) r USING(root_id)
         ORDER BY r.rank, f.relative_path, f.member, s.start_index, s.end_index, c.content_hash",
    ),
    (
        "text",
        "SELECT r.rank, f.relative_path, v.variant, v.version, v.sha256, v.needs_review
         FROM text_versions v JOIN files f USING(file_id)
         JOIN (SELECT root_id, row_number() OVER (ORDER BY root_id) AS rank FROM roots) r USING(root_id)
         WHERE v.is_current ORDER BY r.rank, f.relative_path, f.member, v.variant, v.version",
    ),
];

/// SHA-256 over the sorted lines of files, chunk sources and current texts; no ids, times or machine paths.
pub(super) fn fingerprint(connection: &Connection) -> rusqlite::Result<ContentHash> {
    let mut hasher = ContentHasher::new();
    for (name, query) in PARTS {
        hash_lines(connection, name, query, &mut hasher)?;
    }
    Ok(hasher.finish())
}

fn hash_lines(
    connection: &Connection,
    name: &str,
    query: &str,
    hasher: &mut ContentHasher,
) -> rusqlite::Result<()> {
    let columns = connection.prepare_cached(query)?.column_count();
    let mut line = Vec::new();
    connection.each(query, [], |row| {
        line.clear();
        line.extend_from_slice(name.as_bytes());
        for column in 0..columns {
            push_field(row, column, &mut line)?;
        }
        line.push(b'\n');
        hasher.update(&line);
        Ok(ControlFlow::Continue(()))
    })
}

/// Fields are separated by tabs; tabs, line ends and backslashes inside are escaped, so that different rows give
/// different lines.
fn push_field(row: &Row<'_>, column: usize, line: &mut Vec<u8>) -> rusqlite::Result<()> {
    line.push(b'\t');
    match row.get_ref(column)? {
        ValueRef::Null => line.extend_from_slice(b"\\N"),
        ValueRef::Integer(number) => line.extend_from_slice(number.to_string().as_bytes()),
        ValueRef::Real(number) => line.extend_from_slice(number.to_string().as_bytes()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            for &byte in bytes {
                match byte {
                    b'\t' => line.extend_from_slice(b"\\t"),
                    b'\n' => line.extend_from_slice(b"\\n"),
                    b'\\' => line.extend_from_slice(b"\\\\"),
                    other => line.push(other),
                }
            }
        }
    }
    Ok(())
}
