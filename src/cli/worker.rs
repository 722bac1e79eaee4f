//! `pensieve worker`: a process that reads documents for another program.

use super::{CommandContext, CommandOutcome, Failure, signal};
use clap::Args;
use pensieve_readers::worker::read_request;
use pensieve_readers::worker::{PROTOCOL, ServeError, serve};
use std::io;

/// Read documents for another program: requests on stdin, rows on stdout.
///
/// `ingest` starts such processes itself. Requests arrive as one JSON object per line ({"id","path","name"}), rows
/// are written as NDJSON. A document that cannot be read is a row, too; only protocol errors end the worker.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve worker --protocol 1")]
pub struct WorkerArgs {
    /// The version of the protocol.
    #[arg(long, value_name = "N")]
    protocol: u32,
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
    match serve(io::stdin().lock(), io::stdout().lock(), &read_request) {
        Ok(()) => Ok(CommandOutcome::Done),
        Err(ServeError::Io(error)) => Err(error.into()),
        Err(error) => Err(Failure::Usage {
            message: error.to_string(),
            hint: "requests are JSON, one a line, with id, path and name".to_owned(),
        }),
    }
}
