//! Several databases served as one corpus: every address answers as for the database that a merge makes of them.

use crate::changes::words;
use crate::editing::Editor;
use crate::http::Server;
use crate::merging::{BOTH, SMALL, cut_at_random, ingest_lists, two_shards};
use crate::support::{Workshop, open, rounds, seed, with_seed};
use rustix::process::Signal;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Keys that say how a database came about.
const HISTORY: &[&str] = &["chunk_id", "database_bytes", "last_run", "next_cursor", "cursor"];

/// Removes what differs between databases with the same content.
fn without_history(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !HISTORY.contains(&key.as_str()));
            map.values_mut().for_each(without_history);
        }
        Value::Array(list) => list.iter_mut().for_each(without_history),
        _ => {}
    }
}

fn serve(workshop: &Workshop, databases: &[String]) -> Server {
    let flags = ["--bind", "127.0.0.1:0", "--show-paths", "--title", "corpus"];
    Server::of(workshop.command(words("serve", databases).iter().chain(&flags)))
}

/// Two servers that must answer alike.
struct Pair {
    merged: Server,
    parts: Server,
}

impl Pair {
    /// Fails unless both give the same JSON; returns it.
    #[track_caller]
    fn same(&self, target: &str) -> Value {
        let [mut merged, mut parts] = [&self.merged, &self.parts].map(|server| {
            let answer = server.get(target);
            (answer.status, serde_json::from_slice::<Value>(&answer.body).unwrap_or_default())
        });
        without_history(&mut merged.1);
        without_history(&mut parts.1);
        assert!(parts == merged, "{target}: {parts:#?}\n{merged:#?}");
        merged.1
    }

    /// Fails unless both give the same page.
    #[track_caller]
    fn same_page(&self, target: &str) {
        let [merged, parts] = [&self.merged, &self.parts].map(|server| {
            let answer = server.get(target);
            (answer.status, answer.text())
        });
        assert_eq!(parts, merged, "{target}");
    }

    /// All pages of a list.
    #[track_caller]
    fn pages(&self, target: &str) {
        let [merged, parts] = [&self.merged, &self.parts].map(|server| {
            let (mut pages, mut cursor) = (Vec::new(), String::new());
            loop {
                let mut page = server.json(&format!("{target}{cursor}"));
                let next = page["next_cursor"].as_str().map(|next| format!("&cursor={next}"));
                without_history(&mut page);
                pages.push(page);
                match next {
                    Some(next) => cursor = next,
                    None => return pages,
                }
            }
        });
        assert_eq!(parts, merged, "{target}");
    }

    fn check(&self) {
        for target in ["/healthz", "/api/v3/stats", "/api/v3/folders", "/api/v3/folders?folder=ash1.d"] {
            self.same(target);
        }
        for target in [
            "/docs",
            "/review",
            "/errors",
            "/threads",
            "/pack",
            "/pack?question=harbour",
            "/search?query=lantern",
        ] {
            self.same_page(target);
        }
        self.pages("/api/v3/docs?limit=7");
        self.pages("/api/v3/docs?limit=500&query=lantern");
        self.pages("/api/v3/threads?limit=3");
        for query in [
            "lantern%20harbour%20keeper",
            "lantren%20winter",
            "%22of%20the%22&context=2",
            "storm&expand=section",
        ] {
            self.pages(&format!("/api/v3/search?limit=9&query={query}"));
        }
        self.same("/api/v3/search?mode=hybrid&query=lantern");
        for question in ["lantern%20in%20the%20harbour", "winter&budget=300&max_per_document=1"] {
            self.same(&format!("/api/v3/pack?question={question}"));
        }
        let threads = self.same("/api/v3/threads?limit=500");
        for thread in threads["threads"].as_array().unwrap() {
            let uid = thread["thread_uid"].as_str().unwrap();
            self.pages(&format!("/api/v3/threads/{uid}?limit=2"));
        }
        let documents = self.same("/api/v3/docs?limit=500");
        for document in documents["docs"].as_array().unwrap() {
            self.check_document(document["doc_uid"].as_str().unwrap());
        }
        self.check_changes();
    }

    fn check_document(&self, uid: &str) {
        for rest in ["", "/text", "/text?offset=11&limit=40"] {
            self.same(&format!("/api/v3/docs/{uid}{rest}"));
        }
        self.same(&format!("/api/v3/mails/{uid}"));
        self.same_page(&format!("/docs/{uid}"));
        let target = format!("/api/v3/docs/{uid}/chunks");
        self.pages(&format!("{target}?limit=3"));
        let chunks = self.same(&format!("{target}?limit=500"));
        for chunk in chunks["chunks"].as_array().unwrap().iter().step_by(3) {
            self.same(&format!("/api/v3/chunks/{}", chunk["content_hash"].as_str().unwrap()));
            self.same(&format!("/api/v3/cite?citation={}", chunk["citation"].as_str().unwrap()));
        }
        // The number of a chunk is one of this corpus.
        let of_parts = self.parts.json(&target);
        for chunk in of_parts["chunks"].as_array().unwrap().iter().take(2) {
            let found = self.parts.json(&format!("/api/v3/chunks/{}", chunk["chunk_id"]));
            assert_eq!(found["content_hash"], chunk["content_hash"]);
        }
    }

    /// The whole state, in any order.
    fn check_changes(&self) {
        let [merged, parts] = [&self.merged, &self.parts].map(|server| {
            let text = server.get("/api/v3/changes?since=0&limit=10000").text();
            let mut rows: Vec<String> = text
                .lines()
                .map(|line| {
                    let mut row: Value = serde_json::from_str(line).unwrap();
                    without_history(&mut row);
                    row.to_string()
                })
                .collect();
            rows.sort();
            rows
        });
        assert_eq!(parts, merged);
    }
}

#[test]
fn every_address_answers_as_for_the_merged_database() {
    for round in 0..rounds(2) as u64 {
        with_seed(seed() * 1000 + 300 + round, |dice| {
            let workshop = Workshop::new();
            Editor::new(workshop.tree()).furnish(dice, 40);
            workshop.ingest(SMALL);
            let count = 2 + dice.below(4);
            cut_at_random(&workshop, count, dice);
            ingest_lists(&workshop, "lists", count, SMALL);
            let databases: Vec<String> = (0..count).map(|number| format!("shard-{number:04}.db")).collect();
            workshop.run(["merge".to_owned(), "merged.db".to_owned()].iter().chain(&databases)).expect(0);
            let pair = Pair {
                merged: serve(&workshop, &["merged.db".to_owned()]),
                parts: serve(&workshop, &databases),
            };
            pair.check();
            let mode = |name: &str| {
                open(&workshop.path(name)).query_row("PRAGMA journal_mode", [], |row| row.get(0))
            };
            assert_eq!(mode("shard-0000.db"), Ok("wal".to_owned()));
            assert_eq!(pair.parts.end(Signal::TERM), Some(0));
            assert_eq!(mode("shard-0001.db"), Ok("delete".to_owned()));
        });
    }
}

#[test]
fn a_corpus_that_is_written_to_is_served_as_it_was_and_then_as_it_is() {
    let workshop = two_shards([&[], &[]]);
    let databases: Vec<String> = BOTH.iter().map(|&name| name.to_owned()).collect();
    let server = serve(&workshop, &databases);
    let total = || server.json("/api/v3/search?query=words")["total"].as_u64().unwrap();
    assert_eq!(total(), 4);
    let since = |cursor: &str| server.get(&format!("/api/v3/changes?since={cursor}")).text();
    let cursor = |lines: &str| {
        let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
        last["cursor"].as_str().unwrap().to_owned()
    };
    let before = cursor(&since("0"));
    // As while a run writes: there is something new, and the run has not ended.
    let change = |sql: &str| open(&workshop.path(BOTH[1])).execute_batch(sql).unwrap();
    workshop.write("c.txt", "Other words of a longer text.\n");
    workshop.run(["ingest", "--root", "tree", "--files-from", "lists/shard-0001.list", BOTH[1]]).expect(0);
    change("UPDATE runs SET status = 'running' WHERE run_id = (SELECT max(run_id) FROM runs)");
    let old = || server.json("/api/v3/search?query=longer")["total"] == 0;
    if old() {
        // Unless the new state was taken over between the two.
        std::thread::sleep(Duration::from_millis(2500));
        assert!(old() && total() == 4);
    }
    change("UPDATE runs SET status = 'finished'");
    let started = Instant::now();
    while old() {
        assert!(started.elapsed() < Duration::from_secs(120), "the new state is not served");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(total(), 4);
    let rows = since(&before);
    assert!(rows.contains("\"op\":\"delete\"") && rows.contains("of a longer text"), "{rows}");
    let detail = server.refuses("/api/v3/changes?since=3", 400, "bad-parameter");
    assert!(detail.starts_with("A run's number is one of a single database"), "{detail}");
    assert_eq!(server.end(Signal::TERM), Some(0));
}

#[test]
fn databases_that_do_not_fit_are_not_served() {
    let workshop = two_shards([&[], &["--chunk-size", "100"]]);
    let ran = workshop.run(["serve", BOTH[0], "--partition", BOTH[1]]).expect(4);
    assert!(ran.stderr.contains("chunk_size 512 and 100") && ran.stdout.is_empty(), "{}", ran.stderr);
    let ran = workshop.run(["mcp", BOTH[0], "--partition", BOTH[1]]).expect(4);
    assert!(ran.stderr.contains("chunk_size 512 and 100") && ran.stdout.is_empty(), "{}", ran.stderr);
}
