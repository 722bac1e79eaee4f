//! The tables of repetition: `repeats`, `near_documents`, and the sketches that find what belongs there.

use crate::store::database::error::StoreError;
use crate::store::database::meta;
use crate::store::database::open::Store;
use crate::store::rows::sql::{Queries, count, offset, while_true};
use crate::store::rows::text_packing::TextUnpacker;
use pensieve_text::model::ContentHash;
use pensieve_text::text::repetition::{
    FoundRuns, LineKey, MatchedRuns, SIGNATURE_BINS, Signature, Sketch, SketchKey,
};
use rusqlite::{Connection, Params, Row, Transaction, params};
use serde::Serialize;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

/// The key of `meta` for the settings that the tables were made with.
const SETTINGS: &str = "repetition";

/// The key of `meta` that is there while nothing has changed since the tables were made.
const IS_CURRENT: &str = "repetition_is_current";

/// The tables of the ledger; rows of all of them belong to a file.
const TABLES: [&str; 5] = ["repeats", "quotes", "near_documents", "boilerplate", "sketches"];

/// Bytes of a text that is compared, at most: two of them are in memory with their words, which take two and a half times as much.
/// What is longer is a dump or a log.
const MAX_TEXT_BYTES: i64 = 24 << 20;

/// Notes that a file has changed; the tables are as they were before until they are updated.
pub(crate) fn mark_changed(connection: &Connection) -> rusqlite::Result<()> {
    meta::remove(connection, IS_CURRENT)
}

/// A document whose repetition is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerDocument {
    /// Which document.
    pub file_id: i64,
    /// Hash of its text, its kind and its place in the order of documents, and of the mail that it answers.
    pub state: i64,
    /// Hash of its format.
    pub kind: u64,
    /// The rank of the mail that it answers: an earlier document.
    pub answered: Option<u32>,
}

/// A run of words that an earlier document has, in bytes of the clean texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepeatRow {
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The earlier document.
    pub of_file_id: i64,
    /// Where it begins there.
    pub of_start: usize,
    /// Where it ends there.
    pub of_end: usize,
}

/// An earlier document that is nearly equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearRow {
    /// The earlier document.
    pub of_file_id: i64,
    /// The shingles that both have, among those of either.
    pub jaccard: f64,
    /// The same, among those of the smaller one.
    pub containment: f64,
}

/// A block of lines that recur in many documents of a kind, in bytes of the clean text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoilerplateRow {
    /// First byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// Of its words: the same in any document.
    pub hash: i64,
}

/// A block of boilerplate in the documents of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecurringBlock {
    /// How many documents have it.
    pub documents: u64,
    /// Their format.
    pub format: String,
    /// One of them.
    pub file_id: i64,
    /// Where the block is there.
    pub bytes: Range<usize>,
}

/// A sketch with what its document has before others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredSketch {
    /// In ascending order; true for keys of runs that no earlier document has.
    pub keys: Vec<(SketchKey, bool)>,
    /// Keys of its first and last lines, in ascending order.
    pub lines: Vec<LineKey>,
    /// MinHash signature; `None` for a document that is too short.
    pub signature: Option<Signature>,
}

/// The keys of a stored sketch, each with what is said of it there.
pub type SketchKeys<'k> = dyn Iterator<Item = (SketchKey, bool)> + 'k;

/// The tables of repetition.
pub struct RepetitionTable<'s>(pub(crate) &'s Store);

impl<'s> RepetitionTable<'s> {
    /// The settings that the tables were made with; `None` for a database without them.
    pub fn settings(&self) -> Result<Option<String>, StoreError> {
        self.0.ask(|connection| meta::get(connection, SETTINGS))
    }

    /// True if the tables are those of the documents as they are now.
    pub fn is_current(&self) -> Result<bool, StoreError> {
        self.0.ask(|connection| Ok(meta::get(connection, IS_CURRENT)?.is_some()))
    }

    /// Begins the transaction of an update; dropping it reverts everything.
    pub fn begin(&self) -> Result<Transaction<'s>, StoreError> {
        self.0.ask(Connection::unchecked_transaction)
    }

    /// Commits an update.
    pub fn commit(&self, transaction: Transaction<'s>, settings: &str) -> Result<(), StoreError> {
        self.0.ask(|connection| {
            meta::set(connection, SETTINGS, settings)?;
            meta::set(connection, IS_CURRENT, "1")?;
            transaction.commit()
        })
    }

    /// Removes everything, the settings too.
    pub fn clear(&self) -> Result<(), StoreError> {
        self.0.ask(|connection| {
            TABLES
                .iter()
                .try_for_each(|table| connection.run(&format!("DELETE FROM {table}"), []).map(drop))?;
            meta::remove(connection, IS_CURRENT)?;
            meta::remove(connection, SETTINGS)
        })
    }

    /// The documents with a text, in their order: by the date that they give themselves, those without one last; then by root
    /// and path.
    ///
    /// Cost: one pass over `files`; 40 bytes of memory for each, 24 more for a mail.
    pub fn documents(&self) -> Result<Vec<LedgerDocument>, StoreError> {
        // Roots are compared by their paths, and named by their rank among those that are there: ids depend on history.
        let sql = "SELECT f.file_id, v.sha256, f.relative_path,
                     (SELECT count(*) FROM roots other WHERE other.path < r.path),
                     coalesce(m.date, (SELECT min(d.value) FROM metadata d WHERE d.file_id = f.file_id AND d.key = 'date'),
                       (SELECT min(d.value) FROM metadata d WHERE d.file_id = f.file_id AND d.key = 'created')) AS date,
                     f.format, m.message_id, m.in_reply_to, m.refs
                   FROM files f JOIN roots r USING(root_id)
                   JOIN text_versions v ON v.file_id = f.file_id AND v.variant = 'clean' AND v.is_current
                   LEFT JOIN mails m ON m.file_id = f.file_id
                   WHERE f.is_canonical AND f.processing_status = 'Processed' AND v.byte_length <= ?1
                   ORDER BY date IS NULL, date, r.path, f.relative_path, f.file_id";
        // The first mail with each identifier: its rank, and its text with its id.
        let mut mails: HashMap<u64, (u32, u64)> = HashMap::new();
        let mut documents = Vec::new();
        self.0.ask(|connection| {
            connection.each(sql, [MAX_TEXT_BYTES], |row| {
                let (file_id, text, path): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
                let (root, date): (i64, Option<String>) = (row.get(3)?, row.get(4)?);
                let (format, refs): (Option<String>, Option<String>) = (row.get(5)?, row.get(8)?);
                let (date, format) = (date.unwrap_or_default(), format.unwrap_or_default());
                // A mail answers the one that it says, else the last one of its thread that is here.
                let answered: Option<String> = row.get(7)?;
                let refs = refs.iter().flat_map(|refs| refs.split(' ').rev());
                let named = answered.iter().map(String::as_str).chain(refs);
                let answered = named.map(hash_of).find_map(|id| mails.get(&id).copied());
                let reply = answered.map_or(0, |(_, text)| text);
                let state = hash_of(&format!("{text}\0{root}\0{path}\0{date}\0{format}\0{reply}"));
                if let Some(id) = row.get::<_, Option<String>>(6)? {
                    let own = (documents.len() as u32, hash_of(&format!("{file_id} {text}")));
                    mails.entry(hash_of(&id)).or_insert(own);
                }
                let answered = answered.map(|(rank, _)| rank);
                let kind = hash_of(&format);
                documents.push(LedgerDocument { file_id, state: state as i64, kind, answered });
                Ok(while_true(true))
            })
        })?;
        Ok(documents)
    }

    /// The number of documents with a text that is too long to be compared.
    pub fn omitted(&self) -> Result<u64, StoreError> {
        let sql =
            "SELECT count(*) FROM text_versions WHERE variant = 'clean' AND is_current AND byte_length > ?1";
        self.0.ask(|connection| connection.one(sql, [MAX_TEXT_BYTES], |row| count(row, 0)))
    }

    /// The state of each document at the last update.
    pub fn known_states(&self) -> Result<HashMap<i64, i64>, StoreError> {
        self.0.ask(|connection| {
            let rows = connection
                .rows("SELECT file_id, state FROM sketches", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.into_iter().collect())
        })
    }

    /// Passes the clean text of a document, as it is stored, to be unpacked by any thread.
    pub fn packed_text(&self, file_id: i64) -> Result<Vec<Vec<u8>>, StoreError> {
        let sql = "SELECT t.content FROM text_versions v JOIN texts t USING(file_id, variant, version)
                   WHERE v.file_id = ?1 AND v.variant = 'clean' AND v.is_current ORDER BY t.segment";
        self.0.ask(|connection| connection.rows(sql, [file_id], |row| row.get(0)))
    }

    /// The clean text of a document.
    pub fn text(&self, file_id: i64, unpacker: &mut TextUnpacker) -> Result<String, StoreError> {
        unpacker.unpack_all(&self.packed_text(file_id)?).ok_or_else(|| self.damaged(file_id))
    }

    /// The error for a text that no program of ours packed.
    pub fn damaged(&self, file_id: i64) -> StoreError {
        self.0.damaged(format!("the text of file {file_id} cannot be read"))
    }

    /// An error of the system during an update.
    pub fn io(&self, source: std::io::Error) -> StoreError {
        StoreError::Io { path: self.0.path.clone(), source }
    }

    /// Stores the sketch of a document, with the state that it belongs to. Until the document is compared it is the first.
    pub fn write_sketch(
        &self,
        document: &LedgerDocument,
        sketch: &Sketch,
        lines: &[LineKey],
    ) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO sketches(file_id, state, keys, signature, lines) VALUES(?1, ?2, ?3, ?4, ?5)";
        let keys = pack_keys(sketch.keys.iter().map(|key| (*key, true)));
        let signature = sketch.signature.map(|signature| signature.map(u16::to_le_bytes).concat());
        let lines: Vec<u8> =
            lines.iter().flat_map(|key| key.0.to_le_bytes().into_iter().take(LineKey::BYTES)).collect();
        self.0.ask(|connection| {
            connection.run(sql, params![document.file_id, document.state, keys, signature, lines]).map(drop)
        })
    }

    /// Stores what a document has before others, and its runs that others have before it, in order: each with the document.
    pub fn write_found(
        &self,
        file_id: i64,
        keys: &[(SketchKey, bool)],
        matched: impl Iterator<Item = (i64, MatchedRuns)>,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE sketches SET keys = ?2, matched = ?3 WHERE file_id = ?1 AND (keys <> ?2 OR matched <> ?3)";
        let (keys, matched) = (pack_keys(keys.iter().copied()), pack_matched(matched));
        self.0.ask(|connection| connection.run(sql, params![file_id, keys, matched]).map(drop))
    }

    /// The runs of a document that others have before it, as they were found last, in order: each with the document.
    pub fn matched(&self, file_id: i64) -> Result<Vec<(i64, MatchedRuns)>, StoreError> {
        let sql = "SELECT matched FROM sketches WHERE file_id = ?1";
        let found = self.0.ask(|connection| {
            connection.first(sql, [file_id], |row| Ok(matched_of(row.get_ref(0)?.as_blob()?)))
        })?;
        Ok(found.unwrap_or_default())
    }

    /// The sketch of a document.
    pub fn sketch(&self, file_id: i64) -> Result<StoredSketch, StoreError> {
        let sql = "SELECT keys, signature, lines FROM sketches WHERE file_id = ?1";
        let found = self.0.ask(|connection| {
            connection.first(sql, [file_id], |row| {
                let signature = row.get_ref(1)?.as_blob_or_null()?.and_then(signature_of);
                let lines = lines_of(row.get_ref(2)?.as_blob()?).collect();
                Ok(StoredSketch { keys: keys_of(row.get_ref(0)?.as_blob()?).collect(), lines, signature })
            })
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Passes the sketch of each document to `each`: its id, keys and signature.
    pub fn each_sketch(
        &self,
        each: &mut dyn FnMut(i64, &mut SketchKeys<'_>, Option<Signature>),
    ) -> Result<(), StoreError> {
        self.0.ask(|connection| {
            connection.each("SELECT file_id, keys, signature FROM sketches", [], |row| {
                let signature = row.get_ref(2)?.as_blob_or_null()?.and_then(signature_of);
                each(row.get(0)?, &mut keys_of(row.get_ref(1)?.as_blob()?), signature);
                Ok(while_true(true))
            })
        })
    }

    /// Passes the keys of the lines of each document to `each`, with its id.
    pub fn each_lines(
        &self,
        each: &mut dyn FnMut(i64, &mut dyn Iterator<Item = LineKey>),
    ) -> Result<(), StoreError> {
        self.0.ask(|connection| {
            connection.each("SELECT file_id, lines FROM sketches", [], |row| {
                each(row.get(0)?, &mut lines_of(row.get_ref(1)?.as_blob()?));
                Ok(while_true(true))
            })
        })
    }

    /// Removes the sketch and the entries of a document that is gone.
    pub fn remove(&self, file_id: i64) -> Result<(), StoreError> {
        self.0.ask(|connection| {
            TABLES.iter().try_for_each(|table| {
                connection.run(&format!("DELETE FROM {table} WHERE file_id = ?1"), [file_id]).map(drop)
            })
        })
    }

    /// Keeps what one pass has found about a document, until the last pass is done.
    pub fn keep_found(&self, rank: u32, found: &FoundRuns) -> Result<(), StoreError> {
        let matched = pack_matched(found.matched().iter().map(|runs| (i64::from(runs.of), *runs)));
        let novel = pack_keys(found.novel.iter().map(|key| (*key, true)));
        self.0.ask(|connection| {
            connection.execute_batch(
                "CREATE TABLE IF NOT EXISTS temp.found_runs(rank INTEGER NOT NULL, matched BLOB NOT NULL, novel BLOB NOT NULL);
                 CREATE INDEX IF NOT EXISTS temp.found_runs_by_rank ON found_runs(rank)",
            )?;
            connection
                .run("INSERT INTO temp.found_runs VALUES(?1, ?2, ?3)", params![rank, matched, novel])
                .map(drop)
        })
    }

    /// What all passes have found about a document.
    pub fn take_found(&self, rank: u32) -> Result<FoundRuns, StoreError> {
        let mut all = FoundRuns::default();
        self.0.ask(|connection| {
            let sql = "SELECT matched, novel FROM temp.found_runs WHERE rank = ?1";
            connection.each(sql, [rank], |row| {
                let matched = matched_of(row.get_ref(0)?.as_blob()?).into_iter();
                let mut found =
                    FoundRuns::of(matched.map(|(of, runs)| MatchedRuns { of: of as u32, ..runs }));
                found.novel = keys_of(row.get_ref(1)?.as_blob()?).map(|(key, _)| key).collect();
                all.join(found);
                Ok(while_true(true))
            })?;
            connection.run("DELETE FROM temp.found_runs WHERE rank = ?1", [rank])
        })?;
        Ok(all)
    }

    /// The repeats of a document without what it quotes, in its order.
    pub fn repeats(&self, file_id: i64) -> Result<Vec<RepeatRow>, StoreError> {
        let sql = format!("SELECT {REPEAT} FROM repeats WHERE file_id = ?1 ORDER BY start_index");
        self.0.ask(|connection| connection.rows(&sql, [file_id], repeat_row))
    }

    /// Replaces the repeats of a document.
    pub fn write_repeats(&self, file_id: i64, rows: &[RepeatRow]) -> Result<(), StoreError> {
        self.write_runs("repeats", file_id, rows)
    }

    /// Replaces what a mail quotes of the one that it answers.
    pub fn write_quotes(&self, file_id: i64, rows: &[RepeatRow]) -> Result<(), StoreError> {
        self.write_runs("quotes", file_id, rows)
    }

    fn write_runs(&self, table: &str, file_id: i64, rows: &[RepeatRow]) -> Result<(), StoreError> {
        let insert = format!(
            "INSERT INTO {table}(file_id, start_index, end_index, of_file_id, of_start, of_end) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
        );
        self.0.ask(|connection| {
            connection.run(&format!("DELETE FROM {table} WHERE file_id = ?1"), [file_id])?;
            rows.iter().try_for_each(|row| {
                let RepeatRow { start, end, of_file_id, of_start, of_end } = *row;
                let [start, end, of_start, of_end] = [start, end, of_start, of_end].map(|place| place as i64);
                connection.run(&insert, params![file_id, start, end, of_file_id, of_start, of_end]).map(drop)
            })
        })
    }

    /// Replaces the boilerplate of a document.
    pub fn write_boilerplate(&self, file_id: i64, rows: &[BoilerplateRow]) -> Result<(), StoreError> {
        let insert = "INSERT INTO boilerplate(file_id, start_index, end_index, hash) VALUES(?1, ?2, ?3, ?4)";
        self.0.ask(|connection| {
            connection.run("DELETE FROM boilerplate WHERE file_id = ?1", [file_id])?;
            rows.iter().try_for_each(|row| {
                let values = params![file_id, row.start as i64, row.end as i64, row.hash];
                connection.run(insert, values).map(drop)
            })
        })
    }

    /// Replaces the earlier documents that a document is nearly equal to.
    pub fn write_near(&self, file_id: i64, rows: &[NearRow]) -> Result<(), StoreError> {
        let insert =
            "INSERT INTO near_documents(file_id, of_file_id, jaccard, containment) VALUES(?1, ?2, ?3, ?4)";
        self.0.ask(|connection| {
            connection.run("DELETE FROM near_documents WHERE file_id = ?1", [file_id])?;
            rows.iter().try_for_each(|row| {
                let values = params![file_id, row.of_file_id, row.jaccard, row.containment];
                connection.run(insert, values).map(drop)
            })
        })
    }

    /// Passes all repeats to `each`, by document and in its order: the document, and the repeat.
    pub fn each_repeat(&self, each: &mut dyn FnMut(i64, RepeatRow)) -> Result<(), StoreError> {
        let sql = format!("SELECT {REPEAT}, file_id FROM ({RUNS}) ORDER BY file_id, start_index");
        self.0.ask(|connection| {
            connection.each(&sql, [], |row| {
                each(row.get(5)?, repeat_row(row)?);
                Ok(while_true(true))
            })
        })
    }

    /// All pairs of nearly equal documents: the later one, and the earlier one.
    pub fn near_pairs(&self) -> Result<Vec<(i64, NearRow)>, StoreError> {
        self.0.ask(|connection| near_rows(connection, "TRUE", []))
    }

    /// The earlier documents that a document is nearly equal to.
    pub fn nearly_equal(&self, file_id: i64) -> Result<Vec<NearRow>, StoreError> {
        let rows = self.0.ask(|connection| near_rows(connection, "file_id = ?1", [file_id]))?;
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// The earlier documents that a document is nearly equal to, and the later ones that are nearly equal to it.
    pub fn near_of(&self, file_id: i64) -> Result<Vec<(i64, NearRow)>, StoreError> {
        self.0.ask(|connection| near_rows(connection, "file_id = ?1 OR of_file_id = ?1", [file_id]))
    }

    /// The documents that repeat one.
    pub fn repeated_by(&self, file_id: i64) -> Result<Vec<i64>, StoreError> {
        let sql = format!("SELECT DISTINCT file_id FROM ({RUNS}) WHERE of_file_id = ?1 ORDER BY file_id");
        self.0.ask(|connection| connection.rows(&sql, [file_id], |row| row.get(0)))
    }

    /// The bytes of each document that mails quote of others, where no repeat has them, or that are boilerplate.
    pub fn covered(&self, is_boilerplate: bool) -> Result<Vec<(i64, u64)>, StoreError> {
        let rows = if is_boilerplate { "boilerplate" } else { QUOTES };
        let sql = format!("SELECT file_id, sum(end_index - start_index) FROM ({rows}) GROUP BY file_id");
        self.0.ask(|connection| connection.rows(&sql, [], |row| Ok((row.get(0)?, count(row, 1)?))))
    }

    /// The blocks of boilerplate that most documents have: how many, the format, and one of the documents with the bytes there.
    pub fn largest_boilerplate(&self, limit: usize) -> Result<Vec<RecurringBlock>, StoreError> {
        let sql = "SELECT count(*), f.format, min(b.file_id), b.start_index, b.end_index
                   FROM boilerplate b JOIN files f USING(file_id) GROUP BY b.hash, f.format ORDER BY 1 DESC, b.hash LIMIT ?1";
        self.0.ask(|connection| {
            connection.rows(sql, [limit as i64], |row| {
                let format = row.get::<_, Option<String>>(1)?.unwrap_or_default();
                let bytes = offset(row, 3)?..offset(row, 4)?;
                Ok(RecurringBlock { documents: count(row, 0)?, format, file_id: row.get(2)?, bytes })
            })
        })
    }

    /// Bytes and tokens of the clean text of each document.
    pub fn sizes(&self) -> Result<HashMap<i64, (u64, u64)>, StoreError> {
        let sql = "SELECT file_id, v.byte_length, coalesce(f.estimated_tokens, 0) FROM files f
                   JOIN text_versions v USING(file_id) WHERE v.variant = 'clean' AND v.is_current";
        self.0.ask(|connection| {
            let rows = connection.rows(sql, [], |row| Ok((row.get(0)?, (count(row, 1)?, count(row, 2)?))))?;
            Ok(rows.into_iter().collect())
        })
    }

    /// The repeats of a document, in its order.
    pub fn of_document(&self, file_id: i64) -> Result<Vec<RepeatRow>, StoreError> {
        self.0.ask(|connection| repeats_of(connection, file_id))
    }
}

/// The share of these bytes of a document that its repeats cover; they come in the order of their starts.
pub fn repeated_share(repeats: &[RepeatRow], bytes: Range<usize>) -> f64 {
    let (mut covered, mut end) = (0, bytes.start);
    for repeat in repeats {
        let last = repeat.end.min(bytes.end);
        covered += last.saturating_sub(repeat.start.max(end));
        end = end.max(last);
    }
    if bytes.is_empty() { 0.0 } else { in_thousandths(covered as f64 / bytes.len() as f64) }
}

/// What the ledger says of a place.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct PlaceRepetition {
    /// The share of it that an earlier document has.
    pub repeats: f64,
    /// Where the longest part of that is first: the document and bytes of its clean text, `UID/START-END`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_of: Option<String>,
    /// The Jaccard similarity of its document and the earlier one that is most like it, where they are nearly equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<f64>,
    /// That earlier document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near_to: Option<String>,
}

/// The entries of a document of which places are looked up.
struct DocumentEntries {
    repeats: Vec<RepeatRow>,
    /// The similarity and the public id of the earlier document that is most like it.
    near: Option<(f64, String)>,
}

/// What the ledger says of each place, where one is kept and nothing has changed since.
///
/// Cost: two look-ups for each document, and one for each first document.
pub(super) fn of_places(
    connection: &Connection,
    places: &[(i64, Range<usize>)],
) -> rusqlite::Result<Vec<Option<PlaceRepetition>>> {
    if meta::get(connection, IS_CURRENT)?.is_none() {
        return Ok(vec![None; places.len()]);
    }
    let near = "SELECT n.jaccard, f.doc_uid FROM near_documents n JOIN files f ON f.file_id = n.of_file_id
                WHERE n.file_id = ?1 ORDER BY n.jaccard DESC, f.full_filepath LIMIT 1";
    let mut known: HashMap<i64, DocumentEntries> = HashMap::new();
    let mut uids: HashMap<i64, String> = HashMap::new();
    let mut entry = |(file_id, bytes): &(i64, Range<usize>)| {
        let document = match known.entry(*file_id) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let near = connection.first(near, [file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
                entry.insert(DocumentEntries { repeats: repeats_of(connection, *file_id)?, near })
            }
        };
        let shared = |row: &&RepeatRow| row.end.min(bytes.end).saturating_sub(row.start.max(bytes.start));
        let longest = document.repeats.iter().rev().max_by_key(shared).filter(|row| shared(row) > 0);
        let repeats_of = longest.map(|row| {
            let uid = match uids.entry(row.of_file_id) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let sql = "SELECT doc_uid FROM files WHERE file_id = ?1";
                    entry.insert(connection.one(sql, [row.of_file_id], |row| row.get(0))?)
                }
            };
            Ok::<_, rusqlite::Error>(format!("{uid}/{}-{}", row.of_start, row.of_end))
        });
        let (near, near_to) = document.near.clone().unzip();
        Ok(Some(PlaceRepetition {
            repeats: repeated_share(&document.repeats, bytes.clone()),
            repeats_of: repeats_of.transpose()?,
            near: near.map(in_thousandths),
            near_to,
        }))
    };
    places.iter().map(&mut entry).collect()
}

/// Three decimals tell as much as a reader can use.
fn in_thousandths(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

fn repeats_of(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<RepeatRow>> {
    let sql =
        format!("SELECT {REPEAT} FROM ({RUNS}) WHERE file_id = ?1 ORDER BY start_index, end_index DESC");
    connection.rows(&sql, [file_id], repeat_row)
}

macro_rules! quotes {
    () => {
        "SELECT * FROM quotes q WHERE NOT EXISTS (SELECT 1 FROM repeats r
           WHERE r.file_id = q.file_id AND r.start_index <= q.start_index AND r.end_index >= q.end_index)"
    };
}

/// Repeats, and quotations that are not inside of one.
const RUNS: &str = concat!("SELECT * FROM repeats UNION ALL ", quotes!());

/// The quotations among them.
const QUOTES: &str = quotes!();

/// The columns of [`repeat_row`].
const REPEAT: &str = "start_index, end_index, of_file_id, of_start, of_end";

fn repeat_row(row: &Row<'_>) -> rusqlite::Result<RepeatRow> {
    Ok(RepeatRow {
        start: offset(row, 0)?,
        end: offset(row, 1)?,
        of_file_id: row.get(2)?,
        of_start: offset(row, 3)?,
        of_end: offset(row, 4)?,
    })
}

fn near_rows(
    connection: &Connection,
    condition: &str,
    values: impl Params,
) -> rusqlite::Result<Vec<(i64, NearRow)>> {
    let sql = format!(
        "SELECT file_id, of_file_id, jaccard, containment FROM near_documents WHERE {condition} ORDER BY file_id, of_file_id"
    );
    connection.rows(&sql, values, |row| {
        Ok((row.get(0)?, NearRow { of_file_id: row.get(1)?, jaccard: row.get(2)?, containment: row.get(3)? }))
    })
}

fn pack_keys(keys: impl Iterator<Item = (SketchKey, bool)>) -> Vec<u8> {
    keys.flat_map(|(key, is_novel)| (key.0 << 1 | u32::from(is_novel)).to_le_bytes()).collect()
}

fn keys_of(packed: &[u8]) -> impl Iterator<Item = (SketchKey, bool)> + '_ {
    packed.chunks_exact(4).map(|bytes| {
        let number = u32::from_le_bytes(bytes.try_into().expect("chunks have four bytes"));
        (SketchKey(number >> 1), number & 1 == 1)
    })
}

/// Each run is four numbers: words since the last one, how many runs, the document, and the word there. A number is written in
/// groups of seven bits, the lowest first; the last group has no eighth bit.
fn pack_matched(matched: impl Iterator<Item = (i64, MatchedRuns)>) -> Vec<u8> {
    let (mut packed, mut last) = (Vec::new(), 0);
    for (of_file_id, MatchedRuns { start, count, of_start, .. }) in matched {
        for mut number in [u64::from(start - last), u64::from(count), of_file_id as u64, u64::from(of_start)]
        {
            while number > 0x7f {
                packed.push(number as u8 | 0x80);
                number >>= 7;
            }
            packed.push(number as u8);
        }
        last = start;
    }
    packed
}

/// What [`pack_matched`] packed; the numbers of texts are not known here.
fn matched_of(packed: &[u8]) -> Vec<(i64, MatchedRuns)> {
    let (mut bytes, mut start) = (packed.iter().copied(), 0_u32);
    let mut number = || {
        let (mut number, mut shift) = (0_u64, 0);
        loop {
            let byte = bytes.next()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte < 0x80 {
                return Some(number);
            }
        }
    };
    let mut runs = || {
        let (words, count, of_file_id, of_start) = (number()?, number()?, number()?, number()?);
        start = u32::try_from(words).ok()?.checked_add(start)?;
        let (count, of_start) = (u32::try_from(count).ok()?, u32::try_from(of_start).ok()?);
        // Who made the database may have written numbers that are none of words.
        start.max(of_start).checked_add(count)?;
        Some((of_file_id as i64, MatchedRuns { start, count, of: 0, of_start }))
    };
    std::iter::from_fn(&mut runs).collect()
}

fn lines_of(packed: &[u8]) -> impl Iterator<Item = LineKey> + '_ {
    packed.chunks_exact(LineKey::BYTES).map(|bytes| {
        let mut whole = [0; 8];
        whole[..LineKey::BYTES].copy_from_slice(bytes);
        LineKey(u64::from_le_bytes(whole))
    })
}

fn hash_of(text: &str) -> u64 {
    ContentHash::of(text.as_bytes()).prefix()
}

fn signature_of(packed: &[u8]) -> Option<Signature> {
    let parts = packed.chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    parts.collect::<Vec<u16>>().try_into().ok().filter(|_| packed.len() == 2 * SIGNATURE_BINS)
}
