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
