//! Rows of partitions that do not count in a search of the whole corpus: chunks that another partition has too, and those
//! of files that are copies of files elsewhere.
//!
//! They are noted in temporary tables of each partition's connection, with a search table of their words: what the words
//! of the corpus are, how many chunks have them and how long chunks are is what all partitions say, less what the hidden
//! rows add to it.

use super::index::chunk_id;
use crate::store::query::characters::{is_respelled, respelled};
use crate::store::sql::Queries;
use rusqlite::{Connection, Row, Rows, params};
use std::ops::ControlFlow;

const TABLES: &str = "
    CREATE TABLE temp.hidden_chunks(chunk_id INTEGER PRIMARY KEY, elsewhere INTEGER);
    CREATE VIRTUAL TABLE temp.hidden_chunks_fts
      USING fts5(content, content='', tokenize='unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE temp.hidden_chunks_fts_unspaced
      USING fts5(content, content='', tokenize='unicode61 remove_diacritics 2');
";

/// Chunks without a place in the corpus: all of their files are copies of files in other partitions.
const WITHOUT_PLACE: &str = "INSERT INTO temp.hidden_chunks
    SELECT DISTINCT s.chunk_id, NULL FROM main.files f JOIN main.chunk_sources s ON s.file_id = f.file_id
    WHERE NOT EXISTS (SELECT 1 FROM corpus.contents c WHERE c.part = ?1 AND c.source_id = f.file_id)
      AND NOT EXISTS (SELECT 1 FROM temp.chunk_sources v WHERE v.chunk_id = s.chunk_id)";

const BY_HASH: &str = "SELECT content_hash, chunk_id FROM main.chunks c
    WHERE NOT EXISTS (SELECT 1 FROM temp.hidden_chunks h WHERE h.chunk_id = c.chunk_id) ORDER BY content_hash";

const CONTENTS: &str =
    "SELECT h.chunk_id, c.content FROM temp.hidden_chunks h JOIN main.chunks c ON c.chunk_id = h.chunk_id";

/// Fills the temporary tables, unless they are filled.
///
/// Cost: one pass over the hashes of all chunks; the words of hidden chunks are indexed. A few rows in memory.
pub(in crate::store) fn hide_copies(parts: &[&Connection]) -> rusqlite::Result<()> {
    if parts[0].has("SELECT 1 FROM temp.sqlite_schema WHERE name = 'hidden_chunks'", [])? {
        return Ok(());
    }
    for (number, part) in parts.iter().enumerate() {
        part.execute_batch(TABLES)?;
        part.run(WITHOUT_PLACE, [number as i64])?;
    }
    hide_equal_chunks(parts)?;
    parts.iter().try_for_each(|part| index_hidden(part))
}

/// The chunks of a partition by their hashes.
struct HashStream<'p> {
    rows: Rows<'p>,
    head: Option<(String, i64)>,
}

impl HashStream<'_> {
    fn advance(&mut self) -> rusqlite::Result<()> {
        let read = |row: &Row<'_>| -> rusqlite::Result<_> { Ok((row.get(0)?, row.get(1)?)) };
        self.head = self.rows.next()?.map(read).transpose()?;
        Ok(())
    }
}

/// Of equal chunks the row in the first partition counts.
fn hide_equal_chunks(parts: &[&Connection]) -> rusqlite::Result<()> {
    let statements = parts.iter().map(|part| part.prepare(BY_HASH));
    let mut statements = statements.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut streams = Vec::with_capacity(parts.len());
    for statement in &mut statements {
        let mut stream = HashStream { rows: statement.query([])?, head: None };
        stream.advance()?;
        streams.push(stream);
    }
    loop {
        let hashes = streams.iter().filter_map(|stream| Some(&stream.head.as_ref()?.0));
        let Some(least) = hashes.min().cloned() else { return Ok(()) };
        let mut first = None;
        for (number, stream) in streams.iter_mut().enumerate() {
            let Some((_, row)) = stream.head.take_if(|(hash, _)| *hash == least) else { continue };
            match first {
                None => first = Some(chunk_id(number, row)),
                Some(elsewhere) => {
                    let sql = "INSERT INTO temp.hidden_chunks VALUES(?1, ?2)";
                    parts[number].run(sql, params![row, elsewhere])?;
                }
            }
            stream.advance()?;
        }
    }
}

fn index_hidden(part: &Connection) -> rusqlite::Result<()> {
    part.each(CONTENTS, [], |row| {
        let (chunk, content) = (row.get::<_, i64>(0)?, row.get_ref(1)?.as_str()?);
        let sql = "INSERT INTO temp.hidden_chunks_fts(rowid, content) VALUES(?1, ?2)";
        part.run(sql, params![chunk, content])?;
        if is_respelled(content) {
            let sql = "INSERT INTO temp.hidden_chunks_fts_unspaced(rowid, content) VALUES(?1, ?2)";
            part.run(sql, params![chunk, respelled(content)])?;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    // The connection stays in one transaction, and FTS5 writes how much a table contains when one ends or a savepoint begins.
    part.execute_batch("SAVEPOINT hidden; RELEASE hidden;")
}
