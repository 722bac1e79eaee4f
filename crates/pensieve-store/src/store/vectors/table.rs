//! [`VectorTable`]: vectors in and out.

use super::format::VectorFormat;
use crate::store::database::error::StoreError;
use crate::store::database::meta;
use crate::store::database::open::Store;
use crate::store::rows::digests::{self, KnownContent};
use crate::store::rows::sql::{Queries, count, offset};
use crate::store::rows::time::stored_now;
use pensieve_text::model::ProblemKind;
use rusqlite::{Connection, Row, params};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// Vectors that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorSet {
    /// The model that made them.
    pub model: String,
    /// Numbers in each; `None` if nobody has seen one yet.
    pub dimensions: Option<usize>,
    /// The text that was put before each chunk.
    pub prefix: String,
}

impl VectorSet {
    /// The dimensions in the form of the database.
    pub(super) fn stored_dimensions(&self) -> Option<i64> {
        self.dimensions.map(|dimensions| dimensions as i64)
    }
}

/// A new vector of a chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct NewVector {
    /// The chunk.
    pub content_hash: String,
    /// Its numbers in their stored form.
    pub bytes: Vec<u8>,
}

/// A chunk of which no vector could be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkFailure {
    /// The chunk.
    pub content_hash: String,
    /// What happened.
    pub message: String,
}

/// The vectors of a model in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ModelVectors {
    /// The model.
    pub model: String,
    /// Numbers in each vector.
    pub dimensions: usize,
    /// How many vectors there are, those of chunks that are gone included.
    pub vectors: u64,
}

/// A model with the dimensions of some of its vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorModel {
    /// The model.
    pub model: String,
    /// Numbers in each vector.
    pub dimensions: usize,
}

/// The table `vectors`.
pub struct VectorTable<'s>(pub(crate) &'s Store);

impl VectorTable<'_> {
    /// The vector of a chunk by a model; `None` if it has none.
    pub fn get(
        &self,
        content_hash: &str,
        model: &str,
        dimensions: usize,
    ) -> Result<Option<Vec<f32>>, StoreError> {
        let model = VectorModel { model: model.to_owned(), dimensions };
        self.0.ask(|connection| stored_vector(connection, content_hash, &model))
    }

    /// A model that has vectors, with these dimensions or, if none are given, with those that the model gives itself, or
    /// else the most; `None` if there are no such vectors.
    pub fn choose(&self, model: &str, dimensions: Option<usize>) -> Result<Option<VectorModel>, StoreError> {
        if !self.is_there()? {
            return Ok(None);
        }
        let sql = "SELECT dimensions FROM vector_models WHERE model = ?1 AND coalesce(dimensions = ?2, 1)
                   ORDER BY is_native DESC, dimensions DESC LIMIT 1";
        let values = params![model, dimensions.map(|dimensions| dimensions as i64)];
        let found = self.0.ask(|connection| connection.first(sql, values, |row| offset(row, 0)))?;
        Ok(found.map(|dimensions| VectorModel { model: model.to_owned(), dimensions }))
    }

    /// The dimensions that a model gives when none are asked for, if it has vectors of that kind.
    pub fn native_dimensions(&self, model: &str) -> Result<Option<usize>, StoreError> {
        if !self.is_there()? {
            return Ok(None);
        }
        let sql = "SELECT dimensions FROM vector_models WHERE model = ?1 AND is_native";
        self.0.ask(|connection| connection.first(sql, [model], |row| offset(row, 0)))
    }

    /// Every model with its vectors.
    ///
    /// Cost: one pass over the keys of the table.
    pub fn models(&self) -> Result<Vec<ModelVectors>, StoreError> {
        if !self.is_there()? {
            return Ok(Vec::new());
        }
        let sql = "SELECT model, dimensions, (SELECT count(*) FROM vectors v
                     WHERE v.model = m.model AND v.dimensions = m.dimensions)
                   FROM vector_models m ORDER BY model, dimensions";
        let model = |row: &Row<'_>| {
            Ok(ModelVectors { model: row.get(0)?, dimensions: offset(row, 1)?, vectors: count(row, 2)? })
        };
        self.0.ask(|connection| connection.rows(sql, [], model))
    }

    /// True if a model has vectors of these dimensions.
    pub fn has(&self, model: &str, dimensions: usize) -> Result<bool, StoreError> {
        if !self.is_there()? {
            return Ok(false);
        }
        let sql = "SELECT 1 FROM vector_models WHERE model = ?1 AND dimensions = ?2";
        self.0.ask(|connection| connection.has(sql, params![model, dimensions as i64]))
    }

    /// True if any model has vectors.
    pub fn has_any(&self) -> Result<bool, StoreError> {
        Ok(self.is_there()? && self.0.ask(|connection| connection.has("SELECT 1 FROM vector_models", []))?)
    }

    /// False in a database of an earlier schema that no run has brought up to date yet.
    pub(super) fn is_there(&self) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'vectors'";
        self.0.ask(|connection| connection.has(sql, []))
    }

    /// Fails while a load is unfinished, because chunks have no index then.
    pub fn require_loaded(&self) -> Result<(), StoreError> {
        match self.0.ask(meta::is_loading)? {
            true => Err(self.0.unfinished_load()),
            false => Ok(()),
        }
    }

    /// Stores vectors and failures, in one transaction. `is_native` tells that the dimensions are those that the model
    /// gives when none are asked for. A chunk that fails has a row in `errors`, at its first place.
    pub fn add(
        &self,
        set: &VectorSet,
        is_native: bool,
        format: VectorFormat,
        vectors: &[NewVector],
        failures: &[ChunkFailure],
    ) -> Result<(), StoreError> {
        self.0.ask(|connection| {
            let transaction = connection.unchecked_transaction()?;
            if !vectors.is_empty() {
                add_model(&transaction, set, is_native)?;
            }
            vectors.iter().try_for_each(|vector| add_vector(&transaction, set, format, vector))?;
            failures.iter().try_for_each(|failure| add_failure(&transaction, failure))?;
            transaction.commit()
        })
    }

    /// Removes the problems of earlier runs: their chunks are tried again.
    pub fn clear_failures(&self) -> Result<(), StoreError> {
        let kind = ProblemKind::EmbeddingFailed.as_str();
        let files = "SELECT DISTINCT file_id FROM errors WHERE error_type = ?1 AND file_id IS NOT NULL";
        self.0.ask(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let files: Vec<i64> = transaction.rows(files, [kind], |row| row.get(0))?;
            transaction.run("DELETE FROM errors WHERE error_type = ?1", [kind])?;
            files.iter().try_for_each(|file| digests::update(&transaction, *file, KnownContent::Changed))?;
            transaction.commit()
        })
    }

    /// Removes the vectors of some chunks by a model, which turned out to be wrong, and returns their number.
    pub fn remove(&self, chunks: &[String], model: &str, dimensions: usize) -> Result<u64, StoreError> {
        let sql = "DELETE FROM vectors WHERE content_hash = ?1 AND model = ?2 AND dimensions = ?3";
        self.0.ask(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let mut removed = 0;
            for chunk in chunks {
                removed += transaction.run(sql, params![chunk, model, dimensions as i64])? as u64;
            }
            transaction.run(
                "DELETE FROM vector_models AS m WHERE model = ?1 AND dimensions = ?2 AND NOT EXISTS
                   (SELECT 1 FROM vectors v WHERE v.model = m.model AND v.dimensions = m.dimensions)",
                params![model, dimensions as i64],
            )?;
            transaction.commit()?;
            Ok(removed)
        })
    }

    /// Removes all vectors of a model and returns their number.
    pub fn drop_model(&self, model: &str) -> Result<u64, StoreError> {
        self.0.ask(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let dropped = transaction.run("DELETE FROM vectors WHERE model = ?1", [model])?;
            transaction.run("DELETE FROM vector_models WHERE model = ?1", [model])?;
            transaction.commit()?;
            Ok(dropped as u64)
        })
    }
}

/// The vector of a chunk; `None` if it has none of this model and length.
pub(crate) fn stored_vector(
    connection: &Connection,
    content_hash: &str,
    model: &VectorModel,
) -> rusqlite::Result<Option<Vec<f32>>> {
    let sql = "SELECT format, vector FROM vectors WHERE content_hash = ?1 AND model = ?2 AND dimensions = ?3";
    let vector = |row: &Row<'_>| {
        let format: VectorFormat = row.get(0)?;
        Ok(format.decode(row.get_ref(1)?.as_blob()?))
    };
    let values = params![content_hash, model.model, model.dimensions as i64];
    let found = connection.first(sql, values, vector)?;
    Ok(found.filter(|numbers| numbers.len() == model.dimensions))
}

/// Prints the numbers exactly: those who read them in 64 bits have the stored ones, not their shortest names in 32 bits.
pub(crate) fn print_vector<S: Serializer>(
    vector: &Option<Vec<f32>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(vector.iter().flatten().map(|number| f64::from(*number)))
}

fn add_model(connection: &Connection, set: &VectorSet, is_native: bool) -> rusqlite::Result<()> {
    let sql = "INSERT INTO vector_models(model, dimensions, is_native) VALUES(?1, ?2, ?3)
               ON CONFLICT DO UPDATE SET is_native = 1 WHERE excluded.is_native AND NOT is_native";
    connection.run(sql, params![set.model, set.stored_dimensions(), is_native]).map(drop)
}

fn add_vector(
    connection: &Connection,
    set: &VectorSet,
    format: VectorFormat,
    vector: &NewVector,
) -> rusqlite::Result<()> {
    let sql =
        "INSERT OR REPLACE INTO vectors(content_hash, model, dimensions, format, vector, created_at, prefix)
               VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let values = params![
        vector.content_hash,
        set.model,
        set.stored_dimensions(),
        format.as_str(),
        vector.bytes,
        stored_now(),
        set.prefix
    ];
    connection.run(sql, values).map(drop)
}

/// One row in `errors`, with the file of the chunk's first place, and the digests of that file.
fn add_failure(connection: &Connection, failure: &ChunkFailure) -> rusqlite::Result<()> {
    let place = "SELECT f.file_id, f.full_filepath
                 FROM chunks c JOIN chunk_sources s USING(chunk_id) JOIN files f USING(file_id)
                 WHERE c.content_hash = ?1 ORDER BY f.full_filepath, s.start_index LIMIT 1";
    let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
    let Some((file_id, path)) = connection.first(place, [&failure.content_hash], read)? else {
        return Ok(());
    };
    let sql =
        "INSERT INTO errors(file_id, path, timestamp, error_type, error_message) VALUES(?1, ?2, ?3, ?4, ?5)";
    let kind = ProblemKind::EmbeddingFailed.as_str();
    connection.run(sql, params![file_id, path, stored_now(), kind, failure.message])?;
    digests::update(connection, file_id, KnownContent::Changed)
}
