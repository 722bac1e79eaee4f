//! What is wrong with files: by what it costs, new or known, accepted or open; and what a strict run says of it.

use crate::support::Workshop;
use rusqlite::Connection;
use serde_json::Value;

/// A tree with a file that is lost, one of which something is not right, and one that is whole.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("lost.pdf", "%PDF-1.4\nnothing of a document\n");
    let text = "Die K\u{fc}ste ist gro\u{df} und weit, und das Wasser w\u{e4}rmt sie.\n".repeat(8);
    workshop.write("deep/partly.txt", [text.as_bytes(), b"ein \xff Zeichen\n", text.as_bytes()].concat());
    workshop.write("whole.txt", "all words are here\n");
    workshop
}

fn problems(workshop: &Workshop, flags: &[&str]) -> Vec<Value> {
    let words = [&["problems", "corpus.db", "--json"], flags].concat();
    let printed = workshop.run(words).expect(0).stdout;
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Severity, path and marks of each problem.
#[track_caller]
fn check(workshop: &Workshop, flags: &[&str], expected: &[&str]) {
    let shown = |problem: &Value| {
        let mark = |key: &str| if problem[key] == true { format!(" {key}") } else { String::new() };
        let text = |key: &str| problem[key].as_str().unwrap().to_owned();
        format!("{} {}{}{}", text("severity"), text("path"), mark("new"), mark("accepted"))
    };
    let found: Vec<String> = problems(workshop, flags).iter().map(shown).collect();
    assert_eq!(found, expected, "{flags:?}");
}

fn strict(workshop: &Workshop, flag: &str, code: i32) {
    workshop.run(workshop.words(&[flag])).expect(code);
}

#[test]
fn a_problem_is_new_for_one_run_and_what_is_lost_stays_red_until_it_is_accepted() {
    let workshop = workshop();
    strict(&workshop, "--strict", 1);
    check(&workshop, &[], &["lost lost.pdf new", "partly deep/partly.txt new"]);
    strict(&workshop, "--strict", 1);
    check(&workshop, &[], &["lost lost.pdf", "partly deep/partly.txt"]);
    check(&workshop, &["--new"], &[]);
    check(&workshop, &["--severity", "partly"], &["partly deep/partly.txt"]);

    workshop.run(["problems", "corpus.db", "--path", "*.pdf", "--accept"]).expect(0);
    check(&workshop, &[], &["partly deep/partly.txt"]);
    check(&workshop, &["--all"], &["lost lost.pdf accepted", "partly deep/partly.txt"]);
    strict(&workshop, "--strict", 0);
    strict(&workshop, "--strict=new", 0);
    strict(&workshop, "--strict=any", 1);
    workshop.write("more.pdf", "%PDF-1.4\nnothing of another\n");
    workshop.rename("lost.pdf", "renamed.pdf");
    strict(&workshop, "--strict", 1);
    check(&workshop, &["--new"], &["lost more.pdf new"]);
    check(&workshop, &["--all", "--path", "renamed.pdf"], &["lost renamed.pdf accepted"]);
    workshop.remove("more.pdf");
    strict(&workshop, "--strict", 0);

    // What was accepted and went is new when it comes back.
    workshop.remove("renamed.pdf");
    strict(&workshop, "--strict", 0);
    workshop.write("renamed.pdf", "%PDF-1.4\nnothing of a document\n");
    strict(&workshop, "--strict", 1);
    check(&workshop, &["--new"], &["lost renamed.pdf new"]);
    workshop.run(["problems", "corpus.db", "--accept"]).expect(0);
    check(&workshop, &[], &[]);
    workshop.run(["problems", "corpus.db", "--path", "deep/**", "--reopen"]).expect(0);
    check(&workshop, &[], &["partly deep/partly.txt"]);
    workshop.verify();
}

#[test]
fn people_get_paths_below_their_folder_under_what_it_costs() {
    let workshop = workshop();
    workshop.ingest(&[]);
    let ran = workshop.run(["problems", "corpus.db"]).expect(0);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((lines[0], lines[2]), ("lost: 1 file", "partly: 1 file"));
    assert!(lines[1].starts_with("  lost.pdf (new): Damaged: "), "{lines:?}");
    assert!(lines[3].starts_with("  deep/partly.txt (new): Undecodable: "), "{lines:?}");
    assert_eq!(ran.stderr, "1 lost, 1 partly; 2 new\n");
    let summary = workshop.ingest(&[]);
    let corpus = &summary["corpus"];
    let numbers = ["files", "problems", "lost", "partly", "repaired", "new"].map(|key| corpus[key].as_u64());
    assert_eq!(numbers, [Some(3), Some(2), Some(1), Some(1), Some(0), Some(0)], "{corpus}");
}

/// Text that was kept because its converter is away: nothing is missing.
#[test]
fn a_broken_converter_is_a_problem_of_one_night_that_loses_nothing() {
    let workshop = Workshop::new();
    workshop.write("a.docz", "Words of a letter.\n");
    let config = |command: &str| {
        std::fs::write(workshop.path("c.toml"), format!("[converters]\ndocz = {command:?}\n")).unwrap();
    };
    let night = |code: i32| workshop.run(workshop.words(&["--config", "c.toml", "--strict"])).expect(code);
    config("cat {input}");
    night(0);
    config("false {input}");
    night(1);
    check(&workshop, &[], &["repaired a.docz new"]);
    night(0);
    check(&workshop, &[], &["repaired a.docz"]);
    config("cat {input}");
    night(0);
    check(&workshop, &[], &[]);
}

#[test]
fn problems_of_an_older_database_are_not_new() {
    let workshop = workshop();
    workshop.ingest(&[]);
    let corpus = Connection::open(workshop.database()).unwrap();
    assert_eq!(corpus.execute("DELETE FROM meta WHERE key = 'problem_runs'", []).unwrap(), 1);
    drop(corpus);
    workshop.ingest(&[]);
    check(&workshop, &["--new"], &[]);
    check(&workshop, &[], &["lost lost.pdf", "partly deep/partly.txt"]);
}
