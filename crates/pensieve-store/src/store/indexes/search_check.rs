//! Compares the search tables with the chunks: every word at its place, and the length of every chunk.
//!
//! FTS5's own `integrity-check` compares an index with its table only on a connection that may write, and indexing every
//! chunk once more costs as much as the ingest. Here the chunks are divided into words as the tokenizer divides them, and
//! sums over all entries are compared.

use super::search_letters::SearchLetters;
use super::search_tables;
use crate::store::database::meta;
use crate::store::rows::sql::Queries;
use rusqlite::{Connection, ErrorCode};
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::ControlFlow;

/// The entries of an index, in any order.
#[derive(Debug, Default, PartialEq, Eq)]
struct IndexSum {
    entries: u64,
    sum: u64,
    lengths: u64,
}

impl IndexSum {
    /// The entries of a search table, through a list of them, and the lengths of its documents.
    fn of_table(connection: &Connection, entries: &str, table: &str) -> rusqlite::Result<IndexSum> {
        let mut sum = IndexSum::default();
        connection.each(&format!("SELECT doc, offset, term FROM {entries}"), [], |row| {
            sum.add_entry(row.get(0)?, row.get(1)?, row.get_ref(2)?.as_bytes()?);
            Ok(ControlFlow::Continue(()))
        })?;
        connection.each(&format!("SELECT id, sz FROM main.{table}_docsize"), [], |row| {
            sum.add_length(row.get(0)?, row.get_ref(1)?.as_bytes()?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(sum)
    }

    /// The entries that a search table of the chunks has; `text` gives the text of a chunk as the table has it.
    fn of_chunks(
        connection: &Connection,
        text: &dyn Fn(&str) -> Option<String>,
        letters: &mut SearchLetters,
    ) -> rusqlite::Result<IndexSum> {
        let mut sum = IndexSum::default();
        connection.each("SELECT chunk_id, content FROM main.chunks", [], |row| {
            let chunk_id = row.get(0)?;
            if let Some(text) = text(row.get_ref(1)?.as_str()?) {
                let mut words = 0;
                letters.each_word(connection, &text, &mut |word| {
                    sum.add_entry(chunk_id, words, word);
                    words += 1;
                })?;
                sum.add_length(chunk_id, &number_record(words as u64));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(sum)
    }

    fn add_entry(&mut self, document: i64, offset: i64, term: &[u8]) {
        self.entries += 1;
        self.sum = self.sum.wrapping_add(mix(document, offset, term));
    }

    fn add_length(&mut self, document: i64, record: &[u8]) {
        self.lengths = self.lengths.wrapping_add(mix(document, 0, record));
    }
}

/// A number for two numbers and bytes.
fn mix(document: i64, offset: i64, bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_i64(document);
    hasher.write_i64(offset);
    hasher.write(bytes);
    hasher.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// The search tables that do not match the chunks, each with what is wrong; none if search is off or a load is open.
///
/// Cost: one pass over the chunks and one over the entries of each table: about a second for each 100 MB of text.
pub(crate) fn differing_tables(connection: &Connection) -> rusqlite::Result<Vec<(&'static str, String)>> {
    if !meta::has_search(connection)? || meta::is_loading(connection)? {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let mut letters = SearchLetters::new(connection)?;
    let all = |content: &str| Some(content.to_owned());
    let mut check = |table: &'static str, text: &dyn Fn(&str) -> Option<String>| {
        match differs(connection, table, text, &mut letters) {
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
    letters.close(connection)?;
    Ok(found)
}

/// True if the entries of a search table are not those of the chunks, of which `text` gives the indexed text.
fn differs(
    connection: &Connection,
    table: &str,
    text: &dyn Fn(&str) -> Option<String>,
    letters: &mut SearchLetters,
) -> rusqlite::Result<bool> {
    if totals(connection, table)? != stored_totals(connection, table)? {
        return Ok(true);
    }
    let list =
        format!("CREATE VIRTUAL TABLE temp.verify_list USING fts5vocab('main', '{table}', 'instance')");
    connection.execute_batch(&list)?;
    let stored = IndexSum::of_table(connection, "temp.verify_list", table);
    connection.flush_prepared_statement_cache();
    connection.execute_batch("DROP TABLE temp.verify_list")?;
    Ok(stored? != IndexSum::of_chunks(connection, text, letters)?)
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

/// A record of one number.
fn number_record(number: u64) -> Vec<u8> {
    let mut bytes = vec![(number & 127) as u8];
    let mut rest = number >> 7;
    while rest > 0 {
        bytes.insert(0, (rest & 127) as u8 | 128);
        rest >>= 7;
    }
    bytes
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
