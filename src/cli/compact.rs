//! `pensieve compact`: frees unused space in the database file.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use clap::Args;
use pensieve_store::store::Store;
use pensieve_text::model::numbers::mega;
use std::path::PathBuf;

/// Make the database file as small as its content allows.
///
/// This is SQLite's VACUUM: while it works, it needs as much free space again.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve compact corpus.db")]
pub struct CompactArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &CompactArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let mut store = Store::open_for_change(&args.database)?;
    let (before, after) = store.maintenance().compact()?;
    store.close()?;
    match args.json {
        true => context.print_json(&serde_json::json!({"bytes_before": before, "bytes_after": after}))?,
        false => context.print(&format!("{} MB, was {} MB\n", mega(after), mega(before)))?,
    }
    Ok(CommandOutcome::Done)
}
