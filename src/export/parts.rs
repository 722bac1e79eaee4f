//! [`write_parquet`]: rows to row groups, row groups to parts.

use super::ExportError;
use super::columns::{arrow_schema, parquet_schema};
use super::folder::{EXPORT_KEY, ExportFolder};
use super::row_group::RowGroup;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, Type};
use pensieve_store::store::{ExportRow, Store, StoreError, VectorModel};
use serde::Serialize;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rows of a group take about this much memory; a group of a smaller part, as much as the part.
const MAX_GROUP_BYTES: u64 = 32 << 20;

/// How an export is written.
#[derive(Debug, Clone)]
pub struct ParquetOptions {
    /// Where the parts go.
    pub folder: PathBuf,
    /// A part ends with the row group that brings it to this size.
    pub part_bytes: u64,
    /// Whose vectors are written, if any.
    pub vectors: Option<VectorModel>,
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ParquetSummary {
    /// The files, in the order of their rows.
    pub files: Vec<PathBuf>,
    /// Rows in all of them.
    pub rows: u64,
    /// Bytes of all of them.
    pub bytes: u64,
}

/// What is written of a row, if anything.
pub type ChooseRow<'c> = dyn FnMut(ExportRow) -> Result<Option<ExportRow>, StoreError> + 'c;

/// Writes the chosen chunks as `part-0000.parquet`, `part-0001.parquet`, ..., in the order of `export`.
/// The files get their names when all of them are complete.
///
/// Cost: one pass over the corpus; memory for one row group, whatever the size of the corpus.
///
/// # Errors
/// The database cannot be read, the folder is in use, has other files or cannot be written, or `interrupted` was set.
pub fn write_parquet(
    corpus: &Store,
    options: &ParquetOptions,
    choose: &mut ChooseRow<'_>,
    interrupted: &AtomicBool,
) -> Result<ParquetSummary, ExportError> {
    let mut parts = PartWriter::new(options)?;
    let mut written = Ok(());
    corpus.listings().export(options.vectors.as_ref(), &mut |row| {
        written = match interrupted.load(Ordering::Relaxed) {
            true => Err(ExportError::Interrupted),
            false => choose(row)
                .map_err(ExportError::from)
                .and_then(|row| row.map_or(Ok(()), |row| parts.add(row))),
        };
        written.is_ok()
    })?;
    written?;
    parts.finish()
}

/// Writes rows into one part after the other.
struct PartWriter<'o> {
    options: &'o ParquetOptions,
    folder: ExportFolder,
    schema: Arc<Type>,
    properties: Arc<WriterProperties>,
    group: RowGroup,
    part: Option<SerializedFileWriter<File>>,
    summary: ParquetSummary,
}

impl<'o> PartWriter<'o> {
    fn new(options: &'o ParquetOptions) -> Result<PartWriter<'o>, ExportError> {
        let folder = ExportFolder::open(&options.folder)?;
        let with_vectors = options.vectors.is_some();
        let invalid = |error| unwritable(&folder, error);
        Ok(PartWriter {
            schema: Arc::new(parse_message_type(&parquet_schema(with_vectors)).map_err(invalid)?),
            properties: Arc::new(properties(options).map_err(invalid)?),
            group: RowGroup::new(with_vectors),
            part: None,
            summary: ParquetSummary::default(),
            options,
            folder,
        })
    }

    fn add(&mut self, row: ExportRow) -> Result<(), ExportError> {
        self.group.push(row);
        let limit = self.options.part_bytes.min(MAX_GROUP_BYTES);
        if self.group.bytes() as u64 >= limit { self.end_group() } else { Ok(()) }
    }

    /// Writes the row group, and ends the part where it has its size.
    fn end_group(&mut self) -> Result<(), ExportError> {
        let rows = std::mem::replace(&mut self.group, RowGroup::new(self.options.vectors.is_some()));
        let mut part = match self.part.take() {
            Some(part) => part,
            None => self.begin_part()?,
        };
        write_group(&mut part, &rows).map_err(|error| unwritable(&self.folder, error))?;
        self.summary.rows += rows.rows() as u64;
        match part.bytes_written() as u64 >= self.options.part_bytes {
            true => self.end_part(part),
            false => {
                self.part = Some(part);
                Ok(())
            }
        }
    }

    fn begin_part(&mut self) -> Result<SerializedFileWriter<File>, ExportError> {
        let file = self.folder.create_part()?;
        SerializedFileWriter::new(file, Arc::clone(&self.schema), Arc::clone(&self.properties))
            .map_err(|error| unwritable(&self.folder, error))
    }

    fn end_part(&mut self, part: SerializedFileWriter<File>) -> Result<(), ExportError> {
        let ended = || -> io::Result<u64> {
            let file = part.into_inner().map_err(system_error)?;
            file.sync_all()?;
            Ok(file.metadata()?.len())
        };
        let path = self.folder.current_part().to_path_buf();
        self.summary.bytes += ended().map_err(|source| ExportError::Unwritable { path, source })?;
        Ok(())
    }

    /// Writes the last rows, and lets the files appear. Without any row there is one file.
    fn finish(mut self) -> Result<ParquetSummary, ExportError> {
        if self.group.rows() > 0 {
            self.end_group()?;
        }
        if self.part.is_none() && self.summary.rows == 0 {
            self.part = Some(self.begin_part()?);
        }
        if let Some(part) = self.part.take() {
            self.end_part(part)?;
        }
        let files = self.folder.publish()?;
        Ok(ParquetSummary { files, ..self.summary })
    }
}

fn write_group(part: &mut SerializedFileWriter<File>, rows: &RowGroup) -> Result<(), ParquetError> {
    let mut group = part.next_row_group()?;
    rows.write(&mut group)?;
    group.close().map(drop)
}

/// Compression, encodings, and what a reader is told about the file. Texts, hashes and vectors hardly repeat, so they have
/// neither a dictionary nor statistics.
fn properties(options: &ParquetOptions) -> Result<WriterProperties, ParquetError> {
    let dimensions = options.vectors.as_ref().map(|vectors| vectors.dimensions);
    let mut about = vec![
        KeyValue::new(EXPORT_KEY.to_owned(), "chunks".to_owned()),
        KeyValue::new("ARROW:schema".to_owned(), arrow_schema(dimensions)),
    ];
    about.extend(
        options
            .vectors
            .as_ref()
            .map(|vectors| KeyValue::new("pensieve.vectors".to_owned(), vectors.model.clone())),
    );
    let vector = ColumnPath::from(["vector", "list", "element"].map(str::to_owned).to_vec());
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_key_value_metadata(Some(about))
        .set_column_encoding(vector.clone(), Encoding::BYTE_STREAM_SPLIT);
    for column in [ColumnPath::from("content_hash"), ColumnPath::from("text"), vector] {
        builder = builder
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_statistics_enabled(column, EnabledStatistics::None);
    }
    Ok(builder.build())
}

fn unwritable(folder: &ExportFolder, error: ParquetError) -> ExportError {
    ExportError::Unwritable { path: folder.current_part().to_path_buf(), source: system_error(error) }
}

/// The error of the system within one of the writer.
fn system_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_store::store::testing::corpus;

    #[test]
    fn a_part_ends_with_the_group_that_brings_it_to_its_size() {
        let store = corpus(&[("a.txt", &["one", "two", "three"])]);
        let folder = tempfile::tempdir().unwrap();
        let export = |part_bytes: u64, chosen: &str| {
            let options = ParquetOptions { folder: folder.path().join("out"), part_bytes, vectors: None };
            let mut choose = |row: ExportRow| Ok(Some(row).filter(|row| row.content.contains(chosen)));
            let summary = write_parquet(&store, &options, &mut choose, &AtomicBool::new(false)).unwrap();
            let bytes = summary.files.iter().map(|path| std::fs::metadata(path).unwrap().len()).sum::<u64>();
            assert_eq!(summary.bytes, bytes);
            (summary.files.len(), summary.rows)
        };
        assert_eq!(export(1, ""), (3, 3));
        assert_eq!(export(1, "t"), (2, 2));
        assert_eq!(export(1, "four"), (1, 0));
        assert_eq!(export(1 << 20, ""), (1, 3));
        let options = ParquetOptions { folder: folder.path().join("out"), part_bytes: 1, vectors: None };
        let stopped = write_parquet(&store, &options, &mut |row| Ok(Some(row)), &AtomicBool::new(true));
        assert!(matches!(stopped, Err(ExportError::Interrupted)));
    }

    #[test]
    fn a_group_takes_the_memory_of_its_texts() {
        let store = corpus(&[("a.txt", &["one", "two"]), ("b/c.txt", &["one"])]);
        let mut group = RowGroup::new(false);
        let mut sizes = Vec::new();
        let mut each = |row: ExportRow| {
            group.push(row);
            sizes.push((group.rows(), group.bytes()));
            true
        };
        store.listings().export(None, &mut each).unwrap();
        // A row with two places, then one with one: `/r/a.txt`, `a.txt`, `/r/b/c.txt`, `b/c.txt`.
        let first = 128 + 3 + (128 + 8 + 5) + (128 + 10 + 7);
        assert_eq!(sizes, [(1, first), (2, first + 128 + 3 + 128 + 8 + 5)]);
    }
}
