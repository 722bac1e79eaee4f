//! `pensieve worker`: a process that reads documents for another program.

use super::{CommandContext, CommandOutcome, Failure, signal};
use clap::Args;
use pensieve_readers::event::ReaderEvent;
use pensieve_readers::nested::EventSink;
use pensieve_readers::worker::{
    PROTOCOL, ServeError, WorkerFailure, WorkerPool, WorkerRequest, open_request, serve, serve_sealed,
    worker_pool,
};
use pensieve_text::model::{Problem, ProblemKind};
use std::io;

/// Memory is limited from outside.
const MEMORY: u64 = u64::MAX;

/// Read documents for another program: requests on stdin, rows on stdout.
///
/// `ingest` starts such processes itself. Requests arrive as one JSON object per line ({"id","path","name"}), rows
/// are written as NDJSON. A document that cannot be read is a row, too; only protocol errors end the worker. Documents
/// are read in a child that can open no file, start no program and reach no network.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve worker --protocol 1")]
pub struct WorkerArgs {
    /// The version of the protocol.
    #[arg(long, value_name = "N")]
    protocol: u32,
    /// Be that child: stdin is a Unix socket, and each document comes as an open descriptor with its request.
    #[arg(long)]
    descriptors: bool,
}

/// Runs the command.
pub fn run(args: &WorkerArgs, _context: &CommandContext) -> Result<CommandOutcome, Failure> {
    if args.protocol != PROTOCOL {
        return Err(Failure::Usage {
            message: format!("protocol {} is unknown", args.protocol),
            hint: format!("this version speaks protocol {PROTOCOL}"),
        });
    }
    signal::leave_to_parent()?;
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
