//! Formats that exist because the user has a converter for their extension.

use crate::audit::assert_same;
use crate::support::Workshop;
use std::fs;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";

const MAIL: &str = "From: a@example.org\nSubject: scans\nMIME-Version: 1.0\n\
    Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee the plan.\n\
    --b\nContent-Type: application/octet-stream; name=plan.xyz\nContent-Transfer-Encoding: base64\n\
    Content-Disposition: attachment; filename=plan.xyz\n\nAAECAwQFAP/+AAE=\n--b--\n";

/// A tree in which nothing is a document without a converter, but one PDF under another name; `with.toml` has converters for
/// two extensions.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("notes.xyz", "plain words of a format that nobody knows\n");
    workshop.write("binary.xyz", b"\x01\x02\0\0\xff\xfe\0\x03");
    workshop.write("scan", PNG);
    workshop.write("wrong.txt", [PNG, b"x"].concat());
    workshop.write("other.xyz", [PNG, b"y"].concat());
    workshop.write("sound.mp3", b"ID3\x04\0\0\0\0\0\0\0\0");
    workshop.write("mail.eml", MAIL);
    workshop.install_tool("echo \"the words of a converter\"; wc -c < \"$1\"");
    let tool = workshop.path("tool.sh");
    let command = tool.display();
    let text = format!("[converters]\nxyz = \"{command} {{input}}\"\npng = \"{command} {{input}}\"\n");
    fs::write(workshop.path("with.toml"), text).unwrap();
    workshop
}

fn formats(workshop: &Workshop) -> Vec<String> {
    workshop.rows("SELECT relative_path, format, processing_status FROM files ORDER BY relative_path")
}

const WITHOUT: [&str; 8] = [
    "binary.xyz||Skipped_Binary",
    "mail.eml|eml|Processed",
    "mail.eml/2/plan.xyz||Skipped_Binary",
    "notes.xyz|text|Processed",
    "other.xyz||Skipped_Binary",
    "scan||Skipped_Binary",
    "sound.mp3||Skipped_Binary",
    "wrong.txt||Skipped_Binary",
];

const WITH: [&str; 8] = [
    "binary.xyz|xyz|Processed",
    "mail.eml|eml|Processed",
    "mail.eml/2/plan.xyz|xyz|Processed",
    "notes.xyz|xyz|Processed",
    "other.xyz|xyz|Processed",
    "scan|png|Processed",
    "sound.mp3||Skipped_Binary",
    "wrong.txt|png|Processed",
];

#[track_caller]
fn check_clean(workshop: &Workshop, flags: &[&str]) {
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(flags));
    assert_same(&workshop.database(), &workshop.path("clean.db"));
    assert_eq!(workshop.ingest(flags)["processed"], 0);
    workshop.verify();
}

#[test]
fn a_converter_for_any_extension_comes_and_goes() {
    let workshop = workshop();
    let with: &[&str] = &["--config", "with.toml"];
    workshop.ingest(&[]);
    assert_eq!(formats(&workshop), WITHOUT);
    workshop.ingest(with);
    assert_eq!(formats(&workshop), WITH);
    check_clean(&workshop, with);
    workshop.ingest(&[]);
    assert_eq!(formats(&workshop), WITHOUT);
    check_clean(&workshop, &[]);
}

#[test]
fn what_a_converter_reads_is_found_and_cited() {
    let workshop = workshop();
    workshop.ingest(&["--config", "with.toml"]);
    assert_eq!(workshop.file("scan", "mime_type, extractor"), "image/png|tool.sh 1.0");
    assert_eq!(workshop.file("notes.xyz", "mime_type"), "text/plain");
    let hits = workshop.run(["search", "corpus.db", "words of a converter", "--json"]).expect(0);
    assert!(hits.stdout.contains("binary.xyz") && hits.stdout.contains("wrong.txt"), "{}", hits.stdout);
    let done =
        workshop.run(["convert", "tree/binary.xyz", "--config", "with.toml", "--out", "books"]).expect(0);
    assert!(done.stdout.contains("binary"), "{}", done.stdout);
    let text = fs::read_to_string(workshop.path("books/binary.rag.md")).unwrap();
    assert!(text.contains("the words of a converter"), "{text}");
}

#[test]
fn an_extension_that_may_be_misspelt_is_a_warning() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "words\n");
    fs::write(workshop.path("slip.toml"), "[converters]\npfd = \"cat {input}\"\n").unwrap();
    let ran = workshop.run(["ingest", "tree", "corpus.db", "--config", "slip.toml"]).expect(0);
    assert!(ran.stderr.contains("reads files named `.pfd`; did you mean `pdf`?"), "{}", ran.stderr);
}

/// The converter with another body, and without a version that would say it is the same.
fn set_tool(workshop: &Workshop, body: &str) {
    workshop.install_tool(body);
    fs::write(workshop.path("tool.sh"), format!("#!/bin/sh\n{body}\n")).unwrap();
}

/// Texts that a converter passes on.
fn converted(count: usize) -> (Workshop, Vec<String>) {
    let workshop = Workshop::new();
    (0..count).for_each(|n| workshop.write(format!("{n:02}.xyz"), format!("the animal of file {n}\n")));
    let text = format!("[converters]\nxyz = \"{} {{input}}\"\n", workshop.path("tool.sh").display());
    fs::write(workshop.path("with.toml"), text).unwrap();
    set_tool(&workshop, "cat \"$1\"");
    let words = workshop.words(&["--config", "with.toml"]);
    workshop.run(&words).expect(0);
    (workshop, words)
}

#[test]
fn what_cannot_be_read_again_keeps_the_text_of_its_last_good_reading() {
    let (workshop, words) = converted(3);
    let before = workshop.fingerprint();
    for broken in ["exit 3", "sleep 0.1; echo part; exit 1"] {
        set_tool(&workshop, broken);
        workshop.write("01.xyz", format!("changed, then {broken}\n"));
        workshop.run(&words).expect(0);
        let kept = "SELECT relative_path, processing_status, estimated_tokens > 0 FROM files ORDER BY 1";
        assert_eq!(workshop.rows(kept), ["00.xyz|Processed|1", "01.xyz|Error|", "02.xyz|Processed|1"]);
        let problems = workshop.rows("SELECT error_message FROM errors ORDER BY path");
        assert_eq!(problems.len(), 3, "{problems:?}");
        let stays = |text: &String| text.ends_with("; the text of its last good reading stays");
        assert_eq!(problems.iter().map(stays).collect::<Vec<_>>(), [true, false, true], "{problems:?}");
        assert_eq!(workshop.one("SELECT count(*) FROM chunks WHERE content LIKE 'the animal%'"), "2");
        workshop.verify();
    }
    set_tool(&workshop, "cat \"$1\"");
    workshop.write("01.xyz", "the animal of file 1\n");
    workshop.run(&words).expect(0);
    assert_eq!(workshop.one("SELECT count(*) FROM errors"), "0");
    assert_eq!(workshop.fingerprint(), before);
    check_clean(&workshop, &["--config", "with.toml"]);
}

#[test]
fn a_converter_that_fails_for_most_files_of_its_format_ends_the_run() {
    let (workshop, words) = converted(24);
    set_tool(&workshop, "exit 3");
    let said = workshop.run(&words).expect(4).stderr;
    assert!(said.contains("24 of 24 files of the format `xyz`"), "{said}");
    assert_eq!(workshop.one("SELECT count(*) FROM files WHERE processing_status = 'Processed'"), "24");
    assert_eq!(workshop.one("SELECT count(*) FROM errors"), "24");
    let mut meant = words.clone();
    meant.push("--allow-mass-deletion".to_owned());
    workshop.run(&meant).expect(0);
    set_tool(&workshop, "cat \"$1\"");
    workshop.run(&words).expect(0);
    check_clean(&workshop, &["--config", "with.toml"]);
}

#[test]
fn a_converter_that_is_gone_for_a_night_costs_no_text() {
    let (workshop, words) = converted(2);
    fs::remove_file(workshop.path("tool.sh")).unwrap();
    workshop.run(&words).expect(0);
    assert_eq!(workshop.one("SELECT count(*) FROM chunks"), "2");
    set_tool(&workshop, "cat \"$1\"");
    workshop.run(&words).expect(0);
    check_clean(&workshop, &["--config", "with.toml"]);
}
