//! Other people's truth: token counts, Unicode's own tests, git's verdicts. These need the corpora that may lie beside
//! a checkout, and are left out where they do not.

use crate::support::{Workshop, left_out};
use pensieve::model::Segment;
use pensieve::text::normalize::{Normalizer, UnicodeForm};
use pensieve::text::tokens::Tokenizer;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder of the corpora.
pub fn corpus(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora").join(name);
    if !path.exists() {
        left_out(&format!("{name}: there are no corpora beside this checkout"));
        return None;
    }
    Some(path)
}

#[test]
fn tokens_are_counted_as_the_vectors_say() {
    let Some(path) = corpus("tokens/vectors.jsonl") else { return };
    let mut checked = 0;
    for line in fs::read_to_string(path).unwrap().lines() {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = vector["text"].as_str().unwrap();
        for name in Tokenizer::NAMES {
            let Some(expected) = vector[*name]["count"].as_u64() else { continue };
            let count = Tokenizer::named(name).unwrap().counter().count(text);
            assert_eq!(count as u64, expected, "{name}: {text:?}");
            checked += 1;
        }
    }
    assert!(checked > 2000, "{checked}");
}

/// A text normalised in one piece.
fn normalized(form: UnicodeForm, text: &str) -> String {
    let mut normalizer = Normalizer::new(form);
    let mut all = normalizer.push(Segment { text: text.to_owned(), ..Segment::default() });
    all.append(normalizer.finish());
    all.text
}

/// The same text, handed over character by character.
fn normalized_in_parts(form: UnicodeForm, text: &str) -> String {
    let mut normalizer = Normalizer::new(form);
    let mut all = String::new();
    for character in text.chars() {
        all.push_str(&normalizer.push(Segment { text: character.to_string(), ..Segment::default() }).text);
    }
    all.push_str(&normalizer.finish().text);
    all
}

#[test]
fn unicode_is_normalised_as_its_own_test_says() {
    let Some(path) = corpus("unicode/NormalizationTest.txt") else { return };
    let mut checked = 0;
    for line in fs::read_to_string(path).unwrap().lines() {
        let line = line.split('#').next().unwrap().trim();
        let columns: Vec<String> = line.split(';').take(5).map(from_hex).collect();
        let [source, nfc, nfd, nfkc, nfkd] = &columns[..] else { continue };
        for text in [source, nfc, nfd, nfkc, nfkd] {
            assert_eq!(&normalized(UnicodeForm::Nfkc, text), nfkc, "{line}");
            assert_eq!(&normalized_in_parts(UnicodeForm::Nfkc, text), nfkc, "{line}");
        }
        for text in [source, nfc, nfd] {
            assert_eq!(&normalized(UnicodeForm::Nfc, text), nfc, "{line}");
        }
        checked += 1;
    }
    assert!(checked > 18_000, "{checked}");
}

/// Code points in hex, separated by spaces.
fn from_hex(column: &str) -> String {
    let point = |word| u32::from_str_radix(word, 16).ok().and_then(char::from_u32);
    column.split_whitespace().filter_map(point).collect()
}

/// Writes the tree of one case, with an empty repository where git looks for its rules.
fn materialise(case: &serde_json::Value, root: &Path) {
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(".git/HEAD", "ref: refs/heads/main\n");
    fs::create_dir_all(root.join(".git/objects")).unwrap();
    fs::create_dir_all(root.join(".git/refs")).unwrap();
    if let Some(rules) = case["info_exclude"].as_str().filter(|rules| !rules.is_empty()) {
        write(".git/info/exclude", rules);
    }
    for folder in case["dirs"].as_array().into_iter().flatten() {
        fs::create_dir_all(root.join(folder.as_str().unwrap())).unwrap();
    }
    for name in case["empty_files"].as_array().into_iter().flatten() {
        write(name.as_str().unwrap(), "");
    }
    for (name, text) in case["files"].as_object().unwrap() {
        write(name, text.as_str().unwrap());
    }
}

#[test]
fn files_are_ignored_as_git_ignores_them() {
    let Some(path) = corpus("gitignore/cases.json") else { return };
    let cases: Vec<serde_json::Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let workshop = Workshop::new();
    for case in &cases {
        materialise(case, &workshop.tree().join(case["name"].as_str().unwrap()));
    }
    workshop.ingest(&["--chunk-size", "2000"]);
    let seen: BTreeSet<String> =
        workshop.rows("SELECT relative_path FROM files WHERE file_type = 'file'").into_iter().collect();
    let mut wrong = Vec::new();
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let paths = |key: &str| {
            let all = case[key].as_array().into_iter().flatten();
            all.map(|path| format!("{name}/{}", path.as_str().unwrap())).collect::<Vec<_>>()
        };
        let visited: Vec<String> = paths("ignored").into_iter().filter(|path| seen.contains(path)).collect();
        let missed: Vec<String> = paths("kept").into_iter().filter(|path| !seen.contains(path)).collect();
        if !visited.is_empty() || !missed.is_empty() {
            wrong.push(format!("{name}: visited {visited:?}, missed {missed:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert!(!seen.iter().any(|path| path.contains("/.git/")));
}
