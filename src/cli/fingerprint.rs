//! `pensieve fingerprint`: one hash of everything that a corpus contains.

use super::{CommandContext, CommandOutcome, Failure};
use crate::store::Store;
use clap::Args;
use std::path::PathBuf;

/// Print the SHA-256 of the logical content.
///
/// It is the same for equal folders and settings, on any machine and with any number of threads.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve fingerprint corpus.db")]
pub struct FingerprintArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &FingerprintArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let fingerprint = Store::open_for_reading(&args.database)?.listings().fingerprint()?.to_hex();
    match args.json {
        true => context.print_json(&serde_json::json!({"fingerprint": fingerprint}))?,
        false => context.print(&format!("{fingerprint}\n"))?,
    }
    Ok(CommandOutcome::Done)
}
