//! The columns of the Parquet files: names, types, and the two schemas that are made of them.

use super::flatbuffer::{Field, Table, encode};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnType {
    Text,
    Integer,
    Flag,
    Number,
}

/// A column, or a field of a source.
#[derive(Debug)]
pub(super) struct Column {
    pub name: &'static str,
    pub kind: ColumnType,
    is_optional: bool,
}

pub(super) const fn required(name: &'static str, kind: ColumnType) -> Column {
    Column { name, kind, is_optional: false }
}

pub(super) const fn optional(name: &'static str, kind: ColumnType) -> Column {
    Column { name, kind, is_optional: true }
}

/// The columns of a chunk, in the order in which they are written; then `sources`, and `vector` where it is asked for.
const CHUNK_COLUMNS: [Column; 9] = [
    required("content_hash", ColumnType::Text),
    required("text", ColumnType::Text),
    required("tokens", ColumnType::Integer),
    required("tokenizer", ColumnType::Text),
    optional("repeats", ColumnType::Number),
    optional("repeats_of", ColumnType::Text),
    optional("near", ColumnType::Number),
    optional("near_to", ColumnType::Text),
    optional("weight", ColumnType::Number),
];

/// The fields of a source, in the order in which they are written.
const SOURCE_COLUMNS: [Column; 12] = [
    required("path", ColumnType::Text),
    required("relative_path", ColumnType::Text),
    required("doc_uid", ColumnType::Text),
    optional("format", ColumnType::Text),
    optional("heading_path", ColumnType::Text),
    optional("locator", ColumnType::Text),
    required("start", ColumnType::Integer),
    required("end", ColumnType::Integer),
    optional("source_start", ColumnType::Integer),
    optional("source_end", ColumnType::Integer),
    optional("source_exact", ColumnType::Flag),
    optional("context", ColumnType::Text),
];

/// The schema in the language of Parquet.
pub(super) fn parquet_schema(with_vectors: bool) -> String {
    let columns = |columns: &[Column]| columns.iter().map(parquet_column).collect::<String>();
    let vector = "optional group vector (LIST) { repeated group list { required float element; } }";
    format!(
        "message chunk {{ {} required group sources (LIST) {{ repeated group list {{ required group element {{ {} }} }} }} {} }}",
        columns(&CHUNK_COLUMNS),
        columns(&SOURCE_COLUMNS),
        if with_vectors { vector } else { "" }
    )
}

fn parquet_column(column: &Column) -> String {
    let occurrence = if column.is_optional { "optional" } else { "required" };
    let (kind, annotation) = match column.kind {
        ColumnType::Text => ("binary", " (STRING)"),
        ColumnType::Integer => ("int64", ""),
        ColumnType::Flag => ("boolean", ""),
        ColumnType::Number => ("double", ""),
    };
    format!("{occurrence} {kind} {}{annotation}; ", column.name)
}

/// The value of `ARROW:schema`, an Arrow message with the schema in base64. Readers that know it give vectors as lists of
/// a fixed size, which Parquet itself does not have.
pub(super) fn arrow_schema(dimensions: Option<usize>) -> String {
    let fields = |columns: &[Column]| columns.iter().map(arrow_column).collect::<Vec<Table>>();
    let element = arrow_field("element", false, ArrowType::Struct, fields(&SOURCE_COLUMNS));
    let mut columns = fields(&CHUNK_COLUMNS);
    columns.push(arrow_field("sources", false, ArrowType::List, vec![element]));
    if let Some(dimensions) = dimensions {
        let number = arrow_field("element", false, ArrowType::Float32, Vec::new());
        columns.push(arrow_field("vector", true, ArrowType::FixedSizeList(dimensions), vec![number]));
    }
    STANDARD.encode(arrow_message(columns))
}

/// The message with which a stream of rows with these columns begins.
pub(super) fn arrow_stream_schema(columns: &[Column]) -> Vec<u8> {
    arrow_message(columns.iter().map(arrow_column).collect())
}

fn arrow_column(column: &Column) -> Table {
    let kind = match column.kind {
        ColumnType::Text => ArrowType::Utf8,
        ColumnType::Integer => ArrowType::Int64,
        ColumnType::Flag => ArrowType::Bool,
        ColumnType::Number => ArrowType::Float64,
    };
    arrow_field(column.name, column.is_optional, kind, Vec::new())
}

/// The types of Arrow that are used.
#[derive(Debug, Clone, Copy)]
enum ArrowType {
    Int64,
    Float32,
    Float64,
    Utf8,
    Bool,
    List,
    Struct,
    FixedSizeList(usize),
}

impl ArrowType {
    /// Its number in the union `Type` of Arrow's `Schema.fbs`, and its table.
    fn encoded(self) -> (i32, Table) {
        let (number, fields) = match self {
            ArrowType::Int64 => (2, vec![Field::Number(64), Field::Number(1)]),
            ArrowType::Float32 => (3, vec![Field::Number(1)]),
            ArrowType::Float64 => (3, vec![Field::Number(2)]),
            ArrowType::Utf8 => (5, Vec::new()),
            ArrowType::Bool => (6, Vec::new()),
            ArrowType::List => (12, Vec::new()),
            ArrowType::Struct => (13, Vec::new()),
            ArrowType::FixedSizeList(size) => (16, vec![Field::Number(size as i32)]),
        };
        (number, Table(fields))
    }
}

/// The table `Field` of `Schema.fbs`: name, nullable, type, dictionary, children.
fn arrow_field(name: &'static str, is_nullable: bool, kind: ArrowType, children: Vec<Table>) -> Table {
    let (number, table) = kind.encoded();
    Table(vec![
        Field::Text(name),
        Field::Number(i32::from(is_nullable)),
        Field::Number(number),
        Field::Table(table),
        Field::Absent,
        Field::Tables(children),
    ])
}

/// The table `Message` of `Message.fbs`, version 5 of the metadata, with a schema of these fields, as it stands in a stream:
/// a mark, the length, and the table up to a multiple of eight bytes.
fn arrow_message(fields: Vec<Table>) -> Vec<u8> {
    let schema = Table(vec![Field::Absent, Field::Tables(fields)]);
    let mut table = encode(&Table(vec![Field::Number(4), Field::Number(1), Field::Table(schema)]));
    table.resize(table.len().next_multiple_of(8), 0);
    let mut message = u32::MAX.to_le_bytes().to_vec();
    message.extend((table.len() as u32).to_le_bytes());
    message.extend(table);
    message
}
