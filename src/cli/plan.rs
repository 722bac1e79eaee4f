//! `pensieve plan`: lists of files for many machines.

use super::context::absolute;
use super::progress::{Progress, ProgressChoice};
use super::{CommandContext, CommandOutcome, Failure, settings, signal};
use crate::shards::{PlanOptions, PlanSummary, plan};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use pensieve_text::model::numbers::{count, counted, mega, time};
use std::path::PathBuf;
use std::time::Duration;

/// Divide a folder into lists of files that take equally long to ingest, one for each machine.
///
/// Each list is read with `ingest --root DIR --files-from LIST DB`, and the databases are joined by `merge`. Equal files are in
/// one list. Nothing is extracted; files of equal size are hashed.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve plan ~/notes --shards 16 --out lists")]
pub struct PlanArgs {
    /// The folder to divide.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// How many lists to write.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=100_000))]
    shards: usize,
    /// The folder for the lists and plan.json; it must be new or empty.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Hash every file, not only those of equal size; plan.json then has every hash.
    #[arg(long)]
    hash: bool,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How progress is shown on stderr.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    progress: ProgressChoice,
    /// Print the summary as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &PlanArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let config = context.config(args.config.as_deref(), Vec::new())?;
    let options = PlanOptions {
        root: absolute(&args.folder),
        out: args.out.clone(),
        shards: args.shards,
        scan: settings::scan(&config),
        hash_all: args.hash,
    };
    let interrupt = signal::watch()?;
    let progress = Progress::new(args.progress, context.level, &interrupt);
    let summary = progress.during(|observer| plan(&options, observer))?;
    if summary.interrupted {
        context.say("interrupted: nothing was written");
        return Ok(CommandOutcome::Interrupted);
    }
    match args.json {
        true => context.print_json(&summary)?,
        false => context.print(&format_plan(&summary))?,
    }
    Ok(CommandOutcome::Done)
}

fn format_plan(summary: &PlanSummary) -> String {
    let expected = |seconds: f64| time(Duration::try_from_secs_f64(seconds).unwrap_or_default());
    let mut text = String::new();
    for shard in &summary.shards {
        let (files, bytes) = (count(shard.files), mega(shard.bytes));
        let cost = expected(shard.cost_seconds);
        text += &format!("{:<16} {files:>10} files {bytes:>10} MB   about {cost} of one core\n", shard.list);
    }
    text += &format!(
        "{}, {} MB, {}; {}\n",
        counted(summary.files, "file"),
        mega(summary.bytes),
        counted(summary.duplicates, "duplicate"),
        expected(summary.seconds)
    );
    text
}
