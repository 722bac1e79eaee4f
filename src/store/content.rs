//! What a file's text became: stored text, maps, sections; the chunks of it are in [`super::chunks`].

use super::chunks::Chunks;
use super::meta;
use pensieve_text::model::DocumentSection;
use rusqlite::{Connection, params};

/// One stored stretch of a text: at most 1 MiB, compressed, with its map.
#[derive(Debug, Clone)]
pub struct TextPart {
    /// `raw` or `clean`.
    pub variant: &'static str,
    /// Where it begins, in bytes of the whole text.
    pub start: usize,
    /// Where it begins, in characters of the whole text.
    pub char_start: usize,
    /// zstd frame of the text.
    pub frame: Vec<u8>,
    /// Stored form of the map, zstd where that is smaller (told by its first byte).
    pub map: Vec<u8>,
}

/// The tables that hold what belongs to one file's content, by `file_id`.
const OWNED: &[&str] = &[
    "texts",
    "text_maps",
    "text_versions",
    "metadata",
    "sections",
    "mails",
    "mail_ids",
    "mail_pages",
    "errors",
];

/// Moves everything stored for one file to another that has the same bytes.
pub(super) fn move_content(connection: &Connection, from: i64, to: i64) -> rusqlite::Result<()> {
    drop_problems(connection, to)?;
    for table in OWNED {
        connection
            .prepare_cached(&format!("UPDATE {table} SET file_id = ?2 WHERE file_id = ?1"))?
            .execute([from, to])?;
    }
    follow_path(connection, to)?;
    connection
        .prepare_cached("UPDATE chunk_sources SET file_id = ?2 WHERE file_id = ?1")?
        .execute([from, to])?;
    connection
        .prepare_cached("UPDATE files SET parent_file_id = ?2 WHERE parent_file_id = ?1")?
        .execute([from, to])?;
    Ok(())
}

/// The open problems of a file name it by the path that it has now.
pub(super) fn follow_path(connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE errors SET path = (SELECT full_filepath FROM files WHERE file_id = ?1) WHERE file_id = ?1",
        )?
        .execute([file_id])?;
    Ok(())
}

/// Removes everything stored for a file but its members, and the chunks that no file has any more.
pub(super) fn drop_content(
    connection: &Connection,
    file_id: i64,
    chunks: &mut Chunks,
) -> rusqlite::Result<()> {
    chunks.loosen(connection, file_id)?;
    for owned in OWNED {
        connection.prepare_cached(&format!("DELETE FROM {owned} WHERE file_id = ?1"))?.execute([file_id])?;
    }
    Ok(())
}

/// Removes the open problems of a file.
pub(super) fn drop_problems(connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM errors WHERE file_id = ?1")?.execute([file_id])?;
    Ok(())
}

pub(super) fn has_search(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(meta::get(connection, "fts")?.as_deref() != Some("off"))
}

/// Stores a stretch of text with its map.
pub(super) fn add_text(
    connection: &Connection,
    file_id: i64,
    version: &str,
    segment: usize,
    part: &TextPart,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO texts(file_id, variant, version, segment, start_index, char_start, content)
             VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            file_id,
            part.variant,
            version,
            segment as i64,
            part.start as i64,
            part.char_start as i64,
            part.frame
        ])?;
    connection
        .prepare_cached(
            "INSERT INTO text_maps(file_id, variant, version, segment, content) VALUES(?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![file_id, part.variant, version, segment as i64, part.map])?;
    Ok(())
}

/// Stores the sections of a file's clean text in the place of those before.
pub(super) fn write_sections(
    connection: &Connection,
    file_id: i64,
    sections: &[DocumentSection],
) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM sections WHERE file_id = ?1")?.execute([file_id])?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO sections(file_id, seq, level, label, anchor, start_index, end_index, locator)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for section in sections {
        insert.execute(params![
            file_id,
            section.seq as i64,
            section.level as i64,
            section.label,
            section.anchor,
            section.start as i64,
            section.end as i64,
            section.locator
        ])?;
    }
    Ok(())
}
