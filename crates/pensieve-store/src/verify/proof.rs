//! The proof of a whole corpus: first the laws that SQL checks, then every chunk, every file and its digest.

use super::file::FileCheck;
use super::parallel::in_order;
use super::report::VerifyReport;
use super::sources;
use super::tasks::{ProofTask, ProofTasks};
use super::token_counters::TokenCounters;
use crate::store::{Store, StoreError, Violation};
use pensieve_text::model::{ContentHash, Observer, ProgressEvent, RunPhase};

/// What a corpus is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofScope {
    /// Nothing outside of the database.
    Stored,
    /// The sources that have not changed.
    UnchangedSources,
    /// Those, and every other source that is still on disk.
    AllSources,
}

/// Checks a corpus; `each` receives every violation.
///
/// Cost: one pass over all rows, text, chunks and sources on disk, on every core; some tens of MiB of memory for each.
pub fn run(
    store: &Store,
    scope: ProofScope,
    observer: &dyn Observer,
    each: &mut dyn FnMut(&Violation),
) -> Result<VerifyReport, StoreError> {
    observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Verify, files: 0, bytes: 0 });
    let max_tokens = store.laws().max_chunk_tokens()?;
    let mut tasks = ProofTasks::new(store)?;
    let mut report = VerifyReport::default();
    let mut add = |report: &mut VerifyReport, violation: Violation| {
        report.violations += 1;
        each(&violation);
    };
    in_order(
        store,
        || tasks.next(store, observer),
        |store, counters, (task, share)| Ok((prove(store, counters, task, (max_tokens, scope))?, share)),
        |(part, share)| {
            report.add(&part.report);
            part.violations.into_iter().for_each(|violation| add(&mut report, violation));
            observer.on_event(&ProgressEvent::advanced(share));
        },
    )?;
    if scope == ProofScope::AllSources {
        sources::check(store, observer, &mut report, &mut add)?;
    }
    Ok(report)
}

/// The longest tokens of the encodings have 128 bytes; four times as many are out of the question, and not worth counting.
const MAX_TOKEN_BYTES: usize = 512;

/// Tokens of a chunk where the database does not say how many it may have: the largest `chunk_size`.
const MAX_CHUNK_TOKENS: usize = 1_000_000;

/// What one task has found.
#[derive(Default)]
struct ProofPart {
    report: VerifyReport,
    violations: Vec<Violation>,
}

fn prove(
    store: &Store,
    counters: &mut TokenCounters,
    task: ProofTask,
    (max_tokens, scope): (Option<usize>, ProofScope),
) -> Result<ProofPart, StoreError> {
    let mut part = ProofPart::default();
    match task {
        ProofTask::Law(number) => part.violations = store.laws().violations_of(number)?,
        ProofTask::Chunks(ids) => store.laws().each_chunk(ids, &mut |id, hash, content, tokens, model| {
            part.report.chunks += 1;
            part.violations.extend(check_chunk(id, hash, content, tokens, model, max_tokens, counters));
        })?,
        ProofTask::File(file) => {
            let mut check = FileCheck::new(store, &file, max_tokens, scope != ProofScope::Stored);
            check.run(counters)?;
            part.report = VerifyReport {
                files: 1,
                sources: check.sources,
                cited: check.cited,
                exact: check.exact,
                sources_read: u64::from(check.source_read),
                ..VerifyReport::default()
            };
            part.violations = check.violations;
        }
        // Each file against its rows: what no law of its own covers.
        ProofTask::Digests(ids) => store.laws().each_differing_file(ids, &mut |path, parts| {
            let what = format!("not as its digest says: {}", parts.join(", "));
            part.violations.push(Violation::of_file(7, path, &what));
        })?,
    }
    Ok(part)
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
    if content.len() > max_tokens.unwrap_or(MAX_CHUNK_TOKENS).saturating_mul(MAX_TOKEN_BYTES) {
        fail(3, format!("{} bytes, more than {tokens} tokens can have", content.len()));
        return found;
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
