//! Names of documents for people: `notes/a.md`, or `mail.eml » 2 » report.pdf` for a document inside another.

use super::sql::{Queries, id_list};
use rusqlite::{Connection, Row};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Documents inside each other: readers stop at eight. In a database of somebody else they may contain each other.
const MAX_LEVELS: usize = 64;

/// Separates a document from the document inside it.
pub const MEMBER_SEPARATOR: &str = " » ";

/// True if the last part of a place is this name.
pub(crate) fn ends_with_name(member: &str, name: &str) -> bool {
    member.strip_suffix(name).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// A document inside another: its container, its place in the container, and its own name.
pub(crate) struct MemberLocation {
    parent: i64,
    member: String,
    filename: String,
}

impl MemberLocation {
    /// Reads `parent_file_id, member, filename` from column `at` on; `None` for a file on disk.
    pub fn read(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<MemberLocation>> {
        let Some(parent) = row.get(at)? else { return Ok(None) };
        let member = row.get::<_, Option<String>>(at + 1)?.unwrap_or_default();
        Ok(Some(MemberLocation { parent, member, filename: row.get(at + 2)? }))
    }
}

/// The name of one document.
pub(crate) fn shown_name(connection: &Connection, file_id: i64) -> rusqlite::Result<String> {
    let sql = "SELECT relative_path, parent_file_id, member, filename FROM files WHERE file_id = ?1";
    let (path, location): (String, _) =
        connection.one(sql, [file_id], |row| Ok((row.get(0)?, MemberLocation::read(row, 1)?)))?;
    let Some(location) = location else { return Ok(path) };
    Ok(member_names(connection, vec![(file_id, location)])?.remove(&file_id).unwrap_or(path))
}

/// The names of documents inside documents.
///
/// Cost: one query for each level at which documents lie inside each other.
pub(crate) fn member_names(
    connection: &Connection,
    members: Vec<(i64, MemberLocation)>,
) -> rusqlite::Result<HashMap<i64, String>> {
    let sql = "SELECT f.file_id, f.parent_file_id, f.member, f.filename, f.relative_path
               FROM json_each(?1) j CROSS JOIN files f ON f.file_id = j.value";
    let mut parents: Vec<i64> = members.iter().map(|(_, location)| location.parent).collect();
    let wanted: Vec<i64> = members.iter().map(|(id, _)| *id).collect();
    let mut inner: HashMap<i64, MemberLocation> = members.into_iter().collect();
    let mut outer: HashMap<i64, String> = HashMap::new();
    for _ in 0..MAX_LEVELS {
        if parents.is_empty() {
            break;
        }
        parents.retain(|id| !inner.contains_key(id) && !outer.contains_key(id));
        parents.sort_unstable();
        parents.dedup();
        connection.each(sql, [id_list(std::mem::take(&mut parents))], |row| {
            match MemberLocation::read(row, 1)? {
                Some(location) => {
                    parents.push(location.parent);
                    inner.insert(row.get(0)?, location);
                }
                None => {
                    outer.insert(row.get(0)?, row.get(4)?);
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
    }
    Ok(wanted.into_iter().map(|id| (id, member_name(id, &inner, &outer))).collect())
}

fn member_name(id: i64, inner: &HashMap<i64, MemberLocation>, outer: &HashMap<i64, String>) -> String {
    let mut parts = Vec::new();
    let mut at = id;
    while let Some(location) = inner.get(&at).filter(|_| parts.len() < 2 * MAX_LEVELS) {
        if !ends_with_name(&location.member, &location.filename) {
            parts.push(location.filename.as_str());
        }
        parts.push(location.member.as_str());
        at = location.parent;
    }
    parts.extend(outer.get(&at).map(String::as_str));
    parts.reverse();
    parts.join(MEMBER_SEPARATOR)
}
