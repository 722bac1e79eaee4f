//! Several databases as one corpus: partitions, and a catalogue that says which of their files count, under which names.
//!
//! The catalogue has the rows of `files` and `roots` that a merge would write, and where the content of each file is. It is
//! attached to the connection of every partition, where temporary views hide the tables of the partition: `files` and
//! `roots` are those of the corpus, and `chunk_sources` and the tables of texts have what counts, by the ids of the corpus. So
//! a query about chunks, places and one text is the same for a partition as for a whole database.

use crate::store::connection::connect_for_reading;
use crate::store::sql::Queries;
use crate::store::{Store, StoreError};
use std::path::{Path, PathBuf};

/// Tables with the content of files, whose rows get the ids of the corpus: their other columns.
const CONTENT_TABLES: &[(&str, &str)] = &[
    (
        "chunk_sources",
        "chunk_id, start_index, end_index, chunking_strategy, source_start, source_end, source_exact, locator,
         heading_path, context",
    ),
    ("texts", "variant, version, segment, start_index, char_start, content"),
    ("text_maps", "variant, version, segment, content"),
    (
        "text_versions",
        "variant, version, is_current, sha256, byte_length, char_length, needs_review, review_reasons, extractor,
         settings_hash, created_at, maps_sha256, review_counts, text_facts",
    ),
    ("sections", "seq, level, label, anchor, start_index, end_index, locator"),
    ("mail_pages", "raw, sanitised"),
    ("metadata", "key, value"),
    ("document_fields", "seq, field, value"),
];

/// Questions about all partitions of a corpus.
#[derive(Debug, Clone, Copy)]
pub struct PartitionQueries<'s> {
    pub(in crate::store) catalog: &'s Store,
    pub(in crate::store) parts: &'s [Store],
}

impl PartitionQueries<'_> {
    /// Opens a complete catalogue with its partitions, in the order of their numbers. From then on they are read as they are
    /// now, whatever is written meanwhile.
    ///
    /// # Errors
    /// The catalogue or a partition cannot be read.
    pub fn open(catalog: &Path, paths: &[PathBuf]) -> Result<Store, StoreError> {
        let name = catalog.to_string_lossy().into_owned();
        let open = |(number, path): (usize, &PathBuf)| {
            let part = Store::open_for_reading(path)?;
            part.ask(|connection| {
                connection.run("ATTACH ?1 AS corpus", [&name])?;
                connection.execute_batch(&views(number))?;
                // The snapshot begins with the first query.
                connection.execute_batch("BEGIN; SELECT count(*) FROM main.meta;")
            })?;
            Ok(part)
        };
        let parts = paths.iter().enumerate().map(open).collect::<Result<Vec<_>, StoreError>>()?;
        let mut store = Store::over(connect_for_reading(catalog)?, catalog)?;
        store.parts = parts;
        Ok(store)
    }
}

fn views(part: usize) -> String {
    let content = CONTENT_TABLES.iter().map(|(table, columns)| {
        let columns: Vec<String> = columns.split(',').map(|column| format!("t.{}", column.trim())).collect();
        format!(
            "CREATE TEMP VIEW {table} AS SELECT c.file_id, {}
             FROM main.{table} t JOIN corpus.contents c ON c.part = {part} AND c.source_id = t.file_id;",
            columns.join(", ")
        )
    });
    let files = "CREATE TEMP VIEW files AS SELECT * FROM corpus.files;
                 CREATE TEMP VIEW roots AS SELECT * FROM corpus.roots;";
    std::iter::once(files.to_owned()).chain(content).collect()
}
