//! Other people's truth: token counts, Unicode's own tests, git's verdicts. These need the corpora that may lie beside
//! a checkout, and are left out where they do not.

use crate::support::{Workshop, left_out};
use pensieve_readers::event::ReaderEvent;
use pensieve_readers::nested::read_bytes;
use pensieve_readers::settings::ReadSettings;
use pensieve_text::model::Segment;
use pensieve_text::text::normalize::{Normalizer, UnicodeForm};
use pensieve_text::text::tokens::Tokenizer;
use std::collections::{BTreeSet, HashMap};
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

/// Words as they are compared.
fn words_of(text: &str) -> Vec<String> {
    let all = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    all.map(str::to_lowercase).collect()
}

/// The share of the words of `wanted` that are in `found`, and the share of those that stand in its order: the longest
/// sequence that both have (Myers 1986, whose cost grows with the difference).
fn recall_and_order(found: &[String], wanted: &[String]) -> (f64, f64) {
    let mut left: HashMap<&str, usize> = HashMap::new();
    found.iter().for_each(|word| *left.entry(word).or_default() += 1);
    let mut take = |word: &&String| {
        left.get_mut(word.as_str()).filter(|count| **count > 0).map(|count| *count -= 1).is_some()
    };
    let matched = wanted.iter().filter(|word| take(word)).count();
    let most = found.len() + wanted.len();
    let mut reach = vec![0_usize; 2 * most + 3];
    let differences = (0..=most).find(|&edits| {
        (0..=edits).any(|step| {
            let at = most + 1 + 2 * step - edits;
            let down = step == 0 || (step < edits && reach[at - 1] < reach[at + 1]);
            let mut x = if down { reach[at + 1] } else { reach[at - 1] + 1 };
            let mut y = x + most + 1 - at;
            while x < found.len() && y < wanted.len() && found[x] == wanted[y] {
                (x, y) = (x + 1, y + 1);
            }
            reach[at] = x;
            x >= found.len() && y >= wanted.len()
        })
    });
    let common = (most - differences.unwrap_or(most)) / 2;
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    (share(matched, wanted.len()), share(common, matched))
}

/// The text of a book before any cleaning.
fn raw_text(path: &Path) -> String {
    let mut text = String::new();
    let bytes = fs::read(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy();
    read_bytes(&bytes, &name, &ReadSettings::default(), &mut |told| {
        match told {
            ReaderEvent::Text(segment) => text.push_str(&segment.text),
            ReaderEvent::Document(document) => text.push_str(&document.text.text),
            _ => {}
        }
        true
    });
    text
}

/// The lines of a contents section as level and label, and a check that each link leads to an anchor.
fn contents_of(markdown: &str) -> Vec<(usize, String)> {
    let anchors: BTreeSet<&str> =
        markdown.lines().filter_map(|line| line.strip_prefix("<a id=\"")?.strip_suffix("\"></a>")).collect();
    let lines = markdown.lines().skip(2).take_while(|line| *line != "---").filter(|line| !line.is_empty());
    let entry = |line: &str| {
        let words = line.trim_start();
        let (label, link) = words.strip_prefix("*   [").unwrap().rsplit_once("](#").unwrap();
        assert!(anchors.contains(link.strip_suffix(')').unwrap()), "{line}");
        ((line.len() - words.len()) / 4 + 1, label.replace("\\[", "[").replace("\\]", "]"))
    };
    lines.map(entry).collect()
}

#[test]
fn books_have_the_contents_and_the_words_of_their_truth() {
    let Some(folder) = corpus("epub") else { return };
    let mut books: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    books.retain(|path| path.extension().is_some_and(|extension| extension == "epub"));
    books.sort();
    assert_eq!(books.len(), 61);
    let workshop = Workshop::new();
    let convert = |out: &str, threads: &str| {
        let flags = ["convert", "--json", "--out", out, "--threads", threads].map(PathBuf::from);
        workshop.run(flags.iter().chain(&books)).stdout
    };
    let told = convert("one", "1");
    assert_eq!(told, convert("four", "4").replace("four/", "one/"));
    let mut wrong = Vec::new();
    let mut converted = 0;
    for (line, book) in told.lines().zip(&books) {
        let told: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = book.file_stem().unwrap().to_string_lossy().into_owned();
        let Some(output) = told["output"].as_str() else {
            assert!(told["message"].as_str().is_some_and(|said| !said.is_empty()), "{line}");
            continue;
        };
        converted += 1;
        let markdown = fs::read_to_string(workshop.path(output)).unwrap();
        let again = fs::read_to_string(workshop.path(output.replace("one/", "four/"))).unwrap();
        assert_eq!(markdown, again, "{name} depends on threads");
        assert!(!markdown.contains(".xhtml#") && !markdown.contains("![]("), "{name}");
        let contents = contents_of(&markdown);
        let Ok(truth) = fs::read_to_string(folder.join(format!("truth/{name}.json"))) else { continue };
        let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
        let entries = truth["toc"].as_array().cloned().unwrap_or_default();
        let label = |entry: &serde_json::Value| {
            entry["label"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let wanted: Vec<(usize, String)> = entries
            .iter()
            .map(|entry| (entry["level"].as_u64().unwrap_or(1) as usize, label(entry)))
            .collect();
        if !wanted.is_empty() && told["contents_from"] != "headings" && contents != wanted {
            wrong.push(format!("{name}: contents {contents:?}, not {wanted:?}"));
        }
        let Ok(text) = fs::read_to_string(folder.join(format!("truth/{name}.txt"))) else { continue };
        if text.trim().is_empty() {
            continue;
        }
        let (recall, order) = recall_and_order(&words_of(&raw_text(book)), &words_of(&text));
        if recall < 0.995 || order < 0.99 {
            wrong.push(format!("{name}: recall {recall:.4}, order {order:.4}"));
        }
    }
    assert!(wrong.is_empty(), "{converted} of {} converted:\n{}", books.len(), wrong.join("\n"));
}
