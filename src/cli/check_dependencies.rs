//! `pensieve check-dependencies`: which external programs are installed, and which formats need none.

mod ocr_report;
mod system_report;

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::terminal;
use crate::config::{BrokenConverter, Config};
use clap::Args;
use ocr_report::OcrReport;
use pensieve_isolate::process::{CommandTemplate, SandboxLevel, locate, sandbox_level, version_of};
use pensieve_text::format::{self, Format, ReaderKind};
use pensieve_text::model::numbers::{count, counted};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use system_report::SystemReport;

/// Show installed converters, the formats they enable, and the limits of a run.
///
/// Each program is started once, to ask for its version. If a converter cannot work, the exit code is 3.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve check-dependencies")]
pub struct CheckDependenciesArgs {
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &CheckDependenciesArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let config = context.config(args.config.as_deref(), Vec::new())?;
    let report = DependencyReport::of(&config);
    match args.json {
        true => context.print_json(&report)?,
        false => context.print(&report.to_string())?,
    }
    context.check_converters(&config)?;
    Ok(CommandOutcome::Done)
}

/// Everything that the command reports.
#[derive(Debug, Serialize)]
struct DependencyReport {
    converters: Vec<ConverterProgram>,
    ocr: OcrReport,
    faults: Vec<BrokenProgram>,
    built_in: Vec<BuiltInFormat>,
    sandbox: SandboxReport,
    #[serde(flatten)]
    system: SystemReport,
}

/// A program and the formats it converts.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct ConverterProgram {
    program: String,
    found: bool,
    path: Option<String>,
    version: Option<String>,
    extensions: Vec<String>,
    commands: BTreeMap<String, String>,
}

/// A converter that cannot work.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct BrokenProgram {
    extension: String,
    place: String,
    message: String,
}

/// A format that needs no program.
#[derive(Debug, Serialize)]
struct BuiltInFormat {
    format: &'static str,
    label: &'static str,
    mime: &'static str,
    extensions: Vec<&'static str>,
    /// False for plain text, code and data.
    #[serde(skip)]
    is_document: bool,
}

/// How far programs are confined.
#[derive(Debug, Serialize)]
struct SandboxReport {
    read_only: bool,
    no_network: bool,
    no_signals: bool,
    sealed_workers: bool,
}

impl DependencyReport {
    fn of(config: &Config) -> DependencyReport {
        let faults = config.broken_converters();
        let SandboxLevel { read_only, no_network, no_signals, sealed_workers } = sandbox_level();
        DependencyReport {
            converters: programs(config, &faults),
            ocr: OcrReport::of(config),
            faults: faults.iter().map(broken).collect(),
            built_in: format::FORMATS.iter().filter_map(|row| built_in(row, config)).collect(),
            sandbox: SandboxReport { read_only, no_network, no_signals, sealed_workers },
            system: SystemReport::of(config),
        }
    }
}

fn broken(fault: &BrokenConverter) -> BrokenProgram {
    BrokenProgram {
        extension: fault.extension.clone(),
        place: fault.at.to_string(),
        message: fault.fault.to_string(),
    }
}

/// The programs of all valid converters, each looked up and asked for its version once.
fn programs(config: &Config, faults: &[BrokenConverter]) -> Vec<ConverterProgram> {
    let mut commands: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (extension, converter) in &config.converters {
        let is_broken = faults.iter().any(|fault| fault.extension == *extension);
        let Some(template) = CommandTemplate::parse(&converter.command).ok().filter(|_| !is_broken) else {
            continue;
        };
        commands
            .entry(template.program().to_owned())
            .or_default()
            .insert(extension.clone(), converter.command.clone());
    }
    commands.into_iter().map(|(program, commands)| look_up(program, commands)).collect()
}

fn look_up(program: String, commands: BTreeMap<String, String>) -> ConverterProgram {
    let path = locate(&program);
    ConverterProgram {
        found: path.is_some(),
        version: path.as_deref().and_then(version_of),
        path: path.map(|path| terminal::bytes(path.as_os_str().as_encoded_bytes())),
        extensions: commands.keys().cloned().collect(),
        commands,
        program,
    }
}

/// A format that is read without a program: all its extensions that the user has not assigned to one.
fn built_in(row: &Format, config: &Config) -> Option<BuiltInFormat> {
    let is_switched_off = row.is_image && !config.scan.svg || row.is_archive && !config.scan.archives;
    if !matches!(row.reader, ReaderKind::Text | ReaderKind::Document) || is_switched_off {
        return None;
    }
    let given_away = |extension: &&str| config.converters.contains_key(*extension);
    let extensions: Vec<&str> =
        row.extensions.iter().copied().filter(|extension| !given_away(extension)).collect();
    if extensions.is_empty() && !row.extensions.is_empty() {
        return None;
    }
    let is_document = row.reader == ReaderKind::Document;
    Some(BuiltInFormat { format: row.name, label: row.label, mime: row.mime, extensions, is_document })
}

impl fmt::Display for DependencyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for program in &self.converters {
            writeln!(f, "{program}")?;
        }
        write!(f, "{}", self.ocr)?;
        for BrokenProgram { extension, place, message } in &self.faults {
            writeln!(
                f,
                "[✗] converters.{} cannot work: {} ({})",
                clean(extension),
                clean(message),
                clean(place)
            )?;
        }
        write!(f, "{}\n{}", self.sandbox, self.system)?;
        writeln!(f, "\nRead without any program (--json has every extension):")?;
        let (documents, texts): (Vec<_>, Vec<_>) = self.built_in.iter().partition(|row| row.is_document);
        let extensions: u64 = texts.iter().map(|row| row.extensions.len() as u64).sum();
        let mut named: Vec<String> = documents.iter().map(|row| row.label.to_owned()).collect();
        named.push(format!(
            "{} of text, code and data by {} extensions, and any other file that is text",
            counted(texts.len() as u64, "kind"),
            count(extensions)
        ));
        f.write_str(&wrapped(&named, 110))
    }
}

fn clean(text: &str) -> String {
    terminal::line(text).into_owned()
}

impl fmt::Display for ConverterProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = clean(&self.program);
        let extensions = self.extensions.join(", ");
        match (&self.path, &self.version) {
            (Some(path), Some(version)) => {
                write!(f, "[✓] {program} {version} found ({path}): {extensions} enabled")
            }
            (Some(path), None) => write!(f, "[✓] {program} found ({path}): {extensions} enabled"),
            (None, _) => {
                let keys: Vec<String> = self.extensions.iter().map(|e| format!("converters.{e}")).collect();
                write!(
                    f,
                    "[✗] {program} not found: {extensions} files will be Skipped_Dependency; install {program} or set {}",
                    keys.join(", ")
                )
            }
        }
    }
}

impl fmt::Display for SandboxReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |is_whole: bool| if is_whole { '✓' } else { '!' };
        let lines = [
            ("converters reach no files but programs and their own (Landlock)", self.read_only),
            ("converters reach no network, terminal or device (seccomp)", self.no_network),
            ("converters reach no other process (Landlock 6)", self.no_signals),
            ("readers open no file and start nothing (seccomp)", self.sealed_workers),
        ];
        for (claim, holds) in lines {
            let missing = if holds { "" } else { ": this system lacks it, see docs/sandbox.md" };
            writeln!(f, "[{}] {claim}{missing}", mark(holds))?;
        }
        Ok(())
    }
}

/// The items, separated by commas, wrapped at spaces to this many columns.
fn wrapped(items: &[String], columns: usize) -> String {
    const INDENT: &str = "   ";
    let mut out = String::new();
    let mut line = INDENT.to_owned();
    for word in items.join(", ").split(' ') {
        if line.len() + 1 + word.len() > columns && line != INDENT {
            out.push_str(&line);
            out.push('\n');
            line = INDENT.to_owned();
        }
        line.push(' ');
        line.push_str(word);
    }
    out + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{ConfigSources, load};

    fn program(path: Option<&str>, version: Option<&str>) -> ConverterProgram {
        ConverterProgram {
            program: "pandoc".to_owned(),
            found: path.is_some(),
            path: path.map(str::to_owned),
            version: version.map(str::to_owned),
            extensions: vec!["docx".to_owned(), "odt".to_owned()],
            commands: BTreeMap::new(),
        }
    }

    #[test]
    fn programs_are_told_with_what_they_enable() {
        let check = |path, version, expected: &str| assert_eq!(program(path, version).to_string(), expected);
        check(
            Some("/usr/bin/pandoc"),
            Some("2.17"),
            "[✓] pandoc 2.17 found (/usr/bin/pandoc): docx, odt enabled",
        );
        check(Some("/usr/bin/pandoc"), None, "[✓] pandoc found (/usr/bin/pandoc): docx, odt enabled");
        check(
            None,
            None,
            concat!(
                "[✗] pandoc not found: docx, odt files will be Skipped_Dependency; ",
                "install pandoc or set converters.docx, converters.odt"
            ),
        );
    }

    #[test]
    fn one_program_is_one_entry_and_broken_templates_are_listed() {
        let environment = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let sources = ConfigSources {
            environment: vec![
                environment("PENSIEVE_CONVERTERS_PDF", "no-such-program"),
                environment("PENSIEVE_CONVERTERS_DOC", "no-such-program {input}"),
                environment("PENSIEVE_CONVERTERS_HTML", "no-such-program -x {input}"),
                environment("PENSIEVE_CONVERTERS_QQQ", "cat"),
            ],
            ..ConfigSources::default()
        };
        let config = load(&sources).unwrap();
        let faults = config.broken_converters();
        let programs = programs(&config, &faults);
        let names: Vec<&str> = programs.iter().map(|program| program.program.as_str()).collect();
        assert_eq!(names, ["no-such-program"]);
        assert_eq!((programs[0].extensions.join(" ").as_str(), programs[0].found), ("doc html", false));
        let report = DependencyReport {
            converters: programs,
            faults: faults.iter().map(broken).collect(),
            ..DependencyReport::of(&config)
        };
        let text = report.to_string();
        assert!(text.contains("[✗] converters.pdf cannot work: the template lacks `{input}`"), "{text}");
        assert!(
            text.contains("[✗] converters.qqq cannot work: the template")
                && text.contains("(PENSIEVE_CONVERTERS_QQQ)"),
            "{text}"
        );
        assert!(text.lines().count() <= 25, "{text}");
        let html = report.built_in.iter().find(|row| row.format == "html").unwrap();
        assert_eq!((html.extensions[0], html.extensions.contains(&"html")), ("htm", false));
    }

    #[test]
    fn long_lists_are_wrapped() {
        let items: Vec<String> = ["aaaa", "bbbb", "cccc"].map(str::to_owned).into();
        assert_eq!(wrapped(&items, 16), "    aaaa, bbbb,\n    cccc\n");
        assert_eq!(wrapped(&items, 1), "    aaaa,\n    bbbb,\n    cccc\n");
    }
}
