//! SQLite accepts every query that the parser accepts, and highlights are where SQLite would put them.

mod questions;

use super::highlight::{self, SearchPhrase};
use super::{DocumentFilters, SearchOptions};
use crate::store::database::schema;
use crate::store::query::{Query, Script, expression, parse};
use crate::store::testing::{add, execute, read, run, store};
use crate::store::{Outcome, Store};
use pensieve_text::model::{ContentHash, SourceSpan};
use proptest::prelude::*;
use rusqlite::Connection;

/// Filters by path and by format.
fn narrowed(paths: &[&str], formats: &[&str]) -> DocumentFilters {
    let values = |name: &str| match name {
        "path" => paths.to_vec(),
        "format" => formats.to_vec(),
        _ => Vec::new(),
    };
    DocumentFilters::of(|filter| values(filter.name)).unwrap()
}

/// SQLite accepts whatever the parser makes of a text.
#[test]
fn every_query_that_is_understood_is_a_valid_expression() {
    let mut connection = Connection::open_in_memory().unwrap();
    schema::migrate(&mut connection, schema::DatabaseKind::Empty).unwrap();
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

/// The highlighter finds the same words as that of SQLite.
#[test]
fn highlights_are_those_of_the_table() {
    let mut connection = Connection::open_in_memory().unwrap();
    schema::migrate(&mut connection, schema::DatabaseKind::Empty).unwrap();
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

/// Files with headings, copies, members and scripts without spaces.
fn corpus() -> Store {
    let mut store = store();
    run(&mut store, |writer| {
        let files: [(&str, &[&str]); 5] = [
            ("docs/a.md", &["Guide > Install | lamp lamp fog", "Guide > Use | lamp", "horn"]),
            ("docs/b.txt", &["lamp oil", "Guide > Install | oil"]),
            ("old/c.txt", &["lamp of old times, with many other words in it"]),
            ("old/copy.txt", &["lamp oil", "Guide > Install | oil"]),
            ("z.txt", &["使用lamp库", "数据"]),
        ];
        for (path, chunks) in files {
            let file_id = add(writer, path, &chunks.join("\n"));
            read(writer, file_id, chunks, Outcome::default());
        }
    });
    execute(&store, "UPDATE files SET format = 'markdown' WHERE file_id = 1");
    store
}

fn options(query: &str) -> SearchOptions {
    SearchOptions { query: query.to_owned(), ..SearchOptions::default() }
}

fn contents(store: &Store, options: &SearchOptions) -> Vec<String> {
    store.search(options).unwrap().hits.into_iter().map(|hit| hit.content).collect()
}

#[test]
fn hits_come_by_rank_and_equal_ranks_by_hash() {
    let store = corpus();
    let found = store.search(&options("lamp")).unwrap();
    assert_eq!((found.total, found.hits[0].content.as_str()), (5, "lamp lamp fog"));
    assert!(found.hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert!(found.hits[0].score > found.hits[4].score);
    assert_eq!(found.hits[4].content, "lamp of old times, with many other words in it");
    let twice = found.hits.iter().find(|hit| hit.content == "lamp lamp fog").unwrap();
    assert_eq!(twice.highlights, [(0, 4), (5, 9)]);
    assert_eq!(
        (twice.snippet.as_str(), twice.marked_content()),
        ("⟦lamp⟧ ⟦lamp⟧ fog", twice.snippet.clone())
    );
    let same: Vec<String> = (0..9).map(|number| format!("word{number} equal")).collect();
    let chunks: Vec<&str> = same.iter().map(String::as_str).collect();
    let store = crate::store::testing::corpus(&[("a.txt", &chunks)]);
    let mut expected: Vec<&str> = chunks.clone();
    expected.sort_by_key(|content| ContentHash::of(content.as_bytes()).to_hex());
    for offset in 0..9 {
        let page = SearchOptions { offset, limit: 2, ..options("equal") };
        let end = (offset + 2).min(9);
        assert_eq!(contents(&store, &page), expected[offset..end], "{offset}");
    }
    assert_eq!(contents(&store, &SearchOptions { limit: 0, ..options("equal") }), [""; 0]);
    assert_eq!(store.search(&SearchOptions { offset: 20, ..options("equal") }).unwrap().total, 9);
}

#[test]
fn scripts_without_spaces_are_searched_letter_by_letter() {
    let store = corpus();
    let check =
        |query: &str, expected: &[&str]| assert_eq!(contents(&store, &options(query)), expected, "{query}");
    check("数据", &["数据"]);
    check("据数", &[]);
    check("\"使用lamp\"", &["使用lamp库"]);
    check("lamp NOT 使用 NOT fog NOT oil NOT old", &["lamp"]);
}

#[test]
fn a_heading_inside_of_a_short_note_is_found() {
    let store = crate::store::testing::corpus(&[
        ("a.md", &["# Doc\n\nintro\n\n## Kettle\n\nboil water"]),
        ("b.md", &["kettle\n\n```\n# kettle\n```\n"]),
        ("c.rs", &["# kettle"]),
    ]);
    execute(&store, "UPDATE files SET format = 'markdown' WHERE filename LIKE '%.md'");
    execute(&store, "UPDATE files SET format = 'rust' WHERE filename LIKE '%.rs'");
    let check =
        |query: &str, expected: &[&str]| assert_eq!(contents(&store, &options(query)), expected, "{query}");
    let note = "# Doc\n\nintro\n\n## Kettle\n\nboil water";
    check("heading:kettle", &[note]);
    check("water heading:doc heading:kettle", &[note]);
    check("kettle -heading:kettle -format:rust", &["kettle\n\n```\n# kettle\n```\n"]);
}

#[test]
fn filters_narrow_by_path_format_and_heading() {
    let store = corpus();
    let check = |query: &str, expected: &[&str]| {
        let mut found = contents(&store, &options(query));
        found.sort();
        assert_eq!(found, expected, "{query}");
    };
    check("lamp path:docs/", &["lamp", "lamp lamp fog", "lamp oil"]);
    check(
        "lamp path:docs/ path:old/c.txt",
        &["lamp", "lamp lamp fog", "lamp of old times, with many other words in it", "lamp oil"],
    );
    check("lamp -path:docs/", &["lamp of old times, with many other words in it", "lamp oil", "使用lamp库"]);
    check("lamp NOT path:!docs/", &["lamp", "lamp lamp fog", "lamp oil"]);
    check("lamp path:copy.txt", &["lamp oil"]);
    check("lamp format:markdown", &["lamp", "lamp lamp fog"]);
    check("lamp format:.MD", &["lamp", "lamp lamp fog"]);
    check("lamp -format:txt", &["lamp", "lamp lamp fog"]);
    check("lamp heading:install", &["lamp lamp fog"]);
    check("lamp -heading:guide -format:txt", &[]);
    check("oil -heading:guide", &["lamp oil"]);
    check("heading:install", &["lamp lamp fog", "oil"]);
    check("heading:guide heading:use", &["lamp"]);
    check("path:z.txt", &["使用lamp库", "数据"]);
    let fold = |kind: &str, content: &str| {
        let chosen = format!("chunk_id = (SELECT chunk_id FROM chunks WHERE content = '{content}')");
        let locator = format!("{{\"folded\":\"{kind}\",\"sheet\":\"S\"}}");
        execute(&store, &format!("UPDATE chunk_sources SET locator = '{locator}' WHERE {chosen}"));
    };
    fold("row", "horn");
    fold("sheet", "数据");
    check("folded:yes", &["horn", "数据"]);
    check("folded:row", &["horn"]);
    check("-folded:row folded:yes", &["数据"]);
    check("path:z.txt folded:no", &["使用lamp库"]);
    check("horn folded:no", &[]);
    check("horn folded:paper", &["horn"]);
    let by_options = SearchOptions { documents: narrowed(&["docs/**"], &["md"]), ..options("lamp") };
    assert_eq!(contents(&store, &by_options).len(), 2);
    // Without words, hits come in the order of paths and texts.
    assert_eq!(contents(&store, &options("path:docs/a.md")), ["lamp lamp fog", "lamp", "horn"]);
}

#[test]
fn a_hit_shows_the_places_that_were_asked_for_first() {
    let store = corpus();
    let places = |query: &str| {
        let found = store.search(&options(query)).unwrap();
        let place = &found.hits[0].sources[0];
        let copies: Vec<String> = place.duplicates.iter().map(|copy| copy.name.clone()).collect();
        (place.name.clone(), copies, found.hits[0].source_count)
    };
    assert_eq!(places("\"lamp oil\""), ("docs/b.txt".to_owned(), vec!["old/copy.txt".to_owned()], 1));
    assert_eq!(
        places("\"lamp oil\" path:old/"),
        ("old/copy.txt".to_owned(), vec!["docs/b.txt".to_owned()], 1)
    );
    let near = SearchOptions { context: 1, ..options("^lamp heading:use") };
    let hit = store.search(&near).unwrap().hits.remove(0);
    assert_eq!((hit.before, hit.after), (vec!["lamp lamp fog".to_owned()], vec!["horn".to_owned()]));
    let hit = store.search(&SearchOptions { context: 9, ..options("horn") }).unwrap().hits.remove(0);
    assert_eq!((hit.before, hit.after.len()), (vec!["lamp lamp fog".to_owned(), "lamp".to_owned()], 0));
    let hit = store.search(&options("horn")).unwrap().hits.remove(0);
    assert_eq!((hit.before.len(), hit.tokens), (0, 1));
    assert_eq!(hit.sources[0].at.source, Some(SourceSpan { start: 19, end: 23, exact: true }));
}

#[test]
fn of_several_places_the_one_under_the_heading_comes_first() {
    let mut store = store();
    run(&mut store, |writer| {
        for (path, chunks) in [("a.md", ["Install | fog lamp", "x"]), ("b.md", ["Use | fog lamp", "y"])] {
            let file_id = add(writer, path, &chunks.join("\n"));
            read(writer, file_id, &chunks, Outcome::default());
        }
    });
    let first = |query: &str| {
        let hit = store.search(&options(query)).unwrap().hits.remove(0);
        (hit.source_count, hit.sources[0].name.clone())
    };
    assert_eq!(first("\"fog lamp\""), (2, "a.md".to_owned()));
    assert_eq!(first("\"fog lamp\" heading:install"), (2, "a.md".to_owned()));
    assert_eq!(first("\"fog lamp\" heading:use"), (2, "b.md".to_owned()));
    assert_eq!(first("\"fog lamp\" -heading:install"), (2, "b.md".to_owned()));
}

#[test]
fn a_word_is_found_as_it_may_be_written_otherwise() {
    for (text, queries) in [
        ("the wi-fi password", &["wifi"][..]),
        ("uses Node.js here", &["nodejs"]),
        ("signed by the U.S.A.", &["USA"]),
        ("revenue of 1,234,567", &["1234567"]),
        ("a GTX1080 card", &["GTX 1080"]),
        ("sold 100 km of rope", &["100km"]),
        ("commit a1b2c3d4e5f60718", &["a1b2c3d"]),
        ("class XMLHttpRequestFactory", &["XMLHttpRequest"]),
        ("Größe zehn", &["groesse"]),
        ("Ёлка стоит", &["елка"]),
        ("Ο φάρος είναι", &["φαρος", "ΦΑΡΟΣ"]),
        ("أحمد هنا", &["احمد"]),
        ("الكتاب على", &["كتاب"]),
        ("an area of 10 m^2", &["m2", "m²"]),
    ] {
        let store = crate::store::testing::corpus(&[("a.txt", &[text, "other words"][..])]);
        for query in queries {
            assert_eq!(contents(&store, &options(query)), [text], "{query}");
        }
    }
}

#[test]
fn a_document_is_found_by_its_name_alone() {
    let files = [("acme/Quarterly Budget.txt", &["some words"][..]), ("b.txt", &["other words"][..])];
    let store = crate::store::testing::corpus(&files);
    assert_eq!(contents(&store, &options("quarterly budget")), ["some words"]);
    assert_eq!(contents(&store, &options("quarterly rent")), [""; 0]);
    assert_eq!(contents(&store, &options("budget path:b.txt")), [""; 0]);
}

#[test]
fn nothing_found_is_explained() {
    let store = corpus();
    let notes = |query: &str| {
        let found = store.search(&options(query)).unwrap();
        let notes = found.notes.iter().map(ToString::to_string);
        notes.filter(|note| !note.ends_with("narrows the whole search")).collect::<Vec<_>>()
    };
    let no_format =
        "no file with text has the format or extension `pdf`; the formats here are markdown, text";
    let no_path = "no file with text lies where the paths that are asked for say";
    assert_eq!(notes("lamp format:pdf"), [no_format]);
    assert_eq!(notes("lamp path:nowhere format:pdf format:md"), [no_format, no_path]);
    assert_eq!(notes("nothing path:docs/"), ["`nothing` does not occur"]);
    assert_eq!(notes("lamp path:docs/"), [""; 0]);
}

/// More matches than are checked one by one: the way over the files that are allowed, that over the others and that over the
/// places of the matches give the same result.
#[test]
fn many_matches_are_filtered_as_few_are() {
    let many: Vec<String> = (0..4_200).map(|number| format!("many {number}")).collect();
    let chunks: Vec<&str> = many.iter().map(String::as_str).collect();
    // One chunk is in two files.
    let files: Vec<(String, &[&str])> = (0..42)
        .map(|file| (format!("f{file}.txt"), &chunks[file * 100..(file * 100 + 101).min(4_200)]))
        .collect();
    let files: Vec<(&str, &[&str])> = files.iter().map(|(name, chunks)| (name.as_str(), *chunks)).collect();
    let store = crate::store::testing::corpus(&files);
    let check = |query: &str, total: usize| {
        assert_eq!(store.search(&options(query)).unwrap().total, total, "{query}");
    };
    check("many", 4_200);
    check("many path:f41.txt", 100);
    check("many path:f0.txt", 101);
    check("many path:f?.txt", 1_001);
    check("many -path:f0.txt", 4_100);
    check("many -path:f?.txt", 3_200);
    check("many path:c", 0);
    assert_eq!(contents(&store, &options("\"many 4150\" path:f41.txt")), ["many 4150"]);
}
