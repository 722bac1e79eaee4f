//! `serve`: every endpoint and every refusal, asked over a socket.

use crate::http::Server;
use crate::support::{Workshop, rounds, seed, with_seed};
use rustix::process::Signal;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// Characters of every width, marks that combine, emoji of several characters.
const SCRIPTS: &str =
    "Plain words. Größe, e\u{301}te\u{301}. 日本語の文章です。 👩‍👩‍👧‍👦 and 🇩🇪. नमस्ते दुनिया. سلام.\n\n";

fn workshop() -> Workshop {
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

fn uid(place: &Workshop, name: &str) -> String {
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
    let whole = server.json("/api/v3/search?query=nothing+of+the+kind");
    assert_eq!((whole["hits"].as_array().unwrap().len(), &whole["next_cursor"]), (0, &Value::Null));
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
    assert_eq!(server.json("/healthz")["status"], "ok");
}

#[test]
fn mistakes_are_answered_with_problem_documents() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    for target in [
        "/api/v3/docs?limit=0",
        "/api/v3/docs?limit=x",
        "/api/v3/docs?limit=1&limit=2",
        "/api/v3/docs?nope=1",
        "/api/v3/docs?status=processed",
        "/api/v3/docs?query=%ff",
    ] {
        server.refuses(target, 400, "bad-parameter");
    }
    for cursor in ["x", "", "d1", "c1-2"] {
        server.refuses(&format!("/api/v3/docs?cursor={cursor}"), 400, "bad-cursor");
    }
    for target in ["/nothing", "/api/v3", "/api/v3/docs/", "/api/v3/docs/%ff", "/api/v3/docs/a/b/c"] {
        server.refuses(target, 404, "not-found");
    }
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        let answer = server.send(method, "/api/v3/docs", &[], b"");
        answer.problem(405, "wrong-method");
        assert_eq!(answer.header("allow"), "GET,HEAD");
    }
    server.send("GET", "/api/v3/docs", &[], &vec![b'x'; 20_000]).problem(413, "too-large");
    server.refuses(&format!("/api/v3/docs?query={}", "x".repeat(40_000)), 414, "long-address");
    let head = server.send("HEAD", "/api/v3/stats", &[], b"");
    assert_eq!((head.status, head.body.len(), head.header("content-type")), (200, 0, "application/json"));
}

#[test]
fn only_known_hosts_are_answered() {
    let place = workshop();
    let server = Server::start(&place, &["--host", "corpus.example"]);
    for host in ["localhost", "LocalHost:1", "127.0.0.1", "[::1]:99", "corpus.example", "Corpus.Example:80"] {
        assert_eq!(server.send("GET", "/healthz", &[("Host", host)], b"").status, 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", "10.0.0.1", "127.0.0.1.evil.example"] {
        server.send("GET", "/api/v3/stats", &[("Host", host)], b"").problem(403, "wrong-host");
    }
    server.send("GET", "/api/v3/stats", &[("Host", "")], b"").problem(403, "wrong-host");
    server.send("GET", "http://evil.example/api/v3/stats", &[], b"").problem(403, "wrong-host");
}

#[test]
fn a_token_closes_everything_but_health() {
    let place = workshop();
    let server = Server::start(&place, &["--token", "s3cret-token"]);
    assert_eq!(server.get("/healthz").status, 200);
    for target in ["/api/v3/docs", "/api/v3/stats", "/api/v3/openapi.json", "/", "/nothing"] {
        let answer = server.get(target);
        answer.problem(401, "no-token");
        assert!(answer.header("www-authenticate").starts_with("Bearer"));
        let wrong = server.send("GET", target, &[("Authorization", "Bearer s3cret-tokem")], b"");
        wrong.problem(401, "no-token");
    }
    let right = [("Authorization", "Bearer s3cret-token")];
    assert_eq!(server.send("GET", "/api/v3/stats", &right, b"").status, 200);
    let page = server.send("GET", "/", &[("Accept", "text/html,*/*")], b"");
    assert_eq!((page.status, page.header("location")), (303, "/login"));
    let wrong = server.send("POST", "/login", &[], b"token=guess");
    assert_eq!((wrong.status, wrong.header("set-cookie")), (401, ""));
    let entered = server.send("POST", "/login", &[], b"token=s3cret-token");
    assert_eq!((entered.status, entered.header("location")), (303, "/"));
    let cookie = entered.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains("s3cret"));
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(server.send("GET", "/api/v3/stats", &[("Cookie", cookie)], b"").status, 200);
}

#[test]
fn off_loopback_a_token_is_needed() {
    let place = workshop();
    let refused = place.run(["serve", "corpus.db", "--bind", "0.0.0.0:0"]).expect(2);
    assert!(refused.stderr.contains("can be reached from outside"), "{refused:?}");
    let server = Server::at(&place, "0.0.0.0:0", &["--token", "abc"]);
    server.get("/api/v3/stats").problem(401, "no-token");
    assert_eq!(server.send("GET", "/api/v3/stats", &[("Authorization", "Bearer abc")], b"").status, 200);
    place.run(["serve", "missing.db"]).expect(4);
    place.run(["serve", "tree"]).expect(5);
    let taken = server.address.to_string();
    place.run(["serve", "corpus.db", "--token", "x", "--bind", &taken]).expect(4);
}

#[test]
fn no_path_of_this_machine_is_told_unless_it_is_asked_for() {
    let place = workshop();
    place.write("wet.txt", b"torn \xff\xfe\xfd text, torn \x81 here and there \xc3\n");
    place.write("bad.pdf", "%PDF-1.4 nothing\n");
    place.ingest(&[]);
    let folder = place.path("").display().to_string();
    let folder = folder.trim_end_matches('/');
    let targets = |server: &Server| {
        let mut targets = vec![
            "/api/v3/docs".to_owned(),
            "/api/v3/stats".to_owned(),
            "/api/v3/search?query=torn".to_owned(),
        ];
        let docs = server.json("/api/v3/docs")["docs"].as_array().unwrap().clone();
        for doc in docs {
            let uid = doc["doc_uid"].as_str().unwrap();
            targets.extend(["", "/text", "/chunks"].map(|part| format!("/api/v3/docs/{uid}{part}")));
        }
        targets
    };
    let server = Server::start(&place, &[]);
    for target in targets(&server) {
        let text = server.get(&target).text();
        assert!(!text.contains(folder), "{target}: {text}");
    }
    let server = Server::start(&place, &["--show-paths"]);
    assert!(server.get("/api/v3/docs").text().contains(folder));
    assert_eq!(server.json("/api/v3/stats")["roots"][0]["path"], place.tree().display().to_string());
}

#[test]
fn a_server_ends_in_order_and_leaves_one_plain_file() {
    for signal in [Signal::INT, Signal::TERM] {
        let place = workshop();
        assert_eq!(place.one("PRAGMA journal_mode"), "delete");
        let server = Server::start(&place, &[]);
        assert_eq!(place.one("PRAGMA journal_mode"), "wal");
        server.json("/api/v3/docs");
        assert_eq!(server.end(signal), Some(0));
        assert_eq!(place.one("PRAGMA journal_mode"), "delete");
        assert!(!place.path("corpus.db-wal").exists() && !place.path("corpus.db-shm").exists());
        place.verify();
    }
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

/// What a browser asks.
const BROWSER: &[(&str, &str)] = &[("Accept", "text/html,application/xhtml+xml")];

#[test]
fn pages_show_the_corpus_and_run_nothing_of_it() {
    let place = workshop();
    let evil = "<img src=x onerror=alert(1)>\" onload=\"alert(2)";
    place.write(
        format!("{evil}.md"),
        "# <script>alert(3)</script>\n\n<svg onload=alert(4)> lamp 'quoted' \"text\"\n",
    );
    place.write("torn.txt", b"torn \xff text that nobody can read \xfe\n");
    place.write("bad.pdf", "%PDF-1.4 nothing\n");
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let documents = place.rows("SELECT doc_uid FROM files WHERE file_type = 'file'");
    let fixed = [
        "/",
        "/docs",
        "/docs?query=&format=&status=",
        "/docs?query=lamp&status=Processed",
        "/search",
        "/review",
        "/errors",
    ];
    let searches = [
        "/search?query=lamp",
        "/search?query=%3Cscript%3E",
        "/search?query=%22open",
        "/search?query=svg&path=&format=md",
    ];
    let mut targets: Vec<String> = fixed.iter().chain(&searches).map(|target| (*target).to_owned()).collect();
    targets.extend(documents.iter().map(|uid| format!("/docs/{uid}?at=0#found")));
    for target in targets {
        let page = server.send("GET", target.split('#').next().unwrap(), BROWSER, b"");
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"), "{target}");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"), "{policy}");
        let text = page.text();
        for wrong in [
            "<img",
            "<script>",
            "<svg onload",
            " style=",
            "onerror=alert(1)>\"",
            "javascript:",
            "http://",
            "https://",
        ] {
            assert!(!text.contains(wrong), "{target} holds {wrong}: {text}");
        }
        assert!(
            text.contains("<main id=\"main\"") && text.contains("lang=\"en\"") && text.contains("<h1"),
            "{target}"
        );
    }
    let text = server.send("GET", "/search?query=lamp", BROWSER, b"").text();
    assert!(text.contains("<mark>lamp</mark>"), "{text}");
    let text = server.send("GET", "/search?query=%22open", BROWSER, b"").text();
    assert!(text.contains("role=\"alert\"") && !text.contains("fts5"), "{text}");
    let missing = server.send("GET", "/docs/nobody", BROWSER, b"");
    assert_eq!((missing.status, missing.header("content-type")), (404, "text/html; charset=utf-8"));
    server.refuses("/docs/nobody", 404, "not-found");
    for (asset, kind) in
        [("/style.css", "text/css; charset=utf-8"), ("/page.js", "text/javascript; charset=utf-8")]
    {
        assert_eq!(server.get(asset).header("content-type"), kind);
    }
}

#[test]
fn a_document_shows_every_character_of_its_text_once() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let scripts = uid(&place, "b/scripts.txt");
    let text = place.run(["text", "corpus.db", "b/scripts.txt"]).expect(0).stdout;
    let (mut shown, mut number) = (String::new(), 1);
    loop {
        let page = server.send("GET", &format!("/docs/{scripts}?page={number}"), BROWSER, b"").text();
        for words in page.split("<div class=\"words\" dir=\"auto\">").skip(1) {
            let words = words.split("</div>").next().unwrap();
            shown.push_str(
                &words
                    .replace("<span class=\"overlap\" title=\"The next chunk begins here\">", "")
                    .replace("</span>", ""),
            );
        }
        if !page.contains("rel=\"next\"") {
            break;
        }
        number += 1;
    }
    assert!(number > 1);
    // Pages overlap as chunks do: the text is there from end to end, without white space at its ends.
    let plain = shown.replace("&amp;", "&");
    assert!(
        plain.starts_with("Plain words.")
            && plain.trim_end().ends_with(text.trim_end().lines().last().unwrap())
    );
    assert!(plain.chars().count() >= text.trim().chars().count());
}

#[test]
fn mails_and_threads_are_served_with_what_is_attached() {
    let place = Workshop::new();
    let head = "From: Ada <ada@example.org>\r\nTo: Bob <bob@example.org>\r\nMIME-Version: 1.0\r\n";
    place.write("1.eml", format!(
        "{head}Subject: Lamp\r\nMessage-ID: <1@example.org>\r\nDate: Mon, 2 Mar 2026 10:00:00 +0000\r\n\
         Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n\
         <p onclick=\"evil()\">The lamp is <b>lit</b>.<script>alert(1)</script></p>\r\n--b\r\n\
         Content-Type: text/plain; name=notes.txt\r\nContent-Disposition: attachment; filename=notes.txt\r\n\r\n\
         Attached words.\r\n--b--\r\n"
    ));
    place.write(
        "2.eml",
        format!(
            "{head}Subject: Re: Lamp\r\nMessage-ID: <2@example.org>\r\nIn-Reply-To: <1@example.org>\r\n\
         Date: Tue, 3 Mar 2026 10:00:00 +0000\r\n\r\nGood.\r\n"
        ),
    );
    place.write("copy/2.eml", fs::read(place.tree().join("2.eml")).unwrap());
    place.write("plain.txt", "no mail\n");
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let mail = server.json(&format!("/api/v3/mails/{}", uid(&place, "1.eml")));
    assert_eq!((&mail["subject"], &mail["message_id"]), (&"Lamp".into(), &"1@example.org".into()));
    assert_eq!(mail["attachments"][0]["filename"], "notes.txt");
    let attached = mail["attachments"][0]["doc_uid"].as_str().unwrap();
    assert_eq!(server.json(&format!("/api/v3/docs/{attached}/text"))["text"], "Attached words.");
    let document = server.json(&format!("/api/v3/docs/{attached}"));
    assert_eq!(document["parent"]["doc_uid"], uid(&place, "1.eml"));
    assert!(document["name"].as_str().unwrap().starts_with("1.eml » "), "{document}");
    let (shown, raw) = (mail["body_html"].as_str().unwrap(), mail["body_html_raw"].as_str().unwrap());
    assert!(
        shown.contains("<b>lit</b>") && !shown.contains("script") && !shown.contains("onclick"),
        "{shown}"
    );
    assert!(raw.contains("<script>alert(1)</script>"), "{raw}");
    let threads = server.json("/api/v3/threads");
    assert_eq!(threads["threads"].as_array().unwrap().len(), 1);
    let uid_of_thread = threads["threads"][0]["thread_uid"].as_str().unwrap();
    assert_eq!(mail["thread_uid"], uid_of_thread);
    let thread = server.json(&format!("/api/v3/threads/{uid_of_thread}"));
    let subjects: Vec<&str> =
        thread["mails"].as_array().unwrap().iter().map(|mail| mail["subject"].as_str().unwrap()).collect();
    assert_eq!(subjects, ["Lamp", "Re: Lamp"]);
    assert!(thread["mails"][1]["body_markdown"].as_str().unwrap().contains("Good."));
    let first = server.json(&format!("/api/v3/threads/{uid_of_thread}?limit=1"));
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = server.json(&format!("/api/v3/threads/{uid_of_thread}?limit=1&cursor={cursor}"));
    assert_eq!((&second["mails"][0]["subject"], &second["next_cursor"]), (&"Re: Lamp".into(), &Value::Null));
    let copy = server.json(&format!("/api/v3/mails/{}", uid(&place, "copy/2.eml")));
    assert_eq!(copy["subject"], "Re: Lamp");
    server.refuses(&format!("/api/v3/mails/{}", uid(&place, "plain.txt")), 404, "not-found");
    server.refuses("/api/v3/threads/nothing", 404, "not-found");
    server.refuses("/api/v3/threads?cursor=x", 400, "bad-cursor");
}

#[test]
fn a_mistyped_query_is_explained() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    for query in ["%22open", "(a", "AND", "NOT+a", "", "%22", "***"] {
        let detail = server.refuses(&format!("/api/v3/search?query={query}"), 400, "bad-query");
        assert!(
            !detail.contains("fts5") && !detail.contains("SQL") && detail.len() > 20,
            "{query}: {detail}"
        );
    }
}
