//! Repeats and divides requests until every chunk of a batch has a vector, or a reason why it has none.
//!
//! A failure that may pass is tried again, after twice the previous wait, varied a little so that threads do not try at
//! the same moment, or after the wait that the service asks for. A batch that still fails, or that the service does not
//! take, is divided in halves, until the chunk that is to blame stands alone. Of an answer in which only some vectors
//! are wrong, the others are kept: they were paid for.

use super::client::{Answer, EmbeddingClient};
use super::dimensions::DimensionVote;
use super::error::EmbedError;
use super::pace::Pace;
use super::parse::ParsedAnswer;
use super::settings::EmbeddingSettings;
use crate::store::{ChunkFailure, MissingChunk, NewVector};
use pensieve_text::model::ContentHash;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The wait before the first retry; each later one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(250);

/// The longest wait between two tries, unless the service asks for another.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The longest wait that a service may ask for; with a longer one the run ends, and the next one goes on.
const MAX_ASKED_WAIT: Duration = Duration::from_secs(600);

/// Tries of a batch that fails before it is divided.
const MAX_TRIES: u32 = 3;

/// Tries of a part of a batch.
const PART_TRIES: u32 = 2;

/// Chunks that fail one after the other before a run without any vector ends.
const MAX_FAILED_CHUNKS: u32 = 20;

/// What became of some chunks.
#[derive(Debug, Default)]
pub(super) struct EmbeddedPart {
    /// Numbers in each vector.
    pub dimensions: usize,
    /// The vectors.
    pub vectors: Vec<NewVector>,
    /// Chunks without one.
    pub failures: Vec<ChunkFailure>,
}

/// Numbers that all threads count.
#[derive(Debug, Default)]
pub(super) struct SenderCounts {
    /// Requests that were sent.
    pub requests: AtomicU64,
    /// Tokens that the service counted.
    pub tokens: AtomicU64,
    /// Vectors that were received.
    pub vectors: AtomicU64,
    /// Chunks that failed since the last vector, for a reason that may lie in the service.
    failed_in_a_row: AtomicU32,
}

/// Sends batches; shared by all threads.
pub(super) struct Sender<'s> {
    settings: &'s EmbeddingSettings,
    client: EmbeddingClient<'s>,
    pace: &'s Pace<'s>,
    dimensions: DimensionVote,
    counts: SenderCounts,
    /// The last failure that may lie in the service.
    last_failure: Mutex<String>,
}

/// Chunks that are sent together.
struct Attempt {
    chunks: Vec<MissingChunk>,
    tries: u32,
    /// Failures so far.
    failures: u32,
    /// Times that the service had no time.
    busy: u32,
}

impl Attempt {
    fn new(chunks: Vec<MissingChunk>, tries: u32) -> Attempt {
        Attempt { chunks, tries, failures: 0, busy: 0 }
    }

    fn tokens(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.tokens as u64).sum()
    }
}

impl<'s> Sender<'s> {
    /// A sender; `dimensions` are those that vectors must have, if they are known.
    pub fn new(settings: &'s EmbeddingSettings, pace: &'s Pace<'s>, dimensions: Option<usize>) -> Sender<'s> {
        let client = EmbeddingClient::new(settings, settings.timeout);
        Sender {
            settings,
            client,
            pace,
            dimensions: DimensionVote::new(dimensions),
            counts: SenderCounts::default(),
            last_failure: Mutex::default(),
        }
    }

    /// The numbers so far.
    pub fn counts(&self) -> &SenderCounts {
        &self.counts
    }

    /// The dimensions that vectors must have, if they are known.
    pub fn dimensions(&self) -> Option<usize> {
        self.dimensions.current()
    }

    /// True after a failure that may lie in the service.
    pub fn has_failed(&self) -> bool {
        !self.last_failure().is_empty()
    }

    /// The last failure that may lie in the service.
    pub fn last_failure(&self) -> String {
        self.last_failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sends a batch and passes what becomes of its chunks to `emit`, as soon as it is known.
    ///
    /// # Errors
    /// The service cannot be used, or the user stopped it; the chunks that were not passed are still missing.
    pub fn send(
        &self,
        batch: Vec<MissingChunk>,
        emit: &mut dyn FnMut(EmbeddedPart),
    ) -> Result<(), EmbedError> {
        let mut waiting = vec![Attempt::new(batch, MAX_TRIES.min(self.settings.retries + 1))];
        while let Some(attempt) = waiting.pop() {
            self.pace.wait_for(attempt.tokens())?;
            self.counts.requests.fetch_add(1, Ordering::Relaxed);
            match self.client.send(&self.texts(&attempt.chunks)) {
                Answer::Vectors(answer) => self.keep(attempt, answer, &mut waiting, emit),
                Answer::Busy { reason, wait } => waiting.push(self.later(attempt, reason, wait)?),
                Answer::Failed { reason, wait } => self.again(attempt, reason, wait, &mut waiting, emit)?,
                Answer::Rejected(reason) => divide(attempt, reason, &mut waiting, emit),
                Answer::Fatal(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn texts(&self, chunks: &[MissingChunk]) -> Vec<String> {
        chunks.iter().map(|chunk| format!("{}{}", self.settings.prefix_document, chunk.content)).collect()
    }

    /// Passes on the vectors of an answer that are sound; the chunks of the others are tried again.
    fn keep(
        &self,
        attempt: Attempt,
        answer: ParsedAnswer,
        waiting: &mut Vec<Attempt>,
        emit: &mut dyn FnMut(EmbeddedPart),
    ) {
        self.counts.tokens.fetch_add(answer.tokens.unwrap_or(0), Ordering::Relaxed);
        let wanted = self.wanted_dimensions(&attempt.chunks, &answer.vectors);
        let mut part = EmbeddedPart { dimensions: wanted, ..EmbeddedPart::default() };
        let (mut wrong, mut reason) = (Vec::new(), String::new());
        for (chunk, vector) in attempt.chunks.into_iter().zip(answer.vectors) {
            match self.stored_form(&vector, wanted) {
                Ok(bytes) => part.vectors.push(NewVector { content_hash: chunk.content_hash, bytes }),
                Err(fault) => {
                    reason = fault;
                    wrong.push(chunk);
                }
            }
        }
        if !part.vectors.is_empty() {
            self.counts.vectors.fetch_add(part.vectors.len() as u64, Ordering::Relaxed);
            self.counts.failed_in_a_row.store(0, Ordering::Relaxed);
            emit(part);
        }
        match wrong.is_empty() {
            true => {}
            false if attempt.failures > 0 => {
                let attempt = Attempt::new(wrong, PART_TRIES);
                divide(attempt, reason, waiting, emit);
            }
            false => waiting.push(Attempt { failures: 1, ..Attempt::new(wrong, PART_TRIES) }),
        }
    }

    /// The dimensions that the vectors of an answer must have.
    fn wanted_dimensions(&self, chunks: &[MissingChunk], vectors: &[Vec<f32>]) -> usize {
        let first = vectors.first().map_or(0, Vec::len);
        let is_uniform = first > 0 && vectors.iter().all(|vector| vector.len() == first);
        match is_uniform {
            true => self.dimensions.count(first, &chunks[0].content_hash),
            false => self.dimensions.current().unwrap_or(first),
        }
    }

    /// The stored form of a vector; the error says why it is none.
    fn stored_form(&self, vector: &[f32], wanted: usize) -> Result<Vec<u8>, String> {
        if vector.iter().any(|number| !number.is_finite()) {
            return Err("the vector has something that is no number".to_owned());
        }
        if vector.is_empty() {
            return Err("the vector is empty".to_owned());
        }
        let bytes = self.settings.format.encode(vector).ok_or_else(|| {
            format!("the vector has a number too large for `{}`", self.settings.format.as_str())
        })?;
        match vector.len() == wanted {
            true => Ok(bytes),
            false => Err(format!("the vector has {} dimensions, not {wanted}", vector.len())),
        }
    }

    /// The same chunks later, because the service has no time.
    fn later(&self, attempt: Attempt, reason: String, wait: Option<Duration>) -> Result<Attempt, EmbedError> {
        if attempt.busy >= self.settings.retries {
            return Err(self.unavailable(reason));
        }
        let busy = attempt.busy + 1;
        self.wait(wait, busy, reason, &attempt.chunks)?;
        Ok(Attempt { busy, ..attempt })
    }

    /// The same chunks again after a failure, or in halves after the last try.
    fn again(
        &self,
        attempt: Attempt,
        reason: String,
        wait: Option<Duration>,
        waiting: &mut Vec<Attempt>,
        emit: &mut dyn FnMut(EmbeddedPart),
    ) -> Result<(), EmbedError> {
        *self.last_failure.lock().unwrap_or_else(PoisonError::into_inner) = reason.clone();
        let failures = attempt.failures + 1;
        if failures < attempt.tries {
            self.wait(wait, failures, reason, &attempt.chunks)?;
            waiting.push(Attempt { failures, ..attempt });
            return Ok(());
        }
        if attempt.chunks.len() == 1 {
            self.count_failed_chunk(&reason)?;
        }
        divide(attempt, reason, waiting, emit);
        Ok(())
    }

    /// Ends a run in which nothing but failures came back.
    fn count_failed_chunk(&self, reason: &str) -> Result<(), EmbedError> {
        let failed = self.counts.failed_in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
        match failed >= MAX_FAILED_CHUNKS && self.counts.vectors.load(Ordering::Relaxed) == 0 {
            true => Err(EmbedError::Unusable {
                endpoint: self.settings.endpoint.clone(),
                reason: reason.to_owned(),
            }),
            false => Ok(()),
        }
    }

    /// Waits as long as the service asks for, or longer with each failure. A wait that it asks for holds for all threads.
    fn wait(
        &self,
        asked: Option<Duration>,
        failures: u32,
        reason: String,
        chunks: &[MissingChunk],
    ) -> Result<(), EmbedError> {
        let Some(asked) = asked else {
            return self.pace.sleep(backoff(failures, &chunks[0].content_hash));
        };
        if asked > MAX_ASKED_WAIT {
            return Err(self.unavailable(format!("{reason}; it asks to wait {} s", asked.as_secs())));
        }
        self.pace.pause(asked);
        Ok(())
    }

    fn unavailable(&self, reason: String) -> EmbedError {
        EmbedError::Unavailable { endpoint: self.settings.endpoint.clone(), reason }
    }
}

/// The wait before the n-th retry, longer by up to a quarter.
fn backoff(failures: u32, seed: &str) -> Duration {
    let wait = FIRST_WAIT.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(MAX_WAIT);
    let seed = format!("{seed} {failures} {}", std::process::id());
    wait.mul_f64(1.0 + (ContentHash::of(seed.as_bytes()).prefix() % 1000) as f64 / 4000.0)
}

/// Two halves instead of a batch; a chunk that stands alone has failed.
fn divide(
    mut attempt: Attempt,
    reason: String,
    waiting: &mut Vec<Attempt>,
    emit: &mut dyn FnMut(EmbeddedPart),
) {
    if let [chunk] = attempt.chunks.as_slice() {
        let failure = ChunkFailure { content_hash: chunk.content_hash.clone(), message: reason };
        emit(EmbeddedPart { failures: vec![failure], ..EmbeddedPart::default() });
        return;
    }
    let second = attempt.chunks.split_off(attempt.chunks.len() / 2);
    waiting.push(Attempt::new(second, PART_TRIES));
    waiting.push(Attempt::new(attempt.chunks, PART_TRIES));
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Unobserved, settings};
    use super::*;
    use std::time::Instant;

    fn chunk(chunk_id: i64) -> MissingChunk {
        let content = format!("words {chunk_id}");
        MissingChunk { chunk_id, content_hash: chunk_id.to_string(), content, tokens: 3 }
    }

    fn attempt(chunks: std::ops::Range<i64>, failures: u32, busy: u32) -> Attempt {
        Attempt { failures, busy, ..Attempt::new(chunks.map(chunk).collect(), 2) }
    }

    /// What a step left: vectors and failures by chunk, and what is to be sent again.
    #[derive(Debug, Default, PartialEq)]
    struct Left {
        vectors: Vec<String>,
        failures: Vec<String>,
        waiting: Vec<(Vec<i64>, u32, u32, u32)>,
    }

    /// Takes one step of a sender of vectors with two numbers each.
    fn left(step: impl FnOnce(&Sender<'_>, &mut Vec<Attempt>, &mut dyn FnMut(EmbeddedPart))) -> Left {
        let (settings, pace) = (settings(), Pace::new(None, &Unobserved));
        let sender = Sender::new(&settings, &pace, Some(2));
        let (mut left, mut waiting) = (Left::default(), Vec::new());
        step(&sender, &mut waiting, &mut |part| {
            left.vectors.extend(part.vectors.into_iter().map(|vector| vector.content_hash));
            let failures = part.failures.into_iter();
            left.failures
                .extend(failures.map(|failure| format!("{} {}", failure.content_hash, failure.message)));
        });
        let ids = |chunks: &[MissingChunk]| chunks.iter().map(|chunk| chunk.chunk_id).collect();
        left.waiting = waiting
            .iter()
            .map(|attempt| (ids(&attempt.chunks), attempt.tries, attempt.failures, attempt.busy))
            .collect();
        left
    }

    #[test]
    fn sound_vectors_are_kept_and_the_others_are_tried_again() {
        let kept = |failures: u32, vectors: &[&[f32]]| {
            let vectors: Vec<Vec<f32>> = vectors.iter().map(|vector| vector.to_vec()).collect();
            let attempt = attempt(0..vectors.len() as i64, failures, 0);
            left(|sender, waiting, emit| {
                let tokens = Some(7);
                sender.counts.failed_in_a_row.store(5, Ordering::Relaxed);
                sender.keep(attempt, ParsedAnswer { vectors: vectors.clone(), tokens }, waiting, emit);
                assert_eq!(sender.counts.tokens.load(Ordering::Relaxed), 7);
                let sound = vectors.iter().filter(|vector| vector.len() == 2 && !vector[0].is_nan()).count();
                assert_eq!(sender.counts.vectors.load(Ordering::Relaxed), sound as u64);
                let in_a_row = if sound > 0 { 0 } else { 5 };
                assert_eq!(sender.counts.failed_in_a_row.load(Ordering::Relaxed), in_a_row);
            })
        };
        let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        let sound: &[f32] = &[1.0, 2.0];
        let all = Left { vectors: ids(&["0", "1"]), ..Left::default() };
        assert_eq!(kept(0, &[sound, sound]), all);
        let first = Left { vectors: ids(&["0"]), ..Left::default() };
        let again = Left { waiting: vec![(vec![1], PART_TRIES, 1, 0)], ..first };
        assert_eq!(kept(0, &[sound, &[f32::NAN, 2.0]]), again);
        let failed = |why: &str| Left {
            failures: ids(&[&format!("1 {why}")]),
            waiting: Vec::new(),
            vectors: ids(&["0"]),
        };
        assert_eq!(kept(1, &[sound, &[f32::NAN, 2.0]]), failed("the vector has something that is no number"));
        assert_eq!(kept(1, &[sound, &[]]), failed("the vector is empty"));
        assert_eq!(kept(1, &[sound, &[1.0]]), failed("the vector has 1 dimensions, not 2"));
        let none = Left { waiting: vec![(vec![0, 1], PART_TRIES, 1, 0)], ..Left::default() };
        assert_eq!(kept(0, &[&[1.0], &[1.0]]), none);
        let halves = Left {
            waiting: vec![(vec![1], PART_TRIES, 0, 0), (vec![0], PART_TRIES, 0, 0)],
            ..Left::default()
        };
        assert_eq!(kept(1, &[&[1.0], &[1.0]]), halves);
    }

    #[test]
    fn dimensions_are_counted_where_all_vectors_have_the_same() {
        let (settings, pace) = (settings(), Pace::new(None, &Unobserved));
        let wanted = |known: Option<usize>, vectors: &[&[f32]]| {
            let sender = Sender::new(&settings, &pace, known);
            let vectors: Vec<Vec<f32>> = vectors.iter().map(|vector| vector.to_vec()).collect();
            let dimensions = sender.wanted_dimensions(&[chunk(0)], &vectors);
            (dimensions, sender.dimensions())
        };
        assert_eq!(wanted(None, &[&[1.0, 2.0], &[1.0, 2.0]]), (2, Some(2)));
        assert_eq!(wanted(None, &[&[1.0, 2.0], &[1.0]]), (2, None));
        assert_eq!(wanted(None, &[&[], &[]]), (0, None));
        assert_eq!(wanted(None, &[]), (0, None));
        assert_eq!(wanted(Some(3), &[&[1.0, 2.0]]), (3, Some(3)));
        assert_eq!(wanted(Some(3), &[&[1.0, 2.0], &[1.0]]), (3, Some(3)));
    }

    #[test]
    fn a_failure_is_repeated_until_the_last_try_and_then_divided() {
        let again = |attempt: Attempt| {
            left(|sender, waiting, emit| {
                assert!(!sender.has_failed());
                sender.again(attempt, "late".to_owned(), Some(Duration::ZERO), waiting, emit).unwrap();
                assert_eq!((sender.has_failed(), sender.last_failure().as_str()), (true, "late"));
            })
        };
        let waiting =
            |waiting: &[(Vec<i64>, u32, u32, u32)]| Left { waiting: waiting.to_vec(), ..Left::default() };
        assert_eq!(again(attempt(0..2, 0, 1)), waiting(&[(vec![0, 1], 2, 1, 1)]));
        assert_eq!(again(attempt(0..3, 1, 1)), waiting(&[(vec![1, 2], 2, 0, 0), (vec![0], 2, 0, 0)]));
        assert_eq!(
            again(attempt(4..5, 1, 0)),
            Left { failures: vec!["4 late".to_owned()], ..Left::default() }
        );
    }

    #[test]
    fn a_service_without_time_is_asked_as_often_as_the_settings_say() {
        left(|sender, _, _| {
            let later =
                |busy: u32| sender.later(attempt(0..1, 1, busy), "full".to_owned(), Some(Duration::ZERO));
            let next = later(1).unwrap();
            assert_eq!((next.busy, next.failures, next.tries, next.tokens()), (2, 1, 2, 3));
            let expected = "http://127.0.0.1:1/v1/embeddings cannot be used now: full";
            assert_eq!(later(2).map(|attempt| attempt.busy).unwrap_err().to_string(), expected);
        });
    }

    #[test]
    fn a_run_ends_after_twenty_failed_chunks_without_a_vector() {
        left(|sender, _, _| {
            let failed = || sender.count_failed_chunk("bad").map_err(|error| error.to_string());
            assert!((1..MAX_FAILED_CHUNKS).all(|_| failed().is_ok()));
            let expected = "http://127.0.0.1:1/v1/embeddings gave no vector: bad".to_owned();
            assert_eq!((failed(), failed()), (Err(expected.clone()), Err(expected)));
            sender.counts.vectors.store(1, Ordering::Relaxed);
            assert_eq!(failed(), Ok(()));
        });
    }

    #[test]
    fn a_wait_of_more_than_ten_minutes_ends_a_run() {
        left(|sender, _, _| {
            let wait = |seconds: u64| {
                let began = Instant::now();
                let waited =
                    sender.wait(Some(Duration::from_secs(seconds)), 1, "full".to_owned(), &[chunk(0)]);
                assert!(began.elapsed() < Duration::from_secs(60));
                waited.map_err(|error| error.to_string())
            };
            assert_eq!(wait(600), Ok(()));
            let expected = "http://127.0.0.1:1/v1/embeddings cannot be used now: full; it asks to wait 601 s";
            assert_eq!(wait(601), Err(expected.to_owned()));
            let began = Instant::now();
            sender.wait(None, 1, String::new(), &[chunk(0)]).unwrap();
            assert!(began.elapsed() >= FIRST_WAIT);
        });
    }

    #[test]
    fn chunks_are_sent_after_their_prefix() {
        left(|sender, _, _| {
            assert_eq!(sender.texts(&[chunk(1), chunk(2)]), ["passage: words 1", "passage: words 2"])
        });
    }

    #[test]
    fn waits_double_and_vary_by_a_quarter() {
        for failures in 1..30 {
            let least = FIRST_WAIT.saturating_mul(1 << (failures - 1).min(16)).min(MAX_WAIT);
            let wait = backoff(failures, "seed");
            assert!(wait >= least && wait <= least.mul_f64(1.25), "{failures}: {wait:?}");
        }
    }

    #[test]
    fn a_batch_is_divided_until_one_chunk_is_left() {
        let mut waiting = vec![Attempt::new((0..5).map(chunk).collect(), 1)];
        let mut failed = Vec::new();
        while let Some(attempt) = waiting.pop() {
            divide(attempt, "bad".to_owned(), &mut waiting, &mut |part| failed.extend(part.failures));
        }
        let failed: Vec<&str> = failed.iter().map(|failure| failure.content_hash.as_str()).collect();
        assert_eq!(failed, ["0", "1", "2", "3", "4"]);
    }
}
