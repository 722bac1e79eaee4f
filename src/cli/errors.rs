//! `pensieve errors`: the open problems of a corpus.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::terminal;
use clap::Args;
use pensieve_store::store::{OpenProblem, Store};
use pensieve_text::model::numbers::counted;
use std::path::PathBuf;

/// List open problems: files that could not be read, and why.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve errors corpus.db")]
pub struct ErrorsArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &ErrorsArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let problems = Store::open_for_reading(&args.database)?.problems().all()?;
    if args.json {
        problems.iter().try_for_each(|problem| context.print_json(problem))?;
        return Ok(CommandOutcome::Done);
    }
    let lines: String = problems.iter().map(line).collect();
    context.print(&lines)?;
    context.say(&counted(problems.len() as u64, "open problem"));
    Ok(CommandOutcome::Done)
}

fn line(problem: &OpenProblem) -> String {
    let OpenProblem { path, error_type, message, .. } = problem;
    format!("{}: {error_type}: {}\n", terminal::line(path), terminal::line(message))
}
