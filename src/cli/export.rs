//! `pensieve export`: the chunks with their sources, for other programs.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::vectors::VectorArgs;
use super::shared::{signal, source_line, terminal};
use crate::config::parse_size;
use crate::export::{
    ChooseRow, ExportError, LeftOut, ParquetOptions, ParquetSummary, RepeatCutter, write_parquet,
};
use clap::{Args, ValueEnum};
use pensieve_store::repetition::families;
use pensieve_store::scan::PathPatterns;
use pensieve_store::store::{ChunkPlace, ExportRow, Store};
use pensieve_text::model::numbers::{bytes, count, counted};
use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Print all chunks with their tokens and places, in the order of paths, or write them as Parquet files.
///
/// Parquet goes to a folder: `part-0000.parquet` and so on, which appear when all of them are complete, in place of those
/// of an earlier export. The same corpus gives the same bytes. DuckDB, polars, pandas and others read the folder as a table
/// with one row for each chunk.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve export corpus.db --format parquet --out chunks")]
pub struct ExportArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Only chunks of these files: a pattern as in .gitignore, below the ingested folder; a leading ! excludes them.
    #[arg(long, value_name = "GLOB")]
    path: Vec<String>,
    /// One JSON object per line, one Markdown document, or Parquet files.
    #[arg(long, default_value = "jsonl")]
    format: ExportFormat,
    /// Leave out chunks of which an earlier document has at least nine tenths, and of others the sentences that it has, by the
    /// ledger of repetition (`pensieve repeats`).
    #[arg(long)]
    without_repeats: bool,
    /// Leave out documents that are nearly equal to an earlier one.
    #[arg(long)]
    without_near: bool,
    /// Add a weight: one divided by the number of documents that are nearly equal to that of the chunk, and it itself.
    #[arg(long)]
    weight: bool,
    /// The folder of the Parquet files: new, empty, or that of an earlier export, which is replaced.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    vectors: VectorArgs,
    /// A Parquet file ends when it has this size, and the next one begins.
    #[arg(long, value_name = "SIZE", value_parser = part_size, default_value = "256 MiB")]
    part_size: u64,
    /// Print one JSON object about the Parquet files.
    #[arg(long)]
    json: bool,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// One JSON object per line.
    Jsonl,
    /// One section per chunk.
    Markdown,
    /// Files with one row per chunk, in the folder that --out names.
    Parquet,
}

fn part_size(text: &str) -> Result<u64, String> {
    let size = parse_size(text).filter(|size| *size > 0);
    size.ok_or_else(|| "a size such as `256 MiB` is needed".to_owned())
}

/// Runs the command.
pub fn run(args: &ExportArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let folder = check(args)?;
    let corpus = Store::open_for_reading(&args.database)?;
    let patterns = PathPatterns::new(&args.path);
    let asks_ledger = args.without_repeats || args.without_near || args.weight;
    if asks_ledger && !corpus.repetition().is_current()? {
        return Err(Failure::Usage {
            message: format!("`{}` has no ledger of repetition", args.database.display()),
            hint: format!("`pensieve repeats {}` makes one", args.database.display()),
        });
    }
    let mut cutter = RepeatCutter::new(&corpus);
    let weights = args.weight.then(|| family_sizes(&corpus)).transpose()?;
    let mut left_out = LeftOut::default();
    let mut choose = |row: ExportRow| {
        if !row.sources.iter().any(|source| is_chosen(&patterns, source)) {
            return Ok(None);
        }
        let is_near = row.repetition.as_ref().is_some_and(|entry| entry.near.is_some());
        if args.without_near && is_near {
            (left_out.chunks, left_out.tokens) = (left_out.chunks + 1, left_out.tokens + row.tokens as u64);
            return Ok(None);
        }
        // A chunk with several places counts where it has the fewest others beside it.
        let size = |sizes: &HashMap<i64, u64>| {
            row.sources.iter().map(|source| sizes.get(&source.file_id).copied().unwrap_or(1)).min()
        };
        let weight = weights.as_ref().and_then(size).map(|size| 1.0 / size as f64);
        let row = ExportRow { weight, ..row };
        if args.without_repeats { cutter.cut(row) } else { Ok(Some(row)) }
    };
    match folder {
        Some(folder) => export_files(args, folder, &corpus, &mut choose, context)?,
        None => corpus.at_one_moment(|corpus| print(args, corpus, &mut choose))?,
    }
    if args.without_repeats || args.without_near {
        let cut = cutter.left_out;
        context.say(&format!(
            "{} left out that earlier documents have, {} cut at sentences, {} tokens saved",
            counted(left_out.chunks + cut.chunks, "chunk"),
            count(cut.cut),
            count(left_out.tokens + cut.tokens)
        ));
    }
    Ok(CommandOutcome::Done)
}

/// By the id of a document, how many there are in its family of nearly equal ones.
fn family_sizes(corpus: &Store) -> Result<HashMap<i64, u64>, Failure> {
    let families = families(&corpus.repetition().near_pairs()?);
    let sizes = families.into_iter().flat_map(|family| {
        let size = family.len() as u64;
        family.into_iter().map(move |file_id| (file_id, size))
    });
    Ok(sizes.collect())
}

/// The folder of an export to files.
fn check(args: &ExportArgs) -> Result<Option<&Path>, Failure> {
    let usage = |message: &str, hint: &str| {
        Err(Failure::Usage { message: message.to_owned(), hint: hint.to_owned() })
    };
    match (args.format, &args.out) {
        (ExportFormat::Parquet, Some(folder)) => Ok(Some(folder)),
        (ExportFormat::Parquet, None) => {
            usage("Parquet files need a folder", "name one that is new or empty with --out DIR")
        }
        (_, Some(_)) => {
            usage("--out is for Parquet files", "add --format parquet, or redirect the output with >")
        }
        (ExportFormat::Markdown, None) if args.json || args.vectors.is_given() => {
            usage("--json and --vectors are not for Markdown", "use --format jsonl or --format parquet")
        }
        (_, None) => Ok(None),
    }
}

fn export_files(
    args: &ExportArgs,
    folder: &Path,
    corpus: &Store,
    choose: &mut ChooseRow<'_>,
    context: &CommandContext,
) -> Result<(), Failure> {
    let options = ParquetOptions {
        folder: folder.to_path_buf(),
        part_bytes: args.part_size,
        vectors: args.vectors.choose(corpus)?,
    };
    let interrupt = signal::watch()?;
    let written: Result<ParquetSummary, ExportError> =
        corpus.at_one_moment(|corpus| write_parquet(corpus, &options, choose, &interrupt));
    let written = written?;
    if args.json {
        return context.print_json(&written);
    }
    let (rows, files) = (counted(written.rows, "chunk"), counted(written.files.len() as u64, "file"));
    let folder = terminal::line(&folder.to_string_lossy()).into_owned();
    context.say(&format!("{rows} in {files} of {folder}, {}", bytes(written.bytes)));
    Ok(())
}

fn print(args: &ExportArgs, corpus: &Store, choose: &mut ChooseRow<'_>) -> Result<(), Failure> {
    let vectors = args.vectors.choose(corpus)?;
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut written: Result<(), Failure> = Ok(());
    corpus.listings().export(vectors.as_ref(), &mut |row| {
        written = choose(row)
            .map_err(Failure::from)
            .and_then(|row| row.map_or(Ok(()), |row| Ok(write(&mut out, args.format, &row)?)));
        written.is_ok()
    })?;
    written?;
    Ok(out.flush()?)
}

/// True when the patterns select the file or a copy of it.
fn is_chosen(patterns: &PathPatterns, source: &ChunkPlace) -> bool {
    patterns.choose(&source.relative_path)
        || source.duplicates.iter().any(|copy| patterns.choose(&copy.relative_path))
}

fn write(out: &mut impl Write, format: ExportFormat, row: &ExportRow) -> io::Result<()> {
    if format == ExportFormat::Markdown {
        for source in &row.sources {
            writeln!(out, "<!-- {} -->", source_line::source_line(source).replace("--", "- -"))?;
        }
        return writeln!(out, "<!-- {} tokens, {} -->\n\n{}\n", row.tokens, row.content_hash, row.content);
    }
    serde_json::to_writer(&mut *out, row)?;
    out.write_all(b"\n")
}
