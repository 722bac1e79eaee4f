//! Builders that get rows in batches, lose some, fail or are not needed.

use super::*;
use crate::store::rows::sql::Queries;
use std::ops::ControlFlow;

/// A database with the two search tables of `texts`, the removed ones left out, built by `threads` threads; false if it was
/// left to the caller.
fn build_with(threads: usize, texts: &[String], removed: &[usize]) -> (Connection, bool) {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE TABLE chunks(chunk_id INTEGER PRIMARY KEY, content TEXT);
             CREATE VIRTUAL TABLE chunks_fts USING fts5(
               content, content=chunks, content_rowid=chunk_id, tokenize='unicode61 remove_diacritics 2');
             CREATE VIRTUAL TABLE chunks_fts_unspaced USING fts5(
               content, content='', tokenize='unicode61 remove_diacritics 2');
             CREATE VIRTUAL TABLE chunks_fts_parts USING fts5(
               content, content='', tokenize='unicode61 remove_diacritics 2');",
        )
        .unwrap();
    let mut builders = SearchBuilders::new(threads).unwrap();
    for (at, text) in texts.iter().enumerate() {
        let id = at as i64 + 1;
        builders.insert(id, text.clone());
        connection.run("INSERT INTO chunks(chunk_id, content) VALUES(?1, ?2)", params![id, text]).unwrap();
    }
    for at in removed {
        builders.remove(*at as i64 + 1, texts[*at].clone());
        connection.run("DELETE FROM chunks WHERE chunk_id = ?1", [*at as i64 + 1]).unwrap();
    }
    builders.finish_rows();
    let is_built = builders.take_over(&connection, &mut |_| {}).unwrap();
    if is_built {
        connection
            .execute_batch("INSERT INTO chunks_fts(chunks_fts, rank) VALUES('integrity-check', 1)")
            .unwrap();
    }
    (connection, is_built)
}

fn found(connection: &Connection, table: &str, query: &str) -> Vec<i64> {
    let mut ids = Vec::new();
    let sql = format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1 ORDER BY rowid");
    connection
        .each(&sql, [query], |row| {
            ids.push(row.get(0)?);
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    ids
}

/// Texts of several batches; every tenth is in a script without spaces.
fn texts() -> Vec<String> {
    let text = |n: usize| match n % 10 {
        0 => format!("第{n}章 漢字の文章"),
        _ => format!("number{n} {}", "words that fill a batch ".repeat(40)),
    };
    (0..2_000).map(text).collect()
}

#[test]
fn rows_are_found_whichever_builder_had_them() {
    let texts = texts();
    for threads in [2, 3, 16] {
        let (built, is_built) = build_with(threads, &texts, &[]);
        assert!(is_built);
        assert_eq!(found(&built, "chunks_fts", "words").len(), 1_800);
        assert_eq!(found(&built, "chunks_fts", "number777"), [778]);
        assert_eq!(found(&built, "chunks_fts_unspaced", "\"漢字\"").len(), 200);
    }
}

#[test]
fn removed_rows_are_not_found_however_long_ago_they_came() {
    let texts = texts();
    let removed = [0, 1, 10, 777, 1_000, 1_998, 1_999];
    let (built, is_built) = build_with(2, &texts, &removed);
    assert!(is_built);
    assert_eq!(found(&built, "chunks_fts", "number777"), [0_i64; 0]);
    assert_eq!(found(&built, "chunks_fts", "words").len(), 1_800 - 4);
    assert_eq!(found(&built, "chunks_fts_unspaced", "\"漢字\"").len(), 200 - 3);
}

#[test]
fn a_few_rows_are_left_to_the_caller() {
    assert!(!build_with(2, &texts()[..20], &[3]).1);
    assert!(SearchBuilders::new(1).is_none());
}

#[test]
fn what_a_builder_makes_of_a_load_that_ends_early_is_dropped() {
    let mut builders = SearchBuilders::new(2).unwrap();
    texts().into_iter().enumerate().for_each(|(at, text)| builders.insert(at as i64 + 1, text));
    drop(builders);
}

#[test]
fn a_builder_that_fails_leaves_the_tables_as_they_are() {
    let connection = Connection::open_in_memory().unwrap();
    let mut builders = SearchBuilders::new(2).unwrap();
    texts().into_iter().enumerate().for_each(|(at, text)| builders.insert(at as i64 + 1, text));
    // The same row twice is no failure for an index without text; a channel that is closed is one.
    builders.builders[1].sender = None;
    texts().into_iter().enumerate().for_each(|(at, text)| builders.insert(at as i64 + 3_001, text));
    builders.finish_rows();
    assert!(!builders.take_over(&connection, &mut |_| {}).unwrap());
}
