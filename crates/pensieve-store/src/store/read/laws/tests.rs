//! Each law detects its violation.

use crate::store::CorpusSettings;
use crate::store::testing::{corpus, execute};

#[track_caller]
fn check(change: &str, law: u8, expected: &str) {
    let store = corpus(&[("a.txt", &["one", "two"]), ("b.txt", &["one"]), ("c.txt", &["one"])]);
    assert_eq!(store.laws().violations().unwrap(), []);
    execute(&store, &format!("PRAGMA foreign_keys = 0; {change}"));
    let found = store.laws().violations().unwrap();
    let what: Vec<&str> = found.iter().map(|violation| violation.what.as_str()).collect();
    assert!(found.iter().any(|violation| violation.law == law && violation.what == expected), "{what:?}");
}

#[test]
fn broken_laws_are_found_by_sql_alone() {
    check(
        "DROP INDEX chunks_by_hash; UPDATE chunks SET content_hash = 'x'",
        2,
        "two chunks share a content_hash: 1, 2",
    );
    check("DELETE FROM chunk_sources WHERE chunk_id = 2", 6, "chunk without a source: 2");
    check(
        "UPDATE files SET processing_status = 'Error' WHERE file_id = 1",
        6,
        "source of a file that is not a living canonical one: /r/a.txt",
    );
    check(
        "UPDATE text_versions SET is_current = 0 WHERE file_id = 1",
        6,
        "processed file without a current clean text: /r/a.txt",
    );
    check(
        "INSERT INTO text_versions SELECT file_id, variant, 'clean_v2', 1, sha256, byte_length, char_length, 0, '[]',
             extractor, settings_hash, created_at, maps_sha256, review_counts, text_facts, tables FROM text_versions WHERE file_id = 1 AND variant = 'clean'",
        6,
        "two current versions of one text: /r/a.txt",
    );
    check(
        "DELETE FROM text_versions WHERE file_id = 1 AND variant = 'raw'",
        6,
        "text without its row in text_versions: /r/a.txt",
    );
    check(
        "UPDATE files SET is_canonical = 0 WHERE file_id = 1",
        6,
        "text of a file that is not a living canonical one: /r/a.txt",
    );
    let hash = pensieve_text::model::ContentHash::of(b"one").to_hex();
    check(
        "UPDATE files SET is_canonical = 1 WHERE file_id = 3",
        6,
        &format!("living files with one hash and not exactly one canonical file: {hash}"),
    );
    check(
        "UPDATE files SET duplicate_status = 'unique' WHERE file_id = 2",
        6,
        "duplicate columns that contradict the group: /r/b.txt",
    );
    check("DELETE FROM files WHERE file_id = 1", 6, "PRAGMA foreign_key_check: text_versions");
}

#[test]
fn the_larger_chunk_size_holds_until_a_run_has_ended() {
    let store = corpus(&[("a.txt", &["one"])]);
    assert_eq!(store.laws().max_chunk_tokens().unwrap(), None);
    let settings = CorpusSettings {
        tokenizer: "cl100k_base".to_owned(),
        chunk_size: 100,
        chunk_overlap: 0,
        clean_version: "clean_v1".to_owned(),
        is_pinned: false,
    };
    store.meta().set_corpus_settings(&settings).unwrap();
    assert_eq!(store.laws().max_chunk_tokens().unwrap(), Some(100));
    store.runs().begin("/r", "{}").unwrap();
    assert_eq!(store.laws().max_chunk_tokens().unwrap(), Some(512));
    store.meta().set_corpus_settings(&CorpusSettings { chunk_size: 600, ..settings }).unwrap();
    assert_eq!(store.laws().max_chunk_tokens().unwrap(), Some(600));
}

#[test]
fn places_come_in_order_after_the_last_one() {
    let store = corpus(&[("a.txt", &["one", "two", "three"]), ("b.txt", &["four"])]);
    let page = |after, limit| {
        let rows = store.laws().chunks_after(1, after, limit).unwrap();
        rows.into_iter().map(|row| row.content).collect::<Vec<_>>()
    };
    assert_eq!(page((0, -1), 9), ["one", "two", "three"]);
    assert_eq!(page((0, 1), 1), ["two"]);
    assert_eq!(page((4, 2), 9), ["three"]);
    let first = store.laws().chunks_after(1, (0, -1), 1).unwrap().remove(0);
    assert_eq!(
        (first.start, first.end, first.source, first.tokenizer.as_str()),
        (0, 3, Some((0, 3, true)), "cl100k_base")
    );
    let mut chunks = Vec::new();
    store
        .laws()
        .each_chunk(1..=i64::MAX, &mut |id, _, content, tokens, _| {
            chunks.push(format!("{id} {content} {tokens}"))
        })
        .unwrap();
    assert_eq!(chunks, ["1 one 1", "2 two 1", "3 three 1", "4 four 1"]);
    assert_eq!(store.laws().processed_files(0).unwrap().len(), 2);
}
