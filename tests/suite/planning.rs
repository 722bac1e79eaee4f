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
    let all = |out: &str| -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(workshop.path(out)).unwrap().map(|entry| entry.unwrap());
        entries
            .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
            .collect()
    };
    assert!(all("one") == all("three"));
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
