//! The layout of PDF files from outside: what the command prints, what `ingest` stores, and what both refuse.
//!
//! `crates/pensieve-readers/tests/golden/pdf/textbook.pdf` (made by `make.py` beside it) has six pages of two columns, drawn in turns: headings,
//! paragraphs that go on in the next column, a figure, a box of keywords, a note, a running head and page numbers. Every
//! sentence of its prose says its number (`In case 7 ...`), and only what is no prose says `beside`.

use crate::support::{Ran, Workshop};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Sentences of prose in the textbook.
const SENTENCES: usize = 133;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("crates/pensieve-readers/tests/golden/pdf").join(name)
}

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("textbook.pdf", fs::read(fixture("textbook.pdf")).unwrap());
    workshop
}

/// Runs `layout` on the textbook.
fn layout(workshop: &Workshop, flags: &[&str]) -> Ran {
    workshop.run(["layout", "tree/textbook.pdf"].iter().chain(flags))
}

/// One JSON object a line.
#[track_caller]
fn rows(ran: &Ran) -> Vec<Value> {
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(row: &Value) -> &str {
    row["text"].as_str().unwrap()
}

fn number(row: &Value, field: &str) -> u64 {
    row[field].as_u64().unwrap_or_else(|| panic!("{field} of {row}"))
}

/// The numbers of the sentences of prose in a text.
fn cases(text: &str) -> Vec<usize> {
    let tails = text.split("In case ").skip(1);
    tails.map(|tail| tail.split(' ').next().unwrap().parse().unwrap()).collect()
}

#[track_caller]
fn check_place(row: &Value) {
    let corners: Vec<f64> = row["bbox"].as_array().unwrap().iter().map(|at| at.as_f64().unwrap()).collect();
    let [x0, y0, x1, y1] = corners[..] else { panic!("no box: {row}") };
    assert!(0.0 <= x0 && x0 < x1 && x1 <= 400.0 && 0.0 <= y0 && y0 < y1 && y1 <= 500.0, "{row}");
    assert!((1..=6).contains(&number(row, "page")), "{row}");
}

#[test]
fn metrics_count_what_there_is() {
    let workshop = workshop();
    let metrics = layout(&workshop, &[]).expect(0).json();
    assert_eq!(metrics["pages"], 6);
    assert_eq!(metrics["columns"], 2);
    assert_eq!((&metrics["headings"], &metrics["sections"]), (&Value::from(3), &Value::from(3)));
    for (kind, least) in [("caption", 1), ("footnote", 1), ("list-of-terms", 1)] {
        assert!(number(&metrics["aux"], kind) >= least, "{metrics}");
    }
    let suppressed: Vec<_> =
        metrics["suppressed"].as_array().unwrap().iter().map(|row| (text(row), &row["band"])).collect();
    assert_eq!(suppressed, [("Chapter 2 The Workshop", &"header".into()), ("31", &"footer".into())]);
    assert!(number(&metrics, "dehyphenations") >= 1, "{metrics}");
    assert_eq!(
        (&metrics["violations"], &metrics["needs_review"]),
        (&Value::from(Vec::<Value>::new()), &false.into())
    );
    assert!(metrics["milliseconds"].as_object().unwrap().len() >= 8, "{metrics}");
    for flags in [&["--json"][..], &["--emit", "metrics"], &["--emit", "metrics", "--json"]] {
        let again = layout(&workshop, flags).expect(0).json();
        assert_eq!((&again["units"], &again["blocks"]), (&metrics["units"], &metrics["blocks"]));
    }
}

#[test]
fn units_have_the_fields_and_the_order_that_are_promised() {
    let workshop = workshop();
    let ran = layout(&workshop, &["--emit", "units"]).expect(0);
    let units = rows(&ran);
    assert_eq!(layout(&workshop, &["--emit", "units", "--json"]).expect(0).stdout, ran.stdout);
    let keys: Vec<_> = units
        .iter()
        .map(|unit| ["section_seq", "para_seq", "sent_seq", "emit_phase"].map(|field| number(unit, field)))
        .collect();
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:?}");
    let id = &units[0]["doc_id"];
    let mut told = Vec::new();
    for unit in &units {
        assert_eq!(&unit["doc_id"], id);
        assert!(unit["heading"].is_string(), "{unit}");
        check_place(unit);
        let body = text(unit);
        if unit["role"] == "AUX" {
            assert_eq!((number(unit, "emit_phase"), &unit["owner_section_seq"]), (1, &unit["section_seq"]));
            let inside = body.strip_prefix("<aux>").and_then(|rest| rest.strip_suffix("</aux>")).unwrap();
            assert!(!inside.contains("<aux>") && !inside.contains("</aux>") && unit["subtype"].is_string());
            assert!(inside.contains("beside") && cases(inside).is_empty(), "{unit}");
        } else {
            assert_eq!((&unit["role"], number(unit, "emit_phase")), (&"MAIN".into(), 0));
            assert!(unit.get("owner_section_seq").is_none(), "{unit}");
            assert!(!body.contains("aux>") && !body.contains("beside"), "{unit}");
            assert!(!body.contains("- ") && !body.contains("contain-"), "{unit}");
            told.extend(cases(body));
        }
        assert!(!body.contains("Chapter 2"), "{unit}");
    }
    assert_eq!(told, (1..=SENTENCES).collect::<Vec<_>>());
    let aux = |kind: &str| units.iter().find(|unit| unit["subtype"] == kind).unwrap();
    assert_eq!(aux("caption")["heading"], "2.1 Tools and Habits");
    assert_eq!(aux("footnote")["heading"], "2.1 Tools and Habits");
    assert_eq!(aux("list-of-terms")["heading"], "2.2 Weather and Wood");
}

#[test]
fn blocks_keep_the_reasons_for_their_class() {
    let workshop = workshop();
    let blocks = rows(&layout(&workshop, &["--emit", "blocks"]).expect(0));
    let (left_out, blocks): (Vec<&Value>, Vec<&Value>) =
        blocks.iter().partition(|block| block["subtype"] == "furniture");
    assert_eq!(left_out.len(), 2);
    for block in blocks {
        check_place(block);
        assert!(!block["reasons"].as_array().unwrap().is_empty(), "{block}");
        assert!(block["font"]["name"].is_string() && block["font"]["size"].is_number(), "{block}");
    }
}

#[test]
fn windows_never_mix_roles_or_cross_sections() {
    let workshop = workshop();
    let units = rows(&layout(&workshop, &["--emit", "units"]).expect(0));
    let sections = |role: &str| {
        let of_role = units.iter().filter(|unit| unit["role"] == role);
        of_role.map(|unit| (text(unit).to_owned(), number(unit, "section_seq"))).collect::<Vec<_>>()
    };
    let (main, aux) = (sections("MAIN"), sections("AUX"));
    let chunks = rows(&layout(&workshop, &["--emit", "chunks"]).expect(0));
    let mut last: Option<&Value> = None;
    let mut seen = 0;
    for (at, chunk) in chunks.iter().enumerate() {
        assert_eq!(number(chunk, "chunk_seq"), at as u64);
        assert!(number(chunk, "tokens") <= 500, "{chunk}");
        assert_eq!(chunk["locator"]["role"], chunk["role"]);
        let (own, others) = if chunk["role"] == "AUX" { (&aux, &main) } else { (&main, &aux) };
        assert!(others.iter().all(|(unit, _)| !text(chunk).contains(unit.as_str())), "{chunk}");
        let inside = own.iter().filter(|(unit, _)| text(chunk).contains(unit.as_str()));
        assert!(inside.clone().count() > 0, "{chunk}");
        assert!(inside.clone().all(|(_, section)| *section == number(chunk, "section_seq")), "{chunk}");
        let numbers = cases(text(chunk));
        if let Some(before) = last.filter(|before| !numbers.is_empty() && !cases(text(before)).is_empty()) {
            assert_eq!(before["section_seq"], chunk["section_seq"], "AUX stands between the sections here");
            let shared = numbers.iter().filter(|case| **case <= seen).count();
            assert!((1..=6).contains(&shared), "{shared} sentences are repeated in {chunk}");
        }
        seen = numbers.last().copied().unwrap_or(seen);
        last = Some(chunk);
    }
    assert_eq!(seen, SENTENCES);
}

#[test]
fn one_threshold_holds_for_one_run() {
    let workshop = workshop();
    let units = |flags: &[&str]| number(&layout(&workshop, flags).expect(0).json(), "units");
    let without = units(&["--set", "furniture_pages=50", "--set", "furniture_band=0"]);
    assert_eq!(without, units(&["--set", "pdf.layout.furniture_band=0"]));
    assert!(without > units(&[]), "headers are text when there is no band for them");
    let chunks = |flags: &[&str]| number(&layout(&workshop, flags).expect(0).json(), "chunks");
    assert!(chunks(&["--set", "window_tokens=100"]) > 2 * chunks(&[]));
    fs::write(workshop.path("own.toml"), "[pdf.layout]\nwindow_tokens = 100\n").unwrap();
    assert_eq!(chunks(&["--config", "own.toml"]), chunks(&["--set", "window_tokens=100"]));
    fs::write(workshop.path("cue.toml"), "[pdf.layout]\ncues = [\"In case 1 = callout\"]\n").unwrap();
    layout(&workshop, &["--config", "cue.toml"]).expect(0);
}

#[test]
fn every_page_is_drawn() {
    let workshop = workshop();
    layout(&workshop, &["--draw", "pictures"]).expect(0).json();
    let mut names: Vec<_> =
        fs::read_dir(workshop.path("pictures")).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert_eq!(names.len(), 6);
    let first = fs::read_to_string(&names[0]).unwrap();
    assert!(first.starts_with("<svg ") && first.ends_with("</svg>\n"));
    for part in ["MAIN", "caption", "heading", "#1a7f37", "viewBox=\"0 0 400.0 500.0\"", "Tools and Habits"] {
        assert!(first.contains(part), "{part}");
    }
}

/// Chunks of the textbook as they are stored.
fn stored(workshop: &Workshop) -> Vec<(String, String, u64, Value)> {
    let query = "SELECT json_array(chunking_strategy, content, chunks.estimated_tokens, json(locator)) FROM chunk_sources JOIN chunks USING(chunk_id) \
                 JOIN files USING(file_id) WHERE filename = 'textbook.pdf' ORDER BY start_index, end_index";
    let rows = workshop.rows(query);
    rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect()
}

#[test]
fn ingest_stores_the_chunks_that_the_command_shows() {
    let workshop = workshop();
    workshop.ingest(&[]);
    workshop.verify();
    let shown = rows(&layout(&workshop, &["--emit", "chunks"]).expect(0));
    let stored = stored(&workshop);
    assert_eq!(stored.len(), shown.len());
    for ((strategy, content, tokens, locator), chunk) in stored.iter().zip(&shown) {
        assert_eq!(strategy, "Layout_500_80");
        assert_eq!(*content, text(chunk).replace("<aux>", "").replace("</aux>", ""));
        assert_eq!((locator, *tokens), (&chunk["locator"], number(chunk, "tokens")));
        assert_eq!((&locator["role"], &locator["subtype"]), (&chunk["role"], &chunk["subtype"]));
    }
    let (.., place) = stored.iter().find(|(.., locator)| locator["page"].is_number()).unwrap();
    assert!(place["bbox"].is_array() && place["sentences"][0]["bbox"].is_array(), "{place}");
    let counts: Value =
        serde_json::from_str(&workshop.one("SELECT value FROM metadata WHERE key = 'layout'")).unwrap();
    let metrics = layout(&workshop, &[]).expect(0).json();
    for count in ["blocks", "main", "headings", "aux", "columns", "sections", "units", "dehyphenations"] {
        assert_eq!(counts[count], metrics[count], "{count}");
    }
    assert_eq!(counts["suppressed"], 2);
    let clean = workshop.run(["text", "corpus.db", "textbook.pdf"]).expect(0).stdout;
    assert!(!clean.contains("<aux>") && !clean.contains("Chapter 2"));
    assert_eq!(cases(&clean), (1..=SENTENCES).collect::<Vec<_>>());
    assert_eq!(workshop.fate("textbook.pdf"), "Processed|");
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&["--threads", "1"]));
}

#[test]
fn cut_again_from_stored_text_is_cut_as_when_it_is_read() {
    let workshop = workshop();
    workshop.ingest(&[]);
    fs::write(workshop.path("own.toml"), "[pdf.layout]\nwindow_tokens = 120\noverlap_tokens = 50\n").unwrap();
    for flags in [&["--config", "own.toml"][..], &["--chunk-size", "64", "--chunk-overlap", "20"]] {
        let summary = workshop.ingest(flags);
        // A file that is as young as the scan is hashed again; read it is not.
        assert_eq!((&summary["rechunked"], &summary["unchanged"]), (&1.into(), &1.into()), "{summary}");
        workshop.verify();
        assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(flags), "{flags:?}");
    }
    let (_, last, _, locator) = stored(&workshop).pop().unwrap();
    assert!(last.contains(&format!("In case {SENTENCES} ")) && locator["role"] == "MAIN");
}

#[test]
fn windows_concern_only_what_is_laid_out() {
    let workshop = workshop();
    workshop.write("letter.txt", "A text that no page holds.\n");
    workshop.write("page.md", "# Title\n\nAnother one.\n");
    workshop.ingest(&[]);
    let wide = ["overlap_tokens = 60", "min_overlap_tokens = 20", "window_tokens = 300"];
    for setting in wide {
        fs::write(workshop.path("own.toml"), format!("[pdf.layout]\n{setting}\n")).unwrap();
        let summary = workshop.ingest(&["--config", "own.toml"]);
        assert_eq!(summary["rechunked"], 1, "{setting}: {summary}");
    }
    workshop.verify();
}

#[test]
fn without_layout_the_text_is_that_of_the_pages() {
    let workshop = workshop();
    fs::write(workshop.path("plain.toml"), "[pdf]\nlayout = false\n").unwrap();
    workshop.ingest(&["--config", "plain.toml"]);
    workshop.verify();
    for (strategy, .., locator) in stored(&workshop) {
        assert_eq!(strategy, "Recursive_512_50");
        assert!(locator.get("role").is_none() && locator.get("page").is_some(), "{locator}");
    }
    let clean = workshop.run(["text", "corpus.db", "textbook.pdf"]).expect(0).stdout;
    assert_eq!(cases(&clean).len(), SENTENCES);
    let caption = clean.find("Figure 2.1").unwrap();
    let heading = clean.find("2.2 Weather").unwrap();
    let before = clean[..caption].matches("In case").count();
    assert!((1..cases(&clean[..heading]).len()).contains(&before), "the caption stands where it is drawn");
}

#[test]
fn files_that_cannot_be_laid_out() {
    let workshop = workshop();
    let check = |name: &str, code: i32, says: &str| {
        fs::copy(fixture(name), workshop.path("file.pdf")).unwrap();
        let ran = workshop.run(["layout", "file.pdf"]).expect(code);
        assert!(ran.stderr.contains(says), "{name}: {}", ran.stderr);
        assert_eq!(ran.stdout.is_empty(), code != 0, "{name}: {}", ran.stdout);
        ran
    };
    let damaged = check("damaged.pdf", 0, "needs review: skipped parts").json();
    assert_eq!((&damaged["needs_review"], &damaged["pages"]), (&true.into(), &2.into()));
    let scan = check("scan.pdf", 0, "no text layer").json();
    assert_eq!((&scan["needs_review"], &scan["units"]), (&true.into(), &0.into()));
    assert_eq!(scan["review_reasons"][0], "no text layer");
    check("encrypted.pdf", 0, "");
    check("locked/locked.pdf", 4, "Encrypted");
    check("make.py", 4, "Damaged");
    workshop.run(["layout", "absent.pdf"]).expect(4);
    workshop.run(["layout", "tree"]).expect(4);
    fs::write(workshop.path("open.toml"), "[pdf]\npasswords = [\"geheim\"]\n").unwrap();
    fs::copy(fixture("locked/locked.pdf"), workshop.path("file.pdf")).unwrap();
    workshop.run(["layout", "file.pdf", "--config", "open.toml"]).expect(0);
}

#[test]
fn settings_that_the_layout_does_not_know() {
    let workshop = workshop();
    let check = |flags: &[&str], code: i32, says: &str| {
        let ran = layout(&workshop, flags).expect(code);
        assert!(ran.stderr.contains(says) && ran.stdout.is_empty(), "{flags:?}: {ran:?}");
    };
    check(&["--set", "column_widht=75"], 2, "column_width");
    check(&["--set", "column_width"], 2, "no value");
    check(&["--set", "column_width=wide"], 3, "column_width");
    check(&["--set", "cues=Merksatz"], 3, "Merksatz");
    check(&["--emit", "pictures"], 2, "pictures");
    check(&["--config", "absent.toml"], 3, "absent.toml");
    for cue in ["Merksatz", "Merksatz = remark", "= callout", "Merksatz = furniture"] {
        fs::write(workshop.path("cue.toml"), format!("[pdf.layout]\ncues = [\"{cue}\"]\n")).unwrap();
        let ran = workshop.run(["ingest", "tree", "corpus.db", "--config", "cue.toml"]).expect(3);
        assert!(ran.stderr.contains("cue.toml:2") && ran.stderr.contains(cue), "{cue}: {}", ran.stderr);
        assert!(!workshop.database().exists());
    }
}
