//! Whoever replays the changes of several databases that are one corpus, from nothing or from a cursor that is still held,
//! has what `export` of all of them prints, after any history of any of them.

use crate::changes::{FLAGS, Follower, exported, words};
use crate::editing::Editor;
use crate::merging::{BOTH, two_shards};
use crate::support::{Dice, Workshop, kill, rounds, seed, start, with_seed};
use serde_json::Value;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a corpus is divided.
#[derive(Debug, Clone, Copy)]
enum Cut {
    /// One folder, of which each database has a list of files; a file that is renamed goes to another one.
    Lists,
    /// A folder for each database. The same paths are in several of them.
    Roots,
}

/// Several databases whose files are edited.
struct Corpus {
    workshop: Workshop,
    cut: Cut,
    editors: Vec<Editor>,
    databases: Vec<String>,
}

impl Corpus {
    fn new(cut: Cut, count: usize, dice: &mut Dice) -> Corpus {
        let workshop = Workshop::new();
        let folders = match cut {
            Cut::Lists => 1,
            Cut::Roots => count,
        };
        let mut editors: Vec<Editor> =
            (0..folders).map(|number| Editor::new(folder(&workshop, cut, number))).collect();
        for (number, editor) in editors.iter_mut().enumerate() {
            fs::create_dir_all(folder(&workshop, cut, number)).unwrap();
            editor.furnish(dice, 24 / folders);
        }
        let databases = (0..count).map(|number| format!("part-{number}.db")).collect();
        let corpus = Corpus { workshop, cut, editors, databases };
        (0..count).for_each(|number| drop(corpus.workshop.run(corpus.ingest_words(number)).expect(0)));
        corpus
    }

    /// Does one thing to one folder, or takes something over into another one.
    fn step(&mut self, dice: &mut Dice) {
        let number = dice.below(self.editors.len());
        if !dice.chance(30) {
            return self.editors[number].step(dice);
        }
        let files: Vec<PathBuf> = self.editors.iter().flat_map(Editor::files).collect();
        let from = dice.pick(&files);
        let root = folder(&self.workshop, self.cut, number);
        // Often at the same path: then two documents want the same id.
        let own = self.editors.iter().enumerate().find_map(|(number, _)| {
            from.strip_prefix(folder(&self.workshop, self.cut, number)).ok().map(Path::to_path_buf)
        });
        let to = match dice.chance(60) {
            true => root.join(own.unwrap_or_default()),
            false => root.join(format!("taken{}.{}", dice.below(9), dice.pick(&["txt", "md", "eml", "zip"]))),
        };
        let can_be = to.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok()) && !to.is_dir();
        if can_be && to != from && fs::copy(&from, &to).is_ok() {
            self.editors[number].diary.push(format!("take {} as {}", from.display(), to.display()));
            if dice.chance(40) {
                fs::remove_file(&from).unwrap();
                self.editors[number].diary.push("  and remove it there".to_owned());
            }
        }
    }

    fn ingest_words(&self, number: usize) -> Vec<String> {
        let root = folder(&self.workshop, self.cut, number);
        let (root, database) = (root.to_string_lossy().into_owned(), self.databases[number].clone());
        let mut words = match self.cut {
            Cut::Roots => vec!["ingest".to_owned(), root, database],
            Cut::Lists => {
                let list = self.write_list(number);
                vec![
                    "ingest".to_owned(),
                    "--root".to_owned(),
                    root,
                    "--files-from".to_owned(),
                    list,
                    database,
                ]
            }
        };
        words.extend(FLAGS.iter().map(|flag| (*flag).to_owned()));
        words.extend(["--config".to_owned(), "archives.toml".to_owned()]);
        fs::write(self.workshop.path("archives.toml"), "[scan]\narchives = true\n").unwrap();
        words
    }

    /// The files of one database: which one has a file depends on its path alone.
    fn write_list(&self, number: usize) -> String {
        let root = folder(&self.workshop, self.cut, number);
        let mut list = Vec::new();
        for file in self.editors[0].files() {
            let path = file.strip_prefix(&root).unwrap().as_os_str().as_bytes().to_vec();
            let sum: usize = path.iter().map(|byte| usize::from(*byte)).sum();
            if sum % self.databases.len() == number {
                list.extend(path);
                list.push(0);
            }
        }
        let name = format!("part-{number}.list");
        fs::write(self.workshop.path(&name), list).unwrap();
        name
    }
}

fn folder(workshop: &Workshop, cut: Cut, number: usize) -> PathBuf {
    match cut {
        Cut::Lists => workshop.tree(),
        Cut::Roots => workshop.path(format!("root-{number}")),
    }
}

fn history(cut: Cut, dice: &mut Dice) {
    let count = 2 + dice.below(2);
    let mut corpus = Corpus::new(cut, count, dice);
    let mut followers = vec![Follower::of(&corpus.databases)];
    for round in 0..8 {
        for _ in 0..dice.below(8) {
            corpus.step(dice);
        }
        for number in 0..count {
            if dice.chance(10) {
                let child = start(&mut corpus.workshop.command(corpus.ingest_words(number)));
                std::thread::sleep(Duration::from_millis(dice.below(60) as u64));
                kill(child);
            }
            // Not every database is up to date at the same time.
            if dice.chance(70) || round == 7 {
                corpus.workshop.run(corpus.ingest_words(number)).expect(0);
            }
        }
        let ready = corpus.workshop.run(words("export", &corpus.databases));
        if ready.code == Some(4) {
            // A killed run, or a file that two lists have for a while.
            continue;
        }
        let state = exported(&corpus.workshop, &corpus.databases);
        for follower in &mut followers {
            if dice.chance(60) || round == 7 {
                follower.follow(&corpus.workshop, [1, 7, 100_000][dice.below(3)].max(1 + state.len() / 60));
                let differences = follower.differences(&state);
                let diaries: Vec<_> = corpus.editors.iter().map(|editor| &editor.diary).collect();
                assert!(differences.is_empty(), "{cut:?}, round {round}: {differences:#?} {diaries:#?}");
            }
        }
        if followers.len() < 3 {
            followers.push(Follower::of(&corpus.databases));
        }
    }
}

#[test]
fn a_follower_of_lists_of_one_folder_has_what_export_prints() {
    for number in 0..rounds(2) as u64 {
        with_seed(seed() * 1000 + number, |dice| history(Cut::Lists, dice));
    }
}

#[test]
fn a_follower_of_several_folders_has_what_export_prints() {
    for number in 0..rounds(2) as u64 {
        with_seed(seed() * 1000 + 100 + number, |dice| history(Cut::Roots, dice));
    }
}

/// The operations of a feed with what they are about, and its last cursor.
fn feed(workshop: &Workshop, databases: &[&str], since: &str) -> (Vec<(String, String)>, String) {
    let databases: Vec<String> = databases.iter().map(|&name| name.to_owned()).collect();
    let ran = workshop.run(words("changes", &databases).iter().chain(&["--since", since])).expect(0);
    let mut rows: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let cursor = rows.pop().unwrap()["cursor"].as_str().unwrap().to_owned();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    (rows.iter().map(|row| (text(row, "op"), text(row, "relative_path"))).collect(), cursor)
}

#[test]
fn a_copy_elsewhere_takes_the_place_of_a_document_that_goes() {
    let workshop = Workshop::new();
    for (root, database) in [("one", "one.db"), ("two", "two.db")] {
        fs::create_dir(workshop.path(root)).unwrap();
        fs::write(workshop.path(format!("{root}/same.txt")), "The same words.\n").unwrap();
        fs::write(workshop.path(format!("{root}/own.txt")), format!("Words of {root}.\n")).unwrap();
        workshop.run(["ingest", root, database]).expect(0);
    }
    let both = ["one.db", "two.db"];
    let row = |op: &str, path: &str| (op.to_owned(), path.to_owned());
    let (mut rows, cursor) = feed(&workshop, &both, "0");
    rows.sort();
    assert_eq!(rows, [row("upsert", "own.txt"), row("upsert", "own.txt"), row("upsert", "same.txt")]);
    assert_eq!(feed(&workshop, &both, &cursor), (vec![], cursor.clone()));
    // The database that changes has nothing more of these words; the other one has not changed.
    fs::remove_file(workshop.path("one/same.txt")).unwrap();
    workshop.run(["ingest", "one", "one.db"]).expect(0);
    let (rows, later) = feed(&workshop, &both, &cursor);
    assert!(rows.contains(&row("upsert", "same.txt")), "{rows:?}");
    // Both wanted the same id; the one that is left has it now, and its other one is gone.
    assert!(rows.contains(&row("delete", "")), "{rows:?}");
    let mut follower = Follower::of(&both.map(str::to_owned));
    follower.follow(&workshop, 100);
    assert_eq!(follower.cursor, later);
}

#[test]
fn cursors_of_others_are_refused() {
    let workshop = two_shards([&[], &[]]);
    let (_, cursor) = feed(&workshop, BOTH, "0");
    let check = |databases: &[&str], since: &str, said: &str| {
        let databases: Vec<String> = databases.iter().map(|&name| name.to_owned()).collect();
        let ran = workshop.run(words("changes", &databases).iter().chain(&["--since", since])).expect(2);
        let hint = "give the same databases in the same order as before, or begin again with `--since 0`";
        assert!(ran.stderr.contains(said) && ran.stderr.contains(hint), "{}", ran.stderr);
        assert_eq!(ran.stdout, "");
    };
    let (_, of_one) = feed(&workshop, &BOTH[..1], "0");
    check(&[BOTH[1], BOTH[0]], &cursor, "one of other databases, or of these in another order");
    check(&BOTH[..1], &cursor, "the cursor is one of several databases");
    check(BOTH, &of_one, "the cursor is one of a single database");
    check(BOTH, "1", "a run's number is one of a single database");
    workshop.write("e.txt", "One file more.\n");
    fs::write(workshop.path("lists/shard-0002.list"), "e.txt\n").unwrap();
    workshop.run(["ingest", "--root", "tree", "--files-from", "lists/shard-0002.list", "third.db"]).expect(0);
    check(&[BOTH[0], BOTH[1], "third.db"], &cursor, "one of other databases");
}

#[test]
fn what_is_no_longer_kept_is_expired() {
    let workshop = two_shards([&[], &[]]);
    let ingest = |flags: &[&str]| {
        let words = ["ingest", "--root", "tree", "--files-from", "lists/shard-0001.list", BOTH[1]];
        workshop.run(words.iter().chain(flags)).expect(0);
    };
    let (_, cursor) = feed(&workshop, BOTH, "0");
    fs::write(workshop.path("short.toml"), "[store]\njournal = \"1 runs\"\n").unwrap();
    for number in 0..3 {
        workshop.write("c.txt", format!("Words of round {number}.\n"));
        ingest(&["--config", "short.toml"]);
    }
    let ran = workshop.run(["changes", BOTH[0], "--partition", BOTH[1], "--since", &cursor]).expect(1);
    let row: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(row["op"], "expired");
    let (rows, _) = feed(&workshop, BOTH, row["oldest"].as_str().unwrap());
    assert!(rows.contains(&("upsert".to_owned(), "c.txt".to_owned())), "{rows:?}");
}
