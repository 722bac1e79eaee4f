//! `pensieve plan`: lists of files for many machines.

use super::shared::context::{CommandContext, CommandOutcome, absolute};
use super::shared::failure::Failure;
use super::shared::progress::{Progress, ProgressChoice};
use super::shared::{settings, signal};
use crate::shards::{
    PartSummary, PlanOptions, PlanPart, PlanSummary, PlanTable, merge_parts, plan, plan_part,
};
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use pensieve_text::model::numbers::{count, counted, mega, time};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Divide a folder into lists of files that take equally long to ingest, one for each machine.
///
/// Each list is read with `ingest --root DIR --files-from LIST DB`, and `merge` joins the databases. Nothing is extracted; files
/// of equal size are hashed. Several machines may each hash a part (`plan DIR --shard 1/8 --out FILE`), which
/// `plan --merge FILE... --shards N --out DIR` joins.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve plan ~/notes --shards 16 --out lists")]
pub struct PlanArgs {
    /// The folder to divide.
    #[arg(value_name = "DIR", required_unless_present = "merge", conflicts_with = "merge")]
    folder: Option<PathBuf>,
    /// How many lists to write.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=100_000))]
    #[arg(required_unless_present = "shard", conflicts_with = "shard")]
    shards: Option<usize>,
    /// Hash the I-th of N parts of the files, of which every machine makes the same; `--out` is a new file.
    #[arg(long, value_name = "I/N", value_parser = part_of, conflicts_with = "merge")]
    shard: Option<PlanPart>,
    /// Join the parts that `--shard` wrote to the plan that `--hash` makes of the whole folder.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// The folder for the lists and plan.json; it must be new or empty.
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// The table of all entries beside the lists: plan.json or plan.parquet.
    #[arg(long, value_enum, default_value = "json", conflicts_with = "shard")]
    format: TableFormat,
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

/// The table of all entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    Json,
    Parquet,
}

fn part_of(text: &str) -> Result<PlanPart, String> {
    let numbers = text.split_once('/').and_then(|(part, parts)| part.parse().ok().zip(parts.parse().ok()));
    match numbers {
        Some((part, parts)) if (1..=parts).contains(&part) && parts <= 100_000 => {
            Ok(PlanPart { part, parts })
        }
        _ => Err("a part is I/N, such as 1/8 to 8/8".to_owned()),
    }
}

/// Runs the command.
pub fn run(args: &PlanArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let shards = args.shards.unwrap_or(1);
    if !args.merge.is_empty() {
        let summary = merge_parts(&args.merge, &args.out, shards, args.table())?;
        return report(args, context, &summary);
    }
    let config = context.config(args.config.as_deref(), Vec::new())?;
    let options = PlanOptions {
        root: absolute(args.folder.as_deref().unwrap_or(Path::new(""))),
        out: args.out.clone(),
        shards,
        scan: settings::scan(&config),
        hash_all: args.hash || args.shard.is_some(),
        table: args.table(),
    };
    let interrupt = signal::watch()?;
    let progress = Progress::new(args.progress, context.level, &interrupt);
    if let Some(part) = args.shard {
        let summary = progress.during(|observer| plan_part(&options, part, observer))?;
        return report_part(args, context, &summary);
    }
    let summary = progress.during(|observer| plan(&options, observer))?;
    report(args, context, &summary)
}

impl PlanArgs {
    fn table(&self) -> PlanTable {
        match self.format {
            TableFormat::Json => PlanTable::Json,
            TableFormat::Parquet => PlanTable::Parquet,
        }
    }
}

fn report(
    args: &PlanArgs,
    context: &CommandContext,
    summary: &PlanSummary,
) -> Result<CommandOutcome, Failure> {
    if summary.interrupted {
        return Ok(interrupted(context));
    }
    match args.json {
        true => context.print_json(summary)?,
        false => context.print(&format_plan(summary))?,
    }
    Ok(CommandOutcome::Done)
}

fn report_part(
    args: &PlanArgs,
    context: &CommandContext,
    summary: &PartSummary,
) -> Result<CommandOutcome, Failure> {
    if summary.interrupted {
        return Ok(interrupted(context));
    }
    let PlanPart { part, parts } = summary.part;
    let (files, bytes) = (counted(summary.files, "file"), mega(summary.bytes));
    match args.json {
        true => context.print_json(summary)?,
        false => context.print(&format!(
            "part {part} of {parts}: {files}, {bytes} MB, {} hashed\n",
            count(summary.hashed)
        ))?,
    }
    Ok(CommandOutcome::Done)
}

fn interrupted(context: &CommandContext) -> CommandOutcome {
    context.say("interrupted: nothing was written");
    CommandOutcome::Interrupted
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
