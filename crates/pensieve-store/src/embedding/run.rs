//! [`embed`]: sends the chunks without a vector, and stores what comes back.
//!
//! The calling thread alone uses the database; threads send. Each answer is committed when it arrives, so an end at any
//! moment loses at most the requests that were under way.

use super::error::EmbedError;
use super::pace::Pace;
use super::plan::wanted_set;
use super::sender::{EmbeddedPart, Sender};
use super::settings::EmbeddingSettings;
use super::summary::EmbedSummary;
use crate::store::{ChunkFailure, MissingChunk, NewVector, Store, VectorSet};
use pensieve_text::model::{Observer, Problem, ProblemKind, ProgressEvent, RunPhase};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// Tokens of one request at most: services refuse larger ones.
const MAX_BATCH_TOKENS: usize = 100_000;

/// Vectors that are stored at most before the dimensions of a model are certain: two answers settle them.
const MAX_UNSETTLED: usize = 10_000;

/// Makes the vectors that are missing.
///
/// # Errors
/// The database cannot be written, or the service cannot be used. What was received before is stored.
pub fn embed(
    store: &Store,
    settings: &EmbeddingSettings,
    observer: &dyn Observer,
) -> Result<EmbedSummary, EmbedError> {
    let started = Instant::now();
    store.vectors().require_loaded()?;
    let set = wanted_set(store, settings)?;
    let totals = store.vectors().totals(&set)?;
    observer.on_event(&ProgressEvent::PhaseStarted {
        phase: RunPhase::Embed,
        files: totals.missing,
        bytes: 0,
    });
    store.vectors().clear_failures()?;
    let pace = Pace::new(settings.max_tokens_per_minute, observer);
    let sender = Sender::new(settings, &pace, set.dimensions);
    let mut run = EmbedRun::new(store, settings, observer, set);
    let result = run.all(&sender);
    let counts = sender.counts();
    let mut summary = EmbedSummary {
        chunks: totals.chunks,
        missing: totals.missing,
        requests: counts.requests.load(Ordering::Relaxed),
        billed_tokens: counts.tokens.load(Ordering::Relaxed),
        ..run.summary
    };
    match result {
        Err(EmbedError::Stopped) => summary.interrupted = true,
        Err(error) => return Err(error),
        // Where the service has made vectors before, the chunks that are left may be to blame.
        Ok(()) if summary.embedded == 0 && totals.missing == totals.chunks && sender.has_failed() => {
            let (endpoint, reason) = (settings.endpoint.clone(), sender.last_failure());
            return Err(EmbedError::Unusable { endpoint, reason });
        }
        Ok(()) => summary.orphans_dropped = store.vectors().drop_orphans(settings.keep_orphans)?,
    }
    summary.price = settings.price(summary.tokens);
    summary.seconds = started.elapsed().as_secs_f64();
    Ok(summary)
}

/// What a sending thread reports.
enum Report {
    Part(EmbeddedPart),
    /// The batch is done, or the run must end.
    Done(Result<(), EmbedError>),
}

/// The state of a run in the thread that uses the database.
struct EmbedRun<'s> {
    store: &'s Store,
    settings: &'s EmbeddingSettings,
    observer: &'s dyn Observer,
    set: VectorSet,
    /// The row after which the next batch begins.
    after: i64,
    /// The first chunks that have got a vector in this run.
    stored: Vec<String>,
    /// The tokens of the chunks that are under way.
    tokens: HashMap<String, usize>,
    summary: EmbedSummary,
}

impl<'s> EmbedRun<'s> {
    fn new(
        store: &'s Store,
        settings: &'s EmbeddingSettings,
        observer: &'s dyn Observer,
        set: VectorSet,
    ) -> EmbedRun<'s> {
        let summary = EmbedSummary {
            model: set.model.clone(),
            dimensions: set.dimensions,
            format: settings.format.as_str(),
            ..EmbedSummary::default()
        };
        EmbedRun {
            store,
            settings,
            observer,
            set,
            after: 0,
            stored: Vec::new(),
            tokens: HashMap::new(),
            summary,
        }
    }

    /// Sends every missing chunk.
    fn all(&mut self, sender: &Sender<'_>) -> Result<(), EmbedError> {
        let threads = self.settings.concurrency.max(1);
        let (batches, to_send) = mpsc::sync_channel::<Vec<MissingChunk>>(threads);
        let (reports, arrived) = mpsc::sync_channel::<Report>(threads);
        let to_send = Mutex::new(to_send);
        thread::scope(|scope| {
            for _ in 0..threads {
                let (reports, to_send) = (reports.clone(), &to_send);
                scope.spawn(move || send_batches(sender, to_send, &reports));
            }
            drop(reports);
            let result = self.distribute(sender, batches, &arrived, threads);
            drop(arrived);
            result
        })
    }

    /// Keeps every thread busy and stores what arrives. After an error nothing more is sent, and what is under way is
    /// still stored.
    fn distribute(
        &mut self,
        sender: &Sender<'_>,
        batches: SyncSender<Vec<MissingChunk>>,
        arrived: &Receiver<Report>,
        threads: usize,
    ) -> Result<(), EmbedError> {
        let mut under_way = 0;
        let mut result = Ok(());
        loop {
            while result.is_ok() && under_way < threads {
                match self.next_batch() {
                    Ok(batch) if batch.is_empty() => break,
                    Ok(batch) => under_way += usize::from(batches.send(batch).is_ok()),
                    Err(error) => result = Err(error),
                }
            }
            if under_way == 0 {
                return result;
            }
            let ended = match arrived.recv() {
                Ok(Report::Part(part)) => self.store_part(part, sender),
                Ok(Report::Done(ended)) => {
                    under_way -= 1;
                    ended
                }
                Err(_) => return result,
            };
            result = result.and(ended);
        }
    }

    /// The next chunks, as many as one request may have; none if all were sent, or the user wants to stop.
    fn next_batch(&mut self) -> Result<Vec<MissingChunk>, EmbedError> {
        if self.observer.interrupted() {
            return Err(EmbedError::Stopped);
        }
        loop {
            let mut batch = self.store.vectors().missing(&self.set, self.after, self.settings.batch)?;
            let Some(last) = self.cut(&mut batch) else { return Ok(batch) };
            self.after = last;
            batch.retain(|chunk| !self.tokens.contains_key(&chunk.content_hash));
            if !batch.is_empty() {
                self.tokens.extend(batch.iter().map(|chunk| (chunk.content_hash.clone(), chunk.tokens)));
                return Ok(batch);
            }
        }
    }

    /// Cuts a batch to the tokens that a request may have, at least one chunk, and returns its last row.
    fn cut(&self, batch: &mut Vec<MissingChunk>) -> Option<i64> {
        let minute = self.settings.max_tokens_per_minute.map_or(usize::MAX, |limit| limit as usize);
        let mut tokens = 0;
        let fits = batch.iter().take_while(|chunk| {
            tokens += chunk.tokens;
            tokens <= MAX_BATCH_TOKENS.min(minute)
        });
        let fits = fits.count().max(1);
        batch.truncate(fits);
        batch.last().map(|chunk| chunk.chunk_id)
    }

    fn store_part(&mut self, part: EmbeddedPart, sender: &Sender<'_>) -> Result<(), EmbedError> {
        let EmbeddedPart { dimensions, vectors, failures } = part;
        if !vectors.is_empty() {
            if sender.dimensions() != Some(dimensions) {
                return self.send_again(&vectors);
            }
            self.settle_dimensions(dimensions)?;
        }
        let is_native = self.settings.dimensions.is_none();
        let failures = failures.into_iter().map(named).collect::<Vec<_>>();
        self.store.vectors().add(&self.set, is_native, self.settings.format, &vectors, &failures)?;
        for vector in &vectors {
            self.summary.tokens += self.tokens.remove(&vector.content_hash).unwrap_or_default() as u64;
        }
        if self.stored.len() < MAX_UNSETTLED {
            self.stored.extend(vectors.iter().map(|vector| vector.content_hash.clone()));
        }
        self.summary.embedded += vectors.len() as u64;
        self.summary.failed += failures.len() as u64;
        for failure in &failures {
            self.tokens.remove(&failure.content_hash);
            self.report_failure(failure)?;
        }
        self.observer.on_event(&ProgressEvent::Embedded { chunks: (vectors.len() + failures.len()) as u64 });
        Ok(())
    }

    /// Forgets vectors whose dimensions turned out to be wrong while they were under way.
    fn send_again(&mut self, vectors: &[NewVector]) -> Result<(), EmbedError> {
        for vector in vectors {
            self.tokens.remove(&vector.content_hash);
        }
        self.begin_again()
    }

    /// Sends everything that is missing, also what has failed.
    fn begin_again(&mut self) -> Result<(), EmbedError> {
        (self.after, self.summary.failed) = (0, 0);
        Ok(self.store.vectors().clear_failures()?)
    }

    /// Takes on the dimensions of new vectors. If those of earlier ones were wrong, these are removed, and their chunks sent
    /// again.
    fn settle_dimensions(&mut self, dimensions: usize) -> Result<(), EmbedError> {
        if let Some(wrong) = self.set.dimensions.filter(|known| *known != dimensions) {
            let removed = self.store.vectors().remove(&self.stored, &self.set.model, wrong)?;
            self.summary.embedded -= removed;
            self.begin_again()?;
        }
        self.set.dimensions = Some(dimensions);
        self.summary.dimensions = Some(dimensions);
        Ok(())
    }

    fn report_failure(&self, failure: &ChunkFailure) -> Result<(), EmbedError> {
        let path = self.store.vectors().path_of(&failure.content_hash)?.unwrap_or_default();
        let problem = Problem::new(ProblemKind::EmbeddingFailed, failure.message.clone());
        self.observer.on_event(&ProgressEvent::Trouble { path: &path, problem: &problem });
        Ok(())
    }
}

/// A failure whose message names the chunk.
fn named(failure: ChunkFailure) -> ChunkFailure {
    let name = failure.content_hash.get(..12).unwrap_or(&failure.content_hash);
    ChunkFailure { message: format!("chunk {name}: {}", failure.message), ..failure }
}

/// Sends batches until there are no more. A result that nobody waits for any more is dropped with the run.
fn send_batches(
    sender: &Sender<'_>,
    to_send: &Mutex<Receiver<Vec<MissingChunk>>>,
    reports: &SyncSender<Report>,
) {
    loop {
        let next = to_send.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(batch) = next else { return };
        let ended = sender.send(batch, &mut |part| drop(reports.send(Report::Part(part))));
        if reports.send(Report::Done(ended)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Unobserved, settings};
    use super::*;
    use crate::store::testing::{corpus, store};

    #[test]
    fn a_batch_has_at_most_the_tokens_of_a_request_and_of_a_minute() {
        let store = store();
        let check = |minute: Option<u64>, tokens: &[usize], expected: (usize, Option<i64>)| {
            let settings = EmbeddingSettings { max_tokens_per_minute: minute, ..settings() };
            let set = wanted_set(&store, &settings).unwrap();
            let run = EmbedRun::new(&store, &settings, &Unobserved, set);
            let chunk = |(at, tokens): (usize, &usize)| MissingChunk {
                chunk_id: at as i64 + 5,
                content_hash: String::new(),
                content: String::new(),
                tokens: *tokens,
            };
            let mut batch = tokens.iter().enumerate().map(chunk).collect();
            let last = run.cut(&mut batch);
            assert_eq!((batch.len(), last), expected, "{tokens:?}");
        };
        check(None, &[60_000, 40_000, 1], (2, Some(6)));
        check(None, &[60_000, 40_001], (1, Some(5)));
        check(None, &[100_001, 1], (1, Some(5)));
        check(Some(50), &[30, 20, 1], (2, Some(6)));
        check(Some(50), &[30, 21], (1, Some(5)));
        check(Some(200_000), &[60_000, 40_001], (1, Some(5)));
        check(None, &[], (0, None));
    }

    #[test]
    fn what_arrives_is_stored_and_counted() {
        let store = corpus(&[("a.txt", &["one", "two three", "four five six"])]);
        let (settings, pace) = (settings(), Pace::new(None, &Unobserved));
        let sender = Sender::new(&settings, &pace, Some(2));
        let set = wanted_set(&store, &settings).unwrap();
        let mut run = EmbedRun::new(&store, &settings, &Unobserved, set);
        let batch = run.next_batch().unwrap();
        assert_eq!(
            batch.iter().map(|chunk| chunk.content.as_str()).collect::<Vec<_>>(),
            ["one", "two three", "four five six"]
        );
        assert_eq!((run.after, run.tokens.len()), (batch[2].chunk_id, 3));
        assert!(run.next_batch().unwrap().is_empty());
        let vector =
            |at: usize| NewVector { content_hash: batch[at].content_hash.clone(), bytes: vec![0; 8] };
        let failure = ChunkFailure { content_hash: batch[2].content_hash.clone(), message: "bad".to_owned() };
        let part =
            EmbeddedPart { dimensions: 2, vectors: vec![vector(0), vector(1)], failures: vec![failure] };
        run.store_part(part, &sender).unwrap();
        let summary = &run.summary;
        assert_eq!(
            (summary.embedded, summary.failed, summary.tokens, summary.dimensions),
            (2, 1, 3, Some(2))
        );
        assert_eq!((run.tokens.len(), run.stored.len(), run.set.dimensions), (0, 2, Some(2)));
        // Vectors of other dimensions are forgotten, and everything that is missing is sent again.
        run.tokens.insert(batch[2].content_hash.clone(), 3);
        let part = EmbeddedPart { dimensions: 3, vectors: vec![vector(2)], failures: Vec::new() };
        run.store_part(part, &sender).unwrap();
        assert_eq!((run.after, run.tokens.len(), run.summary.failed, run.summary.embedded), (0, 0, 0, 2));
        let batch = run.next_batch().unwrap();
        assert_eq!(batch.iter().map(|chunk| chunk.content.as_str()).collect::<Vec<_>>(), ["four five six"]);
    }

    /// What an observer is told of chunks, and of those that failed.
    #[derive(Default)]
    struct Told(Mutex<(Vec<u64>, Vec<String>)>);

    impl Observer for Told {
        fn on_event(&self, event: &ProgressEvent<'_>) {
            let mut told = self.0.lock().unwrap();
            match event {
                ProgressEvent::Embedded { chunks } => told.0.push(*chunks),
                ProgressEvent::Trouble { path, problem } => {
                    told.1.push(format!("{path}: {}", problem.message))
                }
                _ => {}
            }
        }
    }

    #[test]
    fn an_observer_is_told_of_every_chunk() {
        let store = corpus(&[("a.txt", &["one", "two three", "four five six"])]);
        let (settings, told) = (settings(), Told::default());
        let pace = Pace::new(None, &told);
        let set = wanted_set(&store, &settings).unwrap();
        let mut run = EmbedRun::new(&store, &settings, &told, set);
        let batch = run.next_batch().unwrap();
        let vectors = batch[..2]
            .iter()
            .map(|chunk| NewVector { content_hash: chunk.content_hash.clone(), bytes: vec![0; 8] });
        let hash = batch[2].content_hash.clone();
        let failure = ChunkFailure { content_hash: hash.clone(), message: "bad".to_owned() };
        let part = EmbeddedPart { dimensions: 2, vectors: vectors.collect(), failures: vec![failure] };
        run.store_part(part, &Sender::new(&settings, &pace, Some(2))).unwrap();
        let expected = (vec![3], vec![format!("/r/a.txt: chunk {}: bad", &hash[..12])]);
        assert_eq!(told.0.into_inner().unwrap(), expected);
    }

    #[test]
    fn stored_vectors_of_wrong_dimensions_are_removed() {
        let store = corpus(&[("a.txt", &["one", "two three"])]);
        let (settings, pace) = (settings(), Pace::new(None, &Unobserved));
        let set = wanted_set(&store, &settings).unwrap();
        let mut run = EmbedRun::new(&store, &settings, &Unobserved, set);
        let batch = run.next_batch().unwrap();
        let part = |at: usize, dimensions: usize| EmbeddedPart {
            dimensions,
            vectors: vec![NewVector {
                content_hash: batch[at].content_hash.clone(),
                bytes: vec![0; dimensions * 4],
            }],
            failures: Vec::new(),
        };
        run.store_part(part(0, 2), &Sender::new(&settings, &pace, Some(2))).unwrap();
        run.store_part(part(1, 3), &Sender::new(&settings, &pace, Some(3))).unwrap();
        assert_eq!((run.summary.embedded, run.summary.dimensions, run.after), (1, Some(3), 0));
        let again = run.next_batch().unwrap();
        assert_eq!(again.iter().map(|chunk| chunk.content.as_str()).collect::<Vec<_>>(), ["one"]);
    }

    #[test]
    fn a_failure_names_its_chunk_by_twelve_digits() {
        let message = |hash: &str| {
            named(ChunkFailure { content_hash: hash.to_owned(), message: "bad".to_owned() }).message
        };
        assert_eq!(message("0123456789abcdef"), "chunk 0123456789ab: bad");
        assert_eq!(message("0123"), "chunk 0123: bad");
    }
}
