//! Finds the tables of texts that nobody has looked into yet: at the end of a run, and in databases of earlier builds.

use super::{FIRST_WITH_TABLES, TableQueries};
use crate::store::database::error::StoreError;
use crate::store::database::meta;
use crate::store::database::schema::schema_version;
use crate::store::read::StoredText;
use crate::store::rows::sql::{Queries, offset};
use crate::store::rows::text_packing::TextVariant;
use pensieve_text::chunk::{StrategyChoice, strategy_for};
use pensieve_text::format::FORMATS;
use pensieve_text::model::{ChunkStrategy, Locator, Span};
use pensieve_text::tables::{FoundTable, TABLES_EDITION, TableFinder};
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

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
    if format.is_paged {
        return Some(ChunkStrategy::Layout);
    }
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

    /// How the tables of a file differ from those that its current clean text has; `None` if they do not, or nobody has looked.
    ///
    /// # Errors
    /// The text cannot be read.
    pub fn difference(&self, file_id: i64) -> Result<Option<String>, StoreError> {
        let sql = "SELECT v.version, f.format, v.byte_length, v.tables FROM text_versions v JOIN files f USING(file_id)
                   WHERE v.file_id = ?1 AND v.variant = 'clean' AND v.is_current AND v.tables IS NOT NULL";
        let text = self.0.ask(|connection| {
            if schema_version(connection)? < FIRST_WITH_TABLES
                || meta::get(connection, EDITION)? != Some(TABLES_EDITION.to_string())
            {
                return Ok(None);
            }
            connection.first(sql, [file_id], |row| {
                Ok((
                    Unread { file_id, version: row.get(0)?, format: row.get(1)?, bytes: offset(row, 2)? },
                    offset(row, 3)?,
                ))
            })
        })?;
        let Some((text, count)) = text else { return Ok(None) };
        let sql = "SELECT number, title, heading_path, locator, columns, rows, header_rows, start_index, end_index, layout,
                          labels FROM tables WHERE file_id = ?1 ORDER BY number";
        let stored: Vec<Vec<Value>> = self.0.ask(|connection| {
            connection.rows(sql, [file_id], |row| (0..11).map(|at| row.get(at)).collect())
        })?;
        let found: Vec<Vec<Value>> = self
            .look_into(&text)?
            .iter()
            .zip(1_i64..)
            .map(|((table, locator), number)| {
                [vec![Value::Integer(number)], columns_of(table, locator.as_deref())].concat()
            })
            .collect();
        let at = stored.iter().zip(&found).position(|(one, other)| one != other);
        Ok(match at {
            Some(at) => Some(format!("table {} is not that of the text", at + 1)),
            None if stored.len() != found.len() || count != found.len() => {
                Some(format!("{} tables are stored, the text has {}", stored.len(), found.len()))
            }
            None => None,
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
    Ok(places.into_iter().map(|place| place.map(|place| without_rows(&place))).collect())
}

/// The place as JSON, without that of each row.
fn without_rows(place: &Locator) -> String {
    let json = place.to_json();
    let keys: Option<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(&json).ok();
    let Some(mut keys) = keys.filter(|keys| keys.contains_key("sentences")) else { return json };
    keys.remove("sentences");
    serde_json::to_string(&keys).unwrap_or(json)
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
        let mut values = vec![Value::Integer(text.file_id), Value::Integer(number)];
        values.extend(columns_of(table, locator.as_deref()));
        connection.run(sql, params_from_iter(values))?;
    }
    let sql =
        "UPDATE text_versions SET tables = ?3 WHERE file_id = ?1 AND variant = 'clean' AND version = ?2";
    connection.run(sql, params![text.file_id, text.version, tables.len() as i64]).map(drop)
}

/// The row of a table without its file and its number.
fn columns_of(table: &FoundTable, locator: Option<&str>) -> Vec<Value> {
    let text = |text: Option<&str>| text.map_or(Value::Null, |text| Value::Text(text.to_owned()));
    let number = |number: usize| Value::Integer(number as i64);
    let layout = &table.layout;
    vec![
        text(table.title.as_deref()),
        text(table.heading_path.as_deref()),
        text(locator),
        number(layout.columns.len()),
        number(table.rows),
        number(layout.header_rows),
        number(table.span.start),
        number(table.span.end),
        text(serde_json::to_string(layout).ok().as_deref()),
        text(Some(&table.labels)),
    ]
}
