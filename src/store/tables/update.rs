//! Finds the tables of texts that nobody has looked into yet: at the end of a run, and in databases of earlier builds.

use super::TableQueries;
use crate::store::sql::Queries;
use crate::store::{StoreError, StoredText, TextVariant, meta};
use pensieve_text::chunk::{StrategyChoice, strategy_for};
use pensieve_text::format::FORMATS;
use pensieve_text::model::{ChunkStrategy, Locator, Span};
use pensieve_text::tables::{FoundTable, TABLES_EDITION, TableFinder};
use rusqlite::{Connection, params};

/// The key for the edition by which tables were found.
const EDITION: &str = "tables_edition";

/// Texts between two commits: enough that a commit costs little, few enough that little is done again after a kill.
const BATCH_TEXTS: usize = 500;
/// Bytes of text between two commits.
const BATCH_BYTES: usize = 64 << 20;

/// A text to look into.
struct Unread {
    file_id: i64,
    version: String,
    format: Option<String>,
    bytes: usize,
}

/// How the text of a format is cut, whatever the user's choice: that decides how tables are written in it.
fn strategy_of(format: &str) -> Option<ChunkStrategy> {
    let format = FORMATS.iter().find(|known| known.name == format)?;
    Some(format.strategy.unwrap_or_else(|| strategy_for(StrategyChoice::Auto, format.kind)))
}

impl TableQueries<'_> {
    /// Finds the tables of every current clean text in which nobody has looked; returns how many texts that were. Stops between two
    /// texts when `is_stopped` says so.
    ///
    /// # Errors
    /// The database cannot be written, or a text cannot be read.
    ///
    /// Cost: one look-up if there is none; otherwise one pass over each of these texts.
    pub fn update(&self, is_stopped: &dyn Fn() -> bool) -> Result<u64, StoreError> {
        self.begin_edition()?;
        let mut done = 0;
        loop {
            let mut batch = self.unread()?;
            let mut bytes = 0;
            let fitting = batch.iter().take_while(|text| {
                bytes += text.bytes;
                bytes <= BATCH_BYTES
            });
            let count = fitting.count().max(1);
            batch.truncate(count);
            if batch.is_empty() || is_stopped() {
                return Ok(done);
            }
            let mut found = Vec::with_capacity(batch.len());
            for text in &batch {
                if is_stopped() {
                    break;
                }
                found.push(self.look_into(text)?);
            }
            self.0.ask(|connection| {
                connection.execute_batch("BEGIN IMMEDIATE")?;
                let written =
                    batch.iter().zip(&found).try_for_each(|(text, tables)| write(connection, text, tables));
                connection.execute_batch(if written.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
                written
            })?;
            done += found.len() as u64;
        }
    }

    /// Forgets the tables that another edition of the program found.
    fn begin_edition(&self) -> Result<(), StoreError> {
        let edition = TABLES_EDITION.to_string();
        self.0.ask(|connection| {
            if meta::get(connection, EDITION)?.as_deref() == Some(&edition) {
                return Ok(());
            }
            connection.execute_batch(
                "BEGIN IMMEDIATE; DELETE FROM tables; UPDATE text_versions SET tables = NULL WHERE tables IS NOT NULL",
            )?;
            meta::set(connection, EDITION, &edition)?;
            connection.execute_batch("COMMIT")
        })
    }

    fn unread(&self) -> Result<Vec<Unread>, StoreError> {
        let sql = "SELECT v.file_id, v.version, f.format, v.byte_length
                   FROM text_versions v INDEXED BY text_versions_without_tables JOIN files f ON f.file_id = v.file_id
                   WHERE v.is_current AND v.variant = 'clean' AND v.tables IS NULL ORDER BY v.file_id LIMIT ?1";
        self.0.ask(|connection| {
            connection.rows(sql, [BATCH_TEXTS as i64], |row| {
                let bytes: i64 = row.get(3)?;
                Ok(Unread {
                    file_id: row.get(0)?,
                    version: row.get(1)?,
                    format: row.get(2)?,
                    bytes: bytes.max(0) as usize,
                })
            })
        })
    }

    /// The tables of a text with their places.
    fn look_into(&self, text: &Unread) -> Result<Vec<(FoundTable, Option<String>)>, StoreError> {
        let strategy = text.format.as_deref().and_then(strategy_of);
        let Some(mut finder) = strategy.and_then(TableFinder::new) else { return Ok(Vec::new()) };
        let stored = self.0.text(text.file_id, TextVariant::Clean, &text.version);
        stored.each_text_from(0, &mut |_, part| {
            finder.push(part);
            true
        })?;
        let found = finder.finish();
        let places = places_of(&stored, &found)?;
        Ok(found.into_iter().zip(places).collect())
    }
}

/// The places of tables, which are in the order of the text.
///
/// Cost: unpacks the maps from the first table to the last.
fn places_of(text: &StoredText<'_>, tables: &[FoundTable]) -> Result<Vec<Option<String>>, StoreError> {
    let mut places: Vec<Option<Locator>> = vec![None; tables.len()];
    let (Some(first), Some(last)) = (tables.first(), tables.last()) else { return Ok(Vec::new()) };
    text.each_segment_from(first.span.start, &mut |stored| {
        let end = stored.start + stored.segment.text.len();
        for (table, place) in tables.iter().zip(&mut places) {
            let (from, to) = (table.span.start.max(stored.start), table.span.end.min(end));
            if from >= to {
                continue;
            }
            let here = stored.segment.locate(Span::new(from - stored.start, to - stored.start));
            *place = match (place.take(), here) {
                (Some(before), Some(here)) => before.joined(&here).or(Some(before)),
                (before, here) => before.or(here),
            };
        }
        end < last.span.end
    })?;
    Ok(places.into_iter().map(|place| place.map(|place| place.to_json())).collect())
}

fn write(
    connection: &Connection,
    text: &Unread,
    tables: &[(FoundTable, Option<String>)],
) -> rusqlite::Result<()> {
    connection.run("DELETE FROM tables WHERE file_id = ?1", [text.file_id])?;
    let sql = "INSERT INTO tables(file_id, number, title, heading_path, locator, columns, rows, header_rows, start_index, end_index,
                   layout, labels) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    for (number, (table, locator)) in (1_i64..).zip(tables) {
        let layout = serde_json::to_string(&table.layout).unwrap_or_default();
        let (columns, rows) = (table.layout.columns.len() as i64, table.rows as i64);
        let (header_rows, start, end) =
            (table.layout.header_rows as i64, table.span.start as i64, table.span.end as i64);
        connection.run(
            sql,
            params![
                text.file_id,
                number,
                table.title,
                table.heading_path,
                locator,
                columns,
                rows,
                header_rows,
                start,
                end,
                layout,
                table.labels
            ],
        )?;
    }
    let sql =
        "UPDATE text_versions SET tables = ?3 WHERE file_id = ?1 AND variant = 'clean' AND version = ?2";
    connection.run(sql, params![text.file_id, text.version, tables.len() as i64]).map(drop)
}
