//! One table of a document as a Parquet file, with the types of its columns.

use super::ExportError;
use super::row_group::{ColumnValues, text};
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use pensieve_store::store::{SqlValue, Store, StoredTable};
use pensieve_text::tables::{ColumnKind, TableRow};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Rows of a group: some megabytes of most tables.
const GROUP_ROWS: usize = 64 * 1024;

/// The values of one column.
enum TableValues {
    Numbers(ColumnValues<f64>),
    Texts(ColumnValues<ByteArray>),
}

/// Rows that are written together.
struct TableGroup {
    rows: Vec<i64>,
    sections: Option<ColumnValues<ByteArray>>,
    columns: Vec<TableValues>,
}

/// Writes a table to a new file: `row`, `section` if it has such, and its columns, of which those of numbers are doubles.
///
/// # Errors
/// The file is there already or cannot be written, or the table cannot be read.
///
/// Cost: one group of rows in memory at a time.
pub fn write_table(store: &Store, table: &StoredTable, path: &Path) -> Result<(), ExportError> {
    let unwritable = |source: io::Error| ExportError::Unwritable { path: path.to_owned(), source };
    let failed = |error: ParquetError| unwritable(io::Error::other(error));
    let file = File::create_new(path).map_err(unwritable)?;
    let schema = Arc::new(schema(table).map_err(failed)?);
    let compression = Compression::ZSTD(ZstdLevel::try_new(3).map_err(failed)?);
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let mut writer = SerializedFileWriter::new(file, schema, properties).map_err(failed)?;
    let mut group = TableGroup::of(table);
    let mut result = Ok(());
    store.tables().each_row(table, &mut |row| {
        group.push(table, row);
        if group.rows.len() == GROUP_ROWS {
            result = std::mem::replace(&mut group, TableGroup::of(table)).write(&mut writer);
        }
        result.is_ok()
    })?;
    result.and_then(|()| group.write(&mut writer)).and_then(|()| writer.close().map(drop)).map_err(failed)
}

fn is_number(kind: ColumnKind) -> bool {
    matches!(kind, ColumnKind::Number | ColumnKind::Percent)
}

fn schema(table: &StoredTable) -> Result<Type, ParquetError> {
    let field = |name: &str, is_text: bool, repetition: Repetition, number: PhysicalType| {
        let kind = if is_text { PhysicalType::BYTE_ARRAY } else { number };
        let logical = is_text.then_some(LogicalType::String);
        Type::primitive_type_builder(name, kind)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build()
    };
    let mut fields = vec![Arc::new(field("row", false, Repetition::REQUIRED, PhysicalType::INT64)?)];
    if table.layout.has_sections {
        fields.push(Arc::new(field("section", true, Repetition::OPTIONAL, PhysicalType::DOUBLE)?));
    }
    for column in &table.columns {
        let is_text = !is_number(column.kind);
        fields.push(Arc::new(field(&column.name, is_text, Repetition::OPTIONAL, PhysicalType::DOUBLE)?));
    }
    Type::group_type_builder("table").with_fields(fields).build()
}

impl TableGroup {
    fn of(table: &StoredTable) -> TableGroup {
        let values = |kind| match is_number(kind) {
            true => TableValues::Numbers(ColumnValues::default()),
            false => TableValues::Texts(ColumnValues::default()),
        };
        TableGroup {
            rows: Vec::new(),
            sections: table.layout.has_sections.then(ColumnValues::default),
            columns: table.columns.iter().map(|column| values(column.kind)).collect(),
        }
    }

    fn push(&mut self, table: &StoredTable, row: TableRow) {
        self.rows.push(row.number as i64);
        if let Some(sections) = &mut self.sections {
            sections.push_optional(row.section.map(text));
        }
        for ((cell, column), values) in row.cells.iter().zip(&table.columns).zip(&mut self.columns) {
            match (values, SqlValue::of_cell(cell, column.kind)) {
                (TableValues::Numbers(values), SqlValue::Integer(number)) => {
                    values.push_optional(Some(number as f64))
                }
                (TableValues::Numbers(values), SqlValue::Real(number)) => values.push_optional(Some(number)),
                (TableValues::Numbers(values), _) => values.push_optional(None),
                (TableValues::Texts(values), SqlValue::Null) => values.push_optional(None),
                (TableValues::Texts(values), value) => values.push_optional(Some(text(value.to_text()))),
            }
        }
    }

    fn write(self, writer: &mut SerializedFileWriter<File>) -> Result<(), ParquetError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let mut group = writer.next_row_group()?;
        ColumnValues::of(self.rows).write::<Int64Type>(&mut group)?;
        self.sections.iter().try_for_each(|sections| sections.write::<ByteArrayType>(&mut group))?;
        for values in &self.columns {
            match values {
                TableValues::Numbers(values) => values.write::<DoubleType>(&mut group)?,
                TableValues::Texts(values) => values.write::<ByteArrayType>(&mut group)?,
            }
        }
        group.close().map(drop)
    }
}
