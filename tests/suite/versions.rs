//! Versions of texts: cleaned again from what is stored, compared, taken back. Sources play no part in it.

use crate::audit::{assert_same, audit};
use crate::editing::Editor;
use crate::kill::KillMoments;
use crate::material;
use crate::support::{Dice, Workshop, kill, rounds, seed, start, timed, with_seed};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// Cleaning otherwise, for a run with `--config other.toml`.
const OTHER: &str = "[clean]\nmax_blank_lines = 0\nunicode = \"nfc\"\n";

/// A tree with some of each kind, and something to clean in it.
fn furnished(seed: u64) -> Workshop {
    let workshop = Workshop::new();
    let mut dice = Dice::new(seed);
    for number in 0..24 {
        let (extension, bytes) = material::file(&mut dice);
        workshop.write(format!("{}/{number}.{extension}", number % 3), bytes);
    }
    workshop.write("docs/gaps.txt", "One ﬁne paragraph.\n\n\n\nAnother one.\n");
    workshop.write("docs/deep/more.md", "# Head\n\n\n\nWords  \nwith a break.\n");
    fs::write(workshop.path("other.toml"), OTHER).unwrap();
    workshop
}

impl Workshop {
    /// Cleans the database again; the summary.
    #[track_caller]
    fn clean(&self, flags: &[&str]) -> serde_json::Value {
        self.run(["clean", "corpus.db", "--json"].iter().chain(flags)).expect(0).json()
    }

    /// Takes the tree away; what it was called then.
    fn hide_tree(&self) {
        fs::rename(self.tree(), self.path("away")).unwrap();
    }

    /// Brings it back.
    fn show_tree(&self) {
        fs::rename(self.path("away"), self.tree()).unwrap();
    }
}

#[track_caller]
fn check_like_new(workshop: &Workshop, flags: &[&str]) {
    let clean = workshop.clean_fingerprint(flags);
    assert_same(&workshop.database(), &workshop.path("clean.db"));
    assert_eq!(workshop.fingerprint(), clean);
    workshop.verify();
    audit(&workshop.database());
}

#[test]
fn cleaning_again_needs_no_source_and_gives_what_a_new_ingest_gives() {
    let workshop = furnished(11);
    let before = workshop.ingest(&[]);
    workshop.hide_tree();
    let nothing = workshop.clean(&[]);
    assert_eq!((&nothing["cleaned"], &nothing["skipped"]), (&0.into(), &nothing["files"]), "{nothing}");
    let other = ["--config", "other.toml"];
    let cleaned = workshop.clean(&other);
    assert_eq!(cleaned["cleaned"], cleaned["files"], "{cleaned}");
    assert_eq!(
        cleaned["tokens_in"],
        workshop.one("SELECT sum(estimated_tokens) FROM files").parse::<u64>().unwrap()
    );
    workshop.verify();
    workshop.show_tree();
    check_like_new(&workshop, &other);
    let again = workshop.ingest(&other);
    assert_eq!((&again["processed"], &before["errors"]), (&0.into(), &0.into()), "{again}");
    let forced = workshop.clean(&["--config", "other.toml", "--force"]);
    assert_eq!(forced["cleaned"], forced["files"], "{forced}");
    check_like_new(&workshop, &other);
}

/// Each of these leaves some files as they were: every law holds all the same, and the next run goes on with those.
#[test]
fn a_part_of_the_files_may_be_cleaned_first() {
    let workshop = furnished(12);
    workshop.ingest(&[]);
    let all: u64 = workshop.clean(&[])["files"].as_u64().unwrap();
    let part = |flags: &[&str], files: Option<u64>| {
        let summary = workshop.clean(&[flags, &["--config", "other.toml"]].concat());
        assert_eq!(summary["files"].as_u64(), files.or(summary["files"].as_u64()), "{flags:?} {summary}");
        workshop.verify();
        audit(&workshop.database());
        summary
    };
    part(&["--only", "docs/**"], Some(2));
    part(&["--only", "/docs/*.txt"], Some(1));
    part(&["--only", "none/**"], Some(0));
    assert_ne!(part(&["--format", ".MD"], None)["files"], 0);
    part(&["--limit", "5"], Some(5));
    let next = part(&["--limit", "5", "--offset", "5"], Some(5));
    assert_eq!(next["cleaned"].as_u64().unwrap() + next["skipped"].as_u64().unwrap(), 5);
    let kinds = ["document", "attachment", "mail"];
    let files = kinds.map(|kind| part(&["--kind", kind], None)["files"].as_u64().unwrap());
    assert_eq!(files.iter().sum::<u64>(), all, "{files:?}");
    check_like_new(&workshop, &["--config", "other.toml"]);
    assert_eq!(workshop.ingest(&["--config", "other.toml"])["processed"], 0);
}

#[test]
fn without_raw_text_nothing_is_cleaned_and_the_files_are_named() {
    let workshop = furnished(13);
    fs::write(workshop.path("k.toml"), "[store]\nkeep = [\"clean\"]\n").unwrap();
    workshop.ingest(&["--config", "k.toml"]);
    let before = workshop.dump();
    let refused = workshop.run(["clean", "corpus.db", "--only", "docs/**"]).expect(4);
    assert!(
        refused.stderr.contains("docs/gaps.txt") && refused.stderr.contains("docs/deep/more.md"),
        "{refused:?}"
    );
    assert!(workshop.run(["clean", "corpus.db"]).expect(4).stderr.contains(" more\n"));
    assert_eq!(workshop.dump(), before);
    assert_eq!(workshop.one("SELECT count(*) FROM runs"), "1");
    let raw = workshop.run(["clean", "corpus.db", "--raw-version", "raw_v9"]).expect(4);
    assert!(raw.stderr.contains("raw_v9"), "{raw:?}");
}

/// Raw text that cannot be read any more costs its file one problem, and nothing that is stored.
#[test]
fn damaged_raw_text_leaves_the_file_as_it_was() {
    let workshop = furnished(14);
    workshop.ingest(&[]);
    let id = workshop.file("docs/gaps.txt", "file_id");
    let spoil = format!("UPDATE texts SET content = x'00' WHERE variant = 'raw' AND file_id = {id}");
    workshop.corpus().execute(&spoil, []).unwrap();
    let text = || workshop.run(["text", "corpus.db", "docs/gaps.txt"]).expect(0).stdout;
    let before = text();
    let summary = workshop.clean(&["--config", "other.toml"]);
    assert_eq!(summary["errors"], 1, "{summary}");
    assert_eq!(summary["cleaned"].as_u64().unwrap() + 1, summary["files"].as_u64().unwrap(), "{summary}");
    assert_eq!((text(), workshop.fate("docs/gaps.txt")), (before, "Processed|Io".to_owned()));
    workshop.run(["clean", "corpus.db", "--config", "other.toml", "--strict"]).expect(1);
}

/// Both versions stay; going back and forth gives each its fingerprint, and nothing is cleaned for it.
#[test]
fn an_earlier_version_comes_back_as_it_was() {
    let workshop = furnished(16);
    fs::write(workshop.path("old.toml"), "[clean]\nversion = \"clean_v0\"\n").unwrap();
    let old = workshop.clean_fingerprint(&["--config", "old.toml"]);
    let new = workshop.clean_fingerprint(&[]);
    assert_ne!(old, new);
    workshop.ingest(&["--config", "old.toml"]);
    assert_eq!(workshop.fingerprint(), old);
    workshop.hide_tree();
    let cleaned = workshop.clean(&["--version", "clean_v1"]);
    assert_eq!((&cleaned["cleaned"], &cleaned["version"]), (&cleaned["files"], &"clean_v1".into()));
    assert_eq!(workshop.fingerprint(), new);
    assert_same(&workshop.database(), &workshop.path("clean.db"));
    let back = workshop.clean(&["--rollback", "clean_v0"]);
    assert_eq!((&back["recalled"], &back["cleaned"]), (&back["files"], &0.into()), "{back}");
    assert_eq!(workshop.fingerprint(), old);
    workshop.verify();
    audit(&workshop.database());
    let again = workshop.clean(&[]);
    assert_eq!((&again["skipped"], &again["version"]), (&again["files"], &"clean_v0".into()), "{again}");
    let forth = workshop.clean(&["--version", "clean_v1"]);
    assert_eq!((&forth["recalled"], &forth["cleaned"]), (&forth["files"], &0.into()), "{forth}");
    assert_eq!(workshop.fingerprint(), new);
    assert_same(&workshop.database(), &workshop.path("clean.db"));
    workshop.show_tree();
    assert_eq!(workshop.ingest(&[])["processed"], 0);
    let text =
        |flags: &[&str]| workshop.run(["text", "corpus.db", "docs/gaps.txt"].iter().chain(flags)).expect(0);
    assert_eq!(text(&["--version", "clean_v1"]).stdout, text(&[]).stdout);
    assert_eq!(text(&["--version", "clean_v0"]).stdout, "One fine paragraph.\n\nAnother one.\n");
    assert_eq!(text(&["--version", "raw_v1"]).stdout, text(&["--variant", "raw"]).stdout);
    let json = |flags: &[&str]| serde_json::from_str::<Value>(&text(flags).stdout).unwrap();
    let raw = json(&["--version", "raw_v1", "--json"]);
    assert_eq!((&raw["variant"], &raw["version"]), (&"raw".into(), &"raw_v1".into()), "{raw}");
    let other = workshop
        .run(["text", "corpus.db", "docs/gaps.txt", "--variant", "clean", "--version", "raw_v1"])
        .expect(4);
    assert!(other.stderr.contains("stored are clean_v0, clean_v1\n"), "{}", other.stderr);
    let unknown = workshop.run(["clean", "corpus.db", "--rollback", "clean_v9"]).expect(4).stderr;
    let files = &again["files"];
    let hint = format!("hint: stored are clean_v0 ({files} files), clean_v1 ({files} files)\n");
    assert!(unknown.contains("clean_v9") && unknown.ends_with(&hint), "{unknown}");
    let unknown = workshop.run(["clean", "corpus.db", "--force", "--raw-version", "raw_v9"]).expect(4).stderr;
    assert!(
        unknown.ends_with(&format!(
            "hint: give --raw-version one of the stored versions: raw_v1 ({files} files)\n"
        )),
        "{unknown}"
    );
    workshop.run(["clean", "corpus.db", "--version", "clean_v9"]).expect(2);
    workshop.run(["clean", "corpus.db", "--rollback", "clean_v0", "--only", "docs"]).expect(2);
}

/// Chunks that are the same before and after keep their rows, and with them what search knows of them: only the others
/// are written.
#[test]
fn chunks_that_stay_the_same_keep_their_rows() {
    let workshop = furnished(18);
    let text: String = (0..40).map(|number| format!("Line {number} of the ledger.\n\n")).collect();
    workshop.write("ledger.txt", &text);
    let small = ["--chunk-size", "32", "--chunk-overlap", "4"];
    workshop.ingest(&small);
    let rows = || -> BTreeMap<String, String> {
        let rows = workshop.rows("SELECT content_hash || ' ' || chunk_id FROM chunks");
        rows.iter().filter_map(|row| row.split_once(' ')).map(|(hash, id)| (hash.into(), id.into())).collect()
    };
    let check = |before: &BTreeMap<String, String>, told: &Value| {
        let now = rows();
        let (kept, new): (Vec<_>, Vec<_>) = now.iter().partition(|(hash, _)| before.contains_key(*hash));
        assert!(kept.len() > 10 && kept.iter().all(|(hash, id)| before[*hash] == **id), "{kept:?}");
        assert_eq!(told["unique_chunks"], new.len(), "{told}");
        workshop.verify();
        now
    };
    let first = rows();
    let cleaned = workshop.clean(&["--config", "other.toml"]);
    let second = check(&first, &cleaned);
    assert_ne!(first, second);
    let forced = workshop.clean(&["--config", "other.toml", "--force"]);
    assert_eq!((check(&second, &forced), &forced["unique_chunks"]), (second.clone(), &0.into()));
    workshop.write("ledger.txt", text.replace("Line 20 ", "Row 20 "));
    let told = workshop.ingest(&["--config", "other.toml"]);
    assert_ne!(check(&second, &told), second);
    let flags = [&small[..], &["--config", "other.toml"]].concat();
    check_like_new(&workshop, &flags);
}

/// What a rollback has chosen holds whatever the configuration says, until `clean --version` says otherwise.
#[test]
fn a_rollback_holds_until_a_version_is_chosen() {
    let workshop = furnished(17);
    fs::write(workshop.path("new.toml"), "[clean]\nversion = \"clean_v1\"\n").unwrap();
    workshop.ingest(&[]);
    workshop.clean(&["--version", "clean_v0"]);
    workshop.clean(&["--version", "clean_v1"]);
    workshop.clean(&["--rollback", "clean_v0"]);
    let versions =
        || workshop.rows("SELECT DISTINCT version FROM text_versions WHERE is_current AND variant = 'clean'");
    workshop.write("new.txt", "A new file,\nwrapped.\n");
    for flags in [&[][..], &["--config", "new.toml"]] {
        let told = workshop.run(workshop.words(flags)).expect(0).stderr;
        let warning =
            "warning: clean.version = clean_v1 is not followed: `clean --rollback` has chosen clean_v0";
        assert_eq!(told.contains(warning), !flags.is_empty(), "{told}");
        assert_eq!(versions(), ["clean_v0"]);
        workshop.clean(flags);
        assert_eq!(versions(), ["clean_v0"]);
    }
    workshop.clean(&["--version", "clean_v0"]);
    workshop.ingest(&[]);
    assert_eq!(versions(), ["clean_v0"]);
    workshop.ingest(&["--config", "new.toml"]);
    assert_eq!(versions(), ["clean_v1"]);
    check_like_new(&workshop, &[]);
}

/// The file that takes over takes every version, and a file that is read again loses those of before.
#[test]
fn versions_go_and_pass_on_with_their_file() {
    let workshop = furnished(18);
    workshop.write("a.txt", "The same words\nin both.\n");
    workshop.write("b.txt", "The same words\nin both.\n");
    workshop.ingest(&[]);
    workshop.clean(&["--version", "clean_v0"]);
    let versions = |name: &str| {
        workshop.rows(&format!(
            "SELECT version, is_current FROM text_versions JOIN files USING(file_id)
             WHERE relative_path = '{name}' ORDER BY version"
        ))
    };
    assert_eq!(versions("a.txt"), ["clean_v0|1", "clean_v1|0", "raw_v1|1"]);
    workshop.remove("a.txt");
    workshop.ingest(&[]);
    assert_eq!((versions("a.txt").len(), versions("b.txt").len()), (0, 3));
    workshop.write("b.txt", "Other words.\n");
    workshop.ingest(&[]);
    assert_eq!(versions("b.txt"), ["clean_v0|1", "raw_v1|1"]);
    workshop.verify();
    // The new text has no version to go back to: it is cleaned as that version was.
    workshop.clean(&["--version", "clean_v1"]);
    workshop.write("c.txt", "Yet\nmore.\n");
    workshop.ingest(&[]);
    let back = workshop.clean(&["--rollback", "clean_v0"]);
    assert_eq!(back["cleaned"], 1, "{back}");
    workshop.verify();
}

/// Edits, renames, cleaning, going back and ingests in any order, then one good run: what a new ingest gives.
#[test]
fn any_history_of_versions_ends_like_one_clean_ingest() {
    for round in 0..rounds(4) as u64 {
        with_seed(seed() * 1000 + 40 + round, |dice| {
            let workshop = furnished(round);
            workshop.ingest(&[]);
            let mut editor = Editor::new(workshop.tree());
            for _ in 0..7 {
                match dice.below(6) {
                    0 => (0..3).for_each(|_| editor.step(dice)),
                    1 => drop(workshop.ingest(&[])),
                    2 => drop(workshop.clean(&["--version", dice.pick(&["clean_v0", "clean_v1"])])),
                    3 => drop(workshop.clean(&[
                        "--limit",
                        "9",
                        "--offset",
                        dice.pick(&["0", "6"]),
                        "--config",
                        "other.toml",
                    ])),
                    4 => drop(workshop.clean(&[
                        "--only",
                        "docs/**",
                        "--version",
                        dice.pick(&["clean_v0", "clean_v1"]),
                    ])),
                    _ => {
                        // There may be nothing to go back to.
                        workshop.run([
                            "clean",
                            "corpus.db",
                            "--rollback",
                            dice.pick(&["clean_v0", "clean_v1"]),
                        ]);
                    }
                }
                workshop.verify();
            }
            let version = dice.pick(&["clean_v0", "clean_v1"]);
            workshop.clean(&["--version", version]);
            workshop.ingest(&[]);
            fs::write(workshop.path("end.toml"), format!("[clean]\nversion = \"{version}\"\n")).unwrap();
            let clean = workshop.clean_fingerprint(&["--config", "end.toml"]);
            assert_same(&workshop.database(), &workshop.path("clean.db"));
            assert_eq!(workshop.fingerprint(), clean);
            assert_eq!(workshop.ingest(&[])["processed"], 0);
            audit(&workshop.database());
        });
    }
}

/// A run of `clean` may be killed at any instant, too: the laws hold, and the next one, or an ingest, goes on.
#[test]
fn cleaning_may_be_killed_at_any_instant() {
    with_seed(seed() * 1000 + 50, |dice| {
        let workshop = Workshop::new();
        for number in 0..220 {
            let (extension, bytes) = material::file(dice);
            workshop.write(format!("{}/{number}.{extension}", number % 7), bytes);
        }
        let clean = workshop.clean_fingerprint(&[]);
        fs::write(workshop.path("old.toml"), "[clean]\nversion = \"clean_v0\"\n").unwrap();
        workshop.ingest(&["--config", "old.toml"]);
        let old = workshop.fingerprint();
        let before = workshop.path("before.db");
        fs::copy(workshop.database(), &before).unwrap();
        let (_, whole) = timed(|| workshop.clean(&["--version", "clean_v1", "--threads", "2"]));
        assert_eq!(workshop.fingerprint(), clean);
        let mut moments = KillMoments::new(10, whole);
        let mut round = 0;
        while let Some(moment) = moments.next(dice) {
            for name in ["corpus.db-wal", "corpus.db-shm", "corpus.db-journal"] {
                let _ = fs::remove_file(workshop.path(name));
            }
            fs::copy(&before, workshop.database()).unwrap();
            let child = start(&mut workshop.command([
                "clean",
                "corpus.db",
                "--version",
                "clean_v1",
                "--threads",
                "2",
            ]));
            std::thread::sleep(moment);
            moments.learn(moment, kill(child).is_none());
            workshop.verify();
            match round % 3 {
                0 => drop(workshop.clean(&["--version", "clean_v1"])),
                1 => drop((workshop.clean(&["--version", "clean_v1"]), workshop.ingest(&[]))),
                _ => {
                    workshop.clean(&["--version", "clean_v0"]);
                    assert_eq!(workshop.fingerprint(), old, "killed after {moment:?}");
                    workshop.clean(&["--version", "clean_v1"]);
                }
            }
            assert_eq!(workshop.fingerprint(), clean, "killed after {moment:?}");
            workshop.verify();
            round += 1;
        }
        assert_same(&workshop.database(), &workshop.path("clean.db"));
    });
}

/// Who cleans with other settings for readers than the files were read with is found out by the next ingest.
#[test]
fn cleaning_with_the_settings_of_another_reader_is_made_good() {
    let workshop = furnished(19);
    workshop.write("page.html", "<h1>Head</h1><p>Some <b>words</b>.</p><pre>a  b\n\n\n\nc</pre>");
    workshop.install_tool("cat \"$1\"");
    workshop.write("a.log", "entry   one\n\n\n\n  entry two\n");
    let config = fs::read_to_string(workshop.path("tool.toml")).unwrap() + "[html]\nmarkdown = false\n";
    fs::write(workshop.path("tool.toml"), config).unwrap();
    let flags = ["--config", "tool.toml"];
    workshop.ingest(&flags);
    workshop.clean(&["--force"]);
    workshop.verify();
    workshop.ingest(&flags);
    check_like_new(&workshop, &flags);
}

#[test]
fn two_versions_are_compared() {
    let workshop = furnished(15);
    workshop.ingest(&[]);
    let diff = |flags: &[&str]| workshop.run(["diff", "corpus.db", "docs/gaps.txt"].iter().chain(flags));
    let told = diff(&["--from", "raw_v1", "--to", "clean_v1"]).expect(0).stdout;
    let expected = "@@ -1,5 +1,3 @@\n-One ﬁne paragraph.\n-\n-\n+One fine paragraph.\n \n Another one.\n";
    assert!(told.starts_with("--- /") && told.ends_with(expected), "{told}");
    let json = diff(&["--json"]).expect(0).json();
    assert_eq!((&json["from"]["version"], &json["to"]["version"]), (&"raw_v1".into(), &"clean_v1".into()));
    assert_eq!((&json["added"], &json["removed"], &json["identical"]), (&1.into(), &3.into(), &false.into()));
    assert_eq!(diff(&["--from", "clean_v1"]).expect(0).stdout, "");
    assert!(diff(&["--from", "clean_v7"]).expect(4).stderr.contains("stored are clean_v1, raw_v1"));
    workshop.run(["diff", "corpus.db", "docs/none.txt"]).expect(4);
}
