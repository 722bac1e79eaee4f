//! What an index outside must do to be in step: the whole state, or the journal after a cursor.

use super::change_cursor::{ChangeCursor, ChangesSince, CursorPosition};
use crate::store::database::journal::{self, JournalRange};
use crate::store::places::chunk_place::{ChunkPlace, PLACE_COLUMNS, PlaceNames, print_place};
use crate::store::rows::sql::{Queries, offset};
use crate::store::vectors::{VectorModel, print_vector, stored_vector};
use pensieve_text::model::ContentHash;
use rusqlite::{Connection, Row, params};
use serde::Serialize;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// How many rows are read at once.
const BATCH: usize = 256;

/// One line of the feed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum ChangeRow {
    /// A chunk is at this place; replaces what was known of it.
    Upsert(Box<PlacedChunk>),
    /// A chunk is no longer at this place.
    Delete {
        /// Continues after this row.
        cursor: String,
        /// SHA-256 of the chunk.
        content_hash: String,
        /// The document.
        doc_uid: String,
        /// First byte in its clean text.
        start: usize,
    },
    /// The last line: nothing more has happened, or as many rows as wanted were given.
    End {
        /// Continues here.
        cursor: String,
        /// True if there are more rows already.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        more: bool,
    },
    /// The only line where the changes since the cursor are no longer kept: begin again with the whole state.
    Expired {
        /// The oldest cursor that is still held.
        oldest: String,
    },
}

/// A chunk at one place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlacedChunk {
    /// Continues after this row.
    pub cursor: String,
    /// SHA-256 of the text.
    pub content_hash: String,
    /// The text.
    pub content: String,
    /// Its exact token count.
    pub tokens: usize,
    /// The encoding in which it was counted.
    pub tokenizer: String,
    /// Its vector, where it is asked for and stored.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "print_vector")]
    pub vector: Option<Vec<f32>>,
    /// Where it is.
    #[serde(flatten, serialize_with = "print_place")]
    pub place: ChunkPlace,
}

/// Which changes are wanted, and what of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangesWanted {
    /// What is known already.
    pub since: ChangesSince,
    /// At most this many rows before the last one.
    pub limit: usize,
    /// Whose vectors come with the chunks, if any.
    pub vectors: Option<VectorModel>,
}

/// Passes at most as many rows as are wanted and the last line to `each`, which returns false to stop.
pub(super) fn changes(
    connection: &Connection,
    wanted: &ChangesWanted,
    each: &mut dyn FnMut(ChangeRow) -> bool,
) -> rusqlite::Result<()> {
    let range = journal::range(connection)?;
    let database = database_name(connection)?;
    let Some(position) = begin(connection, &wanted.since, range, &database)? else {
        let oldest =
            ChangeCursor { database, position: CursorPosition::Journal(range.after_seq) }.to_string();
        each(ChangeRow::Expired { oldest });
        return Ok(());
    };
    let (left, vectors) = (wanted.limit, wanted.vectors.as_ref());
    ChangeFeed { connection, database, position, last_seq: range.last_seq, left, vectors }.run(each)
}

/// Where the feed begins; `None` if the changes since then are not kept.
fn begin(
    connection: &Connection,
    since: &ChangesSince,
    range: JournalRange,
    database: &str,
) -> rusqlite::Result<Option<CursorPosition>> {
    let held = range.after_seq..=range.last_seq;
    Ok(match since {
        ChangesSince::Run(0) => Some(CursorPosition::State { seq: range.last_seq, after: (0, 0, 0) }),
        ChangesSince::Run(run) if *run < range.after_run => None,
        ChangesSince::Run(run) => {
            let sql = "SELECT max(seq) FROM changes WHERE run_id <= ?1";
            let last: Option<i64> = connection.one(sql, [run], |row| row.get(0))?;
            Some(CursorPosition::Journal(last.unwrap_or(range.after_seq)))
        }
        ChangesSince::Cursor(cursor) => {
            let (CursorPosition::Journal(seq) | CursorPosition::State { seq, .. }) = cursor.position;
            (cursor.database == database && held.contains(&seq)).then_some(cursor.position)
        }
    })
}

/// Names the database by its first run: another one at the same path has another name.
fn database_name(connection: &Connection) -> rusqlite::Result<String> {
    let sql = "SELECT started_at || char(10) || root FROM runs ORDER BY run_id LIMIT 1";
    let first: Option<String> = connection.first(sql, [], |row| row.get(0))?;
    Ok(ContentHash::of(first.unwrap_or_default().as_bytes()).to_hex()[..8].to_owned())
}

/// One pass over the changes.
struct ChangeFeed<'c> {
    connection: &'c Connection,
    database: String,
    position: CursorPosition,
    /// The last row of the journal.
    last_seq: i64,
    /// Rows that may still be given.
    left: usize,
    vectors: Option<&'c VectorModel>,
}

impl ChangeFeed<'_> {
    fn run(mut self, each: &mut dyn FnMut(ChangeRow) -> bool) -> rusqlite::Result<()> {
        loop {
            let wanted = self.left.min(BATCH);
            // One more row shows whether there are more than wanted.
            let mut batch = match self.position {
                CursorPosition::State { after, .. } => self.state_after(after, wanted + 1)?,
                CursorPosition::Journal(seq) => self.journal_after(seq, wanted + 1)?,
            };
            let more = batch.len() > wanted;
            batch.truncate(wanted);
            self.left -= batch.len();
            for (position, row) in batch {
                self.position = position;
                if row.is_some_and(|row| !each(row)) {
                    return Ok(());
                }
            }
            match self.position {
                _ if more && self.left == 0 => {
                    each(ChangeRow::End { cursor: self.cursor(self.position), more: true });
                    return Ok(());
                }
                _ if more => {}
                CursorPosition::State { seq, .. } => self.position = CursorPosition::Journal(seq),
                CursorPosition::Journal(_) => {
                    each(ChangeRow::End { cursor: self.cursor(self.position), more: false });
                    return Ok(());
                }
            }
        }
    }

    fn cursor(&self, position: CursorPosition) -> String {
        ChangeCursor { database: self.database.clone(), position }.to_string()
    }

    /// The places after one, by file and position.
    fn state_after(&self, after: (i64, i64, i64), count: usize) -> rusqlite::Result<Vec<PositionedRow>> {
        let CursorPosition::State { seq, .. } = self.position else { return Ok(Vec::new()) };
        let sql = format!(
            "SELECT c.content_hash, c.content, c.estimated_tokens, c.tokenizer_model, {PLACE_COLUMNS}
             FROM chunk_sources s JOIN chunks c USING(chunk_id) JOIN files f USING(file_id)
             WHERE (s.file_id, s.start_index, s.chunk_id) > (?1, ?2, ?3)
             ORDER BY s.file_id, s.start_index, s.chunk_id LIMIT ?4"
        );
        let (mut found, mut names) = (Vec::new(), PlaceNames::default());
        self.connection.each(&sql, params![after.0, after.1, after.2, count as i64], |row| {
            let key = (row.get(5)?, row.get("start_index")?, row.get(4)?);
            let position = CursorPosition::State { seq, after: key };
            found.push((position, self.placed_chunk(row, 0, position, &mut names)?));
            Ok(ControlFlow::Continue(()))
        })?;
        names.fill_in(self.connection, found.iter_mut().map(|(_, chunk)| &mut chunk.place))?;
        Ok(found.into_iter().map(|(at, chunk)| (at, Some(ChangeRow::Upsert(Box::new(chunk))))).collect())
    }

    /// The rows of the journal after one. Of several rows for a place only the last counts.
    fn journal_after(&self, seq: i64, count: usize) -> rusqlite::Result<Vec<PositionedRow>> {
        if seq >= self.last_seq {
            // A database of an older schema has no journal yet.
            return Ok(Vec::new());
        }
        // Earlier builds wrote rows about documents too, whose `start_index` is -1.
        let sql = format!(
            "SELECT g.seq, g.op, g.content_hash, g.doc_uid, g.start_index, s.chunk_id,
                    c.content_hash, c.content, c.estimated_tokens, c.tokenizer_model, {PLACE_COLUMNS}
             FROM changes g LEFT JOIN files f ON f.doc_uid = g.doc_uid
             LEFT JOIN chunks c ON c.content_hash = g.content_hash
             LEFT JOIN chunk_sources s
               ON s.chunk_id = c.chunk_id AND s.file_id = f.file_id AND s.start_index = g.start_index
             WHERE g.seq > ?1 AND g.start_index >= 0 ORDER BY g.seq LIMIT ?2"
        );
        let (mut found, mut names) = (Vec::new(), PlaceNames::default());
        self.connection.each(&sql, params![seq, count as i64], |row| {
            let position = CursorPosition::Journal(row.get(0)?);
            let is_there = row.get::<_, Option<i64>>(5)?.is_some();
            let change = match row.get_ref(1)?.as_str()? {
                "upsert" if is_there => {
                    ChangeRow::Upsert(Box::new(self.placed_chunk(row, 6, position, &mut names)?))
                }
                // A place that went later has a row of its own for that, and one that came back too.
                _ => self.deleted(row, position)?,
            };
            found.push((position, change));
            Ok(ControlFlow::Continue(()))
        })?;
        let places = found.iter_mut().filter_map(|(_, row)| match row {
            ChangeRow::Upsert(chunk) => Some(&mut chunk.place),
            _ => None,
        });
        names.fill_in(self.connection, places)?;
        Ok(without_repeats(found))
    }

    fn deleted(&self, row: &Row<'_>, position: CursorPosition) -> rusqlite::Result<ChangeRow> {
        Ok(ChangeRow::Delete {
            cursor: self.cursor(position),
            content_hash: row.get(2)?,
            doc_uid: row.get(3)?,
            start: offset(row, 4)?,
        })
    }

    /// The chunk and the place in a row whose columns begin at `first`.
    fn placed_chunk(
        &self,
        row: &Row<'_>,
        first: usize,
        position: CursorPosition,
        names: &mut PlaceNames,
    ) -> rusqlite::Result<PlacedChunk> {
        let content_hash: String = row.get(first)?;
        let vector = self.vectors.map(|model| stored_vector(self.connection, &content_hash, model));
        Ok(PlacedChunk {
            vector: vector.transpose()?.flatten(),
            cursor: self.cursor(position),
            content: row.get(first + 1)?,
            tokens: offset(row, first + 2)?,
            tokenizer: row.get(first + 3)?,
            place: names.read_place(row, first + 4, &content_hash)?,
            content_hash,
        })
    }
}

/// A row of the feed with its position; `None` where a later row says the same.
type PositionedRow = (CursorPosition, Option<ChangeRow>);

fn without_repeats(rows: Vec<(CursorPosition, ChangeRow)>) -> Vec<PositionedRow> {
    let mut seen = HashSet::new();
    let mut kept: Vec<PositionedRow> = Vec::with_capacity(rows.len());
    for (position, row) in rows.into_iter().rev() {
        let key = match &row {
            ChangeRow::Upsert(chunk) => {
                (chunk.content_hash.clone(), chunk.place.doc_uid.clone(), chunk.place.at.start)
            }
            ChangeRow::Delete { content_hash, doc_uid, start, .. } => {
                (content_hash.clone(), doc_uid.clone(), *start)
            }
            ChangeRow::End { .. } | ChangeRow::Expired { .. } => continue,
        };
        kept.push((position, seen.insert(key).then_some(row)));
    }
    kept.reverse();
    kept
}
