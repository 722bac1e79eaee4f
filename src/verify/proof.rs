//! The proof of a whole corpus: first the laws that SQL checks, then every chunk, then every file.

use super::digests;
use super::file::FileCheck;
use super::report::VerifyReport;
use super::sources;
use super::token_counters::TokenCounters;
use crate::store::{Store, StoreError, Violation};
use pensieve_text::model::{ContentHash, Observer};

/// Checks a corpus, with `sources` also every source that is still on disk; `each` receives every violation.
///
/// Cost: one pass over all rows, text, chunks and sources on disk, one core; some tens of MiB of memory.
pub fn run(
    store: &Store,
    sources: bool,
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
    check_files(store, max_tokens, &mut counters, observer, &mut report, &mut add)?;
    digests::check(store, &mut |violation| add(&mut report, violation))?;
    if sources {
        sources::check(store, observer, &mut report, &mut add)?;
    }
    Ok(report)
}

/// Checks every file with a text, in the order of the rows.
fn check_files(
    store: &Store,
    max_tokens: Option<usize>,
    counters: &mut TokenCounters,
    observer: &dyn Observer,
    report: &mut VerifyReport,
    add: &mut dyn FnMut(&mut VerifyReport, Violation),
) -> Result<(), StoreError> {
    let mut last = 0;
    loop {
        let page = store.laws().processed_files(last)?;
        let Some(end) = page.last() else { return Ok(()) };
        last = end.file_id;
        for file in &page {
            if observer.interrupted() {
                return Ok(());
            }
            report.files += 1;
            let mut check = FileCheck::new(store, file, max_tokens);
            check.run(counters)?;
            report.sources += check.sources;
            report.cited += check.cited;
            report.exact += check.exact;
            report.sources_read += u64::from(check.source_read);
            check.violations.into_iter().for_each(|violation| add(report, violation));
        }
    }
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
    let mut fail = |law, what: String| found.push(Violation::of_chunk(law, id, &what));
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
