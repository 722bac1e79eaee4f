//! Folders that tools fill are left out, and read when a rule or a setting asks for them.

use crate::archives::check_fresh;
use crate::support::Workshop;
use std::fs;

const PATHS: &str =
    "SELECT relative_path FROM files WHERE file_type = 'file' AND processing_status != 'Deleted'
    AND relative_path NOT LIKE '%ignore' ORDER BY relative_path";

const WRITTEN: [&str; 8] = [
    "Trash/letter.txt",
    "crate/Cargo.toml",
    "crate/src/target/range.md",
    "env/production.txt",
    "notes/build/plan.md",
    "notes/target/goals.md",
    "venv/travel.md",
    "x.md",
];
const OF_TOOLS: [&str; 8] = [
    "a/.local/Trash/files/old.txt",
    "a/.local/Trash/info/old.txt.trashinfo",
    "app/build/out.txt",
    "app/env/pyvenv.cfg",
    "app/node_modules/left-pad/README.md",
    "app/node_modules/x/node_modules/y/README.md",
    "crate/target/debug/words.txt",
    "x/.zotero-ft-cache",
];

/// A tree with both, and with a file that gives a `build` its meaning.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    for path in WRITTEN.iter().chain(&OF_TOOLS) {
        workshop.write(path, format!("words of {path}\n"));
    }
    workshop.write("app/build.gradle", "plugins {}\n");
    workshop
}

fn check(workshop: &Workshop, flags: &[&str], also: &[&str]) {
    workshop.ingest(&[flags, &["--allow-mass-deletion"]].concat());
    let mut expected = [&WRITTEN[..], &["app/build.gradle"], also].concat();
    expected.sort_unstable();
    assert_eq!(workshop.rows(PATHS), expected);
    check_fresh(workshop, flags);
}

#[test]
fn what_tools_leave_is_read_when_it_is_asked_for_and_not_before_or_after() {
    let workshop = workshop();
    let config = |text: &str| fs::write(workshop.path("c.toml"), text).unwrap();
    let file = workshop.path("c.toml");
    let flags = ["--config", file.to_str().unwrap()];
    config("");
    check(&workshop, &flags, &[]);
    config("[scan]\ntool_folders = []\n");
    check(&workshop, &flags, &OF_TOOLS);
    config("");
    check(&workshop, &flags, &[]);

    workshop.write(".pensieveignore", "!node_modules\n!/crate/target/\n");
    let wished = [OF_TOOLS[4], OF_TOOLS[5], OF_TOOLS[6]];
    check(&workshop, &flags, &wished);
    workshop.remove(".pensieveignore");
    // What git keeps is read.
    workshop.write(".gitignore", "*.o\n");
    check(&workshop, &flags, &OF_TOOLS);
    // A list of what is allowed does not ask for what tools made.
    workshop.remove(".gitignore");
    workshop.write(".ignore", "*\n!*/\n!*.*\n");
    check(&workshop, &flags, &[]);
    workshop.remove(".ignore");
    check(&workshop, &flags, &[]);

    // What gives a folder its meaning comes and goes.
    workshop.remove("app/build.gradle");
    workshop.write("notes/pom.xml", "<project/>\n");
    workshop.ingest(&flags);
    let paths = workshop.rows(PATHS);
    assert!(paths.contains(&"app/build/out.txt".into()) && !paths.contains(&"notes/target/goals.md".into()));
    check_fresh(&workshop, &flags);
}

#[test]
fn a_run_says_what_it_left_out_and_why_names_the_rule() {
    let workshop = workshop();
    let ran = workshop.run(["ingest", "tree", "corpus.db"]).expect(0);
    let said = "tool folders               6   1 .zotero-ft-cache, 1 Trash, 1 build, 1 env, 2 of other kinds left out, see scan.tool_folders";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    let counts = workshop.ingest(&[])["tool_folders"].clone();
    assert_eq!(counts["node_modules"], 1, "{counts}");
    for (path, pattern) in [(OF_TOOLS[5], "node_modules/"), (OF_TOOLS[6], "target/"), (OF_TOOLS[1], "Trash/")]
    {
        let why = workshop.run(["why", "corpus.db", path]).expect(0).stdout;
        assert!(why.contains("[scan] tool_folders:") && why.contains(pattern), "{why}");
    }
}

#[test]
fn a_folder_that_is_given_is_read_whatever_its_name() {
    let workshop = workshop();
    for root in ["tree/crate/target", "tree/app/node_modules", "tree/app/node_modules/x/node_modules"] {
        let ran = workshop.run(["ingest", root, "one.db", "--json"]).expect(0).json();
        assert_eq!(ran["new"], 1, "{root}: {ran}");
        fs::remove_file(workshop.path("one.db")).unwrap();
    }
}
