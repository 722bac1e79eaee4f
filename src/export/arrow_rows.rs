//! [`ArrowRows`]: rows of a worker as batches of a stream of Arrow, which readers of many languages take without parsing text.

use super::arrow_batch::{ArrowColumn, record_batch};
use super::columns::ColumnType::{Flag, Integer, Text};
use super::columns::{Column, arrow_stream_schema, optional, required};
use serde_json::{Map, Value};

/// What ends a stream.
pub const ARROW_END: [u8; 8] = [255, 255, 255, 255, 0, 0, 0, 0];

/// The columns: the keys of the rows, and of the one source of a chunk.
const COLUMNS: [Column; 31] = [
    required("id", Text),
    required("row", Text),
    optional("doc_uid", Text),
    optional("name", Text),
    optional("relative_path", Text),
    optional("path", Text),
    optional("format", Text),
    optional("tokens", Integer),
    // Of a chunk.
    optional("content_hash", Text),
    optional("text", Text),
    optional("tokenizer", Text),
    optional("start", Integer),
    optional("end", Integer),
    optional("source_start", Integer),
    optional("source_end", Integer),
    optional("source_exact", Flag),
    optional("locator", Text),
    optional("heading_path", Text),
    optional("context", Text),
    optional("citation", Text),
    // Of a problem.
    optional("kind", Text),
    optional("message", Text),
    // Of a document.
    optional("parent", Text),
    optional("hash", Text),
    optional("size", Integer),
    optional("mime", Text),
    optional("status", Text),
    optional("reason", Text),
    optional("encoding", Text),
    optional("extractor", Text),
    optional("metadata", Text),
];

/// The message with which a stream begins: its columns.
pub fn arrow_start() -> Vec<u8> {
    arrow_stream_schema(&COLUMNS)
}

/// Rows that become one batch.
#[derive(Debug)]
pub struct ArrowRows {
    columns: Vec<ArrowColumn>,
    rows: usize,
    bytes: usize,
}

impl Default for ArrowRows {
    fn default() -> ArrowRows {
        let columns = COLUMNS.iter().map(|column| ArrowColumn::new(column.kind)).collect();
        ArrowRows { columns, rows: 0, bytes: 0 }
    }
}

impl ArrowRows {
    /// Adds a row as it is printed in JSON.
    pub fn push(&mut self, row: &Map<String, Value>) {
        let source = row.get("sources").and_then(|sources| sources.get(0));
        let id = row.get("id").unwrap_or(&Value::Null).to_string();
        for (column, values) in COLUMNS.iter().zip(&mut self.columns) {
            self.bytes += match column.name {
                "id" => values.push(Some(&Value::String(id.clone()))),
                name => values.push(source.and_then(|source| source.get(name)).or_else(|| row.get(name))),
            };
        }
        self.rows += 1;
    }

    /// The memory that the rows take, roughly.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The rows as a message; none are left.
    pub fn take_batch(&mut self) -> Vec<u8> {
        let rows = std::mem::take(self);
        record_batch(rows.rows, &rows.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_are_counted_until_they_become_a_batch() {
        let mut rows = ArrowRows::default();
        let row = json!({"id": "x", "row": "chunk", "tokens": 5, "sources": [{"path": "p", "start": 1}]});
        let row = row.as_object().unwrap();
        let texts = COLUMNS.iter().filter(|column| column.kind == Text).count();
        assert_eq!(texts, 24);
        rows.push(row);
        // Four bytes of each text, eight of each number, one of the flag, and the words.
        assert_eq!((rows.rows, rows.bytes()), (1, 24 * 4 + 6 * 8 + 1 + "\"x\"chunkp".len()));
        rows.push(row);
        assert_eq!((rows.rows, rows.bytes()), (2, 308));
        let batch = rows.take_batch();
        assert!(
            batch.windows(10).any(|bytes| bytes == b"chunkchunk")
                && batch.windows(6).any(|bytes| bytes == b"\"x\"\"x\"")
        );
        assert_eq!((rows.rows, rows.bytes()), (0, 0));
        assert_eq!(arrow_start()[..4], [255; 4]);
    }
}
