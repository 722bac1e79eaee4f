//! What cannot work is refused in one clear line with its cure and the right exit code, and nothing is written. And
//! `verify` finds what somebody has spoilt.

use crate::support::{Ran, Workshop};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("a.txt", "A text of some words.\n");
    workshop.write("b.md", "# Title\n\nAnother text.\n");
    workshop.write("copy.txt", "A text of some words.\n");
    workshop
}

/// Every file below a folder with its bytes.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path.clone());
                found.insert(path, Vec::new());
            } else {
                let bytes = fs::read(&path).unwrap();
                found.insert(path, bytes);
            }
        }
    }
    found
}

/// Fails unless the command ends with this code, with one line of error, and leaves everything as it was.
#[track_caller]
fn check(workshop: &Workshop, words: &[&str], code: i32, names: &str) -> Ran {
    let before = snapshot(&workshop.path(""));
    let ran = workshop.run(words).expect(code);
    let errors: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(errors.len(), 1, "{}", ran.stderr);
    assert!(errors[0].contains(names), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
    let after = snapshot(&workshop.path(""));
    let changed: Vec<_> = after
        .iter()
        .filter(|(path, bytes)| before.get(*path) != Some(*bytes))
        .map(|(path, _)| path)
        .collect();
    assert!(before.len() == after.len() && changed.is_empty(), "{words:?} wrote {changed:?}");
    ran
}

#[test]
fn folders_that_are_none() {
    let workshop = workshop();
    check(&workshop, &["ingest", "missing", "corpus.db"], 4, "missing");
    check(&workshop, &["ingest", "tree/a.txt", "corpus.db"], 4, "a.txt");
    check(&workshop, &["ingest", "missing", "corpus.db", "--dry-run"], 4, "missing");
}

#[test]
fn databases_that_are_none() {
    let workshop = workshop();
    check(&workshop, &["ingest", "tree", "home"], 5, "home");
    check(&workshop, &["ingest", "tree", "no/such/corpus.db"], 5, "no/such");
    fs::write(workshop.path("letter.db"), "Dear reader, this is no database at all.\n".repeat(40)).unwrap();
    check(&workshop, &["ingest", "tree", "letter.db"], 5, "letter.db");
    let other = Connection::open(workshop.path("other.db")).unwrap();
    other.execute_batch("CREATE TABLE files(x); PRAGMA application_id = 7").unwrap();
    drop(other);
    let plain = Connection::open(workshop.path("plain.db")).unwrap();
    plain.execute_batch("CREATE TABLE notes(x)").unwrap();
    drop(plain);
    for name in ["letter.db", "other.db", "plain.db"] {
        for command in [
            &["ingest", "tree", name][..],
            &["verify", name],
            &["fingerprint", name],
            &["stats", name],
            &["search", name, "x"],
        ] {
            check(&workshop, command, 5, name);
        }
    }
    for command in ["verify", "fingerprint", "stats", "errors", "export", "compact"] {
        check(&workshop, &[command, "absent.db"], 4, "absent.db");
    }
}

#[test]
fn a_newer_database_is_left_alone() {
    let workshop = workshop();
    workshop.ingest(&[]);
    Connection::open(workshop.database()).unwrap().pragma_update(None, "user_version", 99).unwrap();
    check(&workshop, &["ingest", "tree", "corpus.db"], 5, "99");
    check(&workshop, &["verify", "corpus.db"], 5, "99");
    check(&workshop, &["compact", "corpus.db"], 5, "99");
}

#[test]
fn a_database_that_others_hold_is_waited_for_and_refused() {
    let workshop = workshop();
    workshop.ingest(&[]);
    let other = Connection::open(workshop.database()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let ran = workshop.run(workshop.words(&[]));
    assert_eq!(ran.code, Some(5), "{ran:?}");
    other.execute_batch("ROLLBACK").unwrap();
    drop(other);
    workshop.ingest(&[]);
    workshop.verify();
}

#[test]
fn settings_that_cannot_work_write_nothing() {
    let workshop = workshop();
    check(&workshop, &["ingest", "tree", "corpus.db", "--chunk-size", "8"], 3, "chunk_size");
    check(
        &workshop,
        &["ingest", "tree", "corpus.db", "--chunk-size", "64", "--chunk-overlap", "32"],
        3,
        "chunk_overlap",
    );
    check(&workshop, &["ingest", "tree", "corpus.db", "--tokenizer", "cl100k"], 3, "cl100k_base");
    check(&workshop, &["ingest", "tree", "corpus.db", "--config", "nothing.toml"], 3, "nothing.toml");
    check(&workshop, &["ingest", "tree", "corpus.db", "--max-mem", "1MiB"], 3, "");
    workshop.ingest(&["--chunk-size", "64", "--chunk-overlap", "20"]);
    check(&workshop, &["ingest", "tree", "corpus.db", "--chunk-size", "32"], 3, "chunk_overlap");
}

#[test]
fn roots_that_overlap_or_are_unknown_write_nothing() {
    let workshop = workshop();
    fs::create_dir_all(workshop.path("tree/sub")).unwrap();
    fs::create_dir_all(workshop.path("second")).unwrap();
    check(&workshop, &["ingest", "tree", "corpus.db", "--moved-from", "old"], 4, "old");
    workshop.ingest(&[]);
    check(&workshop, &["ingest", "tree/sub", "corpus.db"], 4, "tree");
    check(&workshop, &["ingest", ".", "corpus.db"], 4, "tree");
    check(&workshop, &["ingest", "second", "corpus.db", "--moved-from", "old"], 4, "old");
    check(&workshop, &["forget", "corpus.db", "second"], 4, "second");
}

#[test]
fn misuse_is_told_with_code_2() {
    let workshop = workshop();
    for words in [
        &["ingest"][..],
        &["ingest", "none.db"],
        &["ingest", "none.db", "tree"],
        &["ingset"],
        &["ingest", "tree", "x.db", "--no-such-flag"],
        &["convert", "x", "y"],
        &["convert", "x", "--json"],
        &[],
    ] {
        let ran = workshop.run(words.iter().copied());
        assert_eq!(ran.code, Some(2), "{words:?} {ran:?}");
        assert_eq!(ran.stdout, "");
        assert!(!workshop.path("x.db").exists());
    }
}

#[test]
fn strict_tells_problems_by_its_exit_code() {
    let workshop = workshop();
    workshop.run(workshop.words(&["--strict"])).expect(0);
    workshop.write("bad.txt", b"words \xff\xfe\xfd\x81 and \x9d\x81 more words than that, enough of them\n");
    fs::write(workshop.path("m.toml"), "[converters]\nlog = \"/no/such/tool {input}\"\n").unwrap();
    workshop.write("x.log", "entry\n");
    workshop.run(workshop.words(&["--config", "m.toml", "--strict"])).expect(1);
    workshop.run(workshop.words(&["--config", "m.toml"])).expect(0);
    // A bad file that is as it was is not read again; it still has its problem.
    let again = workshop.run(workshop.words(&["--config", "m.toml", "--strict", "--quiet"])).expect(1);
    assert_eq!(again.stderr, "1 problem new or lost; see `pensieve problems corpus.db`\n");
    workshop.remove("bad.txt");
    workshop.remove("x.log");
    workshop.run(workshop.words(&["--config", "m.toml", "--strict"])).expect(0);
}

/// Spoils a good database; `verify` must say that this law is broken.
#[track_caller]
fn check_spoilt(law: u8, statement: &str) {
    let workshop = workshop();
    workshop.write("long.txt", (0..300).map(|n| format!("Line {n} of a longer text.\n")).collect::<String>());
    workshop.ingest(&["--chunk-size", "64", "--chunk-overlap", "8"]);
    workshop.verify();
    let corpus = Connection::open(workshop.database()).unwrap();
    corpus.pragma_update(None, "foreign_keys", false).unwrap();
    corpus.execute_batch(statement).unwrap();
    assert_ne!(corpus.total_changes(), 0, "{statement}");
    drop(corpus);
    let ran = workshop.run(["verify", "corpus.db"]).expect(1);
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(told.contains(&format!("law {law}")), "law {law} by {statement}:\n{told}");
}

#[test]
fn verify_finds_what_is_spoilt() {
    const LONG: &str = "(SELECT file_id FROM files WHERE relative_path = 'long.txt')";
    const SOME: &str = "(SELECT min(chunk_id) + 3 FROM chunk_sources WHERE file_id = (SELECT file_id FROM files WHERE relative_path = 'long.txt'))";
    check_spoilt(
        1,
        &format!("UPDATE chunk_sources SET start_index = start_index + 1 WHERE chunk_id = {SOME}"),
    );
    check_spoilt(
        1,
        &format!("UPDATE chunk_sources SET end_index = end_index + 900000 WHERE chunk_id = {SOME}"),
    );
    check_spoilt(
        2,
        &format!("UPDATE chunks SET content_hash = '00' || substr(content_hash, 3) WHERE chunk_id = {SOME}"),
    );
    check_spoilt(
        3,
        &format!("UPDATE chunks SET estimated_tokens = estimated_tokens + 1 WHERE chunk_id = {SOME}"),
    );
    check_spoilt(3, "UPDATE meta SET value = '20' WHERE key = 'chunk_size'");
    check_spoilt(3, "UPDATE chunks SET tokenizer_model = 'o300k' WHERE chunk_id = 1");
    check_spoilt(4, &format!("DELETE FROM chunk_sources WHERE chunk_id = {SOME}"));
    check_spoilt(
        4,
        &format!(
            "DELETE FROM chunk_sources WHERE chunk_id = (SELECT max(chunk_id) FROM chunk_sources WHERE file_id = {LONG})"
        ),
    );
    check_spoilt(
        5,
        &format!("UPDATE chunk_sources SET source_start = source_start - 5 WHERE chunk_id = {SOME}"),
    );
    check_spoilt(5, &format!("UPDATE chunk_sources SET source_end = 9000000 WHERE chunk_id = {SOME}"));
    check_spoilt(6, &format!("DELETE FROM chunk_sources WHERE chunk_id = {SOME}"));
    check_spoilt(6, "UPDATE files SET processing_status = 'Deleted' WHERE relative_path = 'b.md'");
    check_spoilt(6, "UPDATE files SET is_canonical = 1 WHERE relative_path = 'copy.txt'");
    check_spoilt(6, "UPDATE files SET duplicate_status = 'unique' WHERE relative_path = 'a.txt'");
    check_spoilt(
        6,
        &format!(
            "UPDATE text_versions SET char_length = char_length + 1 WHERE file_id = {LONG} AND variant = 'clean'"
        ),
    );
    check_spoilt(
        6,
        &format!("UPDATE text_versions SET is_current = 0 WHERE file_id = {LONG} AND variant = 'clean'"),
    );
    check_spoilt(6, &format!("DELETE FROM texts WHERE file_id = {LONG} AND variant = 'clean'"));
    check_spoilt(6, "UPDATE texts SET content = x'00' WHERE variant = 'clean'");
    check_spoilt(6, "DELETE FROM files WHERE relative_path = 'b.md'");
}

#[test]
fn verify_cites_a_source_only_while_it_is_as_it_was() {
    let workshop = workshop();
    workshop.ingest(&[]);
    let read_back = || {
        let report = workshop.run(["verify", "corpus.db", "--json"]).expect(0).json();
        assert_eq!(report["violations"], 0, "{report}");
        report["sources_read"].as_u64().unwrap_or_else(|| panic!("{report}"))
    };
    let all = read_back();
    workshop.write("a.txt", "Something that nobody has read yet.\n");
    assert_eq!(read_back(), all - 1, "a source that has changed is no longer cited");
    workshop.remove("b.md");
    assert_eq!(read_back(), all - 2, "a source that is gone is no longer cited");
}

#[test]
fn what_is_no_book_is_refused_by_its_content() {
    let workshop = Workshop::new();
    for (name, text, why) in [
        ("words.epub", "hello\n", "plain text"),
        ("empty.epub", "", "empty"),
        ("login.epub", "<!doctype html><html><body><h1>Sign in</h1></body></html>", "web page"),
    ] {
        fs::write(workshop.path(name), text).unwrap();
        let refused = workshop.run(["convert", name, "--out", "out"]).expect(4);
        assert!(
            refused.stderr.contains("no EPUB book") && refused.stderr.contains(why),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn a_limit_of_file_sizes_is_an_error_like_others() {
    let workshop = Workshop::new();
    (0..400)
        .for_each(|number| workshop.write(format!("{number}.txt"), format!("Text {number}. ").repeat(200)));
    let program = env!("CARGO_BIN_EXE_pensieve");
    let line = format!("ulimit -f 200; exec '{program}' ingest tree corpus.db");
    let mut command = std::process::Command::new("bash");
    let refused = crate::support::ran(command.args(["-c", &line]).current_dir(workshop.path(""))).expect(5);
    assert!(refused.stderr.contains("cannot be written"), "{}", refused.stderr);
    assert!(refused.stderr.contains("ulimit -f"), "{}", refused.stderr);
    workshop.ingest(&[]);
    workshop.verify();
}

#[test]
fn an_empty_database_is_named_as_such() {
    let workshop = Workshop::new();
    fs::write(workshop.path("corpus.db"), "").unwrap();
    let refused = workshop.run(["verify", "corpus.db"]).expect(5);
    assert!(refused.stderr.contains("no run has written into it yet"), "{}", refused.stderr);
}

/// What is written has the texts of files that may be the user's alone.
#[test]
#[cfg(unix)]
fn new_files_are_private_and_old_ones_keep_their_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let workshop = Workshop::new();
    workshop.write("a.md", "# A\n\nThe tax office opens at nine.\n");
    workshop.ingest(&[]);
    workshop.run(["export", "corpus.db", "--format", "parquet", "--out", "rows"]).expect(0);
    workshop.run(["convert", "tree/a.md", "--out", "md"]).expect(0);
    let mode = |name: &str| fs::metadata(workshop.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(["corpus.db", "md/a.rag.md"].map(mode), [0o600; 2]);
    let exported = crate::support::files_below(&workshop.path("rows"));
    let modes = exported.iter().map(|file| fs::metadata(file).unwrap().permissions().mode() & 0o777);
    assert!(!exported.is_empty() && modes.clone().all(|mode| mode == 0o600), "{exported:?}");
    for name in ["corpus.db", "md/a.rag.md"] {
        fs::set_permissions(workshop.path(name), fs::Permissions::from_mode(0o640)).unwrap();
    }
    workshop.write("a.md", "# A\n\nThe tax office is closed.\n");
    workshop.ingest(&[]);
    workshop.run(["convert", "tree/a.md", "--out", "md", "--force"]).expect(0);
    assert_eq!(["corpus.db", "md/a.rag.md"].map(mode), [0o640; 2]);
}
