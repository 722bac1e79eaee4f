//! `pensieve merge`: one database of several.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::progress::{Progress, ProgressChoice};
use super::shared::signal;
use crate::shards::{MergeOptions, MergeSummary, merge};
use clap::Args;
use pensieve_text::model::numbers::{count, counted, mega, rate, time};
use std::path::PathBuf;
use std::time::Duration;

/// Make one database of several that have parts of one folder.
///
/// The result is what one run over all files would have made, with the same fingerprint; nothing is read but the databases.
/// Shards with other settings, or with the same file twice, are refused. While it is being made, the new database is called
/// OUT.merge; a merge that was stopped goes on from there.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve merge corpus.db shard-0000.db shard-0001.db")]
pub struct MergeArgs {
    /// The database to make; it must not exist.
    #[arg(value_name = "OUT")]
    database: PathBuf,
    /// The databases to merge.
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// How progress is shown on stderr.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    progress: ProgressChoice,
    /// Print the summary as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &MergeArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let options = MergeOptions { database: args.database.clone(), shards: args.shards.clone() };
    let interrupt = signal::watch()?;
    let progress = Progress::new(args.progress, context.level, &interrupt);
    let summary = progress.during(|observer| merge(&options, observer))?;
    match args.json {
        true => context.print_json(&summary)?,
        false => context.print(&format_merge(&summary))?,
    }
    if summary.unread > 0 {
        context.warn(&format!(
            "no shard has the text of {}: the next `pensieve ingest` of the folder reads what contains it",
            counted(summary.unread, "attachment")
        ));
    }
    if summary.interrupted {
        context.say("interrupted: what is done is kept; the same command goes on from there");
        return Ok(CommandOutcome::Interrupted);
    }
    Ok(CommandOutcome::Done)
}

fn format_merge(summary: &MergeSummary) -> String {
    let wall = Duration::try_from_secs_f64(summary.seconds).unwrap_or_default();
    let speed = mega(rate(summary.bytes, wall) as u64);
    let lines = [
        ("shards", count(summary.shards), String::new()),
        ("files", count(summary.files), format!("{} copied", count(summary.copied))),
        ("duplicates", count(summary.duplicates), String::new()),
        ("chunks", count(summary.chunks), "places that were copied".to_owned()),
        ("unique chunks", count(summary.unique_chunks), String::new()),
        ("wall time", time(wall), format!("{} MB of files, {speed} MB/s", mega(summary.bytes))),
    ];
    let line = |(name, value, remark): (&str, String, String)| {
        format!("{}\n", format!("{name:<14}{value:>14}   {remark}").trim_end())
    };
    let fingerprint = summary.fingerprint.iter().map(|hex| format!("fingerprint   {hex}\n"));
    lines.into_iter().map(line).chain(fingerprint).collect()
}
