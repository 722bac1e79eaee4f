//! `pensieve clean`: turns arguments into settings and a selection of files; the work is done elsewhere.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::progress::{Progress, ProgressChoice};
use super::shared::report::{self, ReportTarget};
use super::shared::{settings, signal, terminal};
use crate::config::FlagValue;
use crate::ingest::{
    self as work, CleanCandidates, CleanRequest, CleanSummary, DocumentCounts, FileSelection, IngestSettings,
    RunFacts, VersionRequest,
};
use clap::Args;
use clap::builder::PossibleValuesParser;
use pensieve_store::scan::PathPatterns;
use pensieve_store::store::Store;
use pensieve_text::model::DocumentKind;
use pensieve_text::model::numbers::{count, counted, time};
use pensieve_text::text::clean::CleanVersion;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Clean the stored texts again, without reading any file.
///
/// The stored raw text is cleaned, cut and counted again. Texts of earlier versions stay beside the new one, and --rollback
/// makes one of them current again. With --path, --type, --kind, --limit or --offset a part of the files gets the new version
/// now and the rest with the next `clean` or `ingest`.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve clean corpus.db --path 'docs/**'")]
pub struct CleanArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// The recipe; without it, the one of the database or of the configuration.
    #[arg(long, value_name = "V", value_parser = PossibleValuesParser::new(CleanVersion::NAMES))]
    version: Option<String>,
    /// Make stored texts of this earlier version current again. Later runs keep it until `clean --version`.
    #[arg(long, value_name = "VERSION", conflicts_with_all = ["version", "raw_version", "force", "page_markers"])]
    rollback: Option<String>,
    /// Also clean files that already have this version.
    #[arg(long)]
    force: bool,
    /// Clean this version of raw text.
    #[arg(long, value_name = "V")]
    raw_version: Option<String>,
    #[command(flatten)]
    choice: FileFilterFlags,
    /// Keep page breaks, as lines `--- PAGE ---`.
    #[arg(long)]
    page_markers: bool,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Threads that clean; 0 is one for every core.
    #[arg(long, value_name = "N")]
    threads: Option<u64>,
    /// Write a report of the run to this file, as JSON; into a folder, one about documents and one about attachments.
    #[arg(long, value_name = "FILE|DIR")]
    report: Option<PathBuf>,
    /// How progress is shown on stderr.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    progress: ProgressChoice,
    /// Print the summary as one JSON object.
    #[arg(long)]
    json: bool,
    /// End with exit code 1 if any file could not be cleaned.
    #[arg(long)]
    strict: bool,
}

/// Flags that choose files.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Which files (each leaves out what it does not choose)")]
struct FileFilterFlags {
    /// Only below these paths: a pattern as in .gitignore, below the ingested folder; a leading ! excludes them.
    #[arg(long = "path", value_name = "GLOB", value_parser = pattern, alias = "only", conflicts_with = "rollback")]
    only: Vec<String>,
    /// Only files of this format or extension.
    #[arg(long = "type", value_name = "NAME", alias = "format", conflicts_with = "rollback")]
    format: Option<String>,
    /// Those of this kind.
    #[arg(long, value_parser = PossibleValuesParser::new(["document", "attachment", "mail"]), conflicts_with = "rollback")]
    kind: Option<String>,
    /// At most this many of the chosen files, in the order of their paths.
    #[arg(long, value_name = "N", conflicts_with = "rollback")]
    limit: Option<usize>,
    /// Skip this many of the chosen files.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "rollback")]
    offset: usize,
}

fn pattern(text: &str) -> Result<String, String> {
    match PathPatterns::new(&[text]).is_empty() {
        false => Ok(text.to_owned()),
        true => Err("give a pattern as in .gitignore, such as 'docs/**' or '*.pdf'".to_owned()),
    }
}

impl FileFilterFlags {
    fn selection(&self) -> FileSelection {
        FileSelection {
            only: PathPatterns::new(&self.only),
            format: self.format.as_ref().map(|name| name.trim_start_matches('.').to_lowercase()),
            kind: self.kind.as_deref().and_then(DocumentKind::from_name),
            offset: self.offset,
            limit: self.limit,
        }
    }
}

impl CleanArgs {
    /// The given flags, as values of the highest layer.
    fn flags(&self) -> Vec<FlagValue> {
        let given = [
            ("--threads", "thread_count", self.threads.map(|number| number.to_string())),
            ("--page-markers", "clean.page_markers", self.page_markers.then(|| "true".to_owned())),
        ];
        given
            .into_iter()
            .filter_map(|(name, key, value)| Some(FlagValue { name, key, value: value? }))
            .collect()
    }
}

/// Runs the command.
pub fn run(args: &CleanArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let config = context.config(args.config.as_deref(), args.flags())?;
    let order = match (&args.rollback, &args.version) {
        (Some(version), _) => Some(VersionRequest::Pin(version.clone())),
        (None, Some(version)) => Some(VersionRequest::Use(version.clone())),
        (None, None) => None,
    };
    let settings = IngestSettings { order, ..settings::work(&config, Path::new(""), &args.database) };
    let request = CleanRequest {
        selection: args.choice.selection(),
        force: args.force,
        raw_version: args.raw_version.clone(),
    };
    let target = args.report.as_deref().map(|given| target(given, &args.database)).transpose()?;
    let interrupt = signal::watch()?;
    let progress = Progress::new(args.progress, context.level, &interrupt);
    let cleaned = progress.during(|observer| work::clean(&settings, &request, observer))?;
    if let Some(target) = &target {
        let facts = RunFacts {
            command: "clean",
            run_id: cleaned.run_id,
            root: None,
            counts: report::counts(&cleaned)?,
            attachments: report::counts(&cleaned.attachments)?,
            slowest: &cleaned.slowest,
        };
        target.write(&args.database, facts)?;
    }
    match args.json {
        true => context.print_json(&cleaned)?,
        false if context.level >= super::LogLevel::Warn => context.print(&words(&cleaned))?,
        false => {}
    }
    if cleaned.files == 0 && !cleaned.interrupted {
        context.say(&format!("note: {}", nothing_chosen(&args.choice, &cleaned.among)));
    }
    if cleaned.interrupted && args.progress != ProgressChoice::Json {
        context.say("interrupted: what is done is kept; the same command goes on from there");
    }
    Ok(match cleaned {
        CleanSummary { interrupted: true, .. } => CommandOutcome::Interrupted,
        CleanSummary { done: DocumentCounts { errors: 1.., .. }, .. } if args.strict => {
            CommandOutcome::Problems
        }
        _ => CommandOutcome::Done,
    })
}

/// Where the report is written: not among the sources, even if they no longer exist.
fn target(given: &Path, database: &Path) -> Result<ReportTarget, Failure> {
    let roots = Store::open_for_reading(database)?.roots().all()?;
    let sources: Vec<PathBuf> = roots.into_iter().map(|root| root.location).collect();
    ReportTarget::new(given, database, &sources)
}

/// Explains why a run had nothing to do.
fn nothing_chosen(choice: &FileFilterFlags, among: &CleanCandidates) -> String {
    if among.files == 0 {
        return "no file of this database has text".to_owned();
    }
    let flag = |name: &str, value: String| format!("{name} {}", terminal::line(&value));
    let flags = (choice.only.iter().map(|only| flag("--path", only.clone())))
        .chain(choice.format.iter().map(|format| flag("--type", format.clone())))
        .chain(choice.kind.iter().map(|kind| flag("--kind", kind.clone())))
        .chain(choice.limit.map(|limit| flag("--limit", limit.to_string())))
        .chain((choice.offset > 0).then(|| flag("--offset", choice.offset.to_string())));
    let flags: Vec<String> = flags.collect();
    let files = counted(among.files, "file");
    let mut text = format!("of {files} with text none is chosen by {}", flags.join(" "));
    if choice.format.is_some() {
        let formats: Vec<&str> = among.formats.iter().map(String::as_str).collect();
        text.push_str(&format!("; the formats here are {}", formats.join(", ")));
    }
    text
}

/// The summary of the run, as a table.
fn words(cleaned: &CleanSummary) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String, remark: &str| {
        text.push_str(format!("{name:<14}{value:>14}   {remark}").trim_end());
        text.push('\n');
    };
    line("version", cleaned.version.clone(), "");
    line("files", count(cleaned.files), "chosen");
    line("cleaned", count(cleaned.done.cleaned), "from raw text");
    line("recalled", count(cleaned.done.recalled), "from stored clean text");
    line("rechunked", count(cleaned.done.rechunked), "");
    line("skipped", count(cleaned.skipped), "as they should be already");
    line("chunks", count(cleaned.done.chunks), &format!("{} new", count(cleaned.done.unique_chunks)));
    line("needs review", count(cleaned.needs_review), "");
    line("errors", count(cleaned.done.errors), "");
    line("wall time", time(Duration::try_from_secs_f64(cleaned.seconds).unwrap_or_default()), "");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_of_nothing_is_told() {
        let among = |files| CleanCandidates { files, formats: ["pdf".to_owned(), "text".to_owned()].into() };
        let check = |choice: &FileFilterFlags, files, expected: &str| {
            assert_eq!(nothing_chosen(choice, &among(files)), expected);
        };
        let only = FileFilterFlags {
            only: vec!["a/**".to_owned(), "*.\u{1b}".to_owned()],
            ..FileFilterFlags::default()
        };
        check(&only, 1, "of 1 file with text none is chosen by --path a/** --path *.\\u{1b}");
        let format =
            FileFilterFlags { format: Some("pdff".to_owned()), offset: 3, ..FileFilterFlags::default() };
        let expected = "of 1,200 files with text none is chosen by --type pdff --offset 3; the formats here are pdf, text";
        check(&format, 1200, expected);
        check(&FileFilterFlags::default(), 0, "no file of this database has text");
    }

    #[test]
    fn what_was_done_is_told_in_a_table() {
        let cleaned = CleanSummary { version: "clean_v0".to_owned(), files: 1200, ..CleanSummary::default() };
        let text = words(&cleaned);
        assert!(
            text.starts_with("version             clean_v0\nfiles                  1,200   chosen\n"),
            "{text}"
        );
    }
}
