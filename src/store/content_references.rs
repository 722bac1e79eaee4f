//! Where the content of a file is, in a catalogue: the table of contents of a corpus whose content stays in its partitions.
//!
//! While a catalogue is written, a reference is a row of `metadata`: it moves with the content of its file when that
//! changes hands, and goes when the content goes. At the end all references become the table `contents`.

use super::sql::Queries;
use rusqlite::{Connection, Row, params};

/// The key of a reference in `metadata`; no reader writes such a key.
const KEY: &str = "pensieve:content";

/// The table of a complete catalogue: the file `source_id` of partition `part` is `file_id` of the corpus.
const CONTENTS: &str = "
    CREATE TABLE contents(
      part INTEGER NOT NULL, source_id INTEGER NOT NULL, file_id INTEGER NOT NULL, PRIMARY KEY(part, source_id)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX contents_by_file ON contents(file_id);
";

/// A file of the corpus, and where its content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContentReference {
    /// The number of the partition, from 0.
    pub part: usize,
    /// The row of the file there.
    pub source_id: i64,
    /// The row of the file in the catalogue.
    pub file_id: i64,
}

impl ContentReference {
    fn read(row: &Row<'_>) -> rusqlite::Result<ContentReference> {
        let part: i64 = row.get(0)?;
        Ok(ContentReference { part: part as usize, source_id: row.get(1)?, file_id: row.get(2)? })
    }
}

/// Notes that the content of a file is that of the file `source_id` of a partition.
pub(super) fn add(
    connection: &Connection,
    file_id: i64,
    part: usize,
    source_id: i64,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO metadata(file_id, key, value) VALUES(?1, ?2, ?3)";
    connection.run(sql, params![file_id, KEY, format!("{part}/{source_id}")]).map(drop)
}

/// Turns all references into the table `contents`.
pub(super) fn complete(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(CONTENTS)?;
    let sql = "INSERT INTO contents(part, source_id, file_id)
               SELECT CAST(substr(value, 1, instr(value, '/') - 1) AS INTEGER),
                      CAST(substr(value, instr(value, '/') + 1) AS INTEGER), file_id
               FROM metadata WHERE key = ?1";
    connection.run(sql, [KEY])?;
    connection.run("DELETE FROM metadata WHERE key = ?1", [KEY]).map(drop)
}

/// At most `limit` references after one, partition by partition.
pub(super) fn page_after(
    connection: &Connection,
    last: Option<ContentReference>,
    limit: usize,
) -> rusqlite::Result<Vec<ContentReference>> {
    let sql = "SELECT part, source_id, file_id FROM contents WHERE (part, source_id) > (?1, ?2)
               ORDER BY part, source_id LIMIT ?3";
    let (part, source_id) = last.map_or((-1, 0), |last| (last.part as i64, last.source_id));
    connection.rows(sql, params![part, source_id, limit as i64], ContentReference::read)
}
