//! The proof of a whole corpus: first the laws that SQL checks, then every chunk, then every file.

use super::file::FileCheck;
use super::token_counters::TokenCounters;
use crate::store::{Store, StoreError, Violation};
use pensieve_text::model::{ContentHash, Observer};
use serde::Serialize;

/// What was checked, and the number of violations.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct VerifyReport {
    /// Files with text.
    pub files: u64,
    /// Chunks.
    pub chunks: u64,
    /// Places of chunks in files.
    pub sources: u64,
    /// Places that cite source bytes.
    pub cited: u64,
    /// Places that cite source bytes exactly.
    pub exact: u64,
    /// Files whose source is unchanged, so that citations could be compared with it.
    pub sources_read: u64,
    /// Violations.
    pub violations: u64,
}

/// Checks a corpus; `each` receives every violation.
///
/// Cost: one pass over all text, chunks and sources on disk, one core; a few MiB of memory.
pub fn run(
    store: &Store,
    observer: &dyn Observer,
    each: &mut dyn FnMut(&Violation),
) -> Result<VerifyReport, StoreError> {
    let mut report = VerifyReport::default();
    let mut add = |report: &mut VerifyReport, violation: Violation| {
        report.violations += 1;
        each(&violation);
    };
    for violation in store.laws().violations()? {
        add(&mut report, violation);
    }
    let max_tokens = store.laws().max_chunk_tokens()?;
    let mut counters = TokenCounters::default();
    store.laws().each_chunk(&mut |id, hash, content, tokens, model| {
        report.chunks += 1;
        for violation in check_chunk(id, hash, content, tokens, model, max_tokens, &mut counters) {
            add(&mut report, violation);
        }
    })?;
    for file in store.laws().processed_files()? {
        if observer.interrupted() {
            break;
        }
        report.files += 1;
        let mut check = FileCheck::new(store, &file, max_tokens);
        check.run(&mut counters)?;
        report.sources += check.sources;
        report.cited += check.cited;
        report.exact += check.exact;
        report.sources_read += u64::from(check.source_read);
        for violation in check.violations {
            add(&mut report, violation);
        }
    }
    Ok(report)
}

fn check_chunk(
    id: i64,
    hash: &str,
    content: &str,
    tokens: usize,
    model: &str,
    max_tokens: Option<usize>,
    counters: &mut TokenCounters,
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
    if max_tokens.is_some_and(|max_tokens| tokens > max_tokens) {
        fail(3, format!("{tokens} tokens, above chunk_size"));
    }
    if content.trim().is_empty() {
        fail(4, "white space alone".to_owned());
    }
    found
}

#[cfg(test)]
mod tests;
