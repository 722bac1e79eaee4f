//! `pensieve table`: the cells of one table.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::grid::{Grid, GridFormat};
use crate::export::write_table;
use clap::Args;
use pensieve_store::retrieval::table_rows;
use pensieve_store::store::{SqlValue, Store, StoredTable};
use serde::Serialize;
use std::path::PathBuf;

/// Show a table: as Markdown, as CSV with values, or as JSON with the place and the citation of each cell.
///
/// Numbers of CSV and JSON are numbers, whatever they look like: `(1,577)` is -1577. What a person sees is in Markdown, in the `text` of
/// JSON, and in CSV with --shown.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve table corpus.db t1 --format csv")]
pub struct TableArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// The table, as `pensieve tables` names it.
    #[arg(value_name = "ID")]
    id: String,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    format: GridFormat,
    /// As --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Print what a person sees instead of values.
    #[arg(long)]
    shown: bool,
    /// Leave out this many rows at the beginning.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Write all rows to this new file, as Parquet.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "json", "shown", "offset", "limit"])]
    out: Option<PathBuf>,
    /// Rows at most.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// A table with its rows.
#[derive(Serialize)]
struct TableView<'t, R> {
    #[serde(flatten)]
    table: &'t StoredTable,
    cells: R,
}

/// Runs the command.
pub fn run(args: &TableArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let number = args.id.trim_start_matches(['t', 'T']).parse().ok();
    let Some(table) = number.map(|id| store.tables().get(id)).transpose()?.flatten() else {
        return Err(Failure::Usage {
            message: format!("there is no table `{}`", args.id),
            hint: "`pensieve tables` lists them".to_owned(),
        });
    };
    if let Some(path) = &args.out {
        write_table(&store, &table, path)?;
        return Ok(CommandOutcome::Done);
    }
    let first = args.offset.saturating_add(1);
    let rows = first..args.limit.map_or(usize::MAX, |limit| first.saturating_add(limit));
    let format = if args.json { GridFormat::Json } else { args.format };
    if format == GridFormat::Json {
        context.print_json(&TableView { table: &table, cells: table_rows(&store, &table, rows)? })?;
        return Ok(CommandOutcome::Done);
    }
    let is_shown = args.shown || format == GridFormat::Markdown;
    let names = table.columns.iter().map(|column| column.name.clone()).collect();
    let mut grid = Grid::begin(names, format, context)?;
    let mut failed = None;
    store.tables().each_row(&table, &mut |row| {
        if row.number >= rows.end {
            return false;
        }
        if row.number >= rows.start {
            let value = |(cell, kind): (&pensieve_text::tables::TableCell, _)| match is_shown {
                true => SqlValue::Text(cell.shown.clone()),
                false => SqlValue::of_cell(cell, kind),
            };
            let kinds = table.columns.iter().map(|column| column.kind);
            failed = grid.row(&row.cells.iter().zip(kinds).map(value).collect::<Vec<_>>()).err();
        }
        failed.is_none()
    })?;
    match failed {
        Some(failure) => Err(failure),
        None => Ok(CommandOutcome::Done),
    }
}
