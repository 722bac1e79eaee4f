//! Readers: from a file to its text, one file a format, within limits.
//!
//! Plain text streams in the caller's process ([`text`]). Structured formats are read whole, in `pensieve worker`
//! children ([`worker`]); what nothing here reads goes to the user's own converters ([`converter`]).

pub mod converter;
pub mod html;
pub mod text;
pub mod worker;

use crate::model::{Document, Problem, ProblemKind};
use crate::process::Limits;
use crate::scan::{self, Stat};
use crate::text::decode::{DeclaredIn, Hints, decode_all};
use html::HtmlOptions;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use worker::{Pool, PoolOptions, Request};

/// Reader of pages with its version, as `files.extractor` shows it.
pub const PAGE_EXTRACTOR: &str = concat!("html ", env!("CARGO_PKG_VERSION"));

/// What a child may take for one document, in processor time; the clock runs three times as long.
const READER_SECONDS: u64 = 60;

/// What a child may write for one document: more than any page can grow to.
const READER_OUTPUT: u64 = 64 << 20;

/// What the asker tells a worker beside the path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadSettings {
    /// The row of the format table.
    #[serde(default = "html_format")]
    pub format: String,
    /// How pages are read.
    #[serde(default)]
    pub html: HtmlOptions,
}

fn html_format() -> String {
    "html".to_owned()
}

/// Reads a page from disk: decoded as it declares, parsed, made into Markdown or plain text.
///
/// # Errors
/// As a problem of the file.
pub fn read_page(path: &Path, options: &HtmlOptions) -> Result<Document, Problem> {
    let mut bytes = Vec::new();
    open_named(path)?
        .read_to_end(&mut bytes)
        .map_err(|error| Problem::new(ProblemKind::Io, format!("cannot read: {error}")))?;
    let hints = Hints { declared: None, format: DeclaredIn::Html };
    let (decoded, encoding, problems) = decode_all(&bytes, &hints);
    let mut document = html::read_html(decoded, options);
    document.encoding = Some(encoding.name().to_owned());
    document.problems.extend(problems);
    Ok(document)
}

/// Opens what the asker named, through a symlink too: whether links are followed was decided there.
fn open_named(path: &Path) -> Result<File, Problem> {
    let identity = std::fs::metadata(path).ok().map(|found| scan::identity_of(&found));
    let (device, inode) = identity.unwrap_or_default();
    scan::open(path, &Stat { device, inode, ..Stat::default() })
}

/// What a worker does with a request.
///
/// # Errors
/// As a problem of the document: settings that it does not understand, a format that it does not read.
pub fn read_request(request: &Request) -> Result<Document, Problem> {
    let failed = |what: String| Problem::new(ProblemKind::ExtractionFailed, what);
    let path = request.location().map_err(|error| failed(error.to_string()))?;
    let settings = match &request.settings {
        serde_json::Value::Null => serde_json::json!({}),
        other => other.clone(),
    };
    let settings: ReadSettings =
        serde_json::from_value(settings).map_err(|error| failed(format!("settings: {error}")))?;
    match settings.format.as_str() {
        "html" | "xhtml" => read_page(&path, &settings.html),
        other => Err(failed(format!("no reader for format `{other}`"))),
    }
}

/// A pool of children that read documents. `command` is the program with its arguments; this very program where it
/// is empty.
///
/// # Errors
/// The running program cannot be found, or the thread that starts children not be started.
pub fn worker_pool(command: &[OsString], slots: usize, memory: u64) -> io::Result<Pool> {
    let (program, arguments) = match command.split_first() {
        Some((program, arguments)) => (PathBuf::from(program), arguments.to_vec()),
        None => (std::env::current_exe()?, ["worker", "--protocol", "1"].map(OsString::from).to_vec()),
    };
    let limits = Limits {
        wall: Duration::from_secs(READER_SECONDS * 3),
        cpu: Some(Duration::from_secs(READER_SECONDS)),
        memory,
        output: READER_OUTPUT,
    };
    Pool::new(PoolOptions { program, arguments, slots, limits })
}
