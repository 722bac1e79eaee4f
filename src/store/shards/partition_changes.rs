//! What an index outside must do to follow a corpus of several databases.
//!
//! A change in one partition may change what counts of another: of equal documents one is read, whatever partition it is
//! in. So a row of a journal is not passed on. It names places that may have changed: that of the row or, for a row about a
//! document, those of every document that it may affect ([`super::affected`]). Each of them is then looked up in the
//! corpus as it is now: there, it is an `upsert`, else a `delete`.

use super::affected::DocumentNote;
use super::partitions::PartitionQueries;
use crate::store::StoreError;
use crate::store::change_cursor::{ChangesSince, CorpusCursor, CorpusPosition, PlaceKey};
use crate::store::journal::{self, JournalRange};
use crate::store::places::{PLACE_COLUMNS, PlaceNames};
use crate::store::read::{ChangeRow, ChangesWanted, PlacedChunk, database_name};
use crate::store::sql::{Queries, offset};
use pensieve_text::model::ContentHash;
use rusqlite::{Connection, Row, params};
use std::collections::HashSet;

/// A document: its partition, and its row there.
type PartDocument = (usize, i64);

/// How many rows are read at once.
const BATCH: i64 = 256;

/// The columns of a place with its chunk.
const CHUNK_COLUMNS: &str = "c.content_hash, c.content, c.estimated_tokens, c.tokenizer_model";

impl PartitionQueries<'_> {
    /// Passes what an outside index must do to `each`, at most as many rows as are wanted and a last one; `each` returns
    /// false to stop.
    ///
    /// # Errors
    /// The cursor is one of other databases, or a database cannot be read.
    ///
    /// Cost: a few look-ups for each row of the journals; a document that came, went or has other bytes gives a row for each
    /// of its chunks, and so do its copies. In memory are a few hundred rows, and the numbers of the documents that came or went.
    pub fn changes(
        &self,
        wanted: &ChangesWanted,
        each: &mut dyn FnMut(ChangeRow) -> bool,
    ) -> Result<(), StoreError> {
        let ranges = self.parts.iter().map(|part| part.ask(journal::range));
        let ranges = ranges.collect::<Result<Vec<JournalRange>, StoreError>>()?;
        let corpus = self.corpus_name()?;
        let last: Vec<i64> = ranges.iter().map(|range| range.last_seq).collect();
        let cursor = match &wanted.since {
            ChangesSince::Run(0) => {
                let within = CorpusPosition::State { after: PlaceKey::default() };
                CorpusCursor { corpus: corpus.clone(), seqs: last.clone(), within }
            }
            ChangesSince::Corpus(cursor) if cursor.corpus == corpus && cursor.seqs.len() == last.len() => {
                cursor.clone()
            }
            ChangesSince::Corpus(_) => {
                return Err(
                    self.foreign("the cursor is one of other databases, or of these in another order")
                );
            }
            ChangesSince::Cursor(_) => return Err(self.foreign("the cursor is one of a single database")),
            ChangesSince::Run(_) => {
                return Err(self.foreign("a run's number is one of a single database, several need a cursor"));
            }
        };
        let is_held =
            |(range, seq): (&JournalRange, &i64)| (range.after_documents_seq..=range.last_seq).contains(seq);
        if !ranges.iter().zip(&cursor.seqs).all(is_held) {
            let seqs = ranges.iter().map(|range| range.after_documents_seq).collect();
            let oldest = CorpusCursor { corpus, seqs, within: CorpusPosition::Journals }.to_string();
            each(ChangeRow::Expired { oldest });
            return Ok(());
        }
        let feed = CorpusFeed {
            set: *self,
            wanted,
            cursor,
            last,
            left: wanted.limit,
            expanded: HashSet::new(),
            each,
        };
        feed.run()
    }

    fn foreign(&self, reason: &'static str) -> StoreError {
        StoreError::ForeignCursor { path: self.parts[0].path.clone(), reason }
    }

    /// Names the databases and their order.
    fn corpus_name(&self) -> Result<String, StoreError> {
        let names = self.parts.iter().map(|part| part.ask(database_name));
        let names = names.collect::<Result<Vec<String>, StoreError>>()?;
        Ok(ContentHash::of(names.join("\n").as_bytes()).to_hex()[..8].to_owned())
    }
}

/// Why a feed ends before everything was given.
enum FeedEnd {
    /// As many rows as wanted were given, and there is one more.
    Limit,
    /// The caller wants no more.
    Caller,
    Failed(StoreError),
}

impl From<StoreError> for FeedEnd {
    fn from(error: StoreError) -> FeedEnd {
        FeedEnd::Failed(error)
    }
}

/// A row of a journal.
struct JournalRow {
    seq: i64,
    content_hash: String,
    doc_uid: String,
    start: i64,
}

/// One pass over the changes.
struct CorpusFeed<'p> {
    set: PartitionQueries<'p>,
    wanted: &'p ChangesWanted,
    /// After the last row that was given.
    cursor: CorpusCursor,
    /// The last row of each journal.
    last: Vec<i64>,
    /// Rows that may still be given.
    left: usize,
    /// Documents of which every place was given.
    expanded: HashSet<PartDocument>,
    each: &'p mut dyn FnMut(ChangeRow) -> bool,
}

impl CorpusFeed<'_> {
    fn run(mut self) -> Result<(), StoreError> {
        let more = match self.give_all() {
            Ok(()) => false,
            Err(FeedEnd::Limit) => true,
            Err(FeedEnd::Caller) => return Ok(()),
            Err(FeedEnd::Failed(error)) => return Err(error),
        };
        (self.each)(ChangeRow::End { cursor: self.cursor.to_string(), more });
        Ok(())
    }

    fn give_all(&mut self) -> Result<(), FeedEnd> {
        match self.cursor.within {
            CorpusPosition::State { after } => self.give_state(after)?,
            CorpusPosition::Row { part, after, uids } if part < self.last.len() => {
                self.give_rest_of_row(part, after, uids)?;
            }
            CorpusPosition::Row { .. } | CorpusPosition::Journals => {}
        }
        self.cursor.within = CorpusPosition::Journals;
        for part in 0..self.last.len() {
            self.give_journal(part)?;
        }
        self.cursor.seqs.clone_from(&self.last);
        Ok(())
    }

    /// Gives a row, whose cursor is `within` the journals as they stand.
    fn give(&mut self, within: CorpusPosition, row: impl FnOnce(String) -> ChangeRow) -> Result<(), FeedEnd> {
        if self.left == 0 {
            return Err(FeedEnd::Limit);
        }
        self.left -= 1;
        self.cursor.within = within;
        match (self.each)(row(self.cursor.to_string())) {
            true => Ok(()),
            false => Err(FeedEnd::Caller),
        }
    }

    /// Every place after one, partition by partition.
    fn give_state(&mut self, mut after: PlaceKey) -> Result<(), FeedEnd> {
        while after.part < self.set.parts.len() {
            let page = self.state_after(after)?;
            let Some((last, _)) = page.last() else {
                after = PlaceKey { part: after.part + 1, ..PlaceKey::default() };
                continue;
            };
            after = *last;
            for (key, chunk) in page {
                self.give(CorpusPosition::State { after: key }, |cursor| upsert(chunk, cursor))?;
            }
        }
        Ok(())
    }

    fn state_after(&self, after: PlaceKey) -> Result<Vec<(PlaceKey, PlacedChunk)>, StoreError> {
        let sql = format!(
            "SELECT {CHUNK_COLUMNS}, {PLACE_COLUMNS}, o.source_id
             FROM corpus.contents o CROSS JOIN main.chunk_sources s ON s.file_id = o.source_id
             CROSS JOIN main.chunks c ON c.chunk_id = s.chunk_id
             CROSS JOIN corpus.files f ON f.file_id = o.file_id
             WHERE o.part = ?1 AND o.source_id >= ?2 AND (o.source_id, s.start_index, s.chunk_id) > (?2, ?3, ?4)
             ORDER BY o.source_id, s.start_index, s.chunk_id LIMIT ?5"
        );
        let values = params![after.part as i64, after.file, after.start, after.chunk, BATCH];
        let (mut names, part) = (PlaceNames::default(), &self.set.parts[after.part]);
        let mut found = part.ask(|connection| {
            connection.rows(&sql, values, |row| {
                let key = PlaceKey {
                    part: after.part,
                    file: row.get(22)?,
                    start: row.get(10)?,
                    chunk: row.get(4)?,
                };
                Ok((key, placed_chunk(row, &mut names)?))
            })
        })?;
        let places = found.iter_mut().map(|(_, chunk)| &mut chunk.place);
        part.ask(|connection| names.fill_in(connection, places))?;
        for (_, chunk) in &mut found {
            self.add_vector(chunk)?;
        }
        Ok(found)
    }

    /// What the rows of a journal lead to.
    fn give_journal(&mut self, part: usize) -> Result<(), FeedEnd> {
        while self.cursor.seqs[part] < self.last[part] {
            let page = self.rows_after(part, self.cursor.seqs[part], BATCH)?;
            if page.is_empty() {
                break;
            }
            for row in page {
                self.give_row(part, &row, None)?;
                self.cursor.seqs[part] = row.seq;
                self.cursor.within = CorpusPosition::Journals;
            }
        }
        self.cursor.seqs[part] = self.last[part];
        Ok(())
    }

    fn give_rest_of_row(&mut self, part: usize, after: PlaceKey, uids: usize) -> Result<(), FeedEnd> {
        if let Some(row) = self.rows_after(part, self.cursor.seqs[part], 1)?.pop() {
            self.give_row(part, &row, Some((after, uids)))?;
            self.cursor.seqs[part] = row.seq;
        }
        Ok(())
    }

    fn rows_after(&self, part: usize, seq: i64, count: i64) -> Result<Vec<JournalRow>, StoreError> {
        let sql = "SELECT seq, content_hash, doc_uid, start_index FROM main.changes WHERE seq > ?1
                   ORDER BY seq LIMIT ?2";
        let row = |row: &Row<'_>| {
            Ok(JournalRow {
                seq: row.get(0)?,
                content_hash: row.get(1)?,
                doc_uid: row.get(2)?,
                start: row.get(3)?,
            })
        };
        self.set.parts[part].ask(|connection| connection.rows(sql, params![seq, count], row))
    }

    /// Gives the places that a row leads to, after some of them if they were given.
    fn give_row(
        &mut self,
        part: usize,
        row: &JournalRow,
        given: Option<(PlaceKey, usize)>,
    ) -> Result<(), FeedEnd> {
        if row.start != journal::DOCUMENT {
            let uids = self.uids_of(part, &row.doc_uid)?;
            let (after, skipped) = given.unwrap_or_default();
            return self.give_place(part, after, &row.content_hash, row.start, &uids, skipped);
        }
        let note = DocumentNote::parse(part, &row.doc_uid, &row.content_hash);
        for ((of, file), document) in self.set.affected(&note)? {
            let is_before = given.is_some_and(|(after, _)| (of, file) < (after.part, after.file));
            if is_before || self.expanded.contains(&(of, file)) {
                continue;
            }
            let in_the_middle = given.filter(|(after, _)| (after.part, after.file) == (of, file));
            self.give_document(part, (of, file), &document.uids, in_the_middle)?;
            self.expanded.insert((of, file));
        }
        Ok(())
    }

    /// Gives every place of a document of a partition, as it is in the corpus.
    fn give_document(
        &mut self,
        part: usize,
        (of, file): PartDocument,
        uids: &[String],
        given: Option<(PlaceKey, usize)>,
    ) -> Result<(), FeedEnd> {
        let sql = "SELECT s.start_index, s.chunk_id, c.content_hash
                   FROM main.chunk_sources s CROSS JOIN main.chunks c ON c.chunk_id = s.chunk_id
                   WHERE s.file_id = ?1 AND (s.start_index, s.chunk_id) >= (?2, ?3)
                   ORDER BY s.start_index, s.chunk_id LIMIT ?4";
        let (mut from, mut skipped) = given.unwrap_or_default();
        loop {
            let values = params![file, from.start, from.chunk, BATCH];
            let page: Vec<(PlaceKey, String)> = self.set.parts[of].ask(|connection| {
                connection.rows(sql, values, |row| {
                    let key = PlaceKey { part: of, file, start: row.get(0)?, chunk: row.get(1)? };
                    Ok((key, row.get(2)?))
                })
            })?;
            let is_last = (page.len() as i64) < BATCH;
            for (key, hash) in page {
                let skip = if key == from { skipped } else { 0 };
                self.give_place(part, key, &hash, key.start, uids, skip)?;
                from = key;
            }
            skipped = uids.len();
            if is_last {
                return Ok(());
            }
        }
    }

    /// Gives one place under each of the ids that its document has or may have had.
    fn give_place(
        &mut self,
        part: usize,
        after: PlaceKey,
        content_hash: &str,
        start: i64,
        uids: &[String],
        skipped: usize,
    ) -> Result<(), FeedEnd> {
        for (at, uid) in uids.iter().enumerate().skip(skipped) {
            let found = self.placed(content_hash, uid, start)?;
            let within = CorpusPosition::Row { part, after, uids: at + 1 };
            match found {
                // It was given with the whole document.
                Some((document, _)) if self.expanded.contains(&document) => {}
                Some((_, chunk)) => self.give(within, |cursor| upsert(chunk, cursor))?,
                None => {
                    let (content_hash, doc_uid) = (content_hash.to_owned(), uid.clone());
                    let start = start as usize;
                    self.give(within, |cursor| ChangeRow::Delete { cursor, content_hash, doc_uid, start })?;
                }
            }
        }
        Ok(())
    }

    /// The ids in the corpus of a document with this id in a partition.
    fn uids_of(&self, part: usize, doc_uid: &str) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT relative_path, full_filepath FROM main.files WHERE doc_uid = ?1";
        let known: Option<(String, String)> = self.set.parts[part]
            .ask(|connection| connection.first(sql, [doc_uid], |row| Ok((row.get(0)?, row.get(1)?))))?;
        match known {
            Some((path, full)) => self.set.uids(part, doc_uid, &path, Some(&full), false),
            None => {
                let path = self.set.noted_path(part, doc_uid)?.unwrap_or_default();
                self.set.uids(part, doc_uid, &path, None, false)
            }
        }
    }

    /// The chunk at a place of the corpus and the partition and row of its document, if it is there.
    fn placed(
        &self,
        content_hash: &str,
        doc_uid: &str,
        start: i64,
    ) -> Result<Option<(PartDocument, PlacedChunk)>, StoreError> {
        let sql =
            "SELECT c.part, c.source_id, c.file_id FROM files f JOIN contents c ON c.file_id = f.file_id
                   WHERE f.doc_uid = ?1";
        let content = |row: &Row<'_>| -> rusqlite::Result<(i64, i64, i64)> {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        };
        let content = self.set.catalog.ask(|connection| connection.first(sql, [doc_uid], content))?;
        let Some((part, source_id, file_id)) = content else { return Ok(None) };
        let document = (part as usize, source_id);
        let found = self.set.parts[document.0]
            .ask(|connection| chunk_at(connection, content_hash, (source_id, start), file_id))?;
        let Some(mut chunk) = found else { return Ok(None) };
        self.add_vector(&mut chunk)?;
        Ok(Some((document, chunk)))
    }

    fn add_vector(&self, chunk: &mut PlacedChunk) -> Result<(), StoreError> {
        if let Some(model) = &self.wanted.vectors {
            chunk.vector = self.set.vector(&chunk.content_hash, model)?;
        }
        Ok(())
    }
}

fn upsert(chunk: PlacedChunk, cursor: String) -> ChangeRow {
    ChangeRow::Upsert(Box::new(PlacedChunk { cursor, ..chunk }))
}

/// The chunk at a place of a partition, with what is known of the place in the corpus.
fn chunk_at(
    connection: &Connection,
    content_hash: &str,
    (source_id, start): (i64, i64),
    file_id: i64,
) -> rusqlite::Result<Option<PlacedChunk>> {
    let sql = format!(
        "SELECT {CHUNK_COLUMNS}, {PLACE_COLUMNS}
         FROM main.chunks c CROSS JOIN main.chunk_sources s
           ON s.chunk_id = c.chunk_id AND s.file_id = ?2 AND s.start_index = ?3
         CROSS JOIN corpus.files f ON f.file_id = ?4
         WHERE c.content_hash = ?1"
    );
    let mut names = PlaceNames::default();
    let values = params![content_hash, source_id, start, file_id];
    let mut found = connection.first(&sql, values, |row| placed_chunk(row, &mut names))?;
    names.fill_in(connection, found.iter_mut().map(|chunk| &mut chunk.place))?;
    Ok(found)
}

/// A chunk with its place, without cursor and vector.
fn placed_chunk(row: &Row<'_>, names: &mut PlaceNames) -> rusqlite::Result<PlacedChunk> {
    let content_hash: String = row.get(0)?;
    Ok(PlacedChunk {
        cursor: String::new(),
        content: row.get(1)?,
        tokens: offset(row, 2)?,
        tokenizer: row.get(3)?,
        vector: None,
        place: names.read_place(row, 4, &content_hash)?,
        content_hash,
    })
}
