//! Segments of one index in another: records, ranks, later changes.

use super::*;

fn description(rows: u64, tokens: u64, segments: &[(u64, u64, u64)]) -> IndexDescription {
    let segments = segments
        .iter()
        .map(|(number, first_page, last_page)| Segment {
            number: *number,
            first_page: *first_page,
            last_page: *last_page,
        })
        .collect();
    IndexDescription { rows, tokens, segments }
}

#[test]
fn descriptions_are_read_as_they_are_written() {
    for described in [
        description(0, 0, &[]),
        description(1, 127, &[(1, 1, 1)]),
        description(128, 16_384, &[(1, 1, 9_000), (2, 1, 200), (3, 1, 70_000)]),
        description(u64::from(u32::MAX), 1 << 55, &[(2000, 1, u64::from(i32::MAX as u32))]),
    ] {
        let cookie = [0, 0, 0, 4];
        let structure = described.structure(cookie);
        assert_eq!(super::cookie(&structure).unwrap(), cookie);
        assert_eq!(IndexDescription::parse(&described.averages(), &structure), Some(described));
    }
}

#[test]
fn numbers_are_those_of_sqlite() {
    let read = |bytes: &[u8]| Numbers(bytes).collect::<Vec<_>>();
    assert_eq!(read(&[0, 1, 0x7F, 0x81, 0x00, 0xFF, 0x7F]), [0, 1, 127, 128, 16_383]);
    assert_eq!(read(&[0xFF; 9]), [u64::MAX]);
    assert_eq!(read(&[0x80; 9]), [0x80]);
    // A number that is cut off ends the record.
    assert_eq!(read(&[1, 0x81]), [1]);
    for number in [0, 1, 127, 128, 300, 16_383, 16_384, (1 << 56) - 1] {
        let mut block = Vec::new();
        push_number(&mut block, number);
        assert_eq!(read(&block), [number]);
    }
}

#[test]
fn records_of_another_kind_or_cut_off_are_refused() {
    let structure = description(1, 2, &[(1, 1, 1)]).structure([0; 4]);
    assert_eq!(IndexDescription::parse(&[1, 2], &structure[..structure.len() - 1]), None);
    assert_eq!(IndexDescription::parse(&[1, 2], &structure[..3]), None);
    let mut other = structure[..4].to_vec();
    other.extend(STRUCTURE_V2);
    other.extend(&structure[4..]);
    assert_eq!(IndexDescription::parse(&[1, 2], &other), None);
    assert!(cookie(&[0; 3]).is_err());
}

/// A search table as a database has it, over the chunks of the given texts.
fn external(texts: &[String]) -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE TABLE chunks(chunk_id INTEGER PRIMARY KEY, content TEXT);
             CREATE VIRTUAL TABLE f USING fts5(content, content='chunks', content_rowid='chunk_id');",
        )
        .unwrap();
    for text in texts {
        connection.run("INSERT INTO chunks(content) VALUES(?1)", [text]).unwrap();
    }
    connection
}

/// An index of the rows whose ids leave this rest, with the given number of segments.
fn side(texts: &[String], parts: usize, rest: usize, is_merged: bool) -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE VIRTUAL TABLE s USING fts5(content, content='');
             INSERT INTO s(s, rank) VALUES('automerge', 0);",
        )
        .unwrap();
    for (at, text) in texts.iter().enumerate().filter(|(at, _)| at % parts == rest) {
        // Each transaction makes a segment.
        connection.run("INSERT INTO s(rowid, content) VALUES(?1, ?2)", params![at as i64 + 1, text]).unwrap();
    }
    if is_merged {
        connection.execute_batch("INSERT INTO s(s) VALUES('optimize')").unwrap();
    }
    connection
}

fn ranks(connection: &Connection, query: &str) -> Vec<(i64, f64)> {
    let sql = "SELECT rowid, bm25(f) FROM f WHERE f MATCH ?1 ORDER BY rowid";
    connection.rows(sql, [query], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
}

fn check_index(connection: &Connection) {
    connection.execute_batch("INSERT INTO f(f, rank) VALUES('integrity-check', 1)").unwrap();
}

#[test]
fn an_index_of_several_is_that_of_all_rows() {
    let texts: Vec<String> =
        (0..60).map(|n| format!("word{} common text {} tail", n % 7, "again ".repeat(n % 5))).collect();
    let whole = external(&texts);
    whole.execute_batch("INSERT INTO f(f) VALUES('rebuild')").unwrap();
    let queries = ["common", "word3", "\"common text\"", "aga*", "word1 OR word2", "nothing"];
    for (parts, is_merged) in [(1, true), (3, true), (3, false), (2, false)] {
        let sides: Vec<Connection> = (0..parts).map(|rest| side(&texts, parts, rest, is_merged)).collect();
        let joined = external(&texts);
        // What it had before goes, and what FTS5 remembers of it.
        joined.execute_batch("INSERT INTO f(rowid, content) VALUES(900, 'common before')").unwrap();
        assert_eq!(ranks(&joined, "before").len(), 1);
        let defensive = rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE;
        joined.set_db_config(defensive, true).unwrap();
        let transaction = joined.unchecked_transaction().unwrap();
        take_over(&transaction, "f", (&sides, "s"), &mut |_| {}).unwrap();
        transaction.commit().unwrap();
        check_index(&joined);
        for query in queries {
            assert_eq!(ranks(&joined, query), ranks(&whole, query), "{query} in {parts}");
        }
        assert!(joined.db_config(defensive).unwrap());
    }
}

#[test]
fn an_index_that_was_taken_over_can_be_changed_and_merged() {
    let texts: Vec<String> = (0..40).map(|n| format!("text {n} of some words")).collect();
    let sides = [side(&texts, 2, 0, true), side(&texts, 2, 1, true)];
    let joined = external(&texts);
    take_over(&joined, "f", (&sides, "s"), &mut |_| {}).unwrap();
    for n in 40..80 {
        joined.run("INSERT INTO chunks(content) VALUES(?1)", [format!("text {n} later")]).unwrap();
        let sql = "INSERT INTO f(rowid, content) VALUES(?1, ?2)";
        joined.run(sql, params![n + 1, format!("text {n} later")]).unwrap();
    }
    joined.run("INSERT INTO f(f, rowid, content) VALUES('delete', 1, ?1)", [&texts[0]]).unwrap();
    joined.run("DELETE FROM chunks WHERE chunk_id = 1", []).unwrap();
    check_index(&joined);
    joined.execute_batch("INSERT INTO f(f) VALUES('optimize')").unwrap();
    check_index(&joined);
    assert_eq!((ranks(&joined, "some").len(), ranks(&joined, "later").len()), (39, 40));
}

#[test]
fn an_index_without_rows_is_empty() {
    let joined = external(&[]);
    joined.execute_batch("INSERT INTO f(rowid, content) VALUES(1, 'before')").unwrap();
    take_over(&joined, "f", (&[side(&[], 1, 0, true)], "s"), &mut |_| {}).unwrap();
    check_index(&joined);
    assert_eq!(ranks(&joined, "before"), []);
}
