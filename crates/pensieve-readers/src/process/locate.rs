//! Finds programs and reads their versions.
//!
//! A lookup launches nothing. Reading a version launches the program, under limits of its own.

use super::{Invocation, ProcessLimits, RunFailure, run};
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file of a program by its name or path, if it exists and may be executed. Nothing is launched.
///
/// A name with a folder in it is a path; any other is looked up in the absolute folders of `PATH`. Relative folders
/// of `PATH` are skipped, because with them a program could come from a foreign tree.
pub fn locate(program: &str) -> Option<PathBuf> {
    if program.is_empty() {
        return None;
    }
    if program.contains('/') || (cfg!(windows) && program.contains('\\')) {
        return std::path::absolute(program).ok().and_then(|path| runnable(&path));
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).filter(|folder| folder.is_absolute()).find_map(|f| runnable(&f.join(program)))
}

fn runnable(path: &Path) -> Option<PathBuf> {
    let mut with_extension = path.as_os_str().to_owned();
    with_extension.push(env::consts::EXE_SUFFIX);
    [path.to_owned(), PathBuf::from(with_extension)].into_iter().find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    #[cfg(unix)]
    let may_run = rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
    #[cfg(not(unix))]
    let may_run = true;
    may_run && path.is_file()
}

/// The version that a program reports, such as `2.17.1.1`.
///
/// `--version` is tried first, then `-v`, on both outputs and with any exit status: pdftotext knows only the second
/// and answers on stderr, antiword answers both with an error message that contains its version.
///
/// Cost: launches the program once or twice; callers keep the result.
pub fn version_of(program: &Path) -> Option<String> {
    ["--version", "-v"].iter().find_map(|flag| {
        let invocation = Invocation::new(program, [flag]);
        match run(&invocation, &VERSION_LIMITS, &|| false) {
            Ok(output) => {
                version_in(&String::from_utf8_lossy(&output.stdout)).or_else(|| version_in(&output.stderr))
            }
            Err(RunFailure::ExitStatus { stderr, .. }) => version_in(&stderr),
            Err(_) => None,
        }
    })
}

/// The limits for reading a version: enough for a java that starts slowly on a busy machine.
const VERSION_LIMITS: ProcessLimits = ProcessLimits {
    wall: Duration::from_secs(10),
    cpu: Some(Duration::from_secs(10)),
    memory: 1 << 30,
    output: 1 << 20,
};

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

    #[test]
    fn absent_programs_are_not_found() {
        assert_eq!(locate("no-such-program-here"), None);
        assert_eq!(locate("/no/such/program"), None);
        assert_eq!(locate(""), None);
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_found_by_name_and_by_path_and_folders_are_not_programs() {
        let by_name = locate("sh").expect("every unix has sh");
        assert!(by_name.is_absolute());
        assert_eq!(locate("/bin/sh"), Some(PathBuf::from("/bin/sh")));
        assert_eq!(locate("/bin"), None);
        assert_eq!(locate("/etc/passwd"), None);
    }
}
