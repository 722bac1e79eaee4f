//! The folders of the corpus with what is below them.
//!
//! A folder is a range of paths, so that a database of any version has folders; one without documents is none.

use super::documents::DocumentQueries;
use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::database::roots::RootTable;
use crate::store::rows::sql::{Queries, count, id_list};
use rusqlite::{Row, params};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;

/// A folder, or a document that contains others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FolderPath {
    /// The root.
    pub root_id: i64,
    /// Path below it, in stored form; empty for the root itself.
    pub relative_path: String,
}

impl FolderPath {
    /// The absolute path in stored form, without `/` at its end.
    pub(super) fn full_path(&self, store: &Store) -> Result<String, StoreError> {
        let root = RootTable(store).all()?.into_iter().find(|root| root.root_id == self.root_id);
        // Nothing is below a path with a null character.
        let path = root.map_or_else(|| "\0".to_owned(), |root| root.full_path(&self.relative_path));
        Ok(path.trim_end_matches('/').to_owned())
    }
}

/// A folder of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Folder)]
pub struct FolderRow {
    /// The last part of its path.
    pub name: String,
    /// Path below its root.
    pub relative_path: String,
    /// Documents below it, at any depth.
    pub documents: u64,
    /// Their bytes.
    pub size_bytes: u64,
    /// Tokens of their texts; a duplicate has no text of its own.
    pub estimated_tokens: u64,
}

impl DocumentQueries<'_> {
    /// The folders directly in a folder, by name, with what is below them.
    ///
    /// Cost: one pass over the documents below the folder: .2 s for 100,000.
    pub fn folders(&self, folder: &FolderPath) -> Result<Vec<FolderRow>, StoreError> {
        let sql = "SELECT substr(rest, 1, instr(rest, '/') - 1), count(*), sum(size_bytes), sum(tokens)
                   FROM (SELECT substr(full_filepath, ?3) AS rest, size_bytes, file_type,
                                coalesce(estimated_tokens, 0) AS tokens
                         FROM files WHERE full_filepath > ?1 AND full_filepath < ?2
                           AND file_type IN ('file', 'member') AND processing_status IS NOT 'Deleted')
                   WHERE instr(rest, '/') > 0
                   GROUP BY 1 HAVING max(file_type = 'file')";
        let path = folder.full_path(self.0)?;
        let skip = path.chars().count() as i64 + 2;
        self.0.ask(|connection| {
            let values = params![format!("{path}/"), format!("{path}0"), skip];
            connection.rows(sql, values, |row| folder_row(row, folder))
        })
    }

    /// Every root with what is below it.
    ///
    /// Cost: one pass over all documents.
    pub fn root_folders(&self) -> Result<Vec<(i64, FolderRow)>, StoreError> {
        let sql =
            "SELECT '', count(*), sum(size_bytes), coalesce(sum(estimated_tokens), 0), root_id FROM files
                   WHERE file_type IN ('file', 'member') AND processing_status IS NOT 'Deleted'
                   GROUP BY root_id ORDER BY root_id";
        self.0.ask(|connection| {
            connection.rows(sql, [], |row| Ok((row.get(4)?, folder_row(row, &FolderPath::default())?)))
        })
    }

    /// The `doc_uid` of the document with this path, if it is one and no folder.
    pub fn uid_at(&self, path: &FolderPath) -> Result<Option<String>, StoreError> {
        let sql = "SELECT doc_uid FROM files WHERE full_filepath = ?1 AND file_type IN ('file', 'member')";
        let path = path.full_path(self.0)?;
        self.0.ask(|connection| connection.first(sql, [path], |row| row.get(0)))
    }

    /// The title of each of these documents, or the subject of a mail; those without one are left out.
    pub fn titles(
        &self,
        file_ids: impl IntoIterator<Item = i64>,
    ) -> Result<HashMap<i64, String>, StoreError> {
        let sql = "SELECT j.value, coalesce(m.subject, (SELECT t.value FROM metadata t
                          WHERE t.file_id = j.value AND t.key = 'title' ORDER BY t.rowid LIMIT 1)) AS title
                   FROM json_each(?1) j LEFT JOIN mails m ON m.file_id = j.value WHERE title <> ''";
        let ids = id_list(file_ids);
        let titles =
            self.0.ask(|connection| connection.rows(sql, [ids], |row| Ok((row.get(0)?, row.get(1)?))))?;
        Ok(titles.into_iter().collect())
    }

    /// The number of documents directly inside each of these documents; those without any are left out.
    pub fn member_counts(
        &self,
        file_ids: impl IntoIterator<Item = i64>,
    ) -> Result<HashMap<i64, u64>, StoreError> {
        let sql = "SELECT f.parent_file_id, count(*) FROM json_each(?1) j
                   CROSS JOIN files f ON f.parent_file_id = j.value GROUP BY 1";
        let ids = id_list(file_ids);
        let counts =
            self.0.ask(|connection| connection.rows(sql, [ids], |row| Ok((row.get(0)?, count(row, 1)?))))?;
        Ok(counts.into_iter().collect())
    }
}

fn folder_row(row: &Row<'_>, parent: &FolderPath) -> rusqlite::Result<FolderRow> {
    let name: String = row.get(0)?;
    let relative_path = match parent.relative_path.as_str() {
        "" => name.clone(),
        path => format!("{path}/{name}"),
    };
    Ok(FolderRow {
        name,
        relative_path,
        documents: count(row, 1)?,
        size_bytes: count(row, 2)?,
        estimated_tokens: count(row, 3)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::read::{DocumentFilter, DocumentSort, ListPart};
    use crate::store::testing::{add, corpus, execute, read, read_member, run, store, task, write};
    use crate::store::{Outcome, TaskKind};
    use pensieve_text::model::ProcessingStatus;

    fn at(path: &str) -> FolderPath {
        FolderPath { root_id: 1, relative_path: path.to_owned() }
    }

    /// Folders with their numbers of documents, and names of documents, in a folder.
    #[track_caller]
    fn check(store: &Store, path: &str, folders: &[(&str, u64)], documents: &[&str]) {
        let found = store.documents().folders(&at(path)).unwrap();
        let found: Vec<(&str, u64)> = found.iter().map(|row| (row.name.as_str(), row.documents)).collect();
        assert_eq!(found, folders, "{path}");
        let filter = DocumentFilter { folder: Some(at(path)), is_direct: true, ..DocumentFilter::default() };
        let part = ListPart { sort: DocumentSort::Name, is_descending: false, offset: 0, limit: 9 };
        let rows = store.documents().part(&filter, &part).unwrap();
        assert_eq!(rows.iter().map(|row| row.filename.as_str()).collect::<Vec<_>>(), documents, "{path}");
        assert_eq!(store.documents().count(&filter).unwrap(), documents.len());
    }

    #[test]
    fn folders_are_opened_step_by_step() {
        let store = corpus(&[
            ("a/b/1.txt", &["one"]),
            ("a/b/2.txt", &["two"]),
            ("a/3.txt", &["three"]),
            ("a b.txt", &["four"]),
            ("a0/5.txt", &["five"]),
            ("ä/ö/6.txt", &["six"]),
        ]);
        check(&store, "", &[("a", 3), ("a0", 1), ("ä", 1)], &["a b.txt"]);
        check(&store, "a", &[("b", 2)], &["3.txt"]);
        check(&store, "a/b", &[], &["1.txt", "2.txt"]);
        check(&store, "ä", &[("ö", 1)], &[]);
        check(&store, "a/b/1.txt", &[], &[]);
        check(&store, "nothing", &[], &[]);
        let folder = &store.documents().folders(&at("a")).unwrap()[0];
        assert_eq!(
            (folder.relative_path.as_str(), folder.size_bytes, folder.estimated_tokens > 1),
            ("a/b", 6, true)
        );
        let other = FolderPath { root_id: 7, relative_path: String::new() };
        assert_eq!(store.documents().folders(&other).unwrap(), []);
        let roots = store.documents().root_folders().unwrap();
        assert_eq!(roots.iter().map(|(root, row)| (*root, row.documents)).collect::<Vec<_>>(), [(1, 6)]);
    }

    #[test]
    fn a_document_with_others_inside_is_opened_like_a_folder() {
        let mut store = store();
        run(&mut store, |writer| {
            let mail = add(writer, "box/m.eml", "mail");
            let start = task(writer, mail, TaskKind::Read);
            assert!(writer.start(start.file.file_id, &start.kind).unwrap());
            write(writer, &["letter"]);
            for number in ["1", "2", "10"] {
                read_member(writer, None, &format!("{number}/{number}.txt"), &[number]);
            }
            let status = Some(ProcessingStatus::Processed);
            writer.finish(&Outcome { status, ..Outcome::default() }).unwrap();
            let other = add(writer, "box/z.txt", "z");
            read(writer, other, &["z"], Outcome::default());
        });
        check(&store, "", &[("box", 5)], &[]);
        check(&store, "box", &[], &["m.eml", "z.txt"]);
        check(&store, "box/m.eml", &[], &["1.txt", "2.txt", "10.txt"]);
        let mail = store.files().at("/r/box/m.eml").unwrap().unwrap().file_id;
        assert_eq!(store.documents().member_counts([mail, mail + 1]).unwrap(), HashMap::from([(mail, 3)]));
        execute(
            &store,
            &format!("INSERT INTO metadata(file_id, key, value) VALUES({mail}, 'title', 'A Title')"),
        );
        let titles = store.documents().titles([mail, mail + 1]).unwrap();
        assert_eq!(titles, HashMap::from([(mail, "A Title".to_owned())]));
        assert!(store.documents().uid_at(&at("box/m.eml")).unwrap().is_some());
        assert_eq!(store.documents().uid_at(&at("box")).unwrap(), None);
    }

    #[test]
    fn documents_below_a_folder_are_sorted_and_counted() {
        let store =
            corpus(&[("a/1.txt", &["one"]), ("a/b/2.txt", &["one two three"]), ("c.txt", &["one two"])]);
        let filter = DocumentFilter { folder: Some(at("a")), ..DocumentFilter::default() };
        assert_eq!(store.documents().count(&filter).unwrap(), 2);
        let names = |filter: &DocumentFilter, sort, is_descending, offset, limit| -> Vec<String> {
            let part = ListPart { sort, is_descending, offset, limit };
            store.documents().part(filter, &part).unwrap().into_iter().map(|row| row.filename).collect()
        };
        let all = DocumentFilter::default();
        assert_eq!(names(&filter, DocumentSort::Size, true, 0, 9), ["2.txt", "1.txt"]);
        assert_eq!(names(&all, DocumentSort::Tokens, false, 0, 9), ["1.txt", "c.txt", "2.txt"]);
        assert_eq!(names(&all, DocumentSort::Size, true, 1, 1), ["c.txt"]);
        assert_eq!(names(&all, DocumentSort::Name, true, 0, 2), ["c.txt", "2.txt"]);
        for sort in [DocumentSort::Date, DocumentSort::Status] {
            assert_eq!(names(&all, sort, false, 0, 9), ["1.txt", "2.txt", "c.txt"]);
        }
        let words = DocumentFilter { query: Some("three".to_owned()), ..filter };
        assert_eq!(names(&words, DocumentSort::Name, false, 0, 9), ["2.txt"]);
    }
}
