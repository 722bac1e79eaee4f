//! Several databases as one corpus: they answer as the database that a merge makes of them.

use crate::changes::words;
use crate::merging::{BOTH, two_shards};
use crate::search::{QUERIES, without_tables};
use crate::support::Workshop;
use std::fs;

/// Questions, which are ranked in their own way.
const QUESTIONS: &[&[&str]] = &[
    &["lantern harbour keeper"],
    &["the keepers lanterns of winter storms"],
    &["lantren harbuor"],
    &["lantern unheardofword", "--match", "any"],
    &["日本語 lantern storm"],
    &["nothingofthekind"],
    &["path:*.md"],
    &["lantern", "--path", "nowhere/**"],
];

/// Fails unless the databases together answer as `merged.db`.
#[track_caller]
pub fn check_partitions(workshop: &Workshop, databases: &[String]) {
    let of_all = ["fingerprint", "--partitions"].into_iter().chain(databases.iter().map(String::as_str));
    let expected = workshop.fingerprint_of("merged.db");
    assert_eq!(workshop.run(of_all).expect(0).stdout.trim(), expected);
    let exported = workshop.run(words("export", databases)).expect(0).stdout;
    assert!(exported == workshop.run(["export", "merged.db"]).expect(0).stdout, "exports differ");
    check_parquet(workshop, databases);
    check_answers(workshop, databases);
    // Each answer begins with a catalogue; many partitions get some of the queries.
    for query in QUERIES.iter().chain(QUESTIONS).step_by(1 + databases.len() / 4) {
        let found = |words: Vec<&str>| {
            let flags = ["--limit", "40", "--context", "1", "--json"];
            let all = [&words, &flags[..], &query[1..], &["--", query[0]]].concat();
            without_tables(workshop.run(all).expect(0).json())
        };
        let (found, expected) = (found(words("search", databases)), found(vec!["search", "merged.db"]));
        assert!(found == expected, "{query:?}: {found:#}\n{expected:#}");
    }
}

/// Packs, counts, citations and texts.
#[track_caller]
fn check_answers(workshop: &Workshop, databases: &[String]) {
    let merged = ["merged.db".to_owned()];
    let same = |command: &str, rest: &[&str]| {
        let [found, expected] = [databases, &merged].map(|databases| {
            let ran = workshop.run(words(command, databases).iter().chain(rest));
            let stdout = match rest.contains(&"--json") && ran.code == Some(0) {
                true => without_tables(ran.json()).to_string(),
                false => ran.stdout,
            };
            (ran.code, stdout)
        });
        assert!(found == expected, "{command} {rest:?}: {found:?}\n{expected:?}");
        found.1
    };
    same("pack", &["--budget", "900", "--format", "json", "lantern harbour keeper"]);
    let counts = |databases: &[String]| {
        let mut counts = workshop.run(words("stats", databases).iter().chain(&["--json"])).expect(0).json();
        counts
            .as_object_mut()
            .unwrap()
            .retain(|key, _| !["database_bytes", "last_run"].contains(&key.as_str()));
        counts
    };
    assert_eq!(counts(databases), counts(&merged));
    let found = same("search", &["--json", "--limit", "3", "--expand", "section", "lantern"]);
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    for hit in found["hits"].as_array().unwrap() {
        let source = &hit["sources"][0];
        same("cite", &["--json", source["citation"].as_str().unwrap()]);
        same("text", &["--json", source["path"].as_str().unwrap()]);
    }
}

#[track_caller]
fn check_parquet(workshop: &Workshop, databases: &[String]) {
    let parquet = |words: Vec<&str>, out: &str| {
        let flags = ["--format", "parquet", "--part-size", "20000", "--out", out];
        workshop.run(words.into_iter().chain(flags)).expect(0);
        let entries = fs::read_dir(workshop.path(out)).unwrap().map(Result::unwrap);
        let mut files: Vec<_> =
            entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect();
        files.sort();
        fs::remove_dir_all(workshop.path(out)).unwrap();
        files
    };
    let merged = parquet(vec!["export", "merged.db"], "of-merged");
    assert!(parquet(words("export", databases), "of-parts") == merged, "Parquet files differ");
}

#[test]
fn databases_that_do_not_fit_are_refused() {
    let workshop = two_shards([&[], &["--chunk-size", "100"]]);
    let ran = workshop.run(["fingerprint", "--partitions"].iter().chain(BOTH)).expect(4);
    assert!(ran.stderr.contains("chunk_size 512 and 100"), "{}", ran.stderr);
    let ran = workshop.run(["export", BOTH[0], "--partition", BOTH[0]]).expect(4);
    assert!(ran.stderr.contains("both have `a.txt`") && ran.stdout.is_empty(), "{}", ran.stderr);
    let ran = workshop.run(["fingerprint", BOTH[0], BOTH[1]]).expect(2);
    assert!(ran.stderr.contains("hint: add --partitions"), "{}", ran.stderr);
}

#[test]
fn what_needs_one_database_is_refused() {
    let workshop = two_shards([&[], &[]]);
    fs::write(workshop.path("q.jsonl"), r#"{"id":"1","question":"words","answers":[{"path":"a.txt"}]}"#)
        .unwrap();
    let refused = |words: &[&str], said: &str| {
        let ran = workshop.run(words.iter().chain(&["--partition", BOTH[1]])).expect(2);
        assert!(ran.stderr.contains(said) && ran.stderr.contains("hint: leave out"), "{}", ran.stderr);
    };
    refused(
        &["eval", BOTH[0], "q.jsonl", "--mode", "words", "--set-mode"],
        "a mode is stored in one database",
    );
}

#[test]
fn nothing_is_left_and_order_is_that_of_the_roots() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "The same words.\n");
    fs::create_dir(workshop.path("other")).unwrap();
    fs::write(workshop.path("other/b.txt"), "The same words.\n").unwrap();
    fs::create_dir(workshop.path("temporary")).unwrap();
    workshop.run(["ingest", "tree", "one.db"]).expect(0);
    workshop.run(["ingest", "other", "two.db"]).expect(0);
    for databases in [["one.db", "two.db"], ["two.db", "one.db"]] {
        workshop.run(["merge", "merged.db"].iter().chain(&databases)).expect(0);
        check_partitions(&workshop, &databases.map(str::to_owned));
        fs::remove_file(workshop.path("merged.db")).unwrap();
    }
    let mut command = workshop.command(["export", "one.db", "--partition", "two.db"]);
    let ran = crate::support::ran(command.env("SQLITE_TMPDIR", workshop.path("temporary"))).expect(0);
    assert_eq!(ran.stdout.lines().count(), 1);
    assert_eq!(fs::read_dir(workshop.path("temporary")).unwrap().count(), 0);
}

#[test]
fn a_search_by_words_says_so_where_the_configuration_wants_vectors() {
    let workshop = two_shards([&[], &[]]);
    fs::write(workshop.path("hybrid.toml"), "[search]\nmode = \"hybrid\"\n").unwrap();
    let words = ["search", BOTH[0], "words", "--partition", BOTH[1], "--json"];
    let found = workshop.run(words.iter().chain(&["--config", "hybrid.toml"])).expect(0).json();
    let note = "searched by words: built-in default: `embedding.endpoint` is empty";
    assert_eq!(
        (&found["mode"], &found["notes"][0], &found["total"]),
        (&"words".into(), &note.into(), &4.into())
    );
    assert_eq!(workshop.run(words).expect(0).json()["notes"].as_array().unwrap().len(), 0);
}
