//! [`RowGroup`]: rows in memory, column by column, until they are written together.

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedRowGroupWriter;
use pensieve_store::store::{ChunkPlace, ExportRow};
use std::io::Write;

/// Memory of a row, and of a source, besides their texts and numbers.
const ROW_BYTES: usize = 128;

/// The values of a column. Within a list they have levels: `definition` is how many of the groups around a value, and of
/// itself, are there, and `repetition` is 0 for the first one of a row.
#[derive(Debug)]
pub(super) struct ColumnValues<T> {
    values: Vec<T>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl<T> Default for ColumnValues<T> {
    fn default() -> ColumnValues<T> {
        ColumnValues { values: Vec::new(), definition: Vec::new(), repetition: Vec::new() }
    }
}

impl<T> ColumnValues<T> {
    /// Adds the value of a row.
    fn push(&mut self, value: T) {
        self.values.push(value);
    }

    /// The values of rows that all have one.
    pub(super) fn of(values: Vec<T>) -> ColumnValues<T> {
        ColumnValues { values, ..ColumnValues::default() }
    }

    /// Adds what a row may lack.
    pub(super) fn push_optional(&mut self, value: Option<T>) {
        self.definition.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    /// Adds an element of a list, or with a lower definition what is not there.
    fn push_element(&mut self, value: Option<T>, definition: i16, repetition: i16) {
        self.values.extend(value);
        self.definition.push(definition);
        self.repetition.push(repetition);
    }

    /// Writes the values as the next column of a row group.
    pub(super) fn write<D: DataType<T = T>>(
        &self,
        group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    ) -> Result<(), ParquetError> {
        let missing = || ParquetError::General("the schema has fewer columns".to_owned());
        let mut column = group.next_column()?.ok_or_else(missing)?;
        let definition = (!self.definition.is_empty()).then_some(self.definition.as_slice());
        let repetition = (!self.repetition.is_empty()).then_some(self.repetition.as_slice());
        column.typed::<D>().write_batch(&self.values, definition, repetition)?;
        column.close()
    }
}

/// Rows that are written together.
#[derive(Debug, Default)]
pub(super) struct RowGroup {
    bytes: usize,
    content_hash: ColumnValues<ByteArray>,
    text: ColumnValues<ByteArray>,
    tokens: ColumnValues<i64>,
    tokenizer: ColumnValues<ByteArray>,
    repeats: ColumnValues<f64>,
    repeats_of: ColumnValues<ByteArray>,
    near: ColumnValues<f64>,
    near_to: ColumnValues<ByteArray>,
    weight: ColumnValues<f64>,
    sources: SourceColumns,
    /// `None` if vectors are not asked for.
    vector: Option<ColumnValues<f32>>,
}

impl RowGroup {
    /// A group without rows.
    pub(super) fn new(with_vectors: bool) -> RowGroup {
        RowGroup { vector: with_vectors.then(ColumnValues::default), ..RowGroup::default() }
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.tokens.values.len()
    }

    /// The memory that they take, roughly. It depends on the rows alone.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: ExportRow) {
        self.bytes += ROW_BYTES + row.content.len();
        self.content_hash.push(text(row.content_hash));
        self.text.push(text(row.content));
        self.tokens.push(row.tokens as i64);
        self.tokenizer.push(text(row.tokenizer));
        self.repeats.push_optional(row.repetition.as_ref().map(|entry| entry.repeats));
        let entry = row.repetition.unwrap_or_default();
        self.repeats_of.push_optional(entry.repeats_of.map(text));
        self.near.push_optional(entry.near);
        self.near_to.push_optional(entry.near_to.map(text));
        self.weight.push_optional(row.weight);
        for (at, source) in row.sources.into_iter().enumerate() {
            self.bytes += ROW_BYTES + source.path.len() + source.relative_path.len();
            self.sources.push(source, i16::from(at > 0));
        }
        if let Some(column) = &mut self.vector {
            let numbers = row.vector.unwrap_or_default();
            self.bytes += size_of_val(numbers.as_slice());
            push_vector(column, &numbers);
        }
    }

    /// Writes all columns, in the order of the schema.
    pub(super) fn write(
        &self,
        group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    ) -> Result<(), ParquetError> {
        self.content_hash.write::<ByteArrayType>(group)?;
        self.text.write::<ByteArrayType>(group)?;
        self.tokens.write::<Int64Type>(group)?;
        self.tokenizer.write::<ByteArrayType>(group)?;
        self.repeats.write::<DoubleType>(group)?;
        self.repeats_of.write::<ByteArrayType>(group)?;
        self.near.write::<DoubleType>(group)?;
        self.near_to.write::<ByteArrayType>(group)?;
        self.weight.write::<DoubleType>(group)?;
        self.sources.write(group)?;
        self.vector.iter().try_for_each(|column| column.write::<FloatType>(group))
    }
}

/// Adds the vector of a row; an empty one is none.
fn push_vector(column: &mut ColumnValues<f32>, numbers: &[f32]) {
    if numbers.is_empty() {
        column.push_element(None, 0, 0);
    }
    for (at, number) in numbers.iter().enumerate() {
        column.push_element(Some(*number), 2, i16::from(at > 0));
    }
}

/// The fields of all sources.
#[derive(Debug, Default)]
struct SourceColumns {
    path: ColumnValues<ByteArray>,
    relative_path: ColumnValues<ByteArray>,
    doc_uid: ColumnValues<ByteArray>,
    format: ColumnValues<ByteArray>,
    heading_path: ColumnValues<ByteArray>,
    locator: ColumnValues<ByteArray>,
    start: ColumnValues<i64>,
    end: ColumnValues<i64>,
    source_start: ColumnValues<i64>,
    source_end: ColumnValues<i64>,
    source_exact: ColumnValues<bool>,
    context: ColumnValues<ByteArray>,
}

impl SourceColumns {
    fn push(&mut self, source: ChunkPlace, repetition: i16) {
        let number = |offset: usize| Some(offset as i64);
        self.path.push_element(Some(text(source.path)), 1, repetition);
        self.relative_path.push_element(Some(text(source.relative_path)), 1, repetition);
        self.doc_uid.push_element(Some(text(source.doc_uid)), 1, repetition);
        push_optional(&mut self.format, source.format.map(text), repetition);
        let at = source.at;
        push_optional(&mut self.heading_path, at.heading_path.map(text), repetition);
        push_optional(&mut self.locator, at.locator.map(text), repetition);
        self.start.push_element(number(at.start), 1, repetition);
        self.end.push_element(number(at.end), 1, repetition);
        push_optional(&mut self.source_start, at.source.and_then(|source| number(source.start)), repetition);
        push_optional(&mut self.source_end, at.source.and_then(|source| number(source.end)), repetition);
        push_optional(&mut self.source_exact, at.source.map(|source| source.exact), repetition);
        push_optional(&mut self.context, at.context.map(text), repetition);
    }

    fn write(&self, group: &mut SerializedRowGroupWriter<'_, impl Write + Send>) -> Result<(), ParquetError> {
        self.path.write::<ByteArrayType>(group)?;
        self.relative_path.write::<ByteArrayType>(group)?;
        self.doc_uid.write::<ByteArrayType>(group)?;
        self.format.write::<ByteArrayType>(group)?;
        self.heading_path.write::<ByteArrayType>(group)?;
        self.locator.write::<ByteArrayType>(group)?;
        self.start.write::<Int64Type>(group)?;
        self.end.write::<Int64Type>(group)?;
        self.source_start.write::<Int64Type>(group)?;
        self.source_end.write::<Int64Type>(group)?;
        self.source_exact.write::<BoolType>(group)?;
        self.context.write::<ByteArrayType>(group)
    }
}

/// Adds a field of a source that may be missing.
fn push_optional<T>(column: &mut ColumnValues<T>, value: Option<T>, repetition: i16) {
    let definition = 1 + i16::from(value.is_some());
    column.push_element(value, definition, repetition);
}

pub(super) fn text(text: String) -> ByteArray {
    text.into_bytes().into()
}
