//! `pensieve verify`: proves that the laws of the corpus hold.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::progress::{Progress, ProgressChoice};
use super::shared::{signal, terminal};
use clap::Args;
use pensieve_store::store::Store;
use pensieve_store::verify::{self, ProofScope};
use pensieve_text::model::numbers::{count, counted};
use std::io::IsTerminal;
use std::path::PathBuf;

/// Check every chunk against its text, its count and its source.
///
/// Each violation is a line on stdout; any violation ends with exit code 1.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve verify corpus.db")]
pub struct VerifyArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Also hash every source that is still on disk. One that has changed since it was read is counted; one that has its
    /// stored size and time of change but other bytes is a violation.
    #[arg(long)]
    sources: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &VerifyArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let interrupt = signal::watch()?;
    // Without a terminal there is nobody who waits.
    let choice = match std::io::stderr().is_terminal() {
        true => ProgressChoice::Auto,
        false => ProgressChoice::Off,
    };
    let progress = Progress::new(choice, context.level, &interrupt);
    let scope = if args.sources { ProofScope::AllSources } else { ProofScope::UnchangedSources };
    let mut violations = Vec::new();
    let mut printed = Ok(());
    let report = progress.during(|observer| {
        verify::run(&store, scope, observer, &mut |violation| {
            let line = format!("law {}: {}", violation.law, violation.what);
            match args.json {
                true => violations.push(serde_json::json!({
                    "law": violation.law, "what": violation.what, "where": violation.place
                })),
                false if printed.is_ok() => printed = context.print(&format!("{}\n", terminal::line(&line))),
                false => {}
            }
        })
    })?;
    printed?;
    if args.json {
        let mut object = serde_json::to_value(&report).map_err(std::io::Error::from)?;
        object["found"] = violations.into();
        context.print_json(&object)?;
    } else {
        context.print(&format!(
            "{}: {}, {}, {} of {} source ranges exact, {} read back\n",
            counted(report.violations, "violation"),
            counted(report.files, "file"),
            counted(report.chunks, "chunk"),
            count(report.exact),
            count(report.cited),
            counted(report.sources_read, "source"),
        ))?;
        if args.sources {
            context.print(&format!(
                "{} hashed: {} changed since, {} no longer readable\n",
                counted(report.sources_hashed, "source"),
                count(report.sources_changed),
                count(report.sources_missing),
            ))?;
        }
    }
    Ok(match report.violations {
        _ if interrupt.load(std::sync::atomic::Ordering::Relaxed) => CommandOutcome::Interrupted,
        0 => CommandOutcome::Done,
        _ => CommandOutcome::Problems,
    })
}
