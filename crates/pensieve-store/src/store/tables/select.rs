//! Questions in SQL about tables, in a database of their own.
//!
//! A statement never meets the corpus: it is prepared in a temporary database, and the tables that it names (`t12`, with the values of
//! cells, `t12_text`, with what a person sees, and `tables`, the list) are filled in as SQLite misses them. So nothing of the corpus can be
//! changed or read past its tables, whatever the statement; an authorizer allows questions alone, and time, rows and bytes have limits.

use super::{StoredTable, TableQueries};
use crate::store::database::error::StoreError;
use crate::store::database::serving::QueryDeadline;
use crate::store::rows::sql::{Queries, while_true};
use pensieve_text::tables::{CellValue, ColumnKind, Number, TableCell};
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Error, ErrorCode, ToSql, params_from_iter};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use thiserror::Error as ThisError;

/// Steps of SQLite's virtual machine between two looks at the clock.
const STEPS_BETWEEN_CHECKS: i32 = 4000;
/// Tables of one statement, at most.
const MAX_TABLES: usize = 32;
/// The cells of a temporary database that stay in memory; the rest is in a temporary file.
const CACHE_KIB: i64 = 16 * 1024;

/// Limits of SQLite for one statement: the longest value and statement, the depth of its expressions, the parts of a compound, the
/// program, databases beside its own, and the longest pattern.
const SQL_LIMITS: &[(Limit, i32)] = &[
    (Limit::SQLITE_LIMIT_LENGTH, 8 << 20),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 64 << 10),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
    (Limit::SQLITE_LIMIT_VDBE_OP, 250_000),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
];

/// The functions that a statement may call.
const FUNCTIONS: &[&str] = &[
    "abs",
    "avg",
    "ceil",
    "ceiling",
    "char",
    "coalesce",
    "concat",
    "concat_ws",
    "count",
    "cume_dist",
    "date",
    "datetime",
    "dense_rank",
    "exp",
    "first_value",
    "floor",
    "format",
    "glob",
    "group_concat",
    "hex",
    "ifnull",
    "iif",
    "if",
    "instr",
    "json_array",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_object",
    "julianday",
    "lag",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "ln",
    "log",
    "log10",
    "log2",
    "lower",
    "ltrim",
    "max",
    "median",
    "min",
    "mod",
    "nth_value",
    "ntile",
    "nullif",
    "octet_length",
    "percent_rank",
    "percentile",
    "pi",
    "pow",
    "power",
    "printf",
    "quote",
    "rank",
    "replace",
    "round",
    "row_number",
    "rtrim",
    "sign",
    "sqrt",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "sum",
    "time",
    "timediff",
    "total",
    "trim",
    "trunc",
    "typeof",
    "unicode",
    "unixepoch",
    "unlikely",
    "upper",
];

/// Functions of SQLite that are tables.
const JSON_TABLES: [&str; 2] = ["json_each", "json_tree"];

/// How much a statement may take.
#[derive(Debug, Clone)]
pub struct QueryLimits {
    /// Rows of the answer, at most.
    pub rows: usize,
    /// Bytes of the answer, at most.
    pub bytes: usize,
    /// How long it may take, with the reading of the tables.
    pub time: Duration,
}

/// A value of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SqlValue {
    /// Nothing.
    Null,
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Real(f64),
    /// Text.
    Text(String),
}

/// The answer to a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct SqlAnswer {
    /// The names of its columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<SqlValue>>,
    /// True if there are more rows than the limits allow.
    pub is_cut: bool,
    /// The tables that the statement names.
    pub tables: Vec<StoredTable>,
}

/// Why a statement has no answer.
#[derive(Debug, ThisError)]
pub enum SelectError {
    /// It is none that asks.
    #[error("only a SELECT is answered: {reason}")]
    Forbidden {
        /// What is not allowed.
        reason: String,
    },
    /// It names a table that is not there.
    #[error(
        "there is no table `{name}`: tables are called t1, t2, ..., their text t1_text, ..., the list of them tables"
    )]
    NoTable {
        /// The name.
        name: String,
    },
    /// It is not understood.
    #[error("{message}")]
    Invalid {
        /// What SQLite says, with the columns of the tables that it names.
        message: String,
    },
    /// It takes too long.
    #[error("no answer within {} s: ask for less, with WHERE and LIMIT", .limit.as_secs())]
    TooLong {
        /// The limit.
        limit: Duration,
    },
    /// The corpus cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl TableQueries<'_> {
    /// Answers a SELECT over tables by their names.
    ///
    /// # Errors
    /// The statement is not a SELECT, not understood, takes too long or names what is not there; or the corpus cannot be read.
    ///
    /// Cost: reads each table that it names once; memory has a limit, whatever the statement.
    pub fn select(&self, sql: &str, limits: &QueryLimits) -> Result<SqlAnswer, SelectError> {
        self.check()?;
        let deadline = Instant::now() + limits.time;
        let mut desk = Desk::open(deadline, limits.time)?;
        let mut tables: Vec<StoredTable> = Vec::new();
        for _ in 0..=MAX_TABLES {
            desk.guard()?;
            match desk.answer(sql, limits) {
                Ok((columns, rows, is_cut)) => return Ok(SqlAnswer { columns, rows, is_cut, tables }),
                Err(Missing::Table(name)) => {
                    desk.release()?;
                    tables.extend(self.fill(&desk, &name)?);
                }
                Err(Missing::Answer(error)) => return Err(with_columns(error, &tables)),
            }
        }
        Err(SelectError::Forbidden { reason: format!("it names more than {MAX_TABLES} tables") })
    }

    /// Fills a table of the temporary database; returns the table of a document that it is.
    fn fill(&self, desk: &Desk, name: &str) -> Result<Option<StoredTable>, SelectError> {
        if name == "tables" {
            self.fill_list(desk)?;
            return Ok(None);
        }
        let no_table = || SelectError::NoTable { name: name.to_owned() };
        let (id, is_text) = match name.strip_suffix("_text") {
            Some(id) => (id, true),
            None => (name, false),
        };
        let id = id.strip_prefix(['t', 'T']).and_then(|id| id.parse().ok()).ok_or_else(no_table)?;
        let table = self.get(id)?.ok_or_else(no_table)?;
        let has_sections = table.layout.has_sections;
        let mut definition = format!("CREATE TABLE {}(\"row\" INTEGER PRIMARY KEY", quoted(name));
        if has_sections {
            definition.push_str(", \"section\" TEXT");
        }
        for column in &table.columns {
            // No type for what may be both: SQLite would make numbers of words.
            let kind = match column.kind {
                ColumnKind::Text | ColumnKind::Date => " TEXT",
                _ if is_text => " TEXT",
                _ => "",
            };
            definition.push_str(&format!(", {}{kind}", quoted(&column.name)));
        }
        definition.push(')');
        let count = table.columns.len() + 1 + usize::from(has_sections);
        let places: Vec<String> = (1..=count).map(|at| format!("?{at}")).collect();
        desk.work(|connection| {
            connection.execute_batch(&definition)?;
            connection.execute_batch("BEGIN")
        })?;
        let sql = format!("INSERT INTO {} VALUES({})", quoted(name), places.join(","));
        let mut failed = None;
        let kinds: Vec<ColumnKind> = table.columns.iter().map(|column| column.kind).collect();
        self.each_row(&table, &mut |row| {
            let mut values = vec![SqlValue::Integer(row.number as i64)];
            if has_sections {
                values.push(row.section.map_or(SqlValue::Null, SqlValue::Text));
            }
            let value = |(cell, kind): (&TableCell, &ColumnKind)| match is_text {
                true => SqlValue::of_text(&cell.shown),
                false => SqlValue::of_cell(cell, *kind),
            };
            values.extend(row.cells.iter().zip(&kinds).map(value));
            let is_late = row.number % 1024 == 0 && desk.is_late();
            match desk.work(|connection| connection.run(&sql, params_from_iter(values))) {
                Ok(_) if is_late => failed = Some(desk.too_long()),
                Ok(_) => {}
                Err(error) => failed = Some(error),
            }
            failed.is_none()
        })?;
        if let Some(failed) = failed {
            return Err(failed);
        }
        desk.work(|connection| connection.execute_batch("COMMIT"))?;
        Ok(Some(table))
    }

    /// Fills the list of tables.
    fn fill_list(&self, desk: &Desk) -> Result<(), SelectError> {
        desk.work(|connection| {
            connection.execute_batch(
                "CREATE TABLE tables(name TEXT, path TEXT, number INTEGER, title TEXT, heading_path TEXT, locator TEXT, columns INTEGER,
                     rows INTEGER, header_rows INTEGER, column_names TEXT)",
            )
        })?;
        let sql = "SELECT 't' || t.table_id, f.full_filepath, t.number, t.title, t.heading_path, t.locator, t.columns, t.rows, t.header_rows,
                       (SELECT group_concat(c.value ->> 'name', '; ') FROM json_each(t.layout, '$.columns') c)
                   FROM tables t JOIN files f ON f.file_id = t.file_id ORDER BY t.table_id";
        let mut failed = None;
        self.0.ask(|connection| {
            connection.each(sql, [], |row| {
                let values: rusqlite::Result<Vec<SqlValue>> =
                    (0..10).map(|at| Ok(sql_value(row.get_ref(at)?))).collect();
                let values = values?;
                let insert = "INSERT INTO tables VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
                failed = desk.work(|connection| connection.run(insert, params_from_iter(values))).err();
                Ok(while_true(failed.is_none()))
            })
        })?;
        failed.map_or(Ok(()), Err)
    }
}

/// The error with the columns that there are, if one is missing.
fn with_columns(error: SelectError, tables: &[StoredTable]) -> SelectError {
    match error {
        SelectError::Invalid { message } if message.contains("no such column") && !tables.is_empty() => {
            let columns = |table: &StoredTable| {
                let section = if table.layout.has_sections { ", \"section\"" } else { "" };
                let names: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
                format!("t{} has \"row\"{section}, {}", table.table_id, names.join(", "))
            };
            let known: Vec<String> = tables.iter().map(columns).collect();
            SelectError::Invalid { message: format!("{message}; {}", known.join("; ")) }
        }
        error => error,
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl SqlValue {
    /// The value of a cell in a column; one that is no number has none in a column of numbers, so that sums and means are right.
    pub fn of_cell(cell: &TableCell, kind: ColumnKind) -> SqlValue {
        match (&cell.value, kind) {
            (CellValue::Number(Number::Integer(number)), _) => SqlValue::Integer(*number),
            (CellValue::Number(Number::Real(number)), _) => SqlValue::Real(*number),
            (CellValue::Date(date), _) => SqlValue::Text(date.clone()),
            (CellValue::Text, ColumnKind::Text | ColumnKind::Mixed | ColumnKind::Empty) => {
                SqlValue::of_text(&cell.shown)
            }
            _ => SqlValue::Null,
        }
    }

    fn of_text(text: &str) -> SqlValue {
        if text.is_empty() { SqlValue::Null } else { SqlValue::Text(text.to_owned()) }
    }

    /// As text; nothing for null.
    pub fn to_text(&self) -> String {
        match self {
            SqlValue::Null => String::new(),
            SqlValue::Integer(number) => number.to_string(),
            SqlValue::Real(number) => number.to_string(),
            SqlValue::Text(text) => text.clone(),
        }
    }
}

impl ToSql for SqlValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            SqlValue::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            SqlValue::Integer(number) => ToSqlOutput::Borrowed(ValueRef::Integer(*number)),
            SqlValue::Real(number) => ToSqlOutput::Borrowed(ValueRef::Real(*number)),
            SqlValue::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

/// What a statement lacks: a table that may be filled in, or everything.
enum Missing {
    Table(String),
    Answer(SelectError),
}

/// The temporary database of one statement.
struct Desk {
    connection: Connection,
    limit: Duration,
    deadline: QueryDeadline,
    refused: Arc<Mutex<Option<String>>>,
}

/// Rows of an answer: the names of their columns, themselves, and whether there are more.
type AnswerRows = (Vec<String>, Vec<Vec<SqlValue>>, bool);

impl Desk {
    fn open(deadline: Instant, limit: Duration) -> Result<Desk, SelectError> {
        let deadline = QueryDeadline::at(deadline);
        let prepare = || -> rusqlite::Result<Connection> {
            // A database without a name is a temporary file that nobody else can open, and most of it stays in memory.
            let mut connection = Connection::open("")?;
            connection.execute_batch(&format!(
                "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -{CACHE_KIB};
                 PRAGMA trusted_schema = OFF"
            ))?;
            // `"no such column"` is an error, not a text.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
            for (limit, value) in SQL_LIMITS {
                connection.set_limit(*limit, *value)?;
            }
            let deadline = deadline.clone();
            connection.progress_handler(STEPS_BETWEEN_CHECKS, Some(move || deadline.is_over()))?;
            Ok(connection)
        };
        match prepare() {
            Ok(connection) => Ok(Desk { connection, limit, deadline, refused: Arc::default() }),
            Err(error) => Err(SelectError::Invalid { message: error.to_string() }),
        }
    }

    fn is_late(&self) -> bool {
        self.deadline.is_over()
    }

    fn too_long(&self) -> SelectError {
        SelectError::TooLong { limit: self.limit }
    }

    /// Work of the program itself.
    fn work<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, SelectError> {
        work(&self.connection).map_err(|error| self.failure(&error))
    }

    /// From here on only questions about the tables that are there are allowed.
    fn guard(&mut self) -> Result<(), SelectError> {
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table'";
        let tables = self.work(|connection| connection.rows(sql, [], |row| row.get::<_, String>(0)))?;
        let tables: BTreeSet<String> = tables.into_iter().map(|name| name.to_lowercase()).collect();
        let refused = Arc::clone(&self.refused);
        let hook = move |context: AuthContext<'_>| match refusal(&context, &tables) {
            None => Authorization::Allow,
            Some(reason) => {
                if let Ok(mut refused) = refused.lock() {
                    *refused = Some(reason);
                }
                Authorization::Deny
            }
        };
        self.connection.flush_prepared_statement_cache();
        self.connection.authorizer(Some(hook)).map_err(|error| self.failure(&error))
    }

    fn release(&mut self) -> Result<(), SelectError> {
        let none = None::<fn(AuthContext<'_>) -> Authorization>;
        self.connection.authorizer(none).map_err(|error| self.failure(&error))
    }

    fn answer(&self, sql: &str, limits: &QueryLimits) -> Result<AnswerRows, Missing> {
        let read = || -> rusqlite::Result<Option<AnswerRows>> {
            let mut statement = self.connection.prepare(sql)?;
            if statement.column_count() == 0 || !statement.readonly() {
                return Ok(None);
            }
            let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
            let (mut found, mut bytes) = (Vec::new(), 0);
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if found.len() == limits.rows || bytes > limits.bytes {
                    return Ok(Some((columns, found, true)));
                }
                let values: rusqlite::Result<Vec<SqlValue>> =
                    (0..columns.len()).map(|at| Ok(sql_value(row.get_ref(at)?))).collect();
                let values = values?;
                bytes += values
                    .iter()
                    .map(|value| if let SqlValue::Text(text) = value { text.len() } else { 8 })
                    .sum::<usize>();
                found.push(values);
            }
            Ok(Some((columns, found, false)))
        };
        match read() {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(Missing::Answer(SelectError::Forbidden {
                reason: "this statement asks for no rows".to_owned(),
            })),
            Err(error) => match missing_table(&error) {
                Some(name) => Err(Missing::Table(name)),
                None => Err(Missing::Answer(self.failure(&error))),
            },
        }
    }

    fn failure(&self, error: &Error) -> SelectError {
        let refused = self.refused.lock().ok().and_then(|mut refused| refused.take());
        match error {
            Error::MultipleStatement => {
                SelectError::Forbidden { reason: "one statement at a time".to_owned() }
            }
            Error::SqliteFailure(failure, _) if failure.code == ErrorCode::OperationInterrupted => {
                self.too_long()
            }
            _ if refused.is_some() => SelectError::Forbidden { reason: refused.unwrap_or_default() },
            Error::SqliteFailure(_, Some(message)) => SelectError::Invalid { message: message.clone() },
            Error::SqlInputError { msg, .. } => SelectError::Invalid { message: msg.clone() },
            error => SelectError::Invalid { message: error.to_string() },
        }
    }
}

/// Why an action is not allowed.
fn refusal(context: &AuthContext<'_>, tables: &BTreeSet<String>) -> Option<String> {
    match &context.action {
        AuthAction::Select | AuthAction::Recursive => None,
        AuthAction::Read { table_name, .. } => {
            let name = table_name.to_lowercase();
            // What the statement names itself, after WITH, is in no database.
            let is_own = context.database_name.is_none()
                && !name.starts_with("sqlite_")
                && !name.starts_with("pragma_");
            let is_known = is_own || JSON_TABLES.contains(&name.as_str()) || tables.contains(&name);
            (!is_known).then(|| format!("`{table_name}` is no table of a document"))
        }
        AuthAction::Function { function_name } => {
            let is_known = FUNCTIONS.contains(&function_name.to_lowercase().as_str());
            (!is_known).then(|| format!("the function `{function_name}` is not among those that may be used"))
        }
        _ => Some("it would do more than ask".to_owned()),
    }
}

/// The name of the table that SQLite misses.
fn missing_table(error: &Error) -> Option<String> {
    let message = match error {
        Error::SqliteFailure(_, Some(message)) => message,
        Error::SqlInputError { msg, .. } => msg,
        _ => return None,
    };
    let name = message.strip_prefix("no such table: ")?;
    Some(name.strip_prefix("main.").unwrap_or(name).to_owned())
}

fn sql_value(value: ValueRef<'_>) -> SqlValue {
    match value {
        ValueRef::Null => SqlValue::Null,
        ValueRef::Integer(number) => SqlValue::Integer(number),
        // The sum of 0.1 and 0.2 is 0.3: what a float has beyond 15 digits is noise.
        ValueRef::Real(number) => SqlValue::Real(format!("{number:.14e}").parse().unwrap_or(number)),
        ValueRef::Text(text) => SqlValue::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => SqlValue::Text(format!("{} bytes", bytes.len())),
    }
}
