//! Requests of another program: lines of JSON that name documents, with the bytes of a document behind its line where the
//! worker has no file to open.

use crate::cli::shared::failure::Failure;
use crate::ingest::DocumentRequest;
use pensieve_isolate::files::{ReceiveError, receive};
use pensieve_isolate::worker::{MAX_REQUEST_BYTES, ProtocolError, WorkerRequest};
use pensieve_store::scan::stored_path;
use serde::Deserialize;
use serde_json::Value;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// How many bytes of the document follow the line.
    #[serde(default)]
    bytes: Option<u64>,
}

/// Reads requests.
pub(super) struct RequestReader<'r, R> {
    input: R,
    root: Option<&'r Path>,
    line: Vec<u8>,
}

impl<'r, R: BufRead> RequestReader<'r, R> {
    /// Requests for documents below a root.
    pub(super) fn new(input: R, root: Option<&'r Path>) -> RequestReader<'r, R> {
        RequestReader { input, root, line: Vec::new() }
    }

    /// The next request with the caller's name for it; none at the end of the input. Blank lines are skipped.
    ///
    /// # Errors
    /// A line is no request, or the input ends inside a document or fails.
    pub(super) fn next(&mut self) -> Result<Option<(Value, DocumentRequest)>, Failure> {
        loop {
            self.line.clear();
            let mut limited = (&mut self.input).take(MAX_REQUEST_BYTES);
            if limited.read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            if !self.line.trim_ascii().is_empty() {
                return self.request().map(Some);
            }
        }
    }

    fn request(&mut self) -> Result<(Value, DocumentRequest), Failure> {
        let request: ChunkRequest =
            serde_json::from_slice(&self.line).map_err(|error| refused(&ProtocolError::Line(error)))?;
        let ChunkRequest { id, path, path_b64, relative_path, bytes } = request;
        let named =
            WorkerRequest { id: Value::Null, path, path_b64, name: String::new(), settings: Value::Null };
        let given = named.location().map_err(|error| refused(&error))?;
        let location = self.location(&given, bytes.is_some())?;
        let relative_path = match relative_path {
            Some(path) => path,
            None => self.path_below(&location)?,
        };
        let bytes =
            bytes.map(|length| receive(&mut self.input, length).map(|received| received.map(Arc::new)));
        let bytes = bytes.transpose().map_err(|error| unreceived(error, &relative_path))?;
        Ok((id, DocumentRequest { location, relative_path, bytes }))
    }

    /// Where a document is. One whose bytes are sent may be at an address such as `s3://bucket/key`.
    fn location(&self, given: &Path, is_sent: bool) -> Result<PathBuf, Failure> {
        if is_sent && is_address(given) {
            return Ok(given.to_owned());
        }
        let location = self.root.unwrap_or(Path::new("")).join(given);
        match is_sent && is_address(&location) {
            true => Ok(location),
            false => Ok(std::path::absolute(location)?),
        }
    }

    /// The path below the root in stored form; without a root, the name of the file.
    fn path_below(&self, location: &Path) -> Result<String, Failure> {
        let Some(root) = self.root else {
            return Ok(location.file_name().map(|name| stored_path(name).0).unwrap_or_default());
        };
        let absolute = std::path::absolute(root)?;
        match location.strip_prefix(root).or_else(|_| location.strip_prefix(&absolute)) {
            Ok(path) => Ok(stored_path(path.as_os_str()).0),
            Err(_) => Err(outside(location, root)),
        }
    }
}

/// True for a name that begins with a scheme, such as `s3://`.
fn is_address(location: &Path) -> bool {
    let text = location.to_string_lossy();
    text.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte))
    })
}

fn outside(location: &Path, root: &Path) -> Failure {
    Failure::Usage {
        message: format!("`{}` is not below `{}`", location.display(), root.display()),
        hint: "give another --root, or a `relative_path` with the request".to_owned(),
    }
}

fn unreceived(error: ReceiveError, name: &str) -> Failure {
    match error {
        ReceiveError::Io(error) => error.into(),
        truncated => Failure::Usage {
            message: format!("`{name}`: {truncated}"),
            hint: "`bytes` is the number of bytes that follow the line of the request".to_owned(),
        },
    }
}

fn refused(error: &ProtocolError) -> Failure {
    Failure::Usage {
        message: error.to_string(),
        hint: "requests are JSON, one a line, with id and path, with relative_path where it is not below --root, and with bytes \
               where so many bytes of the document follow"
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_isolate::files::open_again;

    /// Location, path below the root and bytes of each request.
    fn parsed(input: &[u8], root: Option<&str>) -> Result<Vec<(String, String, String)>, String> {
        let mut reader = RequestReader::new(input, root.map(Path::new));
        let mut found = Vec::new();
        while let Some((_, request)) = reader.next().map_err(|failure| failure.to_string())? {
            let mut bytes = String::new();
            if let Some(file) = request.bytes {
                open_again(&file.unwrap()).unwrap().read_to_string(&mut bytes).unwrap();
            }
            found.push((request.location.display().to_string(), request.relative_path, bytes));
        }
        Ok(found)
    }

    fn check(input: &str, root: Option<&str>, expected: &[(&str, &str, &str)]) {
        let found = parsed(input.as_bytes(), root).unwrap();
        let found: Vec<_> = found.iter().map(|(place, path, bytes)| (&**place, &**path, &**bytes)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_request_names_its_place_below_the_root() {
        let line = r#"{"id":1,"path":"a/b.md"}"#;
        check(line, Some("/data"), &[("/data/a/b.md", "a/b.md", "")]);
        let line = r#"{"id":1,"path":"/data/a/b.md"}"#;
        check(line, Some("/data/"), &[("/data/a/b.md", "a/b.md", "")]);
        check(line, None, &[("/data/a/b.md", "b.md", "")]);
        let line = r#"{"id":1,"path":"/tmp/x","relative_path":"a/b.md"}"#;
        check(line, Some("/data"), &[("/tmp/x", "a/b.md", "")]);
    }

    #[test]
    fn bytes_follow_their_line() {
        let input = "{\"id\":1,\"path\":\"a.md\",\"bytes\":4}\n{\n}\n\n{\"id\":2,\"path\":\"b\",\"bytes\":0}\n\
                     {\"id\":3,\"path\":\"c\",\"bytes\":1}\nx";
        let expected = [("/data/a.md", "a.md", "{\n}\n"), ("/data/b", "b", ""), ("/data/c", "c", "x")];
        check(input, Some("/data"), &expected);
    }

    #[test]
    fn what_is_sent_may_be_at_an_address() {
        let line = r#"{"id":1,"path":"s3://bucket/docs/a/b.md","bytes":0}"#;
        check(line, Some("s3://bucket/docs"), &[("s3://bucket/docs/a/b.md", "a/b.md", "")]);
        let line = r#"{"id":1,"path":"a/b.md","bytes":0}"#;
        check(line, Some("s3://bucket/docs/"), &[("s3://bucket/docs/a/b.md", "a/b.md", "")]);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let refusal = |input: &str, root| parsed(input.as_bytes(), root).unwrap_err();
        let line = r#"{"id":1,"path":"/tmp/x"}"#;
        assert_eq!(refusal(line, Some("/data")), "`/tmp/x` is not below `/data`");
        assert!(refusal("hello", None).contains("not a line of protocol"));
        assert!(refusal(r#"{"id":1,"path":"a","name":"a"}"#, None).contains("unknown field `name`"));
        assert!(refusal(r#"{"id":1,"path":"a","bytes":-1}"#, None).contains("not a line of protocol"));
        assert!(
            refusal(&" ".repeat(MAX_REQUEST_BYTES as usize + 2).replace("  ", " {"), None).contains("line")
        );
        let cut = "{\"id\":1,\"path\":\"a\",\"bytes\":3}\nab";
        assert_eq!(refusal(cut, None), "`a`: the input ended after 2 of 3 bytes of a document");
        let long = "{\"id\":1,\"path\":\"a\",\"bytes\":3}\nabcd";
        assert!(refusal(long, None).contains("not a line of protocol"));
    }
}
