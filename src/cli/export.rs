//! `pensieve export`: the chunks with their sources, for other programs.

use super::{CommandContext, CommandOutcome, Failure, source_line};
use crate::scan::PathPatterns;
use crate::store::{ChunkPlace, ExportRow, Store};
use clap::{Args, ValueEnum};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Print all chunks with their tokens and places, in the order of paths.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve export corpus.db --format jsonl > corpus.jsonl")]
pub struct ExportArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Only chunks of these files: a pattern as in .gitignore, below the ingested folder; a leading ! excludes them.
    #[arg(long, value_name = "GLOB")]
    path: Vec<String>,
    /// One JSON object per line, or one Markdown document.
    #[arg(long, default_value = "jsonl")]
    format: ExportFormat,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// One JSON object per line.
    Jsonl,
    /// One section per chunk.
    Markdown,
}

/// Runs the command.
pub fn run(args: &ExportArgs, _context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut written = Ok(());
    let patterns = PathPatterns::new(&args.path);
    store.listings().export(&mut |row| {
        if row.sources.iter().any(|source| is_chosen(&patterns, source)) {
            written = write(&mut out, args.format, &row);
        }
        written.is_ok()
    })?;
    written?;
    out.flush()?;
    Ok(CommandOutcome::Done)
}

/// True when the patterns select the file or a copy of it.
fn is_chosen(patterns: &PathPatterns, source: &ChunkPlace) -> bool {
    patterns.choose(&source.relative_path)
        || source.duplicates.iter().any(|copy| patterns.choose(&copy.relative_path))
}

fn write(out: &mut impl Write, format: ExportFormat, row: &ExportRow) -> io::Result<()> {
    match format {
        ExportFormat::Jsonl => {
            serde_json::to_writer(&mut *out, row)?;
            out.write_all(b"\n")
        }
        ExportFormat::Markdown => {
            for source in &row.sources {
                writeln!(out, "<!-- {} -->", source_line::source_line(source).replace("--", "- -"))?;
            }
            writeln!(out, "<!-- {} tokens, {} -->\n\n{}\n", row.tokens, row.content_hash, row.content)
        }
    }
}
