//! Rows of `document_fields`: what documents are found and listed by, in one vocabulary.

use super::sql::Queries;
use pensieve_text::text::facts::TextFacts;
use pensieve_text::text::fields::{Field, fields_of};
use rusqlite::{Connection, params};

/// The first schema that has them.
pub(crate) const FIRST_WITH_FIELDS: i64 = 13;

/// Makes the rows of a file from what is stored for it.
///
/// Cost: two look-ups, and a row for each value.
pub(crate) fn write(connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
    connection.run("DELETE FROM document_fields WHERE file_id = ?1", [file_id])?;
    let sql = "INSERT INTO document_fields(file_id, seq, field, value) VALUES(?1, ?2, ?3, ?4)";
    for (seq, (field, value)) in (1_i64..).zip(stored_fields(connection, file_id)?) {
        connection.run(sql, params![file_id, seq, field.as_str(), value])?;
    }
    Ok(())
}

/// True if the rows of a file are not those that follow from what is stored for it. A text that an older version cleaned
/// says nothing of its document, and may have none.
///
/// Cost: that of [`write()`] without writing.
pub(crate) fn differ(connection: &Connection, file_id: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT field, value FROM document_fields WHERE file_id = ?1 ORDER BY seq";
    let stored: Vec<(String, String)> =
        connection.rows(sql, [file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let sql = "SELECT text_facts FROM text_versions WHERE file_id = ?1 AND variant = 'clean' AND is_current";
    let facts: Option<String> = connection.first(sql, [file_id], |row| row.get(0))?.flatten();
    match facts {
        None if stored.is_empty() => return Ok(false),
        // Facts that do not read as they were written are none, and say nothing of the fields.
        Some(json) if serde_json::from_str::<TextFacts>(&json).is_err() => return Ok(true),
        _ => {}
    }
    let found = stored_fields(connection, file_id)?;
    let found = found.iter().map(|(field, value)| (field.as_str(), value.as_str()));
    Ok(!stored.iter().map(|(field, value)| (field.as_str(), value.as_str())).eq(found))
}

/// The fields that follow from the metadata and the current text of a file.
fn stored_fields(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<(Field, String)>> {
    let sql = "SELECT key, value FROM metadata WHERE file_id = ?1 ORDER BY rowid";
    let mut metadata: Vec<(String, String)> =
        connection.rows(sql, [file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let sql = "SELECT f.format, v.text_facts FROM files f
               LEFT JOIN text_versions v ON v.file_id = f.file_id AND v.variant = 'clean' AND v.is_current
               WHERE f.file_id = ?1";
    let (format, facts): (Option<String>, Option<String>) =
        connection.one(sql, [file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let facts = facts.and_then(|json| serde_json::from_str::<TextFacts>(&json).ok()).unwrap_or_default();
    metadata.extend(facts.fields);
    let pairs = metadata.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    Ok(fields_of(&format.unwrap_or_default(), pairs, facts.language.as_deref()))
}

/// The fields of a file with text, in the order of the vocabulary.
pub(crate) fn of_file(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<(Field, String)>> {
    let sql = "SELECT field, value FROM document_fields WHERE file_id = ?1 ORDER BY seq";
    let rows: Vec<(String, String)> =
        connection.rows(sql, [file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.into_iter().filter_map(|(name, value)| Some((Field::named(&name)?, value))).collect())
}
