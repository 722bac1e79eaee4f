//! Random sessions: random trees, books and collections, read with random settings, changed, read again, and asked at
//! random. `tests/random_sessions/*.list` has a line for every command: its exit code, how many lines and words it
//! printed; `rows` stands for the tables of the database, `files` for the files that a command wrote.
//!
//! A list shows what is more or less than before, and where; what is right, the other tests of the suite show.
//! `UPDATE_GOLDEN=1 cargo test --test suite random_sessions` writes the lists anew: read which lines differ before you keep
//! them. With `SESSION_OUTPUT=FOLDER` what was printed is written there, a file for each list, to compare two programs.

mod books;
mod collections;
mod corpus;
mod layouts;
mod questions;
mod service;
mod shards;
mod vectors;

use crate::support::{Dice, Workshop, files_below, left_out, ran};
use crate::variable::Variable;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A workshop in which every command leaves a step.
struct Session {
    place: Workshop,
    variable: Variable,
    steps: Vec<Step>,
}

/// What a command printed.
struct Step {
    /// The line of the list.
    line: String,
    printed: String,
}

impl Session {
    fn new() -> Session {
        Session { place: Workshop::of_constant_path_tokens(), variable: Variable::new(), steps: Vec::new() }
    }

    /// Adds a step.
    fn note(&mut self, what: &str, printed: &str) {
        let [what, printed] = [what, printed].map(|text| self.variable.replaced(&self.place, text));
        let (lines, words) = (printed.lines().count(), printed.split_whitespace().count());
        let line = format!("{}: {lines} lines, {words} words", what.replace('\n', "\\n"));
        self.steps.push(Step { line, printed });
    }

    /// Runs the program; what it printed.
    fn run<W: AsRef<OsStr>>(&mut self, words: &[W]) -> String {
        self.run_with(words, "")
    }

    /// Runs the program with something to read.
    fn run_with<W: AsRef<OsStr>>(&mut self, words: &[W], input: &str) -> String {
        let mut command = self.place.command(words);
        if !input.is_empty() {
            fs::write(self.place.path("input"), input).unwrap();
            command.stdin(fs::File::open(self.place.path("input")).unwrap());
        }
        let ran = ran(&mut command);
        let named: Vec<_> = words.iter().map(|word| word.as_ref().to_string_lossy()).collect();
        let code = ran.code.map_or("a signal".to_owned(), |code| code.to_string());
        self.note(&format!("{}: exit {code}", named.join(" ")), &format!("{}{}", ran.stdout, ran.stderr));
        ran.stdout
    }

    /// Notes the files of a folder.
    fn files(&mut self, folder: &str) {
        let text = |path: &PathBuf| {
            let content = fs::read(path).unwrap();
            format!("{}\n{}\n", path.display(), String::from_utf8_lossy(&content))
        };
        let all: String = files_below(&self.place.path(folder)).iter().map(text).collect();
        self.note(&format!("files {folder}"), &all);
    }
}

/// Plays sessions, and fails at the first line that is not as in the list.
#[track_caller]
fn check(kind: &str, sessions: std::ops::Range<u64>, play: impl Fn(&mut Session, &mut Dice)) {
    if Path::new("/tmp").canonicalize().ok().as_deref() != Some(Path::new("/tmp")) {
        return left_out(
            "random sessions: packs count the tokens of paths, and /tmp is not a folder of that name here",
        );
    }
    let mut steps = Vec::new();
    for number in sessions.clone() {
        let mut session = Session::new();
        play(&mut session, &mut Dice::new(number));
        steps.push(Step { line: format!("# {kind} {number}"), printed: String::new() });
        steps.append(&mut session.steps);
    }
    let name = format!("{kind}_{}", sessions.start);
    if let Some(folder) = std::env::var_os("SESSION_OUTPUT") {
        let all: String = steps.iter().map(|step| format!("## {}\n{}\n", step.line, step.printed)).collect();
        fs::write(Path::new(&folder).join(&name), all).unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/random_sessions/{name}.list"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let list: String = steps.iter().map(|step| format!("{}\n", step.line)).collect();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, list).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let expected: Vec<&str> = expected.lines().collect();
    for (step, expected) in steps.iter().zip(expected.iter().map(Some).chain(std::iter::repeat(None))) {
        let printed: String = step.printed.chars().take(4000).collect();
        assert_eq!(Some(&step.line.as_str()), expected, "{}: it printed\n{printed}", path.display());
    }
    assert_eq!(steps.len(), expected.len(), "{}", path.display());
}

#[test]
fn trees_are_read_and_questions_answered_as_before_part_0() {
    check("corpus", 0..8, corpus::play);
}

#[test]
fn trees_are_read_and_questions_answered_as_before_part_1() {
    check("corpus", 8..16, corpus::play);
}

#[test]
fn services_answer_as_before() {
    check("service", 0..6, service::play);
}

#[test]
fn vectors_are_made_and_compared_as_before() {
    check("vectors", 0..6, vectors::play);
}

#[test]
fn shards_are_merged_as_before() {
    check("shards", 0..6, shards::play);
}

#[test]
fn pages_are_laid_out_as_before() {
    check("layouts", 0..4, layouts::play);
}

#[test]
fn collections_are_made_as_before_part_0() {
    check("collection", 0..60, collections::play);
}

#[test]
fn collections_are_made_as_before_part_1() {
    check("collection", 60..120, collections::play);
}

#[test]
fn books_are_converted_as_before() {
    check("books", 0..12, books::play);
}
