//! Segments of an FTS5 index as rows: how an index that was built in another database becomes part of this one.
//!
//! FTS5 keeps its index in ordinary tables. `_data` has the pages of all segments, and above bit 37 of a page's id stands
//! the number of its segment; `_idx` has the first term of each page; `_docsize` has the lengths of each row. Two rows of
//! `_data` describe the rest: the averages (rows, and tokens of each column) and the structure (which segments there are, by
//! level). A segment becomes one of another index with the same definition when its rows are copied under a free number and
//! both descriptions are written anew. Source: the comments at the head of `fts5_index.c` of SQLite.

use crate::store::rows::sql::{Queries, undefended};
use rusqlite::types::Type;
use rusqlite::{Connection, Rows, params};
use std::ops::ControlFlow;

/// The row of `_data` with the averages.
const AVERAGES_ROW: i64 = 1;
/// The row of `_data` with the structure.
const STRUCTURE_ROW: i64 = 10;
/// The lowest bit of a segment's number in the id of a page.
const SEGMENT_SHIFT: u32 = 37;
/// The level of segments that are taken over. A level is merged when it has four segments; on this one stand segments of about
/// their size, so that small changes later do not merge them.
const LARGE_SEGMENT_LEVEL: usize = 3;
/// Stands after the cookie in the structure of another kind of index, which counts more things for each segment.
const STRUCTURE_V2: [u8; 4] = [0xFF, 0x00, 0x00, 0x01];

/// The pages of a segment: first and last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment {
    number: u64,
    first_page: u64,
    last_page: u64,
}

/// What the index of one table has: rows, tokens of its one column, segments.
#[derive(Debug, Clone, PartialEq, Eq)]
struct IndexDescription {
    rows: u64,
    tokens: u64,
    segments: Vec<Segment>,
}

/// Replaces the index of `table` by those of the table `side_table` in other databases, which together have the same rows.
/// Both tables have one column, the same tokenizer, and no `contentless_delete`.
///
/// Runs within a transaction; `on_progress` gets the share of the indexes that is copied. Cost: a copy of the indexes.
pub(crate) fn take_over(
    connection: &Connection,
    table: &str,
    (sides, side_table): (&[Connection], &str),
    on_progress: &mut dyn FnMut(f64),
) -> rusqlite::Result<()> {
    forget_cached(connection, table)?;
    undefended(connection, || replace_rows(connection, table, (sides, side_table), on_progress))
}

/// Makes FTS5 forget what it has read of the index: it notices only what other connections write into its tables. Rolling
/// back a change has that effect.
fn forget_cached(connection: &Connection, table: &str) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "SAVEPOINT forget_cached; INSERT INTO {table}({table}) VALUES('delete-all');
         ROLLBACK TO forget_cached; RELEASE forget_cached;"
    ))
}

fn replace_rows(
    connection: &Connection,
    table: &str,
    (sides, side_table): (&[Connection], &str),
    on_progress: &mut dyn FnMut(f64),
) -> rusqlite::Result<()> {
    let cookie = cookie(&description_row(connection, table, STRUCTURE_ROW)?)?;
    for part in ["data", "idx", "docsize"] {
        connection.execute_batch(&format!("DELETE FROM {table}_{part}"))?;
    }
    let mut whole = IndexDescription { rows: 0, tokens: 0, segments: Vec::new() };
    for (done, side) in sides.iter().enumerate() {
        on_progress(done as f64 / sides.len() as f64);
        let found = IndexDescription::read(side, side_table)?;
        whole.rows += found.rows;
        whole.tokens += found.tokens;
        for segment in found.segments {
            let number = whole.segments.len() as u64 + 1;
            copy_segment((side, side_table), segment.number, (connection, table), number)?;
            whole.segments.push(Segment { number, ..segment });
        }
    }
    copy_lengths((sides, side_table), (connection, table))?;
    let sql = format!("INSERT INTO {table}_data(id, block) VALUES(?1, ?2)");
    connection.run(&sql, params![AVERAGES_ROW, whole.averages()])?;
    connection.run(&sql, params![STRUCTURE_ROW, whole.structure(cookie)]).map(drop)
}

/// Copies the pages of one segment and their first terms.
fn copy_segment(
    (from, from_table): (&Connection, &str),
    from_number: u64,
    (to, to_table): (&Connection, &str),
    to_number: u64,
) -> rusqlite::Result<()> {
    let (from_number, to_number) = (from_number as i64, to_number as i64);
    let (first, next) = (from_number << SEGMENT_SHIFT, (from_number + 1) << SEGMENT_SHIFT);
    let moved = (to_number - from_number) << SEGMENT_SHIFT;
    let mut insert = to.prepare(&format!("INSERT INTO {to_table}_data(id, block) VALUES(?1, ?2)"))?;
    let pages = format!("SELECT id, block FROM {from_table}_data WHERE id >= ?1 AND id < ?2 ORDER BY id");
    from.each(&pages, [first, next], |row| {
        insert.execute(params![row.get::<_, i64>(0)? + moved, row.get_ref(1)?.as_blob()?])?;
        Ok(ControlFlow::Continue(()))
    })?;
    let mut insert =
        to.prepare(&format!("INSERT INTO {to_table}_idx(segid, term, pgno) VALUES(?1, ?2, ?3)"))?;
    let terms = format!("SELECT term, pgno FROM {from_table}_idx WHERE segid = ?1 ORDER BY term");
    from.each(&terms, [from_number], |row| {
        insert.execute(params![to_number, row.get_ref(0)?.as_blob()?, row.get::<_, i64>(1)?])?;
        Ok(ControlFlow::Continue(()))
    })
}

/// Copies the lengths of all rows in the order of their ids, so that each is written behind the last.
fn copy_lengths(
    (sides, side_table): (&[Connection], &str),
    (to, to_table): (&Connection, &str),
) -> rusqlite::Result<()> {
    let sql = format!("SELECT id, sz FROM {side_table}_docsize ORDER BY id");
    let mut statements = sides.iter().map(|side| side.prepare(&sql)).collect::<rusqlite::Result<Vec<_>>>()?;
    let mut sides = statements.iter_mut().map(|side| side.query([])).collect::<rusqlite::Result<Vec<_>>>()?;
    let mut next = sides.iter_mut().map(next_length).collect::<rusqlite::Result<Vec<_>>>()?;
    let mut insert = to.prepare(&format!("INSERT INTO {to_table}_docsize(id, sz) VALUES(?1, ?2)"))?;
    let first = |next: &[Option<(i64, Vec<u8>)>]| {
        let ids = next.iter().enumerate().filter_map(|(side, row)| Some((row.as_ref()?.0, side)));
        ids.min().map(|(_, side)| side)
    };
    while let Some(side) = first(&next) {
        let row = next_length(&mut sides[side])?;
        if let Some((id, lengths)) = std::mem::replace(&mut next[side], row) {
            insert.execute(params![id, lengths])?;
        }
    }
    Ok(())
}

fn next_length(rows: &mut Rows<'_>) -> rusqlite::Result<Option<(i64, Vec<u8>)>> {
    rows.next()?.map(|row| Ok((row.get(0)?, row.get(1)?))).transpose()
}

fn description_row(connection: &Connection, table: &str, id: i64) -> rusqlite::Result<Vec<u8>> {
    connection.one(&format!("SELECT block FROM {table}_data WHERE id = ?1"), [id], |row| row.get(0))
}

/// The first four bytes of a structure: the version of the settings of its table.
fn cookie(structure: &[u8]) -> rusqlite::Result<[u8; 4]> {
    structure.first_chunk().copied().ok_or_else(unreadable)
}

impl IndexDescription {
    fn read(connection: &Connection, table: &str) -> rusqlite::Result<IndexDescription> {
        let averages = description_row(connection, table, AVERAGES_ROW)?;
        let structure = description_row(connection, table, STRUCTURE_ROW)?;
        IndexDescription::parse(&averages, &structure).ok_or_else(unreadable)
    }

    fn parse(averages: &[u8], structure: &[u8]) -> Option<IndexDescription> {
        let mut averages = Numbers(averages);
        // An index that never had a row has no averages.
        let (rows, tokens) = (averages.next().unwrap_or(0), averages.next().unwrap_or(0));
        let mut numbers = Numbers(structure.get(4..).filter(|rest| !rest.starts_with(&STRUCTURE_V2))?);
        let (levels, count, _writes) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let mut segments = Vec::new();
        for _ in 0..levels {
            let (_merging, on_level) = (numbers.next()?, numbers.next()?);
            for _ in 0..on_level {
                let (number, first_page, last_page) = (numbers.next()?, numbers.next()?, numbers.next()?);
                segments.push(Segment { number, first_page, last_page });
            }
        }
        (segments.len() as u64 == count).then_some(IndexDescription { rows, tokens, segments })
    }

    fn averages(&self) -> Vec<u8> {
        let mut block = Vec::new();
        push_number(&mut block, self.rows);
        push_number(&mut block, self.tokens);
        block
    }

    /// All segments on one level.
    fn structure(&self, cookie: [u8; 4]) -> Vec<u8> {
        let mut block = cookie.to_vec();
        let count = self.segments.len() as u64;
        let levels = if count == 0 { 0 } else { LARGE_SEGMENT_LEVEL as u64 + 1 };
        // Levels, segments, pages written so far.
        [levels, count, 0].into_iter().for_each(|number| push_number(&mut block, number));
        for level in 0..levels {
            let is_last = level + 1 == levels;
            // Segments of a merge that is not finished, and all segments.
            [0, if is_last { count } else { 0 }]
                .into_iter()
                .for_each(|number| push_number(&mut block, number));
        }
        for segment in &self.segments {
            let Segment { number, first_page, last_page } = *segment;
            [number, first_page, last_page].into_iter().for_each(|number| push_number(&mut block, number));
        }
        block
    }
}

/// The numbers of a record, as SQLite writes them: seven bits in a byte, the highest first, a ninth byte with eight bits.
struct Numbers<'b>(&'b [u8]);

impl Iterator for Numbers<'_> {
    type Item = u64;

    /// `None` at the end of the record, or within a number that is cut off.
    fn next(&mut self) -> Option<u64> {
        let mut number = 0;
        for at in 0..9 {
            let byte = *self.0.get(at)?;
            if at == 8 {
                self.0 = &self.0[9..];
                return Some(number << 8 | u64::from(byte));
            }
            number = number << 7 | u64::from(byte & 0x7F);
            if byte & 0x80 == 0 {
                self.0 = &self.0[at + 1..];
                return Some(number);
            }
        }
        None
    }
}

/// Numbers here are counts, far below 2^56, and need at most eight bytes.
fn push_number(block: &mut Vec<u8>, number: u64) {
    let bytes = (64 - number.leading_zeros()).div_ceil(7).max(1);
    for at in (0..bytes).rev() {
        let more = if at == 0 { 0 } else { 0x80 };
        block.push((number >> (7 * at)) as u8 & 0x7F | more);
    }
}

fn unreadable() -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(
        0,
        Type::Blob,
        "a record of a search table is not readable".into(),
    )
}

#[cfg(test)]
mod tests;
