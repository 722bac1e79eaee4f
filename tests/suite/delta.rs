//! What a later run does: nothing where nothing has changed, and no more than needed where something has.

use crate::audit::{assert_same, audit};
use crate::support::{Workshop, rows, settle};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::SystemTime;

/// The counts of a summary by name, those that are 0 left out.
fn counts(summary: &serde_json::Value) -> String {
    const NAMES: &[&str] =
        &["new", "changed", "unchanged", "renamed", "deleted", "retried", "processed", "errors"];
    let told =
        NAMES.iter().filter(|name| summary[**name] != 0).map(|name| format!("{name} {}", summary[*name]));
    told.collect::<Vec<_>>().join(", ")
}

/// Runs again and compares the counts; then the database is what a clean ingest makes.
#[track_caller]
fn check(workshop: &Workshop, flags: &[&str], expected: &str) {
    assert_eq!(counts(&workshop.ingest(flags)), expected);
    check_clean(workshop, flags);
}

#[track_caller]
fn check_clean(workshop: &Workshop, flags: &[&str]) {
    let clean = workshop.clean_fingerprint(flags);
    assert_same(&workshop.database(), &workshop.path("clean.db"));
    assert_eq!(workshop.fingerprint(), clean);
    workshop.verify();
    audit(&workshop.database());
}

fn with_files(names: &[&str]) -> Workshop {
    let workshop = Workshop::new();
    for name in names {
        workshop.write(name, format!("The text of {name}.\n\nIt has two paragraphs.\n"));
    }
    workshop
}

/// Sets the modification time of a file back to what it was, after `edit`.
fn behind_its_back(path: &Path, edit: impl FnOnce()) {
    let time = fs::metadata(path).unwrap().modified().unwrap();
    edit();
    fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn a_second_run_finds_nothing_and_writes_nothing() {
    let workshop = with_files(&["a.txt", "b/c.md", "b/d.rs", "e.csv"]);
    workshop.write("b/copy.txt", "The text of a.txt.\n\nIt has two paragraphs.\n");
    workshop.write("picture.png", b"\x89PNG\r\n\x1a\n....");
    workshop.write("empty", "");
    symlink("a.txt", workshop.tree().join("link")).unwrap();
    settle();
    assert_eq!(counts(&workshop.ingest(&[])), "new 7, processed 5");
    let before = workshop.dump();
    settle();
    let again = workshop.ingest(&[]);
    assert_eq!(counts(&again), "unchanged 7");
    assert_eq!(again["bytes_hashed"], 0, "content was read");
    assert_eq!(workshop.dump(), before);
    let inode = fs::metadata(workshop.database()).unwrap().ino();
    assert_eq!(counts(&workshop.ingest(&["--threads", "8"])), "unchanged 7");
    assert_eq!(fs::metadata(workshop.database()).unwrap().ino(), inode);
    assert_eq!(workshop.dump(), before);
    assert!(!workshop.path("corpus.db-wal").exists() && !workshop.path("corpus.db.lock").exists());
    assert_eq!(workshop.one("PRAGMA journal_mode"), "delete");
}

#[test]
fn a_root_is_the_same_however_it_is_written() {
    let workshop = with_files(&["a.txt", "b/c.md"]);
    workshop.ingest(&[]);
    let absolute = workshop.tree().display().to_string();
    for root in ["./tree", "tree/", "tree/b/..", "home/../tree/.", absolute.as_str()] {
        assert_eq!(counts(&workshop.ingest_root(root, &[])), "unchanged 2", "{root}");
    }
    assert_eq!(workshop.rows("SELECT path FROM roots"), [absolute]);
    let place = workshop.file("b/c.md", "full_filepath, folder_path, filename, file_extension, depth_level");
    let tree = workshop.tree();
    assert_eq!(place, format!("{0}/b/c.md|{0}/b|c.md|md|2", tree.display()));
}

#[test]
fn edits_are_seen_and_nothing_else_is_read() {
    let workshop = with_files(&["a.txt", "b.txt", "c.txt"]);
    workshop.ingest(&[]);
    let uid = workshop.file("b.txt", "doc_uid");
    workshop.write("b.txt", "Another text altogether.\n");
    check(&workshop, &[], "changed 1, unchanged 2, processed 1");
    assert_eq!(workshop.file("b.txt", "doc_uid"), uid);
    assert_eq!(workshop.rows("SELECT 1 FROM chunks WHERE content LIKE '%b.txt%'"), [""; 0]);
}

#[test]
fn renames_keep_identity_and_are_not_read_again() {
    let workshop = with_files(&["a.txt", "b.txt", "deep/c.md"]);
    workshop.ingest(&[]);
    let facts = "file_id, doc_uid, hash, processing_status";
    let before = (workshop.file("a.txt", facts), workshop.file("deep/c.md", facts));
    workshop.rename("a.txt", "moved/away/z.txt");
    workshop.rename("deep/c.md", "c2.md");
    check(&workshop, &[], "unchanged 1, renamed 2");
    assert_eq!((workshop.file("moved/away/z.txt", facts), workshop.file("c2.md", facts)), before);
    assert_eq!(workshop.rows("SELECT 1 FROM files WHERE relative_path IN ('a.txt', 'deep/c.md')"), [""; 0]);
    assert_eq!(workshop.file("moved/away/z.txt", "filename, folder_path <> '', depth_level"), "z.txt|1|3");
}

#[test]
fn a_name_that_selects_another_recipe_is_read_again() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "# Not a heading\n\nWords.\n");
    workshop.ingest(&[]);
    workshop.rename("a.txt", "a.md");
    check(&workshop, &[], "renamed 1, processed 1");
    assert_eq!(workshop.file("a.md", "format"), "markdown");
    workshop.rename("a.md", "a.rs");
    check(&workshop, &[], "renamed 1, processed 1");
}

#[test]
fn names_that_are_swapped_are_two_changes() {
    let workshop = with_files(&["a.txt", "b.txt"]);
    workshop.ingest(&[]);
    workshop.rename("a.txt", "x");
    workshop.rename("b.txt", "a.txt");
    workshop.rename("x", "b.txt");
    // The second to be written finds its text in the database already.
    check(&workshop, &[], "changed 2, processed 1");
}

#[test]
fn a_file_that_comes_back_is_the_one_that_it_was() {
    let workshop = with_files(&["a.txt", "b.txt"]);
    workshop.ingest(&[]);
    let uid = workshop.file("a.txt", "doc_uid");
    let text = fs::read(workshop.tree().join("a.txt")).unwrap();
    workshop.remove("a.txt");
    check(&workshop, &[], "unchanged 1, deleted 1");
    assert_eq!(workshop.file("a.txt", "processing_status, is_canonical, duplicate_status"), "Deleted|0|");
    assert_eq!(counts(&workshop.ingest(&[])), "unchanged 1");
    workshop.write("a.txt", text);
    check(&workshop, &[], "new 1, unchanged 1, processed 1");
    assert_eq!(workshop.file("a.txt", "doc_uid"), uid);
}

#[test]
fn a_new_file_does_not_take_the_identity_of_a_renamed_one() {
    let workshop = with_files(&["a.txt"]);
    workshop.ingest(&[]);
    let uid = workshop.file("a.txt", "doc_uid");
    workshop.rename("a.txt", "b.txt");
    workshop.write("a.txt", "Somebody else.\n");
    check(&workshop, &[], "new 1, changed 1, processed 1");
    let all = workshop.rows("SELECT count(DISTINCT doc_uid), count(*) FROM files");
    assert_eq!(all, ["2|2"]);
    assert_eq!(workshop.file("a.txt", "doc_uid"), uid);
}

#[test]
fn when_the_canonical_file_goes_the_next_takes_over_unread() {
    let workshop = Workshop::new();
    for name in ["a.txt", "b.txt", "c.txt"] {
        workshop.write(name, "The same words in three files.\n");
    }
    workshop.ingest(&[]);
    let places = "SELECT group_concat(relative_path || ' ' || duplicate_status || ' ' || is_canonical) FROM
                  (SELECT * FROM files WHERE processing_status = 'Processed' ORDER BY relative_path)";
    assert_eq!(workshop.one(places), "a.txt canonical 1,b.txt duplicate 0,c.txt duplicate 0");
    workshop.remove("a.txt");
    check(&workshop, &[], "unchanged 2, deleted 1");
    assert_eq!(workshop.one(places), "b.txt canonical 1,c.txt duplicate 0");
    workshop.write("b.txt", "Other words.\n");
    check(&workshop, &[], "changed 1, unchanged 1, processed 1");
    assert_eq!(workshop.one(places), "b.txt unique 1,c.txt unique 1");
    workshop.remove("c.txt");
    check(&workshop, &[], "unchanged 1, deleted 1");
    assert_eq!(workshop.one("SELECT count(*) FROM chunks"), "1");
}

#[test]
fn a_duplicate_that_sorts_earlier_takes_over() {
    let workshop = Workshop::new();
    workshop.write("m.txt", "The same words again.\n");
    workshop.ingest(&[]);
    workshop.write("b.txt", "The same words again.\n");
    check(&workshop, &[], "new 1, unchanged 1");
    assert_eq!(workshop.file("b.txt", "is_canonical, duplicate_status, extractor NOTNULL"), "1|canonical|1");
    assert_eq!(workshop.file("m.txt", "is_canonical, duplicate_status, extractor"), "0|duplicate|");
}

#[test]
fn an_heir_with_another_recipe_is_read_again() {
    let workshop = Workshop::new();
    let text = "# Not a heading in plain text\n\n| a | b |\n| - | - |\n\nWords.\n";
    workshop.write("b.txt", text);
    workshop.write("c.md", text);
    workshop.ingest(&[]);
    workshop.remove("b.txt");
    check(&workshop, &[], "unchanged 1, deleted 1, processed 1");
    assert_eq!(workshop.file("c.md", "format, is_canonical"), "markdown|1");
    workshop.write("a.txt", text);
    check(&workshop, &[], "new 1, unchanged 1, processed 1");
    assert_eq!(
        workshop.file("a.txt", "format, is_canonical"),
        "plain|1".replace("plain", &workshop.file("a.txt", "format"))
    );
    assert_ne!(workshop.file("a.txt", "format"), "markdown");
}

#[test]
fn a_text_that_gets_the_bytes_of_an_image_is_skipped() {
    let workshop = Workshop::new();
    workshop.write("a.md", "# A text\n");
    workshop.write("b.png", b"\x89PNG\r\n\x1a\nabcdefgh");
    workshop.ingest(&[]);
    workshop.write("a.md", b"\x89PNG\r\n\x1a\nabcdefgh");
    check(&workshop, &[], "changed 1, unchanged 1");
    assert_eq!(workshop.fate("a.md"), "Skipped_Binary|");
    // What is no text is judged by its name as well.
    workshop.remove("b.png");
    workshop.rename("a.md", "a.txt");
    check(&workshop, &[], "renamed 1, deleted 1");
}

#[test]
fn open_problems_follow_their_file() {
    let workshop = Workshop::new();
    workshop.write("a.txt", b"\xff\xfea\0 \0t\0e\0x\0t\0 \0\x00\xd8w\0i\0t\0h\0 \0a\0 \0g\0a\0p\0");
    workshop.ingest(&[]);
    assert_eq!(workshop.fate("a.txt"), "Processed|Undecodable");
    workshop.rename("a.txt", "deep/b.txt");
    check(&workshop, &[], "renamed 1");
    assert_eq!(workshop.fate("deep/b.txt"), "Processed|Undecodable");
    fs::rename(workshop.tree(), workshop.path("moved")).unwrap();
    workshop.ingest_root("moved", &["--moved-from", "tree"]);
    let path = workshop.path("moved").join("deep/b.txt").display().to_string();
    assert_eq!(workshop.rows("SELECT path FROM errors"), [path]);
}

#[test]
fn files_become_folders_and_folders_files() {
    let workshop = with_files(&["a", "b/c.txt", "b/d.txt", "e.txt"]);
    workshop.ingest(&[]);
    workshop.rename("a", "z");
    workshop.rename("z", "a/inner.txt");
    workshop.remove("b/c.txt");
    workshop.remove("b/d.txt");
    fs::remove_dir(workshop.tree().join("b")).unwrap();
    workshop.write("b", "A file now.\n");
    workshop.remove("e.txt");
    symlink("b", workshop.tree().join("e.txt")).unwrap();
    workshop.ingest(&[]);
    check_clean(&workshop, &[]);
    let kinds = "SELECT group_concat(relative_path || ' ' || file_type, ', ') FROM
                 (SELECT * FROM files WHERE processing_status IS NOT 'Deleted' ORDER BY relative_path)";
    assert_eq!(workshop.one(kinds), "a folder, a/inner.txt file, b file, e.txt symlink");
}

#[test]
fn touched_files_are_looked_at_and_not_processed() {
    let workshop = with_files(&["a.txt", "b.txt", "c.txt"]);
    settle();
    workshop.ingest(&[]);
    settle();
    let a = workshop.tree().join("a.txt");
    fs::File::options().write(true).open(&a).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    fs::set_permissions(workshop.tree().join("b.txt"), fs::Permissions::from_mode(0o600)).unwrap();
    check(&workshop, &[], "unchanged 3");
    assert_eq!(workshop.file("a.txt", "modification_date, mtime_s"), "1970-01-01T00:00:00.000Z|0");
    assert_eq!(
        workshop.file("b.txt", "permissions"),
        "600".to_owned().replace("600", &octal(&workshop, "b.txt"))
    );
}

/// The permissions of a file as octal text, with or without leading zeros as the database writes them.
fn octal(workshop: &Workshop, name: &str) -> String {
    let stored = workshop.file(name, "permissions");
    let mode = fs::metadata(workshop.tree().join(name)).unwrap().mode() & 0o7777;
    assert_eq!(u32::from_str_radix(&stored, 8), Ok(mode));
    stored
}

#[test]
fn an_edit_that_hides_behind_size_and_time_is_seen() {
    let workshop = with_files(&["a.txt"]);
    settle();
    workshop.ingest(&[]);
    settle();
    let path = workshop.tree().join("a.txt");
    let text = fs::read_to_string(&path).unwrap();
    behind_its_back(&path, || fs::write(&path, text.replace("two", "six")).unwrap());
    check(&workshop, &[], "changed 1, processed 1");
}

#[test]
fn an_edit_right_after_the_scan_is_seen_though_the_clock_stands() {
    // Again and again, because only some of the edits fall into the tick of the clock in which the run read the file.
    let workshop = with_files(&["a.txt"]);
    workshop.ingest(&[]);
    for round in 0..20 {
        let text = format!("round {:02} of twenty\n", round);
        workshop.write("a.txt", &text);
        workshop.ingest(&[]);
        assert_eq!(workshop.one("SELECT content FROM chunks").trim(), text.trim());
    }
}

#[test]
fn with_mtime_alone_a_change_of_ctime_is_nothing() {
    let workshop = with_files(&["a.txt", "b.txt"]);
    fs::write(workshop.path("m.toml"), "[scan]\ncheck = \"mtime\"\n").unwrap();
    let flags = ["--config", "m.toml"];
    settle();
    workshop.ingest(&flags);
    settle();
    let path = workshop.tree().join("a.txt");
    let text = fs::read_to_string(&path).unwrap();
    behind_its_back(&path, || fs::write(&path, text.replace("two", "six")).unwrap());
    let again = workshop.ingest(&flags);
    assert_eq!((counts(&again).as_str(), &again["bytes_hashed"]), ("unchanged 2", &0.into()));
    assert_eq!(counts(&workshop.ingest(&[])), "changed 1, unchanged 1, processed 1");
}

#[test]
fn full_check_agrees_on_a_file_system_with_inodes() {
    let workshop = with_files(&["a.txt", "b.txt"]);
    fs::write(workshop.path("f.toml"), "[scan]\ncheck = \"full\"\n").unwrap();
    settle();
    workshop.ingest(&[]);
    settle();
    // The same bytes and time in another inode: read, and found unchanged.
    let (path, other) = (workshop.tree().join("a.txt"), workshop.path("other"));
    fs::copy(&path, &other).unwrap();
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    fs::File::options().write(true).open(&other).unwrap().set_modified(time).unwrap();
    fs::rename(&other, &path).unwrap();
    let again = workshop.ingest(&["--config", "f.toml"]);
    assert_eq!(counts(&again), "unchanged 2");
    assert_ne!(again["bytes_hashed"], 0);
    check_clean(&workshop, &[]);
}

#[test]
fn two_roots_live_in_one_database() {
    let workshop = with_files(&["a.txt", "b.txt"]);
    for name in ["a.txt", "z.txt"] {
        fs::create_dir_all(workshop.path("second")).unwrap();
        fs::write(
            workshop.path("second").join(name),
            format!("The text of {name}.\n\nIt has two paragraphs.\n"),
        )
        .unwrap();
    }
    workshop.ingest(&[]);
    let alone = workshop.fingerprint();
    assert_eq!(counts(&workshop.ingest_root("second", &[])), "new 2, processed 1");
    assert_eq!(workshop.one("SELECT count(*) FROM roots"), "2");
    assert_eq!(counts(&workshop.ingest(&[])), "unchanged 2");
    assert_eq!(counts(&workshop.ingest_root("second", &[])), "unchanged 2");
    workshop.verify();
    // The first root's canonical file goes, and the second root's twin takes over.
    let kept = fs::read(workshop.tree().join("a.txt")).unwrap();
    workshop.remove("a.txt");
    assert_eq!(counts(&workshop.ingest(&[])), "unchanged 1, deleted 1");
    let owner = "SELECT r.path LIKE '%second' FROM files f JOIN roots r USING(root_id)
                 WHERE relative_path = 'a.txt' AND is_canonical";
    assert_eq!(workshop.one(owner), "1");
    workshop.verify();
    workshop.write("a.txt", kept);
    assert_eq!(counts(&workshop.ingest(&[])), "new 1, unchanged 1");
    assert_eq!(workshop.one(owner), "0");
    workshop.verify();
    audit(&workshop.database());
    workshop.run(["forget", "corpus.db", "second"]).expect(0);
    check_clean(&workshop, &[]);
    assert_eq!(workshop.fingerprint(), alone);
    assert_eq!(workshop.one("SELECT count(*) FROM roots"), "1");
}

#[test]
fn a_root_that_is_forgotten_leaves_its_content_to_the_other() {
    let workshop = with_files(&["a.txt", "b.txt"]);
    fs::create_dir_all(workshop.path("second")).unwrap();
    fs::copy(workshop.tree().join("a.txt"), workshop.path("second/twin.txt")).unwrap();
    workshop.ingest(&[]);
    workshop.ingest_root("second", &[]);
    workshop.run(["forget", "corpus.db", "tree"]).expect(0);
    workshop.verify();
    audit(&workshop.database());
    let living =
        workshop.rows("SELECT relative_path, processing_status, duplicate_status, is_canonical FROM files");
    assert_eq!(living, ["twin.txt|Processed|unique|1"]);
    workshop.run(["ingest", "second", "clean.db"]).expect(0);
    assert_eq!(workshop.fingerprint(), workshop.fingerprint_of("clean.db"));
}

#[test]
fn a_root_may_move() {
    let workshop = with_files(&["a.txt", "b/c.txt"]);
    workshop.ingest(&[]);
    let before = (workshop.fingerprint(), workshop.rows("SELECT doc_uid FROM files ORDER BY 1"));
    fs::rename(workshop.tree(), workshop.path("moved")).unwrap();
    assert_eq!(counts(&workshop.ingest_root("moved", &["--moved-from", "tree"])), "unchanged 2");
    let after = (workshop.fingerprint(), workshop.rows("SELECT doc_uid FROM files ORDER BY 1"));
    assert_eq!(before, after);
    let elsewhere = workshop.rows(&format!(
        "SELECT full_filepath FROM files WHERE full_filepath NOT LIKE '{0}/%' OR folder_path NOT LIKE '{0}%'",
        workshop.path("moved").display()
    ));
    assert_eq!(elsewhere, [""; 0]);
    assert_eq!(workshop.one("SELECT path FROM roots"), workshop.path("moved").display().to_string());
    workshop.verify();
}

#[test]
fn a_dry_run_tells_the_plan_and_writes_nothing() {
    let workshop = with_files(&["a.txt", "b.txt", "c.txt", "d.txt"]);
    let plan = workshop.run(["ingest", "tree", "corpus.db", "--dry-run"]).expect(0);
    assert!(plan.stdout.contains("4 new, 0 changed, 0 unchanged"), "{plan:?}");
    assert!(!workshop.database().exists() && fs::read_dir(workshop.path("")).unwrap().count() == 2);
    workshop.ingest(&[]);
    let (bytes, time) = (
        fs::read(workshop.database()).unwrap(),
        fs::metadata(workshop.database()).unwrap().modified().unwrap(),
    );
    workshop.write("a.txt", "Changed.\n");
    workshop.remove("b.txt");
    workshop.rename("c.txt", "e.txt");
    workshop.write("f.txt", fs::read(workshop.tree().join("d.txt")).unwrap());
    workshop.write("g.txt", "New.\n");
    let flags = ["ingest", "tree", "corpus.db", "--dry-run", "--json"];
    let plan = workshop.run(flags).expect(0).json();
    let lines: Vec<String> = plan["plan"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| format!("{} {}", line["what"], line["path"]))
        .collect();
    let expected = [
        r#""changed" "a.txt""#,
        r#""deleted" "b.txt""#,
        r#""duplicate" "f.txt""#,
        r#""new" "f.txt""#,
        r#""new" "g.txt""#,
        r#""renamed" "e.txt""#,
    ];
    let mut sorted = lines.clone();
    sorted.sort();
    let as_expected = |line: &String| expected.contains(&line.as_str());
    assert!(sorted.iter().all(as_expected) && sorted.len() >= 5, "{lines:?}");
    assert_eq!(plan["dry_run"], true);
    assert_eq!(fs::read(workshop.database()).unwrap(), bytes);
    assert_eq!(fs::metadata(workshop.database()).unwrap().modified().unwrap(), time);
    assert_eq!(fs::read_dir(workshop.path("")).unwrap().count(), 3);
    // What the plan says is what a run does.
    let real = workshop.ingest(&[]);
    for name in ["new", "changed", "unchanged", "renamed", "deleted", "duplicates", "unique", "skipped"] {
        assert_eq!(plan[name], real[name], "{name}");
    }
}

#[test]
fn a_dry_run_tells_the_statuses_that_a_scan_knows() {
    let workshop = with_files(&["a.txt", "b.txt", "c.txt"]);
    let check = |statuses: &[(&str, &str)], processed: u64| {
        let plan = workshop.run(["ingest", "tree", "corpus.db", "--dry-run", "--json"]).expect(0).json();
        let lines = plan["plan"].as_array().unwrap();
        let told: Vec<(&str, &str)> = lines
            .iter()
            .filter_map(|line| Some((line["path"].as_str().unwrap(), line["status"].as_str()?)))
            .collect();
        assert_eq!(told, statuses);
        let real = workshop.ingest(&[]);
        assert_eq!((&plan["processed"], &real["processed"]), (&processed.into(), &processed.into()));
        for name in ["unique", "duplicates", "skipped"] {
            assert_eq!(plan[name], real[name], "{name}");
        }
    };
    check(&[("a.txt", "Pending"), ("b.txt", "Pending"), ("c.txt", "Pending")], 3);
    workshop.write("0.txt", fs::read(workshop.tree().join("c.txt")).unwrap());
    workshop.write("d.bin", "\0\u{1}\u{2}");
    workshop.write("d.md", "\0\u{1}\u{2}");
    workshop.write("b.txt", "\0\u{3}");
    workshop.write("c.txt", "Other words.\n");
    workshop.rename("a.txt", "a.md");
    let skipped = "Skipped_Binary";
    // `0.txt` takes over the text of `c.txt`, and `a.md` has another reader than `a.txt`.
    let changed = [("b.txt", skipped), ("c.txt", "Pending")];
    check(&[&[("0.txt", "Processed"), ("d.bin", skipped), ("d.md", skipped)][..], &changed].concat(), 2);
    let shown = workshop.run(["ingest", "tree", "corpus.db", "--dry-run"]).expect(0).stdout;
    assert!(!shown.contains("again"), "{shown}");
}

#[test]
fn forcing_reads_everything_and_changes_nothing() {
    let workshop = with_files(&["a.txt", "b.md", "c.rs"]);
    workshop.ingest(&[]);
    let before = workshop.fingerprint();
    check(&workshop, &["--force-reprocess"], "unchanged 3, processed 3");
    assert_eq!(workshop.fingerprint(), before);
}

#[test]
fn ignore_rules_that_change_take_files_out_and_in() {
    let workshop = with_files(&["a.txt", "b.log", "deep/c.log"]);
    workshop.ingest(&[]);
    workshop.write(".gitignore", "*.log\n");
    check(&workshop, &[], "new 1, unchanged 1, deleted 2, processed 1");
    workshop.remove(".gitignore");
    check(&workshop, &[], "new 2, unchanged 1, deleted 1, processed 2");
}

#[test]
fn a_database_inside_its_tree_is_no_source() {
    let workshop = with_files(&["a.txt"]);
    workshop.run(["ingest", "tree", "tree/own.db"]).expect(0);
    let again = workshop.run(["ingest", "tree", "tree/own.db", "--json"]).expect(0).json();
    assert_eq!(counts(&again), "unchanged 1");
    let corpus = crate::support::open(&workshop.tree().join("own.db"));
    assert_eq!(rows(&corpus, "SELECT relative_path FROM files"), ["a.txt"]);
    drop(corpus);
    workshop.run(["verify", "tree/own.db"]).expect(0);
}

#[test]
fn nothing_below_the_folder_is_ever_touched() {
    let workshop = with_files(&["a.txt", "b.html", "c.csv", "d/e.md"]);
    workshop.write("b.html", "<html><body><h1>Hello</h1><p>Words and words.</p></body></html>");
    workshop.write("f.pdf", "%PDF-1.4 broken");
    let listing = || {
        let mut all = Vec::new();
        let mut folders = vec![workshop.tree()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let found = fs::symlink_metadata(&path).unwrap();
                if found.is_dir() {
                    folders.push(path.clone());
                }
                all.push((
                    path,
                    found.len(),
                    found.ino(),
                    found.mtime(),
                    found.mtime_nsec(),
                    found.ctime(),
                    found.ctime_nsec(),
                ));
            }
        }
        all.sort();
        all
    };
    let before = listing();
    workshop.ingest(&[]);
    workshop.ingest(&["--force-reprocess"]);
    workshop.verify();
    assert_eq!(listing(), before);
}
