//! Readers: from a file to its text, one file a format, within limits.
//!
//! Plain text streams in the caller's process ([`text`]). Structured formats are read whole, in `pensieve worker`
//! children ([`worker`]); what nothing here reads goes to the user's own converters ([`converter`]).

pub mod after;
pub mod archive;
mod calendar;
pub mod codepage;
pub mod converter;
pub mod doc;
pub mod docx;
pub mod epub;
pub mod fb2;
pub mod flow;
mod formula;
pub mod html;
pub mod iwork;
pub mod lit;
pub mod mail;
pub mod markdown;
pub mod mobi;
pub mod nested;
pub mod notebook;
pub mod numerals;
pub mod odf;
pub mod ole;
pub mod opc;
pub mod palm;
pub mod part;
pub mod pdf;
pub mod ppt;
pub mod pptx;
pub mod readers;
pub mod rtf;
pub mod settings;
pub mod sheets;
pub mod source;
pub mod svg;
pub mod symbols;
pub mod tcr;
pub mod text;
pub mod told;
pub mod ways;
pub mod worker;
pub mod xml;

use crate::model::{Problem, ProblemKind};
use crate::process::Limits;
use crate::scan::{self, Stat};
use nested::Tell;
use serde::Deserialize;
use settings::ReadSettings;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use told::Told;
use worker::{Pool, PoolOptions, Request};

/// What a child may take for one document, in processor time; the clock runs three times as long.
const READER_SECONDS: u64 = 60;

/// What a child may write for one small document: more than any page can grow to.
const READER_OUTPUT: u64 = 64 << 20;

/// What a worker does with a request: whatever becomes of it is told.
pub fn read_request(request: &Request, tell: Tell<'_>) {
    let failed = |what: String| Problem::new(ProblemKind::ExtractionFailed, what);
    let settings = match &request.settings {
        serde_json::Value::Null => Ok(ReadSettings::default()),
        other => ReadSettings::deserialize(other).map_err(|error| failed(format!("settings: {error}"))),
    };
    let opened = request
        .location()
        .map_err(|error| failed(error.to_string()))
        .and_then(|path| Ok((open_named(&path)?, settings?)));
    match opened {
        Ok((mut file, settings)) => nested::read_document(&mut file, &request.name, &settings, tell),
        Err(problem) => drop(tell(Told::Failed(problem))),
    }
}

/// Reads a document that is in memory, with everything inside it: the door for tests and fuzzers.
pub fn read_bytes(bytes: &[u8], name: &str, settings: &ReadSettings, tell: Tell<'_>) {
    nested::read_document(&mut io::Cursor::new(bytes), name, settings, tell);
}

/// Opens what the asker named, through a symlink too: whether links are followed was decided there.
fn open_named(path: &Path) -> Result<File, Problem> {
    let identity = std::fs::metadata(path).ok().map(|found| scan::identity_of(&found));
    let (device, inode) = identity.unwrap_or_default();
    scan::open(path, &Stat { device, inode, ..Stat::default() })
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
