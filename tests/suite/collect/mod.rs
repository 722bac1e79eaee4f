//! Collections from outside: the files they leave, what is refused, servers that misbehave, kills.

mod books;
mod server;

use crate::corpora::corpus;
use crate::schema::violations;
use crate::support::{Ran, Workshop, files_below, kill, rounds, start};
use books::{Book, manifest};
use pensieve_collect::choice::largest_share;
use serde_json::Value;
use server::{Answer, Server};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

const HERON: Book<'_> = Book { id: 9001, title: "The Grey Heron", author: "Ann Other", seed: 1, chapters: 4 };
const REEDS: Book<'_> =
    Book { id: 9002, title: "Among the Reeds", author: "Ann Other", seed: 2, chapters: 3 };

const BOTH: [(&Book<'_>, &str); 2] = [(&HERON, "grey_heron"), (&REEDS, "among_the_reeds")];

/// Copies of both books and a manifest.
fn workshop(rules: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("9001-0.txt", HERON.text());
    workshop.write("9002-0.txt", REEDS.text());
    fs::write(workshop.path("m.toml"), manifest(&BOTH, "", rules)).unwrap();
    workshop
}

/// Puts the manifest and the texts of the example in the help into a folder.
pub fn furnish(folder: &Path) {
    for name in ["collections", "texts"] {
        fs::create_dir(folder.join(name)).unwrap();
    }
    fs::write(folder.join("texts/9001-0.txt"), HERON.text()).unwrap();
    fs::write(folder.join("texts/9002-0.txt"), REEDS.text()).unwrap();
    fs::write(folder.join("collections/twain-franklin.toml"), manifest(&BOTH, "", "")).unwrap();
}

fn collect(workshop: &Workshop, more: &[&str]) -> Ran {
    workshop.run(["collect", "m.toml", "--out", "data"].iter().chain(more))
}

fn document(workshop: &Workshop, out: &str) -> Value {
    let text = fs::read_to_string(workshop.path(out).join("processed/gutenberg_passages.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let named =
        |path: &PathBuf| (path.strip_prefix(folder).unwrap().display().to_string(), fs::read(path).unwrap());
    files_below(folder).iter().map(named).collect()
}

/// Fails unless a collection is what its laws say: of the form, within bounds, true to its sources, nothing twice.
#[track_caller]
fn check_laws(out: &Path, bounds: (u64, u64)) -> usize {
    let read = |name: &str| fs::read_to_string(out.join("processed").join(name)).unwrap();
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/gutenberg_passages.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let document: Value = serde_json::from_str(&read("gutenberg_passages.json")).unwrap();
    assert_eq!(violations(&schema, &document), Vec::<String>::new());
    let passages = document["passages"].as_array().unwrap();
    assert_eq!(document["metadata"]["total_passages"], passages.len());
    let lines: Vec<Value> =
        read("gutenberg_passages.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(&lines, passages);
    let sources: Vec<Value> = read("gutenberg_passages.sources.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(sources.len(), passages.len());
    for (passage, source) in passages.iter().zip(&sources) {
        let text = passage["text"].as_str().unwrap();
        assert_eq!(passage["passage_id"], source["passage_id"]);
        let words = text.split_whitespace().count() as u64;
        assert!(passage["word_count"] == words && (bounds.0..=bounds.1).contains(&words), "{words}: {text}");
        let at = |name: &str| source[name].as_u64().unwrap() as usize;
        let clean = fs::read_to_string(out.join(source["clean_file"].as_str().unwrap())).unwrap();
        assert_eq!(clean.get(at("clean_start")..at("clean_end")), Some(text));
        check_raw(out, source, text);
    }
    let texts: Vec<&str> = passages.iter().map(|passage| passage["text"].as_str().unwrap()).collect();
    assert!(largest_share(&texts) <= 0.2);
    passages.len()
}

/// The ranges of a source hold the text, where its encoding is UTF-8 or of one byte a character.
#[track_caller]
fn check_raw(out: &Path, source: &Value, text: &str) {
    let raw = fs::read(out.join(source["file"].as_str().unwrap())).unwrap();
    let mut held = Vec::new();
    for range in source["source_ranges"].as_array().unwrap() {
        let at = |index: usize| range[index].as_u64().unwrap() as usize;
        held.extend_from_slice(&raw[at(0)..at(1)]);
    }
    let held = match source["encoding"].as_str().unwrap() {
        "utf-8" => String::from_utf8(held).unwrap(),
        _ => return,
    };
    assert_eq!(held.replace("\r\n", "\n"), text);
}

#[test]
fn a_collection_is_what_its_laws_say_and_the_same_every_time() {
    let workshop = workshop("");
    let report = collect(&workshop, &["--source", "tree", "--json"]).expect(0).json();
    let count = check_laws(&workshop.path("data"), (100, 600));
    assert!(count >= 12 && report["passages"] == count, "{report}");
    let names: Vec<&str> = report["works"][0]["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    assert_eq!(names, ["CHAPTER 1", "CHAPTER 2", "CHAPTER 3", "CHAPTER 4"]);
    let document = document(&workshop, "data");
    let first = &document["passages"][0];
    assert_eq!(first["passage_id"], "other_grey_heron_001");
    assert_eq!((&first["book_id"], &first["publication_year"]), (&9001.into(), &1899.into()));
    assert_eq!(first["source_url"], "https://www.gutenberg.org/ebooks/9001");
    assert_eq!(first["extraction_date"], "2026-02-03T00:00:00Z");
    assert_eq!(document["metadata"]["extraction_date"], "2026-02-03");
    assert_eq!(document["metadata"]["books_processed"], 2);
    let contexts = ["weather", "humor", "both"];
    assert!(
        document["passages"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| contexts.contains(&one["context_type"].as_str().unwrap()))
    );
    assert!(
        fs::read_to_string(workshop.path("data/processed/README.md"))
            .unwrap()
            .contains("other_grey_heron_001")
    );
    assert!(
        fs::read_to_string(workshop.path("data/raw/gutenberg/README.md"))
            .unwrap()
            .contains("other_grey_heron.txt")
    );
    assert_eq!(
        fs::read(workshop.path("data/raw/gutenberg/other_grey_heron.txt")).unwrap(),
        HERON.text().as_bytes()
    );

    let before = files(&workshop.path("data"));
    collect(&workshop, &[]).expect(0);
    assert!(files(&workshop.path("data")) == before, "a second run changes nothing, and fetches nothing");
    workshop.run(["collect", "m.toml", "--out", "again", "--source", "tree"]).expect(0);
    assert!(files(&workshop.path("again")) == before);
    collect(&workshop, &["--date", "2027-01-01T10:00:00+02:00"]).expect(0);
    let dated = self::document(&workshop, "data");
    assert_eq!(dated["passages"][0]["extraction_date"], "2027-01-01T08:00:00Z");
}

#[test]
fn marks_go_or_stay_as_the_manifest_says() {
    for (rules, mark, drawn) in
        [("", true, false), ("italics = \"drop\"\nillustrations = \"keep\"", false, true)]
    {
        let workshop = workshop(rules);
        collect(&workshop, &["--source", "tree"]).expect(0);
        check_laws(&workshop.path("data"), (100, 600));
        let book = fs::read_to_string(workshop.path("data/processed/books/other_grey_heron.txt")).unwrap();
        assert_eq!((book.contains("_rain_"), book.contains("[Illustration")), (mark, drawn));
        assert!(book.starts_with("THE GREY HERON") && !book.contains('\r') && !book.contains("Gutenberg"));
    }
}

#[test]
fn a_target_lowers_the_score_step_by_step_and_tells_what_is_missing() {
    let workshop = workshop("min_score = 30.0\nsteps = [20.0, 9.0, 6.0]\ntarget = [1000, 2000]");
    collect(&workshop, &["--source", "tree"]).expect(0);
    let metadata = document(&workshop, "data")["metadata"].clone();
    let passages: Vec<u64> =
        metadata["steps"].as_array().unwrap().iter().map(|step| step["passages"].as_u64().unwrap()).collect();
    assert!(
        passages.len() == 4 && passages[0] == 0 && passages.is_sorted() && passages[3] > 10,
        "{passages:?}"
    );
    assert!(metadata["shortfall"].as_str().unwrap().contains("of at least 1000 passages: 2 texts with"));
    let workshop = self::workshop("min_score = 6.0\nsteps = []\ntarget = [2, 5]");
    collect(&workshop, &["--source", "tree"]).expect(0);
    let metadata = document(&workshop, "data")["metadata"].clone();
    assert_eq!((&metadata["total_passages"], metadata.get("shortfall")), (&5.into(), None));
}

#[test]
fn a_text_that_is_another_book_is_refused_and_the_others_go_on() {
    let workshop = workshop("");
    let other = Book { title: "The Sacred Wood", author: "T. S. Eliot", ..HERON };
    workshop.write("9001-0.txt", other.text());
    let ran = collect(&workshop, &["--source", "tree", "--json"]).expect(0);
    let report = ran.json();
    assert_eq!(
        (&report["works"][0]["status"], &report["works"][1]["status"]),
        (&"refused".into(), &"collected".into())
    );
    assert!(
        ran.stderr.contains("the text is titled `The Sacred Wood`, not `The Grey Heron`"),
        "{}",
        ran.stderr
    );
    assert!(!workshop.path("data/raw/gutenberg/other_grey_heron.txt").exists());
    collect(&workshop, &["--source", "tree", "--strict"]).expect(1);

    // Without a header nothing can be checked; that is told.
    let text = HERON.text();
    let body = text.split_once("Produced by Ann Onym").unwrap().1;
    workshop.write("9001-0.txt", body);
    let ran = collect(&workshop, &["--source", "tree"]).expect(0);
    assert!(ran.stderr.contains("warning: The Grey Heron: the text has no header"), "{}", ran.stderr);
    assert!(workshop.path("data/raw/gutenberg/other_grey_heron.txt").exists());
}

#[test]
fn what_is_missing_is_a_warning_until_nothing_is_left() {
    let workshop = workshop("");
    workshop.remove("9001-0.txt");
    let ran = collect(&workshop, &["--source", "tree"]).expect(0);
    assert!(ran.stderr.contains("warning: The Grey Heron: missing"), "{}", ran.stderr);
    workshop.remove("9002-0.txt");
    fs::remove_dir_all(workshop.path("data")).unwrap();
    let ran = collect(&workshop, &["--source", "tree"]).expect(4);
    assert!(ran.stderr.contains("no text for any of 2 works"), "{}", ran.stderr);
    collect(&workshop, &["--source", "nowhere"]).expect(4);
    workshop.run(["collect", "none.toml", "--out", "data"]).expect(4);
    fs::write(workshop.path("m.toml"), "[collection]\nnam = 1\n").unwrap();
    let ran = collect(&workshop, &[]).expect(3);
    assert!(ran.stderr.contains("m.toml:2: unknown field `nam`"), "{}", ran.stderr);
    workshop.run(["collect", "m.toml", "--out", "x", "--date", "soon"]).expect(2);
}

#[test]
fn a_dry_run_leaves_nothing_behind() {
    let workshop = workshop("");
    let report = collect(&workshop, &["--source", "tree", "--dry-run", "--json"]).expect(0).json();
    assert!(report["passages"].as_u64().unwrap() > 10 && report["dry_run"] == true);
    let report = collect(&workshop, &["--dry-run", "--json"]).expect(0).json();
    assert_eq!(report["works"][0]["status"], "planned");
    assert!(!workshop.path("data").exists());
}

#[test]
fn passages_become_a_database_that_keeps_every_law() {
    let workshop = workshop("");
    let words = ["--source", "tree", "--db", "corpus.db"];
    collect(&workshop, &words).expect(0);
    workshop.verify();
    let count = document(&workshop, "data")["metadata"]["total_passages"].as_u64().unwrap();
    assert_eq!(workshop.one("SELECT count(*) FROM chunks"), count.to_string());
    let exact = workshop.one("SELECT count(*) FROM chunk_sources WHERE source_exact");
    assert!(
        exact.parse::<u64>().unwrap() * 3 >= count,
        "{exact} of {count}: all but those with a dropped mark"
    );
    let stored = workshop.one("SELECT value FROM metadata WHERE key = 'other_grey_heron_001'");
    let stored: Value = serde_json::from_str(&stored).unwrap();
    assert_eq!(stored["chapter_section"], "CHAPTER 1");
    let found = workshop.run(["search", "corpus.db", "jest", "--json"]).expect(0).stdout;
    assert!(found.contains("other_grey_heron.txt"), "{found}");
    let before = workshop.fingerprint();
    collect(&workshop, &words).expect(0);
    workshop.verify();
    assert_eq!(workshop.fingerprint(), before);
    // A corpus of something else is left alone.
    workshop.run(["ingest", "tree", "other.db", "-q"]).expect(0);
    let ran = collect(&workshop, &["--source", "tree", "--db", "other.db"]).expect(5);
    assert!(ran.stderr.contains("not this collection alone"), "{}", ran.stderr);
}

/// A manifest for a server, which may have several mirrors.
fn serve(workshop: &Workshop, servers: &[&Server], more: &str) {
    let mirrors: Vec<String> = servers.iter().map(|server| format!("\"{}\"", server.base)).collect();
    let sources = format!("mirrors = [{}]\n{more}", mirrors.join(", "));
    fs::write(workshop.path("m.toml"), manifest(&BOTH, &sources, "")).unwrap();
}

const FIRST: &str = "/cache/epub/9001/pg9001.txt";
const SECOND: &str = "/cache/epub/9002/pg9002.txt";

/// Fails unless both texts lie there whole, and nothing half.
#[track_caller]
fn check_fetched(workshop: &Workshop) {
    for (name, book) in [("other_grey_heron", &HERON), ("other_among_the_reeds", &REEDS)] {
        let raw = fs::read_to_string(workshop.path(format!("data/raw/gutenberg/{name}.txt"))).unwrap();
        assert!(raw == book.text(), "{name}: {} bytes", raw.len());
    }
    let names = files(&workshop.path("data/raw/gutenberg"));
    assert!(names.keys().all(|name| !name.ends_with(".part")), "{:?}", names.keys());
    check_laws(&workshop.path("data"), (100, 600));
}

/// Both texts arrive though the first path of the first text answers like this.
fn check_server(answers: Vec<Answer>, requests: usize) {
    let server = Server::new(vec![(FIRST, answers), (SECOND, vec![Answer::Text(REEDS.text())])]);
    let workshop = Workshop::new();
    serve(&workshop, &[&server], "");
    collect(&workshop, &[]).expect(0);
    check_fetched(&workshop);
    let paths = server.paths();
    assert_eq!(paths.iter().filter(|path| *path == FIRST).count(), requests, "{paths:?}");
    assert!(server.requests().iter().all(|request| request.headers["user-agent"].starts_with("pensieve/")));
    // Never twice.
    collect(&workshop, &[]).expect(0);
    assert_eq!(server.paths().len(), paths.len());
}

#[test]
fn a_server_that_fails_for_a_while_is_asked_again() {
    let text = || Answer::Text(HERON.text());
    check_server(vec![text()], 1);
    check_server(
        vec![Answer::Status(503, "Retry-After: 0\r\n"), Answer::Status(429, "Retry-After: 1\r\n"), text()],
        3,
    );
    check_server(vec![Answer::Status(500, ""), Answer::Hang, text()], 3);
    check_server(vec![Answer::Unmeasured(HERON.text())], 1);
    check_server(vec![Answer::Slowly(HERON.text())], 1);
    check_server(vec![Answer::Redirect(FIRST.to_owned()), text()], 2);
}

#[test]
fn a_text_that_was_cut_off_is_gone_on_with() {
    let whole = HERON.text();
    let server = Server::new(vec![
        (
            FIRST,
            vec![Answer::Cut(whole.clone(), 5000), Answer::Cut(whole.clone(), 3000), Answer::Text(whole)],
        ),
        (SECOND, vec![Answer::Text(REEDS.text())]),
    ]);
    let workshop = Workshop::new();
    serve(&workshop, &[&server], "");
    collect(&workshop, &[]).expect(0);
    check_fetched(&workshop);
    let ranges: Vec<Option<String>> = server
        .requests()
        .into_iter()
        .filter(|request| request.path == FIRST)
        .map(|request| request.headers.get("range").cloned())
        .collect();
    assert_eq!(ranges, [None, Some("bytes=5000-".to_owned()), Some("bytes=8000-".to_owned())]);
}

#[test]
fn older_addresses_and_other_servers_are_tried() {
    let poor = Server::new(vec![("/files/9002/9002-0.txt", vec![Answer::Text(REEDS.text())])]);
    let rich = Server::new(vec![("/9/0/0/9001/9001.txt", vec![Answer::Text(HERON.text())])]);
    let workshop = Workshop::new();
    serve(&workshop, &[&poor, &rich], "");
    collect(&workshop, &[]).expect(0);
    check_fetched(&workshop);
    // One that says less than it has is not believed while another has more.
    let liar = Server::new(vec![
        (FIRST, vec![Answer::Short(HERON.text(), 9000)]),
        (SECOND, vec![Answer::Text(REEDS.text())]),
    ]);
    let workshop = Workshop::new();
    serve(&workshop, &[&liar, &rich], "");
    collect(&workshop, &[]).expect(0);
    check_fetched(&workshop);
    // One that is not there costs nothing but a try.
    let workshop = Workshop::new();
    serve(&workshop, &[&rich], "retries = 1");
    let text = fs::read_to_string(workshop.path("m.toml")).unwrap();
    fs::write(workshop.path("m.toml"), text.replace("mirrors = [", "mirrors = [\"http://127.0.0.1:9\", "))
        .unwrap();
    let ran = collect(&workshop, &[]).expect(0);
    assert!(ran.stderr.contains("warning: Among the Reeds: missing: "), "{}", ran.stderr);
    assert!(workshop.path("data/raw/gutenberg/other_grey_heron.txt").exists());
}

#[test]
fn patience_ends_and_pages_are_no_texts() {
    let page = "<!DOCTYPE html><html><body>Not here</body></html>".to_owned();
    let server = Server::new(vec![
        (FIRST, vec![Answer::Status(503, "")]),
        (SECOND, vec![Answer::Text(REEDS.text())]),
        ("/files/9001/9001-0.txt", vec![Answer::Cut(HERON.text(), 0)]),
        ("/files/9001/9001-8.txt", vec![Answer::Text(page)]),
    ]);
    let workshop = Workshop::new();
    serve(&workshop, &[&server], "retries = 2");
    let report = collect(&workshop, &["--json"]).expect(0).json();
    assert_ne!(report["works"][0]["status"], "collected");
    assert_eq!(report["works"][1]["status"], "collected");
    for path in [FIRST, "/files/9001/9001-0.txt"] {
        assert_eq!(server.paths().iter().filter(|asked| *asked == path).count(), 3, "{path}");
    }
}

#[test]
fn a_server_that_answers_with_pages_alone_is_soon_asked_no_more() {
    let page = |path: &str| {
        let page = format!("<html><title>Sign in</title><p>{path} needs an account.</p></html>");
        vec![Answer::Text(page)]
    };
    let paths: Vec<String> = ["9001", "9002"]
        .iter()
        .flat_map(|id| ["-0", "-8", ""].map(|end| format!("/files/{id}/{id}{end}.txt")))
        .chain([FIRST.to_owned(), SECOND.to_owned()])
        .collect();
    let server = Server::new(paths.iter().map(|path| (path.as_str(), page(path))).collect());
    let workshop = Workshop::new();
    serve(&workshop, &[&server], "");
    let ran = collect(&workshop, &[]);
    assert_eq!(server.paths().len(), 3, "{:?}", server.paths());
    let expected = "answers with the same page (“Sign in”) where texts are expected: it is asked no more";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(ran.stderr.contains("it is a page, not a text"), "{}", ran.stderr);
}

#[test]
fn a_page_or_an_empty_body_is_passed_over_for_the_next_address() {
    let page = format!("<!-- moved -->\n<html><body>{}</body></html>", HERON.text());
    let server = Server::new(vec![
        (FIRST, vec![Answer::Text(page)]),
        ("/files/9001/9001-0.txt", vec![Answer::Text(String::new())]),
        ("/files/9001/9001-8.txt", vec![Answer::Text("Please try again later.\n".to_owned())]),
        ("/files/9001/9001.txt", vec![Answer::Text(HERON.text())]),
        (SECOND, vec![Answer::Text(REEDS.text())]),
    ]);
    let workshop = Workshop::new();
    serve(&workshop, &[&server], "");
    let report = collect(&workshop, &["--json"]).expect(0).json();
    check_fetched(&workshop);
    let answers = report["works"][0]["answers"].as_array().unwrap();
    let answers: Vec<&str> = answers.iter().map(|one| one["answer"].as_str().unwrap()).collect();
    let taken = format!("a text of {} bytes", HERON.text().len());
    assert_eq!(answers, ["it is a page, not a text", "it is empty", "it has 4 words only", &taken]);
    let records = fs::read_to_string(workshop.path("data/raw/gutenberg/sources.json")).unwrap();
    let records: Value = serde_json::from_str(&records).unwrap();
    assert_eq!(records["other_grey_heron"]["answers"], report["works"][0]["answers"]);
}

#[test]
fn a_server_that_asks_to_wait_is_left_alone_and_the_others_are_asked_meanwhile() {
    let busy = || Server::new(vec![(FIRST, vec![Answer::Status(503, "Retry-After: 2\r\n"), Answer::Hang])]);
    let rich = Server::new(vec![
        (FIRST, vec![Answer::Text(HERON.text())]),
        (SECOND, vec![Answer::Text(REEDS.text())]),
    ]);
    let (workshop, server) = (Workshop::new(), busy());
    serve(&workshop, &[&server, &rich], "");
    collect(&workshop, &[]).expect(0);
    check_fetched(&workshop);
    assert_eq!(server.paths(), [FIRST], "not asked again, for no work");

    // A server alone is waited for, and asked once when the time has come.
    let date = "Date: Wed, 21 Oct 2015 07:28:00 GMT\r\nRetry-After: Wed, 21 Oct 2015 07:28:02 GMT\r\n";
    let server = Server::new(vec![
        (FIRST, vec![Answer::Status(429, date), Answer::Text(HERON.text())]),
        (SECOND, vec![Answer::Text(REEDS.text())]),
    ]);
    let (workshop, started) = (Workshop::new(), Instant::now());
    serve(&workshop, &[&server], "");
    collect(&workshop, &[]).expect(0);
    check_fetched(&workshop);
    assert_eq!(server.paths(), [FIRST, FIRST, SECOND]);
    assert!(started.elapsed() >= Duration::from_secs(2));
}

#[test]
fn a_wait_that_is_too_long_is_told_and_a_server_that_never_answers_is_given_up() {
    let server = Server::new(vec![(FIRST, vec![Answer::Status(503, "Retry-After: 3600\r\n")])]);
    let workshop = Workshop::new();
    serve(&workshop, &[&server], "");
    let ran = collect(&workshop, &[]).expect(4);
    assert_eq!(server.paths(), [FIRST]);
    let told = "asks to wait 3600 s, and a run waits at most 3 s (`sources.longest_wait_seconds`)";
    assert_eq!(ran.stderr.matches(told).count(), 1, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("answered 503 and asks to wait 3600 s; 6 addresses: not asked"),
        "{}",
        ran.stderr
    );

    let server = Server::new(vec![
        (FIRST, vec![Answer::Status(503, "Retry-After: 0\r\n")]),
        (SECOND, vec![Answer::Text(REEDS.text())]),
    ]);
    let workshop = Workshop::new();
    serve(&workshop, &[&server], "retries = 2");
    collect(&workshop, &[]).expect(0);
    assert_eq!(server.paths().iter().filter(|path| *path == FIRST).count(), 3);
}

#[test]
fn newer_versions_are_asked_for_by_their_tag() {
    let server = Server::new(vec![
        (FIRST, vec![Answer::Text(HERON.text())]),
        (SECOND, vec![Answer::Text(REEDS.text())]),
    ]);
    let workshop = Workshop::new();
    serve(&workshop, &[&server], "");
    collect(&workshop, &[]).expect(0);
    collect(&workshop, &["--refresh"]).expect(0);
    check_fetched(&workshop);
    let tags =
        server.requests().into_iter().filter_map(|request| request.headers.get("if-none-match").cloned());
    assert_eq!(tags.collect::<Vec<_>>(), ["\"v1\"", "\"v1\""]);
}

#[test]
fn a_kill_while_fetching_costs_nothing_that_has_arrived() {
    let server = Server::new(vec![
        (FIRST, vec![Answer::Slowly(HERON.text())]),
        (SECOND, vec![Answer::Slowly(REEDS.text())]),
    ]);
    let workshop = Workshop::new();
    serve(&workshop, &[&server], "");
    let part = workshop.path("data/raw/gutenberg/.other_grey_heron.txt.part");
    let child = start(&mut workshop.command(["collect", "m.toml", "--out", "data"]));
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&part).map_or(0, |meta| meta.len()) < 4000 {
        assert!(Instant::now() < deadline, "nothing arrives");
        thread::sleep(Duration::from_millis(5));
    }
    kill(child);
    assert!(!workshop.path("data/raw/gutenberg/other_grey_heron.txt").exists());
    collect(&workshop, &[]).expect(0);
    check_fetched(&workshop);
    let asked = server.requests().into_iter().filter(|request| request.path == FIRST);
    let ranges: Vec<bool> = asked.map(|request| request.headers.contains_key("range")).collect();
    assert_eq!(ranges, [false, true]);
}

#[test]
fn a_kill_while_writing_leaves_old_files_or_new_ones() {
    let workshop = workshop("");
    collect(&workshop, &["--source", "tree"]).expect(0);
    let whole = files(&workshop.path("data"));
    for round in 0..rounds(6) {
        let _ = fs::remove_dir_all(workshop.path("data"));
        let child = start(&mut workshop.command(["collect", "m.toml", "--out", "data", "--source", "tree"]));
        thread::sleep(Duration::from_millis(40 * round as u64));
        kill(child);
        for (name, bytes) in files(&workshop.path("data")) {
            assert!(
                name.ends_with(".part")
                    || whole.get(&name) == Some(&bytes)
                    || name.ends_with("sources.json")
                    || name.ends_with("README.md"),
                "{name}"
            );
        }
        collect(&workshop, &["--source", "tree"]).expect(0);
        let mut now = files(&workshop.path("data"));
        now.retain(|name, _| !name.ends_with(".part"));
        assert!(now == whole);
    }
}

/// The shipped collection on the texts beside this checkout.
#[test]
fn the_shipped_collection_keeps_its_laws_on_real_texts() {
    let Some(folder) = corpus("gutenberg") else { return };
    let workshop = Workshop::new();
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/collections/twain-franklin.toml");
    let folder = folder.to_str().unwrap();
    let report =
        workshop.run(["collect", manifest, "--out", "data", "--source", folder, "--json"]).expect(0).json();
    let count = check_laws(&workshop.path("data"), (100, 600));
    assert!(count > 350, "{count}");
    let works = report["works"].as_array().unwrap();
    assert_eq!(works.len(), 6);
    for work in works {
        let number = work["book_id"].as_u64().unwrap();
        let files = ["-0.txt", "-8.txt"].map(|end| format!("{number}{end}"));
        check_counts(work, &files, Path::new(folder));
    }
    check_chapters(&report["works"]);
}

/// The texts that are in no shipped collection: other editions, verse, French, a header of 1993.
#[test]
fn keywords_are_counted_as_the_truth_counts_them_in_every_other_text() {
    let Some(folder) = corpus("gutenberg") else { return };
    let workshop = Workshop::new();
    let table = fs::read_to_string(folder.join("truth/keywords.tsv")).unwrap();
    let keywords: Vec<&str> = table.lines().next().unwrap().split('\t').skip(3).collect();
    let mut manifest = format!("[collection]\nname = \"others\"\n[keywords.all]\nwords = {keywords:?}\n");
    let texts = ["148-8", "57795-0", "44157-8", "26060", "hfinn10"];
    for (at, text) in texts.iter().enumerate() {
        let truth = fs::read_to_string(folder.join(format!("truth/{text}.json"))).unwrap();
        let truth: Value = serde_json::from_str(&truth).unwrap();
        manifest.push_str(&format!(
            "[[works]]\nauthor = {author}\nauthor_id = \"author\"\ntitle = {title}\nslug = \"work_{at}\"\ngutenberg_id = {number}\npublication_year = 1900\n",
            author = truth["author"],
            title = truth["title"],
            number = truth["gutenberg_id"],
        ));
        fs::copy(
            folder.join(format!("{text}.txt")),
            workshop.tree().join(format!("{}.txt", truth["gutenberg_id"])),
        )
        .unwrap();
    }
    fs::write(workshop.path("m.toml"), manifest).unwrap();
    let report = collect(&workshop, &["--source", "tree", "--json"]).expect(0).json();
    let works = report["works"].as_array().unwrap();
    assert_eq!(works.len(), texts.len());
    for (work, text) in works.iter().zip(texts) {
        check_counts(work, &[format!("{text}.txt")], &folder);
    }
}

/// Words and keywords of a work are those of the truth of one of these files.
#[track_caller]
fn check_counts(work: &Value, files: &[String], folder: &Path) {
    let table = fs::read_to_string(folder.join("truth/keywords.tsv")).unwrap();
    let mut rows = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let names = rows.next().unwrap();
    let row = rows.find(|row| files.iter().any(|file| row[0] == file)).unwrap_or_else(|| panic!("{work}"));
    // Of one text the truth leaves the line out that names who typed it.
    let words = row[1].parse::<u64>().unwrap() + if row[0] == "hfinn10.txt" { 7 } else { 0 };
    assert_eq!(work["words"], words, "{}", row[0]);
    for (keyword, expected) in names.iter().zip(&row).skip(3) {
        assert_eq!(work["keyword_counts"][keyword].to_string(), *expected, "{} {keyword}", row[0]);
    }
}

/// The chapters of the novels are those of their own contents.
#[track_caller]
fn check_chapters(works: &Value) {
    for (work, count, roman) in [(0, 35, true), (1, 43, true), (2, 44, true), (3, 60, false)] {
        let names = works[work]["sections"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
        let chapters: Vec<&str> = names.filter(|name| name.starts_with("CHAPTER")).collect();
        let expected: Vec<String> = (1..=count)
            .map(|number| match (roman, work, number) {
                (_, 1, 43) => "CHAPTER THE LAST".to_owned(),
                (true, ..) => format!("CHAPTER {}", pensieve_text::text::roman::to_roman(number).unwrap()),
                _ => format!("CHAPTER {number}"),
            })
            .collect();
        let labels: Vec<&str> = chapters.iter().map(|name| name.split(". ").next().unwrap()).collect();
        assert_eq!(labels, expected);
    }
}
