//! `pensieve changes`: what an outside index must do to be in step.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::vectors::VectorArgs;
use clap::{Args, ValueEnum};
use pensieve_store::store::{ChangeRow, ChangesSince, ChangesWanted, Store};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Print what an outside index must do to be in step: chunks that came, changed or went.
///
/// Each line is one chunk at one place: `upsert` with everything that is known of it, or `delete`. The last line has the
/// cursor that the next call begins with. The cursor of any line may be given to --since.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve changes corpus.db --since 0 > changes.jsonl")]
pub struct ChangesArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// The number of a run, or a cursor; 0 is the whole state.
    #[arg(long, value_name = "RUN|CURSOR", default_value = "0")]
    since: ChangesSince,
    /// At most this many lines before the last one, which then has `"more":true`.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    vectors: VectorArgs,
    /// One JSON object per line.
    #[arg(long, default_value = "jsonl")]
    format: ChangesFormat,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ChangesFormat {
    /// One JSON object per line.
    Jsonl,
}

/// Runs the command.
pub fn run(args: &ChangesArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let ChangesFormat::Jsonl = args.format;
    let corpus = Store::open_for_reading(&args.database)?;
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let (mut written, mut is_expired) = (Ok(()), false);
    corpus.at_one_moment(|corpus| {
        let listed = corpus.listings().changes(&wanted(args, corpus)?, &mut |row| {
            is_expired |= matches!(row, ChangeRow::Expired { .. });
            written = write(&mut out, &row);
            written.is_ok()
        });
        listed.map_err(Failure::from)
    })?;
    written?;
    out.flush()?;
    if is_expired {
        context.warn("the changes since then are no longer kept: begin again with `--since 0`");
        return Ok(CommandOutcome::Problems);
    }
    Ok(CommandOutcome::Done)
}

fn wanted(args: &ChangesArgs, corpus: &Store) -> Result<ChangesWanted, Failure> {
    let (since, limit) = (args.since.clone(), args.limit.unwrap_or(usize::MAX));
    Ok(ChangesWanted { since, limit, vectors: args.vectors.choose(corpus)? })
}

fn write(out: &mut impl Write, row: &ChangeRow) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    out.write_all(b"\n")
}
