//! Rows of values as Markdown or CSV.

use super::context::CommandContext;
use super::failure::Failure;
use clap::ValueEnum;
use pensieve_store::store::SqlValue;

/// How rows are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GridFormat {
    /// A table for people and models.
    Markdown,
    /// Comma-separated values.
    Csv,
    /// One JSON object.
    Json,
}

/// Rows that are being printed.
pub struct Grid<'c> {
    format: GridFormat,
    context: &'c CommandContext,
}

impl<'c> Grid<'c> {
    /// Prints the names of columns.
    pub fn begin(
        names: Vec<String>,
        format: GridFormat,
        context: &'c CommandContext,
    ) -> Result<Grid<'c>, Failure> {
        let mut grid = Grid { format, context };
        let count = names.len();
        grid.row(&names.into_iter().map(SqlValue::Text).collect::<Vec<_>>())?;
        if format == GridFormat::Markdown {
            context.print(&format!("|{}\n", " - |".repeat(count)))?;
        }
        Ok(grid)
    }

    /// Prints a row.
    pub fn row(&mut self, values: &[SqlValue]) -> Result<(), Failure> {
        let line = match self.format {
            GridFormat::Csv => values.iter().map(csv).collect::<Vec<_>>().join(","),
            _ => format!("| {} |", values.iter().map(markdown).collect::<Vec<_>>().join(" | ")),
        };
        self.context.print_foreign(&format!("{line}\n"))
    }
}

fn csv(value: &SqlValue) -> String {
    let text = value.to_text();
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

fn markdown(value: &SqlValue) -> String {
    value.to_text().replace('|', "\\|").replace(['\n', '\r'], " ")
}
