//! `pensieve worker --rows chunks`: requests on stdin, chunks of each document on stdout.

use super::arrow_rows::ArrowPrinter;
use super::document_requests::RequestReader;
use crate::cli::shared::failure::Failure;
use crate::ingest::read_documents;
use crate::ingest::{DocumentRequest, DocumentRow, DocumentRowSink, DocumentRowsError, IngestSettings};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::Value;
use std::cell::RefCell;
use std::io::{self, Seek, Write};
use std::path::Path;
use tempfile::{SpooledTempFile, spooled_tempfile};

/// The answer for a document is kept until it is complete, up to this many bytes in memory.
const MEMORY_BYTES: usize = 8 << 20;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// One JSON object a line.
    Ndjson,
    /// A stream of Arrow; each answer is one or more of its batches.
    Arrow,
}

/// Reads requests until stdin ends, and answers each.
///
/// # Errors
/// A line is no request, the input ends inside a document, the settings contradict each other, or the streams fail.
pub fn serve_chunks(
    settings: &IngestSettings,
    root: Option<&Path>,
    format: RowFormat,
) -> Result<(), Failure> {
    let (id, fault) = (RefCell::new(Value::Null), RefCell::new(None));
    let mut reader = RequestReader::new(io::stdin().lock(), root);
    let mut requests = std::iter::from_fn(|| match reader.next() {
        Ok(request) => request.map(|(name, request)| {
            id.replace(name);
            request
        }),
        Err(failure) => {
            fault.replace(Some(failure));
            None
        }
    });
    let spool = spooled_tempfile(MEMORY_BYTES);
    let out = io::stdout().lock();
    match format {
        RowFormat::Ndjson => read_documents(settings, &mut requests, &mut RowPrinter { id: &id, spool, out }),
        RowFormat::Arrow => print_arrow(settings, &mut requests, ArrowPrinter::new(&id, out)?),
    }
    .map_err(|error| match error {
        DocumentRowsError::Ingest(error) => Failure::from(error),
        DocumentRowsError::Output(error) => Failure::from(error),
    })?;
    fault.take().map_or(Ok(()), Err)
}

fn print_arrow(
    settings: &IngestSettings,
    requests: &mut dyn Iterator<Item = DocumentRequest>,
    mut printer: ArrowPrinter<'_, impl Write>,
) -> Result<(), DocumentRowsError> {
    read_documents(settings, requests, &mut printer)?;
    Ok(printer.finish()?)
}

/// Prints rows when the answer for their document is complete: a file that changes while it is read is read again.
struct RowPrinter<'p, W: Write> {
    /// The caller's name for the current document.
    id: &'p RefCell<Value>,
    spool: SpooledTempFile,
    out: W,
}

/// A row with the name of its document.
#[derive(Serialize)]
struct NamedRow<'r, R> {
    id: &'r Value,
    #[serde(flatten)]
    row: R,
}

/// The last row of an answer.
#[derive(Serialize)]
struct Done {
    row: &'static str,
}

impl<W: Write> DocumentRowSink for RowPrinter<'_, W> {
    fn begin(&mut self) -> io::Result<()> {
        self.spool.rewind()?;
        self.spool.set_len(0)
    }

    fn row(&mut self, row: DocumentRow) -> io::Result<()> {
        write_row(&mut self.spool, &self.id.borrow(), row)
    }

    fn end(&mut self) -> io::Result<()> {
        self.spool.rewind()?;
        io::copy(&mut self.spool, &mut self.out)?;
        write_row(&mut self.out, &self.id.borrow(), Done { row: "done" })?;
        self.out.flush()
    }
}

fn write_row<R: Serialize>(mut out: impl Write, id: &Value, row: R) -> io::Result<()> {
    let mut line = serde_json::to_vec(&NamedRow { id, row })?;
    line.push(b'\n');
    out.write_all(&line)
}
