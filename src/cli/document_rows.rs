//! `pensieve worker --rows chunks`: requests on stdin, chunks of each document on stdout.

use super::Failure;
use crate::ingest::read_documents;
use crate::ingest::{DocumentRequest, DocumentRow, DocumentRowSink, DocumentRowsError, IngestSettings};
use crate::scan::stored_path;
use pensieve_readers::worker::{ProtocolError, WorkerRequest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::RefCell;
use std::io::{self, BufRead, Seek, Write};
use std::path::Path;
use tempfile::{SpooledTempFile, spooled_tempfile};

/// The answer for a document is kept until it is complete, up to this many bytes in memory.
const MEMORY_BYTES: usize = 8 << 20;

/// One document to be read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunkRequest {
    id: Value,
    path: String,
    #[serde(default)]
    path_b64: Option<String>,
    #[serde(default)]
    relative_path: Option<String>,
}

/// Reads requests until stdin ends, and answers each.
///
/// # Errors
/// A line is no request, the settings contradict each other, or the streams fail.
pub fn serve_chunks(settings: &IngestSettings, root: Option<&Path>) -> Result<(), Failure> {
    let (id, fault) = (RefCell::new(Value::Null), RefCell::new(None));
    let mut requests = io::stdin().lock().split(b'\n').map_while(|line| {
        match line.map_err(Failure::from).and_then(|line| parse(&line, root)) {
            Ok((name, request)) => {
                id.replace(name);
                Some(request)
            }
            Err(failure) => {
                fault.replace(Some(failure));
                None
            }
        }
    });
    let spool = spooled_tempfile(MEMORY_BYTES);
    let mut sink = RowPrinter { id: &id, spool, out: io::stdout().lock() };
    read_documents(settings, &mut requests, &mut sink).map_err(|error| match error {
        DocumentRowsError::Ingest(error) => Failure::from(error),
        DocumentRowsError::Output(error) => Failure::from(error),
    })?;
    fault.take().map_or(Ok(()), Err)
}

/// A request, and the caller's name for it.
fn parse(line: &[u8], root: Option<&Path>) -> Result<(Value, DocumentRequest), Failure> {
    let request: ChunkRequest =
        serde_json::from_slice(line).map_err(|error| refused(&ProtocolError::Line(error)))?;
    let ChunkRequest { id, path, path_b64, relative_path } = request;
    let located =
        WorkerRequest { id: Value::Null, path, path_b64, name: String::new(), settings: Value::Null };
    let given = located.location().map_err(|error| refused(&error))?;
    let location = std::path::absolute(root.unwrap_or(Path::new("")).join(&given))?;
    let relative_path = match relative_path {
        Some(path) => path,
        None => path_below(&location, root)?,
    };
    Ok((id, DocumentRequest { location, relative_path }))
}

/// The path below the root in stored form; without a root, the name of the file.
fn path_below(location: &Path, root: Option<&Path>) -> Result<String, Failure> {
    let Some(root) = root else {
        return Ok(location.file_name().map(|name| stored_path(name).0).unwrap_or_default());
    };
    match location.strip_prefix(std::path::absolute(root)?) {
        Ok(path) => Ok(stored_path(path.as_os_str()).0),
        Err(_) => Err(outside(location, root)),
    }
}

fn outside(location: &Path, root: &Path) -> Failure {
    Failure::Usage {
        message: format!("`{}` is not below `{}`", location.display(), root.display()),
        hint: "give another --root, or a `relative_path` with the request".to_owned(),
    }
}

fn refused(error: &ProtocolError) -> Failure {
    Failure::Usage {
        message: error.to_string(),
        hint: "requests are JSON, one a line, with id and path, and with relative_path where it is not below --root"
            .to_owned(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn parsed(line: &str, root: Option<&str>) -> Result<DocumentRequest, String> {
        let parsed = parse(line.as_bytes(), root.map(Path::new));
        parsed.map(|(_, request)| request).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_request_names_its_place_below_the_root() {
        let request = |location: &str, relative: &str| DocumentRequest {
            location: PathBuf::from(location),
            relative_path: relative.to_owned(),
        };
        let line = r#"{"id":1,"path":"a/b.md"}"#;
        assert_eq!(parsed(line, Some("/data")), Ok(request("/data/a/b.md", "a/b.md")));
        let line = r#"{"id":1,"path":"/data/a/b.md"}"#;
        assert_eq!(parsed(line, Some("/data/")), Ok(request("/data/a/b.md", "a/b.md")));
        assert_eq!(parsed(line, None), Ok(request("/data/a/b.md", "b.md")));
        let line = r#"{"id":1,"path":"/tmp/x","relative_path":"a/b.md"}"#;
        assert_eq!(parsed(line, Some("/data")), Ok(request("/tmp/x", "a/b.md")));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let line = r#"{"id":1,"path":"/tmp/x"}"#;
        assert_eq!(parsed(line, Some("/data")).unwrap_err(), "`/tmp/x` is not below `/data`");
        assert!(parsed("hello", None).unwrap_err().contains("not a line of protocol"));
        assert!(
            parsed(r#"{"id":1,"path":"a","name":"a"}"#, None).unwrap_err().contains("unknown field `name`")
        );
    }
}
