//! Law 11: whoever replays the changes, from nothing or from a cursor that is still held, has what `export` prints.

use crate::editing::Editor;
use crate::http::Server;
use crate::support::{Dice, Workshop, kill, rounds, seed, start, with_seed};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const FLAGS: &[&str] =
    &["--chunk-size", "64", "--chunk-overlap", "8", "--threads", "2", "--allow-mass-deletion"];

/// A chunk at a place: SHA-256, document, first byte.
type Key = (String, String, u64);

/// The key of a row of the feed, or of a source with its chunk.
fn key(hash: &Value, place: &Value) -> Key {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(hash), text(&place["doc_uid"]), place["start"].as_u64().unwrap())
}

/// Everything that is known of a place.
fn facts(row: &Value) -> Value {
    let mut facts = row.clone();
    for name in ["op", "cursor", "content_hash", "content", "tokens", "tokenizer", "sources"] {
        facts.as_object_mut().unwrap().remove(name);
    }
    serde_json::json!([row["content"], row["tokens"], facts])
}

/// What `export` prints, by place.
fn exported(workshop: &Workshop) -> BTreeMap<Key, Value> {
    let printed = workshop.run(["export", "corpus.db"]).expect(0).stdout;
    let rows = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.flat_map(|row| {
        let sources = row["sources"].as_array().unwrap().clone();
        sources.into_iter().map(move |source| {
            let mut whole = source.clone();
            (whole["content"], whole["tokens"]) = (row["content"].clone(), row["tokens"].clone());
            (key(&row["content_hash"], &source), facts(&whole))
        })
    })
    .collect()
}

/// An index that follows a database.
struct Follower {
    places: BTreeMap<Key, Value>,
    cursor: String,
    /// How often it had to begin again.
    restarts: usize,
}

impl Follower {
    fn new() -> Follower {
        Follower { places: BTreeMap::new(), cursor: "0".to_owned(), restarts: 0 }
    }

    /// Replays what has happened, in pages of this many rows. Returns the number of rows, and begins again where the
    /// cursor is too old.
    fn follow(&mut self, workshop: &Workshop, limit: usize) -> usize {
        let mut count = 0;
        loop {
            let page = limit.to_string();
            let ran =
                workshop.run(["changes", "corpus.db", "--since", self.cursor.as_str(), "--limit", &page]);
            let rows: Vec<Value> =
                ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let (last, rows) = rows.split_last().unwrap_or_else(|| panic!("{}", ran.stderr));
            assert!(rows.len() <= limit, "{} rows, {limit} wanted", rows.len());
            rows.iter().for_each(|row| self.apply(row));
            count += rows.len();
            if last["op"] == "expired" {
                assert_eq!(ran.code, Some(1));
                *self = Follower { restarts: self.restarts + 1, ..Follower::new() };
                continue;
            }
            assert_eq!((&last["op"], ran.code), (&Value::from("end"), Some(0)));
            self.cursor = last["cursor"].as_str().unwrap().to_owned();
            if last["more"] != true {
                return count;
            }
        }
    }

    /// The places that differ from what `export` prints: the first few, each as it is known and as it is.
    fn differences(&self, state: &BTreeMap<Key, Value>) -> Vec<String> {
        let keys: BTreeSet<&Key> = self.places.keys().chain(state.keys()).collect();
        let differing = keys.into_iter().filter(|key| self.places.get(*key) != state.get(*key));
        let shown = differing.take(3);
        let told = |facts: Option<&Value>| facts.map_or("nothing".to_owned(), |facts| facts[2].to_string());
        shown.map(|key| format!("{}\n not {}", told(self.places.get(key)), told(state.get(key)))).collect()
    }

    fn apply(&mut self, row: &Value) {
        let key = key(&row["content_hash"], row);
        match row["op"].as_str().unwrap() {
            "upsert" => self.places.insert(key, facts(row)),
            "delete" => self.places.remove(&key),
            other => panic!("{other}"),
        };
        // The cursor of any row may be given.
        self.cursor = row["cursor"].as_str().unwrap().to_owned();
    }
}

#[test]
fn a_follower_has_what_export_prints_after_any_history() {
    for number in 0..rounds(3) as u64 {
        with_seed(seed() * 1000 + number, history);
    }
}

fn history(dice: &mut Dice) {
    let workshop = Workshop::new();
    let mut editor = Editor::new(workshop.tree());
    editor.furnish(dice, 20);
    workshop.ingest(FLAGS);
    let mut followers = vec![Follower::new()];
    for round in 0..12 {
        for _ in 0..dice.below(6) {
            editor.step(dice);
        }
        if dice.chance(20) {
            std::thread::sleep(Duration::from_millis(60));
            let child = start(&mut workshop.command(workshop.words(FLAGS)));
            std::thread::sleep(Duration::from_millis(dice.below(60) as u64));
            kill(child);
        }
        match dice.below(8) {
            0 => drop(workshop.run(["clean", "corpus.db", "--version", "clean_v0"]).expect(0)),
            1 => drop(workshop.run(["clean", "corpus.db", "--version", "clean_v1"]).expect(0)),
            _ => drop(workshop.ingest(FLAGS)),
        }
        let state = exported(&workshop);
        for follower in &mut followers {
            if dice.chance(60) || round == 11 {
                follower.follow(&workshop, [3, 40, 100_000][dice.below(3)]);
                let differences = follower.differences(&state);
                assert!(differences.is_empty(), "round {round}: {differences:#?} {:#?}", editor.diary);
            }
        }
        if followers.len() < 4 {
            followers.push(Follower::new());
        }
    }
}

#[test]
fn a_small_edit_is_a_few_rows() {
    let workshop = Workshop::new();
    for number in 0..40 {
        let text = format!("# Note {number}\n\n{}\n", format!("Words of note {number}. ").repeat(200));
        workshop.write(format!("{number}.md"), text);
    }
    workshop.ingest(FLAGS);
    let mut follower = Follower::new();
    let all = follower.follow(&workshop, 100_000);
    workshop.write("7.md", "# Note 7\n\nA short one now.\n");
    workshop.rename("8.md", "eight.md");
    workshop.write("copy.md", std::fs::read(workshop.tree().join("9.md")).unwrap());
    workshop.remove("10.md");
    workshop.ingest(FLAGS);
    let some = follower.follow(&workshop, 100_000);
    assert_eq!(follower.places, exported(&workshop));
    assert!(some * 8 < all, "{some} of {all}");
    assert_eq!(follower.follow(&workshop, 100_000), 0);
    workshop.ingest(FLAGS);
    assert_eq!(follower.follow(&workshop, 100_000), 0);
}

#[test]
fn a_forgotten_folder_is_deleted_row_by_row() {
    let workshop = Workshop::new();
    workshop.write("a.md", "# A\n\nOnly here.\n");
    std::fs::create_dir(workshop.path("second")).unwrap();
    std::fs::write(workshop.path("second/b.md"), "# B\n\nOnly there.\n").unwrap();
    std::fs::write(workshop.path("second/a.md"), "# A\n\nOnly here.\n").unwrap();
    workshop.ingest(FLAGS);
    workshop.ingest_root("second", FLAGS);
    let mut follower = Follower::new();
    follower.follow(&workshop, 1);
    workshop.run(["forget", "corpus.db", &workshop.tree().display().to_string()]).expect(0);
    follower.follow(&workshop, 1);
    assert_eq!(follower.places, exported(&workshop));
    assert_eq!(follower.places.len(), 2);
}

#[test]
fn old_cursors_expire_and_foreign_ones_are_refused() {
    let workshop = Workshop::new();
    workshop.write("a.md", "# A\n\nFirst.\n");
    workshop.ingest(FLAGS);
    let mut follower = Follower::new();
    follower.follow(&workshop, 100);
    let first = follower.cursor.clone();
    let with_journal = |runs: &str, text: &str| {
        workshop.write("a.md", format!("# A\n\n{text}\n"));
        let mut command = workshop.command(workshop.words(FLAGS));
        command.env("PENSIEVE_STORE_JOURNAL", runs);
        assert!(command.status().unwrap().success());
    };
    with_journal("2 runs", "Second.");
    let ran = workshop.run(["changes", "corpus.db", "--since", &first]).expect(0);
    assert_eq!(ran.stdout.lines().count(), 3, "{}", ran.stdout);
    with_journal("2 runs", "Third.");
    with_journal("2 runs", "Fourth.");
    let ran = workshop.run(["changes", "corpus.db", "--since", &first]).expect(1);
    let row: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(row["op"], "expired");
    assert!(ran.stderr.contains("--since 0"), "{}", ran.stderr);
    workshop.run(["changes", "corpus.db", "--since", row["oldest"].as_str().unwrap()]).expect(0);
    let since_run = |run: &str| workshop.run(["changes", "corpus.db", "--since", run]);
    assert_eq!(since_run("4").expect(0).stdout.lines().count(), 1);
    assert_eq!(since_run("3").expect(0).stdout.lines().count(), 3);
    since_run("1").expect(1);
    assert!(since_run("5").expect(2).stderr.contains("no run 5"));
    assert!(since_run("yesterday").expect(2).stderr.contains("cursor"));
    follower.follow(&workshop, 100);
    assert_eq!(follower.places, exported(&workshop));
    let cursor = follower.cursor;
    std::fs::remove_file(workshop.database()).unwrap();
    std::thread::sleep(Duration::from_millis(5));
    workshop.ingest(FLAGS);
    since_run(&cursor).expect(1);
}

#[test]
fn the_api_answers_with_the_same_lines() {
    let workshop = Workshop::new();
    workshop.write("a.md", "# A\n\nFirst.\n\n# B\n\nSecond.\n");
    workshop.write("copy.md", "# A\n\nFirst.\n\n# B\n\nSecond.\n");
    workshop.ingest(FLAGS);
    let server = Server::start(&workshop, &["--show-paths"]);
    let printed = workshop.run(["changes", "corpus.db"]).expect(0).stdout;
    assert_eq!(server.get("/api/v3/changes?since=0").text(), printed);
    server.refuses("/api/v3/changes?since=c0-12345678", 410, "expired");
    server.refuses("/api/v3/changes?since=7", 400, "bad-parameter");
    server.refuses("/api/v3/changes?since=soon", 400, "bad-parameter");
    drop(server);
    let server = Server::start(&workshop, &[]);
    let body = server.get("/api/v3/changes?limit=1").text();
    let lines: Vec<Value> = body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["path"], &lines[1]["op"]), (&Value::from("a.md"), &Value::from("end")));
    assert_eq!(lines[0]["duplicates"][0]["path"], "copy.md");
}
