//! `pensieve serve`: the HTTP API and the page over one corpus.

use super::shared::context::{CommandContext, CommandOutcome, LogLevel};
use super::shared::failure::Failure;
use super::shared::{signal, terminal};
use crate::config::TOKEN_VARIABLE;
use clap::Args;
use pensieve_serve::serve::{Notice, ServeError, ServeOptions, Token};
use std::env::VarError;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Serve a database over HTTP: an API, and a page to look at the corpus.
///
/// Read-only, and clean text only; docs/http.md describes the API. Stop it with Ctrl-C. Without a token it listens
/// on this machine alone.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve serve corpus.db --bind 127.0.0.1:7474")]
pub struct ServeArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7474")]
    bind: SocketAddr,
    /// The file with the token that clients must send, as `Authorization: Bearer T`; - is stdin.
    ///
    /// A token is required for addresses other than loopback. Without this flag it is PENSIEVE_SERVE_TOKEN, if that is set.
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    token_file: Option<PathBuf>,
    /// The token itself, which everybody on this machine can see in the list of processes.
    #[arg(long, value_name = "T")]
    token: Option<String>,
    /// Also answer to this host name, besides localhost and addresses; may be repeated.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// The name of the corpus on its pages; without it, that of the database.
    #[arg(long, value_name = "NAME")]
    title: Option<String>,
    /// Give the originals of documents too: below the ingested folders, and only as they were when they were read.
    #[arg(long)]
    sources: bool,
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
        database: args.database.clone(),
        bind: args.bind,
        token: token(args, context)?,
        hosts: args.hosts.clone(),
        title: args.title.clone().unwrap_or_else(|| name_of(&args.database)),
        sources: args.sources,
        show_paths: args.show_paths,
        timeout: Duration::from_secs(args.timeout),
        embedder: Arc::new(context.embedder_for_all(args.config.as_deref())?),
    };
    let stop = signal::watch()?;
    let level = context.level;
    pensieve_serve::serve::run(&options, &stop, move |notice| print_notice(notice, level))?;
    Ok(CommandOutcome::Done)
}

/// `notes` for `/home/me/notes.db`.
fn name_of(database: &Path) -> String {
    let name = database.file_stem().unwrap_or(database.as_os_str());
    terminal::line(&name.to_string_lossy()).into_owned()
}

/// A longer file has something else in it.
const MAX_TOKEN_BYTES: u64 = 8 << 10;

/// The token from the flags, else from the environment.
fn token(args: &ServeArgs, context: &CommandContext) -> Result<Option<Token>, Failure> {
    let (text, origin) = match (&args.token, &args.token_file, std::env::var(TOKEN_VARIABLE)) {
        (Some(text), ..) => {
            context.warn(&format!(
                "others on this machine can see --token in the list of processes; use --token-file or {TOKEN_VARIABLE}"
            ));
            (text.clone(), "--token".to_owned())
        }
        (None, Some(path), _) => (read_token(path, context)?, format!("`{}`", path.display())),
        (None, None, Err(VarError::NotPresent)) => return Ok(None),
        (None, None, value) => (value.unwrap_or_default(), TOKEN_VARIABLE.to_owned()),
    };
    match Token::new(&text) {
        Some(token) => Ok(Some(token)),
        None => Err(ServeError::BadToken { origin }.into()),
    }
}

/// The text of a token's file without the end of its line. What is no text, or too long, is no token.
fn read_token(path: &Path, context: &CommandContext) -> Result<String, Failure> {
    let fail = |source| Failure::Unreadable { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(MAX_TOKEN_BYTES + 1).read_to_end(&mut bytes).map_err(fail)?;
    } else {
        let file = std::fs::File::open(path).map_err(fail)?;
        if is_open_to_others(&file) {
            context.warn(&format!(
                "`{}` can be read by others; chmod 600 keeps the token to yourself",
                terminal::line(&path.to_string_lossy())
            ));
        }
        file.take(MAX_TOKEN_BYTES + 1).read_to_end(&mut bytes).map_err(fail)?;
    }
    let text = String::from_utf8(bytes).ok().filter(|text| text.len() as u64 <= MAX_TOKEN_BYTES);
    let text = text.unwrap_or_default();
    let line = text.strip_suffix('\n').unwrap_or(&text);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}

/// True for a file that users besides its own may read.
#[cfg(unix)]
fn is_open_to_others(file: &std::fs::File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.mode() & 0o044 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &std::fs::File) -> bool {
    false
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
