//! Command templates: a line of configuration such as `pandoc -f docx -t gfm {input}`, split once into a program and
//! its arguments.
//!
//! The line is never given to a shell. Words are split at white space; single and double quotes keep a word together,
//! and a backslash escapes the white space, quote or backslash that follows it (before anything else it stands for
//! itself, so that `C:\tools\x.exe` needs no escapes). `{input}` stands for the file wherever it occurs in an
//! argument, quoted or not, and the file's name stays within that one argument whatever characters it has.

use std::ffi::OsString;
use std::path::Path;
use thiserror::Error;

const INPUT: &str = "{input}";

/// A valid template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandTemplate {
    text: String,
    program: String,
    arguments: Vec<String>,
}

/// Why a template is not valid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandTemplateError {
    /// It has no words.
    #[error("the template is empty; write a program and `{{input}}`, such as `antiword {{input}}`")]
    Empty,
    /// A quote is opened and never closed.
    #[error("the quote {quote} at character {at} is never closed")]
    UnclosedQuote {
        /// Which quote.
        quote: char,
        /// Its position in characters, from 1.
        at: usize,
    },
    /// `{input}` is missing.
    #[error("the template lacks `{{input}}`, the place of the file")]
    NoInput,
    /// The file itself would be executed.
    #[error("`{{input}}` is where the program belongs")]
    InputAsProgram,
    /// A placeholder that does not exist.
    #[error("`{{{name}}}` is unknown; the only placeholder is `{{input}}`")]
    UnknownPlaceholder {
        /// The word between the braces.
        name: String,
    },
}

impl CommandTemplate {
    /// Parses a template.
    ///
    /// # Errors
    /// Everything that would make each use of the template fail, so that it is reported before any file is read.
    pub fn parse(text: &str) -> Result<CommandTemplate, CommandTemplateError> {
        let mut words = split(text)?.into_iter();
        let program = words.next().filter(|word| !word.is_empty()).ok_or(CommandTemplateError::Empty)?;
        let arguments: Vec<String> = words.collect();
        for word in std::iter::once(&program).chain(&arguments) {
            if let Some(name) = placeholders(word).find(|&name| name != "input") {
                return Err(CommandTemplateError::UnknownPlaceholder { name: name.to_owned() });
            }
        }
        if program.contains(INPUT) {
            return Err(CommandTemplateError::InputAsProgram);
        }
        if !arguments.iter().any(|word| word.contains(INPUT)) {
            return Err(CommandTemplateError::NoInput);
        }
        Ok(CommandTemplate { text: text.trim().to_owned(), program, arguments })
    }

    /// The template as it was written; results that it produces depend on it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The program as it was written: a name to look up, or a path.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The program's name without folders and `.exe`, as rules about known programs use it.
    pub fn program_name(&self) -> &str {
        let name = self.program.rsplit(['/', '\\']).next().unwrap_or(&self.program);
        name.strip_suffix(".exe").unwrap_or(name)
    }

    /// The arguments as written, with `{input}` in place.
    pub fn raw_arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The arguments for one file.
    pub fn arguments(&self, input: &Path) -> Vec<OsString> {
        self.arguments.iter().map(|word| filled(word, input)).collect()
    }
}

fn filled(word: &str, input: &Path) -> OsString {
    let mut argument = OsString::new();
    let mut parts = word.split(INPUT);
    argument.push(parts.next().unwrap_or_default());
    for part in parts {
        argument.push(input);
        argument.push(part);
    }
    argument
}

/// The words between braces that look like placeholders; `{}`, `{a,b}` and JSON do not.
fn placeholders(word: &str) -> impl Iterator<Item = &str> {
    word.split('{').skip(1).filter_map(|rest| {
        let name = &rest[..rest.find('}')?];
        let wordlike = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
        wordlike.then_some(name)
    })
}

/// Splits a line into words as a shell does, without anything else that a shell does.
fn split(text: &str) -> Result<Vec<String>, CommandTemplateError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<(char, usize)> = None;
    let mut characters = text.chars().enumerate().peekable();
    while let Some((at, c)) = characters.next() {
        let single = matches!(quote, Some(('\'', _)));
        let escaped =
            (c == '\\' && !single).then(|| characters.next_if(|&(_, next)| is_special(next))).flatten();
        match (escaped, quote) {
            (Some((_, next)), _) => word.get_or_insert_default().push(next),
            (None, Some((open, _))) if c == open => quote = None,
            (None, None) if c == '\'' || c == '"' => {
                quote = Some((c, at + 1));
                word.get_or_insert_default();
            }
            (None, None) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    match quote {
        Some((quote, at)) => Err(CommandTemplateError::UnclosedQuote { quote, at }),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

fn is_special(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\'' | '"' | '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(template: &str, expected: &[&str]) {
        let template = CommandTemplate::parse(template).unwrap();
        let mut words = vec![OsString::from(template.program())];
        words.extend(template.arguments(Path::new("/tmp/a b.pdf")));
        assert_eq!(words, expected, "{}", template.as_str());
    }

    fn check_error(template: &str, expected: CommandTemplateError) {
        assert_eq!(CommandTemplate::parse(template), Err(expected), "{template}");
    }

    #[test]
    fn words_are_split_and_the_file_stays_one_argument() {
        check("pdftotext -enc UTF-8 {input} -", &["pdftotext", "-enc", "UTF-8", "/tmp/a b.pdf", "-"]);
        check("  x   --in={input}\t--again='{input}' ", &["x", "--in=/tmp/a b.pdf", "--again=/tmp/a b.pdf"]);
        check(
            r#""my tool" 'a "b"' "c 'd'" '' {input}"#,
            &["my tool", "a \"b\"", "c 'd'", "", "/tmp/a b.pdf"],
        );
        check(r#"x a\ b \" "\"q\"" '\' {input}"#, &["x", "a b", "\"", "\"q\"", "\\", "/tmp/a b.pdf"]);
        check(r"C:\tools\x.exe {input}", &[r"C:\tools\x.exe", "/tmp/a b.pdf"]);
        check(
            "x $HOME `id` ; | * {} {a,b} {input}",
            &["x", "$HOME", "`id`", ";", "|", "*", "{}", "{a,b}", "/tmp/a b.pdf"],
        );
        check("x pre'mid {input} mid'post", &["x", "premid /tmp/a b.pdf midpost"]);
    }

    #[test]
    fn invalid_templates_are_reported() {
        check_error("", CommandTemplateError::Empty);
        check_error(" \t\n", CommandTemplateError::Empty);
        check_error("'' {input}", CommandTemplateError::Empty);
        check_error("x 'a {input}", CommandTemplateError::UnclosedQuote { quote: '\'', at: 3 });
        check_error("x {input} \"", CommandTemplateError::UnclosedQuote { quote: '"', at: 11 });
        check_error("pandoc -t gfm", CommandTemplateError::NoInput);
        check_error("{input} -x", CommandTemplateError::InputAsProgram);
        check_error(
            "x {input} {output}",
            CommandTemplateError::UnknownPlaceholder { name: "output".to_owned() },
        );
        check_error("x {Input}", CommandTemplateError::UnknownPlaceholder { name: "Input".to_owned() });
    }

    #[test]
    fn messages_name_the_cure() {
        let message = CommandTemplate::parse("x {file}").unwrap_err().to_string();
        assert_eq!(message, "`{file}` is unknown; the only placeholder is `{input}`");
    }

    #[test]
    fn the_name_of_a_program_is_known_without_its_folders() {
        assert_eq!(CommandTemplate::parse("/opt/x/pandoc {input}").unwrap().program_name(), "pandoc");
        assert_eq!(CommandTemplate::parse(r"C:\x\pandoc.exe {input}").unwrap().program_name(), "pandoc");
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_utf_8_passes_unchanged() {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"/tmp/\xff\n'\".x");
        let template = CommandTemplate::parse("x -i{input}-").unwrap();
        assert_eq!(template.arguments(Path::new(name))[0].as_bytes(), b"-i/tmp/\xff\n'\".x-");
    }
}
