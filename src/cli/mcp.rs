//! `pensieve mcp`: corpora for programs that run language models.

use super::shared::context::absolute;
use super::shared::context::{CommandContext, CommandOutcome, LogLevel};
use super::shared::failure::Failure;
use super::shared::{signal, terminal};
use clap::Args;
use pensieve_serve::mcp::StdioOptions;
use serde_json::json;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Give language models access to databases: a server of the Model Context Protocol over stdin and stdout.
///
/// Read-only. A program such as an assistant or an editor starts this command; docs/mcp.md has the configuration of the
/// common ones. Tools: search, fetch, pack, list_documents, find_tables, query_table, corpus_info. It ends when its input ends.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve mcp notes.db papers.db")]
pub struct McpArgs {
    /// The databases; each is a corpus of its own, named after its file.
    #[arg(value_name = "DB", required = true)]
    databases: Vec<PathBuf>,
    /// Use this configuration instead of ./pensieve.toml; it names the service for vectors of questions.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How long an answer may take.
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// Runs the command.
pub fn run(args: &McpArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    if std::io::stdin().is_terminal() {
        context.print(&client_lines(args)?)?;
        return Ok(CommandOutcome::Done);
    }
    let options = StdioOptions {
        databases: args.databases.clone(),
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
    pensieve_serve::mcp::run(&options, &stop, log)?;
    Ok(CommandOutcome::Done)
}

/// What a person needs who has typed the command: the lines for a client, which starts it itself.
fn client_lines(args: &McpArgs) -> Result<String, Failure> {
    let program = std::env::current_exe().unwrap_or_else(|_| "pensieve".into());
    let databases = args.databases.iter().map(|path| absolute(path));
    let config = args.config.iter().flat_map(|path| ["--config".into(), absolute(path)]);
    let words: Vec<String> = std::iter::once(PathBuf::from("mcp"))
        .chain(databases)
        .chain(config)
        .map(|word| OsString::from(word).to_string_lossy().into_owned())
        .collect();
    let name = args.databases[0].file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let server = json!({"mcpServers": {name: {"command": program.to_string_lossy(), "args": words}}});
    let lines = serde_json::to_string_pretty(&server).map_err(std::io::Error::from)?;
    Ok(format!(
        "An assistant or editor starts this command and talks to it over stdin; docs/mcp.md has the steps for the common ones.\n\
         The lines for its configuration:\n\n{lines}\n"
    ))
}
