//! What the parser lets through is what SQLite takes, and highlights are where SQLite sees them.

use super::highlight::{self, SearchPhrase};
use crate::store::migrate;
use crate::store::query::{Query, Script, expression, parse};
use proptest::prelude::*;
use rusqlite::Connection;

/// Whatever the parser makes of a text, SQLite takes it.
#[test]
fn every_query_that_is_understood_is_a_valid_expression() {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate::migrate(&mut connection, migrate::DatabaseKind::Empty).unwrap();
    let ask = |text: &str| {
        let Ok(Query { expression: Some(tree), .. }) = parse(text) else { return };
        for (table, script) in [("chunks_fts", Script::Spaced), ("chunks_fts_unspaced", Script::Unspaced)] {
            let query = format!("SELECT count(*) FROM {table} WHERE {table} MATCH ?1");
            let asked = connection.query_row(&query, [expression(&tree, script)], |row| row.get::<_, i64>(0));
            assert!(asked.is_ok(), "{text:?}: {asked:?}");
        }
    };
    ask("^a NEAR b");
    ask(&"(a ".repeat(24));
    ask(&format!("{}a{}", "(x OR (y ".repeat(12), "))".repeat(12)));
    ask(&"word ".repeat(256));
    ask(&vec!["w"; 128].join(" OR "));
    ask(&vec!["w"; 128].join(" NOT "));
    let piece = prop::sample::select(vec![
        "a", "b*", "\"", "\"a b\"", "(", ")", "AND", "OR", "NOT", "NEAR", "NEAR(", "NEAR/2", ",", "5", ":",
        "path:", "heading:", "x:", "^", "^a", "*", "+", "-", "日本", "é", " ", "{", "}", "'", "\u{e34}", "ﬁ",
    ]);
    proptest!(|(pieces in prop::collection::vec((piece, prop::bool::ANY), 0..12))| {
        let text: String =
            pieces.iter().map(|(piece, glued)| format!("{piece}{}", if *glued { "" } else { " " })).collect();
        ask(&text);
    });
    proptest!(|(text in any::<String>())| ask(&text));
}

/// The highlighter finds what SQLite's own finds.
#[test]
fn highlights_are_those_of_the_table() {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate::migrate(&mut connection, migrate::DatabaseKind::Empty).unwrap();
    let piece = prop::sample::select(vec![
        "lamp", "Lamp", "fog", "fogs", "Größe", "GRÖSSE", "e\u{301}", " ", "-", ".", "_", "7", "Ж", "ñ", "×",
        "½", "\n",
    ]);
    let text = prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat());
    let query = prop::sample::select(vec![
        "lamp",
        "fog*",
        "\"lamp fog\"",
        "größe",
        "é",
        "ж",
        "n",
        "lamp fog NOT 7",
        "^lamp",
    ]);
    proptest!(|(text in text, query in query)| {
        let tree = parse(query).unwrap().expression.unwrap();
        connection.execute_batch("DELETE FROM chunks; INSERT INTO chunks_fts(chunks_fts) VALUES('delete-all')").unwrap();
        let insert = "INSERT INTO chunks(chunk_id, content_hash, content, estimated_tokens, tokenizer_model)
                      VALUES(1, 'h', ?1, 1, 't')";
        connection.execute(insert, [&text]).unwrap();
        connection.execute("INSERT INTO chunks_fts(rowid, content) VALUES(1, ?1)", [&text]).unwrap();
        let theirs: Vec<String> = connection
            .prepare("SELECT highlight(chunks_fts, 0, '⟦', '⟧') FROM chunks_fts WHERE chunks_fts MATCH ?1")
            .unwrap()
            .query_map([expression(&tree, Script::Spaced)], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let phrases: Vec<SearchPhrase> = tree.wanted_terms().into_iter().map(SearchPhrase::of).collect();
        let ranges = highlight::highlights(&text, &phrases);
        let ours = highlight::marked(&text, &ranges, (0, text.len()));
        prop_assert!(theirs.is_empty() || theirs == [ours.clone()], "{theirs:?} {ours:?}");
    });
}
