//! `mcp`: a client over standard input and output, line by line, and over HTTP.

use crate::http::Server;
use crate::support::Workshop;
use pensieve_store::retrieval::Citation;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

const TEMPLATE: &str = "pensieve://{corpus}/{+path}";

fn workshop() -> Workshop {
    let place = Workshop::new();
    let guide = "# Guide\n\n## Lamp\n\nThe lamp is lit with oil at dusk.\n\n## Fog\n\nThe horn sounds every minute.\n";
    place.write("docs/guide.md", guide);
    place.write("docs/oil list.txt", "Oil is kept in the cellar. The keeper counts it.\n");
    place.write("notes/größe.txt", "Die Größe der Lampe ist bekannt. 日本語。 👩‍👩‍👧‍👦\n".repeat(40));
    place.write("other/guide.md", "# Another guide\n\nA storm is coming.\n");
    place.ingest(&[]);
    place
}

/// A running `pensieve mcp`.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    version: &'static str,
    last_id: u64,
}

impl Client {
    /// Starts the program over these databases; a client of 2025-11-25 also initializes.
    #[track_caller]
    fn start(place: &Workshop, databases: &[&str], version: &'static str) -> Client {
        let mut command = place.command(["mcp"].iter().chain(databases));
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Client { child, input, output, version, last_id: 0 };
        if version < "2026-07-28" {
            let info = json!({ "name": "test", "version": "1" });
            let begin = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": info });
            let result = client.ask("initialize", begin)["result"].clone();
            assert_eq!(result["protocolVersion"], version);
            assert_eq!(result["serverInfo"]["name"], "pensieve");
            client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn request(&mut self, method: &str, mut params: Value) -> u64 {
        self.last_id += 1;
        if self.version >= "2026-07-28" {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": self.version,
                "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    #[track_caller]
    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    #[track_caller]
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.receive();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&"2.0".into(), &id.into()), "{answer}");
        answer
    }

    /// The structured result of a tool.
    #[track_caller]
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.call_for_both(tool, arguments).0
    }

    /// The structured result of a tool, and its text.
    #[track_caller]
    fn call_for_both(&mut self, tool: &str, arguments: Value) -> (Value, String) {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        assert_eq!(result["isError"], false, "{answer}");
        (result["structuredContent"].clone(), result["content"][0]["text"].as_str().unwrap().to_owned())
    }

    /// The message of a tool that has no result.
    #[track_caller]
    fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Ends the input; the rest of the output, the exit code, and what was said on stderr.
    fn end(mut self) -> (String, Option<i32>, String) {
        drop(self.input.take());
        let (mut rest, mut errors) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (rest, self.child.wait().unwrap().code(), errors)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn clients_of_both_versions_are_served() {
    let place = workshop();
    for version in ["2025-11-25", "2026-07-28"] {
        let mut client = Client::start(&place, &["corpus.db"], version);
        if version == "2026-07-28" {
            let discovered = client.ask("server/discover", json!({}));
            let versions = discovered["result"]["supportedVersions"].to_string();
            assert!(versions.contains(version) && versions.contains("2025-11-25"), "{discovered}");
        }
        let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
        let names: Vec<&str> =
            tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(
            names,
            ["search", "fetch", "pack", "list_documents", "find_tables", "query_table", "corpus_info"]
        );
        for tool in tools.as_array().unwrap() {
            assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
            assert_eq!(
                (&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]),
                (&"object".into(), &"object".into())
            );
        }
        assert_eq!(client.call("search", json!({ "query": "lamp" }))["match"], "all");
        let unknown = client.ask("tools/call", json!({ "name": "delete", "arguments": {} }));
        assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
        let unknown = client.ask("tools/unknown", json!({}));
        assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
        assert_eq!(client.end(), (String::new(), Some(0), String::new()));
    }
}

#[test]
fn what_is_found_can_be_fetched_by_its_citation() {
    let place = workshop();
    let mut client = Client::start(&place, &["corpus.db"], "2025-11-25");
    let (found, text) =
        client.call_for_both("search", json!({ "query": "where is the oil kept", "limit": 1 }));
    let (hit, source) = (&found["hits"][0], &found["hits"][0]["sources"][0]);
    assert_eq!((&hit["corpus"], &source["relative_path"]), (&Value::Null, &"docs/oil list.txt".into()));
    let searched = place.run(["search", "corpus.db", "where is the oil kept", "--json"]).json();
    let long: Citation = searched["hits"][0]["sources"][0]["citation"].as_str().unwrap().parse().unwrap();
    let short = source["citation"].as_str().unwrap();
    assert_eq!(short, long.shortened(&long.doc_uid[..8]).to_string());
    let content = hit["content"].as_str().unwrap();
    assert!(text.contains(&format!(" | {short}\n```text\n{content}\n```\n")), "{text}");
    let (fetched, text) = client.call_for_both("fetch", json!({ "citation": short }));
    assert_eq!((&fetched["text"], &fetched["moved"]), (&hit["content"], &Value::Null));
    assert_eq!(text, format!("docs/oil list.txt | line 1 | {short}\n\n{content}"));
    let by_long = client.call("fetch", json!({ "citation": long.to_string() }));
    assert_eq!((&by_long, &fetched["next_offset"]), (&fetched, &Value::Null));
    place.write("docs/oil list.txt", "Oil is kept elsewhere now.\n");
    place.ingest(&[]);
    let message = client.refused("fetch", json!({ "citation": source["citation"] }));
    assert!(message.contains("no longer holds") && message.contains("`search`"), "{message}");
}

#[test]
fn a_document_is_fetched_in_parts_of_characters() {
    let place = workshop();
    let mut client = Client::start(&place, &["corpus.db"], "2026-07-28");
    let whole = place.run(["text", "corpus.db", "notes/größe.txt"]).expect(0).stdout;
    let (mut text, mut offset) = (String::new(), json!(0));
    while !offset.is_null() {
        let part = client.call("fetch", json!({ "path": "notes/größe.txt", "offset": offset, "limit": 333 }));
        text.push_str(part["text"].as_str().unwrap());
        assert_eq!(part["total_chars"], whole.chars().count());
        let cited = client.call("fetch", json!({ "citation": part["citation"] }));
        assert_eq!(cited["text"], part["text"]);
        offset = part["next_offset"].clone();
    }
    assert_eq!(text, whole);
    let lamp = client.call("fetch", json!({ "path": "docs/guide.md", "section": "lamp" }));
    let lamp = lamp["text"].as_str().unwrap();
    assert_eq!(lamp, "## Lamp\n\nThe lamp is lit with oil at dusk.\n\n");
    let by_uid = place.file("docs/guide.md", "doc_uid");
    assert_eq!(client.call("fetch", json!({ "doc_uid": by_uid }))["relative_path"], "docs/guide.md");
    let lines = client.call("fetch", json!({ "path": "docs/guide.md", "lines": "3-4" }));
    let guide = place.run(["text", "corpus.db", "docs/guide.md"]).expect(0).stdout;
    let expected: String = guide.split_inclusive('\n').skip(2).take(2).collect();
    assert_eq!(lines["text"], expected);
    let outline = client.call("fetch", json!({ "path": "docs/guide.md", "outline": true }))["text"].clone();
    let headings: String = guide.split_inclusive('\n').filter(|line| line.starts_with('#')).collect();
    assert_eq!(outline, headings);
    let around = client.call("search", json!({ "query": "lamp oil dusk", "limit": 1 }));
    let citation = &around["hits"][0]["sources"][0]["citation"];
    let around = client.call("fetch", json!({ "citation": citation, "expand": "neighbours" }));
    assert!(around["text"].as_str().unwrap().contains("The lamp is lit"), "{around}");
}

#[test]
fn a_pack_fits_its_budget_and_cites() {
    let place = workshop();
    let mut client = Client::start(&place, &["corpus.db"], "2025-11-25");
    let pack = client.call("pack", json!({ "question": "lamp and oil", "budget": 700 }));
    assert!(pack["tokens"].as_u64().unwrap() <= 700, "{pack}");
    let piece = &pack["pieces"][0];
    let fetched = client.call("fetch", json!({ "citation": piece["citation"] }));
    assert_eq!(fetched["text"], piece["text"]);
    let (small, text) = client.call_for_both("pack", json!({ "question": "lamp", "budget": 3 }));
    assert_eq!((&small["pieces"], &small["tokens"]), (&json!([]), &0.into()));
    assert!(text.contains("no part of it fits"), "{text}");
}

#[test]
fn documents_are_listed_and_counted() {
    let place = workshop();
    let mut client = Client::start(&place, &["corpus.db"], "2025-11-25");
    let (mut names, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let page = client.call("list_documents", json!({ "limit": 1, "cursor": cursor }));
        let listed = page["documents"].as_array().unwrap();
        names.extend(listed.iter().map(|row| row["relative_path"].as_str().unwrap().to_owned()));
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    let listed = client.call("list_documents", json!({}))["documents"].clone();
    for document in listed.as_array().unwrap() {
        let path = document["relative_path"].as_str().unwrap();
        assert!(document.to_string().len() <= path.len() + 60, "{document}");
    }
    assert_eq!(names, ["docs/guide.md", "docs/oil list.txt", "notes/größe.txt", "other/guide.md"]);
    let chosen = client.call("list_documents", json!({ "path": ["docs", "!*.txt"], "format": "md" }));
    assert_eq!(chosen["documents"][0]["relative_path"], "docs/guide.md");
    assert_eq!((chosen["documents"].as_array().unwrap().len(), &chosen["next_cursor"]), (1, &Value::Null));
    let info = client.call("corpus_info", json!({}))["corpora"][0].clone();
    assert_eq!(
        (&info["corpus"], &info["documents"], &info["formats"]["markdown"]),
        (&"corpus".into(), &4.into(), &2.into())
    );
    assert!(info["last_run"].as_str().unwrap().starts_with("finished"), "{info}");
}

#[test]
fn documents_are_resources_whose_addresses_are_completed() {
    let place = workshop();
    let mut client = Client::start(&place, &["corpus.db"], "2025-11-25");
    let listed = client.ask("resources/list", json!({}))["result"]["resources"].clone();
    for resource in listed.as_array().unwrap() {
        let read = client.ask("resources/read", json!({ "uri": resource["uri"] }));
        let name = resource["title"].as_str().unwrap();
        let text = place.run(["text", "corpus.db", name]).expect(0).stdout;
        assert_eq!(read["result"]["contents"][0]["text"], text, "{read}");
    }
    assert_eq!(listed[1]["uri"], "pensieve://corpus/docs/oil%20list.txt");
    let templates = client.ask("resources/templates/list", json!({}));
    assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], TEMPLATE);
    let mut complete = |argument: &str, value: &str| {
        let reference = json!({ "type": "ref/resource", "uri": TEMPLATE });
        let argument = json!({ "name": argument, "value": value });
        let answer = client.ask("completion/complete", json!({ "ref": reference, "argument": argument }));
        answer["result"]["completion"]["values"].clone()
    };
    assert_eq!(complete("corpus", "c"), json!(["corpus"]));
    assert_eq!(complete("corpus", "x"), json!([]));
    assert_eq!(complete("path", ""), json!(["docs/", "notes/", "other/"]));
    assert_eq!(complete("path", "d"), json!(["docs/guide.md", "docs/oil list.txt"]));
    assert_eq!(complete("path", "notes/gr"), json!(["notes/größe.txt"]));
    assert_eq!(complete("path", "guide"), json!(["docs/guide.md", "other/guide.md"]));
    assert_eq!(complete("path", "%"), json!([]));
    for wrong in
        ["pensieve://corpus/docs/none.md", "pensieve://other/docs/guide.md", "file:///etc/passwd", ""]
    {
        let answer = client.ask("resources/read", json!({ "uri": wrong }));
        assert_eq!(answer["error"]["code"], -32002, "{answer}");
    }
    let cursor = client.ask("resources/list", json!({ "cursor": "x" }));
    assert_eq!(cursor["error"]["code"], -32602, "{cursor}");
}

#[test]
fn wrong_arguments_say_what_to_do() {
    let place = workshop();
    let mut client = Client::start(&place, &["corpus.db"], "2025-11-25");
    for (tool, arguments, expected) in [
        ("search", json!({}), "the argument `query` is missing"),
        ("search", json!({ "query": "" }), "`query` must be a text that is not empty"),
        ("search", json!({ "query": 1 }), "`query` must be a text, not 1"),
        ("search", json!({ "query": "FOG AND" }), "write `term AND term`"),
        ("search", json!({ "query": "fog", "limit": -1 }), "`limit` must be a whole number of at least 1"),
        (
            "search",
            json!({ "query": "fog", "mode": "meaning" }),
            "`mode` must be one of words, vectors, hybrid",
        ),
        ("search", json!({ "query": "fog", "corpus": "x" }), "there is no corpus `x`; known are: corpus"),
        ("search", json!({ "question": "fog" }), "there is no argument `question`; known are: query"),
        ("fetch", json!({}), "give one of `citation`, `path` and `doc_uid`"),
        ("fetch", json!({ "path": "a", "doc_uid": "b" }), "give only one of"),
        ("fetch", json!({ "path": "nothing.txt" }), "`list_documents` shows paths"),
        ("fetch", json!({ "path": "guide.md" }), "fits several documents: `docs/guide.md`"),
        ("fetch", json!({ "citation": "Smith 2004" }), "is no citation; one looks like"),
        ("fetch", json!({ "citation": "pensieve:none/0-3/0123456789ab" }), "no corpus has the document"),
        ("fetch", json!({ "path": "docs/guide.md", "offset": 9999 }), "is after the end"),
        ("fetch", json!({ "path": "docs/guide.md", "page": 3 }), "has no page 3"),
        ("fetch", json!({ "path": "docs/guide.md", "lines": "99" }), "has no line 99"),
        ("fetch", json!({ "path": "docs/guide.md", "lines": "4-2" }), "not `4-2`"),
        ("fetch", json!({ "path": "docs/guide.md", "lines": "4", "page": 1 }), "one of `outline`"),
        ("fetch", json!({ "path": "notes/größe.txt", "outline": true }), "has no headings"),
        ("fetch", json!({ "path": "docs/guide.md", "section": "x" }), "has no such section"),
        ("fetch", json!({ "path": "docs/guide.md", "expand": "page" }), "`expand` goes with `citation`"),
        ("pack", json!({ "question": "x", "budget": "many" }), "`budget` must be a whole number"),
        ("list_documents", json!({ "cursor": "x" }), "begin without one"),
        ("corpus_info", json!({ "x": 1 }), "known are: corpus"),
    ] {
        let message = client.refused(tool, arguments.clone());
        assert!(message.contains(expected), "{tool} {arguments}: {message}");
    }
    let endless = client.call("search", json!({ "query": "a".repeat(60_000) }));
    assert_eq!(endless["total"], 0);
    let nothing = client.call("search", json!({ "query": "zzzzzzzz" }));
    assert_eq!((&nothing["total"], nothing["notes"].as_array().unwrap().is_empty()), (&0.into(), false));
}

#[test]
fn messages_that_are_none_do_not_end_the_server() {
    let place = workshop();
    let mut client = Client::start(&place, &["corpus.db"], "2026-07-28");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    for junk in ["garbage", "{}", "[]", "{\"jsonrpc\":\"2.0\"}", "", "\u{0}\u{1}", "{\"id\":1}"] {
        writeln!(client.input.as_mut().unwrap(), "{junk}").unwrap();
    }
    client.input.as_mut().unwrap().write_all(b"\xff\xfe\x00\n").unwrap();
    client.input.as_mut().unwrap().write_all(&[b'x'; 2 << 20]).unwrap();
    client.input.as_mut().unwrap().write_all(b"\n").unwrap();
    let id = client.request("tools/list", json!({}));
    loop {
        let answer = client.receive();
        if answer["id"] == id {
            assert!(answer["result"]["tools"].is_array(), "{answer}");
            break;
        }
        assert!(answer["error"]["code"].is_i64(), "{answer}");
    }
    assert_eq!(client.end().1, Some(0));
}

#[test]
fn answers_arrive_before_the_end_of_the_input_ends_the_server() {
    let place = workshop();
    let mut client = Client::start(&place, &["corpus.db"], "2025-11-25");
    for _ in 0..20 {
        client.request("tools/call", json!({ "name": "search", "arguments": { "query": "lamp" } }));
    }
    let (rest, code, errors) = client.end();
    assert_eq!((rest.lines().count(), code, errors.as_str()), (20, Some(0), ""), "{rest}");
}

#[test]
fn a_signal_ends_the_server_and_leaves_one_plain_file() {
    let place = workshop();
    for signal in [Signal::TERM, Signal::INT] {
        let mut client = Client::start(&place, &["corpus.db"], "2025-11-25");
        client.call("search", json!({ "query": "lamp" }));
        let started = Instant::now();
        kill_process(Pid::from_child(&client.child), signal).unwrap();
        assert_eq!(client.child.wait().unwrap().code(), Some(0));
        assert!(started.elapsed() < Duration::from_secs(5));
        assert!(!place.path("corpus.db-wal").exists());
    }
}

#[test]
fn a_cancelled_request_stops_and_the_next_is_answered() {
    let place = workshop();
    let slow = json!({ "name": "search", "arguments": { "query": place.add_a_slow_search() } });
    let mut client = Client::start(&place, &["corpus.db"], "2025-11-25");
    let id = client.request("tools/call", slow);
    client.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }),
    );
    let next = client.request("tools/list", json!({}));
    let started = Instant::now();
    let answer = client.receive();
    assert_eq!(answer["id"], next, "a cancelled request has no answer: {answer}");
    assert_eq!(client.end().1, Some(0));
    assert!(started.elapsed() < Duration::from_secs(30), "the cancelled search went on");
}

#[test]
fn several_databases_are_searched_together() {
    let place = workshop();
    std::fs::create_dir(place.path("more")).unwrap();
    std::fs::create_dir(place.path("second")).unwrap();
    std::fs::write(place.path("second/lamps.txt"), "A lamp of another corpus burns oil too.\n").unwrap();
    std::fs::write(place.path("second/guide.txt"), "The harbour lies in the east.\n").unwrap();
    place.run(["ingest", "second", "more/corpus.db"]).expect(0);
    let mut client = Client::start(&place, &["corpus.db", "more/corpus.db"], "2025-11-25");
    let found = client.call("search", json!({ "query": "lamp oil" }));
    let hits = found["hits"].as_array().unwrap();
    let names: Vec<&str> = hits.iter().map(|hit| hit["corpus"].as_str().unwrap()).collect();
    assert!(names.contains(&"corpus") && names.contains(&"corpus-2"), "{names:?}");
    let cited = found["hits"].as_array().unwrap().iter().find(|hit| hit["corpus"] == "corpus-2").unwrap();
    let fetched = client.call("fetch", json!({ "citation": cited["sources"][0]["citation"] }));
    assert_eq!((&fetched["corpus"], &fetched["text"]), (&"corpus-2".into(), &cited["content"]));
    let one = client.call("search", json!({ "query": "lamp oil", "corpus": "corpus-2" }));
    assert_eq!(one["total"], 1);
    let pack = client.call("pack", json!({ "question": "lamp oil", "budget": 1200 }));
    let pieces = pack["pieces"].as_array().unwrap();
    assert!(pieces.iter().any(|piece| piece["corpus"] == "corpus-2"), "{pack}");
    assert!(pack["tokens"].as_u64().unwrap() <= 1200, "{pack}");
    // A page has documents of one corpus.
    let page = client.call("list_documents", json!({ "limit": 5 }));
    let rest = client.call("list_documents", json!({ "limit": 5, "cursor": page["next_cursor"] }));
    assert_eq!(
        (page["documents"].as_array().unwrap().len(), rest["documents"].as_array().unwrap().len()),
        (4, 2)
    );
    assert_eq!((&rest["corpus"], &rest["next_cursor"]), (&"corpus-2".into(), &Value::Null));
    assert_eq!(client.call("corpus_info", json!({}))["corpora"].as_array().unwrap().len(), 2);
    let read = client.ask("resources/read", json!({ "uri": "pensieve://corpus-2/lamps.txt" }));
    assert!(read["result"]["contents"][0]["text"].as_str().unwrap().starts_with("A lamp of"), "{read}");
}

#[test]
fn every_call_is_answered_while_an_ingest_writes() {
    let place = workshop();
    for at in 0..300 {
        place.write(format!("many/{at}.txt"), format!("Document {at} about a lamp. ").repeat(200));
    }
    let mut client = Client::start(&place, &["corpus.db"], "2025-11-25");
    let mut ingest =
        place.command(place.words(&[])).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let mut calls = 0;
    while ingest.try_wait().unwrap().is_none() || calls < 5 {
        assert!(client.call("search", json!({ "query": "lamp" }))["total"].as_u64().unwrap() > 0);
        assert!(client.call("fetch", json!({ "path": "docs/guide.md" }))["text"].is_string());
        assert!(client.call("list_documents", json!({}))["documents"].is_array());
        calls += 1;
    }
    assert_eq!(ingest.wait().unwrap().code(), Some(0));
    assert_eq!(
        client.call("list_documents", json!({ "path": "many", "limit": 500 }))["documents"]
            .as_array()
            .unwrap()
            .len(),
        300
    );
}

#[test]
fn databases_that_cannot_be_served_are_named() {
    let place = Workshop::new();
    let ran = place.run(["mcp", "none.db"]).expect(4);
    assert!(ran.stderr.contains("no database at `none.db`"), "{ran:?}");
    place.run(["mcp"]).expect(2);
}

/// One message to `/mcp`.
fn post(server: &Server, headers: &[(&str, &str)], body: &Value) -> crate::http::Answer {
    let usual = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    server.send("POST", "/mcp", &[&usual, headers].concat(), body.to_string().as_bytes())
}

fn call(tool: &str, arguments: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

#[test]
fn http_answers_each_message_on_its_own() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let info = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
    let begin = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    let begun = post(&server, &[], &begin);
    assert_eq!((begun.status, begun.header("mcp-session-id")), (200, ""), "{begun:?}");
    assert_eq!(begun.json()["result"]["protocolVersion"], "2025-11-25");
    let legacy = [("mcp-protocol-version", "2025-11-25")];
    let noted = post(&server, &legacy, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(noted.status, 202, "{noted:?}");
    let found = post(&server, &legacy, &call("search", json!({ "query": "lamp" }))).json();
    let source = &found["result"]["structuredContent"]["hits"][0]["sources"][0];
    assert_eq!((&source["relative_path"], &source["path"]), (&"notes/größe.txt".into(), &Value::Null));
    for tool in [
        call("corpus_info", json!({})),
        call("list_documents", json!({})),
        call("pack", json!({ "question": "lamp" })),
    ] {
        let text = post(&server, &legacy, &tool).text();
        assert!(
            !text.contains(place.tree().to_str().unwrap()) && text.contains("\"isError\":false"),
            "{text}"
        );
    }
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": info,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": { "_meta": meta } });
    let current = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
    let listed = post(&server, &current, &list);
    assert_eq!(listed.json()["result"]["tools"].as_array().unwrap().len(), 7, "{listed:?}");
    list["method"] = "resources/templates/list".into();
    assert_eq!(post(&server, &current, &list).status, 400);
}

#[test]
fn http_keeps_the_rules_of_the_server() {
    let place = workshop();
    let server = Server::start(&place, &["--token", "sesame"]);
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let token = ("authorization", "Bearer sesame");
    post(&server, &[], &list).problem(401, "no-token");
    assert_eq!(post(&server, &[token], &list).status, 200);
    post(&server, &[token, ("host", "evil.example")], &list).problem(403, "wrong-host");
    post(&server, &[token, ("origin", "https://evil.example")], &list).problem(403, "wrong-host");
    assert_eq!(post(&server, &[token, ("origin", "http://localhost:1")], &list).status, 200);
    let large = json!({ "jsonrpc": "2.0", "id": 1, "method": "x", "params": { "text": "x".repeat(70_000) } });
    post(&server, &[token], &large).problem(413, "too-large");
    for method in ["GET", "DELETE", "PUT", "HEAD"] {
        let answer = server.send(method, "/mcp", &[token, ("accept", "text/event-stream")], b"");
        assert_eq!(answer.status, 405, "{method}");
    }
    for body in ["", "garbage", "{}", "[1]"] {
        let headers =
            [token, ("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
        let answer = server.send("POST", "/mcp", &headers, body.as_bytes());
        assert!((400..500).contains(&answer.status), "{body}: {answer:?}");
    }
    assert_eq!(post(&server, &[token], &list).status, 200);
}
