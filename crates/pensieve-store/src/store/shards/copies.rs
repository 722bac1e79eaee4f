//! What a merge does besides documents: its state, vectors, facts of the whole database, and the proof by digests.

use super::contents::ShardContents;
use super::facts::ShardQueries;
use super::pool::ShardPool;
use crate::store::database::error::StoreError;
use crate::store::database::meta;
use crate::store::database::open::Store;
use crate::store::rows::sql::Queries;
use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, Row, params};
use std::ops::ControlFlow;

/// The key of `meta` for the shards from which a database is being made; it goes when the database is complete.
const MARK: &str = "merge_shards";

impl ShardQueries<'_> {
    /// The shards from which this database is being made, if its table of contents is written.
    pub fn mark(&self) -> Result<Option<String>, StoreError> {
        self.0.ask(|connection| meta::get(connection, MARK))
    }

    /// Notes that the table of contents of these shards is written.
    pub fn set_mark(&self, shards: &str) -> Result<(), StoreError> {
        self.0.ask(|connection| meta::set(connection, MARK, shards))
    }

    /// Notes that the database is complete.
    pub fn remove_mark(&self) -> Result<(), StoreError> {
        self.0.ask(|connection| meta::remove(connection, MARK))
    }

    /// Copies the vectors of chunks that this database has; returns how many there were in the shard.
    pub fn copy_vectors(&self, shard: &Store) -> Result<u64, StoreError> {
        let vectors =
            "SELECT content_hash, model, dimensions, format, vector, created_at, prefix FROM vectors";
        let insert = "INSERT OR IGNORE INTO vectors(content_hash, model, dimensions, format, vector, created_at, prefix)
                      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
                      WHERE EXISTS (SELECT 1 FROM chunks WHERE content_hash = ?1)";
        let models = "SELECT model, dimensions, is_native FROM vector_models";
        let insert_model =
            "INSERT OR IGNORE INTO vector_models(model, dimensions, is_native) VALUES(?1, ?2, ?3)";
        self.0.ask(|to| {
            let transaction = to.unchecked_transaction()?;
            copy_rows(&shard.connection, models, &transaction, insert_model)?;
            let copied = copy_rows(&shard.connection, vectors, &transaction, insert)?;
            transaction.commit()?;
            Ok(copied)
        })
    }

    /// The first file whose chunks or texts are not as its shard has them, in words.
    ///
    /// Cost: one look-up in a shard for each file that was read.
    pub fn first_difference(
        &self,
        contents: &ShardContents,
        shards: &mut ShardPool,
    ) -> Result<Option<String>, StoreError> {
        let sql = "SELECT root_id, relative_path, chunks_digest, texts_digest FROM files
                   WHERE file_type = 'file' AND is_canonical AND processing_status = 'Processed'
                     AND settings_hash IS NOT NULL AND (root_id, relative_path) > (?1, ?2)
                   ORDER BY root_id, relative_path LIMIT 4096";
        let (mut root, mut path) = (0, String::new());
        loop {
            let page = self.0.ask(|connection| connection.rows(sql, params![root, path], DigestRow::read))?;
            let Some(last) = page.last() else { return Ok(None) };
            (root, path) = (last.root, last.path.clone());
            for row in &page {
                if !row.is_as_in_shard(contents, shards)? {
                    return Ok(Some(row.path.clone()));
                }
            }
        }
    }
}

/// A file with the digests of its content.
struct DigestRow {
    root: i64,
    path: String,
    digests: [Option<Vec<u8>>; 2],
}

impl DigestRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<DigestRow> {
        Ok(DigestRow { root: row.get(0)?, path: row.get(1)?, digests: [row.get(2)?, row.get(3)?] })
    }

    fn is_as_in_shard(&self, contents: &ShardContents, shards: &mut ShardPool) -> Result<bool, StoreError> {
        let Some((shard, file_id)) = contents.find(self.root, &self.path)? else { return Ok(false) };
        let sql = "SELECT chunks_digest, texts_digest FROM files WHERE file_id = ?1";
        let stored: [Option<Vec<u8>>; 2] = shards
            .get(shard)?
            .ask(|connection| connection.one(sql, [file_id], |row| Ok([row.get(0)?, row.get(1)?])))?;
        Ok(stored == self.digests)
    }
}

/// Inserts every row of a query into another database; returns their number.
fn copy_rows(from: &Connection, select: &str, to: &Connection, insert: &str) -> rusqlite::Result<u64> {
    let mut insert = to.prepare_cached(insert)?;
    let mut copied = 0;
    from.each(select, [], |row| {
        for column in 0..row.as_ref().column_count() {
            insert.raw_bind_parameter(column + 1, ToSqlOutput::Borrowed(row.get_ref(column)?))?;
        }
        copied += insert.raw_execute()? as u64;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(copied)
}
