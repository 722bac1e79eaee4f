//! `pensieve list`: the documents of a corpus with what is known of them.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::filters::FilterArgs;
use super::shared::terminal;
use clap::Args;
use clap::builder::PossibleValuesParser;
use pensieve_store::store::{ListSort, ListedDocument, Store};
use pensieve_text::model::numbers::counted;
use pensieve_text::text::fields::Field;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use unicode_width::UnicodeWidthStr;

/// List documents with title, author, date and the like, chosen and sorted by these.
///
/// What a document does not say of itself is left empty; a date is then that of its last change. The filters are those of
/// `search`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pensieve list corpus.db --after 2024 --sort date --columns date,author,path"
)]
pub struct ListArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    #[command(flatten)]
    filters: FilterArgs,
    /// What is shown, in this order.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "date,type,language,author,title,path",
          value_parser = PossibleValuesParser::new(COLUMNS.map(|(name, _)| name)))]
    columns: Vec<String>,
    /// What the list is sorted by; documents without it come last.
    #[arg(long, value_name = "NAME", default_value = "path",
          value_parser = PossibleValuesParser::new(COLUMNS.map(|(name, _)| name)))]
    sort: String,
    /// The last, latest or largest first.
    #[arg(long)]
    reverse: bool,
    /// Maximum number of documents.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Number of documents to skip.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Print one JSON object per line, with everything that is known.
    #[arg(long)]
    json: bool,
}

/// Columns, by which the list may also be sorted.
const COLUMNS: [(&str, ListSort); 16] = [
    ("path", ListSort::Path),
    ("type", ListSort::Type),
    ("size", ListSort::Size),
    ("tokens", ListSort::Tokens),
    ("title", ListSort::Field(Field::Title)),
    ("author", ListSort::Field(Field::Author)),
    ("date", ListSort::Field(Field::Date)),
    ("modified", ListSort::Field(Field::Modified)),
    ("language", ListSort::Field(Field::Language)),
    ("from", ListSort::Field(Field::From)),
    ("to", ListSort::Field(Field::To)),
    ("subject", ListSort::Field(Field::Subject)),
    ("tag", ListSort::Field(Field::Tag)),
    ("url", ListSort::Field(Field::Url)),
    ("isbn", ListSort::Field(Field::Isbn)),
    ("doi", ListSort::Field(Field::Doi)),
];

/// Columns of a terminal that one of the list takes at most, but for the last one.
const MAX_WIDTH: usize = 40;

/// Runs the command.
pub fn run(args: &ListArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let order = (column(&args.sort), args.reverse);
    let part = (args.offset, args.limit.unwrap_or(usize::MAX));
    let (documents, total) = store.documents().listed(&args.filters.0, order, part)?;
    if args.json {
        documents.iter().try_for_each(|document| context.print_json(&object(document)))?;
        return Ok(CommandOutcome::Done);
    }
    let columns: Vec<ListSort> = args.columns.iter().map(|name| column(name)).collect();
    let cells = |document: &ListedDocument| columns.iter().map(|column| cell(document, *column)).collect();
    let rows: Vec<Vec<String>> =
        std::iter::once(args.columns.clone()).chain(documents.iter().map(cells)).collect();
    if !documents.is_empty() {
        context.print(&table(&rows))?;
    }
    let shown = if documents.len() == total { String::new() } else { format!("{} of ", documents.len()) };
    context.say(&format!("{shown}{}", counted(total as u64, "document")));
    Ok(CommandOutcome::Done)
}

fn column(name: &str) -> ListSort {
    COLUMNS.iter().find(|(known, _)| *known == name).map_or(ListSort::Path, |(_, column)| *column)
}

/// A value of a document as a line shows it.
fn cell(document: &ListedDocument, column: ListSort) -> String {
    let row = &document.row;
    match column {
        ListSort::Path => terminal::line(&row.name).into_owned(),
        ListSort::Type => row.format.clone().unwrap_or_default(),
        ListSort::Size => row.size.to_string(),
        ListSort::Tokens => row.tokens.map(|tokens| tokens.to_string()).unwrap_or_default(),
        ListSort::Field(field) => {
            let values = document.values(field).map(|value| match field {
                // The day of a time.
                Field::Date | Field::Modified => value.get(..10).unwrap_or(value),
                _ => value,
            });
            terminal::line(&values.collect::<Vec<_>>().join(", ")).into_owned()
        }
    }
}

/// Rows with columns below each other.
fn table(rows: &[Vec<String>]) -> String {
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.width()).max();
    let count = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..count).map(|at| width(at).unwrap_or(0).min(MAX_WIDTH)).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            if at + 1 == count {
                line.push_str(cell);
                break;
            }
            let shown = shortened(cell);
            line.push_str(&shown);
            line.push_str(&" ".repeat(widths[at].saturating_sub(shown.width()) + 2));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// As much of a text as a column has room for.
fn shortened(text: &str) -> String {
    if text.width() <= MAX_WIDTH {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if out.width() >= MAX_WIDTH {
            out.pop();
            break;
        }
    }
    out + "…"
}

/// Everything that is known of a document: one value, or a list where there may be several.
fn object(document: &ListedDocument) -> Value {
    let row = &document.row;
    let mut out = Map::new();
    out.insert("path".to_owned(), json!(row.full_path));
    out.insert("relative_path".to_owned(), json!(row.relative_path));
    out.insert("doc_uid".to_owned(), json!(row.doc_uid));
    out.insert("type".to_owned(), json!(row.format));
    out.insert("size".to_owned(), json!(row.size));
    out.insert("tokens".to_owned(), json!(row.tokens));
    for (field, _) in Field::NAMES {
        let values: Vec<&str> = document.values(field).collect();
        match field {
            Field::Author
            | Field::From
            | Field::To
            | Field::Tag
            | Field::Subject
            | Field::Url
            | Field::Isbn
            | Field::Doi => {
                out.insert(field.as_str().to_owned(), json!(values));
            }
            _ => {
                out.insert(field.as_str().to_owned(), json!(values.first()));
            }
        }
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let long = "x".repeat(60);
        let rows = [row(["date", "author", "path"]), row(["2024", "寿", "a.md"]), row(["", &long, &long])];
        let expected = format!(
            "date  author{}path\n2024  寿{}a.md\n      {}…  {long}\n",
            " ".repeat(36),
            " ".repeat(40),
            "x".repeat(39)
        );
        assert_eq!(table(&rows), expected);
    }
}
