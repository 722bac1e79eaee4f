//! The configuration as the program reads it: layers, refusals, and who may name programs.

use crate::commands::Place;
use std::fs;

/// The setting of a chunk as the database has it after a run with these words.
fn chunk_size(place: &Place, words: &[&str], variable: Option<&str>) -> String {
    let mut all = vec!["ingest", "tree", "x.db", "--json", "-q"];
    all.extend(words);
    let mut program = place.program(&all);
    if let Some(size) = variable {
        program.env("PENSIEVE_CHUNK_SIZE", size);
    }
    let output = program.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stats = place.done(&["stats", "x.db", "--json"]).stdout;
    let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
    stats["settings"]["chunk_size"].to_string()
}

#[test]
fn every_layer_stands_above_those_before_it() {
    let place = Place::new();
    assert_eq!(chunk_size(&place, &[], None), "512");
    place.write("home/.config/pensieve/pensieve.toml", "chunk_size = 100\nchunk_overlap = 10\n");
    assert_eq!(chunk_size(&place, &[], None), "100");
    place.write("pensieve.toml", "chunk_size = 110\n");
    assert_eq!(chunk_size(&place, &[], None), "110");
    place.write("named.toml", "chunk_size = 120\n");
    assert_eq!(chunk_size(&place, &["--config", "named.toml"], None), "120");
    assert_eq!(chunk_size(&place, &["--config", "named.toml"], Some("130")), "130");
    assert_eq!(chunk_size(&place, &["--config", "named.toml", "--chunk-size", "140"], Some("130")), "140");
}

fn check_refused(text: &str, said: &[&str]) {
    let place = Place::new();
    place.write("pensieve.toml", text);
    for said in said {
        place.fails(&["ingest", "tree", "x.db"], 3, said);
    }
    assert!(!place.path("x.db").exists());
}

#[test]
fn what_is_wrong_is_told_with_file_line_and_nearest_key() {
    check_refused(
        "\nchunksize = 1\n",
        &["pensieve.toml:2: unknown key `chunksize`", "did you mean `chunk_size`?"],
    );
    check_refused("[scan]\nhiden = true\n", &["pensieve.toml:2", "did you mean `scan.hidden`?"]);
    check_refused(
        "chunk_size = \"big\"\n",
        &["pensieve.toml:1: `chunk_size` must be a whole number", "not \"big\""],
    );
    check_refused("chunk_size = 8\n", &["pensieve.toml:1: `chunk_size` must be a whole number from 16"]);
    check_refused("chunk_size = 100\nchunk_overlap = 50\n", &["`chunk_overlap` 50 must be less than half"]);
    check_refused(
        "chunk_overlap = 300\n",
        &["`chunk_overlap` 300 must be less than half of `chunk_size` 512"],
    );
    check_refused("chunk_size = \n", &["error: ./pensieve.toml:1: "]);
    check_refused("tokenizer_model = \"gpt9\"\n", &["cl100k_base", "not \"gpt9\""]);
    check_refused(
        "[clean.rules]\nhyphen = true\n",
        &["unknown key `clean.rules.hyphen`", "did you mean `clean.rules.hyphens`?"],
    );
    check_refused(
        "[converter_limits]\nmemory = \"8 GiB\"\n",
        &["does not fit in `max_memory` 512 MiB", "hint: raise"],
    );
}

#[test]
fn a_value_that_cannot_work_is_refused_with_its_key_and_a_cure() {
    let place = Place::new();
    let check = |text: &str, said: &[&str]| {
        place.write("named.toml", text);
        for said in said {
            place.fails(&["ingest", "tree", "x.db", "--config", "named.toml"], 3, said);
        }
    };
    check(
        "[pdf.layout]\noverlap_tokens = 400\n",
        &[
            "named.toml:2: `pdf.layout.overlap_tokens` 400 must be less than half of `pdf.layout.window_tokens` 500",
        ],
    );
    check(
        "chunk_size = 128\n[pdf.layout]\noverlap_tokens = 64\n",
        &[
            "`pdf.layout.overlap_tokens` 64 must be less than half of `chunk_size` 128",
            "hint: lower it, or raise chunk_size",
        ],
    );
    check(
        "[pdf.layout]\nmin_overlap_tokens = 90\n",
        &["`pdf.layout.min_overlap_tokens` 90 must not be more"],
    );
    check(
        "[embedding]\nendpoint = \"nonsense\"\n",
        &["named.toml:2: `embedding.endpoint` is no address", "hint: "],
    );
    check(
        "[ocr]\nrender = \"pdftoppm -f {page} -png\"\n",
        &["named.toml:2: `ocr.render`: the template lacks `{input}`"],
    );
    check(
        "[ocr]\nrender = \"pdftoppm -png {input}\"\n",
        &["`ocr.render`: the template lacks `{page}`", "hint: write {page}"],
    );
    assert!(!place.path("x.db").exists());
    place.write("named.toml", "[pdf.layout]\nwindow_tokens = 64\n");
    place.done(&["ingest", "tree", "x.db", "--config", "named.toml"]);
}

#[test]
fn a_named_file_that_is_missing_is_refused_and_a_misspelt_variable_is_told() {
    let place = Place::new();
    place.fails(
        &["ingest", "tree", "x.db", "--config", "none.toml"],
        3,
        "cannot read configuration `none.toml`",
    );
    let mut program = place.program(&["ingest", "tree", "x.db"]);
    let output = program.env("PENSIEVE_CHUNKSIZE", "64").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = "warning: `PENSIEVE_CHUNKSIZE` sets nothing; did you mean `PENSIEVE_CHUNK_SIZE`?\n";
    assert!(String::from_utf8_lossy(&output.stderr).contains(said));
}

#[test]
fn what_init_writes_is_the_example_and_works_where_it_lies() {
    let place = Place::new();
    place.done(&["init"]);
    let example = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/pensieve.example.toml")).unwrap();
    assert!(fs::read_to_string(place.path("pensieve.toml")).unwrap() == example);
    assert!(place.done(&["init", "-"]).stdout == example);
    place.fails(&["init"], 2, "`pensieve.toml` exists already\nhint: use --force");
    place.done(&["init", "--force"]);
    place.done(&["ingest", "tree", "x.db", "--chunk-size", "256"]);
    let again = place.done(&["ingest", "tree", "x.db"]);
    assert!(!again.stderr.contains("again"), "{again:?}");
    let stats = place.done(&["stats", "x.db", "--json"]).stdout;
    assert!(stats.contains("\"chunk_size\":256"), "{stats}");
}

#[test]
fn a_file_that_was_merely_found_runs_no_programs() {
    let place = Place::new();
    place.write("pensieve.toml", "[converters]\ntxt = \"touch ran {input}\"\n");
    let words = ["ingest", "tree", "x.db"];
    place.fails(&words, 3, "./pensieve.toml:2: a configuration that was merely found may not run programs");
    place.fails(&words, 3, "--config ./pensieve.toml");
    place.fails(&["check-dependencies"], 3, "may not run programs");
    assert!(!place.path("ran").exists() && !place.path("x.db").exists());

    place.write("pensieve.toml", "[converters]\ntxt = \"cat {input}\"\n");
    place.fails(&words, 3, "may not run programs");
    place.done(&["ingest", "tree", "x.db", "--config", "./pensieve.toml"]);
    let folder = fs::canonicalize(place.path(".")).unwrap();
    place.write(
        "home/.config/pensieve/pensieve.toml",
        &format!("trusted = [{:?}]\n", folder.display().to_string()),
    );
    place.done(&words);
}
