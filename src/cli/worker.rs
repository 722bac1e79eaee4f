//! `pensieve worker`: a process that reads documents for another program.

mod arrow_rows;
mod document_requests;
mod document_rows;

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::{settings, signal};
use clap::{Args, ValueEnum};
use document_rows::{RowFormat, serve_chunks};
use pensieve_isolate::worker::{
    PROTOCOL, ServeError, WorkerFailure, WorkerPool, WorkerRequest, open_request, serve, serve_sealed,
    worker_pool,
};
use pensieve_readers::event::ReaderEvent;
use pensieve_readers::nested::EventSink;
use pensieve_text::model::{Problem, ProblemKind};
use std::io;
use std::path::{Path, PathBuf};

/// The versions of the protocol that this program speaks; chunks came with the second.
const PROTOCOLS: [u32; 2] = [PROTOCOL, CHUNKS_SINCE];

/// The first version with rows of chunks.
const CHUNKS_SINCE: u32 = 2;

/// Memory is limited from outside.
const MEMORY: u64 = u64::MAX;

/// Read documents for another program: requests on stdin, rows on stdout.
///
/// Requests are JSON objects, one a line ({"id","path","name"}), rows are NDJSON: the text of a document, or its chunks as
/// `export` writes them. A document that cannot be read is a row, too; only errors of the protocol end the worker. Documents
/// are read in a child that can open no file, start no program and reach no network.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve worker --protocol 1")]
pub struct WorkerArgs {
    /// The version of the protocol.
    #[arg(long, value_name = "N")]
    protocol: u32,
    /// What is written of a document: its text with maps, or its chunks, complete (protocol 2).
    #[arg(long, value_enum, default_value = "text")]
    rows: Rows,
    /// With chunks: how rows are written. An answer in Arrow is one or more batches of one stream.
    #[arg(long, value_enum, default_value = "ndjson", conflicts_with = "descriptors")]
    format: RowFormat,
    /// With chunks: the folder that paths are relative to.
    #[arg(long, value_name = "DIR", conflicts_with = "descriptors")]
    root: Option<PathBuf>,
    /// With chunks: use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE", conflicts_with = "descriptors")]
    config: Option<PathBuf>,
    /// Be that child: stdin is a Unix socket, and each document comes as an open descriptor with its request.
    #[arg(long)]
    descriptors: bool,
}

/// What a worker writes of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rows {
    Text,
    Chunks,
}

/// Runs the command.
pub fn run(args: &WorkerArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    check_protocol(args)?;
    signal::leave_to_parent()?;
    if args.rows == Rows::Chunks {
        let config = context.config(args.config.as_deref(), Vec::new())?;
        context.check_converters(&config)?;
        let settings = settings::work(&config, Path::new(""), Path::new(""));
        return serve_chunks(&settings, args.root.as_deref(), args.format).map(|()| CommandOutcome::Done);
    }
    let served = match args.descriptors {
        true => serve_sealed(),
        false => {
            let pool = worker_pool(&[], 1, MEMORY)?;
            serve(io::stdin().lock(), io::stdout().lock(), &|request, on_event| {
                relay(&pool, request, on_event)
            })
        }
    };
    match served {
        Ok(()) => Ok(CommandOutcome::Done),
        Err(ServeError::Io(error)) => Err(error.into()),
        Err(ServeError::Seal(error)) => Err(io::Error::other(error).into()),
        Err(error) => Err(Failure::Usage {
            message: error.to_string(),
            hint: "requests are JSON, one a line, with id, path and name".to_owned(),
        }),
    }
}

fn check_protocol(args: &WorkerArgs) -> Result<(), Failure> {
    let refusal = |message: String, hint: &str| Err(Failure::Usage { message, hint: hint.to_owned() });
    if !PROTOCOLS.contains(&args.protocol) {
        return refusal(
            format!("protocol {} is unknown", args.protocol),
            "this version speaks protocols 1 and 2",
        );
    }
    match args.rows {
        Rows::Chunks if args.protocol < CHUNKS_SINCE => {
            refusal("protocol 1 has no rows of chunks".to_owned(), "use --protocol 2")
        }
        Rows::Text if args.root.is_some() || args.config.is_some() => {
            refusal("--root and --config are for rows of chunks".to_owned(), "add --rows chunks")
        }
        Rows::Text if args.format == RowFormat::Arrow => {
            refusal("text has no rows of Arrow".to_owned(), "add --rows chunks")
        }
        Rows::Chunks if args.descriptors => {
            refusal("rows of chunks need paths".to_owned(), "leave out --descriptors")
        }
        _ => Ok(()),
    }
}

/// Opens the document, which the child cannot do, and passes on what the child answers.
fn relay(pool: &WorkerPool, request: &WorkerRequest, on_event: EventSink<'_>) {
    let read = open_request(request).and_then(|document| {
        pool.read(&document, &request.name, &request.settings, 0, &|| false, on_event).or_else(|failure| {
            match failure {
                WorkerFailure::Refused | WorkerFailure::Interrupted => Ok(()),
                WorkerFailure::Problem(problem) => Err(problem),
                other => Err(Problem::new(ProblemKind::Io, other.to_string())),
            }
        })
    });
    if let Err(problem) = read {
        on_event(ReaderEvent::Failed(problem));
    }
}
