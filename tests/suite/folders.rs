//! Several folders in one command: all of a database, or those that are given.

use crate::support::{Workshop, left_out};
use serde_json::Value;
use std::fs;
use std::time::Duration;

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    for folder in ["one", "two"] {
        fs::create_dir(workshop.path(folder)).unwrap();
        fs::write(workshop.path(folder).join("a.txt"), format!("words of {folder}\n")).unwrap();
        fs::write(workshop.path(folder).join("b.md"), format!("# more of {folder}\n")).unwrap();
    }
    workshop
}

fn json(workshop: &Workshop, words: &[&str], code: i32) -> Value {
    workshop.run([&["ingest"], words, &["--json"]].concat()).expect(code).json()
}

#[track_caller]
fn check(found: &Value, expected: &[(&str, u64)]) {
    for (key, number) in expected {
        assert_eq!(found[*key], *number, "{key} of {found}");
    }
}

#[test]
fn folders_are_read_one_after_the_other_and_a_database_alone_means_all_of_its_own() {
    let workshop = workshop();
    let first = json(&workshop, &["one", "two", "x.db"], 0);
    check(&first, &[("new", 4), ("files", 4), ("unchanged", 0)]);
    check(&first["corpus"], &[("files", 4), ("problems", 0)]);
    assert_eq!(first["roots"].as_array().map(Vec::len), Some(2));
    assert!(first["roots"][0]["root"].as_str().unwrap().ends_with("/one"), "{first}");

    fs::write(workshop.path("one/c.txt"), "a third file\n").unwrap();
    fs::remove_file(workshop.path("two/b.md")).unwrap();
    check(&json(&workshop, &["x.db"], 0), &[("new", 1), ("deleted", 1), ("unchanged", 3)]);
    for folder in ["one", "two"] {
        workshop.run(["ingest", folder, "y.db"]).expect(0);
    }
    let print = |database: &str| workshop.run(["fingerprint", database]).expect(0).stdout;
    assert_eq!(print("x.db"), print("y.db"));

    // A folder alone is read into the database that has no name in the command.
    check(&json(&workshop, &["one"], 0), &[("new", 3)]);
    assert!(workshop.path("pensieve.db").is_file());
    check(&json(&workshop, &[], 0), &[("unchanged", 3)]);
    let text = workshop.run(["ingest", "x.db", "--progress", "off"]).expect(0).stdout;
    assert!(text.contains("/one\nthis run") && text.contains("/two\nthis run"), "{text}");
    assert_eq!(text.matches("\nproblems ").count(), 1, "{text}");
}

#[test]
fn a_folder_that_is_gone_stops_no_other() {
    let workshop = workshop();
    json(&workshop, &["one", "two", "x.db"], 0);
    fs::rename(workshop.path("one"), workshop.path("away")).unwrap();
    fs::write(workshop.path("two/c.txt"), "a third file\n").unwrap();
    let ran = workshop.run(["ingest", "x.db"]).expect(4);
    assert!(ran.stderr.contains("error: cannot read folder") && ran.stdout.contains("1 new"), "{ran:?}");
    assert_eq!(workshop.run(["stats", "x.db", "--json"]).expect(0).json()["files"], 5);
}

#[test]
fn what_cannot_be_meant_is_refused_with_the_command_that_is() {
    let workshop = workshop();
    json(&workshop, &["one", "x.db"], 0);
    let refused = |words: &[&str], said: &str, hint: &str| {
        let ran = workshop.run([&["ingest"], words].concat()).expect(2);
        assert!(ran.stderr.contains(said) && ran.stderr.contains(hint), "{ran:?}");
    };
    let last = "`two` is a folder, and the last argument is the database";
    refused(&["x.db", "two"], last, "hint: pensieve ingest two x.db");
    let ran = workshop.run(["ingest", "one", "two"]).expect(5);
    assert!(ran.stderr.contains("`two` is a folder, not a database file\nhint: "), "{ran:?}");
    refused(&["none.db"], "neither a folder nor a database", "hint: pensieve ingest DIR none.db");
    refused(&[], "no folder is given", "hint: pensieve ingest DIR DB");
    refused(&["one", "two", "x.db", "--moved-from", "three"], "--moved-from is for one folder", "one by one");
    let ran = workshop.run(["ingest", "one/a.txt", "y.db", "--json"]).expect(4);
    let object = ran.json();
    assert!(object["error"].as_str().unwrap().contains("is not a folder"), "{object}");
    assert_eq!(object["exit_code"], 4);
}

#[test]
fn patterns_of_flags_choose_files() {
    let workshop = workshop();
    check(&json(&workshop, &["one", "x.db", "--include", "*.md"], 0), &[("new", 1)]);
    check(&json(&workshop, &["one", "x.db"], 0), &[("new", 1), ("unchanged", 1)]);
    check(&json(&workshop, &["two", "x.db", "--exclude", "a.*", "--exclude", "*.md"], 0), &[("new", 0)]);
}

#[test]
fn a_run_waits_for_the_lock_as_long_as_it_is_told() {
    let workshop = workshop();
    json(&workshop, &["one", "x.db"], 0);
    let lock = fs::File::create(workshop.path("x.db.lock")).unwrap();
    lock.try_lock().unwrap();
    workshop.run(["ingest", "one", "x.db"]).expect(5);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_secs(1));
            lock.unlock().unwrap();
        });
        workshop.run(["ingest", "one", "x.db", "--wait", "60"]).expect(0);
    });
}

/// Some containers and chroots have no /proc, from which a program usually learns where it is.
#[test]
fn documents_are_read_without_proc() {
    let workshop = workshop();
    fs::write(workshop.path("one/letter.rtf"), "{\\rtf1 Words of a letter.}").unwrap();
    let script = "mount -t tmpfs none /proc || exit 99; exec \"$0\" ingest one x.db --json";
    let mut command = std::process::Command::new("unshare");
    command.args(["--mount", "--map-root-user", "sh", "-c", script, env!("CARGO_BIN_EXE_pensieve")]);
    let Ok(output) = command.current_dir(workshop.path(".")).output() else {
        return left_out("a run without /proc: there is no unshare");
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() && (output.status.code() == Some(99) || stderr.contains("unshare")) {
        return left_out("a run without /proc: namespaces are not allowed");
    }
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    check(&summary, &[("new", 3), ("errors", 0), ("processed", 3)]);
}
