//! `pensieve tables`: which tables documents have.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::terminal;
use clap::Args;
use pensieve_store::store::{Store, StoredTable, TableFilter};
use pensieve_text::model::locator_words;
use pensieve_text::model::numbers::counted;
use std::path::PathBuf;

/// Columns that are named in a line.
const MAX_NAMED_COLUMNS: usize = 8;

/// List the tables of documents, or find those about something.
///
/// With words, tables come best first, by titles, headings, paths, columns and labels of rows. `pensieve table` shows one, `pensieve sql`
/// answers questions about several.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve tables corpus.db 'net income 2018'")]
pub struct TablesArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Words to look for.
    #[arg(value_name = "WORDS")]
    words: Vec<String>,
    /// Only tables of documents with this in their path.
    #[arg(long, value_name = "TEXT")]
    path: Option<String>,
    /// Tables at most.
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &TablesArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let filter = TableFilter { words: args.words.join(" "), path: args.path.clone(), limit: args.limit };
    let tables = store.tables().find(&filter)?;
    for table in &tables {
        match args.json {
            true => context.print_json(table)?,
            false => context.print(&line(table))?,
        }
    }
    if !args.json {
        context.say(&counted(tables.len() as u64, "table"));
    }
    Ok(CommandOutcome::Done)
}

/// `t12  /reports/a.pdf  page 56  Income  24 rows: label, 2018, 2017`
fn line(table: &StoredTable) -> String {
    let mut parts = vec![format!("t{}", table.table_id), table.path.clone()];
    parts.extend(table.locator.as_ref().map(|locator| locator_words(locator, "-").join("  ")));
    parts.extend(table.title.clone());
    let mut names: Vec<&str> =
        table.columns.iter().take(MAX_NAMED_COLUMNS).map(|column| column.name.as_str()).collect();
    if table.columns.len() > MAX_NAMED_COLUMNS {
        names.push("…");
    }
    parts.push(format!("{}: {}", counted(table.rows, "row"), names.join(", ")));
    format!("{}\n", terminal::line(&parts.join("  ")))
}
