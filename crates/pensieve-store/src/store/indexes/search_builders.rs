//! Threads that build the search tables beside a load, each in a database of its own, until the load takes their indexes over.
//!
//! New chunks go to the builders in batches, one builder after the other. A side index depends on the rows alone, so the
//! indexes together have what one index of all rows would have; which builder has which row changes no answer and no rank.
//! What a builder makes lasts only as long as its run: a load that was interrupted builds the tables from the chunks.

use super::search_segments::take_over;
use super::search_tables::{DERIVED, DerivedTable};
use rusqlite::{CachedStatement, Connection, params};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Text of one batch.
const BATCH_BYTES: usize = 128 << 10;

/// Batches that wait for a builder: enough for the time in which it writes what it has collected.
const WAITING_BATCHES: usize = 16;

/// More builders would leave so many segments that the next small change merges them all.
const MAX_BUILDERS: usize = 3;

/// How much of the end of the builders is the wait for their merges, of 1.
const MERGE_SHARE: f64 = 0.5;

/// Before the side tables are made: databases of their own, which last as long as the run.
const BEGIN: &str = "
    PRAGMA page_size = 8192;
    PRAGMA cache_size = -6144;
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;";

/// A side table, as the database has it but without the text. Terms are collected in portions that fit the processor's
/// cache, and merged once at the end.
fn side_table(name: &str) -> String {
    format!(
        "CREATE VIRTUAL TABLE {name} USING fts5(content, content='', tokenize='unicode61 remove_diacritics 2');
         INSERT INTO {name}({name}, rank) VALUES('hashsize', 4194304);
         INSERT INTO {name}({name}, rank) VALUES('automerge', 0);
         INSERT INTO {name}({name}, rank) VALUES('crisismerge', 1900);"
    )
}

/// The tables that are built beside a load, that of all chunks first.
fn side_tables() -> impl Iterator<Item = &'static str> {
    ["chunks_fts"].into_iter().chain(DERIVED.iter().map(|table| table.name))
}

/// The builders of a load, and the batch for the next one.
pub(crate) struct SearchBuilders {
    /// How many there are when they have started.
    count: usize,
    builders: Vec<Builder>,
    next: usize,
    batch: Batch,
    /// The first chunk of each batch that was sent, and the builder that has it; in the order of chunks.
    sent: Vec<(i64, usize)>,
    /// True when a builder has failed: the tables are built from the chunks instead.
    is_broken: bool,
}

struct Builder {
    /// `None` when it has got everything.
    sender: Option<SyncSender<BuilderMessage>>,
    thread: Option<JoinHandle<rusqlite::Result<Option<Connection>>>>,
}

enum BuilderMessage {
    Rows(Batch),
    /// All rows are there: merge. A builder whose channel closes without it is not needed any more.
    Finish,
}

/// Rows that a builder writes one after the other.
#[derive(Default)]
struct Batch {
    rows: Vec<BatchRow>,
    bytes: usize,
}

struct BatchRow {
    chunk_id: i64,
    content: String,
    is_removal: bool,
}

impl SearchBuilders {
    /// Builders for a run with this many threads; `None` for a run with one thread. They start when the first batch is full.
    pub fn new(threads: usize) -> Option<SearchBuilders> {
        (threads > 1).then(|| SearchBuilders {
            count: threads.min(MAX_BUILDERS),
            builders: Vec::new(),
            next: 0,
            batch: Batch::default(),
            sent: Vec::new(),
            is_broken: false,
        })
    }

    /// Adds a new chunk; its id is larger than those before.
    pub fn insert(&mut self, chunk_id: i64, content: String) {
        self.batch.push(chunk_id, content, false);
        if self.batch.bytes >= BATCH_BYTES {
            self.send_batch();
        }
    }

    /// Removes a chunk, whose content must be what was inserted.
    pub fn remove(&mut self, chunk_id: i64, content: String) {
        if self.batch.rows.first().is_some_and(|first| first.chunk_id <= chunk_id) {
            return self.batch.push(chunk_id, content, true);
        }
        let after = self.sent.partition_point(|(first, _)| *first <= chunk_id);
        let Some((_, builder)) = after.checked_sub(1).and_then(|at| self.sent.get(at)).copied() else {
            return;
        };
        let mut batch = Batch::default();
        batch.push(chunk_id, content, true);
        self.send(builder, BuilderMessage::Rows(batch));
    }

    /// Lets the builders merge what they have, while the caller does something else.
    pub fn finish_rows(&mut self) {
        if !self.builders.is_empty() {
            self.send_batch();
        }
        for builder in 0..self.builders.len() {
            self.send(builder, BuilderMessage::Finish);
            self.builders[builder].sender = None;
        }
    }

    /// Waits for the builders, and replaces both search tables by theirs; false, with nothing written, if there was too little
    /// for a batch, or if one has failed.
    ///
    /// Runs within a transaction, after [`SearchBuilders::finish_rows`].
    pub fn take_over(
        mut self,
        connection: &Connection,
        on_progress: &mut dyn FnMut(f64),
    ) -> rusqlite::Result<bool> {
        let mut sides = Vec::new();
        for builder in &mut self.builders {
            sides.extend(builder.join());
            on_progress(MERGE_SHARE * sides.len() as f64 / self.count as f64);
        }
        if self.is_broken || sides.len() < self.count {
            return Ok(false);
        }
        let mut on_copy = |share: f64| on_progress(MERGE_SHARE + share * (1.0 - MERGE_SHARE));
        take_over(connection, "chunks_fts", (&sides, "chunks_fts"), &mut on_copy)?;
        for DerivedTable { name, .. } in DERIVED {
            // They are small beside the first.
            take_over(connection, name, (&sides, name), &mut |_| {})?;
        }
        Ok(true)
    }

    fn send_batch(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        let Some(first) = batch.rows.first() else { return };
        if self.builders.is_empty() {
            self.start();
        }
        let builder = self.next;
        self.sent.push((first.chunk_id, builder));
        self.next = (builder + 1) % self.count;
        self.send(builder, BuilderMessage::Rows(batch));
    }

    fn start(&mut self) {
        for number in 0..self.count {
            match Builder::start(number) {
                Ok(builder) => self.builders.push(builder),
                Err(_) => self.is_broken = true,
            }
        }
    }

    fn send(&mut self, builder: usize, message: BuilderMessage) {
        let sender = self.builders.get(builder).and_then(|builder| builder.sender.as_ref());
        let is_sent = sender.is_some_and(|sender| sender.send(message).is_ok());
        self.is_broken |= !is_sent;
    }
}

impl Drop for SearchBuilders {
    fn drop(&mut self) {
        self.builders.iter_mut().for_each(|builder| builder.sender = None);
        self.builders.iter_mut().for_each(|builder| drop(builder.join()));
    }
}

impl Builder {
    fn start(number: usize) -> std::io::Result<Builder> {
        let (sender, messages) = sync_channel(WAITING_BATCHES);
        let name = format!("search-{number}");
        let thread = std::thread::Builder::new().name(name).spawn(move || build(&messages))?;
        Ok(Builder { sender: Some(sender), thread: Some(thread) })
    }

    /// The database that it made, once; `None` if it has failed or was not needed.
    fn join(&mut self) -> Option<Connection> {
        self.thread.take()?.join().ok()?.ok()?
    }
}

/// Writes rows into a database of its own until all are there, and merges its segments.
fn build(messages: &Receiver<BuilderMessage>) -> rusqlite::Result<Option<Connection>> {
    // An empty name: a temporary file of SQLite's own, which goes with the connection and is used when the cache is full.
    let connection = Connection::open("")?;
    connection.execute_batch(BEGIN)?;
    side_tables().try_for_each(|table| connection.execute_batch(&side_table(table)))?;
    connection.execute_batch("BEGIN")?;
    for message in messages {
        match message {
            BuilderMessage::Rows(batch) => batch.write(&connection)?,
            BuilderMessage::Finish => {
                // One segment for each index.
                side_tables().try_for_each(|table| {
                    connection.execute_batch(&format!("INSERT INTO {table}({table}) VALUES('optimize')"))
                })?;
                connection.execute_batch("COMMIT")?;
                return Ok(Some(connection));
            }
        }
    }
    Ok(None)
}

impl Batch {
    fn push(&mut self, chunk_id: i64, content: String, is_removal: bool) {
        self.bytes += content.len();
        self.rows.push(BatchRow { chunk_id, content, is_removal });
    }

    fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let mut all = SideTable::of(connection, "chunks_fts")?;
        for row in &self.rows {
            all.write(row, &row.content)?;
        }
        for table in DERIVED {
            let mut side = SideTable::of(connection, table.name)?;
            for row in &self.rows {
                if let Some(words) = (table.words)(&row.content) {
                    side.write(row, &words)?;
                }
            }
        }
        Ok(())
    }
}

/// The statements that write into one side table.
struct SideTable<'c> {
    insert: CachedStatement<'c>,
    remove: CachedStatement<'c>,
}

impl<'c> SideTable<'c> {
    fn of(connection: &'c Connection, table: &str) -> rusqlite::Result<SideTable<'c>> {
        let prepare = |sql: String| connection.prepare_cached(&sql);
        Ok(SideTable {
            insert: prepare(format!("INSERT INTO {table}(rowid, content) VALUES(?1, ?2)"))?,
            remove: prepare(format!(
                "INSERT INTO {table}({table}, rowid, content) VALUES('delete', ?1, ?2)"
            ))?,
        })
    }

    fn write(&mut self, row: &BatchRow, content: &str) -> rusqlite::Result<()> {
        let statement = if row.is_removal { &mut self.remove } else { &mut self.insert };
        statement.execute(params![row.chunk_id, content]).map(drop)
    }
}

#[cfg(test)]
mod tests;
