//! The tools `find_tables` and `query_table`: tables of documents, and their values with citations.

use super::corpora::CorpusView;
use super::error::ToolError;
use super::parameters::{ParameterKind, ToolArguments, ToolParameter};
use super::shared_parameters::CORPUS;
use pensieve_store::retrieval::{CellUse, RowQuery, cited_rows, cited_select};
use pensieve_store::store::{QueryLimits, SelectError, SqlValue, StoredTable, TableFilter};
use pensieve_text::model::locator_words;
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// Characters of labels that a table in a list shows.
const MAX_LABEL_CHARS: usize = 300;
/// Columns that it names.
const MAX_COLUMNS: usize = 30;
/// How much one query may take.
const TIME: Duration = Duration::from_secs(10);
const BYTES: usize = 64 << 10;

const QUERY: ToolParameter = ToolParameter {
    name: "query",
    about: "Words of titles, columns, row labels, paths",
    kind: ParameterKind::RequiredText,
};
const PATH_PART: ToolParameter =
    ToolParameter { name: "path", about: "Part of the path", kind: ParameterKind::Text };
const FOUND: ToolParameter = ToolParameter {
    name: "limit",
    about: "",
    kind: ParameterKind::Number { least: 1, most: 50, default: Some(10) },
};
const TABLE: ToolParameter = ToolParameter { name: "table", about: "t12", kind: ParameterKind::Text };
const COLUMNS: ToolParameter =
    ToolParameter { name: "columns", about: "Default: all", kind: ParameterKind::Texts };
const WHERE: ToolParameter = ToolParameter {
    name: "where",
    about: "SQL condition: label LIKE '%tax%' AND \"2018\" > 5",
    kind: ParameterKind::Text,
};
const AGGREGATE: ToolParameter = ToolParameter {
    name: "aggregate",
    about: "SQL instead of rows: avg(\"2018\")",
    kind: ParameterKind::Text,
};
const SQL: ToolParameter = ToolParameter {
    name: "sql",
    about: "Instead of all these: a SELECT over t12, t7, ...; t12_text has cells as shown",
    kind: ParameterKind::Text,
};
const ROWS: ToolParameter = ToolParameter {
    name: "limit",
    about: "",
    kind: ParameterKind::Number { least: 1, most: 500, default: Some(30) },
};

/// The parameters of `find_tables`.
pub const FIND_PARAMETERS: &[ToolParameter] = &[QUERY, CORPUS, PATH_PART, FOUND];
/// The parameters of `query_table`.
pub const QUERY_PARAMETERS: &[ToolParameter] = &[CORPUS, TABLE, COLUMNS, WHERE, AGGREGATE, SQL, ROWS];

/// A table in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListedTable {
    #[serde(skip_serializing_if = "Option::is_none")]
    corpus: Option<String>,
    table: String,
    relative_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    rows: u64,
    columns: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    labels: String,
}

/// The result of `find_tables`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TablesAnswer {
    tables: Vec<ListedTable>,
}

/// The result of `query_table`: rows, with the tables and cells they come from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableQueryAnswer {
    columns: Vec<String>,
    rows: Vec<Vec<SqlValue>>,
    /// True if there are more.
    cut: bool,
    tables: Vec<ListedTable>,
    /// The cells that the answer is made of, or that have its values.
    cells: Vec<CellUse>,
}

/// Finds tables of one corpus.
pub fn find_tables(view: &CorpusView<'_>, arguments: &ToolArguments) -> Result<Vec<ListedTable>, ToolError> {
    let filter = TableFilter {
        words: arguments.text(QUERY.name).unwrap_or_default().to_owned(),
        path: arguments.text(PATH_PART.name).map(str::to_owned),
        limit: arguments.number_of(&FOUND),
    };
    Ok(view.store.tables().find(&filter)?.iter().map(|table| listed(table, true)).collect())
}

/// The tables of several corpora take turns.
pub fn merge_tables(answers: Vec<(String, Vec<ListedTable>)>, limit: usize) -> TablesAnswer {
    let is_named = answers.len() > 1;
    let of_one = |(name, tables): (String, Vec<ListedTable>)| {
        let named = move |table| ListedTable { corpus: is_named.then(|| name.clone()), ..table };
        tables.into_iter().map(named).enumerate()
    };
    let mut ranked: Vec<(usize, ListedTable)> = answers.into_iter().flat_map(of_one).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    TablesAnswer { tables: ranked.into_iter().map(|(_, table)| table).take(limit).collect() }
}

/// How many tables are wanted.
pub fn tables_wanted(arguments: &ToolArguments) -> usize {
    arguments.number_of(&FOUND)
}

/// Answers a question about tables of one corpus.
pub fn query_table(view: &CorpusView<'_>, arguments: &ToolArguments) -> Result<TableQueryAnswer, ToolError> {
    let limits = QueryLimits { rows: arguments.number_of(&ROWS), bytes: BYTES, time: TIME };
    let text = |parameter: &ToolParameter| arguments.text(parameter.name).map(str::to_owned);
    let answer = match (text(&SQL), text(&TABLE)) {
        (Some(sql), _) => cited_select(view.store, &sql, &limits),
        (None, Some(table)) => {
            let query = RowQuery {
                table,
                columns: arguments.texts(COLUMNS.name),
                condition: text(&WHERE),
                aggregate: text(&AGGREGATE),
            };
            cited_rows(view.store, &query, &limits)
        }
        (None, None) => return Err(ToolError::new("give a `table`, or `sql`; `find_tables` finds tables")),
    };
    let answer = answer.map_err(|error| match error {
        SelectError::Store(error) => error.into(),
        error => ToolError::new(error.to_string()),
    })?;
    let tables = answer.tables.iter().map(|table| listed(table, false)).collect();
    Ok(TableQueryAnswer {
        columns: answer.columns,
        rows: answer.rows,
        cut: answer.is_cut,
        tables,
        cells: answer.cells,
    })
}

fn listed(table: &StoredTable, with_columns: bool) -> ListedTable {
    let column = |column: &pensieve_text::tables::TableColumn| {
        let mut words = format!("{} ({}", column.name, column.kind.as_str());
        words.extend(column.unit.iter().map(|unit| format!(", {unit}")));
        words.extend(column.scale.map(|scale| format!(", x {scale}")));
        words + ")"
    };
    let mut columns: Vec<String> = table.columns.iter().take(MAX_COLUMNS).map(column).collect();
    if table.layout.has_sections {
        columns.insert(0, "section (text)".to_owned());
    }
    if table.columns.len() > MAX_COLUMNS {
        columns.push(format!("{} more", table.columns.len() - MAX_COLUMNS));
    }
    let labels = table.labels.replace('\n', "; ");
    ListedTable {
        corpus: None,
        table: format!("t{}", table.table_id),
        relative_path: table.relative_path.clone(),
        place: table.locator.as_ref().map(place_in_words),
        title: table.title.clone(),
        rows: table.rows,
        columns,
        labels: if with_columns { labels.chars().take(MAX_LABEL_CHARS).collect() } else { String::new() },
    }
}

fn place_in_words(locator: &Value) -> String {
    locator_words(locator, "-").join(", ")
}

impl ListedTable {
    fn text(&self) -> String {
        let corpus = self.corpus.iter().map(|name| format!("{name} | ")).collect::<String>();
        let parts = [Some(&self.relative_path), self.place.as_ref(), self.title.as_ref()];
        let head: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        let mut text = format!(
            "{corpus}{}: {}\n  {} rows: {}\n",
            self.table,
            head.join(" | "),
            self.rows,
            self.columns.join("; ")
        );
        if !self.labels.is_empty() {
            text.push_str(&format!("  labels: {}\n", self.labels));
        }
        text
    }
}

impl TablesAnswer {
    /// The answer as text: two or three lines a table.
    pub fn text(&self) -> String {
        match self.tables.is_empty() {
            true => "no such tables\n".to_owned(),
            false => self.tables.iter().map(ListedTable::text).collect(),
        }
    }
}

impl TableQueryAnswer {
    /// The answer as text: the rows, the tables and the cells with their citations.
    pub fn text(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(self.columns.clone());
        self.rows.iter().for_each(|row| text.push_str(&line(row.iter().map(SqlValue::to_text).collect())));
        if self.cut {
            text.push_str("more rows: raise `limit` or ask for less\n");
        }
        self.tables.iter().for_each(|table| text.push_str(&table.text()));
        for cell in &self.cells {
            text.push_str(&format!(
                "{} row {} {}: {} [{}]\n",
                cell.table, cell.row, cell.column, cell.text, cell.citation
            ));
        }
        text
    }
}
