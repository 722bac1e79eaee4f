//! Settings that change: just the stages concerned are done again, from stored text where that is enough.

use crate::audit::{assert_same, audit};
use crate::material;
use crate::support::{Dice, Workshop, kill, start};
use std::fs;

/// A tree with some of each kind.
fn furnished() -> Workshop {
    let workshop = Workshop::new();
    let mut dice = Dice::new(5);
    for number in 0..24 {
        let (extension, bytes) = material::file(&mut dice);
        workshop.write(format!("{number}.{extension}"), bytes);
    }
    workshop.write("long.txt", material::prose(&mut dice).repeat(10));
    workshop
}

#[track_caller]
fn check_clean(workshop: &Workshop, flags: &[&str]) {
    let clean = workshop.clean_fingerprint(flags);
    assert_same(&workshop.database(), &workshop.path("clean.db"));
    assert_eq!(workshop.fingerprint(), clean);
    workshop.verify();
    audit(&workshop.database());
}

/// Runs again with other settings; the summary must say that no file was read.
#[track_caller]
fn check_unread(workshop: &Workshop, flags: &[&str]) {
    let summary = workshop.ingest(flags);
    assert_eq!((&summary["new"], &summary["changed"]), (&0.into(), &0.into()));
    assert_ne!(summary["processed"], 0, "{flags:?} redid nothing");
    check_clean(workshop, flags);
}

#[test]
fn chunk_settings_work_on_stored_text() {
    let workshop = furnished();
    workshop.ingest(&[]);
    check_unread(&workshop, &["--chunk-size", "64", "--chunk-overlap", "8"]);
    check_unread(&workshop, &["--chunk-size", "64", "--chunk-overlap", "0"]);
    check_unread(&workshop, &["--chunk-size", "64", "--chunk-overlap", "0", "--strategy", "paragraph"]);
    check_unread(&workshop, &["--chunk-size", "64", "--chunk-overlap", "0", "--tokenizer", "o200k_base"]);
    assert_eq!(workshop.rows("SELECT DISTINCT tokenizer_model FROM chunks"), ["o200k_base"]);
}

#[test]
fn a_run_says_what_differs_before_it_reads_or_cuts_again() {
    let workshop = Workshop::new();
    workshop.write("a.html", "<p>Words of a page.");
    workshop.write("b.txt", "Words of a text.");
    workshop.write("c.txt", "Other words of a text.");
    let check = |flags: &[&str], said: &str| {
        for dry in [true, false] {
            let flags = if dry { &[flags, &["--dry-run"]].concat()[..] } else { flags };
            let ran = workshop.run(workshop.words(flags)).expect(0);
            let told = ran.stderr.lines().find(|line| line.contains("again")).unwrap_or_default().to_owned();
            let told = told.split_once("warning: ").map_or(told.as_str(), |(_, told)| told);
            assert_eq!(told, said, "{flags:?}");
        }
    };
    check(&[], "");
    workshop.ingest(&[]);
    check(&[], "");
    let cut = "settings have changed (chunk_overlap from 50 to 6, chunk_size from 512 to 64): 3 texts to be cut again";
    check(&["--chunk-size", "64", "--chunk-overlap", "6"], cut);
    check(&[], "");
    fs::write(workshop.path("c.toml"), "[html]\nmarkdown = false\n").unwrap();
    let read = "settings have changed (html.markdown from true to false): 1 file to be read again";
    check(&["--config", "c.toml"], read);
    check(&["--config", "c.toml"], "");
    check(&["--config", "c.toml", "--force-reprocess"], "");
    let cleaned =
        "settings have changed (clean.page_markers from false to true): 3 texts to be cleaned again";
    check(&["--config", "c.toml", "--page-markers"], cleaned);
}

#[test]
fn thresholds_of_a_review_clean_no_text() {
    let workshop = furnished();
    workshop.write(
        "bad.txt",
        [&b"w\xff ".repeat(3)[..], &b"Plain words of a text in UTF-8: \xc3\xa4.\n".repeat(4)].concat(),
    );
    workshop.ingest(&[]);
    let made = "SELECT group_concat(created_at) FROM text_versions";
    let (before, reviewed) = (workshop.one(made), "SELECT count(*) FROM text_versions WHERE needs_review");
    let first = workshop.one(reviewed);
    for (thresholds, differs) in [("max_replaced_percent = 99\nmax_removed_percent = 0", true), ("", false)] {
        fs::write(workshop.path("c.toml"), format!("[review]\n{thresholds}\n")).unwrap();
        let flags = ["--config", "c.toml"];
        let summary = workshop.ingest(&flags);
        assert_eq!((&summary["processed"], workshop.one(made)), (&0.into(), before.clone()), "{thresholds}");
        assert_eq!(workshop.one(reviewed) != first, differs, "{thresholds}");
        check_clean(&workshop, &flags);
    }
}

#[test]
fn what_a_corpus_was_made_with_outranks_the_defaults() {
    let workshop = furnished();
    workshop.ingest(&["--chunk-size", "64", "--chunk-overlap", "8", "--tokenizer", "o200k_base"]);
    let before = workshop.dump();
    let again = workshop.ingest(&[]);
    assert_eq!(again["processed"], 0, "{again}");
    assert_eq!(workshop.dump(), before);
    fs::write(workshop.path("other.toml"), "chunk_size = 100\n").unwrap();
    assert_ne!(workshop.ingest(&["--config", "other.toml"])["processed"], 0);
    assert_eq!(
        workshop
            .rows("SELECT 1 FROM chunk_sources WHERE chunking_strategy NOT LIKE '%\\_100\\_8' ESCAPE '\\'"),
        [""; 0]
    );
    workshop.verify();
}

/// A file gets other bytes in the run that brings other settings: what its twin takes over is cut anew as well.
#[test]
fn content_that_is_handed_over_is_cut_with_the_settings_of_today() {
    let workshop = Workshop::new();
    let text = material::prose(&mut Dice::new(6)).repeat(6);
    workshop.write("a.txt", &text);
    workshop.write("b.txt", &text);
    workshop.ingest(&["--chunk-size", "200", "--chunk-overlap", "20"]);
    workshop.write("a.txt", "Other words.\n");
    let flags = ["--chunk-size", "40", "--chunk-overlap", "5"];
    workshop.ingest(&flags);
    check_clean(&workshop, &flags);
}

/// An interrupted run leaves rows that wait to be read; a new name, or other settings, count for them too.
#[test]
fn rows_that_wait_to_be_read_follow_name_and_settings() {
    let workshop = Workshop::new();
    workshop.install_tool("sleep 20");
    workshop.write("0.log", "slow\n");
    workshop.write("a.txt", "name,value\none,1\n");
    workshop.write("b.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>words</text></svg>\n");
    let config = fs::read_to_string(workshop.path("tool.toml")).unwrap() + "[scan]\nsvg = true\n";
    fs::write(workshop.path("tool.toml"), config).unwrap();
    let child = start(&mut workshop.command(workshop.words(&["--config", "tool.toml", "--threads", "1"])));
    let waiting = || {
        workshop.database().exists()
            && !workshop.rows("SELECT 1 FROM sqlite_master WHERE name = 'files'").is_empty()
            && workshop.one("SELECT count(*) FROM files WHERE processing_status = 'Pending'") == "3"
    };
    let begun = std::time::Instant::now();
    while !waiting() && begun.elapsed().as_secs() < 15 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    kill(child);
    assert!(waiting());
    workshop.rename("a.txt", "a.csv");
    workshop.ingest(&[]);
    check_clean(&workshop, &[]);
    assert_eq!(workshop.fate("b.svg"), "Skipped_Binary|");
}

#[test]
fn cleaning_settings_work_on_stored_raw_text() {
    let workshop = furnished();
    workshop.ingest(&[]);
    fs::write(workshop.path("c.toml"), "[clean]\nmax_blank_lines = 0\nunicode = \"nfc\"\n").unwrap();
    check_unread(&workshop, &["--config", "c.toml"]);
    check_unread(&workshop, &[]);
}

#[test]
fn reader_settings_read_pages_again_and_nothing_else() {
    let workshop = furnished();
    workshop.ingest(&[]);
    let pages: u64 =
        workshop.one("SELECT count(*) FROM files WHERE format = 'html' AND is_canonical").parse().unwrap();
    assert_ne!(pages, 0);
    fs::write(workshop.path("h.toml"), "[html]\nmarkdown = false\n").unwrap();
    let summary = workshop.ingest(&["--config", "h.toml"]);
    assert_eq!(summary["processed"], pages, "{summary}");
    check_clean(&workshop, &["--config", "h.toml"]);
}

/// The other root's folder may be gone: its texts are stored.
#[test]
fn every_root_is_cut_anew_even_one_whose_folder_is_gone() {
    let workshop = furnished();
    let mut dice = Dice::new(9);
    fs::create_dir_all(workshop.path("second")).unwrap();
    for number in 0..5 {
        fs::write(workshop.path("second").join(format!("{number}.txt")), material::prose(&mut dice)).unwrap();
    }
    workshop.ingest(&[]);
    workshop.ingest_root("second", &[]);
    fs::rename(workshop.path("second"), workshop.path("away")).unwrap();
    let flags = ["--chunk-size", "40", "--chunk-overlap", "5"];
    let summary = workshop.ingest(&flags);
    assert_eq!((&summary["new"], &summary["deleted"]), (&0.into(), &0.into()));
    workshop.verify();
    audit(&workshop.database());
    let old = "SELECT DISTINCT chunking_strategy FROM chunk_sources WHERE chunking_strategy NOT LIKE '%\\_40\\_5' ESCAPE '\\'";
    assert_eq!(workshop.rows(old), [""; 0]);
    fs::rename(workshop.path("away"), workshop.path("second")).unwrap();
    for root in ["tree", "second"] {
        workshop.run(["ingest", root, "clean.db"].iter().chain(&flags)).expect(0);
    }
    assert_eq!(workshop.fingerprint(), workshop.fingerprint_of("clean.db"));
}

#[test]
fn without_raw_text_sources_are_read_again() {
    let workshop = furnished();
    fs::write(workshop.path("k.toml"), "[store]\nkeep = [\"clean\"]\n").unwrap();
    workshop.ingest(&["--config", "k.toml"]);
    assert_eq!(workshop.one("SELECT count(*) FROM texts WHERE variant = 'raw'"), "0");
    check_clean(&workshop, &["--config", "k.toml"]);
    fs::write(workshop.path("c.toml"), "[store]\nkeep = [\"clean\"]\n[clean]\nmax_blank_lines = 0\n")
        .unwrap();
    check_unread(&workshop, &["--config", "c.toml"]);
    // And raw text comes back when it is wanted again.
    workshop.ingest(&[]);
    check_clean(&workshop, &[]);
}

#[test]
fn the_search_table_comes_and_goes_with_its_setting() {
    let workshop = furnished();
    workshop.write("needle.txt", "There is a needleword in here.\n");
    let found = || workshop.run(["search", "corpus.db", "needleword", "--json"]);
    let off = ["--config", "f.toml"];
    fs::write(workshop.path("f.toml"), "[store]\nfts = false\n").unwrap();
    workshop.ingest(&off);
    assert_ne!(found().stdout.matches("needle.txt").count(), 1);
    workshop.verify();
    workshop.ingest(&[]);
    assert!(found().expect(0).stdout.contains("needle.txt"));
    audit(&workshop.database());
    workshop.ingest(&off);
    assert_ne!(found().stdout.matches("needle.txt").count(), 1);
    workshop.ingest(&[]);
    assert!(found().expect(0).stdout.contains("needle.txt"));
    audit(&workshop.database());
}

#[test]
fn a_size_limit_skips_and_its_rise_reads() {
    let workshop = Workshop::new();
    workshop.write("small.txt", "Small.\n");
    workshop.write("large.txt", "Large. ".repeat(1000));
    fs::write(workshop.path("l.toml"), "[scan]\nmax_file_size = 1000\n").unwrap();
    let limited = ["--config", "l.toml"];
    workshop.ingest(&limited);
    assert_eq!(workshop.fate("large.txt"), "Skipped_Limit|SizeLimit");
    check_clean(&workshop, &limited);
    workshop.ingest(&[]);
    assert_eq!(workshop.fate("large.txt"), "Processed|");
    check_clean(&workshop, &[]);
    workshop.ingest(&limited);
    check_clean(&workshop, &limited);
}
