//! A first, large load: indexes that every row would update at a random place are built once, at the end of the load.
//!
//! While `meta.load` is set, chunk hashes have no index and the search tables are incomplete. With several threads the
//! search tables are built beside the load ([`SearchBuilders`]), else from the chunks at its end. An interrupted run leaves
//! the mark set, and the next run resumes the load before anything else.

use super::chunk_hashes::ChunkHashTable;
use super::search_builders::SearchBuilders;
use super::search_tables;
use crate::store::database::schema::LOAD_MARK;
use crate::store::database::{journal, meta};
use crate::store::rows::sql::{Queries, while_true};
use pensieve_text::model::ContentHash;
use rusqlite::Connection;

/// An open load: what takes the place of the indexes until it ends.
pub(crate) struct Load {
    /// The stored chunks, by hash.
    pub hashes: ChunkHashTable,
    /// The threads that build the search tables, if there are any.
    pub search: Option<SearchBuilders>,
    /// True if every chunk was counted by the tokenizer of this run, because the run has written all of them.
    pub has_one_tokenizer: bool,
    /// The id of the last chunk.
    last_id: i64,
}

impl Load {
    fn new(
        connection: &Connection,
        hashes: ChunkHashTable,
        search: Option<SearchBuilders>,
    ) -> rusqlite::Result<Load> {
        let has_one_tokenizer = !connection.has("SELECT 1 FROM chunks LIMIT 1", [])?;
        Ok(Load { hashes, search, has_one_tokenizer, last_id: last_chunk_id(connection)? })
    }

    /// Notes a new chunk, and returns the id for its row.
    pub fn add_chunk(&mut self, hash: &ContentHash) -> i64 {
        self.last_id += 1;
        self.hashes.insert(hash.prefix(), self.last_id);
        self.last_id
    }
}

/// The largest id that a chunk ever had; 0 if there was none. No id is used twice.
pub(crate) fn last_chunk_id(connection: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'chunks'";
    Ok(connection.first(sql, [], |row| row.get(0))?.unwrap_or(0))
}

/// Starts a load in a database without chunks, or resumes an interrupted one. `None` means that the live indexes stay
/// in use. The search tables of a new load are built by other threads if `threads` allows it.
pub(crate) fn begin(connection: &Connection, threads: usize) -> rusqlite::Result<Option<Load>> {
    if meta::is_loading(connection)? {
        return resume(connection);
    }
    if connection.has("SELECT 1 FROM chunks LIMIT 1", [])? {
        return Ok(None);
    }
    let search = match meta::has_search(connection)? {
        true => SearchBuilders::new(threads),
        false => None,
    };
    let transaction = connection.unchecked_transaction()?;
    transaction.execute_batch("DROP INDEX IF EXISTS chunks_by_hash")?;
    if search.is_some() {
        search_tables::mark_derived(&transaction, false)?;
    }
    meta::set(&transaction, LOAD_MARK, "open")?;
    transaction.commit()?;
    Ok(Some(Load::new(connection, ChunkHashTable::new(), search)?))
}

/// Reads the hashes of an interrupted load back into memory.
fn resume(connection: &Connection) -> rusqlite::Result<Option<Load>> {
    let mut table = ChunkHashTable::new();
    let mut is_full = false;
    connection.each("SELECT chunk_id, content_hash FROM chunks ORDER BY chunk_id", [], |row| {
        is_full = table.is_full(1);
        if let Ok(hash) = row.get_ref(1)?.as_str()?.parse::<ContentHash>() {
            table.insert(hash.prefix(), row.get(0)?);
        }
        Ok(while_true(!is_full))
    })?;
    if is_full {
        finish(connection, None, &mut |_| {})?;
        return Ok(None);
    }
    connection.execute_batch("DROP INDEX IF EXISTS chunks_by_hash")?;
    Ok(Some(Load::new(connection, table, None)?))
}

/// How much of the end of a load the index on hashes takes, of 1; the rest is for the search tables.
const INDEX_SHARE: f64 = 0.4;

/// Ends a load: builds the index on hashes and the search tables, and removes the mark. `on_progress` gets the share that is
/// done.
pub(crate) fn finish(
    connection: &Connection,
    load: Option<Load>,
    on_progress: &mut dyn FnMut(f64),
) -> rusqlite::Result<()> {
    let mut builders = load.and_then(|load| load.search);
    builders.iter_mut().for_each(SearchBuilders::finish_rows);
    let transaction = connection.unchecked_transaction()?;
    transaction.execute_batch("CREATE UNIQUE INDEX IF NOT EXISTS chunks_by_hash ON chunks(content_hash)")?;
    on_progress(INDEX_SHARE);
    let mut on_search = |share: f64| on_progress(INDEX_SHARE + share * (1.0 - INDEX_SHARE));
    if meta::has_search(&transaction)? {
        match builders.map(|builders| builders.take_over(&transaction, &mut on_search)).transpose()? {
            None => search_tables::build(&transaction, &mut on_search)?,
            Some(true) => search_tables::mark_derived(&transaction, true)?,
            Some(false) => {
                search_tables::build(&transaction, &mut on_search)?;
                search_tables::build_derived(&transaction)?;
                search_tables::mark_derived(&transaction, true)?;
            }
        }
    }
    meta::remove(&transaction, LOAD_MARK)?;
    journal::restart(&transaction)?;
    transaction.commit()
}
