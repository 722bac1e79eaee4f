//! Converts a file to text with a program that the user configured.
//!
//! The program never sees the file itself. It gets a copy under a neutral, absolute name in a private folder that
//! exists as long as the conversion: a file named `--lua-filter=x.lua` is not taken for an option, and the program
//! cannot change the source. A symbolic link does not work, because tools resolve it and see the name again, nor does
//! a hard link, because it changes the source's ctime.

use crate::platform::remove_folder;
use crate::process::{CommandTemplate, Invocation, ProcessLimits, ProcessOutput, RunFailure, run};
use pensieve_readers::hocr;
use pensieve_readers::settings::RecognizedPage;
use pensieve_text::format::by_extension;
use pensieve_text::model::{
    Document, Locator, LocatorMap, Problem, ProblemKind, ProcessingStatus, Segment, Span, TextKind,
};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Seek};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// One way to convert files.
#[derive(Debug, Clone, Copy)]
pub struct Conversion<'a> {
    /// The command.
    pub template: &'a CommandTemplate,
    /// Where its program was found.
    pub program: &'a Path,
    /// The extension of the files: converters choose their reader by it.
    pub extension: &'a str,
    /// What one conversion may use.
    pub limits: ProcessLimits,
    /// The program recognises letters in images.
    pub is_ocr: bool,
}

/// The result of a conversion.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversionResult {
    /// The text, with pages if the converter reports them, but without offsets into the source.
    pub document: Document,
    /// The first and last 4 KiB of its standard error.
    pub log: String,
}

/// Why a conversion failed.
#[derive(Debug, Error)]
pub enum ConversionFailure {
    /// The file could not be copied to where the converter reads it.
    #[error("cannot copy the file for `{program}`: {source}")]
    Staging {
        /// The converter.
        program: String,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// The converter failed.
    #[error("`{program}` {failure}")]
    Run {
        /// The converter.
        program: String,
        /// How it failed.
        #[source]
        failure: RunFailure,
    },
    /// The converter ended well without a byte of text.
    #[error("`{program}` wrote nothing{}", said(.stderr))]
    Silent {
        /// The converter.
        program: String,
        /// The first and last 4 KiB of its standard error.
        stderr: String,
    },
}

/// What a program said, behind a sentence about it.
fn said(stderr: &str) -> String {
    let words = stderr.trim();
    if words.is_empty() { String::new() } else { format!(": {words}") }
}

impl ConversionFailure {
    /// True if the user asked to stop and nothing is wrong with the file.
    pub fn is_interruption(&self) -> bool {
        matches!(self, ConversionFailure::Run { failure: RunFailure::Interrupted, .. })
    }

    /// The status of the file.
    pub fn status(&self) -> ProcessingStatus {
        match self.kind() {
            ProblemKind::MissingDependency => ProcessingStatus::SkippedDependency,
            _ => ProcessingStatus::Error,
        }
    }

    /// The failure as a row of `errors`.
    pub fn problem(&self) -> Problem {
        let ConversionFailure::Run { failure, .. } = self else {
            return Problem::new(self.kind(), self.to_string());
        };
        let message = match failure {
            RunFailure::NotFound { program } => not_installed(&program.to_string_lossy()).message,
            RunFailure::Timeout { .. } => format!("{self}; raise `converter_limits.timeout_seconds`"),
            RunFailure::MemoryLimit { .. } => format!("{self}; raise `converter_limits.memory`"),
            RunFailure::OutputLimit { .. } => format!("{self}; raise `converter_limits.output`"),
            RunFailure::Forbidden => format!("{self}; see docs/sandbox.md"),
            _ => self.to_string(),
        };
        Problem::new(self.kind(), message)
    }

    fn kind(&self) -> ProblemKind {
        let failure = match self {
            ConversionFailure::Staging { .. } => return ProblemKind::Io,
            ConversionFailure::Silent { .. } => return ProblemKind::ExtractionFailed,
            ConversionFailure::Run { failure, .. } => failure,
        };
        match failure {
            RunFailure::NotFound { .. } => ProblemKind::MissingDependency,
            RunFailure::ExitStatus { stderr, .. } if wants_password(stderr) => ProblemKind::Encrypted,
            RunFailure::ExitStatus { .. } => ProblemKind::ExtractionFailed,
            RunFailure::Signal { .. } => ProblemKind::Crashed,
            RunFailure::Forbidden => ProblemKind::Forbidden,
            RunFailure::ProcessLimit { .. } => ProblemKind::ProcessLimit,
            RunFailure::Timeout { .. } => ProblemKind::Timeout,
            RunFailure::MemoryLimit { .. } => ProblemKind::MemoryLimit,
            RunFailure::OutputLimit { .. } => ProblemKind::OutputLimit,
            RunFailure::Spawn { .. } | RunFailure::Interrupted => ProblemKind::Io,
        }
    }
}

/// The problem of a file whose converter is not there: a path, or a name that is looked up.
pub fn not_installed(program: &str) -> Problem {
    let message = match program.contains(['/', '\\']) {
        true => {
            format!("`{program}` does not exist or may not be run; install it there or change `[converters]`")
        }
        false => {
            format!("`{program}` is in no folder of PATH; install it or write its path in `[converters]`")
        }
    };
    Problem::new(ProblemKind::MissingDependency, message)
}

/// True for the message of pdftotext about an encrypted PDF.
fn wants_password(stderr: &str) -> bool {
    stderr.to_lowercase().contains("incorrect password")
}

/// Converts a file from its start, even if a part of it was read before.
///
/// # Errors
/// See [`ConversionFailure`]; the private folder is removed either way.
///
/// # Cost
/// Copies the file, sharing its blocks where the file system can do that; keeps the converter's output in memory.
pub fn convert(
    source: &File,
    conversion: &Conversion<'_>,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<ConversionResult, ConversionFailure> {
    let output = run_on_copy(source, conversion, interrupted)?;
    // Even an empty document is a line or a form feed for most programs; a picture may have no letter.
    if output.stdout.is_empty() && !conversion.is_ocr && source.metadata().is_ok_and(|meta| meta.len() > 0) {
        let program = conversion.template.program_name().to_owned();
        return Err(ConversionFailure::Silent { program, stderr: output.stderr });
    }
    Ok(ConversionResult { document: document(output.stdout, conversion), log: output.stderr })
}

/// What a program writes on standard output.
///
/// # Errors
/// See [`ConversionFailure`].
pub(crate) fn output_of(
    source: &File,
    conversion: &Conversion<'_>,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<u8>, ConversionFailure> {
    run_on_copy(source, conversion, interrupted).map(|output| output.stdout)
}

fn run_on_copy(
    source: &File,
    conversion: &Conversion<'_>,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<ProcessOutput, ConversionFailure> {
    let program = || conversion.template.program_name().to_owned();
    let (folder, input) = stage(source, conversion.extension)
        .map_err(|source| ConversionFailure::Staging { program: program(), source })?;
    let arguments: Vec<OsString> = conversion.template.arguments(&input).into_iter().map(from_here).collect();
    let invocation = Invocation::new(conversion.program, arguments).within(&folder.0);
    let output = run(&invocation, &conversion.limits, interrupted).map_err(|failure| {
        ConversionFailure::Run { program: program(), failure: without_path(failure, &input) }
    })?;
    let stderr = hide(&output.stderr, &input);
    Ok(ProcessOutput { stdout: without_folder(output.stdout, &input), stderr })
}

/// Makes a relative path with a leading dot (`./filter.lua`) absolute, because programs start in their private folder.
/// Other words, which may or may not be paths, stay as they are.
fn from_here(argument: OsString) -> OsString {
    let bytes = argument.as_encoded_bytes();
    let is_beside = bytes.starts_with(b"./") || bytes.starts_with(b"../");
    let absolute = is_beside.then(|| std::path::absolute(&argument).ok()).flatten();
    absolute.map_or(argument, PathBuf::into_os_string)
}

/// A folder that only this user may enter, and that goes with everything that a program left in it.
struct PrivateFolder(PathBuf);

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        let _ = remove_folder(&self.0);
    }
}

/// Copies the file to `input.EXT` in a new folder.
fn stage(mut source: &File, extension: &str) -> io::Result<(PrivateFolder, PathBuf)> {
    let folder = tempfile::Builder::new().prefix("pensieve-").tempdir()?;
    // Removing it is left to us: what a hostile program left may be too deep or closed for others.
    let folder = PrivateFolder(std::path::absolute(folder.keep())?);
    let path = folder.0.join(neutral_name(extension));
    source.rewind()?;
    io::copy(&mut source, &mut File::create_new(&path)?)?;
    Ok((folder, path))
}

fn neutral_name(extension: &str) -> String {
    let plain = !extension.is_empty()
        && extension.len() <= 16
        && extension.chars().all(|c| c.is_ascii_alphanumeric());
    if plain { format!("input.{}", extension.to_ascii_lowercase()) } else { "input".to_owned() }
}

/// Replaces the path of the copy, which differs in every run, because messages are stored.
fn hide(message: &str, input: &Path) -> String {
    message.replace(&*input.to_string_lossy(), "{input}")
}

/// Replaces the path of the copy and of its folder in what the program writes, for the same reason.
fn without_folder(stdout: Vec<u8>, input: &Path) -> Vec<u8> {
    let folder = input.parent().unwrap_or(input);
    [(input, "{input}"), (folder, "{folder}")].into_iter().fold(stdout, |text, (path, name)| {
        let path = path.as_os_str().as_encoded_bytes();
        let finder = memchr::memmem::Finder::new(path);
        if finder.find(&text).is_none() {
            return text;
        }
        let (mut replaced, mut end) = (Vec::with_capacity(text.len()), 0);
        for at in finder.find_iter(&text) {
            replaced.extend_from_slice(&text[end..at]);
            replaced.extend_from_slice(name.as_bytes());
            end = at + path.len();
        }
        replaced.extend_from_slice(&text[end..]);
        replaced
    })
}

fn without_path(failure: RunFailure, input: &Path) -> RunFailure {
    match failure {
        RunFailure::ExitStatus { code, stderr } => {
            RunFailure::ExitStatus { code, stderr: hide(&stderr, input) }
        }
        RunFailure::Signal { signal, stderr } => RunFailure::Signal { signal, stderr: hide(&stderr, input) },
        other => other,
    }
}

fn document(stdout: Vec<u8>, conversion: &Conversion<'_>) -> Document {
    let (text, problems) = decoded(stdout, conversion.template.program_name());
    if let Some(pages) = hocr::pages(&text) {
        let text = recognized_text(&pages);
        return Document { text, kind: Some(TextKind::Prose), problems, ..Document::default() };
    }
    let places = match reports_pages(conversion) || conversion.is_ocr {
        true => pages(&text, conversion.is_ocr),
        false => LocatorMap::default(),
    };
    Document {
        text: Segment { text, places, ..Segment::default() },
        kind: Some(output_kind(conversion.template)),
        problems,
        ..Document::default()
    }
}

fn decoded(stdout: Vec<u8>, program: &str) -> (String, Vec<Problem>) {
    let broken = match String::from_utf8(stdout) {
        Ok(text) => return (text, Vec::new()),
        Err(error) => error.into_bytes(),
    };
    let text = String::from_utf8_lossy(&broken).into_owned();
    let message = format!("`{program}` wrote bytes that are not UTF-8; they are replaced");
    (text, vec![Problem::new(ProblemKind::Undecodable, message)])
}

/// pdftotext ends every page with a form feed. From other programs (antiword) a form feed is a break by the author, not
/// the end of a page.
fn reports_pages(conversion: &Conversion<'_>) -> bool {
    by_extension(conversion.extension).is_some_and(|format| format.is_paged)
        || conversion.template.program_name() == "pdftotext"
}

/// The paragraphs of recognised pages with their boxes in pixels; a form feed separates pages.
fn recognized_text(pages: &[RecognizedPage]) -> Segment {
    let mut segment = Segment::default();
    for page in pages {
        if page.page > 1 {
            segment.text.push('\u{c}');
        }
        for (at, lines) in page.lines.chunk_by(|a, b| a.paragraph == b.paragraph).enumerate() {
            segment.text.push_str(if at > 0 { "\n\n" } else { "" });
            for (at, line) in lines.iter().enumerate() {
                segment.text.push_str(if at > 0 { "\n" } else { "" });
                let start = segment.text.len();
                segment.text.push_str(&line.text);
                let bbox = Some(Box::new(line.bbox));
                let place = Locator::Pages { first: page.page, last: page.page, bbox, ocr: true };
                segment.places.push(Span::new(start, segment.text.len()), place);
            }
        }
    }
    segment
}

/// The pages of a text in which every page ends with a form feed; empty without a form feed, but one page if the text was
/// recognised.
fn pages(text: &str, ocr: bool) -> LocatorMap {
    let mut places = Vec::new();
    if ocr || text.contains('\u{c}') {
        let mut start = 0;
        for (page, part) in (1..).zip(text.split_inclusive('\u{c}')) {
            let span = Span::new(start, start + part.len());
            start = span.end;
            places.push((span, Locator::Pages { first: page, last: page, bbox: None, ocr }));
        }
    }
    LocatorMap(places)
}

/// Programs that write Markdown whatever their arguments.
const WRITE_MARKDOWN: &[&str] = &["docling", "html2markdown", "marker", "markitdown"];

/// The kind of a converter's output.
pub fn output_kind(template: &CommandTemplate) -> TextKind {
    let program = template.program_name();
    if program == "pandoc" {
        let plain = pandoc_target(template.raw_arguments()).is_some_and(|format| format.starts_with("plain"));
        return if plain { TextKind::Prose } else { TextKind::Markup };
    }
    if WRITE_MARKDOWN.contains(&program) { TextKind::Markup } else { TextKind::Prose }
}

/// The output format in the arguments of pandoc: `-t gfm`, `-tgfm`, `--to gfm`, `--to=gfm`, or by its other name
/// `write`.
fn pandoc_target(arguments: &[String]) -> Option<&str> {
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if matches!(word, "-t" | "-w" | "--to" | "--write") {
            return words.next();
        }
        let short = word.strip_prefix("-t").or_else(|| word.strip_prefix("-w"));
        let joined = word.strip_prefix("--to=").or_else(|| word.strip_prefix("--write="));
        if let Some(format) = joined.or(short) {
            return Some(format);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversion<'a>(template: &'a CommandTemplate, extension: &'a str) -> Conversion<'a> {
        let wall = std::time::Duration::from_secs(20);
        let limits = ProcessLimits { wall, cpu: None, memory: 512 << 20, output: 1 << 20 };
        Conversion { template, program: Path::new("/bin/sh"), extension, limits, is_ocr: false }
    }

    fn check_kind(template: &str, expected: TextKind) {
        assert_eq!(output_kind(&CommandTemplate::parse(template).unwrap()), expected, "{template}");
    }

    #[test]
    fn the_kind_follows_from_the_tool_and_its_target() {
        check_kind("pandoc -f docx -t gfm {input}", TextKind::Markup);
        check_kind("pandoc {input} --to=plain", TextKind::Prose);
        check_kind("pandoc -tplain {input}", TextKind::Prose);
        check_kind("/opt/bin/pandoc --write markdown {input}", TextKind::Markup);
        check_kind("pandoc -wplain {input}", TextKind::Prose);
        check_kind("pandoc -w plain {input}", TextKind::Prose);
        check_kind("pandoc --to plain --wrap=none {input}", TextKind::Prose);
        check_kind("pandoc --write=plain+smart {input}", TextKind::Prose);
        check_kind("pandoc --wrap=none {input}", TextKind::Markup);
        check_kind("markitdown {input}", TextKind::Markup);
        check_kind("pdftotext {input} -", TextKind::Prose);
    }

    fn check_pages(text: &str, expected: &[(usize, usize)]) {
        let spans: Vec<_> = pages(text, false).0.iter().map(|(span, _)| (span.start, span.end)).collect();
        assert_eq!(spans, expected, "{text:?}");
    }

    #[test]
    fn form_feeds_end_pages() {
        check_pages("one\n\u{c}two\n\u{c}", &[(0, 5), (5, 10)]);
        check_pages("one\u{c}\u{c}three", &[(0, 4), (4, 5), (5, 10)]);
        check_pages("no pages", &[]);
        let template = CommandTemplate::parse("pdftotext {input} -").unwrap();
        let document = document(b"a\x0cb\x0c".to_vec(), &conversion(&template, "pdf"));
        let place = document.text.locate(Span::new(2, 3)).map(|place| place.to_json());
        assert_eq!(place.as_deref(), Some("{\"page\":2}"));
        assert!(document.text.map.is_empty());
    }

    #[test]
    fn the_staged_name_contains_nothing_of_the_file_name() {
        assert_eq!(neutral_name("PDF"), "input.pdf");
        assert_eq!(neutral_name(""), "input");
        assert_eq!(neutral_name("../x"), "input");
        assert_eq!(neutral_name("a b"), "input");
        assert_eq!(neutral_name("abcdefghijklmno7"), "input.abcdefghijklmno7");
        assert_eq!(neutral_name("abcdefghijklmno78"), "input");
    }

    #[test]
    fn only_paths_with_a_leading_dot_become_absolute() {
        for word in ["docx", "a/b.lua", "--filter=./x", "/x/../y", "."] {
            assert_eq!(from_here(word.into()), word);
        }
        assert_eq!(from_here("./x y.lua".into()), std::env::current_dir().unwrap().join("x y.lua"));
        assert!(Path::new(&from_here("../x.lua".into())).is_absolute());
    }

    #[cfg(unix)]
    fn converted(script: &str, bytes: &[u8]) -> Result<ConversionResult, ConversionFailure> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("--lua-filter=x.lua");
        std::fs::write(&path, bytes).unwrap();
        let template = CommandTemplate::parse(&format!("/bin/sh -c '{script}' sh {{input}}")).unwrap();
        let result = convert(&File::open(&path).unwrap(), &conversion(&template, "xyz"), &|| false);
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        result
    }

    #[cfg(unix)]
    #[test]
    fn the_converter_reads_a_copy_that_is_gone_afterwards() {
        let script = "echo $1 is in ${1%/*}; basename ${1%/*}; cat $1; echo note: $1 >&2; echo bad >> $1";
        let done = converted(script, b"text\xff\n").unwrap();
        let text = &done.document.text.text;
        let [path, folder, rest] = text.splitn(3, '\n').collect::<Vec<_>>()[..] else { panic!("{text}") };
        assert_eq!(path, "{input} is in {folder}");
        assert!(folder.starts_with("pensieve-") && !std::env::temp_dir().join(folder).exists(), "{folder}");
        assert_eq!((rest, done.log.as_str()), ("text\u{fffd}\n", "note: {input}\n"));
        assert_eq!(done.document.problems[0].kind, ProblemKind::Undecodable);
    }

    #[cfg(unix)]
    fn check_failure(script: &str, kind: ProblemKind, message: &str) {
        let failure = converted(script, b"").unwrap_err();
        assert_eq!(failure.problem(), Problem::new(kind, message), "{script}");
        assert_eq!(failure.status(), ProcessingStatus::Error);
    }

    #[cfg(unix)]
    #[test]
    fn failures_become_problems() {
        assert_eq!(converted("true", b"").unwrap().document.text.text, "");
        let silent = converted("echo no licence >&2", b"x").unwrap_err().problem();
        let message = "`sh` wrote nothing: no licence";
        assert_eq!(silent, Problem::new(ProblemKind::ExtractionFailed, message));
        let message = "`sh` ended with status 3: bad {input}";
        check_failure("echo bad $1 >&2; exit 3", ProblemKind::ExtractionFailed, message);
        check_failure("kill -ABRT $$", ProblemKind::Crashed, "`sh` died of signal 6");
        let message = "`sh` wrote more than 1048576 bytes; raise `converter_limits.output`";
        check_failure("yes", ProblemKind::OutputLimit, message);
        let message = "`sh` ended with status 1: Incorrect password";
        check_failure("echo Incorrect password >&2; exit 1", ProblemKind::Encrypted, message);
    }

    #[test]
    fn a_missing_tool_is_a_missing_dependency() {
        let template = CommandTemplate::parse("nosuch {input}").unwrap();
        let conversion = Conversion { program: Path::new("/no/such"), ..conversion(&template, "doc") };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.doc");
        std::fs::write(&path, b"x").unwrap();
        let failure = convert(&File::open(&path).unwrap(), &conversion, &|| false).unwrap_err();
        if cfg!(unix) {
            assert_eq!(failure.status(), ProcessingStatus::SkippedDependency);
            assert_eq!(failure.problem(), not_installed("/no/such"));
            let message =
                "`/no/such` does not exist or may not be run; install it there or change `[converters]`";
            assert_eq!(failure.problem().message, message);
            let message = "`nosuch` is in no folder of PATH; install it or write its path in `[converters]`";
            assert_eq!(not_installed("nosuch").message, message);
        }
    }

    #[test]
    fn each_failure_has_its_kind_and_its_advice() {
        let check = |failure: RunFailure, kind: ProblemKind, message: &str| {
            let failure = ConversionFailure::Run { program: "x".to_owned(), failure };
            assert_eq!(failure.problem(), Problem::new(kind, message));
            assert!(!failure.is_interruption());
        };
        let limit = std::time::Duration::from_secs(3);
        let message = "`x` took longer than 3 s; raise `converter_limits.timeout_seconds`";
        check(RunFailure::Timeout { limit }, ProblemKind::Timeout, message);
        let message = "`x` wanted more than 9 bytes of memory; raise `converter_limits.memory`";
        check(RunFailure::MemoryLimit { bytes: 9 }, ProblemKind::MemoryLimit, message);
        let spawn = RunFailure::Spawn { program: "/x".into(), source: io::Error::other("full") };
        check(spawn, ProblemKind::Io, "`x` cannot be started from `/x`: full");
        let stderr = "INCORRECT Password".to_owned();
        let message = "`x` ended with status 1: INCORRECT Password";
        check(RunFailure::ExitStatus { code: 1, stderr }, ProblemKind::Encrypted, message);
        let hidden =
            without_path(RunFailure::Signal { signal: 6, stderr: "in /t/i".into() }, Path::new("/t/i"));
        check(hidden, ProblemKind::Crashed, "`x` died of signal 6: in {input}");

        let stopped = ConversionFailure::Run { program: "x".to_owned(), failure: RunFailure::Interrupted };
        assert!(stopped.is_interruption());
        let staging =
            ConversionFailure::Staging { program: "x".to_owned(), source: io::Error::other("full") };
        assert_eq!(staging.problem(), Problem::new(ProblemKind::Io, "cannot copy the file for `x`: full"));
        assert_eq!((staging.status(), staging.is_interruption()), (ProcessingStatus::Error, false));
    }

    #[test]
    fn a_document_has_its_kind_and_the_pages_of_its_format() {
        let check = |template: &str, extension: &str, kind: TextKind, pages: usize| {
            let template = CommandTemplate::parse(template).unwrap();
            let document = document(b"a\x0cb\xff".to_vec(), &conversion(&template, extension));
            assert_eq!((document.kind, document.text.places.0.len()), (Some(kind), pages), "{template:?}");
            assert_eq!((document.text.text.as_str(), document.problems.len()), ("a\u{c}b\u{fffd}", 1));
        };
        check("pdftotext {input} -", "xyz", TextKind::Prose, 2);
        check("markitdown {input}", "pdf", TextKind::Markup, 2);
        check("antiword {input}", "doc", TextKind::Prose, 0);
    }
}
