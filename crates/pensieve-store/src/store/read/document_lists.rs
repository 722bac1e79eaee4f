//! Lists of documents: filtered, sorted, page by page.
//!
//! Pages of the API are sorted by path and begin after a path, so that they stay correct while rows are added and
//! removed. Pages that people turn have a number and any order; rows that come or go shift them.

use super::documents::{COLUMNS, DocumentQueries, DocumentRow, TABLES, document, with_name};
use super::folders::FolderPath;
use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::database::roots::{Root, RootTable};
use crate::store::rows::sql::{Queries, count, id_list};
use crate::store::search::SearchQueries;
use pensieve_text::names;
use rusqlite::ToSql;

/// Maximum words of a query; further words are ignored.
const MAX_WORDS: usize = 32;

/// Which documents to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentFilter {
    /// Words to find in its path, title or text.
    pub query: Option<String>,
    /// Name of a row of the format table, or an extension.
    pub format: Option<String>,
    /// The processing status; if not given, any except `Deleted`.
    pub status: Option<String>,
    /// Only those that a person should review.
    pub needs_review: bool,
    /// Only those below this folder, or inside this document.
    pub folder: Option<FolderPath>,
    /// Only those directly in the folder, or directly inside the document.
    pub is_direct: bool,
}

/// A position in the list of documents: after this path of this root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentPosition {
    /// The root.
    pub root_id: i64,
    /// Path below it, in stored form.
    pub relative_path: String,
}

names! {
    /// By what documents are sorted; equal ones by path.
    #[derive(Default)]
    DocumentSort {
        /// By path.
        #[default]
        Name = "name",
        /// By bytes.
        Size = "size",
        /// By the time of the last change.
        Date = "date",
        /// By tokens.
        Tokens = "tokens",
        /// By processing status.
        Status = "status",
    }
}

impl DocumentSort {
    fn column(self) -> &'static str {
        match self {
            DocumentSort::Name => "f.full_filepath",
            DocumentSort::Size => "f.size_bytes",
            DocumentSort::Date => "f.modification_date",
            DocumentSort::Tokens => "coalesce(f.estimated_tokens, c.estimated_tokens)",
            DocumentSort::Status => "f.processing_status",
        }
    }
}

/// A part of a sorted list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListPart {
    /// By what it is sorted.
    pub sort: DocumentSort,
    /// The largest, latest or last comes first.
    pub is_descending: bool,
    /// Documents to skip.
    pub offset: usize,
    /// Maximum number of documents.
    pub limit: usize,
}

impl DocumentQueries<'_> {
    /// The first `limit` documents after a position, by path.
    ///
    /// Cost: the rows up to the last one returned, plus one search over all chunks if there are words.
    pub fn page(
        &self,
        filter: &DocumentFilter,
        after: Option<&DocumentPosition>,
        limit: usize,
    ) -> Result<Vec<DocumentRow>, StoreError> {
        let mut conditions = Conditions::of(self.0, filter)?;
        let after = after.map(|position| self.full_path_of(position)).transpose()?.unwrap_or_default();
        conditions.add("f.full_filepath > :after", ":after", after);
        self.rows(&conditions, &format!("ORDER BY f.full_filepath LIMIT {}", limit as i64))
    }

    /// How many documents a filter has.
    ///
    /// Cost: one pass over the documents of the folder, plus one search over all chunks if there are words.
    pub fn count(&self, filter: &DocumentFilter) -> Result<usize, StoreError> {
        let conditions = Conditions::of(self.0, filter)?;
        let sql = format!("SELECT count(*) FROM {TABLES} WHERE {}", conditions.sql());
        self.0.ask(|connection| {
            Ok(connection.one(&sql, conditions.values().as_slice(), |row| count(row, 0))? as usize)
        })
    }

    /// A part of the sorted list.
    ///
    /// Cost: by path, the rows up to the last one returned; else a pass over the documents of the folder, of which
    /// `offset + limit` are kept in memory.
    pub fn part(&self, filter: &DocumentFilter, part: &ListPart) -> Result<Vec<DocumentRow>, StoreError> {
        let conditions = Conditions::of(self.0, filter)?;
        let direction = if part.is_descending { "DESC" } else { "ASC" };
        // A path is never null; a rule for null would keep SQLite from using the index.
        let order = match part.sort {
            // Documents inside another have the order of their places, not that of `1`, `10`, `2`.
            DocumentSort::Name if filter.is_direct => format!(
                "CASE f.file_type WHEN 'member' THEN f.file_id END {direction}, f.full_filepath {direction}"
            ),
            DocumentSort::Name => format!("f.full_filepath {direction}"),
            sort => format!("{} {direction} NULLS LAST, f.full_filepath", sort.column()),
        };
        let (limit, offset) = (part.limit as i64, i64::try_from(part.offset).unwrap_or(i64::MAX));
        self.rows(&conditions, &format!("ORDER BY {order} LIMIT {limit} OFFSET {offset}"))
    }

    fn rows(&self, conditions: &Conditions, rest: &str) -> Result<Vec<DocumentRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM {TABLES} WHERE {} {rest}", conditions.sql());
        self.0.ask(|connection| {
            let rows = connection.rows(&sql, conditions.values().as_slice(), document)?;
            rows.into_iter().map(|row| with_name(connection, row)).collect()
        })
    }

    /// The absolute path of a position, by which documents are sorted; empty if its root was removed.
    pub(super) fn full_path_of(&self, position: &DocumentPosition) -> Result<String, StoreError> {
        let root = RootTable(self.0).all()?.into_iter().find(|root| root.root_id == position.root_id);
        Ok(root.map(|root: Root| root.full_path(&position.relative_path)).unwrap_or_default())
    }
}

/// The conditions of a filter in SQL, with their values.
#[derive(Default)]
struct Conditions {
    parts: Vec<String>,
    values: Vec<(String, Box<dyn ToSql>)>,
}

impl Conditions {
    fn of(store: &Store, filter: &DocumentFilter) -> Result<Conditions, StoreError> {
        let mut conditions = Conditions::default();
        conditions.add_plain("f.file_type IN ('file', 'member')");
        match &filter.status {
            Some(status) => conditions.add("f.processing_status = :status", ":status", status.clone()),
            None => conditions.add_plain("f.processing_status IS NOT 'Deleted'"),
        }
        if let Some(format) = &filter.format {
            let sql = "(coalesce(f.format, c.format) = :format OR f.file_extension = :format)";
            conditions.add(sql, ":format", format.clone());
        }
        if filter.needs_review {
            conditions.add_plain("v.needs_review");
        }
        if let Some(folder) = &filter.folder {
            conditions.add_folder(&folder.full_path(store)?, filter.is_direct);
        }
        let words = filter.query.as_deref().map(split_words).unwrap_or_default();
        if !words.is_empty() {
            conditions.add_words(store, &words)?;
        }
        Ok(conditions)
    }

    fn add_plain(&mut self, sql: &str) {
        self.parts.push(sql.to_owned());
    }

    fn add(&mut self, sql: &str, name: &str, value: impl ToSql + 'static) {
        self.parts.push(sql.to_owned());
        self.bind(name, value);
    }

    fn bind(&mut self, name: &str, value: impl ToSql + 'static) {
        self.values.push((name.to_owned(), Box::new(value)));
    }

    /// Everything below a folder is one range of paths: those with its path and a `/` before them.
    fn add_folder(&mut self, path: &str, is_direct: bool) {
        self.add("f.full_filepath > :below", ":below", format!("{path}/"));
        self.add("f.full_filepath < :beyond", ":beyond", format!("{path}0"));
        if is_direct {
            let sql = "(f.file_type = 'file' AND instr(substr(f.full_filepath, :skip), '/') = 0
                 OR f.parent_file_id = (SELECT p.file_id FROM files p
                    WHERE p.full_filepath = :container AND p.file_type IN ('file', 'member')))";
            self.add(sql, ":skip", path.chars().count() as i64 + 2);
            self.bind(":container", path.to_owned());
        }
    }

    fn add_words(&mut self, store: &Store, words: &[&str]) -> Result<(), StoreError> {
        let sql_of_chunks = "SELECT s.file_id FROM json_each(:chunks) j
              CROSS JOIN chunk_sources s ON s.chunk_id = j.value";
        let chunks = id_list(SearchQueries(store).chunks_with_words(words)?);
        for (at, word) in words.iter().enumerate() {
            self.bind(&format!(":word{at}"), like(word));
        }
        let sql = format!(
            "(({}) OR coalesce(c.file_id, f.file_id) IN ({sql_of_chunks}))",
            name_condition(words.len())
        );
        self.add(&sql, ":chunks", chunks);
        Ok(())
    }

    fn sql(&self) -> String {
        self.parts.join(" AND ")
    }

    fn values(&self) -> Vec<(&str, &dyn ToSql)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value.as_ref())).collect()
    }
}

fn split_words(query: &str) -> Vec<&str> {
    query
        .split(|c: char| c.is_whitespace() || c == '\0')
        .filter(|word| !word.is_empty())
        .take(MAX_WORDS)
        .collect()
}

/// The SQL condition that path or title contains every word.
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
pub(super) fn like(word: &str) -> String {
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

    #[test]
    fn orders_have_names() {
        assert_eq!(DocumentSort::from_name("tokens"), Some(DocumentSort::Tokens));
        assert_eq!(DocumentSort::from_name("rank"), None);
    }
}
