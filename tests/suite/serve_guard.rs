//! Who may ask `serve`, what it refuses, what it waits for, how it ends.

use crate::http::{Answer, Server};
use crate::serve::{uid, workshop};
use crate::support::timed;
use rustix::process::Signal;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A user whom permissions bind.
const NOBODY: u32 = 65534;

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
    for number in ["-1", "1.5", "1e3", "%2B5", "0x10", "%201", "nan", "%D9%A3"] {
        server.refuses(&format!("/api/v3/docs?limit={number}"), 400, "bad-parameter");
        let text = format!("/api/v3/docs/{}/text", uid(&place, "b/scripts.txt"));
        server.refuses(&format!("{text}?offset={number}"), 400, "bad-parameter");
        server.refuses(&format!("{text}?limit={number}"), 400, "bad-parameter");
    }
    server.send("GET", "/api/v3/docs", &[], &vec![b'x'; 20_000]).problem(413, "too-large");
    server.refuses(&format!("/api/v3/docs?query={}", "x".repeat(40_000)), 414, "long-address");
}

#[test]
fn head_is_get_without_a_body_whatever_comes_of_it() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    for (target, status, kind) in [
        ("/api/v3/stats", 200, "application/json"),
        ("/healthz", 200, "application/json"),
        ("/", 200, "text/html; charset=utf-8"),
        ("/nothing", 404, "application/problem+json"),
        ("/api/v3/docs/nobody", 404, "application/problem+json"),
        ("/api/v3/docs?limit=0", 400, "application/problem+json"),
    ] {
        let head = server.send("HEAD", target, &[], b"");
        assert_eq!(
            (head.status, head.body.len(), head.header("content-type")),
            (status, 0, kind),
            "{target}"
        );
        let length = server.get(target).body.len().to_string();
        assert_eq!(head.header("content-length"), length, "{target}");
    }
    // Answers of the API have one form: what a client would rather have changes nothing.
    for accept in ["text/csv", "text/html", "application/xml;q=0.9", "garbage"] {
        let answer = server.send("GET", "/api/v3/stats", &[("Accept", accept)], b"");
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"), "{accept}");
        server.send("GET", "/api/v3/nothing", &[("Accept", accept)], b"").problem(404, "not-found");
    }
}

#[test]
fn every_list_refuses_cursors_that_are_not_its_own() {
    let place = workshop();
    place.write("1.eml", "From: a@x\nSubject: Day\nMessage-ID: <1@x>\n\nWords.\n");
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let chunks = format!("/api/v3/docs/{}/chunks?", uid(&place, "b/scripts.txt"));
    let thread = server.json("/api/v3/threads")["threads"][0]["thread_uid"].as_str().unwrap().to_owned();
    let thread = format!("/api/v3/threads/{thread}?");
    let lists = [
        ("/api/v3/docs?", "d1-61"),
        (&chunks, "c0-1"),
        ("/api/v3/search?query=words&", "s1"),
        ("/api/v3/threads?", "t61-62"),
        (&thread, "m0"),
    ];
    let garbage = ["", "x", "%00", "%F0%9F%92%A1", "-1", "d", "m-1", "s99999999999999999999", "c1-", "t6-6"];
    for (list, own) in lists {
        for wrong in garbage.into_iter().chain(lists.map(|(_, cursor)| cursor)).filter(|wrong| *wrong != own)
        {
            server.refuses(&format!("{list}cursor={wrong}"), 400, "bad-cursor");
        }
        assert_eq!(server.get(&format!("{list}cursor={own}")).status, 200, "{list}{own}");
    }
    // A place behind everything is a place: nothing comes behind it.
    let behind = server.json(&format!("{chunks}cursor=c999999999999999-999999999999999"));
    assert_eq!((behind["chunks"].as_array().unwrap().len(), &behind["next_cursor"]), (0, &().into()));
    let behind = server.json("/api/v3/search?query=words&cursor=s999999999999999");
    assert_eq!((behind["hits"].as_array().unwrap().len(), &behind["next_cursor"]), (0, &().into()));
    let behind = server.json(&format!("{thread}cursor=m999999999999999"));
    assert_eq!((behind["mails"].as_array().unwrap().len(), &behind["next_cursor"]), (0, &().into()));
}

#[test]
fn a_uid_may_be_written_with_percents_and_is_nothing_but_a_uid() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let uid = uid(&place, "a/first.md");
    let encoded: String = uid.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let plain = server.json(&format!("/api/v3/docs/{uid}"));
    assert_eq!(server.json(&format!("/api/v3/docs/{encoded}")), plain);
    assert_eq!(server.json(&format!("/api/v3/docs/{encoded}/text"))["doc_uid"], uid);
    let long = "x".repeat(20_000);
    for wrong in
        ["%2e%2e", "..%2Fcorpus.db", "%00", "%2F", "a%2Ffirst.md", "%25", "*", "%27%20OR%201=1--", &long]
    {
        for part in ["", "/text", "/chunks"] {
            server.refuses(&format!("/api/v3/docs/{wrong}{part}"), 404, "not-found");
        }
        server.refuses(&format!("/api/v3/mails/{wrong}"), 404, "not-found");
        server.refuses(&format!("/api/v3/threads/{wrong}"), 404, "not-found");
        server.refuses(&format!("/api/v3/chunks/{wrong}"), 404, "not-found");
    }
    server.refuses("/api/v3/docs/%ff/text", 404, "not-found");
}

/// Sends the beginning of a request and reads what comes until the server closes.
#[track_caller]
fn begun(server: &Server, beginning: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(beginning.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}

#[test]
fn a_client_that_sends_slowly_is_not_waited_for() {
    let place = workshop();
    let server = Server::start(&place, &["--timeout", "1"]);
    let host = server.address;
    for head in ["", "GET ", "GET /healthz HTTP/1.1\r\nHost: local"] {
        let (bytes, time) = timed(|| begun(&server, head));
        assert!(time < Duration::from_secs(30), "{head:?} was waited for {time:?}");
        assert!(!bytes.starts_with(b"HTTP/1.1 200"), "{head:?}");
    }
    // A connection that lies idle behind its answer ends too.
    let (bytes, time) = timed(|| begun(&server, &format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n")));
    assert_eq!((Answer::read(&bytes).status, time < Duration::from_secs(30)), (200, true));
    let body = format!("POST /login HTTP/1.1\r\nHost: {host}\r\nContent-Length: 20\r\n\r\ntok");
    let (bytes, time) = timed(|| begun(&server, &body));
    Answer::read(&bytes).problem(408, "slow-request");
    assert!(time < Duration::from_secs(30), "{time:?}");
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_search_that_takes_too_long_is_ended_and_others_are_answered() {
    let place = workshop();
    let slow = place.add_a_slow_search();
    let server = Server::start(&place, &["--timeout", "1"]);
    let slow = format!("/api/v3/search?query={}", slow.replace(' ', "+").replace('"', "%22"));
    thread::scope(|scope| {
        let asked = scope.spawn(|| timed(|| server.get(&slow)));
        let (answer, time) = timed(|| server.get("/api/v3/search?query=lighthouse"));
        assert_eq!(answer.status, 200);
        assert!(time < Duration::from_secs(30), "beside a slow search: {time:?}");
        let (answer, time) = asked.join().unwrap();
        answer.problem(503, "too-slow");
        assert!(time < Duration::from_secs(30), "{time:?}");
    });
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_client_that_takes_nothing_is_given_up() {
    let place = workshop();
    place.write("large.txt", "lamp after lamp after lamp\n".repeat(30_000));
    place.ingest(&[]);
    let server = Server::start(&place, &["--timeout", "1"]);
    let target = format!("/api/v3/docs/{}/text", uid(&place, "large.txt"));
    let whole = server.get(&target).body.len();
    let times = 40;
    let request = format!("GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).repeat(times);
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    thread::sleep(Duration::from_secs(4));
    // What the system had taken is there; the rest was never sent.
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    assert!(bytes.len() < times * whole, "{} of {}", bytes.len(), times * whole);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn bodies_and_heads_that_are_too_large_are_refused() {
    let place = workshop();
    let server = Server::start(&place, &["--token", "abc"]);
    let host = server.address;
    server.send("POST", "/login", &[], &vec![b'x'; 20_000]).problem(413, "too-large");
    // Without a length, as it comes.
    let chunked = format!("POST /login HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n");
    let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
    server.raw(format!("{chunked}{}0\r\n\r\n", chunk.repeat(5)).as_bytes()).problem(413, "too-large");
    // What is no HTTP never gets as far as a problem document.
    let lines: String = (0..100).map(|at| format!("X-{at}: y\r\n")).collect();
    let many = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n{lines}\r\n");
    let large = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "y".repeat(300_000));
    for (head, status) in [(many.as_str(), 431), (&large, 431), ("lamp\r\n\r\n", 400)] {
        assert_eq!(server.raw(head.as_bytes()).status, status);
    }
    assert_eq!(server.get("/healthz").status, 200);
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
    server.raw(b"GET /healthz HTTP/1.0\r\n\r\n").problem(403, "wrong-host");
    server
        .raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")
        .problem(403, "wrong-host");
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
fn a_token_comes_from_a_file_or_the_environment() {
    let place = workshop();
    fs::write(place.path("token"), "from-file\r\n").unwrap();
    let server = Server::start(&place, &["--token-file", "token"]);
    let shown = |token: &'static str| [("Authorization", token)];
    assert_eq!(server.send("GET", "/api/v3/stats", &shown("Bearer from-file"), b"").status, 200);
    server.get("/api/v3/stats").problem(401, "no-token");
    drop(server);

    let refused = |words: &[&str], code: i32, said: &str| {
        let ran = place.run([&["serve", "corpus.db"], words].concat()).expect(code);
        assert!(ran.stderr.contains(said), "{ran:?}");
    };
    refused(&["--token-file", "none"], 4, "cannot read `none`");
    for (bytes, said) in [("", "is empty"), ("two words\n", "has blanks"), ("a\nb\n", "one line of letters")]
    {
        fs::write(place.path("token"), bytes).unwrap();
        refused(&["--token-file", "token"], 2, "the token of `token` is empty, or has blanks");
        refused(&["--token-file", "token"], 2, said);
    }
    refused(&["--token", "a", "--token-file", "token"], 2, "cannot be used with");
    for (value, code, said) in [("", 2, "the token of PENSIEVE_SERVE_TOKEN is empty"), ("x", 4, "missing.db")]
    {
        let mut program = place.command(["serve", if code == 2 { "corpus.db" } else { "missing.db" }]);
        let output = program.env("PENSIEVE_SERVE_TOKEN", value).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(code) && stderr.contains(said), "{stderr}");
        assert!(!stderr.contains("sets nothing"), "{stderr}");
    }
}

#[test]
fn off_loopback_a_token_is_needed() {
    let place = workshop();
    let refused = place.run(["serve", "corpus.db", "--bind", "0.0.0.0:0"]).expect(2);
    assert!(refused.stderr.contains("can be reached from outside"), "{refused:?}");
    let server = Server::at(&place, "0.0.0.0:0", &["--token", "abc"]);
    server.get("/api/v3/stats").problem(401, "no-token");
    server.refuses("/api/v3/stats?token=abc", 401, "no-token");
    for shown in ["Bearer abcd", "Bearer", "Basic abc", "abc", "Bearer ABC"] {
        let answer = server.send("GET", "/api/v3/stats", &[("Authorization", shown)], b"");
        answer.problem(401, "no-token");
    }
    for shown in ["Bearer abc", "bearer abc", "BEARER  abc"] {
        assert_eq!(
            server.send("GET", "/api/v3/stats", &[("Authorization", shown)], b"").status,
            200,
            "{shown}"
        );
    }
    // Of hosts by address all are its own, of names none.
    let shown = ("Authorization", "Bearer abc");
    assert_eq!(server.send("GET", "/api/v3/stats", &[shown, ("Host", "192.0.2.7")], b"").status, 200);
    server.send("GET", "/api/v3/stats", &[shown, ("Host", "evil.example")], b"").problem(403, "wrong-host");
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
    place.write("odd.log", "lamp");
    place.write(
        "1.eml",
        "From: a@x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\n\nLamp.\n--b\nContent-Type: application/octet-stream; name=in.log\n\
        Content-Disposition: attachment; filename=in.log\n\nlamp\n--b--\n",
    );
    // A tool that tells where it was, in every way that paths are told.
    let elsewhere = place.path("home/tool").display().to_string();
    let told = format!("echo \"cannot open $1:{elsewhere}, file://{elsewhere} ({elsewhere})\" >&2; exit 3");
    place.install_tool(&told);
    place.ingest(&["--config", "tool.toml"]);
    let folder = place.path("").display().to_string();
    let folder = folder.trim_end_matches('/');
    let targets = |server: &Server| {
        let mut targets = vec![
            "/api/v3/docs".to_owned(),
            "/api/v3/stats".to_owned(),
            "/api/v3/search?query=torn".to_owned(),
        ];
        targets.extend(["/", "/docs", "/review", "/errors", "/search?query=torn"].map(str::to_owned));
        let docs = server.json("/api/v3/docs")["docs"].as_array().unwrap().clone();
        for doc in docs {
            let uid = doc["doc_uid"].as_str().unwrap();
            targets.extend(["", "/text", "/chunks"].map(|part| format!("/api/v3/docs/{uid}{part}")));
            targets.extend([format!("/docs/{uid}"), format!("/api/v3/mails/{uid}")]);
        }
        targets
    };
    let server = Server::start(&place, &[]);
    let mut told = 0;
    for target in targets(&server) {
        let text = server.get(&target).text();
        assert!(!text.contains(folder), "{target}: {text}");
        told += usize::from(text.contains("cannot open"));
    }
    assert!(told > 3, "what the tool said is told, without its places: {told}");
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
fn what_is_under_way_is_finished_and_what_only_waits_is_not_waited_for() {
    let place = workshop();
    let server = Server::start(&place, &["--token", "abc"]);
    let host = server.address;
    let open = |request: String| {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    let idle = open(String::new());
    let mut kept = open(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    let half = open(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n"));
    let mut beginning = [0; 12];
    kept.read_exact(&mut beginning).unwrap();
    assert_eq!(&beginning, b"HTTP/1.1 200");
    // A wrong token is answered half a second later.
    let login = format!("POST /login HTTP/1.1\r\nHost: {host}\r\nContent-Length: 11\r\n\r\ntoken=guess");
    let mut under_way = open(login);
    thread::sleep(Duration::from_millis(150));
    let (code, time) = timed(|| server.end(Signal::TERM));
    assert_eq!(code, Some(0));
    assert!(time < Duration::from_secs(20), "{time:?}");
    let mut answer = Vec::new();
    let _ = under_way.read_to_end(&mut answer);
    assert_eq!(Answer::read(&answer).status, 401);
    assert_eq!(place.one("PRAGMA journal_mode"), "delete");
    place.verify();
    drop((idle, half));
}

#[test]
fn half_open_requests_keep_nobody_out() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let host = server.address;
    // More than may be open at once, and not more than the queue of the system takes.
    let half: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = TcpStream::connect(host).unwrap();
            stream.write_all(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n").as_bytes()).unwrap();
            stream
        })
        .collect();
    for _ in 0..10 {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(4))).unwrap();
        stream.write_all(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap();
        let mut beginning = [0; 12];
        stream.read_exact(&mut beginning).unwrap();
        assert_eq!(&beginning, b"HTTP/1.1 200");
    }
    drop(half);
    assert_eq!(server.end(Signal::TERM), Some(0));
}

/// A file that nobody may write, in a folder that nobody may write: it is served as it is.
#[test]
fn a_database_that_cannot_be_written_is_served_and_left_as_it_is() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let expected = server.json("/api/v3/stats");
    server.end(Signal::TERM);
    let program = place.path("pensieve");
    fs::copy(env!("CARGO_BIN_EXE_pensieve"), &program).unwrap();
    let before = fs::read(place.database()).unwrap();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for (file, folder) in [(0o444, 0o777), (0o444, 0o555), (0o666, 0o555)] {
        mode(&place.database(), file);
        mode(&place.path(""), folder);
        let mut command = Command::new(&program);
        command.args(["serve", "corpus.db", "--bind", "127.0.0.1:0"]).current_dir(place.path(""));
        command.env_clear().stdin(Stdio::null());
        if rustix::process::getuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        let server = Server::of(command);
        assert_eq!(server.json("/api/v3/stats"), expected, "{file:o} in {folder:o}");
        assert_eq!(server.get("/search?query=lamp").status, 200);
        assert_eq!(server.end(Signal::TERM), Some(0), "{file:o} in {folder:o}");
        mode(&place.path(""), 0o755);
        mode(&place.database(), 0o644);
        assert!(fs::read(place.database()).unwrap() == before, "{file:o} in {folder:o}");
        let beside = ["corpus.db-wal", "corpus.db-shm"].map(|name| place.path(name).exists());
        assert_eq!(beside, [false, false], "{file:o} in {folder:o}");
    }
}

#[test]
fn a_database_that_cannot_be_used_is_told_without_its_place() {
    let place = workshop();
    let holder = rusqlite::Connection::open(place.database()).unwrap();
    holder.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
    let refused = place.run(["serve", "corpus.db", "--bind", "127.0.0.1:0"]).expect(5);
    assert!(refused.stderr.contains("locked"), "{refused:?}");
    drop(holder);
    fs::write(place.path("foreign.db"), "no database at all, but long enough to be looked at".repeat(20))
        .unwrap();
    place.run(["serve", "foreign.db", "--bind", "127.0.0.1:0"]).expect(5);
    let server = Server::start(&place, &[]);
    let expected = server.json("/api/v3/stats");
    for name in ["corpus.db", "corpus.db-wal", "corpus.db-shm"] {
        let _ = fs::remove_file(place.path(name));
    }
    // Who is let in by a connection that was open before still reads; whoever needs a new one is told.
    let asked: Vec<Answer> = thread::scope(|scope| {
        let ask = || (0..20).map(|_| server.get("/api/v3/stats")).collect::<Vec<_>>();
        let all: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        all.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    let folder = place.path("").display().to_string();
    for answer in asked {
        match answer.status {
            200 => assert_eq!(answer.json(), expected),
            _ => assert!(!answer.problem(503, "no-database").contains(folder.trim_end_matches('/'))),
        }
    }
    let begun = Instant::now();
    server.end(Signal::TERM);
    assert!(begun.elapsed() < Duration::from_secs(20));
}
