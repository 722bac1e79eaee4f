//! What a run says once, and what it used to say twice or not at all.

use crate::support::Workshop;
use pensieve::cli::ingest_settings;
use pensieve::config::{ConfigSources, load};
use pensieve::ingest;
use pensieve_text::model::{Observer, ProgressEvent, RunPhase};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Mutex;

/// Removes a file when the scan has ended and nothing is read yet, and collects the problems that are reported.
struct Remover {
    file: PathBuf,
    problems: Mutex<Vec<String>>,
}

impl Observer for Remover {
    fn on_event(&self, event: &ProgressEvent<'_>) {
        match event {
            ProgressEvent::PhaseStarted { phase: RunPhase::Compare, .. } => {
                fs::remove_file(&self.file).unwrap()
            }
            ProgressEvent::Trouble { path, problem } => {
                self.problems.lock().unwrap().push(format!("{path} {}", problem.kind));
            }
            _ => {}
        }
    }
}

#[test]
fn a_file_that_vanishes_during_a_run_is_reported_and_counted_once() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "It stays.\n");
    workshop.write("b.txt", "It goes.\n");
    let config = load(&ConfigSources::default()).unwrap();
    let mut settings = ingest_settings(&config, &workshop.tree(), &workshop.database());
    settings.isolation = false;
    let remover = Remover { file: workshop.tree().join("b.txt"), problems: Mutex::default() };
    let summary = ingest::run(&settings, &remover).unwrap();
    assert_eq!(*remover.problems.lock().unwrap(), ["b.txt Vanished"]);
    assert_eq!((summary.done.errors, summary.done.errors_by_kind["Vanished"]), (1, 1));
    assert_eq!(workshop.fate("b.txt"), "Error|Vanished");
    assert_eq!(workshop.ingest(&[])["deleted"], 1);
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}

#[test]
fn a_folder_that_was_moved_is_named_with_the_command_that_keeps_its_rows() {
    let workshop = Workshop::new();
    for name in ["a.txt", "b.txt", "c.txt"] {
        workshop.write(name, format!("The text of {name}.\n"));
    }
    workshop.ingest(&[]);
    // A copy beside the folder is no move.
    fs::create_dir(workshop.path("copy")).unwrap();
    fs::copy(workshop.tree().join("a.txt"), workshop.path("copy/a.txt")).unwrap();
    let ran = workshop.run(["ingest", "copy", "corpus.db"]).expect(0);
    assert!(!ran.stderr.contains("--moved-from"), "{}", ran.stderr);
    workshop.run(["forget", "corpus.db", "copy"]).expect(0);

    let (old, new) = (workshop.tree(), workshop.path("my notes"));
    fs::rename(&old, &new).unwrap();
    fs::write(new.join("c.txt"), "Other words.\n").unwrap();
    let (old, place) = (old.display(), new.display());
    let told = format!(
        "warning: 2 of 3 files here are those of `{old}`, which is no longer there; if it was moved: "
    );
    let command = format!("`pensieve ingest '{place}' corpus.db --moved-from {old}`");
    let ran = workshop.run(["ingest", "my notes", "corpus.db", "--dry-run"]).expect(0);
    assert!(ran.stderr.contains(&format!("{told}{command}\n")), "{}", ran.stderr);
    let ran = workshop.run(["ingest", "my notes", "corpus.db"]).expect(0);
    let forget = format!("`pensieve forget corpus.db '{place}'`, then ");
    assert!(ran.stderr.contains(&format!("{told}{forget}{command}\n")), "{}", ran.stderr);
    assert_eq!(workshop.one("SELECT count(*) FROM roots"), "2", "nothing else follows");
    // It is said once, and what it says works.
    let ran = workshop.run(["ingest", "my notes", "corpus.db"]).expect(0);
    assert!(!ran.stderr.contains("--moved-from"), "{}", ran.stderr);
    workshop.run(["forget", "corpus.db", "my notes"]).expect(0);
    let moved = workshop.ingest_root("my notes", &["--moved-from", "tree"]);
    assert_eq!((&moved["unchanged"], &moved["changed"]), (&2.into(), &1.into()));
}

#[test]
fn a_folder_in_the_place_of_a_command_is_told_the_command() {
    let workshop = Workshop::new();
    let ran = workshop.run(["tree", "corpus.db"]).expect(2);
    let hint = "hint: `tree` is a folder; to read it into a database: pensieve ingest tree DB\n";
    assert!(ran.stderr.ends_with(hint), "{}", ran.stderr);
    let ran = workshop.run(["no-such-folder", "corpus.db"]).expect(2);
    assert!(!ran.stderr.contains("hint: "), "{}", ran.stderr);
}

#[test]
fn what_a_converter_says_beside_its_text_is_printed_when_asked_for() {
    let workshop = Workshop::new();
    workshop.install_tool("printf 'odd \\033[31m table\\n' >&2; cat \"$1\"");
    workshop.write("a.log", "entry one\n");
    let words = ["ingest", "tree", "corpus.db", "--config", "tool.toml", "--force-reprocess", "--progress"];
    let ran = workshop.run(words.iter().chain(&["plain", "-vv"])).expect(0);
    let told = "wrote on stderr: odd \\u{1b}[31m table\n";
    assert!(ran.stderr.lines().any(|line| line.starts_with("a.log: `tool.sh")), "{}", ran.stderr);
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let ran = workshop.run(words.iter().chain(&["json", "-vv"])).expect(0);
    assert!(ran.stderr.contains("\"level\":\"trace\""), "{}", ran.stderr);
    let ran = workshop.run(words.iter().chain(&["plain", "-v"])).expect(0);
    assert!(!ran.stderr.contains("wrote on stderr"), "{}", ran.stderr);
    let words = ["convert", "tree/a.log", "--out", "out", "--config", "tool.toml"];
    let ran = workshop.run(words.iter().chain(&["-vv"])).expect(0);
    assert!(ran.stderr.starts_with("tree/a.log: `tool.sh") && ran.stderr.contains(told), "{}", ran.stderr);
    let ran = workshop.run(words.iter().chain(&["-v", "--force"])).expect(0);
    assert!(!ran.stderr.contains("wrote on stderr"), "{}", ran.stderr);
}

#[test]
fn text_that_lost_a_block_is_read_and_reported() {
    let workshop = Workshop::new();
    workshop.write("a.txt", [&b"Words before."[..], &[0; 4096], b"Words after.\n"].concat());
    workshop.write("b.json", "{\"a\": [1, 2");
    workshop.ingest(&[]);
    let problems = "SELECT filename || ' ' || error_type FROM errors JOIN files USING (file_id) ORDER BY 1";
    assert_eq!(workshop.rows(problems), ["a.txt Damaged", "b.json Damaged"]);
    let reviewed = "SELECT count(*) FROM text_versions WHERE variant = 'clean' AND needs_review";
    assert_eq!(workshop.one(reviewed), "2");
    let found = "SELECT count(*) FROM chunks WHERE content LIKE '%before%' AND content LIKE '%after%'";
    assert_eq!(workshop.one(found), "1");
}

#[test]
fn a_home_that_cannot_be_searched_is_a_warning_and_a_named_folder_an_error() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "Words.\n");
    symlink("loop", workshop.path("loop")).unwrap();
    let words = ["ingest", "tree", "corpus.db", "-q"];
    let run = |name: &str, value: PathBuf, words: &[&str]| {
        let mut command = workshop.command(words);
        command.env_remove("XDG_CONFIG_HOME").env_remove("HOME").env(name, value);
        crate::support::ran(&mut command)
    };
    run("HOME", workshop.path("loop"), &words).expect(0);
    let ran = run("HOME", workshop.path("loop"), &["stats", "corpus.db"]).expect(0);
    assert!(!ran.stderr.contains("error"), "{}", ran.stderr);
    let ran = run("HOME", workshop.path("loop"), &["ingest", "tree", "corpus.db"]).expect(0);
    let told = format!(
        "warning: configuration `{}/.config/pensieve/pensieve.toml` cannot be looked at",
        workshop.path("loop").display()
    );
    assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    assert_eq!(run("HOME", "/dev/null".into(), &words).expect(0).stderr, "");
    run("XDG_CONFIG_HOME", workshop.path("loop"), &words).expect(3);
}
