//! Rows of `document_fields`: what documents are found and listed by, in one vocabulary.

use super::sql::Queries;
use pensieve_text::text::facts::TextFacts;
use pensieve_text::text::fields::{Field, fields_of};
use rusqlite::{Connection, params};

/// Makes the rows of a file from what is stored for it.
///
/// Cost: two look-ups, and a row for each value.
pub(super) fn write(connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
    connection.run("DELETE FROM document_fields WHERE file_id = ?1", [file_id])?;
    let sql = "INSERT INTO document_fields(file_id, seq, field, value) VALUES(?1, ?2, ?3, ?4)";
    for (seq, (field, value)) in (1_i64..).zip(stored_fields(connection, file_id)?) {
        connection.run(sql, params![file_id, seq, field.as_str(), value])?;
    }
    Ok(())
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
pub(super) fn of_file(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<(Field, String)>> {
    let sql = "SELECT field, value FROM document_fields WHERE file_id = ?1 ORDER BY seq";
    let rows: Vec<(String, String)> =
        connection.rows(sql, [file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.into_iter().filter_map(|(name, value)| Some((Field::named(&name)?, value))).collect())
}
