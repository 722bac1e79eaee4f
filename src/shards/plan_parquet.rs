//! `plan.parquet`: every entry of a plan as a row, for engines that read tables.

use super::planned_entry::PlannedEntry;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use pensieve_store::store::stored_time;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The columns: the keys of a line of `plan.json`.
const SCHEMA: &str = "message entry { required binary path (STRING); required binary type (STRING); required int64 size; \
    required binary modified (STRING); optional binary hash (STRING); required int64 shard; }";

/// Rows that are in memory together.
const GROUP_ROWS: usize = 100_000;

/// Writes the table, with `about` in the metadata of the file under `pensieve.plan`.
pub(super) fn write_parquet(path: &Path, entries: &[PlannedEntry], about: String) -> io::Result<()> {
    let written = write_rows(File::create(path)?, entries, about);
    written.map_err(io::Error::other)?.sync_all()
}

fn write_rows(file: File, entries: &[PlannedEntry], about: String) -> Result<File, ParquetError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_key_value_metadata(Some(vec![KeyValue::new("pensieve.plan".to_owned(), about)]))
        .build();
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
    for rows in entries.chunks(GROUP_ROWS) {
        let mut group = writer.next_row_group()?;
        write_group(&mut group, rows)?;
        group.close()?;
    }
    writer.into_inner()
}

fn write_group(
    group: &mut SerializedRowGroupWriter<'_, File>,
    rows: &[PlannedEntry],
) -> Result<(), ParquetError> {
    write_column::<ByteArrayType>(group, rows, &|row| text(&row.entry.path))?;
    write_column::<ByteArrayType>(group, rows, &|row| text(row.entry.file_type.as_str()))?;
    write_column::<Int64Type>(group, rows, &|row| row.size() as i64)?;
    write_column::<ByteArrayType>(group, rows, &|row| {
        text(&stored_time(row.entry.stat.mtime_s, row.entry.stat.mtime_ns as u32))
    })?;
    let hashes: Vec<ByteArray> =
        rows.iter().filter_map(|row| row.hash).map(|hash| text(&hash.to_hex())).collect();
    let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.hash.is_some())).collect();
    write_values::<ByteArrayType>(group, &hashes, Some(&levels))?;
    write_column::<Int64Type>(group, rows, &|row| row.shard as i64)
}

fn write_column<D: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    rows: &[PlannedEntry],
    value: &dyn Fn(&PlannedEntry) -> D::T,
) -> Result<(), ParquetError> {
    let values: Vec<D::T> = rows.iter().map(value).collect();
    write_values::<D>(group, &values, None)
}

fn write_values<D: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[D::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("the schema has fewer columns".to_owned());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<D>().write_batch(values, levels, None)?;
    column.close()
}

fn text(text: &str) -> ByteArray {
    ByteArray::from(text.as_bytes().to_vec())
}
