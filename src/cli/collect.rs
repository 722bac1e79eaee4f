//! `pensieve collect`: a manifest of works becomes passages. This file turns arguments into settings and the report
//! into text.

use super::shared::context::{CommandContext, CommandOutcome, LogLevel};
use super::shared::failure::Failure;
use super::shared::progress::{Progress, ProgressChoice};
use super::shared::{signal, terminal};
use clap::Args;
use pensieve_collect::{CollectReport, CollectSettings, ExtractionDate, WorkStatus, read_manifest};
use pensieve_text::model::numbers::counted;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// Make a collection of passages from works of Project Gutenberg.
///
/// The manifest says which works, keywords and rules. Texts are fetched once and kept; the same texts and manifest give
/// the same passages, byte for byte.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve collect collections/twain-franklin.toml --out data --source texts")]
pub struct CollectArgs {
    /// The manifest.
    #[arg(value_name = "MANIFEST")]
    manifest: PathBuf,
    /// The folder of the collection; it is created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Take the texts from this folder, by the numbers in their names, and fetch nothing.
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
    /// Write the passages to this database too; a database with other content is refused.
    #[arg(long, value_name = "DB")]
    db: Option<PathBuf>,
    /// The date of the passages, such as 2026-01-31, or a time; it overrides the date of the manifest.
    #[arg(long, value_name = "DATE", value_parser = moment)]
    date: Option<ExtractionDate>,
    /// Fetch from these servers instead of those of the manifest.
    #[arg(long, value_name = "URL")]
    mirror: Vec<String>,
    /// Ask the server whether texts that were fetched before have changed.
    #[arg(long, conflicts_with = "source")]
    refresh: bool,
    /// Report what would be done: fetch nothing, write nothing.
    #[arg(long)]
    dry_run: bool,
    /// How progress is shown on stderr.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    progress: ProgressChoice,
    /// Print the report as one JSON object.
    #[arg(long)]
    json: bool,
    /// Write the report to this file too, as JSON.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// End with exit code 1 if a work is missing or refused, or anything else should be checked.
    #[arg(long)]
    strict: bool,
}

fn moment(text: &str) -> Result<ExtractionDate, String> {
    ExtractionDate::parse(text)
        .ok_or_else(|| "give a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z".to_owned())
}

/// Runs the command.
pub fn run(args: &CollectArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let mut manifest = read_manifest(&args.manifest)?;
    if !args.mirror.is_empty() {
        manifest.sources.mirrors.clone_from(&args.mirror);
    }
    let written = manifest.collection.extraction_date.as_deref().map(moment);
    let written = written.transpose().map_err(|hint| Failure::Usage {
        message: format!("`{}`: `collection.extraction_date` is no date", args.manifest.display()),
        hint,
    })?;
    let now = || ExtractionDate::at(pensieve_store::store::now().0);
    let settings = CollectSettings {
        moment: args.date.clone().or(written).unwrap_or_else(now),
        manifest,
        out: args.out.clone(),
        source: args.source.clone(),
        database: args.db.clone(),
        dry_run: args.dry_run,
        refresh: args.refresh,
    };
    let interrupt = signal::watch()?;
    signal::end_after(&interrupt);
    let progress = Progress::new(args.progress, context.level, &interrupt);
    let report = progress.during(|observer| pensieve_collect::collect(&settings, observer))?;
    print_report(&report, args, context)?;
    Ok(match report {
        CollectReport { interrupted: true, .. } => CommandOutcome::Interrupted,
        report if args.strict && report.has_problems() => CommandOutcome::Problems,
        _ => CommandOutcome::Done,
    })
}

fn print_report(report: &CollectReport, args: &CollectArgs, context: &CommandContext) -> Result<(), Failure> {
    if let Some(path) = &args.report {
        let mut text = serde_json::to_string_pretty(report).map_err(std::io::Error::from)?;
        text.push('\n');
        fs::write(path, text).map_err(|source| Failure::Unwritable { path: path.clone(), source })?;
    }
    if args.json {
        context.print_json(report)?;
    } else if context.level >= LogLevel::Warn {
        context.print(&closing(report))?;
    }
    if report.interrupted && args.progress != ProgressChoice::Json {
        context.say("interrupted: what was fetched is kept; the same command goes on from there");
    }
    Ok(())
}

/// The report as text: one line per work, and a total.
fn closing(report: &CollectReport) -> String {
    let mut text = String::new();
    for work in &report.works {
        let title = terminal::line(&work.title);
        let _ = match (work.status, &work.reason) {
            (WorkStatus::Collected, _) => {
                let sections = counted(work.sections.len() as u64, "section");
                writeln!(
                    text,
                    "{title} ({}): {sections}, {}",
                    work.book_id.unwrap_or_default(),
                    counted(work.passages as u64, "passage")
                )
            }
            (_, reason) => {
                let word = match work.status {
                    WorkStatus::Refused => "refused",
                    WorkStatus::Missing => "missing",
                    _ => "planned",
                };
                writeln!(
                    text,
                    "{title} ({}): {word}: {}",
                    work.gutenberg_id,
                    terminal::line(reason.as_deref().unwrap_or_default())
                )
            }
        };
    }
    let verb = if report.dry_run { "would be written" } else { "written" };
    if !report.interrupted {
        let _ = writeln!(text, "{} {verb}", counted(report.passages as u64, "passage"));
    }
    text
}
