//! Proves the laws of a corpus: that every chunk is what its file says, counted exactly, and leads back to its source.
//!
//! It reads the stored text, and the sources where they are still as they were. It repairs nothing.

mod file;

use crate::store::{Store, StoreError, Violation};
use pensieve_text::model::{ContentHash, Observer};
use pensieve_text::text::tokens::{TokenCounter, Tokenizer};
use serde::Serialize;
use std::collections::BTreeMap;

/// What was checked, and what does not hold.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Report {
    /// Files with text.
    pub files: u64,
    /// Chunks.
    pub chunks: u64,
    /// Places of chunks in files.
    pub sources: u64,
    /// Places that cite source bytes.
    pub cited: u64,
    /// Those that cite them exactly.
    pub exact: u64,
    /// Files whose source is still there unchanged, so that citations could be read back.
    pub sources_read: u64,
    /// Violations.
    pub violations: u64,
}

/// Checks a corpus; `each` hears every violation.
///
/// Cost: one pass over all text, chunks and sources on disk, one core; a few MiB of memory.
pub fn run(
    store: &Store,
    observer: &dyn Observer,
    each: &mut dyn FnMut(&Violation),
) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let mut tell = |report: &mut Report, violation: Violation| {
        report.violations += 1;
        each(&violation);
    };
    for violation in store.laws().violations()? {
        tell(&mut report, violation);
    }
    let ceiling = store.laws().max_chunk_tokens()?;
    let mut counters = Counters::default();
    store.laws().each_chunk(&mut |id, hash, content, tokens, model| {
        report.chunks += 1;
        for violation in check_chunk(id, hash, content, tokens, model, ceiling, &mut counters) {
            tell(&mut report, violation);
        }
    })?;
    for file in store.laws().processed_files()? {
        if observer.interrupted() {
            break;
        }
        report.files += 1;
        let mut check = file::FileCheck::new(store, &file, ceiling);
        check.run(&mut counters)?;
        report.sources += check.sources;
        report.cited += check.cited;
        report.exact += check.exact;
        report.sources_read += u64::from(check.source_read);
        for violation in check.violations {
            tell(&mut report, violation);
        }
    }
    Ok(report)
}

/// One counter for each encoding that chunks name.
#[derive(Default)]
struct Counters(BTreeMap<String, Option<TokenCounter>>);

impl Counters {
    fn get(&mut self, model: &str) -> Option<&mut TokenCounter> {
        if !self.0.contains_key(model) {
            let counter = Tokenizer::named(model).ok().map(Tokenizer::counter);
            self.0.insert(model.to_owned(), counter);
        }
        self.0.get_mut(model)?.as_mut()
    }
}

fn check_chunk(
    id: i64,
    hash: &str,
    content: &str,
    tokens: usize,
    model: &str,
    ceiling: Option<usize>,
    counters: &mut Counters,
) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut fail = |law, what: String| found.push(Violation { law, what: format!("chunk {id}: {what}") });
    if ContentHash::of(content.as_bytes()).to_hex() != hash {
        fail(2, "content_hash is not the hash of its content".to_owned());
    }
    match counters.get(model).map(|counter| counter.count(content)) {
        None => fail(3, format!("unknown tokenizer `{model}`")),
        Some(count) if count != tokens => fail(3, format!("{tokens} tokens stored, {count} counted")),
        Some(_) => {}
    }
    if ceiling.is_some_and(|ceiling| tokens > ceiling) {
        fail(3, format!("{tokens} tokens, above chunk_size"));
    }
    if content.trim().is_empty() {
        fail(4, "white space alone".to_owned());
    }
    found
}
