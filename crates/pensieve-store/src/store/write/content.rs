//! The stored content of a file: texts, maps, versions, sections, problems. Its chunks are in [`chunks`].

pub(super) mod changed_content;
pub(super) mod chunk_lines;
pub(super) mod chunk_rows;
pub(super) mod chunks;
pub(super) mod deferred;
pub(super) mod unstored_chunk;

use crate::store::rows::sql::Queries;
use crate::store::rows::text_packing::PackedSegment;
use changed_content::ChangedContent;
use chunks::ChunkWriter;
use pensieve_text::model::DocumentSection;
use rusqlite::{Connection, params};

/// The tables with the content of a file, by `file_id`.
const CONTENT_TABLES: &[&str] = &[
    "texts",
    "text_maps",
    "text_versions",
    "metadata",
    "document_fields",
    "hidden_text",
    "sections",
    "tables",
    "mails",
    "mail_ids",
    "mail_pages",
    "errors",
];

/// Moves everything stored for one file to another one with the same bytes.
pub(super) fn move_content(
    connection: &Connection,
    from: i64,
    to: i64,
    changed: &mut ChangedContent,
) -> rusqlite::Result<()> {
    changed.note(from);
    changed.note(to);
    drop_problems(connection, to, changed)?;
    for table in CONTENT_TABLES {
        connection.run(&format!("UPDATE {table} SET file_id = ?2 WHERE file_id = ?1"), [from, to])?;
    }
    update_problem_path(connection, to)?;
    connection.run("UPDATE chunk_sources SET file_id = ?2 WHERE file_id = ?1", [from, to])?;
    connection.run("UPDATE files SET parent_file_id = ?2 WHERE parent_file_id = ?1", [from, to]).map(drop)
}

/// Updates the path of a file in its open problems.
pub(super) fn update_problem_path(connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
    let sql =
        "UPDATE errors SET path = (SELECT full_filepath FROM files WHERE file_id = ?1) WHERE file_id = ?1";
    connection.run(sql, [file_id]).map(drop)
}

/// Removes everything stored for a file except its members, and detaches its chunks.
pub(super) fn drop_content(
    connection: &Connection,
    file_id: i64,
    chunks: &mut ChunkWriter,
) -> rusqlite::Result<()> {
    chunks.detach_chunks(connection, file_id)?;
    for table in CONTENT_TABLES {
        if connection.run(&format!("DELETE FROM {table} WHERE file_id = ?1"), [file_id])? > 0 {
            chunks.changed.note(file_id);
        }
    }
    Ok(())
}

/// Removes the open problems of a file.
pub(super) fn drop_problems(
    connection: &Connection,
    file_id: i64,
    changed: &mut ChangedContent,
) -> rusqlite::Result<()> {
    if connection.run("DELETE FROM errors WHERE file_id = ?1", [file_id])? > 0 {
        changed.note(file_id);
    }
    Ok(())
}

/// Stores segment number `segment` of a text, with its map.
pub(super) fn add_text(
    connection: &Connection,
    file_id: i64,
    version: &str,
    segment: usize,
    packed: &PackedSegment,
) -> rusqlite::Result<()> {
    let number = segment as i64;
    let (start, char_start) = (packed.start as i64, packed.char_start as i64);
    connection.run(
        "INSERT INTO texts(file_id, variant, version, segment, start_index, char_start, content)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![file_id, packed.variant, version, number, start, char_start, packed.frame],
    )?;
    connection.run(
        "INSERT INTO text_maps(file_id, variant, version, segment, content) VALUES(?1, ?2, ?3, ?4, ?5)",
        params![file_id, packed.variant, version, number, packed.map],
    )?;
    Ok(())
}

/// Makes a stored clean version the current one of its file.
pub(super) fn make_current(connection: &Connection, file_id: i64, version: &str) -> rusqlite::Result<()> {
    let sql = "UPDATE text_versions SET is_current = (version = ?2)
               WHERE file_id = ?1 AND variant = 'clean' AND is_current <> (version = ?2)";
    if connection.run(sql, params![file_id, version])? > 0 {
        drop_tables(connection, file_id)?;
    }
    Ok(())
}

/// Removes the tables of a file's clean text; they are looked for when the run ends.
fn drop_tables(connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
    connection.run("DELETE FROM tables WHERE file_id = ?1", [file_id])?;
    let sql = "UPDATE text_versions SET tables = NULL WHERE file_id = ?1 AND variant = 'clean' AND tables IS NOT NULL";
    connection.run(sql, [file_id]).map(drop)
}

/// Removes one stored clean version of a file; no remaining version is current.
pub(super) fn drop_version(connection: &Connection, file_id: i64, version: &str) -> rusqlite::Result<()> {
    for table in ["texts", "text_maps", "text_versions"] {
        let sql = format!("DELETE FROM {table} WHERE file_id = ?1 AND variant = 'clean' AND version = ?2");
        connection.run(&sql, params![file_id, version])?;
    }
    drop_tables(connection, file_id)?;
    make_current(connection, file_id, version)
}

/// Removes the stored sections of a file's clean text.
pub(super) fn drop_sections(connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
    connection.run("DELETE FROM sections WHERE file_id = ?1", [file_id]).map(drop)
}

/// Stores the sections of a file's clean text, which has none.
pub(super) fn write_sections(
    connection: &Connection,
    file_id: i64,
    sections: &[DocumentSection],
) -> rusqlite::Result<()> {
    for section in sections {
        connection.run(
            "INSERT INTO sections(file_id, seq, level, label, anchor, start_index, end_index, locator)
             VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                file_id,
                section.seq as i64,
                section.level as i64,
                section.label,
                section.anchor,
                section.start as i64,
                section.end as i64,
                section.locator
            ],
        )?;
    }
    Ok(())
}
