//! `pensieve embed`: every chunk is sent once, whatever happens, and nothing that is no vector is stored.

pub mod server;

use crate::support::{Ran, Workshop, rounds, seed, start, with_seed};
use server::{DIMENSIONS, EmbeddingServer, Fault, vector};
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

/// A workshop with a configuration for a server, and some files.
fn workshop(server: &EmbeddingServer, more: &str) -> Workshop {
    let place = Workshop::new();
    configure(&place, server, more);
    for number in 0..12 {
        place.write(
            format!("notes/{number}.md"),
            format!("# Note {number}\n\nThe lamp of house {number} burns.\n"),
        );
    }
    place.write("copy.md", fs::read(place.tree().join("notes/1.md")).unwrap());
    place
}

fn configure(place: &Workshop, server: &EmbeddingServer, more: &str) {
    let mut text = format!("[embedding]\nendpoint = \"{}\"\nmodel = \"words\"\n{more}\n", server.endpoint);
    for (key, usual) in [("batch", "4"), ("concurrency", "2")] {
        if !more.contains(key) {
            text.push_str(&format!("{key} = {usual}\n"));
        }
    }
    fs::write(place.path("embed.toml"), text).unwrap();
}

/// Runs `embed` with flags.
fn embed(place: &Workshop, flags: &[&str]) -> Ran {
    let words = ["embed", "corpus.db", "--config", "embed.toml", "--json"];
    place.run(words.iter().chain(flags))
}

/// The summary of a run that ends well.
#[track_caller]
fn embedded(place: &Workshop, flags: &[&str]) -> serde_json::Value {
    embed(place, flags).expect(0).json()
}

/// Every chunk has one vector, and the vector is that of its text.
#[track_caller]
fn check_complete(place: &Workshop, prefix: &str) {
    let missing = "SELECT content FROM chunks WHERE content_hash NOT IN (SELECT content_hash FROM vectors)";
    assert_eq!(place.rows(missing), [""; 0]);
    let rows = "SELECT content, dimensions, format, hex(vector) FROM chunks JOIN vectors USING(content_hash)";
    for row in place.rows(rows) {
        let (text, hex) = row.rsplit_once('|').unwrap();
        let (text, facts) = text.split_at(text.len() - "|48|f16".len());
        assert_eq!(facts, "|48|f16");
        let expected: String =
            vector(&format!("{prefix}{text}"), DIMENSIONS).iter().map(|number| half(*number)).collect();
        assert_eq!(hex, expected, "{text}");
    }
}

/// A small count and a hundredth as 16 bits, little-endian, in hex.
fn half(number: f32) -> String {
    let bits = (number.to_bits() >> 13) - (112 << 10);
    let rest = number.to_bits() & 0x1FFF;
    let bits = bits + u32::from(rest > 0x1000 || (rest == 0x1000 && bits & 1 == 1));
    format!("{:02X}{:02X}", bits & 0xFF, bits >> 8)
}

#[test]
fn every_chunk_is_sent_once_and_only_what_is_new_is_sent_again() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "");
    place.ingest(&[]);
    let plan = embedded(&place, &["--dry-run"]);
    assert_eq!((&plan["chunks"], &plan["missing"], server.requests().len()), (&12.into(), &12.into(), 0));
    let first = embedded(&place, &[]);
    assert_eq!(
        (&first["embedded"], &first["dimensions"], &first["requests"]),
        (&12.into(), &48.into(), &3.into())
    );
    assert_eq!((&first["tokens"], &first["billed_tokens"]), (&plan["tokens"], &84.into()));
    check_complete(&place, "");
    assert!(server.paid().values().all(|count| *count == 1));
    assert_eq!(embedded(&place, &[])["requests"], 0);
    place.write("notes/1.md", "# Note 1\n\nThe lamp is out.\n");
    place.rename("notes/2.md", "notes/two.md");
    place.remove("notes/3.md");
    place.ingest(&[]);
    let second = embedded(&place, &[]);
    assert_eq!((&second["embedded"], &second["requests"]), (&1.into(), &1.into()));
    check_complete(&place, "");
    assert!(server.paid().values().all(|count| *count == 1));
    place.verify();
}

#[test]
fn vectors_leave_with_the_chunks() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "format = \"f32\"");
    place.ingest(&[]);
    embedded(&place, &[]);
    for command in ["export", "changes"] {
        let printed = place.run([command, "corpus.db", "--vectors", "words"]).expect(0).stdout;
        let rows: Vec<serde_json::Value> =
            printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let rows = rows.iter().filter(|row| row["op"] != "end");
        assert_eq!(rows.clone().count(), 12, "{command}");
        for row in rows {
            let numbers =
                row["vector"].as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32);
            assert!(numbers.eq(vector(row["content"].as_str().unwrap(), DIMENSIONS)), "{command}: {row}");
        }
    }
}

#[test]
fn failures_that_pass_cost_no_vector() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "timeout = 1");
    place.ingest(&[]);
    let before = place.fingerprint();
    server.fail(&[
        Fault::Status(429, "Retry-After: 1\r\n"),
        Fault::Status(500, ""),
        Fault::Drop,
        Fault::Page,
        Fault::WrongCount,
        Fault::Cut,
        Fault::Status(503, ""),
        Fault::Slow(1500),
        Fault::WrongDimension,
        Fault::NotANumber,
    ]);
    let summary = embedded(&place, &[]);
    assert_eq!((&summary["embedded"], &summary["failed"]), (&12.into(), &0.into()), "{summary}");
    check_complete(&place, "");
    assert_eq!(place.one("SELECT count(*) FROM errors"), "0");
    assert_eq!(place.fingerprint(), before);
}

#[test]
fn one_wrong_first_answer_does_not_make_the_others_wrong() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "");
    place.ingest(&[]);
    server.fail(&[Fault::WrongDimension]);
    let summary = embedded(&place, &[]);
    assert_eq!((&summary["embedded"], &summary["dimensions"]), (&12.into(), &48.into()), "{summary}");
    check_complete(&place, "");
    assert_eq!(place.rows("SELECT * FROM vector_models"), ["words|48|1"]);
}

#[test]
fn a_bad_chunk_is_found_and_is_one_problem() {
    for fault in [
        Fault::Status(400, ""),
        Fault::Status(500, ""),
        Fault::Drop,
        Fault::WrongCount,
        Fault::WrongDimension,
        Fault::Page,
    ] {
        let server = EmbeddingServer::new();
        let place = workshop(&server, "");
        place.ingest(&[]);
        server.poison("house 7 ", fault.clone());
        let ran = embed(&place, &["--strict"]).expect(1);
        assert_eq!((&ran.json()["embedded"], &ran.json()["failed"]), (&11.into(), &1.into()), "{fault:?}");
        assert_eq!(ran.stderr.matches("notes/7.md: EmbeddingFailed: chunk ").count(), 1, "{}", ran.stderr);
        embed(&place, &[]).expect(0);
        let errors = place.rows("SELECT error_type, path LIKE '%/notes/7.md' FROM errors");
        assert_eq!(errors, ["EmbeddingFailed|1"], "{fault:?}");
        place.verify();
        server.heal();
        assert_eq!(embedded(&place, &[])["embedded"], 1);
        assert_eq!(place.one("SELECT count(*) FROM errors"), "0");
        check_complete(&place, "");
        place.verify();
    }
}

#[test]
fn a_vector_that_is_none_spares_the_others_of_its_answer() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "concurrency = 1\ndimensions = 49");
    place.ingest(&[]);
    // The first vector of each answer has a number too many, and a word in place of one.
    server.fail(&[Fault::NotANumber]);
    let summary = embedded(&place, &[]);
    assert_eq!((&summary["embedded"], &summary["requests"]), (&12.into(), &4.into()));
    let twice = server.paid().into_values().filter(|count| *count > 1).count();
    assert_eq!(twice, 0);
}

#[test]
fn a_service_that_refuses_or_gives_nothing_ends_the_run() {
    let check = |fault: Fault, code: i32, message: &str| {
        let server = EmbeddingServer::new();
        let place = workshop(&server, "retries = 1");
        place.ingest(&[]);
        server.poison("", fault);
        let ran = embed(&place, &[]).expect(code);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
        assert_eq!(place.one("SELECT count(*) FROM vectors"), "0");
        server.heal();
        assert_eq!(embedded(&place, &[])["embedded"], 12);
    };
    check(Fault::Status(401, ""), 3, "refuses the request (401)");
    check(Fault::Status(403, ""), 3, "refuses the request (403)");
    check(Fault::Status(404, ""), 3, "makes no vectors: answered 404");
    check(Fault::Status(302, "Location: http://127.0.0.1:1/\r\n"), 3, "answered 302");
    check(Fault::Status(503, ""), 4, "cannot be used now: answered 503");
    check(Fault::Status(429, "Retry-After: 3600\r\n"), 4, "it asks to wait 3600 s");
    check(Fault::Status(500, ""), 4, "gave no vector: answered 500");
    check(Fault::Page, 4, "gave no vector: the answer is a page");
}

#[test]
fn nobody_there_and_nothing_configured_say_what_to_do() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "retries = 1");
    place.ingest(&[]);
    let check = |variables: &[(&str, &str)], code: i32, message: &str| {
        let mut command = place.command(["embed", "corpus.db", "--config", "embed.toml"]);
        let ran = crate::support::ran(command.envs(variables.iter().copied())).expect(code);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    };
    check(&[("PENSIEVE_EMBEDDING_ENDPOINT", "http://127.0.0.1:1/v1/embeddings")], 4, "cannot be used now");
    check(&[("PENSIEVE_EMBEDDING_ENDPOINT", "")], 3, "`embedding.endpoint` is empty");
    check(
        &[("PENSIEVE_EMBEDDING_ENDPOINT", "http://me:key@127.0.0.1/")],
        3,
        "has a user name or password in it",
    );
    check(&[("PENSIEVE_EMBEDDING_API_KEY_ENV", "NO_SUCH_KEY")], 3, "names `NO_SUCH_KEY`");
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn the_key_is_sent_and_found_nowhere() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "api_key_env = \"MY_KEY\"");
    place.ingest(&[]);
    let key = "sk-very-secret-123";
    let run = |code: i32| {
        let words =
            ["embed", "corpus.db", "--config", "embed.toml", "--log-level", "trace", "--progress", "json"];
        crate::support::ran(place.command(words).env("MY_KEY", key)).expect(code)
    };
    server.poison("house 7 ", Fault::Status(400, ""));
    let first = run(0);
    server.poison("", Fault::Status(401, ""));
    let second = run(3);
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.authorization.as_deref() == Some("Bearer sk-very-secret-123"))
    );
    let printed = [first.stdout, first.stderr, second.stdout, second.stderr].concat();
    assert!(printed.contains("Bearer ***") && !printed.contains(key), "{printed}");
    for entry in fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().path()) {
        let bytes = if entry.is_file() { fs::read(&entry).unwrap() } else { Vec::new() };
        assert!(!String::from_utf8_lossy(&bytes).contains(key), "{}", entry.display());
    }
}

#[test]
fn models_and_prefixes_are_kept_apart() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "");
    place.ingest(&[]);
    embedded(&place, &[]);
    embedded(&place, &["--model", "other"]);
    configure(&place, &server, "dimensions = 16");
    assert_eq!(embedded(&place, &[])["embedded"], 12);
    assert_eq!(server.requests().last().unwrap().body["dimensions"], 16);
    let counts = "SELECT model, dimensions, count(*) FROM vectors GROUP BY 1, 2";
    assert_eq!(place.rows(counts), ["other|48|12", "words|16|12", "words|48|12"]);
    let stats = place.run(["stats", "corpus.db", "--json"]).expect(0).json();
    assert_eq!(stats["vectors"][0], serde_json::json!({"model": "other", "dimensions": 48, "vectors": 12}));
    let printed = place.run(["stats", "corpus.db"]).expect(0).stdout;
    assert!(
        printed.contains("\nVectors\n  other                             12   48 dimensions\n"),
        "{printed}"
    );
    embed(&place, &["--drop", "nothing"]).expect(4);
    assert_eq!(embed(&place, &["--drop", "other"]).expect(0).json()["dropped"], 12);
    configure(&place, &server, "prefix_document = \"passage: \"");
    server.forget();
    assert_eq!(embedded(&place, &[])["embedded"], 12);
    assert!(server.paid().keys().all(|text| text.starts_with("passage: ")));
    assert_eq!(place.rows(counts), ["words|16|12", "words|48|12"]);
    assert_eq!(embedded(&place, &[])["embedded"], 0);
}

#[test]
fn vectors_of_chunks_that_are_gone_are_kept_for_some_runs() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "keep_orphans = 2");
    place.ingest(&[]);
    embedded(&place, &[]);
    let text = fs::read(place.tree().join("notes/5.md")).unwrap();
    place.remove("notes/5.md");
    place.remove("notes/6.md");
    for (vectors, dropped) in [("12", 0), ("12", 0)] {
        place.ingest(&[]);
        assert_eq!(embedded(&place, &[])["orphans_dropped"], dropped);
        assert_eq!(place.one("SELECT count(*) FROM vectors"), vectors);
    }
    // What comes back is not sent again; what stays away is dropped.
    place.write("back.md", text);
    place.ingest(&[]);
    server.forget();
    assert_eq!(embedded(&place, &[])["orphans_dropped"], 1);
    assert_eq!((server.requests().len(), place.one("SELECT count(*) FROM vectors").as_str()), (0, "11"));
    check_complete(&place, "");
}

#[test]
fn tokens_of_a_minute_are_not_exceeded_and_an_interruption_ends_the_wait() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "max_tokens_per_minute = 60");
    place.ingest(&[]);
    let child = start(&mut place.command(["embed", "corpus.db", "--config", "embed.toml"]));
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(crate::support::interrupt(child), Some(130));
    let sent = server.paid().len();
    assert!((1..12).contains(&sent), "{sent}");
    assert_eq!(place.one("SELECT count(*) FROM vectors"), sent.to_string());
    let tokens = "SELECT sum(estimated_tokens) <= 60 FROM chunks JOIN vectors USING(content_hash)";
    assert_eq!(place.one(tokens), "1");
}

#[test]
fn one_run_at_a_time_uses_a_database() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "");
    place.ingest(&[]);
    server.answer_after(Duration::from_millis(800));
    let child = start(&mut place.command(["embed", "corpus.db", "--config", "embed.toml"]));
    while server.requests().is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    place.run(place.words(&[])).expect(5);
    embed(&place, &[]).expect(5);
    place.run(["search", "corpus.db", "lamp"]).expect(0);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    check_complete(&place, "");
}

/// Whatever was stored when a run was killed is never sent again, and the last run completes it.
#[test]
fn what_is_stored_is_not_paid_twice_however_often_a_run_is_killed() {
    with_seed(seed(), |dice| {
        let server = EmbeddingServer::new();
        let place = workshop(&server, "batch = 2");
        for number in 0..60 {
            place.write(format!("more/{number}.txt"), format!("Ship {number} passes the light."));
        }
        place.ingest(&[]);
        server.answer_after(Duration::from_millis(5));
        for _ in 0..rounds(8) {
            let stored: BTreeSet<String> = place
                .rows("SELECT content FROM chunks JOIN vectors USING(content_hash)")
                .into_iter()
                .collect();
            server.forget();
            let child = start(&mut place.command(["embed", "corpus.db", "--config", "embed.toml"]));
            std::thread::sleep(Duration::from_millis(dice.below(150) as u64));
            crate::support::kill(child);
            let sent: BTreeSet<String> = server.paid().into_keys().collect();
            assert_eq!(sent.intersection(&stored).count(), 0);
        }
        server.answer_after(Duration::ZERO);
        embedded(&place, &[]);
        check_complete(&place, "");
        place.verify();
    });
}

/// The paths of the hits of a search, its mode and its notes.
fn found(place: &Workshop, words: &[&str]) -> (Vec<String>, String, String) {
    let fixed = ["search", "corpus.db", "--config", "embed.toml", "--json"];
    let answer = place.run(fixed.iter().chain(words)).expect(0).json();
    let path = |hit: &serde_json::Value| hit["sources"][0]["relative_path"].as_str().unwrap().to_owned();
    let paths = answer["hits"].as_array().unwrap().iter().map(path).collect();
    (paths, answer["mode"].as_str().unwrap().to_owned(), answer["notes"].to_string())
}

#[test]
fn questions_are_compared_by_words_by_vectors_or_by_both() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "prefix_query = \"query \"");
    place.write("other.txt", "Rain falls on the roof of an old barn.");
    place.ingest(&[]);
    embedded(&place, &[]);
    server.forget();
    let (paths, mode, notes) = found(&place, &["rain on the barn roof", "--mode", "vectors", "--limit", "3"]);
    assert_eq!(
        (paths[0].as_str(), paths.len(), mode.as_str(), notes.as_str()),
        ("other.txt", 3, "vectors", "[]")
    );
    assert_eq!(server.requests()[0].texts(), ["query rain on the barn roof"]);
    let (paths, mode, _) = found(&place, &["lamp of house 7", "--mode", "hybrid"]);
    assert!(mode == "hybrid" && paths[..2].contains(&"notes/7.md".to_owned()), "{paths:?}");
    let (paths, ..) = found(&place, &["rain on the roof", "--mode", "vectors", "--path", "notes/**"]);
    assert!(paths.len() == 10 && paths.iter().all(|path| path.starts_with("notes/")), "{paths:?}");
    server.forget();
    assert_eq!(found(&place, &["rain"]).1, "words");
    assert_eq!(server.requests().len(), 0);
    let (paths, mode, notes) = found(&place, &["\"old barn\"", "--mode", "vectors"]);
    assert_eq!((paths, mode.as_str()), (vec!["other.txt".to_owned()], "words"));
    assert!(notes.contains("searched by words: operators, quotes"), "{notes}");
    place.write("new.txt", "A new text about rain.");
    place.ingest(&[]);
    let (_, mode, notes) = found(&place, &["rain", "--mode", "hybrid"]);
    assert_eq!(mode, "hybrid");
    assert!(notes.contains("1 of 14 chunks have no vector yet"), "{notes}");
}

#[test]
fn where_vectors_cannot_be_used_words_answer_and_notes_say_why() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "");
    place.ingest(&[]);
    let check = |reason: &str| {
        let (paths, mode, notes) = found(&place, &["lamp", "--mode", "vectors"]);
        assert_eq!((paths.len(), mode.as_str()), (10, "words"));
        assert!(notes.contains("searched by words: ") && notes.contains(reason), "{notes}");
    };
    check("the database has no vectors of `words`");
    assert_eq!(server.requests().len(), 0);
    embedded(&place, &[]);
    server.poison("", Fault::Status(500, ""));
    check("gave no vector: answered 500");
    server.poison("", Fault::Status(401, ""));
    check("refuses the request (401)");
    server.poison("", Fault::WrongDimension);
    check("the vector of the question is not 48 numbers");
    server.poison("", Fault::Drop);
    check("gave no vector");
}

#[test]
fn a_database_keeps_the_mode_that_eval_has_chosen() {
    let server = EmbeddingServer::new();
    let place = workshop(&server, "");
    place.ingest(&[]);
    embedded(&place, &[]);
    let question = r#"{"question":"which house has number 7?","path":"notes/7.md","text":"lamp of house 7"}"#;
    fs::write(place.path("questions.jsonl"), question).unwrap();
    let eval =
        ["eval", "corpus.db", "questions.jsonl", "--config", "embed.toml", "--json", "--mode", "hybrid"];
    let scores = place.run(eval).expect(0).json();
    assert_eq!(
        (&scores["mode"], &scores["by_words"], &scores["all"]["questions"]),
        (&"hybrid".into(), &0.into(), &1.into())
    );
    assert_eq!(found(&place, &["lamp"]).1, "words");
    place.run(eval.iter().chain(&["--set-mode"])).expect(0);
    assert_eq!(found(&place, &["lamp"]).1, "hybrid");
    assert_eq!(found(&place, &["lamp", "--mode", "words"]).1, "words");
    let pack = ["pack", "corpus.db", "lamp of house 7", "--config", "embed.toml", "--json"];
    assert!(place.run(pack).expect(0).json()["pieces"].as_array().unwrap().len() > 1);
    let text = fs::read_to_string(place.path("embed.toml")).unwrap() + "[search]\nmode = \"vectors\"\n";
    fs::write(place.path("embed.toml"), text).unwrap();
    assert_eq!(found(&place, &["lamp"]).1, "vectors");
}
