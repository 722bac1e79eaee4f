//! `pensieve export --format parquet`: the rows of JSONL, the same bytes for the same tree, and never half an export.

use crate::http::Server;
use crate::support::{Dice, Ran, Workshop, interrupt, kill, rounds, seed, start, with_seed};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const SOURCE_KEYS: [&str; 12] = [
    "path",
    "relative_path",
    "doc_uid",
    "format",
    "heading_path",
    "locator",
    "start",
    "end",
    "source_start",
    "source_end",
    "source_exact",
    "context",
];

/// A workshop whose database has the fixtures: every format, copies, documents in documents.
fn fixtures() -> Workshop {
    let place = Workshop::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let words =
        ["ingest", fixtures.to_str().unwrap(), "corpus.db", "--chunk-size", "64", "--chunk-overlap", "8"];
    place.run(words).expect(0);
    place
}

fn export(place: &Workshop, database: &str, folder: &str, flags: &[&str]) -> Ran {
    let words = ["export", database, "--format", "parquet", "--out", folder];
    place.run(words.iter().chain(flags))
}

/// The files of an export, in order.
fn parts(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|name| name.extension().is_some_and(|extension| extension == "parquet"));
    names.sort();
    names
}

fn bytes(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let read = |path: PathBuf| (PathBuf::from(path.file_name().unwrap()), fs::read(&path).unwrap());
    parts(folder).into_iter().map(read).collect()
}

/// The rows of an export as JSON.
fn rows(folder: &Path) -> Vec<Value> {
    let part = |path: PathBuf| {
        let reader = SerializedFileReader::try_from(path.as_path()).unwrap();
        let rows = reader.get_row_iter(None).unwrap().map(|row| json_of(&Field::Group(row.unwrap())));
        rows.collect::<Vec<Value>>()
    };
    parts(folder).into_iter().flat_map(part).collect()
}

fn json_of(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(flag) => json!(flag),
        Field::Long(number) => json!(number),
        Field::Float(number) => json!(number),
        Field::Double(number) => json!(number),
        Field::Str(text) => json!(text),
        Field::Group(row) => {
            row.get_column_iter().map(|(name, field)| (name.clone(), json_of(field))).collect()
        }
        Field::ListInternal(list) => list.elements().iter().map(json_of).collect(),
        other => panic!("{other:?}"),
    }
}

/// The rows that JSONL has, with the columns of Parquet.
fn lines(place: &Workshop, flags: &[&str]) -> Vec<Value> {
    let printed = place.run(["export", "corpus.db"].iter().chain(flags)).expect(0).stdout;
    printed
        .lines()
        .map(|line| columns_of(&serde_json::from_str(line).unwrap(), flags.contains(&"--vectors")))
        .collect()
}

fn columns_of(line: &Value, with_vectors: bool) -> Value {
    let picked = |value: &Value, keys: &[&str]| -> Map<String, Value> {
        keys.iter().map(|key| ((*key).to_owned(), value[*key].clone())).collect()
    };
    let sources = line["sources"].as_array().unwrap().iter().map(|source| {
        let mut source = picked(source, &SOURCE_KEYS);
        source.entry("locator").and_modify(|place| {
            if !place.is_null() {
                *place = json!(place.to_string());
            }
        });
        Value::Object(source)
    });
    let mut row = picked(
        line,
        &[
            "content_hash",
            "text",
            "tokens",
            "tokenizer",
            "repeats",
            "repeats_of",
            "near",
            "near_to",
            "weight",
        ],
    );
    row.insert("sources".to_owned(), sources.collect());
    if with_vectors {
        // serde_json reads numbers of 64 bits with an error in the last place.
        let number = |number: &Value| json!(number.as_f64().unwrap() as f32);
        let vector = line["vector"].as_array().map(|vector| vector.iter().map(number).collect::<Value>());
        row.insert("vector".to_owned(), json!(vector));
    }
    Value::Object(row)
}

#[track_caller]
fn check_equal(found: &[Value], expected: &[Value]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found, expected);
    }
}

#[test]
fn the_rows_are_those_of_jsonl_in_one_file_or_in_many() {
    let place = fixtures();
    let expected = lines(&place, &[]);
    assert!(
        expected
            .iter()
            .any(|row| row["sources"][0]["locator"].as_str().is_some_and(|text| text.starts_with('{')))
    );
    export(&place, "corpus.db", "one", &[]).expect(0);
    assert_eq!(bytes(&place.path("one")).len(), 1);
    check_equal(&rows(&place.path("one")), &expected);
    place.run(["repeats", "corpus.db"]).expect(0);
    let expected = lines(&place, &[]);
    assert!(expected.iter().all(|row| row["repeats"].is_number()));
    export(&place, "corpus.db", "one", &[]).expect(0);
    check_equal(&rows(&place.path("one")), &expected);
    let summary = export(&place, "corpus.db", "many", &["--part-size", "16 KiB", "--json"]).expect(0).json();
    let files = bytes(&place.path("many"));
    assert!(files.len() > 3, "{summary}");
    assert_eq!(files[1].0, Path::new("part-0001.parquet"));
    assert!(files.iter().all(|(_, bytes)| bytes.len() < 64 << 10));
    let size: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    assert_eq!((&summary["rows"], &summary["bytes"]), (&json!(expected.len()), &json!(size)));
    assert_eq!(summary["files"].as_array().unwrap().len(), files.len());
    check_equal(&rows(&place.path("many")), &expected);
    // Some files only.
    let flags = ["--path", "prose/**"];
    export(&place, "corpus.db", "some", &flags).expect(0);
    let some = lines(&place, &flags);
    assert!(!some.is_empty() && some.len() < expected.len());
    check_equal(&rows(&place.path("some")), &some);
}

#[test]
fn an_empty_corpus_is_one_file_without_rows() {
    let place = Workshop::new();
    place.ingest(&[]);
    export(&place, "corpus.db", "out", &[]).expect(0);
    assert_eq!((parts(&place.path("out")).len(), rows(&place.path("out")).len()), (1, 0));
}

#[test]
fn the_same_tree_gives_the_same_bytes_after_any_history() {
    for number in 0..rounds(3) as u64 {
        with_seed(seed() * 1000 + number, history);
    }
}

const FLAGS: [&str; 5] = ["--chunk-size", "32", "--chunk-overlap", "4", "--allow-mass-deletion"];

/// Edits, new files, copies and deletions, with a run after each few. A file that is renamed keeps its `doc_uid`, which a
/// new database cannot know; so nothing is renamed.
fn history(dice: &mut Dice) {
    let place = Workshop::new();
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut number = 0;
    for round in 0..8 {
        let may_delete = dice.chance(50);
        for _ in 0..=dice.below(6) {
            number += 1;
            let names: Vec<String> = texts.keys().cloned().collect();
            let words = format!(
                "# Page {number}\n\n{}\n",
                format!("Line {} of {number}. ", dice.below(9)).repeat(dice.below(60))
            );
            match dice.below(6) {
                0 | 1 if !names.is_empty() => texts.entry(dice.pick(&names)).or_default().push_str(&words),
                2 if !names.is_empty() && may_delete => drop(texts.remove(&dice.pick(&names))),
                3 if !names.is_empty() && !may_delete => {
                    let copied = texts[&dice.pick(&names)].clone();
                    texts.insert(format!("{}/copy {number}.md", dice.below(3)), copied);
                }
                _ => drop(texts.insert(format!("{}/page {number}.md", dice.below(3)), words)),
            }
        }
        let _ = fs::remove_dir_all(place.tree());
        fs::create_dir(place.tree()).unwrap();
        texts.iter().for_each(|(name, text)| place.write(name, text));
        place.ingest(if round == 5 { &["--chunk-size", "64", "--allow-mass-deletion"] } else { &FLAGS });
    }
    place.clean_fingerprint(&FLAGS);
    let size = ["--part-size", "8 KiB"];
    for (database, folder) in [("corpus.db", "grown"), ("corpus.db", "again"), ("clean.db", "fresh")] {
        export(&place, database, folder, &size).expect(0);
    }
    let grown = bytes(&place.path("grown"));
    assert!(grown == bytes(&place.path("again")) && grown == bytes(&place.path("fresh")));
    check_equal(&rows(&place.path("grown")), &lines(&place, &[]));
}

#[test]
fn an_earlier_export_is_replaced_and_nothing_else() {
    let place = fixtures();
    export(&place, "corpus.db", "out", &["--part-size", "16 KiB"]).expect(0);
    fs::write(place.path("out/README.md"), "About this data.\n").unwrap();
    let many = bytes(&place.path("out"));
    export(&place, "corpus.db", "out", &[]).expect(0);
    assert!(many.len() > 1 && bytes(&place.path("out")).len() == 1 && place.path("out/README.md").exists());
    fs::create_dir(place.path("other")).unwrap();
    fs::write(place.path("other/part-0000.parquet"), "PAR1").unwrap();
    let refused = export(&place, "corpus.db", "other", &[]).expect(2);
    assert!(refused.stderr.contains("other/part-0000.parquet` is not of an earlier export"), "{refused:?}");
    assert_eq!(fs::read(place.path("other/part-0000.parquet")).unwrap(), b"PAR1");
    place.run(["export", "corpus.db", "--format", "parquet"]).expect(2);
    place.run(["export", "corpus.db", "--out", "elsewhere"]).expect(2);
    place.run(["export", "corpus.db", "--format", "parquet", "--out", "corpus.db"]).expect(4);
    export(&place, "corpus.db", "elsewhere", &["--vectors", "none"]).expect(4);
    assert!(!place.path("elsewhere").exists());
}

/// A corpus of which an export takes a moment, with an export of one row in `out`.
fn long_export() -> (Workshop, Vec<&'static str>) {
    let place = Workshop::new();
    for number in 0..400 {
        place.write(format!("{number}.md"), format!("Words of note {number}, and more.\n\n").repeat(40));
    }
    place.ingest(&FLAGS);
    export(&place, "corpus.db", "out", &["--path", "7.md"]).expect(0);
    let words = ["export", "corpus.db", "--format", "parquet", "--out", "out", "--part-size", "4 KiB"];
    (place, words.to_vec())
}

#[test]
fn a_killed_export_leaves_the_earlier_one_or_its_own() {
    let (place, words) = long_export();
    let earlier = bytes(&place.path("out"));
    place
        .run(["export", "corpus.db", "--format", "parquet", "--out", "whole", "--part-size", "4 KiB"])
        .expect(0);
    let whole = bytes(&place.path("whole"));
    assert!(whole.len() > 20);
    with_seed(seed(), |dice| {
        for _ in 0..rounds(12) {
            let child = start(&mut place.command(&words));
            std::thread::sleep(Duration::from_millis(dice.below(900) as u64));
            kill(child);
            let left = bytes(&place.path("out"));
            // Only a kill within the moment of the renames leaves fewer parts, all of them of one export.
            assert!(left == earlier || left == whole[..left.len()], "{} parts", left.len());
            if left != earlier {
                export(&place, "corpus.db", "out", &["--path", "7.md"]).expect(0);
            }
        }
    });
    place.run(&words).expect(0);
    assert!(bytes(&place.path("out")) == whole);
    assert_eq!(fs::read_dir(place.path("out")).unwrap().count(), whole.len());
}

#[test]
fn an_interrupted_export_leaves_no_trace() {
    let (place, words) = long_export();
    let earlier = bytes(&place.path("out"));
    let child = start(&mut place.command(&words));
    while fs::read_dir(place.path("out")).unwrap().count() < 3 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(interrupt(child), Some(130));
    assert!(bytes(&place.path("out")) == earlier);
    assert_eq!(fs::read_dir(place.path("out")).unwrap().count(), 1);
}

/// Gives every other chunk a vector.
fn add_vectors(place: &Workshop, dimensions: i64, is_native: bool) {
    let corpus = Connection::open(place.database()).unwrap();
    corpus
        .execute("INSERT INTO vector_models VALUES('words', ?1, ?2)", params![dimensions, is_native])
        .unwrap();
    for hash in place.rows("SELECT content_hash FROM chunks WHERE chunk_id % 2 = 0") {
        let first = f32::from(u8::from_str_radix(&hash[..2], 16).unwrap()) / 70.0;
        let vector: Vec<u8> =
            (0..dimensions).flat_map(|at| (first + at as f32 / 7.0).to_le_bytes()).collect();
        let sql = "INSERT INTO vectors VALUES(?1, 'words', ?2, 'f32', ?3, '2026-01-01T00:00:00.000Z', '')";
        corpus.execute(sql, params![hash, dimensions, vector]).unwrap();
    }
}

#[test]
fn vectors_come_with_the_chunks_that_have_one() {
    let place = fixtures();
    add_vectors(&place, 6, true);
    add_vectors(&place, 9, false);
    for (flags, dimensions) in
        [(&["--vectors", "words"][..], 6), (&["--vectors", "words", "--dimensions", "9"], 9)]
    {
        let expected = lines(&place, flags);
        let given = expected.iter().filter_map(|row| row["vector"].as_array());
        assert!(given.clone().all(|vector| vector.len() == dimensions));
        assert!(given.clone().count() > 10 && given.count() < expected.len());
        export(&place, "corpus.db", "out", flags).expect(0);
        check_equal(&rows(&place.path("out")), &expected);
    }
    let unknown = place.run(["export", "corpus.db", "--vectors", "words", "--dimensions", "7"]).expect(4);
    assert!(unknown.stderr.contains("words (6 dimensions), words (9 dimensions)"), "{unknown:?}");
}

#[test]
fn changes_bring_the_vectors_too() {
    let place = fixtures();
    add_vectors(&place, 6, true);
    let by_hash = |line: Value| (line["content_hash"].as_str().unwrap().to_owned(), line["vector"].clone());
    let exported = place.run(["export", "corpus.db", "--vectors", "words"]).expect(0).stdout;
    let exported = exported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let expected: BTreeMap<String, Value> = exported.map(by_hash).collect();
    let printed = place.run(["changes", "corpus.db", "--vectors", "words"]).expect(0).stdout;
    let upserts = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found: BTreeMap<String, Value> = upserts.filter(|line| line["op"] == "upsert").map(by_hash).collect();
    assert_eq!(found, expected);
    // The API gives the same in pages.
    let server = Server::start(&place, &["--show-paths"]);
    let (mut lines, mut since) = (Vec::new(), "0".to_owned());
    loop {
        let page =
            server.get(&format!("/api/v3/changes?since={since}&vectors=words&dimensions=6&limit=25")).text();
        lines.extend(page.lines().map(str::to_owned));
        let last: Value = serde_json::from_str(&lines.pop().unwrap()).unwrap();
        since = last["cursor"].as_str().unwrap().to_owned();
        if last["more"] != true {
            break;
        }
    }
    assert_eq!(lines.len() + 1, printed.lines().count());
    assert!(lines.iter().eq(printed.lines().take(lines.len())));
    server.refuses("/api/v3/changes?vectors=none", 400, "bad-parameter");
    let plain = place.run(["changes", "corpus.db"]).expect(0).stdout;
    assert!(!plain.contains("\"vector\""));
    place.run(["changes", "corpus.db", "--vectors", "none"]).expect(4);
}
