//! Compares the search tables with the chunks: every word at its place, and the length of every chunk.
//!
//! FTS5's own `integrity-check` compares an index with its table only on a connection that may write. Here the chunks are
//! indexed once more, in portions, in a temporary table, and sums over all entries are compared.

use super::sql::Queries;
use super::{load, meta, search_tables};
use rusqlite::{Connection, ErrorCode, Row, params};
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::ControlFlow;

/// Text that is indexed at a time.
const PORTION_BYTES: usize = 8 * 1024 * 1024;

/// A table like the search tables, without its text, and a list of its entries. A portion is one segment: it is read once and
/// thrown away, so nothing is won by merging.
const SCRATCH: &str = "
    CREATE VIRTUAL TABLE temp.verify_index USING fts5(
      content, content='', tokenize='unicode61 remove_diacritics 2');
    INSERT INTO temp.verify_index(verify_index, rank) VALUES('hashsize', 67108864);
    INSERT INTO temp.verify_index(verify_index, rank) VALUES('automerge', 0);
    CREATE VIRTUAL TABLE temp.verify_entries USING fts5vocab('temp', 'verify_index', 'instance');
";

/// The entries of an index, in any order.
#[derive(Debug, Default, PartialEq, Eq)]
struct IndexSum {
    entries: u64,
    sum: u64,
    lengths: u64,
}

impl IndexSum {
    /// Adds the entries that a list of entries has, and the lengths of its documents.
    fn add(&mut self, connection: &Connection, entries: &str, lengths: &str) -> rusqlite::Result<()> {
        let sql = format!("SELECT doc, offset, term FROM {entries}");
        connection.each(&sql, [], |row| {
            self.entries += 1;
            self.sum = self.sum.wrapping_add(mix(row, 2)?);
            Ok(ControlFlow::Continue(()))
        })?;
        let sql = format!("SELECT id, 0, sz FROM {lengths}");
        connection.each(&sql, [], |row| {
            self.lengths = self.lengths.wrapping_add(mix(row, 2)?);
            Ok(ControlFlow::Continue(()))
        })
    }
}

/// A number for two numbers and the bytes in column `bytes`.
fn mix(row: &Row<'_>, bytes: usize) -> rusqlite::Result<u64> {
    let mut hasher = FxHasher::default();
    hasher.write_i64(row.get(0)?);
    hasher.write_i64(row.get(1)?);
    hasher.write(row.get_ref(bytes)?.as_bytes()?);
    Ok(hasher.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
}

/// The search tables that do not match the chunks, each with what is wrong; none if search is off or a load is open.
///
/// Cost: indexes every chunk once more: some seconds for each 100 MB of text, some tens of MiB of memory.
pub(super) fn differing_tables(connection: &Connection) -> rusqlite::Result<Vec<(&'static str, String)>> {
    if !meta::has_search(connection)? || load::is_open(connection)? {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let all = |content: &str| Some(content.to_owned());
    let mut check = |table: &'static str, text: &dyn Fn(&str) -> Option<String>| {
        match differs(connection, table, text) {
            Ok(true) => found.push((table, "it does not have the words of the chunks".to_owned())),
            Ok(false) => {}
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
                found.push((table, error.to_string()));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    };
    check("chunks_fts", &all)?;
    if search_tables::has_derived_tables(connection)? {
        search_tables::DERIVED.iter().try_for_each(|table| check(table.name, &table.words))?;
    }
    Ok(found)
}

/// True if the entries of a search table are not those of the chunks, of which `text` gives the indexed text.
fn differs(
    connection: &Connection,
    table: &str,
    text: &dyn Fn(&str) -> Option<String>,
) -> rusqlite::Result<bool> {
    connection.execute_batch("PRAGMA temp_store = MEMORY")?;
    let list =
        format!("CREATE VIRTUAL TABLE temp.verify_list USING fts5vocab('main', '{table}', 'instance')");
    connection.execute_batch(&list)?;
    connection.execute_batch(SCRATCH)?;
    let compared = compare(connection, table, text);
    connection.flush_prepared_statement_cache();
    connection.execute_batch(
        "DROP TABLE temp.verify_list; DROP TABLE temp.verify_entries; DROP TABLE temp.verify_index",
    )?;
    compared
}

fn compare(
    connection: &Connection,
    table: &str,
    text: &dyn Fn(&str) -> Option<String>,
) -> rusqlite::Result<bool> {
    let (mut stored, mut expected) = (IndexSum::default(), IndexSum::default());
    stored.add(connection, "temp.verify_list", &format!("main.{table}_docsize"))?;
    if totals(connection, table)? != stored_totals(connection, table)? {
        return Ok(true);
    }
    let mut last = 0;
    while let Some(end) = index_portion(connection, last, text)? {
        expected.add(connection, "temp.verify_entries", "temp.verify_index_docsize")?;
        connection.run("INSERT INTO temp.verify_index(verify_index) VALUES('delete-all')", [])?;
        last = end;
    }
    Ok(stored != expected)
}

/// The number of documents of a search table, and of their words.
fn totals(connection: &Connection, table: &str) -> rusqlite::Result<Vec<u64>> {
    let (mut documents, mut words) = (0, 0);
    connection.each(&format!("SELECT sz FROM main.{table}_docsize"), [], |row| {
        documents += 1;
        words += numbers(row.get_ref(0)?.as_bytes()?).iter().sum::<u64>();
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(vec![documents, words])
}

/// The same numbers as the search table keeps them, for the ranking of hits. An empty table has none.
fn stored_totals(connection: &Connection, table: &str) -> rusqlite::Result<Vec<u64>> {
    let sql = format!("SELECT block FROM main.{table}_data WHERE id = 1");
    let block: Option<Vec<u8>> = connection.first(&sql, [], |row| row.get(0))?;
    let mut totals = numbers(&block.unwrap_or_default());
    totals.resize(2, 0);
    Ok(totals)
}

/// The numbers of a record of FTS5: seven bits a byte, the most significant first, the last byte below 128.
fn numbers(bytes: &[u8]) -> Vec<u64> {
    let (mut found, mut number) = (Vec::new(), 0u64);
    for byte in bytes {
        number = number << 7 | u64::from(byte & 127);
        if *byte < 128 {
            found.push(std::mem::take(&mut number));
        }
    }
    found
}

/// Indexes the next chunks after `last` in the temporary table; the id of the last of them.
fn index_portion(
    connection: &Connection,
    last: i64,
    text: &dyn Fn(&str) -> Option<String>,
) -> rusqlite::Result<Option<i64>> {
    let (mut end, mut bytes) = (None, 0);
    let sql = "SELECT chunk_id, content FROM main.chunks WHERE chunk_id > ?1 ORDER BY chunk_id";
    connection.each(sql, [last], |row| {
        let (chunk_id, content): (i64, &str) = (row.get(0)?, row.get_ref(1)?.as_str()?);
        if let Some(text) = text(content) {
            let sql = "INSERT INTO temp.verify_index(rowid, content) VALUES(?1, ?2)";
            connection.run(sql, params![chunk_id, text])?;
        }
        end = Some(chunk_id);
        bytes += content.len();
        Ok(if bytes < PORTION_BYTES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{corpus, execute};

    #[test]
    fn words_that_the_index_lacks_or_has_too_much_are_found() {
        let check = |change: &str, expected: &[&str]| {
            let store =
                corpus(&[("a.txt", &["one two", "two three"]), ("b.txt", &["日本語の文", "Ünïcode"])]);
            execute(&store, change);
            let found = differing_tables(&store.connection).unwrap();
            assert_eq!(found.iter().map(|(table, _)| *table).collect::<Vec<_>>(), expected, "{change}");
            assert_eq!(differing_tables(&store.connection).unwrap(), found, "a second time");
        };
        check("", &[]);
        check("INSERT INTO chunks_fts(rowid, content) VALUES(99, 'more')", &["chunks_fts"]);
        check(
            "INSERT INTO chunks_fts(chunks_fts, rowid, content) VALUES('delete', 1, 'one two')",
            &["chunks_fts"],
        );
        check("UPDATE chunks SET content = 'one three' WHERE chunk_id = 1", &["chunks_fts"]);
        check("INSERT INTO chunks_fts_unspaced(rowid, content) VALUES(1, 'x')", &["chunks_fts_unspaced"]);
        check("DELETE FROM chunks_fts_docsize WHERE id = 1", &["chunks_fts"]);
        check("UPDATE chunks_fts_docsize SET sz = x'05' WHERE id = 1", &["chunks_fts"]);
        check("UPDATE chunks_fts_data SET block = x'0302' WHERE id = 1", &["chunks_fts"]);
        check("UPDATE chunks_fts_data SET block = x'0102' WHERE id > 100", &["chunks_fts"]);
        check("UPDATE meta SET value = 'off' WHERE key = 'fts'; DELETE FROM chunks_fts_docsize", &[]);
    }
}
