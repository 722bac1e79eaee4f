//! Each kind of violation is found.

use super::*;
use crate::store::testing::{add, execute, read, rewrite_digests, run as write_run, store};
use crate::store::{CorpusSettings, Outcome};
use pensieve_text::model::ProgressEvent;
use pensieve_text::text::tokens::Tokenizer;

/// Ignores events; `true` interrupts the work.
struct Silent(bool);

impl Observer for Silent {
    fn on_event(&self, _event: &ProgressEvent<'_>) {}

    fn interrupted(&self) -> bool {
        self.0
    }
}

/// Two files with correct counts of tokens.
fn corpus() -> Store {
    let mut store = store();
    write_run(&mut store, |writer| {
        for (path, chunks) in [("a.txt", ["one two", "three"]), ("b.txt", ["four", "five"])] {
            let file_id = add(writer, path, &chunks.join("\n"));
            read(writer, file_id, &chunks, Outcome::default());
        }
    });
    let mut counter = Tokenizer::named("cl100k_base").map(Tokenizer::counter).unwrap();
    for content in ["one two", "three", "four", "five"] {
        let tokens = counter.count(content);
        execute(
            &store,
            &format!("UPDATE chunks SET estimated_tokens = {tokens} WHERE content = '{content}'"),
        );
    }
    let settings = CorpusSettings {
        tokenizer: "cl100k_base".to_owned(),
        chunk_size: 4,
        chunk_overlap: 0,
        clean_version: "clean_v1".to_owned(),
        is_pinned: false,
    };
    store.meta().set_corpus_settings(&settings).unwrap();
    rewrite_digests(&store);
    store
}

fn violations(store: &Store, observer: &Silent) -> (VerifyReport, Vec<String>) {
    let mut found = Vec::new();
    let report = run(store, ProofScope::UnchangedSources, observer, &mut |violation| {
        found.push(format!("{}: {}", violation.law, violation.what))
    });
    (report.unwrap(), found)
}

#[test]
fn a_valid_corpus_is_counted() {
    let store = corpus();
    let expected =
        VerifyReport { files: 2, chunks: 4, sources: 4, cited: 4, exact: 4, ..VerifyReport::default() };
    assert_eq!(violations(&store, &Silent(false)), (expected.clone(), Vec::new()));
    let interrupted = VerifyReport { chunks: 4, ..VerifyReport::default() };
    assert_eq!(violations(&store, &Silent(true)), (interrupted, Vec::new()));
    execute(
        &store,
        "UPDATE chunk_sources SET source_exact = 0 WHERE chunk_id = 1; UPDATE chunk_sources SET source_start = NULL WHERE chunk_id = 2",
    );
    let (report, found) = violations(&store, &Silent(false));
    assert_eq!(report, VerifyReport { cited: 3, exact: 2, violations: 1, ..expected });
    assert_eq!(found, ["7: a.txt: not as its digest says: the places of its chunks"]);
}

#[track_caller]
fn check(change: &str, expected: &[&str]) {
    let store = corpus();
    execute(&store, change);
    let (report, mut found) = violations(&store, &Silent(false));
    assert_eq!(report.violations as usize, found.len());
    found.retain(|violation| is_no_digest(violation));
    assert_eq!(found, expected);
}

/// Digests have tests of their own: any change of a row violates them too.
fn is_no_digest(violation: &str) -> bool {
    !violation.starts_with("7: ")
}

#[test]
fn chunks_with_false_columns_are_found() {
    check(
        "UPDATE chunks SET content_hash = 'x' WHERE chunk_id = 3",
        &["2: chunk 3: content_hash is not the hash of its content"],
    );
    check(
        "UPDATE chunks SET estimated_tokens = 3 WHERE chunk_id = 3",
        &["3: chunk 3: 3 tokens stored, 1 counted"],
    );
    check(
        "UPDATE chunks SET tokenizer_model = 'x' WHERE chunk_id = 3",
        &["3: chunk 3: unknown tokenizer `x`"],
    );
    check("UPDATE meta SET value = 1 WHERE key = 'chunk_size'", &["3: chunk 1: 2 tokens, above chunk_size"]);
    check("UPDATE meta SET value = 2 WHERE key = 'chunk_size'", &[]);
}

#[test]
fn places_that_do_not_cover_the_text_are_found() {
    check(
        "UPDATE chunk_sources SET start_index = 1 WHERE chunk_id = 1",
        &["1: a.txt: bytes 1..7 are not chunk 1", "4: a.txt: bytes 0..1 are in no chunk"],
    );
    check(
        "UPDATE chunk_sources SET end_index = 6 WHERE chunk_id = 1",
        &["1: a.txt: bytes 0..6 are not chunk 1", "4: a.txt: bytes 6..8 are in no chunk"],
    );
    check(
        "UPDATE chunk_sources SET end_index = 99 WHERE chunk_id = 2",
        &[
            "4: a.txt: text after byte 7 is in no chunk",
            "1: a.txt: a chunk ends at byte 99, after the end of the text",
        ],
    );
    check(
        "UPDATE chunk_sources SET context = 'a b c d' WHERE chunk_id = 2",
        &["3: a.txt: chunk 2 with its context has 5 tokens"],
    );
    check("UPDATE chunk_sources SET context = 'a b c' WHERE chunk_id = 2", &[]);
}

#[test]
fn texts_that_differ_from_their_version_are_found() {
    let expected = ["6: b.txt: clean_v1 is not what text_versions says"];
    let change =
        |set: &str| format!("UPDATE text_versions SET {set} WHERE file_id = 2 AND variant = 'clean'");
    check(&change("sha256 = 'x'"), &expected);
    check(&change("byte_length = 9"), &expected);
    check(&change("char_length = 9"), &expected);
    check(
        "UPDATE texts SET start_index = 1 WHERE file_id = 2 AND variant = 'raw'",
        &["6: b.txt: raw_v1 is not what text_versions says"],
    );
    check(
        "UPDATE texts SET char_start = 1 WHERE file_id = 2 AND variant = 'raw'",
        &["6: b.txt: raw_v1 is not what text_versions says"],
    );
    check(
        "UPDATE texts SET content = x'00' WHERE file_id = 2 AND variant = 'clean'",
        &["6: b.txt: the text of file 2 cannot be read"],
    );
}

/// Citations are compared only with sources that have not changed.
#[test]
fn citations_are_compared_with_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.txt");
    let bytes = "four\nfive";
    std::fs::write(&path, bytes).unwrap();
    let check = |change: &str, read: u64, expected: &[&str]| {
        let store = corpus();
        let at = format!(
            "UPDATE files SET full_filepath = '{}', inode = 0, device = 0 WHERE file_id = 2",
            path.display()
        );
        execute(&store, &at);
        let stat = std::fs::metadata(&path).unwrap();
        use std::os::unix::fs::MetadataExt;
        execute(
            &store,
            &format!("UPDATE files SET inode = {}, device = {} WHERE file_id = 2", stat.ino(), stat.dev()),
        );
        execute(&store, change);
        let (report, mut found) = violations(&store, &Silent(false));
        found.retain(|violation| is_no_digest(violation));
        assert_eq!(report.sources_read, read, "{change}");
        assert_eq!(found, expected, "{change}");
    };
    check("", 1, &[]);
    check(
        "UPDATE chunk_sources SET source_start = 1 WHERE chunk_id = 3",
        1,
        &["5: b.txt: source bytes 1..4 are not chunk 3"],
    );
    check("UPDATE chunk_sources SET source_start = 1, source_exact = 0 WHERE chunk_id = 3", 1, &[]);
    check(
        "UPDATE chunk_sources SET source_end = 99 WHERE chunk_id = 3",
        1,
        &["5: b.txt: chunk 3 cites bytes 0..99 of 9"],
    );
    check(
        "UPDATE chunk_sources SET source_start = 5 WHERE chunk_id = 3",
        1,
        &["5: b.txt: chunk 3 cites bytes 5..4 of 9"],
    );
    check("UPDATE files SET encoding = NULL WHERE file_id = 2", 0, &[]);
}
