//! Documents inside documents: rows that live and go with the file that holds them.
//!
//! A member's row is removed, not marked, when its container goes or is read again: it has no place of its own on disk
//! to come back to. What it owns passes to the heir of its group, as with any other file.

use super::content;
use super::files::{FileState, free_uid, is_free, state_of, uid_of};
use super::groups::{self, Recipes};
use super::owed::Owed;
use super::{Store, StoreError};
use pensieve_text::format::extension_of;
use pensieve_text::model::ContentHash;
use rusqlite::{Connection, OptionalExtension, named_params, params};
use std::collections::HashMap;

/// A member as its row begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMember {
    /// Its place from the outermost document on: unique there.
    pub path: String,
    /// The path of the member that holds it, if it is not the outermost document.
    pub within: Option<String>,
    /// Where inside its parent.
    pub member: String,
    /// Its file name.
    pub name: String,
    /// SHA-256 of its bytes.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub size: u64,
    /// Its MIME type.
    pub mime: String,
}

/// Names of members by their paths, for rows that will be made anew.
pub(super) type FormerUids = HashMap<String, String>;

/// The names of all that lies inside a file, where its path would not give them again: the file was renamed since they
/// were given, or the path's name was another's then.
pub(super) fn former_uids(connection: &Connection, file_id: i64) -> rusqlite::Result<FormerUids> {
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE inside(file_id, path, uid) AS (
             SELECT file_id, relative_path, doc_uid FROM files WHERE parent_file_id = ?1
             UNION ALL SELECT f.file_id, f.relative_path, f.doc_uid
             FROM inside CROSS JOIN files f ON f.parent_file_id = inside.file_id)
         SELECT path, uid FROM inside",
    )?;
    let rows = statement.query_map([file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let is_lost = |(path, uid): &(String, String)| uid_of(path, 0) != *uid;
    rows.filter(|row| row.as_ref().map_or(true, is_lost)).collect()
}

/// Adds the row of a member below its parent, as `parent/member/name`; it has the name that it had before, if that is
/// free.
pub(super) fn add_member(
    connection: &Connection,
    parent: i64,
    new: &NewMember,
    former: &FormerUids,
) -> rusqlite::Result<i64> {
    let (root_id, relative, full, depth): (i64, String, String, i64) = connection
        .prepare_cached(
            "SELECT root_id, relative_path, full_filepath, depth_level FROM files WHERE file_id = ?1",
        )?
        .query_row([parent], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let relative = format!("{relative}/{}/{}", new.member, new.name);
    let folder = format!("{full}/{}", new.member);
    let full = format!("{folder}/{}", new.name);
    // The tombstone of a file in a folder that had the name of the container.
    connection
        .prepare_cached("DELETE FROM files WHERE full_filepath = ?1 AND processing_status = 'Deleted'")?
        .execute([&full])?;
    let doc_uid = match former.get(&relative) {
        Some(uid) if is_free(connection, uid)? => uid.clone(),
        _ => free_uid(connection, &relative)?,
    };
    connection
        .prepare_cached(
            "INSERT INTO files(root_id, doc_uid, full_filepath, relative_path, folder_path, filename, file_extension,
                               file_type, parent_file_id, member, size_bytes, hash, depth_level, is_hidden,
                               is_symlink, mime_type, processing_status)
             VALUES(:root, :uid, :full, :relative, :folder, :name, :extension, 'member', :parent, :member, :size,
                    :hash, :depth, 0, 0, :mime, 'Pending')",
        )?
        .execute(named_params! {
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
            ":depth": depth + 2,
            ":mime": new.mime,
        })?;
    Ok(connection.last_insert_rowid())
}

/// Removes everything stored for a file: its content, and what lies inside it.
pub(super) fn drop_document(
    connection: &Connection,
    file_id: i64,
    recipes: &dyn Recipes,
    owed: &mut Owed,
) -> rusqlite::Result<()> {
    // Depth is bounded by that to which readers look into documents.
    for child in children(connection, file_id)? {
        if let Some(member) = state_of(connection, child)? {
            groups::delete_file(connection, &member, recipes, owed)?;
        }
        connection.prepare_cached("DELETE FROM files WHERE file_id = ?1")?.execute([child])?;
    }
    content::drop_content(connection, file_id, &mut owed.chunks)
}

/// The members of a file have the path that follows from its own, after it was renamed or its members have passed to
/// another; the hashes of those, whose groups may have another order now.
pub(super) fn follow_parent(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<ContentHash>> {
    let mut hashes = Vec::new();
    let mut parents = vec![file_id];
    while let Some(parent) = parents.pop() {
        let moved = connection
            .prepare_cached(
                "UPDATE files SET (root_id, relative_path, full_filepath, folder_path, depth_level) =
                     (SELECT p.root_id, p.relative_path || '/' || files.member || '/' || files.filename,
                             p.full_filepath || '/' || files.member || '/' || files.filename,
                             p.full_filepath || '/' || files.member, p.depth_level + 2
                      FROM files p WHERE p.file_id = ?1)
                 WHERE parent_file_id = ?1",
            )?
            .execute([parent])?;
        if moved == 0 {
            continue;
        }
        for child in children(connection, parent)? {
            content::follow_path(connection, child)?;
            hashes.extend(state_of(connection, child)?.and_then(|member| member.hash));
            parents.push(child);
        }
    }
    Ok(hashes)
}

/// The container of a member that has to be read though its bytes are not on disk is read again.
pub(super) fn wake_container(connection: &Connection, member: &FileState) -> rusqlite::Result<()> {
    let container = outermost(connection, member.file_id)?;
    connection
        .prepare_cached("UPDATE files SET settings_hash = NULL WHERE file_id = ?1")?
        .execute([container])?;
    Ok(())
}

fn children(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<i64>> {
    connection
        .prepare_cached("SELECT file_id FROM files WHERE parent_file_id = ?1 ORDER BY file_id")?
        .query_map(params![file_id], |row| row.get(0))?
        .collect()
}

/// The file on disk in which a member lies.
fn outermost(connection: &Connection, mut file_id: i64) -> rusqlite::Result<i64> {
    loop {
        let parent: Option<Option<i64>> = connection
            .prepare_cached("SELECT parent_file_id FROM files WHERE file_id = ?1")?
            .query_row([file_id], |row| row.get(0))
            .optional()?;
        match parent.flatten() {
            Some(parent) => file_id = parent,
            None => return Ok(file_id),
        }
    }
}

impl Store {
    /// The row of the file on disk in which a member lies; of any other file, its own.
    pub fn container(&self, file_id: i64) -> Result<Option<FileState>, StoreError> {
        outermost(&self.connection, file_id)
            .and_then(|outer| state_of(&self.connection, outer))
            .map_err(|error| self.fail(error))
    }
}
