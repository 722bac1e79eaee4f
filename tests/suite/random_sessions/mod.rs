//! Random sessions: random trees, books and collections, read with random settings, changed, read again, and asked at
//! random. `tests/random_sessions/*.list` has a line for every command: its exit code, how many lines it printed, and a
//! digest of them; `rows` stands for the tables of the database, `files` for the files that a command wrote.
//!
//! A list shows that something changed, and where; what is right, the other tests of the suite show.
//! `UPDATE_GOLDEN=1 cargo test --test suite random_sessions` writes the lists anew: read which lines differ before you keep
//! them. With `SESSION_OUTPUT=FOLDER` what was printed is written there, a file for each list, to compare two programs.

mod books;
mod collections;
mod corpus;
mod layouts;
mod service;
mod shards;
mod vectors;

use crate::support::{Dice, Workshop, left_out, ran};
use crate::variable::Variable;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A workshop in which every command leaves a line.
struct Session {
    place: Workshop,
    variable: Variable,
    list: String,
    /// All that was printed.
    output: String,
}

impl Session {
    fn new(name: &str) -> Session {
        let list = format!("# {name}\n");
        Session {
            place: Workshop::of_constant_path_tokens(),
            variable: Variable::new(),
            output: list.clone(),
            list,
        }
    }

    /// Adds a line about what was printed.
    fn note(&mut self, what: &str, printed: &str) {
        let printed = self.variable.replaced(&self.place, printed);
        let what = self.variable.replaced(&self.place, what);
        let digest: String =
            Sha256::digest(printed.as_bytes()).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(self.list, "{what}: {} lines {digest}", printed.lines().count());
        let _ = writeln!(self.output, "## {what}\n{printed}");
    }

    /// Runs the program; what it printed.
    fn run<W: AsRef<OsStr>>(&mut self, words: &[W]) -> String {
        let command = self.place.command(words);
        let named: Vec<_> =
            words.iter().map(|word| word.as_ref().to_string_lossy().replace('\n', "\\n")).collect();
        self.finish(&named.join(" "), command)
    }

    /// Runs the program with something to read.
    fn run_with<W: AsRef<OsStr>>(&mut self, words: &[W], input: &str) -> String {
        fs::write(self.place.path("input"), input).unwrap();
        let mut command = self.place.command(words);
        command.stdin(Stdio::from(fs::File::open(self.place.path("input")).unwrap()));
        let named: Vec<_> = words.iter().map(|word| word.as_ref().to_string_lossy().into_owned()).collect();
        self.finish(&named.join(" "), command)
    }

    fn finish(&mut self, named: &str, mut command: Command) -> String {
        let ran = ran(&mut command);
        let code = ran.code.map_or("a signal".to_owned(), |code| code.to_string());
        self.note(&format!("{named}: exit {code}"), &format!("{}{}", ran.stdout, ran.stderr));
        ran.stdout
    }

    /// Notes the files of a folder.
    fn files(&mut self, folder: &str) {
        let mut found = Vec::new();
        let mut folders = vec![self.place.path(folder)];
        while let Some(next) = folders.pop() {
            for path in fs::read_dir(next).into_iter().flatten().map(|entry| entry.unwrap().path()) {
                match path.is_dir() {
                    true => folders.push(path),
                    false => found.push(path),
                }
            }
        }
        found.sort();
        let text = |path: &PathBuf| {
            let content = fs::read(path).unwrap();
            format!("{}\n{}\n", path.display(), String::from_utf8_lossy(&content))
        };
        let all: String = found.iter().map(text).collect();
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
    let (mut list, mut output) = (String::new(), String::new());
    for number in sessions.clone() {
        let mut session = Session::new(&format!("{kind} {number}"));
        play(&mut session, &mut Dice::new(number));
        list.push_str(&session.list);
        output.push_str(&session.output);
    }
    let name = format!("{kind}_{}", sessions.start);
    if let Some(folder) = std::env::var_os("SESSION_OUTPUT") {
        let mut file = fs::File::create(Path::new(&folder).join(&name)).unwrap();
        file.write_all(output.as_bytes()).unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/random_sessions/{name}.list"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &list).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let differs = expected.lines().chain([""]).zip(list.lines().chain([""])).find(|(a, b)| a != b);
    if let Some((expected, found)) = differs {
        let printed =
            output.split("\n## ").find(|step| step.starts_with(found.split(": exit").next().unwrap()));
        let printed: String = printed.unwrap_or_default().chars().take(4000).collect();
        panic!("{}:\nexpected: {expected}\nfound:    {found}\n{printed}", path.display());
    }
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
