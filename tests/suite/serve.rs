//! `serve`: every endpoint and every refusal, asked over a socket.

use crate::http::Server;
use crate::schema::{names, violations_of};
use crate::support::{Workshop, rounds, seed, with_seed};
use rustix::process::Signal;
use serde_json::Value;
use std::collections::BTreeSet;

/// Characters of every width, marks that combine, emoji of several characters.
const SCRIPTS: &str =
    "Plain words. Größe, e\u{301}te\u{301}. 日本語の文章です。 👩‍👩‍👧‍👦 and 🇩🇪. नमस्ते दुनिया. سلام.\n\n";

pub fn workshop() -> Workshop {
    let place = Workshop::new();
    place.write("a/first.md", "# First\n\nThe lamp was lit. <script>alert(1)</script>\n");
    place.write("a/second.txt", "A second text about a lighthouse and its keeper.\n");
    place.write("b/copy.txt", "A second text about a lighthouse and its keeper.\n");
    place.write("b/scripts.txt", SCRIPTS.repeat(300));
    place.write("b/photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    place.write("empty.txt", "");
    place.ingest(&[]);
    place
}

pub fn uid(place: &Workshop, name: &str) -> String {
    place.file(name, "doc_uid")
}

/// Every document of a list, page by page.
#[track_caller]
fn listed(server: &Server, query: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = server.json(&format!("/api/v3/docs?{query}{cursor}"));
        let docs = page["docs"].as_array().unwrap();
        names.extend(docs.iter().map(|doc| doc["relative_path"].as_str().unwrap().to_owned()));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return names,
        }
    }
}

#[test]
fn documents_are_listed_by_path_in_pages_of_any_size() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let all = ["a/first.md", "a/second.txt", "b/copy.txt", "b/photo.png", "b/scripts.txt", "empty.txt"];
    for limit in [1, 2, 5, 6, 7, 500, 10_000] {
        assert_eq!(listed(&server, &format!("limit={limit}")), all, "{limit}");
    }
    assert_eq!(listed(&server, "format=markdown"), ["a/first.md"]);
    assert_eq!(listed(&server, "format=md"), ["a/first.md"]);
    assert_eq!(listed(&server, "status=Skipped_Binary"), ["b/photo.png"]);
    assert_eq!(listed(&server, "query=keeper"), ["a/second.txt", "b/copy.txt"]);
    assert_eq!(listed(&server, "query=COPY"), ["b/copy.txt"]);
    assert_eq!(listed(&server, "query=%25"), [""; 0]);
    assert_eq!(listed(&server, "query=%22+OR+%28"), [""; 0]);
    assert_eq!(
        listed(&server, "query=keeper&format=txt&status=Processed&limit=1"),
        ["a/second.txt", "b/copy.txt"]
    );
}

#[test]
fn pages_stay_right_while_documents_come_and_go() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let first = server.json("/api/v3/docs?limit=3");
    let cursor = first["next_cursor"].as_str().unwrap();
    // The document that the cursor stands on goes, one comes before it and one behind it.
    place.remove("b/copy.txt");
    place.write("a/another.txt", "before\n");
    place.write("c/late.txt", "behind\n");
    place.ingest(&[]);
    assert_eq!(
        listed(&server, &format!("cursor={cursor}")),
        ["b/photo.png", "b/scripts.txt", "c/late.txt", "empty.txt"]
    );
    assert_eq!(listed(&server, "status=Deleted"), ["b/copy.txt"]);
}

#[test]
fn a_document_tells_what_it_is_and_how_it_begins() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let document = server.json(&format!("/api/v3/docs/{}", uid(&place, "b/scripts.txt")));
    let preview = document["extracted_text_preview"].as_str().unwrap();
    assert_eq!(document["extracted_text_preview_limit_chars"], 2000);
    assert_eq!(preview.chars().count(), 2000);
    assert_eq!(document["extracted_text_preview_truncated"], true);
    let text = place.run(["text", "corpus.db", "b/scripts.txt"]).expect(0).stdout;
    assert!(text.starts_with(preview));
    assert_eq!(document["text"]["char_length"], text.chars().count());
    assert_eq!((&document["processing_status"], &document["format"]), (&"Processed".into(), &"text".into()));
    let copy = server.json(&format!("/api/v3/docs/{}", uid(&place, "b/copy.txt")));
    assert_eq!(copy["duplicate_status"], "duplicate");
    assert_eq!(copy["canonical_doc_uid"], uid(&place, "a/second.txt"));
    assert_eq!(copy["extracted_text_preview"], "A second text about a lighthouse and its keeper.\n");
    assert_eq!(copy["extracted_text_preview_truncated"], false);
    assert_eq!(copy["duplicates"][0]["relative_path"], "a/second.txt");
    assert_eq!((&copy["format"], copy["estimated_tokens"].is_u64()), (&"text".into(), true));
    let photo = server.json(&format!("/api/v3/docs/{}", uid(&place, "b/photo.png")));
    assert_eq!((&photo["extracted_text_preview"], &photo["text"]), (&Value::Null, &Value::Null));
    server.refuses("/api/v3/docs/nobody", 404, "not-found");
    server.refuses(&format!("/api/v3/docs/{}/text", uid(&place, "b/photo.png")), 404, "no-text");
}

/// The whole text, part by part; each part as long as it says.
#[track_caller]
fn paged(server: &Server, uid: &str, mut step: impl FnMut() -> usize) -> String {
    let mut text = String::new();
    let mut offset = 0;
    loop {
        let limit = step();
        let part = server.json(&format!("/api/v3/docs/{uid}/text?offset={offset}&limit={limit}"));
        assert_eq!((&part["offset"], &part["limit"]), (&offset.into(), &limit.into()));
        let piece = part["text"].as_str().unwrap();
        let chars = piece.chars().count();
        text.push_str(piece);
        offset += chars;
        let total = part["total_chars"].as_u64().unwrap() as usize;
        assert_eq!(part["truncated"], offset < total, "{part}");
        if offset == total {
            return text;
        }
        assert_eq!(chars, limit);
    }
}

#[test]
fn text_in_parts_of_any_size_is_the_text() {
    let place = workshop();
    // Several segments, with characters of every width at their ends.
    place.write("large.txt", SCRIPTS.repeat(12_000));
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    for name in place.rows("SELECT relative_path FROM files WHERE processing_status = 'Processed'") {
        let printed = place.run(["text", "corpus.db", &name]).expect(0).stdout;
        assert_eq!(paged(&server, &uid(&place, &name), || 1_000_000), printed, "{name}");
    }
    let large = uid(&place, "large.txt");
    let printed = place.run(["text", "corpus.db", "large.txt"]).expect(0).stdout;
    for round in 0..rounds(3) {
        with_seed(seed() + round as u64, |dice| {
            let longest = dice.pick(&[100_000, 300_000, 700_000]);
            assert_eq!(paged(&server, &large, || 20_000 + dice.below(longest)), printed);
        });
    }
    let scripts = uid(&place, "b/scripts.txt");
    let printed = place.run(["text", "corpus.db", "b/scripts.txt"]).expect(0).stdout;
    assert_eq!(paged(&server, &scripts, || 97), printed);
    let behind = server.json(&format!("/api/v3/docs/{scripts}/text?offset=99999999999999999999999"));
    assert_eq!((&behind["text"], &behind["truncated"]), (&"".into(), &false.into()));
}

#[test]
fn chunks_lead_to_the_text_and_to_every_place() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let scripts = uid(&place, "b/scripts.txt");
    let text: Vec<char> =
        place.run(["text", "corpus.db", "b/scripts.txt"]).expect(0).stdout.chars().collect();
    let (mut cursor, mut seen) = (String::new(), Vec::new());
    loop {
        let page = server.json(&format!("/api/v3/docs/{scripts}/chunks?limit=7{cursor}"));
        for chunk in page["chunks"].as_array().unwrap() {
            let range =
                chunk["char_start"].as_u64().unwrap() as usize..chunk["char_end"].as_u64().unwrap() as usize;
            assert_eq!(text[range].iter().collect::<String>(), chunk["content"].as_str().unwrap());
            seen.push(chunk["content_hash"].as_str().unwrap().to_owned());
        }
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    let expected = place.rows(
        "SELECT content_hash FROM chunk_sources JOIN chunks USING(chunk_id) JOIN files USING(file_id)
         WHERE relative_path = 'b/scripts.txt' ORDER BY start_index, chunk_id",
    );
    assert_eq!(seen, expected);
    let found = server.json("/api/v3/search?query=lighthouse+keeper");
    let hash = found["hits"][0]["content_hash"].as_str().unwrap();
    let chunk = server.json(&format!("/api/v3/chunks/{hash}"));
    assert_eq!(chunk["content"], "A second text about a lighthouse and its keeper.");
    assert_eq!(chunk["source_count"], 1);
    assert_eq!(chunk["sources"][0]["relative_path"], "a/second.txt");
    assert_eq!(chunk["sources"][0]["duplicates"][0]["relative_path"], "b/copy.txt");
    assert_eq!(server.json(&format!("/api/v3/chunks/{}", chunk["chunk_id"])), chunk);
    for wrong in ["0", "x", &"0".repeat(64), "99999999999999999999999"] {
        server.refuses(&format!("/api/v3/chunks/{wrong}"), 404, "not-found");
    }
}

#[test]
fn search_gives_pages_of_hits_with_their_places() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let whole = server.json("/api/v3/search?query=xylophone+quartet&match=all");
    assert_eq!((whole["hits"].as_array().unwrap().len(), &whole["next_cursor"]), (0, &Value::Null));
    let typed = server.json("/api/v3/search?query=keeper+lightho&last_word=prefix");
    assert_eq!(typed["hits"][0]["content"], "A second text about a lighthouse and its keeper.");
    server.refuses("/api/v3/search?query=light&last_word=half", 400, "bad-parameter");
    let (mut hashes, mut cursor) = (BTreeSet::new(), String::new());
    loop {
        let page = server.json(&format!("/api/v3/search?query=words&limit=2{cursor}"));
        for hit in page["hits"].as_array().unwrap() {
            assert!(hashes.insert(hit["content_hash"].as_str().unwrap().to_owned()));
            assert!(hit["sources"][0]["char_start"].is_u64() && hit["snippet"].is_string());
        }
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    let all = server.json("/api/v3/search?query=words&limit=100");
    assert!(hashes.len() > 2 && hashes.len() == all["hits"].as_array().unwrap().len());
    server.refuses("/api/v3/search", 400, "bad-parameter");
}

#[test]
fn the_corpus_is_told_in_numbers() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let stats = server.json("/api/v3/stats");
    let printed = place.run(["stats", "corpus.db", "--json"]).expect(0).json();
    for key in
        ["files", "bytes", "duplicates", "by_status", "by_format", "chunks", "sources", "tokens", "errors"]
    {
        assert_eq!(stats[key], printed[key], "{key}");
    }
    assert_eq!(stats["roots"], serde_json::json!([{"root_id": 1}]));
    assert!(stats["tokens_saved"].as_u64().unwrap() > 0);
    let settings = serde_json::json!({
        "tokenizer_model": "cl100k_base", "chunk_size": 512, "chunk_overlap": 50,
        "clean_version": "clean_v1", "clean_version_pinned": false
    });
    assert_eq!((&stats["settings"], &printed["settings"]), (&settings, &settings));
    assert_eq!(server.json("/healthz")["status"], "ok");
}

#[test]
fn a_run_writes_what_is_being_served() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    assert_eq!(listed(&server, "query=latest"), [""; 0]);
    place.write("c/news.txt", "the latest of news\n");
    place.ingest(&[]);
    assert_eq!(place.one("PRAGMA journal_mode"), "wal", "the run left the mode to the server");
    assert_eq!(listed(&server, "query=latest"), ["c/news.txt"]);
    assert_eq!(server.json("/api/v3/search?query=latest")["hits"].as_array().unwrap().len(), 1);
    assert_eq!(server.end(Signal::TERM), Some(0));
    assert_eq!(place.one("PRAGMA journal_mode"), "delete");
}

#[test]
fn a_mistyped_query_is_explained() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    for query in ["AND", "FOG+OR", "path:a+NOT+b", ""] {
        let detail = server.refuses(&format!("/api/v3/search?query={query}"), 400, "bad-query");
        assert!(
            !detail.contains("fts5") && !detail.contains("SQL") && detail.len() > 20,
            "{query}: {detail}"
        );
    }
    // Signs alone are no mistake: nothing is found, and a note says why.
    for query in ["%21%21%21", "%22%28%29%22", "*", "%22", "%28"] {
        let found = server.json(&format!("/api/v3/search?query={query}"));
        assert_eq!((&found["total"], found["hits"].as_array().map(Vec::len)), (&0.into(), Some(0)));
        let note = found["notes"][0].as_str().unwrap();
        assert!(note.contains("has no letter or digit"), "{query}: {note}");
        let page = server.get(&format!("/search?query={query}"));
        let text = String::from_utf8(page.body).unwrap();
        assert!(page.status == 200 && text.contains("has no letter or digit"), "{query}: {text}");
    }
}

#[test]
fn every_answer_is_of_one_moment_while_runs_swap_rows() {
    let place = Workshop::new();
    // Every paragraph of a state has its number, and states differ in length.
    let state = |number: usize| format!("state {number} of the lamp\n\n").repeat(200 + number);
    place.write("a/moving.txt", state(0));
    place.write("b/still.txt", "still the same\n");
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let (moving, still) = (uid(&place, "a/moving.txt"), uid(&place, "b/still.txt"));
    let is_done = std::sync::atomic::AtomicBool::new(false);
    let read = || {
        let mut seen = BTreeSet::new();
        while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
            let part = server.json(&format!("/api/v3/docs/{moving}/text"));
            let text = part["text"].as_str().unwrap();
            let number: usize = text.split(' ').nth(1).unwrap().parse().unwrap();
            assert_eq!(text.trim_end(), state(number).trim_end(), "one text of one state");
            assert_eq!(part["total_chars"], text.chars().count());
            seen.insert(number);
            let document = server.json(&format!("/api/v3/docs/{moving}"));
            let length = document["text"]["char_length"].as_u64().unwrap();
            let preview = document["extracted_text_preview"].as_str().unwrap();
            let number = preview.split(' ').nth(1).unwrap().parse().unwrap();
            assert!(state(number).chars().count() as u64 - length < 3, "{length} of state {number}");
            let page = server.json(&format!("/api/v3/docs/{moving}/chunks"));
            for chunk in page["chunks"].as_array().unwrap() {
                let content = chunk["content"].as_str().unwrap();
                let (start, end) =
                    (chunk["char_start"].as_u64().unwrap(), chunk["char_end"].as_u64().unwrap());
                assert_eq!(content.chars().count() as u64, end - start);
            }
            let hits = server.json("/api/v3/search?query=still");
            assert_eq!(hits["hits"][0]["sources"][0]["doc_uid"], *still, "{hits}");
        }
        seen.len()
    };
    let seen = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3).map(|_| scope.spawn(read)).collect();
        for number in 1..=6 {
            place.write("a/moving.txt", state(number));
            place.ingest(&[]);
            place.rename("a/moving.txt", "c.txt");
            place.ingest(&[]);
            place.rename("c.txt", "a/moving.txt");
            place.ingest(&["--force-reprocess"]);
        }
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        readers.into_iter().map(|reader| reader.join().unwrap()).max().unwrap()
    });
    assert!(seen > 1, "the readers saw one state alone");
    assert_eq!((uid(&place, "a/moving.txt"), uid(&place, "b/still.txt")), (moving, still));
}

#[test]
fn every_answer_has_the_form_that_the_openapi_document_gives_it() {
    let place = workshop();
    place.write("bad.pdf", "%PDF-1.4 nothing\n");
    place.write("torn.txt", b"torn \xff text\n");
    place.write(
        "1.eml",
        "From: a@x\nSubject: Day\nMessage-ID: <1@x>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
         --b\n\nLamp.\n--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nlamp\n--b--\n",
    );
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let api = server.json("/api/v3/openapi.json");
    let check = |path: &str, target: &str| {
        let answer = server.get(target);
        let kind = answer.header("content-type");
        let response = &api["paths"][path]["get"]["responses"][answer.status.to_string()]["content"][kind];
        let schema = &response["schema"];
        assert!(schema.is_object(), "{target} answers {} {kind}, which is not foreseen", answer.status);
        let answer = answer.json();
        assert_eq!(violations_of(&api, schema, &answer), Vec::<String>::new(), "{target}: {answer}");
        let known = names(&api, schema);
        let unknown: Vec<_> =
            answer.as_object().unwrap().keys().filter(|name| !known.contains(*name)).collect();
        assert!(unknown.is_empty(), "{target}: {unknown:?} is in no schema");
        answer
    };
    check("/healthz", "/healthz");
    check("/api/v3/stats", "/api/v3/stats");
    check("/api/v3/search", "/api/v3/search?query=lamp&context=1");
    check("/api/v3/search", "/api/v3/search?query=%22open");
    let threads = check("/api/v3/threads", "/api/v3/threads");
    let thread = threads["threads"][0]["thread_uid"].as_str().unwrap();
    check("/api/v3/threads/{uid}", &format!("/api/v3/threads/{thread}"));
    let docs = check("/api/v3/docs", "/api/v3/docs");
    for doc in docs["docs"].as_array().unwrap() {
        let uid = doc["doc_uid"].as_str().unwrap();
        check("/api/v3/docs/{doc_uid}", &format!("/api/v3/docs/{uid}"));
        check("/api/v3/docs/{doc_uid}/text", &format!("/api/v3/docs/{uid}/text"));
        check("/api/v3/mails/{uid}", &format!("/api/v3/mails/{uid}"));
        let chunks = check("/api/v3/docs/{doc_uid}/chunks", &format!("/api/v3/docs/{uid}/chunks"));
        if let Some(chunk) = chunks["chunks"][0]["chunk_id"].as_u64() {
            check("/api/v3/chunks/{id}", &format!("/api/v3/chunks/{chunk}"));
        }
    }
}
