//! `eval`: questions with known answers, counted as they are found.

use crate::support::{Ran, Workshop};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const LAMP: &str = "# The lamp\n\nThe lamp was lit at seven minutes past six.\n\n# The fog\n\nA fog stood a mile outside the harbour.\n";
const KEEPER: &str = "Für das Öl der letzten Lieferung danke ich. Die Wärterin heißt Brandt.\n";

fn workshop() -> Workshop {
    let place = Workshop::new();
    place.write("lamp.md", LAMP);
    place.write("copy/lamp.md", LAMP);
    place.write("keeper.txt", KEEPER);
    place.write("leaflet.pdf", fs::read(fixture("office/leaflet.pdf")).unwrap());
    place.ingest(&["--chunk-size", "24", "--chunk-overlap", "0"]);
    place
}

fn fixture(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// Runs `eval` over these questions.
fn eval(place: &Workshop, questions: &[Value], flags: &[&str]) -> Ran {
    let lines: Vec<String> = questions.iter().map(Value::to_string).collect();
    fs::write(place.path("questions.jsonl"), lines.join("\n")).unwrap();
    place.run(["eval", "corpus.db", "questions.jsonl"].iter().chain(flags))
}

/// The bytes of some words of a text.
fn bytes(text: &str, words: &str) -> (usize, usize) {
    let start = text.find(words).unwrap();
    (start, start + words.len())
}

#[test]
fn answers_are_bytes_of_files_or_words_of_texts() {
    let place = workshop();
    let (start, end) = bytes(LAMP, "The lamp was lit at seven minutes past six.");
    let (from, to) = bytes(KEEPER, "Öl der letzten");
    let questions = [
        json!({"id": "a", "kind": "bytes", "question": "when was the lamp lit?", "path": "tree/copy/lamp.md", "start": start, "end": end}),
        json!({"id": "b", "kind": "bytes", "question": "Öl Lieferung", "path": "keeper.txt", "start": from, "end": to}),
        json!({"id": "c", "kind": "words", "question": "who plays for eleven minutes", "path": "leaflet.pdf", "text": "plays  for ELEVEN"}),
        json!({"id": "d", "kind": "words", "question": "who plays for eleven minutes", "path": "leaflet.pdf", "text": "plays  for **eleven**\nminutes"}),
        json!({"id": "e", "question": "harbour", "expected": [
            {"path": "copy/lamp.md", "text": "outside the harbour"}, {"path": "keeper.txt", "text": "Brandt"}]}),
        json!({"id": "f", "question": "harbour", "alternatives": [
            [{"path": "copy/lamp.md", "text": "outside the harbour"}], [{"path": "keeper.txt", "text": "Brandt"}]]}),
        json!({"id": "g", "question": "quartz xylophone", "path": "keeper.txt", "text": "Brandt"}),
    ];
    let result = eval(&place, &questions, &["--json", "--limit", "1,5"]).expect(1).json();
    assert_eq!(result["not_counted"], 1);
    assert_eq!(result["problems"][0]["id"], "c");
    let kind = |name: &str| {
        (result["kinds"][name]["questions"].clone(), result["kinds"][name]["recall"]["5"].clone())
    };
    assert_eq!((kind("bytes"), kind("words")), ((json!(2), json!(1.0)), (json!(1), json!(1.0))));
    assert_eq!(result["all"]["questions"], 6);
    assert_eq!(result["all"]["zero"], json!(0.1667));
    let (harbour, brandt) = ("outsidetheharbour".len() + 2, "Brandt".len());
    let half = harbour as f64 / (harbour + brandt) as f64;
    let expected = (((4.0 + half) / 6.0) * 10_000.0).round() / 10_000.0;
    assert_eq!(result["all"]["recall"]["5"], json!(expected));
    let each = eval(&place, &questions, &["--each", "--limit", "3"]).expect(1).stdout;
    let rows: Vec<Value> = each.lines().map_while(|line| serde_json::from_str(line).ok()).collect();
    assert_eq!((rows.len(), each.lines().count()), (7, 11));
    assert_eq!((&rows[0]["rank"], &rows[0]["recall"]), (&json!(1), &json!([1.0])));
    assert_eq!(rows[0]["hits"][0]["path"], "copy/lamp.md");
    assert!(rows[0]["hits"][0]["snippet"].as_str().unwrap().contains("[lamp]"), "{}", rows[0]);
    assert_eq!((&rows[6]["rank"], &rows[6]["total"]), (&Value::Null, &json!(0)));
    let narrowed = eval(&place, &questions[..1], &["--path", "keeper.txt"]).expect(0).stdout;
    assert!(narrowed.lines().nth(1).unwrap().contains("0.000"), "{narrowed}");
}

#[test]
fn questions_that_cannot_be_counted_are_reported_with_the_cure() {
    let place = workshop();
    place.write("empty.txt", "");
    place.ingest(&["--chunk-size", "24", "--chunk-overlap", "0"]);
    let span = |path: &str, start: usize, end: usize| json!({"id": "x", "question": "q", "path": path, "start": start, "end": end});
    let questions = [
        span("nowhere.md", 0, 5),
        span("leaflet.pdf", 0, 5),
        span("keeper.txt", 0, 5_000),
        span("empty.txt", 0, 1),
        json!({"id": "y", "question": "q", "path": "keeper.txt", "text": "words that nobody wrote into this file"}),
        json!({"question": "q"}),
        json!("x"),
    ];
    let ran = eval(&place, &questions, &[]).expect(1);
    let expected = [
        "line 1 (x): no file `nowhere.md`; give the path below the ingested folder",
        "line 2 (x): the text of `leaflet.pdf` does not lead to bytes of the file; give the words of the answer as `text`",
        "line 3 (x): `keeper.txt` has 75 bytes, so 0-5000 is not in it",
        "line 4 (x): `empty.txt` has no text; `pensieve why` says what happened to it",
        "line 5 (y): `keeper.txt` does not have these words: \"words that nobody wrote into this file\"; `pensieve text` prints what it has",
        "line 6: an answer is missing: give `path` with `start` and `end` or with `text`, or `expected`",
        "line 7: invalid type: string \"x\", expected an object with `question` and `path` (column 3)",
        "7 lines not counted",
    ];
    let mut said: Vec<&str> = ran.stderr.lines().collect();
    // Bad lines are found before the questions are asked.
    said.sort_unstable();
    let mut sorted = expected;
    sorted.sort_unstable();
    assert_eq!(said, sorted);
    fs::write(place.path("questions.jsonl"), "\n \n").unwrap();
    let ran = place.run(["eval", "corpus.db", "questions.jsonl"]).expect(2);
    assert!(ran.stderr.contains("`questions.jsonl` has no questions"), "{}", ran.stderr);
    place.run(["eval", "corpus.db", "missing.jsonl"]).expect(4);
    place.run(["eval", "corpus.db", "questions.jsonl", "--limit", "0"]).expect(2);
}

/// Questions about the harbour of the fixtures and three short texts in other languages, written by hand. The floors are
/// a little below what is reached.
#[test]
fn questions_about_the_fixtures_find_their_answers() {
    let place = Workshop::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for root in ["fixtures", "tests/questions/texts"] {
        let root = folder.join(root);
        let flags = ["--chunk-size", "128", "--chunk-overlap", "0", "--quiet"];
        let words = ["ingest", root.to_str().unwrap(), "corpus.db"];
        place.run(words.iter().chain(&flags)).expect(0);
    }
    let questions = folder.join("tests/questions/saltmere.jsonl");
    let words = ["eval", "corpus.db", questions.to_str().unwrap(), "--json", "--limit", "1,5"];
    let result = place.run(words).expect(0).json();
    let floors = [
        ("named", 0.9),
        ("forms", 0.9),
        ("paraphrase", 0.5),
        ("misspelled", 0.8),
        ("german", 0.8),
        ("russian", 0.8),
        ("greek", 0.8),
        ("chinese and japanese", 0.8),
    ];
    for (kind, floor) in floors {
        let recall = result["kinds"][kind]["recall"]["5"].as_f64().unwrap();
        assert!(recall >= floor, "{kind}: {recall}, {result}");
    }
    assert_eq!(result["kinds"].as_object().unwrap().len(), floors.len());
    assert_eq!(result["all"]["zero"], json!(0.0), "{result}");
}
