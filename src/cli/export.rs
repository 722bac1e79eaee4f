//! `pensieve export`: the chunks with their sources, for other programs.

use super::{Context, Failure, Outcome, place};
use crate::store::{ExportRow, Store};
use clap::{Args, ValueEnum};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Print all chunks with their tokens and places, in a fixed order.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve export corpus.db --format jsonl > corpus.jsonl")]
pub struct ExportArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// One JSON object a line, or one Markdown document.
    #[arg(long, default_value = "jsonl")]
    format: ExportFormat,
}

/// What comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// One JSON object a line.
    Jsonl,
    /// One section a chunk.
    Markdown,
}

/// Runs the command.
pub fn run(args: &ExportArgs, _context: &Context) -> Result<Outcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut written = Ok(());
    store.export(&mut |row| {
        written = write(&mut out, args.format, &row);
        written.is_ok()
    })?;
    written?;
    out.flush()?;
    Ok(Outcome::Done)
}

fn write(out: &mut impl Write, format: ExportFormat, row: &ExportRow) -> io::Result<()> {
    match format {
        ExportFormat::Jsonl => {
            serde_json::to_writer(&mut *out, row)?;
            out.write_all(b"\n")
        }
        ExportFormat::Markdown => {
            for source in &row.sources {
                writeln!(out, "<!-- {} -->", place::of(source).replace("--", "- -"))?;
            }
            writeln!(out, "<!-- {} tokens, {} -->\n\n{}\n", row.tokens, row.content_hash, row.content)
        }
    }
}
