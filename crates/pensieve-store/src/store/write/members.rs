//! Documents inside documents: rows that exist only as long as the file that contains them.
//!
//! A member's row is removed, not marked, when its container is deleted or read again: without a path of its own on
//! disk it cannot reappear. Its content is moved to the next file of its group, as with any other file.

use super::content;
use super::files::{free_uid, is_free};
use crate::store::places::document_address::{member_path, uid_of};
use crate::store::read::files::{FileState, outermost, state_of};
use crate::store::rows::sql::Queries;
use pensieve_text::format::extension_of;
use pensieve_text::model::ContentHash;
use rusqlite::{Connection, named_params};
use std::collections::HashMap;

/// The columns of a new member row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMember {
    /// Its path from the outermost document on, unique in that document.
    pub path: String,
    /// The path of the member that contains it, unless that is the outermost document.
    pub within: Option<String>,
    /// Its place inside its parent.
    pub member: String,
    /// Its file name.
    pub name: String,
    /// SHA-256 of its bytes.
    pub hash: ContentHash,
    /// Its size in bytes.
    pub size: u64,
    /// Its MIME type.
    pub mime: String,
}

/// The uids of members by their paths, to reuse when the rows are inserted again.
pub(super) type FormerUids = HashMap<String, String>;

/// The uids of those members of a file that cannot be computed from their paths: the file was renamed since, or another
/// row had the uid of the path at that time.
pub(super) fn former_uids(connection: &Connection, file_id: i64) -> rusqlite::Result<FormerUids> {
    let sql = "WITH RECURSIVE inside(file_id, path, uid) AS (
             SELECT file_id, relative_path, doc_uid FROM files WHERE parent_file_id = ?1
             UNION ALL SELECT f.file_id, f.relative_path, f.doc_uid
             FROM inside CROSS JOIN files f ON f.parent_file_id = inside.file_id)
         SELECT path, uid FROM inside";
    let rows: Vec<(String, String)> =
        connection.rows(sql, [file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.into_iter().filter(|(path, uid)| uid_of(path, 0) != *uid).collect())
}

/// Adds the row of a member below its parent, as [`member_path`] says; it keeps its former uid if that is free.
pub(super) fn add_member(
    connection: &Connection,
    parent: i64,
    new: &NewMember,
    former: &FormerUids,
) -> rusqlite::Result<i64> {
    let sql = "SELECT root_id, relative_path, full_filepath, depth_level FROM files WHERE file_id = ?1";
    let (root_id, relative, full, depth): (i64, String, String, i64) =
        connection.one(sql, [parent], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let inside = member_path("", &new.member, &new.name);
    let (relative, full) = (format!("{relative}{inside}"), format!("{full}{inside}"));
    let folder = full.rsplit_once('/').map_or("", |(folder, _)| folder);
    let levels = inside.matches('/').count() as i64;
    // There may be a tombstone of a file in a former folder with the name of the container.
    connection
        .run("DELETE FROM files WHERE full_filepath = ?1 AND processing_status = 'Deleted'", [&full])?;
    let doc_uid = match former.get(&relative) {
        Some(uid) if is_free(connection, uid)? => uid.clone(),
        _ => free_uid(connection, &relative)?,
    };
    connection.run(
            "INSERT INTO files(root_id, doc_uid, full_filepath, relative_path, folder_path, filename, file_extension,
                               file_type, parent_file_id, member, size_bytes, hash, depth_level, is_hidden,
                               is_symlink, mime_type, processing_status)
             VALUES(:root, :uid, :full, :relative, :folder, :name, :extension, 'member', :parent, :member, :size,
                    :hash, :depth, 0, 0, :mime, 'Pending')",
        named_params! {
            ":root": root_id,
            ":uid": doc_uid,
            ":full": full,
            ":relative": relative,
            ":folder": folder,
            ":name": new.name,
            ":extension": extension_of(&new.name),
            ":parent": parent,
            ":member": new.member,
            ":size": new.size as i64,
            ":hash": new.hash.to_hex(),
            ":depth": depth + levels,
            ":mime": new.mime,
        },
    )?;
    Ok(connection.last_insert_rowid())
}

/// Writes the paths of all members of a file that was renamed or has received them from another file. Returns their
/// hashes, since the order of their groups may have changed.
pub(super) fn update_member_paths(
    connection: &Connection,
    file_id: i64,
) -> rusqlite::Result<Vec<ContentHash>> {
    let sql = "UPDATE files SET (root_id, relative_path, full_filepath, folder_path, depth_level) =
                   (SELECT p.root_id, p.relative_path || i.inside, p.full_filepath || i.inside,
                           p.full_filepath || substr(i.inside, 1, length(i.inside) - length(files.filename) - 1),
                           p.depth_level + length(i.inside) - length(replace(i.inside, '/', ''))
                    FROM files p, (SELECT '/' || files.member || CASE
                            WHEN substr('/' || files.member, -length(files.filename) - 1) = '/' || files.filename
                            THEN '' ELSE '/' || files.filename END AS inside) i
                    WHERE p.file_id = ?1)
               WHERE parent_file_id = ?1";
    let mut hashes = Vec::new();
    let mut parents = vec![file_id];
    while let Some(parent) = parents.pop() {
        if connection.run(sql, [parent])? == 0 {
            continue;
        }
        for child in children(connection, parent)? {
            content::update_problem_path(connection, child)?;
            hashes.extend(state_of(connection, child)?.and_then(|member| member.hash));
            parents.push(child);
        }
    }
    Ok(hashes)
}

/// Makes the next run read the container of a member again, because the member's bytes are not on disk by themselves.
pub(super) fn mark_container_unread(connection: &Connection, member: &FileState) -> rusqlite::Result<()> {
    let container = outermost(connection, member.file_id)?;
    connection.run("UPDATE files SET settings_hash = NULL WHERE file_id = ?1", [container]).map(drop)
}

/// The rows directly inside a file.
pub(super) fn children(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<i64>> {
    let sql = "SELECT file_id FROM files WHERE parent_file_id = ?1 ORDER BY file_id";
    connection.rows(sql, [file_id], |row| row.get(0))
}

#[cfg(test)]
mod tests;
