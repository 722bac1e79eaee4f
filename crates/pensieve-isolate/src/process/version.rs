//! Reads the versions of programs by launching them, under limits of their own.

use super::run::{RunFailure, run};
use crate::platform::{Invocation, ProcessLimits};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, UNIX_EPOCH};

/// Time that a program has to give its version: enough for a java, and short enough to wait for.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(2);

/// What a program answers when it is asked for its version.
#[derive(Debug, Clone, PartialEq, Eq)]
enum VersionAnswer {
    Version(String),
    /// It ended without naming one.
    Unknown,
    /// It did not end in time.
    Late,
}

/// The version that a program reports, such as `2.17.1.1`.
///
/// `--version` is tried first, then `-v`, on both outputs and with any exit status: pdftotext knows only the second
/// and answers on stderr, antiword answers both with an error message that contains its version.
///
/// Cost: launches the program once or twice, for 2 seconds together; callers keep the result.
pub fn version_of(program: &Path) -> Option<String> {
    match ask(program) {
        VersionAnswer::Version(version) => Some(version),
        VersionAnswer::Unknown | VersionAnswer::Late => None,
    }
}

fn ask(program: &Path) -> VersionAnswer {
    let end = Instant::now() + MAX_ANSWER_TIME;
    for flag in ["--version", "-v"] {
        let wall = end.saturating_duration_since(Instant::now());
        let limits = ProcessLimits { wall, cpu: Some(MAX_ANSWER_TIME), memory: 1 << 30, output: 1 << 20 };
        let found = match run(&Invocation::new(program, [flag]), &limits, &|| false) {
            Ok(output) => {
                version_in(&String::from_utf8_lossy(&output.stdout)).or_else(|| version_in(&output.stderr))
            }
            Err(RunFailure::ExitStatus { stderr, .. }) => version_in(&stderr),
            Err(RunFailure::Timeout { .. }) => return VersionAnswer::Late,
            Err(_) => None,
        };
        if let Some(version) = found {
            return VersionAnswer::Version(version);
        }
    }
    VersionAnswer::Unknown
}

/// The last answers of programs, by path, size and modification time of their files.
///
/// A program is asked in every run, because a script may start another version than yesterday. Only one that did not
/// end in time is not asked again as long as its file is the same, and one that is late today has its last version.
#[derive(Debug, Default)]
pub struct VersionMemory(Mutex<BTreeMap<String, Option<String>>>);

impl VersionMemory {
    /// The version of a program.
    pub fn version_of(&self, program: &Path) -> Option<String> {
        let Some(key) = key_of(program) else { return version_of(program) };
        let known = self.answers().get(&key).cloned();
        if known == Some(None) {
            return None;
        }
        match ask(program) {
            VersionAnswer::Late => {
                let last = known.flatten();
                self.answers().insert(key, last.clone());
                last
            }
            VersionAnswer::Unknown => {
                self.answers().remove(&key);
                None
            }
            VersionAnswer::Version(version) => {
                self.answers().insert(key, Some(version.clone()));
                Some(version)
            }
        }
    }

    /// All answers; `None` stands for a program that did not end in time.
    pub fn answers(&self) -> MutexGuard<'_, BTreeMap<String, Option<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What identifies the file of a program; `None` if nobody can tell whether it changes.
fn key_of(program: &Path) -> Option<String> {
    let found = fs::metadata(program).ok()?;
    let changed = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{} {} {}", program.to_str()?, found.len(), changed.as_nanos()))
}

/// The first word that looks like a version: digits with at least one dot among them.
fn version_in(text: &str) -> Option<String> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ';' | '"' | '\''))
        .map(|word| word.strip_prefix('v').unwrap_or(word))
        .find(|word| is_version(word))
        .map(|word| word.trim_end_matches(['.', ':']).to_owned())
}

fn is_version(word: &str) -> bool {
    let numbers: Vec<&str> = word.split('.').collect();
    let digits = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    let plain =
        word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '~' | '_' | ':'));
    plain && word.len() <= 40 && numbers.len() >= 2 && digits(numbers[0]) && digits(numbers[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, expected: Option<&str>) {
        assert_eq!(version_in(output).as_deref(), expected, "{output}");
    }

    #[test]
    fn versions_are_found_in_the_output_of_programs() {
        check("pandoc 2.17.1.1\nCompiled with pandoc-types 1.22.2.1", Some("2.17.1.1"));
        check("pdftotext version 22.12.0\nCopyright 2005-2022", Some("22.12.0"));
        check("\tAuthor: (C) 1998-2005 Adri\n\tVersion: 0.37  (21 Oct 2005)", Some("0.37"));
        check("openjdk 17.0.15 2025-04-15", Some("17.0.15"));
        check("v20.20.2", Some("20.20.2"));
        check("GNU bash, version 5.2.15(1)-release", Some("5.2.15"));
        check("I/O Error: Couldn't open file '--version': No such file.", None);
        check("see https://example.org/1.0/x or a.txt", None);
        check("", None);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_is_late_is_asked_once_and_a_changed_one_again() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("tool");
        let write = |body: &str| {
            fs::write(&program, format!("#!/bin/sh\n{body}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        };
        let memory = VersionMemory::default();
        let check = |expected: Option<&str>, from_ms: u64, to_ms: u64| {
            let started = Instant::now();
            assert_eq!(memory.version_of(&program).as_deref(), expected);
            let took = started.elapsed().as_millis() as u64;
            assert!((from_ms..to_ms).contains(&took), "{took} ms");
        };
        write("sleep 30");
        check(None, 1900, 8000);
        check(None, 0, 1500);
        write("echo tool 2.5");
        check(Some("2.5"), 0, 1900);
        // Late, where it answered before: the same file has the same version.
        let key = key_of(&program).unwrap();
        write("sleep 30");
        memory.answers().retain(|known, _| *known == key);
        memory.answers().insert(key_of(&program).unwrap(), Some("2.5".to_owned()));
        check(Some("2.5"), 1900, 8000);
    }
}
