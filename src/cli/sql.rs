//! `pensieve sql`: questions in SQL about tables of documents.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::grid::{Grid, GridFormat};
use clap::Args;
use pensieve_store::retrieval::cited_select;
use pensieve_store::store::{QueryLimits, SelectError, Store};
use std::path::PathBuf;
use std::time::Duration;

/// Bytes of an answer, at most.
const MAX_ANSWER_BYTES: usize = 256 << 20;

/// Answer a SELECT over the tables of documents.
///
/// Each table is one for SQLite: t12 with its values, t12_text with what a person sees, both with `row`, its number, and `section`, the
/// label of a group of rows where there are such; and `tables` is the list of them. The statement cannot change anything.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve sql corpus.db 'SELECT * FROM t1 WHERE row < 3'")]
pub struct SqlArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// The statement.
    #[arg(value_name = "SELECT")]
    statement: String,
    /// How rows are printed.
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    format: GridFormat,
    /// As --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Rows at most.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
    /// How long it may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    timeout: u64,
}

/// Runs the command.
pub fn run(args: &SqlArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let limits =
        QueryLimits { rows: args.limit, bytes: MAX_ANSWER_BYTES, time: Duration::from_secs(args.timeout) };
    let format = if args.json { GridFormat::Json } else { args.format };
    if format == GridFormat::Json {
        context.print_json(&cited_select(&store, &args.statement, &limits).map_err(failure)?)?;
        return Ok(CommandOutcome::Done);
    }
    let answer = store.tables().select(&args.statement, &limits).map_err(failure)?;
    let mut grid = Grid::begin(answer.columns, format, context)?;
    for row in &answer.rows {
        grid.row(row)?;
    }
    if answer.is_cut {
        context.warn(&format!("there are more than {} rows: --limit raises that", answer.rows.len()));
    }
    Ok(CommandOutcome::Done)
}

fn failure(error: SelectError) -> Failure {
    match error {
        SelectError::Store(error) => error.into(),
        error => Failure::Usage {
            message: error.to_string(),
            hint: "`pensieve tables` lists the tables with their columns".to_owned(),
        },
    }
}
