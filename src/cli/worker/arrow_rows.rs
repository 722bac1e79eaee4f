//! `pensieve worker --rows chunks --format arrow`: the rows of each answer as batches of one stream of Arrow.

use crate::export::{ARROW_END, ArrowRows, arrow_start};
use crate::ingest::{DocumentRow, DocumentRowSink};
use serde::Serialize;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::io::{self, Seek, Write};
use tempfile::{SpooledTempFile, spooled_tempfile};

/// Rows of a batch take about this much memory.
const MAX_BATCH_BYTES: usize = 8 << 20;

/// Prints rows when the answer for their document is complete.
pub(super) struct ArrowPrinter<'p, W: Write> {
    /// The caller's name for the current document.
    id: &'p RefCell<Value>,
    rows: ArrowRows,
    spool: SpooledTempFile,
    out: W,
}

impl<'p, W: Write> ArrowPrinter<'p, W> {
    /// Begins the stream, so that a reader learns its columns before the first request.
    pub(super) fn new(id: &'p RefCell<Value>, mut out: W) -> io::Result<ArrowPrinter<'p, W>> {
        out.write_all(&arrow_start())?;
        out.flush()?;
        Ok(ArrowPrinter { id, rows: ArrowRows::default(), spool: spooled_tempfile(MAX_BATCH_BYTES), out })
    }

    /// Ends the stream.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.out.write_all(&ARROW_END)?;
        self.out.flush()
    }

    fn add(&mut self, row: &impl Serialize) -> io::Result<()> {
        let Value::Object(mut row) = serde_json::to_value(row)? else { return Ok(()) };
        row.insert("id".to_owned(), self.id.borrow().clone());
        self.rows.push(&row);
        if self.rows.bytes() >= MAX_BATCH_BYTES {
            self.spool.write_all(&self.rows.take_batch())?;
        }
        Ok(())
    }
}

impl<W: Write> DocumentRowSink for ArrowPrinter<'_, W> {
    fn begin(&mut self) -> io::Result<()> {
        self.rows = ArrowRows::default();
        self.spool.rewind()?;
        self.spool.set_len(0)
    }

    fn row(&mut self, row: DocumentRow) -> io::Result<()> {
        self.add(&row)
    }

    fn end(&mut self) -> io::Result<()> {
        self.add(&Map::from_iter([("row".to_owned(), Value::from("done"))]))?;
        let last = self.rows.take_batch();
        self.spool.rewind()?;
        io::copy(&mut self.spool, &mut self.out)?;
        self.out.write_all(&last)?;
        self.out.flush()
    }
}
