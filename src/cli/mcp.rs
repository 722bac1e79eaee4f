//! `pensieve mcp`: corpora for programs that run language models.

use super::partitions::PartitionArgs;
use super::{CommandContext, CommandOutcome, Failure, LogLevel, signal, terminal};
use crate::mcp::StdioOptions;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Give language models access to databases: a server of the Model Context Protocol over stdin and stdout.
///
/// Read-only. A program such as an assistant or an editor starts this command; docs/mcp.md has the configuration of the
/// common ones. Tools: search, fetch, pack, list_documents, corpus_info. It ends when its input ends.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve mcp notes.db papers.db")]
pub struct McpArgs {
    /// The databases; each is a corpus of its own, named after its file.
    #[arg(value_name = "DB", required = true)]
    databases: Vec<PathBuf>,
    #[command(flatten)]
    partitions: PartitionArgs,
    /// Use this configuration instead of ./pensieve.toml; it names the service for vectors of questions.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How long an answer may take.
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// Runs the command.
pub fn run(args: &McpArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    if args.partitions.are_given() && args.databases.len() > 1 {
        return Err(Failure::Usage {
            message:
                "--partition adds to one database, and there are several, which are corpora of their own"
                    .to_owned(),
            hint: "give one database, and the others of its corpus with --partition".to_owned(),
        });
    }
    let corpora = match args.databases.as_slice() {
        [database] => vec![args.partitions.paths(database)],
        databases => databases.iter().map(|database| vec![database.clone()]).collect(),
    };
    let options = StdioOptions {
        corpora,
        timeout: Duration::from_secs(args.timeout),
        embedder: Arc::new(context.embedder_for_all(args.config.as_deref())?),
    };
    let stop = signal::watch()?;
    let level = context.level;
    let log = move |error: &str| {
        if level >= LogLevel::Error {
            let _ = writeln!(std::io::stderr().lock(), "{}", terminal::line(&format!("error: {error}")));
        }
    };
    crate::mcp::run(&options, &stop, log)?;
    Ok(CommandOutcome::Done)
}
