//! `pensieve serve`: the HTTP API and the page over one corpus.

use super::partitions::PartitionArgs;
use super::{CommandContext, CommandOutcome, Failure, LogLevel, signal, terminal};
use crate::serve::{Notice, ServeOptions};
use clap::Args;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Serve a database over HTTP: an API, and a page to look at the corpus.
///
/// Read-only, and clean text only; docs/http.md describes the API. Stop it with Ctrl-C. Without --token it listens on
/// this machine alone. With --partition several databases are served as one corpus.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve serve corpus.db --bind 127.0.0.1:7474")]
pub struct ServeArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    #[command(flatten)]
    partitions: PartitionArgs,
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7474")]
    bind: SocketAddr,
    /// The token that clients must send, as `Authorization: Bearer T`; required for addresses other than loopback.
    #[arg(long, value_name = "T")]
    token: Option<String>,
    /// Also answer to this host name, besides localhost and addresses; may be repeated.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Return absolute paths too, not only those below the ingested folders.
    #[arg(long)]
    show_paths: bool,
    /// Use this configuration instead of ./pensieve.toml; it names the service for vectors of questions.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How long an answer may take, and how long a client may take to send a request or to take the answer.
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// Runs the command.
pub fn run(args: &ServeArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let options = ServeOptions {
        databases: args.partitions.paths(&args.database),
        bind: args.bind,
        token: args.token.clone(),
        hosts: args.hosts.clone(),
        show_paths: args.show_paths,
        timeout: Duration::from_secs(args.timeout),
        embedder: Arc::new(context.embedder_for_all(args.config.as_deref())?),
    };
    let stop = signal::watch()?;
    let level = context.level;
    crate::serve::run(&options, &stop, move |notice| print_notice(notice, level))?;
    Ok(CommandOutcome::Done)
}

/// Prints the address on stdout, for the program that started the server, and everything else on stderr.
fn print_notice(notice: &Notice, level: LogLevel) {
    let (at, line) = match notice {
        Notice::Listening(address) => {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "listening on http://{address}").and_then(|()| out.flush());
            return;
        }
        Notice::Answered { method, target, status, took } => {
            (LogLevel::Debug, format!("{status} {method} {target} {:.1} ms", took.as_secs_f64() * 1e3))
        }
        Notice::Failed { target, inside } => (LogLevel::Error, format!("error: {target}: {inside}")),
    };
    if level >= at {
        let _ = writeln!(std::io::stderr().lock(), "{}", terminal::line(&line));
    }
}
