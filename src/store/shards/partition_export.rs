//! The chunks of all partitions in the order of one export: a merge of sorted streams.

use super::partitions::PartitionQueries;
use crate::store::places::{ChunkPlace, places_of};
use crate::store::read::{CHUNKS_BY_PLACE, EXPORT_BATCH, content_row};
use crate::store::sql::Queries;
use crate::store::vectors::stored_vector;
use crate::store::{ExportRow, Store, StoreError, VectorModel};
use rusqlite::Rows;

/// The first of the places of a chunk, in the form by which chunks are sorted; NULL if none counts.
const FIRST_PLACE: &str = "SELECT min(printf('%010d', r.root_id) || char(9) || f.relative_path || char(9)
                || printf('%015d%015d', s.start_index, s.end_index))
     FROM chunk_sources s JOIN files f USING(file_id) JOIN roots r USING(root_id) WHERE s.chunk_id = ?1";

/// A chunk of the corpus: its rows in the partitions that have it, that with its first place at the beginning.
struct CorpusChunk {
    content_hash: String,
    rows: Vec<(usize, i64)>,
}

/// The chunks of a partition by their first places.
struct ChunkStream<'p> {
    part: &'p Store,
    rows: Rows<'p>,
    /// The next chunk: its first place, its row.
    head: Option<(String, i64)>,
}

impl<'p> ChunkStream<'p> {
    fn advance(&mut self) -> Result<(), StoreError> {
        let rows = &mut self.rows;
        self.head = self.part.ask(|_| rows.next()?.map(|row| Ok((row.get(1)?, row.get(0)?))).transpose())?;
        Ok(())
    }
}

impl PartitionQueries<'_> {
    /// Passes every chunk of the corpus once to `each`, as an export of the merged database does.
    ///
    /// Cost: one sorted pass over the places of each partition, and for every chunk one look-up in each other one; a few
    /// hundred chunks in memory at a time.
    pub fn export(
        &self,
        vectors: Option<&VectorModel>,
        each: &mut dyn FnMut(ExportRow) -> bool,
    ) -> Result<(), StoreError> {
        let statements =
            self.parts.iter().map(|part| part.ask(|connection| connection.prepare(CHUNKS_BY_PLACE)));
        let mut statements = statements.collect::<Result<Vec<_>, StoreError>>()?;
        let mut streams = Vec::with_capacity(statements.len());
        for (part, statement) in self.parts.iter().zip(&mut statements) {
            let mut stream = ChunkStream { part, rows: part.ask(|_| statement.query([]))?, head: None };
            stream.advance()?;
            streams.push(stream);
        }
        loop {
            let batch = self.next_chunks(&mut streams)?;
            if batch.is_empty() {
                return Ok(());
            }
            for row in self.export_rows(&batch, vectors)? {
                if !each(row) {
                    return Ok(());
                }
            }
        }
    }

    /// The next chunks of all streams, each in the one that has its first place.
    fn next_chunks(&self, streams: &mut [ChunkStream<'_>]) -> Result<Vec<CorpusChunk>, StoreError> {
        let mut found = Vec::new();
        while found.len() < EXPORT_BATCH {
            let heads = streams.iter().enumerate();
            let heads = heads.filter_map(|(number, stream)| Some((&stream.head.as_ref()?.0, number)));
            let Some((_, number)) = heads.min() else { break };
            let Some((place, chunk_id)) = streams[number].head.take() else { break };
            streams[number].advance()?;
            found.extend(self.chunk_from(number, chunk_id, &place)?);
        }
        Ok(found)
    }

    /// A chunk with its rows in all partitions; `None` if another one has an earlier place of it.
    fn chunk_from(
        &self,
        number: usize,
        chunk_id: i64,
        place: &str,
    ) -> Result<Option<CorpusChunk>, StoreError> {
        let sql = "SELECT content_hash FROM chunks WHERE chunk_id = ?1";
        let content_hash: String =
            self.parts[number].ask(|connection| connection.one(sql, [chunk_id], |row| row.get(0)))?;
        let mut rows = vec![(number, chunk_id)];
        for (other, part) in self.parts.iter().enumerate().filter(|(other, _)| *other != number) {
            let sql = "SELECT chunk_id FROM chunks WHERE content_hash = ?1";
            let known = part.ask(|connection| connection.first(sql, [&content_hash], |row| row.get(0)))?;
            let Some(chunk_id) = known else { continue };
            let first: Option<String> =
                part.ask(|connection| connection.one(FIRST_PLACE, [chunk_id], |row| row.get(0)))?;
            match first {
                Some(first) if first.as_str() < place => return Ok(None),
                Some(_) => rows.push((other, chunk_id)),
                None => {}
            }
        }
        Ok(Some(CorpusChunk { content_hash, rows }))
    }

    fn export_rows(
        &self,
        chunks: &[CorpusChunk],
        vectors: Option<&VectorModel>,
    ) -> Result<Vec<ExportRow>, StoreError> {
        let mut places = self.places(chunks)?.into_iter();
        let row = |chunk: &CorpusChunk| {
            let (number, chunk_id) = chunk.rows[0];
            let row = self.parts[number].ask(|connection| content_row(connection, chunk_id))?;
            let vector = vectors.map(|model| self.vector(&chunk.content_hash, model)).transpose()?.flatten();
            Ok(ExportRow { sources: places.next().unwrap_or_default(), vector, ..row })
        };
        chunks.iter().map(row).collect()
    }

    /// The places of each chunk in all partitions, sorted by path.
    fn places(&self, chunks: &[CorpusChunk]) -> Result<Vec<Vec<ChunkPlace>>, StoreError> {
        let mut found = vec![Vec::new(); chunks.len()];
        for (number, part) in self.parts.iter().enumerate() {
            let rows = chunks.iter().enumerate().filter_map(|(at, chunk)| {
                let (_, chunk_id) = chunk.rows.iter().find(|(part, _)| *part == number)?;
                Some((at, *chunk_id))
            });
            let rows: Vec<(usize, i64)> = rows.collect();
            let wanted: Vec<(i64, &str)> =
                rows.iter().map(|(at, chunk_id)| (*chunk_id, chunks[*at].content_hash.as_str())).collect();
            let mut places = part.ask(|connection| places_of(connection, &wanted))?;
            for (at, chunk_id) in rows {
                found[at].extend(places.remove(&chunk_id).unwrap_or_default());
            }
        }
        for places in &mut found {
            places.sort_by(|a: &ChunkPlace, b| (&a.path, a.at.start).cmp(&(&b.path, b.at.start)));
        }
        Ok(found)
    }

    /// The vector of a chunk, from the first partition that has it.
    pub(super) fn vector(
        &self,
        content_hash: &str,
        model: &VectorModel,
    ) -> Result<Option<Vec<f32>>, StoreError> {
        for part in self.parts {
            let vector = part.ask(|connection| stored_vector(connection, content_hash, model))?;
            if vector.is_some() {
                return Ok(vector);
            }
        }
        Ok(None)
    }
}
