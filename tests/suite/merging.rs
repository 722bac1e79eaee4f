//! Law 12: the shards of any cut of a tree, merged, are what one run over the tree makes.

use crate::audit::{assert_same, audit};
use crate::editing::Editor;
use crate::search::assert_same_hits;
use crate::support::{Dice, Workshop, kill, open, rounds, rows, seed, start, timed, with_seed};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

pub const SMALL: &[&str] = &["--chunk-size", "64", "--chunk-overlap", "8"];

/// What can be listed: everything but folders with something in them.
const ENTRIES: &str = "SELECT relative_path || CASE file_type WHEN 'folder' THEN '/' ELSE '' END FROM files f
    WHERE file_type <> 'member' AND processing_status IS NOT 'Deleted' AND NOT EXISTS (SELECT 1 FROM files c
      WHERE file_type <> 'member' AND f.file_type = 'folder'
        AND substr(c.relative_path, 1, length(f.relative_path) + 1) = f.relative_path || '/')
    ORDER BY relative_path";

pub fn shard(number: usize) -> String {
    format!("shard-{number:04}.db")
}

/// Ingests the lists `shard-0000.list` and so on of a folder, each into a database of its own.
#[track_caller]
pub fn ingest_lists(workshop: &Workshop, lists: &str, count: usize, flags: &[&str]) {
    for number in 0..count {
        let list = format!("{lists}/shard-{number:04}.list");
        let database = shard(number);
        let words = ["ingest", "--root", "tree", "--files-from", list.as_str(), database.as_str()];
        workshop.run(words.iter().chain(flags)).expect(0);
    }
}

/// Writes lists that cut the tree of `corpus.db` at random.
pub fn cut_at_random(workshop: &Workshop, count: usize, dice: &mut Dice) {
    let mut lists = vec![Vec::new(); count];
    for entry in workshop.rows(ENTRIES) {
        let path = exact(&entry);
        let list = &mut lists[dice.below(count)];
        list.extend_from_slice(&path);
        list.push(0);
    }
    fs::create_dir_all(workshop.path("lists")).unwrap();
    for (number, list) in lists.iter().enumerate() {
        fs::write(workshop.path(format!("lists/shard-{number:04}.list")), list).unwrap();
    }
}

/// The bytes that a path in stored form stands for.
fn exact(stored: &str) -> Vec<u8> {
    use std::os::unix::ffi::OsStringExt;
    pensieve_store::scan::path_from_stored(stored).into_os_string().into_vec()
}

fn merge(workshop: &Workshop, count: usize) -> Command {
    let mut words = vec!["merge".to_owned(), "merged.db".to_owned()];
    words.extend((0..count).map(shard));
    workshop.command(words)
}

/// Merges the shards; the result is the corpus that one run made.
#[track_caller]
fn check_merge(workshop: &Workshop, count: usize) {
    let mut command = merge(workshop, count);
    let summary = crate::support::ran(command.arg("--json")).expect(0).json();
    assert_eq!(summary["fingerprint"], workshop.fingerprint(), "{summary}");
    if summary["resumed"] == false {
        let stored = workshop.one("SELECT count(*) FROM chunks");
        assert_eq!(summary["unique_chunks"].to_string(), stored, "{summary}");
    }
    check_merged(workshop);
}

#[track_caller]
fn check_merged(workshop: &Workshop) {
    assert_eq!(workshop.fingerprint_of("merged.db"), workshop.fingerprint());
    workshop.run(["verify", "merged.db"]).expect(0);
    audit(&workshop.path("merged.db"));
    assert_same(&workshop.path("merged.db"), &workshop.database());
    assert_same_hits(workshop, "merged.db", "corpus.db");
    let export = |database: &str| workshop.run(["export", database]).expect(0).stdout;
    assert!(export("merged.db") == export("corpus.db"), "exports differ");
    for suffix in [".merge", ".merge-wal", ".merge-shm", ".merge.lock", "-wal"] {
        assert!(!workshop.path(format!("merged.db{suffix}")).exists(), "{suffix}");
    }
}

fn clear(workshop: &Workshop, count: usize) {
    for name in (0..count).map(shard).chain(["merged.db".to_owned()]) {
        let _ = fs::remove_file(workshop.path(name));
    }
    let _ = fs::remove_dir_all(workshop.path("lists"));
}

pub fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy_tree(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

#[test]
fn shards_cut_by_plan_are_merged_into_what_one_run_makes() {
    let workshop = Workshop::new();
    copy_tree(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"), &workshop.tree());
    fs::create_dir(workshop.tree().join("empty")).unwrap();
    workshop.ingest(SMALL);
    for count in [1, 7, 16, 2] {
        let words = ["plan", "tree", "--shards", &count.to_string(), "--out", "lists"];
        workshop.run(words).expect(0);
        ingest_lists(&workshop, "lists", count, SMALL);
        check_merge(&workshop, count);
        if count != 2 {
            clear(&workshop, count);
        }
    }
    // The merged database is kept up to date as any other: nothing is read again.
    let ingest =
        || workshop.run(["ingest", "tree", "merged.db", "--json"].iter().chain(SMALL)).expect(0).json();
    let summary = ingest();
    let counts =
        ["new", "changed", "renamed", "deleted", "processed"].map(|key| summary[key].as_u64().unwrap());
    assert_eq!(counts, [0; 5], "{summary}");
    workshop.write("prose/later.txt", "Words that came later.\n");
    let summary = ingest();
    assert_eq!((&summary["new"], &summary["processed"]), (&1.into(), &1.into()), "{summary}");
    workshop.run(["verify", "merged.db"]).expect(0);
    assert_eq!(workshop.fingerprint_of("merged.db"), workshop.clean_fingerprint(SMALL));
}

/// Trees with copies, mails, attachments and odd names, cut anyhow: copies, and mails of one thread, are in different
/// shards.
fn cut_and_merge(seed: u64, files: usize, counts: &[usize]) {
    with_seed(seed, |dice| {
        let workshop = Workshop::new();
        let mut editor = Editor::new(workshop.tree());
        editor.furnish(dice, files);
        workshop.ingest(SMALL);
        for &count in counts {
            cut_at_random(&workshop, count, dice);
            ingest_lists(&workshop, "lists", count, SMALL);
            check_merge(&workshop, count);
            clear(&workshop, count);
        }
    });
}

#[test]
fn shards_cut_at_random_are_merged_into_what_one_run_makes() {
    for round in 0..rounds(3) as u64 {
        cut_and_merge(seed() * 1000 + round, 60, &[2, 7]);
    }
}

#[test]
fn many_small_shards_are_merged() {
    cut_and_merge(seed() * 1000 + 500, 40, &[16]);
}

/// Shards that were edited and ingested again by their lists have tombstones, other ids, and promoted copies.
#[test]
fn shards_with_a_history_are_merged() {
    with_seed(seed() * 1000 + 600, |dice| {
        let workshop = Workshop::new();
        let mut editor = Editor::new(workshop.tree());
        editor.furnish(dice, 60);
        workshop.ingest(SMALL);
        cut_at_random(&workshop, 3, dice);
        ingest_lists(&workshop, "lists", 3, SMALL);
        for path in editor.files().iter().step_by(5) {
            fs::write(path, "Other words are here now.\n").unwrap();
        }
        ingest_lists(&workshop, "lists", 3, SMALL);
        workshop.ingest(&[SMALL, &["--allow-mass-deletion"]].concat());
        check_merge(&workshop, 3);
    });
}

const MAIL: &str = "From: a@example.org\nSubject: s\n";

#[test]
fn threads_and_attachments_are_joined_across_shards() {
    let workshop = Workshop::new();
    let mail = |id: &str, answers: &str, words: &str| {
        format!(
            "{MAIL}Message-ID: <{id}@x>\nIn-Reply-To: <{answers}@x>\nDate: Tue, 2 Jan 2024 10:00:00 +0000\n\n{words}\n"
        )
    };
    workshop.write("1.eml", mail("b", "a", "The second."));
    workshop.write("2.eml", mail("c", "b", "The third."));
    workshop.write("3.eml", mail("d", "c", "The fourth."));
    let attached = |name: &str| {
        format!(
            "{MAIL}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nLetter {name}.\n--b\n\
             Content-Type: text/plain\nContent-Disposition: attachment; filename=same.txt\n\nThe same words.\n--b--\n"
        )
    };
    workshop.write("m/one.eml", attached("one"));
    workshop.write("m/two.eml", attached("two"));
    workshop.write("z/copy-of-one.eml", attached("one"));
    workshop.write("z/same.txt", "The same words.");
    workshop.ingest(SMALL);
    assert_eq!(
        workshop.one("SELECT count(DISTINCT thread_uid) FROM mails WHERE message_id IS NOT NULL"),
        "1"
    );
    fs::create_dir(workshop.path("lists")).unwrap();
    fs::write(workshop.path("lists/shard-0000.list"), "1.eml\n3.eml\nm/two.eml\nz/copy-of-one.eml\n")
        .unwrap();
    fs::write(workshop.path("lists/shard-0001.list"), "2.eml\nm/one.eml\nz/same.txt\n").unwrap();
    ingest_lists(&workshop, "lists", 2, SMALL);
    check_merge(&workshop, 2);
}

/// What a killed merge leaves never looks finished, and the same command ends it.
#[test]
fn a_merge_may_be_killed_at_any_instant() {
    with_seed(seed() * 1000 + 700, |dice| {
        let workshop = Workshop::new();
        Editor::new(workshop.tree()).furnish(dice, 150);
        workshop.ingest(SMALL);
        cut_at_random(&workshop, 3, dice);
        ingest_lists(&workshop, "lists", 3, SMALL);
        let (_, whole) = timed(|| check_merge_once(&workshop));
        let (mut killed, mut resumed) = (0, 0);
        for _ in 0..rounds(25) {
            let _ = fs::remove_file(workshop.path("merged.db"));
            for _ in 0..1 + dice.below(3) {
                let child = start(&mut merge(&workshop, 3));
                std::thread::sleep(whole.mul_f64(dice.below(1000) as f64 / 1000.0));
                if kill(child).is_some() {
                    break;
                }
                killed += 1;
                assert!(!workshop.path("merged.db").exists() || is_whole(&workshop));
            }
            if workshop.path("merged.db").exists() {
                assert!(is_whole(&workshop));
                continue;
            }
            let summary = crate::support::ran(merge(&workshop, 3).arg("--json")).expect(0).json();
            resumed += u64::from(summary["resumed"] == true);
            assert!(is_whole(&workshop), "{summary}");
        }
        assert!(killed > 5 && resumed > 0, "{killed} killed, {resumed} resumed");
        check_merged(&workshop);
    });
}

fn check_merge_once(workshop: &Workshop) {
    crate::support::ran(&mut merge(workshop, 3)).expect(0);
}

fn is_whole(workshop: &Workshop) -> bool {
    workshop.run(["verify", "merged.db"]).expect(0);
    workshop.fingerprint_of("merged.db") == workshop.fingerprint()
}

/// Two shards of two files each.
fn two_shards(flags: [&[&str]; 2]) -> Workshop {
    let workshop = Workshop::new();
    for name in ["a.txt", "b.md", "c.txt", "d.md"] {
        workshop.write(name, format!("Words of {name}.\n"));
    }
    fs::create_dir(workshop.path("lists")).unwrap();
    for (number, list) in ["a.txt\nb.md\n", "c.txt\nd.md\n"].iter().enumerate() {
        let path = format!("lists/shard-{number:04}.list");
        fs::write(workshop.path(&path), list).unwrap();
        let database = shard(number);
        let words = ["ingest", "--root", "tree", "--files-from", path.as_str(), database.as_str()];
        workshop.run(words.iter().chain(flags[number])).expect(0);
    }
    workshop
}

#[track_caller]
fn check_refusal(workshop: &Workshop, shards: &[&str], code: i32, said: &str) {
    let before = fs::read_dir(workshop.path("")).unwrap().count();
    let ran = workshop.run(["merge", "merged.db"].iter().chain(shards)).expect(code);
    assert!(ran.stderr.contains(said) && ran.stderr.contains("hint: "), "{}", ran.stderr);
    assert_eq!(fs::read_dir(workshop.path("")).unwrap().count(), before, "something was written");
}

/// Their databases.
const BOTH: &[&str] = &["shard-0000.db", "shard-0001.db"];

#[test]
fn shards_that_do_not_fit_are_refused_before_anything_is_written() {
    let workshop = two_shards([&[], &["--chunk-size", "100"]]);
    check_refusal(&workshop, BOTH, 4, "were made with different settings: chunk_size 512 and 100");
    let workshop = two_shards([&[], &["--strategy", "paragraph"]]);
    check_refusal(&workshop, BOTH, 4, "were read, cleaned or cut differently");
    fs::write(workshop.path("clean.toml"), "[store]\nkeep = [\"clean\"]\n").unwrap();
    let again = ["ingest", "--root", "tree", "--files-from", "lists/shard-0001.list", "new.db"];
    workshop.run(again.iter().chain(&["--config", "clean.toml"])).expect(0);
    check_refusal(&workshop, &["shard-0000.db", "new.db"], 4, "store.keep with and without raw text");
    let workshop = two_shards([&[], &[]]);
    check_refusal(&workshop, &["shard-0000.db", "shard-0001.db", "shard-0000.db"], 4, "both have `a.txt`");
    check_refusal(&workshop, &["shard-0000.db", "none.db"], 4, "no database at `none.db`");
    check_refusal(&workshop, &["shard-0000.db", "tree/a.txt"], 5, "is not a Pensieve database");
    let change = |sql: &str| open(&workshop.path("shard-0001.db")).execute_batch(sql).unwrap();
    change("UPDATE runs SET status = 'interrupted'");
    check_refusal(&workshop, BOTH, 4, "is not complete: its last run did not come to its end");
    change("UPDATE runs SET status = 'finished'; UPDATE files SET processing_status = 'Pending'");
    check_refusal(&workshop, BOTH, 4, "is not complete: 2 of its files wait to be read");
    change("PRAGMA user_version = 9999");
    check_refusal(&workshop, BOTH, 5, "has schema 9999, newer than");
    fs::write(workshop.path("merged.db"), "mine").unwrap();
    check_refusal(&workshop, BOTH, 2, "`merged.db` exists already");
    assert_eq!(fs::read(workshop.path("merged.db")).unwrap(), b"mine");
}

#[test]
fn a_shard_that_breaks_the_laws_is_refused() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "The lamp burns oil.\n");
    workshop.ingest(SMALL);
    let shard = open(&workshop.database());
    shard.execute_batch("UPDATE chunks SET content = 'Say something else.'").unwrap();
    drop(shard);
    check_refusal(&workshop, &["corpus.db"], 5, "breaks a law of databases: law ");
}

#[test]
fn roots_of_shards_may_be_apart_but_not_nested() {
    let workshop = Workshop::new();
    workshop.write("in/a.txt", "Inner words.\n");
    fs::create_dir(workshop.path("other")).unwrap();
    fs::write(workshop.path("other/b.txt"), "Inner words.\n").unwrap();
    for (root, database) in [("tree", "one.db"), ("tree/in", "two.db"), ("other", "three.db")] {
        workshop.run(["ingest", root, database]).expect(0);
    }
    check_refusal(&workshop, &["one.db", "two.db"], 4, "and both are roots of shards");
    workshop.run(["merge", "merged.db", "one.db", "three.db"]).expect(0);
    workshop.ingest(&[]);
    workshop.ingest_root("other", &[]);
    check_merged(&workshop);
}

/// A state of other shards is not continued.
#[test]
fn a_merge_of_other_shards_starts_over() {
    let workshop = two_shards([&[], &[]]);
    workshop.run(["merge", "merged.db", "shard-0000.db"]).expect(0);
    fs::rename(workshop.path("merged.db"), workshop.path("merged.db.merge")).unwrap();
    open(&workshop.path("merged.db.merge"))
        .execute_batch("INSERT INTO meta VALUES('merge_shards', 'of another merge')")
        .unwrap();
    workshop.ingest(&[]);
    check_merge(&workshop, 2);
    assert_eq!(
        rows(&open(&workshop.path("merged.db")), "SELECT 1 FROM meta WHERE key = 'merge_shards'"),
        [""; 0]
    );
}

/// A process that holds the new database is not disturbed.
#[test]
fn two_merges_into_one_database_exclude_each_other() {
    let workshop = two_shards([&[], &[]]);
    let lock = fs::File::create(workshop.path("merged.db.merge.lock")).unwrap();
    lock.lock().unwrap();
    let ran = workshop.run(["merge", "merged.db", "shard-0000.db", "shard-0001.db"]).expect(5);
    assert!(ran.stderr.contains("locked by another run"), "{}", ran.stderr);
    drop(lock);
    std::thread::sleep(Duration::from_millis(10));
    workshop.run(["merge", "merged.db", "shard-0000.db", "shard-0001.db"]).expect(0);
}

#[test]
fn vectors_come_along() {
    let workshop = two_shards([&[], &[]]);
    for database in BOTH {
        open(&workshop.path(database))
            .execute_batch(
                "INSERT INTO vectors(content_hash, model, dimensions, format, vector, created_at)
                   SELECT content_hash, 'm', 1, 'f32', x'0000803f', '2024-01-01T00:00:00.000Z' FROM chunks;
                 INSERT INTO vector_models VALUES('m', 1, 1)",
            )
            .unwrap();
    }
    workshop.run(["merge", "merged.db", "shard-0000.db", "shard-0001.db"]).expect(0);
    let merged = open(&workshop.path("merged.db"));
    assert_eq!(rows(&merged, "SELECT count(*), count(DISTINCT content_hash) FROM vectors"), ["4|4"]);
    workshop.run(["verify", "merged.db"]).expect(0);
}
