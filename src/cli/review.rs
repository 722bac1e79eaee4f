//! `pensieve review`: the texts that somebody should check before relying on them.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::terminal;
use clap::Args;
use pensieve_store::store::{ReviewRow, Store};
use pensieve_text::model::numbers::counted;
use serde_json::Value;
use std::path::PathBuf;

/// List the files whose text needs a look, and why.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve review corpus.db")]
pub struct ReviewArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &ReviewArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let (mut files, mut failure) = (0, None);
    store.reports().reviews(None, &mut |reviewed| {
        files += 1;
        failure = match args.json {
            true => context.print_json(&reviewed).err(),
            false => context.print(&line(&reviewed)).err(),
        };
        failure.is_none()
    })?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    if !args.json {
        context.say(&format!("{} to look at", counted(files, "file")));
    }
    Ok(CommandOutcome::Done)
}

/// `/notes/a.pdf: no_text_layer: 3 of 3 pages; short_text: 12 characters on 3 pages`
fn line(reviewed: &ReviewRow) -> String {
    let part = |reason: &Value, key: &str| reason[key].as_str().unwrap_or_default().to_owned();
    let reasons = reviewed.reasons.as_array().map(Vec::as_slice).unwrap_or_default();
    let parts: Vec<String> = reasons
        .iter()
        .map(|reason| format!("{}: {}", part(reason, "reason"), part(reason, "detail")))
        .collect();
    format!("{}: {}\n", terminal::line(&reviewed.path), terminal::line(&parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::FileType;
    use serde_json::json;

    #[test]
    fn every_reason_is_told() {
        let reviewed = ReviewRow {
            path: "/a\n.pdf".to_owned(),
            format: Some("pdf".to_owned()),
            version: "clean_v0".to_owned(),
            char_length: 0,
            file_type: FileType::File,
            mime: None,
            reasons: json!([{"reason": "x", "detail": "1 of 2"}, {"reason": "y", "detail": "z"}]),
        };
        assert_eq!(line(&reviewed), "/a\\n.pdf: x: 1 of 2; y: z\n");
    }
}
