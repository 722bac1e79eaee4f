//! Several databases as one corpus: they answer as the database that a merge makes of them.

use crate::merging::{BOTH, two_shards};
use crate::search::QUERIES;
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

/// The words of a command over a database and its partitions.
fn words<'w>(command: &'w str, databases: &'w [String]) -> Vec<&'w str> {
    let mut words = vec![command, databases[0].as_str()];
    words.extend(databases[1..].iter().flat_map(|database| ["--partition", database.as_str()]));
    words
}

/// Fails unless the databases together answer as `merged.db`.
#[track_caller]
pub fn check_partitions(workshop: &Workshop, databases: &[String]) {
    let of_all = ["fingerprint", "--partitions"].into_iter().chain(databases.iter().map(String::as_str));
    let expected = workshop.fingerprint_of("merged.db");
    assert_eq!(workshop.run(of_all).expect(0).stdout.trim(), expected);
    let exported = workshop.run(words("export", databases)).expect(0).stdout;
    assert!(exported == workshop.run(["export", "merged.db"]).expect(0).stdout, "exports differ");
    check_parquet(workshop, databases);
    // Each answer begins with a catalogue; many partitions get some of the queries.
    for query in QUERIES.iter().chain(QUESTIONS).step_by(1 + databases.len() / 4) {
        let found = |words: Vec<&str>| {
            let flags = ["--limit", "40", "--context", "1", "--json"];
            let all = [&words, &flags[..], &query[1..], &["--", query[0]]].concat();
            workshop.run(all).expect(0).json()
        };
        let (found, expected) = (found(words("search", databases)), found(vec!["search", "merged.db"]));
        assert!(found == expected, "{query:?}: {found:#}\n{expected:#}");
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
    let note = "searched by words: vectors of several databases are not compared";
    assert_eq!(
        (&found["mode"], &found["notes"][0], &found["total"]),
        (&"words".into(), &note.into(), &4.into())
    );
    assert_eq!(workshop.run(words).expect(0).json()["notes"].as_array().unwrap().len(), 0);
}
