//! `pensieve plan`: every file in one list, equal files together, lists of about equal cost, the same for the same tree.

use crate::support::Workshop;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// A tree with copies, an empty folder, a link, and a name that is no text.
fn furnished() -> Workshop {
    let workshop = Workshop::new();
    for number in 0..40 {
        workshop
            .write(format!("{}/{number}.txt", number % 5), format!("Words {number}. ").repeat(number * 7));
    }
    workshop.write("a/copy.md", "# Same\n");
    workshop.write("b/copy.md", "# Same\n");
    workshop.write("c/other.md", "# Else\n");
    workshop.write("line\nbreak.txt", "odd\n");
    workshop.write("left/out.log", "log\n");
    workshop.write(".gitignore", "*.log\n");
    fs::create_dir(workshop.tree().join("empty")).unwrap();
    std::os::unix::fs::symlink("a/copy.md", workshop.tree().join("link")).unwrap();
    workshop
}

#[track_caller]
fn plan(workshop: &Workshop, shards: usize, out: &str, flags: &[&str]) -> Value {
    let shards = shards.to_string();
    let words = ["plan", "tree", "--shards", &shards, "--out", out, "--json"];
    workshop.run(words.iter().chain(flags)).expect(0).json()
}

/// The entries of each list.
fn lists(workshop: &Workshop, out: &str) -> Vec<Vec<String>> {
    let mut names: Vec<_> =
        fs::read_dir(workshop.path(out)).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|extension| extension == "list"));
    names.sort();
    let entries = |path| {
        let text = String::from_utf8(fs::read(path).unwrap()).unwrap();
        text.split_terminator('\0').map(str::to_owned).collect()
    };
    names.into_iter().map(entries).collect()
}

#[test]
fn every_entry_is_in_one_list_and_equal_files_in_the_same() {
    let workshop = furnished();
    let summary = plan(&workshop, 3, "lists", &[]);
    assert_eq!((&summary["files"], &summary["duplicates"]), (&45.into(), &1.into()), "{summary}");
    let lists = lists(&workshop, "lists");
    let all: Vec<&String> = lists.iter().flatten().collect();
    let unique: BTreeSet<&String> = all.iter().copied().collect();
    assert_eq!((lists.len(), all.len(), unique.len()), (3, 48, 48), "{all:?}");
    for entry in ["empty/", "left/", "link", "line\nbreak.txt", ".gitignore", "0/0.txt"] {
        assert!(unique.contains(&entry.to_owned()), "{entry}: {all:?}");
    }
    let list_of =
        |entry: &str| lists.iter().position(|list| list.iter().any(|listed| listed == entry)).unwrap();
    assert_eq!(list_of("a/copy.md"), list_of("b/copy.md"));
    for list in &lists {
        assert!(list.is_sorted_by(|a, b| a.replace('/', "\0") < b.replace('/', "\0")), "{list:?}");
    }
    let costs: Vec<f64> = summary["shards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|shard| shard["cost_seconds"].as_f64().unwrap())
        .collect();
    let most = costs.iter().cloned().fold(0.0, f64::max);
    let least = costs.iter().cloned().fold(f64::MAX, f64::min);
    assert!(most < least * 1.3, "{costs:?}");
}

#[test]
fn a_plan_depends_on_nothing_but_the_tree() {
    let workshop = furnished();
    plan(&workshop, 4, "one", &[]);
    plan(&workshop, 4, "two", &["--hash"]);
    plan(&workshop, 4, "three", &[]);
    assert!(files_of(&workshop, "one") == files_of(&workshop, "three"));
    assert_eq!(lists(&workshop, "one"), lists(&workshop, "two"));
    let table = |out: &str| -> Value {
        serde_json::from_slice(&fs::read(workshop.path(out).join("plan.json")).unwrap()).unwrap()
    };
    let hashes = |table: &Value| {
        table["entries"].as_array().unwrap().iter().filter(|entry| entry["hash"].is_string()).count()
    };
    let (some, every) = (table("one"), table("two"));
    assert!(hashes(&some) < 45 && hashes(&every) == 45);
    let first = &every["entries"][0];
    assert_eq!(
        (&first["path"], &first["type"], &first["size"]),
        (&".gitignore".into(), &"file".into(), &6.into())
    );
    assert_eq!(first["hash"].as_str().unwrap().len(), 64);
}

#[test]
fn lists_are_written_into_an_empty_folder_outside_of_the_tree() {
    let workshop = furnished();
    let check = |out: &str, code: i32, said: &str| {
        let ran = workshop.run(["plan", "tree", "--shards", "2", "--out", out]).expect(code);
        assert!(ran.stderr.contains(said), "{out}: {}", ran.stderr);
    };
    check("tree/lists", 2, "is inside");
    check("tree", 2, "is inside");
    assert!(!workshop.tree().join("lists").exists());
    check("home/../lists", 0, "");
    check("lists", 2, "is not empty");
    workshop.run(["plan", "nowhere", "--shards", "2", "--out", "other"]).expect(4);
    workshop.run(["plan", "tree", "--shards", "0", "--out", "other"]).expect(2);
    assert!(!workshop.path("other").exists());
    // More lists than files: some are empty.
    plan(&workshop, 60, "many", &[]);
    assert_eq!(lists(&workshop, "many").len(), 60);
}

/// The files of a folder.
fn files_of(workshop: &Workshop, out: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(workshop.path(out)).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// Parts of a plan, each in a file.
fn parts(workshop: &Workshop, count: usize) -> Vec<String> {
    let part = |number: usize| {
        let (name, which) = (format!("part-{count}-{number}"), format!("{number}/{count}"));
        workshop.run(["plan", "tree", "--shard", &which, "--out", &name]).expect(0);
        name
    };
    (1..=count).map(part).collect()
}

#[test]
fn parts_make_the_plan_that_one_machine_makes() {
    let workshop = furnished();
    workshop.write("unnamed", "Words without an extension.\n");
    plan(&workshop, 3, "whole", &["--hash"]);
    for count in [1, 2, 5] {
        let (parts, out) = (parts(&workshop, count), format!("merged-{count}"));
        // The tree is not needed any more, nor is the order of the parts.
        workshop.rename("a", "moved");
        let words = ["plan", "--shards", "3", "--out", &out, "--merge"].map(str::to_owned);
        workshop.run(words.into_iter().chain(parts.into_iter().rev())).expect(0);
        workshop.rename("moved", "a");
        assert!(files_of(&workshop, "whole") == files_of(&workshop, &out), "{count} parts");
    }
}

#[test]
fn parts_that_do_not_make_one_plan_are_refused() {
    let workshop = furnished();
    let (two, three) = (parts(&workshop, 2), parts(&workshop, 3));
    let check = |parts: &[&str], code: i32, said: &str| {
        let words = ["plan", "--shards", "3", "--out", "lists", "--merge"];
        let ran = workshop.run(words.iter().chain(parts)).expect(code);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
        assert!(!workshop.path("lists").exists());
    };
    check(&[&two[0]], 2, "part 2 of 2 is missing");
    check(&[&two[0], &two[0]], 2, "which another file is too");
    check(&[&two[0], &three[1]], 2, "parts of different plans");
    check(&["nowhere"], 4, "cannot read");
    fs::write(workshop.path("cut"), "{\"version\":1,\"ro").unwrap();
    check(&["cut"], 4, "line 1 is not understood");
    let part = |which: &str, out: &str, code| {
        workshop.run(["plan", "tree", "--shard", which, "--out", out]).expect(code)
    };
    part("1/2", &two[0], 4);
    part("1/2", "tree/part", 2);
    for which in ["0/2", "3/2", "1", "a/b"] {
        part(which, "other", 2);
    }
}

#[test]
fn a_plan_may_be_a_table_of_parquet() {
    let workshop = furnished();
    plan(&workshop, 3, "json", &["--hash"]);
    plan(&workshop, 3, "parquet", &["--hash", "--format", "parquet"]);
    let (json, parquet) = (files_of(&workshop, "json"), files_of(&workshop, "parquet"));
    assert!(parquet.contains_key("plan.parquet") && !parquet.contains_key("plan.json"));
    let lists =
        |files: BTreeMap<String, Vec<u8>>| files.into_iter().filter(|(name, _)| name.ends_with(".list"));
    assert!(lists(json).eq(lists(parquet)));
}
