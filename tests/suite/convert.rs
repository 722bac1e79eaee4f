//! Converters from the command line down to the rows: what each way to fail becomes, and how a file recovers.

use crate::support::Workshop;
use std::fs;

/// A workshop whose `.log` files are read by a script of this body, under narrow limits.
fn with_script(body: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.install_tool(body);
    workshop.write("a.log", "entry one\n");
    let config = fs::read_to_string(workshop.path("tool.toml")).unwrap();
    let limits = "[converter_limits]\ntimeout_seconds = 1\noutput = \"64 KiB\"\n";
    fs::write(workshop.path("narrow.toml"), config + limits).unwrap();
    workshop
}

const FLAGS: &[&str] = &["--config", "narrow.toml"];

#[track_caller]
fn check(body: &str, fate: &str) -> Workshop {
    let workshop = with_script(body);
    workshop.write("b.txt", "Beside it.\n");
    workshop.ingest(FLAGS);
    assert_eq!(workshop.fate("a.log"), fate, "{body}: {}", workshop.file("a.log", "status_reason"));
    assert_eq!(workshop.fate("b.txt"), "Processed|");
    workshop.verify();
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(FLAGS));
    workshop
}

#[test]
fn what_a_converter_says_is_the_text() {
    let workshop = check("echo 'Heading of it'; cat \"$1\"", "Processed|");
    let text = workshop.run(["text", "corpus.db", "a.log"]).expect(0).stdout;
    assert_eq!(text.trim(), "Heading of it\nentry one");
    assert!(workshop.file("a.log", "extractor").starts_with("tool.sh"));
}

#[test]
fn every_way_to_fail_has_its_name() {
    let workshop = check("echo half a text; echo cannot go on >&2; exit 3", "Error|ExtractionFailed");
    let message = workshop.one("SELECT error_message FROM errors");
    assert!(message.contains('3') && message.contains("cannot go on"), "{message}");
    assert_eq!(workshop.rows("SELECT 1 FROM chunks WHERE content LIKE '%half%'"), [""; 0]);
    check("sleep 20", "Error|Timeout");
    check("sleep 20 & sleep 20 & wait", "Error|Timeout");
    check("kill -SEGV $$", "Error|Crashed");
    check("while :; do echo flood of words; done", "Error|OutputLimit");
    check("echo loud >&2; yes noise | head -c 300000 >&2; cat \"$1\"", "Processed|");
    check("cat >/dev/null; cat \"$1\"", "Processed|");
}

#[test]
fn a_missing_tool_is_waited_for() {
    let workshop = with_script("cat \"$1\"");
    let tool = workshop.path("tool.sh");
    fs::rename(&tool, workshop.path("elsewhere.sh")).unwrap();
    workshop.write("copy.log", "entry one\n");
    let first = workshop.ingest(FLAGS);
    assert_eq!(workshop.fate("a.log"), "Skipped_Dependency|MissingDependency");
    assert_eq!(
        workshop.file("copy.log", "processing_status, duplicate_status"),
        "Skipped_Dependency|duplicate"
    );
    assert_eq!((&first["new"], &first["errors"], &first["processed"]), (&2.into(), &1.into(), &0.into()));
    let second = workshop.ingest(FLAGS);
    assert_eq!(
        (&second["retried"], &second["unchanged"], &second["processed"]),
        (&1.into(), &2.into(), &0.into()),
        "{second}"
    );
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(FLAGS));
    fs::rename(workshop.path("elsewhere.sh"), &tool).unwrap();
    let third = workshop.ingest(FLAGS);
    assert_eq!((&third["retried"], &third["processed"]), (&1.into(), &1.into()), "{third}");
    assert_eq!(workshop.fate("a.log"), "Processed|");
    assert_eq!(workshop.file("copy.log", "processing_status"), "Processed");
    assert_eq!(workshop.one("SELECT count(*) FROM errors"), "0");
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(FLAGS));
}

#[test]
fn a_converter_that_recovers_is_tried_again_where_that_can_help() {
    let workshop = with_script("sleep 20");
    workshop.ingest(FLAGS);
    assert_eq!(workshop.fate("a.log"), "Error|Timeout");
    workshop.install_tool("cat \"$1\"");
    let again = workshop.ingest(FLAGS);
    assert_eq!((&again["retried"], &again["processed"]), (&1.into(), &1.into()));
    assert_eq!(workshop.fate("a.log"), "Processed|");
    assert_eq!(workshop.one("SELECT count(*) FROM errors"), "0");
    // A document that its converter refuses is not tried again until it, or the configuration, changes.
    workshop.install_tool("grep -q good \"$1\" && cat \"$1\"");
    workshop.write("b.log", "a bad entry\n");
    workshop.ingest(FLAGS);
    assert_eq!(workshop.fate("b.log"), "Error|ExtractionFailed");
    assert_eq!(workshop.ingest(FLAGS)["retried"], 0);
    workshop.write("b.log", "a good entry\n");
    workshop.ingest(FLAGS);
    assert_eq!(workshop.fate("b.log"), "Processed|");
}

/// A text that was there goes when its file can no longer be read: never stale text presented as current.
#[test]
fn a_failure_takes_the_old_text_away() {
    let workshop = with_script("grep -q good \"$1\" && cat \"$1\"");
    workshop.write("a.log", "a good entry\n");
    workshop.ingest(FLAGS);
    assert_eq!(workshop.fate("a.log"), "Processed|");
    workshop.write("a.log", "a bad entry\n");
    workshop.ingest(FLAGS);
    assert_eq!(workshop.fate("a.log"), "Error|ExtractionFailed");
    let left = workshop.one("SELECT (SELECT count(*) FROM chunks) + (SELECT count(*) FROM texts) + (SELECT count(*) FROM text_versions)");
    assert_eq!(left, "0");
    workshop.verify();
}

/// A command beats the built-in reader, and failing it is a failure: no silent fallback.
#[test]
fn a_command_beats_the_reader_that_is_built_in() {
    let workshop = with_script("echo spoken by the tool");
    workshop.write("p.html", "<html><body><p>Words of the page.</p></body></html>");
    workshop.ingest(FLAGS);
    assert!(
        workshop.file("p.html", "extractor").starts_with("pensieve")
            || !workshop.file("p.html", "extractor").starts_with("tool")
    );
    let tool = workshop.path("tool.sh");
    fs::write(workshop.path("h.toml"), format!("[converters]\nhtml = \"{} {{input}}\"\n", tool.display()))
        .unwrap();
    workshop.ingest(&["--config", "h.toml"]);
    assert_eq!(workshop.run(["text", "corpus.db", "p.html"]).expect(0).stdout.trim(), "spoken by the tool");
    fs::write(workshop.path("n.toml"), "[converters]\nhtml = \"no-such-tool-here {input}\"\n").unwrap();
    workshop.ingest(&["--config", "n.toml"]);
    assert_eq!(workshop.fate("p.html"), "Processed|MissingDependency");
    assert_eq!(workshop.run(["text", "corpus.db", "p.html"]).expect(0).stdout.trim(), "spoken by the tool");
    workshop.write("new.html", "<html><body><p>Words of another page.</p></body></html>");
    workshop.ingest(&["--config", "n.toml"]);
    assert_eq!(workshop.fate("new.html"), "Skipped_Dependency|MissingDependency");
    workshop.ingest(&[]);
    assert_eq!(workshop.fate("p.html"), "Processed|");
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}

/// The name of the file never reaches the tool, nor a shell.
#[test]
fn names_that_mean_harm_reach_no_tool() {
    let workshop = with_script("printf '%s\\n' \"$#\"; case \"$1\" in /*) echo absolute;; esac; cat \"$1\"");
    for (at, name) in
        ["--lua-filter=x.log", "$(touch pwned).log", "a b'c\".log", "; touch pwned.log", "-.log"]
            .iter()
            .enumerate()
    {
        workshop.write(name, format!("entry of name {at}\n"));
    }
    workshop.ingest(FLAGS);
    assert_eq!(workshop.one("SELECT count(*) FROM files WHERE processing_status = 'Processed'"), "6");
    for text in workshop.rows("SELECT content FROM chunks") {
        assert!(text.starts_with("1\nabsolute\nentry"), "{text}");
    }
    let anywhere = [workshop.path("pwned"), workshop.tree().join("pwned"), workshop.path("pwned.log")];
    assert!(!anywhere.iter().any(|path| path.exists()));
}

/// A tool cannot write among the sources, whatever it tries.
#[test]
fn a_tool_leaves_the_sources_alone() {
    let workshop = with_script("");
    let target = workshop.tree().join("a.log");
    workshop.install_tool(&format!("echo pwned >> '{}'; echo pwned >> \"$1\"; echo said", target.display()));
    workshop.ingest(FLAGS);
    if workshop.run(["check-dependencies"]).stdout.to_lowercase().contains("landlock") {
        assert_eq!(fs::read_to_string(&target).unwrap(), "entry one\n");
    }
}
