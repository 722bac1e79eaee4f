//! Random documents: `random_documents/*.grammar` say what documents of a format are made of, and this test writes some by
//! them. `random_documents/*.list` has a line for every ten documents: how many were read, their words, sections and places, and
//! their problems by kind.
//!
//! A grammar begins with the name of the document, or with a golden package and the part that is written anew, after `file`
//! if it is of text, or `hex` if it is of bytes as hexadecimal digits. After
//! `== name` each line is one choice of a rule: `«name»` stands for a choice of that rule, `«name*»` for up to four, `«words»`,
//! `«word»` and `«number»` for what they say, `↵` for the end of a line, `LENGTH` for the length of a stream. The first
//! choice of a rule comes to an end.
//!
//! A list shows what is read more or less than before, and where; what is right, the golden documents show. `UPDATE_GOLDEN=1` writes the
//! lists anew: read which documents differ before you keep them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod random;
mod record;

use pensieve_readers::nested::read_bytes;
use random::Random;
use record::{Record, compare, settings};
use std::collections::HashMap;
use std::fmt::Write;
use std::io::{Cursor, Read, Write as _};
use std::path::{Path, PathBuf};
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

/// Lines of a list, and documents of a line.
const LINES: usize = 60;
const DOCUMENTS: usize = 10;
/// From this depth on, rules come to an end.
const MAX_DEPTH: usize = 7;
const MAX_BYTES: usize = 24 << 10;

const WORDS: [&str; 24] = [
    "harbour", "a", "lamp", "the", "keeper", "of", "and", "Winter", "in", "tide", "is", "ship", "no", "fog",
    "bell", "Mole", "12", "rope", "été", "café", "x", "oil", "quay", "I",
];
const NUMBERS: [&str; 24] = [
    "1", "2", "0", "3", "4", "5", "9", "10", "12", "16", "26", "27", "31", "50", "99", "100", "127", "128",
    "255", "256", "700", "1000", "65536", "-1",
];

/// The rules of a kind of documents.
struct Grammar {
    /// The file that is made, and for a part of a package the package and the part.
    name: String,
    package: Option<(PathBuf, String)>,
    is_hexadecimal: bool,
    rules: HashMap<String, Vec<String>>,
}

impl Grammar {
    fn read(path: &Path) -> Grammar {
        let text = std::fs::read_to_string(path).unwrap();
        let (first, rules) = text.split_once('\n').unwrap();
        let mut fields = first.split(' ');
        let is_hexadecimal = fields.next() == Some("hex");
        let file = fields.next().unwrap();
        let package = fields.next().map(|part| {
            (Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file), part.to_owned())
        });
        let name = file.rsplit('/').next().unwrap().to_owned();
        let rules = rules.strip_prefix("== ").unwrap().trim_end_matches('\n').split("\n== ");
        let rules = rules.map(|rule| {
            let mut lines = rule.split('\n').map(str::to_owned);
            (lines.next().unwrap(), lines.collect::<Vec<_>>())
        });
        Grammar { name, package, is_hexadecimal, rules: rules.collect() }
    }

    fn document(&self, random: &mut Random) -> Vec<u8> {
        let mut text = String::new();
        self.write("document", 0, &mut text, random);
        let text = match self.is_hexadecimal {
            true => bytes_of(&text),
            false => with_lengths(&text.replace('↵', "\n")).into_bytes(),
        };
        match &self.package {
            Some((package, part)) => with_part(package, part, &text),
            None => text,
        }
    }

    fn write(&self, rule: &str, depth: usize, text: &mut String, random: &mut Random) {
        let many = match rule {
            _ if self.rules.contains_key(rule) => None,
            "number" => return text.push_str(random.one_of(&NUMBERS)),
            "word" => return text.push_str(random.one_of(&WORDS)),
            "words" => {
                let words: Vec<&str> = (0..1 + random.below(5)).map(|_| random.one_of(&WORDS)).collect();
                return text.push_str(&words.join(" "));
            }
            _ => rule.strip_suffix('*'),
        };
        let ends = depth > MAX_DEPTH || text.len() > MAX_BYTES;
        let times = if many.is_none() {
            1
        } else if ends {
            0
        } else {
            random.below(5)
        };
        let name = many.unwrap_or(rule);
        let choices = self.rules.get(name).unwrap_or_else(|| panic!("{}: no rule {name}", self.name));
        for _ in 0..times {
            let mut rest = choices[if ends { 0 } else { random.below(choices.len()) }].as_str();
            while let Some((before, after)) = rest.split_once('«') {
                let (rule, after) = after.split_once('»').unwrap();
                text.push_str(before);
                self.write(rule, depth + 1, text, random);
                rest = after;
            }
            text.push_str(rest);
        }
    }
}

/// The streams of a PDF file say how long they are.
fn with_lengths(text: &str) -> String {
    let mut parts = text.split("LENGTH >> stream\n");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |done, part| {
        let length = part.find("\nendstream").unwrap();
        format!("{done}{length} >> stream\n{part}")
    })
}

fn bytes_of(digits: &str) -> Vec<u8> {
    let digits: String = digits.chars().filter(char::is_ascii_hexdigit).collect();
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect()
}

/// The package with this part written anew.
fn with_part(package: &Path, part: &str, content: &[u8]) -> Vec<u8> {
    let mut archive = ZipArchive::new(Cursor::new(std::fs::read(package).unwrap())).unwrap();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let name = entry.name().unwrap().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        writer.start_file(&name, options).unwrap();
        writer.write_all(if name == part { content } else { &bytes }).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// One test per part of the grammars, since tests run side by side.
fn check(part: usize, parts: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/random_documents");
    let files = std::fs::read_dir(&folder).unwrap().flatten().map(|file| file.path());
    let mut grammars: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "grammar")).collect();
    grammars.sort();
    for path in grammars.into_iter().skip(part).step_by(parts) {
        let grammar = Grammar::read(&path);
        let mut random = Random::new(path.file_stem().unwrap().to_str().unwrap());
        let mut list = String::new();
        for line in 0..LINES {
            let mut record = Record::default();
            for document in 0..DOCUMENTS {
                let bytes = grammar.document(&mut random);
                let settings = settings(line + document);
                read_bytes(&bytes, &grammar.name, &settings, &mut |event| record.on_event(&event));
            }
            let _ = writeln!(list, "{line}: {}", record.line());
        }
        compare(&path.with_extension("list"), &list);
    }
}

#[test]
fn random_documents_are_read_as_before_part_0() {
    check(0, 4);
}

#[test]
fn random_documents_are_read_as_before_part_1() {
    check(1, 4);
}

#[test]
fn random_documents_are_read_as_before_part_2() {
    check(2, 4);
}

#[test]
fn random_documents_are_read_as_before_part_3() {
    check(3, 4);
}
