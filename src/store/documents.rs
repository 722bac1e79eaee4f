//! Documents as readers from outside see them: listed page by page, found by `doc_uid`, with what belongs to them.
//!
//! A document is a file on disk or a member; folders, symlinks and specials are none. A duplicate has no text of its
//! own: format, tokens and text are those of its canonical file. Pages go by path and begin behind a path, so that they
//! stay right while rows come and go.

use super::places::id_list;
use super::{Root, Store, StoreError};
use rusqlite::{OptionalExtension, Row, named_params, params};

/// One document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentRow {
    /// Its row.
    pub file_id: i64,
    /// The row whose text it has: its own, or that of its canonical file.
    pub text_id: i64,
    /// How outsiders name it, through edits and renames.
    pub doc_uid: String,
    /// Its root.
    pub root_id: i64,
    /// Where it is below its root, in stored form.
    pub relative_path: String,
    /// Absolute path in stored form.
    pub full_path: String,
    /// Where it is below its root, for people: `mail.eml » 2 » report.pdf`.
    pub name: String,
    /// The last part of its path.
    pub filename: String,
    /// Lower case, without the dot.
    pub extension: String,
    /// True for a document inside another.
    pub is_member: bool,
    /// Bytes.
    pub size: u64,
    /// SHA-256 of its bytes, where they could be read.
    pub hash: Option<String>,
    /// When it was changed last.
    pub modified: Option<String>,
    /// Sniffed.
    pub mime: Option<String>,
    /// The row of the format table that read it.
    pub format: Option<String>,
    /// What its text was decoded from.
    pub encoding: Option<String>,
    /// Reader or converter with its version.
    pub extractor: Option<String>,
    /// What became of it.
    pub status: String,
    /// Why, where it is not `Processed`.
    pub reason: Option<String>,
    /// `unique`, `canonical`, `duplicate`.
    pub duplicate_status: Option<String>,
    /// The document that is read in its place.
    pub canonical_uid: Option<String>,
    /// Tokens of its clean text.
    pub tokens: Option<u64>,
    /// Somebody should look at its text.
    pub needs_review: bool,
}

/// Which documents to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentFilter {
    /// Words that its path, its title or its text has.
    pub query: Option<String>,
    /// Name of a row of the format table, or an extension.
    pub format: Option<String>,
    /// What became of it; anything but `Deleted` where it is not said.
    pub status: Option<String>,
    /// Only those that somebody should look at.
    pub needs_review: bool,
}

/// A place in the list of documents: behind this path of this root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentPlace {
    /// The root.
    pub root_id: i64,
    /// Path below it, in stored form.
    pub relative_path: String,
}

/// The clean text of a document in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct CleanFacts {
    /// Which version is current.
    pub version: String,
    /// SHA-256 of the text.
    pub sha256: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its characters.
    pub chars: u64,
    /// Why somebody should look at it, as JSON.
    pub review_reasons: String,
    /// When it was made.
    pub created_at: String,
}

/// Another document, by the names that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentName {
    /// How outsiders name it.
    pub doc_uid: String,
    /// Its root.
    pub root_id: i64,
    /// Where it is below its root.
    pub relative_path: String,
    /// Absolute path in stored form.
    pub full_path: String,
    /// Where it is below its root, for people: `mail.eml » 2 » report.pdf`.
    pub name: String,
}

/// What [`document`] reads. `f` is the file, `c` its canonical file, `v` the current clean text.
const COLUMNS: &str = "f.file_id, coalesce(c.file_id, f.file_id), f.doc_uid, f.root_id, f.relative_path, f.full_filepath,
     f.filename, f.file_extension, f.file_type = 'member', f.size_bytes, f.hash, f.modification_date, f.mime_type,
     coalesce(f.format, c.format), coalesce(f.encoding, c.encoding), coalesce(f.extractor, c.extractor),
     f.processing_status, f.status_reason, f.duplicate_status, c.doc_uid,
     coalesce(f.estimated_tokens, c.estimated_tokens), coalesce(v.needs_review, 0)";

const TABLES: &str = "files f
     LEFT JOIN files c ON f.duplicate_status = 'duplicate' AND c.file_id = f.duplicate_group_id
     LEFT JOIN text_versions v ON v.file_id = coalesce(c.file_id, f.file_id) AND v.variant = 'clean' AND v.is_current";

fn document(row: &Row<'_>) -> rusqlite::Result<DocumentRow> {
    Ok(DocumentRow {
        file_id: row.get(0)?,
        text_id: row.get(1)?,
        doc_uid: row.get(2)?,
        root_id: row.get(3)?,
        relative_path: row.get(4)?,
        full_path: row.get(5)?,
        name: row.get(4)?,
        filename: row.get(6)?,
        extension: row.get(7)?,
        is_member: row.get(8)?,
        size: row.get::<_, i64>(9)? as u64,
        hash: row.get(10)?,
        modified: row.get(11)?,
        mime: row.get(12)?,
        format: row.get(13)?,
        encoding: row.get(14)?,
        extractor: row.get(15)?,
        status: row.get::<_, Option<String>>(16)?.unwrap_or_default(),
        reason: row.get(17)?,
        duplicate_status: row.get(18)?,
        canonical_uid: row.get(19)?,
        tokens: row.get::<_, Option<i64>>(20)?.map(|tokens| tokens as u64),
        needs_review: row.get(21)?,
    })
}

/// Reads the columns of [`NAME`] from column `at` on; the name for people is that below the root as yet.
pub(super) fn document_name(row: &Row<'_>, at: usize) -> rusqlite::Result<(DocumentName, i64, bool)> {
    let name = DocumentName {
        doc_uid: row.get(at)?,
        root_id: row.get(at + 1)?,
        relative_path: row.get(at + 2)?,
        full_path: row.get(at + 3)?,
        name: row.get(at + 2)?,
    };
    Ok((name, row.get(at + 4)?, row.get(at + 5)?))
}

/// What [`document_name`] reads of a table of files.
pub(super) const NAME: &str =
    "f.doc_uid, f.root_id, f.relative_path, f.full_filepath, f.file_id, f.parent_file_id IS NOT NULL";

impl Store {
    /// The document of this name.
    pub fn document_named(&self, doc_uid: &str) -> Result<Option<DocumentRow>, StoreError> {
        self.connection
            .prepare_cached(&format!(
                "SELECT {COLUMNS} FROM {TABLES} WHERE f.doc_uid = ?1 AND f.file_type IN ('file', 'member')"
            ))
            .and_then(|mut statement| statement.query_row([doc_uid], document).optional())
            .map_err(|error| self.fail(error))?
            .map(|row| self.with_name(row))
            .transpose()
    }

    /// The first `limit` documents behind a place, by path.
    ///
    /// Cost: the rows up to the last one that is given; with words to look for, one search over all chunks besides.
    pub fn documents(
        &self,
        filter: &DocumentFilter,
        behind: Option<&DocumentPlace>,
        limit: usize,
    ) -> Result<Vec<DocumentRow>, StoreError> {
        let behind = behind.map(|place| self.full_path_of(place)).transpose()?;
        let mut conditions = vec!["f.file_type IN ('file', 'member')", "f.full_filepath > :behind"];
        conditions.push(match filter.status {
            Some(_) => "f.processing_status = :status",
            None => "f.processing_status IS NOT 'Deleted' AND :status IS NULL",
        });
        conditions.push(match filter.format {
            Some(_) => "(coalesce(f.format, c.format) = :format OR f.file_extension = :format)",
            None => ":format IS NULL",
        });
        if filter.needs_review {
            conditions.push("v.needs_review");
        }
        let words = filter.query.as_deref().map(split_words).unwrap_or_default();
        let by_name = name_condition(words.len());
        let chunks = id_list(self.chunks_with_words(&words)?);
        let matched = match words.is_empty() {
            true => ":chunks IS NOT NULL".to_owned(),
            false => format!(
                "(({by_name}) OR coalesce(c.file_id, f.file_id) IN (SELECT s.file_id FROM json_each(:chunks) j
                  CROSS JOIN chunk_sources s ON s.chunk_id = j.value))"
            ),
        };
        conditions.push(&matched);
        let read = || -> rusqlite::Result<Vec<DocumentRow>> {
            let mut statement = self.connection.prepare(&format!(
                "SELECT {COLUMNS} FROM {TABLES} WHERE {} ORDER BY f.full_filepath LIMIT :limit",
                conditions.join(" AND ")
            ))?;
            for (at, word) in words.iter().enumerate() {
                let index = statement.parameter_index(&format!(":word{at}"))?;
                statement.raw_bind_parameter(index.unwrap_or_default(), like(word))?;
            }
            let values = named_params! {
                ":behind": behind.as_deref().unwrap_or_default(),
                ":status": filter.status,
                ":format": filter.format,
                ":chunks": chunks,
                ":limit": limit as i64,
            };
            for (name, value) in values {
                if let Some(index) = statement.parameter_index(name)? {
                    statement.raw_bind_parameter(index, value)?;
                }
            }
            let mut found = Vec::new();
            let mut rows = statement.raw_query();
            while let Some(row) = rows.next()? {
                found.push(document(row)?);
            }
            Ok(found)
        };
        let rows = read().map_err(|error| self.fail(error))?;
        rows.into_iter().map(|row| self.with_name(row)).collect()
    }

    fn with_name(&self, mut row: DocumentRow) -> Result<DocumentRow, StoreError> {
        if row.is_member {
            row.name = self.shown_name(row.file_id)?;
        }
        Ok(row)
    }

    /// The absolute path of a place, as the order of documents has it; empty where its root is gone.
    fn full_path_of(&self, place: &DocumentPlace) -> Result<String, StoreError> {
        let root = self.roots()?.into_iter().find(|root| root.root_id == place.root_id);
        Ok(root.map(|root: Root| root.full_path(&place.relative_path)).unwrap_or_default())
    }

    /// The current clean text of a row, in numbers.
    pub fn clean_facts(&self, file_id: i64) -> Result<Option<CleanFacts>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT version, sha256, byte_length, char_length, review_reasons, created_at FROM text_versions
                 WHERE file_id = ?1 AND variant = 'clean' AND is_current",
            )
            .and_then(|mut statement| {
                let read = |row: &Row<'_>| {
                    Ok(CleanFacts {
                        version: row.get(0)?,
                        sha256: row.get(1)?,
                        bytes: row.get::<_, i64>(2)? as u64,
                        chars: row.get::<_, i64>(3)? as u64,
                        review_reasons: row.get(4)?,
                        created_at: row.get(5)?,
                    })
                };
                statement.query_row([file_id], read).optional()
            })
            .map_err(|error| self.fail(error))
    }

    /// Title, author, language, ... of a row, in the order found.
    pub fn metadata_of(&self, file_id: i64) -> Result<Vec<(String, String)>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(String, String)>> {
            let mut statement = self
                .connection
                .prepare_cached("SELECT key, value FROM metadata WHERE file_id = ?1 ORDER BY rowid")?;
            let rows = statement.query_map([file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// The other living documents with the bytes of a row, by path.
    pub fn documents_like(&self, file_id: i64) -> Result<Vec<DocumentName>, StoreError> {
        let condition = "f.hash = (SELECT hash FROM files WHERE file_id = ?1) AND f.file_id <> ?1
             AND f.processing_status IS NOT 'Deleted' ORDER BY f.full_filepath";
        self.names(condition, file_id)
    }

    /// The documents right inside a row, in the order of their places.
    pub fn members_of(&self, file_id: i64) -> Result<Vec<DocumentName>, StoreError> {
        self.names("f.parent_file_id = ?1 ORDER BY f.file_id", file_id)
    }

    /// The document that holds a row.
    pub fn parent_of(&self, file_id: i64) -> Result<Option<DocumentName>, StoreError> {
        let condition = "f.file_id = (SELECT parent_file_id FROM files WHERE file_id = ?1)";
        Ok(self.names(condition, file_id)?.into_iter().next())
    }

    fn names(&self, condition: &str, file_id: i64) -> Result<Vec<DocumentName>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(DocumentName, i64, bool)>> {
            let query = format!("SELECT {NAME} FROM files f WHERE {condition} LIMIT {MOST_NAMES}");
            let mut statement = self.connection.prepare_cached(&query)?;
            let rows = statement.query_map(params![file_id], |row| document_name(row, 0))?;
            rows.collect()
        };
        let rows = read().map_err(|error| self.fail(error))?;
        rows.into_iter().map(|row| self.named(row)).collect()
    }

    /// A name with that for people, where the document lies inside another.
    pub(super) fn named(
        &self,
        (mut name, file_id, is_member): (DocumentName, i64, bool),
    ) -> Result<DocumentName, StoreError> {
        if is_member {
            name.name = self.shown_name(file_id)?;
        }
        Ok(name)
    }
}

/// Copies or members that are told at once.
const MOST_NAMES: usize = 1000;

fn split_words(query: &str) -> Vec<&str> {
    query
        .split(|c: char| c.is_whitespace() || c == '\0')
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .collect()
}

/// Words of a query that count.
const MOST_WORDS: usize = 32;

/// True where path or title have every word.
fn name_condition(words: usize) -> String {
    let each = (0..words).map(|at| {
        format!(
            "(f.relative_path LIKE :word{at} ESCAPE '\\' OR EXISTS (SELECT 1 FROM metadata m
              WHERE m.file_id = coalesce(c.file_id, f.file_id) AND m.key = 'title' AND m.value LIKE :word{at} ESCAPE '\\'))"
        )
    });
    each.collect::<Vec<_>>().join(" AND ")
}

/// A pattern for `LIKE` that finds the word anywhere.
fn like(word: &str) -> String {
    let mut pattern = String::from("%");
    for character in word.chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_as_they_are() {
        assert_eq!(like("50%_a\\b"), "%50\\%\\_a\\\\b%");
        assert_eq!(split_words(" a  b\0c "), ["a", "b", "c"]);
    }
}
