//! Reads the versions of programs by launching them, under limits of their own.

use super::{Invocation, ProcessLimits, RunFailure, run};
use std::path::Path;
use std::time::Duration;

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
}
