//! Texts of Project Gutenberg as `ingest` and `collect` see them.

use crate::corpora::corpus;
use crate::support::Workshop;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Words with their counts, as the tool that scores the corpora counts them.
fn words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
        *counts.entry(word.to_lowercase()).or_default() += 1;
    }
    counts
}

/// Recall and precision of words.
fn score(found: &str, truth: &str) -> (f64, f64) {
    let (found, truth) = (words(found), words(truth));
    let sum = |words: &HashMap<String, usize>| words.values().sum::<usize>().max(1) as f64;
    let shared: usize =
        truth.iter().map(|(word, count)| (*count).min(found.get(word).copied().unwrap_or(0))).sum();
    (shared as f64 / sum(&truth), shared as f64 / sum(&found))
}

/// The lines of a text that are the book, as the truth says, in the decoded raw text.
fn content(raw: &str, truth: &serde_json::Value) -> String {
    let lines: Vec<&str> = raw.trim_start_matches('\u{feff}').split('\n').collect();
    let of = |at: usize| truth["content_lines"][at].as_u64().unwrap() as usize;
    lines[of(0) - 1..of(1).min(lines.len())].join("\n")
}

#[test]
fn of_each_text_nothing_but_the_book_is_left() {
    let Some(folder) = corpus("gutenberg") else { return };
    let workshop = Workshop::new();
    // The truth has words as the raw text has them: divided between lines.
    let settings = "[clean]\ngutenberg = true\nunicode = \"none\"\n[clean.rules]\nhyphens = false\n";
    fs::write(workshop.path("g.toml"), settings).unwrap();
    let mut checked = 0;
    for name in text_files(&folder) {
        fs::copy(folder.join(&name), workshop.tree().join(&name)).unwrap();
        let mut permissions = fs::metadata(workshop.tree().join(&name)).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o644);
        fs::set_permissions(workshop.tree().join(&name), permissions).unwrap();
    }
    workshop.ingest(&["--config", "g.toml"]);
    workshop.verify();
    for name in text_files(&folder) {
        let truth = folder.join("truth").join(Path::new(&name).with_extension("json"));
        let truth = serde_json::from_str(&fs::read_to_string(truth).unwrap()).unwrap();
        let text =
            |variant: &str| workshop.run(["text", "corpus.db", &name, "--variant", variant]).expect(0).stdout;
        let (recall, precision) = score(&text("clean"), &content(&text("raw"), &truth));
        assert!(recall >= 0.999 && precision >= 0.995, "{name}: recall {recall}, precision {precision}");
        checked += 1;
    }
    assert_eq!(checked, 11);
}

fn text_files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".txt")).collect();
    names.sort();
    names
}
