//! `ingest --files-from`: a run over a list of files reads these and touches no others.

use crate::audit::audit;
use crate::support::{Ran, Workshop};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

const ROWS: &str = "SELECT relative_path, file_type, processing_status FROM files ORDER BY relative_path";

/// Ingests the files of a list, given on stdin.
#[track_caller]
fn ingest_list(workshop: &Workshop, list: &str, flags: &[&str]) -> Ran {
    let words = ["ingest", "--root", "tree", "--files-from", "-", "corpus.db", "--json"];
    let mut command = workshop.command(words.iter().chain(flags));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(list.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[track_caller]
fn counts(summary: &Value, keys: &[&str]) -> Vec<u64> {
    keys.iter().map(|key| summary[key].as_u64().unwrap_or(0)).collect()
}

fn furnished() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("a.md", "# Trees\n\nAn oak is a tree.\n");
    workshop.write("d/b.txt", "The sea is wide.\n");
    workshop.write("d/c.txt", "The sea is wide.\n");
    workshop.write("d/e/f.txt", "Far below.\n");
    workshop.write("log/x.log", "left out\n");
    workshop.write(".gitignore", "*.log\n");
    std::fs::create_dir(workshop.tree().join("empty")).unwrap();
    workshop
}

#[test]
fn only_listed_files_and_the_folders_above_them_are_read() {
    let workshop = furnished();
    let summary = ingest_list(&workshop, "d/c.txt\n./d/e/f.txt\n", &[]).expect(0).json();
    assert_eq!(counts(&summary, &["new", "processed", "list_faults"]), [2, 2, 0], "{summary}");
    let expected = ["d|folder|", "d/c.txt|file|Processed", "d/e|folder|", "d/e/f.txt|file|Processed"];
    assert_eq!(workshop.rows(ROWS), expected);
    assert_eq!(workshop.file("d/c.txt", "duplicate_status"), "unique");
    workshop.verify();
    // Another list: nothing is deleted, and the copy before it becomes the canonical file.
    let summary = ingest_list(&workshop, "d/b.txt\0empty/\0", &[]).expect(0).json();
    assert_eq!(counts(&summary, &["new", "deleted", "processed"]), [1, 0, 0], "{summary}");
    assert_eq!(workshop.file("d/b.txt", "duplicate_status"), "canonical");
    assert_eq!(workshop.file("empty", "file_type"), "folder");
    // A run over everything completes it.
    let summary = workshop.ingest(&[]);
    assert_eq!(counts(&summary, &["new", "unchanged", "processed"]), [2, 3, 2], "{summary}");
    workshop.verify();
    audit(&workshop.database());
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}

#[test]
fn later_runs_over_lists_follow_edits_of_listed_files_alone() {
    let workshop = furnished();
    workshop.ingest(&[]);
    workshop.write("a.md", "# Trees\n\nA beech is a tree too.\n");
    workshop.write("d/e/f.txt", "Far below, and changed.\n");
    workshop.remove("d/b.txt");
    workshop.remove("d/c.txt");
    let summary = ingest_list(&workshop, "a.md\nd/c.txt\n", &["--strict"]).expect(0).json();
    assert_eq!(counts(&summary, &["changed", "deleted", "processed"]), [1, 1, 1], "{summary}");
    assert_eq!(workshop.file("d/b.txt", "processing_status, duplicate_status"), "Processed|unique");
    assert!(workshop.rows("SELECT content FROM chunks").iter().all(|text| !text.contains("and changed")));
    workshop.run(["verify", "corpus.db"]).expect(0);
    let summary = workshop.ingest(&[]);
    assert_eq!(counts(&summary, &["changed", "deleted", "processed"]), [1, 1, 1], "{summary}");
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}

/// A run over a list says nothing of when the other files were looked at: a file that was changed right after the first
/// scan, so that size and times may be equal, is still looked at closely later.
#[test]
fn a_list_does_not_renew_the_time_of_the_last_scan() {
    let workshop = furnished();
    workshop.ingest(&[]);
    let scanned = "SELECT value FROM meta WHERE key LIKE 'scan_started:%'";
    let before = workshop.one(scanned);
    ingest_list(&workshop, "a.md\n", &[]).expect(0);
    assert_eq!(workshop.one(scanned), before);
}

#[test]
fn names_that_cannot_be_read_are_named_with_the_reason() {
    let workshop = furnished();
    let list = "a.md\nnowhere.txt\n../home/x\nlog/x.log\n/etc/passwd\n";
    let ran = ingest_list(&workshop, list, &["--strict"]).expect(1);
    assert_eq!(counts(&ran.json(), &["new", "list_faults", "errors"]), [1, 4, 0]);
    for line in [
        "the list names `nowhere.txt`, which is not there",
        "the list names `../home/x`, which is not below the folder",
        "the list names `/etc/passwd`, which is not below the folder",
        "the list names `log/x.log`, which is left out by .gitignore:1: *.log",
    ] {
        assert!(ran.stderr.contains(line), "{line}: {}", ran.stderr);
    }
    assert_eq!(workshop.rows("SELECT relative_path FROM files ORDER BY 1"), ["a.md", "log"]);
    let missing = ["ingest", "--root", "tree", "--files-from", "no.list", "corpus.db"];
    assert!(workshop.run(missing).expect(4).stderr.contains("cannot read `no.list`"));
}

#[test]
fn a_dry_run_over_a_list_plans_only_these() {
    let workshop = furnished();
    let plan = ingest_list(&workshop, "d/b.txt\nd/c.txt\n", &["--dry-run"]).expect(0).json();
    assert_eq!(counts(&plan, &["new", "duplicates"]), [2, 1], "{plan}");
    assert!(!workshop.database().exists());
}

#[test]
fn changed_settings_reach_other_files_without_reading_them() {
    let workshop = furnished();
    workshop.ingest(&[]);
    let flags = ["--chunk-size", "64", "--chunk-overlap", "0"];
    let summary = ingest_list(&workshop, "a.md\n", &flags).expect(0).json();
    assert_eq!(counts(&summary, &["new", "changed"]), [0, 0], "{summary}");
    // All chunks of a database are cut alike: this is done from stored text.
    assert_eq!(workshop.rows("SELECT DISTINCT chunking_strategy LIKE '%_64_0' FROM chunk_sources"), ["1"]);
    workshop.verify();
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&flags));
}
