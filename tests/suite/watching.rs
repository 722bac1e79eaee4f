//! `pensieve watch`: a database follows its folder, through edits, bursts, kills, locks and a folder that goes away.

use crate::editing::Editor;
use crate::support::{Dice, Workshop, interrupt, kill, left_out, rounds, seed, terminate, with_seed};
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const FLAGS: &[&str] = &["--chunk-size", "64", "--chunk-overlap", "8", "--allow-mass-deletion"];
/// A slow machine may take this long for what takes a moment.
const PATIENCE: Duration = Duration::from_secs(40);

/// A watcher at work; it is ended with the test.
struct WatchRun<'w> {
    workshop: &'w Workshop,
    child: Option<Child>,
}

impl<'w> WatchRun<'w> {
    /// Starts `watch tree corpus.db` with these flags.
    fn start(workshop: &'w Workshop, flags: &[&str]) -> WatchRun<'w> {
        let words = ["watch", "tree", "corpus.db"];
        let file = |name: &str| Stdio::from(File::create(workshop.path(name)).unwrap());
        let mut command = workshop.command(words.iter().chain(FLAGS).chain(flags));
        let child = command.stdout(file("out")).stderr(file("err")).spawn().unwrap();
        WatchRun { workshop, child: Some(child) }
    }

    /// Starts it, and waits until the first run has ended.
    fn ready(workshop: &'w Workshop, flags: &[&str]) -> WatchRun<'w> {
        let run = WatchRun::start(workshop, flags);
        run.until("the first run has ended", || run.said("watching `tree`"));
        run
    }

    /// Waits until something is so.
    #[track_caller]
    fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            let (out, err) = (self.text("out"), self.text("err"));
            assert!(begun.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}\n{out}\n{err}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the search finds this many hits.
    #[track_caller]
    fn until_found(&self, word: &str, hits: usize) {
        self.until(&format!("{hits} hits of {word}"), || {
            let found = self.workshop.run(["search", "corpus.db", word, "--json"]);
            found.code == Some(0) && found.json()["hits"].as_array().is_some_and(|list| list.len() == hits)
        });
    }

    /// Waits until the database is what a clean ingest makes of the tree.
    #[track_caller]
    fn until_equal(&self) {
        let clean = self.workshop.clean_fingerprint(FLAGS);
        self.until("the fingerprint of a clean ingest", || {
            let found = self.workshop.run(["fingerprint", "corpus.db"]);
            found.code == Some(0) && found.stdout.trim_end() == clean
        });
    }

    fn said(&self, words: &str) -> bool {
        self.text("err").contains(words)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.workshop.path(name)).unwrap()
    }

    /// Lines on stdout.
    fn lines(&self) -> usize {
        self.text("out").lines().count()
    }

    fn end(mut self, by: fn(Child) -> Option<i32>) -> Option<i32> {
        by(self.child.take().unwrap())
    }
}

impl Drop for WatchRun<'_> {
    fn drop(&mut self) {
        self.child.take().map(kill);
    }
}

fn furnished() -> Workshop {
    let workshop = Workshop::new();
    for number in 0..6 {
        workshop.write(format!("d{}/{number}.txt", number % 2), format!("The walnut of day {number}.\n"));
    }
    workshop
}

/// What an editor, a file manager and a version control system do, watched by events and by polling.
fn follow_edits(flags: &[&str]) {
    let workshop = furnished();
    let watch = WatchRun::ready(&workshop, flags);
    watch.until_found("walnut", 6);
    workshop.write("d0/new.txt", "A quince in the dish.\n");
    watch.until_found("quince", 1);
    workshop.write("d0/new.txt", "A medlar in the dish.\n");
    watch.until_found("medlar", 1);
    watch.until_found("quince", 0);
    workshop.write("aside", "Saved by renaming: a damson.\n");
    workshop.rename("aside", "d0/new.txt");
    watch.until_found("damson", 1);
    workshop.rename("d0/new.txt", "deep/in/new/folders.txt");
    workshop.write("deep/in/new/other.txt", "A rowan behind the wall.\n");
    watch.until_found("rowan", 1);
    watch.until("the new name", || {
        workshop.rows("SELECT 1 FROM files WHERE relative_path = 'deep/in/new/folders.txt'").len() == 1
    });
    workshop.write("deep/in/new/later.txt", "A bullace in a folder that was not there.\n");
    watch.until_found("bullace", 1);
    fs::rename(workshop.tree().join("deep"), workshop.tree().join("moved")).unwrap();
    workshop.write("moved/in/new/later.txt", "A sorb in a folder that was moved.\n");
    watch.until_found("sorb", 1);
    workshop.remove("d1/1.txt");
    watch.until_found("walnut", 5);
    fs::remove_dir_all(workshop.tree().join("d1")).unwrap();
    watch.until_found("walnut", 3);
    workshop.write(".ignore", "d0\n");
    watch.until_found("walnut", 0);
    workshop.write(".ignore", "");
    watch.until_found("walnut", 3);
    workshop.write("d0/0.txt", "A pear in a folder that was left out.\n");
    watch.until_found("pear", 1);
    watch.until_equal();
    assert_eq!(watch.end(terminate), Some(0));
    workshop.verify();
}

#[test]
fn edits_are_followed_by_events() {
    follow_edits(&[]);
}

#[test]
fn edits_are_followed_by_polling() {
    follow_edits(&["--poll", "0.2"]);
}

#[test]
fn a_burst_gives_few_runs_and_one_line_each() {
    let workshop = furnished();
    let watch = WatchRun::ready(&workshop, &["--json"]);
    for number in 0..200 {
        workshop.write(format!("burst/{number}.txt"), format!("Sloe number {number}.\n"));
    }
    watch.until("all files", || {
        workshop.one("SELECT count(*) FROM files WHERE processing_status = 'Processed'") == "206"
    });
    watch.until_equal();
    let runs: Vec<serde_json::Value> =
        watch.text("out").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!((2..=6).contains(&runs.len()), "{} runs", runs.len());
    let new: u64 = runs.iter().map(|run| run["new"].as_u64().unwrap()).sum();
    assert_eq!(new, 206);
    assert!(runs.iter().all(|run| run["at"].is_string() && run["milliseconds"].is_u64()));
    assert_eq!(watch.end(interrupt), Some(0));
}

#[test]
fn a_database_alone_stands_for_all_of_its_folders() {
    let workshop = furnished();
    fs::create_dir(workshop.path("other")).unwrap();
    fs::write(workshop.path("other/a.txt"), "A cornel in the second folder.\n").unwrap();
    workshop.run(["ingest", "tree", "other", "corpus.db"]).expect(0);
    let file = |name: &str| Stdio::from(File::create(workshop.path(name)).unwrap());
    let child =
        workshop.command(["watch", "corpus.db"]).stdout(file("out")).stderr(file("err")).spawn().unwrap();
    let watch = WatchRun { workshop: &workshop, child: Some(child) };
    watch.until("both are watched", || watch.text("err").matches("watching `").count() == 2);
    workshop.write("d0/new.txt", "A quince in the dish.\n");
    watch.until_found("quince", 1);
    fs::write(workshop.path("other/b.txt"), "A shadbush beside it.\n").unwrap();
    watch.until_found("shadbush", 1);
    assert!(watch.text("out").lines().all(|line| line.contains(", in `/")), "{}", watch.text("out"));
    assert_eq!(watch.end(terminate), Some(0));
    workshop.verify();
}

/// What a scan leaves out causes no run, and neither do the database and its own files beside it.
fn leave_out(flags: &[&str]) {
    let workshop = furnished();
    workshop.write(".gitignore", "*.log\nnode_modules/\n");
    workshop.write("node_modules/pkg/index.js", "let medlar = 1;\n");
    let inside = workshop.tree().join("d1/inside.db");
    let file = |name: &str| Stdio::from(File::create(workshop.path(name)).unwrap());
    let mut command = workshop.command(["watch", "tree", "tree/d1/inside.db"].iter().chain(flags));
    let child = command.stdout(file("out")).stderr(file("err")).spawn().unwrap();
    let watch = WatchRun { workshop: &workshop, child: Some(child) };
    watch.until("the first run has ended", || watch.said("watching `tree`"));
    assert_eq!(watch.said("watching `tree`: 3 folders"), flags.is_empty());
    let runs = || -> i64 {
        let corpus = crate::support::open(&inside);
        corpus.query_row("SELECT count(*) FROM runs", [], |row| row.get(0)).unwrap()
    };
    let first = runs();
    for round in 0..8 {
        workshop.write("d0/noise.log", format!("line {round}\n"));
        workshop.write("node_modules/pkg/index.js", format!("let medlar = {round};\n"));
        std::thread::sleep(Duration::from_millis(150));
    }
    assert_eq!((runs(), watch.lines()), (first, 1));
    workshop.write("d0/0.txt", "A change at last.\n");
    watch.until("a run", || watch.lines() == 2);
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!((runs(), watch.lines()), (first + 1, 2));
    assert_eq!(watch.end(terminate), Some(0));
}

#[test]
fn no_event_of_what_is_left_out_causes_a_run() {
    leave_out(&[]);
}

#[test]
fn nothing_that_is_left_out_causes_a_run_while_polling() {
    leave_out(&["--poll", "0.1"]);
}

#[test]
fn another_run_is_waited_for() {
    let workshop = furnished();
    workshop.ingest(FLAGS);
    let lock: PathBuf = workshop.path("corpus.db.lock");
    let held = File::create(&lock).unwrap();
    held.lock().unwrap();
    let watch = WatchRun::start(&workshop, &[]);
    watch.until("it says so", || watch.said("locked by another run; waiting"));
    drop(held);
    watch.until("it goes on", || watch.said("goes on") && watch.said("watching `tree`"));
    let held = File::create(&lock).unwrap();
    held.lock().unwrap();
    workshop.write("d0/0.txt", "A quince that waits.\n");
    watch.until("it says so again", || watch.text("err").matches("; waiting").count() == 2);
    drop(held);
    watch.until_found("quince", 1);
    assert_eq!(watch.end(terminate), Some(0));
}

#[test]
fn a_folder_that_goes_away_is_waited_for() {
    let workshop = furnished();
    workshop.run(["watch", "nowhere", "corpus.db"]).expect(4);
    let watch = WatchRun::ready(&workshop, &[]);
    fs::rename(workshop.tree(), workshop.path("elsewhere")).unwrap();
    watch.until("it says so", || watch.said("; waiting"));
    watch.until_found("walnut", 6);
    fs::rename(workshop.path("elsewhere"), workshop.tree()).unwrap();
    watch.until("it goes on", || watch.said("goes on"));
    workshop.write("d0/0.txt", "A quince in a folder that is back.\n");
    watch.until_found("quince", 1);
    watch.until_equal();
    assert_eq!(watch.end(terminate), Some(0));
}

/// A document that costs its time limit is not tried again with every edit of another file, but with its own.
#[test]
fn a_document_that_takes_too_long_does_not_delay_later_edits() {
    let workshop = furnished();
    workshop.install_tool("grep -q slow \"$1\" && sleep 60\ncat \"$1\"");
    let tool = fs::read_to_string(workshop.path("tool.toml")).unwrap();
    fs::write(workshop.path("tool.toml"), tool + "[converter_limits]\ntimeout_seconds = 1\n").unwrap();
    workshop.write("entry.log", "a slow entry\n");
    let watch = WatchRun::ready(&workshop, &["--config", "tool.toml", "--json"]);
    assert_eq!(workshop.fate("entry.log"), "Error|Timeout");
    workshop.write("d0/0.txt", "A quince that does not wait.\n");
    watch.until_found("quince", 1);
    watch.until("its line", || watch.lines() == 2);
    let run: serde_json::Value = serde_json::from_str(watch.text("out").lines().last().unwrap()).unwrap();
    assert_eq!((&run["retried"], &run["changed"], &run["errors"]), (&0.into(), &1.into(), &0.into()));
    assert_eq!(workshop.fate("entry.log"), "Error|Timeout");
    workshop.write("entry.log", "a quick entry\n");
    watch.until_found("quick", 1);
    assert_eq!(watch.end(terminate), Some(0));
}

/// Where the system allows too few watches the folder is polled, and one line says so.
#[cfg(target_os = "linux")]
#[test]
fn where_watches_run_out_the_folder_is_polled() {
    let workshop = furnished();
    for number in 0..20 {
        workshop.write(format!("more{number}/a.txt"), format!("Page {number}.\n"));
    }
    let line = "echo 5 > /proc/sys/user/max_inotify_watches || exit 99; exec \"$@\"";
    let program = workshop.command(["watch", "tree", "corpus.db"].iter().chain(FLAGS));
    let mut command = std::process::Command::new("unshare");
    command.args(["--user", "--map-root-user", "sh", "-c", line, "sh"]).arg(program.get_program());
    command.args(program.get_args()).current_dir(workshop.path("")).stdin(Stdio::null());
    command.env("HOME", workshop.path("home")).env_remove("XDG_CONFIG_HOME");
    let file = |name: &str| Stdio::from(File::create(workshop.path(name)).unwrap());
    let Ok(mut child) = command.stdout(file("out")).stderr(file("err")).spawn() else {
        return left_out("a watch without enough watches: there is no unshare");
    };
    std::thread::sleep(Duration::from_millis(300));
    if child.try_wait().unwrap().is_some() {
        return left_out("a watch without enough watches: no user namespace can be made");
    }
    let watch = WatchRun { workshop: &workshop, child: Some(child) };
    watch.until("it says so", || watch.said("`tree` is polled: the system allows no more watches"));
    workshop.write("more19/a.txt", "A quince that no event reports.\n");
    watch.until_found("quince", 1);
    assert_eq!(watch.end(terminate), Some(0));
}

/// A run that is stopped in its middle ends with the code of an interruption.
#[test]
fn a_run_under_way_is_interrupted() {
    let workshop = furnished();
    workshop.install_tool("sleep 0.3\ncat \"$1\"");
    for number in 0..40 {
        workshop.write(format!("{number}.log"), format!("entry {number}\n"));
    }
    let watch = WatchRun::start(&workshop, &["--config", "tool.toml", "--threads", "2"]);
    watch.until("files are being read", || watch.said("found 46 files"));
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(watch.end(terminate), Some(130));
    workshop.verify();
}

/// Bursts of random edits, and a watcher that is killed now and then and started again: the database becomes what a
/// clean ingest makes.
fn follow_bursts(dice: &mut Dice, flags: &[&str]) {
    let workshop = Workshop::new();
    let mut editor = Editor::new(workshop.tree());
    editor.furnish(dice, 25);
    let mut watch = WatchRun::ready(&workshop, flags);
    for burst in 0..rounds(6) {
        for _ in 0..=dice.below(12) {
            editor.step(dice);
            if dice.chance(20) {
                std::thread::sleep(Duration::from_millis(dice.below(150) as u64));
            }
        }
        if dice.chance(40) {
            std::thread::sleep(Duration::from_millis(dice.below(400) as u64));
            watch.end(kill);
            watch = WatchRun::start(&workshop, flags);
        }
        if dice.chance(60) || burst + 1 == rounds(6) {
            watch.until_equal();
        }
    }
    assert_eq!(watch.end(terminate), Some(0));
    workshop.verify();
}

#[test]
fn bursts_and_kills_leave_what_a_clean_ingest_would() {
    with_seed(seed() * 1000 + 26, |dice| follow_bursts(dice, &[]));
}

#[test]
fn bursts_and_kills_while_polling_do_too() {
    with_seed(seed() * 1000 + 27, |dice| follow_bursts(dice, &["--poll", "0.3"]));
}
