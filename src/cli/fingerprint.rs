//! `pensieve fingerprint`: one hash of everything that a corpus contains.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use clap::Args;
use pensieve_store::store::{Fingerprint, Store};
use pensieve_text::model::ContentHash;
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
    /// Print the digest of each of the 256 buckets of files instead.
    ///
    /// Two corpora differ in the files of those buckets whose digests differ.
    #[arg(long)]
    buckets: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &FingerprintArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let fingerprint = Store::open_for_reading(&args.database)?.listings().fingerprint()?;
    match (args.json, args.buckets) {
        (true, false) => {
            context.print_json(&serde_json::json!({"fingerprint": fingerprint.root.to_hex()}))?
        }
        (true, true) => context.print_json(&serde_json::json!({
            "fingerprint": fingerprint.root.to_hex(),
            "buckets": fingerprint.buckets.iter().map(ContentHash::to_hex).collect::<Vec<_>>(),
        }))?,
        (false, false) => context.print(&format!("{}\n", fingerprint.root))?,
        (false, true) => context.print(&bucket_lines(&fingerprint))?,
    }
    Ok(CommandOutcome::Done)
}

/// One line for each bucket: its number in hex, and its digest.
fn bucket_lines(fingerprint: &Fingerprint) -> String {
    let lines = fingerprint.buckets.iter().enumerate();
    lines.map(|(number, digest)| format!("{number:02x} {digest}\n")).collect()
}
