//! The names that identify a document in lists, chunks and problems.

use crate::store::rows::member_names::{MemberLocation, member_names};
use rusqlite::{Connection, Row};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;

/// The names that identify a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DocumentLink)]
pub struct DocumentName {
    /// Its identifier.
    pub doc_uid: String,
    /// Number of its root.
    pub root_id: i64,
    /// Path below that root.
    pub relative_path: String,
    /// The path for people: `mail.eml » 2 » report.pdf`.
    pub name: String,
    /// Absolute path; only if the server was started with `--show-paths`.
    #[serde(rename = "full_filepath", skip_serializing_if = "String::is_empty")]
    pub full_path: String,
}

/// The columns that [`NamedRow::read`] reads of a table `f` of files.
pub(super) const NAME: &str =
    "f.doc_uid, f.root_id, f.relative_path, f.full_filepath, f.file_id, f.parent_file_id,
     f.member, f.filename";

/// A document in a query row, before its name for people is known.
pub(super) struct NamedRow {
    pub file_id: i64,
    pub document: DocumentName,
    location: Option<MemberLocation>,
}

impl NamedRow {
    /// Reads the columns of [`NAME`] from column `at` on.
    pub fn read(row: &Row<'_>, at: usize) -> rusqlite::Result<NamedRow> {
        let document = DocumentName {
            doc_uid: row.get(at)?,
            root_id: row.get(at + 1)?,
            relative_path: row.get(at + 2)?,
            full_path: row.get(at + 3)?,
            name: row.get(at + 2)?,
        };
        Ok(NamedRow { file_id: row.get(at + 4)?, document, location: MemberLocation::read(row, at + 5)? })
    }
}

/// Sets the names for people of the documents in the rows.
pub(super) fn complete_names<'r>(
    connection: &Connection,
    rows: impl Iterator<Item = &'r mut NamedRow>,
) -> rusqlite::Result<()> {
    let mut rows: Vec<&mut NamedRow> = rows.collect();
    let members = rows.iter_mut().filter_map(|row| Some((row.file_id, row.location.take()?)));
    let names: HashMap<i64, String> = member_names(connection, members.collect())?;
    for row in rows {
        if let Some(name) = names.get(&row.file_id) {
            row.document.name.clone_from(name);
        }
    }
    Ok(())
}
